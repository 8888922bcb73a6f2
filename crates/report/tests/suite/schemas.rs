//! Files that other programs read, against the schemas of those programs: random results, and as a test of the test the same files damaged. `scripts/check-schemas` validates, with libraries that are not ours;
//! where `scripts/setup-tests` has not brought the schemas, this is skipped, but not on a build server.

use crate::for_others::{rendered, united};
use propcov_testkit::{random_result, seeds};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A format, the end of its files' names, how many are validated, and damages: a text that some document has, and what is put there.
struct Validated {
    format: &'static str,
    end: &'static str,
    cases: u64,
    damages: &'static [(&'static str, &'static str)],
}

const VALIDATED: &[Validated] = &[
    Validated {
        format: "junit",
        end: "junit.xml",
        cases: 300,
        damages: &[
            (" failures=", " faults="),
            ("<testsuite ", "<testsuite line=\"1\" "),
            ("<properties>", "<properties><testcase name=\"x\"/>"),
            (" time=\"", " time=\"about "),
        ],
    },
    Validated {
        format: "cobertura",
        end: "cobertura.xml",
        cases: 300,
        damages: &[
            (" lines-valid=", " lines-there="),
            ("<packages>", "<packages><class/>"),
            ("<sources>", "<packages/><sources>"),
            (" complexity=\"0\"", ""),
        ],
    },
    Validated {
        format: "sarif",
        end: "sarif",
        cases: 100,
        damages: &[
            ("\"2.1.0\"", "\"2.2.0\""),
            ("\"driver\"", "\"pilot\""),
            ("\"level\": \"error\"", "\"level\": \"bad\""),
            ("\"results\": [", "\"results\": [17, "),
        ],
    },
    Validated {
        format: "reqif",
        end: "reqif",
        cases: 20,
        damages: &[
            ("<CREATION-TIME>", "<CREATION-TIME>today "),
            ("<SPEC-TYPES>", "<SPEC-TYPES><SPEC-OBJECT/>"),
            (" LONG-NAME=\"Text\"", " NAME=\"Text\""),
            ("<SPECIFICATIONS>", "<SPECIFICATION>"),
        ],
    },
];

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/check-schemas")
}

/// The files of a directory that are not valid, by name, with the first complaint. None if there is nothing to validate with.
fn invalid(directory: &Path) -> Option<Vec<(String, String)>> {
    let done = Command::new("python3").arg(script()).arg(directory).output().expect("there is Python");
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    if done.status.code() == Some(3) {
        assert!(std::env::var_os("CI").is_none(), "{said}");
        return None;
    }
    assert!(matches!(done.status.code(), Some(0 | 2)), "{said}");
    let lines = String::from_utf8(done.stdout).expect("text");
    let files = std::fs::read_dir(directory).expect("the directory").count();
    assert!(said.contains(&format!("{files} files, {} not valid", lines.lines().count())), "{said}");
    let split = |line: &str| {
        let (path, complaint) = line.split_once('\t').expect("path and complaint");
        let name = Path::new(path).file_name().expect("a name").to_string_lossy().into_owned();
        (name, complaint.to_owned())
    };
    Some(lines.lines().map(split).collect())
}

#[test]
fn every_result_keeps_to_the_schemas_of_its_readers() {
    let directory = tempfile::tempdir().expect("a directory");
    for one in VALIDATED {
        for seed in seeds(one.cases, 0) {
            let name = format!("{seed}.{}", one.end);
            let text = rendered(one.format, &random_result(seed));
            std::fs::write(directory.path().join(name), text).expect("written");
        }
        // Several at once are one document, too.
        for seed in seeds(if one.format == "reqif" { 0 } else { 30 }, 0) {
            let several: Vec<_> = (0..3).map(|at| random_result(seed + at)).collect();
            let name = format!("{seed}.several.{}", one.end);
            std::fs::write(directory.path().join(name), united(one.format, &several)).expect("written");
        }
    }
    let Some(invalid) = invalid(directory.path()) else { return };
    let first: Vec<_> = invalid.iter().take(8).collect();
    assert!(invalid.is_empty(), "{} files; the name begins with the seed: {first:#?}", invalid.len());
}

#[test]
fn a_damaged_file_is_noticed() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut damaged = BTreeSet::new();
    for one in VALIDATED {
        for (at, (text, instead)) in one.damages.iter().enumerate() {
            let holder = (0..300).map(|seed| rendered(one.format, &random_result(seed)));
            let document = holder.into_iter().find(|document| document.contains(text));
            let document = document.unwrap_or_else(|| panic!("{}: no document has {text}", one.format));
            let name = format!("damage{at}.{}", one.end);
            std::fs::write(directory.path().join(&name), document.replacen(text, instead, 1))
                .expect("written");
            damaged.insert(name);
        }
    }
    let Some(invalid) = invalid(directory.path()) else { return };
    assert_eq!(invalid.into_iter().map(|(name, _)| name).collect::<BTreeSet<_>>(), damaged);
}
