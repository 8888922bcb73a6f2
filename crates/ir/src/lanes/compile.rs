//! Compiles a system into a straight line of conjunctions.
//!
//! Gates are shared structurally, with one exception: the bits of a wire that is an element have slots of their own, for a
//! fault at one of two equal definitions must not be seen at the other.

use super::LanesError;
use crate::words::{self, BitAlgebra, Unsupported, Word};
use crate::{
    ConstraintId, ConstraintKind, Definition, Edits, ExprId, Node, PropertyId, SignalId, SignalKind, Site,
    Sort, System,
};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A slot or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Literal(u32);

impl Literal {
    /// Slot 0 is always false.
    const FALSE: Literal = Literal(0);
    const TRUE: Literal = Literal(1);

    pub(super) fn positive(slot: usize) -> Literal {
        Literal((slot as u32) << 1)
    }

    pub(super) fn slot(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// All ones for a negation.
    pub(super) fn mask(self) -> u64 {
        u64::from(self.0 & 1).wrapping_neg()
    }
}

/// A conjunction; the slot of its result follows from its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    pub(super) a: Literal,
    pub(super) b: Literal,
}

/// Where a fault takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// After that many gates.
    Wire {
        position: usize,
    },
    Next(SignalId),
    Init(SignalId),
    Constraint(ConstraintId),
}

/// The next value of a state.
#[derive(Clone, Debug)]
pub(super) struct NextValue {
    pub(super) successor: Range<usize>,
    pub(super) value: Vec<Literal>,
}

/// The initial value of a state.
#[derive(Clone, Debug)]
pub(super) struct InitValue {
    pub(super) signal: SignalId,
    pub(super) state: Range<usize>,
    pub(super) value: Vec<Literal>,
}

/// A compiled system. Slots are, in this order: false, leaves, successors of states, gates.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// The slots of inputs, states and freed wires, by signal; empty for others.
    pub(super) leaves: Vec<Range<usize>>,
    /// The slots of each state's next value, by signal; empty for others.
    pub(super) successors: Vec<Range<usize>>,
    pub(super) first_gate: usize,
    pub(super) gates: Vec<Gate>,
    /// The gates of a single step; the others are those of constraints on transitions.
    pub(super) step_gates: usize,
    pub(super) signals: Vec<(Sort, Word<Literal>)>,
    pub(super) next: Vec<NextValue>,
    pub(super) init: Vec<InitValue>,
    pub(super) properties: Vec<Option<Literal>>,
    pub(super) always: Vec<(ConstraintId, Literal)>,
    pub(super) initial: Vec<(ConstraintId, Literal)>,
    pub(super) transition: Vec<(ConstraintId, Literal)>,
    pub(super) meaningful: Literal,
    /// What a fault at each element changes; `None` where nothing is defined.
    pub(super) elements: Vec<Option<(Place, Sort, Word<Literal>)>>,
}

impl Program {
    pub(super) fn slot_count(&self) -> usize {
        self.first_gate + self.gates.len()
    }
}

/// Gates so far, structurally hashed.
struct Gates {
    first: usize,
    gates: Vec<Gate>,
    index: FxHashMap<(Literal, Literal), Literal>,
}

impl Gates {
    fn push(&mut self, a: Literal, b: Literal) -> Literal {
        self.gates.push(Gate { a, b });
        Literal::positive(self.first + self.gates.len() - 1)
    }
}

impl BitAlgebra for Gates {
    type Bit = Literal;

    fn constant(&mut self, value: bool) -> Literal {
        if value { Literal::TRUE } else { Literal::FALSE }
    }

    fn not(&mut self, a: &Literal) -> Literal {
        Literal(a.0 ^ 1)
    }

    fn and(&mut self, a: &Literal, b: &Literal) -> Literal {
        let (a, b) = (*a.min(b), *a.max(b));
        if a == Literal::FALSE || a.0 ^ 1 == b.0 {
            return Literal::FALSE;
        }
        if a == Literal::TRUE || a == b {
            return b;
        }
        if let Some(known) = self.index.get(&(a, b)) {
            return *known;
        }
        let gate = self.push(a, b);
        self.index.insert((a, b), gate);
        gate
    }

    fn known(&self, bit: &Literal) -> Option<bool> {
        (bit.slot() == 0).then(|| *bit == Literal::TRUE)
    }
}

struct Compiler<'s> {
    system: &'s System,
    edits: &'s Edits,
    gates: Gates,
    memo: Vec<Option<Word<Literal>>>,
    /// By signal; `None` before a wire's definition is compiled.
    signals: Vec<Option<Word<Literal>>>,
    /// By signal: the successors of states.
    next: Vec<Option<Word<Literal>>>,
}

pub(super) fn compile(system: &System, edits: &Edits) -> Result<Program, LanesError> {
    let order = system.wire_order_under(edits)?;
    let mut slots = 1;
    let mut allocate = |signal: &crate::Signal| -> Result<(Range<usize>, Word<Literal>), Unsupported> {
        let start = slots;
        let word = Word::build(&signal.sort, || {
            slots += 1;
            Literal::positive(slots - 1)
        })?;
        Ok((start..slots, word))
    };
    let count = system.signals().len();
    let (mut leaves, mut successors) = (vec![0..0; count], vec![0..0; count]);
    let (mut signals, mut next) = (vec![None; count], vec![None; count]);
    let mut leaf_signals = Vec::new();
    for (index, signal) in system.signals().iter().enumerate() {
        let id = SignalId(index as u32);
        let is_leaf = match signal.kind {
            SignalKind::Wire { .. } => system.definition(edits, Site::Wire(id)) == Definition::Open,
            _ => true,
        };
        if is_leaf {
            let (range, word) = allocate(signal)?;
            (leaves[index], signals[index]) = (range, Some(word));
            leaf_signals.push(index);
        }
    }
    for (state, signal) in system.states().iter().map(|state| (state.0 as usize, system.signal(*state))) {
        let (range, word) = allocate(signal)?;
        (successors[state], next[state]) = (range, Some(word));
    }
    let gates = Gates { first: slots, gates: Vec::new(), index: FxHashMap::default() };
    let memo = vec![None; system.exprs.len()];
    let mut compiler = Compiler { system, edits, gates, memo, signals, next };

    let mut elements = vec![None; system.elements().len()];
    for wire in order {
        let site = Site::Wire(wire);
        let word = match system.element_at(site) {
            Some(element) => {
                let word = compiler.own_definition(site)?;
                let place = Place::Wire { position: compiler.gates.gates.len() };
                elements[element.0 as usize] = Some((place, system.signal(wire).sort.clone(), word.clone()));
                word
            }
            None => compiler.definition(site)?.ok_or(Unsupported::Leaf)?,
        };
        compiler.signals[wire.0 as usize] = Some(word);
    }

    let (mut next_values, mut init_values) = (Vec::new(), Vec::new());
    for &state in system.states() {
        let sort = &system.signal(state).sort;
        let mut note = |site: Site, place: Place, word: &Word<Literal>| {
            if let Some(element) = system.element_at(site) {
                elements[element.0 as usize] = Some((place, sort.clone(), word.clone()));
            }
        };
        if let Some(word) = compiler.definition(Site::Next(state))? {
            note(Site::Next(state), Place::Next(state), &word);
            let successor = successors[state.0 as usize].clone();
            next_values.push(NextValue { successor, value: word.flat() });
        }
        if let Some(word) = compiler.definition(Site::Init(state))? {
            note(Site::Init(state), Place::Init(state), &word);
            let leaf = leaves[state.0 as usize].clone();
            init_values.push(InitValue { signal: state, state: leaf, value: word.flat() });
        }
    }

    let mut properties = Vec::with_capacity(system.properties().len());
    for property in 0..system.properties().len() as u32 {
        properties.push(match system.invariant(PropertyId(property)) {
            Some(expr) => Some(*compiler.expr(expr)?.bit()?),
            None => None,
        });
    }
    let mut constraints = |compiler: &mut Compiler<'_>, kind: ConstraintKind| -> Result<_, LanesError> {
        let mut compiled = Vec::new();
        for (index, constraint) in system.constraints().iter().enumerate() {
            let id = ConstraintId(index as u32);
            if constraint.kind != kind {
                continue;
            }
            if let Some(word) = compiler.definition(Site::Constraint(id))? {
                compiled.push((id, *word.bit()?));
                if let Some(element) = system.element_at(Site::Constraint(id)) {
                    elements[element.0 as usize] = Some((Place::Constraint(id), Sort::BOOL, word));
                }
            }
        }
        Ok(compiled)
    };
    let always = constraints(&mut compiler, ConstraintKind::Always)?;
    let initial = constraints(&mut compiler, ConstraintKind::Initial)?;
    let meaningful = compiler.meaningful(&leaf_signals)?;
    let step_gates = compiler.gates.gates.len();
    let transition = constraints(&mut compiler, ConstraintKind::Transition)?;

    let signals = system.signals().iter().zip(compiler.signals);
    let signals = signals.map(|(signal, word)| Ok((signal.sort.clone(), word.ok_or(Unsupported::Leaf)?)));
    Ok(Program {
        leaves,
        successors,
        first_gate: compiler.gates.first,
        gates: compiler.gates.gates,
        step_gates,
        signals: signals.collect::<Result<_, Unsupported>>()?,
        next: next_values,
        init: init_values,
        properties,
        always,
        initial,
        transition,
        meaningful,
        elements,
    })
}

impl Compiler<'_> {
    /// The word of what a definition says; `None` where it is open.
    fn definition(&mut self, site: Site) -> Result<Option<Word<Literal>>, Unsupported> {
        match self.system.definition(self.edits, site) {
            Definition::Open => Ok(None),
            Definition::Const(value) => words::constant(&mut self.gates, value).map(Some),
            Definition::Expr(expr) => self.expr(expr).map(Some),
            Definition::Inverted(expr) => {
                let word = self.expr(expr)?;
                words::unary(&mut self.gates, &crate::UnaryOp::Not, &word).map(Some)
            }
        }
    }

    /// Like [`Compiler::definition`], in slots that nothing else reads.
    ///
    /// The outermost operator's own gates will do, once they are forgotten by the structural hash and the memo: nothing
    /// but the expression itself can refer to them. For a netlist of gates this makes copies rare.
    fn own_definition(&mut self, site: Site) -> Result<Word<Literal>, Unsupported> {
        let (word, first_own) = match self.system.definition(self.edits, site) {
            Definition::Expr(expr) if self.memo[expr.0 as usize].is_none() => {
                for operand in self.system.exprs.operands(expr) {
                    self.expr(operand)?;
                }
                let first = self.gates.gates.len();
                let word = self.expr(expr)?;
                self.memo[expr.0 as usize] = None;
                for gate in &self.gates.gates[first..] {
                    self.gates.index.remove(&(gate.a, gate.b));
                }
                (word, first)
            }
            _ => (self.definition(site)?.ok_or(Unsupported::Leaf)?, self.gates.gates.len()),
        };
        let end = self.gates.first + self.gates.gates.len();
        let own = self.gates.first + first_own..end;
        let mut taken = vec![false; own.len()];
        Ok(self.claim(&word, &own, &mut taken))
    }

    /// Copies each bit that is not one of `own`, or already is another bit of the word.
    fn claim(&mut self, word: &Word<Literal>, own: &Range<usize>, taken: &mut [bool]) -> Word<Literal> {
        match word {
            Word::Table(table) => {
                Word::Table(table.iter().map(|element| self.claim(element, own, taken)).collect())
            }
            Word::Bits(bits) => Word::Bits(
                bits.iter()
                    .map(|bit| {
                        let free = own.contains(&bit.slot())
                            && !std::mem::replace(&mut taken[bit.slot() - own.start], true);
                        if free { *bit } else { self.gates.push(*bit, *bit) }
                    })
                    .collect(),
            ),
        }
    }

    /// The word of an expression. Iterative: depth is no limit.
    fn expr(&mut self, root: ExprId) -> Result<Word<Literal>, Unsupported> {
        let exprs = &self.system.exprs;
        let mut stack = vec![root];
        while let Some(&expr) = stack.last() {
            if self.memo[expr.0 as usize].is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(exprs.operands(expr).filter(|operand| self.memo[operand.0 as usize].is_none()));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let word = match exprs.node(expr) {
                Node::Signal(signal) => self.signals[signal.0 as usize].clone().ok_or(Unsupported::Leaf)?,
                Node::Next(signal) => self.next[signal.0 as usize].clone().ok_or(Unsupported::Leaf)?,
                _ => {
                    let operands = exprs.operands(expr).map(|operand| self.memo[operand.0 as usize].as_ref());
                    let operands = operands.collect::<Option<Vec<_>>>().ok_or(Unsupported::Leaf)?;
                    words::apply(&mut self.gates, exprs, expr, &operands)?
                }
            };
            self.memo[expr.0 as usize] = Some(word);
        }
        self.memo[root.0 as usize].clone().ok_or(Unsupported::Leaf)
    }

    fn meaningful(&mut self, leaves: &[usize]) -> Result<Literal, Unsupported> {
        let mut all = Literal::TRUE;
        for &leaf in leaves {
            if let Some(word) = &self.signals[leaf] {
                let one = words::is_meaningful(&mut self.gates, &self.system.signals()[leaf].sort, word)?;
                all = self.gates.and(&all, &one);
            }
        }
        Ok(all)
    }
}
