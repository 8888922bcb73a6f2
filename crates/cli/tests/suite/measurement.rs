//! The same findings, however they are made: by any algorithm, number of threads, and order of sittings.

use crate::common::{Workspace, findings, run};

const EXAMPLES: [&str; 4] = ["arbiter.aag", "conflict.btor2", "counter.btor2", "fifo.btor2"];

/// What is decided is the same; says how many are.
fn agree(name: &str, what: &str, expected: &[[String; 4]], found: &[[String; 4]]) -> usize {
    assert_eq!(expected.len(), found.len(), "{name}, {what}");
    let mut decided = 0;
    for (a, b) in expected.iter().zip(found) {
        assert_eq!(a[..3], b[..3], "{name}, {what}");
        if a[3] != "unknown" && b[3] != "unknown" {
            // What has no effect is told apart only once no property is undecided.
            let verdict = |of: &[String; 4]| of[3].replace("no-effect", "uncovered");
            assert_eq!(verdict(a), verdict(b), "{name}, {what}");
            decided += 1;
        }
    }
    decided
}

#[test]
fn every_algorithm_and_number_of_threads_finds_the_same() {
    for name in EXAMPLES {
        let path = format!("examples/{name}");
        // The gates of the memory take the slow ones among the algorithms minutes.
        let elements = if name == "fifo.btor2" { "registers" } else { "all" };
        let cover = |more: &[&str]| {
            let arguments = [
                &["cover", &path, "-m", "mutation", "--no-out", "--format", "json", "--elements", elements],
                more,
            ]
            .concat();
            findings(&run(&arguments).document())
        };
        let naive = cover(&["--naive"]);
        assert!(naive.iter().all(|[.., verdict]| verdict != "unknown"), "{name}");
        for more in [
            &["--threads", "1"][..],
            &["--threads", "4"],
            &["--seed", "7"],
            &["--tests", "algorithm1"],
            &["--tests", "simulation,ic3"],
        ] {
            let found = cover(more);
            let decided = agree(name, &more.join(" "), &naive, &found);
            assert!(more[0] == "--tests" || decided == naive.len(), "{name}, {more:?}");
        }
        for [property, element, edit, verdict] in &naive {
            let free = [property.clone(), element.clone(), "free".to_owned(), "covered".to_owned()];
            let implied = edit == "free" || verdict != "covered" || naive.contains(&free);
            assert!(implied, "{name}: {element} stuck is noticed by {property}, but not left open");
        }
    }
}

#[test]
fn several_sittings_find_what_one_does() {
    for name in EXAMPLES {
        let workspace = Workspace::example(name);
        let whole =
            workspace.run("cover", &["-m", "mutation", "--no-out", "--elements", "all", "--format", "json"]);
        let whole = findings(&whole.document());
        let mut before = 0;
        for more in [
            &["--tests", "cone,core"][..],
            &["--elements", "registers", "--accuracy", "30%"],
            &["--accuracy", "60%"],
            &["--edits", "zero"],
            &["--tests", "algorithm1", "--accuracy", "80%"],
            &[],
            &[],
        ] {
            let elements: &[&str] = if more.contains(&"--elements") { &[] } else { &["--elements", "all"] };
            // On a busy machine there would be lines of progress.
            let common: &[&str] = &["-m", "mutation", "--format", "json", "--progress", "none"];
            let run = workspace.cover(&[elements, more, common].concat());
            assert!(matches!(run.code, 0 | 4), "{name}: {}", run.stderr);
            assert_eq!(run.stderr, "", "{name}: nothing that was kept is rejected");
            let document = run.document();
            if elements.is_empty() || more.contains(&"zero") {
                continue;
            }
            let reused = document["stats"]["reused"].as_u64().expect("a number") as usize;
            assert!(reused >= before, "{name}, {more:?}: {reused} of {before} findings are reused");
            before = agree(name, &more.join(" "), &whole, &findings(&document));
        }
        assert_eq!(before, whole.len(), "{name}");
        let last = workspace.cover(&["-m", "mutation", "--elements", "all", "--format", "json"]).document();
        assert_eq!(last["stats"]["reused"], whole.len(), "{name}: nothing was left to do");
    }
}

#[test]
fn two_runs_differ_in_seconds_only() {
    for name in EXAMPLES {
        let path = format!("examples/{name}");
        let document = |threads: &str| {
            let arguments =
                ["cover", &path, "--no-out", "--format", "json", "--traces", "--threads", threads];
            let mut document = run(&arguments).document();
            for property in document["properties"].as_array_mut().expect("properties") {
                property["seconds"] = 0.into();
            }
            document["stats"] = document["stats"]["decided_by"].clone();
            document["run"] = document["run"]["metrics"].clone();
            for row in document["cores"].as_array_mut().into_iter().flatten() {
                row["seconds"] = 0.into();
            }
            document
        };
        assert_eq!(document("1"), document("4"), "{name}");
    }
}
