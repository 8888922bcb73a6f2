//! Results about cores, made by hand.

use crate::results::property;
use propcov_result::{
    CoreGoal, CoreRow, CoreSet, Design, Element, File, Minimality, Place, RunResult, Verdict,
};
use std::collections::BTreeMap;

/// Whether all minimal cores of a property are known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// There may be others.
    One,
    All,
}

/// The elements of the altitude switch (thesis, section 6.3), in the order of Figure 6.3.
pub(crate) const ASW: [&str; 9] =
    ["a1_below", "a2_below", "a1_above", "a2_above", "below", "above_hyst", "doi_on", "d1", "d2"];

/// Elements with these names, each on its own line.
pub(crate) fn elements(names: &[&str]) -> Vec<Element> {
    let element = |(id, name): (u32, &&str)| Element {
        id,
        name: (*name).to_owned(),
        kind: String::from("equation"),
        places: vec![Place {
            file: String::from("asw.lus"),
            line: id + 10,
            column: 3,
            end_line: id + 10,
            end_column: 20,
        }],
        ..Element::default()
    };
    (0..).zip(names).map(element).collect()
}

/// Numbers of names.
pub(crate) fn numbers(elements: &[Element], names: &[&str]) -> Vec<u32> {
    let number =
        |name: &&str| elements.iter().find(|element| element.name == *name).expect("a known name").id;
    names.iter().map(number).collect()
}

/// A result about a design of one file.
pub(crate) fn about(design: &str, elements: Vec<Element>) -> RunResult {
    let mut result = RunResult::new("cores", 0);
    result.design = Some(Design {
        files: vec![File { path: design.to_owned(), sha256: String::new() }],
        elements: elements.len(),
        ..Design::default()
    });
    result.elements = elements;
    result
}

/// Adds a proved property with these minimal cores: all of them, or one.
pub(crate) fn prove(result: &mut RunResult, name: &str, scope: Scope, cores: &[&[&str]]) {
    let core = |names: &&[&str]| CoreSet {
        elements: numbers(&result.elements, names),
        minimal: if scope == Scope::All { Minimality::Minimal } else { Minimality::Unchecked },
        undecided: Vec::new(),
        invariants: vec![name.to_owned()],
    };
    let cores: Vec<CoreSet> = cores.iter().map(core).collect();
    let mut proved = property(name, Verdict::Proved);
    (proved.engine, proved.depth) = (Some("k-induction".to_owned()), Some(1));
    proved.own = result.elements.iter().filter(|element| element.name == name).map(|it| it.id).collect();
    result.properties.push(proved);
    let seconds = [("proof", 0.329), ("cores", 0.006), ("certify", 0.012)];
    result.cores.push(CoreRow {
        property: Some(name.to_owned()),
        goal: if scope == Scope::All { CoreGoal::All } else { CoreGoal::One },
        algorithm: "default".to_owned(),
        holds: true,
        universe: result.elements.iter().map(|element| element.id).collect(),
        complete: scope == Scope::All,
        answered: true,
        minimum: cores.iter().map(|core| core.elements.clone()).min_by_key(Vec::len),
        cores,
        seconds: seconds
            .map(|(phase, time)| (phase.to_owned(), time))
            .into_iter()
            .collect::<BTreeMap<_, _>>(),
        check_limit: Some(31.675),
        ..CoreRow::default()
    });
    if let Some(design) = &mut result.design {
        design.properties = result.properties.len();
    }
}

/// Makes a property one that has no proof.
pub(crate) fn refute(result: &mut RunResult, name: &str, verdict: Verdict) {
    for property in result.properties.iter_mut().filter(|property| property.name == name) {
        property.verdict = verdict;
    }
    for row in result.cores.iter_mut().filter(|row| row.property.as_deref() == Some(name)) {
        (row.holds, row.complete, row.answered) = (false, false, false);
        (row.cores, row.minimum) = (Vec::new(), None);
    }
}

/// A matrix of proved properties.
pub(crate) fn matrix(design: &str, names: &[&str], scope: Scope, rows: &[(&str, &[&[&str]])]) -> RunResult {
    let mut result = about(design, elements(names));
    rows.iter().for_each(|(name, cores)| prove(&mut result, name, scope, cores));
    result
}

const ALL_BUT_D2: &[&str] =
    &["a1_below", "a2_below", "a1_above", "a2_above", "below", "above_hyst", "doi_on", "d1"];

/// The first property set: computed variables as antecedents (Figure 6.3).
pub(crate) fn set_1() -> RunResult {
    let mut set = matrix(
        "asw1.lus",
        &ASW,
        Scope::All,
        &[
            ("on_p", &[&["below", "doi_on"]]),
            ("off_p", &[&["doi_on", "d1"]]),
            ("all_p", &[&["below", "doi_on", "d1"]]),
        ],
    );
    let reads = |set: &RunResult, antecedent: &[&str]| {
        Some(propcov_result::Reads {
            antecedent: numbers(&set.elements, antecedent),
            consequent: numbers(&set.elements, &["doi_on"]),
            changes: true,
        })
    };
    set.properties[0].reads = reads(&set, &["a1_below", "a2_below"]);
    set.properties[1].reads = reads(&set, &["a1_above", "a2_above"]);
    set
}

/// The second property set: inputs as antecedents, two cores of `on_p`.
pub(crate) fn set_2() -> RunResult {
    matrix(
        "asw2.lus",
        &ASW,
        Scope::All,
        &[
            ("on_p", &[&["a1_below", "below", "doi_on"], &["a2_below", "below", "doi_on"]]),
            ("off_p", &[&["doi_on", "d1"]]),
            ("all_p", &[&["a1_below", "below", "doi_on", "d1"], &["a2_below", "below", "doi_on", "d1"]]),
        ],
    )
}

/// The final property set (Figure 6.4, which shows one core of each).
pub(crate) fn set_3(scope: Scope) -> RunResult {
    let both: &[&[&str]] = &[&["a1_below", "below", "doi_on"], &["a2_below", "below", "doi_on"]];
    let on_p = if scope == Scope::All { both } else { &both[..1] };
    matrix(
        "asw3.lus",
        &ASW,
        scope,
        &[("on_p", on_p), ("off_p", &[ALL_BUT_D2]), ("hyst_p", &[&ASW]), ("all_p", &[&ASW])],
    )
}

/// Names that break what is quoted or escaped carelessly.
pub(crate) const HOSTILE: [&str; 10] = [
    "say \"hi\", twice",
    "<&>'\"",
    "=cmd()",
    "+1",
    "-x",
    "@sum",
    "größe_高さ",
    "two\nlines",
    "escape\u{1b}[31m",
    "]]>--",
];

/// A matrix of such names, as elements and as properties.
pub(crate) fn hostile() -> RunResult {
    let mut result = about("<bad> & \"worse\"", elements(&HOSTILE));
    for name in HOSTILE {
        prove(&mut result, name, Scope::All, &[&[name, "+1"]]);
    }
    result.properties.iter_mut().for_each(|property| property.own.clear());
    result
}

/// A matrix of this size, filled by a fixed rule; every seventh element is unused.
pub(crate) fn large(elements_count: usize, properties_count: usize, prefix: &str) -> RunResult {
    let names: Vec<String> =
        (0..elements_count).map(|number| format!("core.unit{}.reg_{number}", number % 7)).collect();
    let mut result = about("large.btor2", elements(&names.iter().map(String::as_str).collect::<Vec<_>>()));
    for number in 0..properties_count {
        let chosen = |(position, _): &(usize, &String)| {
            !position.is_multiple_of(7) && (position * 31 + number * 17) % 5 < 2
        };
        let core: Vec<&str> =
            names.iter().enumerate().filter(chosen).map(|(_, name)| name.as_str()).collect();
        let other: Vec<&str> = core.iter().skip(3).copied().collect();
        prove(&mut result, &format!("{prefix}{number}"), Scope::All, &[&core, &other]);
    }
    result
}
