//! The random systems are worth testing with: a mix of verdicts, deep counterexamples, and cheap to explore.

use propcov_ir::{Edits, PropertyId, System};
use propcov_testkit::{Explicit, Outcome, bit_level_system, word_level_system};

#[derive(Debug, Default)]
struct Mix {
    systems: usize,
    properties: usize,
    violated_at_once: usize,
    violated_later: usize,
    violated_deep: usize,
    deepest: usize,
    holds: usize,
    holds_deep: usize,
    without_run: usize,
    reachable: usize,
}

fn mix(generate: impl Fn(u64) -> System) -> Mix {
    let mut mix = Mix::default();
    for seed in 0..2000 {
        let system = generate(seed);
        system.validate().expect("random systems are valid");
        let explicit = Explicit::explore(&system, &Edits::none()).expect("random systems are small");
        mix.systems += 1;
        mix.reachable += explicit.reachable();
        mix.without_run += usize::from(!explicit.assumptions_consistent());
        for property in 0..system.properties().len() as u32 {
            mix.properties += 1;
            match explicit.outcome(PropertyId(property)) {
                Outcome::Violated { depth: 0 } => mix.violated_at_once += 1,
                Outcome::Violated { depth } => {
                    mix.violated_later += 1;
                    mix.violated_deep += usize::from(depth >= 6);
                    mix.deepest = mix.deepest.max(depth);
                }
                Outcome::Holds { diameter, .. } => {
                    mix.holds += 1;
                    mix.holds_deep += usize::from(diameter >= 6);
                }
            }
        }
    }
    mix
}

fn check(mix: &Mix) {
    let percent = |count: usize| 100 * count / mix.properties;
    assert!((10..30).contains(&percent(mix.violated_at_once)), "{mix:?}");
    assert!((20..40).contains(&percent(mix.violated_later)), "{mix:?}");
    assert!((3..10).contains(&percent(mix.violated_deep)), "{mix:?}");
    assert!((40..60).contains(&percent(mix.holds)), "{mix:?}");
    assert!((10..30).contains(&percent(mix.holds_deep)), "{mix:?}");
    assert!(mix.deepest >= 30, "{mix:?}");
    assert!((2..20).contains(&(100 * mix.without_run / mix.systems)), "{mix:?}");
    assert!(mix.reachable / mix.systems >= 20, "{mix:?}");
}

#[test]
fn bit_level_systems_have_a_mix_of_outcomes() {
    check(&mix(bit_level_system));
}

#[test]
fn word_level_systems_have_a_mix_of_outcomes() {
    check(&mix(word_level_system));
}
