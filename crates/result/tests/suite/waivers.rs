//! Waivers on random designs and random edits of them: what is waived is counted apart in every share, covered things stay covered, and waivers follow the lines that they are about.

use crate::cases;
use crate::made::{FILE, Line, Made, line};
use fastrand::Rng;
use propcov_result::{
    Finding, FindingVerdict, Label, Ladder, RunResult, Scope, Share, Standing, Subject, Tally, Waiver,
    WaiverState, fits, plain,
};

const TODAY: &str = "2027-06-15";

fn waive(made: &Made, waivers: Vec<Waiver>) -> RunResult {
    let mut result = made.result();
    let (elements, text) = (result.elements.clone(), made.text());
    result.waive(waivers, &elements, &|path| (path == FILE).then_some(text.as_str()), TODAY);
    result.climb();
    result.note_waivers();
    result
}

/// Whether a waiver is about a line, by definition.
fn is_about(waiver: &Waiver, line: &Line) -> bool {
    let text = plain(&line.text());
    (waiver.elements.is_empty() || waiver.elements.iter().any(|pattern| fits(pattern, &line.name)))
        && waiver
            .source
            .as_ref()
            .is_none_or(|source| plain(source) == text || plain(source) == text.trim_end_matches(';'))
        && (waiver.files.is_empty() || waiver.files.iter().any(|pattern| fits(pattern, FILE)))
        && (waiver.metrics.is_empty() || waiver.metrics.contains(&"mutation".to_owned()))
        && (waiver.edits.is_empty() || waiver.edits.contains(&"free".to_owned()))
}

fn random_waiver(rng: &mut Rng, made: &Made) -> Waiver {
    let lines = made.elements();
    let any = lines[rng.usize(0..lines.len())];
    let mut waiver = Waiver { reason: "because".to_owned(), ..Waiver::default() };
    match rng.u8(0..5) {
        0 => waiver.elements = vec![any.name.clone()],
        1 => waiver.elements = vec!["s?".to_owned(), "nothing".to_owned()],
        2 => waiver.source = Some(format!(" {}", any.text().replace(' ', "  "))),
        3 => {
            waiver.elements = vec![any.name.clone()];
            waiver.source = Some(plain(&any.text()).trim_end_matches(';').to_owned());
        }
        _ => waiver.files = vec![if rng.bool() { "rtl/*" } else { "other/*" }.to_owned()],
    }
    if rng.u8(0..4) == 0 {
        waiver.metrics = vec![if rng.bool() { "mutation" } else { "must" }.to_owned()];
    }
    if rng.u8(0..4) == 0 {
        waiver.edits = vec![if rng.bool() { "free" } else { "zero" }.to_owned()];
    }
    if rng.u8(0..3) == 0 {
        waiver.expires = Some(["2027-06-14", TODAY, "2027-06-16"][rng.usize(0..3)].to_owned());
    }
    waiver
}

#[test]
fn shares_with_waivers_are_those_that_are_counted_line_by_line() {
    for seed in cases(2_000) {
        let mut rng = Rng::with_seed(seed);
        let made = Made::random(&mut rng);
        let waivers: Vec<Waiver> = (0..rng.usize(1..4)).map(|_| random_waiver(&mut rng, &made)).collect();
        let live: Vec<&Waiver> =
            waivers.iter().filter(|waiver| waiver.expires.as_deref() != Some("2027-06-14")).collect();
        let is_waived = |line: &Line| live.iter().any(|waiver| is_about(waiver, line));
        let result = waive(&made, waivers.clone());
        assert_eq!(result.shares, made.shares(&is_waived), "seed {seed}: {waivers:?}\n{}", made.text());
        for (element, line) in result.elements.iter().zip(made.elements()) {
            let is_noticed = line.verdicts.contains(&FindingVerdict::Covered);
            let expected = is_waived(line) && !is_noticed;
            assert_eq!(element.status == Some(Ladder::Waived), expected, "seed {seed}: {}", element.name);
            assert_eq!(element.waiver.is_some(), expected, "seed {seed}");
            let own: Vec<_> = result
                .findings
                .iter()
                .filter(|finding| matches!(finding.subject, Subject::Element(id) if id == element.id))
                .collect();
            assert_eq!(Standing::of(&own) == Standing::Waived, expected, "seed {seed}");
        }
        for (asked, waiver) in waivers.iter().zip(&result.waivers) {
            let fitting: Vec<&Line> =
                made.elements().into_iter().filter(|line| is_about(asked, line)).collect();
            let is_open = |line: &&Line| !line.verdicts.contains(&FindingVerdict::Covered);
            let names_something = Waiver { metrics: Vec::new(), edits: Vec::new(), ..asked.clone() };
            let expected = match () {
                () if asked.expires.as_deref() == Some("2027-06-14") => WaiverState::Expired,
                () if !made.elements().into_iter().any(|line| is_about(&names_something, line)) => {
                    WaiverState::Stale
                }
                () if fitting.is_empty() => WaiverState::Idle,
                () if fitting.iter().any(is_open) => WaiverState::Used,
                () => WaiverState::Unused,
            };
            assert_eq!(waiver.state, expected, "seed {seed}: {asked:?}");
        }
        let reported = result.waivers.iter().filter(|waiver| {
            matches!(waiver.state, WaiverState::Expired | WaiverState::Stale | WaiverState::Unused)
        });
        assert_eq!(result.notes.len(), reported.count(), "seed {seed}");
    }
}

/// What is waived, by identity.
fn waived(made: &Made, waiver: &Waiver) -> (Vec<usize>, WaiverState) {
    let result = waive(made, vec![waiver.clone()]);
    let lines = made.elements();
    let is_waived = |at: &usize| result.elements[*at].status == Some(Ladder::Waived);
    let identities = (0..lines.len()).filter(is_waived).map(|at| lines[at].identity).collect();
    (identities, result.waivers[0].state)
}

#[test]
fn waivers_stay_with_their_lines_when_others_move_come_and_go() {
    for seed in cases(2_000) {
        let mut rng = Rng::with_seed(seed);
        let mut made = Made::random(&mut rng);
        // A hole that is waived by name, by text, or by both.
        let mut own = line(&mut rng, 100);
        own.verdicts.fill(FindingVerdict::Uncovered);
        own.role = propcov_result::Role::Design;
        let waiver = Waiver {
            elements: if rng.bool() { vec!["s100".to_owned()] } else { Vec::new() },
            reason: "because".to_owned(),
            ..Waiver::default()
        };
        let is_by_text = waiver.elements.is_empty() || rng.bool();
        let waiver = Waiver { source: is_by_text.then(|| own.text()), ..waiver };
        let at = rng.usize(0..=made.lines.len());
        made.lines.insert(at, Ok(own.clone()));
        assert_eq!(waived(&made, &waiver), (vec![100], WaiverState::Used), "seed {seed}");
        // Lines around it are added, removed, and put elsewhere; this one is, too.
        for step in 0..rng.usize(1..6) {
            let at = rng.usize(0..made.lines.len());
            match rng.u8(0..3) {
                0 => made.lines.insert(at, Ok(line(&mut rng, 200 + step))),
                1 => made.lines.insert(at, Err("// a comment".to_owned())),
                _ => {
                    let moved = made.lines.remove(at);
                    let to = rng.usize(0..=made.lines.len());
                    made.lines.insert(to, moved);
                }
            }
        }
        assert_eq!(waived(&made, &waiver), (vec![100], WaiverState::Used), "seed {seed}\n{}", made.text());
        let at = made.lines.iter().position(|line| line.as_ref().is_ok_and(|line| line.identity == 100));
        let at = at.expect("it is there");
        let mut edited = made.clone();
        match rng.u8(0..4) {
            // It is covered now.
            0 => {
                edited.lines[at] = Ok(Line { verdicts: vec![FindingVerdict::Covered; 3], ..own });
                assert_eq!(waived(&edited, &waiver), (vec![], WaiverState::Unused), "seed {seed}");
            }
            // It is gone.
            1 => {
                drop(edited.lines.remove(at));
                assert_eq!(waived(&edited, &waiver), (vec![], WaiverState::Stale), "seed {seed}");
            }
            // It says something else: a waiver of the text is not about that.
            2 => {
                edited.lines[at] = Ok(Line { value: "other".to_owned(), ..own });
                let expected = match is_by_text {
                    true => (vec![], WaiverState::Stale),
                    false => (vec![100], WaiverState::Used),
                };
                assert_eq!(waived(&edited, &waiver), expected, "seed {seed}");
            }
            // It is renamed: whoever names it, or its text, is not about it any more.
            _ => {
                edited.lines[at] = Ok(Line { name: "renamed".to_owned(), ..own });
                assert_eq!(waived(&edited, &waiver), (vec![], WaiverState::Stale), "seed {seed}");
            }
        }
    }
}

/// Labels of a graph: states s0, s1, … with propositions p, q, r.
fn labels(rng: &mut Rng) -> RunResult {
    use FindingVerdict::{Covered, Dead, Uncovered, Unknown};
    let mut result = RunResult::new("refine", 0);
    let count = rng.usize(1..7);
    for proposition in PROPOSITIONS {
        let mut tally = Tally::default();
        for state in 0..count {
            let verdict = *rng.choice([Covered, Uncovered, Uncovered, Dead, Unknown].iter()).expect("some");
            tally.add(verdict, &1_usize.into());
            let label =
                Label { state: format!("s{state}").into(), proposition: proposition.into(), labels: None };
            result.findings.push(Finding {
                metric: "simulation".into(),
                subject: Subject::Label(label),
                edit: "flipped".into(),
                property: None,
                verdict,
                reason: None,
                bound: None,
                by: None,
                certified: true,
                evidence: None,
                witness: None,
                count: None,
                waiver: None,
            });
        }
        result.shares.push(Share::new("simulation", Scope::Proposition(proposition.to_owned()), tally, true));
    }
    result
}

const PROPOSITIONS: [&str; 3] = ["p", "q", "r"];

fn random_label_waiver(rng: &mut Rng) -> Waiver {
    let mut waiver = Waiver { reason: "because".to_owned(), ..Waiver::default() };
    let pick = |rng: &mut Rng, names: &[&str]| vec![names[rng.usize(0..names.len())].to_owned()];
    let kind = rng.u8(0..4);
    if kind != 0 {
        waiver.states = pick(rng, &["s0", "s1", "s5", "s?", "t*"]);
    }
    if kind != 1 {
        waiver.propositions = pick(rng, &["p", "q", "*", "gone"]);
    }
    if rng.u8(0..4) == 0 {
        waiver.metrics = pick(rng, &["simulation", "mutation"]);
    }
    if rng.u8(0..4) == 0 {
        waiver.edits = pick(rng, &["flipped", "zero"]);
    }
    if rng.u8(0..4) == 0 {
        waiver.expires = Some(["2027-06-14", TODAY][rng.usize(0..2)].to_owned());
    }
    waiver
}

#[test]
fn waived_labels_are_those_that_are_counted_one_by_one() {
    let matches = |patterns: &[String], name: &str| {
        patterns.is_empty() || patterns.iter().any(|pattern| fits(pattern, name))
    };
    for seed in cases(2_000) {
        let mut rng = Rng::with_seed(seed);
        let before = labels(&mut rng);
        let mut waivers: Vec<Waiver> = (0..rng.usize(1..4)).map(|_| random_label_waiver(&mut rng)).collect();
        // One of an element is about no label.
        waivers.push(Waiver { elements: vec!["*".to_owned()], reason: "x".to_owned(), ..Waiver::default() });
        let mut result = before.clone();
        let propositions = PROPOSITIONS.map(str::to_owned);
        let is_whole = rng.bool();
        result.waive_labels(waivers.clone(), &propositions, is_whole, TODAY);
        let is_meant = |waiver: &Waiver, label: &Label| {
            !(waiver.states.is_empty() && waiver.propositions.is_empty())
                && matches(&waiver.states, &label.state)
                && matches(&waiver.propositions, &label.proposition)
                && matches(&waiver.metrics, "simulation")
                && matches(&waiver.edits, "flipped")
        };
        let is_live = |waiver: &Waiver| waiver.expires.as_deref() != Some("2027-06-14");
        let is_open = |finding: &Finding| {
            matches!(finding.verdict, FindingVerdict::Uncovered | FindingVerdict::Unknown)
        };
        let label = |finding: &Finding| match &finding.subject {
            Subject::Label(label) => label.clone(),
            _ => unreachable!("all of them are"),
        };
        for finding in &result.findings {
            let first =
                waivers.iter().position(|waiver| is_live(waiver) && is_meant(waiver, &label(finding)));
            let expected = first.filter(|_| is_open(finding)).map(|at| at as u32);
            assert_eq!(finding.waiver, expected, "seed {seed}: {finding:?}");
        }
        for share in &result.shares {
            let mut tally = Tally::default();
            for finding in &result.findings {
                if share.scope != Scope::Proposition(label(finding).proposition.to_string()) {
                    continue;
                }
                match finding.waiver {
                    Some(_) => tally.waived += 1,
                    None => tally.add(finding.verdict, &1_usize.into()),
                }
            }
            assert_eq!(share.tally, tally, "seed {seed}: {:?}", share.scope);
        }
        for (asked, waiver) in waivers.iter().zip(&result.waivers) {
            let meant: Vec<&Finding> =
                before.findings.iter().filter(|finding| is_meant(asked, &label(finding))).collect();
            let is_about_labels = !(asked.states.is_empty() && asked.propositions.is_empty());
            let names_nothing = !PROPOSITIONS.iter().any(|name| matches(&asked.propositions, name));
            let is_restricted = !asked.metrics.is_empty() || !asked.edits.is_empty();
            let expected = match () {
                () if !is_live(asked) => WaiverState::Expired,
                () if !is_about_labels => WaiverState::Idle,
                () if meant.iter().any(|finding| is_open(finding)) => WaiverState::Used,
                () if !meant.is_empty() => WaiverState::Unused,
                () if names_nothing || is_whole && !is_restricted => WaiverState::Stale,
                () => WaiverState::Idle,
            };
            assert_eq!(waiver.state, expected, "seed {seed}: {asked:?}");
        }
    }
}

/// A design with equal statements about one signal, and what a waiver of them waives, by line; and the notes.
fn of_equals(waiver: Waiver, above: usize) -> (Vec<u32>, Vec<String>) {
    let mut rng = Rng::with_seed(7);
    let mut made = Made { lines: vec![Err("// above".to_owned()); above] };
    for (identity, value) in ["1", "2", "1", "1"].into_iter().enumerate() {
        let mut own = line(&mut rng, identity);
        (own.name, own.value, own.is_statement) = ("x".to_owned(), value.to_owned(), true);
        own.verdicts.fill(FindingVerdict::Uncovered);
        own.role = propcov_result::Role::Design;
        made.lines.push(Ok(own));
    }
    let result = waive(&made, vec![Waiver { reason: "because".to_owned(), ..waiver }]);
    let waived = result.elements.iter().filter(|element| element.status == Some(Ladder::Waived));
    let lines = waived.map(|element| element.places[0].line - above as u32).collect();
    (lines, result.notes.into_iter().map(|note| note.text).collect())
}

#[test]
fn of_equal_statements_one_is_waived_by_its_number() {
    for above in [0, 5] {
        let of = |source: &str, nth| {
            let source = (!source.is_empty()).then(|| source.to_owned());
            of_equals(Waiver { elements: vec!["x".to_owned()], source, nth, ..Waiver::default() }, above).0
        };
        assert_eq!(of("", None), [1, 2, 3, 4]);
        assert_eq!(of("x<=1", None), [1, 3, 4], "blanks are left out of texts");
        assert_eq!(of("x <= 1", Some(2)), [3]);
        assert_eq!(of("x <= 1;", Some(3)), [4]);
        assert_eq!(of("x <= 1", Some(4)), [0_u32; 0]);
        assert_eq!(of("", Some(2)), [2]);
    }
}

#[test]
fn waivers_that_may_come_to_mean_something_else_are_told() {
    let by = |name: &str| Waiver { elements: vec![name.to_owned()], ..Waiver::default() };
    let (lines, notes) = of_equals(by("x@3:3"), 0);
    assert_eq!(lines, [3]);
    let better = "better: element = \"x\", source = \"x <= 1\", nth = 2";
    assert!(
        notes[0].contains("another statement's when lines move") && notes[0].ends_with(better),
        "{notes:?}"
    );
    let (lines, notes) = of_equals(by("*"), 0);
    assert_eq!((lines.len(), notes.len()), (4, 1));
    assert!(notes[0].contains("every element"), "{notes:?}");
    assert_eq!(of_equals(by("x*"), 0).1, [""; 0]);
}
