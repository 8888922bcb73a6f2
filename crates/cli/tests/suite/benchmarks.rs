//! Verdicts on designs of the hardware model checking competition equal the recorded ones where both answer.

use crate::common::{root, run};
use std::collections::BTreeMap;

/// The recorded verdicts: file, and whether it is safe.
fn recorded(folder: &str) -> Option<BTreeMap<String, bool>> {
    let path = root().join("../shared/benchmarks").join(folder).join("RESULTS.csv");
    let text = std::fs::read_to_string(path).ok()?;
    let mut lines = text.lines();
    let heading: Vec<&str> = lines.next()?.split(',').collect();
    let column = heading.iter().position(|title| matches!(*title, "abc_pdr" | "ric3"))?;
    let rows = lines.filter_map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let safe = match *cells.get(column)? {
            "safe" => true,
            "unsafe" => false,
            _ => return None,
        };
        Some((cells[0].to_owned(), safe))
    });
    Some(rows.collect())
}

/// Checks every `stride`-th of the files; says how many were decided.
fn compare(folder: &str, stride: usize) -> Option<(usize, usize)> {
    let recorded = recorded(folder)?;
    let (mut decided, mut total) = (0, 0);
    for (file, safe) in recorded.iter().step_by(stride) {
        let path = root().join("../shared/benchmarks").join(folder).join(file);
        let run =
            run(&["check", path.to_str().expect("UTF-8"), "--timeout", "2", "--format", "json", "--quiet"]);
        assert!(matches!(run.code, 0 | 2 | 4), "{file}: exit code {}\n{}", run.code, run.stderr);
        // These files are recorded as a whole: safe when all properties hold.
        let document = run.document();
        let properties = document["properties"].as_array().expect("properties");
        let any = |verdict: &str| properties.iter().any(|property| property["verdict"] == verdict);
        total += 1;
        if any("falsified") {
            assert!(!safe, "{file} is recorded as safe, but there is a counterexample");
            decided += 1;
        } else if !any("unknown") {
            assert!(*safe, "{file} is recorded as unsafe, but there is a proof");
            decided += 1;
        }
    }
    Some((decided, total))
}

#[test]
fn verdicts_agree_with_the_recorded_ones() {
    for (folder, stride, at_least) in [("aiger", 4, 0.5), ("btor2", 3, 0.3)] {
        match compare(folder, stride) {
            Some((decided, total)) => {
                eprintln!("{folder}: {decided} of {total} decided");
                assert!(
                    decided as f64 >= at_least * total as f64,
                    "{folder}: only {decided} of {total} decided"
                );
            }
            None => eprintln!("skipped {folder}: ../shared/benchmarks is not here"),
        }
    }
}
