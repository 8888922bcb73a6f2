//! Concurrent assertions against a simulator that knows some of them: Verilator (5.006) has implications, `not`, `disable iff` and sampled values. All ticks at which an assertion
//! fails on random stimuli have to be the same. Skipped, with a message, where there is no Verilator.

use crate::sva_oracle::{all_failures, cone};
use crate::verilog::tools::{has_simulator, read_texts};
use propcov_ir::{Edits, Interpreter, PropertyKind};
use propcov_testkit::Random;
use propcov_testkit::sva::random_word;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Ticks of one module, and its assertions.
const TICKS: usize = 200;
/// The first ticks do not count: before the first one, `$past` of an expression is what the expression is for variables that are 0 (16.5.1 of the standard), but 0 for Verilator.
const FIRST: usize = 16;
const ASSERTIONS: usize = 100;

/// A word of a few bits: words have sampled values of their own.
fn word(random: &mut Random) -> &'static str {
    ["{a, b}", "{b, c, a}", "{c, !a}", "{a, b, c} + 3'd1"][random.below(4)]
}

fn boolean(random: &mut Random, depth: usize) -> String {
    let name = ["a", "b", "c"][random.below(3)].to_owned();
    if depth == 0 {
        return name;
    }
    let mut inner = || boolean(random, depth - 1);
    let (left, right) = (inner(), inner());
    let ticks = 1 + random.below(4);
    let value = random.below(4);
    match random.below(19) {
        0 => format!("!{name}"),
        1 => format!("({left} && {right})"),
        2 => format!("({left} || {right})"),
        3 => format!("({left} ^ {right})"),
        4 => format!("({left} ? {right} : {name})"),
        5 => format!("$past({left})"),
        6 => format!("$past({left}, {ticks})"),
        7 => format!("$rose({left})"),
        8 => format!("$fell({left})"),
        9 => format!("$stable({left})"),
        10 => format!("$changed({left})"),
        11 => format!("$sampled({name})"),
        12 => format!("$onehot({})", word(random)),
        13 => format!("$onehot0({})", word(random)),
        14 => format!("($countones({}) > {value})", word(random)),
        15 => format!("($past({}, {ticks}) == {value})", word(random)),
        16 => format!("$stable({})", word(random)),
        17 => format!("$changed({})", word(random)),
        _ => name,
    }
}

fn property(random: &mut Random) -> String {
    let (left, right) = (boolean(random, 2), boolean(random, 2));
    let body = match random.below(11) {
        0 => format!("not {left}"),
        1 => left,
        2 | 3 => format!("{left} |-> {right}"),
        4 | 5 => format!("{left} |=> {right}"),
        6 => format!("{left} |-> not {right}"),
        7 => format!("{left} |=> not {right}"),
        8 => format!("not ({left} |-> {right})"),
        name @ (9 | 10) => {
            // With `!a ^ b` or `a ? !b : c` as an argument Verilator contradicts itself: written out in place of the name, the same property fails at other ticks, which are ours.
            let plain = |part: String| if part.contains(['!', '^', '?']) { "c".to_owned() } else { part };
            let (left, right) = (plain(left), plain(right));
            return format!("{}({left}, {right})", if name == 9 { "later" } else { "at_once" });
        }
        _ => left,
    };
    match random.percent(25) {
        true => format!("@(posedge clk) disable iff ({}) {body}", disabling(random)),
        false => format!("@(posedge clk) {body}"),
    }
}

/// It is not sampled, so that nothing in it is about ticks.
fn disabling(random: &mut Random) -> &'static str {
    ["a", "b", "c", "a && !b", "!(b || c)", "c ^ a"][random.below(6)]
}

const NAMED: &str = "  property later(x, y); @(posedge clk) disable iff (a && b && c) x |=> y; endproperty
  property at_once(x, y); @(posedge clk) x |-> y; endproperty
";

/// `PROPCOV_CASES=n` changes how many assertions there are, in modules of 100.
#[test]
fn a_simulator_fails_at_the_same_ticks() {
    if !has_simulator("verilator") {
        return;
    }
    let cases = std::env::var("PROPCOV_CASES").ok().and_then(|value| value.parse::<usize>().ok());
    let modules = cases.unwrap_or(ASSERTIONS).div_ceil(ASSERTIONS) as u64;
    let failures: usize = (0..modules).map(|number| compare(20 + number)).sum();
    eprintln!("{} assertions of {TICKS} ticks, {failures} failures", modules as usize * ASSERTIONS);
}

/// Compares some assertions; how often they fail.
fn compare(seed: u64) -> usize {
    let mut random = Random::new(seed);
    let properties: Vec<String> = (0..ASSERTIONS).map(|_| property(&mut random)).collect();
    let word = random_word(&mut random, TICKS);
    let mut ours = format!("module m(input bit clk, a, b, c);\n{NAMED}");
    let mut bench = format!("module m;\n  bit clk, a, b, c;\n  int tick;\n{NAMED}");
    for (position, property) in properties.iter().enumerate() {
        ours += &format!("  p{position}: assert property ({property});\n");
        bench += &format!(
            "  p{position}: assert property ({property}) else $display(\"{position} %0d\", tick);\n"
        );
    }
    ours += "endmodule\n";
    bench += "  initial begin\n";
    for (tick, [a, b, c]) in word.iter().enumerate() {
        let [a, b, c] = [a, b, c].map(|one| u8::from(*one));
        bench += &format!("    a = {a}; b = {b}; c = {c}; tick = {tick}; #5 clk = 1; #5 clk = 0; #5;\n");
    }
    bench += "    $finish;\n  end\nendmodule\n";

    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("m.sv"), bench).unwrap();
    let flags =
        ["--binary", "--assert", "--timing", "-Wno-fatal", "-O0", "-CFLAGS", "-O0", "-o", "m", "m.sv"];
    let built = Command::new("verilator").current_dir(directory.path()).args(flags).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(directory.path().join("obj_dir/m")).output().unwrap();
    let mut theirs: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&ran.stdout).lines() {
        let mut numbers = line.split_whitespace().map(str::parse::<usize>);
        if let (Some(Ok(position)), Some(Ok(tick)), None) = (numbers.next(), numbers.next(), numbers.next())
            && tick >= FIRST
        {
            theirs.entry(position).or_default().insert(tick);
        }
    }

    let Some(read) = read_texts(&[("m.sv", &ours)], &["-Wnone"]) else { return 0 };
    let system = read.unwrap_or_else(|error| panic!("{error}")).system;
    let edits = Edits::none();
    let interpreter = Interpreter::new(&system, &edits).unwrap();
    let named = |letter: &[bool; 3]| {
        let all = ["a", "b", "c"].iter().zip(letter);
        all.filter(|(_, is)| **is).map(|(name, _)| (*name).to_owned()).collect()
    };
    let named: Vec<BTreeSet<String>> = word.iter().map(named).collect();
    let mut total = 0;
    for (position, known) in system.properties().iter().enumerate() {
        let PropertyKind::Invariant(holds) = known.kind else { panic!("{} is no invariant", known.name) };
        let mut failures = all_failures(&interpreter, &cone(&system, holds), &named);
        failures.retain(|tick| *tick >= FIRST);
        let expected = theirs.remove(&position).unwrap_or_default();
        assert_eq!(failures, expected, "seed {seed}: {}", properties[position]);
        total += failures.len();
    }
    assert!(total > 0);
    total
}
