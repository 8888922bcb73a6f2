//! Liveness and linear time: random systems, and the truth about them by definition.

mod explicit;
mod generate;

pub use explicit::ExplicitRuns;
pub use generate::{liveness_system, random_ltl};

use crate::cases::for_systems;
use propcov_ir::System;

/// As [`for_random_systems`](crate::for_random_systems), with [`liveness_system`]s.
///
/// # Panics
/// As [`for_random_systems`](crate::for_random_systems).
pub fn for_random_liveness_systems(
    count: u64,
    first_seed: u64,
    check: impl Fn(u64, &System) -> Result<(), String>,
) {
    for_systems(liveness_system, count, first_seed, check);
}
