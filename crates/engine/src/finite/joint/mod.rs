//! Proofs of whole suites. Properties of real designs are inductive only together: each is the lemma of another.
//!
//! The suite is encoded once. k-induction of the conjunction (`induction`) and IC3 with the bad states of all properties (`ic3::suite`)
//! race on a clock of solver ticks, as single properties do (see `portfolio`): for each property the earlier answer counts, and it is the same on every machine.
//! What was proved before, in an earlier round, may be taken for granted ([`Given`]).
//!
//! Each property gets a proof of its own, with those claims as lemmas that it needs (`needs`); properties that need the same share them. So whoever looks at a proof
//! knows who helped, and whoever looks at a change of the design need not believe that a helper still holds: it is a lemma like any other.
//!
//! # References
//! - E. Goldberg, M. Güdemann, D. Kroening, R. Mukherjee: Efficient verification of multi-property designs. DATE 2018.
//! - G. Cabodi, P. Camurati, C. Loiacono, M. Palena, P. Pasini, D. Patti, S. Quer: To split or to group. STTT 2018.

mod bmc;
mod claims;
mod induction;
mod needs;
mod proofs;

use super::ic3;
use super::{Answer, Arrays, Lemmas, Problem};
use crate::Config;
use crate::limits::{Limits, Observer, Stats};
use claims::{Claim, Step};
use proofs::Proofs;
use propcov_budget::{Budget, Interrupt};
use propcov_ir::{Edits, Invariant, Proof, PropertyId, System, UnknownReason, Verdict};
use propcov_sat::{Lit, Var};
use propcov_solve::{Bit, BitTrace, Contents, Netlist, Unsupported};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A property that is proved.
#[derive(Clone, Copy, Debug)]
pub struct Given<'g> {
    /// The property.
    pub property: PropertyId,
    /// Its proof.
    pub proof: &'g Proof,
}

/// What came of one property of a suite.
#[derive(Debug)]
pub struct Settled {
    /// The property.
    pub property: PropertyId,
    /// The answer, to be certified before anyone believes it.
    pub verdict: Verdict,
    /// The engine that found it.
    pub engine: &'static str,
    /// Work of that engine until then, in ticks.
    pub ticks: u64,
    /// Frames of IC3, if it was that.
    pub frames: Option<u32>,
    /// No run of up to this many transitions violates it, as far as somebody has looked.
    pub cleared: Option<u32>,
}

/// What came of a suite.
#[derive(Debug)]
pub struct Together {
    /// Each property, in the order in which they were asked for.
    pub settled: Vec<Settled>,
    /// What it took: of those who have answers, or else of all.
    pub stats: Stats,
}

/// Properties that were proved in one go, by positions.
pub(crate) struct Batch {
    properties: Vec<usize>,
    /// Lemmas besides, over latch variables of the template.
    clauses: Vec<Vec<Lit>>,
    /// Whether these are inductive by themselves and imply the properties.
    clauses_suffice: bool,
    /// Length of the induction.
    k: u32,
    /// Work until then.
    ticks: u64,
}

/// An engine for suites.
struct Racer {
    engine: &'static str,
    /// What its clock shows in the beginning, and clock time per tick.
    start: u64,
    pace: u64,
    run: fn(&Problem<'_>, &Config, &Limits, &dyn Observer, &mut Stats) -> Run,
}

/// What one engine found out.
#[derive(Default)]
struct Run {
    /// Properties that a run violates in its last step, with the work until then.
    violated: Vec<(usize, Arc<BitTrace>, u64)>,
    /// In the order in which they were proved: each may rest on those before.
    batches: Vec<Batch>,
    /// No run of up to so many transitions violates what is still open.
    cleared: Option<u32>,
    /// What is open when the depth is reached that limits ask for: no run of so many transitions violates it.
    bounded: Vec<usize>,
    ticks: u64,
}

/// Proofs by induction come first where they take little: they say who helps whom, and need no other lemmas.
const RACERS: &[Racer] = &[
    Racer { engine: "kinduction", start: 0, pace: 2, run: induction::run },
    Racer { engine: "ic3", start: 2_000_000, pace: 1, run: by_ic3 },
    Racer { engine: "bmc", start: 0, pace: 1, run: bmc::run },
];

/// Whether an engine for suites takes part. Induction has bounded model checking as its base, so that both would do the same.
fn takes_part(engine: &str, wanted: &dyn Fn(&str) -> bool) -> bool {
    wanted(engine) && !(engine == "bmc" && wanted("kinduction"))
}

/// The names of the engines for suites.
pub fn engines() -> impl Iterator<Item = &'static str> {
    RACERS.iter().map(|racer| racer.engine)
}

/// IC3 that has not come to an end has lemmas, a part of which may be inductive and enough for some properties. So many of them are looked at.
const LEFTOVERS: usize = 2000;
/// And the part of the effort that this may take.
const LEFTOVER_EFFORT: u64 = 4;
/// Ticks for finding out who helps whom, besides those of the search.
const NEEDS_TICKS: u64 = 20_000_000;

/// Decides invariants of a finite system together, by those of the engines for suites that are `wanted`. What is given is taken for granted; advice is lemmas that may hold, of which nothing is believed.
///
/// # Errors
/// When the system has something that circuits cannot represent.
#[expect(clippy::too_many_arguments, reason = "as for a single property")]
pub fn check(
    system: &System,
    edits: &Edits,
    properties: &[PropertyId],
    given: &[Given<'_>],
    advice: Option<&Invariant>,
    wanted: &dyn Fn(&str) -> bool,
    config: &Config,
    limits: &Limits,
    observer: &dyn Observer,
) -> Result<Together, Unsupported> {
    let problem = encode(system, edits, properties, given, advice, config.arrays, &limits.budget(0))?;
    let racers: Vec<&Racer> = RACERS.iter().filter(|racer| takes_part(racer.engine, wanted)).collect();
    let ticks = limits.interrupt.tick_limit();
    let interrupts: Vec<Interrupt> = racers
        .iter()
        .map(|racer| {
            let own = limits.interrupt.child();
            own.limit_ticks(if ticks == u64::MAX { ticks } else { ticks / racer.pace });
            own
        })
        .collect();
    let race = |index: usize| {
        let racer = racers[index];
        let own = Limits { interrupt: interrupts[index].clone(), ..limits.clone() };
        let mut stats = Stats::default();
        let run = (racer.run)(&problem, config, &own, observer, &mut stats);
        if run.answers() == properties.len() {
            for (interrupt, other) in interrupts.iter().zip(&racers) {
                interrupt.limit_ticks(racer.time(run.ticks).saturating_sub(other.start) / other.pace);
            }
        }
        (run, stats)
    };
    let runs: Vec<(usize, Run, Stats)> = std::thread::scope(|scope| {
        let race = &race;
        let threads: Vec<_> = (0..racers.len()).map(|index| scope.spawn(move || race(index))).collect();
        let joined = threads.into_iter().map(|thread| thread.join().ok()).enumerate();
        joined.filter_map(|(index, run)| run.map(|(run, stats)| (index, run, stats))).collect()
    });
    let mut settled: Vec<Settled> = properties
        .iter()
        .map(|property| Settled {
            property: *property,
            verdict: Verdict::Unknown(limits.reason()),
            engine: "portfolio",
            ticks: 0,
            frames: None,
            cleared: runs.iter().filter_map(|(_, run, _)| run.cleared).max(),
        })
        .collect();
    // Who is first, and by which run, for each property.
    let mut first: Vec<Option<(u64, usize)>> = vec![None; properties.len()];
    for (at, (racer, run, _)) in runs.iter().enumerate() {
        for (property, ticks) in run.times() {
            let time = racers[*racer].time(ticks);
            if first[property].is_none_or(|(earlier, _)| time < earlier) {
                first[property] = Some((time, at));
            }
        }
    }
    let mut stats = Stats::default();
    for (at, (racer, run, own)) in runs.iter().enumerate() {
        let is_first = |property: &usize| matches!(first[*property], Some((_, by)) if by == at);
        if first.iter().any(Option::is_none) || (0..properties.len()).any(|property| is_first(&property)) {
            stats.merge(own);
        }
        let engine = racers[*racer].engine;
        let mut is_any_decided = settled.iter().any(Settled::is_decided);
        for (property, trace, ticks) in run.violated.iter().filter(|(property, ..)| is_first(property)) {
            // A run of the netlist has still to become one of the system, which takes time for thousands of them.
            if is_any_decided && limits.budget(0).is_exhausted() {
                break;
            }
            let verdict = problem.violation_of(properties[*property], trace);
            is_any_decided |= !matches!(verdict, Verdict::Unknown(_));
            settled[*property] =
                Settled { verdict, engine, ticks: *ticks, ..settled_anew(properties[*property]) };
        }
        let needs_limits = limits.for_one(NEEDS_TICKS.saturating_add(run.ticks), None);
        let mut proofs = Proofs::new(&problem, properties, given);
        for batch in &run.batches {
            let wanted: Vec<usize> = batch.properties.iter().copied().filter(is_first).collect();
            let is_last = !run.batches.iter().any(|other| other.ticks > batch.ticks);
            // What comes later may rest on all of these.
            let asked = if is_last { &wanted } else { &batch.properties };
            proofs.add(batch, asked, &needs_limits, &mut stats);
            for property in wanted {
                let Some(proof) = proofs.of(property) else { continue };
                let verdict = Verdict::Proved(proof);
                let frames = own.frames;
                settled[property] = Settled {
                    verdict,
                    engine,
                    ticks: batch.ticks,
                    frames,
                    ..settled_anew(properties[property])
                };
            }
        }
    }
    if let Some(depth) = limits.depth {
        for (racer, run, _) in &runs {
            for property in run.bounded.iter().filter(|property| first[**property].is_none()) {
                let verdict = Verdict::Unknown(UnknownReason::Bounded(depth));
                let (engine, cleared) = (racers[*racer].engine, Some(depth));
                settled[*property] = Settled {
                    verdict,
                    engine,
                    ticks: run.ticks,
                    cleared,
                    ..settled_anew(properties[*property])
                };
            }
        }
    }
    Ok(Together { settled, stats })
}

impl Settled {
    fn is_decided(&self) -> bool {
        !matches!(self.verdict, Verdict::Unknown(_))
    }
}

fn settled_anew(property: PropertyId) -> Settled {
    let verdict = Verdict::Unknown(UnknownReason::Cancelled);
    Settled { property, verdict, engine: "", ticks: 0, frames: None, cleared: None }
}

/// What an answer to a single property means, whose netlist may assume what is given.
pub(crate) fn conclude(
    problem: &Problem<'_>,
    property: PropertyId,
    given: &[Given<'_>],
    answer: Answer,
    limits: &Limits,
    stats: &mut Stats,
) -> Verdict {
    if given.is_empty() {
        return problem.conclude(answer);
    }
    let properties = [property];
    let mut proofs = Proofs::new(problem, &properties, given);
    match answer {
        Answer::Proved { lemmas: Lemmas::Clauses(clauses), k, .. } => {
            let batch =
                Batch { properties: vec![0], clauses, clauses_suffice: k == 1, k, ticks: stats.ticks };
            let limits = limits.for_one(NEEDS_TICKS.saturating_add(stats.ticks), None);
            proofs.add(&batch, &[0], &limits, stats);
            let missing = || UnknownReason::NotCertified("a proof got lost".to_owned());
            proofs.of(0).map_or_else(|| Verdict::Unknown(missing()), Verdict::Proved)
        }
        Answer::Proved { lemmas, k, .. } => Verdict::Proved(proofs.with_all_given(&lemmas, k)),
        other => problem.conclude(other),
    }
}

/// One netlist for all properties and what is given.
pub(crate) fn encode<'s>(
    system: &'s System,
    edits: &'s Edits,
    properties: &[PropertyId],
    given: &[Given<'_>],
    advice: Option<&Invariant>,
    arrays: Arrays,
    budget: &Budget,
) -> Result<Problem<'s>, Unsupported> {
    let assumed: Vec<PropertyId> = given.iter().map(|given| given.property).collect();
    let contents = Contents {
        properties,
        assumed: &assumed,
        invariant: advice,
        tables: Some(arrays.tables()),
        budget: Some(budget),
        ..Contents::default()
    };
    let netlist = Netlist::with_contents(system, edits, contents)?;
    let template = netlist.template()?;
    let property = properties.first().copied().unwrap_or(PropertyId(0));
    Ok(Problem { system, edits, property, netlist: Arc::new(netlist), template })
}

impl Racer {
    /// What its clock shows after so many ticks.
    fn time(&self, ticks: u64) -> u64 {
        ticks.saturating_mul(self.pace).saturating_add(self.start)
    }
}

impl Run {
    /// How many properties it has answers to.
    fn answers(&self) -> usize {
        self.violated.len() + self.batches.iter().map(|batch| batch.properties.len()).sum::<usize>()
    }

    /// Each property that it has an answer to, and its work until then.
    fn times(&self) -> impl Iterator<Item = (usize, u64)> {
        let violated = self.violated.iter().map(|(property, _, ticks)| (*property, *ticks));
        let proved =
            self.batches.iter().flat_map(|batch| batch.properties.iter().map(|at| (*at, batch.ticks)));
        violated.chain(proved)
    }
}

fn by_ic3(
    problem: &Problem<'_>,
    config: &Config,
    limits: &Limits,
    observer: &dyn Observer,
    stats: &mut Stats,
) -> Run {
    let advised = problem.netlist.as_clauses(&problem.netlist.predicates).into_iter().flatten();
    let literals = |clause: Vec<Bit>| clause.iter().map(|bit| problem.template.literal(*bit)).collect();
    let settings =
        ic3::Config { seed: config.seed, warm: advised.map(literals).collect(), ..ic3::Config::default() };
    let (found, leftovers) = ic3::run_suite(problem, &settings, limits, observer, stats);
    let left = found.left;
    let (cleared, ticks) = (stats.cleared, stats.ticks);
    let mut run = Run { violated: found.violated, cleared, ticks, ..Run::default() };
    match found.rest {
        Answer::Proved { lemmas: Lemmas::Clauses(clauses), .. } if !left.is_empty() => {
            run.batches.push(Batch {
                properties: left,
                clauses,
                clauses_suffice: true,
                k: 1,
                ticks: stats.ticks,
            });
        }
        Answer::Unknown(_) if !left.is_empty() && stats.cleared.is_some() => {
            let clauses: Vec<Vec<Lit>> = leftovers.frames.into_iter().flatten().take(LEFTOVERS).collect();
            let ticks = limits.interrupt.tick_limit() / LEFTOVER_EFFORT;
            let limits = limits.for_one(ticks, None);
            run.batches.extend(inductive_part(problem, &left, &clauses, config.seed, &limits, stats));
            run.ticks = stats.ticks;
        }
        _ => {}
    }
    run
}

/// The properties that hold by what is inductive of the lemmas of a search that was stopped. All of them hold in the first step.
fn inductive_part(
    problem: &Problem<'_>,
    properties: &[usize],
    clauses: &[Vec<Lit>],
    seed: u64,
    limits: &Limits,
    stats: &mut Stats,
) -> Option<Batch> {
    let mut claims: Vec<Claim> =
        properties.iter().map(|property| vec![!problem.netlist.bads[*property]]).collect();
    claims.extend(claims_of(problem, clauses));
    let count = claims.len();
    let mut step = Step::new(problem, claims, seed);
    step.extend();
    let inductive = step.greatest((0..count).collect(), limits, stats);
    stats.ticks += step.ticks();
    let inductive = inductive?;
    let of_properties = inductive.iter().filter(|claim| **claim < properties.len());
    let proved: Vec<usize> = of_properties.map(|claim| properties[*claim]).collect();
    if proved.is_empty() {
        return None;
    }
    let of_clauses = inductive.iter().filter_map(|claim| claim.checked_sub(properties.len()));
    let clauses = of_clauses.map(|clause| clauses[clause].clone()).collect();
    Some(Batch { properties: proved, clauses, clauses_suffice: false, k: 1, ticks: stats.ticks })
}

/// Clauses over latch variables of the template, as bits of the netlist.
fn claims_of(problem: &Problem<'_>, clauses: &[Vec<Lit>]) -> Vec<Claim> {
    let latches = &problem.netlist.latches;
    let bit_of: FxHashMap<Var, Bit> =
        latches.iter().map(|latch| (problem.template.literal(latch.bit).var(), latch.bit)).collect();
    let claim = |clause: &Vec<Lit>| {
        clause.iter().map(|literal| bit_of[&literal.var()].negated_if(literal.is_negated())).collect()
    };
    clauses.iter().map(claim).collect()
}
