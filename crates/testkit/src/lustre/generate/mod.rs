//! Random programs, as a function of a seed.
//!
//! Random expressions alone rarely give deep runs, so most definitions of numbers follow a pattern: counters that wrap, saturate or are reset, sums modulo a constant, delays,
//! modes. Equations are made in an order in which each reads only those before it, and `pre` of any; then they are shuffled.
//!
//! In [bounded](Kind::Bounded) programs numbers have bounds by construction: what a number without a subrange remembers of itself passes through a form whose result has bounds, whatever goes in
//! (it is *closed*). Other numbers read, also by `pre`, only closed ones and those before them. Outputs of called nodes are closed.
//!
//! Where JKind's own translation has gaps, programs stay away from them: no call in the arguments of a `condact`, and in nodes that are called by `condact` no call
//! under `pre` and no unguarded `pre`.

mod claims;
mod definitions;
mod expressions;

use super::syntax::{Constant, EnumType, Equation, Expr, Node, Program, RecordType, Type, Variable};
use crate::random::Random;

/// What kind of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Finitely many memories, and few: made for [`explore`](super::explore()).
    Bounded,
    /// Numbers without bounds, inputs of any type, products and quotients of variables, unguarded `pre` of numbers.
    Free,
}

/// The random program with this seed.
pub fn lustre_program(kind: Kind, seed: u64) -> Program {
    let mut random = Random::new(seed);
    let program = Program {
        enums: Vec::new(),
        records: Vec::new(),
        constants: Vec::new(),
        nodes: Vec::new(),
        main_first: random.percent(15),
        few_parentheses: random.percent(70),
    };
    let mut generator = Generator { random, kind, program, clockable: Vec::new() };
    generator.types();
    generator.constants();
    for _ in 0..generator.random.below(3) {
        generator.node(false);
    }
    generator.node(true);
    generator.program
}

struct Generator {
    random: Random,
    kind: Kind,
    program: Program,
    /// For each node whether `condact` may call it.
    clockable: Vec<bool>,
}

/// A variable of the node in the making.
#[derive(Clone)]
struct Known {
    name: String,
    of: Type,
    /// Whether it has bounds whatever it reads.
    closed: bool,
    /// Position in the order of definition; inputs come first.
    position: usize,
}

/// The node in the making.
struct Scope {
    known: Vec<Known>,
    clockable: bool,
}

/// Where an expression stands.
#[derive(Clone, Copy)]
struct Place {
    /// Variables before this position may be read; under `pre` all.
    position: usize,
    under_pre: bool,
    /// Whether the step is not the first.
    guarded: bool,
    /// Whether a number here may become a memory of itself without bounds.
    open: bool,
    /// Whether calls may stand here.
    calls: bool,
    /// Whether it is under an unguarded `pre`: no `->` and no calls.
    before: bool,
}

impl Generator {
    fn bounded(&self) -> bool {
        self.kind == Kind::Bounded
    }

    fn types(&mut self) {
        for index in 0..self.random.below(3) {
            let count = self.random.between(2, 4);
            let values = (0..count).map(|value| format!("e{index}{}", ["a", "b", "c", "d"][value])).collect();
            self.program.enums.push(EnumType { name: format!("Mode{index}"), values });
        }
        if self.random.percent(25) {
            let fields = (0..self.random.between(1, 3)).map(|index| (format!("f{index}"), self.scalar()));
            let fields = fields.collect();
            self.program.records.push(RecordType { name: "Pair".to_owned(), fields });
        }
    }

    fn constants(&mut self) {
        for index in 0..self.random.below(3) {
            let (of, value) = match self.random.below(4) {
                0 => (Type::Bool, Expr::Bool(self.random.percent(50))),
                1 => {
                    let (a, b) = (self.small(4), self.small(4));
                    (Type::Int, Expr::Int(a).binary(super::Binary::Plus, Expr::Int(b)))
                }
                _ => (Type::Int, Expr::Int(self.small(5))),
            };
            let typed = self.random.percent(60);
            self.program.constants.push(Constant { name: format!("k{index}"), of, typed, value });
        }
    }

    /// A number from 0 to this one.
    fn small(&mut self, most: usize) -> i64 {
        self.random.between(0, most) as i64
    }

    fn scalar(&mut self) -> Type {
        match self.random.below(20) {
            0..6 => Type::Bool,
            6..12 => Type::Int,
            12..15 => {
                let low = self.small(3) - 1;
                Type::Subrange(low, low + self.small(3))
            }
            15..18 if !self.program.enums.is_empty() => {
                Type::Enum(self.random.below(self.program.enums.len()))
            }
            18 => Type::Real,
            _ => Type::Int,
        }
    }

    fn any_type(&mut self) -> Type {
        match self.random.below(20) {
            0 | 1 if !self.program.records.is_empty() => Type::Record(0),
            2 => {
                let element = match self.random.below(3) {
                    0 => Type::Bool,
                    1 if !self.program.enums.is_empty() => Type::Enum(0),
                    _ => Type::Int,
                };
                Type::Array(Box::new(element), self.random.between(1, 3))
            }
            _ => self.scalar(),
        }
    }

    /// The inputs of the main node of a bounded program: few values.
    fn enumerable_input(&mut self, name: String) -> Variable {
        let (of, range) = match self.random.below(20) {
            0..8 => (Type::Bool, None),
            8..11 if !self.program.enums.is_empty() => (Type::Enum(0), None),
            11..14 => (Type::Subrange(0, 2), None),
            14 => (Type::Array(Box::new(Type::Bool), 2), None),
            _ => {
                let low = self.small(3) - 2;
                (Type::Int, Some((low, low + self.random.between(1, 3) as i64)))
            }
        };
        Variable { name, of, range }
    }

    fn node(&mut self, main: bool) {
        let index = self.program.nodes.len();
        let mut node = Node {
            name: if main { "top".to_owned() } else { format!("n{index}") },
            inputs: Vec::new(),
            outputs: Vec::new(),
            locals: Vec::new(),
            equations: Vec::new(),
            assertions: Vec::new(),
            properties: Vec::new(),
        };
        let mut scope = Scope { known: Vec::new(), clockable: !main && self.random.percent(60) };
        let least = usize::from(!main || self.random.percent(90));
        for input in 0..self.random.between(least, 3) {
            let name = format!("i{input}");
            let variable = match main && self.bounded() {
                true => self.enumerable_input(name),
                false => Variable { name, of: self.any_type(), range: None },
            };
            scope.known.push(Known {
                name: variable.name.clone(),
                of: variable.of.clone(),
                closed: main,
                position: 0,
            });
            node.inputs.push(variable);
        }
        self.declare(&mut node, &mut scope, main);
        self.equations(&mut node, &scope, main);
        if main {
            self.properties(&mut node, &scope);
        } else if self.random.percent(20) {
            self.inner_property(&mut node, &scope);
        }
        if main && self.random.percent(35) {
            let all = self.end(&scope);
            for _ in 0..self.random.between(1, 2) {
                let assertion = self.assumption(&scope, all);
                node.assertions.push(assertion);
            }
        } else if !main && self.random.percent(8) {
            // Without effect.
            let all = self.end(&scope);
            let assertion = self.assumption(&scope, Place { calls: false, ..all });
            node.assertions.push(assertion);
        }
        self.shuffle(&mut node.equations);
        self.program.nodes.push(node);
        self.clockable.push(scope.clockable);
    }

    fn shuffle(&mut self, equations: &mut [Equation]) {
        for index in (1..equations.len()).rev() {
            equations.swap(index, self.random.below(index + 1));
        }
    }

    /// A place after all definitions.
    fn end(&self, scope: &Scope) -> Place {
        Place {
            position: scope.known.len() + 1,
            under_pre: false,
            guarded: false,
            open: false,
            calls: true,
            before: false,
        }
    }

    fn declare(&mut self, node: &mut Node, scope: &mut Scope, main: bool) {
        let (outputs, locals) = match main {
            true => (1, self.random.between(1, 5)),
            false => (if self.random.percent(25) { 2 } else { 1 }, self.random.below(3)),
        };
        for index in 0..outputs + locals {
            let output = index < outputs;
            let name = if output { format!("o{index}") } else { format!("v{index}") };
            let of = match (self.random.below(10), output) {
                (0..5, _) if self.bounded() => Type::Int,
                (_, true) => self.scalar(),
                _ => self.any_type(),
            };
            let closed = (output && !main) || !of.has_numbers(&self.program) || self.random.percent(80);
            let position = scope.known.len() + 1;
            scope.known.push(Known { name: name.clone(), of: of.clone(), closed, position });
            let variable = Variable { name, of, range: None };
            if output { node.outputs.push(variable) } else { node.locals.push(variable) }
        }
        // Positions in another order than that of declaration.
        let first = node.inputs.len();
        let mut positions: Vec<usize> = scope.known[first..].iter().map(|known| known.position).collect();
        for index in (1..positions.len()).rev() {
            positions.swap(index, self.random.below(index + 1));
        }
        for (known, position) in scope.known[first..].iter_mut().zip(positions) {
            known.position = position;
        }
    }

    fn equations(&mut self, node: &mut Node, scope: &Scope, main: bool) {
        let mut order: Vec<&Known> = scope.known[node.inputs.len()..].iter().collect();
        order.sort_by_key(|known| known.position);
        let mut rest = order.as_slice();
        while let Some((first, others)) = rest.split_first() {
            if let Some((second, others)) = others.split_first()
                && self.random.percent(if main { 25 } else { 15 })
                && let Some(value) = self.tuple(scope, first, second)
            {
                let targets = vec![first.name.clone(), second.name.clone()];
                node.equations.push(Equation { targets, value });
                rest = others;
                continue;
            }
            let value = self.definition(scope, first);
            node.equations.push(Equation { targets: vec![first.name.clone()], value });
            rest = others;
        }
    }
}
