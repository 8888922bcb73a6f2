//! What was found out about one property, whatever its kind. Reports ask questions here, not for variants.

use propcov_ir::{
    Ctl, CtlVerdict, Demonstration, Lasso, LivenessProof, LivenessVerdict, Proof, Trace, UnknownReason,
    Verdict,
};

/// The answer to a property.
#[derive(Clone, Debug)]
pub enum Answer {
    /// About an invariant; for a CTL property `AG p`, a proof that p is one.
    Invariant(Verdict),
    /// About a CTL property.
    Ctl(CtlVerdict),
    /// About a justice property or a formula of linear time.
    Liveness(LivenessVerdict),
    /// No answer to `AG p`, but a run that violates p and may not go on for ever.
    Stray(UnknownReason, Trace),
}

impl Answer {
    /// No answer, and why.
    pub fn unknown(reason: UnknownReason) -> Answer {
        Answer::Invariant(Verdict::Unknown(reason))
    }

    /// That a run violates p, and that this does not refute `AG p`: something might keep that run from going on for ever.
    pub fn unfair_violation(run: Option<Trace>) -> Answer {
        let why = "a run violates it, but fairness or constraints may keep that run from going on for ever";
        let reason = UnknownReason::Incomplete(why.to_owned());
        match run {
            Some(run) => Answer::Stray(reason, run),
            None => Answer::unknown(reason),
        }
    }

    /// That a run violates p, where every run can go on: this refutes `AG p`.
    pub fn of_violation(formula: &Ctl, trace: Trace) -> Answer {
        Answer::Ctl(CtlVerdict::Fails(Some(Demonstration {
            claim: formula.normal_form(true),
            essential: trace.steps.len(),
            steps: trace.steps,
            loop_to: None,
            branches: Vec::new(),
        })))
    }

    /// Whether the property holds.
    pub fn is_proved(&self) -> bool {
        matches!(
            self,
            Answer::Invariant(Verdict::Proved(_))
                | Answer::Ctl(CtlVerdict::Holds(_))
                | Answer::Liveness(LivenessVerdict::Holds(_))
        )
    }

    /// Whether it does not.
    pub fn is_falsified(&self) -> bool {
        matches!(
            self,
            Answer::Invariant(Verdict::Falsified(_))
                | Answer::Ctl(CtlVerdict::Fails(_))
                | Answer::Liveness(LivenessVerdict::Fails(_))
        )
    }

    /// Why there is no answer, if there is none.
    pub fn reason(&self) -> Option<&UnknownReason> {
        match self {
            Answer::Invariant(Verdict::Unknown(reason))
            | Answer::Ctl(CtlVerdict::Unknown(reason))
            | Answer::Liveness(LivenessVerdict::Unknown(reason)) => Some(reason),
            Answer::Stray(reason, _) => Some(reason),
            _ => None,
        }
    }

    /// That no run of so many transitions violates an invariant, where nothing else is known.
    pub fn bound(&self) -> Option<u32> {
        match self {
            Answer::Invariant(Verdict::Unknown(UnknownReason::Bounded(depth))) => Some(*depth),
            _ => None,
        }
    }

    /// Whether it is one or the other.
    pub fn is_decided(&self) -> bool {
        self.reason().is_none()
    }

    /// The word for it.
    pub fn name(&self) -> &'static str {
        match (self.is_proved(), self.is_falsified()) {
            (true, _) => "proved",
            (_, true) => "falsified",
            _ => "unknown",
        }
    }

    /// The inductive proof, if that is what it rests on.
    pub fn proof(&self) -> Option<&Proof> {
        match self {
            Answer::Invariant(Verdict::Proved(proof)) => Some(proof),
            _ => None,
        }
    }

    /// The run that ends in a violation, if that is what it rests on.
    pub fn trace(&self) -> Option<&Trace> {
        match self {
            Answer::Invariant(Verdict::Falsified(trace)) => Some(trace),
            _ => None,
        }
    }

    /// The infinite run that violates a liveness property.
    pub fn lasso(&self) -> Option<&Lasso> {
        match self {
            Answer::Liveness(LivenessVerdict::Fails(lasso)) => Some(lasso),
            _ => None,
        }
    }

    /// The proof of a liveness property.
    pub fn liveness_proof(&self) -> Option<&LivenessProof> {
        match self {
            Answer::Liveness(LivenessVerdict::Holds(proof)) => proof.as_ref(),
            _ => None,
        }
    }

    /// The run that violates p, if that refutes nothing yet.
    pub fn stray(&self) -> Option<&Trace> {
        match self {
            Answer::Stray(_, trace) => Some(trace),
            _ => None,
        }
    }

    /// The run that shows why a CTL property fails, or holds.
    pub fn demonstration(&self) -> Option<&Demonstration> {
        match self {
            Answer::Ctl(CtlVerdict::Holds(shown) | CtlVerdict::Fails(shown)) => shown.as_ref(),
            _ => None,
        }
    }

    /// Transitions of the run that refutes the property.
    pub fn depth(&self) -> Option<u32> {
        let transitions = match (self.trace(), self.demonstration(), self.lasso()) {
            (Some(trace), ..) => trace.depth(),
            (None, Some(shown), _) => shown.essential.saturating_sub(1),
            // The one that closes the loop is a transition as well.
            (None, None, Some(lasso)) => lasso.trace.steps.len(),
            (None, None, None) => return None,
        };
        u32::try_from(transitions).ok()
    }
}
