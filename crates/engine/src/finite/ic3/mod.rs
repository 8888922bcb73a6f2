//! IC3: incremental construction of inductive clauses for indubitable correctness.
//!
//! A sequence of frames F_0 = initial, F_1, …, F_k over-approximates the states reachable in at most i steps. While F_k
//! contains a bad state, proof obligations are driven backwards; each is either refuted by a lemma, learnt by
//! generalising the reason why the states have no predecessor in the frame before, or reaches an initial state. Between
//! levels lemmas are pushed forward; when a frame equals its successor, it is an inductive invariant.
//!
//! Departures from Bradley 2011 follow Eén et al. 2011 (delta encoding of frames, obligations re-enqueued one frame later,
//! predecessors generalised before they are blocked), Hassan et al. 2013 (counterexamples to generalisation) and Su et
//! al. 2025 (one solver per frame that decides only in the cone of a query). Predecessors are lifted by an unsatisfiable
//! core, as in Chockler et al. 2011.
//!
//! There are no primed variables. A cube after the step is a set of next-state literals of one copy of the clauses, and each query
//! decides only in the cone of those literals.
//!
//! # References
//! - A. R. Bradley: SAT-based model checking without unrolling. VMCAI 2011.
//! - N. Eén, A. Mishchenko, R. Brayton: Efficient implementation of property directed reachability. FMCAD 2011.
//! - H. Chockler, A. Ivrii, A. Matsliah, S. Moran, Z. Nevo: Incremental formal verification of hardware. FMCAD 2011.
//! - Z. Hassan, A. R. Bradley, F. Somenzi: Better generalization in IC3. FMCAD 2013.
//! - Y. Su, Q. Yang, Y. Ci, T. Bu, Z. Huang: The rIC3 hardware model checker. CAV 2025.

mod block;
mod consecution;
mod cube;
mod family;
mod frames;
mod generalise;
mod initial;
mod lift;
mod model;
mod obligation;
mod propagate;
mod suite;
mod warm;

use crate::finite::{Answer, Lemmas, Problem};
use crate::limits::{Limits, Observer, Stats};
pub use consecution::{Consecution, Exhausted};
use cube::Cube;
pub use family::{Family, run_family};
use frames::Frames;
use initial::Initial;
use lift::Lifter;
use model::Model;
use obligation::Obligations;
use propcov_budget::Budget;
use propcov_ir::UnknownReason;
use propcov_sat::{Lit, Var};
use propcov_solve::{Bit, BitTrace};
pub(crate) use suite::run_suite;

/// How IC3 works.
#[derive(Clone, Debug)]
pub struct Config {
    /// Seed of the solvers' decisions.
    pub seed: u64,
    /// Counterexamples to generalisation are blocked after this many obligations. Such lemmas cost several times as much as
    /// plain ones and pay off only where plain ones do not converge. Tried once each on a dozen models of the competition, at
    /// 10 s: from the start and after 30, 150 or 1000 in one level (each loses some models), after 300, 800 or 2000 in all. None
    /// was best throughout; the default lies between the last two and was not itself part of that comparison.
    pub ctg_after: u64,
    /// How many counterexamples to generalisation are blocked per dropped literal.
    pub ctg_limit: u32,
    /// How deep blocking a counterexample to generalisation may nest.
    pub ctg_depth: u32,
    /// Lemmas to start from, over latch variables of the problem's template. They need not hold.
    pub warm: Vec<Vec<Lit>>,
}

impl Default for Config {
    fn default() -> Config {
        Config { seed: 0, ctg_after: 1500, ctg_limit: 3, ctg_depth: 1, warm: Vec::new() }
    }
}

/// What a run leaves behind, whatever its answer: lemmas to warm-start another run.
#[derive(Clone, Debug, Default)]
pub struct Leftovers {
    /// Lemmas by frame: the clauses in position i hold in all states reachable within i steps (those in later positions too).
    pub frames: Vec<Vec<Vec<Lit>>>,
}

/// Stops the search: the answer is known or the budget is used up.
pub(crate) enum Stop {
    /// A run into a bad state, and which selector is on in it.
    Counterexample(BitTrace, Option<usize>),
    /// Out of budget.
    Exhausted,
    /// The property that is looked at takes too much, and there are others.
    Postponed,
    /// A state is initial, but only with inputs other than those that lead from it to a violation: frames, which are
    /// sets of states, cannot tell.
    InitialInputs,
}

/// Either a value, or the search is over.
pub(crate) type Search<T> = Result<T, Stop>;

pub(crate) struct Ic3<'p> {
    problem: &'p Problem<'p>,
    model: Model<'p>,
    limits: &'p Limits,
    config: &'p Config,
    frames: Frames,
    initial: Initial,
    lifter: Lifter,
    obligations: Obligations,
    /// How often each variable was part of a lemma, decaying: literals of low activity are dropped first.
    activity: Vec<f64>,
    activity_step: f64,
    /// The netlist's bits of the model's selectors.
    selector_bits: Vec<Bit>,
    warmed_up: bool,
    /// The properties that are not refuted, and which of them is being looked at: those before it have no bad state in the highest frame. Between levels it is none.
    open: Vec<usize>,
    suspect: usize,
    /// What was spent on each property, and what the counter showed when the suspect became one: while there are several, none may take too much.
    spent: Vec<u64>,
    suspect_since: u64,
    /// Obligations tackled so far.
    blocked: u64,
    stats: Stats,
}

/// Decides the problem by IC3.
pub fn run(
    problem: &Problem<'_>,
    config: &Config,
    limits: &Limits,
    observer: &dyn Observer,
    stats: &mut Stats,
) -> (Answer, Leftovers) {
    let mut ic3 = Ic3::new(problem, config, limits, &[]);
    let answer = match ic3.search(observer) {
        Ok(answer) => answer,
        Err(Stop::Counterexample(trace, _)) => Answer::Falsified(trace),
        Err(stop) => stop.unknown(limits),
    };
    ic3.finish(answer, stats)
}

impl Stop {
    /// Why there is no answer.
    fn unknown(&self, limits: &Limits) -> Answer {
        Answer::Unknown(match self {
            Stop::InitialInputs => {
                let why = "IC3 needs initial states that do not depend on inputs";
                UnknownReason::Incomplete(why.to_owned())
            }
            Stop::Counterexample(..) | Stop::Exhausted | Stop::Postponed => limits.reason(),
        })
    }
}

impl<'p> Ic3<'p> {
    fn new(problem: &'p Problem<'p>, config: &'p Config, limits: &'p Limits, selectors: &[Bit]) -> Ic3<'p> {
        let variables: Vec<Var> =
            selectors.iter().map(|selector| problem.template.literal(*selector).var()).collect();
        let model = Model::new(problem, &variables);
        Ic3 {
            problem,
            selector_bits: selectors.to_vec(),
            warmed_up: false,
            open: (0..model.bads.len()).collect(),
            suspect: 0,
            spent: vec![0; model.bads.len()],
            suspect_since: 0,
            limits,
            config,
            frames: Frames::new(&model, config.seed),
            initial: Initial::new(&model, config.seed),
            lifter: Lifter::new(&model, config.seed),
            obligations: Obligations::default(),
            activity: vec![0.0; model.template.variables],
            activity_step: 1.0,
            blocked: 0,
            stats: Stats::default(),
            model,
        }
    }

    fn search(&mut self, observer: &dyn Observer) -> Search<Answer> {
        if !self.warmed_up {
            self.warm_start()?;
            self.warmed_up = true;
        }
        loop {
            let level = self.frames.level();
            observer.progress("ic3", level as u32);
            self.block_all_bad()?;
            self.stats.clear(level as u32);
            if self.limits.depth.is_some_and(|depth| level as u32 >= depth) {
                return Ok(Answer::Unknown(UnknownReason::Bounded(level as u32)));
            }
            self.frames.extend();
            if let Some(frame) = self.propagate()? {
                let lemmas = Lemmas::Clauses(self.frames.invariant(frame));
                return Ok(Answer::Proved { lemmas, k: 1, simple_path: false });
            }
        }
    }

    /// The answer, with what the run leaves behind.
    fn finish(mut self, answer: Answer, stats: &mut Stats) -> (Answer, Leftovers) {
        let leftovers = Leftovers { frames: self.frames.lemmas_by_frame() };
        self.stats.ticks = self.ticks();
        self.stats.count("ic3 frames", self.frames.level() as u64);
        self.stats.count("ic3 lemmas", leftovers.frames.iter().map(|lemmas| lemmas.len() as u64).sum());
        stats.merge(&self.stats);
        stats.frames = Some(self.frames.level() as u32);
        (answer, leftovers)
    }

    /// Work so far: the same on every machine.
    fn ticks(&self) -> u64 {
        self.frames.ticks() + self.initial.ticks() + self.lifter.ticks()
    }

    /// Fails when the budget is used up.
    fn check_budget(&self) -> Search<()> {
        if self.is_exhausted() {
            return Err(Stop::Exhausted);
        }
        if self.open.len() > 1 && self.is_patience_over() {
            return Err(Stop::Postponed);
        }
        Ok(())
    }

    /// What one query may still use up.
    fn budget(&self) -> Budget {
        // Counting conflicts walks over all frames: only where it matters.
        let spent = if self.limits.conflicts.is_some() { self.frames.conflicts() } else { 0 };
        match self.open.len() {
            0 | 1 => self.limits.budget(spent),
            _ => self.limits.brief_budget(spent, self.limits.patience()),
        }
    }

    /// Literals of a cube in the order in which to try without them: least active first.
    fn by_activity(&self, cube: &Cube) -> Vec<Lit> {
        let mut literals = cube.literals().to_vec();
        let activity = |literal: &Lit| self.activity[literal.var().index()];
        literals.sort_by(|a, b| activity(a).total_cmp(&activity(b)).then(a.cmp(b)));
        literals
    }

    fn bump(&mut self, cube: &Cube) {
        self.activity_step /= 0.99;
        for literal in cube.literals() {
            self.activity[literal.var().index()] += self.activity_step;
        }
        if self.activity_step > 1e100 {
            self.activity.iter_mut().for_each(|activity| *activity *= 1e-100);
            self.activity_step *= 1e-100;
        }
    }
}
