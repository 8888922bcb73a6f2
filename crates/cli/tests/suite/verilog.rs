//! SystemVerilog from the command line.

use crate::common::{Run, propcov, root, run};
use std::fs;
use std::process::Command;

/// Whether slang is there. On a build server it has to be: `scripts/setup` installs it.
#[expect(clippy::print_stderr, reason = "who runs the tests should know what was skipped")]
pub(crate) fn has_slang() -> bool {
    let answer = run(&["check", "examples/verilog/fifo.sv"]);
    if answer.code == 0 {
        return true;
    }
    assert!(answer.stderr.contains("needs the Python package pyslang"), "{}", answer.stderr);
    assert!(std::env::var_os("CI").is_none(), "pyslang is missing: scripts/setup installs it");
    eprintln!("skipped: there is no pyslang; scripts/setup installs it");
    false
}

fn run_in(directory: &std::path::Path, arguments: &[&str]) -> Run {
    propcov(arguments).current_dir(directory).output().expect("started").into()
}

#[test]
fn the_queue_has_a_hole_and_with_its_model_it_has_none() {
    if !has_slang() {
        return;
    }
    let holes = run(&["cover", "examples/verilog/fifo.sv", "-m", "mutation", "--format", "json"]).document();
    let files = ["examples/verilog/fifo.sv", "examples/verilog/fifo_model.sv"];
    let checked = run(&["cover", files[0], files[1], "-m", "mutation", "--format", "json"]).document();
    let share = |document: &serde_json::Value| {
        let shares = document["shares"].as_array().expect("shares").clone();
        let all = shares.into_iter().find(|share| share["scope"] == "all").expect("a share of all");
        (all["covered"].clone(), all["uncovered"].clone(), all["total"].clone())
    };
    assert_eq!(share(&holes), ("13".into(), "29".into(), "45".into()));
    // Of those that are not covered with the model, none has an effect.
    assert_eq!(share(&checked), ("42".into(), "0".into(), "48".into()));
}

#[test]
fn what_slang_says_is_shown_as_it_is() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("bad.sv"), "module bad(input a);\n  assign b = c;\nendmodule\n")
        .expect("written");
    let answer = run_in(directory.path(), &["check", "bad.sv"]);
    assert_eq!(answer.code, 1);
    assert!(
        answer.stderr.contains("bad.sv:2:14: error: use of undeclared identifier 'c'"),
        "{}",
        answer.stderr
    );
}

#[test]
fn nothing_beside_a_design_is_executed() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    for module in ["json", "os", "re", "threading", "pyslang", "sitecustomize"] {
        let text = "open('executed', 'w').close()\n";
        fs::write(directory.path().join(format!("{module}.py")), text).expect("written");
    }
    fs::copy(root().join("examples/verilog/fifo.sv"), directory.path().join("fifo.sv")).expect("copied");
    let answer = run_in(directory.path(), &["check", "fifo.sv"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(!directory.path().join("executed").exists());
}

#[test]
fn names_of_files_are_names_and_nothing_else() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let design = fs::read_to_string(root().join("examples/verilog/fifo.sv")).expect("read");
    for name in [
        "+define+X.sv",
        "-x.sv",
        "a b.sv",
        "$(touch executed).sv",
        "\"; touch executed;.sv",
        "a\\b.sv",
        "\u{fc}.sv",
    ] {
        fs::write(directory.path().join(name), &design).expect("written");
        let answer = run_in(directory.path(), &["check", &format!("./{name}")]);
        assert_eq!(answer.code, 0, "{name}: {}", answer.stderr);
        if !name.starts_with('-') {
            let answer = run_in(directory.path(), &["check", name]);
            assert_eq!(answer.code, 0, "{name}: {}", answer.stderr);
        }
    }
    assert!(!directory.path().join("executed").exists());
}

/// A program in place of Python.
fn python_script(directory: &std::path::Path, command: &str) -> std::path::PathBuf {
    let script = directory.join("python");
    fs::write(&script, format!("#!/bin/sh\n{command}\n")).expect("written");
    let mut permissions = fs::metadata(&script).expect("there").permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    fs::set_permissions(&script, permissions).expect("set");
    script
}

#[test]
fn a_slang_that_is_too_old_or_too_new_is_said() {
    if !Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return;
    }
    for (version, modules) in
        [("11.9.0", &["ast", "driver"][..]), ("13.0.0", &["ast", "driver"]), ("7.0.1", &[])]
    {
        let directory = tempfile::tempdir().expect("a directory");
        let package = directory.path().join("pyslang");
        fs::create_dir(&package).expect("made");
        fs::write(package.join("__init__.py"), format!("__version__ = '{version}'\n")).expect("written");
        modules.iter().for_each(|name| fs::write(package.join(format!("{name}.py")), "").expect("written"));
        let place = directory.path().display();
        let script = python_script(directory.path(), &format!("PYTHONPATH='{place}' exec python3 \"$@\""));
        let answer = propcov(&["check", "examples/verilog/fifo.sv"]).env("PROPCOV_PYTHON", &script).output();
        let answer: Run = answer.expect("started").into();
        let expected = format!("error: pyslang {version} does not fit, expected {}: ", propcov::PYSLANG);
        assert!(answer.code == 1 && answer.stderr.starts_with(&expected), "{}", answer.stderr);
    }
}

#[test]
fn all_tasks_of_a_project_are_one_run() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let project = "[tasks]
small
large deep
prep

[options]
prep: mode prep
small: mode prove
deep:
mode bmc
depth 4
--

[script]
large: read -define MOST=3
read -formal counter.sv
prep -top counter

[file counter.sv]
`ifndef MOST
  `define MOST 7
`endif
module counter(input clk, output reg [2:0] n = 0);
  always @(posedge clk) n <= n + 1;
  always @* bound: assert (n <= `MOST);
endmodule
";
    fs::write(directory.path().join("p.sby"), project).expect("written");
    let all = run_in(directory.path(), &["check", "p.sby"]);
    assert_eq!(all.code, 1, "{}", all.stderr);
    assert!(all.stderr.contains("task prep: error: p.sby:7: mode prep is not supported"), "{}", all.stderr);
    for words in ["counter.sv (verilog, task small)", "counter.sv (verilog, task large)", "1 proved"] {
        assert!(all.stdout.contains(words), "{}", all.stdout);
    }
    let run = |arguments: &[&str]| run_in(directory.path(), arguments);
    // Four steps are not enough to get to 4. No more was asked for, so that is good, but it is not called a proof.
    let bounded = run(&["check", "p.sby", "large"]);
    assert!(bounded.code == 0 && bounded.stdout.contains("bounded"), "{}", bounded.stdout);
    assert!(!bounded.stdout.contains("1 proved"), "{}", bounded.stdout);
    // Less than was asked for is not enough.
    assert_eq!(run(&["check", "p.sby", "large", "--bound", "2"]).code, 4);
    assert_eq!(run(&["check", "p.sby", "large", "--bound", "4"]).code, 2);
    let document = run(&["check", "p.sby", "small", "--format", "json"]).document();
    assert_eq!(document["design"]["task"], "small");
    let covered = run(&["cover", "p.sby", "small", "large", "-m", "mutation", "--out", "propcov.out"]);
    assert_eq!(covered.code, 0, "{}", covered.stderr);
    assert!(
        directory.path().join("propcov.out/small").is_dir()
            && directory.path().join("propcov.out/large").is_dir()
    );
    let unknown = run(&["check", "p.sby", "smal"]);
    assert!(unknown.code == 1 && unknown.stderr.contains("did you mean small?"), "{}", unknown.stderr);
}

/// A project with a counter that stops at 3, unless it is told to go on for ever.
const LIVENESS: &str = "[tasks]
prove
live
stuck live

[options]
prove: mode prove
live: mode live

[script]
stuck: read -define STUCK
read -formal counter.sv
prep -top counter

[file counter.sv]
module counter(input clk, output reg [1:0] n = 0);
  always @(posedge clk) if (n != 3) n <= n + 1;
`ifdef STUCK
  always @(posedge clk) safe: assert (n != 3);
`endif
  ends: assert property (@(posedge clk) s_eventually n == 3);
  bounded: assert property (@(posedge clk) n <= 3);
endmodule
";

#[test]
fn a_live_task_asks_about_liveness_and_assumes_safety_as_symbiyosys_does() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("p.sby"), LIVENESS).expect("written");
    let run = |arguments: &[&str]| run_in(directory.path(), arguments);
    let prove = run(&["check", "p.sby", "prove"]);
    assert!(prove.code == 0 && prove.stdout.contains("1 property: 1 proved"), "{}", prove.stdout);
    assert!(prove.stderr.contains("1 liveness assertion left out"), "{}", prove.stderr);
    let live = run(&["check", "p.sby", "live"]);
    assert!(live.code == 0 && live.stdout.contains("1 property: 1 proved"), "{}", live.stdout);
    assert!(live.stdout.contains("ends") && live.stdout.contains("1 assumption"), "{}", live.stdout);
    // An assumption that no run can keep for long: there is no infinite run, and what is proved about it says nothing.
    let stuck = run(&["check", "p.sby", "stuck", "--format", "json"]).document();
    assert_eq!(stuck["design"]["assumptions"], 2);
}

#[test]
fn python_code_of_a_project_is_executed_only_if_the_user_says_so() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let text = "[tasks]\na\nb\n[options]\nmode bmc\n--pycode-begin--\nopen('executed', 'w').close()\noutput('depth 3' if task == 'a' else 'depth 5')\n--pycode-end--\n[script]\nread -sv c.sv\n[file c.sv]\nmodule c(input clk); reg [2:0] n = 0; always @(posedge clk) n <= n + 1; always @* assert (n < 3); endmodule\n";
    fs::write(directory.path().join("p.sby"), text).expect("written");
    let refused = run_in(directory.path(), &["check", "p.sby"]);
    assert!(refused.code == 1 && refused.stderr.contains("p.sby:6: Python code"), "{}", refused.stderr);
    assert!(!directory.path().join("executed").exists());
    let run = |task: &str| run_in(directory.path(), &["check", "p.sby", task, "--pycode"]);
    assert_eq!((run("a").code, run("b").code), (0, 2));
    assert!(directory.path().join("executed").exists());
}

#[test]
fn a_cutpoint_is_free_and_has_to_exist() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let text = "[options]\nmode prove\n[script]\nread -sv c.sv\nprep -top c\ncutpoint c/n\n[file c.sv]\n                module c(input clk); reg [2:0] n = 0; always @(posedge clk) n <= n; always @* assert (n == 0); endmodule\n";
    let check = |text: &str| {
        fs::write(directory.path().join("p.sby"), text).expect("written");
        run_in(directory.path(), &["check", "p.sby"])
    };
    assert_eq!(check(&text.replace("cutpoint c/n\n", "")).code, 0);
    assert_eq!(check(text).code, 2);
    let unknown = check(&text.replace("c/n\n", "c/m\n"));
    assert!(unknown.code == 1 && unknown.stderr.contains("cutpoint of c/m"), "{}", unknown.stderr);
    let pattern = check(&text.replace("c/n\n", "c/*\n"));
    assert!(pattern.code == 1 && pattern.stderr.contains("p.sby:6: cutpoint c/*"), "{}", pattern.stderr);
}

#[test]
fn elaboration_obeys_the_limits_too() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    // Each macro is twice the one before.
    let mut text = "`define A0 a\n".to_owned();
    for n in 1..40 {
        text += &format!("`define A{n} `A{} ^ `A{}\n", n - 1, n - 1);
    }
    text += "module m(input clk, input a); wire x = `A39; always @(posedge clk) assert (x); endmodule\n";
    fs::write(directory.path().join("bomb.sv"), text).expect("written");
    let memory = run_in(directory.path(), &["check", "bomb.sv", "--memory", "200M"]);
    assert!(
        memory.code == 4 && memory.stderr.contains("out of memory while it was read"),
        "{}",
        memory.stderr
    );
    let time = run_in(directory.path(), &["check", "bomb.sv", "-t", "1"]);
    assert!(time.code == 4 && time.stderr.contains("out of time while it was read"), "{}", time.stderr);
}

#[test]
fn messages_about_a_file_in_a_project_have_its_name() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let text = "[script]\nread -sv sub/a.sv\n[file sub/a.sv]\nmodule a;\n  assign b = c;\nendmodule\n";
    fs::write(directory.path().join("p.sby"), text).expect("written");
    let answer = run_in(directory.path(), &["check", "p.sby"]);
    assert!(
        answer.stderr.contains("\nsub/a.sv:2:14: error: use of undeclared identifier"),
        "{}",
        answer.stderr
    );
    let outside = text.replace("sub/a.sv", "../a.sv");
    fs::write(directory.path().join("p.sby"), outside).expect("written");
    let answer = run_in(directory.path(), &["check", "p.sby"]);
    assert!(answer.stderr.contains("expected a name within the project"), "{}", answer.stderr);
}

#[test]
fn without_slang_the_message_is_the_command_that_installs_it() {
    let directory = tempfile::tempdir().expect("a directory");
    let Ok(python) = Command::new("python3").arg("--version").output() else { return };
    assert!(python.status.success());
    // Without site packages there is no pyslang.
    let script = python_script(directory.path(), "exec python3 -S -E \"$@\"");
    let answer: Run = propcov(&["check", "examples/verilog/fifo.sv"])
        .env("PROPCOV_PYTHON", &script)
        .output()
        .expect("started")
        .into();
    assert_eq!(answer.code, 1);
    let expected = "error: reading SystemVerilog needs the Python package pyslang: python3 -m venv ";
    assert!(answer.stderr.starts_with(expected) && answer.stderr.lines().count() == 1, "{}", answer.stderr);
    assert!(
        answer.stderr.contains(&format!("pip install pyslang=={}", propcov::PYSLANG)),
        "{}",
        answer.stderr
    );
}

#[test]
fn options_reach_slang_and_the_reader() {
    if !has_slang() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let text = "module top #(parameter LIMIT = 3) (input clk, rst_n, output reg [3:0] q);
  always @(posedge clk) if (!rst_n) q <= 0; else q <= q == LIMIT ? 0 : q + 1;
  always @(posedge clk) bound: assert (q <= `MOST);
endmodule
module other; endmodule
";
    fs::write(directory.path().join("top.sv"), text).expect("written");
    let check = |more: &[&str]| {
        let arguments = [&["check", "top.sv", "--top", "top", "-D", "MOST=5"], more].concat();
        run_in(directory.path(), &arguments)
    };
    // Registers start anywhere.
    assert_eq!(check(&[]).code, 2);
    assert_eq!(check(&["--reset", "rst_n=0"]).code, 0);
    assert_eq!(check(&["--reset", "rst_n=0", "--reset-cycles", "3", "-G", "LIMIT=5"]).code, 0);
    assert_eq!(check(&["--reset", "rst_n=0", "-G", "LIMIT=6"]).code, 2);
    let wrong = check(&["--reset", "rst"]);
    assert!(wrong.code == 1 && wrong.stderr.contains("did you mean rst_n?"), "{}", wrong.stderr);
    assert_eq!(check(&["--reset", "rst_n=0", "--", "-Wnone"]).code, 0);
}
