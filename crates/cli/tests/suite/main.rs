//! `propcov` from outside, as users and scripts see it.

mod benchmarks;
mod certificates;
mod common;
mod document;
mod examples;
mod input;
mod interruption;
mod options;
