//! The file as a document: sections with keys, each with its place. What nobody knows, or has the wrong type, is an error where it stands.

use super::keys::{self, COMMANDS, DESIGN, FILES, Kind, WAIVER};
use super::waivers;
use clap::Command;
use propcov::read::hint;
use propcov::result::Waiver;
use propcov_frontend::InputError;
use propcov_ir::Region;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A key with its value, as the command line would have it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    /// `true` and `false` of flags, otherwise texts.
    pub(crate) value: Value,
    /// Where the value stands.
    pub(crate) span: Range<usize>,
}

/// What a key is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Flag(bool),
    Texts(Vec<String>),
}

/// Options, for all commands or for one, and waivers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Section {
    pub(crate) options: Vec<Entry>,
    pub(crate) commands: BTreeMap<String, Vec<Entry>>,
    pub(crate) files: Vec<String>,
    pub(crate) waivers: Vec<Waiver>,
}

/// The file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    /// What is about all designs.
    pub(crate) general: Section,
    /// The designs, in their order.
    pub(crate) designs: Vec<(String, Section)>,
    pub(crate) source: Source,
}

/// The text of the file, to show what is wrong with it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    /// An error about a piece of the text.
    pub(crate) fn error(&self, span: &Range<usize>, message: String) -> InputError {
        let (line, column, source_line) = self.position(span.start);
        let last = span.end.saturating_sub(1).max(span.start);
        let (end_line, end_column, _) = self.position(last);
        let region = Region::Text { line, column, end_line, end_column };
        InputError { path: self.path.clone(), region, message, source_line: Some(source_line), stop: None }
    }

    /// Line and column of a byte, counting from 1, and the line.
    pub(crate) fn position(&self, byte: usize) -> (u32, u32, String) {
        let mut byte = byte.min(self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte -= 1;
        }
        let before = &self.text[..byte];
        let line = before.matches('\n').count() + 1;
        let begin = before.rfind('\n').map_or(0, |at| at + 1);
        let column = self.text[begin..byte].chars().count() + 1;
        let rest = &self.text[begin..];
        let shown = rest.split(['\n', '\r']).next().unwrap_or_default().to_owned();
        (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX), shown)
    }
}

/// Reads the file for a command line.
pub(crate) fn read(path: &str, text: &str, root: &Command) -> Result<Document, Box<InputError>> {
    let source = Source { path: path.to_owned(), text: text.to_owned() };
    let parsed = DeTable::parse(text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        Box::new(source.error(&span, error.message().to_owned()))
    })?;
    let reader = Reader { source: &source, root };
    let mut general = Section::default();
    let mut designs: Vec<(usize, String, Section)> = Vec::new();
    for (key, value) in parsed.get_ref() {
        if key.get_ref() != DESIGN {
            reader.top(&mut general, key, value, true)?;
            continue;
        }
        for (name, value) in reader.table(value, "a section for each design: [design.NAME]")? {
            let mut section = Section::default();
            let expected = format!("a section: [design.{}]", name.get_ref());
            for (key, value) in reader.table(value, &expected)? {
                reader.top(&mut section, key, value, false)?;
            }
            if section.files.is_empty() {
                let message = format!("the design `{}` has no files: add files = [\"…\"]", name.get_ref());
                return Err(Box::new(source.error(&name.span(), message)));
            }
            designs.push((name.span().start, name.get_ref().to_string(), section));
        }
    }
    designs.sort_by_key(|(at, ..)| *at);
    if let (false, Some((at, ..))) = (general.files.is_empty(), designs.first()) {
        let message = "files stand in the sections of designs, or there are no such sections".to_owned();
        return Err(Box::new(source.error(&(*at..*at + 1), message)));
    }
    let designs = designs.into_iter().map(|(_, name, section)| (name, section)).collect();
    Ok(Document { general, designs, source })
}

type Key<'i> = Spanned<std::borrow::Cow<'i, str>>;
type Parsed<'i> = Spanned<DeValue<'i>>;

struct Reader<'r> {
    source: &'r Source,
    root: &'r Command,
}

impl Reader<'_> {
    fn error(&self, span: &Range<usize>, message: String) -> Box<InputError> {
        Box::new(self.source.error(span, message))
    }

    fn table<'v, 'i>(
        &self,
        value: &'v Parsed<'i>,
        expected: &str,
    ) -> Result<&'v DeTable<'i>, Box<InputError>> {
        let wrong =
            || self.error(&value.span(), format!("expected {expected}, found {}", found(value.get_ref())));
        value.get_ref().as_table().ok_or_else(wrong)
    }

    /// A key of the whole file, or of a design.
    fn top(
        &self,
        section: &mut Section,
        key: &Key<'_>,
        value: &Parsed<'_>,
        is_general: bool,
    ) -> Result<(), Box<InputError>> {
        let name = key.get_ref().as_ref();
        match name {
            FILES => {
                let Value::Texts(files) = self.value(name, Kind::Many, value)? else { return Ok(()) };
                section.files = files;
            }
            WAIVER => section.waivers = waivers::read(self.source, value)?,
            // `explain` is also an option of refine: a table is a section.
            command if COMMANDS.contains(&command) && value.get_ref().is_table() => {
                let Some(command) = self.root.find_subcommand(command) else { return Ok(()) };
                let mut entries = Vec::new();
                for (key, value) in self.table(value, "a section")? {
                    let known = keys::of_command(command);
                    entries.push(self.entry(key, value, &[command], &known)?);
                }
                section.commands.insert(name.to_owned(), entries);
            }
            command if COMMANDS.contains(&command) && command != "explain" => {
                self.table(value, &format!("a section: [{command}]"))?;
            }
            _ => {
                let commands: Vec<&Command> =
                    COMMANDS.iter().filter_map(|name| self.root.find_subcommand(name)).collect();
                let mut known: Vec<String> = [FILES, WAIVER].iter().map(|name| (*name).to_owned()).collect();
                known.extend(is_general.then(|| DESIGN.to_owned()));
                known.extend(COMMANDS.iter().map(|name| (*name).to_owned()));
                known.extend(keys::all(self.root).into_keys());
                section.options.push(self.entry(key, value, &commands, &known)?);
            }
        }
        Ok(())
    }

    fn entry(
        &self,
        key: &Key<'_>,
        value: &Parsed<'_>,
        commands: &[&Command],
        known: &[String],
    ) -> Result<Entry, Box<InputError>> {
        let name = key.get_ref().as_ref();
        let Some(arg) = commands.iter().find_map(|command| keys::option(command, name)) else {
            let names: Vec<&str> = known.iter().map(String::as_str).collect();
            let near = hint(name, &names, "keys");
            let near = if near.starts_with("did you mean") {
                near
            } else {
                "`propcov help config` lists all".to_owned()
            };
            return Err(self.error(&key.span(), format!("no key is called `{name}`; {near}")));
        };
        let value_read = self.value(name, keys::kind(arg), value)?;
        Ok(Entry { key: name.to_owned(), value: value_read, span: value.span() })
    }

    fn value(&self, name: &str, kind: Kind, value: &Parsed<'_>) -> Result<Value, Box<InputError>> {
        let wrong = |value: &Parsed<'_>| {
            let message = format!("{name}: expected {}, found {}", kind.words(), found(value.get_ref()));
            self.error(&value.span(), message)
        };
        match (kind, value.get_ref()) {
            (Kind::Flag, DeValue::Boolean(is_set)) => Ok(Value::Flag(*is_set)),
            (Kind::Flag, _) => Err(wrong(value)),
            (Kind::Many, DeValue::Array(list)) => {
                let texts = list.iter().map(|one| text(one.get_ref()).ok_or_else(|| wrong(one)));
                Ok(Value::Texts(texts.collect::<Result<_, _>>()?))
            }
            (Kind::Many, DeValue::Table(table)) => {
                let mut pairs: Vec<(usize, String)> = Vec::new();
                for (key, one) in table {
                    let text = text(one.get_ref()).ok_or_else(|| wrong(one))?;
                    pairs.push((key.span().start, format!("{}={text}", key.get_ref())));
                }
                pairs.sort_by_key(|(at, _)| *at);
                Ok(Value::Texts(pairs.into_iter().map(|(_, text)| text).collect()))
            }
            (_, one) => text(one).map(|text| Value::Texts(vec![text])).ok_or_else(|| wrong(value)),
        }
    }
}

/// A text or a number, as it would be typed.
pub(super) fn text(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        _ => None,
    }
}

/// What stands there, in words.
pub(super) fn found(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(number) if number.radix() != 10 => "a number that is not decimal",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a section",
    }
}
