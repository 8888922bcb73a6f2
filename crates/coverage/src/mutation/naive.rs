//! The honest baseline: every mutant is model checked by itself, from nothing, with the engines that prove originals.

use super::session::Session;
use propcov_certify::{Rejection, check_proof, check_trace};
use propcov_engine::{Config, Silent, portfolio};
use propcov_ir::{Kill, Status, Verdict};
use std::sync::Arc;

const NAME: &str = "naive";

pub(crate) fn run(session: &mut Session<'_>) {
    for target in 0..session.targets.len() {
        for mutant in session.undecided(target) {
            if session.is_over() {
                return;
            }
            session.progress(target, NAME);
            let property = session.targets[target].property;
            let edits = session.mutants[mutant].edits(session.system);
            let config = Config { seed: session.options.seed, ..Config::default() };
            let limits = session.limits_of_one(target);
            let report = portfolio::check(session.system, &edits, property, &config, &limits, &Silent);
            session.stats.merge(&report.stats);
            let checked = match report.verdict {
                Verdict::Unknown(_) => {
                    session.note_effort();
                    continue;
                }
                Verdict::Proved(proof) => {
                    check_proof(session.system, &edits, property, &proof, &session.budget())
                        .map(|()| Status::Uncovered(Arc::new(proof)))
                }
                Verdict::Falsified(trace) => {
                    check_trace(session.system, &edits, property, &trace).map(|()| {
                        Status::Covered(Arc::new(Kill::of(session.system, session.mutants[mutant], &trace)))
                    })
                }
            };
            match checked {
                Ok(status) => session.decide(target, [(mutant, status)], NAME),
                Err(Rejection::Undecided) => {}
                Err(rejection) => session.reject(target, mutant, NAME, &rejection.to_string()),
            }
        }
    }
}
