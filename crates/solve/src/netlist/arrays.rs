//! Arrays that are too large for tables: only what is stored at a few addresses is followed, those that stay the same during a run.
//!
//! The idea is Bjesse's (*A practical approach to word level model checking of industrial netlists*, CAV 2008), with the addresses taken from the design: whoever writes assertions about a memory says with a constant that may be anything,
//! `(* anyconst *)`, which entry they are about. An array is here the row of its elements at the *watched* addresses. A write changes an element where its address is the watched one; a read
//! gives the element where it is, and otherwise a *guess*, a value of which nothing is known. So is the result of a comparison of arrays, but that equal ones have equal rows. All this holds of
//! any run, if guesses are what they should be: the netlist has all runs of the system, and more. A proof is one of the system, with `read(array, address)` in its lemmas. A run may be none of the system's: whoever
//! finds one has it [replayed](crate::BitTrace::complete).
//!
//! Where two guesses are about the same array in the same step, equal addresses have equal values. What is written in a step is seen by a read of the array written, and constants are read as they are. (So could memories be that nobody writes, but an induction does not know what they contain.)

use super::{Blaster, LeafOrigin, Unsupported};
use crate::{Aig, Bit};
use propcov_ir::words::{self, BitAlgebra, Word};
use propcov_ir::{
    ArrayValue, BinaryOp, Definition, ExprId, ExprPool, Node, SignalId, SignalKind, Site, Sort, TernaryOp,
    UnaryOp, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Of each sort of arrays at most so many addresses are watched.
const MOST_WATCHED: usize = 6;
/// Addresses are looked for in expressions of at most so many nodes.
const LARGEST_ADDRESS: usize = 256;
/// A read looks through so many writes.
const DEEPEST_READ: u32 = 64;
/// Guesses about one array that are compared with each other.
const MOST_COMPARED: usize = 8;
/// A constant array with at most so many listed elements is read as it is.
const MOST_LISTED: usize = 1 << 12;

/// Arrays of one sort, and the addresses at which they are watched.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The sort of the arrays.
    pub sort: Sort,
    /// Expressions of the system whose values stay the same during a run, and their bits.
    pub addresses: Vec<(ExprId, Vec<Bit>)>,
}

/// What is not known of an array.
#[derive(Clone, Debug)]
pub(crate) struct Guess {
    /// The state that is read, where it is one.
    pub(crate) state: Option<SignalId>,
    /// The address that is read.
    pub(crate) index: Vec<Bit>,
}

/// What is known of arrays while a netlist is made.
#[derive(Default)]
pub(super) struct Arrays {
    /// What was read of which array where.
    reads: FxHashMap<(ExprId, Vec<Bit>), Word<Bit>>,
    /// Guesses about an array: where and what.
    guessed: FxHashMap<ExprId, Vec<Entry>>,
}

/// What is stored where.
type Entry = (Vec<Bit>, Word<Bit>);

/// A word of the sort, or of so many elements of an array.
pub(super) fn build(
    sort: &Sort,
    rows: Option<usize>,
    mut bit: impl FnMut() -> Bit,
) -> Result<Word<Bit>, Unsupported> {
    match (sort, rows) {
        (Sort::Array(array), Some(rows)) => {
            let elements = (0..rows).map(|_| Word::build(&array.element, &mut bit));
            Ok(Word::Table(elements.collect::<Result<_, _>>()?))
        }
        _ => Ok(Word::build(sort, bit)?),
    }
}

impl<'s> Blaster<'s> {
    /// Finds the arrays that are larger than tables may be, and where they are watched.
    pub(super) fn watch(&mut self, tables: Option<u64>) -> Result<(), Unsupported> {
        let Some(limit) = tables else { return Ok(()) };
        let system = self.system;
        let is_large = |sort: &Sort| match sort {
            Sort::Array(array) => {
                matches!(array.index, Sort::BitVec(_))
                    && words::bit_count(&array.element).is_ok()
                    && !words::bit_count(sort).is_ok_and(|bits| bits <= limit)
            }
            _ => false,
        };
        let mut sorts: Vec<Sort> = Vec::new();
        for signal in system.signals().iter().filter(|signal| is_large(&signal.sort)) {
            if !sorts.contains(&signal.sort) {
                sorts.push(signal.sort.clone());
            }
        }
        if sorts.is_empty() {
            return Ok(());
        }
        for (sort, candidates) in sorts.iter().zip(self.addresses(&sorts)) {
            let mut addresses: Vec<(ExprId, Vec<Bit>)> = Vec::new();
            for expr in candidates {
                let bits = self.word(expr)?.bits()?.to_vec();
                if addresses.len() < MOST_WATCHED && !addresses.iter().any(|(_, other)| *other == bits) {
                    addresses.push((expr, bits));
                }
            }
            self.netlist.watched.push(Watched { sort: sort.clone(), addresses });
        }
        Ok(())
    }

    /// For each sort of arrays the addresses that stay the same: those that are read or written, and those that addresses are compared with. Constants come last.
    fn addresses(&self, sorts: &[Sort]) -> Vec<Vec<ExprId>> {
        let exprs = &self.system.exprs;
        let all = (0..exprs.len() as u32).map(ExprId);
        let mut used: Vec<FxHashSet<ExprId>> = vec![FxHashSet::default(); sorts.len()];
        for expr in all.clone() {
            let (array, index) = match *exprs.node(expr) {
                Node::Binary(BinaryOp::Read, array, index) => (array, index),
                Node::Ternary(TernaryOp::Write, array, index, _) => (array, index),
                _ => continue,
            };
            if let Some(at) = sorts.iter().position(|sort| sort == exprs.sort(array)) {
                used[at].insert(index);
                if let Node::Signal(wire) = *exprs.node(index)
                    && let Definition::Expr(definition) = self.system.definition(self.edits, Site::Wire(wire))
                {
                    used[at].insert(definition);
                }
            }
        }
        let mut found: Vec<Vec<ExprId>> = vec![Vec::new(); sorts.len()];
        let mut add = |at: usize, expr: ExprId| {
            if !found[at].contains(&expr) && self.stays_the_same(expr) {
                found[at].push(expr);
            }
        };
        for (at, used) in used.iter().enumerate() {
            let mut used: Vec<ExprId> = used.iter().copied().collect();
            used.sort_unstable();
            used.into_iter().for_each(|index| add(at, index));
        }
        for expr in all {
            if let Node::Binary(BinaryOp::Eq, a, b) = *exprs.node(expr) {
                for (at, used) in used.iter().enumerate() {
                    for (index, other) in [(a, b), (b, a)] {
                        if used.contains(&index) && !matches!(exprs.node(other), Node::Const(_)) {
                            add(at, other);
                        }
                    }
                }
            }
        }
        for found in &mut found {
            found.sort_by_key(|expr| matches!(exprs.node(*expr), Node::Const(_)));
        }
        found
    }

    /// Whether an expression depends on nothing but states that keep their values, whatever is mutated.
    fn stays_the_same(&self, expr: ExprId) -> bool {
        let (mut seen, mut open) = (FxHashSet::default(), vec![expr]);
        while let Some(expr) = open.pop() {
            if !seen.insert(expr) {
                continue;
            }
            // What is read from arrays is not known before it is known where they are watched.
            if seen.len() > LARGEST_ADDRESS || matches!(self.system.exprs.sort(expr), Sort::Array(_)) {
                return false;
            }
            match *self.system.exprs.node(expr) {
                Node::Next(_) => return false,
                Node::Signal(signal) => match self.system.signal(signal).kind {
                    SignalKind::Input => return false,
                    SignalKind::State { .. } if self.keeps_its_value(signal) => {}
                    SignalKind::State { .. } => return false,
                    SignalKind::Wire { .. } => match self.unmutated(Site::Wire(signal)) {
                        Some(definition) => open.push(definition),
                        None => return false,
                    },
                },
                _ => open.extend(self.system.exprs.operands(expr)),
            }
        }
        true
    }

    /// Whether a state becomes what it is.
    fn keeps_its_value(&self, state: SignalId) -> bool {
        self.unmutated(Site::Next(state)).is_some_and(|next| self.is_same(next, state))
    }

    /// Whether an expression is a signal by whatever name.
    fn is_same(&self, mut expr: ExprId, signal: SignalId) -> bool {
        for _ in 0..DEEPEST_READ {
            match *self.system.exprs.node(expr) {
                Node::Signal(found) if found == signal => return true,
                Node::Signal(wire) => match self.unmutated(Site::Wire(wire)) {
                    Some(definition) => expr = definition,
                    None => return false,
                },
                _ => return false,
            }
        }
        false
    }

    /// The expression that defines a site, where nothing can change that.
    fn unmutated(&self, site: Site) -> Option<ExprId> {
        let is_mutated =
            self.system.element_at(site).is_some_and(|element| self.selectable.contains_key(&element));
        match self.system.definition(self.edits, site) {
            Definition::Expr(expr) if !is_mutated => Some(expr),
            _ => None,
        }
    }

    /// The bits at which arrays of a sort are watched; `None` for all else.
    fn watched(&self, sort: &Sort) -> Option<Vec<Vec<Bit>>> {
        let watched = self.netlist.watched_at(sort)?;
        Some(watched.addresses.iter().map(|(_, bits)| bits.clone()).collect())
    }

    /// How many elements stand for an array of this sort, if it is watched.
    pub(super) fn rows(&self, sort: &Sort) -> Option<usize> {
        Some(self.netlist.watched_at(sort)?.addresses.len())
    }

    /// The word of a constant.
    pub(super) fn constant(&mut self, value: &Value) -> Result<Word<Bit>, Unsupported> {
        if let Value::Array(array) = value
            && let Some(addresses) = self.watched(&value.sort())
        {
            let rows = addresses.iter().map(|address| self.read_constant(array, address));
            return Ok(Word::Table(rows.collect::<Result<_, _>>()?));
        }
        Ok(words::constant(&mut self.netlist.aig, value)?)
    }

    /// The element of a constant array.
    fn read_constant(&mut self, array: &ArrayValue, index: &[Bit]) -> Result<Word<Bit>, Unsupported> {
        if array.elements().count() > MOST_LISTED {
            return self.guess(None, index, &array.sort().element);
        }
        let mut word = words::constant(&mut self.netlist.aig, array.default_value())?;
        for (at, element) in array.elements() {
            let at = words::constant(&mut self.netlist.aig, at)?;
            let here = words::equal(&mut self.netlist.aig, &at, &Word::Bits(index.to_vec()));
            let element = words::constant(&mut self.netlist.aig, element)?;
            word = words::mux(&mut self.netlist.aig, &here, &element, &word);
        }
        Ok(word)
    }

    /// A value of which nothing is known.
    fn guess(
        &mut self,
        state: Option<SignalId>,
        index: &[Bit],
        sort: &Sort,
    ) -> Result<Word<Bit>, Unsupported> {
        let origin = LeafOrigin::Guess(self.netlist.guesses.len());
        self.netlist.guesses.push(Guess { state, index: index.to_vec() });
        self.open(origin, sort)
    }

    /// Rows of one array agree where two watched addresses are the same.
    pub(super) fn agree(&mut self, sort: &Sort, word: &Word<Bit>) -> Result<(), Unsupported> {
        let Some(addresses) = self.watched(sort) else { return Ok(()) };
        let entries: Vec<Entry> = addresses.into_iter().zip(word.table()?.iter().cloned()).collect();
        for (at, (address, value)) in entries.iter().enumerate() {
            for (other, there) in &entries[..at] {
                self.same_at_same(address, value, other, there);
            }
        }
        Ok(())
    }

    /// Requires equal values at equal addresses.
    fn same_at_same(&mut self, a: &[Bit], value: &Word<Bit>, b: &[Bit], other: &Word<Bit>) {
        let aig = &mut self.netlist.aig;
        let here = words::equal(aig, &Word::Bits(a.to_vec()), &Word::Bits(b.to_vec()));
        let same = words::equal(aig, value, other);
        let required = !aig.and(here, !same);
        if required != Bit::TRUE {
            self.netlist.constraints.push(required);
        }
    }

    /// The element of an array of which only rows are known.
    fn read_row(
        &mut self,
        sort: &Sort,
        rows: &[Word<Bit>],
        index: &[Bit],
        guess: impl FnOnce(&mut Self) -> Result<Word<Bit>, Unsupported>,
    ) -> Result<Word<Bit>, Unsupported> {
        let addresses = self.watched(sort).unwrap_or_default();
        let index = Word::Bits(index.to_vec());
        let aig = &mut self.netlist.aig;
        let hits: Vec<Bit> =
            addresses.into_iter().map(|address| words::equal(aig, &Word::Bits(address), &index)).collect();
        if let Some(row) = hits.iter().position(|hit| *hit == Bit::TRUE).and_then(|at| rows.get(at)) {
            return Ok(row.clone());
        }
        let mut word = guess(self)?;
        for (hit, row) in hits.iter().zip(rows).rev() {
            word = words::mux(&mut self.netlist.aig, hit, row, &word);
        }
        Ok(word)
    }

    /// The element of an array of the system, which has its word already.
    fn read_array(&mut self, array: ExprId, index: &[Bit], depth: u32) -> Result<Word<Bit>, Unsupported> {
        let key = (array, index.to_vec());
        if let Some(word) = self.arrays.reads.get(&key) {
            return Ok(word.clone());
        }
        let system = self.system;
        let node = system.exprs.node(array);
        let word = match node {
            Node::Ternary(TernaryOp::Write, below, at, value) if depth > 0 => {
                let (at, value) = (self.finished(*at)?, self.finished(*value)?);
                let here = words::equal(&mut self.netlist.aig, &at, &Word::Bits(index.to_vec()));
                let below = self.read_array(*below, index, depth - 1)?;
                words::mux(&mut self.netlist.aig, &here, &value, &below)
            }
            Node::Ternary(TernaryOp::Ite, condition, then, otherwise) if depth > 0 => {
                let condition = *self.finished(*condition)?.bit()?;
                let then = self.read_array(*then, index, depth - 1)?;
                let otherwise = self.read_array(*otherwise, index, depth - 1)?;
                words::mux(&mut self.netlist.aig, &condition, &then, &otherwise)
            }
            Node::Unary(UnaryOp::ConstArray(_), element) => self.finished(*element)?,
            Node::Const(value) => self.read_constant(as_array(value)?, index)?,
            _ => {
                let (sort, word) = (system.exprs.sort(array), self.finished(array)?);
                let Sort::Array(of) = sort else { return Err(words::Unsupported::Leaf.into()) };
                self.read_row(sort, word.table()?, index, |blaster| {
                    let state = blaster.state_by_name(array);
                    let guessed = blaster.guess(state, index, &of.element)?;
                    let others = blaster.arrays.guessed.entry(array).or_default();
                    let compared: Vec<Entry> = others.iter().take(MOST_COMPARED).cloned().collect();
                    others.push((index.to_vec(), guessed.clone()));
                    for (other, there) in &compared {
                        blaster.same_at_same(index, &guessed, other, there);
                    }
                    Ok(guessed)
                })?
            }
        };
        self.arrays.reads.insert(key, word.clone());
        Ok(word)
    }

    /// The state that an expression is, if it is one.
    fn state_by_name(&self, expr: ExprId) -> Option<SignalId> {
        match *self.system.exprs.node(expr) {
            Node::Signal(signal) => {
                matches!(self.system.signal(signal).kind, SignalKind::State { .. }).then_some(signal)
            }
            _ => None,
        }
    }

    /// What an operator of the system makes of watched arrays; `None` where there are none.
    pub(super) fn apply_to_arrays(&mut self, expr: ExprId) -> Result<Option<Word<Bit>>, Unsupported> {
        if !self.netlist.is_watched() {
            return Ok(None);
        }
        let system = self.system;
        let exprs = &system.exprs;
        if let Node::Binary(BinaryOp::Read, array, index) = *exprs.node(expr)
            && self.rows(exprs.sort(array)).is_some()
        {
            let index = self.finished(index)?.bits()?.to_vec();
            return Ok(Some(self.read_array(array, &index, DEEPEST_READ)?));
        }
        let operands: Vec<ExprId> = exprs.operands(expr).collect();
        if self.rows(exprs.sort(expr)).is_none()
            && !operands.iter().any(|operand| self.rows(exprs.sort(*operand)).is_some())
        {
            return Ok(None);
        }
        let words =
            operands.into_iter().map(|operand| self.finished(operand)).collect::<Result<Vec<_>, _>>()?;
        let words: Vec<&Word<Bit>> = words.iter().collect();
        self.claimed_of_arrays(exprs, expr, &words)
    }

    /// What an operator makes of watched arrays, given the words of its operands; `None` where there are none, or where it does the same to each row.
    pub(super) fn claimed_of_arrays(
        &mut self,
        exprs: &ExprPool,
        expr: ExprId,
        operands: &[&Word<Bit>],
    ) -> Result<Option<Word<Bit>>, Unsupported> {
        if !self.netlist.is_watched() {
            return Ok(None);
        }
        let sort_of = |operand: usize| exprs.operands(expr).nth(operand).map(|operand| exprs.sort(operand));
        Ok(match (exprs.node(expr), operands) {
            (Node::Const(value), _) if self.rows(exprs.sort(expr)).is_some() => Some(self.constant(value)?),
            (Node::Unary(UnaryOp::ConstArray(sort), _), [element]) => {
                self.rows(sort).map(|rows| Word::Table(vec![(*element).clone(); rows]))
            }
            (Node::Binary(BinaryOp::Read, ..), [array, index]) => match sort_of(0) {
                Some(sort @ Sort::Array(of)) if self.rows(sort).is_some() => {
                    let index = index.bits()?.to_vec();
                    let word = self.read_row(sort, array.table()?, &index, |blaster| {
                        blaster.guess(None, &index, &of.element)
                    })?;
                    Some(word)
                }
                _ => None,
            },
            (Node::Ternary(TernaryOp::Write, ..), [array, index, value]) => {
                let Some(addresses) = sort_of(0).and_then(|sort| self.watched(sort)) else { return Ok(None) };
                let mut rows = Vec::with_capacity(addresses.len());
                for (address, row) in addresses.into_iter().zip(array.table()?) {
                    let aig: &mut Aig = &mut self.netlist.aig;
                    let here = words::equal(aig, index, &Word::Bits(address));
                    rows.push(words::mux(aig, &here, value, row));
                }
                Some(Word::Table(rows))
            }
            (Node::Binary(BinaryOp::Eq, ..), [a, b]) => match sort_of(0) {
                Some(sort) if self.rows(sort).is_some() => {
                    let same = words::equal(&mut self.netlist.aig, a, b);
                    let guess = *self.guess(None, &[], &Sort::BOOL)?.bit()?;
                    Some(Word::Bits(vec![BitAlgebra::and(&mut self.netlist.aig, &guess, &same)]))
                }
                _ => None,
            },
            // A choice between arrays chooses each row.
            _ => None,
        })
    }
}

fn as_array(value: &Value) -> Result<&ArrayValue, Unsupported> {
    match value {
        Value::Array(array) => Ok(array),
        _ => Err(words::Unsupported::Leaf.into()),
    }
}
