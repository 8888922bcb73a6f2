//! Observed signals, and what propositions become where an observed signal has another value.
//!
//! The value is changed in propositions alone: where q itself is written in them. Definitions of other signals that read q keep their value, and
//! so do steps, initial states and fairness. Hoskote's dual structure (Definition 2) changes one label of one state, and nothing else.
//!
//! An observed expression is replaced where that very node occurs. Signals are leaves, so definitions keep their value. Expressions of the command line are
//! read in the scope of the file and into the same pool: hash-consing makes them the nodes that properties have. For signals with several
//! other values, the other value is an input that nothing reads, which diagrams know as a parameter.

use propcov_ir::{Ctl, ExprId, SignalId, Sort, System};
use propcov_symbolic::{Label, Labels};
use rustc_hash::FxHashMap;

/// An observed signal or expression.
#[derive(Clone, Debug)]
pub(super) struct Labelling {
    /// The input for its other value, if there are several other values to choose from.
    pub(super) parameter: Option<SignalId>,
    /// That the other value is another one.
    pub(super) differs: Option<ExprId>,
    /// For each proposition that mentions it, an expression that stands for the proposition where labels may be changed. No formula of the
    /// system has such an expression.
    markers: FxHashMap<ExprId, ExprId>,
    /// What they stand for.
    pub(super) labels: Labels,
}

/// Why something cannot be observed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a signal of type {0} cannot be observed; expected a Boolean, an enumeration, a range or a word")]
pub struct Unobservable(pub Sort);

impl Labelling {
    /// Prepares an expression to be observed in propositions. The system gets an input that nothing in it reads.
    pub(super) fn new(
        system: &mut System,
        observed: ExprId,
        atoms: &[ExprId],
    ) -> Result<Labelling, Unobservable> {
        let sort = system.exprs.sort(observed).clone();
        if !matches!(sort, Sort::BitVec(_) | Sort::Enum(_)) {
            return Err(Unobservable(sort));
        }
        let marker = system.add_input(format!("{}?", system.show(observed)), sort.clone());
        let other = system.read(marker);
        let exprs = &mut system.exprs;
        // A Boolean has one other value, which needs no variable.
        let (parameter, value, differs) = if sort.is_bool() {
            (None, exprs.not(observed), None)
        } else {
            let same = exprs.eq(other, observed);
            (Some(marker), other, Some(exprs.not(same)))
        };
        let (mut markers, mut labels) = (FxHashMap::default(), Labels::default());
        let (mut marked, mut changed) =
            (FxHashMap::from_iter([(observed, other)]), FxHashMap::from_iter([(observed, value)]));
        for atom in atoms {
            let stand_in = exprs.replaced(*atom, &mut marked);
            if stand_in != *atom {
                let changed = exprs.replaced(*atom, &mut changed);
                markers.insert(*atom, stand_in);
                labels.insert(stand_in, Label { original: *atom, changed });
            }
        }
        Ok(Labelling { parameter, differs, markers, labels })
    }

    /// All expressions that sets are needed of.
    pub(super) fn atoms(&self) -> impl Iterator<Item = ExprId> {
        self.labels.values().map(|label| label.changed).chain(self.differs)
    }

    /// Whether a formula mentions it.
    pub(super) fn is_in(&self, formula: &Ctl) -> bool {
        self.is_among(&formula.atoms())
    }

    /// Whether one of some propositions mentions it.
    pub(super) fn is_among(&self, atoms: &[ExprId]) -> bool {
        atoms.iter().any(|atom| self.markers.contains_key(atom))
    }

    /// What a proposition becomes where labels are changed, if it mentions it.
    pub(super) fn changed_atom(&self, atom: ExprId) -> Option<ExprId> {
        self.markers.get(&atom).map(|marker| self.labels[marker].changed)
    }

    /// The formula with each proposition that mentions it marked as one to be changed.
    pub(super) fn marked(&self, formula: &Ctl) -> Ctl {
        formula.with_atoms(&mut |atom| self.markers.get(&atom).copied().unwrap_or(atom))
    }

    /// The formula with each proposition that mentions it changed, everywhere.
    pub(super) fn changed(&self, formula: &Ctl) -> Ctl {
        formula.with_atoms(&mut |atom| self.changed_atom(atom).unwrap_or(atom))
    }
}
