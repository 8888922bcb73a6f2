//! Systems that tests ask about.

use propcov_engine::Limits;
use propcov_frontend::{Design, read};
use propcov_ir::{PropertyId, System};
use propcov_verify::{Options, Silent, Verifier};
use std::time::{Duration, Instant};

/// Sums of products are equal whatever the order of factors, which is hard for every engine; and a bit stays low, which is not, though some of it looks as if.
pub(crate) const HARD_AND_EASY: &str = "1 sort bitvec 24\n2 sort bitvec 1\n3 input 1 x\n4 input 1 y\n5 zero 1\n6 zero 2\n\
    7 state 1 p\n8 state 1 q\n9 state 2 bit\n10 init 1 7 5\n11 init 1 8 5\n12 init 2 9 6\n13 mul 1 3 4\n14 mul 1 4 3\n\
    15 add 1 7 13\n16 add 1 8 14\n17 next 1 7 15\n18 next 1 8 16\n19 next 2 9 9\n20 neq 2 7 8\n21 bad 20 equal\n22 bad 9 low\n23 ite 2 9 20 9\n24 bad 23 still.low\n";

pub(crate) const EQUAL: PropertyId = PropertyId(0);
pub(crate) const LOW: PropertyId = PropertyId(1);
pub(crate) const STILL_LOW: PropertyId = PropertyId(2);

pub(crate) fn design(name: &str, text: &str) -> Design {
    read(name, text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn hard_and_easy() -> Design {
    design("hard.btor2", HARD_AND_EASY)
}

pub(crate) fn verifier(system: &System, limits: Limits) -> Verifier<'_> {
    Verifier::new(system, Options::default(), limits, &Silent)
}

/// Limits that end after some time.
pub(crate) fn within(time: Duration) -> Limits {
    let mut limits = Limits::default();
    limits.deadline = Some(Instant::now() + time);
    limits
}

/// All properties of a system.
pub(crate) fn all(system: &System) -> Vec<PropertyId> {
    (0..system.properties().len() as u32).map(PropertyId).collect()
}
