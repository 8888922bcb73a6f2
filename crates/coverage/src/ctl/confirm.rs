//! Whether the independent checker agrees: it makes each mutant and checks it by itself, where there are few enough states.

use super::question::Question;
use super::rows::{Counts, Part, Row, Standing};
use super::{Flip, Implication, Place, Semantics};
use dashu_int::UBig;
use propcov_budget::Budget;
use propcov_certify::{
    CoverageAnswer, CoverageFlip, CoverageLimits, CoveragePlace, CoverageQuestion, CoverageRecheck,
    CoverageSemantics, ExplicitLimits, Rejection, recheck_coverage,
};
use propcov_ir::{ExprId, Sort, System, UnknownReason};
use propcov_result::Count;
use propcov_verify::{PanicLog, Size};

/// What is listed: a second or two of work.
const LIMITS: CoverageLimits =
    CoverageLimits { explicit: ExplicitLimits { states: 20_000, edges: 40_000 }, steps: 200_000_000 };

/// What came of it.
#[derive(Debug)]
pub struct Certified {
    /// What the checker says about each row.
    pub rows: Vec<Judgement>,
    /// Why what there is to cover is not what was counted, if that is so: a bug.
    pub wrong_total: Option<String>,
    /// What else went wrong.
    pub failure: Option<String>,
}

/// Whether the counts of a row are right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// All were confirmed.
    Confirmed,
    /// No property was measured: there is nothing to confirm.
    Nothing,
    /// They were not looked at, or not all of them, for this reason.
    Open(&'static str),
    /// One is wrong: a bug.
    Refuted(String),
}

impl Judgement {
    /// Too many states, or transitions, to list them.
    const TOO_MANY: Judgement = Judgement::Open("too many to list");
    /// Too many mutants, too many steps for each, or too many values.
    const TOO_MUCH: Judgement = Judgement::Open("too many changes to try");
    const NO_TIME: Judgement = Judgement::Open("no time was left");
    const UNSUPPORTED: Judgement = Judgement::Open("the checker does not support the design");
    const CRASHED: Judgement = Judgement::Open("the checker failed");
    /// What cannot be said in CTL.
    const LINEAR: Judgement = Judgement::Open("the checker does not count formulas of linear time");
    const RANGE: Judgement = Judgement::Open("not all is known");
    /// What no single property notices in full, several may: that is not counted again.
    const SHARED: Judgement = Judgement::Open("properties notice more together than one by one");

    fn refuted(&self) -> Option<&String> {
        match self {
            Judgement::Refuted(why) => Some(why),
            _ => None,
        }
    }
}

impl Certified {
    /// Each bug that this brought to light, in a line.
    pub fn errors(&self) -> impl Iterator<Item = String> {
        let of_rows = self.rows.iter().filter_map(Judgement::refuted);
        self.failure.iter().chain(&self.wrong_total).chain(of_rows).cloned()
    }

    /// Makes unknown what is wrong: a count that was refuted is not shown.
    pub(super) fn apply(&self, counts: &mut Result<Counts, UnknownReason>, rows: &mut [Row]) {
        if let Some(why) = &self.wrong_total {
            *counts = Err(UnknownReason::NotCertified(why.clone()));
        }
        let of_some_signal = self.rows.iter().find_map(Judgement::refuted);
        for (row, judgement) in rows.iter_mut().zip(&self.rows) {
            // What is covered of all signals together contains what is wrong of one, unless that is known to be right.
            let is_spoilt = row.observed.is_none() && *judgement != Judgement::Confirmed;
            let refuted = judgement.refuted().or(of_some_signal.filter(|_| is_spoilt));
            if let Some(why) = self.wrong_total.as_ref().or(refuted) {
                row.forget(&UnknownReason::NotCertified(why.clone()));
            }
        }
    }
}

/// Computes the counts of all rows once more, by definition.
pub(super) fn evidence(
    question: &Question<'_>,
    system: &System,
    counts: Option<&Counts>,
    size: Option<Size>,
    rows: &[Row],
    budget: &Budget,
    panics: &PanicLog,
) -> Certified {
    let asked = asked(question, rows);
    let Some(counts) = counts.filter(|_| !asked.is_empty()) else {
        let of_row = |row: &Row| match row.is_measured() && counts.is_some() {
            true => Judgement::LINEAR,
            false => Judgement::Nothing,
        };
        return Certified { rows: rows.iter().map(of_row).collect(), wrong_total: None, failure: None };
    };
    let is_small = size.is_some_and(|size| {
        size.states <= LIMITS.explicit.states && size.transitions <= LIMITS.explicit.edges
    });
    let questions: Vec<CoverageQuestion<'_>> = asked.iter().map(|(.., asked)| *asked).collect();
    let found = match is_small {
        false => Some(Err(Rejection::TooLarge(String::new()))),
        true => panics.guard(|| recheck_coverage(system, &questions, &LIMITS, budget)),
    };
    let (judgement, failure) = match found {
        Some(Ok(found)) => return Judge { system, counts, found: &found, asked: &asked, question }.all(rows),
        Some(Err(Rejection::TooLarge(_))) => (Judgement::TOO_MANY, None),
        Some(Err(Rejection::Undecided)) => (Judgement::NO_TIME, None),
        Some(Err(Rejection::Unsupported(_))) => (Judgement::UNSUPPORTED, None),
        Some(Err(rejection)) => (Judgement::CRASHED, Some(rejection.to_string())),
        None => (Judgement::CRASHED, Some("checking coverage state by state crashed".to_owned())),
    };
    let of_row = |row: &Row| match row.is_measured() {
        true => judgement.clone(),
        false => Judgement::Nothing,
    };
    Certified { rows: rows.iter().map(of_row).collect(), wrong_total: None, failure }
}

/// A row, a property, and the question about both.
type Asked<'a> = (usize, usize, CoverageQuestion<'a>);

/// What has to be confirmed: each property that covers something of an observed signal.
fn asked<'a>(question: &'a Question<'_>, rows: &[Row]) -> Vec<Asked<'a>> {
    let mut asked = Vec::new();
    for (row_at, row) in rows.iter().enumerate() {
        let Some(observed) = &row.observed else { continue };
        for (property, (part, formula)) in row.parts.iter().zip(&question.formulas).enumerate() {
            let (Standing::Covers(_), Some(formula)) = (&part.standing, formula) else { continue };
            let asked_here = CoverageQuestion {
                place: match question.manner.place {
                    Place::State => CoveragePlace::State,
                    Place::Transition => CoveragePlace::Transition,
                },
                semantics: match question.manner.semantics {
                    Semantics::Observability => CoverageSemantics::Observability {
                        split: question.manner.implication == Implication::Split,
                    },
                    Semantics::Mutation => CoverageSemantics::Mutation,
                },
                flip: match question.manner.flip {
                    Flip::Any => CoverageFlip::Any,
                    Flip::All => CoverageFlip::All,
                },
                observed: observed.expr,
                formula,
                dont_care: &question.subjects.dont_care,
            };
            asked.push((row_at, property, asked_here));
        }
    }
    asked
}

struct Judge<'j> {
    system: &'j System,
    counts: &'j Counts,
    found: &'j CoverageRecheck,
    asked: &'j [Asked<'j>],
    question: &'j Question<'j>,
}

impl Judge<'_> {
    fn all(&self, rows: &[Row]) -> Certified {
        let mut totals = self.found.answers.iter().filter_map(|answer| answer.counts());
        let wrong = totals.find(|(_, total)| self.counts.total != Count::from(*total));
        let wrong_total =
            wrong.map(|(_, total)| disagreement("what there is to cover", self.counts.total.number(), total));
        let judged = |(at, row): (usize, &Row)| match row.is_measured() {
            true => self.row(at, row).unwrap_or_else(Judgement::Refuted),
            false => Judgement::Nothing,
        };
        Certified { rows: rows.iter().enumerate().map(judged).collect(), wrong_total, failure: None }
    }

    /// What to say about the counts of a row; an error if one is wrong.
    fn row(&self, at: usize, row: &Row) -> Result<Judgement, String> {
        let name = row.name();
        let mut judgement = Judgement::Confirmed;
        let mut of_all: Vec<usize> = Vec::new();
        for (property, part) in row.parts.iter().enumerate() {
            let Standing::Covers(contribution) = &part.standing else { continue };
            if self.question.formulas[property].is_none() {
                judgement = Judgement::LINEAR;
                continue;
            }
            let of_part = self.positions(at, row, property);
            of_all.extend(&of_part);
            let title = || format!("{name}, {}", self.system.property(part.property).name);
            for position in &of_part {
                match &self.found.answers[*position] {
                    CoverageAnswer::Covered { .. } => {}
                    CoverageAnswer::TooLarge => judgement = Judgement::TOO_MUCH,
                    CoverageAnswer::Fails => return Err(format!("{}: state by state, it fails", title())),
                    CoverageAnswer::NotAcceptable => {
                        return Err(format!("{}: it has no observability transformation", title()));
                    }
                }
            }
            let found = self.found.covered_by_any(of_part);
            // Of what is not known in full, at least what is certain is right.
            let is_wrong = |found: &usize| match part.doubt.is_none() {
                true => contribution.covered != UBig::from(*found),
                false => contribution.covered > UBig::from(*found),
            };
            if let Some(found) = found.filter(is_wrong) {
                return Err(disagreement(&title(), &contribution.covered, found));
            }
        }
        let Ok(tally) = &row.tally else { return Ok(Judgement::Nothing) };
        if let Some(found) = self.found.covered_by_any(of_all) {
            let count = Count::from(found);
            let most = &tally.covered + &tally.unknown;
            if most < count {
                return Err(disagreement(name, most.number(), found));
            }
            // What formulas of linear time notice comes on top.
            if tally.covered > count && judgement != Judgement::LINEAR {
                match self.may_share_values(row) {
                    true => judgement = Judgement::SHARED,
                    false => return Err(disagreement(name, tally.covered.number(), found)),
                }
            }
        }
        let is_certain = tally.unknown.is_zero();
        Ok(if is_certain { judgement } else { Judgement::RANGE })
    }

    /// Whether every other value of a signal may be noticed by some property, but by none of them each one. What is covered is then more than
    /// the union of what each of them covers.
    fn may_share_values(&self, row: &Row) -> bool {
        let is_covering = |part: &&Part| matches!(part.standing, Standing::Covers(_));
        let has_many_values = |expr: &ExprId| match self.system.exprs.sort(*expr) {
            Sort::BitVec(width) => *width > 1,
            Sort::Enum(of) => of.variants.len() > 2,
            _ => true,
        };
        self.question.manner.flip == Flip::All
            && row.parts.iter().filter(is_covering).count() > 1
            && match &row.observed {
                Some(observed) => has_many_values(&observed.expr),
                None => self.question.subjects.observed.iter().any(|one| has_many_values(&one.expr)),
            }
    }

    /// The questions about a property that belong to a row.
    fn positions(&self, row_at: usize, row: &Row, property: usize) -> Vec<usize> {
        let is_of_row = |(_, (at, of, _)): &(usize, &Asked<'_>)| {
            *of == property && (row.observed.is_none() || *at == row_at)
        };
        self.asked.iter().enumerate().filter(is_of_row).map(|(position, _)| position).collect()
    }
}

/// What to say about a count that is not what the checker says.
fn disagreement(what: &str, counted: &UBig, found: usize) -> String {
    format!("{what}: {counted} by decision diagrams, {found} state by state")
}
