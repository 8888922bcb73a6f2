//! Liveness by decision diagrams: the product of the design with what a violation takes has a fair run, or it has none.
//!
//! A fair run is a lasso, replayed like any other. Where there is none, the layers that the fixpoint removed become an invariant of the system that counts rounds: within
//! the k-th layer, at most k more rounds come to their end. So the proof is of the same kind as one by counting, and whoever checks it need not know how it was found.

use crate::first_step::FirstStep;
use crate::limits::until;
use crate::verifier::Verifier;
use propcov_budget::Budget;
use propcov_engine::Limits;
use propcov_engine::liveness::Watch;
use propcov_ir::{ExprId, Invariant, LivenessProof, LivenessVerdict, Proof, UnknownReason};
use propcov_symbolic::{FairRuns, Layers, Options};
use std::time::Instant;

/// Ticks of the diagrams for each of other engines: theirs are lookups, which take longer.
const PACE: u64 = 2;

/// What diagrams say, and why there is no proof, if they say that it holds and there is none.
pub(crate) type Said = (LivenessVerdict, Option<String>);

impl Verifier<'_> {
    /// Asks decision diagrams, for no more ticks than those of another engine.
    pub(crate) fn fair_runs(&self, watch: &Watch, (ticks, deadline): (u64, Option<Instant>)) -> Said {
        let Limits { interrupt, deadline, .. } = until(&self.limits, deadline);
        let budget = Budget { conflicts: None, deadline, interrupt: interrupt.child() };
        budget.interrupt.limit_ticks(ticks / PACE);
        let system = watch.violations();
        // Sets of states do not know which inputs made a state initial.
        let first_step = FirstStep::of(&system);
        let asked = first_step.as_ref().map_or(&system, |first_step| &first_step.system);
        match FairRuns::of(asked, &Options::default(), &budget, self.progress) {
            Ok(FairRuns::One(mut lasso)) => {
                if let Some(first_step) = &first_step {
                    lasso.trace = first_step.run(&lasso.trace);
                }
                (LivenessVerdict::Fails(watch.own_part(lasso)), None)
            }
            Ok(FairRuns::None(Ok(layers))) => (LivenessVerdict::Holds(Some(proof(layers, watch))), None),
            Ok(FairRuns::None(Err(why))) => (LivenessVerdict::Holds(None), Some(why)),
            Err(reason) => (LivenessVerdict::Unknown(reason), None),
        }
    }
}

/// Whether diagrams would say the same with more ticks.
pub(crate) fn is_final(reason: &UnknownReason) -> bool {
    !matches!(reason, UnknownReason::Cancelled | UnknownReason::Timeout)
}

/// That no run goes through more rounds than there are layers. With r rounds over, a run is in one of the layers but for the last r; and if in no lesser one than the last
/// of these, it has not met the condition of that one in the present round.
fn proof(layers: Layers, watch: &Watch) -> LivenessProof {
    let Layers { mut exprs, reachable, layers } = layers;
    let bound = layers.len();
    let reduced = watch.rounds(u32::try_from(bound).unwrap_or(u32::MAX));
    let bit = |signal| reduced.system.signal(signal).sort.clone();
    let mut lemmas = vec![reachable];
    for round in 0..=bound {
        let mut parts: Vec<ExprId> = Vec::new();
        if let Some(over) = round.checked_sub(1).and_then(|at| reduced.over.get(at)) {
            let over = exprs.signal(*over, bit(*over));
            parts.push(exprs.not(over));
        }
        let mut below = (0..bound - round).rev();
        if let Some((set, condition)) = below.next().map(|at| layers[at]) {
            let met = condition.and_then(|condition| *reduced.met.get(condition)?);
            parts.push(match met {
                Some(met) => {
                    let met = exprs.signal(met, bit(met));
                    let open = exprs.not(met);
                    exprs.and(set, open)
                }
                None => set,
            });
        }
        parts.extend(below.next().map(|at| layers[at].0));
        lemmas.push(exprs.disjunction(parts));
    }
    let invariant = Invariant { exprs, lemmas };
    let core = reduced.system.element_ids().collect();
    let proof = Proof { invariant: invariant.into(), k: 1, simple_path: false, core };
    LivenessProof { reduction: reduced.reduction, proof }
}
