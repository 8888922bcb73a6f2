//! What assertions say of infinite runs, from text to verdict: random properties on designs that have one run only, `u v v v …`, so that `sva_oracle.py` knows the answer. Engines decide
//! them, lassos are replayed and proofs certified; an assumption of the same kind leaves the run, or takes it away. In one step a tick; with a clock that has a condition; with clocks
//! that are signals, where `disable iff` is not sampled.
//!
//! `PROPCOV_SEED=n` replays one design, `PROPCOV_CASES=n` changes how many properties there are.

use crate::sva_infinite::is_liveness;
use crate::sva_oracle::ask;
use crate::verilog::tools::{python, read_texts};
use propcov_engine::Limits;
use propcov_ir::{PropertyId, PropertyKind, System};
use propcov_verify::{Options, Silent, Verifier};
use serde_json::Value;
use std::fmt::Write as _;

/// Properties of one design, of which those of liveness are taken, and about so many are.
const BATCH: usize = 40;
const TAKEN: usize = 14;
/// Designs in the suite.
const DESIGNS: usize = 6;

/// Prints a word, and properties with what they come to on it. What is given up is said apart.
const ASK: &str = r#"
import json, random, sys, sva_oracle as o
count, seed = int(sys.argv[1]), int(sys.argv[2])
r, names = random.Random(seed), ["a", "b", "c"]
u, v = o.r_word(r, names, 0, 4), o.r_word(r, names, 1, 3)
print(json.dumps({"u": u, "v": v}))
while count:
    o.clear()
    p = o.r_legal(r, names[:r.randint(2, 3)], r.randint(1, 3))
    is_given_up = isinstance(p, tuple) and p[0] == "disable_iff"
    if not is_given_up and r.random() < 0.3:
        p, is_given_up = ("disable_iff", o.r_bool(r, names, False), p), True
    if "[=0]" in o.sv(p):
        continue
    disabled, body = (o.sv(p[1]), o.sv(p[2])) if is_given_up else (None, o.sv(p))
    print(json.dumps({"property": p, "disabled": disabled, "body": body, "holds": o.holds(p, u, v), "fail_tick": o.fail_tick(p, u + 8 * v)}))
    count -= 1
"#;

/// When there is a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Clock {
    /// In every step.
    Step,
    /// In the steps in which an input is true.
    Condition,
    /// Where a signal rises, in a design with another clock.
    Signal,
}

/// One property as text.
fn text(case: &Value, clock: Clock) -> String {
    let body = case["body"].as_str().unwrap();
    let event = if clock == Clock::Condition { "posedge clk iff go" } else { "posedge clk" };
    match case["disabled"].as_str() {
        // What has been sampled at a tick is shown after it, and until the next one.
        Some(disabled) if clock == Clock::Signal => {
            let shown =
                |text: String, name: &&str| text.replace(name, &format!("shown.{}", name.to_uppercase()));
            let shown = ["a", "b", "c"].iter().fold(disabled.to_owned(), shown).to_lowercase();
            format!("@({event}) disable iff ({shown}) {body}")
        }
        Some(disabled) => format!("@({event}) disable iff ({disabled}) {body}"),
        None => format!("@({event}) {body}"),
    }
}

/// A design whose only run has this word.
fn module(word: &Value, claims: &[&Value], assumed: Option<&Value>, clock: Clock) -> String {
    let (u, v) = (word["u"].as_array().unwrap(), word["v"].as_array().unwrap());
    let all: Vec<&Value> = u.iter().chain(v).collect();
    let table = |name: &str| {
        let bit = |letter: &&Value| letter.as_array().unwrap().iter().any(|one| one == name);
        all.iter().rev().map(|letter| if bit(letter) { '1' } else { '0' }).collect::<String>()
    };
    let mut module =
        String::from("module m(input bit clk, other, go);\n  bit [3:0] at = 0;\n  bit a, b, c;\n");
    module += "  struct packed { bit a, b, c; } shown = 0;\n";
    for name in ["a", "b", "c"] {
        let bits = table(name);
        writeln!(module, "  assign {name} = 1'({}'b{bits} >> at);", bits.len()).unwrap();
    }
    let moves = if clock == Clock::Condition { "if (go) " } else { "" };
    let (last, back) = (all.len() - 1, u.len());
    writeln!(module, "  always_ff @(posedge clk) {moves}at <= at == {last} ? {back} : at + 1;").unwrap();
    if clock == Clock::Signal {
        module += "  always_ff @(posedge clk) shown <= {a, b, c};\n";
        module += "  bit toggle = 0;\n  always_ff @(posedge other) toggle <= !toggle;\n";
        module += "  both: assert property (@(posedge other) toggle |=> !toggle);\n";
    }
    for (position, claim) in claims.iter().enumerate() {
        writeln!(module, "  p{position}: assert property ({});", text(claim, clock)).unwrap();
    }
    if let Some(assumed) = assumed {
        writeln!(module, "  q: assume property ({});", text(assumed, clock)).unwrap();
    }
    module + "endmodule\n"
}

/// What was compared.
#[derive(Debug, Default)]
struct Tally {
    designs: usize,
    liveness: usize,
    violated: usize,
    safety: usize,
    blocked: usize,
    undecided: usize,
}

fn compare(seed: usize, tally: &mut Tally) -> Option<()> {
    let answer = ask(ASK, &[&BATCH.to_string(), &seed.to_string()])?;
    let mut lines = answer.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let word = lines.next().unwrap();
    let mut cases: Vec<Value> = lines.filter(|case| is_liveness(&case["property"])).take(TAKEN + 1).collect();
    let clock = [Clock::Step, Clock::Condition, Clock::Signal][seed % 3];
    let mut assumed = if seed.is_multiple_of(2) { cases.pop() } else { None };
    cases.push(serde_json::json!({"body": "s_eventually 0", "holds": false}));
    let system = loop {
        let claims: Vec<&Value> = cases.iter().collect();
        let module = module(&word, &claims, assumed.as_ref(), clock);
        match read_texts(&[("m.sv", &module)], &["-Wnone"])? {
            // What is too large is left out.
            Ok(design) => match design.unread().first() {
                None => break design.system,
                Some(unread) => {
                    assert!(unread.reason.contains("for a monitor"), "seed {seed}: {unread:?}\n{module}");
                    drop(cases.remove(unread.name[1..].parse().unwrap()));
                }
            },
            // An assumption cannot be.
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains("for a monitor"), "seed {seed}: {text}\n{module}");
                assumed = None;
            }
        }
    };
    tally.designs += 1;
    let (is_fair, blocked_at) = match &assumed {
        Some(assumed) => (assumed["holds"] == true, assumed["fail_tick"].as_u64()),
        None => (true, None),
    };
    tally.blocked += usize::from(!is_fair);
    let fails = |name: &str| -> Option<bool> {
        let (number, is_safety) = match name.strip_prefix('p')?.strip_suffix(".safety") {
            Some(number) => (number, true),
            None => (&name[1..], false),
        };
        let case = &cases[number.parse::<usize>().unwrap()];
        let is_safety = is_safety || invariant(&system, name);
        Some(match (is_safety, case["fail_tick"].as_u64()) {
            (true, Some(tick)) => blocked_at.is_none_or(|blocked| tick < blocked),
            (true, None) => false,
            (false, _) => case["holds"] == false && is_fair,
        })
    };
    // Without a deadline effort is counted in ticks, so that what is decided does not depend on the machine.
    let verifier = Verifier::new(&system, Options::default(), Limits::default(), &Silent);
    let all: Vec<PropertyId> = (0..system.properties().len() as u32).map(PropertyId).collect();
    for outcome in verifier.decide(&all, &mut |_| {}).outcomes {
        let name = &system.property(outcome.property).name;
        let Some(fails) = fails(name) else { continue };
        let about = || {
            format!(
                "seed {seed}, {name}, {clock:?}\n{}",
                module(&word, &cases.iter().collect::<Vec<_>>(), assumed.as_ref(), clock)
            )
        };
        assert!(outcome.internal_errors.is_empty(), "{:?}\n{}", outcome.internal_errors, about());
        if !outcome.answer.is_decided() {
            eprintln!("undecided: {:?}, {}", outcome.answer.reason(), about());
            tally.undecided += 1;
            continue;
        }
        assert!(outcome.certified, "{}", about());
        assert_eq!(outcome.answer.is_falsified(), fails, "{}", about());
        if system.property(outcome.property).is_liveness() {
            tally.liveness += 1;
            tally.violated += usize::from(fails);
        } else {
            tally.safety += 1;
        }
    }
    Some(())
}

fn invariant(system: &System, name: &str) -> bool {
    let known = system.properties().iter().find(|property| property.name == name);
    known.is_some_and(|property| matches!(property.kind, PropertyKind::Invariant(_)))
}

#[test]
fn liveness_is_decided_as_the_oracle_says() {
    if python().is_none() {
        return;
    }
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<usize>().ok());
    let seeds = match number("PROPCOV_SEED") {
        Some(seed) => seed..seed + 1,
        None => 1..1 + number("PROPCOV_CASES").unwrap_or(DESIGNS * TAKEN).div_ceil(TAKEN),
    };
    let mut tally = Tally::default();
    for seed in seeds {
        if compare(seed, &mut tally).is_none() {
            return;
        }
    }
    eprintln!("{tally:?}");
    if tally.designs > 1 {
        assert!(tally.violated > 0 && tally.violated < tally.liveness, "{tally:?}");
    }
    assert_eq!(tally.undecided, 0, "{tally:?}");
}
