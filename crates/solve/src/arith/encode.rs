//! Expressions in a step.

use super::unroll::{Application, Owner, Unrolling};
use super::word::{NotRepresentable, Word};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use propcov_ir::{
    BinaryOp, Definition, EnumSort, ExprId, ExprPool, Node, SignalId, SignalKind, Site, Sort, TernaryOp,
    UnaryOp, Value,
};
use propcov_sat::Lit;
use propcov_smt::{Linear, NumberKind};
use std::rc::Rc;

/// What is evaluated: an expression in a step.
type Place = (usize, ExprId);

impl Unrolling<'_> {
    /// The value of an expression in a step. Iterative: neither depth nor the number of steps is a limit.
    ///
    /// # Errors
    /// When something cannot be represented.
    pub fn word(&mut self, exprs: &ExprPool, step: usize, expr: ExprId) -> Result<Word, NotRepresentable> {
        let mut open: Vec<Place> = vec![(step, expr)];
        while let Some(&(step, expr)) = open.last() {
            if self.step(step).words.contains_key(&expr) {
                open.pop();
                continue;
            }
            let before = open.len();
            self.open_operands(exprs, (step, expr), &mut open);
            if open.len() == before {
                open.pop();
                let word = self.compute(exprs, step, expr)?;
                if self.meter.is_spent(64 + word.size()) {
                    return Err(NotRepresentable::stopped(self.meter.budget()));
                }
                self.step(step).words.insert(expr, word);
            }
        }
        Ok(self.steps[step].words[&expr].clone())
    }

    /// What has to be known first, and is not.
    fn open_operands(&mut self, exprs: &ExprPool, (step, expr): Place, open: &mut Vec<Place>) {
        let (step, signal) = match *exprs.node(expr) {
            Node::Signal(signal) => (step, signal),
            Node::Next(state) => (step + 1, state),
            Node::Const(_) => return,
            _ => {
                for operand in exprs.operands(expr) {
                    if !self.step(step).words.contains_key(&operand) {
                        open.push((step, operand));
                    }
                }
                return;
            }
        };
        let Some((at, site)) = self.behind(step, signal) else { return };
        let needed = match self.system.definition(self.edits, site) {
            Definition::Expr(expr) | Definition::Inverted(expr) => Some(expr),
            Definition::Open | Definition::Const(_) => None,
        };
        for expr in self.replacements(site).into_iter().chain(needed) {
            if !self.step(at).words.contains_key(&expr) {
                open.push((at, expr));
            }
        }
    }

    /// The definition that gives a signal its value, and the step in which it is evaluated.
    fn behind(&self, step: usize, signal: SignalId) -> Option<(usize, Site)> {
        Some(match self.system.signal(signal).kind {
            SignalKind::Input => return None,
            SignalKind::Wire { .. } => (step, Site::Wire(signal)),
            SignalKind::State { .. } if self.is_rigid(signal) => return None,
            SignalKind::State { .. } => self.source(step, signal)?,
        })
    }

    /// The value of an expression whose operands are known.
    fn compute(&mut self, exprs: &ExprPool, step: usize, expr: ExprId) -> Result<Word, NotRepresentable> {
        let known = |unrolling: &Self, operand: &ExprId| unrolling.steps[step].words[operand].clone();
        match exprs.node(expr) {
            Node::Signal(signal) => self.signal(exprs, step, *signal),
            Node::Next(state) => self.signal(exprs, step + 1, *state),
            Node::Const(value) => self.constant_word(value),
            Node::Unary(op, a) => {
                let a = known(self, a);
                self.unary(step, op, &a, exprs.sort(expr))
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (known(self, a), known(self, b));
                self.binary(step, *op, &a, &b, exprs.sort(expr))
            }
            Node::Ternary(TernaryOp::Ite, c, a, b) => {
                let (c, a, b) = (known(self, c), known(self, a), known(self, b));
                let Word::Bit(condition) = c else { return Err(NotRepresentable::operator("ite")) };
                self.ite(step, condition, &a, &b, exprs.sort(expr))
            }
            Node::Ternary(op, ..) => Err(NotRepresentable::operator(op)),
        }
    }

    fn signal(&mut self, exprs: &ExprPool, step: usize, signal: SignalId) -> Result<Word, NotRepresentable> {
        match self.system.signal(signal).kind {
            SignalKind::Input => self.leaf(step, signal),
            SignalKind::Wire { .. } => {
                let site = Site::Wire(signal);
                let value = self.defined(exprs, step, site)?;
                if let Some(value) = &value
                    && self.is_mutable(site)
                {
                    return self.mutable_leaf(exprs, step, signal, (step, site), value);
                }
                match (value, self.selector(site)) {
                    (Some(value), None) => Ok(value),
                    (Some(value), Some(keep)) => self.bound_leaf(step, signal, &value, Some(keep)),
                    (None, _) => self.leaf(step, signal),
                }
            }
            SignalKind::State { .. } if self.is_rigid(signal) => self.leaf(0, signal),
            SignalKind::State { .. } => {
                let Some((at, site)) = self.source(step, signal) else { return self.leaf(step, signal) };
                let value = match self.defined(exprs, at, site)? {
                    Some(value) => value,
                    None => return self.leaf(step, signal),
                };
                if self.is_mutable(site) {
                    return self.mutable_leaf(exprs, step, signal, (at, site), &value);
                }
                match self.selector(site) {
                    None if !self.is_explicit(step) => Ok(value),
                    keep => self.bound_leaf(step, signal, &value, keep),
                }
            }
        }
    }

    /// A variable that equals a value, while the definition is kept.
    fn bound_leaf(
        &mut self,
        step: usize,
        signal: SignalId,
        value: &Word,
        keep: Option<Lit>,
    ) -> Result<Word, NotRepresentable> {
        let own = self.leaf(step, signal)?;
        self.require_equal(keep.map(|keep| !keep), &own, value)?;
        Ok(own)
    }

    /// A value that nothing determines.
    pub(super) fn leaf(&mut self, step: usize, signal: SignalId) -> Result<Word, NotRepresentable> {
        if let Some(word) = self.step(step).leaves.get(&signal) {
            return Ok(word.clone());
        }
        let declared = self.system.signal(signal);
        let is_state = matches!(declared.kind, SignalKind::State { .. });
        let word = match &declared.sort {
            Sort::Array(_) if self.is_rigid(signal) => Word::Function(signal, Rc::default()),
            sort => self.fresh_word(step, is_state.then_some(signal), &sort.clone())?,
        };
        self.step(step).leaves.insert(signal, word.clone());
        Ok(word)
    }

    fn fresh_word(
        &mut self,
        step: usize,
        state: Option<SignalId>,
        sort: &Sort,
    ) -> Result<Word, NotRepresentable> {
        Ok(match sort {
            Sort::BitVec(1) => Word::Bit(self.gates.fresh()),
            Sort::Int => self.fresh_number(step, state, NumberKind::Int),
            Sort::Real => self.fresh_number(step, state, NumberKind::Real),
            Sort::Enum(of) => self.fresh_choice(of),
            Sort::BitVec(_) | Sort::Array(_) => {
                return Err(NotRepresentable::sort("bool, int, real or an enumeration", sort));
            }
        })
    }

    fn fresh_number(&mut self, step: usize, state: Option<SignalId>, kind: NumberKind) -> Word {
        let number = self.gates.solver.new_number(kind);
        self.owners.insert(number, Owner { step, state });
        Word::Number(Rc::new(Linear::number(number)))
    }

    /// A position that some value has.
    fn fresh_choice(&mut self, of: &EnumSort) -> Word {
        let bits: Vec<Lit> = (0..of.width()).map(|_| self.gates.fresh()).collect();
        for position in of.variants.len()..1 << bits.len() {
            let differs: Vec<Lit> =
                bits.iter().enumerate().map(|(at, bit)| bit.negated_if(position >> at & 1 != 0)).collect();
            self.gates.clause(&differs);
        }
        Word::Choice(Rc::new(bits))
    }

    pub(super) fn constant_word(&mut self, value: &Value) -> Result<Word, NotRepresentable> {
        Ok(match value {
            Value::Bits(bits) if bits.width() == 1 => Word::Bit(self.gates.constant(bits.is_nonzero())),
            Value::Int(value) => number(RBig::from(value.clone())),
            Value::Real(value) => number(value.clone()),
            Value::Enum(of, position) => {
                let bits = (0..of.width()).map(|at| self.gates.constant(position >> at & 1 != 0));
                Word::Choice(Rc::new(bits.collect()))
            }
            Value::Bits(_) | Value::Array(_) => {
                return Err(NotRepresentable::sort("bool, int, real or an enumeration", &value.sort()));
            }
        })
    }

    fn unary(&mut self, step: usize, op: &UnaryOp, a: &Word, sort: &Sort) -> Result<Word, NotRepresentable> {
        Ok(match (op, a) {
            (UnaryOp::Not, Word::Bit(a)) => Word::Bit(!*a),
            (UnaryOp::ReduceAnd | UnaryOp::ReduceOr | UnaryOp::ReduceXor, Word::Bit(a)) => Word::Bit(*a),
            (UnaryOp::Neg, Word::Number(a)) => Word::Number(Rc::new(a.scaled(&RBig::from(-1)))),
            (UnaryOp::ToReal, Word::Number(a)) => Word::Number(a.clone()),
            (UnaryOp::Floor, Word::Number(a)) => self.floor(step, a),
            _ => return Err(NotRepresentable::operator_on(op, sort)),
        })
    }

    fn binary(
        &mut self,
        step: usize,
        op: BinaryOp,
        a: &Word,
        b: &Word,
        sort: &Sort,
    ) -> Result<Word, NotRepresentable> {
        if op == BinaryOp::Eq {
            return Ok(Word::Bit(self.equal_words(a, b)?));
        }
        Ok(match (a, b) {
            (Word::Bit(a), Word::Bit(b)) => Word::Bit(match op {
                BinaryOp::And => self.gates.and(*a, *b),
                BinaryOp::Or => self.gates.or(*a, *b),
                BinaryOp::Xor => self.gates.xor(*a, *b),
                BinaryOp::Ult => self.gates.and(!*a, *b),
                BinaryOp::Ule => self.gates.or(!*a, *b),
                _ => return Err(NotRepresentable::operator_on(op, sort)),
            }),
            (Word::Number(x), Word::Number(y)) => self.arithmetic(step, op, x, y, sort)?,
            (Word::Function(function, arguments), argument) if op == BinaryOp::Read => {
                let mut arguments = arguments.as_ref().clone();
                arguments.push(argument.clone());
                self.apply(step, *function, arguments, sort)?
            }
            _ => return Err(NotRepresentable::operator_on(op, sort)),
        })
    }

    fn arithmetic(
        &mut self,
        step: usize,
        op: BinaryOp,
        a: &Rc<Linear>,
        b: &Rc<Linear>,
        sort: &Sort,
    ) -> Result<Word, NotRepresentable> {
        let sum = |times: i32| Word::Number(Rc::new(a.plus(b, &RBig::from(times))));
        Ok(match op {
            BinaryOp::Add => sum(1),
            BinaryOp::Sub => sum(-1),
            BinaryOp::Lt => Word::Bit(self.gates.solver.below(&a.plus(b, &RBig::from(-1)))),
            BinaryOp::Le => Word::Bit(self.gates.solver.at_most(&a.plus(b, &RBig::from(-1)))),
            BinaryOp::Mul => match (a.as_constant(), b.as_constant()) {
                (Some(times), _) => Word::Number(Rc::new(b.scaled(times))),
                (_, Some(times)) => Word::Number(Rc::new(a.scaled(times))),
                _ => self.product(step, a, b, sort)?,
            },
            BinaryOp::RealDiv => match b.as_constant() {
                Some(divisor) if divisor.is_zero() => number(RBig::ZERO),
                Some(divisor) => Word::Number(Rc::new(a.scaled(&(RBig::ONE / divisor.clone())))),
                None => self.opaque(step, sort)?,
            },
            BinaryOp::IntDiv | BinaryOp::IntMod => match b.as_constant() {
                Some(divisor) => {
                    let divisor = divisor.clone();
                    let (quotient, remainder) = self.divide(step, a, &divisor);
                    if op == BinaryOp::IntDiv { quotient } else { remainder }
                }
                None => self.opaque(step, sort)?,
            },
            _ => return Err(NotRepresentable::operator_on(op, sort)),
        })
    }

    /// A number that nothing is known about.
    pub(super) fn opaque(&mut self, step: usize, sort: &Sort) -> Result<Word, NotRepresentable> {
        self.opaque = true;
        self.fresh_word(step, None, sort)
    }

    /// The greatest integer not above a number.
    fn floor(&mut self, step: usize, a: &Rc<Linear>) -> Word {
        if let Some(value) = a.as_constant() {
            return number(RBig::from(value.floor()));
        }
        let integral = a.terms().all(|(number, coefficient)| {
            coefficient.is_int() && self.gates.solver.kind(number) == NumberKind::Int
        });
        if integral && a.offset().is_int() {
            return Word::Number(a.clone());
        }
        let key = (Word::Number(a.clone()), Linear::constant(RBig::ONE));
        if let Some((floor, _)) = self.step(step).quotients.get(&key) {
            return floor.clone();
        }
        let floor = self.fresh_number(step, None, NumberKind::Int);
        if let Word::Number(floor) = &floor {
            // floor <= a < floor + 1
            let above = floor.plus(a, &RBig::from(-1));
            let mut below = a.plus(floor, &RBig::from(-1));
            below.add(&Linear::constant(RBig::ONE), &RBig::from(-1));
            let (above, below) = (self.gates.solver.at_most(&above), self.gates.solver.below(&below));
            self.gates.clause(&[above]);
            self.gates.clause(&[below]);
        }
        self.step(step).quotients.insert(key, (floor.clone(), floor.clone()));
        floor
    }

    /// Euclidean quotient and remainder of an int by a constant.
    fn divide(&mut self, step: usize, a: &Rc<Linear>, divisor: &RBig) -> (Word, Word) {
        if divisor.is_zero() {
            return (number(RBig::ZERO), Word::Number(a.clone()));
        }
        let key = (Word::Number(a.clone()), Linear::constant(divisor.clone()));
        if let Some(known) = self.step(step).quotients.get(&key) {
            return known.clone();
        }
        let magnitude = if *divisor < RBig::ZERO { -divisor.clone() } else { divisor.clone() };
        if magnitude == RBig::ONE {
            return (Word::Number(Rc::new(a.scaled(divisor))), number(RBig::ZERO));
        }
        let quotient = match a.as_constant() {
            Some(value) => {
                let rounded = (value / &magnitude).floor();
                Rc::new(Linear::constant(RBig::from(if *divisor < RBig::ZERO { -rounded } else { rounded })))
            }
            None => match self.fresh_number(step, None, NumberKind::Int) {
                Word::Number(quotient) => quotient,
                _ => Rc::default(),
            },
        };
        let remainder = a.plus(&quotient, &-divisor.clone());
        // 0 <= remainder < |divisor|
        let below_zero = self.gates.solver.below(&remainder);
        let mut excess = remainder.clone();
        excess.add(&Linear::constant(magnitude), &RBig::from(-1));
        let small = self.gates.solver.below(&excess);
        self.gates.clause(&[!below_zero]);
        self.gates.clause(&[small]);
        let words = (Word::Number(quotient), Word::Number(Rc::new(remainder)));
        self.step(step).quotients.insert(key, words.clone());
        words
    }

    fn ite(
        &mut self,
        step: usize,
        condition: Lit,
        a: &Word,
        b: &Word,
        sort: &Sort,
    ) -> Result<Word, NotRepresentable> {
        if a == b || condition == self.gates.constant(true) {
            return Ok(a.clone());
        }
        if condition == self.gates.constant(false) {
            return Ok(b.clone());
        }
        match (a, b) {
            (Word::Bit(a), Word::Bit(b)) => Ok(Word::Bit(self.gates.ite(condition, *a, *b))),
            (Word::Choice(a), Word::Choice(b)) => {
                let bits = a.iter().zip(b.iter()).map(|(a, b)| self.gates.ite(condition, *a, *b)).collect();
                Ok(Word::Choice(Rc::new(bits)))
            }
            (Word::Number(_), Word::Number(_)) => {
                let chosen = self.fresh_word(step, None, sort)?;
                self.require_equal(Some(!condition), &chosen, a)?;
                self.require_equal(Some(condition), &chosen, b)?;
                Ok(chosen)
            }
            _ => Err(NotRepresentable::operator_on("ite", sort)),
        }
    }

    /// The literal that says that two values are equal, of whatever steps.
    ///
    /// # Errors
    /// When they are functions.
    pub fn equal_words(&mut self, a: &Word, b: &Word) -> Result<Lit, NotRepresentable> {
        match (a, b) {
            (Word::Bit(a), Word::Bit(b)) => Ok(self.gates.equal(*a, *b)),
            (Word::Choice(a), Word::Choice(b)) => {
                let pairs: Vec<(Lit, Lit)> = a.iter().copied().zip(b.iter().copied()).collect();
                let bits: Vec<Lit> = pairs.into_iter().map(|(a, b)| self.gates.equal(a, b)).collect();
                Ok(self.gates.conjunction(bits))
            }
            (Word::Number(a), Word::Number(b)) => {
                let [most, least] = self.equality_bounds(a, b);
                Ok(self.gates.and(most, least))
            }
            _ => Err(NotRepresentable::operator("equality of functions")),
        }
    }

    fn equality_bounds(&mut self, a: &Linear, b: &Linear) -> [Lit; 2] {
        let difference = a.plus(b, &RBig::from(-1));
        let opposite = difference.scaled(&RBig::from(-1));
        [self.gates.solver.at_most(&difference), self.gates.solver.at_most(&opposite)]
    }

    /// Requires that two values are equal, unless the excuse holds.
    pub(super) fn require_equal(
        &mut self,
        excuse: Option<Lit>,
        a: &Word,
        b: &Word,
    ) -> Result<(), NotRepresentable> {
        let pairs: Vec<Lit> = match (a, b) {
            (Word::Number(a), Word::Number(b)) => self.equality_bounds(a, b).to_vec(),
            (Word::Choice(a), Word::Choice(b)) => {
                let pairs: Vec<(Lit, Lit)> = a.iter().copied().zip(b.iter().copied()).collect();
                pairs.into_iter().map(|(a, b)| self.gates.equal(a, b)).collect()
            }
            _ => vec![self.equal_words(a, b)?],
        };
        for literal in pairs {
            let clause: Vec<Lit> = excuse.into_iter().chain([literal]).collect();
            self.gates.clause(&clause);
        }
        Ok(())
    }

    /// A function applied to one more argument. Equal arguments give equal results, in all steps (Ackermann).
    fn apply(
        &mut self,
        step: usize,
        function: SignalId,
        arguments: Vec<Word>,
        sort: &Sort,
    ) -> Result<Word, NotRepresentable> {
        if matches!(sort, Sort::Array(_)) {
            return Ok(Word::Function(function, Rc::new(arguments)));
        }
        let same = |known: &&Application| known.function == function && known.arguments == arguments;
        if let Some(known) = self.applications.iter().find(same) {
            return Ok(known.result.clone());
        }
        let result = self.fresh_word(step, None, sort)?;
        for index in 0..self.applications.len() {
            let other = &self.applications[index];
            if other.function != function {
                continue;
            }
            let (others, other_result) = (other.arguments.clone(), other.result.clone());
            let mut differ = Vec::new();
            for (a, b) in arguments.iter().zip(&others) {
                differ.push(!self.equal_words(a, b)?);
            }
            let equal_arguments = self.gates.conjunction(differ.into_iter().map(|lit| !lit));
            self.require_equal(Some(!equal_arguments), &result, &other_result)?;
        }
        self.applications.push(Application { function, arguments, result: result.clone() });
        Ok(result)
    }
}

fn number(value: RBig) -> Word {
    Word::Number(Rc::new(Linear::constant(value)))
}

/// The value that a position in binary names.
pub(super) fn position(bits: impl IntoIterator<Item = bool>) -> u32 {
    bits.into_iter().enumerate().fold(0, |sum, (at, bit)| sum | u32::from(bit) << at)
}

/// A rational as an integer, rounded down.
pub(super) fn integer(value: &RBig) -> IBig {
    if value.denominator() == &UBig::ONE { value.numerator().clone() } else { value.floor() }
}
