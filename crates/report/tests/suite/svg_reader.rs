//! Our SVG as geometry, read with another library: fails if it is not well-formed.

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::Event;
use std::collections::{BTreeMap, BTreeSet};

type Attributes = BTreeMap<String, String>;

/// A state or an arrow.
#[derive(Default)]
pub(crate) struct Group {
    class: String,
    pub(crate) title: String,
    /// The attributes of the first rectangle or polygon.
    pub(crate) outline: Attributes,
    path: Option<String>,
    /// Middle, baseline and content.
    pub(crate) texts: Vec<(f64, f64, String)>,
    shift: (f64, f64),
}

/// A picture.
#[derive(Default)]
pub(crate) struct Drawn {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// The names of all elements.
    pub(crate) elements: BTreeSet<String>,
    groups: Vec<Group>,
}

impl Drawn {
    pub(crate) fn read(text: &str) -> Drawn {
        let mut drawn = Drawn::default();
        let mut shift = (0.0, 0.0);
        // Open elements, with their attributes and texts.
        let mut open: Vec<(String, Attributes, String)> = Vec::new();
        let mut reader = quick_xml::Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        loop {
            match reader.read_event().expect("well-formed XML") {
                Event::Start(start) => {
                    let name: String = start.name().as_ref().to_owned();
                    let mut attributes = Attributes::new();
                    for attribute in start.attributes() {
                        let attribute = attribute.expect("a well-formed attribute");
                        let value =
                            attribute.normalized_value(XmlVersion::Explicit1_0).expect("known entities");
                        attributes.insert(attribute.key.as_ref().to_owned(), value.into_owned());
                    }
                    if name == "svg" {
                        (drawn.width, drawn.height) =
                            (number(&attributes, "width"), number(&attributes, "height"));
                    }
                    if let Some(transform) = attributes.get("transform") {
                        let inner =
                            transform.strip_prefix("translate(").and_then(|rest| rest.strip_suffix(')'));
                        let numbers = numbers(inner.expect("a translation"));
                        shift = (numbers[0], numbers[1]);
                    }
                    if let Some(class) = attributes.get("class") {
                        drawn.groups.push(Group { class: class.clone(), shift, ..Group::default() });
                    }
                    drawn.elements.insert(name.clone());
                    open.push((name, attributes, String::new()));
                }
                Event::Text(text) => {
                    if let Some(last) = open.last_mut() {
                        last.2.push_str(&text.xml10_content());
                    }
                }
                Event::GeneralRef(reference) => {
                    let last = open.last_mut().expect("text inside the root");
                    match reference.resolve_char_ref().expect("a character") {
                        Some(character) => last.2.push(character),
                        None => {
                            let name = reference.xml10_content();
                            last.2.push_str(resolve_predefined_entity(&name).expect("an entity"));
                        }
                    }
                }
                Event::End(_) => {
                    let (name, attributes, content) = open.pop().expect("an element that is open");
                    let group = drawn.groups.last_mut();
                    if let Some(group) =
                        group.filter(|_| open.iter().any(|(_, inside, _)| inside.contains_key("class")))
                    {
                        group.add(&name, attributes, content);
                    }
                }
                Event::Eof => break,
                _ => {}
            }
        }
        assert!(open.is_empty());
        drawn
    }

    pub(crate) fn of<'a>(&'a self, class: &'a str) -> impl Iterator<Item = &'a Group> {
        self.groups.iter().filter(move |group| group.class == class)
    }

    pub(crate) fn titles<'a>(&'a self, class: &'a str) -> Vec<&'a str> {
        self.of(class).map(|group| group.title.as_str()).collect()
    }
}

impl Group {
    fn add(&mut self, name: &str, attributes: Attributes, content: String) {
        match name {
            "title" => self.title = content,
            "path" => self.path = attributes.get("d").cloned(),
            "text" => {
                let (x, y) = (number(&attributes, "x"), number(&attributes, "y"));
                self.texts.push((x + self.shift.0, y + self.shift.1, content));
            }
            "rect" | "polygon" if self.outline.is_empty() => self.outline = attributes,
            _ => {}
        }
    }

    fn corners(&self) -> Vec<(f64, f64)> {
        let points = numbers(self.outline.get("points").map_or("", String::as_str));
        points.chunks(2).map(|pair| (pair[0] + self.shift.0, pair[1] + self.shift.1)).collect()
    }

    /// Left, top, right and bottom of a state.
    pub(crate) fn bounds(&self, what: &str) -> [f64; 4] {
        if self.outline.contains_key("width") {
            let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| number(&self.outline, name));
            let (x, y) = (x + self.shift.0, y + self.shift.1);
            return [x, y, x + width, y + height];
        }
        let corners = self.corners();
        assert_eq!(corners.len(), 8, "{what}: {}", self.title);
        let least = |of: fn(&(f64, f64)) -> f64| corners.iter().map(of).fold(f64::INFINITY, f64::min);
        let most = |of: fn(&(f64, f64)) -> f64| corners.iter().map(of).fold(0.0, f64::max);
        [least(|point| point.0), least(|point| point.1), most(|point| point.0), most(|point| point.1)]
    }

    /// The tip of an arrow.
    pub(crate) fn tip(&self, what: &str) -> (f64, f64) {
        *self.corners().first().unwrap_or_else(|| panic!("{what}: {} has no head", self.title))
    }

    /// Points on the line of an arrow, close to each other.
    pub(crate) fn line(&self, what: &str) -> Vec<(f64, f64)> {
        let path = self.path.as_deref().unwrap_or_else(|| panic!("{what}: {} has no line", self.title));
        let mut points: Vec<(f64, f64)> = Vec::new();
        let mut rest = path;
        while let Some(command) = rest.chars().next() {
            let end =
                rest[1..].find(|letter: char| letter.is_ascii_alphabetic()).map_or(rest.len(), |at| at + 1);
            let values = numbers(&rest[1..end]);
            rest = &rest[end..];
            let pen = points.last().copied().unwrap_or_default();
            let straight = |x: f64, y: f64| [pen, pen, (x, y), (x, y)];
            let control = match command {
                'M' => {
                    points.push((values[0], values[1]));
                    continue;
                }
                'H' => straight(values[0], pen.1),
                'V' => straight(pen.0, values[0]),
                'C' => [pen, (values[0], values[1]), (values[2], values[3]), (values[4], values[5])],
                // A half circle: not farther to the right than its radius.
                'A' => {
                    points.push((values[5] + values[0], (pen.1 + values[6]) / 2.0));
                    points.push((values[5], values[6]));
                    continue;
                }
                other => panic!("{what}: {other} in {path}"),
            };
            points.extend((1..=24).map(|step| on_curve(&control, f64::from(step) / 24.0)));
        }
        points.iter().map(|(x, y)| (x + self.shift.0, y + self.shift.1)).collect()
    }
}

fn on_curve(control: &[(f64, f64); 4], t: f64) -> (f64, f64) {
    let u = 1.0 - t;
    let weights = [u * u * u, 3.0 * u * u * t, 3.0 * u * t * t, t * t * t];
    let mean = |of: fn(&(f64, f64)) -> f64| {
        control.iter().map(of).zip(weights).map(|(value, weight)| value * weight).sum()
    };
    (mean(|point| point.0), mean(|point| point.1))
}

fn number(attributes: &Attributes, name: &str) -> f64 {
    attributes
        .get(name)
        .and_then(|text| text.parse().ok())
        .unwrap_or_else(|| panic!("no {name} in {attributes:?}"))
}

fn numbers(text: &str) -> Vec<f64> {
    let words = text.split([' ', ',']).filter(|word| !word.is_empty());
    words.map(|word| word.parse().unwrap_or_else(|_| panic!("{word} is no number"))).collect()
}
