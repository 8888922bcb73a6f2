//! From a point to a prime product that has it.
//!
//! First whole fields are left out, one after the other in an order given, as long as no bad point gets in. What had to stay then gets all the
//! values that it can have. Both are final: what is not possible in a product is not possible in a larger one. Then values that no point of the
//! set needs are taken away where that makes the text shorter. That may make a literal needless, or make room for values of others, so after it
//! all this is tried again.

use super::{Codes, Literal, Points};
use propcov_bdd::{Bdd, Stop, Var};

/// How often values are looked for at most.
const ROUNDS: usize = 3;

/// A product of literals, and its function.
#[derive(Clone)]
pub(super) struct Product {
    /// By field.
    pub(super) literals: Vec<Literal>,
    pub(super) function: Bdd,
}

/// A point by field, least significant bits first.
pub(super) type Point = Vec<Vec<bool>>;

impl Points<'_> {
    /// The least point of a set that has one, where the fields are compared in the order given.
    pub(super) fn pick(&self, set: &Bdd, order: &[usize]) -> Option<Point> {
        let bits = |field: &usize| self.fields[*field].bits.iter().rev().copied();
        let vars: Vec<Var> = order.iter().flat_map(bits).collect();
        let mut values = set.pick(&vars)?.into_iter();
        let mut point: Point = vec![Vec::new(); self.fields.len()];
        for field in order {
            let mut bits: Vec<bool> = values.by_ref().take(self.fields[*field].bits.len()).collect();
            bits.reverse();
            point[*field] = bits;
        }
        Some(point)
    }

    /// A prime product with this point of the set. Fields and definitions are left out in the order given if they can be; those that are not in the order
    /// are left out from the start.
    pub(super) fn expand(&self, point: &Point, order: &[usize]) -> Result<Product, Stop> {
        let fields = order.iter().copied().filter(|field| self.matters[*field]);
        let exact = fields.map(|field| match self.definition(field) {
            Some(definition) => Ok(self.defined_at(field, definition, point)),
            None => self.exactly(field, &point[field]),
        });
        let mut literals = self.without_needless(&exact.collect::<Result<Vec<_>, _>>()?)?;
        for _ in 0..ROUNDS {
            let widened = self.each_beside_others(&literals, |literal, others| {
                self.widen(literal.field, &point[literal.field], others)
            })?;
            let shortened =
                self.each_beside_others(&widened, |literal, others| self.shorten(literal, others))?;
            let is_final = same(&shortened, &widened) || same(&shortened, &literals);
            literals = self.without_needless(&shortened)?;
            if is_final {
                break;
            }
        }
        literals.sort_by_key(|literal| literal.field);
        let function = self.conjunction(literals.iter().map(|literal| &literal.function))?;
        Ok(Product { literals, function })
    }

    /// The literals without those that can be left out, tried from the first on.
    fn without_needless(&self, literals: &[Literal]) -> Result<Vec<Literal>, Stop> {
        let functions: Vec<Bdd> = literals.iter().map(|literal| literal.function.clone()).collect();
        let kept = self.needed(&self.everything(), &functions)?;
        Ok(kept.into_iter().map(|at| literals[at].clone()).collect())
    }

    /// What remains of some functions when those that the product with the base does not need are left out, one by one from
    /// the first. A run of them is tried as a whole before it is split: the outcome is the same, and most can go.
    pub(super) fn needed(&self, base: &Bdd, functions: &[Bdd]) -> Result<Vec<usize>, Stop> {
        let after = self.products_after(functions)?;
        let (mut kept, mut product) = (Vec::new(), base.clone());
        let mut runs = vec![(0, functions.len())];
        while let Some((from, to)) = runs.pop() {
            if from == to || self.is_good(&product.and(&after[to])?)? {
                continue;
            }
            if to - from == 1 {
                product = product.and(&functions[from])?;
                kept.push(from);
            } else {
                let middle = from + (to - from) / 2;
                runs.extend([(middle, to), (from, middle)]);
            }
        }
        Ok(kept)
    }

    /// Replaces one literal after the other, each with a view of the product of all others. A definition stays as it is.
    fn each_beside_others(
        &self,
        literals: &[Literal],
        mut replace: impl FnMut(&Literal, &Bdd) -> Result<Literal, Stop>,
    ) -> Result<Vec<Literal>, Stop> {
        let functions: Vec<Bdd> = literals.iter().map(|literal| literal.function.clone()).collect();
        let after = self.products_after(&functions)?;
        let mut before = self.everything();
        let mut replaced = Vec::with_capacity(literals.len());
        for (literal, after) in literals.iter().zip(&after[1..]) {
            let literal = match self.definition(literal.field) {
                Some(_) => literal.clone(),
                None => replace(literal, &before.and(after)?)?,
            };
            before = before.and(&literal.function)?;
            replaced.push(literal);
        }
        Ok(replaced)
    }

    /// For each position, and for the end, the product of the functions from there on.
    fn products_after(&self, functions: &[Bdd]) -> Result<Vec<Bdd>, Stop> {
        let mut products = vec![self.everything()];
        for function in functions.iter().rev() {
            let next = function.and(&products[products.len() - 1])?;
            products.push(next);
        }
        products.reverse();
        Ok(products)
    }

    pub(super) fn everything(&self) -> Bdd {
        self.bad.manager().constant(true)
    }

    fn conjunction<'b>(&self, functions: impl Iterator<Item = &'b Bdd>) -> Result<Bdd, Stop> {
        let mut product = self.everything();
        for function in functions {
            product = product.and(function)?;
        }
        Ok(product)
    }

    /// The field has this value.
    pub(super) fn exactly(&self, field: usize, value: &[bool]) -> Result<Literal, Stop> {
        let codes = Codes::Pattern(value.iter().copied().map(Some).collect());
        Ok(Literal { field, function: self.function(field, &codes)?, codes })
    }

    /// The variable has this value.
    pub(super) fn bit(&self, var: Var, value: bool) -> Bdd {
        let variable = self.bad.manager().variable(var);
        if value { variable } else { !variable }
    }
}

/// Whether these are the same values of the same fields.
fn same(some: &[Literal], others: &[Literal]) -> bool {
    some.len() == others.len()
        && some.iter().zip(others).all(|(a, b)| (a.field, &a.codes) == (b.field, &b.codes))
}
