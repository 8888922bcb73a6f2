//! Steps of a system, encoded as they are asked for.
//!
//! Whatever an expression reads is encoded first, by a depth-first search with an explicit stack: through operands, from
//! a wire to its definition in the same step, from a state to its next-state function in the step before, or to its
//! initial value. The overlay of edits is asked at each of these definitions; what selectors do comes on top of it.

use super::encoding::Encoding;
use super::gates::Gates;
use super::selectors::Selectors;
use crate::Rejection;
use crate::cone::constraints;
use propcov_budget::Budget;
use propcov_ir::{
    ConstraintId, ConstraintKind, Definition, Edits, ExprId, ExprPool, Node, SignalId, SignalKind, Site,
    System, UnaryOp,
};
use propcov_sat::{CadicalConfig, Lit};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Where step 0 is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// At the beginning of a run: states have their initial values.
    Initial,
    /// Anywhere.
    Anywhere,
}

/// What a search looks at: an expression of the system or of the claim, or a signal, in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    System(u32, ExprId),
    Claim(u32, ExprId),
    Signal(u32, SignalId),
}

/// What was encoded, by key; `None` while the search is below it.
type Words<W> = FxHashMap<Key, Option<W>>;

/// Steps of a system in a solver of their own.
pub(crate) struct Steps<'a, E: Encoding = Gates> {
    pub(crate) gates: E,
    pub(crate) selectors: Selectors,
    system: &'a System,
    edits: &'a Edits,
    start: Start,
    /// Expressions of the system, and signals.
    words: Words<E::Word>,
}

impl<'a, E: Encoding> Steps<'a, E> {
    /// No step yet.
    pub(crate) fn new(
        config: CadicalConfig,
        system: &'a System,
        edits: &'a Edits,
        selectors: Selectors,
        start: Start,
    ) -> Steps<'a, E> {
        Steps::over(E::new(config), system, edits, selectors, start)
    }

    /// No step yet, in a solver that is there.
    pub(crate) fn over(
        gates: E,
        system: &'a System,
        edits: &'a Edits,
        selectors: Selectors,
        start: Start,
    ) -> Steps<'a, E> {
        Steps { gates, selectors, system, edits, start, words: Words::default() }
    }

    /// The value of a signal in a step, if anything asked for it.
    pub(crate) fn encoded_signal(&self, step: u32, signal: SignalId) -> Option<&E::Word> {
        self.words.get(&Key::Signal(step, signal))?.as_ref()
    }
}

/// Steps of a system, and a claim about them. The steps remain when it is dropped, what was encoded of the claim does
/// not: the next one has expressions of its own.
pub(crate) struct Unrolling<'a, 'c, E: Encoding = Gates> {
    pub(crate) steps: &'c mut Steps<'a, E>,
    claim: &'c ExprPool,
    budget: &'c Budget,
    /// Expressions of the claim.
    claimed: Words<E::Word>,
    /// Whether lemmas may read inputs and wires, too.
    lemmas_read_all: bool,
}

impl<'a, 'c, E: Encoding> Unrolling<'a, 'c, E> {
    /// `claim` owns the lemmas, whose signals are the system's.
    pub(crate) fn new(
        steps: &'c mut Steps<'a, E>,
        claim: &'c ExprPool,
        budget: &'c Budget,
    ) -> Unrolling<'a, 'c, E> {
        steps.gates.watch(budget);
        Unrolling { steps, claim, budget, claimed: Words::default(), lemmas_read_all: false }
    }

    /// Lets lemmas read every signal of a step.
    pub(crate) fn let_lemmas_read_all(&mut self) {
        self.lemmas_read_all = true;
    }

    /// The solver and its circuits.
    pub(crate) fn gates(&mut self) -> &mut E {
        &mut self.steps.gates
    }

    fn words(&mut self, key: Key) -> &mut Words<E::Word> {
        match key {
            Key::Claim(..) => &mut self.claimed,
            Key::System(..) | Key::Signal(..) => &mut self.steps.words,
        }
    }

    fn word(&self, key: Key) -> Option<&E::Word> {
        match key {
            Key::Claim(..) => self.claimed.get(&key)?.as_ref(),
            Key::System(..) | Key::Signal(..) => self.steps.words.get(&key)?.as_ref(),
        }
    }

    /// A Boolean expression of the system, in a step.
    pub(crate) fn condition(&mut self, step: u32, expr: ExprId) -> Result<Lit, Rejection> {
        self.boolean(Key::System(step, expr))
    }

    /// A Boolean expression of the claim, in a step.
    pub(crate) fn lemma(&mut self, step: u32, expr: ExprId) -> Result<Lit, Rejection> {
        self.boolean(Key::Claim(step, expr))
    }

    /// Adds what holds in a step, and between the one before and it.
    pub(crate) fn extend(&mut self, step: u32) -> Result<(), Rejection> {
        if self.budget.is_exhausted() {
            return Err(Rejection::Undecided);
        }
        if let Some(before) = step.checked_sub(1) {
            self.assume(before, ConstraintKind::Transition)?;
        }
        self.assume(step, ConstraintKind::Always)
    }

    /// Requires all constraints of a kind in a step.
    pub(crate) fn assume(&mut self, step: u32, kind: ConstraintKind) -> Result<(), Rejection> {
        for id in constraints(self.steps.system, kind) {
            if let Some(literal) = self.constraint(step, id)? {
                self.steps.gates.clause(&[literal]);
            }
        }
        Ok(())
    }

    /// What a constraint asks for in a step, or between it and the following one; `None` if it was dropped.
    pub(crate) fn constraint(&mut self, step: u32, id: ConstraintId) -> Result<Option<Lit>, Rejection> {
        Ok(match self.steps.system.definition(self.steps.edits, Site::Constraint(id)) {
            Definition::Open => None,
            Definition::Expr(expr) => Some(self.condition(step, expr)?),
            Definition::Inverted(expr) => Some(!self.condition(step, expr)?),
            Definition::Const(value) => {
                let word = self.steps.gates.constant_word(value)?;
                let no_boolean = || Rejection::Malformed("a constraint that is no Boolean".to_owned());
                Some(E::as_bool(&word).ok_or_else(no_boolean)?)
            }
        })
    }

    /// The value of a signal in a step.
    pub(crate) fn signal(&mut self, step: u32, signal: SignalId) -> Result<E::Word, Rejection> {
        self.search(Key::Signal(step, signal))
    }

    fn boolean(&mut self, key: Key) -> Result<Lit, Rejection> {
        let word = self.search(key)?;
        E::as_bool(&word).ok_or_else(|| Rejection::Malformed("a condition that is no Boolean".to_owned()))
    }

    fn search(&mut self, root: Key) -> Result<E::Word, Rejection> {
        if let Some(word) = self.word(root) {
            return Ok(word.clone());
        }
        let mut stack = vec![(root, false)];
        let outcome = self.search_below(&mut stack);
        if outcome.is_err() {
            // The steps may be used again, for another claim: what was not finished has to be begun anew.
            for (key, _) in stack.into_iter().filter(|(_, entered)| *entered) {
                self.words(key).remove(&key);
            }
        }
        outcome?;
        self.known(root)
    }

    fn search_below(&mut self, stack: &mut Vec<(Key, bool)>) -> Result<(), Rejection> {
        let mut visited = 0u32;
        while let Some(&mut (key, ref mut entered)) = stack.last_mut() {
            if *entered {
                let word = self.encode(key)?;
                if self.steps.gates.has_stopped() {
                    return Err(Rejection::Undecided);
                }
                self.words(key).insert(key, Some(word));
                stack.pop();
                continue;
            }
            match self.words(key).entry(key) {
                Entry::Occupied(word) if word.get().is_some() => {
                    stack.pop();
                    continue;
                }
                // The search is below this very key: it depends on itself.
                Entry::Occupied(_) => {
                    return Err(Rejection::Malformed(
                        "a definition depends on itself within a step".to_owned(),
                    ));
                }
                Entry::Vacant(word) => word.insert(None),
            };
            *entered = true;
            visited += 1;
            if visited.is_multiple_of(1 << 12) && self.budget.is_exhausted() {
                return Err(Rejection::Undecided);
            }
            self.for_each_dependency(key, |dependency| stack.push((dependency, false)))?;
        }
        Ok(())
    }

    fn known(&self, key: Key) -> Result<E::Word, Rejection> {
        let word = self.word(key).cloned();
        word.ok_or_else(|| Rejection::Malformed(format!("{key:?} is read before it is defined")))
    }

    /// Calls `visit` for what must be encoded before the key.
    fn for_each_dependency(&self, key: Key, mut visit: impl FnMut(Key)) -> Result<(), Rejection> {
        match key {
            Key::System(step, expr) | Key::Claim(step, expr) => {
                let of_claim = matches!(key, Key::Claim(..));
                let pool = if of_claim { self.claim } else { &self.steps.system.exprs };
                if expr.0 as usize >= pool.len() {
                    return Err(Rejection::no_such_expression(expr));
                }
                match *pool.node(expr) {
                    Node::Signal(signal) => {
                        visit(Key::Signal(step, self.readable(signal, of_claim.then_some(expr))?));
                    }
                    Node::Next(_) if of_claim => {
                        return Err(Rejection::Malformed("a lemma reads a next-state value".to_owned()));
                    }
                    Node::Next(signal) => match self.steps.system.signals().get(signal.0 as usize) {
                        Some(next) if matches!(next.kind, SignalKind::State { .. }) => {
                            visit(Key::Signal(step + 1, signal));
                        }
                        _ => return Err(Rejection::no_such_signal(signal)),
                    },
                    _ => {
                        for operand in pool.operands(expr) {
                            if operand >= expr {
                                return Err(Rejection::no_such_expression(operand));
                            }
                            visit(if of_claim {
                                Key::Claim(step, operand)
                            } else {
                                Key::System(step, operand)
                            });
                        }
                    }
                }
            }
            Key::Signal(step, signal) => {
                let (step, definition) = self.definition(step, signal);
                if let Definition::Expr(expr) | Definition::Inverted(expr) = definition {
                    visit(Key::System(step, expr));
                }
            }
        }
        Ok(())
    }

    /// The signal, if it may be read: one that exists, and for a lemma's leaf, a signal that lemmas may read, of the sort that
    /// the leaf says.
    fn readable(&self, signal: SignalId, lemma_leaf: Option<ExprId>) -> Result<SignalId, Rejection> {
        let Some(declared) = self.steps.system.signals().get(signal.0 as usize) else {
            return Err(Rejection::no_such_signal(signal));
        };
        if let Some(leaf) = lemma_leaf {
            if !self.lemmas_read_all && !matches!(declared.kind, SignalKind::State { .. }) {
                return Err(Rejection::Malformed(format!(
                    "a lemma reads {}, which is no state",
                    declared.name
                )));
            }
            if *self.claim.sort(leaf) != declared.sort {
                let (found, name) = (self.claim.sort(leaf), &declared.name);
                return Err(Rejection::Malformed(format!("a lemma reads {name} as {found}")));
            }
        }
        Ok(signal)
    }

    /// What gives a signal its value in a step, and the step that this reads.
    fn definition(&self, step: u32, signal: SignalId) -> (u32, Definition<'a>) {
        match self.steps.system.signal(signal).kind {
            SignalKind::Input => (step, Definition::Open),
            SignalKind::Wire { .. } => {
                (step, self.steps.system.definition(self.steps.edits, Site::Wire(signal)))
            }
            SignalKind::State { .. } if step > 0 => {
                (step - 1, self.steps.system.definition(self.steps.edits, Site::Next(signal)))
            }
            SignalKind::State { .. } if self.steps.start == Start::Initial => {
                (step, self.steps.system.definition(self.steps.edits, Site::Init(signal)))
            }
            SignalKind::State { .. } => (step, Definition::Open),
        }
    }

    /// The word for a key whose dependencies are encoded.
    fn encode(&mut self, key: Key) -> Result<E::Word, Rejection> {
        let (pool, step, expr) = match key {
            Key::System(step, expr) => (&self.steps.system.exprs, step, expr),
            Key::Claim(step, expr) => (self.claim, step, expr),
            Key::Signal(step, signal) => return self.encode_signal(step, signal),
        };
        let operand = |operand: ExprId| {
            self.known(match key {
                Key::Claim(..) => Key::Claim(step, operand),
                _ => Key::System(step, operand),
            })
        };
        match pool.node(expr) {
            Node::Signal(signal) => self.known(Key::Signal(step, *signal)),
            Node::Next(signal) => self.known(Key::Signal(step + 1, *signal)),
            Node::Const(value) => self.steps.gates.constant_word(value),
            Node::Unary(op, a) => {
                let a = operand(*a)?;
                self.steps.gates.unary(op, &a)
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (operand(*a)?, operand(*b)?);
                self.steps.gates.binary(*op, &a, &b)
            }
            Node::Ternary(op, a, b, c) => {
                let (a, b, c) = (operand(*a)?, operand(*b)?, operand(*c)?);
                self.steps.gates.ternary(*op, &a, &b, &c)
            }
        }
    }

    fn encode_signal(&mut self, step: u32, signal: SignalId) -> Result<E::Word, Rejection> {
        let declared = self.steps.system.signal(signal);
        let (read_step, definition) = self.definition(step, signal);
        let word = match definition {
            Definition::Open => self.steps.gates.fresh_word(&declared.sort)?,
            Definition::Const(value) => self.steps.gates.constant_word(value)?,
            Definition::Expr(expr) => self.known(Key::System(read_step, expr))?,
            Definition::Inverted(expr) => {
                let word = self.known(Key::System(read_step, expr))?;
                self.steps.gates.unary(&UnaryOp::Not, &word)?
            }
        };
        if E::sort(&word) != declared.sort {
            return Err(Rejection::Malformed(format!("{} is defined at another sort", declared.name)));
        }
        let Steps { selectors, gates, system, .. } = &mut *self.steps;
        let site = match declared.kind {
            SignalKind::Wire { .. } => Some(Site::Wire(signal)),
            SignalKind::State { .. } if step > 0 => Some(Site::Next(signal)),
            SignalKind::State { .. } | SignalKind::Input => None,
        };
        match site.filter(|_| !selectors.is_empty()).and_then(|site| system.element_at(site)) {
            Some(element) => gates.multiplexed(selectors, element, &declared.sort, word),
            None => Ok(word),
        }
    }
}
