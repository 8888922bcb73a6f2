//! Tests of the front ends through their public interface.
#![cfg(test)]

mod aiger_round_trip;
mod aiger_system;
mod benchmarks;
mod btor2_operators;
mod btor2_round_trip;
mod btor2_system;
mod certifaiger;
mod certificates;
mod common;
mod extras;
mod facts;
mod fuzz;
mod graph_flips;
mod graph_formats;
mod graph_malformed;
mod graph_random;
mod graph_tools;
mod lustre_benchmarks;
mod lustre_fuzz;
mod lustre_malformed;
mod lustre_names;
mod lustre_operators;
mod lustre_semantics;
mod malformed;
mod smv_benchmarks;
mod smv_checks;
mod smv_fuzz;
mod smv_implications;
mod smv_malformed;
mod smv_semantics;
mod smv_syntax;
mod verilog;
mod witness;
