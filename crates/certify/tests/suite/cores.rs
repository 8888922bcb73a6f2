//! What is accepted about slices is true of all their runs, by enumeration; and what is true is accepted, given the right evidence.

use crate::claims::Make;
use crate::enumeration::Explicit;
use crate::systems::{
    add_invariant, in_own_pool, one_in, one_of, random_expr, random_number_system, random_system, values,
};
use propcov_budget::Budget;
use propcov_certify::{CoreChecker, Rejection, check_core, check_trace};
use propcov_ir::{
    Bits, ConstraintKind, Ctl, Edit, Edits, ElementId, ElementKind, ElementSet, ExprId, Invariant, Proof,
    PropertyId, PropertyKind, Quantifier, Site, Sort, Step, System, Trace, Value,
};
use propcov_testkit::Random;

/// At most so many steps of a slice are listed.
const LIMIT: usize = 128;

/// A slice, and the truth about it.
struct Slice {
    kept: ElementSet,
    explicit: Explicit,
    /// A proof that its reachable states satisfy the property, right or wrong.
    proof: Proof,
    /// Whether that proof is inductive.
    is_inductive: bool,
    /// A shortest run to a violation.
    violation: Option<Trace>,
}

/// All slices of a small system.
struct Subject {
    system: System,
    universe: ElementSet,
    property: PropertyId,
    slices: Vec<Slice>,
}

fn subsets(universe: &ElementSet) -> Vec<ElementSet> {
    let elements: Vec<ElementId> = universe.iter().collect();
    let chosen = |code: u32| (0..elements.len()).filter(move |at| code >> at & 1 != 0);
    (0..1u32 << elements.len()).map(|code| chosen(code).map(|at| elements[at]).collect()).collect()
}

fn slice_of(universe: &ElementSet, kept: &ElementSet) -> Edits {
    let mut edits = Edits::none();
    universe.difference(kept).iter().for_each(|element| edits.insert(element, Edit::Free));
    edits
}

/// A shortest path from an initial step to one in which the condition is false.
fn shortest_violation(explicit: &Explicit) -> Option<Trace> {
    let mut before: Vec<Option<usize>> = vec![None; explicit.steps.len()];
    let mut seen = explicit.initial.clone();
    let mut layer: Vec<usize> = (0..seen.len()).filter(|step| seen[*step]).collect();
    while !layer.is_empty() {
        if let Some(last) = layer.iter().copied().find(|step| !explicit.conditions[*step][0]) {
            let mut path = vec![last];
            while let Some(step) = before[path[path.len() - 1]] {
                path.push(step);
            }
            let steps = path.into_iter().rev().map(|step| explicit.steps[step].clone()).collect();
            return Some(Trace { steps });
        }
        let mut following = Vec::new();
        for step in layer {
            for &next in &explicit.successors[step] {
                if !std::mem::replace(&mut seen[next], true) {
                    before[next] = Some(step);
                    following.push(next);
                }
            }
        }
        layer = following;
    }
    None
}

/// Whether some run violates the condition in this step.
fn is_violated_in(explicit: &Explicit, step: usize) -> bool {
    let mut layer = explicit.initial.clone();
    for _ in 0..step {
        let mut following = vec![false; layer.len()];
        for at in (0..layer.len()).filter(|at| layer[*at]) {
            explicit.successors[at].iter().for_each(|next| following[*next] = true);
        }
        layer = following;
    }
    (0..layer.len()).any(|at| layer[at] && !explicit.conditions[at][0])
}

fn random_subject(random: &mut Random, make: Make) -> Option<Subject> {
    let mut system = make(random);
    let mut universe: ElementSet = system.element_ids().filter(|_| !one_in(random, 5)).collect();
    while universe.len() > 4 {
        let elements: Vec<ElementId> = universe.iter().collect();
        universe.remove(*random.pick(&elements));
    }
    if universe.is_empty() {
        return None;
    }
    let whole = Explicit::new(&system, &Edits::none(), &[], LIMIT)?;
    let mut property = random_expr(&mut system, random, &Sort::BOOL, 3, false);
    if one_in(random, 2) {
        let reachable = whole.reachable();
        let reached: Vec<&Step> =
            (0..reachable.len()).filter(|step| reachable[*step]).map(|step| &whole.steps[step]).collect();
        let inside = one_of(&mut system, &reached);
        property = if one_in(random, 2) { inside } else { system.exprs.or(property, inside) };
    }
    let id = add_invariant(&mut system, property);
    let slices = subsets(&universe)
        .into_iter()
        .map(|kept| Slice::of(&mut system, &universe, kept, property))
        .collect::<Option<Vec<Slice>>>()?;
    Some(Subject { system, universe, property: id, slices })
}

impl Slice {
    fn of(system: &mut System, universe: &ElementSet, kept: ElementSet, property: ExprId) -> Option<Slice> {
        let edits = slice_of(universe, &kept);
        let bare = Explicit::new(system, &edits, &[property], LIMIT)?;
        let reachable = bare.reachable();
        let reached: Vec<&Step> =
            (0..reachable.len()).filter(|step| reachable[*step]).map(|step| &bare.steps[step]).collect();
        let lemma = one_of(system, &reached);
        let (exprs, lemmas) = in_own_pool(system, &[lemma]);
        let invariant = Invariant { exprs, lemmas };
        // Wrong on purpose: it must not matter.
        let core = ElementSet::new();
        let proof = Proof { invariant: invariant.into(), k: 1, simple_path: false, core };
        let explicit = Explicit::new(system, &edits, &[property, lemma], LIMIT)?;
        let is_inductive = explicit.initiation(1) && explicit.consecution(1, None);
        let violation = shortest_violation(&explicit);
        Some(Slice { kept, explicit, proof, is_inductive, violation })
    }

    fn is_adequate(&self) -> bool {
        self.violation.is_none()
    }
}

/// How often what happened.
#[derive(Debug, Default)]
struct Tally {
    subjects: usize,
    adequate: usize,
    inadequate: usize,
    refused_proofs: usize,
    refused_traces: usize,
    bounded: usize,
}

fn check_subject(subject: &Subject, random: &mut Random, tally: &mut Tally) {
    let Subject { system, universe, property, slices } = subject;
    let checker = || CoreChecker::new(system, universe, *property).expect("a meaningful question");
    let mut own = checker();
    for slice in slices {
        if let Some(trace) = &slice.violation {
            own.inadequate(&slice.kept, trace).expect("a run to a violation");
            check_trace(system, &slice_of(universe, &slice.kept), *property, trace).expect("a run");
            tally.inadequate += 1;
            assert!(own.adequate(&slice.kept, &slice.proof, &Budget::default()).is_err());
        } else {
            let answer = own.adequate(&slice.kept, &slice.proof, &Budget::default());
            assert_eq!(answer.is_ok(), slice.is_inductive, "{answer:?}");
            let outside = system.element_ids().filter(|element| !universe.contains(*element));
            let core = slice.kept.union(&outside.collect());
            let named = Proof { core, ..slice.proof.clone() };
            let same = check_core(system, &Edits::none(), *property, &named, &Budget::default());
            assert_eq!(answer.is_ok(), same.is_ok(), "{same:?}");
            tally.adequate += usize::from(answer.is_ok());
        }
    }
    for slice in slices {
        // Monotonicity, by enumeration.
        for other in slices.iter().filter(|other| slice.kept.is_subset(&other.kept)) {
            assert!(!slice.is_adequate() || other.is_adequate(), "{:?} {:?}", slice.kept, other.kept);
        }
        assert!(slice.is_adequate() || !own.facts().is_adequate(&slice.kept));
        assert!(!slice.is_adequate() || !own.facts().is_inadequate(&slice.kept));
    }
    // Evidence for another slice.
    for _ in 0..12 {
        let (slice, other) = (random.pick(slices), random.pick(slices));
        let answer = checker().adequate(&slice.kept, &other.proof, &Budget::default());
        assert!(slice.is_adequate() || answer.is_err());
        tally.refused_proofs += usize::from(answer.is_err());
        if let Some(trace) = &other.violation {
            let answer = checker().inadequate(&slice.kept, &spoilt(system, trace, random));
            assert!(!slice.is_adequate() || answer.is_err());
            assert!(answer.is_err() || is_violated_in(&slice.explicit, trace.depth()));
            tally.refused_traces += usize::from(answer.is_err());
        }
    }
    check_steps(subject, random, tally);
}

/// Bounded claims are accepted exactly when they hold.
fn check_steps(subject: &Subject, random: &mut Random, tally: &mut Tally) {
    let Subject { system, universe, property, slices } = subject;
    for _ in 0..6 {
        let slice = random.pick(slices);
        let first = random.below(4);
        let last = first + random.below(3);
        let steps = first as u32..=last as u32;
        let mut checker =
            CoreChecker::bounded(system, universe, *property, steps.clone()).expect("a meaningful question");
        let holds = !(first..=last).any(|step| is_violated_in(&slice.explicit, step));
        let answer = checker.adequate_in_steps(&slice.kept, &Budget::default());
        assert_eq!(answer.is_ok(), holds, "{answer:?}");
        tally.bounded += usize::from(holds != slice.is_adequate());
        if let Some(trace) = &slice.violation {
            let answer = checker.inadequate(&slice.kept, trace);
            assert_eq!(answer.is_ok(), steps.contains(&(trace.depth() as u32)), "{answer:?}");
        }
    }
}

/// A trace with another value somewhere, mostly.
fn spoilt(system: &System, trace: &Trace, random: &mut Random) -> Trace {
    let mut trace = trace.clone();
    let at = random.below(trace.steps.len());
    let step = &mut trace.steps[at];
    let other = |value: &mut Value, random: &mut Random| *value = random.pick(&values(&value.sort())).clone();
    match random.below(4) {
        0 if !step.states.is_empty() => {
            let at = random.below(step.states.len());
            other(&mut step.states[at], random);
        }
        1 if !step.inputs.is_empty() => {
            let at = random.below(step.inputs.len());
            other(&mut step.inputs[at], random);
        }
        2 => {
            for element in system.element_ids() {
                if let Site::Wire(wire) = system.element(element).site
                    && one_in(random, 2)
                {
                    step.free.insert(element, random.pick(&values(&system.signal(wire).sort)).clone());
                }
            }
        }
        _ => {}
    }
    trace
}

fn check_subjects(make: Make, cases: u64, first_seed: u64) -> Tally {
    let mut tally = Tally::default();
    for seed in first_seed..first_seed + cases {
        let random = &mut Random::new(seed);
        if let Some(subject) = random_subject(random, make) {
            tally.subjects += 1;
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                check_subject(&subject, random, &mut tally);
            }));
            assert!(outcome.is_ok(), "seed {seed}");
        }
    }
    tally
}

#[test]
fn evidence_about_slices_is_accepted_exactly_when_it_is_right() {
    let tally = check_subjects(random_system, 250, 51_000);
    let Tally { subjects, adequate, inadequate, refused_proofs, refused_traces, bounded } = tally;
    assert!(subjects > 50 && adequate > 200 && inadequate > 200, "{tally:?}: a lopsided test");
    assert!(refused_proofs > 300 && refused_traces > 300 && bounded > 50, "{tally:?}: a lopsided test");
}

#[test]
fn evidence_about_slices_with_numbers_is_accepted_exactly_when_it_is_right() {
    let tally = check_subjects(random_number_system, 160, 52_000);
    let Tally { subjects, adequate, inadequate, refused_proofs, refused_traces, bounded } = tally;
    assert!(subjects > 40 && adequate > 100 && inadequate > 100, "{tally:?}: a lopsided test");
    assert!(refused_proofs > 100 && refused_traces > 100 && bounded > 10, "{tally:?}: a lopsided test");
}

/// Two redundant bits that are never set, each of which keeps the property from failing; and a third that does not matter.
struct Redundant {
    system: System,
    property: PropertyId,
    bits: [[ElementId; 2]; 3],
    guard: ElementId,
}

fn redundant() -> Redundant {
    let mut system = System::new();
    let bits = ["a", "b", "c"].map(|name| {
        let state = system.add_state(name, Sort::BOOL);
        let (falsity, read) = (system.exprs.bool(false), system.read(state));
        system.set_init(state, falsity);
        system.set_next(state, read);
        let init = system.add_element(format!("{name}.init"), ElementKind::Init, Site::Init(state), None);
        let next = system.add_element(name, ElementKind::Register, Site::Next(state), None);
        (read, [init, next])
    });
    let both = system.exprs.and(bits[0].0, bits[1].0);
    let guard = system.add_wire("guard", both);
    let element = system.add_element("guard", ElementKind::Equation, Site::Wire(guard), None);
    let guard = system.read(guard);
    let holds = system.exprs.not(guard);
    let property = add_invariant(&mut system, holds);
    Redundant { system, property, bits: bits.map(|(_, elements)| elements), guard: element }
}

impl Redundant {
    fn universe(&self) -> ElementSet {
        self.system.element_ids().collect()
    }

    /// The core with one of the bits.
    fn core(&self, bit: usize) -> ElementSet {
        self.bits[bit].into_iter().chain([self.guard]).collect()
    }

    /// The lemma that a bit is never set.
    fn proof(&self, bit: usize) -> Proof {
        let mut exprs = propcov_ir::ExprPool::new();
        let read = exprs.signal(self.system.states()[bit], Sort::BOOL);
        let lemmas = vec![exprs.not(read)];
        let (k, simple_path, core) = (1, false, ElementSet::new());
        Proof { invariant: (Invariant { exprs, lemmas }).into(), k, simple_path, core }
    }

    /// A run in which the bits a and b are what is said, step by step, and the guard is what follows, or freed and set.
    fn trace(&self, steps: &[[bool; 2]], guard_is_free: bool) -> Trace {
        let step = |[a, b]: &[bool; 2]| Step {
            inputs: vec![],
            states: [*a, *b, false].map(Value::bool).to_vec(),
            free: if guard_is_free { [(self.guard, Value::bool(true))].into() } else { [].into() },
        };
        Trace { steps: steps.iter().map(step).collect() }
    }

    fn checker(&self) -> CoreChecker<'_> {
        CoreChecker::new(&self.system, &self.universe(), self.property).expect("a meaningful question")
    }

    /// A checker that knows everything: both cores, and the five maximal inadequate sets.
    fn informed(&self) -> CoreChecker<'_> {
        let mut checker = self.checker();
        for bit in [0, 1] {
            checker.adequate(&self.core(bit), &self.proof(bit), &Budget::default()).expect("a proof");
        }
        self.inadequate().iter().for_each(|(set, trace)| checker.inadequate(set, trace).expect("a run"));
        checker
    }

    fn inadequate(&self) -> Vec<(ElementSet, Trace)> {
        let all = self.universe();
        let [a, b, _] = self.bits;
        let mut found = vec![(all.without(self.guard), self.trace(&[[false, false]], true))];
        for (x, y) in [(a[0], b[0]), (a[0], b[1]), (a[1], b[0]), (a[1], b[1])] {
            let starts = [x == a[0], y == b[0]];
            let steps = if starts == [true, true] { vec![[true; 2]] } else { vec![starts, [true; 2]] };
            found.push((all.without(x).without(y), self.trace(&steps, false)));
        }
        found
    }
}

#[test]
fn everything_about_two_redundant_bits_is_accepted() {
    let redundant = redundant();
    let checker = redundant.informed();
    let facts = checker.facts();
    let cores = [redundant.core(0), redundant.core(1)];
    let budget = Budget::default();
    for core in &cores {
        facts.check_minimal(core).expect("minimal");
        facts.check_minimum(core, &budget).expect("a minimum");
    }
    let complete = facts.check_complete(&cores, &budget).expect("complete");
    assert!(complete.is_at_least(3) && !complete.is_at_least(4));
    for element in redundant.universe().iter() {
        assert_eq!(complete.is_in_no_core(element), redundant.bits[2].contains(&element));
    }
    facts.check_must(redundant.guard).expect("a must element");
    for bit in [0, 1] {
        for element in redundant.bits[bit] {
            facts.check_may(element).expect("a may element");
            facts.check_not_must(element).expect("no must element");
        }
    }
}

#[test]
fn whatever_is_false_about_two_redundant_bits_is_rejected() {
    let redundant = redundant();
    let checker = redundant.informed();
    let facts = checker.facts();
    let cores = [redundant.core(0), redundant.core(1)];
    let budget = Budget::default();
    let too_large = redundant.core(0).with(redundant.bits[2][0]);
    assert_eq!(facts.check_minimal(&too_large), Err(Rejection::Unexplored(redundant.core(0))));
    assert!(facts.check_minimum(&too_large, &budget).is_err());
    assert!(facts.check_at_least(4, &budget).is_err());
    let too_small = redundant.core(0).without(redundant.bits[0][0]);
    assert!(facts.check_adequate(&too_small).is_err() && facts.check_minimal(&too_small).is_err());
    match facts.check_complete(&cores[..1], &budget) {
        Err(Rejection::Unexplored(set)) => assert!(cores[1].is_subset(&set) && !cores[0].is_subset(&set)),
        other => panic!("{other:?}"),
    }
    assert!(facts.check_complete(&[cores[0].clone(), too_small], &budget).is_err());
    for element in redundant.bits.into_iter().flatten() {
        assert!(facts.check_must(element).is_err());
    }
    assert!(facts.check_not_must(redundant.guard).is_err());
    for element in redundant.bits[2] {
        assert!(facts.check_may(element).is_err());
    }
    let stranger = ElementId(99);
    assert!(matches!(facts.check_must(stranger), Err(Rejection::Malformed(_))));
    assert!(matches!(facts.check_not_must(stranger), Err(Rejection::Malformed(_))));
    assert!(matches!(facts.check_adequate(&cores[0].with(stranger)), Err(Rejection::Malformed(_))));
}

#[test]
fn each_inadequate_set_is_needed_for_something() {
    let redundant = redundant();
    let cores = [redundant.core(0), redundant.core(1)];
    let budget = Budget::default();
    for left_out in 0..5 {
        let mut checker = redundant.checker();
        for bit in [0, 1] {
            checker.adequate(&cores[bit], &redundant.proof(bit), &budget).expect("a proof");
        }
        for (at, (set, trace)) in redundant.inadequate().iter().enumerate() {
            if at != left_out {
                checker.inadequate(set, trace).expect("a run");
            }
        }
        let facts = checker.facts();
        assert!(facts.check_complete(&cores, &budget).is_err());
        // Of the four that lack two bits, any three still show that each core needs each of its elements.
        assert_eq!(cores.iter().all(|core| facts.check_minimal(core).is_ok()), left_out > 0);
        assert_eq!(facts.check_must(redundant.guard).is_ok(), left_out > 0);
        assert_eq!(facts.check_minimum(&cores[0], &budget).is_ok(), left_out > 0);
    }
}

#[test]
fn evidence_for_another_set_is_rejected() {
    let redundant = redundant();
    let mut checker = redundant.checker();
    let budget = Budget::default();
    assert!(checker.adequate(&redundant.core(0), &redundant.proof(1), &budget).is_err());
    assert!(
        checker.adequate(&redundant.core(0).without(redundant.guard), &redundant.proof(0), &budget).is_err()
    );
    for (set, trace) in redundant.inadequate() {
        assert!(checker.inadequate(&redundant.universe(), &trace).is_err());
        assert!(checker.inadequate(&set, &Trace::default()).is_err());
        let harmless = Trace { steps: vec![redundant.trace(&[[false, false]], false).steps[0].clone()] };
        assert!(checker.inadequate(&set, &harmless).is_err());
    }
    let stranger = ElementSet::from_iter([ElementId(99)]);
    assert!(matches!(checker.inadequate(&stranger, &Trace::default()), Err(Rejection::Malformed(_))));
    assert!(matches!(
        checker.adequate(&stranger, &redundant.proof(0), &budget),
        Err(Rejection::Malformed(_))
    ));
    let facts = checker.facts();
    assert!(!facts.is_adequate(&redundant.universe()) && !facts.is_inadequate(&ElementSet::new()));
}

#[test]
fn questions_without_a_meaning_are_refused() {
    let redundant = redundant();
    let (system, universe) = (&redundant.system, redundant.universe());
    let strange = universe.with(ElementId(99));
    assert!(CoreChecker::new(system, &strange, redundant.property).is_err());
    assert!(CoreChecker::new(system, &universe, PropertyId(7)).is_err());
    #[expect(clippy::reversed_empty_ranges, reason = "that is the point")]
    let no_steps = 3..=2;
    assert!(CoreChecker::bounded(system, &universe, redundant.property, no_steps).is_err());
    let mut checker = redundant.checker();
    assert!(checker.adequate_in_steps(&universe, &Budget::default()).is_err());
}

#[test]
fn what_outgrows_the_budget_is_undecided() {
    let redundant = redundant();
    let budget = Budget::default();
    budget.interrupt.raise();
    let mut checker = redundant.informed();
    let core = redundant.core(0);
    assert_eq!(checker.adequate(&core, &redundant.proof(0), &budget), Err(Rejection::Undecided));
    let cores = [core, redundant.core(1)];
    assert_eq!(checker.facts().check_complete(&cores, &budget), Err(Rejection::Undecided));
}

#[test]
fn several_properties_together_need_what_each_of_them_needs() {
    let mut redundant = redundant();
    let third = redundant.system.states()[2];
    let read = redundant.system.read(third);
    let never = redundant.system.exprs.not(read);
    let other = add_invariant(&mut redundant.system, never);
    let universe = redundant.universe();
    let mut about_third = CoreChecker::new(&redundant.system, &universe, other).expect("meaningful");
    let needed: ElementSet = redundant.bits[2].into_iter().collect();
    about_third.adequate(&needed, &redundant.proof(2), &Budget::default()).expect("a proof");
    let step =
        |third: bool| Step { states: [false, false, third].map(Value::bool).to_vec(), ..Step::default() };
    for (element, steps) in
        redundant.bits[2].into_iter().zip([vec![step(true)], vec![step(false), step(true)]])
    {
        about_third.inadequate(&universe.without(element), &Trace { steps }).expect("a run");
    }
    let first = redundant.informed();
    let both = [redundant.core(0).union(&needed), redundant.core(1).union(&needed)];
    let claimed = [both[0].clone(), both[1].clone(), needed.clone()];
    let facts = propcov_certify::Facts::together(&[first.facts(), about_third.facts()], &claimed)
        .expect("the same universe");
    facts.check_complete(&both, &Budget::default()).expect("all cores");
    both.iter().for_each(|core| facts.check_minimal(core).expect("minimal"));
    facts.check_minimum(&both[0], &Budget::default()).expect("a minimum");
    needed.with(redundant.guard).iter().for_each(|element| facts.check_must(element).expect("must"));
    assert!(facts.check_adequate(&needed).is_err());
    assert!(propcov_certify::Facts::together(&[], &[]).is_err());
}

/// A lemma about a wire says something only where the wire is defined.
#[test]
fn a_lemma_about_a_freed_wire_is_about_any_value() {
    let mut system = System::new();
    let state = system.add_state("x", Sort::BOOL);
    let (read, falsity) = (system.read(state), system.exprs.bool(false));
    system.set_init(state, falsity);
    let copy = system.add_wire("copy", read);
    let wire = system.add_element("copy", ElementKind::Equation, Site::Wire(copy), None);
    let copied = system.read(copy);
    system.set_next(state, copied);
    system.add_element("x", ElementKind::Register, Site::Next(state), None);
    let holds = system.exprs.not(read);
    let property = add_invariant(&mut system, holds);
    let mut exprs = propcov_ir::ExprPool::new();
    let leaf = exprs.signal(copy, Sort::BOOL);
    let lemmas = vec![exprs.not(leaf)];
    let proof = Proof {
        invariant: (Invariant { exprs, lemmas }).into(),
        k: 1,
        simple_path: false,
        core: system.element_ids().collect(),
    };
    let universe: ElementSet = system.element_ids().collect();
    let mut checker = CoreChecker::new(&system, &universe, property).expect("meaningful");
    checker.adequate(&universe, &proof, &Budget::default()).expect("a proof");
    assert!(checker.adequate(&universe.without(wire), &proof, &Budget::default()).is_err());
}

/// What the property does not depend on may be anything in a trace: there is a run all the same.
#[test]
fn a_trace_may_be_wrong_where_it_does_not_matter() {
    let redundant = redundant();
    let mut checker = redundant.checker();
    let (set, mut trace) = redundant.inadequate().remove(3);
    trace.steps.iter_mut().for_each(|step| step.states[2] = Value::Bits(Bits::from_u64(5, 9)));
    checker.inadequate(&set, &trace).expect("a run, but for a state that nobody reads");
    trace.steps[0].states[1] = Value::Bits(Bits::from_u64(5, 9));
    assert!(checker.inadequate(&set, &trace).is_err());
    let mut constrained = redundant.system.clone();
    let third = constrained.states()[2];
    let read = constrained.read(third);
    let never = constrained.exprs.not(read);
    constrained.add_constraint("never", ConstraintKind::Always, never);
    let (set, mut trace) = redundant.inadequate().remove(3);
    let mut checker =
        CoreChecker::new(&constrained, &redundant.universe(), redundant.property).expect("meaningful");
    checker.inadequate(&set, &trace).expect("a run");
    trace.steps[0].states[2] = Value::bool(true);
    assert!(checker.inadequate(&set, &trace).is_err());
}

#[test]
fn a_run_does_not_refute_a_formula_where_it_need_not_go_on() {
    let mut redundant = redundant();
    let guard = redundant.system.invariant(redundant.property).expect("an invariant");
    let never = Ctl::constant(&mut redundant.system, false);
    let formula = Ctl::Release(Quantifier::All, Box::new(never), Box::new(Ctl::Atom(guard)));
    let formula = redundant.system.add_property("AG", PropertyKind::Ctl(formula), None);
    redundant.property = formula;
    let truth = redundant.system.exprs.bool(true);
    let (set, trace) = redundant.inadequate().remove(1);
    redundant.checker().inadequate(&set, &trace).expect("a run that goes on");
    redundant.system.add_constraint("idle", ConstraintKind::Transition, truth);
    assert!(matches!(redundant.checker().inadequate(&set, &trace), Err(Rejection::Unsupported(_))));
    let core = redundant.core(0);
    redundant.checker().adequate(&core, &redundant.proof(0), &Budget::default()).expect("a proof");
}
