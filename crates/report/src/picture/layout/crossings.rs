//! The order of nodes in rows, so that few arrows cross.
//!
//! Sugiyama, Tagawa and Toda's barycentres: each row is sorted by the mean position of the neighbours in the row before, from top to bottom and back, several times.
//! The best order that was seen is kept. To find the very best one is NP-hard, for two rows already.

use super::layers::Layers;

/// How many times from top to bottom and back.
const SWEEPS: usize = 12;

/// Orders the rows.
pub(super) fn reduce(layers: &mut Layers) {
    let mut position = vec![0; layers.row_of.len()];
    number(layers, &mut position);
    let mut best = (count(layers, &position), layers.rows.clone());
    for _ in 0..SWEEPS {
        if best.0 == 0 {
            break;
        }
        for row in 1..layers.rows.len() {
            sort(&mut layers.rows[row], &layers.above, &mut position);
        }
        keep(&mut best, layers, &position);
        for row in (0..layers.rows.len().saturating_sub(1)).rev() {
            sort(&mut layers.rows[row], &layers.below, &mut position);
        }
        keep(&mut best, layers, &position);
    }
    layers.rows = best.1;
}

fn keep(best: &mut (usize, Vec<Vec<usize>>), layers: &Layers, position: &[usize]) {
    let crossings = count(layers, position);
    if crossings < best.0 {
        *best = (crossings, layers.rows.clone());
    }
}

fn number(layers: &Layers, position: &mut [usize]) {
    for row in &layers.rows {
        for (place, &node) in row.iter().enumerate() {
            position[node] = place;
        }
    }
}

/// Sorts a row by the mean positions of neighbours. A node without any stays about where it is; ties stay in order.
fn sort(row: &mut Vec<usize>, neighbours: &[Vec<usize>], position: &mut [usize]) {
    let mean = |node: usize| {
        let of_node = &neighbours[node];
        match of_node.len() {
            0 => position[node] as f64,
            length => of_node.iter().map(|&other| position[other] as f64).sum::<f64>() / length as f64,
        }
    };
    let mut keyed: Vec<(f64, usize)> = row.iter().map(|&node| (mean(node), node)).collect();
    keyed.sort_by(|one, other| one.0.total_cmp(&other.0));
    *row = keyed.into_iter().map(|(_, node)| node).collect();
    for (place, &node) in row.iter().enumerate() {
        position[node] = place;
    }
}

/// How many pairs of lines cross.
fn count(layers: &Layers, position: &[usize]) -> usize {
    let mut crossings = 0;
    for (row, next) in layers.rows.iter().zip(layers.rows.iter().skip(1)) {
        // How many lines end at each place of the next row, as a Fenwick tree.
        let mut ends = vec![0_usize; next.len() + 1];
        let mut lines = 0;
        for &node in row {
            let places: Vec<usize> = layers.below[node].iter().map(|&other| position[other] + 1).collect();
            for &place in &places {
                crossings += lines - sum_up_to(&ends, place);
            }
            for place in places {
                lines += 1;
                add(&mut ends, place);
            }
        }
    }
    crossings
}

fn sum_up_to(tree: &[usize], mut place: usize) -> usize {
    let mut sum = 0;
    while place > 0 {
        sum += tree[place];
        place &= place - 1;
    }
    sum
}

fn add(tree: &mut [usize], mut place: usize) {
    while place < tree.len() {
        tree[place] += 1;
        place += place & place.wrapping_neg();
    }
}
