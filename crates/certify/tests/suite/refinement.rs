//! Evidence about simulation: what is right is accepted, and what was damaged is accepted only if it still is evidence by definition.

use propcov_certify::{RefinementChecker, Rejection};
use propcov_ir::{
    Distinction, Graph, GraphBuilder, Label, LabelFlip, Patch, Refutation, SearchTree, Simulation, StatePair,
};
use propcov_testkit::{
    GraphPair, Random, all_flips, for_random_pairs, graph_of_numbers, graph_pair, greatest_simulation,
    is_simulation, is_whole_run, reachable_simulation, seeds, simulates, without_transition,
};
use std::cell::Cell;
use std::collections::BTreeSet;

type Pairs = BTreeSet<StatePair>;

fn simulation(pairs: &Pairs) -> Simulation {
    Simulation { pairs: pairs.iter().copied().collect() }
}

fn patch(from: &Pairs, to: &Pairs) -> Patch {
    Patch { removed: from.difference(to).copied().collect(), added: to.difference(from).copied().collect() }
}

fn relates_initial(implementation: &Graph, specification: &Graph, pairs: &Pairs) -> bool {
    implementation.initial().iter().all(|w| specification.initial().iter().any(|v| pairs.contains(&(*w, *v))))
}

/// Whether the pairs show that the specification simulates the graph.
fn shows_simulation(graph: &Graph, specification: &Graph, pairs: &Pairs) -> bool {
    let exist = |(w, v): &StatePair| graph.states().contains(w) && specification.states().contains(v);
    pairs.iter().all(exist)
        && is_simulation(graph, specification, pairs)
        && relates_initial(graph, specification, pairs)
}

fn accepts(graph: &Graph, w: u32, specification: &Graph, v: u32) -> bool {
    graph
        .labels(w)
        .iter()
        .zip(specification.labels(v))
        .all(|(promised, specified)| specified.accepts(*promised))
}

/// Why no other pair is in a simulation: each step rests on earlier ones.
fn all_refutations(graph: &Graph, specification: &Graph) -> Vec<Refutation> {
    let mut refutations: Vec<Refutation> = Vec::new();
    loop {
        let before = refutations.len();
        for w in graph.states() {
            for v in specification.states() {
                let is_refuted = |u: u32, answer: u32| {
                    !accepts(graph, u, specification, answer)
                        || refutations.iter().any(|r| r.pair == (u, answer))
                };
                let has_no_answer =
                    |u: &&u32| specification.successors(v).iter().all(|answer| is_refuted(**u, *answer));
                if accepts(graph, w, specification, v)
                    && !is_refuted(w, v)
                    && let Some(step) = graph.successors(w).iter().find(has_no_answer)
                {
                    refutations.push(Refutation { pair: (w, v), step: *step });
                }
            }
        }
        if refutations.len() == before {
            return refutations;
        }
    }
}

/// The states in which the specification can be behind a run of the graph; `None` if it is none.
fn possible(graph: &Graph, specification: &Graph, run: &[u32]) -> Option<BTreeSet<u32>> {
    let (first, rest) = run.split_first()?;
    if !graph.initial().contains(first) {
        return None;
    }
    let mut states: BTreeSet<u32> = specification.initial().iter().copied().collect();
    states.retain(|v| accepts(graph, *first, specification, *v));
    let mut last = *first;
    for next in rest {
        if !graph.successors(last).contains(next) {
            return None;
        }
        states = states.iter().flat_map(|v| specification.successors(*v)).copied().collect();
        states.retain(|v| accepts(graph, *next, specification, *v));
        last = *next;
    }
    Some(states)
}

/// Whether a run and refutations are a distinction, as its definition has it.
fn shows_distinction(graph: &Graph, specification: &Graph, distinction: &Distinction) -> bool {
    let Some(last) = distinction.run.last() else { return false };
    let Some(states) = possible(graph, specification, &distinction.run) else { return false };
    let mut refuted = BTreeSet::new();
    for Refutation { pair: (w, v), step } in &distinction.refutations {
        if !graph.states().contains(w) || !specification.states().contains(v) {
            return false;
        }
        let is_refuted = |answer: &u32| {
            !accepts(graph, *step, specification, *answer) || refuted.contains(&(*step, *answer))
        };
        if !graph.successors(*w).contains(step) || !specification.successors(*v).iter().all(is_refuted) {
            return false;
        }
        refuted.insert((*w, *v));
    }
    states.iter().all(|v| refuted.contains(&(*last, *v)))
}

/// A random run after which all possible states are refuted, if the specification does not simulate the graph.
fn distinction(random: &mut Random, graph: &Graph, specification: &Graph) -> Option<Distinction> {
    let refutations = all_refutations(graph, specification);
    let refuted = |w: u32, states: &BTreeSet<u32>| {
        states.iter().all(|v| refutations.iter().any(|refutation| refutation.pair == (w, *v)))
    };
    let distinguishes =
        |run: &[u32]| possible(graph, specification, run).is_some_and(|v| refuted(run[run.len() - 1], &v));
    let first = graph.initial().iter().find(|w| distinguishes(&[**w]))?;
    let mut run = vec![*first];
    for _ in 0..random.below(6) {
        let next = *random.pick(graph.successors(run[run.len() - 1]));
        run.push(next);
        if !distinguishes(&run) {
            run.pop();
        }
    }
    Some(Distinction { run, refutations })
}

/// One number changed: often to a neighbour or one that exists, seldom to one that does not.
fn damage_number(random: &mut Random, number: &mut u32) {
    *number = match random.below(12) {
        0 => u32::MAX,
        1 => number.wrapping_sub(1),
        2 => number.wrapping_add(1),
        _ => random.below(7) as u32,
    };
}

/// One item dropped, added, repeated, moved or changed.
fn damage<T: Copy>(
    random: &mut Random,
    items: &mut Vec<T>,
    new: impl Fn(&mut Random) -> T,
    change: impl Fn(&mut Random, &mut T),
) {
    if items.is_empty() || random.percent(15) {
        let place = random.below(items.len() + 1);
        return items.insert(place, new(random));
    }
    let place = random.below(items.len());
    match random.below(6) {
        0..=2 => {
            items.remove(place);
        }
        3 => items.insert(place, items[random.below(items.len())]),
        4 => items.swap(place, 0),
        _ => change(random, &mut items[place]),
    }
}

fn damage_pairs(random: &mut Random, pairs: &mut Vec<StatePair>) {
    let new = |random: &mut Random| (random.below(7) as u32, random.below(7) as u32);
    damage(random, pairs, new, |random, pair| {
        let number = if random.percent(50) { &mut pair.0 } else { &mut pair.1 };
        damage_number(random, number);
    });
}

fn damage_run(random: &mut Random, run: &mut Vec<u32>) {
    damage(random, run, |random| random.below(7) as u32, damage_number);
}

fn damage_refutations(random: &mut Random, refutations: &mut Vec<Refutation>) {
    let number = |random: &mut Random| random.below(7) as u32;
    let new =
        |random: &mut Random| Refutation { pair: (number(random), number(random)), step: number(random) };
    damage(random, refutations, new, |random, refutation| match random.below(3) {
        0 => damage_number(random, &mut refutation.pair.0),
        1 => damage_number(random, &mut refutation.pair.1),
        _ => damage_number(random, &mut refutation.step),
    });
}

/// How often something was accepted, and not.
#[derive(Default)]
struct Count(Cell<u32>, Cell<u32>);

impl Count {
    fn agree(
        &self,
        answer: &Result<(), Rejection>,
        expected: bool,
        what: impl FnOnce() -> String,
    ) -> Result<(), String> {
        let count = if expected { &self.0 } else { &self.1 };
        count.set(count.get() + 1);
        if answer.is_ok() == expected {
            return Ok(());
        }
        let what = what();
        Err(format!("the checker says {answer:?}, by definition it should be accepted: {expected}; {what}"))
    }

    fn assert_both(&self, least: u32) {
        let (accepted, rejected) = (self.0.get(), self.1.get());
        assert!(!is_whole_run() || (accepted >= least && rejected >= least), "{accepted} and {rejected}");
    }
}

/// A simulation of the pair to start from: the greatest, or the reachable part of it.
fn base(random: &mut Random, pair: &GraphPair) -> Pairs {
    let (implementation, specification) = (&pair.implementation, &pair.specification);
    if random.percent(50) {
        greatest_simulation(implementation, specification)
    } else {
        reachable_simulation(implementation, specification)
    }
}

#[test]
fn a_damaged_simulation_is_accepted_only_if_it_is_one() {
    let count = Count::default();
    for_random_pairs(6000, 8_300_000, |seed, pair| {
        let random = &mut Random::new(seed);
        let (implementation, specification) = (&pair.implementation, &pair.specification);
        for times in [0, 0, 1, 1, 1, 2, 3] {
            let mut evidence = simulation(&base(random, pair));
            (0..times).for_each(|_| damage_pairs(random, &mut evidence.pairs));
            let pairs: Pairs = evidence.pairs.iter().copied().collect();
            let is_sorted = evidence.pairs.iter().eq(&pairs);
            let expected = is_sorted && shows_simulation(implementation, specification, &pairs);
            assert!(!expected || simulates(implementation, specification));
            let mut checker =
                RefinementChecker::new(implementation, specification).map_err(|e| e.to_string())?;
            let answer = checker.accept_simulation(evidence.clone());
            count.agree(&answer, expected, || format!("{evidence:?}"))?;
        }
        Ok(())
    });
    count.assert_both(1000);
}

#[test]
fn a_damaged_patch_is_accepted_only_if_it_makes_a_simulation_of_the_mutant() {
    let (count, truth) = (Count::default(), Count::default());
    for_random_pairs(4000, 8_310_000, |seed, pair| {
        let random = &mut Random::new(seed);
        let (implementation, specification) = (&pair.implementation, &pair.specification);
        let base = base(random, pair);
        let mut checker = RefinementChecker::new(implementation, specification).map_err(|e| e.to_string())?;
        if checker.accept_simulation(simulation(&base)).is_err() {
            return Ok(());
        }
        let flips = all_flips(implementation);
        for flip in &flips {
            let mutant = implementation.flipped(*flip);
            for times in [0, 1, 1, 2, 3] {
                // Sometimes that of another mutant.
                let other = if random.percent(80) { *flip } else { *random.pick(&flips) };
                let target = greatest_simulation(&implementation.flipped(other), specification);
                let mut evidence = patch(&base, &target);
                for _ in 0..times {
                    let list = if random.percent(50) { &mut evidence.removed } else { &mut evidence.added };
                    damage_pairs(random, list);
                }
                let removed: Pairs = evidence.removed.iter().copied().collect();
                let added: Pairs = evidence.added.iter().copied().collect();
                let exist = |(w, v): &StatePair| {
                    implementation.states().contains(w) && specification.states().contains(v)
                };
                let pairs: Pairs = base.difference(&removed).chain(&added).copied().collect();
                let expected = removed.iter().all(exist) && shows_simulation(&mutant, specification, &pairs);
                let answer = checker.check_patch(*flip, &evidence);
                count.agree(&answer, expected, || format!("{flip:?} {base:?} {evidence:?}"))?;
                if answer.is_ok() || times == 0 && other == *flip {
                    let is_true = simulates(&mutant, specification);
                    truth.agree(&answer, is_true, || format!("{flip:?} {base:?} {evidence:?}"))?;
                }
            }
        }
        Ok(())
    });
    count.assert_both(2000);
    truth.assert_both(500);
}

#[test]
fn a_damaged_patch_is_accepted_only_if_it_makes_do_without_the_transition() {
    let count = Count::default();
    for_random_pairs(4000, 8_320_000, |seed, pair| {
        let random = &mut Random::new(seed);
        let (implementation, specification) = (&pair.implementation, &pair.specification);
        let base = base(random, pair);
        let mut checker = RefinementChecker::new(implementation, specification).map_err(|e| e.to_string())?;
        if checker.accept_simulation(simulation(&base)).is_err() {
            return Ok(());
        }
        for transition in specification.transitions() {
            let without = without_transition(specification, transition);
            let target = greatest_simulation(implementation, &without);
            for times in [0, 1, 2] {
                let mut evidence = patch(&base, &target);
                for _ in 0..times {
                    let list = if random.percent(50) { &mut evidence.removed } else { &mut evidence.added };
                    damage_pairs(random, list);
                }
                let removed: Pairs = evidence.removed.iter().copied().collect();
                let exist = |(w, v): &StatePair| {
                    implementation.states().contains(w) && specification.states().contains(v)
                };
                let pairs: Pairs = base.difference(&removed).chain(&evidence.added).copied().collect();
                let expected =
                    removed.iter().all(exist) && shows_simulation(implementation, &without, &pairs);
                let answer = checker.check_without_transition(transition, &evidence);
                count.agree(&answer, expected, || format!("{transition:?} {base:?} {evidence:?}"))?;
                if times == 0 && expected != simulates(implementation, &without) {
                    return Err(format!("right evidence about {transition:?} shows nothing"));
                }
            }
        }
        Ok(())
    });
    count.assert_both(2000);
}

#[test]
fn a_damaged_distinction_is_accepted_only_if_it_is_one() {
    let (count, kills) = (Count::default(), Count::default());
    for_random_pairs(4000, 8_330_000, |seed, pair| {
        let random = &mut Random::new(seed);
        let (implementation, specification) = (&pair.implementation, &pair.specification);
        let checker = RefinementChecker::new(implementation, specification).map_err(|e| e.to_string())?;
        let tree = SearchTree::new(implementation);
        let flips: Vec<Option<LabelFlip>> =
            all_flips(implementation).into_iter().map(Some).chain([None]).collect();
        let graph = |flip: Option<LabelFlip>| match flip {
            Some(flip) => implementation.flipped(flip),
            None => implementation.clone(),
        };
        for flip in &flips {
            let mutant = graph(*flip);
            let is_true = !simulates(&mutant, specification);
            for times in [0, 1, 1, 2, 3] {
                let other = if is_true && random.percent(80) { *flip } else { *random.pick(&flips) };
                let Some(mut evidence) = distinction(random, &graph(other), specification) else { continue };
                for _ in 0..times {
                    if random.percent(50) {
                        damage_run(random, &mut evidence.run);
                    } else {
                        damage_refutations(random, &mut evidence.refutations);
                    }
                }
                let expected = shows_distinction(&mutant, specification, &evidence);
                let answer = checker.check_distinction(*flip, &evidence);
                count.agree(&answer, expected, || format!("{flip:?} {evidence:?}"))?;
                if answer.is_ok() && !is_true {
                    return Err(format!("{flip:?} is not covered, but {evidence:?} is accepted"));
                }
                if answer.is_err() && times == 0 && other == *flip {
                    return Err(format!("{evidence:?} shows nothing about {flip:?}"));
                }
                // The same behind a run of the tree.
                let Some(flip) = *flip else { continue };
                let at = if random.percent(90) { *random.pick(tree.order()) } else { random.below(7) as u32 };
                let keep = random.below(evidence.run.len() + 1);
                let tail = evidence.run.split_off(keep);
                let run: Vec<u32> = tree.path_to(at).into_iter().chain(tail.iter().copied()).collect();
                let through = tree.path_to(at).iter().any(|state| *state == flip.state && *state != at);
                let whole = Distinction { run, refutations: evidence.refutations };
                let expected =
                    tree.is_reached(at) && !through && shows_distinction(&mutant, specification, &whole);
                let answer = checker.check_kill(flip, at, &tail, &whole.refutations);
                kills.agree(&answer, expected, || format!("{flip:?} at {at}, {tail:?} {whole:?}"))?;
                if answer.is_ok() && !is_true {
                    return Err(format!("{flip:?} is not covered, but {at} {tail:?} {whole:?} is accepted"));
                }
            }
        }
        Ok(())
    });
    count.assert_both(2000);
    kills.assert_both(1000);
}

#[test]
fn each_covered_mutant_has_a_kill_and_each_other_one_a_patch() {
    for seed in seeds(500, 8_340_000) {
        let GraphPair { implementation, specification } = &graph_pair(seed);
        if !simulates(implementation, specification) {
            continue;
        }
        let mut checker = RefinementChecker::new(implementation, specification).expect("a pair");
        let base = greatest_simulation(implementation, specification);
        checker.accept_simulation(simulation(&base)).expect("it is one");
        let tree = SearchTree::new(implementation);
        for flip in all_flips(implementation) {
            let mutant = implementation.flipped(flip);
            let evidence = patch(&base, &greatest_simulation(&mutant, specification));
            let refutations = all_refutations(&mutant, specification);
            let kill = |at: &u32| checker.check_kill(flip, *at, &[], &refutations).is_ok();
            let covered = !simulates(&mutant, specification);
            assert_eq!(checker.check_patch(flip, &evidence).is_ok(), !covered, "seed {seed} {flip:?}");
            assert_eq!(tree.order().iter().any(kill), covered, "seed {seed} {flip:?}");
        }
    }
}

/// What is accepted for all mutants of a proposition is refuted in each of them, and everything is accepted that does not depend on it.
#[test]
fn common_refutations_hold_in_all_mutants_of_their_proposition() {
    let count = Count::default();
    for_random_pairs(3000, 8_340_000, |seed, pair| {
        let mut random = Random::new(seed);
        let (implementation, specification) = (&pair.implementation, &pair.specification);
        let proposition = random.below(implementation.propositions().len()) as u32;
        let others: Vec<u32> =
            (0..implementation.propositions().len() as u32).filter(|other| *other != proposition).collect();
        let checker = RefinementChecker::new(implementation, specification).map_err(|e| e.to_string())?;
        // As if there were no such proposition: that is all, unless its label is open somewhere.
        let mut refutations =
            all_refutations(&implementation.projected(&others), &specification.projected(&others));
        checker.accept_common(proposition, &refutations).map_err(|e| format!("all of them: {e}"))?;
        // Others only by accident.
        refutations.extend(all_refutations(implementation, specification));
        damage_refutations(&mut random, &mut refutations);
        let fresh = RefinementChecker::new(implementation, specification).map_err(|e| e.to_string())?;
        let accepted: Vec<StatePair> = refutations
            .iter()
            .filter(|refutation| fresh.accept_common(proposition, &[**refutation]).is_ok())
            .map(|refutation| refutation.pair)
            .collect();
        count.0.set(count.0.get() + accepted.len() as u32);
        count.1.set(count.1.get() + (refutations.len() - accepted.len()) as u32);
        let flips = all_flips(implementation).into_iter().filter(|flip| flip.proposition == proposition);
        let mutants = flips.map(|flip| implementation.flipped(flip)).chain([implementation.clone()]);
        for mutant in mutants {
            let greatest = greatest_simulation(&mutant, specification);
            if let Some(wrong) = accepted.iter().find(|pair| greatest.contains(pair)) {
                return Err(format!("{wrong:?} was refuted, and is in a simulation of a mutant"));
            }
        }
        Ok(())
    });
    count.assert_both(1000);
}

/// Evidence about a mutant may rest on what was accepted for all of them, and on nothing that was accepted for another proposition.
#[test]
fn a_kill_may_rest_on_common_refutations_of_its_proposition() {
    let used = Cell::new(0);
    for_random_pairs(2000, 8_350_000, |_, pair| {
        let (implementation, specification) = (&pair.implementation, &pair.specification);
        for flip in all_flips(implementation) {
            let mutant = implementation.flipped(flip);
            let Some(found) = distinction(&mut Random::new(1), &mutant, specification) else { continue };
            let common = RefinementChecker::new(implementation, specification).map_err(|e| e.to_string())?;
            let (mut shared, mut own) = (Vec::new(), Vec::new());
            for refutation in &found.refutations {
                match common.accept_common(flip.proposition, &[*refutation]) {
                    Ok(()) => shared.push(*refutation),
                    Err(_) => own.push(*refutation),
                }
            }
            let short = Distinction { run: found.run.clone(), refutations: own };
            common.check_distinction(Some(flip), &short).map_err(|e| format!("{flip:?}: {e}"))?;
            let fresh = RefinementChecker::new(implementation, specification).map_err(|e| e.to_string())?;
            if fresh.check_distinction(Some(flip), &short).is_err() {
                used.set(used.get() + 1);
                let others =
                    (0..implementation.propositions().len() as u32).filter(|p| *p != flip.proposition);
                others.for_each(|other| _ = fresh.accept_common(other, &shared));
                if fresh.check_distinction(Some(flip), &short).is_ok() {
                    return Err(format!("{flip:?} rests on what was accepted for another proposition"));
                }
            }
        }
        Ok(())
    });
    assert!(!is_whole_run() || used.get() > 100, "only {} rested on common refutations", used.get());
}

/// `0 → 1 → 0`, p in 0; q is open in 1.
fn small() -> Graph {
    let mut builder = GraphBuilder::new(vec!["p".to_owned(), "q".to_owned()]);
    builder.add_state("a", Label::False);
    builder.add_state("b", Label::False);
    builder.set_label(0, 0, Label::True);
    builder.set_label(1, 1, Label::Open);
    builder.set_initial(0);
    builder.add_transition(0, 1);
    builder.add_transition(1, 0);
    builder.finish()
}

#[test]
fn graphs_that_the_definitions_are_not_about_are_rejected() {
    let graph = small();
    let no_initial = graph_of_numbers(1, &[], &[(0, 0)], &[("p", &[]), ("q", &[])]);
    let dead_end = graph_of_numbers(1, &[0], &[], &[("p", &[]), ("q", &[])]);
    let others = graph_of_numbers(1, &[0], &[(0, 0)], &[("q", &[]), ("p", &[])]);
    for other in [&no_initial, &dead_end, &others] {
        assert!(matches!(RefinementChecker::new(&graph, other), Err(Rejection::Malformed(_))));
        assert!(matches!(RefinementChecker::new(other, &graph), Err(Rejection::Malformed(_))));
    }
    assert!(RefinementChecker::new(&graph, &graph).is_ok());
}

#[test]
fn evidence_without_meaning_is_malformed() {
    let graph = small();
    let mut checker = RefinementChecker::new(&graph, &graph).expect("a pair");
    let flip = LabelFlip { state: 0, proposition: 0 };
    let is_malformed = |answer: Result<(), Rejection>| matches!(answer, Err(Rejection::Malformed(_)));
    // No simulation was accepted so far.
    assert!(is_malformed(checker.check_patch(flip, &Patch::default())));
    for pairs in
        [vec![(1, 1), (0, 0)], vec![(0, 0), (0, 0), (1, 1)], vec![(0, 0), (1, 1), (2, 0)], vec![(0, 9)]]
    {
        assert!(is_malformed(checker.accept_simulation(Simulation { pairs })));
    }
    let lacks_a_partner = Simulation { pairs: Vec::new() };
    assert!(matches!(checker.accept_simulation(lacks_a_partner), Err(Rejection::Simulation(_))));
    checker.accept_simulation(Simulation { pairs: vec![(0, 0), (1, 1)] }).expect("it is one");
    let open = LabelFlip { state: 1, proposition: 1 };
    for flip in [open, LabelFlip { state: 2, proposition: 0 }, LabelFlip { state: 0, proposition: 2 }] {
        assert!(is_malformed(checker.check_patch(flip, &Patch::default())));
        assert!(is_malformed(checker.check_distinction(Some(flip), &Distinction::default())));
        assert!(is_malformed(checker.check_kill(flip, 0, &[], &[])));
    }
    for patch in [
        Patch { removed: vec![(2, 0)], added: Vec::new() },
        Patch { removed: Vec::new(), added: vec![(0, u32::MAX)] },
    ] {
        assert!(is_malformed(checker.check_patch(flip, &patch)));
    }
    assert!(is_malformed(checker.check_distinction(None, &Distinction::default())));
    assert!(is_malformed(checker.check_kill(flip, 2, &[], &[])));
    for transition in [(0, 0), (0, 5), (u32::MAX, 0)] {
        assert!(is_malformed(checker.check_without_transition(transition, &Patch::default())));
    }
}

/// A chain of 100,000 states. What each kill takes may not depend on how deep it is, or this test would not end.
#[test]
fn a_kill_deep_in_the_tree_costs_no_more_than_any_other() {
    let last = 100_000_u32;
    let chain: Vec<(u32, u32)> = (0..last).map(|state| (state, state + 1)).chain([(last, last)]).collect();
    let implementation = graph_of_numbers(last + 1, &[0], &chain, &[("p", &[])]);
    let specification = graph_of_numbers(1, &[0], &[(0, 0)], &[("p", &[])]);
    let mut checker = RefinementChecker::new(&implementation, &specification).expect("a pair");
    checker
        .accept_simulation(Simulation { pairs: implementation.states().map(|state| (state, 0)).collect() })
        .expect("it is one");
    for state in implementation.states() {
        let flip = LabelFlip { state, proposition: 0 };
        checker.check_kill(flip, state, &[], &[]).expect("no state of the specification accepts the label");
        assert!(checker.check_patch(flip, &Patch::default()).is_err());
        let before = state.saturating_sub(1);
        if before != state {
            checker.check_kill(flip, before, &[state], &[]).expect("as before, one step later");
            let behind = checker.check_kill(LabelFlip { state: before, proposition: 0 }, state, &[], &[]);
            assert!(matches!(behind, Err(Rejection::Distinction(_))));
        }
    }
}

#[test]
fn several_threads_may_ask_the_same_checker() {
    fn is_sync<T: Sync + Send>(_: &T) {}
    let graph = small();
    is_sync(&RefinementChecker::new(&graph, &graph).expect("a pair"));
}
