//! Mutants of systems with numbers, by enumeration: the definitions that the pipeline over sums is compared with.
//!
//! A mutant is written out as a system of its own, without the overlay of edits and without the memory that [`System::add_variants`] adds: an element that is off by one gets another
//! definition, one that is stale two new states, and one that is left open a new input. An int that is left open has infinitely many values; only those of a small range are tried, so that
//! here a violation is one, and that none was found says nothing.

use crate::arith_explicit::{combinations, values_of};
use crate::{ArithExplicit, ArithExploreError, Outcome};
use propcov_ir::{
    BinaryOp, ConstraintKind, Definition, Edit, Edits, ExprId, Interpreter, Mutant, Mutation, PropertyId,
    SignalId, SignalKind, Site, Sort, Step, System, Value,
};
use rustc_hash::FxHashSet;

/// The values of an int that is left open.
const RANGE: std::ops::RangeInclusive<i64> = -6..=12;

/// What is true about a mutant and a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutantTruth {
    /// The property fails.
    Covered,
    /// It holds.
    Uncovered,
    /// It holds as far as was looked.
    Open,
}

/// The mutant as a system of its own, and whether all of its runs are runs of it. `None` for a real that is left open.
pub fn mutant_written_out(system: &System, mutant: Mutant) -> Option<(System, bool)> {
    let mut written = system.clone();
    let site = system.element(mutant.element).site;
    let Definition::Expr(definition) = system.definition(&Edits::none(), site) else { return None };
    let sort = system.exprs.sort(definition).clone();
    let mut is_whole = true;
    let value = match mutant.mutation {
        Mutation::Zero | Mutation::One => {
            let constant = mutant.mutation.constant(&sort)?;
            written.exprs.constant(constant)
        }
        Mutation::OffByOne => {
            let one = match sort {
                Sort::Int => Value::Int(1.into()),
                Sort::Real => Value::Real(1.into()),
                _ => return None,
            };
            let one = written.exprs.constant(one);
            written.exprs.apply(BinaryOp::Add, one, definition)
        }
        Mutation::Stale => {
            let (later, kept) =
                (written.add_state("later", Sort::BOOL), written.add_state("kept", sort.clone()));
            let (no, yes) = (written.exprs.bool(false), written.exprs.bool(true));
            let zero = written.exprs.constant(Value::zero(&sort));
            written.set_init(later, no);
            written.set_next(later, yes);
            written.set_init(kept, zero);
            written.set_next(kept, definition);
            let (later, kept) = (written.read(later), written.read(kept));
            written.exprs.ite(later, kept, definition)
        }
        Mutation::Free => {
            let any = written.add_input("any", sort.clone());
            let any = written.read(any);
            match sort {
                Sort::Real => return None,
                Sort::Int => {
                    is_whole = false;
                    let [low, high] = [RANGE.start(), RANGE.end()]
                        .map(|bound| written.exprs.constant(Value::Int((*bound).into())));
                    let low = written.exprs.apply(BinaryOp::Le, low, any);
                    let high = written.exprs.apply(BinaryOp::Le, any, high);
                    let both = written.exprs.and(low, high);
                    written.add_constraint("range.any", ConstraintKind::Always, both);
                }
                _ => {}
            }
            any
        }
    };
    Some((written.edited(&Edits::one(mutant.element, Edit::Replace(value))), is_whole))
}

/// What is true about a mutant, for each of the properties, all of them invariants.
///
/// # Errors
/// When there is too much to enumerate.
pub fn mutant_truth(
    system: &System,
    mutant: Mutant,
    properties: &[PropertyId],
    work: usize,
) -> Result<Vec<MutantTruth>, ArithExploreError> {
    let Some((written, is_whole)) = mutant_written_out(system, mutant) else {
        return Ok(vec![MutantTruth::Open; properties.len()]);
    };
    let explicit = ArithExplicit::explore_edited(&written, &Edits::none(), work)?;
    let truth = |property: &PropertyId| match (explicit.outcome(*property), is_whole) {
        (Outcome::Violated { .. }, _) => MutantTruth::Covered,
        (Outcome::Holds { .. }, true) => MutantTruth::Uncovered,
        (Outcome::Holds { .. }, false) => MutantTruth::Open,
    };
    Ok(properties.iter().map(truth).collect())
}

/// As [`shortest_difference`](crate::shortest_difference), for systems with numbers whose states all have a next: the least number of transitions after which somebody who looks at
/// `observed` can tell the mutant from the system, though no property does; and whether all of the mutant's runs were looked at.
///
/// # Errors
/// When there is too much to enumerate, or a state has no next.
pub fn shortest_number_difference(
    system: &System,
    mutant: Mutant,
    observed: &[ExprId],
    properties: &[PropertyId],
    work: usize,
) -> Result<(Option<usize>, bool), ArithExploreError> {
    let Some((mutated, is_whole)) = mutant_written_out(system, mutant) else { return Ok((None, false)) };
    let is_open =
        |state: &SignalId| matches!(system.signal(*state).kind, SignalKind::State { next: None, .. });
    if system.states().iter().any(is_open) {
        return Err(ArithExploreError::TooLarge);
    }
    let none = Edits::none();
    let (left, right) = (Interpreter::new(system, &none)?, Interpreter::new(&mutated, &none)?);
    let inputs = combinations(system, &none, system.inputs(), false)?;
    let own: Vec<SignalId> = mutated.inputs()[system.inputs().len()..].to_vec();
    let own = combinations(&mutated, &none, &own, false)?;
    let is_free = |state: &&SignalId| system.definition(&none, Site::Init(**state)) == Definition::Open;
    let free: Vec<SignalId> = system.states().iter().filter(is_free).copied().collect();
    let mut starts = vec![Vec::new()];
    for state in &free {
        let values = values_of(system, &none, *state, true)?;
        let with = |start: &Vec<Value>| {
            let start = start.clone();
            values
                .iter()
                .map(move |value| [start.as_slice(), std::slice::from_ref(value)].concat())
                .collect::<Vec<_>>()
        };
        starts = starts.iter().flat_map(with).collect();
    }
    let first = |of: &System, values: &[Value]| -> Vec<Value> {
        let value = |state: &SignalId| match free.iter().position(|other| other == state) {
            Some(at) => values[at].clone(),
            None => Value::zero(&of.signal(*state).sort),
        };
        of.states().iter().map(value).collect()
    };
    let mut layer: Vec<(Vec<Value>, Vec<Value>)> =
        starts.iter().map(|values| (first(system, values), first(&mutated, values))).collect();
    let mut seen: FxHashSet<(Vec<Value>, Vec<Value>)> = FxHashSet::default();
    let (mut depth, mut left_over) = (0, work);
    while !layer.is_empty() {
        let mut following = Vec::new();
        for (a, b) in layer {
            for inputs in &inputs {
                let Some(a) = seen_step(&left, inputs.clone(), &a, observed, properties, depth == 0)? else {
                    continue;
                };
                for own in &own {
                    left_over = left_over.checked_sub(1).ok_or(ArithExploreError::TooLarge)?;
                    let inputs = [inputs.as_slice(), own].concat();
                    let Some(b) = seen_step(&right, inputs, &b, observed, properties, depth == 0)? else {
                        continue;
                    };
                    if a.1 != b.1 {
                        return Ok((Some(depth), is_whole));
                    }
                    let pair = (a.0.clone(), b.0);
                    if !seen.contains(&pair) {
                        seen.insert(pair.clone());
                        following.push(pair);
                    }
                }
            }
        }
        layer = following;
        depth += 1;
    }
    Ok((None, is_whole))
}

/// Values of two lists.
type Pair = (Vec<Value>, Vec<Value>);

/// What follows a step, and what is seen of it; `None` where a constraint or a property does not hold.
fn seen_step(
    interpreter: &Interpreter<'_>,
    inputs: Vec<Value>,
    states: &[Value],
    observed: &[ExprId],
    properties: &[PropertyId],
    is_first: bool,
) -> Result<Option<Pair>, ArithExploreError> {
    let mut step = Step { inputs, states: states.to_vec(), free: Default::default() };
    if is_first {
        interpreter.start(&mut step, |_| true)?;
    }
    let mut frame = interpreter.frame(&step)?;
    if frame.violated_constraint(ConstraintKind::Always)?.is_some()
        || is_first && frame.violated_constraint(ConstraintKind::Initial)?.is_some()
    {
        return Ok(None);
    }
    for property in properties {
        let Some(good) = interpreter.system().invariant(*property) else { return Ok(None) };
        if frame.value(good)? != Value::bool(true) {
            return Ok(None);
        }
    }
    let mut seen = Vec::with_capacity(observed.len());
    for expr in observed {
        seen.push(frame.value(*expr)?);
    }
    let next: Option<Vec<Value>> = frame.successor_values()?.into_iter().collect();
    Ok(next.map(|next| (next, seen)))
}
