//! Concurrent assertions: obligations against the definition in `testkit`, and monitors of whole designs.
//!
//! `PROPCOV_SEED=n` replays one case, `PROPCOV_CASES=n` changes how many there are.

use crate::sva_book::module;
use crate::sva_oracle::{cone, fails};
use crate::verilog::tools::{read, read_texts};
use propcov_frontend::verilog::sva::syntax::{Abort, Atom, Boolean, Property, Sequence, Times, Until};
use propcov_frontend::verilog::sva::{Claim, Problem, claim, goal, obligations::Obligations};
use propcov_ir::{Edits, Interpreter, Origin, PropertyKind, Value};
use propcov_testkit::Random;
use propcov_testkit::sva::{
    Bool, Letter, Prop, Range, Seq, failing_tick, failing_tick_among, is_legal, marked_ticks, property_text,
    random_property, random_word, reaching_tick, shrunk_property, shrunk_word,
};
use std::collections::BTreeSet;

/// Where matches are looked for beyond the end of a word.
const HORIZON: usize = 24;

fn boolean(boolean: Bool) -> Boolean {
    match boolean {
        Bool::Const(value) => Boolean::Const(value),
        Bool::Is(atom, value) => Boolean::Is(Atom(atom as u32), value),
    }
}

fn times((min, max): Range) -> Times {
    Times::new(min, max)
}

fn sequence(seq: &Seq) -> Sequence {
    let inner = |seq: &Seq| Box::new(sequence(seq));
    match seq {
        Seq::Is(condition) => Sequence::Is(boolean(*condition)),
        Seq::Delay(left, ticks, right) => Sequence::Delay(Some(inner(left)), times(*ticks), inner(right)),
        Seq::Wait(ticks, right) => Sequence::Delay(None, times(*ticks), inner(right)),
        Seq::Repeat(repeated, count) => Sequence::Repeat(inner(repeated), times(*count)),
        Seq::Goto(condition, count) => Sequence::Goto(boolean(*condition), times(*count)),
        Seq::Nonconsecutive(condition, count) => Sequence::Nonconsecutive(boolean(*condition), times(*count)),
        Seq::Or(left, right) => Sequence::Or(inner(left), inner(right)),
        Seq::And(left, right) => Sequence::And(inner(left), inner(right)),
        Seq::Intersect(left, right) => Sequence::Intersect(inner(left), inner(right)),
        Seq::Within(left, right) => Sequence::Within(inner(left), inner(right)),
        Seq::Throughout(condition, during) => Sequence::Throughout(boolean(*condition), inner(during)),
        Seq::FirstMatch(matched) => Sequence::FirstMatch(inner(matched)),
    }
}

fn property(prop: &Prop) -> Property {
    let inner = |prop: &Prop| Box::new(property(prop));
    let until = |strong, with| Until { strong, with };
    match prop {
        Prop::Seq(seq) => Property::Sequence(sequence(seq)),
        Prop::Weak(seq) => Property::Strength(false, sequence(seq)),
        Prop::Strong(seq) => Property::Strength(true, sequence(seq)),
        Prop::Not(negated) => Property::Not(inner(negated)),
        Prop::And(left, right) => Property::And(inner(left), inner(right)),
        Prop::Or(left, right) => Property::Or(inner(left), inner(right)),
        Prop::Implies(left, right) => Property::Implies(inner(left), inner(right)),
        Prop::Iff(left, right) => Property::Iff(inner(left), inner(right)),
        Prop::If(condition, then, otherwise) => Property::If(
            boolean(*condition),
            inner(then),
            otherwise.as_ref().map(|otherwise| inner(otherwise)),
        ),
        Prop::Overlapped(seq, after) => Property::Suffix(sequence(seq), false, inner(after)),
        Prop::Nonoverlapped(seq, after) => Property::Suffix(sequence(seq), true, inner(after)),
        Prop::FollowedOverlapped(seq, after) => Property::FollowedBy(sequence(seq), false, inner(after)),
        Prop::FollowedNonoverlapped(seq, after) => Property::FollowedBy(sequence(seq), true, inner(after)),
        Prop::Next(ticks, after) => Property::Next(*ticks, inner(after)),
        Prop::Always(ticks, always) => Property::Always(times(*ticks), inner(always)),
        Prop::Eventually(ticks, some) => Property::Eventually(times(*ticks), inner(some)),
        Prop::Until(left, right) => Property::Until(until(false, false), inner(left), inner(right)),
        Prop::StrongUntil(left, right) => Property::Until(until(true, false), inner(left), inner(right)),
        Prop::UntilWith(left, right) => Property::Until(until(false, true), inner(left), inner(right)),
        Prop::StrongUntilWith(left, right) => Property::Until(until(true, true), inner(left), inner(right)),
        Prop::AcceptOn(condition, given_up) => {
            Property::Abort(Abort::Accept, boolean(*condition), inner(given_up))
        }
        Prop::RejectOn(condition, given_up) => {
            Property::Abort(Abort::Reject, boolean(*condition), inner(given_up))
        }
    }
}

fn run(obligations: &Obligations, word: &[Letter]) -> (Option<usize>, BTreeSet<usize>) {
    let letters: Vec<_> = word.iter().map(|letter| move |atom: Atom| letter[atom.0 as usize]).collect();
    let (fails, marks) = obligations.run(&letters);
    (fails, marks.into_iter().collect())
}

fn cases(default: usize) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    match number("PROPCOV_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("PROPCOV_CASES").unwrap_or(default as u64),
    }
}

/// What differs on a word, if something does.
fn difference(prop: &Prop, word: &[Letter]) -> Option<String> {
    let ours = match claim(&property(prop), None) {
        Ok(claim) => run(&claim.obligations, word).0,
        Err(Problem::States | Problem::Branches) => return None,
    };
    let truth = failing_tick(prop, word, HORIZON);
    (ours != truth).then(|| format!("fails at {ours:?}, by definition {truth:?}"))
}

#[test]
fn obligations_fail_at_the_tick_that_the_definition_gives() {
    let (mut failing, mut large) = (0, 0);
    for seed in cases(1_500) {
        let mut random = Random::new(seed);
        let levels = random.between(1, 2);
        let prop = random_property(&mut random, levels, 0);
        if claim(&property(&prop), None).is_err() {
            large += 1;
            continue;
        }
        for _ in 0..3 {
            let ticks = random.between(2, 6);
            let word = random_word(&mut random, ticks);
            if difference(&prop, &word).is_some() {
                let is_wrong = |prop: &Prop| is_legal(prop, HORIZON) && difference(prop, &word).is_some();
                let small = shrunk_property(&prop, &is_wrong);
                let short = shrunk_word(&word, &|word| difference(&small, word).is_some());
                let what = difference(&small, &short);
                panic!("seed {seed}: {} on {short:?}: {what:?}", property_text(&small));
            }
            failing += usize::from(failing_tick(&prop, &word, HORIZON).is_some());
        }
    }
    eprintln!("{failing} words fail, {large} properties are too large");
    assert!(large < 40, "{large} properties are too large");
}

/// By Annex F even the constant 0 may come true after the word: a first match of it stays possible until its last tick. It was given up one tick too early (seed 8336).
#[test]
fn a_first_match_of_the_constant_zero_is_possible_until_its_last_tick() {
    let never = Box::new(Seq::Is(Bool::Const(false)));
    let first = Seq::FirstMatch(Box::new(Seq::Wait((2, Some(4)), never)));
    let after = Box::new(Prop::Seq(Seq::Is(Bool::Is(0, true))));
    let word = [[true, false, false]; 6];
    for prop in [
        Prop::FollowedOverlapped(first.clone(), after.clone()),
        Prop::FollowedNonoverlapped(first.clone(), after),
        Prop::Seq(first),
    ] {
        assert_eq!(difference(&prop, &word), None, "{}", property_text(&prop));
        assert_eq!(failing_tick(&prop, &word, HORIZON), Some(4), "{}", property_text(&prop));
    }
}

#[test]
fn what_is_to_be_reached_is_reached_at_the_tick_that_the_definition_gives() {
    for seed in cases(2_000) {
        let mut random = Random::new(seed ^ 0xc0_7e55);
        let prop = random_property(&mut random, 1, 0);
        // A goal reads an implication as one that is put to the test.
        let tested = match &prop {
            Prop::Overlapped(seq, after) => Prop::FollowedOverlapped(seq.clone(), after.clone()),
            Prop::Nonoverlapped(seq, after) => Prop::FollowedNonoverlapped(seq.clone(), after.clone()),
            other => other.clone(),
        };
        if matches!(&tested, Prop::FollowedOverlapped(_, after) | Prop::FollowedNonoverlapped(_, after) if !matches!(**after, Prop::Seq(_) | Prop::Weak(_) | Prop::Strong(_)))
        {
            continue;
        }
        let Ok(Claim { obligations, .. }) = goal(&property(&prop), None) else { continue };
        let word = random_word(&mut random, 5);
        let truth = reaching_tick(&tested, &word, HORIZON);
        assert_eq!(run(&obligations, &word).0, truth, "seed {seed}: {} on {word:?}", property_text(&prop));
    }
}

#[test]
fn the_end_of_an_antecedent_is_marked() {
    for seed in cases(2_000) {
        let mut random = Random::new(seed ^ 0xa47e);
        let Prop::Overlapped(seq, _) = random_property(&mut random, 2, 0) else { continue };
        let all = Prop::Overlapped(seq.clone(), Box::new(Prop::Seq(Seq::Is(Bool::Const(true)))));
        let Ok(Claim { obligations, .. }) = claim(&property(&all), None) else { continue };
        let word = random_word(&mut random, 6);
        let (_, marks) = run(&obligations, &word);
        assert_eq!(marks, marked_ticks(&seq, &word), "seed {seed}: {} on {word:?}", property_text(&all));
    }
}

/// Properties with larger bounds, as text through slang: monitors with numbers instead of bits do what obligations do.
#[test]
fn monitors_with_numbers_do_what_obligations_do() {
    let mut counted = 0;
    for batch in 0..cases(200).end.div_ceil(40) {
        let mut random = Random::new(batch ^ 0xc0_0417);
        let mut texts = String::from("module m(input bit clk, a, b, c);\n");
        let mut props = Vec::new();
        while props.len() < 40 {
            let prop = random_property(&mut random, 1, 24);
            let Ok(Claim { obligations, .. }) = claim(&property(&prop), None) else { continue };
            if obligations.moves.len() > 8 {
                texts += &format!(
                    "  p{}: assert property (@(posedge clk) {});\n",
                    props.len(),
                    property_text(&prop)
                );
                props.push((prop, obligations));
            }
        }
        texts += "endmodule\n";
        let Some(read) = read_texts(&[("m.sv", &texts)], &["-Wnone"]) else { return };
        let system = read.unwrap_or_else(|error| panic!("{error}: {texts}")).system;
        let edits = Edits::none();
        let interpreter = Interpreter::new(&system, &edits).unwrap();
        for (position, (prop, obligations)) in props.iter().enumerate() {
            // Where liveness is a part of it, what finite runs can show has a name of its own.
            let names = [format!("p{position}"), format!("p{position}.safety")];
            let holds = system.properties().iter().find_map(|known| match known.kind {
                PropertyKind::Invariant(holds) if names.contains(&known.name) => Some(holds),
                _ => None,
            });
            let Some(holds) = holds else { continue };
            let cone = cone(&system, holds);
            let is_count = |id: &&propcov_ir::SignalId| system.signal(**id).name.contains(".count");
            counted += cone.states.iter().filter(is_count).count();
            for _ in 0..3 {
                let word = random_word(&mut random, 40);
                let names = |letter: &Letter| {
                    ["a", "b", "c"]
                        .iter()
                        .zip(letter)
                        .filter(|(_, is)| **is)
                        .map(|(name, _)| (*name).to_owned())
                        .collect()
                };
                let named: Vec<BTreeSet<String>> = word.iter().map(names).collect();
                let ours = fails(&interpreter, &cone, &named);
                assert_eq!(
                    ours,
                    run(obligations, &word).0,
                    "batch {batch}: {} on {word:?}",
                    property_text(prop)
                );
            }
        }
    }
    eprintln!("{counted} numbers");
    assert!(counted > 0);
}

/// Where a process says when an attempt begins: under a condition, or once, at the first tick that there is. What an attempt begins with was taken to be open at every tick:
/// `initial assert property (always a)` said nothing after the first tick.
#[test]
fn attempts_begin_where_the_process_says_so() {
    const BATCH: usize = 25;
    let mut failing = [0; 3];
    for batch in 0..cases(100).end.div_ceil(BATCH as u64) {
        let mut random = Random::new(batch ^ 0x57a2_7000);
        let mut texts = String::from("module m(input bit clk, go, a, b, c);\n");
        let mut props = vec![
            Prop::Always((0, None), Box::new(Prop::Seq(Seq::Is(Bool::Is(0, true))))),
            Prop::Until(
                Box::new(Prop::Seq(Seq::Is(Bool::Is(0, true)))),
                Box::new(Prop::Seq(Seq::Is(Bool::Is(1, true)))),
            ),
        ];
        while props.len() < BATCH {
            let levels = random.between(1, 2);
            let prop = random_property(&mut random, levels, 0);
            if claim(&property(&prop), None).is_ok_and(|small| small.obligations.moves.len() < 60) {
                props.push(prop);
            }
        }
        for (position, prop) in props.iter().enumerate() {
            let text = property_text(prop);
            texts += &format!("  always_ff @(posedge clk) if (go) p{position}: assert property ({text});\n");
            texts += &format!("  initial q{position}: assert property (@(posedge clk) {text});\n");
            texts += &format!("  initial r{position}: assert property (@(posedge clk iff go) {text});\n");
        }
        texts += "endmodule\n";
        let Some(read) = read_texts(&[("m.sv", &texts)], &["-Wnone"]) else { return };
        let system = read.unwrap_or_else(|error| panic!("{error}: {texts}")).system;
        let edits = Edits::none();
        let interpreter = Interpreter::new(&system, &edits).unwrap();
        for (position, prop) in props.iter().enumerate() {
            for (kind, letter) in ["p", "q", "r"].into_iter().enumerate() {
                let names = [format!("{letter}{position}"), format!("{letter}{position}.safety")];
                let holds = system.properties().iter().find_map(|known| match known.kind {
                    PropertyKind::Invariant(holds) if names.contains(&known.name) => Some(holds),
                    _ => None,
                });
                let cone = holds.map(|holds| cone(&system, holds));
                for _ in 0..3 {
                    let word = random_word(&mut random, 8);
                    let go: Vec<bool> = word.iter().map(|_| random.percent(40)).collect();
                    let named = |(letter, go): (&Letter, &bool)| {
                        let all = ["a", "b", "c", "go"].into_iter().zip(letter.iter().chain([go]));
                        all.filter(|(_, is)| **is).map(|(name, _)| name.to_owned()).collect()
                    };
                    let named: Vec<BTreeSet<String>> = word.iter().zip(&go).map(named).collect();
                    let ticks: Vec<usize> = (0..word.len()).filter(|tick| kind < 2 || go[*tick]).collect();
                    let seen: Vec<Letter> = ticks.iter().map(|tick| word[*tick]).collect();
                    let begins = |tick: usize| if kind == 0 { go[tick] } else { tick == 0 };
                    let expected = failing_tick_among(prop, &seen, &begins, HORIZON).map(|tick| ticks[tick]);
                    let found = cone.as_ref().and_then(|cone| fails(&interpreter, cone, &named));
                    assert_eq!(
                        found,
                        expected,
                        "batch {batch}, {letter}: {} on {named:?}",
                        property_text(prop)
                    );
                    failing[kind] += usize::from(found.is_some());
                }
            }
        }
    }
    assert!(failing.iter().all(|count| *count > 0), "{failing:?}");
}

/// What nobody writes and somebody might: it ends soon, with a monitor or with an error that says where.
#[test]
fn hostile_properties_end_soon_with_a_monitor_or_a_place() {
    let many = |count: usize, between: &str, part: &dyn Fn(usize) -> String| {
        (0..count).map(part).collect::<Vec<String>>().join(between)
    };
    let texts = [
        format!("{} a", "not ".repeat(900)),
        format!("{}a{}", "(".repeat(900), ")".repeat(900)),
        many(36, " iff ", &|at| ["(a |=> b)", "(b |=> c)", "(c |=> a)"][at % 3].to_owned()),
        "a |-> ##[1:1000000000] b".to_owned(),
        "a ##1000000000 b |-> c".to_owned(),
        "a[*1000000000] |-> c".to_owned(),
        "((a[*1:100])[*1:100])[*1:100] |-> c".to_owned(),
        "c |-> ((a[*1:100] ##1 b)[*1:100] ##1 c)[*1:100]".to_owned(),
        "c |-> (##[1:200] a) intersect (##[1:300] b ##[1:100] c)".to_owned(),
        format!("{} |-> c", many(6, " and ", &|at| format!("(##[1:{}] a)", 50 + at))),
        format!("c |-> {}", many(40, " or ", &|at| format!("(##[1:{}] (a ##{at} b))", 50 + at))),
        "nexttime [1000000000] a".to_owned(),
        "not always [0:4000] (a |-> ##[1:10] b)".to_owned(),
        "s_eventually [0:4000] always [0:4000] (a |-> ##[1:10] b)".to_owned(),
        format!("{} |-> c", many(1500, " ##1 ", &|_| "a[*0:1]".to_owned())),
        format!("{} |-> c", many(9000, " ##1 ", &|_| "a[*0:1]".to_owned())),
        format!("{} |-> c", many(800, " ##0 ", &|_| "a[*1:5]".to_owned())),
        "c |-> a[->1:1000000] ##1 b[=1:100000]".to_owned(),
        "(a ##[1:100] b) within (c[*1:1000] ##1 (a within b[->5:50])) |-> c".to_owned(),
        "c |-> strong(##[1:$] a ##[1:$] b ##[1:$] c) until strong(a[->5] ##1 b[->7])".to_owned(),
    ];
    for text in texts {
        let start = std::time::Instant::now();
        let Some(read) = read(&module(&text)) else { return };
        let short: String = text.chars().take(80).collect();
        if let Err(error) = read {
            let error = error.to_string();
            let line = error.split(':').nth(1).and_then(|line| line.parse::<u32>().ok());
            assert!(line.is_some_and(|line| line > 1), "{short}: {error}");
        }
        // A debug build on a loaded machine.
        let seconds = start.elapsed().as_secs();
        eprintln!("{seconds} s: {short}");
        assert!(seconds < 60, "{short}: {seconds} s");
    }
}

/// Macros in the style of large code bases, `bind`, checkers, defaults in generate blocks, and the clock of the process around.
#[test]
fn what_people_write_around_properties_is_read() {
    let text = "
`define CLAIM(name, what, clock = clk, reset = !rst_n) \\
  name: assert property (@(posedge clock) disable iff ((reset) !== '0) (what)) else $error(`\"name`\");
`define CLAIM_NEVER(name, what, clock = clk, reset = !rst_n) \\
  name: assert property (@(posedge clock) disable iff ((reset) !== '0) not (what));
`define GIVEN(name, what, clock = clk, reset = !rst_n) \\
  name: assume property (@(posedge clock) disable iff ((reset) !== '0) (what));
`define REACH(name, what, clock = clk, reset = !rst_n) \\
  name: cover property (@(posedge clock) disable iff ((reset) !== '0) (what));
module inner(input logic clk, rst_n, a, b);
  `CLAIM(Follows, a |=> b)
  `CLAIM_NEVER(Never, a ##1 !b)
  `GIVEN(Given, a |-> !b)
  `REACH(Reached, a ##1 b)
  restricted: restrict property (@(posedge clk) a |=> !a);
endmodule
module bound(input logic clk, x);
  Held: assert property (@(posedge clk) x |=> $past(x));
endmodule
bind inner bound u_bound(.clk(clk), .x(a));
checker twin(x, y, event tick);
  Same: assert property (@tick x |-> y);
endchecker
module dut(input logic clk, rst_n, a, b);
  inner u_inner(.*);
  twin u_twin(a, b, posedge clk);
  default disable iff (!rst_n);
  default clocking cb @(posedge clk); endclocking
  for (genvar i = 0; i < 2; i++) begin : g
    Each: assert property (a |-> ##i b);
  end
  always_ff @(posedge clk) if (a) Inside: assert property (b |=> a);
endmodule
";
    let Some(read) = read_texts(&[("dut.sv", text)], &["--top", "dut"]) else { return };
    let design = read.unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<&str> = design.system.properties().iter().map(|property| property.name.as_str()).collect();
    for name in [
        "u_inner.Follows",
        "u_inner.Never",
        "u_inner.u_bound.Held",
        "u_twin.Same",
        "g[0].Each",
        "g[1].Each",
        "Inside",
    ] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    let constraints: Vec<&str> =
        design.system.constraints().iter().map(|constraint| constraint.name.as_str()).collect();
    assert_eq!(constraints, ["u_inner.Given", "u_inner.restricted"]);
    // What remembers attempts is there, and nobody who looks at elements sees it.
    let states = design.system.states().iter().map(|state| design.system.signal(*state));
    assert!(states.clone().any(|state| state.name.ends_with(".monitor")));
    assert!(
        states.filter(|state| state.name.ends_with(".monitor")).all(|state| state.origin == Origin::Helper)
    );
    let is_monitor = |element: &propcov_ir::Element| element.name.contains(".monitor");
    assert!(!design.system.elements().iter().any(is_monitor));
}

#[test]
fn liveness_is_justice_and_what_finite_runs_show_is_an_invariant() {
    let Some(read) = read(&module("a |-> strong(b ##[1:$] c)")) else { return };
    let system = read.unwrap_or_else(|error| panic!("{error}")).system;
    let kinds: Vec<(&str, bool)> = system
        .properties()
        .iter()
        .map(|property| (property.name.as_str(), matches!(property.kind, PropertyKind::Justice(_))))
        .collect();
    assert_eq!(kinds, [("p", true), ("p.safety", false)]);
}

/// The usual pattern of request and data, against what it says, for all values that there are.
#[test]
fn a_local_variable_is_remembered_by_each_attempt() {
    let text = "module dut(input bit clk, a, b, input bit [1:0] d);
  property answered; bit [1:0] v; @(posedge clk) (a, v = d) |-> ##[1:3] (b && d == v); endproperty
  p: assert property (answered);
endmodule";
    let Some(read) = read(text) else { return };
    let system = read.unwrap_or_else(|error| panic!("{error}")).system;
    let edits = Edits::none();
    let interpreter = Interpreter::new(&system, &edits).unwrap();
    let PropertyKind::Invariant(holds) = system.properties()[0].kind else { panic!("no invariant") };
    let bits = |value: u64, width: u32| Value::Bits(propcov_ir::Bits::from_u64(width, value));
    let mut failing = 0;
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let word: Vec<(bool, bool, u64)> =
            (0..8).map(|_| (random.percent(30), random.percent(60), random.below(3) as u64)).collect();
        let is_met = |start: usize| {
            !word[start].0
                || (1..=3)
                    .any(|later| word.get(start + later).is_none_or(|now| now.1 && now.2 == word[start].2))
        };
        let expected = (0..word.len()).find(|tick| *tick >= 3 && !is_met(tick - 3));
        let mut found: Option<usize> = None;
        for kept in 0..4 {
            let mut states: Vec<Value> = Vec::new();
            for (tick, (a, b, d)) in word.iter().enumerate() {
                let input = |id: &propcov_ir::SignalId| match system.signal(*id).name.as_str() {
                    "a" => Value::bool(*a),
                    "b" => Value::bool(*b),
                    _ => bits(*d, 2),
                };
                let inputs = system.inputs().iter().map(input).collect();
                if tick == 0 {
                    let zero = |id: &propcov_ir::SignalId| {
                        let signal = system.signal(*id);
                        bits(
                            if signal.name.starts_with('v') { kept } else { 0 },
                            signal.sort.width().unwrap(),
                        )
                    };
                    states = system.states().iter().map(zero).collect();
                }
                let step = propcov_ir::Step { inputs, states: states.clone(), free: Default::default() };
                let mut frame = interpreter.frame(&step).unwrap();
                if frame.value(holds).unwrap() == Value::bool(false) {
                    found = Some(found.map_or(tick, |found| found.min(tick)));
                    break;
                }
                let next = frame.successor_values().unwrap();
                states = next.into_iter().zip(states).map(|(next, now)| next.unwrap_or(now)).collect();
            }
        }
        assert_eq!(found, expected, "seed {seed}: {word:?}");
        failing += usize::from(found.is_some());
    }
    assert!(failing > 0);
}
