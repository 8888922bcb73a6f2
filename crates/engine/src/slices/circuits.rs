//! Paths of finite systems: one netlist with a selector for each element that can be dropped, one CaDiCaL.
//!
//! Lemmas come later than the netlist and are circuits over its latches, in a graph of their own. A gate gets a literal in a step when a claim about that step needs it; so lemmas that nobody asks about
//! cost nothing.

use super::path::{Claim, Path};
use crate::limits::Limits;
use propcov_ir::words::{self, Word};
use propcov_ir::{
    Edits, ElementId, ElementSet, ExprId, Followed, Invariant, Mutant, Mutation, Node, PropertyId, SignalId,
    System, UnknownReason,
};
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};
use propcov_solve::aig::Gate;
use propcov_solve::{Aig, Bit, Contents, Frames, Netlist, Template};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A path of a finite system.
pub struct Circuits<'s> {
    system: &'s System,
    initial: bool,
    solver: Cadical,
    path: Frames<Rc<Netlist>, Rc<Template>>,
    /// For each frame, the literal under which its constraints hold.
    on: Vec<Lit>,
    selectors: Vec<(ElementId, Lit)>,
    lemmas: Lemmas,
}

impl<'s> Circuits<'s> {
    /// The path of the cone of a property, from the beginning of a run or from anywhere.
    ///
    /// # Errors
    /// When the system has something that circuits cannot represent.
    pub fn new(
        system: &'s System,
        property: PropertyId,
        droppable: &ElementSet,
        initial: bool,
        seed: u64,
    ) -> Result<Circuits<'s>, UnknownReason> {
        let free = |element| Mutant { element, mutation: Mutation::Free };
        let selectable: Vec<Mutant> = droppable.iter().map(free).collect();
        let contents = Contents { properties: &[property], selectable: &selectable, ..Contents::default() };
        let netlist = Netlist::with_contents(system, &Edits::none(), contents)
            .map_err(|error| UnknownReason::Unsupported(error.to_string()))?;
        let template = Template::new(&netlist.aig, &netlist.roots(), &netlist.leaves());
        let lemmas = Lemmas::new(system, &netlist);
        let mut circuits = Circuits {
            system,
            initial,
            solver: Cadical::new(CadicalConfig { seed, ..CadicalConfig::default() }),
            path: Frames::new(Rc::new(netlist), Rc::new(template)),
            on: Vec::new(),
            selectors: Vec::new(),
            lemmas,
        };
        circuits.extend_to(0);
        let selectors = circuits.path.netlist().selectors.iter();
        circuits.selectors = selectors
            .map(|selector| (selector.mutant.element, !circuits.path.literal(0, selector.bit)))
            .collect();
        circuits.selectors.sort_unstable_by_key(|(element, _)| *element);
        // A run that drops little is worth more.
        for (_, keep) in &circuits.selectors {
            circuits.solver.set_phase(*keep);
        }
        Ok(circuits)
    }

    /// Adds the frames up to a step.
    fn extend_to(&mut self, step: usize) {
        while self.path.len() <= step {
            let on = self.fresh();
            self.path.extend_unless(Some(!on), &mut self.solver);
            if self.initial && self.path.len() == 1 {
                self.path.assert_initial(&mut self.solver);
            }
            self.on.push(on);
        }
    }
}

impl Path for Circuits<'_> {
    fn selectors(&self) -> &[(ElementId, Lit)] {
        &self.selectors
    }

    fn learn(&mut self, lemmas: &Invariant) {
        self.lemmas.learn(self.system, lemmas);
    }

    fn on(&mut self, step: usize) -> Result<Lit, UnknownReason> {
        self.extend_to(step);
        Ok(self.on[step])
    }

    fn claim(&mut self, claim: Claim, step: usize) -> Result<Lit, UnknownReason> {
        self.extend_to(step);
        match claim {
            Claim::Property => Ok(!self.path.literal(step, self.path.netlist().bads[0])),
            Claim::Lemma(lemma) => {
                let path = &self.path;
                let latch = |position: usize| path.literal(step, path.netlist().latches[position].bit);
                self.lemmas.literal(lemma, step, latch, &mut self.solver)
            }
        }
    }

    fn fresh(&mut self) -> Lit {
        Solver::new_var(&mut self.solver).positive()
    }

    fn clause(&mut self, clause: &[Lit]) {
        Solver::add_clause(&mut self.solver, clause);
    }

    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Outcome {
        let budget = limits.query(self.solver.ticks());
        self.solver.solve(assumptions, &budget)
    }

    fn failed(&self, assumption: Lit) -> bool {
        self.solver.failed(assumption)
    }

    fn holds(&self, literal: Lit) -> bool {
        self.solver.holds(literal)
    }

    fn run(&self, last: usize, dropped: &ElementSet) -> Result<Followed, UnknownReason> {
        if last >= self.path.len() {
            return Err(UnknownReason::Incomplete(format!("the path does not reach step {last}")));
        }
        let mut path = self.path.path(&self.solver);
        path.steps.truncate(last + 1);
        // What may be dropped, but is not, has a value of its own in the model that nothing reads.
        let kept = self.selectors.iter().filter(|(_, keep)| self.solver.holds(*keep));
        let kept: ElementSet = kept.map(|(element, _)| *element).collect();
        path.followed(self.path.netlist(), self.system, &dropped.difference(&kept))
            .map_err(|error| UnknownReason::NotCertified(error.to_string()))
    }

    fn ticks(&self) -> u64 {
        self.solver.ticks()
    }
}

/// Conjunctions of up to so many literals become one gate.
const WIDEST_GATE: usize = 64;

/// Lemmas as circuits over latches, and the literals that they have in frames so far.
struct Lemmas {
    aig: Aig,
    /// The states of the netlist, as leaves of the graph.
    states: FxHashMap<SignalId, Word<Bit>>,
    /// For each leaf of the graph, the position of its latch in the netlist.
    latch_of: FxHashMap<usize, usize>,
    /// Each lemma that was told, or why it has no circuit.
    roots: Vec<Result<Bit, UnknownReason>>,
    /// For each frame, the literals of nodes.
    literals: Vec<FxHashMap<usize, Lit>>,
}

impl Lemmas {
    fn new(system: &System, netlist: &Netlist) -> Lemmas {
        let (mut aig, mut latch_of) = (Aig::new(), FxHashMap::default());
        let mut bits: FxHashMap<SignalId, Vec<Bit>> = FxHashMap::default();
        // The latches of a state are listed in the order of its bits.
        for (position, latch) in netlist.latches.iter().enumerate() {
            let leaf = aig.leaf();
            latch_of.insert(leaf.node(), position);
            bits.entry(latch.origin.state).or_default().push(leaf);
        }
        let word = |(state, bits): (SignalId, Vec<Bit>)| {
            let mut bits = bits.into_iter();
            let word = Word::build(&system.signal(state).sort, || bits.next().unwrap_or(Bit::FALSE));
            Some((state, word.ok()?))
        };
        let states = bits.into_iter().filter_map(word).collect();
        Lemmas { aig, states, latch_of, roots: Vec::new(), literals: Vec::new() }
    }

    fn learn(&mut self, system: &System, invariant: &Invariant) {
        let mut words: Vec<Result<Word<Bit>, UnknownReason>> = Vec::with_capacity(invariant.exprs.len());
        // Operands precede what uses them.
        for index in 0..invariant.exprs.len() {
            let word = self.word(system, invariant, ExprId(index as u32), &words);
            words.push(word);
        }
        let bit = |word: &Word<Bit>| word.bit().copied().map_err(|error| unsupported(&error));
        for lemma in &invariant.lemmas {
            self.roots.push(words[lemma.0 as usize].as_ref().map_err(Clone::clone).and_then(bit));
        }
    }

    fn word(
        &mut self,
        system: &System,
        invariant: &Invariant,
        expr: ExprId,
        words: &[Result<Word<Bit>, UnknownReason>],
    ) -> Result<Word<Bit>, UnknownReason> {
        if let Node::Signal(signal) = *invariant.exprs.node(expr) {
            return self.states.get(&signal).cloned().ok_or_else(|| {
                let name = &system.signal(signal).name;
                UnknownReason::Unsupported(format!("a lemma about {name}, which is no state of the cone"))
            });
        }
        let operands = invariant.exprs.operands(expr);
        let operands: Vec<&Word<Bit>> = operands
            .map(|operand| words[operand.0 as usize].as_ref().map_err(Clone::clone))
            .collect::<Result<_, _>>()?;
        words::apply(&mut self.aig, &invariant.exprs, expr, &operands).map_err(|error| unsupported(&error))
    }

    /// The literal of a lemma in a frame.
    fn literal(
        &mut self,
        lemma: usize,
        frame: usize,
        latch: impl Fn(usize) -> Lit,
        solver: &mut Cadical,
    ) -> Result<Lit, UnknownReason> {
        let missing = || UnknownReason::Unsupported(format!("lemma {lemma}, of which nothing is known"));
        let root = self.roots.get(lemma).ok_or_else(missing)?.clone()?;
        if self.literals.len() <= frame {
            self.literals.resize_with(frame + 1, FxHashMap::default);
        }
        let known = &mut self.literals[frame];
        let mut open = vec![root.node()];
        while let Some(&node) = open.last() {
            if known.contains_key(&node) {
                open.pop();
                continue;
            }
            let definition = match self.aig.gate(node) {
                Gate::Leaf => latch(self.latch_of[&node]),
                Gate::False => {
                    let constant = Solver::new_var(solver).positive();
                    solver.add_clause(&[!constant]);
                    constant
                }
                Gate::And(..) => {
                    let inputs = conjuncts(&self.aig, node);
                    let before = open.len();
                    open.extend(inputs.iter().map(|bit| bit.node()).filter(|node| !known.contains_key(node)));
                    if open.len() > before {
                        continue;
                    }
                    let inputs: Vec<Lit> = inputs.iter().map(|bit| edge(known, *bit)).collect();
                    conjunction(&inputs, solver)
                }
            };
            known.insert(node, definition);
            open.pop();
        }
        Ok(edge(known, root))
    }
}

fn unsupported(error: &words::Unsupported) -> UnknownReason {
    UnknownReason::Unsupported(error.to_string())
}

fn edge(literals: &FxHashMap<usize, Lit>, bit: Bit) -> Lit {
    literals[&bit.node()].negated_if(bit.is_negated())
}

/// What a conjunction is made of, through conjunctions below it as long as there are few.
fn conjuncts(aig: &Aig, node: usize) -> Vec<Bit> {
    let (mut inputs, mut open) = (Vec::new(), vec![Bit::of_node(node, false)]);
    while let Some(bit) = open.pop() {
        match aig.gate(bit.node()) {
            Gate::And(a, b) if !bit.is_negated() && inputs.len() + open.len() < WIDEST_GATE => {
                open.extend([a, b]);
            }
            _ => inputs.push(bit),
        }
    }
    inputs.sort_unstable();
    inputs.dedup();
    inputs
}

/// A literal that is equivalent to a conjunction.
fn conjunction(inputs: &[Lit], solver: &mut Cadical) -> Lit {
    let output = Solver::new_var(solver).positive();
    let mut all = vec![output];
    for input in inputs {
        solver.add_clause(&[!output, *input]);
        all.push(!*input);
    }
    solver.add_clause(&all);
    output
}
