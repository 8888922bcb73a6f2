//! Small random systems, and what it means for a claim to be inductive, by enumeration.

use propcov_ir::{
    ArrayValue, BinaryOp, Bits, ConstraintKind, Edit, Edits, ElementKind, EnumSort, ExprId, ExprPool,
    Interpreter, Node, PropertyId, PropertyKind, SignalId, SignalKind, Site, Sort, Step, System, UnaryOp,
    Value,
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// SplitMix64: a seed gives the same test on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below the bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// True once in `n` times.
    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }
}

/// Every value of a small sort.
pub(crate) fn values(sort: &Sort) -> Vec<Value> {
    match sort {
        Sort::BitVec(width) => {
            (0..1 << width).map(|value| Value::Bits(Bits::from_u64(*width, value))).collect()
        }
        Sort::Enum(variants) => {
            (0..variants.variants.len()).map(|at| Value::Enum(variants.clone(), at as u32)).collect()
        }
        Sort::Array(array) => {
            let mut all = vec![ArrayValue::constant(array.clone(), Value::zero(&array.element))];
            for index in values(&array.index) {
                let index = index.as_bits().expect("arrays are indexed by bit-vectors here");
                let mut extended = Vec::new();
                for array in &all {
                    for element in values(&array.sort().element.clone()) {
                        let mut array = array.clone();
                        array.write(index.clone(), element);
                        extended.push(array);
                    }
                }
                all = extended;
            }
            all.into_iter().map(Value::Array).collect()
        }
        Sort::Int | Sort::Real => panic!("{sort} is not small"),
    }
}

fn three() -> Sort {
    let variants = ["red", "green", "blue"].map(str::to_owned).to_vec();
    Sort::Enum(Arc::new(EnumSort { name: "colour".to_owned(), variants }))
}

/// A random system with at most 6 bits of state and 3 of input, all kinds of constraints, and one property.
pub(crate) fn random_system(random: &mut Random) -> System {
    let mut system = System::new();
    let memory = Sort::array(Sort::BOOL, Sort::BOOL);
    let mut state_bits = 0;
    for index in 0..1 + random.below(4) {
        let sorts =
            [(1, Sort::BOOL), (1, Sort::BOOL), (2, Sort::BitVec(2)), (2, three()), (2, memory.clone())];
        let (bits, sort) = random.pick(&sorts);
        if state_bits + bits > 5 {
            continue;
        }
        state_bits += bits;
        let state = system.add_state(format!("s{index}"), sort.clone());
        system.read(state);
    }
    for index in 0..random.below(3) {
        let sort = random.pick(&[Sort::BOOL, Sort::BOOL, Sort::BitVec(2), three()]).clone();
        let input = system.add_input(format!("i{index}"), sort);
        system.read(input);
    }
    for index in 0..random.below(4) {
        let sort = random.pick(&[Sort::BOOL, Sort::BOOL, Sort::BitVec(2), three()]).clone();
        let definition = random_expr(&mut system, random, &sort, 3, false);
        let wire = system.add_wire(format!("w{index}"), definition);
        system.read(wire);
        system.add_element(format!("w{index}"), ElementKind::Equation, Site::Wire(wire), None);
    }
    for state in system.states().to_vec() {
        let (name, sort) = (system.signal(state).name.clone(), system.signal(state).sort.clone());
        if !random.one_in(5) {
            let constant = *random.pick(&[true, true, false]);
            let init = if constant {
                let value = random.pick(&values(&sort)).clone();
                system.exprs.constant(value)
            } else {
                random_expr(&mut system, random, &sort, 2, false)
            };
            system.set_init(state, init);
            if system.validate().is_err() {
                // Initial values must not depend on each other.
                let value = random.pick(&values(&sort)).clone();
                let constant = system.exprs.constant(value);
                system.set_init(state, constant);
            }
            system.add_element(format!("{name}.init"), ElementKind::Init, Site::Init(state), None);
        }
        if !random.one_in(6) {
            let next = random_expr(&mut system, random, &sort, 3, false);
            system.set_next(state, next);
            system.add_element(name, ElementKind::Register, Site::Next(state), None);
        }
    }
    for kind in [ConstraintKind::Always, ConstraintKind::Initial, ConstraintKind::Transition] {
        if random.one_in(3) {
            let expr = random_expr(&mut system, random, &Sort::BOOL, 3, kind == ConstraintKind::Transition);
            let constraint = system.add_constraint(format!("{kind:?}"), kind, expr);
            system.add_element(
                format!("{kind:?}"),
                ElementKind::Assumption,
                Site::Constraint(constraint),
                None,
            );
        }
    }
    system
}

/// A random expression over the signals that the pool already reads.
pub(crate) fn random_expr(
    system: &mut System,
    random: &mut Random,
    sort: &Sort,
    depth: u32,
    next: bool,
) -> ExprId {
    if depth == 0 || random.one_in(6) {
        let signals = (0..system.signals().len() as u32).map(SignalId);
        let fitting: Vec<SignalId> = signals.filter(|signal| system.signal(*signal).sort == *sort).collect();
        let mut leaves: Vec<ExprId> = fitting.into_iter().map(|signal| system.read(signal)).collect();
        if next {
            for state in system.states().to_vec() {
                if system.signal(state).sort == *sort {
                    leaves.push(system.exprs.next(state, sort.clone()));
                }
            }
        }
        if leaves.is_empty() || random.one_in(8) {
            let value = random.pick(&values(sort)).clone();
            return system.exprs.constant(value);
        }
        return *random.pick(&leaves);
    }
    let sub = |system: &mut System, random: &mut Random, sort: &Sort| {
        random_expr(system, random, sort, depth - 1, next)
    };
    if random.one_in(5) {
        let condition = sub(system, random, &Sort::BOOL);
        let (then, otherwise) = (sub(system, random, sort), sub(system, random, sort));
        return system.exprs.ite(condition, then, otherwise);
    }
    match sort {
        Sort::BitVec(1) => match random.below(7) {
            0 => {
                let a = sub(system, random, sort);
                system.exprs.not(a)
            }
            1 => {
                let sorts = [Sort::BOOL, Sort::BitVec(2), three(), Sort::array(Sort::BOOL, Sort::BOOL)];
                let operands = random.pick(&sorts);
                let (a, b) = (sub(system, random, operands), sub(system, random, operands));
                system.exprs.eq(a, b)
            }
            2 => {
                let op = *random.pick(&[BinaryOp::Ult, BinaryOp::Sle]);
                let operands = Sort::BitVec(2);
                let (a, b) = (sub(system, random, &operands), sub(system, random, &operands));
                system.exprs.apply(op, a, b)
            }
            3 => {
                let array = sub(system, random, &Sort::array(Sort::BOOL, Sort::BOOL));
                let index = sub(system, random, &Sort::BOOL);
                system.exprs.apply(BinaryOp::Read, array, index)
            }
            _ => {
                let op = *random.pick(&[BinaryOp::And, BinaryOp::Or, BinaryOp::Xor]);
                let (a, b) = (sub(system, random, sort), sub(system, random, sort));
                system.exprs.apply(op, a, b)
            }
        },
        Sort::BitVec(2) => {
            if random.one_in(4) {
                let a = sub(system, random, &Sort::BOOL);
                system.exprs.unary(UnaryOp::ZeroExtend(1), a).expect("a Boolean can be extended")
            } else {
                let op = *random.pick(&[
                    BinaryOp::Add,
                    BinaryOp::Sub,
                    BinaryOp::Xor,
                    BinaryOp::Shl,
                    BinaryOp::Udiv,
                ]);
                let (a, b) = (sub(system, random, sort), sub(system, random, sort));
                system.exprs.apply(op, a, b)
            }
        }
        Sort::Array(array) => {
            let whole = sub(system, random, sort);
            let (index, element) = (sub(system, random, &array.index), sub(system, random, &array.element));
            let write = system.exprs.ternary(propcov_ir::TernaryOp::Write, whole, index, element);
            write.expect("operands were made to fit")
        }
        _ => sub(system, random, sort),
    }
}

/// A random edit of some elements; often none.
pub(crate) fn random_edits(system: &mut System, random: &mut Random) -> Edits {
    let mut edits = Edits::none();
    if random.one_in(2) {
        return edits;
    }
    for element in system.element_ids() {
        if !random.one_in(4) {
            continue;
        }
        let site = system.element(element).site;
        let sort = match site {
            Site::Wire(signal) | Site::Next(signal) | Site::Init(signal) => {
                system.signal(signal).sort.clone()
            }
            Site::Constraint(_) => Sort::BOOL,
        };
        let edit = match random.below(4) {
            0 => Edit::Const(random.pick(&values(&sort)).clone()),
            1 if matches!(sort, Sort::BitVec(_)) => Edit::Invert,
            2 if !matches!(site, Site::Wire(_)) => {
                Edit::Replace(random_expr(system, random, &sort, 2, false))
            }
            _ => Edit::Free,
        };
        let before = edits.clone();
        edits.insert(element, edit);
        if system.edited(&edits).validate().is_err() {
            edits = before;
        }
    }
    edits
}

/// All steps of a small system, and how they follow each other.
pub(crate) struct Explicit {
    pub(crate) steps: Vec<Step>,
    pub(crate) initial: Vec<bool>,
    /// Positions of the steps that may follow.
    pub(crate) successors: Vec<Vec<usize>>,
    /// Values of the conditions asked for, by step.
    pub(crate) conditions: Vec<Vec<bool>>,
}

impl Explicit {
    /// `None` when there are more steps than the limit.
    pub(crate) fn new(
        system: &System,
        edits: &Edits,
        conditions: &[ExprId],
        limit: usize,
    ) -> Option<Explicit> {
        let interpreter = Interpreter::new(system, edits).expect("a system without loops");
        let free = interpreter.free_wires();
        let sort = |signal: &SignalId| system.signal(*signal).sort.clone();
        let choices: Vec<Vec<Value>> = (system.inputs().iter())
            .chain(system.states())
            .chain(free.iter().map(|(_, wire)| wire))
            .map(|signal| values(&sort(signal)))
            .collect();
        if choices.iter().map(Vec::len).product::<usize>() > limit {
            return None;
        }
        let mut rows = vec![Vec::new()];
        for column in &choices {
            let extend = |row: &Vec<Value>| {
                column.iter().map(|v| [row.clone(), vec![v.clone()]].concat()).collect::<Vec<_>>()
            };
            rows = rows.iter().flat_map(extend).collect();
        }
        let (inputs, states) = (system.inputs().len(), system.states().len());
        let mut explicit =
            Explicit { steps: vec![], initial: vec![], successors: vec![], conditions: vec![] };
        for row in rows {
            let step = Step {
                inputs: row[..inputs].to_vec(),
                states: row[inputs..inputs + states].to_vec(),
                free: free
                    .iter()
                    .map(|(element, _)| *element)
                    .zip(row[inputs + states..].iter().cloned())
                    .collect(),
            };
            let mut frame = interpreter.frame(&step).expect("values fit");
            if frame.violated_constraint(ConstraintKind::Always).expect("evaluates").is_some() {
                continue;
            }
            let starts = frame.initial_values().expect("evaluates");
            let initial = starts
                .iter()
                .zip(&step.states)
                .all(|(init, now)| init.as_ref().is_none_or(|init| init == now))
                && frame.violated_constraint(ConstraintKind::Initial).expect("evaluates").is_none();
            let condition =
                |expr: &ExprId| frame.value(*expr).expect("evaluates").as_bool().expect("a Boolean");
            explicit.conditions.push(conditions.iter().map(condition).collect());
            explicit.initial.push(initial);
            explicit.steps.push(step);
        }
        let mut by_states: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (position, step) in explicit.steps.iter().enumerate() {
            by_states.entry(format!("{:?}", canonical(&step.states))).or_default().push(position);
        }
        let transitions = system.constraints().iter().any(|c| c.kind == ConstraintKind::Transition);
        for step in &explicit.steps {
            let mut successors = Vec::new();
            let mut frame = interpreter.frame(step).expect("values fit");
            let nexts = frame.successor_values().expect("evaluates");
            for group in by_states.values() {
                let states = &explicit.steps[group[0]].states;
                let mut pairs = nexts.iter().zip(states);
                if !pairs.all(|(next, state)| next.as_ref().is_none_or(|next| next == state)) {
                    continue;
                }
                let allowed = !transitions || {
                    frame.set_next(states).expect("values fit");
                    frame.violated_constraint(ConstraintKind::Transition).expect("evaluates").is_none()
                };
                if allowed {
                    successors.extend(group);
                }
            }
            explicit.successors.push(successors);
        }
        Some(explicit)
    }

    /// The steps that some run reaches.
    pub(crate) fn reachable(&self) -> Vec<bool> {
        let mut reached = self.initial.clone();
        let mut open: Vec<usize> = (0..self.steps.len()).filter(|step| reached[*step]).collect();
        while let Some(step) = open.pop() {
            for &next in &self.successors[step] {
                if !std::mem::replace(&mut reached[next], true) {
                    open.push(next);
                }
            }
        }
        reached
    }

    fn holds(&self, step: usize) -> bool {
        self.conditions[step].iter().all(|condition| *condition)
    }

    /// Whether the conjunction of all conditions holds in each of the first `steps` steps of every run.
    pub(crate) fn initiation(&self, steps: u32) -> bool {
        let mut layer: BTreeSet<usize> = (0..self.steps.len()).filter(|step| self.initial[*step]).collect();
        for _ in 0..steps {
            if !layer.iter().all(|step| self.holds(*step)) {
                return false;
            }
            layer = layer.iter().flat_map(|step| self.successors[*step].iter().copied()).collect();
        }
        true
    }

    /// Whether the conjunction of all conditions holds after any k steps in which it held; with `compared`, only if all
    /// k + 1 steps pairwise differ in one of these states (positions among the states).
    pub(crate) fn consecution(&self, k: u32, compared: Option<&[usize]>) -> bool {
        (0..self.steps.len()).all(|step| self.no_violation_after(&mut vec![step], k, compared))
    }

    fn no_violation_after(&self, path: &mut Vec<usize>, k: u32, compared: Option<&[usize]>) -> bool {
        let last = path[path.len() - 1];
        let same = |a: usize, b: usize, compared: &[usize]| {
            compared.iter().all(|state| self.steps[a].states[*state] == self.steps[b].states[*state])
        };
        if let Some(compared) = compared
            && path[..path.len() - 1].iter().any(|earlier| same(*earlier, last, compared))
        {
            return true;
        }
        if path.len() as u32 == k + 1 {
            return self.holds(last);
        }
        if !self.holds(last) {
            return true;
        }
        for &next in &self.successors[last] {
            path.push(next);
            let fine = self.no_violation_after(path, k, compared);
            path.pop();
            if !fine {
                return false;
            }
        }
        true
    }
}

/// The same values, written so that equal arrays print alike.
fn canonical(values: &[Value]) -> Vec<String> {
    let bit = |index: u64| Bits::from_u64(1, index);
    let print = |value: &Value| match value {
        Value::Array(array) => format!("{}{}", array.read(&bit(0)), array.read(&bit(1))),
        other => other.to_string(),
    };
    values.iter().map(print).collect()
}

/// The positions of the states that simple paths compare, from their description: of the system with the edits written
/// into it, the states on which the conditions or constraints depend, and whose next value something restricts.
pub(crate) fn compared_states(system: &System, edits: &Edits, conditions: &[ExprId]) -> Vec<usize> {
    let system = system.edited(edits);
    let reads = |expr: ExprId| {
        let (mut signals, mut nexts, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![expr]);
        while let Some(expr) = open.pop() {
            match *system.exprs.node(expr) {
                Node::Signal(signal) => _ = signals.insert(signal),
                Node::Next(signal) => _ = nexts.insert(signal),
                _ => open.extend(system.exprs.operands(expr)),
            }
        }
        (signals, nexts)
    };
    let constraint = |id: usize| &system.constraints()[id];
    let of_kind = |kind| (0..system.constraints().len()).filter(move |id| constraint(*id).kind == kind);
    let mut roots = conditions.to_vec();
    roots.extend(of_kind(ConstraintKind::Always).map(|id| constraint(id).expr));
    roots.extend(of_kind(ConstraintKind::Transition).map(|id| constraint(id).expr));
    let mut cone: BTreeSet<SignalId> = BTreeSet::new();
    for root in roots {
        let (signals, nexts) = reads(root);
        cone.extend(signals);
        cone.extend(nexts);
    }
    loop {
        let mut grown = cone.clone();
        for signal in &cone {
            match system.signal(*signal).kind {
                SignalKind::Wire { definition } => grown.extend(reads(definition).0),
                SignalKind::State { next: Some(next), .. } => grown.extend(reads(next).0),
                _ => {}
            }
        }
        if grown == cone {
            break;
        }
        cone = grown;
    }
    let mut restricted: BTreeSet<SignalId> =
        of_kind(ConstraintKind::Transition).flat_map(|id| reads(constraint(id).expr).1).collect();
    for state in system.states() {
        if matches!(system.signal(*state).kind, SignalKind::State { next: Some(_), .. }) {
            restricted.insert(*state);
        }
    }
    let states = system.states();
    (0..states.len()).filter(|at| cone.contains(&states[*at]) && restricted.contains(&states[*at])).collect()
}

/// The condition that the states are those of one of the steps.
pub(crate) fn one_of(system: &mut System, steps: &[&Step]) -> ExprId {
    let states: Vec<ExprId> = system.states().to_vec().into_iter().map(|state| system.read(state)).collect();
    let mut cubes = Vec::new();
    for step in steps {
        let mut cube = Vec::new();
        for (state, value) in states.iter().zip(&step.states) {
            let value = system.exprs.constant(value.clone());
            cube.push(system.exprs.eq(*state, value));
        }
        cubes.push(system.exprs.conjunction(cube));
    }
    system.exprs.disjunction(cubes)
}

/// Copies expressions over states of a system into a pool of their own.
pub(crate) fn in_own_pool(system: &System, exprs: &[ExprId]) -> (ExprPool, Vec<ExprId>) {
    let (mut pool, mut cache) = (ExprPool::new(), FxHashMap::default());
    let copies = exprs.iter().map(|expr| {
        pool.import(&system.exprs, *expr, &mut cache, |pool, node, sort| match node {
            Node::Signal(signal) => pool.signal(*signal, sort.clone()),
            other => panic!("{other:?} in a lemma"),
        })
    });
    let copies = copies.collect();
    (pool, copies)
}

/// Whether an expression reads only states.
pub(crate) fn reads_only_states(system: &System, expr: ExprId) -> bool {
    match *system.exprs.node(expr) {
        Node::Signal(signal) => matches!(system.signal(signal).kind, SignalKind::State { .. }),
        Node::Next(_) => false,
        _ => system.exprs.operands(expr).all(|operand| reads_only_states(system, operand)),
    }
}

/// Adds an invariant property.
pub(crate) fn add_invariant(system: &mut System, expr: ExprId) -> PropertyId {
    system.add_property("p", PropertyKind::Invariant(expr), None)
}
