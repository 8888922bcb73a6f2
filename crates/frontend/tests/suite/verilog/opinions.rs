//! Each file in `tests/verilog` is a design (with the clock `clk`, or with clocks that are called `clock…` and are inputs like others) that has to do the same here, in a
//! simulator on random inputs (iverilog, or Verilator where that does not know the language), and after synthesis by Yosys, by proof: both systems side by side, on the same
//! inputs, never differ in an output. What is undefined is zero for that, and registers without a first value begin alike.

use super::case::{Case, simulate};
use super::{simulators, tools};
use propcov_engine::Limits;
use propcov_ir::System;
use propcov_verify::{EngineChoice, Options, Silent, Verifier};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How hard an equivalence is tried: conflicts of an engine, and steps where that is not enough.
const CONFLICTS: u64 = 20_000;
const BOUND: u32 = 12;

fn cases() -> Option<Vec<Case>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verilog");
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "sv")).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths.iter().map(|path| Case::of_file(path)).collect()
}

/// What Yosys makes of designs, where it knows their language.
pub(super) fn synthesised(yosys: &Path, cases: &[&Case]) -> Vec<Option<System>> {
    let directories: Vec<tempfile::TempDir> = cases.iter().map(|case| case.directory()).collect();
    for (case, directory) in cases.iter().zip(&directories) {
        let clocks = if case.has_clock_signals() { "clk2fflogic" } else { "async2sync" };
        std::fs::write(directory.path().join("clocks"), clocks).unwrap();
    }
    let mut command = Command::new(yosys);
    command.args(["-c", include_str!("../../tools/yosys.py")]);
    let ran = command.args(directories.iter().map(tempfile::TempDir::path)).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let readers = String::from_utf8_lossy(&ran.stdout).into_owned();
    let system = |(directory, reader): (&tempfile::TempDir, &str)| {
        if reader == "nobody" {
            return None;
        }
        let bytes = std::fs::read(directory.path().join("dut.btor")).unwrap();
        Some(propcov_frontend::read("dut.btor2", &bytes).unwrap().system)
    };
    directories.iter().zip(readers.lines()).map(system).collect()
}

/// How well two systems are known to show the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Equivalence {
    Proved,
    /// Up to a number of steps.
    Bounded,
}

/// Proves that a design does what another system does; what differs is an error.
pub(super) fn equivalence(case: &Case, theirs: &System, conflicts: u64) -> Result<Equivalence, String> {
    let shown =
        case.sequences.iter().map(|sequence| simulate(theirs, &case.ports.outputs, sequence)).collect();
    if let Some(difference) = case.difference(&shown) {
        return Err(format!("Yosys: {difference}"));
    }
    let is_port = |name: &str| case.ports.inputs.contains_key(name);
    let product = propcov_testkit::product(&case.system, theirs, &is_port)
        .ok_or_else(|| format!("{}: other outputs", case.name))?;
    product.system.validate().unwrap();
    let all: Vec<_> = product.equal_outputs.iter().chain(&product.equal_states).copied().collect();
    let mut limits = Limits::default();
    limits.conflicts = Some(conflicts);
    let verifier = Verifier::new(&product.system, Options::default(), limits, &Silent);
    let outcomes = verifier.decide(&all, &mut |_| {}).outcomes;
    let outcomes = &outcomes[..product.equal_outputs.len()];
    if let Some(different) = outcomes.iter().find(|outcome| outcome.answer.is_falsified()) {
        let name = &product.system.property(different.property).name;
        return Err(format!("{}: {name} differs from Yosys: {:?}", case.name, different.answer.trace()));
    }
    if outcomes.iter().all(|outcome| outcome.answer.is_proved()) {
        return Ok(Equivalence::Proved);
    }
    let mut limits = verifier.limits().clone();
    limits.depth = Some(BOUND);
    let options = Options { engine: EngineChoice::named("bmc").unwrap(), ..Options::default() };
    let verifier = Verifier::new(&product.system, options, limits, &Silent);
    let outcomes = verifier.decide(&product.equal_outputs, &mut |_| {}).outcomes;
    match outcomes.iter().find(|outcome| outcome.answer.is_falsified()) {
        Some(different) => {
            let name = &product.system.property(different.property).name;
            Err(format!("{}: {name} differs from Yosys", case.name))
        }
        None => Ok(Equivalence::Bounded),
    }
}

#[test]
fn designs_do_what_simulators_and_another_synthesis_make_of_them() {
    let Some(cases) = cases() else { return };
    let mut opinions = vec![Vec::new(); cases.len()];
    let mut errors: Vec<String> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let has_iverilog = tools::has_simulator("iverilog");
    for (position, case) in cases.iter().enumerate() {
        let simulated = Some(case).filter(|_| has_iverilog && !case.has_clock_signals());
        match simulated.and_then(|case| simulators::iverilog(case, 120)) {
            Some(theirs) => {
                errors.extend(case.difference(&theirs).map(|difference| format!("iverilog: {difference}")));
                opinions[position].push("iverilog".to_owned());
            }
            // The test bench knows one clock.
            None if case.has_clock_signals() => {}
            None => open.push(position),
        }
    }
    let has_verilator = tools::has_simulator("verilator");
    open.retain(|position| has_verilator && simulators::is_for_verilator(&cases[*position]));
    if !open.is_empty() {
        let others: Vec<&Case> = open.iter().map(|position| &cases[*position]).collect();
        let shown = simulators::verilator(&others).unwrap_or_else(|error| panic!("{error}"));
        for (position, theirs) in open.iter().zip(shown) {
            let difference = cases[*position].difference(&theirs);
            errors.extend(difference.map(|difference| format!("Verilator: {difference}")));
            opinions[*position].push("Verilator".to_owned());
        }
    }
    if let Some(yosys) = tools::yosys() {
        let all: Vec<&Case> = cases.iter().collect();
        for (position, theirs) in synthesised(&yosys, &all).into_iter().enumerate() {
            // Where simulators and the standard are with us, and a design says why.
            let is_other = cases[position].text.contains("Yosys has another opinion");
            let Some(theirs) = theirs.filter(|_| !is_other) else { continue };
            match equivalence(&cases[position], &theirs, CONFLICTS) {
                Ok(how) => opinions[position].push(format!("Yosys ({how:?})")),
                Err(difference) => errors.push(difference),
            }
        }
    }
    for (case, opinions) in cases.iter().zip(&opinions) {
        eprintln!("{}: {}", case.name, opinions.join(", "));
    }
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    if has_iverilog && tools::yosys().is_some() {
        for (case, opinions) in cases.iter().zip(&opinions) {
            assert!(!opinions.is_empty(), "{}: nobody else reads it", case.name);
        }
        let proved = opinions.iter().flatten().filter(|opinion| opinion.contains("Proved")).count();
        assert!(proved * 10 >= cases.len() * 7, "only {proved} of {} are proved", cases.len());
    }
}

#[test]
fn a_design_that_does_something_else_is_not_called_equivalent() {
    let Some(yosys) = tools::yosys() else { return };
    let text = "module dut(input logic clk, input logic [7:0] d, output logic [7:0] q);
  logic [7:0] n = 0;
  always_ff @(posedge clk) n <= d == 8'd77 ? n + 1 : n;
  assign q = n ^ (n == 3 ? 8'hCHANGED : 8'h00);
endmodule";
    let case = |bits: &str| Case::new("dut", &text.replace("CHANGED", bits), Vec::new(), 20);
    let (Some(same), Some(other)) = (case("00"), case("01")) else { return };
    let (same, other) = (same.unwrap(), other.unwrap());
    let theirs = synthesised(&yosys, &[&same]).remove(0).expect("Yosys reads this");
    assert_eq!(equivalence(&same, &theirs, CONFLICTS), Ok(Equivalence::Proved));
    let difference =
        equivalence(&other, &theirs, CONFLICTS).expect_err("the fourth 77 in a row shows a difference");
    assert!(difference.contains("output q differs"), "{difference}");
}
