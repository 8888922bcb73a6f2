//! Concurrent assertions against `sva_oracle.py`, which decides them by definition: its random properties, as SystemVerilog text, through slang, as monitors of a
//! system, on its words. A monitor has to fail at the tick at which the oracle says so, and at no other; and a property has to be violated on the infinite word `u v v v …`,
//! by a monitor that fails in the end or by conditions that can be met for ever, if and only if the oracle says so.
//!
//! `PROPCOV_SEED=n` replays one batch, `PROPCOV_CASES=n` changes how many properties there are.

use crate::sva_infinite::has_fair_run;
use crate::verilog::tools::{python, read_texts};
use propcov_ir::{
    Edits, ExprId, Interpreter, Node, PropertyKind, SignalId, SignalKind, Sort, Step, System, Value,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

/// Properties of one module.
pub(crate) const BATCH: usize = 50;

/// Bits that are chosen in each step, and nodes, of a search for a fair run.
const SMALL: (u32, usize) = (4, 200);
/// On so many words of each property of liveness.
const LIVENESS_WORDS: usize = 2;

/// What the oracle is asked for. What needs look-ahead takes most of its time, and is not needed.
const ASK: &str = "import sys, sva_oracle as o\no.bad_prefix = lambda *a, **k: None\no.main()";

/// Random properties with words and answers, one in a line.
pub(crate) fn oracle(seed: usize) -> Option<Vec<serde_json::Value>> {
    let answer = ask(ASK, &["--generate", &BATCH.to_string(), "--seed", &seed.to_string()])?;
    Some(answer.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// What a program that has the oracle as a library answers; `None` where there is no oracle.
pub(crate) fn ask(program: &str, arguments: &[&str]) -> Option<String> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle");
    if !directory.join("sva_oracle.py").exists() {
        eprintln!("skipped: there is no {}", directory.display());
        return None;
    }
    let mut command = Command::new("python3");
    command.current_dir(directory).env("PYTHONDONTWRITEBYTECODE", "1").args(["-c", program]);
    let output = command.args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

/// A part of a system: what one property depends on.
pub(crate) struct Cone {
    goal: ExprId,
    pub(crate) states: BTreeSet<SignalId>,
}

pub(crate) fn cone(system: &System, goal: ExprId) -> Cone {
    let (mut open, mut seen, mut states) = (vec![goal], BTreeSet::new(), BTreeSet::new());
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match system.exprs.node(expr) {
            Node::Signal(signal) => match system.signal(*signal).kind {
                SignalKind::Wire { definition } => open.push(definition),
                SignalKind::State { init, next } => {
                    states.insert(*signal);
                    open.extend(init.into_iter().chain(next));
                }
                SignalKind::Input => {}
            },
            _ => open.extend(system.exprs.operands(expr)),
        }
    }
    Cone { goal, states }
}

/// The first letter of a word at which the goal of a cone is not met.
pub(crate) fn fails(interpreter: &Interpreter<'_>, cone: &Cone, word: &[BTreeSet<String>]) -> Option<usize> {
    failures(interpreter, cone, word, true).into_iter().next()
}

/// All letters of a word at which the goal of a cone is not met.
pub(crate) fn all_failures(
    interpreter: &Interpreter<'_>,
    cone: &Cone,
    word: &[BTreeSet<String>],
) -> BTreeSet<usize> {
    failures(interpreter, cone, word, false)
}

fn failures(
    interpreter: &Interpreter<'_>,
    cone: &Cone,
    word: &[BTreeSet<String>],
    first: bool,
) -> BTreeSet<usize> {
    let mut walk = Walk::new(interpreter, cone);
    let mut all = BTreeSet::new();
    for (tick, letter) in word.iter().enumerate() {
        if walk.fails(letter) {
            all.insert(tick);
            if first {
                break;
            }
        }
    }
    all
}

/// A run of a cone, letter by letter.
struct Walk<'w> {
    interpreter: &'w Interpreter<'w>,
    cone: &'w Cone,
    states: BTreeMap<SignalId, Value>,
    has_begun: bool,
}

impl<'w> Walk<'w> {
    fn new(interpreter: &'w Interpreter<'w>, cone: &'w Cone) -> Walk<'w> {
        Walk { interpreter, cone, states: BTreeMap::new(), has_begun: false }
    }

    /// Takes a letter; whether the goal is not met by it.
    fn fails(&mut self, letter: &BTreeSet<String>) -> bool {
        let system = self.interpreter.system();
        let zero = |id: &SignalId| match &system.signal(*id).sort {
            Sort::BitVec(width) => Value::Bits(propcov_ir::Bits::zero(*width)),
            _ => panic!("a sort that no property needs"),
        };
        // What is no letter is a choice that liveness alone depends on.
        let input = |id: &SignalId| match system.signal(*id) {
            signal if signal.sort == Sort::BOOL => Value::bool(letter.contains(&signal.name)),
            _ => zero(id),
        };
        let inputs = system.inputs().iter().map(input).collect();
        let value = |id: &SignalId| self.states.get(id).cloned().unwrap_or_else(|| zero(id));
        let states = system.states().iter().map(value).collect();
        let mut step = Step { inputs, states, free: BTreeMap::default() };
        if !self.has_begun {
            self.interpreter.start(&mut step, |_| true).unwrap();
            self.has_begun = true;
        }
        let mut frame = self.interpreter.frame(&step).unwrap();
        let fails = frame.value(self.cone.goal).unwrap() == Value::bool(false);
        for state in &self.cone.states {
            let SignalKind::State { next: Some(next), .. } = system.signal(*state).kind else { continue };
            self.states.insert(*state, frame.value(next).unwrap());
        }
        fails
    }

    /// What the states of the cone are.
    fn values(&self) -> Vec<String> {
        self.states.values().map(ToString::to_string).collect()
    }
}

/// Whether the goal of a cone is not met at some place of the word `u v v v …`: rounds, until one begins as an earlier one did.
fn fails_ever(
    interpreter: &Interpreter<'_>,
    cone: &Cone,
    (u, v): (&[BTreeSet<String>], &[BTreeSet<String>]),
) -> bool {
    let mut walk = Walk::new(interpreter, cone);
    if u.iter().any(|letter| walk.fails(letter)) {
        return true;
    }
    let mut seen = BTreeSet::new();
    while seen.insert(walk.values()) {
        if v.iter().any(|letter| walk.fails(letter)) {
            return true;
        }
    }
    false
}

pub(crate) fn letters(word: &serde_json::Value) -> Vec<BTreeSet<String>> {
    let names = |letter: &serde_json::Value| {
        letter.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
    };
    word.as_array().unwrap().iter().map(names).collect()
}

/// What was compared.
#[derive(Debug, Default)]
struct Tally {
    properties: usize,
    words: usize,
    /// Words that show a failure by their end.
    failures: usize,
    /// Infinite words on which properties do not hold.
    violated: usize,
    liveness: usize,
    /// Infinite words on which conditions of liveness were searched for a fair run, and those for which that was too much.
    fair: usize,
    larger: usize,
    refused: usize,
    bits: u32,
    largest: u32,
}

fn compare(seed: usize, tally: &mut Tally) -> Option<()> {
    let cases = oracle(seed)?;
    let text = |(position, case): (usize, &serde_json::Value)| {
        format!("  p{position}: assert property (@(posedge clk) {});\n", case["sv"].as_str().unwrap())
    };
    let texts: String = cases.iter().enumerate().map(text).collect();
    let module = format!("module m(input bit clk, a, b, c);\n{texts}endmodule\n");
    let design = read_texts(&[("m.sv", &module)], &["-Wnone"])?.unwrap();
    // What is too large is left out, with its place; the others are read without it.
    for unread in design.unread() {
        assert!(unread.reason.contains("for a monitor"), "seed {seed}: {unread:?}");
        tally.refused += 1;
    }
    let mut system = design.system;
    let always = system.exprs.bool(true);
    let edits = Edits::none();
    let interpreter = Interpreter::new(&system, &edits).unwrap();
    for (position, case) in cases.iter().enumerate() {
        let named = |name: &str| system.properties().iter().find(|property| property.name == name);
        let Some(property) = named(&format!("p{position}")) else { continue };
        // Where something has to come without a limit, what finite words show is a property of its own.
        let justice = match &property.kind {
            PropertyKind::Justice(conditions) => Some(conditions),
            _ => None,
        };
        let safety = if justice.is_some() { named(&format!("p{position}.safety")) } else { Some(property) };
        let goal = match safety.map(|safety| &safety.kind) {
            Some(PropertyKind::Invariant(goal)) => *goal,
            Some(other) => panic!("{other:?}"),
            None => always,
        };
        let cone = cone(&system, goal);
        tally.liveness += usize::from(justice.is_some());
        let bits = cone.states.iter().filter_map(|state| system.signal(*state).sort.width()).sum();
        tally.bits += bits;
        tally.largest = tally.largest.max(bits);
        tally.properties += 1;
        for (number, word) in case["words"].as_array().unwrap().iter().enumerate() {
            let (u, v) = (letters(&word["u"]), letters(&word["v"]));
            let whole: Vec<_> = u.iter().chain(&v).chain(&v).cloned().collect();
            let expected = word["fail_tick"].as_u64().map(|tick| tick as usize);
            let found = fails(&interpreter, &cone, &whole);
            assert_eq!(found, expected, "seed {seed}, {}: {} on {whole:?}", property.name, case["sv"]);
            let holds = word["holds"].as_bool().unwrap();
            let about = || format!("seed {seed}: {} on {u:?} {v:?}", case["sv"]);
            let ever = fails_ever(&interpreter, &cone, (&u, &v));
            assert!(!holds || !ever, "{}", about());
            match justice {
                None => assert_eq!(ever, !holds, "{}", about()),
                Some(conditions) if number < LIVENESS_WORDS => {
                    match has_fair_run(&interpreter, conditions, (&u, &v), SMALL) {
                        Some(is_fair) => {
                            assert_eq!(is_fair, !holds, "{}", about());
                            tally.fair += 1;
                        }
                        None => tally.larger += 1,
                    }
                }
                Some(_) => {}
            }
            tally.words += 1;
            tally.failures += usize::from(found.is_some());
            tally.violated += usize::from(!holds);
        }
    }
    Some(())
}

#[test]
fn monitors_fail_at_the_tick_at_which_the_oracle_says_so() {
    if python().is_none() {
        return;
    }
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<usize>().ok());
    let seeds = match number("PROPCOV_SEED") {
        Some(seed) => seed..seed + 1,
        None => 1..1 + number("PROPCOV_CASES").unwrap_or(300).div_ceil(BATCH),
    };
    let mut tally = Tally::default();
    for seed in seeds {
        if compare(seed, &mut tally).is_none() {
            return;
        }
        if seed.is_multiple_of(20) {
            eprintln!("until seed {seed}: {tally:?}");
        }
    }
    eprintln!("{tally:?}");
    // One of a batch may be too large, but not one of each.
    assert!(tally.refused * 50 < tally.properties.max(2 * BATCH), "{tally:?}");
    assert!(
        tally.failures > 0 && tally.failures < tally.violated && tally.violated < tally.words,
        "{tally:?}"
    );
    assert!(tally.fair > 0, "{tally:?}");
}
