//! Suites of properties for random systems: several that hold, several that do not, few that are inductive by themselves.

use crate::expressions::{Expressions, random_value};
use crate::random::Random;
use propcov_ir::{ExprId, PropertyKind, SignalId, Sort, System};

/// Adds invariants to a system: comparisons of states with constants, at most one of which is true at a time or in some step, and random expressions over all
/// signals.
pub fn add_suite(seed: u64, system: &mut System, count: usize) {
    let mut random = Random::new(seed ^ 0x5017e);
    let leaves: Vec<ExprId> = {
        let signals = (0..system.signals().len() as u32).map(SignalId);
        signals.map(|signal| system.read(signal)).collect()
    };
    let states: Vec<ExprId> = system.states().to_vec().into_iter().map(|state| system.read(state)).collect();
    for index in 0..count {
        let expr = if states.is_empty() || random.percent(40) {
            Expressions::new(&mut random, &mut system.exprs, &leaves).expr(&Sort::BOOL, 2)
        } else {
            let terms = random.between(1, 3);
            let differ: Vec<ExprId> = (0..terms).map(|_| differs(&mut random, system, &states)).collect();
            system.exprs.disjunction(differ)
        };
        system.add_property(format!("suite{index}"), PropertyKind::Invariant(expr), None);
    }
}

/// That a state does not have some value.
fn differs(random: &mut Random, system: &mut System, states: &[ExprId]) -> ExprId {
    let state = *random.pick(states);
    let sort = system.exprs.sort(state).clone();
    let value = random_value(random, &sort);
    let value = system.exprs.constant(value);
    let equal = system.exprs.eq(state, value);
    system.exprs.not(equal)
}
