//! Directories: what is in them, putting them together, and those that cannot be used.

use crate::common::{DESIGN, archive, files, journal, random_findings, recall, said, scratch};
use propcov_ir::System;
use propcov_store::{Archive, DesignFile, Journal, StoreError, Subject, keep_trace, sha256};
use propcov_testkit::{Random, random_system};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Copies one directory over another.
fn put(from: &Path, to: &Path) {
    for file in files(from) {
        let target = to.join(file.strip_prefix(from).expect("inside"));
        std::fs::create_dir_all(target.parent().expect("a directory")).expect("made");
        std::fs::copy(&file, target).expect("copied");
    }
}

#[test]
fn directories_become_one_by_putting_their_files_together_in_any_order() {
    let system = random_system(8);
    let findings = random_findings(&mut Random::new(1), &system);
    let all = |directory: &Path| -> BTreeSet<[String; 5]> {
        let recalled = recall(directory, &system, true);
        assert!(recalled.without_evidence.is_empty());
        recalled.findings.iter().map(|claimed| said(&system, claimed)).collect()
    };
    let whole = scratch();
    journal(whole.path(), &system).add_findings(&findings);
    let expected = all(whole.path());
    assert_eq!(expected.len(), findings.len());
    // Shards that overlap, written in several sittings.
    let third = findings.len() / 3 + 1;
    let shards = [&findings[..2 * third], &findings[third..], &findings[..third]];
    let directories: Vec<_> = shards
        .iter()
        .map(|shard| {
            let directory = scratch();
            shard.chunks(5).for_each(|part| journal(directory.path(), &system).add_findings(part));
            directory
        })
        .collect();
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 0, 1]] {
        let merged = scratch();
        for shard in order {
            put(directories[shard].path(), merged.path());
        }
        assert_eq!(all(merged.path()), expected, "{order:?}");
        assert!(archive(merged.path()).notes().is_empty());
    }
}

#[test]
fn the_design_is_kept_once_and_found_again_unless_it_is_damaged() {
    let system = random_system(8);
    let findings = random_findings(&mut Random::new(1), &system);
    let directory = scratch();
    for _ in 0..2 {
        journal(directory.path(), &system).add_findings(&findings);
    }
    let kept = directory.path().join("designs").join(sha256(DESIGN));
    assert_eq!(std::fs::read(&kept).expect("a design"), DESIGN);
    let (designs, missing) = archive(directory.path()).designs();
    assert_eq!((designs.len(), missing.len()), (1, 0));
    assert_eq!(designs[0].files, [("design.btor2".to_owned(), DESIGN.to_vec())]);
    assert_eq!(designs[0].options, json!({ "bits": false }));
    std::fs::write(&kept, "another design").expect("written");
    let (designs, missing) = archive(directory.path()).designs();
    assert_eq!((designs.len(), missing), (0, vec!["design.btor2".to_owned()]));
    drop(journal(directory.path(), &system));
    assert_eq!(std::fs::read(&kept).expect("a design"), DESIGN, "repaired by the next run");
}

#[test]
fn results_are_there_as_a_whole_or_not_at_all_and_the_newest_comes_first() {
    let system = System::new();
    let directory = scratch();
    assert_eq!(archive(directory.path()).results().expect("readable").next(), None);
    let mut paths = Vec::new();
    for number in 0..3 {
        std::thread::sleep(std::time::Duration::from_millis(2));
        let journal = journal(directory.path(), &system);
        paths.push(journal.write_result(&json!({ "number": number })).expect("written"));
    }
    let numbers = || -> Vec<serde_json::Value> {
        let results = archive(directory.path()).results().expect("readable");
        results.map(|result| result.document["number"].clone()).collect()
    };
    assert_eq!(numbers(), [2, 1, 0]);
    let text = std::fs::read_to_string(&paths[2]).expect("a result");
    for damaged in ["", &text[..text.len() / 2], &text.replace('2', "3")] {
        std::fs::write(&paths[2], damaged).expect("written");
        assert_eq!(numbers(), [1, 0]);
        let latest = archive(directory.path()).results().expect("readable").next().expect("another one");
        assert_eq!(latest.document["number"], 1);
        assert_eq!(archive(directory.path()).damaged_results().expect("readable"), [paths[2].clone()]);
    }
    std::fs::write(directory.path().join("results/.1-2.tmp"), &text[..3]).expect("written");
    assert_eq!(numbers(), [1, 0], "what a run was writing when it ended is nothing");
}

#[test]
fn waveforms_are_named_by_their_content() {
    let directory = scratch();
    let write = |bytes: &[u8]| keep_trace(directory.path(), "count-zero", "vcd", bytes).expect("written");
    let (one, other) = (write(b"one"), write(b"other"));
    assert_ne!(one, other);
    assert_eq!(write(b"one"), one);
    assert_eq!(std::fs::read(&one).expect("a waveform"), b"one");
    assert!(one.to_string_lossy().contains("traces/count-zero-"), "{one:?}");
}

#[test]
fn what_is_not_there_has_nothing_to_say_and_reading_makes_nothing() {
    let directory = scratch();
    let inside = directory.path().join("deep/inside");
    let archive = archive(&inside);
    assert!(archive.is_empty() && archive.notes().is_empty() && archive.designs().0.is_empty());
    assert!(files(directory.path()).is_empty() && !inside.exists());
}

#[test]
fn a_place_that_cannot_be_written_is_an_error_and_so_is_one_that_cannot_be_read() {
    let directory = scratch();
    let system = System::new();
    let path = directory.path().join("file");
    std::fs::write(&path, "").expect("written");
    let meanings = Arc::new(propcov_ir::Meanings::new(&system));
    let subject = Subject { files: vec![DesignFile { path: "x", bytes: b"" }], options: json!(null) };
    let Err(error) = Journal::start(&path, &subject, &system, meanings) else {
        panic!("a file is in the way")
    };
    assert!(error.to_string().starts_with("cannot create"), "{error}");
    assert!(matches!(Archive::read(&path), Err(StoreError::Io { .. })));
}

#[test]
#[cfg(unix)]
fn what_cannot_be_written_is_said_and_written_when_it_can_be() {
    if !Path::new("/dev/full").exists() {
        return eprintln!("skipped: there is no /dev/full here");
    }
    let system = random_system(8);
    let findings = random_findings(&mut Random::new(1), &system);
    let directory = scratch();
    let mut journal = journal(directory.path(), &system);
    let segment = directory.path().join(format!("evidence/{}.jsonl", journal.run()));
    std::os::unix::fs::symlink("/dev/full", &segment).expect("a link");
    journal.add_findings(&findings);
    let failure = journal.failure().expect("the file is there already").to_string();
    assert!(failure.starts_with("cannot create"), "{failure}");
    journal.add_findings(&findings);
    journal.settle(std::time::Duration::ZERO);
    assert!(journal.failure().is_some(), "it is still there");
    assert!(recall(directory.path(), &system, true).findings.is_empty(), "no claim without evidence");
    std::fs::remove_file(&segment).expect("removed");
    journal.settle(std::time::Duration::from_secs(10));
    assert!(journal.failure().is_none());
    let recalled = recall(directory.path(), &system, true);
    assert!(!recalled.findings.is_empty() && recalled.without_evidence.is_empty());
}
