//! Products that cover sets, against the definition: random sets over random fields, all points of which are listed.

use propcov_bdd::{Bdd, Manager, Var};
use propcov_ir::{Bits, EnumSort, SignalId, Sort, System, Value};
use propcov_solve::{Contents, Netlist};
use propcov_symbolic::cubes::{
    Cover, CubeLiteral, Defined, Field, Values, When, cover, of_states, states_behind,
};
use propcov_testkit::{Random, for_random_ctl_systems};
use std::sync::Arc;

fn enumeration(variants: &[&str]) -> Sort {
    let variants = variants.iter().map(|name| (*name).to_owned()).collect();
    Sort::Enum(Arc::new(EnumSort { name: "kind".to_owned(), variants }))
}

fn numbers(low: i32, high: i32) -> Sort {
    let variants = (low..=high).map(|number| number.to_string()).collect();
    Sort::Enum(Arc::new(EnumSort { name: format!("{low}..{high}"), variants }))
}

fn width(sort: &Sort) -> usize {
    match sort {
        Sort::Enum(sort) => sort.width() as usize,
        sort => sort.width().expect("a word") as usize,
    }
}

/// Fields with their values in a manager: a point is a code for each field.
struct World {
    manager: Manager,
    fields: Vec<Field>,
}

type Point = Vec<u64>;

impl World {
    /// Variables are given to bits in an order that depends on the seed.
    fn new(sorts: &[(&str, Sort)], preferred: &[&str], seed: u64) -> World {
        let manager = Manager::new();
        let count: usize = sorts.iter().map(|(_, sort)| width(sort)).sum();
        let mut vars: Vec<Var> = (0..count).map(|_| manager.add_variable()).collect();
        shuffle(&mut vars, &mut Random::new(seed));
        let mut order = vars.clone();
        shuffle(&mut order, &mut Random::new(seed + 1));
        manager.set_order(&order);
        let mut vars = vars.into_iter();
        let fields = (0..)
            .zip(sorts)
            .map(|(at, (label, sort))| Field {
                label: (*label).to_owned(),
                signal: SignalId(at),
                indices: Vec::new(),
                when: When::Now,
                sort: sort.clone(),
                bits: vars.by_ref().take(width(sort)).collect(),
                preferred: preferred.contains(label),
            })
            .collect();
        World { manager, fields }
    }

    fn codes(&self, field: usize) -> u64 {
        match &self.fields[field].sort {
            Sort::Enum(sort) => sort.variants.len() as u64,
            sort => 1 << width(sort),
        }
    }

    /// All points whose codes are values.
    fn points(&self) -> Vec<Point> {
        let mut points = vec![Vec::new()];
        for field in 0..self.fields.len() {
            let codes = self.codes(field);
            points = (points.iter())
                .flat_map(|point| (0..codes).map(|code| [&point[..], &[code]].concat()))
                .collect();
        }
        points
    }

    fn set(&self, points: &[Point]) -> Bdd {
        let mut parts: Vec<Bdd> = points.iter().map(|point| self.point(point)).collect();
        while parts.len() > 1 {
            parts = (parts.chunks(2))
                .map(|pair| pair.iter().skip(1).fold(pair[0].clone(), |a, b| a.or(b).expect("a budget")))
                .collect();
        }
        parts.pop().unwrap_or_else(|| self.manager.constant(false))
    }

    fn point(&self, point: &Point) -> Bdd {
        let mut product = self.manager.constant(true);
        for (field, code) in self.fields.iter().zip(point) {
            for (at, var) in field.bits.iter().enumerate() {
                let bit = self.manager.variable(*var);
                product = product.and(&if code >> at & 1 == 1 { bit } else { !bit }).expect("a budget");
            }
        }
        product
    }

    fn cover(&self, set: &[Point], space: &[Point], most: usize) -> Cover {
        cover(&self.fields, &[], &self.set(set), &self.set(space), most).expect("a budget")
    }

    fn cover_with(&self, words: &[Word], set: &[Point], space: &[Point], most: usize) -> Cover {
        let defined = (100..).zip(words).map(|(signal, word)| Defined {
            label: word.label.clone(),
            signal: SignalId(signal),
            when: When::Now,
            function: self.set(&word.points),
        });
        let defined: Vec<Defined> = defined.collect();
        cover(&self.fields, &defined, &self.set(set), &self.set(space), most).expect("a budget")
    }

    /// The definition that is true where the points say so.
    fn word(&self, label: &str, is_true: impl Fn(&Point) -> bool) -> Word {
        let points = self.points().into_iter().filter(|point| is_true(point)).collect();
        Word { label: label.to_owned(), points }
    }

    fn cover_where(&self, is_in: impl Fn(&Point) -> bool, most: usize) -> Vec<String> {
        let space = self.points();
        let set: Vec<Point> = space.iter().filter(|point| is_in(point)).cloned().collect();
        texts(&self.cover(&set, &space, most))
    }
}

fn texts(cover: &Cover) -> Vec<String> {
    let mut texts: Vec<String> = cover.cubes.iter().map(|cube| format!("{cube} ({})", cube.count)).collect();
    if cover.rest != 0u32.into() {
        texts.push(format!("rest {}", cover.rest));
    }
    texts
}

fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for at in (1..items.len()).rev() {
        items.swap(at, random.below(at + 1));
    }
}

/// Whether the literal allows the code, by the definition of values.
fn allows(literal: &CubeLiteral, code: u64) -> bool {
    let code_of = |value: &Value| match value {
        Value::Enum(_, at) => u64::from(*at),
        Value::Bits(bits) => u64::try_from(bits.unsigned()).expect("a small word"),
        _ => unreachable!("no fields of other sorts"),
    };
    let value = match &literal.sort {
        Sort::Enum(sort) => Value::Enum(sort.clone(), code as u32),
        sort => Value::Bits(Bits::from_u64(width(sort) as u32, code)),
    };
    let allowed = match &literal.values {
        Values::Among(values) => values.iter().any(|value| code_of(value) == code),
        Values::Range(low, high) => (code_of(low)..=code_of(high)).contains(&code),
        Values::Pattern(bits) => {
            bits.iter().enumerate().all(|(at, bit)| bit.is_none_or(|bit| (code >> at & 1 == 1) == bit))
        }
    };
    assert_eq!(literal.values.have(&value), allowed, "{literal} has {value}");
    allowed
}

fn has(literals: &[CubeLiteral], fields: &[Field], words: &[Word], point: &Point) -> bool {
    literals.iter().all(|literal| match fields.iter().position(|field| field.label == literal.label) {
        Some(at) => allows(literal, point[at]),
        None => {
            let word = words.iter().find(|word| word.label == literal.label).expect("a definition");
            allows(literal, u64::from(word.points.binary_search(point).is_ok()))
        }
    })
}

/// A definition: the points, in ascending order, at which it is true.
struct Word {
    label: String,
    points: Vec<Point>,
}

/// Everything that a cover promises.
fn check(fields: &[Field], found: &Cover, set: &[Point], space: &[Point], most: usize) -> Result<(), String> {
    check_with(fields, &[], found, set, space, most)
}

fn check_with(
    fields: &[Field],
    words: &[Word],
    found: &Cover,
    set: &[Point],
    space: &[Point],
    most: usize,
) -> Result<(), String> {
    let is_in = |point: &Point| set.binary_search(point).is_ok();
    let bad: Vec<&Point> = space.iter().filter(|point| !is_in(point)).collect();
    let mut open: Vec<&Point> = set.iter().collect();
    for cube in &found.cubes {
        if bad.iter().any(|point| has(&cube.literals, fields, words, point)) {
            return Err(format!("{cube} has a point that is not in the set"));
        }
        for left_out in 0..cube.literals.len() {
            let mut fewer = cube.literals.clone();
            fewer.remove(left_out);
            if !bad.iter().any(|point| has(&fewer, fields, words, point)) {
                return Err(format!("{cube} does not need {}", cube.literals[left_out]));
            }
        }
        let before = open.len();
        open.retain(|point| !has(&cube.literals, fields, words, point));
        if cube.count != (before - open.len()).into() || before == open.len() {
            return Err(format!("{cube} has {} new points, not {}", before - open.len(), cube.count));
        }
    }
    if !found.cubes.is_sorted_by(|one, next| one.count >= next.count) {
        return Err(format!("not the largest first: {:?}", texts(found)));
    }
    if found.rest != open.len().into() {
        return Err(format!("{} points are in no cube, not {}", open.len(), found.rest));
    }
    let is_short = found.cubes.len() < most && most > 100;
    if found.cubes.len() > most || is_short && !open.is_empty() {
        return Err(format!("{} cubes, {} points in none", found.cubes.len(), open.len()));
    }
    Ok(())
}

/// Points that are in one of a few random products, or just random ones.
fn random_points(random: &mut Random, world: &World, among: &[Point]) -> Vec<Point> {
    if random.percent(20) {
        let percent = random.between(1, 99);
        return among.iter().filter(|_| random.percent(percent)).cloned().collect();
    }
    let products: Vec<Vec<Option<(u64, u64)>>> = (0..random.between(1, 4))
        .map(|_| {
            let range = |field| {
                let (a, b) =
                    (random.below(world.codes(field) as usize), random.below(world.codes(field) as usize));
                random.percent(45).then(|| (a.min(b) as u64, a.max(b) as u64))
            };
            (0..world.fields.len()).map(range).collect()
        })
        .collect();
    let has = |product: &Vec<Option<(u64, u64)>>, point: &Point| {
        product
            .iter()
            .zip(point)
            .all(|(range, code)| range.is_none_or(|(low, high)| (low..=high).contains(code)))
    };
    let inverted = random.percent(30);
    let is_in = |point: &&Point| products.iter().any(|product| has(product, point)) != inverted;
    among.iter().filter(is_in).cloned().collect()
}

const LABELS: [&str; 7] = ["a", "b", "c", "d", "e", "f", "g"];

/// Fields of at most eleven bits in all.
fn random_sorts(random: &mut Random) -> Vec<(&'static str, Sort)> {
    let (mut sorts, mut bits) = (Vec::new(), 0);
    for label in &LABELS[..random.between(1, LABELS.len())] {
        let sort = match random.below(12) {
            0..4 => Sort::BOOL,
            4 => numbers(0, 3),
            5 => numbers(-2, 3),
            6 => enumeration(&["idle", "busy", "done"]),
            7 => enumeration(&["n", "t", "c", "x", "y"]),
            8 => Sort::BitVec(2),
            9 => Sort::BitVec(3),
            10 => Sort::BitVec(7),
            _ => numbers(0, random.between(64, 99) as i32),
        };
        if bits + width(&sort) <= 11 {
            bits += width(&sort);
            sorts.push((*label, sort));
        }
    }
    sorts
}

fn cases(count: u64) -> u64 {
    std::env::var("PROPCOV_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(count)
}

#[test]
fn covers_are_right_whatever_the_order_of_variables() {
    for seed in 0..cases(600) {
        let mut random = Random::new(31_000_000 + seed);
        let sorts = random_sorts(&mut random);
        let preferred: Vec<&str> = LABELS.into_iter().filter(|_| random.percent(40)).collect();
        let world = World::new(&sorts, &preferred, seed);
        let mut space = world.points();
        if random.percent(70) {
            space = random_points(&mut random, &world, &space);
        }
        let set = random_points(&mut random, &world, &space);
        let most = *random.pick(&[0, 1, 3, usize::MAX, usize::MAX]);
        let found = world.cover(&set, &space, most);
        if let Err(problem) = check(&world.fields, &found, &set, &space, most) {
            panic!("seed {seed}: {problem}\n{:?}", texts(&found));
        }
        let again = World::new(&sorts, &preferred, seed + 77).cover(&set, &space, most);
        assert_eq!(texts(&found), texts(&again), "seed {seed}");
    }
}

/// Random functions, some of which say the set, or a part of it.
fn random_words(random: &mut Random, world: &World, space: &[Point], set: &[Point]) -> Vec<Word> {
    let (all, count) = (world.points(), random.between(1, 5));
    let word = |at| {
        let points = match random.below(5) {
            0 => random_points(random, world, set),
            1 => random_points(random, world, space),
            2 => set.to_vec(),
            _ => random_points(random, world, &all),
        };
        Word { label: format!("w{at}"), points }
    };
    (0..count).map(word).collect()
}

#[test]
fn covers_that_speak_of_definitions_are_right_and_not_worse() {
    let (mut with_words, mut shorter) = (0, 0);
    for seed in 0..cases(500) {
        let mut random = Random::new(32_000_000 + seed);
        let sorts = random_sorts(&mut random);
        let preferred: Vec<&str> = LABELS.into_iter().filter(|_| random.percent(40)).collect();
        let world = World::new(&sorts, &preferred, seed);
        let mut space = world.points();
        if random.percent(70) {
            space = random_points(&mut random, &world, &space);
        }
        let set = random_points(&mut random, &world, &space);
        let words = random_words(&mut random, &world, &space, &set);
        let most = *random.pick(&[0, 1, 3, usize::MAX, usize::MAX]);
        let found = world.cover_with(&words, &set, &space, most);
        if let Err(problem) = check_with(&world.fields, &words, &found, &set, &space, most) {
            panic!("seed {seed}: {problem}\n{:?}", texts(&found));
        }
        // The largest product without definitions was there to choose from.
        let plain = world.cover(&set, &space, most);
        let largest = |cover: &Cover| cover.cubes.first().map(|cube| cube.count.clone());
        assert!(largest(&found) >= largest(&plain), "seed {seed}: {:?}, {:?}", texts(&found), texts(&plain));
        let is_word = |literal: &CubeLiteral| literal.signal.0 >= 100;
        with_words += usize::from(found.cubes.iter().any(|cube| cube.literals.iter().any(is_word)));
        shorter += usize::from(found.cubes.len() < plain.cubes.len());
        let again = World::new(&sorts, &preferred, seed + 77).cover_with(&words, &set, &space, most);
        assert_eq!(texts(&found), texts(&again), "seed {seed}");
    }
    assert!(with_words > 0 && shorter > 0, "{with_words}, {shorter}: definitions are of use");
}

#[test]
fn definitions_of_the_user_say_in_one_word_what_takes_many_products() {
    let kind = enumeration(&["none", "done", "retry"]);
    let sorts = [("rd", numbers(0, 3)), ("wr", numbers(0, 3)), ("wrap", Sort::BOOL), ("answer", kind)];
    let world = World::new(&sorts, &[], 4);
    // The write pointer is ahead of the read pointer, or where it is, unless it has wrapped.
    let is_state = |p: &Point| if p[2] == 1 { p[1] <= p[0] } else { p[1] >= p[0] };
    let space: Vec<Point> = world.points().into_iter().filter(is_state).collect();
    let full = world.word("full", |p| p[0] == p[1] && p[2] == 1);
    let zero = world.word("at_zero", |p| p[0] == 0);
    let words = [full, zero, world.word("again", |p| p[3] == 2)];
    let of = |is_in: &dyn Fn(&Point) -> bool, words: &[Word]| {
        let set: Vec<Point> = space.iter().filter(|point| is_in(point)).cloned().collect();
        texts(&world.cover_with(words, &set, &space, 10))
    };
    let missed = |p: &Point| p[0] == p[1] && p[2] == 1 && p[3] != 1;
    assert_eq!(of(&missed, &[]).len(), 4);
    assert_eq!(of(&missed, &words), ["full & answer != done (8)"]);
    // The negation, and what a definition has no part in.
    assert_eq!(of(&|p| !(p[0] == p[1] && p[2] == 1), &words), ["!full (48)"]);
    assert_eq!(of(&|p| p[1] == 2, &words), ["wr = 2 (15)"]);
    // A definition that saves next to nothing is not worth looking up.
    assert_eq!(of(&|p| p[0] == 0, &words), ["rd = 0 (15)"]);
}

/// The states of a system, now and in the next step, with variables of their own; sets are random.
fn agrees_on_fields_of(seed: u64, system: &System) -> Result<(), String> {
    let contents = Contents { all_states: true, ..Contents::default() };
    let netlist = Netlist::with_contents(system, &propcov_ir::Edits::none(), contents)
        .map_err(|error| error.to_string())?;
    let manager = Manager::new();
    let latches = netlist.latches.len();
    let vars: Vec<Var> = (0..2 * latches).map(|_| manager.add_variable()).collect();
    let preferred = states_behind(system, &system.states()[..system.states().len() / 2]);
    let mut fields = of_states(&netlist, system, &vars[..latches], When::Now, &preferred);
    if latches <= 4 {
        fields.extend(of_states(&netlist, system, &vars[latches..], When::Next, &preferred));
    }
    if fields.iter().map(|field| field.bits.len()).sum::<usize>() > 10 {
        return Ok(());
    }
    for field in &fields {
        let state = system.signal(field.signal);
        let label =
            if field.when == When::Now { state.name.clone() } else { format!("next({})", state.name) };
        if field.label != label || field.sort != state.sort || field.bits.len() != width(&state.sort) {
            return Err(format!("{field:?} for {state:?}"));
        }
        for (index, var) in field.bits.iter().enumerate() {
            let origin = netlist.latches[var.0 as usize % latches].origin;
            if (origin.state, origin.index as usize) != (field.signal, index) {
                return Err(format!("{var:?} of {field:?} is {origin:?}"));
            }
        }
    }
    let world = World { manager, fields };
    let mut random = Random::new(seed);
    let space = random_points(&mut random, &world, &world.points());
    let set = random_points(&mut random, &world, &space);
    check(&world.fields, &world.cover(&set, &space, usize::MAX), &set, &space, usize::MAX)
}

#[test]
fn states_and_next_states_of_random_systems_are_fields() {
    for_random_ctl_systems(300, 800_000, agrees_on_fields_of);
}

#[test]
fn products_are_told_in_the_words_of_the_user() {
    let kind = enumeration(&["n1", "t1", "c1"]);
    let world = World::new(
        &[("state1", kind), ("turn", numbers(1, 2)), ("flag", Sort::BOOL), ("count", numbers(0, 7))],
        &[],
        5,
    );
    let expect = |is_in: &dyn Fn(&Point) -> bool, expected: &[&str]| {
        assert_eq!(world.cover_where(is_in, 10), expected);
    };
    expect(&|_| false, &[]);
    expect(&|_| true, &["true (96)"]);
    expect(&|point| point[0] == 0 && point[1] == 0, &["state1 = n1 & turn = 1 (16)"]);
    expect(&|point| point[0] != 2 && point[2] == 0, &["state1 != c1 & !flag (32)"]);
    expect(&|point| [1, 3, 4, 5].contains(&point[3]), &["count in {1, 3..5} (48)"]);
    expect(&|point| point[3] != 6, &["count != 6 (84)"]);
    expect(&|point| ![2, 6].contains(&point[3]), &["count not in {2, 6} (72)"]);
    expect(&|point| point[3] >= 2 && point[2] == 1, &["flag & count >= 2 (36)"]);
    expect(&|point| (2..5).contains(&point[3]), &["count in 2..4 (36)"]);
    expect(&|point| point[3] <= 4, &["count <= 4 (60)"]);
    // The larger one first; what they share counts once.
    expect(&|point| point[2] == 1 || point[0] == 1, &["flag (48)", "state1 = t1 (16)"]);
}

#[test]
fn words_are_ranges_or_patterns() {
    let world = World::new(&[("w", Sort::BitVec(8)), ("v", Sort::BitVec(3))], &[], 9);
    let expect = |is_in: &dyn Fn(&Point) -> bool, expected: &[&str]| {
        assert_eq!(world.cover_where(is_in, 4), expected);
    };
    expect(&|point| point[0] >= 17, &["w >= 17 (1912)"]);
    expect(&|point| (3..=200).contains(&point[0]), &["w in 3..200 (1584)"]);
    expect(&|point| point[0] == 77, &["w = 77 (8)"]);
    expect(&|point| point[0] & 8 != 0, &["w[3] (1024)"]);
    expect(&|point| point[0] & 0x88 == 0x80 && point[1] == 5, &["w[7] & !w[3] & v = 5 (64)"]);
    expect(&|point| point[0] & 0b1010_1011 == 0b1000_0011, &["w = 0b1?0?0?11 (64)"]);
    expect(&|point| point[0] & 0x71 == 0x30, &["w = 0b?011???0 (128)"]);
}

#[test]
fn words_of_many_bits_are_hexadecimal() {
    let manager = Manager::new();
    let bits: Vec<Var> = (0..80).map(|_| manager.add_variable()).collect();
    let field = |label: &str, bits: &[Var]| Field {
        label: label.to_owned(),
        signal: SignalId(0),
        indices: Vec::new(),
        when: When::Now,
        sort: Sort::BitVec(bits.len() as u32),
        bits: bits.to_vec(),
        preferred: false,
    };
    let everything = manager.constant(true);
    let fields = [field("low", &bits[..32]), field("high", &bits[32..])];
    let all = |vars: &[Var]| {
        vars.iter().fold(everything.clone(), |all, var| all.and(&manager.variable(*var)).expect("a budget"))
    };
    let expect = |set: &Bdd, expected: &[&str]| {
        assert_eq!(texts(&cover(&fields, &[], set, &everything, 3).expect("a budget")), expected);
    };
    expect(&all(&bits[..32]), &["low = 0xffffffff (281474976710656)"]);
    expect(&all(&bits[4..32]), &["low >= 0xfffffff0 (4503599627370496)"]);
    expect(&all(&bits[72..]), &["high[47:40] = 255 (4722366482869645213696)"]);
    expect(&all(&bits[40..42]), &["high[9:8] = 3 (302231454903657293676544)"]);
}

#[test]
fn what_is_outside_the_space_makes_products_shorter() {
    let kind = enumeration(&["idle", "busy", "done"]);
    let world = World::new(&[("a", kind), ("b", numbers(0, 5)), ("on", Sort::BOOL)], &[], 1);
    // In the space b is at most 3, and on exactly where a is idle.
    let space: Vec<Point> =
        world.points().into_iter().filter(|p| p[1] <= 3 && (p[2] == 1) == (p[0] == 0)).collect();
    let of = |is_in: &dyn Fn(&Point) -> bool| -> Vec<String> {
        let set: Vec<Point> = space.iter().filter(|point| is_in(point)).cloned().collect();
        texts(&world.cover(&set, &space, 10))
    };
    assert_eq!(of(&|point| point[0] == 0), ["on (4)"]);
    assert_eq!(of(&|point| point[0] != 0), ["!on (8)"]);
    assert_eq!(of(&|point| point[1] == 3), ["b = 3 (3)"]);
    assert_eq!(of(&|point| [0, 2].contains(&point[1])), ["b in {0, 2} (6)"]);
    assert_eq!(of(&|point| point[1] >= 2), ["b >= 2 (6)"]);
    // The same where a is preferred.
    let world = World { fields: prefer(&world.fields, "a"), ..world };
    let set: Vec<Point> = space.iter().filter(|point| point[0] != 0).cloned().collect();
    assert_eq!(texts(&world.cover(&set, &space, 10)), ["a != idle (8)"]);
}

fn prefer(fields: &[Field], label: &str) -> Vec<Field> {
    fields.iter().map(|field| Field { preferred: field.label == label, ..field.clone() }).collect()
}

#[test]
fn no_more_products_than_asked_for_and_the_rest_is_counted() {
    let world = World::new(&[("x", numbers(0, 9)), ("y", numbers(0, 9))], &[], 3);
    // The diagonal has no product of two points.
    let diagonal = |point: &Point| point[0] == point[1];
    assert_eq!(world.cover_where(diagonal, 2), ["x = 0 & y = 0 (1)", "x = 1 & y = 1 (1)", "rest 8"]);
    assert_eq!(world.cover_where(diagonal, 0), ["rest 10"]);
    assert_eq!(world.cover_where(diagonal, 20).len(), 10);
    // A large product that the first points are not in.
    let found = world.cover_where(|point| diagonal(point) && point[0] < 3 || point[0] >= 5, 1);
    assert_eq!(found, ["x >= 5 (50)", "rest 3"]);
}

#[test]
fn a_position_that_no_value_has_is_in_a_product_nevertheless() {
    let world = World::new(&[("a", enumeration(&["p", "q", "r"])), ("b", Sort::BOOL)], &[], 2);
    let (set, space) = (vec![vec![1, 0], vec![3, 0]], vec![vec![0, 0], vec![1, 0], vec![2, 1], vec![3, 0]]);
    let found = world.cover(&set, &space, usize::MAX);
    assert_eq!(check(&world.fields, &found, &set, &space, usize::MAX), Ok(()));
    assert_eq!(texts(&found), ["a not in {p, r} (2)"]);
}

#[test]
fn an_array_is_a_field_for_each_element() {
    let mut system = System::new();
    let memory = system.add_state("m", Sort::array(Sort::BitVec(1), Sort::BitVec(2)));
    let flag = system.add_state("flag", Sort::BOOL);
    let read = system.read(flag);
    let wire = system.exprs.not(read);
    let wire = system.add_wire("idle", wire);
    let contents = Contents { all_states: true, ..Contents::default() };
    let netlist = Netlist::with_contents(&system, &propcov_ir::Edits::none(), contents).expect("a netlist");
    let manager = Manager::new();
    let vars: Vec<Var> = netlist.latches.iter().map(|_| manager.add_variable()).collect();
    let preferred = states_behind(&system, &[wire]);
    let fields = of_states(&netlist, &system, &vars, When::Now, &preferred);
    let labels: Vec<(&str, bool)> = fields.iter().map(|field| (&field.label[..], field.preferred)).collect();
    assert_eq!(labels, [("m[0]", false), ("m[1]", false), ("flag", true)]);
    assert!(fields[..2].iter().all(|field| field.signal == memory && field.sort == Sort::BitVec(2)));
    let world = World { manager, fields };
    let found = world.cover_where(|point| point[1] == 2 && point[2] == 0, 3);
    assert_eq!(found, ["!flag & m[1] = 2 (4)"]);
}
