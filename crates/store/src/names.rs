//! What a system's signals, properties and mutants are called in records.

use propcov_ir::{Mutant, Mutation, PropertyId, SignalId, SignalKind, Site, Sort, System};
use rustc_hash::FxHashMap;

/// Things by name.
pub(crate) struct Names<'s> {
    system: &'s System,
    signals: FxHashMap<&'s str, SignalId>,
    properties: FxHashMap<&'s str, PropertyId>,
    /// Where each signal is among inputs, states or wires.
    positions: Vec<u32>,
}

impl<'s> Names<'s> {
    pub(crate) fn new(system: &'s System) -> Names<'s> {
        let signals = system.signals().iter().zip(0u32..);
        let properties = system.properties().iter().zip(0u32..);
        let mut positions = vec![0; system.signals().len()];
        for list in [system.inputs(), system.states(), system.wires()] {
            for (signal, position) in list.iter().zip(0u32..) {
                positions[signal.0 as usize] = position;
            }
        }
        Names {
            system,
            signals: signals.map(|(signal, id)| (signal.name.as_str(), SignalId(id))).collect(),
            properties: properties.map(|(property, id)| (property.name.as_str(), PropertyId(id))).collect(),
            positions,
        }
    }

    /// The signal of that name.
    pub(crate) fn id(&self, name: &str) -> Option<SignalId> {
        self.signals.get(name).copied()
    }

    /// The name of a signal.
    pub(crate) fn name(&self, signal: SignalId) -> &'s str {
        &self.system.signal(signal).name
    }

    /// The signal of that name, and its sort.
    pub(crate) fn signal(&self, name: &str) -> Option<(SignalId, &'s Sort)> {
        self.id(name).map(|id| (id, &self.system.signal(id).sort))
    }

    /// Where the signal of that name is in the list of all inputs, states or wires.
    pub(crate) fn position(&self, name: &str, list: &[SignalId]) -> Option<usize> {
        let id = self.id(name)?;
        let position = self.positions[id.0 as usize] as usize;
        (list.get(position) == Some(&id)).then_some(position)
    }

    /// The property of that name.
    pub(crate) fn property(&self, name: &str) -> Option<PropertyId> {
        self.properties.get(name).copied()
    }

    /// The mutant that is called by these two names, if the system has it.
    pub(crate) fn mutant(&self, kind: &str, signal: &str) -> Option<Mutant> {
        let (mutation, place) = kind.split_once(' ')?;
        let (mutation, signal) = (Mutation::named(mutation)?, self.id(signal)?);
        let site = match (place, self.system.signal(signal).kind) {
            ("wire", SignalKind::Wire { .. }) => Site::Wire(signal),
            ("next", SignalKind::State { .. }) => Site::Next(signal),
            _ => return None,
        };
        let mutant = Mutant { element: self.system.element_at(site)?, mutation };
        self.system.mutants_of(mutant.element).contains(&mutant).then_some(mutant)
    }
}

/// What a mutant is called: what is done and where, and the signal. Only definitions of wires and next values are mutated.
pub(crate) fn of_mutant(system: &System, mutant: Mutant) -> (String, String) {
    let (place, signal) = match system.element(mutant.element).site {
        Site::Wire(signal) => ("wire", signal),
        Site::Next(signal) => ("next", signal),
        Site::Init(signal) => ("init", signal),
        Site::Constraint(id) => {
            return (format!("{} constraint", mutant.mutation.name()), id.0.to_string());
        }
    };
    (format!("{} {place}", mutant.mutation.name()), system.signal(signal).name.clone())
}
