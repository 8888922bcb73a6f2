//! The handle to one Boolean function, and everything that can be done with it.

use std::rc::Rc;

use dashu_int::UBig;

use super::edge::Edge;
use super::manager::{Cube, Manager, Swap};
use super::{Stop, Var};

/// A Boolean function. Equal handles of one manager are equal functions, and comparing them takes constant time. As long as a handle lives,
/// its nodes do.
pub struct Bdd {
    manager: Manager,
    edge: Edge,
}

impl Bdd {
    pub(super) fn new(manager: Manager, edge: Edge) -> Bdd {
        let mut held = manager.shared.held.borrow_mut();
        if held.len() <= edge.index() {
            held.resize((edge.index() + 1).next_power_of_two(), 0);
        }
        held[edge.index()] += 1;
        drop(held);
        Bdd { manager, edge }
    }

    /// Whose function it is.
    pub fn manager(&self) -> Manager {
        self.manager.clone()
    }

    /// The edge of another function of the same manager.
    fn with(&self, other: &Bdd) -> Edge {
        debug_assert!(Rc::ptr_eq(&self.manager.shared, &other.manager.shared), "functions of two managers");
        other.edge
    }

    /// The number of a set of variables of the same manager.
    fn with_cube(&self, variables: &Cube) -> usize {
        let set = &variables.set;
        debug_assert!(Rc::ptr_eq(&self.manager.shared, &set.manager.shared), "variables of another manager");
        set.number
    }

    /// Whether it is true everywhere.
    pub fn is_true(&self) -> bool {
        self.edge == Edge::ONE
    }

    /// Whether it is false everywhere.
    pub fn is_false(&self) -> bool {
        self.edge == Edge::ZERO
    }

    /// Whether it is the same everywhere.
    pub fn is_constant(&self) -> bool {
        self.edge.is_constant()
    }

    /// Both.
    pub fn and(&self, other: &Bdd) -> Result<Bdd, Stop> {
        let (f, g) = (self.edge, self.with(other));
        self.manager.build(|kernel| kernel.and(f, g))
    }

    /// At least one of them.
    pub fn or(&self, other: &Bdd) -> Result<Bdd, Stop> {
        let (f, g) = (self.edge, self.with(other));
        self.manager.build(|kernel| kernel.or(f, g))
    }

    /// Exactly one of them.
    pub fn xor(&self, other: &Bdd) -> Result<Bdd, Stop> {
        let (f, g) = (self.edge, self.with(other));
        self.manager.build(|kernel| kernel.xor(f, g))
    }

    /// Both or neither.
    pub fn iff(&self, other: &Bdd) -> Result<Bdd, Stop> {
        let (f, g) = (self.edge, self.with(other));
        self.manager.build(|kernel| kernel.xor(f, !g))
    }

    /// The other one wherever this one.
    pub fn implies(&self, other: &Bdd) -> Result<Bdd, Stop> {
        let (f, g) = (self.edge, self.with(other));
        self.manager.build(|kernel| kernel.or(!f, g))
    }

    /// This one, but not the other.
    pub fn minus(&self, other: &Bdd) -> Result<Bdd, Stop> {
        let (f, g) = (self.edge, self.with(other));
        self.manager.build(|kernel| kernel.and(f, !g))
    }

    /// One function where this one is true, another where it is false.
    pub fn ite(&self, then: &Bdd, otherwise: &Bdd) -> Result<Bdd, Stop> {
        let (f, g, h) = (self.edge, self.with(then), self.with(otherwise));
        self.manager.build(|kernel| kernel.ite(f, g, h))
    }

    /// There are values of the variables for which it is true.
    pub fn exists(&self, variables: &Cube) -> Result<Bdd, Stop> {
        let (f, cube) = (self.edge, self.with_cube(variables));
        self.manager.build(|kernel| kernel.exists(f, kernel.cube(cube)))
    }

    /// It is true for all values of the variables.
    pub fn forall(&self, variables: &Cube) -> Result<Bdd, Stop> {
        let (f, cube) = (self.edge, self.with_cube(variables));
        self.manager.build(|kernel| Ok(!kernel.exists(!f, kernel.cube(cube))?))
    }

    /// There are values of the variables for which both are true: the relational product.
    pub fn and_exists(&self, other: &Bdd, variables: &Cube) -> Result<Bdd, Stop> {
        let (f, g, cube) = (self.edge, self.with(other), self.with_cube(variables));
        self.manager.build(|kernel| kernel.and_exists(f, g, kernel.cube(cube)))
    }

    /// The function with variables exchanged. One walk over the diagram if that does not change the order of its variables.
    pub fn swap(&self, swap: &Swap) -> Result<Bdd, Stop> {
        let (f, renaming) = (self.edge, &*swap.renaming);
        self.manager.build(|kernel| kernel.rename(f, renaming))
    }

    /// A function that agrees with this one on the care set and has at most as many nodes.
    pub fn restrict(&self, care: &Bdd) -> Result<Bdd, Stop> {
        let (f, care) = (self.edge, self.with(care));
        self.manager.build(|kernel| kernel.restrict(f, care))
    }

    /// Whether the other one is true wherever this one is.
    pub fn leq(&self, other: &Bdd) -> Result<bool, Stop> {
        let (f, g) = (self.edge, self.with(other));
        self.manager.run(|kernel| Ok(!kernel.intersects(f, !g)?))
    }

    /// Whether both are true somewhere.
    pub fn intersects(&self, other: &Bdd) -> Result<bool, Stop> {
        let (f, g) = (self.edge, self.with(other));
        self.manager.run(|kernel| kernel.intersects(f, g))
    }

    /// The variables that it depends on, in ascending order.
    pub fn support(&self) -> Vec<Var> {
        let support = self.manager.shared.engine.borrow().kernel.support(self.edge);
        support.ones().map(|var| Var::from_inner(var as u32)).collect()
    }

    /// The number of its nodes without the terminal.
    pub fn node_count(&self) -> usize {
        Bdd::shared_node_count(&[self])
    }

    /// The number of nodes of several functions together; what they share counts once.
    pub fn shared_node_count(functions: &[&Bdd]) -> usize {
        let Some(first) = functions.first() else { return 0 };
        let edges: Vec<Edge> = functions.iter().map(|function| first.with(function)).collect();
        first.manager.shared.engine.borrow().kernel.node_count(&edges)
    }

    /// At how many points it is true, where a point is a value for each of these variables, which include the support.
    pub fn count(&self, variables: &[Var]) -> UBig {
        let vars: Vec<u32> = variables.iter().map(|variable| variable.inner()).collect();
        self.manager.shared.engine.borrow().kernel.count(self.edge, &vars)
    }

    /// The least point at which it is true: the first variable is false if that is possible at all, then the second, and so on. Does not
    /// depend on the order of the variables in the diagram. Variables that are not asked for may take any value.
    pub fn pick(&self, variables: &[Var]) -> Option<Vec<bool>> {
        let vars: Vec<u32> = variables.iter().map(|variable| variable.inner()).collect();
        self.manager.shared.engine.borrow().kernel.pick(self.edge, &vars)
    }

    /// The value at a point.
    pub fn evaluate(&self, value: &dyn Fn(Var) -> bool) -> bool {
        let mut at = self.edge;
        while !at.is_constant() {
            // Not borrowed while the caller's function runs.
            let node = self.manager.shared.engine.borrow().kernel.store.node(at);
            let (then, otherwise) = node.split(at);
            at = if value(Var::from_inner(node.var)) { then } else { otherwise };
        }
        at == Edge::ONE
    }

    /// The topmost variable with the functions for its value false and its value true.
    pub fn top(&self) -> Option<(Var, Bdd, Bdd)> {
        if self.is_constant() {
            return None;
        }
        let node = self.manager.shared.engine.borrow().kernel.store.node(self.edge);
        let (then, otherwise) = node.split(self.edge);
        Some((Var::from_inner(node.var), self.manager.hold(otherwise), self.manager.hold(then)))
    }
}

impl Clone for Bdd {
    fn clone(&self) -> Bdd {
        Bdd::new(self.manager.clone(), self.edge)
    }
}

impl Drop for Bdd {
    fn drop(&mut self) {
        self.manager.shared.held.borrow_mut()[self.edge.index()] -= 1;
    }
}

impl PartialEq for Bdd {
    fn eq(&self, other: &Bdd) -> bool {
        self.edge == self.with(other)
    }
}

impl Eq for Bdd {}

impl std::hash::Hash for Bdd {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.edge.hash(state);
    }
}

impl std::fmt::Debug for Bdd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bdd({}{})", if self.edge.is_negated() { "!" } else { "" }, self.edge.index())
    }
}

impl std::ops::Not for &Bdd {
    type Output = Bdd;

    fn not(self) -> Bdd {
        Bdd::new(self.manager.clone(), !self.edge)
    }
}

impl std::ops::Not for Bdd {
    type Output = Bdd;

    fn not(self) -> Bdd {
        !&self
    }
}
