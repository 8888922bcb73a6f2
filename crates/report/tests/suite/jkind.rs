//! JKind's XML, read back with another library.

use crate::fixtures::{HOSTILE, Scope, hostile, matrix, positions, proved, set_1, set_2};
use propcov_report::jkind::{Form, document};
use propcov_report::{Core, DepthCore, Mark, Minimality, Property, SignalValues, Traceability, Verdict};
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::Event;

fn snapshot(name: &str, content: &str) {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, content);
    });
}

/// The running example of the thesis's chapters 3 and 4 (Figures 4.10 and 4.12 to 4.15).
fn running_example(scope: Scope) -> Traceability {
    let cores: &[&[&str]] = &[&["a2_below", "below", "doi_on", "p"], &["a1_below", "below", "doi_on", "p"]];
    let cores = if scope == Scope::All { cores } else { &cores[1..] };
    matrix("asw.lus", &["a1_below", "a2_below", "below", "doi_on", "p"], scope, &[("p", cores)])
}

#[test]
fn documents_are_those_of_the_figures() {
    snapshot("figure_4_12", &document(&running_example(Scope::One), Form::Uc));
    snapshot("figure_4_13", &document(&running_example(Scope::All), Form::All));
    snapshot("figure_4_14", &document(&running_example(Scope::All), Form::Must));
    let mut minimal = running_example(Scope::One);
    minimal.properties[0].cores[0].minimal = Minimality::Minimal;
    snapshot("figure_4_15", &document(&minimal, Form::Minimal));
}

#[test]
fn bounded_cores_are_runs() {
    let mut set = matrix("toy.lus", &["counter1", "counter2", "OK"], Scope::One, &[("OK", &[])]);
    let row = &mut set.properties[0];
    row.verdict = Verdict::UpTo(5);
    let core =
        |depth, up_to: &[usize], at: &[usize]| DepthCore { depth, up_to: up_to.to_vec(), at: at.to_vec() };
    row.by_depth = vec![core(4, &[0, 2], &[0, 2]), core(5, &[0, 1, 2], &[1, 2])];
    snapshot("figure_5_17", &document(&set, Form::Bounded));
}

#[test]
fn cores_up_to_a_depth_are_kept_and_the_property_is_unknown() {
    let mut set = running_example(Scope::All);
    set.properties[0].verdict = Verdict::UpTo(7);
    let texts = texts(&document(&set, Form::All));
    assert_eq!(all(&texts, "Answer"), ["unknown"]);
    assert_eq!(all(&texts, "TrueFor"), ["8"]);
    assert_eq!(all(&texts, "NumberOfIVCs"), ["2"]);
    assert_eq!(all(&texts, "Ivc").len(), 8);
}

#[test]
fn several_properties_and_those_without_proof() {
    let mut set = set_2();
    set.properties[2] = Property {
        name: String::from("fails"),
        verdict: Verdict::Falsified { engine: String::from("bmc"), length: 2 },
        marks: vec![Mark::NoProof; 9],
        counterexample: vec![SignalValues {
            name: String::from("alt"),
            sort: String::from("int"),
            values: vec![Some(String::from("7")), None],
        }],
        ..Property::default()
    };
    set.properties.push(Property {
        name: String::from("open"),
        verdict: Verdict::Unknown { reason: String::from("timeout"), true_for: 12 },
        marks: vec![Mark::NoProof; 9],
        ..Property::default()
    });
    snapshot("several_all", &document(&set, Form::All));
    snapshot("several_uc", &document(&set, Form::Uc));
}

#[test]
fn undecided_is_neither_must_nor_silent() {
    let mut set = set_1();
    set.properties.truncate(1);
    let core = Core {
        elements: positions(&set.elements, &["below", "doi_on"]),
        minimal: Minimality::Undecided(positions(&set.elements, &["below"])),
        invariants: Vec::new(),
    };
    let row = &mut set.properties[0];
    row.cores = vec![core];
    row.complete = false;
    row.marks[4] = Mark::Core;
    set.properties[0].must_unknown = positions(&set.elements, &["below"]);
    let must = texts(&document(&set, Form::Must));
    assert_eq!(all(&must, "Must"), ["doi_on"]);
    assert_eq!(all(&must, "Undecided"), ["below"]);
    let minimal = texts(&document(&set, Form::Minimal));
    assert_eq!(all(&minimal, "Undecided"), ["below"]);
    let list = texts(&document(&set, Form::All));
    assert_eq!(all(&list, "TimedoutLoop"), ["yes"]);
    assert_eq!(all(&list, "MustElem"), ["doi_on"]);
}

#[test]
fn hostile_names_survive_the_round_trip() {
    let allowed = |name: &str| name.replace('\u{1b}', "\u{fffd}");
    for form in [Form::Uc, Form::All, Form::Must, Form::Minimal, Form::Bounded] {
        let text = document(&hostile(), form);
        let texts = texts(&text);
        for name in HOSTILE {
            let property = ("Property@name".to_owned(), allowed(name));
            assert!(texts.contains(&property), "{form:?}: {name:?} is missing in {text}");
            let element = if form == Form::Must { "Must" } else { "Ivc" };
            assert!(texts.contains(&(element.to_owned(), allowed(name))), "{form:?}: {name:?}");
        }
        // JKind's reader goes by lines.
        let begins = text.lines().filter(|line| line.contains("<Property ")).count();
        assert_eq!(begins, HOSTILE.len());
    }
}

#[test]
fn inlined_calls_lose_their_number_in_trivc() {
    let elements = crate::fixtures::elements(&["n~0.x", "n~1.x", "y"]);
    let row = proved("P", Scope::One, &[&["n~0.x", "n~1.x", "y"]], &elements);
    let set =
        Traceability { design: String::new(), elements, properties: vec![row], others: 0, together: None };
    let texts = texts(&document(&set, Form::Uc));
    assert_eq!(all(&texts, "IVC"), ["n~0.x", "n~1.x", "y"]);
    assert_eq!(all(&texts, "TRIVC"), ["n.x", "y"]);
}

#[test]
fn an_empty_document_is_a_document() {
    for form in [Form::Uc, Form::All, Form::Must, Form::Minimal, Form::Bounded] {
        let text = document(&Traceability::default(), form);
        assert_eq!(text.lines().count(), 3, "{text}");
        assert_eq!(texts(&text).len(), 1);
    }
}

/// The texts in elements of this name.
fn all<'a>(texts: &'a [(String, String)], element: &str) -> Vec<&'a str> {
    texts.iter().filter(|(name, _)| name == element).map(|(_, text)| text.as_str()).collect()
}

/// All texts with the element they are in, and all attributes as `element@attribute`. Fails if the document is not well-formed.
fn texts(document: &str) -> Vec<(String, String)> {
    let mut reader = quick_xml::Reader::from_str(document);
    reader.config_mut().expand_empty_elements = true;
    let mut found = Vec::new();
    let mut open: Vec<(String, String)> = Vec::new();
    loop {
        let mut more = String::new();
        match reader.read_event().expect("well-formed XML") {
            Event::Start(start) => {
                let name = start.name().as_ref().to_owned();
                for attribute in start.attributes() {
                    let attribute = attribute.expect("a well-formed attribute");
                    let value = attribute.normalized_value(XmlVersion::Explicit1_0).expect("known entities");
                    found.push((format!("{name}@{}", attribute.key.as_ref()), value.into_owned()));
                }
                open.push((name, String::new()));
            }
            Event::Text(text) => more.push_str(&text.xml10_content()),
            Event::GeneralRef(reference) => match reference.resolve_char_ref().expect("a character") {
                Some(character) => more.push(character),
                None => {
                    more.push_str(resolve_predefined_entity(&reference.xml10_content()).expect("an entity"));
                }
            },
            Event::End(_) => {
                let (name, content) = open.pop().expect("an element that is open");
                if !content.trim_matches([' ', '\n']).is_empty() {
                    found.push((name, content));
                }
            }
            Event::Eof => break,
            _ => {}
        }
        if let Some((_, content)) = open.last_mut() {
            content.push_str(&more);
        }
    }
    assert!(open.is_empty());
    found
}
