//! Verdicts of a metric among those that an earlier metric of the same run has recorded.
//!
//! Each property has one record. What is known stays as it is; what was not known and now is takes its place. Two answers that contradict each other are a
//! bug, and the property is unknown then.

use crate::record::{add_verdicts, stats};
use crate::{Inspection, Verdicts};
use propcov_ir::System;
use propcov_result::{Gate, Property, RunResult, Stats, Verdict};

/// Adds the sanity check, all verdicts and what they took to what is there.
pub fn join_verdicts(result: &mut RunResult, system: &System, inspection: &Inspection, verdicts: &Verdicts) {
    let mut own = RunResult::default();
    add_verdicts(&mut own, system, inspection, verdicts);
    result.run.internal_errors.append(&mut own.run.internal_errors);
    if result.properties.is_empty() {
        (result.properties, result.gate) = (own.properties, own.gate);
        join_stats(&mut result.stats, own.stats);
        return;
    }
    // Who decides a property a second time has decided nothing.
    own.stats.decided_by.clear();
    join_stats(&mut result.stats, own.stats);
    for property in own.properties {
        let there = result.properties.iter_mut().find(|one| one.name == property.name);
        match there {
            None => result.properties.push(property),
            Some(there) => result.run.internal_errors.extend(join_property(there, property)),
        }
    }
    let position = |name: &str| system.properties().iter().position(|property| property.name == name);
    result.properties.sort_by_key(|property| position(&property.name));
    match (&mut result.gate, own.gate) {
        (Some(there), Some(own)) => join_gate(there, own),
        (there, own) => *there = there.take().or(own),
    }
}

/// Adds another answer to the same property; an internal error where one contradicts the other.
fn join_property(there: &mut Property, own: Property) -> Option<String> {
    let is_decided = |one: &Property| !matches!(one.verdict, Verdict::Bounded | Verdict::Unknown);
    match (is_decided(there), is_decided(&own)) {
        (true, true) if there.verdict != own.verdict => {
            let [first, second] =
                [&*there, &own].map(|one| format!("{} by {}", one.verdict.name(), engine(one)));
            there.reason = Some(format!("{first}, {second}"));
            (there.verdict, there.certified) = (Verdict::Unknown, false);
            Some(format!("{}: {first}, {second}", there.name))
        }
        (is_known, true) if !is_known || own.certified && !there.certified => {
            let (seconds, vacuous) = (there.seconds, there.vacuous);
            *there = own;
            there.seconds += seconds;
            there.vacuous |= vacuous;
            None
        }
        _ => {
            there.vacuous |= own.vacuous;
            None
        }
    }
}

fn engine(property: &Property) -> &str {
    property.engine.as_deref().unwrap_or("nobody")
}

fn join_gate(there: &mut Gate, own: Gate) {
    fn join<T: PartialEq>(there: &mut Vec<T>, own: Vec<T>) {
        for one in own {
            if !there.contains(&one) {
                there.push(one);
            }
        }
    }
    join(&mut there.constant, own.constant);
    join(&mut there.vacuous, own.vacuous);
    join(&mut there.untested, own.untested);
    there.obligations = there.obligations.max(own.obligations);
    there.fairness = own.fairness.or(there.fairness.take());
}

/// Adds what another part of the same run took.
fn join_stats(stats: &mut Stats, own: Stats) {
    for (phase, seconds) in own.seconds {
        let sum = stats.seconds.entry(phase).or_default();
        *sum = stats::finely_rounded(*sum + seconds);
    }
    for (all, more) in [
        (&mut stats.solver_calls, own.solver_calls),
        (&mut stats.counts, own.counts),
        (&mut stats.decided_by, own.decided_by),
    ] {
        for (what, count) in more {
            *all.entry(what).or_default() += count;
        }
    }
    stats.ticks += own.ticks;
    stats.states = own.states.or(stats.states.take());
    stats.diagrams = own.diagrams.or(stats.diagrams.take());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn property(name: &str, verdict: Verdict, certified: bool) -> Property {
        let json = format!(
            r#"{{"name":"{name}","kind":"ctl","verdict":"{}","certified":{certified},"seconds":1.0}}"#,
            verdict.name()
        );
        serde_json::from_str(&json).expect("a property")
    }

    #[test]
    fn what_is_known_stays_and_what_was_not_known_is_filled_in() {
        let mut there = property("p", Verdict::Unknown, false);
        assert_eq!(join_property(&mut there, property("p", Verdict::Proved, false)), None);
        assert_eq!((there.verdict, there.certified, there.seconds), (Verdict::Proved, false, 2.0));
        assert_eq!(join_property(&mut there, property("p", Verdict::Unknown, false)), None);
        assert_eq!(there.verdict, Verdict::Proved);
        assert_eq!(join_property(&mut there, property("p", Verdict::Proved, true)), None);
        assert!(there.certified);
    }

    #[test]
    fn answers_that_contradict_each_other_are_a_bug() {
        let mut there = property("p", Verdict::Proved, true);
        let error = join_property(&mut there, property("p", Verdict::Falsified, true));
        assert!(error.is_some_and(|error| error.starts_with("p: proved by")));
        assert_eq!((there.verdict, there.certified), (Verdict::Unknown, false));
    }
}
