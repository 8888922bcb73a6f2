//! Whether something that must not happen can happen at all: a value outside its type, a `case` without a branch.
//!
//! NuSMV decides this on decision diagrams, over all values that the variables could have, reachable or not. Here intervals
//! decide most of it; what is left is decided by trying all values of the variables that matter, 64 at a time, as long as
//! there are few. Where there are too many, a part of the conditions may be enough to see that it cannot happen: so those
//! are taken that bring the fewest variables along, first with definitions left open, then with their meaning.

use super::{lowering::Lowering, operand::Operand, tree::Misfit, types::Type};
use crate::InputError;
use propcov_ir::{BinaryOp, BitAlgebra, ExprId, Node, SignalKind, Sort, System, Value, Word, words};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many bits the variables that matter may have together.
const MAX_BITS: u64 = 14;

/// How many expressions a condition may consist of when it is tried out.
const MAX_SIZE: usize = 20_000;

/// How many parts of a condition are looked at one by one.
const MAX_CONJUNCTS: usize = 64;

/// What is known about a condition.
pub(super) enum Search {
    /// It never holds.
    Impossible,
    /// It holds, for instance, when this is so. The values of the expression asked for come along.
    Possible(String, Option<String>),
    /// There are too many values to try.
    Unknown,
}

impl Lowering<'_> {
    /// Values that do not fit the type of a variable are errors. What is returned has to be excluded by a constraint, because
    /// nobody knows whether it can be.
    pub(super) fn must_fit(
        &mut self,
        misfits: &[Misfit],
        name: &str,
        of: &Type,
    ) -> Result<Vec<ExprId>, InputError> {
        let mut unknown = Vec::new();
        for misfit in misfits {
            let (_, value) = self.expression(&misfit.operand);
            match self.search(misfit.when, Some(value)) {
                Search::Impossible => {}
                Search::Possible(example, value) => {
                    let value = self.shown(&misfit.operand, value);
                    let message = format!("cannot assign {value} to {name} : {of}{example}");
                    return Err(self.error(&misfit.place, message));
                }
                Search::Unknown => {
                    if let Operand::Constant(value) = &misfit.operand {
                        let message = format!("cannot assign {value} to {name} : {of}");
                        return Err(self.error(&misfit.place, message));
                    }
                    if self.warned.insert(misfit.place.start) {
                        let message = format!(
                            "it is not known whether this is always a value of {name} : {of}; runs where it is not are left out"
                        );
                        self.report.warn(&misfit.place, message);
                    }
                    unknown.push(misfit.when);
                }
            }
        }
        Ok(unknown)
    }

    fn shown(&self, operand: &Operand, value: Option<String>) -> String {
        match (operand, value) {
            (Operand::Constant(scalar), _) => scalar.to_string(),
            (_, Some(value)) => value,
            (_, None) => "a value".to_owned(),
        }
    }

    /// Looks for values of variables that make a condition true.
    pub(super) fn search(&mut self, condition: ExprId, value: Option<ExprId>) -> Search {
        if self.is_false(condition) {
            return Search::Impossible;
        }
        let conjuncts = conjuncts(&self.system, condition);
        for wires in [Wires::Open, Wires::Defined] {
            let (chosen, complete) = affordable(&self.system, &conjuncts, wires);
            let value = value.filter(|_| complete && wires == Wires::Defined);
            let roots: Vec<ExprId> = value.into_iter().chain(chosen.iter().copied()).collect();
            let Some(trial) = Trial::new(&self.system, &roots, wires) else { continue };
            match trial.run(&chosen, value) {
                None => return Search::Unknown,
                Some(None) => return Search::Impossible,
                Some(Some(found)) if complete && wires == Wires::Defined => {
                    return self.example(found, value);
                }
                Some(Some(_)) => {}
            }
        }
        Search::Unknown
    }

    fn example(&self, found: Found, value: Option<ExprId>) -> Search {
        let integer =
            value.is_some_and(|value| matches!(self.sort_of(value), Sort::BitVec(width) if *width > 1));
        let example = match found.leaves.as_slice() {
            [] => String::new(),
            leaves => {
                let shown = leaves.iter().take(6).map(|(name, value)| format!("{name} = {value}"));
                let more = if leaves.len() > 6 { " and so on" } else { "" };
                format!(", for instance when {}{more}", shown.collect::<Vec<_>>().join(" and "))
            }
        };
        let value = found.value.map(|value| match value.as_bits() {
            Some(bits) if integer => bits.signed().to_string(),
            _ => truth_text(&value),
        });
        Search::Possible(example, value)
    }
}

/// A value as it is written in NuSMV.
fn truth_text(value: &Value) -> String {
    match value.as_bool() {
        Some(true) => "TRUE".to_owned(),
        Some(false) => "FALSE".to_owned(),
        None => value.to_string(),
    }
}

/// Whether the definitions of wires count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wires {
    Open,
    Defined,
}

/// The parts of a conjunction.
fn conjuncts(system: &System, condition: ExprId) -> Vec<ExprId> {
    let (mut parts, mut stack) = (Vec::new(), vec![condition]);
    while let Some(expr) = stack.pop() {
        match system.exprs.node(expr) {
            Node::Binary(BinaryOp::And, a, b) if parts.len() + stack.len() < MAX_CONJUNCTS => {
                stack.extend([*b, *a]);
            }
            _ => parts.push(expr),
        }
    }
    parts
}

/// Conditions that depend on few enough variables together, and whether these are all.
fn affordable(system: &System, conjuncts: &[ExprId], wires: Wires) -> (Vec<ExprId>, bool) {
    let mut open: Vec<(ExprId, Vec<ExprId>)> = (conjuncts.iter())
        .filter_map(|expr| Trial::new(system, &[*expr], wires).map(|trial| (*expr, trial.leaves)))
        .collect();
    let (mut chosen, mut leaves, mut bits) = (Vec::new(), FxHashSet::default(), 0);
    while !open.is_empty() {
        let cost = |new: &[ExprId], leaves: &FxHashSet<ExprId>| -> u64 {
            new.iter().filter(|leaf| !leaves.contains(*leaf)).map(|leaf| bits_of(system, *leaf)).sum()
        };
        let costs = open.iter().enumerate().map(|(at, (_, new))| (cost(new, &leaves), at));
        let Some((least, at)) = costs.min() else { break };
        if bits + least > MAX_BITS {
            break;
        }
        bits += least;
        let (expr, new) = open.remove(at);
        chosen.push(expr);
        leaves.extend(new);
    }
    let complete = chosen.len() == conjuncts.len();
    (chosen, complete)
}

fn bits_of(system: &System, leaf: ExprId) -> u64 {
    words::bit_count(system.exprs.sort(leaf)).unwrap_or(MAX_BITS + 1)
}

/// Conditions with all that they depend on.
struct Trial<'s> {
    system: &'s System,
    wires: Wires,
    /// Each after its operands; a wire after its definition.
    order: Vec<ExprId>,
    /// States, inputs and next values of states, and wires where they are left open.
    leaves: Vec<ExprId>,
}

struct Found {
    leaves: Vec<(String, String)>,
    value: Option<Value>,
}

impl<'s> Trial<'s> {
    /// `None` when they depend on too much.
    fn new(system: &'s System, roots: &[ExprId], wires: Wires) -> Option<Trial<'s>> {
        let mut trial = Trial { system, wires, order: Vec::new(), leaves: Vec::new() };
        let mut bits = 0;
        let mut seen = FxHashSet::default();
        let mut stack: Vec<(ExprId, bool)> = roots.iter().map(|expr| (*expr, false)).collect();
        while let Some((expr, operands_done)) = stack.pop() {
            if operands_done {
                trial.order.push(expr);
                continue;
            }
            if !seen.insert(expr) {
                continue;
            }
            if seen.len() > MAX_SIZE {
                return None;
            }
            if let Some(definition) = trial.definition(expr) {
                stack.extend([(expr, true), (definition, false)]);
            } else if matches!(system.exprs.node(expr), Node::Signal(_) | Node::Next(_)) {
                bits += bits_of(system, expr);
                if bits > MAX_BITS {
                    return None;
                }
                trial.leaves.push(expr);
            } else {
                stack.push((expr, true));
                stack.extend(system.exprs.operands(expr).map(|operand| (operand, false)));
            }
        }
        Some(trial)
    }

    /// The definition of a wire.
    fn definition(&self, expr: ExprId) -> Option<ExprId> {
        match self.system.exprs.node(expr) {
            Node::Signal(signal) if self.wires == Wires::Defined => match self.system.signal(*signal).kind {
                SignalKind::Wire { definition } => Some(definition),
                _ => None,
            },
            _ => None,
        }
    }

    /// Values under which all conditions hold, if there are any; nothing at all where an operator has no bits.
    fn run(&self, conditions: &[ExprId], value: Option<ExprId>) -> Option<Option<Found>> {
        let total: u64 = self.leaves.iter().map(|leaf| bits_of(self.system, *leaf)).sum();
        let mut values: FxHashMap<ExprId, Word<u64>> = FxHashMap::default();
        for round in 0..1u64 << total.saturating_sub(6) {
            let mut holds = if total < 6 { (1u64 << (1 << total)) - 1 } else { u64::MAX };
            let mut place = 0;
            for leaf in &self.leaves {
                let sort = self.system.exprs.sort(*leaf);
                let word = Word::build(sort, || {
                    place += 1;
                    counting(place - 1, round)
                });
                let word = word.ok()?;
                holds &= words::is_meaningful(&mut Lanes, sort, &word).ok()?;
                values.insert(*leaf, word);
            }
            for expr in &self.order {
                let word = self.word(*expr, &values)?;
                values.insert(*expr, word);
            }
            for condition in conditions {
                holds &= values.get(condition)?.bit().ok()?;
            }
            if holds != 0 {
                return Some(Some(self.found(&values, holds.trailing_zeros(), value)?));
            }
        }
        Some(None)
    }

    fn word(&self, expr: ExprId, values: &FxHashMap<ExprId, Word<u64>>) -> Option<Word<u64>> {
        if let Some(definition) = self.definition(expr) {
            return values.get(&definition).cloned();
        }
        let operands: Option<Vec<&Word<u64>>> =
            self.system.exprs.operands(expr).map(|operand| values.get(&operand)).collect();
        words::apply(&mut Lanes, &self.system.exprs, expr, &operands?).ok()
    }

    fn found(
        &self,
        values: &FxHashMap<ExprId, Word<u64>>,
        lane: u32,
        value: Option<ExprId>,
    ) -> Option<Found> {
        let value_of = |expr: ExprId| {
            let word = values.get(&expr)?;
            word.value(self.system.exprs.sort(expr), &mut |bits| bits >> lane & 1 == 1).ok()
        };
        let mut leaves = Vec::new();
        for leaf in &self.leaves {
            let name = match self.system.exprs.node(*leaf) {
                Node::Signal(signal) => self.system.signal(*signal).name.clone(),
                Node::Next(signal) => format!("next({})", self.system.signal(*signal).name),
                _ => continue,
            };
            leaves.push((name, truth_text(&value_of(*leaf)?)));
        }
        leaves.sort();
        Some(Found { leaves, value: value.and_then(value_of) })
    }
}

/// Bit `place` of the numbers from 64 × `round` on, one in each lane.
fn counting(place: u32, round: u64) -> u64 {
    match place {
        0 => 0xaaaa_aaaa_aaaa_aaaa,
        1 => 0xcccc_cccc_cccc_cccc,
        2 => 0xf0f0_f0f0_f0f0_f0f0,
        3 => 0xff00_ff00_ff00_ff00,
        4 => 0xffff_0000_ffff_0000,
        5 => 0xffff_ffff_0000_0000,
        _ => (round >> (place - 6) & 1) * u64::MAX,
    }
}

/// Sixty-four truth values at a time.
struct Lanes;

impl BitAlgebra for Lanes {
    type Bit = u64;

    fn constant(&mut self, value: bool) -> u64 {
        u64::from(value) * u64::MAX
    }

    fn not(&mut self, a: &u64) -> u64 {
        !a
    }

    fn and(&mut self, a: &u64, b: &u64) -> u64 {
        a & b
    }
}
