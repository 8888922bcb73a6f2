//! Records what CaDiCaL derives: every clause with the clauses that it follows from.
//!
//! Deleted clauses are kept, because a later clause may rest on one that was deleted long ago. Clauses that come back
//! after variable elimination keep their number, hence also their first derivation.

use cadical_sys::ProofTracer;

use crate::cadical::internal;
use crate::{Label, Lit};

/// Where a recorded clause comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// This number was not used.
    Absent,
    /// Added by the caller.
    Input(Label),
    /// Follows from its antecedents by unit propagation.
    Derived,
    /// Preserves satisfiability only: no resolution proof has it.
    Unsound,
}

/// One clause, as ranges in the flat tables of [`Tracer`] that end where the next clause begins.
#[derive(Clone, Copy, Debug)]
struct Record {
    origin: Origin,
    literals: usize,
    antecedents: usize,
}

/// The whole history of one solver, by clause number.
#[derive(Debug, Default)]
pub(crate) struct Tracer {
    label: Label,
    records: Vec<Record>,
    literals: Vec<Lit>,
    antecedents: Vec<u32>,
    conclusion: Option<u32>,
}

impl Tracer {
    /// The label of the input clauses to come.
    pub(crate) fn set_label(&mut self, label: Label) {
        self.label = label;
    }

    /// The number of the clause that the last unsatisfiable query came down to.
    pub(crate) fn conclusion(&self) -> Option<u32> {
        self.conclusion
    }

    /// The clauses that were added by the caller, in order.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = u32> + '_ {
        let records = self.records.iter().enumerate();
        let inputs = records.filter(|(_, record)| matches!(record.origin, Origin::Input(_)));
        inputs.map(|(clause, _)| clause as u32)
    }

    pub(crate) fn origin(&self, clause: u32) -> Origin {
        self.records.get(clause as usize).map_or(Origin::Absent, |record| record.origin)
    }

    pub(crate) fn literals(&self, clause: u32) -> &[Lit] {
        let index = clause as usize;
        let end = self.records.get(index + 1).map_or(self.literals.len(), |next| next.literals);
        &self.literals[self.records[index].literals..end]
    }

    pub(crate) fn antecedents(&self, clause: u32) -> &[u32] {
        let index = clause as usize;
        let end = self.records.get(index + 1).map_or(self.antecedents.len(), |next| next.antecedents);
        &self.antecedents[self.records[index].antecedents..end]
    }

    /// CaDiCaL numbers clauses in the order in which it reports them, but may skip numbers.
    fn record(&mut self, id: i64, origin: Origin, clause: &[i32], antecedents: &[i64]) {
        let index = id as usize;
        if index < self.records.len() {
            return;
        }
        let (literal_start, antecedent_start) = (self.literals.len(), self.antecedents.len());
        let absent =
            Record { origin: Origin::Absent, literals: literal_start, antecedents: antecedent_start };
        self.records.resize(index, absent);
        self.records.push(Record { origin, ..absent });
        self.literals.extend(clause.iter().map(|&number| internal(number)));
        self.antecedents.extend(antecedents.iter().map(|&antecedent| antecedent as u32));
    }
}

impl ProofTracer for Tracer {
    fn add_original_clause(&mut self, id: i64, _redundant: bool, clause: &[i32], _restored: bool) {
        self.record(id, Origin::Input(self.label), clause, &[]);
    }

    fn add_derived_clause(
        &mut self,
        id: i64,
        _redundant: bool,
        witness: i32,
        clause: &[i32],
        antecedents: &[i64],
    ) {
        let origin = if witness == 0 { Origin::Derived } else { Origin::Unsound };
        self.record(id, origin, clause, antecedents);
    }

    fn add_assumption_clause(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        self.record(id, Origin::Derived, clause, antecedents);
    }

    fn conclude_unsat(&mut self, _conclusion_type: i32, clause_ids: &[i64]) {
        self.conclusion = clause_ids.first().map(|&id| id as u32);
    }

    fn solve_query(&mut self) {
        self.conclusion = None;
    }

    fn delete_clause(&mut self, _id: i64, _redundant: bool, _clause: &[i32]) {}
    fn weaken_minus(&mut self, _id: i64, _clause: &[i32]) {}
    fn strengthen(&mut self, _id: i64) {}
    fn finalize_clause(&mut self, _id: i64, _clause: &[i32]) {}
    fn add_assumption(&mut self, _lit: i32) {}
    fn add_constraint(&mut self, _clause: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn conclude_sat(&mut self, _conclusion_type: i32, _model: &[i32]) {}
    fn conclude_unknown(&mut self, _trail: &[i32]) {}
}
