//! Makes a failing program small: drops what nothing reads, and puts operands and literals in place of expressions, as long as it still fails.

use super::syntax::{Binary, Equation, Expr, Node, Program, Type};
use std::time::{Duration, Instant};

/// How long to go on shrinking.
const TIME: Duration = Duration::from_secs(20);

/// The smallest program found for which the predicate still says that it fails. `program` itself has to fail.
pub fn shrink_program(program: &Program, mut fails: impl FnMut(&Program) -> bool) -> Program {
    let deadline = Instant::now() + TIME;
    let mut current = program.clone();
    loop {
        let mut progress = false;
        for class in [declarations, equations, expressions] {
            let mut index = 0;
            while let Some(smaller) = class(&current).into_iter().nth(index) {
                if Instant::now() > deadline {
                    return current;
                }
                if fails(&smaller) {
                    current = smaller;
                    progress = true;
                } else {
                    index += 1;
                }
            }
        }
        if !progress {
            return current;
        }
    }
}

/// Without a property, an assertion or a node, constant or type that nothing uses.
fn declarations(program: &Program) -> Vec<Program> {
    let mut smaller = Vec::new();
    for (index, node) in program.nodes.iter().enumerate() {
        let main = index + 1 == program.nodes.len();
        if !main && !uses(program, &|expr| calls(expr, index)) {
            smaller.push(without_node(program, index));
        }
        for at in 0..node.properties.len() {
            if !main || node.properties.len() > 1 {
                smaller.push(changed(program, |program| drop(program.nodes[index].properties.remove(at))));
            }
        }
        for at in 0..node.assertions.len() {
            smaller.push(changed(program, |program| drop(program.nodes[index].assertions.remove(at))));
        }
    }
    if program.main_first || program.few_parentheses {
        smaller.push(changed(program, |program| {
            program.main_first = false;
            program.few_parentheses = false;
        }));
    }
    let last = program.constants.len().wrapping_sub(1);
    if !program.constants.is_empty() && !uses(program, &|expr| *expr == Expr::Constant(last)) {
        smaller.push(changed(program, |program| drop(program.constants.pop())));
    }
    smaller
}

fn changed(program: &Program, change: impl FnOnce(&mut Program)) -> Program {
    let mut copy = program.clone();
    change(&mut copy);
    copy
}

fn calls(expr: &Expr, node: usize) -> bool {
    matches!(expr, Expr::Call(callee, _) | Expr::Condact(_, callee, _, _) if *callee == node)
}

/// Whether some expression of the program satisfies the predicate.
fn uses(program: &Program, predicate: &dyn Fn(&Expr) -> bool) -> bool {
    program.nodes.iter().any(|node| reads(node, predicate))
}

fn reads(node: &Node, predicate: &dyn Fn(&Expr) -> bool) -> bool {
    let values = node.equations.iter().map(|equation| &equation.value);
    values.chain(&node.assertions).any(|expr| expr.any(predicate))
}

fn without_node(program: &Program, index: usize) -> Program {
    fn renumber(expr: &mut Expr, index: usize) {
        if let Expr::Call(callee, _) | Expr::Condact(_, callee, _, _) = expr
            && *callee > index
        {
            *callee -= 1;
        }
        expr.operands_mut().into_iter().for_each(|operand| renumber(operand, index));
    }
    changed(program, |program| {
        program.nodes.remove(index);
        for node in &mut program.nodes {
            let values = node.equations.iter_mut().map(|equation| &mut equation.value);
            values.chain(&mut node.assertions).for_each(|expr| renumber(expr, index));
        }
    })
}

/// Without a variable that nothing reads, or with an equation for each part of a tuple.
fn equations(program: &Program) -> Vec<Program> {
    let mut smaller = Vec::new();
    for (index, node) in program.nodes.iter().enumerate() {
        let main = index + 1 == program.nodes.len();
        for (at, equation) in node.equations.iter().enumerate() {
            let unread = |name: &String| {
                let other = |expr: &Expr| *expr == Expr::Variable(name.clone());
                let values = node.equations.iter().enumerate().filter(|(place, _)| *place != at);
                let read = values.map(|(_, equation)| &equation.value).chain(&node.assertions);
                let read = read.into_iter().any(|expr| expr.any(&other)) || node.properties.contains(name);
                let output = node.outputs.iter().any(|output| output.name == *name);
                !read && (!output || main && node.outputs.len() > equation.targets.len())
            };
            if equation.targets.iter().all(unread) {
                smaller.push(changed(program, |program| {
                    let node = &mut program.nodes[index];
                    let dropped = node.equations.remove(at).targets;
                    node.outputs.retain(|variable| !dropped.contains(&variable.name));
                    node.locals.retain(|variable| !dropped.contains(&variable.name));
                }));
            }
            if let (Expr::Tuple(parts), [_, _, ..]) = (&equation.value, equation.targets.as_slice()) {
                let parts = equation.targets.iter().zip(parts);
                let parts: Vec<Equation> = parts
                    .map(|(target, part)| Equation { targets: vec![target.clone()], value: part.clone() })
                    .collect();
                smaller.push(changed(program, |program| {
                    drop(program.nodes[index].equations.splice(at..=at, parts));
                }));
            }
        }
        for (at, input) in node.inputs.iter().enumerate().filter(|_| main) {
            if !reads(node, &|expr| *expr == Expr::Variable(input.name.clone())) {
                smaller.push(changed(program, |program| drop(program.nodes[index].inputs.remove(at))));
            }
        }
    }
    smaller
}

/// With an operand or a literal in place of an expression.
fn expressions(program: &Program) -> Vec<Program> {
    let mut smaller = Vec::new();
    for (index, node) in program.nodes.iter().enumerate() {
        for (at, equation) in node.equations.iter().enumerate() {
            for value in simpler(program, node, &equation.value) {
                smaller.push(changed(program, |program| program.nodes[index].equations[at].value = value));
            }
        }
        for (at, assertion) in node.assertions.iter().enumerate() {
            for value in simpler(program, node, assertion) {
                smaller.push(changed(program, |program| program.nodes[index].assertions[at] = value));
            }
        }
    }
    smaller
}

/// The expression with one part simplified, the outermost first.
fn simpler(program: &Program, node: &Node, expr: &Expr) -> Vec<Expr> {
    let of = program.type_of(node, expr).without_range();
    let mut simpler = Vec::new();
    if !matches!(expr, Expr::Bool(_) | Expr::Int(_) | Expr::Real(_) | Expr::Enum(..) | Expr::Constant(_)) {
        simpler.extend(literals(&of));
    }
    let operands = expr.operands();
    let same = |operand: &&&Expr| program.type_of(node, operand).without_range() == of;
    simpler.extend(operands.iter().filter(same).map(|operand| (**operand).clone()));
    for (place, operand) in operands.iter().enumerate() {
        // A divisor stays, for it must not be zero, and so does a clock, for it must be no literal.
        let divides = matches!(expr, Expr::Binary(Binary::Div | Binary::Mod | Binary::Divide, _, _));
        if place == 1 && divides || place == 0 && matches!(expr, Expr::Condact(..)) {
            continue;
        }
        for less in self::simpler(program, node, operand) {
            let mut copy = expr.clone();
            if let Some(slot) = copy.operands_mut().into_iter().nth(place) {
                *slot = less;
            }
            simpler.push(copy);
        }
    }
    simpler
}

fn literals(of: &Type) -> Vec<Expr> {
    match of {
        Type::Bool => vec![Expr::Bool(false), Expr::Bool(true)],
        Type::Int => vec![Expr::Int(0), Expr::Int(1)],
        Type::Real => vec![Expr::Real(0)],
        Type::Enum(index) => vec![Expr::Enum(*index, 0)],
        _ => Vec::new(),
    }
}
