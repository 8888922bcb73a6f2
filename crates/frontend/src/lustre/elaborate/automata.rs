//! Automata, with LustreC's meaning.
//!
//! In each step an automaton comes in with a state, and whether that is to begin anew. The first `unless` of that state whose condition holds leads to the state that is active in the step; its equations
//! define the variables; and the first `until` whose condition holds says with which state the next step begins. What a state remembers with `pre` is what was when it was last active, unless
//! it begins anew.
//!
//! So each state is a node of its own, called with `activate` and `restart`, and the rest is choices between its states. This is done before anything else, on the program
//! as it is written.
//!
//! # References
//! P.-L. Garoche, T. Kahsai, X. Thirioux. *Hierarchical state machines as modular Horn clauses.* HCVS 2016.

use super::{Builder, under};
use crate::InputError;
use crate::lustre::report::Report;
use crate::lustre::syntax::{
    At, Automaton, AutomatonState, BinaryOp, Block, Equation, ExprKind, Id, Name, Node, Program,
    PropertyDeclaration, Role, Sugar, Transition, Type, TypeDefinition, TypeKind, UnaryOp, Variable,
};
use rustc_hash::FxHashSet;

/// How many automata may be in each other.
const MAX_DEPTH: usize = 50;

/// Replaces all automata.
pub(super) fn expand(report: &Report<'_>, program: &mut Program) -> Result<(), InputError> {
    let mut next = 0;
    // Nodes that are made of states come after those that they are from.
    while next < program.nodes.len() {
        let is_automaton = |block: &Block| matches!(block, Block::Automaton(_));
        if program.nodes[next].sugar.blocks.iter().any(is_automaton) {
            let blocks = std::mem::take(&mut program.nodes[next].sugar.blocks);
            let mut kept = Vec::new();
            for block in blocks {
                match block {
                    Block::Automaton(automaton) => {
                        let mut expansion = Expansion { report, program, node: next };
                        kept.extend(expansion.automaton(&automaton)?);
                    }
                    other => kept.push(other),
                }
            }
            program.nodes[next].sugar.blocks = kept;
        }
        next += 1;
    }
    Ok(())
}

struct Expansion<'a, 'r> {
    report: &'a Report<'r>,
    program: &'a mut Program,
    /// The node that the automaton is in.
    node: usize,
}

/// Two values of the automaton: a state, and whether it begins anew.
struct Pair {
    state: Id,
    restart: Id,
}

impl Expansion<'_, '_> {
    fn error(&self, at: &At, message: impl Into<String>) -> InputError {
        self.report.error(at, message)
    }

    fn add(&mut self, kind: ExprKind, at: &At) -> Id {
        self.program.add(kind, at)
    }

    fn read(&mut self, name: &str, at: &At) -> Id {
        self.add(ExprKind::Name(name.to_owned()), at)
    }

    fn local(&mut self, text: String, of: Type, at: &At) -> Name {
        let name = Name { text, at: at.clone() };
        let variable = Variable { name: name.clone(), of, constant: false };
        self.program.nodes[self.node].locals.push(variable);
        name
    }

    /// The equations that an automaton stands for. Its states become nodes.
    fn automaton(&mut self, automaton: &Automaton) -> Result<Vec<Block>, InputError> {
        let at = &automaton.name.at;
        let prefix = format!("{}.{}", self.program.nodes[self.node].name.text, automaton.name.text);
        if prefix.matches('.').count() > 2 * MAX_DEPTH {
            return Err(self.error(at, "automata are nested too deeply"));
        }
        let value = |state: &str| format!("{prefix}.{state}");
        let bool_type = Type { kind: TypeKind::Bool, at: at.clone() };
        let states = Type { kind: TypeKind::Named(format!("{prefix}.states")), at: at.clone() };
        let values = automaton
            .states
            .iter()
            .map(|state| Name { text: value(&state.name.text), at: state.name.at.clone() });
        let definition = Type { kind: TypeKind::Enum(values.collect()), at: at.clone() };
        let name = Name { text: format!("{prefix}.states"), at: at.clone() };
        self.program.types.push(TypeDefinition { name, definition });
        let own = |what: &str| format!("~{}.{what}", automaton.name.text);
        let mut equations = Vec::new();
        let mut define = |this: &mut Self, what: &str, of: &Type, value: Id| {
            let name = this.local(own(what), of.clone(), at);
            equations.push(Block::Equation(Equation { targets: vec![name], value, at: at.clone() }));
        };
        // Where a step comes in.
        let Some(first) = automaton.states.first() else { return Ok(Vec::new()) };
        let initial = Pair {
            state: self.read(&value(&first.name.text), at),
            restart: self.add(ExprKind::Bool(false), at),
        };
        for (what, next, initial, of) in [
            ("state_in", "next_state", initial.state, &states),
            ("restart_in", "next_restart", initial.restart, &bool_type),
        ] {
            let next = self.read(&own(next), at);
            let pre = self.add(ExprKind::Unary(UnaryOp::Pre, next), at);
            let arrow = self.add(ExprKind::Binary(BinaryOp::Arrow, initial, pre), at);
            define(self, what, of, arrow);
        }
        // Strong transitions.
        let mut strong = Vec::new();
        for state in &automaton.states {
            for transition in &state.unless {
                self.must_be_instantaneous(transition.condition)?;
            }
            let stay = Pair {
                state: self.read(&value(&state.name.text), at),
                restart: self.read(&own("restart_in"), at),
            };
            strong.push(self.transitions(automaton, &state.unless, &value, stay)?);
        }
        let chosen = self.by_state(
            automaton,
            &own("state_in"),
            &value,
            &strong.iter().map(|pair| pair.state).collect::<Vec<_>>(),
        );
        define(self, "state", &states, chosen);
        let chosen = self.by_state(
            automaton,
            &own("state_in"),
            &value,
            &strong.iter().map(|pair| pair.restart).collect::<Vec<_>>(),
        );
        define(self, "restart", &bool_type, chosen);
        // The states.
        let mut variables: Vec<Name> = Vec::new();
        for state in &automaton.states {
            for name in targets(&state.body) {
                let is_local = state.locals.iter().any(|local| local.name.text == name.text);
                if !is_local && variables.iter().all(|known| known.text != name.text) {
                    variables.push(name);
                }
            }
        }
        let mut results: Vec<Vec<Id>> = vec![Vec::new(); variables.len() + 2];
        for state in &automaton.states {
            let place = &state.name.at;
            let (node, arguments) =
                self.state_node(automaton, state, &variables, &value, (&states, &bool_type))?;
            let mut names = Vec::new();
            for variable in &variables {
                let of = self.type_of(variable)?;
                names.push(self.local(own(&format!("{}.{}", state.name.text, variable.text)), of, place));
            }
            names.push(self.local(own(&format!("{}.next_state", state.name.text)), states.clone(), place));
            names.push(self.local(
                own(&format!("{}.next_restart", state.name.text)),
                bool_type.clone(),
                place,
            ));
            for (result, name) in results.iter_mut().zip(&names) {
                result.push(self.program.add(ExprKind::Name(name.text.clone()), place));
            }
            let (active, here) =
                (self.read(&own("state"), place), self.read(&value(&state.name.text), place));
            let clock = self.add(ExprKind::Binary(BinaryOp::Equal, active, here), place);
            let reset = Some(self.read(&own("restart"), place));
            let call = self.add(ExprKind::Activate { clock, node, arguments, defaults: None, reset }, place);
            equations.push(Block::Equation(Equation { targets: names, value: call, at: place.clone() }));
        }
        let next = [own("next_state"), own("next_restart")];
        self.local(next[0].clone(), states.clone(), at);
        self.local(next[1].clone(), bool_type.clone(), at);
        let defined = variables.iter().map(|name| name.text.clone()).chain(next);
        for (name, result) in defined.zip(&results) {
            let value = self.by_state(automaton, &own("state"), &value, result);
            let targets = vec![Name { text: name, at: at.clone() }];
            equations.push(Block::Equation(Equation { targets, value, at: at.clone() }));
        }
        Ok(equations)
    }

    /// The first transition whose condition holds, or what is if none does.
    fn transitions(
        &mut self,
        automaton: &Automaton,
        all: &[Transition],
        value: &impl Fn(&str) -> String,
        stay: Pair,
    ) -> Result<Pair, InputError> {
        let mut result = stay;
        for transition in all.iter().rev() {
            let target = &transition.target;
            if automaton.states.iter().all(|state| state.name.text != target.text) {
                let message =
                    format!("there is no state `{}` in the automaton `{}`", target.text, automaton.name.text);
                return Err(self.error(&target.at, message));
            }
            let to = self.read(&value(&target.text), &target.at);
            let restart = self.add(ExprKind::Bool(transition.restart), &target.at);
            result = Pair {
                state: self.add(ExprKind::If(transition.condition, to, result.state), &target.at),
                restart: self.add(ExprKind::If(transition.condition, restart, result.restart), &target.at),
            };
        }
        Ok(result)
    }

    /// One of several values, by the state that a variable has.
    fn by_state(
        &mut self,
        automaton: &Automaton,
        variable: &str,
        value: &impl Fn(&str) -> String,
        of: &[Id],
    ) -> Id {
        let at = &automaton.name.at;
        let mut cases = automaton.states.iter().zip(of).rev();
        let mut result = cases.next().map_or(Id(0), |(_, last)| *last);
        for (state, case) in cases {
            let (variable, here) = (self.read(variable, at), self.read(&value(&state.name.text), at));
            let is_here = self.add(ExprKind::Binary(BinaryOp::Equal, variable, here), at);
            result = self.add(ExprKind::If(is_here, *case, result), at);
        }
        result
    }

    /// What is evaluated in all steps must not remember anything.
    fn must_be_instantaneous(&self, condition: Id) -> Result<(), InputError> {
        for id in under(self.program, condition) {
            let expr = self.program.expr(id);
            let what = match &expr.kind {
                ExprKind::Unary(UnaryOp::Pre, _) => "`pre` in the condition of `unless`",
                ExprKind::Binary(BinaryOp::Arrow, ..) => "`->` in the condition of `unless`",
                ExprKind::Call(..)
                | ExprKind::Condact { .. }
                | ExprKind::Restart { .. }
                | ExprKind::Activate { .. } => "a call in the condition of `unless`",
                _ => continue,
            };
            return Err(self.error(&expr.at, format!("{what} is not supported")));
        }
        Ok(())
    }

    fn type_of(&self, name: &Name) -> Result<Type, InputError> {
        let node = &self.program.nodes[self.node];
        let mut variables = node.outputs.iter().chain(&node.locals);
        match variables.find(|variable| variable.name.text == name.text) {
            Some(variable) => Ok(variable.of.clone()),
            None => {
                Err(self.error(&name.at, format!("there is no output or local variable `{}`", name.text)))
            }
        }
    }

    /// Makes a node of a state, and says with which arguments it is called.
    fn state_node(
        &mut self,
        automaton: &Automaton,
        state: &AutomatonState,
        variables: &[Name],
        value: &impl Fn(&str) -> String,
        (states, bool_type): (&Type, &Type),
    ) -> Result<(Name, Vec<Id>), InputError> {
        let at = &state.name.at;
        let defined: FxHashSet<String> = targets(&state.body).into_iter().map(|name| name.text).collect();
        if let Some(missing) = variables.iter().find(|name| !defined.contains(&name.text)) {
            let message = format!(
                "the state `{}` does not define `{}`, as other states do",
                state.name.text, missing.text
            );
            return Err(self.error(at, message));
        }
        let mut read: FxHashSet<String> = FxHashSet::default();
        let mut roots: Vec<Id> = state.until.iter().map(|transition| transition.condition).collect();
        roots.extend(&state.assertions);
        values_of(&state.body, &mut roots);
        for root in roots {
            for id in under(self.program, root) {
                if let ExprKind::Name(name) = &self.program.expr(id).kind {
                    read.insert(name.clone());
                }
            }
        }
        let node = &self.program.nodes[self.node];
        let is_input = |variable: &&Variable| {
            let text = &variable.name.text;
            let local = state.locals.iter().any(|local| local.name.text == *text);
            read.contains(text) && !defined.contains(text) && !local
        };
        let inputs: Vec<Variable> =
            node.inputs.iter().chain(&node.outputs).chain(&node.locals).filter(is_input).cloned().collect();
        let mut outputs = Vec::new();
        for variable in variables {
            outputs.push(Variable { name: variable.clone(), of: self.type_of(variable)?, constant: false });
        }
        let constants = node.sugar.constants.clone();
        let next = |what: &str| Name { text: format!("~next_{what}"), at: at.clone() };
        outputs.push(Variable { name: next("state"), of: states.clone(), constant: false });
        outputs.push(Variable { name: next("restart"), of: bool_type.clone(), constant: false });
        let stay = Pair {
            state: self.read(&value(&state.name.text), at),
            restart: self.add(ExprKind::Bool(false), at),
        };
        let weak = self.transitions(automaton, &state.until, value, stay)?;
        let mut blocks = state.body.clone();
        for (what, value) in [("state", weak.state), ("restart", weak.restart)] {
            blocks.push(Block::Equation(Equation { targets: vec![next(what)], value, at: at.clone() }));
        }
        let assertions = state.assertions.iter().map(|expr| PropertyDeclaration {
            name: None,
            expr: *expr,
            at: self.program.expr(*expr).at.clone(),
            role: Role::Assertion,
        });
        let properties = assertions.collect();
        let name = Name { text: value(&state.name.text), at: at.clone() };
        let arguments = inputs.iter().map(|input| input.name.text.clone()).collect::<Vec<_>>();
        self.program.nodes.push(Node {
            locals: state.locals.clone(),
            properties,
            sugar: Sugar { contract: None, blocks, constants, statics: 0 },
            ..Node::new(name.clone(), inputs, outputs)
        });
        let arguments = arguments.iter().map(|name| self.read(name, at)).collect();
        Ok((name, arguments))
    }
}

/// The variables that blocks define.
fn targets(blocks: &[Block]) -> Vec<Name> {
    let (mut all, mut stack): (Vec<Name>, Vec<&Block>) = (Vec::new(), blocks.iter().rev().collect());
    while let Some(block) = stack.pop() {
        match block {
            Block::Equation(equation) => all.extend(equation.targets.iter().cloned()),
            Block::Elements { target, .. } => all.push(target.clone()),
            Block::If { then, otherwise, .. } => stack.extend(then.iter().chain(otherwise)),
            Block::Frame { variables, .. } => all.extend(variables.iter().cloned()),
            Block::Automaton(automaton) => {
                for state in &automaton.states {
                    let locals = |name: &Name| state.locals.iter().any(|local| local.name.text == name.text);
                    // Nesting is bounded by the parser.
                    all.extend(targets(&state.body).into_iter().filter(|name| !locals(name)));
                }
            }
        }
    }
    all
}

/// The expressions in blocks.
fn values_of(blocks: &[Block], found: &mut Vec<Id>) {
    for block in blocks {
        match block {
            Block::Equation(equation) => found.push(equation.value),
            Block::Elements { value, .. } => found.push(*value),
            Block::If { condition, then, otherwise, .. } => {
                found.push(*condition);
                values_of(then, found);
                values_of(otherwise, found);
            }
            Block::Frame { initial, body, .. } => {
                values_of(initial, found);
                values_of(body, found);
            }
            Block::Automaton(automaton) => {
                for state in &automaton.states {
                    found.extend(
                        state.unless.iter().chain(&state.until).map(|transition| transition.condition),
                    );
                    found.extend(&state.assertions);
                    values_of(&state.body, found);
                }
            }
        }
    }
}

impl Builder<'_, '_> {
    /// All of them have been replaced before.
    pub(super) fn automaton(&mut self, automaton: &Automaton) -> Result<(), InputError> {
        Err(self.not_supported(&automaton.name.at, "an automaton here"))
    }
}
