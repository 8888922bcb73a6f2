//! Programs as text, with all parentheses or as few as JKind's grammar needs.

use super::syntax::{Binary, Expr, Node, Program, Type, Unary, Variable};
use std::fmt::Write;

impl Program {
    /// The program as a file.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for enumeration in &self.enums {
            let _ =
                writeln!(text, "type {} = enum {{ {} }};", enumeration.name, enumeration.values.join(", "));
        }
        for record in &self.records {
            let field = |(name, of): &(String, Type)| format!("{name}: {}", self.type_text(of));
            let fields: Vec<String> = record.fields.iter().map(field).collect();
            let _ = writeln!(text, "type {} = struct {{ {} }};", record.name, fields.join("; "));
        }
        for constant in &self.constants {
            let of =
                if constant.typed { format!(": {}", self.type_text(&constant.of)) } else { String::new() };
            let _ = writeln!(text, "const {}{of} = {};", constant.name, self.show(&constant.value));
        }
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        if self.main_first {
            order.rotate_right(1);
        }
        for index in order {
            let marked = self.main_first && index + 1 == self.nodes.len();
            self.print_node(&self.nodes[index], marked, &mut text);
        }
        text
    }

    fn type_text(&self, of: &Type) -> String {
        match of {
            Type::Bool => "bool".to_owned(),
            Type::Int => "int".to_owned(),
            Type::Real => "real".to_owned(),
            Type::Subrange(low, high) => format!("subrange [{low}, {high}] of int"),
            Type::Enum(index) => self.enums[*index].name.clone(),
            Type::Record(index) => self.records[*index].name.clone(),
            Type::Array(element, size) => format!("{}[{size}]", self.type_text(element)),
            Type::Tuple(_) => "tuple".to_owned(),
        }
    }

    fn variables_text(&self, variables: &[Variable]) -> String {
        let one = |variable: &Variable| format!("{}: {}", variable.name, self.type_text(&variable.of));
        variables.iter().map(one).collect::<Vec<_>>().join("; ")
    }

    fn print_node(&self, node: &Node, marked: bool, text: &mut String) {
        let (inputs, outputs) = (self.variables_text(&node.inputs), self.variables_text(&node.outputs));
        let _ = writeln!(text, "node {}({inputs}) returns ({outputs});", node.name);
        if !node.locals.is_empty() {
            let _ = writeln!(text, "var {};", self.variables_text(&node.locals));
        }
        let _ = writeln!(text, "let");
        if marked {
            let _ = writeln!(text, "  --%MAIN;");
        }
        for assertion in node.all_assertions() {
            let _ = writeln!(text, "  assert {};", self.show(&assertion));
        }
        for equation in &node.equations {
            let _ = writeln!(text, "  {} = {};", equation.targets.join(", "), self.show(&equation.value));
        }
        for property in &node.properties {
            let _ = writeln!(text, "  --%PROPERTY {property};");
        }
        let _ = writeln!(text, "tel;");
    }

    /// An expression as text.
    pub fn show(&self, expr: &Expr) -> String {
        Printer { program: self, name: &|name| name.to_owned(), prefix: "", unfold: false }.expr(expr, 0)
    }

    /// An expression as text, with the values of constants, a prefix for its variables and the nodes that it calls.
    pub(super) fn show_prefixed(&self, expr: &Expr, prefix: &str) -> String {
        Printer { program: self, name: &|name| format!("{prefix}{name}"), prefix, unfold: true }.expr(expr, 0)
    }
}

struct Printer<'p> {
    program: &'p Program,
    name: &'p dyn Fn(&str) -> String,
    prefix: &'p str,
    /// Whether constants are replaced by their values.
    unfold: bool,
}

/// How tightly prefix operators bind.
const PREFIX: u32 = 10;
/// Names, literals, calls.
const ATOM: u32 = 12;

impl Printer<'_> {
    /// The text of an expression where something of at least this level is expected.
    fn expr(&self, expr: &Expr, least: u32) -> String {
        let (text, level) = self.bare(expr);
        let wanted = if self.program.few_parentheses || least == 0 { least } else { ATOM };
        if level < wanted { format!("({text})") } else { text }
    }

    fn list(&self, exprs: &[Expr]) -> String {
        exprs.iter().map(|expr| self.expr(expr, 0)).collect::<Vec<_>>().join(", ")
    }

    fn call(&self, node: usize, arguments: &[Expr]) -> String {
        format!("{}{}({})", self.prefix, self.program.nodes[node].name, self.list(arguments))
    }

    /// The text and how tightly its outermost operator binds.
    fn bare(&self, expr: &Expr) -> (String, u32) {
        let program = self.program;
        let atom = |text: String| (text, ATOM);
        match expr {
            Expr::Variable(name) => atom((self.name)(name)),
            Expr::Constant(index) if self.unfold => self.bare(&program.constants[*index].value),
            Expr::Constant(index) => atom(program.constants[*index].name.clone()),
            Expr::Bool(value) => atom(value.to_string()),
            Expr::Int(value) => atom(value.to_string()),
            Expr::Real(hundredths) => atom(format!("{}.{:02}", hundredths / 100, hundredths % 100)),
            Expr::Enum(index, position) => atom(program.enums[*index].values[*position].clone()),
            Expr::Unary(Unary::ToReal, a) => atom(format!("real({})", self.expr(a, 0))),
            Expr::Unary(Unary::Floor, a) => atom(format!("floor({})", self.expr(a, 0))),
            // An atom, for two signs in a row would start a comment.
            Expr::Unary(Unary::Negate, a) => (format!("-{}", self.expr(a, ATOM)), PREFIX),
            Expr::Unary(Unary::Not, a) => (format!("not {}", self.expr(a, PREFIX)), PREFIX),
            Expr::Unary(Unary::Pre, a) => (format!("pre {}", self.expr(a, PREFIX)), PREFIX),
            Expr::Binary(op, a, b) => {
                let (symbol, level, right) = symbol(*op);
                let (left_level, right_level) = if right { (level + 1, level) } else { (level, level + 1) };
                (format!("{} {symbol} {}", self.expr(a, left_level), self.expr(b, right_level)), level)
            }
            Expr::If(a, b, c) => {
                let (a, b, c) = (self.expr(a, 0), self.expr(b, 0), self.expr(c, 0));
                (format!("if {a} then {b} else {c}"), 1)
            }
            Expr::Call(node, arguments) => atom(self.call(*node, arguments)),
            Expr::Condact(clock, node, arguments, defaults) => {
                let (clock, call) = (self.expr(clock, 0), self.call(*node, arguments));
                atom(format!("condact({clock}, {call}, {})", self.list(defaults)))
            }
            Expr::Field(record, of, field) => {
                let name = &program.records[*of].fields[*field].0;
                atom(format!("{}.{name}", self.expr(record, ATOM)))
            }
            Expr::FieldUpdate(record, of, field, value) => {
                let name = &program.records[*of].fields[*field].0;
                atom(format!("{}{{{name} := {}}}", self.expr(record, ATOM), self.expr(value, 0)))
            }
            Expr::Element(array, index) => {
                atom(format!("{}[{}]", self.expr(array, ATOM), self.expr(index, 0)))
            }
            Expr::ElementUpdate(array, index, value) => {
                let (index, value) = (self.expr(index, 0), self.expr(value, 0));
                atom(format!("{}[{index} := {value}]", self.expr(array, ATOM)))
            }
            Expr::Record(of, values) => {
                let record = &program.records[*of];
                let field = |((name, _), value): (&(String, Type), &Expr)| {
                    format!("{name} = {}", self.expr(value, 0))
                };
                let fields: Vec<String> = record.fields.iter().zip(values).map(field).collect();
                atom(format!("{} {{{}}}", record.name, fields.join("; ")))
            }
            Expr::Array(elements) => atom(format!("[{}]", self.list(elements))),
            Expr::Tuple(parts) => atom(format!("({})", self.list(parts))),
        }
    }
}

/// Symbol, how tightly it binds, and whether it groups to the right.
fn symbol(op: Binary) -> (&'static str, u32, bool) {
    match op {
        Binary::Times => ("*", 8, false),
        Binary::Divide => ("/", 8, false),
        Binary::Div => ("div", 8, false),
        Binary::Mod => ("mod", 8, false),
        Binary::Plus => ("+", 7, false),
        Binary::Minus => ("-", 7, false),
        Binary::Equal => ("=", 6, false),
        Binary::NotEqual => ("<>", 6, false),
        Binary::Less => ("<", 6, false),
        Binary::LessEqual => ("<=", 6, false),
        Binary::Greater => (">", 6, false),
        Binary::GreaterEqual => (">=", 6, false),
        Binary::And => ("and", 5, false),
        Binary::Or => ("or", 4, false),
        Binary::Xor => ("xor", 4, false),
        Binary::Implies => ("=>", 3, true),
        Binary::Arrow => ("->", 2, true),
    }
}
