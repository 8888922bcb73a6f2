//! State and transition coverage by sets of states, against the definition, mutant by mutant.
//!
//! The definition is a program twice: `testkit`, and `ctl_oracle.py`, which stands outside the project.

mod anchors;
mod binate;
mod examples;
mod exhausted;
mod linear;
mod measured;
mod oracle;
mod structures;
mod systems;
mod values;
