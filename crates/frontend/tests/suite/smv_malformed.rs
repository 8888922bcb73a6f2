//! What users are told about SMV files whose syntax is not right, and that no bytes make the parser panic.

use crate::{
    common::{Random, benchmarks},
    malformed::show,
};
use propcov_frontend::smv;
use propcov_ir::Region;
use std::time::{Duration, Instant};

fn report(cases: &[(&str, &[u8])]) -> String {
    let mut report = String::new();
    for (title, bytes) in cases {
        let error = match smv::parse("test.smv", bytes) {
            Err(error) => error,
            Ok(_) => panic!("{title}: no error"),
        };
        report += &format!("{title}\n{}\n", show(&error));
    }
    report
}

#[test]
fn malformed_sections_are_explained() {
    let cases: &[(&str, &[u8])] = &[
        ("an empty file", b""),
        ("only a comment", b"-- nothing\n"),
        ("another language", b"module main(input a);\nendmodule\n"),
        ("a macro that was not processed", b"define(N, 2)\nMODULE main\n"),
        ("a module without name", b"MODULE\nVAR x : boolean;\n"),
        ("a parameter that is a number", b"MODULE cell(a, 1)\n"),
        ("parameters that do not end", b"MODULE cell(a b)\n"),
        ("an unknown section", b"MODULE main\nVARS x : boolean;\n"),
        ("a keyword in small letters", b"MODULE main\nvar x : boolean;\n"),
        ("a variable without type", b"MODULE main\nVAR x;\n"),
        ("a variable without colon", b"MODULE main\nVAR x boolean;\n"),
        ("two variables in one declaration", b"MODULE main\nVAR x, y : boolean;\n"),
        ("a type that is missing", b"MODULE main\nVAR x : ;\n"),
        ("a declaration without semicolon", b"MODULE main\nVAR x : boolean\n    y : boolean;\n"),
        ("a module's name and another", b"MODULE main\nVAR x : cell other;\n"),
        ("a variable whose name is an operator", b"MODULE main\nVAR X : boolean;\n"),
        ("an enumeration without values", b"MODULE main\nVAR x : {};\n"),
        ("an enumeration that does not end", b"MODULE main\nVAR x : {a, b;\n"),
        ("a range without end", b"MODULE main\nVAR x : 0..;\n"),
        ("a number as a type", b"MODULE main\nVAR x : 7;\n"),
        ("a range of three", b"MODULE main\nVAR x : 0..1..2;\n"),
        ("a word without width", b"MODULE main\nVAR x : word;\n"),
        ("an array without bounds", b"MODULE main\nVAR x : array of boolean;\n"),
        ("an array without elements", b"MODULE main\nVAR x : array 0..3;\n"),
        ("a process of nothing", b"MODULE main\nVAR x : process;\n"),
        ("arguments that do not end", b"MODULE main\nVAR x : cell(a, b;\n"),
        ("an argument that is missing", b"MODULE main\nVAR x : cell(a, );\n"),
        ("an equation for a definition", b"MODULE main\nDEFINE x = 3;\n"),
        ("a definition without semicolon", b"MODULE main\nDEFINE x := 3\nDEFINE y := 4;\n"),
        ("an array definition without definition", b"MODULE main\nARRAY x := [1];\n"),
        ("an assignment to a number", b"MODULE main\nASSIGN 3 := x;\n"),
        ("an assignment of nothing", b"MODULE main\nASSIGN next(x) := ;\n"),
        ("an assignment to an expression", b"MODULE main\nASSIGN next(x + 1) := 3;\n"),
        ("an assignment with `=`", b"MODULE main\nASSIGN init(x) = 3;\n"),
        ("next without parentheses", b"MODULE main\nASSIGN next x := 3;\n"),
        ("a constraint of two expressions", b"MODULE main\nINIT a b\n"),
        ("a constraint of nothing", b"MODULE main\nTRANS\nSPEC a\n"),
        ("a semicolon alone", b"MODULE main\nINIT a;;\n"),
        ("compassion of one condition", b"MODULE main\nCOMPASSION (a)\n"),
        ("a name without formula", b"MODULE main\nSPEC NAME n AG a\n"),
        ("constants without comma", b"MODULE main\nCONSTANTS a b;\n"),
        ("a comment that does not end", b"MODULE main\nVAR x : boolean;\n/-- and so on\n"),
        ("a comment that does not end in what is skipped", b"MODULE main\nLTLSPEC G /-- a\n"),
        ("bytes that are no text", b"MODULE main\nVAR \xff\xfe : boolean;\n"),
        ("a character of another alphabet", "MODULE main\nVAR größe : boolean;\n".as_bytes()),
        ("text after the last section", b"MODULE main\nVAR x : boolean;\n}\n"),
    ];
    insta::assert_snapshot!(report(cases));
}

#[test]
fn malformed_expressions_are_explained() {
    let cases: Vec<(&str, Vec<u8>)> = [
        ("an operand that is missing", "a &"),
        ("an operator that is missing", "a (b)"),
        ("two operators", "a & | b"),
        ("an equation as in C", "a == b"),
        ("a conjunction as in C", "a && b"),
        ("a parenthesis that is not closed", "(a & b;"),
        ("a parenthesis that is not opened", "a & b)"),
        ("a set that is not closed", "x in {a, b"),
        ("a set without elements", "x in {}"),
        ("a case without branches", "case esac"),
        ("a case without esac", "case a : b; SPEC c"),
        ("a branch without value", "case a; esac"),
        ("a branch without semicolon", "case a : b esac"),
        ("a branch whose colon is an arrow", "case a -> b; esac"),
        ("a conditional without other value", "a ? b"),
        ("an index that is missing", "a[]"),
        ("an index that is not closed", "a[1"),
        ("a slice that is not closed", "a[3:1:0]"),
        ("a dot without name", "a."),
        ("a dot and a reserved word", "a.next"),
        ("a fraction without digits", "1. < x"),
        ("an until without brackets", "E (a U b)"),
        ("an until without until", "E [ a & b ]"),
        ("an until that is no operator", "A [ a Q b ]"),
        ("a release that is not closed", "A [ a R b"),
        ("a release with bounds", "A [ a R 0..3 b ]"),
        ("an until that is not closed", "A [ a U b"),
        ("bounds that are missing", "EBF a"),
        ("a bound that is missing", "ABG 3 a"),
        ("a bound too large", "ABG 3..99999999999 a"),
        ("an operator of linear logic", "G (a -> F b)"),
        ("a formula inside a comparison", "a = AG b"),
        ("a formula inside a sum", "!(1 + EX b)"),
        ("a function that does not exist", "sqrt(x)"),
        ("a function without arguments", "toint()"),
        ("a function without parentheses", "bool a"),
        ("a keyword as an operand", "process & a"),
        ("a word with digits of another base", "0ub8_102"),
        ("a word that does not fit", "0ub2_100"),
        ("a decimal word without width", "0ud_12"),
        ("a word without bits", "0ub0_0"),
        ("a word without digits", "0ub8__"),
        ("a signed word that does not fit", "0sd8_200"),
        ("a width too large", "0ub99999999999_1"),
        ("an unknown character", "a & @"),
        ("a range of ranges", "x in 1..2..3"),
    ]
    .into_iter()
    .map(|(title, text)| (title, format!("MODULE main\nSPEC {text}\n").into_bytes()))
    .collect();
    let cases: Vec<(&str, &[u8])> = cases.iter().map(|(title, bytes)| (*title, bytes.as_slice())).collect();
    insta::assert_snapshot!(report(&cases));
}

#[test]
fn the_place_of_an_error_is_exact() {
    let error = smv::parse("test.smv", "MODULE main\n-- é\nSPEC a &\n  é\n".as_bytes()).unwrap_err();
    assert_eq!(error.region, Region::Text { line: 4, column: 3, end_line: 4, end_column: 3 });
    let error = smv::parse("test.smv", b"MODULE main\nVAR first : second third;\n").unwrap_err();
    assert_eq!(error.region, Region::Text { line: 2, column: 20, end_line: 2, end_column: 24 });
}

/// Far more than any input here needs, even on a loaded machine.
const LIMIT: Duration = Duration::from_secs(5);

fn digest(bytes: &[u8], context: &str) -> bool {
    let start = Instant::now();
    let result = smv::parse("fuzz", bytes);
    _ = smv::sniff(bytes);
    assert!(start.elapsed() < LIMIT, "{context}: {:?}", start.elapsed());
    if let Err(error) = &result {
        assert!(error.to_string().len() < 2000, "{context}: {error}");
        let Region::Text { line, column, .. } = error.region else { panic!("{context}: {error}") };
        let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
        assert!(line >= 1 && line as usize <= lines && column >= 1, "{context}: {error}");
    }
    result.is_ok()
}

const MODEL: &str = include_str!("everything.smv");

const SMALL: &str = "MODULE main\nVAR s : {idle, busy}; c : cell(s = busy, 3); w : word[4];\n\
    ASSIGN init(s) := idle; next(s) := case s = idle & c.done : busy; TRUE : {idle, busy}; esac;\n\
    TRANS next(w) = w + 0ud4_1 -> w[3:0] :: 0b_1 != 0ub5_00011\nSPEC AG (s = busy -> AF s = idle) & EF !c.done\n\
    SPEC A [ s = idle U E [ TRUE BU 1..2 c.done ] ]\nFAIRNESS s = idle;\n\
    MODULE cell(a-1, n)\nVAR x : 0..7;\nDEFINE done := x >= n ? a-1 <-> x mod 2 = 1 : x in {1, 3..5} union 7;\n";

/// Words and what is between them.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len()).max(first.len_utf8());
        let (piece, after) = rest.split_at(length);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

fn mutate_words(random: &mut Random, text: &str) -> String {
    let mut pieces = pieces(text);
    for _ in 0..=random.below(3) {
        let at = random.below(pieces.len());
        let other = random.below(pieces.len());
        match random.below(4) {
            0 => _ = pieces.remove(at),
            1 => pieces.insert(other, pieces[at]),
            2 => pieces.swap(at, other),
            _ => pieces[at] = pieces[other],
        }
    }
    pieces.concat()
}

fn mutate_bytes(random: &mut Random, text: &[u8]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[at] = random.next() as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => _ = bytes.remove(at),
            3 => bytes.insert(at, b"()[]{}:;.,-!&|/0_\n\"?"[random.below(20)]),
            4 => {
                let end = (at + random.below(60)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            _ => bytes.truncate(at + 1),
        }
    }
    bytes
}

#[test]
fn mutated_models_are_read_or_refused() {
    let mut accepted = 0;
    for seed in 0..12_000 {
        let mut random = Random(seed);
        let text = if random.flip() { MODEL } else { SMALL };
        let bytes = match random.flip() {
            true => mutate_words(&mut random, text).into_bytes(),
            false => mutate_bytes(&mut random, text.as_bytes()),
        };
        accepted += usize::from(digest(&bytes, &format!("seed {seed}")));
    }
    // Otherwise only the beginning of the parser would be exercised.
    assert!((1000..11_000).contains(&accepted), "{accepted} mutants were accepted");
}

#[test]
fn mutated_benchmarks_are_read_or_refused() {
    for (number, (name, bytes)) in benchmarks("smv", "smv").unwrap_or_default().iter().enumerate() {
        for round in 0..if bytes.len() < 30_000 { 20 } else { 2 } {
            let seed = number as u64 * 100 + round;
            digest(&mutate_bytes(&mut Random(seed), bytes), &format!("{name}, seed {seed}"));
        }
    }
}

#[test]
fn arbitrary_words_and_bytes_are_refused_or_read() {
    let words = pieces(MODEL);
    for seed in 0..6000 {
        let mut random = Random(seed);
        let starts =
            ["", "MODULE main ", "MODULE main SPEC ", "MODULE main VAR x : ", "MODULE main ASSIGN x := "];
        let mut bytes = starts[random.below(5)].as_bytes().to_vec();
        let only_bytes = random.flip();
        for _ in 0..random.below(100) {
            if only_bytes {
                bytes.push(random.next() as u8);
            } else {
                bytes.extend_from_slice(words[random.below(words.len())].as_bytes());
                bytes.push(b' ');
            }
        }
        digest(&bytes, &format!("seed {seed}"));
    }
}
