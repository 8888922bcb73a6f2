//! Larger random functions against the crate oxidd: the same operations on both, compared by size, number of points, and values.

use oxidd::bcdd::BCDDFunction;
use oxidd::util::{AllocResult, SatCountCache};
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst};
use oxidd::{Manager as _, ManagerRef, Subst};
use propcov_bdd::{Bdd, Manager, Stop, Var};
use propcov_testkit::Random;

const VARIABLES: usize = 24;

/// The same function in both packages.
#[derive(Clone)]
struct Both {
    ours: Bdd,
    theirs: BCDDFunction,
}

struct World {
    random: Random,
    manager: Manager,
    literals: Vec<Both>,
    functions: Vec<Both>,
}

type Failure = Box<dyn std::error::Error>;

impl World {
    fn new(seed: u64) -> World {
        let manager = Manager::new();
        let other = oxidd::bcdd::new_manager(1 << 20, 1 << 14, 1);
        other.with_manager_exclusive(|other| other.add_vars(VARIABLES as u32));
        let literal = |variable: u32| {
            let ours = manager.variable(manager.add_variable());
            let theirs = other.with_manager_shared(|other| BCDDFunction::var(other, variable));
            Both { ours, theirs: theirs.expect("enough nodes") }
        };
        let literals: Vec<Both> = (0..VARIABLES as u32).map(literal).collect();
        World { random: Random::new(seed), manager, functions: literals.clone(), literals }
    }

    fn pick(&mut self) -> Both {
        // Recent ones more often, so that functions become large.
        let recent = self.functions.len() - 1 - self.random.below(self.functions.len().min(6));
        let place = if self.random.percent(60) { recent } else { self.random.below(self.functions.len()) };
        let picked = self.functions[place].clone();
        if self.random.percent(50) {
            return Both { ours: !picked.ours, theirs: picked.theirs.not().expect("enough nodes") };
        }
        picked
    }

    fn subset(&mut self) -> (Vec<Var>, BCDDFunction) {
        let vars: Vec<usize> = (0..VARIABLES).filter(|_| self.random.percent(5)).collect();
        let empty = self.literals[0].theirs.or(&self.literals[0].theirs.not().expect("free"));
        let all =
            vars.iter().try_fold(empty.expect("a constant"), |all, var| all.and(&self.literals[*var].theirs));
        (vars.iter().map(|var| Var(*var as u32)).collect(), all.expect("enough nodes"))
    }

    fn step(&mut self) -> Result<Both, Failure> {
        let (f, g, h) = (self.pick(), self.pick(), self.pick());
        let (vars, set) = self.subset();
        let cube = self.manager.cube(&vars);
        let (ours, theirs): (Result<Bdd, Stop>, AllocResult<BCDDFunction>) = match self.random.below(16) {
            0 => (f.ours.and(&g.ours), f.theirs.and(&g.theirs)),
            1 => (f.ours.or(&g.ours), f.theirs.or(&g.theirs)),
            2 | 10..=12 => (f.ours.xor(&g.ours), f.theirs.xor(&g.theirs)),
            3 => (f.ours.implies(&g.ours), f.theirs.imp(&g.theirs)),
            4 => (f.ours.exists(&cube), f.theirs.exists(&set)),
            5 => (f.ours.forall(&cube), f.theirs.forall(&set)),
            6 => (
                f.ours.and_exists(&g.ours, &cube),
                f.theirs.apply_exists(BooleanOperator::And, &g.theirs, &set),
            ),
            7 => {
                let pairs: Vec<(usize, usize)> = (0..VARIABLES / 2).map(|at| (2 * at, 2 * at + 1)).collect();
                let vars: Vec<(Var, Var)> =
                    pairs.iter().map(|(one, other)| (Var(*one as u32), Var(*other as u32))).collect();
                let numbers: Vec<u32> = (0..VARIABLES as u32).collect();
                let replacements: Vec<_> =
                    numbers.iter().map(|at| self.literals[*at as usize ^ 1].theirs.clone()).collect();
                (
                    f.ours.swap(&self.manager.swap(&vars)),
                    f.theirs.substitute(&Subst::new(numbers, replacements)),
                )
            }
            _ => (f.ours.ite(&g.ours, &h.ours), f.theirs.ite(&g.theirs, &h.theirs)),
        };
        Ok(Both { ours: ours?, theirs: theirs? })
    }

    fn compare(&mut self, both: &Both, reordered: bool) {
        let vars: Vec<Var> = (0..VARIABLES as u32).map(Var).collect();
        let mut cache = SatCountCache::<u64, rustc_hash::FxBuildHasher>::default();
        assert_eq!(both.ours.count(&vars), both.theirs.sat_count(VARIABLES as u32, &mut cache).into());
        if !reordered {
            // oxidd counts the terminal.
            assert_eq!(both.ours.node_count() + 1, both.theirs.node_count());
        }
        for _ in 0..20 {
            let point = self.random.next();
            let value = |var: u32| point >> var & 1 == 1;
            let ours = both.ours.evaluate(&|var| value(var.0));
            assert_eq!(ours, both.theirs.eval((0..VARIABLES as u32).map(|var| (var, value(var)))));
        }
    }
}

fn run(seed: u64, automatic: bool) -> Result<usize, Failure> {
    let mut world = World::new(seed);
    world.manager.set_automatic_reordering(automatic);
    world.manager.set_smallest_reordering(200);
    let mut largest = 0;
    for _ in 0..200 {
        let both = world.step()?;
        largest = largest.max(both.theirs.node_count());
        world.compare(&both, automatic);
        if both.theirs.node_count() < 30_000 {
            world.functions.push(both);
        }
        if world.functions.len() > 40 {
            let place = world.random.below(world.functions.len());
            world.functions.swap_remove(place);
        }
    }
    world.manager.check_invariants().expect("sound nodes");
    Ok(largest)
}

#[test]
fn large_functions_agree_with_oxidd() -> Result<(), Failure> {
    let mut largest = 0;
    for seed in 0..20 {
        largest = largest.max(run(seed, false)?);
    }
    assert!(largest > 2000, "{largest}");
    Ok(())
}

#[test]
fn large_functions_agree_with_oxidd_while_variables_move() -> Result<(), Failure> {
    let mut largest = 0;
    for seed in 100..120 {
        largest = largest.max(run(seed, true)?);
    }
    assert!(largest > 2000, "{largest}");
    Ok(())
}
