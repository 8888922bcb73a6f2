//! JKind's XML, read back with another library.

use crate::fixtures::{
    HOSTILE, Scope, about, elements, hostile, matrix, numbers, prove, refute, set_1, set_2,
};
use crate::results::{property, signal, trace};
use propcov_result::{
    CoreAtDepth, CoreGoal, CoreRow, CoreSet, Minimality, RunResult, TraceSignalKind, Verdict,
};
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::Event;

fn snapshot(name: &str, content: &str) {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, content);
    });
}

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Uc,
    All,
    Must,
    Minimal,
    Bounded,
}

/// The document as if that had been asked for.
fn document(result: &RunResult, form: Form) -> String {
    let mut result = result.clone();
    for row in &mut result.cores {
        row.goal = match form {
            Form::Uc => CoreGoal::One,
            Form::All => CoreGoal::All,
            Form::Must => CoreGoal::Must,
            Form::Minimal | Form::Bounded => CoreGoal::Minimal,
        };
        if form == Form::Bounded {
            row.algorithm = "bvc".to_owned();
        }
    }
    propcov_report::jkind::document(&result)
}

/// The running example of the thesis's chapters 3 and 4 (Figures 4.10 and 4.12 to 4.15).
fn running_example(scope: Scope) -> RunResult {
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
    minimal.cores[0].cores[0].minimal = Minimality::Minimal;
    snapshot("figure_4_15", &document(&minimal, Form::Minimal));
}

#[test]
fn bounded_cores_are_runs() {
    let mut set = matrix("toy.lus", &["counter1", "counter2", "OK"], Scope::One, &[("OK", &[])]);
    (set.properties[0].verdict, set.properties[0].depth) = (Verdict::Bounded, Some(5));
    let core =
        |depth, up_to: &[u32], at: &[u32]| CoreAtDepth { depth, up_to: up_to.to_vec(), at: at.to_vec() };
    set.cores[0].by_depth = vec![core(4, &[0, 2], &[0, 2]), core(5, &[0, 1, 2], &[1, 2])];
    snapshot("figure_5_17", &document(&set, Form::Bounded));
}

#[test]
fn cores_up_to_a_depth_are_kept_and_the_property_is_unknown() {
    let mut set = running_example(Scope::All);
    (set.properties[0].verdict, set.properties[0].depth) = (Verdict::Bounded, Some(7));
    let texts = texts(&document(&set, Form::All));
    assert_eq!(all(&texts, "Answer"), ["unknown"]);
    assert_eq!(all(&texts, "TrueFor"), ["8"]);
    assert_eq!(all(&texts, "NumberOfIVCs"), ["2"]);
    assert_eq!(all(&texts, "Ivc").len(), 8);
}

#[test]
fn several_properties_and_those_without_proof() {
    let mut set = set_2();
    refute(&mut set, "all_p", Verdict::Falsified);
    let fails = &mut set.properties[2];
    fails.name = "fails".to_owned();
    fails.engine = Some("bmc".to_owned());
    fails.trace = Some(trace(vec![
        signal("ok", TraceSignalKind::Output, "bool", "1 0"),
        signal("alt", TraceSignalKind::Input, "int", "7 8"),
    ]));
    set.cores[2].property = Some("fails".to_owned());
    let mut open = property("open", Verdict::Unknown);
    open.depth = Some(11);
    set.properties.push(open);
    let universe = set.cores[0].universe.clone();
    set.cores.push(CoreRow { property: Some("open".to_owned()), universe, ..CoreRow::default() });
    snapshot("several_all", &document(&set, Form::All));
    snapshot("several_uc", &document(&set, Form::Uc));
}

#[test]
fn undecided_is_neither_must_nor_silent() {
    let mut set = set_1();
    set.cores.truncate(1);
    let (core, below) = (numbers(&set.elements, &["below", "doi_on"]), numbers(&set.elements, &["below"]));
    let doi_on = numbers(&set.elements, &["doi_on"]);
    let row = &mut set.cores[0];
    row.cores = vec![CoreSet {
        elements: core,
        minimal: Minimality::Undecided,
        undecided: below.clone(),
        invariants: Vec::new(),
    }];
    (row.complete, row.must, row.must_unknown) = (false, Some(doi_on), below);
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
    let mut set = about("", elements(&["n~0.x", "n~1.x", "y"]));
    prove(&mut set, "P", Scope::One, &[&["n~0.x", "n~1.x", "y"]]);
    let texts = texts(&document(&set, Form::Uc));
    assert_eq!(all(&texts, "IVC"), ["n~0.x", "n~1.x", "y"]);
    assert_eq!(all(&texts, "TRIVC"), ["n.x", "y"]);
}

#[test]
fn an_empty_document_is_a_document() {
    let text = propcov_report::jkind::document(&RunResult::default());
    assert_eq!(text.lines().count(), 3, "{text}");
    assert_eq!(texts(&text).len(), 1);
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
