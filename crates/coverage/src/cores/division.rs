//! The search for all minimal cores of one property, divided between several who cannot talk to each other.
//!
//! What has to be found out is whether each set of elements is adequate. Let K be a core that all of them know. A set that has all of K is adequate, and nobody need look at it. Every other one lacks some elements of K:
//! *it belongs to whoever has the first element of K that it lacks*, in an order that all agree on. So the sets are divided without a rest and without overlaps, and whoever has explored those that are his own is done;
//! once all have, the evidence of all of them together leaves nothing unexplored, which the one who unites it can see in the map without asking anything.
//!
//! - Inadequate sets are divided evenly: a maximal one is found by one of them. Elements that every core has take one question, by one of them.
//! - A minimal core can be found by all who look at sets that contain it. This is what the division costs; evidence that is exchanged before the next round saves it.
//! - More than K has elements that some other core lacks cannot take part.
//!
//! If they start from different cores, nothing that they say is wrong, but something may be left for the next round.

use propcov_ir::{ElementId, ElementSet, PropertyId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Which of the questions about cores are asked here.
#[derive(Clone, Debug, Default)]
pub enum Part {
    /// All of them.
    #[default]
    Everything,
    /// Those about some sets: of each property, in the order that all agree on, the elements with whether they belong to us. Algorithms that users name, and goals other than all cores, are not divided.
    Region(Arc<BTreeMap<PropertyId, Region>>),
    /// None: only evidence of others counts.
    Nothing,
}

/// All elements in question in the order that all agree on, each with whether it belongs to us.
pub type Region = Vec<(ElementId, bool)>;

/// What a search does of its work.
#[derive(Clone, Debug, Default)]
pub enum Task {
    /// Everything.
    #[default]
    Everything,
    /// What belongs to us.
    Region(Region),
    /// Nothing is asked: what follows from the start is all that is found.
    Nothing,
}

impl Part {
    /// Whether nothing new is to be found out.
    pub(super) fn is_nothing(&self) -> bool {
        matches!(self, Part::Nothing)
    }

    /// What is to be done about a property.
    pub(super) fn task(&self, property: PropertyId) -> Task {
        match self {
            Part::Everything => Task::Everything,
            Part::Nothing => Task::Nothing,
            Part::Region(regions) => regions.get(&property).cloned().map_or(Task::Everything, Task::Region),
        }
    }
}

/// The elements that belong to us.
pub(super) fn own(region: &Region) -> ElementSet {
    region.iter().filter(|(_, is_own)| *is_own).map(|(element, _)| *element).collect()
}
