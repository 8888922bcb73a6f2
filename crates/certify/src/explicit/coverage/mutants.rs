//! Formulas in mutants, one mutant after the other.
//!
//! The graph has one state more than the system, without edges. For a mutant of a transition, it becomes the copy of the target to which the transition
//! leads instead. As long as a copy satisfies the parts of a subformula that the original does, it satisfies the subformula
//! if the original does: they have the same paths. So what is known about the system holds in each mutant, up to the subformulas with a part that
//! the mutant changes; these are evaluated again.

use super::super::graph::{Graph, Set, complement, intersection, union};
use super::formula::{Operator, Part, Parts};
use propcov_ir::ExprId;
use rustc_hash::FxHashMap;

/// What a release takes, compared with an until: components are searched for.
const RELEASE: u64 = 10;

/// A formula in the graph of a system, and in its mutants.
pub(super) struct Checker<'g> {
    graph: &'g Graph,
    /// The first so many states are initial.
    initial: usize,
    parts: Parts,
    root: Part,
    /// Where each subformula holds when nothing is changed.
    holds: Vec<Set>,
    /// The positions of the propositions that a mutant may change, in what is said about it.
    positions: FxHashMap<ExprId, usize>,
}

impl<'g> Checker<'g> {
    /// `label` says where a proposition holds, in states other than the last.
    pub(super) fn new(
        graph: &'g Graph,
        initial: usize,
        (parts, root): (Parts, Part),
        changeable: &[ExprId],
        label: &dyn Fn(ExprId) -> Set,
    ) -> Checker<'g> {
        let positions = changeable.iter().enumerate().map(|(position, expr)| (*expr, position)).collect();
        let mut checker = Checker { graph, initial, parts, root, holds: Vec::new(), positions };
        for operator in checker.parts.operators.clone() {
            let set = match operator {
                Operator::Plain(expr) | Operator::Shown(expr) => {
                    let mut set = label(expr);
                    set.resize(graph.states(), false);
                    set
                }
                _ => apply(operator, graph, |part| &checker.holds[part]),
            };
            checker.holds.push(set);
        }
        checker
    }

    /// Whether each initial state that is fair satisfies a formula of the system as it is.
    pub(super) fn satisfies(&self, formula: Part) -> bool {
        self.is_initially(&self.holds[formula])
    }

    fn is_initially(&self, set: &[bool]) -> bool {
        (0..self.initial).all(|state| set[state] || !self.graph.fair[state])
    }

    /// About how many steps a mutant takes.
    pub(super) fn steps(parts: &Parts, graph: &Graph) -> u64 {
        let (states, edges) = (graph.states() as u64, graph.edges().len() as u64);
        let shown = parts.operators.iter().zip(&parts.shown).filter(|(_, shown)| **shown);
        let each = shown.map(|(operator, _)| match operator {
            Operator::Next(_) | Operator::Until(..) => states + edges,
            Operator::Release(..) => RELEASE * (states + edges),
            _ => states,
        });
        each.sum()
    }

    /// Whether the formula fails when a state shows these propositions instead of its own.
    pub(super) fn notices_in_state(&self, state: u32, way: &[bool]) -> bool {
        self.notices(self.graph, state as usize, way)
    }

    /// Whether enough ways are noticed that the target of a transition may show instead of its own. `enough` asks about one after the other.
    pub(super) fn notices_on_transition(
        &mut self,
        from: u32,
        to: u32,
        enough: impl Fn(&dyn Fn(&[bool]) -> bool) -> bool,
    ) -> bool {
        let copy = self.graph.states() - 1;
        self.holds.iter_mut().for_each(|set| set[copy] = set[to as usize]);
        let graph = self.graph.redirected(from, to);
        enough(&|way| self.notices(&graph, copy, way))
    }

    fn notices(&self, graph: &Graph, place: usize, way: &[bool]) -> bool {
        let mut changed: Vec<Option<Set>> = vec![None; self.holds.len()];
        for (part, operator) in self.parts.operators.iter().enumerate() {
            if !self.parts.shown[part] {
                continue;
            }
            let is_changed = |part: &Part| changed[*part].is_some();
            let set = match operator {
                Operator::Plain(_) => continue,
                Operator::Shown(expr) => {
                    let Some(position) = self.positions.get(expr) else { continue };
                    let mut set = self.holds[part].clone();
                    set[place] = way[*position];
                    set
                }
                Operator::Not(a) | Operator::Next(a) if !is_changed(a) => continue,
                Operator::And(a, b)
                | Operator::Or(a, b)
                | Operator::Until(a, b)
                | Operator::Release(a, b)
                    if !is_changed(a) && !is_changed(b) =>
                {
                    continue;
                }
                _ => apply(*operator, graph, |part| changed[part].as_ref().unwrap_or(&self.holds[part])),
            };
            if set != self.holds[part] {
                changed[part] = Some(set);
            }
        }
        changed[self.root].as_ref().is_some_and(|set| !self.is_initially(set))
    }
}

/// Where a subformula holds, given where its parts do.
fn apply<'a>(operator: Operator, graph: &Graph, set: impl Fn(Part) -> &'a Set) -> Set {
    match operator {
        Operator::Plain(_) | Operator::Shown(_) => Set::new(),
        Operator::Not(a) => complement(set(a).clone()),
        Operator::And(a, b) => intersection(set(a).clone(), set(b)),
        Operator::Or(a, b) => union(set(a).clone(), set(b)),
        Operator::Next(a) => graph.next(set(a)),
        Operator::Until(a, b) => graph.until(set(a), set(b)),
        Operator::Release(a, b) => graph.release(set(a), set(b)),
    }
}
