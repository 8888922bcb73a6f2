//! What properties say of infinite words, against `sva_oracle.py`: alternating automata, and the conditions that a design gets of them.
//!
//! `PROPCOV_SEED=n` replays one batch, `PROPCOV_CASES=n` changes how many properties there are.

use crate::sva_oracle::{BATCH, cone, letters, oracle};
use crate::verilog::tools::read_texts;
use propcov_frontend::verilog::sva::alternating;
use propcov_frontend::verilog::sva::syntax::{Abort, Atom, Boolean, Property, Sequence, Times, Until};
use propcov_ir::{
    Edits, ExprId, Fairness, Interpreter, Node, PropertyKind, SignalId, SignalKind, Step, System, Value,
};
use std::collections::{BTreeMap, BTreeSet};

/// Bits that are chosen in each step, and nodes, of a search for a fair run.
const LARGE: (u32, usize) = (7, 3_000);

/// A property of the oracle, with Booleans as atoms.
#[derive(Default)]
struct Reader {
    atoms: Vec<serde_json::Value>,
}

impl Reader {
    fn boolean(&mut self, e: &serde_json::Value) -> Boolean {
        if let Some(value) = e.as_bool() {
            return Boolean::Const(value);
        }
        let known = self.atoms.iter().position(|atom| atom == e);
        let atom = known.unwrap_or_else(|| {
            self.atoms.push(e.clone());
            self.atoms.len() - 1
        });
        Boolean::Is(Atom(atom as u32), true)
    }

    fn sequence(&mut self, s: &serde_json::Value) -> Sequence {
        let times =
            |at: usize| Times::new(s[at].as_u64().unwrap() as u32, s[at + 1].as_u64().map(|max| max as u32));
        let mut inner = |at: usize| Box::new(self.sequence(&s[at]));
        match s[0].as_str().unwrap_or_default() {
            "delay" if s[1].is_null() => Sequence::Delay(None, times(2), inner(4)),
            "delay" => Sequence::Delay(Some(inner(1)), times(2), inner(4)),
            "repeat" => Sequence::Repeat(inner(1), times(2)),
            "goto" => Sequence::Goto(self.boolean(&s[1]), times(2)),
            "nonconsec" => Sequence::Nonconsecutive(self.boolean(&s[1]), times(2)),
            "seq_or" => Sequence::Or(inner(1), inner(2)),
            "seq_and" => Sequence::And(inner(1), inner(2)),
            "intersect" => Sequence::Intersect(inner(1), inner(2)),
            "within" => Sequence::Within(inner(1), inner(2)),
            "throughout" => {
                let inner = inner(2);
                Sequence::Throughout(self.boolean(&s[1]), inner)
            }
            "first_match" => Sequence::FirstMatch(inner(1)),
            _ => Sequence::Is(self.boolean(s)),
        }
    }

    fn property(&mut self, p: &serde_json::Value) -> Property {
        let number = |at: usize| p[at].as_u64().map(|number| number as u32);
        let times = |at: usize| Times::new(number(at).unwrap(), number(at + 1));
        let forever = Times::new(0, None);
        let until = |strong, with| Until { strong, with };
        let name = p[0].as_str().unwrap_or_default().trim_start_matches("sync_");
        let mut inner = |at: usize| Box::new(self.property(&p[at]));
        match name {
            "weak" => Property::Strength(false, self.sequence(&p[1])),
            "strong" => Property::Strength(true, self.sequence(&p[1])),
            "not" => Property::Not(inner(1)),
            "and" => Property::And(inner(1), inner(2)),
            "or" => Property::Or(inner(1), inner(2)),
            "implies" => Property::Implies(inner(1), inner(2)),
            "iff" => Property::Iff(inner(1), inner(2)),
            "if" => {
                let (then, otherwise) = (inner(2), p.get(3).is_some().then(|| inner(3)));
                Property::If(self.boolean(&p[1]), then, otherwise)
            }
            "implies_overlap" | "implies_nonoverlap" => {
                let after = inner(2);
                Property::Suffix(self.sequence(&p[1]), name == "implies_nonoverlap", after)
            }
            "followed_overlap" | "followed_nonoverlap" => {
                let after = inner(2);
                Property::FollowedBy(self.sequence(&p[1]), name == "followed_nonoverlap", after)
            }
            "nexttime" | "s_nexttime" => Property::Next(number(1).unwrap(), inner(2)),
            "always" => Property::Always(forever, inner(1)),
            "always_range" | "s_always" => Property::Always(times(1), inner(3)),
            "eventually" | "s_eventually_range" => Property::Eventually(times(1), inner(3)),
            "s_eventually" => Property::Eventually(forever, inner(1)),
            "until" => Property::Until(until(false, false), inner(1), inner(2)),
            "s_until" => Property::Until(until(true, false), inner(1), inner(2)),
            "until_with" => Property::Until(until(false, true), inner(1), inner(2)),
            "s_until_with" => Property::Until(until(true, true), inner(1), inner(2)),
            "accept_on" | "disable_iff" => {
                let given_up = inner(2);
                Property::Abort(Abort::Accept, self.boolean(&p[1]), given_up)
            }
            "reject_on" => {
                let given_up = inner(2);
                Property::Abort(Abort::Reject, self.boolean(&p[1]), given_up)
            }
            "case" => self.case(p),
            _ => Property::Sequence(self.sequence(p)),
        }
    }

    fn case(&mut self, p: &serde_json::Value) -> Property {
        let item = |item: &serde_json::Value, reader: &mut Reader| {
            let condition = serde_json::json!(["equals", p[1], item[1]]);
            (reader.boolean(&condition), reader.property(&item[2]))
        };
        let items = p[2].as_array().unwrap().iter().map(|one| item(one, self)).collect();
        let default = (!p[3].is_null()).then(|| Box::new(self.property(&p[3])));
        Property::Case(items, default)
    }
}

/// Whether a property of the oracle says something about infinite runs alone.
pub(crate) fn is_liveness(property: &serde_json::Value) -> bool {
    let property = Reader::default().property(property);
    alternating(&property, None, false).is_ok_and(|automaton| automaton.is_liveness())
}

/// The value of a Boolean at a tick.
fn value(e: &serde_json::Value, word: &[BTreeSet<String>], tick: usize) -> bool {
    if let Some(name) = e.as_str() {
        return word[tick].contains(name);
    }
    if let Some(constant) = e.as_bool() {
        return constant;
    }
    let now = |at: usize| value(&e[at], word, tick);
    // Conditions are 0 before the first tick, and what is made of them is what it is then.
    let nothing = [BTreeSet::new()];
    let before = |ticks: usize| match tick.checked_sub(ticks) {
        Some(tick) => value(&e[1], word, tick),
        None => value(&e[1], &nothing, 0),
    };
    match e[0].as_str().unwrap() {
        "!" => !now(1),
        "&&" => now(1) && now(2),
        "||" => now(1) || now(2),
        "$past" => before(e[2].as_u64().unwrap() as usize),
        "$rose" => now(1) && !before(1),
        "$fell" => !now(1) && before(1),
        "$stable" => now(1) == before(1),
        "$changed" => now(1) != before(1),
        "equals" => {
            let bits: Vec<bool> =
                e[1].as_array().unwrap().iter().skip(1).map(|part| value(part, word, tick)).collect();
            let is = |wanted: &serde_json::Value| {
                let wanted = wanted.as_array().unwrap().iter();
                wanted
                    .map(|bit| bit.as_u64() == Some(1) || bit.as_bool() == Some(true))
                    .eq(bits.iter().copied())
            };
            e[2].as_array().unwrap().iter().any(is)
        }
        other => panic!("{other}"),
    }
}

/// Infinite words, where liveness counts as well: at each tick the alternating automaton of a property accepts, or that of its opposite, and the property
/// holds if the first does at all ticks.
#[test]
fn automata_accept_the_infinite_words_on_which_the_oracle_says_that_a_property_holds() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<usize>().ok());
    let seeds = match number("PROPCOV_SEED") {
        Some(seed) => seed..seed + 1,
        None => 1..1 + number("PROPCOV_CASES").unwrap_or(600).div_ceil(BATCH),
    };
    let (mut properties, mut liveness, mut words, mut failing) = (0, 0, 0, 0);
    for seed in seeds {
        let Some(cases) = oracle(seed) else { return };
        for case in cases {
            let mut reader = Reader::default();
            let property = reader.property(&case["property"]);
            let Ok(automaton) = alternating(&property, None, false) else { continue };
            let opposite = alternating(&property, None, true).unwrap();
            properties += 1;
            liveness += usize::from(automaton.is_liveness());
            for word in case["words"].as_array().unwrap() {
                let (u, v) = (letters(&word["u"]), letters(&word["v"]));
                // So often that sampled values of the past repeat as well.
                let whole: Vec<_> = u.iter().chain(v.iter().cycle().take(12 * v.len())).cloned().collect();
                let letter =
                    |tick: usize| reader.atoms.iter().map(|atom| value(atom, &whole, tick)).collect();
                let all: Vec<Vec<bool>> = (0..whole.len()).map(letter).collect();
                let (before, again) = all.split_at(whole.len() - v.len());
                let succeeding = automaton.attempts(before, again);
                let refuted: Vec<bool> =
                    opposite.attempts(before, again).iter().map(|fails| !fails).collect();
                let holds = word["holds"].as_bool().unwrap();
                let about = format!("seed {seed}: {} on {u:?} {v:?}", case["sv"]);
                assert_eq!(succeeding, refuted, "{about}");
                assert_eq!(succeeding.iter().all(|succeeds| *succeeds), holds, "{about}");
                words += 1;
                failing += usize::from(!holds);
            }
        }
    }
    eprintln!("{properties} properties, {liveness} with liveness, {words} words, {failing} violated");
    assert!(liveness > 0 && failing > 0 && failing < words);
}

/// Whether some choices make a run over the word `u v v v …` fair: an explicit search for a cycle, for conditions with few states.
pub(crate) fn has_fair_run(
    interpreter: &Interpreter<'_>,
    conditions: &[ExprId],
    (u, v): (&[BTreeSet<String>], &[BTreeSet<String>]),
    (most_choices, most_nodes): (u32, usize),
) -> Option<bool> {
    let system = interpreter.system();
    let mut states = BTreeSet::new();
    conditions.iter().for_each(|condition| states.extend(cone(system, *condition).states));
    let states: Vec<SignalId> = states.into_iter().collect();
    let mut read = BTreeSet::new();
    let nexts = states.iter().filter_map(|state| match system.signal(*state).kind {
        SignalKind::State { next, .. } => next,
        _ => None,
    });
    for expr in conditions.iter().copied().chain(nexts) {
        read.extend(inputs_of(system, expr));
    }
    let choices: Vec<SignalId> = read
        .into_iter()
        .filter(|input| !["a", "b", "c"].contains(&system.signal(*input).name.as_str()))
        .collect();
    let width = |signal: &SignalId| system.signal(*signal).sort.width().unwrap();
    let bits: u32 = choices.iter().map(width).sum();
    if bits > most_choices {
        return None;
    }
    let zero = |id: &SignalId| Value::Bits(propcov_ir::Bits::zero(width(id)));
    let places = u.len() + v.len();
    let letter = |place: usize| u.get(place).unwrap_or_else(|| &v[place - u.len()]);
    // A node is a place of the word and what the states are; of each, where choices lead and which conditions hold on the way.
    let mut nodes: Vec<(usize, Vec<Value>)> = Vec::new();
    let mut ids: BTreeMap<(usize, Vec<String>), usize> = BTreeMap::new();
    let mut edges: Vec<Vec<(usize, Vec<bool>)>> = Vec::new();
    let mut node = |place: usize, values: Vec<Value>, nodes: &mut Vec<(usize, Vec<Value>)>| {
        let key = (place, values.iter().map(ToString::to_string).collect());
        *ids.entry(key).or_insert_with(|| {
            nodes.push((place, values));
            nodes.len() - 1
        })
    };
    let first = Step {
        inputs: system.inputs().iter().map(zero).collect(),
        states: system.states().iter().map(zero).collect(),
        free: BTreeMap::default(),
    };
    let mut start = first.clone();
    interpreter.start(&mut start, |_| true).unwrap();
    let position = |signal: &SignalId| system.states().iter().position(|state| state == signal).unwrap();
    let starting = states.iter().map(|state| start.states[position(state)].clone()).collect();
    node(0, starting, &mut nodes);
    while edges.len() < nodes.len() {
        if nodes.len() > most_nodes {
            return None;
        }
        let (place, values) = nodes[edges.len()].clone();
        let mut leaving = Vec::new();
        for chosen in 0..1_u64 << bits {
            let mut left = chosen;
            let mut step = first.clone();
            for (input, value) in system.inputs().iter().zip(&mut step.inputs) {
                if let Some(choice) = choices.iter().find(|choice| *choice == input) {
                    let own = left & ((1 << width(choice)) - 1);
                    left >>= width(choice);
                    *value = Value::Bits(propcov_ir::Bits::from_u64(width(choice), own));
                } else {
                    *value = Value::bool(letter(place).contains(&system.signal(*input).name));
                    if width(input) != 1 {
                        *value = zero(input);
                    }
                }
            }
            for (state, value) in states.iter().zip(&values) {
                step.states[position(state)] = value.clone();
            }
            let mut frame = interpreter.frame(&step).unwrap();
            let met = conditions.iter().map(|one| frame.value(*one).unwrap() == Value::bool(true)).collect();
            let after = states.iter().map(|state| match system.signal(*state).kind {
                SignalKind::State { next: Some(next), .. } => frame.value(next).unwrap(),
                _ => panic!("a state that keeps its value"),
            });
            let after: Vec<Value> = after.collect();
            let is_lost = states.iter().zip(&after).any(|(state, value)| {
                system.signal(*state).name.ends_with(".lost") && *value == Value::bool(true)
            });
            if !is_lost {
                let next = if place + 1 < places { place + 1 } else { u.len() };
                leaving.push((node(next, after, &mut nodes), met));
            }
        }
        leaving.sort();
        leaving.dedup();
        edges.push(leaving);
    }
    // From which nodes a path leads back to the node itself that meets all conditions on its way.
    let meets_all = |from: usize| {
        let (mut open, mut seen) = (vec![(from, vec![false; conditions.len()])], BTreeSet::new());
        while let Some((at, met)) = open.pop() {
            for (to, here) in &edges[at] {
                let met: Vec<bool> = met.iter().zip(here).map(|(one, other)| *one || *other).collect();
                if *to == from && met.iter().all(|one| *one) {
                    return true;
                }
                if seen.insert((*to, met.clone())) {
                    open.push((*to, met));
                }
            }
        }
        false
    };
    Some((0..nodes.len()).any(meets_all))
}

/// The inputs in an expression and in the wires that it reads.
fn inputs_of(system: &System, expr: ExprId) -> BTreeSet<SignalId> {
    let (mut open, mut seen, mut inputs) = (vec![expr], BTreeSet::new(), BTreeSet::new());
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match system.exprs.node(expr) {
            Node::Signal(signal) => match system.signal(*signal).kind {
                SignalKind::Wire { definition } => open.push(definition),
                SignalKind::State { .. } => {}
                SignalKind::Input => {
                    inputs.insert(*signal);
                }
            },
            _ => open.extend(system.exprs.operands(expr)),
        }
    }
    inputs
}

/// Liveness in a whole design: the conditions of a justice property can be made true infinitely often on exactly the words on which the property does not hold; those
/// that an assumption of the same adds as fairness, on those on which it does, as far as no finite word shows that it does not.
#[test]
fn justice_and_fairness_are_met_on_the_words_on_which_the_oracle_says_so() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<usize>().ok());
    let seeds = match number("PROPCOV_SEED") {
        Some(seed) => seed..seed + 1,
        None => 1..1 + number("PROPCOV_CASES").unwrap_or(50).div_ceil(BATCH),
    };
    let (mut asserted, mut assumed, mut words, mut failing) = (0, 0, 0, 0);
    for seed in seeds {
        let Some(cases) = oracle(seed) else { return };
        for case in cases {
            let property = Reader::default().property(&case["property"]);
            match alternating(&property, None, false) {
                Ok(automaton) if automaton.is_liveness() => {}
                _ => continue,
            }
            let text = case["sv"].as_str().unwrap();
            for kind in ["assert", "assume"] {
                let module = format!(
                    "module m(input bit clk, a, b, c);\n  p: {kind} property (@(posedge clk) {text});\n  q: assert property (@(posedge clk) a || !a);\nendmodule\n"
                );
                let Some(read) = read_texts(&[("m.sv", &module)], &["-Wnone"]) else { return };
                let Ok(design) = read else { continue };
                let system = &design.system;
                let edits = Edits::none();
                let interpreter = Interpreter::new(system, &edits).unwrap();
                let is_assumed = kind == "assume";
                let conditions: Vec<ExprId> = if is_assumed {
                    let condition = |one: &Fairness| match one {
                        Fairness::Justice(often) => *often,
                        other => panic!("{other:?}"),
                    };
                    system.fairness.iter().map(condition).collect()
                } else {
                    match &system.properties()[0].kind {
                        PropertyKind::Justice(conditions) => conditions.clone(),
                        _ => Vec::new(),
                    }
                };
                // Constants may show that nothing has to come.
                if conditions.is_empty() {
                    continue;
                }
                for word in case["words"].as_array().unwrap().iter().take(3) {
                    let (u, v) = (letters(&word["u"]), letters(&word["v"]));
                    let Some(found) = has_fair_run(&interpreter, &conditions, (&u, &v), LARGE) else { break };
                    let holds = word["holds"].as_bool().unwrap();
                    let about = format!("seed {seed}: {kind} {text} on {u:?} {v:?}");
                    assert_eq!(found, holds == is_assumed, "{about}");
                    words += 1;
                    failing += usize::from(!holds);
                    if is_assumed {
                        assumed += 1;
                    } else {
                        asserted += 1;
                    }
                }
            }
        }
    }
    eprintln!("{asserted} words for assertions, {assumed} for assumptions, {failing} of {words} violated");
    assert!(asserted > 0 && assumed > 0 && failing > 0 && failing < words);
}
