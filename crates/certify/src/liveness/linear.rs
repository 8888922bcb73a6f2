//! Formulas of linear time on a run that repeats itself, by their definition.
//!
//! What lies in the past need not be the same each time that the loop is gone through, but soon is: where the operands of an operator repeat themselves from some
//! step on, an operator of the future does so from there, and one of the past from one time through the loop later. (`Y` and `Z` look at the step before, which then is
//! in the part that repeats. What `f S g` and `f T g` are at the end of one time through the loop is either settled there, whatever it was before, or what it was before; so it is the same after
//! the next time.) So the loop is written out once more for each nested operator of the past, and from the last copy on everything repeats itself.

use crate::Rejection;
use propcov_ir::{ExprId, Ltl};

/// The steps of a run, of which the last is followed by an earlier one.
#[derive(Clone, Copy)]
pub(super) struct Word {
    pub(super) length: usize,
    pub(super) loop_to: usize,
}

/// The most steps that are written out.
const LONGEST: usize = 1 << 22;

/// The values of an atom in each step.
pub(super) type Atoms<'a> = dyn FnMut(ExprId) -> Result<Vec<bool>, Rejection> + 'a;

impl Word {
    /// Whether the run satisfies the formula in its first step.
    pub(super) fn satisfies(self, formula: &Ltl, atoms: &mut Atoms<'_>) -> Result<bool, Rejection> {
        let period = self.length.saturating_sub(self.loop_to);
        let more = nested_past(formula).saturating_mul(period);
        if period == 0 || more > LONGEST {
            return Err(Rejection::Unsupported("a loop of this length".to_owned()));
        }
        let unrolled = Unrolled { word: self, length: self.length + more, period };
        let values = unrolled.values(formula, atoms)?;
        Ok(values.first() == Some(&true))
    }
}

/// The most operators of the past inside each other.
fn nested_past(formula: &Ltl) -> usize {
    let inside = formula.operands().map(nested_past).max().unwrap_or(0);
    let is_past =
        matches!(formula, Ltl::Previous(_) | Ltl::WeakPrevious(_) | Ltl::Since(..) | Ltl::Triggered(..));
    inside + usize::from(is_past)
}

#[derive(Clone, Copy)]
struct Unrolled {
    word: Word,
    length: usize,
    period: usize,
}

impl Unrolled {
    /// The value of a formula in each step.
    fn values(self, formula: &Ltl, atoms: &mut Atoms<'_>) -> Result<Vec<bool>, Rejection> {
        let mut operands = Vec::new();
        for operand in formula.operands() {
            operands.push(self.values(operand, atoms)?);
        }
        let values = match (formula, &operands[..]) {
            (Ltl::Atom(expr), _) => {
                let values = atoms(*expr)?;
                let step = |at: usize| match at < self.word.length {
                    true => at,
                    false => self.word.loop_to + (at - self.word.loop_to) % self.period,
                };
                (0..self.length).map(|at| values[step(at)]).collect()
            }
            (Ltl::Not(_), [a]) => a.iter().map(|a| !a).collect(),
            (Ltl::And(..), [a, b]) => a.iter().zip(b).map(|(a, b)| *a && *b).collect(),
            (Ltl::Or(..), [a, b]) => a.iter().zip(b).map(|(a, b)| *a || *b).collect(),
            (Ltl::Next(_), [a]) => (0..self.length).map(|at| a[self.after(at)]).collect(),
            (Ltl::Until(..), [a, b]) => self.future(false, |at, later| b[at] || a[at] && later),
            (Ltl::Release(..), [a, b]) => self.future(true, |at, later| b[at] && (a[at] || later)),
            (Ltl::Previous(_), [a]) => (0..self.length).map(|at| at > 0 && a[at - 1]).collect(),
            (Ltl::WeakPrevious(_), [a]) => (0..self.length).map(|at| at == 0 || a[at - 1]).collect(),
            (Ltl::Since(..), [a, b]) => self.past(false, |at, before| b[at] || a[at] && before),
            (Ltl::Triggered(..), [a, b]) => self.past(true, |at, before| b[at] && (a[at] || before)),
            _ => return Err(Rejection::Malformed("an operator without operands".to_owned())),
        };
        Ok(values)
    }

    /// The step that follows.
    fn after(self, at: usize) -> usize {
        if at + 1 < self.length { at + 1 } else { self.length - self.period }
    }

    /// What a step is, given what the next is; `limit` is what it is where that goes round for ever.
    fn future(self, limit: bool, is: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![limit; self.length];
        // Twice through the loop: what is not settled the first time goes round for ever.
        for at in (self.length - self.period..self.length).rev().chain((0..self.length).rev()) {
            values[at] = is(at, values[self.after(at)]);
        }
        values
    }

    /// What a step is, given what the one before was.
    fn past(self, first: bool, is: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut before = first;
        (0..self.length)
            .map(|at| {
                before = is(at, before);
                before
            })
            .collect()
    }
}
