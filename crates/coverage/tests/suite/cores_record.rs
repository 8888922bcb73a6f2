//! Cores as records of a result.

use propcov_coverage::cores::record::Studied;
use propcov_coverage::cores::{
    Analysis, Core, CoreMetric, Found, Goal, Minimality, Options, Part, Parts, PropertyCores, Seconds,
};
use propcov_frontend::Design;
use propcov_ir::{ElementId, ElementSet, Invariant, Proof, PropertyId, UnknownReason, Verdict};
use propcov_result::{DROPPED, FindingVerdict, RunResult, Scope, Stop, Subject};
use propcov_verify::{Answer, Outcome, record};

/// Two properties and their conjunction; `p` and `q` reach nothing but properties.
const MODEL: &str = "node main(x: int) returns (p, q: bool);\nvar a, b, c: int;\nlet\n  a = if x > 0 then x else 0;\n  \
                     b = a + 1;\n  c = x;\n  p = a >= 0;\n  q = b > 0;\n  --%PROPERTY p;\n  --%PROPERTY q;\ntel;\n";

fn design() -> Design {
    propcov_frontend::read("model.lus", MODEL.as_bytes()).expect("well-formed")
}

fn set(design: &Design, names: &str) -> ElementSet {
    let id = |name: &str| {
        let elements = design.system.elements();
        ElementId(elements.iter().position(|element| element.name == name).expect("an element") as u32)
    };
    names.split_whitespace().map(id).collect()
}

fn options(goal: Goal) -> Options {
    Options {
        goal,
        algorithm: None,
        depth: None,
        threads: 1,
        together: true,
        check_time: None,
        part: Part::Everything,
    }
}

fn cores(property: u32, answer: Answer, found: Found) -> PropertyCores {
    let mut outcome = Outcome::unknown(PropertyId(property), UnknownReason::Cancelled);
    (outcome.certified, outcome.answer) = (answer.is_decided(), answer);
    PropertyCores {
        property: PropertyId(property),
        outcome,
        depth: None,
        found,
        proofs: Vec::new(),
        by_depth: Vec::new(),
        seconds: Seconds { proof: 0.5, cores: 0.25, certify: 0.125 },
    }
}

fn proved() -> Answer {
    let (invariant, core) = (Invariant::default(), ElementSet::new());
    Answer::Invariant(Verdict::Proved(Proof { invariant: invariant.into(), k: 1, simple_path: false, core }))
}

fn minimal(elements: ElementSet) -> Found {
    let parts = Parts { sure: elements.clone(), unknown: ElementSet::new() };
    Found {
        cores: vec![Core { elements, minimal: Minimality::Minimal }],
        complete: true,
        must: Some(parts.clone()),
        may: Some(parts),
        ..Found::default()
    }
}

/// The records of an analysis, by these metrics.
fn recorded(design: &Design, analysis: &Analysis, goal: Goal, metrics: &[CoreMetric]) -> RunResult {
    let (options, universe) = (options(goal), design.system.element_ids().collect());
    let studied = Studied { system: &design.system, universe: &universe, options: &options, analysis };
    let mut result = RunResult::new("cover", 0);
    result.properties =
        analysis.outcomes().iter().map(|outcome| record::property(&design.system, outcome)).collect();
    result.run.stop = Some(Stop::Timeout);
    studied.add_to(&mut result);
    metrics.iter().for_each(|metric| studied.add_metric(*metric, &mut result));
    result
}

/// Covered, uncovered and unknown.
fn counts(result: &RunResult, metric: &str, scope: &Scope) -> [String; 3] {
    let share = result.share(metric, scope).unwrap_or_else(|| panic!("no share of {metric}, {scope:?}"));
    let tally = &share.tally;
    [&tally.covered, &tally.uncovered, &tally.unknown].map(ToString::to_string)
}

#[test]
fn one_analysis_serves_all_metrics_and_checkers_are_apart() {
    let design = design();
    let analysis = Analysis {
        properties: vec![
            cores(0, proved(), minimal(set(&design, "p a"))),
            cores(1, proved(), minimal(set(&design, "q a b"))),
        ],
        together: Some(minimal(set(&design, "p q a b"))),
        ..Analysis::default()
    };
    let metrics = [CoreMetric::Core, CoreMetric::Must, CoreMetric::May, CoreMetric::Model];
    let result = recorded(&design, &analysis, Goal::All, &metrics);
    assert_eq!(result.cores.len(), 3);
    assert!(result.cores.iter().all(|row| row.holds && row.answered && row.universe.len() == 5));
    for metric in ["core", "must", "may", "model"] {
        assert_eq!(counts(&result, metric, &Scope::All), ["2", "1", "0"], "{metric}");
        assert_eq!(counts(&result, metric, &Scope::Checker), ["2", "0", "0"], "{metric}");
        let is_its_own = |metric_of: &str| metric_of == metric;
        let findings = result.findings.iter().filter(|finding| is_its_own(&finding.metric));
        assert_eq!(findings.count(), 10, "{metric}");
    }
    assert_eq!(counts(&result, "must", &Scope::Property("p".to_owned())), ["1", "2", "0"]);
    assert_eq!(counts(&result, "must", &Scope::Conjunction), ["2", "1", "0"]);
    assert!(result.share("model", &Scope::Conjunction).is_none());
    assert!(result.findings.iter().all(|finding| &*finding.edit == DROPPED && finding.certified));
    let unique: Vec<String> =
        result.rankings[0].properties.iter().map(|one| one.unique.to_string()).collect();
    assert_eq!(unique, ["0", "1"], "only q needs b");
    assert_eq!(result.properties[0].own.len(), 1);
    assert!(result.properties[1].reads.as_ref().is_some_and(|reads| reads.changes));
    assert_eq!((result.stats.seconds["cores"], result.stats.seconds["certify"]), (0.5, 0.25));
}

#[test]
fn what_is_unknown_is_unknown_and_says_why() {
    let design = design();
    let found = Found {
        cores: vec![Core {
            elements: set(&design, "p a"),
            minimal: Minimality::Undecided(set(&design, "a")),
        }],
        stopped: true,
        undecided: vec![(set(&design, "p"), UnknownReason::Conflicts)],
        ..Found::default()
    };
    let analysis = Analysis { properties: vec![cores(0, proved(), found)], ..Analysis::default() };
    let result = recorded(&design, &analysis, Goal::Minimal, &[CoreMetric::Core, CoreMetric::May]);
    assert!(!result.cores[0].answered && result.cores[0].stopped && !result.cores[0].complete);
    assert_eq!(counts(&result, "core", &Scope::All), ["0", "2", "1"]);
    assert_eq!(counts(&result, "may", &Scope::All), ["0", "0", "3"]);
    let a = set(&design, "a").iter().next().expect("an element").0;
    let finding = result.findings.iter().find(|finding| finding.subject == Subject::Element(a));
    let finding = finding.expect("a finding");
    assert_eq!((finding.verdict, finding.certified), (FindingVerdict::Unknown, false));
    assert!(
        finding.reason.as_deref().is_some_and(|reason| reason.starts_with("out of time; ")),
        "{finding:?}"
    );
}

#[test]
fn without_a_proof_nothing_is_measured() {
    let design = design();
    let unknown = Answer::unknown(UnknownReason::Timeout);
    let analysis = Analysis { properties: vec![cores(0, unknown, Found::default())], ..Analysis::default() };
    let result = recorded(&design, &analysis, Goal::Must, &[CoreMetric::Must]);
    assert!(result.findings.is_empty() && result.shares.is_empty());
    assert!(!result.cores[0].holds && !result.cores[0].answered);
    assert_eq!(result.elements.len(), 5, "the question is there all the same");
}
