//! A set as a short list of products over the user's variables, largest first.
//!
//! A diagram says which states are in a set, but nobody can read it, and a list of states may be endless. What people read are products
//! such as `state1 = n1 & turn = 1`. Each one here is a prime: grown from one point of the set until nothing can be left out
//! (`expand`, `widen`), where points outside a given space do not matter, which is what makes products short; they are counted without such points. Variables that are not
//! preferred are left out first. Growing is repeated from other points and in other orders until all of the set is in some product, or enough
//! has been tried; among what was found, the list is the greedy one (`select`): each product has the most points that none before it has.
//!
//! The points may be states, or pairs of a state and its successor: a [`Field`] is a variable of the user with the variables of the diagrams
//! that stand for its bits, now or in the next step. Products may also speak of Boolean definitions of the user (`defined`), where that is shorter or
//! has more points; products without definitions are made nevertheless. Nothing depends on the order of the variables in the diagrams, unless the
//! effort runs out.
//!
//! The pieces are those of two-level minimisation (expansion against the complement, then a cover), as in Brayton, Hachtel,
//! McMullen and Sangiovanni-Vincentelli, *Logic Minimization Algorithms for VLSI Synthesis*, 1984, on many-valued variables; the
//! difference is that the complement is a diagram and never listed.

mod defined;
mod expand;
mod fields;
mod select;
mod text;
mod widen;

use crate::ctl::{Evaluator, Failure};
use dashu_int::UBig;
use propcov_bdd::{Bdd, Stop, Var};
use propcov_ir::{Bits, SignalId, Sort, System, Value};
use rustc_hash::FxHashSet;

pub use defined::{Defined, Vocabulary};
pub use fields::{When, of_states, states_behind};

/// Fields with at most this many bits have value sets; others have ranges and patterns.
const SMALL: usize = 6;
/// Ranges are tried for fields of at most this many bits.
const RANGED: usize = 64;

/// A variable that products speak of: a state, or an element of an array.
#[derive(Clone, Debug)]
pub struct Field {
    /// What it is called.
    pub label: String,
    /// Whose value it is, or a part of.
    pub signal: SignalId,
    /// Which part, if it is an element of an array: an index, and one in that for each array in an array.
    pub indices: Vec<u64>,
    /// Which step it belongs to.
    pub when: When,
    /// A bit-vector or an enumeration.
    pub sort: Sort,
    /// The variables of its bits, least significant first; at least one.
    pub bits: Vec<Var>,
    /// Whether products had better speak of this one.
    pub preferred: bool,
}

/// Some values of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// One of these, in ascending order.
    Among(Vec<Value>),
    /// From the first to the second.
    Range(Value, Value),
    /// Words with these bits, least significant first; `None` is any.
    Pattern(Vec<Option<bool>>),
}

/// A field has one of some values, or a definition is true or false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CubeLiteral {
    /// What the field is called.
    pub label: String,
    /// Whose value it is, or a part of.
    pub signal: SignalId,
    /// Which part, as in [`Field::indices`].
    pub indices: Vec<u64>,
    /// Which step it belongs to.
    pub when: When,
    /// The sort of the values.
    pub sort: Sort,
    /// The values.
    pub values: Values,
}

/// A product of value sets; what has no literal may have any value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateCube {
    /// Definitions first, then preferred fields.
    pub literals: Vec<CubeLiteral>,
    /// How many points of the set it has that no earlier product of the list has.
    pub count: UBig,
    /// These points.
    pub points: Bdd,
}

/// A set as products.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cover {
    /// Largest first.
    pub cubes: Vec<StateCube>,
    /// How many points of the set are in none of them.
    pub rest: UBig,
}

/// At most so many products which together have all points of the set, unless more are needed, and no other points of the space. The set is
/// within the space, and both depend on the variables of the fields only, as do the definitions that products may speak of.
///
/// # Errors
/// When the budget of the diagrams is exhausted.
pub fn cover(
    fields: &[Field],
    defined: &[Defined],
    set: &Bdd,
    space: &Bdd,
    most: usize,
) -> Result<Cover, Stop> {
    select::cover(&Points::new(fields, defined, set, space)?, most)
}

impl Evaluator {
    /// A set of states as products; see [`cover`].
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn state_cubes(
        &mut self,
        system: &System,
        set: &Bdd,
        space: &Bdd,
        words: Vocabulary<'_>,
        most: usize,
    ) -> Result<Cover, Failure> {
        self.products(system, set, space, words, most, &[When::Now])
    }

    /// A set of transitions as products over states and next states.
    ///
    /// # Errors
    /// When the budget does not suffice.
    pub fn transition_cubes(
        &mut self,
        system: &System,
        set: &Bdd,
        space: &Bdd,
        words: Vocabulary<'_>,
        most: usize,
    ) -> Result<Cover, Failure> {
        self.products(system, set, space, words, most, &[When::Now, When::Next])
    }

    /// Products that speak of these steps.
    fn products(
        &mut self,
        system: &System,
        set: &Bdd,
        space: &Bdd,
        words: Vocabulary<'_>,
        most: usize,
        steps: &[When],
    ) -> Result<Cover, Failure> {
        let preferred = states_behind(system, words.preferred);
        let (mut fields, mut defined) = (Vec::new(), Vec::new());
        for when in steps {
            let vars = if *when == When::Now { &self.model.current } else { &self.model.next };
            fields.extend(of_states(&self.model.netlist, system, vars, *when, &preferred));
            defined.extend(self.definitions(system, words.defined, *when)?);
        }
        Ok(cover(&fields, &defined, set, space, most)?)
    }
}

/// What products are made of and for.
struct Points<'a> {
    fields: &'a [Field],
    /// Their numbers go on after those of the fields.
    defined: &'a [Defined],
    /// What products are to have.
    set: &'a Bdd,
    /// What they must not have: the rest of the space.
    bad: Bdd,
    /// All variables, field by field, most significant bits first.
    vars: Vec<Var>,
    /// Whether what is bad depends on the field; definitions are always asked.
    matters: Vec<bool>,
}

/// Some values of a field by their codes: the numbers that words are, and the positions of enumerations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Codes {
    Among(Vec<u64>),
    Range(u64, u64),
    Pattern(Vec<Option<bool>>),
}

/// A field with some values of it, and the function of these.
#[derive(Clone)]
struct Literal {
    /// The number of a field, or of a definition.
    field: usize,
    codes: Codes,
    function: Bdd,
}

impl<'a> Points<'a> {
    fn new(
        fields: &'a [Field],
        defined: &'a [Defined],
        set: &'a Bdd,
        space: &Bdd,
    ) -> Result<Points<'a>, Stop> {
        let vars = fields.iter().flat_map(|field| field.bits.iter().rev().copied()).collect();
        let bad = space.minus(set)?;
        let support: FxHashSet<Var> = bad.support().into_iter().collect();
        let matters = fields.iter().map(|field| field.bits.iter().any(|var| support.contains(var)));
        let matters = matters.chain(defined.iter().map(|_| true)).collect();
        Ok(Points { fields, defined, set, bad, vars, matters })
    }

    /// Whether a product has no bad point.
    fn is_good(&self, product: &Bdd) -> Result<bool, Stop> {
        Ok(!product.intersects(&self.bad)?)
    }

    fn count(&self, points: &Bdd) -> UBig {
        points.count(&self.vars)
    }

    fn shown(&self, literal: &Literal) -> CubeLiteral {
        if let Some(definition) = self.definition(literal.field) {
            return definition.shown(&literal.codes);
        }
        let field = &self.fields[literal.field];
        let value = |code: u64| field.value(code);
        let values = match &literal.codes {
            Codes::Among(codes) => Values::Among(codes.iter().map(|code| value(*code)).collect()),
            Codes::Range(low, high) => Values::Range(value(*low), value(*high)),
            Codes::Pattern(bits) => Values::Pattern(bits.clone()),
        };
        let (label, indices, sort) = (field.label.clone(), field.indices.clone(), field.sort.clone());
        CubeLiteral { label, signal: field.signal, indices, when: field.when, sort, values }
    }
}

impl Field {
    /// Whether all values can be listed.
    fn is_small(&self) -> bool {
        self.bits.len() <= SMALL
    }

    /// The greatest code that is a value; for fields of at most [`RANGED`] bits.
    fn last_code(&self) -> u64 {
        match &self.sort {
            Sort::Enum(sort) => (sort.variants.len() as u64).saturating_sub(1),
            _ => u64::MAX >> (64 - self.bits.len().clamp(1, 64)),
        }
    }

    fn value(&self, code: u64) -> Value {
        match &self.sort {
            Sort::Enum(sort) => Value::Enum(sort.clone(), code as u32),
            _ => Value::Bits(Bits::from_u64(self.bits.len() as u32, code)),
        }
    }
}

impl Values {
    /// Whether the value is one of them.
    pub fn have(&self, value: &Value) -> bool {
        match (self, value) {
            (Values::Among(values), _) => values.contains(value),
            (Values::Range(Value::Bits(low), Value::Bits(high)), Value::Bits(bits)) => {
                (low..=high).contains(&bits)
            }
            (Values::Range(Value::Enum(_, low), Value::Enum(_, high)), Value::Enum(_, position)) => {
                (low..=high).contains(&position)
            }
            (Values::Pattern(pattern), Value::Bits(bits)) => (0..)
                .zip(pattern)
                .all(|(index, wanted)| wanted.is_none_or(|wanted| bits.bit(index) == wanted)),
            _ => false,
        }
    }
}
