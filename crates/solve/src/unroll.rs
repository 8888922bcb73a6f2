//! Time frames: the template of a netlist instantiated once per step, the latches of one frame being the next-state
//! functions of the frame before.

use crate::{Bit, BitStep, BitTrace, Init, Netlist, Template};
use propcov_sat::{Lit, Solver, Var};
use std::ops::Deref;

/// What clauses are written to: a solver, or a solver with a label for where they come from.
pub trait ClauseSink {
    /// A fresh variable.
    fn new_var(&mut self) -> Var;
    /// Adds a clause for good.
    fn add_clause(&mut self, clause: &[Lit]);
}

impl<S: Solver> ClauseSink for S {
    fn new_var(&mut self) -> Var {
        Solver::new_var(self)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        Solver::add_clause(self, clause);
    }
}

/// Requires that at most one of the literals holds, in a number of clauses that grows with their number (Sinz, *Towards an
/// optimal CNF encoding of Boolean cardinality constraints*, CP 2005). Makes one variable for each of them, in order.
pub fn at_most_one(literals: &[Lit], sink: &mut impl ClauseSink) {
    let mut before: Option<Lit> = None;
    for literal in literals {
        let by_now = sink.new_var().positive();
        sink.add_clause(&[!*literal, by_now]);
        if let Some(before) = before {
            sink.add_clause(&[!before, by_now]);
            sink.add_clause(&[!before, !*literal]);
        }
        before = Some(by_now);
    }
}

/// A path of frames in a solver, of a netlist and a template that somebody else owns.
pub type Unroller<'n> = Frames<&'n Netlist, &'n Template>;

/// A path of frames in a solver. The netlist and its template are borrowed, or the path owns a share of them.
pub struct Frames<N, T> {
    netlist: N,
    template: T,
    /// For each frame, the literal of each template variable.
    frames: Vec<Vec<Lit>>,
    /// Whether what the netlist assumes is left out.
    is_bare: bool,
}

impl<N: Deref<Target = Netlist>, T: Deref<Target = Template>> Frames<N, T> {
    /// No frame yet.
    pub fn new(netlist: N, template: T) -> Frames<N, T> {
        Frames { netlist, template, frames: Vec::new(), is_bare: false }
    }

    /// No frame yet, and none will take for granted what the netlist assumes.
    pub fn bare(netlist: N, template: T) -> Frames<N, T> {
        Frames { is_bare: true, ..Frames::new(netlist, template) }
    }

    /// What the frames are frames of.
    pub fn netlist(&self) -> &Netlist {
        &self.netlist
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there is no frame yet.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Adds a frame, with its constraints, those of the transition into it, and what is assumed of it.
    pub fn extend(&mut self, sink: &mut impl ClauseSink) {
        self.extend_unless(None, sink);
    }

    /// Adds a frame whose constraints, and those of the transition into it, hold unless the excuse does: a path that ended
    /// before owes them nothing.
    pub fn extend_unless(&mut self, excuse: Option<Lit>, sink: &mut impl ClauseSink) {
        let require = |literal: Lit, sink: &mut dyn ClauseSink| {
            let clause: Vec<Lit> = [literal].into_iter().chain(excuse).collect();
            sink.add_clause(&clause);
        };
        let literals = match self.frames.last() {
            None => (0..self.template.variables).map(|_| sink.new_var().positive()).collect(),
            Some(_) => {
                let before = self.frames.len() - 1;
                for transition in &self.netlist.transitions {
                    require(self.literal(before, *transition), sink);
                }
                self.successor(before, sink)
            }
        };
        self.frames.push(literals);
        let frame = self.frames.len() - 1;
        // The constant is shared by all frames, so its clause is needed once.
        for clause in self.template.clauses().skip(usize::from(frame > 0)) {
            let clause: Vec<Lit> = clause.iter().map(|literal| self.instance(frame, *literal)).collect();
            sink.add_clause(&clause);
        }
        let assumed: &[Bit] = if self.is_bare { &[] } else { &self.netlist.assumed };
        for holds in self.netlist.constraints.iter().chain(assumed) {
            require(self.literal(frame, *holds), sink);
        }
    }

    /// Adds a frame to a path that may end at its first violation: once the property was violated, constraints owe it nothing. `over`
    /// is what says so, from call to call. Returns the violation in this frame.
    pub fn extend_until(&mut self, bad: Bit, over: &mut Option<Lit>, sink: &mut impl ClauseSink) -> Lit {
        self.extend_unless(*over, sink);
        let bad = self.literal(self.frames.len() - 1, bad);
        let over_by_now = sink.new_var().positive();
        let excuse: Vec<Lit> = [!over_by_now, bad].into_iter().chain(*over).collect();
        sink.add_clause(&excuse);
        *over = Some(over_by_now);
        bad
    }

    /// The path that a solver's model describes.
    pub fn path(&self, solver: &impl Solver) -> BitTrace {
        let value = |frame, bit| solver.holds(self.literal(frame, bit));
        let step = |frame| BitStep {
            latches: self.netlist.latches.iter().map(|latch| value(frame, latch.bit)).collect(),
            inputs: self.netlist.inputs.iter().map(|input| value(frame, *input)).collect(),
        };
        BitTrace { steps: (0..self.frames.len()).map(step).collect() }
    }

    /// The literals of the frame after `before`: latches continue, everything else is fresh.
    fn successor(&self, before: usize, sink: &mut impl ClauseSink) -> Vec<Lit> {
        let mut literals: Vec<Option<Lit>> = vec![None; self.template.variables];
        literals[Template::TRUE.index()] = Some(self.frames[before][Template::TRUE.index()]);
        for latch in &self.netlist.latches {
            let var = self.template.literal(latch.bit).var();
            literals[var.index()] = Some(self.literal(before, latch.next));
        }
        for selector in &self.netlist.selectors {
            let var = self.template.literal(selector.bit).var();
            literals[var.index()] = Some(self.literal(before, selector.bit));
        }
        literals.into_iter().map(|literal| literal.unwrap_or_else(|| sink.new_var().positive())).collect()
    }

    /// Restricts frame 0 to initial states.
    pub fn assert_initial(&self, sink: &mut impl ClauseSink) {
        for latch in &self.netlist.latches {
            if let Init::Const(value) = latch.init {
                sink.add_clause(&[self.literal(0, latch.bit).negated_if(!value)]);
            }
        }
        for constraint in &self.netlist.initial {
            sink.add_clause(&[self.literal(0, *constraint)]);
        }
    }

    /// The literal of a frame that stands for a literal of the template.
    pub fn instance(&self, frame: usize, literal: Lit) -> Lit {
        self.frames[frame][literal.var().index()].negated_if(literal.is_negated())
    }

    /// The literal of a root or leaf in a frame.
    pub fn literal(&self, frame: usize, bit: Bit) -> Lit {
        self.instance(frame, self.template.literal(bit))
    }

    /// The literals of all latches in a frame.
    pub fn state(&self, frame: usize) -> Vec<Lit> {
        self.netlist.latches.iter().map(|latch| self.literal(frame, latch.bit)).collect()
    }
}
