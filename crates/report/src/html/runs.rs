//! Runs and witnesses, by number.

use super::columns::Words;
use propcov_result::{Trace, TraceSignalKind, Witness};
use serde::Serialize;

/// All runs of a page.
#[derive(Default)]
pub(super) struct Runs<'r> {
    pub(super) traces: Vec<TraceView<'r>>,
    pub(super) witnesses: Vec<WitnessView<'r>>,
}

/// Name, kind, sort, whether the run is about it, and values: numbers of words.
type Row = (i64, i64, i64, u8, Vec<i64>);

#[derive(Serialize)]
pub(super) struct TraceView<'r> {
    steps: usize,
    signals: Vec<Row>,
    shows: Option<ShowsView<'r>>,
}

#[derive(Serialize)]
struct ShowsView<'r> {
    claim: &'r str,
    whole: bool,
    loop_to: Option<usize>,
    branches: Vec<BranchView>,
}

#[derive(Serialize)]
struct BranchView {
    step: usize,
    trace: i64,
}

#[derive(Serialize)]
pub(super) struct WitnessView<'r> {
    design: i64,
    mutant: i64,
    observation: Option<&'r str>,
    observed: &'r [String],
    depth: Option<usize>,
    shortest: Option<bool>,
    reason: Option<&'r str>,
    file: Option<&'r str>,
}

impl<'r> Runs<'r> {
    /// The number of a run; -1 if there is none.
    pub(super) fn trace(&mut self, trace: Option<&'r Trace>, words: &mut Words<'r>) -> i64 {
        let Some(trace) = trace else { return -1 };
        let signals = trace.signals.iter().map(|signal| {
            let values = signal.values.iter().map(|value| words.number(value)).collect();
            let (name, kind) = (words.number(&signal.name), words.number(kind(signal.kind)));
            (name, kind, words.number(&signal.sort), u8::from(signal.focus), values)
        });
        let signals = signals.collect();
        let shows = trace.shows.as_deref().map(|shows| ShowsView {
            claim: &shows.claim,
            whole: shows.whole,
            loop_to: shows.loop_to,
            branches: (shows.branches.iter())
                .map(|branch| BranchView { step: branch.step, trace: self.trace(Some(&branch.trace), words) })
                .collect(),
        });
        self.traces.push(TraceView { steps: trace.steps, signals, shows });
        self.traces.len() as i64 - 1
    }

    /// The number of a witness; -1 if there is none.
    pub(super) fn witness(&mut self, witness: Option<&'r Witness>, words: &mut Words<'r>) -> i64 {
        let Some(witness) = witness else { return -1 };
        let view = WitnessView {
            design: self.trace(witness.design.as_ref(), words),
            mutant: self.trace(witness.mutant.as_ref(), words),
            observation: witness.observation.as_deref(),
            observed: &witness.observed,
            depth: witness.depth,
            shortest: witness.shortest,
            reason: witness.reason.as_deref(),
            file: witness.file.as_deref(),
        };
        self.witnesses.push(view);
        self.witnesses.len() as i64 - 1
    }
}

fn kind(kind: TraceSignalKind) -> &'static str {
    match kind {
        TraceSignalKind::Input => "input",
        TraceSignalKind::State => "state",
        TraceSignalKind::Output => "output",
        TraceSignalKind::Wire => "wire",
        TraceSignalKind::Instance => "instance",
        TraceSignalKind::Function => "function",
        TraceSignalKind::Free => "free",
    }
}
