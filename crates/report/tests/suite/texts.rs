//! What people read, from results made by hand.

use crate::results::{element, fifo, finding, hole, property, result, share, shows, signal, trace};
use propcov_report::terminal::Style;
use propcov_report::text::{self, TextOptions, notes};
use propcov_result::TraceSignalKind::{Free, Function, Input, Instance, Output, State, Wire};
use propcov_result::*;

fn drawn(result: &RunResult, width: usize) -> String {
    text::text(result, &TextOptions::default(), &Style { width, colour: false })
}

/// Compares both widths with what was seen before.
fn snapshot(name: &str, result: &RunResult) {
    for width in [80, 120] {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true, snapshot_path => "snapshots/texts" }, {
            insta::assert_snapshot!(format!("{name}_{width}"), drawn(result, width));
        });
    }
}

#[test]
fn verdicts_of_all_kinds() {
    let mut result = result("check", "examples/verdicts.btor2", "btor2");
    let mut vacuous = property("implies_nothing", Verdict::Proved);
    vacuous.vacuous = true;
    let mut unknown = property("hard_to_decide_for_anybody", Verdict::Unknown);
    (unknown.engine, unknown.depth) = (None, None);
    unknown.reason = Some("the time was up; no violation up to depth 12".to_owned());
    let mut alone = property("always_a_way_out", Verdict::Proved);
    (alone.certified, alone.reason) = (false, Some("by decision diagrams alone".to_owned()));
    let mut failed = property("below_ten", Verdict::Falsified);
    let count = (0..11).map(|step| format!("{step:08b}")).collect::<Vec<_>>().join(" ");
    failed.trace = Some(trace(vec![
        signal("decade.count", State, "bitvec 8", &count),
        signal("enable", Input, "bool", &["1"; 11].join(" ")),
    ]));
    failed.smooth = Some(Smooth { before: Some(9), after: Some(0), fewest: true, reason: None });
    let mut used = property("needs_two", Verdict::Proved);
    (used.core, used.recalled) = (Some(vec![1, 2, 77]), true);
    let mut lost = property("needs_something", Verdict::Proved);
    lost.core_reason = Some("it is over simple paths".to_owned());
    let bounded = property("holds_for_a_while", Verdict::Bounded);
    result.properties = vec![used, lost, vacuous, alone, unknown, bounded, failed];
    result.elements = vec![element(1, "decade.count"), element(2, "decade.next_count")];
    result.advice = Some(Advice {
        path: "lemmas.json".to_owned(),
        read: 3,
        holding: 2,
        dropped: 1,
        stored: 4,
        foreign: 0,
    });
    snapshot("verdicts", &result);
    result.run.files = (0..30).map(|number| format!("out/evidence-{number}.vcd")).collect();
    let text = drawn(&result, 80);
    assert!(
        text.contains("\n  out/evidence-19.vcd\n  and 10 more files; --format json lists all\n"),
        "{text}"
    );
    assert!(!text.contains("--certificate"), "{text}");
    result.run.files.truncate(21);
    assert!(drawn(&result, 80).contains("\n  out/evidence-20.vcd\n"), "a limit hides no single one");
}

#[test]
fn what_the_sanity_check_finds() {
    let mut result = result("check", "examples/conflict.btor2", "btor2");
    let mut vacuous = property("never_interrupted", Verdict::Proved);
    vacuous.vacuous = true;
    let mut ctl = property("SPEC1", Verdict::Proved);
    (ctl.kind, ctl.vacuous) = ("ctl".to_owned(), true);
    result.properties = vec![vacuous, ctl];
    let gate = result.gate.as_mut().expect("a gate");
    gate.assumptions = Assumptions::Conflicting;
    let conflicting = |(name, id): (&str, u32)| Conflicting {
        name: name.to_owned(),
        place: element(id, name).places.into_iter().next(),
    };
    gate.conflict =
        ["always_requests", "no_request_while_busy"].into_iter().zip(0..).map(conflicting).collect();
    gate.constant = vec![("never_interrupted".to_owned(), true), ("SPEC1".to_owned(), false)];
    gate.untested = vec!["never_interrupted".to_owned()];
    gate.fairness = Some(Fairness { start: Some(false), deadlock: Some(true), constrained: false });
    snapshot("conflict", &result);
    let gate = result.gate.as_mut().expect("a gate");
    (gate.conflict, gate.steps, gate.obligations) = (Vec::new(), 0, 0);
    gate.fairness = Some(Fairness { start: Some(true), deadlock: Some(true), constrained: false });
    snapshot("no_run", &result);
    let gate = result.gate.as_mut().expect("a gate");
    (gate.assumptions, gate.reason) = (Assumptions::Unknown, Some("the time was up".to_owned()));
    assert!(
        drawn(&result, 80).contains("\n  note: assumptions not checked for conflicts: the time was up\n")
    );
}

#[test]
fn runs_of_ctl_properties() {
    let mut result = result("check", "examples/mutex.smv", "smv");
    let ctl = |name: &str, formula: &str, verdict: Verdict| {
        let mut property = property(name, verdict);
        (property.kind, property.formula) = ("ctl".to_owned(), Some(formula.to_owned()));
        property
    };
    let light = |values: &str| trace(vec![signal("light", State, "red, green", values)]);
    let mut looping = ctl("everybody_comes", "AF off", Verdict::Falsified);
    let mut run = shows(light("red green red"), "EG !off");
    run.shows.as_mut().expect("it shows something").loop_to = Some(0);
    looping.trace = Some(run);

    let mut branching = ctl("branches", "!EF (light = green & EX off & EX !off)", Verdict::Falsified);
    let mut run = shows(light("red green green"), "EF (light = green & EX off & EX !off)");
    let mut inner = shows(light("green red"), "EX !off");
    let facts = inner.shows.as_mut().expect("it shows something");
    (facts.whole, facts.loop_to) = (false, Some(1));
    run.shows.as_mut().expect("it shows something").branches = vec![Branch { step: 1, trace: inner }; 6];
    branching.trace = Some(run);

    let mut witness = ctl("both_can_wait", "EF (one = door & two = door)", Verdict::Proved);
    let mut run = shows(light("red green red green"), "EF (one = door & two = door)");
    run.shows.as_mut().expect("it shows something").essential = 2;
    witness.trace = Some(run);

    let mut part = ctl("as_far_as_a_run_can", "AG EF off", Verdict::Falsified);
    let mut run = shows(light("red green"), "EF AG !off");
    let facts = run.shows.as_mut().expect("it shows something");
    (facts.whole, facts.end) = (false, Some("AG !off".to_owned()));
    part.trace = Some(run);

    let mut state = ctl("a_state", "EX off", Verdict::Falsified);
    let mut run = shows(light("red"), "AX !off");
    let facts = run.shows.as_mut().expect("it shows something");
    (facts.whole, facts.state) = (false, true);
    state.trace = Some(run);

    let nothing = ctl("no_run", "EF off", Verdict::Falsified);
    let mut stray = ctl("stray", "AG !off", Verdict::Unknown);
    stray.stray = Some(light("red green"));
    result.properties = vec![witness, looping, branching];
    snapshot("ctl_runs", &result);
    result.properties = vec![part, state, nothing, stray];
    snapshot("ctl_parts", &result);
}

#[test]
fn a_run_of_a_dataflow_program_is_by_what_its_variables_are() {
    let mut result = result("check", "examples/tank.lus", "lustre");
    let mut failed = property("never full", Verdict::Falsified);
    failed.trace = Some(trace(vec![
        signal("inflow", Input, "real", "1/2 1/2 1/3"),
        signal("pump", Output, "bool", "false true true"),
        signal("level", Wire, "real", "0 1/2 5/6"),
        signal("limit", Wire, "int", "7 7 7"),
        signal("hold~0.kept", Instance, "bool", "0 1 1"),
        signal("f(level)", Function, "int", "3 3 3"),
    ]));
    result.properties = vec![failed];
    snapshot("dataflow", &result);
}

#[test]
fn coverage_by_mutation() {
    snapshot("cover", &fifo());
}

#[test]
fn coverage_with_everything_that_can_be_said() {
    let mut result = fifo();
    use FindingVerdict::{Dead, NoEffect, Uncovered, Unknown};
    result.findings.iter_mut().filter(|finding| &*finding.edit == "zero").for_each(|finding| {
        finding.witness =
            Some(Box::new(hole("m_data", "00000000 00000001 00000010", "00000000 00000001 00000011")));
    });
    let mut add = |id: u32, name: &str, verdict: FindingVerdict| {
        result.elements.push(element(id, name));
        for name in ["at_most_four", "data_is_kept"] {
            result.findings.push(finding(id, "free", name, verdict));
        }
    };
    (10..14).for_each(|id| add(id, &format!("bus.word[{}]", id - 10), Uncovered));
    (14..20).for_each(|id| add(id, &format!("core.late{}", id - 14), Unknown));
    add(20, "equal", NoEffect);
    add(21, "unreachable", Dead);
    add(22, "debug_register", Uncovered);
    add(23, "assert_counter", Uncovered);
    add(24, "deep", Uncovered);
    result.waivers.push(Waiver {
        elements: vec!["debug_*".to_owned()],
        reason: "only for simulation".to_owned(),
        author: Some("kim".to_owned()),
        state: WaiverState::Used,
        count: 1_usize.into(),
        ..Waiver::default()
    });
    result
        .elements
        .iter_mut()
        .filter(|element| element.id == 23)
        .for_each(|element| element.role = Role::Checker);
    for finding in &mut result.findings {
        match finding.subject {
            Subject::Element(22) => finding.waiver = Some(0),
            Subject::Element(24) => finding.bound = Some(20),
            Subject::Element(10..14) => {
                let reason = Some("out of time".to_owned());
                finding.witness = Some(Box::new(Witness { reason, ..Witness::default() }));
            }
            _ => {}
        }
    }
    result.shares.retain(|share| share.scope != Scope::All);
    result.shares.push(share("mutation", Scope::All, [3, 8, 1, 1, 1, 1, 6]));
    result.shares.push(share("mutation", Scope::Checker, [0, 1, 0, 0, 0, 0, 0]));
    result.rankings[0].redundant = vec!["at_most_four".to_owned(), "data_is_kept".to_owned()];
    result.rankings[0].smallest =
        Some(Smallest { properties: vec!["at_most_four".to_owned()], exact: false });
    result.run.stop = Some(Stop::Timeout);
    result.run.directory = Some("propcov.out".to_owned());
    result.stats.reused = Some(7);
    result.judge(&[Threshold::of_each(80.0)]);
    snapshot("cover_everything", &result);
}

#[test]
fn coverage_of_what_is_proved_only() {
    let mut result = fifo();
    result.properties[1] = property("data_is_kept", Verdict::Falsified);
    result.properties[1].trace = Some(trace(vec![signal("x", State, "bool", "0 1")]));
    result.properties[0].vacuous = true;
    let text = drawn(&result, 80);
    for part in [
        "data_is_kept fails in step 1:",
        "WARNING: only what is proved is measured: 1 of 2 properties.",
        "WARNING: at_most_four is vacuous: what it covers means nothing.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    result.properties.remove(0);
    let text = drawn(&result, 80);
    assert!(text.contains("WARNING: no property is proved: there is no coverage to measure.\n"), "{text}");
    assert!(text.ends_with("\n\ncoverage: not measured (1.23 seconds)\n"), "{text}");
    assert!(!text.contains("Mutation coverage"), "{text}");
}

#[test]
fn several_metrics_have_a_section_each_and_their_headlines_stand_together() {
    let mut result = fifo();
    result.run.metrics.push("cone".to_owned());
    result.shares.push(share("cone", Scope::All, [4, 3, 0, 0, 0, 0, 0]));
    result.shares.push(share("cone", Scope::File("fifo.btor2".to_owned()), [4, 3, 0, 0, 0, 0, 0]));
    snapshot("cover_two_metrics", &result);
    result.judge(&[Threshold::of_each(50.0)]);
    let text = drawn(&result, 80);
    assert!(text.ends_with("\nbelow 50 %: mutation (42.86 %) (1.23 seconds)\n"), "{text}");
    result.judge(&[Threshold::of_each(40.0)]);
    assert!(drawn(&result, 80).ends_with("\neach is at least 40 % (1.23 seconds)\n"));
}

#[test]
fn a_headline_says_whether_a_threshold_is_reached() {
    let mut result = fifo();
    let mut last_line = |percent: f64, missed: bool| {
        result.judge(&[Threshold::of_each(percent)]);
        assert_eq!(result.run.thresholds[0].verdict == ThresholdVerdict::Missed, missed);
        drawn(&result, 80).lines().last().expect("a line").to_owned()
    };
    assert_eq!(last_line(40.0, false), "coverage: 42.86 %, at least 40 % (1.23 seconds)");
    assert_eq!(last_line(42.86, true), "coverage: 42.857 %, below 42.86 % (1.23 seconds)");
}

#[test]
fn why_an_element_is_covered_or_not() {
    let mut result = fifo();
    result.run.command = "explain".to_owned();
    result.findings.retain(|finding| finding.subject == Subject::Element(3));
    for finding in &mut result.findings {
        match (&*finding.edit, finding.property.as_deref()) {
            ("free", Some("data_is_kept")) => {
                let run = trace(vec![
                    signal("enable", Input, "bool", "1 0 0"),
                    signal("read_pointer", State, "bitvec 2", "00 01 11"),
                    signal("next read_pointer", Free, "bitvec 2", "01 11 00"),
                ]);
                finding.witness = Some(Box::new(Witness { mutant: Some(run), ..Witness::default() }));
            }
            ("zero", Some("at_most_four")) => {
                let witness =
                    hole("watcher.active", "00000000 00000000 00000001", "00000000 00000000 00000000");
                finding.witness = Some(Box::new(witness));
            }
            ("zero", _) => finding.by = Some("cone".into()),
            ("one", _) => {
                let (reason, observation) = (Some("out of time".to_owned()), Some("outputs".to_owned()));
                finding.witness = Some(Box::new(Witness { reason, observation, ..Witness::default() }));
            }
            _ => {}
        }
    }
    snapshot("explain", &result);
    for (verdict, expected) in [
        (
            FindingVerdict::NoEffect,
            "free (left open: any value in any step): no effect\n  Every property still holds, and no run shows a difference.",
        ),
        (
            FindingVerdict::Dead,
            "free (left open: any value in any step): dead\n  No reachable state executes it.\n",
        ),
        (
            FindingVerdict::Unknown,
            "free (left open: any value in any step): unknown: the budget was used up\n",
        ),
    ] {
        for finding in result.findings.iter_mut().filter(|finding| &*finding.edit == "free") {
            (finding.verdict, finding.witness, finding.reason) =
                (verdict, None, Some("the budget was used up".into()));
        }
        let text = drawn(&result, 80);
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn names_that_hurt_are_shown_and_aligned() {
    let mut result = fifo();
    for (element, name) in
        result.elements.iter_mut().zip(["数据.指针", "evil\u{1b}[31m\u{202e}", "tab\there\n"])
    {
        element.name = name.to_owned();
    }
    let rename = |name: &mut String| *name = name.replace("at_most_four", "至多四个\u{9b}2J");
    result.properties.iter_mut().for_each(|property| rename(&mut property.name));
    for share in &mut result.shares {
        if let Scope::Property(name) = &mut share.scope {
            rename(name);
        }
    }
    snapshot("hostile", &result);
    let coloured = text::text(&result, &TextOptions::default(), &Style { width: 80, colour: true });
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true, snapshot_path => "snapshots/texts" }, {
        insta::assert_snapshot!("hostile_coloured", coloured.replace('\u{1b}', "␛"));
    });
}

#[test]
fn lists_without_end_are_cut_and_say_where_all_of_it_is() {
    let mut result = fifo();
    for id in 100..600 {
        // Names that share neither module nor bus.
        result.elements.push(element(id, &format!("m{}.{}", id % 20, "q".repeat(id as usize / 20))));
        let mut finding = finding(id, "zero", "data_is_kept", FindingVerdict::Uncovered);
        finding.witness = Some(Box::new(hole("m_data", "00000000 00000001", "00000000 00000000")));
        result.findings.push(finding);
    }
    let text = drawn(&result, 80);
    assert!(text.lines().count() < 250, "{text}");
    assert!(text.contains("elements are not shown; --format json lists all\n"), "{text}");
    assert!(text.contains("… and 488 more; --format json lists all\n"), "{text}");
}

#[test]
fn statistics_are_there_when_asked_for() {
    let mut result = fifo();
    result.stats.seconds.extend([("proof".to_owned(), 0.5), ("coverage".to_owned(), 1.0)]);
    result.stats.decided_by.insert("ic3".to_owned(), 4);
    result.stats.states =
        Some(StateCounts { reachable: Count::from(7_usize), fair: Count::from(7_usize), diameter: 3 });
    assert!(!drawn(&result, 80).contains("Statistics"));
    let with = text::text(&result, &TextOptions { stats: true, ..TextOptions::default() }, &Style::default());
    let words: Vec<String> =
        with.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for line in ["proof seconds 0.500", "coverage / proof 2.00x", "decided by ic3 4", "reachable states 7"] {
        assert!(words.iter().any(|words| words == line), "{line}: {with}");
    }
}

#[test]
fn notes_are_for_standard_error() {
    let mut result = result("check", "a.smv", "smv");
    let place = Place { file: "a.smv".to_owned(), line: 3, column: 7, end_line: 3, end_column: 9 };
    let note = |kind: NoteKind, text: &str, place: Option<Place>| Note { kind, text: text.to_owned(), place };
    result.notes = vec![
        note(NoteKind::Note, "2 properties are not invariants, skipped: served, reset", None),
        note(NoteKind::Warning, "unused \u{1b}[2J variable", Some(place)),
        note(NoteKind::Error, "cannot write out/x.vcd: no space left", None),
    ];
    result.run.internal_errors = vec!["evidence was rejected".to_owned()];
    let expected = "note: 2 properties are not invariants, skipped: served, reset\nwarning: a.smv:3:7: unused \\u{1b}[2J variable\n\
                    error: cannot write out/x.vcd: no space left\ninternal error: evidence was rejected\n";
    assert_eq!(notes(&result, NoteKind::Note, &Style::default()), expected);
    assert!(notes(&result, NoteKind::Error, &Style::default()).starts_with("error: cannot write"));
}
