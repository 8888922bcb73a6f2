//! The symbolic way: all mutants of a proposition as one relation of states.
//!
//! Where the states can be listed after all, everything is found out once more that way, with evidence: see [`recheck`](super::recheck). Where they cannot, the answer is that of the
//! diagrams alone, and says so.

use crate::input::Complaint;
use crate::progress::Progress;
use crate::refine::arguments::RefineArguments;
use crate::refine::explicit::{STOPPED, dead_end, no_initial_state};
use crate::refine::mutants::{self, Vector};
use crate::refine::reading::{Body, Model, Models};
use crate::refine::recheck::recheck;
use crate::refine::results::{Hole, Results, Row, Size, Verdict};
use dashu_int::UBig;
use propcov_budget::Budget;
use propcov_engine::Limits;
use propcov_ir::{ExprId, UnknownReason};
use propcov_symbolic::cubes::Vocabulary;
use propcov_symbolic::simulation::{
    self, Mutants, Phase, RefinementError, Side, Source, SymbolicCoverage, SymbolicOptions,
    SymbolicRefinement,
};
use propcov_verify::budget;
use std::rc::Rc;
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

    /// The expression that says which.
    fn region(&self) -> Option<ExprId> {
        match self {
            Question::Where(expr) => Some(*expr),
            Question::All | Question::States(_) => None,
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
    let models = Rc::new(models);
    let mut results = Results::new(Rc::clone(&models), "symbolic", arguments);
    results.times.reading = clock.elapsed().as_secs_f64();
    let announced: Vec<ExprId> = questions.iter().filter_map(|(_, question)| question.region()).collect();
    let rounds = Rounds(progress);
    progress.stage("symbolic:".to_owned());
    let refinement = symbolic(&models, &announced, arguments, &budget(limits), &rounds);
    let decided = refinement.and_then(|refinement| {
        decide(refinement, &mut results, &questions, arguments, &budget(limits), progress)
    });
    match (decided, unlisted) {
        (Err(Failure::Complaint(complaint)), _) => return Err(complaint),
        (Err(Failure::Unknown(reason)), _) => results.verdict = Verdict::Unknown(reason),
        (Ok(_), Some(why)) => results.note_unlisted(arguments, &why),
        (Ok(decided), None) => recheck(&mut results, &decided, arguments, limits, progress)?,
    }
    Ok(results)
}

/// What diagrams found out, for those who want to ask about single states.
pub(crate) struct Decided<'m> {
    pub(crate) refinement: SymbolicRefinement<'m>,
    /// By row of the results, the number of its proposition and what was found, unless that is nothing.
    pub(crate) coverage: Vec<(u32, Option<SymbolicCoverage>)>,
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

/// Both models as diagrams, if they are such that simulation means something.
fn symbolic<'m>(
    models: &'m Models,
    announced: &'m [ExprId],
    arguments: &RefineArguments,
    budget: &Budget,
    rounds: &'m Rounds<'_>,
) -> Result<SymbolicRefinement<'m>, Failure> {
    let options = SymbolicOptions { complete: arguments.complete, ..SymbolicOptions::default() };
    let path = |side: Side| match side {
        Side::Implementation => &models.implementation.path,
        Side::Specification => &models.specification.path,
    };
    let (implementation, specification) =
        (source(&models.implementation, announced), source(&models.specification, &[]));
    let refinement = SymbolicRefinement::new(implementation, specification, &options, budget, rounds)
        .map_err(|error| match error {
            RefinementError::NoInitialState(side) => Failure::Complaint(no_initial_state(path(side))),
            other => other.into(),
        })?;
    match refinement.dead_end() {
        Some((side, state)) => Err(Failure::Complaint(dead_end(path(*side), state))),
        None => Ok(refinement),
    }
}

fn decide<'m>(
    mut refinement: SymbolicRefinement<'m>,
    results: &mut Results,
    questions: &[(u32, Question)],
    arguments: &RefineArguments,
    budget: &Budget,
    progress: &Progress,
) -> Result<Decided<'m>, Failure> {
    let clock = Instant::now();
    let mut found = Vec::new();
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
            let name = results.models.propositions[*proposition as usize].clone();
            progress.stage(format!("{name}:"));
            let (number, mutants) = (*proposition as usize, question.mutants());
            let total = refinement.mutant_count(number, mutants);
            let (row, coverage) = match refinement.cover(number, mutants) {
                Ok(coverage) => (counted(&mut refinement, &coverage, &name, arguments.holes), Some(coverage)),
                Err(RefinementError::Stop(stop)) => {
                    let total = total.unwrap_or_else(|_| refinement.state_count(Side::Implementation));
                    (unknown(&name, total, reason(stop.into())), None)
                }
                Err(other) => return Err(other.into()),
            };
            results.rows.push(row);
            found.push((*proposition, coverage));
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
    Ok(Decided { refinement, coverage: found })
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
