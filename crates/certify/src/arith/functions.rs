//! Functions of which nothing is known, as Lustre's.
//!
//! A function is an array whose indices or elements are infinitely many, nested for several arguments. An array of which nothing is known is a new
//! function. A state that keeps its value from step to step is the same one in all of them, which needs no rule: its next value is itself.
//! Reading yields a new value for each list of arguments, and for each earlier list: where the arguments are equal, the values are.

use super::terms::{Term, Terms};
use crate::Rejection;
use crate::encode::Encoding;
use propcov_ir::{ArraySort, BinaryOp, Sort};
use propcov_sat::Lit;
use std::rc::Rc;
use std::sync::Arc;

/// A function, applied to some of its arguments.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// Its position in [`Functions`].
    name: usize,
    arguments: Rc<[Term]>,
    /// What is left.
    sort: Arc<ArraySort>,
}

/// An application to all arguments, and its value.
type Application = (Rc<[Term]>, Term);

/// All functions, with their applications so far.
#[derive(Default)]
pub(super) struct Functions {
    applications: Vec<Vec<Application>>,
}

impl Function {
    pub(super) fn sort(&self) -> Sort {
        Sort::Array(Arc::clone(&self.sort))
    }

    /// Whether this is the same function, applied to the same arguments.
    pub(super) fn is(&self, other: &Function) -> bool {
        self.name == other.name && are(&self.arguments, &other.arguments)
    }
}

fn are(some: &[Term], others: &[Term]) -> bool {
    some.len() == others.len() && some.iter().zip(others).all(|(a, b)| a.is(b))
}

impl Functions {
    /// A function of which nothing is known.
    pub(super) fn fresh(&mut self, sort: &Arc<ArraySort>) -> Function {
        self.applications.push(Vec::new());
        Function { name: self.applications.len() - 1, arguments: Rc::from([]), sort: Arc::clone(sort) }
    }
}

impl Terms {
    /// A function applied to one more argument.
    pub(super) fn apply(&mut self, function: &Function, argument: &Term) -> Result<Term, Rejection> {
        if function.sort.index != argument.sort() {
            return Err(Rejection::operands(BinaryOp::Read));
        }
        let arguments: Rc<[Term]> = function.arguments.iter().chain([argument]).cloned().collect();
        if let Sort::Array(rest) = &function.sort.element {
            return Ok(Term::Function(Function { name: function.name, arguments, sort: Arc::clone(rest) }));
        }
        let earlier = self.functions.applications[function.name].clone();
        if let Some((_, value)) = earlier.iter().find(|(others, _)| are(others, &arguments)) {
            return Ok(value.clone());
        }
        let value = self.fresh_word(&function.sort.element)?;
        for (others, known) in &earlier {
            self.require_agreement(&arguments, &value, others, known)?;
        }
        self.functions.applications[function.name].push((arguments, value.clone()));
        Ok(value)
    }

    /// Where the arguments are equal, the values are.
    fn require_agreement(
        &mut self,
        arguments: &[Term],
        value: &Term,
        others: &[Term],
        known: &Term,
    ) -> Result<(), Rejection> {
        let mut excuses: Vec<Lit> = Vec::with_capacity(arguments.len() + 1);
        let never = self.gates.constant(false);
        for (a, b) in arguments.iter().zip(others) {
            match self.equal_words(a, b)? {
                equal if equal == never => return Ok(()),
                equal => excuses.push(!equal),
            }
        }
        if let (Term::Number(_, value), Term::Number(_, known)) = (value, known) {
            self.require_equal(&excuses, value, known);
        } else {
            excuses.push(self.equal_words(value, known)?);
            self.gates.clause(&excuses);
        }
        Ok(())
    }
}
