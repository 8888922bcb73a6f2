//! The clauses of a netlist, derived once and instantiated per time frame.
//!
//! Tseitin's encoding with two economies: a tree of conjunctions whose inner nodes have one reader is one wide gate, and
//! exclusive-ors and multiplexers are recognised by shape (as in Eén, Mishchenko, Sörensson, "Applying logic
//! synthesis for speeding up SAT", SAT 2007, without the cut enumeration). Only gates in the cone of the roots get
//! a variable.

use crate::aig::{Aig, Bit, Gate};
use propcov_budget::{Budget, Meter};
use propcov_sat::{Lit, Var};

/// Clauses over template variables. Variable 0 is the constant: it is always true.
#[derive(Clone, Debug)]
pub struct Template {
    /// How many variables there are.
    pub variables: usize,
    literals: Vec<Lit>,
    /// End of each clause in `literals`.
    ends: Vec<u32>,
    /// For each variable, the literals that define it, as ranges of `fanins`; empty for leaves.
    fanin_ranges: Vec<(u32, u32)>,
    fanins: Vec<Lit>,
    /// For each variable, whether it is a multiplexer (condition, then, otherwise) and no conjunction.
    is_mux: Vec<bool>,
    /// The variable of each graph node; `None` outside the cone and inside wide gates.
    variable_of: Vec<Option<Var>>,
}

/// How a node is encoded.
enum Shape {
    Wide(Vec<Bit>),
    /// condition, then, otherwise
    Mux(Bit, Bit, Bit),
}

impl Template {
    /// The variable that is always true.
    pub const TRUE: Var = Var(0);

    /// Encodes the cone of the roots. Leaves outside the cone that are listed in `leaves` get a variable all the same.
    ///
    /// # Panics
    /// Never: without a budget nothing stops it.
    pub fn new(aig: &Aig, roots: &[Bit], leaves: &[Bit]) -> Template {
        let template = Template::within(aig, roots, leaves, &Budget::default());
        template.unwrap_or_else(|| unreachable!("nobody stops it"))
    }

    /// The same within a budget; `None` when that is used up.
    pub fn within(aig: &Aig, roots: &[Bit], leaves: &[Bit], budget: &Budget) -> Option<Template> {
        Encoder::new(aig, roots, budget).encode(leaves)
    }

    /// The literal of an edge.
    ///
    /// # Panics
    /// When the edge is no root or leaf of the template.
    pub fn literal(&self, bit: Bit) -> Lit {
        match self.variable_of[bit.node()] {
            // The constant node is false, its variable true.
            Some(var) => var.lit(true).negated_if(bit.is_negated() != (bit.node() == 0)),
            None => panic!("{bit:?} is not part of the template"),
        }
    }

    /// The variable of a graph node, if it has one.
    pub fn variable(&self, node: usize) -> Option<Var> {
        self.variable_of[node]
    }

    /// All clauses.
    pub fn clauses(&self) -> impl Iterator<Item = &[Lit]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let clause = &self.literals[start..end as usize];
            start = end as usize;
            clause
        })
    }

    /// The literals that a gate's definition reads; none for a leaf.
    pub fn fanin(&self, var: Var) -> &[Lit] {
        let (start, end) = self.fanin_ranges[var.index()];
        &self.fanins[start as usize..end as usize]
    }

    /// The same template with some leaves fixed for good, and constants folded as far as that goes. Variables keep their
    /// numbers, and those that are constant now become leaves with a unit clause.
    pub fn with_fixed(&self, leaves: &[Lit]) -> Template {
        let mut known: Vec<Option<bool>> = vec![None; self.variables];
        known[Template::TRUE.index()] = Some(true);
        for leaf in leaves {
            known[leaf.var().index()] = Some(!leaf.is_negated());
        }
        let mut template = Template {
            variables: self.variables,
            literals: Vec::with_capacity(self.literals.len()),
            ends: Vec::with_capacity(self.ends.len()),
            fanin_ranges: vec![(0, 0); self.variables],
            fanins: Vec::with_capacity(self.fanins.len()),
            is_mux: vec![false; self.variables],
            variable_of: self.variable_of.clone(),
        };
        template.clause(&[Template::TRUE.positive()]);
        for leaf in leaves.iter().filter(|leaf| leaf.var() != Template::TRUE) {
            template.clause(&[*leaf]);
        }
        // Operands have lower numbers than what they define.
        for var in (0..self.variables as u32).map(Var).filter(|var| !self.fanin(*var).is_empty()) {
            let inputs = self.fanin(var);
            let value =
                |literal: Lit| known[literal.var().index()].map(|value| value != literal.is_negated());
            let output = var.positive();
            match if self.is_mux[var.index()] { folded_mux(inputs, value) } else { folded_and(inputs, value) }
            {
                Folded::Constant(constant) => {
                    known[var.index()] = Some(constant);
                    template.clause(&[var.lit(constant)]);
                }
                Folded::And(inputs) => template.define(output, &inputs, false),
                Folded::Mux(inputs) => template.define(output, &inputs, true),
            }
        }
        template
    }

    fn clause(&mut self, literals: &[Lit]) {
        self.literals.extend_from_slice(literals);
        self.ends.push(self.literals.len() as u32);
    }

    /// Defines a variable as a conjunction, or as a multiplexer of condition, then and otherwise.
    fn define(&mut self, output: Lit, inputs: &[Lit], is_mux: bool) {
        let start = self.fanins.len() as u32;
        self.fanins.extend_from_slice(inputs);
        self.fanin_ranges[output.var().index()] = (start, self.fanins.len() as u32);
        self.is_mux[output.var().index()] = is_mux;
        if let (true, &[condition, then, otherwise]) = (is_mux, inputs) {
            self.clause(&[!condition, !then, output]);
            self.clause(&[!condition, then, !output]);
            self.clause(&[condition, !otherwise, output]);
            self.clause(&[condition, otherwise, !output]);
            if then.var() != otherwise.var() {
                // Redundant, but lets the output follow when both branches agree.
                self.clause(&[!then, !otherwise, output]);
                self.clause(&[then, otherwise, !output]);
            }
            return;
        }
        let mut long = vec![output];
        for literal in inputs {
            self.clause(&[!output, *literal]);
            long.push(!*literal);
        }
        self.clause(&long);
    }
}

/// A gate some of whose inputs are known.
enum Folded {
    Constant(bool),
    And(Vec<Lit>),
    Mux([Lit; 3]),
}

fn folded_and(inputs: &[Lit], value: impl Fn(Lit) -> Option<bool>) -> Folded {
    if inputs.iter().any(|input| value(*input) == Some(false)) {
        return Folded::Constant(false);
    }
    let open: Vec<Lit> = inputs.iter().copied().filter(|input| value(*input).is_none()).collect();
    if open.is_empty() { Folded::Constant(true) } else { Folded::And(open) }
}

fn folded_mux(inputs: &[Lit], value: impl Fn(Lit) -> Option<bool>) -> Folded {
    let [condition, then, otherwise] = [inputs[0], inputs[1], inputs[2]];
    let chosen = match value(condition) {
        Some(true) => then,
        Some(false) => otherwise,
        None if then == otherwise => then,
        None => match (value(then), value(otherwise)) {
            (Some(a), Some(b)) if a == b => return Folded::Constant(a),
            // Both known and different: the condition or its negation, as a conjunction of one.
            (Some(true), Some(_)) => condition,
            (Some(false), Some(_)) => !condition,
            _ => return Folded::Mux([condition, then, otherwise]),
        },
    };
    value(chosen).map_or_else(|| Folded::And(vec![chosen]), Folded::Constant)
}

struct Encoder<'a> {
    aig: &'a Aig,
    /// How many gates and roots read a node, saturating.
    readers: Vec<u8>,
    template: Template,
    meter: Meter,
}

impl<'a> Encoder<'a> {
    fn new(aig: &'a Aig, roots: &[Bit], budget: &Budget) -> Encoder<'a> {
        let cone = aig.cone(roots.iter().copied());
        let mut readers = vec![0u8; aig.len()];
        let mut read = |node: usize, by: u8| readers[node] = readers[node].saturating_add(by);
        for (node, _) in cone.iter().enumerate().filter(|(_, inside)| **inside) {
            if let Gate::And(a, b) = aig.gate(node) {
                read(a.node(), 1);
                read(b.node(), 1);
            }
        }
        for root in roots {
            read(root.node(), 2); // a root always gets a variable
        }
        let template = Template {
            variables: 0,
            literals: Vec::new(),
            ends: Vec::new(),
            fanin_ranges: Vec::new(),
            fanins: Vec::new(),
            is_mux: Vec::new(),
            variable_of: vec![None; aig.len()],
        };
        Encoder { aig, readers, template, meter: Meter::new(budget.clone()) }
    }

    fn encode(mut self, leaves: &[Bit]) -> Option<Template> {
        let constant = self.new_variable(0);
        self.template.clause(&[constant.positive()]);
        for leaf in leaves {
            self.new_variable(leaf.node());
        }
        // Which nodes need a variable is known from the readers down; variables are numbered upwards.
        let mut shapes: Vec<Option<Shape>> = Vec::new();
        shapes.resize_with(self.aig.len(), || None);
        let mut needed = vec![false; self.aig.len()];
        for (needed, readers) in needed.iter_mut().zip(&self.readers) {
            *needed = *readers >= 2; // a root or shared
        }
        for node in (0..self.aig.len()).rev() {
            if !needed[node] || !matches!(self.aig.gate(node), Gate::And(..)) {
                continue;
            }
            if self.meter.is_spent(1) {
                return None;
            }
            let shape = self.shape(node);
            match &shape {
                Shape::Wide(inputs) => inputs.iter().for_each(|input| needed[input.node()] = true),
                Shape::Mux(c, t, e) => [c, t, e].into_iter().for_each(|input| needed[input.node()] = true),
            }
            shapes[node] = Some(shape);
        }
        for node in 1..self.aig.len() {
            match self.aig.gate(node) {
                Gate::Leaf if needed[node] && self.template.variable_of[node].is_none() => {
                    self.new_variable(node);
                }
                Gate::And(..) => {
                    if let Some(shape) = shapes[node].take() {
                        if self.meter.is_spent(1) {
                            return None;
                        }
                        self.define(node, &shape);
                    }
                }
                _ => {}
            }
        }
        Some(self.template)
    }

    fn new_variable(&mut self, node: usize) -> Var {
        let var = Var(self.template.variables as u32);
        self.template.variables += 1;
        let end = self.template.fanins.len() as u32;
        self.template.fanin_ranges.push((end, end));
        self.template.is_mux.push(false);
        self.template.variable_of[node] = Some(var);
        var
    }

    fn private(&self, bit: Bit) -> Option<(Bit, Bit)> {
        match self.aig.gate(bit.node()) {
            Gate::And(a, b) if self.readers[bit.node()] < 2 => Some((a, b)),
            _ => None,
        }
    }

    fn shape(&self, node: usize) -> Shape {
        let Gate::And(a, b) = self.aig.gate(node) else { return Shape::Wide(Vec::new()) };
        if let Some(mux) = self.mux(a, b) {
            return mux;
        }
        let (mut inputs, mut stack) = (Vec::new(), vec![b, a]);
        while let Some(bit) = stack.pop() {
            match self.private(bit) {
                Some((x, y))
                    if !bit.is_negated() && inputs.len() + stack.len() < 30 && self.mux(x, y).is_none() =>
                {
                    stack.extend([y, x]);
                }
                _ => inputs.push(bit),
            }
        }
        inputs.sort_unstable();
        inputs.dedup();
        Shape::Wide(inputs)
    }

    /// !(c & x) & !(!c & y) is the multiplexer c ? !x : !y.
    fn mux(&self, a: Bit, b: Bit) -> Option<Shape> {
        if !a.is_negated() || !b.is_negated() {
            return None;
        }
        let ((p, q), (r, s)) = (self.private(a)?, self.private(b)?);
        let (condition, then, otherwise) = if p == !r {
            (p, q, s)
        } else if p == !s {
            (p, q, r)
        } else if q == !r {
            (q, p, s)
        } else if q == !s {
            (q, p, r)
        } else {
            return None;
        };
        Some(Shape::Mux(condition, !then, !otherwise))
    }

    fn define(&mut self, node: usize, shape: &Shape) {
        let inputs: Vec<Bit> = match shape {
            Shape::Wide(inputs) => inputs.clone(),
            Shape::Mux(c, t, e) => vec![*c, *t, *e],
        };
        let literals: Vec<Lit> = inputs.iter().map(|input| self.template.literal(*input)).collect();
        let output = self.new_variable(node).positive();
        self.template.define(output, &literals, matches!(shape, Shape::Mux(..)));
    }
}
