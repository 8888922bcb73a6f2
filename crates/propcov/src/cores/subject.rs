//! What is asked about: the properties that have cores, and the elements in question.

use crate::cores::CoresOptions;
use crate::cover::elements::select_among;
use crate::cover::scene::Measurable;
use crate::read::names_of;
use crate::{Design, Error};
use propcov_frontend::{Granularity, Operators, UniverseOptions, universe};
use propcov_ir::{ElementSet, PropertyId};
use propcov_result::{Note, NoteKind};

/// What is asked about.
pub(crate) struct Subject<'d> {
    /// The system in which a CTL property `AG p` is the invariant p: slices of it may have runs that do not go on.
    pub(crate) measurable: Measurable<'d>,
    /// The properties that have cores, in the order of the design: invariants, and of CTL `AG p`.
    pub(crate) properties: Vec<PropertyId>,
    /// The others.
    skipped: Vec<PropertyId>,
    /// The elements in question. All others are always kept.
    pub(crate) universe: ElementSet,
}

impl<'d> Subject<'d> {
    /// Finds what was named.
    pub(crate) fn new(design: &'d Design, options: &CoresOptions) -> Result<Subject<'d>, Error> {
        let selected = design.select_assertions(&options.properties)?;
        let measurable = Measurable::new(design, false);
        let system = &measurable.system;
        let (properties, skipped): (Vec<PropertyId>, Vec<PropertyId>) =
            selected.iter().partition(|id| system.invariant(**id).is_some());
        if properties.is_empty() && !skipped.is_empty() {
            return Err(Error::Usage(format!(
                "only invariants have cores, and there is none among {}; of CTL properties, `AG p` is one if p has no path \
                 quantifier in it",
                names_of(system, &skipped)
            )));
        }
        let wanted = UniverseOptions { elements: options.elements, assumptions: options.assumptions };
        let universe = universe(&design.design, &wanted)
            .map_err(|error| Error::Usage(format!("{}: {error}", design.name())))?;
        let (all, exclude) = (["all".to_owned()], &options.exclude);
        let only = if options.only.is_empty() { &all[..] } else { &options.only };
        let universe = match options.only.is_empty() && exclude.is_empty() {
            true => universe,
            false => select_among(system, universe.iter().collect(), only, exclude)?.into_iter().collect(),
        };
        Ok(Subject { measurable, properties, skipped, universe })
    }

    /// What the user should know about the choice, and what the front end had to say.
    pub(crate) fn notes(&self, design: &Design) -> Vec<Note> {
        let mut notes = design.warnings_of_measuring();
        let mut note = |text: String| notes.push(Note { kind: NoteKind::Note, text, place: None });
        if !self.skipped.is_empty() {
            let what = match self.skipped.len() {
                1 => "1 property is not an invariant".to_owned(),
                several => format!("{several} properties are not invariants"),
            };
            note(format!("{what}, skipped: {}", names_of(design.system(), &self.skipped)));
        }
        let is_operator = design.granularity == Granularity::Operator;
        if is_operator && matches!(design.design.frontend.operators, Operators::Always) {
            note("each node is an element already: --granularity operator changes nothing here".to_owned());
        }
        notes
    }
}
