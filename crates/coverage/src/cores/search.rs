//! The way in: a goal, and perhaps an algorithm, to what was found.

use super::exploration::{Exploration, Start};
use super::{
    Algorithm, Found, Goal, Judge, Listener, Task, brute_force, default, grow_shrink, marco, minimum, must,
    online_marco,
};
use propcov_ir::ElementSet;

/// Searches for cores among the subsets of a universe.
///
/// Without an algorithm, or with one that does not serve the goal ([`Algorithm::goals`]), it is done in the fastest way that we know. Bounded cores are none of its business: [`Algorithm::Bvc`] is taken for
/// [`Algorithm::Ucbf`], and it is up to the judge what a set has to be adequate for.
///
/// The listener hears of each core once: as soon as it is known whether the core is minimal or that this cannot be found out, otherwise at the end. A core may still turn out to be minimal, or not to be, after that;
/// what is returned counts.
pub fn search(
    judge: &mut dyn Judge,
    universe: &ElementSet,
    goal: Goal,
    algorithm: Option<Algorithm>,
    start: &Start,
    listener: &mut dyn Listener,
) -> Found {
    let mut search = Exploration::new(judge, universe, start, listener);
    let algorithm = algorithm.filter(|algorithm| algorithm.goals().contains(&goal));
    let one = match &start.task {
        Task::Nothing => {
            search.conclude(goal);
            search.best_core().filter(|_| matches!(goal, Goal::One | Goal::Minimal | Goal::Minimum))
        }
        Task::Region(region) if goal == Goal::All && algorithm.is_none() => {
            if let Some(share) = default::divide(&mut search, region) {
                in_rounds(&mut search, |search| {
                    default::all_within(search, &share);
                    None
                });
            }
            None
        }
        Task::Region(_) | Task::Everything if algorithm.is_some() || goal == Goal::One => {
            search.take_time();
            run(&mut search, goal, algorithm)
        }
        Task::Region(_) | Task::Everything => in_rounds(&mut search, |search| run(search, goal, None)),
    };
    search.finish(goal, one.as_ref())
}

/// Does the same again with more effort for each set, until all sets have an answer that are asked about, or no set is worth more.
fn in_rounds(
    search: &mut Exploration<'_>,
    step: impl Fn(&mut Exploration<'_>) -> Option<ElementSet>,
) -> Option<ElementSet> {
    let mut round = 0;
    loop {
        search.begin_round(round);
        let one = step(search);
        if !search.is_worth_a_round() {
            return one;
        }
        round += 1;
    }
}

/// Runs an algorithm. If the goal is a single core, it is returned.
fn run(search: &mut Exploration<'_>, goal: Goal, algorithm: Option<Algorithm>) -> Option<ElementSet> {
    match (goal, algorithm) {
        (Goal::One, _) => return search.first_core(),
        (Goal::Minimal, Some(Algorithm::Bf)) => return brute_force::bf(search),
        (Goal::Minimal, Some(Algorithm::Ucbf | Algorithm::Bvc)) => return brute_force::ucbf(search),
        (Goal::Minimal, _) => return default::minimal(search),
        (_, Some(Algorithm::Marco)) => marco::marco(search),
        (_, Some(Algorithm::OnlineMarco)) => online_marco::online_marco(search),
        (_, Some(Algorithm::GrowShrink)) => grow_shrink::grow_shrink(search),
        (Goal::Must, _) => must::must(search),
        (Goal::Minimum, _) => minimum::minimum(search),
        (Goal::All | Goal::May, _) => default::all(search, goal),
    }
    if goal == Goal::Minimum { search.explored.cores().min_by_key(|core| core.len()).cloned() } else { None }
}
