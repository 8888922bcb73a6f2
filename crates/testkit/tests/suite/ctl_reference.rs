//! The explicit CTL oracle against another one: `ctl_oracle.py`, which knows fair CTL in two ways of its own.
//!
//! It stands outside the project, in `../shared/oracle`; where it or Python is absent, the test says so and passes. It wants transitions out of each
//! state, and justice conditions that speak of states.

use propcov_ir::{Ctl, Edits, Fairness, PropertyId, PropertyKind, Quantifier, System};
use propcov_testkit::{Edge, ExplicitCtl, ctl_system, reference};
use std::fmt::Write as _;

/// How many structures are compared.
const STRUCTURES: usize = 2000;

/// Reads structures from standard input and says for each of them which states are reachable and fair, and for each formula which
/// states satisfy it, by both checkers, and whether it holds.
const DRIVER: &str = r"
import json, sys
sys.path.insert(0, sys.argv[1])
import ctl_oracle as o
def formula(f): return tuple(formula(x) if isinstance(x, list) else x for x in f)
def show(s): return ' '.join(str(x) for x in sorted(s))
for d in json.load(sys.stdin):
    k = o.Kripke.fromdict(d)
    print('reach', show(k.reach()))
    print('fair', show(o.fair_states(k)))
    for f in d['formulas']:
        f = formula(f)
        print('el', show(o.sat_el(k, f)))
        print('path', show(o.sat_path(k, f)))
        print('holds', o.holds(k, f))
";

/// The structure as JSON and what the driver should say about it; `None` if it has no place there.
fn structure(system: &System) -> Option<(String, Vec<String>)> {
    let edits = Edits::none();
    let explicit = ExplicitCtl::new(system, &edits).ok()?;
    let count = explicit.states().len();
    let first_edge = |state: usize| explicit.edges().iter().find(|edge| edge.from == state);
    let met: Vec<u64> =
        (0..count).map(|state| first_edge(state).map(|edge| edge.met)).collect::<Option<_>>()?;
    let is_justice = |condition: &Fairness| matches!(condition, Fairness::Justice(_));
    let of_state = |edge: &Edge| edge.met == met[edge.from];
    if !(1..=16).contains(&count)
        || !system.fairness.iter().all(is_justice)
        || !explicit.edges().iter().all(of_state)
    {
        return None;
    }
    let set = |holds: &dyn Fn(usize) -> bool| {
        (0..count).filter(|state| holds(*state)).map(|state| state.to_string()).collect::<Vec<_>>()
    };
    let array = |holds: &dyn Fn(usize) -> bool| format!("[{}]", set(holds).join(","));
    let line = |name: &str, holds: &dyn Fn(usize) -> bool| format!("{name} {}", set(holds).join(" "));
    let reachable = |state: usize| explicit.distances()[state].is_some();
    let mut expected = vec![line("reach", &reachable), line("fair", &|state| explicit.fair()[state])];
    let (mut labels, mut formulas) = (Vec::new(), Vec::new());
    for (index, property) in system.properties().iter().enumerate() {
        let PropertyKind::Ctl(formula) = &property.kind else { return None };
        for atom in formula.atoms() {
            let satisfies = explicit.satisfies(&Ctl::Atom(atom));
            labels.push((atom, format!("\"a{}\":{}", atom.0, array(&|state| satisfies[state]))));
        }
        formulas.push(json(formula));
        let satisfies = explicit.satisfies(formula);
        expected.push(line("el", &|state| satisfies[state]));
        expected.push(line("path", &|state| satisfies[state]));
        let holds = explicit.holds(PropertyId(index as u32));
        expected.push(format!("holds {}", if holds { "True" } else { "False" }));
    }
    labels.sort();
    labels.dedup();
    let labels: Vec<String> = labels.into_iter().map(|(_, label)| label).collect();
    let edges: Vec<String> =
        explicit.edges().iter().map(|edge| format!("[{},{}]", edge.from, edge.to)).collect();
    let fair: Vec<String> =
        (0..system.fairness.len()).map(|bit| array(&|state| met[state] >> bit & 1 == 1)).collect();
    let init = array(&|state| explicit.initial()[state]);
    let (edges, labels, fair, formulas) =
        (edges.join(","), labels.join(","), fair.join(","), formulas.join(","));
    let text = format!(
        "{{\"n\":{count},\"init\":{init},\"edges\":[{edges}],\"labels\":{{{labels}}},\"fair\":[{fair}],\"formulas\":[{formulas}]}}"
    );
    Some((text, expected))
}

/// The formula as nested lists of operators and operands.
fn json(formula: &Ctl) -> String {
    let letter = |quantifier: &Quantifier| match quantifier {
        Quantifier::All => 'A',
        Quantifier::Exists => 'E',
    };
    match formula {
        Ctl::Atom(expr) => format!("[\"ap\",\"a{}\"]", expr.0),
        Ctl::Not(a) => format!("[\"not\",{}]", json(a)),
        Ctl::And(a, b) => format!("[\"and\",{},{}]", json(a), json(b)),
        Ctl::Or(a, b) => format!("[\"or\",{},{}]", json(a), json(b)),
        Ctl::Next(quantifier, a) => format!("[\"{}X\",{}]", letter(quantifier), json(a)),
        Ctl::Until(quantifier, a, b) => format!("[\"{}U\",{},{}]", letter(quantifier), json(a), json(b)),
        Ctl::Release(quantifier, a, b) => format!("[\"{}R\",{},{}]", letter(quantifier), json(a), json(b)),
    }
}

#[test]
fn satisfying_states_are_those_of_an_independent_oracle() {
    let mut input = String::from("[");
    let mut expected: Vec<(u64, String)> = Vec::new();
    let structures = (0..60_000).filter_map(|seed| structure(&ctl_system(seed)).map(|found| (seed, found)));
    let mut count = 0;
    for (seed, (text, lines)) in structures.take(STRUCTURES) {
        let comma = if count > 0 { ",\n" } else { "" };
        write!(input, "{comma}{text}").expect("memory");
        expected.extend(lines.into_iter().map(|line| (seed, line)));
        count += 1;
    }
    input.push(']');
    assert_eq!(count, STRUCTURES);
    let output = match reference::ask(DRIVER, &input) {
        Ok(output) => output,
        Err(absent) => return println!("skipped: there is no {absent}"),
    };
    let found: Vec<&str> = output.lines().collect();
    assert_eq!(found.len(), expected.len());
    for ((seed, expected), found) in expected.iter().zip(found) {
        assert_eq!(expected.trim(), found.trim(), "seed {seed}");
    }
}
