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
            "2:15",
            "q depends on itself: it is a latch",
        ),
        (
            "module dut(output logic p, q);\n  assign p = !q;\n  assign q = p;\nendmodule",
            "1:28",
            "combinational loop",
        ),
        ("module dut(inout wire a);\nendmodule", "1:23", "inout"),
        ("module dut(input a, output real q);\n  assign q = 1.5;\nendmodule", "2:14", "a real number"),
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
            "3:10",
            "bit 0 of q is driven more than once: also in line 2",
        ),
        (
            "module dut(input clk, r, a, output logic q);\n  always @(posedge clk or posedge r) q <= a;\nendmodule",
            "2:38",
            "resets",
        ),
        (
            "module dut(input clk, r, e, a, output logic q);\n  always @(posedge clk or posedge r iff e) if (r) q <= 0; else q <= a;\nendmodule",
            "2:11",
            "iff",
        ),
        (
            "module dut(input clk, a, output logic q);\n  always @(edge clk) q <= a;\nendmodule",
            "2:10",
            "both edges",
        ),
        (
            "module dut(input clk, a, output logic q);\n  always @(posedge clk) q <= @(negedge clk) a;\nendmodule",
            "2:25",
            "an event in an assignment",
        ),
        (
            "module dut(input clk, a, output logic q);\n  always @(posedge clk) begin #10; q <= a; end\nendmodule",
            "2:31",
            "waiting",
        ),
        (
            "module dut(output logic q);\n  initial q = 0;\n  always #5 q = !q;\nendmodule",
            "3:10",
            "a process that waits for a delay (#)",
        ),
        (
            "module dut(input clk, input [31:0] a, output logic [7:0] q);\n  logic [7:0] m [0:1073741823];\n  always @(posedge clk) q <= m[a];\nendmodule",
            "2:15",
            "m has more bits than can be counted",
        ),
        (
            "module dut(input clk, a, output logic q);\n  always @(posedge clk) fork q <= a; join\nendmodule",
            "2:30",
            "fork",
        ),
        (
            "module dut(input a);\n  class c; int x; endclass\n  c o;\n  initial o = new;\nendmodule",
            "4:15",
            "an object of a class",
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
    let sum = vec!["a"; 41_000].join("\n+");
    let text =
        format!("module dut(input a, output q);\n  assign q = {sum};\n  always_comb assert (q);\nendmodule");
    let Some(read) = read(&text) else { return };
    let error = read.expect_err("too deep").to_string();
    assert!(error.starts_with("dut.sv:2:14: nested deeper than"), "{}", &error[..200.min(error.len())]);
}

#[test]
fn long_chains_of_operators_are_read() {
    let chain = vec!["a"; 20_001].join("^");
    let text = format!(
        "module dut(input a, output q);\n  assign q = {chain};\n  always_comb assert (q == a);\nendmodule"
    );
    let Some(shown) = outputs_for(&text, &[("a", 1, 1)]) else { return };
    assert_eq!(shown, ["1"]);
}

/// The warnings of a design, each with its place.
fn warnings(text: &str) -> Option<Vec<String>> {
    let design = read(text)?.unwrap();
    let place = |warning: &propcov_frontend::Diagnostic| match warning.span.map(|span| span.region) {
        Some(propcov_ir::Region::Text { line, column, .. }) => {
            format!("{line}:{column}: {}", warning.message)
        }
        _ => warning.message.clone(),
    };
    Some(design.warnings.iter().map(place).collect())
}

#[test]
fn what_a_sensitivity_list_lacks_is_named_once_for_each_process() {
    let text = "module sub(input [1:0] a, b, c, output reg [1:0] y, z);
  reg [1:0] t;
  reg [1:0] rom [0:3];
  initial begin rom[0] = 1; rom[1] = 2; rom[2] = 3; rom[3] = 0; end
  always @(a) begin t = a; y = t & b & rom[a] & c; end
  always @(a or b, c) z = a ^ b ^ c;
  always @* assert (z == (a ^ b ^ c));
endmodule
module dut(input [1:0] a, b, c, output [1:0] y, z, v, w);
  sub one(a, b, c, y, z);
  sub two(b, a, c, v, w);
endmodule";
    let Some(warnings) = warnings(text) else { return };
    let expected = "5:12: b, c are read, but not in the sensitivity list: the process is read as `@*`";
    assert_eq!(warnings, [expected]);
}

#[test]
fn delays_of_assignments_are_ignored_with_one_warning_for_each_file() {
    let text = "module dut(input clk, a, output reg q, r, output y);
  wire #2 w = a;
  assign #(1:2:3) y = w;
  always @(posedge clk) begin q <= #1 a; r = #1 a; end
  always @(posedge clk) assert (q == r);
endmodule";
    let Some(warnings) = warnings(text) else { return };
    assert_eq!(warnings, ["2:8: 4 delays are ignored: there is no time but steps"]);
    let system = system(text).unwrap();
    assert_eq!(system.states().len(), 2);
}

#[test]
fn an_edge_with_iff_counts_under_its_condition_which_is_a_branch() {
    let text = "module dut(input clk, rst, en, a, output logic q, r, s);
  always @(posedge clk iff en) q <= a;
  always_ff @(posedge clk iff en or posedge rst) if (rst) r <= 0; else r <= a;
  always @(posedge clk) if (en) s <= a;
  always_comb assert (q == s);
endmodule";
    let Some(read) = read(text) else { return };
    let system = read.unwrap().system;
    let branches = system.elements().iter().filter(|element| element.kind == propcov_ir::ElementKind::Branch);
    let names: Vec<&str> = branches.map(|branch| branch.name.as_str()).collect();
    assert_eq!(names, ["iff@2:28", "if@3:54", "iff@3:31", "if@4:29"]);
    let next = |name: &str| {
        let id = system.signal_named(name).unwrap();
        let propcov_ir::SignalKind::State { next: Some(next), .. } = system.signal(id).kind else { panic!() };
        system.show(next).to_string()
    };
    assert_eq!([next("q"), next("s")], ["(iff@2:28 ? q@2:32 : q)", "(if@4:29 ? s@4:33 : s)"]);
}

#[test]
fn variables_of_two_state_types_start_with_zero() {
    let text = "module dut(input clk, input [3:0] d, output logic q);
  typedef enum {IDLE, BUSY} by_int;
  typedef enum logic {OFF, ON} by_logic;
  typedef struct packed {bit [3:0] a; logic b;} mixed_packed;
  typedef struct {bit [3:0] a; logic b;} mixed;
  typedef union packed {bit [3:0] a; bit [1:0][1:0] b;} both;
  bit [3:0] b; int i; shortint si; longint li; byte by; logic l; integer n; by_int e; by_logic f;
  bit [3:0] given = 5; bit [1:0] unpacked [2]; mixed_packed p; mixed m; both u; bit [7:0] ram [16];
  bit [3:0] shown; bit never;
  assign shown = d;
  always_ff @(posedge clk) begin
    b <= d; i <= d; si <= d; li <= d; by <= d; l <= d[0]; n <= d; e <= by_int'(d[0]); f <= by_logic'(d[0]);
    given <= d; unpacked[0] <= d[0]; unpacked[1] <= d[1]; p <= d; m.a <= d; m.b <= d[0]; u <= d; ram[d] <= d;
    q <= ram[d][0] & never;
  end
  initial assume (shown == 3);
  always_comb assert (b + i + si + li + by + l + n + e + f + given + unpacked[0] + unpacked[1] + p + m.a + m.b + u + shown < 99);
endmodule";
    let Some(read) = read(text) else { return };
    let design = read.unwrap();
    let system = &design.system;
    let first = |name: &str| {
        let id = system.signal_named(name).unwrap_or_else(|| panic!("{name}"));
        match system.signal(id).kind {
            propcov_ir::SignalKind::State { init: Some(init), .. } => system.show(init).to_string(),
            propcov_ir::SignalKind::State { .. } => "any".to_owned(),
            _ => "no state".to_owned(),
        }
    };
    for (name, width) in
        [("b", 4), ("i", 32), ("si", 16), ("li", 64), ("by", 8), ("e", 32), ("u", 4), ("unpacked", 4)]
    {
        let shown = first(name);
        assert!(
            !shown.contains('1') || width == 16 || width == 64 || width == 32,
            "{name} starts with {shown}"
        );
        assert_ne!(shown, "any", "{name}");
    }
    for name in ["l", "n", "f", "p", "q"] {
        assert_eq!(first(name), "any", "{name}");
    }
    assert!(first("given").contains('5') || first("given").contains("0101"), "{}", first("given"));
    assert_ne!(first("ram"), "any");
    // Only the field of a 2-state type starts with zero: a constraint says so.
    assert_eq!(first("m"), "any");
    let starts = system.constraints().iter().filter(|one| one.kind == propcov_ir::ConstraintKind::Initial);
    assert_eq!(
        starts.map(|one| one.name.as_str()).filter(|name| name.starts_with("m.")).collect::<Vec<_>>(),
        ["m.init"]
    );
    let warned: Vec<&str> = design.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(warned, ["never is never assigned: by its type it stays zero"]);
}

#[test]
fn automatic_variables_of_two_state_types_are_zero_whenever_they_begin() {
    let text = "module dut(input [3:0] a, output int y, z);
  function automatic int ones(input [3:0] x);
    for (int i = 0; i < 4; i++) if (x[i]) ones++;
  endfunction
  assign y = ones(a);
  always_comb begin
    z = 0;
    for (int i = 0; i < 2; i++) begin automatic int sum; sum += a; z += sum; end
  end
endmodule";
    let Some(shown) = outputs_for(text, &[("a", 4, 11)]) else { return };
    assert_eq!(shown, [format!("{:032b}", 3), format!("{:032b}", 22)]);
}

#[test]
fn an_output_that_an_assertion_names_is_an_output_like_any_other() {
    let text = "module dut(input clk, input [2:0] q, output reg ovf);
  initial ovf = 0;
  always @(posedge clk) if (q > 5) ovf <= 1;
  always @(posedge clk) assert (!ovf);
endmodule";
    let Some(read) = read(text) else { return };
    let system = read.unwrap().system;
    let checkers = system.elements().iter().filter(|element| element.role != propcov_ir::Role::Design);
    assert_eq!(checkers.count(), 0);
}

#[test]
fn a_reset_is_not_the_clock() {
    let text = "module dut(input clk, a, output reg q);
  always @(posedge clk) q <= a;
  always @(posedge clk) assert (q | !q);
endmodule";
    let Some(output) = exported(&[("dut.sv", text)], &[]) else { return };
    let mut export = output.stdout;
    let settings =
        verilog::Settings { resets: vec![("clk".to_owned(), true)], reset_cycles: 1, ..Default::default() };
    settings.append_to(&mut export);
    let error = verilog::FRONTEND.read("dut.sv", &export).expect_err("the clock").to_string();
    assert!(error.contains("--reset: clk is the clock"), "{error}");
}

#[test]
fn mode_live_without_liveness_says_so() {
    let text = "module dut(input clk, a);
  always @(posedge clk) ok: assert (a | !a);
endmodule";
    let Some(output) = exported(&[("dut.sv", text)], &[]) else { return };
    let mut export = output.stdout;
    verilog::Settings { asked: verilog::Asked::Liveness, ..Default::default() }.append_to(&mut export);
    let error = verilog::FRONTEND.read("dut.sv", &export).expect_err("no liveness").to_string();
    assert!(
        error.contains("no assertion is about liveness") && error.contains("alone: ok can be"),
        "{error}"
    );
}

#[test]
fn modules_that_only_instantiate_each_other_and_unknown_parameters_are_named() {
    let text = "module m #(parameter N = 0)(input a); m #(N + 1) u(a); endmodule";
    let Some(output) = exported(&[("dut.sv", text)], &[]) else { return };
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("choose one with --top (m)"), "{said}");
    let Some(output) = exported(&[("dut.sv", text)], &["--top", "m"]) else { return };
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("maximum depth"), "{said}");
    let text = "module dut #(parameter W = 1)(input a); endmodule";
    let Some(output) = exported(&[("dut.sv", text)], &["-G", "W=3", "-G", "WIDTH=3"]) else { return };
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && said == "warning: -G WIDTH: dut has no parameter WIDTH\n", "{said}");
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
