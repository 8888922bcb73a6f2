//! Random Kripke structures, and the definition as the oracle outside of the project has it.

use super::measured::{Found, Pairs, Question, options, settings};
use super::structures::{Structure, structure};
use propcov_coverage::ctl::{Flip, Implication, Place};
use propcov_ir::Edits;
use propcov_testkit::reference;
use propcov_testkit::{ExplicitCtl, Random};

/// How many pairs of structure and formula are compared.
const PAIRS: usize = 6000;

/// How many formulas a structure has, at most.
const FORMULAS: usize = 6;

/// For each case what could be covered, states and transitions; then what is: by mutation, states and transitions, and by observability; then
/// whether the algorithms of the papers say the same of the latter.
const DRIVER: &str = r"
import json, sys
sys.path.insert(0, sys.argv[1])
import ctl_oracle as o
def show(s): return ' '.join(str(x) for x in sorted(s))
for d in json.load(sys.stdin):
    k = o.Kripke.fromdict(d)
    o.IMP_MODE = d['implications']
    dc = d['dontcare']
    care = lambda edges: frozenset((s, t) for s, t in edges if t not in dc)
    fair = o.space(k)
    print(show(o.space(k, dc)))
    print(show(care((a, b) for a, b in k.edges() if a in fair and b in fair)))
    for text in d['formulas']:
        f = o.parse(text)
        print(show(o.cov_ckv(k, f, 'q', dc)))
        print(show(care(o.xu_def(k, f, 'q', False))))
        states, steps = o.cov_def(k, f, 'q', dc), care(o.xu_def(k, f, 'q', True))
        print(show(states))
        print(show(steps))
        print(states == o.cov_table1(k, f, 'q', dc), steps == care(o.xu_alg(k, f, 'q')))
";

fn json(structure: &Structure, implication: Implication) -> String {
    let Structure { kripke, ignored, formulas, .. } = structure;
    let edges: Vec<[usize; 2]> = kripke.edges.iter().map(|(from, to)| [*from, *to]).collect();
    let labels: Vec<String> =
        kripke.labels.iter().map(|(label, states)| format!("{label:?}:{states:?}")).collect();
    let implications = if implication == Implication::Whole { "whole" } else { "split" };
    let formulas: Vec<String> =
        formulas.iter().map(|formula| formula.with_implications().to_string()).collect();
    format!(
        "{{\"n\":{},\"init\":{:?},\"edges\":{edges:?},\"labels\":{{{}}},\"fair\":{:?},\"dontcare\":{ignored:?},\
         \"implications\":\"{implications}\",\"formulas\":{formulas:?}}}",
        kripke.states,
        kripke.initial,
        labels.join(","),
        kripke.fairness
    )
}

/// As the driver shows it.
fn show(place: Place, set: &Pairs) -> String {
    let show = |pair: &(usize, usize)| match place {
        Place::State => pair.0.to_string(),
        Place::Transition => format!("{pair:?}"),
    };
    set.iter().map(show).collect::<Vec<_>>().join(" ")
}

/// What the driver should say, but for the last line of each formula.
fn lines(
    structure: &Structure,
    implication: Implication,
    random: &mut Random,
) -> Result<Vec<String>, String> {
    let system = &structure.model.system;
    let edits = Edits::none();
    let explicit = ExplicitCtl::new(system, &edits).map_err(|error| format!("{error:?}"))?;
    let observed = [structure.model.labels["q"]];
    let mut spaces = Vec::new();
    let mut covered = vec![Vec::new(); structure.formulas.len()];
    for setting in settings(Flip::Any, implication) {
        let (dont_care, options) = (&structure.dont_care[..], options(random));
        let question =
            Question { system, setting, observed: &observed, dont_care, waived: &[], options, ticks: None };
        // The question has compared this with the measured one.
        spaces.push(show(setting.place, &question.space(&explicit)));
        let answer = question.ask(&explicit).map_err(|failed| failed.to_string())?;
        for (found, lines) in answer[0].iter().zip(&mut covered) {
            lines.push(match found {
                Found::Covered { sure, possible, is_exact: true } if sure == possible => {
                    show(setting.place, sure)
                }
                // q may be gone from what a constant decides.
                Found::Unrelated => String::new(),
                _ => return Err("no exact answer".to_owned()),
            });
        }
    }
    spaces.truncate(2);
    Ok(spaces.into_iter().chain(covered.into_iter().flatten()).collect())
}

#[test]
fn random_structures_are_covered_as_another_oracle_says() {
    let (mut pairs, mut inputs, mut expected) = (0, Vec::new(), Vec::new());
    let mut seed = 730_000;
    while pairs < PAIRS {
        seed += 1;
        let mut random = Random::new(seed);
        let Some(structure) = structure(&mut random, FORMULAS) else { continue };
        let implication = *random.pick(&[Implication::Split, Implication::Whole]);
        pairs += structure.formulas.len();
        inputs.push(json(&structure, implication));
        let lines = lines(&structure, implication, &mut random);
        expected.push((seed, lines.unwrap_or_else(|problem| panic!("seed {seed}: {problem}"))));
    }
    let output = match reference::ask(DRIVER, &format!("[{}]", inputs.join(",\n"))) {
        Ok(output) => output,
        Err(absent) => return println!("skipped: there is no {absent}"),
    };
    let mut found = output.lines();
    let (mut covering, mut fairness, mut gaps) = ([0; 4], 0, [0; 2]);
    for ((seed, expected), input) in expected.iter().zip(&inputs) {
        fairness += usize::from(!input.contains("\"fair\":[]"));
        let (spaces, formulas) = expected.split_at(2);
        let said: Vec<&str> = found.by_ref().take(2).collect();
        assert_eq!(spaces, said, "seed {seed}: what could be covered of {input}");
        for (at, expected) in formulas.chunks(4).enumerate() {
            let said: Vec<&str> = found.by_ref().take(5).collect();
            assert_eq!(expected, &said[..4], "seed {seed}: formula {at} of {input}");
            for (count, line) in covering.iter_mut().zip(expected) {
                *count += usize::from(!line.is_empty());
            }
            for (count, same) in gaps.iter_mut().zip(said[4].split(' ')) {
                *count += usize::from(same == "False");
            }
        }
    }
    assert_eq!(found.next(), None);
    println!("{pairs} pairs, {covering:?} cover something, {gaps:?} are beyond the papers' algorithms");
    // The comparison would be empty if nothing was covered, or if the algorithms of the papers were enough.
    assert!(covering.iter().all(|count| *count > PAIRS / 6), "{covering:?}");
    assert!(gaps.iter().all(|count| *count > 20), "{gaps:?}");
    assert!(fairness > inputs.len() / 4, "{fairness} of {}", inputs.len());
}
