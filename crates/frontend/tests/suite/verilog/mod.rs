//! SystemVerilog: what is refused and how, elements, assertions, resets, broken exports. Meaning is compared with others in `opinions`.
//!
//! slang has to be there (`scripts/setup` installs it); the others are second opinions (`scripts/setup-tests`), and what is missing is said.

mod case;
mod opinions;
mod random;
mod simulators;
pub(crate) mod tools;

use crate::common::Random;
use propcov_frontend::verilog;
use propcov_ir::{Bits, Edits, Interpreter, Step, Value};
use std::collections::BTreeMap;
use std::path::Path;
use tools::{ALWAYS, exported, read, read_texts, system};

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
        (
            "module dut(input clk, output logic r);\n  initial begin #5 r = 1; end\nendmodule",
            "2:17",
            "waiting",
        ),
        (
            "module dut(input a, output wire q);\n  assign q = a;\n  assign q = !a;\nendmodule",
            "1:33",
            "driven more than once",
        ),
        (
            "module dut(input clk, a, b);\n  ap: assert property (@(posedge clk) a |-> @(negedge clk) b);\nendmodule",
            "2:47",
            "several clocks",
        ),
        (
            "module dut(input clk, r, a, output logic q);\n  always @(posedge clk or posedge r) q <= a;\nendmodule",
            "2:38",
            "resets",
        ),
        (
            "module dut(input clk, e, a, output logic q);\n  always @(posedge clk iff e) q <= a;\nendmodule",
            "2:12",
            "iff",
        ),
        (
            "module dut(input clk, a, output logic q);\n  always @(edge clk) q <= a;\nendmodule",
            "2:10",
            "both edges",
        ),
        (
            "module dut(input clk, a, output logic q);\n  always @(posedge clk) q <= #1 a;\nendmodule",
            "2:25",
            "delay in an assignment",
        ),
        (
            "module dut(input clk, a, output logic q);\n  always @(posedge clk) fork q <= a; join\nendmodule",
            "2:30",
            "fork",
        ),
        (
            "module dut(input a);\n  class c; int x; endclass\n  c o;\n  initial o = new;\nendmodule",
            "4:15",
            "NewClass",
        ),
        (
            "module dut(input [3:0] a, output int y);\n  import \"DPI-C\" function int f(int x);\n  assign y = f(a);\nendmodule",
            "3:14",
            "DPI function f",
        ),
        ("module dut(input a);\n  initial $system(\"touch executed\");\nendmodule", "2:11", "$system"),
        (
            "module dut(input clk, a, output logic n);\n  always @(posedge clk) assert (a) n <= 1;\nendmodule",
            "2:25",
            "whose action assigns n",
        ),
        (
            "module dut(input clk, output y);\n  (* allconst *) logic [3:0] f;\n  assign y = &f;\nendmodule",
            "2:30",
            "all values at once",
        ),
        (
            "module dut(input a, output y);\n  supply1 v;\n  assign v = a;\n  assign y = v;\nendmodule",
            "2:11",
            "is a supply",
        ),
        (
            "module dut(input [3:0] a, output logic [3:0] y, z);\n  always_comb begin : b y = a; end\n  always_comb begin z = 0; if (a == 3) disable b; z = a; end\nendmodule",
            "3:40",
            "disable of a block that is not around it",
        ),
    ] {
        let texts = [("dut.sv", text), ("always.sv", ALWAYS)];
        let Some(read) = read_texts(&texts, &["--top", "dut"]) else { return };
        let error = read.err().unwrap_or_else(|| panic!("accepted: {text}")).to_string();
        assert!(error.starts_with(&format!("dut.sv:{place}: ")) && error.contains(words), "{error}\n{text}");
    }
}

#[test]
fn what_is_nested_too_deeply_is_refused_where_it_is_written() {
    let sum = vec!["a"; 12_000].join("\n+");
    let text =
        format!("module dut(input a, output q);\n  assign q = {sum};\n  always_comb assert (q);\nendmodule");
    let Some(read) = read(&text) else { return };
    let error = read.expect_err("too deep").to_string();
    assert!(error.starts_with("dut.sv:2:14: nested deeper than"), "{}", &error[..200.min(error.len())]);
}

/// (Yosys forgets what comes back through such an argument, and Verilator 5.006 refuses it.)
#[test]
fn arguments_by_reference_are_changed_at_once() {
    let text = "module dut(input logic [7:0] a, b, output logic [7:0] o);
  function automatic void bump(ref logic [7:0] x, input logic [7:0] y); x = x + y; endfunction
  always_comb begin o = a; bump(o, b); bump(o, o); end
endmodule";
    let Some(shown) = outputs_for(text, &[("a", 8, 148), ("b", 8, 255)]) else { return };
    assert_eq!(shown, [format!("{:08b}", (148 + 255) * 2 % 256)]);
}

#[test]
fn words_of_many_bits_are_read() {
    let text = "module dut(input clk, input [99999:0] a, output [99999:0] b);\n  assign b = a ^ {100000{1'b1}} ^ 1;\n  always_comb case (a) 7: assert (b[0]); default:; endcase\nendmodule";
    let Some(system) = system(text) else { return };
    assert_eq!(system.properties().len(), 2);
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
    let outputs = case::ports(&system, text).outputs;
    case::simulate(&system, &outputs, &[inputs.collect()]).pop()
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
fn what_no_other_tool_reads_is_what_the_standard_says() {
    let text = "module dut(input [5:0] a, b, output y, output [31:0] n);
  assign y = a inside {1, [b:$]};
  assign n = $countbits(a, 1'b0, 1'b1) + $countbits(a, 1'bx) + $isunknown(b);
endmodule";
    for (a, b) in [(0, 0), (1, 9), (8, 9), (9, 9), (63, 62)] {
        let Some(shown) = outputs_for(text, &[("a", 6, a), ("b", 6, b)]) else { return };
        let is_inside = u8::from(a == 1 || a >= b);
        assert_eq!(shown, [format!("{is_inside}"), format!("{:032b}", 6)], "{a} {b}");
    }
}

#[test]
fn a_file_for_a_memory_that_is_missing_or_wrong_is_an_error_with_its_place() {
    let text = "module dut(input [1:0] i, output [7:0] y);
  reg [7:0] m [0:3];
  initial $readmemh(\"m.hex\", m);
  assign y = m[i];
endmodule";
    for (content, expected) in [
        (None, "dut.sv:3:11: m.hex cannot be read"),
        (Some("01 02\n 0g"), "m.hex:2:2: expected hexadecimal digits"),
        (Some("1 2 3 4 5"), "m.hex:1:9: there is no element 4"),
        (Some("@3 1ff"), "m.hex:1:4: this word has more than 8 bits"),
        (Some("/* "), "m.hex:1:1: this comment has no end"),
    ] {
        let mut texts = vec![("dut.sv", text)];
        texts.extend(content.map(|content| ("m.hex", content)));
        let Some(read) = tools::system_of(&texts) else { return };
        let error = read.expect_err(expected).to_string();
        assert!(error.starts_with(expected), "{error}");
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
    assert_eq!(names, ["labelled", "else_cover", "ap", "dut.sv:9"]);
    let covers = system.properties().iter().filter(|property| property.is_cover());
    assert_eq!(covers.map(|cover| cover.name.as_str()).collect::<Vec<_>>(), ["else_cover"]);
    let assumptions: Vec<&str> =
        system.constraints().iter().map(|constraint| constraint.name.as_str()).collect();
    assert_eq!(assumptions, ["dut.sv:7", "dut.sv:4"]);
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
        let assertions = [0, 2, 3].map(propcov_ir::PropertyId);
        assertions.map(|id| truth(system.invariant(id).unwrap()))
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
    let settings = verilog::Settings {
        resets: vec![("rst_n".to_owned(), false)],
        reset_cycles: 2,
        ..Default::default()
    };
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

/// Of each execution: the element, the way, the condition in words, and whether an edge has to be seen.
fn executions(text: &str) -> Option<Vec<(String, &'static str, String, bool)>> {
    let design = read(text)?.unwrap();
    let system = &design.system;
    let row = |execution: &propcov_ir::Execution| {
        let element = system.element(execution.element).name.clone();
        let condition = system.show(execution.condition).to_string();
        (element, execution.way.name(), condition, execution.edge.is_some())
    };
    Some(system.executions().iter().map(row).collect())
}

#[test]
fn each_statement_is_executed_under_the_conditions_of_its_branches() {
    let text = "module dut(input clk, input a, b, input [1:0] c, output reg [1:0] q);
  always @(posedge clk)
    if (a) q <= b ? c : 2;
    else case (c) 0: q <= 1; 1, 2: ; default: q <= 0; endcase
  always_comb assert (q < 4);
endmodule";
    let Some(found) = executions(text) else { return };
    let ways: Vec<(&str, &str)> = found.iter().map(|(element, way, ..)| (element.as_str(), *way)).collect();
    let expected = [
        ("if@3:9", "true"),
        ("if@3:9", "false"),
        ("?:@3:17", "true"),
        ("?:@3:17", "false"),
        ("q@3:12", "executed"),
        ("case@4:19", "chosen"),
        ("case@4:30", "chosen"),
        ("q@4:22", "executed"),
        ("q@4:47", "executed"),
    ];
    assert_eq!(ways, expected, "{found:?}");
    assert!(found.iter().all(|(.., at_edge)| !at_edge));
}

#[test]
fn where_clocks_are_signals_statements_wait_for_their_edge_and_resets_do_not() {
    let text = "module dut(input clk, other, rst, input d, output reg q, r);
  always @(posedge clk or posedge rst) if (rst) q <= 0; else q <= d;
  always @(posedge other) r <= d;
  always_comb assert (q == q);
endmodule";
    let Some(found) = executions(text) else { return };
    let edges: Vec<(&str, &str, bool)> =
        found.iter().map(|(element, way, _, at_edge)| (element.as_str(), *way, *at_edge)).collect();
    let expected = [
        ("if@2:44", "true", false),
        ("if@2:44", "false", false),
        ("q@2:49", "executed", false),
        ("q@2:62", "executed", true),
        ("r@3:27", "executed", true),
    ];
    assert_eq!(edges, expected, "{found:?}");
}
