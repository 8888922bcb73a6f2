//! Conditional activation: `condact(clock, f(x), d)` is `f` at the steps where the clock holds, and else what it last was, at first `d`.
//!
//! As in JKind, such a call becomes a plain call `f~condact(clock, x, d)` of a node that is made for it: in it `pre e` is the value that e had when the clock
//! last held, kept in a variable `~state0`; `->` looks whether the clock has held before (`~init`); outputs are kept in `y~clocked`; and calls are
//! of nodes `g~clocked`, which have a clock but keep no outputs. Properties have to hold when the clock does.
//!
//! One thing is different from JKind: `pre` is distributed in arguments of calls too, so that only variables and calls are kept.

use super::super::syntax::{
    At, BinaryOp, Equation, Expr, ExprKind, Id, Name, Node, Program, PropertyDeclaration, Sugar, Type,
    TypeKind, UnaryOp, Variable,
};
use super::names::{operands, roots, under};
use crate::{InputError, text::Input};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the names of a node's own variables end with: nothing, unless the node was made here itself.
fn level(node: &Node) -> String {
    match node.name.text.matches("~clocked").count() + node.name.text.matches("~condact").count() {
        0 => String::new(),
        level => format!("~{level}"),
    }
}

/// The program without conditional activation in these expressions.
pub(super) fn remove(
    input: &Input<'_>,
    program: &Program,
    exprs: impl Iterator<Item = Id>,
) -> Result<Program, InputError> {
    let mut removal = Removal {
        input,
        original: program,
        nodes: program.nodes.iter().enumerate().map(|(at, node)| (node.name.text.as_str(), at)).collect(),
        result: program.clone(),
        wanted: Vec::new(),
        made: FxHashSet::default(),
    };
    removal.find_made();
    for at in exprs.map(|id| id.0 as usize) {
        let ExprKind::Condact { clock, node, arguments, defaults } = &program.exprs[at].kind else {
            continue;
        };
        removal.result.exprs[at].kind = if is_literally_true(program, *clock) {
            ExprKind::Call(node.clone(), arguments.clone())
        } else {
            let all = std::iter::once(clock).chain(arguments).chain(defaults).copied().collect();
            removal.call(node, Keeps::Outputs, all)
        };
    }
    let mut next = 0;
    while let Some((node, keeps)) = removal.wanted.get(next).copied() {
        let node = Clocked::new(&mut removal, node, keeps).build()?;
        removal.result.nodes.push(node);
        next += 1;
    }
    Ok(removal.result)
}

/// Whether an expression is `true`, or a constant that is.
fn is_literally_true(program: &Program, mut id: Id) -> bool {
    for _ in 0..=program.constants.len() {
        match &program.expr(id).kind {
            ExprKind::Bool(value) => return *value,
            ExprKind::Name(name) => {
                match program.constants.iter().find(|constant| constant.name.text == *name) {
                    Some(constant) => id = constant.value,
                    None => return false,
                }
            }
            _ => return false,
        }
    }
    false
}

/// Whether a node keeps its outputs while its clock does not hold, and which name it has.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Keeps {
    Outputs,
    Nothing,
}

struct Removal<'p> {
    input: &'p Input<'p>,
    original: &'p Program,
    nodes: FxHashMap<&'p str, usize>,
    result: Program,
    /// Nodes to be made, by position in the original program.
    wanted: Vec<(usize, Keeps)>,
    made: FxHashSet<(usize, Keeps)>,
}

impl Removal<'_> {
    /// Notes which nodes have been made before.
    fn find_made(&mut self) {
        for (name, at) in &self.nodes {
            for (suffix, keeps) in [("~condact", Keeps::Outputs), ("~clocked", Keeps::Nothing)] {
                if self.nodes.contains_key(format!("{name}{suffix}").as_str()) {
                    self.made.insert((*at, keeps));
                }
            }
        }
    }

    /// A call of the clocked version of a node.
    fn call(&mut self, node: &Name, keeps: Keeps, arguments: Vec<Id>) -> ExprKind {
        if let Some(at) = self.nodes.get(node.text.as_str())
            && self.made.insert((*at, keeps))
        {
            self.wanted.push((*at, keeps));
        }
        let suffix = if keeps == Keeps::Outputs { "condact" } else { "clocked" };
        let text = format!("{}~{suffix}", node.text);
        ExprKind::Call(Name { text, at: node.at.clone() }, arguments)
    }

    /// Adds what the user did not write.
    fn add(&mut self, kind: ExprKind, at: &At) -> Id {
        self.add_written(kind, at, None)
    }

    /// Adds what stands for a word that the user wrote.
    fn add_written(&mut self, kind: ExprKind, at: &At, token: Option<&At>) -> Id {
        self.result.exprs.push(Expr { kind, at: at.clone(), token: token.cloned() });
        Id(self.result.exprs.len() as u32 - 1)
    }

    fn name(&mut self, name: &str, at: &At) -> Id {
        self.add(ExprKind::Name(name.to_owned()), at)
    }

    fn pre(&mut self, name: &str, at: &At) -> Id {
        let name = self.name(name, at);
        self.add(ExprKind::Unary(UnaryOp::Pre, name), at)
    }

    fn if_clock(&mut self, clock: &str, then: Id, otherwise: Id, at: &At) -> Id {
        let clock = self.name(clock, at);
        self.add(ExprKind::If(clock, then, otherwise), at)
    }
}

/// A node with a clock, in the making.
struct Clocked<'r, 'p> {
    removal: &'r mut Removal<'p>,
    original: &'p Node,
    keeps: Keeps,
    states: Vec<Variable>,
    equations: Vec<Equation>,
    /// The state for what is under so many `pre`, by its text.
    state_of: FxHashMap<(String, u32), String>,
    variables: FxHashMap<&'p str, &'p Variable>,
    clock: String,
    init: String,
    level: String,
}

fn declared(name: String, kind: TypeKind, at: &At) -> Variable {
    Variable { name: Name { text: name, at: at.clone() }, of: Type { kind, at: at.clone() }, constant: false }
}

fn equation(target: &str, value: Id, at: &At) -> Equation {
    Equation { targets: vec![Name { text: target.to_owned(), at: at.clone() }], value, at: at.clone() }
}

impl<'r, 'p> Clocked<'r, 'p> {
    fn new(removal: &'r mut Removal<'p>, node: usize, keeps: Keeps) -> Clocked<'r, 'p> {
        let original = &removal.original.nodes[node];
        let variables = super::names::variables(original);
        let variables = variables.map(|variable| (variable.name.text.as_str(), variable)).collect();
        let (states, equations, state_of) = (Vec::new(), Vec::new(), FxHashMap::default());
        let level = level(original);
        let (clock, init) = (format!("~clock{level}"), format!("~init{level}"));
        Clocked { removal, original, keeps, states, equations, state_of, variables, clock, init, level }
    }

    fn build(mut self) -> Result<Node, InputError> {
        let new = self.copy()?;
        let original = self.original;
        let at = &original.name.at;
        let mut equations: Vec<Equation> = original.equations.clone();
        equations.iter_mut().for_each(|equation| equation.value = new[&equation.value]);
        let mut locals = original.locals.clone();
        locals.append(&mut self.states);
        equations.append(&mut self.equations);
        locals.push(declared(self.init.clone(), TypeKind::Bool, at));
        let begins = self.init(at);
        equations.push(equation(&self.init, begins, at));
        let mut inputs = vec![declared(self.clock.clone(), TypeKind::Bool, at)];
        inputs.extend(original.inputs.iter().cloned());
        let mut outputs = original.outputs.clone();
        let mut suffix = "clocked";
        if self.keeps == Keeps::Outputs {
            suffix = "condact";
            locals.append(&mut outputs);
            for output in &original.outputs {
                let renamed = |suffix: &str| {
                    let text = format!("{}~{suffix}", output.name.text);
                    Variable {
                        name: Name { text, at: output.name.at.clone() },
                        of: output.of.clone(),
                        constant: false,
                    }
                };
                let (default, clocked) = (renamed("default"), renamed("clocked"));
                equations.push(self.kept_output(output, &default, &clocked));
                inputs.push(default);
                outputs.push(clocked);
            }
        }
        let mut properties = Vec::new();
        for property in &original.properties {
            properties.push(self.property(property, new[&property.expr], &mut locals, &mut equations));
        }
        Ok(Node {
            name: Name { text: format!("{}~{suffix}", original.name.text), at: at.clone() },
            inputs,
            outputs,
            locals,
            equations,
            assertions: original.assertions.iter().map(|assertion| new[assertion]).collect(),
            properties,
            ivc: original.ivc.clone(),
            main: None,
            realizable: None,
            free: original.free.clone(),
            is_abstract: original.is_abstract,
            is_function: false,
            sugar: Sugar::default(),
        })
    }

    /// `true -> if pre ~clock then false else pre ~init`
    fn init(&mut self, at: &At) -> Id {
        let removal = &mut *self.removal;
        let (yes, no) = (removal.add(ExprKind::Bool(true), at), removal.add(ExprKind::Bool(false), at));
        let (clock, init) = (removal.pre(&self.clock, at), removal.pre(&self.init, at));
        let later = removal.add(ExprKind::If(clock, no, init), at);
        removal.add(ExprKind::Binary(BinaryOp::Arrow, yes, later), at)
    }

    /// `y~clocked = if ~clock then y else (y~default -> pre y~clocked)`
    fn kept_output(&mut self, output: &Variable, default: &Variable, clocked: &Variable) -> Equation {
        let removal = &mut *self.removal;
        let at = &output.name.at;
        let (now, default) = (removal.name(&output.name.text, at), removal.name(&default.name.text, at));
        let last = removal.pre(&clocked.name.text, at);
        let otherwise = removal.add(ExprKind::Binary(BinaryOp::Arrow, default, last), at);
        equation(&clocked.name.text, removal.if_clock(&self.clock, now, otherwise, at), at)
    }

    /// The property, when the clock holds. One that is a variable becomes another variable.
    fn property(
        &mut self,
        property: &PropertyDeclaration,
        expr: Id,
        locals: &mut Vec<Variable>,
        equations: &mut Vec<Equation>,
    ) -> PropertyDeclaration {
        let removal = &mut *self.removal;
        let at = &property.at;
        let clock = removal.name(&self.clock, at);
        let implied = removal.add(ExprKind::Binary(BinaryOp::Implies, clock, expr), at);
        let expr = match &removal.original.expr(property.expr).kind {
            ExprKind::Name(name) if property.name.is_none() => {
                let name = format!("{name}~clocked_property");
                locals.push(declared(name.clone(), TypeKind::Bool, at));
                equations.push(equation(&name, implied, at));
                removal.name(&name, at)
            }
            _ => implied,
        };
        PropertyDeclaration { name: property.name.clone(), expr, at: at.clone(), role: property.role }
    }

    /// Copies the node's expressions; says which copy each has.
    fn copy(&mut self) -> Result<FxHashMap<Id, Id>, InputError> {
        let program = self.removal.original;
        let all = under(program, roots(self.original));
        // How many `pre` each is under: uses come after operands.
        let mut pres: FxHashMap<Id, u32> = FxHashMap::default();
        for id in all.iter().rev() {
            let here = pres.get(id).copied().unwrap_or(0);
            let kind = &program.expr(*id).kind;
            let inside = match kind {
                ExprKind::Unary(UnaryOp::Pre, _) => here + 1,
                ExprKind::Call(name, _) if self.is_node(name) => 0,
                ExprKind::Condact { .. } => 0,
                _ => here,
            };
            pres.extend(operands(kind).into_iter().map(|operand| (operand, inside)));
        }
        let mut new = FxHashMap::default();
        for id in all {
            let copy = self.copied(id, pres.get(&id).copied().unwrap_or(0), &new)?;
            new.insert(id, copy);
        }
        Ok(new)
    }

    fn is_node(&self, name: &Name) -> bool {
        self.removal.nodes.contains_key(name.text.as_str())
    }

    fn copied(&mut self, id: Id, pres: u32, new: &FxHashMap<Id, Id>) -> Result<Id, InputError> {
        let Expr { kind, at, token } = self.removal.original.expr(id);
        let token = token.as_ref();
        let copies = |ids: &[Id]| ids.iter().map(|id| new[id]).collect::<Vec<Id>>();
        let kind = match kind {
            ExprKind::Name(name) => {
                let copy = self.removal.add_written(ExprKind::Name(name.clone()), at, token);
                let Some(variable) = self.variables.get(name.as_str()) else { return Ok(copy) };
                return Ok(self.kept(copy, name, &variable.of, pres, at));
            }
            ExprKind::Call(name, arguments) if self.is_node(name) => {
                let clock = self.removal.name(&self.clock, at);
                let arguments = std::iter::once(clock).chain(copies(arguments)).collect();
                let call = self.removal.call(name, Keeps::Nothing, arguments);
                let call = self.removal.add_written(call, at, token);
                return self.kept_call(call, name, pres, at);
            }
            ExprKind::Condact { clock, node, arguments, defaults } => {
                let here = self.removal.name(&self.clock, at);
                let clock = self.removal.add(ExprKind::Binary(BinaryOp::And, new[clock], here), at);
                let all = std::iter::once(clock).chain(copies(arguments)).chain(copies(defaults)).collect();
                let call = self.removal.call(node, Keeps::Outputs, all);
                let call = self.removal.add_written(call, at, token);
                return self.kept_call(call, node, pres, at);
            }
            ExprKind::Unary(UnaryOp::Pre, operand) => return Ok(new[operand]),
            ExprKind::Binary(BinaryOp::Arrow, a, b) => {
                let init = self.removal.name(&self.init, at);
                let of = Type { kind: TypeKind::Bool, at: at.clone() };
                let init = self.kept(init, &self.init.clone(), &of, pres, at);
                ExprKind::If(init, new[a], new[b])
            }
            ExprKind::Int(_) | ExprKind::Real(_) | ExprKind::Bool(_) => kind.clone(),
            ExprKind::ToReal(a) => ExprKind::ToReal(new[a]),
            ExprKind::Floor(a) => ExprKind::Floor(new[a]),
            ExprKind::Call(name, arguments) => ExprKind::Call(name.clone(), copies(arguments)),
            ExprKind::Field(a, field) => ExprKind::Field(new[a], field.clone()),
            ExprKind::FieldUpdate(a, field, b) => ExprKind::FieldUpdate(new[a], field.clone(), new[b]),
            ExprKind::Element(a, b) => ExprKind::Element(new[a], new[b]),
            ExprKind::ElementUpdate(a, b, c) => ExprKind::ElementUpdate(new[a], new[b], new[c]),
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, new[a]),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, new[a], new[b]),
            ExprKind::If(a, b, c) => ExprKind::If(new[a], new[b], new[c]),
            ExprKind::Record(name, fields) => {
                let fields = fields.iter().map(|(field, value)| (field.clone(), new[value]));
                ExprKind::Record(name.clone(), fields.collect())
            }
            ExprKind::Array(elements) => ExprKind::Array(copies(elements)),
            ExprKind::Tuple(parts) => ExprKind::Tuple(copies(parts)),
            ExprKind::Cast(machine, a) => ExprKind::Cast(*machine, new[a]),
            _ => {
                return Err(self
                    .removal
                    .input
                    .error(at.clone(), "this construct is not supported in `condact`"));
            }
        };
        Ok(self.removal.add_written(kind, at, token))
    }

    fn kept_call(&mut self, call: Id, node: &Name, pres: u32, at: &At) -> Result<Id, InputError> {
        let outputs =
            self.removal.nodes.get(node.text.as_str()).map(|at| &self.removal.original.nodes[*at].outputs);
        match outputs.map(Vec::as_slice) {
            _ if pres == 0 => Ok(call),
            Some([output]) => {
                let bytes = self.removal.input.bytes.get(at.clone()).unwrap_or_default();
                let text = String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ");
                Ok(self.kept(call, &text, &output.of, pres, at))
            }
            _ => {
                let message = "`pre` of a call with several outputs is not supported in a node with a clock";
                Err(self.removal.input.error(at.clone(), message))
            }
        }
    }

    /// What an expression was so many steps of the clock before: the outermost state is numbered first, the innermost defined first. What the user
    /// wrote, the result stands for.
    fn kept(&mut self, expr: Id, text: &str, of: &Type, pres: u32, at: &At) -> Id {
        if pres == 0 {
            return expr;
        }
        let mut of = of.clone();
        if let TypeKind::Subrange(..) = of.kind {
            of.kind = TypeKind::Int;
        }
        let mut level = pres;
        let mut made = Vec::new();
        while level > 0 && !self.state_of.contains_key(&(text.to_owned(), level)) {
            let name = format!("~state{}{}", self.state_of.len(), self.level);
            self.state_of.insert((text.to_owned(), level), name.clone());
            let variable = Name { text: name.clone(), at: at.clone() };
            self.states.push(Variable { name: variable, of: of.clone(), constant: false });
            made.push(name);
            level -= 1;
        }
        let mut inner = match level {
            0 => expr,
            _ => self.removal.pre(&self.state_of[&(text.to_owned(), level)], at),
        };
        for name in made.into_iter().rev() {
            let last = self.removal.pre(&name, at);
            let value = self.removal.if_clock(&self.clock, inner, last, at);
            self.equations.push(equation(&name, value, at));
            inner = self.removal.pre(&name, at);
        }
        let token = self.removal.result.expr(expr).token.clone();
        self.removal.result.exprs[inner.0 as usize].token = token;
        inner
    }
}
