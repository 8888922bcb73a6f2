//! Random expressions of a type.

use super::{Generator, Known, Place, Scope};
use crate::lustre::syntax::{Binary, Expr, Type, Unary};

impl Generator {
    /// An expression of so many nested operators, about.
    pub(super) fn expr(&mut self, scope: &Scope, of: &Type, depth: usize, place: Place) -> Expr {
        if depth == 0 || self.random.percent(15) {
            return self.leaf(scope, of, place);
        }
        // What every type has.
        match self.random.below(20) {
            0..3 => {
                let condition = self.expr(scope, &Type::Bool, depth - 1, Place { open: false, ..place });
                let (a, b) = (self.expr(scope, of, depth - 1, place), self.expr(scope, of, depth - 1, place));
                return a.when(condition, b);
            }
            3..5 if !place.before => {
                let a = self.expr(scope, of, depth - 1, place);
                let b = self.expr(scope, of, depth - 1, Place { guarded: true, ..place });
                return a.binary(Binary::Arrow, b);
            }
            5..9 if self.pre_allowed(scope, of, place) => return self.pre(scope, of, depth - 1, place),
            9 if place.calls && !place.before => {
                if let Some(call) = self.call_of(scope, of, place) {
                    return call;
                }
            }
            10 => {
                if let Some(part) = self.part(scope, of, place) {
                    return part;
                }
            }
            _ => {}
        }
        match of {
            Type::Bool => self.boolean(scope, depth - 1, place),
            Type::Int => self.int(scope, depth - 1, place),
            Type::Real => self.real(scope, depth - 1, place),
            _ => self.leaf(scope, of, place),
        }
    }

    /// Whether `pre` may stand here: in later steps, or, rarely, where any value may start.
    fn pre_allowed(&mut self, scope: &Scope, of: &Type, place: Place) -> bool {
        if place.guarded {
            return true;
        }
        if place.before {
            return false;
        }
        let few = matches!(of, Type::Bool | Type::Enum(_) | Type::Subrange(..));
        !scope.clockable && (few && self.random.percent(12) || !self.bounded() && self.random.percent(30))
    }

    /// `pre` of an expression.
    pub(super) fn pre(&mut self, scope: &Scope, of: &Type, depth: usize, place: Place) -> Expr {
        let inside = Place {
            under_pre: true,
            guarded: false,
            before: place.before || !place.guarded,
            calls: place.calls && !scope.clockable,
            ..place
        };
        // In bounded programs what an unguarded `pre` reads has few values.
        let depth = if inside.before && self.bounded() { 0 } else { depth };
        if depth > 0 && self.random.percent(50) {
            return self.expr(scope, of, depth, inside).pre();
        }
        let known = self.readable(scope, inside, &|known| fits(&known.of, of));
        match known.is_empty() {
            // `pre` of a constant is the constant, also in the first step.
            true => self.leaf(scope, of, inside).pre(),
            false => Expr::variable(&self.random.pick(&known).name).pre(),
        }
    }

    /// The variables that may be read here.
    fn readable(&self, scope: &Scope, place: Place, wanted: &dyn Fn(&Known) -> bool) -> Vec<Known> {
        let readable = |known: &&Known| {
            let defined = known.position < place.position;
            let bounded = known.closed || !known.of.has_numbers(&self.program);
            wanted(known) && (defined || place.under_pre && (!place.open || bounded))
        };
        scope.known.iter().filter(readable).cloned().collect()
    }

    /// A variable, a part of one, a constant or a literal.
    pub(super) fn leaf(&mut self, scope: &Scope, of: &Type, place: Place) -> Expr {
        let known = self.readable(scope, place, &|known| fits(&known.of, of));
        if !known.is_empty() && self.random.percent(80) {
            return Expr::variable(&self.random.pick(&known).name);
        }
        if self.random.percent(25)
            && let Some(part) = self.part(scope, of, place)
        {
            return part;
        }
        // Literals make everything collapse.
        if known.is_empty() && of.is_scalar() && self.random.percent(60) {
            let flags = self.readable(scope, place, &|known| known.of == Type::Bool);
            if !flags.is_empty() {
                let flag = Expr::variable(&self.random.pick(&flags).name);
                let (a, b) = (self.literal(of), self.literal(of));
                return a.when(flag, b);
            }
        }
        let constants: Vec<usize> = (0..self.program.constants.len())
            .filter(|index| self.program.constants[*index].of == *of)
            .collect();
        if !constants.is_empty() && self.random.percent(40) {
            return Expr::Constant(*self.random.pick(&constants));
        }
        self.literal(of)
    }

    /// A field or an element of a variable.
    fn part(&mut self, scope: &Scope, of: &Type, place: Place) -> Option<Expr> {
        let wholes = self.readable(scope, place, &|known| !known.of.is_scalar());
        let mut parts = Vec::new();
        for known in wholes {
            match &known.of {
                Type::Record(record) => {
                    for (field, (_, part)) in self.program.records[*record].fields.iter().enumerate() {
                        if fits(part, of) {
                            let whole = Box::new(Expr::variable(&known.name));
                            parts.push(Expr::Field(whole, *record, field));
                        }
                    }
                }
                Type::Array(element, size) if fits(element, of) => {
                    let whole = Box::new(Expr::variable(&known.name));
                    parts.push(Expr::Element(whole, Box::new(Expr::Int(*size as i64))));
                }
                _ => {}
            }
        }
        if parts.is_empty() {
            return None;
        }
        Some(match self.random.pick(&parts).clone() {
            Expr::Element(whole, size) => {
                let Expr::Int(size) = *size else { return None };
                let index = self.index(scope, size as usize, Place { open: false, ..place });
                Expr::Element(whole, Box::new(index))
            }
            field => field,
        })
    }

    /// A literal within the array, or a variable that may be outside.
    pub(super) fn index(&mut self, scope: &Scope, size: usize, place: Place) -> Expr {
        let numbers =
            self.readable(scope, place, &|known| matches!(known.of, Type::Int | Type::Subrange(..)));
        if numbers.is_empty() || self.random.percent(40) {
            return Expr::Int(self.random.below(size) as i64);
        }
        let index = Expr::variable(&self.random.pick(&numbers).name);
        match self.random.below(4) {
            0 => index.binary(Binary::Plus, Expr::Int(1)),
            1 => Expr::Int(1).binary(Binary::Minus, index),
            _ => index,
        }
    }

    /// A small value.
    pub(super) fn literal(&mut self, of: &Type) -> Expr {
        match of {
            Type::Bool => Expr::Bool(self.random.percent(50)),
            Type::Int => match self.random.below(8) {
                0..4 => Expr::Int(0),
                4 => Expr::Int(1).negated(),
                _ => Expr::Int(self.small(4)),
            },
            Type::Real => match self.random.below(6) {
                0..3 => Expr::Real(0),
                3 => Expr::Real(50).negated(),
                _ => Expr::Real(50 * self.small(6)),
            },
            Type::Subrange(low, high) => Expr::int(low + self.random.below((high - low + 1) as usize) as i64),
            Type::Enum(index) => {
                Expr::Enum(*index, self.random.below(self.program.enums[*index].values.len()))
            }
            Type::Record(record) => {
                let fields = self.program.records[*record].fields.clone();
                Expr::Record(*record, fields.iter().map(|(_, of)| self.literal(of)).collect())
            }
            Type::Array(element, size) => Expr::Array((0..*size).map(|_| self.literal(element)).collect()),
            Type::Tuple(parts) => Expr::Tuple(parts.iter().map(|of| self.literal(of)).collect()),
        }
    }

    /// A number as a literal of a type.
    pub(super) fn number(&self, of: &Type, value: i64) -> Expr {
        match of {
            Type::Real if value < 0 => Expr::Real(-100 * value).negated(),
            Type::Real => Expr::Real(100 * value),
            _ => Expr::int(value),
        }
    }

    fn boolean(&mut self, scope: &Scope, depth: usize, place: Place) -> Expr {
        let place = Place { open: false, ..place };
        match self.random.below(10) {
            0 => {
                let a = self.expr(scope, &Type::Bool, depth, place);
                Expr::Unary(Unary::Not, Box::new(a))
            }
            1..4 => {
                let op = *self.random.pick(&[Binary::And, Binary::Or, Binary::Xor, Binary::Implies]);
                let a = self.expr(scope, &Type::Bool, depth, place);
                a.binary(op, self.expr(scope, &Type::Bool, depth, place))
            }
            4 => {
                let of = match self.readable(scope, place, &|_| true) {
                    known if !known.is_empty() => self.random.pick(&known).of.clone(),
                    _ => self.any_type(),
                };
                let of = if of.is_scalar() { of.without_range() } else { of };
                let op = if self.random.percent(50) { Binary::Equal } else { Binary::NotEqual };
                let a = self.expr(scope, &of, depth.min(1), place);
                a.binary(op, self.expr(scope, &of, depth.min(1), place))
            }
            5 if self.random.percent(20) => {
                let types = [Type::Int, Type::Bool];
                let [a, b] = [0, 1].map(|_| {
                    Expr::Tuple(types.iter().map(|of| self.expr(scope, of, depth.min(1), place)).collect())
                });
                a.binary(Binary::Equal, b)
            }
            _ => {
                use Binary as B;
                let op = *self.random.pick(&[B::Less, B::LessEqual, B::Greater, B::GreaterEqual, B::Equal]);
                let of = if self.random.percent(85) { Type::Int } else { Type::Real };
                let a = self.expr(scope, &of, depth, place);
                a.binary(op, self.expr(scope, &of, depth, place))
            }
        }
    }

    fn int(&mut self, scope: &Scope, depth: usize, place: Place) -> Expr {
        let int = Type::Int;
        match self.random.below(12) {
            0 => self.expr(scope, &int, depth, place).negated(),
            1 => {
                let factor = self.small(3);
                Expr::int(factor - 1).binary(Binary::Times, self.expr(scope, &int, depth, place))
            }
            2 | 3 => {
                let divisor = Expr::Int(self.random.between(2, 4) as i64);
                let divisor = if self.random.percent(25) { divisor.negated() } else { divisor };
                let op = if self.random.percent(50) { Binary::Div } else { Binary::Mod };
                self.expr(scope, &int, depth, place).binary(op, divisor)
            }
            4 if self.random.percent(50) => {
                let real = self.expr(scope, &Type::Real, depth, place);
                Expr::Unary(Unary::Floor, Box::new(real))
            }
            5 if !self.bounded() && self.random.percent(30) => {
                // Not by a literal, for that might be zero.
                let op = *self.random.pick(&[Binary::Times, Binary::Div, Binary::Mod]);
                let a = self.expr(scope, &int, 0, place);
                let known = self.readable(scope, place, &|known| known.of == Type::Int);
                let b =
                    known.get(self.random.below(known.len().max(1))).map(|known| Expr::variable(&known.name));
                a.binary(op, b.unwrap_or(Expr::Int(2)))
            }
            _ => {
                let op = if self.random.percent(60) { Binary::Plus } else { Binary::Minus };
                let a = self.expr(scope, &int, depth, place);
                a.binary(op, self.expr(scope, &int, depth, place))
            }
        }
    }

    fn real(&mut self, scope: &Scope, depth: usize, place: Place) -> Expr {
        let real = Type::Real;
        match self.random.below(8) {
            0 => self.expr(scope, &real, depth, place).negated(),
            1 | 2 => {
                let int = self.expr(scope, &Type::Int, depth, place);
                Expr::Unary(Unary::ToReal, Box::new(int))
            }
            3 => {
                let factor = Expr::Real(25 * self.small(6));
                factor.binary(Binary::Times, self.expr(scope, &real, depth, place))
            }
            4 => {
                let divisor = Expr::Real(50 * self.random.between(1, 6) as i64);
                self.expr(scope, &real, depth, place).binary(Binary::Divide, divisor)
            }
            _ => {
                let op = if self.random.percent(60) { Binary::Plus } else { Binary::Minus };
                let a = self.expr(scope, &real, depth, place);
                a.binary(op, self.expr(scope, &real, depth, place))
            }
        }
    }

    /// A call whose outputs have this type, with or without `condact`.
    pub(super) fn call_of(&mut self, scope: &Scope, of: &Type, place: Place) -> Option<Expr> {
        let gives = |index: &usize| {
            let outputs = &self.program.nodes[*index].outputs;
            let right = match of {
                Type::Tuple(parts) => {
                    parts.len() == outputs.len() && outputs.iter().zip(parts).all(|(a, b)| fits(&a.of, b))
                }
                of => outputs.len() == 1 && fits(&outputs[0].of, of),
            };
            right && (!scope.clockable || self.clockable[*index])
        };
        let callees: Vec<usize> = (0..self.program.nodes.len()).filter(gives).collect();
        if callees.is_empty() {
            return None;
        }
        let callee = *self.random.pick(&callees);
        let condact = self.clockable[callee] && self.random.percent(40);
        // Arguments are variables of the callee, which have values in the first step too.
        let place = Place { guarded: false, open: false, calls: place.calls && !condact, ..place };
        let types: Vec<Type> =
            self.program.nodes[callee].inputs.iter().map(|input| input.of.clone()).collect();
        let arguments = types.iter().map(|of| self.expr(scope, of, 1, place)).collect();
        if !condact {
            return Some(Expr::Call(callee, arguments));
        }
        let clock = self.clock(scope, place)?;
        let types: Vec<Type> =
            self.program.nodes[callee].outputs.iter().map(|output| output.of.clone()).collect();
        let defaults = types.iter().map(|of| self.leaf(scope, of, place)).collect();
        Some(Expr::Condact(Box::new(clock), callee, arguments, defaults))
    }

    /// A condition that is no literal, for `condact(true, …)` is another way to write a call.
    fn clock(&mut self, scope: &Scope, place: Place) -> Option<Expr> {
        let flags = self.readable(scope, place, &|known| known.of == Type::Bool);
        if !flags.is_empty() {
            let flag = Expr::variable(&self.random.pick(&flags).name);
            return Some(if self.random.percent(25) {
                Expr::Unary(Unary::Not, Box::new(flag))
            } else {
                flag
            });
        }
        let numbers =
            self.readable(scope, place, &|known| matches!(known.of, Type::Int | Type::Subrange(..)));
        if numbers.is_empty() {
            return None;
        }
        let number = Expr::variable(&self.random.pick(&numbers).name);
        Some(number.binary(Binary::GreaterEqual, Expr::Int(1)))
    }
}

/// Whether a value of the first type may stand where the second is expected.
pub(super) fn fits(found: &Type, wanted: &Type) -> bool {
    match (found, wanted) {
        (Type::Subrange(..), Type::Int) => true,
        (Type::Subrange(low, high), Type::Subrange(least, most)) => least <= low && high <= most,
        _ => found == wanted,
    }
}
