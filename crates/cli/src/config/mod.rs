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
use std::ffi::OsString;
use std::path::PathBuf;

/// The name of the file.
pub(crate) const NAME: &str = "propcov.toml";

/// A command line with `--no-config` behind the command, where users write it in front: of the command, or of what `propcov farm` does.
pub(crate) fn moved(mut typed: Vec<OsString>) -> Vec<OsString> {
    const FLAG: &str = "--no-config";
    const WITH_COMMANDS: &[&str] = &["farm", "run"];
    let mut at = 1;
    let mut is_moved = false;
    while let Some(word) = typed.get(at) {
        if word == FLAG {
            typed.remove(at);
            is_moved = true;
        } else if WITH_COMMANDS.iter().any(|name| word == name) && at <= WITH_COMMANDS.len() {
            at += 1;
        } else {
            break;
        }
    }
    if is_moved {
        let end = typed.iter().position(|word| word == "--").unwrap_or(typed.len());
        typed.insert(end, FLAG.into());
    }
    typed
}

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
