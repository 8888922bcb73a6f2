//! Everyday use: `propcov.toml`, waivers, thresholds, comparisons, progress, and the steps of the build servers that the book shows.

use crate::common::{Run, root};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A directory with designs of `examples/` and files.
fn place(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    fs::create_dir(directory.path().join(".git")).expect("a repository");
    for name in ["queue.btor2", "queue_checked.btor2", "mutex.smv"] {
        fs::copy(root().join("examples").join(name), directory.path().join(name)).expect("an example");
    }
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("made");
        fs::write(path, text).expect("written");
    }
    directory
}

fn run_in(directory: &Path, arguments: &[&str]) -> Run {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_propcov"));
    command.current_dir(directory).args(arguments).output().expect("propcov starts").into()
}

const QUEUE: &str =
    "files = [\"queue.btor2\"]\n[cover]\nmetric = [\"mutation\"]\nformat = \"json\"\nno-out = true\n";

/// The tally of a metric.
fn tally(document: &Value, metric: &str) -> Value {
    let shares = document["shares"].as_array().expect("shares");
    shares.iter().find(|share| share["metric"] == metric && share["scope"] == "all").expect("a share").clone()
}

#[test]
fn the_file_names_the_design_and_the_options_and_the_command_line_wins() {
    let place = place(&[("propcov.toml", QUEUE)]);
    let run = run_in(place.path(), &["cover"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let document = run.document();
    assert_eq!(document["run"]["metrics"], serde_json::json!(["mutation"]));
    assert_eq!(document["run"]["configuration"]["path"], "propcov.toml");
    assert!(run.stderr.starts_with("note: options from propcov.toml: --"), "{}", run.stderr);
    assert!(run.stderr.contains(" --metric=mutation "), "{}", run.stderr);
    let other = run_in(place.path(), &["cover", "-m", "cone"]).document();
    assert_eq!(other["run"]["metrics"], serde_json::json!(["cone"]));
    let ignored = run_in(place.path(), &["cover", "--no-config", "queue.btor2", "--no-out"]);
    assert!(ignored.stdout.starts_with("queue.btor2 (btor2)") && !ignored.stderr.contains("propcov.toml"));
    let without = run_in(place.path(), &["cover", "--no-config"]);
    assert_eq!(without.code, 1);
    assert!(without.stderr.contains("no FILE is given"), "{}", without.stderr);
    let quiet = run_in(place.path(), &["cover", "-q"]);
    assert_eq!(quiet.stderr, "");
}

#[test]
fn the_option_that_ignores_the_file_may_stand_in_front_of_the_command() {
    let place = place(&[("propcov.toml", QUEUE)]);
    let run = run_in(place.path(), &["--no-config", "cover", "queue.btor2", "--no-out"]);
    assert!(run.stdout.starts_with("queue.btor2 (btor2)"), "{}", run.stderr);
    for (arguments, out) in [
        (&["--no-config", "farm", "run", "queue.btor2"][..], "a"),
        (&["farm", "--no-config", "run", "queue.btor2"], "b"),
        (&["farm", "run", "--no-config", "check", "queue.btor2"], "c"),
        (&["farm", "run", "queue.btor2", "--no-config"], "d"),
    ] {
        let all = [arguments, &["--out", out, "--workers", "1", "--shards", "1", "--rounds", "1"]].concat();
        let run = run_in(place.path(), &all);
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
        assert!(run.stdout.starts_with("queue.btor2 (btor2)"), "{arguments:?}: {}", run.stdout);
    }
}

#[test]
fn the_file_is_found_beside_the_design_and_above_it_and_paths_are_meant_from_there() {
    let place = place(&[("rtl/deep/propcov.toml", ""), ("propcov.toml", QUEUE)]);
    fs::create_dir_all(place.path().join("rtl/other")).expect("made");
    let above = run_in(&place.path().join("rtl/other"), &["cover"]);
    assert_eq!(above.code, 0, "{}", above.stderr);
    assert_eq!(above.document()["design"]["files"][0]["path"], "../../queue.btor2");
    let nearer = run_in(&place.path().join("rtl/deep"), &["cover"]);
    assert!(nearer.code == 1 && nearer.stderr.contains("no FILE is given"), "{}", nearer.stderr);
    let named = run_in(&place.path().join("rtl/deep"), &["cover", "--config", "../../propcov.toml"]);
    assert_eq!(named.code, 0, "{}", named.stderr);
}

#[test]
fn mistakes_are_shown_where_they_stand_with_what_was_probably_meant() {
    for (text, place_shown, words) in [
        (
            "files = [\"queue.btor2\"]\n[cover]\nmetrik = [\"mutation\"]\n",
            "propcov.toml:3:1",
            "did you mean metric",
        ),
        ("timeout = true\n", "propcov.toml:1:11", "expected a text or a number, found true or false"),
        (
            "files = [\"queue.btor2\"]\nquiet = \"yes\"\n",
            "propcov.toml:2:9",
            "expected true or false, found a text",
        ),
        ("timeout = \"soon\"\n", "propcov.toml:1:11", "`soon` is not accepted"),
        ("[cover]\nmetric = [\"mutatio\"]\n", "propcov.toml:2:10", "mutation"),
        ("files = [\n", "propcov.toml:", ""),
        ("[design.a]\ntop = \"x\"\n", "propcov.toml:1:9", "has no files"),
        ("[[waiver]]\nelement = \"a\"\n", "propcov.toml:1:", "needs a reason"),
        ("[[waiver]]\nreason = \"r\"\n", "propcov.toml:1:", "says what it waives"),
        ("[[waiver]]\nelement = \"a\"\nreason = \"r\"\nexpires = 2027-02-30\n", "propcov.toml:4:", ""),
        (
            "[[waiver]]\nelement = \"a\"\nreason = \"r\"\nexpires = \"soon\"\n",
            "propcov.toml:4:11",
            "expected a date",
        ),
        (
            "[[waiver]]\nelement = \"a\"\nreason = \"r\"\nmetric = \"mutaton\"\n",
            "propcov.toml:4:10",
            "did you mean mutation",
        ),
        (
            "[[waiver]]\nelement = \"a\"\nreason = \"r\"\nedit = [\"zero\", \"oen\"]\n",
            "propcov.toml:4:17",
            "there is no edit `oen`",
        ),
        ("[[waiver]]\nelement = \"a\"\nreason = \"r\"\nnth = 0\n", "propcov.toml:4:7", "a number from 1 on"),
        ("[[waiver]]\nfile = \"a\"\nreason = \"r\"\nnth = 2\n", "propcov.toml:1:", "`nth` is about"),
        ("[[waiver]]\nelemnt = \"a\"\nreason = \"r\"\n", "propcov.toml:2:1", "did you mean element"),
    ] {
        let place = place(&[("propcov.toml", text)]);
        let run = run_in(place.path(), &["cover", "queue.btor2", "--no-out"]);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{text}: {}", run.stderr);
        assert!(run.stderr.contains(place_shown), "{text}: {}", run.stderr);
        assert!(run.stderr.contains(words), "{text}: {}", run.stderr);
    }
}

#[test]
fn several_designs_have_sections_names_and_directories_of_their_own() {
    let text = "[cover]\nmetric = [\"cone\"]\n[design.plain]\nfiles = [\"queue.btor2\"]\n[design.checked]\nfiles = [\"queue_checked.btor2\"]\n\
        [design.checked.cover]\nmetric = \"mutation\"\n";
    let place = place(&[("propcov.toml", text)]);
    let both = run_in(place.path(), &["cover", "-q"]);
    assert!(
        both.stdout.contains("queue.btor2 (btor2)") && both.stdout.contains("queue_checked.btor2 (btor2)")
    );
    for name in ["plain", "checked"] {
        assert!(place.path().join("propcov.out").join(name).join("report.html").is_file(), "{name}");
    }
    // A page above them leads to each, and `report` lists them.
    let page = fs::read_to_string(place.path().join("propcov.out/report.html")).expect("an overview");
    for part in ["href=\"plain/report.html\"", "href=\"checked/report.html\"", "mutation 100.00 %"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let listed = run_in(place.path(), &["report"]);
    assert!(
        listed.code == 0 && listed.stdout.contains("plain") && listed.stdout.contains("cone"),
        "{}{}",
        listed.stdout,
        listed.stderr
    );
    let refused = run_in(place.path(), &["report", "--format", "reqif"]);
    assert!(
        refused.code == 1
            && refused
                .stderr
                .contains("there are checked, plain. Try: propcov report propcov.out/checked --format reqif"),
        "{}",
        refused.stderr
    );
    let runs = run_in(place.path(), &["report", "--list"]);
    assert!(runs.stdout.contains("propcov.out/plain\n") && runs.stdout.contains("\n20"), "{}", runs.stdout);
    for (threshold, code) in [("100", 0), ("mutation=100", 0), ("cone=99", 1)] {
        let judged = run_in(place.path(), &["report", "propcov.out/checked", "--threshold", threshold]);
        assert_eq!(judged.code, code, "{threshold}: {}{}", judged.stdout, judged.stderr);
    }
    let one = run_in(place.path(), &["cover", "checked", "--format", "json"]).document();
    assert_eq!(one["run"]["metrics"], serde_json::json!(["mutation"]));
    assert_eq!(one["run"]["configuration"]["design"], "checked");
    let typed = run_in(place.path(), &["cover", "queue_checked.btor2", "--format", "json"]).document();
    assert_eq!(typed["run"]["metrics"], serde_json::json!(["mutation"]), "its section is meant");
    let wrong = run_in(place.path(), &["cover", "chekced"]);
    assert!(wrong.code == 1 && wrong.stderr.contains("plain, checked"), "{}", wrong.stderr);
    let explained = run_in(place.path(), &["explain", "plain", "count"]);
    assert!(
        explained.stderr.contains("propcov.toml") && !explained.stderr.contains("neither"),
        "{}",
        explained.stderr
    );
}

#[test]
fn results_of_several_designs_are_one_document_in_a_run_from_a_file_and_from_directories() {
    let text = "[cover]\nmetric = [\"mutation\"]\n[design.plain]\nfiles = [\"queue.btor2\"]\n[design.checked]\nfiles = [\"queue_checked.btor2\"]\n";
    let place = place(&[("propcov.toml", text)]);
    let run = |arguments: &[&str]| run_in(place.path(), arguments);
    let keep = |name: &str| {
        fs::write(place.path().join(name), run(&["cover", "-q", "--format", "json"]).stdout)
            .expect("written");
    };
    keep("all.json");
    // From the file and from the directories, in any format that can say several things.
    for format in propcov::report::FORMATS.iter().filter(|format| format.is_text) {
        let is_alone = ["reqif", "jkind-xml"].contains(&format.name);
        for from in ["all.json", "propcov.out"] {
            let all = run(&["report", from, "--format", format.name]);
            assert_eq!(all.code, i32::from(is_alone), "{}, {from}: {}", format.name, all.stderr);
            assert!(is_alone || all.stdout.len() > 100, "{}, {from}", format.name);
        }
        let one = run(&["report", "all.json", "--run", "plain", "--format", format.name]);
        assert_eq!(one.code, 0, "{}: {}", format.name, one.stderr);
    }
    let runs =
        |text: &str| serde_json::from_str::<Value>(text).expect("JSON")["runs"].as_array().map(Vec::len);
    assert_eq!(runs(&run(&["cover", "-q", "--format", "sarif"]).stdout), Some(2));
    assert_eq!(runs(&run(&["report", "all.json", "--format", "sarif"]).stdout), Some(2));
    assert_eq!(runs(&run(&["report", "all.json", "--run", "plain", "--format", "sarif"]).stdout), Some(1));
    let xml = run(&["cover", "-q", "--format", "cobertura"]).stdout;
    assert_eq!((xml.matches("<?xml").count(), xml.matches("<class ").count()), (1, 2), "{xml}");
    let page = run(&["cover", "--format", "html"]);
    assert!(
        page.stdout.matches("<!doctype").count() == 1 && page.stdout.contains("2 designs"),
        "{}",
        page.stdout
    );
    assert!(page.stderr.contains("plain: propcov.out/plain/report.html"), "{}", page.stderr);
    // Names are words of a shell, whatever is in them.
    let named = text.replace("[design.plain]", "[design.\"a b\"]");
    fs::write(place.path().join("propcov.toml"), &named).expect("written");
    fs::write(place.path().join("named.json"), run(&["cover", "-q", "--format", "json"]).stdout)
        .expect("written");
    let tried = run(&["report", "named.json"]).stdout;
    assert!(tried.ends_with("Try: propcov report named.json --run 'a b'\n"), "{tried}");
    fs::remove_dir_all(place.path().join("propcov.out/a b")).expect("removed");
    fs::write(place.path().join("propcov.toml"), text).expect("written");
    // Each is held against the thresholds that fit it, and the worst counts.
    let judged = run(&["report", "all.json", "--threshold", "60"]);
    assert!(
        judged.code == 3 && judged.stdout.contains("plain: threshold coverage = 60 %"),
        "{}",
        judged.stdout
    );
    let some = run(&["report", "all.json", "--threshold", "file:queue_c*=100"]);
    assert_eq!(some.code, 0, "{}{}", some.stdout, some.stderr);
    assert_eq!(run(&["report", "all.json", "--threshold", "file:nothing=1"]).code, 1);
    // A table of requirements is about all of them.
    fs::write(place.path().join("req.csv"), "id,text,properties\nR,x,count_is_distance\nS,y,nowhere\n")
        .expect("written");
    let with = run(&["report", "all.json", "--requirements", "req.csv", "--format", "markdown"]);
    assert!(!with.stderr.contains("count_is_distance") && with.stderr.contains("nowhere"), "{}", with.stderr);
    // Design by design: one of them gets worse.
    fs::copy(place.path().join("queue.btor2"), place.path().join("queue_checked.btor2")).expect("copied");
    keep("new.json");
    for (new, old) in [("new.json", "all.json"), ("propcov.out", "all.json"), ("propcov.out", "previous")] {
        let worse = run(&["report", new, "--diff", old]);
        let (plain, checked) = (worse.stdout.find("plain\n"), worse.stdout.find("checked\n"));
        assert!(
            worse.code == 3 && plain.is_some() && checked.is_some(),
            "{new}, {old}: {}{}",
            worse.stdout,
            worse.stderr
        );
        assert!(
            worse.stdout.contains("nothing changed") && worse.stdout.contains("worse"),
            "{}",
            worse.stdout
        );
    }
    assert_eq!(
        run(&["report", "all.json", "--diff", "new.json"]).code,
        0,
        "the other way round it is better"
    );
    assert_eq!(run(&["report", "propcov.out/plain", "--diff", "all.json"]).code, 0, "one of them");
    assert_eq!(run(&["report", "all.json", "--diff", "new.json", "--format", "html"]).code, 1);
    let markdown = run(&["report", "new.json", "--diff", "all.json", "--format", "markdown"]).stdout;
    assert!(markdown.starts_with("### `plain`") && markdown.contains("\n### `checked`"), "{markdown}");
    // One that is gone is a loss; a file without any document is no result.
    fs::write(
        place.path().join("less.json"),
        run(&["report", "all.json", "--run", "plain", "--format", "json"]).stdout,
    )
    .expect("written");
    let less = run(&["report", "less.json", "--diff", "all.json"]);
    assert_eq!(less.code, 0, "{}{}", less.stdout, less.stderr);
    let both = fs::read_to_string(place.path().join("less.json")).expect("there").repeat(2);
    fs::write(place.path().join("twice.json"), both).expect("written");
    let gone = run(&["report", "twice.json", "--diff", "all.json"]);
    assert!(gone.stderr.contains("checked: only in all.json"), "{}", gone.stderr);
    fs::write(place.path().join("empty.json"), "\n").expect("written");
    let empty = run(&["report", "empty.json"]);
    assert!(empty.code == 1 && empty.stderr.contains("it is empty"), "{}", empty.stderr);
}

#[test]
fn tasks_of_a_project_have_their_names_and_are_compared_task_by_task() {
    if !crate::verilog::has_slang() {
        return;
    }
    let place = place(&[]);
    let project = root().join("examples/verilog/queue.sby");
    let project = project.to_str().expect("UTF-8");
    let run = |arguments: &[&str]| run_in(place.path(), arguments);
    for name in ["all.json", "again.json"] {
        let all = run(&["check", project, "-q", "--format", "json"]);
        fs::write(place.path().join(name), &all.stdout).expect("written");
    }
    let junit = run(&["check", project, "-q", "--format", "junit"]).stdout;
    let told = run(&["report", "all.json"]).stdout;
    for task in ["(short)", "(model)"] {
        assert!(told.contains(task) && junit.contains(task), "{task}: {told}{junit}");
    }
    let kept = run(&["check", project, "--out", "out"]);
    assert!(
        kept.code == 1 && kept.stderr.contains("task short: error") && kept.stderr.contains("`mode bmc`"),
        "{}",
        kept.stderr
    );
    let same = run(&["report", "again.json", "--diff", "all.json"]);
    assert!(
        same.code == 0 && same.stdout.matches("nothing changed").count() == 2,
        "{}{}",
        same.stdout,
        same.stderr
    );
}

#[test]
fn init_writes_what_it_sees_and_never_overwrites() {
    let verilog = "module top(input clk, rst_n); leaf u(.clk(clk)); always @(posedge clk or negedge rst_n) x <= 1; endmodule\n";
    let place = place(&[("rtl/top.sv", verilog), ("rtl/leaf.v", "module leaf(input clk); endmodule\n")]);
    let run = run_in(place.path(), &["init"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let text = fs::read_to_string(place.path().join("propcov.toml")).expect("written");
    for expected in [
        "[design.top]",
        "top = \"top\"",
        "clock = \"clk\"",
        "reset = \"rst_n=0\"",
        "[design.queue]",
        "\"rtl/leaf.v\"",
        "[design.mutex]",
    ] {
        assert!(text.contains(expected), "{expected} is missing:\n{text}");
    }
    let again = run_in(place.path(), &["init"]);
    assert!(again.code == 1 && again.stderr.contains("is there already"), "{}", again.stderr);
    assert_eq!(fs::read_to_string(place.path().join("propcov.toml")).expect("there"), text);
    // What it writes is understood.
    assert_eq!(run_in(place.path(), &["check", "queue", "-q"]).code, 0);
}

#[test]
fn waived_is_counted_apart_and_waivers_that_waive_nothing_are_reported() {
    let plain = run_in(place(&[("propcov.toml", QUEUE)]).path(), &["cover"]).document();
    let name = "tail";
    let waivers = format!(
        "[[waiver]]\nelement = \"{name}\"\nreason = \"the vendor's\"\nauthor = \"kim\"\nexpires = 2999-12-31\n\
         [[waiver]]\nelement = \"{name}\"\nreason = \"too late\"\nexpires = 2001-01-01\n\
         [[waiver]]\nelement = \"nobody\"\nreason = \"gone\"\n"
    );
    let place = place(&[("propcov.toml", &format!("{QUEUE}{waivers}"))]);
    let run = run_in(place.path(), &["cover"]);
    let document = run.document();
    let (before, now) = (tally(&plain, "mutation"), tally(&document, "mutation"));
    let number = |share: &Value, column: &str| {
        share[column].as_str().map_or(0, |text| text.parse::<u64>().expect("a number"))
    };
    assert_eq!(number(&before, "covered"), number(&now, "covered"), "waived is never covered");
    assert_eq!(number(&before, "total"), number(&now, "total"));
    assert!(number(&now, "waived") > 0);
    assert_eq!(number(&before, "uncovered"), number(&now, "uncovered") + number(&now, "waived"));
    let states: Vec<&str> = document["waivers"]
        .as_array()
        .expect("waivers")
        .iter()
        .map(|one| one["state"].as_str().expect("a word"))
        .collect();
    assert_eq!(states, ["used", "expired", "stale"]);
    assert!(
        run.stderr.contains("expired on 2001-01-01") && run.stderr.contains("fits nothing in the design"),
        "{}",
        run.stderr
    );
    let text = run_in(place.path(), &["cover", "--format", "text"]).stdout;
    assert!(text.contains("waived") && text.contains("the vendor's, kim, until 2999-12-31"), "{text}");
    let sarif: Value =
        serde_json::from_str(&run_in(place.path(), &["cover", "--format", "sarif"]).stdout).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    assert!(results.iter().any(|one| one["suppressions"][0]["justification"] == "the vendor's (kim)"));
    let audit = run_in(place.path(), &["cover", "--format", "audit-csv"]).stdout;
    assert!(audit.contains("left out of the count") && audit.contains("the vendor's"), "{audit}");
}

#[test]
fn a_condition_waives_holes_in_states() {
    let config = "files = [\"mutex.smv\"]\n[cover]\nmetric = [\"state\"]\nformat = \"json\"\nno-out = true\n";
    let plain = run_in(place(&[("propcov.toml", config)]).path(), &["cover"]).document();
    let count = |share: &Value, column: &str| {
        share[column].as_str().map_or(0, |text| text.parse::<u64>().expect("a number"))
    };
    let before = tally(&plain, "state");
    assert!(count(&before, "uncovered") > 0, "{before}");
    let all = format!("{config}[[waiver]]\ncondition = \"TRUE\"\nreason = \"none of it counts\"\n");
    let run = run_in(place(&[("propcov.toml", &all)]).path(), &["cover"]);
    let now = tally(&run.document(), "state");
    assert_eq!(count(&now, "waived"), count(&before, "uncovered"), "{}", run.stderr);
    assert_eq!((count(&now, "covered"), count(&now, "uncovered")), (count(&before, "covered"), 0));
    let none = format!("{config}[[waiver]]\ncondition = \"FALSE\"\nreason = \"nothing\"\n");
    let run = run_in(place(&[("propcov.toml", &none)]).path(), &["cover"]);
    assert_eq!(tally(&run.document(), "state")["uncovered"], before["uncovered"]);
    assert_eq!(run.document()["waivers"][0]["state"], "stale");
    let wrong = format!("{config}[[waiver]]\ncondition = \"no_such + 1\"\nreason = \"?\"\n");
    assert_eq!(run_in(place(&[("propcov.toml", &wrong)]).path(), &["cover"]).code, 1);
}

#[test]
fn labels_of_a_refinement_are_waived_by_state_and_proposition() {
    let text = "[[waiver]]\nstate = \"asked\"\nproposition = \"req\"\nreason = \"is sampled later\"\nauthor = \"kim\"\n\
        [[waiver]]\nstate = \"idle\"\nreason = \"is covered\"\n[[waiver]]\nstate = \"gone\"\nreason = \"was removed\"\n\
        [[waiver]]\nelement = \"tail\"\nreason = \"is of a netlist\"\n[[waiver]]\nproposition = \"grant\"\nreason = \"is over\"\nexpires = 2020-01-01\n";
    let place = place(&[("propcov.toml", text)]);
    for name in ["server.dot", "protocol.dot"] {
        fs::copy(root().join("examples/refine").join(name), place.path().join(name)).expect("an example");
    }
    let run = run_in(place.path(), &["refine", "server.dot", "protocol.dot"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for expected in [
        "  req                4          1       1      6   80.00 %",
        "  all                9          2       1     12   81.82 %",
        "Waived (1):\n  req in asked: is sampled later, kim",
        "  used (1): label req, in state asked: is sampled later, kim",
        "  unused: in state idle: is covered",
        "  stale: in state gone: was removed",
        "  idle: tail: is of a netlist",
        "  expired: label grant: is over, until 2020-01-01",
        "simulated; 9 of 11 labels covered: 81.82 %",
    ] {
        assert!(run.stdout.contains(expected), "{expected}\n{}", run.stdout);
    }
    assert!(!run.stdout.contains("asked  "), "what is waived is no hole: {}", run.stdout);
    for warned in ["in state idle is not needed", "in state gone fits nothing", "label grant expired"] {
        assert!(run.stderr.contains(warned), "{warned}: {}", run.stderr);
    }
    let document =
        run_in(place.path(), &["refine", "server.dot", "protocol.dot", "--format", "json"]).document();
    let share = tally(&document, "simulation");
    assert_eq!((&share["waived"], &share["uncovered"]), (&"1".into(), &"2".into()), "{share}");
    // Sets of states have no names: nothing is waived, and that is said.
    for name in ["bus.smv", "bus_spec.smv"] {
        fs::copy(root().join("examples/refine").join(name), place.path().join(name)).expect("an example");
    }
    let sets = run_in(place.path(), &["refine", "bus.smv", "bus_spec.smv", "--most-states", "10"]);
    assert!(sets.stderr.contains("waivers of labels waive nothing"), "{}{}", sets.stdout, sets.stderr);
    assert!(!sets.stdout.contains("aive"), "{}", sets.stdout);
    // A waiver of labels is none of elements.
    let mixed = "[[waiver]]\nstate = \"a\"\nelement = \"b\"\nreason = \"r\"\n";
    fs::write(place.path().join("propcov.toml"), mixed).expect("written");
    let run = run_in(place.path(), &["refine", "server.dot", "protocol.dot"]);
    assert!(run.code == 1 && run.stderr.contains("make two waivers of it"), "{}", run.stderr);
}

#[test]
fn thresholds_of_metrics_files_and_instances_have_exit_codes_and_say_by_how_much() {
    let place = place(&[]);
    let with = |thresholds: &[&str]| {
        let mut arguments = vec!["cover", "queue.btor2", "-m", "mutation", "--no-out", "-q"];
        thresholds.iter().for_each(|one| arguments.extend(["--threshold", one]));
        run_in(place.path(), &arguments)
    };
    assert_eq!(with(&["mutation=50"]).code, 0);
    assert_eq!(with(&["file:*.btor2=50", "instance:(top)=50"]).code, 0);
    let missed = with(&["mutation=80", "file:queue*=99", "50"]);
    assert_eq!(missed.code, 3);
    assert!(
        missed.stdout.contains("threshold mutation = 80 % is missed: mutation: 53.33 %, 26.67 points"),
        "{}",
        missed.stdout
    );
    assert!(
        missed.stdout.contains("2 of 3 thresholds missed") || missed.stdout.contains("coverage: 53.33 %"),
        "{}",
        missed.stdout
    );
    let unmeasured = with(&["must=10"]);
    assert_eq!(unmeasured.code, 1, "{}", unmeasured.stdout);
    assert!(unmeasured.stderr.contains("must is not measured; measured: mutation"), "{}", unmeasured.stderr);
    let nowhere = with(&["file:nope.sv=30"]);
    assert_eq!(nowhere.code, 1, "{}", nowhere.stdout);
    assert!(nowhere.stderr.contains("fits `nope.sv`; files: queue.btor2"), "{}", nowhere.stderr);
    assert_eq!(with(&["mutaton=80"]).code, 1);
    let table = "files = [\"queue.btor2\"]\n[cover]\nmetric = \"mutation\"\nno-out = true\nthreshold = { mutation = 80 }\n";
    fs::write(place.path().join("propcov.toml"), table).expect("written");
    assert_eq!(run_in(place.path(), &["cover", "-q"]).code, 3);
    assert_eq!(run_in(place.path(), &["cover", "-q", "--threshold", "10"]).code, 0, "the command line wins");
}

#[test]
fn comparisons_say_what_got_better_and_worse_by_exit_code_and_in_each_format() {
    let place = place(&[]);
    let keep = |name: &str, out: &str| {
        let run =
            run_in(place.path(), &["cover", name, "-m", "mutation", "-q", "--format", "json", "--out", out]);
        fs::write(place.path().join(format!("{out}.json")), &run.stdout).expect("written");
    };
    keep("queue.btor2", "old");
    // The same design with a comment above: everything moved, nothing changed.
    let text = fs::read_to_string(place.path().join("queue.btor2")).expect("there");
    fs::write(place.path().join("queue.btor2"), format!("; a comment\n\n{text}")).expect("written");
    keep("queue.btor2", "new");
    let same = run_in(place.path(), &["report", "new", "--diff", "old"]);
    assert_eq!(same.code, 0, "{}{}", same.stdout, same.stderr);
    assert!(same.stdout.contains("nothing changed") && same.stdout.contains("moved"), "{}", same.stdout);
    keep("queue_checked.btor2", "checked");
    let better = run_in(place.path(), &["report", "checked.json", "--diff", "old.json"]);
    assert_eq!(better.code, 0, "{}", better.stdout);
    assert!(better.stdout.contains("better"), "{}", better.stdout);
    let worse = run_in(place.path(), &["report", "old.json", "--diff", "checked.json", "--format", "json"]);
    assert_eq!(worse.code, 3, "{}", worse.stdout);
    assert_eq!(worse.document()["schema"], "propcov-diff/1");
    let markdown =
        run_in(place.path(), &["report", "old.json", "--diff", "checked.json", "--format", "markdown"]);
    assert!(markdown.stdout.starts_with("## propcov: worse"), "{}", markdown.stdout);
    let page = run_in(place.path(), &["report", "new", "--diff", "old", "--format", "html"]);
    assert!(page.stdout.starts_with("<!doctype html>"));
    let runs = run_in(place.path(), &["report", "new", "--diff", "20"]);
    assert_eq!(runs.code, 0, "a run of the same directory, by the beginning of its name: {}", runs.stderr);
    assert_eq!(run_in(place.path(), &["report", "new", "--diff", "nowhere"]).code, 1);
    assert_eq!(run_in(place.path(), &["report", "new", "--diff", "old", "--format", "lcov"]).code, 1);
}

#[test]
fn the_newest_run_is_compared_with_the_one_before_it() {
    let place = place(&[]);
    let cover = || run_in(place.path(), &["cover", "queue.btor2", "-m", "mutation", "-q"]);
    let compare = || run_in(place.path(), &["report", "--diff", "previous"]);
    assert_eq!(cover().code, 0);
    let alone = compare();
    assert!(
        alone.code == 1 && alone.stderr.contains("no earlier run of the same design"),
        "{}",
        alone.stderr
    );
    // The better design under the same name, and back.
    let original = fs::read(place.path().join("queue.btor2")).expect("a design");
    fs::copy(place.path().join("queue_checked.btor2"), place.path().join("queue.btor2")).expect("copied");
    assert_eq!(cover().code, 0);
    let better = compare();
    assert!(better.code == 0 && better.stdout.contains("better"), "{}", better.stdout);
    fs::write(place.path().join("queue.btor2"), original).expect("written");
    assert_eq!(cover().code, 0);
    let worse = compare();
    assert!(worse.code == 3 && worse.stdout.contains("worse"), "{} {}", worse.code, worse.stdout);
    let names = run_in(place.path(), &["report", "--list"]).stdout;
    assert_eq!(names.lines().filter(|line| line.starts_with("20")).count(), 3, "{names}");
}

#[test]
fn a_run_and_its_repetition_have_the_same_ladder() {
    let place = place(&[]);
    let statuses = || {
        let document = run_in(place.path(), &["cover", "queue.btor2", "-q", "--format", "json"]).document();
        let elements = document["elements"].as_array().expect("elements").clone();
        elements
            .into_iter()
            .map(|element| (element["name"].to_string(), element["status"].to_string()))
            .collect::<Vec<_>>()
    };
    let first = statuses();
    assert_eq!(first, statuses());
    assert!(!first.is_empty());
}

#[test]
fn progress_is_json_lines_on_request_and_never_on_standard_output() {
    let place = place(&[]);
    let plain = run_in(
        place.path(),
        &["cover", "queue.btor2", "-m", "mutation", "--no-out", "--format", "json", "--seed", "1"],
    );
    let run = run_in(
        place.path(),
        &[
            "cover",
            "queue.btor2",
            "-m",
            "mutation",
            "--no-out",
            "--format",
            "json",
            "--seed",
            "1",
            "--progress",
            "json",
            "--timeout",
            "100",
        ],
    );
    let lines: Vec<Value> = run
        .stderr
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    let last = lines.last().expect("at least the end");
    assert_eq!((&last["progress"], &last["done"]), (&"propcov/1".into(), &true.into()));
    assert!(last["seconds_left"].as_f64().is_some_and(|left| left <= 100.0));
    assert_eq!((&last["of"], &last["total"]), (&"mutants".into(), &15.into()), "{last}");
    let (one, other) = (plain.document(), run.document());
    assert_eq!(one["shares"], other["shares"]);
    let none = run_in(place.path(), &["check", "queue.btor2", "--progress", "none"]);
    assert_eq!((none.code, none.stderr.as_str()), (0, ""));
}

/// The shell steps of a block in the book: what follows `run: |`, or the lines of `script:`.
fn steps(page: &str, heading: &str) -> Vec<String> {
    let block = page
        .split(heading)
        .nth(1)
        .and_then(|rest| rest.split("```yaml").nth(1))
        .and_then(|rest| rest.split("```").next());
    let lines: Vec<&str> = block.expect("a block").lines().collect();
    let mut steps = Vec::new();
    let indent = |line: &str| line.len() - line.trim_start().len();
    for (at, line) in lines.iter().enumerate() {
        if line.trim() == "run: |" {
            let body = lines[at + 1..].iter().take_while(|next| indent(next) > indent(line));
            steps.push(body.map(|line| format!("{}\n", line.trim())).collect());
        } else if line.trim() == "script:" {
            let body = lines[at + 1..].iter().take_while(|next| next.trim_start().starts_with("- "));
            steps.push(body.map(|line| format!("{}\n", line.trim().trim_start_matches("- "))).collect());
        }
    }
    steps
}

#[test]
fn the_steps_of_the_build_servers_in_the_book_work() {
    let page = fs::read_to_string(root().join("book/src/daily.md")).expect("a page");
    let binary = Path::new(env!("CARGO_BIN_EXE_propcov")).parent().expect("a directory");
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let one = "files = [\"queue.btor2\"]\n[cover]\nmetric = \"mutation\"\nthreshold = 50\n";
    let several = "[cover]\nmetric = \"mutation\"\nthreshold = 50\n[design.a]\nfiles = [\"queue.btor2\"]\n[design.b]\nfiles = [\"queue_checked.btor2\"]\n";
    for (heading, expected, config) in
        [("GitHub, `", 2, one), ("GitLab, `", 1, one), ("GitHub, `", 2, several), ("GitLab, `", 1, several)]
    {
        let steps = steps(&page, heading);
        assert_eq!(steps.len(), expected, "{heading}: {steps:?}");
        let place = place(&[("propcov.toml", config)]);
        let shell = |step: &str| {
            let mut command = assert_cmd::Command::new("bash");
            command.args(["-eo", "pipefail", "-c", step]).current_dir(place.path()).env("PATH", &path);
            Run::from(command.env("GITHUB_STEP_SUMMARY", "summary.md").output().expect("bash starts"))
        };
        for step in &steps {
            let run = shell(step);
            assert_eq!(run.code, 0, "{heading}: {step}\n{}{}", run.stdout, run.stderr);
        }
        assert!(
            place.path().join("propcov.json").is_file()
                && place.path().join("propcov.out/report.html").is_file()
        );
        let read = |name: &str| fs::read_to_string(place.path().join(name)).unwrap_or_default();
        let designs = config.matches("[design.").count().max(1);
        if heading.starts_with("GitHub") {
            assert_eq!(
                read("summary.md").matches("## propcov cover").count(),
                designs,
                "{}",
                read("summary.md")
            );
            assert_eq!(read("propcov.sarif").matches("\"invocations\"").count(), designs);
            // With a baseline, the summary has the comparison.
            fs::copy(place.path().join("propcov.json"), place.path().join("baseline.json")).expect("copied");
            fs::remove_file(place.path().join("summary.md")).expect("removed");
            let run = shell(&steps[1]);
            assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
            assert_eq!(
                read("summary.md").matches("nothing changed").count(),
                designs,
                "{}",
                read("summary.md")
            );
        } else {
            assert_eq!(read("junit.xml").matches("<testsuite ").count(), designs);
            assert_eq!(read("cobertura.xml").matches("<class ").count(), designs);
        }
        // A threshold that is missed fails the job.
        fs::write(place.path().join("propcov.toml"), config.replace("50", "99")).expect("written");
        assert_eq!(shell(&steps[0]).code, 3, "{heading}");
    }
}
