//! The tables of the book's chapter on assertions: each line is read, or refused, and means what it says.

use crate::sva_oracle::{cone, fails};
use crate::verilog::tools::{read, read_texts};
use propcov_engine::Limits;
use propcov_ir::{Edits, Interpreter, PropertyId, PropertyKind, TestKind};
use propcov_testkit::Random;
use propcov_testkit::sva::{Bool, Letter, Prop, Range, Seq, failing_tick, random_word};
use propcov_verify::{Options, Silent, Verifier};
use std::collections::BTreeSet;

/// Where matches are looked for beyond the end of a word.
const HORIZON: usize = 24;

/// A module around an assertion, with what the tables of the book refer to.
pub(crate) fn module(assertion: &str) -> String {
    format!(
        "module dut(input bit clk, a, b, c);
  default clocking @(posedge clk); endclocking
  sequence plain; a ##1 b; endsequence
  sequence seq(x, y); x ##[1:2] y; endsequence
  property prop(x, y); x |=> y; endproperty
  property var_once; bit v; (a, v = b) |=> v == c; endproperty
  property var_twice; bit v; (a, v = b) ##1 (b, v = c) |=> v == c; endproperty
  property var_value; bit v = b; a |=> v == c; endproperty
  property itself(x); x and nexttime itself(x); endproperty
  property var_after; bit v; a |-> (b, v = c) ##1 v; endproperty
  property var_branch; bit v; ((a, v = b) or c) |=> v == c; endproperty
  sequence giving(local output bit x); (a, x = b); endsequence
  property var_out; bit v; giving(v) |=> v == c; endproperty
  p: assert property ({assertion});
endmodule
"
    )
}

/// The rows of the tables in the book's chapter, below a heading.
fn rows(heading: &str) -> Vec<Vec<String>> {
    let book = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../book/src/assertions.md");
    let text = std::fs::read_to_string(book).unwrap();
    let start = text.lines().skip_while(|line| !line.starts_with(heading)).skip(2);
    let cells = |line: &str| -> Vec<String> {
        let line = line.replace("\\|", "\u{1}");
        let cells = line.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().trim_matches('`').replace('\u{1}', "|")).collect()
    };
    start.take_while(|line| line.starts_with('|')).map(cells).collect()
}

/// What a line of the book's table means, by the definition.
enum Meaning {
    /// This property.
    Is(Prop),
    /// This property, where `b` is something else: of a word, and a tick.
    With(fn(&[Letter], usize) -> bool, Prop),
    /// This property at the ticks with `c`.
    Where(Prop),
    /// Another test looks at all values.
    Elsewhere,
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn meaning(operator: &str) -> Meaning {
    use Meaning::{Elsewhere, Is, Where, With};
    let [a, b, c] = [0, 1, 2].map(|atom| Seq::Is(Bool::Is(atom, true)));
    let [is_a, is_c] = [0, 2].map(|atom| Bool::Is(atom, true));
    let just = |seq: &Seq| Box::new(seq.clone());
    let now = |seq: &Seq| Box::new(Prop::Seq(seq.clone()));
    let delay = |left: &Seq, range: Range, right: &Seq| Seq::Delay(just(left), range, just(right));
    let next = |left: &Seq, right: &Seq| delay(left, (1, Some(1)), right);
    let wait = |range: Range, right: &Seq| Seq::Wait(range, just(right));
    let repeat = |seq: &Seq, range: Range| Seq::Repeat(just(seq), range);
    let implies = |seq: Seq, prop: Box<Prop>| Prop::Overlapped(seq, prop);
    let then = |seq: &Seq, prop: &Seq| Prop::Nonoverlapped(seq.clone(), now(prop));
    let (a_b, b_c) = (implies(a.clone(), now(&b)), implies(b.clone(), now(&c)));
    let a_then_b = then(&a, &b);
    let boxed = |prop: &Prop| Box::new(prop.clone());
    let after_a = |prop: Prop| implies(a.clone(), Box::new(prop));
    let (some, range, later) = ((1, None), (1, Some(3)), (1, Some(2)));
    Is(match operator {
        "Boolean" => Prop::Seq(a),
        "delay" => after_a(Prop::Seq(wait((2, Some(2)), &b))),
        "delay of no tick" => implies(delay(&a, (0, Some(0)), &b), now(&c)),
        "delay with a range" => after_a(Prop::Seq(wait(range, &b))),
        "delay without a limit" => implies(delay(&a, some, &b), now(&c)),
        "repetition" => implies(repeat(&a, (2, Some(3))), now(&b)),
        "repetition, perhaps none" => implies(next(&repeat(&a, (0, Some(1))), &b), now(&c)),
        "repetition, any number" => implies(next(&next(&a, &repeat(&b, (0, None))), &c), now(&b)),
        "repetition, once or more" => implies(next(&next(&a, &repeat(&b, some)), &c), now(&b)),
        "goto repetition" => implies(next(&a, &Seq::Goto(Bool::Is(1, true), (2, Some(2)))), now(&c)),
        "goto repetition with a range" => {
            let some = Seq::Goto(Bool::Is(1, true), (1, Some(2)));
            implies(next(&next(&a, &some), &c), now(&a))
        }
        "nonconsecutive repetition with a range" => {
            let some = Seq::Nonconsecutive(Bool::Is(1, true), (1, Some(2)));
            implies(next(&next(&a, &some), &c), now(&a))
        }
        "nonconsecutive repetition" => {
            let twice = Seq::Nonconsecutive(Bool::Is(1, true), (2, Some(2)));
            implies(next(&next(&a, &twice), &c), now(&b))
        }
        "or of sequences" => implies(Seq::Or(Box::new(next(&a, &b)), just(&c)), now(&b)),
        "and of sequences" => {
            let right = delay(&c, (2, Some(2)), &a);
            implies(Seq::And(Box::new(next(&a, &b)), Box::new(right)), now(&b))
        }
        "intersect" => {
            let (left, right) = (delay(&a, range, &b), repeat(&c, (3, Some(3))));
            implies(Seq::Intersect(Box::new(left), Box::new(right)), now(&a))
        }
        "throughout" => then(&Seq::Throughout(is_a, Box::new(delay(&b, (2, Some(2)), &c))), &a),
        "within" => {
            let right = repeat(&c, (4, Some(4)));
            implies(Seq::Within(Box::new(next(&a, &b)), Box::new(right)), now(&a))
        }
        "first_match" => implies(Seq::FirstMatch(Box::new(delay(&a, range, &b))), now(&c)),
        "implication after implication" => implies(a, Box::new(then(&b, &c))),
        "overlapping implication" | "$sampled" => a_b,
        "implication at the next tick" | "the opposite of a clock" | "named property, with arguments" => {
            a_then_b
        }
        "followed by" => Prop::FollowedOverlapped(a, now(&b)),
        "followed by, at the next tick" => Prop::FollowedNonoverlapped(a, now(&b)),
        "not" => Prop::Not(now(&next(&a, &b))),
        "and" => Prop::And(Box::new(a_b), Box::new(b_c)),
        "or" => Prop::Or(Box::new(a_b), Box::new(implies(c, now(&b)))),
        "implies" => Prop::Implies(Box::new(a_b), Box::new(then(&b, &c))),
        "iff" => Prop::Iff(Box::new(a_b), Box::new(then(&b, &c))),
        "if, else" => Prop::If(is_a, now(&b), Some(now(&c))),
        "case" => {
            let (yes, is_b) = (Seq::Is(Bool::Const(true)), Bool::Is(1, true));
            let with_a = Prop::If(is_b, now(&yes), Some(now(&next(&a, &c))));
            let without = Prop::If(is_b, now(&c), Some(now(&yes)));
            Prop::If(is_a, Box::new(with_a), Some(Box::new(without)))
        }
        "nexttime" => after_a(Prop::Next(2, now(&b))),
        "s_nexttime" => after_a(Prop::Next(1, now(&b))),
        "always" => after_a(Prop::Always((0, None), now(&b))),
        "always from a tick on" => after_a(Prop::Always((1, None), now(&b))),
        "always with a range" | "s_always" => after_a(Prop::Always(range, now(&b))),
        "eventually" | "s_eventually with a range" => after_a(Prop::Eventually(range, now(&b))),
        "s_eventually" => after_a(Prop::Eventually((0, None), now(&b))),
        "until" => after_a(Prop::Until(now(&b), now(&c))),
        "until_with" => after_a(Prop::UntilWith(now(&b), now(&c))),
        "s_until" => after_a(Prop::StrongUntil(now(&b), now(&c))),
        "s_until_with" => after_a(Prop::StrongUntilWith(now(&b), now(&c))),
        "accept_on" | "sync_accept_on" | "disable iff" => Prop::AcceptOn(is_c, boxed(&a_then_b)),
        "reject_on" | "sync_reject_on" => Prop::RejectOn(is_c, boxed(&a_then_b)),
        "strong" => after_a(Prop::Strong(wait(range, &b))),
        "weak" => after_a(Prop::Weak(wait(some, &b))),
        "named sequence, with arguments" => implies(delay(&a, later, &b), now(&c)),
        "a clock with a condition" => return Where(a_then_b),
        "triggered" => {
            return With(|word, tick| tick > 0 && word[tick - 1][0] && word[tick][1], implies(c, now(&b)));
        }
        "$past with ticks and a condition" => {
            return With(
                |word, tick| {
                    let mut counted = word[..tick].iter().rev().filter(|letter| letter[2]);
                    counted.nth(1).is_some_and(|letter| letter[1])
                },
                a_b,
            );
        }
        "$rose, $fell, $stable" => {
            return With(
                |word, tick| {
                    let before = tick.checked_sub(1).map_or([false; 3], |before| word[before]);
                    let [a, b, c] = word[tick];
                    !a || before[0] || b == before[1] || !c && before[2]
                },
                Prop::Seq(b),
            );
        }
        "$changed" => {
            return With(
                |word, tick| {
                    let before = tick.checked_sub(1).is_some_and(|before| word[before][0]);
                    word[tick][0] == before || word[tick][1]
                },
                Prop::Seq(b),
            );
        }
        "local variable, assigned in the antecedent" => return Elsewhere,
        other => panic!("{other}: the book says that it is read, and no test says what it means"),
    })
}

/// Each line of the book's table means what the definition says, on random words.
#[test]
fn every_operator_in_the_book_means_what_the_definition_says() {
    let rows = rows("| operator | example |");
    assert!(rows.len() > 40, "{rows:?}");
    let mut never = Vec::new();
    for row in rows {
        let Some(read) = read(&module(&row[1])) else { return };
        let mut system = read.unwrap_or_else(|error| panic!("{}: {error}", row[0])).system;
        assert_eq!(system.properties()[0].name, "p", "{}", row[0]);
        let goals = system.properties().iter().filter_map(|property| match property.kind {
            PropertyKind::Invariant(goal) => Some(goal),
            _ => None,
        });
        let goal = goals.collect::<Vec<_>>().first().copied().unwrap_or_else(|| system.exprs.bool(true));
        let edits = Edits::none();
        let interpreter = Interpreter::new(&system, &edits).unwrap();
        let cone = cone(&system, goal);
        let meaning = meaning(&row[0]);
        let mut failing = 0;
        for seed in 0..60 {
            let word = random_word(&mut Random::new(seed), 10);
            let named = |letter: &Letter| {
                let all = ["a", "b", "c"].iter().zip(letter).filter(|(_, is)| **is);
                all.map(|(name, _)| (*name).to_owned()).collect::<BTreeSet<String>>()
            };
            let letters: Vec<BTreeSet<String>> = word.iter().map(named).collect();
            let expected = match &meaning {
                Meaning::Is(prop) => failing_tick(prop, &word, HORIZON),
                Meaning::With(value, prop) => {
                    let changed =
                        |(tick, letter): (usize, &Letter)| [letter[0], value(&word, tick), letter[2]];
                    let changed: Vec<Letter> = word.iter().enumerate().map(changed).collect();
                    failing_tick(prop, &changed, HORIZON)
                }
                Meaning::Where(prop) => {
                    let ticks: Vec<usize> = (0..word.len()).filter(|tick| word[*tick][2]).collect();
                    let seen: Vec<Letter> = ticks.iter().map(|tick| word[*tick]).collect();
                    failing_tick(prop, &seen, HORIZON).map(|tick| ticks[tick])
                }
                Meaning::Elsewhere => continue,
            };
            assert_eq!(fails(&interpreter, &cone, &letters), expected, "{}: {word:?}", row[0]);
            failing += usize::from(expected.is_some());
        }
        if failing == 0 {
            never.push(row[0].clone());
        }
    }
    // No finite word shows that something does not come at all; `sva_liveness` does.
    assert_eq!(never, ["s_eventually", "weak", "local variable, assigned in the antecedent"]);
}

/// What stands around properties: engines decide what comes of it.
#[test]
fn what_the_book_has_around_properties_comes_to_what_it_says() {
    let rows = rows("| what | example | p |");
    assert!(rows.len() > 15, "{rows:?}");
    for row in rows {
        let text = format!(
            "module leaf(input bit clk, x); endmodule
module bound(input bit clk, x); p: assert property (@(posedge clk) x |=> $past(x)); endmodule
module dut(input bit clk, a, b, c, input bit [1:0] d);
  default clocking @(posedge clk); endclocking
  bit [1:0] n = 0;
  always_ff @(posedge clk) n <= n + 1;
  {}
endmodule
",
            row[1]
        );
        let Some(read) = read_texts(&[("dut.sv", &text)], &["-Wnone", "--top", "dut"]) else { return };
        let system = read.unwrap_or_else(|error| panic!("{}: {error}", row[0])).system;
        let is_meant = |name: &str| name == "p" || name.starts_with("p#") || name.ends_with(".p");
        let all = (0..system.properties().len() as u32).map(PropertyId);
        let meant: Vec<PropertyId> = all.filter(|id| is_meant(&system.property(*id).name)).collect();
        assert!(!meant.is_empty(), "{}", row[0]);
        let verifier = Verifier::new(&system, Options::default(), Limits::default(), &Silent);
        for outcome in verifier.decide(&meant, &mut |_| {}).outcomes {
            let expected = match row[2].as_str() {
                "holds" | "is never reached" => false,
                "fails" | "is reached" => true,
                other => panic!("{other}"),
            };
            assert!(outcome.certified && outcome.internal_errors.is_empty(), "{}", row[0]);
            assert_eq!(outcome.answer.is_falsified(), expected, "{}: {:?}", row[0], outcome.answer);
            assert_eq!(outcome.answer.is_proved(), !expected, "{}", row[0]);
            let is_cover = system.property(outcome.property).is_cover();
            assert_eq!(is_cover, row[2].contains("reached"), "{}", row[0]);
        }
    }
}

#[test]
fn what_the_book_says_to_be_refused_is() {
    let rows = rows("| what | example | reason |");
    assert!(rows.len() > 8, "{rows:?}");
    for row in rows {
        let Some(read) = read(&module(&row[1])) else { return };
        let error = read.err().unwrap_or_else(|| panic!("{}: accepted", row[0])).to_string();
        assert!(error.contains(&row[2]), "{}: {error}", row[0]);
        // With its line and column.
        let place: Vec<&str> = error.split(':').skip(1).take(2).collect();
        assert!(place.iter().all(|number| number.parse::<u32>().is_ok()), "{}: {error}", row[0]);
    }
}

/// What would need to wait for another clock, and what would change the design.
#[test]
fn what_processes_and_actions_cannot_do_is_refused_by_name() {
    let clock = "a clock other than that of the process around is not supported";
    for (items, reason) in [
        ("always_ff @(posedge clk) if (a) p: assert property (@(negedge clk) b);", clock),
        ("always_ff @(posedge clk) if (a) p: assert property (@(posedge clk iff c) b);", clock),
        (
            "bit q = 0; r: assert property (@(posedge clk) !q); p: assert property (@(posedge clk) a |=> b) else q = 1;",
            "an assertion whose action assigns q, which the design uses elsewhere, is not supported",
        ),
        (
            "bit q = 0; task t; q = 1; endtask always_comb r: assert (!q); p: assert property (@(posedge clk) a) else t();",
            "an assertion whose action assigns q, which the design uses elsewhere, is not supported",
        ),
        (
            "task t; #1; endtask p: assert property (@(posedge clk) a) else t();",
            "an assertion whose action has a delay is not supported",
        ),
        ("p: assert property (a |=> b);", "this assertion has no clock"),
        (
            "always_ff @(posedge clk) begin one two(a); end checker one(x); r: assert property (@(posedge clk) x); endchecker",
            "a checker in a process is not supported",
        ),
        (
            "global clocking @(posedge clk); endclocking p: assert property (@(posedge clk) $rising_gclk(a));",
            "$rising_gclk is not supported: it is about the tick after this one",
        ),
        (
            "property t; bit v; (a, v = b) |=> v == c; endproperty p: assume property (@(posedge clk) t);",
            "local variables are not supported in assumptions",
        ),
        (
            "property t(local input bit v); a |=> v == c; endproperty p: assert property (@(posedge clk) t(b));",
            "local arguments are not supported (v)",
        ),
        ("p: assert property (@(posedge clk or negedge clk) a);", "expected one edge of one signal"),
        (
            "bit q = 0; task t; q = 1; endtask r: assert property (@(posedge clk) !q); p: assert property (@(posedge clk) (a, t()) |=> b);",
            "an assertion whose action assigns q, which the design uses elsewhere, is not supported",
        ),
        (
            "int n = 0; function automatic void up(ref int x); x++; endfunction r: assert property (@(posedge clk) n == 0); p: cover property (@(posedge clk) first_match(a ##1 b, up(n)));",
            "an assertion whose action assigns n, which the design uses elsewhere, is not supported",
        ),
        (
            "bit q = 0; function automatic void set(output bit x); x = 1; endfunction r: assert property (@(posedge clk) !q); p: assert property (@(posedge clk) a) else set(q);",
            "an assertion whose action assigns q, which the design uses elsewhere, is not supported",
        ),
        (
            "p: assert property (@(posedge clk) a) else forever q: assert (b);",
            "an assertion whose action has a loop without an end",
        ),
    ] {
        let text = format!("module dut(input bit clk, a, b, c);\n  {items}\nendmodule\n");
        let Some(read) = read(&text) else { return };
        let error = read.err().unwrap_or_else(|| panic!("{items}: accepted")).to_string();
        assert!(error.contains(reason) && error.contains(":2:"), "{items}: {error}");
    }
}

/// What nobody reads does not matter, and is said.
#[test]
fn actions_that_assign_what_nobody_reads_are_ignored_with_a_warning() {
    let text = "module dut(input bit clk, a, b);
  default clocking @(posedge clk); endclocking
  int errors = 0, seen;
  initial seen = 0;
  function automatic void report(string what); int local_count; local_count = 1; $display(what); errors += 1; endfunction
  p: assert property (a |=> b) else errors++;
  q: assert property (a) else begin report(\"q\"); $error(\"q\"); end
  r: cover property (a ##1 b) seen <= seen + 1;
  initial $assertoff;
endmodule
";
    let Some(read) = read(text) else { return };
    let design = read.unwrap_or_else(|error| panic!("{error}"));
    let warnings: Vec<&str> = design.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(
        warnings,
        [
            "3 actions of assertions are ignored: nothing else uses what is assigned there (errors, seen)",
            "$assertoff is ignored: assertions are always on",
        ]
    );
    assert_eq!(design.system.properties().len(), 3);
}

/// What a property needs to say anything: every antecedent, wherever it stands, that it is executed, and that it is not disabled.
#[test]
fn everything_that_puts_a_property_to_the_test_is_known() {
    let cases: [(&str, &[&str], &[&str]); 14] = [
        ("p: assert property (a |-> b |=> c);", &["a", "b"], &["a", "b"]),
        ("p: assert property ((a |-> c) and (b |-> c));", &["a", "b"], &["a b"]),
        ("p: assert property ((a |-> c) or (b |-> c));", &["a", "b"], &["a", "b"]),
        ("p: assert property (a implies c);", &["a"], &["a"]),
        ("p: assert property ((a |-> b) implies c);", &["a |-> b"], &["a |-> b"]),
        ("p: assert property (if (a) c else b |-> c);", &["a", "!(a)", "b"], &["a !(a)", "a b"]),
        ("p: assert property (case (a) 1: c; default: b |-> c; endcase);", &["a == 1", "b"], &["a == 1 b"]),
        ("p: assert property (always (a |-> c));", &["a"], &["a"]),
        ("p: assert property (nexttime (a |-> c));", &["a"], &["a"]),
        ("p: assert property (accept_on (b) (a |=> c));", &["a"], &["a"]),
        ("p: assert property (not (a ##1 b));", &[], &[]),
        ("p: assert property (disable iff (a) c);", &["enabled"], &["enabled"]),
        ("always @(posedge clk) if (a) p: assert (c);", &["executed"], &["executed"]),
        ("p: assert property (@(posedge clk iff a) b |-> c);", &["executed", "b"], &["executed", "b"]),
    ];
    for (items, tests, vacuous) in cases {
        let text = format!(
            "module dut(input bit clk, a, b, c);\n  default clocking @(posedge clk); endclocking\n  {items}\nendmodule\n"
        );
        let Some(read) = read(&text) else { return };
        let system = read.unwrap_or_else(|error| panic!("{items}: {error}")).system;
        let known = &system.property(PropertyId(0)).tests;
        let name = |test: &propcov_ir::Test| match test.kind {
            TestKind::Executed => "executed".to_owned(),
            TestKind::Enabled => "enabled".to_owned(),
            TestKind::Antecedent => test.text.clone().unwrap_or_default(),
        };
        let names: Vec<String> = known.all.iter().map(name).collect();
        let sorted = |mut names: Vec<String>| {
            names.sort();
            names
        };
        let expected: Vec<String> = tests.iter().map(|test| (*test).to_owned()).collect();
        assert_eq!(sorted(names.clone()), sorted(expected), "{items}");
        // Which of them together make the property say nothing, and none of them less.
        for unmet in vacuous {
            let is_unmet = |test: usize| {
                let separated = format!(" {unmet} ");
                *unmet == names[test] || separated.contains(&format!(" {} ", names[test]))
            };
            assert!(known.vacuity.is_given(&is_unmet), "{items}: {unmet}, {known:?}");
        }
        assert!(!known.vacuity.is_given(&|_| false), "{items}");
    }
}

/// What is not checked is said.
#[test]
fn assertions_of_final_blocks_are_named() {
    let text = "module dut(input bit clk, a);\n  final p: assert (a);\n  q: assert property (@(posedge clk) a);\nendmodule\n";
    let Some(read) = read(text) else { return };
    let design = read.unwrap_or_else(|error| panic!("{error}"));
    let warnings: Vec<&str> = design.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(warnings, ["1 assertion of a final block is not checked: runs have no end here"]);
    assert_eq!(design.system.properties().len(), 1);
}

/// One assertion that cannot be read does not keep the others from being read, and has no part in what they mean.
#[test]
fn what_cannot_be_read_is_left_out_and_the_rest_is_as_without_it() {
    let others = "  p: assert property (a |=> b);
  always_ff @(posedge clk) q: assert (b || !c);
  r: cover property (a ##1 c);
  bit n = 0;
  always_ff @(posedge clk) n <= a;
";
    let real = "  function automatic bit worn(bit x); real v; v = 0.5; return x && v > 0.1; endfunction
";
    let unread = "  two: assert property (a |-> @(negedge clk) b);
  huge: assert property (a |-> ##[1:3000] b ##[1:3000] c);
  for (genvar i = 0; i < 2; i++) begin : g
    odd: cover property (worn(a) ##1 n);
  end
  always_comb late: assert (worn(n));
  always_ff @(posedge clk) begin
    bit local_copy;
    local_copy = a;
    if (local_copy) inner: assert property (worn(b) |=> c);
    if (local_copy) fine: assert (n || a);
  end
";
    let fine = "  always_ff @(posedge clk) begin
    bit local_copy;
    local_copy = a;
    if (local_copy) begin end
    if (local_copy) fine: assert (n || a);
  end
";
    let text = |inside: &str| {
        format!(
            "module dut(input bit clk, a, b, c);\n  default clocking @(posedge clk); endclocking\n{real}{others}{inside}endmodule\n"
        )
    };
    let Some(with) = read(&text(unread)) else { return };
    let with = with.unwrap_or_else(|error| panic!("{error}"));
    let reasons: Vec<(&str, bool, &str)> = with
        .unread()
        .iter()
        .map(|one| (one.name.as_str(), one.goal == propcov_ir::Goal::Reach, one.reason.as_str()))
        .collect();
    let expected = [
        ("g[0].odd", true, "a real number is not supported (3:"),
        ("g[1].odd", true, "a real number is not supported (3:"),
        ("huge", false, "too much has to be remembered"),
        ("inner", false, "a real number is not supported (3:"),
        ("late", false, "a real number is not supported (3:"),
        ("two", false, "several clocks in one property are not supported (9:"),
    ];
    let mut sorted = reasons.clone();
    sorted.sort_unstable();
    assert_eq!(sorted.len(), expected.len(), "{reasons:?}");
    for ((name, is_cover, reason), wanted) in sorted.iter().zip(expected) {
        assert!((*name, *is_cover) == (wanted.0, wanted.1) && reason.starts_with(wanted.2), "{reasons:?}");
    }
    // No second clock is left of it, nor anything else.
    let without = read(&text(fine)).unwrap().unwrap_or_else(|error| panic!("{error}"));
    let names = |design: &propcov_frontend::Design| {
        let mut names: Vec<String> =
            design.system.properties().iter().map(|property| property.name.clone()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&with), names(&without));
    let print = |design: &propcov_frontend::Design| {
        let known = &design.system;
        (known.inputs().len(), known.states().len(), known.wires().len(), known.elements().len())
    };
    assert_eq!(print(&with), print(&without));
    assert!(with.warnings.iter().all(|warning| !warning.message.contains("several clocks")));
}

/// Neither an assumption can be left out, nor the only assertion that there is.
#[test]
fn what_everything_depends_on_is_not_left_out() {
    let text = |items: &str| {
        format!(
            "module dut(input bit clk, a, b);\n  default clocking @(posedge clk); endclocking\n{items}\nendmodule\n"
        )
    };
    for items in [
        "p: assert property (a);\n  r: assume property (a |-> @(negedge clk) b);",
        "p: assert property (a |-> @(negedge clk) b);\n  r: assume property (a);",
        "p: assert property (a |-> @(negedge clk) b);\n  r: assert property (b |-> @(negedge clk) a);",
    ] {
        let Some(read) = read(&text(items)) else { return };
        let error = read.err().unwrap_or_else(|| panic!("{items}: accepted")).to_string();
        assert!(error.contains("several clocks in one property"), "{items}: {error}");
    }
}

/// Formals of the types `sequence` and `property`, and untyped ones that get a sequence or a property: the assertion is the one that is written out.
#[test]
fn sequences_and_properties_are_arguments() {
    for (declared, used, written) in [
        (
            "property neg(x); @(posedge clk) not x; endproperty",
            "neg(a ##1 b)",
            "@(posedge clk) not (a ##1 b)",
        ),
        (
            "property then(sequence s, property q); @(posedge clk) s |=> q; endproperty",
            "then(a ##1 b, b |-> c)",
            "@(posedge clk) a ##1 b |=> b |-> c",
        ),
        ("property p_of(property q); @(posedge clk) q; endproperty", "p_of(a)", "@(posedge clk) a"),
        (
            "sequence twice(s); s ##1 s; endsequence",
            "@(posedge clk) twice(a ##1 b) |-> c",
            "@(posedge clk) a ##1 b ##1 a ##1 b |-> c",
        ),
        (
            "sequence long(sequence s, n); s[*2] ##1 n; endsequence",
            "@(posedge clk) long(a, b) |=> c",
            "@(posedge clk) a[*2] ##1 b |=> c",
        ),
    ] {
        let text = format!(
            "module dut(input bit clk, a, b, c);\n  {declared}\n  p: assert property ({used});\n  q: assert property ({written});\nendmodule\n"
        );
        let Some(read) = read(&text) else { return };
        let system = read.unwrap_or_else(|error| panic!("{text}{error}")).system;
        let edits = Edits::none();
        let interpreter = Interpreter::new(&system, &edits).unwrap();
        let goals: Vec<_> = system
            .properties()
            .iter()
            .map(|property| match property.kind {
                PropertyKind::Invariant(goal) => cone(&system, goal),
                ref other => panic!("{other:?}"),
            })
            .collect();
        let mut random = Random::new(7);
        let mut failures = 0;
        for _ in 0..200 {
            let word: Vec<BTreeSet<String>> = random_word(&mut random, 12)
                .iter()
                .map(|letter| {
                    let names = ["a", "b", "c"].iter().zip(letter).filter(|(_, is)| **is);
                    names.map(|(name, _)| (*name).to_owned()).collect()
                })
                .collect();
            let [ours, theirs] = [&goals[0], &goals[1]].map(|goal| fails(&interpreter, goal, &word));
            assert_eq!(ours, theirs, "{used} {word:?}");
            failures += usize::from(ours.is_some());
        }
        assert!(failures > 0, "{used}");
    }
}

/// Before the first tick a variable is what its declaration says, or else what its type does; `initial` blocks do not count. Other clocks change nothing about that.
#[test]
fn before_the_first_tick_variables_are_what_their_declarations_say() {
    let text = |more: &str| {
        format!(
            "module dut(input bit clk, clk2, x, output bit y);
  bit by_type; bit by_block; bit by_declaration = 1; logic anything; logic told = 1'b1; bit [1:0] wire_of;
  initial begin by_block = 1; anything = 1; end
  always_ff @(posedge clk) begin by_type <= 1; by_block <= 1; by_declaration <= 1; anything <= 1; told <= 1; end
  assign wire_of = {{by_declaration, told}};
  default clocking @(posedge clk); endclocking
  f_block: assert property (!$rose(by_block));
  f_anything: assert property ($past(anything) == anything);
  f_wire: assert property ($past(wire_of) == 3);
  p_declaration: assert property (!$rose(by_declaration) && $past(by_declaration));
  p_told: assert property ($past(told) && !$changed(told));
  p_type: assert property ($past(by_type) |-> by_type);
  p_wire: assert property ($past(wire_of) == 3 || $past(wire_of) == 0);
{more}endmodule
"
        )
    };
    for more in ["", "  always_ff @(posedge clk2) y <= x;\n"] {
        let Some(read) = read(&text(more)) else { return };
        let design = read.unwrap_or_else(|error| panic!("{error}"));
        let verifier = Verifier::new(&design.system, Options::default(), Limits::default(), &Silent);
        let all: Vec<PropertyId> = (0..design.system.properties().len() as u32).map(PropertyId).collect();
        let verdicts = verifier.decide(&all, &mut |_| ());
        for outcome in &verdicts.outcomes {
            let name = &design.system.property(outcome.property).name;
            assert_eq!(outcome.answer.is_proved(), name.starts_with('p'), "{name} {more}");
            assert_eq!(outcome.answer.is_falsified(), name.starts_with('f'), "{name} {more}");
        }
    }
}

/// Covergroups drive nothing, and what final blocks read is read by nobody.
#[test]
fn what_only_measures_or_reports_does_not_hinder() {
    let text = "module dut(input bit clk, a, b);
  covergroup cg with function sample(bit x); coverpoint x; endgroup
  covergroup at_edge @(posedge clk); coverpoint b; endgroup
  cg one; at_edge two = new;
  bit [1:0] kinds [3];
  initial one = new;
  int passed = 0, failed = 0;
  p: assert property (@(posedge clk) a |=> b) begin passed++; one.sample(b); end
     else begin failed++; foreach (kinds[i]) $display(\"%0d\", kinds[i]); case (failed) 1: $error(\"first\"); default: ; endcase end
  final $display(\"%0d %0d\", passed, failed);
endmodule
";
    let Some(read) = read(text) else { return };
    let design = read.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(design.system.properties().len(), 1);
    let mut warnings: Vec<&str> = design.warnings.iter().map(|warning| warning.message.as_str()).collect();
    warnings.sort_unstable();
    assert_eq!(
        warnings,
        [
            "1 action of an assertion is ignored: nothing else uses what is assigned there (failed, passed)",
            "covergroups are ignored: nothing depends on them",
        ]
    );
}
