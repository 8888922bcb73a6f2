//! Simulation and its coverage by decision diagrams, against the definitions: random pairs of graphs, the same as systems, and models in SMV.

mod graphs;
mod mistakes;
mod models;
mod systems;

use propcov_bdd::Stop;
use propcov_budget::Budget;
use propcov_certify::{ExplicitLimits, Rejection, StateList, list_graph, list_states};
use propcov_frontend::{Extra, read_with};
use propcov_ir::{
    ArraySort, Bits, ConstraintKind, Edit, Edits, EnumSort, ExprId, Graph, GraphBuilder, Label, LabelFlip,
    PropertyKind, Site, Sort, System, Value,
};
use propcov_symbolic::Silent;
use propcov_symbolic::cubes::Vocabulary;
use propcov_symbolic::simulation::{
    Mutants, RefinementError, Side, Source, StateOf, SymbolicCoverage, SymbolicOptions, SymbolicRefinement,
};
use propcov_testkit::{
    GraphPair, Kripke, KripkeSystem, PairSizes, Random, covered_flips, ctl_system, for_pairs,
    for_random_ctl_systems, for_random_pairs, graph_of_numbers, greatest_simulation, is_whole_run,
    kripke_system, random_pair, reachable_simulation, simulates,
};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Reorders often, and does without what large models do without, so that this is tried as well.
fn options(seed: u64) -> SymbolicOptions {
    let seed = seed as usize;
    SymbolicOptions {
        reorder_at: [None, Some(64), Some(300)][seed % 3],
        cluster: [1, 1000][seed / 3 % 2],
        largest_relation: [0, 1000][seed / 6 % 2],
        largest_product: [0, 20, 1000][seed / 12 % 3],
        ..SymbolicOptions::default()
    }
}

fn text(problem: impl std::fmt::Display) -> String {
    problem.to_string()
}

fn refinement<'a>(
    implementation: Source<'a>,
    specification: Source<'a>,
    options: &SymbolicOptions,
) -> Result<SymbolicRefinement<'a>, String> {
    SymbolicRefinement::new(implementation, specification, options, &Budget::default(), &Silent).map_err(text)
}

/// The truth about one proposition: for each state that can be reached and is asked about, whether it is covered.
fn expected(
    pair: &GraphPair,
    covered: &BTreeSet<LabelFlip>,
    proposition: u32,
    asked: &dyn Fn(u32) -> bool,
) -> Vec<Option<bool>> {
    let graph = &pair.implementation;
    let reachable = graph.reachable();
    let truth = |state: u32| {
        let counts =
            reachable[state as usize] && asked(state) && graph.label(state, proposition).value().is_some();
        counts.then(|| covered.contains(&LabelFlip { state, proposition }))
    };
    graph.states().map(truth).collect()
}

/// What is said of each state of a graph.
fn answers(
    symbolic: &SymbolicRefinement<'_>,
    found: &SymbolicCoverage,
    graph: &Graph,
) -> Result<Vec<Option<bool>>, String> {
    let answer = |state| symbolic.is_covered(found, StateOf::Graph(state)).map_err(text);
    graph.states().map(answer).collect()
}

fn compare(
    found: &SymbolicCoverage,
    answers: &[Option<bool>],
    expected: &[Option<bool>],
    pair: &GraphPair,
) -> Result<(), String> {
    if answers != expected {
        return Err(format!("{answers:?}, but {expected:?}"));
    }
    let count = |answer: Option<bool>| expected.iter().filter(|other| **other == answer).count();
    let (covered, uncovered) = (count(Some(true)), count(Some(false)));
    let reachable = pair.implementation.reachable().iter().filter(|reached| **reached).count();
    let counts = [reachable, covered + uncovered, covered, uncovered].map(|count| count.to_string());
    let own = [&found.reachable, &found.mutants, &found.covered, &found.uncovered].map(ToString::to_string);
    if own == counts { Ok(()) } else { Err(format!("{own:?} states, but {counts:?}")) }
}

/// A model in SMV, with expressions in its scope.
fn smv(text: &str, expressions: &[&str]) -> (System, Vec<ExprId>) {
    let extra = |text: &&str| Extra { origin: "the test".to_owned(), text: (*text).to_owned() };
    let extras: Vec<Extra> = expressions.iter().map(extra).collect();
    let read = read_with("model.smv", text.as_bytes(), &extras);
    let (design, exprs) = read.unwrap_or_else(|error| panic!("{error}"));
    (design.system, exprs)
}
