//! Words taken apart, so that they can be mutated bit by bit.
//!
//! The definition of a word becomes the concatenation of one wire for each of its bits, and each of those wires an element
//! of its own. Freeing such an element leaves one bit of the word open, and of a register one bit of its next value.
//! Nothing else changes: whoever reads the word reads the same value.

use super::System;
use super::names::Kind;
use super::sites::Sites;
use crate::{
    BinaryOp, Element, ElementId, ElementSet, Execution, ExprId, Origin, Parent, Signal, SignalId,
    SignalKind, Site, Sort, Whole,
};
use rustc_hash::FxHashMap;

/// A system whose words are taken apart; see [`System::split_bits`].
#[derive(Clone, Debug)]
pub struct Split {
    /// The system.
    pub system: System,
    /// For each of its elements, in order of their ids, the one of the system before that it is or is a bit of.
    pub origin: Vec<SplitOrigin>,
}

/// Where an element of a system with split words comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SplitOrigin {
    /// The element of the system before.
    pub element: ElementId,
    /// Which bit of it, counting from the least significant; `None` for the whole.
    pub bit: Option<u32>,
}

impl System {
    /// The same system, with each of the elements that defines a word of more than one bit replaced by one element for each of
    /// the bits: `name[0]`, `name[1]` and so on, or that with a suffix where the name is taken. Elements that cannot be
    /// mutated and those that define a single bit, an array or anything else that is no word stay as they are. A word
    /// becomes the [whole](Whole) that its bits are parts of, and an alias of it an alias of each bit: `alias[0]`.
    ///
    /// Signals, properties, constraints, outputs and all else keep their ids; new wires come last. Elements keep their order, each
    /// split one making room for its bits, the least significant first.
    pub fn split_bits(&self, elements: &ElementSet) -> Split {
        let mut split = Split { system: self.clone(), origin: Vec::with_capacity(self.elements.len()) };
        // The width and the definition of what is to be split.
        let word = |id: ElementId| match (self.mutable_sort(id), self.element(id).site) {
            (Some(Sort::BitVec(width)), Site::Wire(signal) | Site::Next(signal))
                if *width > 1 && elements.contains(id) =>
            {
                Some((*width, signal, self.defining_expr(signal)?))
            }
            _ => None,
        };
        let system = &mut split.system;
        system.elements.clear();
        system.element_of = Sites::default();
        // Names that stay come first: only new ones get suffixes.
        system.names.free_all(Kind::Element);
        for id in self.element_ids().filter(|id| word(*id).is_none()) {
            system.names.take(Kind::Element, &self.element(id).name);
        }
        // What has become of each element.
        let mut now = Vec::with_capacity(self.elements.len());
        for id in self.element_ids() {
            let element = self.element(id);
            let Some((width, signal, definition)) = word(id) else {
                now.push(Parent::Element(ElementId(split.origin.len() as u32)));
                split.push(element.clone(), SplitOrigin { element: id, bit: None });
                continue;
            };
            let whole = Parent::Whole(split.system.add_whole(Whole {
                name: element.name.clone(),
                kind: element.kind,
                defines: vec![self.signal(signal).name.clone()],
                scope: element.scope.clone(),
                spans: element.spans.clone(),
                parent: element.parent,
            }));
            now.push(whole);
            let wires = split.system.split_definition(&element.name, width, signal, definition);
            for (bit, wire) in (0u32..).zip(wires) {
                let name = split.system.names.unique(Kind::Element, format!("{}[{bit}]", element.name));
                let origin = SplitOrigin { element: id, bit: Some(bit) };
                let (site, parent) = (Site::Wire(wire), Some(whole));
                split.push(Element { name, site, parent, ..element.clone() }, origin);
            }
        }
        split.renew_parents(&now);
        split.renew_executions(self);
        split
    }

    /// Makes a wire for each bit of the definition, the least significant first, and the signal what they make up.
    fn split_definition(
        &mut self,
        name: &str,
        width: u32,
        signal: SignalId,
        definition: ExprId,
    ) -> Vec<SignalId> {
        let mut wires = Vec::with_capacity(width as usize);
        let mut word = None;
        for bit in 0..width {
            let value = self.exprs.bit(definition, bit);
            let wire = self.add_wire(format!("{name}[{bit}]"), value);
            self.set_origin(wire, Origin::Helper);
            for alias in self.signal(signal).aliases.clone() {
                self.add_alias(wire, format!("{alias}[{bit}]"));
            }
            let read = self.read(wire);
            word = Some(word.map_or(read, |lower| self.exprs.apply(BinaryOp::Concat, read, lower)));
            wires.push(wire);
        }
        match (&mut self.signals[signal.0 as usize].kind, word) {
            (SignalKind::Wire { definition }, Some(word)) => *definition = word,
            (SignalKind::State { next, .. }, word) => *next = word,
            (SignalKind::Wire { .. } | SignalKind::Input, _) => {}
        }
        wires
    }

    /// What a wire is, or a state becomes.
    fn defining_expr(&self, signal: SignalId) -> Option<ExprId> {
        match self.signals.get(signal.0 as usize)? {
            Signal { kind: SignalKind::Wire { definition }, .. } => Some(*definition),
            Signal { kind: SignalKind::State { next, .. }, .. } => *next,
            Signal { kind: SignalKind::Input, .. } => None,
        }
    }
}

impl Split {
    /// What was a part of an element is a part of what has become of that.
    fn renew_parents(&mut self, now: &[Parent]) {
        let renew = |parent: &mut Option<Parent>| {
            if let Some(Parent::Element(before)) = *parent {
                *parent = now.get(before.0 as usize).copied();
            }
        };
        // The parents of bits are new already, and no elements.
        self.system.elements.iter_mut().for_each(|element| renew(&mut element.parent));
        self.system.wholes.iter_mut().for_each(|whole| renew(&mut whole.parent));
    }

    /// The bits of a word are executed when the word is.
    fn renew_executions(&mut self, before: &System) {
        let mut of_element: FxHashMap<ElementId, Vec<Execution>> = FxHashMap::default();
        for execution in &before.executions {
            of_element.entry(execution.element).or_default().push(*execution);
        }
        self.system.executions.clear();
        for (element, origin) in (0..).map(ElementId).zip(&self.origin) {
            let known = of_element.get(&origin.element).into_iter().flatten();
            self.system.executions.extend(known.map(|execution| Execution { element, ..*execution }));
        }
    }

    fn push(&mut self, element: Element, origin: SplitOrigin) {
        self.system.element_of.insert(element.site, ElementId(self.system.elements.len() as u32));
        self.system.elements.push(element);
        self.origin.push(origin);
    }
}
