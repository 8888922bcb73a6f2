//! Cores in words.

use crate::cover::text::{WIDTH, plural};
use crate::table::wrapped;
use propcov_coverage::cores::{Core, Goal, Minimality};
use propcov_ir::{ElementSet, System};

/// The most elements of a set that are named in text.
const NAMED: usize = 200;

/// The names of the elements of a set, in the order of the design.
pub(crate) fn names(system: &System, elements: &ElementSet) -> Vec<String> {
    elements.iter().map(|element| system.element(element).name.clone()).collect()
}

/// A core with its number: in one line if it fits.
pub(crate) fn core_line(system: &System, property: &str, number: usize, core: &Core) -> String {
    let size = plural(core.elements.len(), "element", "elements");
    let remark = match &core.minimal {
        Minimality::Minimal => "minimal".to_owned(),
        Minimality::Unchecked => "perhaps not minimal".to_owned(),
        Minimality::Undecided(open) => {
            format!("UNDECIDED whether it needs {}", shortened(names(system, open)).join(" "))
        }
    };
    titled(&format!("{property}, core {number} ({size}, {remark}):"), &names(system, &core.elements), "")
}

/// A title and names, in one line if they fit.
pub(crate) fn titled(title: &str, names: &[String], indent: &str) -> String {
    let names = if names.is_empty() { vec!["(nothing)".to_owned()] } else { shortened(names.to_vec()) };
    let line = format!("{indent}{title} {}", names.join(" "));
    if line.chars().count() <= WIDTH {
        return format!("{line}\n");
    }
    format!("{indent}{title}\n{}", wrapped(names.into_iter(), &format!("{indent}  "), WIDTH))
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
