//! Formulas of linear time that cannot be said in CTL: which mutants violate them.
//!
//! By definition, and for all mutants at once. A system remembers which mutant it is, a state (or two, for a transition) that never changes, and the propositions of the formula have other values where
//! that state is. So the fair runs of its product with the negation begin with the mutants that some run violates the formula in. What is observed in antecedents is changed like everything else: no
//! observability transformation is known for these formulas.

use super::labels::Labelling;
use super::{Place, Prepared};
use propcov_bdd::Bdd;
use propcov_budget::Budget;
use propcov_engine::liveness::Watch;
use propcov_ir::{ExprId, Ltl, Origin, PropertyKind, SignalId, Sort, System, UnknownReason};
use propcov_solve::state_bit;
use propcov_symbolic::{Evaluator, Failure, Options, Part};
use propcov_verify::FirstStep;
use rustc_hash::FxHashMap;

/// The mutants, states or pairs of states with values of parameters, that violate the formula. Most of them are none: whoever asks knows which ones are.
pub(super) fn noticed(
    prepared: &Prepared,
    observed: &Labelling,
    formula: &Ltl,
    evaluator: &Evaluator,
    budget: &Budget,
) -> Result<Bdd, Failure> {
    let mut mutants = Mutants {
        own: prepared.system.states().to_vec(),
        system: prepared.system.clone(),
        parts: Vec::new(),
        together: Vec::new(),
    };
    let is_changed = match prepared.place {
        Place::State => mutants.is_at(Part::Current),
        Place::Transition => {
            let from = mutants.is_at(Part::Current);
            let (came, has_come) = mutants.bit();
            mutants.system.set_next(came, from);
            let to = mutants.is_at(Part::Next);
            mutants.system.exprs.and(has_come, to)
        }
    };
    let changed = mutants.changed(observed, formula, is_changed);
    let name = "with other labels";
    let property = mutants.system.add_property(name, PropertyKind::Ltl(changed), None);
    let unsupported = |reason: UnknownReason| Failure::Inputs(reason.to_string());
    let product = Watch::new(&mutants.system, property).map_err(unsupported)?.violations();
    // Sets of states do not know which inputs made a state initial.
    let first_step = FirstStep::of(&product);
    let asked = first_step.as_ref().map_or(&product, |first_step| &first_step.system);
    evaluator.fair_starts(asked, &mutants.together, &mutants.parts, &Options::default(), budget)
}

/// A system that remembers which mutant it is.
struct Mutants {
    system: System,
    /// The states that it has by itself.
    own: Vec<SignalId>,
    parts: Vec<(SignalId, Part)>,
    /// What is compared, bit by bit.
    together: Vec<ExprId>,
}

impl Mutants {
    /// A Boolean state that is false in the first step.
    fn bit(&mut self) -> (SignalId, ExprId) {
        let state = self.system.add_state("came", Sort::BOOL);
        self.system.set_origin(state, Origin::Helper);
        let first = self.system.exprs.bool(false);
        self.system.set_init(state, first);
        (state, self.system.read(state))
    }

    /// A state that never changes.
    fn constant(&mut self, sort: Sort, part: Part) -> ExprId {
        let state = self.system.add_state("mutant", sort);
        self.system.set_origin(state, Origin::Helper);
        let read = self.system.read(state);
        self.system.set_next(state, read);
        self.parts.push((state, part));
        read
    }

    /// That all states are as a mutant says.
    fn is_at(&mut self, part: fn(SignalId) -> Part) -> ExprId {
        let mut same = self.system.exprs.bool(true);
        for state in self.own.clone() {
            let sort = self.system.signal(state).sort.clone();
            let now = self.system.read(state);
            let then = self.constant(sort.clone(), part(state));
            let equal = self.system.exprs.eq(now, then);
            same = self.system.exprs.and(same, equal);
            for index in 0..width(&sort) {
                let exprs = &mut self.system.exprs;
                let (one, other) =
                    (state_bit(exprs, now, &sort, index), state_bit(exprs, then, &sort, index));
                let bit = self.system.exprs.eq(one, other);
                self.together.push(bit);
            }
        }
        same
    }

    /// The formula with other propositions where labels are changed.
    fn changed(&mut self, observed: &Labelling, formula: &Ltl, is_changed: ExprId) -> Ltl {
        let mut replaced = FxHashMap::default();
        if let Some(parameter) = observed.parameter {
            let sort = self.system.signal(parameter).sort.clone();
            let input = self.system.read(parameter);
            replaced.insert(input, self.constant(sort, Part::Parameter(parameter)));
        }
        formula.with_atoms(&mut |atom| match observed.changed_atom(atom) {
            Some(changed) => {
                let changed = self.system.exprs.replaced(changed, &mut replaced);
                self.system.exprs.ite(is_changed, changed, atom)
            }
            None => atom,
        })
    }
}

/// How many bits a state has whose variables are to be neighbours.
fn width(sort: &Sort) -> u32 {
    match sort {
        Sort::BitVec(width) => *width,
        Sort::Enum(of) => of.variants.len().next_power_of_two().trailing_zeros(),
        _ => 0,
    }
}
