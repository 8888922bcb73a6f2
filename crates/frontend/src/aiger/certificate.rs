//! Witness circuits: proofs in the format of the hardware model checking competition.
//!
//! A witness circuit W certifies a model M when W behaves like M on the latches and inputs they share (its symbol table
//! says which: `= literal of M`), W's property implies M's, and W's property is inductive. A checker then needs five SAT
//! queries on the two circuits (reset, transition, safety, base, step) and nothing from us.
//!
//! Write Q for the conjunction of the property and the lemmas. If Q is 1-inductive, W is M with the property Q. If it is
//! k-inductive for k > 1, W remembers the k − 1 steps before the current one: latches `valid(j)`, and copies of all
//! inputs and latches on which Q depends, for each age j from 1 to k − 1. They start with `valid` off, and shift by one age in each
//! step. W's property says that what is remembered is the recent past, as far as it is valid:
//!
//! - Q holds in the current step;
//! - if age j is valid, then so is age j − 1, Q and all constraints hold at age j, and its next state is that of age j − 1;
//! - if age j is not valid and age j − 1 is (or is the current step), then age j − 1 is in reset.
//!
//! This is inductive. In a step all claims about age j move to age j + 1, and those about age 1 are the claims about the
//! former current step. Q in the new step follows from consecution if all ages were valid; otherwise the past is
//! complete and begins with a reset, and Q follows from initiation.
//!
//! A proof over simple paths has no such circuit: the argument shortens whole runs, of which any fixed number of
//! remembered steps sees only the end.
//!
//! # References
//! E. Yu, A. Biere, K. Heljanko. *Progress in Certifying Hardware Model Checking Results.* CAV 2021. E. Yu, N. Froleyks,
//! A. Biere, K. Heljanko. *Stratified Certification for k-Induction.* FMCAD 2022. Theirs is the idea of remembering steps;
//! the circuit here differs in that only steps before the current one are remembered, so that resets stay constants and
//! the shared latches keep their functions. The format and its checks are those of the tool Certifaiger.

use super::{And, Latch, Literal, Model, Reset, Symbol, SymbolKind};
use propcov_ir::{
    BitAlgebra, ExprId, Invariant, Node, Proof, PropertyId, SignalId, SignalKind, System, Unsupported, Word,
    words,
};
use rustc_hash::FxHashMap;
use thiserror::Error;

/// Why a proof has no witness circuit.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CertificateError {
    /// The property is not one of the model's bad states.
    #[error("property {0} is no bad state of the file")]
    NotABadState(u32),
    /// The system is not the model's.
    #[error("the system has {states} states, the file {latches} latches")]
    NotThisModel {
        /// States of the system.
        states: usize,
        /// Latches of the model.
        latches: usize,
    },
    /// Simple paths.
    #[error("a proof over simple paths has no witness circuit")]
    SimplePath,
    /// An induction of length 0, or one so long that the circuit would not fit the format.
    #[error("induction of length {0} has no witness circuit")]
    Length(u32),
    /// A lemma that does not exist, or reads something that is no state.
    #[error("a lemma is no expression over latches")]
    Lemma,
    /// A lemma has no circuit.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
}

/// The model with only one of its bad states, which is what a witness circuit is about. Checkers read all bad states, and
/// justice properties too, so a model that has more must be certified against this one.
pub fn single_property(model: &Model, property: PropertyId) -> Result<Model, CertificateError> {
    let bad = bad_state(model, property)?;
    let mut single = Model { justice: Vec::new(), fairness: Vec::new(), ..model.clone() };
    let dropped = [SymbolKind::Output, SymbolKind::Bad, SymbolKind::Justice, SymbolKind::Fairness];
    single.symbols.retain(|symbol| !dropped.contains(&symbol.kind));
    set_bad_state(&mut single, model.outputs_are_bad(), bad);
    Ok(single)
}

/// The witness circuit for a proof about one of the model's bad states. `system` is what the model was translated to, and
/// the proof is about it without edits.
pub fn witness_circuit(
    model: &Model,
    system: &System,
    property: PropertyId,
    proof: &Proof,
) -> Result<Model, CertificateError> {
    bad_state(model, property)?;
    if system.states().len() != model.latches.len() {
        let (states, latches) = (system.states().len(), model.latches.len());
        return Err(CertificateError::NotThisModel { states, latches });
    }
    if proof.simple_path {
        return Err(CertificateError::SimplePath);
    }
    let per_step = (model.inputs.len() + model.latches.len() + 8 * model.ands.len() + 8) as u64;
    if proof.k == 0 || u64::from(proof.k).saturating_mul(per_step) > 1 << 30 {
        return Err(CertificateError::Length(proof.k));
    }
    let renumbered = model.consecutive();
    let variables = variables_of_signals(model, system);
    let cone = cone(&renumbered, &variables, bad_state(&renumbered, property)?, &proof.invariant);
    let witness = Witness::new(&renumbered, cone, proof.k);
    let mut certificate = witness.build(&variables, property, &proof.invariant)?;
    let mapped = |kind, literals: Vec<Literal>| {
        literals.into_iter().zip(0..).map(move |(literal, position)| Symbol {
            kind,
            position,
            name: format!("= {}", literal.0),
        })
    };
    certificate.symbols.extend(mapped(SymbolKind::Input, model.inputs.clone()));
    let latches = model.latches.iter().map(|latch| latch.current).collect();
    certificate.symbols.extend(mapped(SymbolKind::Latch, latches));
    let letter = if model.outputs_are_bad() { 'o' } else { 'b' };
    let path: String = system.files.first().map(|file| file.path.clone()).unwrap_or_default();
    let path: String = path.chars().filter(|character| !character.is_control()).collect();
    certificate.comment = Some(format!("WITNESS {letter}{} {path}\n", property.0).into_bytes());
    Ok(certificate)
}

fn bad_state(model: &Model, property: PropertyId) -> Result<Literal, CertificateError> {
    let bad = model.bad_states().get(property.0 as usize);
    bad.copied().ok_or(CertificateError::NotABadState(property.0))
}

fn set_bad_state(model: &mut Model, as_output: bool, bad: Literal) {
    (model.outputs, model.bads) = if as_output { (vec![bad], vec![]) } else { (vec![], vec![bad]) };
}

/// A witness under construction.
struct Witness<'m> {
    /// The model, numbered consecutively.
    model: &'m Model,
    graph: Graph,
    /// Which variables of the model matter for Q and the constraints, in this step or a later one.
    cone: Vec<bool>,
    /// Inputs and latches of each step that is known: the current one, then by age. What is not remembered, because it
    /// is not in the cone, is false.
    steps: Vec<Vec<Literal>>,
    /// `valid` by age; the current step always is.
    valid: Vec<Literal>,
}

/// One step: the values of the model's variables, and of the lemmas.
struct Copy {
    /// By variable.
    literals: Vec<Literal>,
    /// Q.
    holds: Literal,
}

impl<'m> Witness<'m> {
    /// Numbers inputs, then the model's latches, then for each age `valid` and the copies.
    fn new(model: &'m Model, cone: Vec<bool>, k: u32) -> Witness<'m> {
        let shared = (model.inputs.len() + model.latches.len()) as u32;
        let mut variables = 0..;
        let mut fresh = || Literal::positive(variables.next().unwrap_or(u32::MAX >> 1));
        let (constant, current) = (fresh(), (0..shared).map(|_| fresh()).collect());
        let (mut steps, mut valid) = (vec![current], vec![!constant]);
        for _ in 1..k {
            valid.push(fresh());
            let remember = |variable: u32| if cone[variable as usize] { fresh() } else { Literal::FALSE };
            steps.push((1..=shared).map(remember).collect());
        }
        let graph = Graph::new(fresh().variable() - 1);
        Witness { model, graph, cone, steps, valid }
    }

    fn build(
        mut self,
        variables: &FxHashMap<SignalId, u32>,
        property: PropertyId,
        invariant: &Invariant,
    ) -> Result<Model, CertificateError> {
        let copies: Result<Vec<Copy>, CertificateError> =
            (0..self.steps.len()).map(|age| self.copy(age, variables, property, invariant)).collect();
        let copies = copies?;
        let mut good = copies[0].holds;
        for age in 1..copies.len() {
            let remembered = self.remembered(&copies, age);
            let complete = self.complete(age);
            good = self.graph.and(&good, &remembered);
            good = self.graph.and(&good, &complete);
        }
        Ok(self.finish(&copies[0], !good))
    }

    /// All gates in the step of an age; but in the past only those of the cone.
    fn copy(
        &mut self,
        age: usize,
        variables: &FxHashMap<SignalId, u32>,
        property: PropertyId,
        invariant: &Invariant,
    ) -> Result<Copy, CertificateError> {
        let mut literals = vec![Literal::FALSE];
        literals.extend(&self.steps[age]);
        for and in &self.model.ands {
            literals.push(if age == 0 || self.cone[and.output.variable() as usize] {
                self.graph.and(&read(&literals, and.left), &read(&literals, and.right))
            } else {
                Literal::FALSE
            });
        }
        let mut holds = !read(&literals, bad_state(self.model, property)?);
        let value = |signal: &SignalId| variables.get(signal).map(|variable| literals[*variable as usize]);
        for lemma in lemma_literals(&mut self.graph, invariant, value)? {
            holds = self.graph.and(&holds, &lemma);
        }
        Ok(Copy { literals, holds })
    }

    /// The latches of the cone and their values at an age.
    fn latches(&self, age: usize) -> Vec<(Latch, Literal)> {
        let values = self.steps[age][self.model.inputs.len()..].iter().copied();
        let latches = self.model.latches.iter().copied().zip(values);
        latches.filter(|(latch, _)| self.cone[latch.current.variable() as usize]).collect()
    }

    /// If an age is valid, then so is the one after it, which follows from it by a transition; Q and constraints hold.
    fn remembered(&mut self, copies: &[Copy], age: usize) -> Literal {
        let mut all = self.graph.and(&copies[age].holds, &self.valid[age - 1]);
        for constraint in &self.model.constraints {
            all = self.graph.and(&all, &read(&copies[age].literals, *constraint));
        }
        for (latch, value) in self.latches(age - 1) {
            let differ = self.graph.xor(&read(&copies[age].literals, latch.next), &value);
            all = self.graph.and(&all, &!differ);
        }
        !self.graph.and(&self.valid[age], &!all)
    }

    /// If an age is not valid but the one after it is, that one is in reset.
    fn complete(&mut self, age: usize) -> Literal {
        let mut reset = Literal::TRUE;
        for (latch, value) in self.latches(age - 1) {
            reset = match latch.reset {
                Reset::Zero => self.graph.and(&reset, &!value),
                Reset::One => self.graph.and(&reset, &value),
                Reset::Open => reset,
            };
        }
        let first = self.graph.and(&!self.valid[age], &self.valid[age - 1]);
        !self.graph.and(&first, &!reset)
    }

    fn finish(self, current: &Copy, bad: Literal) -> Model {
        let inputs = self.model.inputs.len();
        let mut latches: Vec<Latch> = Vec::new();
        for (latch, literal) in self.model.latches.iter().zip(&self.steps[0][inputs..]) {
            let next = read(&current.literals, latch.next);
            latches.push(Latch { current: *literal, next, reset: latch.reset });
        }
        let zero = |current, next| Latch { current, next, reset: Reset::Zero };
        for age in 1..self.steps.len() {
            latches.push(zero(self.valid[age], self.valid[age - 1]));
            let pairs = self.steps[age].iter().zip(&self.steps[age - 1]);
            let remembered = pairs.filter(|(older, _)| **older != Literal::FALSE);
            latches.extend(remembered.map(|(older, newer)| zero(*older, *newer)));
        }
        let constraints = self.model.constraints.iter();
        let mut witness = Model {
            max_variable: self.graph.variables,
            inputs: self.steps[0][..inputs].to_vec(),
            latches,
            constraints: constraints.map(|literal| read(&current.literals, *literal)).collect(),
            ands: self.graph.ands,
            ..Model::default()
        };
        set_bad_state(&mut witness, self.model.outputs_are_bad(), bad);
        witness
    }
}

/// The variable of each signal, when the model is numbered consecutively. Gates are the system's wires, in the order of the model.
fn variables_of_signals(model: &Model, system: &System) -> FxHashMap<SignalId, u32> {
    let gates = Model { outputs: model.ands.iter().map(|and| and.output).collect(), ..model.clone() };
    let gates = gates.consecutive().outputs.into_iter().map(Literal::variable);
    let is_wire = |signal: &SignalId| matches!(system.signal(*signal).kind, SignalKind::Wire { .. });
    let wires = (0..system.signals().len() as u32).map(SignalId).filter(is_wire);
    let leaves = system.inputs().iter().chain(system.states()).copied();
    leaves.zip(1..).chain(wires.zip(gates)).collect()
}

/// The variables on which the bad state, the constraints and the lemmas depend, through any number of steps. The model is
/// numbered consecutively: gates come after what they read.
fn cone(
    model: &Model,
    variables: &FxHashMap<SignalId, u32>,
    bad: Literal,
    invariant: &Invariant,
) -> Vec<bool> {
    let first_latch = 1 + model.inputs.len();
    let first_gate = first_latch + model.latches.len();
    let mut cone = vec![false; first_gate + model.ands.len()];
    let mut open: Vec<u32> =
        model.constraints.iter().chain([&bad]).map(|literal| literal.variable()).collect();
    for index in 0..invariant.exprs.len() {
        if let Node::Signal(signal) = invariant.exprs.node(ExprId(index as u32)) {
            open.extend(variables.get(signal));
        }
    }
    while let Some(variable) = open.pop() {
        let place = variable as usize;
        if std::mem::replace(&mut cone[place], true) {
            continue;
        }
        if let Some(and) = place.checked_sub(first_gate).and_then(|gate| model.ands.get(gate)) {
            open.extend([and.left.variable(), and.right.variable()]);
        } else if let Some(latch) = place.checked_sub(first_latch).and_then(|latch| model.latches.get(latch))
        {
            open.push(latch.next.variable());
        }
    }
    cone
}

fn read(literals: &[Literal], literal: Literal) -> Literal {
    Literal(literals[literal.variable() as usize].0 ^ literal.0 & 1)
}

/// The lemmas in one step.
fn lemma_literals(
    graph: &mut Graph,
    invariant: &Invariant,
    value: impl Fn(&SignalId) -> Option<Literal>,
) -> Result<Vec<Literal>, CertificateError> {
    let exprs = &invariant.exprs;
    let mut found: FxHashMap<ExprId, Word<Literal>> = FxHashMap::default();
    let mut open = invariant.lemmas.clone();
    if open.iter().any(|lemma| lemma.0 as usize >= exprs.len()) {
        return Err(CertificateError::Lemma);
    }
    while let Some(&expr) = open.last() {
        if found.contains_key(&expr) {
            open.pop();
            continue;
        }
        let before = open.len();
        open.extend(exprs.operands(expr).filter(|operand| !found.contains_key(operand)));
        if open.len() > before {
            continue;
        }
        let word = match exprs.node(expr) {
            Node::Signal(signal) => match value(signal) {
                Some(literal) => Word::Bits(vec![literal]),
                None => return Err(CertificateError::Lemma),
            },
            Node::Next(_) => return Err(CertificateError::Lemma),
            _ => {
                let operands: Vec<&Word<Literal>> =
                    exprs.operands(expr).map(|operand| &found[&operand]).collect();
                words::apply(graph, exprs, expr, &operands)?
            }
        };
        found.insert(expr, word);
    }
    invariant.lemmas.iter().map(|lemma| Ok(*found[lemma].bit()?)).collect()
}

/// Gates, each with operands that come before it; equal ones are one.
struct Graph {
    variables: u32,
    ands: Vec<And>,
    known: FxHashMap<(Literal, Literal), Literal>,
}

impl Graph {
    /// No gates yet, above the variables that are taken.
    fn new(variables: u32) -> Graph {
        Graph { variables, ands: Vec::new(), known: FxHashMap::default() }
    }
}

impl BitAlgebra for Graph {
    type Bit = Literal;

    fn constant(&mut self, value: bool) -> Literal {
        if value { Literal::TRUE } else { Literal::FALSE }
    }

    fn not(&mut self, a: &Literal) -> Literal {
        !*a
    }

    fn and(&mut self, a: &Literal, b: &Literal) -> Literal {
        let (left, right) = (*a.max(b), *a.min(b));
        if right == Literal::FALSE || left == !right {
            return Literal::FALSE;
        }
        if right == Literal::TRUE || left == right {
            return left;
        }
        *self.known.entry((left, right)).or_insert_with(|| {
            self.variables += 1;
            let output = Literal::positive(self.variables);
            self.ands.push(And { output, left, right });
            output
        })
    }
}
