//! One question: is the implementation simulated, or one of its mutants?

use super::base::small_simulation;
use super::judge::{Judge, refused, similarity};
use super::kill::{Common, Kill};
use super::product::Product;
use super::setting::Setting;
use super::similarity::{Ending, Similarity};
use super::stats::timed;
use super::watch::Watch;
use super::{Answer, Explanation, Pair, Stats, Stopped};
use propcov_certify::RefinementChecker;
use propcov_ir::LabelFlip;
use propcov_sat::Budget;

/// Whether the specification simulates the implementation.
///
/// # Errors
/// When the budget does not suffice, or the checker refuses the evidence.
pub fn simulate(pair: &Pair, budget: &Budget, stats: &mut Stats) -> Result<Answer, Stopped> {
    let watch = &mut Watch::new(budget);
    let setting = timed(&mut stats.preparing, || Setting::new(pair, watch))?;
    let product = timed(&mut stats.preparing, || Product::new(&setting, &setting.fits, watch))?;
    let similarity = similarity(&setting, &product, watch, stats)?;
    match similarity.ended() {
        None => Ok(Answer::Simulated(Judge::new(&setting, &similarity, watch, stats)?.1)),
        Some(lost) => {
            stats.ended_early += 1;
            let start = std::time::Instant::now();
            let distinction = Kill::new(&similarity, None, lost, &Common::default()).distinction(&setting);
            RefinementChecker::new(pair.implementation(), pair.specification())
                .and_then(|checker| checker.check_distinction(None, &distinction))
                .map_err(|rejection| refused(&rejection))?;
            stats.accepted(distinction.refutations.len());
            stats.certifying += start.elapsed();
            Ok(Answer::Distinguished(distinction))
        }
    }
}

/// Evidence about one flip, computed anew. The specification simulates the implementation, and the label is not open.
///
/// # Errors
/// When the budget does not suffice, or the checker refuses the evidence.
pub fn explain(pair: &Pair, flip: LabelFlip, budget: &Budget) -> Result<Explanation, Stopped> {
    super::cover::check_flip(pair, flip)?;
    let watch = &mut Watch::new(budget);
    let setting = Setting::new(pair, watch)?;
    if !setting.tree.is_reached(flip.state) {
        return Ok(Explanation::Unreachable);
    }
    let mut fits = setting.fits.clone();
    fits.flip(pair.implementation(), &setting.acceptance, flip);
    let product = Product::new(&setting, &fits, watch)?;
    let mut similarity = Similarity::new(&setting, &product, Ending::EarlyFlipped(flip.state), watch)?;
    similarity.propagate(watch)?;
    if let Some(lost) = similarity.ended() {
        let distinction = Kill::new(&similarity, Some(flip), lost, &Common::default()).distinction(&setting);
        RefinementChecker::new(pair.implementation(), pair.specification())
            .and_then(|checker| checker.check_distinction(Some(flip), &distinction))
            .map_err(|rejection| refused(&rejection))?;
        return Ok(Explanation::Covered(distinction));
    }
    let simulation = small_simulation(&similarity, watch)?;
    let mutant = pair.implementation().flipped(flip);
    RefinementChecker::new(&mutant, pair.specification())
        .and_then(|mut checker| checker.accept_simulation(simulation.clone()))
        .map_err(|rejection| refused(&rejection))?;
    let of_flipped = simulation.pairs.iter().filter(|pair| pair.0 == flip.state);
    let partners = of_flipped.map(|pair| pair.1).collect();
    Ok(Explanation::Uncovered { simulation, partners })
}
