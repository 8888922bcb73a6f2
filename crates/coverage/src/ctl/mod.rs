//! State and transition coverage of properties of CTL and linear time: where is the value of an observed signal checked?
//!
//! A mutant is a reachable state, or a transition between such states, in which an observed signal has another value. It is noticed by a property
//! if the property, or its observability transformation, fails there. `labels` says what a mutant changes, `obligation` which
//! formulas can be walked through; `table1` (Hoskote) and `transition` (Xu) do that. What they cannot decide, `observability` and the
//! mutants of [`propcov_symbolic`] do, for all mutants at once. Formulas of linear time that say what one of CTL says are measured as that one; `linear` is for the others. `summary` counts what properties have in common.
//!
//! All of it starts from sets that checking the properties has computed: the reachable states, the fair ones, and those of each
//! subformula.
//!
//! A [`Study`] is a run from a system to records of a result. `observed` and `question` say what is measured, `verdicts` decides the properties, `rows`
//! measures each observed signal, `runs` leads into holes, `confirm` has the independent checker count again, and `record` and
//! `hole_record` fill in the result.
//!
//! Results are sets, not findings. A finding is one mutant with evidence of its own; here a mutant is a state, there may be 2¹⁰⁰ of them, and a
//! diagram has all of them at once. So the result is a pair of sets, what is *sure* and what is *possible*, and counts are
//! big integers. No evidence is kept in a run directory: none could be checked faster than the sets are computed anew.

mod asker;
mod confirm;
mod covered;
mod definitions;
mod hole_record;
mod holes;
mod labels;
mod linear;
mod measure;
mod mentions;
mod obligation;
mod observability;
mod observed;
mod question;
mod record;
mod rows;
mod runs;
mod study;
mod summary;
mod table1;
#[cfg(test)]
mod tests;
mod transition;
mod verdicts;

pub use confirm::{Certified, Judgement};
pub use covered::Covered;
pub use holes::{Holes, Wording};
pub use labels::Unobservable;
pub use measure::{Measured, Measurement, Space};
pub use mentions::reads_inputs;
pub use observed::{Named, Observed, Refusal, Subjects};
pub use question::{Manner, Question, as_kripke_structure};
pub use rows::{Counts, Part, Row, Standing};
pub use runs::HoleRun;
pub use study::{Studied, Study, Times};
pub use summary::{Contribution, Summary};

use labels::Labelling;
use obligation::Obligation;
use propcov_ir::{Ctl, ExprId, Ltl, PropertyId, PropertyKind, SignalId, System};

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The label of a state.
    State,
    /// The label of a state when it is entered by one transition.
    Transition,
}

impl Place {
    /// The metric that changes it.
    pub fn metric(self) -> &'static str {
        match self {
            Place::State => "state",
            Place::Transition => "transition",
        }
    }
}

/// When a mutant counts as noticed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Semantics {
    /// When the observability transformation of the property fails (Hoskote et al. 1999).
    #[default]
    Observability,
    /// When the property itself fails (Chockler, Kupferman and Vardi 2001).
    Mutation,
}

/// Which other values of an observed signal have to be noticed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flip {
    /// Some other value.
    #[default]
    Any,
    /// Every other value.
    All,
}

/// How a propositional implication is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Implication {
    /// As an antecedent that says where the consequent is checked.
    #[default]
    Split,
    /// As one proposition.
    Whole,
}

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// What is changed.
    pub place: Place,
    /// When that is noticed.
    pub semantics: Semantics,
    /// Which other values.
    pub flip: Flip,
    /// How implications are read.
    pub implication: Implication,
    /// By which properties. Those of CTL and of linear time and invariants can be measured.
    pub properties: &'a [PropertyId],
    /// Signals and expressions to observe.
    pub observed: &'a [ExprId],
    /// States that satisfy one of these are of no interest.
    pub dont_care: &'a [ExprId],
    /// That nothing is covered in states that satisfy one of these was waived.
    pub waived: &'a [ExprId],
}

/// A system with all expressions that measuring needs.
pub struct Prepared {
    system: System,
    place: Place,
    semantics: Semantics,
    flip: Flip,
    subjects: Vec<Subject>,
    observed: Vec<Labelling>,
    dont_care: Vec<ExprId>,
    waived: Vec<ExprId>,
    /// What holes may speak of besides states.
    definitions: Vec<(SignalId, ExprId)>,
    /// A formula that is false.
    never: Ctl,
    atoms: Vec<ExprId>,
    parameters: Vec<SignalId>,
    /// How many inputs the system has by itself.
    own_inputs: usize,
}

/// A property as it is measured.
struct Subject {
    property: PropertyId,
    formula: Formula,
    /// Its structure, if it is acceptable.
    obligation: Option<Obligation>,
}

/// What a property says.
enum Formula {
    /// In CTL.
    Branching(Ctl),
    /// What cannot be said in CTL.
    Linear(Ltl),
}

impl Formula {
    fn atoms(&self) -> Vec<ExprId> {
        match self {
            Formula::Branching(formula) => formula.atoms(),
            Formula::Linear(formula) => formula.atoms(),
        }
    }
}

impl Prepared {
    /// Prepares a system. Properties that are neither invariants nor formulas of CTL or linear time are left out.
    ///
    /// # Errors
    /// Names the position of an observed expression that has no finite number of values.
    pub fn new(system: &System, request: &Request<'_>) -> Result<Prepared, (usize, Unobservable)> {
        let own_inputs = system.inputs().len();
        let mut system = system.clone();
        let never = Ctl::constant(&mut system, false);
        let mut subjects = Vec::new();
        let split = request.implication == Implication::Split;
        for id in request.properties {
            let (formula, obligation) = match (system.ctl_formula(*id, split), &system.property(*id).kind) {
                (Some(formula), _) => {
                    let obligation = Obligation::new(&system, &formula, split);
                    (Formula::Branching(formula), obligation)
                }
                (None, PropertyKind::Ltl(formula)) => (Formula::Linear(formula.clone()), None),
                (None, _) => continue,
            };
            subjects.push(Subject { property: *id, formula, obligation });
        }
        let mut atoms: Vec<ExprId> = subjects.iter().flat_map(|subject| subject.formula.atoms()).collect();
        let definitions = definitions::mentioned(&system, &atoms);
        atoms.sort_unstable();
        atoms.dedup();
        let mut observed = Vec::with_capacity(request.observed.len());
        for (position, expr) in request.observed.iter().enumerate() {
            let prepared = Labelling::new(&mut system, *expr, &atoms);
            observed.push(prepared.map_err(|reason| (position, reason))?);
        }
        atoms.extend(observed.iter().flat_map(Labelling::atoms));
        atoms.extend(request.dont_care);
        atoms.extend(request.waived);
        atoms.extend(definitions.iter().map(|(_, read)| *read));
        atoms.extend(never.atoms());
        atoms.sort_unstable();
        atoms.dedup();
        Ok(Prepared {
            place: request.place,
            semantics: request.semantics,
            flip: request.flip,
            subjects,
            parameters: observed.iter().filter_map(|observed| observed.parameter).collect(),
            observed,
            dont_care: request.dont_care.to_vec(),
            waived: request.waived.to_vec(),
            definitions,
            never,
            atoms,
            own_inputs,
            system,
        })
    }

    /// The system, with some more inputs that nothing reads, after all its own.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// How many of the inputs the system has by itself.
    pub fn own_inputs(&self) -> usize {
        self.own_inputs
    }

    /// What a checker of the system has to be able to answer.
    pub fn subject(&self) -> propcov_symbolic::Subject<'_> {
        propcov_symbolic::Subject { atoms: &self.atoms, parameters: &self.parameters }
    }

    /// The properties that can be measured, in order.
    pub fn properties(&self) -> impl Iterator<Item = PropertyId> {
        self.subjects.iter().map(|subject| subject.property)
    }
}
