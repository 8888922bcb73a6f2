//! Help pages as wide as the terminal, 80 columns in a pipe: paragraphs are filled again, and rows of two columns keep their second column.

/// The page, filled to a width.
pub(super) fn fit(text: &str, width: usize) -> String {
    let mut filled = String::new();
    let mut open: Option<Block> = None;
    for line in text.lines() {
        let block = Block::of(line);
        match &mut open {
            Some(previous) if previous.goes_on_with(&block) => previous.words.extend(block.words),
            _ => {
                open.replace(block).iter().for_each(|previous| previous.write(width, &mut filled));
            }
        }
    }
    open.iter().for_each(|last| last.write(width, &mut filled));
    filled
}

/// Lines that belong together.
struct Block {
    /// Where its first line begins.
    indent: usize,
    /// Where further lines begin.
    hang: usize,
    /// What stands before the hang in the first line of a row: the first column.
    head: Option<String>,
    words: Vec<String>,
    /// Whether it is to stay in one line: a command to be typed.
    is_whole: bool,
}

impl Block {
    fn of(line: &str) -> Block {
        let inner = line.trim_start();
        let indent = line.len() - inner.len();
        let is_whole = ["propcov ", "gzip ", "sed ", "$ ", "{", "}", "]", "\""]
            .iter()
            .any(|start| inner.starts_with(start));
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        if let Some(at) = inner.find("  ").filter(|_| !is_whole) {
            let rest = inner[at..].trim_start();
            let hang = line.len() - rest.len();
            let head = Some(line[indent..hang].to_owned());
            return Block { indent, hang, head, words: words(rest), is_whole };
        }
        let hang = if inner.starts_with("- ") { indent + 2 } else { indent };
        Block { indent, hang, head: None, words: words(inner), is_whole }
    }

    /// Whether the next line is more of the same.
    fn goes_on_with(&self, next: &Block) -> bool {
        let is_list = |block: &Block| block.words.first().is_some_and(|word| word == "-");
        let ends = self.words.last().is_none_or(|word| word.ends_with(':')) && self.head.is_none();
        let is_text = next.head.is_none() && !next.is_whole && !next.words.is_empty() && !is_list(next);
        is_text && !self.is_whole && !self.words.is_empty() && !ends && next.indent == self.hang
    }

    fn write(&self, width: usize, text: &mut String) {
        let mut line = " ".repeat(self.indent);
        line.push_str(self.head.as_deref().unwrap_or_default());
        let mut is_empty = true;
        for word in &self.words {
            let is_too_long = line.chars().count() + 1 + word.chars().count() > width;
            if !is_empty && is_too_long && !self.is_whole {
                text.push_str(line.trim_end());
                text.push('\n');
                line = " ".repeat(self.hang);
                is_empty = true;
            }
            if !is_empty {
                line.push(' ');
            }
            line.push_str(word);
            is_empty = false;
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_filled_rows_keep_their_column_and_commands_stay_whole() {
        let page = "Title:\nsome words that\nbelong together\n\n  name   what it is,\n         in words\n  other  more\n\n  propcov cover a --b\n      Explained.\n";
        let expected = "Title:\nsome words that\nbelong together\n\n  name   what it\n         is, in\n         words\n  other  more\n\n  propcov cover a --b\n      Explained.\n";
        assert_eq!(fit(page, 17), expected);
        let wide = fit(page, 60);
        assert!(wide.contains("some words that belong together\n"), "{wide}");
        assert!(wide.contains("  name   what it is, in words\n"), "{wide}");
    }
}
