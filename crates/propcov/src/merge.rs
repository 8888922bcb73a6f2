//! Shares of the work become one: directories are united, and what they claim is looked at as a whole.
//!
//! A run over the united directory that finds out nothing new ([`CoverOptions::settled`](crate::CoverOptions), and likewise of cores and checks) checks all evidence again, and has the result that one run would have had. Which shard said
//! what, in which order they come, and whether one of them ran twice does not matter; that one is missing shows as something that is not known, and is said.

use crate::read::sha256;
use crate::verify_directory::{KeptRun, kept_results, read_kept, unreadable};
use crate::{Design, Error};
use propcov_result::{FindingVerdict, Note, NoteKind, RunResult, Shard, Verdict};
use propcov_store::Archive;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The commands whose work can be shared out.
const COMMANDS: &[&str] = &["check", "cores", "cover"];

/// The finest division into shards that is looked at.
const FINEST: u32 = 1 << 20;

/// Directories that were united.
pub struct Union {
    /// The newest run of a share, or of all of the work: how it was started says what is asked.
    pub run: KeptRun,
    /// The design that it was about, as it was read then.
    pub design: Design,
    /// The shares that are not there.
    pub missing: Vec<Shard>,
    /// Directories whose newest run asked something else, and what it asked.
    pub strange: Vec<(PathBuf, String)>,
}

/// What two runs ask, if it is not the same.
pub type Differ = dyn Fn(&RunResult, &RunResult) -> Option<(String, String)>;

/// What is known of runs that are united, besides what they say.
pub struct Sharing<'a> {
    /// What two runs ask, if it is not the same.
    pub differ: &'a Differ,
    /// Whether a run of all of the work has done all of it: not the first job of a farm, which leaves work to others.
    pub whole: bool,
}

/// Puts what others have kept into a directory, and nothing else.
///
/// # Errors
/// When a directory cannot be read or written.
pub fn gather(into: &Path, others: &[PathBuf]) -> Result<(), Error> {
    propcov_store::unite(into, others).map_err(|error| unreadable(&error))
}

/// Puts what others have kept into a directory. They are about one design, and shares of one question.
///
/// # Errors
/// When a directory cannot be read or written, when none of them has a result, or when what they have is about different designs or questions.
pub fn unite(into: &Path, others: &[PathBuf]) -> Result<Union, Error> {
    unite_as(into, others, &Sharing { differ: &|_, _| None, whole: true })
}

/// The same, with more knowledge of runs.
///
/// # Errors
/// The same.
pub fn unite_as(into: &Path, others: &[PathBuf], sharing: &Sharing<'_>) -> Result<Union, Error> {
    if let Some(other) = others.iter().find(|other| !other.is_dir()) {
        return Err(Error::Usage(format!("{} is no directory", other.display())));
    }
    let mut runs: Vec<(KeptRun, &PathBuf)> = Vec::new();
    for other in others {
        let of_shares = kept_results(other)?.into_iter().filter(|run| COMMANDS.contains(&command(run)));
        runs.extend(of_shares.map(|run| (run, other)));
    }
    // Runs of shares know best what was asked of all of them.
    let is_newer = |(a, _): &&(KeptRun, &PathBuf), (b, _): &&(KeptRun, &PathBuf)| {
        (a.result.run.shard.is_some(), &a.name).cmp(&(b.result.run.shard.is_some(), &b.name))
    };
    let Some((run, directory)) = runs.iter().max_by(is_newer).map(|(run, place)| (run.clone(), *place))
    else {
        let places: Vec<String> = others.iter().map(|other| other.display().to_string()).collect();
        let why = format!("no run of `propcov cover`, `cores` or `check` has ended in {}", places.join(", "));
        return Err(Error::Usage(why));
    };
    let asks =
        |other: &RunResult| question(other, &run.result).or_else(|| (sharing.differ)(other, &run.result));
    let mut strange = Vec::new();
    for other in others {
        // What a directory had before its newest share is history.
        let newest = runs.iter().filter(|(_, place)| *place == other).max_by(is_newer);
        let Some((newest, _)) = newest else { continue };
        let refused = |why: String| {
            let (one, two) = (other.display(), directory.display());
            Err(Error::Usage(format!("{one} and {two} are not parts of one result: {why}")))
        };
        if let Some(why) = other_design(&newest.result, &run.result) {
            return refused(why);
        }
        match asks(&newest.result) {
            Some((one, two)) if newest.result.run.shard.is_some() => {
                return refused(format!("shards of `{one}` and of `{two}`"));
            }
            Some((one, _)) => strange.push((other.clone(), one)),
            None => {}
        }
    }
    gather(into, others)?;
    let is_like = |other: &RunResult| other_design(other, &run.result).is_none() && asks(other).is_none();
    let like = || runs.iter().map(|(run, _)| &run.result).filter(|result| is_like(result));
    let shards: BTreeSet<Shard> = like().filter_map(|result| result.run.shard).collect();
    let has_whole = sharing.whole && like().any(|result| result.run.shard.is_none() && is_decided(result));
    let design = kept_design(directory, &run)?;
    let missing = if has_whole { Vec::new() } else { missing(&shards) };
    Ok(Union { run, design, missing, strange })
}

/// What distinguishes the designs of two runs, if they are not the same.
fn other_design(one: &RunResult, two: &RunResult) -> Option<String> {
    let (Some(one), Some(two)) = (&one.design, &two.design) else { return None };
    let contents = |design: &propcov_result::Design| {
        design.files.iter().map(|file| file.sha256.clone()).collect::<Vec<_>>()
    };
    if one.task != two.task {
        let name = |task: &Option<String>| task.clone().unwrap_or_default();
        return Some(format!("tasks {} and {}", name(&one.task), name(&two.task)));
    }
    if contents(one) == contents(two) {
        return None;
    }
    let pairs = one.files.iter().zip(&two.files);
    let pair = pairs.into_iter().find(|(one, two)| one.sha256 != two.sha256);
    Some(match pair {
        Some((one, two)) if one.path == two.path => {
            format!("{} was changed in between. Run the older ones again", one.path)
        }
        Some((one, two)) => format!("{} and {} are different designs", one.path, two.path),
        None => "their designs have different files".to_owned(),
    })
}

/// What two runs ask, if that is not the same as far as they say it themselves.
fn question(one: &RunResult, two: &RunResult) -> Option<(String, String)> {
    let words = |result: &RunResult| match result.run.metrics.as_slice() {
        [] => format!("propcov {}", result.run.command),
        metrics => format!("propcov {} -m {}", result.run.command, metrics.join(",")),
    };
    let (one, two) = (words(one), words(two));
    (one != two).then_some((one, two))
}

/// Whether nothing is left that another run could find out.
fn is_decided(result: &RunResult) -> bool {
    result.properties.iter().all(|property| property.verdict != Verdict::Unknown)
        && result.findings.iter().all(|finding| finding.verdict != FindingVerdict::Unknown)
        && result.cores.iter().all(|row| row.answered)
}

fn command(run: &KeptRun) -> &str {
    &run.result.run.command
}

/// The design of a run, as it was read then. A run that has added nothing to its directory is one of those whose design is there: its result knows the files.
pub(crate) fn kept_design(directory: &Path, run: &KeptRun) -> Result<Design, Error> {
    let archive = Archive::read(directory).map_err(|error| unreadable(&error))?;
    let lost =
        || Error::Usage(format!("{}: the design of {} is missing or damaged", directory.display(), run.name));
    if let Some(design) = archive.design_of(&run.name).and_then(|kept| read_kept(&kept)) {
        return design;
    }
    let wanted = run.result.design.as_ref().ok_or_else(lost)?;
    let has_files = |design: &Design| {
        let files = design.system().files.iter().map(|file| sha256(&file.bytes));
        files.eq(wanted.files.iter().map(|file| file.sha256.clone()))
    };
    let (kept, _) = archive.designs();
    let mut alike: Vec<Design> =
        kept.iter().filter_map(|kept| read_kept(kept)?.ok()).filter(has_files).collect();
    // The same files may have been read in several ways.
    let same = alike.iter().position(|design| design.system().elements().len() == wanted.elements);
    if alike.is_empty() { Err(lost()) } else { Ok(alike.swap_remove(same.unwrap_or(0))) }
}

/// The shares that nobody did. Shares may have been cut in two, again and again.
fn missing(shards: &BTreeSet<Shard>) -> Vec<Shard> {
    let Some(coarsest) = shards.iter().map(|shard| shard.count).min() else { return Vec::new() };
    let finest = shards.iter().map(|shard| shard.count).fold(coarsest, least_common_multiple);
    if finest > FINEST {
        return Vec::new();
    }
    let is_done = |part: u32| shards.iter().any(|shard| part % shard.count + 1 == shard.index);
    let open: Vec<u32> = (0..finest).filter(|part| !is_done(*part)).collect();
    let mut missing = Vec::new();
    for index in 1..=coarsest {
        let parts: Vec<u32> = open.iter().copied().filter(|part| part % coarsest + 1 == index).collect();
        match parts.len() as u64 * u64::from(coarsest) == u64::from(finest) {
            true => missing.push(Shard { index, count: coarsest }),
            false => missing.extend(parts.into_iter().map(|part| Shard { index: part + 1, count: finest })),
        }
    }
    missing
}

fn least_common_multiple(a: u32, b: u32) -> u32 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x.max(1)).saturating_mul(b)
}

impl Union {
    /// Says which shares are missing, and what is not in the result.
    pub fn notes(&self) -> Vec<Note> {
        let asked = |(place, words): &(PathBuf, String)| Note {
            kind: NoteKind::Warning,
            text: format!(
                "{} has a run of `{words}`: what it has kept is used, and what else it asked is not in this result",
                place.display()
            ),
            place: None,
        };
        self.missing_shares().into_iter().chain(self.strange.iter().map(asked)).collect()
    }

    fn missing_shares(&self) -> Vec<Note> {
        if self.missing.is_empty() {
            return Vec::new();
        }
        let names: Vec<String> =
            self.missing.iter().map(|shard| format!("{} of {}", shard.index, shard.count)).collect();
        let (shard, is, they) =
            if names.len() == 1 { ("shard", "is", "it") } else { ("shards", "are", "they") };
        let text =
            format!("{shard} {} {is} missing: what {they} would have found out is unknown", names.join(", "));
        vec![Note { kind: NoteKind::Warning, text, place: None }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shards(list: &[(u32, u32)]) -> BTreeSet<Shard> {
        list.iter().map(|(index, count)| Shard { index: *index, count: *count }).collect()
    }

    #[test]
    fn what_is_missing_is_named_as_coarsely_as_possible() {
        let of = |list: &[(u32, u32)]| {
            missing(&shards(list)).into_iter().map(|shard| (shard.index, shard.count)).collect::<Vec<_>>()
        };
        assert_eq!(of(&[]), []);
        assert_eq!(of(&[(1, 1)]), []);
        assert_eq!(of(&[(1, 3), (3, 3)]), [(2, 3)]);
        assert_eq!(of(&[(1, 2), (2, 4), (4, 4)]), []);
        assert_eq!(of(&[(1, 2), (2, 4)]), [(4, 4)]);
        assert_eq!(of(&[(2, 4), (4, 4)]), [(1, 4), (3, 4)]);
        assert_eq!(of(&[(1, 3), (2, 6), (5, 6), (3, 12), (9, 12)]), [(6, 12), (12, 12)]);
    }
}
