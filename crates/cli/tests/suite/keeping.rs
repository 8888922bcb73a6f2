//! The findings database as users meet it: going on, starting over, and files that cannot be used or believed.

use crate::common::{TOGGLE, Workspace, findings};
use std::path::PathBuf;

fn database(workspace: &Workspace) -> PathBuf {
    workspace.out().join("fifo.btor2.mutation.jsonl")
}

fn names(directory: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).expect("a directory");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("readable").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

#[test]
fn findings_are_kept_where_asked_for_and_by_default_beside_the_user() {
    let workspace = Workspace::example("fifo.btor2");
    assert_eq!(workspace.run("cover", &["--no-out"]).code, 0);
    assert_eq!(names(workspace.path()), ["fifo.btor2"]);
    assert_eq!(workspace.run("cover", &[]).code, 0);
    assert_eq!(names(&workspace.path().join("propcov.out")), ["fifo.btor2.mutation.jsonl"]);
    assert_eq!(workspace.cover(&["--bits", "--elements", "count"]).code, 0);
    assert_eq!(names(&workspace.out()), ["fifo.btor2.mutation.bits.jsonl"]);
}

#[test]
fn every_decided_finding_says_where_its_evidence_is() {
    let workspace = Workspace::example("fifo.btor2");
    let document = workspace.cover(&["--format", "json"]).document();
    let text = std::fs::read_to_string(database(&workspace)).expect("a database");
    for finding in document["findings"].as_array().expect("findings") {
        let evidence = finding["evidence"].as_str().expect("evidence");
        let (kind, number) = evidence.split_once(' ').expect("kind and number");
        let start = format!("{{\"record\":\"{kind}\",\"id\":{number},");
        assert_eq!(text.lines().filter(|line| line.starts_with(&start)).count(), 1, "{evidence}");
    }
}

#[test]
fn another_design_under_the_same_name_starts_over_and_says_so() {
    let workspace = Workspace::example("fifo.btor2");
    assert_eq!(workspace.cover(&[]).code, 0);
    let design = workspace.path().join("fifo.btor2");
    let text = std::fs::read_to_string(&design).expect("a design");
    std::fs::write(&design, format!("{text}; a comment\n")).expect("written");
    let again = workspace.cover(&["--format", "json"]);
    assert_eq!((again.code, &again.document()["stats"]["reused"]), (0, &0.into()));
    assert!(
        again.stderr.starts_with("note: out/fifo.btor2.mutation.jsonl: the design has changed"),
        "{}",
        again.stderr
    );
    assert_eq!(names(&workspace.out()), ["fifo.btor2.mutation.jsonl", "fifo.btor2.mutation.jsonl.old"]);
    let fresh = workspace.cover(&["--format", "json", "--fresh"]);
    assert_eq!((fresh.stderr.as_str(), &fresh.document()["stats"]["reused"]), ("", &0.into()));
}

#[test]
fn a_line_that_was_cut_off_costs_only_that_line() {
    let workspace = Workspace::example("fifo.btor2");
    let whole = workspace.cover(&["--format", "json"]).document();
    let bytes = std::fs::read(database(&workspace)).expect("a database");
    std::fs::write(database(&workspace), &bytes[..bytes.len() - 10]).expect("written");
    let again = workspace.cover(&["--format", "json"]);
    assert_eq!(findings(&again.document()), findings(&whole));
    assert!(again.stderr.contains("was cut off, and is left out\n"), "{}", again.stderr);
    assert_eq!(workspace.cover(&[]).stderr, "", "it has been repaired");
}

#[test]
fn a_damaged_line_is_an_error_that_names_it() {
    let workspace = Workspace::example("fifo.btor2");
    workspace.cover(&[]);
    let text = std::fs::read_to_string(database(&workspace)).expect("a database");
    let damaged: Vec<String> = (text.lines().enumerate())
        .map(|(at, line)| if at == 4 { line[..line.len() / 2].to_owned() } else { line.to_owned() })
        .collect();
    std::fs::write(database(&workspace), damaged.join("\n") + "\n").expect("written");
    for (command, element) in [("cover", None), ("explain", Some("memory"))] {
        let arguments: Vec<&str> = element.into_iter().chain(["--out", "out"]).collect();
        let run = workspace.run(command, &arguments);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{command}");
        assert!(run.stderr.starts_with("error: out/fifo.btor2.mutation.jsonl, line 5: "), "{}", run.stderr);
        assert!(run.stderr.contains("--fresh"), "{}", run.stderr);
    }
    assert_eq!(workspace.cover(&["--fresh"]).code, 0);
}

#[test]
fn evidence_that_was_tampered_with_is_not_believed() {
    let workspace = Workspace::example("fifo.btor2");
    let honest = workspace.cover(&["--format", "json"]).document();
    let text = std::fs::read_to_string(database(&workspace)).expect("a database");
    // Each finding is given the evidence of another one, and other verdicts with it.
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let is_finding = |line: &serde_json::Value| line["record"] == "finding";
    let found: Vec<serde_json::Value> = lines.iter().filter(|line| is_finding(line)).cloned().collect();
    let mut forged: Vec<serde_json::Value> = lines.iter().filter(|line| !is_finding(line)).cloned().collect();
    for (at, finding) in found.iter().enumerate() {
        let mut other = found[(at + 7) % found.len()].clone();
        for field in ["property", "element", "edit"] {
            other[field] = finding[field].clone();
        }
        // Values of another sort would not even be read.
        other.as_object_mut().expect("an object").remove("free");
        forged.push(other);
    }
    let text: String = forged.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(database(&workspace), text).expect("written");
    let again = workspace.cover(&["--format", "json"]);
    assert_eq!(findings(&again.document()), findings(&honest));
    assert_eq!(again.code, 0);
    assert!(again.stderr.contains("findings is not accepted; they are left out"), "{}", again.stderr);
    let third = workspace.cover(&["--format", "json"]);
    assert_eq!(third.stderr, "", "what was found instead counts from now on");
    assert_eq!(third.document()["stats"]["reused"], found.len());
}

#[test]
fn a_forged_proof_of_the_design_is_not_believed() {
    let workspace = Workspace::new("toggle.aag", TOGGLE);
    assert_eq!(workspace.cover(&[]).code, 2);
    let path = workspace.out().join("toggle.aag.mutation.jsonl");
    let header = std::fs::read_to_string(&path).expect("a database");
    let forged = "{\"record\":\"proof\",\"id\":0,\"lemmas\":[],\"k\":1,\"core\":[]}\n\
                  {\"record\":\"proved\",\"property\":\"stays.low\",\"proof\":0,\"engine\":\"ic3\",\"depth\":1,\"seconds\":0}\n";
    std::fs::write(&path, header + forged).expect("written");
    let run = workspace.cover(&["--format", "json"]);
    assert_eq!((run.code, &run.document()["properties"][0]["verdict"]), (2, &"falsified".into()));
    let expected = "warning: the proof of stays.low that was kept is not accepted; it is left out\n";
    assert_eq!(run.stderr, expected);
}

#[test]
fn without_time_to_check_it_what_was_kept_is_not_called_wrong() {
    let workspace = Workspace::example("fifo.btor2");
    assert_eq!(workspace.cover(&[]).code, 0);
    let hasty = workspace.cover(&["--timeout", "0", "--format", "json"]);
    assert_eq!(hasty.code, 4);
    assert!(
        hasty.stderr.lines().all(|line| line.starts_with("note: there was no time to check the proof of "))
    );
    assert!(!hasty.stderr.is_empty() && !hasty.stderr.contains("not accepted"), "{}", hasty.stderr);
    let again = workspace.cover(&["--format", "json"]);
    assert_eq!((again.code, again.stderr.as_str()), (0, ""), "and nothing of it is lost");
}

#[test]
fn where_nothing_can_be_kept_the_result_is_still_there() {
    let workspace = Workspace::example("fifo.btor2");
    std::fs::write(workspace.out(), "a file in the way").expect("written");
    let blocked = workspace.cover(&["--format", "json"]);
    assert_eq!(blocked.code, 1);
    assert!(blocked.stderr.starts_with("error: cannot create out: "), "{}", blocked.stderr);
    assert!(findings(&blocked.document()).len() > 10);
}

#[test]
#[cfg(unix)]
fn on_a_full_disk_the_result_is_still_there() {
    if !std::path::Path::new("/dev/full").exists() {
        return eprintln!("skipped: there is no /dev/full here");
    }
    let workspace = Workspace::example("fifo.btor2");
    std::fs::create_dir(workspace.out()).expect("a directory");
    std::os::unix::fs::symlink("/dev/full", database(&workspace)).expect("a link");
    let full = workspace.cover(&["--format", "json"]);
    assert_eq!(full.code, 1);
    assert!(
        full.stderr.starts_with("error: cannot write out/fifo.btor2.mutation.jsonl: "),
        "{}",
        full.stderr
    );
    assert!(findings(&full.document()).iter().all(|[.., verdict]| verdict != "unknown"));
}

#[test]
fn a_design_from_standard_input_is_kept_under_that_name() {
    let workspace = Workspace::example("fifo.btor2");
    let design = std::fs::read(workspace.path().join("fifo.btor2")).expect("a design");
    let run = assert_cmd::Command::new(env!("CARGO_BIN_EXE_propcov"))
        .current_dir(workspace.path())
        .args(["cover", "-", "--out", "out"])
        .write_stdin(design)
        .output()
        .expect("runs");
    assert_eq!(run.status.code(), Some(0));
    assert_eq!(names(&workspace.out()), ["stdin.mutation.jsonl"]);
}

#[test]
fn starting_over_removes_the_waveforms_that_were_written_and_no_others() {
    let workspace = Workspace::example("arbiter.aag");
    assert_eq!(workspace.cover(&["--witness"]).code, 0);
    let holes = workspace.out().join("arbiter.aag.mutation.holes");
    assert!(!names(&holes).is_empty());
    for foreign in ["mine.vcd", "notes.txt"] {
        std::fs::write(holes.join(foreign), "$version something else $end").expect("written");
    }
    assert_eq!(workspace.cover(&["--fresh"]).code, 0);
    assert_eq!(names(&holes), ["mine.vcd", "notes.txt"]);
    assert_eq!(workspace.cover(&["--witness", "--fresh"]).code, 0);
    assert!(names(&holes).len() > 2);
}

#[test]
fn designs_of_the_same_name_do_not_displace_each_other() {
    let workspace = Workspace::example("fifo.btor2");
    let other = workspace.path().join("other");
    std::fs::create_dir(&other).expect("a directory");
    let text = std::fs::read_to_string(workspace.path().join("fifo.btor2")).expect("a design");
    std::fs::write(other.join("fifo.btor2"), format!("{text}; a comment\n")).expect("written");
    let cover = |path: &str| {
        let run = assert_cmd::Command::new(env!("CARGO_BIN_EXE_propcov"))
            .current_dir(workspace.path())
            .args(["cover", path, "--out", "out", "--format", "json"])
            .output()
            .expect("runs");
        assert_eq!(String::from_utf8_lossy(&run.stderr), "");
        let document: serde_json::Value = serde_json::from_slice(&run.stdout).expect("JSON");
        document["stats"]["reused"].as_u64().expect("a number") > 0
    };
    assert_eq!((cover("fifo.btor2"), cover("other/fifo.btor2")), (false, false));
    assert_eq!((cover("./fifo.btor2"), cover("other/../other/fifo.btor2")), (true, true));
    assert_eq!(names(&workspace.out()), ["fifo.btor2-2.mutation.jsonl", "fifo.btor2.mutation.jsonl"]);
}
