//! `propcov jkind`: options, what is printed, files beside the model. What JKind 4.6.1 prints for the same models was compared by hand.

use crate::common::{Run, propcov};
use std::fs;
use std::path::Path;

/// One property of each kind, with an input that does not matter and one that does.
const MODEL: &str = "\
node main(step, other: int; on: bool) returns (sum: int);
var low, high, odd: bool;
let
  sum = 0 -> pre sum + (if on and step > 0 then step else 0);
  low = sum >= 0;
  high = sum < 10;
  odd = other * 0 = 0;
  --%PROPERTY low;
  --%PROPERTY high;
  --%PROPERTY odd;
  --%IVC sum, low, high, odd;
tel;
";

/// True in all steps, but no induction shows it without a lemma about x: beyond one step nothing is known of both.
const DEEP: &str = "\
node main(up: bool) returns (x: int);
var ok: bool;
let
  x = 0 -> if up then pre x + 2 else pre x - 2;
  ok = x <> 1001;
  --%PROPERTY ok;
tel;
";

fn jkind(directory: &Path, arguments: &[&str]) -> Run {
    let mut words = vec!["jkind"];
    words.extend(arguments);
    propcov(&words).current_dir(directory).output().expect("propcov starts").into()
}

fn model(text: &str) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("m.lus"), text).expect("written");
    directory
}

#[test]
fn it_prints_what_jkind_prints() {
    let directory = model(MODEL);
    let run = jkind(directory.path(), &["-jkind", "m.lus"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let text = &run.stdout;
    assert!(
        text.contains("There are 3 properties to be checked.\nPROPERTIES TO BE CHECKED: [low, high, odd]\n"),
        "{text}"
    );
    assert!(text.contains("INVALID PROPERTY: high || bmc || K = "), "{text}");
    assert!(text.contains("VALID PROPERTIES: [low, odd]\n"), "{text}");
    assert!(text.contains("\nINPUTS "), "{text}");
    assert!(text.contains("SUMMARY"), "{text}");
}

#[test]
fn files_are_written_beside_the_model() {
    let directory = model(MODEL);
    let run = jkind(directory.path(), &["-xml", "-ivc", "m.lus"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(!run.stdout.contains("K ="), "answers are in the file: {}", run.stdout);
    let xml = fs::read_to_string(directory.path().join("m.lus.xml")).expect("an XML file");
    for wanted in [
        "<Property name=\"low\">",
        ">valid</Answer>",
        "<Ivc>sum</Ivc>",
        ">falsifiable</Answer>",
        "<Signal name=\"step\" type=\"int\">",
    ] {
        assert!(xml.contains(wanted), "{wanted} is missing in {xml}");
    }
    assert!(!xml.contains("true</Value>"), "truth values are digits: {xml}");
    let to_stdout = jkind(directory.path(), &["-xml_to_stdout", "m.lus"]);
    assert!(to_stdout.stdout.starts_with("<?xml version=\"1.0\"?>\n<Results "), "{}", to_stdout.stdout);
    assert_eq!(to_stdout.stdout.matches("<Property ").count(), 3);

    let run = jkind(directory.path(), &["-excel", "m.lus"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let bytes = fs::read(directory.path().join("m.lus.xlsx")).expect("a workbook");
    assert!(bytes.starts_with(b"PK"), "a workbook is an archive");
}

#[test]
fn values_that_do_not_matter_are_intervals() {
    let directory = model(MODEL);
    let run = jkind(directory.path(), &["-interval", "-xml_to_stdout", "m.lus"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    // In the first step no input matters: there is no value at all. Then the sum has to become large enough, and may be larger.
    let step = run.stdout.split("<Signal name=\"step\"").nth(1).expect("the signal is there");
    let step = step.split("</Signal>").next().unwrap_or_default();
    assert!(!step.contains("time=\"0\"") && step.contains("time=\"1\""), "{step}");
    assert!(run.stdout.contains("high=\"inf\""), "{}", run.stdout);
    let text = jkind(directory.path(), &["-interval", "m.lus"]).stdout;
    assert!(text.contains(", inf)"), "{text}");
}

#[test]
fn why_an_induction_fails_is_shown_for_what_is_unknown() {
    let directory = model(DEEP);
    let run = jkind(directory.path(), &["-induct_cex", "-n", "2", "-pdr_max", "0", "m.lus"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("-pdr_max has no effect"), "{}", run.stderr);
    assert!(run.stdout.contains("UNKNOWN PROPERTIES: [ok] || True for 3 steps"), "{}", run.stdout);
    let shown = run.stdout.split("INDUCTIVE COUNTEREXAMPLE: ok || K = 4").nth(1).expect("why it fails");
    assert!(shown.contains("1001"), "it ends in a violation: {shown}");
}

#[test]
fn mistakes_have_an_exit_code_and_jkinds_words() {
    let directory = model(MODEL);
    let run = jkind(directory.path(), &["-nonsense", "m.lus"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert_eq!(run.stderr, "Error reading command line arguments: Unrecognized option: -nonsense\n");
    assert_eq!(jkind(directory.path(), &["absent.lus"]).code, 1);
    let help = jkind(directory.path(), &["-help"]);
    assert!(help.code == 0 && help.stdout.contains("-xml_to_stdout"), "{}", help.stdout);
}
