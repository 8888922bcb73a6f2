//! What the user said does not count: by waiver, with who says so and why, and what became of waivers that waive nothing.

use crate::mutants::{Mutant, Standing};
use crate::terminal::Page;
use propcov_result::{RunResult, Waiver, WaiverState};
use std::collections::BTreeMap;

/// The most names in one line.
const NAMED: usize = 8;

/// Writes which edits of a metric are waived.
pub(super) fn write(result: &RunResult, mutants: &[&Mutant<'_>], page: &mut Page) {
    let waived = || mutants.iter().filter(|mutant| mutant.standing == Standing::Waived);
    let mut names: BTreeMap<Option<usize>, Vec<String>> = BTreeMap::new();
    for mutant in waived() {
        let by = mutant.findings.iter().find_map(|finding| finding.waiver).map(|at| at as usize);
        names.entry(by).or_default().push(format!("{} {}", mutant.name(), mutant.edit));
    }
    list(result, &names, page);
}

/// Writes what each waiver waives.
pub(super) fn list(result: &RunResult, names: &BTreeMap<Option<usize>, Vec<String>>, page: &mut Page) {
    if names.is_empty() {
        return;
    }
    page.gap();
    page.say(0, format!("Waived ({}):", names.values().map(Vec::len).sum::<usize>()));
    for (by, names) in names {
        let why = by.and_then(|at| result.waivers.get(at)).map(why).unwrap_or_default();
        let more = names.len().saturating_sub(NAMED + 1);
        let shown = if more == 0 { names.len() } else { NAMED };
        let rest = if more == 0 { String::new() } else { format!(" and {} more", names.len() - shown) };
        page.say(2, format!("{}{rest}{why}", names[..shown].join(", ")));
    }
}

/// Why, and who says so.
pub(crate) fn why(waiver: &Waiver) -> String {
    let author = waiver.author.as_ref().map(|author| format!(", {author}")).unwrap_or_default();
    let expires = waiver.expires.as_ref().map(|last| format!(", until {last}")).unwrap_or_default();
    format!(": {}{author}{expires}", waiver.reason)
}

/// Writes all waivers, as far as there are any.
pub(super) fn table(result: &RunResult, page: &mut Page) {
    if result.waivers.is_empty() {
        return;
    }
    page.title("Waivers:");
    for waiver in &result.waivers {
        let state = match waiver.state {
            WaiverState::Used => format!("used ({})", waiver.count),
            state => state.name().to_owned(),
        };
        page.say(2, format!("{state}: {}{}", waiver.subject(), why(waiver)));
    }
}
