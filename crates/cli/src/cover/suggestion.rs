//! The command that shows more: `propcov explain` with what was given to `propcov cover`, ready for the shell.

use crate::cover::arguments::CoverArguments;
use std::path::Path;

/// How to have an element explained.
pub(crate) struct Explain {
    file: String,
    options: String,
}

impl Explain {
    /// For the same design, properties and directory. `None` for standard input, which cannot be read twice.
    pub(crate) fn new(arguments: &CoverArguments) -> Option<Explain> {
        if arguments.file == Path::new("-") {
            return None;
        }
        let mut words: Vec<String> = Vec::new();
        for property in &arguments.properties {
            words.extend(["-p".to_owned(), property.clone()]);
        }
        words.extend(arguments.bits.then(|| "--bits".to_owned()));
        if !arguments.observed().is_empty() {
            words.extend(["--observe".to_owned(), arguments.observed().join(",")]);
        }
        if let Some(out) = &arguments.keep.out {
            words.extend(["--out".to_owned(), out.display().to_string()]);
        }
        let options = words.iter().map(|word| format!(" {}", shell_word(word))).collect();
        Some(Explain { file: shell_word(&arguments.file.display().to_string()), options })
    }

    /// The command for an element.
    pub(crate) fn command(&self, element: &str) -> String {
        format!("propcov explain {} {}{}", self.file, shell_word(element), self.options)
    }
}

/// A word that a shell leaves as it is.
fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=+,@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_brackets_and_quotes_are_quoted_for_the_shell() {
        assert_eq!(shell_word("top.fifo/cnt3"), "top.fifo/cnt3");
        assert_eq!(shell_word("x[3]"), "'x[3]'");
        assert_eq!(shell_word("a b"), "'a b'");
        assert_eq!(shell_word("it's"), "'it'\\''s'");
        assert_eq!(shell_word(""), "''");
    }
}
