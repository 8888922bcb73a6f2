//! Stopping and size: interrupts, deadlines, deep recursion, and orders that sifting has to find.

use std::time::{Duration, Instant};

use propcov_bdd::{Bdd, Manager, Stop, Var};
use propcov_budget::{Budget, Interrupt};
use propcov_testkit::Random;

fn variables(manager: &Manager, count: usize) -> Vec<Var> {
    (0..count).map(|_| manager.add_variable()).collect()
}

/// The bits of a product of two numbers, in an order in which no size is known to do well: more than any test waits for.
fn product(manager: &Manager, width: usize) -> Result<Vec<Bdd>, Stop> {
    let vars = variables(manager, 2 * width);
    let mut sum = vec![manager.constant(false); 2 * width];
    for shift in 0..width {
        let mut carry = manager.constant(false);
        for bit in 0..width {
            let partial = manager.variable(vars[shift]).and(&manager.variable(vars[width + bit]))?;
            let half = sum[shift + bit].xor(&partial)?;
            let both = sum[shift + bit].and(&partial)?;
            sum[shift + bit] = half.xor(&carry)?;
            carry = both.or(&half.and(&carry)?)?;
        }
        sum[shift + width] = carry;
    }
    Ok(sum)
}

/// Two numbers, one after the other, are equal.
fn comparator(manager: &Manager, vars: &[Var]) -> Result<Bdd, Stop> {
    let (one, other) = vars.split_at(vars.len() / 2);
    one.iter().zip(other).try_fold(manager.constant(true), |equal, (a, b)| {
        equal.and(&manager.variable(*a).iff(&manager.variable(*b))?)
    })
}

#[test]
fn a_raised_interrupt_stops_an_operation_in_the_middle() -> Result<(), Stop> {
    for automatic in [false, true] {
        let manager = Manager::new();
        manager.set_automatic_reordering(automatic);
        let interrupt = Interrupt::default();
        manager.set_budget(Budget { interrupt: interrupt.clone(), ..Budget::default() });
        let raiser = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            interrupt.raise();
        });
        assert_eq!(product(&manager, 40).err(), Some(Stop::Cancelled));
        raiser.join().expect("the thread that raises the interrupt");
        manager.check_invariants().expect("sound nodes");
        // It stays raised until there is another budget.
        let literal = manager.variable(Var(0));
        assert_eq!(literal.and(&manager.variable(Var(1))).err(), Some(Stop::Cancelled));
        manager.set_budget(Budget::default());
        assert!(literal.and(&!&literal)?.is_false());
    }
    Ok(())
}

#[test]
fn a_deadline_stops_operations_and_reorderings() {
    for automatic in [false, true] {
        let manager = Manager::new();
        manager.set_automatic_reordering(automatic);
        let start = Instant::now();
        let deadline = Some(start + Duration::from_millis(300));
        manager.set_budget(Budget { deadline, ..Budget::default() });
        assert_eq!(product(&manager, 40).err(), Some(Stop::Timeout));
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
        manager.check_invariants().expect("sound nodes");
    }
}

#[test]
fn a_limit_on_nodes_is_kept_to() {
    let manager = Manager::new();
    manager.set_node_limit(Some(100_000));
    assert!(matches!(product(&manager, 40), Err(Stop::Nodes(_))));
    assert!(manager.stats().peak_nodes <= 100_100, "{}", manager.stats().peak_nodes);
}

#[test]
fn garbage_does_not_count_towards_the_limit() -> Result<(), Stop> {
    let manager = Manager::new();
    let vars = variables(&manager, 20);
    manager.set_node_limit(Some(8000));
    // Each has up to 3068 nodes, and is dropped before the next.
    for _ in 0..4 {
        for place in 0..10 {
            let mut vars = vars.clone();
            vars.rotate_left(place);
            comparator(&manager, &vars)?;
        }
    }
    assert!(manager.stats().collections > 0);
    Ok(())
}

#[test]
fn thousands_of_variables_do_not_overflow_the_stack() -> Result<(), Stop> {
    // Test threads have 2 MB.
    let manager = Manager::new();
    let vars = variables(&manager, 12_000);
    let order: Vec<Var> = vars.chunks(2).flat_map(|pair| [pair[1], pair[0]]).collect();
    let mut all = manager.constant(true);
    let mut parity = manager.constant(false);
    // From the bottom upwards, so that building it takes linear time.
    for var in vars.iter().rev() {
        all = manager.variable(*var).and(&all)?;
        parity = manager.variable(*var).xor(&parity)?;
    }
    assert_eq!((all.node_count(), parity.node_count()), (12_000, 12_000));
    let both = all.and(&!&parity)?;
    assert_eq!(both, all);
    assert!(all.exists(&manager.cube(&vars))?.is_true());
    assert!(parity.forall(&manager.cube(&vars[1..]))?.is_false());
    let pairs: Vec<(Var, Var)> = vars.chunks(2).map(|pair| (pair[0], pair[1])).collect();
    assert_eq!(parity.swap(&manager.swap(&pairs))?, parity);
    assert_eq!(all.restrict(&all)?, manager.constant(true));
    assert!(all.leq(&!&parity)?);
    assert_eq!(all.pick(&vars), Some(vec![true; 12_000]));
    manager.set_order(&order);
    manager.check_invariants().expect("sound nodes");
    assert_eq!(all.count(&vars), 1u8.into());
    Ok(())
}

#[test]
fn sifting_finds_the_linear_order_of_a_comparator() -> Result<(), Stop> {
    let width = 10;
    let manager = Manager::new();
    let vars = variables(&manager, 2 * width);
    let equal = comparator(&manager, &vars)?;
    // The first number is remembered: a tree of 2^w - 1 nodes, then 2^w, .., 2 suffixes of it, where the last two share a node.
    assert_eq!(equal.node_count(), 3 * (1 << width) - 4);
    manager.sift()?;
    // Three nodes for each pair; the last needs two.
    assert_eq!(equal.node_count(), 3 * width - 1);
    let order = manager.order();
    for pair in order.chunks(2) {
        assert_eq!(pair[0].0.abs_diff(pair[1].0), width as u32);
    }
    Ok(())
}

#[test]
fn a_comparator_stays_small_with_automatic_reordering() -> Result<(), Stop> {
    let width = 24;
    let manager = Manager::new();
    let vars = variables(&manager, 2 * width);
    manager.set_automatic_reordering(true);
    let equal = comparator(&manager, &vars)?;
    assert_eq!(equal.count(&vars), (1u32 << width).into());
    assert!(manager.stats().peak_nodes < 100_000, "{:?}", manager.stats());
    assert!(manager.stats().reorderings > 0);
    Ok(())
}

#[test]
fn groups_stay_together_when_the_best_order_would_part_them() -> Result<(), Stop> {
    let manager = Manager::new();
    let vars = variables(&manager, 16);
    let equal = comparator(&manager, &vars)?;
    let groups: Vec<Vec<Var>> = vars.chunks(2).map(<[Var]>::to_vec).collect();
    manager.set_groups(groups.clone());
    manager.sift()?;
    let order = manager.order();
    for group in &groups {
        assert!(order.windows(2).any(|part| part == group), "{group:?} in {order:?}");
    }
    // Pairs of pairs: of the first two bits of a number all four values are remembered.
    assert!(equal.node_count() < 60, "{} nodes", equal.node_count());
    Ok(())
}

#[test]
fn what_is_held_survives_and_the_rest_is_freed() -> Result<(), Stop> {
    let manager = Manager::new();
    let vars = variables(&manager, 12);
    let equal = comparator(&manager, &vars)?;
    let copy = equal.clone();
    drop(equal);
    manager.collect();
    assert_eq!(manager.stats().nodes, copy.node_count());
    drop(copy);
    manager.collect();
    assert_eq!(manager.stats().nodes, 0);
    Ok(())
}

#[test]
fn long_runs_with_few_live_nodes_do_not_grow() -> Result<(), Stop> {
    let manager = Manager::new();
    let vars = variables(&manager, 40);
    let mut random = Random::new(7);
    let mut state = manager.constant(true);
    for _ in 0..20_000 {
        let mut literal = || {
            let literal = manager.variable(*random.pick(&vars));
            if random.percent(50) { !literal } else { literal }
        };
        let clause = literal().or(&literal())?.or(&literal())?;
        let next = state.and(&clause)?;
        state = if next.is_false() || next.node_count() > 300 { clause } else { next };
    }
    manager.collect();
    manager.check_invariants().expect("sound nodes");
    assert!(manager.stats().nodes <= 300 + 40);
    Ok(())
}
