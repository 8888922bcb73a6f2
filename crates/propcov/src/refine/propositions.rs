//! Which propositions are compared, and what to say where a model lacks one.
//!
//! The specification says which propositions there are; the implementation must have them, and may have more, which are left out (Chockler and Kupferman, footnote 5). A graph has its propositions in the
//! file. Of a design any Boolean expression about the state is one; unless somebody says which, they are the Boolean variables and definitions of the specification.

use super::{RefineOptions, usage};
use crate::Error;
use crate::read::hint;
use propcov_coverage::ctl::reads_inputs;
use propcov_frontend::Extra;
use propcov_ir::{SignalId, SignalKind, System};
use propcov_report::text::shell_word;
use propcov_verify::record::is_gate;

/// What the options leave of the propositions of a specification.
pub(super) fn choose(all: &[String], path: &str, options: &RefineOptions) -> Result<Vec<String>, Error> {
    let given = &options.propositions;
    check_known("--propositions", given, path, all)?;
    check_known("--ignore", &options.ignore, path, all)?;
    remaining(if given.is_empty() { all } else { given }, path, options)
}

/// Those that were given for a design, where any expression will do.
pub(super) fn given(path: &str, options: &RefineOptions) -> Result<Vec<String>, Error> {
    check_known("--ignore", &options.ignore, "--propositions", &options.propositions)?;
    remaining(&options.propositions, path, options)
}

/// That all of these are there.
fn check_known(option: &str, names: &[String], place: &str, all: &[String]) -> Result<(), Error> {
    let Some(name) = names.iter().find(|name| !all.contains(name)) else { return Ok(()) };
    let hint = hint(name, &texts(all), "propositions");
    Err(usage(format!("{option} {name}: {place} has no such proposition; {hint}")))
}

/// Without those that are to be ignored, and each once.
fn remaining(names: &[String], path: &str, options: &RefineOptions) -> Result<Vec<String>, Error> {
    let mut kept: Vec<String> = Vec::new();
    for name in names {
        if !options.ignore.contains(name) && !kept.contains(name) {
            kept.push(name.clone());
        }
    }
    if kept.is_empty() {
        return Err(usage(format!(
            "{path}: there is no proposition to compare; expected labels of states in a graph, Boolean variables or definitions in a design that \
             --ignore leaves, or --propositions"
        )));
    }
    Ok(kept)
}

/// That those that never hold are compared.
pub(super) fn check_never(propositions: &[String], options: &RefineOptions) -> Result<(), Error> {
    let Some(name) = options.never.iter().find(|name| !propositions.contains(name)) else { return Ok(()) };
    let hint = hint(name, &texts(propositions), "propositions");
    Err(usage(format!("--false {name}: that is none of the propositions that are compared; {hint}")))
}

/// That a proposition which is said never to hold is there.
pub(super) fn is_there(name: &str, path: &str) -> Error {
    usage(format!("--false {name}: {path} has this proposition"))
}

/// That a graph lacks a proposition.
pub(super) fn missing(name: &str, own: &[String], path: &str, specification: &str) -> Error {
    let hint = hint(name, &texts(own), "propositions in it");
    usage(format!("{path} has no proposition `{name}`, which {specification} has; {hint}"))
        .with_hint(lacking(name))
}

/// What to do about it.
pub(super) fn lacking(name: &str) -> String {
    let name = shell_word(name);
    format!(
        "If it never holds in the implementation, say --false {name}; if it is not to be compared, --ignore {name}."
    )
}

/// The positions of those whose labels are measured.
pub(super) fn observed(propositions: &[String], options: &RefineOptions) -> Result<Vec<u32>, Error> {
    if options.observe.is_empty() {
        return Ok((0..propositions.len() as u32).collect());
    }
    let mut positions = Vec::new();
    for name in &options.observe {
        let Some(position) = propositions.iter().position(|known| known == name) else {
            let hint = hint(name, &texts(propositions), "propositions that are compared");
            return Err(usage(format!(
                "--observe {name}: no proposition that is compared is called so; {hint}"
            )));
        };
        if !positions.contains(&(position as u32)) {
            positions.push(position as u32);
        }
    }
    Ok(positions)
}

/// A proposition as an expression in the scope of a design.
pub(super) fn expression(name: &str, options: &RefineOptions, specification: &str, path: &str) -> Extra {
    let is_given = options.propositions.iter().any(|given| given == name);
    let origin = if is_given {
        format!("--propositions, in {path}")
    } else {
        format!("proposition of {specification}, in {path}")
    };
    Extra { origin, text: name.to_owned() }
}

/// The Boolean variables and definitions of a design that are known of a state, and that somebody named.
pub(super) fn boolean_names(system: &System) -> Vec<String> {
    let mut names = Vec::new();
    for (position, signal) in system.signals().iter().enumerate() {
        let id = SignalId(position as u32);
        let is_of_state = match signal.kind {
            SignalKind::Input => false,
            SignalKind::State { .. } => true,
            SignalKind::Wire { definition } => !is_gate(system, id) && !reads_inputs(system, definition),
        };
        if is_of_state && signal.sort.is_bool() {
            names.push(signal.name.clone());
        }
    }
    names
}

pub(super) fn texts(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}
