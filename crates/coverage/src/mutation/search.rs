//! The rest: a search for each mutant by itself, in rounds of growing effort, warm-started with the lemmas known.
//!
//! Mutants are searched in small batches, side by side on the threads allowed. What a batch finds is tried on all others before the
//! next one starts, in the order of the batch: so findings do not depend on the number of threads.

use super::Technique;
use super::pipeline::Pursuit;
use propcov_engine::finite::{Answer, Lemmas, Problem, ic3};
use propcov_engine::{Config, ENGINES, Limits, Silent, Stats};
use propcov_ir::UnknownReason;
use propcov_sat::Lit;
use propcov_solve::{Bit, BitTrace};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// How many mutants are searched before their results are shared.
const BATCH: usize = 4;

/// Solver ticks for each mutant in the first round; each round allows more.
const FIRST_ROUND: u64 = 2_000_000;
const GROWTH: u64 = 8;

/// Solver ticks and depth for the other engines where IC3 cannot be used.
const FALLBACK: u64 = 1_000_000;
const FALLBACK_DEPTH: u32 = 100;

/// How many mutants one family search takes on.
const MEMBERS: usize = 128;

/// Solver ticks for a family search: in all, and more for each of its members.
const FAMILY_TICKS: u64 = 2_000_000;
const MEMBER_TICKS: u64 = 100_000;

/// Searches all mutants together: see [`ic3::run_family`].
pub(crate) fn run_family(pursuit: &mut Pursuit<'_, '_>) {
    for members in pursuit.undecided().chunks(MEMBERS) {
        let members: Vec<usize> = members
            .iter()
            .copied()
            .filter(|mutant| !pursuit.session.is_decided(pursuit.target, *mutant))
            .collect();
        if members.len() > 1 && !pursuit.session.is_over() {
            search_family(pursuit, &members);
        }
    }
}

fn search_family(pursuit: &mut Pursuit<'_, '_>, members: &[usize]) {
    let family = pursuit.family;
    let problem = family.problem_of(members);
    let selectors: Vec<Bit> = members.iter().filter_map(|mutant| family.selector_bit(*mutant)).collect();
    let warm = family.literals_of(&pursuit.warm_lemmas());
    let config = ic3::Config { seed: pursuit.session.options.seed, warm, ..ic3::Config::default() };
    let mut limits = pursuit.session.limits();
    limits.interrupt = limits.interrupt.child();
    limits.interrupt.limit_ticks(FAMILY_TICKS + MEMBER_TICKS * members.len() as u64);
    let mut stats = Stats::default();
    let target = pursuit.target;
    let mut killed = |member: usize, trace: &BitTrace| {
        pursuit.killed(members[member], trace, Technique::FamilyIc3);
        let session = &pursuit.session;
        (0..members.len()).filter(|member| session.is_decided(target, members[*member])).collect()
    };
    let mut members_of = ic3::Family { selectors: &selectors, killed: &mut killed };
    let (answer, _) = ic3::run_family(&problem, &config, &mut members_of, &limits, &Silent, &mut stats);
    pursuit.session.stats.merge(&stats);
    if let Answer::Proved { lemmas: Lemmas::Clauses(clauses), k: 1, simple_path: false } = answer {
        pursuit.proved_all(members, &clauses);
    }
}

/// Searches until everybody is decided, nobody can be, or the time is up.
pub(crate) fn run(pursuit: &mut Pursuit<'_, '_>) {
    let mut ticks = FIRST_ROUND;
    let mut hopeless: Vec<usize> = Vec::new();
    loop {
        let mut waiting: Vec<usize> = pursuit.undecided();
        waiting.retain(|mutant| !hopeless.contains(mutant));
        if waiting.is_empty() {
            return;
        }
        let mut next = 0;
        while next < waiting.len() {
            let batch: Vec<usize> = waiting[next..]
                .iter()
                .copied()
                .filter(|mutant| !pursuit.session.is_decided(pursuit.target, *mutant))
                .take(BATCH)
                .collect();
            next = match batch.last() {
                Some(last) => {
                    waiting.iter().position(|mutant| mutant == last).map_or(waiting.len(), |at| at + 1)
                }
                None => waiting.len(),
            };
            if pursuit.session.is_over() {
                return;
            }
            pursuit.session.progress(pursuit.target, Technique::Ic3.name());
            for (mutant, answer, stats) in search_all(pursuit, &batch, ticks) {
                pursuit.session.stats.merge(&stats);
                if pursuit.session.is_decided(pursuit.target, mutant) {
                    continue;
                }
                match answer {
                    Answer::Falsified(trace) => pursuit.killed(mutant, &trace, Technique::Ic3),
                    Answer::Proved { lemmas, k, simple_path } => {
                        pursuit.proved(mutant, &lemmas, k, simple_path);
                    }
                    Answer::Unknown(
                        reason @ (UnknownReason::Incomplete(_) | UnknownReason::Unsupported(_)),
                    ) => {
                        pursuit.session.give_up_on(pursuit.target, mutant, reason);
                        hopeless.push(mutant);
                    }
                    Answer::Unknown(_) => {}
                }
            }
        }
        if pursuit.undecided().iter().all(|mutant| hopeless.contains(mutant)) {
            return;
        }
        // Deep violations are easier to find by unrolling: everybody's at once, with as much effort as the search of one.
        while pursuit.deepen(ticks).is_some() {
            pursuit.session.progress(pursuit.target, Technique::FamilyBmc.name());
        }
        ticks = ticks.saturating_mul(GROWTH);
    }
}

/// What each search of a batch came back with, in order.
fn search_all(pursuit: &Pursuit<'_, '_>, batch: &[usize], ticks: u64) -> Vec<(usize, Answer, Stats)> {
    let warm = pursuit.family.literals_of(&pursuit.warm_lemmas());
    let seed = pursuit.session.options.seed;
    let limits = pursuit.session.limits();
    let family = pursuit.family;
    let results: Mutex<Vec<Option<(Answer, Stats)>>> = Mutex::new(batch.iter().map(|_| None).collect());
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(mutant) = batch.get(at) else { break };
            let problem = family.problem_of(&[*mutant]);
            let mut own = limits.clone();
            own.interrupt = limits.interrupt.child();
            own.interrupt.limit_ticks(ticks);
            let result = search_one(&problem, &warm, seed, &own);
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
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mutants = batch.iter().copied().zip(results);
    mutants.filter_map(|(mutant, result)| result.map(|(answer, stats)| (mutant, answer, stats))).collect()
}

/// IC3; where that cannot be used, the other engines that prove, but with limited effort: they may never come to an end.
fn search_one(problem: &Problem<'_>, warm: &[Vec<Lit>], seed: u64, limits: &Limits) -> (Answer, Stats) {
    let mut stats = Stats::default();
    stats.count("searches", 1);
    let config = ic3::Config { seed, warm: warm.to_vec(), ..ic3::Config::default() };
    let (answer, _) = ic3::run(problem, &config, limits, &Silent, &mut stats);
    if !matches!(answer, Answer::Unknown(UnknownReason::Incomplete(_))) {
        return (answer, stats);
    }
    let mut limited = limits.clone();
    limited.depth = Some(FALLBACK_DEPTH);
    limited.interrupt.limit_ticks(FALLBACK);
    let mut last = answer;
    for engine in ENGINES.iter().filter(|engine| engine.proves && engine.name != "ic3") {
        let config = Config { seed, ..Config::default() };
        match (engine.finite)(problem, &config, &limited, &Silent, &mut stats) {
            Answer::Unknown(_) => {}
            answer => last = answer,
        }
    }
    (last, stats)
}
