//! Several metrics in one run, what is chosen without `--metric`, and what `propcov report` makes of a kept result.

use crate::common::{Workspace, number, run, share};
use serde_json::{Value, json};

fn report(workspace: &Workspace, arguments: &[&str]) -> crate::common::Run {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_propcov"));
    command.current_dir(workspace.path()).arg("report").args(arguments).output().expect("runs").into()
}

#[test]
fn several_metrics_share_a_run_and_say_what_each_says_alone() {
    for (example, metrics) in
        [("fifo.btor2", "cone,must,mutation,state"), ("mutex.smv", "mutation,may,state,transition")]
    {
        let path = format!("examples/{example}");
        let cover =
            |metrics: &str| run(&["cover", &path, "-m", metrics, "--no-out", "--format", "json"]).document();
        let together = cover(metrics);
        assert_eq!(together["run"]["metrics"].as_array().map(Vec::len), Some(metrics.split(',').count()));
        let names: Vec<&Value> =
            together["properties"].as_array().expect("properties").iter().map(|one| &one["name"]).collect();
        let mut once = names.clone();
        once.dedup();
        assert_eq!(names, once, "{example}: each property is there once");
        for metric in metrics.split(',') {
            let alone = cover(metric);
            let both = [&together, &alone].map(|document| share(document, metric, &json!("all")));
            for count in ["covered", "uncovered", "no_effect", "unknown", "total"] {
                assert_eq!(number(&both[0], count), number(&both[1], count), "{example}, {metric}: {count}");
            }
        }
    }
}

#[test]
fn without_a_metric_the_design_decides_and_there_is_always_an_answer() {
    for (example, expected) in [
        ("fifo.btor2", json!(["cone", "core", "mutation"])),
        ("arbiter.aag", json!(["cone", "core", "mutation"])),
        ("tank.lus", json!(["must", "may", "mutation"])),
        ("priority_buffer.smv", json!(["state"])),
        ("mutex.smv", json!(["mutation", "state"])),
    ] {
        let path = format!("examples/{example}");
        let document = run(&["cover", &path, "--no-out", "--format", "json"]).document();
        assert_eq!(document["run"]["metrics"], expected, "{example}");
        for metric in expected.as_array().expect("names") {
            let metric = metric.as_str().expect("a name");
            assert!(number(&share(&document, metric, &json!("all")), "total") > 0, "{example}, {metric}");
        }
    }
    // Gates alone are enough.
    let gates = Workspace::new("gates.aag", "aag 3 2 0 0 1 1\n2\n4\n6\n6 2 3\ni0 a\ni1 b\nb0 never\n");
    let document = gates.run("cover", &["--no-out", "--format", "json"]).document();
    assert_eq!(document["properties"][0]["verdict"], "proved");
    assert!(number(&share(&document, "mutation", &json!("checker")), "total") > 0, "{document}");
}

#[test]
fn a_threshold_is_about_every_metric() {
    let at = |percent: &str| {
        run(&["cover", "examples/fifo.btor2", "-m", "cone,mutation", "--no-out", "--threshold", percent])
    };
    let (reached, missed) = (at("70%"), at("90%"));
    assert_eq!((reached.code, missed.code), (0, 3));
    assert!(missed.stdout.contains("below 90 %: mutation (77.78 %)"), "{}", missed.stdout);
}

#[test]
fn a_kept_result_is_rendered_as_the_run_did_without_the_design() {
    let workspace = Workspace::example("fifo.btor2");
    let text = workspace.cover(&["--witness"]);
    assert_eq!(text.code, 0);
    std::fs::remove_file(workspace.path().join("fifo.btor2")).expect("removed");
    let shown = workspace.path().display().to_string();
    let again = report(&workspace, &["out"]);
    assert_eq!((again.code, again.stdout.replace(&shown, "DIR")), (0, text.stdout));
    let document = report(&workspace, &["out", "--format", "json"]).document();
    let result: propcov::result::RunResult = serde_json::from_value(document).expect("a result");
    assert_eq!(result.run.metrics, ["cone", "core", "mutation"]);
    let csv = report(&workspace, &["out", "--format", "csv"]);
    assert_eq!(csv.stdout.lines().count(), 1 + result.findings.len());
    let file = report(&workspace, &["out", "--format", "xlsx", "-o", "cores.xlsx"]);
    assert_eq!(file.code, 0, "{}", file.stderr);
    assert!(std::fs::read(workspace.path().join("cores.xlsx")).expect("a workbook").starts_with(b"PK"));
    let bytes = report(&workspace, &["out", "--format", "xlsx"]);
    assert_eq!((bytes.code, bytes.stdout.as_str()), (1, ""), "not for a terminal");
}

#[test]
fn runs_are_listed_and_found_by_the_beginning_of_their_name() {
    let workspace = Workspace::example("arbiter.aag");
    assert_eq!(workspace.cover(&["-m", "cone"]).code, 0);
    assert_eq!(workspace.cover(&["-m", "mutation"]).code, 0);
    let list = report(&workspace, &["out", "--list"]).stdout;
    let (newer, older) = (list.find("mutation 76.92 %"), list.find("cone 100.00 %"));
    assert!(newer.is_some() && newer < older, "{list}");
    let oldest = list.lines().rev().find(|line| line.starts_with("20")).expect("a run");
    let name = oldest.split_whitespace().next().expect("a name");
    let old = report(&workspace, &["out", "--run", name]);
    assert!(old.stdout.contains("Cone of influence"), "{}", old.stdout);
    let wrong = report(&workspace, &["out", "--run", "1999"]);
    assert_eq!((wrong.code, wrong.stderr.contains("--list")), (1, true), "{}", wrong.stderr);
}

#[test]
fn a_damaged_result_is_not_rendered() {
    let workspace = Workspace::example("arbiter.aag");
    assert_eq!(workspace.cover(&["-m", "cone"]).code, 0);
    assert_eq!(workspace.cover(&["-m", "mutation"]).code, 0);
    let mut results: Vec<_> = std::fs::read_dir(workspace.out().join("results"))
        .expect("results")
        .map(|entry| entry.expect("readable").path())
        .collect();
    results.sort();
    let newest = results.last().expect("a result");
    let text = std::fs::read_to_string(newest).expect("text");
    std::fs::write(newest, text.replace("uncovered", "uncoverde")).expect("written");
    let shown = report(&workspace, &["out"]);
    assert!(shown.stdout.contains("Cone of influence"), "the one before is intact: {}", shown.stdout);
    for path in &results {
        std::fs::write(path, "{}").expect("written");
    }
    let none = report(&workspace, &["out"]);
    assert_eq!(
        (none.code, none.stderr.as_str()),
        (1, "error: out has no result: no run has ended there yet\n")
    );
}

/// The data block of a page.
fn data(page: &str) -> Value {
    let block = page.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next());
    serde_json::from_str(block.expect("a block")).expect("JSON")
}

#[test]
fn a_run_leaves_a_page_with_source_runs_and_the_run_before() {
    let design = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/queue.btor2"));
    let workspace = Workspace::new("queue.btor2", &design.expect("an example"));
    workspace.run("cover", &[]);
    let page = || std::fs::read_to_string(workspace.path().join("propcov.out/report.html")).expect("a page");
    let first = data(&page());
    assert!(first["before"].is_null());
    assert!(first["files"][0]["text"].as_str().expect("the source").contains("sort bitvec"));
    assert!(!first["traces"].as_array().expect("runs").is_empty(), "holes have runs");
    assert!(first["properties"][0]["evidence"].is_string(), "{}", first["properties"][0]);
    workspace.run("cover", &[]);
    let second = data(&page());
    for part in ["shares", "properties", "elements", "findings"] {
        assert!(second["before"]["diff"][part].is_null(), "nothing changed: {}", second["before"]);
    }
    assert_eq!(second["shares"], first["shares"]);
    // It is the same from the kept result, when the design is gone.
    std::fs::remove_file(workspace.path().join("queue.btor2")).expect("removed");
    let again = report(&workspace, &["--format", "html"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    let again = data(&again.stdout);
    for part in ["files", "rows", "findings", "traces", "shares", "before", "words"] {
        assert_eq!(again[part], second[part], "{part}");
    }
}

#[test]
fn requirements_come_from_comments_and_tables() {
    let design = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/asw.lus"));
    let design = design
        .expect("an example")
        .replace("--%PROPERTY p;", "--%REQ ASW-1 The device is on.\n--%PROPERTY p;");
    let workspace = Workspace::new("asw.lus", &design);
    workspace.run("cores", &[]);
    let table = workspace.path().join("requirements.csv");
    std::fs::write(&table, "id,text,properties\nASW-2,Tables count as well.,p\n").expect("written");
    let audit = report(&workspace, &["--format", "audit-csv", "--requirements", "requirements.csv"]).stdout;
    let row = audit.lines().find(|line| line.starts_with("requirement,ASW-1,The device is on.,,,p "));
    assert!(row.is_some_and(|row| row.ends_with("asw.lus:29:1")), "{audit}");
    assert!(audit.contains("requirement,ASW-2,Tables count as well.,,,p\r\n"), "{audit}");
    std::fs::write(&table, "id,text\n,nothing\n").expect("written");
    let wrong = report(&workspace, &["--format", "reqif", "--requirements", "requirements.csv"]);
    let expected = "error: requirements.csv: line 2: expected an identifier, text and properties\n";
    assert_eq!((wrong.code, wrong.stderr.as_str()), (1, expected));
    let missing = report(&workspace, &["--requirements", "none.csv"]);
    assert_eq!(missing.code, 1);
    assert!(missing.stderr.starts_with("error: cannot read none.csv: "), "{}", missing.stderr);
}

#[test]
fn why_a_requirement_is_satisfied_is_said_with_all_alternatives() {
    let workspace = Workspace::example("asw.lus");
    workspace.run("cores", &[]);
    let table = "id,text,properties\nASW-1,The device is on.,p\nASW-2,Somebody else's.,q\n";
    std::fs::write(workspace.path().join("r.csv"), table).expect("written");
    let text = report(&workspace, &["--requirements", "r.csv"]).stdout;
    let argument = text.split("Why each requirement is satisfied:\n").nth(1).expect("an argument");
    let expected = "  ASW-1, by p: any of 2 sets of elements suffices; there is no other\n    1: doi_on, a2_below, below\n    2: doi_on, a1_below, below\n    Single points of failure (2): doi_on, below\n";
    assert_eq!(argument, expected);
    let audit = report(&workspace, &["--format", "audit-csv", "--requirements", "r.csv"]).stdout;
    let rows: Vec<&str> =
        audit.lines().filter(|line| line.starts_with("satis") || line.starts_with("robust")).collect();
    let expected = [
        "satisfaction,ASW-1 by p,doi_on a2_below below,yes,,alternative 1 of 2",
        "satisfaction,ASW-1 by p,doi_on a1_below below,yes,,alternative 2 of 2",
        "robustness,ASW-1 by p,single-points,yes,,doi_on below",
    ];
    assert_eq!(rows, expected);
    // Without requirements nothing is said, and one core alone does not tell what is in all of them.
    assert!(!report(&workspace, &[]).stdout.contains("Why each"));
    let workspace = Workspace::example("asw.lus");
    std::fs::write(workspace.path().join("r.csv"), table).expect("written");
    workspace.run("cores", &["--one"]);
    let one = report(&workspace, &["--requirements", "r.csv"]).stdout;
    assert!(one.contains("this set of elements suffices; there may be others"), "{one}");
    assert!(one.contains("UNKNOWN whether"), "{one}");
}

#[test]
fn every_format_renders_a_kept_run() {
    let workspace = Workspace::example("arbiter.aag");
    workspace.run("cover", &[]);
    for format in propcov::report::FORMATS {
        let run = report(&workspace, &["--format", format.name, "-o", "out"]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", format.name);
        let size = std::fs::metadata(workspace.path().join("out")).expect("written").len();
        assert!(size > 0, "{}", format.name);
    }
}
