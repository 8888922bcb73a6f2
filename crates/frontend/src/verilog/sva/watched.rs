//! An assertion of a design, for those who have a run that violates it.

use super::attempt::{self, Outcome};
use super::syntax::{Boolean, Property};
use propcov_ir::{Edits, ExprId, Interpreter, Lasso, PropertyId, Span, Step, System, Trace, Value};

/// A property over time, with what its parts stand for.
#[derive(Clone, Debug)]
pub struct Watched {
    pub(in super::super) id: PropertyId,
    pub(in super::super) property: Property,
    pub(in super::super) disabled: Option<Boolean>,
    pub(in super::super) atoms: Vec<ExprId>,
    /// Whether an attempt begins in a step.
    pub(in super::super) start: ExprId,
    /// Whether a step is a tick; each is if absent.
    pub(in super::super) tick: Option<ExprId>,
    /// Pieces of text, with their places.
    pub(in super::super) pieces: Vec<(String, Span)>,
}

/// An attempt that fails, in steps of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldAttempt {
    /// The step in which it began.
    pub start: usize,
    /// What happened.
    pub parts: Vec<ToldPart>,
}

/// A part of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldPart {
    /// As it is written.
    pub text: String,
    /// Where it is written.
    pub span: Span,
    /// The first step.
    pub from: usize,
    /// The last step.
    pub to: usize,
    /// Whether it matched, or failed to.
    pub matched: bool,
    /// Whether it fails because it never comes, on a run that goes on for ever.
    pub endless: bool,
}

impl Watched {
    /// The property that it is about.
    pub fn property(&self) -> PropertyId {
        self.id
    }

    /// Which conditions hold at the ticks of a run, by tick; with the step of each tick, and whether an attempt begins there.
    #[expect(clippy::type_complexity, reason = "three columns of one table")]
    pub fn word(&self, system: &System, steps: &[Step]) -> Option<(Vec<usize>, Vec<bool>, Vec<Vec<bool>>)> {
        let edits = Edits::none();
        let interpreter = Interpreter::new(system, &edits).ok()?;
        let (mut ticks, mut begins, mut word) = (Vec::new(), Vec::new(), Vec::new());
        for (position, step) in steps.iter().enumerate() {
            let mut frame = interpreter.frame(step).ok()?;
            let mut holds = |expr: ExprId| frame.value(expr).ok().map(|value| value == Value::bool(true));
            let letter = self.atoms.iter().map(|atom| holds(*atom)).collect::<Option<Vec<bool>>>()?;
            if self.tick.is_none_or(|tick| holds(tick) == Some(true)) {
                ticks.push(position);
                begins.push(holds(self.start)?);
                word.push(letter);
            } else if let (Some(Boolean::Is(atom, disables)), Some(before)) = (self.disabled, word.last_mut())
                && letter[atom.0 as usize] == disables
            {
                // Whatever has begun before is disabled.
                before[atom.0 as usize] = disables;
            }
        }
        Some((ticks, begins, word))
    }

    /// The attempt that fails in the last step of a run.
    pub fn attempt(&self, system: &System, run: &Trace) -> Option<ToldAttempt> {
        let (steps, begins, word) = self.word(system, &run.steps)?;
        let told = attempt::failing_attempt(&self.property, self.disabled, &begins, &word)?;
        self.told(&told, &steps)
    }

    /// The first attempt that fails on a run that repeats itself. Steps after the last one are counted on.
    pub fn endless_attempt(&self, system: &System, lasso: &Lasso) -> Option<ToldAttempt> {
        let all = &lasso.trace.steps;
        let round = all.get(lasso.loop_to..).filter(|round| !round.is_empty())?;
        // What comes after the last tick of a round belongs to that tick: so the second round is the one that is the same ever after.
        let longer: Vec<Step> = all.iter().chain(round).chain(round).cloned().collect();
        let (steps, begins, word) = self.word(system, &longer)?;
        let ticks_before = |end: usize| steps.iter().take_while(|step| **step < end).count();
        let (back, end) = (ticks_before(all.len()), ticks_before(all.len() + round.len()));
        let told =
            attempt::endless_attempt(&self.property, self.disabled, &begins[..end], &word[..end], back)?;
        let ticks = end.checked_sub(back).filter(|ticks| *ticks > 0)?;
        let mut steps = steps[..end].to_vec();
        for number in 0..attempt::WINDOW + 2 * ticks {
            steps.push(steps[back + number % ticks] + (1 + number / ticks) * round.len());
        }
        self.told(&told, &steps)
    }

    fn told(&self, told: &attempt::Attempt, steps: &[usize]) -> Option<ToldAttempt> {
        let part = |event: &attempt::Event| {
            let (text, span) = self.pieces.get(event.piece.0 as usize)?.clone();
            let (from, to) = (*steps.get(event.from)?, *steps.get(event.to)?);
            let (matched, endless) = (event.outcome == Outcome::Matched, event.outcome == Outcome::NeverMet);
            Some(ToldPart { text: bare(&text).to_owned(), span, from, to, matched, endless })
        };
        Some(ToldAttempt {
            start: *steps.get(told.start)?,
            parts: told.events.iter().filter_map(part).collect(),
        })
    }
}

/// A text without the parentheses around all of it.
pub(in super::super) fn bare(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return text };
    let mut depth = 0_usize;
    for character in inner.chars() {
        depth = match character {
            '(' => depth + 1,
            ')' => match depth.checked_sub(1) {
                Some(depth) => depth,
                // The first one was closed before the end.
                None => return text,
            },
            _ => depth,
        };
    }
    bare(inner.trim())
}

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn only_parentheses_around_all_of_a_text_are_left_out() {
        for (text, expected) in [
            ("(a)", "a"),
            ("((a ##1 b))", "a ##1 b"),
            ("(a) || (b)", "(a) || (b)"),
            ("f(a)", "f(a)"),
            ("(", "("),
        ] {
            assert_eq!(bare(text), expected);
        }
    }
}
