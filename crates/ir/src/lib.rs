//! What every front end produces, every engine proves things about and every metric edits.
//!
//! The vocabulary of the whole tool lives here: a [`System`] is a word-level synchronous transition system; an
//! [`Element`] is one definition site that a user wrote; an [`Edit`] is what a coverage metric does to an element; a
//! [`Verdict`] is a model checker's answer, and never comes without evidence (a [`Proof`] or a [`Trace`]).
//!
//! This crate does no I/O and links no solver.

mod ctl;
mod decimal;
mod definition;
mod demonstration;
mod digest;
mod edit;
mod element;
mod element_set;
mod evaluate;
mod execution;
mod expr;
mod finding;
mod follow;
mod graph;
mod intern;
mod interpret;
mod kill;
mod lanes;
mod liveness;
mod ltl;
mod meaning;
mod mutant;
mod operator_names;
mod order;
mod print;
mod printable;
mod property;
mod ranged_run;
mod ranges;
mod refinement;
mod replay;
mod roles;
mod scope;
mod search_tree;
mod signal;
mod sort;
mod source;
mod span;
mod state_name;
mod system;
mod trace;
mod value;
mod verdict;
mod wording;
pub mod words;

pub use ctl::{Ctl, Quantifier, ShowCtl};
pub use decimal::decimal;
pub use definition::Definition;
pub use demonstration::{CtlVerdict, Demonstration};
pub use digest::{Digest, Digester, NoDigest};
pub use edit::{Edit, Edits};
pub use element::{Element, ElementId, ElementKind, Parent, Role, Site, Whole, WholeId};
pub use element_set::ElementSet;
pub use evaluate::{EvaluationError, evaluate_binary, evaluate_ternary, evaluate_unary};
pub use execution::{Execution, Way};
pub use expr::{BinaryOp, ExprId, ExprPool, Node, SortError, TernaryOp, UnaryOp};
pub use finding::{Difference, Finding, Status};
pub use follow::{Followed, choices_of, follow, follow_frames};
pub use graph::{Graph, GraphBuilder, Label, LabelFlip};
pub use interpret::{Frame, Interpreter, StepError};
pub use kill::{Kill, KillError, Stimulus};
pub use lanes::{Fault, Lanes, LanesError};
pub use liveness::{Lasso, LivenessProof, LivenessVerdict, Reduction};
pub use ltl::{Ltl, ShowLtl};
pub use meaning::{Meanings, shapes};
pub use mutant::{Mutant, Mutation};
pub use print::{ShowEdits, ShowExpr};
pub use printable::printable;
pub use property::{Fairness, Goal, Property, PropertyId, PropertyKind, Test, TestKind, Tests, Vacuity};
pub use ranged_run::RangedRun;
pub use ranges::{Bounds, Range, range_of_binary, range_of_ternary, range_of_unary};
pub use refinement::{Distinction, Patch, Refutation, Simulation, StatePair};
pub use replay::{ReplayError, ReplayProblem};
pub use roles::roles;
pub use scope::Scope;
pub use search_tree::SearchTree;
pub use signal::{Origin, Signal, SignalId, SignalKind};
pub use sort::{ArraySort, EnumSort, Sort};
pub use source::{Lines, SourceFile, without_mark};
pub use span::{FileId, Region, Span};
pub use system::{
    Constraint, ConstraintId, ConstraintKind, Output, Split, SplitOrigin, System, SystemError, Variants,
};
pub use trace::{Runs, Step, Trace};
pub use value::{ArrayValue, Bits, Value};
pub use verdict::{Invariant, Proof, UnknownReason, Verdict};
pub use wording::Wordings;
pub use words::{BitAlgebra, Unsupported, Word};
