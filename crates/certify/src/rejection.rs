//! Why evidence was not accepted.

use propcov_ir::{ElementSet, ExprId, SignalId};
use std::fmt;
use thiserror::Error;

/// Why a proof or a trace was not accepted. Whoever gets one has no verdict.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Rejection {
    /// Some run violates a part of the claim within the steps that initiation covers.
    #[error("initiation fails: {claim} does not hold in step {step} of every run\n{counterexample}")]
    Initiation {
        /// The part of the claim.
        claim: Claim,
        /// The step that violates it.
        step: u32,
        /// A run prefix that ends in that step.
        counterexample: Counterexample,
    },
    /// Steps that satisfy the claim are followed by one that does not.
    #[error("consecution fails: {claim} does not follow\n{counterexample}")]
    Consecution {
        /// The part of the claim.
        claim: Claim,
        /// The steps; the last one violates the claim.
        counterexample: Counterexample,
    },
    /// The claim has no meaning for this system.
    #[error("malformed claim: {0}")]
    Malformed(String),
    /// The checker cannot represent something in the system.
    #[error("cannot be checked: {0}")]
    Unsupported(String),
    /// The trace is no run of the system, or does not end in a violation.
    #[error("trace rejected: {0}")]
    Trace(String),
    /// The relation is no simulation, or does not relate initial states to initial ones.
    #[error("simulation rejected: {0}")]
    Simulation(String),
    /// The run and the refutations do not show that there is no simulation.
    #[error("distinction rejected: {0}")]
    Distinction(String),
    /// Sets of states and ranks do not show what is claimed.
    #[error("sets of states rejected: {0}")]
    Labels(String),
    /// There is more to list than was allowed.
    #[error("too large: {0}")]
    TooLarge(String),
    /// Nothing certified says what a claim says, or implies, of this set of elements.
    #[error("not established for the set of elements {}", show(.0))]
    Unexplored(ElementSet),
    /// An argument of the arithmetic solver was not accepted: a bug in it, or here.
    #[error("the arithmetic solver's argument was not accepted: {0}")]
    Solver(String),
    /// The budget ran out before all conditions were established.
    #[error("undecided within the budget")]
    Undecided,
}

/// One conjunct of what a proof claims to be inductive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The property itself.
    Property,
    /// The lemma at this position in the invariant.
    Lemma(usize),
}

/// Steps that refute a claim, as the solver's model has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counterexample {
    /// For each step the inputs and states that matter, by name, in the system's order. A finite value is written most
    /// significant bit first; a bit that the model leaves open is `x`. Numbers are written as such, functions and large arrays are left out.
    pub steps: Vec<Vec<(String, String)>>,
}

/// How many signals of one step, or elements of a set, an error message shows.
const SHOWN: usize = 24;

fn show(set: &ElementSet) -> String {
    let shown: Vec<String> = set.iter().take(SHOWN).map(|element| element.0.to_string()).collect();
    let more = if set.len() > SHOWN { format!(" and {} more", set.len() - SHOWN) } else { String::new() };
    format!("{{{}{more}}}", shown.join(", "))
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Property => write!(f, "the property"),
            Claim::Lemma(position) => write!(f, "lemma {position}"),
        }
    }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (step, values) in self.steps.iter().enumerate() {
            write!(f, "  step {step}:")?;
            values.iter().take(SHOWN).try_for_each(|(name, value)| write!(f, " {name}={value}"))?;
            if values.len() > SHOWN {
                write!(f, " and {} more", values.len() - SHOWN)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl Rejection {
    /// An operator whose operands do not fit it.
    pub(crate) fn operands(operator: impl fmt::Debug) -> Rejection {
        Rejection::Malformed(format!("operands of {operator:?} do not fit it"))
    }

    /// An expression that its pool does not have, or that comes before its own operands.
    pub(crate) fn no_such_expression(expr: ExprId) -> Rejection {
        Rejection::Malformed(format!("no expression {}", expr.0))
    }

    /// A signal that the system does not have.
    pub(crate) fn no_such_signal(signal: SignalId) -> Rejection {
        Rejection::Malformed(format!("no signal {}", signal.0))
    }
}
