//! Our decision diagrams against the crate oxidd: the same work on both in one process, in alternating order, medians of several rounds.
//! Seconds are processor time (Linux).
//!
//! Run by `benches/ctl/kernel`. Neither side reorders in the first table. oxidd has one thread, a fixed capacity of nodes and a fixed cache,
//! created before the clock starts. The second table is ours alone, with automatic group sifting: oxidd has none.
//! A word as argument selects the tasks whose names contain it.

use std::io::Write;
use std::time::Instant;

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst};
use oxidd::{Manager as _, ManagerRef, Subst};
use propcov_bdd::{Bdd, Cube, Manager, Stop, Swap, Var};
use propcov_testkit::Random;

const ROUNDS: usize = 5;
const OXIDD_NODES: usize = 1 << 24;
const OXIDD_CACHE: usize = 1 << 22;

type Failure = Box<dyn std::error::Error>;

/// What a package of decision diagrams has to do here.
trait Package: Sized {
    type Function: Clone + PartialEq;
    type Set;
    type Renaming;

    fn with_variables(count: usize) -> Result<Self, Failure>;
    fn variable(&self, variable: usize) -> Result<Self::Function, Failure>;
    fn constant(&self, value: bool) -> Self::Function;
    fn not(&self, f: &Self::Function) -> Result<Self::Function, Failure>;
    fn and(&self, f: &Self::Function, g: &Self::Function) -> Result<Self::Function, Failure>;
    fn or(&self, f: &Self::Function, g: &Self::Function) -> Result<Self::Function, Failure>;
    fn xor(&self, f: &Self::Function, g: &Self::Function) -> Result<Self::Function, Failure>;
    fn set(&self, variables: &[usize]) -> Result<Self::Set, Failure>;
    fn product(
        &self,
        f: &Self::Function,
        g: &Self::Function,
        set: &Self::Set,
    ) -> Result<Self::Function, Failure>;
    /// Each variable of the first column becomes the one of the second.
    fn renaming(&self, pairs: &[(usize, usize)]) -> Result<Self::Renaming, Failure>;
    fn rename(&self, f: &Self::Function, renaming: &Self::Renaming) -> Result<Self::Function, Failure>;
    fn nodes(&self, f: &Self::Function) -> usize;
    fn group(&self, _pairs: &[(usize, usize)]) {}
}

/// Ours.
struct Ours(Manager);

impl Package for Ours {
    type Function = Bdd;
    type Set = Cube;
    type Renaming = Swap;

    fn with_variables(count: usize) -> Result<Ours, Failure> {
        let manager = Manager::new();
        for _ in 0..count {
            manager.add_variable();
        }
        Ok(Ours(manager))
    }
    fn variable(&self, variable: usize) -> Result<Bdd, Failure> {
        Ok(self.0.variable(Var(variable as u32)))
    }
    fn constant(&self, value: bool) -> Bdd {
        self.0.constant(value)
    }
    fn not(&self, f: &Bdd) -> Result<Bdd, Failure> {
        Ok(!f)
    }
    fn and(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Failure> {
        Ok(f.and(g)?)
    }
    fn or(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Failure> {
        Ok(f.or(g)?)
    }
    fn xor(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Failure> {
        Ok(f.xor(g)?)
    }
    fn set(&self, variables: &[usize]) -> Result<Cube, Failure> {
        Ok(self.0.cube(&variables.iter().map(|variable| Var(*variable as u32)).collect::<Vec<_>>()))
    }
    fn product(&self, f: &Bdd, g: &Bdd, set: &Cube) -> Result<Bdd, Failure> {
        Ok(f.and_exists(g, set)?)
    }
    fn renaming(&self, pairs: &[(usize, usize)]) -> Result<Swap, Failure> {
        let pairs: Vec<_> = pairs.iter().map(|(from, to)| (Var(*from as u32), Var(*to as u32))).collect();
        Ok(self.0.swap(&pairs))
    }
    fn rename(&self, f: &Bdd, renaming: &Swap) -> Result<Bdd, Failure> {
        Ok(f.swap(renaming)?)
    }
    fn nodes(&self, f: &Bdd) -> usize {
        f.node_count()
    }
    fn group(&self, pairs: &[(usize, usize)]) {
        self.0.set_groups(pairs.iter().map(|(from, to)| vec![Var(*to as u32), Var(*from as u32)]).collect());
    }
}

/// Ours with automatic reordering.
struct Sifting(Ours);

impl Package for Sifting {
    type Function = Bdd;
    type Set = Cube;
    type Renaming = Swap;

    fn with_variables(count: usize) -> Result<Sifting, Failure> {
        let ours = Ours::with_variables(count)?;
        ours.0.set_automatic_reordering(true);
        Ok(Sifting(ours))
    }
    fn variable(&self, variable: usize) -> Result<Bdd, Failure> {
        self.0.variable(variable)
    }
    fn constant(&self, value: bool) -> Bdd {
        self.0.constant(value)
    }
    fn not(&self, f: &Bdd) -> Result<Bdd, Failure> {
        self.0.not(f)
    }
    fn and(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Failure> {
        self.0.and(f, g)
    }
    fn or(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Failure> {
        self.0.or(f, g)
    }
    fn xor(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, Failure> {
        self.0.xor(f, g)
    }
    fn set(&self, variables: &[usize]) -> Result<Cube, Failure> {
        self.0.set(variables)
    }
    fn product(&self, f: &Bdd, g: &Bdd, set: &Cube) -> Result<Bdd, Failure> {
        self.0.product(f, g, set)
    }
    fn renaming(&self, pairs: &[(usize, usize)]) -> Result<Swap, Failure> {
        self.0.renaming(pairs)
    }
    fn rename(&self, f: &Bdd, renaming: &Swap) -> Result<Bdd, Failure> {
        self.0.rename(f, renaming)
    }
    fn nodes(&self, f: &Bdd) -> usize {
        self.0.nodes(f)
    }
    fn group(&self, pairs: &[(usize, usize)]) {
        self.0.group(pairs);
    }
}

/// The peer.
struct Oxidd(BCDDManagerRef);

impl Package for Oxidd {
    type Function = BCDDFunction;
    type Set = BCDDFunction;
    type Renaming = Subst<BCDDFunction>;

    fn with_variables(count: usize) -> Result<Oxidd, Failure> {
        let manager = oxidd::bcdd::new_manager(OXIDD_NODES, OXIDD_CACHE, 1);
        manager.with_manager_exclusive(|manager| manager.add_vars(count as u32));
        Ok(Oxidd(manager))
    }
    fn variable(&self, variable: usize) -> Result<BCDDFunction, Failure> {
        Ok(self.0.with_manager_shared(|manager| BCDDFunction::var(manager, variable as u32))?)
    }
    fn constant(&self, value: bool) -> BCDDFunction {
        self.0.with_manager_shared(
            |manager| if value { BCDDFunction::t(manager) } else { BCDDFunction::f(manager) },
        )
    }
    fn not(&self, f: &BCDDFunction) -> Result<BCDDFunction, Failure> {
        Ok(f.not()?)
    }
    fn and(&self, f: &BCDDFunction, g: &BCDDFunction) -> Result<BCDDFunction, Failure> {
        Ok(f.and(g)?)
    }
    fn or(&self, f: &BCDDFunction, g: &BCDDFunction) -> Result<BCDDFunction, Failure> {
        Ok(f.or(g)?)
    }
    fn xor(&self, f: &BCDDFunction, g: &BCDDFunction) -> Result<BCDDFunction, Failure> {
        Ok(f.xor(g)?)
    }
    fn set(&self, variables: &[usize]) -> Result<BCDDFunction, Failure> {
        variables
            .iter()
            .try_fold(self.constant(true), |set, variable| Ok(set.and(&self.variable(*variable)?)?))
    }
    fn product(
        &self,
        f: &BCDDFunction,
        g: &BCDDFunction,
        set: &BCDDFunction,
    ) -> Result<BCDDFunction, Failure> {
        Ok(f.apply_exists(BooleanOperator::And, g, set)?)
    }
    fn renaming(&self, pairs: &[(usize, usize)]) -> Result<Subst<BCDDFunction>, Failure> {
        let variables = pairs.iter().map(|(from, _)| *from as u32).collect();
        let replacements = pairs.iter().map(|(_, to)| self.variable(*to)).collect::<Result<_, _>>()?;
        Ok(Subst::new(variables, replacements))
    }
    fn rename(&self, f: &BCDDFunction, renaming: &Subst<BCDDFunction>) -> Result<BCDDFunction, Failure> {
        Ok(f.substitute(renaming)?)
    }
    fn nodes(&self, f: &BCDDFunction) -> usize {
        // oxidd counts the terminal, too.
        f.node_count() - 1
    }
}

/// A Boolean expression over latches and inputs.
#[derive(Clone)]
enum Expr {
    Latch(usize),
    Input(usize),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Xor(Box<Expr>, Box<Expr>),
}

use Expr::{Input, Latch};

impl Expr {
    fn not(self) -> Expr {
        Expr::Not(Box::new(self))
    }
    fn and(self, other: Expr) -> Expr {
        Expr::And(Box::new(self), Box::new(other))
    }
    fn or(self, other: Expr) -> Expr {
        self.not().and(other.not()).not()
    }
    fn xor(self, other: Expr) -> Expr {
        Expr::Xor(Box::new(self), Box::new(other))
    }
    fn ite(self, then: Expr, otherwise: Expr) -> Expr {
        self.clone().and(then).or(self.not().and(otherwise))
    }
}

/// Latches with next-state functions; all are false at first. The order of variables is that of latches, inputs come first.
struct Model {
    name: String,
    inputs: usize,
    next: Vec<Expr>,
}

/// A counter over some latches, least significant first, that counts when it is told to.
fn counter(latches: &[usize], enable: &Expr) -> Vec<Expr> {
    let mut carry = enable.clone();
    let mut next = Vec::new();
    for latch in latches {
        next.push(Latch(*latch).xor(carry.clone()));
        carry = carry.and(Latch(*latch));
    }
    next
}

/// Counters of which the one with the token counts; it may pass the token on.
fn ring(stations: usize, width: usize) -> Model {
    let token = |station: usize| station * (width + 1);
    let mut next = Vec::new();
    for station in 0..stations {
        let before = (station + stations - 1) % stations;
        // The first station has the token when its latch is false, so that all latches may start as false.
        let has = |station: usize| if station == 0 { Latch(token(0)).not() } else { Latch(token(station)) };
        let has_next = has(station).and(Input(0).not()).or(has(before).and(Input(0)));
        next.push(if station == 0 { has_next.not() } else { has_next });
        let bits: Vec<usize> = (1..=width).map(|bit| token(station) + bit).collect();
        next.extend(counter(&bits, &has(station).and(Input(1))));
    }
    Model { name: format!("ring{stations}x{width}"), inputs: 2, next }
}

/// Each stage adds the one before it, modulo a power of two, unless it is stalled; the first one counts.
fn pipe(stages: usize, width: usize) -> Model {
    let latch = |stage: usize, bit: usize| bit * stages + stage;
    let mut next = vec![Latch(0); stages * width];
    for stage in 0..stages {
        let mut carry = Input(stage);
        for bit in 0..width {
            let own = Latch(latch(stage, bit));
            if stage == 0 {
                next[latch(stage, bit)] = own.clone().xor(carry.clone());
                carry = carry.and(own);
            } else {
                let other = Latch(latch(stage - 1, bit)).and(Input(stage));
                let carried = if bit == 0 { Input(stages) } else { carry };
                next[latch(stage, bit)] = own.clone().xor(other.clone()).xor(carried.clone());
                carry = own.clone().and(other.clone()).or(carried.and(own.xor(other)));
            }
        }
    }
    Model { name: format!("pipe{stages}x{width}"), inputs: stages + 1, next }
}

/// Shifts an input through as many words as it has, and counts the words of ones.
fn fifo(depth: usize, width: usize) -> Model {
    let mut next = Vec::new();
    for word in 0..depth {
        for bit in 0..width {
            let data = if word == 0 { Input(bit + 1) } else { Latch((word - 1) * width + bit) };
            next.push(Input(0).ite(data, Latch(word * width + bit)));
        }
    }
    let full = (0..width).map(|bit| Latch((depth - 1) * width + bit)).reduce(Expr::and);
    let count: Vec<usize> = (depth * width..depth * width + 8).collect();
    next.extend(counter(&count, &full.unwrap_or(Input(0)).and(Input(0))));
    Model { name: format!("fifo{depth}x{width}"), inputs: width + 1, next }
}

/// Each latch is a random function of four others nearby.
fn random(latches: usize, seed: u64) -> Model {
    let mut random = Random::new(seed);
    let next = (0..latches)
        .map(|latch| {
            let mut near = || Latch((latch + random.between(0, 12) + latches - 6) % latches);
            let (a, b, c, d) = (near(), near(), near(), near());
            match random.below(3) {
                0 => a.xor(b.and(c.or(Input(0)))).xor(d.not()),
                1 => a.ite(b.xor(Input(1)), c.or(d).not()),
                _ => a.and(b.not()).or(c.xor(d).and(Input(2))),
            }
        })
        .collect();
    Model { name: format!("random{latches}"), inputs: 3, next }
}

/// Reachable states by breadth-first search with a partitioned relation. Returns the nodes of the result.
fn reach<P: Package>(package: &P, model: &Model) -> Result<usize, Failure> {
    let current = |latch: usize| model.inputs + 2 * latch;
    let pairs: Vec<_> = (0..model.next.len()).map(|latch| (current(latch) + 1, current(latch))).collect();
    package.group(&pairs);
    let mut parts = Vec::new();
    let mut states = package.constant(true);
    for (latch, next) in model.next.iter().enumerate() {
        let next = build(package, model, next)?;
        let primed = package.variable(current(latch) + 1)?;
        parts.push(package.not(&package.xor(&primed, &next)?)?);
        states = package.and(&states, &package.not(&package.variable(current(latch))?)?)?;
    }
    let sets = schedule(package, model)?;
    let back = package.renaming(&pairs)?;
    let mut front = states.clone();
    while front != package.constant(false) {
        let mut image = front;
        for (part, set) in parts.iter().zip(&sets) {
            image = package.product(&image, part, set)?;
        }
        let image = package.rename(&image, &back)?;
        front = package.and(&image, &package.not(&states)?)?;
        states = package.or(&states, &image)?;
    }
    Ok(package.nodes(&states))
}

/// For each part of the relation the variables that occur in no later one.
fn schedule<P: Package>(package: &P, model: &Model) -> Result<Vec<P::Set>, Failure> {
    let mut last = vec![0; model.inputs + 2 * model.next.len()];
    for (latch, next) in model.next.iter().enumerate() {
        mark(next, model, latch, &mut last);
    }
    let quantified = |variable: usize| variable < model.inputs || (variable - model.inputs).is_multiple_of(2);
    let set = |part| {
        let variables: Vec<usize> =
            (0..last.len()).filter(|variable| quantified(*variable) && last[*variable] == part).collect();
        package.set(&variables)
    };
    (0..model.next.len()).map(set).collect()
}

fn mark(expr: &Expr, model: &Model, part: usize, last: &mut [usize]) {
    match expr {
        Latch(latch) => last[model.inputs + 2 * latch] = part,
        Input(input) => last[*input] = part,
        Expr::Not(a) => mark(a, model, part, last),
        Expr::And(a, b) | Expr::Xor(a, b) => {
            mark(a, model, part, last);
            mark(b, model, part, last);
        }
    }
}

fn build<P: Package>(package: &P, model: &Model, expr: &Expr) -> Result<P::Function, Failure> {
    match expr {
        Latch(latch) => package.variable(model.inputs + 2 * latch),
        Input(input) => package.variable(*input),
        Expr::Not(a) => package.not(&build(package, model, a)?),
        Expr::And(a, b) => package.and(&build(package, model, a)?, &build(package, model, b)?),
        Expr::Xor(a, b) => package.xor(&build(package, model, a)?, &build(package, model, b)?),
    }
}

/// All placements of queens that do not attack each other, built row by row from the constraints.
fn queens<P: Package>(package: &P, size: usize) -> Result<usize, Failure> {
    let field = |row: usize, column: usize| package.variable(row * size + column);
    let mut all = package.constant(true);
    for row in 0..size {
        let mut some = package.constant(false);
        for column in 0..size {
            some = package.or(&some, &field(row, column)?)?;
        }
        all = package.and(&all, &some)?;
    }
    for row in 0..size {
        for column in 0..size {
            let mut free = package.constant(true);
            for other_row in 0..size {
                for other in 0..size {
                    let (rows, columns) = (row.abs_diff(other_row), column.abs_diff(other));
                    if (rows, columns) != (0, 0) && (rows == 0 || columns == 0 || rows == columns) {
                        free = package.and(&free, &package.not(&field(other_row, other)?)?)?;
                    }
                }
            }
            let rule = package.or(&package.not(&field(row, column)?)?, &free)?;
            all = package.and(&all, &rule)?;
        }
    }
    Ok(package.nodes(&all))
}

/// All bits of a product. Returns their nodes, counted one by one.
fn multiplier<P: Package>(package: &P, width: usize) -> Result<usize, Failure> {
    let mut sum = vec![package.constant(false); 2 * width];
    for shift in 0..width {
        let mut carry = package.constant(false);
        for bit in 0..width {
            let partial = package.and(&package.variable(2 * shift)?, &package.variable(2 * bit + 1)?)?;
            let half = package.xor(&sum[shift + bit], &partial)?;
            let both = package.and(&sum[shift + bit], &partial)?;
            sum[shift + bit] = package.xor(&half, &carry)?;
            carry = package.or(&both, &package.and(&half, &carry)?)?;
        }
        sum[shift + width] = carry;
    }
    Ok(sum.iter().map(|bit| package.nodes(bit)).sum())
}

/// One thing to measure.
enum Task {
    Reach(Model),
    Queens(usize),
    Multiplier(usize),
}

impl Task {
    fn name(&self) -> String {
        match self {
            Task::Reach(model) => format!("{} ({})", model.name, model.next.len()),
            Task::Queens(size) => format!("queens{size}"),
            Task::Multiplier(width) => format!("multiplier{width}"),
        }
    }

    fn variables(&self) -> usize {
        match self {
            Task::Reach(model) => model.inputs + 2 * model.next.len(),
            Task::Queens(size) => size * size,
            Task::Multiplier(width) => 2 * width,
        }
    }

    /// Seconds and nodes of the result.
    fn run<P: Package>(&self) -> Result<(f64, usize, P), Failure> {
        let package = P::with_variables(self.variables())?;
        let start = processor_seconds();
        let nodes = match self {
            Task::Reach(model) => reach(&package, model)?,
            Task::Queens(size) => queens(&package, *size)?,
            Task::Multiplier(width) => multiplier(&package, *width)?,
        };
        Ok((processor_seconds() - start, nodes, package))
    }
}

/// Processor time of this thread, which other processes do not disturb as much as the clock.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|number| number.parse::<f64>().ok());
    nanoseconds.unwrap_or(f64::NAN) / 1e9
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

fn main() -> Result<(), Failure> {
    let mut tasks: Vec<Task> = [
        ring(8, 4),
        ring(12, 4),
        fifo(4, 6),
        pipe(2, 8),
        pipe(3, 5),
        pipe(4, 4),
        random(16, 1),
        random(20, 3),
    ]
    .into_iter()
    .map(Task::Reach)
    .collect();
    tasks.extend([8, 9, 10].map(Task::Queens));
    tasks.extend([8, 9, 10].map(Task::Multiplier));
    let wanted = std::env::args().nth(1).unwrap_or_default();
    tasks.retain(|task| task.name().contains(&wanted));
    let rounds = std::env::args().nth(2).and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS);
    let mut out = std::io::stdout();
    writeln!(
        out,
        "| task | ours, s | oxidd, s | ratio | nodes | peak | sifting, s | of that reordering | reorderings | nodes |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|---|---|---|")?;
    for task in &tasks {
        let (mut ours, mut theirs, mut sifting) = (Vec::new(), Vec::new(), Vec::new());
        let (mut nodes, mut peak, mut sifted) = (0, 0, None);
        for round in 0..rounds {
            let peer = |theirs: &mut Vec<f64>| -> Result<usize, Failure> {
                let (seconds, nodes, _) = task.run::<Oxidd>()?;
                theirs.push(seconds);
                Ok(nodes)
            };
            let before = if round % 2 == 1 { Some(peer(&mut theirs)?) } else { None };
            let (seconds, found, package) = task.run::<Ours>()?;
            ours.push(seconds);
            (nodes, peak) = (found, package.0.stats().peak_nodes);
            let other = match before {
                Some(nodes) => nodes,
                None => peer(&mut theirs)?,
            };
            if other != nodes {
                return Err(format!("{}: {nodes} nodes here, {other} there", task.name()).into());
            }
            let (seconds, nodes, package) = task.run::<Sifting>()?;
            sifting.push(seconds);
            sifted = Some((nodes, package.0.0.stats()));
        }
        let (ours, theirs, sifting) = (median(ours), median(theirs), median(sifting));
        let (sifted_nodes, stats) = sifted.ok_or("no rounds")?;
        writeln!(
            out,
            "| {} | {ours:.4} | {theirs:.4} | {:.2} | {nodes} | {peak} | {sifting:.3} | {:.3} | {} | {sifted_nodes} |",
            task.name(),
            ours / theirs,
            stats.reordering_seconds,
            stats.reorderings,
        )?;
    }
    let start = Instant::now();
    for _ in 0..1000 {
        start_up()?;
    }
    writeln!(
        out,
        "\nA manager with 50 variables and 25 conjunctions: {:.1} us.",
        start.elapsed().as_secs_f64() * 1e3
    )?;
    Ok(())
}

fn start_up() -> Result<(), Stop> {
    let manager = Manager::new();
    for _ in 0..25 {
        let pair =
            [manager.add_variable(), manager.add_variable()].map(|variable| manager.variable(variable));
        pair[0].and(&pair[1])?;
    }
    Ok(())
}
