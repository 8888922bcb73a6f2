//! `propcov` from outside, as users and scripts see it.

mod benchmarks;
mod certificates;
mod common;
mod cores;
mod cores_words;
mod cover;
mod document;
mod examples;
mod explain;
mod facts;
mod fairness;
mod hardware_states;
mod input;
mod interruption;
mod keeping;
mod keeping_cores;
mod limits;
mod lustre;
mod measurement;
mod options;
mod refine;
mod refine_options;
mod reporting;
mod smv;
mod states;
mod verifying;
