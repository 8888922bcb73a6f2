//! Pairs of labelled graphs, an implementation and a specification, and what is true of them by definition.

mod cases;
mod definition;
mod draft;
mod families;
mod generate;
mod shrink;

pub use cases::{for_pairs, for_random_pairs};
pub use definition::{
    GraphCriteria, GraphPair, all_flips, covered_flips, graph_criteria, greatest_simulation, is_simulation,
    reachable_simulation, simulates, unmatched_transitions, without_transition,
};
pub use draft::{graph_json, graph_of_numbers};
pub use families::{PairFamily, pair_families};
pub use generate::{PairSizes, graph_pair, random_graph, random_pair, weakened};
pub use shrink::shrink_pair;
