//! What tests need: random systems, an oracle that knows the truth about them, and a shrinker for those that fail.
//!
//! Nothing here knows of solvers or engines. Everything is a function of a seed, and seeds are printed on failure.

mod arith_explicit;
mod arith_system;
mod bit_level;
mod cases;
mod coverage_system;
mod ctl_coverage;
mod ctl_formulas;
mod ctl_system;
mod design_edits;
pub mod dialects;
mod edits;
mod explicit;
mod explicit_ctl;
mod expressions;
mod graphs;
mod kripke;
mod linear;
mod lrat;
pub mod lustre;
mod mutation;
mod number_mutants;
mod product;
mod random;
mod reach;
mod rebuild;
pub mod reference;
mod result;
mod roles;
mod same_meaning;
mod shrink;
mod suites;
pub mod sva;
mod validity;
mod validity_system;
pub mod verilog;
mod word_level;
mod written;

pub use arith_explicit::{ArithExplicit, ArithExploreError};
pub use arith_system::arith_system;
pub use bit_level::bit_level_system;
pub use cases::{
    for_random_arith_systems, for_random_coverage_systems, for_random_ctl_systems, for_random_systems,
    is_whole_run, seeds,
};
pub use coverage_system::{coverage_system, observable_expressions};
pub use ctl_coverage::{
    CoverageError, CoverageQuestion, Flip, Semantics, covered_states, covered_transitions, fair_transitions,
    observability_transformation,
};
pub use ctl_formulas::random_ctl;
pub use ctl_system::ctl_system;
pub use design_edits::{DesignEdit, edit_design, reordered};
pub use edits::{random_edits, random_slice};
pub use explicit::{Explicit, ExploreError, Outcome};
pub use explicit_ctl::{Edge, ExplicitCtl};
pub use expressions::{Expressions, random_value};
pub use graphs::{
    GraphCriteria, GraphPair, PairFamily, PairSizes, all_flips, covered_flips, for_pairs, for_random_pairs,
    graph_criteria, graph_json, graph_of_numbers, graph_pair, greatest_simulation, is_simulation,
    pair_families, random_graph, random_pair, reachable_simulation, shrink_pair, simulates,
    unmatched_transitions, weakened, without_transition,
};
pub use kripke::{
    ExampleFormula, Kripke, KripkeSystem, WorkedExample, kripke_system, random_kripke, worked_examples,
};
pub use linear::{ExplicitRuns, for_random_liveness_systems, liveness_system, random_ltl};
pub use lrat::check_lrat;
pub use mutation::{
    all_mutants, coverage_by_property, coverage_up_to, holding_properties, holding_up_to, mutation_coverage,
    shortest_difference,
};
pub use number_mutants::{MutantTruth, mutant_truth, mutant_written_out, shortest_number_difference};
pub use product::{Product, product};
pub use random::Random;
pub use reach::{add_executions, reachable_without};
pub use result::random_result;
pub use roles::{role_system, roles_by_paths};
pub use same_meaning::means_the_same;
pub use shrink::shrink;
pub use suites::add_suite;
pub use validity::{
    LAST_STEP, Scope, Validity, ValidityCase, for_random_arith_validity, for_random_validity,
};
pub use word_level::word_level_system;
pub use written::{Implications, WrittenCtl, random_acceptable_ctl, random_acceptable_formula, with_duals};

/// The random system with this seed: a [`bit_level_system`] for even seeds, a [`word_level_system`] for odd ones.
pub fn random_system(seed: u64) -> propcov_ir::System {
    if seed.is_multiple_of(2) { bit_level_system(seed) } else { word_level_system(seed) }
}
