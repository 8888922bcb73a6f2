//! Evidence about simulation: what shows that a specification simulates an implementation, or a mutant of it, and what shows that it does not.
//!
//! An implementation I and a specification S are [graphs](crate::Graph) over the same propositions. A relation B between their states is a
//! *simulation* if for each pair (w, w′) in it
//!
//! 1. w′ [accepts](crate::Label::accepts) each label of w, and
//! 2. for each successor u of w there is a successor u′ of w′ with (u, u′) in B.
//!
//! S simulates I if each initial state of I is related to an initial state of S by some simulation. A label of I is
//! *covered* by S if S does not simulate the mutant in which it is [flipped](crate::LabelFlip). (Chockler, Kupferman 2002, §2.)

/// A pair of a state of the implementation and a state of the specification.
pub type StatePair = (u32, u32);

/// Shows that S simulates I: a simulation with an initial partner for each initial state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Simulation {
    /// Sorted, and without repetition.
    pub pairs: Vec<StatePair>,
}

/// Shows that S simulates a mutant of I: the difference of a simulation for it from the one for I. So what
/// does not change need not be checked again for each of many mutants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    /// Pairs of the simulation for I that are not in the one for the mutant.
    pub removed: Vec<StatePair>,
    /// Pairs that only the one for the mutant has.
    pub added: Vec<StatePair>,
}

/// Shows that S does not simulate I, or a mutant of it.
///
/// It is a run of the implementation and, behind it, a tree. Along the run, the specification can be in certain states: at first in the initial ones that accept
/// the labels, then in the successors of these that do. All those in which it can be at the end of the run are then refuted. If there are none, the run alone
/// distinguishes the two: a behaviour that the specification does not have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distinction {
    /// States of the implementation, from an initial one along its transitions. Never empty.
    pub run: Vec<u32>,
    /// Why specification states do not simulate implementation states. Each step of an argument rests on earlier ones.
    pub refutations: Vec<Refutation>,
}

/// One node of the tree: w′ does not simulate w, because w has a successor u such that each successor of w′ either does not accept the labels of
/// u or is refuted for u before. (Pairs whose labels do not fit are never listed.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// w and w′.
    pub pair: StatePair,
    /// u.
    pub step: u32,
}
