//! Makes programs.

use super::{Dialect, Edge, Expr, Form, Item, Program, Shape, Stmt, Target};
use crate::Random;

/// The program with this seed, in the plain dialect.
pub fn random_program(seed: u64) -> Program {
    random_program_in(Dialect::Plain, seed)
}

/// The program with this seed.
pub fn random_program_in(dialect: Dialect, seed: u64) -> Program {
    let random = Random::new(seed);
    let mut maker = Maker { dialect, random, names: Vec::new(), functions: 0, registers: Vec::new() };
    maker.program()
}

struct Maker {
    dialect: Dialect,
    random: Random,
    /// What may be read, with widths.
    names: Vec<(String, u32)>,
    functions: usize,
    registers: Vec<Shape>,
}

const BINARY: &[&str] = &[
    "+", "-", "*", "&", "|", "^", "~^", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "<<", ">>", "<<<",
    ">>>", "/", "%",
];
const UNARY: &[&str] = &["~", "-", "!", "&", "|", "^", "~&", "~|", "~^", "+"];

impl Maker {
    fn shape(&mut self) -> Shape {
        let width = *self.random.pick(&[1, 2, 3, 4, 5, 7, 8, 8, 11, 12]);
        Shape { width, signed: width > 1 && self.random.percent(35) }
    }

    fn program(&mut self) -> Program {
        let inputs: Vec<Shape> = (0..self.random.between(2, 4)).map(|_| self.shape()).collect();
        for (position, shape) in inputs.iter().enumerate() {
            self.names.push((format!("i{position}"), shape.width));
        }
        // Registers may be read before they are written.
        let registers = self.random.between(0, 3);
        for position in 0..registers {
            let shape = self.shape();
            self.names.push((format!("r{position}"), shape.width));
            self.registers.push(shape);
        }
        let mut items = Vec::new();
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..self.random.between(2, 7) {
            let (letter, width, item) = self.item();
            let count: &mut usize = counts.entry(letter).or_default();
            match letter {
                'm' => self.names.push((format!("m{count}[3"), width)),
                _ if matches!(item, Item::Form(..)) => self.names.extend(form_names(letter, *count)),
                'f' => self.functions += 1,
                's' => {
                    let fields = [("", 0), (".a", 4), (".b", 4), (".c", 1)];
                    self.names.extend(fields.map(|(field, width)| (format!("s{count}{field}"), width)));
                }
                letter => self.names.push((format!("{letter}{count}"), width)),
            }
            *count += 1;
            items.push(item);
        }
        for shape in self.registers.clone() {
            let value = self.random.next() & mask(shape.width - u32::from(shape.signed));
            let body = self.body(shape.width, 3, true);
            let mut edge = Edge { second: false, falling: false };
            if self.dialect == Dialect::Clocks {
                edge = Edge { second: self.random.percent(40), falling: self.random.percent(40) };
            }
            items.push(Item::Register(shape, value, edge, body));
        }
        let outputs = (0..self.random.between(2, 4)).map(|_| self.expr(2)).collect();
        Program { dialect: self.dialect, inputs, outputs, items }
    }

    fn item(&mut self) -> (char, u32, Item) {
        if self.dialect != Dialect::Plain && self.random.percent(60) {
            let forms = &Form::ALL[usize::from(self.dialect == Dialect::Clocks) * 2..];
            let form = *self.random.pick(forms);
            let values = (0..form.values()).map(|_| self.expr(2)).collect();
            return (form.letter(), 0, Item::Form(form, values));
        }
        let shape = self.shape();
        match self.random.below(10) {
            0..=2 => ('w', shape.width, Item::Net(shape, self.expr(4))),
            3..=5 => {
                let first = self.expr(2);
                ('c', shape.width, Item::Process(shape, first, self.body(shape.width, 3, false)))
            }
            6 => {
                let (when, place, value) = (self.expr(2), self.expr(2), self.expr(3));
                ('m', shape.width, Item::Memory(shape, when, place, value))
            }
            7 => {
                let first = self.expr(3);
                let field = |maker: &mut Maker| {
                    let field = *maker.random.pick(&["a", "b", "c"]);
                    Stmt::Assign(Target::Field(field), maker.expr(2))
                };
                let mut body = vec![field(self)];
                if self.random.percent(50) {
                    body = vec![Stmt::If(self.expr(2), body, vec![field(self)])];
                }
                ('s', 9, Item::Struct(first, body))
            }
            8 => {
                let outer =
                    std::mem::replace(&mut self.names, vec![("x".to_owned(), 8), ("y".to_owned(), 6)]);
                let mut body = vec![Stmt::Assign(Target::Whole, self.expr(3))];
                body.extend(self.body(shape.width, 2, false));
                self.names = outer;
                ('f', 0, Item::Function(shape, body))
            }
            _ => ('u', 6, Item::Instance(self.random.next() & 63, self.expr(2), self.expr(2))),
        }
    }

    /// Statements that assign a variable of so many bits.
    fn body(&mut self, width: u32, depth: u32, clocked: bool) -> Vec<Stmt> {
        (0..self.random.between(1, 2)).map(|_| self.stmt(width, depth, clocked)).collect()
    }

    fn stmt(&mut self, width: u32, depth: u32, clocked: bool) -> Stmt {
        // One loop in another would need another counter.
        let is_in_loop = self.names.iter().any(|(name, _)| name == "k");
        let kinds = if is_in_loop { 8 } else { 9 };
        match self.random.below(if depth == 0 { 4 } else { kinds }) {
            4 | 5 => {
                let condition = self.expr(2);
                let then = self.body(width, depth - 1, clocked);
                let otherwise =
                    if self.random.percent(50) { self.body(width, depth - 1, clocked) } else { Vec::new() };
                Stmt::If(condition, then, otherwise)
            }
            6 | 7 => {
                let word = *self.random.pick(&["case", "casez", "unique case"]);
                let subject = self.expr(2);
                let count = self.random.between(1, 3);
                let items = (0..count).map(|item| {
                    let digits = match (word, self.random.below(3)) {
                        ("casez", 0) => format!("{:02b}?", item),
                        ("casez", 1) => format!("?{:02b}", item),
                        _ => format!("{:03b}", item * 2 + 1),
                    };
                    (digits, self.body(width, depth - 1, clocked))
                });
                let items = items.collect();
                Stmt::Case(word, subject, items, self.body(width, depth - 1, clocked))
            }
            8 => {
                let rounds = self.random.between(1, 4) as u32;
                self.names.push(("k".to_owned(), 0));
                let body = self.body(width, depth - 1, clocked);
                self.names.retain(|(name, _)| name != "k");
                Stmt::For(rounds, body)
            }
            _ => {
                let target = self.target(width);
                Stmt::Assign(target, self.expr(3))
            }
        }
    }

    fn target(&mut self, width: u32) -> Target {
        if width < 4 || self.random.percent(60) {
            return Target::Whole;
        }
        if self.random.percent(50) {
            let low = self.random.below(width as usize - 1) as u32;
            let high = self.random.between(low as usize, width as usize - 1) as u32;
            return Target::Bits(high, low);
        }
        // With two bits of place and two of value all of them exist from a width of five on.
        let bits = if width >= 5 { 2 } else { 1 };
        Target::Part(Box::new(self.expr(1)), bits, 2)
    }

    fn literal(&mut self) -> Expr {
        let shape = self.shape();
        Expr::Literal(shape, self.random.next() & mask(shape.width - u32::from(shape.signed)))
    }

    fn name(&mut self) -> Expr {
        let (name, _) = self.random.pick(&self.names).clone();
        match name.rsplit_once('[') {
            Some((array, bits)) if is_array(&name) => {
                Expr::Element(array.to_owned(), Box::new(self.leaf()), bits.parse().unwrap_or(1))
            }
            _ => Expr::Name(name),
        }
    }

    fn leaf(&mut self) -> Expr {
        let plain: Vec<(String, u32)> =
            self.names.iter().filter(|(name, _)| !is_array(name)).cloned().collect();
        if plain.is_empty() || self.random.percent(25) {
            return self.literal();
        }
        Expr::Name(self.random.pick(&plain).0.clone())
    }

    fn expr(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.random.percent(15) {
            return if self.random.percent(75) { self.name() } else { self.literal() };
        }
        let more = |maker: &mut Maker| Box::new(maker.expr(depth - 1));
        let wide = self.dialect != Dialect::Plain;
        match self.random.below(if wide { 24 } else { 20 }) {
            20 => {
                let numbers = (0..self.random.between(1, 2)).map(|_| self.random.next() & 7).collect();
                Expr::Inside(more(self), numbers, self.random.next() & 3)
            }
            21 => {
                let digit = |maker: &mut Maker| *maker.random.pick(&['0', '1', '?']);
                let digits = (0..3).map(|_| digit(self)).collect();
                Expr::Wild(more(self), digits)
            }
            22 => {
                let names = ["$countones", "$onehot", "$onehot0", "$clog2"];
                Expr::Call((*self.random.pick(&names)).to_owned(), vec![Expr::Cast(6, more(self))])
            }
            23 => {
                let names = ["signed'", "unsigned'", "byte'", "int'", "shortint'"];
                Expr::Call((*self.random.pick(&names)).to_owned(), vec![*more(self)])
            }
            0..=8 => {
                let op = *self.random.pick(BINARY);
                Expr::Binary(op, more(self), more(self))
            }
            9 | 10 => Expr::Unary(UNARY[self.random.below(UNARY.len())], more(self)),
            11 | 12 => Expr::Choice(Box::new([(); 3].map(|()| *more(self)))),
            13 => Expr::Concat((0..self.random.between(1, 3)).map(|_| self.expr(depth - 1)).collect()),
            14 => Expr::Replicate(self.random.between(1, 3) as u32, more(self)),
            15 | 16 => self.selected(),
            17 => Expr::Call((*self.random.pick(&["$signed", "$unsigned"])).to_owned(), vec![*more(self)]),
            18 => Expr::Cast(self.random.between(1, 9) as u32, more(self)),
            _ if self.functions > 0 => {
                let function = self.random.below(self.functions);
                Expr::Call(format!("f{function}"), vec![*more(self), *more(self)])
            }
            _ => self.name(),
        }
    }

    fn selected(&mut self) -> Expr {
        let wide: Vec<(String, u32)> =
            self.names.iter().filter(|(name, width)| *width >= 5 && !is_array(name)).cloned().collect();
        let Some((name, width)) = (!wide.is_empty()).then(|| self.random.pick(&wide).clone()) else {
            return self.name();
        };
        if self.random.percent(50) {
            let low = self.random.below(width as usize) as u32;
            return Expr::Slice(name, self.random.between(low as usize, width as usize - 1) as u32, low);
        }
        Expr::Part(name, Box::new(self.expr(1)), 2, 2)
    }
}

/// Whether a name is that of an array, from which an element has to be chosen: `m0[3`, with the width of a place.
fn is_array(name: &str) -> bool {
    name.matches('[').count() > name.matches(']').count()
}

/// What may be read of a form, with widths; 0 for what no bits are selected of.
fn form_names(letter: char, n: usize) -> Vec<(String, u32)> {
    let parts: &[(&str, u32)] = match letter {
        'n' => &[(".w", 8), (".p.a", 4), (".p.b", 0), (".v[1", 4)],
        'v' => &[("", 0), ("[2", 3), ("[3]", 0)],
        'a' => &[("[2", 5), ("[1]", 5)],
        't' => &[(".a", 4), (".b", 6), ("c[1", 3)],
        'k' => &[("", 6), ("z", 5)],
        'd' => &[("", 12), ("i", 12)],
        'b' | 'e' => &[("", 0)],
        'q' => &[("[1][2", 4), ("[0][3]", 4)],
        'j' => &[("", 8), ("a", 5)],
        'l' | 'g' | 'h' => &[("", 8)],
        _ => &[("", 6)],
    };
    parts.iter().map(|(part, width)| (format!("{letter}{n}{part}"), *width)).collect()
}

pub(super) fn mask(width: u32) -> u64 {
    (1 << width) - 1
}
