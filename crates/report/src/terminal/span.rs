//! A piece of text in one tone. It is printable from the moment it is made, so that nothing else can reach a [`super::Page`].

use super::{Tone, columns, printable};

/// A piece of text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    text: String,
    tone: Tone,
    /// Whether a line may end at its spaces.
    breaks: bool,
}

impl Span {
    /// Text in a tone.
    pub fn toned(tone: Tone, text: impl AsRef<str>) -> Span {
        Span { text: printable(text.as_ref()), tone, breaks: true }
    }

    /// Text that is kept on one line, such as a command.
    pub fn whole(text: impl AsRef<str>) -> Span {
        Span { text: printable(text.as_ref()), tone: Tone::Plain, breaks: false }
    }

    /// The text, as it is shown.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its tone.
    pub fn tone(&self) -> Tone {
        self.tone
    }

    /// Its columns on a terminal.
    pub fn columns(&self) -> usize {
        columns(&self.text)
    }

    /// Its words: where one ends, a line may.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        let most = if self.breaks { usize::MAX } else { 1 };
        self.text.splitn(most, ' ')
    }
}

impl<T: AsRef<str>> From<T> for Span {
    fn from(text: T) -> Span {
        Span::toned(Tone::Plain, text)
    }
}
