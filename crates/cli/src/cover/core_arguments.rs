//! The options of `propcov cover` that belong to the metrics of cores.

use crate::args::parse_time;
use crate::cores::arguments::GranularityChoice;
use crate::cover::idle::names;
use clap::Args;
use propcov::{CoreOptions, Granularity};
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
    /// The same for the library.
    pub(crate) fn options(&self) -> CoreOptions {
        CoreOptions { assumptions: self.assumptions, granularity: None, check_timeout: self.check_timeout }
    }

    /// How finely definitions are taken apart when the design is read.
    pub(crate) fn granularity(&self) -> Granularity {
        self.granularity.map_or(Granularity::Equation, Into::into)
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
