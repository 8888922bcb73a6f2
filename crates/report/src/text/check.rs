//! What `propcov check` prints.

use crate::terminal::{Page, Style};
use crate::text::{TextOptions, advice, distances, evidence, heading, proofs, runs, sanity, stats, verdicts};
use propcov_result::RunResult;

/// The text: what was read, what is wrong with it, the verdicts and what shows them.
pub fn check(result: &RunResult, options: &TextOptions, style: &Style) -> String {
    let mut page = Page::new(style);
    heading::write(result, &mut page);
    sanity::write(result, &mut page);
    verdicts::table(result, &mut page);
    distances::write(result, &mut page);
    runs::write(result, &mut page);
    proofs::write(result, &mut page);
    if options.stats {
        stats::write(result, &mut page);
    }
    evidence::write(result, &mut page);
    advice::write(result, &mut page);
    verdicts::summary(result, &mut page);
    page.finish()
}
