//! Invariants of finite systems, breadth first: all of them together, then each of the rest by itself, with an effort that doubles from round to round.
//!
//! Where there are few, each first gets a glance: a short induction of its own decides what is obvious before others can be in the way. What is cheap
//! is so found for all properties before anything dear is tried for one, whatever their order. What is proved helps with the rest, where it speaks of
//! nothing but what the rest depends on: then it costs little (`joint` in the engines says how; proofs name their helpers).
//!
//! Where there are memories, some rounds come first in which only what is stored at the addresses that assertions are about is known of them ([`Arrays::WATCHED`]): mostly that is enough,
//! and then the size of the memory does not matter.
//!
//! Effort is counted in solver ticks, so that the same properties are decided in the same way on every machine. Only a deadline, which is in seconds, can cut that short.

use crate::choice::EngineChoice;
use crate::effort;
use crate::limits::{budget, recover, rejected, stopped};
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::prove::crashed;
use crate::schedule::{self, Patience};
use crate::verifier::{Options, Verifier};
use propcov_budget::Budget;
use propcov_certify::{Rejection, check_bounds, check_suite};
use propcov_engine::finite::Arrays;
use propcov_engine::finite::joint::{self, Given, Settled, Together};
use propcov_engine::{ENGINES, Engine, Limits, Stats};
use propcov_ir::{
    Edits, ExprId, Node, Proof, PropertyId, PropertyKind, SignalKind, System, UnknownReason, Verdict,
};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// Together, properties may take as much as all of them by themselves, but at most so many times the effort of one.
const SUITE_EFFORT: u64 = 32;

/// What was found is certified for so long after the deadline; there may be thousands of answers.
const GRACE: Duration = Duration::from_millis(500);

/// So many properties are first looked at one by one, for so many ticks, by an induction of one step.
const FEW: usize = 64;
const GLANCE: u64 = 300_000;

/// So many rounds are made with arrays that are watched, before those with tables.
const WATCHED_ROUNDS: u32 = 3;

/// Decides invariants of finite systems. Each is noted once.
pub(crate) fn decide(verifier: &Verifier<'_>, properties: &[PropertyId], plan: &mut Plan<'_, '_>) {
    let is_brief = verifier.patience == Patience::Brief;
    let (effort, has_deadline) = (verifier.options.effort, verifier.limits.deadline.is_some());
    let deadline = if is_brief {
        schedule::brief(properties.len(), verifier.limits.deadline)
    } else {
        verifier.limits.deadline
    };
    let watching = watching(verifier);
    let mut rounds = Rounds {
        verifier: watching.as_ref().unwrap_or(verifier),
        open: properties.iter().map(|property| Open { property: *property, tried: None }).collect(),
        deadline,
    };
    if watching.is_some() {
        rounds.glance(plan);
        for round in 0..WATCHED_ROUNDS {
            rounds.together(effort::ticks_of(round).saturating_mul(rounds.suite()), plan);
            rounds.each(effort::ticks_of(round), plan);
            if rounds.is_over() {
                break;
            }
        }
        rounds.verifier = verifier;
    }
    rounds.glance(plan);
    for round in 0.. {
        rounds.together(effort::ticks_of(round).saturating_mul(rounds.suite()), plan);
        // The only one that is left has nobody to wait for.
        let is_single = rounds.open.len() == 1 && !is_brief;
        let ticks =
            if is_single { effort::last_ticks(effort, has_deadline) } else { effort::ticks_of(round) };
        rounds.each(ticks, plan);
        if rounds.is_over() || is_single || effort::is_last(round, is_brief, effort, has_deadline) {
            break;
        }
    }
    rounds.give_up(is_brief, plan);
}

/// The same, with arrays watched; `None` where that makes no difference.
fn watching<'a>(verifier: &Verifier<'a>) -> Option<Verifier<'a>> {
    if verifier.options.config.arrays != Arrays::TABLES || !Arrays::WATCHED.matter_for(verifier.system) {
        return None;
    }
    let mut options = verifier.options.clone();
    options.config.arrays = Arrays::WATCHED;
    Some(Verifier { options, ..verifier.clone() })
}

/// Properties that are not decided yet.
struct Rounds<'r, 'a> {
    verifier: &'r Verifier<'a>,
    open: Vec<Open>,
    /// When there is no time for another attempt.
    deadline: Option<Instant>,
}

struct Open {
    property: PropertyId,
    /// What was tried so far.
    tried: Option<Outcome>,
}

impl Open {
    /// The outcome with what was tried before.
    fn concluded(&mut self, mut outcome: Outcome) -> Outcome {
        if let Some(tried) = self.tried.take() {
            outcome.add_attempt(&tried);
        }
        outcome
    }

    /// One more attempt that led to nothing.
    fn add(&mut self, outcome: Outcome) {
        self.tried = Some(self.concluded(outcome));
    }
}

impl Rounds<'_, '_> {
    fn is_over(&self) -> bool {
        self.open.is_empty()
            || stopped(&self.verifier.limits).is_some()
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// How many times the effort of one property all of them together get.
    fn suite(&self) -> u64 {
        SUITE_EFFORT.min(self.open.len() as u64)
    }

    /// Limits of one attempt, where time has to suffice for so many.
    fn limits(&self, ticks: u64, attempts: usize) -> Limits {
        let now = Instant::now();
        let share = |deadline: Instant| {
            now + deadline.saturating_duration_since(now) / u32::try_from(attempts).unwrap_or(u32::MAX)
        };
        self.verifier.limits.for_one(ticks, self.deadline.map(share))
    }

    /// A short look at each, if there are several but not many.
    fn glance(&mut self, plan: &mut Plan<'_, '_>) {
        let asked =
            |engine: &&Engine| engine.name == "kinduction" && self.verifier.options.engine.asks(engine.name);
        let Some(induction) = ENGINES.iter().find(asked).filter(|_| (2..=FEW).contains(&self.open.len()))
        else {
            return;
        };
        let options = Options { engine: EngineChoice::One(induction), ..self.verifier.options.clone() };
        let verifier = Verifier { options, ..self.verifier.clone() };
        let total = self.open.len();
        for (position, mut open) in std::mem::take(&mut self.open).into_iter().enumerate() {
            let limits = self.limits(GLANCE, 2 * (total - position)).with_depth(Some(0));
            let (mut outcome, verdict) = verifier.search(open.property, &[], &limits);
            if let Verdict::Unknown(reason) = verdict {
                recover(&self.verifier.limits, Some(&reason));
                // Whatever a glance says, it is not the last word.
                outcome.answer = Outcome::unknown(open.property, UnknownReason::Timeout).answer;
                open.add(outcome);
                self.open.push(open);
            } else {
                let outcome = verifier.concluded((outcome, verdict), plan.client);
                plan.note(open.concluded(outcome));
            }
        }
    }

    /// Each property that is left by itself.
    fn each(&mut self, ticks: u64, plan: &mut Plan<'_, '_>) {
        let total = self.open.len();
        for (position, mut open) in std::mem::take(&mut self.open).into_iter().enumerate() {
            // Each is tried once at least: whoever has no time at all has no answer, but a reason.
            if open.tried.is_some() && self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                self.open.push(open);
                continue;
            }
            let (property, system) = (open.property, self.verifier.system);
            self.verifier.progress.stage(match total {
                1 => format!("{}:", system.property(property).name),
                _ => format!("{}/{total} {}:", position + 1, system.property(property).name),
            });
            let limits = self.limits(ticks, total - position);
            let found = {
                let proved = plan.proved();
                self.verifier.search(property, &helpful(system, &[property], &proved), &limits)
            };
            let outcome = self.verifier.concluded(found, plan.client);
            recover(&self.verifier.limits, outcome.answer.reason());
            if self.is_final(&outcome) {
                plan.note(open.concluded(outcome));
            } else {
                open.add(outcome);
                self.open.push(open);
            }
        }
    }

    /// Whether more effort would not help.
    fn is_final(&self, outcome: &Outcome) -> bool {
        match outcome.answer.reason() {
            Some(UnknownReason::Timeout | UnknownReason::Cancelled) => {
                self.verifier.limits.interrupt.is_raised()
            }
            // There are tables yet.
            Some(UnknownReason::Incomplete(_)) => self.verifier.options.config.arrays == Arrays::TABLES,
            _ => true,
        }
    }

    /// What stayed open, and why.
    fn give_up(self, is_brief: bool, plan: &mut Plan<'_, '_>) {
        let reason = stopped(&self.verifier.limits);
        let reason = reason.unwrap_or(if is_brief { UnknownReason::Timeout } else { UnknownReason::Effort });
        for open in self.open {
            let unknown = Outcome::unknown(open.property, reason.clone());
            plan.note(match open.tried {
                Some(tried) => Outcome { answer: unknown.answer, ..tried },
                None => unknown,
            });
        }
    }

    /// All of them at once.
    fn together(&mut self, ticks: u64, plan: &mut Plan<'_, '_>) {
        let verifier = self.verifier;
        let system = verifier.system;
        let is_asked =
            |open: &Open| matches!(system.property(open.property).kind, PropertyKind::Invariant(_));
        let asked: Vec<PropertyId> =
            self.open.iter().filter(|open| is_asked(open)).map(|open| open.property).collect();
        let wanted = |engine: &str| verifier.options.engine.asks(engine);
        if asked.len() < 2 || !joint::engines().any(wanted) || self.is_over() {
            return;
        }
        verifier.progress.stage(format!("{} properties together:", asked.len()));
        let start = Instant::now();
        let first_step = verifier.first_step();
        let mut found = {
            let proved = plan.proved();
            let given = helpful(system, &asked, &proved);
            let (config, limits) = (&verifier.options.config, self.limits(ticks, 2));
            let system = first_step.map_or(system, |first_step| &first_step.system);
            verifier.panics.guard(|| {
                let edits = Edits::none();
                joint::check(
                    system,
                    &edits,
                    &asked,
                    &given,
                    None,
                    &wanted,
                    config,
                    &limits,
                    verifier.progress,
                )
            })
        };
        if let (Some(first_step), Some(Ok(together))) = (first_step, &mut found) {
            for settled in &mut together.settled {
                let unknown = Verdict::Unknown(UnknownReason::Cancelled);
                settled.verdict = first_step.as_written(std::mem::replace(&mut settled.verdict, unknown));
            }
        }
        // If it was the memory: what is asked for all properties may be too much, and not for each.
        verifier.limits.interrupt.recover();
        let crashes = verifier.panics.take();
        if let (false, Some(first)) = (crashes.is_empty(), self.open.first_mut()) {
            let mut crashed = Outcome::unknown(first.property, UnknownReason::Cancelled);
            crashed.internal_errors = crashes;
            first.add(crashed);
        }
        // What cannot be encoded is for those who try each by itself: they know which property it is.
        if let Some(Ok(together)) = found {
            self.conclude(together, start.elapsed(), plan);
        }
    }

    /// Certifies what was found out together. What was shared is counted once, with the first property that is decided.
    fn conclude(&mut self, together: Together, time: Duration, plan: &mut Plan<'_, '_>) {
        let verifier = self.verifier;
        let mut checks = Checks::new(verifier, &together.settled);
        let mut stats = Some(together.stats);
        let mut found: FxHashMap<PropertyId, Settled> = together
            .settled
            .into_iter()
            .filter(|settled| {
                Group::of(&settled.verdict).is_some() || matches!(settled.verdict, Verdict::Falsified(_))
            })
            .map(|settled| (settled.property, settled))
            .collect();
        let last = verifier.limits.deadline.map(|deadline| deadline + GRACE);
        for mut open in std::mem::take(&mut self.open) {
            let is_late = last.is_some_and(|last| Instant::now() >= last);
            let Some(settled) = found.remove(&open.property).filter(|_| !is_late) else {
                self.open.push(open);
                continue;
            };
            let property = settled.property;
            let start = Instant::now();
            let mut outcome = Outcome::unknown(property, UnknownReason::Cancelled);
            (outcome.engine, outcome.ticks) = (Some(settled.engine), settled.ticks);
            if stats.is_none() {
                outcome.shared_seconds = time.as_secs_f64();
            }
            outcome.stats = stats.take().unwrap_or_default();
            (outcome.stats.cleared, outcome.stats.frames) = (settled.cleared, settled.frames);
            verifier.conclude_by(&mut outcome, settled.verdict, plan.client, &mut |verdict| {
                checks.certify(property, verdict)
            });
            outcome.seconds = (time + start.elapsed()).as_secs_f64();
            plan.note(open.concluded(outcome));
        }
        if let (Some(stats), Some(first)) = (stats, self.open.first_mut()) {
            note_work(first, stats, time);
        }
    }
}

/// Work that led to nothing is counted, too: with the first property.
fn note_work(open: &mut Open, stats: Stats, time: Duration) {
    let mut outcome = Outcome::unknown(open.property, UnknownReason::Timeout);
    (outcome.stats, outcome.seconds) = (stats, time.as_secs_f64());
    open.add(outcome);
}

/// Claims that are checked at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Group {
    /// Proofs, which have lemmas in common.
    Proofs,
    /// No run of so many transitions violates them.
    Bound(u32),
}

impl Group {
    fn of(verdict: &Verdict) -> Option<Group> {
        match verdict {
            Verdict::Proved(_) => Some(Group::Proofs),
            Verdict::Unknown(UnknownReason::Bounded(depth)) => Some(Group::Bound(*depth)),
            Verdict::Falsified(_) | Verdict::Unknown(_) => None,
        }
    }
}

/// Claims of one group are checked at once, when the first of them is asked about.
struct Checks<'c, 'a> {
    verifier: &'c Verifier<'a>,
    proofs: Vec<(PropertyId, Proof)>,
    bounds: FxHashMap<u32, Vec<PropertyId>>,
    answers: FxHashMap<PropertyId, Result<(), UnknownReason>>,
}

impl<'c, 'a> Checks<'c, 'a> {
    fn new(verifier: &'c Verifier<'a>, settled: &[Settled]) -> Checks<'c, 'a> {
        let (mut proofs, mut bounds) = (Vec::new(), FxHashMap::<u32, Vec<PropertyId>>::default());
        for settled in settled {
            match &settled.verdict {
                Verdict::Proved(proof) => proofs.push((settled.property, proof.clone())),
                Verdict::Unknown(UnknownReason::Bounded(depth)) => {
                    bounds.entry(*depth).or_default().push(settled.property);
                }
                Verdict::Falsified(_) | Verdict::Unknown(_) => {}
            }
        }
        Checks { verifier, proofs, bounds, answers: FxHashMap::default() }
    }

    fn certify(&mut self, property: PropertyId, verdict: Verdict) -> Verdict {
        match Group::of(&verdict) {
            Some(Group::Proofs) => self.check_proofs(),
            Some(Group::Bound(depth)) => self.check_bounds(depth),
            None => {}
        }
        match self.answers.remove(&property) {
            Some(Ok(())) => verdict,
            Some(Err(reason)) => Verdict::Unknown(reason),
            None => self.verifier.certify(property, verdict),
        }
    }

    fn check_proofs(&mut self) {
        let proofs = std::mem::take(&mut self.proofs);
        let claims: Vec<(PropertyId, &Proof)> =
            proofs.iter().map(|(property, proof)| (*property, proof)).collect();
        let members: Vec<PropertyId> = proofs.iter().map(|(property, _)| *property).collect();
        self.check(&members, |system, limits| check_suite(system, &Edits::none(), &claims, limits));
    }

    fn check_bounds(&mut self, depth: u32) {
        let members = self.bounds.remove(&depth).unwrap_or_default();
        self.check(&members, |system, limits| check_bounds(system, &Edits::none(), &members, depth, limits));
    }

    fn check(
        &mut self,
        members: &[PropertyId],
        check: impl Fn(&System, &Budget) -> Result<Vec<Result<(), Rejection>>, Rejection>,
    ) {
        if members.is_empty() {
            return;
        }
        let Verifier { system, limits, panics, .. } = self.verifier;
        let limited = budget(limits);
        let answers: Vec<Result<(), UnknownReason>> = match panics.guard(|| check(system, &limited)) {
            None => members.iter().map(|_| Err(crashed())).collect(),
            Some(Err(rejection)) => members.iter().map(|_| Err(rejected(&rejection, limits))).collect(),
            Some(Ok(answers)) => answers
                .into_iter()
                .map(|answer| answer.map_err(|rejection| rejected(&rejection, limits)))
                .collect(),
        };
        self.answers.extend(members.iter().copied().zip(answers));
    }
}

/// Those of the proved properties that speak of nothing but what others depend on: to take them for granted makes no circuit larger.
fn helpful<'g>(system: &System, asked: &[PropertyId], proved: &[(PropertyId, &'g Proof)]) -> Vec<Given<'g>> {
    let of_runs =
        |property: &PropertyId| matches!(system.property(*property).kind, PropertyKind::Invariant(_));
    if proved.is_empty() || !asked.iter().all(of_runs) {
        return Vec::new();
    }
    let mut cone = vec![false; system.signals().len()];
    for property in asked {
        for (inside, also) in cone.iter_mut().zip(system.cone_of(*property)) {
            *inside |= also;
        }
    }
    let candidates = proved.iter().filter(|(property, proof)| of_runs(property) && !proof.simple_path);
    candidates
        .filter(|(property, _)| {
            system.invariant(*property).is_some_and(|expr| reads_only(system, expr, &cone))
        })
        .map(|(property, proof)| Given { property: *property, proof })
        .collect()
}

fn reads_only(system: &System, root: ExprId, signals: &[bool]) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut open = vec![root];
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match system.exprs.node(expr) {
            Node::Signal(signal) if !signals[signal.0 as usize] => match system.signal(*signal).kind {
                // A definition of its own, of what others read as well.
                SignalKind::Wire { definition } => open.push(definition),
                _ => return false,
            },
            Node::Next(_) => return false,
            _ => open.extend(system.exprs.operands(expr)),
        }
    }
    true
}
