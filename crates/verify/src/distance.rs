//! How many steps it takes from some states to others, by decision diagrams, and certified.
//!
//! A number is what formulas of CTL say: that the shortest path has k steps means that no state of f is within k − 1 steps of g, and some is within k. These are
//! decided and certified like any other; the diagrams only say for which k to ask.

use crate::choice::EngineChoice;
use crate::limits::{budget, stopped};
use crate::verifier::{Options as Wanted, Verifier};
use propcov_ir::{Ctl, ExprId, PropertyId, PropertyKind, Quantifier, System, UnknownReason};
use propcov_symbolic::{Checker, Length, Options, Subject};
use std::time::Instant;

/// More steps are not certified: formulas get as deep as that.
const MOST_STEPS: u32 = 100;

/// A shortest or longest path that somebody asks about.
#[derive(Clone, Debug)]
pub struct Distance {
    /// Where it begins.
    pub from: Ctl,
    /// Where it ends.
    pub to: Ctl,
    /// Whether it is the longest one.
    pub longest: bool,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Distant {
    /// How long it is, or why that is not known.
    pub length: Result<Length, UnknownReason>,
    /// Why nobody has confirmed that, if nobody has.
    pub uncertified: Option<String>,
    /// From the beginning until it was certified.
    pub seconds: f64,
    /// What went wrong inside propcov.
    pub internal_errors: Vec<String>,
}

impl Verifier<'_> {
    /// Counts steps.
    pub fn distances(&self, asked: &[Distance]) -> Vec<Distant> {
        if asked.is_empty() {
            return Vec::new();
        }
        let start = Instant::now();
        let mut atoms: Vec<ExprId> = asked
            .iter()
            .flat_map(|distance| [distance.from.atoms(), distance.to.atoms()])
            .flatten()
            .collect();
        atoms.sort_unstable();
        atoms.dedup();
        let subject = Subject { atoms: &atoms, parameters: &[] };
        self.progress.stage("distances".to_owned());
        let budget = budget(&self.limits);
        let checker = match stopped(&self.limits) {
            Some(reason) => Some(Err(reason)),
            None => self
                .panics
                .guard(|| Checker::about(self.system, subject, Options::default(), &budget, self.progress)),
        };
        let mut checker = checker.unwrap_or_else(|| Err(crashed()));
        let mut before = start;
        asked
            .iter()
            .map(|distance| {
                let length = match &mut checker {
                    Ok(checker) => {
                        self.panics.guard(|| length(checker, distance)).unwrap_or_else(|| Err(crashed()))
                    }
                    Err(reason) => Err(reason.clone()),
                };
                let mut internal_errors = self.panics.take();
                let mut uncertified = None;
                if let Ok(length) = length {
                    uncertified = self.confirm(distance, length, &mut internal_errors).err();
                }
                let now = Instant::now();
                let seconds = (now - before).as_secs_f64();
                before = now;
                let refuted = !internal_errors.is_empty();
                let length = match refuted {
                    true => Err(UnknownReason::NotCertified("the checker disagrees".to_owned())),
                    false => length,
                };
                Distant { length, uncertified, seconds, internal_errors }
            })
            .collect()
    }

    /// Why a length is not certified.
    fn confirm(
        &self,
        distance: &Distance,
        length: Length,
        internal_errors: &mut Vec<String>,
    ) -> Result<(), String> {
        if matches!(length, Length::Steps(steps) if steps > MOST_STEPS) {
            return Err(format!("a formula for more than {MOST_STEPS} steps is not written out"));
        }
        let mut system = self.system.clone();
        let claims = Claims { system: &mut system, distance }.of(length);
        let mut asked: Vec<(PropertyId, bool)> = Vec::new();
        for (at, (formula, holds)) in claims.into_iter().enumerate() {
            let id = system.add_property(format!("claim {at}"), PropertyKind::Ctl(formula), None);
            asked.push((id, holds));
        }
        let options = Wanted { engine: EngineChoice::Bdd, ..Wanted::default() };
        let verifier = Verifier::new(&system, options, self.limits.clone(), self.progress)
            .with_panics(self.panics.clone());
        let ids: Vec<PropertyId> = asked.iter().map(|(id, _)| *id).collect();
        let mut why = None;
        let outcomes = verifier.decide(&ids, &mut |_| ()).outcomes;
        if length == Length::Undefined {
            outcomes.iter().for_each(|outcome| internal_errors.extend(outcome.internal_errors.clone()));
            let is_shown = outcomes.iter().any(|outcome| outcome.answer.is_proved() && outcome.certified);
            return if is_shown { Ok(()) } else { Err("not certified".to_owned()) };
        }
        // A path that is not fair may go on among fair states for ever, and no formula says so: only a fair one is evidence.
        if length == Length::Infinite
            && distance.longest
            && !self.system.fairness.is_empty()
            && outcomes.first().is_some_and(|outcome| outcome.answer.is_proved())
        {
            return Err("under fairness, no formula of CTL says so".to_owned());
        }
        for (outcome, (_, holds)) in outcomes.iter().zip(asked) {
            internal_errors.extend(outcome.internal_errors.iter().cloned());
            if outcome.answer.is_decided() && outcome.answer.is_proved() != holds {
                internal_errors.push("a distance is another one than formulas say".to_owned());
            } else if !outcome.certified {
                let reason = outcome.answer.reason().map(ToString::to_string);
                why = reason.or(outcome.uncertified.clone()).or_else(|| Some("not certified".to_owned()));
            }
        }
        why.map_or(Ok(()), Err)
    }
}

fn length(checker: &mut Checker<'_>, distance: &Distance) -> Result<Length, UnknownReason> {
    let evaluator = checker.evaluator();
    Ok(match distance.longest {
        false => evaluator.shortest(&distance.from, &distance.to)?,
        true => evaluator.longest(&distance.from, &distance.to)?,
    })
}

fn crashed() -> UnknownReason {
    UnknownReason::Incomplete("internal error: counting steps crashed".to_owned())
}

/// What a length means in CTL.
struct Claims<'c> {
    system: &'c mut System,
    distance: &'c Distance,
}

impl Claims<'_> {
    /// Formulas, and whether they hold.
    fn of(&mut self, length: Length) -> Vec<(Ctl, bool)> {
        let Distance { from, to, longest } = self.distance;
        let next = |formula: Ctl| Ctl::Next(Quantifier::Exists, Box::new(formula));
        let (not_to, truth, falsehood) =
            (not(to), Ctl::constant(self.system, true), Ctl::constant(self.system, false));
        let either = |a: &Ctl, b: Ctl| Ctl::Or(Box::new(a.clone()), Box::new(b));
        let both = |a: &Ctl, b: Ctl| Ctl::And(Box::new(a.clone()), Box::new(b));
        let within = |steps: u32| (0..steps).fold(to.clone(), |rest, _| either(to, next(rest)));
        let stays = |steps: u32| (0..steps).fold(not_to.clone(), |rest, _| both(&not_to, next(rest)));
        match (longest, length) {
            (false, Length::Steps(steps)) => {
                let mut claims = vec![(self.never(from, &within(steps)), false)];
                if let Some(fewer) = steps.checked_sub(1) {
                    claims.push((self.never(from, &within(fewer)), true));
                }
                claims
            }
            (false, _) => {
                let ever = Ctl::Until(Quantifier::Exists, Box::new(truth), Box::new(to.clone()));
                vec![(self.never(from, &ever), true)]
            }
            (true, Length::Steps(steps)) => {
                let mut claims = vec![
                    (self.never(from, &stays(steps)), true),
                    (self.never(from, &truth), false),
                    (self.never(to, &truth), false),
                ];
                if let Some(fewer) = steps.checked_sub(1) {
                    claims.push((self.never(from, &stays(fewer)), false));
                }
                claims
            }
            (true, Length::Infinite) => {
                let for_ever = Ctl::Release(Quantifier::Exists, Box::new(falsehood), Box::new(not_to));
                vec![(self.never(from, &for_ever), false), (self.never(to, &truth), false)]
            }
            // One of the two: nothing begins, or nothing ends.
            (true, Length::Undefined) => {
                vec![(self.never(from, &truth), true), (self.never(to, &truth), true)]
            }
        }
    }

    /// `AG !(a & b)`.
    fn never(&mut self, a: &Ctl, b: &Ctl) -> Ctl {
        let never = Ctl::constant(self.system, false);
        let neither = Ctl::Or(Box::new(not(a)), Box::new(not(b)));
        Ctl::Release(Quantifier::All, Box::new(never), Box::new(neither))
    }
}

fn not(formula: &Ctl) -> Ctl {
    Ctl::Not(Box::new(formula.clone()))
}
