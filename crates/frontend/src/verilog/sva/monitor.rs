//! From obligations to states of a system.
//!
//! One word holds the bits of an assertion, and each chain of obligations has a number. Nobody wrote them: they are no elements, so that no metric sees anything but the assertion.

use super::super::machine::Machine;
use super::counters::{Counter, CounterKind, Plan};
use super::linear::Guard;
use super::obligations::{Cases, Obligations, Target};
use super::syntax::Boolean;
use super::{Problem, limits};
use propcov_ir::{BinaryOp, ExprId, Origin, SignalId, Sort};
use rustc_hash::FxHashMap;

/// What a monitor needs to know of its assertion.
#[derive(Clone, Debug)]
pub(in super::super) struct Frame<'f> {
    pub(in super::super) name: &'f str,
    /// What atoms stand for.
    pub(in super::super) atoms: &'f [ExprId],
    /// Whether an attempt begins at a tick.
    pub(in super::super) start: ExprId,
    /// Whether there is a tick in a step; in each if absent.
    pub(in super::super) tick: Option<ExprId>,
    /// The condition of `disable iff`. Between ticks it ends all attempts, too.
    pub(in super::super) is_disabled: Option<ExprId>,
}

/// What a monitor shows, at ticks.
#[derive(Clone, Debug)]
pub(in super::super) struct Shown {
    /// Some attempt fails.
    pub(in super::super) fails: ExprId,
    /// Some attempt reaches what is marked, by number.
    pub(in super::super) marks: Vec<ExprId>,
}

/// What comes together at each target.
#[derive(Default)]
struct Arrivals(FxHashMap<Target, Vec<ExprId>>);

impl Machine<'_> {
    /// Builds a monitor.
    pub(in super::super) fn monitor(
        &mut self,
        obligations: &Obligations,
        frame: &Frame<'_>,
        marks: usize,
    ) -> Result<Shown, Problem> {
        let always = self.certain(frame.start) == Some(true);
        let plan = Plan::new(obligations, limits::COUNT_FROM, always);
        if plan.bits.len() > limits::BITS {
            return Err(Problem::States);
        }
        let word = self.monitor_state(frame, "monitor", plan.bits.len() as u32);
        let mut arrivals = Arrivals::default();
        self.leave_obligation(obligations, 0, frame.start, frame, &mut arrivals);
        for (position, obligation) in plan.bits.iter().enumerate() {
            let Some(word) = word else { break };
            let whole = self.system.read(word);
            let is_open = self.slice(whole, position as u32, 1);
            self.leave_obligation(obligations, *obligation, is_open, frame, &mut arrivals);
        }
        let mut counters = Vec::new();
        for counter in &plan.counters {
            counters.push((counter, self.leave_chain(obligations, counter, frame, &mut arrivals)));
        }
        if let Some(word) = word {
            let mut bits = Vec::new();
            for obligation in &plan.bits {
                bits.push(self.arrived(&mut arrivals, Target::Open(*obligation)));
            }
            let next = self.joined_bits(&bits);
            self.move_at_tick(word, next, frame);
        }
        for (counter, state) in counters {
            self.move_counter(counter, state, frame, &mut arrivals);
        }
        let fails = self.arrived(&mut arrivals, Target::Fail);
        let marks = (0..marks as u32).map(|mark| self.arrived(&mut arrivals, Target::Mark(mark))).collect();
        Ok(Shown { fails, marks })
    }

    /// A state of a monitor, which starts with zero.
    fn monitor_state(&mut self, frame: &Frame<'_>, what: &str, width: u32) -> Option<SignalId> {
        (width > 0).then(|| self.helper_state(format!("{}.{what}", frame.name), width))
    }

    /// A state that starts with zero.
    pub(in super::super) fn helper_state(&mut self, name: String, width: u32) -> SignalId {
        let state = self.system.add_state(name, Sort::BitVec(width));
        self.system.set_origin(state, Origin::Helper);
        let zero = self.bits(width, 0);
        self.system.set_init(state, zero);
        state
    }

    /// Moves a state at ticks. Between them it is zero again if attempts are disabled.
    pub(super) fn move_at_tick(&mut self, state: SignalId, next: ExprId, frame: &Frame<'_>) {
        let Some(tick) = frame.tick else { return self.system.set_next(state, next) };
        let mut held = self.system.read(state);
        if let Some(is_disabled) = frame.is_disabled {
            let zero = self.bits(self.width(held), 0);
            held = self.ite(is_disabled, zero, held);
        }
        let next = self.ite(tick, next, held);
        self.system.set_next(state, next);
    }

    /// Where an obligation leads if it is open.
    fn leave_obligation(
        &mut self,
        obligations: &Obligations,
        from: usize,
        is_open: ExprId,
        frame: &Frame<'_>,
        arrivals: &mut Arrivals,
    ) {
        for (target, cases) in &obligations.moves[from] {
            let when = self.any_case(cases, frame);
            let leads = self.and(is_open, when);
            arrivals.0.entry(*target).or_default().push(leads);
        }
    }

    /// A number for a chain, and where the chain leads.
    fn leave_chain(
        &mut self,
        obligations: &Obligations,
        counter: &Counter,
        frame: &Frame<'_>,
        arrivals: &mut Arrivals,
    ) -> Option<SignalId> {
        let length = counter.chain.len() as u64;
        let state = self.monitor_state(frame, "count", width_of(length))?;
        let now = self.system.read(state);
        let is_open = match counter.kind {
            CounterKind::Youngest => self.truth(now),
            CounterKind::Oldest | CounterKind::Run => {
                let end = self.bits(width_of(length), length);
                self.eq(now, end)
            }
        };
        let last = *counter.chain.last()?;
        self.leave_obligation(obligations, last, is_open, frame, arrivals);
        if counter.kind == CounterKind::Oldest
            && let Some(cases) = obligations.moves[counter.chain[0]].get(&Target::Fail)
        {
            let any = self.truth(now);
            let when = self.any_case(cases, frame);
            let fails = self.and(any, when);
            arrivals.0.entry(Target::Fail).or_default().push(fails);
        }
        Some(state)
    }

    fn move_counter(
        &mut self,
        counter: &Counter,
        state: Option<SignalId>,
        frame: &Frame<'_>,
        arrivals: &mut Arrivals,
    ) {
        let Some(state) = state else { return };
        let length = counter.chain.len() as u64;
        let width = width_of(length);
        let enters = match counter.chain.first() {
            Some(first) => self.arrived(arrivals, Target::Open(*first)),
            None => self.bool(false),
        };
        let goes_on = self.any_case(&counter.cases, frame);
        let now = self.system.read(state);
        let (zero, one, end) = (self.bits(width, 0), self.bits(width, 1), self.bits(width, length));
        let next = match counter.kind {
            CounterKind::Youngest => {
                let less = self.binary(BinaryOp::Sub, now, one);
                let is_open = self.truth(now);
                let stays = self.and(is_open, goes_on);
                let old = self.ite(stays, less, zero);
                self.ite(enters, end, old)
            }
            CounterKind::Oldest => {
                let more = self.binary(BinaryOp::Add, now, one);
                let (is_open, is_last) = (self.truth(now), self.eq(now, end));
                let is_inner = self.not(is_last);
                let stays = self.and(is_open, goes_on);
                let stays = self.and(stays, is_inner);
                let new = self.ite(enters, one, zero);
                self.ite(stays, more, new)
            }
            CounterKind::Run => {
                let is_full = self.eq(now, end);
                let more = self.binary(BinaryOp::Add, now, one);
                let more = self.ite(is_full, now, more);
                self.ite(goes_on, more, zero)
            }
        };
        self.move_at_tick(state, next, frame);
    }

    fn arrived(&mut self, arrivals: &mut Arrivals, target: Target) -> ExprId {
        let all = arrivals.0.remove(&target).unwrap_or_default();
        self.any(&all)
    }

    fn any_case(&mut self, cases: &Cases, frame: &Frame<'_>) -> ExprId {
        let mut all = Vec::new();
        for guard in cases {
            all.push(self.guard(guard, frame));
        }
        self.any(&all)
    }

    fn guard(&mut self, guard: &Guard, frame: &Frame<'_>) -> ExprId {
        let mut all = self.bool(true);
        for boolean in guard {
            let one = match boolean {
                Boolean::Const(value) => self.bool(*value),
                Boolean::Is(atom, true) => frame.atoms[atom.0 as usize],
                Boolean::Is(atom, false) => self.not(frame.atoms[atom.0 as usize]),
            };
            all = self.and(all, one);
        }
        all
    }

    /// Whether any of these holds; halves are joined, so that expressions stay flat.
    fn any(&mut self, all: &[ExprId]) -> ExprId {
        match all {
            [] => self.bool(false),
            [only] => *only,
            _ => {
                let (left, right) = all.split_at(all.len() / 2);
                let (left, right) = (self.any(left), self.any(right));
                self.or(left, right)
            }
        }
    }

    /// Bits as a word, the first one last.
    pub(super) fn joined_bits(&mut self, bits: &[ExprId]) -> ExprId {
        match bits {
            [] => self.bool(false),
            [only] => *only,
            _ => {
                let (low, high) = bits.split_at(bits.len() / 2);
                let (low, high) = (self.joined_bits(low), self.joined_bits(high));
                self.concat(high, low)
            }
        }
    }
}

/// The bits of a number up to this.
fn width_of(most: u64) -> u32 {
    most.checked_ilog2().map_or(1, |log| log + 1)
}
