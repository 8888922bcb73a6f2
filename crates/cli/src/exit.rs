//! Exit codes: one enumeration for all commands, documented in `propcov help exit-codes` from the table here.

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitCode {
    /// Everything asked for was established.
    Good = 0,
    /// The arguments or the input are wrong, or a result could not be written.
    BadInput = 1,
    /// A property failed.
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
    pub(crate) const MEANINGS: &[(ExitCode, &str)] = &[
        (
            ExitCode::Good,
            "good: every property was proved, every proof was certified (of CTL properties, where `certified` says so), and coverage \
             is what was asked for",
        ),
        (
            ExitCode::BadInput,
            "usage or input error: wrong arguments, a file that cannot be read, a result that cannot be written",
        ),
        (
            ExitCode::Failed,
            "a property failed: there is a counterexample, and it was replayed (of CTL properties, where `certified` says so); or a \
             specification does not simulate an implementation",
        ),
        (ExitCode::BelowThreshold, "coverage is below the threshold asked for"),
        (
            ExitCode::Undecided,
            "undecided: a property or a mutant is unknown within the limits (time, conflicts, bound, Ctrl-C), there is \
             no property at all, or the assumptions conflict or no initial state is fair, so that proofs mean nothing; mutants left undecided by \
             --accuracy or --budget are no reason, as that was asked for",
        ),
        (
            ExitCode::Internal,
            "internal error: evidence was rejected by the independent checker, or an engine crashed",
        ),
    ];

    /// The code that says more, when two things happened in one run.
    pub(crate) fn and(self, other: ExitCode) -> ExitCode {
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
