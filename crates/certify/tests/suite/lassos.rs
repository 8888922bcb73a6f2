//! Demonstrations of CTL formulas by searching an explicit graph: what a checker of demonstrations is tested with.

use propcov_ir::{
    ConstraintKind, Ctl, Demonstration, Edits, Fairness, Interpreter,
    Quantifier::{All, Exists},
    Step, System, Value,
};
use propcov_testkit::{Edge, ExplicitCtl};
use std::cell::Cell;
use std::collections::{BTreeSet, VecDeque};

use crate::systems::values;

/// Writes demonstrations for a system without edits.
pub(crate) struct Lassos<'s> {
    pub(crate) system: &'s System,
    pub(crate) explicit: ExplicitCtl<'s>,
    pub(crate) interpreter: Interpreter<'s>,
    /// How many more steps demonstrations may have.
    left: Cell<usize>,
}

impl<'s> Lassos<'s> {
    pub(crate) fn new(system: &'s System, edits: &'s Edits) -> Option<Lassos<'s>> {
        let explicit = ExplicitCtl::new(system, edits).ok()?;
        // Searches here are simple, not fast.
        if explicit.edges().len() > 100 {
            return None;
        }
        let left = Cell::new(1000);
        Some(Lassos { system, explicit, interpreter: Interpreter::new(system, edits).ok()?, left })
    }

    /// Why the claim, in normal form, holds in a fair state where it does: parts of it are shown by branches. `None` if that takes too
    /// many steps.
    pub(crate) fn demonstrate(&self, claim: &Ctl, state: usize) -> Option<Demonstration> {
        let sat = |formula: &Ctl| self.explicit.satisfies(formula);
        let everywhere = vec![true; self.explicit.states().len()];
        let fair = self.explicit.fair();
        let both = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| *a && *b).collect::<Vec<bool>>();
        // For each step of the path, what branches have to show there.
        let mut parts: Vec<(usize, &Ctl)> = Vec::new();
        let (prefix, within, essential) = match claim {
            Ctl::And(a, b) => {
                parts.extend([(0, &**a), (0, &**b)]);
                (vec![], everywhere, 1)
            }
            Ctl::Or(a, b) => {
                parts.push((0, if sat(a)[state] { a } else { b }));
                (vec![], everywhere, 1)
            }
            Ctl::Next(Exists, a) => {
                let goal = both(&sat(a), fair);
                let edge = self.explicit.edges().iter().find(|edge| edge.from == state && goal[edge.to]);
                parts.push((1, a));
                (vec![*edge.expect("there is a successor")], everywhere, 2)
            }
            Ctl::Until(Exists, a, b) => {
                let path = self.way(state, &sat(a), &both(&sat(b), fair)).expect("there is a way");
                parts.extend((0..path.len()).map(|step| (step, &**a)));
                parts.push((path.len(), b));
                let essential = path.len() + 1;
                (path, everywhere, essential)
            }
            Ctl::Release(Exists, a, b) => {
                let hold = sat(b);
                match self.way(state, &hold, &both(&both(&sat(a), &hold), fair)) {
                    Some(path) => {
                        parts.extend((0..=path.len()).map(|step| (step, &**b)));
                        parts.push((path.len(), a));
                        let essential = path.len() + 1;
                        (path, everywhere, essential)
                    }
                    None => (vec![], hold, usize::MAX),
                }
            }
            Ctl::Atom(_) | Ctl::Not(_) | Ctl::Next(All, _) | Ctl::Until(All, ..) | Ctl::Release(All, ..) => {
                (vec![], everywhere, 1)
            }
        };
        let end = prefix.last().map_or(state, |edge| edge.to);
        let (stem, cycle) = self.lasso(end, &within);
        let loop_to = prefix.len() + stem.len();
        let edges: Vec<Edge> = prefix.into_iter().chain(stem).chain(cycle).collect();
        if let (Ctl::Release(Exists, _, b), usize::MAX) = (claim, essential) {
            parts.extend((0..edges.len()).map(|step| (step, &**b)));
        }
        self.left.set(self.left.get().checked_sub(edges.len())?);
        let branches = parts
            .into_iter()
            .filter(|(_, part)| !part.is_propositional())
            .map(|(step, part)| self.demonstrate(part, edges[step].from).map(|branch| (step, branch)))
            .collect::<Option<_>>()?;
        let steps: Vec<Step> = edges.iter().map(|edge| self.step(edge)).collect();
        let essential = essential.min(steps.len());
        Some(Demonstration { claim: claim.clone(), steps, loop_to: Some(loop_to), essential, branches })
    }

    /// A shortest path to the goal through other states of the set.
    fn way(&self, from: usize, through: &[bool], goal: &[bool]) -> Option<Vec<Edge>> {
        path(self.explicit.edges(), from, through, &|edge| goal[edge.to], goal[from])
    }

    /// A fair path inside the set: edges to a cycle, and those of the cycle.
    fn lasso(&self, from: usize, within: &[bool]) -> (Vec<Edge>, Vec<Edge>) {
        let inside: Vec<Edge> = self
            .explicit
            .edges()
            .iter()
            .filter(|edge| within[edge.from] && within[edge.to])
            .copied()
            .collect();
        let kept = self.recurrent(inside.clone());
        let everywhere = vec![true; self.explicit.states().len()];
        let starts: BTreeSet<usize> = kept.iter().map(|edge| edge.from).collect();
        let stem =
            path(&inside, from, &everywhere, &|edge| starts.contains(&edge.to), starts.contains(&from));
        let stem = stem.expect("a fair path starts here");
        let start = stem.last().map_or(from, |edge| edge.to);
        let reach = reachable(&kept, start);
        let mut cycle: Vec<Edge> = Vec::new();
        let mut at = start;
        for edge in self.worth_visiting(&kept, &reach) {
            cycle.extend(
                path(&kept, at, &everywhere, &|step| step.to == edge.from, at == edge.from)
                    .expect("connected"),
            );
            cycle.push(edge);
            at = edge.to;
        }
        cycle.extend(path(&kept, at, &everywhere, &|step| step.to == start, at == start).expect("connected"));
        (stem, cycle)
    }

    /// Edges of a component that is fair, such that each condition that can be met is.
    fn worth_visiting(&self, kept: &[Edge], component: &BTreeSet<usize>) -> Vec<Edge> {
        let here = kept.iter().filter(|edge| component.contains(&edge.from)).copied();
        let any = here.clone().next().into_iter();
        let bits = (0..u64::BITS).filter_map(|bit| here.clone().find(|edge| edge.met >> bit & 1 == 1));
        any.chain(bits).collect()
    }

    /// The edges that fair cycles can take, in components each of which is fair as a whole.
    fn recurrent(&self, mut edges: Vec<Edge>) -> Vec<Edge> {
        loop {
            let before = edges.clone();
            edges.retain(|edge| reachable(&before, edge.to).contains(&edge.from));
            let connected = edges.clone();
            edges.retain(|edge| {
                let members = reachable(&connected, edge.from);
                let met = connected
                    .iter()
                    .filter(|other| members.contains(&other.from))
                    .fold(0, |met, other| met | other.met);
                let mut bit = 0;
                self.system.fairness.iter().all(|condition| match condition {
                    Fairness::Justice(_) => {
                        bit += 1;
                        met >> (bit - 1) & 1 == 1
                    }
                    Fairness::Compassion(..) => {
                        bit += 2;
                        met >> (bit - 1) & 1 == 1 || edge.met >> (bit - 2) & 1 == 0
                    }
                })
            });
            if edges.len() == before.len() {
                return edges;
            }
        }
    }

    /// A step with the inputs of an edge.
    fn step(&self, edge: &Edge) -> Step {
        let states = self.explicit.states();
        let mut all = vec![Vec::new()];
        for input in self.system.inputs() {
            let values = values(&self.system.signal(*input).sort);
            let with = |before: &Vec<Value>| {
                values
                    .iter()
                    .map(|value| before.iter().cloned().chain([value.clone()]).collect())
                    .collect::<Vec<_>>()
            };
            all = all.iter().flat_map(with).collect();
        }
        let steps = all.into_iter().map(|inputs| Step {
            inputs,
            states: states[edge.from].clone(),
            ..Step::default()
        });
        steps.into_iter().find(|step| self.takes(step, edge)).expect("some inputs allow it")
    }

    fn takes(&self, step: &Step, edge: &Edge) -> bool {
        let next = &self.explicit.states()[edge.to];
        let mut frame = self.interpreter.frame(step).expect("fits");
        if frame.violated_constraint(ConstraintKind::Always).expect("fits").is_some() {
            return false;
        }
        frame.set_next(next).expect("fits");
        let asked = frame.successor_values().expect("fits");
        let conditions = self.system.fairness.iter().flat_map(|condition| match *condition {
            Fairness::Justice(expr) => vec![expr],
            Fairness::Compassion(premise, conclusion) => vec![premise, conclusion],
        });
        let met = conditions.enumerate().fold(0, |met, (bit, expr)| {
            met | u64::from(frame.value(expr).expect("fits") == Value::bool(true)) << bit
        });
        met == edge.met
            && frame.violated_constraint(ConstraintKind::Transition).expect("fits").is_none()
            && asked.iter().zip(next).all(|(asked, next)| asked.as_ref().is_none_or(|asked| asked == next))
    }
}

/// The states that the edges lead to from a state, itself included.
fn reachable(edges: &[Edge], from: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(state) = open.pop() {
        let next = edges.iter().filter(|edge| edge.from == state).map(|edge| edge.to);
        open.extend(next.filter(|next| found.insert(*next)));
    }
    found
}

/// A shortest path whose last edge is one that is wanted; no edge at all if `done`.
fn path(
    edges: &[Edge],
    from: usize,
    through: &[bool],
    wanted: &dyn Fn(&Edge) -> bool,
    done: bool,
) -> Option<Vec<Edge>> {
    if done {
        return Some(Vec::new());
    }
    let mut seen = BTreeSet::from([from]);
    let mut open = VecDeque::from([(from, Vec::new())]);
    while let Some((state, path)) = open.pop_front() {
        for edge in edges.iter().filter(|edge| edge.from == state && through[state]) {
            let longer: Vec<Edge> = path.iter().chain([edge]).copied().collect();
            if wanted(edge) {
                return Some(longer);
            }
            if seen.insert(edge.to) {
                open.push_back((edge.to, longer));
            }
        }
    }
    None
}
