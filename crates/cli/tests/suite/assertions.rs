//! Concurrent assertions from the command line: what users see of them, and of what checks them.

use crate::common::{Run, propcov, root};
use crate::verilog::has_slang;
use serde_json::Value;
use std::path::Path;

/// Names that only propcov knows: states of monitors, choices of liveness, values sampled before an edge.
const INNER: [&str; 11] = [
    ".monitor", ".count", ".choice", ".owed", ".late", ".lost", ".begin", ".begun", "sampled", ".before",
    "$reset",
];

fn design() -> String {
    root().join("examples/assertions/handshake.sv").display().to_string()
}

fn run_in(directory: &Path, arguments: &[&str]) -> Run {
    propcov(arguments).current_dir(directory).output().expect("started").into()
}

fn has_inner(text: &str) -> Option<&'static str> {
    INNER.into_iter().find(|name| text.contains(name))
}

#[test]
fn runs_show_the_attempt_and_not_the_monitor() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let design = design();
    let text = run_in(directory.path(), &["check", &design]).stdout;
    assert_eq!(has_inner(&text), None, "{text}");
    assert!(text.contains("The attempt that began in step 0:"), "{text}");
    assert!(!text.contains('@'), "names of assignments in {text}");
    let written = run_in(directory.path(), &["check", &design, "--format", "json", "--certificate", "kept"]);
    let document = written.document();
    let properties = document["properties"].as_array().expect("properties");
    for property in properties {
        for run in ["trace", "tested"] {
            let signals = property[run]["signals"].to_string();
            assert_eq!(has_inner(&signals), None, "{signals}");
        }
    }
    let answered = properties.iter().find(|one| one["name"] == "answered").expect("it is there");
    assert_eq!(answered["attempt"]["start"], 0);
    let mut waveforms = 0;
    for file in std::fs::read_dir(directory.path().join("kept")).expect("written") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|ending| ending == "vcd") {
            let dump = std::fs::read_to_string(&path).expect("text");
            assert_eq!(has_inner(&dump), None, "{}", path.display());
            waveforms += 1;
        }
    }
    assert!(waveforms > 0);
}

#[test]
fn all_commands_say_what_is_vacuous_and_which_attempt_failed() {
    if !has_slang() {
        return;
    }
    let design = design();
    for command in [
        &["check"] as &[&str],
        &["cover", "-m", "cone"],
        &["cover", "-m", "mutation"],
        &["cover", "-m", "core"],
        &["cores"],
    ] {
        let directory = tempfile::tempdir().expect("a directory");
        let mut arguments = command.to_vec();
        arguments.extend([design.as_str(), "--format", "json"]);
        let document = run_in(directory.path(), &arguments).document();
        assert_eq!(document["gate"]["untested"], serde_json::json!(["idle"]), "{command:?}");
        let property = |name: &str| -> &Value {
            let all = document["properties"].as_array().expect("properties");
            all.iter().find(|one| one["name"] == name).expect("it is there")
        };
        assert_eq!(property("idle")["vacuous"], true, "{command:?}");
        assert!(
            property("granted")["tested"]["steps"].as_u64().is_some_and(|steps| steps > 0),
            "{command:?}"
        );
        assert_eq!(property("answered")["attempt"]["parts"][1]["text"], "ack", "{command:?}");
        // First of all, and plainly.
        let kept: &[&str] = if command[0] == "check" { &[] } else { &["--out", "propcov.out"] };
        let text = run_in(directory.path(), &[command, &[design.as_str()], kept].concat()).stdout;
        let warning = text.find("idle is vacuous: its antecedent never holds: gnt && left == 0.");
        assert!(warning.is_some_and(|at| at < 400), "{command:?}: {text}");
        if command[0] != "check" {
            let page = std::fs::read_to_string(directory.path().join("propcov.out/report.html"));
            let page = page.expect("a page");
            assert!(page.contains("\"attempt\":{\"start\":0"), "{command:?}");
            assert!(!page.contains("answered.monitor"), "{command:?}");
        }
    }
}

#[test]
fn no_metric_sees_what_remembers_attempts() {
    if !has_slang() {
        return;
    }
    let design = design();
    for metric in ["mutation", "core", "must", "may", "cone", "reach"] {
        let directory = tempfile::tempdir().expect("a directory");
        let arguments = ["cover", &design, "-m", metric, "--format", "json"];
        let document = run_in(directory.path(), &arguments).document();
        let elements = document["elements"].as_array().expect("elements");
        assert!(!elements.is_empty(), "{metric}");
        for element in elements {
            let name = element["name"].as_str().expect("a name");
            assert_eq!(has_inner(name), None, "{metric}");
            // The lines of assertions have verdicts, and no share in any metric.
            let lines =
                element["places"].as_array().into_iter().flatten().map(|place| place["line"].as_u64());
            assert!(lines.into_iter().all(|line| line.is_none_or(|line| line < 17)), "{metric}: {element}");
        }
        let findings = document["findings"].as_array().expect("findings");
        let known = |id: &Value| elements.iter().any(|element| element["id"] == *id);
        assert!(findings.iter().all(|finding| known(&finding["subject"]["element"])), "{metric}");
    }
}

fn property<'d>(document: &'d Value, name: &str) -> &'d Value {
    let all = document["properties"].as_array().expect("properties");
    all.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("{name} is missing"))
}

/// What has to come: proved where an assumption makes it fair, and refuted by a run that goes round and round.
#[test]
fn liveness_is_decided_and_certified() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let turns = root().join("examples/assertions/turns.sv").display().to_string();
    let document =
        run_in(directory.path(), &["check", &turns, "--format", "json", "--certificate", "kept"]).document();
    for (name, verdict) in
        [("served_0", "proved"), ("served_1", "proved"), ("held", "falsified"), ("single", "proved")]
    {
        let property = property(&document, name);
        assert_eq!((&property["verdict"], &property["certified"]), (&verdict.into(), &true.into()), "{name}");
    }
    let held = property(&document, "held");
    assert!(held["trace"]["shows"]["loop_to"].is_u64(), "{held}");
    assert_eq!(has_inner(&held["trace"]["signals"].to_string()), None, "{held}");

    // Without the assumption the bus may be kept for ever.
    let text = std::fs::read_to_string(&turns).expect("the example").replace("released: assume", "// ");
    std::fs::write(directory.path().join("unfair.sv"), text).expect("written");
    let document = run_in(directory.path(), &["check", "unfair.sv", "--format", "json"]).document();
    let served = property(&document, "served_0");
    assert_eq!(served["verdict"], "falsified");
    let parts = served["attempt"]["parts"].as_array().expect("an attempt");
    assert_eq!(parts.last().map(|part| &part["endless"]), Some(&true.into()), "{served}");
    let shown = run_in(directory.path(), &["check", "unfair.sv", "--property", "served_0"]).stdout;
    assert!(shown.contains("s_eventually (gnt[0] || !req[0]) is never met, from step"), "{shown}");
    assert!(shown.contains("loop: "), "{shown}");
}

/// Coverage and cores ask a system that watches for loops; what they show is the loop, as `check` does.
#[test]
fn all_commands_show_the_loop_of_a_failing_liveness_assertion() {
    if !has_slang() {
        return;
    }
    let turns = root().join("examples/assertions/turns.sv").display().to_string();
    let text = std::fs::read_to_string(&turns).expect("the example").replace("released: assume", "// ");
    for command in [&["check"] as &[&str], &["cover", "-m", "cone"], &["cover", "-m", "mutation"], &["cores"]]
    {
        let directory = tempfile::tempdir().expect("a directory");
        std::fs::write(directory.path().join("unfair.sv"), &text).expect("written");
        let wanted = ["unfair.sv", "--property", "served_0", "--property", "single"];
        let document =
            run_in(directory.path(), &[command, &wanted, &["--format", "json"]].concat()).document();
        let served = property(&document, "served_0");
        assert_eq!(served["verdict"], "falsified", "{command:?}");
        let (steps, back) = (served["trace"]["steps"].as_u64(), served["trace"]["shows"]["loop_to"].as_u64());
        assert!(steps.zip(back).is_some_and(|(steps, back)| back < steps), "{command:?}: {served}");
        assert_eq!(has_inner(&served["trace"]["signals"].to_string()), None, "{command:?}");
        let parts = served["attempt"]["parts"].as_array().expect("an attempt");
        assert_eq!(parts.last().map(|part| &part["endless"]), Some(&true.into()), "{command:?}: {served}");
        let shown = run_in(directory.path(), &[command, &wanted].concat()).stdout;
        assert!(
            shown.contains("Counterexample to served_0") && shown.contains("loop: "),
            "{command:?}: {shown}"
        );
    }
}

/// Texts of a macro are those that it stands for, and not the name of the macro again and again.
#[test]
fn attempts_have_the_text_that_a_macro_stands_for() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let text =
        "`define PULSE(name, signal) name: assert property (@(posedge clk) $rose(signal) |=> !(signal));
`define WHEN(name, given, then) name: assert property (@(posedge clk) given |=> then);
module m(input bit clk, a, b);
  `PULSE(Pulse, a)
  `WHEN(When, a ##1 b, a || b)
  sequence one; a ##1 b; endsequence
  Ended: assert property (@(posedge clk) a |=> one.triggered);
  Never: assert property (@(posedge clk) not (a ##1 b));
endmodule
";
    std::fs::write(directory.path().join("m.sv"), text).expect("written");
    let document = run_in(directory.path(), &["check", "m.sv", "--format", "json"]).document();
    let parts = |name: &str| -> Vec<(String, bool)> {
        let parts = property(&document, name)["attempt"]["parts"].as_array().expect("an attempt").clone();
        let part = |part: &Value| (part["text"].as_str().expect("text").to_owned(), part["matched"] == true);
        parts.iter().map(part).collect()
    };
    let told = |texts: &[(&str, bool)]| -> Vec<(String, bool)> {
        texts.iter().map(|(text, matched)| ((*text).to_owned(), *matched)).collect()
    };
    assert_eq!(parts("Pulse"), told(&[("$rose(a)", true), ("!(a)", false)]));
    assert_eq!(parts("When"), told(&[("a ##1 b", true), ("a || b", false)]));
    assert_eq!(parts("Ended"), told(&[("a", true), ("one.triggered", false)]));
    assert_eq!(parts("Never"), told(&[("a ##1 b", true), ("not (a ##1 b)", false)]));
}

#[test]
fn liveness_is_measured() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let turns = root().join("examples/assertions/turns.sv").display().to_string();
    let document = run_in(
        directory.path(),
        &[
            "cover",
            &turns,
            "--property",
            "served_0",
            "-m",
            "mutation",
            "--elements",
            "assignments,branches",
            "--format",
            "json",
        ],
    )
    .document();
    let elements = document["elements"].as_array().expect("elements");
    let findings = document["findings"].as_array().expect("findings");
    let is_covered = |line: u64| {
        let here = elements.iter().filter(|element| element["places"][0]["line"] == line);
        let ids: Vec<&Value> = here.map(|element| &element["id"]).collect();
        let mut all = findings.iter().filter(|finding| ids.contains(&&finding["subject"]["element"]));
        all.any(|finding| finding["verdict"] == "covered")
    };
    // Whose turn it is, and the grant to the first client; the second client is somebody else's business.
    assert!(is_covered(7) && is_covered(8) && !is_covered(9), "{document}");
    assert!(findings.iter().filter(|one| one["verdict"] == "covered").all(|one| one["certified"] == true));
    let cores = run_in(directory.path(), &["cores", &turns, "--property", "served_0", "--format", "json"]);
    let document = cores.document();
    let core = &document["cores"][0];
    let elements = document["elements"].as_array().expect("elements");
    let line = |id: &Value| elements.iter().find(|one| one["id"] == *id).map(|one| &one["places"][0]["line"]);
    let lines: Vec<Option<&Value>> = core["must"].as_array().expect("a list").iter().map(line).collect();
    assert!(core["property"] == "served_0" && core["complete"] == true, "{core}");
    assert!(lines.contains(&Some(&7.into())) && lines.contains(&Some(&8.into())), "{lines:?}");
    assert!(!lines.contains(&Some(&9.into())), "{lines:?}");
}

#[test]
fn reports_for_machines_tell_the_attempt() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let design = design();
    let told =
        "the attempt that began in step 0: req ##1 gnt matched in steps 0 to 1; ack failed in steps 2 to 3";
    for format in ["junit", "sarif"] {
        let text = run_in(directory.path(), &["check", &design, "--format", format]).stdout;
        assert!(text.contains(told), "{format}: {text}");
        assert!(text.contains("s_eventually ack is never met, from step"), "{format}: {text}");
    }
}

/// All antecedents count, and users see which one it is.
#[test]
fn vacuity_names_the_antecedent_that_never_holds() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let text = "module m(input bit clk, v, r, done);
  default clocking @(posedge clk); endclocking
  never: assume property (!(v && r));
  nested: assert property (v |-> r |-> done);
  half: assert property ((v |-> !r) and (v && r |-> done));
  off: assert property (disable iff (!v || !r) done);
  always_ff @(posedge clk) if (v && r) idle: assert (done);
  tested: assert property (v |-> !r);
endmodule
";
    std::fs::write(directory.path().join("m.sv"), text).expect("written");
    let run = run_in(directory.path(), &["check", "m.sv"]);
    for warning in [
        "nested is vacuous: its antecedent never holds: r, after v.",
        "off is vacuous: it is always disabled.",
        "idle is vacuous: it is never executed.",
        "half is vacuous in part: its antecedent never holds: v && r.",
    ] {
        assert!(run.stdout.contains(warning), "{warning}: {}", run.stdout);
    }
    assert!(run.stdout.contains("5 properties: 5 proved (3 vacuous)"), "{}", run.stdout);
    let document = run_in(directory.path(), &["check", "m.sv", "--format", "json"]).document();
    let unmet = &property(&document, "nested")["unmet"][0];
    assert_eq!(unmet["kind"], "antecedent");
    assert_eq!((&unmet["text"], &unmet["after"][0]), (&"r".into(), &"v".into()));
    assert_eq!((&unmet["place"]["line"], &unmet["place"]["column"]), (&4.into(), &34.into()));
    assert!(property(&document, "tested")["unmet"].is_null());
    assert!(property(&document, "tested")["tested"]["steps"].as_u64().is_some());
    assert!(property(&document, "half")["vacuous"].is_null());
}

/// The formal alone says nothing: two uses of one sequence have the same formals.
#[test]
fn attempts_name_actual_arguments() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let text = "checker stays(x, y);
  k: assert property (x |=> y);
endchecker
module m(input bit clk, a, b, c);
  default clocking @(posedge clk); endclocking
  sequence hs(x, y); x ##1 y; endsequence
  property pr(x, y, z); hs(x, y) |=> z; endproperty
  p: assert property (pr(a, .y(b && !c), .z(c)));
  stays one(a, b);
endmodule
";
    std::fs::write(directory.path().join("m.sv"), text).expect("written");
    let stdout = run_in(directory.path(), &["check", "m.sv"]).stdout;
    for part in [
        "hs(x, y) matched in steps 0 to 1",
        "z = c failed in step 2",
        "x = a matched in step 0",
        "y = b failed in step 1",
    ] {
        assert!(stdout.contains(part), "{part}: {stdout}");
    }
}

/// A warning of slang has several lines, and a hostile name in one of them stays a name.
#[test]
fn warnings_of_slang_keep_their_lines() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let text =
        "module m(input bit clk, a);\n  p: assert property (@(posedge clk) a ##1 0 |-> a);\nendmodule\n";
    std::fs::write(directory.path().join("m.sv"), text).expect("written");
    let stderr = run_in(directory.path(), &["check", "m.sv"]).stderr;
    assert!(stderr.contains("warning: slang says:\nm.sv:2:"), "{stderr}");
    assert!(!stderr.contains("\\n"), "{stderr}");
}

#[test]
fn an_assertion_that_cannot_be_read_is_undecided_and_the_others_are_decided() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let text = "module m(input bit clk, input logic req, input logic [3:0] tag, output logic ack);
  logic seen;
  always_ff @(posedge clk) begin seen <= req; ack <= seen; end
  property same; logic [3:0] id; @(posedge clk) (req, id = tag) |=> id == tag; endproperty
  stays: assert property (same);
  comes: assert property (@(posedge clk) req |=> ##1 ack);
  both: assert property (@(posedge clk) req |=> @(negedge clk) ack);
  never: assert property (@(posedge clk) !ack);
endmodule
";
    std::fs::write(directory.path().join("m.sv"), text).expect("written");
    let run = run_in(directory.path(), &["check", "m.sv", "--format", "json"]);
    assert_eq!(run.code, 2);
    let document = run.document();
    let verdict = |name: &str| property(&document, name)["verdict"].clone();
    let verdicts: Vec<Value> = ["stays", "comes", "both", "never"].map(verdict).to_vec();
    assert_eq!(verdicts, ["falsified", "proved", "unknown", "falsified"]);
    let both = property(&document, "both");
    assert_eq!(both["reason"], "several clocks in one property are not supported (7:51)");
    assert_eq!(both["place"]["line"], 7);
    // A variable of one property is shown with that property only.
    let shown = |name: &str| property(&document, name)["trace"]["signals"].to_string();
    assert!(shown("stays").contains("\"id@"), "{}", shown("stays"));
    assert!(!shown("never").contains("\"id@"), "{}", shown("never"));
    let alone = run_in(directory.path(), &["check", "m.sv", "--property", "both"]);
    assert_eq!(alone.code, 4, "{}", alone.stdout);
    let decided = run_in(directory.path(), &["check", "m.sv", "--property", "comes"]);
    assert_eq!(decided.code, 0, "{}", decided.stdout);
    // What is measured is measured by the others.
    let cover = ["cover", "m.sv", "-m", "mutation", "--property", "comes", "--no-out"];
    let cover = run_in(directory.path(), &cover);
    let warning = "m.sv:7:3: both is left out: several clocks in one property are not supported (7:51)";
    assert!(cover.stderr.contains(warning), "{}", cover.stderr);
    let impossible = ["cover", "m.sv", "-m", "mutation", "--property", "both", "--no-out"];
    let impossible = run_in(directory.path(), &impossible);
    assert_eq!(impossible.code, 1, "{}", impossible.stdout);
    assert!(impossible.stderr.contains("both: several clocks"), "{}", impossible.stderr);
}
