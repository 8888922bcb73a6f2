//! What users see of `propcov cover`.

use crate::common::{
    HARD, MIXED, Workspace, findings, forge, holes, number, of_mutants, records, root, run, share,
    stable_text,
};
use serde_json::{Value, json};

const EXAMPLES: &[(&str, i32)] = &[
    ("arbiter.aag", 0),
    ("broken_counter.btor2", 2),
    ("conflict.btor2", 4),
    ("counter.btor2", 0),
    ("fifo.btor2", 0),
];

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
fn the_document_is_that_of_every_command() {
    let arguments = ["cover", "examples/fifo.btor2", "--no-out", "--format", "json", "--witness", "--traces"];
    let document = run(&arguments).document();
    assert_eq!((&document["schema"], &document["run"]["command"]), (&json!("propcov/2"), &json!("cover")));
    let result: propcov::result::RunResult = serde_json::from_value(document.clone()).expect("a result");
    assert_eq!(serde_json::to_value(&result).expect("a document"), document);
    assert_eq!(document["run"]["metrics"], json!(["cone", "core", "mutation"]));
    assert!(
        document["elements"]
            .as_array()
            .expect("elements")
            .iter()
            .all(|element| element["status"].is_string())
    );
}

#[test]
fn numbers_of_the_document_add_up() {
    for (name, _) in EXAMPLES {
        let path = format!("examples/{name}");
        let arguments =
            ["cover", &path, "-m", "mutation", "--no-out", "--format", "json", "--elements", "all"];
        let document = run(&arguments).document();
        let findings = findings(&document);
        let shares = document["shares"].as_array().cloned().unwrap_or_default();
        let parts = ["covered", "uncovered", "no_effect", "unknown"];
        for share in &shares {
            let sum: u64 = parts.iter().map(|part| number(share, part)).sum();
            assert_eq!(sum, number(share, "total"), "{name}: {share}");
        }
        let checkers: Vec<&Value> = document["elements"]
            .as_array()
            .expect("elements")
            .iter()
            .filter(|element| element["role"] == "checker")
            .map(|element| &element["name"])
            .collect();
        for property in document["properties"].as_array().expect("properties") {
            if property["verdict"] != "proved" {
                continue;
            }
            let counted = share(&document, "mutation", &json!({ "property": property["name"] }));
            let mine = findings.iter().filter(|[of, element, ..]| {
                property["name"] == json!(of) && !checkers.contains(&&json!(element))
            });
            let (mut covered, mut total) = (0, 0);
            for [.., verdict] in mine {
                covered += u64::from(verdict == "covered");
                total += 1;
            }
            assert_eq!((number(&counted, "covered"), number(&counted, "total")), (covered, total), "{name}");
            for part in parts {
                let edits = ["free", "zero", "one"].map(|edit| {
                    let scope = json!({ "property-edit": [property["name"], edit] });
                    number(&share(&document, "mutation", &scope), part)
                });
                assert_eq!(edits.iter().sum::<u64>(), number(&counted, part), "{name}");
            }
        }
        let decided = document["stats"]["decided_by"].as_object().cloned().unwrap_or_default();
        let decided: u64 = decided.values().map(|count| count.as_u64().expect("a number")).sum();
        assert_eq!(decided as usize, findings.len(), "{name}");
    }
}

#[test]
fn elements_are_selected_by_kind_and_by_pattern() {
    let selected = |list: &str| -> Vec<String> {
        let arguments = [
            "cover",
            "examples/fifo.btor2",
            "-m",
            "mutation",
            "--no-out",
            "--format",
            "json",
            "--elements",
            list,
        ];
        let run = run(&arguments);
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
        let arguments = [
            "cover",
            "examples/counter.btor2",
            "-m",
            "mutation",
            "--no-out",
            "--format",
            "json",
            "--bits",
            "--elements",
            list,
        ];
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
    let shares = document["shares"].as_array().expect("shares").iter();
    let edits: Vec<&str> = shares.filter_map(|share| share["scope"]["edit"].as_str()).collect();
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
    let run = run(&[
        "cover",
        "examples/fifo.btor2",
        "-m",
        "mutation",
        "--no-out",
        "--tests",
        "cone",
        "--format",
        "json",
    ]);
    let document = run.document();
    assert_eq!(run.code, 4, "{document}");
    for finding in of_mutants(&document) {
        let is_decided = finding["verdict"] != "unknown";
        assert_eq!(finding["by"] == "cone", is_decided, "{finding}");
    }
    assert!(number(&share(&document, "mutation", &json!("all")), "unknown") > 0, "{document}");
}

#[test]
fn accuracy_and_budget_leave_some_undecided_and_end_well() {
    let arguments = [
        "cover",
        "examples/fifo.btor2",
        "-m",
        "mutation",
        "--no-out",
        "--format",
        "json",
        "--accuracy",
        "50%",
    ];
    let half = run(&arguments);
    let findings = findings(&half.document());
    let decided = findings.iter().filter(|[.., verdict]| verdict != "unknown").count();
    assert_eq!(half.code, 0);
    assert!(decided * 2 >= findings.len(), "{decided} of {}", findings.len());

    let arguments = [
        "cover",
        "examples/fifo.btor2",
        "-m",
        "mutation",
        "--no-out",
        "--format",
        "json",
        "--budget",
        "0.000001x",
    ];
    let nothing = run(&arguments);
    assert_eq!(nothing.code, 0);
    let document = nothing.document();
    let mut undecided = of_mutants(&document);
    undecided.retain(|finding| finding["verdict"] == "unknown");
    assert!(!undecided.is_empty());
    assert!(undecided.iter().all(|finding| finding["reason"] == "the budget was used up"), "{document}");
}

#[test]
fn below_the_threshold_is_exit_code_3() {
    let at = |threshold: &str| {
        run(&["cover", "examples/fifo.btor2", "-m", "mutation", "--no-out", "--threshold", threshold])
    };
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
    assert_eq!(ranking(&document)["properties"].as_array().map(Vec::len), Some(1));
}

#[test]
fn properties_are_ranked_by_what_they_contribute() {
    let document = run(&["cover", "examples/counter.btor2", "--no-out", "--format", "json"]).document();
    let found = ranking(&document);
    assert_eq!(found["redundant"], json!(["credits_at_most_eight", "in_flight_at_most_eight"]));
    assert_eq!(found["smallest"], json!({ "properties": ["credits_at_most_eight"], "exact": true }));
    let document = run(&["cover", "examples/fifo.btor2", "--no-out", "--format", "json"]).document();
    let found = ranking(&document);
    assert_eq!(found["redundant"], Value::Null, "none is");
    assert_eq!(found["greedy"][0]["property"], "data_is_kept");
    assert_eq!(found["greedy"][1]["covered"], share(&document, "mutation", &json!("all"))["covered"]);
}

/// What each property contributes to mutation coverage.
fn ranking(document: &Value) -> Value {
    let rankings = document["rankings"].as_array().expect("rankings").iter();
    rankings.into_iter().find(|ranking| ranking["metric"] == "mutation").expect("a ranking").clone()
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
    let run = workspace.cover(&["-m", "mutation", "--witness", "--format", "json"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let document = run.document();
    let together = share(&document, "mutation", &json!("all"));
    assert!(number(&together, "no_effect") > 0 && number(&together, "uncovered") > 0, "{together}");
    let counting = number(&together, "total") - number(&together, "no_effect");
    let percent = 100.0 * number(&together, "covered") as f64 / counting as f64;
    assert!((together["percent"][0].as_f64().expect("a number") - percent).abs() < 0.01, "{together}");
    let without = workspace.run("cover", &["-m", "mutation", "--format", "json", "--no-out"]).document();
    let alone = share(&without, "mutation", &json!("all"));
    assert_eq!(alone["percent"], together["percent"], "a small share of the effort is enough here");
    for hole in holes(&document) {
        let witness = &hole["witness"];
        assert!(witness["reason"].is_null(), "{hole}");
        let is_hole = hole["verdict"] == "uncovered";
        assert_eq!(witness["observed"].is_array(), is_hole, "{hole}");
        assert_eq!(witness["shortest"] == json!(true), is_hole, "{hole}");
        if let Some(vcd) = witness["file"].as_str() {
            let text = std::fs::read_to_string(workspace.path().join(vcd)).expect("a waveform");
            assert!(text.contains("$scope module design $end") && text.contains("$scope module mutant $end"));
        } else {
            assert!(!is_hole, "{hole}");
        }
    }
    let text = workspace.cover(&["-m", "mutation", "--witness"]).stdout;
    assert!(text.contains("no effect") && text.contains("Unnoticed bugs:"), "{text}");
}

#[test]
fn without_a_proof_there_is_no_share() {
    let workspace = Workspace::new("mixed.btor2", MIXED);
    let run = workspace.cover(&["--property", "stays_low", "--format", "json"]);
    assert_eq!(run.document()["shares"], Value::Null);
    let text = workspace.cover(&["--property", "stays_low"]).stdout;
    assert!(text.contains("coverage: not measured"), "{text}");
}

#[test]
fn what_is_unknown_makes_no_property_redundant_and_no_set_smallest() {
    let arguments = ["cover", "examples/counter.btor2", "-m", "mutation", "--no-out", "--tests", "cone"];
    let document = run(&[&arguments[..], &["--format", "json"]].concat()).document();
    let found = ranking(&document);
    assert!(number(&share(&document, "mutation", &json!("all")), "unknown") > 0, "{document}");
    assert_eq!(found["redundant"], Value::Null);
    assert_eq!(found["smallest"], json!({ "properties": [], "exact": false }));
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
        let arguments =
            [&["-m", "mutation", "--witness", "--edits", "one", "--format", "json"], property].concat();
        let run = workspace.cover(&arguments);
        let document = run.document();
        let hole = holes(&document).first().map(|hole| hole["witness"]["observed"].clone());
        (of_mutants(&document)[0]["verdict"].clone(), hole.unwrap_or_default())
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
        (vec!["propcov", "explain"], &["--out", "out", "-p", "at_most_four", "--bits"][..])
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
    assert_eq!(
        stderr(&["-m", "must", "--observe", "x"]),
        "note: --observe does nothing with --metric must\n"
    );
    assert_eq!(stderr(&["--observe", "registers"]), "");
    assert_eq!(stderr(&["--traces"]), "note: --traces does nothing without --format json\n");
    assert_eq!(stderr(&["--traces", "--quiet"]), "");
    assert_eq!(stderr(&["--observe", "registers", "--witness"]), "");
}

#[test]
fn witnesses_of_an_earlier_run_are_checked_and_not_looked_for_again() {
    let workspace = Workspace::example("fifo.btor2");
    let covered = |more: &[&str]| {
        let arguments = [
            &[
                "-m",
                "mutation",
                "--witness",
                "--elements",
                "*_pointer,watcher.*",
                "--format",
                "json",
                "--traces",
            ],
            more,
        ];
        let run = workspace.cover(&arguments.concat());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        run.document()
    };
    let first = covered(&[]);
    let second = covered(&[]);
    let mut expected = holes(&first);
    assert!(expected.len() > 3, "{expected:?}");
    // That they are the shortest ones is not known from the file.
    for hole in &mut expected {
        if hole["witness"]["shortest"] == true {
            hole["witness"]["shortest"] = false.into();
        }
    }
    assert_eq!(holes(&second), expected);
    assert_eq!(second["stats"]["solver_calls"], Value::Null, "nothing was searched");
    // Another question is not answered by an old answer.
    let elsewhere = covered(&["--observe", "head"]);
    assert_ne!(elsewhere["stats"]["solver_calls"], Value::Null);
    assert!(holes(&elsewhere).iter().all(|hole| hole["witness"]["observation"] == "head"));
}

#[test]
fn a_forged_witness_is_not_believed() {
    let workspace = Workspace::example("arbiter.aag");
    let cover = || {
        holes(&workspace.cover(&["-m", "mutation", "--witness", "--format", "json", "--traces"]).document())
    };
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
    // A run of another mutant may happen to show a difference here as well: then it is one.
    let claims = |holes: &[Value]| -> Vec<[Value; 3]> {
        holes.iter().map(|hole| ["subject", "edit", "verdict"].map(|field| hole[field].clone())).collect()
    };
    assert_eq!(claims(&cover()), claims(&honest));
}

#[test]
fn killing_runs_are_in_the_document_when_asked_for() {
    let document = |more: &[&str]| {
        let arguments = ["cover", "examples/arbiter.aag", "-m", "mutation", "--no-out", "--format", "json"];
        let mut findings = of_mutants(&run(&[&arguments, more].concat()).document());
        findings.retain(|finding| finding["property"].is_string());
        findings
    };
    let traces = |findings: &[Value]| -> Vec<bool> {
        findings.iter().map(|finding| finding["witness"]["mutant"].is_object()).collect()
    };
    assert!(traces(&document(&[])).iter().all(|has_trace| !has_trace));
    let with = document(&["--traces"]);
    let covered: Vec<bool> = with.iter().map(|finding| finding["verdict"] == "covered").collect();
    assert_eq!(traces(&with), covered);
}

#[test]
fn the_moments_of_progress_are_in_order_and_only_those_that_came() {
    let moments = |more: &[&str]| -> (Vec<(u64, f64)>, f64) {
        let arguments = ["cover", "examples/fifo.btor2", "-m", "mutation", "--no-out", "--format", "json"];
        let arguments = [&arguments, more].concat();
        let stats = run(&arguments).document()["stats"].clone();
        let seconds = |value: &Value| value.as_f64().expect("seconds");
        let moments = stats["decided_at"].as_object().cloned().unwrap_or_default();
        let mut moments: Vec<(u64, f64)> =
            moments.iter().map(|(share, at)| (share.parse().expect("a percentage"), seconds(at))).collect();
        moments.sort_by_key(|(share, _)| *share);
        (moments, seconds(&stats["seconds"]["coverage"]))
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

/// Random inputs hardly ever satisfy the assumptions here, but where `op` happens to stay 3: then nothing is assumed, and nothing is tested.
const NARROW: &str = "\
1 sort bitvec 1\n2 sort bitvec 2\n3 sort bitvec 32\n4 input 2 op\n5 input 3 a\n6 input 3 b\n7 one 3\n\
8 zero 2\n9 eq 1 4 8\n10 srl 3 5 7\n11 eq 1 10 6\n12 implies 1 9 11\n13 constraint 12\n\
14 one 2\n15 eq 1 4 14\n16 add 3 5 7\n17 eq 1 16 6\n18 implies 1 15 17\n19 constraint 18\n\
20 constd 2 2\n21 eq 1 4 20\n22 not 3 5\n23 eq 1 22 6\n24 implies 1 21 23\n25 constraint 24\n\
26 xor 3 5 6 mixed\n27 and 3 5 6 both\n28 ite 3 21 26 27 shown\n29 ones 3\n30 eq 1 28 29\n31 not 1 30\n\
32 and 1 21 31\n33 bad 32 full\n34 sub 3 6 5 less\n35 eq 1 34 7\n36 not 1 35\n37 and 1 15 36\n38 bad 37 next\n";

#[test]
fn runs_that_assumptions_hardly_ever_allow_are_made_and_kill_before_solvers_are_asked() {
    let room = tempfile::tempdir().expect("a directory");
    let path = room.path().join("narrow.btor2");
    std::fs::write(&path, NARROW).expect("written");
    let path = path.display().to_string();
    let arguments =
        ["cover", &path, "-m", "mutation", "--elements", "all", "--tests", "simulation", "--no-out"];
    let document = run(&[&arguments[..], &["--format", "json"]].concat()).document();
    let by_simulation = document["stats"]["decided_by"]["simulation"].as_u64().unwrap_or_default();
    let all = run(&["cover", &path, "-m", "mutation", "--elements", "all", "--no-out", "--format", "json"]);
    let covered =
        |document: &Value| findings(document).iter().filter(|row| row[3] == "covered").count() as u64;
    assert!(by_simulation > 0 && by_simulation == covered(&document), "{}", document["stats"]);
    // Most of the others are mutants of assumptions, and need runs that the assumptions do not allow.
    assert!(5 * by_simulation >= 2 * covered(&all.document()), "{by_simulation}");
}
