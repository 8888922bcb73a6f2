//! The document itself: a result is what it serialises to.

use propcov_result::RunResult;
use std::io;

/// The document, indented, with a line break at the end. Control characters are escaped, also those that JSON would allow.
pub fn json(result: &RunResult) -> String {
    let mut bytes = Vec::new();
    let written = write_json(result, &mut bytes);
    debug_assert!(written.is_ok(), "memory takes everything, and all keys are strings");
    String::from_utf8(bytes).unwrap_or_default()
}

/// Writes the same, as it goes: a document may be larger than what it is made from.
pub fn write_json(result: &RunResult, to: &mut dyn io::Write) -> io::Result<()> {
    write_visible(result, to)
}

/// Writes any document like that.
pub(crate) fn write_visible(document: &impl serde::Serialize, to: &mut dyn io::Write) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut *to, Visible::default());
    document.serialize(&mut serializer)?;
    to.write_all(b"\n")
}

/// Indents like serde_json, and escapes what a terminal would obey: DEL and the control characters above it.
#[derive(Default)]
struct Visible<'a>(serde_json::ser::PrettyFormatter<'a>);

impl serde_json::ser::Formatter for Visible<'_> {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(|character: char| character.is_control()) {
            let (before, from) = rest.split_at(at);
            writer.write_all(before.as_bytes())?;
            let mut characters = from.chars();
            if let Some(character) = characters.next() {
                write!(writer, "\\u{:04x}", u32::from(character))?;
            }
            rest = characters.as_str();
        }
        writer.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}
