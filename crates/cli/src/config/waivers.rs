//! `[[waiver]]`: what does not count, why, who says so, and until when.

use super::document::{Source, found, text};
use propcov::METRICS;
use propcov::read::hint;
use propcov::result::{Place, Waiver};
use propcov_frontend::InputError;
use propcov_ir::Mutation;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A key, what it means, and where its value goes; lists take one value as well.
type Field = (&'static str, &'static str, Set);

/// Where a value goes.
#[derive(Clone, Copy)]
enum Set {
    One(fn(&mut Waiver, String)),
    Many(fn(&mut Waiver, Vec<String>)),
    Date(fn(&mut Waiver, String)),
    Number(fn(&mut Waiver, u32)),
}

/// The metric of `refine`.
const SIMULATION: &str = "simulation";
/// What other metrics than mutation do: leave out an element, flip a signal or a label, ask for the ways through a statement.
const OTHER_EDITS: &[&str] = &["dropped", "flipped", "executed", "true", "false", "chosen"];

/// The keys of a waiver.
const FIELDS: &[Field] = &[
    (
        "element",
        "names of elements, with * and ?; without the line and column at their end",
        Set::Many(|waiver, names| waiver.elements = names),
    ),
    (
        "source",
        "the text of the element, or of its line, apart from blanks",
        Set::One(|waiver, text| waiver.source = Some(text)),
    ),
    (
        "nth",
        "of several that are equal in name (and source): only this one, counted from 1",
        Set::Number(|waiver, nth| waiver.nth = Some(nth)),
    ),
    (
        "file",
        "files that the elements stand in, with * and ?",
        Set::Many(|waiver, files| waiver.files = files),
    ),
    (
        "condition",
        "a condition on states, in the language of the design: for --metric state and transition",
        Set::One(|waiver, text| waiver.condition = Some(text)),
    ),
    (
        "state",
        "of `refine`: states whose labels are waived, with * and ?",
        Set::Many(|waiver, states| waiver.states = states),
    ),
    (
        "proposition",
        "of `refine`: propositions whose labels are waived, with * and ?",
        Set::Many(|waiver, propositions| waiver.propositions = propositions),
    ),
    ("metric", "only these metrics [default: all]", Set::Many(|waiver, metrics| waiver.metrics = metrics)),
    ("edit", "only these edits [default: all]", Set::Many(|waiver, edits| waiver.edits = edits)),
    ("reason", "why: always needed", Set::One(|waiver, reason| waiver.reason = reason)),
    ("author", "who says so", Set::One(|waiver, author| waiver.author = Some(author))),
    (
        "expires",
        "the last day on which it counts: 2027-01-31",
        Set::Date(|waiver, date| waiver.expires = Some(date)),
    ),
];

/// The keys of a waiver, each with what it means.
pub(crate) fn fields() -> impl Iterator<Item = (&'static str, &'static str)> {
    FIELDS.iter().map(|(name, meaning, _)| (*name, *meaning))
}

/// Reads all of them.
pub(super) fn read(source: &Source, value: &Spanned<DeValue<'_>>) -> Result<Vec<Waiver>, Box<InputError>> {
    let Some(list) = value.get_ref().as_array() else {
        let message = format!("expected sections [[waiver]], found {}", found(value.get_ref()));
        return Err(Box::new(source.error(&value.span(), message)));
    };
    list.iter().map(|one| waiver(source, one)).collect()
}

fn waiver(source: &Source, value: &Spanned<DeValue<'_>>) -> Result<Waiver, Box<InputError>> {
    let error = |span: &Range<usize>, message: String| Box::new(source.error(span, message));
    let Some(table) = value.get_ref().as_table() else {
        return Err(error(
            &value.span(),
            format!("expected a section [[waiver]], found {}", found(value.get_ref())),
        ));
    };
    let mut waiver = Waiver { place: Some(place(source, table, value.span())), ..Waiver::default() };
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        let Some((_, _, set)) = FIELDS.iter().find(|(known, ..)| *known == name) else {
            let names: Vec<&str> = fields().map(|(name, _)| name).collect();
            let message = format!("a waiver has no key `{name}`; {}", hint(name, &names, "keys"));
            return Err(error(&key.span(), message));
        };
        let wrong = |expected: &str, value: &Spanned<DeValue<'_>>| {
            error(&value.span(), format!("{name}: expected {expected}, found {}", found(value.get_ref())))
        };
        known(name, value).map_err(|(span, message)| error(&span, message))?;
        match (set, value.get_ref()) {
            (Set::One(set), DeValue::String(text)) => set(&mut waiver, text.to_string()),
            (Set::Many(set), DeValue::Array(list)) => {
                let texts = list
                    .iter()
                    .map(|one| text(one.get_ref()).ok_or_else(|| wrong("a text or a list of texts", one)));
                set(&mut waiver, texts.collect::<Result<_, _>>()?);
            }
            (Set::Many(set), DeValue::String(text)) => set(&mut waiver, vec![text.to_string()]),
            (Set::Date(set), one) => {
                let date = day(one).ok_or_else(|| wrong("a date such as 2027-01-31", value))?;
                set(&mut waiver, date);
            }
            (Set::Number(set), DeValue::Integer(number)) => {
                let number =
                    u32::from_str_radix(number.as_str(), number.radix()).ok().filter(|number| *number > 0);
                set(&mut waiver, number.ok_or_else(|| wrong("a number from 1 on", value))?);
            }
            (Set::Number(_), _) => return Err(wrong("a number from 1 on", value)),
            (Set::One(_), _) => return Err(wrong("a text", value)),
            (Set::Many(_), _) => return Err(wrong("a text or a list of texts", value)),
        }
    }
    let Waiver { elements, source: text, files, condition, reason, .. } = &waiver;
    let is_about_elements = !elements.is_empty() || text.is_some() || !files.is_empty();
    let message = match () {
        () if waiver.nth.is_some() && elements.is_empty() && text.is_none() => {
            "`nth` is about elements of one name or text: add element or source"
        }
        () if reason.trim().is_empty() => "a waiver needs a reason: reason = \"…\"",
        () if condition.is_some() && is_about_elements => {
            "a condition is about states, not about elements: make two waivers of it"
        }
        () if waiver.is_about_labels() && (condition.is_some() || is_about_elements) => {
            "`state` and `proposition` are about labels of `refine`, and nothing else: make two waivers of it"
        }
        () if !is_about_elements && condition.is_none() && !waiver.is_about_labels() => {
            "a waiver says what it waives: element, source, file or condition; of `refine`, state or proposition"
        }
        () => return Ok(waiver),
    };
    Err(error(&value.span(), message.to_owned()))
}

/// What a metric or an edit may be called, if a key is about one.
fn known(key: &str, value: &Spanned<DeValue<'_>>) -> Result<(), (Range<usize>, String)> {
    let (what, names): (&str, Vec<&str>) = match key {
        "metric" => ("metrics", METRICS.iter().map(|metric| metric.name).chain([SIMULATION]).collect()),
        "edit" => {
            let mutations = Mutation::ALL.into_iter().map(Mutation::name);
            ("edits", mutations.chain(OTHER_EDITS.iter().copied()).collect())
        }
        _ => return Ok(()),
    };
    let all: &[Spanned<DeValue<'_>>] = match value.get_ref() {
        DeValue::Array(list) => list,
        _ => std::slice::from_ref(value),
    };
    for one in all {
        if let Some(name) = text(one.get_ref()).filter(|name| !names.contains(&name.as_str())) {
            return Err((
                one.span(),
                format!("{key}: there is no {key} `{name}`; {}", hint(&name, &names, what)),
            ));
        }
    }
    Ok(())
}

/// Where a waiver begins.
fn place(source: &Source, table: &DeTable<'_>, span: Range<usize>) -> Place {
    let start = table.keys().map(|key| key.span().start).min().unwrap_or(span.start);
    let (line, column, text) = source.position(start);
    let end_column = u32::try_from(text.chars().count()).unwrap_or(column).max(column);
    Place { file: source.path.clone(), line, column, end_line: line, end_column }
}

/// A date of the calendar, as text.
fn day(value: &DeValue<'_>) -> Option<String> {
    let text = match value {
        DeValue::Datetime(date) if date.time.is_none() => date.to_string(),
        DeValue::String(text) => text.to_string(),
        _ => return None,
    };
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return None };
    let is_plain =
        |part: &str, digits: usize| part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_plain(year, 4) || !is_plain(month, 2) || !is_plain(day, 2) {
        return None;
    }
    let (year, month, day): (u32, u32, u32) = (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let of = |text: &str| day(&DeValue::String(text.into()));
        assert_eq!(of("2027-01-31").as_deref(), Some("2027-01-31"));
        assert!(of("2028-02-29").is_some() && of("2027-02-29").is_none());
        for wrong in [
            "",
            "2027",
            "2027-1-1",
            "2027-13-01",
            "2027-00-10",
            "2027-04-31",
            "01-02-2027",
            "2027-01-31T00:00:00",
        ] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
