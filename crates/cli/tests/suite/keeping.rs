//! The run directory as users meet it: going on, editing the design, starting over, and files that cannot be used or believed.

use crate::common::{
    Run, TOGGLE, Workspace, findings, forge, holes, number, of_mutants, records, sealed, segments, share,
};
use serde_json::{Value, json};

fn names(directory: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).expect("a directory");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("readable").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

/// The registers of the example, whatever else is added to it.
const REGISTERS: &str = "memory,read_pointer,write_pointer,watcher.active,watcher.place,watcher.word";

/// Runs `propcov cover` and has its document.
fn covered(workspace: &Workspace, arguments: &[&str]) -> (Run, Value) {
    let run = workspace.cover(&[&["-m", "mutation", "--format", "json"], arguments].concat());
    let document = run.document();
    (run, document)
}

fn edit(workspace: &Workspace, change: impl FnOnce(String) -> String) {
    let design = workspace.path().join("fifo.btor2");
    let text = std::fs::read_to_string(&design).expect("a design");
    let changed = change(text.clone());
    assert_ne!(changed, text);
    std::fs::write(&design, changed).expect("written");
}

#[test]
fn findings_are_kept_where_asked_for_and_by_default_beside_the_user() {
    let workspace = Workspace::example("fifo.btor2");
    assert_eq!(workspace.run("cover", &["--no-out"]).code, 0);
    assert_eq!(names(workspace.path()), ["fifo.btor2"]);
    assert_eq!(workspace.run("explain", &["memory"]).code, 0);
    assert_eq!(names(workspace.path()), ["fifo.btor2"], "explain makes no directory");
    assert_eq!(workspace.run("cover", &[]).code, 0);
    assert_eq!(
        names(&workspace.path().join("propcov.out")),
        ["designs", "evidence", "findings", "report.html", "results"]
    );
    assert_eq!(workspace.cover(&["--bits", "--elements", "count"]).code, 0);
    assert_eq!(names(&workspace.out().join("findings")).len(), 1);
}

#[test]
fn every_decided_finding_names_its_evidence() {
    let workspace = Workspace::example("fifo.btor2");
    let (_, document) = covered(&workspace, &[]);
    let evidence = records(&workspace.out(), "evidence");
    for finding in of_mutants(&document).iter().filter(|finding| finding["property"].is_string()) {
        let kind = if finding["verdict"] == "covered" { "run" } else { "proof" };
        let named = evidence.iter().filter(|record| record[kind]["id"] == finding["evidence"]).count();
        assert_eq!(named, 1, "{finding}");
    }
    let (_, again) = covered(&workspace, &[]);
    let names = |document: &Value| -> Vec<Value> {
        of_mutants(document).iter().map(|finding| finding["evidence"].clone()).collect()
    };
    assert_eq!(names(&again), names(&document), "also when it comes from an earlier run");
}

#[test]
fn what_an_edit_does_not_touch_is_kept() {
    let workspace = Workspace::example("fifo.btor2");
    let (_, first) = covered(&workspace, &[]);
    let all = findings(&first).len();
    let same = |what: &str, document: &Value| {
        assert_eq!(document["stats"]["reused"], all, "{what}");
        assert_eq!(document["stats"]["solver_calls"], Value::Null, "{what}: nothing was searched");
        assert!(findings(&first).iter().all(|finding| findings(document).contains(finding)), "{what}");
    };
    edit(&workspace, |text| format!("; a comment\n{text}; another\n"));
    let (run, document) = covered(&workspace, &[]);
    same("comments", &document);
    assert_eq!(run.stderr, "");
    edit(&workspace, |text| {
        format!("{text}900 sort bitvec 3\n901 state 900 unrelated\n902 next 900 901 901\n")
    });
    let (_, document) = covered(&workspace, &["--elements", REGISTERS]);
    same("a register", &document);
    edit(&workspace, |text| format!("{text}903 sort bitvec 1\n904 neq 903 901 901\n905 bad 904 trivial\n"));
    let (run, document) = covered(&workspace, &["--elements", REGISTERS]);
    assert_eq!((run.stderr.as_str(), &document["stats"]["reused"]), ("", &all.into()), "one property more");
    assert_eq!(document["properties"].as_array().expect("properties").len(), 3);
    let fresh = Workspace::new(
        "fifo.btor2",
        &std::fs::read_to_string(workspace.path().join("fifo.btor2")).expect("text"),
    );
    let (_, fresh) = covered(&fresh, &["--elements", REGISTERS]);
    assert_eq!(findings(&document), findings(&fresh));
}

#[test]
fn a_changed_definition_costs_what_depends_on_it_and_old_evidence_is_tried() {
    let workspace = Workspace::example("arbiter.aag");
    let (_, first) = covered(&workspace, &[]);
    let design = workspace.path().join("arbiter.aag");
    let text = std::fs::read_to_string(&design).expect("a design");
    // Another name for a latch: no meaning is the same, but all that was said still is true.
    std::fs::write(&design, text.replace("l0 ", "l0 renamed_")).expect("written");
    let (run, second) = covered(&workspace, &[]);
    assert_eq!(run.stderr, "", "that old evidence does not fit is no reason for a warning");
    let verdicts = |document: &Value| -> Vec<String> {
        findings(document).into_iter().map(|[.., verdict]| verdict).collect()
    };
    assert_eq!(verdicts(&second), verdicts(&first));
    std::fs::write(&design, text).expect("written");
    let (_, third) = covered(&workspace, &[]);
    assert_eq!(third["stats"]["reused"], findings(&first).len(), "what was found before is still there");
}

#[test]
fn what_earlier_runs_claim_is_not_repeated_as_a_fact() {
    let workspace = Workspace::example("fifo.btor2");
    let (_, first) = covered(&workspace, &["--witness"]);
    let (_, second) = covered(&workspace, &["--witness"]);
    let deciders = |document: &Value| -> Vec<String> {
        document["stats"]["decided_by"].as_object().expect("an object").keys().cloned().collect()
    };
    assert!(!deciders(&first).contains(&"earlier run".to_owned()));
    assert_eq!(deciders(&second), ["cone", "earlier run"]);
    for property in second["properties"].as_array().expect("properties") {
        assert_eq!(property["engine"], "earlier run");
    }
    let shortest = |document: &Value| -> Vec<Value> {
        holes(document).iter().map(|hole| hole["witness"]["shortest"].clone()).collect()
    };
    assert!(shortest(&first).contains(&true.into()) && !shortest(&second).contains(&true.into()));
}

#[test]
fn fresh_ignores_what_is_there_and_deletes_nothing() {
    let workspace = Workspace::example("arbiter.aag");
    let (_, first) = covered(&workspace, &["--witness"]);
    let traces = names(&workspace.out().join("traces"));
    assert!(!traces.is_empty());
    let (run, second) = covered(&workspace, &["--fresh"]);
    assert_eq!((run.stderr.as_str(), &second["stats"]["reused"]), ("", &0.into()));
    assert_eq!(findings(&second).len(), findings(&first).len());
    assert_eq!(names(&workspace.out().join("findings")).len(), 2);
    assert_eq!(names(&workspace.out().join("traces")), traces);
}

#[test]
fn damaged_lines_cost_what_they_say() {
    let workspace = Workspace::example("fifo.btor2");
    let (_, whole) = covered(&workspace, &[]);
    let [path] = segments(&workspace.out(), "findings").try_into().expect("one run");
    let bytes = std::fs::read(&path).expect("a segment");
    std::fs::write(&path, &bytes[..bytes.len() - 10]).expect("written");
    let (run, again) = covered(&workspace, &[]);
    assert_eq!((findings(&again), run.stderr.as_str()), (findings(&whole), ""), "that is how processes end");
    let mut changed = bytes;
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    std::fs::write(&path, &changed).expect("written");
    for (command, element) in [("cover", None), ("explain", Some("memory"))] {
        let arguments: Vec<&str> = element.into_iter().chain(["--out", "out"]).collect();
        let run = workspace.run(command, &arguments);
        assert_eq!(run.code, 0, "{command}");
        let note = format!(
            "note: out/findings/{}: 1 damaged line ignored\n",
            path.file_name().expect("a name").display()
        );
        assert_eq!(run.stderr, note, "{command}");
    }
    assert_eq!(findings(&covered(&workspace, &[]).1), findings(&whole));
}

#[test]
fn evidence_of_something_else_is_not_believed() {
    let workspace = Workspace::example("fifo.btor2");
    let (_, honest) = covered(&workspace, &[]);
    // Each claim is given the evidence of another one.
    let evidence = |kind: &str, field: &str| -> Vec<Value> {
        records(&workspace.out(), "findings")
            .iter()
            .map(|record| record[kind][field].clone())
            .filter(|id| !id.is_null())
            .collect()
    };
    let (runs, proofs) = (evidence("killed", "run"), evidence("survived", "proof"));
    assert!(runs.len() > 2 && proofs.len() > 2);
    let mut at = 0;
    forge(&workspace.out(), "findings", &mut |record| {
        at += 1;
        if record["killed"].is_object() {
            record["killed"]["run"] = runs[at % runs.len()].clone();
        }
        if record["survived"].is_object() {
            record["survived"]["proof"] = proofs[at % proofs.len()].clone();
        }
    });
    let (run, again) = covered(&workspace, &[]);
    assert_eq!((findings(&again), run.code), (findings(&honest), 0));
    assert!(run.stderr.contains("are not accepted, and ignored\n"), "{}", run.stderr);
    let (third, document) = covered(&workspace, &[]);
    assert_eq!(third.stderr, "", "what was found instead counts from now on");
    assert_eq!(document["stats"]["reused"], findings(&honest).len());
}

#[test]
fn killed_and_survived_cannot_be_exchanged() {
    let workspace = Workspace::example("fifo.btor2");
    let (_, honest) = covered(&workspace, &[]);
    let proof = records(&workspace.out(), "findings")
        .iter()
        .find_map(|record| record["survived"]["proof"].as_str().map(str::to_owned));
    forge(&workspace.out(), "findings", &mut |record| {
        if let Some(killed) = record.get("killed").cloned() {
            let mut survived = killed;
            let mutants = survived["mutants"].as_object().expect("mutants").iter();
            let lists: serde_json::Map<String, Value> = mutants
                .map(|(kind, kills)| {
                    (kind.clone(), kills.as_object().expect("kills").keys().cloned().collect())
                })
                .collect();
            survived["mutants"] = Value::Object(lists);
            survived["proof"] = proof.clone().into();
            *record = json!({ "survived": survived });
        }
    });
    let (run, again) = covered(&workspace, &[]);
    assert_eq!(findings(&again), findings(&honest));
    assert!(run.stderr.contains("not accepted"), "{}", run.stderr);
}

#[test]
fn that_a_mutant_has_no_effect_takes_its_own_proof() {
    let workspace = Workspace::example("arbiter.aag");
    let verdicts = |document: &Value| -> Vec<Value> {
        holes(document).iter().map(|hole| hole["verdict"].clone()).collect()
    };
    let (_, honest) = covered(&workspace, &["--witness"]);
    assert!(verdicts(&honest).contains(&"uncovered".into()));
    // A mutant that differs is said to have no effect, by the proof that it survives.
    let found = records(&workspace.out(), "findings");
    let proof = found.iter().find_map(|record| record["survived"]["proof"].as_str().map(str::to_owned));
    let mut changed = 0;
    forge(&workspace.out(), "findings", &mut |record| {
        if let Some(differs) = record.get("differs").cloned() {
            let mut no_effect = differs;
            let fields = no_effect.as_object_mut().expect("an object");
            fields.remove("run");
            fields.remove("kill");
            fields.insert("proof".to_owned(), proof.clone().into());
            *record = json!({ "no-effect": no_effect });
            changed += 1;
        }
    });
    assert!(changed > 0);
    let (_, again) = covered(&workspace, &["--witness"]);
    assert_eq!(verdicts(&again), verdicts(&honest));
    let no_effect = |document: &Value| number(&share(document, "mutation", &json!("all")), "no_effect");
    assert_eq!(no_effect(&again), no_effect(&honest));
}

#[test]
fn a_forged_proof_of_the_design_is_not_believed() {
    let workspace = Workspace::new("toggle.aag", TOGGLE);
    assert_eq!(workspace.cover(&[]).code, 2);
    let violated =
        records(&workspace.out(), "findings").into_iter().find_map(|record| record.get("violated").cloned());
    let meaning = violated.expect("the property fails")["meaning"].clone();
    // The empty proof, by its right name.
    let design = propcov_frontend::read("toggle.aag", TOGGLE.as_bytes()).expect("well-formed");
    let scratch = tempfile::tempdir().expect("a directory");
    let subject = propcov_store::Subject { files: Vec::new(), options: Value::Null };
    let meanings = std::sync::Arc::new(propcov_ir::Meanings::new(&design.system));
    let mut journal =
        propcov_store::Journal::start(scratch.path(), &subject, &design.system, meanings).expect("a journal");
    let (invariant, core) = (propcov_ir::Invariant::default(), propcov_ir::ElementSet::new());
    let proof = journal.add_proof(&std::sync::Arc::new(propcov_ir::Proof {
        invariant: invariant.into(),
        k: 1,
        simple_path: false,
        core,
    }));
    drop(journal);
    let [evidence] = segments(scratch.path(), "evidence").try_into().expect("one run");
    std::fs::copy(evidence, workspace.out().join("evidence/forged.jsonl")).expect("copied");
    let claim = json!({ "proved": {
        "meaning": meaning, "property": "stays.low", "proof": proof.to_string(), "by": "ic3", "seconds": 0.0
    }});
    for segment in segments(&workspace.out(), "findings") {
        std::fs::remove_file(segment).expect("removed");
    }
    std::fs::write(workspace.out().join("findings/forged.jsonl"), sealed(&claim)).expect("written");
    let (run, document) = covered(&workspace, &[]);
    assert_eq!((run.code, &document["properties"][0]["verdict"]), (2, &"falsified".into()));
    let expected = "warning: out: 1 verdict on a property is not accepted, and ignored\n";
    assert_eq!(run.stderr, expected);
}

#[test]
fn what_there_is_no_time_for_is_not_called_wrong() {
    // One of two: the other proof has the first property as a lemma, which its own does not depend on, and may have changed.
    let workspace = Workspace::example("fifo.btor2");
    assert_eq!(workspace.cover(&[]).code, 0);
    let run = workspace.cover(&["--timeout", "0"]);
    assert_eq!(run.code, 4);
    assert_eq!(run.stderr, "note: out: 1 verdict on a property not checked: out of time\n");
}

#[test]
fn longer_inductions_than_anybody_wrote_cost_seconds() {
    // The lemmas are inductive in one step, and so they are in a thousand, but that takes long to see.
    let workspace = Workspace::example("fifo.btor2");
    let (_, honest) = covered(&workspace, &[]);
    let design = propcov_frontend::read(
        "fifo.btor2",
        &std::fs::read(workspace.path().join("fifo.btor2")).expect("a design"),
    );
    let system = design.expect("well-formed").system;
    let archive = propcov_store::Archive::read(&workspace.out()).expect("readable");
    let mutants: Vec<_> = system.element_ids().flat_map(|element| system.mutants_of(element)).collect();
    let properties: Vec<_> = (0..system.properties().len() as u32).map(propcov_ir::PropertyId).collect();
    let meanings = std::sync::Arc::new(propcov_ir::Meanings::new(&system));
    let wanted = propcov_store::Wanted { properties: &properties, mutants: &mutants, candidates: false };
    let recalled = archive.recall(&system, &meanings, &wanted);
    let subject = propcov_store::Subject { files: Vec::new(), options: Value::Null };
    std::fs::remove_dir_all(workspace.out()).expect("removed");
    let mut journal =
        propcov_store::Journal::start(&workspace.out(), &subject, &system, meanings).expect("a journal");
    for proved in &recalled.proved {
        journal.add_proved(proved.property, &proved.proof, "", 0.0);
    }
    for claimed in &recalled.findings {
        let mut finding = claimed.finding.clone();
        if let propcov_ir::Status::Uncovered(proof) = &finding.status {
            let longer = propcov_ir::Proof { k: 1000, ..proof.as_ref().clone() };
            finding.status = propcov_ir::Status::Uncovered(std::sync::Arc::new(longer));
        }
        journal.add_findings(&[finding]);
    }
    drop(journal);
    let start = std::time::Instant::now();
    let (run, document) = covered(&workspace, &[]);
    assert_eq!(findings(&document), findings(&honest));
    assert!(!run.stderr.contains("not accepted"), "{}", run.stderr);
    assert!(start.elapsed() < std::time::Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn where_nothing_can_be_kept_the_result_is_still_there() {
    let workspace = Workspace::example("fifo.btor2");
    std::fs::write(workspace.out(), "a file in the way").expect("written");
    let blocked = workspace.cover(&["--format", "json"]);
    assert_eq!(blocked.code, 1);
    assert!(blocked.stderr.starts_with("error: cannot read out/findings: "), "{}", blocked.stderr);
    assert!(findings(&blocked.document()).len() > 10);
    // Nobody asked for the default.
    std::fs::write(workspace.path().join("propcov.out"), "a file in the way").expect("written");
    let blocked = workspace.run("cover", &["--format", "json"]);
    assert_eq!(blocked.code, 0);
    assert!(blocked.stderr.starts_with("warning: cannot read propcov.out/findings: "), "{}", blocked.stderr);
    assert!(blocked.stderr.ends_with("; findings will not be kept\n"), "{}", blocked.stderr);
    assert!(findings(&blocked.document()).len() > 10);
}

#[test]
#[cfg(unix)]
fn a_directory_that_cannot_be_written_is_still_read() {
    use std::os::unix::fs::PermissionsExt;
    let workspace = Workspace::example("fifo.btor2");
    let (_, first) = covered(&workspace, &[]);
    let set = |mode: u32| {
        for part in ["evidence", "findings", "designs", ""] {
            let path = workspace.out().join(part);
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("allowed");
        }
    };
    set(0o555);
    if std::fs::write(workspace.out().join("probe"), "").is_ok() {
        set(0o755);
        return eprintln!("skipped: this user may write anything");
    }
    let (again, document) = covered(&workspace, &[]);
    let explained = workspace.run("explain", &["memory", "--out", "out", "--format", "json"]);
    set(0o755);
    assert_eq!((findings(&document), again.code), (findings(&first), 0));
    assert_eq!(document["stats"]["reused"], findings(&first).len());
    assert_eq!((explained.code, &explained.document()["stats"]["reused"]), (0, &6.into()));
}

#[test]
fn a_design_from_standard_input_is_kept_as_well() {
    let workspace = Workspace::example("fifo.btor2");
    let design = std::fs::read(workspace.path().join("fifo.btor2")).expect("a design");
    let run = assert_cmd::Command::new(env!("CARGO_BIN_EXE_propcov"))
        .current_dir(workspace.path())
        .args(["cover", "-", "--out", "out"])
        .write_stdin(design)
        .output()
        .expect("runs");
    assert_eq!(run.status.code(), Some(0));
    let (run, document) = covered(&workspace, &[]);
    assert_eq!((run.stderr.as_str(), &document["stats"]["reused"]), ("", &findings(&document).len().into()));
}

#[test]
fn different_designs_share_a_directory() {
    let workspace = Workspace::example("fifo.btor2");
    let arbiter = std::fs::read(crate::common::root().join("examples/arbiter.aag")).expect("an example");
    std::fs::write(workspace.path().join("arbiter.aag"), arbiter).expect("written");
    let cover = |name: &str| {
        let run = assert_cmd::Command::new(env!("CARGO_BIN_EXE_propcov"))
            .current_dir(workspace.path())
            .args(["cover", name, "--out", "out", "--format", "json"])
            .output()
            .expect("runs");
        assert_eq!(String::from_utf8_lossy(&run.stderr), "");
        let document: Value = serde_json::from_slice(&run.stdout).expect("JSON");
        document["stats"]["reused"].as_u64().expect("a number") == findings(&document).len() as u64
    };
    assert_eq!((cover("fifo.btor2"), cover("arbiter.aag")), (false, false));
    assert_eq!((cover("./fifo.btor2"), cover("arbiter.aag")), (true, true));
}

#[test]
fn directories_are_merged_by_copying() {
    let workspace = Workspace::example("fifo.btor2");
    let (_, whole) = covered(&workspace, &["--fresh"]);
    std::fs::remove_dir_all(workspace.out()).expect("removed");
    let halves = ["*_pointer,count", "memory,watcher.*"];
    let names: Vec<std::path::PathBuf> = halves
        .iter()
        .enumerate()
        .map(|(at, elements)| {
            covered(&workspace, &["--elements", elements]);
            let target = workspace.path().join(format!("half{at}"));
            std::fs::rename(workspace.out(), &target).expect("renamed");
            target
        })
        .collect();
    for half in names.iter().chain(&names[..1]) {
        for part in ["designs", "evidence", "findings"] {
            std::fs::create_dir_all(workspace.out().join(part)).expect("made");
            for file in std::fs::read_dir(half.join(part)).expect("readable").flatten() {
                std::fs::copy(file.path(), workspace.out().join(part).join(file.file_name()))
                    .expect("copied");
            }
        }
    }
    let (_, merged) = covered(&workspace, &[]);
    assert_eq!(findings(&merged), findings(&whole));
    assert_eq!(
        (&merged["stats"]["reused"], &merged["stats"]["solver_calls"]),
        (&findings(&whole).len().into(), &Value::Null)
    );
}
