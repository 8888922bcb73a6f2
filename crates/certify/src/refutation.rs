//! That no run of so many transitions violates a property, as a formula and a refutation of it that other tools can check.
//!
//! The formula says: these are the first steps of a run of the design, or of one of the mutants, from an initial state, and in one of them the
//! property does not hold, though all constraints hold as far as that. A run that violates it need not go on. The formula is written by this crate's
//! own encoder, for all mutants at once as in [`Family`](crate::Family): exactly one of the selectors is true, or none, if there are no mutants.

use crate::cone::constraints;
use crate::encode::{Gates, Selectors, Start, Steps, Unrolling};
use crate::family::mutations_of;
use crate::{Rejection, meaning};
use propcov_budget::Budget;
use propcov_ir::{ConstraintKind, Edits, ExprPool, Mutant, PropertyId, System};
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Var};
use std::rc::Rc;

/// A formula that says that a property fails early, and why it is unsatisfiable.
#[derive(Clone, Debug)]
pub struct Refuted {
    /// In DIMACS, without comments.
    pub formula: String,
    /// In LRAT.
    pub proof: String,
    /// The mutants whose selectors are in the formula, and the variables of these, counted from 1. On others the formula does not depend.
    pub selectors: Vec<(Mutant, u32)>,
}

/// Refutes that some run of so many transitions violates the property on one of the mutants; on the design as written, if there are none.
///
/// # Errors
/// When it is not so, or within the limits nobody knows, or no refutation can be written.
pub fn refute_bound(
    system: &System,
    property: PropertyId,
    mutants: &[Mutant],
    depth: u32,
    limits: &Budget,
) -> Result<Refuted, Rejection> {
    meaning::check_system(system)?;
    let expr = meaning::invariant(system, property)?;
    let (edits, nothing) = (Edits::none(), ExprPool::default());
    let gates = Gates::over(Cadical::with_tracing(CadicalConfig::default()));
    let selectors = Selectors::new(Rc::new(mutations_of(system, mutants)?));
    let mut steps = Steps::over(gates, system, &edits, selectors, Start::Initial);
    let mut unrolling = Unrolling::new(&mut steps, &nothing, limits);
    let mut violated: Vec<Lit> = Vec::new();
    // All constraints so far.
    let mut constrained = constraint(&mut unrolling, system, ConstraintKind::Initial, 0)?;
    for step in 0..=depth {
        if let Some(before) = step.checked_sub(1) {
            let transition = constraint(&mut unrolling, system, ConstraintKind::Transition, before)?;
            constrained = unrolling.gates().and(constrained, transition);
        }
        let always = constraint(&mut unrolling, system, ConstraintKind::Always, step)?;
        constrained = unrolling.gates().and(constrained, always);
        let holds = unrolling.condition(step, expr)?;
        violated.push(unrolling.gates().and(constrained, !holds));
    }
    let Steps { mut gates, mut selectors, .. } = steps;
    gates.clause(&violated);
    selectors.exclude_each_other(&mut gates);
    if let Some(selection) = selectors.select(&mut gates, mutants).assumption {
        gates.clause(&[selection]);
    }
    match gates.solve(&[], limits) {
        Outcome::Unsat => {}
        Outcome::Sat => return Err(Rejection::Malformed("some run violates the property".to_owned())),
        Outcome::Unknown => return Err(Rejection::Undecided),
    }
    let written = gates.solver.lrat();
    let written =
        written.map_err(|error| Rejection::Unsupported(format!("a refutation of this kind ({error:?})")))?;
    let selector = |mutant: &Mutant| {
        let Var(number) = selectors.selector(*mutant)?.var();
        Some((*mutant, number + 1))
    };
    Ok(Refuted {
        formula: written.formula,
        proof: written.proof,
        selectors: mutants.iter().filter_map(selector).collect(),
    })
}

/// All constraints of a kind in a step.
fn constraint(
    unrolling: &mut Unrolling<'_, '_>,
    system: &System,
    kind: ConstraintKind,
    step: u32,
) -> Result<Lit, Rejection> {
    let mut literals = Vec::new();
    for id in constraints(system, kind) {
        literals.extend(unrolling.constraint(step, id)?);
    }
    Ok(unrolling.gates().and_all(&literals))
}
