//! Whether implications over time are ever put to the test.
//!
//! `req |-> ##[1:3] ack` holds on a design where `req` never comes, and then says nothing. So of each that holds, the opposite of what puts it to the test is decided as well: that
//! the end of its antecedent is never reached. If this holds, the property is vacuous; if not, the run that shows it is kept.

use crate::Control;
use propcov_engine::Limits;
use propcov_ir::{PropertyId, PropertyKind, System};
use propcov_result::{RunResult, Verdict};
use propcov_verify::{Options, Verdicts, Verifier, record};

/// Adds to the result which of the properties that hold are never put to the test, and runs that do for the others.
pub(crate) fn add(
    system: &System,
    verdicts: &Verdicts,
    (options, limits): (Options, Limits),
    control: &Control<'_>,
    result: &mut RunResult,
) {
    let mut asked = system.clone();
    let mut questions: Vec<(PropertyId, PropertyId)> = Vec::new();
    for outcome in verdicts.outcomes.iter().filter(|outcome| outcome.answer.is_proved()) {
        let known = system.property(outcome.property);
        if let Some(tested) = known.tested {
            let never = asked.exprs.not(tested);
            let name = format!("{} is never put to the test", known.name);
            let question = asked.add_property(name, PropertyKind::Invariant(never), known.span);
            questions.push((outcome.property, question));
        }
    }
    if questions.is_empty() {
        return;
    }
    let options = Options { with_core: false, smooth: false, with_counts: false, ..options };
    let verifier =
        Verifier::new(&asked, options, limits, control.progress).with_panics(control.panics.clone());
    let ids: Vec<PropertyId> = questions.iter().map(|(_, question)| *question).collect();
    let answers = verifier.decide(&ids, &mut |_| {});
    for (property, question) in questions {
        let name = &system.property(property).name;
        let Some(answer) = answers.outcomes.iter().find(|outcome| outcome.property == question) else {
            continue;
        };
        let Some(known) = result.properties.iter_mut().find(|known| known.name == *name) else { continue };
        let found = record::property(&asked, answer);
        match found.verdict {
            Verdict::Proved => {
                known.vacuous = true;
                if let Some(gate) = &mut result.gate {
                    gate.vacuous.extend((!gate.vacuous.contains(name)).then(|| name.clone()));
                    gate.untested.push(name.clone());
                }
            }
            Verdict::Falsified => known.tested = found.trace,
            _ => {}
        }
    }
}
