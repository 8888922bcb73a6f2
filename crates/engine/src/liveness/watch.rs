//! The system that watches, and the invariants that it is asked about.

use super::promises;
use propcov_ir::{
    ConstraintId, ConstraintKind, Definition, Edits, ExprId, Fairness, Lasso, Node, Origin, PropertyId,
    PropertyKind, Reduction, SignalId, SignalKind, Site, Sort, Step, System, Trace, UnknownReason, Value,
};
use rustc_hash::FxHashSet;

/// A system that does what another one does, and the conditions that are met infinitely often on the runs that violate a property.
#[derive(Clone, Debug)]
pub struct Watch {
    system: System,
    conditions: Vec<ExprId>,
    /// What tells the first step, if that is of interest. A run may come back to what it was there.
    first: Option<SignalId>,
    /// How many inputs and states are those of the system that is watched.
    inputs: usize,
    states: usize,
}

/// A liveness property as an invariant.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The system that watches.
    pub system: System,
    /// The invariant.
    pub property: PropertyId,
    /// What is proved of it.
    pub reduction: Reduction,
    /// Whether the loop has begun.
    has_begun: Option<SignalId>,
    /// For each condition, what says that it was met in the present round; `None` if there is only one, or no rounds are counted.
    pub met: Vec<Option<SignalId>>,
    /// What says that so many rounds are over: one, two, and so on.
    pub over: Vec<SignalId>,
    inputs: usize,
    states: usize,
}

impl Watch {
    /// The system that watches for runs that violate a property.
    ///
    /// # Errors
    /// When the property is none of liveness, or a condition speaks of two steps.
    pub fn new(system: &System, property: PropertyId) -> Result<Watch, UnknownReason> {
        let (inputs, states) = (system.inputs().len(), system.states().len());
        let mut watch = Watch { system: system.clone(), conditions: Vec::new(), first: None, inputs, states };
        watch.conditions = match &system.property(property).kind {
            PropertyKind::Justice(exprs) => exprs.clone(),
            PropertyKind::Ltl(formula) => {
                let (conditions, first) = promises::add(&mut watch.system, formula);
                watch.first = Some(first);
                conditions
            }
            PropertyKind::Invariant(_) | PropertyKind::Ctl(_) => {
                return Err(UnknownReason::Unsupported("a property that is not of liveness".to_owned()));
            }
        };
        for condition in &system.fairness {
            let condition = match *condition {
                Fairness::Justice(expr) => expr,
                Fairness::Compassion(premise, conclusion) => watch.compassion(premise, conclusion),
            };
            watch.conditions.push(condition);
        }
        if watch.conditions.is_empty() {
            watch.conditions.push(watch.system.exprs.bool(true));
        }
        match reads_next(&watch.system, &watch.conditions) {
            true => Err(UnknownReason::Unsupported("a condition that reads a next value".to_owned())),
            false => Ok(watch),
        }
    }

    /// Guesses when the premise has held for the last time, unless the conclusion holds again and again.
    fn compassion(&mut self, premise: ExprId, conclusion: ExprId) -> ExprId {
        let guess = self.input("settled?");
        let (state, settled) = self.state("settled");
        let once = self.system.exprs.or(settled, guess);
        self.system.set_next(state, once);
        let both = self.system.exprs.and(settled, premise);
        let kept = self.system.exprs.not(both);
        self.system.add_constraint("settled", ConstraintKind::Always, kept);
        self.system.exprs.or(conclusion, settled)
    }

    /// The system whose fair runs are those that violate the property, and that is asked about nothing else. All fairness is justice.
    pub fn violations(&self) -> System {
        let mut system = self.system.clone();
        system.fairness = self.conditions.iter().map(|condition| Fairness::Justice(*condition)).collect();
        system
    }

    /// The run of the system that is watched, in a run of the one that watches.
    pub fn own_part(&self, lasso: Lasso) -> Lasso {
        let step = |step: Step| own_part(&step, (self.inputs, self.states));
        Lasso {
            trace: Trace { steps: lasso.trace.steps.into_iter().map(step).collect() },
            loop_to: lasso.loop_to,
        }
    }

    /// That no run goes through more rounds than this.
    pub fn rounds(&self, bound: u32) -> Reduced {
        let mut watch = self.clone();
        let conditions = self.conditions.clone();
        let mut met = Vec::new();
        if let [condition] = conditions[..] {
            met.push((None, condition));
        } else {
            for condition in conditions {
                let (state, before) = watch.state("met");
                met.push((Some(state), watch.system.exprs.or(before, condition)));
            }
        }
        let ends = watch.system.exprs.conjunction(met.iter().map(|(_, met)| *met));
        let goes_on = watch.system.exprs.not(ends);
        for (state, met) in &met {
            if let Some(state) = *state {
                let next = watch.system.exprs.and(*met, goes_on);
                watch.system.set_next(state, next);
            }
        }
        let mut rounds = Vec::with_capacity(bound as usize);
        let mut over = watch.system.exprs.bool(true);
        for _ in 0..bound {
            let (state, before) = watch.state("round");
            let now = watch.system.exprs.and(over, ends);
            let next = watch.system.exprs.or(before, now);
            watch.system.set_next(state, next);
            over = before;
            rounds.push(state);
        }
        let bad = watch.system.exprs.and(over, ends);
        let met = met.into_iter().map(|(state, _)| state).collect();
        Reduced { met, over: rounds, ..watch.reduced(bad, Reduction::Rounds { bound }, None) }
    }

    /// That no run comes back to where it was, meeting all conditions on the way. A violation is a lasso.
    pub fn loops(&self, edits: &Edits) -> Reduced {
        let mut watch = self.clone();
        let states = self.compared(edits);
        let guess = watch.input("loop?");
        let (begun, has_begun) = watch.state("loop");
        let now = watch.system.exprs.or(has_begun, guess);
        watch.system.set_next(begun, now);
        let mut all = vec![has_begun];
        for state in &states {
            let sort = watch.system.signal(*state).sort.clone();
            let copy = watch.system.add_state("copy", sort);
            watch.system.set_origin(copy, Origin::Helper);
            let (value, kept) = (watch.system.read(*state), watch.system.read(copy));
            // Before the start, what is kept does not matter.
            let next = watch.system.exprs.ite(has_begun, kept, value);
            let taken = watch.system.exprs.ite(guess, next, kept);
            watch.system.set_next(copy, taken);
            all.push(watch.system.exprs.eq(value, kept));
        }
        for condition in &self.conditions {
            let (state, before) = watch.state("met");
            let ever = watch.system.exprs.or(before, *condition);
            let next = watch.system.exprs.and(now, ever);
            watch.system.set_next(state, next);
            all.push(before);
        }
        let bad = watch.system.exprs.conjunction(all);
        watch.reduced(bad, Reduction::Loop { states }, Some(begun))
    }

    /// The invariant of a proof that was made before; `None` if this system has none like it.
    pub fn reduction(&self, edits: &Edits, reduction: &Reduction) -> Option<Reduced> {
        let reduced = match reduction {
            Reduction::Rounds { bound } => self.rounds(*bound),
            Reduction::Loop { .. } => self.loops(edits),
        };
        (reduced.reduction == *reduction).then_some(reduced)
    }

    /// Whether all that has to be remembered is finite.
    pub fn is_finite(&self, edits: &Edits) -> bool {
        let is_infinite = |state: &SignalId| has_numbers(&self.system.signal(*state).sort);
        !self.compared(edits).iter().any(is_infinite)
    }

    /// The states that tell where a run is: those on which conditions and constraints depend, and whose next value is not free.
    fn compared(&self, edits: &Edits) -> Vec<SignalId> {
        let system = &self.system;
        let ids = || (0..system.constraints().len() as u32).map(ConstraintId);
        let mut open = self.conditions.clone();
        let mut restricted: FxHashSet<SignalId> = FxHashSet::default();
        let expr = |site: Site| match system.definition(edits, site) {
            Definition::Expr(expr) | Definition::Inverted(expr) => Some(expr),
            Definition::Open | Definition::Const(_) => None,
        };
        let lasting = |id: &ConstraintId| system.constraints()[id.0 as usize].kind != ConstraintKind::Initial;
        open.extend(ids().filter(lasting).filter_map(|id| expr(Site::Constraint(id))));
        let (mut seen, mut cone) = (FxHashSet::default(), FxHashSet::default());
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            let signal = match *system.exprs.node(next) {
                Node::Signal(signal) => signal,
                Node::Next(signal) => {
                    restricted.insert(signal);
                    signal
                }
                _ => {
                    open.extend(system.exprs.operands(next));
                    continue;
                }
            };
            if cone.insert(signal) {
                match system.signal(signal).kind {
                    SignalKind::Input => {}
                    SignalKind::Wire { .. } => open.extend(expr(Site::Wire(signal))),
                    SignalKind::State { .. } => open.extend(expr(Site::Next(signal))),
                }
            }
        }
        let is_open = |state: SignalId| system.definition(edits, Site::Next(state)) == Definition::Open;
        let matters =
            |state: &SignalId| cone.contains(state) && (!is_open(*state) || restricted.contains(state));
        let is_first = |state: &SignalId| Some(*state) == self.first;
        system.states().iter().copied().filter(|state| matters(state) && !is_first(state)).collect()
    }

    fn input(&mut self, name: &str) -> ExprId {
        let input = self.system.add_input(name, Sort::BOOL);
        self.system.set_origin(input, Origin::Helper);
        self.system.read(input)
    }

    /// A state that is false in the first step.
    fn state(&mut self, name: &str) -> (SignalId, ExprId) {
        let state = self.system.add_state(name, Sort::BOOL);
        self.system.set_origin(state, Origin::Helper);
        let first = self.system.exprs.bool(false);
        self.system.set_init(state, first);
        (state, self.system.read(state))
    }

    fn reduced(mut self, bad: ExprId, reduction: Reduction, has_begun: Option<SignalId>) -> Reduced {
        let good = self.system.exprs.not(bad);
        let property = self.system.add_property("watched", PropertyKind::Invariant(good), None);
        let Watch { system, inputs, states, .. } = self;
        Reduced { system, property, reduction, has_begun, met: Vec::new(), over: Vec::new(), inputs, states }
    }
}

impl Reduced {
    /// The lasso that a run is which violates the invariant; `None` if that is about rounds.
    pub fn lasso(&self, run: &Trace) -> Option<Lasso> {
        let has_begun = self.has_begun?;
        let at = self.system.states().iter().position(|state| *state == has_begun)?;
        let begun = |step: &Step| step.states.get(at) == Some(&Value::bool(true));
        let loop_to = run.steps.iter().position(begun)?.checked_sub(1)?;
        let step = |step: &Step| own_part(step, (self.inputs, self.states));
        let steps = run.steps.iter().take(run.steps.len().saturating_sub(1)).map(step).collect();
        Some(Lasso { trace: Trace { steps }, loop_to })
    }
}

/// The first inputs and states of a step.
fn own_part(step: &Step, (inputs, states): (usize, usize)) -> Step {
    Step {
        inputs: step.inputs.iter().take(inputs).cloned().collect(),
        states: step.states.iter().take(states).cloned().collect(),
        free: step.free.clone(),
    }
}

fn has_numbers(sort: &Sort) -> bool {
    match sort {
        Sort::Int | Sort::Real => true,
        Sort::Array(array) => has_numbers(&array.index) || has_numbers(&array.element),
        Sort::BitVec(_) | Sort::Enum(_) => false,
    }
}

fn reads_next(system: &System, exprs: &[ExprId]) -> bool {
    let mut seen = FxHashSet::default();
    let mut open = exprs.to_vec();
    while let Some(expr) = open.pop() {
        if seen.insert(expr) {
            match system.exprs.node(expr) {
                Node::Next(_) => return true,
                _ => open.extend(system.exprs.operands(expr)),
            }
        }
    }
    false
}
