//! Cores in words.

use crate::cover::text::{WIDTH, plural};
use crate::table::wrapped;
use propcov_coverage::cores::{Core, Goal, Minimality};
use propcov_ir::{ElementSet, System};

/// The most elements of a set that are named in text.
const NAMED: usize = 200;

/// How much further names are indented than their title.
const INDENT: &str = "  ";

/// The names of the elements of a set, in the order of the design.
pub(crate) fn names(system: &System, elements: &ElementSet) -> Vec<String> {
    elements.iter().map(|element| system.element(element).name.clone()).collect()
}

/// A core with its number: in one line if it fits.
pub(crate) fn core_line(
    system: &System,
    property: &str,
    number: usize,
    core: &Core,
    wants_minimal: bool,
) -> String {
    let size = plural(core.elements.len(), "element", "elements");
    let remark = match &core.minimal {
        Minimality::Minimal => "minimal".to_owned(),
        Minimality::Undecided(open) if wants_minimal => {
            format!("UNDECIDED whether it needs {}", shortened(separated(names(system, open))).join(" "))
        }
        Minimality::Unchecked | Minimality::Undecided(_) => "perhaps not minimal".to_owned(),
    };
    titled(&format!("{property}, core {number} ({size}, {remark}):"), &names(system, &core.elements), "")
}

/// A title and names, in one line if they fit.
pub(crate) fn titled(title: &str, names: &[String], indent: &str) -> String {
    let names = match names.is_empty() {
        true => vec!["(nothing)".to_owned()],
        false => shortened(separated(names.to_vec())),
    };
    let line = format!("{indent}{title} {}", names.join(" "));
    if line.chars().count() <= WIDTH {
        return format!("{line}\n");
    }
    format!("{}{}", heading(title, indent), wrapped(names.into_iter(), &format!("{indent}{INDENT}"), WIDTH))
}

/// A title on lines of its own. What does not fit on the first is indented further than the names below it.
fn heading(title: &str, indent: &str) -> String {
    let further = format!("{indent}{INDENT}{INDENT}");
    let words = title.split_whitespace().map(str::to_owned);
    let lines = wrapped(words, &further, WIDTH);
    format!("{indent}{}", lines.strip_prefix(further.as_str()).unwrap_or(&lines))
}

/// The names with commas between them where spaces alone would not do: pieces of equations have spaces in their names.
fn separated(mut names: Vec<String>) -> Vec<String> {
    if names.iter().any(|name| name.contains(' ')) {
        let last = names.len().saturating_sub(1);
        names.iter_mut().take(last).for_each(|name| name.push(','));
    }
    names
}

/// The first names, and how many more there are.
fn shortened(mut names: Vec<String>) -> Vec<String> {
    if names.len() > NAMED {
        let more = names.len() - NAMED;
        names.truncate(NAMED);
        names.push(format!("and {more} more"));
    }
    names
}

/// What is looked for.
pub(crate) fn goal_words(goal: Goal) -> &'static str {
    match goal {
        Goal::One => "one core",
        Goal::Minimal => "one minimal core",
        Goal::Minimum => "a smallest core",
        Goal::All => "all minimal cores",
        Goal::Must => "the elements of every core",
        Goal::May => "the elements of some minimal core",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn names_with_spaces_in_them_are_separated_by_commas() {
        assert_eq!(titled("core:", &owned(&["a", "b"]), ""), "core: a b\n");
        assert_eq!(titled("core:", &owned(&["a@1:2 and", "b"]), ""), "core: a@1:2 and, b\n");
        assert_eq!(titled("core:", &[], "  "), "  core: (nothing)\n");
    }

    #[test]
    fn long_titles_are_wrapped() {
        let many: Vec<String> = (0..30).map(|number| format!("name{number}")).collect();
        let title = format!("p, core 1 (30 elements, UNDECIDED whether it needs {}):", many.join(" "));
        let text = titled(&title, &many, "  ");
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(lines[0].starts_with("  p, core 1 ") && lines[1].starts_with("      name"), "{text}");
        let (before, after) = text.split_once("):\n").expect("the end of the title");
        assert!(before.lines().count() > 1 && after.starts_with("    name0 "), "{text}");
        let words: Vec<&str> = text.split_whitespace().collect();
        assert_eq!(words.join(" "), format!("{title} {}", many.join(" ")));
    }

    #[test]
    fn long_lists_are_cut_off_without_commas_where_none_are_needed() {
        let many: Vec<String> = (0..NAMED + 3).map(|number| format!("n{number}")).collect();
        let text = titled("core:", &many, "");
        assert!(text.ends_with("n199 and 3 more\n") && !text.contains(','), "{text}");
    }
}
