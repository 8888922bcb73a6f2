//! What is reached, and what is not, as records of a result.

use super::{Answer, Blame, Survey};
use propcov_ir::{Edits, ElementSet, Execution, Role, Site, System, UnknownReason, Way};
use propcov_result::{Conflicting, Count, Finding, FindingVerdict, RunResult, Scope, Share, Subject, Tally};
use propcov_result::{REACH, Witness};
use propcov_verify::record;
use std::sync::Arc;

/// What is to be shown of runs.
pub struct Shown<'a> {
    /// Whether runs are put into the result.
    pub runs: bool,
    /// Where runs are written, by their position.
    pub files: &'a [Option<String>],
}

/// Adds elements, findings and shares to a result.
pub fn add_to(survey: &Survey, system: &System, shown: &Shown<'_>, result: &mut RunResult) {
    let metric: Arc<str> = REACH.into();
    let mut findings: Vec<(Execution, Finding)> = Vec::new();
    for (target, answer) in survey.question.targets.iter().zip(&survey.answers) {
        let finding = Finding {
            metric: metric.clone(),
            subject: Subject::Element(0),
            edit: "".into(),
            property: None,
            verdict: verdict(answer),
            reason: reason(answer),
            bound: bound(answer),
            by: by(answer).map(Into::into),
            certified: !matches!(answer, Answer::Unknown(_)),
            evidence: None,
            witness: witness(survey, answer, shown).map(Box::new),
            count: None,
            waiver: None,
        };
        findings.extend(target.executions.iter().map(|execution| {
            let (subject, edit) = (Subject::Element(execution.element.0), execution.way.name().into());
            (*execution, Finding { subject, edit, ..finding.clone() })
        }));
        if let Some(by) = by(answer) {
            *result.stats.decided_by.entry(by.to_owned()).or_default() += target.executions.len() as u64;
        }
    }
    // As they are written, not as they were asked about.
    findings.sort_by_key(|(execution, _)| (execution.element, execution.way));
    let elements: ElementSet = findings.iter().map(|(execution, _)| execution.element).collect();
    result.add_elements(record::elements(system, &elements));
    add_shares(system, &findings, result);
    result.findings.extend(findings.into_iter().map(|(_, finding)| finding));
    record::add_stats(&mut result.stats, &survey.stats);
    result.run.internal_errors.extend(survey.internal_errors.iter().map(|error| format!("{REACH}: {error}")));
}

fn add_shares(system: &System, findings: &[(Execution, Finding)], result: &mut RunResult) {
    let one = Count::from(1_usize);
    let mut share = |scope: Scope, wanted: &dyn Fn(&Execution) -> bool| {
        let mut tally = Tally::default();
        for (_, finding) in findings.iter().filter(|(execution, _)| wanted(execution)) {
            match finding.bound {
                Some(_) => tally.bounded += &one,
                None => tally.add(finding.verdict, &one),
            }
        }
        if scope == Scope::All || !tally.total().is_zero() {
            result.shares.push(Share::new(REACH, scope, tally, true));
        }
    };
    let is_checker = |execution: &Execution| system.element(execution.element).role == Role::Checker;
    share(Scope::All, &|execution| !is_checker(execution));
    for way in Way::ALL {
        let scope = Scope::Edit(way.name().to_owned());
        share(scope, &|execution| !is_checker(execution) && execution.way == way);
    }
    share(Scope::Checker, &is_checker);
}

fn verdict(answer: &Answer) -> FindingVerdict {
    match answer {
        Answer::Reached { .. } => FindingVerdict::Covered,
        Answer::Dead { .. } => FindingVerdict::Dead,
        Answer::Unknown(_) => FindingVerdict::Unknown,
    }
}

fn by(answer: &Answer) -> Option<&'static str> {
    match answer {
        Answer::Reached { by, .. } | Answer::Dead { by, .. } => Some(by),
        Answer::Unknown(_) => None,
    }
}

fn reason(answer: &Answer) -> Option<Arc<str>> {
    match answer {
        Answer::Unknown(UnknownReason::Bounded(bound)) => {
            Some(format!("not reached up to depth {bound}").into())
        }
        Answer::Unknown(reason) => Some(reason.to_string().into()),
        Answer::Reached { .. } | Answer::Dead { .. } => None,
    }
}

fn bound(answer: &Answer) -> Option<u32> {
    match answer {
        Answer::Unknown(UnknownReason::Bounded(bound)) => Some(*bound),
        _ => None,
    }
}

fn witness(survey: &Survey, answer: &Answer, shown: &Shown<'_>) -> Option<Witness> {
    let system = &survey.question.system;
    let plain =
        |steps: &[propcov_ir::Step]| shown.runs.then(|| record::run(system, &Edits::none(), steps, None));
    match answer {
        Answer::Unknown(_) => None,
        Answer::Reached { run, step, .. } => Some(Witness {
            design: plain(&survey.runs[*run].steps[..=*step]),
            depth: Some(*step),
            file: shown.files.get(*run).cloned().flatten(),
            ..Witness::default()
        }),
        Answer::Dead { blame, .. } => Some(match blame {
            Blame::Nobody => {
                let blame = propcov_result::Blame { minimal: true, ..Default::default() };
                Witness { blame: Some(blame), ..Witness::default() }
            }
            Blame::Unknown(reason) => {
                let blame = propcov_result::Blame { reason: Some(reason.to_string()), ..Default::default() };
                Witness { blame: Some(blame), ..Witness::default() }
            }
            Blame::Assumptions { set, is_minimal, run } => {
                let assumptions = set.iter().map(|id| assumption(system, *id)).collect();
                let blame = propcov_result::Blame { assumptions, minimal: *is_minimal, reason: None };
                let (design, depth) = (plain(&run.steps), Some(run.depth()));
                Witness { design, depth, blame: Some(blame), ..Witness::default() }
            }
        }),
    }
}

fn assumption(system: &System, id: propcov_ir::ConstraintId) -> Conflicting {
    let element = system.element_at(Site::Constraint(id)).map(|element| system.element(element));
    let place = element.and_then(|element| record::place(system, element.span()?));
    Conflicting { name: system.constraints()[id.0 as usize].name.clone(), place }
}
