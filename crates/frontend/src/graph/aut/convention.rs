//! From actions on transitions to labels of states, by one of the conventions.

use super::parse::{System, Transition};
use crate::{
    Diagnostic, InputError,
    graph::{
        GraphOptions, StateLabels,
        draft::Draft,
        labels::{self, Said},
        numbered::{Loops, Mentions},
        spelled::Spelled,
        warning,
    },
    text::{Input, quote},
};
use propcov_ir::{Graph, Label};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// What a state says, sorted.
type LabelSet = Vec<(String, Label)>;

/// Actions that are no proposition: nothing is seen of them.
const SILENT: [&str; 2] = ["tau", "i"];

pub(super) fn graph(
    input: Input<'_>,
    system: &System,
    options: &GraphOptions,
) -> Result<(Graph, Vec<Diagnostic>), InputError> {
    let file = File::new(input, system);
    let mut draft = Draft::new(input, input);
    let convention = match options.state_labels {
        StateLabels::Auto => file.convention()?,
        given => given,
    };
    // By this convention a state without transitions has no labels, so that a loop does not make it whole.
    let loops = if convention == StateLabels::Sources { Loops::Useless } else { Loops::new(options) };
    file.states(&mut draft, loops)?;
    match convention {
        StateLabels::Auto | StateLabels::Loops => file.loops(&mut draft)?,
        StateLabels::Sources => file.sources(&mut draft)?,
        StateLabels::Encoded => file.encoded(&mut draft)?,
    }
    let warnings = match convention {
        StateLabels::Auto | StateLabels::Loops => file.ignored().into_iter().collect(),
        StateLabels::Sources | StateLabels::Encoded => Vec::new(),
    };
    let graph = draft.finish(options, || {
        let message = "no initial state: expected a transition with the action init from the root";
        input.error(system.first_at.clone(), message)
    })?;
    Ok((graph, warnings))
}

struct File<'a> {
    input: Input<'a>,
    system: &'a System,
    /// The root, which is no state.
    root: Option<u64>,
    /// For each action, whether it occurs on self-loops only.
    loops_only: Vec<bool>,
}

impl<'a> File<'a> {
    fn new(input: Input<'a>, system: &'a System) -> File<'a> {
        let is_init = |transition: &Transition| system.actions[transition.action as usize] == "init";
        let from_first = |transition: &Transition| transition.from == system.first;
        let has_root = !system.transitions.is_empty()
            && system.transitions.iter().all(|t| is_init(t) == from_first(t) && t.to != system.first)
            && system.transitions.iter().any(from_first);
        let mut loops_only = vec![true; system.actions.len()];
        for transition in &system.transitions {
            loops_only[transition.action as usize] &= transition.from == transition.to;
        }
        File { input, system, root: has_root.then_some(system.first), loops_only }
    }

    fn action(&self, transition: &Transition) -> &'a str {
        &self.system.actions[transition.action as usize]
    }

    /// All states but the root, and which are initial.
    fn states(&self, draft: &mut Draft<'_>, loops: Loops) -> Result<(), InputError> {
        let mut mentions = Mentions::new(self.input, 0);
        mentions.note(self.system.first, &self.system.first_at);
        for transition in &self.system.transitions {
            mentions.note(transition.from, &transition.from_at);
            mentions.note(transition.to, &transition.to_at);
        }
        mentions.add_states(draft, self.system.states, self.root, &self.system.states_at, loops)?;
        match self.root {
            None => draft.set_initial(self.number(self.system.first)),
            Some(root) => {
                let initial = self.system.transitions.iter().filter(|transition| transition.from == root);
                initial.for_each(|transition| draft.set_initial(self.number(transition.to)));
            }
        }
        Ok(())
    }

    /// The number of a state in the graph, where the root is missing.
    fn number(&self, state: u64) -> u32 {
        (state - u64::from(self.root.is_some_and(|root| root < state))) as u32
    }

    /// The lines that are not about the root.
    fn transitions(&self) -> impl Iterator<Item = &'a Transition> + '_ {
        self.system.transitions.iter().filter(|transition| Some(transition.from) != self.root)
    }

    /// The convention that the file follows.
    fn convention(&self) -> Result<StateLabels, InputError> {
        let all = |test: &dyn Fn(&str) -> bool| self.transitions().all(|line| test(self.action(line)));
        let is_encoding = |action: &str| matches!(head(action), "edge" | "prop" | "state");
        let has_prop =
            self.transitions().any(|line| head(self.action(line)) == "prop" && line.from == line.to);
        if has_prop && all(&is_encoding) {
            return Ok(StateLabels::Encoded);
        }
        if self.root.is_some() && all(&|action| action.starts_with("l_")) {
            return Ok(StateLabels::Sources);
        }
        let mut actions = FxHashMap::default();
        let differs =
            self.transitions().any(|line| *actions.entry(line.from).or_insert(line.action) != line.action);
        let labelled = self.transitions().any(|line| self.is_label(line));
        match (differs, labelled) {
            (true, true) => Ok(StateLabels::Loops),
            (true, false) => {
                let message = "no state labels: expected self-loops with propositions as actions (loops), the state's propositions on all transitions from it (sources), or prop|… (encoded), found actions of transitions only; --state-labels loops reads it as a graph without propositions";
                Err(self.input.error(self.system.header_at.clone(), message))
            }
            (false, _) => {
                let message = "cannot tell where the state labels are: expected --state-labels loops, if actions on self-loops are propositions, or --state-labels sources, if actions are the propositions of the state that a transition leaves";
                Err(self.input.error(self.system.header_at.clone(), message))
            }
        }
    }

    /// Whether a line says what holds in a state.
    fn is_label(&self, line: &Transition) -> bool {
        line.from == line.to && self.loops_only[line.action as usize] && !SILENT.contains(&self.action(line))
    }

    /// What to say of actions that are no propositions: somebody may have meant them.
    fn ignored(&self) -> Option<Diagnostic> {
        let is_ignored = |line: &&Transition| !self.is_label(line) && !SILENT.contains(&self.action(line));
        let line = self.transitions().find(is_ignored)?;
        let action = quote(self.action(line).as_bytes());
        let message = format!(
            "actions of transitions, such as {action}, are ignored: propositions are the actions on self-loops (--state-labels loops)"
        );
        Some(warning(self.input, line.action_at.clone(), &message))
    }

    fn loops(&self, draft: &mut Draft<'_>) -> Result<(), InputError> {
        for line in self.transitions() {
            if self.is_label(line) {
                for said in self.said(self.action(line), '|', &line.action_at)? {
                    draft.say(self.number(line.from), said)?;
                }
            } else {
                draft.add_transition(self.number(line.from), self.number(line.to));
            }
        }
        Ok(())
    }

    /// Parts of an action with a separator that is not in parentheses.
    fn said(&self, action: &str, separator: char, place: &Range<usize>) -> Result<Vec<Said>, InputError> {
        let mut depth = 0_i64;
        let at_separator = |letter: char| {
            depth += i64::from(letter == '(') - i64::from(letter == ')');
            letter == separator && depth <= 0
        };
        action.split(at_separator).map(|part| labels::one(self.input, part, place.clone())).collect()
    }

    fn sources(&self, draft: &mut Draft<'_>) -> Result<(), InputError> {
        let mut first_lines: FxHashMap<u64, (&Transition, LabelSet)> = FxHashMap::default();
        for line in self.transitions() {
            draft.add_transition(self.number(line.from), self.number(line.to));
            match first_lines.get(&line.from) {
                Some((first, _)) if first.action == line.action => continue,
                _ => {}
            }
            let said = self.source_set(line)?;
            let mut set: LabelSet = said.iter().map(|said| (said.name.clone(), said.label)).collect();
            set.sort_unstable();
            set.dedup();
            match first_lines.get(&line.from) {
                Some((_, known)) if *known == set => {}
                Some((first, _)) => {
                    let (known, found) =
                        (quote(self.action(first).as_bytes()), quote(self.action(line).as_bytes()));
                    let message = format!(
                        "expected {known} on this transition from state {} as on the first one (--state-labels sources), found {found}",
                        line.from
                    );
                    return Err(self.input.error(line.action_at.clone(), message));
                }
                None => {
                    first_lines.insert(line.from, (line, set));
                    for said in said {
                        draft.say(self.number(line.from), said)?;
                    }
                }
            }
        }
        self.all_leave(|state| first_lines.contains_key(&state))
    }

    /// A state that no transition leaves has no labels by this convention, so that a loop does not make it whole.
    fn all_leave(&self, leaves: impl Fn(u64) -> bool) -> Result<(), InputError> {
        let targets = self.system.transitions.iter().map(|line| (line.to, &line.to_at));
        let first =
            (self.root != Some(self.system.first)).then_some((self.system.first, &self.system.first_at));
        match first.into_iter().chain(targets).find(|(state, _)| !leaves(*state)) {
            None => Ok(()),
            Some((state, place)) => {
                let message = format!(
                    "state `{state}` has no successor: expected a transition from it, whose action would say what holds in it (--state-labels sources)"
                );
                Err(self.input.error(place.clone(), message))
            }
        }
    }

    /// The propositions of the state that a transition leaves.
    fn source_set(&self, line: &Transition) -> Result<Vec<Said>, InputError> {
        let (action, place) = (self.action(line), &line.action_at);
        if SILENT.contains(&action) {
            return Ok(Vec::new());
        }
        if let Some(names) = action.strip_prefix("l_") {
            let names = names.split('_').filter(|name| !name.is_empty());
            return names.map(|name| labels::one(self.input, name, place.clone())).collect();
        }
        let inner = action.trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(action);
        let mut spelled = Spelled::default();
        spelled.push(&inner.replace('|', ","), place.start);
        let mut said = labels::set(self.input, &spelled, 0..spelled.text.len())?;
        said.iter_mut().for_each(|said| said.place = place.clone());
        Ok(said)
    }

    fn encoded(&self, draft: &mut Draft<'_>) -> Result<(), InputError> {
        let unexpected = |line: &Transition, what: &str| {
            let found = quote(self.action(line).as_bytes());
            let message = format!("expected {what} (--state-labels encoded), found {found}");
            self.input.error(line.action_at.clone(), message)
        };
        let mut rows: Vec<(&Transition, Vec<&str>)> = Vec::new();
        let mut labelled = FxHashSet::default();
        for line in self.transitions() {
            match head(self.action(line)) {
                "edge" => draft.add_transition(self.number(line.from), self.number(line.to)),
                "state" | "prop" if line.from != line.to => {
                    return Err(unexpected(line, "edge|… on a transition between different states"));
                }
                "state" => {}
                "prop" if !labelled.insert(line.from) => {
                    let message =
                        format!("duplicate state: expected one prop|… of state {}, found another", line.from);
                    return Err(self.input.error(line.action_at.clone(), message));
                }
                "prop" => rows.push((line, values(self.action(line)))),
                _ => return Err(unexpected(line, "edge|…, prop|… or state|…")),
            }
        }
        let width = rows.first().map_or(0, |(_, values)| values.len());
        let mut is_truth = vec![true; width];
        for (line, values) in &rows {
            if values.len() != width {
                return Err(unexpected(line, &format!("{width} values as in the first prop|…")));
            }
            values.iter().zip(&mut is_truth).for_each(|(value, all)| *all &= truth(value).is_some());
        }
        // In the order of the labels, not of the states that have them first.
        for (position, _) in is_truth.iter().enumerate().filter(|(_, all)| **all) {
            draft.declare(&format!("label{position}"), 0..0)?;
        }
        for (line, values) in rows {
            for (position, value) in values.into_iter().enumerate() {
                let (name, label) = match truth(value) {
                    Some(label) if is_truth[position] => (format!("label{position}"), label),
                    _ => (format!("label{position}={}", value.trim_matches('"')), Label::True),
                };
                draft.say(self.number(line.from), Said { name, label, place: line.action_at.clone() })?;
            }
        }
        Ok(())
    }
}

/// The part before the first bar.
fn head(action: &str) -> &str {
    action.split('|').next().unwrap_or(action)
}

/// The parts behind the first bar. A bar in quotes is a part of a value.
fn values(action: &str) -> Vec<&str> {
    let mut is_quoted = false;
    let at_bar = |letter: char| {
        is_quoted ^= letter == '"';
        letter == '|' && !is_quoted
    };
    action.split(at_bar).skip(1).collect()
}

/// What LTSmin calls a Boolean or a trilean.
fn truth(value: &str) -> Option<Label> {
    match value {
        "true" | "1" => Some(Label::True),
        "false" | "0" => Some(Label::False),
        "maybe" => Some(Label::Open),
        _ => None,
    }
}
