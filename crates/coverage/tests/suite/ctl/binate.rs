//! Random formulas in which a change of q may make a part true in one place and false in another: untils and releases whose last operand is
//! temporal, with q in both polarities. There Table 1 is not enough.

use propcov_ir::Quantifier::All;
use propcov_testkit::{Random, WrittenCtl};

fn name(name: &str) -> Box<WrittenCtl> {
    Box::new(WrittenCtl::Name(name.to_owned()))
}

/// A proposition over p, q and r, most often with q.
pub(crate) fn proposition(random: &mut Random) -> WrittenCtl {
    let q = name("q");
    let other = name(["p", "r"][random.below(2)]);
    let literal = if random.percent(50) { q } else { Box::new(WrittenCtl::Not(q)) };
    match random.below(8) {
        0..3 => *literal,
        3 | 4 => WrittenCtl::Or(literal, other),
        5 => WrittenCtl::And(literal, other),
        6 => WrittenCtl::Iff(name("q"), other),
        _ => *other,
    }
}

/// A proposition that is true in many states.
fn weak(random: &mut Random) -> WrittenCtl {
    match random.below(4) {
        0 => WrittenCtl::Constant(true),
        1 => proposition(random),
        _ => WrittenCtl::Or(Box::new(proposition(random)), name(["p", "q", "r"][random.below(3)])),
    }
}

/// What ends an until: a proposition and something temporal, which may disagree about q.
fn goal(random: &mut Random, depth: usize) -> WrittenCtl {
    if depth > 0 && random.percent(60) {
        return edge(random);
    }
    let proposition = Box::new(proposition(random));
    if depth == 0 {
        return *proposition;
    }
    let temporal = Box::new(temporal(random, depth - 1));
    match random.below(6) {
        0 => *temporal,
        1 => WrittenCtl::Implies(proposition, temporal),
        2 | 3 => WrittenCtl::And(temporal, proposition),
        _ => WrittenCtl::And(proposition, temporal),
    }
}

/// That q changes, more or less: where it has changed too late, a change of q makes this true a step earlier.
fn edge(random: &mut Random) -> WrittenCtl {
    let q = WrittenCtl::Name("q".to_owned());
    let (now, then) = match random.percent(50) {
        true => (q.clone(), WrittenCtl::Not(Box::new(q))),
        false => (WrittenCtl::Not(Box::new(q.clone())), q),
    };
    let weakened = |random: &mut Random, literal| match random.below(3) {
        0 => WrittenCtl::Or(Box::new(literal), name(["p", "r"][random.below(2)])),
        _ => literal,
    };
    let (now, then) = (weakened(random, now), weakened(random, then));
    let next = Box::new(then);
    let next = match random.below(5) {
        0 => WrittenCtl::Next(All, Box::new(WrittenCtl::Next(All, next))),
        1 => WrittenCtl::Next(All, Box::new(WrittenCtl::Until(All, Box::new(weak(random)), next))),
        _ => WrittenCtl::Next(All, next),
    };
    WrittenCtl::And(Box::new(now), Box::new(next))
}

fn temporal(random: &mut Random, depth: usize) -> WrittenCtl {
    let weak_operand = Box::new(weak(random));
    match random.below(8) {
        0..3 => WrittenCtl::Next(All, Box::new(goal(random, depth))),
        3 => WrittenCtl::Globally(All, weak_operand),
        4 => WrittenCtl::Finally(All, Box::new(goal(random, depth))),
        5 => WrittenCtl::Until(All, weak_operand, Box::new(goal(random, depth))),
        6 => WrittenCtl::Release(All, Box::new(goal(random, depth)), weak_operand),
        _ => WrittenCtl::Implies(Box::new(proposition(random)), Box::new(goal(random, depth))),
    }
}

/// A formula that is acceptable for observability, and whose acceptance does not need a disjunction to be read as an implication.
pub(crate) fn binate_formula(random: &mut Random) -> WrittenCtl {
    let depth = random.between(1, 2);
    let goal = Box::new(goal(random, depth));
    let ended = match random.below(8) {
        0..3 => WrittenCtl::Finally(All, goal),
        3..5 => WrittenCtl::Until(All, Box::new(weak(random)), goal),
        5 => WrittenCtl::Until(All, Box::new(temporal(random, 1)), goal),
        _ => WrittenCtl::Release(All, goal, Box::new(weak(random))),
    };
    match random.below(8) {
        0 => WrittenCtl::Globally(All, Box::new(ended)),
        1 => WrittenCtl::Next(All, Box::new(ended)),
        2 => {
            let always = WrittenCtl::Globally(All, Box::new(weak(random)));
            let guarded = if random.percent(40) { always } else { ended };
            WrittenCtl::Implies(Box::new(proposition(random)), Box::new(guarded))
        }
        3 => WrittenCtl::And(Box::new(ended), Box::new(temporal(random, 1))),
        4 => {
            let guarded = WrittenCtl::Implies(Box::new(proposition(random)), Box::new(ended));
            WrittenCtl::Globally(All, Box::new(guarded))
        }
        _ => ended,
    }
}
