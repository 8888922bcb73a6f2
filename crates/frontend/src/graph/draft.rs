//! A graph in the making, with the places of its parts, and the checks that all formats share.

use super::{GraphOptions, labels::Said};
use crate::{
    InputError,
    extra::did_you_mean,
    text::{Input, quote},
};
use propcov_ir::{Graph, GraphBuilder, Label};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Labels take a byte each, for each proposition in each state. A file of a few megabytes could ask for more than there is.
const MOST_LABELS: usize = 1 << 30;

/// A graph in the making.
pub(super) struct Draft<'a> {
    input: Input<'a>,
    /// Where the labels are: another file for some formats.
    label_input: Input<'a>,
    propositions: Vec<String>,
    numbers: FxHashMap<String, u32>,
    /// Whether the file lists its propositions, so that there are no others.
    declared: bool,
    /// What holds for a proposition about which a state says nothing.
    pub(super) unlabelled: Label,
    states: Vec<(String, Range<usize>)>,
    said: Vec<(u32, u32, Label, Range<usize>)>,
    initial: Vec<u32>,
    transitions: Vec<(u32, u32)>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(input: Input<'a>, label_input: Input<'a>) -> Draft<'a> {
        Draft {
            input,
            label_input,
            propositions: Vec::new(),
            numbers: FxHashMap::default(),
            declared: false,
            unlabelled: Label::False,
            states: Vec::new(),
            said: Vec::new(),
            initial: Vec::new(),
            transitions: Vec::new(),
        }
    }

    /// From now on there are only those propositions that are declared.
    pub(super) fn declare_all(&mut self) {
        self.declared = true;
    }

    /// A proposition of the list.
    pub(super) fn declare(&mut self, name: &str, place: Range<usize>) -> Result<(), InputError> {
        if self.numbers.contains_key(name) {
            let message = format!("duplicate proposition: {} is declared already", quote(name.as_bytes()));
            return Err(self.label_input.error(place, message));
        }
        self.add_proposition(name);
        Ok(())
    }

    fn add_proposition(&mut self, name: &str) -> u32 {
        let number = self.propositions.len() as u32;
        self.propositions.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// One more state, and where the file has it first.
    pub(super) fn add_state(
        &mut self,
        name: impl Into<String>,
        place: Range<usize>,
    ) -> Result<u32, InputError> {
        let Ok(number) = u32::try_from(self.states.len()) else {
            return Err(self.input.error(place, "expected at most 4294967295 states"));
        };
        self.states.push((name.into(), place));
        Ok(number)
    }

    /// What a state says about a proposition.
    pub(super) fn say(&mut self, state: u32, said: Said) -> Result<(), InputError> {
        let number = match self.numbers.get(&said.name) {
            Some(number) => *number,
            None if self.declared => {
                let near = did_you_mean(&said.name, self.propositions.iter().map(String::as_str));
                let name = quote(said.name.as_bytes());
                let message =
                    format!("unknown label: expected one of the declared propositions, found {name}{near}");
                return Err(self.label_input.error(said.place, message));
            }
            None => self.add_proposition(&said.name),
        };
        self.said.push((state, number, said.label, said.place));
        Ok(())
    }

    pub(super) fn set_initial(&mut self, state: u32) {
        self.initial.push(state);
    }

    pub(super) fn add_transition(&mut self, from: u32, to: u32) {
        self.transitions.push((from, to));
    }

    /// The graph, if it is one. What is said where no state is initial depends on the format.
    pub(super) fn finish(
        self,
        options: &GraphOptions,
        no_initial_state: impl FnOnce() -> InputError,
    ) -> Result<Graph, InputError> {
        if self.states.is_empty() {
            return Err(self.input.error(0..0, "expected at least one state, found none"));
        }
        if self.initial.is_empty() {
            return Err(no_initial_state());
        }
        let labels = self.labels()?;
        let width = self.propositions.len();
        let mut builder = GraphBuilder::new(self.propositions);
        let mut places = Vec::with_capacity(self.states.len());
        for (name, place) in self.states {
            builder.add_state(name, self.unlabelled);
            places.push(place);
        }
        for (at, label) in labels.iter().enumerate() {
            if let Some(label) = label {
                builder.set_label((at / width) as u32, (at % width) as u32, *label);
            }
        }
        self.initial.iter().for_each(|state| builder.set_initial(*state));
        self.transitions.iter().for_each(|(from, to)| builder.add_transition(*from, *to));
        let graph = builder.finish();
        match graph.dead_end() {
            Some(_) if options.complete => Ok(graph.completed()),
            Some(state) => {
                let place = places[state as usize].clone();
                Err(no_successor(self.input, graph.name(state), place))
            }
            None => Ok(graph),
        }
    }

    /// What is said, by state and proposition. Saying the same twice does not harm.
    fn labels(&self) -> Result<Vec<Option<Label>>, InputError> {
        let (states, width) = (self.states.len(), self.propositions.len());
        let Some(count) = states.checked_mul(width).filter(|count| *count <= MOST_LABELS) else {
            let message = format!(
                "expected at most {MOST_LABELS} labels, found {states} states with {width} propositions"
            );
            return Err(self.label_input.error(0..0, message));
        };
        let mut labels = vec![None; count];
        for (state, proposition, label, place) in &self.said {
            let known: &mut Option<Label> = &mut labels[*state as usize * width + *proposition as usize];
            if known.is_some_and(|known| known != *label) {
                let name = quote(self.propositions[*proposition as usize].as_bytes());
                let state = quote(self.states[*state as usize].0.as_bytes());
                let message = format!(
                    "contradiction: state {state} says something else about {name} already; expected one of p, !p, ?p"
                );
                return Err(self.label_input.error(place.clone(), message));
            }
            *known = Some(*label);
        }
        Ok(labels)
    }
}

/// The error about a state that is a dead end.
pub(super) fn no_successor(input: Input<'_>, name: &str, place: Range<usize>) -> InputError {
    let name = quote(name.as_bytes());
    let message = format!(
        "state {name} has no successor: expected a transition from it, or --complete to give it a loop"
    );
    input.error(place, message)
}
