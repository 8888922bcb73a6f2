//! The judge of a real system: slices of it are decided by the engines, on two lanes.
//!
//! A lane is a set of solvers that remember what they were asked before. There are always two of them once it pays, and which question goes to which lane is fixed; so answers do not depend on whether both run at the same time. What
//! the engines learn on one lane is told to the other between batches.

use super::evidence::{Ledger, undecided};
use super::memory::{PATIENCE, SIMILAR};
use super::{Core, Judge, Judgement, Listener, Memory, Observer, Piece, Witness};
use crate::mutation::Standing;
use propcov_budget::Budget;
use propcov_certify::Rejection;
use propcov_engine::slices::{Extent, SliceVerdict, Slices};
use propcov_engine::{Config, Limits, Stats};
use propcov_ir::{ElementSet, ExprId, Invariant, Node, Proof, PropertyId, System, UnknownReason};
use rustc_hash::FxHashSet;
use std::cell::{RefCell, RefMut};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;
use std::time::{Duration, Instant};

/// Work of the first lane, in solver ticks, from which on there is a second one. Tests have small systems, and want both.
const SECOND_LANE: u64 = if cfg!(test) { 0 } else { 2_000_000 };
/// How many sets are handed to two lanes at once.
const BATCH: usize = 4;
/// Solver ticks that one set is worth in the end: so many, and so many times the work of the proof.
const EFFORT: u64 = 10_000_000;
const TIMES_THE_PROOF: u64 = 50;
/// And in the first round; so many times more in each that follows. (Four times as much makes easy models a little faster, as engines begin anew in each round, and finds fewer cores where there are hundreds.)
const FIRST_EFFORT: u64 = 100_000;
const GROWTH: u64 = 2;

/// What a judge is to do.
#[derive(Clone)]
pub(super) struct Case<'s> {
    pub(super) system: &'s System,
    pub(super) property: PropertyId,
    pub(super) universe: ElementSet,
    pub(super) extent: Extent,
    pub(super) config: Config,
    /// How long one check may take.
    pub(super) check_time: Option<Duration>,
    pub(super) threads: usize,
    /// Ticks of the proof.
    pub(super) proof_ticks: u64,
}

impl Case<'_> {
    /// Limits of one check.
    fn check_limits(&self, effort: u64, limits: &Limits) -> Limits {
        let deadline = self.check_time.and_then(|time| Instant::now().checked_add(time));
        limits.for_one(effort, deadline)
    }

    /// Ticks that a set is worth in a round, and whether it is worth more in the next one.
    fn effort(&self, round: u32) -> (u64, bool) {
        let most = EFFORT.saturating_add(self.proof_ticks.saturating_mul(TIMES_THE_PROOF));
        let effort = FIRST_EFFORT.saturating_mul(GROWTH.saturating_pow(round));
        match self.check_time {
            _ if effort < most => (effort, true),
            Some(_) => (u64::MAX, false),
            None => (most, false),
        }
    }
}

/// What the independent checker may spend on one claim. The search has its limits; what it has found is to be checked also when these are reached, so the checker has its own.
const CHECKER_CONFLICTS: u64 = 5_000_000;

pub(super) fn check_budget() -> Budget {
    Budget { conflicts: Some(CHECKER_CONFLICTS), ..Budget::default() }
}

/// Solvers that remember, and what they are to do.
struct Lane<'s> {
    case: Case<'s>,
    slices: Slices<'s>,
    /// How many of the lessons it has heard.
    heard: usize,
}

impl Lane<'_> {
    fn answer(&mut self, question: &Question) -> Answer {
        for lesson in &question.lessons {
            match lesson {
                Lesson::Lemmas(lemmas, k) => self.slices.learn(lemmas, *k),
                Lesson::Refuted(set) => self.slices.learn_refuted(set),
            }
        }
        self.heard += question.lessons.len();
        let mut stats = Stats::default();
        let verdicts = question
            .sets
            .iter()
            .map(|set| {
                if question.limits.exhausted(0) {
                    return SliceVerdict::Unknown(question.limits.reason());
                }
                let limits = self.case.check_limits(question.effort, &question.limits);
                self.slices.decide(set, self.case.extent, &limits, &mut stats)
            })
            .collect();
        Answer { verdicts, stats }
    }
}

/// What one lane has found out, and the other is told between batches.
#[derive(Clone)]
enum Lesson {
    /// Lemmas that proved a slice, and the length of the induction.
    Lemmas(Arc<Invariant>, u32),
    /// The property fails while these elements are kept.
    Refuted(ElementSet),
}

/// What a lane is asked.
struct Question {
    lessons: Vec<Lesson>,
    sets: Vec<ElementSet>,
    /// Ticks for each.
    effort: u64,
    limits: Limits,
}

/// What it answers, set by set.
#[derive(Default)]
struct Answer {
    verdicts: Vec<SliceVerdict>,
    stats: Stats,
}

/// The second lane: on a thread of its own, or in turn with the first.
enum Second<'s> {
    Beside { questions: Sender<Question>, answers: Receiver<Answer>, heard: usize },
    InTurn(Box<Lane<'s>>),
}

impl Second<'_> {
    /// How many of the lessons it has heard.
    fn heard(&self) -> usize {
        match self {
            Second::Beside { heard, .. } => *heard,
            Second::InTurn(lane) => lane.heard,
        }
    }

    /// Its answer, and that of the first lane, which works meanwhile. After this it has heard so many lessons.
    fn ask(
        &mut self,
        question: Question,
        lessons: usize,
        first: impl FnOnce() -> Answer,
    ) -> (Answer, Answer) {
        match self {
            Second::Beside { questions, answers, heard } => {
                *heard = lessons;
                let is_sent = questions.send(question).is_ok();
                let first = first();
                let second = if is_sent { answers.recv().ok() } else { None };
                (first, second.unwrap_or_default())
            }
            Second::InTurn(lane) => (first(), lane.answer(&question)),
        }
    }
}

/// Decides about slices, and keeps the evidence.
pub(super) struct Bench<'s, 'scope, 'env> {
    first: Lane<'s>,
    second: Option<Second<'s>>,
    scope: &'scope Scope<'scope, 'env>,
    /// When to stop.
    limits: Limits,
    /// How much a set is worth.
    round: u32,
    /// What both lanes are to know.
    lessons: Vec<Lesson>,
    ledger: SharedLedger<'s>,
    /// What earlier runs found out, and was accepted: nobody has to be asked about that again.
    known: Known,
    observer: &'s dyn Observer,
    announced: Announced,
    pub(super) stats: Stats,
    pub(super) checks: u64,
}

/// Sets of earlier runs.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// In the order in which they were found.
    pub(super) adequate: Vec<ElementSet>,
    inadequate: Vec<ElementSet>,
}

impl Known {
    fn judgement(&self, set: &ElementSet) -> Option<Judgement> {
        let adequate =
            self.adequate.iter().filter(|known| known.is_subset(set)).min_by_key(|known| known.len());
        let larger = || self.inadequate.iter().find(|known| set.is_subset(known));
        adequate
            .map(|known| Judgement::Adequate(known.clone()))
            .or_else(|| larger().map(|known| Judgement::Inadequate(known.clone())))
    }
}

/// The evidence: the judge adds to it, and who announces cores has it checked.
type SharedLedger<'s> = Rc<RefCell<Ledger<'s>>>;

/// The cores that were announced: no search announces one again.
type Announced = Rc<RefCell<FxHashSet<ElementSet>>>;

impl<'s, 'scope, 'env> Bench<'s, 'scope, 'env>
where
    's: 'scope,
{
    /// A judge without limits.
    ///
    /// # Errors
    /// When engines, or the independent checker, cannot make sense of the question.
    pub(super) fn new(
        case: Case<'s>,
        scope: &'scope Scope<'scope, 'env>,
        observer: &'s dyn Observer,
    ) -> Result<Bench<'s, 'scope, 'env>, UnknownReason> {
        let mut ledger = ledger_of(&case).map_err(|rejection| not_begun(&rejection))?;
        if let Some(memory) = observer.memory().filter(|_| case.extent == Extent::Always) {
            ledger = ledger.remembered(memory, case.property);
        }
        Ok(Bench {
            first: lane(case)?,
            second: None,
            scope,
            limits: Limits::default(),
            round: u32::MAX,
            lessons: Vec::new(),
            ledger: Rc::new(RefCell::new(ledger)),
            known: Known::default(),
            observer,
            announced: Rc::default(),
            stats: Stats::default(),
            checks: 0,
        })
    }

    /// From now on it stops at other moments.
    pub(super) fn set_limits(&mut self, limits: &Limits) {
        self.limits = limits.clone();
    }

    /// When it stops.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Solver ticks of the proof, by which the effort for a single set is measured.
    pub(super) fn set_proof_ticks(&mut self, ticks: u64) {
        self.first.case.proof_ticks = ticks;
    }

    /// The solvers of the first lane.
    pub(super) fn slices(&mut self) -> &mut Slices<'s> {
        &mut self.first.slices
    }

    /// From now on other steps are in question, and nothing is known of them.
    ///
    /// # Errors
    /// As [`Bench::new`].
    pub(super) fn set_extent(&mut self, extent: Extent) -> Result<(), UnknownReason> {
        self.first.case.extent = extent;
        // The other lane would not know.
        self.second = None;
        let spent = self.ledger.borrow().spent();
        let mut ledger = ledger_of(&self.first.case).map_err(|rejection| not_begun(&rejection))?;
        ledger.add_spent(spent);
        *self.ledger.borrow_mut() = ledger;
        Ok(())
    }

    /// Has evidence of earlier runs checked. What is accepted is known from now on; lemmas of other proofs may still help.
    pub(super) fn recall(&mut self, memory: &dyn Memory, limits: &Limits) {
        let property = self.first.case.property;
        let (mut longest, mut wasted) = (Duration::ZERO, Duration::ZERO);
        memory.recall(property, &mut |piece| {
            let start = Instant::now();
            let patience = PATIENCE.saturating_sub(wasted).saturating_add(longest.saturating_mul(SIMILAR));
            let deadline = [limits.deadline, start.checked_add(patience)].into_iter().flatten().min();
            let budget = Budget { deadline, interrupt: limits.interrupt.clone(), ..check_budget() };
            let standing = match budget.is_exhausted() {
                true => Standing::Postponed,
                false => self.ledger.borrow_mut().recall(&piece, &budget),
            };
            match standing {
                Standing::Accepted => {
                    longest = longest.max(start.elapsed());
                    self.remember(piece);
                }
                Standing::Rejected | Standing::Postponed => {
                    wasted += start.elapsed();
                    if let Witness::Proof(proof) = &piece.witness {
                        self.try_lemmas(proof);
                    }
                }
            }
            standing
        });
    }

    fn remember(&mut self, piece: Piece) {
        match piece.witness {
            Witness::Proof(proof) => {
                self.lessons.push(Lesson::Lemmas(proof.invariant.clone(), proof.k));
                self.known.adequate.push(piece.kept);
            }
            Witness::Run(_) => {
                self.lessons.push(Lesson::Refuted(piece.kept.clone()));
                self.known.inadequate.push(piece.kept);
            }
        }
    }

    /// Lemmas of a proof that is none any more. How long its induction was says nothing.
    fn try_lemmas(&mut self, proof: &Proof) {
        let pool = &proof.invariant.exprs;
        let is_next = |expr: u32| matches!(pool.node(ExprId(expr)), Node::Next(_));
        if !(0..pool.len() as u32).any(is_next) {
            self.lessons.push(Lesson::Lemmas(proof.invariant.clone(), 1));
        }
    }

    /// What earlier runs found out.
    pub(super) fn known(&self) -> &Known {
        &self.known
    }

    /// Makes lemmas known that may help.
    pub(super) fn learn(&mut self, lemmas: &Invariant, k: u32) {
        self.lessons.push(Lesson::Lemmas(Arc::new(lemmas.clone()), k));
    }

    /// The evidence.
    pub(super) fn ledger(&self) -> RefMut<'_, Ledger<'s>> {
        self.ledger.borrow_mut()
    }

    /// Someone who has each core checked before it is announced.
    pub(super) fn announcer(&self) -> Announcer<'s> {
        Announcer {
            property: self.first.case.property,
            ledger: Rc::clone(&self.ledger),
            observer: self.observer,
            announced: Rc::clone(&self.announced),
        }
    }

    /// Keeps the evidence of a verdict, and says what it means.
    pub(super) fn conclude(&mut self, verdict: SliceVerdict) -> Judgement {
        match verdict {
            SliceVerdict::Holds { core, proof } => {
                if let Some(proof) = &proof {
                    self.lessons.push(Lesson::Lemmas(proof.invariant.clone(), proof.k));
                }
                match self.ledger.borrow_mut().adequate(core.clone(), proof) {
                    Ok(()) => Judgement::Adequate(core),
                    Err(reason) => Judgement::Unknown(reason),
                }
            }
            SliceVerdict::Fails { kept, trace } => match self.ledger.borrow_mut().inadequate(&kept, &trace) {
                Ok(()) => {
                    self.lessons.push(Lesson::Refuted(kept.clone()));
                    Judgement::Inadequate(kept)
                }
                Err(reason) => Judgement::Unknown(reason),
            },
            SliceVerdict::Unknown(reason) => Judgement::Unknown(self.ledger.borrow().without_answer(reason)),
        }
    }

    /// Starts the second lane once the first has had enough to do.
    fn second(&mut self) -> Result<(), UnknownReason> {
        if self.second.is_some() || !self.is_wide() {
            return Ok(());
        }
        let case = self.first.case.clone();
        if case.threads < 2 {
            self.second = Some(Second::InTurn(Box::new(lane(case)?)));
            return Ok(());
        }
        let (questions, asked) = channel::<Question>();
        let (answering, answers) = channel::<Answer>();
        self.scope.spawn(move || {
            let mut lane = lane(case);
            while let Ok(question) = asked.recv() {
                let answer = match &mut lane {
                    Ok(lane) => lane.answer(&question),
                    Err(reason) => Answer {
                        verdicts: question
                            .sets
                            .iter()
                            .map(|_| SliceVerdict::Unknown(reason.clone()))
                            .collect(),
                        stats: Stats::default(),
                    },
                };
                if answering.send(answer).is_err() {
                    return;
                }
            }
        });
        self.second = Some(Second::Beside { questions, answers, heard: 0 });
        Ok(())
    }

    fn is_wide(&self) -> bool {
        self.first.slices.ticks() > SECOND_LANE
    }

    /// The answers, in the order of the sets. If there are two lanes, every other set is for the second.
    fn ask(&mut self, sets: &[ElementSet]) -> Vec<SliceVerdict> {
        let lanes = if sets.len() > 1 && self.second.is_some() { 2 } else { 1 };
        let question = |lane: usize, heard: usize| Question {
            lessons: self.lessons[heard..].to_vec(),
            sets: sets.iter().skip(lane).step_by(lanes).cloned().collect(),
            effort: self.first.case.effort(self.round).0,
            limits: self.limits.clone(),
        };
        let mine = question(0, self.first.heard);
        let (mine, theirs) = match &mut self.second {
            Some(second) if lanes == 2 => {
                let theirs = question(1, second.heard());
                second.ask(theirs, self.lessons.len(), || self.first.answer(&mine))
            }
            _ => (self.first.answer(&mine), Answer::default()),
        };
        self.stats.merge(&mine.stats);
        self.stats.merge(&theirs.stats);
        // A lane that crashed has no answers; the crash itself is reported by whoever catches it.
        let crash = || {
            SliceVerdict::Unknown(UnknownReason::Incomplete("internal error: a search crashed".to_owned()))
        };
        let mut verdicts = [mine.verdicts.into_iter(), theirs.verdicts.into_iter()];
        (0..sets.len()).map(|at| verdicts[at % lanes].next().unwrap_or_else(crash)).collect()
    }
}

impl<'s, 'scope, 'env> Bench<'s, 'scope, 'env>
where
    's: 'scope,
{
    /// Has sets decided by engines.
    fn judge_new(&mut self, sets: &[ElementSet]) -> Vec<Judgement> {
        if sets.is_empty() {
            return Vec::new();
        }
        self.checks += sets.len() as u64;
        if sets.len() > 1
            && let Err(reason) = self.second()
        {
            return sets.iter().map(|_| Judgement::Unknown(reason.clone())).collect();
        }
        let verdicts = self.ask(sets);
        verdicts.into_iter().map(|verdict| self.conclude(verdict)).collect()
    }
}

fn lane(case: Case<'_>) -> Result<Lane<'_>, UnknownReason> {
    let slices = Slices::new(case.system, case.property, &case.universe, &case.config)?;
    Ok(Lane { case, slices, heard: 0 })
}

impl<'s, 'scope, 'env> Judge for Bench<'s, 'scope, 'env>
where
    's: 'scope,
{
    fn judge(&mut self, kept: &ElementSet) -> Judgement {
        let mut judgements = self.judge_all(std::slice::from_ref(kept));
        judgements.pop().unwrap_or(Judgement::Unknown(UnknownReason::Cancelled))
    }

    fn judge_all(&mut self, sets: &[ElementSet]) -> Vec<Judgement> {
        self.observer.progress(self.first.case.property, "cores", self.announced.borrow().len(), self.checks);
        let known: Vec<Option<Judgement>> = sets.iter().map(|set| self.known.judgement(set)).collect();
        let open = sets.iter().zip(&known).filter(|(_, known)| known.is_none());
        let open: Vec<ElementSet> = open.map(|(set, _)| set.clone()).collect();
        let mut answers = self.judge_new(&open).into_iter();
        let missing = || Judgement::Unknown(UnknownReason::Cancelled);
        known.into_iter().map(|known| known.or_else(|| answers.next()).unwrap_or_else(missing)).collect()
    }

    fn set_round(&mut self, round: u32) -> bool {
        self.round = round;
        self.first.case.effort(round).1
    }

    fn width(&self) -> usize {
        if self.is_wide() { BATCH } else { 1 }
    }

    /// The fewer definitions are kept, the sooner does a run violate the property.
    fn prefers_small(&self) -> bool {
        true
    }

    fn is_over(&self) -> bool {
        self.limits.exhausted(0)
    }
}

/// Announces the cores of one property that the independent checker has accepted. What it has not is dealt with in the end, when everything that was found is checked.
pub(super) struct Announcer<'s> {
    property: PropertyId,
    ledger: SharedLedger<'s>,
    observer: &'s dyn Observer,
    announced: Announced,
}

impl Listener for Announcer<'_> {
    fn core(&mut self, core: &Core) {
        if self.ledger.borrow_mut().certify_core(core).is_ok()
            && self.announced.borrow_mut().insert(core.elements.clone())
        {
            self.observer.core(Some(self.property), core);
        }
    }
}

/// The independent checker cannot even begin.
fn not_begun(rejection: &Rejection) -> UnknownReason {
    undecided(rejection, true).unwrap_or_else(|| UnknownReason::NotCertified(rejection.to_string()))
}

fn ledger_of<'s>(case: &Case<'s>) -> Result<Ledger<'s>, Rejection> {
    let steps = match case.extent {
        Extent::Always => {
            return Ledger::new(case.system, &case.universe, case.property, check_budget());
        }
        Extent::UpTo(last) => 0..=last,
        Extent::At(step) => step..=step,
    };
    Ledger::bounded(case.system, &case.universe, case.property, steps, check_budget())
}

#[cfg(test)]
mod tests {
    use super::super::{Algorithm, Analysis, Found, Goal, Options, PropertyCores, analyse};
    use super::*;
    use propcov_testkit::{Scope as Steps, ValidityCase, for_random_arith_validity, for_random_validity};
    use propcov_verify::{Silent, Verifier};

    struct Nobody;

    impl Observer for Nobody {
        fn progress(&self, _: PropertyId, _: &str, _: usize, _: u64) {}
        fn core(&self, _: Option<PropertyId>, _: &Core) {}
    }

    fn ask(case: &ValidityCase<'_>, goal: Goal, algorithm: Option<Algorithm>, threads: usize) -> Analysis {
        let mut limits = Limits::default();
        // Some slices have no proof that engines find; they are not to look for it for long.
        limits.depth = Some(20);
        let config = Config { seed: case.seed, ..Config::default() };
        let wanted = propcov_verify::Options { config, ..Default::default() };
        let verifier = Verifier::new(case.system, wanted, limits, &Silent);
        let (depth, together, check_time) = (None, false, None);
        let options =
            Options { goal, algorithm, depth, threads, together, check_time, part: Default::default() };
        analyse(&verifier, case.universe, &[case.property], &options, &Nobody)
    }

    fn is_same(a: &Found, b: &Found) -> bool {
        a.cores == b.cores
            && (&a.must, &a.may, &a.minimum) == (&b.must, &b.may, &b.minimum)
            && (a.complete, a.at_least, a.stopped) == (b.complete, b.at_least, b.stopped)
            && a.undecided.iter().map(|(set, _)| set).eq(b.undecided.iter().map(|(set, _)| set))
    }

    fn two_lanes_are_right_on_any_number_of_threads(case: &ValidityCase<'_>) -> Result<(), String> {
        let algorithm = [None, Some(Algorithm::GrowShrink)][case.seed as usize % 2];
        for goal in [Goal::All, Goal::Minimal, Goal::Must, Goal::May, Goal::Minimum] {
            let (one, two) = (ask(case, goal, algorithm, 1), ask(case, goal, algorithm, 2));
            for (PropertyCores { found, outcome, .. }, other) in one.properties.iter().zip(&two.properties) {
                if !is_same(found, &other.found) || !outcome.internal_errors.is_empty() {
                    return Err(format!(
                        "{goal:?}: {found:?}, on two threads {:?}; {:?}",
                        other.found, outcome.internal_errors
                    ));
                }
                let mut cores: Vec<ElementSet> =
                    found.cores.iter().map(|core| core.elements.clone()).collect();
                cores.sort();
                let truth = case.truth.cores(Steps::Always);
                if goal == Goal::All && found.undecided.is_empty() && !found.stopped && cores != truth {
                    return Err(format!("{cores:?} instead of {truth:?}"));
                }
                let must = found.must.as_ref().filter(|must| must.unknown.is_empty());
                if must.is_some_and(|must| must.sure != case.truth.must(Steps::Always)) {
                    return Err(format!("{goal:?}: MUST is wrong: {found:?}"));
                }
                let may = found.may.as_ref().filter(|may| may.unknown.is_empty());
                if may.is_some_and(|may| may.sure != case.truth.may(Steps::Always)) {
                    return Err(format!("{goal:?}: MAY is wrong: {found:?}"));
                }
            }
        }
        Ok(())
    }

    #[test]
    fn two_lanes_are_right_about_finite_systems() {
        for_random_validity(60, 1_130_000, two_lanes_are_right_on_any_number_of_threads);
    }

    #[test]
    fn two_lanes_are_right_about_systems_with_ints() {
        for_random_arith_validity(20, 1_140_000, two_lanes_are_right_on_any_number_of_threads);
    }
}
