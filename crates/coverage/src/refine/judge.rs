//! The way to a verdict about a flip: evidence is made, and the independent checker accepts it.

use super::base::{Base, small_simulation};
use super::kill::{Common, Kill};
use super::setting::Setting;
use super::similarity::Similarity;
use super::watch::Watch;
use super::{Stats, Stopped, patch};
use propcov_certify::{RefinementChecker, Rejection};
use propcov_ir::{LabelFlip, Patch, Simulation};

/// Makes evidence about mutants of an implementation that is simulated.
pub(super) struct Judge<'s> {
    pub(super) setting: &'s Setting<'s>,
    pub(super) base: Base,
    checker: RefinementChecker<'s>,
}

/// What the checker does not accept is a bug.
pub(super) fn refused(rejection: &Rejection) -> Stopped {
    Stopped::Internal(format!("the checker refused evidence about simulation: {rejection}"))
}

impl<'s> Judge<'s> {
    /// With a simulation from the greatest one.
    pub(super) fn new(
        setting: &'s Setting<'s>,
        similarity: &Similarity<'_>,
        watch: &mut Watch<'_>,
        stats: &mut Stats,
    ) -> Result<(Judge<'s>, Simulation), Stopped> {
        let start = std::time::Instant::now();
        let mut checker = RefinementChecker::new(setting.implementation, setting.specification)
            .map_err(|rejection| refused(&rejection))?;
        let simulation = small_simulation(similarity, watch)?;
        checker.accept_simulation(simulation.clone()).map_err(|rejection| refused(&rejection))?;
        stats.accepted(simulation.pairs.len());
        let base = Base::new(&simulation, similarity);
        stats.certifying += start.elapsed();
        Ok((Judge { setting, base, checker }, simulation))
    }

    /// The mutant is not simulated: this state has lost everything.
    pub(super) fn covered(
        &self,
        similarity: &Similarity<'_>,
        flip: LabelFlip,
        lost: u32,
        common: &Common,
        stats: &mut Stats,
    ) -> Result<(), Stopped> {
        let start = std::time::Instant::now();
        let kill = Kill::new(similarity, Some(flip), lost, common);
        let verdict = self.checker.check_kill(flip, kill.at, &kill.tail, &kill.refutations);
        verdict.map_err(|rejection| refused(&rejection))?;
        stats.accepted(kill.refutations.len());
        stats.certifying += start.elapsed();
        Ok(())
    }

    /// What all mutants of a proposition have in common, where all of its labels are free. Flips are all that there are.
    pub(super) fn common(
        &self,
        similarity: &Similarity<'_>,
        flips: &[LabelFlip],
        stats: &mut Stats,
    ) -> Result<Common, Stopped> {
        let Some(first) = flips.first() else { return Ok(Common::default()) };
        let start = std::time::Instant::now();
        let (common, refutations) = Common::new(similarity, flips);
        let verdict = self.checker.accept_common(first.proposition, &refutations);
        verdict.map_err(|rejection| refused(&rejection))?;
        stats.accepted(refutations.len());
        stats.certifying += start.elapsed();
        Ok(common)
    }

    /// Decides a mutant by mending the simulation of the implementation; what is alive contains its greatest simulation. `false` if it is covered.
    pub(super) fn mend(
        &self,
        similarity: &mut Similarity<'_>,
        flip: LabelFlip,
        watch: &mut Watch<'_>,
        stats: &mut Stats,
    ) -> Result<bool, Stopped> {
        let start = std::time::Instant::now();
        let (patch, answers) = patch::flipped(similarity, &self.base, flip, watch)?;
        stats.answers += answers;
        stats.searching += start.elapsed();
        let start = std::time::Instant::now();
        if let Some(patch) = &patch {
            self.accept_patch(flip, patch, stats)?;
        }
        stats.certifying += start.elapsed();
        Ok(patch.is_some())
    }

    /// Whether the simulation of the implementation is one of the mutant as well.
    pub(super) fn is_indifferent(&self, flip: LabelFlip) -> bool {
        let label = self.setting.implementation.label(flip.state, flip.proposition).flipped();
        let says = |partner: &u32| self.setting.specification.label(*partner, flip.proposition);
        self.base.partners(flip.state).iter().all(|partner| says(partner).accepts(label))
    }

    pub(super) fn accept_patch(
        &self,
        flip: LabelFlip,
        patch: &Patch,
        stats: &mut Stats,
    ) -> Result<(), Stopped> {
        self.checker.check_patch(flip, patch).map_err(|rejection| refused(&rejection))?;
        stats.accepted(patch.removed.len() + patch.added.len());
        Ok(())
    }

    /// The specification simulates the implementation even if it lacks a transition.
    pub(super) fn accept_lacking(
        &self,
        transition: (u32, u32),
        patch: &Patch,
        stats: &mut Stats,
    ) -> Result<(), Stopped> {
        let verdict = self.checker.check_without_transition(transition, patch);
        verdict.map_err(|rejection| refused(&rejection))?;
        stats.accepted(patch.removed.len() + patch.added.len());
        Ok(())
    }
}

/// A caller's mistake: coverage is defined for implementations that are simulated.
pub(super) fn not_simulated() -> Stopped {
    Stopped::Internal("coverage of an implementation that is not simulated".to_owned())
}

/// A bug: mending refuted what is in the greatest simulation.
pub(super) fn unfinished() -> Stopped {
    Stopped::Internal("a mutant was refuted that is simulated".to_owned())
}
