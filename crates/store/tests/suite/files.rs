//! Files that are cut off, damaged, in use, about something else, or cannot be written.

use crate::common::{identity, random_findings, same_finding};
use propcov_ir::{Finding, System};
use propcov_store::{Database, StoreError, identity_at, load};
use propcov_testkit::Random;
use std::path::{Path, PathBuf};

struct Example {
    _directory: tempfile::TempDir,
    path: PathBuf,
    system: System,
    findings: Vec<Finding>,
}

impl Example {
    /// A database with some findings.
    fn new() -> Example {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("deep/x.jsonl");
        let system = propcov_testkit::random_system(8);
        let findings = random_findings(&mut Random::new(1), &system);
        assert!(findings.len() > 5);
        let example = Example { _directory: directory, path, system, findings };
        let mut opened = example.open().expect("a database");
        example.findings.iter().for_each(|finding| opened.database.add_finding(finding));
        assert!(opened.database.failure().is_none());
        example
    }

    fn open(&self) -> Result<propcov_store::Opened<'_>, StoreError> {
        Database::open(&self.path, &identity(b""), &self.system, false)
    }

    fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.path).expect("a file")
    }

    fn write(&self, bytes: &[u8]) {
        std::fs::write(&self.path, bytes).expect("written");
    }

    fn old(&self) -> PathBuf {
        PathBuf::from(format!("{}.old", self.path.display()))
    }
}

#[test]
fn a_file_that_is_cut_off_anywhere_keeps_everything_before_the_cut() {
    let example = Example::new();
    let whole = example.bytes();
    let line_ends: Vec<usize> = (0..whole.len()).filter(|at| whole[*at] == b'\n').collect();
    let everywhere = (0..whole.len()).step_by(whole.len() / 40 + 1);
    let near_ends = line_ends.iter().take(6).flat_map(|end| [*end, end + 1, end + 2]);
    for cut in everywhere.chain(near_ends).chain([whole.len()]) {
        example.write(&whole[..cut]);
        let mut opened = example.open().unwrap_or_else(|error| panic!("cut at {cut}: {error}"));
        let found = &opened.loaded.findings;
        for (a, b) in example.findings.iter().zip(found) {
            same_finding(&example.system, a, b).unwrap_or_else(|error| panic!("cut at {cut}: {error}"));
        }
        let is_torn = cut > 0 && !line_ends.contains(&(cut - 1));
        let is_noted = opened.loaded.notes.iter().any(|note| note.contains("was cut off"));
        assert_eq!(is_noted, is_torn && cut > line_ends[0], "cut at {cut}: {:?}", opened.loaded.notes);
        // And it can be added to: what follows is complete again.
        let rest = &example.findings[found.len()..];
        rest.iter().for_each(|finding| opened.database.add_finding(finding));
        drop(opened);
        let again = example.open().unwrap_or_else(|error| panic!("cut at {cut}, added to: {error}"));
        assert_eq!(again.loaded.findings.len(), example.findings.len(), "cut at {cut}");
    }
}

#[test]
fn a_damaged_line_is_an_error_that_names_it_and_the_file_stays_as_it_is() {
    let example = Example::new();
    let whole = String::from_utf8(example.bytes()).expect("UTF-8");
    let lines: Vec<&str> = whole.lines().collect();
    for damaged in 0..lines.len() {
        for replacement in ["garbage", "{\"record\":\"unheard-of\"}", "", "[1,2]", "{}"] {
            let mut lines = lines.clone();
            lines[damaged] = replacement;
            let text = lines.join("\n") + "\n";
            example.write(text.as_bytes());
            match example.open() {
                Err(StoreError::Corrupt { path, line, .. }) => {
                    assert_eq!((path.as_path(), line), (example.path.as_path(), damaged + 1));
                }
                Err(other) => panic!("line {damaged}, {replacement:?}: {other}"),
                Ok(_) => panic!("line {damaged}: {replacement:?} was accepted"),
            }
            assert_eq!(example.bytes(), text.as_bytes());
        }
    }
    let error = example.open().map(|_| ()).expect_err("damaged").to_string();
    assert!(error.contains(&format!("x.jsonl, line {}: ", lines.len())), "{error}");
}

#[test]
fn evidence_that_is_not_there_is_an_error() {
    let example = Example::new();
    let whole = String::from_utf8(example.bytes()).expect("UTF-8");
    for kind in ["stimulus", "proof"] {
        let start = format!("{{\"record\":\"{kind}\"");
        let without: Vec<&str> = whole.lines().filter(|line| !line.starts_with(&start)).collect();
        assert!(without.len() < whole.lines().count(), "{kind}");
        example.write((without.join("\n") + "\n").as_bytes());
        let error = example.open().map(|_| ()).expect_err("evidence is missing").to_string();
        assert!(error.contains(&format!("no {kind} has that number")), "{error}");
    }
}

#[test]
fn a_file_about_something_else_is_put_aside() {
    let example = Example::new();
    let whole = example.bytes();
    let newer = propcov_store::Identity { version: "0.0.1".to_owned(), ..identity(b"") };
    for (other, why) in
        [(identity(b"changed"), "the design has changed"), (newer, "written by propcov 0.0.0")]
    {
        example.write(&whole);
        let opened = Database::open(&example.path, &other, &example.system, false).expect("a database");
        assert!(opened.loaded.findings.is_empty());
        assert!(opened.loaded.notes.iter().any(|note| note.contains(why)), "{:?}", opened.loaded.notes);
        assert_eq!(std::fs::read(example.old()).expect("kept"), whole);
        drop(opened);
        let loaded = load(&example.path, &identity(b""), &example.system).expect("readable");
        assert!(loaded.findings.is_empty() && loaded.notes.len() == 1, "{:?}", loaded.notes);
        std::fs::remove_file(example.old()).expect("removed");
    }
    // Another path to the same design is the same.
    example.write(&whole);
    let moved = propcov_store::Identity { design: "elsewhere".to_owned(), ..identity(b"") };
    let opened = Database::open(&example.path, &moved, &example.system, false).expect("a database");
    assert_eq!(opened.loaded.findings.len(), example.findings.len());
}

#[test]
fn a_fresh_start_forgets_but_does_not_destroy() {
    let example = Example::new();
    let whole = example.bytes();
    let opened = Database::open(&example.path, &identity(b""), &example.system, true).expect("a database");
    assert!(opened.loaded.findings.is_empty() && opened.loaded.notes.is_empty());
    assert_eq!(std::fs::read(example.old()).expect("kept"), whole);
}

#[test]
fn what_was_put_aside_is_replaced_only_by_what_is_about_the_same_design() {
    let directory = tempfile::tempdir().expect("a directory");
    let (path, system) = (directory.path().join("x.jsonl"), System::new());
    let at = |place: &str| propcov_store::Identity { place: Some(place.to_owned()), ..identity(b"") };
    let start = |place: &str| {
        let opened = Database::open(&path, &at(place), &system, true).expect("a database");
        opened.started_over
    };
    let places = || -> Vec<Option<String>> {
        let old =
            [".old", ".old-2", ".old-3"].map(|ending| directory.path().join(format!("x.jsonl{ending}")));
        old.iter().map(|old| identity_at(old).and_then(|identity| identity.place)).collect()
    };
    let (a, b) = (Some("/a".to_owned()), Some("/b".to_owned()));
    assert!(!start("/a"), "there was nothing");
    assert!(start("/a") && start("/b"));
    assert_eq!(places(), [a.clone(), None, None]);
    assert!(start("/a"));
    assert_eq!(places(), [a, b, None]);
    assert_eq!(identity_at(directory.path()), None);
}

#[test]
fn a_design_is_elsewhere_if_it_is_another_one_that_is_still_there() {
    let directory = tempfile::tempdir().expect("a directory");
    let there = directory.path().to_string_lossy().into_owned();
    let at = |place: Option<&str>, bytes: &[u8]| propcov_store::Identity {
        place: place.map(str::to_owned),
        ..identity(bytes)
    };
    let own = at(Some("/own"), b"own");
    assert!(own.is_elsewhere(&at(Some(&there), b"other")));
    assert!(!own.is_elsewhere(&at(Some(&there), b"own")), "the same design by another name");
    assert!(!own.is_elsewhere(&at(Some("/no/such/design"), b"other")), "it was moved");
    assert!(!at(Some(&there), b"own").is_elsewhere(&at(Some(&there), b"other")), "it was changed");
    assert!(!own.is_elsewhere(&at(None, b"other")));
}

#[test]
fn two_runs_cannot_write_the_same_file_but_one_may_read_it() {
    let example = Example::new();
    let first = example.open().expect("a database");
    assert!(matches!(example.open(), Err(StoreError::InUse { .. })));
    let loaded = load(&example.path, &identity(b""), &example.system).expect("readable");
    assert_eq!(loaded.findings.len(), example.findings.len());
    drop(first);
    assert!(example.open().is_ok());
}

#[test]
fn what_is_not_there_has_nothing_to_say() {
    let loaded = load(Path::new("/no/such/file"), &identity(b""), &System::new()).expect("no error");
    assert!(loaded.findings.is_empty() && loaded.notes.is_empty());
}

#[test]
#[cfg(unix)]
fn a_full_disk_is_noticed_and_a_place_that_cannot_be_written_as_well() {
    let directory = tempfile::tempdir().expect("a directory");
    let system = System::new();
    let path = directory.path().join("x.jsonl");
    std::os::unix::fs::symlink("/dev/full", &path).expect("a link");
    match Database::open(&path, &identity(b""), &system, false) {
        Err(error @ StoreError::Io { .. }) => {
            assert!(error.to_string().starts_with("cannot write"), "{error}");
        }
        _ => panic!("nothing fits onto a full disk"),
    }
    std::fs::write(directory.path().join("file"), "").expect("written");
    let inside = directory.path().join("file/x.jsonl");
    let Err(error) = Database::open(&inside, &identity(b""), &system, false) else { panic!("no directory") };
    assert!(error.to_string().starts_with("cannot create"), "{error}");
}
