//! What a run took, as comma-separated values: a row for each number, with the design in front, so that tables of many runs can be put one after the other. Who decides how much, and after how many times the seconds
//! of the proof, are Figures 3 and 4 of H. Chockler, D. Kroening and M. Purandare (DAC 2010); with a run of `--naive` it is Figure 2.

use crate::csv::line;
use propcov_result::{FindingVerdict, RunResult, Verdict};

/// The columns.
const COLUMNS: [&str; 4] = ["design", "part", "name", "value"];

/// The table. See [`crate::csv`] for how it is written.
pub fn csv(result: &RunResult) -> String {
    let design = design(result);
    let mut text = String::new();
    line(COLUMNS.into_iter(), &mut text);
    for [part, name, value] in rows(result) {
        line([design.as_str(), &part, &name, &value].into_iter(), &mut text);
    }
    text
}

/// The files that were read.
fn design(result: &RunResult) -> String {
    let files = result.design.iter().flat_map(|design| design.files.iter().map(|file| file.path.as_str()));
    let models = result.refinement.iter().flat_map(|refinement| {
        [refinement.implementation.path.as_str(), refinement.specification.path.as_str()]
    });
    files.chain(models).collect::<Vec<_>>().join(" ")
}

fn rows(result: &RunResult) -> Vec<[String; 3]> {
    let stats = &result.stats;
    let mut rows = Vec::new();
    let mut row =
        |part: &str, name: &str, value: String| rows.push([part.to_owned(), name.to_owned(), value]);
    row("run", "version", result.run.version.clone());
    row("run", "command line", result.run.arguments.join(" "));
    let seconds = |seconds: f64| format!("{seconds:.6}");
    for (phase, taken) in &stats.seconds {
        row("seconds", phase, seconds(*taken));
    }
    row("seconds", "whole run", seconds(result.run.seconds));
    for (technique, count) in &stats.decided_by {
        row("decided by", technique, count.to_string());
    }
    let open = result.findings.iter().filter(|finding| finding.verdict == FindingVerdict::Unknown).count();
    let unproved = result.properties.iter().filter(|property| property.verdict == Verdict::Unknown).count();
    row("not decided", "findings", open.to_string());
    row("not decided", "properties", unproved.to_string());
    if let Some(reused) = stats.reused {
        row("of earlier runs", "findings", reused.to_string());
    }
    for (percent, taken) in &stats.decided_at {
        row("seconds until decided", &format!("{percent} %"), seconds(*taken));
    }
    if let Some(proof) = stats.seconds.get("proof").copied().filter(|proof| *proof > 0.0) {
        for (percent, taken) in &stats.decided_at {
            row("times the proof until decided", &format!("{percent} %"), format!("{:.3}", taken / proof));
        }
    }
    for (cause, calls) in &stats.solver_calls {
        row("solver calls", cause, calls.to_string());
    }
    for (what, count) in &stats.counts {
        row("count", what, count.to_string());
    }
    row("count", "solver ticks", stats.ticks.to_string());
    if let Some(states) = &stats.states {
        row("states", "reachable", states.reachable.to_string());
        row("states", "fair", states.fair.to_string());
        row("states", "diameter", states.diameter.to_string());
    }
    if let Some(diagrams) = &stats.diagrams {
        row("decision diagrams", "variables", diagrams.variables.to_string());
        row("decision diagrams", "nodes", diagrams.nodes.to_string());
        row("decision diagrams", "most nodes", diagrams.peak_nodes.to_string());
        row("decision diagrams", "reorderings", diagrams.reorderings.to_string());
        row("decision diagrams", "parts forwards", diagrams.parts.0.to_string());
        row("decision diagrams", "parts backwards", diagrams.parts.1.to_string());
    }
    rows
}
