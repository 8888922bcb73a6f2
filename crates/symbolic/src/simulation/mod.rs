//! Whether a specification simulates an implementation, and which labels of the implementation it covers, by decision diagrams.
//!
//! Chockler and Kupferman, "Coverage of implementations by simulating specifications" (2002), §4. A mutant is one state of the implementation in which one proposition
//! has its other value; it is covered if the specification does not simulate it. All mutants of a proposition are decided together, so their number
//! may pass any that could be listed.
//!
//! The way down: [`Source`] is a system or an explicit graph. `source` prepares each by itself, `listed` is the binary encoding of graphs; `order` and
//! `transfer` bring both into one manager, where `half` is one model, and `joint` has both. `product` finds the pairs of states that matter, `greatest` the simulations, and `coverage` puts
//! these together.
//!
//! The paper suggests to put the number of the proposition into the mutant, for vectors of mutants of several propositions. Here each proposition has a fixed point of its
//! own: it can then start from a similarity that leaves only that proposition open, and diagrams need not be large for all propositions at once.

mod coverage;
mod greatest;
mod half;
mod joint;
mod listed;
mod order;
mod product;
mod size;
mod source;
pub(crate) mod transfer;

pub use coverage::{Mutants, StateOf, SymbolicCoverage};
pub use order::Side;
pub use source::Source;

use joint::Joint;
use propcov_bdd::{Bdd, Stop};
use propcov_budget::Budget;
use propcov_ir::{Trace, UnknownReason};
use source::Prepared;
use std::fmt;
use std::time::Instant;

/// How to work.
#[derive(Clone, Debug)]
pub struct SymbolicOptions {
    /// Variables are reordered once there are this many nodes, and then whenever there are twice as many as after the last
    /// time. `None`: never.
    pub reorder_at: Option<usize>,
    /// Parts of the transition relations are conjoined up to this many nodes.
    pub cluster: usize,
    /// A transition relation is kept as one function if it has at most this many nodes, and otherwise in parts.
    pub largest_relation: usize,
    /// The pairs of states that both models reach together are used if they have at most this many nodes, and otherwise all pairs.
    pub largest_product: usize,
    /// More nodes than this are not made in either of the managers: then there is no answer.
    pub most_nodes: usize,
    /// Whether states without successor get a loop.
    pub complete: bool,
}

impl Default for SymbolicOptions {
    fn default() -> SymbolicOptions {
        SymbolicOptions {
            reorder_at: Some(1 << 13),
            cluster: 1000,
            largest_relation: 50_000,
            largest_product: 500_000,
            most_nodes: 50_000_000,
            complete: false,
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefinementError {
    /// Something in a model has no representation as bits.
    #[error("the {0}: {1}")]
    Unsupported(Side, String),
    /// A model has no behaviour at all, so that any question about it would be answered by nothing.
    #[error("the {0} has no initial state")]
    NoInitialState(Side),
    /// A proposition reads inputs, or was not announced: it is none of states.
    #[error("a proposition of the {side} reads inputs")]
    Inputs {
        /// Of which model.
        side: Side,
        /// The number of the proposition.
        proposition: usize,
    },
    /// What was asked for does not fit the models: numbers of propositions, or a set of mutants.
    #[error("{0}")]
    Malformed(String),
    /// The budget was used up.
    #[error("{0}")]
    Stop(#[from] Stop),
}

impl From<RefinementError> for UnknownReason {
    fn from(error: RefinementError) -> UnknownReason {
        match error {
            RefinementError::Stop(Stop::Cancelled) => UnknownReason::Cancelled,
            RefinementError::Stop(Stop::Timeout) => UnknownReason::Timeout,
            RefinementError::Stop(Stop::Memory) => UnknownReason::Memory,
            RefinementError::Stop(Stop::Nodes(limit)) => {
                UnknownReason::Incomplete(format!("more than {limit} decision diagram nodes"))
            }
            other => UnknownReason::Unsupported(other.to_string()),
        }
    }
}

/// What is being computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The reachable states of one model.
    Reachability(Side),
    /// The pairs of states that both reach together.
    Product,
    /// Simulation of the implementation as it is.
    Simulation,
    /// Similarity where one proposition is left open.
    Incomplete,
    /// Simulation of all mutants.
    Mutants,
}

/// Who wants to know how far it is.
pub trait Progress {
    /// So many rounds of a phase are complete.
    fn rounds(&self, phase: Phase, count: usize);
}

impl Progress for crate::Silent {
    fn rounds(&self, _: Phase, _: usize) {}
}

/// What it took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SymbolicStats {
    /// Variables of the diagrams that both models share.
    pub variables: usize,
    /// Nodes there now.
    pub nodes: usize,
    /// The most nodes there ever were.
    pub peak_nodes: usize,
    /// How often variables were reordered.
    pub reorderings: u64,
    /// Rounds of searches for pairs that are reached together.
    pub product_rounds: u64,
    /// Rounds of binary fixed points.
    pub binary_rounds: u64,
    /// Rounds of ternary fixed points.
    pub ternary_rounds: u64,
    /// Seconds to read both models and find their reachable states.
    pub reachability_seconds: f64,
    /// Seconds for pairs that are reached together.
    pub product_seconds: f64,
    /// Seconds for binary fixed points.
    pub binary_seconds: f64,
    /// Seconds for ternary fixed points.
    pub ternary_seconds: f64,
}

/// A state of the implementation that no state of the specification simulates in which the specification may be at the same time. After each run of the implementation that leads
/// there, the specification has no way to go on like that; if the state is initial, there may be one that is not initial.
#[derive(Clone, Debug)]
pub struct Unsimulated {
    /// The one that the run ends in, or else the first that was found.
    pub state: String,
    /// A shortest run of a system to one of them. Graphs have none.
    pub run: Option<Trace>,
}

/// An implementation and a specification.
pub struct SymbolicRefinement<'a> {
    implementation: Prepared<'a>,
    specification: Prepared<'a>,
    joint: Joint,
    dead_end: Option<(Side, String)>,
    /// States of the implementation without partner, once simulation was asked for.
    lonely: Option<Bdd>,
    largest_product: usize,
    progress: &'a dyn Progress,
    stats: SymbolicStats,
}

impl<'a> SymbolicRefinement<'a> {
    /// Reads both models, which have the same propositions in the same order, and finds their reachable states.
    ///
    /// # Errors
    /// When the budget does not suffice, a model has no initial state, or something has no representation.
    pub fn new(
        implementation: Source<'a>,
        specification: Source<'a>,
        options: &SymbolicOptions,
        budget: &Budget,
        progress: &'a dyn Progress,
    ) -> Result<SymbolicRefinement<'a>, RefinementError> {
        let start = Instant::now();
        let prepared = |source, side| {
            let mut listen = |count| progress.rounds(Phase::Reachability(side), count);
            Prepared::new(source, side, options, budget, &mut listen)
        };
        let mut implementation = prepared(implementation, Side::Implementation)?;
        let mut specification = prepared(specification, Side::Specification)?;
        let joint = Joint::new(&mut implementation, &mut specification, options, budget.clone())?;
        let counts = [&joint.implementation, &joint.specification].map(|half| half.labels.len());
        if counts[0] != counts[1] {
            return Err(RefinementError::Malformed(format!(
                "the models have {} and {} propositions",
                counts[0], counts[1]
            )));
        }
        let stats =
            SymbolicStats { reachability_seconds: start.elapsed().as_secs_f64(), ..SymbolicStats::default() };
        let mut refinement = SymbolicRefinement {
            implementation,
            specification,
            joint,
            dead_end: None,
            lonely: None,
            largest_product: options.largest_product,
            progress,
            stats,
        };
        if !options.complete {
            refinement.dead_end = refinement.find_dead_end()?;
        }
        Ok(refinement)
    }

    /// A reachable state without successor, if there is one and such states do not get loops. The answers below mean little then: simulation is
    /// about models that go on for ever.
    pub fn dead_end(&self) -> Option<&(Side, String)> {
        self.dead_end.as_ref()
    }

    fn find_dead_end(&self) -> Result<Option<(Side, String)>, RefinementError> {
        for side in [Side::Implementation, Side::Specification] {
            let half = match side {
                Side::Implementation => &self.joint.implementation,
                Side::Specification => &self.joint.specification,
            };
            if let Some(name) = self.names(side, &half.dead, 1)?.pop() {
                return Ok(Some((side, name)));
            }
        }
        Ok(None)
    }

    /// Whether the specification simulates the implementation.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn simulates(&mut self) -> Result<bool, RefinementError> {
        let pairs = self.reached_together(None)?;
        let all = self.joint.manager.constant(true);
        let start = Instant::now();
        let (progress, mut rounds) = (self.progress, 0);
        let mut listen = |count| {
            rounds += 1;
            progress.rounds(Phase::Simulation, count);
        };
        let found = self.joint.greatest(&pairs, &all, &mut listen);
        self.stats.binary_rounds += rounds;
        self.stats.binary_seconds += start.elapsed().as_secs_f64();
        let found = found?;
        self.lonely = Some(found.lonely);
        Ok(found.simulated.is_true())
    }

    /// Why the specification does not simulate the implementation; `None` if it does.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn unsimulated(&mut self, budget: &Budget) -> Result<Option<Unsimulated>, RefinementError> {
        if self.lonely.is_none() {
            self.simulates()?;
        }
        let Some(lonely) = self.lonely.clone() else { return Ok(None) };
        let run = match self.in_own_manager(&lonely)? {
            Some(states) => self.run_into(&states, budget)?,
            None => None,
        };
        let state = match self.end_of(run.as_ref())? {
            Some(end) => Some(end),
            None => self.names(Side::Implementation, &lonely, 1)?.pop(),
        };
        Ok(state.map(|state| Unsimulated { state, run }))
    }

    /// The state that a run of the implementation ends in, if that is a system.
    fn end_of(&self, run: Option<&Trace>) -> Result<Option<String>, RefinementError> {
        let (Some(run), Prepared::System(built)) = (run, &self.implementation) else { return Ok(None) };
        let last = run.steps.last();
        let Some(bits) = last.and_then(|step| built.evaluator.bits(&built.system, &step.states)) else {
            return Ok(None);
        };
        Ok(built.names(&built.evaluator.model.singleton(&bits)?, 1)?.pop())
    }

    /// From now on work stops when this is exhausted, whatever was said before.
    pub fn set_budget(&mut self, budget: &Budget) {
        self.joint.manager.set_budget(budget.clone());
        for prepared in [&self.implementation, &self.specification] {
            if let Prepared::System(built) = prepared {
                built.evaluator.model.manager.set_budget(budget.clone());
            }
        }
    }

    /// What it took so far.
    pub fn stats(&self) -> SymbolicStats {
        let stats = self.joint.manager.stats();
        SymbolicStats {
            variables: self.joint.manager.variable_count(),
            nodes: stats.nodes,
            peak_nodes: stats.peak_nodes,
            reorderings: stats.reorderings,
            ..self.stats.clone()
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Side::Implementation => write!(f, "implementation"),
            Side::Specification => write!(f, "specification"),
        }
    }
}
