//! Invariants from templates.
