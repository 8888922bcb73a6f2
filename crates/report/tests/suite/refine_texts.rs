//! What people read about a refinement, from results made by hand.

use propcov_report::picture::{Mark, Picture, PictureState};
use propcov_report::terminal::{Style, columns};
use propcov_report::text::{TextOptions, text};
use propcov_result::*;

fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn drawn(result: &RunResult, holes: Option<usize>, width: usize) -> String {
    text(result, &TextOptions { holes, ..TextOptions::default() }, &Style { width, colour: false })
}

fn refined(refinement: Refinement) -> RunResult {
    let mut result = RunResult::new("refine", 0);
    result.refinement = Some(Refinement {
        implementation: Model { path: "impl.dot".into(), format: "dot".into(), ..Model::default() },
        specification: Model { path: "spec.dot".into(), format: "dot".into(), ..Model::default() },
        propositions: strings(&["p"]),
        algorithm: "divide".into(),
        ..refinement
    });
    result
}

fn label(state: &str, proposition: &str, verdict: FindingVerdict) -> Finding {
    Finding {
        metric: "simulation".into(),
        subject: Subject::Label(Label {
            state: state.into(),
            proposition: proposition.into(),
            labels: (verdict == FindingVerdict::Uncovered).then(|| vec!["p".into()]),
        }),
        edit: "flipped".into(),
        property: None,
        verdict,
        reason: None,
        bound: None,
        by: None,
        certified: true,
        evidence: None,
        witness: None,
        count: None,
        waiver: None,
    }
}

/// A simulated implementation with so many states, in all of which p is uncovered.
fn uncovered(states: usize) -> RunResult {
    let mut result = refined(Refinement { simulates: Some(true), pairs: Some(3), ..Refinement::default() });
    let names = (0..states).map(|state| format!("s{state}"));
    result.findings = names.map(|state| label(&state, "p", FindingVerdict::Uncovered)).collect();
    let tally = Tally { uncovered: states.into(), dead: 2_usize.into(), ..Tally::default() };
    for scope in [Scope::All, Scope::Proposition("p".into())] {
        result.shares.push(Share::new("simulation", scope, tally.clone(), true));
    }
    result
}

fn refutation(state: &str, partner: &str, step: &str, answers: &[(&str, &[&str])]) -> Refutation {
    let refusal =
        |(state, needs): &(&str, &[&str])| Refusal { state: (*state).to_owned(), needs: strings(needs) };
    Refutation {
        implementation: state.into(),
        specification: partner.into(),
        step: step.into(),
        labels: Vec::new(),
        answers: answers.iter().map(refusal).collect(),
    }
}

#[test]
fn a_tree_is_told_from_the_end_of_the_run_downwards_and_nothing_twice() {
    let step = |state: &str, partners: &[&str]| TreeStep {
        state: state.into(),
        labels: strings(&["p"]),
        specification: strings(partners),
    };
    let distinction = Distinction {
        run: vec![step("a", &["x", "y"])],
        refused: Vec::new(),
        refutations: vec![
            refutation("b", "z", "c", &[("x", &["!p", "?q"])]),
            refutation("a", "y", "b", &[("z", &[])]),
            refutation("a", "x", "b", &[("z", &[]), ("x", &["p"])]),
        ],
    };
    let result = refined(Refinement {
        simulates: Some(false),
        certified: true,
        distinction: Some(distinction),
        ..Refinement::default()
    });
    let text = drawn(&result, None, 80);
    let expected = "The specification does not simulate the implementation (divide, certified).
  step  run    specification can be in
     0  a {p}  x, y
  From there no state of the specification can follow:
    x cannot follow a to b {}:
      z cannot follow b to c {}:
        x needs !p, ?q
      x needs p
    y cannot follow a to b {}:
      z: as above
There is no coverage to measure until it does.

not simulated";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_limit_on_states_counts_the_rest_and_names_a_way_to_see_more() {
    let result = uncovered(30);
    let text = drawn(&result, Some(3), 80);
    assert!(text.contains("  s2  {p}\n  … and 27 more states (--holes N lists more)\n"), "{text}");
    assert!(!drawn(&result, Some(29), 80).contains('…'), "a limit hides no single one");
    assert!(text.contains("To see how one passes, add: --explain s0 p\n"), "{text}");
    assert!(text.contains("Dead: in states that nothing leads to."), "{text}");
}

#[test]
fn long_runs_and_long_lists_are_cut_and_say_where_all_of_it_is() {
    let step = |number: usize| TreeStep {
        state: format!("状态{number}"),
        labels: strings(&["p"]),
        specification: (0..30).map(|state| format!("x{state}")).collect(),
    };
    let mut run: Vec<TreeStep> = (0..200).map(step).collect();
    run.push(TreeStep { state: "end".into(), ..TreeStep::default() });
    let refused = (0..20).map(|state| Refusal { state: format!("x{state}"), needs: strings(&["p"]) });
    let distinction = Distinction { run, refused: refused.collect(), refutations: Vec::new() };
    let result = refined(Refinement {
        simulates: Some(false),
        distinction: Some(distinction),
        ..Refinement::default()
    });
    for width in [60, 80, 120] {
        let text = drawn(&result, None, width);
        for expected in
            ["151 more steps", "… and 12 more", "not everything is shown; --format json lists all"]
        {
            assert!(text.contains(expected), "{expected} is not in {text}");
        }
        let too_long = text.lines().find(|line| columns(line) > width);
        assert_eq!(too_long, None, "{width} columns");
        assert!(text.lines().count() < 200, "{text}");
    }
}

#[test]
fn criteria_that_are_not_known_say_why() {
    let criteria =
        Criteria { form: "removable".into(), reason: Some("out of time".into()), ..Criteria::default() };
    let mut result = uncovered(1);
    result.refinement.as_mut().expect("a refinement").criteria = Some(criteria);
    let text = drawn(&result, None, 80);
    assert!(
        text.contains("What of the specification is not implemented is not known: out of time.\n"),
        "{text}"
    );
}

#[test]
fn states_of_a_picture_are_marked_by_their_labels() {
    use FindingVerdict::{Covered, Dead, Uncovered, Unknown};
    let mut result = RunResult::new("refine", 0);
    result.findings = vec![
        label("covered", "p", Covered),
        label("partly", "p", Covered),
        label("partly", "q", Uncovered),
        label("uncovered", "p", Uncovered),
        label("dead", "p", Dead),
        label("unknown", "p", Unknown),
    ];
    let states = ["covered", "partly", "uncovered", "dead", "unknown", "plain"];
    let state = |name: &&str| PictureState { name: (*name).to_owned(), ..PictureState::default() };
    let mut picture = Picture { states: states.iter().map(state).collect(), ..Picture::default() };
    picture.mark_labels(&result);
    let marks: Vec<Mark> = picture.states.iter().map(|state| state.mark).collect();
    assert_eq!(
        marks,
        [Mark::Covered, Mark::PartlyCovered, Mark::Uncovered, Mark::Unreachable, Mark::Unknown, Mark::Plain]
    );
    assert_eq!(picture.states[1].uncovered, ["q"]);
}
