//! Random small Lustre programs, what they mean, and what is true of them.
//!
//! Nothing here knows the front end: the meaning of a program comes from its own tree, step by step, with the memory of each node instance
//! ([`Machine`]); the truth about its properties comes from going through all its runs ([`explore()`]). Tests compare both with what the front end and the engines say
//! ([`for_random_lustre`]).

mod cases;
mod explore;
mod generate;
mod instances;
mod machine;
mod print;
mod shrink;
mod syntax;
mod value;

pub use cases::{Failure, LustreCase, for_random_lustre, for_random_programs};
pub use explore::{Answer, Answers, Limits, explore};
pub use generate::{Kind, lustre_program};
pub use machine::{Choose, Instant, Machine, Memory};
pub use shrink::shrink_program;
pub use syntax::{
    Binary, Constant, EnumType, Equation, Expr, Node, Program, RecordType, Type, Unary, Variable,
};
pub use value::Datum;
