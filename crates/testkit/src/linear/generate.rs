//! Random systems with properties of infinite runs.

use crate::ctl_system::ctl_system;
use crate::expressions::Expressions;
use crate::random::Random;
use propcov_ir::{ExprId, ExprPool, Ltl, PropertyKind, SignalId, Sort, System};

/// The random system with this seed: a [`ctl_system`](crate::ctl_system()) with up to three justice properties, of one to three conditions, and up to three
/// formulas of linear time. All of them may speak of inputs.
pub fn liveness_system(seed: u64) -> System {
    let mut system = ctl_system(seed);
    let mut random = Random::new(seed ^ 0x11fe);
    let signals: Vec<SignalId> = (0..system.signals().len() as u32).map(SignalId).collect();
    let leaves: Vec<ExprId> = signals.iter().map(|signal| system.read(*signal)).collect();
    let atoms: Vec<ExprId> =
        (0..random.between(2, 4)).map(|_| atom(&mut random, &mut system, &leaves)).collect();
    for index in 0..random.between(1, 3) {
        let conditions = (0..random.between(1, 3)).map(|_| *random.pick(&atoms)).collect();
        system.add_property(format!("j{index}"), PropertyKind::Justice(conditions), None);
    }
    for index in 0..random.between(1, 3) {
        let depth = random.between(1, 4);
        let formula = loop {
            let formula = random_ltl(&mut random, &mut system.exprs, &atoms, depth);
            if temporal(&formula) <= MOST_OPERATORS {
                break formula;
            }
        };
        system.add_property(format!("l{index}"), PropertyKind::Ltl(formula), None);
    }
    system
}

/// More operators of time would make products too large to list.
const MOST_OPERATORS: usize = 4;

fn temporal(formula: &Ltl) -> usize {
    let here = !matches!(formula, Ltl::Atom(_) | Ltl::Not(_) | Ltl::And(..) | Ltl::Or(..));
    formula.operands().map(temporal).sum::<usize>() + usize::from(here)
}

/// Says of some signal that it has one of its values, or anything.
fn atom(random: &mut Random, system: &mut System, leaves: &[ExprId]) -> ExprId {
    if random.percent(30) {
        return Expressions::new(random, &mut system.exprs, leaves).expr(&Sort::BOOL, 2);
    }
    let leaf = *random.pick(leaves);
    let sort = system.exprs.sort(leaf).clone();
    let value = Expressions::new(random, &mut system.exprs, &[]).constant(&sort);
    let is = system.exprs.eq(leaf, value);
    if random.percent(30) { system.exprs.not(is) } else { is }
}

/// A random formula over these atoms, with that many nested operators at most.
pub fn random_ltl(random: &mut Random, exprs: &mut ExprPool, atoms: &[ExprId], depth: usize) -> Ltl {
    if depth == 0 || random.percent(8) {
        let atom = if random.percent(4) { exprs.bool(random.percent(50)) } else { *random.pick(atoms) };
        return if random.percent(35) { Ltl::Not(Box::new(Ltl::Atom(atom))) } else { Ltl::Atom(atom) };
    }
    let part =
        |random: &mut Random, exprs: &mut ExprPool| Box::new(random_ltl(random, exprs, atoms, depth - 1));
    let constant = |exprs: &mut ExprPool, value: bool| Box::new(Ltl::Atom(exprs.bool(value)));
    match random.below(20) {
        0 | 1 => Ltl::Not(part(random, exprs)),
        2 | 3 => Ltl::And(part(random, exprs), part(random, exprs)),
        4 | 5 => Ltl::Or(part(random, exprs), part(random, exprs)),
        6 | 7 => Ltl::Next(part(random, exprs)),
        8 | 9 => Ltl::Until(constant(exprs, true), part(random, exprs)),
        10 | 11 => Ltl::Release(constant(exprs, false), part(random, exprs)),
        12 => Ltl::Until(part(random, exprs), part(random, exprs)),
        13 => Ltl::Release(part(random, exprs), part(random, exprs)),
        14 => Ltl::Previous(part(random, exprs)),
        15 => Ltl::WeakPrevious(part(random, exprs)),
        16 => Ltl::Since(constant(exprs, true), part(random, exprs)),
        17 => Ltl::Triggered(constant(exprs, false), part(random, exprs)),
        18 => Ltl::Since(part(random, exprs), part(random, exprs)),
        _ => Ltl::Triggered(part(random, exprs), part(random, exprs)),
    }
}
