//! Concurrent assertions of SystemVerilog, by the definition in Annex F of IEEE 1800: words with the two special letters, tight satisfaction, and what is
//! derived from them. Slow, and nothing but the definition; it knows of no automaton.

mod meaning;
mod print;
mod random;
mod shrink;
mod syntax;

pub use meaning::{attempt_reaches, failing_tick, failing_tick_among, is_legal, marked_ticks, reaching_tick};
pub use print::{property_text, sequence_text};
pub use random::{random_property, random_word};
pub use shrink::{shrunk_property, shrunk_word};
pub use syntax::{Bool, Prop, Range, Seq};

/// How many conditions there are: `a`, `b`, `c`.
pub const ATOMS: usize = 3;

/// Which conditions hold at a tick.
pub type Letter = [bool; ATOMS];
