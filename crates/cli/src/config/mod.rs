//! `propcov.toml`: what a team would otherwise type again and again.
//!
//! There is no list of keys: a key is the long name of an option, and what a command accepts on the command line it accepts in the file ([`keys`]). The file is read with the place of
//! every key ([`document`]), so that a wrong one is shown where it stands. What it says is put into the command line before what the user typed, unless the user typed something else
//! (`plan`): from there on nobody knows where an option comes from.
//!
//! Besides options there are `files`, sections for each of several designs (`[design.NAME]`), sections for commands (`[cover]`), and waivers (`[[waiver]]`).

pub(crate) mod document;
mod find;
pub(crate) mod init;
pub(crate) mod keys;
mod plan;
pub(crate) mod waivers;

pub(crate) use plan::{Plan, no_design, plan};

use clap::{Args, ValueHint};
use std::path::PathBuf;

/// The name of the file.
pub(crate) const NAME: &str = "propcov.toml";

/// Which file options come from.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ConfigArguments {
    /// Read options from FILE [default: propcov.toml beside the design, or in a directory above it]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,

    /// Read no options from any file
    #[arg(long)]
    pub(crate) no_config: bool,
}
