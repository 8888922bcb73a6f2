//! Coverage computed again, mutant by mutant: against another program of the definitions, and by hand.

use propcov_budget::Budget;
use propcov_certify::{
    CoverageAnswer, CoverageFlip, CoverageLimits, CoveragePlace, CoverageQuestion, CoverageRecheck,
    CoverageSemantics, ExplicitLimits, Rejection, recheck_coverage,
};
use propcov_ir::{
    BinaryOp, Ctl, Edits, ExprId, ExprPool, PropertyKind, Quantifier, SignalId, Sort, System, Value,
};
use propcov_testkit::{
    self as testkit, CoverageError, ExplicitCtl, Random, for_random_coverage_systems, for_random_ctl_systems,
    observable_expressions,
};
use std::cell::RefCell;
use std::collections::BTreeMap;

const BY_OBSERVABILITY: CoverageSemantics = CoverageSemantics::Observability { split: true };

/// The formula with each part that has no path quantifier as one atom. Negations stay in front of it: they tell antecedents from others.
fn with_whole_propositions(exprs: &mut ExprPool, formula: &Ctl) -> Ctl {
    if formula.is_propositional() && !matches!(formula, Ctl::Not(_)) {
        return Ctl::Atom(proposition(exprs, formula));
    }
    let mut part = |part: &Ctl| Box::new(with_whole_propositions(exprs, part));
    match formula {
        Ctl::Atom(_) => formula.clone(),
        Ctl::Not(a) => Ctl::Not(part(a)),
        Ctl::And(a, b) => Ctl::And(part(a), part(b)),
        Ctl::Or(a, b) => Ctl::Or(part(a), part(b)),
        Ctl::Next(quantifier, a) => Ctl::Next(*quantifier, part(a)),
        Ctl::Until(quantifier, a, b) => Ctl::Until(*quantifier, part(a), part(b)),
        Ctl::Release(quantifier, a, b) => Ctl::Release(*quantifier, part(a), part(b)),
    }
}

/// By case distinctions: an operator could turn out to be the very node that is observed.
fn proposition(exprs: &mut ExprPool, formula: &Ctl) -> ExprId {
    let (yes, no) = (exprs.bool(true), exprs.bool(false));
    match formula {
        Ctl::Atom(expr) => *expr,
        Ctl::Not(a) => {
            let a = proposition(exprs, a);
            exprs.ite(a, no, yes)
        }
        Ctl::And(a, b) => {
            let (a, b) = (proposition(exprs, a), proposition(exprs, b));
            exprs.ite(a, b, no)
        }
        Ctl::Or(a, b) => {
            let (a, b) = (proposition(exprs, a), proposition(exprs, b));
            exprs.ite(a, yes, b)
        }
        _ => panic!("no proposition"),
    }
}

/// Every reading of every CTL formula of a system, up to a few.
fn formulas(system: &System) -> Vec<Ctl> {
    let properties = system.properties().iter().flat_map(|property| {
        let kind = match &property.kind {
            PropertyKind::Ctl(formula) => Some(formula),
            _ => None,
        };
        kind.into_iter().chain(&property.as_written)
    });
    properties.cloned().collect()
}

/// How often something was compared, and how often something was covered in it.
type Tally = RefCell<BTreeMap<String, (usize, usize)>>;

/// For pairs of states whether they are covered; a state is paired with itself.
type Expected = BTreeMap<(usize, usize), bool>;

struct Case {
    formula: Ctl,
    /// What the other program has to be asked to get the same reading.
    same: Ctl,
    observed: ExprId,
    place: CoveragePlace,
    semantics: CoverageSemantics,
    flip: CoverageFlip,
    dont_care: Vec<ExprId>,
}

impl Case {
    fn random(random: &mut Random, system: &mut System, formula: &Ctl, observed: ExprId) -> Case {
        let semantics = *random.pick(&[
            CoverageSemantics::Mutation,
            BY_OBSERVABILITY,
            BY_OBSERVABILITY,
            CoverageSemantics::Observability { split: false },
        ]);
        let same = match semantics {
            CoverageSemantics::Observability { split: false } => {
                with_whole_propositions(&mut system.exprs, formula)
            }
            _ => formula.clone(),
        };
        let atoms = formula.atoms();
        let count = *random.pick(&[0, 0, 1, 2]);
        Case {
            formula: formula.clone(),
            same,
            observed,
            place: *random.pick(&[CoveragePlace::State, CoveragePlace::Transition]),
            semantics,
            flip: *random.pick(&[CoverageFlip::Any, CoverageFlip::All]),
            dont_care: (0..count).map(|_| *random.pick(&atoms)).collect(),
        }
    }

    fn question(&self) -> CoverageQuestion<'_> {
        CoverageQuestion {
            place: self.place,
            semantics: self.semantics,
            flip: self.flip,
            observed: self.observed,
            formula: &self.formula,
            dont_care: &self.dont_care,
        }
    }

    /// What the other program says: for each of its states or transitions, by position, whether it is covered.
    fn expected(
        &self,
        system: &System,
        explicit: &ExplicitCtl<'_>,
    ) -> Result<Option<Expected>, CoverageError> {
        let question = testkit::CoverageQuestion {
            formula: &self.same,
            observed: self.observed,
            semantics: match self.semantics {
                CoverageSemantics::Mutation => testkit::Semantics::Mutation,
                CoverageSemantics::Observability { .. } => testkit::Semantics::Observability,
            },
            flip: match self.flip {
                CoverageFlip::Any => testkit::Flip::Any,
                CoverageFlip::All => testkit::Flip::All,
            },
        };
        let covered: Option<Expected> = match self.place {
            CoveragePlace::State => {
                let covered = testkit::covered_states(system, explicit, &question)?;
                let counts =
                    |state: &usize| explicit.fair()[*state] && explicit.distances()[*state].is_some();
                covered.map(|covered| {
                    let states = (0..covered.len()).filter(counts);
                    states.map(|state| ((state, state), covered[state])).collect()
                })
            }
            CoveragePlace::Transition => {
                testkit::covered_transitions(system, explicit, &question)?.map(|covered| {
                    let transitions = testkit::fair_transitions(explicit).into_iter();
                    transitions.map(|pair| (pair, covered.contains(&pair))).collect()
                })
            }
        };
        let excluded: Vec<Vec<bool>> =
            self.dont_care.iter().map(|expr| explicit.satisfies(&Ctl::Atom(*expr))).collect();
        let is_excluded = |state: usize| excluded.iter().any(|excluded| excluded[state]);
        Ok(covered.map(|covered| covered.into_iter().filter(|((_, to), _)| !is_excluded(*to)).collect()))
    }

    fn compare(
        &self,
        system: &System,
        explicit: &ExplicitCtl<'_>,
        recheck: &CoverageRecheck,
        answer: &CoverageAnswer,
    ) -> Result<bool, String> {
        let expected = match (self.expected(system, explicit), answer) {
            (Err(CoverageError::Fails), CoverageAnswer::Fails)
            | (Ok(None), CoverageAnswer::NotAcceptable) => return Ok(false),
            (Ok(Some(expected)), CoverageAnswer::Covered { .. }) => expected,
            (expected, _) => {
                return Err(format!(
                    "{:?}, but {:?}",
                    answer.counts(),
                    expected.map(|map| map.map(|map| map.len()))
                ));
            }
        };
        let CoverageAnswer::Covered { space, covered } = answer else { return Ok(false) };
        let count = expected.values().filter(|covered| **covered).count();
        if answer.counts() != Some((count, expected.len())) {
            return Err(format!("{:?}, expected {count} of {}", answer.counts(), expected.len()));
        }
        for ((from, to), is_covered) in &expected {
            let (from, to) = (&explicit.states()[*from], &explicit.states()[*to]);
            let position = match self.place {
                CoveragePlace::State => recheck.state(to),
                CoveragePlace::Transition => recheck.transition(from, to),
            };
            let position = position.ok_or_else(|| format!("no {from:?} {to:?}"))?;
            if !space[position] || covered[position] != *is_covered {
                return Err(format!("{from:?} {to:?}: {}, expected {is_covered}", covered[position]));
            }
        }
        Ok(count > 0)
    }

    fn kinds(&self, system: &System) -> Vec<String> {
        let sort = match system.exprs.sort(self.observed) {
            Sort::BitVec(1) => "Boolean",
            Sort::BitVec(_) => "word",
            _ => "enumeration",
        };
        let fair = if system.fairness.is_empty() { "all paths" } else { "fair paths" };
        let cared = if self.dont_care.is_empty() { "all states" } else { "don't-cares" };
        let (place, semantics, flip) = (self.place, self.semantics, self.flip);
        vec![
            format!("{place:?} {semantics:?} {flip:?}"),
            format!("{sort} {flip:?}"),
            fair.to_owned(),
            cared.to_owned(),
        ]
    }
}

fn compare(tally: &Tally, seed: u64, system: &System, observed: &[ExprId]) -> Result<(), String> {
    let mut random = Random::new(seed ^ 0x0063_6f76_6572);
    let mut system = system.clone();
    let mut cases = Vec::new();
    for formula in formulas(&system) {
        for observed in observed {
            cases.push(Case::random(&mut random, &mut system, &formula, *observed));
        }
    }
    let edits = Edits::none();
    let Ok(explicit) = ExplicitCtl::new(&system, &edits) else { return Ok(()) };
    let questions: Vec<CoverageQuestion<'_>> = cases.iter().map(Case::question).collect();
    // The other program takes long for many transitions.
    let limits = CoverageLimits { explicit: ExplicitLimits { states: 100, edges: 150 }, steps: u64::MAX };
    let recheck = match recheck_coverage(&system, &questions, &limits, &Budget::default()) {
        Err(Rejection::Unsupported(_) | Rejection::TooLarge(_)) => return Ok(()),
        recheck => recheck.map_err(|rejection| rejection.to_string())?,
    };
    if (recheck.states.len(), recheck.transitions.len())
        != (explicit.fair_reachable(), testkit::fair_transitions(&explicit).len())
    {
        return Err(format!("{} states, {} transitions", recheck.states.len(), recheck.transitions.len()));
    }
    tally.borrow_mut().entry("systems".to_owned()).or_default().0 += 1;
    for (case, answer) in cases.iter().zip(&recheck.answers) {
        let covers = case.compare(&system, &explicit, &recheck, answer).map_err(|problem| {
            let (formula, observed) = (system.show_ctl(&case.formula), system.show(case.observed));
            format!("{problem}: {formula}, {observed}, {:?}", case.kinds(&system))
        })?;
        if answer.counts().is_some() {
            for kind in case.kinds(&system) {
                let mut tally = tally.borrow_mut();
                let counts = tally.entry(kind).or_default();
                counts.0 += 1;
                counts.1 += usize::from(covers);
            }
        }
    }
    Ok(())
}

/// The comparison would be empty if nothing was ever compared or covered.
fn assert_tally(tally: &Tally, systems: usize, covering: usize) {
    if ["PROPCOV_SEED", "PROPCOV_CASES"].iter().any(|name| std::env::var_os(name).is_some()) {
        return;
    }
    let mut tally = tally.borrow_mut();
    let compared = tally.remove("systems").unwrap_or_default().0;
    assert!(compared >= systems, "{compared} systems");
    assert_eq!(tally.len(), 22, "{tally:?}");
    assert!(tally.values().all(|counts| counts.1 >= covering), "{tally:?}");
}

#[test]
fn covered_states_and_transitions_are_those_of_the_definition() {
    let tally = Tally::default();
    for_random_coverage_systems(2000, 300_000, |seed, system, observed| {
        compare(&tally, seed, system, observed)
    });
    assert_tally(&tally, 1500, 20);
}

#[test]
fn coverage_of_any_ctl_formula_is_that_of_the_definition() {
    let tally = Tally::default();
    for_random_ctl_systems(500, 310_000, |seed, system| {
        let observed = observable_expressions(system);
        let mut random = Random::new(seed);
        let some: Vec<ExprId> = observed.iter().take(1).map(|_| *random.pick(&observed)).collect();
        compare(&tally, seed, system, &some)
    });
    // Few random formulas hold.
    assert_tally(&tally, 300, 0);
}

const ALL: Quantifier = Quantifier::All;

/// A counter of some bits that an input may hold, and the expression of its value.
fn counter(width: u32) -> (System, SignalId, ExprId) {
    let mut system = System::new();
    let hold = system.add_input("hold", Sort::BOOL);
    let count = system.add_state("count", Sort::BitVec(width));
    let (hold, read) = (system.read(hold), system.read(count));
    let (zero, one) = (system.exprs.bits(width, 0), system.exprs.bits(width, 1));
    let more = system.exprs.apply(BinaryOp::Add, read, one);
    let next = system.exprs.ite(hold, read, more);
    system.set_init(count, zero);
    system.set_next(count, next);
    (system, count, read)
}

/// `AG f`.
fn always(system: &mut System, f: Ctl) -> Ctl {
    let never = Ctl::constant(system, false);
    Ctl::Release(ALL, Box::new(never), Box::new(f))
}

/// `a -> f`, where a is `count = value`.
fn when(system: &mut System, count: ExprId, value: u64, f: Ctl) -> Ctl {
    let width = system.exprs.sort(count).width().expect("a word");
    let value = system.exprs.bits(width, value);
    let equal = system.exprs.eq(count, value);
    Ctl::Or(Box::new(Ctl::Not(Box::new(Ctl::Atom(equal)))), Box::new(f))
}

fn question(formula: &Ctl, observed: ExprId) -> CoverageQuestion<'_> {
    CoverageQuestion {
        place: CoveragePlace::State,
        semantics: BY_OBSERVABILITY,
        flip: CoverageFlip::Any,
        observed,
        formula,
        dont_care: &[],
    }
}

fn ask(system: &System, questions: &[CoverageQuestion<'_>]) -> CoverageRecheck {
    recheck_coverage(system, questions, &CoverageLimits::default(), &Budget::default()).expect("small")
}

#[test]
fn what_follows_one_state_is_covered_there_alone() {
    // AG (count = 1 -> AX (count = 1 | count = 2)) looks at states 1 and 2, and at the two transitions out of state 1.
    let (mut system, _, count) = counter(2);
    let (one, two) = (system.exprs.bits(2, 1), system.exprs.bits(2, 2));
    let (is_one, is_two) = (system.exprs.eq(count, one), system.exprs.eq(count, two));
    let either = system.exprs.or(is_one, is_two);
    let then = when(&mut system, count, 1, Ctl::Next(ALL, Box::new(Ctl::Atom(either))));
    let formula = always(&mut system, then);
    let any = question(&formula, count);
    let questions = [
        any,
        CoverageQuestion { flip: CoverageFlip::All, ..any },
        CoverageQuestion { place: CoveragePlace::Transition, ..any },
        CoverageQuestion { dont_care: &[is_two], ..any },
        CoverageQuestion { place: CoveragePlace::Transition, dont_care: &[is_two], ..any },
        CoverageQuestion { semantics: CoverageSemantics::Mutation, ..any },
    ];
    let recheck = ask(&system, &questions);
    let counts: Vec<_> = recheck.answers.iter().filter_map(CoverageAnswer::counts).collect();
    // Not every other value is noticed: 2 instead of 1 is as good. By mutation, state 1 as something else is no state to begin with; but
    // state 3 as 1 is followed by 0, which is wrong.
    assert_eq!(counts, [(2, 4), (0, 4), (2, 8), (1, 3), (1, 6), (2, 4)]);
    let state = |value: u64| vec![Value::Bits(propcov_ir::Bits::from_u64(2, value))];
    let is_covered = |question: usize, position: Option<usize>| match &recheck.answers[question] {
        CoverageAnswer::Covered { covered, .. } => position.map(|position| covered[position]),
        answer => panic!("{answer:?}"),
    };
    let by_state: Vec<_> = (0..4).map(|value| is_covered(0, recheck.state(&state(value)))).collect();
    assert_eq!(by_state, [Some(false), Some(true), Some(true), Some(false)]);
    assert_eq!(is_covered(2, recheck.transition(&state(1), &state(2))), Some(true));
    assert_eq!(is_covered(2, recheck.transition(&state(2), &state(3))), Some(false));
    assert_eq!(recheck.transition(&state(2), &state(0)), None);
    assert_eq!(recheck.covered_by_any([0, 3]), Some(2));
    assert_eq!(recheck.covered_by_any([0, 5]), Some(3));
}

#[test]
fn what_fails_or_is_not_acceptable_is_said() {
    let (mut system, _, count) = counter(2);
    let top = system.exprs.bits(2, 3);
    let is_top = system.exprs.eq(count, top);
    let never = system.exprs.not(is_top);
    let failing = always(&mut system, Ctl::Atom(never));
    let yes = Ctl::constant(&mut system, true);
    let reachable = Ctl::Until(Quantifier::Exists, Box::new(yes), Box::new(Ctl::Atom(is_top)));
    let by_mutation =
        CoverageQuestion { semantics: CoverageSemantics::Mutation, ..question(&reachable, count) };
    let recheck = ask(&system, &[question(&failing, count), question(&reachable, count), by_mutation]);
    assert_eq!(recheck.answers[..2], [CoverageAnswer::Fails, CoverageAnswer::NotAcceptable]);
    // Only state 3 reaches 3.
    assert_eq!(recheck.answers[2].counts(), Some((1, 4)));
    assert_eq!(recheck.covered_by_any([0, 2]), None);
}

#[test]
fn what_takes_too_long_is_given_up_question_by_question() {
    let (mut system, count, read) = counter(8);
    let wide = system.add_state("wide", Sort::BitVec(40));
    let wide = system.read(wide);
    let zero = system.exprs.bits(40, 0);
    system.set_init(SignalId(count.0 + 1), zero);
    system.set_next(SignalId(count.0 + 1), zero);
    let is_zero = system.exprs.eq(wide, zero);
    let formula = always(&mut system, Ctl::Atom(is_zero));
    let limit = system.exprs.bits(8, 255);
    let below = system.exprs.apply(BinaryOp::Ule, read, limit);
    let other = always(&mut system, Ctl::Atom(below));
    let questions = [question(&formula, wide), question(&other, read), question(&formula, is_zero)];
    let recheck =
        |limits: &CoverageLimits, budget: &Budget| recheck_coverage(&system, &questions, limits, budget);
    let found = recheck(&CoverageLimits::default(), &Budget::default()).expect("small");
    assert_eq!(found.answers[0], CoverageAnswer::TooLarge);
    assert_eq!(found.answers[1].counts(), Some((0, 256)));
    assert_eq!(found.answers[2].counts(), Some((256, 256)));
    let few_steps = CoverageLimits { steps: 1000, ..CoverageLimits::default() };
    let found = recheck(&few_steps, &Budget::default()).expect("few states");
    assert!(found.answers.iter().all(|answer| *answer == CoverageAnswer::TooLarge));
    let few_states = CoverageLimits {
        explicit: ExplicitLimits { states: 255, edges: 10_000 },
        ..CoverageLimits::default()
    };
    assert!(matches!(recheck(&few_states, &Budget::default()), Err(Rejection::TooLarge(_))));
    let stopped = Budget::default();
    stopped.interrupt.raise();
    assert_eq!(recheck(&CoverageLimits::default(), &stopped), Err(Rejection::Undecided));
}

#[test]
fn questions_about_nothing_or_about_inputs_are_refused() {
    let (mut system, _, count) = counter(2);
    let input = system.inputs()[0];
    let input = system.read(input);
    let about_input = always(&mut system, Ctl::Atom(input));
    let fine = Ctl::constant(&mut system, true);
    let nothing = ExprId(system.exprs.len() as u32);
    let about_nothing = Ctl::Atom(nothing);
    let questions = [
        question(&about_input, count),
        question(&about_nothing, count),
        question(&fine, nothing),
        CoverageQuestion { dont_care: &[input], ..question(&fine, count) },
        CoverageQuestion { dont_care: &[nothing], ..question(&fine, count) },
        CoverageQuestion { dont_care: &[count], ..question(&fine, count) },
    ];
    for question in questions {
        let answer = recheck_coverage(&system, &[question], &CoverageLimits::default(), &Budget::default());
        assert!(matches!(answer, Err(Rejection::Malformed(_))), "{answer:?}");
    }
    // What no proposition mentions is nowhere checked.
    assert_eq!(ask(&system, &[question(&fine, input)]).answers[0].counts(), Some((0, 4)));
}

/// A state of 9 bits that goes on to any of 18 others, and `AG (b -> AX c)` about two bits of it.
fn many_transitions() -> (System, Ctl, ExprId) {
    let mut system = System::new();
    let (state, step) = (system.add_state("s", Sort::BitVec(9)), system.add_input("i", Sort::BitVec(9)));
    let (read, step) = (system.read(state), system.read(step));
    let bound = system.exprs.bits(9, 17);
    let few = system.exprs.apply(BinaryOp::Ule, step, bound);
    system.add_constraint("few", propcov_ir::ConstraintKind::Always, few);
    let next = system.exprs.apply(BinaryOp::Add, read, step);
    let zero = system.exprs.bits(9, 0);
    system.set_init(state, zero);
    system.set_next(state, next);
    let low = system.exprs.bits(9, 100);
    let high = system.exprs.bits(9, 120);
    let b = system.exprs.apply(BinaryOp::Ule, read, low);
    let c = system.exprs.apply(BinaryOp::Ule, read, high);
    let not_b = Ctl::Not(Box::new(Ctl::Atom(b)));
    let then = Ctl::Or(Box::new(not_b), Box::new(Ctl::Next(ALL, Box::new(Ctl::Atom(c)))));
    let formula = always(&mut system, then);
    (system, formula, c)
}

/// Not a test of anything but speed: `cargo test --release -p propcov-certify -- --ignored --nocapture speed`.
#[test]
#[ignore = "a measurement"]
fn speed_of_coverage() {
    let (system, formula, observed) = many_transitions();
    let limits = CoverageLimits { steps: u64::MAX, ..CoverageLimits::default() };
    let by_state = question(&formula, observed);
    let by_transition = CoverageQuestion { place: CoveragePlace::Transition, ..by_state };
    let Ctl::Release(_, _, rule) = &formula else { panic!("no AG") };
    let (mut system, rule) = (system, rule.clone());
    let Ctl::Or(not_b, _) = *rule else { panic!("no rule") };
    let yes = Ctl::constant(&mut system, true);
    let eventually = Ctl::Until(ALL, Box::new(yes), Box::new(Ctl::Atom(observed)));
    let formula = always(&mut system, Ctl::Or(not_b, Box::new(eventually)));
    let eventually = question(&formula, observed);
    for questions in [&[][..], &[by_state], &[by_transition], &[eventually]] {
        let start = std::time::Instant::now();
        let found = recheck_coverage(&system, questions, &limits, &Budget::default()).expect("small");
        let counts: Vec<_> = found.answers.iter().map(CoverageAnswer::counts).collect();
        println!(
            "{} states, {} transitions: {counts:?} in {:?}",
            found.states.len(),
            found.transitions.len(),
            start.elapsed()
        );
    }
}
