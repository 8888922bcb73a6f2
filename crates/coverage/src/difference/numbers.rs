//! The same two questions where there are ints and reals.
//!
//! Bounded model checking finds shortest witnesses. For proofs, what design and mutant remember is guessed to be the same on both sides, and so is what they compute in a
//! step: the portfolio keeps what is inductive of it.

use super::product::Product;
use super::{CORRESPONDENCE_TICKS, FIRST_DEPTH, FIRST_TICKS, within};
use propcov_engine::infinite::{self, portfolio};
use propcov_engine::{Config, ENGINES, Limits, Silent, Stats};
use propcov_ir::{Edits, Invariant, UnknownReason, Verdict};

/// The verdict on the product, and for a violation whether it is known to be a shortest one.
pub(super) fn decide(
    product: &Product,
    edits: &Edits,
    limits: &Limits,
    stats: &mut Stats,
) -> (Verdict, bool) {
    let mut first = within(limits, FIRST_TICKS);
    first.depth = Some(limits.depth.map_or(FIRST_DEPTH, |depth| depth.min(FIRST_DEPTH)));
    if let found @ Verdict::Falsified(_) = bounded(product, edits, &first, stats) {
        return (found, true);
    }
    let guesses = correspondences(product);
    let mut verdict = Verdict::Unknown(UnknownReason::Cancelled);
    for limits in [&within(limits, CORRESPONDENCE_TICKS), limits] {
        let together =
            portfolio::check_with(&product.system, edits, &[product.property], &guesses, limits, &Silent);
        stats.merge(&together.stats);
        if let Some(settled) = together.settled.into_iter().next() {
            verdict = settled.verdict;
        }
        let is_open =
            matches!(verdict, Verdict::Unknown(UnknownReason::Cancelled | UnknownReason::Conflicts));
        if !is_open || limits.exhausted(0) {
            break;
        }
    }
    let Verdict::Falsified(longer) = &verdict else { return (verdict, false) };
    let mut up_to_there = limits.clone();
    up_to_there.depth = Some(longer.depth() as u32);
    match bounded(product, edits, &up_to_there, stats) {
        found @ Verdict::Falsified(_) => (found, true),
        _ => (verdict, false),
    }
}

fn bounded(product: &Product, edits: &Edits, limits: &Limits, stats: &mut Stats) -> Verdict {
    let Some(engine) = ENGINES.iter().find(|engine| engine.name == "bmc") else {
        return Verdict::Unknown(UnknownReason::Cancelled);
    };
    let config = Config::default();
    let report =
        propcov_engine::check(engine, &product.system, edits, product.property, &config, limits, &Silent);
    stats.merge(&report.stats);
    report.verdict
}

/// The candidates that a state is the same in design and mutant.
fn correspondences(product: &Product) -> Invariant {
    let mut problem = infinite::Problem::new(&product.system, infinite_edits(), &[]);
    let mut equalities = Vec::new();
    for (own, copy) in product.pairs() {
        let sort = product.system.signal(own).sort.clone();
        let (own, copy) = (problem.exprs.signal(own, sort.clone()), problem.exprs.signal(copy, sort));
        equalities.push(problem.exprs.eq(own, copy));
    }
    problem.export(equalities)
}

/// Nothing is edited where expressions are only written down.
fn infinite_edits() -> &'static Edits {
    static NONE: Edits = Edits::none();
    &NONE
}
