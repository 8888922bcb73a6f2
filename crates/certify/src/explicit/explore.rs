//! The reachable states of a system and its transitions, by a SAT solver.
//!
//! One solver holds one step, in clauses that this crate's own encoder writes. The state to expand is assumed; each model is
//! one way to go on, of which only the values of the next states and of the fairness conditions count. It is then forbidden, for
//! as long as this state is expanded, and the solver asked again. All states of the system are looked at, whatever the properties are about: a
//! state outside their cone may have no successor, which cuts paths.

use super::graph::{Condition, Edge};
use super::{ExplicitLimits, Explored};
use crate::Rejection;
use crate::cone::constraints;
use crate::encode::{Gates, Selectors, Start, Steps, Unrolling};
use propcov_budget::Budget;
use propcov_ir::{ConstraintKind, Edits, ExprId, ExprPool, Fairness, System};
use propcov_sat::{CadicalConfig, Lit, Outcome};
use rustc_hash::FxHashMap;

/// A solver is used for at least so many states before a fresh one takes its place.
const STATES_PER_SOLVER: usize = 500;

/// A state, one bit per literal of the state signals.
pub(super) type State = Box<[u64]>;

/// A system in a solver, at its first step or anywhere.
struct Step<'a> {
    steps: Steps<'a>,
    /// The bits of the states.
    states: Vec<Lit>,
    /// Set if the transition constraints are to hold.
    moves: Lit,
    /// The bits of the next states, and then the fairness conditions.
    outcome: Vec<Lit>,
    /// The atoms.
    atoms: Vec<Lit>,
    /// How many more states to expand in this solver. Each leaves a variable behind, and the cost of a query grows with their number:
    /// with as many of them as the step has itself, it is time for a fresh one.
    left: usize,
}

/// Explores everything that is reachable, and says in which states the atoms hold. They depend on states alone.
pub(super) fn explore(
    system: &System,
    edits: &Edits,
    atoms: &[ExprId],
    limits: &ExplicitLimits,
    budget: &Budget,
) -> Result<Explored, Rejection> {
    let (conditions, fairness) = fairness(system);
    if fairness.len() > u64::BITS as usize {
        return Err(Rejection::Unsupported(format!("{} fairness conditions", fairness.len())));
    }
    let mut search = Search { limits, budget, numbers: FxHashMap::default(), states: Vec::new() };
    let mut first = Step::first(system, edits, budget)?;
    let states = first.states.clone();
    models(&mut first.steps.gates, &states, &[], budget, |bits, _| search.number(bits).map(|_| ()))?;
    let initial = search.states.len();
    let mut step = Step::anywhere(system, edits, &fairness, atoms, budget)?;
    let mut edges: Vec<Edge> = Vec::new();
    let mut holds = vec![Vec::new(); atoms.len()];
    let mut exists = Vec::new();
    while exists.len() < search.states.len() {
        if step.left == 0 {
            step = Step::anywhere(system, edits, &fairness, atoms, budget)?;
        }
        let values = step.expand(&mut search, exists.len() as u32, &mut edges)?;
        exists.push(values.is_some());
        let values = values.unwrap_or_else(|| vec![false; atoms.len()]);
        holds.iter_mut().zip(values).for_each(|(holds, value)| holds.push(value));
        if edges.len() > limits.edges {
            return Err(Rejection::TooLarge(format!("more than {} transitions", limits.edges)));
        }
    }
    edges.retain(|edge| exists[edge.to as usize]);
    let atoms = atoms.iter().copied().zip(holds).collect();
    Ok(Explored { initial, exists, edges, conditions, atoms, states: search.states })
}

/// The conditions, in terms of the expressions that they are about.
fn fairness(system: &System) -> (Vec<Condition>, Vec<ExprId>) {
    let mut exprs = Vec::new();
    let mut bit = |expr: ExprId| {
        exprs.push(expr);
        exprs.len() as u32 - 1
    };
    let conditions = system.fairness.iter().map(|condition| match *condition {
        Fairness::Justice(expr) => Condition::Justice(bit(expr)),
        Fairness::Compassion(premise, conclusion) => {
            Condition::Compassion { premise: bit(premise), conclusion: bit(conclusion) }
        }
    });
    (conditions.collect(), exprs)
}

/// The states found so far. A state's number is its position.
struct Search<'l> {
    limits: &'l ExplicitLimits,
    budget: &'l Budget,
    numbers: FxHashMap<State, u32>,
    states: Vec<State>,
}

impl Search<'_> {
    fn number(&mut self, bits: &[bool]) -> Result<u32, Rejection> {
        let mut state = vec![0u64; bits.len().div_ceil(64)];
        for (position, _) in bits.iter().enumerate().filter(|(_, bit)| **bit) {
            state[position / 64] |= 1 << (position % 64);
        }
        if let Some(number) = self.numbers.get(&state[..]) {
            return Ok(*number);
        }
        if self.states.len() >= self.limits.states {
            return Err(Rejection::TooLarge(format!("more than {} states", self.limits.states)));
        }
        let number = self.states.len() as u32;
        let state: State = state.into();
        self.numbers.insert(state.clone(), number);
        self.states.push(state);
        Ok(number)
    }
}

impl<'a> Step<'a> {
    fn new(system: &'a System, edits: &'a Edits, start: Start) -> Step<'a> {
        let config = CadicalConfig { inprocessing: false, ..CadicalConfig::default() };
        let steps: Steps<'_> = Steps::new(config, system, edits, Selectors::default(), start);
        let moves = steps.gates.constant(true);
        Step { steps, states: Vec::new(), moves, outcome: Vec::new(), atoms: Vec::new(), left: 0 }
    }

    /// Initial states: those for which some inputs satisfy initial values and constraints.
    fn first(system: &'a System, edits: &'a Edits, budget: &Budget) -> Result<Step<'a>, Rejection> {
        let mut step = Step::new(system, edits, Start::Initial);
        let claim = ExprPool::new();
        let mut unrolling = Unrolling::new(&mut step.steps, &claim, budget);
        step.states = state_bits(&mut unrolling, system, 0)?;
        for kind in [ConstraintKind::Initial, ConstraintKind::Always] {
            require(&mut unrolling, system, 0, kind, None)?;
        }
        Ok(step)
    }

    fn anywhere(
        system: &'a System,
        edits: &'a Edits,
        fairness: &[ExprId],
        atoms: &[ExprId],
        budget: &Budget,
    ) -> Result<Step<'a>, Rejection> {
        let mut step = Step::new(system, edits, Start::Anywhere);
        let claim = ExprPool::new();
        step.moves = step.steps.gates.fresh();
        let mut unrolling = Unrolling::new(&mut step.steps, &claim, budget);
        step.states = state_bits(&mut unrolling, system, 0)?;
        step.outcome = state_bits(&mut unrolling, system, 1)?;
        for expr in fairness {
            step.outcome.push(unrolling.condition(0, *expr)?);
        }
        for expr in atoms {
            step.atoms.push(unrolling.condition(0, *expr)?);
        }
        require(&mut unrolling, system, 0, ConstraintKind::Always, None)?;
        require(&mut unrolling, system, 0, ConstraintKind::Transition, Some(step.moves))?;
        // Without this, each valuation of the states that is no state would be found, counted and expanded.
        require(&mut unrolling, system, 1, ConstraintKind::Always, Some(step.moves))?;
        step.left = step.steps.gates.fresh().var().index().max(STATES_PER_SOLVER);
        Ok(step)
    }

    /// The edges out of a state, and the values of the atoms there; `None` if no inputs satisfy the constraints, so that it is no state.
    fn expand(
        &mut self,
        search: &mut Search<'_>,
        number: u32,
        edges: &mut Vec<Edge>,
    ) -> Result<Option<Vec<bool>>, Rejection> {
        let state = search.states[number as usize].clone();
        let is_set = |position: usize| state[position / 64] >> (position % 64) & 1 == 1;
        let mut assumptions: Vec<Lit> = self
            .states
            .iter()
            .enumerate()
            .map(|(position, literal)| literal.negated_if(!is_set(position)))
            .collect();
        self.left -= 1;
        let (budget, before) = (search.budget, edges.len());
        let mut atoms: Option<Vec<bool>> = None;
        let read = |gates: &Gates| self.atoms.iter().map(|atom| value(gates, *atom)).collect();
        assumptions.push(self.moves);
        let bits = self.states.len();
        models(&mut self.steps.gates, &self.outcome, &assumptions, budget, |values, gates| {
            atoms.get_or_insert_with(|| read(gates));
            let (next, met) = values.split_at(bits);
            let met = met.iter().enumerate().fold(0, |met, (bit, value)| met | u64::from(*value) << bit);
            edges.push(Edge { from: number, to: search.number(next)?, met });
            Ok(())
        })?;
        if edges.len() > before {
            return Ok(atoms);
        }
        // No way to go on: is it a state at all?
        assumptions.pop();
        match self.steps.gates.solve(&assumptions, budget) {
            Outcome::Sat => Ok(Some(read(&self.steps.gates))),
            Outcome::Unsat => Ok(None),
            Outcome::Unknown => Err(Rejection::Undecided),
        }
    }
}

/// The literals of all states in a step.
fn state_bits(unrolling: &mut Unrolling<'_, '_>, system: &System, step: u32) -> Result<Vec<Lit>, Rejection> {
    let mut bits = Vec::new();
    for state in system.states() {
        let word = unrolling.signal(step, *state)?;
        bits.extend(unrolling.gates().literals(&word)?);
    }
    Ok(bits)
}

/// Requires the constraints of a kind in a step, perhaps only if a literal is set.
fn require(
    unrolling: &mut Unrolling<'_, '_>,
    system: &System,
    step: u32,
    kind: ConstraintKind,
    only_if: Option<Lit>,
) -> Result<(), Rejection> {
    for id in constraints(system, kind) {
        if let Some(literal) = unrolling.constraint(step, id)? {
            let clause: Vec<Lit> = only_if.map(|only_if| !only_if).into_iter().chain([literal]).collect();
            unrolling.gates().clause(&clause);
        }
    }
    Ok(())
}

/// The value in the model, where what is left open is false.
fn value(gates: &Gates, literal: Lit) -> bool {
    gates.value(literal.var().positive()).unwrap_or(false) != literal.is_negated()
}

/// All values that the literals have together in models under the assumptions, each once.
fn models(
    gates: &mut Gates,
    literals: &[Lit],
    assumptions: &[Lit],
    budget: &Budget,
    mut found: impl FnMut(&[bool], &Gates) -> Result<(), Rejection>,
) -> Result<(), Rejection> {
    let others = gates.fresh();
    let mut assumptions = assumptions.to_vec();
    assumptions.push(others);
    let truth = gates.constant(true);
    loop {
        match gates.solve(&assumptions, budget) {
            Outcome::Sat => {}
            Outcome::Unsat => break,
            Outcome::Unknown => return Err(Rejection::Undecided),
        }
        let values: Vec<bool> = literals.iter().map(|literal| value(gates, *literal)).collect();
        let mut clause = vec![!others];
        let open = literals.iter().zip(&values).filter(|(literal, _)| literal.var() != truth.var());
        clause.extend(open.map(|(literal, value)| literal.negated_if(*value)));
        found(&values, gates)?;
        gates.clause(&clause);
    }
    gates.clause(&[!others]);
    Ok(())
}
