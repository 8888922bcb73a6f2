//! What variables are: mostly patterns with a memory.

use super::{Generator, Known, Place, Scope};
use crate::lustre::syntax::{Binary, Expr, Type};

impl Generator {
    /// The right-hand side of a variable.
    pub(super) fn definition(&mut self, scope: &Scope, known: &Known) -> Expr {
        let place = self.place(known, known.position);
        match &known.of {
            Type::Int | Type::Real if known.closed || !self.bounded() => {
                if self.bounded() || self.random.percent(60) {
                    self.closed_number(scope, known, place)
                } else {
                    self.free_number(scope, known, place)
                }
            }
            Type::Enum(index) if self.random.percent(60) => self.machine(scope, known, *index, place),
            Type::Bool if self.random.percent(40) => self.latch(scope, known, place),
            Type::Record(_) | Type::Array(..) if known.closed || !self.bounded() => {
                self.memory(scope, known, place)
            }
            of if self.random.percent(35) => self.delay(scope, of, place),
            of => self.expr(scope, of, 3, place),
        }
    }

    fn place(&self, known: &Known, position: usize) -> Place {
        Place {
            position,
            under_pre: false,
            guarded: false,
            open: self.bounded() && known.of.has_numbers(&self.program) && !known.closed,
            calls: true,
            before: false,
        }
    }

    /// `a -> pre b`
    fn delay(&mut self, scope: &Scope, of: &Type, place: Place) -> Expr {
        let first = self.literal(of);
        let last = self.pre(scope, of, 1, Place { guarded: true, ..place });
        first.binary(Binary::Arrow, last)
    }

    /// A number with bounds, whatever it reads.
    fn closed_number(&mut self, scope: &Scope, known: &Known, place: Place) -> Expr {
        let of = &known.of;
        let later = Place { guarded: true, open: false, ..place };
        let place = Place { open: false, ..place };
        let last = || Expr::variable(&known.name).pre();
        let first = self.literal(of);
        let value = match self.random.below(12) {
            0..3 => self.wrapping_counter(scope, of, last(), later),
            3 | 4 => self.saturating_counter(scope, of, last(), later),
            5 => {
                let condition = self.expr(scope, &Type::Bool, 1, later);
                let (low, high) = (self.literal(of), self.literal(of));
                let new = self.clamped(scope, of, later, low, high);
                new.when(condition, last())
            }
            6 | 7 if *of == Type::Int => {
                let modulus = Expr::Int(self.random.between(2, 5) as i64);
                let more = self.expr(scope, of, 1, later);
                last().binary(Binary::Plus, more).binary(Binary::Mod, modulus)
            }
            8 if *of == Type::Int => {
                let mut modulus = Expr::Int(self.random.between(2, 4) as i64);
                if self.random.percent(20) {
                    modulus = modulus.negated();
                }
                return self.expr(scope, of, 2, place).binary(Binary::Mod, modulus);
            }
            9 => {
                let (low, high) = (self.literal(of), self.literal(of));
                return self.clamped(scope, of, place, low, high);
            }
            10 if place.calls => match self.call_of(scope, of, place) {
                Some(call) => return call,
                None => self.wrapping_counter(scope, of, last(), later),
            },
            _ => {
                let condition = self.expr(scope, &Type::Bool, 2, place);
                let (a, b) = (self.literal(of), self.literal(of));
                return a.when(condition, b);
            }
        };
        first.binary(Binary::Arrow, value)
    }

    fn wrapping_counter(&mut self, scope: &Scope, of: &Type, last: Expr, later: Place) -> Expr {
        let bound = self.random.between(1, 8) as i64;
        let bound = self.number(of, bound);
        let step = self.step(of);
        let again = self.literal(of);
        let end = last.clone().binary(Binary::GreaterEqual, bound);
        let counted = again.when(end, last.clone().binary(Binary::Plus, step));
        if self.random.percent(50) {
            return counted;
        }
        let condition = self.expr(scope, &Type::Bool, 1, later);
        let other = if self.random.percent(50) { last } else { self.literal(of) };
        counted.when(condition, other)
    }

    fn saturating_counter(&mut self, scope: &Scope, of: &Type, last: Expr, later: Place) -> Expr {
        let (low, high) = (self.small(2) - 1, self.random.between(2, 5) as i64);
        let (low, high) = (self.number(of, low), self.number(of, high));
        let (up, down) = (self.step(of), self.step(of));
        let more = last.clone().binary(Binary::Less, high);
        let less = last.clone().binary(Binary::Greater, low);
        let increase = self.expr(scope, &Type::Bool, 1, later).binary(Binary::And, more);
        let decrease = less.binary(Binary::And, self.expr(scope, &Type::Bool, 1, later));
        let lower = last.clone().binary(Binary::Minus, down).when(decrease, last.clone());
        last.binary(Binary::Plus, up).when(increase, lower)
    }

    /// An expression between two bounds; the first of them when the bounds are the wrong way round.
    fn clamped(&mut self, scope: &Scope, of: &Type, place: Place, low: Expr, high: Expr) -> Expr {
        let value = self.expr(scope, of, 1, place);
        let above = value.clone().binary(Binary::Greater, high.clone());
        let below = value.clone().binary(Binary::Less, low.clone());
        low.when(below, high.when(above, value))
    }

    /// One, or sometimes two; halves for reals.
    fn step(&mut self, of: &Type) -> Expr {
        let step = if self.random.percent(80) { 1 } else { 2 };
        if *of == Type::Real && self.random.percent(50) {
            Expr::Real(50 * step)
        } else {
            self.number(of, step)
        }
    }

    /// Without bounds.
    fn free_number(&mut self, scope: &Scope, known: &Known, place: Place) -> Expr {
        let later = Place { guarded: true, ..place };
        let last = Expr::variable(&known.name).pre();
        let value = match self.random.below(3) {
            0 => last.binary(Binary::Plus, self.expr(scope, &known.of, 2, later)),
            1 => self.expr(scope, &known.of, 3, later),
            _ => return self.expr(scope, &known.of, 3, place),
        };
        self.literal(&known.of).binary(Binary::Arrow, value)
    }

    /// From mode to mode, perhaps under conditions.
    fn machine(&mut self, scope: &Scope, known: &Known, index: usize, place: Place) -> Expr {
        let later = Place { guarded: true, ..place };
        let last = Expr::variable(&known.name).pre();
        let count = self.program.enums[index].values.len();
        let mut next = last.clone();
        for position in 0..count {
            let to = if self.random.percent(60) { (position + 1) % count } else { self.random.below(count) };
            let mut moves = last.clone().binary(Binary::Equal, Expr::Enum(index, position));
            if self.random.percent(45) {
                moves = moves.binary(Binary::And, self.expr(scope, &Type::Bool, 1, later));
            }
            next = Expr::Enum(index, to).when(moves, next);
        }
        Expr::Enum(index, self.random.below(count)).binary(Binary::Arrow, next)
    }

    /// A flag that is set and reset, toggled or remembered.
    fn latch(&mut self, scope: &Scope, known: &Known, place: Place) -> Expr {
        let later = Place { guarded: true, ..place };
        let last = Expr::variable(&known.name).pre();
        let first = self.literal(&Type::Bool);
        let when = self.expr(scope, &Type::Bool, 1, later);
        let value = match self.random.below(4) {
            0 => last.binary(Binary::Or, when),
            1 => last.binary(Binary::And, when),
            2 => last.binary(Binary::Xor, when),
            _ => {
                let set = self.literal(&Type::Bool);
                set.when(when, last)
            }
        };
        first.binary(Binary::Arrow, value)
    }

    /// A record or an array of which one part changes, or that is made of parts.
    fn memory(&mut self, scope: &Scope, known: &Known, place: Place) -> Expr {
        let later = Place { guarded: true, open: false, ..place };
        let last = Box::new(Expr::variable(&known.name).pre());
        let changed = match &known.of {
            _ if self.random.percent(30) => return self.closed(scope, &known.of, place),
            Type::Record(record) => {
                let field = self.random.below(self.program.records[*record].fields.len());
                let of = self.program.records[*record].fields[field].1.clone();
                Expr::FieldUpdate(last, *record, field, Box::new(self.closed(scope, &of, later)))
            }
            Type::Array(element, size) => {
                let index = Box::new(self.index(scope, *size, later));
                Expr::ElementUpdate(last, index, Box::new(self.closed(scope, element, later)))
            }
            of => self.expr(scope, of, 2, later),
        };
        self.literal(&known.of).binary(Binary::Arrow, changed)
    }

    /// A value whose numbers have bounds, whatever is read.
    fn closed(&mut self, scope: &Scope, of: &Type, place: Place) -> Expr {
        let place = Place { open: false, ..place };
        match of {
            Type::Int | Type::Real if self.bounded() => {
                let (low, high) = (self.literal(of), self.literal(of));
                self.clamped(scope, of, place, low, high)
            }
            Type::Record(record) => {
                let fields = self.program.records[*record].fields.clone();
                let place = Place { calls: false, ..place };
                Expr::Record(*record, fields.iter().map(|(_, of)| self.closed(scope, of, place)).collect())
            }
            Type::Array(element, size) => {
                Expr::Array((0..*size).map(|_| self.closed(scope, element, place)).collect())
            }
            of => self.expr(scope, of, 1, place),
        }
    }

    /// One expression for two variables.
    pub(super) fn tuple(&mut self, scope: &Scope, first: &Known, second: &Known) -> Option<Expr> {
        // Both read only what comes before the first.
        let places = [self.place(first, first.position), self.place(second, first.position)];
        let kinds = [first, second];
        let types: Vec<Type> = kinds.iter().map(|known| known.of.clone()).collect();
        if self.random.percent(50)
            && let Some(call) = self.call_of(scope, &Type::Tuple(types), places[0])
        {
            return Some(call);
        }
        let part = |this: &mut Generator, guarded: bool, index: usize| {
            let place = Place { guarded, ..places[index] };
            match places[index].open {
                false if kinds[index].of.has_numbers(&this.program) && this.bounded() => {
                    this.closed(scope, &kinds[index].of, place)
                }
                _ => this.expr(scope, &kinds[index].of, 2, place),
            }
        };
        let pair = |this: &mut Generator, guarded: bool| {
            Expr::Tuple((0..2).map(|index| part(this, guarded, index)).collect())
        };
        Some(match self.random.below(4) {
            0 => pair(self, false),
            1 => {
                let condition = self.expr(scope, &Type::Bool, 1, Place { open: false, ..places[0] });
                let (a, b) = (pair(self, false), pair(self, false));
                a.when(condition, b)
            }
            2 => {
                let literals = kinds.iter().map(|known| self.literal(&known.of)).collect();
                Expr::Tuple(literals).binary(Binary::Arrow, pair(self, true))
            }
            _ => {
                let literals = kinds.iter().map(|known| self.literal(&known.of)).collect();
                let calls = places[0].calls && !scope.clockable;
                let under = |place: Place| Place { under_pre: true, guarded: false, calls, ..place };
                let parts = (0..2).map(|index| self.expr(scope, &kinds[index].of, 1, under(places[index])));
                let parts = Expr::Tuple(parts.collect());
                // The numbers of a closed variable would have to be clamped.
                if self.bounded()
                    && kinds.iter().any(|known| known.of.has_numbers(&self.program) && known.closed)
                {
                    return None;
                }
                Expr::Tuple(literals).binary(Binary::Arrow, parts.pre())
            }
        })
    }
}
