//! What a program does in a step: streams from their definition.
//!
//! A machine has a slot for each variable of each node instance, and memory: a cell for each `pre` of each instance, which holds what its operand was in
//! the last step in which the instance was active. Values are found on demand. `a -> b` is `a` as long as the instance has not yet been active before.
//!
//! An instance under `condact` is active when its clock is true. In other steps its variables have the values that they would have if it were active (so it is in
//! JKind, where they can be seen), but its memory stays as it is; its outputs keep their values, which before the first activation are the defaults of the
//! very first step.
//!
//! `pre e` in the first step is any value. As `pre` distributes over operators in JKind, the choice is made for the variables of `e`, and constants stay what they are. JKind does
//! not distribute it where `e` has `pre` or `->`: there must be no unguarded `pre` of these.

use super::syntax::{Binary, Program, Type, Unary};
use super::value::{Datum, binary, unary};
use rustc_hash::FxHashMap;

/// An expression in an instance.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    Value(Datum),
    Slot(usize),
    Unary(Unary, Box<Term>),
    Binary(Binary, Box<Term>, Box<Term>),
    If(Box<Term>, Box<Term>, Box<Term>),
    /// In an activity: the first until it has been active, then the second.
    Arrow(usize, Box<Term>, Box<Term>),
    /// A cell.
    Pre(usize),
    /// A part at a fixed place, and the whole with another part there.
    Part(Box<Term>, usize),
    PartUpdate(Box<Term>, usize, Box<Term>),
    /// A part at a computed place: the last one when there is none; nothing is written when there is none.
    Element(Box<Term>, Box<Term>),
    ElementUpdate(Box<Term>, Box<Term>, Box<Term>),
    Parts(Vec<Term>),
}

/// A variable of an instance.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// The name that JKind gives it; `None` for tuples that are taken apart.
    pub(super) name: Option<String>,
    pub(super) of: Type,
    pub(super) rule: Rule,
}

/// Where the value of a slot comes from.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    /// The input at a position.
    Input(usize),
    Term(Term),
    /// Whether an activity has not yet been active before this step.
    Fresh(usize),
    /// The output of a condact: the slots of clock, output and default, and where it is held.
    Held {
        clock: usize,
        output: usize,
        default: usize,
        at: usize,
    },
}

/// What `pre` remembers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) activity: usize,
    pub(super) operand: Term,
}

/// A program with all its instances.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    pub(super) slots: Vec<Slot>,
    pub(super) cells: Vec<Cell>,
    /// For each activity the slot of its clock; the first is that of the main node, which has none.
    pub(super) clocks: Vec<Option<usize>>,
    pub(super) held: usize,
    pub(super) assertions: Vec<Term>,
    pub(super) properties: Vec<(String, usize)>,
}

/// What a machine knows between two steps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Memory {
    cells: Vec<Option<Datum>>,
    active_before: Vec<bool>,
    held: Vec<Option<Datum>>,
}

/// Gives a value to what is not determined: `pre x` in the first step, by the name of the scalar (`pre x`) and its type.
pub type Choose<'c> = dyn FnMut(&str, &Type) -> Datum + 'c;

/// One step of a machine.
pub struct Instant<'m, 'c> {
    machine: &'m Machine,
    program: &'m Program,
    memory: &'m Memory,
    inputs: &'m [Datum],
    choose: &'c mut Choose<'c>,
    chosen: FxHashMap<String, Datum>,
    values: Vec<Progress>,
}

#[derive(Clone)]
enum Progress {
    Open,
    Started,
    Known(Datum),
}

impl Machine {
    /// Before the first step.
    pub fn start(&self) -> Memory {
        Memory {
            cells: vec![None; self.cells.len()],
            active_before: vec![false; self.clocks.len()],
            held: vec![None; self.held],
        }
    }

    /// A step from a memory, with a value for each input of the main node.
    pub fn step<'m, 'c>(
        &'m self,
        program: &'m Program,
        memory: &'m Memory,
        inputs: &'m [Datum],
        choose: &'c mut Choose<'c>,
    ) -> Instant<'m, 'c> {
        let values = vec![Progress::Open; self.slots.len()];
        Instant { machine: self, program, memory, inputs, choose, chosen: FxHashMap::default(), values }
    }

    /// The names of the properties.
    pub fn properties(&self) -> impl Iterator<Item = &str> {
        self.properties.iter().map(|(name, _)| name.as_str())
    }

    /// How many assertions restrict each step.
    pub fn assertion_count(&self) -> usize {
        self.assertions.len()
    }
}

impl Instant<'_, '_> {
    /// The value of the assertion at a position.
    pub fn assertion(&mut self, index: usize) -> bool {
        let machine = self.machine;
        self.term(&machine.assertions[index]).truth()
    }

    /// Whether all assertions hold.
    pub fn allowed(&mut self) -> bool {
        (0..self.machine.assertions.len()).all(|index| self.assertion(index))
    }

    /// The value of the property at a position.
    pub fn property(&mut self, index: usize) -> bool {
        self.slot(self.machine.properties[index].1).truth()
    }

    /// Names and values of all scalars of all instances.
    pub fn scalars(&mut self) -> Vec<(String, Datum)> {
        let machine = self.machine;
        let mut all = Vec::new();
        for (index, slot) in machine.slots.iter().enumerate() {
            let Some(name) = &slot.name else { continue };
            let value = self.slot(index);
            let names = self.program.scalars(name, &slot.of);
            all.extend(names.into_iter().map(|(name, _)| name).zip(value.scalars().into_iter().cloned()));
        }
        all
    }

    /// What is remembered for the step that follows.
    pub fn memory(&mut self) -> Memory {
        let machine = self.machine;
        let active = |clock: &Option<usize>| clock.is_none_or(|clock| self.slot(clock).truth());
        let active: Vec<bool> = machine.clocks.iter().map(active).collect();
        let mut memory = self.memory.clone();
        for (index, cell) in machine.cells.iter().enumerate() {
            if active[cell.activity] {
                memory.cells[index] = Some(self.term(&cell.operand));
            }
        }
        for (before, now) in memory.active_before.iter_mut().zip(active) {
            *before |= now;
        }
        for (index, slot) in machine.slots.iter().enumerate() {
            if let Rule::Held { at, .. } = slot.rule {
                memory.held[at] = Some(self.slot(index));
            }
        }
        memory
    }

    fn slot(&mut self, index: usize) -> Datum {
        match std::mem::replace(&mut self.values[index], Progress::Started) {
            Progress::Known(value) => {
                self.values[index] = Progress::Known(value.clone());
                return value;
            }
            Progress::Started => panic!("{:?} depends on itself", self.machine.slots[index].name),
            Progress::Open => {}
        }
        let machine = self.machine;
        let value = match &machine.slots[index].rule {
            Rule::Input(position) => self.inputs[*position].clone(),
            Rule::Term(term) => self.term(term),
            Rule::Fresh(activity) => Datum::Bool(!self.memory.active_before[*activity]),
            Rule::Held { clock, output, default, at } => {
                if self.slot(*clock).truth() {
                    self.slot(*output)
                } else {
                    match &self.memory.held[*at] {
                        Some(value) => value.clone(),
                        None => self.slot(*default),
                    }
                }
            }
        };
        self.values[index] = Progress::Known(value.clone());
        value
    }

    fn term(&mut self, term: &Term) -> Datum {
        match term {
            Term::Slot(slot) => self.slot(*slot),
            Term::Arrow(activity, a, b) => {
                let later = self.memory.active_before[*activity];
                self.term(if later { b } else { a })
            }
            Term::Pre(cell) => {
                let machine = self.machine;
                match &self.memory.cells[*cell] {
                    Some(value) => value.clone(),
                    None => self.before(&machine.cells[*cell].operand),
                }
            }
            _ => self.operator(term, false),
        }
    }

    /// The value before the first step.
    fn before(&mut self, term: &Term) -> Datum {
        match term {
            Term::Slot(slot) => {
                let machine = self.machine;
                let slot = &machine.slots[*slot];
                let name = slot.name.as_deref().unwrap_or("a tuple");
                self.choice(&format!("pre {name}"), &slot.of)
            }
            Term::Pre(_) | Term::Arrow(..) => {
                panic!("an unguarded pre of pre or -> is free, but not by the choice of variables")
            }
            _ => self.operator(term, true),
        }
    }

    /// In the current step, or before the first.
    fn at(&mut self, term: &Term, before: bool) -> Datum {
        if before { self.before(term) } else { self.term(term) }
    }

    fn operator(&mut self, term: &Term, before: bool) -> Datum {
        match term {
            Term::Value(value) => value.clone(),
            Term::Unary(op, a) => unary(*op, &self.at(a, before)),
            Term::Binary(op, a, b) => {
                let (a, b) = (self.at(a, before), self.at(b, before));
                binary(*op, &a, &b)
            }
            Term::If(condition, a, b) => {
                let chosen = if self.at(condition, before).truth() { a } else { b };
                self.at(chosen, before)
            }
            Term::Part(whole, place) => self.at(whole, before).parts()[*place].clone(),
            Term::PartUpdate(whole, place, value) => {
                let mut parts = self.at(whole, before).parts().to_vec();
                parts[*place] = self.at(value, before);
                Datum::Parts(parts)
            }
            Term::Element(whole, index) => {
                let (whole, index) = (self.at(whole, before), self.at(index, before));
                let parts = whole.parts();
                let place = usize::try_from(index.int()).unwrap_or(usize::MAX).min(parts.len() - 1);
                parts[place].clone()
            }
            Term::ElementUpdate(whole, index, value) => {
                let mut parts = self.at(whole, before).parts().to_vec();
                let place = usize::try_from(self.at(index, before).int()).unwrap_or(usize::MAX);
                if let Some(part) = parts.get_mut(place) {
                    *part = self.at(value, before);
                }
                Datum::Parts(parts)
            }
            Term::Parts(parts) => Datum::Parts(parts.iter().map(|part| self.at(part, before)).collect()),
            Term::Slot(_) | Term::Arrow(..) | Term::Pre(_) => panic!("{term:?} is no operator"),
        }
    }

    /// One value for each scalar, the same wherever it is read in this step.
    fn choice(&mut self, name: &str, of: &Type) -> Datum {
        match of {
            Type::Record(_) | Type::Array(..) | Type::Tuple(_) => {
                let parts: Vec<(String, Type)> = match of {
                    Type::Record(record) => {
                        let fields = self.program.records[*record].fields.iter();
                        fields.map(|(field, of)| (format!("{name}.{field}"), of.clone())).collect()
                    }
                    Type::Array(element, size) => {
                        (0..*size).map(|index| (format!("{name}[{index}]"), (**element).clone())).collect()
                    }
                    _ => panic!("a tuple has no name"),
                };
                Datum::Parts(parts.iter().map(|(name, of)| self.choice(name, of)).collect())
            }
            scalar => {
                if let Some(value) = self.chosen.get(name) {
                    return value.clone();
                }
                let value = (self.choose)(name, scalar);
                self.chosen.insert(name.to_owned(), value.clone());
                value
            }
        }
    }
}
