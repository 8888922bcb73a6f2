//! Measuring after other metrics have filled in the same result, and what a library user sees.

use super::*;
use crate::{CheckOptions, CoverOptions, Place, read};
use propcov_result::{Scope, Verdict};

fn design(name: &str) -> Design {
    read(format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"))).expect("an example")
}

fn question<'q>(
    properties: &'q [PropertyId],
    observe: &'q [String],
    options: &'q StateOptions,
    known: &'q [Outcome],
) -> StateQuestion<'q> {
    StateQuestion {
        properties,
        observe,
        options,
        directory: None,
        must_keep: false,
        seed: 0,
        timeout: None,
        count_states: false,
        known,
    }
}

#[test]
fn states_and_transitions_share_verdicts_in_one_result() {
    let design = design("priority_buffer.smv");
    let properties = design.select(&[]).expect("all of them");
    let (observe, options) = (["lo".to_owned()], StateOptions::default());
    let question = question(&properties, &observe, &options, &[]);
    let mut result = RunResult::new("cover", 0);
    for place in [Place::State, Place::Transition] {
        measure(&design, place, &question, &Control::default(), &mut result).expect("measured");
        assert_eq!(result.properties.len(), properties.len(), "each property once");
    }
    let counts = |metric: &str| {
        let share = result.share(metric, &Scope::All).expect("a share");
        format!("{}/{}", share.tally.covered, share.total)
    };
    assert_eq!((counts("state").as_str(), counts("transition").as_str()), ("504/522", "8964/9396"));
    assert_eq!(result.states.len(), 2);
    let decided: u64 = result.stats.decided_by.values().sum();
    assert_eq!(decided, properties.len() as u64, "nobody decides a property twice");
}

#[test]
fn proofs_that_are_known_are_not_looked_for_again() {
    let design = design("queue.btor2");
    let checked = design.check_with(&CheckOptions::default(), &Control::default()).expect("checked");
    let properties = design.select(&[]).expect("all of them");
    let options = StateOptions::default();
    let question = question(&properties, &[], &options, &checked.verdicts.outcomes);
    let mut result = RunResult::new("cover", 0);
    measure(&design, Place::State, &question, &Control::default(), &mut result).expect("measured");
    assert!(result.properties.iter().all(|property| property.recalled && property.certified));
    // Beside what another metric has recorded.
    let mut result = checked.result;
    measure(&design, Place::State, &question, &Control::default(), &mut result).expect("measured");
    assert_eq!(result.properties.len(), properties.len());
    assert!(result.properties.iter().all(|property| property.verdict == Verdict::Proved));
    let share = result.share("state", &Scope::Observed("full".to_owned())).expect("a share");
    assert_eq!((share.tally.covered.to_string().as_str(), share.certified), ("4", true));
}

#[test]
fn a_library_user_names_what_to_observe_and_mistakes_have_a_place() {
    let design = design("priority_buffer.smv");
    let cover = |observe: &str| {
        let metrics = crate::metric("state").into_iter().collect();
        let options = CoverOptions { metrics, observe: vec![observe.to_owned()], ..CoverOptions::default() };
        design.cover(&options)
    };
    let result = cover("lo").expect("a state variable");
    assert_eq!(result.findings.len(), 1, "one hole");
    let error = cover("nobody").expect_err("no such name").to_string();
    assert!(error.contains("--observe") && error.contains("nobody"), "{error}");
}
