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
        (all["covered"].clone(), all["total"].clone())
    };
    assert_eq!(share(&holes), ("2".into(), "12".into()));
    assert_eq!(share(&checked), ("12".into(), "12".into()));
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
    for module in ["json", "os", "threading", "pyslang", "sitecustomize"] {
        let text = "open('executed', 'w').close()\n";
        fs::write(directory.path().join(format!("{module}.py")), text).expect("written");
    }
    fs::copy(root().join("examples/verilog/fifo.sv"), directory.path().join("fifo.sv")).expect("copied");
    let answer = run_in(directory.path(), &["check", "fifo.sv"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(!directory.path().join("executed").exists());
}

#[test]
fn without_slang_the_message_is_the_command_that_installs_it() {
    let directory = tempfile::tempdir().expect("a directory");
    let Ok(python) = Command::new("python3").arg("--version").output() else { return };
    assert!(python.status.success());
    let script = directory.path().join("python");
    // Without site packages there is no pyslang.
    fs::write(&script, "#!/bin/sh\nexec python3 -S -E \"$@\"\n").expect("written");
    let mut permissions = fs::metadata(&script).expect("there").permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
    fs::set_permissions(&script, permissions).expect("set");
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
