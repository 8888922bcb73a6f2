//! Small random systems, edits of them, and expressions about them.

use dashu_ratio::RBig;
use propcov_ir::{
    ArrayValue, BinaryOp, Bits, ConstraintKind, Edit, Edits, ElementKind, EnumSort, ExprId, ExprPool, Node,
    PropertyId, PropertyKind, SignalId, SignalKind, Site, Sort, Step, System, TernaryOp, UnaryOp, Value,
};
use propcov_testkit::Random;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// True once in `n` times.
pub(crate) fn one_in(random: &mut Random, n: usize) -> bool {
    random.below(n) == 0
}

/// Every value of a small sort. Of numbers those that [`random_number_system`] allows.
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
        Sort::Int => (-1..=2).map(|value: i32| Value::Int(value.into())).collect(),
        Sort::Real => [(-1, 2), (0, 1), (1, 1)].map(|(n, d)| Value::Real(real(n, d))).to_vec(),
    }
}

/// A fraction.
pub(crate) fn real(numerator: i32, denominator: u32) -> RBig {
    RBig::from_parts(numerator.into(), denominator.into())
}

pub(crate) fn three() -> Sort {
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
    let sorts = [Sort::BOOL, Sort::BOOL, Sort::BitVec(2), three()];
    with_the_rest(system, random, &sorts, &sorts)
}

/// A system that has its states, with inputs, wires, definitions and constraints: inputs and wires of one of these sorts each.
fn with_the_rest(mut system: System, random: &mut Random, inputs: &[Sort], wires: &[Sort]) -> System {
    for index in 0..random.below(3) {
        let sort = random.pick(inputs).clone();
        let input = system.add_input(format!("i{index}"), sort);
        system.read(input);
    }
    for index in 0..random.below(4) {
        let sort = random.pick(wires).clone();
        let definition = random_expr(&mut system, random, &sort, 3, false);
        let wire = system.add_wire(format!("w{index}"), definition);
        system.read(wire);
        system.add_element(format!("w{index}"), ElementKind::Equation, Site::Wire(wire), None);
    }
    for state in system.states().to_vec() {
        define_state(&mut system, random, state);
    }
    constrain(&mut system, random);
    system
}

/// Gives a state an initial and a next value, mostly.
fn define_state(system: &mut System, random: &mut Random, state: SignalId) {
    let (name, sort) = (system.signal(state).name.clone(), system.signal(state).sort.clone());
    if !one_in(random, 5) {
        let constant = *random.pick(&[true, true, false]);
        let init = if constant {
            let value = random.pick(&values(&sort)).clone();
            system.exprs.constant(value)
        } else {
            random_expr(system, random, &sort, 2, false)
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
    if !one_in(random, 6) {
        let next = random_expr(system, random, &sort, 3, false);
        system.set_next(state, next);
        system.add_element(name, ElementKind::Register, Site::Next(state), None);
    }
}

/// Constraints of all kinds, sometimes.
fn constrain(system: &mut System, random: &mut Random) {
    for kind in [ConstraintKind::Always, ConstraintKind::Initial, ConstraintKind::Transition] {
        if one_in(random, 3) {
            let expr = random_expr(system, random, &Sort::BOOL, 3, kind == ConstraintKind::Transition);
            let constraint = system.add_constraint(format!("{kind:?}"), kind, expr);
            system.add_element(
                format!("{kind:?}"),
                ElementKind::Assumption,
                Site::Constraint(constraint),
                None,
            );
        }
    }
}

/// A random expression over the signals that the pool already reads.
pub(crate) fn random_expr(
    system: &mut System,
    random: &mut Random,
    sort: &Sort,
    depth: u32,
    next: bool,
) -> ExprId {
    if depth == 0 || one_in(random, 6) {
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
        if leaves.is_empty() || one_in(random, 8) {
            let value = random.pick(&values(sort)).clone();
            return system.exprs.constant(value);
        }
        return *random.pick(&leaves);
    }
    let sub = |system: &mut System, random: &mut Random, sort: &Sort| {
        random_expr(system, random, sort, depth - 1, next)
    };
    if one_in(random, 5) {
        let condition = sub(system, random, &Sort::BOOL);
        let (then, otherwise) = (sub(system, random, sort), sub(system, random, sort));
        return system.exprs.ite(condition, then, otherwise);
    }
    if sort.is_bool() && has_numbers(system) && one_in(random, 2) {
        let operands = random.pick(&[Sort::Int, Sort::Real]);
        let op = *random.pick(&[BinaryOp::Lt, BinaryOp::Le, BinaryOp::Eq]);
        let (a, b) = (sub(system, random, operands), sub(system, random, operands));
        return system.exprs.apply(op, a, b);
    }
    let memories = memories(system);
    if !memories.is_empty() && one_in(random, 2) {
        if sort.is_bool() && one_in(random, 4) {
            let memory = random.pick(&memories);
            let (a, b) = (sub(system, random, memory), sub(system, random, memory));
            return system.exprs.eq(a, b);
        }
        if let Sort::Array(array) = sort
            && one_in(random, 3)
        {
            let element = sub(system, random, &array.element);
            let everywhere = system.exprs.unary(UnaryOp::ConstArray(sort.clone()), element);
            return everywhere.expect("an element of the sort");
        }
        let of_sort = memories.iter().filter_map(|memory| match memory {
            Sort::Array(array) if array.element == *sort => Some((memory, array)),
            _ => None,
        });
        let of_sort: Vec<_> = of_sort.collect();
        if !of_sort.is_empty() {
            let (memory, array) = *random.pick(&of_sort);
            let (memory, index) = (sub(system, random, memory), sub(system, random, &array.index));
            return system.exprs.apply(BinaryOp::Read, memory, index);
        }
    }
    match sort {
        Sort::Int | Sort::Real => random_number(system, random, sort, depth, next),
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
            if one_in(random, 4) {
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
            let write = system.exprs.ternary(TernaryOp::Write, whole, index, element);
            write.expect("operands were made to fit")
        }
        _ => sub(system, random, sort),
    }
}

/// The sorts of finite arrays in a system that has others than those from Booleans to Booleans.
fn memories(system: &System) -> Vec<Sort> {
    let is_memory = |sort: &Sort| matches!(sort, Sort::Array(_)) && !sort.is_unbounded();
    let mut sorts: Vec<Sort> = system.signals().iter().map(|signal| signal.sort.clone()).collect();
    sorts.retain(is_memory);
    if sorts.iter().all(|sort| *sort == Sort::array(Sort::BOOL, Sort::BOOL)) {
        sorts.clear();
    }
    sorts
}

/// A random system with arrays, also of arrays and by enumerations: states, inputs and wires.
pub(crate) fn random_array_system(random: &mut Random) -> System {
    let mut system = System::new();
    let small = Sort::array(Sort::BOOL, Sort::BOOL);
    let arrays = [
        (4, Sort::array(Sort::BOOL, Sort::BitVec(2))),
        (4, Sort::array(Sort::BitVec(2), Sort::BOOL)),
        (4, Sort::array(Sort::BOOL, small.clone())),
        (3, Sort::array(three(), Sort::BOOL)),
    ];
    let (bits, sort) = random.pick(&arrays).clone();
    let memory = system.add_state("m", sort.clone());
    system.read(memory);
    if one_in(random, 2) {
        let others = [(1, Sort::BOOL), (2, Sort::BitVec(2)), (2, small.clone())];
        let (more, sort) = random.pick(&others);
        if bits + more <= 5 {
            let state = system.add_state("s", sort.clone());
            system.read(state);
        }
    }
    let inputs = [Sort::BOOL, Sort::BOOL, Sort::BitVec(2), small.clone()];
    with_the_rest(system, random, &inputs, &[Sort::BOOL, Sort::BitVec(2), small, sort])
}

fn has_numbers(system: &System) -> bool {
    system.signals().iter().any(|signal| signal.sort.is_unbounded())
}

/// A number made by an operator; none of them is applied to two variables where that is not linear.
fn random_number(system: &mut System, random: &mut Random, sort: &Sort, depth: u32, next: bool) -> ExprId {
    let is_int = *sort == Sort::Int;
    let a = random_expr(system, random, sort, depth - 1, next);
    let factor = random.between(0, 6) as i32 - 3;
    let factor = if is_int {
        Value::Int(factor.into())
    } else {
        Value::Real(real(factor, random.between(1, 3) as u32))
    };
    let factor = system.exprs.constant(factor);
    let made = match random.below(8) {
        0 => system.exprs.unary(UnaryOp::Neg, a),
        1 => system.exprs.binary(BinaryOp::Mul, a, factor),
        2 => system.exprs.binary(BinaryOp::Mul, factor, a),
        3 | 4 if is_int => {
            system.exprs.binary(*random.pick(&[BinaryOp::IntDiv, BinaryOp::IntMod]), a, factor)
        }
        3 => system.exprs.binary(BinaryOp::RealDiv, a, factor),
        4 => {
            let int = random_expr(system, random, &Sort::Int, depth - 1, next);
            system.exprs.unary(UnaryOp::ToReal, int)
        }
        5 if is_int => {
            let real = random_expr(system, random, &Sort::Real, depth - 1, next);
            system.exprs.unary(UnaryOp::Floor, real)
        }
        6 if is_int && function_of(system).is_some() => {
            let index = random_expr(system, random, &Sort::BOOL, depth - 1, next);
            let function = function_of(system).expect("was found");
            let function = system.read(function);
            system.exprs.binary(BinaryOp::Read, function, index)
        }
        _ => {
            let b = random_expr(system, random, sort, depth - 1, next);
            system.exprs.binary(*random.pick(&[BinaryOp::Add, BinaryOp::Sub]), a, b)
        }
    };
    made.expect("operands were made to fit")
}

/// The function of a system with numbers, if it has one.
fn function_of(system: &System) -> Option<SignalId> {
    system.states().iter().copied().find(|state| matches!(system.signal(*state).sort, Sort::Array(_)))
}

/// A random system with ints, reals, Booleans, enumerations and sometimes a function from Booleans to ints. Constraints keep all numbers among
/// [`values`].
pub(crate) fn random_number_system(random: &mut Random) -> System {
    let mut system = System::new();
    let sorts = [Sort::Int, Sort::Int, Sort::Real, Sort::BOOL, three()];
    for index in 0..1 + random.below(3) {
        let state = system.add_state(format!("s{index}"), random.pick(&sorts).clone());
        system.read(state);
    }
    let function = one_in(random, 4).then(|| system.add_state("f", Sort::array(Sort::BOOL, Sort::Int)));
    if let Some(function) = function {
        let same = system.read(function);
        system.set_next(function, same);
    }
    for index in 0..random.below(3) {
        let input = system.add_input(format!("i{index}"), random.pick(&sorts).clone());
        system.read(input);
    }
    for index in 0..random.below(4) {
        let sort = random.pick(&sorts).clone();
        let definition = random_expr(&mut system, random, &sort, 3, false);
        let wire = system.add_wire(format!("w{index}"), definition);
        system.read(wire);
        system.add_element(format!("w{index}"), ElementKind::Equation, Site::Wire(wire), None);
    }
    for state in system.states().to_vec() {
        if Some(state) != function {
            define_state(&mut system, random, state);
        }
    }
    constrain(&mut system, random);
    for signal in (0..system.signals().len() as u32).map(SignalId) {
        keep_small(&mut system, signal);
    }
    system
}

/// Requires that a number is one of [`values`], and so for what a function yields.
fn keep_small(system: &mut System, signal: SignalId) {
    let read = system.read(signal);
    let numbers = match system.signal(signal).sort.clone() {
        Sort::Int | Sort::Real => vec![read],
        Sort::Array(array) => values(&array.index)
            .into_iter()
            .map(|index| {
                let index = system.exprs.constant(index);
                system.exprs.apply(BinaryOp::Read, read, index)
            })
            .collect(),
        Sort::BitVec(_) | Sort::Enum(_) => vec![],
    };
    for number in numbers {
        let mut allowed = Vec::new();
        for value in values(&system.exprs.sort(number).clone()) {
            let value = system.exprs.constant(value);
            allowed.push(system.exprs.eq(number, value));
        }
        let small = system.exprs.disjunction(allowed);
        system.add_constraint(format!("small {}", number.0), ConstraintKind::Always, small);
    }
}

/// A random edit of some elements; often none.
pub(crate) fn random_edits(system: &mut System, random: &mut Random) -> Edits {
    let mut edits = Edits::none();
    if one_in(random, 2) {
        return edits;
    }
    for element in system.element_ids() {
        if !one_in(random, 4) {
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

/// The condition that the states are those of one of the steps.
pub(crate) fn one_of(system: &mut System, steps: &[&Step]) -> ExprId {
    let states: Vec<ExprId> = system.states().to_vec().into_iter().map(|state| system.read(state)).collect();
    let mut cubes = Vec::new();
    for step in steps {
        let mut cube = Vec::new();
        for (state, value) in states.iter().zip(&step.states) {
            match value {
                Value::Array(array) if value.sort().is_unbounded() => {
                    for index in values(&array.sort().index) {
                        let value = system.exprs.constant(array.read(&index).clone());
                        let index = system.exprs.constant(index);
                        let element = system.exprs.apply(BinaryOp::Read, *state, index);
                        cube.push(system.exprs.eq(element, value));
                    }
                }
                _ => {
                    let value = system.exprs.constant(value.clone());
                    cube.push(system.exprs.eq(*state, value));
                }
            }
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
