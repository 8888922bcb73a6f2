//! What testkit says about pairs of graphs against another oracle: `ctl_oracle.py`, which has the definitions in another language from another hand.
//!
//! It stands outside the project, in `../shared/oracle`; where it or Python is absent, the tests say so and pass. It knows no open labels.

use propcov_ir::{Graph, Label, LabelFlip};
use propcov_testkit::{
    GraphPair, PairSizes, Random, covered_flips, graph_criteria, graph_json, graph_of_numbers,
    greatest_simulation, is_whole_run, random_pair, reference, seeds, simulates, unmatched_transitions,
};
use std::fmt::Debug;

/// How many pairs are compared.
const PAIRS: u64 = 10_000;

/// Reads pairs from standard input and says a line for each question about each of them. Coverage is said of pairs that are simulated; the third criterion as the paper has it
/// is the definition of simulation, applied to a specification without the transition. That one may not be total, which the oracle does not like.
const DRIVER: &str = r"
import json, sys
sys.path.insert(0, sys.argv[1])
import ctl_oracle as o
def flat(x): return [y for z in x for y in flat(z)] if isinstance(x, tuple) else [x]
def show(name, s): print(name, *(','.join(map(str, flat(x))) for x in sorted(s)))
def without(s, a, b):
    k = o.Kripke(s.n, s.init, s.edges(), s.lab)
    k.succ = [t - {b} if i == a else t for i, t in enumerate(k.succ)]
    return k
for d in json.load(sys.stdin):
    i, s = o.Kripke.fromdict(d['i']), o.Kripke.fromdict(d['s'])
    ap = sorted(i.lab)
    h = o.sim(i, s, ap)
    show('sim', h)
    show('hhk', o.sim_hhk(i, s, ap))
    yes = o.simulates(i, s, ap, h)
    print('simulates', yes)
    if yes:
        for q in ap: show('covered', o.sim_cov(i, s, ap, q))
    k = o.kgg(i, s, ap)
    for name in ('unimpl_start', 'unimpl_state', 'many_to_one', 'unimpl_trans'): show(name, k[name])
    r = s.reach()
    show('transitions', [(a, b) for a, b in s.edges() if a in r and o.simulates(i, without(s, a, b), ap)])
";

/// What the driver should say about a pair.
fn expected(pair: &GraphPair) -> Vec<String> {
    let (implementation, specification) = (&pair.implementation, &pair.specification);
    let simulation = greatest_simulation(implementation, specification);
    let mut lines = vec![line("sim", &simulation), line("hhk", &simulation)];
    let is_simulated = simulates(implementation, specification);
    lines.push(format!("simulates {}", if is_simulated { "True" } else { "False" }));
    if is_simulated {
        let covered = covered_flips(implementation, specification);
        for proposition in 0..implementation.propositions().len() as u32 {
            let states = covered.iter().filter(|flip| flip.proposition == proposition);
            lines.push(line("covered", states.map(|flip| flip.state).collect::<Vec<_>>()));
        }
    }
    let criteria = graph_criteria(implementation, specification);
    lines.push(line("unimpl_start", &criteria.unimplemented_start_states));
    lines.push(line("unimpl_state", &criteria.unimplemented_states));
    lines.push(line("many_to_one", criteria.many_to_one.iter().map(|(state, _)| *state).collect::<Vec<_>>()));
    lines.push(line("unimpl_trans", unmatched_transitions(implementation, specification)));
    lines.push(line("transitions", &criteria.unimplemented_transitions));
    lines
}

fn line<T: Debug>(name: &str, items: impl IntoIterator<Item = T>) -> String {
    let mut line = name.to_owned();
    for item in items {
        line.push(' ');
        line.extend(format!("{item:?}").chars().filter(|c| c.is_ascii_digit() || *c == ','));
    }
    line
}

/// That the other oracle says the same, or what is absent.
fn compare(pairs: &[(String, GraphPair)]) -> Result<(), String> {
    let inputs: Vec<String> = pairs
        .iter()
        .map(|(_, pair)| {
            let (i, s) = (graph_json(&pair.implementation), graph_json(&pair.specification));
            format!("{{\"i\":{i},\"s\":{s}}}")
        })
        .collect();
    let said = reference::ask(DRIVER, &format!("[{}]", inputs.join(",\n")))?;
    let mut said = said.lines();
    for (name, pair) in pairs {
        for line in expected(pair) {
            let other = said.next().unwrap_or("nothing");
            assert_eq!(line.trim_end(), other.trim_end(), "ours and theirs, {name}\n{}", pair.show());
        }
    }
    assert_eq!(said.next(), None);
    Ok(())
}

#[test]
fn another_oracle_says_the_same_about_random_pairs() {
    let sizes = PairSizes { open: 0, ..PairSizes::default() };
    let pairs: Vec<(String, GraphPair)> = seeds(PAIRS, 8_200_000)
        .map(|seed| (format!("seed {seed}"), random_pair(&mut Random::new(seed), sizes)))
        .collect();
    if let Err(absent) = compare(&pairs) {
        return println!("skipped: there is no {absent}");
    }
    if is_whole_run() {
        let simulated = pairs.iter().filter(|(_, p)| simulates(&p.implementation, &p.specification)).count();
        assert!(simulated > PAIRS as usize / 2 && simulated < PAIRS as usize, "{simulated} are simulated");
    }
}

/// The pairs S1 to S5 of `worked_examples.txt`, and the states in which it says that q and p are covered.
fn examples() -> Vec<(&'static str, GraphPair, [Vec<u32>; 2])> {
    let cycle = || graph_of_numbers(3, &[0], &[(0, 1), (1, 2), (2, 0)], &[("p", &[0]), ("q", &[1])]);
    let pair = |implementation: Graph, specification: Graph| GraphPair { implementation, specification };
    let all: Vec<(u32, u32)> = (0..4).flat_map(|from| (0..4).map(move |to| (from, to))).collect();
    let free = [(0, 1), (1, 2), (1, 3), (2, 0), (3, 0)];
    let branching = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 0)];
    let more = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 0), (3, 3), (1, 0)];
    let labels: &[(&str, &[u32])] = &[("p", &[0]), ("q", &[1, 3])];
    vec![
        ("S1", pair(cycle(), cycle()), [vec![0, 1, 2], vec![0, 1, 2]]),
        ("S2", pair(cycle(), graph_of_numbers(4, &[0], &free, labels)), [vec![0, 1], vec![0, 1, 2]]),
        (
            "S3",
            pair(cycle(), graph_of_numbers(4, &[0, 1, 2, 3], &all, &[("p", &[1, 3]), ("q", &[2, 3])])),
            [vec![], vec![]],
        ),
        (
            "S4",
            pair(
                graph_of_numbers(
                    4,
                    &[0],
                    &[(0, 1), (1, 2), (2, 3), (3, 0)],
                    &[("p", &[0, 2]), ("q", &[1, 3])],
                ),
                graph_of_numbers(2, &[0], &[(0, 1), (1, 0)], &[("p", &[0]), ("q", &[1])]),
            ),
            [vec![0, 1, 2, 3], vec![0, 1, 2, 3]],
        ),
        (
            "S5",
            pair(graph_of_numbers(4, &[0], &branching, labels), graph_of_numbers(4, &[0], &more, labels)),
            [vec![0, 3], vec![0, 1, 2, 3]],
        ),
    ]
}

#[test]
fn the_worked_examples_are_covered_as_they_say() {
    for (name, pair, [q, p]) in examples() {
        assert!(simulates(&pair.implementation, &pair.specification), "{name}");
        let covered = covered_flips(&pair.implementation, &pair.specification);
        let states = |proposition| -> Vec<u32> {
            covered.iter().filter(|flip| flip.proposition == proposition).map(|flip| flip.state).collect()
        };
        assert_eq!((states(0), states(1)), (p, q), "{name}");
    }
    let pairs: Vec<(String, GraphPair)> =
        examples().into_iter().map(|(name, pair, _)| (name.to_owned(), pair)).collect();
    if let Err(absent) = compare(&pairs) {
        println!("skipped: there is no {absent}");
    }
}

/// What the other oracle does not know: an open label of the specification accepts what is said and what is not, one of the implementation is accepted by open ones only.
#[test]
fn open_labels_accept_all_and_are_accepted_by_open_ones_only() {
    let label = |graph: Graph, label: Label| {
        let mut builder = propcov_ir::GraphBuilder::new(graph.propositions().to_vec());
        builder.add_state("only", label);
        builder.set_initial(0);
        builder.add_transition(0, 0);
        builder.finish()
    };
    let base = graph_of_numbers(1, &[0], &[(0, 0)], &[("p", &[])]);
    for promised in [Label::False, Label::True, Label::Open] {
        for specified in [Label::False, Label::True, Label::Open] {
            let (implementation, specification) =
                (label(base.clone(), promised), label(base.clone(), specified));
            let expected = specified == Label::Open || specified == promised;
            assert_eq!(simulates(&implementation, &specification), expected, "{promised:?} {specified:?}");
            let flip = LabelFlip { state: 0, proposition: 0 };
            let covered = covered_flips(&implementation, &specification).contains(&flip);
            let is_covered = promised != Label::Open && specified != Label::Open && specified == promised;
            assert!(!expected || covered == is_covered, "{promised:?} {specified:?}");
        }
    }
}
