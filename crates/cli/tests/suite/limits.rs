//! Hostile files: small ones that describe large designs, and large ones. Each ends within its time and memory, and says why.
//!
//! What is tested is that limits hold, not how fast anything is: there is room for a slow machine, which is still far below what such a file takes
//! without limits.
#![cfg(target_os = "linux")]

use crate::common::root;
use std::fmt::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The limits of each run.
const TIMEOUT: Duration = Duration::from_secs(2);
const MEMORY: u64 = 300 << 20;
/// What a run may take beyond its limits on a machine that is busy with other tests.
const SLACK: Duration = Duration::from_secs(8);
const MEMORY_SLACK: u64 = 250 << 20;

/// How a run ended.
struct Ended {
    code: Option<i32>,
    text: String,
    time: Duration,
    /// The most bytes that it occupied, as far as somebody looked.
    memory: u64,
}

fn run(command: &str, files: &[(&str, Vec<u8>)], arguments: &[&str]) -> Ended {
    let directory = tempfile::tempdir().expect("a directory");
    let paths = files.iter().map(|(name, content)| {
        let path = directory.path().join(name);
        std::fs::write(&path, content).expect("written");
        path
    });
    let (out, error) = (directory.path().join("stdout"), directory.path().join("stderr"));
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_propcov"))
        .current_dir(root())
        .arg(command)
        .args(paths)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(&out).expect("a file"))
        .stderr(std::fs::File::create(&error).expect("a file"))
        .spawn()
        .expect("propcov starts");
    let mut memory = 0;
    let code = loop {
        memory = memory.max(peak(child.id()).unwrap_or(0));
        if let Some(status) = child.try_wait().expect("a child") {
            break status.code();
        }
        if start.elapsed() > TIMEOUT + 10 * SLACK {
            child.kill().expect("killed");
            break child.wait().expect("gone").code();
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let time = start.elapsed();
    let read = |path| std::fs::read_to_string(path).expect("text");
    Ended { code, text: read(out) + &read(error), time, memory }
}

/// The most that a process has occupied so far.
fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kilobytes << 10)
}

/// The run ends in time, in memory, and with a verdict or a reason.
#[track_caller]
fn obeys(command: &str, files: &[(&str, Vec<u8>)], arguments: &[&str]) {
    let memory = MEMORY.to_string();
    let limits = ["--timeout", "2s", "--memory", &memory];
    let ended = run(command, files, &[arguments, &limits].concat());
    let name = files[0].0;
    assert!(ended.time < TIMEOUT + SLACK, "{name} took {:?}: {}", ended.time, ended.text);
    assert!(ended.memory < MEMORY + MEMORY_SLACK, "{name} took {} MiB: {}", ended.memory >> 20, ended.text);
    let reasons = ["out of time", "out of memory", "not supported", "no violation up to depth"];
    match ended.code {
        // It may be decided all the same, or be refused by its reader.
        Some(0..=2) => {}
        Some(4) => {
            // Lines may be broken anywhere.
            let text = ended.text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(reasons.iter().any(|reason| text.contains(reason)), "{name}: {}", ended.text);
        }
        code => panic!("{name} ended with {code:?}: {}", ended.text),
    }
}

#[track_caller]
fn check(name: &str, content: impl Into<Vec<u8>>) {
    obeys("check", &[(name, content.into())], &[]);
}

/// A property about a word of so many bits, whose line 5 is some operators of inputs 3 and 4.
fn operators(width: u32, lines: &str) -> String {
    format!("1 sort bitvec 1\n2 sort bitvec {width}\n3 input 2\n4 input 2\n{lines}\n90 eq 1 9 3\n91 bad 90\n")
}

fn joined(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

#[test]
fn a_wide_product_and_quotient() {
    check("product.btor2", operators(1024, "5 mul 2 3 4\n9 udiv 2 5 4"));
}

#[test]
fn wide_rotations() {
    check("rotation.btor2", operators(1000, "5 rol 2 3 4\n6 ror 2 5 3\n7 mul 2 6 5\n9 rol 2 7 5"));
}

#[test]
fn wide_signed_remainders() {
    check("remainder.btor2", operators(1024, "5 smod 2 3 4\n6 srem 2 4 5\n9 sdiv 2 6 5"));
}

#[test]
fn a_memory_that_is_written_again_and_again() {
    let writes = joined(6, |at| format!("{} write 4 {} 6 7\n", 20 + at, if at == 0 { 5 } else { 19 + at }));
    check(
        "memory.btor2",
        format!(
            "1 sort bitvec 1\n2 sort bitvec 12\n3 sort bitvec 16\n4 sort array 2 3\n5 state 4\n6 input 2\n7 input 3\n\
             {writes}30 next 4 5 25\n31 read 3 25 6\n32 eq 1 31 7\n33 bad -32\n34 read 3 5 6\n35 eq 1 34 7\n36 bad 35\n"
        ),
    );
}

#[test]
fn a_chain_of_exclusive_ors() {
    let count = 300_000;
    let chain = joined(count, |at| format!("{} xor 1 {} 3\n", at + 4, if at == 0 { 2 } else { at + 3 }));
    let last = count + 3;
    let text = format!(
        "1 sort bitvec 1\n2 state 1\n3 input 1\n{chain}{} next 1 2 {last}\n{} bad {last}\n",
        last + 1,
        last + 2
    );
    check("xors.btor2", text);
}

#[test]
fn a_long_shift_register() {
    let count = 20_000;
    let mut text = "1 sort bitvec 1\n2 zero 1\n3 input 1\n".to_owned();
    for at in 0..count {
        let _ = writeln!(text, "{} state 1", at + 4);
    }
    for at in 0..count {
        let (line, state) = (100_000 + 2 * at, at + 4);
        let _ = write!(text, "{line} init 1 {state} 2\n{} next 1 {state} {}\n", line + 1, state - 1);
    }
    let _ = writeln!(text, "200000 bad {}", count + 3);
    check("shift.btor2", text);
}

#[test]
fn thousands_of_properties() {
    let properties = joined(3000, |at| {
        let line = 3 * at + 7;
        format!("{line} constd 2 {}\n{} eq 1 3 {line}\n{} bad {}\n", 7 * at + 3, line + 1, line + 2, line + 1)
    });
    let text = format!(
        "1 sort bitvec 1\n2 sort bitvec 64\n3 state 2\n4 input 2\n5 mul 2 3 4\n6 next 2 3 5\n{properties}"
    );
    check("properties.btor2", text);
}

#[test]
fn thousands_of_assumptions() {
    let assumptions = joined(3000, |at| {
        let line = 3 * at + 7;
        let operator = if at.is_multiple_of(2) { "mul" } else { "udiv" };
        let operand = if at < 2 { 4 } else { line - 6 };
        format!(
            "{line} {operator} 2 3 {operand}\n{} neq 1 4 {line}\n{} constraint {}\n",
            line + 1,
            line + 2,
            line + 1
        )
    });
    let text = format!(
        "1 sort bitvec 1\n2 sort bitvec 64\n3 state 2\n4 input 2\n5 mul 2 3 4\n6 next 2 3 5\n{assumptions}90000 eq 1 3 5\n90001 bad 90000\n"
    );
    check("assumptions.btor2", text);
}

#[test]
fn a_deeply_nested_expression() {
    let depth = 100_000;
    let text = format!(
        "MODULE main\nVAR a : boolean; b : boolean;\nASSIGN next(a) := {}a{};\nINVARSPEC a\n",
        "(".repeat(depth),
        " xor b)".repeat(depth)
    );
    check("nested.smv", text);
}

#[test]
fn modules_that_double_at_each_level() {
    let levels =
        joined(25, |at| format!("MODULE m{at}(x)\nVAR l : m{next}(x); r : m{next}(x);\n", next = at + 1));
    let text = format!(
        "{levels}MODULE m25(x)\nVAR v : boolean;\nASSIGN next(v) := x;\nMODULE main\nVAR a : boolean; t : m0(a);\nINVARSPEC a\n"
    );
    check("modules.smv", text);
}

#[test]
fn a_huge_enumeration() {
    let count = 20_000;
    let values: Vec<String> = (0..count).map(|at| format!("s{at}")).collect();
    let steps = joined(count - 1, |at| format!("e = s{at} : s{};\n", at + 1));
    let text = format!(
        "MODULE main\nVAR e : {{{}}};\nASSIGN init(e) := s0; next(e) := case {steps} TRUE : s0; esac;\nINVARSPEC e != s19999\n",
        values.join(", ")
    );
    check("enumeration.smv", text);
}

#[test]
fn products_of_wide_words_in_smv() {
    check(
        "words.smv",
        "MODULE main\nVAR w : unsigned word[512]; v : unsigned word[512];\n\
         ASSIGN next(w) := w * v + w; next(v) := v / w;\nINVARSPEC w != v\n",
    );
}

#[test]
fn diagrams_of_products() {
    let variables = joined(8, |at| format!("w{at} : unsigned word[16]; "));
    let next = joined(8, |at| format!("next(w{at}) := w{} * w{} + w{at}; ", (at + 1) % 8, (at + 3) % 8));
    check(
        "diagrams.smv",
        format!(
            "MODULE main\nVAR {variables}\nASSIGN {next}\nCTLSPEC AG EF w0 = 0ud16_5\nCTLSPEC AG (w1 = 0ud16_1 -> AF w2 = 0ud16_3)\n"
        ),
    );
}

#[test]
fn a_chain_of_lustre_nodes() {
    let chain = joined(10_000, |at| match at {
        0 => "node n0(x: int) returns (y: int);\nlet y = x -> pre x; tel\n".to_owned(),
        _ => format!("node n{at}(x: int) returns (y: int);\nlet y = n{}(x) + 1; tel\n", at - 1),
    });
    let text = format!(
        "{chain}node main(x: int) returns (ok: bool);\nlet ok = n9999(x) > x;\n--%PROPERTY ok;\ntel\n"
    );
    check("chain.lus", text);
}

#[test]
fn lustre_nodes_that_double_at_each_level() {
    let levels = joined(22, |at| match at {
        0 => "node n0(x: int) returns (y: int);\nlet y = x + (0 -> pre y); tel\n".to_owned(),
        _ => format!(
            "node n{at}(x: int) returns (y: int);\nlet y = n{below}(x) + n{below}(x + 1); tel\n",
            below = at - 1
        ),
    });
    let text = format!(
        "{levels}node main(x: int) returns (ok: bool);\nlet ok = n21(x) > x;\n--%PROPERTY ok;\ntel\n"
    );
    check("doubling.lus", text);
}

#[test]
fn a_sum_of_thousands_of_variables() {
    let count = 4000;
    let variables = joined(count, |at| format!("v{at}: int; "));
    let equations = joined(count, |at| format!("v{at} = (0 -> pre v{}) + x;\n", (7 * at + 1) % count));
    let sum: Vec<String> = (0..count).map(|at| format!("v{at}")).collect();
    let text = format!(
        "node main(x: int) returns (ok: bool);\nvar {variables}\nlet\n{equations}ok = {} >= 0 or x < 0;\n--%PROPERTY ok;\ntel\n",
        sum.join(" + ")
    );
    check("sum.lus", text);
}

#[test]
fn headers_that_promise_more_than_follows() {
    check("header.aig", "aig 2000000000 1999999990 10 1 0\n");
    check("header.aag", "aag 2000000000 1 1 1 1900000000\n2\n4 2\n");
    check("inputs.aig", "aig 65000 65000 0 1 0\n2\n");
}

/// A graph of gates without any order in it, in the binary format.
fn gates(count: u32) -> Vec<u8> {
    let (inputs, latches) = (100, 1000);
    let mut file = format!("aig {} {inputs} {latches} 1 {count}\n", inputs + latches + count).into_bytes();
    let mut random = 0x9e37_79b9_u32;
    let mut below = move |bound: u32| {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        random % bound
    };
    for _ in 0..latches {
        file.extend(format!("{}\n", 2 + below(2 * (inputs + latches + count))).into_bytes());
    }
    file.extend(format!("{}\n", 2 * (inputs + latches + count)).into_bytes());
    let mut write = |mut number: u32| {
        while number >= 128 {
            file.push(number as u8 | 128);
            number >>= 7;
        }
        file.push(number as u8);
    };
    for variable in inputs + latches + 1..=inputs + latches + count {
        let first = 1 + below(2000);
        write(first);
        write(below((2 * variable - first).min(2000)));
    }
    file
}

#[test]
fn hundreds_of_thousands_of_gates() {
    check("gates.aig", gates(400_000));
}

#[test]
fn mutants_of_hundreds_of_thousands_of_gates() {
    obeys("cover", &[("gates.aig", gates(100_000))], &["-m", "mutation", "--no-out"]);
    obeys("cores", &[("gates.aig", gates(100_000))], &["--no-out"]);
}

#[test]
fn graphs_of_hundreds_of_thousands_of_states() {
    let count = 200_000;
    let action = |at: usize| if at.is_multiple_of(3) { "a" } else { "b" };
    let transitions = joined(count, |at| {
        format!(
            "({at}, \"{act}\", {})\n({at}, \"{act}\", {})\n",
            (7 * at + 1) % count,
            (13 * at + 5) % count,
            act = action(at)
        )
    });
    let graph = format!("des (0, {}, {count})\n{transitions}", 2 * count).into_bytes();
    obeys("refine", &[("one.aut", graph.clone()), ("other.aut", graph)], &["--state-labels", "sources"]);
}

#[test]
fn what_is_known_is_reported_when_memory_is_used_up() {
    // The first property needs any amount of it, the second nothing.
    let mut text = operators(1024, "5 mul 2 3 4\n9 udiv 2 5 4");
    text.push_str("92 zero 1\n93 state 1 low\n94 init 1 93 92\n95 next 1 93 93\n96 bad 93 easy\n");
    let memory = (200u64 << 20).to_string();
    let ended =
        run("check", &[("two.btor2", text.into_bytes())], &["--memory", &memory, "--timeout", "120s"]);
    assert_eq!(ended.code, Some(4), "{}", ended.text);
    assert!(ended.text.contains("out of memory"), "{}", ended.text);
    assert!(
        ended.text.lines().any(|line| line.starts_with("easy") && line.contains("proved")),
        "{}",
        ended.text
    );
}

#[test]
fn a_termination_signal_ends_an_encoding() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("product.btor2");
    std::fs::write(&path, operators(1024, "5 mul 2 3 4\n9 udiv 2 5 4")).expect("written");
    let child = Command::new(env!("CARGO_BIN_EXE_propcov"))
        .arg("check")
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("propcov starts");
    std::thread::sleep(Duration::from_millis(1500));
    let start = Instant::now();
    let status = Command::new("kill").arg("-TERM").arg(child.id().to_string()).status();
    assert!(status.expect("kill runs").success());
    let output = child.wait_with_output().expect("a child");
    assert!(start.elapsed() < SLACK, "{:?}", start.elapsed());
    assert_eq!(output.status.code(), Some(4));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("cancelled"), "{text}");
}
