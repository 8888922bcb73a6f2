//! The mutants of Chockler, Kroening and Purandare (*Coverage in interpolation-based model checking*, DAC 2010): one element
//! is cut and left open, or stuck at zero or one.
//!
//! A register is cut at its next-state function, so that its initial value stays what it was. Initial values and assumptions
//! are not mutated. An equation, as Lustre has them, says what its signal is in every step, the first one included, and is mutated in
//! every step; only [`Mutation::Stale`] has nothing to say about the first one, and leaves it.
//!
//! A number has no bits that are all 1. What goes wrong with numbers is another matter: a limit is missed by one, or a value arrives a
//! step late.

use crate::{ArrayValue, Bits, Edit, Edits, ElementId, ElementKind, Site, Sort, System, Value};
use dashu_int::IBig;
use dashu_ratio::RBig;

/// One element, mutated in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mutant {
    /// What is mutated.
    pub element: ElementId,
    /// How.
    pub mutation: Mutation,
}

/// What happens to the element of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mutation {
    /// Its value is left open in every step: NONDET.
    Free,
    /// All its bits are 0, or the number is: ZERO.
    Zero,
    /// All its bits are 1: ONE.
    One,
    /// The number is greater by one.
    OffByOne,
    /// The number is what it was designed to be one step before; in the first step, what it was designed to be there.
    Stale,
}

impl Mutation {
    /// All mutations.
    pub const ALL: [Mutation; 5] =
        [Mutation::Free, Mutation::Zero, Mutation::One, Mutation::OffByOne, Mutation::Stale];

    /// The word users type and read.
    pub fn name(self) -> &'static str {
        match self {
            Mutation::Free => "free",
            Mutation::Zero => "zero",
            Mutation::One => "one",
            Mutation::OffByOne => "off-by-one",
            Mutation::Stale => "stale",
        }
    }

    /// The mutation with this name.
    pub fn named(name: &str) -> Option<Mutation> {
        Mutation::ALL.into_iter().find(|mutation| mutation.name() == name)
    }

    /// The constant that a mutated definition of this sort becomes; `None` where it becomes none.
    pub fn constant(self, sort: &Sort) -> Option<Value> {
        match (self, sort) {
            (Mutation::Free | Mutation::OffByOne | Mutation::Stale, _) => None,
            (Mutation::Zero, Sort::BitVec(width)) => Some(Value::Bits(Bits::zero(*width))),
            (Mutation::One, Sort::BitVec(width)) => Some(Value::Bits(Bits::ones(*width))),
            (_, Sort::Array(array)) => {
                let element = self.constant(&array.element)?;
                Some(Value::Array(ArrayValue::constant(array.clone(), element)))
            }
            (Mutation::Zero, Sort::Int) => Some(Value::Int(IBig::ZERO)),
            (Mutation::Zero, Sort::Real) => Some(Value::Real(RBig::ZERO)),
            (Mutation::One, Sort::Int | Sort::Real) | (_, Sort::Enum(_)) => None,
        }
    }
}

impl Mutant {
    /// The mutant's overlay.
    ///
    /// # Panics
    /// When the mutation has no meaning for the element: see [`System::mutants_of`].
    pub fn edits(self, system: &System) -> Edits {
        let edit = match self.mutation {
            Mutation::Free => Some(Edit::Free),
            Mutation::OffByOne | Mutation::Stale => {
                system.variant(self.element, self.mutation).map(Edit::Replace)
            }
            constant => {
                system.mutable_sort(self.element).and_then(|sort| constant.constant(sort)).map(Edit::Const)
            }
        };
        match edit {
            Some(edit) => Edits::one(self.element, edit),
            None => {
                panic!("{} cannot be mutated to {}", system.element(self.element).name, self.mutation.name())
            }
        }
    }
}

impl System {
    /// The sort of what a mutable element defines; `None` for initial values and assumptions.
    pub fn mutable_sort(&self, element: ElementId) -> Option<&Sort> {
        let element = self.element(element);
        match (element.kind, element.site) {
            (ElementKind::Init | ElementKind::Assumption, _) | (_, Site::Init(_) | Site::Constraint(_)) => {
                None
            }
            (_, Site::Wire(signal) | Site::Next(signal)) => Some(&self.signal(signal).sort),
        }
    }

    /// The mutants of an element, in the order of [`Mutation::ALL`]: none for initial values and assumptions, only
    /// [`Mutation::Free`] where the sort has neither bits nor numbers. Numbers are off by one or stale where the system [says](System::add_variants)
    /// what that is.
    pub fn mutants_of(&self, element: ElementId) -> Vec<Mutant> {
        let Some(sort) = self.mutable_sort(element) else { return Vec::new() };
        let meaningful = |mutation: &Mutation| {
            *mutation == Mutation::Free
                || mutation.constant(sort).is_some()
                || self.variant(element, *mutation).is_some()
        };
        Mutation::ALL.into_iter().filter(meaningful).map(|mutation| Mutant { element, mutation }).collect()
    }
}
