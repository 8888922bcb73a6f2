//! No SMV text makes the front end panic or run long, and what it accepts is a system.

use crate::common::{Random, benchmarks};
use propcov_frontend::smv;
use std::time::{Duration, Instant};

/// Far more than any input here needs, even on a loaded machine.
const LIMIT: Duration = Duration::from_secs(10);

const WORDS: &[&str] = &[
    "x",
    "y",
    "w",
    "s",
    "a",
    "p",
    "self",
    "running",
    "TRUE",
    "FALSE",
    "0",
    "1",
    "3",
    "-1",
    "7",
    "0ub3_101",
    "-0sd3_1",
    "b",
    "c",
    "next(x)",
    "next(",
    ")",
    "(",
    "{x, 1}",
    "{0, 1, 3}",
    "{b, c}",
    "x + 1",
    "x mod 3",
    "a[1]",
    "a[x]",
    "m.x",
    "m.d",
    "d",
    "case",
    "x = 1 : 2;",
    "TRUE : 0;",
    "esac",
    "union",
    "in",
    "0..3",
    "::",
    "<<",
    "w[1:0]",
    "toint(w)",
    "bool(w)",
    "extend(w, 2)",
    "count(p, p)",
    "&",
    "|",
    "->",
    "=",
    "<",
    "*",
    "/",
    "-",
    "!",
    "? 1 : 0",
    "AG",
    "EF",
    "E [p U p]",
    "A [p R p]",
    "EBF 0..2",
    ":=",
    ";",
    "ASSIGN",
    "VAR",
    "DEFINE",
    "TRANS",
    "INVAR",
    "INIT",
    "SPEC",
    "INVARSPEC",
    "init(x) := 0;",
    "next(x) := y;",
    "y : 0..3;",
    "m : process sub(x, self);",
    "ISA sub",
    "d := x;",
    "abs(x)",
    "max(x, y)",
    "word1(p)",
    "resize(w, 5)",
    "signed(w)",
    "uwconst(1, 3)",
];

const MODEL: &str = "MODULE main
VAR x : 0..3 ; y : { 1 , 5 , b } ; p : boolean ; w : word [ 3 ] ; s : { b , c } ; a : array 0 .. 3 of boolean ; m : sub ( x , self ) ;
IVAR i : boolean ;
FROZENVAR f : -2 .. 2 ;
DEFINE d := p & x > 1 ; e := next ( x ) = f ; t := [ x , f ] ;
ASSIGN init ( x ) := { 0 , 1 } ; next ( x ) := case d : x ; p & x > 0 : { 1 , x - 1 } ; TRUE : 0 ; esac ;
next ( y ) := y union b ; p := { TRUE , FALSE } ; next ( w ) := w + 0ub3_001 ; next ( a[1] ) := a [ x ] ; next ( s ) := i ? b : c ;
TRANS e | next ( d ) INVAR f != 2 | t [ 1 ] = 2 INIT s = b
SPEC AG ( p -> EF x = 3 ) INVARSPEC x + f < 9
FAIRNESS p
MODULE sub ( v , top ) VAR x : boolean ; ASSIGN init ( x ) := top.p ; next ( x ) := v = 2 ; DEFINE d := ! x & top.d ; SPEC AF x
";

fn digest(text: &str) -> bool {
    let start = Instant::now();
    let accepted = match smv::FRONTEND.read("fuzz.smv", text.as_bytes()) {
        Ok(design) => {
            design.system.validate().unwrap_or_else(|error| panic!("{error}\n{text}"));
            true
        }
        Err(error) => {
            assert!(error.to_string().len() < 2000, "{error}\n{text}");
            false
        }
    };
    assert!(start.elapsed() < LIMIT, "{:?}\n{text}", start.elapsed());
    accepted
}

/// What an expression may be.
const OPERANDS: &[&str] = &[
    "x",
    "f",
    "p",
    "d",
    "m.x",
    "m.d",
    "a[2]",
    "a[x]",
    "b",
    "1",
    "0",
    "TRUE",
    "(x + f)",
    "(x mod 3)",
    "(x = 1)",
    "(p ? x : 2)",
    "next(x)",
    "next(d)",
    "(x in {1, 3})",
    "(y = b)",
    "(y = x)",
    "toint(w)",
    "(w = 0ub3_111)",
    "{0, 1}",
    "{x, 1}",
    "t[p ? 1 : 0]",
    "case p : x; !p : 1; esac",
    "abs(f)",
    "count(p, d)",
    "(x / 2)",
    "(s != c)",
];

/// Replaces an operand of an expression by another.
fn replace_operand(random: &mut Random, words: &mut [String]) {
    let is_operand = |word: &String| {
        matches!(word.as_str(), "x" | "f" | "p" | "d" | "i" | "b" | "0" | "1" | "2" | "TRUE" | "top.p" | "y")
    };
    let places: Vec<usize> = (40..words.len()).filter(|at| is_operand(&words[*at])).collect();
    if !places.is_empty() {
        words[places[random.below(places.len())]] = OPERANDS[random.below(OPERANDS.len())].to_owned();
    }
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
            words.push("MODULE".to_owned());
        }
    }
}

#[test]
fn mutated_models_are_read_or_refused() {
    let cases: u64 = std::env::var("PROPCOV_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(4000);
    let original: Vec<String> = MODEL.split_whitespace().map(str::to_owned).collect();
    smv::FRONTEND.read("fuzz.smv", MODEL.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let mut accepted = 0;
    for seed in 0..cases {
        let mut words = original.clone();
        let mut random = Random(seed);
        for _ in 0..=random.below(2) {
            replace_operand(&mut random, &mut words);
        }
        if random.below(3) == 0 {
            mutate(&mut random, &mut words, 2);
        }
        accepted += u64::from(digest(&words.join(" ")));
    }
    assert!(accepted * 10 > cases, "only {accepted} of {cases} were accepted");
}

#[test]
fn mutated_benchmarks_are_read_or_refused() {
    let Some(files) = benchmarks("smv", "smv") else { return };
    let mut random = Random(1);
    for (_, bytes) in files.iter().filter(|(_, bytes)| bytes.len() < 12_000) {
        let text = String::from_utf8_lossy(bytes);
        // Comments end with their line, so lines are kept.
        for _ in 0..12 {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            for _ in 0..2 {
                let at = random.below(lines.len());
                let mut words: Vec<String> = lines[at].split_whitespace().map(str::to_owned).collect();
                if words.is_empty() {
                    continue;
                }
                mutate(&mut random, &mut words, 1);
                lines[at] = words.join(" ");
            }
            digest(&lines.join("\n"));
        }
    }
}
