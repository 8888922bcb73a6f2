//! Which atoms need a decision: those that occur in a clause, of the ones that were added, in which no literal holds yet.
//!
//! All others may turn out as the numbers have it. That keeps bounds that do not matter away from the simplex method: most clauses of an
//! incremental query belong to other queries, and hold by the negation of an activation literal.

use crate::ArithSolver;
use crate::propagate::{Cause, Watch};
use crate::tableau::NONE;
use propcov_sat::Lit;

impl ArithSolver {
    /// Notes which atoms a clause that was just attached contains.
    pub(crate) fn list_occurrences(&mut self, literals: &[Lit], cause: Cause) {
        for &lit in literals {
            let atom = self.atom_of[lit.var().index()];
            if atom == NONE {
                continue;
            }
            let other = literals.iter().copied().find(|other| *other != lit).unwrap_or(lit);
            let watch = match cause {
                Cause::Clause(clause) => Watch { blocker: other, clause },
                _ => Watch::binary(other),
            };
            self.occurrences[atom as usize].push(watch);
        }
    }

    /// Whether a clause with the atom, which is open, has no literal that holds.
    pub(crate) fn is_needed(&mut self, atom: u32) -> bool {
        let list = &mut self.occurrences[atom as usize];
        self.clause_ticks += list.len() as u64;
        for position in 0..list.len() {
            let watch = list[position];
            if self.values[watch.blocker.index()] > 0 {
                continue;
            }
            let mut codes = match watch.is_binary() {
                true => [].iter(),
                false => self.arena.codes(watch.clause).iter(),
            };
            let Some(&holding) = codes.find(|&&code| self.values[code as usize] > 0) else {
                list.swap(0, position);
                return true;
            };
            list[position].blocker = crate::arena::lit_of(holding);
        }
        false
    }
}
