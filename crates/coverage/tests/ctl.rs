//! State and transition coverage by sets of states, against the definition, mutant by mutant.

use propcov_coverage::ctl::{Flip, Implication, Measured, Measurement, Place, Prepared, Request, Semantics};
use propcov_ir::{CtlVerdict, Edits, ExprId, Node, PropertyId, PropertyKind, Sort, System, UnknownReason};
use propcov_sat::Budget;
use propcov_symbolic::{Options, Silent};
use propcov_testkit::{
    self as testkit, CoverageError, CoverageQuestion, ExplicitCtl, Random, for_random_ctl_systems,
};
use std::cell::Cell;

/// Everything that can be observed: states, wires, and Boolean parts of propositions, if they depend on states only.
fn observable(system: &System) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut open: Vec<ExprId> = (system.properties().iter())
        .flat_map(|property| match &property.kind {
            PropertyKind::Ctl(formula) => formula.atoms(),
            _ => Vec::new(),
        })
        .collect();
    while let Some(expr) = open.pop() {
        if found.contains(&expr) {
            continue;
        }
        open.extend(system.exprs.operands(expr));
        found.push(expr);
    }
    found.retain(|expr| {
        let sort = system.exprs.sort(*expr);
        let is_small = matches!(sort, Sort::BitVec(1..=3) | Sort::Enum(_));
        is_small && !matches!(system.exprs.node(*expr), Node::Const(_))
    });
    found
}

#[derive(Clone, Copy, Debug)]
struct Setting {
    place: Place,
    semantics: Semantics,
    flip: Flip,
    implication: Implication,
}

fn options(random: &mut Random) -> Options {
    Options {
        reorder_at: if random.percent(20) { Some(1) } else { None },
        demonstrate: false,
        ..Options::default()
    }
}

/// Compares all properties that hold, for one observed expression.
fn compare(system: &System, observed: ExprId, setting: Setting, options: Options) -> Result<usize, String> {
    let Setting { place, semantics, flip, implication } = setting;
    let properties: Vec<PropertyId> = (0..system.properties().len() as u32).map(PropertyId).collect();
    let request = Request {
        place,
        semantics,
        flip,
        implication,
        properties: &properties,
        observed: &[observed],
        dont_care: &[],
    };
    let prepared = Prepared::new(system, &request).map_err(|(_, error)| error.to_string())?;
    let mut measurement = Measurement::new(&prepared, options, &Budget::default(), &Silent)
        .map_err(|reason| reason.to_string())?;
    let space = match measurement.space() {
        // There is no fixpoint for compassion whose premise reads inputs.
        Err(UnknownReason::Unsupported(_)) => return Ok(0),
        space => space.map_err(|reason| reason.to_string())?.ok_or("no transitions")?,
    };
    let edits = Edits::none();
    let explicit = ExplicitCtl::new(system, &edits).map_err(|error| format!("{error:?}"))?;
    let mut compared = 0;
    for (position, id) in properties.iter().enumerate() {
        match measurement.check(position) {
            CtlVerdict::Holds(_) => {}
            CtlVerdict::Fails(_) => continue,
            CtlVerdict::Unknown(reason) => return Err(reason.to_string()),
        }
        let property = system.property(*id);
        let PropertyKind::Ctl(whole) = &property.kind else { continue };
        let formula = match (implication, &property.as_written) {
            (Implication::Split, written) => written.as_ref().unwrap_or(whole),
            // The definition takes apart what has parts, and here every proposition has to be an atom.
            (Implication::Whole, None) => continue,
            (Implication::Whole, Some(_)) => whole,
        };
        let question = CoverageQuestion {
            formula,
            observed,
            semantics: match semantics {
                Semantics::Observability => testkit::Semantics::Observability,
                Semantics::Mutation => testkit::Semantics::Mutation,
            },
            flip: match flip {
                Flip::Any => testkit::Flip::Any,
                Flip::All => testkit::Flip::All,
            },
        };
        let measured = measurement.measure(&space, 0, position);
        let name = &system.property(*id).name;
        let show =
            || format!("{name}: {} of {}, {setting:?}", system.show(observed), system.show_ctl(formula));
        let evaluator = measurement.checker().evaluator();
        let states = explicit.states();
        match place {
            Place::State => {
                let expected = match testkit::covered_states(system, &explicit, &question) {
                    Ok(expected) => expected,
                    Err(CoverageError::Step(_)) => continue,
                    Err(error) => return Err(format!("{}: {error}", show())),
                };
                let Some(expected) = agree(&measured, expected, &show)? else { continue };
                for (at, state) in states.iter().enumerate() {
                    let found = match &measured {
                        Measured::Covered(covered, _) => {
                            evaluator.contains_state(covered.sure(), system, state).ok_or("no bits")?
                        }
                        _ => false,
                    };
                    if found != expected[at] {
                        return Err(format!(
                            "{}: state {state:?} {found}, expected {}",
                            show(),
                            expected[at]
                        ));
                    }
                }
            }
            Place::Transition => {
                let expected = match testkit::covered_transitions(system, &explicit, &question) {
                    Ok(expected) => expected,
                    Err(CoverageError::Step(_)) => continue,
                    Err(error) => return Err(format!("{}: {error}", show())),
                };
                let Some(expected) = agree(&measured, expected, &show)? else { continue };
                for pair in testkit::fair_transitions(&explicit) {
                    let (from, to) = (&states[pair.0], &states[pair.1]);
                    let found = match &measured {
                        Measured::Covered(covered, _) => evaluator
                            .contains_transition(covered.sure(), system, from, to)
                            .ok_or("no bits")?,
                        _ => false,
                    };
                    if found != expected.contains(&pair) {
                        return Err(format!("{}: {from:?} to {to:?} {found}, expected {}", show(), !found));
                    }
                }
                if let Measured::Covered(covered, _) = &measured {
                    let count = evaluator.count_transitions(covered.sure());
                    if count != expected.len().into() {
                        return Err(format!("{}: {count} transitions, expected {}", show(), expected.len()));
                    }
                }
            }
        }
        compared += 1;
    }
    Ok(compared)
}

/// What is expected, unless both sides say that there is no answer.
fn agree<T>(
    measured: &Measured,
    expected: Option<T>,
    show: &dyn Fn() -> String,
) -> Result<Option<T>, String> {
    match (measured, expected) {
        (Measured::NotAcceptable, None) => Ok(None),
        (Measured::NotAcceptable, Some(_)) => Err(format!("{}: not acceptable", show())),
        // Nothing to say, acceptable or not.
        (Measured::Unrelated, None) => Ok(None),
        (_, None) => Err(format!("{}: acceptable", show())),
        (Measured::Unknown(reason), Some(_)) => Err(format!("{}: {reason}", show())),
        (_, expected) => Ok(expected),
    }
}

fn check_random(count: u64, first_seed: u64, place: Place) {
    let compared = Cell::new(0);
    for_random_ctl_systems(count, first_seed, |seed, system| {
        let mut random = Random::new(seed ^ 0x5eed);
        let mut system = system.clone();
        let atoms: Vec<ExprId> = (system.properties().iter())
            .flat_map(|property| match &property.kind {
                PropertyKind::Ctl(formula) => formula.atoms(),
                _ => Vec::new(),
            })
            .collect();
        for index in 0..6 {
            let (whole, written) = testkit::random_acceptable_ctl(&mut random, &mut system.exprs, &atoms, 3);
            let id = system.add_property(format!("a{index}"), PropertyKind::Ctl(whole), None);
            system.set_as_written(id, written);
        }
        let candidates = observable(&system);
        if candidates.is_empty() {
            return Ok(());
        }
        for _ in 0..2 {
            let observed = *random.pick(&candidates);
            let setting = Setting {
                place,
                semantics: *random.pick(&[Semantics::Observability, Semantics::Mutation]),
                flip: *random.pick(&[Flip::Any, Flip::All]),
                implication: *random.pick(&[Implication::Split, Implication::Split, Implication::Whole]),
            };
            compared.set(compared.get() + compare(&system, observed, setting, options(&mut random))?);
        }
        Ok(())
    });
    println!("{} comparisons", compared.get());
}

#[test]
fn covered_states_are_those_of_the_definition() {
    check_random(1500, 700_000, Place::State);
}

#[test]
fn covered_transitions_are_those_of_the_definition() {
    check_random(1000, 710_000, Place::Transition);
}
