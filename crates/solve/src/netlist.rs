//! Bit-blasting: the cone of some properties and of all constraints, as latches and gates.
//!
//! Definitions are asked for in the overlay of edits as they are met, so a mutant or a slice needs no system of its own.
//! Whatever the system leaves open becomes an input: its inputs, freed wires, and the choice of the next value of a state
//! that has no next. An initial value that is no constant becomes a constraint on the first step.
//!
//! Arrays are tables, or [watched](Watched) where they are larger than [`Contents::tables`] says. Then the netlist has more runs than the system: what holds in all of them holds
//! in the system, and a run that violates something need not be one of the system.

mod arrays;

pub use arrays::Watched;

use crate::aig::Gate;
use crate::{Aig, Bit, Template};
use arrays::{Arrays, Guess};
use propcov_budget::{Budget, Stop};
use propcov_ir::words::{self, BitAlgebra, Word};
use propcov_ir::{
    BinaryOp, ConstraintId, ConstraintKind, Definition, Edits, ElementId, ExprId, Invariant, Mutant,
    Mutation, Node, PropertyId, SignalId, SignalKind, Site, Sort, System, UnaryOp, UnknownReason,
};
use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

/// A bit-level transition system.
#[derive(Clone, Debug, Default)]
pub struct Netlist {
    /// All logic; leaves are the inputs and latches below.
    pub aig: Aig,
    /// Bits that may have any value in any step.
    pub inputs: Vec<Bit>,
    /// Bits that remember.
    pub latches: Vec<Latch>,
    /// Hold in every step.
    pub constraints: Vec<Bit>,
    /// Hold in the first step, besides the latches' initial values.
    pub initial: Vec<Bit>,
    /// Hold in every step that has a successor.
    pub transitions: Vec<Bit>,
    /// Hold in every step of every run, by proofs that somebody has: not a part of what a run is, but of use to whoever looks for one.
    pub assumed: Vec<Bit>,
    /// One for each property asked for: true in the steps that violate it.
    pub bads: Vec<Bit>,
    /// One for each extra predicate asked for.
    pub predicates: Vec<Bit>,
    /// One for each expression of the system that was asked for.
    pub observed: Vec<Bit>,
    /// Bits that have one value throughout a run: true mutates an element.
    pub selectors: Vec<Selector>,
    /// Which values of the system the leaves make up.
    pub(crate) leaves: Vec<LeafWord>,
    /// The sorts of arrays that are no tables.
    pub watched: Vec<Watched>,
    /// What [`LeafOrigin::Guess`] stands for.
    pub(crate) guesses: Vec<Guess>,
}

/// The switch of a multiplexer as in Chockler, Kroening and Purandare 2010, Fig. 1.
#[derive(Clone, Debug)]
pub struct Selector {
    /// What is mutated when the bit is true.
    pub mutant: Mutant,
    /// The leaf.
    pub bit: Bit,
    /// For a freed definition, the leaves that it then takes its value from.
    pub open: Vec<Bit>,
    /// The bits of the definition itself, as many as `open` has.
    pub cut: Vec<Bit>,
}

/// A bit of a state.
#[derive(Clone, Copy, Debug)]
pub struct Latch {
    /// The leaf.
    pub bit: Bit,
    /// Its value in the next step.
    pub next: Bit,
    /// Its value in the first step.
    pub init: Init,
    /// Where it comes from.
    pub origin: BitOrigin,
}

/// The initial value of a latch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Init {
    /// A constant.
    Const(bool),
    /// Anything that [`Netlist::initial`] allows.
    Free,
}

/// The bit of a state that a latch stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitOrigin {
    /// The state.
    pub state: SignalId,
    /// Position among its bits, in the order of [`Word::flat`].
    pub index: u32,
}

/// A word made of leaves.
#[derive(Clone, Debug)]
pub(crate) struct LeafWord {
    pub(crate) origin: LeafOrigin,
    pub(crate) sort: Sort,
    pub(crate) word: Word<Bit>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeafOrigin {
    /// An input of the system.
    Input(SignalId),
    /// A state of the system.
    State(SignalId),
    /// A wire that an edit has freed.
    Free(ElementId),
    /// What a state without next becomes: seen in the state itself, one step later.
    Choice(SignalId),
    /// What is not known of an array that is watched.
    Guess(usize),
}

/// Products, quotients and rotations of this width or more are refused; the certifier draws the same line.
const WIDEST_PRODUCT: u32 = 1025;

/// Something that SAT-based engines cannot represent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unsupported {
    /// A signal or operator over unbounded numbers, or an array that is too large.
    #[error("{0}")]
    Word(#[from] words::Unsupported),
    /// An operator whose circuit would be enormous.
    #[error("{operator} of {width} bits (the limit is {})", WIDEST_PRODUCT - 1)]
    TooWide {
        /// The operator.
        operator: String,
        /// Of how many bits.
        width: u32,
    },
    /// A property that is no invariant.
    #[error("property {0} is no invariant")]
    Property(String),
    /// Nothing is wrong with the system, but the budget was used up.
    #[error("{}", UnknownReason::from(*.0))]
    Stopped(Stop),
}

impl From<Unsupported> for UnknownReason {
    fn from(error: Unsupported) -> UnknownReason {
        match error {
            Unsupported::Stopped(stop) => stop.into(),
            other => UnknownReason::Unsupported(other.to_string()),
        }
    }
}

impl Unsupported {
    /// That a budget was used up.
    pub(crate) fn stopped(budget: &Budget) -> Unsupported {
        Unsupported::Stopped(budget.stop().unwrap_or(Stop::Memory))
    }
}

/// What a netlist is to contain, besides the constraints.
#[derive(Clone, Copy, Debug, Default)]
pub struct Contents<'a> {
    /// Invariants, whose violations become [`Netlist::bads`].
    pub properties: &'a [PropertyId],
    /// Invariants that are proved, for [`Netlist::assumed`].
    pub assumed: &'a [PropertyId],
    /// Boolean expressions over signals, for [`Netlist::predicates`].
    pub invariant: Option<&'a Invariant>,
    /// Boolean expressions of the system, over any signals, for [`Netlist::observed`].
    pub observed: &'a [ExprId],
    /// Whether states outside all cones are wanted, too.
    pub all_states: bool,
    /// Mutants that can be switched on by a bit of [`Netlist::selectors`]. At most one of each element at a time makes sense.
    /// Those outside the cone get no selector.
    pub selectable: &'a [Mutant],
    /// Arrays of more bits than this are watched, and no tables. Without a limit all are tables, and those that are too large are an error.
    pub tables: Option<u64>,
    /// How long that may take, if it is limited.
    pub budget: Option<&'a Budget>,
}

impl Netlist {
    /// Those of some bits that are disjunctions of latches, as lists of them: negated trees of conjunctions, or single latches.
    pub fn as_clauses(&self, bits: &[Bit]) -> Vec<Option<Vec<Bit>>> {
        let latches: FxHashSet<usize> = self.latches.iter().map(|latch| latch.bit.node()).collect();
        bits.iter().map(|bit| self.as_clause(&latches, *bit)).collect()
    }

    fn as_clause(&self, latches: &FxHashSet<usize>, bit: Bit) -> Option<Vec<Bit>> {
        let mut literals = Vec::new();
        let mut open = vec![!bit];
        while let Some(conjunct) = open.pop() {
            match self.aig.gate(conjunct.node()) {
                Gate::Leaf if latches.contains(&conjunct.node()) => literals.push(!conjunct),
                Gate::And(a, b) if !conjunct.is_negated() => open.extend([a, b]),
                _ => return None,
            }
        }
        Some(literals)
    }
}

impl Netlist {
    /// The cone of these properties in the edited system.
    pub fn new(system: &System, edits: &Edits, properties: &[PropertyId]) -> Result<Netlist, Unsupported> {
        Netlist::with_contents(system, edits, Contents { properties, ..Contents::default() })
    }

    /// The cone of everything asked for in the edited system.
    pub fn with_contents(
        system: &System,
        edits: &Edits,
        contents: Contents<'_>,
    ) -> Result<Netlist, Unsupported> {
        let mut blaster = Blaster::new(system, edits, contents.selectable);
        if let Some(budget) = contents.budget {
            blaster.netlist.aig = Aig::within(budget.clone());
        }
        blaster.watch(contents.tables)?;
        for (index, constraint) in system.constraints().iter().enumerate() {
            let site = Site::Constraint(ConstraintId(index as u32));
            let Some(bit) = blaster.constraint_bit(site)? else { continue };
            match constraint.kind {
                ConstraintKind::Always => blaster.netlist.constraints.push(bit),
                ConstraintKind::Initial => blaster.netlist.initial.push(bit),
                ConstraintKind::Transition => blaster.netlist.transitions.push(bit),
            }
        }
        for property in contents.properties {
            let good = blaster.property(*property)?;
            blaster.netlist.bads.push(!good);
        }
        for property in contents.assumed {
            let good = blaster.property(*property)?;
            blaster.netlist.assumed.push(good);
        }
        if let Some(invariant) = contents.invariant {
            blaster.predicates(invariant)?;
        }
        for expr in contents.observed {
            let bit = blaster.bit(*expr)?;
            blaster.netlist.observed.push(bit);
        }
        if contents.all_states {
            system.states().iter().try_for_each(|state| blaster.ensure_latches(*state))?;
        }
        blaster.finish()
    }

    /// Whether arrays are watched, so that there are runs that the system does not have.
    pub fn is_watched(&self) -> bool {
        !self.watched.is_empty()
    }

    /// Where arrays of a sort are watched, if they are.
    pub(crate) fn watched_at(&self, sort: &Sort) -> Option<&Watched> {
        self.watched.iter().find(|watched| watched.sort == *sort)
    }

    /// What the netlist was made within: those who unroll it obey it, too.
    pub fn budget(&self) -> &Budget {
        self.aig.budget()
    }

    /// The clauses of the netlist.
    pub fn template(&self) -> Result<Template, Unsupported> {
        Template::within(&self.aig, &self.roots(), &self.leaves(), self.budget())
            .ok_or_else(|| Unsupported::stopped(self.budget()))
    }

    /// The edges that a [`Template`] has to give literals to.
    pub fn roots(&self) -> Vec<Bit> {
        let nexts = self.latches.iter().map(|latch| latch.next);
        let constraints = self.constraints.iter().chain(&self.initial).chain(&self.transitions);
        let asked = self.bads.iter().chain(&self.assumed).chain(&self.predicates).chain(&self.observed);
        nexts.chain(constraints.chain(asked).copied()).collect()
    }

    /// The bits of inputs, choices and latches, those of one word together.
    pub fn words(&self) -> Vec<Vec<Bit>> {
        let is_free = |leaf: &&LeafWord| !matches!(leaf.origin, LeafOrigin::Free(_));
        self.leaves.iter().filter(is_free).map(|leaf| leaf.word.flat()).collect()
    }

    /// The latches whose next value is a choice that nothing else determines: the input that is chosen, and the latch's position.
    pub fn choices(&self) -> FxHashMap<Bit, usize> {
        let choices = self.leaves.iter().filter(|leaf| matches!(leaf.origin, LeafOrigin::Choice(_)));
        let choices: FxHashSet<Bit> = choices.flat_map(|leaf| leaf.word.flat()).collect();
        let latches = self.latches.iter().enumerate().map(|(at, latch)| (latch.next, at));
        latches.filter(|(next, _)| choices.contains(next)).collect()
    }

    /// The bits of some inputs of the system.
    pub fn input_bits(&self, inputs: &[SignalId]) -> Vec<Bit> {
        let is_wanted =
            |leaf: &&LeafWord| matches!(leaf.origin, LeafOrigin::Input(input) if inputs.contains(&input));
        self.leaves.iter().filter(is_wanted).flat_map(|leaf| leaf.word.flat()).collect()
    }

    /// The leaves: inputs, then latches, then selectors.
    pub fn leaves(&self) -> Vec<Bit> {
        let latches = self.latches.iter().map(|latch| latch.bit);
        let selectors = self.selectors.iter().map(|selector| selector.bit);
        self.inputs.iter().copied().chain(latches).chain(selectors).collect()
    }
}

struct Blaster<'s> {
    system: &'s System,
    edits: &'s Edits,
    selectable: FxHashMap<ElementId, Vec<Mutation>>,
    netlist: Netlist,
    /// By expression.
    exprs: Vec<Known>,
    /// By signal.
    signals: Vec<Known>,
    /// What each state becomes, where that is known.
    nexts: FxHashMap<SignalId, Word<Bit>>,
    /// States that have latches but no next and init yet.
    pending: Vec<SignalId>,
    arrays: Arrays,
}

/// What is known of an expression or a signal. Most are Booleans, and circuits have millions of them.
#[derive(Clone, Debug, Default)]
enum Known {
    #[default]
    Nothing,
    Bit(Bit),
    Word(Box<Word<Bit>>),
}

impl Known {
    fn new(word: Word<Bit>) -> Known {
        match &word {
            Word::Bits(bits) if bits.len() == 1 => Known::Bit(bits[0]),
            _ => Known::Word(Box::new(word)),
        }
    }

    fn is_known(&self) -> bool {
        !matches!(self, Known::Nothing)
    }

    fn word(&self) -> Option<Word<Bit>> {
        match self {
            Known::Nothing => None,
            Known::Bit(bit) => Some(Word::Bits(vec![*bit])),
            Known::Word(word) => Some((**word).clone()),
        }
    }

    fn bit(&self) -> Option<Bit> {
        match self {
            Known::Bit(bit) => Some(*bit),
            _ => None,
        }
    }
}

#[derive(Clone, Copy)]
enum Task {
    Expr(ExprId),
    Apply(ExprId),
    Wire(SignalId, ExprId, bool),
    Alias(ExprId, SignalId),
    AliasNext(ExprId, SignalId),
}

impl<'s> Blaster<'s> {
    fn new(system: &'s System, edits: &'s Edits, mutants: &[Mutant]) -> Blaster<'s> {
        let mut selectable: FxHashMap<ElementId, Vec<Mutation>> = FxHashMap::default();
        for mutant in mutants {
            selectable.entry(mutant.element).or_default().push(mutant.mutation);
        }
        Blaster {
            system,
            edits,
            selectable,
            netlist: Netlist::default(),
            exprs: vec![Known::Nothing; system.exprs.len()],
            signals: vec![Known::Nothing; system.signals().len()],
            nexts: FxHashMap::default(),
            pending: Vec::new(),
            arrays: Arrays::default(),
        }
    }

    /// The word of a definition; `None` when it is open.
    fn defined(&mut self, site: Site) -> Result<Option<Word<Bit>>, Unsupported> {
        Ok(match self.system.definition(self.edits, site) {
            Definition::Open => None,
            Definition::Const(value) => Some(self.constant(value)?),
            Definition::Expr(expr) => Some(self.word(expr)?),
            Definition::Inverted(expr) => Some(inverted(&self.word(expr)?)),
        })
    }

    /// The bit that frees the definition at a site that is not mutated in any other way, if it can be freed.
    fn selector(&mut self, site: Site) -> Option<Bit> {
        let element = self.system.element_at(site)?;
        if !self.selectable.get(&element)?.contains(&Mutation::Free) {
            return None;
        }
        let mutant = Mutant { element, mutation: Mutation::Free };
        Some(self.new_selector(mutant, Vec::new(), Vec::new()))
    }

    fn new_selector(&mut self, mutant: Mutant, open: Vec<Bit>, cut: Vec<Bit>) -> Bit {
        let bit = self.netlist.aig.leaf();
        self.netlist.selectors.push(Selector { mutant, bit, open, cut });
        bit
    }

    /// The word of a definition, with a multiplexer in front of it for each way in which it can be mutated.
    fn selected(&mut self, site: Site, open: LeafOrigin, word: Word<Bit>) -> Result<Word<Bit>, Unsupported> {
        let (Some(element), Site::Wire(signal) | Site::Next(signal)) = (self.system.element_at(site), site)
        else {
            return Ok(word);
        };
        let Some(mutations) = self.selectable.get(&element).cloned() else { return Ok(word) };
        let mut word = word;
        for mutation in mutations {
            let mutant = Mutant { element, mutation };
            word = match mutation {
                Mutation::Free => {
                    let open = self.open(open, &self.system.signal(signal).sort)?;
                    let selector = self.new_selector(mutant, open.flat(), word.flat());
                    words::mux(&mut self.netlist.aig, &selector, &open, &word)
                }
                Mutation::Zero => {
                    let selector = self.new_selector(mutant, Vec::new(), Vec::new());
                    self.each_bit(&word, |aig, bit| aig.and(bit, !selector))
                }
                Mutation::One => {
                    let selector = self.new_selector(mutant, Vec::new(), Vec::new());
                    self.each_bit(&word, |aig, bit| !aig.and(!bit, !selector))
                }
                // Of numbers, which no circuit has.
                Mutation::OffByOne | Mutation::Stale => {
                    return Err(words::Unsupported::Sort(self.system.signal(signal).sort.clone()).into());
                }
            };
        }
        Ok(word)
    }

    fn each_bit(&mut self, word: &Word<Bit>, change: impl Fn(&mut Aig, Bit) -> Bit + Copy) -> Word<Bit> {
        match word {
            Word::Bits(bits) => {
                Word::Bits(bits.iter().map(|bit| change(&mut self.netlist.aig, *bit)).collect())
            }
            Word::Table(table) => Word::Table(table.iter().map(|row| self.each_bit(row, change)).collect()),
        }
    }

    /// What a constraint at a site says, unless it is freed.
    fn constraint_bit(&mut self, site: Site) -> Result<Option<Bit>, Unsupported> {
        let Some(bit) = self.defined_bit(site)? else { return Ok(None) };
        let selector = self.selector(site);
        Ok(Some(selector.map_or(bit, |selector| !self.netlist.aig.and(!selector, !bit))))
    }

    fn defined_bit(&mut self, site: Site) -> Result<Option<Bit>, Unsupported> {
        Ok(self.defined(site)?.map(|word| word.bit().copied()).transpose()?)
    }

    fn bit(&mut self, expr: ExprId) -> Result<Bit, Unsupported> {
        Ok(*self.word(expr)?.bit()?)
    }

    /// The word of an expression; iterative, as netlists are deep.
    fn word(&mut self, root: ExprId) -> Result<Word<Bit>, Unsupported> {
        let mut tasks = vec![Task::Expr(root)];
        while let Some(task) = tasks.pop() {
            self.run(task, &mut tasks)?;
            if self.netlist.aig.is_spent(1) {
                return Err(Unsupported::stopped(self.netlist.budget()));
            }
        }
        self.finished(root)
    }

    fn finished(&self, expr: ExprId) -> Result<Word<Bit>, Unsupported> {
        self.exprs[expr.0 as usize].word().ok_or(Unsupported::Word(words::Unsupported::Leaf))
    }

    fn signal(&self, signal: SignalId) -> Result<Word<Bit>, Unsupported> {
        self.signals[signal.0 as usize].word().ok_or(Unsupported::Word(words::Unsupported::Leaf))
    }

    /// What an operator makes of Booleans, without the detour by words: the same gates in the same order.
    fn apply_to_bits(&mut self, expr: ExprId) -> Option<Bit> {
        let bit = |operand: ExprId| self.exprs[operand.0 as usize].bit();
        let aig = &mut self.netlist.aig;
        match *self.system.exprs.node(expr) {
            Node::Unary(UnaryOp::Not, a) => Some(!bit(a)?),
            Node::Binary(BinaryOp::And, a, b) => Some(aig.and(bit(a)?, bit(b)?)),
            Node::Binary(BinaryOp::Or, a, b) => Some(BitAlgebra::or(aig, &bit(a)?, &bit(b)?)),
            Node::Binary(BinaryOp::Xor, a, b) => Some(BitAlgebra::xor(aig, &bit(a)?, &bit(b)?)),
            Node::Binary(BinaryOp::Eq, a, b) => Some(!BitAlgebra::xor(aig, &bit(a)?, &bit(b)?)),
            _ => None,
        }
    }

    fn run(&mut self, task: Task, tasks: &mut Vec<Task>) -> Result<(), Unsupported> {
        match task {
            Task::Expr(expr) if self.exprs[expr.0 as usize].is_known() => {}
            Task::Expr(expr) => match *self.system.exprs.node(expr) {
                Node::Signal(signal) => {
                    tasks.push(Task::Alias(expr, signal));
                    if !self.signals[signal.0 as usize].is_known() {
                        self.enter(signal, tasks)?;
                    }
                }
                Node::Next(state) => {
                    tasks.push(Task::AliasNext(expr, state));
                    if let Definition::Expr(expr) | Definition::Inverted(expr) =
                        self.system.definition(self.edits, Site::Next(state))
                    {
                        tasks.push(Task::Expr(expr));
                    }
                }
                _ => {
                    tasks.push(Task::Apply(expr));
                    tasks.extend(self.system.exprs.operands(expr).map(Task::Expr));
                }
            },
            Task::Apply(expr) => {
                self.check_size(expr)?;
                if let Some(bit) = self.apply_to_bits(expr) {
                    self.exprs[expr.0 as usize] = Known::Bit(bit);
                    return Ok(());
                }
                if let Some(word) = self.apply_to_arrays(expr)? {
                    self.exprs[expr.0 as usize] = Known::new(word);
                    return Ok(());
                }
                // Booleans among the operands need a word for the moment; others are not copied.
                let operands: Vec<ExprId> = self.system.exprs.operands(expr).collect();
                let single = |operand: &ExprId| match &self.exprs[operand.0 as usize] {
                    Known::Bit(bit) => Word::Bits(vec![*bit]),
                    _ => Word::Bits(Vec::new()),
                };
                let singles: Vec<Word<Bit>> = operands.iter().map(single).collect();
                let finished = |(operand, single)| match &self.exprs[position(operand)] {
                    Known::Nothing => Err(Unsupported::Word(words::Unsupported::Leaf)),
                    Known::Bit(_) => Ok(single),
                    Known::Word(word) => Ok(&**word),
                };
                let words = operands.iter().zip(&singles).map(finished).collect::<Result<Vec<_>, _>>()?;
                let word = words::apply(&mut self.netlist.aig, &self.system.exprs, expr, &words)?;
                self.exprs[expr.0 as usize] = Known::new(word);
            }
            Task::Wire(signal, expr, invert) => {
                let word = self.finished(expr)?;
                let word = if invert { inverted(&word) } else { word };
                let word = self.selected_wire(signal, word)?;
                self.signals[signal.0 as usize] = Known::new(word);
            }
            Task::Alias(expr, signal) => {
                self.exprs[expr.0 as usize] = self.signals[signal.0 as usize].clone();
            }
            Task::AliasNext(expr, state) => self.exprs[expr.0 as usize] = Known::new(self.next(state)?),
        }
        Ok(())
    }

    /// Refuses operators whose circuit grows with the square of the width when that is large.
    fn check_size(&self, expr: ExprId) -> Result<(), Unsupported> {
        use BinaryOp::{Mul, Rol, Ror, Sdiv, Smod, Srem, Udiv, Urem};
        match (self.system.exprs.node(expr), self.system.exprs.sort(expr)) {
            (
                Node::Binary(op @ (Mul | Udiv | Urem | Sdiv | Srem | Smod | Rol | Ror), ..),
                Sort::BitVec(width @ WIDEST_PRODUCT..),
            ) => Err(Unsupported::TooWide { operator: format!("{op:?}").to_lowercase(), width: *width }),
            _ => Ok(()),
        }
    }

    /// Gives a signal its word, now or by a task pushed before anything that reads it.
    fn enter(&mut self, signal: SignalId, tasks: &mut Vec<Task>) -> Result<(), Unsupported> {
        let sort = &self.system.signal(signal).sort;
        let word = match self.system.signal(signal).kind {
            SignalKind::Input => self.open(LeafOrigin::Input(signal), sort)?,
            SignalKind::State { .. } => self.latches(signal, sort)?,
            SignalKind::Wire { .. } => match self.system.definition(self.edits, Site::Wire(signal)) {
                definition @ (Definition::Expr(expr) | Definition::Inverted(expr)) => {
                    tasks.push(Task::Wire(signal, expr, matches!(definition, Definition::Inverted(_))));
                    tasks.push(Task::Expr(expr));
                    return Ok(());
                }
                Definition::Const(value) => {
                    let word = self.constant(value)?;
                    self.selected_wire(signal, word)?
                }
                Definition::Open => match self.system.element_at(Site::Wire(signal)) {
                    Some(element) => self.open(LeafOrigin::Free(element), sort)?,
                    None => return Err(Unsupported::Word(words::Unsupported::Leaf)),
                },
            },
        };
        self.signals[signal.0 as usize] = Known::new(word);
        Ok(())
    }

    fn selected_wire(&mut self, wire: SignalId, word: Word<Bit>) -> Result<Word<Bit>, Unsupported> {
        let site = Site::Wire(wire);
        match self.system.element_at(site) {
            Some(element) => self.selected(site, LeafOrigin::Free(element), word),
            None => Ok(word),
        }
    }

    /// A word of fresh inputs, restricted to codes that mean something.
    fn open(&mut self, origin: LeafOrigin, sort: &Sort) -> Result<Word<Bit>, Unsupported> {
        let rows = self.rows(sort);
        let netlist = &mut self.netlist;
        let word = arrays::build(sort, rows, || {
            let bit = netlist.aig.leaf();
            netlist.inputs.push(bit);
            bit
        })?;
        let meaningful = words::is_meaningful(&mut netlist.aig, sort, &word)?;
        if meaningful != Bit::TRUE {
            match origin {
                LeafOrigin::Choice(_) => netlist.transitions.push(meaningful),
                _ => netlist.constraints.push(meaningful),
            }
        }
        netlist.leaves.push(LeafWord { origin, sort: sort.clone(), word: word.clone() });
        Ok(word)
    }

    fn ensure_latches(&mut self, state: SignalId) -> Result<(), Unsupported> {
        self.read(state).map(|_| ())
    }

    fn latches(&mut self, state: SignalId, sort: &Sort) -> Result<Word<Bit>, Unsupported> {
        let rows = self.rows(sort);
        let netlist = &mut self.netlist;
        let mut index = 0;
        let word = arrays::build(sort, rows, || {
            let bit = netlist.aig.leaf();
            let origin = BitOrigin { state, index };
            index += 1;
            netlist.latches.push(Latch { bit, next: Bit::FALSE, init: Init::Free, origin });
            bit
        })?;
        netlist.leaves.push(LeafWord {
            origin: LeafOrigin::State(state),
            sort: sort.clone(),
            word: word.clone(),
        });
        // True in every step by typing, but induction starts from any code.
        let meaningful = words::is_meaningful(&mut self.netlist.aig, sort, &word)?;
        self.netlist.constraints.push(meaningful);
        self.agree(sort, &word)?;
        self.pending.push(state);
        Ok(word)
    }

    /// What a state becomes, with fresh inputs where that is open.
    fn next(&mut self, state: SignalId) -> Result<Word<Bit>, Unsupported> {
        if let Some(word) = self.nexts.get(&state) {
            return Ok(word.clone());
        }
        let sort = &self.system.signal(state).sort;
        let word = match self.defined(Site::Next(state))? {
            None => self.open(LeafOrigin::Choice(state), sort)?,
            Some(word) => self.selected(Site::Next(state), LeafOrigin::Choice(state), word)?,
        };
        self.nexts.insert(state, word.clone());
        Ok(word)
    }

    /// What an invariant says.
    fn property(&mut self, property: PropertyId) -> Result<Bit, Unsupported> {
        match self.system.invariant(property) {
            Some(expr) => self.bit(expr),
            None => Err(Unsupported::Property(self.system.property(property).name.clone())),
        }
    }

    /// The word of a signal, which nobody need have read before.
    fn read(&mut self, signal: SignalId) -> Result<Word<Bit>, Unsupported> {
        if !self.signals[signal.0 as usize].is_known() {
            let mut tasks = Vec::new();
            self.enter(signal, &mut tasks)?;
            while let Some(task) = tasks.pop() {
                self.run(task, &mut tasks)?;
            }
        }
        self.signal(signal)
    }

    /// Boolean expressions of another pool over the signals of this system.
    fn predicates(&mut self, invariant: &Invariant) -> Result<(), Unsupported> {
        let mut words: Vec<Word<Bit>> = Vec::with_capacity(invariant.exprs.len());
        // Operands precede what uses them, so one pass will do.
        for index in 0..invariant.exprs.len() {
            let expr = ExprId(index as u32);
            let word = match *invariant.exprs.node(expr) {
                Node::Signal(signal) => self.read(signal)?,
                _ => {
                    let operands: Vec<&Word<Bit>> =
                        invariant.exprs.operands(expr).map(|operand| &words[operand.0 as usize]).collect();
                    match self.claimed_of_arrays(&invariant.exprs, expr, &operands)? {
                        Some(word) => word,
                        None => words::apply(&mut self.netlist.aig, &invariant.exprs, expr, &operands)?,
                    }
                }
            };
            words.push(word);
        }
        for lemma in &invariant.lemmas {
            self.netlist.predicates.push(*words[lemma.0 as usize].bit()?);
        }
        Ok(())
    }

    /// Follows states until the cone is closed.
    fn finish(mut self) -> Result<Netlist, Unsupported> {
        let mut nexts: FxHashMap<BitOrigin, (Bit, Init)> = FxHashMap::default();
        // A transition constraint may speak of the next value of a state that nothing else reads.
        let mut states: Vec<SignalId> = self.nexts.keys().copied().collect();
        states.sort_unstable();
        for state in states {
            self.ensure_latches(state)?;
        }
        while let Some(state) = self.pending.pop() {
            let next = self.next(state)?.flat();
            let init = self.init(state, next.len())?;
            for (index, (next, init)) in next.into_iter().zip(init).enumerate() {
                nexts.insert(BitOrigin { state, index: index as u32 }, (next, init));
            }
        }
        for latch in &mut self.netlist.latches {
            (latch.next, latch.init) = nexts[&latch.origin];
        }
        let is_open = |bit: &Bit| *bit != Bit::TRUE;
        self.netlist.constraints.retain(is_open);
        self.netlist.initial.retain(is_open);
        self.netlist.transitions.retain(is_open);
        if self.netlist.aig.has_stopped() {
            return Err(Unsupported::stopped(self.netlist.budget()));
        }
        Ok(self.netlist)
    }

    fn init(&mut self, state: SignalId, bits: usize) -> Result<Vec<Init>, Unsupported> {
        let own = self.signal(state)?;
        let Some(word) = self.defined(Site::Init(state))? else { return Ok(vec![Init::Free; bits]) };
        let (word, own) = (word.flat(), own.flat());
        if let Some(selector) = self.selector(Site::Init(state)) {
            let same = words::equal(&mut self.netlist.aig, &Word::Bits(word), &Word::Bits(own));
            let holds = !self.netlist.aig.and(!selector, !same);
            self.netlist.initial.push(holds);
            return Ok(vec![Init::Free; bits]);
        }
        let mut inits = Vec::with_capacity(bits);
        for (value, latch) in word.into_iter().zip(own) {
            inits.push(match value.as_constant() {
                Some(value) => Init::Const(value),
                None => {
                    let equal = words::equal(
                        &mut self.netlist.aig,
                        &Word::Bits(vec![value]),
                        &Word::Bits(vec![latch]),
                    );
                    self.netlist.initial.push(equal);
                    Init::Free
                }
            });
        }
        Ok(inits)
    }
}

fn position(expr: &ExprId) -> usize {
    expr.0 as usize
}

fn inverted(word: &Word<Bit>) -> Word<Bit> {
    match word {
        Word::Bits(bits) => Word::Bits(bits.iter().map(|bit| !*bit).collect()),
        Word::Table(table) => Word::Table(table.iter().map(inverted).collect()),
    }
}
