//! Inputs made part of the state, and gates written out in properties, by hand. That no verdict changes is tested with random systems, in the
//! testkit.

use propcov_ir::{Ctl, ExprId, PropertyKind, Quantifier, SignalKind, Sort, System};

/// `gate2` reads `gate1` and a wire with a name, which reads a gate, too.
fn design() -> System {
    let mut system = System::new();
    let [go, stop] = ["go", "stop"].map(|name| system.add_input(name, Sort::BOOL));
    let [on, off] = ["on", "off"].map(|name| system.add_state(name, Sort::BOOL));
    let [go, stop, on, off] = [go, stop, on, off].map(|signal| system.read(signal));
    let gate1 = system.exprs.and(on, off);
    let gate1 = system.add_wire("gate1", gate1);
    let gate1 = system.read(gate1);
    let named = system.exprs.or(gate1, stop);
    let named = system.add_wire("named", named);
    let named = system.read(named);
    let gate2 = system.exprs.and(gate1, named);
    let gate2 = system.add_wire("gate2", gate2);
    let gate2 = system.read(gate2);
    let safe = system.exprs.or(gate2, go);
    system.add_property("invariant", PropertyKind::Invariant(safe), None);
    let formula = |atom: ExprId| Ctl::Next(Quantifier::All, Box::new(Ctl::Not(Box::new(Ctl::Atom(atom)))));
    let property = system.add_property("ctl", PropertyKind::Ctl(formula(gate2)), None);
    system.set_as_written(property, formula(gate1));
    system.add_property("justice", PropertyKind::Justice(vec![gate1, named]), None);
    system
}

#[test]
fn gates_in_gates_are_written_out_and_names_stay() {
    let mut system = design();
    let before = system.clone();
    let is_gate = |system: &System, wire| system.signal(wire).name.starts_with("gate");
    system.write_out_in_properties(is_gate).expect("no loops");
    let show = |expr: ExprId| system.show(expr).to_string();
    let [invariant, ctl, justice] = system.properties() else { panic!("three properties") };
    let PropertyKind::Invariant(expr) = invariant.kind else { panic!("{invariant:?}") };
    assert_eq!(show(expr), "(((on & off) & named) | go)");
    let PropertyKind::Ctl(formula) = &ctl.kind else { panic!("{ctl:?}") };
    let shown: Vec<String> = formula.atoms().into_iter().map(show).collect();
    assert_eq!(shown, ["((on & off) & named)"]);
    let written = ctl.as_written.as_ref().expect("as before");
    assert_eq!(written.atoms().into_iter().map(show).collect::<Vec<_>>(), ["(on & off)"]);
    let PropertyKind::Justice(exprs) = &justice.kind else { panic!("{justice:?}") };
    assert_eq!(exprs.iter().map(|expr| show(*expr)).collect::<Vec<_>>(), ["(on & off)", "named"]);
    for (after, before) in system.signals().iter().zip(before.signals()) {
        assert_eq!(after.kind, before.kind, "the definition of {}", before.name);
    }
}

#[test]
fn an_input_becomes_the_last_state() {
    let mut system = design();
    let (inputs, states) = (system.inputs().to_vec(), system.states().to_vec());
    system.make_state(inputs[0]);
    assert_eq!(system.inputs(), &inputs[1..]);
    assert_eq!(system.states(), &[states[0], states[1], inputs[0]]);
    assert_eq!(system.signal(inputs[0]).kind, SignalKind::State { init: None, next: None });
    system.validate().expect("still valid");
}

#[test]
#[should_panic(expected = "make_state")]
fn a_state_is_not_made_one_again() {
    let mut system = design();
    let state = system.states()[0];
    system.make_state(state);
}
