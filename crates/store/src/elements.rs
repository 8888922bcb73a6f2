//! Sets of elements as records, and back.
//!
//! The elements in question are thousands where each gate is one, and many sets of them are written. So all that are in question are written once, each by the site of its definition, and a set by
//! their numbers.

use crate::names::Names;
use crate::proofs::ranges;
use crate::record::{Elements, Id};
use propcov_ir::{Digest, ElementId, ElementSet, Meanings, SignalKind, Site, System};
use rustc_hash::FxHashMap;

/// What the sites of elements are called. Constraints need not have names: they are called by what they mean.
pub(crate) struct Sites<'s> {
    system: &'s System,
    /// Constraints by meaning: those that mean the same are told apart by their order.
    constraints: FxHashMap<Digest, Vec<ElementId>>,
    names: FxHashMap<ElementId, String>,
}

impl<'s> Sites<'s> {
    pub(crate) fn new(system: &'s System, meanings: &Meanings) -> Sites<'s> {
        let mut constraints: FxHashMap<Digest, Vec<ElementId>> = FxHashMap::default();
        let mut names = FxHashMap::default();
        for element in system.element_ids() {
            let site = system.element(element).site;
            if let Site::Constraint(_) = site {
                let meaning = meanings.site(system, site);
                let same = constraints.entry(meaning).or_default();
                let name = match same.len() {
                    0 => format!("constraint {meaning}"),
                    count => format!("constraint {meaning} {count}"),
                };
                names.insert(element, name);
                same.push(element);
            }
        }
        Sites { system, constraints, names }
    }

    /// What an element is called.
    fn name(&self, element: ElementId) -> String {
        let (kind, signal) = match self.system.element(element).site {
            Site::Wire(signal) => ("wire", signal),
            Site::Next(signal) => ("next", signal),
            Site::Init(signal) => ("init", signal),
            Site::Constraint(_) => return self.names.get(&element).cloned().unwrap_or_default(),
        };
        format!("{kind} {}", self.system.signal(signal).name)
    }

    /// The element that is called so.
    pub(crate) fn element(&self, names: &Names<'_>, name: &str) -> Option<ElementId> {
        let (kind, name) = name.split_once(' ')?;
        if kind == "constraint" {
            let (meaning, which) = name.split_once(' ').unwrap_or((name, "0"));
            let same = self.constraints.get(&meaning.parse().ok()?)?;
            return same.get(which.parse::<usize>().ok()?).copied();
        }
        let signal = names.id(name)?;
        let site = match (kind, self.system.signal(signal).kind) {
            ("wire", SignalKind::Wire { .. }) => Site::Wire(signal),
            ("next", SignalKind::State { .. }) => Site::Next(signal),
            ("init", SignalKind::State { .. }) => Site::Init(signal),
            _ => return None,
        };
        self.system.element_at(site)
    }

    /// The record of these elements.
    pub(crate) fn write(&self, universe: &ElementSet) -> Elements {
        let sites: Vec<String> = universe.iter().map(|element| self.name(element)).collect();
        let mut elements = Elements { id: Id(Digest::of(b"")), sites };
        elements.id = content(&elements);
        elements
    }
}

/// The name that follows from what a record says.
pub(crate) fn content(elements: &Elements) -> Id {
    Id(Digest::of(&serde_json::to_vec(&elements.sites).unwrap_or_default()))
}

/// The numbers of the elements of a set among all that are in question.
pub(crate) fn numbers(universe: &ElementSet, set: &ElementSet) -> Vec<(usize, usize)> {
    let numbered = universe.iter().enumerate().filter(|(_, element)| set.contains(*element));
    ranges(numbered.map(|(number, _)| number))
}

/// The elements with these numbers, as far as the system has them; `None` if there are no such numbers.
pub(crate) fn with_numbers(elements: &[Option<ElementId>], ranges: &[(usize, usize)]) -> Option<ElementSet> {
    let (mut set, mut next) = (ElementSet::new(), 0);
    for (first, last) in ranges {
        // They were written in order, so none is there twice.
        let end = last.checked_add(1).filter(|_| *first >= next)?;
        for element in elements.get(*first..end)?.iter().flatten() {
            set.insert(*element);
        }
        next = end;
    }
    Some(set)
}
