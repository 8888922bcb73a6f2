//! Products of two variables, as far as tangents tell.
//!
//! A product is a number of which nothing is known at first. Where a model gives it a wrong value, the tangent planes at that point are added: whether the product is above or
//! below them depends only on which side of the point each factor is, so they hold everywhere, and at the point itself they are exact. Such a model does not come back.
//!
//! # References
//! - A. Cimatti, A. Griggio, A. Irfan, M. Roveri, R. Sebastiani: Incremental linearization for satisfiability and verification modulo nonlinear arithmetic. TOCL 2018.

use super::unroll::{Product, Unrolling};
use super::word::{NotRepresentable, Word};
use dashu_ratio::RBig;
use propcov_ir::Sort;
use propcov_sat::Lit;
use propcov_smt::Linear;
use std::rc::Rc;

impl Unrolling<'_> {
    /// The product of two numbers that are not constant. It is the same in whatever order they come.
    pub(super) fn product(
        &mut self,
        step: usize,
        a: &Rc<Linear>,
        b: &Rc<Linear>,
        sort: &Sort,
    ) -> Result<Word, NotRepresentable> {
        let same = |known: &&Product| {
            let [x, y] = &known.factors;
            (x == a && y == b) || (x == b && y == a)
        };
        if let Some(known) = self.products.iter().find(same) {
            return Ok(Word::Number(known.result.clone()));
        }
        let word = self.opaque(step, sort)?;
        if let Word::Number(result) = &word {
            self.products.push(Product { factors: [a.clone(), b.clone()], result: result.clone() });
        }
        Ok(word)
    }

    /// Excludes what the solver's model has wrong about products. Says whether there was something.
    pub fn correct_products(&mut self) -> bool {
        let solver = &self.gates.solver;
        let value = |sum: &Linear| sum.evaluate(|number| solver.number_value(number));
        let wrong: Vec<(usize, RBig, RBig)> = (self.products.iter().enumerate())
            .filter_map(|(index, product)| {
                let [a, b] = [value(&product.factors[0]), value(&product.factors[1])];
                (value(&product.result) != &a * &b).then_some((index, a, b))
            })
            .collect();
        for (index, at_a, at_b) in &wrong {
            self.add_tangents(*index, at_a, at_b);
        }
        !wrong.is_empty()
    }

    /// With z = a·b and a point (p, q): (a − p)(b − q) is z − q·a − p·b + p·q, and its sign is that of the factors.
    fn add_tangents(&mut self, index: usize, at_a: &RBig, at_b: &RBig) {
        let Product { factors: [a, b], result } = &self.products[index];
        let below_a = Linear::constant(at_a.clone()).plus(a, &RBig::from(-1));
        let below_b = Linear::constant(at_b.clone()).plus(b, &RBig::from(-1));
        let mut plane = result.plus(a, &-at_b.clone());
        plane.add(b, &-at_a.clone());
        plane.add(&Linear::constant(at_a * at_b), &RBig::ONE);
        let mut signs = |sum: &Linear| -> [Lit; 2] {
            let solver = &mut self.gates.solver;
            [solver.at_most(sum), solver.at_most(&sum.scaled(&RBig::from(-1)))]
        };
        // At or above the point, at or below it; the product is not above the plane, or not below it.
        let [a_above, a_below] = signs(&below_a);
        let [b_above, b_below] = signs(&below_b);
        let [at_most, at_least] = signs(&plane);
        for (side_a, side_b, holds) in [
            (a_above, b_above, at_least),
            (a_below, b_below, at_least),
            (a_above, b_below, at_most),
            (a_below, b_above, at_most),
        ] {
            self.clause(&[!side_a, !side_b, holds]);
        }
    }
}
