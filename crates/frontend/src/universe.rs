//! Which elements a question is about: the *universe* of validity cores and of coverage by them. All other elements always stay.
//!
//! A Lustre file says it by `--%IVC`; else it is everything but assumptions. Names after `--%IVC` are those of equations: an
//! input is refused when the file is read, as JKind does.

use crate::Design;
use propcov_ir::{Element, ElementId, ElementKind, ElementSet};
use std::collections::HashSet;

/// Which definitions are in question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Elements {
    /// Those that the file names, if it names any, else all.
    #[default]
    Default,
    /// All, whatever the file says.
    All,
    /// Those that the file names.
    Annotated,
}

/// What is in question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct UniverseOptions {
    /// Which definitions.
    pub elements: Elements,
    /// Whether assumptions are, too.
    pub assumptions: bool,
}

/// Why there is no universe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UniverseError {
    /// Annotated elements are asked for, but there are none.
    #[error("the design has no annotated elements: expected a line `--%IVC name, …;` in a Lustre file")]
    NoAnnotation,
}

/// The elements in question. Of an equation that was taken apart, all pieces are, or none.
///
/// # Errors
/// When annotated elements are asked for in a design that has no annotation.
pub fn universe(design: &Design, options: &UniverseOptions) -> Result<ElementSet, UniverseError> {
    let annotation = design.frontend.annotated.and_then(|annotated| annotated(design));
    let annotated: Option<HashSet<&str>> = match (options.elements, annotation) {
        (Elements::All, _) | (Elements::Default, None) => None,
        (Elements::Default | Elements::Annotated, Some(names)) => {
            Some(names.iter().map(String::as_str).collect())
        }
        (Elements::Annotated, None) => return Err(UniverseError::NoAnnotation),
    };
    let is_annotated = |id: ElementId, element: &Element| {
        let Some(annotated) = &annotated else { return true };
        match design.system.whole_of(id).map(|whole| &design.system.wholes()[whole.0 as usize]) {
            Some(whole) => whole.defines.iter().any(|name| annotated.contains(name.as_str())),
            None => annotated.contains(element.name.as_str()),
        }
    };
    let elements = design.system.element_ids().zip(design.system.elements());
    let chosen = elements.filter(|(id, element)| match element.kind {
        ElementKind::Assumption => options.assumptions,
        _ => is_annotated(*id, element),
    });
    Ok(chosen.map(|(id, _)| id).collect())
}
