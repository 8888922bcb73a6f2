//! The watching system, as the checker makes it: what [`propcov_ir::LivenessProof`]'s module says, word for word, in the order in which it says so.

use crate::Rejection;
use crate::cone::compared_states;
use propcov_ir::{
    ConstraintKind, Edits, ExprId, Fairness, Invariant, Ltl, Origin, PropertyId, PropertyKind, Reduction,
    SignalId, SignalKind, Sort, System,
};
use rustc_hash::FxHashMap;

/// More rounds are refused: to encode them alone would take all memory.
const MOST_ROUNDS: u32 = 1 << 12;

/// The system that watches, and the invariant that it is asked about.
pub(super) fn build(
    system: &System,
    property: PropertyId,
    reduction: &Reduction,
) -> Result<(System, PropertyId), Rejection> {
    let mut made = Watching { system: system.clone(), conditions: Vec::new(), kept: None, first: None };
    made.violation(property)?;
    let happens = match reduction {
        Reduction::Rounds { bound } => made.rounds(*bound)?,
        Reduction::Loop { states } => made.come_back(states)?,
    };
    let never = made.system.exprs.not(happens);
    let watched = made.system.add_property("never", PropertyKind::Invariant(never), None);
    Ok((made.system, watched))
}

/// The system with each liveness property an invariant of its own: that no run comes back to where it was, meeting all conditions of a violation on the way. In a finite system that says the
/// same, also when elements are freed or made constant: then properties depend on nothing more than before. Signals that are added come after all others, and restrict
/// nothing: a run that does not keep what it promised has lost, and violates nothing from there on.
///
/// # Errors
/// When a property has no meaning, or depends on states with infinitely many values.
pub fn with_loops(system: &System) -> Result<System, Rejection> {
    let mut system = system.clone();
    for property in (0..system.properties().len() as u32).map(PropertyId) {
        if !system.property(property).is_liveness() {
            continue;
        }
        super::check_meaning(&system, &Edits::none(), property)?;
        // `G p` where every run goes on: no loop needs to be looked for.
        if let Some(always) = system.invariant(property) {
            system.set_kind(property, PropertyKind::Invariant(always));
            continue;
        }
        let mut made = Watching { system, conditions: Vec::new(), kept: Some(Vec::new()), first: None };
        made.violation(property)?;
        let kept = made.kept.take().unwrap_or_default();
        let roots = made.conditions.iter().copied().chain(kept.iter().copied());
        let mut states = compared_states(&made.system, &Edits::none(), roots, &Invariant::default());
        // A run may come back to what it was in the first step, but for that.
        states.retain(|state| Some(*state) != made.first);
        let happens = made.come_back(&states)?;
        let goes_on = made.unlost(&kept);
        let happens = made.system.exprs.and(happens, goes_on);
        let never = made.system.exprs.not(happens);
        system = made.system;
        system.set_kind(property, PropertyKind::Invariant(never));
    }
    Ok(system)
}

struct Watching {
    system: System,
    conditions: Vec<ExprId>,
    /// What a run has to keep in every step, where that is not to be a constraint.
    kept: Option<Vec<ExprId>>,
    /// The state that tells the first step, if there is one.
    first: Option<SignalId>,
}

impl Watching {
    /// Adds what it takes to violate a property.
    fn violation(&mut self, property: PropertyId) -> Result<(), Rejection> {
        match self.system.property(property).kind.clone() {
            PropertyKind::Justice(conditions) => self.conditions.extend(conditions),
            PropertyKind::Ltl(formula) => self.promises(&formula),
            PropertyKind::Invariant(_) | PropertyKind::Ctl(_) => return Err(super::not_liveness()),
        }
        self.fairness();
        Ok(())
    }

    /// What has to hold in every step.
    fn require(&mut self, name: &str, expr: ExprId) {
        match &mut self.kept {
            Some(kept) => kept.push(expr),
            None => {
                self.system.add_constraint(name, ConstraintKind::Always, expr);
            }
        }
    }

    /// That all was kept in the steps before.
    fn unlost(&mut self, kept: &[ExprId]) -> ExprId {
        if kept.is_empty() {
            return self.system.exprs.bool(true);
        }
        let all = self.system.exprs.conjunction(kept.iter().copied());
        let broken = self.system.exprs.not(all);
        let lost = self.latch(broken);
        self.system.exprs.not(lost)
    }

    fn input(&mut self) -> ExprId {
        let input = self.system.add_input("watching", Sort::BOOL);
        self.system.set_origin(input, Origin::Helper);
        self.system.read(input)
    }

    /// A Boolean state with its first value, and itself as an expression.
    fn bit(&mut self, first: bool) -> (SignalId, ExprId) {
        let bit = self.system.add_state("watching", Sort::BOOL);
        self.system.set_origin(bit, Origin::Helper);
        let first = self.system.exprs.bool(first);
        self.system.set_init(bit, first);
        (bit, self.system.read(bit))
    }

    /// A state that is false at first, and true once it or something else was true in the step before.
    fn latch(&mut self, set: ExprId) -> ExprId {
        let (state, value) = self.bit(false);
        let next = self.system.exprs.or(value, set);
        self.system.set_next(state, next);
        value
    }

    fn fairness(&mut self) {
        for condition in self.system.fairness.clone() {
            let met = match condition {
                Fairness::Justice(expr) => expr,
                Fairness::Compassion(p, q) => {
                    let input = self.input();
                    let state = self.latch(input);
                    let both = self.system.exprs.and(state, p);
                    let not_both = self.system.exprs.not(both);
                    self.require("compassion", not_both);
                    self.system.exprs.or(q, state)
                }
            };
            self.conditions.push(met);
        }
        if self.conditions.is_empty() {
            let holds = self.system.exprs.bool(true);
            self.conditions.push(holds);
        }
    }

    /// That one round more than the bound ends.
    fn rounds(&mut self, bound: u32) -> Result<ExprId, Rejection> {
        if bound > MOST_ROUNDS {
            return Err(Rejection::Unsupported(format!("a proof that counts {bound} rounds")));
        }
        let conditions = self.conditions.clone();
        let mut states = Vec::new();
        let mut met = conditions.clone();
        if conditions.len() > 1 {
            for (at, condition) in conditions.into_iter().enumerate() {
                let (state, before) = self.bit(false);
                met[at] = self.system.exprs.or(before, condition);
                states.push(state);
            }
        }
        let end = self.system.exprs.conjunction(met.iter().copied());
        let holds = self.system.exprs.bool(false);
        for (state, met) in states.into_iter().zip(met) {
            let next = self.system.exprs.ite(end, holds, met);
            self.system.set_next(state, next);
        }
        let mut one_more = end;
        for _ in 0..bound {
            let over = self.latch(one_more);
            one_more = self.system.exprs.and(over, end);
        }
        Ok(one_more)
    }

    /// That all named states are as they were at the start, with each condition met since.
    fn come_back(&mut self, states: &[SignalId]) -> Result<ExprId, Rejection> {
        for state in states {
            let is_state = self.system.signals().get(state.0 as usize).is_some_and(|signal| {
                matches!(signal.kind, SignalKind::State { .. }) && is_finite(&signal.sort)
            });
            if !is_state {
                return Err(Rejection::Malformed(format!("signal {} is no finite state", state.0)));
            }
        }
        let input = self.input();
        let after = self.latch(input);
        let before = self.system.exprs.not(after);
        let start = self.system.exprs.and(input, before);
        let mut happens = after;
        for state in states {
            let sort = self.system.signal(*state).sort.clone();
            let copy = self.system.add_state("watching", sort);
            self.system.set_origin(copy, Origin::Helper);
            let (now, then) = (self.system.read(*state), self.system.read(copy));
            let next = self.system.exprs.ite(start, now, then);
            self.system.set_next(copy, next);
            let same = self.system.exprs.eq(now, then);
            happens = self.system.exprs.and(happens, same);
        }
        let watched = self.system.exprs.or(start, after);
        for condition in self.conditions.clone() {
            let met = self.system.exprs.and(watched, condition);
            let met = self.latch(met);
            happens = self.system.exprs.and(happens, met);
        }
        Ok(happens)
    }

    /// What a run promises that violates the formula.
    fn promises(&mut self, formula: &Ltl) {
        let mut forms = Forms::default();
        let negation = forms.form(formula, true);
        let mut claims: Vec<ExprId> = Vec::with_capacity(forms.all.len());
        for form in &forms.all {
            let claim = match *form {
                Form::Literal(atom, false) => atom,
                Form::Literal(atom, true) => self.system.exprs.not(atom),
                Form::And(a, b) => self.system.exprs.and(claims[a], claims[b]),
                Form::Or(a, b) => self.system.exprs.or(claims[a], claims[b]),
                Form::Next(a) => {
                    let (guess, promise) = self.guess();
                    self.keep(promise, claims[a]);
                    guess
                }
                Form::Until(a, b) => {
                    let (guess, promise) = self.guess();
                    let claim = self.goal_or(claims[b], claims[a], guess);
                    self.keep(promise, claim);
                    let free = self.system.exprs.not(promise);
                    let condition = self.system.exprs.or(claims[b], free);
                    self.conditions.push(condition);
                    claim
                }
                Form::Release(a, b) => {
                    let (guess, promise) = self.guess();
                    let claim = self.both_or(claims[b], claims[a], guess);
                    self.keep(promise, claim);
                    claim
                }
                Form::Before(first, a) => {
                    let (state, before) = self.bit(first);
                    self.system.set_next(state, claims[a]);
                    before
                }
                Form::Since(a, b) => {
                    let (state, before) = self.bit(false);
                    let claim = self.goal_or(claims[b], claims[a], before);
                    self.system.set_next(state, claim);
                    claim
                }
                Form::Triggered(a, b) => {
                    let (state, before) = self.bit(true);
                    let claim = self.both_or(claims[b], claims[a], before);
                    self.system.set_next(state, claim);
                    claim
                }
            };
            claims.push(claim);
        }
        let (first, is_first) = self.bit(true);
        let never_again = self.system.exprs.bool(false);
        self.system.set_next(first, never_again);
        self.keep(is_first, claims[negation]);
        self.first = Some(first);
    }

    /// An input, and a state that has its value one step later.
    fn guess(&mut self) -> (ExprId, ExprId) {
        let guess = self.input();
        let (state, promise) = self.bit(false);
        self.system.set_next(state, guess);
        (guess, promise)
    }

    /// g, or f and the rest.
    fn goal_or(&mut self, g: ExprId, f: ExprId, rest: ExprId) -> ExprId {
        let both = self.system.exprs.and(f, rest);
        self.system.exprs.or(g, both)
    }

    /// g, and f or the rest.
    fn both_or(&mut self, g: ExprId, f: ExprId, rest: ExprId) -> ExprId {
        let either = self.system.exprs.or(f, rest);
        self.system.exprs.and(g, either)
    }

    fn keep(&mut self, promise: ExprId, claim: ExprId) {
        let free = self.system.exprs.not(promise);
        let kept = self.system.exprs.or(free, claim);
        self.require("promise", kept);
    }
}

/// A formula whose operands are earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    /// An atom, and whether it is negated.
    Literal(ExprId, bool),
    And(usize, usize),
    Or(usize, usize),
    Next(usize),
    Until(usize, usize),
    Release(usize, usize),
    /// `Y` and `Z`, with what they are in the first step.
    Before(bool, usize),
    Since(usize, usize),
    Triggered(usize, usize),
}

/// All different subformulas, operands before operators, left before right.
#[derive(Default)]
struct Forms {
    all: Vec<Form>,
    numbers: FxHashMap<Form, usize>,
}

impl Forms {
    /// The number of a formula, or of its negation.
    fn form(&mut self, formula: &Ltl, negated: bool) -> usize {
        if let Ltl::Not(inner) = formula {
            return self.form(inner, !negated);
        }
        let operands: Vec<usize> = formula.operands().map(|operand| self.form(operand, negated)).collect();
        let (a, b) = (operands.first().copied().unwrap_or(0), operands.get(1).copied().unwrap_or(0));
        let form = match (formula, negated) {
            (Ltl::Atom(expr), _) => Form::Literal(*expr, negated),
            (Ltl::And(..), false) | (Ltl::Or(..), true) => Form::And(a, b),
            (Ltl::Or(..), false) | (Ltl::And(..), true) => Form::Or(a, b),
            (Ltl::Until(..), false) | (Ltl::Release(..), true) => Form::Until(a, b),
            (Ltl::Release(..), false) | (Ltl::Until(..), true) => Form::Release(a, b),
            (Ltl::Since(..), false) | (Ltl::Triggered(..), true) => Form::Since(a, b),
            (Ltl::Triggered(..), false) | (Ltl::Since(..), true) => Form::Triggered(a, b),
            (Ltl::Previous(_), _) => Form::Before(negated, a),
            (Ltl::WeakPrevious(_), _) => Form::Before(!negated, a),
            (Ltl::Next(_) | Ltl::Not(_), _) => Form::Next(a),
        };
        let fresh = self.all.len();
        let number = *self.numbers.entry(form).or_insert(fresh);
        if number == fresh {
            self.all.push(form);
        }
        number
    }
}

/// Whether a sort has finitely many values.
fn is_finite(sort: &Sort) -> bool {
    match sort {
        Sort::BitVec(_) | Sort::Enum(_) => true,
        Sort::Array(array) => is_finite(&array.index) && is_finite(&array.element),
        Sort::Int | Sort::Real => false,
    }
}
