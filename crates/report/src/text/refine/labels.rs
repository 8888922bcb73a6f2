//! Covered labels, counted by proposition, and the states with uncovered ones.

use crate::terminal::{Align, Page, Span, Table};
use crate::text::refine::{METRIC, names};
use crate::text::{TextOptions, shell, tally, waived};
use crate::words::{readable, shown};
use propcov_result::{Count, Finding, FindingVerdict, Label, Refinement, RunResult, Scope, Share, Subject};
use std::collections::BTreeMap;

/// How many uncovered states of a proposition are listed unless somebody asks for more.
const HOLES: usize = 10;

/// Writes the counts.
pub(super) fn shares(result: &RunResult, refinement: &Refinement, page: &mut Page) {
    let by_proposition = of_propositions(result);
    if by_proposition.is_empty() {
        return;
    }
    let mut rows: Vec<tally::Row<'_>> =
        by_proposition.iter().map(|(name, share)| tally::Row { name, share, unique: None }).collect();
    let all = result.share(METRIC, &Scope::All).filter(|_| rows.len() > 1);
    rows.extend(all.map(|share| tally::Row { name: "all", share, unique: None }));
    page.title(format!("Covered labels (by {}):", refinement.algorithm));
    page.table(2, &tally::table("proposition", &rows));
    let has = |count: fn(&Share) -> &Count| by_proposition.iter().any(|(_, share)| !count(share).is_zero());
    if has(|share| &share.tally.dead) {
        page.say(
            2,
            "Dead: in states that nothing leads to. Nothing can cover these labels; they do not count.",
        );
    }
    if by_proposition.iter().any(|(_, share)| !share.certified) {
        page.say(2, "Not certified: no separate code has confirmed these numbers.");
    }
    if has(|share| &share.tally.unknown) {
        let reason = refinement.reason.as_deref().unwrap_or("no reason is known");
        page.say(2, format!("Undecided: {reason}."));
    }
}

/// Writes the uncovered labels, by proposition.
pub(super) fn holes(result: &RunResult, refinement: &Refinement, options: &TextOptions, page: &mut Page) {
    for (proposition, share) in of_propositions(result) {
        let uncovered = &share.tally.uncovered;
        if uncovered.is_zero() {
            continue;
        }
        let states = counted(uncovered, "state", "states");
        page.title(format!(
            "Uncovered: {proposition} in {states}, where its other value would pass as well:"
        ));
        let holes: Vec<(&Label, Count)> = of_proposition(result, proposition).collect();
        let listed = &holes[..shown(holes.len(), options.holes.unwrap_or(HOLES))];
        let mut table = Table::new(&[Align::Left, Align::Remark]);
        let mut rest = uncovered.clone();
        for (label, count) in listed {
            let remark = match &label.labels {
                Some(labels) => names::set(labels),
                None if count.is_one() => String::new(),
                None => counted(count, "state", "states"),
            };
            table.row([Span::from(&label.state), remark.into()]);
            rest = &rest - count;
        }
        page.table(2, &table);
        if !rest.is_zero() {
            let rest = counted(&rest, "more state", "more states");
            page.say(2, format!("… and {rest} (--holes N lists more)"));
        }
    }
    let is_listed = |label: &&Label| label.labels.is_some();
    let first = uncovered(result).map(|(label, _)| label).find(is_listed);
    if let Some(label) = first.filter(|_| refinement.explanations.is_empty()) {
        let words = format!("--explain {} {}", shell::word(&label.state), shell::word(&label.proposition));
        page.gap();
        page.spans(0, &["To see how one passes, add: ".into(), Span::whole(words)]);
    }
}

/// Writes the labels that are waived, by waiver.
pub(super) fn waived(result: &RunResult, page: &mut Page) {
    let mut names: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for finding in result.findings.iter().filter(|finding| &*finding.metric == METRIC) {
        if let (Some(by), Subject::Label(label)) = (finding.waiver, &finding.subject) {
            let label = format!("{} in {}", label.proposition, label.state);
            names.entry(by as usize).or_default().push(label);
        }
    }
    let names = names.into_iter().map(|(by, names)| (Some(by), names)).collect();
    waived::list(result, &names, page);
}

fn of_propositions(result: &RunResult) -> Vec<(&str, &Share)> {
    let own = |share: &'_ Share| share.metric == METRIC;
    let named = result.shares.iter().filter(|share| own(share)).filter_map(|share| match &share.scope {
        Scope::Proposition(name) => Some((name.as_str(), share)),
        _ => None,
    });
    named.collect()
}

/// Labels that are uncovered, and in how many states.
fn uncovered(result: &RunResult) -> impl Iterator<Item = (&Label, Count)> {
    let is_hole = |finding: &&Finding| {
        &*finding.metric == METRIC && finding.verdict == FindingVerdict::Uncovered && finding.waiver.is_none()
    };
    result.findings.iter().filter(is_hole).filter_map(|finding| match &finding.subject {
        Subject::Label(label) => Some((label, finding.count.clone().unwrap_or_else(|| 1_usize.into()))),
        Subject::Element(_) | Subject::Cube(_) => None,
    })
}

fn of_proposition<'r>(
    result: &'r RunResult,
    proposition: &'r str,
) -> impl Iterator<Item = (&'r Label, Count)> {
    uncovered(result).filter(move |(label, _)| &*label.proposition == proposition)
}

/// So many of something.
pub(super) fn counted(count: &Count, one: &str, many: &str) -> String {
    format!("{} {}", readable(&count.to_string()), if count.is_one() { one } else { many })
}
