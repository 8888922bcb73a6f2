//! The options of `propcov cover` that belong to the metrics of cores, and those that do nothing with them.

use crate::args::parse_time;
use crate::cores::arguments::{ElementsChoice, GranularityChoice, ScopeArguments};
use crate::cover::arguments::{CoverArguments, DEFAULT_EDITS, DEFAULT_ELEMENTS};
use crate::cover::states::arguments::{names, note};
use crate::input::Complaint;
use clap::Args;
use std::time::Duration;

/// The heading of these options.
const HEADING: &str = "Options of --metric core, must, may and model";

/// What elements are, and how long to look at a set of them.
#[derive(Args, Debug, Default)]
pub(crate) struct CoreArguments {
    /// What an element is [default: equation]
    #[arg(long, value_enum, value_name = "SIZE", help_heading = HEADING)]
    granularity: Option<GranularityChoice>,

    /// Ask about assumptions as well; otherwise they are always there
    #[arg(long, help_heading = HEADING)]
    assumptions: bool,

    /// Give up on a single set of elements after this time
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = HEADING)]
    check_timeout: Option<Duration>,
}

impl CoreArguments {
    /// The same as `propcov cores` has it.
    pub(crate) fn scope(&self) -> ScopeArguments {
        ScopeArguments {
            assumptions: self.assumptions,
            granularity: self.granularity,
            check_timeout: self.check_timeout,
        }
    }

    /// Options here that were given.
    pub(crate) fn given(&self) -> Vec<&'static str> {
        names(&[
            (self.granularity.is_some(), "--granularity"),
            (self.assumptions, "--assumptions"),
            (self.check_timeout.is_some(), "--check-timeout"),
        ])
    }
}

/// Which elements are in question.
pub(super) fn elements(given: &[String]) -> Result<Option<ElementsChoice>, Complaint> {
    let words: Vec<&str> = given.iter().map(String::as_str).collect();
    match words.as_slice() {
        [DEFAULT_ELEMENTS] => Ok(None),
        ["all"] => Ok(Some(ElementsChoice::All)),
        ["annotated"] => Ok(Some(ElementsChoice::Annotated)),
        _ => Err(Complaint(format!(
            "error: with metrics of cores, --elements is `all` or `annotated` (what --%IVC names), not `{}`\n",
            words.join(",")
        ))),
    }
}

/// A note on options that do nothing for cores; empty if there are none.
pub(super) fn idle_for_cores(arguments: &CoverArguments) -> String {
    let effort = &arguments.effort;
    let mut idle = names(&[
        (arguments.edits.join(",") != DEFAULT_EDITS, "--edits"),
        (arguments.bits, "--bits"),
        (arguments.accuracy.is_some(), "--accuracy"),
        (arguments.budget.is_some(), "--budget"),
        (arguments.witness, "--witness"),
        (arguments.traces, "--traces"),
        (arguments.fresh, "--fresh"),
        (!effort.tests.is_empty(), "--tests"),
        (effort.naive, "--naive"),
        (!arguments.observed().is_empty(), "--observe"),
    ]);
    idle.extend(arguments.states.given());
    note(&arguments.metric, &idle)
}
