//! Whether implications over time are ever put to the test.
//!
//! `req |-> ##[1:3] ack` holds on a design where `req` never comes, and then says nothing; and so does `G (req -> F ack)` (`linear`). So of each that holds, the opposite of what puts it to the test is decided as well: that
//! the end of its antecedent is never reached. If this holds, the property is vacuous; if not, the run that shows it is kept. There may be several antecedents, one after the other or side by side; so a property may say nothing in part.
//! What comes last is asked about first, because it shows that all before it happened.
//!
//! This is a part of the sanity check of every command. Whoever measures coverage asks before measuring, because what a vacuous property covers means nothing.

mod linear;

use crate::Control;
use crate::cover::scene::part_of;
use linear::Antecedents;
use propcov_engine::{Limits, Stats};
use propcov_ir::{Proof, PropertyId, PropertyKind, System, Test, TestKind, UnknownReason};
use propcov_result::{Property, RunResult, Unmet, UnmetKind, Verdict};
use propcov_verify::{Client, Options, Outcome, Verifier, record};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Of the time that is left, those who measure give one of so many parts to this.
const PARTS: usize = 8;

/// What is known of implications that hold.
pub(crate) struct Tests<'t> {
    /// The system, with the expressions of questions.
    system: Cow<'t, System>,
    /// The tests of formulas of linear time.
    linear: FxHashMap<PropertyId, Antecedents>,
    options: Options,
    control: &'t Control<'t>,
    /// Of each test that was asked about, what came of it.
    known: Vec<(PropertyId, usize, Property)>,
}

impl<'t> Tests<'t> {
    pub(crate) fn new(system: &'t System, options: Options, control: &'t Control<'t>) -> Tests<'t> {
        let options = Options { with_core: false, smooth: false, with_counts: false, ..options };
        let mut system = Cow::Borrowed(system);
        let mut linear = FxHashMap::default();
        for id in (0..system.properties().len() as u32).map(PropertyId) {
            if let PropertyKind::Ltl(formula) = &system.property(id).kind {
                let formula = formula.clone();
                linear.insert(id, Antecedents::of(system.to_mut(), &formula));
            }
        }
        Tests { system, linear, options, control, known: Vec::new() }
    }

    /// What puts a property to the test.
    fn tests(&self, property: PropertyId) -> &propcov_ir::Tests {
        match self.linear.get(&property) {
            Some(antecedents) => &antecedents.tests,
            None => &self.system.property(property).tests,
        }
    }

    /// That a test never happens.
    fn never(&self, property: PropertyId, test: usize, asked: &mut System) -> PropertyKind {
        match self.linear.get(&property) {
            Some(antecedents) => antecedents.never[test].clone(),
            None => {
                let happens = self.system.property(property).tests.all[test].happens;
                PropertyKind::Invariant(asked.exprs.not(happens))
            }
        }
    }

    /// Decides about those that hold, and were not asked about before.
    pub(crate) fn decide(&mut self, outcomes: &[Outcome], limits: &Limits, is_brief: bool) {
        let proved: Vec<PropertyId> = outcomes
            .iter()
            .filter(|outcome| outcome.answer.is_proved())
            .map(|outcome| outcome.property)
            .filter(|property| self.known.iter().all(|(known, ..)| known != property))
            .collect();
        // What never happens may be so because something before it does not.
        let mut open: Vec<(PropertyId, usize)> = Vec::new();
        for property in proved {
            let tests = &self.tests(property).all;
            let is_last = |test: &usize| !tests.iter().any(|other| other.before == Some(*test));
            open.extend((0..tests.len()).filter(is_last).map(|test| (property, test)));
        }
        while !open.is_empty() {
            let asked = self.known.len();
            self.ask(&open, limits, is_brief);
            open = self.known[asked..]
                .iter()
                .filter(|(.., found)| found.verdict == Verdict::Proved)
                .filter_map(|(property, test, _)| Some((*property, self.tests(*property).all[*test].before?)))
                .filter(|(property, test)| {
                    !self.known.iter().any(|(known, of, _)| (known, of) == (property, test))
                })
                .collect();
            open.sort_unstable();
            open.dedup();
        }
    }

    /// Decides whether these tests ever happen.
    fn ask(&mut self, tests: &[(PropertyId, usize)], limits: &Limits, is_brief: bool) {
        let mut asked = System::clone(&self.system);
        let mut questions: Vec<(PropertyId, usize, PropertyId)> = Vec::new();
        for (property, test) in tests {
            let known = self.system.property(*property);
            let never = self.never(*property, *test, &mut asked);
            let name = format!("{} is never put to the test", known.name);
            let question = asked.add_property(name, never, known.span);
            questions.push((*property, *test, question));
        }
        let (options, control) = (self.options.clone(), self.control);
        let mut verifier = Verifier::new(&asked, options, limits.clone(), control.progress)
            .with_panics(control.panics.clone());
        if is_brief {
            verifier = verifier.briefly();
        }
        let ids: Vec<PropertyId> = questions.iter().map(|(.., question)| *question).collect();
        let answers = verifier.decide(&ids, &mut |_| {});
        for (property, test, question) in questions {
            if let Some(answer) = answers.outcomes.iter().find(|outcome| outcome.property == question) {
                self.known.push((property, test, record::property(&asked, answer)));
            }
        }
    }

    /// Whether it is proved that a test never happens: itself, or something before it.
    fn is_never(&self, property: PropertyId, test: usize) -> bool {
        let tests = &self.tests(property).all;
        let is_proved = |test: usize| {
            self.known.iter().any(|(known, of, found)| {
                *known == property && *of == test && found.verdict == Verdict::Proved
            })
        };
        std::iter::successors(Some(test), |test| tests[*test].before).any(is_proved)
    }

    /// The first ones of those that never happen.
    fn unmet(&self, property: PropertyId) -> Vec<Unmet> {
        let tests = &self.tests(property).all;
        let is_first = |test: &usize| {
            let before = tests[*test].before;
            self.is_never(property, *test) && !before.is_some_and(|before| self.is_never(property, before))
        };
        let unmet = |test: usize| {
            let Test { kind, text, span, before, .. } = &tests[test];
            let kind = match kind {
                TestKind::Executed => UnmetKind::Executed,
                TestKind::Enabled => UnmetKind::Enabled,
                TestKind::Antecedent => UnmetKind::Antecedent,
            };
            let earlier = std::iter::successors(*before, |test| tests[*test].before);
            let mut after: Vec<String> = earlier.filter_map(|test| tests[test].text.clone()).collect();
            after.reverse();
            let place = span.and_then(|span| record::place(&self.system, span));
            Unmet { kind, text: text.clone(), after, place }
        };
        (0..tests.len()).filter(is_first).map(unmet).collect()
    }

    /// Adds to the result which properties are never put to the test, and runs that do for the others.
    pub(crate) fn add_to(&self, result: &mut RunResult) {
        let mut properties: Vec<PropertyId> = self.known.iter().map(|(property, ..)| *property).collect();
        properties.sort_unstable();
        properties.dedup();
        for property in properties {
            let known = self.system.property(property);
            let name = &known.name;
            let Some(record) = result.properties.iter_mut().find(|record| record.name == *name) else {
                continue;
            };
            record.unmet = self.unmet(property);
            if self.tests(property).vacuity.is_given(&|test| self.is_never(property, test)) {
                record.vacuous = true;
                if let Some(gate) = &mut result.gate {
                    gate.vacuous.extend((!gate.vacuous.contains(name)).then(|| name.clone()));
                    gate.untested.push(name.clone());
                }
                continue;
            }
            // Of runs that put it to the test, one that gets to the end of an antecedent, if there is one.
            let runs = self.known.iter().filter(|(of, _, found)| *of == property && found.trace.is_some());
            let is_antecedent = |test: usize| self.tests(property).all[test].kind == TestKind::Antecedent;
            if let Some((.., found)) = runs.min_by_key(|(_, test, _)| (!is_antecedent(*test), *test)) {
                record.tested.clone_from(&found.trace);
            }
        }
    }
}

/// A client that has its proofs looked at first.
pub(crate) struct Testing<'c, 't> {
    pub(crate) tests: &'c mut Tests<'t>,
    pub(crate) client: &'c mut dyn Client,
}

impl Client for Testing<'_, '_> {
    fn attempt(
        &mut self,
        property: PropertyId,
        limits: &Limits,
        stats: &mut Stats,
    ) -> Option<(propcov_ir::Verdict, &'static str)> {
        self.client.attempt(property, limits, stats)
    }

    fn check(
        &mut self,
        property: PropertyId,
        proof: &Proof,
        ticks: u64,
    ) -> Option<Result<(), UnknownReason>> {
        self.client.check(property, proof, ticks)
    }

    fn heard(&mut self, outcome: &Outcome) {
        self.client.heard(outcome);
    }

    fn work(&mut self, outcomes: &[Outcome], limits: &Limits) {
        // The bound is for those who prove.
        self.tests.decide(outcomes, &part_of(limits, PARTS).with_depth(None), true);
        self.client.work(outcomes, limits);
    }
}
