//! Ctrl-C, and readers that go away.
#![cfg(unix)]

use crate::common::{HARD, HARD_MUTANTS, Run, Workspace, findings, number, of_mutants, records, root, share};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn spawn(name: &str, design: &str, arguments: &[&str]) -> (tempfile::TempDir, Child) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(name);
    std::fs::write(&path, design).expect("written");
    let child = Command::new(env!("CARGO_BIN_EXE_propcov"))
        .current_dir(root())
        .arg("check")
        .arg(&path)
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("propcov starts");
    (directory, child)
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").arg(format!("-{name}")).arg(child.id().to_string()).status();
    assert!(status.expect("kill runs").success());
}

/// Ends the child if the test does not get that far.
struct Reaper(Child);

impl Drop for Reaper {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn wait(child: &mut Child, limit: Duration) -> i32 {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code().expect("ended by itself");
        }
        assert!(start.elapsed() < limit, "still running after {limit:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether so many findings are kept by now.
fn has_findings(workspace: &Workspace, count: usize) -> bool {
    let records = records(&workspace.out(), "findings");
    let survived = records.iter().filter_map(|record| record["survived"]["mutants"].as_object());
    let mutants = survived.flat_map(|mutants| mutants.values()).filter_map(|names| names.as_array());
    mutants.map(Vec::len).sum::<usize>() >= count
}

/// Starts `propcov cover` on a design of which it can decide four of six mutants, and waits until it has.
fn half_way(workspace: &Workspace) -> Reaper {
    let mut command = workspace.command("cover", &["-m", "mutation", "--out", "out", "--format", "json"]);
    let mut child =
        Reaper(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("propcov starts"));
    let start = Instant::now();
    while !has_findings(workspace, 4) {
        assert!(child.0.try_wait().expect("a child").is_none(), "it should not be finished");
        assert!(start.elapsed() < Duration::from_secs(60), "nothing was kept for a minute");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

/// A design whose counterexample does not fit into a pipe.
fn talkative() -> String {
    let mut design =
        "1 sort bitvec 1\n2 sort bitvec 4\n3 sort bitvec 64\n4 zero 2\n5 constd 2 12\n6 state 2 count\n\
                      7 init 2 6 4\n8 inc 2 6\n9 next 2 6 8\n10 eq 1 6 5\n11 bad 10 below_twelve\n"
            .to_owned();
    (100..400).for_each(|id| design.push_str(&format!("{id} input 3 word{id}\n")));
    design
}

#[test]
fn after_an_interrupt_everything_decided_so_far_is_reported() {
    for name in ["INT", "TERM"] {
        let (_directory, child) = spawn("hard.btor2", HARD, &["--format", "json"]);
        let mut child = Reaper(child);
        std::thread::sleep(Duration::from_secs(2));
        signal(&child.0, name);
        let code = wait(&mut child.0, Duration::from_secs(30));
        let mut stdout = String::new();
        child.0.stdout.take().expect("piped").read_to_string(&mut stdout).expect("UTF-8");
        let document = Run { code, stdout, stderr: String::new() }.document();
        assert_eq!(code, 4, "{document}");
        assert_eq!(document["properties"][0]["verdict"], "proved", "{name}: {document}");
        assert_eq!(document["properties"][1]["verdict"], "unknown", "{name}: {document}");
        assert_eq!(document["properties"][1]["reason"], "cancelled", "{name}: {document}");
    }
}

#[test]
fn an_interrupted_measurement_is_reported_and_the_next_run_goes_on_from_there() {
    let workspace = Workspace::new("hard.btor2", HARD_MUTANTS);
    let mut child = half_way(&workspace);
    signal(&child.0, "INT");
    let code = wait(&mut child.0, Duration::from_secs(60));
    let mut stdout = String::new();
    child.0.stdout.take().expect("piped").read_to_string(&mut stdout).expect("UTF-8");
    let document = Run { code, stdout, stderr: String::new() }.document();
    assert_eq!(code, 4, "{document}");
    let all = share(&document, "mutation", &serde_json::json!("all"));
    assert_eq!((number(&all, "uncovered"), number(&all, "unknown")), (4, 2), "{document}");
    // Whether the four have an effect was not found out either.
    assert_eq!(all["percent"], serde_json::json!([0.0, 100.0]));
    for finding in of_mutants(&document).iter().filter(|finding| finding["verdict"] == "unknown") {
        assert_eq!(finding["reason"], "cancelled", "{finding}");
    }
    let again = workspace.cover(&["-m", "mutation", "--timeout", "2", "--format", "json"]);
    assert_eq!((again.code, &again.document()["stats"]["reused"]), (4, &4.into()), "{}", again.stdout);
    assert_eq!(findings(&again.document()), findings(&document));
}

#[test]
fn what_was_decided_survives_a_process_that_is_killed() {
    let workspace = Workspace::new("hard.btor2", HARD_MUTANTS);
    let mut child = half_way(&workspace);
    child.0.kill().expect("killed");
    child.0.wait().expect("gone");
    let again = workspace.cover(&["-m", "mutation", "--timeout", "2", "--format", "json"]);
    assert_eq!((again.code, again.stderr.as_str()), (4, ""));
    assert_eq!(again.document()["stats"]["reused"], 4, "{}", again.stdout);
}

#[test]
fn two_runs_at_the_same_time_share_a_directory() {
    let workspace = Workspace::new("hard.btor2", HARD_MUTANTS);
    let _first = half_way(&workspace);
    let second = workspace.cover(&["-m", "mutation", "--timeout", "2", "--format", "json"]);
    assert_eq!((second.code, second.stderr.as_str()), (4, ""));
    assert_eq!(second.document()["stats"]["reused"], 4, "what the first has found so far");
    let explained =
        workspace.run("explain", &["odd", "--observe", "registers", "--out", "out", "--format", "json"]);
    assert_eq!(
        (explained.code, &explained.document()["stats"]["reused"]),
        (0, &3.into()),
        "{}",
        explained.stderr
    );
}

#[test]
fn an_interrupt_keeps_the_cores_that_were_found() {
    // The first property is easy; what the second can do without is not.
    let design = HARD_MUTANTS.replace("21 and 1 6 9\n22 ", "21 and 1 6 9\n22 bad 6 never_locked\n23 ");
    assert_ne!(design, HARD_MUTANTS);
    let workspace = Workspace::new("hard.btor2", &design);
    let mut command = workspace.command("cores", &["--check-timeout", "1h", "--out", "out"]);
    let mut child =
        Reaper(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("propcov starts"));
    // That it needs both elements of its core is all that there is to find out about the first.
    let needed = || {
        let records = records(&workspace.out(), "findings");
        records.iter().filter(|record| record["inadequate"]["property"] == "never_locked").count()
    };
    let start = Instant::now();
    while needed() < 2 {
        assert!(start.elapsed() < Duration::from_secs(120), "no core after two minutes");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(500));
    assert!(child.0.try_wait().expect("a child").is_none(), "there is more to look for");
    signal(&child.0, "INT");
    let lines = BufReader::new(child.0.stdout.take().expect("piped")).lines();
    let text: Vec<String> = lines.map(|line| line.expect("UTF-8")).collect();
    assert_eq!(wait(&mut child.0, Duration::from_secs(60)), 4);
    let has =
        |start: &str, part: &str| text.iter().any(|line| line.starts_with(start) && line.contains(part));
    assert!(has("never_locked: 1 minimal core, complete", ""), "{text:#?}");
    assert!(has("  core 1 (2 elements, minimal): ", ""), "{text:#?}");
    // The interrupt may come before the second property is proved.
    let is_open = has("never_both: ", "INCOMPLETE: interrupted") || has("never_both: unknown", "");
    assert!(is_open, "{text:#?}");
}

#[test]
fn a_second_interrupt_ends_the_process_at_once() {
    let (_directory, child) = spawn("talkative.btor2", &talkative(), &["--format", "json"]);
    let mut child = Reaper(child);
    // It is writing, and as nobody reads on it will never finish.
    let mut first = [0; 1];
    child.0.stdout.as_mut().expect("piped").read_exact(&mut first).expect("output");
    signal(&child.0, "INT");
    std::thread::sleep(Duration::from_millis(500));
    assert!(child.0.try_wait().expect("a child").is_none(), "one interrupt does not cut the report short");
    signal(&child.0, "INT");
    assert_eq!(wait(&mut child.0, Duration::from_secs(10)), 4);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let (_directory, child) = spawn("talkative.btor2", &talkative(), &["--format", "json"]);
    let mut child = Reaper(child);
    let mut pipe = child.0.stdout.take().expect("piped");
    pipe.read_exact(&mut [0; 1]).expect("output");
    drop(pipe);
    assert_eq!(wait(&mut child.0, Duration::from_secs(10)), 2, "the verdict decides");
    let mut stderr = String::new();
    child.0.stderr.take().expect("piped").read_to_string(&mut stderr).expect("UTF-8");
    assert_eq!(stderr, "");
}

#[test]
fn a_full_disk_behind_standard_output_is_an_error() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
        return eprintln!("skipped: there is no /dev/full here");
    };
    let output = Command::new(env!("CARGO_BIN_EXE_propcov"))
        .current_dir(root())
        .args(["check", "examples/arbiter.aag"])
        .stdout(full)
        .output()
        .expect("runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.starts_with("error: cannot write to standard output: "), "{stderr}");
}
