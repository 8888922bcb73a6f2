//! What candidates speak about: Booleans, numbers, guards and constants in the cone of the properties.
//!
//! A state without initial value, such as `pre x` in Lustre, says nothing in the first step of a run. What is said about it is said of its next
//! value instead, which is the wire x: a lemma about x in one step is one about `pre x` in the next.

use super::small::Small;
use crate::infinite::Problem;
use propcov_ir::{
    BinaryOp, ConstraintId, Definition, ExprId, Node, SignalId, SignalKind, Site, Sort, TernaryOp, UnaryOp,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// At most so many Booleans, and so many of them from comparisons.
const BOOLEANS: usize = 96;
const ATOMS: usize = 64;
/// At most so many numbers.
const NUMBERS: usize = 64;
/// At most so many clauses that properties consist of, and literals in each.
const GOALS: usize = 64;
const GOAL_LITERALS: usize = 8;
/// At most so many variants of an enumeration are told apart.
const VARIANTS: usize = 10;

/// A number that candidates speak about.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) expr: ExprId,
    /// Constants that it is compared with.
    pub(super) hints: Vec<Small>,
}

/// What candidates speak about.
#[derive(Debug, Default)]
pub(super) struct Pool {
    /// Booleans; what the next step remembers comes first.
    pub(super) booleans: Vec<ExprId>,
    /// How many of them are remembered.
    pub(super) key_booleans: usize,
    /// How many of them are signals or remembered; the rest are comparisons.
    pub(super) plain_booleans: usize,
    /// Numbers; what the next step remembers comes first.
    pub(super) numbers: Vec<Term>,
    /// How many of them are remembered.
    pub(super) key_numbers: usize,
    /// Booleans under which properties promise something.
    pub(super) guards: Vec<ExprId>,
    /// That an enumeration has a value.
    pub(super) modes: Vec<ExprId>,
    /// The clauses that properties consist of.
    pub(super) goals: Vec<Vec<ExprId>>,
    /// Constants of interest, in order.
    pub(super) constants: Vec<Small>,
    /// Whether a state has its value for the first time.
    pub(super) first: Option<ExprId>,
}

/// The cone of the properties, and what is found in it.
struct Cone {
    signals: Vec<SignalId>,
    exprs: Vec<ExprId>,
}

impl Pool {
    /// Looks at the cone of the properties.
    pub(super) fn new(problem: &mut Problem<'_>) -> Pool {
        let cone = Cone::new(problem);
        let mut shift = shift(problem, &cone);
        let mut pool = Pool { first: first(problem, &cone), ..Pool::default() };
        pool.find_constants(problem, &cone);
        pool.find_remembered(problem, &cone, &mut shift);
        pool.find_goals(problem, &mut shift);
        pool.find_plain(problem, &cone);
        pool.find_comparisons(problem, &cone, &mut shift);
        pool
    }

    fn find_constants(&mut self, problem: &Problem<'_>, cone: &Cone) {
        let mut constants = vec![Small::int(-1), Small::ZERO, Small::ONE];
        for expr in &cone.exprs {
            if let Node::Const(value) = problem.exprs.node(*expr)
                && matches!(problem.exprs.sort(*expr), Sort::Int | Sort::Real)
                && let Some(value) = Small::of(value)
            {
                constants.extend([value, value.negated()]);
                constants.extend([value.plus(Small::ONE), value.minus(Small::ONE)].into_iter().flatten());
            }
        }
        constants.sort_unstable();
        constants.dedup();
        self.constants = constants;
    }

    /// States with an initial value, and what other states remember.
    fn find_remembered(
        &mut self,
        problem: &mut Problem<'_>,
        cone: &Cone,
        shift: &mut FxHashMap<ExprId, ExprId>,
    ) {
        for signal in &cone.signals {
            if !matches!(problem.system.signal(*signal).kind, SignalKind::State { .. }) {
                continue;
            }
            let own = signal_expr(problem, *signal);
            if Some(own) == self.first {
                continue;
            }
            let expr = problem.exprs.replaced(own, shift);
            if !is_input(problem, expr) && !matches!(problem.exprs.node(expr), Node::Const(_)) {
                self.add(problem, expr);
            }
        }
        self.key_booleans = self.booleans.len();
        self.key_numbers = self.numbers.len();
    }

    /// Adds what says something about an expression.
    fn add(&mut self, problem: &mut Problem<'_>, expr: ExprId) {
        match problem.exprs.sort(expr).clone() {
            Sort::BitVec(1) => self.add_boolean(expr),
            Sort::Int | Sort::Real => {
                self.add_number(expr);
            }
            Sort::Enum(of) => {
                for position in 0..of.variants.len().min(VARIANTS) {
                    let value = problem.exprs.constant(propcov_ir::Value::Enum(of.clone(), position as u32));
                    let is_it = problem.exprs.eq(expr, value);
                    self.add_boolean(is_it);
                    if !self.modes.contains(&is_it) {
                        self.modes.push(is_it);
                    }
                }
            }
            Sort::BitVec(_) | Sort::Array(_) => {}
        }
    }

    fn add_boolean(&mut self, expr: ExprId) {
        if self.booleans.len() < BOOLEANS + ATOMS && !self.booleans.contains(&expr) {
            self.booleans.push(expr);
        }
    }

    fn add_number(&mut self, expr: ExprId) -> Option<&mut Term> {
        if let Some(at) = self.numbers.iter().position(|term| term.expr == expr) {
            return Some(&mut self.numbers[at]);
        }
        if self.numbers.len() >= NUMBERS {
            return None;
        }
        self.numbers.push(Term { expr, hints: Vec::new() });
        self.numbers.last_mut()
    }

    /// Wires that no state remembers.
    fn find_plain(&mut self, problem: &mut Problem<'_>, cone: &Cone) {
        for signal in &cone.signals {
            if self.booleans.len() < BOOLEANS
                && matches!(problem.system.signal(*signal).kind, SignalKind::Wire { .. })
            {
                let expr = signal_expr(problem, *signal);
                self.add(problem, expr);
            }
        }
        self.plain_booleans = self.booleans.len();
    }

    /// Comparisons, and the numbers that are compared.
    fn find_comparisons(
        &mut self,
        problem: &mut Problem<'_>,
        cone: &Cone,
        shift: &mut FxHashMap<ExprId, ExprId>,
    ) {
        for expr in &cone.exprs {
            let Node::Binary(BinaryOp::Lt | BinaryOp::Le | BinaryOp::Eq, a, b) = *problem.exprs.node(*expr)
            else {
                continue;
            };
            if !matches!(problem.exprs.sort(a), Sort::Int | Sort::Real | Sort::Enum(_)) {
                continue;
            }
            let atom = problem.exprs.replaced(*expr, shift);
            if !reads_more_than_inputs(problem, atom) {
                continue;
            }
            if !matches!(problem.exprs.node(atom), Node::Const(_)) {
                self.add_boolean(atom);
            }
            if !matches!(problem.exprs.sort(a), Sort::Enum(_)) {
                let (a, b) = (problem.exprs.replaced(a, shift), problem.exprs.replaced(b, shift));
                self.add_compared(problem, a, b);
            }
        }
    }

    fn add_compared(&mut self, problem: &mut Problem<'_>, a: ExprId, b: ExprId) {
        let constant = |expr: ExprId| match problem.exprs.node(expr) {
            Node::Const(value) => Small::of(value),
            _ => None,
        };
        let (term, hint) = match (constant(a), constant(b)) {
            (Some(_), Some(_)) => return,
            (Some(hint), None) => (b, hint),
            (None, Some(hint)) => (a, hint),
            (None, None) if a == b => return,
            (None, None) => (problem.exprs.apply(BinaryOp::Sub, a, b), Small::ZERO),
        };
        if is_input(problem, term) {
            return;
        }
        if let Some(term) = self.add_number(term) {
            for hint in [Some(hint), hint.plus(Small::ONE), hint.minus(Small::ONE)].into_iter().flatten() {
                if !term.hints.contains(&hint) {
                    term.hints.push(hint);
                }
            }
        }
    }

    /// The clauses that properties consist of, as they are and for what the next step remembers, and the guards in them.
    fn find_goals(&mut self, problem: &mut Problem<'_>, shift: &mut FxHashMap<ExprId, ExprId>) {
        let properties: Vec<ExprId> = problem.properties.iter().map(|(_, expr)| *expr).collect();
        for property in properties {
            for clause in clauses(problem, self, property, true, 24) {
                self.add_goal(clause.clone());
                let shifted: Vec<ExprId> = clause
                    .iter()
                    .filter(|literal| Some(**literal) != self.first)
                    .map(|literal| problem.exprs.replaced(*literal, shift))
                    .collect();
                for literal in &shifted {
                    let guard = problem.exprs.not(*literal);
                    let is_signal = matches!(problem.exprs.node(guard), Node::Signal(_));
                    if is_signal && !is_input(problem, guard) && !self.guards.contains(&guard) {
                        self.guards.push(guard);
                    }
                }
                if shifted != clause {
                    self.add_goal(shifted);
                }
            }
        }
    }

    fn add_goal(&mut self, clause: Vec<ExprId>) {
        if self.goals.len() < GOALS && !clause.is_empty() && !self.goals.contains(&clause) {
            self.goals.push(clause);
        }
    }
}

impl Cone {
    fn new(problem: &Problem<'_>) -> Cone {
        let system = problem.system;
        let mut seen_exprs = FxHashSet::default();
        let mut seen_signals = FxHashSet::default();
        let mut open: Vec<ExprId> = problem.properties.iter().map(|(_, expr)| *expr).collect();
        let definition = |site: Site| match system.definition(problem.edits, site) {
            Definition::Expr(expr) | Definition::Inverted(expr) => Some(expr),
            Definition::Open | Definition::Const(_) => None,
        };
        let constraints = 0..system.constraints().len() as u32;
        open.extend(constraints.filter_map(|index| definition(Site::Constraint(ConstraintId(index)))));
        while let Some(expr) = open.pop() {
            if !seen_exprs.insert(expr) {
                continue;
            }
            open.extend(problem.exprs.operands(expr));
            if let Node::Signal(signal) | Node::Next(signal) = *problem.exprs.node(expr)
                && seen_signals.insert(signal)
            {
                let sites = [Site::Wire(signal), Site::Init(signal), Site::Next(signal)];
                open.extend(sites.into_iter().filter_map(definition));
            }
        }
        let mut exprs: Vec<ExprId> = seen_exprs.into_iter().collect();
        let mut signals: Vec<SignalId> = seen_signals.into_iter().collect();
        exprs.sort_unstable();
        signals.sort_unstable();
        Cone { signals, exprs }
    }
}

/// From states without initial value to what they are in the next step.
fn shift(problem: &mut Problem<'_>, cone: &Cone) -> FxHashMap<ExprId, ExprId> {
    let mut table = FxHashMap::default();
    for state in cone.signals.iter().copied() {
        if !matches!(problem.system.signal(state).kind, SignalKind::State { .. })
            || problem.system.definition(problem.edits, Site::Init(state)) != Definition::Open
        {
            continue;
        }
        if let Definition::Expr(next) = problem.system.definition(problem.edits, Site::Next(state)) {
            let own = signal_expr(problem, state);
            table.insert(own, next);
        }
    }
    table
}

/// The state that is true in the first step only.
fn first(problem: &mut Problem<'_>, cone: &Cone) -> Option<ExprId> {
    let is =
        |problem: &Problem<'_>, site: Site, value: bool| match problem.system.definition(problem.edits, site)
        {
            Definition::Expr(expr) => {
                matches!(problem.exprs.node(expr), Node::Const(constant) if constant.as_bool() == Some(value))
            }
            _ => false,
        };
    let found = cone
        .signals
        .iter()
        .copied()
        .find(|signal| is(problem, Site::Init(*signal), true) && is(problem, Site::Next(*signal), false));
    found.map(|signal| signal_expr(problem, signal))
}

pub(super) fn signal_expr(problem: &mut Problem<'_>, signal: SignalId) -> ExprId {
    problem.exprs.signal(signal, problem.system.signal(signal).sort.clone())
}

fn is_input(problem: &Problem<'_>, expr: ExprId) -> bool {
    match problem.exprs.node(expr) {
        Node::Signal(signal) => problem.system.signal(*signal).kind == SignalKind::Input,
        _ => false,
    }
}

fn reads_more_than_inputs(problem: &Problem<'_>, root: ExprId) -> bool {
    let mut seen = FxHashSet::default();
    let mut open = vec![root];
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        if matches!(problem.exprs.node(expr), Node::Signal(_)) && !is_input(problem, expr) {
            return true;
        }
        open.extend(problem.exprs.operands(expr));
    }
    false
}

/// Clauses whose conjunction is the expression, or its negation. Wires that no state remembers are looked into, up to a depth.
fn clauses(
    problem: &mut Problem<'_>,
    pool: &Pool,
    expr: ExprId,
    positive: bool,
    depth: usize,
) -> Vec<Vec<ExprId>> {
    let literal =
        |problem: &mut Problem<'_>| vec![vec![if positive { expr } else { problem.exprs.not(expr) }]];
    if depth == 0 || !problem.exprs.sort(expr).is_bool() {
        return literal(problem);
    }
    let node = problem.exprs.node(expr).clone();
    match node {
        Node::Const(value) => match value.as_bool() == Some(positive) {
            true => Vec::new(),
            false => vec![Vec::new()],
        },
        Node::Signal(signal) if !pool.booleans.contains(&expr) => {
            match problem.system.definition(problem.edits, Site::Wire(signal)) {
                Definition::Expr(inner) => clauses(problem, pool, inner, positive, depth - 1),
                _ => literal(problem),
            }
        }
        Node::Unary(UnaryOp::Not, a) => clauses(problem, pool, a, !positive, depth - 1),
        Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
            let left = clauses(problem, pool, a, positive, depth - 1);
            let right = clauses(problem, pool, b, positive, depth - 1);
            match (op == BinaryOp::And) == positive {
                true => left.into_iter().chain(right).collect(),
                false => product(&left, &right).unwrap_or_else(|| literal(problem)),
            }
        }
        Node::Ternary(TernaryOp::Ite, c, a, b) => {
            let is_not = clauses(problem, pool, c, false, depth - 1);
            let is = clauses(problem, pool, c, true, depth - 1);
            let then = clauses(problem, pool, a, positive, depth - 1);
            let otherwise = clauses(problem, pool, b, positive, depth - 1);
            match (product(&is_not, &then), product(&is, &otherwise)) {
                (Some(then), Some(otherwise)) => then.into_iter().chain(otherwise).collect(),
                _ => literal(problem),
            }
        }
        _ => literal(problem),
    }
}

/// The disjunction of two conjunctions of clauses, if it is small.
fn product(left: &[Vec<ExprId>], right: &[Vec<ExprId>]) -> Option<Vec<Vec<ExprId>>> {
    if left.len() * right.len() > GOALS {
        return None;
    }
    let mut all = Vec::new();
    for a in left {
        for b in right {
            let mut clause = a.clone();
            clause.extend(b.iter().filter(|literal| !a.contains(literal)));
            if clause.len() > GOAL_LITERALS {
                return None;
            }
            all.push(clause);
        }
    }
    Some(all)
}
