//! What the caller knows of the terminal, and colours that nothing depends on.

/// How text is to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Columns of a line.
    pub width: usize,
    /// Whether escape sequences are written.
    pub colour: bool,
}

/// Where nobody knows how wide the reader's window is: a pipe, a file.
impl Default for Style {
    fn default() -> Style {
        Style { width: 80, colour: false }
    }
}

/// What a colour would underline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// As everything else.
    #[default]
    Plain,
    /// As it should be.
    Good,
    /// Something is wrong.
    Bad,
    /// Something may be wrong.
    Doubtful,
    /// A title.
    Strong,
}

impl Style {
    /// The text in the colour of the tone. It has to be printable.
    pub(super) fn paint(&self, tone: Tone, text: &str, to: &mut String) {
        let code = match tone {
            Tone::Plain => None,
            Tone::Good => Some("32"),
            Tone::Bad => Some("1;31"),
            Tone::Doubtful => Some("33"),
            Tone::Strong => Some("1"),
        };
        match code.filter(|_| self.colour && !text.is_empty()) {
            Some(code) => to.extend(["\x1b[", code, "m", text, "\x1b[0m"]),
            None => to.push_str(text),
        }
    }
}
