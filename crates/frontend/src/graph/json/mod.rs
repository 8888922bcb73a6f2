//! propcov's own format of graphs.
//!
//! ```json
//! {
//!   "propositions": ["p", "q"],
//!   "unlabelled": "false",
//!   "states": [
//!     {"name": "s0", "labels": ["p", "?q"], "initial": true},
//!     {"name": "s1", "labels": ["!p"]}
//!   ],
//!   "transitions": [["s0", "s1"], ["s1", "s0"]]
//! }
//! ```
//!
//! `propositions` may be missing: then they are those that occur. A label holds (`p`), does not hold (`!p`, `~p`, `¬p`) or is open (`?p`). About other propositions a
//! state says what `unlabelled` says: `"false"`, which is what it is without this key, or `"open"`. Names of states are texts or integers, and 1 is the same name as
//! `"1"`. A state may be its name alone. Initial states are marked, or listed with the key `initial`: `"initial": ["s0"]`. The key `comment` may have any value.

mod reader;

use super::{GraphOptions, draft::Draft, labels};
use crate::{
    Diagnostic, InputError,
    extra::did_you_mean,
    text::{Input, quote},
};
use propcov_ir::{Graph, Label};
use reader::{Reader, Text};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The keys of the file.
const KEYS: [&str; 6] = ["propositions", "unlabelled", "states", "initial", "transitions", "comment"];

/// The keys of a state.
const STATE_KEYS: [&str; 3] = ["name", "labels", "initial"];

/// Whether the file is an object with states and transitions.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    let keys = keys(bytes);
    let has = |key: &str| keys.iter().any(|known| known == key);
    has("states") && has("transitions") && !has("modules")
}

/// Whether the file is the netlist of another tool.
pub(super) fn is_foreign(bytes: &[u8]) -> bool {
    keys(bytes).iter().any(|key| key == "modules")
}

/// The keys of the file, as far as it can be read.
fn keys(bytes: &[u8]) -> Vec<String> {
    let mut keys = Vec::new();
    if bytes.trim_ascii_start().starts_with(b"{") {
        // An error ends the search.
        _ = Reader::new(Input::new("", bytes)).object(|reader, key| {
            keys.push(key.text.into_owned());
            reader.skip().map(|_| ())
        });
    }
    keys
}

pub(super) fn read(
    input: Input<'_>,
    _companion: Option<Input<'_>>,
    options: &GraphOptions,
) -> Result<(Graph, Vec<Diagnostic>), InputError> {
    let mut file = File { input, draft: Draft::new(input, input), states: FxHashMap::default() };
    let sections = sections(input)?;
    let mut reader = Reader::new(input);
    let mut go_to = |key: usize| {
        sections[key].clone().map(|place| {
            reader.at = place.start;
            reader.clone()
        })
    };
    if let Some(mut reader) = go_to(0) {
        file.draft.declare_all();
        reader.array("a list of propositions", |reader| file.proposition(reader))?;
    }
    if let Some(mut reader) = go_to(1) {
        file.unlabelled(&mut reader)?;
    }
    match go_to(2) {
        Some(mut reader) => reader.array("a list of states", |reader| file.state(reader))?,
        None => return Err(missing(input, "states")),
    }
    if let Some(mut reader) = go_to(3) {
        reader.array("a list of states", |reader| {
            let state = file.known_state(reader, "initial state")?;
            file.draft.set_initial(state);
            Ok(())
        })?;
    }
    match go_to(4) {
        Some(mut reader) => reader.array("a list of transitions", |reader| file.transition(reader))?,
        None => return Err(missing(input, "transitions")),
    }
    let place = sections[2].clone().map_or(0..0, |place| place.start..place.start + 1);
    let graph = file.draft.finish(options, || {
        let message =
            "no initial state: expected \"initial\": true in a state, or a list \"initial\" of names next to the states";
        input.error(place, message)
    })?;
    Ok((graph, Vec::new()))
}

fn missing(input: Input<'_>, key: &str) -> InputError {
    let start = input.bytes.iter().position(|byte| *byte == b'{').unwrap_or(0);
    input.error(start..start + 1, format!("expected the key {key:?}, found an object without it"))
}

/// Where the values of the keys are. All of the file is checked to be JSON here.
fn sections(input: Input<'_>) -> Result<[Option<Range<usize>>; 6], InputError> {
    let mut sections = [const { None }; 6];
    let mut reader = Reader::new(input);
    reader.object(|reader, key| {
        let number = known_key(reader, &key, &KEYS)?;
        let value = reader.skip()?;
        if sections[number].replace(value).is_some() {
            return Err(duplicate_key(reader, &key));
        }
        Ok(())
    })?;
    reader.end()?;
    Ok(sections)
}

fn known_key(reader: &Reader<'_>, key: &Text<'_>, keys: &[&str]) -> Result<usize, InputError> {
    keys.iter().position(|known| *known == key.text).ok_or_else(|| {
        let found = quote(key.text.as_bytes());
        let near = did_you_mean(&key.text, keys.iter().copied());
        let message = format!("unknown key: expected one of {}, found {found}{near}", keys.join(", "));
        reader.input.error(key.place.clone(), message)
    })
}

fn duplicate_key(reader: &Reader<'_>, key: &Text<'_>) -> InputError {
    let message = format!("duplicate key: {} is there already", quote(key.text.as_bytes()));
    reader.input.error(key.place.clone(), message)
}

struct File<'a> {
    input: Input<'a>,
    draft: Draft<'a>,
    states: FxHashMap<String, u32>,
}

impl<'a> File<'a> {
    fn proposition(&mut self, reader: &mut Reader<'a>) -> Result<(), InputError> {
        let name = reader.string("the name of a proposition")?;
        // A sign would make it a label.
        let said = labels::one(self.input, &name.text, name.place.clone())?;
        if said.label != Label::True {
            let found = quote(name.text.as_bytes());
            let message = format!("expected the name of a proposition without a sign, found {found}");
            return Err(self.input.error(name.place, message));
        }
        self.draft.declare(&said.name, name.place)
    }

    fn unlabelled(&mut self, reader: &mut Reader<'a>) -> Result<(), InputError> {
        let value = reader.string("\"false\" or \"open\"")?;
        self.draft.unlabelled = match &*value.text {
            "false" => Label::False,
            "open" => Label::Open,
            other => {
                let message = format!("expected \"false\" or \"open\", found {}", quote(other.as_bytes()));
                return Err(self.input.error(value.place, message));
            }
        };
        Ok(())
    }

    fn state(&mut self, reader: &mut Reader<'a>) -> Result<(), InputError> {
        if reader.peek() != Some(b'{') {
            let name = reader.name("a state: an object, or its name")?;
            return self.add_state(name).map(|_| ());
        }
        let start = reader.place_of_next();
        let (mut name, mut labels, mut is_initial) = (None, None, None);
        reader.object(|reader, key| {
            let is_new = match known_key(reader, &key, &STATE_KEYS)? {
                0 => name.replace(reader.name("the name of a state")?).is_none(),
                1 => {
                    let mut all = Vec::new();
                    reader.array("a list of labels", |reader| {
                        let label = reader.string("a label such as \"p\", \"!p\" or \"?p\"")?;
                        all.push(labels::one(reader.input, &label.text, label.place)?);
                        Ok(())
                    })?;
                    labels.replace(all).is_none()
                }
                _ => is_initial.replace(reader.boolean()?).is_none(),
            };
            if is_new { Ok(()) } else { Err(duplicate_key(reader, &key)) }
        })?;
        let Some(name) = name else {
            return Err(self.input.error(start, "expected the key \"name\", found a state without it"));
        };
        let state = self.add_state(name)?;
        for said in labels.unwrap_or_default() {
            self.draft.say(state, said)?;
        }
        if is_initial == Some(true) {
            self.draft.set_initial(state);
        }
        Ok(())
    }

    fn add_state(&mut self, name: Text<'a>) -> Result<u32, InputError> {
        let number = self.draft.add_state(&*name.text, name.place.clone())?;
        if self.states.insert(name.text.clone().into_owned(), number).is_some() {
            let message = format!(
                "duplicate state: expected another name, found {}, which is a state already",
                quote(name.text.as_bytes())
            );
            return Err(self.input.error(name.place, message));
        }
        Ok(number)
    }

    fn known_state(&self, reader: &mut Reader<'a>, what: &str) -> Result<u32, InputError> {
        let name = reader.name("the name of a state")?;
        self.states.get(&*name.text).copied().ok_or_else(|| {
            let found = quote(name.text.as_bytes());
            let near = did_you_mean(&name.text, self.states.keys().map(String::as_str));
            let message = format!("{what}: expected the name of a state, found {found}{near}");
            self.input.error(name.place, message)
        })
    }

    fn transition(&mut self, reader: &mut Reader<'a>) -> Result<(), InputError> {
        let mut ends = [None; 2];
        let mut count = 0;
        let start = reader.place_of_next();
        reader.array("a transition: a list of two states", |reader| {
            let state = self.known_state(reader, "dangling transition")?;
            if let Some(end) = ends.get_mut(count) {
                *end = Some(state);
            }
            count += 1;
            Ok(())
        })?;
        match (ends, count) {
            ([Some(from), Some(to)], 2) => self.draft.add_transition(from, to),
            _ => {
                let message =
                    format!("expected a transition from a state to another one, found a list of {count}");
                return Err(self.input.error(start, message));
            }
        }
        Ok(())
    }
}
