//! All engines side by side on two threads, for all properties at once.
//!
//! One lane goes through bounded model checking, induction and template invariants; the other runs IC3. Most properties are decided by a short induction, so that
//! is tried before a second thread is started. Lemmas that templates give are told to IC3, which requires them in all of its queries.

use super::base::{Base, Depth};
use super::exchange::{Answer, Exchange, Lane};
use super::induction::{self, Induction};
use super::templates::{Round, Templates};
use super::{Problem, ic3};
use crate::limits::{Limits, Observer, Stats};
use crate::{Config, Report};
use propcov_ir::{Edits, ExprId, Invariant, PropertyId, System, UnknownReason, Verdict};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// How far induction goes before other engines start.
const QUICK_DEPTH: usize = 2;
/// Ticks that it may take.
const QUICK_TICKS: u64 = 300_000;
/// Ticks of IC3's first attempt at one of several properties; each round doubles them.
const FIRST_ATTEMPT: u64 = 2_000_000;

/// Decides properties together.
pub fn check(
    system: &System,
    edits: &Edits,
    properties: &[PropertyId],
    _config: &Config,
    limits: &Limits,
    observer: &dyn Observer,
) -> Vec<(PropertyId, Report)> {
    let mut problem = Problem::new(system, edits, properties);
    let mut unrolled = Unrolled::new(&problem);
    let mut quick = Vec::new();
    let mut stats = Stats::default();
    unrolled.quick(&mut problem, limits, observer, &mut stats, &mut quick);
    let exchange = Exchange::new([limits.interrupt.child(), limits.interrupt.child()], unrolled.open.len());
    let totals = Mutex::new(stats);
    if !unrolled.open.is_empty() && !limits.exhausted(unrolled.ticks()) {
        let offset = unrolled.ticks();
        std::thread::scope(|scope| {
            let (exchange, totals) = (&exchange, &totals);
            let open = unrolled.open.clone();
            scope.spawn(move || {
                let lane = Lane::new(exchange, 1, offset);
                let stats = directed(system, edits, &open, lane, limits, observer, exchange);
                merge(totals, &stats);
            });
            let lane = Lane::new(exchange, 0, 0);
            let mut stats = Stats::default();
            unrolled.run(&mut problem, lane, limits, observer, &mut stats, exchange);
            merge(totals, &stats);
        });
    }
    let stats = totals.into_inner().unwrap_or_default();
    let mut answers = exchange.answers();
    answers.extend(quick);
    properties.iter().map(|id| (*id, report(*id, &mut answers, &unrolled, limits, &stats))).collect()
}

fn merge(totals: &Mutex<Stats>, stats: &Stats) {
    if let Ok(mut totals) = totals.lock() {
        totals.merge(stats);
    }
}

fn report(
    id: PropertyId,
    answers: &mut BTreeMap<PropertyId, Answer>,
    unrolled: &Unrolled<'_>,
    limits: &Limits,
    stats: &Stats,
) -> Report {
    let mut stats = stats.clone();
    if let Some(cleared) = unrolled.cleared.get(&id) {
        stats.clear(*cleared as u32);
    }
    if let Some(answer) = answers.remove(&id) {
        return Report { verdict: answer.verdict, engine: answer.engine, stats };
    }
    let reason = unrolled.given_up.get(&id).cloned().unwrap_or_else(|| match unrolled.cleared.get(&id) {
        Some(cleared) if limits.depth.is_some_and(|depth| *cleared >= depth as usize) => {
            UnknownReason::Bounded(*cleared as u32)
        }
        _ => limits.reason(),
    });
    Report { verdict: Verdict::Unknown(reason), engine: "portfolio", stats }
}

/// The lane that unrolls: bounded model checking, induction, templates.
struct Unrolled<'s> {
    base: Base<'s>,
    induction: Induction<'s>,
    templates: Option<Templates<'s>>,
    open: Vec<(PropertyId, ExprId)>,
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
            cleared: BTreeMap::new(),
            given_up: BTreeMap::new(),
        }
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
                (engine, verdict) => answer(property.0, Answer { time: self.ticks(), engine, verdict }),
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
                Depth::Unknown(UnknownReason::Timeout | UnknownReason::Cancelled) => return None,
                Depth::Unknown(reason) => return Some(("bmc", Verdict::Unknown(reason))),
            }
        }
        match self.induction.holds(problem, property.1, k, limits, stats) {
            Ok(Some(true)) => {
                let lemmas = self.induction.lemmas().to_vec();
                let proof = induction::proof(problem, property.1, k, &lemmas, limits, stats);
                let engine = if proof.invariant.lemmas.is_empty() { "kinduction" } else { "templates" };
                Some((engine, Verdict::Proved(proof)))
            }
            Ok(_) => None,
            Err(error) => {
                Some(("kinduction", Verdict::Unknown(UnknownReason::Unsupported(error.to_string()))))
            }
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
fn directed<'e>(
    system: &System,
    edits: &Edits,
    open: &[(PropertyId, ExprId)],
    mut lane: Lane<'e>,
    limits: &Limits,
    observer: &dyn Observer,
    exchange: &'e Exchange,
) -> Stats {
    let mut stats = Stats::default();
    let mut open = open.to_vec();
    let mut known: Vec<Invariant> = Vec::new();
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
            let mut problem = Problem::new(system, edits, &[property.0]);
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
                Verdict::Unknown(UnknownReason::Timeout) => return stats,
                Verdict::Unknown(_) => open.retain(|other| *other != property),
                verdict => {
                    lane.answer(property.0, Answer { time: lane.offset, engine: "ic3", verdict });
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
