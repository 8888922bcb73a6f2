//! Is the implementation simulated? What is found out to see that is the start of all other questions, and is found out once.
//!
//! Verdict, coverage and criteria start from the same greatest simulation. A closure is given it, so that nothing of it has to own what it borrows.

use super::judge::{Judge, not_simulated, refused};
use super::kill::{Common, Kill};
use super::product::Product;
use super::setting::Setting;
use super::similarity::{Ending, Similarity};
use super::stats::timed;
use super::watch::Watch;
use super::{Answer, Coverage, Criteria, Observer, Options, Pair, Stats, Stopped, UnmatchedTransition};
use propcov_budget::Budget;
use propcov_certify::RefinementChecker;
use propcov_ir::{Distinction, LabelFlip, Simulation};

/// An implementation that is simulated, as the checker has accepted. Coverage and criteria are questions about this.
pub struct Simulated<'s> {
    pub(super) judge: Judge<'s>,
    /// The greatest simulation; everything is propagated.
    pub(super) similarity: Similarity<'s>,
    simulation: Simulation,
    /// Memory of all this.
    pub(super) bytes: usize,
}

impl Simulated<'_> {
    /// What the checker has accepted.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }
}

/// Finds out whether the specification simulates the implementation, and asks something about that, or about why it does not.
///
/// # Errors
/// When the budget does not suffice, or the checker refuses the evidence.
pub fn study<R>(
    pair: &Pair,
    budget: &Budget,
    stats: &mut Stats,
    ask: impl FnOnce(Result<Simulated<'_>, Distinction>) -> R,
) -> Result<R, Stopped> {
    let watch = &mut Watch::new(budget);
    let setting = timed(&mut stats.preparing, || Setting::new(pair, watch))?;
    let product = timed(&mut stats.preparing, || Product::new(&setting, &setting.fits, watch))?;
    let mut similarity =
        timed(&mut stats.preparing, || Similarity::new(&setting, &product, Ending::Early, watch))?;
    stats.pairs += product.pairs.len() as u64;
    stats.counters += product.questions.len() as u64;
    timed(&mut stats.searching, || similarity.propagate(watch))?;
    stats.run(similarity.take_work());
    let bytes = setting.bytes() + product.bytes() + similarity.bytes();
    stats.note_size(bytes);
    if let Some(lost) = similarity.ended() {
        stats.ended_early += 1;
        let distinction = distinction(&setting, &similarity, lost, stats)?;
        return Ok(ask(Err(distinction)));
    }
    let (judge, simulation) = Judge::new(&setting, &similarity, watch, stats)?;
    Ok(ask(Ok(Simulated { judge, similarity, simulation, bytes })))
}

/// Why it is not simulated: this state has lost everything.
fn distinction(
    setting: &Setting<'_>,
    similarity: &Similarity<'_>,
    lost: u32,
    stats: &mut Stats,
) -> Result<Distinction, Stopped> {
    let start = std::time::Instant::now();
    let distinction = Kill::new(similarity, None, lost, &Common::default()).distinction(setting);
    RefinementChecker::new(setting.implementation, setting.specification)
        .and_then(|checker| checker.check_distinction(None, &distinction))
        .map_err(|rejection| refused(&rejection))?;
    stats.accepted(distinction.refutations.len());
    stats.certifying += start.elapsed();
    Ok(distinction)
}

/// Whether the specification simulates the implementation.
///
/// # Errors
/// As [`study`].
pub fn simulate(pair: &Pair, budget: &Budget, stats: &mut Stats) -> Result<Answer, Stopped> {
    study(pair, budget, stats, |found| match found {
        Ok(simulated) => Answer::Simulated(simulated.simulation),
        Err(distinction) => Answer::Distinguished(distinction),
    })
}

/// Which flips are covered, for those who ask nothing else: [`Simulated::cover`].
///
/// # Errors
/// As there, and as [`study`]; also if the specification does not simulate the implementation.
pub fn cover(
    pair: &Pair,
    flips: &[LabelFlip],
    options: &Options,
    observer: &dyn Observer,
) -> Result<Coverage, Stopped> {
    let mut stats = Stats::default();
    let coverage = study(pair, &options.budget, &mut stats, |found| {
        found.map_err(|_| not_simulated())?.cover(flips, options, observer)
    });
    let mut coverage = coverage??;
    coverage.stats.add(&stats);
    Ok(coverage)
}

/// The four criteria, for those who ask nothing else: [`Simulated::criteria`].
///
/// # Errors
/// As there, and as [`study`]; also if the specification does not simulate the implementation.
pub fn criteria(pair: &Pair, budget: &Budget, stats: &mut Stats) -> Result<Criteria, Stopped> {
    let mut own = Stats::default();
    let found =
        study(pair, budget, stats, |found| found.map_err(|_| not_simulated())?.criteria(budget, &mut own));
    stats.add(&own);
    found?
}

/// The third criterion as KGG99 has it, for those who ask nothing else: [`Simulated::unmatched_transitions`].
///
/// # Errors
/// As there, and as [`study`]; also if the specification does not simulate the implementation.
pub fn unmatched_transitions(pair: &Pair, budget: &Budget) -> Result<Vec<UnmatchedTransition>, Stopped> {
    study(pair, budget, &mut Stats::default(), |found| {
        found.map_err(|_| not_simulated())?.unmatched_transitions(budget)
    })?
}
