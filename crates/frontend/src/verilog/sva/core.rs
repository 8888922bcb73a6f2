//! The few forms that all others are derived from, each stored once.
//!
//! A sequence is a regular expression over ticks. A property is in negation normal form: negation is pushed down to Booleans, which every operator allows
//! because it has a dual. What is left of a sequence or property after some ticks is again one of these, so that they are the states of all automata.
//!
//! # References
//! IEEE 1800-2023, Annex F. V. Antimirov, *Partial derivatives of regular expressions and finite automaton constructions*, TCS 155, 1996.

use super::syntax::{Abort, Boolean, Times};
use super::{Problem, limits};
use rustc_hash::FxHashMap;

/// A sequence of the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct SeqId(u32);

/// A property of the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct PropId(u32);

/// A sequence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Seq {
    /// The word without ticks.
    Empty,
    /// One tick.
    Is(Boolean),
    /// One after the other (`##1`).
    Concat(SeqId, SeqId),
    /// The last tick of the one is the first of the other (`##0`).
    Fuse(SeqId, SeqId),
    Or(SeqId, SeqId),
    /// Both from the same tick on; it ends with the longer one.
    And(SeqId, SeqId),
    /// Both on the same ticks.
    Intersect(SeqId, SeqId),
    /// A sequence during which something holds.
    Throughout(Boolean, SeqId),
    Repeat(SeqId, Times),
    /// Any of these, and no longer than the first match.
    FirstMatch(Vec<SeqId>),
}

/// A property.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Prop {
    Const(bool),
    And(PropId, PropId),
    Or(PropId, PropId),
    /// Some beginning matches. Weak: or may still match.
    Match {
        seq: SeqId,
        strong: bool,
    },
    /// No beginning matches, and in the end none can any more: the dual of a weak match.
    Dies(SeqId),
    /// After every match the property holds, from the last tick of the match on.
    Suffix(SeqId, PropId),
    /// After some match: the dual.
    Exists(SeqId, PropId),
    Next(PropId),
    /// The second, or for ever the first, until the second. Strong: the second comes.
    Until {
        left: PropId,
        right: PropId,
        strong: bool,
    },
    Abort(Abort, Boolean, PropId),
    /// True; whoever builds a monitor wants to know when this is reached.
    Mark(u32),
}

/// All sequences and properties.
#[derive(Debug, Default)]
pub(super) struct Pool {
    seqs: Vec<Seq>,
    seq_ids: FxHashMap<Seq, SeqId>,
    props: Vec<Prop>,
    prop_ids: FxHashMap<Prop, PropId>,
    negations: FxHashMap<PropId, PropId>,
    /// How much was looked at.
    pub(super) work: usize,
    pub(super) facts: super::linear::Facts,
}

impl Pool {
    pub(super) fn seq(&self, id: SeqId) -> &Seq {
        &self.seqs[id.0 as usize]
    }

    pub(super) fn prop(&self, id: PropId) -> &Prop {
        &self.props[id.0 as usize]
    }

    fn add_seq(&mut self, seq: Seq) -> SeqId {
        if let Some(known) = self.seq_ids.get(&seq) {
            return *known;
        }
        let id = SeqId(self.seqs.len() as u32);
        self.seqs.push(seq.clone());
        self.seq_ids.insert(seq, id);
        id
    }

    pub(super) fn add_prop(&mut self, prop: Prop) -> PropId {
        if let Some(known) = self.prop_ids.get(&prop) {
            return *known;
        }
        let id = PropId(self.props.len() as u32);
        self.props.push(prop.clone());
        self.prop_ids.insert(prop, id);
        id
    }

    // Sequences.

    pub(super) fn empty(&mut self) -> SeqId {
        self.add_seq(Seq::Empty)
    }

    pub(super) fn is(&mut self, boolean: Boolean) -> SeqId {
        self.add_seq(Seq::Is(boolean))
    }

    /// One after the other. To the right in chains, so that what is left of one is found again.
    pub(super) fn concat(&mut self, left: SeqId, right: SeqId) -> SeqId {
        match (self.seq(left).clone(), self.seq(right)) {
            (Seq::Empty, _) => right,
            (_, Seq::Empty) => left,
            (Seq::Concat(first, second), _) => {
                let rest = self.concat(second, right);
                self.add_seq(Seq::Concat(first, rest))
            }
            _ => self.add_seq(Seq::Concat(left, right)),
        }
    }

    pub(super) fn fuse(&mut self, left: SeqId, right: SeqId) -> SeqId {
        self.add_seq(Seq::Fuse(left, right))
    }

    pub(super) fn seq_or(&mut self, left: SeqId, right: SeqId) -> SeqId {
        if left == right { left } else { self.add_seq(Seq::Or(left, right)) }
    }

    pub(super) fn seq_and(&mut self, left: SeqId, right: SeqId) -> SeqId {
        self.add_seq(Seq::And(left, right))
    }

    pub(super) fn intersect(&mut self, left: SeqId, right: SeqId) -> SeqId {
        if left == right { left } else { self.add_seq(Seq::Intersect(left, right)) }
    }

    pub(super) fn throughout(&mut self, during: Boolean, seq: SeqId) -> SeqId {
        match self.seq(seq) {
            _ if during == Boolean::Const(true) => seq,
            Seq::Empty => seq,
            _ => self.add_seq(Seq::Throughout(during, seq)),
        }
    }

    pub(super) fn repeat(&mut self, seq: SeqId, times: Times) -> SeqId {
        match (times, self.seq(seq)) {
            (Times { max: Some(0), .. }, _) => self.empty(),
            (Times { min: 1, max: Some(1) }, _) | (_, Seq::Empty) => seq,
            _ => self.add_seq(Seq::Repeat(seq, times)),
        }
    }

    pub(super) fn first_match(&mut self, mut seqs: Vec<SeqId>) -> SeqId {
        seqs.sort_unstable();
        seqs.dedup();
        self.add_seq(Seq::FirstMatch(seqs))
    }

    // Properties.

    pub(super) fn truth(&mut self, value: bool) -> PropId {
        self.add_prop(Prop::Const(value))
    }

    pub(super) fn and(&mut self, left: PropId, right: PropId) -> PropId {
        if left == right { left } else { self.add_prop(Prop::And(left, right)) }
    }

    pub(super) fn or(&mut self, left: PropId, right: PropId) -> PropId {
        if left == right { left } else { self.add_prop(Prop::Or(left, right)) }
    }

    /// A property that begins so many ticks later.
    pub(super) fn later(&mut self, ticks: u32, mut prop: PropId) -> PropId {
        for _ in 0..ticks {
            prop = self.add_prop(Prop::Next(prop));
            // From the inside outwards, so that nobody has to go all the way in at once.
            if ticks > 1 {
                self.negated(prop);
            }
        }
        prop
    }

    /// The opposite of a property. It is remembered, because parts are shared.
    pub(super) fn negated(&mut self, prop: PropId) -> PropId {
        if let Some(known) = self.negations.get(&prop) {
            return *known;
        }
        let opposite = self.new_negated(prop);
        self.negations.insert(prop, opposite);
        opposite
    }

    fn new_negated(&mut self, prop: PropId) -> PropId {
        match self.prop(prop).clone() {
            Prop::Const(value) => self.truth(!value),
            Prop::And(left, right) => {
                let (left, right) = (self.negated(left), self.negated(right));
                self.or(left, right)
            }
            Prop::Or(left, right) => {
                let (left, right) = (self.negated(left), self.negated(right));
                self.and(left, right)
            }
            Prop::Match { seq, strong: true } => {
                let never = self.truth(false);
                self.add_prop(Prop::Suffix(seq, never))
            }
            Prop::Match { seq, strong: false } => self.add_prop(Prop::Dies(seq)),
            Prop::Dies(seq) => self.add_prop(Prop::Match { seq, strong: false }),
            Prop::Suffix(seq, after) => {
                let after = self.negated(after);
                self.add_prop(Prop::Exists(seq, after))
            }
            Prop::Exists(seq, after) => {
                let after = self.negated(after);
                self.add_prop(Prop::Suffix(seq, after))
            }
            Prop::Next(inner) => {
                let inner = self.negated(inner);
                self.add_prop(Prop::Next(inner))
            }
            Prop::Until { left, right, strong } => {
                let (left, right) = (self.negated(left), self.negated(right));
                let both = self.and(left, right);
                self.add_prop(Prop::Until { left: right, right: both, strong: !strong })
            }
            Prop::Abort(abort, condition, inner) => {
                let inner = self.negated(inner);
                let abort = match abort {
                    Abort::Accept => Abort::Reject,
                    Abort::Reject => Abort::Accept,
                };
                self.add_prop(Prop::Abort(abort, condition, inner))
            }
            Prop::Mark(_) => self.truth(false),
        }
    }

    /// Counts what is looked at: properties may be small, and what becomes of them exponential.
    pub(super) fn spend(&mut self, work: usize) -> Result<(), Problem> {
        self.work += work;
        let is_too_much = self.work > limits::WORK || self.seqs.len() + self.props.len() > limits::NODES;
        if is_too_much { Err(Problem::States) } else { Ok(()) }
    }

    /// Whether nobody may stay with this for ever: something has to come.
    pub(super) fn is_strong(&self, prop: PropId) -> bool {
        match self.prop(prop) {
            Prop::Match { strong, .. } | Prop::Until { strong, .. } => *strong,
            Prop::Dies(_) | Prop::Exists(..) => true,
            Prop::Abort(_, _, inner) => self.is_strong(*inner),
            _ => false,
        }
    }
}
