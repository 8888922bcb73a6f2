//! The honest baseline: every mutant is model checked by itself, from nothing, with the engines that prove originals; up to a bound, by bounded model checking.

use super::Ground;
use super::session::Session;
use propcov_certify::{Rejection, check_bound, check_proof, check_trace};
use propcov_engine::{Config, ENGINES, Report, Silent, check, portfolio};
use propcov_ir::{Edits, Kill, Status, UnknownReason, Verdict};
use std::sync::Arc;

const NAME: &str = "naive";

pub(crate) fn run(session: &mut Session<'_>) {
    for target in 0..session.targets.len() {
        for mutant in session.undecided(target) {
            if session.is_over() {
                return;
            }
            session.progress(target, NAME);
            decide(session, target, mutant);
        }
    }
}

fn decide(session: &mut Session<'_>, target: usize, mutant: usize) {
    let property = session.targets[target].property;
    let (edits, budget) = (session.mutants[mutant].edits(session.system), session.budget());
    let Report { verdict, stats, .. } = search(session, target, &edits);
    session.stats.merge(&stats);
    let checked = match verdict {
        Verdict::Proved(proof) => check_proof(session.system, &edits, property, &proof, &budget)
            .map(|()| Status::Uncovered(Arc::new(proof))),
        Verdict::Falsified(trace) => check_trace(session.system, &edits, property, &trace)
            .map(|()| Status::Covered(Arc::new(Kill::of(session.system, session.mutants[mutant], &trace)))),
        Verdict::Unknown(UnknownReason::Bounded(depth)) => {
            check_bound(session.system, &edits, property, depth, &budget).map(|()| Status::Bounded(depth))
        }
        Verdict::Unknown(_) => return session.note_effort(),
    };
    match checked {
        Ok(status) => session.decide(target, [(mutant, status)], NAME),
        Err(Rejection::Undecided) => {}
        Err(rejection) => session.reject(target, mutant, NAME, &rejection.to_string()),
    }
}

fn search(session: &Session<'_>, target: usize, edits: &Edits) -> Report {
    let (system, target_of) = (session.system, &session.targets[target]);
    let config = Config { seed: session.options.seed, ..Config::default() };
    let limits = session.limits_of_one(target);
    match (&target_of.ground, ENGINES.iter().find(|engine| engine.name == "bmc")) {
        // Other engines may find violations beyond the bound, which do not count.
        (Ground::UpTo(bound), Some(bmc)) => {
            let limits = limits.with_depth(Some(*bound));
            check(bmc, system, edits, target_of.property, &config, &limits, &Silent)
        }
        _ => portfolio::check(system, edits, target_of.property, &config, &limits, &Silent),
    }
}
