//! Runs as records: a row for each signal, those first that a reader looks for.

use crate::record::formula;
use crate::record::reads::{self, Variables};
use propcov_ir::{
    Demonstration, Difference, Edits, ElementId, ElementKind, ExprId, Interpreter, Lasso, Mutant, Origin,
    PropertyId, PropertyKind, RangedRun, Runs, SignalId, SignalKind, Site, Sort, Step, System, Value,
};
use propcov_result::{Branch, Shows, Trace, TraceSignal, TraceSignalKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// A run of the design, or of a mutant of it, that shows something about a property.
pub fn run(system: &System, edits: &Edits, steps: &[Step], property: Option<PropertyId>) -> Trace {
    let mut wanted = of_property(system, property);
    let freed = steps.first().into_iter().flat_map(|step| step.free.keys());
    wanted.extend(freed.map(|element| Wanted {
        what: What::Free(*element),
        kind: TraceSignalKind::Free,
        focus: true,
    }));
    Trace { steps: steps.len(), signals: rows(system, edits, steps, &wanted), shows: None }
}

/// Adds to the record of a run which values would have done as well.
pub fn add_ranges(system: &System, property: PropertyId, ranged: &mut RangedRun<'_>, record: &mut Trace) {
    let wanted = of_property(system, Some(property));
    let signals = wanted.iter().filter_map(|wanted| match wanted.what {
        What::Signal(signal) => Some((title(system, wanted.what).0, signal)),
        What::Output(..) | What::Wire(_) | What::Free(_) => None,
    });
    let signals: FxHashMap<String, SignalId> = signals.collect();
    for row in &mut record.signals {
        let Some(signal) = signals.get(&row.name) else { continue };
        let ranges =
            (0..record.steps).map(|step| ranged.signal(step, *signal).map(|range| range.to_string()));
        row.ranges = ranges.collect::<Result<_, _>>().unwrap_or_default();
    }
}

/// What is shown of a run that is about a property.
fn of_property(system: &System, property: Option<PropertyId>) -> Vec<Wanted> {
    match system.runs {
        Runs::Variables => of_equations(&reads::variables(system, property)),
        Runs::States => {
            let first = property.map(|property| reads::of_property(system, property)).unwrap_or_default();
            of_registers(system, &first)
        }
    }
}

/// A run of the design that shows something about these signals.
pub fn run_about(system: &System, steps: &[Step], first: &[SignalId]) -> Trace {
    let signals = rows(system, &Edits::none(), steps, &of_registers(system, first));
    Trace { steps: steps.len(), signals, shows: None }
}

/// The run of a CTL property, and those that branch off.
pub fn demonstration(system: &System, shown: &Demonstration, property: PropertyId) -> Trace {
    let branch = |(step, branch): &(usize, Demonstration)| Branch {
        step: *step,
        trace: demonstration(system, branch, property),
    };
    let shows = Shows {
        claim: system.show_ctl(&shown.claim).to_string(),
        whole: shown.claim.is_existential(),
        state: formula::is_one_state(shown),
        end: formula::end(system, shown),
        open: formula::open(system, shown),
        essential: shown.essential,
        loop_to: shown.loop_to,
        branches: shown.branches.iter().map(branch).collect(),
    };
    let trace = run(system, &Edits::none(), &shown.steps, Some(property));
    Trace { shows: Some(Box::new(shows)), ..trace }
}

/// The infinite run that violates a liveness property.
pub(super) fn lasso(system: &System, lasso: &Lasso, property: PropertyId) -> Trace {
    let claim = match &system.property(property).kind {
        PropertyKind::Justice(exprs) => {
            let often: Vec<String> = exprs.iter().map(|expr| format!("G F {}", system.show(*expr))).collect();
            often.join(" & ")
        }
        PropertyKind::Ltl(formula) => format!("!({})", system.show_ltl(formula)),
        PropertyKind::Invariant(_) | PropertyKind::Ctl(_) => String::new(),
    };
    let steps = &lasso.trace.steps;
    let (essential, loop_to) = (steps.len(), Some(lasso.loop_to));
    let shows = Shows { claim, whole: true, essential, loop_to, ..Shows::default() };
    let trace = run(system, &Edits::none(), steps, Some(property));
    Trace { shows: Some(Box::new(shows)), ..trace }
}

/// The two runs of a witness, of the design and of the mutant, with the same signals in the same order: what differs comes first.
pub fn pair(system: &System, mutant: Mutant, difference: &Difference) -> (Trace, Trace) {
    let mut wanted: Vec<Wanted> = Vec::new();
    let mut seen: FxHashSet<What> = FxHashSet::default();
    let mut add = |what: What, kind: TraceSignalKind| {
        if seen.insert(what) {
            wanted.push(Wanted { what, kind, focus: false });
        }
    };
    // What somebody could see, then what was mutated, then everything else.
    for name in &difference.observed {
        if let Some(output) = system.outputs.iter().find(|output| output.name == *name) {
            add(What::Output(output.expr, position_of(system, name)), TraceSignalKind::Output);
        } else if let Some(signal) = system.signals().iter().position(|signal| signal.name == *name) {
            let signal = SignalId(signal as u32);
            add(What::Signal(signal), kind(system, signal));
        }
    }
    if let Site::Wire(_) = system.element(mutant.element).site {
        add(What::Wire(mutant.element), TraceSignalKind::Free);
    }
    for signal in system.inputs().iter().chain(system.states()).filter(|signal| is_shown(system, **signal)) {
        add(What::Signal(*signal), kind(system, *signal));
    }
    let edits = mutant.edits(system);
    let left = rows(system, &Edits::none(), &difference.original.steps, &wanted);
    let right = rows(system, &edits, &difference.mutated.steps, &wanted);
    let mut pairs: Vec<(TraceSignal, TraceSignal)> = left.into_iter().zip(right).collect();
    for (left, right) in &mut pairs {
        let differs = left.values != right.values;
        (left.focus, right.focus) = (differs, differs);
    }
    pairs.sort_by_key(|(left, _)| !left.focus);
    let (left, right): (Vec<TraceSignal>, Vec<TraceSignal>) = pairs.into_iter().unzip();
    let trace = |signals: Vec<TraceSignal>, steps: usize| Trace { steps, signals, shows: None };
    (trace(left, difference.original.steps.len()), trace(right, difference.mutated.steps.len()))
}

/// What a row shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum What {
    Signal(SignalId),
    /// An output, with its position.
    Output(ExprId, usize),
    /// The wire of an element, called so that a bit of a register is told from the register.
    Wire(ElementId),
    /// What a mutation leaves open.
    Free(ElementId),
}

struct Wanted {
    what: What,
    kind: TraceSignalKind,
    focus: bool,
}

/// Those that the property reads first, then the other inputs and states.
fn of_registers(system: &System, first: &[SignalId]) -> Vec<Wanted> {
    let wanted = |signal: SignalId, focus: bool| Wanted {
        what: What::Signal(signal),
        kind: kind(system, signal),
        focus,
    };
    let important: FxHashSet<SignalId> = first.iter().copied().collect();
    let others = system.inputs().iter().chain(system.states()).copied();
    let others = others.filter(|signal| is_shown(system, *signal) && !important.contains(signal));
    first
        .iter()
        .map(|signal| wanted(*signal, true))
        .chain(others.map(|signal| wanted(signal, false)))
        .collect()
}

/// The variables by their place in the model.
fn of_equations(variables: &Variables) -> Vec<Wanted> {
    let groups = [
        (&variables.inputs, TraceSignalKind::Input, true),
        (&variables.outputs, TraceSignalKind::Output, true),
        (&variables.locals, TraceSignalKind::Wire, true),
        (&variables.instances, TraceSignalKind::Instance, false),
        (&variables.functions, TraceSignalKind::Function, false),
    ];
    let wanted = |(signals, kind, focus): (&Vec<SignalId>, TraceSignalKind, bool)| -> Vec<Wanted> {
        signals.iter().map(|signal| Wanted { what: What::Signal(*signal), kind, focus }).collect()
    };
    groups.into_iter().flat_map(wanted).collect()
}

/// What the wire of an element is called. That of a bit of a register carries what the bit becomes in the next step.
fn wire_label(system: &System, element: ElementId) -> String {
    let element = system.element(element);
    match element.kind {
        ElementKind::Register => format!("next {}", element.name),
        _ => element.name.clone(),
    }
}

/// Whether the user knows of a signal. What `next(x) := {a, b}` chooses is x in the next step, what `pre` keeps is a variable in the step before.
fn is_shown(system: &System, signal: SignalId) -> bool {
    system.signal(signal).origin == Origin::User
}

fn kind(system: &System, signal: SignalId) -> TraceSignalKind {
    match system.signal(signal).kind {
        SignalKind::Input => TraceSignalKind::Input,
        SignalKind::State { .. } => TraceSignalKind::State,
        SignalKind::Wire { .. } => TraceSignalKind::Wire,
    }
}

fn position_of(system: &System, output: &str) -> usize {
    system.outputs.iter().position(|other| other.name == output).unwrap_or(0)
}

/// The rows. Inputs and states are read off the run; each step is computed once, and only if something else is wanted.
fn rows(system: &System, edits: &Edits, steps: &[Step], wanted: &[Wanted]) -> Vec<TraceSignal> {
    let position =
        |signals: &[SignalId]| -> FxHashMap<SignalId, usize> { signals.iter().copied().zip(0..).collect() };
    let (inputs, states) = (position(system.inputs()), position(system.states()));
    let stored = |step: &'_ Step, signal: SignalId| -> Option<Value> {
        let input = inputs.get(&signal).and_then(|at| step.inputs.get(*at));
        input.or_else(|| states.get(&signal).and_then(|at| step.states.get(*at))).cloned()
    };
    let is_stored = |what: &What| match what {
        What::Signal(signal) => inputs.contains_key(signal) || states.contains_key(signal),
        What::Free(_) => true,
        What::Output(..) | What::Wire(_) => false,
    };
    let interpreter = match wanted.iter().all(|wanted| is_stored(&wanted.what)) {
        true => None,
        false => Interpreter::new(system, edits).ok(),
    };
    let mut values: Vec<Vec<String>> = wanted.iter().map(|_| Vec::with_capacity(steps.len())).collect();
    for step in steps {
        let mut frame = interpreter.as_ref().and_then(|interpreter| interpreter.frame(step).ok());
        for (wanted, values) in wanted.iter().zip(&mut values) {
            let value = match wanted.what {
                What::Signal(signal) if is_stored(&wanted.what) => stored(step, signal),
                What::Signal(signal) => frame.as_ref().and_then(|frame| frame.signal(signal).cloned()),
                What::Wire(element) => match system.element(element).site {
                    Site::Wire(signal) => frame.as_ref().and_then(|frame| frame.signal(signal).cloned()),
                    _ => None,
                },
                What::Output(expr, _) => frame.as_mut().and_then(|frame| frame.value(expr).ok()),
                What::Free(element) => step.free.get(&element).cloned(),
            };
            values.extend(value.map(|value| value.to_string()));
        }
    }
    let row = |(wanted, values): (&Wanted, Vec<String>)| {
        let (name, sort) = title(system, wanted.what);
        let (kind, sort, focus) = (wanted.kind, sort.to_string(), wanted.focus);
        TraceSignal { name, kind, sort, focus, values, ranges: Vec::new() }
    };
    let known = wanted.iter().zip(values).filter(|(_, values)| values.len() == steps.len());
    known.map(row).collect()
}

/// What a row is called, and its type.
fn title(system: &System, what: What) -> (String, Sort) {
    let of_element = |element: ElementId| {
        let sort = match system.element(element).site {
            Site::Wire(signal) | Site::Next(signal) | Site::Init(signal) => {
                system.signal(signal).sort.clone()
            }
            Site::Constraint(_) => Sort::BOOL,
        };
        (wire_label(system, element), sort)
    };
    match what {
        What::Signal(signal) => (system.signal(signal).name.clone(), system.signal(signal).sort.clone()),
        What::Output(expr, at) => {
            let name = system.outputs.get(at).map(|output| output.name.clone());
            (name.unwrap_or_default(), system.exprs.sort(expr).clone())
        }
        What::Wire(element) | What::Free(element) => of_element(element),
    }
}
