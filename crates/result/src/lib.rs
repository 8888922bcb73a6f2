//! What a run found out, as plain data: one model for every command and every metric.
//!
//! [`RunResult`] is what `check`, `cover`, `cores`, `refine` and `explain` return, what `--format json` prints, what the run directory keeps, and what every other format is
//! rendered from. It needs neither the design nor a solver, and depends on no other crate of ours.
//!
//! Rules of the document:
//! - Names are the user's own. Elements are referred to by [`Element::id`], which is the position in the design and stable within one document.
//! - What is not known, or not asked for, is left out: an absent field is `None` or empty, never a guess.
//! - Counts are decimal strings ([`Count`]): numbers of states pass 2⁶⁴. Percentages are intervals ([`Percent`]) with one rounding.
//! - The JSON Schema is generated from these types ([`schema`]) and kept in `docs/result.schema.json`; a test compares the two.

mod align;
mod cores;
mod count;
mod design;
mod diff;
mod distance;
mod finding;
mod gate;
mod identity;
mod impact;
mod key;
mod ladder;
mod lines;
mod pattern;
mod percent;
mod places;
mod property;
mod ranking;
mod refinement;
mod run;
mod share;
mod standing;
mod states;
mod stats;
mod threshold;
mod trace;
mod verification;
mod waiver;

pub use cores::{CoreAtDepth, CoreGoal, CoreRow, CoreSet, Minimality};
pub use count::Count;
pub use design::{Design, Element, Excerpt, File, Ladder, Place, Role};
pub use diff::{
    DIFF_SCHEMA, Diff, Direction, ElementChange, ElementPair, FindingChange, PropertyChange, ShareChange,
    Sides,
};
pub use distance::{Distance, Length};
pub use finding::{Blame, Cube, DROPPED, Finding, FindingVerdict, Label, Literal, REACH, Subject, Witness};
pub use gate::{Assumptions, Conflicting, Fairness, Gate};
pub use identity::{Texts, plain};
pub use impact::{Effect, Impact, PropertyImpact};
pub use key::Keys;
pub use lines::SourceLine;
pub use pattern::fits;
pub use percent::Percent;
pub use property::{Advice, Attempt, AttemptPart, COVER, Property, Reads, Smooth, Unmet, UnmetKind, Verdict};
pub use ranking::{Contribution, Pick, Ranking, Smallest};
pub use refinement::{
    Criteria, Distinction, Explanation, Merged, Model, PairOfStates, PassageStep, Refinement, Refusal,
    Refutation, SpecificationStep, TreeStep, Unsimulated,
};
pub use run::{Configuration, ELSEWHERE, Note, NoteKind, Run, RunResult, SCHEMA, Shard, Stop};
pub use share::{Scope, Share, Tally};
pub use standing::Standing;
pub use states::{StatePart, StateRow, Unmentioned};
pub use stats::{Diagrams, StateCounts, Stats};
pub use threshold::{Shortfall, TOP, Threshold, ThresholdScope, ThresholdVerdict, unmeasured_metric};
pub use trace::{Branch, Shows, Trace, TraceSignal, TraceSignalKind};
pub use verification::{Claim, Verification};
pub use waiver::{Waiver, WaiverState};

/// The JSON Schema of [`RunResult`], as `docs/result.schema.json` has it.
pub fn schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(RunResult).to_value();
    if let Some(object) = schema.as_object_mut() {
        object.insert("title".to_owned(), format!("Result of a run of propcov, {SCHEMA}").into());
    }
    schema
}
