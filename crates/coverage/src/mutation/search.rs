//! The rest: a search for each mutant by itself, or for all of them together, in rounds of growing effort.
//!
//! A round has so much work for each mutant, in solver ticks; the first a part of what the proof took, each following one four times as much. What one search has learnt is
//! not lost. A proof's lemmas are offered to everybody else: whole, by family induction; to the nearest mutants, to start their searches from; and in the end of a round in part, by
//! repair. A search without an answer leaves its lemmas to the one of the next round.
//!
//! Tried and dropped: rounds that begin with less (most searches take about as long as the proof, whatever the round); going on from the frames of the round before instead of
//! starting from their lemmas (frames have to be filled again from lemmas of others, which are better); repair after each proof (it decides as much as it costs); family IC3
//! with much effort before everything else (where it takes longer than the proof, often nothing comes of it).
//!
//! Mutants are searched in small batches, side by side on the threads allowed. What a batch finds is tried on all others before the
//! next one starts, in the order of the batch: so findings do not depend on the number of threads.
//!
//! The last resort is whoever else can prove: interpolation and k-induction, which find some proofs at once that IC3 does not find in a hundred times the time. There is an end to
//! it: without [`Effort::Max`](propcov_budget::Effort::Max) nobody is worth more than a certain amount of work.

use super::Technique;
use super::pursuit::Pursuit;
use super::session::Session;
use propcov_engine::finite::{Answer, Lemmas, Problem, ic3};
use propcov_engine::{Config, ENGINES, Limits, Silent, Stats};
use propcov_ir::UnknownReason;
use propcov_sat::Lit;
use propcov_solve::{Bit, BitTrace};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// How many mutants are searched before their results are shared.
const BATCH: usize = 2;

/// How many mutants one family search takes on.
const MEMBERS: usize = 128;

/// An effort: this part of what the proof took, but so many ticks at least.
#[derive(Clone, Copy)]
pub(crate) struct Share {
    part: f64,
    least: u64,
}

/// The core of the proof, at first and again where that was not enough, the shallow family BMC, the first repair, the first search for all mutants together, and each search of the
/// first round. Chosen on one half of the models: see `benches/mutation/tail`.
pub(crate) const CORE: Share = Share { part: 0.2, least: 100_000 };
pub(crate) const SECOND_CORE: Share = Share { part: 1.0, least: 100_000 };
pub(crate) const BMC: Share = Share { part: 0.3, least: 10_000 };
pub(crate) const REPAIR: Share = Share { part: 0.3, least: 10_000 };
const FAMILY: Share = Share { part: 0.2, least: 100_000 };
const FIRST: Share = Share { part: 0.25, least: 10_000 };

/// From round to round each search gets so many times the effort: a power of two.
const GROWTH: u32 = 2;

/// A search for all that is left of a mutant has so many times the effort of those for each property. Most that it does not decide by then takes a single property as long.
const TOGETHER: u64 = 16;

/// In the end of a round, repair has this part of what all searches took.
const REPAIR_PART: u64 = 8;

/// From this round on all mutants are searched together before each by itself, with the effort of so many searches.
const FAMILY_ROUND: u32 = 1;
const FAMILY_SEARCHES: u64 = 4;

/// The effort of a search for all mutants together that is the only one, in ticks.
const ALONE: u64 = 10_000_000;

/// Family BMC has the effort of so many searches.
const BMC_SEARCHES: u64 = 4;

/// Lemmas of a search without an answer are candidates for the next one if they are known for this frame.
const LEFT_FROM: usize = 2;

/// Interpolation and k-induction take their turn when IC3 may do so much work, and half of what the proof took, with this part of it. Nobody is given up on before.
const OTHERS_FROM: u64 = 10_000_000;
const OTHERS_PART: u64 = 4;

/// Where IC3 cannot be used they have one chance: so many ticks at least, and so deep.
const INSTEAD: u64 = 1_000_000;
const OTHERS_DEPTH: u32 = 100;

/// A round of searches.
pub(crate) struct Round {
    techniques: Vec<Technique>,
    number: u32,
}

impl Round {
    /// The first round, in which these techniques take part.
    pub(crate) fn first(techniques: &[Technique]) -> Round {
        Round { techniques: techniques.to_vec(), number: 0 }
    }

    /// The next one has more effort.
    pub(crate) fn grow(&mut self) {
        self.number += 1;
    }

    pub(super) fn has(&self, technique: Technique) -> bool {
        self.techniques.contains(&technique)
    }

    /// The work that a mutant is worth in this round, in ticks.
    pub(super) fn ticks(&self, pursuit: &Pursuit<'_, '_, '_>) -> u64 {
        self.of(pursuit.effort(FIRST))
    }

    /// What each property that is open for a mutant adds to a search for all of them, in ticks.
    pub(super) fn ticks_together(&self, session: &Session<'_>, target: usize, size: usize) -> u64 {
        let ticks = self.of(FIRST.of(unit(session, target, size))).saturating_mul(TOGETHER);
        ticks.min(session.worth(target))
    }

    /// The effort of this round, given that of the first.
    fn of(&self, first: u64) -> u64 {
        first.saturating_mul(1 << (GROWTH * self.number).min(40))
    }
}

/// Whether engines other than IC3 take part in a search of so many ticks.
fn is_for_all_engines(ticks: u64, unit: u64) -> bool {
    ticks >= OTHERS_FROM.max(unit / 2)
}

impl Share {
    fn of(self, unit: u64) -> u64 {
        ((unit as f64 * self.part) as u64).max(self.least)
    }
}

/// What efforts are measured by, in ticks: the work of whoever proved the property, and what it takes to encode it.
pub(super) fn unit(session: &Session<'_>, target: usize, size: usize) -> u64 {
    session.targets[target].ticks + 2 * size as u64
}

impl Pursuit<'_, '_, '_> {
    /// An effort, in ticks.
    pub(crate) fn effort(&self, share: Share) -> u64 {
        share.of(self.unit())
    }
}

/// One round of searches for those who are left. Whether another one makes sense.
pub(crate) fn round(pursuit: &mut Pursuit<'_, '_, '_>, round: &Round) -> bool {
    if let Some(bound) = pursuit.bound() {
        return round.has(Technique::FamilyBmc) && pursuit.search_up_to(bound, round);
    }
    if !round.has(Technique::Ic3) || !has_hope(pursuit) {
        return false;
    }
    let ticks = round.ticks(pursuit);
    if ticks > pursuit.session.worth(pursuit.target) {
        pursuit.session.out_of_effort = true;
        return false;
    }
    if round.has(Technique::FamilyIc3) && round.number >= FAMILY_ROUND {
        search_together(pursuit, ticks.saturating_mul(FAMILY_SEARCHES));
    }
    search_each(pursuit, ticks);
    if round.has(Technique::Repair) && !pursuit.state.pool.is_empty() {
        pursuit.session.progress(pursuit.target, Technique::Repair.name());
        pursuit.repair(pursuit.effort(REPAIR) + pursuit.state.searched / REPAIR_PART);
    }
    if round.has(Technique::FamilyBmc) {
        pursuit.session.progress(pursuit.target, Technique::FamilyBmc.name());
        while pursuit.deepen(ticks.saturating_mul(BMC_SEARCHES)).is_some() {}
    }
    has_hope(pursuit)
}

/// Whether there is somebody whom an engine can do something about.
fn has_hope(pursuit: &Pursuit<'_, '_, '_>) -> bool {
    pursuit.undecided().iter().any(|mutant| !pursuit.state.hopeless.contains(mutant))
}

/// Searches all mutants together before each by itself, with little effort; or with more, where no other search follows.
pub(crate) fn search_family_first(pursuit: &mut Pursuit<'_, '_, '_>, is_alone: bool) {
    let ticks = pursuit.effort(FAMILY);
    search_together(pursuit, if is_alone { ALONE.max(ticks) } else { ticks });
}

/// Searches all mutants together: see [`ic3::run_family`].
fn search_together(pursuit: &mut Pursuit<'_, '_, '_>, ticks: u64) {
    for members in pursuit.undecided().chunks(MEMBERS) {
        let members: Vec<usize> = members
            .iter()
            .copied()
            .filter(|mutant| !pursuit.session.is_decided(pursuit.target, *mutant))
            .collect();
        if members.len() > 1 && !pursuit.session.is_over() {
            pursuit.session.progress(pursuit.target, Technique::FamilyIc3.name());
            search_family(pursuit, &members, ticks);
        }
    }
}

fn search_family(pursuit: &mut Pursuit<'_, '_, '_>, members: &[usize], ticks: u64) {
    let family = pursuit.family;
    let problem = family.problem_of(members);
    let selectors: Vec<Bit> = members.iter().filter_map(|mutant| family.selector_bit(*mutant)).collect();
    let warm = family.literals_of(&pursuit.warm_lemmas());
    let config = ic3::Config { seed: pursuit.session.options.seed, warm, ..ic3::Config::default() };
    let mut limits = pursuit.session.limits();
    limits.interrupt = limits.interrupt.child();
    limits.interrupt.limit_ticks(ticks);
    let mut stats = Stats::default();
    let target = pursuit.target;
    let mut killed = |member: usize, trace: &BitTrace| {
        pursuit.killed(members[member], trace, Technique::FamilyIc3);
        let session = &pursuit.session;
        (0..members.len()).filter(|member| session.is_decided(target, members[*member])).collect()
    };
    let mut members_of = ic3::Family { selectors: &selectors, killed: &mut killed };
    let (answer, _) = ic3::run_family(&problem, &config, &mut members_of, &limits, &Silent, &mut stats);
    pursuit.searched(&stats);
    if let Answer::Proved { lemmas: Lemmas::Clauses(clauses), k: 1, simple_path: false } = answer {
        pursuit.proved_all(members, &clauses);
    }
}

/// Searches each mutant by itself, with so much effort.
fn search_each(pursuit: &mut Pursuit<'_, '_, '_>, ticks: u64) {
    let mut waiting: Vec<usize> = pursuit.undecided();
    waiting.retain(|mutant| !pursuit.state.hopeless.contains(mutant));
    // Who survives freed survives stuck: a batch is of different elements.
    waiting.sort_by_key(|mutant| (pursuit.session.mutants[*mutant].mutation, *mutant));
    let mut next = 0;
    while next < waiting.len() {
        let is_open = |mutant: &usize| !pursuit.session.is_decided(pursuit.target, *mutant);
        let open = waiting.iter().enumerate().skip(next).filter(|(_, mutant)| is_open(mutant)).take(BATCH);
        let batch: Vec<(usize, usize)> = open.map(|(at, mutant)| (at, *mutant)).collect();
        let Some((last, _)) = batch.last() else { return };
        next = last + 1;
        if pursuit.session.is_over() {
            return;
        }
        pursuit.session.progress(pursuit.target, Technique::Ic3.name());
        let batch: Vec<usize> = batch.into_iter().map(|(_, mutant)| mutant).collect();
        for Searched { mutant, answer, leftovers, stats } in search_all(pursuit, &batch, ticks) {
            pursuit.searched(&stats);
            if pursuit.session.is_decided(pursuit.target, mutant) {
                continue;
            }
            match answer {
                Answer::Falsified(trace) => pursuit.killed(mutant, &trace, Technique::Ic3),
                Answer::Proved { lemmas, k, simple_path } => {
                    pursuit.proved(mutant, &lemmas, k, simple_path);
                }
                Answer::Unknown(reason @ (UnknownReason::Incomplete(_) | UnknownReason::Unsupported(_))) => {
                    pursuit.session.give_up_on(pursuit.target, mutant, reason);
                    pursuit.state.hopeless.push(mutant);
                }
                Answer::Unknown(_) => {
                    pursuit.state.leftovers.insert(mutant, leftovers);
                }
            }
        }
    }
}

/// What came of one search.
struct Searched {
    mutant: usize,
    answer: Answer,
    leftovers: ic3::Leftovers,
    stats: Stats,
}

/// What each search of a batch came back with, in order.
fn search_all(pursuit: &Pursuit<'_, '_, '_>, batch: &[usize], ticks: u64) -> Vec<Searched> {
    let warm: Vec<Vec<Vec<Lit>>> = batch.iter().map(|mutant| candidates(pursuit, *mutant)).collect();
    let seed = pursuit.session.options.seed;
    let limits = pursuit.session.limits();
    let (family, all_engines) = (pursuit.family, is_for_all_engines(ticks, pursuit.unit()));
    let results: Mutex<Vec<Option<Searched>>> = Mutex::new(batch.iter().map(|_| None).collect());
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(mutant) = batch.get(at) else { break };
            let problem = family.problem_of(&[*mutant]);
            let mut own = limits.clone();
            own.interrupt = limits.interrupt.child();
            own.interrupt.limit_ticks(ticks);
            let config = ic3::Config { seed, warm: warm[at].clone(), ..ic3::Config::default() };
            let (answer, leftovers, stats) = search_one(&problem, &config, &own, all_engines);
            let result = Searched { mutant: *mutant, answer, leftovers, stats };
            results.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(result);
        }
    };
    let threads = pursuit.session.options.threads.clamp(1, batch.len().max(1));
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
}

/// Lemmas to start a search from: those of the proof, of the nearest mutant's proof, and of the mutant's own search before.
fn candidates(pursuit: &Pursuit<'_, '_, '_>, mutant: usize) -> Vec<Vec<Lit>> {
    let mut lemmas = pursuit.warm_lemmas();
    lemmas.extend_from_slice(pursuit.nearest_lemmas(mutant));
    let mut lemmas = pursuit.family.literals_of(&lemmas);
    if let Some(leftovers) = pursuit.state.leftovers.get(&mutant) {
        lemmas.extend(leftovers.frames.iter().skip(LEFT_FROM).flatten().cloned());
    }
    lemmas
}

/// IC3; then, if they are to take part or IC3 cannot be used, the other engines that prove.
fn search_one(
    problem: &Problem<'_>,
    config: &ic3::Config,
    limits: &Limits,
    all_engines: bool,
) -> (Answer, ic3::Leftovers, Stats) {
    let mut stats = Stats::default();
    stats.count("searches", 1);
    let (answer, leftovers) = ic3::run(problem, config, limits, &Silent, &mut stats);
    let is_impossible = matches!(answer, Answer::Unknown(UnknownReason::Incomplete(_)));
    let is_over = limits.interrupt.is_raised() || !matches!(answer, Answer::Unknown(_));
    if is_over || !(is_impossible || all_engines) {
        return (answer, leftovers, stats);
    }
    let ticks = (limits.interrupt.tick_limit() / OTHERS_PART).max(INSTEAD);
    let mut last = answer;
    for engine in ENGINES.iter().filter(|engine| engine.proves && engine.name != "ic3") {
        let mut limited = limits.clone();
        limited.interrupt = limits.interrupt.child();
        limited.interrupt.limit_ticks(ticks);
        limited.depth = is_impossible.then_some(OTHERS_DEPTH);
        let config = Config { seed: config.seed, ..Config::default() };
        let mut own = Stats::default();
        let answer = (engine.finite)(problem, &config, &limited, &Silent, &mut own);
        stats.merge(&own);
        if !matches!(answer, Answer::Unknown(_)) {
            last = answer;
            break;
        }
    }
    (last, leftovers, stats)
}

#[cfg(test)]
mod tests {
    use super::super::session::{MOST, MOST_PROOFS};
    use super::*;

    #[test]
    fn nobody_is_given_up_on_before_all_engines_had_their_turn() {
        for unit in (0..40).map(|power| 3_u64.pow(power) / 3_u64.pow(power / 2)) {
            let first = ((unit as f64 * FIRST.part) as u64).max(FIRST.least);
            let worth = MOST.max(unit.saturating_mul(MOST_PROOFS));
            let mut round = Round::first(&[]);
            let mut all_engines = false;
            while round.of(first) <= worth {
                all_engines = is_for_all_engines(round.of(first), unit);
                round.grow();
            }
            assert!(all_engines, "after a proof of {unit} ticks");
        }
    }
}
