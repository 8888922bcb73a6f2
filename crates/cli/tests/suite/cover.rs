//! What users see of `propcov cover`.

use crate::common::{HARD, MIXED, Workspace, findings, forge, records, root, run, stable_text};
use serde_json::{Value, json};

const EXAMPLES: &[(&str, i32)] = &[
    ("arbiter.aag", 0),
    ("broken_counter.btor2", 2),
    ("conflict.btor2", 4),
    ("counter.btor2", 0),
    ("fifo.btor2", 0),
];

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

fn sorted<const N: usize>(mut names: [&str; N]) -> Vec<&str> {
    names.sort_unstable();
    names.to_vec()
}

#[test]
fn text_of_every_example() {
    for (name, code) in EXAMPLES {
        let run = run(&["cover", &format!("examples/{name}"), "--no-out"]);
        assert_eq!((run.code, run.stderr.as_str()), (*code, ""), "{name}");
        insta::with_settings!({ snapshot_suffix => *name, prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!("cover", stable_text(&run.stdout));
        });
    }
    assert!(!root().join("propcov.out").exists() || root().join("propcov.out").is_dir());
}

#[test]
fn the_document_has_these_fields_and_no_others() {
    let arguments = ["cover", "examples/fifo.btor2", "--no-out", "--format", "json", "--witness", "--traces"];
    let document = run(&arguments).document();
    let all = [
        "schema",
        "command",
        "version",
        "seed",
        "design",
        "gate",
        "properties",
        "elements",
        "findings",
        "summary",
        "ranking",
        "holes",
        "stats",
    ];
    assert_eq!(keys(&document), sorted(all));
    assert_eq!((&document["schema"], &document["command"]), (&json!("propcov/1"), &json!("cover")));
    let element = ["id", "name", "kind", "file", "line", "column", "end_line", "end_column"];
    assert_eq!(keys(&document["elements"][0]), sorted(element));
    let finding = ["metric", "element", "property", "edit", "verdict", "reason", "by", "trace", "evidence"];
    assert_eq!(keys(&document["findings"][0]), sorted(finding));
    let count = ["covered", "uncovered", "no_effect", "unknown", "total", "percent"];
    assert_eq!(keys(&document["summary"][0]["edits"]["free"]), sorted(count));
    let summary =
        ["metric", "property", "covered", "uncovered", "no_effect", "unknown", "total", "percent", "edits"];
    assert_eq!(keys(&document["summary"][0]), sorted(summary));
    let properties: Vec<&Value> =
        document["summary"].as_array().expect("a list").iter().map(|row| &row["property"]).collect();
    assert_eq!(properties, [&Value::Null, &json!("at_most_four"), &json!("data_is_kept")]);
    assert_eq!(keys(&document["ranking"]), sorted(["properties", "redundant", "greedy", "smallest"]));
    let hole = [
        "element",
        "edit",
        "verdict",
        "reason",
        "observation",
        "observed",
        "depth",
        "shortest",
        "trace",
        "vcd",
    ];
    assert_eq!(keys(&document["holes"][0]), sorted(hole));
    let stats = ["proof_seconds", "coverage_seconds", "decided_at", "solver_calls", "decided_by", "reused"];
    assert_eq!(keys(&document["stats"]), sorted(stats));
}

#[test]
fn numbers_of_the_document_add_up() {
    for (name, _) in EXAMPLES {
        let path = format!("examples/{name}");
        let document = run(&["cover", &path, "--no-out", "--format", "json", "--elements", "all"]).document();
        let findings = findings(&document);
        for row in document["summary"].as_array().expect("a summary") {
            let mine: Vec<_> =
                findings.iter().filter(|[property, ..]| row["property"] == json!(property)).collect();
            let number = |field: &str| row[field].as_u64().expect("a number");
            let parts = ["covered", "uncovered", "no_effect", "unknown"];
            assert_eq!(parts.iter().map(|part| number(part)).sum::<u64>(), number("total"), "{name}");
            if row["property"] != Value::Null {
                let covered = mine.iter().filter(|[.., verdict]| verdict == "covered").count() as u64;
                assert_eq!((number("covered"), number("total")), (covered, mine.len() as u64), "{name}");
            }
            for part in parts {
                let edits = row["edits"].as_object().expect("edits").values();
                let sum: u64 = edits.map(|edit| edit[part].as_u64().expect("a number")).sum();
                assert_eq!(sum, number(part), "{name}");
            }
        }
        let decided: u64 = document["stats"]["decided_by"]
            .as_object()
            .expect("counts")
            .values()
            .map(|count| count.as_u64().expect("a number"))
            .sum();
        assert_eq!(decided as usize, findings.len(), "{name}");
    }
}

#[test]
fn elements_are_selected_by_kind_and_by_pattern() {
    let selected = |list: &str| -> Vec<String> {
        let run = run(&["cover", "examples/fifo.btor2", "--no-out", "--format", "json", "--elements", list]);
        assert_eq!(run.code, 0, "{list}: {}", run.stderr);
        let document = run.document();
        let elements = document["elements"].as_array().expect("elements").iter();
        elements.map(|element| element["name"].as_str().expect("a name").to_owned()).collect()
    };
    let registers =
        ["memory", "write_pointer", "read_pointer", "watcher.active", "watcher.place", "watcher.word"];
    assert_eq!(selected("registers"), registers);
    assert_eq!(selected("*_pointer"), ["write_pointer", "read_pointer"]);
    assert_eq!(selected("watcher.word,m?mory"), ["memory", "watcher.word"]);
    let (gates, all) = (selected("gates"), selected("all"));
    assert!(gates.contains(&"count".to_owned()) && !gates.contains(&"memory".to_owned()), "{gates:?}");
    assert_eq!(all.len(), gates.len() + registers.len());
}

#[test]
fn what_selects_nothing_is_an_error_that_names_what_was_meant() {
    for (list, expected) in [
        ("write_pionter", "error: no element is called `write_pionter`; did you mean write_pointer?"),
        ("memory,zzzzzzzzzzz*", "error: no element is called `zzzzzzzzzzz*`; there are "),
        ("write_pointer.init", "error: write_pointer.init is an initial value, and those are not mutated"),
    ] {
        let run = run(&["cover", "examples/fifo.btor2", "--no-out", "--elements", list]);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{list}");
        assert!(run.stderr.starts_with(expected), "{list}: {}", run.stderr);
    }
}

#[test]
fn bits_take_words_apart_and_words_still_select_their_bits() {
    let names = |list: &str| -> Vec<String> {
        let arguments =
            ["cover", "examples/counter.btor2", "--no-out", "--format", "json", "--bits", "--elements", list];
        let document = run(&arguments).document();
        let elements = document["elements"].as_array().expect("elements").iter();
        elements.map(|element| element["name"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(names("credits"), ["credits[0]", "credits[1]", "credits[2]", "credits[3]"]);
    assert_eq!(names("*[3]").len(), names("*[0]").len());
    assert_eq!(names("registers").len(), 8);
}

#[test]
fn edits_are_selected_by_name() {
    let arguments = ["cover", "examples/fifo.btor2", "--no-out", "--format", "json", "--edits", "one,free"];
    let document = run(&arguments).document();
    let edits: Vec<&str> =
        document["summary"][0]["edits"].as_object().expect("edits").keys().map(String::as_str).collect();
    assert_eq!(edits, ["free", "one"]);
    assert_eq!(run(&["cover", "examples/fifo.btor2", "--edits", "two"]).code, 1);
}

#[test]
fn tests_of_two_algorithms_are_not_mixed() {
    let run = run(&["cover", "examples/fifo.btor2", "--no-out", "--tests", "cone,interpolation"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.starts_with("error: tests of two algorithms cannot be mixed\n"), "{}", run.stderr);
    assert!(run.stderr.contains("family-induction") && run.stderr.contains("induction-restart"));
}

#[test]
fn a_part_of_the_tests_leaves_the_rest_unknown() {
    let run = run(&["cover", "examples/fifo.btor2", "--no-out", "--tests", "cone", "--format", "json"]);
    let document = run.document();
    assert_eq!(run.code, 4, "{document}");
    let by = document["stats"]["decided_by"].as_object().expect("counts");
    assert_eq!(by.keys().collect::<Vec<_>>(), ["cone"]);
    assert!(document["summary"][0]["unknown"].as_u64() > Some(0), "{document}");
}

#[test]
fn accuracy_and_budget_leave_some_undecided_and_end_well() {
    let arguments = ["cover", "examples/fifo.btor2", "--no-out", "--format", "json", "--accuracy", "50%"];
    let half = run(&arguments);
    let findings = findings(&half.document());
    let decided = findings.iter().filter(|[.., verdict]| verdict != "unknown").count();
    assert_eq!(half.code, 0);
    assert!(decided * 2 >= findings.len(), "{decided} of {}", findings.len());

    let arguments = ["cover", "examples/fifo.btor2", "--no-out", "--format", "json", "--budget", "0.000001x"];
    let nothing = run(&arguments);
    assert_eq!(nothing.code, 0);
    let document = nothing.document();
    let unknown = |finding: &&Value| finding["verdict"] == "unknown";
    let undecided: Vec<&Value> =
        document["findings"].as_array().expect("findings").iter().filter(unknown).collect();
    assert!(!undecided.is_empty());
    assert!(undecided.iter().all(|finding| finding["reason"] == "the budget was used up"), "{document}");
}

#[test]
fn below_the_threshold_is_exit_code_3() {
    let at = |threshold: &str| run(&["cover", "examples/fifo.btor2", "--no-out", "--threshold", threshold]);
    let (below, reached) = (at("90%"), at("70"));
    assert_eq!((below.code, reached.code), (3, 0), "{}", below.stdout);
    assert!(below.stdout.contains(", below 90 % ("), "{}", below.stdout);
    assert!(reached.stdout.contains(", at least 70 % ("), "{}", reached.stdout);
}

#[test]
fn only_what_is_proved_is_measured() {
    let mixed = Workspace::new("mixed.btor2", MIXED);
    let text = mixed.run("cover", &["--no-out"]);
    assert_eq!(text.code, 2);
    assert!(
        text.stdout.contains("WARNING: only what is proved is measured: 1 of 2 properties."),
        "{}",
        text.stdout
    );
    assert!(text.stdout.contains("stays_low fails in step 1:"), "{}", text.stdout);
    let document = mixed.run("cover", &["--no-out", "--format", "json"]).document();
    assert!(findings(&document).iter().all(|[property, ..]| property == "copies_agree"));

    let hard = Workspace::new("hard.btor2", HARD);
    let run = hard.run("cover", &["--no-out", "--timeout", "3", "--format", "json"]);
    assert_eq!(run.code, 4);
    let document = run.document();
    assert_eq!(document["properties"][1]["verdict"], "unknown");
    assert_eq!(document["ranking"]["properties"].as_array().map(Vec::len), Some(1));
}

#[test]
fn properties_are_ranked_by_what_they_contribute() {
    let document = run(&["cover", "examples/counter.btor2", "--no-out", "--format", "json"]).document();
    let ranking = &document["ranking"];
    assert_eq!(ranking["redundant"], json!(["credits_at_most_eight", "in_flight_at_most_eight"]));
    assert_eq!(ranking["smallest"], json!({ "properties": ["credits_at_most_eight"], "exact": true }));
    let document = run(&["cover", "examples/fifo.btor2", "--no-out", "--format", "json"]).document();
    let ranking = &document["ranking"];
    assert_eq!(ranking["redundant"], json!([]));
    assert_eq!(ranking["greedy"][0]["property"], "data_is_kept");
    assert_eq!(ranking["greedy"][1]["covered"], document["summary"][0]["covered"]);
}

#[test]
fn stats_are_printed_when_asked_for() {
    let plain = run(&["cover", "examples/arbiter.aag", "--no-out"]);
    assert!(!plain.stdout.contains("Statistics"), "{}", plain.stdout);
    let with = run(&["cover", "examples/arbiter.aag", "--no-out", "--stats", "--naive"]);
    let line = |start: &str| with.stdout.lines().any(|line| line.trim_start().starts_with(start));
    for start in ["proof seconds", "coverage seconds", "coverage / proof", "decided by naive"] {
        assert!(line(start), "{start}: {}", with.stdout);
    }
}

#[test]
fn a_metric_or_observation_that_does_not_exist_is_an_error() {
    let metric = run(&["cover", "examples/arbiter.aag", "--metric", "lines"]);
    assert_eq!(metric.code, 1);
    assert!(metric.stderr.contains("mutation"), "{}", metric.stderr);
    let observe = run(&["cover", "examples/arbiter.aag", "--no-out", "--witness", "--observe", "grant2"]);
    assert_eq!(observe.code, 1);
    assert_eq!(
        observe.stderr,
        "error: no output or signal is called `grant2`; did you mean grant0, grant1?\n"
    );
}

#[test]
fn a_witness_tells_holes_from_what_has_no_effect() {
    let workspace = Workspace::example("arbiter.aag");
    let run = workspace.cover(&["--witness", "--format", "json"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let document = run.document();
    let together = &document["summary"][0];
    assert!(
        together["no_effect"].as_u64() > Some(0) && together["uncovered"].as_u64() > Some(0),
        "{together}"
    );
    let number = |field: &str| together[field].as_f64().expect("a number");
    let share = 100.0 * number("covered") / number("total");
    assert!((together["percent"][0].as_f64().expect("a number") - share).abs() < 0.001, "{together}");
    let without = workspace.run("cover", &["--format", "json", "--no-out"]);
    assert_eq!(without.document()["summary"][0]["percent"], together["percent"], "looking changes nothing");
    for hole in document["holes"].as_array().expect("holes") {
        assert_ne!(hole["verdict"], "unknown", "{hole}");
        let is_hole = hole["verdict"] == "differs";
        assert_eq!(!hole["observed"].as_array().expect("names").is_empty(), is_hole, "{hole}");
        assert_eq!(hole["shortest"] == json!(true), is_hole, "{hole}");
        if let Some(vcd) = hole["vcd"].as_str() {
            let text = std::fs::read_to_string(workspace.path().join(vcd)).expect("a waveform");
            assert!(text.contains("$scope module design $end") && text.contains("$scope module mutant $end"));
        } else {
            assert!(!is_hole, "{hole}");
        }
    }
    let text = workspace.cover(&["--witness"]).stdout;
    assert!(text.contains("no effect") && text.contains("What would go unnoticed"), "{text}");
    let effective = 100.0 * number("covered") / (number("total") - number("no_effect"));
    let sentence =
        format!("\n  {share:.1} % of all mutants; {effective:.1} % of those that have an effect.\n");
    assert!(text.contains(&sentence), "{sentence}: {text}");
}

#[test]
fn without_a_proof_there_is_no_share() {
    let workspace = Workspace::new("mixed.btor2", MIXED);
    let run = workspace.cover(&["--property", "stays_low", "--format", "json"]);
    let summary = &run.document()["summary"][0];
    assert_eq!((&summary["percent"], &summary["edits"]["free"]["percent"]), (&Value::Null, &Value::Null));
    assert!(summary["total"].as_u64() > Some(0), "{summary}");
    let text = workspace.cover(&["--property", "stays_low"]).stdout;
    assert!(text.contains("coverage: not measured"), "{text}");
}

#[test]
fn what_is_unknown_makes_no_property_redundant_and_no_set_smallest() {
    let arguments = ["cover", "examples/counter.btor2", "--no-out", "--tests", "cone"];
    let document = run(&[&arguments[..], &["--format", "json"]].concat()).document();
    let ranking = &document["ranking"];
    assert!(document["summary"][0]["unknown"].as_u64() > Some(0), "{document}");
    assert_eq!(ranking["redundant"], json!([]));
    assert_eq!(ranking["smallest"], json!({ "properties": [], "exact": false }));
    let text = run(&arguments).stdout;
    assert!(!text.contains("same coverage") && !text.contains("adds nothing"), "{text}");
    assert!(text.contains("\nNot known to be covered: 6 mutants of 2 elements\n  credits"), "{text}");
}

#[test]
fn an_output_that_repeats_a_property_is_observed_when_that_property_is_not_measured() {
    // The output is the negation of the property `low`, and `other` says nothing.
    let text = "1 sort bitvec 1\n2 zero 1\n3 state 1 s\n4 init 1 3 2\n5 next 1 3 2\n6 output 3 shown\n7 bad 3 low\n\
        8 and 1 3 2\n9 bad 8 other\n";
    let workspace = Workspace::new("repeats.btor2", text);
    let verdict = |property: &[&str]| {
        let arguments = [&["--witness", "--edits", "one", "--format", "json"], property].concat();
        let run = workspace.cover(&arguments);
        (run.document()["findings"][0]["verdict"].clone(), run.document()["holes"][0]["observed"].clone())
    };
    assert_eq!(verdict(&["-p", "other"]), (json!("uncovered"), json!(["shown"])));
    assert_eq!(verdict(&["-p", "low"]).0, json!("covered"));
    assert_eq!(verdict(&["-p", "other"]), (json!("uncovered"), json!(["shown"])), "what is kept is the same");
}

#[test]
fn the_command_that_is_suggested_repeats_what_was_asked_and_works() {
    let workspace = Workspace::example("fifo.btor2");
    let arguments = ["-p", "at_most_four", "--bits", "--elements", "watcher.*,*_pointer"];
    let text = workspace.cover(&arguments).stdout;
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| line.starts_with("To see what one")).expect("advice");
    let words: Vec<&str> = lines[at + 1].split_whitespace().map(|word| word.trim_matches('\'')).collect();
    assert_eq!(
        (words[..2].to_vec(), &words[4..]),
        (vec!["propcov", "explain"], &["-p", "at_most_four", "--bits", "--out", "out"][..])
    );
    let run = workspace.run("explain", &words[3..]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.starts_with(&format!("{}: register", words[3])), "{}", run.stdout);
    let design = std::fs::read(workspace.path().join("fifo.btor2")).expect("a design");
    let mut piped = assert_cmd::Command::new(env!("CARGO_BIN_EXE_propcov"));
    let piped = piped.args(["cover", "-", "--no-out"]).write_stdin(design).output().expect("runs");
    let text = String::from_utf8(piped.stdout).expect("UTF-8");
    assert!(text.contains("Not covered:") && !text.contains("propcov explain"), "{text}");
}

#[test]
fn options_that_do_nothing_are_pointed_out() {
    let stderr = |more: &[&str]| run(&[&["cover", "examples/arbiter.aag", "--no-out"], more].concat()).stderr;
    assert_eq!(stderr(&["--observe", "registers"]), "note: --observe does nothing without --witness\n");
    assert_eq!(stderr(&["--traces"]), "note: --traces does nothing without --format json\n");
    assert_eq!(stderr(&["--traces", "--quiet"]), "");
    assert_eq!(stderr(&["--observe", "registers", "--witness"]), "");
}

#[test]
fn witnesses_of_an_earlier_run_are_checked_and_not_looked_for_again() {
    let workspace = Workspace::example("fifo.btor2");
    let covered = |more: &[&str]| {
        let arguments =
            [&["--witness", "--elements", "*_pointer,watcher.*", "--format", "json", "--traces"], more];
        let run = workspace.cover(&arguments.concat());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        run.document()
    };
    let first = covered(&[]);
    let second = covered(&[]);
    assert!(first["holes"].as_array().is_some_and(|holes| holes.len() > 3), "{}", first["holes"]);
    // That they are the shortest ones is not known from the file.
    let mut expected = first["holes"].clone();
    for hole in expected.as_array_mut().expect("holes") {
        if hole["shortest"] == true {
            hole["shortest"] = false.into();
        }
    }
    assert_eq!(second["holes"], expected);
    assert_eq!(second["stats"]["solver_calls"], json!({}), "nothing was searched");
    // Another question is not answered by an old answer.
    let elsewhere = covered(&["--observe", "head"]);
    assert_ne!(elsewhere["stats"]["solver_calls"], json!({}));
    assert!(elsewhere["holes"].as_array().expect("holes").iter().all(|hole| hole["observation"] == "head"));
}

#[test]
fn a_forged_witness_is_not_believed() {
    let workspace = Workspace::example("arbiter.aag");
    let cover =
        || workspace.cover(&["--witness", "--format", "json", "--traces"]).document()["holes"].clone();
    let honest = cover();
    let is_answer = |record: &Value| record.get("differs").is_some() || record.get("no-effect").is_some();
    let answers: Vec<Value> = records(&workspace.out(), "findings").into_iter().filter(is_answer).collect();
    assert!(answers.len() > 2, "{answers:?}");
    // Each answer becomes the answer to another question.
    let mut at = 0;
    forge(&workspace.out(), "findings", &mut |record| {
        if is_answer(record) {
            at += 1;
            let kind = |record: &Value| if record.get("differs").is_some() { "differs" } else { "no-effect" };
            let (own, mut other) = (record[kind(record)].clone(), answers[at % answers.len()].clone());
            let name = kind(&other);
            for field in ["meaning", "mutant", "question"] {
                other[name][field] = own[field].clone();
            }
            *record = other;
        }
    });
    let mut again = cover();
    // What was found anew is known to be a shortest one, and what fits by chance is not.
    let mut honest = honest;
    for holes in [&mut again, &mut honest] {
        holes.as_array_mut().expect("holes").iter_mut().for_each(|hole| hole["shortest"] = Value::Null);
    }
    assert_eq!(again, honest);
}

#[test]
fn killing_runs_are_in_the_document_when_asked_for() {
    let document = |more: &[&str]| {
        run(&[&["cover", "examples/arbiter.aag", "--no-out", "--format", "json"], more].concat()).document()
    };
    let traces = |document: &Value| -> Vec<bool> {
        document["findings"]
            .as_array()
            .expect("findings")
            .iter()
            .map(|finding| finding["trace"].is_array())
            .collect()
    };
    assert!(traces(&document(&[])).iter().all(|has_trace| !has_trace));
    let with = document(&["--traces"]);
    let covered: Vec<bool> = with["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .map(|finding| finding["verdict"] == "covered")
        .collect();
    assert_eq!(traces(&with), covered);
}

#[test]
fn the_moments_of_progress_are_in_order_and_only_those_that_came() {
    let moments = |more: &[&str]| -> (Vec<(u64, f64)>, f64) {
        let arguments = [&["cover", "examples/fifo.btor2", "--no-out", "--format", "json"], more].concat();
        let stats = run(&arguments).document()["stats"].clone();
        let seconds = |value: &Value| value.as_f64().expect("seconds");
        let moments = stats["decided_at"].as_object().expect("moments").iter();
        let mut moments: Vec<(u64, f64)> =
            moments.map(|(share, at)| (share.parse().expect("a percentage"), seconds(at))).collect();
        moments.sort_by_key(|(share, _)| *share);
        (moments, seconds(&stats["coverage_seconds"]))
    };
    let (all, whole) = moments(&[]);
    assert_eq!(all.iter().map(|(share, _)| *share).collect::<Vec<_>>(), [50, 80, 90, 96, 99, 100]);
    assert!(all.iter().is_sorted_by(|a, b| a.1 <= b.1), "{all:?}");
    assert!(all[0].1 > 0.0 && all[5].1 <= whole, "{all:?} of {whole}");
    let (none, _) = moments(&["--accuracy", "0%"]);
    assert_eq!(none, []);
    let (some, _) = moments(&["--tests", "simulation"]);
    assert!(some.len() < all.len(), "{some:?}");
}
