//! What all metrics of a run have in common: the system that is measured, its surroundings, and where findings go.

use crate::cover::earlier::Earlier;
use crate::cover::metrics::Run;
use crate::cover::{CoverOptions, Metric, elements};
use crate::keeper::Keeper;
use crate::read::names_of;
use crate::{Control, Design, Error};
use propcov_engine::{Config, Limits};
use propcov_ir::{ElementId, ElementSet, Mutant, Property, PropertyId, PropertyKind, SignalKind, System};
use propcov_result::{Note, NoteKind, Stop};
use propcov_verify::{Answer, EngineChoice, Options, Outcome, Verifier};
use std::borrow::Cow;
use std::time::Instant;

/// The system whose elements are measured. It is the design, but words may be split into bits, a CTL property `AG p` is the
/// invariant p, a liveness property an invariant of more signals, which watch for loops, and there is memory for numbers that come late.
pub(crate) struct Measurable<'d> {
    pub(crate) system: Cow<'d, System>,
    /// The properties that were made invariants.
    strengthened: Vec<PropertyId>,
}

impl<'d> Measurable<'d> {
    pub(crate) fn new(design: &'d Design, bits: bool) -> Measurable<'d> {
        let mut system = Cow::Borrowed(design.system());
        if bits {
            // All of them, whatever is mutated, so that findings fit every selection.
            let all: ElementSet = system.element_ids().collect();
            system = Cow::Owned(system.split_bits(&all).system);
        }
        let is_ctl = |property: &Property| matches!(property.kind, PropertyKind::Ctl(_));
        // A copy is made only where something changes.
        let strengthened = match system.properties().iter().any(is_ctl) {
            true => system.to_mut().strengthen_to_invariants(),
            false => Vec::new(),
        };
        // What is of liveness says the same as an invariant of a system that looks for loops.
        if system.properties().iter().any(Property::is_liveness)
            && let Ok(watching) = propcov_certify::with_loops(&system)
        {
            system = Cow::Owned(watching);
        }
        // Numbers may be off by one, or a step late: what that means is said by expressions of the system.
        if system.has_numbers() {
            system.to_mut().add_variants();
        }
        Measurable { system, strengthened }
    }

    /// What came of p, as an answer to `AG p`: a run that violates p does not refute that, unless every run can go on.
    pub(crate) fn honest(&self, outcome: Outcome) -> Outcome {
        let is_stronger = self.strengthened.contains(&outcome.property) && !self.system.is_unconstrained();
        match outcome.answer.trace().cloned() {
            Some(run) if is_stronger => {
                Outcome { answer: Answer::unfair_violation(Some(run)), certified: false, ..outcome }
            }
            _ => outcome,
        }
    }
}

/// A run and its surroundings.
pub(crate) struct Scene<'a, 's> {
    pub(crate) design: &'a Design,
    /// The system that is measured.
    pub(crate) system: &'s System,
    /// The invariants in question, in the order of the design.
    pub(crate) properties: &'a [PropertyId],
    pub(crate) options: &'a CoverOptions,
    /// All that is measured.
    pub(crate) metrics: &'a [&'static Metric],
    /// Whether that was chosen by the design, and not by the user.
    pub(crate) is_chosen: bool,
    pub(crate) verifier: &'a Verifier<'a>,
    pub(crate) control: &'a Control<'a>,
    limits: Limits,
    pub(crate) keeper: &'a Keeper<'s>,
    /// The seconds that proofs of earlier runs are said to have taken, beyond those for checking them.
    pub(crate) claimed_seconds: f64,
    default_elements: String,
}

impl Scene<'_, '_> {
    /// Limits of the whole run. The bound is for those who prove, and none of them.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Which elements are in question where nothing is said for a metric in particular.
    pub(crate) fn element_list(&self) -> &[String] {
        match self.options.elements.as_slice() {
            [] => std::slice::from_ref(&self.default_elements),
            given => given,
        }
    }

    /// The elements in question that can be mutated.
    pub(crate) fn elements(&self) -> Result<Vec<ElementId>, Error> {
        elements::select(self.system, self.element_list(), &self.options.exclude)
    }

    /// Whether a property is to be proved in this run, if earlier ones have not. What others have tried in vain before is hard, and shared out; where there was nobody before,
    /// each share proves all properties, because its mutants need them.
    pub(crate) fn proves(&self, property: PropertyId) -> bool {
        let share = self.options.share.filter(|_| !self.options.keep.others.is_empty());
        !self.options.settled && share.is_none_or(|share| share.proves(&self.keeper.meanings, property))
    }

    /// Whether this run finds out if a property notices a mutant.
    pub(crate) fn decides(&self, property: PropertyId, mutant: Mutant) -> bool {
        let (share, meanings) = (self.options.share, &self.keeper.meanings);
        share.is_none_or(|share| share.decides(self.system, meanings, property, mutant.element))
    }

    /// Where a difference may show. What is observed in states and transitions is something else.
    pub(crate) fn observed(&self) -> &[String] {
        let is_of_states = self.metrics.iter().any(|metric| matches!(metric.run, Run::Labels(_)));
        if is_of_states { &[] } else { &self.options.observe }
    }
}

/// Sets the scene, and does something on it. What earlier runs found out about the properties is checked before.
pub(crate) fn set<T>(
    design: &Design,
    options: &CoverOptions,
    metrics: &[&'static Metric],
    properties: &[PropertyId],
    control: &Control<'_>,
    then: impl FnOnce(&Scene<'_, '_>, &Measurable<'_>, Earlier) -> Result<T, Error>,
) -> Result<T, Error> {
    let bits = options.mutation.bits;
    let measurable = Measurable::new(design, bits);
    let system: &System = &measurable.system;
    let keeper = Keeper::open(&options.keep, design, system, design.reading(bits));
    let config = Config { seed: options.seed, ..Config::default() };
    let wanted = Options { config, engine: options.engine, ..Options::default() };
    let limits = control.limits(options.timeout);
    let proving = limits.with_depth(options.bound);
    let verifier =
        Verifier::new(system, wanted, proving, control.progress).with_panics(control.panics.clone());
    // Whoever names an engine wants its proof, and not one of an earlier run.
    let earlier = match options.engine {
        EngineChoice::Portfolio => Earlier::verdicts(&verifier, &keeper, properties),
        _ => Earlier::default(),
    };
    let claimed_seconds = earlier.claimed_seconds();
    let (verifier, keeper) = (&verifier, &keeper);
    let default_elements = elements::default(system).to_owned();
    let scene = Scene {
        design,
        system,
        properties,
        options,
        metrics,
        is_chosen: options.metrics.is_empty(),
        verifier,
        control,
        limits,
        keeper,
        claimed_seconds,
        default_elements,
    };
    then(&scene, &measurable, earlier)
}

/// The limits with another deadline, if that is earlier.
pub(crate) fn until(limits: &Limits, deadline: Option<Instant>) -> Limits {
    let mut limits = limits.clone();
    limits.deadline = [limits.deadline, deadline].into_iter().flatten().min();
    limits
}

/// Why a run stopped.
pub(crate) fn stop(stop: propcov_budget::Stop) -> Stop {
    match stop {
        propcov_budget::Stop::Timeout => Stop::Timeout,
        propcov_budget::Stop::Memory => Stop::Memory,
        propcov_budget::Stop::Cancelled => Stop::Interrupted,
    }
}

/// Why a search within these limits ended early, if it did.
pub(crate) fn stopped(limits: &Limits) -> Option<Stop> {
    propcov_verify::budget(limits).stop().map(stop)
}

/// One of so many equal parts of the time that is left.
pub(crate) fn part_of(limits: &Limits, parts: usize) -> Limits {
    let now = Instant::now();
    let parts = u32::try_from(parts.max(1)).unwrap_or(u32::MAX);
    until(limits, limits.deadline.map(|end| now + end.saturating_duration_since(now) / parts))
}

/// Why a metric of circuits cannot measure a design, if it cannot: numbers without bounds are beyond them.
pub(crate) fn unbounded(system: &System, metric: &str) -> Option<String> {
    let unbounded = || system.signals().iter().filter(|signal| signal.sort.is_unbounded());
    // What `pre` keeps has no name that the user gave it.
    let named = unbounded().find(|signal| !matches!(signal.kind, SignalKind::State { .. }));
    let signal = named.or_else(|| unbounded().next())?;
    let element = system.elements().iter().find(|element| element.name == signal.name);
    let span = element.and_then(|element| element.span());
    let place = span.and_then(|span| propcov_verify::record::place(system, span));
    let place = place.map(|place| format!(", line {}", place.line)).unwrap_or_default();
    Some(format!("{metric} coverage of {} is not supported (`{}`{place})", signal.sort, signal.name))
}

/// Whether mutation and cores can measure a property: of those of CTL these are the invariants, `AG p`.
pub(crate) fn is_invariant(system: &System, property: PropertyId) -> bool {
    let is_ctl = matches!(system.property(property).kind, PropertyKind::Ctl(_));
    !is_ctl || system.invariant(property).is_some()
}

/// The properties among these that are invariants. That others are skipped is noted, unless there are no others left: then it is an error.
pub(crate) fn invariants(
    system: &System,
    properties: &[PropertyId],
    metrics: &str,
    notes: &mut Vec<Note>,
) -> Result<Vec<PropertyId>, Error> {
    let (kept, others): (Vec<PropertyId>, Vec<PropertyId>) =
        properties.iter().partition(|id| is_invariant(system, **id));
    if others.is_empty() {
        return Ok(kept);
    }
    let names = names_of(system, &others);
    let count = match others.len() {
        1 => "1 property is not an invariant".to_owned(),
        count => format!("{count} properties are not invariants"),
    };
    // Where numbers have no bounds, there is no state coverage either.
    let has_states = unbounded(system, "state").is_none();
    if kept.is_empty() {
        let advice = if has_states { ". Try: --metric state" } else { "" };
        return Err(Error::Usage(format!(
            "{metrics} coverage is about invariants, and there are none: {count} ({names}){advice}"
        )));
    }
    let advice = if has_states { " (try --metric state)" } else { "" };
    let text = format!("{count}, skipped: {names}{advice}");
    notes.push(Note { kind: NoteKind::Note, text, place: None });
    Ok(kept)
}
