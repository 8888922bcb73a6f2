//! What is done when no algorithm is asked for: the fewest questions that we know how to get along with.
//!
//! Every algorithm that finds all minimal cores has to learn of each of them, and of each maximal inadequate set. The rest of its questions is overhead, and most of that is shrinking. Here little is asked that
//! only serves to shrink:
//!
//! 1. *MUST first* ([`super::must`]): what all elements but one are worth are maximal unexplored sets anyway. If the elements of MUST are adequate, they are the only minimal core, and that is all.
//! 2. *Settling* a core C: whether C can do without x is asked about C \ {x} itself. Without most elements a violation is near, and the run that shows it mostly breaks little more than x: it is one of a much larger set, often a
//!    maximal inadequate one. (To ask about a maximal unexplored superset of C \ {x} was tried: it finds such a set in any case, but where there are hundreds of cores it mostly finds one more adequate set far from minimal.)
//! 3. *Maximal unexplored sets* when all known cores are settled, as in MARCO.
//!
//! Where small sets are much easier to decide about than large ones, a first core is shrunk before all that, so that there is a minimal core if the time runs out. What that finds out about inadequate sets is not asked again.
//!
//! All this is done in *rounds*: in the first one each set is worth little effort, and sets without an answer are left out; if there were any, all steps are taken once more with twice the effort, from what is known by then. So
//! nothing waits for the hardest question, and what is found meanwhile often answers it.
//!
//! Each step asks about as many sets at once as the judge is able to treat side by side.
//!
//! Where the work is divided ([`super::division`]), these steps are taken for what belongs to us: elements in 1, and in 2 for cores that all others know as well; sets in 3. Cores that are new are settled as a whole.
//!
//! For MAY, maximal sets that lack an element which is not known to be in MAY come first, and the search ends when no such element is left.

use super::division::own;
use super::exploration::Exploration;
use super::explored::Status;
use super::must::{must, must_of};
use super::shrink::{How, shrink, shrink_among};
use super::{Goal, Region};
use propcov_ir::ElementSet;

/// One minimal core. `None` if the universe is not known to be adequate.
pub(super) fn minimal(search: &mut Exploration<'_>) -> Option<ElementSet> {
    let core = search.first_core()?;
    let width = search.width();
    Some(shrink(search, &core, How { width, ..How::INFORMED }).core)
}

/// All minimal cores, or all elements that are in some of them.
pub(super) fn all(search: &mut Exploration<'_>, goal: Goal) {
    if search.prefers_small()
        && let Some(core) = minimal(search)
    {
        search.settle(&core);
    }
    if goal == Goal::May {
        search.conclude_may();
    }
    must(search);
    try_must_alone(search);
    while !search.stopped && search.only_core().is_none() && !search.is_round_over() {
        if goal == Goal::May && is_may_closed(search) {
            return;
        }
        if let Some(core) = next_unsettled(search) {
            settle(search, &core, None);
            continue;
        }
        let batch = next_batch(search, goal);
        if batch.is_empty() {
            return;
        }
        search.ask_maximal(&batch);
    }
}

/// What belongs to us, and the cores that all others know as well.
pub(super) struct Share {
    own: ElementSet,
    common: Vec<ElementSet>,
}

/// Leaves sets to others. `None` if the universe is not known to be adequate.
pub(super) fn divide(search: &mut Exploration<'_>, region: &Region) -> Option<Share> {
    search.first_core()?;
    let common: Vec<ElementSet> = search.explored.cores().cloned().collect();
    // The same one for all who know the same.
    let guide = common.iter().min_by_key(|core| (core.len(), (*core).clone()))?;
    let guide: Region = region.iter().copied().filter(|(element, _)| guide.contains(*element)).collect();
    search.explored.divide(&guide);
    Some(Share { own: own(region), common })
}

/// All minimal cores, as far as they can be found among sets that belong to us.
pub(super) fn all_within(search: &mut Exploration<'_>, share: &Share) {
    must_of(search, Some(&share.own));
    while !search.stopped && search.only_core().is_none() && !search.is_round_over() {
        if let Some(core) = next_unsettled(search) {
            let is_common = share.common.contains(&core);
            settle(search, &core, is_common.then_some(&share.own));
            continue;
        }
        let batch = search.next_batch(None);
        if batch.is_empty() {
            return;
        }
        search.ask_maximal(&batch);
    }
}

/// Asks whether the elements that every core has are a core, unless the known cores have hardly any others.
fn try_must_alone(search: &mut Exploration<'_>) {
    let must = search.explored.must();
    let smallest = search.explored.cores().map(ElementSet::len).min();
    let saves = smallest.is_some_and(|size| size > must.len() + 1);
    if !search.stopped && saves && search.explored.status(&must) == Status::Unexplored {
        search.ask(&must);
    }
}

/// The smallest core that nobody has settled.
fn next_unsettled(search: &Exploration<'_>) -> Option<ElementSet> {
    let open = search.explored.unsettled().filter(|core| !search.is_settled(core));
    open.min_by_key(|core| core.len()).cloned()
}

/// What to ask next when all known cores are settled. That no unexplored set lacks an open element does not mean that it is in no minimal core: inadequate sets that lack it may be known without being known to be maximal.
fn next_batch(search: &mut Exploration<'_>, goal: Goal) -> Vec<ElementSet> {
    if goal == Goal::May {
        let open = search.universe.difference(&search.may);
        let batch = search.next_batch(Some(&open));
        if !batch.is_empty() || search.stopped {
            return batch;
        }
    }
    search.next_batch(None)
}

/// Whether all elements are known to be in MAY.
fn is_may_closed(search: &Exploration<'_>) -> bool {
    search.universe.is_subset(&search.may)
}

/// Finds out which elements a core needs, or which of some; if it does not need all, goes on with a smaller one.
fn settle(search: &mut Exploration<'_>, core: &ElementSet, only: Option<&ElementSet>) {
    let width = search.width();
    let shrunk = shrink_among(search, core, only, How { width, ..How::INFORMED });
    if !search.stopped {
        search.settle(&shrunk.core);
    }
}
