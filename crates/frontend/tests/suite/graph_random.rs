//! Random graphs, written in each format and read back; and no bytes make a reader panic or run long.

use propcov_frontend::graph::{GraphOptions, StateLabels, read, read_flips};
use propcov_ir::{Graph, GraphBuilder, Label, LabelFlip};
use propcov_testkit::{Random, seeds};
use std::fmt::Write;

const NAMES: [&str; 8] = ["s0", "b c", "\"q\"", "é", "x\\y", "7", "node", "{a}"];
const PROPOSITIONS: [&str; 4] = ["p", "q", "x=1", "r'"];

/// A graph whose states are these, in which all propositions occur. With `numbered`, states are numbers and labels are true or false.
fn random_graph(random: &mut Random, numbered: bool) -> Graph {
    let states = random.between(1, NAMES.len()) as u32;
    let width = random.between(0, PROPOSITIONS.len());
    let mut builder =
        GraphBuilder::new(PROPOSITIONS[..width].iter().map(|name| (*name).to_owned()).collect());
    for state in 0..states {
        let name = if numbered { state.to_string() } else { NAMES[state as usize].to_owned() };
        builder.add_state(name, Label::False);
        for proposition in 0..width as u32 {
            let values = [Label::False, Label::True, Label::Open];
            let label = values[random.below(if numbered { 2 } else { 3 })];
            builder.set_label(state, proposition, if state == 0 { Label::True } else { label });
        }
        for _ in 0..random.between(1, 3) {
            builder.add_transition(state, random.below(states as usize) as u32);
        }
    }
    for _ in 0..random.between(1, 2) {
        builder.set_initial(random.below(states as usize) as u32);
    }
    builder.finish()
}

/// Labels with signs; what is false may be left out.
fn labels(random: &mut Random, graph: &Graph, state: u32) -> Vec<String> {
    let mut all = Vec::new();
    for (name, label) in graph.propositions().iter().zip(graph.labels(state)) {
        match label {
            Label::True => all.push(name.clone()),
            Label::Open => all.push(format!("?{name}")),
            Label::False if random.percent(30) => all.push(format!("!{name}")),
            Label::False => {}
        }
    }
    all
}

fn dot_quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\\\""))
}

fn print_dot(random: &mut Random, graph: &Graph) -> String {
    let mut text = "digraph g {\n  rankdir=LR; node [shape=circle]\n".to_owned();
    let arrow = random.percent(50);
    for state in graph.states() {
        let set = labels(random, graph, state);
        let name = dot_quoted(graph.name(state));
        let shown = match random.below(4) {
            0 => format!("props=\"{}\"", set.join(" , ")),
            1 => format!("label=\"\\N {{{}}}\"", set.join(", ")),
            2 => format!("label=\"first\\n{}\"", set.join("\\n")),
            _ => format!("label=\"; {{ {} }}\"", set.join(r" /\ ")),
        };
        let initial = if !arrow && graph.initial().contains(&state) { ", initial=true" } else { "" };
        _ = writeln!(text, "  {name} [{shown}{initial}]; // {state}");
        if arrow && graph.initial().contains(&state) {
            _ = writeln!(text, "  start{state} [shape=point]; start{state} -> {name}");
        }
    }
    for state in graph.states() {
        let targets: Vec<String> =
            graph.successors(state).iter().map(|to| dot_quoted(graph.name(*to))).collect();
        let name = dot_quoted(graph.name(state));
        match random.below(2) {
            0 => _ = writeln!(text, "  {name} -> {{ {} }}", targets.join(" ")),
            _ => targets.iter().for_each(|to| _ = writeln!(text, "{name}:n -> {to}:s;")),
        }
    }
    text + "}\n"
}

fn print_json(random: &mut Random, graph: &Graph) -> String {
    let states: Vec<serde_json::Value> = graph
        .states()
        .map(|state| {
            serde_json::json!({
                "name": graph.name(state),
                "labels": labels(random, graph, state),
                "initial": graph.initial().contains(&state),
            })
        })
        .collect();
    let transitions: Vec<[&str; 2]> =
        graph.transitions().map(|(from, to)| [graph.name(from), graph.name(to)]).collect();
    let mut file = serde_json::json!({"states": states, "transitions": transitions});
    if random.percent(50) {
        file["propositions"] = graph.propositions().into();
    }
    if random.percent(50) { file.to_string() } else { format!("{file:#}") }
}

fn print_sources(graph: &Graph) -> String {
    let mut lines: Vec<String> =
        graph.initial().iter().map(|state| format!("(0,\"init\",{})", state + 1)).collect();
    for (from, to) in graph.transitions() {
        let holds =
            graph.propositions().iter().zip(graph.labels(from)).filter(|(_, label)| **label == Label::True);
        let set: Vec<&str> = holds.map(|(name, _)| name.as_str()).collect();
        lines.push(format!("({},\"l_{}\",{})", from + 1, set.join("_"), to + 1));
    }
    format!("des (0,{},{})\n{}\n", lines.len(), graph.state_count() + 1, lines.join("\n"))
}

/// Only with one initial state, which is the first.
fn print_loops(random: &mut Random, graph: &Graph) -> String {
    let mut lines = Vec::new();
    for state in graph.states() {
        let set = labels(random, graph, state);
        lines.extend(set.iter().map(|label| format!("({state},\"{label}\",{state})")));
    }
    lines.extend(graph.transitions().map(|(from, to)| format!("({from}, tau, {to})")));
    format!("des ({},{},{})\r\n{}", graph.initial()[0], lines.len(), graph.state_count(), lines.join("\r\n"))
}

/// PRISM's or Storm's form.
fn print_tra(random: &mut Random, graph: &Graph) -> (String, String) {
    let prism = random.percent(50);
    let decisions = random.percent(50);
    let mut lines: Vec<String> = Vec::new();
    for (from, to) in graph.transitions() {
        let choice = if decisions { " 0" } else { "" };
        lines.push(format!("{from}{choice} {to} 0.5"));
        if random.percent(20) {
            lines.push(format!("{to}{choice} {from} 0"));
        }
    }
    let header = match (prism, decisions) {
        (true, false) => format!("{} {}", graph.state_count(), lines.len()),
        (true, true) => format!("{} {} {}", graph.state_count(), graph.state_count(), lines.len()),
        (false, false) => "dtmc".to_owned(),
        (false, true) => "mdp".to_owned(),
    };
    let names: Vec<&str> =
        ["init", "deadlock"].into_iter().chain(graph.propositions().iter().map(String::as_str)).collect();
    let mut lab = match prism {
        true => {
            names.iter().enumerate().map(|(number, name)| format!("{number}=\"{name}\" ")).collect::<String>()
                + "\n"
        }
        false => format!("#DECLARATION\n{}\n#END\n", names.join(" ")),
    };
    for state in graph.states() {
        let mut holds: Vec<usize> = Vec::new();
        holds.extend(graph.initial().contains(&state).then_some(0));
        holds.extend(
            (0..graph.propositions().len()).filter(|p| graph.labels(state)[*p] == Label::True).map(|p| p + 2),
        );
        let shown =
            |number: &usize| if prism { format!(" {number}") } else { format!(" {}", names[*number]) };
        let colon = if prism { ":" } else { "" };
        if !holds.is_empty() {
            _ = writeln!(lab, "{state}{colon}{}", holds.iter().map(shown).collect::<String>());
        }
    }
    (format!("{header}\n{}\n", lines.join("\n")), lab)
}

/// Compares all but the order of propositions, which is that of their first use where there is no list of them.
#[track_caller]
fn same(seed: u64, expected: &Graph, path: &str, text: &str, lab: Option<&str>, state_labels: StateLabels) {
    let options = GraphOptions { complete: false, state_labels };
    let lab = lab.map(|lab| ("t.lab", lab.as_bytes()));
    let found = match read(path, text.as_bytes(), lab, &options) {
        Ok(file) => file.graph,
        Err(error) => panic!("seed {seed}: {error}\n{text}"),
    };
    assert_eq!(found, *expected, "seed {seed}\n{text}");
}

#[test]
fn what_is_written_is_read() {
    for seed in seeds(1500, 8_200_000) {
        let mut random = Random::new(seed);
        let graph = random_graph(&mut random, false);
        same(seed, &graph, "t.dot", &print_dot(&mut random, &graph), None, StateLabels::Auto);
        same(seed, &graph, "t.json", &print_json(&mut random, &graph), None, StateLabels::Auto);
    }
}

#[test]
fn what_is_written_with_numbers_is_read() {
    for seed in seeds(1500, 8_300_000) {
        let mut random = Random::new(seed);
        let graph = random_graph(&mut random, true);
        let (tra, lab) = print_tra(&mut random, &graph);
        same(seed, &graph, "t.tra", &tra, Some(&lab), StateLabels::Auto);
        // States are numbered from 1 behind the root.
        let mut moved = GraphBuilder::new(graph.propositions().to_vec());
        copy(&graph, &mut moved, 1, graph.initial());
        same(seed, &moved.finish(), "t.aut", &print_sources(&graph), None, StateLabels::Auto);
        let mut first = GraphBuilder::new(graph.propositions().to_vec());
        copy(&graph, &mut first, 0, &graph.initial()[..1]);
        same(seed, &first.finish(), "t.aut", &print_loops(&mut random, &graph), None, StateLabels::Loops);
    }
}

fn copy(graph: &Graph, builder: &mut GraphBuilder, offset: u32, initial: &[u32]) {
    for state in graph.states() {
        builder.add_state((state + offset).to_string(), Label::False);
        for (proposition, label) in graph.labels(state).iter().enumerate() {
            builder.set_label(state, proposition as u32, *label);
        }
    }
    graph.transitions().for_each(|(from, to)| builder.add_transition(from, to));
    initial.iter().for_each(|state| builder.set_initial(*state));
}

/// Reads bytes as each format, by all conventions.
fn digest(bytes: &[u8], lab: &[u8], context: &str) -> bool {
    let mut accepted = false;
    for path in ["t.dot", "t.aut", "t.tra", "t.json", "t"] {
        for state_labels in StateLabels::ALL {
            for complete in [false, true] {
                let options = GraphOptions { complete, state_labels: *state_labels };
                match read(path, bytes, Some(("t.lab", lab)), &options) {
                    Ok(file) => {
                        accepted = true;
                        assert!(
                            !file.graph.initial().is_empty() && file.graph.dead_end().is_none(),
                            "{context}"
                        );
                        _ = read_flips("m", bytes, &file.graph);
                    }
                    Err(error) => assert!(error.to_string().len() < 2000, "{context}: {error}"),
                }
            }
        }
    }
    accepted
}

/// Changes a few bytes.
fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..random.between(1, 3) {
        let at = random.below(bytes.len() + 1);
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] = random.next() as u8,
            1 => bytes.truncate(at),
            2 if at < bytes.len() => _ = bytes.remove(at),
            3 => bytes.insert(at, *random.pick(b"\"\\{}[]<>(),;:=-#*/!?| \n09")),
            4 => {
                let words = [
                    "4294967295",
                    "18446744073709551616",
                    "-1",
                    "->",
                    "/*",
                    "\\u12",
                    "l_",
                    "prop|",
                    "é",
                    "#END",
                    "init",
                    "\"\"",
                ];
                bytes.splice(at..at, random.pick(&words).bytes());
            }
            _ => {
                let end = (at + random.below(20)).min(bytes.len());
                bytes.drain(at..end);
            }
        }
    }
}

/// Files and labels in forms that are not printed here.
const SAMPLES: [(&str, &str); 8] = [
    (crate::graph_tools::TLC, ""),
    (
        "digraph \"\" { rankdir=LR node [shape=\"box\"] I [label=\"\", style=invis] I -> 0\n0 [label=\"0\\np & !q /\\\\ ?r\"] subgraph s { 0 -> 1:n:e } 1 [props=\"p, x = <<1, 2>>\"] subgraph s -> {0 1} /* c */ }",
        "",
    ),
    (
        "digraph { propositions=\"p q\"; unlabelled=open; a [label=<b>] \"b\" + \"c\" [initial=true] a -> bc -> a }",
        "",
    ),
    (
        "des(0,8,3)\n(0,\"init\",2)\n(1,\"prop|true|3|0\",1)\n(2,\"prop|maybe|4|1\",2)\n(1,\"state|7\",1)\n(2,\"state|8\",2)\n(1,\"edge|\\\"a\\\"\",2)\n(2,\"edge\",1)\n(2,\"edge\",2)\n",
        "",
    ),
    ("des (1, 4, 3)\n(0,\"{p, q}\",1)\n(1,p|!q,2)\n(1,\"!q & p\",0)\n(2,tau,0)\n", ""),
    (
        "# Transitions (POMDP)\n2 2 2 2\n- - 0 - 0\n0 0 1 [0.1,1/2] 0\n1 0 0 1e-3 1 go\n",
        "# Labels\n0=\"init\" 7=\"a b\"\n1: 7\n",
    ),
    ("STATES 2\nTRANSITIONS 2\n1 2 0.5\n2 1 1\n", "#DECLARATION\ninit p #END\n1 init\n2 p\n"),
    (
        "{\"comment\": [null, {\"a\": -1.5e3}], \"states\": [{\"name\": \"\\u00e4\", \"labels\": [\"p\", \"?q\"]}, 7], \"initial\": [7], \"unlabelled\": \"open\", \"transitions\": [[7, \"ä\"], [\"\\u00e4\", 7]]}",
        "",
    ),
];

/// A file of some format and its labels.
fn some_file(random: &mut Random) -> (Vec<u8>, Vec<u8>) {
    if random.percent(40) {
        let (text, lab) = random.pick(&SAMPLES);
        return (text.as_bytes().to_vec(), lab.as_bytes().to_vec());
    }
    let kind = random.below(6);
    let graph = random_graph(random, kind > 1);
    let (text, lab) = match kind {
        0 => (print_dot(random, &graph), String::new()),
        1 => (print_json(random, &graph), String::new()),
        2 => (print_sources(&graph), String::new()),
        3 => (print_loops(random, &graph), String::new()),
        _ => print_tra(random, &graph),
    };
    (text.into_bytes(), lab.into_bytes())
}

#[test]
fn mutated_files_are_read_or_refused() {
    let mut accepted = 0;
    for seed in seeds(2500, 8_400_000) {
        let mut random = Random::new(seed);
        let (mut text, mut lab) = some_file(&mut random);
        if lab.is_empty() || random.percent(50) {
            mutate(&mut random, &mut text);
        } else {
            mutate(&mut random, &mut lab);
        }
        accepted += u64::from(digest(&text, &lab, &format!("seed {seed}")));
    }
    // Otherwise the mutations would only exercise the first lines of the parsers.
    assert!(!propcov_testkit::is_whole_run() || accepted > 200, "only {accepted} mutants were accepted");
}

#[test]
fn samples_are_read() {
    let options = GraphOptions { complete: false, state_labels: StateLabels::Auto };
    let is_read = |(text, lab): &&(&str, &str)| {
        let path = if lab.is_empty() { "t" } else { "t.tra" };
        read(path, text.as_bytes(), Some(("t.lab", lab.as_bytes())), &options).is_ok()
    };
    // All but the one with HTML, and the one whose convention has to be given.
    assert_eq!(SAMPLES.iter().filter(is_read).count(), SAMPLES.len() - 2);
}

/// The beginning of one file, and the end of another.
#[test]
fn files_that_do_not_fit_together_are_read_or_refused() {
    for seed in seeds(1500, 8_600_000) {
        let mut random = Random::new(seed);
        let ((mut text, mut lab), (other_text, other_lab)) = (some_file(&mut random), some_file(&mut random));
        for (one, other) in [(&mut text, other_text), (&mut lab, other_lab)] {
            one.truncate(random.below(one.len() + 1));
            one.extend(&other[random.below(other.len() + 1)..]);
        }
        digest(&text, &lab, &format!("seed {seed}"));
    }
}

#[test]
fn mutated_vectors_are_read_or_refused() {
    let text = "digraph { a [initial=true props=\"p\"]; \"b c\" [props=\"p ?q\"]; a -> \"b c\" -> a }";
    let graph = read("t.dot", text.as_bytes(), None, &GraphOptions::default()).unwrap().graph;
    let mut accepted = 0;
    for seed in seeds(5000, 8_700_000) {
        let mut random = Random::new(seed);
        let mut vector = b"State,Proposition\n# all\na p\n\"b c\" , p # \"\"\n* q\r\n\"a\" *".to_vec();
        mutate(&mut random, &mut vector);
        match read_flips("m", &vector, &graph) {
            Ok(flips) => {
                accepted += 1;
                let has_value = |flip: &LabelFlip| graph.label(flip.state, flip.proposition) != Label::Open;
                assert!(flips.iter().all(has_value), "seed {seed}");
            }
            Err(error) => assert!(error.to_string().len() < 2000, "seed {seed}: {error}"),
        }
    }
    assert!(!propcov_testkit::is_whole_run() || accepted > 500, "only {accepted} were accepted");
}

/// A header may claim anything. If somebody made room for it, this process would have grown by gigabytes.
#[test]
#[cfg(target_os = "linux")]
fn claims_are_not_believed() {
    let peak = || {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmPeak:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    };
    let before = peak();
    let lab = "0=\"init\" 4000000000=\"p\"\n0: 0 4000000000\n4000000000: 0\n";
    for text in [
        "des (0, 4000000000, 4000000000)\n",
        "des (0, 4000000000, 4000000000)\n(0, a, 3999999999)\n",
        "des (3999999999, 1, 4000000000)\n(3999999999, p, 3999999999)\n",
        "des (0, 18446744073709551615, 4294967295)\n(4294967294, p, 4294967294)\n",
        "4000000000 1\n0 0 1\n",
        "4000000000 4000000000\n3999999999 0 1\n",
        "4000000000 4000000000 4000000000\n0 4000000000 3999999999 1\n",
        "4000000000 4000000000 4000000000 4000000000\n- - 3999999999 - 4000000000\n0 0 0 1 4000000000\n",
        "dtmc\n4294967294 4294967294 1\n",
        "STATES 4294967295\nTRANSITIONS 18446744073709551615\n4294967295 1 1\n",
    ] {
        assert!(!digest(text.as_bytes(), lab.as_bytes(), text), "{text}");
    }
    assert!(!digest(b"1 1\n0 0 1\n", lab.as_bytes(), "labels"));
    let grown = peak() - before;
    assert!(grown < 1 << 31, "{grown} bytes");
}

#[test]
fn truncated_files_are_read_or_refused() {
    for seed in seeds(20, 8_500_000) {
        let (text, lab) = some_file(&mut Random::new(seed));
        for end in 0..text.len() {
            digest(&text[..end], &lab, &format!("seed {seed}, {end} bytes"));
        }
        for end in 0..lab.len() {
            digest(&text, &lab[..end], &format!("seed {seed}, {end} bytes of labels"));
        }
    }
}

/// If looking up names took quadratic time, this would not end in time.
#[test]
fn large_graphs_are_read() {
    let (states, degree) = (20_000, 5);
    let mut random = Random::new(1);
    let mut builder = GraphBuilder::new(vec!["p".to_owned(), "q".to_owned()]);
    for state in 0..states {
        builder.add_state(state.to_string(), Label::of(state % 3 == 0));
        (0..degree).for_each(|_| builder.add_transition(state, random.below(states as usize) as u32));
    }
    builder.set_initial(0);
    let graph = builder.finish();
    let (tra, lab) = print_tra(&mut random, &graph);
    for (path, text, lab, state_labels) in [
        ("t.dot", print_dot(&mut random, &graph), None, StateLabels::Auto),
        ("t.json", print_json(&mut random, &graph), None, StateLabels::Auto),
        ("t.tra", tra, Some(lab.as_str()), StateLabels::Auto),
        ("t.aut", print_loops(&mut random, &graph), None, StateLabels::Loops),
    ] {
        same(1, &graph, path, &text, lab, state_labels);
    }
    assert_eq!(read_flips("m", b"* p\n0 *\n* *\n", &graph).unwrap().len(), states as usize * 2);
}
