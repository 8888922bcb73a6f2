//! Random programs (`testkit::verilog`) do what a simulator and Yosys make of them. A program that fails is made smaller.
//!
//! `PROPCOV_SEED=n` replays one program; `PROPCOV_CASES=n` runs so many.

use super::case::Case;
use super::opinions::{Equivalence, equivalence, synthesised};
use super::{simulators, tools};
use propcov_testkit::verilog::{Program, random_program};

/// How many sequences of inputs each program gets.
const SEQUENCES: usize = 20;

/// How long a simulation may take: Icarus Verilog 11 never ends with some of these programs, in a step without time. It is not known why.
const SECONDS: u32 = 10;

/// How often a program that fails is made smaller.
const TRIES: usize = 200;

/// Programs as one design: all get the same inputs, as far as they need them.
fn design(programs: &[(u64, Program)]) -> String {
    let mut modules = String::new();
    let mut ports: Vec<String> = vec!["input logic clk".to_owned()];
    ports.extend((0..4).map(|input| format!("input logic [11:0] x{input}")));
    let mut body = String::new();
    for (seed, program) in programs {
        let name = format!("p{seed}");
        modules.push_str(&program.text(&name));
        let inputs = program.inputs.iter().enumerate();
        let inputs = inputs.map(|(n, shape)| format!(".i{n}(x{n}[{}:0])", shape.width - 1));
        let outputs = (0..program.outputs.len()).map(|n| format!(".o{n}({name}_o{n})"));
        let connections: Vec<String> = inputs.chain(outputs).collect();
        body.push_str(&format!("  {name} u_{name}(.clk(clk), {});\n", connections.join(", ")));
        let outputs = 0..program.outputs.len();
        ports.extend(outputs.map(|n| format!("output logic [{}:0] {name}_o{n}", Program::OUTPUT - 1)));
    }
    format!("{modules}module dut({});\n{body}endmodule\n", ports.join(", "))
}

/// How hard an equivalence is tried: conflicts of an engine.
const CONFLICTS: u64 = 1000;

/// What is wrong with a program in a simulator; nothing where nobody could tell.
fn problem(seed: u64, program: &Program) -> Option<Result<(), String>> {
    let case = match Case::new("random", &design(&[(seed, program.clone())]), Vec::new(), SEQUENCES)? {
        Ok(case) => case,
        Err(error) => return Some(Err(error)),
    };
    let theirs = simulators::iverilog(&case, SECONDS)?;
    Some(case.difference(&theirs).map_or(Ok(()), |difference| Err(format!("iverilog: {difference}"))))
}

#[test]
fn random_programs_do_what_a_simulator_shows() {
    if tools::python().is_none() || !tools::has_simulator("iverilog") {
        return;
    }
    let (mut compared, mut all) = (0, 0);
    for seed in propcov_testkit::seeds(60, 0) {
        let program = random_program(seed);
        all += 1;
        match problem(seed, &program) {
            None => {}
            Some(Ok(())) => compared += 1,
            Some(Err(first)) => {
                let still = |smaller: &Program| {
                    let again = std::panic::catch_unwind(|| problem(seed, smaller)).unwrap_or_default();
                    again.is_some_and(|result| result.is_err_and(|text| text.contains(" here, ")))
                };
                // Only what differs is made smaller, not what is refused.
                let small = if first.contains(" here, ") { program.shrunk(TRIES, still) } else { program };
                let why = problem(seed, &small).and_then(Result::err).unwrap_or(first);
                panic!("seed {seed} (PROPCOV_SEED={seed}):\n{}\n{why}", small.text("p"));
            }
        }
    }
    eprintln!("{compared} of {all} programs were compared");
    assert!(
        compared * 10 >= all * 6 || !propcov_testkit::is_whole_run(),
        "only {compared} of {all} were compared"
    );
}

#[test]
fn random_programs_are_equivalent_to_what_yosys_makes_of_them() {
    let (Some(yosys), Some(_)) = (tools::yosys(), tools::python()) else { return };
    let seeds = propcov_testkit::seeds(40, 100_000);
    let read =
        |seed: u64| Case::new("random", &design(&[(seed, random_program(seed))]), Vec::new(), SEQUENCES);
    let cases: Vec<(u64, Case)> = seeds
        .filter_map(|seed| Some((seed, read(seed)?.unwrap_or_else(|error| panic!("seed {seed}: {error}")))))
        .collect();
    let all: Vec<&Case> = cases.iter().map(|(_, case)| case).collect();
    let mut proved = 0;
    for ((seed, case), theirs) in cases.iter().zip(synthesised(&yosys, &all)) {
        let theirs = theirs.unwrap_or_else(|| panic!("seed {seed}: not for Yosys\n{}", case.text));
        match equivalence(case, &theirs, CONFLICTS) {
            Ok(how) => proved += usize::from(how == Equivalence::Proved),
            Err(difference) => panic!("seed {seed}: {difference}\n{}", case.text),
        }
    }
    eprintln!("{proved} of {} programs are proved equivalent, the others up to a bound", cases.len());
    assert!(proved * 2 >= cases.len(), "only {proved} of {} are proved", cases.len());
}
