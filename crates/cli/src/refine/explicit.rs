//! The enumerative way: both models as lists of states.

use crate::input::{Complaint, hint};
use crate::progress::Progress;
use crate::refine::arguments::{CriteriaChoice, RefineArguments};
use crate::refine::mutants::{self, Region, Vector};
use crate::refine::reading::{Body, Model, Models};
use crate::refine::results::{Hole, Row, Size, Verdict, Work};
use crate::refine::tree::labels;
use dashu_int::UBig;
use propcov_budget::Budget;
use propcov_certify::{ExplicitLimits, Rejection, StateList, list_states};
use propcov_coverage::refine::{
    self, Algorithm, Answer, Criteria, Explanation, FlipStatus, Observer, Options, Pair, Simulated, Stats,
    Stopped, UnmatchedTransition,
};
use propcov_engine::Limits;
use propcov_ir::{ExprId, Graph, Label, LabelFlip};
use propcov_verify::budget;
use std::rc::Rc;
use std::time::Instant;

/// Why something is not known.
pub(crate) const STOPPED: &str = "stopped by --timeout or Ctrl-C";

/// What is known where all states are listed.
pub(crate) struct Explicit {
    pub(crate) pair: Rc<Pair>,
    /// Whether the specification simulates the implementation, with evidence.
    pub(crate) answer: Option<Answer>,
    pub(crate) findings: Vec<(LabelFlip, FlipStatus)>,
    pub(crate) criteria: Option<Criteria>,
    /// Katz, Grumberg and Geist's own form of the third criterion, if it was asked for.
    pub(crate) unmatched: Option<Vec<UnmatchedTransition>>,
    pub(crate) explanations: Vec<(LabelFlip, Explanation)>,
}

/// How far it got, and what it took.
pub(crate) struct Found {
    pub(crate) explicit: Explicit,
    pub(crate) verdict: Verdict,
    pub(crate) rows: Vec<Row>,
    /// Why some labels are not decided, if that is so.
    reason: String,
    pub(crate) work: Work,
    pub(crate) simulation_seconds: f64,
    pub(crate) coverage_seconds: f64,
    pub(crate) criteria_seconds: f64,
    pub(crate) internal_errors: Vec<String>,
    /// What was asked for and is not there, and why.
    pub(crate) unfinished: Vec<String>,
}

/// Why states are not listed.
pub(crate) enum Unlisted {
    /// There are too many, or it takes too long.
    TooMany(String),
    /// It is not possible at all.
    Complaint(Complaint),
}

/// The graph of a model. Of a design, the given sets of states come with it as more propositions, and what its states are.
fn listed(
    model: &Model,
    names: &[String],
    regions: &[Region],
    arguments: &RefineArguments,
    budget: &Budget,
) -> Result<(Graph, Option<StateList>), Unlisted> {
    let (system, propositions) = match &model.body {
        Body::Graph(graph) => return Ok((graph.clone(), None)),
        Body::System { system, propositions } => (system, propositions),
    };
    let mut named: Vec<(String, ExprId)> = names.iter().cloned().zip(propositions.iter().copied()).collect();
    for (number, region) in regions.iter().enumerate() {
        named.extend(region.states.map(|states| (format!("%{number}"), states)));
    }
    let limits =
        ExplicitLimits { states: arguments.most_states, edges: arguments.most_states.saturating_mul(20) };
    let list = list_states(system, &named, &limits, budget).map_err(|rejection| match rejection {
        Rejection::TooLarge(why) => Unlisted::TooMany(why),
        Rejection::Undecided => Unlisted::TooMany(STOPPED.to_owned()),
        other => Unlisted::Complaint(Complaint(format!("error: {}: {other}\n", model.path))),
    })?;
    let graph = &list.graph;
    if graph.initial().is_empty() {
        return Err(Unlisted::Complaint(no_initial_state(&model.path)));
    }
    match graph.dead_end() {
        Some(state) if !arguments.complete => {
            Err(Unlisted::Complaint(dead_end(&model.path, graph.name(state))))
        }
        Some(_) => Ok((graph.completed(), Some(list))),
        None => Ok((graph.clone(), Some(list))),
    }
}

/// What to say of a design without initial state.
pub(crate) fn no_initial_state(path: &str) -> Complaint {
    Complaint(format!("error: {path}: there is no initial state\n"))
}

/// What to say of a state of a design that has no successor.
pub(crate) fn dead_end(path: &str, state: &str) -> Complaint {
    Complaint(format!(
        "error: {path}: the state `{state}` has no successor; simulation is about runs that go on for ever \
         (--complete gives such states a loop)\n"
    ))
}

/// Both models as graphs, and the labels in question.
pub(crate) struct Listing {
    pub(crate) pair: Rc<Pair>,
    /// What the states of the implementation are, if it is a design.
    pub(crate) states: Option<StateList>,
    pub(crate) flips: Vec<LabelFlip>,
    /// The observed propositions, by position.
    pub(crate) observed: Vec<u32>,
    explained: Vec<LabelFlip>,
}

/// Lists the states of both models.
pub(crate) fn list(
    models: &Models,
    arguments: &RefineArguments,
    budget: &Budget,
) -> Result<Listing, Unlisted> {
    let names = &models.propositions;
    let regions = models.vector.as_ref().map_or(&[][..], Vector::regions);
    let (specification, _) = listed(&models.specification, names, &[], arguments, budget)?;
    let (with_regions, states) = listed(&models.implementation, names, regions, arguments, budget)?;
    let own: Vec<u32> = (0..names.len() as u32).collect();
    let implementation = with_regions.projected(&own);
    let given = |complaint: Complaint| Unlisted::Complaint(complaint);
    let mut observed = mutants::observed(names, arguments).map_err(given)?;
    let flips = match &models.vector {
        Some(Vector::Regions(regions)) => in_regions(&with_regions, regions, names.len() as u32),
        Some(Vector::Listed(flips)) => flips.clone(),
        None => mutants::all_labels(&implementation, &observed),
    };
    if let Some(vector) = &models.vector {
        observed.retain(|proposition| vector.is_about(*proposition));
    }
    let explained =
        arguments.explained().map(|(state, proposition)| named_label(&implementation, state, proposition));
    let explained = explained.collect::<Result<_, _>>().map_err(given)?;
    let pair = Pair::new(implementation, specification)
        .map_err(|error| given(Complaint(format!("error: {error}\n"))))?;
    Ok(Listing { pair: Rc::new(pair), states, flips, observed, explained })
}

/// The labels in regions of a design.
fn in_regions(graph: &Graph, regions: &[Region], first: u32) -> Vec<LabelFlip> {
    let mut flips: Vec<LabelFlip> = Vec::new();
    for (region, number) in regions.iter().zip(first..) {
        let inside = graph.states().filter(|state| graph.label(*state, number) == Label::True);
        flips.extend(inside.map(|state| LabelFlip { state, proposition: region.proposition }));
    }
    flips.sort_unstable_by_key(|flip| (flip.proposition, flip.state));
    flips.dedup();
    flips
}

/// The label with these names.
fn named_label(graph: &Graph, state: &str, proposition: &str) -> Result<LabelFlip, Complaint> {
    let Some(found) = graph.states().find(|candidate| graph.name(*candidate) == state) else {
        let names: Vec<&str> = graph.states().map(|state| graph.name(state)).collect();
        let hint = hint(state, &names, "states");
        return Err(Complaint(format!(
            "error: --explain: the implementation has no state `{state}`; {hint}\n"
        )));
    };
    let Some(number) = graph.proposition(proposition) else {
        let names: Vec<&str> = graph.propositions().iter().map(String::as_str).collect();
        let hint = hint(proposition, &names, "propositions that are compared");
        return Err(Complaint(format!(
            "error: --explain: no proposition `{proposition}` is compared; {hint}\n"
        )));
    };
    if graph.label(found, number) == Label::Open {
        return Err(Complaint(format!(
            "error: --explain: `{proposition}` is open in `{state}`: there is no value to flip\n"
        )));
    }
    Ok(LabelFlip { state: found, proposition: number })
}

/// Shows how many labels are decided.
struct Counter<'p>(&'p Progress);

impl Observer for Counter<'_> {
    fn decided(&self, done: usize, total: usize) {
        self.0.message(|| format!("{done} of {total} labels"));
    }
}

/// Simulation, coverage and criteria of two graphs.
pub(crate) fn study(
    listing: &Listing,
    algorithm: Algorithm,
    arguments: &RefineArguments,
    limits: &Limits,
    progress: &Progress,
) -> Found {
    let budget = budget(limits);
    let pair = Rc::clone(&listing.pair);
    let mut found = Found::new(Rc::clone(&pair));
    progress.stage("simulation".to_owned());
    let clock = Instant::now();
    let mut work = Stats::default();
    let studied = refine::study(&pair, &budget, &mut work, |answer| {
        found.simulation_seconds = clock.elapsed().as_secs_f64();
        match answer {
            Ok(mut simulated) => {
                found.verdict = Verdict::Yes { certified: true };
                found.explicit.answer = Some(Answer::Simulated(simulated.simulation().clone()));
                let options = Options {
                    algorithm,
                    seed: arguments.seed,
                    threads: arguments.thread_count(),
                    budget: budget.clone(),
                };
                progress.stage("coverage:".to_owned());
                found.cover(&simulated, listing, &options, progress);
                found.rows = rows(&found, &listing.observed, arguments.holes);
                progress.stage("criteria".to_owned());
                found.criteria(&mut simulated, arguments.criteria, &budget);
            }
            Err(distinction) => {
                found.verdict = Verdict::No { certified: true };
                found.explicit.answer = Some(Answer::Distinguished(distinction));
            }
        }
    });
    found.work.simulation = work;
    if let Err(reason) = found.accept(studied) {
        found.verdict = Verdict::Unknown(reason);
    }
    found.explain(&listing.explained, &budget);
    found
}

impl Found {
    /// Nothing is known yet.
    fn new(pair: Rc<Pair>) -> Found {
        let explicit = Explicit {
            pair,
            answer: None,
            findings: Vec::new(),
            criteria: None,
            unmatched: None,
            explanations: Vec::new(),
        };
        Found {
            explicit,
            verdict: Verdict::Unknown(String::new()),
            rows: Vec::new(),
            reason: STOPPED.to_owned(),
            work: Work::default(),
            simulation_seconds: 0.0,
            coverage_seconds: 0.0,
            criteria_seconds: 0.0,
            internal_errors: Vec::new(),
            unfinished: Vec::new(),
        }
    }

    fn cover(
        &mut self,
        simulated: &Simulated<'_>,
        listing: &Listing,
        options: &Options,
        progress: &Progress,
    ) {
        let clock = Instant::now();
        let coverage = simulated.cover(&listing.flips, options, &Counter(progress));
        self.explicit.findings = match self.accept(coverage) {
            Ok(coverage) => {
                self.work.coverage = coverage.stats;
                coverage.findings
            }
            Err(why) => {
                self.reason = why;
                let reachable = listing.pair.implementation().reachable();
                let status = |flip: &LabelFlip| match reachable[flip.state as usize] {
                    true => FlipStatus::Unknown,
                    false => FlipStatus::Unreachable,
                };
                listing.flips.iter().map(|flip| (*flip, status(flip))).collect()
            }
        };
        self.coverage_seconds = clock.elapsed().as_secs_f64();
    }

    fn criteria(&mut self, simulated: &mut Simulated<'_>, choice: CriteriaChoice, budget: &Budget) {
        if choice == CriteriaChoice::None {
            return;
        }
        let clock = Instant::now();
        let criteria = simulated.criteria(budget, &mut self.work.criteria);
        let mut criteria = self.accept(criteria);
        if choice == CriteriaChoice::Kgg99 && criteria.is_ok() {
            // One form of the third criterion does not stand for the other.
            match self.accept(simulated.unmatched_transitions(budget)) {
                Ok(unmatched) => self.explicit.unmatched = Some(unmatched),
                Err(why) => criteria = Err(why),
            }
        }
        match criteria {
            Ok(criteria) => self.explicit.criteria = Some(criteria),
            Err(why) => {
                self.unfinished
                    .push(format!("what of the specification is not implemented is not known: {why}"));
            }
        }
        self.criteria_seconds = clock.elapsed().as_secs_f64();
    }

    fn explain(&mut self, labels: &[LabelFlip], budget: &Budget) {
        if labels.is_empty() {
            return;
        }
        if !matches!(self.verdict, Verdict::Yes { .. }) {
            self.unfinished.push("--explain is about coverage, and there is none to explain".to_owned());
            return;
        }
        let pair = Rc::clone(&self.explicit.pair);
        for flip in labels {
            match self.accept(refine::explain(&pair, *flip, budget)) {
                Ok(explanation) => self.explicit.explanations.push((*flip, explanation)),
                Err(why) => {
                    let graph = pair.implementation();
                    let proposition = &graph.propositions()[flip.proposition as usize];
                    self.unfinished
                        .push(format!("--explain {} {proposition}: {why}", graph.name(flip.state)));
                }
            }
        }
    }

    /// The answer, or why there is none. What is wrong is noted.
    fn accept<T>(&mut self, result: Result<T, Stopped>) -> Result<T, String> {
        result.map_err(|stopped| match stopped {
            Stopped::Budget => STOPPED.to_owned(),
            Stopped::TooLarge(why) => why,
            Stopped::Internal(error) => {
                self.internal_errors.push(error);
                "there was an internal error".to_owned()
            }
        })
    }
}

/// Findings by proposition.
fn rows(found: &Found, observed: &[u32], listed: usize) -> Vec<Row> {
    let explicit = &found.explicit;
    let graph = explicit.pair.implementation();
    let names = graph.propositions();
    let mut rows: Vec<Row> =
        observed.iter().map(|proposition| Row::new(&names[*proposition as usize])).collect();
    for (flip, status) in &explicit.findings {
        let Some(position) = observed.iter().position(|proposition| *proposition == flip.proposition) else {
            continue;
        };
        let row = &mut rows[position];
        match status {
            FlipStatus::Covered => row.covered += UBig::ONE,
            FlipStatus::Unknown => row.unknown += UBig::ONE,
            FlipStatus::Unreachable => row.unreachable += UBig::ONE,
            FlipStatus::Uncovered => {
                row.uncovered += UBig::ONE;
                if row.holes.len() < listed {
                    row.holes.push(Hole {
                        states: graph.name(flip.state).to_owned(),
                        labels: labels(graph, flip.state),
                        count: UBig::ONE,
                    });
                } else {
                    row.rest += UBig::ONE;
                }
            }
        }
    }
    for row in rows.iter_mut().filter(|row| row.unknown > UBig::ZERO) {
        row.reason = Some(found.reason.clone());
    }
    rows
}

/// How large a graph is.
pub(crate) fn size(graph: &Graph) -> Size {
    Size {
        states: Some(graph.state_count().into()),
        transitions: Some(graph.transition_count().into()),
        initial: Some(graph.initial().len().into()),
    }
}
