//! Coverage by definition against another program of the definitions, `ctl_oracle.py`, and against its worked examples.
//!
//! Both stand outside the project, in `../shared/oracle`; where they or Python are absent, the tests say so and pass.

use propcov_ir::{Ctl, Edits};
use propcov_testkit::{
    CoverageQuestion, ExplicitCtl, Flip, Implications, Kripke, KripkeSystem, Random, Semantics, WrittenCtl,
    covered_states, covered_transitions, kripke_system, random_acceptable_formula, random_kripke, reference,
    with_duals, worked_examples,
};
use std::collections::BTreeSet;

/// How many pairs of structure and formula are compared.
const PAIRS: usize = 6000;

/// Reads cases from standard input and says what they cover: states by mutation and by observability, transitions by both.
const DRIVER: &str = r"
import json, sys
sys.path.insert(0, sys.argv[1])
import ctl_oracle as o
def show(s): return ' '.join(str(x) for x in sorted(s))
for d in json.load(sys.stdin):
    k = o.Kripke.fromdict(d)
    f = o.parse(d['formula'])
    o.IMP_MODE = d['implications']
    care = lambda edges: [(s, t) for s, t in edges if t not in d['dontcare']]
    print(show(o.cov_ckv(k, f, 'q', d['dontcare'])))
    print(show(care(o.xu_def(k, f, 'q', False))))
    print(show(o.cov_def(k, f, 'q', d['dontcare'])))
    print(show(care(o.xu_def(k, f, 'q', True))))
";

fn explore<T>(model: &KripkeSystem, look: impl FnOnce(&ExplicitCtl<'_>) -> T) -> T {
    let edits = Edits::none();
    let explicit = ExplicitCtl::new(&model.system, &edits).expect("small");
    look(&explicit)
}

/// The states and the transitions that are covered.
fn covered(
    model: &KripkeSystem,
    explicit: &ExplicitCtl<'_>,
    formula: &Ctl,
    semantics: Semantics,
) -> (BTreeSet<usize>, BTreeSet<(usize, usize)>) {
    let question = CoverageQuestion { formula, observed: model.labels["q"], semantics, flip: Flip::Any };
    let states = covered_states(&model.system, explicit, &question).expect("holds").expect("acceptable");
    let transitions =
        covered_transitions(&model.system, explicit, &question).expect("holds").expect("acceptable");
    ((0..states.len()).filter(|state| states[*state]).collect(), transitions)
}

/// A structure with a formula that holds.
struct Case {
    kripke: Kripke,
    dont_care: Vec<usize>,
    formula: WrittenCtl,
    implications: Implications,
    /// What the driver should say.
    expected: [String; 4],
}

fn case(seed: u64) -> Option<Case> {
    let mut random = Random::new(seed);
    let kripke = random_kripke(&mut random);
    let mut model = kripke_system(&kripke);
    let has_fair_path = explore(&model, |explicit| explicit.fair_reachable() > 0);
    for _ in 0..if has_fair_path { 20 } else { 0 } {
        let depth = random.between(1, 3);
        let formula = random_acceptable_formula(&mut random, &["p", "q", "q", "r"], depth);
        let implications = *random.pick(&[Implications::Whole, Implications::Apart]);
        let lowered = model.lower(&formula, implications).expect("labels");
        if !formula.mentions("q") || !explore(&model, |explicit| explicit.holds_initially(&lowered)) {
            continue;
        }
        let dual_chance = *random.pick(&[0, 0, 50]);
        let lowered = with_duals(&mut random, &lowered, dual_chance);
        let count = *random.pick(&[0, 0, 1, 2]);
        let dont_care: Vec<usize> = (0..count).map(|_| random.below(kripke.states)).collect();
        let mut expected = Vec::new();
        for semantics in [Semantics::Mutation, Semantics::Observability] {
            let (states, transitions) =
                explore(&model, |explicit| covered(&model, explicit, &lowered, semantics));
            let states = states.iter().filter(|state| !dont_care.contains(state));
            expected.push(states.map(ToString::to_string).collect::<Vec<_>>().join(" "));
            let transitions = transitions.iter().filter(|(_, to)| !dont_care.contains(to));
            expected.push(transitions.map(|pair| format!("{pair:?}")).collect::<Vec<_>>().join(" "));
        }
        // Most formulas that hold say little. Some of those are enough.
        if expected.iter().any(String::is_empty) && random.percent(70) {
            continue;
        }
        let expected = expected.try_into().expect("four");
        return Some(Case { kripke, dont_care, formula, implications, expected });
    }
    None
}

fn json(case: &Case) -> String {
    let Case { kripke, dont_care, .. } = case;
    let edges: Vec<String> = kripke.edges.iter().map(|(from, to)| format!("[{from},{to}]")).collect();
    let labels: Vec<String> =
        kripke.labels.iter().map(|(label, states)| format!("{label:?}:{states:?}")).collect();
    let implications = if case.implications == Implications::Whole { "whole" } else { "split" };
    format!(
        "{{\"n\":{},\"init\":{:?},\"edges\":[{}],\"labels\":{{{}}},\"fair\":{:?},\"dontcare\":{dont_care:?},\
         \"implications\":\"{implications}\",\"formula\":\"{}\"}}",
        kripke.states,
        kripke.initial,
        edges.join(","),
        labels.join(","),
        kripke.fairness,
        case.formula.with_implications()
    )
}

#[test]
fn covered_states_and_transitions_are_those_of_an_independent_oracle() {
    let seeds = 1_000_000..1_000_000 + 10 * PAIRS as u64;
    let cases: Vec<(u64, Case)> = seeds.filter_map(|seed| Some((seed, case(seed)?))).take(PAIRS).collect();
    assert_eq!(cases.len(), PAIRS);
    // The comparison would be empty if nothing or everything was covered.
    let covering = |at: usize| cases.iter().filter(|(_, case)| !case.expected[at].is_empty()).count();
    for at in 0..4 {
        assert!((PAIRS / 5..PAIRS).contains(&covering(at)), "{} cases have something covered", covering(at));
    }
    let fair = cases.iter().filter(|(_, case)| !case.kripke.fairness.is_empty()).count();
    let whole = cases.iter().filter(|(_, case)| case.implications == Implications::Whole).count();
    assert!(fair >= PAIRS / 4 && (PAIRS / 3..PAIRS - PAIRS / 3).contains(&whole), "{fair} and {whole}");
    let input: Vec<String> = cases.iter().map(|(_, case)| json(case)).collect();
    let output = match reference::ask(DRIVER, &format!("[{}]", input.join(",\n"))) {
        Ok(output) => output,
        Err(absent) => return println!("skipped: there is no {absent}"),
    };
    let found: Vec<&str> = output.lines().collect();
    assert_eq!(found.len(), 4 * PAIRS);
    for ((seed, case), found) in cases.iter().zip(found.chunks(4)) {
        assert_eq!(case.expected, found, "seed {seed}: {} on {:?}", case.formula, case.kripke);
    }
}

#[test]
fn worked_examples_come_out_as_they_are_written() {
    let path = reference::folder().join("worked_examples.txt");
    let Ok(text) = std::fs::read_to_string(&path) else {
        return println!("skipped: there is no {}", path.display());
    };
    let examples = worked_examples(&text).expect("readable");
    assert_eq!(examples.len(), text.lines().filter(|line| line.starts_with("## E")).count());
    let mut formulas = 0;
    for example in &examples {
        let mut model = kripke_system(&example.kripke);
        for known in &example.formulas {
            let title = format!("{}: {}", example.title, known.formula);
            let formula = model.lower(&known.formula, Implications::Apart).expect("labels");
            explore(&model, |explicit| {
                assert_eq!(explicit.holds_initially(&formula), known.holds, "{title}");
                if known.holds {
                    let (states, _) = covered(&model, explicit, &formula, Semantics::Mutation);
                    assert_eq!(&states - &example.dont_care, known.mutation, "{title}");
                    let (states, transitions) = covered(&model, explicit, &formula, Semantics::Observability);
                    assert_eq!(&states - &example.dont_care, known.observability, "{title}");
                    assert_eq!(transitions, known.transitions, "{title}");
                }
            });
            formulas += 1;
        }
    }
    assert!(examples.len() >= 12 && formulas >= 40, "{} examples, {formulas} formulas", examples.len());
}
