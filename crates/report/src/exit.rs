//! Exit codes: one enumeration for all commands, documented in `propcov help exit-codes` from the table here, and what follows from a result.
//!
//! Everything that went wrong has its say, and the worst counts. What was left undecided because the user said how much is enough (`--accuracy`, `--budget`) is not held against a run;
//! a property without a verdict is, whatever else was asked for.

use propcov_result::{
    Assumptions, CoreRow, Effect, Finding, Gate, NoteKind, Property, PropertyImpact, Refinement,
};
use propcov_result::{
    Diff, ELSEWHERE, REACH, RunResult, Scope, Share, Stop, Subject, ThresholdVerdict, Verdict,
};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitCode {
    /// Everything asked for was established.
    Good = 0,
    /// The arguments or the input are wrong, or a result could not be written.
    BadInput = 1,
    /// A property failed, or a cover is unreachable.
    Failed = 2,
    /// Coverage is below the threshold that was asked for.
    BelowThreshold = 3,
    /// Something is undecided, and nothing failed.
    Undecided = 4,
    /// A bug in propcov, for example evidence that the checker rejects.
    Internal = 5,
}

impl ExitCode {
    /// All codes, each with what it means.
    pub const MEANINGS: &[(ExitCode, &str)] = &[
        (
            ExitCode::Good,
            "good: every property was proved (in a task with `mode bmc`: holds up to its depth), every cover was reached, every proof was \
             certified (of CTL properties, where `certified` says so), and coverage is what was asked for",
        ),
        (
            ExitCode::BadInput,
            "usage or input error: wrong arguments, a file that cannot be read, a result that cannot be written",
        ),
        (
            ExitCode::Failed,
            "a property failed: there is a counterexample, and it was replayed (of CTL properties, where `certified` says so); or no run \
             reaches a cover, and that is proved; or a specification does not simulate an implementation",
        ),
        (
            ExitCode::BelowThreshold,
            "coverage is below a threshold asked for; with `report --diff`, less is covered than before",
        ),
        (
            ExitCode::Undecided,
            "undecided: a property, a mutant or a threshold is unknown within the limits (time, conflicts, bound, Ctrl-C), there is \
             no property at all, or the assumptions conflict or no initial state is fair, so that proofs mean nothing; mutants left undecided by \
             --accuracy or --budget are no reason, as that was asked for; with `impact`, a property does not keep its proof",
        ),
        (
            ExitCode::Internal,
            "internal error: evidence was rejected by the independent checker, or an engine crashed",
        ),
    ];

    /// What it means as the end of a command.
    pub fn meaning_of(self, command: &str) -> &'static str {
        match (self, command) {
            (ExitCode::Good, "check" | "explain") => {
                "good: every property was proved and every cover reached"
            }
            (ExitCode::Good, "cover") => {
                "good: every property was proved, everything was decided, and coverage is what was asked for"
            }
            (ExitCode::Good, "cores") => {
                "good: every property was proved, and the cores asked for were found"
            }
            (ExitCode::Good, "refine") => "good: the specification simulates the implementation",
            (ExitCode::Good, "verify") => "good: all evidence holds",
            (ExitCode::BadInput, "verify") => "some evidence does not hold, or cannot be read",
            (ExitCode::Failed, "refine") => "the specification does not simulate the implementation",
            (ExitCode::Failed, _) => "a property failed, or no run reaches a cover",
            (ExitCode::BelowThreshold, _) => "coverage is below a threshold asked for",
            (ExitCode::Undecided, "verify") => "some evidence was not checked",
            (ExitCode::Undecided, "refine") => "undecided within the limits",
            (ExitCode::Undecided, "check") => {
                "undecided: a property is unknown within the limits, there is none, or proofs mean nothing"
            }
            (ExitCode::Undecided, _) => {
                "undecided: a property, an edit or a threshold is unknown within the limits, or proofs mean nothing"
            }
            _ => Self::MEANINGS.iter().find(|(other, _)| *other == self).map_or("", |(_, text)| text),
        }
    }

    /// The code that says more, when two things happened in one run.
    pub fn and(self, other: ExitCode) -> ExitCode {
        if other.severity() > self.severity() { other } else { self }
    }

    fn severity(self) -> u8 {
        match self {
            ExitCode::Good => 0,
            ExitCode::Undecided => 1,
            ExitCode::BelowThreshold => 2,
            ExitCode::Failed => 3,
            ExitCode::BadInput => 4,
            ExitCode::Internal => 5,
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> std::process::ExitCode {
        std::process::ExitCode::from(code as u8)
    }
}

/// The exit code of a run.
pub fn exit_code(result: &RunResult) -> ExitCode {
    let mut code = ExitCode::Good;
    let mut when = |holds: bool, then: ExitCode| {
        if holds {
            code = code.and(then);
        }
    };
    let is = |verdict: Verdict| result.properties.iter().any(|property| property.verdict == verdict);
    when(!result.run.internal_errors.is_empty(), ExitCode::Internal);
    when(result.notes.iter().any(|note| note.kind == NoteKind::Error), ExitCode::BadInput);
    if let Some(verification) = &result.verification {
        let is_open = verification.elsewhere > 0 && !verification.selected;
        when(!verification.failing.is_empty(), ExitCode::BadInput);
        when(is_open || !verification.unchecked.is_empty(), ExitCode::Undecided);
        return code;
    }
    if let Some(impact) = &result.impact {
        let is_kept = |property: &PropertyImpact| property.effect == Effect::Keeps;
        when(!impact.properties.iter().all(is_kept), ExitCode::Undecided);
        return code;
    }
    when(is(Verdict::Falsified) || is(Verdict::Unreachable), ExitCode::Failed);
    when(
        result.refinement.as_ref().is_some_and(|refinement| refinement.simulates == Some(false)),
        ExitCode::Failed,
    );
    let is_judged =
        |verdict: ThresholdVerdict| result.run.thresholds.iter().any(|one| one.verdict == verdict);
    when(is_judged(ThresholdVerdict::Missed), ExitCode::BelowThreshold);
    when(is_judged(ThresholdVerdict::Undecided), ExitCode::Undecided);
    when(is_undecided(result), ExitCode::Undecided);
    code
}

/// The exit code of thresholds that a kept result was compared with: nothing else is said again about the run.
pub fn threshold_exit_code(result: &RunResult) -> ExitCode {
    let is = |verdict: ThresholdVerdict| result.run.thresholds.iter().any(|one| one.verdict == verdict);
    match () {
        () if is(ThresholdVerdict::Missed) => ExitCode::BelowThreshold,
        () if is(ThresholdVerdict::Undecided) => ExitCode::Undecided,
        () => ExitCode::Good,
    }
}

/// The exit code of a comparison: what got worse, and what is not known any more.
pub fn diff_exit_code(diff: &Diff) -> ExitCode {
    match () {
        () if !diff.is_comparable() => ExitCode::Undecided,
        () if diff.has_failed_properties() => ExitCode::Failed,
        () if diff.has_less_coverage() => ExitCode::BelowThreshold,
        () if diff.has_lost() => ExitCode::Undecided,
        () => ExitCode::Good,
    }
}

/// Whether something that was asked for was not found out.
fn is_undecided(result: &RunResult) -> bool {
    let is_open = |property: &Property| match property.verdict {
        Verdict::Unknown => property.reason.as_deref() != Some(ELSEWHERE),
        Verdict::Bounded => !is_bound_wanted(result, property),
        Verdict::Proved | Verdict::Falsified | Verdict::Reached | Verdict::Unreachable => false,
    };
    let is_pointless = match &result.refinement {
        Some(refinement) => refinement.simulates.is_none(),
        None => {
            let is_reach = |share: &Share| share.metric == REACH;
            let asks_nothing = result.properties.is_empty() && !result.shares.iter().any(is_reach);
            asks_nothing || result.gate.as_ref().is_some_and(says_nothing)
        }
    };
    if is_pointless || result.properties.iter().any(is_open) {
        return true;
    }
    match result.run.stop {
        // The user said that this much is enough.
        Some(Stop::Accuracy | Stop::Budget) => false,
        // A share is not asked about the others. Where they are united, somebody has not found it out.
        Some(Stop::Shard) => result.run.shard.is_none(),
        Some(Stop::Timeout | Stop::Memory | Stop::Interrupted | Stop::Effort | Stop::Techniques) => true,
        None => is_coverage_undecided(result),
    }
}

/// Whether verdicts say nothing about the design.
fn says_nothing(gate: &Gate) -> bool {
    let has_no_fair_run = gate.fairness.as_ref().is_some_and(|fairness| fairness.start == Some(false));
    gate.assumptions == Assumptions::Conflicting || has_no_fair_run
}

/// Where cores of bounded proofs were asked for, or what properties cover up to a bound, no violation up to the bound is what was wanted. So it is in a task of a project
/// with `mode bmc`.
fn is_bound_wanted(result: &RunResult, property: &Property) -> bool {
    let is_bounded =
        |row: &CoreRow| row.depth.is_some() && row.holds && row.property.as_ref() == Some(&property.name);
    let is_measured = |share: &Share| matches!(&share.scope, Scope::Property(name) if *name == property.name);
    let asked = result.design.as_ref().and_then(|design| design.task_bound);
    let is_asked = asked.is_some_and(|bound| property.depth.is_some_and(|depth| depth >= bound));
    is_asked || result.cores.iter().any(is_bounded) || result.shares.iter().any(is_measured)
}

/// Whether a metric leaves something open.
fn is_coverage_undecided(result: &RunResult) -> bool {
    let is_headline = |share: &Share| matches!(share.scope, Scope::All | Scope::Observed(_));
    let is_open = |share: &Share| is_headline(share) && !share.tally.unknown.is_zero();
    // A run into a set of states is looked for only where the user asked for it.
    let is_missing = |finding: &Finding| {
        let has_reason = finding.witness.as_ref().is_some_and(|witness| witness.reason.is_some());
        matches!(finding.subject, Subject::Cube(_)) && has_reason
    };
    let has_reason = |refinement: &Refinement| refinement.reason.is_some();
    result.shares.iter().any(is_open)
        || result.cores.iter().any(|row| row.holds && !row.answered)
        || result.states.iter().any(|row| row.reason.is_some() || row.not_listed.is_some())
        || result.findings.iter().any(is_missing)
        || result.refinement.as_ref().is_some_and(has_reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_property_outweighs_an_undecided_one_and_a_bug_outweighs_all() {
        assert_eq!(ExitCode::Undecided.and(ExitCode::Failed), ExitCode::Failed);
        assert_eq!(ExitCode::Failed.and(ExitCode::Undecided), ExitCode::Failed);
        assert_eq!(ExitCode::Good.and(ExitCode::Undecided), ExitCode::Undecided);
        for (code, _) in ExitCode::MEANINGS {
            assert_eq!(code.and(ExitCode::Internal), ExitCode::Internal);
            assert_eq!(code.and(ExitCode::Good), *code);
        }
    }

    #[test]
    fn the_documented_codes_are_zero_to_five_in_order() {
        let codes: Vec<u8> = ExitCode::MEANINGS.iter().map(|(code, _)| *code as u8).collect();
        assert_eq!(codes, [0, 1, 2, 3, 4, 5]);
    }
}
