//! From a word-level [`System`](propcov_ir::System) to clauses.
//!
//! The way down, one file per step: [`netlist`] bit-blasts the cone of the properties into an and-inverter graph
//! ([`aig`]), [`cnf`] turns that graph once into a template of clauses, and [`unroll`] instantiates the template per time
//! frame. [`bit_trace`] leads back up, from values of latches and inputs to a trace of the system. Systems with ints and reals go another way:
//! [`arith`].

pub mod aig;
pub mod arith;
pub mod bit_trace;
pub mod cnf;
pub mod netlist;
pub mod unroll;

pub use aig::{Aig, Bit};
pub use bit_trace::{BitStep, BitTrace, state_bit, value};
pub use cnf::Template;
pub use netlist::{BitOrigin, Contents, Init, Latch, Netlist, Selector, Unsupported};
pub use unroll::{ClauseSink, Frames, Unroller, at_most_one};
