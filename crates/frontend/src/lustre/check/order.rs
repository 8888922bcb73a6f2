//! Things that depend on each other, in an order in which each comes after those it depends on; or a circle.

/// What to do next in the walk.
enum Step {
    Enter(usize),
    Leave(usize),
}

/// An order of all things up to a number, dependencies first; or a circle of them, each depending on the next one and the last on the first.
pub(super) fn order(
    count: usize,
    mut depends_on: impl FnMut(usize) -> Vec<usize>,
) -> Result<Vec<usize>, Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Colour {
        New,
        Open,
        Done,
    }
    let mut colours = vec![Colour::New; count];
    let mut result = Vec::with_capacity(count);
    let mut path: Vec<usize> = Vec::new();
    let mut steps: Vec<Step> = (0..count).rev().map(Step::Enter).collect();
    while let Some(step) = steps.pop() {
        match step {
            Step::Leave(at) => {
                colours[at] = Colour::Done;
                path.pop();
                result.push(at);
            }
            Step::Enter(at) => match colours[at] {
                Colour::Done => {}
                Colour::Open => {
                    let start = path.iter().position(|other| *other == at).unwrap_or(0);
                    return Err(path.split_off(start));
                }
                Colour::New => {
                    colours[at] = Colour::Open;
                    path.push(at);
                    steps.push(Step::Leave(at));
                    steps.extend(depends_on(at).into_iter().rev().map(Step::Enter));
                }
            },
        }
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_come_first() {
        let edges = [vec![1, 2], vec![2], vec![], vec![0]];
        assert_eq!(order(4, |at| edges[at].clone()), Ok(vec![2, 1, 0, 3]));
    }

    #[test]
    fn a_circle_is_given_without_what_leads_to_it() {
        let edges = [vec![1], vec![2], vec![3], vec![1]];
        assert_eq!(order(4, |at| edges[at].clone()), Err(vec![1, 2, 3]));
        assert_eq!(order(1, |_| vec![0]), Err(vec![0]));
    }
}
