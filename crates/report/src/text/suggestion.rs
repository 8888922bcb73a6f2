//! The command that shows more: `propcov explain` with what was given to `propcov cover`, ready for the shell.

use crate::text::shell;
use propcov_result::RunResult;

/// Options of `propcov cover` that `propcov explain` has too and that change what it says: how they are spelt, and whether a value follows.
const SHARED: &[(&[&str], bool)] = &[
    (&["-p", "--property"], true),
    (&["-k", "--bound"], true),
    (&["-e", "--engine"], true),
    (&["--bits"], false),
    (&["--observe"], true),
    (&["--out"], true),
];

/// The command for an element of the same design, with the same properties and directory. `None` for standard input, which cannot be read twice.
pub(super) fn explain(result: &RunResult, element: &str) -> Option<String> {
    let file = &result.design.as_ref()?.files.first()?.path;
    // What cannot be typed as it is shown is no suggestion.
    let is_typed = |text: &str| crate::terminal::printable(text) == text;
    if file == "<stdin>" || !is_typed(file) || !is_typed(element) {
        return None;
    }
    let mut command = format!("propcov explain {} {}", shell::word(file), shell::word(element));
    for word in options(&result.run.arguments) {
        command.push(' ');
        command.push_str(&shell::word(word));
    }
    Some(command)
}

/// Those of the arguments that matter.
fn options(arguments: &[String]) -> Vec<&str> {
    let mut kept = Vec::new();
    let mut arguments = arguments.iter().map(String::as_str).take_while(|word| *word != "--");
    while let Some(word) = arguments.next() {
        let is_spelling = |spelling: &&str| {
            let rest = word.strip_prefix(*spelling);
            // `--out DIR`, `--out=DIR`, `-pNAME`.
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('=') || !spelling.starts_with("--"))
        };
        let Some((spelling, has_value)) = SHARED.iter().find_map(|(spellings, has_value)| {
            Some((*spellings.iter().find(|one| is_spelling(one))?, *has_value))
        }) else {
            continue;
        };
        kept.push(word);
        if has_value && word == spelling {
            kept.extend(arguments.next());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_result::{Design, File};

    #[test]
    fn the_suggested_command_has_the_options_that_matter() {
        let mut result = RunResult::new("cover", 0);
        let arguments =
            "cover my.aag --edits zero -p a -pb --property=c --out=d --bits --threshold 80 --outer";
        result.run.arguments = arguments.split(' ').map(str::to_owned).collect();
        let file = File { path: "my.aag".to_owned(), sha256: String::new() };
        result.design = Some(Design { files: vec![file], ..Design::default() });
        let expected = "propcov explain my.aag 'x[3]' -p a -pb --property=c --out=d --bits";
        assert_eq!(explain(&result, "x[3]").as_deref(), Some(expected));
        assert_eq!(explain(&result, "x\u{1b}"), None, "nobody can type that");
        result.design = Some(Design {
            files: vec![File { path: "<stdin>".to_owned(), ..File::default() }],
            ..Design::default()
        });
        assert_eq!(explain(&result, "x"), None, "standard input cannot be read twice");
    }
}
