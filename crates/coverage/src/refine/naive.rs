//! One mutant after the other, each from scratch: what the paper calls the naive approach, to compare with.
//!
//! Each run starts from the pairs that the product with this mutant reaches, like all runs here. The paper's would start from all pairs whose labels fit, and
//! be slower. Nothing ends early.

use super::FlipStatus;
use super::Stopped;
use super::cover::{Found, share};
use super::divide::Tree;
use super::judge::unfinished;
use super::kill::Common;
use super::product::Product;
use super::similarity::{Ending, Similarity};
use super::stats::timed;
use super::watch::Watch;
use propcov_ir::LabelFlip;

/// Decides all flips of a tree.
pub(super) fn one_by_one(tree: &Tree<'_>) -> Found {
    let workers: Vec<()> = vec![(); tree.options.threads.max(1)];
    let count = workers.len();
    let mut found = share(tree.flips.len(), workers, |(), claim| {
        let mut found = Found::default();
        let mut watch = Watch::new(&tree.options.budget);
        let mut result = Ok(());
        while result.is_ok() && !tree.progress.is_over() {
            let Some(task) = claim() else { break };
            result = decide(tree, tree.flips[task], &mut watch, &mut found);
        }
        found.end(result, tree.progress);
        found
    });
    found.stats.memory_bytes *= count as u64;
    found
}

fn decide(tree: &Tree<'_>, flip: LabelFlip, watch: &mut Watch<'_>, found: &mut Found) -> Result<(), Stopped> {
    let (judge, stats) = (tree.judge, &mut found.stats);
    let setting = judge.setting;
    let product = timed(&mut stats.preparing, || {
        let mut fits = setting.fits.clone();
        fits.flip(setting.implementation, &setting.acceptance, flip);
        Product::new(setting, &fits, watch)
    })?;
    let mut similarity =
        timed(&mut stats.preparing, || Similarity::new(setting, &product, Ending::Never, watch))?;
    stats.pairs += product.pairs.len() as u64;
    stats.counters += product.questions.len() as u64;
    timed(&mut stats.searching, || similarity.propagate(watch))?;
    stats.run(similarity.take_work());
    stats.note_size(product.bytes() + similarity.bytes());
    let status = match similarity.bad_initial() {
        None if judge.mend(&mut similarity, flip, watch, stats)? => FlipStatus::Uncovered,
        None => return Err(unfinished()),
        Some(lost) => {
            judge.covered(&similarity, flip, lost, &Common::default(), stats)?;
            FlipStatus::Covered
        }
    };
    found.note(flip, status, tree.progress);
    Ok(())
}
