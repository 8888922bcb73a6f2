//! SVG 1.1 that needs nothing else: no scripts, no style sheets, no fonts of its own. Each state and each arrow has a tooltip with everything that has no room.
//!
//! Text is measured in columns of a fixed-width font, since nobody knows what fonts there will be. Heads of arrows are polygons: markers are not
//! drawn by every program.

use super::layout::{Frame, HEAD, Heading, Layout, Route, layout};
use super::look::{Lines, Outline, lines, look, shortened, tooltip};
use super::{LARGEST, LARGEST_TRANSITIONS, Mark, Picture, TooLarge};
use crate::terminal;
use crate::xml::Xml;
use serde::Serialize;
use std::fmt::Write;

const FONT: &str = "DejaVu Sans Mono, Menlo, Consolas, monospace";
const FONT_SIZE: &str = "12";
/// A column of the font, rather more than less.
const COLUMN: f64 = 7.4;
const LINE: f64 = 15.0;
/// Around the text in a state.
const PADDING: (f64, f64) = (12.0, 8.0);
const MARGIN: f64 = 16.0;
const NARROWEST: f64 = 56.0;
/// Titles and lines of legends are folded here.
const WIDEST_TEXT: usize = 90;
/// The most lines of a title, or of a line of the legend.
const MOST_LINES: usize = 6;
/// A sample in the legend.
const SAMPLE: (f64, f64) = (34.0, 18.0);

/// Draws a picture. The same picture always gives the same text.
///
/// # Errors
/// If there are more than [`LARGEST`] states or [`LARGEST_TRANSITIONS`] transitions.
pub fn svg(picture: &Picture) -> Result<String, TooLarge> {
    let Arranged { texts, frames, arrows, layout } = Arranged::new(picture)?;

    let title = folded(&picture.title);
    let legend = Legend::of(picture, layout.has_joins);
    let title_height = title.len() as f64 * LINE + if title.is_empty() { 0.0 } else { MARGIN };
    let widest_title = title.iter().map(|line| measure(line)).fold(0.0, f64::max);
    let width = layout.width.max(legend.width()).max(widest_title) + 2.0 * MARGIN;
    let height = title_height + layout.height + legend.height() + 2.0 * MARGIN;

    let mut drawing = Drawing::new(width, height, &picture.title);
    for (number, line) in title.iter().enumerate() {
        drawing.text((MARGIN, MARGIN + (number as f64 + 0.8) * LINE), line, "start", "bold", "#000000");
    }
    let shift =
        (MARGIN + (width - 2.0 * MARGIN - layout.width).clamp(0.0, 40.0) / 2.0, MARGIN + title_height);
    drawing.xml.open("g", &[("transform", &format!("translate({} {})", shift.0.round(), shift.1.round()))]);
    for ((from, to), route) in arrows.iter().zip(&layout.routes) {
        let name = |state: usize| terminal::printable(&picture.states[state].name);
        drawing.arrow("transition", &format!("{} → {}", name(*from), name(*to)), route);
    }
    for route in &layout.entries {
        drawing.arrow("initial", "initial state", route);
    }
    for (((state, text), frame), corner) in
        picture.states.iter().zip(&texts).zip(&frames).zip(&layout.corners)
    {
        drawing.state(state.mark, &tooltip(state), text, frame, *corner);
    }
    drawing.xml.close();
    drawing.legend(&legend, title_height + layout.height + MARGIN);
    Ok(drawing.xml.finish())
}

/// A picture with a place for everything.
struct Arranged {
    texts: Vec<Lines>,
    frames: Vec<Frame>,
    arrows: Vec<(usize, usize)>,
    layout: Layout,
}

impl Arranged {
    fn new(picture: &Picture) -> Result<Arranged, TooLarge> {
        let arrows = picture.arrows();
        if picture.states.len() > LARGEST || arrows.len() > LARGEST_TRANSITIONS {
            return Err(TooLarge { states: picture.states.len(), transitions: arrows.len() });
        }
        let texts: Vec<Lines> = picture.states.iter().map(lines).collect();
        let mut frames: Vec<Frame> =
            picture.states.iter().zip(&texts).map(|(state, text)| frame(text, state.is_initial)).collect();
        widen(&mut frames, &arrows);
        let layout = layout(&frames, &arrows);
        Ok(Arranged { texts, frames, arrows, layout })
    }
}

/// A picture as data, for those who draw it themselves.
#[derive(Serialize)]
pub(crate) struct Placed {
    width: f64,
    height: f64,
    arrows: Vec<PlacedArrow>,
    states: Vec<PlacedState>,
}

/// A line, and the corners of its head.
#[derive(Serialize)]
struct PlacedArrow {
    path: String,
    head: String,
}

#[derive(Serialize)]
struct PlacedState {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    /// The word of its mark.
    mark: &'static str,
    title: String,
    lines: Vec<String>,
}

/// Where everything is.
///
/// # Errors
/// As [`svg`].
pub(crate) fn placed(picture: &Picture) -> Result<Placed, TooLarge> {
    let Arranged { texts, frames, layout, .. } = Arranged::new(picture)?;
    let arrow = |route: &Route| PlacedArrow { path: route.path.clone(), head: head(route) };
    let state = |at: usize| PlacedState {
        x: layout.corners[at].0,
        y: layout.corners[at].1,
        width: frames[at].width,
        height: frames[at].height,
        mark: look(picture.states[at].mark).word,
        title: tooltip(&picture.states[at]),
        lines: texts[at].all().map(str::to_owned).collect(),
    };
    Ok(Placed {
        width: layout.width,
        height: layout.height,
        arrows: layout.routes.iter().chain(&layout.entries).map(arrow).collect(),
        states: (0..picture.states.len()).map(state).collect(),
    })
}

/// The width of a text.
fn measure(text: &str) -> f64 {
    terminal::columns(text) as f64 * COLUMN
}

/// The size of a state with this text in it. An even number, so that its middle is a whole one.
fn frame(text: &Lines, is_initial: bool) -> Frame {
    let widest = text.all().map(measure).fold(0.0, f64::max);
    let lines = text.all().count() as f64;
    Frame {
        width: even((widest + 2.0 * PADDING.0).max(NARROWEST)),
        height: even(lines * LINE + 2.0 * PADDING.1),
        is_initial,
        has_loop: false,
    }
}

/// Makes room for many arrows, and notes loops.
fn widen(frames: &mut [Frame], arrows: &[(usize, usize)]) {
    let mut ends = vec![0_u32; frames.len()];
    for &(from, to) in arrows {
        if from == to {
            frames[from].has_loop = true;
        } else {
            ends[from] += 1;
            ends[to] += 1;
        }
    }
    for (frame, ends) in frames.iter_mut().zip(ends) {
        frame.width = frame.width.max(even(f64::from(ends.min(40)) * 5.0 + 2.0 * PADDING.0));
    }
}

fn even(length: f64) -> f64 {
    (length / 2.0).ceil() * 2.0
}

/// A text on lines that fit.
fn folded(text: &str) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    let pieces: Vec<String> = text.split_whitespace().map(|word| shortened(word, WIDEST_TEXT)).collect();
    let folded = terminal::pieces(&pieces, WIDEST_TEXT, 0);
    let mut lines: Vec<String> = folded.lines().map(str::to_owned).collect();
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES - 1);
        lines.push(String::from("…"));
    }
    lines
}

/// What is explained below a picture.
struct Legend {
    marks: Vec<Mark>,
    /// Whether there are arrows from nowhere.
    has_initial: bool,
    lines: Vec<String>,
}

impl Legend {
    fn of(picture: &Picture, has_joins: bool) -> Legend {
        let mut lines: Vec<String> = picture.legend.iter().flat_map(|line| folded(line)).collect();
        if has_joins {
            lines.push(String::from("Lines that join lead to the same state."));
        }
        let has_initial = picture.states.iter().any(|state| state.is_initial);
        Legend { marks: picture.marks(), has_initial, lines }
    }

    fn width(&self) -> f64 {
        let marks = self.marks.iter().map(|mark| SAMPLE.0 + 10.0 + measure(&meaning(*mark)));
        marks.chain(self.lines.iter().map(|line| measure(line))).fold(0.0, f64::max)
    }

    fn height(&self) -> f64 {
        let samples = self.marks.len() + usize::from(self.has_initial);
        let rows = samples as f64 * (SAMPLE.1 + 6.0) + self.lines.len() as f64 * LINE;
        if rows > 0.0 { rows + MARGIN } else { 0.0 }
    }
}

fn meaning(mark: Mark) -> String {
    let look = look(mark);
    if look.word.is_empty() { look.meaning.to_owned() } else { format!("{}: {}", look.word, look.meaning) }
}

struct Drawing {
    xml: Xml,
}

impl Drawing {
    fn new(width: f64, height: f64, title: &str) -> Drawing {
        let (width, height) = (width.ceil().to_string(), height.ceil().to_string());
        let attributes = [
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("version", "1.1"),
            ("width", width.as_str()),
            ("height", height.as_str()),
            ("viewBox", &format!("0 0 {width} {height}")),
            ("font-family", FONT),
            ("font-size", FONT_SIZE),
        ];
        let mut xml = Xml::new("svg", &attributes);
        if !title.is_empty() {
            xml.leaf("title", &[], &terminal::printable(title));
        }
        xml.empty("rect", &[("width", &width), ("height", &height), ("fill", "#ffffff")]);
        Drawing { xml }
    }

    fn text(&mut self, (x, y): (f64, f64), text: &str, anchor: &str, weight: &str, colour: &str) {
        let (x, y) = (number(x), number(y));
        let attributes = [
            ("x", x.as_str()),
            ("y", &y),
            ("text-anchor", anchor),
            ("font-weight", weight),
            ("fill", colour),
        ];
        self.xml.leaf("text", &attributes, text);
    }

    fn arrow(&mut self, class: &str, tooltip: &str, route: &Route) {
        self.xml.open("g", &[("class", class)]);
        self.xml.leaf("title", &[], tooltip);
        let line = [("d", route.path.as_str()), ("fill", "none"), ("stroke", "#333333")];
        self.xml.empty("path", &line);
        self.xml.empty("polygon", &[("points", &head(route)), ("fill", "#333333")]);
        self.xml.close();
    }

    fn state(&mut self, mark: Mark, tooltip: &str, text: &Lines, frame: &Frame, corner: (f64, f64)) {
        self.xml.open("g", &[("class", "state")]);
        self.xml.leaf("title", &[], tooltip);
        self.outline(mark, corner, (frame.width, frame.height));
        let middle = corner.0 + frame.width / 2.0;
        let mut baseline = corner.1 + PADDING.1 + 0.78 * LINE;
        let line_colour = look(mark).line;
        let name = std::iter::once((&text.name, "bold", "#000000"));
        let labels = text.labels.iter().map(|line| (line, "normal", "#000000"));
        let remarks = text.remarks.iter().map(|line| (line, "normal", line_colour));
        for (line, weight, colour) in name.chain(labels).chain(remarks) {
            self.text((middle, baseline), line, "middle", weight, colour);
            baseline += LINE;
        }
        self.xml.close();
    }

    fn outline(&mut self, mark: Mark, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let look = look(mark);
        let mut attributes =
            vec![("fill", look.fill), ("stroke", look.line), ("stroke-width", look.line_width)];
        if !look.dashes.is_empty() {
            attributes.push(("stroke-dasharray", look.dashes));
        }
        let [left, top, wide, high] = [x, y, width, height].map(number);
        match look.outline {
            Outline::Cut => {
                let cut = 7.0_f64.min(height / 3.0);
                let (right, bottom) = (x + width, y + height);
                let corners = [
                    (x + cut, y),
                    (right - cut, y),
                    (right, y + cut),
                    (right, bottom - cut),
                    (right - cut, bottom),
                    (x + cut, bottom),
                    (x, bottom - cut),
                    (x, y + cut),
                ];
                let points = points(&corners);
                attributes.push(("points", &points));
                self.xml.empty("polygon", &attributes);
            }
            Outline::Rounded | Outline::Square => {
                attributes.extend([("x", left.as_str()), ("y", &top), ("width", &wide), ("height", &high)]);
                if look.outline == Outline::Rounded {
                    attributes.push(("rx", "9"));
                }
                self.xml.empty("rect", &attributes);
            }
        }
    }

    fn legend(&mut self, legend: &Legend, top: f64) {
        let mut y = top + MARGIN;
        self.xml.open("g", &[("class", "legend")]);
        let beside = MARGIN + SAMPLE.0 + 10.0;
        for &mark in &legend.marks {
            self.outline(mark, (MARGIN, y), SAMPLE);
            self.text((beside, y + 0.72 * SAMPLE.1), &meaning(mark), "start", "normal", "#000000");
            y += SAMPLE.1 + 6.0;
        }
        if legend.has_initial {
            let middle = y + SAMPLE.1 / 2.0;
            let tip = MARGIN + SAMPLE.0;
            let path = format!("M{} {}H{}", number(MARGIN), number(middle), number(tip - HEAD));
            let route = Route { path, tip: (tip, middle), heading: Heading::Right };
            self.arrow("sample", "initial state", &route);
            self.text((beside, y + 0.72 * SAMPLE.1), "initial state", "start", "normal", "#000000");
            y += SAMPLE.1 + 6.0;
        }
        for line in &legend.lines {
            self.text((MARGIN, y + 0.78 * LINE), line, "start", "normal", "#000000");
            y += LINE;
        }
        self.xml.close();
    }
}

/// The head of an arrow.
fn head(route: &Route) -> String {
    let (x, y) = route.tip;
    let (back_x, back_y) = match route.heading {
        Heading::Down => (0.0, -HEAD),
        Heading::Up => (0.0, HEAD),
        Heading::Left => (HEAD, 0.0),
        Heading::Right => (-HEAD, 0.0),
    };
    let (base_x, base_y) = (x + back_x, y + back_y);
    let (wide_x, wide_y) = (back_y * 0.4, back_x * 0.4);
    points(&[(x, y), (base_x + wide_x, base_y + wide_y), (base_x - wide_x, base_y - wide_y)])
}

fn points(points: &[(f64, f64)]) -> String {
    let mut text = String::new();
    for (x, y) in points {
        let space = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{space}{},{}", number(*x), number(*y));
    }
    text
}

/// A length, to a tenth.
fn number(length: f64) -> String {
    ((length * 10.0).round() / 10.0).to_string()
}
