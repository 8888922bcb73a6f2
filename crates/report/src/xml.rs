//! Elements, attributes and text, one element on a line. Names come from files that anybody may have written, so everything is escaped.

use std::fmt::Write;

/// A document that is being written.
pub(crate) struct Xml {
    text: String,
    open: Vec<&'static str>,
}

/// Attributes of an element.
pub(crate) type Attributes<'a> = &'a [(&'static str, &'a str)];

impl Xml {
    /// A document with this root.
    pub(crate) fn new(root: &'static str, attributes: Attributes<'_>) -> Xml {
        let mut xml = Xml { text: String::from("<?xml version=\"1.0\"?>\n"), open: Vec::new() };
        xml.open(root, attributes);
        xml
    }

    /// Begins an element that has others inside.
    pub(crate) fn open(&mut self, name: &'static str, attributes: Attributes<'_>) {
        self.tag(name, attributes);
        self.text.push_str(">\n");
        self.open.push(name);
    }

    /// Ends the innermost element.
    pub(crate) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.indent();
            self.text.push_str("</");
            self.text.push_str(name);
            self.text.push_str(">\n");
        }
    }

    /// An element with nothing inside.
    pub(crate) fn empty(&mut self, name: &'static str, attributes: Attributes<'_>) {
        self.tag(name, attributes);
        self.text.push_str("/>\n");
    }

    /// An element with text inside.
    pub(crate) fn leaf(&mut self, name: &'static str, attributes: Attributes<'_>, content: &str) {
        self.tag(name, attributes);
        self.text.push('>');
        escape(content, &mut self.text);
        self.text.push_str("</");
        self.text.push_str(name);
        self.text.push_str(">\n");
    }

    /// The document, with everything closed.
    pub(crate) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }

    fn tag(&mut self, name: &str, attributes: Attributes<'_>) {
        self.indent();
        self.text.push('<');
        self.text.push_str(name);
        for (key, value) in attributes {
            self.text.push(' ');
            self.text.push_str(key);
            self.text.push_str("=\"");
            escape(value, &mut self.text);
            self.text.push('"');
        }
    }

    fn indent(&mut self) {
        for _ in &self.open {
            self.text.push_str("  ");
        }
    }
}

/// Line breaks are escaped, too: readers of JKind's output go by lines. Characters that XML cannot have at all become U+FFFD.
pub(crate) fn escape(content: &str, text: &mut String) {
    for character in content.chars() {
        match character {
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '&' => text.push_str("&amp;"),
            '"' => text.push_str("&quot;"),
            '\t' | '\n' | '\r' => {
                let _ = write!(text, "&#{};", u32::from(character));
            }
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => text.push('\u{fffd}'),
            other => text.push(other),
        }
    }
}
