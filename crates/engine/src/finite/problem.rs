//! What an engine is asked: one invariant of one (edited) system, as a netlist and its clauses; and how its answer at
//! bit level becomes a verdict about the system.

use propcov_budget::Budget;
use propcov_ir::words::{self, ARRAY_LIMIT};
use propcov_ir::{
    Edits, ExprId, Interpreter, Invariant, Proof, PropertyId, Sort, System, UnknownReason, Verdict,
};
use propcov_sat::{Cadical, CadicalConfig, Lit};
use propcov_solve::{Bit, BitOrigin, BitTrace, Contents, Netlist, Template, Unsupported};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// One property of one system, encoded once for all engines.
pub struct Problem<'s> {
    /// The system as written.
    pub system: &'s System,
    /// What is done to it.
    pub edits: &'s Edits,
    /// What is to be shown.
    pub property: PropertyId,
    /// The property's cone.
    pub netlist: Arc<Netlist>,
    /// The clauses of the cone.
    pub template: Template,
}

/// How arrays are represented: by tables, or, where these had too many bits, by what is stored at a few addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrays {
    /// How many bits tables may have.
    tables: u64,
}

impl Arrays {
    /// By tables, as long as these are not too large: all that is true of the system can be found so.
    pub const TABLES: Arrays = Arrays { tables: ARRAY_LIMIT };
    /// By what is stored at a few addresses, but for small ones: quick, where it is enough.
    pub const WATCHED: Arrays = Arrays::beyond(128);

    /// Watched where they have more bits than this.
    pub const fn beyond(tables: u64) -> Arrays {
        Arrays { tables }
    }

    /// Whether some arrays of a system are watched that might be tables.
    pub fn matter_for(self, system: &System) -> bool {
        let bits = |sort| words::bit_count(sort).ok();
        arrays(system).filter_map(bits).any(|bits| bits > self.tables)
    }

    /// Whether some arrays of a system are watched, so that a netlist has runs that the system does not have.
    pub fn watch(self, system: &System) -> bool {
        arrays(system).any(|sort| !words::bit_count(sort).is_ok_and(|bits| bits <= self.tables))
    }

    /// What a netlist is told.
    pub fn tables(self) -> u64 {
        self.tables
    }
}

impl Default for Arrays {
    fn default() -> Arrays {
        Arrays::TABLES
    }
}

fn arrays(system: &System) -> impl Iterator<Item = &Sort> {
    system.signals().iter().map(|signal| &signal.sort).filter(|sort| matches!(sort, Sort::Array(_)))
}

/// Why there is no answer where arrays are too large for tables.
pub const UNDECIDED_BY_ARRAYS: &str = "not decided by what is stored at the addresses that assertions are about, and the memory is too large to look at all of it";

/// An engine's answer at bit level.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The property and the lemmas are together k-inductive.
    Proved {
        /// What strengthens the property.
        lemmas: Lemmas,
        /// Length of the induction.
        k: u32,
        /// Whether the states of the induction have to be pairwise different.
        simple_path: bool,
    },
    /// A run into a violation.
    Falsified(BitTrace),
    /// Neither.
    Unknown(UnknownReason),
}

/// Lemmas over latches.
#[derive(Clone, Debug)]
pub enum Lemmas {
    /// Clauses over the latch variables of the template.
    Clauses(Vec<Vec<Lit>>),
    /// Circuits over the latches of the netlist, in a graph of their own whose leaves are the latches in order.
    Circuits(propcov_solve::Aig, Vec<Bit>),
}

impl<'s> Problem<'s> {
    /// Encodes the cone of a property.
    pub fn new(
        system: &'s System,
        edits: &'s Edits,
        property: PropertyId,
    ) -> Result<Problem<'s>, Unsupported> {
        Problem::within(system, edits, property, &Budget::default())
    }

    /// The same within a budget, which also holds where engines write clauses.
    pub fn within(
        system: &'s System,
        edits: &'s Edits,
        property: PropertyId,
        budget: &Budget,
    ) -> Result<Problem<'s>, Unsupported> {
        Problem::with_arrays(system, edits, property, Arrays::default(), budget)
    }

    /// The same, where it is said how arrays are represented.
    pub fn with_arrays(
        system: &'s System,
        edits: &'s Edits,
        property: PropertyId,
        arrays: Arrays,
        budget: &Budget,
    ) -> Result<Problem<'s>, Unsupported> {
        let contents = Contents {
            properties: &[property],
            tables: Some(arrays.tables()),
            budget: Some(budget),
            ..Contents::default()
        };
        let netlist = Netlist::with_contents(system, edits, contents)?;
        let template = netlist.template()?;
        Ok(Problem { system, edits, property, netlist: Arc::new(netlist), template })
    }

    /// A solver for clauses of this problem, within what it was encoded within.
    pub(crate) fn solver(&self, config: CadicalConfig) -> Cadical {
        Cadical::new(config).within(self.netlist.budget().clone())
    }

    /// True in the steps that violate the property.
    pub fn bad(&self) -> Bit {
        self.netlist.bads[0]
    }

    /// Whether the first step is restricted in its inputs, not only in its state.
    pub(crate) fn initial_depends_on_inputs(&self) -> bool {
        let cone = self.netlist.aig.cone(self.netlist.initial.iter().copied());
        self.netlist.inputs.iter().any(|bit| cone[bit.node()])
    }

    /// The answer as a statement about the system. The core of a proof is every element: [`reduce_core`](crate::reduce_core) reduces it.
    pub fn conclude(&self, answer: Answer) -> Verdict {
        match answer {
            Answer::Unknown(reason) => Verdict::Unknown(reason),
            Answer::Falsified(trace) => self.violation_of(self.property, &trace),
            Answer::Proved { lemmas, k, simple_path } => Verdict::Proved(self.proof(&lemmas, k, simple_path)),
        }
    }

    /// What a run of the netlist into a violation of a property says about the system. Where arrays are watched, it may be no run of the system.
    pub(crate) fn violation_of(&self, property: PropertyId, trace: &BitTrace) -> Verdict {
        let mut trace = match trace.complete(&self.netlist, self.system, self.edits) {
            Ok(trace) => trace,
            Err(error) => return Verdict::Unknown(UnknownReason::NotCertified(error.to_string())),
        };
        if !self.netlist.is_watched() {
            return Verdict::Falsified(trace);
        }
        let violation = Interpreter::new(self.system, self.edits)
            .ok()
            .and_then(|interpreter| interpreter.violations(&trace, &[property]).ok()?.pop()?);
        match violation {
            Some(last) => {
                trace.steps.truncate(last + 1);
                Verdict::Falsified(trace)
            }
            None => Verdict::Unknown(UnknownReason::Incomplete(UNDECIDED_BY_ARRAYS.to_owned())),
        }
    }

    /// The proof that these lemmas make, as a statement about the system. Its core is every element.
    pub fn proof(&self, lemmas: &Lemmas, k: u32, simple_path: bool) -> Proof {
        let mut writer =
            LemmaWriter { problem: self, invariant: Invariant::default(), bits: FxHashMap::default() };
        match lemmas {
            Lemmas::Clauses(clauses) => writer.clauses(clauses),
            Lemmas::Circuits(aig, roots) => writer.circuits(aig, roots),
        }
        Proof {
            invariant: writer.invariant.into(),
            k,
            simple_path,
            core: self.system.element_ids().collect(),
        }
    }
}

/// Turns lemmas over latches into expressions over the system's states.
struct LemmaWriter<'p> {
    problem: &'p Problem<'p>,
    invariant: Invariant,
    bits: FxHashMap<BitOrigin, ExprId>,
}

impl LemmaWriter<'_> {
    /// One bit of a state. Bits of arrays are numbered element by element, bits of an enumeration by value.
    fn bit(&mut self, origin: BitOrigin) -> ExprId {
        if let Some(expr) = self.bits.get(&origin) {
            return *expr;
        }
        let (netlist, system) = (&self.problem.netlist, self.problem.system);
        let expr = netlist.state_bit(system, self.problem.edits, &mut self.invariant.exprs, origin);
        self.bits.insert(origin, expr);
        expr
    }

    fn clauses(&mut self, clauses: &[Vec<Lit>]) {
        let latches = &self.problem.netlist.latches;
        let origin: FxHashMap<_, _> = latches
            .iter()
            .map(|latch| (self.problem.template.literal(latch.bit).var(), latch.origin))
            .collect();
        for clause in clauses {
            let literals: Vec<ExprId> = clause
                .iter()
                .map(|literal| {
                    let bit = self.bit(origin[&literal.var()]);
                    if literal.is_negated() { self.invariant.exprs.not(bit) } else { bit }
                })
                .collect();
            let lemma = self.invariant.exprs.disjunction(literals);
            self.invariant.lemmas.push(lemma);
        }
    }

    fn circuits(&mut self, aig: &propcov_solve::Aig, roots: &[Bit]) {
        use propcov_solve::aig::Gate;
        let cone = aig.cone(roots.iter().copied());
        let mut exprs: Vec<Option<ExprId>> = vec![None; aig.len()];
        let mut leaves = self.problem.netlist.latches.iter();
        for (node, needed) in cone.into_iter().enumerate() {
            let gate = aig.gate(node);
            let latch = if gate == Gate::Leaf { leaves.next() } else { None };
            if !needed {
                continue;
            }
            exprs[node] = Some(match (gate, latch) {
                (Gate::And(a, b), _) => {
                    let (a, b) = (self.edge(&exprs, a), self.edge(&exprs, b));
                    self.invariant.exprs.and(a, b)
                }
                (Gate::Leaf, Some(latch)) => self.bit(latch.origin),
                _ => self.invariant.exprs.bool(false),
            });
        }
        for root in roots {
            let lemma = self.edge(&exprs, *root);
            self.invariant.lemmas.push(lemma);
        }
    }

    fn edge(&mut self, exprs: &[Option<ExprId>], bit: Bit) -> ExprId {
        let expr = exprs[bit.node()].unwrap_or_else(|| self.invariant.exprs.bool(false));
        if bit.is_negated() { self.invariant.exprs.not(expr) } else { expr }
    }
}
