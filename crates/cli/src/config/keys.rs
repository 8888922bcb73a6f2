//! The keys of the file: the options of the commands, asked of the parser of the command line itself.

use clap::{Arg, ArgAction, Command, ValueHint};
use std::collections::BTreeMap;

/// The commands that the file can have options for.
pub(crate) const COMMANDS: &[&str] = &["check", "cover", "cores", "explain", "refine", "report", "verify"];

/// Options about the file itself, which it cannot have.
const OUTSIDE: &[&str] = &["help", "version", "config", "no-config"];

/// The files of a design.
pub(crate) const FILES: &str = "files";
/// Sections of designs.
pub(crate) const DESIGN: &str = "design";
/// Waivers.
pub(crate) const WAIVER: &str = "waiver";

/// What values a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `true` or `false`.
    Flag,
    /// A text or a number.
    One,
    /// One of these, a list of them, or a table of names and values.
    Many,
}

impl Kind {
    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Kind::Flag => "true or false",
            Kind::One => "a text or a number",
            Kind::Many => "a text, a number, or a list of them",
        }
    }
}

/// The key of an option; `None` if the file cannot have it.
pub(crate) fn key(arg: &Arg) -> Option<String> {
    let name = match arg.get_long() {
        Some(long) => long.to_owned(),
        // Files are no option of a command, but what the design is.
        None if arg.is_positional() => match arg.get_id().as_str() {
            "files" | "files_and_element" | "topic" => return None,
            id => id.replace('_', "-"),
        },
        None => return None,
    };
    (!OUTSIDE.contains(&name.as_str()) && !arg.is_hide_set()).then_some(name)
}

/// What values an option takes.
pub(crate) fn kind(arg: &Arg) -> Kind {
    match arg.get_action() {
        ArgAction::SetTrue | ArgAction::SetFalse => Kind::Flag,
        ArgAction::Append | ArgAction::Count => Kind::Many,
        _ => Kind::One,
    }
}

/// Whether an option is a path, which a file means from where it stands.
pub(crate) fn is_path(arg: &Arg) -> bool {
    matches!(arg.get_value_hint(), ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath)
}

/// The option of a command with this key.
pub(crate) fn option<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    command.get_arguments().find(|arg| key(arg).as_deref() == Some(name))
}

/// The keys of a command.
pub(crate) fn of_command(command: &Command) -> Vec<String> {
    command.get_arguments().filter_map(key).collect()
}

/// Each key, what it takes, what it is, and which commands have it.
pub(crate) fn all(root: &Command) -> BTreeMap<String, (Kind, String, Vec<&'static str>)> {
    let mut keys: BTreeMap<String, (Kind, String, Vec<&'static str>)> = BTreeMap::new();
    for name in COMMANDS {
        let Some(command) = root.find_subcommand(name) else { continue };
        for arg in command.get_arguments() {
            let Some(key) = key(arg) else { continue };
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            keys.entry(key).or_insert_with(|| (kind(arg), help, Vec::new())).2.push(name);
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arguments;
    use clap::CommandFactory;

    #[test]
    fn every_option_of_every_command_has_a_key() {
        let root = Arguments::command();
        let keys = all(&root);
        for name in COMMANDS {
            let command = root.find_subcommand(name).expect("a command");
            for arg in command.get_arguments() {
                let is_outside = arg.get_long().is_some_and(|long| OUTSIDE.contains(&long));
                let is_design = matches!(arg.get_id().as_str(), "files" | "files_and_element" | "help");
                let has_key = key(arg).is_some_and(|key| keys.contains_key(&key));
                assert!(is_outside || is_design || has_key, "{name}: {} has no key", arg.get_id());
            }
        }
        for reserved in [FILES, DESIGN, WAIVER].iter().chain(COMMANDS) {
            assert!(!keys.contains_key(*reserved) || *reserved == "explain", "{reserved} means two things");
        }
    }
}
