//! Tests of the metrics through their public interface.

mod bounded;
mod cores_analysis;
mod cores_evidence;
mod cores_record;
mod cores_search;
mod ctl;
mod difference;
mod impact;
mod mutation;
mod numbers;
mod reach;
mod refine;
