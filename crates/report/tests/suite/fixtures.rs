//! Matrices.

use propcov_report::{
    Core, Element, Known, Minimality, Place, Property, Reads, Seconds, Traceability, Verdict,
};

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
    let element = |(line, name): (usize, &&str)| Element {
        name: (*name).to_owned(),
        kind: String::from("equation"),
        place: Some(Place {
            file: String::from("asw.lus"),
            line: line + 10,
            column: 3,
            end_line: line + 10,
            end_column: 20,
        }),
        constant: false,
    };
    names.iter().enumerate().map(element).collect()
}

/// Positions of names.
pub(crate) fn positions(elements: &[Element], names: &[&str]) -> Vec<usize> {
    let position =
        |name: &&str| elements.iter().position(|element| element.name == *name).expect("a known name");
    names.iter().map(position).collect()
}

/// A proved property with these minimal cores: all of them, or one.
pub(crate) fn proved(name: &str, scope: Scope, cores: &[&[&str]], elements: &[Element]) -> Property {
    let core = |names: &&[&str]| Core {
        elements: positions(elements, names),
        minimal: if scope == Scope::All { Minimality::Minimal } else { Minimality::Unchecked },
        invariants: vec![name.to_owned()],
    };
    let cores: Vec<Core> = cores.iter().map(core).collect();
    let known = Known { cores: cores.clone(), complete: scope == Scope::All, must: None, may: None };
    Property {
        name: name.to_owned(),
        verdict: Verdict::Proved { engine: String::from("k-induction"), k: 1 },
        marks: known.marks(elements.len()),
        complete: known.complete,
        minimum: cores.iter().map(|core| core.elements.clone()).min_by_key(Vec::len),
        cores,
        seconds: Seconds { proof: 0.329, cores: 0.006, total: 0.347, check_limit: Some(31.675) },
        own: elements.iter().position(|element| element.name == name).into_iter().collect(),
        ..Property::default()
    }
}

/// A matrix of proved properties.
pub(crate) fn matrix(
    design: &str,
    names: &[&str],
    scope: Scope,
    rows: &[(&str, &[&[&str]])],
) -> Traceability {
    let elements = elements(names);
    let properties = rows.iter().map(|(name, cores)| proved(name, scope, cores, &elements)).collect();
    Traceability { design: design.to_owned(), elements, properties, others: 0, together: None }
}

const ALL_BUT_D2: &[&str] =
    &["a1_below", "a2_below", "a1_above", "a2_above", "below", "above_hyst", "doi_on", "d1"];

/// The first property set: computed variables as antecedents (Figure 6.3).
pub(crate) fn set_1() -> Traceability {
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
    let reads = |set: &Traceability, antecedent: &[&str]| {
        Some(Reads {
            antecedent: positions(&set.elements, antecedent),
            consequent: positions(&set.elements, &["doi_on"]),
            changes: true,
        })
    };
    set.properties[0].reads = reads(&set, &["a1_below", "a2_below"]);
    set.properties[1].reads = reads(&set, &["a1_above", "a2_above"]);
    set
}

/// The second property set: inputs as antecedents, two cores of `on_p`.
pub(crate) fn set_2() -> Traceability {
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
pub(crate) fn set_3(scope: Scope) -> Traceability {
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
pub(crate) fn hostile() -> Traceability {
    let elements = elements(&HOSTILE);
    let mut properties: Vec<Property> =
        HOSTILE.iter().map(|name| proved(name, Scope::All, &[&[name, "+1"]], &elements)).collect();
    properties.iter_mut().for_each(|row| row.own.clear());
    Traceability {
        design: String::from("<bad> & \"worse\""),
        elements,
        properties,
        others: 0,
        together: None,
    }
}

/// A matrix of this size, filled by a fixed rule; every seventh element is unused.
pub(crate) fn large(elements_count: usize, properties_count: usize, prefix: &str) -> Traceability {
    let names: Vec<String> =
        (0..elements_count).map(|number| format!("core.unit{}.reg_{number}", number % 7)).collect();
    let elements = elements(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let row = |number: usize| {
        let chosen = |name: &&String| {
            let position = names.iter().position(|other| other == *name).expect("a name");
            !position.is_multiple_of(7) && (position * 31 + number * 17) % 5 < 2
        };
        let core: Vec<&str> = names.iter().filter(chosen).map(String::as_str).collect();
        let other: Vec<&str> = core.iter().skip(3).copied().collect();
        proved(&format!("{prefix}{number}"), Scope::All, &[&core, &other], &elements)
    };
    let properties = (0..properties_count).map(row).collect();
    Traceability { design: String::from("large.btor2"), elements, properties, others: 0, together: None }
}
