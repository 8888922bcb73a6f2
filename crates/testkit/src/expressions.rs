//! Random expressions of a given sort, over all operators that finite sorts have.

use crate::random::Random;
use propcov_ir::{ArrayValue, BinaryOp, Bits, ExprId, ExprPool, Sort, TernaryOp, UnaryOp, Value};

/// Makes expressions in a pool over the leaves given.
#[derive(Debug)]
pub struct Expressions<'a> {
    random: &'a mut Random,
    exprs: &'a mut ExprPool,
    leaves: &'a [ExprId],
}

impl<'a> Expressions<'a> {
    /// Expressions of this pool that read these leaves.
    pub fn new(random: &'a mut Random, exprs: &'a mut ExprPool, leaves: &'a [ExprId]) -> Expressions<'a> {
        Expressions { random, exprs, leaves }
    }

    /// A random value of a finite sort, as a literal.
    pub fn constant(&mut self, sort: &Sort) -> ExprId {
        let value = random_value(self.random, sort);
        self.exprs.constant(value)
    }

    /// An expression of that many nested operators at most; 0 is a leaf or a literal.
    pub fn expr(&mut self, sort: &Sort, depth: usize) -> ExprId {
        if depth == 0 || self.random.percent(15) {
            return self.leaf(sort);
        }
        let made = match sort {
            Sort::BitVec(1) if self.random.percent(60) => self.boolean(depth - 1),
            Sort::BitVec(width) => self.bit_vector(*width, depth - 1),
            _ => self.choice(sort, depth - 1),
        };
        made.unwrap_or_else(|| self.leaf(sort))
    }

    fn leaf(&mut self, sort: &Sort) -> ExprId {
        let fitting = self.leaves.iter().filter(|leaf| self.exprs.sort(**leaf) == sort);
        let fitting: Vec<_> = fitting.copied().collect();
        if !fitting.is_empty() && !self.random.percent(10) {
            return *self.random.pick(&fitting);
        }
        // A part of a wider leaf is better than a constant: constants make everything collapse.
        if let Sort::BitVec(width) = *sort
            && !self.random.percent(20)
        {
            let wider = |leaf: &&ExprId| self.exprs.sort(**leaf).width().is_some_and(|other| other > width);
            let wider: Vec<_> = self.leaves.iter().filter(wider).copied().collect();
            if !wider.is_empty() {
                let leaf = *self.random.pick(&wider);
                let spare = self.exprs.sort(leaf).width().map_or(0, |other| other - width);
                let low = self.random.below(spare as usize + 1) as u32;
                if let Ok(part) = self.exprs.unary(UnaryOp::Extract { high: low + width - 1, low }, leaf) {
                    return part;
                }
            }
        }
        self.constant(sort)
    }

    /// A predicate on operands of any sort.
    fn boolean(&mut self, depth: usize) -> Option<ExprId> {
        let leaf = match self.leaves.is_empty() {
            true => Sort::BitVec(2),
            false => self.exprs.sort(*self.random.pick(self.leaves)).clone(),
        };
        let Sort::BitVec(_) = leaf else {
            let (a, b) = (self.expr(&leaf, depth), self.expr(&leaf, depth));
            return self.exprs.binary(BinaryOp::Eq, a, b).ok();
        };
        if self.random.percent(20) {
            let op =
                [UnaryOp::ReduceAnd, UnaryOp::ReduceOr, UnaryOp::ReduceXor][self.random.below(3)].clone();
            let a = self.expr(&leaf, depth);
            return self.exprs.unary(op, a).ok();
        }
        use BinaryOp as B;
        let op = *self.random.pick(&[B::Eq, B::Ult, B::Ule, B::Slt, B::Sle]);
        let (a, b) = (self.expr(&leaf, depth), self.expr(&leaf, depth));
        self.exprs.binary(op, a, b).ok()
    }

    fn bit_vector(&mut self, width: u32, depth: usize) -> Option<ExprId> {
        use BinaryOp as B;
        const OPERATORS: [BinaryOp; 16] = [
            B::And,
            B::Or,
            B::Xor,
            B::Add,
            B::Sub,
            B::Mul,
            B::Udiv,
            B::Urem,
            B::Sdiv,
            B::Srem,
            B::Smod,
            B::Shl,
            B::Lshr,
            B::Ashr,
            B::Rol,
            B::Ror,
        ];
        let sort = Sort::BitVec(width);
        match self.random.below(12) {
            0 => {
                let op = if self.random.percent(50) { UnaryOp::Not } else { UnaryOp::Neg };
                let a = self.expr(&sort, depth);
                self.exprs.unary(op, a).ok()
            }
            1 if width > 1 => {
                let by = self.random.between(1, width as usize - 1) as u32;
                let a = self.expr(&Sort::BitVec(width - by), depth);
                let op =
                    if self.random.percent(50) { UnaryOp::ZeroExtend(by) } else { UnaryOp::SignExtend(by) };
                self.exprs.unary(op, a).ok()
            }
            2 if width > 1 => {
                let low = self.random.between(1, width as usize - 1) as u32;
                let a = self.expr(&Sort::BitVec(width - low), depth);
                let b = self.expr(&Sort::BitVec(low), depth);
                self.exprs.binary(B::Concat, a, b).ok()
            }
            3 => {
                let wider = width + self.random.below(3) as u32;
                let low = self.random.below((wider - width) as usize + 1) as u32;
                let a = self.expr(&Sort::BitVec(wider), depth);
                self.exprs.unary(UnaryOp::Extract { high: low + width - 1, low }, a).ok()
            }
            4 => {
                let index = Sort::BitVec(self.random.between(1, 2) as u32);
                let array = self.expr(&Sort::array(index.clone(), sort), depth);
                let index = self.expr(&index, depth);
                self.exprs.binary(B::Read, array, index).ok()
            }
            5 | 6 => self.choice(&sort, depth),
            _ => {
                let op = *self.random.pick(&OPERATORS);
                let (a, b) = (self.expr(&sort, depth), self.expr(&sort, depth));
                self.exprs.binary(op, a, b).ok()
            }
        }
    }

    /// What every sort has: if-then-else, and for arrays writing and filling.
    fn choice(&mut self, sort: &Sort, depth: usize) -> Option<ExprId> {
        if let Sort::Array(array) = sort {
            match self.random.below(6) {
                0..3 => {
                    let a = self.expr(sort, depth);
                    let (index, value) = (self.expr(&array.index, depth), self.expr(&array.element, depth));
                    return self.exprs.ternary(TernaryOp::Write, a, index, value).ok();
                }
                3 => {
                    let value = self.expr(&array.element, depth);
                    return self.exprs.unary(UnaryOp::ConstArray(sort.clone()), value).ok();
                }
                _ => {}
            }
        }
        let condition = self.expr(&Sort::BOOL, depth);
        let (a, b) = (self.expr(sort, depth), self.expr(sort, depth));
        self.exprs.ternary(TernaryOp::Ite, condition, a, b).ok()
    }
}

/// A random value; numbers without bound are 0.
pub fn random_value(random: &mut Random, sort: &Sort) -> Value {
    match sort {
        Sort::BitVec(width) => Value::Bits(Bits::from_bits((0..*width).map(|_| random.percent(50)))),
        Sort::Enum(variants) => {
            Value::Enum(variants.clone(), random.below(variants.variants.len().max(1)) as u32)
        }
        Sort::Array(array) => {
            let default = random_value(random, &array.element);
            let mut value = ArrayValue::constant(array.clone(), default);
            if let Sort::BitVec(width) = array.index {
                for _ in 0..random.below(4) {
                    let index = Bits::from_u64(width, random.next());
                    value.write(index, random_value(random, &array.element));
                }
            }
            Value::Array(value)
        }
        Sort::Int | Sort::Real => Value::zero(sort),
    }
}
