//! What was left open and why, and what did not have to be found out again.

use crate::mutants::{Mutant, Standing};
use crate::terminal::{Page, Span};
use crate::words::plural;
use propcov_result::{FindingVerdict, RunResult, Stop};

/// Why a run stopped, in words.
fn reason(stop: Stop, is_shard: bool) -> &'static str {
    match stop {
        Stop::Accuracy => "the accuracy asked for was reached",
        Stop::Budget => "the budget was used up",
        Stop::Timeout => "out of time",
        Stop::Memory => "out of memory",
        Stop::Interrupted => "the run was interrupted",
        Stop::Effort => "the default effort was used up (--effort max goes on)",
        Stop::Techniques => "the techniques chosen do not decide more",
        Stop::Shard if is_shard => "they belong to other shards (`propcov report --merge` unites them)",
        Stop::Shard => "no shard has decided them",
    }
}

/// Writes how much is undecided.
pub(super) fn write(result: &RunResult, mutants: &[&Mutant<'_>], page: &mut Page) {
    let findings = mutants.iter().flat_map(|mutant| &mutant.findings);
    let open = findings.filter(|finding| finding.verdict == FindingVerdict::Unknown).count();
    let Some(stop) = result.run.stop.filter(|_| open > 0) else { return };
    let unknown = mutants.iter().filter(|mutant| mutant.standing == Standing::Unknown).count();
    let unknown = match unknown {
        0 => "but no mutant is unknown".to_owned(),
        unknown => format!("so {} unknown", plural(unknown, "mutant is", "mutants are")),
    };
    let open = plural(open, "finding is", "findings are");
    let again = match result.run.directory.is_some()
        && !matches!(stop, Stop::Techniques | Stop::Effort | Stop::Shard)
    {
        true => " The same command goes on from here.",
        false => "",
    };
    page.gap();
    page.say(0, format!("{open} undecided, {unknown}: {}.{again}", reason(stop, result.run.shard.is_some())));
}

/// Writes what comes from earlier runs.
pub(super) fn reused(result: &RunResult, mutants: &[&Mutant<'_>], page: &mut Page) {
    let (Some(reused), Some(directory)) = (result.stats.reused, &result.run.directory) else { return };
    if reused > 0 {
        // What a mutant does is no finding about a property.
        let of_property =
            |mutant: &&Mutant<'_>| mutant.findings.iter().filter(|one| one.property.is_some()).count();
        let all: usize = mutants.iter().map(of_property).sum();
        let all = plural(all.max(reused), "finding", "findings");
        let text = format!("{reused} of {all} come from earlier runs and were checked again: ");
        page.gap();
        page.spans(0, &[text.into(), Span::whole(directory)]);
    }
}
