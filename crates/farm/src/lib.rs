//! Many machines for one question: which jobs there are, who runs them, what was lost and is done again.
//!
//! Verification teams have a scheduler; this crate uses it, and is none. A *farm* is a directory that all machines see:
//!
//! ```text
//! FARM/
//!   plan.json              what is asked, into how many shares it is cut, and who runs jobs
//!   work/STAGE/I-of-N/     the run directory of each job
//!   done/STAGE.I-of-N.json a job that has ended by itself, and how
//!   log/STAGE.I-of-N.log   what it printed
//!   submitted.jsonl        which jobs the scheduler was given, under which names
//!   driver.json            who looks after it
//! ```
//!
//! The plan knows what is in the files that it is about. Where that has changed, the farm begins anew: with the same names, and a number behind them.
//!
//! Stage 0 proves properties and tries what is cheap on all mutants. The following stages are rounds over the shares of what is left; each job reads what all jobs of earlier stages have kept, so that
//! a run or a lemma that one has found helps all others in the next round, and so that a job whose share was lost in one round is made up for in the next. The last stage unites the directories.
//!
//! **Nothing depends on a job being run once.** Whatever a job finds goes into a run directory of its own as it is found, named by content; a job that is killed has lost what it was at, one that runs twice
//! says things twice. All that is asked of the scheduler is to start processes, and to say which of them are still there.
//!
//! **Nothing is concluded from files that cannot be seen.** While the plan is not visible, the file system is away: nobody is lost, nothing is submitted, and nothing is written in its place.

mod drive;
mod files;
mod job;
mod lock;
mod plan;
pub mod scheduler;

pub use drive::{Begun, Farm, State, Watch};
pub use job::{Done, Ending, Job};
pub use plan::{Allowance, Input, Limits, Plan};

use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// What can go wrong with a farm.
#[derive(Debug, Error)]
pub enum FarmError {
    /// A file or directory cannot be read or written.
    #[error("cannot {action} {}: {error}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// What was to be done with it.
        action: &'static str,
        /// Why not.
        error: io::Error,
    },
    /// A file is not what it should be.
    #[error("{}: {why}", path.display())]
    Malformed {
        /// Which one.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The farm was there, and is not any more: its file system may be away.
    #[error("{} is away", path.display())]
    Away {
        /// Where it was.
        path: PathBuf,
    },
    /// The scheduler does not take jobs.
    #[error("{scheduler}: {why}")]
    Scheduler {
        /// Which one.
        scheduler: String,
        /// What it says.
        why: String,
    },
    /// Somebody else looks after the farm.
    #[error("{}: {owner} looks after this farm. End it first, or let it go on", path.display())]
    Busy {
        /// Where it is.
        path: PathBuf,
        /// Who.
        owner: String,
    },
    /// The program that jobs run cannot be started here.
    #[error("cannot run {}: {error}. It is --program of `propcov farm run`, or else propcov itself", path.display())]
    Program {
        /// Which one.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// A job says that it can never be done, or has too little memory where less work is not to be had.
    #[error("{job} cannot be done: {why}")]
    Hopeless {
        /// Which one.
        job: Job,
        /// What it printed.
        why: String,
    },
}
