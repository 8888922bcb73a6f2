//! Shares of the work, united in any order, with duplicates and losses, have the result of one run: on random circuits.

use fastrand::Rng;
use propcov::report::terminal::Style;
use propcov::report::text::TextOptions;
use propcov::report::{Material, Rendering, format};
use propcov::result::{Finding, RunResult};
use propcov::{
    CheckOptions, CoresOptions, CoverOptions, Design, Goal, Keep, ReadOptions, Share, metric, read_bytes,
    unite,
};
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

/// A circuit with several reasons why its properties hold: what is bad needs several latches, each of which stays low for a reason of its own.
fn redundant(rng: &mut Rng) -> String {
    let (inputs, reasons, bads) = (rng.u32(1..4), rng.u32(2..5), rng.u32(1..3));
    // Two latches for each: one that stays low, and one that follows it or an input as well.
    let latches = 2 * reasons;
    let first_gate = inputs + latches + 1;
    let latch = |reason: u32, which: u32| 2 * (inputs + 1 + 2 * reason + which);
    let mut gates: Vec<(u32, u32)> = Vec::new();
    let mut gate = |left: u32, right: u32| {
        gates.push((left, right));
        2 * (first_gate + gates.len() as u32 - 1)
    };
    let mut next = Vec::new();
    for reason in 0..reasons {
        let choice = 2 * rng.u32(1..=inputs) + rng.u32(0..2);
        next.push(gate(latch(reason, 0), choice));
        let other = latch(rng.u32(0..reasons), 0);
        next.push(if rng.bool() { gate(latch(reason, 0), other) } else { latch(reason, 0) });
    }
    let mut tops = Vec::new();
    for _ in 0..bads {
        let mut top = 2 * rng.u32(1..=inputs);
        for _ in 0..rng.u32(2..5) {
            top = gate(top, latch(rng.u32(0..reasons), rng.u32(0..2)));
        }
        tops.push(top);
    }
    let last = inputs + latches + gates.len() as u32;
    let mut text = format!("aag {last} {inputs} {latches} 0 {} {bads}\n", gates.len());
    (1..=inputs).for_each(|input| writeln!(text, "{}", 2 * input).expect("text"));
    for (at, next) in next.iter().enumerate() {
        writeln!(text, "{} {next}", 2 * (inputs + 1 + at as u32)).expect("text");
    }
    tops.iter().for_each(|top| writeln!(text, "{top}").expect("text"));
    for (at, (left, right)) in gates.iter().enumerate() {
        let (left, right) = (left.max(right), left.min(right));
        writeln!(text, "{} {left} {right}", 2 * (first_gate + at as u32)).expect("text");
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

/// The facts as they are written for users: equal ones are equal bytes.
fn bytes(result: &RunResult) -> String {
    let mut bytes = Vec::new();
    let (options, style, material) = (TextOptions::default(), Style::default(), Material::default());
    let rendering = Rendering { result, material: &material, options: &options, style: &style };
    (format("facts").expect("a format").write)(&rendering, &mut bytes).expect("written");
    String::from_utf8(bytes).expect("text")
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
        assert_eq!(bytes(&merged), bytes(&whole), "seed {seed}\n{text}");
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

/// The shares of some work in a random order, some of them twice.
fn order(rng: &mut Rng, count: u32) -> Vec<u32> {
    let mut order: Vec<u32> = (1..=count).chain((0..rng.u32(0..3)).map(|_| rng.u32(1..=count))).collect();
    rng.shuffle(&mut order);
    order
}

#[test]
fn shares_of_cores_have_all_cores_of_one_run() {
    let (mut several, mut open) = (0, 0);
    for seed in 0..cases() {
        let mut rng = Rng::with_seed(seed);
        let text = if rng.u8(..4) == 0 { circuit(&mut rng) } else { redundant(&mut rng) };
        let design = read_bytes("random.aag", text.as_bytes(), &ReadOptions::default()).expect("a circuit");
        let room = tempfile::tempdir().expect("a directory");
        let asked = |name: &str, goal: Goal| CoresOptions {
            goal,
            threads: Some(1),
            keep: Keep::in_directory(room.path().join(name)),
            ..CoresOptions::default()
        };
        let whole = design.cores(&asked("whole", Goal::All)).expect("cores");
        several += whole.cores.iter().filter(|row| row.cores.len() > 1).count();
        // A first stage that all of them start from, or none.
        let base: Vec<PathBuf> = match rng.bool() {
            true => {
                design.cores(&asked("base", Goal::Minimal)).expect("a core");
                vec![room.path().join("base")]
            }
            false => Vec::new(),
        };
        let count = rng.u32(1..6);
        let missing = (count > 1 && rng.bool()).then(|| rng.u32(1..=count));
        let mut directories = base.clone();
        for (at, index) in order(&mut rng, count).into_iter().enumerate() {
            if Some(index) == missing {
                continue;
            }
            let mut options = asked(&at.to_string(), Goal::All);
            options.keep.others.clone_from(&base);
            options.share = Share::new(index, count);
            let result = design.cores(&options).expect("a share");
            assert!(result.run.internal_errors.is_empty(), "seed {seed}: {:?}", result.run.internal_errors);
            directories.push(room.path().join(at.to_string()));
        }
        rng.shuffle(&mut directories);
        let union = unite(&room.path().join("united"), &directories).expect("united");
        let settled = CoresOptions { settled: true, ..asked("united", Goal::All) };
        let merged = union.design.cores(&settled).expect("a result");
        assert!(merged.run.internal_errors.is_empty(), "seed {seed}: {:?}", merged.run.internal_errors);
        match missing {
            None => assert_eq!(bytes(&merged), bytes(&whole), "seed {seed}, {count} shares\n{text}"),
            // What is said to be complete is.
            Some(_) => {
                let expected = bytes(&whole);
                let rows = bytes(&merged);
                let rows = rows.lines().filter(|line| line.contains("\"cores of\""));
                for row in rows {
                    let is_complete = row.contains("\"complete\":true");
                    open += usize::from(!is_complete);
                    assert!(!is_complete || expected.contains(row), "seed {seed}: {row}\n{expected}\n{text}");
                }
            }
        }
    }
    assert!(
        several as u64 >= cases() / 4 && open > 0,
        "{several} with several cores, {open} open: too little"
    );
}

#[test]
fn shares_of_properties_have_the_verdicts_of_one_run() {
    let (mut proved, mut violated, mut open) = (0, 0, 0);
    for seed in 0..cases() {
        let mut rng = Rng::with_seed(seed);
        let text = circuit(&mut rng);
        let design = read_bytes("random.aag", text.as_bytes(), &ReadOptions::default()).expect("a circuit");
        let room = tempfile::tempdir().expect("a directory");
        let whole = design.check(&CheckOptions::default()).expect("verdicts");
        for property in &whole.properties {
            match property.verdict.name() {
                "proved" => proved += 1,
                _ => violated += 1,
            }
        }
        let count = rng.u32(1..6);
        let missing = (count > 1 && rng.bool()).then(|| rng.u32(1..=count));
        let mut directories: Vec<PathBuf> = Vec::new();
        for (at, index) in order(&mut rng, count).into_iter().enumerate() {
            if Some(index) == missing {
                continue;
            }
            let place = room.path().join(at.to_string());
            let mut keep = Keep::in_directory(&place);
            keep.others = if rng.bool() { directories.clone() } else { Vec::new() };
            let options = CheckOptions { keep, share: Share::new(index, count), ..CheckOptions::default() };
            let result = design.check(&options).expect("a share");
            assert!(result.run.internal_errors.is_empty(), "seed {seed}: {:?}", result.run.internal_errors);
            directories.push(place);
        }
        rng.shuffle(&mut directories);
        let united = room.path().join("united");
        let union = unite(&united, &directories).expect("united");
        let options =
            CheckOptions { keep: Keep::in_directory(&united), settled: true, ..CheckOptions::default() };
        let merged = union.design.check(&options).expect("a result");
        match missing {
            None => assert_eq!(bytes(&merged), bytes(&whole), "seed {seed}\n{text}"),
            Some(_) => {
                for (known, all) in merged.properties.iter().zip(&whole.properties) {
                    let is_open = known.verdict.name() == "unknown";
                    open += usize::from(is_open);
                    assert!(is_open || (known.verdict, known.certified) == (all.verdict, all.certified));
                }
            }
        }
    }
    let least = cases() as usize / 4;
    assert!(proved >= least && violated >= least && open > 0, "{proved} {violated} {open}: too little");
}
