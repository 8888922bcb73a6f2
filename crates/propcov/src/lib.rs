//! Measures how much of a design its proven properties check.
//!
//! ```
//! # fn main() -> Result<(), propcov::Error> {
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).expect("the checkout");
//! let design = propcov::read("examples/queue.btor2")?;
//! let result = design.cover(&propcov::CoverOptions::default())?;
//! for property in &result.properties {
//!     println!("{}: {} (certified: {})", property.name, property.verdict.name(), property.certified);
//! }
//! for share in result.shares.iter().filter(|share| share.scope == propcov::result::Scope::All) {
//!     println!("{}: {}", share.metric, share.percent_text());
//! }
//! let mutation = result.share("mutation", &propcov::result::Scope::All).expect("a netlist is mutated");
//! assert_eq!(mutation.percent_text(), "53.33 %");
//! # Ok(())
//! # }
//! ```
//!
//! [`read()`] gives a [`Design`]; `check`, `cover`, `cores` and `explain` are methods of it, and return a [`result::RunResult`]: plain data that [`report`] renders in any format. [`refine()`]
//! compares two models that need not be designs, and returns the same. Nothing here prints, exits or panics on bad input. Long runs are stopped, watched and kept by a [`Control`].

mod advice;
pub mod certificate;
mod check;
mod control;
mod cores;
mod counting;
pub mod cover;
mod date;
mod error;
mod explain;
pub mod files;
mod impact;
mod keeper;
mod keeping;
mod material;
mod merge;
pub mod read;
mod refine;
mod sby;
mod share;
mod slang;
mod tested;
mod verify_directory;
pub mod waveform;

pub use check::{CheckOptions, Checked};
pub use control::Control;
pub use cores::CoresOptions;
pub use cover::{CoreOptions, CoverOptions, METRICS, Metric, MutationOptions, StateOptions, metric};
pub use error::Error;
pub use explain::ExplainOptions;
pub use impact::{Change, impact};
pub use keeper::{Keep, PAGE, Usage};
pub use merge::{Differ, Sharing, Union, gather, unite, unite_as};
pub use propcov_budget::{Budget, Effort, Interrupt, MemoryWatch, Stop, default_cap};
pub use propcov_coverage::cores::{Algorithm, CoreMetric, Goal};
pub use propcov_coverage::ctl::{Flip, Implication, Place, Semantics};
pub use propcov_coverage::refine::CriteriaForm;
pub use propcov_frontend::graph::StateLabels;
pub use propcov_frontend::lustre::{Dialect, LustreOptions};
pub use propcov_frontend::{Elements, Granularity, verilog::Settings};
pub use propcov_report as report;
pub use propcov_result as result;
pub use propcov_verify::{EngineChoice, PanicLog, Progress, Silent, SoFar};
pub use read::{Design, ReadOptions, read, read_as, read_bytes};
pub use read::{is_project, tasks};
pub use refine::{ModelPair, RefineAlgorithm, RefineOptions, refine, refine_with};
pub use sby::{Mode, Outcome, Task};
pub use share::{Share, sizes};
pub use slang::{PYSLANG, VerilogOptions};
pub use verify_directory::{
    KeptRun, kept_material, kept_results, latest_result, read_results, verify_directory,
};
