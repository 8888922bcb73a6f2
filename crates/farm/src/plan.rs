//! What is asked of a farm, how it is cut up, and what each job may have.

use crate::scheduler::Choice;
use crate::{Done, Job};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What is asked. It is written once, and read by every job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The version of this document's form.
    pub version: u32,
    /// The arguments of `propcov`, from `check`, `cores` or `cover` on, without those about the farm.
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
    /// For so many seconds, at most, the first job goes on with what could be shared out; `None`: as long as that pays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_start: Option<u64>,
    /// The files that it is about, as they were when it was planned.
    #[serde(default)]
    pub inputs: Vec<Input>,
    /// How often it was begun anew: each time, jobs have other directories, so that those of before are in nobody's way.
    #[serde(default)]
    pub generation: u32,
}

/// A file that jobs read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Input {
    /// Where it is, from the plan's directory on.
    pub path: PathBuf,
    /// SHA-256 of its bytes, in hexadecimal; `None` if it could not be read.
    pub sha256: Option<String>,
}

/// What a job may have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Bytes of memory; `None`: what the first job needed, times a factor.
    pub memory: Option<u64>,
    /// How many minutes; `None`: likewise.
    pub minutes: Option<u32>,
    /// How many threads.
    pub threads: u32,
    /// How often a share that was lost is tried again.
    pub tries: u32,
}

/// What one job may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Bytes of memory.
    pub memory: u64,
    /// Minutes.
    pub minutes: u32,
    /// Whether that follows from what earlier jobs needed.
    pub is_measured: bool,
}

/// What a job may have as long as nothing is known.
const MEMORY: u64 = 4 << 30;
const MINUTES: u32 = 60;

/// A share may have so many times the memory that jobs before it needed, and at least so much, in such steps.
const FACTOR: u64 = 4;
const LEAST: u64 = 1 << 30;
const STEP: u64 = 256 << 20;

/// And so many times the time.
const FACTOR_OF_TIME: f64 = 4.0;

impl Plan {
    /// The version that is written here.
    pub const VERSION: u32 = 3;

    /// The stage that unites what all others have found.
    pub fn last_stage(&self) -> u32 {
        self.rounds + 1
    }

    /// Whether another plan asks the same, whatever its files have in them and however often it was begun anew.
    pub(crate) fn is_like(&self, other: &Plan) -> bool {
        let like = Plan { inputs: self.inputs.clone(), generation: self.generation, ..other.clone() };
        *self == like
    }

    /// The files that have something else in them than for another plan.
    pub(crate) fn changed(&self, other: &Plan) -> Vec<PathBuf> {
        let differs = |one: &[Input], two: &[Input]| {
            one.iter()
                .filter(|input| !two.contains(input))
                .map(|input| input.path.clone())
                .collect::<Vec<_>>()
        };
        let mut changed = differs(&self.inputs, &other.inputs);
        changed.extend(differs(&other.inputs, &self.inputs));
        changed.sort();
        changed.dedup();
        changed
    }

    /// A name within the farm that no earlier beginning has used.
    pub(crate) fn place(&self, name: &str) -> String {
        match self.generation {
            0 => name.to_owned(),
            generation => format!("{name}.{generation}"),
        }
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

impl Limits {
    /// What jobs of a stage may have, from what jobs of earlier ones needed. A share has less to do than the first job, which looks at everything, but what is left for it is hard.
    pub(crate) fn allowance(&self, stage: u32, done: &BTreeMap<Job, Done>) -> Allowance {
        let earlier = || done.iter().filter(|(job, _)| job.stage < stage).map(|(_, done)| done);
        let peak = earlier().filter_map(|done| done.memory).max();
        let memory = peak.map(|peak| peak.saturating_mul(FACTOR).max(LEAST).div_ceil(STEP) * STEP);
        let seconds = earlier().map(|done| done.seconds).fold(0.0, f64::max);
        let minutes = (FACTOR_OF_TIME * seconds / 60.0).ceil().clamp(0.0, f64::from(u32::MAX)) as u32;
        Allowance {
            memory: self.memory.or(memory).unwrap_or(MEMORY),
            minutes: self.minutes.unwrap_or_else(|| minutes.max(MINUTES)),
            is_measured: self.are_measured() && earlier().next().is_some(),
        }
    }

    /// Whether limits of later jobs follow from what the first one needed.
    pub(crate) fn are_measured(&self) -> bool {
        self.memory.is_none() || self.minutes.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ending;

    #[test]
    fn jobs_may_have_a_multiple_of_what_earlier_ones_needed_unless_somebody_says_otherwise() {
        let done = |stage: u32, seconds: f64, memory: u64| {
            let job = Job { stage, index: 1, count: 1 };
            (job, Done { ending: Ending::Good, seconds, memory: Some(memory), ..Done::default() })
        };
        let measured = Limits { memory: None, minutes: None, threads: 1, tries: 1 };
        let of = |limits: &Limits, done: &BTreeMap<Job, Done>, stage: u32| {
            let allowance = limits.allowance(stage, done);
            (allowance.memory >> 20, allowance.minutes)
        };
        assert_eq!(of(&measured, &BTreeMap::new(), 0), (4096, 60), "nothing is known");
        let small: BTreeMap<Job, Done> = [done(0, 12.0, 20 << 20)].into();
        assert_eq!(of(&measured, &small, 1), (1024, 60));
        let large: BTreeMap<Job, Done> = [done(0, 3600.0, 3000 << 20), done(1, 10.0, 3100 << 20)].into();
        assert_eq!(of(&measured, &large, 0), (4096, 60), "what comes later says nothing");
        assert_eq!(of(&measured, &large, 1), (12032, 240));
        assert_eq!(of(&measured, &large, 2), (12544, 240));
        let given = Limits { memory: Some(64 << 20), minutes: Some(5), ..measured };
        assert_eq!(of(&given, &large, 1), (64, 5));
        assert!(measured.are_measured() && !given.are_measured());
    }
}
