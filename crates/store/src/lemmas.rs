//! The lemmas of all proofs of a file, each written once.
//!
//! The proofs of mutants are variations of a few invariants, so that whole files of them have little more to say than one. A
//! lemma is a clause: the disjunction, grouped to the left, of expressions and negated expressions. Whatever is no disjunction is a clause
//! with one member, so that nothing is lost, and reading gives exactly the expressions that were written.

use crate::error::Malformed;
use crate::node::{self, Names};
use crate::record::{self, Range};
use propcov_ir::{
    BinaryOp, ElementId, ElementSet, ExprId, ExprPool, Invariant, Node, Proof, System, UnaryOp,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Expressions and clauses, by number.
pub(crate) struct Lemmas<'s> {
    system: &'s System,
    names: Names<'s>,
    pool: ExprPool,
    clauses: Vec<Vec<i64>>,
    numbers: FxHashMap<Vec<i64>, usize>,
}

impl<'s> Lemmas<'s> {
    pub(crate) fn new(system: &'s System) -> Lemmas<'s> {
        let (pool, clauses, numbers) = (ExprPool::new(), Vec::new(), FxHashMap::default());
        Lemmas { system, names: Names::new(system), pool, clauses, numbers }
    }

    /// The record of a proof. A lemma that the proof lists twice is written once.
    pub(crate) fn write(&mut self, id: usize, proof: &Proof) -> record::Proof {
        let (first_node, first_clause) = (self.pool.len() as u32, self.clauses.len());
        let mut copies = FxHashMap::default();
        let mut seen = FxHashSet::default();
        let mut lemmas = Vec::with_capacity(proof.invariant.lemmas.len());
        for lemma in &proof.invariant.lemmas {
            let number = self.clause(&proof.invariant.exprs, *lemma, &mut copies);
            if seen.insert(number) {
                lemmas.push(number);
            }
        }
        let nodes = (first_node..self.pool.len() as u32).map(ExprId);
        record::Proof {
            id,
            nodes: nodes.map(|expr| node::to_json(self.system, &self.pool, expr)).collect(),
            clauses: self.clauses[first_clause..].to_vec(),
            lemmas: ranges(lemmas),
            k: proof.k,
            simple_path: proof.simple_path,
            core: ranges(proof.core.iter().map(|element| element.0 as usize)),
        }
    }

    /// The number of a lemma, which may be new.
    fn clause(&mut self, from: &ExprPool, lemma: ExprId, copies: &mut FxHashMap<ExprId, ExprId>) -> usize {
        let members = members(from, lemma).into_iter().map(|(expr, negated)| {
            let copy = self.pool.import(from, expr, copies, |pool, node, sort| match node {
                Node::Next(signal) => pool.next(*signal, sort.clone()),
                Node::Signal(signal) => pool.signal(*signal, sort.clone()),
                _ => unreachable!("only signals are leaves"),
            });
            let number = i64::from(copy.0) + 1;
            if negated { -number } else { number }
        });
        let clause: Vec<i64> = members.collect();
        let next = self.clauses.len();
        *self.numbers.entry(clause).or_insert_with_key(|clause| {
            self.clauses.push(clause.clone());
            next
        })
    }

    /// The proof that was written.
    pub(crate) fn read(&mut self, record: &record::Proof) -> Result<Proof, Malformed> {
        for json in &record.nodes {
            let before = self.pool.len();
            node::from_json(&self.names, &mut self.pool, json)?;
            if self.pool.len() != before + 1 {
                return Err(Malformed::new(format!("expression {json} was there before")));
            }
        }
        for clause in &record.clauses {
            let known = |member: &i64| *member != 0 && member.unsigned_abs() <= self.pool.len() as u64;
            if clause.is_empty() || !clause.iter().all(known) {
                return Err(Malformed::new(format!("clause {clause:?} has no meaning")));
            }
            self.numbers.insert(clause.clone(), self.clauses.len());
            self.clauses.push(clause.clone());
        }
        let lemmas = positions(&record.lemmas, self.clauses.len())?;
        let core = positions(&record.core, self.system.elements().len())?;
        Ok(Proof {
            invariant: self.invariant(&lemmas)?,
            k: record.k,
            simple_path: record.simple_path,
            core: core.into_iter().map(|position| ElementId(position as u32)).collect::<ElementSet>(),
        })
    }

    fn invariant(&self, lemmas: &[usize]) -> Result<Invariant, Malformed> {
        let mut invariant = Invariant::default();
        let mut copies = FxHashMap::default();
        for lemma in lemmas {
            let mut disjunction = None;
            for member in &self.clauses[*lemma] {
                let expr = ExprId((member.unsigned_abs() - 1) as u32);
                let exprs = &mut invariant.exprs;
                let copy = exprs.import(&self.pool, expr, &mut copies, |pool, node, sort| match node {
                    Node::Next(signal) => pool.next(*signal, sort.clone()),
                    Node::Signal(signal) => pool.signal(*signal, sort.clone()),
                    _ => unreachable!("only signals are leaves"),
                });
                let literal = if *member < 0 { exprs.unary(UnaryOp::Not, copy) } else { Ok(copy) };
                let extended = literal.and_then(|literal| match disjunction {
                    None => Ok(literal),
                    Some(left) => exprs.binary(BinaryOp::Or, left, literal),
                });
                disjunction = Some(extended.map_err(|error| Malformed::new(error.to_string()))?);
            }
            invariant.lemmas.extend(disjunction);
        }
        Ok(invariant)
    }
}

/// What a lemma is the disjunction of, and what of that is negated.
fn members(pool: &ExprPool, lemma: ExprId) -> Vec<(ExprId, bool)> {
    let literal = |expr: ExprId| match pool.node(expr) {
        Node::Unary(UnaryOp::Not, inner) => (*inner, true),
        _ => (expr, false),
    };
    let (mut members, mut rest) = (Vec::new(), lemma);
    while let Node::Binary(BinaryOp::Or, left, right) = pool.node(rest) {
        members.push(literal(*right));
        rest = *left;
    }
    members.push(literal(rest));
    members.reverse();
    members
}

/// Numbers as ranges with both ends included, in the same order.
fn ranges(numbers: impl IntoIterator<Item = usize>) -> Vec<Range> {
    let mut ranges: Vec<Range> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    ranges
}

/// The numbers in ranges, all below the count and none twice.
fn positions(ranges: &[Range], count: usize) -> Result<Vec<usize>, Malformed> {
    let mut positions = Vec::new();
    let mut seen = FxHashSet::default();
    for (first, last) in ranges {
        if first > last || *last >= count {
            return Err(Malformed::new(format!("nothing has the numbers {first} to {last}")));
        }
        for position in *first..=*last {
            if !seen.insert(position) {
                return Err(Malformed::new(format!("number {position} is there twice")));
            }
            positions.push(position);
        }
    }
    Ok(positions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_keep_numbers_and_their_order() {
        let numbers = [4, 5, 6, 2, 3, 9, 0];
        assert_eq!(ranges(numbers), [(4, 6), (2, 3), (9, 9), (0, 0)]);
        assert_eq!(positions(&ranges(numbers), 10).as_deref(), Ok(numbers.as_slice()));
        assert!(positions(&[(0, 3)], 3).is_err());
        assert!(positions(&[(2, 1)], 3).is_err());
        assert!(positions(&[(0, 1), (1, 2)], 3).is_err());
    }
}
