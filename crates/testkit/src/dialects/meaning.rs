//! What programs mean: a node is a function from all its inputs so far to all its variables so far.

use super::syntax::{Block, Expr, Node, Operator, Program, SIZE, State};
use std::cell::RefCell;
use std::collections::HashMap;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Datum {
    /// A Boolean.
    Bool(bool),
    /// A number within the range of its type, and whether that has a sign.
    Machine(bool, i64),
    /// The elements of an array.
    Array(Vec<Datum>),
}

/// What variables are in each step: by step, then by variable.
pub type Streams = Vec<Vec<Datum>>;

impl Datum {
    fn bool(&self) -> bool {
        matches!(self, Datum::Bool(true))
    }

    /// The bits of a machine integer as a number without sign.
    pub fn bits(&self) -> u64 {
        match self {
            Datum::Bool(value) => u64::from(*value),
            Datum::Machine(_, value) => value.rem_euclid(256) as u64,
            Datum::Array(_) => 0,
        }
    }
}

/// A number brought into the range of its type.
fn wrapped(signed: bool, value: i64) -> Datum {
    let value = value.rem_euclid(256);
    Datum::Machine(signed, if signed && value >= 128 { value - 256 } else { value })
}

/// All variables of the main node, for inputs by step.
pub fn streams(program: &Program, inputs: &Streams) -> Streams {
    let run = Run::new(program, program.nodes.len() - 1, inputs.clone());
    let variables = program.nodes[program.nodes.len() - 1].variables.len();
    (0..inputs.len()).map(|step| (0..variables).map(|at| run.variable(at, step)).collect()).collect()
}

/// What an expression over the variables of a node is in each step, for its inputs by step.
pub fn values(program: &Program, node: usize, inputs: &Streams, expr: &Expr) -> Vec<Datum> {
    let run = Run::new(program, node, inputs.clone());
    (0..inputs.len()).map(|step| run.value(expr, step, None)).collect()
}

/// What the first output of a node is at the end of its inputs.
fn last(program: &Program, node: usize, inputs: Streams) -> Datum {
    let step = inputs.len() - 1;
    Run::new(program, node, inputs).variable(program.nodes[node].inputs, step)
}

/// One node with its inputs so far. What has been computed is kept, as far as it is about variables.
struct Run<'p> {
    program: &'p Program,
    node: &'p Node,
    inputs: Streams,
    known: RefCell<HashMap<(usize, usize), Datum>>,
    /// The steps of automata, by their block.
    automata: RefCell<HashMap<usize, Vec<Moment>>>,
}

/// An automaton in a step: its active state, and since when that has been active without beginning anew.
#[derive(Clone, Debug)]
struct Moment {
    active: usize,
    /// The steps that the active state knows of, the present one last.
    seen: Vec<usize>,
    next: (usize, bool),
    values: Vec<Datum>,
    /// What each state knows of.
    memories: Vec<Vec<usize>>,
}

impl<'p> Run<'p> {
    fn new(program: &'p Program, node: usize, inputs: Streams) -> Run<'p> {
        let node = &program.nodes[node];
        Run { program, node, inputs, known: RefCell::default(), automata: RefCell::default() }
    }

    fn variable(&self, at: usize, step: usize) -> Datum {
        if at < self.node.inputs {
            return self.inputs[step][at].clone();
        }
        if let Some(known) = self.known.borrow().get(&(at, step)) {
            return known.clone();
        }
        let value = self.defined(at, step);
        self.known.borrow_mut().insert((at, step), value.clone());
        value
    }

    /// The value that the block which defines a variable gives it.
    fn defined(&self, wanted: usize, step: usize) -> Datum {
        for (number, block) in self.node.blocks.iter().enumerate() {
            match block {
                Block::Equation(at, value) if *at == wanted => return self.value(value, step, None),
                Block::Elements(at, value) if *at == wanted => {
                    return Datum::Array(
                        (0..SIZE).map(|index| self.value(value, step, Some(index))).collect(),
                    );
                }
                Block::Frame { condition, variables } => {
                    let Some((_, initial, then, otherwise)) = variables.iter().find(|(at, ..)| *at == wanted)
                    else {
                        continue;
                    };
                    let branch = if self.value(condition, step, None).bool() { then } else { otherwise };
                    return match (branch, step) {
                        (Some(value), _) => self.value(value, step, None),
                        (None, 0) => self.value(initial, step, None),
                        (None, _) => self.variable(wanted, step - 1),
                    };
                }
                Block::Automaton { variables, states } => {
                    if let Some(position) = variables.iter().position(|at| *at == wanted) {
                        return self.moment(number, variables, states, step).values[position].clone();
                    }
                }
                _ => {}
            }
        }
        unreachable!("every variable is defined")
    }

    fn moment(&self, number: usize, variables: &[usize], states: &[State], step: usize) -> Moment {
        if let Some(moment) = self.automata.borrow().get(&number).and_then(|moments| moments.get(step)) {
            return moment.clone();
        }
        let before = (step > 0).then(|| self.moment(number, variables, states, step - 1));
        let (mut active, mut anew) = before.as_ref().map_or((0, false), |before| before.next);
        for (condition, restart, target) in &states[active].unless {
            if self.value(condition, step, None).bool() {
                (active, anew) = (*target, *restart);
                break;
            }
        }
        let mut memories = before.map_or_else(|| vec![Vec::new(); states.len()], |before| before.memories);
        if anew {
            memories[active].clear();
        }
        memories[active].push(step);
        let seen = memories[active].clone();
        // The state is a program of its own, of the steps that it has seen.
        let inside = Inside { run: self, seen: &seen, variables, state: &states[active] };
        let now = seen.len() - 1;
        let values = states[active].values.iter().map(|value| inside.value(value, now)).collect();
        let mut next = (active, false);
        for (condition, restart, target) in &states[active].until {
            if inside.value(condition, now).bool() {
                next = (*target, *restart);
                break;
            }
        }
        let moment = Moment { active, seen, next, values, memories };
        let mut automata = self.automata.borrow_mut();
        let moments = automata.entry(number).or_default();
        debug_assert_eq!(moments.len(), step);
        debug_assert!(moment.seen.last() == Some(&step) && moment.active < states.len());
        moments.push(moment.clone());
        moment
    }

    fn value(&self, expr: &Expr, step: usize, index: Option<usize>) -> Datum {
        let read = |at: usize, step: usize| self.variable(at, step);
        evaluate(self.program, expr, &read, step, index)
    }
}

/// A state of an automaton with the steps that it has seen.
struct Inside<'i, 'p> {
    run: &'i Run<'p>,
    seen: &'i [usize],
    variables: &'i [usize],
    state: &'i State,
}

impl Inside<'_, '_> {
    fn value(&self, expr: &Expr, step: usize) -> Datum {
        let read = |at: usize, step: usize| match self.variables.iter().position(|own| *own == at) {
            // Its own variables are what it gave them when it was last active.
            Some(position) => self.value(&self.state.values[position], step),
            None => self.run.variable(at, self.seen[step]),
        };
        evaluate(self.run.program, expr, &read, step, None)
    }
}

/// An expression in a step, given what variables are in each step up to it.
fn evaluate(
    program: &Program,
    expr: &Expr,
    read: &dyn Fn(usize, usize) -> Datum,
    step: usize,
    index: Option<usize>,
) -> Datum {
    let of = |expr: &Expr| evaluate(program, expr, read, step, index);
    let at = |expr: &Expr, step: usize| evaluate(program, expr, read, step, index);
    let row = |arguments: &[Expr], step: usize| arguments.iter().map(|argument| at(argument, step)).collect();
    match expr {
        Expr::Variable(variable) => read(*variable, step),
        Expr::Bool(value) => Datum::Bool(*value),
        Expr::Number(signed, value) => wrapped(*signed, *value),
        Expr::Not(a) => Datum::Bool(!of(a).bool()),
        Expr::BitNot(a) => match of(a) {
            Datum::Machine(signed, value) => wrapped(signed, !value),
            other => other,
        },
        Expr::Negate(a) => match of(a) {
            Datum::Machine(signed, value) => wrapped(signed, -value),
            other => other,
        },
        Expr::Binary(op, a, b) => operate(*op, &of(a), &of(b)),
        Expr::If(c, a, b) => {
            if of(c).bool() {
                of(a)
            } else {
                of(b)
            }
        }
        Expr::Fby(a, b) => {
            if step == 0 {
                of(a)
            } else {
                at(b, step - 1)
            }
        }
        Expr::Arrow(a, b) => {
            if step == 0 {
                of(a)
            } else {
                of(b)
            }
        }
        Expr::Call(node, arguments) => {
            last(program, *node, (0..=step).map(|step| row(arguments, step)).collect())
        }
        Expr::Restart(node, reset, arguments) => {
            let start = (0..=step).rev().find(|step| at(reset, *step).bool()).unwrap_or(0);
            last(program, *node, (start..=step).map(|step| row(arguments, step)).collect())
        }
        Expr::Activate { node, clock, reset, default, arguments } => {
            let active: Vec<usize> = (0..=step).filter(|step| at(clock, *step).bool()).collect();
            let reset = |step: &usize| reset.as_ref().is_some_and(|reset| at(reset, *step).bool());
            let start = active.iter().rposition(reset).unwrap_or(0);
            match &active[start..] {
                [] => at(default, 0),
                active => last(program, *node, active.iter().map(|step| row(arguments, *step)).collect()),
            }
        }
        Expr::Merge { clock, node, arguments, otherwise } => {
            if !read(*clock, step).bool() {
                return of(otherwise);
            }
            let active = (0..=step).filter(|step| read(*clock, *step).bool());
            last(program, *node, active.map(|step| row(arguments, step)).collect())
        }
        Expr::Element(array, index) => element(&read(*array, step), *index),
        Expr::Index => wrapped(false, index.unwrap_or(0) as i64),
        Expr::Indexed(array) => element(&read(*array, step), index.unwrap_or(0)),
        Expr::Power(value) => Datum::Array(vec![wrapped(false, *value); SIZE]),
    }
}

fn element(array: &Datum, index: usize) -> Datum {
    match array {
        Datum::Array(elements) => elements[index].clone(),
        other => other.clone(),
    }
}

fn operate(op: Operator, a: &Datum, b: &Datum) -> Datum {
    let bools = || (a.bool(), b.bool());
    let (signed, x, y) = match (a, b) {
        (Datum::Machine(signed, x), Datum::Machine(_, y)) => (*signed, *x, *y),
        _ => (false, 0, 0),
    };
    let number = |value: i64| wrapped(signed, value);
    match op {
        Operator::And => Datum::Bool(bools().0 && bools().1),
        Operator::Or => Datum::Bool(bools().0 || bools().1),
        Operator::Xor => Datum::Bool(bools().0 != bools().1),
        Operator::Implies => Datum::Bool(!bools().0 || bools().1),
        Operator::Equal => Datum::Bool(a == b),
        Operator::Less => Datum::Bool(x < y),
        Operator::AtMost => Datum::Bool(x <= y),
        Operator::Plus => number(x + y),
        Operator::Minus => number(x - y),
        Operator::Times => number(x * y),
        // As SMT-LIB defines it for words: towards zero, and by zero all ones, or 1 for what is negative.
        Operator::Div if y == 0 => number(if signed && x < 0 { 1 } else { -1 }),
        Operator::Div => number(x / y),
        Operator::Mod if y == 0 => number(x),
        Operator::Mod => number(x % y),
        Operator::BitAnd => number(x & y),
        Operator::BitOr => number(x | y),
        Operator::ShiftLeft => number(if b.bits() >= 8 { 0 } else { x << b.bits() }),
        Operator::ShiftRight => number(x >> b.bits().min(62)),
    }
}
