//! Whether the independent checker agrees: it makes each mutant and checks it by itself, where there are few enough states.

use crate::cover::states::measure::{Counts, Row, Standing};
use crate::cover::states::prepare::Question;
use crate::cover::states::runs::HoleRun;
use crate::ctl_evidence::Size;
use crate::panics::PanicLog;
use dashu_int::UBig;
use propcov_certify::{
    CoverageAnswer, CoverageFlip, CoverageLimits, CoveragePlace, CoverageQuestion, CoverageRecheck,
    CoverageSemantics, ExplicitLimits, Rejection, recheck_coverage,
};
use propcov_coverage::ctl::{Flip, Implication, Place, Semantics};
use propcov_ir::System;
use propcov_sat::Budget;

/// What is listed: a second or two of work.
const LIMITS: CoverageLimits =
    CoverageLimits { explicit: ExplicitLimits { states: 20_000, edges: 40_000 }, steps: 200_000_000 };

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Certified {
    /// For each row whether all its counts were confirmed.
    pub(crate) rows: Vec<bool>,
    /// Counts that are different, each in a line: a bug.
    pub(crate) refuted: Vec<String>,
}

/// Computes the counts of all rows once more, by definition.
pub(crate) fn evidence(
    question: &Question<'_>,
    system: &System,
    counts: Option<&Counts>,
    size: Option<Size>,
    rows: &[(Row, Vec<HoleRun>)],
    budget: &Budget,
    panics: &PanicLog,
) -> Certified {
    let mut certified = Certified { rows: vec![false; rows.len()], refuted: Vec::new() };
    let Some(counts) = counts else { return certified };
    let asked = asked(question, rows);
    let is_small = size.is_some_and(|size| {
        size.states <= LIMITS.explicit.states && size.transitions <= LIMITS.explicit.edges
    });
    if asked.is_empty() || !is_small {
        return certified;
    }
    let questions: Vec<CoverageQuestion<'_>> = asked.iter().map(|(.., asked)| *asked).collect();
    let Some(found) = panics.guard(|| recheck_coverage(system, &questions, &LIMITS, budget)) else {
        certified.refuted.push("checking coverage state by state crashed".to_owned());
        return certified;
    };
    let found = match found {
        Ok(found) => found,
        Err(Rejection::TooLarge(_) | Rejection::Undecided | Rejection::Unsupported(_)) => return certified,
        Err(rejection) => {
            certified.refuted.push(rejection.to_string());
            return certified;
        }
    };
    let judge = Judge { system, counts, found: &found, asked: &asked };
    for (at, (row, _)) in rows.iter().enumerate() {
        match judge.row(at, row) {
            Ok(is_confirmed) => certified.rows[at] = is_confirmed,
            Err(why) => certified.refuted.push(why),
        }
    }
    certified
}

/// A row, a property, and the question about both.
type Asked<'a> = (usize, usize, CoverageQuestion<'a>);

/// What has to be confirmed: each property that covers something of an observed signal.
fn asked<'a>(question: &'a Question<'_>, rows: &[(Row, Vec<HoleRun>)]) -> Vec<Asked<'a>> {
    let mut asked = Vec::new();
    for (row_at, (row, _)) in rows.iter().enumerate() {
        let Some(observed) = &row.observed else { continue };
        for (property, (part, formula)) in row.parts.iter().zip(&question.formulas).enumerate() {
            if !matches!(part.standing, Standing::Covers(_)) {
                continue;
            }
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
                dont_care: question.dont_care,
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
}

impl Judge<'_> {
    /// Whether all counts of a row are confirmed; an error if one is wrong.
    fn row(&self, at: usize, row: &Row) -> Result<bool, String> {
        let name = row.observed.as_ref().map_or("all together", |observed| observed.name.as_str());
        let mut is_complete = true;
        let mut of_all: Vec<usize> = Vec::new();
        for (property, part) in row.parts.iter().enumerate() {
            let Standing::Covers(contribution) = &part.standing else { continue };
            let of_part = self.positions(at, row, property);
            of_all.extend(&of_part);
            let title = || format!("{name}, {}", self.system.property(part.property).name);
            for position in &of_part {
                match &self.found.answers[*position] {
                    CoverageAnswer::Covered { .. } => {
                        let counts = self.found.answers[*position].counts();
                        let total = counts.map_or(0, |(_, total)| total);
                        agree(&self.counts.total, total, &format!("{name}: what there is to cover"))?;
                    }
                    CoverageAnswer::TooLarge => is_complete = false,
                    CoverageAnswer::Fails => return Err(format!("{}: state by state, it fails", title())),
                    CoverageAnswer::NotAcceptable => {
                        return Err(format!("{}: it has no observability transformation", title()));
                    }
                }
            }
            if let Some(covered) = self.found.covered_by_any(of_part) {
                agree(&contribution.covered, covered, &title())?;
            }
        }
        if let (Ok(share), Some(covered)) = (&row.share, self.found.covered_by_any(of_all))
            && share.low == share.high
        {
            agree(&share.low, covered, name)?;
        }
        let is_certain = row.share.as_ref().is_ok_and(|share| share.low == share.high);
        Ok(is_complete && is_certain)
    }

    /// The questions about a property that belong to a row.
    fn positions(&self, row_at: usize, row: &Row, property: usize) -> Vec<usize> {
        let is_of_row = |(_, (at, of, _)): &(usize, &Asked<'_>)| {
            *of == property && (row.observed.is_none() || *at == row_at)
        };
        self.asked.iter().enumerate().filter(is_of_row).map(|(position, _)| position).collect()
    }
}

/// That a count is what the checker says.
fn agree(counted: &UBig, found: usize, what: &str) -> Result<(), String> {
    match *counted == UBig::from(found) {
        true => Ok(()),
        false => Err(format!("{what}: {counted} by decision diagrams, {found} state by state")),
    }
}
