//! The manager: a shared handle to all nodes, the variables and their order.

use std::cell::RefCell;
use std::rc::Rc;

use propcov_budget::Budget;

use super::collect::Held;
use super::edge::Edge;
use super::handle::Bdd;
use super::kernel::{Halt, Kernel};
use super::rename::Renaming;
use super::run::Engine;
use super::sift::Effort;
use super::{Stats, Stop, Var};

/// What all handles of one manager share.
pub(super) struct Shared {
    pub(super) engine: RefCell<Engine>,
    pub(super) held: RefCell<Held>,
    renamings: std::cell::Cell<u32>,
}

/// All diagrams that may be combined with each other. Clones are the same manager.
#[derive(Clone)]
pub struct Manager {
    pub(super) shared: Rc<Shared>,
}

/// A set of variables to quantify.
#[derive(Clone, Debug)]
pub struct Cube {
    pub(super) set: Rc<VariableSet>,
}

/// What the clones of a [`Cube`] share.
#[derive(Debug)]
pub(super) struct VariableSet {
    pub(super) manager: Manager,
    pub(super) number: usize,
}

impl Drop for VariableSet {
    fn drop(&mut self) {
        self.manager.shared.engine.borrow_mut().kernel.remove_cube(self.number);
    }
}

/// A renaming that exchanges the variables of some pairs.
#[derive(Clone)]
pub struct Swap {
    pub(super) renaming: Rc<Renaming>,
}

impl Default for Manager {
    fn default() -> Manager {
        Manager::new()
    }
}

impl std::fmt::Debug for Manager {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Manager").field("variables", &self.variable_count()).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Swap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Swap({})", self.renaming.number)
    }
}

impl Manager {
    /// A manager without variables. Takes a few kilobytes.
    pub fn new() -> Manager {
        let engine = RefCell::new(Engine::new());
        let shared = Shared { engine, held: RefCell::default(), renamings: std::cell::Cell::new(0) };
        Manager { shared: Rc::new(shared) }
    }

    /// A new variable at the bottom of the order.
    pub fn add_variable(&self) -> Var {
        Var::from_inner(self.shared.engine.borrow_mut().kernel.store.add_variable())
    }

    /// How many variables there are; they are numbered from nought in the order in which they were added.
    pub fn variable_count(&self) -> usize {
        self.shared.engine.borrow().kernel.store.order.len()
    }

    /// The function that is this variable.
    pub fn variable(&self, variable: Var) -> Bdd {
        debug_assert!((variable.0 as usize) < self.variable_count(), "a variable of another manager");
        let edge = self.shared.engine.borrow_mut().kernel.literal(variable.inner());
        self.hold(edge)
    }

    /// A function without variables.
    pub fn constant(&self, value: bool) -> Bdd {
        self.hold(Edge::ONE.negate_if(!value))
    }

    /// The variables from top to bottom.
    pub fn order(&self) -> Vec<Var> {
        self.shared.engine.borrow().kernel.store.order.iter().map(|var| Var::from_inner(*var)).collect()
    }

    /// Puts the variables into this order, from top to bottom. Each variable of the manager occurs once.
    pub fn set_order(&self, order: &[Var]) {
        let vars: Vec<u32> = order.iter().map(|variable| variable.inner()).collect();
        self.shared.engine.borrow_mut().set_order(&self.shared.held.borrow(), &vars);
    }

    /// Variables that reordering keeps adjacent in their present order. Groups are disjoint, and each is contiguous now.
    pub fn set_groups(&self, groups: Vec<Vec<Var>>) {
        let groups = groups.into_iter().map(|group| group.into_iter().map(Var::inner).collect()).collect();
        self.shared.engine.borrow_mut().groups = groups;
    }

    /// Reorders the variables to make the diagrams smaller. After a stop the order is some valid one.
    pub fn sift(&self) -> Result<(), Stop> {
        self.shared.engine.borrow_mut().sift(&self.shared.held.borrow(), Effort::default())
    }

    /// From now on operations and reorderings stop when this is exhausted.
    pub fn set_budget(&self, budget: Budget) {
        self.shared.engine.borrow_mut().kernel.budget = budget;
    }

    /// From now on operations stop where there would be more nodes than this.
    pub fn set_node_limit(&self, limit: Option<usize>) {
        self.shared.engine.borrow_mut().node_limit = limit;
    }

    /// Whether to reorder when the number of nodes has doubled; not unless asked for.
    pub fn set_automatic_reordering(&self, automatic: bool) {
        self.shared.engine.borrow_mut().automatic = automatic;
    }

    /// The next automatic reordering is at so many nodes, and later ones are not below.
    pub fn set_smallest_reordering(&self, nodes: usize) {
        self.shared.engine.borrow_mut().set_smallest_reordering(nodes);
    }

    /// Frees the nodes that nobody holds. Happens by itself, too.
    pub fn collect(&self) {
        self.shared.engine.borrow_mut().collect(&self.shared.held.borrow());
    }

    /// Says what is wrong with the nodes, if anything is. For tests; looks at all of them.
    pub fn check_invariants(&self) -> Result<(), String> {
        self.shared.engine.borrow().kernel.invariants(&self.shared.held.borrow())
    }

    /// Numbers so far.
    pub fn stats(&self) -> Stats {
        self.shared.engine.borrow().stats()
    }

    /// A set of variables to quantify.
    pub fn cube(&self, variables: &[Var]) -> Cube {
        let vars: Vec<u32> = variables.iter().map(|variable| variable.inner()).collect();
        let number = self.shared.engine.borrow_mut().kernel.add_cube(vars);
        Cube { set: Rc::new(VariableSet { manager: self.clone(), number }) }
    }

    /// A renaming that exchanges the variables of each pair. No variable is in two pairs.
    pub fn swap(&self, pairs: &[(Var, Var)]) -> Swap {
        let number = self.shared.renamings.get();
        self.shared.renamings.set(number + 1);
        let mut partner: Vec<u32> = (0..=self.variable_count() as u32).collect();
        for (one, other) in pairs {
            debug_assert_eq!(partner[one.inner() as usize], one.inner(), "{one:?} is in two pairs");
            debug_assert_eq!(partner[other.inner() as usize], other.inner(), "{other:?} is in two pairs");
            partner[one.inner() as usize] = other.inner();
            partner[other.inner() as usize] = one.inner();
        }
        Swap { renaming: Rc::new(Renaming { number, partner }) }
    }

    /// A handle, which keeps a function from being collected.
    pub(super) fn hold(&self, edge: Edge) -> Bdd {
        Bdd::new(self.clone(), edge)
    }

    /// Runs an operation whose result is a function.
    pub(super) fn build(
        &self,
        operation: impl Fn(&mut Kernel) -> Result<Edge, Halt> + Sync,
    ) -> Result<Bdd, Stop> {
        Ok(self.hold(self.run(operation)?))
    }

    /// Runs an operation on nodes that are held.
    pub(super) fn run<T: Send>(
        &self,
        operation: impl Fn(&mut Kernel) -> Result<T, Halt> + Sync,
    ) -> Result<T, Stop> {
        self.shared.engine.borrow_mut().run(&self.shared.held.borrow(), operation)
    }
}
