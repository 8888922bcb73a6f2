//! Which values of a counterexample do not matter: each choice gets the largest interval within which the property fails whatever the value is.
//!
//! Choices are taken one after the other, from the first step on, and those before keep their intervals: the result is a box around the run that cannot be made larger by trying one more choice, not the largest of
//! all boxes. That every run in the box violates the property is evaluated with intervals ([`RangedRun`]), which see no dependence between signals; so a box may be smaller than need be, but never too large.
//!
//! # References
//! JKind's option `-interval`, based on work by J. Backes, as in its versions up to 3; the search here is our own.

use dashu_ratio::RBig;
use propcov_budget::Budget;
use propcov_ir::{Bounds, EvaluationError, ExprId, Range, RangedRun, SignalId, System, Trace, Value};

/// At most so many boxes are tried.
const TRIES: usize = 20_000;
/// Intervals grow by powers of two up to this one.
const DOUBLINGS: u32 = 24;
/// How often a limit of reals is halved.
const HALVINGS: u32 = 6;

/// The run with intervals; `None` where it cannot be evaluated with intervals at all.
pub fn generalise<'s>(
    system: &'s System,
    trace: &Trace,
    invariant: ExprId,
    budget: &Budget,
) -> Option<RangedRun<'s>> {
    let run = RangedRun::new(system, trace).ok()?;
    let mut search = Search { run, invariant, budget, tries: 0 };
    if !search.run.violates(invariant).ok()? {
        return None;
    }
    for step in 0..search.run.len() {
        for signal in search.run.choices(step) {
            search.widen(step, signal).ok()?;
        }
    }
    Some(search.run)
}

struct Search<'s, 'b> {
    run: RangedRun<'s>,
    invariant: ExprId,
    budget: &'b Budget,
    tries: usize,
}

impl Search<'_, '_> {
    fn widen(&mut self, step: usize, signal: SignalId) -> Result<(), EvaluationError> {
        let Some(value) = self.run.choice(step, signal).and_then(Range::value).cloned() else {
            return Ok(());
        };
        if self.accepts(step, signal, Range::Any)? {
            return Ok(());
        }
        let (amount, whole) = match value {
            Value::Int(value) => (value.into(), true),
            Value::Real(value) => (value, false),
            Value::Bits(_) | Value::Array(_) | Value::Enum(..) => return Ok(()),
        };
        let mut bounds = Bounds { low: Some(amount.clone()), high: Some(amount), whole };
        for side in [Side::High, Side::Low] {
            let open = side.with(&bounds, None);
            if self.accepts_bounds(step, signal, &open)? {
                bounds = open;
            } else {
                bounds = self.stretch(step, signal, bounds, side)?;
            }
        }
        self.accepts_bounds(step, signal, &bounds)?;
        Ok(())
    }

    /// Moves one limit as far as it goes: by powers of two, then back by halves.
    fn stretch(
        &mut self,
        step: usize,
        signal: SignalId,
        start: Bounds,
        side: Side,
    ) -> Result<Bounds, EvaluationError> {
        let Some(limit) = side.limit(&start).cloned() else { return Ok(start) };
        let moved = |distance: &RBig| match side {
            Side::High => &limit + distance,
            Side::Low => &limit - distance,
        };
        let one = RBig::ONE;
        let mut best = RBig::ZERO;
        let mut distance = one.clone();
        let mut doublings = 0;
        while doublings < DOUBLINGS
            && self.accepts_bounds(step, signal, &side.with(&start, Some(moved(&distance))))?
        {
            best = distance.clone();
            distance = &distance + &distance;
            doublings += 1;
        }
        // Between the last that is accepted and the first that is not.
        let halvings = if start.whole { doublings.saturating_sub(1) } else { HALVINGS };
        let mut gap = if best == RBig::ZERO { one } else { best.clone() };
        for _ in 0..halvings {
            gap /= RBig::from(2u8);
            let further = &best + &gap;
            if self.accepts_bounds(step, signal, &side.with(&start, Some(moved(&further))))? {
                best = further;
            }
        }
        Ok(side.with(&start, Some(moved(&best))))
    }

    fn accepts_bounds(
        &mut self,
        step: usize,
        signal: SignalId,
        bounds: &Bounds,
    ) -> Result<bool, EvaluationError> {
        let Bounds { low, high, whole } = bounds.clone();
        self.accepts(step, signal, Range::between(low, high, whole))
    }

    /// Whether the property fails for all values in a range. If not, the range stays as it was.
    fn accepts(&mut self, step: usize, signal: SignalId, range: Range) -> Result<bool, EvaluationError> {
        self.tries += 1;
        if self.tries > TRIES || self.budget.is_exhausted() {
            return Ok(false);
        }
        let before = self.run.choice(step, signal).cloned();
        self.run.choose(step, signal, range)?;
        if self.run.violates(self.invariant)? {
            return Ok(true);
        }
        if let Some(before) = before {
            self.run.choose(step, signal, before)?;
        }
        Ok(false)
    }
}

#[derive(Clone, Copy)]
enum Side {
    Low,
    High,
}

impl Side {
    fn limit(self, bounds: &Bounds) -> Option<&RBig> {
        match self {
            Side::Low => bounds.low.as_ref(),
            Side::High => bounds.high.as_ref(),
        }
    }

    fn with(self, bounds: &Bounds, limit: Option<RBig>) -> Bounds {
        match self {
            Side::Low => Bounds { low: limit, ..bounds.clone() },
            Side::High => Bounds { high: limit, ..bounds.clone() },
        }
    }
}
