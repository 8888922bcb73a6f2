//! Whether enough is covered: beside the headline where one threshold is about it, line by line where there are several.

use crate::terminal::{Page, Span, Tone};
use crate::words::plural;
use propcov_result::{RunResult, Share, Threshold, ThresholdScope, ThresholdVerdict};

/// A headline beside the one threshold of a run, if that is about it.
pub(super) fn beside(result: &RunResult, share: &Share) -> Option<String> {
    let threshold = sole(result)?;
    let percent = threshold.percent;
    let waived =
        share.percent_with_waived().map(|whole| format!(" ({whole} with waived)")).unwrap_or_default();
    Some(format!("{}{waived}, {}", share.percent_text_beside(percent), relation(threshold)))
}

/// How much is covered in relation to a threshold.
pub(super) fn relation(threshold: &Threshold) -> String {
    let percent = threshold.percent;
    match threshold.verdict {
        ThresholdVerdict::Reached => format!("at least {percent} %"),
        ThresholdVerdict::Undecided => format!("{percent} % not decided"),
        ThresholdVerdict::Missed => format!("below {percent} %"),
    }
}

/// The threshold of a run that has one only, for headlines.
pub(super) fn sole(result: &RunResult) -> Option<&Threshold> {
    match result.run.thresholds.as_slice() {
        [one] if one.scope == ThresholdScope::Metric => Some(one),
        _ => None,
    }
}

/// Writes which of several thresholds are not reached, and by how much.
pub(super) fn complaints(result: &RunResult, page: &mut Page) {
    let is_plain = sole(result).is_some_and(|one| one.metric.is_none() && one.short.len() <= 1);
    if is_plain {
        return;
    }
    let complaints: Vec<(&Threshold, String)> =
        result.run.thresholds.iter().filter_map(|one| Some((one, one.complaint()?))).collect();
    if !complaints.is_empty() {
        page.gap();
    }
    for (threshold, text) in complaints {
        let tone = if threshold.verdict == ThresholdVerdict::Missed { Tone::Bad } else { Tone::Doubtful };
        page.say(0, Span::toned(tone, text));
    }
}

/// All thresholds in a few words, for the last line; `None` without any.
pub(super) fn summary(result: &RunResult) -> Option<String> {
    let thresholds = result.run.thresholds.as_slice();
    let with = |verdict: ThresholdVerdict| thresholds.iter().filter(|one| one.verdict == verdict).count();
    let (missed, open) = (with(ThresholdVerdict::Missed), with(ThresholdVerdict::Undecided));
    Some(match (thresholds, missed, open) {
        ([], ..) => return None,
        ([one], 0, 0) if one.metric.is_none() && one.scope == ThresholdScope::Metric => {
            format!("each is at least {} %", one.percent)
        }
        ([one], ..)
            if one.metric.is_none() && one.scope == ThresholdScope::Metric && !one.short.is_empty() =>
        {
            let name = |short: &propcov_result::Shortfall| format!("{} ({})", short.subject(), short.text);
            let short: Vec<String> = one.short.iter().map(name).collect();
            format!("{}: {}", relation(one), short.join(", "))
        }
        (all, 0, 0) => format!("{} reached", plural(all.len(), "threshold", "thresholds")),
        (all, missed, 0) => format!("{missed} of {} missed", plural(all.len(), "threshold", "thresholds")),
        (all, missed, open) => {
            format!("{missed} of {} missed, {open} not decided", plural(all.len(), "threshold", "thresholds"))
        }
    })
}
