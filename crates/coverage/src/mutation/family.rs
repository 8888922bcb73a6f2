//! All mutants of one design in one netlist: the multiplexers of Chockler, Kroening and Purandare 2010, Fig. 1.
//!
//! Encoded once per property. A mutant is an assumption on selectors, or the same clauses with the selectors fixed; it is never
//! encoded by itself.

use propcov_engine::finite::{Arrays, Lemmas as EngineLemmas, Problem};
use propcov_ir::{Edits, ExprId, ExprPool, Invariant, Mutant, Node, Proof, PropertyId, System};
use propcov_sat::{Lit, Var};
use propcov_solve::{Bit, ClauseSink, Contents, Netlist, Selector, Template, Unroller, Unsupported};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A lemma as a disjunction of bits of the netlist.
pub(crate) type Clause = Vec<Bit>;

static UNEDITED: Edits = Edits::none();

/// One property's cone with all mutants in it.
pub(crate) struct Family<'s> {
    /// The netlist with its multiplexers, and its clauses.
    pub(crate) problem: Problem<'s>,
    /// For each mutant asked for, its position among the netlist's selectors; `None` outside the cone.
    selector_of: Vec<Option<usize>>,
    /// How many of the netlist's predicates are lemmas of the proof. The others are advice.
    own: usize,
}

/// The most lemmas of others that are looked at.
const ADVISED: usize = 2000;

impl<'s> Family<'s> {
    /// Encodes the cone of a property and of the lemmas of its invariant, with multiplexers for those of the mutants that are listed. Lemmas of other proofs are
    /// taken over where they speak of the cone alone.
    pub(crate) fn new(
        system: &'s System,
        property: PropertyId,
        invariant: &Invariant,
        advice: &[Arc<Proof>],
        mutants: &[Mutant],
        listed: &[usize],
        arrays: Arrays,
    ) -> Result<Family<'s>, Unsupported> {
        let selectable: Vec<Mutant> = listed.iter().map(|mutant| mutants[*mutant]).collect();
        let advised = (!advice.is_empty()).then(|| {
            with_advice(system, &[property], invariant, advice.iter().map(|proof| &*proof.invariant))
        });
        let own = invariant.lemmas.len();
        let contents = Contents {
            properties: &[property],
            invariant: Some(advised.as_ref().unwrap_or(invariant)),
            selectable: &selectable,
            tables: Some(arrays.tables()),
            ..Contents::default()
        };
        let netlist = Netlist::with_contents(system, &Edits::none(), contents)?;
        let template = Template::new(&netlist.aig, &netlist.roots(), &netlist.leaves());
        let position: FxHashMap<Mutant, usize> =
            netlist.selectors.iter().enumerate().map(|(at, selector)| (selector.mutant, at)).collect();
        let selector_of = mutants.iter().map(|mutant| position.get(mutant).copied()).collect();
        let problem = Problem { system, edits: &UNEDITED, property, netlist: Arc::new(netlist), template };
        Ok(Family { problem, selector_of, own })
    }

    /// Nodes and variables, as a measure of what it takes to keep it.
    pub(crate) fn size(&self) -> usize {
        self.problem.netlist.aig.len() + self.problem.template.variables
    }

    /// Whether the property depends on the mutated element at all.
    pub(crate) fn contains(&self, mutant: usize) -> bool {
        self.selector_of[mutant].is_some()
    }

    /// The position of the mutant's selector in the netlist.
    pub(crate) fn selector(&self, mutant: usize) -> Option<usize> {
        self.selector_of[mutant]
    }

    /// The selector of a mutant, as a bit of the netlist.
    pub(crate) fn selector_bit(&self, mutant: usize) -> Option<Bit> {
        self.selector_of[mutant].map(|at| self.problem.netlist.selectors[at].bit)
    }

    /// SEL_v of the paper: the mutant's selector is on, all others are off. `None` outside the cone.
    pub(crate) fn selection(&self, mutant: usize, literal: impl Fn(Bit) -> Lit) -> Option<Vec<Lit>> {
        let own = self.selector_of[mutant]?;
        let selectors = self.problem.netlist.selectors.iter().enumerate();
        Some(selectors.map(|(at, selector)| literal(selector.bit).negated_if(at != own)).collect())
    }

    /// A proof by induction of length 1 with these lemmas.
    pub(crate) fn proof_by(&self, clauses: &[Clause]) -> Arc<Proof> {
        let lemmas = EngineLemmas::Clauses(self.literals_of(clauses));
        Arc::new(self.problem.proof(&lemmas, 1, false))
    }

    /// The leaves that a freed element takes its value from; none for other mutants.
    pub(crate) fn open_bits(&self, mutant: usize) -> &[Bit] {
        self.selector_of[mutant].map_or(&[], |at| &self.problem.netlist.selectors[at].open)
    }

    /// True in the steps that violate the property.
    pub(crate) fn bad(&self) -> Bit {
        self.problem.netlist.bads[0]
    }

    /// A path of frames, starting anywhere.
    pub(crate) fn unrolled(&self, frames: usize, sink: &mut impl ClauseSink) -> Unroller<'_> {
        let mut path = Unroller::new(&self.problem.netlist, &self.problem.template);
        for _ in 0..frames {
            path.extend(sink);
        }
        path
    }

    /// One mutant alone, or several whose selectors stay open. All other selectors are off.
    pub(crate) fn problem_of(&self, mutants: &[usize]) -> Problem<'s> {
        self.problem_with(mutants, mutants.len() == 1)
    }

    /// The selectors of these mutants are on, or stay open; all others are off.
    pub(crate) fn problem_with(&self, mutants: &[usize], are_on: bool) -> Problem<'s> {
        let own: FxHashSet<usize> = mutants.iter().filter_map(|mutant| self.selector_of[*mutant]).collect();
        let literal = |selector: &Selector| self.problem.template.literal(selector.bit);
        let mut fixed: Vec<Lit> = Vec::new();
        for (at, selector) in self.problem.netlist.selectors.iter().enumerate() {
            match own.contains(&at) {
                true if are_on => fixed.push(literal(selector)),
                true => {}
                false => fixed.push(!literal(selector)),
            }
        }
        let Problem { system, edits, property, ref netlist, ref template } = self.problem;
        Problem {
            system,
            edits,
            property,
            netlist: Arc::clone(netlist),
            template: template.with_fixed(&fixed),
        }
    }

    /// What the proof says, besides the property: clauses over latches where lemmas are clauses, which those of IC3 are.
    pub(crate) fn lemmas(&self) -> Lemmas {
        let netlist = &self.problem.netlist;
        let own = &netlist.predicates[..self.own.min(netlist.predicates.len())];
        let mut lemmas = Lemmas::default();
        for (predicate, clause) in own.iter().zip(netlist.as_clauses(own)) {
            match clause {
                Some(bits) => lemmas.clauses.push(bits),
                None => lemmas.others.push(vec![*predicate]),
            }
        }
        lemmas
    }

    /// What others say: clauses over latches.
    pub(crate) fn advised(&self) -> Vec<Clause> {
        let netlist = &self.problem.netlist;
        let others = netlist.predicates.get(self.own..).unwrap_or_default();
        netlist.as_clauses(others).into_iter().flatten().collect()
    }

    /// Whether a selector has an influence on what holds in a single step, and not only on the next one.
    pub(crate) fn affects_single_steps(&self) -> bool {
        let netlist = &self.problem.netlist;
        let lemmas = netlist.predicates.iter().take(self.own);
        let roots = netlist.bads.iter().chain(&netlist.constraints).chain(&netlist.initial).chain(lemmas);
        let cone = netlist.aig.cone(roots.copied());
        netlist.selectors.iter().any(|selector| cone[selector.bit.node()])
    }
}

impl Family<'_> {
    /// Clauses of an engine, over latch variables of the template, as bits of the netlist.
    pub(crate) fn clauses_of(&self, clauses: &[Vec<Lit>]) -> Vec<Clause> {
        let latches = self
            .problem
            .netlist
            .latches
            .iter()
            .map(|latch| (self.problem.template.literal(latch.bit), latch.bit));
        let bit_of: FxHashMap<Var, Bit> = latches.map(|(literal, bit)| (literal.var(), bit)).collect();
        let bits = |clause: &Vec<Lit>| {
            clause.iter().map(|literal| bit_of[&literal.var()].negated_if(literal.is_negated())).collect()
        };
        clauses.iter().map(bits).collect()
    }

    /// Clauses of a family search, each with the members that it is a lemma for: selectors are evaluated.
    pub(crate) fn clauses_by_member(
        &self,
        clauses: &[Vec<Lit>],
        members: &[usize],
    ) -> Vec<(Clause, Vec<usize>)> {
        let selector = |mutant: &usize| {
            self.selector_bit(*mutant).map(|bit| (self.problem.template.literal(bit).var(), *mutant))
        };
        let selected: FxHashMap<Var, usize> = members.iter().filter_map(selector).collect();
        let mut found = Vec::with_capacity(clauses.len());
        for clause in clauses {
            let (of_selectors, of_latches): (Vec<Lit>, Vec<Lit>) =
                clause.iter().partition(|literal| selected.contains_key(&literal.var()));
            // Satisfied by whoever makes a selector literal true; for the others that literal is false.
            let satisfied = |member: &usize| {
                of_selectors
                    .iter()
                    .any(|literal| (selected[&literal.var()] == *member) != literal.is_negated())
            };
            let needed: Vec<usize> = members.iter().copied().filter(|member| !satisfied(member)).collect();
            found.extend(self.clauses_of(&[of_latches]).into_iter().map(|clause| (clause, needed.clone())));
        }
        found
    }

    /// The same the other way round.
    pub(crate) fn literals_of(&self, clauses: &[Clause]) -> Vec<Vec<Lit>> {
        let literals =
            |clause: &Clause| clause.iter().map(|bit| self.problem.template.literal(*bit)).collect();
        clauses.iter().map(literals).collect()
    }
}

/// The lemmas of a proof as the solver sees them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lemmas {
    /// Clauses over latches.
    pub(crate) clauses: Vec<Clause>,
    /// Others, as unit clauses over gates.
    pub(crate) others: Vec<Clause>,
}

/// The lemmas of a proof, and after them those of others that it does not have and that speak of nothing but what the properties depend on.
pub(super) fn with_advice<'a>(
    system: &System,
    properties: &[PropertyId],
    invariant: &Invariant,
    advice: impl Iterator<Item = &'a Invariant>,
) -> Invariant {
    let mut cone = vec![false; system.signals().len()];
    for property in properties {
        for (inside, of_property) in cone.iter_mut().zip(system.cone_of(*property)) {
            *inside |= of_property;
        }
    }
    let mut combined = invariant.clone();
    let mut known: FxHashSet<ExprId> = combined.lemmas.iter().copied().collect();
    for other in advice {
        let mut copied = FxHashMap::default();
        let foreign = foreign(&other.exprs, &cone);
        for lemma in other.lemmas.iter().filter(|lemma| !foreign[lemma.0 as usize]) {
            let copy = combined.exprs.copy(&other.exprs, *lemma, &mut copied);
            if combined.lemmas.len() < invariant.lemmas.len() + ADVISED && known.insert(copy) {
                combined.lemmas.push(copy);
            }
        }
    }
    combined
}

/// For each expression, whether it speaks of anything outside the cone, or of the next step.
fn foreign(pool: &ExprPool, cone: &[bool]) -> Vec<bool> {
    let mut foreign: Vec<bool> = Vec::with_capacity(pool.len());
    for expr in (0..pool.len() as u32).map(ExprId) {
        foreign.push(match pool.node(expr) {
            Node::Signal(signal) => cone.get(signal.0 as usize) != Some(&true),
            Node::Next(_) => true,
            _ => pool.operands(expr).any(|operand| foreign[operand.0 as usize]),
        });
    }
    foreign
}
