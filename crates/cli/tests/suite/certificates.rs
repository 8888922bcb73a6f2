//! `--certificate DIR`: what is written can be read, and says the same as the report.

use crate::common::{LOOP, TOGGLE, check_text, run, values};
use propcov_frontend::{aiger, btor2};
use serde_json::Value;
use std::path::Path;

fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).expect("a directory");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("readable").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

fn certificates(path: &str) -> (tempfile::TempDir, Value) {
    let directory = tempfile::tempdir().expect("a directory");
    let evidence = directory.path().join("deep/evidence");
    let run = run(&["check", path, "--certificate", evidence.to_str().expect("UTF-8"), "--format", "json"]);
    assert_eq!(run.stderr, "");
    (directory, run.document())
}

#[test]
fn proofs_of_an_aiger_file_are_witness_circuits_that_are_inductive_by_themselves() {
    let (directory, _) = certificates("examples/arbiter.aag");
    let evidence = directory.path().join("deep/evidence");
    let expected = [
        "nobody_waits_twice.aag",
        "nobody_waits_twice.model.aag",
        "one_grant_at_a_time.aag",
        "one_grant_at_a_time.model.aag",
    ];
    assert_eq!(names(&evidence), expected);
    for circuit in ["nobody_waits_twice.aag", "one_grant_at_a_time.aag"] {
        let path = evidence.join(circuit);
        let inductive =
            ["check", path.to_str().expect("UTF-8"), "--engine", "kinduction", "--format", "json"];
        let document = run(&inductive).document();
        let property = &document["properties"][0];
        assert_eq!(
            (property["verdict"].as_str(), property["depth"].as_u64()),
            (Some("proved"), Some(1)),
            "{circuit}"
        );
    }
}

#[test]
fn a_counterexample_of_an_aiger_file_is_a_witness_and_a_waveform() {
    let directory = tempfile::tempdir().expect("a directory");
    let evidence = directory.path().to_str().expect("UTF-8");
    let run = check_text("toggle.aag", TOGGLE, &["--certificate", evidence]);
    assert_eq!(run.code, 2);
    assert_eq!(names(directory.path()), ["stays_low.cex", "stays_low.vcd"]);
    let design = propcov_frontend::read("toggle.aag", TOGGLE.as_bytes()).expect("well-formed");
    let model = aiger::model_of(&design).expect("an AIGER file");
    let bytes = std::fs::read(directory.path().join("stays_low.cex")).expect("written");
    let witness = aiger::witness::parse("stays_low.cex", &bytes, model).expect("well-formed");
    assert_eq!((witness.bad, witness.inputs.len()), (0, 2));
    assert!(run.stdout.contains("stays_low.vcd") && !run.stdout.contains("--certificate"), "{}", run.stdout);
}

#[test]
fn proofs_of_a_btor2_file_are_invariants_in_words() {
    let (directory, _) = certificates("examples/counter.btor2");
    let evidence = directory.path().join("deep/evidence");
    assert_eq!(
        names(&evidence),
        ["credits_at_most_eight.invariant.txt", "in_flight_at_most_eight.invariant.txt"]
    );
    let text = std::fs::read_to_string(evidence.join("in_flight_at_most_eight.invariant.txt")).expect("text");
    assert!(text.starts_with("# Why in_flight_at_most_eight holds: together with these "), "{text}");
    assert!(text.lines().skip(1).any(|lemma| lemma.contains("credits")), "{text}");
}

#[test]
fn a_counterexample_of_a_btor2_file_is_a_witness_and_a_waveform_that_agree_with_the_report() {
    let (directory, document) = certificates("examples/broken_counter.btor2");
    let evidence = directory.path().join("deep/evidence");
    assert_eq!(names(&evidence), ["below_ten.vcd", "below_ten.wit"]);
    let property = &document["properties"][0];
    let steps = property["trace"]["steps"].as_u64().expect("a trace") as usize;

    let bytes = std::fs::read(evidence.join("below_ten.wit")).expect("written");
    let witness = btor2::witness::parse("below_ten.wit", &bytes).expect("well-formed");
    assert_eq!(witness.bads, [0]);
    for (frame, value) in witness.frames.iter().zip(values(property, "enable")) {
        assert_eq!(value, frame.inputs[0].value.to_string());
    }
    assert_eq!(witness.frames.len(), steps);

    let waveform = Waveform::read(&evidence.join("below_ten.vcd"));
    assert_eq!(waveform.values(&["design", "enable"]), values(property, "enable"));
    assert_eq!(waveform.values(&["design", "decade", "count"]), values(property, "decade.count"));
    let mut holds = vec!["1"; steps];
    holds[steps - 1] = "0";
    assert_eq!(waveform.values(&["design", "properties", "below_ten"]), holds);
    assert_eq!(waveform.values(&["design", "decade", "is_last"]).last().map(String::as_str), Some("1"));
}

#[test]
fn the_waveform_of_a_memory_has_a_variable_for_each_word_that_matters() {
    // Something is written to address 2, and that must not happen.
    let design = "1 sort bitvec 1\n2 sort bitvec 2\n3 sort bitvec 3\n4 sort array 2 3\n5 zero 3\n6 state 4 cpu.mem\n\
                  7 init 4 6 5\n8 input 2 address\n9 input 3 data\n10 write 4 6 8 9\n11 next 4 6 10\n\
                  12 constd 2 2\n13 read 3 6 12\n14 constd 3 5\n15 eq 1 13 14\n16 bad 15 never_five\n";
    let directory = tempfile::tempdir().expect("a directory");
    let evidence = directory.path().to_str().expect("UTF-8");
    let run =
        check_text("memory.btor2", design, &["--certificate", evidence, "--engine", "bmc", "--bound", "5"]);
    assert_eq!(run.code, 2, "{}", run.stdout);
    let waveform = Waveform::read(&directory.path().join("never_five.vcd"));
    assert_eq!(waveform.values(&["design", "cpu", "mem[2]"]), ["000", "101"]);
}

#[test]
fn a_proof_over_simple_paths_has_no_circuit_but_an_invariant_and_a_note() {
    let directory = tempfile::tempdir().expect("a directory");
    let evidence = directory.path().to_str().expect("UTF-8");
    let run =
        check_text("loop.aag", LOOP, &["--engine", "kinduction", "--simple-path", "--certificate", evidence]);
    assert_eq!(run.code, 0);
    assert_eq!(names(directory.path()), ["b_is_never_set.invariant.txt"]);
    assert!(run.stderr.starts_with("note: no witness circuit for b_is_never_set: "), "{}", run.stderr);
}

#[test]
fn a_directory_that_cannot_be_made_is_an_error_but_verdicts_are_printed() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let below = file.path().join("evidence");
    let run = run(&["check", "examples/arbiter.aag", "--certificate", below.to_str().expect("UTF-8")]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.starts_with(&format!("error: cannot write {}: ", below.display())), "{}", run.stderr);
    assert!(run.stdout.contains("2 properties: 2 proved"), "{}", run.stdout);
}

#[test]
fn a_file_that_cannot_be_written_is_named_and_the_others_are_written() {
    let directory = tempfile::tempdir().expect("a directory");
    let blocked = directory.path().join("below_ten.vcd");
    std::fs::create_dir_all(blocked.join("inside")).expect("a directory in the way");
    let evidence = directory.path().to_str().expect("UTF-8");
    let run = run(&["check", "examples/broken_counter.btor2", "--certificate", evidence]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.starts_with(&format!("error: cannot write {}: ", blocked.display())),
        "{}",
        run.stderr
    );
    assert!(run.stdout.contains("FAILED"), "{}", run.stdout);
    assert_eq!(names(directory.path()), ["below_ten.vcd", "below_ten.wit"]);
}

/// A value change dump, read by the library's own parser.
struct Waveform {
    header: vcd::Header,
    /// Commands after the header.
    changes: Vec<vcd::Command>,
}

impl Waveform {
    fn read(path: &Path) -> Waveform {
        let file = std::fs::File::open(path).expect("written");
        let mut parser = vcd::Parser::new(std::io::BufReader::new(file));
        let header = parser.parse_header().expect("a header");
        let changes = parser.map(|command| command.expect("well-formed")).collect();
        Waveform { header, changes }
    }

    /// The value of a variable at each time but the last, which only ends the dump.
    fn values(&self, path: &[&str]) -> Vec<String> {
        let code = self.header.find_var(path).unwrap_or_else(|| panic!("no variable {path:?}")).code;
        let (mut values, mut current) = (Vec::new(), String::new());
        for command in &self.changes {
            match command {
                vcd::Command::Timestamp(0) => {}
                vcd::Command::Timestamp(_) => values.push(current.clone()),
                vcd::Command::ChangeScalar(id, value) if *id == code => current = value.to_string(),
                vcd::Command::ChangeVector(id, value) if *id == code => {
                    current = value.iter().map(|bit| bit.to_string()).collect();
                }
                _ => {}
            }
        }
        values
    }
}
