//! Between the trail and the simplex method: bounds are asserted as their literals are assigned, and each implies the looser ones on its column.
//!
//! The atoms in use of a column are sorted: a new upper bound makes all atoms above it true, up to the old upper bound, and a new lower one
//! makes all below it false. Reasons are not spelt out until a conflict asks for them.

use crate::ArithSolver;
use crate::delta::Value;
use crate::numeric::Rational;
use crate::propagate::Cause;
use crate::refine::WORTH_OF_REASON;
use crate::tableau::NONE;
use propcov_sat::{Lit, Var};

impl ArithSolver {
    /// Asserts the bounds of all literals that are new on the trail. Returns false if there is a conflict.
    pub(crate) fn assert_bounds(&mut self) -> bool {
        while self.asserted < self.trail.len() {
            let lit = self.trail[self.asserted];
            let atom = self.atom_of[lit.var().index()];
            if atom != NONE && !self.assert_bound(lit, atom) {
                return false;
            }
            self.asserted += 1;
        }
        true
    }

    fn assert_bound(&mut self, lit: Lit, atom: u32) -> bool {
        self.clause_ticks += 1;
        match self.simplex.assert(atom, !lit.is_negated()) {
            Ok(None) => true,
            Ok(Some(old)) => self.imply_looser(lit, atom, old),
            Err(()) => {
                self.take_theory_conflict();
                false
            }
        }
    }

    fn imply_looser(&mut self, lit: Lit, atom: u32, old: u32) -> bool {
        let column = self.simplex.atoms[atom as usize].column as usize;
        let position = self.simplex.atoms[atom as usize].position as usize;
        let old = self.simplex.atoms.get(old as usize).map(|old| old.position as usize);
        let range = match lit.is_negated() {
            false => position + 1..old.unwrap_or(self.simplex.columns[column].atoms.len()),
            true => old.map_or(0, |old| old + 1)..position,
        };
        for position in range {
            let looser = self.simplex.columns[column].atoms[position];
            let implied = self.simplex.atoms[looser as usize].var.lit(!lit.is_negated());
            match self.values[implied.index()] {
                1 => {}
                0 => self.assign_looser(implied, lit),
                _ => {
                    self.simplex.conflict.clear();
                    self.simplex.conflict.extend([(lit, Rational::ONE), (!implied, Rational::ONE)]);
                    self.take_theory_conflict();
                    return false;
                }
            }
        }
        true
    }

    fn assign_looser(&mut self, implied: Lit, tighter: Lit) {
        self.clause_ticks += 1;
        if self.level() == 0 {
            self.log_looser(implied, tighter);
        }
        self.assign(implied, Cause::Tighter(tighter));
    }

    fn log_looser(&mut self, implied: Lit, tighter: Lit) {
        if let Some(log) = &mut self.log {
            let one = Rational::ONE;
            log.add([(!implied, &one), (tighter, &one)].into_iter());
        }
    }

    /// Makes the conflict of the simplex method the clause that is false.
    pub(crate) fn take_theory_conflict(&mut self) {
        if let Some(log) = &mut self.log {
            log.add(self.simplex.conflict.iter().map(|(lit, multiplier)| (*lit, multiplier)));
        }
        self.conflict.clear();
        self.conflict.extend(self.simplex.conflict.iter().map(|(lit, _)| !*lit));
    }

    /// The false literals that made a literal hold, in `antecedents`.
    pub(crate) fn find_antecedents(&mut self, lit: Lit) {
        self.antecedents.clear();
        match self.assignments[lit.var().index()].cause {
            Cause::None => {}
            Cause::Binary(other) => self.antecedents.push(other),
            Cause::Clause(clause) => {
                self.arena.mark_used(clause);
                let codes = self.arena.codes(clause);
                let others =
                    codes.iter().map(|&code| crate::arena::lit_of(code)).filter(|other| *other != lit);
                self.antecedents.extend(others);
            }
            Cause::Tighter(tighter) => {
                self.antecedents.push(!tighter);
                self.log_looser(lit, tighter);
            }
            Cause::Row(index) => {
                let reason = self.row_reasons.reason(index);
                self.antecedents.extend(reason[1..].iter().map(|(lit, _)| !*lit));
                self.row_reasons.pay(WORTH_OF_REASON);
                self.log_row(index);
            }
        }
    }

    /// Lists a variable's atom, if it has one, among those in use of its column.
    pub(crate) fn use_atom(&mut self, var: Var) {
        let atom = self.atom_of[var.index()];
        if atom == NONE || self.simplex.atoms[atom as usize].position != NONE {
            return;
        }
        let column = self.simplex.atoms[atom as usize].column as usize;
        let simplex = &mut self.simplex;
        let list = &mut simplex.columns[column].atoms;
        let upper = &simplex.atoms[atom as usize].upper;
        let place = list.partition_point(|&other| simplex.atoms[other as usize].upper < *upper);
        list.insert(place, atom);
        for (position, &other) in list.iter().enumerate().skip(place) {
            simplex.atoms[other as usize].position = position as u32;
        }
        self.imply_new(atom, column);
    }

    /// An atom that is new in use may follow from bounds that hold already.
    fn imply_new(&mut self, atom: u32, column: usize) {
        let place = self.simplex.atoms[atom as usize].position;
        let (upper, lower) = (self.simplex.upper[column], self.simplex.lower[column]);
        let position = |bound: u32| self.simplex.atoms.get(bound as usize).map(|bound| bound.position);
        let positive = self.simplex.atoms[atom as usize].var.positive();
        if position(upper).is_some_and(|upper| upper < place) {
            self.assign_looser(positive, self.simplex.atoms[upper as usize].var.positive());
        } else if position(lower).is_some_and(|lower| lower > place) {
            self.assign_looser(!positive, !self.simplex.atoms[lower as usize].var.positive());
        }
    }

    /// The value of a column in the model.
    pub(crate) fn concrete(&self, column: u32) -> Rational {
        let value = self.simplex.value(column);
        if value.infinitesimal.is_zero() {
            return value.real;
        }
        let mut real = value.real;
        real.add_product(&value.infinitesimal, self.epsilon.get_or_init(|| self.simplex.epsilon()));
        real
    }

    /// The value of a variable's atom in the model, from the numbers.
    pub(crate) fn value_of_atom(&self, var: Var) -> Option<bool> {
        let atom = self.simplex.atoms.get(self.atom_of[var.index()] as usize)?;
        let value = Value::new(self.concrete(atom.column), 0);
        Some(value <= atom.upper)
    }
}
