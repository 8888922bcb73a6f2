//! What is measured, from what the user asked for: a design of states alone, and the formulas of its properties.

use super::mentions::{atoms, behind, signals};
use super::observed::Subjects;
use super::{Flip, Implication, Place, Prepared, Request, Semantics, Unobservable};
use propcov_ir::{Ctl, ExprId, PropertyId, PropertyKind, SignalId, SignalKind, System, SystemError};
use propcov_verify::record::is_gate;

/// How states or transitions are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// What is changed.
    pub place: Place,
    /// When that is noticed.
    pub semantics: Semantics,
    /// Which other values.
    pub flip: Flip,
    /// How implications are read.
    pub implication: Implication,
}

/// What is to be found out.
pub struct Question<'q> {
    /// By which properties.
    pub properties: &'q [PropertyId],
    /// The formula of each of them, as it is measured, if it can be said in CTL.
    pub(super) formulas: Vec<Option<Ctl>>,
    /// Of what.
    pub subjects: &'q Subjects,
    /// How.
    pub manner: Manner,
}

impl<'q> Question<'q> {
    /// The question about a system, which gets the expressions that it needs.
    pub fn new(
        system: &mut System,
        properties: &'q [PropertyId],
        subjects: &'q Subjects,
        manner: Manner,
    ) -> Question<'q> {
        let apart = manner.implication == Implication::Split;
        let formulas = properties.iter().map(|id| system.ctl_formula(*id, apart)).collect();
        Question { properties, formulas, subjects, manner }
    }

    /// The system with all that measuring needs.
    ///
    /// # Errors
    /// Names the position of an observed expression that has no finite number of values.
    pub fn prepared(&self, system: &System) -> Result<Prepared, (usize, Unobservable)> {
        let Manner { place, semantics, flip, implication } = self.manner;
        let observed: Vec<ExprId> = self.subjects.observed.iter().map(|observed| observed.expr).collect();
        let (properties, dont_care) = (self.properties, self.subjects.dont_care.as_slice());
        let (observed, waived) = (observed.as_slice(), self.subjects.waived.as_slice());
        let request =
            Request { place, semantics, flip, implication, properties, observed, dont_care, waived };
        Prepared::new(system, &request)
    }
}

/// Makes a design one of states alone that people have names for: gates that nobody named are written out in the properties, and inputs that properties
/// or the user read become part of the state, unless there are formulas of branching time. Returns the names of these inputs.
pub fn as_kripke_structure(
    system: &mut System,
    properties: &[PropertyId],
    given: &[ExprId],
) -> Result<Vec<String>, SystemError> {
    system.write_out_in_properties(is_gate)?;
    // What a branching formula says of a state depends on whether inputs are chosen before or after.
    if properties.iter().any(|id| matches!(system.property(*id).kind, PropertyKind::Ctl(_))) {
        return Ok(Vec::new());
    }
    let mut roots = given.to_vec();
    properties.iter().for_each(|property| roots.extend(atoms(system, *property)));
    let mut inputs: Vec<SignalId> = behind(system, signals(system, &roots)).into_iter().collect();
    inputs.retain(|signal| matches!(system.signal(*signal).kind, SignalKind::Input));
    inputs.sort_unstable();
    inputs.iter().for_each(|input| system.make_state(*input));
    Ok(inputs.into_iter().map(|input| system.signal(input).name.clone()).collect())
}
