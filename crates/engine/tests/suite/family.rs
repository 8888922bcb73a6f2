//! Family IC3 against the oracle: the members that it kills are those that fail, and its invariant holds for all others.

use propcov_engine::finite::{Answer, Lemmas, Problem, ic3};
use propcov_engine::{Limits, Silent, Stats};
use propcov_ir::{Edits, Mutant, PropertyId};
use propcov_solve::{Bit, Contents, Netlist, Template};
use propcov_testkit::{all_mutants, coverage_by_property, for_random_systems, holding_properties};
use std::cell::Cell;
use std::sync::Arc;

#[test]
fn a_family_search_kills_exactly_those_that_fail() {
    let decided = Cell::new(0);
    for_random_systems(600, 0, |_, system| {
        let Ok(holding) = holding_properties(system) else { return Ok(()) };
        let mutants = all_mutants(system);
        let Ok(covered) = coverage_by_property(system, &holding, &mutants) else { return Ok(()) };
        for (property, covered) in holding.iter().zip(covered) {
            let Some(killed) = killed(system, *property, &mutants)? else { continue };
            decided.set(decided.get() + killed.len());
            for (mutant, killed) in killed {
                let at = mutants.iter().position(|other| *other == mutant).ok_or("not a mutant")?;
                if covered[at] != killed {
                    return Err(format!("{mutant:?}: killed is {killed}"));
                }
            }
        }
        Ok(())
    });
    assert!(decided.get() > 2_000, "only {} members were decided", decided.get());
}

/// Each mutant in the property's cone, and whether it was killed. `None` where IC3 cannot be used or takes too long.
fn killed(
    system: &propcov_ir::System,
    property: PropertyId,
    mutants: &[Mutant],
) -> Result<Option<Vec<(Mutant, bool)>>, String> {
    let none = Edits::none();
    let contents = Contents { properties: &[property], selectable: mutants, ..Contents::default() };
    let netlist = Netlist::with_contents(system, &none, contents).map_err(|error| error.to_string())?;
    if netlist.selectors.is_empty() {
        return Ok(None);
    }
    let template = Template::new(&netlist.aig, &netlist.roots(), &netlist.leaves());
    let members: Vec<Mutant> = netlist.selectors.iter().map(|selector| selector.mutant).collect();
    let selectors: Vec<Bit> = netlist.selectors.iter().map(|selector| selector.bit).collect();
    let problem = Problem { system, edits: &none, property, netlist: Arc::new(netlist), template };
    let mut killed = vec![false; members.len()];
    let mut twice = false;
    let mut note = |member: usize, _: &propcov_solve::BitTrace| {
        twice |= std::mem::replace(&mut killed[member], true);
        vec![member]
    };
    let mut family = ic3::Family { selectors: &selectors, killed: &mut note };
    let config = ic3::Config::default();
    let mut stats = Stats::default();
    let mut limits = Limits::default();
    limits.conflicts = Some(3_000);
    let (answer, _) = ic3::run_family(&problem, &config, &mut family, &limits, &Silent, &mut stats);
    if twice {
        return Err("a member was killed twice".to_owned());
    }
    match answer {
        Answer::Proved { lemmas: Lemmas::Clauses(_), k: 1, simple_path: false } => {
            Ok(Some(members.into_iter().zip(killed).collect()))
        }
        Answer::Unknown(_) => Ok(None),
        other => Err(format!("{other:?}")),
    }
}
