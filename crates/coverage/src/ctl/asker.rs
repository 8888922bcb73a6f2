//! Questions to a measurement, which is not asked again after a crash.

use super::measure::{Measurement, Space};
use super::rows::Counts;
use dashu_int::UBig;
use propcov_ir::{CtlVerdict, PropertyKind, System, UnknownReason};
use propcov_result::Count;
use propcov_verify::{Answer, Outcome, PanicLog, Progress};

/// Asks a measurement.
pub(super) struct Asker<'r, 'p> {
    pub(super) system: &'r System,
    /// Gone when it could not be made, or has crashed.
    pub(super) measurement: Option<Measurement<'p>>,
    /// Why it is gone.
    pub(super) why: UnknownReason,
    pub(super) panics: &'r PanicLog,
    pub(super) progress: &'r dyn Progress,
    pub(super) internal_errors: Vec<String>,
}

impl<'p> Asker<'_, 'p> {
    pub(super) fn ask<T>(
        &mut self,
        question: impl FnOnce(&mut Measurement<'p>) -> Result<T, UnknownReason>,
    ) -> Result<T, UnknownReason> {
        let Some(measurement) = self.measurement.as_mut() else { return Err(self.why.clone()) };
        match self.panics.guard(|| question(measurement)) {
            Some(answer) => answer,
            None => {
                self.measurement = None;
                self.why = UnknownReason::Incomplete("internal error: measuring crashed".to_owned());
                self.internal_errors.extend(self.panics.take());
                Err(self.why.clone())
            }
        }
    }

    /// What there is to be covered.
    pub(super) fn space(&mut self) -> Result<(Space, Counts), UnknownReason> {
        self.progress.stage("what there is to be covered".to_owned());
        let space = self.ask(Measurement::space)?;
        let too_large = || UnknownReason::Incomplete("the transition relation is too large".to_owned());
        let space = space.ok_or_else(too_large)?;
        let count = |number: &UBig| Count::from(number.clone());
        let counts = Counts {
            unfair: count(&(&space.reachable - &space.excluded - &space.total)),
            reachable: count(&space.reachable),
            excluded: count(&space.excluded),
            total: count(&space.total),
        };
        Ok((space, counts))
    }

    /// Whether diagrams agree with other engines about invariants. A property about which they do not is unknown, and that is a bug.
    pub(super) fn confirm(&mut self, position: usize, outcome: &mut Outcome) {
        let is_invariant = matches!(self.system.property(outcome.property).kind, PropertyKind::Invariant(_));
        if !is_invariant || !outcome.answer.is_decided() {
            return;
        }
        let verdict = self.ask(|measurement| Ok(measurement.check(position)));
        let agrees = match verdict {
            Ok(CtlVerdict::Holds(_)) => outcome.answer.is_proved(),
            Ok(CtlVerdict::Fails(_)) => outcome.answer.is_falsified(),
            Ok(CtlVerdict::Unknown(_)) | Err(_) => true,
        };
        if !agrees {
            let why = "decision diagrams disagree".to_owned();
            outcome.answer = Answer::unknown(UnknownReason::NotCertified(why));
            outcome.certified = false;
            outcome.note_rejection();
        }
    }
}
