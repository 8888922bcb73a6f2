//! Smaller programs that still fail: parts of expressions instead of wholes, literals instead of parts, fewer transitions and states, no contracts.

use super::syntax::{Block, Expr, Program};

/// A program that fails as this one does, and cannot be made smaller in one step.
pub fn shrink_dialect_program(program: &Program, fails: impl Fn(&Program) -> bool) -> Program {
    let mut small = program.clone();
    'again: loop {
        for candidate in smaller(&small) {
            if fails(&candidate) {
                small = candidate;
                continue 'again;
            }
        }
        return small;
    }
}

fn smaller(program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    for node in 0..program.nodes.len() {
        if program.nodes[node].contract.is_some() {
            let mut copy = program.clone();
            copy.nodes[node].contract = None;
            all.push(copy);
        }
        for block in 0..program.nodes[node].blocks.len() {
            if let Block::Automaton { states, .. } = &program.nodes[node].blocks[block] {
                for state in 0..states.len() {
                    for strong in [true, false] {
                        let mut copy = program.clone();
                        if let Block::Automaton { states, .. } = &mut copy.nodes[node].blocks[block] {
                            let list =
                                if strong { &mut states[state].unless } else { &mut states[state].until };
                            if list.pop().is_some() {
                                all.push(copy);
                            }
                        }
                    }
                }
            }
        }
    }
    // Each expression, by its position in the order of visiting.
    let count = {
        let mut copy = program.clone();
        let mut count = 0;
        visit(&mut copy, &mut |_| count += 1);
        count
    };
    for position in 0..count {
        for choice in 0..6 {
            let mut copy = program.clone();
            let (mut at, mut changed) = (0, false);
            visit(&mut copy, &mut |expr| {
                if at == position && !changed {
                    changed = replace(expr, choice);
                }
                at += 1;
            });
            if changed && copy != *program {
                all.push(copy);
            }
        }
    }
    all
}

/// Puts a part, or a literal, in the place of an expression. Types are not looked at: what does not fit is refused, and then it is no candidate.
fn replace(expr: &mut Expr, choice: usize) -> bool {
    let parts: Vec<Expr> = match &*expr {
        Expr::Not(a) | Expr::BitNot(a) | Expr::Negate(a) => vec![(**a).clone()],
        Expr::Binary(_, a, b) | Expr::Fby(a, b) | Expr::Arrow(a, b) => vec![(**a).clone(), (**b).clone()],
        Expr::If(_, a, b) => vec![(**a).clone(), (**b).clone()],
        Expr::Restart(node, _, arguments) => vec![Expr::Call(*node, arguments.clone())],
        Expr::Activate { node, arguments, clock, default, reset } => {
            let mut parts = vec![(**default).clone(), Expr::Call(*node, arguments.clone())];
            if reset.is_some() {
                parts.push(Expr::Activate {
                    node: *node,
                    arguments: arguments.clone(),
                    clock: clock.clone(),
                    default: default.clone(),
                    reset: None,
                });
            }
            parts
        }
        Expr::Merge { otherwise, .. } => vec![(**otherwise).clone()],
        _ => Vec::new(),
    };
    let literals = [Expr::Bool(true), Expr::Number(false, 1), Expr::Number(true, 1)];
    let is_literal = matches!(expr, Expr::Bool(_) | Expr::Number(..) | Expr::Power(_));
    let new = match choice.checked_sub(3) {
        None => parts.get(choice).cloned(),
        Some(literal) => literals.get(literal).filter(|_| !is_literal).cloned(),
    };
    match new {
        Some(new) => {
            *expr = new;
            true
        }
        None => false,
    }
}

fn visit(program: &mut Program, change: &mut dyn FnMut(&mut Expr)) {
    for node in &mut program.nodes {
        for block in &mut node.blocks {
            match block {
                Block::Equation(_, value) | Block::Elements(_, value) => visit_expr(value, change),
                Block::Frame { condition, variables } => {
                    visit_expr(condition, change);
                    for (_, _, then, otherwise) in variables {
                        then.iter_mut().chain(otherwise).for_each(|value| visit_expr(value, change));
                    }
                }
                Block::Automaton { states, .. } => {
                    for state in states {
                        state.values.iter_mut().for_each(|value| visit_expr(value, change));
                        let transitions = state.unless.iter_mut().chain(&mut state.until);
                        transitions.for_each(|(condition, ..)| visit_expr(condition, change));
                    }
                }
            }
        }
        if let Some(contract) = &mut node.contract {
            let exprs = [
                &mut contract.assumption,
                &mut contract.guarantee,
                &mut contract.mode.0,
                &mut contract.mode.1,
            ];
            exprs.into_iter().for_each(|expr| visit_expr(expr, change));
        }
    }
}

fn visit_expr(expr: &mut Expr, change: &mut dyn FnMut(&mut Expr)) {
    change(expr);
    match expr {
        Expr::Not(a) | Expr::BitNot(a) | Expr::Negate(a) => visit_expr(a, change),
        Expr::Binary(_, a, b) | Expr::Fby(a, b) | Expr::Arrow(a, b) => {
            visit_expr(a, change);
            visit_expr(b, change);
        }
        Expr::If(a, b, c) => [a, b, c].into_iter().for_each(|a| visit_expr(a, change)),
        Expr::Call(_, arguments) => arguments.iter_mut().for_each(|a| visit_expr(a, change)),
        Expr::Restart(_, reset, arguments) => {
            visit_expr(reset, change);
            arguments.iter_mut().for_each(|a| visit_expr(a, change));
        }
        Expr::Activate { clock, reset, arguments, .. } => {
            visit_expr(clock, change);
            reset.iter_mut().for_each(|a| visit_expr(a, change));
            arguments.iter_mut().for_each(|a| visit_expr(a, change));
        }
        Expr::Merge { arguments, otherwise, .. } => {
            visit_expr(otherwise, change);
            arguments.iter_mut().for_each(|a| visit_expr(a, change));
        }
        _ => {}
    }
}
