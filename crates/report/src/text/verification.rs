//! What `propcov verify` prints: how many claims hold, and which do not.

use crate::terminal::{Align, Page, Span, Style, Table, Tone};
use crate::text::{ALL, TextOptions};
use crate::words::{plural, shown};
use propcov_result::{Claim, RunResult};

/// The most claims of a kind that are listed.
const LISTED: usize = 20;

/// The text.
pub fn verification(result: &RunResult, _: &TextOptions, style: &Style) -> String {
    let mut page = Page::new(style);
    let Some(found) = &result.verification else { return page.finish() };
    let held: usize = found.holding.values().sum();
    page.say(0, Span::toned(Tone::Good, plural(held, "claim holds", "claims hold")));
    let mut table = Table::new(&[Align::Right, Align::Left]);
    for (kind, count) in &found.holding {
        table.row([count.to_string(), kind.clone()]);
    }
    page.table(2, &table);
    if !found.failing.is_empty() {
        page.gap();
        let title = plural(found.failing.len(), "claim does not hold:", "claims do not hold:");
        page.say(0, Span::toned(Tone::Bad, title));
        list(&found.failing, &mut page);
    }
    if !found.unchecked.is_empty() {
        page.gap();
        let title = format!("{} not checked:", plural(found.unchecked.len(), "claim", "claims"));
        page.say(0, Span::toned(Tone::Doubtful, title));
        list(&found.unchecked, &mut page);
    }
    if found.elsewhere > 0 {
        let records = plural(found.elsewhere, "record is", "records are");
        let what = if found.selected { "other designs" } else { "designs that are not there" };
        page.gap();
        page.say(0, format!("{records} about {what}: not checked"));
    }
    page.finish()
}

/// The first of them, and how many more there are.
fn list(claims: &[Claim], page: &mut Page) {
    let count = shown(claims.len(), LISTED);
    for claim in &claims[..count] {
        let why = claim.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        page.say(2, format!("{}{why} ({})", claim.claim, claim.file));
    }
    if count < claims.len() {
        page.say(2, format!("… and {} more; {ALL}", claims.len() - count));
    }
}
