//! Which element a definition belongs to. There are as many as gates, and they are asked for all the time.

use crate::{ElementId, Site};

/// No element.
const NONE: ElementId = ElementId(u32::MAX);

/// Elements by the numbers of signals and constraints.
#[derive(Clone, Debug, Default)]
pub(super) struct Sites {
    wires: Vec<ElementId>,
    next: Vec<ElementId>,
    initial: Vec<ElementId>,
    constraints: Vec<ElementId>,
}

impl Sites {
    /// Makes room for wires with such numbers.
    pub(super) fn reserve(&mut self, signals: usize) {
        self.wires.reserve(signals);
    }

    pub(super) fn get(&self, site: Site) -> Option<ElementId> {
        let (list, at) = match site {
            Site::Wire(signal) => (&self.wires, signal.0),
            Site::Next(signal) => (&self.next, signal.0),
            Site::Init(signal) => (&self.initial, signal.0),
            Site::Constraint(id) => (&self.constraints, id.0),
        };
        list.get(at as usize).copied().filter(|element| *element != NONE)
    }

    /// The element that the definition belonged to before.
    pub(super) fn insert(&mut self, site: Site, element: ElementId) -> Option<ElementId> {
        let earlier = self.get(site);
        *self.place(site) = element;
        earlier
    }

    pub(super) fn remove(&mut self, site: Site) {
        *self.place(site) = NONE;
    }

    fn place(&mut self, site: Site) -> &mut ElementId {
        let (list, at) = match site {
            Site::Wire(signal) => (&mut self.wires, signal.0 as usize),
            Site::Next(signal) => (&mut self.next, signal.0 as usize),
            Site::Init(signal) => (&mut self.initial, signal.0 as usize),
            Site::Constraint(id) => (&mut self.constraints, id.0 as usize),
        };
        if list.len() <= at {
            list.resize(at + 1, NONE);
        }
        &mut list[at]
    }
}
