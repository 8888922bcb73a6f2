//! Properties and assumptions: comparisons of variables with bounds and with each other, weakened and combined.

use super::{Generator, Known, Place, Scope};
use crate::lustre::syntax::{Binary, Equation, Expr, Node, Type, Unary, Variable};

impl Generator {
    pub(super) fn properties(&mut self, node: &mut Node, scope: &Scope) {
        let end = self.end(scope);
        for index in 0..self.random.between(1, 4) {
            let name = format!("p{index}");
            let value = self.property(scope, end);
            node.locals.push(Variable { name: name.clone(), of: Type::Bool, range: None });
            node.equations.push(Equation { targets: vec![name.clone()], value });
            node.properties.push(name);
        }
    }

    /// A property of a node that is called.
    pub(super) fn inner_property(&mut self, node: &mut Node, scope: &Scope) {
        let end = self.end(scope);
        let value = self.property(scope, Place { calls: false, ..end });
        node.locals.push(Variable { name: "p0".to_owned(), of: Type::Bool, range: None });
        node.equations.push(Equation { targets: vec!["p0".to_owned()], value });
        node.properties.push("p0".to_owned());
    }

    fn property(&mut self, scope: &Scope, end: Place) -> Expr {
        let later = Place { guarded: true, ..end };
        match self.random.below(20) {
            0 => self.expr(scope, &Type::Bool, 3, end),
            1..6 => self.claim(scope).binary(Binary::Or, self.claim(scope)),
            6..8 => self.claim(scope).binary(Binary::Implies, self.claim(scope)),
            8 | 9 => Expr::Bool(true).binary(Binary::Arrow, self.claim(scope)),
            10 => self.claim(scope).binary(Binary::And, self.claim(scope)),
            11..14 => Expr::Bool(true).binary(Binary::Arrow, self.change(scope, later)),
            _ => self.claim(scope),
        }
    }

    /// What a variable is now, compared with what it was.
    fn change(&mut self, scope: &Scope, later: Place) -> Expr {
        let numbers: Vec<&Known> =
            scope.known.iter().filter(|known| matches!(known.of, Type::Int | Type::Subrange(..))).collect();
        if numbers.is_empty() || self.random.percent(30) {
            let before = self.claim(scope).pre();
            return before.binary(Binary::Or, self.expr(scope, &Type::Bool, 1, later));
        }
        let name = &self.random.pick(&numbers).name;
        let most = Expr::Int(self.random.between(1, 4) as i64);
        let difference = Expr::variable(name).binary(Binary::Minus, Expr::variable(name).pre());
        difference.binary(Binary::LessEqual, most)
    }

    /// Something simple about one or two variables.
    fn claim(&mut self, scope: &Scope) -> Expr {
        let scalars: Vec<&Known> = scope.known.iter().filter(|known| known.of.is_scalar()).collect();
        if scalars.is_empty() {
            return self.literal(&Type::Bool);
        }
        let pick = |this: &mut Generator| (*this.random.pick(&scalars)).clone();
        let known =
            if self.random.percent(80) { pick(self).more_interesting(pick(self)) } else { pick(self) };
        let value = Expr::variable(&known.name);
        match &known.of {
            Type::Bool if self.random.percent(50) => value,
            Type::Bool => Expr::Unary(Unary::Not, Box::new(value)),
            Type::Enum(index) => {
                let other = self.literal(&Type::Enum(*index));
                value.binary(Binary::NotEqual, other)
            }
            of => {
                let same: Vec<&&Known> =
                    scalars.iter().filter(|other| other.name != known.name && other.of == *of).collect();
                if !same.is_empty() && self.random.percent(30) {
                    let other = Expr::variable(&self.random.pick(&same).name);
                    let op = *self.random.pick(&[Binary::LessEqual, Binary::GreaterEqual, Binary::NotEqual]);
                    return value.binary(op, other);
                }
                let bound = self.random.between(2, 6) as i64;
                match self.random.below(6) {
                    0 | 1 => value.binary(Binary::GreaterEqual, self.number(of, 1 - bound)),
                    2 => value.binary(Binary::NotEqual, self.number(of, bound)),
                    _ => value.binary(Binary::LessEqual, self.number(of, bound)),
                }
            }
        }
    }

    /// Excludes something, but rarely everything.
    pub(super) fn assumption(&mut self, scope: &Scope, end: Place) -> Expr {
        let claim = self.claim(scope);
        match self.random.below(10) {
            0..2 => claim,
            2..5 => {
                let later = Place { guarded: true, ..end };
                Expr::Bool(true).binary(Binary::Arrow, claim.binary(Binary::Or, self.change(scope, later)))
            }
            _ => claim.binary(Binary::Or, self.expr(scope, &Type::Bool, 1, end)),
        }
    }
}

impl Known {
    /// Of two variables a number rather than a flag, and a definition rather than an input.
    fn more_interesting(self, other: Known) -> Known {
        let rank = |known: &Known| (known.position > 0, known.of != Type::Bool, known.closed, known.position);
        if rank(&other) > rank(&self) { other } else { self }
    }
}
