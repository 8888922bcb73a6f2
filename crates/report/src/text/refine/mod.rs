//! What `propcov refine` prints: the two models, the verdict and what shows it, coverage by proposition, and what the specification has that nobody implements.

mod criteria;
mod explanations;
mod heading;
mod labels;
mod names;
mod steps;
mod tree;
mod verdict;

use crate::terminal::{Page, Span, Style};
use crate::text::{TextOptions, stats, waived};
use propcov_result::RunResult;

/// The metric that counts covered labels.
const METRIC: &str = "simulation";

/// The text.
pub fn refine(result: &RunResult, options: &TextOptions, style: &Style) -> String {
    let mut page = Page::new(style);
    if let Some(refinement) = &result.refinement {
        heading::write(refinement, &mut page);
        verdict::write(refinement, &mut page);
        labels::shares(result, refinement, &mut page);
        labels::holes(result, refinement, options, &mut page);
        labels::waived(result, &mut page);
        explanations::write(refinement, &mut page);
        criteria::write(refinement, &mut page);
    }
    waived::table(result, &mut page);
    if options.stats {
        stats::write(result, &mut page);
    }
    if !result.run.files.is_empty() {
        page.gap();
        result.run.files.iter().for_each(|file| page.spans(0, &["Written: ".into(), Span::whole(file)]));
    }
    verdict::conclusion(result, &mut page);
    page.finish()
}
