//! The predicates in whose terms IC3 sees states.

use super::super::Problem;
use propcov_ir::{BinaryOp, Definition, ExprId, ExprPool, Node, SignalId, SignalKind, Site, Sort, Value};
use propcov_sat::Lit;
use propcov_solve::arith::{NotRepresentable, Unrolling, Word};
use rustc_hash::{FxHashMap, FxHashSet};

/// A Boolean expression over states, with its literals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Predicate {
    pub(super) expr: ExprId,
    /// Whether it holds in the step.
    pub(super) now: Lit,
    /// Whether it holds after the step.
    pub(super) next: Lit,
}

/// The predicates, by number.
#[derive(Default)]
pub(super) struct Predicates {
    list: Vec<Predicate>,
    known: FxHashMap<Lit, usize>,
}

/// At most so many comparisons of the system become predicates at the start.
const COMPARISONS: usize = 150;

impl Predicates {
    pub(super) fn list(&self) -> &[Predicate] {
        &self.list
    }

    /// Adds a predicate; says whether it was new, up to negation.
    pub(super) fn add(
        &mut self,
        exprs: &ExprPool,
        step: &mut Unrolling<'_>,
        expr: ExprId,
    ) -> Result<bool, NotRepresentable> {
        let now = step.literal(exprs, 0, expr)?;
        let truth = step.solved().truth();
        if now.var() == truth.var() || self.known.contains_key(&now) || self.known.contains_key(&!now) {
            return Ok(false);
        }
        let next = step.literal(exprs, 1, expr)?;
        self.known.insert(now, self.list.len());
        self.list.push(Predicate { expr, now, next });
        Ok(true)
    }

    /// What IC3 starts with: Boolean states, values of enumerations, and the comparisons in the system that are about states alone. Returns the number states.
    pub(super) fn start(
        &mut self,
        problem: &mut Problem<'_>,
        step: &mut Unrolling<'_>,
        roots: &[ExprId],
    ) -> Result<Vec<(ExprId, Word)>, NotRepresentable> {
        let cone = Cone::of(problem, roots);
        let mut numbers = Vec::new();
        for state in &cone.states {
            let sort = problem.system.signal(*state).sort.clone();
            let read = problem.exprs.signal(*state, sort.clone());
            match &sort {
                Sort::BitVec(1) => {
                    self.add(&problem.exprs, step, read)?;
                }
                Sort::Enum(of) => {
                    for position in 0..of.variants.len() as u32 {
                        let value = problem.exprs.constant(Value::Enum(of.clone(), position));
                        let is = problem.exprs.eq(read, value);
                        self.add(&problem.exprs, step, is)?;
                    }
                }
                Sort::Int | Sort::Real => numbers.push((read, step.word(&problem.exprs, 0, read)?)),
                _ => {}
            }
        }
        let mut added = 0;
        for expr in &cone.comparisons {
            if added < COMPARISONS
                && let Some(over_states) = over_states(problem, step, *expr)?
            {
                for expr in over_states {
                    added += usize::from(self.add(&problem.exprs, step, expr)?);
                }
            }
        }
        Ok(numbers)
    }
}

/// What the roots depend on, through any number of steps.
struct Cone {
    states: Vec<SignalId>,
    /// Comparisons of numbers.
    comparisons: Vec<ExprId>,
}

impl Cone {
    fn of(problem: &Problem<'_>, roots: &[ExprId]) -> Cone {
        let system = problem.system;
        let mut cone = Cone { states: Vec::new(), comparisons: Vec::new() };
        let (mut seen, mut signals) = (FxHashSet::default(), FxHashSet::default());
        let mut open = roots.to_vec();
        for index in 0..system.constraints().len() as u32 {
            let site = Site::Constraint(propcov_ir::ConstraintId(index));
            if let Definition::Expr(expr) | Definition::Inverted(expr) =
                system.definition(problem.edits, site)
            {
                open.push(expr);
            }
        }
        while let Some(expr) = open.pop() {
            if !seen.insert(expr) {
                continue;
            }
            match *problem.exprs.node(expr) {
                Node::Signal(signal) | Node::Next(signal) => {
                    if signals.insert(signal) {
                        let site = match system.signal(signal).kind {
                            SignalKind::Input => continue,
                            SignalKind::Wire { .. } => Site::Wire(signal),
                            SignalKind::State { .. } => {
                                cone.states.push(signal);
                                Site::Next(signal)
                            }
                        };
                        if let Definition::Expr(expr) | Definition::Inverted(expr) =
                            system.definition(problem.edits, site)
                        {
                            open.push(expr);
                        }
                    }
                }
                Node::Binary(BinaryOp::Lt | BinaryOp::Le | BinaryOp::Eq, a, b) => {
                    if matches!(problem.exprs.sort(a), Sort::Int | Sort::Real) {
                        cone.comparisons.push(expr);
                    }
                    open.extend([a, b]);
                }
                _ => open.extend(problem.exprs.operands(expr)),
            }
        }
        cone.states.sort_unstable();
        cone.comparisons.sort_unstable();
        cone
    }
}

/// A comparison as predicates over states alone, if it is one in a step: wires may stand between.
fn over_states(
    problem: &mut Problem<'_>,
    step: &mut Unrolling<'_>,
    expr: ExprId,
) -> Result<Option<Vec<ExprId>>, NotRepresentable> {
    let Node::Binary(op, a, b) = *problem.exprs.node(expr) else { return Ok(None) };
    let (left, right) = (step.word(&problem.exprs, 0, a)?, step.word(&problem.exprs, 0, b)?);
    let (Word::Number(left), Word::Number(right)) = (left, right) else { return Ok(None) };
    let difference = left.plus(&right, &(-1).into());
    let Some(sum) = sum_of_states(problem, step, &difference) else { return Ok(None) };
    let zero = zero_like(&mut problem.exprs, sum);
    let at_most = problem.exprs.apply(BinaryOp::Le, sum, zero);
    Ok(Some(match op {
        BinaryOp::Eq => vec![at_most, problem.exprs.apply(BinaryOp::Le, zero, sum)],
        BinaryOp::Lt => vec![problem.exprs.apply(BinaryOp::Lt, sum, zero)],
        _ => vec![at_most],
    }))
}

fn zero_like(exprs: &mut ExprPool, expr: ExprId) -> ExprId {
    let zero = Value::zero(&exprs.sort(expr).clone());
    exprs.constant(zero)
}

/// A linear sum over values of states as an expression over the states; `None` if other variables are in it, or none at all.
pub(super) fn sum_of_states(
    problem: &mut Problem<'_>,
    path: &Unrolling<'_>,
    sum: &propcov_smt::Linear,
) -> Option<ExprId> {
    use dashu_ratio::RBig;
    let mut terms = Vec::new();
    for (number, coefficient) in sum.terms() {
        terms.push((path.owner(number)?.state?, coefficient.clone()));
    }
    if terms.is_empty() {
        return None;
    }
    let common = terms
        .iter()
        .map(|(_, coefficient)| coefficient)
        .chain([sum.offset()])
        .fold(RBig::ONE, |common, coefficient| common * RBig::from(coefficient.denominator().clone()));
    let of_ints = terms.iter().all(|(state, _)| problem.system.signal(*state).sort == Sort::Int);
    let literal = |exprs: &mut ExprPool, value: RBig| {
        let scaled = value * &common;
        exprs.constant(if of_ints { Value::Int(scaled.numerator().clone()) } else { Value::Real(scaled) })
    };
    let mut total = literal(&mut problem.exprs, sum.offset().clone());
    for (state, coefficient) in terms {
        let sort = problem.system.signal(state).sort.clone();
        let mut read = problem.exprs.signal(state, sort.clone());
        if sort == Sort::Int && !of_ints {
            read = problem.exprs.unary(propcov_ir::UnaryOp::ToReal, read).ok()?;
        }
        let times = literal(&mut problem.exprs, coefficient);
        let product = problem.exprs.apply(BinaryOp::Mul, times, read);
        total = problem.exprs.apply(BinaryOp::Add, total, product);
    }
    Some(total)
}

/// The predicate that a bound on states is.
pub(super) fn bound_over_states(
    problem: &mut Problem<'_>,
    path: &Unrolling<'_>,
    bound: &propcov_smt::Bound,
) -> Option<ExprId> {
    let sum = sum_of_states(problem, path, &bound.sum)?;
    let zero = zero_like(&mut problem.exprs, sum);
    let op = match bound.relation {
        propcov_smt::Relation::AtMost => BinaryOp::Le,
        propcov_smt::Relation::Below => BinaryOp::Lt,
    };
    Some(problem.exprs.apply(op, sum, zero))
}
