//! Proofs as records, and back.
//!
//! The proofs of mutants are variations of a few invariants, so that hundreds of them have little more to say than one. A lemma is a clause: the
//! disjunction, grouped to the left, of expressions and negated expressions. Whatever is no disjunction is a clause with one member, so that nothing is
//! lost, and reading gives exactly the expressions that were written. A record has the clauses that no earlier record of its segment has, and refers to the
//! others by the name of the proof that brought them there.

use crate::error::Malformed;
use crate::names::Names;
use crate::node;
use crate::record::{self, Id, Part};
use propcov_ir::{
    BinaryOp, Digest, Digester, ElementSet, ExprId, ExprPool, Invariant, Node, Proof, System, UnaryOp, shapes,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Clauses that were written, each with the proof that brought it and its number there.
#[derive(Default)]
pub(crate) struct Written(FxHashMap<Digest, (Id, usize)>);

/// A lemma: expressions of the proof's pool, and whether they are negated.
struct Clause {
    name: Digest,
    members: Vec<(ExprId, bool)>,
}

/// The clauses of a proof, and the name that follows from them. A lemma that is there twice counts once, and order does not matter.
pub(crate) struct Clauses {
    pub(crate) id: Id,
    clauses: Vec<Clause>,
}

impl Clauses {
    pub(crate) fn new(system: &System, proof: &Proof) -> Clauses {
        let pool = &proof.invariant.exprs;
        let shapes = shapes(system, pool);
        let mut clauses: Vec<Clause> = Vec::with_capacity(proof.invariant.lemmas.len());
        let mut seen = FxHashSet::default();
        for lemma in &proof.invariant.lemmas {
            let members = members(pool, *lemma);
            let mut digester = Digester::new("clause");
            for (expr, negated) in &members {
                digester.number(u64::from(*negated));
                digester.digest(shapes[expr.0 as usize]);
            }
            let name = digester.finish();
            if seen.insert(name) {
                clauses.push(Clause { name, members });
            }
        }
        let lemmas = Digest::of_set("lemmas", clauses.iter().map(|clause| clause.name));
        let mut digester = Digester::new("proof");
        digester.number(u64::from(proof.k));
        digester.number(u64::from(proof.simple_path));
        digester.digest(lemmas);
        Clauses { id: Id(digester.finish()), clauses }
    }

    /// The record of the proof, given what was written before it.
    pub(crate) fn record(&self, system: &System, proof: &Proof, written: &mut Written) -> record::Proof {
        let (mut pool, mut copies) = (ExprPool::new(), FxHashMap::default());
        let mut clauses = Vec::new();
        let mut parts: Vec<(Id, Vec<usize>)> = Vec::new();
        let mut part_of: FxHashMap<Id, usize> = FxHashMap::default();
        for clause in &self.clauses {
            let (of, at) = *written.0.entry(clause.name).or_insert_with(|| {
                let number = |(expr, negated): &(ExprId, bool)| {
                    let copy = pool.copy(&proof.invariant.exprs, *expr, &mut copies);
                    let number = i64::from(copy.0) + 1;
                    if *negated { -number } else { number }
                };
                clauses.push(clause.members.iter().map(number).collect());
                (self.id, clauses.len() - 1)
            });
            let next = parts.len();
            let part = *part_of.entry(of).or_insert(next);
            if part == next {
                parts.push((of, Vec::new()));
            }
            parts[part].1.push(at);
        }
        let part =
            |(of, numbers): (Id, Vec<usize>)| Part { of: (of != self.id).then_some(of), at: ranges(numbers) };
        record::Proof {
            id: self.id,
            k: proof.k,
            simple_path: proof.simple_path,
            nodes: (0..pool.len() as u32).map(|expr| node::to_json(system, &pool, ExprId(expr))).collect(),
            clauses,
            lemmas: parts.into_iter().map(part).collect(),
        }
    }
}

/// The expressions and clauses of one record, as far as a system has their signals.
pub(crate) struct Source {
    pool: ExprPool,
    /// For each number, the expression.
    exprs: Vec<Option<ExprId>>,
    clauses: Vec<Vec<i64>>,
}

impl Source {
    /// Takes over what has a meaning for the system.
    pub(crate) fn new(names: &Names<'_>, record: &record::Proof) -> Source {
        let (mut pool, mut exprs) = (ExprPool::new(), Vec::with_capacity(record.nodes.len()));
        for json in &record.nodes {
            let expr = node::from_json(names, &mut pool, &exprs, json).ok();
            exprs.push(expr);
        }
        Source { pool, exprs, clauses: record.clauses.clone() }
    }

    /// Adds a clause to an invariant, if all of it has a meaning.
    fn add(
        &self,
        number: usize,
        invariant: &mut Invariant,
        copies: &mut FxHashMap<ExprId, ExprId>,
    ) -> Result<(), Malformed> {
        let unknown = || Malformed::new("a lemma about something that the design does not have");
        let mut disjunction = None;
        let exprs = &mut invariant.exprs;
        for member in self.clauses.get(number).ok_or_else(unknown)? {
            let position =
                usize::try_from(member.unsigned_abs()).ok().and_then(|number| number.checked_sub(1));
            let expr = position.and_then(|position| self.exprs.get(position).copied().flatten());
            let copy = exprs.copy(&self.pool, expr.ok_or_else(unknown)?, copies);
            let literal = if *member < 0 { exprs.unary(UnaryOp::Not, copy) } else { Ok(copy) };
            let extended = literal.and_then(|literal| match disjunction {
                None => Ok(literal),
                Some(left) => exprs.binary(BinaryOp::Or, left, literal),
            });
            disjunction = Some(extended.map_err(|error| Malformed::new(error.to_string()))?);
        }
        let lemma = disjunction.filter(|lemma| exprs.sort(*lemma).is_bool()).ok_or_else(unknown)?;
        invariant.lemmas.push(lemma);
        Ok(())
    }
}

/// A proof whose sources are at hand.
pub(crate) struct Read {
    pub(crate) proof: Proof,
    /// Whether all of its lemmas are about signals of the system.
    pub(crate) is_complete: bool,
}

/// The proof that was written, as far as the system has its signals. That its argument uses every element is a claim that is always true.
pub(crate) fn read(
    system: &System,
    record: &record::Proof,
    mut source: impl FnMut(Option<Id>) -> Option<Arc<Source>>,
) -> Option<Read> {
    let (mut invariant, mut is_complete) = (Invariant::default(), true);
    for part in &record.lemmas {
        let source = source(part.of)?;
        let mut copies = FxHashMap::default();
        for (first, last) in &part.at {
            if first > last || *last >= source.clauses.len() {
                return None;
            }
            for number in *first..=*last {
                is_complete &= source.add(number, &mut invariant, &mut copies).is_ok();
            }
        }
    }
    let core: ElementSet = system.element_ids().collect();
    let proof = Proof { invariant: invariant.into(), k: record.k, simple_path: record.simple_path, core };
    Some(Read { proof, is_complete })
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
pub(crate) fn ranges(numbers: impl IntoIterator<Item = usize>) -> Vec<(usize, usize)> {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_keep_numbers_and_their_order() {
        assert_eq!(ranges([4, 5, 6, 2, 3, 9, 0]), [(4, 6), (2, 3), (9, 9), (0, 0)]);
    }
}
