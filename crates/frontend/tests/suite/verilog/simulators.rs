//! What simulators make of designs, on given inputs.

use super::case::{Case, STEPS, Shown, is_clock_signal};
use std::fmt::Write;
use std::process::Command;

/// What a simulator shows for each sequence of inputs; nothing if it does not know the language of the design, or does not end in time.
pub(super) fn iverilog(case: &Case, seconds: u32) -> Option<Shown> {
    let directory = case.directory();
    let bench = bench(case, "dut", "stim.txt", case.sequences.len());
    std::fs::write(directory.path().join("bench.sv"), bench).unwrap();
    let arguments = ["-g2012", "-o", "bench", "-s", "bench", "dut.sv", "bench.sv"];
    let compiled = Command::new("iverilog").current_dir(directory.path()).args(arguments).output().unwrap();
    if !compiled.status.success() {
        return None;
    }
    let mut command = Command::new("timeout");
    let ran =
        command.current_dir(directory.path()).args([&seconds.to_string(), "vvp", "bench"]).output().unwrap();
    if ran.status.code() == Some(124) {
        return None;
    }
    // Some system functions are only missed now.
    let text = String::from_utf8_lossy(&ran.stdout);
    (!text.contains("Program not runnable")).then(|| shown(case, &text))
}

/// Whether Verilator knows the language of a design.
pub(super) fn is_for_verilator(case: &Case) -> bool {
    if case.text.contains("Verilator 5.006 makes no program of this") {
        return false;
    }
    let directory = case.directory();
    let arguments =
        ["--lint-only", "--timing", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--top-module", "dut", "dut.sv"];
    let ran = Command::new("verilator").current_dir(directory.path()).args(arguments).output();
    ran.unwrap().status.success()
}

/// What Verilator shows, or what it says instead of compiling. It compiles programs: all designs are one. Each run of it simulates one sequence of each design.
pub(super) fn verilator(cases: &[&Case]) -> Result<Vec<Shown>, String> {
    let directory = tempfile::tempdir().unwrap();
    let mut sources = vec!["main.sv".to_owned()];
    let mut main = "module main;\n".to_owned();
    for case in cases {
        let module = format!("dut_{}", case.name);
        let renamed = rename(&case.text, "dut", &module);
        let stimuli = format!("{}.txt", case.name);
        let bench = rename(&bench(case, &module, &stimuli, 1), "bench", &format!("bench_{}", case.name));
        for (name, text) in [(format!("{module}.sv"), renamed), (format!("bench_{}.sv", case.name), bench)] {
            std::fs::write(directory.path().join(&name), text).unwrap();
            sources.push(name);
        }
        std::fs::write(directory.path().join(stimuli), case.stimuli()).unwrap();
        for (name, text) in &case.files {
            std::fs::write(directory.path().join(name), text).unwrap();
        }
        writeln!(main, "  bench_{} u_{}();", case.name, case.name).unwrap();
    }
    main.push_str("endmodule\n");
    std::fs::write(directory.path().join("main.sv"), main).unwrap();
    let arguments = [
        "--binary",
        "--timing",
        "--top-module",
        "main",
        "-Wno-fatal",
        "-Wno-lint",
        "-Wno-style",
        "--x-assign",
        "0",
        "--x-initial",
        "0",
        // Verilator 5.006 ends with an internal error in this optimisation of some programs.
        "-fno-dfg",
        "-O1",
        "-CFLAGS",
        "-O0",
        "--build-jobs",
        "2",
    ];
    let mut command = Command::new("verilator");
    let built = command.current_dir(directory.path()).args(arguments).args(&sources).output().unwrap();
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if !built.status.success() {
        return Err(said(&built.stderr) + &said(&built.stdout));
    }
    let mut text = String::new();
    for sequence in 0..cases.iter().map(|case| case.sequences.len()).max().unwrap_or(0) {
        let mut command = Command::new(directory.path().join("obj_dir/Vmain"));
        let ran =
            command.current_dir(directory.path()).arg(format!("+sequence={sequence}")).output().unwrap();
        text.push_str(&String::from_utf8_lossy(&ran.stdout));
    }
    Ok(cases.iter().map(|case| shown(case, &text)).collect())
}

/// A text with one word instead of another.
fn rename(text: &str, from: &str, to: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let after = &rest[at + from.len()..];
        let is_word = !rest[..at].ends_with(is_part) && !after.starts_with(is_part);
        result.push_str(&rest[..at]);
        result.push_str(if is_word { to } else { from });
        rest = after;
    }
    result + rest
}

/// A test bench with so many instances, one for each sequence; with one instance, which sequence is an argument.
fn bench(case: &Case, module: &str, stimuli: &str, instances: usize) -> String {
    let ports = &case.ports;
    let total: u32 = ports.inputs.values().sum::<u32>().max(1);
    let mut connections = if ports.has_clock { vec![".clk(clk)".to_owned()] } else { Vec::new() };
    let mut low = 0;
    for (name, width) in &ports.inputs {
        connections.push(format!(".{name}(in[{}:{low}])", low + width - 1));
        low += width;
    }
    let mut wires = String::new();
    for (name, width) in &ports.outputs {
        writeln!(wires, "    wire [{}:0] o_{name};", width - 1).unwrap();
        connections.push(format!(".{name}(o_{name})"));
    }
    let shown: Vec<String> = ports.outputs.iter().map(|(name, _)| format!("o_{name}")).collect();
    format!(
        "module bench;\n  reg clk = 0;\n  integer t = 0;\n  integer first = 0;\n  reg [{high}:0] stim [0:{last}];\n  \
         initial begin $readmemb(\"{stimuli}\", stim); if ($value$plusargs(\"sequence=%d\", first)) ; end\n  \
         genvar i;\n  generate for (i = 0; i < {instances}; i = i + 1) begin : g\n    reg [{high}:0] in;\n{wires}    \
         {module} d({connections});\n  end endgenerate\n",
        high = total - 1,
        last = STEPS * case.sequences.len() - 1,
        connections = connections.join(", "),
    ) + &drive(case, instances, &shown)
}

/// Gives inputs, looks at outputs, and ticks.
fn drive(case: &Case, instances: usize, shown: &[String]) -> String {
    let sequences = case.sequences.len();
    let mut each = [String::new(), String::new(), String::new()];
    // Clocks that are signals come first among the inputs. They move before the others, so that registers see what was there before the edge.
    let clocks = case.ports.inputs.keys().filter(|name| is_clock_signal(name)).count();
    for instance in 0..instances {
        if clocks > 0 {
            let high = clocks - 1;
            let stim = format!("stim[t * {sequences} + first + {instance}]");
            writeln!(each[2], "      g[{instance}].in[{high}:0] = {stim}[{high}:0];").unwrap();
        }
        writeln!(each[0], "      g[{instance}].in = stim[t * {sequences} + first + {instance}];").unwrap();
        let values: Vec<String> = shown.iter().map(|name| format!("g[{instance}].{name}")).collect();
        let format = vec!["%b"; values.len()].join(" ");
        let values = values.join(", ");
        writeln!(
            each[1],
            "      $display(\"{} %0d %0d {format}\", first + {instance}, t, {values});",
            case.name
        )
        .unwrap();
    }
    let [give, look, edges] = each;
    if clocks > 0 {
        return format!(
            "  initial begin\n    #1;\n    for (t = 0; t < {STEPS}; t = t + 1) begin\n{edges}      #4;\n{give}      #4;\n{look}      #4;\n    end\n    $finish;\n  end\nendmodule\n"
        );
    }
    format!(
        "  initial begin\n    #1;\n    for (t = 0; t < {STEPS}; t = t + 1) begin\n{give}      #4;\n{look}      #1 clk = 1; #5 clk = 0; #5;\n    end\n    $finish;\n  end\nendmodule\n"
    )
}

/// What was printed for a design.
fn shown(case: &Case, text: &str) -> Shown {
    let mut values: Shown = vec![vec![Vec::new(); STEPS]; case.sequences.len()];
    let mut count = 0;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() != Some(&case.name.as_str()) {
            continue;
        }
        let (sequence, step): (usize, usize) = (words[1].parse().unwrap(), words[2].parse().unwrap());
        values[sequence][step] = words[3..].iter().map(|word| (*word).to_owned()).collect();
        count += 1;
    }
    assert_eq!(count, case.sequences.len() * STEPS, "{}: {text}", case.name);
    values
}
