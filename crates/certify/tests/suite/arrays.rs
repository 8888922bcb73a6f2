//! Arrays: the answers are those of enumeration whether arrays are written out or not, and large ones are no obstacle.

use crate::claims::{compare_mutated, compare_traces, compare_with_enumeration};
use crate::family::compare_families;
use crate::systems::{add_invariant, random_array_system, random_system};
use propcov_budget::Budget;
use propcov_certify::{Rejection, check_bound, check_proof, with_tables_up_to};
use propcov_ir::{
    ArrayValue, BinaryOp, Bits, Edits, ExprId, Proof, PropertyId, SignalId, Sort, System, TernaryOp, UnaryOp,
    Value,
};
use std::sync::Arc;
use std::time::Instant;

/// No tables, tables of some sorts, only tables.
const LARGEST_TABLES: [u64; 3] = [0, 2, 512];

#[test]
fn a_claim_about_arrays_is_accepted_exactly_when_it_holds_by_enumeration() {
    for bits in LARGEST_TABLES {
        let [accepted, rejected, _] =
            with_tables_up_to(bits, || compare_with_enumeration(random_array_system, 700_000..701_500));
        assert!(
            accepted > 300 && rejected > 300,
            "{accepted} accepted, {rejected} rejected: a lopsided test"
        );
    }
}

#[test]
fn a_mutated_proof_about_arrays_is_rejected_exactly_when_it_no_longer_holds() {
    for bits in LARGEST_TABLES {
        let [still, broken] =
            with_tables_up_to(bits, || compare_mutated(random_array_system, 710_000..710_700));
        assert!(still > 50 && broken > 50, "{still} mutants still hold, {broken} do not: a lopsided test");
    }
}

#[test]
fn a_family_of_mutants_of_arrays_is_no_different_from_its_members() {
    for bits in LARGEST_TABLES {
        let [accepted, rejected, mixed] =
            with_tables_up_to(bits, || compare_families(random_array_system, 750_000..750_300));
        assert!(accepted > 20 && rejected > 20 && mixed > 20, "{accepted}, {rejected}, {mixed}: lopsided");
    }
}

#[test]
fn a_trace_with_arrays_is_accepted_exactly_when_it_is_a_run_to_a_violation() {
    let [still, broken] = compare_traces(random_array_system, 730_000..733_000);
    assert!(still > 50 && broken > 50, "{still} mutants are runs, {broken} are not: a lopsided test");
}

#[test]
fn claims_about_systems_with_few_arrays_are_judged_alike_without_tables() {
    let [accepted, rejected, _] =
        with_tables_up_to(0, || compare_with_enumeration(random_system, 740_000..742_000));
    assert!(accepted > 300 && rejected > 300, "{accepted} accepted, {rejected} rejected: a lopsided test");
}

/// A memory, and what was last written at an address that nobody knows.
struct Scoreboard {
    system: System,
    property: PropertyId,
}

/// What is wrong about a scoreboard.
#[derive(Clone, Copy, PartialEq)]
enum Wrong {
    Nothing,
    /// It takes down what is written whether or not the memory is enabled.
    Enable,
    /// It compares all bits of the address but one.
    Address,
}

fn add(system: &mut System, name: &str, sort: &Sort) -> (SignalId, ExprId) {
    let state = system.add_state(name, sort.clone());
    (state, system.read(state))
}

fn scoreboard(address: u32, width: u32, wrong: Wrong) -> Scoreboard {
    let mut system = System::new();
    let (index, word) = (Sort::BitVec(address), Sort::BitVec(width));
    let inputs = [("write", Sort::BOOL), ("address", index.clone()), ("data", word.clone())];
    let inputs = inputs.map(|(name, sort)| system.add_input(name, sort));
    let [write, at, data] = inputs.map(|input| system.read(input));
    let (memory, held) = add(&mut system, "memory", &Sort::array(index.clone(), word.clone()));
    let (fa, address_of) = add(&mut system, "fa", &index);
    let (fd, expected) = add(&mut system, "fd", &word);
    let (known, is_known) = add(&mut system, "known", &Sort::BOOL);
    let pool = &mut system.exprs;
    let written = pool.ternary(TernaryOp::Write, held, at, data).expect("fits");
    let next_memory = pool.ite(write, written, held);
    let hit = match wrong {
        Wrong::Address => {
            let lower = UnaryOp::Extract { high: address - 2, low: 0 };
            let [a, b] = [at, address_of].map(|index| pool.unary(lower.clone(), index).expect("fits"));
            pool.eq(a, b)
        }
        _ => pool.eq(at, address_of),
    };
    let taken = if wrong == Wrong::Enable { hit } else { pool.and(write, hit) };
    let (next_fd, next_known) = (pool.ite(taken, data, expected), pool.or(taken, is_known));
    let unknown = pool.bool(false);
    let now = pool.apply(BinaryOp::Read, held, address_of);
    let (agrees, not_known) = (pool.eq(now, expected), pool.not(is_known));
    let property = pool.or(not_known, agrees);
    system.set_next(memory, next_memory);
    system.set_next(fa, address_of);
    system.set_next(fd, next_fd);
    system.set_next(known, next_known);
    system.set_init(known, unknown);
    let property = add_invariant(&mut system, property);
    Scoreboard { system, property }
}

fn plain(k: u32) -> Proof {
    Proof { invariant: Default::default(), k, simple_path: false, core: Default::default() }
}

impl Scoreboard {
    fn check(&self, k: u32) -> Result<(), Rejection> {
        check_proof(&self.system, &Edits::none(), self.property, &plain(k), &Budget::default())
    }
}

#[test]
fn a_scoreboard_of_a_large_memory_is_accepted_and_a_wrong_one_rejected() {
    for (address, width) in [(16, 32), (40, 64)] {
        let start = Instant::now();
        for k in [1, 3] {
            assert_eq!(scoreboard(address, width, Wrong::Nothing).check(k), Ok(()));
        }
        for wrong in [Wrong::Enable, Wrong::Address] {
            let answer = scoreboard(address, width, wrong).check(1);
            assert!(matches!(answer, Err(Rejection::Consecution { .. })), "{answer:?}");
            let Scoreboard { system, property } = scoreboard(address, width, wrong);
            let answer = check_bound(&system, &Edits::none(), property, 3, &Budget::default());
            assert!(matches!(answer, Err(Rejection::Initiation { .. })), "{answer:?}");
        }
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }
}

/// Checks an expression, whatever the inputs.
fn holds(system: &mut System, expr: ExprId) -> Result<(), Rejection> {
    let property = add_invariant(system, expr);
    check_bound(system, &Edits::none(), property, 0, &Budget::default())
}

#[test]
fn a_long_chain_of_writes_is_read_in_linear_time() {
    let mut system = System::new();
    let (index, word) = (Sort::BitVec(20), Sort::BitVec(4));
    let at = system.add_input("at", index.clone());
    let at = system.read(at);
    let (memory, held) = add(&mut system, "memory", &Sort::array(index, word));
    let pool = &mut system.exprs;
    let zero = pool.bits(4, 0);
    let sort = pool.sort(held).clone();
    let mut chain = pool.unary(UnaryOp::ConstArray(sort), zero).expect("fits");
    for at in 0..100_000 {
        let (index, value) = (pool.bits(20, 3 * at), pool.bits(4, at % 7));
        chain = pool.ternary(TernaryOp::Write, chain, index, value).expect("fits");
    }
    let read = pool.apply(BinaryOp::Read, held, at);
    let (six, seven) = (pool.bits(4, 6), pool.bits(4, 5));
    let at_most_six = pool.apply(BinaryOp::Ule, read, six);
    let at_most_five = pool.apply(BinaryOp::Ule, read, seven);
    let place = pool.bits(20, 3 * 99_999);
    let last = pool.apply(BinaryOp::Read, held, place);
    let expected = pool.bits(4, 99_999 % 7);
    let last = pool.eq(last, expected);
    system.set_init(memory, chain);
    system.set_next(memory, held);
    let start = Instant::now();
    assert_eq!(holds(&mut system, last), Ok(()));
    let constant = start.elapsed();
    assert_eq!(holds(&mut system, at_most_six), Ok(()));
    assert!(matches!(holds(&mut system, at_most_five), Err(Rejection::Initiation { .. })));
    println!("{constant:?} at a constant, {:?} in all", start.elapsed());
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn what_a_large_constant_holds_is_what_the_interpreter_says() {
    let sort = Sort::array(Sort::BitVec(40), Sort::BitVec(8));
    let Sort::Array(array) = &sort else { panic!("an array") };
    let mut constant = ArrayValue::constant(Arc::clone(array), Value::Bits(Bits::from_u64(8, 200)));
    let place = |at: u64| (at * at * 7_919) % (1 << 40);
    for at in 0..500 {
        constant.write(Bits::from_u64(40, place(at)), Value::Bits(Bits::from_u64(8, at % 100)));
    }
    let mut system = System::new();
    let input = system.add_input("at", Sort::BitVec(40));
    let input = system.read(input);
    let held = system.exprs.constant(Value::Array(constant.clone()));
    let anywhere = system.exprs.apply(BinaryOp::Read, held, input);
    for at in (0..500).step_by(23).flat_map(|at| [place(at), place(at) + 1, place(at) ^ 1 << 39]) {
        let value = constant.read(&Value::Bits(Bits::from_u64(40, at))).clone();
        let (index, value) = (system.exprs.bits(40, at), system.exprs.constant(value));
        // At a constant, and at an input that is this constant.
        let read = system.exprs.apply(BinaryOp::Read, held, index);
        let (there, agrees) = (system.exprs.eq(read, value), system.exprs.eq(anywhere, value));
        let (elsewhere, differs) = (system.exprs.eq(input, index), system.exprs.not(agrees));
        let elsewhere = system.exprs.not(elsewhere);
        let (same, wrong) = (system.exprs.or(elsewhere, agrees), system.exprs.or(elsewhere, differs));
        assert_eq!(holds(&mut system, there), Ok(()), "{at}");
        assert_eq!(holds(&mut system, same), Ok(()), "{at}");
        assert!(matches!(holds(&mut system, wrong), Err(Rejection::Initiation { .. })), "{at}");
    }
}

#[test]
fn reads_before_and_after_an_array_is_compared_agree() {
    let sort = Sort::array(Sort::BitVec(7), Sort::BitVec(8));
    let mut system = System::new();
    let [a, b] = ["a", "b"].map(|name| system.add_input(name, sort.clone()));
    let [i, j] = ["i", "j"].map(|name| system.add_input(name, Sort::BitVec(7)));
    let [a, b, i, j] = [a, b, i, j].map(|input| system.read(input));
    let pool = &mut system.exprs;
    let [before, other] = [a, b].map(|array| pool.apply(BinaryOp::Read, array, i));
    let equal = pool.eq(a, b);
    let [after, there] = [a, b].map(|array| pool.apply(BinaryOp::Read, array, j));
    let (same_before, same_after) = (pool.eq(before, other), pool.eq(after, there));
    let (both, unequal) = (pool.and(same_before, same_after), pool.not(equal));
    let follows = pool.or(unequal, both);
    assert_eq!(holds(&mut system, follows), Ok(()));
    let pool = &mut system.exprs;
    let differs = pool.not(both);
    let converse = pool.or(differs, equal);
    assert!(matches!(holds(&mut system, converse), Err(Rejection::Initiation { .. })));
    // Where i is not j, the order of writes does not matter; where it is, it may.
    let pool = &mut system.exprs;
    let (zero, one) = (pool.bits(8, 0), pool.bits(8, 1));
    let mut write = |array, index, value| pool.ternary(TernaryOp::Write, array, index, value).expect("fits");
    let (first, second) = (write(a, i, zero), write(a, j, one));
    let (first, second) = (write(first, j, one), write(second, i, zero));
    let (commute, same) = (pool.eq(first, second), pool.eq(i, j));
    let unless_same = pool.or(same, commute);
    assert_eq!(holds(&mut system, unless_same), Ok(()));
    assert!(matches!(holds(&mut system, commute), Err(Rejection::Initiation { .. })));
}

#[test]
fn comparing_arrays_that_are_too_large_is_unsupported_and_a_spent_budget_leaves_it_undecided() {
    let sort = Sort::array(Sort::BitVec(16), Sort::BitVec(32));
    let mut system = System::new();
    let [a, b] = ["a", "b"].map(|name| system.add_input(name, sort.clone()));
    let [a, b] = [a, b].map(|input| system.read(input));
    let (equal, same) = (system.exprs.eq(a, b), system.exprs.eq(a, a));
    assert!(matches!(holds(&mut system, equal), Err(Rejection::Unsupported(_))));
    assert_eq!(holds(&mut system, same), Ok(()));
    let Scoreboard { system, property } = scoreboard(16, 32, Wrong::Nothing);
    let spent = Budget::default();
    spent.interrupt.raise();
    let answer = check_proof(&system, &Edits::none(), property, &plain(1), &spent);
    assert_eq!(answer, Err(Rejection::Undecided));
}

/// Not a test of anything but speed: `cargo test --release -p propcov-certify -- --ignored --nocapture scoreboards`.
#[test]
#[ignore = "a measurement"]
fn speed_of_scoreboards() {
    for k in [1, 2] {
        for address in [6, 8, 10, 12, 13] {
            let mut seconds = Vec::new();
            for bits in [1 << 18, 512] {
                let board = scoreboard(address, 32, Wrong::Nothing);
                let start = Instant::now();
                let answer = with_tables_up_to(bits, || board.check(k));
                seconds.push((start.elapsed(), answer.is_ok()));
            }
            println!("k = {k}, {} words: tables {:?}, terms {:?}", 1u64 << address, seconds[0], seconds[1]);
        }
    }
}
