//! Several processes at once, and processes that are killed at any moment: all that they had kept is there.
//!
//! The processes are this test program itself, asked to run one test that does nothing unless the environment says where to write.

use crate::common::{archive, journal, random_findings, recall, said, scratch};
use propcov_ir::System;
use propcov_testkit::{Random, random_system};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const WHERE: &str = "PROPCOV_STORE_TEST_DIRECTORY";
const SEED: &str = "PROPCOV_STORE_TEST_SEED";

fn system() -> System {
    random_system(8)
}

#[test]
fn child() {
    let Ok(directory) = std::env::var(WHERE) else { return };
    let seed: u64 = std::env::var(SEED).expect("a seed").parse().expect("a number");
    let system = system();
    let mut journal = journal(Path::new(&directory), &system);
    let mut out = std::io::stdout();
    for round in 0..10_000 {
        let findings = random_findings(&mut Random::new(seed + round), &system);
        for part in findings.chunks(3) {
            journal.add_findings(part);
            assert!(journal.failure().is_none());
            for finding in part {
                let name = journal.evidence(finding).expect("kept");
                let element = &system.element(finding.mutant.element).name;
                let property = &system.property(finding.property).name;
                let (edit, verdict) = (finding.mutant.mutation.name(), finding.status.name());
                writeln!(out, "kept {property} {element} {edit} {verdict} {name}").expect("a parent");
            }
            out.flush().expect("a parent");
        }
    }
}

fn spawn(directory: &Path, seed: u64) -> Child {
    Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "processes::child", "--nocapture"])
        .env(WHERE, directory)
        .env(SEED, seed.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("runs")
}

/// What a child says that it has kept, until it is gone. A last line that is cut off was not said.
fn kept(child: &mut Child) -> BTreeSet<[String; 5]> {
    let mut text = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_to_string(&mut text).expect("text");
    let complete = text.rsplit_once('\n').map_or("", |(complete, _)| complete);
    let said = complete.lines().filter_map(|line| line.strip_prefix("kept "));
    said.map(|line| {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        words.try_into().expect("five words")
    })
    .collect()
}

#[test]
fn what_was_kept_survives_being_killed_at_any_moment() {
    let random = &mut Random::new(99);
    let directory = scratch();
    let mut all = BTreeSet::new();
    for round in 0..12 {
        let mut child = spawn(directory.path(), 1000 * round);
        // Until it works at all, and then for a moment.
        let mut first = [0; 1];
        let mut out = child.stdout.take().expect("a pipe");
        out.read_exact(&mut first).expect("something");
        std::thread::sleep(Duration::from_micros(random.below(60_000) as u64));
        child.kill().expect("alive");
        child.stdout = Some(out);
        all.extend(kept(&mut child));
        child.wait().expect("gone");
        let found = read(directory.path());
        assert!(found.is_superset(&all), "round {round}: {:?}", all.difference(&found).next());
        assert!(archive(directory.path()).notes().is_empty(), "{:?}", archive(directory.path()).notes());
    }
    assert!(all.len() > 50, "{}", all.len());
}

fn read(directory: &Path) -> BTreeSet<[String; 5]> {
    let system = system();
    let recalled = recall(directory, &system, true);
    assert!(recalled.without_evidence.is_empty(), "a claim was written before its evidence");
    recalled.findings.iter().map(|claimed| said(&system, claimed)).collect()
}

#[test]
fn several_processes_may_write_at_once_while_others_read() {
    let directory = scratch();
    let mut children: Vec<Child> = (0..3).map(|at| spawn(directory.path(), 50_000 * at)).collect();
    for child in &mut children {
        // All of them are at work before the first one is stopped.
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        while !line.contains("kept") {
            line.clear();
            assert!(out.read_line(&mut line).expect("text") > 0, "a child ended");
        }
        child.stdout = Some(out.into_inner());
    }
    for _ in 0..5 {
        read(directory.path());
    }
    let mut all = BTreeSet::new();
    for child in &mut children {
        child.kill().expect("alive");
        // The first line may have been cut in two by the reader above.
        all.extend(kept_after_the_first_line(child));
        child.wait().expect("gone");
    }
    assert!(read(directory.path()).is_superset(&all) && all.len() > 10, "{}", all.len());
}

fn kept_after_the_first_line(child: &mut Child) -> BTreeSet<[String; 5]> {
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut text = Vec::new();
    out.read_to_end(&mut text).expect("readable");
    let text = String::from_utf8_lossy(&text).into_owned();
    let complete = text.rsplit_once('\n').map_or("", |(complete, _)| complete);
    let lines = complete.lines().skip(1).filter_map(|line| line.strip_prefix("kept "));
    lines.filter_map(|line| line.split(' ').map(str::to_owned).collect::<Vec<_>>().try_into().ok()).collect()
}
