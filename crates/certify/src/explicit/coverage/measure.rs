//! Questions answered in the graph of a system, as far as the limit on steps allows.
//!
//! What a question takes is estimated before it is begun, from the mutants that change a proposition at all. All others are unnoticed.

use super::super::graph::{Graph, Set};
use super::super::{Explored, explore::explore};
use super::formula::{Operator, Part, Parts, Reader};
use super::labels::{self, Changes};
use super::mutants::Checker;
use super::{
    CoverageAnswer, CoverageFlip, CoverageLimits, CoveragePlace, CoverageQuestion, CoverageRecheck,
    CoverageSemantics,
};
use crate::Rejection;
use propcov_budget::Budget;
use propcov_ir::{Edits, ExprId, Sort, System, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;

/// What the evaluation of one expression in one state takes, compared with one edge of the graph.
const EVALUATION: u64 = 20;
/// What copying one edge into the graph of a mutant takes.
const COPY: u64 = 2;

/// The graph of a system, and the effort that is left.
pub(super) struct Measuring<'a> {
    system: &'a System,
    budget: &'a Budget,
    steps: Cell<u64>,
    initial: usize,
    /// With one state more than there are.
    graph: Graph,
    /// The values of all states, also of those that are not fair.
    states: Vec<Vec<Value>>,
    /// Where atoms and don't-cares hold.
    atoms: FxHashMap<ExprId, Set>,
    /// The states that are fair, by number.
    fair: Vec<u32>,
    /// The transitions between those, as pairs of numbers. Sorted.
    transitions: Vec<(u32, u32)>,
}

/// Where something is changed.
#[derive(Clone, Copy, Debug)]
enum Place {
    State(u32),
    Transition(u32, u32),
}

impl Place {
    /// The state that shows something else.
    fn state(self) -> usize {
        match self {
            Place::State(state) | Place::Transition(_, state) => state as usize,
        }
    }
}

/// A formula to be checked in mutants.
struct Subject {
    /// The propositions that mention what is observed.
    propositions: Vec<ExprId>,
    parts: Parts,
    /// The formula as it is.
    plain: Part,
    /// What mutants have to satisfy; `None` if the formula is not acceptable.
    checked: Option<Part>,
}

impl<'a> Measuring<'a> {
    pub(super) fn new(
        system: &'a System,
        atoms: &[ExprId],
        limits: &CoverageLimits,
        budget: &'a Budget,
    ) -> Result<Measuring<'a>, Rejection> {
        let Explored { initial, edges, conditions, states, .. } =
            explore(system, &Edits::none(), &[], &limits.explicit, budget)?;
        let sorts = labels::state_sorts(system);
        let decode = |state| labels::state_values(&sorts, state);
        let states: Vec<Vec<Value>> = states.iter().map(decode).collect::<Result<_, _>>()?;
        let truth = labels::truth(system, &states, atoms, budget)?;
        let column = |at: usize| truth.iter().map(|truth| truth[at]).collect();
        let atoms = atoms.iter().enumerate().map(|(at, expr)| (*expr, column(at))).collect();
        let graph = Graph::new(states.len() + 1, edges, conditions);
        let is_fair = |state: u32| graph.fair[state as usize];
        let fair = (0..states.len() as u32).filter(|state| is_fair(*state)).collect();
        let pairs = graph.edges().iter().map(|edge| (edge.from, edge.to));
        let mut transitions: Vec<(u32, u32)> =
            pairs.filter(|(from, to)| is_fair(*from) && is_fair(*to)).collect();
        transitions.dedup();
        let steps = Cell::new(limits.steps);
        Ok(Measuring { system, budget, steps, initial, graph, states, atoms, fair, transitions })
    }

    /// Takes so many steps from those that are left, if there are so many.
    fn spend(&self, steps: u64) -> bool {
        let left = self.steps.get().checked_sub(steps);
        left.inspect(|left| self.steps.set(*left)).is_some()
    }

    pub(super) fn answer(&self, question: &CoverageQuestion<'_>) -> Result<CoverageAnswer, Rejection> {
        let Subject { propositions, parts, plain, checked } = self.subject(question);
        let each = Checker::steps(&parts, &self.graph);
        let label = |expr: ExprId| self.atoms.get(&expr).cloned().unwrap_or_default();
        let goal = (parts, checked.unwrap_or(plain));
        let mut checker = Checker::new(&self.graph, self.initial, goal, &propositions, &label);
        if !checker.satisfies(plain) {
            return Ok(CoverageAnswer::Fails);
        }
        if checked.is_none() {
            return Ok(CoverageAnswer::NotAcceptable);
        }
        let Some(changes) = self.changes(question, &propositions)? else {
            return Ok(CoverageAnswer::TooLarge);
        };
        let places = self.places(question.place);
        let counts = |place: &Place| !self.is_any(question.dont_care, place.state());
        let space: Vec<bool> = places.iter().map(counts).collect();
        let may_be_noticed = |place: Place| changes[place.state()].may_be_noticed(question.flip);
        let mutants: Vec<usize> =
            (0..places.len()).filter(|at| space[*at] && may_be_noticed(places[*at])).collect();
        let ways = mutants.iter().map(|at| changes[places[*at].state()].ways.len() as u64).sum::<u64>();
        let copies = match question.place {
            CoveragePlace::State => 0,
            CoveragePlace::Transition => COPY * (mutants.len() * self.graph.edges().len()) as u64,
        };
        if !self.spend(ways.saturating_mul(each).saturating_add(copies)) {
            return Ok(CoverageAnswer::TooLarge);
        }
        let mut covered = vec![false; places.len()];
        for at in mutants {
            if self.budget.is_exhausted() {
                return Err(Rejection::Undecided);
            }
            let changes = &changes[places[at].state()];
            covered[at] = is_covered(&mut checker, places[at], changes, question.flip);
        }
        Ok(CoverageAnswer::Covered { space, covered })
    }

    /// The formula, with what a mutant shows in it.
    fn subject(&self, question: &CoverageQuestion<'_>) -> Subject {
        let mut atoms = question.formula.atoms();
        atoms.sort_unstable();
        atoms.dedup();
        let propositions = labels::that_mention(self.system, &atoms, question.observed);
        let changeable: FxHashSet<ExprId> = propositions.iter().copied().collect();
        let shown = |expr: ExprId| match changeable.contains(&expr) {
            true => Operator::Shown(expr),
            false => Operator::Plain(expr),
        };
        let mut parts = Parts::default();
        let plain = parts.formula(question.formula, &Operator::Plain);
        let checked = match question.semantics {
            CoverageSemantics::Mutation => Some(parts.formula(question.formula, &shown)),
            CoverageSemantics::Observability { split } => {
                Reader { system: self.system, parts: &mut parts, shown: &shown, split }
                    .transformed(question.formula)
            }
        };
        Subject { propositions, parts, plain, checked }
    }

    /// What changes in each state; `None` if it takes too long to find out.
    fn changes(
        &self,
        question: &CoverageQuestion<'_>,
        propositions: &[ExprId],
    ) -> Result<Option<Vec<Changes>>, Rejection> {
        if propositions.is_empty() {
            return Ok(Some(vec![Changes::default(); self.states.len()]));
        }
        let exprs = &self.system.exprs;
        let values: u64 = match exprs.sort(question.observed) {
            Sort::BitVec(width) => 1u64.checked_shl(*width).unwrap_or(u64::MAX),
            Sort::Enum(variants) => variants.variants.len() as u64,
            sort => return Err(Rejection::Unsupported(format!("observing {sort}"))),
        };
        let size = labels::size(self.system, propositions) as u64;
        let each = values.saturating_mul(size).saturating_add(exprs.len() as u64 / 8);
        if !self.spend(each.saturating_mul(EVALUATION * self.states.len() as u64)) {
            return Ok(None);
        }
        labels::changes(self.system, &self.states, question.observed, propositions, self.budget).map(Some)
    }

    fn places(&self, place: CoveragePlace) -> Vec<Place> {
        match place {
            CoveragePlace::State => self.fair.iter().map(|state| Place::State(*state)).collect(),
            CoveragePlace::Transition => {
                self.transitions.iter().map(|(from, to)| Place::Transition(*from, *to)).collect()
            }
        }
    }

    fn is_any(&self, conditions: &[ExprId], state: usize) -> bool {
        conditions.iter().any(|expr| self.atoms.get(expr).is_some_and(|set| set[state]))
    }

    /// The answers, with the states and transitions that they are about.
    pub(super) fn finish(self, answers: Vec<CoverageAnswer>) -> CoverageRecheck {
        let mut positions = vec![0; self.states.len()];
        for (position, state) in self.fair.iter().enumerate() {
            positions[*state as usize] = position as u32;
        }
        let position = |state: u32| positions[state as usize];
        let transitions =
            self.transitions.iter().map(|(from, to)| (position(*from), position(*to))).collect();
        let states: Vec<Vec<Value>> =
            self.fair.iter().map(|state| self.states[*state as usize].clone()).collect();
        let positions = states.iter().cloned().zip(0..).collect();
        CoverageRecheck { states, transitions, answers, positions }
    }
}

/// Whether enough of the mutants of a place are noticed.
fn is_covered(checker: &mut Checker<'_>, place: Place, changes: &Changes, flip: CoverageFlip) -> bool {
    match place {
        Place::State(state) => changes.are_noticed(flip, &|way| checker.notices_in_state(state, way)),
        Place::Transition(from, to) => {
            checker.notices_on_transition(from, to, |is_noticed| changes.are_noticed(flip, is_noticed))
        }
    }
}

impl Changes {
    /// Whether the mutants have to be looked at.
    fn may_be_noticed(&self, flip: CoverageFlip) -> bool {
        !self.ways.is_empty() && (flip == CoverageFlip::Any || !self.unnoticeable)
    }

    /// Whether enough ways are noticed.
    fn are_noticed(&self, flip: CoverageFlip, is_noticed: &dyn Fn(&[bool]) -> bool) -> bool {
        match flip {
            CoverageFlip::Any => self.ways.iter().any(|way| is_noticed(way)),
            CoverageFlip::All => !self.unnoticeable && self.ways.iter().all(|way| is_noticed(way)),
        }
    }
}
