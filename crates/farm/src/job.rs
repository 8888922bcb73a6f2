//! A job: one share of one stage.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// One share of one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Job {
    /// The stage: 0 is the first one, which is not shared.
    pub stage: u32,
    /// Which share, from 1.
    pub index: u32,
    /// Of how many.
    pub count: u32,
}

impl Job {
    /// The two halves of its share: whatever is in it is in one of them.
    pub(crate) fn halves(self) -> Option<[Job; 2]> {
        let count = self.count.checked_mul(2)?;
        let half = |index: u32| Job { index, count, ..self };
        Some([half(self.index), half(self.index.checked_add(self.count)?)])
    }

    /// The share that this one is a half of, if it is one of so many that were cut.
    pub(crate) fn whole(self, shards: u32) -> Option<Job> {
        let count = self.count / 2;
        let is_half = self.count > shards && self.count.is_multiple_of(2);
        is_half.then(|| Job { index: (self.index - 1) % count + 1, count, ..self })
    }

    /// Whether its share is a part of another one's.
    #[cfg(test)]
    pub(crate) fn is_part_of(self, other: Job) -> bool {
        self.count.is_multiple_of(other.count) && self.index % other.count == other.index % other.count
    }

    /// The directory of the share within its stage.
    pub(crate) fn share_name(self) -> String {
        format!("{}-of-{}", self.index, self.count)
    }

    /// The name of a file about it.
    pub(crate) fn file_name(self) -> String {
        format!("{}.{}", self.stage, self.share_name())
    }
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.stage {
            0 => f.write_str("the first stage"),
            stage => write!(f, "shard {} of {} in round {stage}", self.index, self.count),
        }
    }
}

impl FromStr for Job {
    type Err = String;

    /// Reads `2.3-of-8`.
    fn from_str(text: &str) -> Result<Job, String> {
        let parts = text.split_once('.').and_then(|(stage, share)| Some((stage, share.split_once("-of-")?)));
        let number = |text: &str| text.parse::<u32>().ok();
        let job = parts.and_then(|(stage, (index, count))| {
            Some(Job { stage: number(stage)?, index: number(index)?, count: number(count)? })
        });
        let job = job.filter(|job| (1..=job.count).contains(&job.index));
        job.ok_or_else(|| format!("expected a job such as 1.3-of-8, not `{text}`"))
    }
}

/// What a job leaves when it has ended by itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Done {
    /// How it ended.
    pub ending: Ending,
    /// How long it took.
    pub seconds: f64,
    /// The processor seconds that it used, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<f64>,
    /// The most memory that it had, in bytes, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// How many findings it has decided, or taken over.
    pub decided: u64,
    /// How many of its own it has not.
    pub open: u64,
    /// How many directories of other jobs it has read.
    #[serde(default)]
    pub inputs: u64,
    /// How much memory it was allowed, in bytes.
    #[serde(default)]
    pub allowed: u64,
    /// Of the first job: how much is left to do in each share.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<u64>,
}

/// How a job ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It has done what it could.
    #[default]
    Good,
    /// It had too little memory: two smaller ones may do better.
    Memory,
    /// It cannot be done, and there is no use in trying again: this is what it says.
    Hopeless(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for job in [Job { stage: 0, index: 1, count: 1 }, Job { stage: 3, index: 12, count: 64 }] {
            assert_eq!(job.file_name().parse(), Ok(job));
        }
        for wrong in ["", "1", "1.2", "1.2-of-1", "1.0-of-4", "x.1-of-2", "1.1-of-", "1.-1-of-2"] {
            assert!(wrong.parse::<Job>().is_err(), "{wrong:?} was accepted");
        }
    }

    #[test]
    fn halves_make_up_a_share_and_nothing_else() {
        let job = Job { stage: 1, index: 3, count: 5 };
        let halves = job.halves().expect("small numbers");
        assert!(halves.iter().all(|half| half.is_part_of(job)));
        for index in (1..=10).filter(|index| halves.iter().all(|half| half.index != *index)) {
            assert!(!Job { stage: 1, index, count: 10 }.is_part_of(job), "{index}");
        }
        assert!(job.is_part_of(job) && !job.is_part_of(halves[0]));
        assert_eq!(halves.map(|half| half.whole(5)), [Some(job), Some(job)]);
        assert_eq!(job.whole(5), None);
    }
}
