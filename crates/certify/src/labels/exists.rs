//! That each state of a set has a step into another: for all states there are inputs.
//!
//! Two solvers take turns. The first finds a state for which no inputs are known yet. The second looks for inputs there. These are then tried everywhere: the first solver gets a copy of the step with these inputs, and must find a state
//! where it does not do what is asked for. When there is no such state any more, each state has one of the inputs found. Few are needed: mostly, which process runs and what it chooses.
//!
//! # References
//! M. Janota, J. Marques-Silva. *Abstraction-based algorithm for 2QBF.* SAT 2011.

use crate::Rejection;
use crate::cone::constraints;
use crate::encode::{Gates, Selectors, Start, Steps, Unrolling};
use propcov_budget::Budget;
use propcov_ir::{ConstraintKind, Edits, ExprId, ExprPool, SignalId, System};
use propcov_sat::{CadicalConfig, Lit, Outcome};

/// The most inputs that are tried everywhere.
const ROUNDS: usize = 300;

/// From each state of a set some step leads to another set.
pub(super) struct Case {
    pub(super) from: ExprId,
    /// What the step meets.
    pub(super) condition: Option<ExprId>,
    pub(super) to: Target,
}

/// Where a step leads.
pub(super) enum Target {
    /// For each list into one of its sets.
    Sets(Vec<Vec<ExprId>>),
    /// Where an earlier case begins, or into this set.
    Earlier(Option<ExprId>),
    /// Anywhere: nothing is asked.
    Nothing,
}

/// The question for all cases at once.
pub(super) struct Exists<'q> {
    pub(super) system: &'q System,
    pub(super) edits: &'q Edits,
    pub(super) exprs: &'q ExprPool,
    pub(super) reachable: ExprId,
    pub(super) budget: &'q Budget,
}

/// A step: the bits of its first state, those that somebody has to choose, and what is asked of it, of which each is true.
struct Copy {
    states: Vec<Lit>,
    choices: Vec<Lit>,
    asked: Vec<Lit>,
}

impl<'q> Exists<'q> {
    pub(super) fn check(&self, cases: &[Case]) -> Result<(), Rejection> {
        if cases.iter().all(|case| matches!(case.to, Target::Nothing)) {
            return Ok(());
        }
        let config = CadicalConfig { inprocessing: false, ..CadicalConfig::default() };
        // A state that no inputs are known for.
        let mut steps = self.steps(Gates::new(config));
        let mut unrolling = Unrolling::new(&mut steps, self.exprs, self.budget);
        unrolling.extend(0)?;
        let mut open = Vec::new();
        for case in cases.iter().filter(|case| !matches!(case.to, Target::Nothing)) {
            open.push(unrolling.lemma(0, case.from)?);
        }
        let reachable = unrolling.lemma(0, self.reachable)?;
        let states = state_bits(&mut unrolling, self.system)?;
        let mut states_solver = steps.gates;
        states_solver.clause(&open);
        states_solver.clause(&[reachable]);
        // Inputs for it.
        let (inputs, mut inputs_solver) = self.copy(cases, Gates::new(config))?;
        for asked in &inputs.asked {
            inputs_solver.clause(&[*asked]);
        }
        for _ in 0..ROUNDS {
            match states_solver.solve(&[], self.budget) {
                Outcome::Unsat => return Ok(()),
                Outcome::Unknown => return Err(Rejection::Undecided),
                Outcome::Sat => {}
            }
            let here = states.iter().zip(&inputs.states);
            let state: Vec<Lit> =
                here.map(|(found, own)| own.negated_if(!value(&states_solver, *found))).collect();
            match inputs_solver.solve(&state, self.budget) {
                Outcome::Unsat => {
                    return Err(Rejection::Labels(
                        "a state has no step of the kind that is claimed".to_owned(),
                    ));
                }
                Outcome::Unknown => return Err(Rejection::Undecided),
                Outcome::Sat => {}
            }
            let chosen: Vec<bool> =
                inputs.choices.iter().map(|choice| value(&inputs_solver, *choice)).collect();
            let (copy, gates) = self.copy(cases, states_solver)?;
            states_solver = gates;
            if copy.choices.len() != chosen.len() || copy.states.len() != states.len() {
                return Err(Rejection::Malformed("two copies of one step differ".to_owned()));
            }
            for (choice, value) in copy.choices.iter().zip(chosen) {
                states_solver.clause(&[choice.negated_if(!value)]);
            }
            for (own, state) in copy.states.iter().zip(&states) {
                states_solver.clause(&[!*own, *state]);
                states_solver.clause(&[*own, !*state]);
            }
            let fails: Vec<Lit> = copy.asked.iter().map(|asked| !*asked).collect();
            states_solver.clause(&fails);
        }
        Err(Rejection::Undecided)
    }

    fn steps(&self, gates: Gates) -> Steps<'q, Gates> {
        Steps::over(gates, self.system, self.edits, Selectors::default(), Start::Anywhere)
    }

    /// A step in a solver, of which nothing is required.
    fn copy(&self, cases: &[Case], gates: Gates) -> Result<(Copy, Gates), Rejection> {
        let mut steps = self.steps(gates);
        let mut unrolling = Unrolling::new(&mut steps, self.exprs, self.budget);
        let states = state_bits(&mut unrolling, self.system)?;
        let mut asked = Vec::new();
        for (step, kind) in
            [(0, ConstraintKind::Always), (0, ConstraintKind::Transition), (1, ConstraintKind::Always)]
        {
            for id in constraints(self.system, kind) {
                asked.extend(unrolling.constraint(step, id)?);
            }
        }
        let mut earlier = unrolling.gates().constant(false);
        for case in cases {
            let from = unrolling.lemma(0, case.from)?;
            let mut targets = Vec::new();
            match &case.to {
                Target::Nothing => {}
                Target::Sets(lists) => {
                    for sets in lists {
                        let mut literals = Vec::with_capacity(sets.len());
                        for set in sets {
                            literals.push(unrolling.lemma(1, *set)?);
                        }
                        targets.push(unrolling.gates().or_all(&literals));
                    }
                }
                Target::Earlier(or_to) => {
                    let mut to = earlier;
                    if let Some(set) = or_to {
                        let set = unrolling.lemma(1, *set)?;
                        to = unrolling.gates().or(to, set);
                    }
                    targets.push(to);
                }
            }
            if let Some(condition) = case.condition {
                targets.push(unrolling.condition(0, condition)?);
            }
            for target in targets {
                asked.push(unrolling.gates().or(!from, target));
            }
            let after = unrolling.lemma(1, case.from)?;
            earlier = unrolling.gates().or(earlier, after);
        }
        // Whatever was read: inputs, and next values that are open.
        let mut choices = Vec::new();
        let signals = || self.system.inputs().iter().chain(self.system.states());
        for (step, signal) in [0, 1].into_iter().flat_map(|step| signals().map(move |signal| (step, *signal)))
        {
            if self.is_choice(step, signal)
                && let Some(word) = unrolling.steps.encoded_signal(step, signal).cloned()
            {
                choices.extend(unrolling.gates().literals(&word)?);
            }
        }
        Ok((Copy { states, choices, asked }, steps.gates))
    }

    fn is_choice(&self, step: u32, signal: SignalId) -> bool {
        use propcov_ir::SignalKind;
        match self.system.signal(signal).kind {
            SignalKind::Input => true,
            SignalKind::State { next, .. } => step == 1 && next.is_none(),
            SignalKind::Wire { .. } => false,
        }
    }
}

/// The literals of all states in the first step.
fn state_bits(unrolling: &mut Unrolling<'_, '_>, system: &System) -> Result<Vec<Lit>, Rejection> {
    let mut bits = Vec::new();
    for state in system.states() {
        let word = unrolling.signal(0, *state)?;
        bits.extend(unrolling.gates().literals(&word)?);
    }
    Ok(bits)
}

/// The value in the model, where what is left open is false.
fn value(gates: &Gates, literal: Lit) -> bool {
    gates.value(literal.var().positive()).unwrap_or(false) != literal.is_negated()
}
