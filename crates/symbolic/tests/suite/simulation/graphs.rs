//! Random pairs of graphs, as they are and as systems.

use super::*;

#[test]
fn graphs_are_simulated_and_covered_as_the_definition_says() {
    let (simulated, covered_in_all, uncovered_in_all) = (Cell::new(0), Cell::new(0), Cell::new(0));
    for_random_pairs(3000, 0, |seed, pair| {
        let (implementation, specification) = (&pair.implementation, &pair.specification);
        let mut symbolic =
            refinement(Source::Graph(implementation), Source::Graph(specification), &options(seed))?;
        let simulates = simulates(implementation, specification);
        if symbolic.simulates().map_err(text)? != simulates {
            return Err(format!("it should be {simulates} that this is a simulation"));
        }
        simulated.set(simulated.get() + usize::from(simulates));
        let why = symbolic.unsimulated(&Budget::default()).map_err(text)?;
        if why.is_none() != simulates {
            return Err(format!("{why:?}, although it is {simulates} that this is a simulation"));
        }
        if let Some(why) = why {
            let state = implementation.states().find(|state| implementation.name(*state) == why.state);
            let state = state.ok_or("no such state")?;
            let related = greatest_simulation(implementation, specification);
            let starts = |partner: &u32| specification.initial().contains(partner);
            let partners: Vec<u32> =
                specification.states().filter(|partner| related.contains(&(state, *partner))).collect();
            let together = reachable_simulation(implementation, specification);
            let is_lonely = partners.iter().all(|partner| !together.contains(&(state, *partner)));
            let starts_alone = implementation.initial().contains(&state) && !partners.iter().any(starts);
            if !is_lonely && !starts_alone {
                return Err(format!("{} is simulated by {partners:?}", why.state));
            }
        }
        let covered = covered_flips(implementation, specification);
        let mut random = Random::new(seed);
        for proposition in 0..implementation.propositions().len() {
            let some: Vec<u32> = implementation.states().filter(|_| random.percent(50)).collect();
            for mutants in [Mutants::All, Mutants::States(&some)] {
                let found = symbolic.cover(proposition, mutants).map_err(text)?;
                let asked = |state: u32| matches!(mutants, Mutants::All) || some.contains(&state);
                let expected = expected(pair, &covered, proposition as u32, &asked);
                let answers = answers(&symbolic, &found, implementation)?;
                compare(&found, &answers, &expected, pair)?;
                let uncovered =
                    implementation.states().filter(|state| expected[*state as usize] == Some(false));
                let names: Vec<&str> = uncovered.map(|state| implementation.name(state)).collect();
                let listed = symbolic.uncovered_names(&found, 100).map_err(text)?;
                if listed != names {
                    return Err(format!("{listed:?}, but {names:?}"));
                }
                if simulates {
                    let count = |value| expected.iter().filter(|answer| **answer == Some(value)).count();
                    covered_in_all.set(covered_in_all.get() + count(true));
                    uncovered_in_all.set(uncovered_in_all.get() + count(false));
                }
            }
        }
        Ok(())
    });
    if is_whole_run() {
        let counts = [simulated.get(), covered_in_all.get(), uncovered_in_all.get()];
        assert!(counts.iter().all(|count| *count > 1000), "{counts:?}");
    }
}

#[test]
fn larger_graphs_are_covered_as_the_definition_says() {
    let sizes = PairSizes { least_states: 8, most_states: 20, propositions: 3, open: 10 };
    for_pairs(
        |seed| random_pair(&mut Random::new(seed), sizes),
        120,
        50_000,
        |seed, pair| {
            let (implementation, specification) = (&pair.implementation, &pair.specification);
            let (own, other) = (Source::Graph(implementation), Source::Graph(specification));
            let mut symbolic = refinement(own, other, &options(seed))?;
            let covered = covered_flips(implementation, specification);
            for proposition in 0..implementation.propositions().len() {
                let found = symbolic.cover(proposition, Mutants::All).map_err(text)?;
                let expected = expected(pair, &covered, proposition as u32, &|_| true);
                let answers = answers(&symbolic, &found, implementation)?;
                compare(&found, &answers, &expected, pair)?;
            }
            Ok(())
        },
    );
}

/// A graph without open labels as a system, and its labels in order.
fn as_system(graph: &Graph) -> (KripkeSystem, Vec<ExprId>) {
    let numbers = |states: &mut dyn Iterator<Item = u32>| states.map(|state| state as usize).collect();
    let holds = |proposition: u32| -> Vec<usize> {
        numbers(&mut graph.states().filter(|state| graph.label(*state, proposition).value() == Some(true)))
    };
    let labels = (0..).zip(graph.propositions()).map(|(at, name)| (name.clone(), holds(at)));
    let kripke = Kripke {
        states: graph.state_count(),
        initial: numbers(&mut graph.initial().iter().copied()),
        edges: graph.transitions().map(|(from, to)| (from as usize, to as usize)).collect(),
        labels: labels.collect(),
        fairness: vec![vec![0]],
    };
    let system = kripke_system(&kripke);
    let propositions = graph.propositions().iter().map(|name| system.labels[name]).collect();
    (system, propositions)
}

#[test]
fn systems_are_simulated_and_covered_like_their_graphs() {
    let sizes = PairSizes { open: 0, ..PairSizes::default() };
    for_pairs(
        |seed| random_pair(&mut Random::new(seed), sizes),
        1200,
        100_000,
        |seed, pair| {
            let (implementation, specification) = (&pair.implementation, &pair.specification);
            let (mut own, own_labels) = as_system(implementation);
            let (other, other_labels) = as_system(specification);
            let mut random = Random::new(seed);
            let some: Vec<usize> = (0..implementation.state_count()).filter(|_| random.percent(50)).collect();
            let announced = [own.is_one_of(&some)];
            let Sort::Enum(places) = own.system.signal(own.place).sort.clone() else {
                return Err("no places".to_owned());
            };
            let own_source = match seed / 36 % 3 {
                2 => Source::Graph(implementation),
                _ => Source::System { system: &own.system, propositions: &own_labels, announced: &announced },
            };
            let other_source = match seed / 36 % 3 {
                1 => Source::Graph(specification),
                _ => Source::System { system: &other.system, propositions: &other_labels, announced: &[] },
            };
            let mut symbolic = refinement(own_source, other_source, &options(seed))?;
            let simulates = simulates(implementation, specification);
            if symbolic.simulates().map_err(text)? != simulates {
                return Err(format!("it should be {simulates} that this is a simulation"));
            }
            let covered = covered_flips(implementation, specification);
            let is_system = matches!(own_source, Source::System { .. });
            for proposition in 0..implementation.propositions().len() {
                let sets = if is_system {
                    vec![Mutants::All, Mutants::Where(announced[0])]
                } else {
                    vec![Mutants::All]
                };
                for mutants in sets {
                    let found = symbolic.cover(proposition, mutants).map_err(text)?;
                    let asked =
                        |state: u32| matches!(mutants, Mutants::All) || some.contains(&(state as usize));
                    let expected = expected(pair, &covered, proposition as u32, &asked);
                    let answer = |state: u32| -> Result<Option<bool>, RefinementError> {
                        match is_system {
                            true => {
                                let values = [Value::Enum(places.clone(), state)];
                                symbolic.is_covered(&found, StateOf::System(&values))
                            }
                            false => symbolic.is_covered(&found, StateOf::Graph(state)),
                        }
                    };
                    let answers = implementation.states().map(answer).collect::<Result<Vec<_>, _>>();
                    compare(&found, &answers.map_err(text)?, &expected, pair)?;
                    if is_system {
                        let uncovered =
                            implementation.states().filter(|state| expected[*state as usize] == Some(false));
                        let names: Vec<String> = uncovered.map(|state| format!("place=s{state}")).collect();
                        let listed = symbolic.uncovered_names(&found, 100).map_err(text)?;
                        if listed != names {
                            return Err(format!("{listed:?}, but {names:?}"));
                        }
                        let cover = symbolic.uncovered_cubes(&found, Vocabulary::default(), 100);
                        let cover = cover.map_err(text)?.ok_or("no products")?;
                        let total = cover.cubes.iter().fold(cover.rest, |sum, cube| sum + &cube.count);
                        if total != found.uncovered {
                            return Err(format!("products have {total} states"));
                        }
                    }
                }
            }
            Ok(())
        },
    );
}

#[test]
fn dead_ends_are_named_or_get_loops() {
    for_random_pairs(600, 200_000, |seed, pair| {
        let mut random = Random::new(seed);
        let mut damaged = |graph: &Graph| {
            let kept: Vec<(u32, u32)> = graph.transitions().filter(|_| random.percent(70)).collect();
            graph.with_transitions(kept)
        };
        let (implementation, specification) = (damaged(&pair.implementation), damaged(&pair.specification));
        let (own, other) = (Source::Graph(&implementation), Source::Graph(&specification));
        let first = |graph: &Graph| {
            let reachable = graph.reachable();
            let mut ends = graph.states().filter(|state| graph.successors(*state).is_empty());
            ends.find(|state| reachable[*state as usize]).map(|state| graph.name(state).to_owned())
        };
        let expected = first(&implementation).map(|name| (Side::Implementation, name));
        let expected = expected.or_else(|| first(&specification).map(|name| (Side::Specification, name)));
        let symbolic = refinement(own, other, &options(seed))?;
        if symbolic.dead_end() != expected.as_ref() {
            return Err(format!("{:?}, but {expected:?}", symbolic.dead_end()));
        }
        let options = SymbolicOptions { complete: true, ..options(seed) };
        let mut symbolic = refinement(own, other, &options)?;
        let completed = GraphPair {
            implementation: implementation.completed(),
            specification: specification.completed(),
        };
        let covered = covered_flips(&completed.implementation, &completed.specification);
        let found = symbolic.cover(0, Mutants::All).map_err(text)?;
        let answers = answers(&symbolic, &found, &implementation)?;
        compare(&found, &answers, &self::expected(&completed, &covered, 0, &|_| true), &completed)?;
        if symbolic.dead_end().is_some() {
            return Err("a dead end with a loop".to_owned());
        }
        Ok(())
    });
}
