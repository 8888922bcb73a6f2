//! What a proof claims of each step, as clauses: the property and the lemmas.

use crate::encode::{Encoding, Steps, Unrolling};
use crate::{Claim, Counterexample, Rejection};
use propcov_ir::{BinaryOp, ExprId, ExprPool, Node, Proof, System, UnaryOp};
use propcov_sat::{CadicalConfig, Lit};
use rustc_hash::FxHashSet;

/// A property, and a proof of it whose length makes sense. Without a property, the lemmas are what is proved.
#[derive(Clone, Copy)]
pub(crate) struct Claims<'a> {
    pub(crate) system: &'a System,
    pub(crate) property: Option<ExprId>,
    pub(crate) proof: &'a Proof,
}

/// One conjunct of Q in one step, as a disjunction of literals.
pub(crate) type Conjunct = (Claim, Vec<Lit>);

impl Claims<'_> {
    /// Lemmas mean many easy queries; without them there are few, and they may be hard.
    pub(crate) fn solver(&self) -> CadicalConfig {
        CadicalConfig { inprocessing: self.proof.invariant.lemmas.is_empty(), ..CadicalConfig::default() }
    }

    /// Q in a step, conjunct by conjunct.
    pub(crate) fn conjuncts<E: Encoding>(
        &self,
        unrolling: &mut Unrolling<'_, '_, E>,
        step: u32,
    ) -> Result<Vec<Conjunct>, Rejection> {
        let invariant = &self.proof.invariant;
        let mut conjuncts = Vec::with_capacity(invariant.lemmas.len() + 1);
        if let Some(property) = self.property {
            conjuncts.push((Claim::Property, vec![unrolling.condition(step, property)?]));
        }
        for (position, lemma) in invariant.lemmas.iter().enumerate() {
            let disjuncts: Result<Vec<Lit>, Rejection> = disjuncts(&invariant.exprs, *lemma)?
                .into_iter()
                .map(|(expr, negated)| Ok(unrolling.lemma(step, expr)?.negated_if(negated)))
                .collect();
            conjuncts.push((Claim::Lemma(position), disjuncts?));
        }
        Ok(conjuncts)
    }
}

/// The steps up to the last in the solver's model.
pub(crate) fn render<E: Encoding>(system: &System, steps: &Steps<'_, E>, last: u32) -> Counterexample {
    let signals = || system.inputs().iter().chain(system.states());
    let step = |step: u32| {
        let encoded = signals().filter_map(|signal| {
            let value = steps.gates.show(steps.encoded_signal(step, *signal)?)?;
            Some((system.signal(*signal).name.clone(), value))
        });
        encoded.collect()
    };
    Counterexample { steps: (0..=last).map(step).collect() }
}

/// A Boolean expression as a disjunction of expressions, each possibly negated. Lemmas are mostly clauses: written as
/// one clause they need no gates.
pub(crate) fn disjuncts(pool: &ExprPool, root: ExprId) -> Result<Vec<(ExprId, bool)>, Rejection> {
    let mut seen = FxHashSet::default();
    let mut open = vec![(root, false)];
    let mut found = Vec::new();
    while let Some((expr, negated)) = open.pop() {
        if expr.0 as usize >= pool.len() {
            return Err(Rejection::no_such_expression(expr));
        }
        if !seen.insert((expr, negated)) {
            continue;
        }
        match (pool.node(expr), negated) {
            (Node::Unary(UnaryOp::Not, a), _) => open.push((*a, !negated)),
            (Node::Binary(BinaryOp::Or, a, b), false) | (Node::Binary(BinaryOp::And, a, b), true) => {
                open.extend([(*b, negated), (*a, negated)]);
            }
            _ => found.push((expr, negated)),
        }
    }
    Ok(found)
}
