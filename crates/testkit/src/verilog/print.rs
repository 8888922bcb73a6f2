//! Writes programs.

use super::{Dialect, Edge, Expr, Item, Program, Shape, Stmt, Target, form};
use std::fmt::Write;

impl Shape {
    fn text(self) -> String {
        format!("logic {}[{}:0]", if self.signed { "signed " } else { "" }, self.width - 1)
    }
}

impl Program {
    /// The width of an output; wide enough for whatever it is.
    pub const OUTPUT: u32 = 24;

    /// The program as a module of this name. The names of other modules that it needs begin with its name.
    pub fn text(&self, name: &str) -> String {
        let mut ports: Vec<String> =
            self.clocks().iter().map(|clock| format!("input logic {clock}")).collect();
        ports.extend(self.inputs.iter().enumerate().map(|(n, shape)| format!("input {} i{n}", shape.text())));
        let outputs = 0..self.outputs.len();
        ports.extend(outputs.map(|n| format!("output logic [{}:0] o{n}", Program::OUTPUT - 1)));
        let mut text = if self.dialect == Dialect::Plain { String::new() } else { form::around(name) };
        text += &format!(
            "module {name}_unit #(parameter logic [5:0] INIT = 0) (input logic clk, input logic [5:0] d, input logic e, output logic [5:0] q);\n  initial q = INIT;\n  always_ff @(posedge clk) if (e) q <= q + d;\nendmodule\n"
        );
        writeln!(text, "module {name}({});", ports.join(", ")).expect("a text");
        if self.dialect != Dialect::Plain {
            writeln!(text, "  import {name}_package::*;").expect("a text");
        }
        // Registers are read by items before them.
        for (position, item) in numbered(&self.items) {
            match item {
                Item::Register(shape, first, ..) => {
                    writeln!(text, "  {} r{position} = {}'d{first};", shape.text(), shape.width)
                        .expect("a text");
                }
                Item::Form(form, _) => {
                    if let Some(declaration) = form.declaration(name, position) {
                        writeln!(text, "{declaration}").expect("a text");
                    }
                }
                _ => {}
            }
        }
        for (position, item) in numbered(&self.items) {
            self.item(name, position, item, &mut text);
        }
        for (position, output) in self.outputs.iter().enumerate() {
            writeln!(text, "  assign o{position} = {};", output.text()).expect("a text");
        }
        text + "endmodule\n"
    }

    /// The names of its clocks.
    pub fn clocks(&self) -> &'static [&'static str] {
        if self.dialect == Dialect::Clocks { &["clock_a", "clock_b"] } else { &["clk"] }
    }

    fn edge(&self, edge: Edge) -> String {
        let word = if edge.falling { "negedge" } else { "posedge" };
        format!("{word} {}", self.clocks()[usize::from(edge.second)])
    }

    fn item(&self, program: &str, n: usize, item: &Item, text: &mut String) {
        let clock = self.clocks()[0];
        let body = |body: &[Stmt], target: &str, arrow: &str| statements(body, target, arrow, 2);
        let lines = match item {
            Item::Net(shape, value) => format!("  wire {} w{n} = {};", shape.text(), value.text()),
            Item::Process(shape, first, stmts) => format!(
                "  {} c{n};\n  always_comb begin\n    c{n} = {};\n{}  end",
                shape.text(),
                first.text(),
                body(stmts, &format!("c{n}"), "=")
            ),
            Item::Register(_, _, edge, stmts) => {
                let edge = self.edge(*edge);
                format!("  always_ff @({edge}) begin\n{}  end", body(stmts, &format!("r{n}"), "<="))
            }
            Item::Form(form, values) => form.text(program, clock, n, values),
            Item::Memory(shape, when, place, value) => format!(
                "  {} m{n} [0:7];\n  initial for (int k = 0; k < 8; k = k + 1) m{n}[k] = k * 3;\n  wire [2:0] m{n}_at = {};\n  always_ff @(posedge {clock}) if ({}) m{n}[m{n}_at] <= {};",
                shape.text(),
                place.text(),
                when.text(),
                value.text()
            ),
            Item::Struct(first, stmts) => format!(
                "  struct packed {{ logic [3:0] a; logic signed [3:0] b; logic c; }} s{n};\n  always_comb begin\n    s{n} = {};\n{}  end",
                first.text(),
                body(stmts, &format!("s{n}"), "=")
            ),
            Item::Function(shape, stmts) => format!(
                "  function automatic {} f{n}(input logic [7:0] x, input logic signed [5:0] y);\n{}  endfunction",
                shape.text(),
                body(stmts, &format!("f{n}"), "=")
            ),
            Item::Instance(first, d, e) => format!(
                "  logic [5:0] u{n};\n  {program}_unit #(.INIT({first})) u{n}_unit(.clk({clock}), .d({}), .e({}), .q(u{n}));",
                d.text(),
                e.text()
            ),
        };
        text.push_str(&lines);
        text.push('\n');
    }
}

/// Items with the numbers of what they define, by kind.
fn numbered(items: &[Item]) -> impl Iterator<Item = (usize, &Item)> {
    items.iter().enumerate().map(|(position, item)| {
        let kind = item.letter();
        (items[..position].iter().filter(|other| other.letter() == kind).count(), item)
    })
}

fn statements(body: &[Stmt], target: &str, arrow: &str, depth: usize) -> String {
    let margin = "  ".repeat(depth);
    let mut text = String::new();
    for stmt in body {
        let inner = |body: &[Stmt]| statements(body, target, arrow, depth + 1);
        let lines = match stmt {
            Stmt::Assign(part, value) => {
                let part = match part {
                    Target::Whole => target.to_owned(),
                    Target::Bits(high, low) => format!("{target}[{high}:{low}]"),
                    Target::Part(place, bits, width) => format!("{target}[{} +: {width}]", cut(place, *bits)),
                    Target::Field(field) => format!("{target}.{field}"),
                };
                format!("{margin}{part} {arrow} {};\n", value.text())
            }
            Stmt::If(condition, then, otherwise) => {
                let mut lines =
                    format!("{margin}if ({}) begin\n{}{margin}end\n", condition.text(), inner(then));
                if !otherwise.is_empty() {
                    lines += &format!("{margin}else begin\n{}{margin}end\n", inner(otherwise));
                }
                lines
            }
            Stmt::Case(word, subject, items, default) => {
                let mut lines = format!("{margin}{word} ({})\n", cut(subject, 3));
                for (digits, body) in items {
                    lines += &format!("{margin}3'b{digits}: begin\n{}{margin}end\n", inner(body));
                }
                lines + &format!("{margin}default: begin\n{}{margin}end\n{margin}endcase\n", inner(default))
            }
            Stmt::For(rounds, body) => {
                format!(
                    "{margin}for (int k = 0; k < {rounds}; k = k + 1) begin\n{}{margin}end\n",
                    inner(body)
                )
            }
        };
        text.push_str(&lines);
    }
    text
}

/// A value cut to so many bits, never negative.
pub(super) fn cut(value: &Expr, bits: u32) -> String {
    format!("$unsigned({bits}'({}))", value.text())
}

impl Expr {
    pub(super) fn text(&self) -> String {
        match self {
            Expr::Literal(shape, value) => {
                format!("{}'{}d{value}", shape.width, if shape.signed { "s" } else { "" })
            }
            Expr::Name(name) => name.clone(),
            Expr::Unary(op, a) => format!("({op}({}))", a.text()),
            // Nothing is divided by zero: the last bit of the divisor is set.
            Expr::Binary(op @ ("/" | "%"), a, b) => format!("({} {op} ({} | 3'sd1))", a.text(), b.text()),
            Expr::Binary(op, a, b) => format!("({} {op} {})", a.text(), b.text()),
            Expr::Choice(parts) => {
                format!("({} ? {} : {})", parts[0].text(), parts[1].text(), parts[2].text())
            }
            Expr::Concat(parts) => {
                let parts: Vec<String> = parts.iter().map(Expr::text).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Expr::Replicate(count, a) => format!("{{{count}{{{}}}}}", a.text()),
            Expr::Slice(name, high, low) => format!("{name}[{high}:{low}]"),
            Expr::Part(name, place, bits, width) => format!("{name}[{} +: {width}]", cut(place, *bits)),
            Expr::Call(name, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(Expr::text).collect();
                format!("{name}({})", arguments.join(", "))
            }
            Expr::Cast(width, a) => format!("{width}'({})", a.text()),
            Expr::Element(name, place, bits) => format!("{name}[{}]", cut(place, *bits)),
            Expr::Inside(value, numbers, low) => {
                let numbers: Vec<String> = numbers.iter().map(|number| format!("3'd{number}")).collect();
                format!("({} inside {{{}, [3'd{low}:3'd{}]}})", cut(value, 3), numbers.join(", "), low + 2)
            }
            Expr::Wild(value, digits) => format!("({} ==? 3'b{digits})", cut(value, 3)),
        }
    }
}
