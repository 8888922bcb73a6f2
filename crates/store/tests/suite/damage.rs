//! Files that are cut off, changed or missing: what is lost is what was said there, and what rests on it.

use crate::common::{archive, files, journal, random_findings, random_proof, recall, said, scratch};
use propcov_ir::{PropertyId, System};
use propcov_store::Question;
use propcov_testkit::{Random, all_mutants, random_system};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

struct Example {
    directory: tempfile::TempDir,
    system: System,
    /// All that is said.
    whole: BTreeSet<[String; 5]>,
}

impl Example {
    /// Two runs with findings.
    fn new() -> Example {
        let directory = scratch();
        let system = random_system(8);
        for seed in 1..3 {
            let findings = random_findings(&mut Random::new(seed), &system);
            let mut journal = journal(directory.path(), &system);
            // Many lines, as runs have them.
            findings.chunks(4).for_each(|part| journal.add_findings(part));
            journal.add_proved(
                PropertyId(0),
                &Arc::new(random_proof(&mut Random::new(seed), &system)),
                "",
                0.0,
            );
            let question = Question { properties: &[PropertyId(0)], observe: &[] };
            let proof = random_proof(&mut Random::new(seed + 7), &system);
            let mutant = all_mutants(&system)[0];
            journal.add_no_effect(propcov_ir::Digest::of(b""), &question, mutant, &system, &proof);
            journal.write_result(&serde_json::json!({ "seed": seed })).expect("written");
        }
        let whole = read(directory.path(), &system);
        assert!(whole.len() > 20);
        Example { directory, system, whole }
    }

    fn segments(&self) -> Vec<PathBuf> {
        let is_segment = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "jsonl");
        files(self.directory.path()).into_iter().filter(is_segment).collect()
    }

    /// What is read while a file has another content.
    fn with(&self, file: &Path, bytes: &[u8]) -> BTreeSet<[String; 5]> {
        let original = std::fs::read(file).expect("readable");
        std::fs::write(file, bytes).expect("written");
        let found = read(self.directory.path(), &self.system);
        std::fs::write(file, original).expect("written");
        found
    }

    /// What rests on a line of a file: by reading the lines as text, not by the crate's own index.
    fn resting_on(&self, line: &str) -> BTreeSet<[String; 5]> {
        let text = |part: &str| -> String {
            let files = self.segments().into_iter().filter(|file| file.to_string_lossy().contains(part));
            files.map(|file| std::fs::read_to_string(file).expect("text")).collect()
        };
        let id = |line: &str| {
            let json: serde_json::Value = serde_json::from_str(line).expect("JSON");
            ["run", "proof"].iter().find_map(|kind| Some(json[kind]["id"].as_str()?.to_owned()))
        };
        // Said more than once is not lost with one line.
        let evidence = text("evidence");
        let copies = |name: &str| evidence.lines().filter(|other| id(other).as_deref() == Some(name)).count();
        let Some(name) = id(line) else {
            let only: Vec<String> =
                text("findings").lines().filter(|other| *other != line).map(str::to_owned).collect();
            let lost = statements(&[line.to_owned()]);
            return lost.difference(&statements(&only)).cloned().collect();
        };
        let mut gone: BTreeSet<String> = BTreeSet::from([name.clone()]);
        if copies(&name) > 1 {
            // Still those that refer to the clauses of this very line.
            gone.clear();
        }
        for other in evidence.lines().filter(|other| other.contains(&format!("\"of\":\"{name}\""))) {
            gone.extend(id(other).filter(|other| copies(other) == 1));
        }
        self.whole.iter().filter(|said| gone.contains(&said[4])).cloned().collect()
    }
}

/// All findings that a directory has.
fn read(directory: &Path, system: &System) -> BTreeSet<[String; 5]> {
    recall(directory, system, true).findings.iter().map(|claimed| said(system, claimed)).collect()
}

/// What lines of findings say.
fn statements(lines: &[String]) -> BTreeSet<[String; 5]> {
    let mut said = BTreeSet::new();
    for line in lines {
        let json: serde_json::Value = serde_json::from_str(line).expect("JSON");
        for (kind, verdict, evidence) in [("killed", "covered", "run"), ("survived", "uncovered", "proof")] {
            let record = &json[kind];
            for (edit, mutants) in record["mutants"].as_object().into_iter().flatten() {
                let names: Vec<String> = match mutants {
                    serde_json::Value::Object(kills) => kills.keys().cloned().collect(),
                    list => serde_json::from_value(list.clone()).expect("names"),
                };
                let (edit, _) = edit.split_once(' ').expect("an edit and a place");
                let text = |field: &str| record[field].as_str().expect("text").to_owned();
                said.extend(names.into_iter().map(|name| {
                    [text("property"), name, edit.to_owned(), verdict.to_owned(), text(evidence)]
                }));
            }
        }
    }
    said
}

#[test]
fn a_missing_line_costs_what_it_says_and_what_rests_on_it() {
    let example = Example::new();
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for file in example.segments() {
        let text = std::fs::read_to_string(&file).expect("text");
        for (at, line) in text.lines().enumerate().skip(1) {
            let rest: String = text
                .lines()
                .enumerate()
                .filter(|(other, _)| *other != at)
                .map(|(_, line)| format!("{line}\n"))
                .collect();
            let lost = example.resting_on(line);
            let expected: BTreeSet<_> = example.whole.difference(&lost).cloned().collect();
            assert_eq!(example.with(&file, rest.as_bytes()), expected, "{line}");
            let kind = line.split('"').nth(5).expect("a kind").to_owned();
            *kinds.entry(kind).or_default() += usize::from(!lost.is_empty());
        }
    }
    for kind in ["run", "proof", "killed", "survived"] {
        assert!(kinds[kind] > 0, "no {kind} was ever missed: {kinds:?}");
    }
}

#[test]
fn a_changed_bit_costs_at_most_one_line() {
    let example = Example::new();
    let random = &mut Random::new(17);
    for file in example.segments() {
        let original = std::fs::read(&file).expect("readable");
        for _ in 0..60 {
            let bit = random.below(original.len() * 8);
            let mut changed = original.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            // Bits of line ends, too: these are rare.
            let line_of = |at: usize| original[..at].iter().filter(|byte| **byte == b'\n').count();
            let text = String::from_utf8_lossy(&original).into_owned();
            let line = text.lines().nth(line_of(bit / 8)).expect("a line");
            let lost = if line.contains("\"segment\":") { BTreeSet::new() } else { example.resting_on(line) };
            let at_least: BTreeSet<_> = example.whole.difference(&lost).cloned().collect();
            let found = example.with(&file, &changed);
            assert!(found.is_superset(&at_least) && found.is_subset(&example.whole), "bit {bit} of {file:?}");
        }
    }
}

#[test]
fn a_file_that_is_cut_off_has_all_lines_before() {
    let example = Example::new();
    let random = &mut Random::new(18);
    for file in example.segments() {
        let original = std::fs::read(&file).expect("readable");
        for _ in 0..60 {
            let end = random.below(original.len() + 1);
            let complete = original[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
            let found = example.with(&file, &original[..end]);
            let lines = example.with(&file, &original[..complete]);
            assert!(found.is_superset(&lines) && found.is_subset(&example.whole), "{end} bytes of {file:?}");
        }
    }
}

#[test]
fn damage_is_told_unless_it_is_the_end_of_a_process() {
    let example = Example::new();
    let notes = || archive(example.directory.path()).notes().to_vec();
    assert!(notes().is_empty());
    let file = example.segments().pop().expect("a segment");
    let original = std::fs::read(&file).expect("readable");
    std::fs::write(&file, &original[..original.len() - 10]).expect("written");
    assert!(notes().is_empty(), "{:?}", notes());
    let mut changed = original.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    std::fs::write(&file, &changed).expect("written");
    assert!(notes().len() == 1 && notes()[0].ends_with(": 1 damaged line ignored"), "{:?}", notes());
    let foreign = String::from_utf8(original).expect("text").replace("propcov-run/1", "propcov-run/2");
    std::fs::write(&file, foreign).expect("written");
    assert!(notes()[0].contains("damaged"), "a changed format is damage: {:?}", notes());
}

#[test]
fn evidence_that_is_not_what_its_name_says_is_not_used() {
    let example = Example::new();
    for file in example.segments().into_iter().filter(|file| file.to_string_lossy().contains("evidence")) {
        let original = std::fs::read_to_string(&file).expect("text");
        // Whoever does this knows how to make lines that look right.
        let forged: String = original
            .lines()
            .map(|line| {
                let mut json: serde_json::Value = serde_json::from_str(line).expect("JSON");
                let Some(k) = json["proof"]["k"].as_u64() else { return format!("{line}\n") };
                json["proof"]["k"] = (k + 999).into();
                reseal(&json)
            })
            .collect();
        let lost: BTreeSet<_> = example.whole.iter().filter(|said| said[3] == "uncovered").cloned().collect();
        let found = example.with(&file, forged.as_bytes());
        std::fs::write(&file, &forged).expect("written");
        assert!(archive(example.directory.path()).notes().is_empty(), "they look right");
        std::fs::write(&file, original).expect("written");
        assert!(found.is_subset(&example.whole) && found.len() < example.whole.len());
        assert!(example.whole.difference(&found).all(|missing| lost.contains(missing)));
    }
}

/// The line of a record that was changed by hand: its kind, and first of all its name.
fn reseal(json: &serde_json::Value) -> String {
    let mut record = json["proof"].as_object().expect("a proof").clone();
    let name = record.remove("id").expect("a name");
    let rest = serde_json::Value::Object(record).to_string();
    let content = format!("\"proof\":{{\"id\":{name},{}}}", &rest[1..]);
    let mut digester = propcov_ir::Digester::new("propcov-run/1");
    digester.bytes(content.as_bytes());
    format!("{{\"check\":\"{}\",{content}\n", &digester.finish().to_string()[..16])
}
