//! Evidence about cores in the run directory: asked again, after edits, damaged, forged, and when a run was killed.

use crate::common::{Run, Workspace, forge, records, sealed, segments};
use serde_json::{Value, json};

/// Runs `propcov cores` and has its document.
fn cores(workspace: &Workspace, arguments: &[&str]) -> (Run, Value) {
    let run = workspace.run("cores", &[&["--out", "out", "--format", "json"], arguments].concat());
    let document = run.document();
    (run, document)
}

/// All that is said about cores, but for what it took.
fn said(document: &Value) -> Value {
    let mut rows = document["cores"].clone();
    for row in rows.as_array_mut().expect("rows") {
        row.as_object_mut().expect("a row").remove("seconds");
    }
    rows
}

/// How many pieces of evidence of earlier runs were accepted.
fn reused(document: &Value) -> u64 {
    document["stats"]["counts"]["sets of elements of earlier runs"].as_u64().unwrap_or_default()
}

/// How many claims about slices there are.
fn claims(workspace: &Workspace) -> usize {
    let is_claim = |record: &&Value| record["adequate"].is_object() || record["inadequate"].is_object();
    records(&workspace.out(), "findings").iter().filter(is_claim).count()
}

fn edit(workspace: &Workspace, name: &str, change: impl FnOnce(String) -> String) {
    let design = workspace.path().join(name);
    let text = std::fs::read_to_string(&design).expect("a design");
    let changed = change(text.clone());
    assert_ne!(changed, text);
    std::fs::write(&design, changed).expect("written");
}

#[test]
fn cores_are_kept_by_default_unless_nothing_is_to_be_kept() {
    let workspace = Workspace::example("asw.lus");
    let entries = || std::fs::read_dir(workspace.path()).expect("readable").count();
    assert_eq!(workspace.run("cores", &["--no-out"]).code, 0);
    assert_eq!(entries(), 1);
    assert_eq!(workspace.run("cores", &[]).code, 0);
    let out = workspace.path().join("propcov.out");
    assert_eq!(segments(&out, "results").len(), 1, "the whole result is there, too");
    let report = crate::common::run(&["report", &out.display().to_string(), "--format", "json"]);
    assert_eq!(report.document()["run"]["command"], "cores");
}

#[test]
fn the_same_question_is_answered_by_checks_alone() {
    for (name, arguments) in [
        ("asw.lus", &[][..]),
        ("asw_2.lus", &[]),
        ("asw.lus", &["--granularity", "operator"]),
        ("fifo.btor2", &[]),
        ("fifo.btor2", &["--minimum"]),
        ("arbiter.aag", &["--may"]),
        ("counter.btor2", &["--assumptions"]),
    ] {
        let workspace = Workspace::example(name);
        let (_, first) = cores(&workspace, arguments);
        let kept = claims(&workspace);
        let (run, second) = cores(&workspace, arguments);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{name} {arguments:?}");
        assert_eq!(said(&second), said(&first), "{name} {arguments:?}");
        let calls = second["stats"]["solver_calls"].as_object().cloned().unwrap_or_default();
        assert!(calls.keys().all(|cause| cause == "gate"), "{name} {arguments:?}: {calls:?}");
        assert_eq!((reused(&second), claims(&workspace)), (kept as u64, kept), "{name} {arguments:?}");
        let verified = workspace.verify(&["out"]);
        assert_eq!(verified.code, 0, "{}", verified.stdout);
        assert!(verified.stdout.contains("cores\n"), "{}", verified.stdout);
        let (_, fresh) = cores(&workspace, &[arguments, &["--fresh"]].concat());
        assert_eq!((said(&fresh), reused(&fresh)), (said(&first), 0), "{name} {arguments:?}");
    }
}

#[test]
fn metrics_of_cores_and_cores_share_what_they_find() {
    let workspace = Workspace::example("asw_2.lus");
    let covered = || {
        let run = workspace.cover(&["-m", "core,must,may,model", "--format", "json"]);
        run.document()
    };
    let first = covered();
    let second = covered();
    assert_eq!(second["shares"], first["shares"]);
    assert_eq!(second["stats"]["solver_calls"], Value::Null, "{}", second["stats"]);
    let (_, after) = cores(&workspace, &["-p", "all_p"]);
    assert!(reused(&after) > 0);
    let (_, fresh) = cores(&workspace, &["-p", "all_p", "--fresh"]);
    let sets = |document: &Value| -> Vec<Value> {
        let rows = document["cores"][0]["cores"].as_array().expect("cores").iter();
        let mut sets: Vec<Value> = rows.map(|core| core["elements"].clone()).collect();
        sets.sort_by_key(Value::to_string);
        sets
    };
    assert_eq!(sets(&after), sets(&fresh), "in the order in which the first run found them");
}

#[test]
fn an_edit_costs_what_depends_on_it() {
    let workspace = Workspace::example("asw_2.lus");
    let (_, first) = cores(&workspace, &[]);
    let kept = claims(&workspace) as u64;
    edit(&workspace, "asw_2.lus", |text| format!("-- a comment\n{text}"));
    let (run, second) = cores(&workspace, &[]);
    assert_eq!((run.stderr.as_str(), reused(&second)), ("", kept), "a comment");
    assert_eq!(second["stats"]["solver_calls"], Value::Null, "a comment");
    assert_eq!(said(&second), said(&first));
    // A definition that one of the properties reads.
    let design = "node main(x, y: bool) returns (p, q: bool);\nvar a, b: bool;\nlet\n  a = x or not x;\n  \
                  b = true -> pre b;\n  p = a;\n  q = b;\n  --%PROPERTY p;\n  --%PROPERTY q;\ntel;\n";
    let workspace = Workspace::new("two.lus", design);
    cores(&workspace, &[]);
    edit(&workspace, "two.lus", |text| text.replace("a = x or not x", "a = (x and y) or not (y and x)"));
    let (run, changed) = cores(&workspace, &[]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "that old evidence does not fit is no warning");
    let row = |name: &str| {
        let rows = changed["properties"].as_array().expect("properties").iter();
        rows.clone().find(|row| row["name"] == name).expect("a property")["engine"].clone()
    };
    assert_eq!(row("q"), "earlier run");
    let (_, fresh) = cores(&workspace, &["--fresh"]);
    assert_eq!(said(&changed), said(&fresh));
    assert!(reused(&changed) > 0);
}

#[test]
fn damage_and_ends_of_files_cost_what_was_said_there() {
    let workspace = Workspace::example("fifo.btor2");
    let (_, whole) = cores(&workspace, &[]);
    let kept = claims(&workspace) as u64;
    for part in ["findings", "evidence"] {
        let [path] = segments(&workspace.out(), part).try_into().expect("one run");
        let text = std::fs::read(&path).expect("readable");
        for end in [text.len() / 3, text.len() / 2, text.len() - 5] {
            std::fs::write(&path, &text[..end]).expect("written");
            let run = workspace.run("cores", &["--out", "out", "--format", "json"]);
            assert_eq!((run.code, said(&run.document())), (0, said(&whole)), "{part} {end}");
            assert!(!run.stderr.contains("not accepted"), "{}", run.stderr);
            assert!(reused(&run.document()) < kept, "{part} {end}");
            let added = segments(&workspace.out(), part).into_iter().filter(|other| *other != path);
            added.for_each(|file| std::fs::remove_file(file).expect("removed"));
            std::fs::write(&path, &text).expect("written");
            for other in segments(&workspace.out(), if part == "findings" { "evidence" } else { "findings" })
            {
                if other.file_name() != path.file_name() {
                    std::fs::remove_file(other).expect("removed");
                }
            }
        }
    }
}

/// Records in which sets were shrunk, or have the evidence of others.
#[test]
fn what_is_forged_is_not_believed_and_verify_names_it() {
    let workspace = Workspace::example("fifo.btor2");
    let (_, honest) = cores(&workspace, &[]);
    let found = records(&workspace.out(), "findings");
    let all = |kind: &str, field: &str| -> Vec<Value> {
        found.iter().map(|record| record[kind][field].clone()).filter(|id| !id.is_null()).collect()
    };
    let (proofs, traces) = (all("adequate", "proof"), all("inadequate", "trace"));
    assert!(proofs.len() > 1 && traces.len() > 2);
    let (mut at, mut cores_at) = (0, 0);
    forge(&workspace.out(), "findings", &mut |record| {
        at += 1;
        if let Some(adequate) = record.get_mut("adequate") {
            cores_at += 1;
            match cores_at % 2 {
                // Nothing at all is said to suffice.
                0 => adequate["freed"] = json!([[0, 0], [1, 3]]),
                _ => adequate["proof"] = proofs[cores_at % proofs.len()].clone(),
            }
        }
        if let Some(inadequate) = record.get_mut("inadequate") {
            match at % 2 {
                0 => inadequate["freed"] = json!([]),
                _ => inadequate["trace"] = traces[at % traces.len()].clone(),
            }
        }
    });
    let verified = workspace.verify(&["out"]);
    assert_eq!(verified.code, 1);
    for words in ["data_is_kept fails without 0 elements", "holds without 4 elements"] {
        assert!(verified.stdout.contains(words), "{}", verified.stdout);
    }
    let (run, again) = cores(&workspace, &[]);
    assert!(run.stderr.contains("are not accepted, and ignored\n"), "{}", run.stderr);
    let sets = |document: &Value| -> Vec<String> {
        let rows = document["cores"].as_array().expect("rows").iter();
        let cores = rows.flat_map(|row| row["cores"].as_array().cloned().unwrap_or_default());
        let mut sets: Vec<String> = cores.map(|core| core.to_string()).collect();
        sets.sort();
        sets
    };
    assert_eq!((run.code, sets(&again)), (0, sets(&honest)));
}

/// A proof of the design as written does not show that half of it suffices.
#[test]
fn what_suffices_is_not_taken_from_a_verdict() {
    let workspace = Workspace::example("fifo.btor2");
    let (_, honest) = cores(&workspace, &["--one"]);
    let [path] = segments(&workspace.out(), "findings").try_into().expect("one run");
    let text = std::fs::read_to_string(&path).expect("text");
    let forged: Vec<Value> = records(&workspace.out(), "findings")
        .into_iter()
        .filter(|record| record["adequate"].is_object())
        .map(|mut record| {
            record["adequate"]["freed"] = json!([[0, 4]]);
            record
        })
        .collect();
    std::fs::write(&path, text + &forged.iter().map(sealed).collect::<String>()).expect("written");
    let (run, again) = cores(&workspace, &["--one"]);
    assert_eq!(said(&again), said(&honest));
    assert!(run.stderr.contains("not accepted"), "{}", run.stderr);
}

/// What a run has found before it is killed is there, and the next one goes on from it.
#[cfg(unix)]
#[test]
fn a_run_that_is_killed_loses_nothing() {
    let workspace = Workspace::example("fifo.btor2");
    let (_, whole) = cores(&workspace, &["--fresh"]);
    std::fs::remove_dir_all(workspace.out()).expect("removed");
    let mut killed = 0;
    for wait in [20u64, 60, 120, 200, 300, 450] {
        let mut child = workspace
            .command("cores", &["--out", "out", "--quiet"])
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("starts");
        std::thread::sleep(std::time::Duration::from_millis(wait));
        killed += usize::from(child.try_wait().expect("a child").is_none());
        let _ = child.kill();
        child.wait().expect("ends");
        let verified = workspace.verify(&["out"]);
        assert!(verified.code == 0 || !workspace.out().exists(), "{}", verified.stdout);
    }
    let before = claims(&workspace) as u64;
    let (run, last) = cores(&workspace, &[]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let rows = |document: &Value, field: &str| -> Vec<Value> {
        document["cores"].as_array().expect("rows").iter().map(|row| row[field].clone()).collect()
    };
    for field in ["complete", "must", "may", "minimum"] {
        assert_eq!(rows(&last, field), rows(&whole, field), "{field}");
    }
    assert!(killed > 0 && reused(&last) <= before);
}
