//! All engines side by side on two threads, for all properties at once.
//!
//! One lane goes through bounded model checking, induction and template invariants; the other runs IC3. Most properties are decided by a short induction, so that
//! is tried before a second thread is started. Lemmas that templates give are told to IC3, which requires them in all of its queries.

use super::base::{Base, Depth, not_linear};
use super::exchange::{Answer, Exchange, Lane};
use super::induction::{self, Induction};
use super::templates::{Round, Templates};
use super::{Problem, advice, ic3};
use crate::limits::{Limits, Observer, Stats};
use crate::{Config, Report};
use propcov_ir::{Edits, ExprId, Invariant, PropertyId, System, UnknownReason, Verdict};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How far induction goes before other engines start.
const QUICK_DEPTH: usize = 2;
/// Ticks that it may take.
const QUICK_TICKS: u64 = 300_000;
/// How long inductions get where products of variables are numbers of which nothing is known.
const NOT_LINEAR_DEPTH: usize = 6;
/// Ticks of IC3's first attempt at one of several properties; each round doubles them.
const FIRST_ATTEMPT: u64 = 2_000_000;

/// What came of properties that were decided together.
#[derive(Debug)]
pub struct Together {
    /// Each property, in the order in which they were asked for.
    pub settled: Vec<Settled>,
    /// What all of it took. Work is shared, so no part of it belongs to a single property.
    pub stats: Stats,
    /// The positions of those lemmas of the advice that hold, if that was found out.
    pub advice: Option<Vec<usize>>,
}

/// What came of one of them.
#[derive(Debug)]
pub struct Settled {
    /// The property.
    pub property: PropertyId,
    /// The answer, to be certified before anyone believes it.
    pub verdict: Verdict,
    /// The engine that found it.
    pub engine: &'static str,
    /// How many frames it took, if IC3 found it.
    pub frames: Option<u32>,
    /// No run of up to this many transitions violates the property.
    pub cleared: Option<u32>,
    /// How long it took from the beginning until the answer was there, or until the search was given up.
    pub after: Duration,
}

/// Decides properties together.
pub fn check(
    system: &System,
    edits: &Edits,
    properties: &[PropertyId],
    _config: &Config,
    limits: &Limits,
    observer: &dyn Observer,
) -> Vec<(PropertyId, Report)> {
    let together = check_with(system, edits, properties, &Invariant::default(), limits, observer);
    let report = |settled: Settled| {
        let mut stats = together.stats.clone();
        (stats.cleared, stats.frames) = (settled.cleared, settled.frames);
        (settled.property, Report { verdict: settled.verdict, engine: settled.engine, stats })
    };
    together.settled.into_iter().map(report).collect()
}

/// Decides properties together, with lemmas that may help. Nobody has to believe these: what is not inductive is dropped (`advice`).
pub fn check_with(
    system: &System,
    edits: &Edits,
    properties: &[PropertyId],
    lemmas: &Invariant,
    limits: &Limits,
    observer: &dyn Observer,
) -> Together {
    let start = Instant::now();
    let mut problem = Problem::new(system, edits, properties).within(limits.budget(0));
    let mut unrolled = Unrolled::new(&problem);
    let mut quick = Vec::new();
    let mut stats = Stats::default();
    let (known, advice) = unrolled.take_advice(&mut problem, lemmas, limits, &mut stats);
    unrolled.quick(&mut problem, limits, observer, &mut stats, &mut quick);
    let interrupts = [limits.interrupt.child(), limits.interrupt.child()];
    interrupts.iter().for_each(|interrupt| interrupt.limit_ticks(limits.interrupt.tick_limit()));
    let exchange = Exchange::new(interrupts, unrolled.open.len());
    let mut lanes = [Stats::default(), Stats::default()];
    if !unrolled.open.is_empty() && !limits.exhausted(unrolled.ticks()) {
        let offset = unrolled.ticks();
        lanes = std::thread::scope(|scope| {
            let exchange = &exchange;
            let open = unrolled.open.clone();
            let other = scope.spawn(move || {
                let lane = Lane::new(exchange, 1, offset);
                directed(system, edits, &open, known, lane, limits, observer)
            });
            let lane = Lane::new(exchange, 0, 0);
            let mut own = Stats::default();
            unrolled.run(&mut problem, lane, limits, observer, &mut own, exchange);
            // If it crashed, this lane's answers still count.
            [own, other.join().unwrap_or_default()]
        });
    }
    let mut answers = exchange.answers();
    // Only the work of the lane that answered last: how far the other one got depends on the machine.
    let last = answers.values().max_by_key(|answer| answer.time).map(|answer| answer.engine);
    match last {
        Some("ic3") => stats.merge(&lanes[1]),
        Some(_) => stats.merge(&lanes[0]),
        None => lanes.iter().for_each(|lane| stats.merge(lane)),
    }
    answers.extend(quick);
    stats.ticks = match answers.values().map(|answer| answer.time).max() {
        Some(time) if answers.len() == properties.len() => time,
        _ => unrolled.ticks() + lanes[1].ticks,
    };
    let settle = |id: &PropertyId| settle(*id, start, &mut answers, &unrolled, limits);
    Together { settled: properties.iter().map(settle).collect(), stats, advice }
}

fn settle(
    property: PropertyId,
    start: Instant,
    answers: &mut BTreeMap<PropertyId, Answer>,
    unrolled: &Unrolled<'_>,
    limits: &Limits,
) -> Settled {
    let cleared = unrolled.cleared.get(&property).map(|cleared| *cleared as u32);
    if let Some(Answer { verdict, engine, frames, found, .. }) = answers.remove(&property) {
        let after = found.saturating_duration_since(start);
        return Settled { property, verdict, engine, frames, cleared, after };
    }
    let reason = unrolled.given_up.get(&property).cloned().unwrap_or_else(|| match cleared {
        Some(cleared) if limits.depth.is_some_and(|depth| cleared >= depth) => {
            UnknownReason::Bounded(cleared)
        }
        _ => limits.reason(),
    });
    let verdict = Verdict::Unknown(reason);
    Settled { property, verdict, engine: "portfolio", frames: None, cleared, after: start.elapsed() }
}

/// The lane that unrolls: bounded model checking, induction, templates.
struct Unrolled<'s> {
    base: Base<'s>,
    induction: Induction<'s>,
    templates: Option<Templates<'s>>,
    open: Vec<(PropertyId, ExprId)>,
    /// How many of the lemmas that induction requires come from advice: the first ones.
    advised: usize,
    /// Runs of up to so many transitions do not violate the property.
    cleared: BTreeMap<PropertyId, usize>,
    given_up: BTreeMap<PropertyId, UnknownReason>,
}

impl<'s> Unrolled<'s> {
    fn new(problem: &Problem<'s>) -> Unrolled<'s> {
        Unrolled {
            base: Base::new(problem),
            induction: Induction::new(problem),
            templates: None,
            open: problem.properties.clone(),
            advised: 0,
            cleared: BTreeMap::new(),
            given_up: BTreeMap::new(),
        }
    }

    /// Requires what holds of some advice. Returns it, and the positions of the lemmas that do: properties may be part of it, too.
    fn take_advice(
        &mut self,
        problem: &mut Problem<'s>,
        lemmas: &Invariant,
        limits: &Limits,
        stats: &mut Stats,
    ) -> (Vec<Invariant>, Option<Vec<usize>>) {
        if lemmas.lemmas.is_empty() {
            return (Vec::new(), Some(Vec::new()));
        }
        let told = problem.import(lemmas);
        let properties = problem.properties.iter().map(|(_, expr)| *expr);
        let candidates: Vec<ExprId> = told.iter().copied().chain(properties).collect();
        let Some(holding) = advice::inductive(problem, &candidates, limits, stats) else {
            return (Vec::new(), None);
        };
        let positions = (0..told.len()).filter(|position| holding.contains(&told[*position])).collect();
        if self.induction.add_lemmas(problem, &holding).is_err() {
            return (Vec::new(), Some(positions));
        }
        self.advised = holding.len();
        (vec![problem.export(holding)], Some(positions))
    }

    fn ticks(&self) -> u64 {
        self.unrolling_ticks() + self.templates.as_ref().map_or(0, Templates::ticks)
    }

    fn unrolling_ticks(&self) -> u64 {
        self.base.ticks() + self.induction.ticks()
    }

    /// A short induction, before anything else.
    fn quick(
        &mut self,
        problem: &mut Problem<'s>,
        limits: &Limits,
        observer: &dyn Observer,
        stats: &mut Stats,
        answers: &mut Vec<(PropertyId, Answer)>,
    ) {
        for k in 1..=QUICK_DEPTH {
            if self.open.is_empty() || self.ticks() > QUICK_TICKS || limits.exhausted(self.ticks()) {
                return;
            }
            self.round(problem, k, limits, observer, stats, &mut |id, answer| answers.push((id, answer)));
        }
    }

    /// Asks about each open property at one depth.
    fn round(
        &mut self,
        problem: &mut Problem<'s>,
        k: usize,
        limits: &Limits,
        observer: &dyn Observer,
        stats: &mut Stats,
        answer: &mut dyn FnMut(PropertyId, Answer),
    ) {
        observer.progress("kinduction", k as u32);
        for property in self.open.clone() {
            if limits.exhausted(self.ticks()) {
                return;
            }
            let Some(verdict) = self.ask(problem, property, k, limits, stats) else { continue };
            self.open.retain(|open| *open != property);
            match verdict {
                (_, Verdict::Unknown(reason)) => {
                    self.given_up.insert(property.0, reason);
                }
                (engine, verdict) => answer(property.0, Answer::new(self.ticks(), engine, verdict)),
            }
        }
    }

    /// Asks about one property at one depth: no violation in step k − 1, and induction of length k. `None` where the answer is open.
    fn ask(
        &mut self,
        problem: &mut Problem<'s>,
        property: (PropertyId, ExprId),
        k: usize,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Option<(&'static str, Verdict)> {
        let from = self.cleared.get(&property.0).map_or(0, |cleared| cleared + 1);
        for step in from..k {
            match self.base.ask(problem, property, step, limits, stats) {
                Depth::Clear => {
                    self.cleared.insert(property.0, step);
                }
                Depth::Violation(trace) => return Some(("bmc", Verdict::Falsified(trace))),
                Depth::Unknown(UnknownReason::Timeout | UnknownReason::Memory | UnknownReason::Cancelled) => {
                    return None;
                }
                Depth::Unknown(reason) => return Some(("bmc", Verdict::Unknown(reason))),
            }
        }
        match self.induction.holds(problem, property.1, k, limits, stats) {
            Ok(Some(true)) => {
                let all = self.induction.lemmas();
                let engine = if all.len() > self.advised { "templates" } else { "advice" };
                let lemmas: Vec<ExprId> = all.iter().copied().filter(|lemma| *lemma != property.1).collect();
                let proof = induction::proof(problem, property.1, k, &lemmas, limits, stats);
                let engine = if proof.invariant.lemmas.is_empty() { "kinduction" } else { engine };
                Some((engine, Verdict::Proved(proof)))
            }
            // Longer inductions know no more about products than short ones.
            Ok(Some(false)) if k > NOT_LINEAR_DEPTH && !self.induction.is_exact() => {
                Some(("kinduction", Verdict::Unknown(not_linear())))
            }
            Ok(_) => None,
            Err(error) => Some(("kinduction", Verdict::Unknown(UnknownReason::from(error)))),
        }
    }

    /// Goes on until everything is decided or the time is up.
    fn run(
        &mut self,
        problem: &mut Problem<'s>,
        mut lane: Lane<'_>,
        limits: &Limits,
        observer: &dyn Observer,
        stats: &mut Stats,
        exchange: &Exchange,
    ) {
        let limits = Limits { interrupt: exchange.interrupt(0), ..limits.clone() };
        let mut k = QUICK_DEPTH;
        while !self.open.is_empty() && !limits.exhausted(self.ticks()) {
            lane.advance(self.ticks());
            self.open.retain(|(id, _)| !lane.is_decided(*id));
            let lemmas = self.templates_round(problem, &limits, stats);
            if let Some(lemmas) = lemmas {
                lane.publish(self.ticks(), lemmas);
                for again in 1..k {
                    self.round(problem, again, &limits, observer, stats, &mut |id, answer| {
                        lane.answer(id, answer);
                    });
                }
            } else {
                k += 1;
                if limits.depth.is_some_and(|depth| k > depth as usize + 1) {
                    return;
                }
            }
            self.round(problem, k, &limits, observer, stats, &mut |id, answer| lane.answer(id, answer));
        }
    }

    /// One round of templates, unless they have had more than their share. Returns the lemmas found.
    fn templates_round(
        &mut self,
        problem: &mut Problem<'s>,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Option<Invariant> {
        let share = self.unrolling_ticks().max(QUICK_TICKS);
        let templates = self.templates.get_or_insert_with(|| Templates::new(problem));
        if templates.ticks() > share {
            return None;
        }
        let known = self.induction.lemmas().to_vec();
        match templates.round(problem, &known, limits, stats) {
            Round::Found(lemmas) => {
                self.induction.add_lemmas(problem, &lemmas).ok()?;
                Some(problem.export(lemmas))
            }
            Round::Nothing | Round::Exhausted | Round::Done => None,
        }
    }
}

/// The lane of IC3: one property after the other, first briefly, then longer.
fn directed(
    system: &System,
    edits: &Edits,
    open: &[(PropertyId, ExprId)],
    mut known: Vec<Invariant>,
    mut lane: Lane<'_>,
    limits: &Limits,
    observer: &dyn Observer,
) -> Stats {
    let exchange = lane.exchange();
    let mut stats = Stats::default();
    let mut open = open.to_vec();
    let mut attempt = if open.len() == 1 { u64::MAX } else { FIRST_ATTEMPT };
    while !open.is_empty() {
        for property in open.clone() {
            if lane.is_decided(property.0) {
                open.retain(|other| *other != property);
                continue;
            }
            let interrupt = exchange.interrupt(1);
            if interrupt.is_raised() || lane.offset > interrupt.tick_limit() {
                return stats;
            }
            // The engine counts from zero.
            let own = limits.interrupt.child();
            own.limit_ticks(interrupt.tick_limit().saturating_sub(lane.offset).min(attempt));
            let limits = Limits { interrupt: own, ..limits.clone() };
            let mut problem = Problem::new(system, edits, &[property.0]).within(limits.budget(0));
            let mut own = Stats::default();
            let verdict = {
                let mut partner =
                    Remembering { lane: &mut lane, known: &mut known, given: 0, limits: &limits, exchange };
                ic3::run(&mut problem, property, &mut partner, &limits, observer, &mut own)
            };
            lane.offset += own.ticks;
            stats.merge(&own);
            match verdict {
                Verdict::Unknown(UnknownReason::Cancelled) => {}
                Verdict::Unknown(UnknownReason::Timeout | UnknownReason::Memory) => return stats,
                Verdict::Unknown(_) => open.retain(|other| *other != property),
                verdict => {
                    let frames = own.frames;
                    lane.answer(property.0, Answer { frames, ..Answer::new(lane.offset, "ic3", verdict) });
                    open.retain(|other| *other != property);
                }
            }
        }
        attempt = attempt.saturating_mul(2);
    }
    stats
}

/// Tells each new attempt what earlier ones were told, and stops it when its lane has to stop.
struct Remembering<'a, 'e> {
    lane: &'a mut Lane<'e>,
    known: &'a mut Vec<Invariant>,
    given: usize,
    limits: &'a Limits,
    exchange: &'e Exchange,
}

impl super::Partner for Remembering<'_, '_> {
    fn news(&mut self, ticks: u64) -> Vec<Invariant> {
        let limit = self.exchange.interrupt(1).tick_limit();
        if limit < u64::MAX {
            self.limits.interrupt.limit_ticks(limit.saturating_sub(self.lane.offset));
        }
        let new = super::Partner::news(self.lane, ticks);
        self.known.extend(new);
        let news = self.known[self.given..].to_vec();
        self.given = self.known.len();
        news
    }
}
