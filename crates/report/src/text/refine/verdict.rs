//! Whether the specification simulates the implementation, and what shows that it does not.

use crate::terminal::{Page, Span, Tone};
use crate::text::refine::{METRIC, labels, tree};
use crate::text::{run_table, thresholds, verdicts};
use crate::words::plural;
use propcov_result::{Refinement, RunResult, Scope, Unsimulated};

/// Writes the verdict.
pub(super) fn write(refinement: &Refinement, page: &mut Page) {
    let certified = if refinement.certified { "certified" } else { "not certified" };
    let (tone, words, how) = match (refinement.simulates, refinement.pairs) {
        (Some(true), Some(pairs)) => {
            let pairs = plural(pairs, "pair of states", "pairs of states");
            (Tone::Good, "The specification simulates the implementation", pairs)
        }
        (Some(true), None) => {
            (Tone::Good, "The specification simulates the implementation", refinement.algorithm.clone())
        }
        (Some(false), _) => (
            Tone::Bad,
            "The specification does not simulate the implementation",
            refinement.algorithm.clone(),
        ),
        (None, _) => {
            let words = "It is not known whether the specification simulates the implementation";
            let reason = refinement.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
            page.gap();
            page.spans(0, &[Span::toned(Tone::Doubtful, words), format!("{reason}.").into()]);
            return;
        }
    };
    page.gap();
    let how = Span::whole(format!("({how}, {certified})."));
    page.spans(0, &[Span::toned(tone, words), " ".into(), how]);
    if refinement.simulates == Some(false) {
        match (&refinement.distinction, &refinement.unsimulated) {
            (Some(distinction), _) => tree::write(distinction, None, page),
            (None, Some(state)) => unsimulated(state, page),
            (None, None) => {}
        }
        page.say(0, "There is no coverage to measure until it does.");
    }
}

/// How the implementation gets to a state that nothing simulates.
fn unsimulated(unsimulated: &Unsimulated, page: &mut Page) {
    let text = "Wherever the specification is then, it cannot do all that the implementation can do from ";
    page.spans(2, &[text.into(), Span::whole(&unsimulated.state)]);
    if let Some(trace) = &unsimulated.trace {
        let legend = run_table::write(trace, trace.steps, 2, page);
        let more = if legend.cut { " --format json has all of it." } else { "" };
        page.say(2, format!("{}{more}", legend.text()));
    }
}

/// Writes the last line.
pub(super) fn conclusion(result: &RunResult, page: &mut Page) {
    let simulates = result.refinement.as_ref().and_then(|refinement| refinement.simulates);
    let share = result.share(METRIC, &Scope::All);
    let line = match (simulates, share) {
        (None, _) => "undecided".to_owned(),
        (Some(false), _) => "not simulated".to_owned(),
        (Some(true), Some(share)) if share.percent.is_some() => {
            let counting = labels::counted(&share.tally.counting(), "label", "labels");
            let percent = thresholds::beside(result, share).unwrap_or_else(|| share.headline_text());
            format!("simulated; {} of {counting} covered: {percent}", share.tally.covered)
        }
        (Some(true), _) => "simulated; there is no label to cover".to_owned(),
    };
    verdicts::last_line(&line, result, page);
}
