//! What a survey took, by question and name.

use crate::refine::{Stats, Survey};

impl Survey {
    /// Adds seconds and counts. What is zero is left out.
    pub(super) fn add_work(&self, stats: &mut propcov_result::Stats) {
        let questions = [
            ("simulation", &self.work.simulation),
            ("coverage", &self.work.coverage),
            ("criteria", &self.work.criteria),
        ];
        let mut certifying = 0.0;
        for (question, (work, seconds)) in questions {
            // Where diagrams answered it before, both took their time.
            *stats.seconds.entry(question.to_owned()).or_default() += seconds;
            certifying += work.certifying.as_secs_f64();
            for (name, count) in named(work).into_iter().filter(|(_, count)| *count > 0) {
                stats.counts.insert(format!("{question}: {name}"), count);
            }
        }
        // Of all threads together.
        *stats.seconds.entry("certify".to_owned()).or_default() += certifying;
    }
}

fn named(stats: &Stats) -> [(&'static str, u64); 12] {
    [
        ("pairs of states in question", stats.pairs),
        ("counters", stats.counters),
        ("counter updates", stats.counter_updates),
        ("pairs removed", stats.removals),
        ("pairs put back", stats.undone),
        ("answers looked for", stats.answers),
        ("runs of similarity", stats.similarity_runs),
        ("runs ended early", stats.ended_early),
        ("labels decided without a run", stats.decided_at_once),
        ("pieces of evidence checked", stats.checked),
        ("pairs in evidence", stats.evidence_pairs),
        ("bytes of memory", stats.memory_bytes),
    ]
}
