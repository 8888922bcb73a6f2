//! Tests of the oracles and generators that other tests trust.

mod agreement;
mod arith;
mod coverage;
mod coverage_by_hand;
mod coverage_reference;
mod ctl;
mod ctl_reference;
mod graphs;
mod graphs_reference;
mod kripke_structure;
mod lustre;
mod lustre_streams;
mod mix;
mod roles;
mod shrinking;
mod split;
mod validity;
