//! How hard is tried when nobody has said how long.

use propcov_budget::Effort;

/// Clock ticks of the first attempt at a property among others, a fraction of a second; from round to round it doubles.
const FIRST: u64 = 4_000_000;
/// The last round of the default effort: some minutes for each property that is left by then.
const LAST_ROUND: u32 = 10;
/// The last round of a brief attempt, some seconds.
const LAST_BRIEF_ROUND: u32 = 4;

/// Ticks of an attempt in a round.
pub(crate) fn ticks_of(round: u32) -> u64 {
    FIRST.saturating_mul(1u64.checked_shl(round).unwrap_or(u64::MAX))
}

/// Whether this round is the last.
pub(crate) fn is_last(round: u32, brief: bool, effort: Effort, has_deadline: bool) -> bool {
    if brief {
        round >= LAST_BRIEF_ROUND
    } else {
        effort == Effort::Default && !has_deadline && round >= LAST_ROUND
    }
}

/// Ticks of an attempt at the only property that is left.
pub(crate) fn last_ticks(effort: Effort, has_deadline: bool) -> u64 {
    if effort == Effort::Default && !has_deadline { ticks_of(LAST_ROUND) } else { u64::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_double_and_end_unless_there_is_a_deadline_or_all_effort_is_asked_for() {
        assert_eq!(ticks_of(3), 8 * ticks_of(0));
        assert_eq!(ticks_of(200), u64::MAX);
        let ends = |effort, deadline| (0..64).any(|round| is_last(round, false, effort, deadline));
        assert!(ends(Effort::Default, false));
        assert!(!ends(Effort::Default, true) && !ends(Effort::Max, false));
        assert!(is_last(LAST_BRIEF_ROUND, true, Effort::Max, true));
    }
}
