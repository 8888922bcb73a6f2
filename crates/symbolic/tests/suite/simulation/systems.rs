//! Random systems with inputs, constraints and dead ends, state by state against the graphs that they are.

use super::*;

/// What CTL properties of a system are about, which are expressions over states.
fn atoms(system: &System) -> Vec<ExprId> {
    let formulas = system.properties().iter().filter_map(|property| match &property.kind {
        PropertyKind::Ctl(formula) => Some(formula),
        _ => None,
    });
    let atoms: BTreeSet<ExprId> = formulas.flat_map(|formula| formula.atoms()).collect();
    atoms.into_iter().collect()
}

/// The system with less said about first and next states, so that it has more runs.
fn relaxed(random: &mut Random, system: &System) -> System {
    let mut edits = Edits::none();
    for element in system.element_ids() {
        // What propositions read stays.
        if !matches!(system.element(element).site, Site::Wire(_)) && random.percent(30) {
            edits.insert(element, Edit::Free);
        }
    }
    system.edited(&edits)
}

/// A system and its propositions.
type Labelled = (System, Vec<ExprId>);

/// Of a random system an implementation and a specification; `None` if there is nothing to label states with.
fn two_systems(random: &mut Random, system: &System) -> Option<[Labelled; 2]> {
    let mut atoms = atoms(system);
    while atoms.len() > random.between(1, 2) {
        atoms.swap_remove(random.below(atoms.len()));
    }
    let own = (system.clone(), atoms.clone());
    let mut pair = match random.below(10) {
        0 => [own.clone(), own],
        1..7 => [own, (relaxed(random, system), atoms)],
        7 | 8 => [(relaxed(random, system), atoms), own],
        _ => {
            let other = ctl_system(random.next());
            let mut labels = self::atoms(&other);
            labels.truncate(atoms.len());
            [own, (other, labels)]
        }
    };
    if random.percent(4) {
        let (system, _) = &mut pair[random.below(2)];
        let never = system.exprs.bool(false);
        system.add_constraint("never", ConstraintKind::Initial, never);
    }
    let [(_, own), (_, other)] = &pair;
    (!own.is_empty() && own.len() == other.len()).then_some(pair)
}

/// The states of a system, if they are few.
fn listed((system, labels): &Labelled) -> Result<Option<StateList>, String> {
    let named: Vec<(String, ExprId)> =
        labels.iter().enumerate().map(|(at, expr)| (format!("p{at}"), *expr)).collect();
    match list_states(system, &named, &ExplicitLimits { states: 64, edges: 500 }, &Budget::default()) {
        Ok(list) => Ok(Some(list)),
        Err(Rejection::TooLarge(_)) => Ok(None),
        Err(other) => Err(other.to_string()),
    }
}

/// How often something was compared.
#[derive(Debug, Default)]
struct Tally {
    simulated: Cell<usize>,
    not_simulated: Cell<usize>,
    covered: Cell<usize>,
    uncovered: Cell<usize>,
    dead_ends: Cell<usize>,
    completed: Cell<usize>,
    without_initial: [Cell<usize>; 2],
    with_inputs: Cell<usize>,
    several_initial: Cell<usize>,
}

fn count(cell: &Cell<usize>) {
    cell.set(cell.get() + 1);
}

/// That the name is that of a state without successor, in the first of the two graphs that has one; or that neither has.
fn check_dead_end(named: Option<&(Side, String)>, implementation: &Graph, specification: &Graph) -> bool {
    let is_dead_end = |graph: &Graph, name: &str| {
        graph.states().any(|state| graph.name(state) == name && graph.successors(state).is_empty())
    };
    match (named, implementation.dead_end(), specification.dead_end()) {
        (Some((Side::Implementation, name)), Some(_), _) => is_dead_end(implementation, name),
        (Some((Side::Specification, name)), None, Some(_)) => is_dead_end(specification, name),
        (None, None, None) => true,
        _ => false,
    }
}

/// Everything about two systems in decision diagrams against the definitions for their graphs. Of large ones only some mutants.
fn check_listed(
    mut symbolic: SymbolicRefinement<'_>,
    states: &StateList,
    implementation: &Graph,
    specification: &Graph,
    random: &mut Random,
    tally: &Tally,
) -> Result<(), String> {
    let sizes = [implementation, specification].map(|graph| graph.state_count().to_string());
    let own = [Side::Implementation, Side::Specification].map(|side| symbolic.state_count(side).to_string());
    if own != sizes {
        return Err(format!("{own:?} states, but {sizes:?}"));
    }
    let simulates = simulates(implementation, specification);
    if symbolic.simulates().map_err(text)? != simulates {
        return Err(format!("it should be {simulates} that this is a simulation"));
    }
    count(if simulates { &tally.simulated } else { &tally.not_simulated });
    let chance = 40_000 / (implementation.transition_count() * specification.transition_count() + 1);
    for proposition in 0..implementation.propositions().len() as u32 {
        let found = symbolic.cover(proposition as usize, Mutants::All).map_err(text)?;
        let mut uncovered = BTreeSet::new();
        for state in implementation.states() {
            let name = implementation.name(state);
            let values = states.states.of(state).ok_or("a state without values")?;
            let answer = symbolic.is_covered(&found, StateOf::System(&values)).map_err(text)?;
            let is_covered = answer.ok_or_else(|| format!("{name} is no mutant"))?;
            if !is_covered {
                uncovered.insert(name.to_owned());
            }
            if random.percent(chance.max(3)) {
                let flip = LabelFlip { state, proposition };
                if is_covered == self::simulates(&implementation.flipped(flip), specification) {
                    return Err(format!("p{proposition} of {name} should not be {answer:?}"));
                }
                if simulates {
                    count(if is_covered { &tally.covered } else { &tally.uncovered });
                }
            }
        }
        let counts = [implementation.state_count() - uncovered.len(), uncovered.len()];
        let own = [&found.covered, &found.uncovered].map(ToString::to_string);
        if own != counts.map(|count| count.to_string()) {
            return Err(format!("{own:?} states, but {counts:?}"));
        }
        let names = symbolic.uncovered_names(&found, usize::MAX).map_err(text)?;
        if names.iter().cloned().collect::<BTreeSet<_>>() != uncovered || names.len() != uncovered.len() {
            return Err(format!("{names:?}, but {uncovered:?}"));
        }
    }
    Ok(())
}

#[test]
fn systems_with_inputs_and_constraints_are_simulated_and_covered_like_their_graphs() {
    let tally = Tally::default();
    for_random_ctl_systems(2500, 300_000, |seed, system| {
        let mut random = Random::new(seed);
        let Some([own, other]) = two_systems(&mut random, system) else { return Ok(()) };
        let (Some(own_list), Some(other_list)) = (listed(&own)?, listed(&other)?) else { return Ok(()) };
        let (implementation, specification) = (&own_list.graph, &other_list.graph);
        let own_source = Source::System { system: &own.0, propositions: &own.1, announced: &[] };
        let other_source = match random.percent(20) {
            true => Source::Graph(specification),
            false => Source::System { system: &other.0, propositions: &other.1, announced: &[] },
        };
        let started = |complete| {
            let options = SymbolicOptions { complete, ..options(seed) };
            SymbolicRefinement::new(own_source, other_source, &options, &Budget::default(), &Silent)
        };
        let sides = [(Side::Implementation, implementation), (Side::Specification, specification)];
        if let Some(at) = sides.iter().position(|(_, graph)| graph.initial().is_empty()) {
            count(&tally.without_initial[at]);
            let error = started(random.percent(50)).err();
            let is_right = error == Some(RefinementError::NoInitialState(sides[at].0));
            return if is_right { Ok(()) } else { Err(format!("{error:?} without initial states")) };
        }
        let has_dead_end = sides.iter().any(|(_, graph)| graph.dead_end().is_some());
        let symbolic = started(false).map_err(text)?;
        if !check_dead_end(symbolic.dead_end(), implementation, specification) {
            return Err(format!("a dead end is {:?}", symbolic.dead_end()));
        }
        check_listed(symbolic, &own_list, implementation, specification, &mut random, &tally)?;
        if has_dead_end || random.percent(10) {
            let symbolic = started(true).map_err(text)?;
            if symbolic.dead_end().is_some() {
                return Err("a dead end with a loop".to_owned());
            }
            let (complete, other) = (implementation.completed(), specification.completed());
            check_listed(symbolic, &own_list, &complete, &other, &mut random, &tally)?;
            count(&tally.completed);
        }
        let conditions = [
            (has_dead_end, &tally.dead_ends),
            (!own.0.inputs().is_empty(), &tally.with_inputs),
            (implementation.initial().len() > 1, &tally.several_initial),
        ];
        conditions.into_iter().filter(|(holds, _)| *holds).for_each(|(_, cell)| count(cell));
        Ok(())
    });
    if is_whole_run() {
        let pairs = [&tally.simulated, &tally.not_simulated, &tally.with_inputs, &tally.several_initial];
        assert!(pairs.iter().all(|cell| cell.get() > 300), "{tally:?}");
        assert!(tally.simulated.get() + tally.not_simulated.get() > 1500, "{tally:?}");
        assert!(tally.covered.get().min(tally.uncovered.get()) > 2000, "{tally:?}");
        assert!(tally.dead_ends.get().min(tally.completed.get()) > 100, "{tally:?}");
        assert!(tally.without_initial.iter().all(|cell| cell.get() > 20), "{tally:?}");
    }
}
