//! The symbolic way: all mutants of a proposition as one relation of states.
//!
//! Where the states can be listed after all, everything is found out once more that way, with evidence; a difference is an internal error. Where they cannot, the answer is that of the
//! diagrams alone, and says so.

use crate::input::Complaint;
use crate::progress::Progress;
use crate::prove::budget;
use crate::refine::arguments::RefineArguments;
use crate::refine::explicit::{self, Found, STOPPED, Unlisted, dead_end};
use crate::refine::mutants::{self, Vector};
use crate::refine::reading::{Body, Model, Models};
use crate::refine::results::{Hole, Results, Row, Size, Verdict};
use dashu_int::UBig;
use propcov_coverage::refine::Algorithm;
use propcov_engine::Limits;
use propcov_ir::{ExprId, UnknownReason};
use propcov_sat::Budget;
use propcov_symbolic::cubes::Vocabulary;
use propcov_symbolic::simulation::{
    self, Mutants, Phase, RefinementError, Side, Source, SymbolicCoverage, SymbolicOptions,
    SymbolicRefinement,
};
use std::time::Instant;

/// Which labels of a proposition are in question.
enum Question {
    All,
    /// Those of a design in states where this holds.
    Where(ExprId),
    /// Those of a graph in these states.
    States(Vec<u32>),
}

impl Question {
    fn mutants(&self) -> Mutants<'_> {
        match self {
            Question::All => Mutants::All,
            Question::Where(expr) => Mutants::Where(*expr),
            Question::States(states) => Mutants::States(states),
        }
    }
}

/// Simulation and coverage by decision diagrams. Unless it is known why not, states are listed as well, to check the result.
pub(crate) fn study(
    mut models: Models,
    unlisted: Option<String>,
    arguments: &RefineArguments,
    limits: &Limits,
    progress: &Progress,
) -> Result<Results, Complaint> {
    let clock = Instant::now();
    let questions = questions(&mut models, arguments)?;
    let mut results = Results::new(models, "symbolic", arguments);
    results.times.reading = clock.elapsed().as_secs_f64();
    match decide(&mut results, &questions, arguments, &budget(limits), progress) {
        Ok(()) => {}
        Err(Failure::Complaint(complaint)) => return Err(complaint),
        Err(Failure::Unknown(reason)) => {
            results.verdict = Verdict::Unknown(reason);
            return Ok(results);
        }
    }
    match unlisted {
        Some(why) => results.note_unlisted(arguments, &why),
        None => recheck(&mut results, arguments, limits, progress)?,
    }
    Ok(results)
}

/// Why there is no answer.
enum Failure {
    Complaint(Complaint),
    Unknown(String),
}

impl From<RefinementError> for Failure {
    fn from(error: RefinementError) -> Failure {
        match error {
            RefinementError::Stop(_) => Failure::Unknown(reason(error)),
            other => Failure::Complaint(Complaint(format!("error: {other}\n"))),
        }
    }
}

fn reason(error: RefinementError) -> String {
    match UnknownReason::from(error) {
        UnknownReason::Timeout | UnknownReason::Cancelled => STOPPED.to_owned(),
        other => other.to_string(),
    }
}

/// The propositions that are observed, by position, and which labels of each are in question.
fn questions(models: &mut Models, arguments: &RefineArguments) -> Result<Vec<(u32, Question)>, Complaint> {
    let observed = mutants::observed(&models.propositions, arguments)?;
    let Some(vector) = &models.vector else {
        return Ok(observed.into_iter().map(|proposition| (proposition, Question::All)).collect());
    };
    let mut questions = Vec::new();
    for proposition in observed {
        let question = match (vector, &mut models.implementation.body) {
            (Vector::Listed(flips), _) => {
                let own = flips.iter().filter(|flip| flip.proposition == proposition);
                let states: Vec<u32> = own.map(|flip| flip.state).collect();
                (!states.is_empty()).then_some(Question::States(states))
            }
            (Vector::Regions(regions), Body::System { system, .. }) => {
                let own = regions.iter().filter(|region| region.proposition == proposition);
                let sets = own.filter_map(|region| region.states);
                sets.reduce(|a, b| system.exprs.or(a, b)).map(Question::Where)
            }
            (Vector::Regions(_), Body::Graph(_)) => None,
        };
        questions.extend(question.map(|question| (proposition, question)));
    }
    Ok(questions)
}

/// A model as diagrams take it.
fn source<'m>(model: &'m Model, announced: &'m [ExprId]) -> Source<'m> {
    match &model.body {
        Body::Graph(graph) => Source::Graph(graph),
        Body::System { system, propositions } => Source::System { system, propositions, announced },
    }
}

/// Shows which round of which fixed point it is.
struct Rounds<'p>(&'p Progress);

impl simulation::Progress for Rounds<'_> {
    fn rounds(&self, phase: Phase, count: usize) {
        let what = match phase {
            Phase::Reachability(side) => format!("reachable states of the {side}"),
            Phase::Product => "pairs that are reached together".to_owned(),
            Phase::Simulation => "simulation".to_owned(),
            Phase::Incomplete => "incomplete simulation".to_owned(),
            Phase::Mutants => "simulation of all mutants".to_owned(),
        };
        self.0.message(|| format!("{what}, round {count}"));
    }
}

fn decide(
    results: &mut Results,
    questions: &[(u32, Question)],
    arguments: &RefineArguments,
    budget: &Budget,
    progress: &Progress,
) -> Result<(), Failure> {
    progress.stage("symbolic:".to_owned());
    let announced: Vec<ExprId> = questions
        .iter()
        .filter_map(|(_, question)| match question {
            Question::Where(expr) => Some(*expr),
            _ => None,
        })
        .collect();
    let models = &results.models;
    let options = SymbolicOptions { complete: arguments.complete, ..SymbolicOptions::default() };
    let rounds = Rounds(progress);
    let clock = Instant::now();
    let path = |side: Side| match side {
        Side::Implementation => &models.implementation.path,
        Side::Specification => &models.specification.path,
    };
    let refinement = SymbolicRefinement::new(
        source(&models.implementation, &announced),
        source(&models.specification, &[]),
        &options,
        budget,
        &rounds,
    );
    let mut refinement = match refinement {
        // As where states are listed.
        Err(RefinementError::NoInitialState(side)) => {
            let message = format!("error: {}: there is no initial state\n", path(side));
            return Err(Failure::Complaint(Complaint(message)));
        }
        other => other?,
    };
    if let Some((side, state)) = refinement.dead_end() {
        return Err(Failure::Complaint(dead_end(path(*side), state)));
    }
    let count = |states| Size { states: Some(states), ..Size::default() };
    results.implementation = count(refinement.state_count(Side::Implementation));
    results.specification = count(refinement.state_count(Side::Specification));
    let simulates = refinement.simulates()?;
    results.times.simulation = clock.elapsed().as_secs_f64();
    results.verdict =
        if simulates { Verdict::Yes { certified: false } } else { Verdict::No { certified: false } };
    let clock = Instant::now();
    if simulates {
        for (proposition, question) in questions {
            let name = &models.propositions[*proposition as usize];
            progress.stage(format!("{name}:"));
            let row = match refinement.cover(*proposition as usize, question.mutants()) {
                Ok(coverage) => counted(&mut refinement, &coverage, name, arguments.holes),
                Err(RefinementError::Stop(stop)) => {
                    unknown(name, refinement.state_count(Side::Implementation), reason(stop.into()))
                }
                Err(other) => return Err(other.into()),
            };
            results.rows.push(row);
        }
    }
    if !simulates {
        // The verdict stands without it.
        results.unsimulated = refinement.unsimulated(budget).ok().flatten();
    }
    results.times.coverage = clock.elapsed().as_secs_f64();
    let stats = refinement.stats();
    results.figures = vec![
        ("variables", stats.variables as u64),
        ("nodes", stats.nodes as u64),
        ("nodes at most", stats.peak_nodes as u64),
        ("reorderings", stats.reorderings),
        ("rounds for pairs", stats.product_rounds),
        ("rounds of binary relations", stats.binary_rounds),
        ("rounds of ternary relations", stats.ternary_rounds),
    ];
    Ok(())
}

/// The labels of a proposition, of which nothing is known.
fn unknown(name: &str, states: UBig, reason: String) -> Row {
    Row { unknown: states, certified: false, reason: Some(reason), ..Row::new(name) }
}

/// The labels of a proposition, and where they are not covered.
fn counted(
    refinement: &mut SymbolicRefinement<'_>,
    coverage: &SymbolicCoverage,
    name: &str,
    listed: usize,
) -> Row {
    let mut row = Row {
        covered: coverage.covered.clone(),
        uncovered: coverage.uncovered.clone(),
        rest: coverage.uncovered.clone(),
        certified: false,
        ..Row::new(name)
    };
    let words = Vocabulary { preferred: &[], defined: &[] };
    let hole = |states: String, count: UBig| Hole { states, labels: String::new(), count };
    // Holes are for people: where they take too long, there are none.
    match refinement.uncovered_cubes(coverage, words, listed) {
        Ok(Some(cover)) => {
            row.holes = cover.cubes.iter().map(|cube| hole(cube.to_string(), cube.count.clone())).collect();
            row.rest = cover.rest;
        }
        Ok(None) => {
            let names = refinement.uncovered_names(coverage, listed).unwrap_or_default();
            row.rest = &coverage.uncovered - UBig::from(names.len());
            row.holes = names.into_iter().map(|name| hole(name, UBig::ONE)).collect();
        }
        Err(_) => {}
    }
    row
}

impl Results {
    /// Says what is not told because states are not listed, and why they are not.
    fn note_unlisted(&mut self, arguments: &RefineArguments, why: &str) {
        if matches!(self.verdict, Verdict::Yes { .. }) {
            self.notes.extend(arguments.needs_listing().map(|what| format!("{what}: {why}")));
        }
    }
}

/// Finds out the same by listing states, where that is possible.
fn recheck(
    results: &mut Results,
    arguments: &RefineArguments,
    limits: &Limits,
    progress: &Progress,
) -> Result<(), Complaint> {
    if budget(limits).is_exhausted() {
        results.note_unlisted(arguments, STOPPED);
        return Ok(());
    }
    progress.stage("listing states, to check the result".to_owned());
    let listing = match explicit::list(&results.models, arguments, &budget(limits)) {
        Ok(listing) => listing,
        Err(Unlisted::TooMany(why)) => {
            results.note_unlisted(arguments, &why);
            return Ok(());
        }
        Err(Unlisted::Complaint(complaint)) => return Err(complaint),
    };
    results.implementation = explicit::size(listing.pair.implementation());
    results.specification = explicit::size(listing.pair.specification());
    let found = explicit::study(listing, Algorithm::Divide, arguments, limits, progress);
    compare(results, &found);
    results.times.criteria = found.criteria_seconds;
    results.work = found.work;
    results.internal_errors.extend(found.internal_errors);
    results.unfinished = found.unfinished;
    results.explicit = Some(Box::new(found.explicit));
    Ok(())
}

fn compare(results: &mut Results, found: &Found) {
    let differs = match (&mut results.verdict, &found.verdict) {
        (Verdict::Yes { certified }, Verdict::Yes { .. })
        | (Verdict::No { certified }, Verdict::No { .. }) => {
            *certified = true;
            false
        }
        (_, Verdict::Unknown(_)) => false,
        _ => true,
    };
    if differs {
        results.internal_errors.push("diagrams and lists of states disagree about simulation".to_owned());
    }
    for row in &mut results.rows {
        let Some(other) = found.rows.iter().find(|other| other.proposition == row.proposition) else {
            continue;
        };
        row.unreachable = other.unreachable.clone();
        if other.unknown > UBig::ZERO || row.unknown > UBig::ZERO {
            continue;
        }
        if (&row.covered, &row.uncovered) == (&other.covered, &other.uncovered) {
            row.certified = true;
        } else {
            results.internal_errors.push(format!(
                "diagrams and lists of states disagree about the labels of {}",
                row.proposition
            ));
        }
    }
}
