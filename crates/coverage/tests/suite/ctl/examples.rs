//! The worked examples of the oracle.

use super::measured::{Question, agree, settings};
use propcov_coverage::ctl::{Flip, Implication, Place, Semantics};
use propcov_ir::{Edits, PropertyKind};
use propcov_symbolic::Options;
use propcov_testkit::reference;
use propcov_testkit::{ExplicitCtl, Implications, kripke_system, worked_examples};

#[test]
fn worked_examples_come_out_as_they_are_written() {
    let path = reference::folder().join("worked_examples.txt");
    let Ok(text) = std::fs::read_to_string(&path) else {
        return println!("skipped: there is no {}", path.display());
    };
    let mut compared = 0;
    for example in worked_examples(&text).expect("readable") {
        let mut model = kripke_system(&example.kripke);
        for known in &example.formulas {
            let whole = model.lower(&known.formula, Implications::Whole).expect("labels");
            let written = model.lower(&known.formula, Implications::Apart).expect("labels");
            let id = model.system.add_property("", PropertyKind::Ctl(whole), None);
            model.system.set_as_written(id, written);
        }
        let ignored: Vec<usize> = example.dont_care.iter().copied().collect();
        let ignored = [model.is_one_of(&ignored)];
        let observed = [model.labels["q"]];
        let edits = Edits::none();
        let explicit = ExplicitCtl::new(&model.system, &edits).expect("small");
        for setting in settings(Flip::Any, Implication::Split) {
            // Don't-cares count in the column of transitions.
            let dont_care = if setting.place == Place::State { &ignored[..] } else { &[] };
            let (system, options) = (&model.system, Options::default());
            let question = Question {
                system,
                setting,
                observed: &observed,
                dont_care,
                waived: &[],
                options,
                ticks: None,
            };
            let answer = question.ask(&explicit).expect("an answer");
            for (known, found) in example.formulas.iter().zip(&answer[0]) {
                let states = |states: &std::collections::BTreeSet<usize>| {
                    states.iter().map(|state| (*state, *state)).collect()
                };
                let expected = match (setting.place, setting.semantics) {
                    (Place::State, Semantics::Mutation) => states(&known.mutation),
                    (Place::State, Semantics::Observability) => states(&known.observability),
                    (Place::Transition, Semantics::Observability) => known.transitions.clone(),
                    // There is no column for these.
                    (Place::Transition, Semantics::Mutation) => continue,
                };
                let title = format!("{}: {}, {setting:?}", example.title, known.formula);
                match known.holds {
                    true => agree(found, Some(&expected)).expect(&title),
                    false => assert!(agree(found, Some(&expected)) == Err("it fails".to_owned()), "{title}"),
                }
                compared += 1;
            }
        }
    }
    assert!(compared >= 120, "{compared}");
}
