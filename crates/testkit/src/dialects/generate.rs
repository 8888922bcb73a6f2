//! Random programs.

use super::syntax::{Block, Contract, Expr, Node, Operator, Program, SIZE, State, Type};
use crate::Random;

/// The program of a seed.
pub fn dialect_program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let count = random.between(2, 4);
    let mut program = Program { nodes: Vec::new() };
    for position in 0..count {
        let node = Generator { random: &mut random, program: &program }.node(position + 1 == count);
        program.nodes.push(node);
    }
    program
}

struct Generator<'g> {
    random: &'g mut Random,
    program: &'g Program,
}

/// What may be used in an expression.
#[derive(Clone, Copy)]
struct Scope<'s> {
    types: &'s [Type],
    /// Variables below this one may be read now; all may be read in the step before.
    known: usize,
    /// Variables that may not be read now, though they are below.
    hidden: &'s [usize],
    /// Whether there may be memory in it.
    memory: bool,
    /// Whether it is about an element of an array.
    indexed: bool,
}

const UNSIGNED: Type = Type::Machine { signed: false };
const SIGNED: Type = Type::Machine { signed: true };

impl Generator<'_> {
    fn scalar(&mut self) -> Type {
        *self.random.pick(&[Type::Bool, Type::Bool, UNSIGNED, UNSIGNED, SIGNED])
    }

    fn node(&mut self, is_main: bool) -> Node {
        let inputs = self.random.between(1, 3);
        let mut variables: Vec<Type> = (0..inputs).map(|_| self.scalar()).collect();
        // One Boolean input at least, for clocks.
        variables[0] = Type::Bool;
        let others = self.random.between(1, 4);
        variables.extend((0..others).map(|_| self.scalar()));
        if self.random.percent(50) {
            variables.push(Type::Array);
        }
        let sized = !is_main && self.random.percent(30);
        let mut blocks = Vec::new();
        let mut next = inputs;
        while next < variables.len() {
            let together = self.random.between(1, 2).min(variables.len() - next);
            let own: Vec<usize> =
                (next..next + together).filter(|at| variables[*at] != Type::Array).collect();
            let scope = Scope { types: &variables, known: next, hidden: &[], memory: true, indexed: false };
            match self.random.below(10) {
                0..=2 if own.len() == together => {
                    blocks.push(self.frame(scope, &own));
                    next += together;
                }
                3..=4 if own.len() == together => {
                    blocks.push(self.automaton(scope, &own));
                    next += together;
                }
                _ => {
                    blocks.push(self.equation(scope, next));
                    next += 1;
                }
            }
        }
        let contract = self.random.percent(50).then(|| {
            let before =
                Scope { types: &variables, known: inputs, hidden: &[], memory: true, indexed: false };
            let after = Scope { known: inputs + 1, ..before };
            // Only what callers see: locals are no part of a contract.
            let before = Scope { types: &variables[..inputs], ..before };
            let after = Scope { types: &variables[..=inputs], ..after };
            Contract {
                assumption: self.expr(before, Type::Bool, 2),
                guarantee: self.expr(after, Type::Bool, 2),
                mode: (self.expr(before, Type::Bool, 2), self.expr(after, Type::Bool, 2)),
            }
        });
        Node { variables, inputs, blocks, contract, sized }
    }

    fn equation(&mut self, scope: Scope<'_>, at: usize) -> Block {
        match scope.types[at] {
            Type::Array if self.random.percent(30) => {
                Block::Equation(at, Expr::Power(self.random.below(256) as i64))
            }
            Type::Array => {
                let scope = Scope { indexed: true, ..scope };
                Block::Elements(at, self.expr(scope, UNSIGNED, 2))
            }
            of => Block::Equation(at, self.expr(scope, of, 3)),
        }
    }

    fn frame(&mut self, scope: Scope<'_>, own: &[usize]) -> Block {
        let mut variables = Vec::new();
        for at in own {
            let initial = self.literal(scope.types[*at]);
            let then = self.random.percent(80).then(|| self.expr(scope, scope.types[*at], 2));
            let otherwise = self.random.percent(50).then(|| self.expr(scope, scope.types[*at], 2));
            variables.push((*at, initial, then, otherwise));
        }
        // A branch has at least one equation.
        if variables.iter().all(|(_, _, then, _)| then.is_none()) {
            variables[0].2 = Some(self.expr(scope, scope.types[own[0]], 2));
        }
        Block::Frame { condition: self.expr(scope, Type::Bool, 2), variables }
    }

    fn automaton(&mut self, scope: Scope<'_>, own: &[usize]) -> Block {
        let count = self.random.between(1, 3);
        let instant = Scope { memory: false, ..scope };
        // In a state the variables are those of the state, and what comes after them is not known in its steps.
        let own_scope = Scope { types: &scope.types[..own[own.len() - 1] + 1], ..scope };
        let states = (0..count).map(|_| State {
            unless: self.transitions(instant, count),
            values: own.iter().map(|at| self.expr(own_scope, scope.types[*at], 2)).collect(),
            until: self.transitions(own_scope, count),
        });
        let states = states.collect();
        Block::Automaton { variables: own.to_vec(), states }
    }

    fn transitions(&mut self, scope: Scope<'_>, states: usize) -> Vec<(Expr, bool, usize)> {
        let count = self.random.below(3);
        (0..count)
            .map(|_| (self.expr(scope, Type::Bool, 2), self.random.percent(50), self.random.below(states)))
            .collect()
    }

    fn literal(&mut self, of: Type) -> Expr {
        match of {
            Type::Bool => Expr::Bool(self.random.percent(50)),
            Type::Machine { signed } => Expr::Number(signed, self.random.below(300) as i64 - 20),
            Type::Array => Expr::Power(self.random.below(256) as i64),
        }
    }

    /// A variable that may be read in this step.
    fn variable(&mut self, scope: Scope<'_>, known: usize, of: Type) -> Option<Expr> {
        let mut fitting: Vec<Expr> = Vec::new();
        for (at, found) in scope.types.iter().enumerate().take(known) {
            if scope.hidden.contains(&at) {
                continue;
            }
            if *found == of {
                fitting.push(Expr::Variable(at));
            }
            if *found == Type::Array && of == UNSIGNED {
                fitting.push(Expr::Element(at, self.random.below(SIZE)));
                if scope.indexed {
                    fitting.push(Expr::Indexed(at));
                }
            }
        }
        if scope.indexed && of == UNSIGNED {
            fitting.push(Expr::Index);
        }
        (!fitting.is_empty()).then(|| self.random.pick(&fitting).clone())
    }

    fn expr(&mut self, scope: Scope<'_>, of: Type, depth: usize) -> Expr {
        if depth == 0 || self.random.percent(20) {
            if self.random.percent(80)
                && let Some(variable) = self.variable(scope, scope.known, of)
            {
                return variable;
            }
            return self.literal(of);
        }
        if scope.memory && self.random.percent(45) {
            return self.remembered(scope, of, depth - 1);
        }
        let sub = |this: &mut Self, of: Type| Box::new(this.expr(scope, of, depth - 1));
        if self.random.percent(20) {
            return Expr::If(sub(self, Type::Bool), sub(self, of), sub(self, of));
        }
        match of {
            Type::Bool => match self.random.below(4) {
                0 => Expr::Not(sub(self, Type::Bool)),
                1 => {
                    let op = *self.random.pick(&[
                        Operator::And,
                        Operator::Or,
                        Operator::Xor,
                        Operator::Implies,
                        Operator::Equal,
                    ]);
                    Expr::Binary(op, sub(self, Type::Bool), sub(self, Type::Bool))
                }
                _ => {
                    let op = *self.random.pick(&[Operator::Less, Operator::AtMost, Operator::Equal]);
                    let of = *self.random.pick(&[UNSIGNED, SIGNED]);
                    Expr::Binary(op, sub(self, of), sub(self, of))
                }
            },
            Type::Machine { .. } => match self.random.below(12) {
                0 => Expr::BitNot(sub(self, of)),
                1 => Expr::Negate(sub(self, of)),
                2 | 3 => {
                    let op = *self.random.pick(&[Operator::ShiftLeft, Operator::ShiftRight]);
                    Expr::Binary(op, sub(self, of), sub(self, UNSIGNED))
                }
                _ => {
                    let op = *self.random.pick(&[
                        Operator::Plus,
                        Operator::Minus,
                        Operator::Times,
                        Operator::Div,
                        Operator::Mod,
                        Operator::BitAnd,
                        Operator::BitOr,
                    ]);
                    Expr::Binary(op, sub(self, of), sub(self, of))
                }
            },
            Type::Array => self.literal(of),
        }
    }

    /// Something with memory: `->`, `pre`, or a call.
    fn remembered(&mut self, scope: Scope<'_>, of: Type, depth: usize) -> Expr {
        let callable: Vec<usize> = (0..self.program.nodes.len())
            .filter(|at| {
                let node = &self.program.nodes[*at];
                node.variables[node.inputs] == of
            })
            .collect();
        // An index is known at each step of its own: calls have none.
        if callable.is_empty() || scope.indexed || self.random.percent(50) {
            let first = Box::new(self.expr(scope, of, depth.min(1)));
            if self.random.percent(50) {
                return Expr::Arrow(first, Box::new(self.expr(scope, of, depth)));
            }
            // Any variable may be read in the step before, if nothing more is between.
            let read = self.variable(scope, scope.types.len(), of).filter(|_| self.random.percent(60));
            return Expr::Fby(first, Box::new(read.unwrap_or_else(|| self.expr(scope, of, depth))));
        }
        let node = *self.random.pick(&callable);
        let inputs: Vec<Type> =
            self.program.nodes[node].variables[..self.program.nodes[node].inputs].to_vec();
        let arguments: Vec<Expr> = inputs.iter().map(|of| self.expr(scope, *of, depth.min(1))).collect();
        let condition = |this: &mut Self| Box::new(this.expr(scope, Type::Bool, depth.min(1)));
        match self.random.below(5) {
            0 => Expr::Restart(node, condition(self), arguments),
            1 | 2 => Expr::Activate {
                node,
                clock: condition(self),
                reset: self.random.percent(50).then(|| condition(self)),
                default: Box::new(self.literal(of)),
                arguments,
            },
            3 => match self.variable(scope, scope.known, Type::Bool) {
                Some(Expr::Variable(clock)) => {
                    let otherwise = Box::new(self.expr(scope, of, depth.min(1)));
                    Expr::Merge { clock, node, arguments, otherwise }
                }
                _ => Expr::Call(node, arguments),
            },
            _ => Expr::Call(node, arguments),
        }
    }
}
