//! Assertions, assumptions and covers.

use super::clock::ClockId;
use super::machine::{Context, Machine};
use super::record::{At, EventRef, ExprRef, Properties, PropertyRef, ScopeRef, Setting};
use super::sva::syntax::{Atom, Boolean, Property};
use super::sva::{self, Binding, Concurrent, Frame, Watched};
use super::unread::Asked;
use crate::InputError;
use propcov_ir::{ExprId, PropertyId, Span, Test, TestKind, Tests, Vacuity};

/// What is asserted, assumed or to be reached.
#[derive(Clone, Debug)]
pub(super) struct Assertion {
    pub(super) kind: AssertionKind,
    pub(super) name: String,
    pub(super) at: At,
    /// Where the condition is written.
    pub(super) condition_at: At,
    pub(super) scope: ScopeRef,
    /// The condition under which it is executed.
    pub(super) reached: ExprId,
    /// Whether it is executed once, in an initial block.
    pub(super) is_once: bool,
    /// What is asserted, as it is written.
    pub(super) asked: Asked,
    pub(super) claim: Claim,
}

/// What an assertion says.
#[derive(Clone, Debug)]
pub(super) enum Claim {
    /// What holds when it is executed; at an edge, what was sampled before it.
    Now(ExprId, Option<ClockId>),
    /// What begins when it is executed.
    Attempt(Box<Concurrent>),
}

/// An assertion as conditions on steps.
#[derive(Clone, Debug)]
pub(super) struct Judgement {
    /// In a step in which it has failed, or for a cover, in one that is wanted.
    pub(super) happens: ExprId,
    /// What puts it to the test.
    pub(super) tests: Tests,
    /// Whether finite runs do not show all failures.
    pub(super) is_liveness: bool,
    /// What a run that violates it makes true infinitely often, if that is asked.
    pub(super) justice: Option<Vec<ExprId>>,
    /// Whether a finite run may show a failure.
    pub(super) can_happen: bool,
    /// What to tell of attempts.
    pub(super) watched: Option<Box<Watched>>,
}

/// What is wanted of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AssertionKind {
    Assert,
    Assume,
    Cover,
}

impl AssertionKind {
    fn named(name: &str) -> Option<AssertionKind> {
        match name {
            "Assert" => Some(AssertionKind::Assert),
            "Assume" | "Restrict" => Some(AssertionKind::Assume),
            "CoverProperty" | "CoverSequence" => Some(AssertionKind::Cover),
            _ => None,
        }
    }
}

impl Machine<'_> {
    /// An immediate assertion, under the condition that its statement is executed.
    pub(super) fn immediate(
        &mut self,
        kind: &str,
        condition: ExprRef,
        label: Option<&str>,
        at: At,
    ) -> Result<(), InputError> {
        let Some(kind) = self.wanted(kind, at)? else { return Ok(()) };
        let (asked, name) = (Asked::Condition(condition), self.assertion_name(label, at));
        if self.leaves_out(asked, kind, &name, at) {
            return Ok(());
        }
        let place = self.place_of_work();
        let holds = match self.condition(condition) {
            Ok(holds) => holds,
            Err(error) => return self.leave_out(asked, kind, place, error),
        };
        let clock = match self.context {
            Context::Edge(clock) => Some(clock),
            Context::Start | Context::Each => None,
        };
        let condition_at = self.export.expr(condition).at;
        self.add_assertion((kind, asked), Claim::Now(holds, clock), name, [at, condition_at]);
        Ok(())
    }

    /// A concurrent assertion. It is about sampled values: what the process around it has assigned does not show, but for variables of its own.
    pub(super) fn concurrent(
        &mut self,
        kind: &str,
        property: PropertyRef,
        defaults: (Option<EventRef>, Option<ExprRef>),
        label: Option<&str>,
        at: At,
    ) -> Result<(), InputError> {
        let Some(kind) = self.wanted(kind, at)? else { return Ok(()) };
        let (asked, name) = (Asked::Property(property), self.assertion_name(label, at));
        if self.leaves_out(asked, kind, &name, at) {
            return Ok(());
        }
        let (mark, place) = (self.values.mark(), self.place_of_work());
        for slot in self.values.slots() {
            if !self.scan.facts(slot.symbol()).is_local {
                self.values.set(slot, None);
            }
        }
        let binding = match kind {
            AssertionKind::Assert => Binding::Antecedents,
            AssertionKind::Cover => Binding::Goal,
            AssertionKind::Assume => Binding::Never,
        };
        let read = self.read_concurrent(property, defaults, binding, at);
        self.values.undo(mark);
        let read = match read {
            Ok(read) => read,
            Err(error) => return self.leave_out(asked, kind, place, error),
        };
        let condition_at = self.export.property(property).at.unwrap_or(at);
        self.add_assertion((kind, asked), Claim::Attempt(Box::new(read)), name, [at, condition_at]);
        Ok(())
    }

    /// What is wanted of an assertion; nothing if settings say that it does not count.
    fn wanted(&mut self, kind: &str, at: At) -> Result<Option<AssertionKind>, InputError> {
        let path = self.places.path(at);
        let is_set = |wanted: &dyn Fn(&Setting) -> bool| self.is_set(wanted);
        match AssertionKind::named(kind) {
            Some(_)
                if kind == "Restrict"
                    && is_set(&|one| matches!(one, Setting::Unrestricted(file) if file == path)) =>
            {
                self.executed.insert(at);
                Ok(None)
            }
            Some(AssertionKind::Assert)
                if is_set(&|one| matches!(one, Setting::Assumed(file) if file == path)) =>
            {
                Ok(Some(AssertionKind::Assume))
            }
            Some(AssertionKind::Assert)
                if is_set(&|one| matches!(one, Setting::Without(Properties::Assertions))) =>
            {
                self.executed.insert(at);
                Ok(None)
            }
            Some(AssertionKind::Cover)
                if is_set(&|one| matches!(one, Setting::Without(Properties::Covers))) =>
            {
                self.executed.insert(at);
                Ok(None)
            }
            Some(kind) => Ok(Some(kind)),
            None => self.error(at, format!("{kind} is not supported")),
        }
    }

    /// The name of an assertion: its label, or where it stands.
    fn assertion_name(&self, label: Option<&str>, at: At) -> String {
        match label.filter(|label| !label.is_empty()) {
            Some(label) => self.local_name(label),
            None => {
                let path = self.places.path(at);
                let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
                self.local_name(&format!("{file}:{}", self.places.start(at).0))
            }
        }
    }

    fn add_assertion(
        &mut self,
        (kind, asked): (AssertionKind, Asked),
        claim: Claim,
        name: String,
        [at, condition_at]: [At; 2],
    ) {
        self.executed.insert(at);
        let mut reached = self.path;
        let is_once = self.context == Context::Start;
        if is_once {
            let first = self.first_step();
            reached = self.and(reached, first);
        }
        let scope = self.scope;
        self.assertions.push(Assertion {
            kind,
            name,
            at,
            condition_at,
            scope,
            reached,
            is_once,
            asked,
            claim,
        });
    }

    /// What an assertion says about each step, whatever its clock is. Before the reset has ended it says nothing.
    pub(super) fn judged(
        &mut self,
        assertion: &Assertion,
        ready: Option<ExprId>,
    ) -> Result<Judgement, InputError> {
        self.scope = assertion.scope;
        match &assertion.claim {
            Claim::Now(holds, clock) => {
                let is_wanted = assertion.kind == AssertionKind::Cover;
                let here = if is_wanted { *holds } else { self.not(*holds) };
                let happens = self.and(assertion.reached, here);
                let clock = clock.filter(|clock| self.clocking.is_seen(*clock));
                let happens = self.counted(happens, clock, ready)?;
                let mut tests = Tests::default();
                if !assertion.is_once && !is_wanted && self.certain(assertion.reached) != Some(true) {
                    let executed = self.counted(assertion.reached, clock, ready)?;
                    self.add_test(&mut tests, TestKind::Executed, executed, assertion.at);
                }
                let (is_liveness, justice) = (false, None);
                Ok(Judgement { happens, tests, is_liveness, justice, can_happen: true, watched: None })
            }
            Claim::Attempt(concurrent) => self.attempts(assertion, concurrent, ready),
        }
    }

    /// What happens in a step that counts: at an edge that is seen, by what was sampled before it, and after the reset.
    fn counted(
        &mut self,
        mut happens: ExprId,
        clock: Option<ClockId>,
        ready: Option<ExprId>,
    ) -> Result<ExprId, InputError> {
        if let Some(clock) = clock {
            let seen = self.edge_seen(clock)?;
            let sampled = self.step_before("sampled", happens);
            happens = self.and(sampled, seen);
        }
        Ok(ready.map_or(happens, |ready| self.and(happens, ready)))
    }

    /// Adds what has to happen besides what is there already.
    fn add_test(&self, tests: &mut Tests, kind: TestKind, happens: ExprId, at: At) {
        let before = tests.all.len().checked_sub(1);
        let (number, span) = (tests.all.len(), Some(self.places.span(at)));
        tests.all.push(Test { kind, happens, text: None, span, before });
        let vacuity = std::mem::take(&mut tests.vacuity);
        tests.vacuity = Vacuity::any([vacuity, Vacuity::Unmet(number)]);
    }

    fn attempts(
        &mut self,
        assertion: &Assertion,
        concurrent: &Concurrent,
        ready: Option<ExprId>,
    ) -> Result<Judgement, InputError> {
        let Concurrent { property, tick: (clock, gate), atoms, .. } = concurrent;
        let is_goal = assertion.kind == AssertionKind::Cover;
        let (mut atoms, mut start, mut tick) = (atoms.clone(), assertion.reached, *gate);
        let seen = clock.filter(|clock| self.clocking.is_seen(*clock));
        let (mut disabled, mut is_disabled, mut current) = (concurrent.disabled, None, None);
        if let Some(Boolean::Is(atom, positive)) = disabled {
            let condition = atoms[atom.0 as usize];
            is_disabled = Some(if positive { condition } else { self.not(condition) });
            if seen.is_some() {
                // It is not sampled, so that it is another condition than the same in the property.
                disabled = Some(Boolean::Is(Atom(atoms.len() as u32), positive));
                current = Some(condition);
            }
        }
        let claim = if is_goal { sva::goal(property, disabled) } else { sva::claim(property, disabled) };
        let too_large =
            |machine: &Self, problem: sva::Problem| machine.places.error(assertion.at, problem.to_string());
        let claim = claim.map_err(|problem| too_large(self, problem))?;
        if let Some(clock) = seen {
            for value in atoms.iter_mut().chain([&mut start]).chain(&mut tick) {
                *value = self.step_before("sampled", *value);
            }
            let seen = self.edge_seen(clock)?;
            tick = Some(tick.map_or(seen, |gate| self.and(gate, seen)));
        }
        atoms.extend(current);
        let start = match assertion.is_once {
            true => self.first_tick(&assertion.name, start, tick, ready),
            false => ready.map_or(start, |ready| self.and(start, ready)),
        };
        let frame = Frame { name: &assertion.name, atoms: &atoms, start, tick, is_disabled };
        let marks = claim.antecedents.len();
        let shown =
            self.monitor(&claim.obligations, &frame, marks).map_err(|problem| too_large(self, problem))?;
        let (is_liveness, justice) = self
            .liveness(assertion, (property, disabled), &frame)
            .map_err(|problem| too_large(self, problem))?;
        let mut at_tick = |value: ExprId| match tick {
            Some(tick) => self.and(value, tick),
            None => value,
        };
        let happens = at_tick(shown.fails);
        let begins = at_tick(start);
        let marks: Vec<ExprId> = shown.marks.iter().map(|mark| at_tick(*mark)).collect();
        let pieces: Vec<(String, Span)> = concurrent
            .pieces
            .iter()
            .map(|(at, text)| (text.clone().unwrap_or_else(|| self.places.text(*at)), self.places.span(*at)))
            .collect();
        let mut tests = Tests::default();
        let is_sometimes = gate.is_some() || self.certain(assertion.reached) != Some(true);
        if !is_goal && !assertion.is_once && is_sometimes {
            self.add_test(&mut tests, TestKind::Executed, begins, assertion.at);
        }
        if let Some(disabled) = disabled.filter(|_| !is_goal) {
            let is_enabled = match disabled {
                Boolean::Const(disabled) => self.bool(!disabled),
                Boolean::Is(atom, true) => self.not(atoms[atom.0 as usize]),
                Boolean::Is(atom, false) => atoms[atom.0 as usize],
            };
            let is_enabled = self.and(begins, is_enabled);
            self.add_test(&mut tests, TestKind::Enabled, is_enabled, assertion.at);
        }
        let outer = tests.all.len();
        for (antecedent, happens) in claim.antecedents.iter().zip(marks) {
            let piece = antecedent.piece.and_then(|piece| pieces.get(piece.0 as usize));
            tests.all.push(Test {
                kind: TestKind::Antecedent,
                happens,
                text: piece.map(|(text, _)| sva::bare(text).to_owned()),
                span: Some(piece.map_or_else(|| self.places.span(assertion.at), |(_, span)| *span)),
                before: antecedent.before.map(|before| before + outer).or(outer.checked_sub(1)),
            });
        }
        tests.vacuity = Vacuity::any([tests.vacuity, claim.vacuity.shifted(outer)]);
        let watched = Watched {
            // Until the property is there.
            id: PropertyId(0),
            property: property.clone(),
            disabled,
            start,
            tick,
            pieces,
            atoms,
        };
        let can_happen = claim.obligations.can_fail();
        let watched = Some(Box::new(watched));
        Ok(Judgement { happens, tests, is_liveness, justice, can_happen, watched })
    }

    /// When the one attempt of an initial block begins: at the first tick that counts, which need not be in the first step.
    fn first_tick(
        &mut self,
        name: &str,
        start: ExprId,
        tick: Option<ExprId>,
        ready: Option<ExprId>,
    ) -> ExprId {
        let counts = match (tick, ready) {
            (None, None) => return start,
            (Some(one), None) | (None, Some(one)) => one,
            (Some(tick), Some(ready)) => self.and(tick, ready),
        };
        let waiting = self.helper_state(format!("{name}.waiting"), 1);
        let waits = self.system.read(waiting);
        let is_due = self.or(start, waits);
        let is_early = self.not(counts);
        let still = self.and(is_due, is_early);
        self.system.set_next(waiting, still);
        ready.map_or(is_due, |ready| self.and(is_due, ready))
    }

    /// Whether there is something that no finite run shows of an assertion, and what, if that is asked. What none shows of an assumption restricts which infinite runs
    /// count.
    fn liveness(
        &mut self,
        assertion: &Assertion,
        (property, disabled): (&Property, Option<Boolean>),
        frame: &Frame<'_>,
    ) -> Result<(bool, Option<Vec<ExprId>>), sva::Problem> {
        if assertion.kind == AssertionKind::Cover {
            let endless = sva::endless_goal(property, disabled)?;
            return Ok((endless.is_some(), endless.map(|goal| self.justice(&goal, frame))));
        }
        let automaton = sva::alternating(property, disabled, false)?;
        if !automaton.is_liveness() {
            return Ok((false, None));
        }
        if self.is_set(&|one| matches!(one, Setting::Without(Properties::Liveness))) {
            return Ok((true, None));
        }
        if assertion.kind == AssertionKind::Assume {
            self.assume_fairness(&automaton, frame);
            return Ok((true, None));
        }
        let opposite = sva::alternating(property, disabled, true)?;
        Ok((true, Some(self.justice(&opposite, frame))))
    }

    /// Whether there is such a setting.
    pub(super) fn is_set(&self, wanted: &dyn Fn(&Setting) -> bool) -> bool {
        self.export.settings.iter().any(wanted)
    }

    /// Whether a sequence has come to its end at this tick.
    pub(super) fn sequence_ends(&mut self, sequence: PropertyRef, at: At) -> Result<ExprId, InputError> {
        let (sequence, atoms) = self.read_sequence(sequence, at)?;
        let too_large = |machine: &Self, problem: sva::Problem| machine.places.error(at, problem.to_string());
        let obligations = sva::end(&sequence).map_err(|problem| too_large(self, problem))?;
        let tick = match self.context {
            Context::Edge(clock) if self.clocking.is_seen(clock) => {
                return self.error(at, "the end of a sequence is not supported where clocks are signals");
            }
            _ => self.gate,
        };
        let (name, start) = (self.placed_name("sequence", at), self.bool(true));
        let frame = Frame { name: &name, atoms: &atoms, start, tick, is_disabled: None };
        let shown = self.monitor(&obligations, &frame, 0).map_err(|problem| too_large(self, problem))?;
        Ok(shown.fails)
    }
}
