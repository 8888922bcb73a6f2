//! k-induction of a whole suite: the properties are each other's lemmas.
//!
//! The base case is [bounded model checking](super::bmc) of all properties at once. For each length of the induction, the greatest part of the open
//! properties that is inductive is proved ([`Step::greatest`]), and from then on taken for granted.

use super::bmc::Base;
use super::claims::Step;
use super::{Batch, Run};
use crate::Config;
use crate::finite::Problem;
use crate::limits::{Limits, Observer, Stats};

/// Ticks that steps may always use, before they have to stay within reach of the base case. Proofs are what suites are decided together for: steps may cost more than
/// they do for a single property.
const STEP_ALLOWANCE: u64 = 8_000_000;

/// Decides properties of the problem's netlist.
pub(super) fn run(
    problem: &Problem<'_>,
    config: &Config,
    limits: &Limits,
    observer: &dyn Observer,
    stats: &mut Stats,
) -> Run {
    let seed = config.seed;
    let mut base = Base::new(problem, seed);
    let claims = problem.netlist.bads.iter().map(|bad| vec![!*bad]).collect();
    let mut step = Step::new(problem, claims, seed);
    let mut found = Run::default();
    let mut is_settled = vec![false; problem.netlist.bads.len()];
    let mut k = 0;
    while !base.open.is_empty() {
        k += 1;
        observer.progress("kinduction", k);
        if limits.exhausted(base.ticks() + step.ticks()) {
            break;
        }
        let clear = base.deepen(limits, stats, |property, trace, ticks| {
            found.violated.push((property, trace, ticks + step.ticks()));
        });
        if !clear {
            break;
        }
        found.cleared = Some(k - 1);
        for property in base.closed.drain(..) {
            step.drop_claim(property);
        }
        step.extend();
        if is_tried(k, config.depth) && step.ticks() <= STEP_ALLOWANCE + 2 * base.ticks() {
            let Some(inductive) = step.greatest(base.open.clone(), limits, stats) else { break };
            for property in &inductive {
                step.settle(*property);
                is_settled[*property] = true;
            }
            base.open.retain(|property| !is_settled[*property]);
            if !inductive.is_empty() {
                let ticks = base.ticks() + step.ticks();
                found.batches.push(Batch {
                    properties: inductive,
                    clauses: Vec::new(),
                    clauses_suffice: false,
                    k,
                    ticks,
                });
            }
        }
        if limits.depth.is_some_and(|depth| k > depth) {
            found.bounded = std::mem::take(&mut base.open);
            break;
        }
    }
    found.ticks = base.ticks() + step.ticks();
    stats.ticks += found.ticks;
    found
}

/// Whether an induction of this length is tried. Who names a depth expects a proof there, and not before.
fn is_tried(k: u32, depth: Option<u32>) -> bool {
    depth.is_none_or(|depth| k == 1 || k >= depth)
}
