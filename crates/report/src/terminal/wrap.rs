//! Lines that are no longer than the page is wide.

use super::{Span, Style, Tone, columns};

/// A word: pieces without a space between them.
#[derive(Default)]
struct Word<'s>(Vec<(Tone, &'s str)>);

impl Word<'_> {
    fn columns(&self) -> usize {
        self.0.iter().map(|(_, text)| columns(text)).sum()
    }
}

/// The words of spans that follow each other; a space is only where a span has one.
fn words(spans: &[Span]) -> Vec<Word<'_>> {
    let mut words = vec![Word::default()];
    for span in spans {
        for (position, text) in span.words().enumerate() {
            if position > 0 {
                words.push(Word::default());
            }
            if let Some(word) = words.last_mut().filter(|_| !text.is_empty()) {
                word.0.push((span.tone(), text));
            }
        }
    }
    words.retain(|word| !word.0.is_empty());
    words
}

/// The lines of a paragraph, at most so many columns wide each, without indentation.
pub(super) fn paragraph(spans: &[Span], first: usize, rest: usize, style: &Style) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line: Vec<Word<'_>> = Vec::new();
    let mut used = 0;
    for word in words(spans) {
        let width = if lines.is_empty() { first } else { rest };
        if !line.is_empty() && used + 1 + word.columns() > width {
            lines.push(painted(&line, style));
            line.clear();
            used = 0;
        }
        used += word.columns() + usize::from(!line.is_empty());
        line.push(word);
    }
    if !line.is_empty() {
        lines.push(painted(&line, style));
    }
    lines
}

/// Words with spaces between them; neighbours of one tone are painted together.
fn painted(line: &[Word<'_>], style: &Style) -> String {
    let mut runs: Vec<(Tone, String)> = Vec::new();
    let mut push = |tone: Tone, text: &str| match runs.last_mut() {
        Some((last, run)) if *last == tone => run.push_str(text),
        _ => runs.push((tone, text.to_owned())),
    };
    for (position, word) in line.iter().enumerate() {
        if position > 0 {
            let before = line[position - 1].0.last().map(|(tone, _)| *tone);
            let after = word.0.first().map(|(tone, _)| *tone);
            let tone = before.filter(|_| before == after).unwrap_or_default();
            push(tone, " ");
        }
        word.0.iter().for_each(|(tone, text)| push(*tone, text));
    }
    let mut text = String::new();
    runs.iter().for_each(|(tone, run)| style.paint(*tone, run, &mut text));
    text
}

/// Pieces on lines of at most this many columns, as far as pieces can be separated. Lines after the first are indented.
pub(crate) fn pieces(pieces: &[String], width: usize, indent: usize) -> String {
    let mut text = String::new();
    let mut used = 0;
    for piece in pieces {
        let length = columns(piece);
        if used > 0 && used + 1 + length > width {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            used = indent;
        } else if used > 0 {
            text.push(' ');
            used += 1;
        }
        text.push_str(piece);
        used += length;
    }
    text.push('\n');
    text
}
