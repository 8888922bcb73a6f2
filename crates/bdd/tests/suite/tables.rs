//! Every operation against truth tables: random sequences of operations over few variables, with collections, reorderings, limits and
//! interrupts in between.

use propcov_bdd::{Bdd, Manager, Stop, Var};
use propcov_testkit::Random;

/// A function of `variables` variables as its values at all points; variable k is bit k of the point.
#[derive(Clone, PartialEq, Debug)]
struct Table(Vec<bool>);

impl Table {
    fn of(variables: usize, value: impl Fn(usize) -> bool) -> Table {
        Table((0..1 << variables).map(value).collect())
    }

    fn combine(&self, other: &Table, operation: impl Fn(bool, bool) -> bool) -> Table {
        Table(self.0.iter().zip(&other.0).map(|(one, other)| operation(*one, *other)).collect())
    }

    fn quantify(&self, variables: &[usize], operation: impl Fn(bool, bool) -> bool) -> Table {
        variables.iter().fold(self.clone(), |table, variable| {
            let bit = 1 << variable;
            Table((0..table.0.len()).map(|at| operation(table.0[at | bit], table.0[at & !bit])).collect())
        })
    }

    fn rename(&self, pairs: &[(usize, usize)]) -> Table {
        let partner = |point: usize| {
            pairs.iter().fold(point, |at, (a, b)| {
                let (bit_a, bit_b) = (at >> a & 1, at >> b & 1);
                at & !(1 << a) & !(1 << b) | bit_a << b | bit_b << a
            })
        };
        Table((0..self.0.len()).map(|point| self.0[partner(point)]).collect())
    }
}

/// The functions made so far, each in both forms.
struct World {
    manager: Manager,
    variables: Vec<Var>,
    functions: Vec<(Bdd, Table)>,
    random: Random,
    groups: Vec<Vec<Var>>,
}

impl World {
    fn new(seed: u64) -> World {
        let mut random = Random::new(seed);
        let manager = Manager::new();
        let count = random.between(1, 8);
        let variables: Vec<Var> = (0..count).map(|_| manager.add_variable()).collect();
        let mut functions: Vec<(Bdd, Table)> = variables
            .iter()
            .map(|var| (manager.variable(*var), Table::of(count, |point| point >> var.0 & 1 == 1)))
            .collect();
        functions.push((manager.constant(true), Table::of(count, |_| true)));
        World { manager, variables, functions, random, groups: Vec::new() }
    }

    fn pick(&mut self) -> (Bdd, Table) {
        let (bdd, table) = self.random.pick(&self.functions).clone();
        if self.random.percent(50) { (!bdd, table.combine(&table, |value, _| !value)) } else { (bdd, table) }
    }

    fn subset(&mut self) -> Vec<usize> {
        (0..self.variables.len()).filter(|_| self.random.percent(40)).collect()
    }

    fn pairs(&mut self) -> Vec<(usize, usize)> {
        let mut all: Vec<usize> = (0..self.variables.len()).collect();
        let mut pairs = Vec::new();
        while all.len() >= 2 && self.random.percent(80) {
            let one = all.swap_remove(self.random.below(all.len()));
            let other = if self.random.percent(50) { 0 } else { self.random.below(all.len()) };
            pairs.push((one, all.swap_remove(other)));
        }
        pairs
    }

    fn vars(&self, places: &[usize]) -> Vec<Var> {
        places.iter().map(|place| self.variables[*place]).collect()
    }

    /// One random operation on both forms.
    fn operation(&mut self) -> Result<(Bdd, Table), Stop> {
        let ((f, f_table), (g, g_table)) = (self.pick(), self.pick());
        Ok(match self.random.below(13) {
            0 => (f.and(&g)?, f_table.combine(&g_table, |f, g| f && g)),
            1 => (f.or(&g)?, f_table.combine(&g_table, |f, g| f || g)),
            2 => (f.xor(&g)?, f_table.combine(&g_table, |f, g| f != g)),
            3 => (f.iff(&g)?, f_table.combine(&g_table, |f, g| f == g)),
            4 => (f.implies(&g)?, f_table.combine(&g_table, |f, g| !f || g)),
            5 => (f.minus(&g)?, f_table.combine(&g_table, |f, g| f && !g)),
            6 | 7 => {
                let (h, h_table) = self.pick();
                let then = f_table.combine(&g_table, |f, g| f && g);
                let otherwise = f_table.combine(&h_table, |f, h| !f && h);
                (f.ite(&g, &h)?, then.combine(&otherwise, |then, otherwise| then || otherwise))
            }
            8 => {
                let subset = self.subset();
                (f.exists(&self.manager.cube(&self.vars(&subset)))?, f_table.quantify(&subset, |a, b| a || b))
            }
            9 => {
                let subset = self.subset();
                (f.forall(&self.manager.cube(&self.vars(&subset)))?, f_table.quantify(&subset, |a, b| a && b))
            }
            10 => {
                let subset = self.subset();
                let both = f_table.combine(&g_table, |f, g| f && g);
                let result = f.and_exists(&g, &self.manager.cube(&self.vars(&subset)))?;
                (result, both.quantify(&subset, |a, b| a || b))
            }
            11 => {
                let pairs = self.pairs();
                let vars: Vec<(Var, Var)> =
                    pairs.iter().map(|(a, b)| (self.variables[*a], self.variables[*b])).collect();
                (f.swap(&self.manager.swap(&vars))?, f_table.rename(&pairs))
            }
            _ => {
                let result = f.restrict(&g)?;
                let table = self.table(&result);
                let agrees = f_table.combine(&table, |f, result| f == result);
                assert_eq!(
                    agrees.combine(&g_table, |agrees, care| agrees || !care),
                    Table::of(self.variables.len(), |_| true)
                );
                assert!(result.node_count() <= f.node_count());
                (result, table)
            }
        })
    }

    fn table(&self, bdd: &Bdd) -> Table {
        Table::of(self.variables.len(), |point| bdd.evaluate(&|var| point >> var.0 & 1 == 1))
    }

    fn step(&mut self) -> Result<(), Stop> {
        let (bdd, table) = self.operation()?;
        assert_eq!(self.table(&bdd), table);
        if self.functions.len() > 30 {
            let place = self.random.below(self.functions.len());
            self.functions.swap_remove(place);
        }
        self.functions.push((bdd, table));
        Ok(())
    }

    /// Canonicity, and the questions that make no nodes.
    fn check_questions(&mut self) -> Result<(), Stop> {
        let ((f, f_table), (g, g_table)) = (self.pick(), self.pick());
        let holds_everywhere = |table: &Table| table.0.iter().all(|value| *value);
        assert_eq!(f == g, f_table == g_table);
        assert_eq!(f.is_true(), holds_everywhere(&f_table));
        assert_eq!(f.is_false(), !f_table.0.contains(&true));
        assert_eq!(f.leq(&g)?, holds_everywhere(&f_table.combine(&g_table, |f, g| !f || g)));
        assert_eq!(f.intersects(&g)?, f_table.combine(&g_table, |f, g| f && g).0.contains(&true));
        let points = f_table.0.iter().filter(|value| **value).count();
        assert_eq!(f.count(&self.variables), points.into());
        let depends = |var: &Var| f_table.quantify(&[var.0 as usize], |a, b| a != b).0.contains(&true);
        let support: Vec<Var> = self.variables.iter().copied().filter(depends).collect();
        assert_eq!(f.support(), support);
        self.check_least_point(&f, &f_table);
        if let Some((var, otherwise, then)) = f.top() {
            assert_eq!(self.manager.variable(var).ite(&then, &otherwise)?, f);
        }
        Ok(())
    }

    fn check_least_point(&mut self, f: &Bdd, table: &Table) {
        let order = self.shuffled();
        let values =
            |point: usize| -> Vec<bool> { order.iter().map(|var| point >> var.0 & 1 == 1).collect() };
        let least = (0..table.0.len()).filter(|point| table.0[*point]).map(values).min();
        assert_eq!(f.pick(&order), least);
    }

    /// Something that changes no function: a collection, a reordering, other groups, another order, another limit.
    fn disturb(&mut self) -> Result<(), Stop> {
        match self.random.below(5) {
            0 => self.manager.collect(),
            1 => self.manager.sift()?,
            2 => self.group(),
            3 => {
                self.manager.set_groups(Vec::new());
                self.groups.clear();
                let order = self.shuffled();
                self.manager.set_order(&order);
                assert_eq!(self.manager.order(), order);
            }
            _ => {
                self.manager.set_automatic_reordering(self.random.percent(70));
                self.manager.set_smallest_reordering(self.random.between(1, 40));
            }
        }
        self.check_groups();
        self.manager.check_invariants().expect("sound nodes");
        Ok(())
    }

    fn shuffled(&mut self) -> Vec<Var> {
        let mut order = self.variables.clone();
        for place in (1..order.len()).rev() {
            order.swap(place, self.random.below(place + 1));
        }
        order
    }

    /// Cuts the present order into groups and single variables.
    fn group(&mut self) {
        let mut groups: Vec<Vec<Var>> = vec![Vec::new()];
        for var in self.manager.order() {
            match groups.last_mut() {
                Some(group) if self.random.percent(60) => group.push(var),
                _ => groups.push(vec![var]),
            }
        }
        groups.retain(|group| group.len() > 1 || self.random.percent(50));
        self.manager.set_groups(groups.clone());
        self.groups = groups;
    }

    fn check_groups(&mut self) {
        let order = self.manager.order();
        self.groups.retain(|group| !group.is_empty());
        for group in &self.groups {
            assert!(order.windows(group.len()).any(|part| part == group), "{group:?} in {order:?}");
        }
    }
}

#[test]
fn operations_agree_with_truth_tables() -> Result<(), Stop> {
    for seed in 0..400 {
        let mut world = World::new(seed);
        for _ in 0..60 {
            world.step()?;
            if world.random.percent(10) {
                world.manager.collect();
            }
            world.check_questions()?;
        }
        world.manager.check_invariants().expect("sound nodes");
    }
    Ok(())
}

#[test]
fn reordering_changes_no_function() -> Result<(), Stop> {
    let (mut inside, mut explicit) = (0, 0);
    for seed in 1000..2000 {
        let mut world = World::new(seed);
        for _ in 0..60 {
            let before = world.manager.stats().reorderings;
            if world.random.percent(50) {
                // Few more nodes than there are: reached in the middle of an operation.
                let nodes = world.manager.stats().nodes + world.random.below(5);
                world.manager.set_automatic_reordering(true);
                world.manager.set_smallest_reordering(nodes);
            }
            world.step()?;
            inside += world.manager.stats().reorderings - before;
            if world.random.percent(20) {
                world.disturb()?;
                explicit += 1;
            }
            world.check_questions()?;
        }
        for (bdd, table) in &world.functions {
            assert_eq!(&world.table(bdd), table, "seed {seed}");
        }
        world.manager.check_invariants().expect("sound nodes");
    }
    assert!(inside > 1000 && explicit > 1000, "{inside} reorderings by themselves, {explicit} asked for");
    Ok(())
}

#[test]
fn a_limit_on_nodes_stops_an_operation_and_harms_nothing() -> Result<(), Stop> {
    let (mut stopped, mut finished) = (0, 0);
    for seed in 3000..3200 {
        let mut world = World::new(seed);
        for _ in 0..60 {
            let limit = world.manager.stats().nodes + world.random.below(8);
            world.manager.set_node_limit(Some(limit));
            match world.step() {
                Err(Stop::Nodes(_)) => stopped += 1,
                other => {
                    other?;
                    finished += 1;
                }
            }
            world.manager.set_node_limit(None);
            if world.random.percent(20) {
                world.disturb()?;
            }
            world.check_questions()?;
        }
    }
    assert!(stopped > 300 && finished > 300, "{stopped} stopped, {finished} finished");
    Ok(())
}
