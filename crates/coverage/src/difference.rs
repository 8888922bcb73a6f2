//! Hole witnesses: for a mutant that no property notices, a shortest run on which somebody else could, or a proof that
//! nobody can.
//!
//! A witness is a pair of runs, one of the design and one of the mutant, under the same inputs and the same choices
//! wherever the design leaves some. All constraints and all properties hold on both, and in the last step something that
//! is observed differs: a waveform of the bug that nobody would catch. Without any such pair the mutant has no effect.
//!
//! Both questions are one about a [`Product`] of design and mutant: is its invariant that all that is observed agrees? Bounded
//! model checking finds shortest witnesses. Proofs are mostly easy once it is guessed that registers of design and mutant
//! agree (van Eijk, *Sequential equivalence checking based on structural similarities*, IEEE TCAD 2000): IC3 starts from those
//! equalities and keeps those that are inductive. The portfolio decides what is left. Where there are numbers, it is given those equalities.
//!
//! Nothing is returned that was not accepted: a proof by the independent checker, on the product; a witness by the
//! interpreter, on the product and then run by run on design and mutant.

mod affected;
mod deviation;
mod judge;
mod numbers;
mod observation;
mod product;
mod simplify;

pub use judge::check;
pub use observation::{Notion, Observation, Watched, observation};
pub use product::Product;

use deviation::Deviation;
use judge::{Judge, Question};
use propcov_budget::Budget;
use propcov_certify::{Rejection, check_proof, check_trace};
use propcov_engine::finite::{Problem, bmc, ic3};
use propcov_engine::{Config, Limits, Silent, Stats, infinite, portfolio};
use propcov_ir::{
    Difference, Digest, Edits, ElementSet, Kill, Meanings, Mutant, Proof, PropertyId, System, Trace,
    UnknownReason, Verdict,
};
use propcov_sat::Lit;
use rustc_hash::FxHashMap;
use simplify::simplify;

/// How deep bounded model checking looks before anything else is tried.
const FIRST_DEPTH: u32 = 12;

/// What it may spend on that, in solver ticks: a fraction of a second.
const FIRST_TICKS: u64 = 5_000_000;

/// What IC3 may spend on a proof from the equality of registers: seconds.
const CORRESPONDENCE_TICKS: u64 = 40_000_000;

/// Whether somebody could notice.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Yes, on these runs.
    Differs {
        /// The witness.
        difference: Difference,
        /// Whether there is none of fewer transitions. It may not be known when the limits did not allow to search for one.
        shortest: bool,
    },
    /// No: the property of the [`Product`] holds by this proof.
    NoEffect(Proof),
    /// Not decided.
    Unknown(UnknownReason),
}

/// Looks for a hole witness, or for a proof that there is none.
pub fn search(
    system: &System,
    properties: &[PropertyId],
    mutant: Mutant,
    observation: &Observation,
    limits: &Limits,
    seed: u64,
) -> (Answer, Stats) {
    let mut stats = Stats::default();
    let answer = Question::new(system, properties, mutant, observation)
        .and_then(|question| answer(&question, limits, seed, &mut stats))
        .unwrap_or_else(Answer::Unknown);
    (answer, stats)
}

/// The product of design and mutant that [`search`] decides, for those who want to check its proof again.
///
/// # Errors
/// When there is nothing to decide.
pub fn product(
    system: &System,
    properties: &[PropertyId],
    mutant: Mutant,
    observation: &Observation,
) -> Result<Product, UnknownReason> {
    Question::new(system, properties, mutant, observation).and_then(|question| product_of(&question))
}

fn product_of(question: &Question) -> Result<Product, UnknownReason> {
    let observed: Vec<_> = question.observed.iter().map(|(_, expr)| *expr).collect();
    Product::new(&question.system, &question.properties, question.mutant, &observed)
        .map_err(|error| UnknownReason::Unsupported(error.to_string()))
}

/// All that an [`Answer`] depends on: the properties that look on and what is observed, with everything that decides about these, the constraints, and the mutant.
pub fn meaning(
    system: &System,
    meanings: &Meanings,
    properties: &[PropertyId],
    mutant: Mutant,
    observation: &Observation,
) -> Digest {
    let observed = observation.signals.iter().map(|(_, watched)| match watched {
        Watched::Signal(signal) => meanings.signal(*signal),
        Watched::Expr(expr) => meanings.expr(*expr),
    });
    let mutation = Digest::of(mutant.mutation.name().as_bytes());
    Digest::of_all(
        "difference",
        [
            Digest::of_set("properties", properties.iter().map(|property| meanings.property(*property))),
            Digest::of_set("observed", observed),
            meanings.constraints(),
            meanings.site(system, system.element(mutant.element).site),
            mutation,
        ],
    )
}

/// The witness that choices make: a run of the design and one of the mutant, both accepted. How it was found does not matter; that it is a shortest one is not said.
///
/// # Errors
/// Why they make none.
pub fn replay(
    system: &System,
    properties: &[PropertyId],
    mutant: Mutant,
    observation: &Observation,
    choices: &Kill,
) -> Result<Difference, Rejection> {
    let rejected = |why: &dyn std::fmt::Display| Rejection::Trace(why.to_string());
    let question =
        Question::new(system, properties, mutant, observation).map_err(|error| rejected(&error))?;
    let original = choices.stimulus.trace(system, choices.steps).map_err(|error| rejected(&error))?;
    let mutated = choices.trace(system, mutant).map_err(|error| rejected(&error))?;
    let none = Edits::none();
    let judge = Judge::new(&question, &none).map_err(|error| Rejection::Malformed(error.to_string()))?;
    judge.difference(original, mutated)
}

/// Accepts a proof that a mutant has no effect: it is one about the product of design and mutant, which the caller makes of what it has kept.
///
/// # Errors
/// Why it is none.
pub fn recheck_no_effect(
    system: &System,
    properties: &[PropertyId],
    mutant: Mutant,
    observation: &Observation,
    proof: impl FnOnce(&System) -> Option<Proof>,
    limits: &Budget,
) -> Result<Proof, Rejection> {
    let product = product(system, properties, mutant, observation);
    let product = product.map_err(|reason| Rejection::Malformed(reason.to_string()))?;
    let proof = proof(&product.system).ok_or_else(|| {
        Rejection::Malformed("a proof about other signals than design and mutant have".to_owned())
    })?;
    check_proof(&product.system, &product.edits(), product.property, &proof, limits)?;
    Ok(proof)
}

fn answer(
    question: &Question,
    limits: &Limits,
    seed: u64,
    stats: &mut Stats,
) -> Result<Answer, UnknownReason> {
    let product = product_of(question)?;
    let edits = product.edits();
    let proved = |proof: Proof| {
        check_proof(&product.system, &edits, product.property, &proof, &budget(limits))
            .map_err(|rejection| reason(&rejection, limits))?;
        Ok(Answer::NoEffect(proof))
    };
    if !product.is_observable() {
        return proved(obvious(&product));
    }
    let decided = match Problem::new(&product.system, &edits, product.property) {
        Ok(problem) => decide(&product, &problem, limits, seed, stats),
        Err(_) if infinite::concerns(&product.system) => numbers::decide(&product, &edits, limits, stats),
        Err(error) => return Err(UnknownReason::Unsupported(error.to_string())),
    };
    let (trace, shortest) = match decided {
        (Verdict::Unknown(reason), _) => return Err(reason),
        (Verdict::Proved(proof), _) => return proved(proof),
        (Verdict::Falsified(trace), shortest) => (trace, shortest),
    };
    let trace = plainer(&product, &edits, &trace).unwrap_or(trace);
    check_trace(&product.system, &edits, product.property, &trace)
        .map_err(|rejection| reason(&rejection, limits))?;
    let difference = witness(question, &product, &trace).map_err(|rejection| reason(&rejection, limits))?;
    Ok(Answer::Differs { difference, shortest })
}

/// What is equal by definition needs no lemmas.
fn obvious(product: &Product) -> Proof {
    let core: ElementSet = product.system.element_ids().collect();
    Proof { invariant: Default::default(), k: 1, simple_path: false, core }
}

/// The verdict on the product, and for a violation whether it is known to be a shortest one.
fn decide(
    product: &Product,
    problem: &Problem<'_>,
    limits: &Limits,
    seed: u64,
    stats: &mut Stats,
) -> (Verdict, bool) {
    let mut first = within(limits, FIRST_TICKS);
    first.depth = Some(limits.depth.map_or(FIRST_DEPTH, |depth| depth.min(FIRST_DEPTH)));
    if let found @ Verdict::Falsified(_) = problem.conclude(bmc::run(problem, seed, &first, &Silent, stats)) {
        return (found, true);
    }
    let warm = correspondences(product, problem);
    let settings = ic3::Config { seed, warm, ..ic3::Config::default() };
    let (answer, _) = ic3::run(problem, &settings, &within(limits, CORRESPONDENCE_TICKS), &Silent, stats);
    let mut verdict = problem.conclude(answer);
    if let Verdict::Unknown(_) = verdict {
        let config = Config { seed, ..Config::default() };
        let report =
            portfolio::check(problem.system, problem.edits, problem.property, &config, limits, &Silent);
        stats.merge(&report.stats);
        verdict = report.verdict;
    }
    match &verdict {
        Verdict::Falsified(longer) => {
            let mut up_to_there = limits.clone();
            up_to_there.depth = Some(longer.depth() as u32);
            match problem.conclude(bmc::run(problem, seed, &up_to_there, &Silent, stats)) {
                found @ Verdict::Falsified(_) => (found, true),
                _ => (verdict, false),
            }
        }
        _ => (verdict, false),
    }
}

/// The candidates that a bit of a register is the same in design and mutant.
fn correspondences(product: &Product, problem: &Problem<'_>) -> Vec<Vec<Lit>> {
    let latches: FxHashMap<_, Lit> = problem
        .netlist
        .latches
        .iter()
        .map(|latch| ((latch.origin.state, latch.origin.index), problem.template.literal(latch.bit)))
        .collect();
    let copies: FxHashMap<_, _> = product.pairs().collect();
    let mut clauses = Vec::new();
    for latch in &problem.netlist.latches {
        let copy = copies.get(&latch.origin.state).and_then(|copy| latches.get(&(*copy, latch.origin.index)));
        if let Some(copy) = copy {
            let own = latches[&(latch.origin.state, latch.origin.index)];
            clauses.extend([vec![!own, *copy], vec![own, !*copy]]);
        }
    }
    clauses
}

/// A run of the product that is easier to read, and as long.
fn plainer(product: &Product, edits: &Edits, trace: &Trace) -> Option<Trace> {
    match Deviation::new(product) {
        None => simplify(&product.system, edits, product.property, trace),
        Some(deviation) => {
            let trace = deviation.of_product(trace).ok()?;
            let trace = simplify(&deviation.system, &deviation.edits, product.property, &trace)?;
            deviation.as_product(&trace).ok()
        }
    }
}

/// The pair of runs that a run of the product is, accepted on design and mutant.
fn witness(question: &Question, product: &Product, trace: &Trace) -> Result<Difference, Rejection> {
    let none = Edits::none();
    let judge = Judge::new(question, &none).map_err(|error| Rejection::Malformed(error.to_string()))?;
    let (original, mutated) = product.project(trace);
    judge.difference(original, mutated)
}

/// The limits, and a limit of work besides.
fn within(limits: &Limits, ticks: u64) -> Limits {
    let mut limited = limits.clone();
    limited.interrupt = limits.interrupt.child();
    limited.interrupt.limit_ticks(ticks.min(limits.interrupt.tick_limit()));
    limited
}

fn budget(limits: &Limits) -> Budget {
    Budget { conflicts: None, deadline: limits.deadline, interrupt: limits.interrupt.clone() }
}

/// Why evidence that was not accepted leaves the question open.
fn reason(rejection: &Rejection, limits: &Limits) -> UnknownReason {
    match rejection {
        Rejection::Undecided => budget(limits).stop().map_or(UnknownReason::Cancelled, UnknownReason::from),
        rejection => UnknownReason::NotCertified(rejection.to_string()),
    }
}
