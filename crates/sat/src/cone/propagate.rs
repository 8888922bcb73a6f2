//! Unit propagation over two watched literals with blockers, inside the domain.
//!
//! A variable outside the domain has the value [`OUTSIDE`], which is positive for both of its literals, hence reads like
//! "satisfied": a clause with such a literal never propagates and never conflicts, at no extra cost. Only at the root
//! level, where everything is propagated so that the watches stay right for every domain, do such variables count as open.

use super::arena::ClauseRef;
use super::watch::Watch;
use super::{Assignment, ConeSolver, FALSE, OPEN, OUTSIDE, TRUE};
use crate::Lit;

/// Why a literal was assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reason(u32);

/// A reason, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// A decision or an assumption, or at the root level.
    None,
    /// A binary clause with this other literal.
    Binary(Lit),
    /// A longer clause.
    Long(ClauseRef),
}

impl Reason {
    pub(super) const NONE: Reason = Reason(u32::MAX);
    const BINARY: u32 = 1 << 31;

    pub(super) fn binary(other: Lit) -> Reason {
        Reason(other.code() | Reason::BINARY)
    }

    pub(super) fn long(clause: ClauseRef) -> Reason {
        Reason(clause)
    }

    pub(super) fn cause(self) -> Cause {
        if self == Reason::NONE {
            Cause::None
        } else if self.0 & Reason::BINARY != 0 {
            Cause::Binary(Lit::from_code(self.0 & !Reason::BINARY))
        } else {
            Cause::Long(self.0)
        }
    }
}

/// A falsified clause: the reason that would have propagated this literal, had it not been false already.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conflict {
    pub(super) literal: Lit,
    pub(super) reason: Reason,
}

impl ConeSolver {
    /// Assigns an open literal.
    pub(super) fn assign(&mut self, lit: Lit, reason: Reason) {
        debug_assert!(matches!(self.values[lit.index()], OPEN | OUTSIDE));
        self.values[lit.index()] = TRUE;
        self.values[(!lit).index()] = FALSE;
        let level = self.level();
        self.variables[lit.var().index()] = Assignment { level, reason };
        self.trail.push(lit);
    }

    /// Propagates everything, whatever the domain. At the root level only.
    pub(super) fn propagate_root(&mut self) -> Option<Conflict> {
        debug_assert_eq!(self.level(), 0);
        self.propagate_with::<true>()
    }

    /// Propagates inside the domain.
    pub(super) fn propagate(&mut self) -> Option<Conflict> {
        self.propagate_with::<false>()
    }

    fn propagate_with<const ROOT: bool>(&mut self) -> Option<Conflict> {
        while let Some(&propagated) = self.trail.get(self.propagated) {
            self.propagated += 1;
            self.ticks += 1 + self.watches.len_of(!propagated) as u64 / 4;
            let conflict = self.visit_watches::<ROOT>(!propagated);
            if conflict.is_some() {
                self.propagated = self.trail.len();
                return conflict;
            }
        }
        None
    }

    /// Looks at the clauses that watch a literal which has become false.
    fn visit_watches<const ROOT: bool>(&mut self, falsified: Lit) -> Option<Conflict> {
        let is_satisfied = |value: i8| if ROOT { value == TRUE } else { value > 0 };
        let level = self.level();
        let mut assign = |values: &mut [i8], lit: Lit, reason: Reason| {
            values[lit.index()] = TRUE;
            values[(!lit).index()] = FALSE;
            self.variables[lit.var().index()] = Assignment { level, reason };
            self.trail.push(lit);
        };
        let values = &mut self.values[..];
        let list = self.watches.list(falsified);
        let (mut kept, mut next) = (0, 0);
        let mut conflict = None;
        while let Some(&watch) = list.get(next) {
            next += 1;
            let blocker_value = values[watch.blocker.index()];
            if is_satisfied(blocker_value) {
                list[kept] = watch;
                kept += 1;
                continue;
            }
            let Some(clause) = watch.clause() else {
                list[kept] = watch;
                kept += 1;
                let reason = Reason::binary(falsified);
                if blocker_value == FALSE {
                    conflict = Some(Conflict { literal: watch.blocker, reason });
                    break;
                }
                assign(values, watch.blocker, reason);
                continue;
            };
            let codes = self.arena.codes_mut(clause);
            let other = Lit::from_code(codes[0] ^ codes[1] ^ falsified.code());
            let other_value = values[other.index()];
            if other != watch.blocker && is_satisfied(other_value) {
                list[kept] = Watch::long(other, clause);
                kept += 1;
                continue;
            }
            if let Some(offset) = codes[2..].iter().position(|&code| values[code as usize] != FALSE) {
                let replacement = codes[2 + offset];
                codes[0] = other.code();
                codes[1] = replacement;
                codes[2 + offset] = falsified.code();
                self.moved.push((Lit::from_code(replacement), Watch::long(other, clause)));
                continue;
            }
            list[kept] = Watch::long(other, clause);
            kept += 1;
            let reason = Reason::long(clause);
            if other_value == FALSE {
                conflict = Some(Conflict { literal: other, reason });
                break;
            }
            assign(values, other, reason);
        }
        self.watches.close_gap(falsified, kept, next);
        for (lit, watch) in self.moved.drain(..) {
            self.watches.push(lit, watch);
        }
        conflict
    }
}
