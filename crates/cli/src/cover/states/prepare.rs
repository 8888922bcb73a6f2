//! What is measured, from what the user asked for: properties and their formulas.

use crate::cover::arguments::CoverArguments;
use crate::cover::states::Manner;
use crate::cover::states::observed::{Subjects, atoms, behind, signals};
use crate::input::Complaint;
use crate::reads::is_gate;
use crate::session::Session;
use propcov_coverage::ctl::{Implication, Prepared, Request, Unobservable};
use propcov_ir::{Ctl, ExprId, PropertyId, PropertyKind, SignalId, SignalKind, System, SystemError};

/// What is to be found out.
pub(crate) struct Question<'q> {
    pub(crate) properties: &'q [PropertyId],
    /// The formula of each of them, as it is measured.
    pub(crate) formulas: Vec<Ctl>,
    pub(crate) observed: Vec<ExprId>,
    pub(crate) dont_care: &'q [ExprId],
    pub(crate) manner: Manner,
}

impl<'q> Question<'q> {
    pub(crate) fn new(
        system: &mut System,
        properties: &'q [PropertyId],
        subjects: &'q Subjects,
        manner: Manner,
    ) -> Question<'q> {
        let apart = manner.implication == Implication::Split;
        Question {
            properties,
            formulas: properties.iter().filter_map(|id| system.ctl_formula(*id, apart)).collect(),
            observed: subjects.observed.iter().map(|observed| observed.expr).collect(),
            dont_care: &subjects.dont_care,
            manner,
        }
    }

    /// The system with all that measuring needs.
    pub(crate) fn prepared(&self, system: &System) -> Result<Prepared, (usize, Unobservable)> {
        let Manner { place, semantics, flip, implication } = self.manner;
        let (properties, observed, dont_care) = (self.properties, &self.observed, self.dont_care);
        Prepared::new(
            system,
            &Request { place, semantics, flip, implication, properties, observed, dont_care },
        )
    }
}

/// Makes a design one of states alone that people have names for: gates that nobody named are written out in the properties, and inputs that properties
/// or the user read become part of the state, unless there are formulas of branching time. Returns the names of these inputs.
pub(crate) fn as_kripke_structure(
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

/// The properties that can be measured: all but those of liveness, which are left out, and that is said.
pub(crate) fn measurable(
    system: &System,
    properties: &[PropertyId],
    arguments: &CoverArguments,
    session: &mut Session,
) -> Result<Vec<PropertyId>, Complaint> {
    let is_justice = |id: &&PropertyId| matches!(system.property(**id).kind, PropertyKind::Justice(_));
    let (others, kept): (Vec<&PropertyId>, Vec<&PropertyId>) = properties.iter().partition(is_justice);
    if let [first, ..] = others[..] {
        let name = &system.property(*first).name;
        let what = match others.len() {
            1 => format!("{name} is a justice property"),
            count => format!("{name} and {} more are justice properties", count - 1),
        };
        let metric = &arguments.metric;
        if kept.is_empty() {
            let message = format!("--metric {metric} measures CTL properties and invariants, and {what}");
            return Err(Complaint(format!("error: {message}\n")));
        }
        session.remark(arguments.quiet, &format!("note: {what}, which --metric {metric} does not measure\n"));
    }
    Ok(kept.into_iter().copied().collect())
}
