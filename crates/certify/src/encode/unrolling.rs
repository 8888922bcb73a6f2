//! Steps of a system, encoded as they are asked for.
//!
//! Whatever an expression reads is encoded first, by a depth-first search with an explicit stack: through operands, from
//! a wire to its definition in the same step, from a state to its next-state function in the step before, or to its
//! initial value. The overlay of edits is asked at each of these definitions.

use super::gates::Gates;
use super::word::Word;
use crate::Rejection;
use propcov_ir::{
    ConstraintId, Definition, Edits, ExprId, ExprPool, Node, SignalId, SignalKind, Site, System, UnaryOp,
};
use propcov_sat::{Budget, Lit};
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

/// Steps of a system in a solver.
pub(crate) struct Unrolling<'a, 's> {
    pub(crate) gates: Gates<'s>,
    system: &'a System,
    edits: &'a Edits,
    claim: &'a ExprPool,
    start: Start,
    budget: &'a Budget,
    /// What was encoded; `None` while the search is below it.
    words: FxHashMap<Key, Option<Word>>,
}

impl<'a, 's> Unrolling<'a, 's> {
    /// No step yet. `claim` owns the lemmas, whose signals are the system's.
    pub(crate) fn new(
        gates: Gates<'s>,
        system: &'a System,
        edits: &'a Edits,
        claim: &'a ExprPool,
        start: Start,
        budget: &'a Budget,
    ) -> Unrolling<'a, 's> {
        Unrolling { gates, system, edits, claim, start, budget, words: FxHashMap::default() }
    }

    /// A Boolean expression of the system, in a step.
    pub(crate) fn condition(&mut self, step: u32, expr: ExprId) -> Result<Lit, Rejection> {
        self.boolean(Key::System(step, expr))
    }

    /// A Boolean expression of the claim, in a step.
    pub(crate) fn lemma(&mut self, step: u32, expr: ExprId) -> Result<Lit, Rejection> {
        self.boolean(Key::Claim(step, expr))
    }

    /// What a constraint asks for in a step, or between it and the following one; `None` if it was dropped.
    pub(crate) fn constraint(&mut self, step: u32, id: ConstraintId) -> Result<Option<Lit>, Rejection> {
        Ok(match self.system.definition(self.edits, Site::Constraint(id)) {
            Definition::Open => None,
            Definition::Expr(expr) => Some(self.condition(step, expr)?),
            Definition::Inverted(expr) => Some(!self.condition(step, expr)?),
            Definition::Const(value) => match self.gates.constant_word(value)?.as_bool() {
                Some(literal) => Some(literal),
                None => return Err(Rejection::Malformed("a constraint that is no Boolean".to_owned())),
            },
        })
    }

    /// The value of a signal in a step.
    pub(crate) fn signal(&mut self, step: u32, signal: SignalId) -> Result<Word, Rejection> {
        self.search(Key::Signal(step, signal))
    }

    /// The value of a signal in a step, if anything asked for it.
    pub(crate) fn encoded_signal(&self, step: u32, signal: SignalId) -> Option<&Word> {
        self.words.get(&Key::Signal(step, signal))?.as_ref()
    }

    fn boolean(&mut self, key: Key) -> Result<Lit, Rejection> {
        let word = self.search(key)?;
        word.as_bool().ok_or_else(|| Rejection::Malformed("a condition that is no Boolean".to_owned()))
    }

    fn search(&mut self, root: Key) -> Result<Word, Rejection> {
        if let Some(Some(word)) = self.words.get(&root) {
            return Ok(word.clone());
        }
        let mut stack = vec![(root, false)];
        let mut visited = 0u32;
        while let Some((key, entered)) = stack.pop() {
            if entered {
                let word = self.encode(key)?;
                self.words.insert(key, Some(word));
                continue;
            }
            match self.words.entry(key) {
                Entry::Occupied(entry) if entry.get().is_some() => continue,
                // The search is below this very key: it depends on itself.
                Entry::Occupied(_) => {
                    return Err(Rejection::Malformed(
                        "a definition depends on itself within a step".to_owned(),
                    ));
                }
                Entry::Vacant(entry) => entry.insert(None),
            };
            visited += 1;
            if visited.is_multiple_of(1 << 12) && self.budget.is_exhausted() {
                return Err(Rejection::Undecided);
            }
            stack.push((key, true));
            self.for_each_dependency(key, |dependency| stack.push((dependency, false)))?;
        }
        self.known(root)
    }

    fn known(&self, key: Key) -> Result<Word, Rejection> {
        let word = self.words.get(&key).cloned().flatten();
        word.ok_or_else(|| Rejection::Malformed(format!("{key:?} is read before it is defined")))
    }

    /// Calls `visit` for what must be encoded before the key.
    fn for_each_dependency(&self, key: Key, mut visit: impl FnMut(Key)) -> Result<(), Rejection> {
        match key {
            Key::System(step, expr) | Key::Claim(step, expr) => {
                let of_claim = matches!(key, Key::Claim(..));
                let pool = if of_claim { self.claim } else { &self.system.exprs };
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
                    Node::Next(signal) => match self.system.signals().get(signal.0 as usize) {
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

    /// The signal, if it may be read: one that exists, and for a lemma's leaf, a state of the sort that the leaf says.
    fn readable(&self, signal: SignalId, lemma_leaf: Option<ExprId>) -> Result<SignalId, Rejection> {
        let Some(declared) = self.system.signals().get(signal.0 as usize) else {
            return Err(Rejection::no_such_signal(signal));
        };
        if let Some(leaf) = lemma_leaf {
            if !matches!(declared.kind, SignalKind::State { .. }) {
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
        match self.system.signal(signal).kind {
            SignalKind::Input => (step, Definition::Open),
            SignalKind::Wire { .. } => (step, self.system.definition(self.edits, Site::Wire(signal))),
            SignalKind::State { .. } if step > 0 => {
                (step - 1, self.system.definition(self.edits, Site::Next(signal)))
            }
            SignalKind::State { .. } if self.start == Start::Initial => {
                (step, self.system.definition(self.edits, Site::Init(signal)))
            }
            SignalKind::State { .. } => (step, Definition::Open),
        }
    }

    /// The word for a key whose dependencies are encoded.
    fn encode(&mut self, key: Key) -> Result<Word, Rejection> {
        let (pool, step, expr) = match key {
            Key::System(step, expr) => (&self.system.exprs, step, expr),
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
            Node::Const(value) => self.gates.constant_word(value),
            Node::Unary(op, a) => {
                let a = operand(*a)?;
                self.gates.unary(op, &a)
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (operand(*a)?, operand(*b)?);
                self.gates.binary(*op, &a, &b)
            }
            Node::Ternary(op, a, b, c) => {
                let (a, b, c) = (operand(*a)?, operand(*b)?, operand(*c)?);
                self.gates.ternary(*op, &a, &b, &c)
            }
        }
    }

    fn encode_signal(&mut self, step: u32, signal: SignalId) -> Result<Word, Rejection> {
        let declared = self.system.signal(signal);
        let (read_step, definition) = self.definition(step, signal);
        let word = match definition {
            Definition::Open => self.gates.fresh_word(&declared.sort)?,
            Definition::Const(value) => self.gates.constant_word(value)?,
            Definition::Expr(expr) => self.known(Key::System(read_step, expr))?,
            Definition::Inverted(expr) => {
                let word = self.known(Key::System(read_step, expr))?;
                self.gates.unary(&UnaryOp::Not, &word)?
            }
        };
        if word.sort() != declared.sort {
            return Err(Rejection::Malformed(format!("{} is defined at another sort", declared.name)));
        }
        Ok(word)
    }
}
