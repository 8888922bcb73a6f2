//! A variable order before anything is known about the functions: variables that occur together should be close.
//!
//! FORCE (Aloul, Markov and Sakallah, "FORCE: a fast and easy-to-implement variable-ordering heuristic", GLSVLSI 2003): each
//! function pulls its variables to their centre of gravity, again and again, as long as the sum of the functions' spans
//! gets smaller. It starts from the order in which the variables were declared, and never ends with a larger sum.

/// Items `0..count` in an order in which the members of each group are close to each other.
pub(crate) fn force(count: usize, groups: &[Vec<usize>]) -> Vec<usize> {
    let mut best: Vec<usize> = (0..count).collect();
    let mut position: Vec<f64> = (0..count).map(|item| item as f64).collect();
    let mut best_span = span(&position, groups);
    // The number of rounds that the paper suggests grows with the logarithm.
    let rounds = 5 * (usize::BITS - count.leading_zeros()) as usize;
    let mut idle = 0;
    for _ in 0..rounds {
        let mut pull = vec![(0.0, 0u32); count];
        for group in groups.iter().filter(|group| group.len() > 1) {
            let centre = group.iter().map(|item| position[*item]).sum::<f64>() / group.len() as f64;
            for item in group {
                pull[*item].0 += centre;
                pull[*item].1 += 1;
            }
        }
        let target = |item: usize| match pull[item] {
            (_, 0) => position[item],
            (sum, pulls) => sum / f64::from(pulls),
        };
        let mut order: Vec<(f64, usize)> = (0..count).map(|item| (target(item), item)).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(position[a.1].total_cmp(&position[b.1])));
        for (place, (_, item)) in order.iter().enumerate() {
            position[*item] = place as f64;
        }
        let span = span(&position, groups);
        if span < best_span {
            best_span = span;
            best = order.into_iter().map(|(_, item)| item).collect();
            idle = 0;
        } else {
            idle += 1;
            if idle == 5 {
                break;
            }
        }
    }
    best
}

/// The sum over the groups of the distance between first and last member.
fn span(position: &[f64], groups: &[Vec<usize>]) -> f64 {
    let of_group = |group: &Vec<usize>| {
        let places = group.iter().map(|item| position[*item]);
        let (low, high) =
            places.fold((f64::MAX, f64::MIN), |(low, high), place| (low.min(place), high.max(place)));
        if group.is_empty() { 0.0 } else { high - low }
    };
    groups.iter().map(of_group).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_that_was_declared_badly_is_straightened() {
        // A ring order 0, 2, 4, 6, 1, 3, 5, 7 of neighbours.
        let chain = [0, 4, 1, 5, 2, 6, 3, 7];
        let groups: Vec<Vec<usize>> = chain.windows(2).map(<[usize]>::to_vec).collect();
        let order = force(8, &groups);
        let mut position = vec![0.0; 8];
        order.iter().enumerate().for_each(|(place, item)| position[*item] = place as f64);
        let declared: Vec<f64> = (0..8).map(f64::from).collect();
        assert!(span(&position, &groups) < span(&declared, &groups) / 2.0);
    }

    #[test]
    fn every_item_is_ordered_once() {
        let groups = vec![vec![0, 5], vec![1], vec![], vec![2, 3, 4]];
        let mut order = force(7, &groups);
        order.sort_unstable();
        assert_eq!(order, (0..7).collect::<Vec<_>>());
    }
}
