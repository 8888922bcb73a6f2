//! From the command line to what is asked about: the design, the properties that have cores, and the elements in question.

use crate::cores::arguments::{ElementsChoice, GranularityChoice, ScopeArguments};
use crate::input::{self, Complaint, Input};
use crate::session::Session;
use propcov_frontend::{Elements, Granularity, Operators, Options, UniverseOptions, universe};
use propcov_ir::{ElementSet, PropertyId, System};
use std::path::Path;

/// The most properties that are named in a message.
const NAMED: usize = 8;

/// What is asked about.
pub(crate) struct Subject {
    pub(crate) input: Input,
    /// The properties, in the order of the design.
    pub(crate) properties: Vec<PropertyId>,
    /// The elements in question. All others are always kept.
    pub(crate) universe: ElementSet,
}

/// What the user said about it.
pub(crate) struct Wanted<'w> {
    pub(crate) file: &'w Path,
    pub(crate) properties: &'w [String],
    pub(crate) elements: Option<ElementsChoice>,
    pub(crate) scope: &'w ScopeArguments,
    pub(crate) quiet: bool,
}

impl Subject {
    pub(crate) fn system(&self) -> &System {
        &self.input.design.system
    }
}

/// Reads the design, and finds what was named. From here on, a CTL property `AG p` is the invariant p.
pub(crate) fn prepare(wanted: &Wanted<'_>, session: &mut Session) -> Result<Subject, Complaint> {
    let granularity = match wanted.scope.granularity {
        None | Some(GranularityChoice::Equation) => Granularity::Equation,
        Some(GranularityChoice::Operator) => Granularity::Operator,
    };
    let options = Options { granularity };
    let (mut input, _) = input::read_as(wanted.file, &[], &options, session)?;
    let selected = input::select_properties(&input.design.system, wanted.properties)?;
    input.strengthened = input.design.system.strengthen_to_invariants();
    let properties = with_cores(&input.design.system, &selected, wanted.quiet, session)?;
    session.remark(wanted.quiet, &input::warnings(&input.design));
    if granularity == Granularity::Operator && matches!(input.design.frontend.operators, Operators::Always) {
        let note = "note: each node is an element already: --granularity operator changes nothing here\n";
        session.remark(wanted.quiet, note);
    }
    let elements = match wanted.elements {
        None => Elements::Default,
        Some(ElementsChoice::All) => Elements::All,
        Some(ElementsChoice::Annotated) => Elements::Annotated,
    };
    let options = UniverseOptions { elements, assumptions: wanted.scope.assumptions };
    let universe = universe(&input.design, &options)
        .map_err(|error| Complaint(format!("error: {}: {error}\n", input.path)))?;
    Ok(Subject { input, properties, universe })
}

/// The properties that have cores: invariants. The others are left out, which is said.
fn with_cores(
    system: &System,
    properties: &[PropertyId],
    quiet: bool,
    session: &mut Session,
) -> Result<Vec<PropertyId>, Complaint> {
    let (kept, others): (Vec<PropertyId>, Vec<PropertyId>) =
        properties.iter().partition(|id| system.invariant(**id).is_some());
    if others.is_empty() {
        return Ok(kept);
    }
    let names = others.iter().take(NAMED).map(|id| system.property(*id).name.as_str());
    let names = names.collect::<Vec<_>>().join(", ");
    let more = match others.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let are = if others.len() == 1 { "is" } else { "are" };
    let what = format!("invariants have cores, and {names}{more} {are} none");
    if kept.is_empty() {
        let hint = "of CTL properties, `AG p` is one if p has no path quantifier in it";
        return Err(Complaint(format!("error: {what}; {hint}\n")));
    }
    session.remark(quiet, &format!("note: {what}: left out\n"));
    Ok(kept)
}
