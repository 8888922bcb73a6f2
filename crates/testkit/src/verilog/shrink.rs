//! Makes programs smaller that something is wrong with.

use super::{Expr, Item, Program, Shape, Stmt, Target};

impl Program {
    /// The smallest program that could be found with at most so many tries, of which something still holds that holds of this one.
    #[must_use]
    pub fn shrunk(&self, tries: usize, mut still: impl FnMut(&Program) -> bool) -> Program {
        let (mut best, mut left) = (self.clone(), tries);
        'again: loop {
            for smaller in best.reductions() {
                if left == 0 {
                    return best;
                }
                left -= 1;
                if still(&smaller) {
                    best = smaller;
                    continue 'again;
                }
            }
            return best;
        }
    }

    /// The same for who looks at many programs at a time: of each step's smaller programs it says the first of which it still holds.
    #[must_use]
    pub fn shrunk_together(
        &self,
        rounds: usize,
        mut first: impl FnMut(&[Program]) -> Option<usize>,
    ) -> Program {
        let mut best = self.clone();
        for _ in 0..rounds {
            let mut smaller = best.reductions();
            match first(&smaller) {
                Some(position) => best = smaller.swap_remove(position),
                None => break,
            }
        }
        best
    }

    /// Programs that are smaller by one step, the smallest first. Some of them may not be programs: what they read is gone.
    fn reductions(&self) -> Vec<Program> {
        let mut all = Vec::new();
        if self.outputs.len() > 1 {
            for position in 0..self.outputs.len() {
                all.push(Program { outputs: vec![self.outputs[position].clone()], ..self.clone() });
            }
        }
        // Items of a kind are numbered: only the last of each can go.
        for position in (0..self.items.len()).rev() {
            let kind = self.items[position].letter();
            if self.items[position + 1..].iter().all(|item| item.letter() != kind) {
                let mut smaller = self.clone();
                smaller.items.remove(position);
                all.push(smaller);
            }
        }
        self.edited(&mut all, |program, wanted, how| program.edit_body(wanted, how), 2);
        self.edited(&mut all, |program, wanted, how| program.edit_expr(wanted, how), 4);
        all
    }

    /// All programs that come of a kind of edit, in so many ways at each place.
    fn edited(
        &self,
        all: &mut Vec<Program>,
        edit: impl Fn(&mut Program, usize, usize) -> Option<bool>,
        ways: usize,
    ) {
        for place in 0.. {
            for way in 0..ways {
                let mut smaller = self.clone();
                match edit(&mut smaller, place, way) {
                    Some(true) => all.push(smaller),
                    Some(false) => {}
                    None => return,
                }
            }
        }
    }

    /// Takes a statement away, or leaves only what is in it; nothing if there is no such place.
    fn edit_body(&mut self, wanted: usize, how: usize) -> Option<bool> {
        let mut count = wanted;
        for item in &mut self.items {
            let body = match item {
                Item::Process(_, _, body)
                | Item::Register(_, _, _, body)
                | Item::Struct(_, body)
                | Item::Function(_, body) => body,
                _ => continue,
            };
            if let Some(done) = edit_statements(body, &mut count, how) {
                return Some(done);
            }
        }
        None
    }

    /// Replaces an expression by zero or one of its operands; nothing if there is no such place.
    fn edit_expr(&mut self, wanted: usize, how: usize) -> Option<bool> {
        let mut count = 0;
        let mut done = None;
        self.each_expr(&mut |expr| {
            if count == wanted {
                done = Some(simplify(expr, how));
            }
            count += 1;
        });
        done
    }

    fn each_expr(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        self.outputs.iter_mut().for_each(|output| walk(output, f));
        for item in &mut self.items {
            match item {
                Item::Net(_, value) => walk(value, f),
                Item::Process(_, value, body) | Item::Struct(value, body) => {
                    walk(value, f);
                    walk_all(body, f);
                }
                Item::Register(_, _, _, body) | Item::Function(_, body) => walk_all(body, f),
                Item::Memory(_, a, b, c) => [a, b, c].into_iter().for_each(|value| walk(value, f)),
                Item::Instance(_, a, b) => [a, b].into_iter().for_each(|value| walk(value, f)),
                Item::Form(_, values) => values.iter_mut().for_each(|value| walk(value, f)),
            }
        }
    }
}

fn edit_statements(body: &mut Vec<Stmt>, count: &mut usize, how: usize) -> Option<bool> {
    for position in 0..body.len() {
        if *count == 0 {
            let inner = match body[position].clone() {
                Stmt::If(_, then, otherwise) => [then, otherwise].concat(),
                Stmt::For(_, inner) => inner,
                Stmt::Case(_, _, items, default) => {
                    items.into_iter().flat_map(|(_, body)| body).chain(default).collect()
                }
                Stmt::Assign(..) => Vec::new(),
            };
            if how == 1 && inner.is_empty() {
                return Some(false);
            }
            body.splice(position..=position, if how == 0 { Vec::new() } else { inner });
            return Some(true);
        }
        *count -= 1;
        let done = match &mut body[position] {
            Stmt::Assign(..) => None,
            Stmt::For(_, inner) => edit_statements(inner, count, how),
            Stmt::If(_, then, otherwise) => {
                edit_statements(then, count, how).or_else(|| edit_statements(otherwise, count, how))
            }
            Stmt::Case(_, _, items, default) => {
                let items = items.iter_mut().map(|(_, body)| body).chain([default]);
                items.fold(None, |done, body| done.or_else(|| edit_statements(body, count, how)))
            }
        };
        if done.is_some() {
            return done;
        }
    }
    None
}

fn walk_all(body: &mut [Stmt], f: &mut dyn FnMut(&mut Expr)) {
    for stmt in body {
        match stmt {
            Stmt::Assign(target, value) => {
                if let Target::Part(place, ..) = target {
                    walk(place, f);
                }
                walk(value, f);
            }
            Stmt::If(condition, then, otherwise) => {
                walk(condition, f);
                walk_all(then, f);
                walk_all(otherwise, f);
            }
            Stmt::Case(_, subject, items, default) => {
                walk(subject, f);
                items.iter_mut().for_each(|(_, body)| walk_all(body, f));
                walk_all(default, f);
            }
            Stmt::For(_, body) => walk_all(body, f),
        }
    }
}

fn walk(expr: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    f(expr);
    operands(expr).into_iter().for_each(|operand| walk(operand, f));
}

fn operands(expr: &mut Expr) -> Vec<&mut Expr> {
    match expr {
        Expr::Literal(..) | Expr::Name(_) | Expr::Slice(..) => Vec::new(),
        Expr::Unary(_, a)
        | Expr::Replicate(_, a)
        | Expr::Part(_, a, ..)
        | Expr::Cast(_, a)
        | Expr::Inside(a, ..)
        | Expr::Wild(a, _)
        | Expr::Element(_, a, _) => {
            vec![a]
        }
        Expr::Binary(_, a, b) => vec![a, b],
        Expr::Choice(parts) => parts.iter_mut().collect(),
        Expr::Concat(parts) | Expr::Call(_, parts) => parts.iter_mut().collect(),
    }
}

/// Makes an expression zero, or one of its first operands; whether it is another one then.
fn simplify(expr: &mut Expr, how: usize) -> bool {
    let simpler = match how {
        0 if matches!(expr, Expr::Literal(..)) => None,
        0 => Some(Expr::Literal(Shape { width: 4, signed: false }, 0)),
        how => operands(expr).into_iter().nth(how - 1).map(|operand| operand.clone()),
    };
    match simpler {
        Some(simpler) => {
            *expr = simpler;
            true
        }
        None => false,
    }
}
