//! From the sets that decision diagrams found to what the independent checker reads. The two know nothing of each other.

use propcov_certify::{CtlProof, Label, Recurrent, Removed, Why};
use propcov_ir::ExprId;
use propcov_symbolic::{Labelled, Labelling};

/// The sets behind a verdict, in the words of the independent checker.
pub fn ctl_proof(labelling: Labelling) -> CtlProof {
    let recurrent = |(set, ranks)| Recurrent { set, ranks };
    CtlProof {
        exprs: labelling.exprs,
        reachable: labelling.reachable,
        unfair: removed(labelling.unfair),
        fair: labelling.fair.map(recurrent),
        label: label_of(labelling.label),
    }
}

fn removed(sets: Vec<(ExprId, Option<usize>)>) -> Vec<Removed> {
    sets.into_iter().map(|(set, condition)| Removed { set, condition }).collect()
}

fn label_of(labelled: Labelled) -> Label {
    let why = match (labelled.recurrent, labelled.ranks, labelled.removed) {
        (Some((set, ranks)), by_rank, _) => Why::Recurrence(Recurrent { set, ranks }, by_rank),
        (None, ranks, _) if !ranks.is_empty() => Why::Ranks(ranks),
        (None, _, Some(sets)) => Why::Removal(removed(sets)),
        _ => Why::Plain,
    };
    Label { set: labelled.set, why, parts: labelled.parts.into_iter().map(label_of).collect() }
}
