//! Running the binary, and making its output comparable.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;

/// The root of the repository, where tests run so that paths in output are the same everywhere.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// `propcov` with arguments, not yet started.
pub(crate) fn propcov(arguments: &[&str]) -> assert_cmd::Command {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_propcov"));
    command.current_dir(root()).args(arguments);
    // Tests do not learn from each other.
    let keeps = arguments.first().is_some_and(|command| ["cores", "cover"].contains(command));
    let others = ["--out", "--no-out", "--fresh", "--help", "-h"];
    if keeps && !arguments.iter().any(|argument| others.contains(argument)) {
        command.arg("--no-out");
    }
    command
}

/// What a finished run said.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        Run {
            code: output.status.code().expect("ended by itself"),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

impl Run {
    /// The JSON document on standard output.
    pub(crate) fn document(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in:\n{}", self.stdout))
    }
}

/// Runs `propcov`.
pub(crate) fn run(arguments: &[&str]) -> Run {
    propcov(arguments).output().expect("propcov starts").into()
}

/// Runs `propcov check` on a design given as text, with its path as `design`.
pub(crate) fn check_text(name: &str, design: &str, arguments: &[&str]) -> Run {
    Workspace::new(name, design).run("check", arguments)
}

/// A design in a directory of its own, with room for findings.
pub(crate) struct Workspace {
    directory: tempfile::TempDir,
    design: PathBuf,
}

impl Workspace {
    pub(crate) fn new(name: &str, design: &str) -> Workspace {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join(name);
        std::fs::write(&path, design).expect("written");
        Workspace { directory, design: path }
    }

    /// A design of `examples/`.
    pub(crate) fn example(name: &str) -> Workspace {
        let text = std::fs::read_to_string(root().join("examples").join(name)).expect("an example");
        Workspace::new(name, &text)
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Where findings are kept.
    pub(crate) fn out(&self) -> PathBuf {
        self.path().join("out")
    }

    /// `propcov COMMAND DESIGN ARGUMENTS`, not yet started.
    pub(crate) fn command(&self, command: &str, arguments: &[&str]) -> std::process::Command {
        let mut process = std::process::Command::new(env!("CARGO_BIN_EXE_propcov"));
        process.current_dir(self.path()).arg(command).arg(&self.design).args(arguments);
        process
    }

    /// Runs a command on the design; the directory is called DIR in what it says.
    pub(crate) fn run(&self, command: &str, arguments: &[&str]) -> Run {
        let mut run: Run = self.command(command, arguments).output().expect("propcov starts").into();
        let shown = self.path().display().to_string();
        run.stdout = run.stdout.replace(&shown, "DIR");
        run.stderr = run.stderr.replace(&shown, "DIR");
        run
    }

    /// Runs `propcov verify` there.
    pub(crate) fn verify(&self, arguments: &[&str]) -> Run {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_propcov"));
        command.current_dir(self.path()).arg("verify").args(arguments).output().expect("runs").into()
    }

    /// `propcov cover` with findings kept in [`Workspace::out`].
    pub(crate) fn cover(&self, arguments: &[&str]) -> Run {
        self.run("cover", &[&["--out", "out"], arguments].concat())
    }
}

/// Each finding about a mutant and one property, as property, element, edit and verdict.
pub(crate) fn findings(document: &Value) -> Vec<[String; 4]> {
    let elements = document["elements"].as_array().cloned().unwrap_or_default();
    let name = |id: &Value| {
        elements.iter().find(|element| element["id"] == *id).expect("an element")["name"].clone()
    };
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let row = |finding: &Value| {
        let element = name(&finding["subject"]["element"]);
        [text(&finding["property"]), text(&element), text(&finding["edit"]), text(&finding["verdict"])]
    };
    of_mutants(document).iter().filter(|finding| finding["property"].is_string()).map(row).collect()
}

/// All findings about mutants.
pub(crate) fn of_mutants(document: &Value) -> Vec<Value> {
    let findings = document["findings"].as_array().cloned().unwrap_or_default();
    findings.into_iter().filter(|finding| finding["metric"] == "mutation").collect()
}

/// What uncovered mutants can do: findings about all properties together.
pub(crate) fn holes(document: &Value) -> Vec<Value> {
    of_mutants(document).into_iter().filter(|finding| finding["property"].is_null()).collect()
}

/// The counts of a metric in a scope.
pub(crate) fn share(document: &Value, metric: &str, scope: &Value) -> Value {
    let shares = document["shares"].as_array().expect("shares").iter();
    let mut shares = shares.filter(|share| share["metric"] == metric && share["scope"] == *scope);
    shares.next().unwrap_or_else(|| panic!("no share of {metric}, {scope}")).clone()
}

/// One of the counts; those that are left out are zero.
pub(crate) fn number(share: &Value, field: &str) -> u64 {
    share[field].as_str().map_or(0, |text| text.parse().expect("a number"))
}

/// The files of a run directory whose lines are records, by name.
pub(crate) fn segments(out: &Path, part: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(out.join(part)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    paths
}

/// All lines of one part of a run directory.
pub(crate) fn records(out: &Path, part: &str) -> Vec<Value> {
    let texts = segments(out, part).into_iter().map(|path| std::fs::read_to_string(path).unwrap_or_default());
    let texts: Vec<String> = texts.collect();
    let lines = texts.iter().flat_map(|text| text.lines());
    lines.filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Changes the records of one part of a run directory as somebody would who knows how to make lines that look right.
pub(crate) fn forge(out: &Path, part: &str, change: &mut dyn FnMut(&mut Value)) {
    for path in segments(out, part) {
        let text = std::fs::read_to_string(&path).expect("a segment");
        let mut forged = String::new();
        for (at, line) in text.lines().enumerate() {
            let mut json: Value = serde_json::from_str(line).expect("JSON");
            if at == 0 {
                forged.push_str(&format!("{line}\n"));
                continue;
            }
            change(&mut json);
            forged.push_str(&sealed(&json));
        }
        std::fs::write(&path, forged).expect("written");
    }
}

/// The line of a record: its kind, and first of all its name or meaning.
pub(crate) fn sealed(json: &Value) -> String {
    let (kind, record) =
        json.as_object().expect("an object").iter().find(|(key, _)| *key != "check").expect("a kind");
    let mut record = record.as_object().expect("an object").clone();
    let first = if record.contains_key("id") { "id" } else { "meaning" };
    let name = record.remove(first).expect("a name");
    let rest = Value::Object(record).to_string();
    let content = format!("\"{kind}\":{{\"{first}\":{name},{}}}", &rest[1..]);
    let mut digester = propcov_ir::Digester::new("propcov-run/1");
    digester.bytes(content.as_bytes());
    format!("{{\"check\":\"{}\",{content}\n", &digester.finish().to_string()[..16])
}

/// Text output without what may differ from run to run (seconds) or with the next improvement of an engine (which one
/// answers, and how deep it had to go, for properties that hold), or with the version (the content of waveforms).
pub(crate) fn stable_text(text: &str) -> String {
    let mut in_table = false;
    let mut stable = String::new();
    for line in text.lines() {
        let is_heading = line.starts_with("property ") && line.contains(" verdict ");
        in_table = !line.is_empty() && (in_table || is_heading);
        let mut cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        if in_table && line.starts_with(' ') {
            // A remark below its row.
            stable.push_str(line);
        } else if in_table && cells[1].starts_with("proved") {
            (cells[2], cells[3], cells[5]) = ("ENGINE", "#", "#.##");
            stable.push_str(&cells.join("  "));
        } else if in_table {
            // The width of a column depends on the engines' names.
            stable.push_str(&without_seconds(&cells.join("  ")));
        } else if let Some((start, _)) = line.rsplit_once(" (").filter(|(_, end)| end.ends_with(" seconds)"))
        {
            stable.push_str(&format!("{start} (#.## seconds)"));
        } else if let Some(start) = line.strip_suffix(".vcd").and_then(|path| path.get(..path.len() - 12)) {
            stable.push_str(&format!("{start}DIGEST.vcd"));
        } else {
            stable.push_str(line);
        }
        stable.push('\n');
    }
    stable
}

/// Each number with two decimals becomes a mark.
fn without_seconds(line: &str) -> String {
    let is_seconds = |word: &str| {
        word.split_once('.').is_some_and(|(_, end)| end.len() == 2) && word.parse::<f64>().is_ok()
    };
    line.split(' ').map(|word| if is_seconds(word) { "#.##" } else { word }).collect::<Vec<_>>().join(" ")
}

/// A document without what may differ from run to run or with the next improvement of an engine.
pub(crate) fn stable_document(mut document: Value) -> Value {
    for property in document["properties"].as_array_mut().expect("properties") {
        property["seconds"] = "#".into();
        if property["verdict"] == "proved" {
            property["engine"] = "ENGINE".into();
            property["depth"] = "#".into();
        }
    }
    document["stats"] = "#".into();
    if document.get("run").is_some() {
        (document["run"]["seconds"], document["run"]["date"]) = ("#".into(), "#".into());
    }
    document
}

/// A design with one property that no solver here can decide within minutes: a word-level identity over products.
/// Before it comes one that is easy.
pub(crate) const HARD: &str = "\
1 sort bitvec 1
2 sort bitvec 40
3 input 2 a
4 input 2 b
5 zero 1
6 state 1 s
7 init 1 6 5
8 next 1 6 6
9 bad 6 easy
10 add 2 3 4
11 mul 2 10 10
12 mul 2 3 3
13 mul 2 4 4
14 mul 2 3 4
15 add 2 14 14
16 add 2 12 13
17 add 2 16 15
18 neq 1 11 17
19 bad 18 hard
";

/// A design whose property is easy, but not for the mutants of `locked` that unlock it: whether `odd` is ever set is the identity of
/// [`HARD`].
pub(crate) const HARD_MUTANTS: &str = "\
1 sort bitvec 1
2 sort bitvec 40
3 input 2 a
4 input 2 b
5 zero 1
6 state 1 locked
7 init 1 6 5
8 next 1 6 6
9 state 1 odd
10 init 1 9 5
11 add 2 3 4
12 mul 2 11 11
13 mul 2 3 3
14 mul 2 4 4
15 mul 2 3 4
16 add 2 15 15
17 add 2 13 14
18 add 2 17 16
19 neq 1 12 18
20 next 1 9 19
21 and 1 6 9
22 bad 21 never_both
";

/// One property fails and one holds.
pub(crate) const MIXED: &str = "\
1 sort bitvec 1
2 zero 1
3 state 1 toggle
4 init 1 3 2
5 next 1 3 -3
6 state 1 copy
7 init 1 6 2
8 next 1 6 -3
9 bad 3 stays_low
10 xor 1 3 6
11 bad 10 copies_agree
";

/// A latch `a` that is never set, but nothing says so: if it were, it could stay so for as long as it likes before it sets
/// `b`. Induction alone proves the property for no length; with simple paths it does.
pub(crate) const LOOP: &str = "\
aag 6 1 2 0 3 1
2
4 8
6 13
6
8 4 3
10 4 2
12 7 11
i0 leave
l0 a
l1 b
b0 b_is_never_set
";

/// A latch that toggles; its bad state is reached in step 1.
pub(crate) const TOGGLE: &str = "aag 1 0 1 0 0 1\n2 3\n2\nl0 toggle\nb0 stays.low\n";

/// A design with a liveness property only.
pub(crate) const LIVENESS: &str = "aag 1 1 0 0 0 0 0 1\n2\n1\n2\nj0 finally\n";

/// The values of a signal in the run of a property, step by step.
pub(crate) fn values<'d>(property: &'d Value, signal: &str) -> Vec<&'d str> {
    let signals = property["trace"]["signals"].as_array().expect("signals");
    let row = signals.iter().find(|row| row["name"] == signal).expect("the signal");
    row["values"].as_array().expect("values").iter().filter_map(Value::as_str).collect()
}
