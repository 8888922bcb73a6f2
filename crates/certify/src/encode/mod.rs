//! From word-level expressions straight to clauses.
//!
//! This encoder is the certifier's own: it shares no circuit, no simplification and no data structure with the engines
//! whose proofs it checks. It is written to be obviously right first; what keeps it fast is that it is lazy (only what
//! the claim reads is encoded), that equal expressions are encoded once per step, and that negation costs nothing.
//!
//! Numbers come in by another [`Encoding`] of values, `arith`, which has this one for everything that is finite.

mod arithmetic;
mod array;
mod encoding;
mod gates;
mod selectors;
mod unrolling;
mod word;

pub use array::with_tables_up_to;
pub(crate) use encoding::Encoding;
pub(crate) use gates::Gates;
pub(crate) use selectors::{Mutations, Selection, Selectors};
pub(crate) use unrolling::{Start, Steps, Unrolling};
pub(crate) use word::Word;
