//! Options that do nothing with the metrics of a run: they are pointed out, and no error.

use crate::cover::arguments::{CoverArguments, DEFAULT_EDITS};
use propcov::Effort;

/// The metrics that are about elements.
const OF_ELEMENTS: &[&str] = &["reach", "cone", "core", "must", "may", "model", "mutation"];
/// Those of cores.
const OF_CORES: &[&str] = &["core", "must", "may", "model"];
/// Those of states.
const OF_STATES: &[&str] = &["state", "transition"];
const MUTATION: &[&str] = &["mutation"];
/// Those that have runs to show, and effort to make.
const WITH_RUNS: &[&str] = &["reach", "mutation"];

/// What to say, line by line.
pub(super) fn notes(arguments: &CoverArguments, metrics: &[String]) -> String {
    let has = |wanted: &[&str]| metrics.iter().any(|metric| wanted.contains(&metric.as_str()));
    let effort = &arguments.effort;
    let mut idle = Vec::new();
    if !has(OF_ELEMENTS) {
        idle.extend(names(&[
            (!arguments.elements.is_empty(), "--elements"),
            (!arguments.exclude.is_empty(), "--exclude"),
        ]));
    }
    if !has(MUTATION) {
        idle.extend(names(&[
            (arguments.edits.join(",") != DEFAULT_EDITS, "--edits"),
            (arguments.accuracy.is_some(), "--accuracy"),
            (arguments.budget.is_some(), "--budget"),
            (arguments.witness, "--witness"),
            (!effort.tests.is_empty(), "--tests"),
            (effort.naive, "--naive"),
        ]));
    }
    if !has(WITH_RUNS) {
        idle.extend(names(&[(arguments.traces, "--traces"), (effort.effort != Effort::Default, "--effort")]));
    }
    if !has(OF_ELEMENTS) {
        idle.extend(names(&[(arguments.bits, "--bits")]));
    }
    if !has(MUTATION) && !has(OF_STATES) {
        idle.extend(names(&[(!arguments.observed().is_empty(), "--observe")]));
    }
    if !has(OF_STATES) {
        idle.extend(arguments.states.given());
    }
    if !has(OF_CORES) {
        idle.extend(arguments.cores.given());
    }
    let metrics = metrics.join(",");
    let mut text = match idle.as_slice() {
        [] => String::new(),
        [one] => format!("note: {one} does nothing with --metric {metrics}\n"),
        several => format!("note: {} do nothing with --metric {metrics}\n", several.join(", ")),
    };
    if arguments.traces && arguments.format.name != "json" {
        text.push_str("note: --traces does nothing without --format json\n");
    }
    text
}

/// The names of options that were given.
pub(super) fn names(options: &[(bool, &'static str)]) -> Vec<&'static str> {
    options.iter().filter(|(is_given, _)| *is_given).map(|(_, name)| *name).collect()
}
