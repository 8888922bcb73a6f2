//! A text that grows: paragraphs, lists and tables, all within the width.

use super::{Span, Style, Table, Tone, wrap};

/// Lines after the first of a paragraph stand so much further to the right.
const HANGING: usize = 2;
/// However deep something is indented, it has so many columns.
const NARROWEST: usize = 20;

/// A text that is being written.
#[derive(Clone, Debug, Default)]
pub struct Page {
    style: Style,
    text: String,
    is_unfolded: bool,
}

impl Page {
    /// An empty page.
    pub fn new(style: &Style) -> Page {
        Page { style: *style, text: String::new(), is_unfolded: false }
    }

    /// Says whether each element has a line of its own, also where several stand at the same place of the source.
    pub fn unfold(&mut self, is_unfolded: bool) {
        self.is_unfolded = is_unfolded;
    }

    /// Whether each element has a line of its own.
    pub fn is_unfolded(&self) -> bool {
        self.is_unfolded
    }

    /// How it is to look.
    pub fn style(&self) -> &Style {
        &self.style
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// An empty line; never the first one, and never two of them.
    pub fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// A title, after an empty line.
    pub fn title(&mut self, text: impl AsRef<str>) {
        self.gap();
        self.say(0, Span::toned(Tone::Strong, text));
    }

    /// A warning.
    pub fn warning(&mut self, text: impl AsRef<str>) {
        self.warning_at(0, text);
    }

    /// A warning that belongs to something.
    pub fn warning_at(&mut self, indent: usize, text: impl AsRef<str>) {
        self.spans(indent, &[Span::toned(Tone::Bad, "WARNING:"), " ".into(), text.as_ref().into()]);
    }

    /// A paragraph: one line if it fits, else several.
    pub fn say(&mut self, indent: usize, text: impl Into<Span>) {
        self.spans(indent, &[text.into()]);
    }

    /// A line as it is, however long.
    pub fn as_is(&mut self, text: &str) {
        self.line(0, &super::printable(text));
    }

    /// A paragraph in several tones. Spans follow each other without a space.
    pub fn spans(&mut self, indent: usize, spans: &[Span]) {
        let (first, rest) = (self.room(indent), self.room(indent + HANGING));
        for (line, text) in wrap::paragraph(spans, first, rest, &self.style).iter().enumerate() {
            self.line(if line == 0 { indent } else { indent + HANGING }, text);
        }
    }

    /// A list: `title: a, b, c`, in as many lines as it takes. No entry is broken.
    pub fn list<S: AsRef<str>>(&mut self, indent: usize, title: &str, entries: impl IntoIterator<Item = S>) {
        let mut entries = entries.into_iter().peekable();
        let mut spans = vec![Span::from(title)];
        while let Some(entry) = entries.next() {
            let comma = if entries.peek().is_some() { "," } else { "" };
            if spans.iter().any(|span| !span.text().is_empty()) {
                spans.push(" ".into());
            }
            spans.push(Span::whole(format!("{}{comma}", entry.as_ref())));
        }
        self.spans(indent, &spans);
    }

    /// A table.
    pub fn table(&mut self, indent: usize, table: &Table) {
        let style = Style { width: self.room(indent), ..self.style };
        for line in table.lines(&style) {
            self.line(indent, &line);
        }
    }

    /// Text that is as wide as it should be already, such as that of another page.
    pub(crate) fn append(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The text.
    pub fn finish(self) -> String {
        self.text
    }

    fn room(&self, indent: usize) -> usize {
        self.style.width.saturating_sub(indent).max(NARROWEST.min(self.style.width))
    }

    fn line(&mut self, indent: usize, text: &str) {
        if !text.is_empty() {
            self.text.push_str(&" ".repeat(indent));
            self.text.push_str(text);
        }
        self.text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(width: usize, colour: bool, write: impl FnOnce(&mut Page)) -> String {
        let mut page = Page::new(&Style { width, colour });
        write(&mut page);
        page.finish()
    }

    #[test]
    fn paragraphs_are_wrapped_and_no_word_is_lost() {
        let text =
            |page: &mut Page| page.say(2, "one two three extraordinarily-long-words-are-not-broken x y");
        let expected = "  one two three\n    extraordinarily-long-words-are-not-broken\n    x y\n";
        assert_eq!(page(24, false, text), expected);
    }

    #[test]
    fn entries_of_a_list_are_never_broken() {
        let list = |page: &mut Page| page.list(0, "names:", ["l27 beat", "l28 beat", "x"]);
        assert_eq!(page(16, false, list), "names: l27 beat,\n  l28 beat, x\n");
        assert_eq!(page(16, false, |page| page.list(2, "", ["a", "b"])), "  a, b\n");
        assert_eq!(page(16, false, |page| page.list(0, "none:", [""; 0])), "none:\n");
    }

    #[test]
    fn colours_change_neither_widths_nor_words() {
        let write = |page: &mut Page| {
            page.title("A title that does not fit");
            page.warning("mind the \u{1b}[2J gap");
        };
        let (plain, coloured) = (page(24, false, write), page(24, true, write));
        assert_eq!(plain, "A title that does not\n  fit\nWARNING: mind the\n  \\u{1b}[2J gap\n");
        assert!(coloured.starts_with("\x1b[1mA title that does not\x1b[0m\n  \x1b[1mfit\x1b[0m\n"));
        let without =
            ["\x1b[1m", "\x1b[1;31m", "\x1b[0m"].iter().fold(coloured, |text, code| text.replace(code, ""));
        assert_eq!(without, plain);
    }

    #[test]
    fn there_is_never_more_than_one_empty_line() {
        let write = |page: &mut Page| {
            page.gap();
            page.say(0, "a");
            page.gap();
            page.gap();
            page.say(0, "b");
        };
        assert_eq!(page(80, false, write), "a\n\nb\n");
    }
}
