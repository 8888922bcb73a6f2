//! Pictures: read back with another library, and looked at as geometry.

use crate::svg_reader::{Drawn, Group};
use propcov_report::picture::{
    LARGEST, LARGEST_TRANSITIONS, Mark, Picture, PictureState, TooLarge, dot, svg,
};
use std::collections::{BTreeMap, BTreeSet};

fn snapshot(name: &str, content: &str) {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, content);
    });
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn state(name: &str, labels: &[&str], mark: Mark, uncovered: &[&str]) -> PictureState {
    PictureState {
        name: name.to_owned(),
        labels: owned(labels),
        is_initial: false,
        mark,
        uncovered: owned(uncovered),
    }
}

/// A state of each kind, arrows of each kind: down, up by one row and by more, in a row, around.
fn small() -> Picture {
    let mut states = vec![
        state("idle", &["p", "!q"], Mark::Covered, &[]),
        state("request", &["!p", "!q"], Mark::PartlyCovered, &["q"]),
        state("grant", &["p", "q"], Mark::Uncovered, &["p", "q"]),
        state("wait", &["p", "?q"], Mark::Unknown, &[]),
        state("broken", &["p", "q"], Mark::Unreachable, &[]),
        state("done", &["p"], Mark::Plain, &[]),
    ];
    states[0].is_initial = true;
    Picture {
        title: String::from("Labels that the specification constrains"),
        propositions: owned(&["p", "q"]),
        states,
        transitions: vec![
            (0, 0),
            (0, 1),
            (1, 2),
            (1, 3),
            (2, 3),
            (3, 2),
            (2, 0),
            (3, 5),
            (5, 0),
            (4, 1),
            (1, 0),
            (4, 4),
        ],
        legend: owned(&["p: the light is green, q: somebody waits"]),
    }
}

/// Small ones first, so that the first one that fails is small, too.
fn random(seed: u64) -> Picture {
    let mut random = fastrand::Rng::with_seed(seed);
    let count = random.usize(1..4 + (seed as usize / 4).min(36));
    let name = |number: usize, random: &mut fastrand::Rng| match random.u8(0..8) {
        0 => format!("a rather long name of state number {number} that is cut"),
        1 => format!("größe_高さ_{number}"),
        _ => format!("s{number}"),
    };
    let states = (0..count).map(|number| PictureState {
        name: name(number, &mut random),
        labels: (0..random.usize(0..12)).map(|label| format!("p{label}")).collect(),
        is_initial: number == 0 || random.u8(0..8) == 0,
        mark: random.choice(Mark::ALL).unwrap_or_default(),
        uncovered: (0..random.usize(0..4)).map(|label| format!("p{label}")).collect(),
    });
    let states: Vec<PictureState> = states.collect();
    let arrows = random.usize(0..=3 * count);
    let end = |random: &mut fastrand::Rng| random.u32(0..count as u32);
    let transitions = (0..arrows).map(|_| (end(&mut random), end(&mut random))).collect();
    Picture {
        title: format!("seed {seed}"),
        propositions: Vec::new(),
        states,
        transitions,
        legend: Vec::new(),
    }
}

/// `PROPCOV_SEED` replays one.
fn seeds() -> std::ops::Range<u64> {
    match std::env::var("PROPCOV_SEED").ok().and_then(|seed| seed.parse().ok()) {
        Some(seed) => seed..seed + 1,
        None => 0..400,
    }
}

fn drawn(picture: &Picture) -> Drawn {
    Drawn::read(&svg(picture).expect("a small picture"))
}

#[test]
fn a_small_picture_in_both_formats() {
    snapshot("picture_dot", &dot(&small()));
    snapshot("picture_svg", &svg(&small()).expect("a small picture"));
}

#[test]
fn every_state_and_every_transition_is_drawn() {
    for seed in seeds() {
        let picture = random(seed);
        let drawn = drawn(&picture);
        assert_eq!(drawn.titles("state").len(), picture.states.len(), "seed {seed}");
        let first_lines: Vec<&str> =
            drawn.titles("state").into_iter().map(|title| title.split('\n').next().unwrap_or("")).collect();
        let names: Vec<&str> = picture.states.iter().map(|state| state.name.as_str()).collect();
        assert_eq!(first_lines, names, "seed {seed}");
        let expected: BTreeSet<String> = picture
            .transitions
            .iter()
            .map(|&(from, to)| format!("{} → {}", names[from as usize], names[to as usize]))
            .collect();
        let titles = drawn.titles("transition");
        assert_eq!(titles.len(), expected.len(), "seed {seed}");
        assert_eq!(titles.into_iter().map(str::to_owned).collect::<BTreeSet<_>>(), expected, "seed {seed}");
        let initial = picture.states.iter().filter(|state| state.is_initial).count();
        assert_eq!(drawn.titles("initial").len(), initial, "seed {seed}");
    }
}

#[test]
fn states_and_texts_have_room_and_arrows_go_from_border_to_border() {
    for seed in seeds() {
        let picture = random(seed);
        check_geometry(&picture, &format!("seed {seed}"));
    }
    check_geometry(&small(), "the small picture");
}

#[test]
fn large_pictures_are_laid_out_as_well() {
    let largest = LARGEST as u32;
    let numbered = |transitions: Vec<(u32, u32)>| {
        let states = (0..largest).map(|number| state(&format!("s{number}"), &["p"], Mark::Covered, &["q"]));
        let mut picture = Picture { states: states.collect(), transitions, ..Picture::default() };
        picture.states[0].is_initial = true;
        picture
    };
    let line = (1..largest).map(|number| (number - 1, number));
    let star = (1..largest).flat_map(|number| [(0, number), (number, 0)]);
    let back = (0..700).map(|number: u32| ((number * 37) % largest, (number * number * 7) % largest));
    let back = back.filter(|(from, to)| to <= from);
    let mut random = fastrand::Rng::with_seed(1);
    let any = (0..LARGEST_TRANSITIONS).map(|_| (random.u32(0..largest), random.u32(0..largest)));
    check_geometry(&numbered(Vec::new()), "no transitions");
    check_geometry(&numbered(star.collect()), "star");
    check_geometry(&numbered(line.chain(back).collect()), "line with transitions back");
    check_geometry(&numbered(any.collect()), "random");
}

/// States do not overlap, their texts are inside, arrows begin and end on borders and run across no state, and all of it is on the picture.
fn check_geometry(picture: &Picture, what: &str) {
    let drawn = drawn(picture);
    let boxes: Vec<[f64; 4]> = drawn.of("state").map(|group| group.bounds(what)).collect();
    for (position, one) in boxes.iter().enumerate() {
        let inside = one[0] >= 0.0 && one[1] >= 0.0 && one[2] <= drawn.width && one[3] <= drawn.height;
        assert!(inside, "{what}: a state is off the picture: {one:?}");
        for other in &boxes[position + 1..] {
            let apart = one[2] + 8.0 <= other[0]
                || other[2] + 8.0 <= one[0]
                || one[3] + 8.0 <= other[1]
                || other[3] + 8.0 <= one[1];
            assert!(apart, "{what}: {one:?} and {other:?} overlap");
        }
    }
    for (group, bounds) in drawn.of("state").zip(&boxes) {
        check_texts(group, bounds, what);
    }
    let mut by_name: BTreeMap<&str, [f64; 4]> = BTreeMap::new();
    for (state, bounds) in picture.states.iter().zip(&boxes) {
        by_name.insert(&state.name, *bounds);
    }
    for group in drawn.of("transition") {
        let title = &group.title;
        let (from, to) = title.split_once(" → ").expect("two names");
        let points = group.line(what);
        let (first, last) = (points[0], points[points.len() - 1]);
        let tip = group.tip(what);
        assert!(on_border(first, &by_name[from]), "{what}: {title} begins at {first:?}");
        assert!(on_border(tip, &by_name[to]), "{what}: {title} ends at {tip:?}, not on {:?}", by_name[to]);
        let gap = (tip.0 - last.0).abs() + (tip.1 - last.1).abs();
        assert!((7.0..=9.0).contains(&gap), "{what}: {title}: {last:?} is no head away from {tip:?}");
        for point in points {
            let off = point.0 < 0.0 || point.1 < 0.0 || point.0 > drawn.width || point.1 > drawn.height;
            assert!(!off, "{what}: {title} is off the picture at {point:?}");
            let crossed = boxes.iter().find(|bounds| is_inside(point, bounds));
            assert_eq!(crossed, None, "{what}: {title} runs across a state at {point:?}");
        }
    }
}

/// Texts are in the middle; a column of the font has 7.3 units at most.
fn check_texts(group: &Group, bounds: &[f64; 4], what: &str) {
    for (x, y, text) in &group.texts {
        let half = unicode_columns(text) as f64 * 7.3 / 2.0;
        assert!(x - half >= bounds[0] && x + half <= bounds[2], "{what}: {text} is wider than its state");
        assert!(y - 10.0 >= bounds[1] && y + 3.0 <= bounds[3], "{what}: {text} is above or below its state");
    }
}

/// East Asian characters take two columns.
fn unicode_columns(text: &str) -> usize {
    text.chars().map(|character| if character >= '\u{3000}' { 2 } else { 1 }).sum()
}

fn on_border((x, y): (f64, f64), [left, top, right, bottom]: &[f64; 4]) -> bool {
    let near = |one: f64, other: f64| (one - other).abs() < 0.6;
    let beside = (near(x, *left) || near(x, *right)) && y > top + 3.0 && y < bottom - 3.0;
    let above = (near(y, *top) || near(y, *bottom)) && x > left + 3.0 && x < right - 3.0;
    beside || above
}

fn is_inside((x, y): (f64, f64), [left, top, right, bottom]: &[f64; 4]) -> bool {
    x > left + 0.6 && x < right - 0.6 && y > top + 0.6 && y < bottom - 0.6
}

#[test]
fn marks_are_told_without_colours() {
    let outlines = |mark: Mark| {
        let picture = Picture { states: vec![state("s", &[], mark, &[])], ..Picture::default() };
        let drawn = drawn(&picture);
        let group = drawn.of("state").next().expect("a state");
        let words: Vec<String> = group.texts.iter().skip(1).map(|(_, _, text)| text.clone()).collect();
        let attribute = |name: &str| group.outline.get(name).cloned();
        (words, (attribute("stroke-dasharray"), attribute("stroke-width"), attribute("rx")))
    };
    let all: BTreeSet<_> = Mark::ALL.into_iter().map(outlines).collect();
    let words: BTreeSet<_> = all.iter().map(|(words, _)| words).collect();
    let lines: BTreeSet<_> = all.iter().map(|(_, lines)| lines).collect();
    assert_eq!((words.len(), lines.len()), (Mark::ALL.len(), Mark::ALL.len()));
    let in_dot = |mark: Mark| {
        let picture = Picture { states: vec![state("s", &[], mark, &[])], ..Picture::default() };
        let text = dot(&picture);
        let node = text.lines().find(|line| line.contains("shape=")).expect("a node").to_owned();
        let colours =
            ["fillcolor=", " color="].map(|key| node.split(key).nth(1).map(|rest| rest[..9].to_owned()));
        colours.into_iter().flatten().fold(node, |node, colour| node.replace(&colour, ""))
    };
    assert_eq!(Mark::ALL.into_iter().map(in_dot).collect::<BTreeSet<_>>().len(), Mark::ALL.len());
}

const HOSTILE: [&str; 12] = [
    "say \"hi\"",
    "<script>alert(1)</script>",
    "a&b &amp; ]]>",
    "ends in \\",
    "\\\" -> x [initial=true]",
    "two\nlines",
    "\\n is no line break, \\N neither",
    "escape\u{1b}[31m and \0",
    "",
    "größe_高さ",
    "node",
    "s -> t; }",
];

fn hostile() -> Picture {
    let mut names = owned(&HOSTILE);
    names.push("x".repeat(20_000));
    let states = names.iter().map(|name| PictureState {
        name: name.clone(),
        labels: vec![format!("!{name}")],
        is_initial: true,
        mark: Mark::PartlyCovered,
        uncovered: vec![name.clone()],
    });
    Picture {
        title: names.join(" "),
        propositions: names.clone(),
        transitions: (1..names.len() as u32).map(|number| (number - 1, number)).collect(),
        states: states.collect(),
        legend: names.clone(),
    }
}

#[test]
fn hostile_names_are_only_names_in_svg() {
    let picture = hostile();
    let text = svg(&picture).expect("a small picture");
    let drawn = Drawn::read(&text);
    let elements = ["svg", "title", "rect", "g", "path", "polygon", "text"].map(str::to_owned);
    assert_eq!(drawn.elements, BTreeSet::from(elements));
    let shown = |name: &str| -> String {
        let escaped = |character: char| match character.is_control() {
            true => character.escape_default().collect(),
            false => character.to_string(),
        };
        name.chars().map(escaped).collect()
    };
    for (state, title) in picture.states.iter().zip(drawn.titles("state")) {
        assert_eq!(title.split('\n').next(), Some(shown(&state.name).as_str()));
    }
    let widest = drawn.of("state").map(|group| group.bounds("hostile")).map(|bounds| bounds[2] - bounds[0]);
    assert!(widest.fold(0.0, f64::max) < 300.0, "a very long name is cut");
    assert!(drawn.width < 4000.0 && drawn.height < 6000.0, "{} × {}", drawn.width, drawn.height);
}

#[test]
fn hostile_names_are_only_names_in_dot() {
    let picture = hostile();
    let text = dot(&picture);
    // What GraphViz cannot have in a name: a zero, and an odd number of backslashes before a quote or the end.
    let written = |name: &str| match name {
        "ends in \\" => String::from("ends in \\\\"),
        "\\\" -> x [initial=true]" => String::from("\\\\\" -> x [initial=true]"),
        other => other.replace('\0', "\u{fffd}"),
    };
    let names: Vec<String> = picture.states.iter().map(|state| written(&state.name)).collect();
    let meant: Vec<String> =
        picture.states.iter().map(|state| state.name.replace('\0', "\u{fffd}")).collect();
    let mut nodes = Vec::new();
    let mut edges = Vec::new();
    for statement in text.trim_end_matches("\n}\n").split("\n  \"").skip(1) {
        let (name, rest) = named(statement);
        if let Some(target) = rest.strip_prefix(" -> \"") {
            let (target, rest) = named(target);
            assert_eq!(rest, ";");
            edges.push((name, target));
        } else {
            let props = rest.strip_prefix(" [props=\"").expect("attributes");
            let (props, rest) = unquoted(props);
            assert_eq!(props, format!("!{}", meant[nodes.len()]));
            let label = rest.strip_prefix(", initial=true, label=\"").expect("more attributes");
            let (label, rest) = unquoted(label);
            assert!(label.lines().count() >= 3, "{label}");
            assert!(rest.starts_with(", shape=box, "), "{rest}");
            nodes.push(name);
        }
    }
    assert_eq!(nodes, names);
    let mut expected: Vec<(String, String)> =
        names.windows(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
    expected.sort();
    edges.sort();
    assert_eq!(edges, expected);
}

/// The name of a node up to its closing quote, as GraphViz reads it, and what follows.
fn named(text: &str) -> (String, &str) {
    let mut name = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (name, &text[at + 1..]),
            '\\' => match characters.next() {
                Some((_, '"')) => name.push('"'),
                Some((_, other)) => name.extend(['\\', other]),
                None => break,
            },
            other => name.push(other),
        }
    }
    panic!("the name does not end: {text}");
}

/// A string up to its closing quote, as labels are read, and what follows.
fn unquoted(text: &str) -> (String, &str) {
    let mut meant = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (meant, &text[at + 1..]),
            '\\' => match characters.next() {
                Some((_, 'n')) => meant.push('\n'),
                Some((_, other)) => meant.push(other),
                None => break,
            },
            other => meant.push(other),
        }
    }
    panic!("the string does not end: {text}");
}

#[test]
fn states_of_the_same_name_stay_different_in_dot() {
    let states = ["a", "a", "a#1", "a"].map(|name| state(name, &[], Mark::Plain, &[]));
    let picture =
        Picture { states: states.to_vec(), transitions: vec![(0, 1), (3, 2)], ..Picture::default() };
    let text = dot(&picture);
    assert!(text.contains("  \"a\" -> \"a#5\";\n"), "{text}");
    assert!(text.contains("  \"a#3\" -> \"a#1\";\n"), "{text}");
}

#[test]
fn transitions_without_a_state_are_left_out() {
    let mut picture = small();
    let before = (dot(&picture), svg(&picture));
    picture.transitions.extend([(0, 6), (u32::MAX, 0), (0, 1)]);
    assert_eq!((dot(&picture), svg(&picture)), before);
}

#[test]
fn a_picture_of_nothing_is_a_picture() {
    let drawn = drawn(&Picture::default());
    assert!(drawn.width > 0.0 && drawn.height > 0.0);
    assert!(dot(&Picture::default()).starts_with("digraph {\n"));
}

#[test]
fn large_graphs_are_refused() {
    let states = vec![PictureState::default(); LARGEST + 1];
    let mut picture = Picture { states, ..Picture::default() };
    let error = svg(&picture).expect_err("one state too many");
    assert_eq!(error, TooLarge { states: LARGEST + 1, transitions: 0 });
    assert_eq!(
        error.to_string(),
        "201 states and 0 transitions are too many for a picture: at most 200 states and 1000 transitions are drawn"
    );
    picture.states.pop();
    svg(&picture).expect("as many states as are drawn");
    let all = (0..LARGEST as u32).flat_map(|from| (0..LARGEST as u32).map(move |to| (from, to)));
    picture.transitions = all.take(LARGEST_TRANSITIONS).collect();
    svg(&picture).expect("as many transitions as are drawn");
    picture.transitions.push((199, 199));
    svg(&picture).expect_err("one transition too many");
    assert_eq!(dot(&picture).lines().filter(|line| line.contains(" -> ")).count(), LARGEST_TRANSITIONS + 1);
}
