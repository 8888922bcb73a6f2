//! No Lustre text makes the front end panic or run long, and what it accepts is a system.

use crate::common::{Random, benchmarks};
use propcov_frontend::{Sources, lustre};
use std::time::{Duration, Instant};

/// Far more than any input here needs, even on a loaded machine.
const LIMIT: Duration = Duration::from_secs(10);

const MODEL: &str = "const N = 3 ; const T : int [ 3 ] = [ 1 , 2 , N ] ;
type colour = enum { red , green , blue } ; type pair = struct { x : int ; y : bool } ; type small = subrange [ 0 , 9 ] of int ;
function f ( a : int ; b : bool ) returns ( c : real ) ;
node count ( reset : bool ; by : int ) returns ( n : int ) ; let n = if reset then 0 else by + ( 0 -> pre n ) ; assert n > 0 ; --%PROPERTY reset ;
tel
node both ( a : pair ; c : colour ) returns ( b : bool ; d : colour ) ; let b = a . y and c = red ; d = green -> pre c ; tel
node main ( i , j : int ; r : real ; p : bool ; c : colour ; s : pair ; a : int [ 3 ] ; d : small ) returns ( o : int ; q : bool ) ;
var k : int ; u : pair ; v : int [ 3 ] ; w : colour ; z : real ; e : bool ;
let
--%MAIN
k = count ( p , 1 ) + a [ i ] - T [ 1 ] * i div 2 mod N ; u = s { x := 0 -> pre ( u . x ) + k } ; v = a [ j := 3 ] ;
e , w = condact ( p or q , both ( u , c ) , true , red ) ; z = if p then r / 2.5 else real ( k ) + f ( i , p ) ;
o = floor ( z ) ; q = ( o > 3 => pre e ) xor not ( u = pair { x = 1 ; y = p } ) ; assert i >= 0 ;
--%PROPERTY q ;
check \"bounded\" o + d < 100 ;
--%IVC k , u ;
tel";

/// Words to put in: those of the model, and some that are not in it.
const WORDS: &[&str] = &[
    "->",
    "pre",
    "=>",
    "=",
    "<>",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":=",
    ":",
    ";",
    ",",
    ".",
    "if",
    "then",
    "else",
    "0",
    "1",
    "99999",
    "2.5",
    "1.0e3",
    "true",
    "condact",
    "merge",
    "when",
    "forall",
    "i",
    "p",
    "r",
    "o",
    "u",
    "v",
    "s.x",
    "a[0]",
    "a[i]",
    "v[1]",
    "u.x",
    "T",
    "N",
    "red",
    "count(p, 1)",
    "f(k, e)",
    "both(s, w)",
    "(i, j)",
    "[1, 2, 3]",
    "int",
    "bool",
    "real",
    "int[2]",
    "pair",
    "colour",
    "node",
    "tel",
    "let",
    "var",
    "type",
    "const",
    "assert",
    "--%MAIN",
    "--%IVC",
    "--%PROPERTY",
    "--",
    "(*",
    "*)",
    "\"name\"",
    "check",
    "#",
    "\u{e9}",
    "~",
    "-",
    "1 div 0",
    "i div j",
    "k = 1;",
    "q = p;",
];

fn digest(bytes: &[u8]) -> bool {
    let start = Instant::now();
    let shown = || String::from_utf8_lossy(bytes).into_owned();
    let accepted = match lustre::FRONTEND.read("fuzz.lus", bytes) {
        Ok(design) => {
            design.system.validate().unwrap_or_else(|error| panic!("{error}\n{}", shown()));
            let (apart, _) = lustre::parse_operators(
                &Sources::one("fuzz.lus", bytes),
                &[],
                &propcov_budget::Budget::default(),
            )
            .unwrap_or_else(|error| panic!("{error}\n{}", shown()));
            apart.system.validate().unwrap_or_else(|error| panic!("{error}\n{}", shown()));
            true
        }
        Err(error) => {
            assert!(error.to_string().len() < 2000, "{error}\n{}", shown());
            false
        }
    };
    assert!(start.elapsed() < LIMIT, "{:?}\n{}", start.elapsed(), shown());
    accepted
}

/// Replaces, inserts, drops and swaps a few words.
fn mutate(random: &mut Random, words: &mut Vec<String>, most: usize) {
    for _ in 0..=random.below(most) {
        let at = random.below(words.len());
        match random.below(4) {
            0 => words[at] = WORDS[random.below(WORDS.len())].to_owned(),
            1 => words.insert(at, WORDS[random.below(WORDS.len())].to_owned()),
            2 => _ = words.remove(at),
            _ => {
                let other = random.below(words.len());
                words.swap(at, other);
            }
        }
        if words.is_empty() {
            words.push("node".to_owned());
        }
    }
}

/// Replaces an operand by another one, so that most programs stay right.
fn replace_operand(random: &mut Random, words: &mut [String]) {
    const INTS: &[&str] = &[
        "i",
        "j",
        "k",
        "o",
        "N",
        "0",
        "7",
        "s.x",
        "u.x",
        "a[1]",
        "v[i]",
        "T[i]",
        "(pre i)",
        "floor(r)",
        "d",
        "(i mod 3)",
    ];
    const BOOLS: &[&str] =
        &["p", "q", "e", "true", "(i > j)", "u.y", "(c = red)", "(pre p)", "(false -> pre q)", "(not p)"];
    let body = words.iter().position(|word| word == "--%MAIN").unwrap_or(0);
    for _ in 0..20 {
        let at = body + random.below(words.len() - body);
        let followed_by = words.get(at + 1).map(String::as_str);
        let pool = match words[at].as_str() {
            "i" | "j" | "1" | "0" | "2" | "3" => INTS,
            "p" | "q" | "true" => BOOLS,
            _ => continue,
        };
        if matches!(followed_by, Some("=" | "," | ";")) {
            continue;
        }
        words[at] = pool[random.below(pool.len())].to_owned();
        return;
    }
}

fn cases(default: u64) -> u64 {
    std::env::var("PROPCOV_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(default)
}

/// Lines are kept: annotations and comments are about them.
fn split(text: &str) -> Vec<String> {
    text.lines().flat_map(|line| line.split(' ').chain(["\n"])).map(str::to_owned).collect()
}

#[test]
fn mutated_models_are_read_or_refused() {
    let cases = cases(4000);
    let original = split(MODEL);
    lustre::FRONTEND.read("fuzz.lus", MODEL.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let mut accepted = 0;
    for seed in 0..cases {
        let (mut words, mut random) = (original.clone(), Random(seed));
        for _ in 0..=random.below(2) {
            replace_operand(&mut random, &mut words);
        }
        if random.below(2) == 0 {
            mutate(&mut random, &mut words, 2);
        }
        accepted += u64::from(digest(words.join(" ").as_bytes()));
    }
    assert!(accepted * 10 > cases, "only {accepted} of {cases} were accepted");
}

#[test]
fn mutated_bytes_are_read_or_refused() {
    for seed in 0..cases(3000) {
        let mut random = Random(seed);
        let mut bytes = MODEL.as_bytes().to_vec();
        for _ in 0..=random.below(4) {
            if bytes.is_empty() {
                break;
            }
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.next() as u8,
                1 => bytes.insert(at, b"()[]{};:=<>-%*.~\"9 \n"[random.below(20)]),
                2 => _ = bytes.remove(at),
                _ => bytes.truncate(at.max(1)),
            }
        }
        digest(&bytes);
    }
}

#[test]
fn mutated_benchmarks_are_read_or_refused() {
    let Some(files) = benchmarks("lustre/models", "lus") else { return };
    let mut random = Random(1);
    for (_, bytes) in files.iter().filter(|(_, bytes)| bytes.len() < 12_000) {
        let original = split(&String::from_utf8_lossy(bytes));
        for _ in 0..4 {
            let mut words = original.clone();
            mutate(&mut random, &mut words, 1);
            digest(words.join(" ").as_bytes());
        }
    }
}

#[test]
fn long_expressions_are_read() {
    let start = Instant::now();
    let chain = vec!["(pre x or y)"; 80_000].join(" and ");
    assert!(chain.len() > 1_000_000);
    lustre::check(
        "long.lus",
        format!("node n(x, y: bool) returns (z: bool); let z = {chain}; tel").as_bytes(),
    )
    .unwrap_or_else(|error| panic!("{error}"));
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
    let deep = format!("{}x{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(!digest(format!("node n(x: bool) returns (z: bool); let z = {deep}; tel").as_bytes()));
    let deep = format!("{}1{}", "[".repeat(5000), "]".repeat(5000));
    assert!(!digest(format!("node n(x: bool) returns (z: bool); let z = {deep} = 1; tel").as_bytes()));
}
