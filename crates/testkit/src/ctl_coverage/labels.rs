//! A formula over q and q', and the states where its atoms are true: when q' is q, and when q' has another value in one state.
//!
//! Primed atoms are expressions of a copy of the system which has q' as an input.

use super::{CoverageError, CoverageQuestion, Semantics, observability_transformation};
use crate::ExplicitCtl;
use propcov_ir::{Bits, Ctl, ExprId, ExprPool, Interpreter, Node, Sort, Step, System, Value};
use rustc_hash::FxHashMap;

/// Words of more bits are not enumerated.
const WIDTH: u32 = 12;

/// What is checked on each mutant.
pub(super) struct Labelling {
    /// The formula over the atoms of the copy.
    pub(super) formula: Ctl,
    /// The values of q by number.
    values: Vec<Value>,
    /// For each state the number of q's own value.
    own: Vec<usize>,
    /// For each atom, state and number of a value of q': whether the atom is true.
    truth: FxHashMap<ExprId, Vec<Vec<bool>>>,
}

impl Labelling {
    /// `None` when the formula is not acceptable.
    pub(super) fn new(
        system: &System,
        explicit: &ExplicitCtl<'_>,
        question: &CoverageQuestion<'_>,
    ) -> Result<Option<Labelling>, CoverageError> {
        if !explicit.holds_initially(question.formula) {
            return Err(CoverageError::Fails);
        }
        let sort = system.exprs.sort(question.observed).clone();
        let values = all_values(&sort)?;
        let mut copy = system.clone();
        let primed = copy.add_input("q'", sort);
        let primed = copy.read(primed);
        let mut prime =
            |proposition: &Ctl| prime_atoms(&mut copy.exprs, proposition, question.observed, primed);
        let formula = match question.semantics {
            Semantics::Mutation => Some(prime(question.formula)),
            Semantics::Observability => observability_transformation(question.formula, &mut prime),
        };
        let Some(formula) = formula else { return Ok(None) };
        let mut measured = Labelling { formula, values, own: Vec::new(), truth: FxHashMap::default() };
        measured.evaluate(&copy, explicit, question.observed)?;
        Ok(Some(measured))
    }

    fn evaluate(
        &mut self,
        copy: &System,
        explicit: &ExplicitCtl<'_>,
        observed: ExprId,
    ) -> Result<(), CoverageError> {
        let interpreter = Interpreter::new(copy, explicit.edits())?;
        let zero = |signal| Value::zero(&copy.signal(signal).sort);
        // Propositions depend on states only, so any inputs will do. The last one is q'.
        let inputs: Vec<Value> = copy.inputs().iter().map(|input| zero(*input)).collect();
        let free = interpreter.free_wires().iter().map(|(element, wire)| (*element, zero(*wire))).collect();
        let mut step = Step { inputs, states: Vec::new(), free };
        let mut atoms = self.formula.atoms();
        atoms.sort();
        atoms.dedup();
        for state in explicit.states() {
            step.states.clone_from(state);
            let own = interpreter.frame(&step)?.value(observed)?;
            self.own.extend(self.values.iter().position(|value| *value == own));
            let mut truth: Vec<Vec<bool>> = vec![Vec::new(); atoms.len()];
            for value in &self.values {
                step.inputs.splice(step.inputs.len() - 1.., [value.clone()]);
                let mut frame = interpreter.frame(&step)?;
                for (atom, truth) in atoms.iter().zip(&mut truth) {
                    truth.push(frame.value(*atom)? == Value::bool(true));
                }
            }
            for (atom, truth) in atoms.iter().zip(truth) {
                self.truth.entry(*atom).or_default().push(truth);
            }
        }
        Ok(())
    }

    /// The numbers of the values that q does not have in the state.
    pub(super) fn other_values(&self, state: usize) -> Vec<usize> {
        (0..self.values.len()).filter(|value| *value != self.own[state]).collect()
    }

    /// The states where an atom of the formula is true when q' is q everywhere.
    pub(super) fn unchanged(&self, atom: ExprId) -> Vec<bool> {
        self.truth[&atom].iter().zip(&self.own).map(|(truth, own)| truth[*own]).collect()
    }

    /// Whether an atom of the formula is true in the state when q' has this value there.
    pub(super) fn with_value(&self, atom: ExprId, state: usize, value: usize) -> bool {
        self.truth[&atom][state][value]
    }
}

fn all_values(sort: &Sort) -> Result<Vec<Value>, CoverageError> {
    match sort {
        Sort::BitVec(width @ ..=WIDTH) => {
            Ok((0..1 << width).map(|word| Value::Bits(Bits::from_u64(*width, word))).collect())
        }
        Sort::Enum(variants) => {
            let positions = 0..variants.variants.len() as u32;
            Ok(positions.map(|position| Value::Enum(variants.clone(), position)).collect())
        }
        _ => Err(CoverageError::Sort(sort.clone())),
    }
}

/// The formula with q' for q in each atom.
fn prime_atoms(exprs: &mut ExprPool, formula: &Ctl, observed: ExprId, primed: ExprId) -> Ctl {
    let mut part = |part: &Ctl| Box::new(prime_atoms(exprs, part, observed, primed));
    match formula {
        Ctl::Atom(expr) => Ctl::Atom(substitute(exprs, *expr, observed, primed)),
        Ctl::Not(a) => Ctl::Not(part(a)),
        Ctl::And(a, b) => Ctl::And(part(a), part(b)),
        Ctl::Or(a, b) => Ctl::Or(part(a), part(b)),
        Ctl::Next(quantifier, a) => Ctl::Next(*quantifier, part(a)),
        Ctl::Until(quantifier, a, b) => Ctl::Until(*quantifier, part(a), part(b)),
        Ctl::Release(quantifier, a, b) => Ctl::Release(*quantifier, part(a), part(b)),
    }
}

/// The expression with one node replaced wherever it occurs. The definitions of wires are not looked into.
fn substitute(exprs: &mut ExprPool, root: ExprId, from: ExprId, to: ExprId) -> ExprId {
    let mut cache = FxHashMap::from_iter([(from, to)]);
    let original = exprs.clone();
    exprs.import(&original, root, &mut cache, |exprs, node, sort| match *node {
        Node::Next(state) => exprs.next(state, sort.clone()),
        Node::Signal(signal) => exprs.signal(signal, sort.clone()),
        // Only signals are leaves.
        _ => to,
    })
}
