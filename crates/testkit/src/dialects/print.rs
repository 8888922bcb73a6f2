//! Programs as text.

use super::syntax::{Block, Expr, Node, Operator, Program, SIZE, State, Type};
use std::fmt::Write;

fn machine(signed: bool) -> &'static str {
    if signed { "int8" } else { "uint8" }
}

impl Program {
    /// The program as a file.
    pub fn text(&self) -> String {
        let mut text = format!("const n = {SIZE};\n");
        for (position, node) in self.nodes.iter().enumerate() {
            self.node(position, node, &mut text);
        }
        text
    }

    fn node(&self, position: usize, node: &Node, text: &mut String) {
        let size = if node.sized { "m" } else { "n" };
        let of = |at: usize| match node.variables[at] {
            Type::Bool => "bool".to_owned(),
            Type::Machine { signed } => machine(signed).to_owned(),
            Type::Array => format!("uint8 ^ {size}"),
        };
        let mut inputs: Vec<String> = (0..node.inputs).map(|at| format!("v{at}: {}", of(at))).collect();
        if node.sized {
            inputs.insert(0, "const m: int".to_owned());
        }
        let output = node.inputs;
        let _ =
            writeln!(text, "node f{position}({}) returns (v{output}: {});", inputs.join("; "), of(output));
        if let Some(contract) = &node.contract {
            let show = |expr: &Expr| self.show(expr);
            let _ = writeln!(text, "(*@contract");
            let _ = writeln!(text, "  var ghost: bool = {};", show(&contract.guarantee));
            let _ = writeln!(text, "  assume \"a{position}\" {};", show(&contract.assumption));
            let _ = writeln!(text, "  guarantee \"g{position}\" ghost;");
            let _ = writeln!(
                text,
                "  mode mine (require {}; ensure \"e{position}\" {};);",
                show(&contract.mode.0),
                show(&contract.mode.1)
            );
            let _ = writeln!(text, "  mode other (require not ::mine;);\n*)");
        }
        if node.variables.len() > output + 1 {
            let locals = (output + 1..node.variables.len()).map(|at| format!("v{at}: {};", of(at)));
            let _ = writeln!(text, "var {}", locals.collect::<Vec<String>>().join(" "));
        }
        let _ = writeln!(text, "let");
        for (number, block) in node.blocks.iter().enumerate() {
            self.block(number, block, text);
        }
        let _ = writeln!(text, "tel\n");
    }

    fn block(&self, number: usize, block: &Block, text: &mut String) {
        let show = |expr: &Expr| self.show(expr);
        let _ = match block {
            Block::Equation(variable, value) => writeln!(text, "  v{variable} = {};", show(value)),
            Block::Elements(variable, value) => writeln!(text, "  v{variable}[i] = {};", show(value)),
            Block::Frame { condition, variables } => {
                let names: Vec<String> = variables.iter().map(|(at, ..)| format!("v{at}")).collect();
                let mut branches = [String::new(), String::new()];
                let mut initial = String::new();
                for (at, first, then, otherwise) in variables {
                    let _ = write!(initial, " v{at} = {};", show(first));
                    for (branch, value) in branches.iter_mut().zip([then, otherwise]) {
                        if let Some(value) = value {
                            let _ = write!(branch, " v{at} = {};", show(value));
                        }
                    }
                }
                let [then, otherwise] = branches;
                let otherwise =
                    if otherwise.is_empty() { String::new() } else { format!(" else{otherwise}") };
                writeln!(
                    text,
                    "  frame ({})\n   {initial}\n  let\n    if {} then{then}{otherwise} fi\n  tel",
                    names.join(", "),
                    show(condition)
                )
            }
            Block::Automaton { variables, states } => {
                let _ = writeln!(text, "  automaton a{number}");
                for (at, state) in states.iter().enumerate() {
                    self.state(number, at, state, variables, text);
                }
                Ok(())
            }
        };
    }

    fn state(&self, number: usize, at: usize, state: &State, variables: &[usize], text: &mut String) {
        let _ = writeln!(text, "  state S{number}_{at}:");
        let transitions = |word: &str, all: &[(Expr, bool, usize)], text: &mut String| {
            for (condition, restart, target) in all {
                let kind = if *restart { "restart" } else { "resume" };
                let _ = writeln!(text, "    {word} {} {kind} S{number}_{target}", self.show(condition));
            }
        };
        transitions("unless", &state.unless, text);
        let _ = writeln!(text, "    let");
        for (variable, value) in variables.iter().zip(&state.values) {
            let _ = writeln!(text, "      v{variable} = {};", self.show(value));
        }
        let _ = writeln!(text, "    tel");
        transitions("until", &state.until, text);
    }

    fn arguments(&self, node: usize, arguments: &[Expr]) -> String {
        let mut all: Vec<String> = arguments.iter().map(|argument| self.show(argument)).collect();
        if self.nodes[node].sized {
            all.insert(0, "n".to_owned());
        }
        all.join(", ")
    }

    /// An expression as text, with parentheses around everything.
    pub fn show(&self, expr: &Expr) -> String {
        let show = |expr: &Expr| self.show(expr);
        match expr {
            Expr::Variable(at) => format!("v{at}"),
            Expr::Bool(value) => value.to_string(),
            Expr::Number(signed, value) => format!("({} {value})", machine(*signed)),
            Expr::Not(a) => format!("(not {})", show(a)),
            Expr::BitNot(a) => format!("(! {})", show(a)),
            Expr::Negate(a) => format!("(- {})", show(a)),
            Expr::Binary(op, a, b) => format!("({} {} {})", show(a), symbol(*op), show(b)),
            Expr::If(c, a, b) => format!("(if {} then {} else {})", show(c), show(a), show(b)),
            Expr::Fby(a, b) => format!("({} -> pre {})", show(a), show(b)),
            Expr::Arrow(a, b) => format!("({} -> {})", show(a), show(b)),
            Expr::Call(node, arguments) => format!("f{node}({})", self.arguments(*node, arguments)),
            Expr::Restart(node, reset, arguments) => {
                format!("(restart f{node} every {})({})", show(reset), self.arguments(*node, arguments))
            }
            Expr::Activate { node, clock, reset, default, arguments } => {
                let restart = reset.as_ref().map(|reset| format!(" restart every {}", show(reset)));
                format!(
                    "(activate f{node} every {} initial default {}{})({})",
                    show(clock),
                    show(default),
                    restart.unwrap_or_default(),
                    self.arguments(*node, arguments)
                )
            }
            Expr::Merge { clock, node, arguments, otherwise } => {
                format!(
                    "(merge v{clock} (true -> (activate f{node} every v{clock})({})) (false -> {} when not v{clock}))",
                    self.arguments(*node, arguments),
                    show(otherwise)
                )
            }
            Expr::Element(array, index) => format!("v{array}[{index}]"),
            // There is no conversion of an index: it is compared with numbers.
            Expr::Index => (1..SIZE).fold("(uint8 0)".to_owned(), |rest, at| {
                format!("(if i = {at} then (uint8 {at}) else {rest})")
            }),
            Expr::Indexed(array) => format!("v{array}[i]"),
            Expr::Power(value) => format!("((uint8 {value}) ^ n)"),
        }
    }
}

fn symbol(op: Operator) -> &'static str {
    match op {
        Operator::And => "and",
        Operator::Or => "or",
        Operator::Xor => "xor",
        Operator::Implies => "=>",
        Operator::Equal => "=",
        Operator::Less => "<",
        Operator::AtMost => "<=",
        Operator::Plus => "+",
        Operator::Minus => "-",
        Operator::Times => "*",
        Operator::Div => "div",
        Operator::Mod => "mod",
        Operator::BitAnd => "&&",
        Operator::BitOr => "||",
        Operator::ShiftLeft => "lsh",
        Operator::ShiftRight => "rsh",
    }
}
