//! The contents of an AIGER file, nothing added and nothing lost but the encoding.

use std::ops::Not;

/// A variable or its negation, as `2 * variable + negated`; variable 0 is the constant false.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal(pub u32);

impl Literal {
    /// The constant false.
    pub const FALSE: Literal = Literal(0);
    /// The constant true.
    pub const TRUE: Literal = Literal(1);

    /// The variable itself. There are less than 2^31 variables.
    pub fn positive(variable: u32) -> Literal {
        Literal(variable << 1)
    }

    /// The variable.
    pub fn variable(self) -> u32 {
        self.0 >> 1
    }

    /// Whether this is the negation of its variable.
    pub fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }
}

impl Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// An and-inverter graph with its properties.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// The greatest variable that may be used.
    pub max_variable: u32,
    /// The inputs.
    pub inputs: Vec<Literal>,
    /// The latches.
    pub latches: Vec<Latch>,
    /// The outputs. In a file without bad states and justice properties they are the bad states.
    pub outputs: Vec<Literal>,
    /// What must never hold.
    pub bads: Vec<Literal>,
    /// What may be assumed to hold always.
    pub constraints: Vec<Literal>,
    /// Sets of literals that must not all hold infinitely often.
    pub justice: Vec<Vec<Literal>>,
    /// What may be assumed to hold infinitely often.
    pub fairness: Vec<Literal>,
    /// The gates. In a text file they may come in any order.
    pub ands: Vec<And>,
    /// The names, in the order of the file.
    pub symbols: Vec<Symbol>,
    /// Everything after the line `c`, if there is one.
    pub comment: Option<Vec<u8>>,
}

/// A latch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latch {
    /// Its current value, a positive literal.
    pub current: Literal,
    /// Its next value.
    pub next: Literal,
    /// Its first value.
    pub reset: Reset,
}

/// The first value of a latch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reset {
    /// Zero, which AIGER 1.0 has for all latches.
    #[default]
    Zero,
    /// One.
    One,
    /// Any value.
    Open,
}

/// A gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct And {
    /// The literal defined, a positive one.
    pub output: Literal,
    /// The first operand.
    pub left: Literal,
    /// The second operand.
    pub right: Literal,
}

/// A name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// What is named.
    pub kind: SymbolKind,
    /// Its position among those of its kind.
    pub position: u32,
    /// The name.
    pub name: String,
}

/// What a symbol may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// An input.
    Input,
    /// A latch.
    Latch,
    /// An output.
    Output,
    /// A bad state.
    Bad,
    /// A constraint.
    Constraint,
    /// A justice property.
    Justice,
    /// A fairness constraint.
    Fairness,
}

impl SymbolKind {
    /// All kinds.
    pub const ALL: [SymbolKind; 7] = [
        SymbolKind::Input,
        SymbolKind::Latch,
        SymbolKind::Output,
        SymbolKind::Bad,
        SymbolKind::Constraint,
        SymbolKind::Justice,
        SymbolKind::Fairness,
    ];

    /// The letter that begins the symbol's line.
    pub fn letter(self) -> char {
        match self {
            SymbolKind::Input => 'i',
            SymbolKind::Latch => 'l',
            SymbolKind::Output => 'o',
            SymbolKind::Bad => 'b',
            SymbolKind::Constraint => 'c',
            SymbolKind::Justice => 'j',
            SymbolKind::Fairness => 'f',
        }
    }

    /// What it names, in words.
    pub fn noun(self) -> &'static str {
        match self {
            SymbolKind::Input => "input",
            SymbolKind::Latch => "latch",
            SymbolKind::Output => "output",
            SymbolKind::Bad => "bad state",
            SymbolKind::Constraint => "constraint",
            SymbolKind::Justice => "justice property",
            SymbolKind::Fairness => "fairness constraint",
        }
    }
}

impl Model {
    /// Whether the outputs are the bad states, as in AIGER 1.0.
    pub fn outputs_are_bad(&self) -> bool {
        self.bads.is_empty() && self.justice.is_empty()
    }

    /// The bad states, wherever the file has them. Position `k` is what witnesses call `b<k>`.
    pub fn bad_states(&self) -> &[Literal] {
        if self.outputs_are_bad() { &self.outputs } else { &self.bads }
    }

    /// How many things of a kind there are.
    pub fn count(&self, kind: SymbolKind) -> usize {
        match kind {
            SymbolKind::Input => self.inputs.len(),
            SymbolKind::Latch => self.latches.len(),
            SymbolKind::Output => self.outputs.len(),
            SymbolKind::Bad => self.bads.len(),
            SymbolKind::Constraint => self.constraints.len(),
            SymbolKind::Justice => self.justice.len(),
            SymbolKind::Fairness => self.fairness.len(),
        }
    }

    /// The names of all things of a kind, by position; `None` for what has none.
    pub fn names(&self, kind: SymbolKind) -> Vec<Option<&str>> {
        let mut names = vec![None; self.count(kind)];
        for symbol in self.symbols.iter().filter(|symbol| symbol.kind == kind) {
            if let Some(name) = names.get_mut(symbol.position as usize) {
                *name = Some(symbol.name.as_str());
            }
        }
        names
    }

    /// Whether variables are numbered as the binary encoding requires: inputs, latches, gates, each gate after its
    /// operands, the first operand not less than the second.
    pub fn is_consecutive(&self) -> bool {
        let definitions = self
            .inputs
            .iter()
            .copied()
            .chain(self.latches.iter().map(|latch| latch.current))
            .chain(self.ands.iter().map(|and| and.output));
        let count = self.inputs.len() + self.latches.len() + self.ands.len();
        self.max_variable as usize == count
            && definitions.zip(1..).all(|(literal, variable)| literal == Literal::positive(variable))
            && self.ands.iter().all(|and| and.output > and.left && and.left >= and.right)
    }
}
