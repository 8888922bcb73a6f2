//! State and transition coverage for people, from a result made by hand.

use crate::results::{property, result, share, signal, trace};
use propcov_report::terminal::Style;
use propcov_report::text::{self, TextOptions};
use propcov_result::*;

fn drawn(result: &RunResult, width: usize) -> String {
    text::text(result, &TextOptions::default(), &Style { width, colour: false })
}

fn part(property: &str, covered: Option<usize>, unique: usize, redundant: bool) -> StatePart {
    StatePart {
        property: property.to_owned(),
        verdict: Verdict::Proved,
        mentions: true,
        covered: covered.map(Count::from),
        unique: covered.map(|_| Count::from(unique)),
        redundant: covered.map(|_| redundant),
        reason: None,
    }
}

fn hole(observed: Option<&str>, text: &str, count: usize) -> Finding {
    let cube = Cube { observed: observed.map(Into::into), text: text.to_owned(), literals: Vec::new() };
    let mut finding = crate::results::finding(0, "flipped", "", FindingVerdict::Uncovered);
    (finding.metric, finding.subject) = ("state".into(), Subject::Cube(cube));
    finding.count = Some(Count::from(count));
    finding
}

/// Two signals of a queue: one is checked in most states, and one in none.
fn queue() -> RunResult {
    let mut result = result("cover", "examples/queue.smv", "smv");
    result.run.metrics = vec!["state".to_owned()];
    result.properties =
        ["wraps", "keeps", "starts", "idle"].map(|name| property(name, Verdict::Proved)).to_vec();
    let row = |observed: Option<&str>, properties: Vec<StatePart>| StateRow {
        metric: "state".to_owned(),
        observed: observed.map(str::to_owned),
        semantics: "observability".to_owned(),
        flip: "any".to_owned(),
        implication: "split".to_owned(),
        reachable: Some(Count::from(1792_usize)),
        excluded: Some(Count::from(92_usize)),
        unfair: Some(Count::ZERO),
        properties,
        rest: Some(Count::ZERO),
        ..StateRow::default()
    };
    let unrelated = |name: &str| StatePart { mentions: false, ..part(name, Some(0), 0, false) };
    let wrap = vec![
        part("wraps", Some(1000), 900, false),
        part("keeps", Some(100), 0, true),
        part("starts", Some(0), 0, true),
        unrelated("idle"),
    ];
    let go =
        vec![part("wraps", Some(0), 0, true), unrelated("keeps"), unrelated("starts"), unrelated("idle")];
    let mut first = row(Some("wrap"), wrap.clone());
    first.not_certified = Some("too many to list".to_owned());
    first.rest = Some(Count::from(60_usize));
    result.states = vec![first, row(Some("go"), go), row(None, wrap)];
    for (scope, covered) in [
        (Scope::Observed("wrap".to_owned()), 1000),
        (Scope::Observed("go".to_owned()), 0),
        (Scope::All, 1000),
    ] {
        let mut share = share("state", scope, [covered, 1700 - covered, 0, 0, 0, 0, 0]);
        share.certified = false;
        result.shares.push(share);
    }
    result.findings = vec![
        hole(Some("wrap"), "answer = retry", 600),
        hole(Some("wrap"), "full & answer in {none, retry} & !(writes | reads) & slot_0 != slot_1", 40),
        hole(Some("go"), "any state", 1700),
        hole(None, "answer = retry", 700),
    ];
    result.rankings = vec![Ranking {
        metric: "state".to_owned(),
        observed: Some("wrap".to_owned()),
        smallest: Some(Smallest { properties: vec!["wraps".to_owned()], exact: true }),
        ..Ranking::default()
    }];
    result.unmentioned = Some(Unmentioned {
        silent: vec!["slot_0".to_owned()],
        indirect: vec!["rd".to_owned(), "wr".to_owned()],
    });
    result
}

#[test]
fn what_is_checked_by_whom_and_what_is_not() {
    let mut result = queue();
    let run = trace(vec![signal("wrap", TraceSignalKind::State, "bool", "0 1 0")]);
    let witness = Witness {
        design: Some(run),
        depth: Some(2),
        shortest: Some(true),
        file: Some("out/traces/queue-hole1.vcd".to_owned()),
        ..Witness::default()
    };
    result.findings[0].witness = Some(Box::new(witness));
    let late = Witness { reason: Some("out of time".to_owned()), ..Witness::default() };
    result.findings[1].witness = Some(Box::new(late));
    for width in [60, 80] {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true, snapshot_path => "snapshots/texts" }, {
            insta::assert_snapshot!(format!("states_{width}"), drawn(&result, width));
        });
        assert!(drawn(&result, width).lines().all(|line| line.chars().count() <= width));
    }
}

#[test]
fn the_last_line_is_about_the_worst_signal_and_about_the_threshold() {
    let last = |result: &RunResult| drawn(result, 120).lines().last().unwrap_or_default().to_owned();
    let mut result = queue();
    assert_eq!(last(&result), "coverage: 0.00 % (go) to 58.82 %; all together 58.82 % (1.23 seconds)");
    result.judge(&[Threshold::of_each(50.0)]);
    assert!(last(&result).contains("all together 58.82 %, at least 50 %"), "{}", last(&result));
    // Once the user names signals, each has to reach it.
    result.unmentioned = None;
    result.judge(&[Threshold::of_each(50.0)]);
    assert_eq!(last(&result), "coverage of go: 0.00 %, below 50 % (1.23 seconds)");
    result.shares.clear();
    assert_eq!(last(&result), "coverage: not measured (1.23 seconds)");
}

#[test]
fn what_is_not_known_in_full_is_said_to_be() {
    let mut result = queue();
    result.states.truncate(1);
    let row = &mut result.states[0];
    row.reason = Some("out of time".to_owned());
    row.properties[1].reason = Some("out of time".to_owned());
    (row.properties[2].covered, row.properties[2].reason) = (None, Some("unknown: out of time".to_owned()));
    result.shares = [Scope::Observed("wrap".to_owned()), Scope::All]
        .map(|scope| share("state", scope, [1000, 500, 0, 0, 0, 0, 200]))
        .to_vec();
    result.shares.iter_mut().for_each(|share| share.certified = false);
    let text = drawn(&result, 80);
    for expected in [
        "wrap: 58.82 to 70.59 % (1000 to 1200 of 1700 states), not certified: too many to",
        "  keeps is measured in part: out of time\n",
        "  starts is not measured: unknown: out of time\n",
        "  Not certainly covered: 700 states\n",
        "    and 60 more states; --holes N lists more\n",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    result.states[0].not_listed = Some("out of time".to_owned());
    assert!(drawn(&result, 80).contains("  What is not covered is unknown: out of time\n"));
}
