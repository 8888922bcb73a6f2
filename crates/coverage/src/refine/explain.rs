//! Why one flip is covered or not, computed anew.

use super::base::small_simulation;
use super::cover::check_flip;
use super::judge::refused;
use super::kill::{Common, Kill};
use super::product::Product;
use super::setting::Setting;
use super::similarity::{Ending, Similarity};
use super::watch::Watch;
use super::{Explanation, Pair, Stopped};
use propcov_budget::Budget;
use propcov_certify::RefinementChecker;
use propcov_ir::LabelFlip;

/// Evidence about one flip, computed anew. The specification simulates the implementation, and the label is not open.
///
/// # Errors
/// When the budget does not suffice, or the checker refuses the evidence.
pub fn explain(pair: &Pair, flip: LabelFlip, budget: &Budget) -> Result<Explanation, Stopped> {
    check_flip(pair.implementation(), flip)?;
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
