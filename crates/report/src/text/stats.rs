//! What a run took, with `--stats`.

use crate::terminal::{Align, Page, Table};
use crate::words::readable;
use propcov_result::RunResult;

/// Numbers have this width at least, so that the page looks the same however long the machine takes.
const WIDTH: usize = 12;

/// Writes a table.
pub(super) fn write(result: &RunResult, page: &mut Page) {
    let stats = &result.stats;
    let mut table = Table::new(&[Align::Left, Align::Right]);
    let mut row = |what: String, value: String| table.row([what, format!("{value:>WIDTH$}")]);
    for (phase, seconds) in &stats.seconds {
        row(format!("{phase} seconds"), format!("{seconds:.3}"));
    }
    let seconds = |phase: &str| stats.seconds.get(phase).copied();
    if let (Some(proof), Some(coverage)) = (seconds("proof"), seconds("coverage"))
        && proof > 0.0
    {
        row("coverage / proof".to_owned(), format!("{:.2}x", coverage / proof));
    }
    if let Some(reused) = stats.reused {
        row("findings of earlier runs".to_owned(), reused.to_string());
    }
    for (technique, count) in &stats.decided_by {
        row(format!("decided by {technique}"), count.to_string());
    }
    for (percent, seconds) in &stats.decided_at {
        row(format!("{percent} % decided after seconds"), format!("{seconds:.3}"));
    }
    for (cause, calls) in &stats.solver_calls {
        row(format!("solver calls, {cause}"), calls.to_string());
    }
    for (what, count) in &stats.counts {
        row(what.clone(), count.to_string());
    }
    row("solver ticks".to_owned(), stats.ticks.to_string());
    if let Some(states) = &stats.states {
        row("reachable states".to_owned(), readable(&states.reachable.to_string()));
        row("fair states among them".to_owned(), readable(&states.fair.to_string()));
        row("diameter".to_owned(), states.diameter.to_string());
    }
    if let Some(diagrams) = &stats.diagrams {
        row("bdd, variables".to_owned(), diagrams.variables.to_string());
        row("bdd, nodes".to_owned(), diagrams.nodes.to_string());
        row("bdd, most nodes".to_owned(), diagrams.peak_nodes.to_string());
        row("bdd, reorderings".to_owned(), diagrams.reorderings.to_string());
        row("bdd, parts of the relation".to_owned(), format!("{} + {}", diagrams.parts.0, diagrams.parts.1));
    }
    page.gap();
    page.say(0, "Statistics:");
    page.table(2, &table);
}
