//! Whether a claim means anything for a system: what the checks after this one rely on.

use crate::Rejection;
use crate::cone::{constraints, reads_choices};
use propcov_ir::{
    ConstraintKind, Ctl, Definition, Edit, Edits, ExprId, Fairness, Mutant, Mutation, Node, Proof, Property,
    PropertyId, PropertyKind, SignalId, Site, Sort, System,
};

/// Longer inductions are refused: their encoding alone would take all memory.
const LONGEST: u32 = 1 << 16;

/// Checks that the induction has a length that can be checked.
pub(crate) fn check_length(proof: &Proof) -> Result<(), Rejection> {
    match proof.k {
        0 => Err(Rejection::Malformed("induction of length 0".to_owned())),
        k if k > LONGEST => Err(Rejection::Unsupported(format!("induction of length {k}"))),
        _ => Ok(()),
    }
}

/// The expression of an invariant property.
pub(crate) fn invariant(system: &System, property: PropertyId) -> Result<ExprId, Rejection> {
    if system.properties().get(property.0 as usize).is_none() {
        return Err(Rejection::Malformed(format!("no property {}", property.0)));
    }
    let no_invariant = || Rejection::Unsupported("a property that is no invariant".to_owned());
    system.invariant(property).ok_or_else(no_invariant)
}

/// Which proofs about runs prove a property.
///
/// A run begins with inputs that satisfy initial values and constraints. A path of CTL begins in an initial state, with any inputs:
/// those that made the state initial may be others. Where initial values and constraints read no inputs that is the same. Where they do, a proof
/// of `AG p` may still say that initial states satisfy p and the lemmas, which speak of states, and that every step leads from such
/// states to such states. An induction of one step does; a longer one is about the first steps of runs only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Provable {
    /// All of them.
    ByAnyInduction,
    /// Inductions of length 1, not restricted to simple paths.
    ByOneStep,
    /// None.
    No,
}

impl Provable {
    /// For a property that is an invariant.
    pub(crate) fn of(system: &System, edits: &Edits, property: PropertyId, expr: ExprId) -> Provable {
        let is_ctl = |property: &Property| matches!(property.kind, PropertyKind::Ctl(_));
        if !system.properties().get(property.0 as usize).is_some_and(is_ctl) {
            return Provable::ByAnyInduction;
        }
        let initial = constraints(system, ConstraintKind::Initial).map(Site::Constraint);
        let sites = system.states().iter().copied().map(Site::Init).chain(initial);
        let exprs = sites.filter_map(|site| match system.definition(edits, site) {
            Definition::Expr(expr) | Definition::Inverted(expr) => Some(expr),
            Definition::Open | Definition::Const(_) => None,
        });
        if !reads_choices(system, edits, exprs) {
            Provable::ByAnyInduction
        } else if !reads_choices(system, edits, [expr]) {
            Provable::ByOneStep
        } else {
            Provable::No
        }
    }

    pub(crate) fn check(self, proof: &Proof) -> Result<(), Rejection> {
        match self {
            Provable::ByAnyInduction => Ok(()),
            Provable::ByOneStep if proof.k == 1 && !proof.simple_path => Ok(()),
            Provable::ByOneStep | Provable::No => {
                Err(Rejection::Unsupported("a proof about runs whose first inputs are restricted".to_owned()))
            }
        }
    }
}

/// Whether lemmas may read every signal of a step. What is said of runs may; a state of CTL may be left with other inputs than those that
/// a run had there.
pub(crate) fn lemmas_read_all(system: &System, properties: impl IntoIterator<Item = PropertyId>) -> bool {
    let is_of_runs =
        |property: &Property| matches!(property.kind, PropertyKind::Invariant(_) | PropertyKind::Ltl(_));
    properties
        .into_iter()
        .all(|property| system.properties().get(property.0 as usize).is_some_and(is_of_runs))
}

/// Checks that a run to a violation refutes the property. For `AG p` it does where every run goes on for ever and is fair.
pub(crate) fn check_refutable(system: &System, property: PropertyId) -> Result<(), Rejection> {
    match system.properties().get(property.0 as usize).map(|property| &property.kind) {
        Some(PropertyKind::Ctl(_)) if !system.is_unconstrained() => Err(Rejection::Unsupported(
            "a finite run against a CTL formula: it need not go on, or not fairly".to_owned(),
        )),
        _ => Ok(()),
    }
}

/// The formula of a CTL property, whose atoms depend on states alone, in a system whose fairness conditions speak of single steps.
pub(crate) fn ctl<'s>(system: &'s System, edits: &Edits, property: PropertyId) -> Result<&'s Ctl, Rejection> {
    let Some(property) = system.properties().get(property.0 as usize) else {
        return Err(Rejection::Malformed(format!("no property {}", property.0)));
    };
    let PropertyKind::Ctl(formula) = &property.kind else {
        return Err(Rejection::Unsupported("a property that is no CTL formula".to_owned()));
    };
    check_atoms(system, edits, &formula.atoms())?;
    Ok(formula)
}

/// Checks that the expressions are conditions on states alone, and fairness conditions are about single steps.
pub(crate) fn check_atoms(system: &System, edits: &Edits, atoms: &[ExprId]) -> Result<(), Rejection> {
    let conditions = system.fairness.iter().flat_map(|condition| match *condition {
        Fairness::Justice(expr) => vec![expr],
        Fairness::Compassion(premise, conclusion) => vec![premise, conclusion],
    });
    let over_next = expressions_over_next(system);
    for expr in conditions.chain(atoms.iter().copied()) {
        match over_next.get(expr.0 as usize) {
            None => return Err(Rejection::no_such_expression(expr)),
            Some(false) if *system.exprs.sort(expr) == Sort::BOOL => {}
            _ => {
                return Err(Rejection::Malformed(format!("{} is no condition on a step", system.show(expr))));
            }
        }
    }
    match atoms.iter().copied().find(|atom| reads_choices(system, edits, [*atom])) {
        None => Ok(()),
        Some(atom) => Err(Rejection::Malformed(format!(
            "the atom {} does not depend on states alone",
            system.show(atom)
        ))),
    }
}

/// Checks that the system has a meaning.
pub(crate) fn check_system(system: &System) -> Result<(), Rejection> {
    system.validate().map_err(|error| Rejection::Malformed(error.to_string()))
}

/// Checks that each edit is of an element that exists, and puts something of the right sort in its place.
pub(crate) fn check_edits(system: &System, edits: &Edits) -> Result<(), Rejection> {
    let mut reads_next = Vec::new();
    for (element, edit) in edits.iter() {
        let Some(edited) = system.elements().get(element.0 as usize) else {
            return Err(Rejection::Malformed(format!("no element {}", element.0)));
        };
        let sort = sort_at(system, edited.site)?;
        let fits = match edit {
            Edit::Free => true,
            Edit::Const(value) => value.sort() == sort,
            Edit::Invert => matches!(sort, Sort::BitVec(_)),
            Edit::Replace(expr) => {
                if reads_next.is_empty() {
                    reads_next = expressions_over_next(system);
                }
                let over_next =
                    *reads_next.get(expr.0 as usize).ok_or_else(|| Rejection::no_such_expression(*expr))?;
                *system.exprs.sort(*expr) == sort && (!over_next || is_transition(system, edited.site))
            }
        };
        if !fits {
            return Err(Rejection::Malformed(format!("the edit {edit:?} does not fit {}", edited.name)));
        }
    }
    Ok(())
}

/// Checks that the mutation of the element means something: it is one of [`System::mutants_of`].
pub(crate) fn check_mutant(system: &System, mutant: Mutant) -> Result<(), Rejection> {
    let Some(element) = system.elements().get(mutant.element.0 as usize) else {
        return Err(Rejection::Malformed(format!("no element {}", mutant.element.0)));
    };
    sort_at(system, element.site)?;
    let is_meaningful = |sort: &Sort| {
        mutant.mutation == Mutation::Free
            || mutant.mutation.constant(sort).is_some()
            || system.variant(mutant.element, mutant.mutation).is_some()
    };
    if system.mutable_sort(mutant.element).is_some_and(is_meaningful) {
        Ok(())
    } else {
        let (name, mutation) = (&element.name, mutant.mutation.name());
        Err(Rejection::Malformed(format!("{name} cannot be mutated to {mutation}")))
    }
}

fn sort_at(system: &System, site: Site) -> Result<Sort, Rejection> {
    let sort_of = |signal: SignalId| match system.signals().get(signal.0 as usize) {
        Some(signal) => Ok(signal.sort.clone()),
        None => Err(Rejection::no_such_signal(signal)),
    };
    match site {
        Site::Wire(signal) | Site::Next(signal) | Site::Init(signal) => sort_of(signal),
        Site::Constraint(_) => Ok(Sort::BOOL),
    }
}

fn is_transition(system: &System, site: Site) -> bool {
    let Site::Constraint(id) = site else { return false };
    system
        .constraints()
        .get(id.0 as usize)
        .is_some_and(|constraint| constraint.kind == ConstraintKind::Transition)
}

/// For each expression, whether it reads a next-state value.
fn expressions_over_next(system: &System) -> Vec<bool> {
    let exprs = &system.exprs;
    let mut over_next = Vec::with_capacity(exprs.len());
    for index in 0..exprs.len() {
        let expr = ExprId(index as u32);
        let here = matches!(exprs.node(expr), Node::Next(_))
            || exprs.operands(expr).any(|operand| over_next.get(operand.0 as usize) == Some(&true));
        over_next.push(here);
    }
    over_next
}
