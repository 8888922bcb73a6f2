//! Shares of the work, united in any order, with duplicates and losses, have the result of one run: on random circuits.

use fastrand::Rng;
use propcov::result::{Finding, RunResult};
use propcov::{CoverOptions, Design, Keep, ReadOptions, Share, metric, read_bytes, unite};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A random circuit in AIGER's text form, whose properties hold often.
fn circuit(rng: &mut Rng) -> String {
    let (inputs, latches, gates) = (rng.u32(1..4), rng.u32(2..6), rng.u32(3..14));
    let bads = rng.u32(1..4);
    let last = inputs + latches + gates;
    let literal = |rng: &mut Rng, last: u32| 2 * rng.u32(1..=last) + rng.u32(0..2);
    let mut text = format!("aag {last} {inputs} {latches} 0 {gates} {bads}\n");
    (1..=inputs).for_each(|input| writeln!(text, "{}", 2 * input).expect("text"));
    for latch in inputs + 1..=inputs + latches {
        writeln!(text, "{} {}", 2 * latch, literal(rng, last)).expect("text");
    }
    // What is bad is a conjunction of many.
    let tops: Vec<u32> = (0..bads).map(|_| rng.u32(inputs + latches + 1..=last)).collect();
    tops.iter().for_each(|top| writeln!(text, "{}", 2 * top).expect("text"));
    for gate in inputs + latches + 1..=last {
        writeln!(text, "{} {} {}", 2 * gate, literal(rng, gate - 1), literal(rng, gate - 1)).expect("text");
    }
    text
}

fn options(directory: &Path) -> CoverOptions {
    let metrics = ["cone", "core", "must", "mutation"].iter().filter_map(|name| metric(name)).collect();
    let elements = vec!["all".to_owned()];
    CoverOptions {
        metrics,
        elements,
        threads: Some(1),
        keep: Keep::in_directory(directory),
        ..CoverOptions::default()
    }
}

/// What was found, without who found it and how.
fn facts(result: &RunResult) -> BTreeMap<String, String> {
    let mut facts = BTreeMap::new();
    for property in &result.properties {
        facts.insert(property.name.clone(), format!("{} {}", property.verdict.name(), property.certified));
    }
    let about = |finding: &Finding| {
        format!("{} {:?} {} {:?}", finding.metric, finding.subject, finding.edit, finding.property)
    };
    for finding in &result.findings {
        facts.insert(about(finding), format!("{:?} {}", finding.verdict, finding.certified));
    }
    for share in &result.shares {
        facts.insert(
            format!("{} {:?}", share.metric, share.scope),
            format!("{:?} {}", share.tally, share.percent_text()),
        );
    }
    for element in &result.elements {
        facts.insert(element.name.clone(), format!("{:?} {:?}", element.status, element.kind));
    }
    facts
}

/// Does a share in a directory of its own, which others may be the base of.
fn share(design: &Design, place: &Path, index: u32, count: u32, others: &[PathBuf]) -> RunResult {
    let mut options = options(place);
    options.keep.others = others.to_vec();
    options.share = Share::new(index, count);
    design.cover(&options).expect("a share")
}

fn cases() -> u64 {
    std::env::var("PROPCOV_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(25)
}

#[test]
fn shares_in_any_order_with_duplicates_have_the_result_of_one_run_and_losses_are_said() {
    let (mut proved, mut lost) = (0, 0);
    for seed in 0..cases() {
        let mut rng = Rng::with_seed(seed);
        let text = circuit(&mut rng);
        let design = read_bytes("random.aag", text.as_bytes(), &ReadOptions::default()).expect("a circuit");
        let room = tempfile::tempdir().expect("a directory");
        let place = |name: String| room.path().join(name);
        let whole = design.cover(&options(&place("whole".to_owned()))).expect("a run");
        proved += whole.properties.iter().filter(|property| property.verdict.name() == "proved").count();

        let count = rng.u32(1..6);
        let mut order: Vec<u32> = (1..=count).chain((0..rng.u32(0..3)).map(|_| rng.u32(1..=count))).collect();
        rng.shuffle(&mut order);
        let mut directories: Vec<PathBuf> = Vec::new();
        for (at, index) in order.iter().enumerate() {
            let here = place(format!("{at}"));
            let known = if rng.bool() { directories.clone() } else { Vec::new() };
            let result = share(&design, &here, *index, count, &known);
            assert!(result.run.internal_errors.is_empty(), "seed {seed}: {:?}", result.run.internal_errors);
            directories.push(here);
        }
        rng.shuffle(&mut directories);
        let united = place("united".to_owned());
        // To unite again, with some of them, changes nothing.
        let union = unite(&united, &directories).expect("united");
        unite(&united, &directories[..1]).expect("united");
        assert!(union.missing.is_empty(), "seed {seed}: {:?}", union.missing);
        let settled = CoverOptions { settled: true, ..options(&united) };
        let merged = union.design.cover(&settled).expect("a result");
        let (merged, expected) = (facts(&merged), facts(&whole));
        let differ: Vec<_> =
            expected.iter().filter(|(about, said)| merged.get(*about) != Some(*said)).collect();
        let found: Vec<_> = differ.iter().map(|(about, _)| (about, merged.get(*about))).collect();
        assert!(differ.is_empty(), "seed {seed}: expected {differ:#?}, found {found:#?}\n{text}");
        assert_eq!(merged.len(), expected.len(), "seed {seed}\n{text}");

        // Without one of them, what it would have found is unknown, and all else is the same.
        if count > 1 {
            let missing = rng.u32(1..=count);
            let others: Vec<PathBuf> = (1..=count)
                .filter(|index| *index != missing)
                .map(|index| {
                    let here = place(format!("alone-{index}"));
                    share(&design, &here, index, count, &[]);
                    here
                })
                .collect();
            let partial = place("partial".to_owned());
            let union = unite(&partial, &others).expect("united");
            assert_eq!(
                union.missing.iter().map(|shard| (shard.index, shard.count)).collect::<Vec<_>>(),
                [(missing, count)]
            );
            let metrics = ["cone", "mutation"].iter().filter_map(|name| metric(name)).collect();
            let settled = CoverOptions { settled: true, metrics, ..options(&partial) };
            let merged = union.design.cover(&settled).expect("a result");
            let all = facts(&whole);
            for finding in merged.findings.iter().filter(|finding| finding.property.is_some()) {
                let about = format!(
                    "{} {:?} {} {:?}",
                    finding.metric, finding.subject, finding.edit, finding.property
                );
                let said = format!("{:?} {}", finding.verdict, finding.certified);
                // Effects are those of mutants that no property notices, which is not known here.
                let is_unclassified =
                    said == "Uncovered true" && all.get(&about).is_some_and(|all| all == "NoEffect true");
                if said.starts_with("Unknown") {
                    lost += 1;
                } else if !is_unclassified {
                    assert_eq!(Some(&said), all.get(&about), "seed {seed}: {about}\n{text}");
                }
            }
        }
    }
    assert!(
        proved as u64 >= cases() / 4 && lost > 0,
        "{proved} proved, {lost} lost: the circuits say too little"
    );
}
