//! The conditions under which a witness circuit certifies a model, as the hardware model checking competition checks
//! them, written from their description: three about simulation, two about induction.

use propcov_budget::Budget;
use propcov_frontend::aiger::{Literal, Model, Reset, SymbolKind};
use propcov_sat::{Cadical, CadicalConfig, Lit, Outcome, Solver};

/// Literals whose conjunction implies the conjunction of the others.
type Condition = fn(&mut Check) -> (Vec<Lit>, Vec<Lit>);

/// The conditions that do not hold; none for a valid certificate.
pub(crate) fn failing_conditions(model: &Model, witness: &Model) -> Vec<&'static str> {
    let checks: [(&str, Condition); 5] = [
        ("reset", |c| {
            let antecedent = [c.reset(MODEL, true), c.constraints(MODEL, 0)].concat();
            (antecedent, [c.reset(WITNESS, true), c.constraints(WITNESS, 0)].concat())
        }),
        ("transition", |c| {
            let constraints = [c.constraints(MODEL, 0), c.constraints(MODEL, 1), c.constraints(WITNESS, 0)];
            let antecedent = [c.transition(MODEL, true), constraints.concat()].concat();
            (antecedent, [c.transition(WITNESS, true), c.constraints(WITNESS, 1)].concat())
        }),
        ("safety", |c| {
            let constraints = [c.constraints(MODEL, 0), c.constraints(WITNESS, 0)].concat();
            ([constraints, c.good(WITNESS, 0)].concat(), c.good(MODEL, 0))
        }),
        ("base", |c| ([c.reset(WITNESS, false), c.constraints(WITNESS, 0)].concat(), c.good(WITNESS, 0))),
        ("step", |c| {
            let constraints = [c.constraints(WITNESS, 0), c.constraints(WITNESS, 1)].concat();
            ([c.transition(WITNESS, false), constraints, c.good(WITNESS, 0)].concat(), c.good(WITNESS, 1))
        }),
    ];
    let holds = |condition: Condition| {
        let mut check = Check::new(model, witness);
        let (antecedent, consequent) = condition(&mut check);
        for literal in antecedent {
            check.solver.add_clause(&[literal]);
        }
        let negated: Vec<Lit> = consequent.into_iter().map(|literal| !literal).collect();
        check.solver.add_clause(&negated);
        match check.solver.solve(&[], &Budget::default()) {
            Outcome::Unsat => true,
            Outcome::Sat => false,
            Outcome::Unknown => panic!("no budget, no unknown"),
        }
    };
    checks.into_iter().filter(|(_, condition)| !holds(*condition)).map(|(name, _)| name).collect()
}

const WITNESS: usize = 0;
const MODEL: usize = 1;

/// Both circuits at two times.
struct Check<'m> {
    solver: Cadical,
    circuits: [&'m Model; 2],
    /// Solver literals by circuit, time and variable.
    literals: [[Vec<Option<Lit>>; 2]; 2],
    /// Pairs of a witness's and a model's literal.
    shared: Vec<(Literal, Literal)>,
}

impl<'m> Check<'m> {
    fn new(model: &'m Model, witness: &'m Model) -> Check<'m> {
        let empty = |circuit: &Model| vec![None; circuit.max_variable as usize + 1];
        let mut check = Check {
            solver: Cadical::new(CadicalConfig::default()),
            circuits: [witness, model],
            literals: [[empty(witness), empty(witness)], [empty(model), empty(model)]],
            shared: mapping(witness),
        };
        for time in 0..2 {
            check.encode(WITNESS, time);
            for (of_witness, of_model) in check.shared.clone() {
                let literal = check.at(WITNESS, time, of_witness);
                check.literals[MODEL][time][of_model.variable() as usize] =
                    Some(literal.negated_if(of_model.is_negated()));
            }
            check.encode(MODEL, time);
        }
        check
    }

    fn encode(&mut self, circuit: usize, time: usize) {
        let falsity = !self.solver.new_var().positive();
        self.solver.add_clause(&[!falsity]);
        self.literals[circuit][time][0] = Some(falsity);
        let model = self.circuits[circuit];
        let leaves = model.inputs.iter().copied().chain(model.latches.iter().map(|latch| latch.current));
        for leaf in leaves {
            let place = leaf.variable() as usize;
            if self.literals[circuit][time][place].is_none() {
                self.literals[circuit][time][place] = Some(self.solver.new_var().positive());
            }
        }
        for and in &model.ands {
            let gate = self.solver.new_var().positive();
            let (left, right) = (self.at(circuit, time, and.left), self.at(circuit, time, and.right));
            self.solver.add_clause(&[!gate, left]);
            self.solver.add_clause(&[!gate, right]);
            self.solver.add_clause(&[gate, !left, !right]);
            self.literals[circuit][time][and.output.variable() as usize] = Some(gate);
        }
    }

    fn at(&self, circuit: usize, time: usize, literal: Literal) -> Lit {
        let variable = self.literals[circuit][time][literal.variable() as usize];
        variable.expect("gates come in order").negated_if(literal.is_negated())
    }

    fn equal(&mut self, a: Lit, b: Lit) -> Lit {
        let gate = self.solver.new_var().positive();
        for clause in [[!gate, a, !b], [!gate, !a, b], [gate, a, b], [gate, !a, !b]] {
            self.solver.add_clause(&clause);
        }
        gate
    }

    /// The latches of a circuit, or only those that the circuits share.
    fn latches(&self, circuit: usize, shared_only: bool) -> Vec<propcov_frontend::aiger::Latch> {
        let is_shared = |literal: Literal| {
            self.shared.iter().any(|(w, m)| (if circuit == WITNESS { *w } else { *m }) == literal)
        };
        let latches = self.circuits[circuit].latches.iter().copied();
        latches.filter(|latch| !shared_only || is_shared(latch.current)).collect()
    }

    fn reset(&mut self, circuit: usize, shared_only: bool) -> Vec<Lit> {
        let in_reset = |latch: &propcov_frontend::aiger::Latch| match latch.reset {
            Reset::Zero => Some(!self.at(circuit, 0, latch.current)),
            Reset::One => Some(self.at(circuit, 0, latch.current)),
            Reset::Open => None,
        };
        self.latches(circuit, shared_only).iter().filter_map(in_reset).collect()
    }

    fn transition(&mut self, circuit: usize, shared_only: bool) -> Vec<Lit> {
        let mut equal = Vec::new();
        for latch in self.latches(circuit, shared_only) {
            let (next, after) = (self.at(circuit, 0, latch.next), self.at(circuit, 1, latch.current));
            equal.push(self.equal(next, after));
        }
        equal
    }

    fn constraints(&self, circuit: usize, time: usize) -> Vec<Lit> {
        self.circuits[circuit].constraints.iter().map(|literal| self.at(circuit, time, *literal)).collect()
    }

    fn good(&self, circuit: usize, time: usize) -> Vec<Lit> {
        self.circuits[circuit].bad_states().iter().map(|literal| !self.at(circuit, time, *literal)).collect()
    }
}

/// What the witness's symbols say about its inputs and latches.
fn mapping(witness: &Model) -> Vec<(Literal, Literal)> {
    let mut shared = Vec::new();
    for symbol in &witness.symbols {
        let own = match symbol.kind {
            SymbolKind::Input => witness.inputs[symbol.position as usize],
            SymbolKind::Latch => witness.latches[symbol.position as usize].current,
            _ => continue,
        };
        if let Some(number) = symbol.name.strip_prefix('=') {
            shared.push((own, Literal(number.trim().parse().expect("a literal of the model"))));
        }
    }
    shared
}
