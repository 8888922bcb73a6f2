//! What runs reach: covers, and the metric `reach`, on SystemVerilog; and which elements are chosen and folded there.

use crate::common::{Run, propcov, run};
use crate::verilog::has_slang;
use serde_json::Value;
use std::fs;

/// Runs on a design of this text, in a directory of its own.
fn on(text: &str, arguments: &[&str]) -> Run {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("t.sv"), text).expect("written");
    let (command, options) = arguments.split_first().expect("a command");
    let arguments = [&[*command, "t.sv"], options].concat();
    propcov(&arguments).current_dir(directory.path()).output().expect("started").into()
}

const COUNTER: &str = "\
module t(input logic clk, input logic [3:0] a, input logic go, output logic [3:0] q);
  initial q = 0;
  always_ff @(posedge clk)
    if (go) begin
      if (a == 7) q <= 3;
      else if (q > 12) q <= 5;
      else q <= q + (q < 9);
    end
  always_ff @(posedge clk) begin
    few: assume (a < 5);
    fine: assert (q <= 9);
    high: cover (q == 8);
    beyond: cover (q == 14);
  end
endmodule
";

#[test]
fn a_cover_is_reached_with_a_run_or_unreachable_with_a_proof() {
    if !has_slang() {
        return;
    }
    let text = on(COUNTER, &["check"]);
    assert_eq!(text.code, 2, "an unreachable cover: {}", text.stdout);
    assert!(text.stdout.contains("high is reached in step 8:"), "{}", text.stdout);
    let summary = "1 property: 1 proved, 0 failed, 0 unknown; 2 covers: 1 reached, 1 unreachable";
    assert!(text.stdout.contains(summary), "{}", text.stdout);
    let document = on(COUNTER, &["check", "--format", "json"]).document();
    let property = |name: &str| {
        let all = document["properties"].as_array().expect("properties");
        all.iter().find(|property| property["name"] == name).expect("there").clone()
    };
    let (high, beyond) = (property("high"), property("beyond"));
    assert_eq!((&high["kind"], &high["verdict"]), (&"cover".into(), &"reached".into()));
    assert_eq!(high["trace"]["steps"], 9);
    assert_eq!((&beyond["verdict"], &beyond["certified"]), (&"unreachable".into(), &true.into()));
    let only = on(COUNTER, &["check", "-p", "high"]);
    assert_eq!(only.code, 0, "{}", only.stdout);
    let bounded = on(COUNTER, &["check", "-p", "high", "--engine", "bmc", "--bound", "3"]);
    assert_eq!(bounded.code, 4, "{}", bounded.stdout);
    assert!(
        bounded.stdout.contains("1 cover: 0 reached, 1 not reached within the bound"),
        "{}",
        bounded.stdout
    );
}

#[test]
fn nothing_is_measured_of_covers() {
    if !has_slang() {
        return;
    }
    let document = on(COUNTER, &["cover", "-m", "mutation", "--format", "json", "--no-out"]).document();
    assert_eq!(document["properties"].as_array().map(Vec::len), Some(1));
    let refused = on(COUNTER, &["cover", "-p", "high"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("high: a cover: nothing is proved"), "{}", refused.stderr);
}

/// Of each element and way: verdict, and the assumptions to blame.
fn ways(document: &Value) -> Vec<(String, String, String, Option<Vec<String>>)> {
    let name = |id: &Value| {
        let elements = document["elements"].as_array().expect("elements");
        let element = elements.iter().find(|element| element["id"] == *id).expect("listed");
        element["name"].as_str().expect("a name").to_owned()
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let findings = document["findings"].as_array().expect("findings").iter();
    let findings = findings.filter(|finding| finding["metric"] == "reach");
    findings
        .map(|finding| {
            let blame = &finding["witness"]["blame"];
            let blamed = blame.is_object().then(|| {
                let all = blame["assumptions"].as_array().cloned().unwrap_or_default();
                all.iter().map(|one| text(&one["name"])).collect()
            });
            (name(&finding["subject"]["element"]), text(&finding["edit"]), text(&finding["verdict"]), blamed)
        })
        .collect()
}

#[test]
fn what_no_run_executes_is_dead_and_assumptions_are_to_blame_if_they_are() {
    if !has_slang() {
        return;
    }
    let document = on(COUNTER, &["cover", "-m", "reach", "--format", "json", "--no-out"]).document();
    let dead: Vec<_> = ways(&document).into_iter().filter(|(.., verdict, _)| verdict == "dead").collect();
    let few = || Some(vec!["few".to_owned()]);
    let row = |name: &str, way: &str, blame: Option<Vec<String>>| {
        (name.to_owned(), way.to_owned(), "dead".to_owned(), blame)
    };
    let expected = [
        row("if@5:11", "true", few()),
        row("q@5:19", "executed", few()),
        row("if@6:16", "true", Some(Vec::new())),
        row("q@6:24", "executed", Some(Vec::new())),
    ];
    assert_eq!(dead, expected);
    let reached = ways(&document).into_iter().filter(|(.., verdict, _)| verdict == "covered").count();
    assert_eq!(reached, 5, "{:?}", ways(&document));
    let text = on(COUNTER, &["cover", "-m", "reach", "--no-out"]).stdout;
    assert!(text.contains("t.sv:5:19  assignment never executed    because of the assumption few"), "{text}");
    assert!(text.contains("t.sv:6:24  assignment never executed    without any assumption"), "{text}");
}

#[test]
fn what_runs_execute_can_be_asked_without_any_assertion_and_nothing_else_can() {
    if !has_slang() {
        return;
    }
    let text = COUNTER.replace("fine: assert (q <= 9);", "").replace("high: cover (q == 8);", "");
    let text = text.replace("beyond: cover (q == 14);", "");
    let document = on(&text, &["cover", "-m", "reach", "--format", "json"]).document();
    let dead: Vec<_> = ways(&document).into_iter().filter(|way| way.2 == "dead").collect();
    assert!(!dead.is_empty(), "{document}");
    for asked in [&["cover"] as &[&str], &["check"], &["cover", "-m", "reach,mutation"], &["cores"]] {
        let refused = on(&text, asked);
        assert_eq!(refused.code, 1, "{asked:?}: {}", refused.stdout);
        assert!(refused.stderr.contains("the design has no assertions"), "{asked:?}: {}", refused.stderr);
    }
}

#[test]
fn a_second_run_takes_runs_and_proofs_over_and_verify_checks_them() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let run = |arguments: &[&str]| -> Run {
        propcov(arguments).current_dir(directory.path()).output().expect("started").into()
    };
    let write = |text: &str| fs::write(directory.path().join("t.sv"), text).expect("written");
    let cover = ["cover", "t.sv", "-m", "reach", "--format", "json", "--out", "propcov.out"];
    let decided_by = |document: &Value| -> Vec<bool> {
        let findings = document["findings"].as_array().expect("findings").iter();
        let findings = findings.filter(|finding| finding["metric"] == "reach");
        findings.map(|finding| finding["by"] == "earlier run").collect()
    };
    write(COUNTER);
    let first = run(&cover).document();
    assert!(decided_by(&first).iter().all(|earlier| !earlier));
    // A comment changes no meaning.
    write(&format!("{COUNTER}// A counter.\n"));
    let second = run(&cover).document();
    assert_eq!(decided_by(&second), vec![true; 9]);
    assert_eq!(ways(&first), ways(&second));
    // Another statement is asked about anew, and so is what depends on it.
    write(&COUNTER.replace("q > 12", "q == 9"));
    let third = run(&cover).document();
    assert!(decided_by(&third).contains(&false) && decided_by(&third).len() == 9);
    let is_dead =
        |document: &Value| ways(document).iter().filter(|(.., verdict, _)| verdict == "dead").count();
    assert_eq!((is_dead(&first), is_dead(&third)), (4, 2));
    let verified = run(&["verify", "propcov.out"]);
    assert_eq!(verified.code, 0, "{}{}", verified.stdout, verified.stderr);
    for words in ["statements that no run executes", "statements that a run executes"] {
        assert!(verified.stdout.contains(words), "{}", verified.stdout);
    }
    let findings = directory.path().join("propcov.out/findings");
    let lines = fs::read_dir(findings).expect("findings").flat_map(|entry| {
        let text = fs::read_to_string(entry.expect("a file").path()).expect("a text");
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    });
    assert!(lines.into_iter().any(|line| line.contains("if@6:16 true")), "dead ways are kept by name");
}

#[test]
fn mutants_of_dead_elements_are_counted_apart() {
    if !has_slang() {
        return;
    }
    let arguments =
        ["cover", "-m", "reach,mutation", "--elements", "assignments", "--format", "json", "--no-out"];
    let document = on(COUNTER, &arguments).document();
    let shares = document["shares"].as_array().expect("shares");
    let all = |metric: &str| {
        let is_it = |share: &&Value| share["metric"] == metric && share["scope"] == "all";
        shares.iter().find(is_it).expect("a headline").clone()
    };
    assert_eq!(all("mutation")["dead"], "6");
    assert_eq!(all("mutation")["total"], "9");
    let status = |name: &str| {
        let elements = document["elements"].as_array().expect("elements");
        elements.iter().find(|element| element["name"] == name).expect("there")["status"].clone()
    };
    assert_eq!((status("q@5:19"), status("q@6:24")), ("dead".into(), "dead".into()));
    assert_eq!(status("q@7:12"), "killed");
}

#[test]
fn formats_without_statements_say_so_in_a_line() {
    let answer = run(&["cover", "examples/queue.btor2", "-m", "reach"]);
    assert_eq!(answer.code, 1);
    let line =
        "reach is about statements that are executed, and this design has none: only SystemVerilog has\n";
    assert!(answer.stderr.ends_with(line), "{}", answer.stderr);
}

const INSTANCES: &str = "\
`define STEP(x) x <= x + 1
module cell_(input logic clk, input logic go, output logic [1:0] n);
  initial n = 0;
  always_ff @(posedge clk)
    if (go) `STEP(n);
endmodule
module watch(input logic clk, input logic [1:0] a);
  logic [1:0] seen = 0;
  always_ff @(posedge clk) begin
    seen <= seen | a;
    kept: assert ($initstate || (seen | $past(a)) == seen);
  end
endmodule
module t(input logic clk, input logic go, output logic [1:0] x, y);
  cell_ u_a(.clk, .go, .n(x));
  cell_ u_b(.clk, .go, .n(y));
  watch u_w(.clk, .a(x));
  always_ff @(posedge clk) same: assert (x == y);
endmodule
";

#[test]
fn elements_are_chosen_by_kinds_and_names_and_left_out_again() {
    if !has_slang() {
        return;
    }
    let names = |arguments: &[&str]| -> Vec<String> {
        let common = ["cover", "-m", "cone", "--format", "json", "--no-out"];
        let document = on(INSTANCES, &[&common, arguments].concat()).document();
        let elements = document["elements"].as_array().expect("elements").clone();
        elements.iter().map(|element| element["name"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(
        names(&["--elements", "assignments,u_b.n"]),
        ["u_a.n@5:13", "u_b.n@5:13", "u_w.seen@10:5", "u_b.n"]
    );
    assert_eq!(
        names(&["--elements", "assignments,branches,u_b.n", "--exclude", "u_w.*,branches"]),
        ["u_a.n@5:13", "u_b.n@5:13", "u_b.n"]
    );
    let nothing = on(INSTANCES, &["cover", "--elements", "branches", "--exclude", "u_*"]);
    assert_eq!(nothing.code, 1);
    assert!(nothing.stderr.contains("--exclude u_* leaves no element"), "{}", nothing.stderr);
    let unknown = on(INSTANCES, &["cover", "--exclude", "u_x.*"]);
    assert!(unknown.stderr.contains("no element is called `u_x.*`"), "{}", unknown.stderr);
    let cores = on(
        INSTANCES,
        &["cores", "--elements", "branches,registers", "--exclude", "u_w.*", "--format", "json", "--no-out"],
    );
    let universe = cores.document()["cores"][0]["universe"].as_array().map(Vec::len);
    assert_eq!(universe, Some(4), "{}", cores.stderr);
}

#[test]
fn copies_of_a_line_share_a_line_of_the_text_and_of_json() {
    if !has_slang() {
        return;
    }
    let arguments =
        ["cover", "-m", "mutation", "--elements", "assignments,branches", "--no-out", "-p", "u_w.kept"];
    let folded = on(INSTANCES, &arguments).stdout;
    assert!(folded.contains("t.sv:5:13  n@5:13 free zero one  2 copies  in u_a and u_b"), "{folded}");
    let unfolded = on(INSTANCES, &[&arguments[..], &["--unfold"]].concat()).stdout;
    assert!(!unfolded.contains("copies"), "{unfolded}");
    let document = on(INSTANCES, &[&arguments[..], &["--format", "json"]].concat()).document();
    let line =
        document["lines"].as_array().expect("lines").iter().find(|line| line["line"] == 5).expect("line 5");
    assert_eq!(line["elements"].as_array().map(Vec::len), Some(4));
    assert_eq!(line["counts"]["mutation"]["uncovered"], "12");
}

#[test]
fn checkers_are_found_by_what_they_feed_also_in_other_modules() {
    if !has_slang() {
        return;
    }
    let roles = |text: &str| -> Vec<(String, String)> {
        let arguments = ["cover", "-m", "cone", "--elements", "registers", "--format", "json", "--no-out"];
        let document = on(text, &arguments).document();
        let elements = document["elements"].as_array().expect("elements").clone();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        elements.iter().map(|element| (text(&element["name"]), text(&element["role"]))).collect()
    };
    let row = |name: &str, role: &str| (name.to_owned(), role.to_owned());
    let expected = [row("u_a.n", "design"), row("u_b.n", "design"), row("u_w.seen", "checker")];
    assert_eq!(roles(INSTANCES), expected);
    // The same in a test bench without outputs, which remembers something itself.
    let bench = INSTANCES
        .replace("module t(input logic clk, input logic go, output logic [1:0] x, y);",
            "module t(input logic clk, input logic go);\n  logic [1:0] x, y, older = 0;\n  always_ff @(posedge clk) older <= x;\n  always_ff @(posedge clk) close: assert (2'(x - older) < 2);");
    let expected =
        [row("older", "checker"), row("u_a.n", "design"), row("u_b.n", "design"), row("u_w.seen", "checker")];
    let mut found = roles(&bench);
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn the_arbiter_and_the_transmitter_have_holes_and_with_more_assertions_they_have_none() {
    if !has_slang() {
        return;
    }
    let arbiter = ("arbiter.sv", "arbiter_fair.sv", &[][..], ["32", "54", "57"]);
    let transmitter = ("uart_tx.sv", "uart_frame.sv", &["-G", "CLOCKS=2"][..], ["14", "40", "48"]);
    for (design, more, options, [holes, covered, total]) in [arbiter, transmitter] {
        let [design, more] = [design, more].map(|name| format!("examples/verilog/{name}"));
        let share = |files: &[&str]| {
            let common = ["-m", "mutation", "--format", "json", "--no-out"];
            let arguments = [&["cover"], files, options, &common].concat();
            let shares = run(&arguments).document()["shares"].as_array().expect("shares").clone();
            shares.into_iter().find(|share| share["scope"] == "all").expect("a share of all")
        };
        let before = share(&[&design]);
        assert_eq!((&before["uncovered"], &before["total"]), (&holes.into(), &total.into()), "{design}");
        // What is left has no effect.
        let after = share(&[&design, &more]);
        assert_eq!((&after["uncovered"], &after["unknown"]), (&"0".into(), &"0".into()), "{design}");
        assert_eq!((&after["covered"], &after["total"]), (&covered.into(), &total.into()), "{design}");
    }
}
