//! What a run of `propcov refine` found out, whichever algorithm did.

use crate::cover::states::share::Share;
use crate::exit::ExitCode;
use crate::refine::explicit::Explicit;
use crate::refine::reading::Models;
use dashu_int::UBig;
use propcov_coverage::refine::Stats;
use propcov_symbolic::simulation::Unsimulated;
use std::rc::Rc;

/// Everything that was found out.
pub(crate) struct Results {
    pub(crate) models: Rc<Models>,
    pub(crate) implementation: Size,
    pub(crate) specification: Size,
    /// The algorithm, as users type it.
    pub(crate) algorithm: &'static str,
    pub(crate) verdict: Verdict,
    /// Each observed proposition; none unless the specification simulates the implementation.
    pub(crate) rows: Vec<Row>,
    /// A state that nothing in the specification simulates, as diagrams know it.
    pub(crate) unsimulated: Option<Unsimulated>,
    /// What there is where states were listed.
    pub(crate) explicit: Option<Box<Explicit>>,
    /// What could not be drawn or explained, and why.
    pub(crate) notes: Vec<String>,
    /// The least share that has to be covered, in percent.
    pub(crate) threshold: Option<f64>,
    pub(crate) seed: u64,
    pub(crate) times: Times,
    pub(crate) work: Work,
    /// Other figures that `--stats` shows, by name.
    pub(crate) figures: Vec<(&'static str, u64)>,
    pub(crate) internal_errors: Vec<String>,
    /// What was asked for and is not there, and why.
    pub(crate) unfinished: Vec<String>,
}

/// How large a model is. Numbers of states pass what a number can hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct Size {
    pub(crate) states: Option<UBig>,
    pub(crate) transitions: Option<UBig>,
    pub(crate) initial: Option<UBig>,
}

/// Does the specification simulate the implementation?
pub(crate) enum Verdict {
    Yes { certified: bool },
    No { certified: bool },
    Unknown(String),
}

/// What it took to go from state to state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    /// To see whether the specification simulates the implementation.
    pub(crate) simulation: Stats,
    pub(crate) coverage: Stats,
    pub(crate) criteria: Stats,
}

impl Work {
    pub(crate) fn together(&self) -> Stats {
        let mut all = self.simulation.clone();
        all.add(&self.coverage);
        all.add(&self.criteria);
        all
    }
}

/// Seconds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Times {
    pub(crate) reading: f64,
    pub(crate) simulation: f64,
    pub(crate) coverage: f64,
    pub(crate) criteria: f64,
    pub(crate) total: f64,
}

/// The labels of one proposition. Unreachable ones are counted apart: nothing can cover them.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) proposition: String,
    pub(crate) covered: UBig,
    pub(crate) uncovered: UBig,
    pub(crate) unknown: UBig,
    pub(crate) unreachable: UBig,
    /// Whether separate code has confirmed it.
    pub(crate) certified: bool,
    /// Where labels are not covered, as far as that is listed.
    pub(crate) holes: Vec<Hole>,
    /// How many are in none of these.
    pub(crate) rest: UBig,
    /// Why something is not known.
    pub(crate) reason: Option<String>,
}

/// One state, or several, where a label is not covered.
#[derive(Clone, Debug)]
pub(crate) struct Hole {
    /// The state's name, or a condition.
    pub(crate) states: String,
    /// The label, and others of the state.
    pub(crate) labels: String,
    pub(crate) count: UBig,
}

impl Row {
    /// Nothing yet.
    pub(crate) fn new(proposition: &str) -> Row {
        Row {
            proposition: proposition.to_owned(),
            covered: UBig::ZERO,
            uncovered: UBig::ZERO,
            unknown: UBig::ZERO,
            unreachable: UBig::ZERO,
            certified: true,
            holes: Vec::new(),
            rest: UBig::ZERO,
            reason: None,
        }
    }

    /// Labels that could be covered.
    pub(crate) fn total(&self) -> UBig {
        &self.covered + &self.uncovered + &self.unknown
    }

    pub(crate) fn share(&self) -> Share {
        Share { low: self.covered.clone(), high: &self.covered + &self.unknown, total: self.total() }
    }
}

impl Results {
    /// All propositions together.
    pub(crate) fn together(&self) -> Row {
        let mut all = Row::new("all");
        for row in &self.rows {
            all.covered += &row.covered;
            all.uncovered += &row.uncovered;
            all.unknown += &row.unknown;
            all.unreachable += &row.unreachable;
            all.certified &= row.certified;
        }
        all
    }

    /// How the run ended.
    pub(crate) fn exit_code(&self) -> ExitCode {
        let mut code = match self.verdict {
            Verdict::Yes { .. } => ExitCode::Good,
            Verdict::No { .. } => ExitCode::Failed,
            Verdict::Unknown(_) => ExitCode::Undecided,
        };
        if matches!(self.verdict, Verdict::Yes { .. }) {
            let all = self.together();
            let is_incomplete = all.unknown > UBig::ZERO || self.rows.iter().any(|row| row.reason.is_some());
            if is_incomplete {
                code = code.and(ExitCode::Undecided);
            }
            if self.threshold.is_some_and(|threshold| all.share().is_below(threshold)) {
                code = code.and(ExitCode::BelowThreshold);
            }
        }
        if !self.unfinished.is_empty() {
            code = code.and(ExitCode::Undecided);
        }
        if !self.internal_errors.is_empty() {
            code = code.and(ExitCode::Internal);
        }
        code
    }
}
