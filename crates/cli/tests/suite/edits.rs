//! Comparisons, waivers and links on random edits of real designs, through the whole of propcov: what says the same as before has not changed, whatever was done to the lines around it.

use crate::common::{Run, root};
use fastrand::Rng;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// `PROPCOV_SEED` and `PROPCOV_CASES`, as everywhere.
fn cases(default: u64) -> impl Iterator<Item = u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    match number("PROPCOV_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("PROPCOV_CASES").unwrap_or(default),
    }
}

fn run_in(directory: &Path, arguments: &[&str]) -> Run {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_propcov"));
    command.current_dir(directory).args(arguments).output().expect("propcov starts").into()
}

/// A design, what begins a comment in it, and waivers of holes that it has.
struct Example {
    path: &'static str,
    comment: &'static str,
    waivers: &'static str,
}

const BTOR2: Example = Example {
    path: "queue.btor2",
    comment: ";",
    waivers: "[[waiver]]\nelement = \"tail\"\nreason = \"r\"\n[[waiver]]\nsource = \"65 next 2 30 64\"\nreason = \"r\"\n",
};

const VERILOG: Example = Example {
    path: "verilog/fifo.sv",
    comment: "//",
    waivers: "[[waiver]]\nelement = \"out\"\nreason = \"r\"\n[[waiver]]\nsource = \"store[tail] <= in\"\nreason = \"r\"\n[[waiver]]\nelement = \"tail\"\nsource = \"tail <= tail + 1\"\nreason = \"r\"\n",
};

/// What links to elements and properties go by, in a page.
fn keys(page: &str) -> BTreeSet<String> {
    let start = page.find("id=\"data\">").expect("data") + "id=\"data\">".len();
    let end = start + page[start..].find("</script>").expect("its end");
    let data: Value = serde_json::from_str(&page[start..end]).expect("JSON");
    let words = data["words"].as_array().expect("words");
    let elements = data["elements"]["key"].as_array().expect("keys").iter();
    let named =
        elements.map(|at| words[at.as_u64().expect("a number") as usize].as_str().expect("text").to_owned());
    let properties = data["property_keys"].as_array().expect("keys").iter();
    named.chain(properties.map(|key| key.as_str().expect("text").to_owned())).collect()
}

/// Does something to the lines that means nothing. Says whether a line with an element has another text now.
fn fidget(rng: &mut Rng, lines: &mut Vec<String>, comment: &str) -> bool {
    let mut is_edited = false;
    for step in 0..rng.usize(1..6) {
        let at = rng.usize(0..lines.len());
        match rng.u8(0..5) {
            0 => lines.insert(at, String::new()),
            1 => lines.insert(at, format!("{comment} inserted {step}")),
            2 => lines.insert(at, format!("   {comment} tail <= tail + 1; out = 0")),
            3 if comment == "//" && !lines[at].starts_with('`') => lines[at].insert_str(0, "    "),
            4 if !lines[at].trim().is_empty() && !lines[at].starts_with('`') => {
                lines[at].push_str(&format!(" {comment} {step}"));
                is_edited = true;
            }
            _ => lines.insert(at, "  ".to_owned()),
        }
    }
    is_edited
}

fn measure(place: &Path) -> Value {
    let run = run_in(place, &["cover", "-q", "--format", "json"]);
    assert!(run.code == 0, "{}{}", run.stdout, run.stderr);
    run.document()
}

/// Waivers and what became of them.
fn waived(document: &Value) -> Vec<(String, String)> {
    let waivers = document["waivers"].as_array().expect("waivers").iter();
    waivers.map(|one| (one["state"].to_string(), one["count"].to_string())).collect()
}

fn unmoved(example: &Example, count: u64) {
    let place = tempfile::tempdir().expect("a directory");
    let place = place.path();
    fs::create_dir(place.join(".git")).expect("a repository");
    let name = example.path.rsplit('/').next().expect("a name");
    let config = format!("files = [\"{name}\"]\n[cover]\nmetric = \"mutation\"\n{}", example.waivers);
    fs::write(place.join("propcov.toml"), config).expect("written");
    let original = fs::read_to_string(root().join("examples").join(example.path)).expect("an example");
    fs::write(place.join(name), &original).expect("written");
    let first = measure(place);
    assert!(waived(&first).iter().all(|(state, _)| state == "\"used\""), "{:?}", first["waivers"]);
    let page = || fs::read_to_string(place.join("propcov.out/report.html")).expect("a page");
    let known = keys(&page());
    for seed in cases(count) {
        let mut rng = Rng::with_seed(seed);
        let mut lines: Vec<String> = original.lines().map(str::to_owned).collect();
        let is_edited = fidget(&mut rng, &mut lines, example.comment);
        let text = lines.join("\n") + "\n";
        fs::write(place.join(name), &text).expect("written");
        let now = measure(place);
        let said = run_in(place, &["report", "--diff", "previous"]);
        assert_eq!(said.code, 0, "seed {seed}: {}{}\n{text}", said.stdout, said.stderr);
        assert!(said.stdout.contains("nothing changed"), "seed {seed}: {}\n{text}", said.stdout);
        // A waiver by the text of a line is about that text: a comment behind it is another one.
        if !is_edited {
            assert_eq!(waived(&now), waived(&first), "seed {seed}\n{text}");
            assert_eq!(keys(&page()), known, "seed {seed}\n{text}");
        }
    }
}

#[test]
fn lines_around_elements_of_a_netlist_mean_nothing() {
    unmoved(&BTOR2, 30);
}

#[test]
fn lines_around_statements_mean_nothing() {
    if crate::verilog::has_slang() {
        unmoved(&VERILOG, 12);
    }
}

/// Whole words are replaced.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let mut result = String::new();
    let mut word = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        result.push_str(if word == from { to } else { &word });
        word.clear();
        result.push(c);
    }
    result.pop();
    result
}

#[test]
fn a_register_that_is_renamed_is_neither_better_nor_worse_and_its_waiver_is_stale() {
    if !crate::verilog::has_slang() {
        return;
    }
    let place = tempfile::tempdir().expect("a directory");
    let place = place.path();
    fs::create_dir(place.join(".git")).expect("a repository");
    let config = |waiver: &str| format!("files = [\"fifo.sv\"]\n[cover]\nmetric = \"mutation\"\n{waiver}");
    let original = fs::read_to_string(root().join("examples/verilog/fifo.sv")).expect("an example");
    for name in ["head", "tail", "store", "count", "do_push"] {
        let waiver = format!("[[waiver]]\nelement = \"{name}*\"\nreason = \"r\"\n");
        fs::write(place.join("propcov.toml"), config(&waiver)).expect("written");
        fs::write(place.join("fifo.sv"), &original).expect("written");
        assert_eq!(waived(&measure(place))[0].0, "\"used\"", "{name}");
        fs::write(place.join("fifo.sv"), renamed(&original, name, "other_name")).expect("written");
        assert_eq!(waived(&measure(place))[0].0, "\"stale\"", "{name}");
        let said = run_in(place, &["report", "--diff", "previous", "--format", "json"]);
        let diff = said.document();
        for part in ["elements", "findings"] {
            let changes = diff[part].as_array().cloned().unwrap_or_default();
            let wrong = changes.iter().find(|one| one["direction"] != "other");
            assert!(wrong.is_none(), "{name}: {wrong:?}");
        }
        assert_eq!(said.code, 0, "{name}: {}", said.stdout);
    }
}
