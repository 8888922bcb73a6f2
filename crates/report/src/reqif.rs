//! ReqIF 1.2 (OMG, 2016): requirements, the properties that formalise them with their verdicts, and the elements of the design that their proofs rest on, linked. Tools that manage requirements read it.
//!
//! Where there are no requirements, properties stand for themselves. Identifiers are digests of names: they stay the same from run to run.

use crate::material::Material;
use crate::model::{Mark, Traceability};
use crate::requirements::requirements;
use crate::terminal::printable;
use crate::xml::Xml;
use propcov_result::{Property, RunResult};
use sha2::{Digest, Sha256};

/// Kinds of objects: name, and the names of their attributes.
const KINDS: [(&str, &[&str]); 3] = [
    ("Requirement", &["Identifier", "Text"]),
    ("Property", &["Name", "Verdict", "Certified", "Formula", "Place", "Evidence"]),
    ("Element", &["Name", "Kind", "Place", "Status"]),
];
/// Kinds of links.
const LINKS: [&str; 4] = ["formalised by", "rests in every proof on", "rests in some proof on", "rests on"];
/// What a date is where a result has none.
const NO_DATE: &str = "1970-01-01T00:00:00Z";

/// Something with attributes.
struct Object {
    id: String,
    kind: usize,
    values: Vec<String>,
}

/// From, to, and the kind.
struct Link {
    from: String,
    to: String,
    kind: usize,
}

/// The document.
pub fn reqif(result: &RunResult, material: &Material) -> String {
    let (objects, links) = content(result, material);
    let date = result.run.date.as_deref().filter(|date| crate::date::seconds(date).is_some());
    let date = date.unwrap_or(NO_DATE);
    let mut xml = Xml::new("REQ-IF", &[("xmlns", "http://www.omg.org/spec/ReqIF/20110401/reqif.xsd")]);
    xml.open("THE-HEADER", &[]);
    xml.open("REQ-IF-HEADER", &[("IDENTIFIER", &id("header", ""))]);
    xml.leaf("CREATION-TIME", &[], date);
    xml.leaf("REQ-IF-TOOL-ID", &[], &printable(&format!("propcov {}", result.run.version)));
    xml.leaf("REQ-IF-VERSION", &[], "1.0");
    xml.leaf("SOURCE-TOOL-ID", &[], "propcov");
    xml.leaf("TITLE", &[], "Requirements, properties and what their proofs rest on");
    xml.close();
    xml.close();
    xml.open("CORE-CONTENT", &[]);
    xml.open("REQ-IF-CONTENT", &[]);
    xml.open("DATATYPES", &[]);
    xml.empty(
        "DATATYPE-DEFINITION-STRING",
        &[
            ("IDENTIFIER", &id("type", "")),
            ("LAST-CHANGE", date),
            ("LONG-NAME", "Text"),
            ("MAX-LENGTH", "1000000"),
        ],
    );
    xml.close();
    types(&mut xml, date);
    xml.open("SPEC-OBJECTS", &[]);
    for object in &objects {
        write_object(&mut xml, object, date);
    }
    xml.close();
    xml.open("SPEC-RELATIONS", &[]);
    for link in &links {
        let name = format!("{} {} {}", link.from, link.to, link.kind);
        xml.open("SPEC-RELATION", &[("IDENTIFIER", &id("link", &name)), ("LAST-CHANGE", date)]);
        reference(&mut xml, "TARGET", "SPEC-OBJECT-REF", &link.to);
        reference(&mut xml, "SOURCE", "SPEC-OBJECT-REF", &link.from);
        reference(&mut xml, "TYPE", "SPEC-RELATION-TYPE-REF", &id("link type", LINKS[link.kind]));
        xml.close();
    }
    xml.close();
    specification(&mut xml, &objects, date);
    xml.finish()
}

/// An identifier: XML wants one that begins with a letter or `_`.
fn id(kind: &str, name: &str) -> String {
    let digest = Sha256::digest(format!("{kind}\0{name}"));
    digest.iter().take(16).fold("_".to_owned(), |text, byte| text + &format!("{byte:02x}"))
}

fn content(result: &RunResult, material: &Material) -> (Vec<Object>, Vec<Link>) {
    let (mut objects, mut links) = (Vec::new(), Vec::new());
    let known = |name: &str| result.property(name).is_some();
    for requirement in requirements(result, material) {
        let from = id("requirement", &requirement.id);
        for property in requirement.properties.iter().filter(|name| known(name)) {
            links.push(Link { from: from.clone(), to: id("property", property), kind: 0 });
        }
        objects.push(Object { id: from, kind: 0, values: vec![requirement.id, requirement.text] });
    }
    objects.extend(result.properties.iter().map(property));
    let traceability = Traceability::new(result);
    let mut used: Vec<u32> = Vec::new();
    for row in traceability.properties.iter().filter(|row| known(row.name)) {
        for element in &traceability.elements {
            let kind = match row.mark(*element) {
                Mark::Must => 1,
                Mark::May => 2,
                Mark::Core => 3,
                Mark::Unused | Mark::Unknown | Mark::NoProof => continue,
            };
            used.push(*element);
            let to = id("element", &traceability.name(*element));
            links.push(Link { from: id("property", row.name), to, kind });
        }
    }
    used.sort_unstable();
    used.dedup();
    for element in used {
        let known = traceability.element(element);
        let place = known.and_then(|element| element.places.first()).map(crate::place::position);
        let kind = known.map_or("", |element| &element.kind);
        let status = known.and_then(|element| element.status).map_or("", |status| status.name());
        let name = traceability.name(element);
        let values = vec![name.clone(), kind.to_owned(), place.unwrap_or_default(), status.to_owned()];
        objects.push(Object { id: id("element", &name), kind: 2, values });
    }
    // Names need not differ, and identifiers must.
    let mut seen = std::collections::HashSet::new();
    objects.retain(|object| seen.insert(object.id.clone()));
    let mut seen = std::collections::HashSet::new();
    links.retain(|link| seen.insert((link.from.clone(), link.to.clone(), link.kind)));
    (objects, links)
}

fn property(property: &Property) -> Object {
    let values = vec![
        property.name.clone(),
        property.verdict.name().to_owned(),
        if property.certified { "yes" } else { "no" }.to_owned(),
        property.formula.clone().unwrap_or_default(),
        property.place.as_ref().map(crate::place::position).unwrap_or_default(),
        property.evidence.clone().unwrap_or_default(),
    ];
    Object { id: id("property", &property.name), kind: 1, values }
}

fn types(xml: &mut Xml, date: &str) {
    xml.open("SPEC-TYPES", &[]);
    for (kind, attributes) in KINDS {
        xml.open(
            "SPEC-OBJECT-TYPE",
            &[("IDENTIFIER", &id("kind", kind)), ("LAST-CHANGE", date), ("LONG-NAME", kind)],
        );
        xml.open("SPEC-ATTRIBUTES", &[]);
        for attribute in attributes {
            let identifier = attribute_id(kind, attribute);
            xml.open(
                "ATTRIBUTE-DEFINITION-STRING",
                &[("IDENTIFIER", &identifier), ("LAST-CHANGE", date), ("LONG-NAME", attribute)],
            );
            reference(xml, "TYPE", "DATATYPE-DEFINITION-STRING-REF", &id("type", ""));
            xml.close();
        }
        xml.close();
        xml.close();
    }
    for link in LINKS {
        let identifier = id("link type", link);
        xml.empty(
            "SPEC-RELATION-TYPE",
            &[("IDENTIFIER", &identifier), ("LAST-CHANGE", date), ("LONG-NAME", link)],
        );
    }
    let identifier = id("specification type", "");
    xml.empty(
        "SPECIFICATION-TYPE",
        &[("IDENTIFIER", &identifier), ("LAST-CHANGE", date), ("LONG-NAME", "List")],
    );
    xml.close();
}

fn attribute_id(kind: &str, attribute: &str) -> String {
    id("attribute", &format!("{kind} {attribute}"))
}

fn write_object(xml: &mut Xml, object: &Object, date: &str) {
    let (kind, attributes) = KINDS[object.kind];
    xml.open("SPEC-OBJECT", &[("IDENTIFIER", &object.id), ("LAST-CHANGE", date)]);
    xml.open("VALUES", &[]);
    for (attribute, value) in attributes.iter().zip(&object.values).filter(|(_, value)| !value.is_empty()) {
        xml.open("ATTRIBUTE-VALUE-STRING", &[("THE-VALUE", &printable(value))]);
        reference(xml, "DEFINITION", "ATTRIBUTE-DEFINITION-STRING-REF", &attribute_id(kind, attribute));
        xml.close();
    }
    xml.close();
    reference(xml, "TYPE", "SPEC-OBJECT-TYPE-REF", &id("kind", kind));
    xml.close();
}

fn reference(xml: &mut Xml, role: &'static str, kind: &'static str, to: &str) {
    xml.open(role, &[]);
    xml.leaf(kind, &[], to);
    xml.close();
}

/// All objects, in their order.
fn specification(xml: &mut Xml, objects: &[Object], date: &str) {
    xml.open("SPECIFICATIONS", &[]);
    let identifier = id("specification", "");
    xml.open(
        "SPECIFICATION",
        &[("IDENTIFIER", &identifier), ("LAST-CHANGE", date), ("LONG-NAME", "propcov")],
    );
    reference(xml, "TYPE", "SPECIFICATION-TYPE-REF", &id("specification type", ""));
    xml.open("CHILDREN", &[]);
    for object in objects {
        let place = id("place", &object.id);
        xml.open("SPEC-HIERARCHY", &[("IDENTIFIER", &place), ("LAST-CHANGE", date)]);
        reference(xml, "OBJECT", "SPEC-OBJECT-REF", &object.id);
        xml.close();
    }
    xml.close();
    xml.close();
    xml.close();
}
