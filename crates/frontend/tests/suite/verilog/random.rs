//! Random programs (`testkit::verilog`) do what a simulator and Yosys make of them. A program that fails is made smaller.
//!
//! `PROPCOV_SEED=n` replays one program; `PROPCOV_CASES=n` runs so many.

use super::case::{Case, Shown};
use super::opinions::{Equivalence, equivalence, synthesised};
use super::{simulators, tools};
use propcov_testkit::verilog::{Dialect, Program, random_program, random_program_in};

/// How many sequences of inputs each program gets.
const SEQUENCES: usize = 20;

/// How long a simulation may take: Icarus Verilog 11 never ends with some of these programs, in a step without time. It is not known why.
const SECONDS: u32 = 10;

/// How often a program that fails is made smaller.
const TRIES: usize = 200;

/// How many programs Verilator compiles at a time, and how often one of them is made smaller.
const TOGETHER: usize = 60;
const ROUNDS: usize = 40;

/// Programs as one design: all get the same inputs, as far as they need them.
fn design(programs: &[(u64, Program)]) -> String {
    let mut modules = String::new();
    let clocks = programs[0].1.clocks();
    let mut ports: Vec<String> = clocks.iter().map(|clock| format!("input logic {clock}")).collect();
    ports.extend((0..4).map(|input| format!("input logic [11:0] x{input}")));
    let clocks: Vec<String> = clocks.iter().map(|clock| format!(".{clock}({clock})")).collect();
    let mut body = String::new();
    for (seed, program) in programs {
        let name = format!("p{seed}");
        modules.push_str(&program.text(&name));
        let inputs = program.inputs.iter().enumerate();
        let inputs = inputs.map(|(n, shape)| format!(".i{n}(x{n}[{}:0])", shape.width - 1));
        let outputs = (0..program.outputs.len()).map(|n| format!(".o{n}({name}_o{n})"));
        let connections: Vec<String> = clocks.iter().cloned().chain(inputs).chain(outputs).collect();
        body.push_str(&format!("  {name} u_{name}({});\n", connections.join(", ")));
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

/// The first of some programs that Verilator has another opinion of, with what differs.
fn different(programs: &[(u64, Program)]) -> Option<(usize, String)> {
    let case = Case::new("random", &design(programs), Vec::new(), SEQUENCES)?;
    let case = case.unwrap_or_else(|error| panic!("{error}\n{}", design(programs)));
    let theirs: Shown = match simulators::verilator(&[&case]) {
        Ok(mut all) => all.remove(0),
        // Verilator 5.006 ends with an internal error on some programs: the others are asked about without them.
        Err(_) if programs.len() > 1 => {
            let (left, right) = programs.split_at(programs.len() / 2);
            return different(left)
                .or_else(|| different(right).map(|(position, why)| (left.len() + position, why)));
        }
        Err(error) if error.contains("Internal Error") => {
            eprintln!("not for Verilator: {}", programs[0].0);
            return None;
        }
        Err(error) => panic!("{error}\n{}", design(programs)),
    };
    let difference = case.difference(&theirs)?;
    let is_named = |(seed, _): &(u64, Program)| difference.contains(&format!(": p{seed}_o"));
    programs.iter().position(is_named).map(|position| (position, difference))
}

/// The first of some smaller programs that still differs. Those that are no programs any more are left out.
fn first_different(programs: &[Program]) -> Option<usize> {
    let reads = |program: &Program| {
        let read = || Case::new("random", &design(&[(0, program.clone())]), Vec::new(), 1);
        std::panic::catch_unwind(read).ok().flatten().is_some_and(|case| case.is_ok())
    };
    let fine = programs.iter().enumerate().filter(|(_, program)| reads(program)).take(TOGETHER);
    let fine: Vec<(u64, Program)> = fine.map(|(at, program)| (at as u64, program.clone())).collect();
    (!fine.is_empty()).then(|| different(&fine)).flatten().map(|(position, _)| fine[position].0 as usize)
}

/// Compares programs with what Verilator makes of them, many in one program.
fn compare_with_verilator(dialect: Dialect, count: u64, first_seed: u64) {
    if tools::python().is_none() || !tools::has_simulator("verilator") {
        return;
    }
    let seeds: Vec<u64> = propcov_testkit::seeds(count, first_seed).collect();
    for seeds in seeds.chunks(TOGETHER) {
        let programs: Vec<(u64, Program)> =
            seeds.iter().map(|seed| (*seed, random_program_in(dialect, *seed))).collect();
        if let Some((position, difference)) = different(&programs) {
            let (seed, program) = &programs[position];
            let small = program.shrunk_together(ROUNDS, first_different);
            let why = different(&[(0, small.clone())]).map_or(difference, |(_, why)| why);
            panic!("{dialect:?}, seed {seed} (PROPCOV_SEED={seed}):\n{}\n{why}", small.text("p0"));
        }
    }
    eprintln!("{} programs ({dialect:?}) do what Verilator shows", seeds.len());
}

#[test]
fn random_programs_of_the_wide_language_do_what_verilator_shows() {
    compare_with_verilator(Dialect::Wide, 16, 200_000);
}

#[test]
fn random_programs_with_several_clocks_do_what_verilator_shows() {
    compare_with_verilator(Dialect::Clocks, 10, 300_000);
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
    let (mut proved, mut unread) = (0, 0);
    for ((seed, case), theirs) in cases.iter().zip(synthesised(&yosys, &all)) {
        // Seed 100095, for one, has a memory that is never written.
        let Some(theirs) = theirs else {
            eprintln!("not for Yosys: {seed}");
            unread += 1;
            continue;
        };
        match equivalence(case, &theirs, CONFLICTS) {
            Ok(how) => proved += usize::from(how == Equivalence::Proved),
            Err(difference) => panic!("seed {seed}: {difference}\n{}", case.text),
        }
    }
    eprintln!("{proved} of {} programs are proved equivalent, the others up to a bound", cases.len());
    assert!(unread * 20 <= cases.len(), "Yosys does not read {unread} of {}", cases.len());
    assert!(proved * 2 >= cases.len(), "only {proved} of {} are proved", cases.len());
}
