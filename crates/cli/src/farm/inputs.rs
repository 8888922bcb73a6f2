//! The files that a farm is about: what was in them when it was planned, and what is in them now. Results are of what was in them then.

use super::job::{Asked, planned};
use crate::config::Plan as Configured;
use crate::input::Complaint;
use propcov_farm::{Farm, Input, Job, Plan};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The files that jobs with these arguments read from the current directory on: those of the design and what SystemVerilog includes there, lists of files, and `propcov.toml` if it has a say. Others are known when
/// the first job has read them.
///
/// # Errors
/// When the arguments are wrong, or name standard input, which jobs do not have.
pub(super) fn inputs(arguments: &[String]) -> Result<Vec<Input>, Complaint> {
    let (plan, asked) = planned(arguments)?;
    inputs_of(&plan, &asked)
}

fn inputs_of(plan: &Configured, asked: &Asked) -> Result<Vec<Input>, Complaint> {
    let (files, verilog) = asked.files();
    if files.iter().any(|file| file == Path::new("-")) {
        let text = "error: a farm cannot read standard input: write the design to a file\n";
        return Err(Complaint::new(text.to_owned()));
    }
    let mut paths: BTreeSet<PathBuf> = files.iter().cloned().collect();
    paths.extend(verilog.files());
    if propcov::is_project(files) {
        // What is wrong with it is said by the first job.
        let tasks = propcov::tasks(files, &verilog.options()).unwrap_or_default();
        paths.extend(tasks.iter().flat_map(propcov::Task::sources).map(Path::to_owned));
    }
    let directories: Vec<PathBuf> = verilog.include_directories().collect();
    add_included(&mut paths, &directories);
    paths.extend(plan.configuration.iter().map(|configuration| PathBuf::from(&configuration.path)));
    Ok(paths.into_iter().map(|path| Input { sha256: digest(&path), path }).collect())
}

/// Adds what files of SystemVerilog include, and what these include.
fn add_included(paths: &mut BTreeSet<PathBuf>, directories: &[PathBuf]) {
    const ENDINGS: &[&str] = &["sv", "v", "svh", "vh"];
    let is_verilog = |path: &Path| {
        path.extension().is_some_and(|ending| ENDINGS.iter().any(|one| ending.eq_ignore_ascii_case(one)))
    };
    let mut open: Vec<PathBuf> = paths.iter().filter(|path| is_verilog(path)).cloned().collect();
    while let Some(path) = open.pop() {
        let bytes = propcov::read::file_bytes(&path).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let beside = path.parent().unwrap_or(Path::new(""));
        for rest in text.split("`include").skip(1) {
            let Some(name) = rest.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next())
            else {
                continue;
            };
            let places = std::iter::once(beside).chain(directories.iter().map(PathBuf::as_path));
            // All of that name: it does no harm to look at one file too many.
            let found = places.map(|place| place.join(name)).filter(|path| path.is_file());
            for path in found.collect::<Vec<_>>() {
                if paths.insert(path.clone()) {
                    open.push(path);
                }
            }
        }
    }
}

/// SHA-256 of a file that can be read.
fn digest(path: &Path) -> Option<String> {
    // What is no file, such as the name of a task, has none.
    let bytes = path.is_file().then(|| propcov::read::file_bytes(path).ok()).flatten()?;
    Some(propcov::read::sha256(&bytes))
}

/// The files of a farm that have something else in them than when it was planned.
pub(super) fn changed(farm: &Farm) -> Vec<PathBuf> {
    let Plan { inputs, directory, .. } = farm.plan();
    let is_other = |input: &&Input| digest(&directory.join(&input.path)) != input.sha256;
    let mut changed: Vec<PathBuf> = inputs.iter().filter(is_other).map(|input| input.path.clone()).collect();
    changed.extend(included(farm));
    changed
}

/// Likewise, of those that nobody has named, as the first job has read them.
pub(super) fn included(farm: &Farm) -> Vec<PathBuf> {
    let Plan { inputs, directory, .. } = farm.plan();
    let first = farm.directory_of(Job { stage: 0, index: 1, count: 1 });
    let kept = if first.is_dir() { propcov::latest_result(&first).ok().flatten() } else { None };
    let Some(design) = kept.and_then(|kept| kept.result.design) else { return Vec::new() };
    let named = |path: &str| inputs.iter().find(|input| input.path == Path::new(path));
    // What options have added to a file is in its digest, too.
    let are_plain = design.files.iter().all(|file| {
        named(&file.path).is_none_or(|input| input.sha256.as_deref() == Some(file.sha256.as_str()))
    });
    let is_project = inputs.iter().any(|input| propcov::is_project(&[&input.path]));
    if !are_plain || is_project {
        return Vec::new();
    }
    let others = design.files.iter().filter(|file| named(&file.path).is_none());
    let is_other = |file: &&propcov::result::File| {
        digest(&directory.join(&file.path)).is_some_and(|now| now != file.sha256)
    };
    others.filter(is_other).map(|file| PathBuf::from(&file.path)).collect()
}

/// The files of a plan that a job, in the plan's directory, finds changed. One that cannot be read may be away.
pub(super) fn changed_for_job(plan: &Plan) -> Vec<PathBuf> {
    let Ok(now) = inputs(&plan.arguments) else { return Vec::new() };
    let then = |path: &Path| plan.inputs.iter().find(|input| input.path == path);
    let is_other = |input: &&Input| {
        input.sha256.is_some() && then(&input.path).is_none_or(|then| then.sha256 != input.sha256)
    };
    let is_gone = |input: &&Input| now.iter().all(|other| other.path != input.path);
    let other = now.iter().filter(is_other).chain(plan.inputs.iter().filter(is_gone));
    other.map(|input| input.path.clone()).collect()
}

/// Names of files, as far as there is room for them.
pub(super) fn names(paths: &[PathBuf]) -> String {
    const MOST: usize = 4;
    let named: Vec<String> = paths
        .iter()
        .take(MOST)
        .map(|path| propcov_ir::printable(&path.display().to_string()).to_string())
        .collect();
    match paths.len().saturating_sub(MOST) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_included_is_an_input_as_well() {
        let room = tempfile::tempdir().expect("a directory");
        let path = |name: &str| room.path().join(name);
        std::fs::create_dir(path("headers")).expect("made");
        for (name, text) in [
            (
                "main.sv",
                "`include \"near.svh\"\n`include  \"far.svh\"\n`include <none>\n`include \"gone.svh\"\n",
            ),
            ("near.svh", "`include \"main.sv\"\n"),
            ("headers/far.svh", "`include \"deep.svh\""),
            ("headers/deep.svh", "`define X 1"),
            ("headers/other.svh", ""),
        ] {
            std::fs::write(path(name), text).expect("written");
        }
        let mut paths: BTreeSet<PathBuf> = [path("main.sv")].into();
        add_included(&mut paths, &[path("headers")]);
        let expected = ["main.sv", "near.svh", "headers/far.svh", "headers/deep.svh"].map(path);
        assert_eq!(paths, expected.into_iter().collect());
    }
}
