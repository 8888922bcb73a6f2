//! Two systems side by side on the same inputs, with the question of whether they show the same.

use propcov_ir::{
    ArrayValue, Bits, ConstraintKind, ExprId, ExprPool, Node, Origin, PropertyId, PropertyKind, SignalId,
    SignalKind, Sort, System, Value,
};
use rustc_hash::FxHashMap;

/// Two systems as one, which show the same if all of these properties hold.
#[derive(Debug)]
pub struct Product {
    /// Both systems.
    pub system: System,
    /// That an output of the one is that of the other, for all outputs of the first.
    pub equal_outputs: Vec<PropertyId>,
    /// That states of the same name are the same. They need not be; where they are, it helps to prove the others.
    pub equal_states: Vec<PropertyId>,
}

/// Puts two systems side by side: inputs of the same name are the same input, if they are ports. All other inputs stand for undefined values, and are zero. States
/// without a first value begin alike if they are called alike, and with zero otherwise. Nothing if an output of the first is missing in the second, or is of another
/// sort.
///
/// # Panics
/// When a system has a combinational loop.
pub fn product(a: &System, b: &System, is_port: &dyn Fn(&str) -> bool) -> Option<Product> {
    let mut system = System::new();
    let mut shared: FxHashMap<String, SignalId> = FxHashMap::default();
    let sides = [(a, "a"), (b, "b")].map(|(from, name)| {
        Side { from, signals: FxHashMap::default(), cache: FxHashMap::default() }.declared(
            name,
            &mut system,
            &mut shared,
            is_port,
        )
    });
    let [mut first, mut second] = sides.map(|side| side.defined(&mut system));
    let mut states: FxHashMap<&str, (SignalId, bool)> = FxHashMap::default();
    for id in b.states() {
        let signal = b.signal(*id);
        states.insert(&signal.name, (*id, is_open(b, *id)));
    }
    let (mut matched, mut alike) = (Vec::new(), [Vec::new(), Vec::new()]);
    for id in a.states() {
        let signal = a.signal(*id);
        let other =
            states.get(signal.name.as_str()).filter(|(other, _)| b.signal(*other).sort == signal.sort);
        if let Some((other, is_open_there)) = other {
            let [x, y] = [(&first, *id), (&second, *other)].map(|(side, id)| side.signals[&id]);
            let equal = system.exprs.eq(x, y);
            matched.push((signal.name.clone(), equal));
            if is_open(a, *id) && *is_open_there {
                alike[0].push(*id);
                alike[1].push(*other);
                system.add_constraint(format!("start {}", signal.name), ConstraintKind::Initial, equal);
            }
        }
    }
    for (side, alike) in [&first, &second].into_iter().zip(&alike) {
        let from = side.from;
        for id in from.states().iter().filter(|id| is_open(from, **id) && !alike.contains(id)) {
            let zero = system.exprs.constant(zero(&from.signal(*id).sort));
            if let Node::Signal(copy) = *system.exprs.node(side.signals[id]) {
                system.set_init(copy, zero);
            }
        }
    }
    let add = |system: &mut System, name: String, equal: ExprId| {
        system.add_property(name, PropertyKind::Invariant(equal), None)
    };
    let mut equal_outputs = Vec::new();
    for output in &a.outputs {
        let other = b.output_named(&output.name)?;
        let x = first.import(&mut system.exprs, output.expr);
        let y = second.import(&mut system.exprs, other.expr);
        if system.exprs.sort(x) != system.exprs.sort(y) {
            return None;
        }
        let equal = system.exprs.eq(x, y);
        equal_outputs.push(add(&mut system, format!("output {}", output.name), equal));
    }
    let equal_states =
        matched.into_iter().map(|(name, equal)| add(&mut system, format!("state {name}"), equal)).collect();
    Some(Product { system, equal_outputs, equal_states })
}

/// Whether a state begins anywhere.
fn is_open(system: &System, state: SignalId) -> bool {
    matches!(system.signal(state).kind, SignalKind::State { init: None, .. })
}

/// Zero, or an array of zeros.
fn zero(sort: &Sort) -> Value {
    match sort {
        Sort::Array(array) => Value::Array(ArrayValue::constant(array.clone(), zero(&array.element))),
        sort => Value::Bits(Bits::zero(sort.width().unwrap_or(1))),
    }
}

/// One of the systems.
struct Side<'s> {
    from: &'s System,
    /// What its signals are in the product.
    signals: FxHashMap<SignalId, ExprId>,
    cache: FxHashMap<ExprId, ExprId>,
}

impl<'s> Side<'s> {
    /// Inputs and states.
    fn declared(
        mut self,
        name: &str,
        to: &mut System,
        shared: &mut FxHashMap<String, SignalId>,
        is_port: &dyn Fn(&str) -> bool,
    ) -> Side<'s> {
        let from = self.from;
        for id in from.inputs() {
            let signal = from.signal(*id);
            let copy = if signal.origin == Origin::Choice || !is_port(&signal.name) {
                to.exprs.constant(zero(&signal.sort))
            } else {
                let copy = *shared
                    .entry(signal.name.clone())
                    .or_insert_with(|| to.add_input(signal.name.clone(), signal.sort.clone()));
                to.read(copy)
            };
            self.signals.insert(*id, copy);
        }
        for id in from.states() {
            let signal = from.signal(*id);
            let copy = to.add_state(format!("{name}.{}", signal.name), signal.sort.clone());
            self.signals.insert(*id, to.read(copy));
        }
        self
    }

    /// Wires, definitions and constraints.
    fn defined(mut self, to: &mut System) -> Side<'s> {
        let from = self.from;
        for wire in from.wire_order().expect("no combinational loop") {
            if let SignalKind::Wire { definition } = from.signal(wire).kind {
                let copy = self.import(&mut to.exprs, definition);
                self.signals.insert(wire, copy);
            }
        }
        for id in from.states() {
            let (SignalKind::State { init, next }, Node::Signal(copy)) =
                (&from.signal(*id).kind, to.exprs.node(self.signals[id]).clone())
            else {
                continue;
            };
            if let Some(init) = init {
                let init = self.import(&mut to.exprs, *init);
                to.set_init(copy, init);
            }
            if let Some(next) = next {
                let next = self.import(&mut to.exprs, *next);
                to.set_next(copy, next);
            }
        }
        for constraint in from.constraints() {
            let expr = self.import(&mut to.exprs, constraint.expr);
            to.add_constraint(constraint.name.clone(), constraint.kind, expr);
        }
        self
    }

    fn import(&mut self, to: &mut ExprPool, root: ExprId) -> ExprId {
        let (signals, from) = (&self.signals, self.from);
        to.import(&from.exprs, root, &mut self.cache, |_, node, _| match node {
            Node::Signal(signal) => signals[signal],
            other => unreachable!("{other:?} is no leaf of a circuit"),
        })
    }
}
