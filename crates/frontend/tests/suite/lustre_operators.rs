//! Lustre equations taken apart: which elements there are, that nothing changes as long as nothing is edited, and that to free an operator means to put any value in
//! its place.

use crate::common;
use propcov_frontend::{
    Design, Elements, Granularity, Options, Sources, UniverseError, UniverseOptions, read, read_as, universe,
};
use propcov_ir::{
    ConstraintKind, Edit, Edits, ElementId, ElementKind, Frame, Interpreter, Node, Parent, PropertyKind,
    Region, SignalId, SignalKind, Site, Sort, Step, System, Value, WholeId,
};
use propcov_testkit::lustre::{Failure, Kind, Program, for_random_programs};
use propcov_testkit::{Random, random_value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

const STEPS: usize = 6;

fn example(name: &str) -> String {
    let path = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("an example")
}

fn parsed(text: &str, granularity: Granularity) -> Result<Design, String> {
    let design = read_as(
        &Sources::one("test.lus", text.as_bytes()),
        &[],
        &Options { granularity, ..Options::default() },
    );
    let (design, _) = design.map_err(|error| error.to_string())?;
    design.system.validate().map_err(|error| error.to_string())?;
    Ok(design)
}

fn operators(text: &str) -> Design {
    parsed(text, Granularity::Operator).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The names of all elements, shortened by the place: `x and`.
fn names(text: &str) -> Vec<String> {
    let design = operators(text);
    let elements = design.system.elements().iter();
    elements
        .map(|element| match (element.name.split_once('@'), element.kind) {
            (Some((equation, place)), ElementKind::Operator) => {
                format!("{equation} {}", place.split_once(' ').expect("a word").1)
            }
            _ => format!("{} ({})", element.name, element.kind.name()),
        })
        .collect()
}

fn random_scalar(random: &mut Random, sort: &Sort) -> Value {
    match sort {
        Sort::Int => Value::Int((random.below(13) as i64 - 6).into()),
        Sort::Real => {
            let quarters = random.below(25) as i64 - 12;
            Value::Real(dashu_ratio::RBig::from_parts(quarters.into(), 4u8.into()))
        }
        sort => random_value(random, sort),
    }
}

/// One of two systems with the same variables, in the middle of a run.
struct Runner<'s> {
    interpreter: Interpreter<'s>,
    states: Vec<Value>,
}

impl<'s> Runner<'s> {
    fn new(system: &'s System, edits: &'s Edits) -> Runner<'s> {
        Runner { interpreter: Interpreter::new(system, edits).expect("no loops"), states: Vec::new() }
    }

    fn system(&self) -> &'s System {
        self.interpreter.system()
    }

    /// Values by name of signals; what is not there yet is drawn.
    fn draw(
        &self,
        signals: &[SignalId],
        values: &mut HashMap<String, Value>,
        random: &mut Random,
    ) -> Vec<Value> {
        let draw = |signal: &SignalId| {
            let signal = self.system().signal(*signal);
            values.entry(signal.name.clone()).or_insert_with(|| random_scalar(random, &signal.sort)).clone()
        };
        signals.iter().map(draw).collect()
    }

    fn step(&mut self, at: usize, inputs: Vec<Value>, free: BTreeMap<ElementId, Value>) -> Frame<'_> {
        let mut step = Step { inputs, states: self.states.clone(), free };
        if at == 0 {
            self.interpreter.start(&mut step, |_| true).expect("fits");
        }
        let mut frame = self.interpreter.frame(&step).expect("fits");
        let next = frame.successor_values().expect("fits");
        self.states = next.into_iter().map(|value| value.expect("a next value")).collect();
        self.interpreter.frame(&step).expect("fits")
    }
}

/// Runs two systems side by side. All variables of the first one have the same values in the second one, and so have properties and constraints.
///
/// A freed element of the second one takes the values of the input `zz` of the first one, or of the state `pre zz` where it is under a `pre` that is distributed.
fn compare(
    first: &System,
    second: &System,
    freed: Option<ElementId>,
    seed: u64,
    is_compared: impl Fn(&str) -> bool,
) -> Result<(), String> {
    let mut random = Random::new(seed ^ 0x0be7);
    let edits = freed.map_or(Edits::none(), |element| Edits::one(element, Edit::Free));
    let none = Edits::none();
    let (mut one, mut two) = (Runner::new(first, &none), Runner::new(second, &edits));
    let mut start = HashMap::new();
    one.states = one.draw(first.states(), &mut start, &mut random);
    two.states = two.draw(second.states(), &mut start, &mut random);
    let ids: HashMap<&str, SignalId> =
        second.signals().iter().zip(0..).map(|(signal, at)| (signal.name.as_str(), SignalId(at))).collect();
    for at in 0..STEPS {
        let mut given = HashMap::new();
        let inputs = one.draw(first.inputs(), &mut given, &mut random);
        let of_second = two.draw(second.inputs(), &mut given, &mut random);
        let mut left = one.step(at, inputs, BTreeMap::new());
        let mut free = BTreeMap::new();
        if let Some(element) = freed {
            let position = |name: &str| first.signals().iter().position(|signal| signal.name == name);
            // What has temporal operators under `pre` is an equation of its own.
            let is_now = matches!(second.element(element).site,
                Site::Wire(wire) if second.signal(wire).name.starts_with("~flatten"));
            let before = position("pre zz").filter(|_| !is_now);
            let source = before.or_else(|| position("zz")).ok_or("there is no zz")?;
            free.insert(element, left.signal(SignalId(source as u32)).expect("a value").clone());
        }
        let mut right = two.step(at, of_second, free);
        for (signal, id) in first.signals().iter().zip(0..) {
            let found = ids.get(signal.name.as_str()).and_then(|id| right.signal(*id));
            let expected = left.signal(SignalId(id));
            if found != expected && is_compared(&signal.name) {
                return Err(format!("in step {at} {} is {found:?}, expected {expected:?}", signal.name));
            }
        }
        for (a, b) in first.properties().iter().zip(second.properties()) {
            let (PropertyKind::Invariant(x), PropertyKind::Invariant(y)) = (&a.kind, &b.kind) else {
                return Err("no invariant".to_owned());
            };
            if a.name != b.name || left.value(*x) != right.value(*y) {
                return Err(format!("in step {at} property {} differs", a.name));
            }
        }
        for kind in [ConstraintKind::Always, ConstraintKind::Initial] {
            if left.violated_constraint(kind) != right.violated_constraint(kind) && freed.is_none() {
                return Err(format!("in step {at} constraints differ"));
            }
        }
    }
    Ok(())
}

/// What has to be true of every model that is taken apart.
fn check_shape(plain: &System, design: &Design) -> Result<(), String> {
    let system = &design.system;
    let mut targets = BTreeSet::new();
    for (id, element) in system.element_ids().zip(system.elements()) {
        let is_piece = element.kind == ElementKind::Operator;
        let whole = system.whole_of(id).map(|whole| &system.wholes()[whole.0 as usize]);
        if is_piece != whole.is_some() {
            return Err(format!("{} is in no equation", element.name));
        }
        if let Some(whole) = whole
            && (whole.scope != element.scope || whole.defines.is_empty())
        {
            return Err(format!("{} is not in {}", element.name, whole.name));
        }
        match element.site {
            Site::Wire(wire) if is_piece => check_definition(system, wire)?,
            Site::Wire(wire) => targets.extend([system.signal(wire).name.as_str()]),
            _ => {}
        }
    }
    targets.extend(system.wholes().iter().flat_map(|whole| whole.defines.iter().map(String::as_str)));
    for element in plain.elements().iter().filter(|element| element.kind == ElementKind::Equation) {
        if !targets.contains(element.name.as_str()) && !element.name.starts_with("~flatten") {
            return Err(format!("nobody defines {}", element.name));
        }
    }
    system.wholes().iter().zip(0..).try_for_each(|(equation, number)| {
        let elements: Vec<ElementId> = system.parts(Parent::Whole(WholeId(number))).collect();
        check_spans(system, &equation.name, &elements)
    })
}

/// A definition is a use of one variable, or one operator that reads nothing but other pieces.
fn check_definition(system: &System, wire: SignalId) -> Result<(), String> {
    let SignalKind::Wire { definition } = system.signal(wire).kind else {
        return Err("a piece that is no wire".to_owned());
    };
    if let Node::Signal(_) | Node::Const(_) = system.exprs.node(definition) {
        return Ok(());
    }
    // `->` reads whether this is the first step, and a node with a clock whether its clock has held before.
    let is_hidden = |name: &str| name == "%first" || name.ends_with(".~init") || name.contains(".~state");
    let reads = plain_reads(system, definition);
    match reads.into_iter().find(|name| !is_hidden(name) && !is_table(system, name)) {
        None => Ok(()),
        Some(name) => Err(format!("{} reads {name} itself", system.signal(wire).name)),
    }
}

fn is_table(system: &System, name: &str) -> bool {
    let signal = system.signals().iter().find(|signal| signal.name == name);
    signal.is_some_and(|signal| matches!(signal.sort, Sort::Array(_)))
}

/// The signals under an expression that are no pieces.
fn plain_reads(system: &System, root: propcov_ir::ExprId) -> Vec<&str> {
    let (mut stack, mut found) = (vec![root], Vec::new());
    while let Some(expr) = stack.pop() {
        match system.exprs.node(expr) {
            Node::Signal(signal) => {
                let name = system.signal(*signal).name.as_str();
                if !name.contains('@') {
                    found.push(name);
                }
            }
            _ => stack.extend(system.exprs.operands(expr)),
        }
    }
    found
}

/// Spans of an equation's elements are the same, for scalars of one value, or do not overlap; and they come in the order of the text.
fn check_spans(system: &System, equation: &str, elements: &[ElementId]) -> Result<(), String> {
    let mut last = ((0, 0), (0, 0));
    for id in elements {
        let Some(Region::Text { line, column, end_line, end_column }) =
            system.element(*id).span().map(|span| span.region)
        else {
            return Err(format!("{} has no place", system.element(*id).name));
        };
        let span = ((line, column), (end_line, end_column));
        if span != last && span.0 <= last.1 {
            return Err(format!("spans of {equation} overlap at {}", system.element(*id).name));
        }
        last = span;
    }
    Ok(())
}

fn check_random(program: &Program, seed: u64) -> Result<(), Failure> {
    let text = program.text();
    let plain = read("test.lus", text.as_bytes()).map_err(|error| Failure::Rejected(error.to_string()))?;
    let design = parsed(&text, Granularity::Operator).map_err(Failure::Rejected)?;
    if plain.warnings != design.warnings {
        return Err(Failure::Wrong("warnings differ".to_owned()));
    }
    check_shape(&plain.system, &design).map_err(Failure::Wrong)?;
    compare(&plain.system, &design.system, None, seed, |_| true).map_err(Failure::Wrong)
}

#[test]
fn programs_with_bounds_mean_the_same_when_taken_apart() {
    for_random_programs(Kind::Bounded, 300, 40_000, |seed, program| check_random(program, seed));
}

#[test]
fn programs_without_bounds_mean_the_same_when_taken_apart() {
    for_random_programs(Kind::Free, 600, 50_000, |seed, program| check_random(program, seed));
}

/// Replaces a word of main's equations by a new input, if it is a name or a number. `None` where that makes no program.
fn with_input(program: &Program, design: &Design, element: ElementId) -> Option<String> {
    let system = &design.system;
    let Site::Wire(wire) = system.element(element).site else { return None };
    let of = match &system.signal(wire).sort {
        sort if sort.is_bool() => "bool",
        Sort::Int => "int",
        Sort::Real => "real",
        _ => return None,
    };
    let Some(Region::Text { line, column, end_line, end_column }) =
        system.element(element).span().map(|s| s.region)
    else {
        return None;
    };
    let equation = &system.wholes()[system.whole_of(element)?.0 as usize];
    let main = program.main();
    if equation.name.contains('~') || line != end_line || !main.variables().any(|v| v.name == equation.name) {
        return None;
    }
    let mut lines: Vec<String> = program.text().lines().map(str::to_owned).collect();
    let text = &mut lines[line as usize - 1];
    let word = text.get(column as usize - 1..end_column as usize)?;
    let is_value = word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.')
        && !["pre", "not", "if", "and", "or", "xor", "div", "mod", "real", "int", "floor", "condact"]
            .contains(&word)
        && !text[end_column as usize..].trim_start().starts_with(['(', '[', '{', '.']);
    if !is_value {
        return None;
    }
    text.replace_range(column as usize - 1..end_column as usize, "zz");
    let header = format!("node {}(", main.name);
    let node = lines.iter_mut().find(|line| line.starts_with(&header))?;
    let separator = if main.inputs.is_empty() { "" } else { "; " };
    node.insert_str(header.len(), &format!("zz: {of}{separator}"));
    Some(lines.join("\n"))
}

#[test]
fn to_free_a_use_or_a_constant_means_to_put_an_input_in_its_place() {
    let (tried, under_pre) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    for_random_programs(Kind::Free, 250, 60_000, |seed, program| {
        let design = parsed(&program.text(), Granularity::Operator).map_err(Failure::Rejected)?;
        for element in design.system.element_ids() {
            let Some(text) = with_input(program, &design, element) else { continue };
            // Types may not fit any more: an int where there was a subrange.
            let Ok(replaced) = parsed(&text, Granularity::Equation) else { continue };
            let is_pre = replaced.system.signals().iter().any(|signal| signal.name == "pre zz");
            tried.set(tried.get() + 1);
            under_pre.set(under_pre.get() + usize::from(is_pre));
            let compared =
                compare(&replaced.system, &design.system, Some(element), seed, |name| !name.contains("zz"));
            compared.map_err(|problem| {
                Failure::Wrong(format!("{}: {problem}\n{text}", design.system.element(element).name))
            })?;
        }
        Ok(())
    });
    if std::env::var_os("PROPCOV_SEED").is_none() && std::env::var_os("PROPCOV_CASES").is_none() {
        assert!(tried.get() > 1000 && under_pre.get() > 100, "{tried:?} tried, {under_pre:?} under pre");
    }
}

#[test]
fn to_free_an_operator_means_to_put_an_input_in_its_place() {
    let node = |inputs: &str, body: &str| {
        let function = "function f(x: int) returns (y: int);\nnode add(a, b: int) returns (c: int); let c = a + b; tel\n";
        format!(
            "{function}node main({inputs}x, y: int; a, b: bool; t: int[2]) returns (p: int; q: bool);\nlet {body} tel"
        )
    };
    // The body, the word that is freed, the type of the input in its place, and the body with it.
    for (body, word, of, replaced) in [
        ("p = x + y * 2; q = a;", "p *", "int", "p = x + zz; q = a;"),
        ("p = x + y * 2; q = a;", "p +", "int", "p = zz; q = a;"),
        ("p = 3 - 2 * x; q = a;", "p 3", "int", "p = zz - 2 * x; q = a;"),
        ("p = (2 * 3) + x; q = a;", "p (2 * 3)", "int", "p = zz + x; q = a;"),
        ("p = 0 -> pre (x + p); q = a;", "p +", "int", "p = 0 -> pre zz; q = a;"),
        ("p = 0 -> pre (x + p); q = a;", "p pre", "int", "p = 0 -> zz; q = a;"),
        ("p = 0 -> pre (1 -> pre x); q = a;", "p pre", "int", "p = 0 -> zz; q = a;"),
        ("p = 0 -> pre (1 -> pre x); q = a;", "p ->#2", "int", "p = 0 -> pre zz; q = a;"),
        ("p = 0 -> pre (1 -> pre x); q = a;", "p pre#2", "int", "p = 0 -> pre (1 -> zz); q = a;"),
        ("p = 0 -> pre (1 -> pre x); q = a;", "p 1", "int", "p = 0 -> pre (zz -> pre x); q = a;"),
        (
            "p = if a then x else if b then y else 7; q = a;",
            "p if#2",
            "int",
            "p = if a then x else zz; q = a;",
        ),
        ("p = x; q = not (a and x <= y);", "q <=", "bool", "p = x; q = not (a and zz);"),
        ("p = x; q = a => (b xor x > 3);", "q xor", "bool", "p = x; q = a => zz;"),
        ("p = x; q = a => (b xor x > 3);", "q =>", "bool", "p = x; q = zz;"),
        ("p = f(x + 1) + f(y); q = a;", "p f", "int", "p = zz + f(y); q = a;"),
        ("p = f(x + 1) + f(y); q = a;", "p +", "int", "p = f(zz) + f(y); q = a;"),
        ("p = add(x, 1) + add(y, 1); q = a;", "p add", "int", "p = zz + add(y, 1); q = a;"),
        ("p = add(x, y * 3); q = a;", "add~0.b *", "int", "p = add(x, zz); q = a;"),
        ("p = add(x, y); q = a;", "add~0.c a", "int", "p = zz + y; q = a;"),
        ("p = floor(real(x) / 2.0); q = a;", "p real", "real", "p = floor(zz / 2.0); q = a;"),
        ("p = t[x] + t[1]; q = a;", "p [", "int", "p = zz + t[1]; q = a;"),
        ("p = t[x] + t[1]; q = a;", "p t[1]#2", "int", "p = t[x] + zz; q = a;"),
        ("p = t[x] + t[1]; q = a;", "p x", "int", "p = t[zz] + t[1]; q = a;"),
        ("p, q = (x + 1, a);", "p +", "int", "p, q = (zz, a);"),
        ("p, q = if a then (x, b) else (y, a);", "p if", "int", "p = zz; q = if a then b else a;"),
        ("p, q = if a then (x, b) else (y, a);", "p,q x", "int", "p, q = if a then (zz, b) else (y, a);"),
    ] {
        let text = node("", body);
        let design = operators(&text);
        let (word, count) =
            word.split_once('#').map_or((word, 1), |(word, n)| (word, n.parse().expect("a number")));
        let mut found = design.system.element_ids().filter(|id| {
            let name = &design.system.element(*id).name;
            let (equation, place) = name.split_once('@').expect("a piece");
            format!("{equation} {}", place.split_once(' ').expect("a word").1) == word
        });
        let element = found.nth(count - 1).unwrap_or_else(|| panic!("no {word} in {:?}", names(&text)));
        let first =
            parsed(&node(&format!("zz: {of}; "), replaced), Granularity::Equation).expect("a program");
        for seed in 0..20 {
            // Calls may have other names.
            let compared = compare(&first.system, &design.system, Some(element), seed, |name| {
                ["p", "q"].contains(&name)
            });
            compared.unwrap_or_else(|problem| panic!("{body} with {word} freed: {problem}"));
        }
    }
}

#[test]
fn each_operator_constant_and_use_is_an_element_and_what_only_moves_values_is_none() {
    let node = |body: &str| {
        format!(
            "type pair = struct {{ a: int; b: bool }}; const N = 2;
             node main(x, y: int; s: pair; t: int[3]) returns (p: int; q: bool; r: pair; u: int[3]); let {body} tel"
        )
    };
    let rest = "q = true; r = s; u = t;";
    for (body, expected) in [
        ("p = x;", "p x"),
        ("p = 3;", "p 3"),
        ("p = -3;", "p -3"),
        ("p = N * 2 + 1;", "p N * 2 + 1"),
        ("p = -x;", "p -; p x"),
        ("p = x - y - x;", "p x; p -; p y; p -; p x"),
        ("p = x * N + y div 2;", "p x; p *; p +; p y; p div"),
        ("p = t[1] + t[N];", "p t[1]; p +; p t[N]"),
        ("p = t[x];", "p t[0]; p t[1]; p t[2]; p [; p x"),
        ("p = s.a;", "p s.a"),
        ("p = (if s.b then s else pair { a = x; b = true }).a;", "p if; p s.b; p s.a; p x"),
        ("p = s{ a := y + 1 }.a;", "p y; p +; p 1"),
        ("p = [x, y, 7][1] + 1;", "p y; p +; p 1"),
    ] {
        let found = names(&node(&format!("{body} {rest}")));
        let found: Vec<&str> =
            found.iter().filter(|name| name.starts_with("p ")).map(String::as_str).collect();
        assert_eq!(found.join("; "), expected, "{body}");
    }
    let found = names(&node("p = 1; q = true; r = s{ a := x }; u = t[1 := x + 1];"));
    assert_eq!(found.join("; "), "p 1; q true; r.b s.b; r.a x; u[0] t[0]; u[2] t[2]; u x; u[1] +; u 1");
}

#[test]
fn instances_have_jkinds_names_and_what_the_translation_writes_stays_whole() {
    let text = "
        node count(x: int) returns (n: int); let n = x -> pre n + 1; tel
        node main(clock: bool; x: int) returns (p, q: int); let p = count(x) + count(2 * x); q = condact(clock, count(x), 0); tel";
    assert_eq!(
        names(text).join("; "),
        "p count; p +; p count; q condact; count~0.x x; count~0.n x; count~0.n ->; count~0.n pre; count~0.n n; \
         count~0.n +; count~0.n 1; count~1.x *; count~1.x x; count~1.n x; count~1.n ->; count~1.n pre; \
         count~1.n n; count~1.n +; count~1.n 1; count~condact~0.~clock clock; count~condact~0.x x; \
         count~condact~0.n~default 0; count~condact~0.n~clocked (equation); count~condact~0.~state0 (equation); \
         count~condact~0.~init (equation); count~condact~0.n x; count~condact~0.n ->; count~condact~0.n n; \
         count~condact~0.n +; count~condact~0.n 1"
    );
}

#[test]
fn names_stay_short_however_many_variables_an_equation_has() {
    let variables: Vec<String> = (0..2000).map(|at| format!("v{at}")).collect();
    let (all, values) = (variables.join(", "), vec!["x + 1"; 2000].join(", "));
    let design = operators(&format!("node main(x: int) returns ({all}: int); let {all} = ({values}); tel"));
    assert_eq!(design.system.elements().len(), 6000);
    assert!(design.system.elements().iter().all(|element| element.name.len() < 40));
    let equation = &design.system.wholes()[0];
    assert_eq!((equation.name.as_str(), equation.defines.len()), ("v0,v1,v2,…", 2000));
}

#[test]
fn too_many_operators_are_refused() {
    let sum: Vec<String> = (0..20).map(|at| format!("t[x + {at}]")).collect();
    let text = format!("node main(x: int; t: int[60000]) returns (y: int); let y = {}; tel", sum.join(" + "));
    assert!(read("test.lus", text.as_bytes()).is_ok());
    let error = parsed(&text, Granularity::Operator).expect_err("too large");
    assert!(error.contains("operators to take apart"), "{error}");
}

#[test]
fn assertions_stay_whole() {
    let text = "node main(x: int) returns (p: bool); let p = x > 0; assert x > 1 and x < 9; check \"name\" p or x > 2; tel";
    assert_eq!(names(text), ["p x", "p >", "p 0", "assert~0 (assumption)"]);
}

#[test]
fn depth_is_no_limit() {
    let chain = " + x".repeat(20_000);
    let design = operators(&format!("node main(x: int) returns (y: int); let y = x{chain}; tel"));
    assert_eq!(design.system.elements().len(), 40_001);
}

#[test]
fn the_altitude_switch_has_these_elements() {
    let text = example("asw.lus");
    let design = operators(&text);
    let lines: Vec<&str> = text.lines().collect();
    let mut shown = String::new();
    for (equation, number) in design.system.wholes().iter().zip(0..) {
        shown.push_str(&format!("{}\n", equation.name));
        for id in design.system.parts(Parent::Whole(WholeId(number))) {
            let element = design.system.element(id);
            let Some(Region::Text { line, column, end_column, .. }) = element.span().map(|span| span.region)
            else {
                panic!("no place");
            };
            let written = &lines[line as usize - 1][column as usize - 1..end_column as usize];
            shown.push_str(&format!("  {:32} {written}\n", element.name));
        }
    }
    insta::assert_snapshot!(shown);
}

fn chosen(design: &Design, options: &UniverseOptions) -> Vec<String> {
    let set = universe(design, options).expect("a universe");
    set.iter().map(|id| design.system.element(id).name.clone()).collect()
}

#[test]
fn the_universe_is_what_the_file_names() {
    let text = example("asw.lus");
    let annotation = "a1_below, a2_below, a1_above, a2_above, below, above_hyst, d1, d2, p, doi_on;";
    let plain = |annotation: &str| {
        let text = text.replace(
            "a1_below, a2_below, a1_above, a2_above, below, above_hyst, d1, d2, p, doi_on;",
            annotation,
        );
        read("asw.lus", text.as_bytes()).expect("a model")
    };
    let default = UniverseOptions::default();
    let all =
        ["doi_on", "a1_below", "a2_below", "a1_above", "a2_above", "below", "above_hyst", "d1", "d2", "p"];
    assert_eq!(chosen(&plain(annotation), &default), all);
    let fewer = plain(&annotation.replace("a1_below, ", "").replace(", doi_on", ""));
    assert_eq!(chosen(&fewer, &default), all[2..]);
    assert_eq!(chosen(&fewer, &UniverseOptions { elements: Elements::Annotated, ..default }), all[2..]);
    assert_eq!(chosen(&fewer, &UniverseOptions { elements: Elements::All, ..default }), all);
    let only = plain(&annotation.replace("a1_below, ", ""));
    assert_eq!(chosen(&only, &default).len(), 9);
}

#[test]
fn without_annotation_the_universe_is_everything_but_assumptions() {
    let text =
        "node main(x: int) returns (p, q: bool); let p = x > 0; q = p; assert x > 1; --%PROPERTY p;\ntel";
    let design = read("test.lus", text.as_bytes()).expect("a model");
    let default = UniverseOptions::default();
    assert_eq!(chosen(&design, &default), ["p", "q"]);
    assert_eq!(chosen(&design, &UniverseOptions { assumptions: true, ..default }), ["p", "q", "assert~0"]);
    let annotated = UniverseOptions { elements: Elements::Annotated, ..default };
    assert_eq!(universe(&design, &annotated), Err(UniverseError::NoAnnotation));
    let aiger = read("toggle.aag", b"aag 1 0 1 1 0\n2 3\n2\n").expect("a model");
    assert_eq!(chosen(&aiger, &default).len(), aiger.system.elements().len());
    assert_eq!(universe(&aiger, &annotated), Err(UniverseError::NoAnnotation));
}

#[test]
fn the_universe_of_operators_is_what_is_inside_annotated_equations() {
    let text = "node main(x: int) returns (p, q, r: bool); let p, q = (x > 0, false -> pre (x < 1 -> pre r)); r = p or x = 3; assert x > 1;
        --%IVC q;\ntel";
    let design = operators(text);
    let of_q: Vec<ElementId> = design.system.parts(Parent::Whole(WholeId(0))).collect();
    assert_eq!(design.system.wholes()[0].name, "p,q");
    let found = universe(&design, &UniverseOptions::default()).expect("a universe");
    assert_eq!(found.iter().collect::<Vec<_>>(), of_q);
    assert_eq!(found.len(), 12);
    let with_assumptions =
        universe(&design, &UniverseOptions { assumptions: true, ..UniverseOptions::default() })
            .expect("a universe");
    assert_eq!(with_assumptions.len(), 13);
}

#[test]
fn an_input_cannot_be_annotated() {
    let text = "node main(x: bool) returns (p: bool); let p = x; --%IVC p, x;\ntel";
    let error = read("test.lus", text.as_bytes()).expect_err("an input");
    assert!(error.message.contains("`x`"), "{error}");
}

#[test]
fn formats_whose_nodes_are_elements_are_read_the_same_way_and_smv_is_refused() {
    let options = Options { granularity: Granularity::Operator, ..Options::default() };
    let aag = b"aag 3 1 1 1 1\n2\n4 6\n6\n6 2 4\n";
    let (design, _) = read_as(&Sources::one("and.aag", aag.as_slice()), &[], &options).expect("a model");
    assert!(design.system.wholes().is_empty());
    assert_eq!(design.system.elements(), read("and.aag", aag).expect("a model").system.elements());
    let smv = "MODULE main VAR x : boolean; ASSIGN next(x) := !x;";
    let error = read_as(&Sources::one("a.smv", smv.as_bytes()), &[], &options).expect_err("SMV");
    assert_eq!(
        error.to_string(),
        "a.smv:1:1: operator granularity is available for AIGER, BTOR2, Lustre, SystemVerilog, this is SMV"
    );
}

#[test]
fn every_shared_model_can_be_taken_apart() {
    for folder in ["lustre/models", "lustre/sefm18"] {
        let Some(files) = common::benchmarks(folder, "lus") else { return };
        // One in five: all of them have been, and reading them takes a while.
        for (name, bytes) in files.iter().step_by(5) {
            let text = String::from_utf8_lossy(bytes);
            let plain = read(name, bytes).unwrap_or_else(|error| panic!("{error}"));
            let design =
                parsed(&text, Granularity::Operator).unwrap_or_else(|error| panic!("{name}: {error}"));
            check_shape(&plain.system, &design).unwrap_or_else(|error| panic!("{name}: {error}"));
            compare(&plain.system, &design.system, None, 1, |_| true)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}
