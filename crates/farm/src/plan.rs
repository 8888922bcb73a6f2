//! What is asked of a farm, and how it is cut up.

use crate::Job;
use crate::scheduler::Choice;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What is asked. It is written once, and read by every job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The version of this document's form.
    pub version: u32,
    /// The arguments of `propcov`, from `cover` on, without those about the farm.
    pub arguments: Vec<String>,
    /// Where they mean files from.
    pub directory: PathBuf,
    /// The program: machines have it under the same name.
    pub program: PathBuf,
    /// The run directory of the result.
    pub out: PathBuf,
    /// Into how many shares the work is cut.
    pub shards: u32,
    /// How many rounds go over the shares.
    pub rounds: u32,
    /// Who runs jobs.
    pub scheduler: Choice,
    /// What a job may have.
    pub limits: Limits,
}

/// What a job may have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Bytes of memory.
    pub memory: u64,
    /// How many minutes.
    pub minutes: u32,
    /// How many threads.
    pub threads: u32,
    /// How often a share that was lost is tried again.
    pub tries: u32,
}

impl Plan {
    /// The version that is written here.
    pub const VERSION: u32 = 1;

    /// The stage that unites what all others have found.
    pub fn last_stage(&self) -> u32 {
        self.rounds + 1
    }

    /// Whether a stage is a round over the shares.
    pub(crate) fn is_round(&self, stage: u32) -> bool {
        (1..=self.rounds).contains(&stage)
    }

    /// The jobs of a stage, before any share is cut in two.
    pub(crate) fn jobs(&self, stage: u32) -> Vec<Job> {
        let count = if self.is_round(stage) { self.shards } else { 1 };
        (1..=count).map(|index| Job { stage, index, count }).collect()
    }
}
