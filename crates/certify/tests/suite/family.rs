//! A proof is accepted for a family exactly when it is accepted for each mutant by itself.

use crate::claims::{Make, random_lemma};
use crate::enumeration::Explicit;
use crate::systems::{
    add_invariant, in_own_pool, one_in, one_of, random_expr, random_system, reads_only_states,
};
use propcov_budget::Budget;
use propcov_certify::{Family, Rejection, check_proof};
use propcov_ir::{
    Edits, ElementId, ElementKind, ElementSet, ExprId, ExprPool, Invariant, Mutant, Mutation, Proof,
    PropertyId, PropertyKind, Site, Sort, Step, System,
};
use propcov_testkit::{Random, bit_level_system, word_level_system};
use std::ops::Range;

/// How often each answer was given.
#[derive(Default)]
struct Tally {
    accepted: usize,
    rejected: usize,
    mixed: usize,
}

fn all_mutants(system: &System) -> Vec<Mutant> {
    system.element_ids().flat_map(|element| system.mutants_of(element)).collect()
}

fn some_of(mutants: &[Mutant], random: &mut Random) -> Vec<Mutant> {
    let out_of = *random.pick(&[1, 2, 2, 4]);
    mutants.iter().copied().filter(|_| one_in(random, out_of)).collect()
}

/// Asks the family about several proofs, one after the other, and compares with each mutant by itself.
fn compare(
    system: &System,
    property: PropertyId,
    proofs: &[Proof],
    random: &mut Random,
    tally: &mut Tally,
) -> Result<(), String> {
    let limits = Budget::default();
    let mutants = some_of(&all_mutants(system), random);
    let mut family = Family::new(system, property, &mutants).map_err(|rejection| rejection.to_string())?;
    for (at, proof) in proofs.iter().enumerate() {
        let mut members = some_of(&mutants, random);
        if one_in(random, 4) {
            members.truncate(1);
        }
        if one_in(random, 4) {
            // The order does not matter, nor does it that one is named twice.
            members.reverse();
            members.extend(members.first().copied());
        }
        let survives =
            |member: &Mutant| check_proof(system, &member.edits(system), property, proof, &limits).is_ok();
        let expected: Vec<Mutant> = members.iter().copied().filter(survives).collect();
        let context = |what: &str| format!("proof {at}, {what}: {members:?}, of which survive {expected:?}");
        if one_in(random, 3) && family.accepted(proof, &members, &limits) != expected {
            return Err(context("accepted"));
        }
        let answer = family.check(proof, &members, &limits);
        if answer.is_ok() != (expected.len() == members.len()) {
            return Err(context(&format!("check says {answer:?}")));
        }
        if let Err(rejection) = answer
            && !matches!(rejection, Rejection::Initiation { .. } | Rejection::Consecution { .. })
        {
            return Err(context(&rejection.to_string()));
        }
        if family.accepted(proof, &members, &limits) != expected {
            return Err(context("accepted"));
        }
        if family.check(proof, &expected, &limits) != Ok(()) {
            return Err(context("check of those that survive"));
        }
        match (members.len(), expected.len()) {
            (0, _) => {}
            (all, survivors) if all == survivors => tally.accepted += 1,
            (_, 0) => tally.rejected += 1,
            _ => tally.mixed += 1,
        }
    }
    Ok(())
}

fn random_proof(system: &mut System, lemmas: &[ExprId], random: &mut Random) -> Proof {
    let (exprs, lemmas) = in_own_pool(system, lemmas);
    Proof {
        invariant: (Invariant { exprs, lemmas }).into(),
        k: 1 + random.below(3) as u32,
        simple_path: one_in(random, 6),
        core: ElementSet::new(),
    }
}

/// Checks that proofs are accepted for a family as for its members, one by one. How often for all of them, for none, and for some.
pub(crate) fn compare_families(make: Make, seeds: Range<u64>) -> [usize; 3] {
    let mut tally = Tally::default();
    for seed in seeds {
        let random = &mut Random::new(seed);
        let mut system = make(random);
        let mutants = all_mutants(&system);
        if mutants.is_empty() {
            continue;
        }
        let mut property = random_expr(&mut system, random, &Sort::BOOL, 3, false);
        let mut proofs = Vec::new();
        for _ in 0..3 {
            // What is true of one mutant, or of the system as written, is often true of others.
            let edits = if one_in(random, 4) { Edits::none() } else { random.pick(&mutants).edits(&system) };
            let Some(graph) = Explicit::new(&system, &edits, &[], 64).filter(|graph| !graph.steps.is_empty())
            else {
                continue;
            };
            let reachable = graph.reachable();
            if proofs.is_empty() && !one_in(random, 3) {
                let reached: Vec<&Step> =
                    (0..graph.steps.len()).filter(|s| reachable[*s]).map(|s| &graph.steps[s]).collect();
                let inside = one_of(&mut system, &reached);
                property = system.exprs.or(property, inside);
            }
            let mut lemmas = Vec::new();
            for _ in 0..random.below(4) {
                let lemma = random_lemma(&mut system, random, &graph, &reachable);
                lemmas.extend(Some(lemma).filter(|lemma| reads_only_states(&system, *lemma)));
            }
            proofs.push(random_proof(&mut system, &lemmas, random));
        }
        let property = add_invariant(&mut system, property);
        if let Err(problem) = compare(&system, property, &proofs, random, &mut tally) {
            panic!("seed {seed}: {problem}\n{system}");
        }
    }
    [tally.accepted, tally.rejected, tally.mixed]
}

#[test]
fn a_proof_is_accepted_for_the_members_for_which_it_is_accepted_one_by_one() {
    let [accepted, rejected, mixed] = compare_families(random_system, 500_000..502_500);
    assert!(accepted > 500 && rejected > 500 && mixed > 500, "{accepted}, {rejected}, {mixed}: lopsided");
}

/// Lemmas of the form that engines find: clauses over bits of states.
fn random_clause(system: &mut System, random: &mut Random) -> ExprId {
    let mut clause = Vec::new();
    for _ in 0..random.between(1, 3) {
        let state = *random.pick(system.states());
        let read = system.read(state);
        let Some(width) = system.signal(state).sort.width() else { continue };
        let bit = system.exprs.bit(read, random.below(width as usize) as u32);
        clause.push(if one_in(random, 4) { bit } else { system.exprs.not(bit) });
    }
    system.exprs.disjunction(clause)
}

fn families_of(make: impl Fn(u64) -> System, first_seed: u64, count: u64) {
    let mut tally = Tally::default();
    for seed in first_seed..first_seed + count {
        let random = &mut Random::new(seed);
        let mut system = make(seed);
        let mut proofs = Vec::new();
        for _ in 0..3 {
            let lemmas: Vec<ExprId> =
                (0..random.below(6)).map(|_| random_clause(&mut system, random)).collect();
            proofs.push(random_proof(&mut system, &lemmas, random));
        }
        let property = PropertyId(random.below(system.properties().len()) as u32);
        if let Err(problem) = compare(&system, property, &proofs, random, &mut tally) {
            panic!("seed {seed}: {problem}\n{system}");
        }
    }
    let Tally { accepted, rejected, mixed } = tally;
    assert!(accepted > 20 && rejected > 20 && mixed > 20, "{accepted}, {rejected}, {mixed}: lopsided");
}

#[test]
fn families_of_gates_and_latches_are_no_different_from_their_members() {
    families_of(bit_level_system, 510_000, 250);
}

#[test]
fn families_of_words_are_no_different_from_their_members() {
    families_of(word_level_system, 520_000, 400);
}

/// A counter of two bits that stops at 2, and says that it is not at 3; and a register that nothing reads.
struct Counter {
    system: System,
    property: PropertyId,
    /// The low bit, the high bit, and the one nobody reads.
    registers: [ElementId; 3],
    init: ElementId,
}

fn counter() -> Counter {
    let mut system = System::new();
    let states = ["low", "high", "idle"].map(|name| system.add_state(name, Sort::BOOL));
    let [low, high, _] = states.map(|state| system.read(state));
    let zero = system.exprs.bool(false);
    let (not_low, not_high) = (system.exprs.not(low), system.exprs.not(high));
    let nexts = [system.exprs.and(not_low, not_high), system.exprs.or(low, high), not_low];
    let mut index = 0;
    let registers = states.map(|state| {
        system.set_init(state, zero);
        system.set_next(state, nexts[index]);
        index += 1;
        let name = system.signal(state).name.clone();
        system.add_element(name, ElementKind::Register, Site::Next(state), None)
    });
    let init = system.add_element("low.init", ElementKind::Init, Site::Init(states[0]), None);
    let both = system.exprs.and(low, high);
    let never = system.exprs.not(both);
    let property = system.add_property("never both", PropertyKind::Invariant(never), None);
    Counter { system, property, registers, init }
}

fn plain(k: u32) -> Proof {
    let invariant = Invariant { exprs: ExprPool::new(), lemmas: Vec::new() };
    Proof { invariant: invariant.into(), k, simple_path: false, core: ElementSet::new() }
}

#[test]
fn members_are_told_apart() {
    let Counter { system, property, registers, .. } = counter();
    let mutants = all_mutants(&system);
    let mut family = Family::new(&system, property, &mutants).expect("a family");
    let [low, high, idle] = registers;
    let at = |element, mutation| Mutant { element, mutation };
    let survivors = [
        at(low, Mutation::Zero),
        at(high, Mutation::Zero),
        at(idle, Mutation::Free),
        at(idle, Mutation::One),
    ];
    let limits = Budget::default();
    assert_eq!(family.check(&plain(1), &survivors, &limits), Ok(()));
    for killed in [at(low, Mutation::Free), at(low, Mutation::One), at(high, Mutation::One)] {
        let with_one_more = [&survivors[..], &[killed]].concat();
        let answer = family.check(&plain(1), &with_one_more, &limits);
        assert!(matches!(answer, Err(Rejection::Consecution { .. })), "{killed:?}: {answer:?}");
        assert_eq!(family.accepted(&plain(1), &with_one_more, &limits), survivors);
    }
}

#[test]
fn nothing_is_to_be_shown_of_no_members() {
    let Counter { system, property, .. } = counter();
    let mut family = Family::new(&system, property, &[]).expect("a family");
    assert_eq!(family.check(&plain(1), &[], &Budget::default()), Ok(()));
    assert_eq!(family.accepted(&plain(1), &[], &Budget::default()), []);
}

#[test]
fn mutants_that_mean_nothing_are_malformed() {
    let Counter { mut system, property, registers, init } = counter();
    let number = system.add_state("number", Sort::Int);
    let read = system.read(number);
    system.set_next(number, read);
    let unbounded = system.add_element("number", ElementKind::Register, Site::Next(number), None);
    let missing = ElementId(system.elements().len() as u32);
    for (element, mutation) in [
        (missing, Mutation::Free),
        (init, Mutation::Free),
        (init, Mutation::Zero),
        (unbounded, Mutation::One),
    ] {
        let answer = Family::new(&system, property, &[Mutant { element, mutation }]).err();
        assert!(matches!(answer, Some(Rejection::Malformed(_))), "{element:?} {mutation:?}: {answer:?}");
    }
    let answer = Family::new(&system, PropertyId(7), &[]).err();
    assert!(matches!(answer, Some(Rejection::Malformed(_))), "{answer:?}");
    let stranger = Mutant { element: registers[0], mutation: Mutation::Zero };
    let known = Mutant { element: registers[2], mutation: Mutation::Free };
    let mut family = Family::new(&system, property, &[known]).expect("a family");
    let answer = family.check(&plain(1), &[known, stranger], &Budget::default());
    assert!(matches!(answer, Err(Rejection::Malformed(_))), "{answer:?}");
    assert_eq!(family.accepted(&plain(1), &[known, stranger], &Budget::default()), [known]);
}

#[test]
fn a_malformed_proof_is_rejected_and_the_next_one_is_checked_as_ever() {
    let Counter { system, property, registers, .. } = counter();
    let member = [Mutant { element: registers[2], mutation: Mutation::Free }];
    let mut family = Family::new(&system, property, &member).expect("a family");
    let limits = Budget::default();
    let endless = family.check(&plain(u32::MAX), &member, &limits);
    assert!(matches!(endless, Err(Rejection::Unsupported(_))), "{endless:?}");
    let mut ill = plain(1);
    let invariant = std::sync::Arc::make_mut(&mut ill.invariant);
    let low = invariant.exprs.signal(system.states()[0], Sort::BOOL);
    let ghost = invariant.exprs.signal(propcov_ir::SignalId(99), Sort::BOOL);
    let lemma = invariant.exprs.xor(low, ghost);
    invariant.lemmas.push(lemma);
    for malformed in [plain(0), ill] {
        let answer = family.check(&malformed, &member, &limits);
        assert!(matches!(answer, Err(Rejection::Malformed(_))), "{answer:?}");
        assert_eq!(family.accepted(&malformed, &member, &limits), []);
    }
    let mut claims_too_much = plain(1);
    let invariant = std::sync::Arc::make_mut(&mut claims_too_much.invariant);
    let low = invariant.exprs.signal(system.states()[0], Sort::BOOL);
    let lemma = invariant.exprs.not(low);
    invariant.lemmas.push(lemma);
    let answer = family.check(&claims_too_much, &member, &limits);
    assert!(matches!(answer, Err(Rejection::Consecution { .. })), "{answer:?}");
    assert_eq!(family.check(&plain(1), &member, &limits), Ok(()));
}

#[test]
fn a_family_is_undecided_when_the_budget_is_used_up_and_decided_when_there_is_more() {
    let Counter { system, property, registers, .. } = counter();
    let member = [Mutant { element: registers[2], mutation: Mutation::Free }];
    let mut family = Family::new(&system, property, &member).expect("a family");
    let raised = Budget::default();
    raised.interrupt.raise();
    assert_eq!(family.check(&plain(1), &member, &raised), Err(Rejection::Undecided));
    assert_eq!(family.accepted(&plain(1), &member, &raised), []);
    let examined = family.examine(&plain(1), &member, &raised);
    assert_eq!((examined.accepted.as_slice(), examined.undecided.as_slice()), (&[][..], &member[..]));
    let examined = family.examine(&plain(1), &member, &Budget::default());
    assert_eq!((examined.accepted.as_slice(), examined.undecided.as_slice()), (&member[..], &[][..]));
    assert_eq!(family.check(&plain(1), &member, &Budget::default()), Ok(()));
}

#[test]
fn a_longer_induction_does_not_restrict_the_next_shorter_one() {
    // From 2, which is not reached, x goes to 3, where the property fails; from there to 1, which the constraint forbids. So
    // the step that fails has no successor, and is a violation all the same.
    let mut system = System::new();
    let (x, idle) = (system.add_state("x", Sort::BitVec(2)), system.add_state("idle", Sort::BOOL));
    let (read, two, three) = (system.read(x), system.exprs.bits(2, 2), system.exprs.bits(2, 3));
    let zero = system.exprs.bits(2, 0);
    let (at_two, at_three) = (system.exprs.eq(read, two), system.exprs.eq(read, three));
    let mut next = system.exprs.ite(at_two, three, zero);
    let one = system.exprs.bits(2, 1);
    next = system.exprs.ite(at_three, one, next);
    system.set_init(x, zero);
    system.set_next(x, next);
    let at_one = system.exprs.eq(read, one);
    let not_one = system.exprs.not(at_one);
    system.add_constraint("not one", propcov_ir::ConstraintKind::Always, not_one);
    let not_three = system.exprs.not(at_three);
    let property = system.add_property("not three", PropertyKind::Invariant(not_three), None);
    let idle_next = system.read(idle);
    system.set_next(idle, idle_next);
    let element = system.add_element("idle", ElementKind::Register, Site::Next(idle), None);
    let member = [Mutant { element, mutation: Mutation::Free }];
    let mut family = Family::new(&system, property, &member).expect("a family");
    let limits = Budget::default();
    assert_eq!(family.check(&plain(3), &member, &limits), Ok(()));
    let short = family.check(&plain(1), &member, &limits);
    assert!(matches!(short, Err(Rejection::Consecution { .. })), "{short:?}");
}

#[test]
fn what_cannot_be_represented_is_checked_for_the_mutants_that_are_cut_off_from_it() {
    let mut system = System::new();
    let (number, x) = (system.add_state("number", Sort::Int), system.add_state("x", Sort::BOOL));
    let (read, zero) = (system.read(number), system.exprs.bool(false));
    let same = system.exprs.eq(read, read);
    let wire = system.add_wire("w", same);
    let w = system.read(wire);
    let next = system.exprs.not(w);
    system.set_init(x, zero);
    system.set_next(x, next);
    let element = system.add_element("w", ElementKind::Equation, Site::Wire(wire), None);
    let x = system.read(x);
    let low = system.exprs.not(x);
    let property = system.add_property("low", PropertyKind::Invariant(low), None);
    let [free, zero, one] =
        [Mutation::Free, Mutation::Zero, Mutation::One].map(|mutation| Mutant { element, mutation });
    let mut family = Family::new(&system, property, &[free, zero, one]).expect("a family");
    let limits = Budget::default();
    assert_eq!(family.check(&plain(1), &[one], &limits), Ok(()));
    let answer = family.check(&plain(1), &[one, zero], &limits);
    assert!(matches!(answer, Err(Rejection::Consecution { .. })), "{answer:?}");
    assert_eq!(family.accepted(&plain(1), &[free, zero, one], &limits), [one]);
}
