//! Shares of the work become one: directories are united, and what they claim is looked at as a whole.
//!
//! A run over the united directory that finds out nothing new ([`CoverOptions::settled`](crate::CoverOptions), and likewise of cores and checks) checks all evidence again, and has the result that one run would have had. Which shard said
//! what, in which order they come, and whether one of them ran twice does not matter; that one is missing shows as something that is not known, and is said.

use crate::verify_directory::{KeptRun, kept_results, read_kept, unreadable};
use crate::{Design, Error};
use propcov_result::{Note, NoteKind, Shard};
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
}

/// Puts what others have kept into a directory.
///
/// # Errors
/// When a directory cannot be read or written, or when none of them has a result.
pub fn unite(into: &Path, others: &[PathBuf]) -> Result<Union, Error> {
    if let Some(other) = others.iter().find(|other| !other.is_dir()) {
        return Err(Error::Usage(format!("{} is no directory", other.display())));
    }
    propcov_store::unite(into, others).map_err(|error| unreadable(&error))?;
    let mut runs: Vec<(KeptRun, &PathBuf)> = Vec::new();
    for other in others {
        let of_shares = kept_results(other)?.into_iter().filter(|run| COMMANDS.contains(&command(run)));
        runs.extend(of_shares.map(|run| (run, other)));
    }
    let shards: Vec<(Shard, String)> =
        runs.iter().filter_map(|(run, _)| Some((run.result.run.shard?, command(run).to_owned()))).collect();
    // Runs of shares know best what was asked of all of them.
    let newest = runs.into_iter().max_by(|(a, _), (b, _)| {
        (a.result.run.shard.is_some(), &a.name).cmp(&(b.result.run.shard.is_some(), &b.name))
    });
    let Some((run, directory)) = newest else {
        let places: Vec<String> = others.iter().map(|other| other.display().to_string()).collect();
        let why = format!("no run of `propcov cover`, `cores` or `check` has ended in {}", places.join(", "));
        return Err(Error::Usage(why));
    };
    let of_command = |known: &&(Shard, String)| known.1 == command(&run);
    let shards: BTreeSet<Shard> = shards.iter().filter(of_command).map(|(shard, _)| *shard).collect();
    let design = kept_design(directory, &run)?;
    Ok(Union { run, design, missing: missing(&shards) })
}

fn command(run: &KeptRun) -> &str {
    &run.result.run.command
}

/// The design of a run, as it was kept.
/// The design of a run, as it was read then.
pub(crate) fn kept_design(directory: &Path, run: &KeptRun) -> Result<Design, Error> {
    let archive = Archive::read(directory).map_err(|error| unreadable(&error))?;
    let lost =
        || Error::Usage(format!("{}: the design of {} is missing or damaged", directory.display(), run.name));
    archive.design_of(&run.name).and_then(|kept| read_kept(&kept)).unwrap_or_else(|| Err(lost()))
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
    /// Says which shares are missing.
    pub fn notes(&self) -> Vec<Note> {
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
