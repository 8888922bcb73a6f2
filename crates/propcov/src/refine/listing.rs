//! Both models as graphs: the reachable states of a design, listed one by one.

use super::mutants::{Region, Vector};
use super::propositions::{self, texts};
use super::reading::{Body, Model, ModelPair};
use super::{RefineOptions, dead_end, no_initial_state, out_of_budget, usage};
use crate::Error;
use crate::read::hint;
use propcov_budget::Budget;
use propcov_certify::{ExplicitLimits, Rejection, StateList, StateValues, list_states};
use propcov_coverage::refine::{Algorithm, Options, Pair, Questions, all_labels};
use propcov_ir::{ExprId, Graph, Label, LabelFlip};
use std::sync::Arc;

/// Edges that are listed for each state of the limit.
const EDGES: usize = 20;

/// Both models as graphs, and the labels in question.
pub(super) struct Listing {
    pub(super) pair: Arc<Pair>,
    /// What the states of the implementation are, if it is a design.
    pub(super) states: Option<StateValues>,
    flips: Vec<LabelFlip>,
    /// The observed propositions, by position.
    observed: Vec<u32>,
    explained: Vec<LabelFlip>,
}

/// Why states are not listed.
pub(super) enum Unlisted {
    /// There are too many, or it takes too long.
    TooMany(String),
    /// It is not possible at all.
    Error(Error),
}

impl From<Error> for Unlisted {
    fn from(error: Error) -> Unlisted {
        Unlisted::Error(error)
    }
}

impl Listing {
    /// What is asked about them.
    pub(super) fn questions(
        &self,
        options: &RefineOptions,
        algorithm: Algorithm,
        budget: Budget,
    ) -> Questions {
        Questions {
            flips: self.flips.clone(),
            observed: self.observed.clone(),
            criteria: options.criteria,
            explained: self.explained.clone(),
            options: Options { algorithm, seed: options.seed, threads: options.thread_count(), budget },
        }
    }
}

/// Lists the states of both models.
pub(super) fn list(
    models: &ModelPair,
    options: &RefineOptions,
    budget: &Budget,
) -> Result<Listing, Unlisted> {
    let names = &models.propositions;
    let regions = models.vector.as_ref().map_or(&[][..], Vector::regions);
    let (specification, _) = graph(&models.specification, names, &[], options, budget)?;
    let (implementation, states) = graph(&models.implementation, names, regions, options, budget)?;
    let mut observed = propositions::observed(names, options)?;
    let flips = match &models.vector {
        Some(Vector::Regions(regions)) => in_regions(&implementation, regions, names.len() as u32),
        Some(Vector::Listed(flips)) => flips.clone(),
        None => all_labels(&implementation, &observed),
    };
    let implementation = match regions.is_empty() {
        true => implementation,
        false => implementation.projected(&(0..names.len() as u32).collect::<Vec<u32>>()),
    };
    if let Some(vector) = &models.vector {
        observed.retain(|proposition| vector.is_about(*proposition));
    }
    let labels = options.explain.iter();
    let explained = labels.map(|(state, proposition)| named_label(&implementation, state, proposition));
    let explained = explained.collect::<Result<_, _>>()?;
    let pair = Pair::new(implementation, specification).map_err(|error| usage(error.to_string()))?;
    Ok(Listing { pair: Arc::new(pair), states, flips, observed, explained })
}

/// The graph of a model. Of a design, the given sets of states come with it as more propositions, and what its states are.
fn graph(
    model: &Model,
    names: &[String],
    regions: &[Region],
    options: &RefineOptions,
    budget: &Budget,
) -> Result<(Graph, Option<StateValues>), Unlisted> {
    let (system, propositions) = match &model.body {
        Body::Graph(graph) => return Ok((graph.clone(), None)),
        Body::System { system, propositions } => (system, propositions),
    };
    let mut named: Vec<(String, ExprId)> = names.iter().cloned().zip(propositions.iter().copied()).collect();
    for (number, region) in regions.iter().enumerate() {
        named.extend(region.states.map(|states| (format!("%{number}"), states)));
    }
    let limits =
        ExplicitLimits { states: options.most_states, edges: options.most_states.saturating_mul(EDGES) };
    let list = list_states(system, &named, &limits, budget).map_err(|rejection| match rejection {
        Rejection::TooLarge(why) => Unlisted::TooMany(why),
        Rejection::Undecided => Unlisted::TooMany(out_of_budget(budget).to_owned()),
        other => Unlisted::Error(usage(format!("{}: {other}", model.path))),
    })?;
    let StateList { graph, states } = list;
    if graph.initial().is_empty() {
        return Err(no_initial_state(model).into());
    }
    match graph.dead_end() {
        Some(state) if !options.complete => Err(dead_end(model, graph.name(state)).into()),
        Some(_) => Ok((graph.completed(), Some(states))),
        None => Ok((graph, Some(states))),
    }
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
fn named_label(graph: &Graph, state: &str, proposition: &str) -> Result<LabelFlip, Error> {
    let Some(found) = graph.states().find(|candidate| graph.name(*candidate) == state) else {
        let names: Vec<&str> = graph.states().map(|state| graph.name(state)).collect();
        let hint = hint(state, &names, "states");
        return Err(usage(format!("--explain: the implementation has no state `{state}`; {hint}")));
    };
    let Some(number) = graph.proposition(proposition) else {
        let hint = hint(proposition, &texts(graph.propositions()), "propositions that are compared");
        return Err(usage(format!("--explain: no proposition `{proposition}` is compared; {hint}")));
    };
    if graph.label(found, number) == Label::Open {
        return Err(usage(format!(
            "--explain: `{proposition}` is open in `{state}`: there is no value to flip"
        )));
    }
    Ok(LabelFlip { state: found, proposition: number })
}
