//! Results made by hand, as `propcov` would have found them.

use propcov_result::*;

/// A result about a design of one file.
pub(crate) fn result(command: &str, path: &str, format: &str) -> RunResult {
    let mut result = RunResult::new(command, 0);
    result.run.seconds = 1.234;
    result.run.arguments = vec![command.to_owned(), path.to_owned()];
    let file = File { path: path.to_owned(), sha256: String::new() };
    result.design = Some(Design {
        format: format.to_owned(),
        files: vec![file],
        inputs: 4,
        states: 6,
        elements: 37,
        ..Design::default()
    });
    result.gate = Some(Gate {
        assumptions: Assumptions::Consistent,
        steps: 1,
        conflict: Vec::new(),
        reason: None,
        constant: Vec::new(),
        vacuous: Vec::new(),
        untested: Vec::new(),
        obligations: 1,
        fairness: None,
    });
    result
}

/// A property with a verdict.
pub(crate) fn property(name: &str, verdict: Verdict) -> Property {
    Property {
        name: name.to_owned(),
        kind: "invariant".to_owned(),
        formula: None,
        place: None,
        verdict,
        depth: Some(3),
        reason: None,
        engine: Some("ic3".to_owned()),
        certified: true,
        vacuous: false,
        recalled: false,
        helpers: Vec::new(),
        seconds: 0.5,
        evidence: None,
        trace: None,
        attempt: None,
        tested: None,
        unmet: Vec::new(),
        stray: None,
        inductive: None,
        smooth: None,
        core: None,
        core_reason: None,
        own: Vec::new(),
        reads: None,
    }
}

/// A signal and its values, with spaces between them.
pub(crate) fn signal(name: &str, kind: TraceSignalKind, sort: &str, values: &str) -> TraceSignal {
    let values = values.split(' ').map(str::to_owned).collect();
    TraceSignal {
        name: name.to_owned(),
        kind,
        sort: sort.to_owned(),
        focus: false,
        values,
        ranges: Vec::new(),
    }
}

/// A run of these signals.
pub(crate) fn trace(signals: Vec<TraceSignal>) -> Trace {
    let steps = signals.first().map_or(0, |signal| signal.values.len());
    Trace { steps, signals, shows: None }
}

/// A run that shows a claim.
pub(crate) fn shows(mut trace: Trace, claim: &str) -> Trace {
    let (claim, essential) = (claim.to_owned(), trace.steps);
    trace.shows = Some(Box::new(Shows { claim, whole: true, essential, ..Shows::default() }));
    trace
}

/// An element that is a register.
pub(crate) fn element(id: u32, name: &str) -> Element {
    let place =
        Place { file: "fifo.btor2".to_owned(), line: id + 1, column: 1, end_line: id + 1, end_column: 9 };
    let (name, kind) = (name.to_owned(), "register".to_owned());
    Element { id, name, kind, places: vec![place], ..Element::default() }
}

/// A finding of mutation coverage.
pub(crate) fn finding(element: u32, edit: &str, property: &str, verdict: FindingVerdict) -> Finding {
    Finding {
        metric: "mutation".into(),
        subject: Subject::Element(element),
        edit: edit.into(),
        property: (!property.is_empty()).then(|| property.into()),
        verdict,
        reason: None,
        bound: None,
        by: Some("ic3".into()),
        certified: true,
        evidence: None,
        witness: None,
        count: None,
        waiver: None,
    }
}

/// Counts in the order of the columns: covered, uncovered, no effect, dead, waived, bounded, unknown.
pub(crate) fn share(metric: &str, scope: Scope, counts: [usize; 7]) -> Share {
    let [covered, uncovered, no_effect, dead, waived, bounded, unknown] = counts.map(Count::from);
    let tally = Tally { covered, uncovered, no_effect, dead, waived, bounded, unknown, ..Tally::default() };
    Share::new(metric, scope, tally, true)
}

/// Two properties and three registers: what `propcov cover` finds out about the example of a queue.
pub(crate) fn fifo() -> RunResult {
    use FindingVerdict::{Covered, Uncovered};
    let mut result = result("cover", "examples/fifo.btor2", "btor2");
    result.run.metrics = vec!["mutation".to_owned()];
    result.properties =
        vec![property("at_most_four", Verdict::Proved), property("data_is_kept", Verdict::Proved)];
    result.elements =
        vec![element(3, "read_pointer"), element(4, "write_pointer"), element(9, "watcher.active")];
    for (id, edit, first, second) in [
        (3, "free", Covered, Covered),
        (3, "zero", Uncovered, Uncovered),
        (3, "one", Uncovered, Uncovered),
        (4, "free", Covered, Uncovered),
        (4, "zero", Uncovered, Uncovered),
        (9, "free", Uncovered, Covered),
        (9, "zero", Uncovered, Uncovered),
    ] {
        result.findings.push(finding(id, edit, "at_most_four", first));
        result.findings.push(finding(id, edit, "data_is_kept", second));
    }
    let edit = |name: &str| Scope::Edit(name.to_owned());
    let property = |name: &str| Scope::Property(name.to_owned());
    result.shares = vec![
        share("mutation", Scope::All, [3, 4, 0, 0, 0, 0, 0]),
        share("mutation", edit("free"), [3, 0, 0, 0, 0, 0, 0]),
        share("mutation", edit("zero"), [0, 3, 0, 0, 0, 0, 0]),
        share("mutation", edit("one"), [0, 1, 0, 0, 0, 0, 0]),
        share("mutation", property("at_most_four"), [2, 5, 0, 0, 0, 0, 0]),
        share("mutation", property("data_is_kept"), [2, 5, 0, 0, 0, 0, 0]),
    ];
    let contribution = |name: &str| Contribution {
        property: name.to_owned(),
        covered: Count::from(2_usize),
        unique: Count::from(1_usize),
    };
    result.rankings = vec![Ranking {
        metric: "mutation".to_owned(),
        properties: vec![contribution("at_most_four"), contribution("data_is_kept")],
        ..Ranking::default()
    }];
    result
}

/// A witness: one signal differs in the last of these steps.
pub(crate) fn hole(name: &str, design: &str, mutant: &str) -> Witness {
    use TraceSignalKind::{Input, State};
    let run = |values: &str| {
        let enable = vec!["1"; values.split(' ').count()].join(" ");
        trace(vec![signal("enable", Input, "bool", &enable), signal(name, State, "bitvec 8", values)])
    };
    let design = run(design);
    Witness {
        depth: Some(design.steps - 1),
        design: Some(design),
        mutant: Some(run(mutant)),
        observation: Some("outputs".to_owned()),
        observed: vec![name.to_owned()],
        shortest: Some(true),
        ..Witness::default()
    }
}
