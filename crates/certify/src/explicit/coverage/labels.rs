//! The values that signals and propositions have in the states that were found, by the interpreter.
//!
//! A mutant shows another value x of the observed node q. What it changes are the propositions in which q itself occurs: there, q is replaced
//! by the constant x. Definitions of wires that read q are left as they are. Values that change the same propositions are one mutant.

use super::super::explore::State;
use crate::Rejection;
use propcov_budget::Budget;
use propcov_ir::{
    ArraySort, ArrayValue, Bits, Edits, ExprId, Interpreter, Node, Sort, Step, StepError, System, Value,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Wider words have too many values to try.
const WIDEST: u32 = 20;

/// The value of every state signal, given their sorts, from the bits of a state.
pub(in crate::explicit) fn state_values(sorts: &[Sort], state: &State) -> Result<Vec<Value>, Rejection> {
    let mut position = 0;
    let mut bit = || {
        let value = state.get(position / 64).is_some_and(|word| word >> (position % 64) & 1 == 1);
        position += 1;
        value
    };
    sorts.iter().map(|sort| decode(sort, &mut bit)).collect()
}

/// The sort of every state signal.
pub(in crate::explicit) fn state_sorts(system: &System) -> Vec<Sort> {
    system.states().iter().map(|state| system.signal(*state).sort.clone()).collect()
}

/// A value from its bits, in the order in which the encoder has them.
fn decode(sort: &Sort, bit: &mut dyn FnMut() -> bool) -> Result<Value, Rejection> {
    match sort {
        Sort::BitVec(width) => Ok(Value::Bits(Bits::from_bits((0..*width).map(|_| bit())))),
        Sort::Enum(variants) => {
            let position = (0..variants.width()).fold(0, |value, index| value | u32::from(bit()) << index);
            Ok(Value::Enum(variants.clone(), position))
        }
        Sort::Array(array) => decode_array(array, bit),
        Sort::Int | Sort::Real => Err(unsupported(sort)),
    }
}

fn decode_array(sort: &Arc<ArraySort>, bit: &mut dyn FnMut() -> bool) -> Result<Value, Rejection> {
    let Sort::BitVec(width @ 1..=WIDEST) = sort.index else { return Err(unsupported(&sort.index)) };
    let mut array = ArrayValue::constant(sort.clone(), Value::zero(&sort.element));
    for index in 0..1 << width {
        array.write(Bits::from_u64(width, index), decode(&sort.element, bit)?);
    }
    Ok(Value::Array(array))
}

fn unsupported(sort: &Sort) -> Rejection {
    Rejection::Unsupported(format!("values of {sort}, state by state"))
}

/// All values that an observed node may have.
pub(super) fn all_values(sort: &Sort) -> Result<Vec<Value>, Rejection> {
    match sort {
        Sort::BitVec(width @ ..=WIDEST) => {
            Ok((0..1 << width).map(|word| Value::Bits(Bits::from_u64(*width, word))).collect())
        }
        Sort::BitVec(_) => Err(Rejection::TooLarge(format!("all values of {sort}"))),
        Sort::Enum(variants) => {
            let positions = 0..variants.variants.len() as u32;
            Ok(positions.map(|position| Value::Enum(variants.clone(), position)).collect())
        }
        _ => Err(Rejection::Unsupported(format!("observing {sort}"))),
    }
}

/// Those of the propositions in which the node occurs.
pub(super) fn that_mention(system: &System, propositions: &[ExprId], node: ExprId) -> Vec<ExprId> {
    let exprs = &system.exprs;
    let mut mentions = FxHashMap::from_iter([(node, true)]);
    let mut open = propositions.to_vec();
    while let Some(&expr) = open.last() {
        if mentions.contains_key(&expr) {
            open.pop();
            continue;
        }
        let before = open.len();
        open.extend(exprs.operands(expr).filter(|operand| !mentions.contains_key(operand)));
        if open.len() == before {
            let here = exprs.operands(expr).any(|operand| mentions[&operand]);
            mentions.insert(expr, here);
        }
    }
    propositions.iter().copied().filter(|proposition| mentions[proposition]).collect()
}

/// How many nodes the expressions have together.
pub(super) fn size(system: &System, roots: &[ExprId]) -> usize {
    let (mut seen, mut open) = (FxHashSet::default(), roots.to_vec());
    while let Some(expr) = open.pop() {
        if seen.insert(expr) {
            open.extend(system.exprs.operands(expr));
        }
    }
    seen.len()
}

/// The truth of expressions in states, by state and position. They depend on states alone, so any inputs will do.
pub(super) fn truth(
    system: &System,
    states: &[Vec<Value>],
    exprs: &[ExprId],
    budget: &Budget,
) -> Result<Vec<Vec<bool>>, Rejection> {
    values(system, states, exprs, budget, &|value| value.as_bool() == Some(true))
}

fn values<T>(
    system: &System,
    states: &[Vec<Value>],
    exprs: &[ExprId],
    budget: &Budget,
    read: &dyn Fn(Value) -> T,
) -> Result<Vec<Vec<T>>, Rejection> {
    let edits = Edits::none();
    let interpreter =
        Interpreter::new(system, &edits).map_err(|error| Rejection::Malformed(error.to_string()))?;
    let inputs = system.inputs().iter().map(|input| Value::zero(&system.signal(*input).sort)).collect();
    let mut step = Step { inputs, ..Step::default() };
    let problem = |error: StepError| Rejection::Unsupported(error.to_string());
    let mut values = Vec::with_capacity(states.len());
    for state in states {
        if budget.is_exhausted() {
            return Err(Rejection::Undecided);
        }
        step.states.clone_from(state);
        let mut frame = interpreter.frame(&step).map_err(problem)?;
        let here = exprs.iter().map(|expr| frame.value(*expr).map(read)).collect::<Result<Vec<T>, _>>();
        values.push(here.map_err(problem)?);
    }
    Ok(values)
}

/// What other values of the observed node change in a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// The truth of the propositions that mention the node, for each way in which some differ from what they are. Each once.
    pub(super) ways: Vec<Vec<bool>>,
    /// Whether some other value changes no proposition.
    pub(super) unnoticeable: bool,
}

/// What changes in each state when the observed node has another of its values.
pub(super) fn changes(
    system: &System,
    states: &[Vec<Value>],
    observed: ExprId,
    propositions: &[ExprId],
    budget: &Budget,
) -> Result<Vec<Changes>, Rejection> {
    let all = all_values(system.exprs.sort(observed))?;
    let mut changed = system.clone();
    // First the propositions as they are, then as each value makes them.
    let mut exprs = propositions.to_vec();
    for value in &all {
        let constant = changed.exprs.constant(value.clone());
        let mut replaced = FxHashMap::from_iter([(observed, constant)]);
        exprs.extend(propositions.iter().map(|root| {
            changed.exprs.import(&system.exprs, *root, &mut replaced, |exprs, leaf, sort| match *leaf {
                Node::Next(signal) => exprs.next(signal, sort.clone()),
                Node::Signal(signal) => exprs.signal(signal, sort.clone()),
                // Only signals are leaves.
                _ => constant,
            })
        }));
    }
    let own = values(system, states, &[observed], budget, &|value| value)?;
    let truth = truth(&changed, states, &exprs, budget)?;
    let each = own.iter().zip(&truth).map(|(own, truth)| {
        let mut ways = truth.chunks(propositions.len());
        let as_it_is = ways.next().unwrap_or_default();
        let (mut changes, mut seen) = (Changes::default(), FxHashSet::default());
        for (_, way) in all.iter().zip(ways).filter(|(value, _)| !own.contains(value)) {
            if way == as_it_is {
                changes.unnoticeable = true;
            } else if seen.insert(way) {
                changes.ways.push(way.to_vec());
            }
        }
        changes
    });
    Ok(each.collect())
}
