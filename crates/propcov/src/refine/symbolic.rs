//! The symbolic way: all mutants of a proposition as one relation of states.
//!
//! Where the states can be listed after all, everything is found out once more that way, with evidence: see [`recheck`](super::recheck). Where they cannot, the answer is that of the
//! diagrams alone, and says so.

use super::mutants::Vector;
use super::reading::{Body, Model, ModelPair};
use super::{Run, dead_end, error, no_initial_state, propositions, usage};
use crate::Error;
use propcov_coverage::refine::{Survey, record};
use propcov_ir::{Edits, ExprId, UnknownReason};
use propcov_result::{Count, Note, NoteKind, Tally, Unsimulated};
use propcov_symbolic::cubes::Vocabulary;
use propcov_symbolic::simulation::{
    self, Mutants, Phase, RefinementError, Side, Source, SymbolicCoverage, SymbolicOptions,
    SymbolicRefinement, SymbolicStats,
};
use propcov_verify::{Progress, budget};
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

/// What diagrams found out, for those who want to ask about single states.
pub(super) struct Decided<'m> {
    pub(super) refinement: SymbolicRefinement<'m>,
    /// By share of the result, the number of its proposition and what was found, unless that is nothing.
    pub(super) coverage: Vec<(u32, Option<SymbolicCoverage>)>,
}

/// Why there is no answer.
enum Failure {
    Error(Error),
    Unknown(String),
}

impl From<RefinementError> for Failure {
    fn from(error: RefinementError) -> Failure {
        match error {
            RefinementError::Stop(_) => Failure::Unknown(reason(error)),
            other => Failure::Error(usage(other.to_string())),
        }
    }
}

fn reason(error: RefinementError) -> String {
    match UnknownReason::from(error) {
        UnknownReason::Cancelled => "interrupted".to_owned(),
        other => other.to_string(),
    }
}

/// The propositions that are observed, by position, and which labels of each are in question.
fn questions(models: &mut ModelPair, observed: Vec<u32>) -> Vec<(u32, Question)> {
    let Some(vector) = &models.vector else {
        return observed.into_iter().map(|proposition| (proposition, Question::All)).collect();
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
    questions
}

/// A model as diagrams take it.
fn source<'m>(model: &'m Model, announced: &'m [ExprId]) -> Source<'m> {
    match &model.body {
        Body::Graph(graph) => Source::Graph(graph),
        Body::System { system, propositions } => Source::System { system, propositions, announced },
    }
}

/// Tells which round of which fixed point it is.
struct Rounds<'p>(&'p dyn Progress);

impl simulation::Progress for Rounds<'_> {
    fn rounds(&self, phase: Phase, count: usize) {
        let what = match phase {
            Phase::Reachability(side) => format!("reachable states of the {side}"),
            Phase::Product => "pairs that are reached together".to_owned(),
            Phase::Simulation => "simulation".to_owned(),
            Phase::Incomplete => "incomplete simulation".to_owned(),
            Phase::Mutants => "simulation of all mutants".to_owned(),
        };
        self.0.detail(&format!("{what}, round {count}"));
    }
}

impl Run<'_> {
    /// Simulation and coverage by decision diagrams. Unless it is known why not, states are listed as well, to check the result.
    pub(super) fn study_sets(
        &mut self,
        mut models: ModelPair,
        unlisted: Option<String>,
    ) -> Result<Option<Survey>, Error> {
        "symbolic".clone_into(&mut self.refinement().algorithm);
        let observed = propositions::observed(&models.propositions, self.options)?;
        let questions = questions(&mut models, observed);
        let announced: Vec<ExprId> = questions.iter().filter_map(|(_, question)| question.region()).collect();
        let rounds = Rounds(self.progress);
        self.progress.stage("symbolic:".to_owned());
        let prepared = self.prepare(&models, &announced, &rounds);
        let decided = prepared.and_then(|refinement| self.decide(refinement, &models, &questions));
        match (decided, unlisted) {
            (Err(Failure::Error(error)), _) => Err(error),
            (Err(Failure::Unknown(reason)), _) => {
                record::undecided(self.refinement(), &reason);
                Ok(None)
            }
            (Ok(_), Some(why)) => {
                self.note_unlisted(&why);
                Ok(None)
            }
            (Ok(decided), None) => self.recheck(&models, &decided),
        }
    }

    /// Both models as diagrams, if they are such that simulation means something.
    fn prepare<'m>(
        &self,
        models: &'m ModelPair,
        announced: &'m [ExprId],
        rounds: &'m Rounds<'_>,
    ) -> Result<SymbolicRefinement<'m>, Failure> {
        let options = SymbolicOptions { complete: self.options.complete, ..SymbolicOptions::default() };
        let model = |side: Side| match side {
            Side::Implementation => &models.implementation,
            Side::Specification => &models.specification,
        };
        let (implementation, specification) =
            (source(&models.implementation, announced), source(&models.specification, &[]));
        let budget = budget(&self.limits);
        let refinement = SymbolicRefinement::new(implementation, specification, &options, &budget, rounds)
            .map_err(|error| match error {
                RefinementError::NoInitialState(side) => Failure::Error(no_initial_state(model(side))),
                other => other.into(),
            })?;
        match refinement.dead_end() {
            Some((side, state)) => Err(Failure::Error(dead_end(model(*side), state))),
            None => Ok(refinement),
        }
    }

    fn decide<'m>(
        &mut self,
        mut refinement: SymbolicRefinement<'m>,
        models: &ModelPair,
        questions: &[(u32, Question)],
    ) -> Result<Decided<'m>, Failure> {
        let start = Instant::now();
        let counts = [Side::Implementation, Side::Specification].map(|side| refinement.state_count(side));
        let [implementation, specification] = counts.map(|count| Some(Count::from(count)));
        self.refinement().implementation.states = implementation;
        self.refinement().specification.states = specification;
        let simulates = refinement.simulates()?;
        self.add_seconds("simulation", start);
        self.refinement().simulates = Some(simulates);
        let start = Instant::now();
        let mut coverage = Vec::new();
        if simulates {
            for (proposition, question) in questions {
                let name = &models.propositions[*proposition as usize];
                self.progress.stage(format!("{name}:"));
                coverage.push((*proposition, self.cover(&mut refinement, *proposition, question, name)?));
            }
        } else {
            // The verdict stands without it.
            let found = refinement.unsimulated(&budget(&self.limits)).ok().flatten();
            self.refinement().unsimulated = found.map(|found| unsimulated(&found, &models.implementation));
        }
        self.add_seconds("coverage", start);
        self.add_figures(&refinement.stats());
        Ok(Decided { refinement, coverage })
    }

    /// Which labels of a proposition are covered, if that can be found out.
    fn cover(
        &mut self,
        refinement: &mut SymbolicRefinement<'_>,
        proposition: u32,
        question: &Question,
        name: &str,
    ) -> Result<Option<SymbolicCoverage>, Failure> {
        let (number, mutants) = (proposition as usize, question.mutants());
        let total = refinement.mutant_count(number, mutants);
        let coverage = match refinement.cover(number, mutants) {
            Ok(coverage) => coverage,
            Err(RefinementError::Stop(stop)) => {
                let total = total.unwrap_or_else(|_| refinement.state_count(Side::Implementation));
                let tally = Tally { unknown: total.into(), ..Tally::default() };
                record::add_share(&mut self.result, name, tally, false);
                record::undecided(self.refinement(), &reason(stop.into()));
                return Ok(None);
            }
            Err(other) => return Err(other.into()),
        };
        let tally = Tally {
            covered: coverage.covered.clone().into(),
            uncovered: coverage.uncovered.clone().into(),
            ..Tally::default()
        };
        record::add_share(&mut self.result, name, tally, false);
        let words = Vocabulary { preferred: &[], defined: &[] };
        // Holes are for people: where they take too long, there are none.
        let holes: Vec<(String, Count)> =
            match refinement.uncovered_cubes(&coverage, words, self.options.holes) {
                Ok(Some(cover)) => {
                    cover.cubes.iter().map(|cube| (cube.to_string(), cube.count.clone().into())).collect()
                }
                Ok(None) => {
                    let names = refinement.uncovered_names(&coverage, self.options.holes);
                    let one = Count::from(1_usize);
                    names.unwrap_or_default().into_iter().map(|name| (name, one.clone())).collect()
                }
                Err(_) => Vec::new(),
            };
        for (states, count) in holes {
            record::add_hole(&mut self.result, name, &states, count, "symbolic");
        }
        Ok(Some(coverage))
    }

    fn add_figures(&mut self, stats: &SymbolicStats) {
        let counts = [
            ("bdd: variables", stats.variables as u64),
            ("bdd: nodes", stats.nodes as u64),
            ("bdd: most nodes", stats.peak_nodes as u64),
            ("bdd: reorderings", stats.reorderings),
            ("bdd: rounds for pairs", stats.product_rounds),
            ("bdd: rounds of binary relations", stats.binary_rounds),
            ("bdd: rounds of ternary relations", stats.ternary_rounds),
        ];
        self.result.stats.counts.extend(counts.map(|(name, count)| (name.to_owned(), count)));
    }

    /// Says what is not told because states are not listed, and why they are not.
    pub(super) fn note_unlisted(&mut self, why: &str) {
        if self.refinement().simulates != Some(true) {
            return;
        }
        for (state, proposition) in &self.options.explain {
            let text = format!("--explain {state} {proposition}: only listed states are explained: {why}");
            self.result.notes.push(error(text));
        }
        if self.options.criteria.is_some() {
            let text = format!(
                "what of the specification is not implemented is told only where states are listed: {why}"
            );
            self.result.notes.push(Note { kind: NoteKind::Note, text, place: None });
        }
    }
}

/// How the implementation gets to a state that nothing simulates.
fn unsimulated(found: &simulation::Unsimulated, implementation: &Model) -> Unsimulated {
    let trace = match (&found.run, &implementation.body) {
        (Some(run), Body::System { system, .. }) => {
            Some(propcov_verify::record::run(system, &Edits::none(), &run.steps, None))
        }
        _ => None,
    };
    Unsimulated { state: found.state.clone(), trace }
}
