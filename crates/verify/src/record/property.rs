//! Properties as records.

use crate::record::helpers::Helpers;
use crate::record::{element, formula, stats, trace};
use crate::{Answer, Inspection, Outcome, Recall, Smoothness, Symbolic};
use propcov_engine::gate::Assumptions;
use propcov_ir::{Edits, Goal, PropertyKind, Span, System, UnknownReason};
use propcov_result::{Property, Smooth};

/// What is said of an answer that no separate code has confirmed.
const NOT_CERTIFIED: &str = "by decision diagrams alone";
/// The same where a run shows a part of the answer.
const ONE_START: &str = "shown from one of several initial states";

/// The records of all outcomes.
pub fn properties(
    system: &System,
    outcomes: &[Outcome],
    inspection: &Inspection,
    symbolic: Option<&Symbolic>,
) -> Vec<Property> {
    let mut helpers = Helpers::new(system);
    let record = |outcome: &Outcome| Property {
        vacuous: is_vacuous(system, outcome, inspection, symbolic),
        helpers: helpers.of(outcome).into_iter().map(|helper| system.property(helper).name.clone()).collect(),
        ..property(system, outcome)
    };
    outcomes.iter().map(record).collect()
}

/// The record of one outcome.
pub fn property(system: &System, outcome: &Outcome) -> Property {
    let (id, answer) = (outcome.property, &outcome.answer);
    let known = system.property(id);
    let plain = |steps: &[propcov_ir::Step]| trace::run(system, &Edits::none(), steps, Some(id));
    let shown = answer.demonstration().map(|shown| trace::demonstration(system, shown, id));
    let shown = shown.or_else(|| answer.lasso().map(|lasso| trace::lasso(system, lasso, id)));
    let nothing = undecided(system, &known.name, (known.goal, known.span), &UnknownReason::Cancelled);
    Property {
        kind: kind(known).to_owned(),
        // Other formats have no text of a property, but a reference to a node.
        formula: matches!(known.kind, PropertyKind::Ctl(_) | PropertyKind::Ltl(_))
            .then(|| formula::written(system, id))
            .flatten(),
        verdict: verdict(known.goal, answer),
        depth: outcome.depth,
        reason: reason(known.goal, outcome),
        engine: outcome.engine.map(str::to_owned),
        certified: outcome.certified,
        recalled: outcome.recall == Some(Recall::Accepted),
        seconds: stats::rounded(outcome.seconds),
        trace: answer.trace().map(|run| plain(&run.steps)).or(shown),
        stray: answer.stray().map(|run| plain(&run.steps)),
        smooth: outcome.smoothness.as_ref().map(smooth),
        core: outcome.core.as_ref().map(|core| core.iter().map(|element| element.0).collect()),
        core_reason: core_reason(outcome),
        ..nothing
    }
}

/// The record of a property of which nothing is known but its name and why.
pub fn undecided(
    system: &System,
    name: &str,
    (goal, span): (Goal, Option<Span>),
    reason: &UnknownReason,
) -> Property {
    let kind = if goal == Goal::Reach { propcov_result::COVER } else { "invariant" };
    Property {
        name: name.to_owned(),
        kind: kind.to_owned(),
        formula: None,
        place: span.and_then(|span| element::place(system, span)),
        verdict: propcov_result::Verdict::Unknown,
        depth: None,
        reason: Some(reason.to_string()),
        engine: None,
        certified: false,
        vacuous: false,
        recalled: false,
        helpers: Vec::new(),
        seconds: 0.0,
        evidence: None,
        trace: None,
        attempt: None,
        tested: None,
        unmet: Vec::new(),
        stray: None,
        inductive: None,
        smooth: None,
        core: None,
        core_reason: None,
        own: Vec::new(),
        reads: None,
    }
}

/// Whether the verdict is a proof that says nothing about the design.
pub fn is_vacuous(
    system: &System,
    outcome: &Outcome,
    inspection: &Inspection,
    symbolic: Option<&Symbolic>,
) -> bool {
    let is_conflicting = matches!(inspection.gate.assumptions, Assumptions::Conflicting { .. });
    // That something constant is never reached means what it says.
    let is_cover = system.property(outcome.property).is_cover();
    let is_constant = !is_cover && inspection.gate.constant.contains(&(outcome.property, true));
    let is_untested = symbolic.is_some_and(|symbolic| symbolic.untested.contains(&outcome.property));
    let is_fair = !matches!(system.property(outcome.property).kind, PropertyKind::Invariant(_));
    let is_unfair = is_fair && symbolic.is_some_and(|symbolic| symbolic.fair_start == Some(false));
    outcome.answer.is_proved() && (is_conflicting || is_constant || is_untested || is_unfair)
}

/// Why a verdict is unknown, in one line, or what it rests on if that was not certified.
pub fn reason(goal: Goal, outcome: &Outcome) -> Option<String> {
    let Some(reason) = outcome.answer.reason() else {
        let is_shown = outcome.answer.demonstration().is_some_and(|shown| shown.claim.is_existential());
        let why = match &outcome.uncertified {
            _ if is_shown && outcome.answer.is_proved() => ONE_START.to_owned(),
            Some(why) => format!("{NOT_CERTIFIED}: {why}"),
            None => NOT_CERTIFIED.to_owned(),
        };
        return (!outcome.certified).then_some(why);
    };
    let line = reason.to_string().lines().next().unwrap_or_default().to_owned();
    let stopped_early = matches!(
        reason,
        UnknownReason::Timeout
            | UnknownReason::Memory
            | UnknownReason::Cancelled
            | UnknownReason::Conflicts
            | UnknownReason::Effort
    );
    Some(match outcome.depth {
        Some(depth) if stopped_early => match goal {
            Goal::Hold => format!("{line}; no violation up to depth {depth}"),
            Goal::Reach => format!("{line}; not reached up to depth {depth}"),
        },
        _ => line,
    })
}

/// Why the elements that a proof uses are not known, although there is one.
fn core_reason(outcome: &Outcome) -> Option<String> {
    let proof = outcome.answer.proof().filter(|_| outcome.core.is_none())?;
    let why = if proof.simple_path { "the proof is over simple paths" } else { "the budget did not suffice" };
    Some(why.to_owned())
}

fn verdict(goal: Goal, answer: &Answer) -> propcov_result::Verdict {
    match (goal, answer.is_proved(), answer.is_falsified()) {
        (Goal::Hold, true, _) => propcov_result::Verdict::Proved,
        (Goal::Hold, _, true) => propcov_result::Verdict::Falsified,
        (Goal::Reach, true, _) => propcov_result::Verdict::Unreachable,
        (Goal::Reach, _, true) => propcov_result::Verdict::Reached,
        _ if answer.bound().is_some() => propcov_result::Verdict::Bounded,
        _ => propcov_result::Verdict::Unknown,
    }
}

/// The word for a kind of property.
fn kind(property: &propcov_ir::Property) -> &'static str {
    match property.kind {
        _ if property.is_cover() => propcov_result::COVER,
        PropertyKind::Invariant(_) => "invariant",
        PropertyKind::Justice(_) => "justice",
        PropertyKind::Ctl(_) => "ctl",
        PropertyKind::Ltl(_) => "ltl",
    }
}

fn smooth(smoothness: &Smoothness) -> Smooth {
    match smoothness {
        Smoothness::Known { before, after, is_fewest } => {
            Smooth { before: Some(*before), after: Some(*after), fewest: *is_fewest, reason: None }
        }
        Smoothness::Failed(why) => Smooth { reason: Some(why.clone()), ..Smooth::default() },
    }
}
