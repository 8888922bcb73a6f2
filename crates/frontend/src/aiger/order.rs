//! Gates in order, operands first; or a loop among them.

use super::{Model, variables::Definition, variables::Variables};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

/// The positions of all gates, each after the gates that it reads. When some gates read each other in a circle: that
/// circle, each followed by one that it reads.
///
/// Depth-first and iterative, as circuits are deep.
pub(super) fn gates_in_order(model: &Model, variables: &Variables) -> Result<Vec<usize>, Vec<usize>> {
    let mut order = Vec::with_capacity(model.ands.len());
    let mut marks = vec![Mark::New; model.ands.len()];
    // A gate, and how many of its operands were visited.
    let mut path: Vec<(usize, u8)> = Vec::new();
    for root in 0..model.ands.len() {
        if marks[root] == Mark::New {
            marks[root] = Mark::Open;
            path.push((root, 0));
        }
        while let Some((gate, visited)) = path.last_mut() {
            let and = &model.ands[*gate];
            let operand = match visited {
                0 => and.left,
                1 => and.right,
                _ => {
                    marks[*gate] = Mark::Done;
                    order.push(*gate);
                    path.pop();
                    continue;
                }
            };
            *visited += 1;
            let Some(Definition::And(next)) = variables.get(operand.variable()) else { continue };
            let next = next as usize;
            match marks[next] {
                Mark::Done => {}
                Mark::New => {
                    marks[next] = Mark::Open;
                    path.push((next, 0));
                }
                Mark::Open => {
                    return Err(path
                        .iter()
                        .map(|(gate, _)| *gate)
                        .skip_while(|gate| *gate != next)
                        .collect());
                }
            }
        }
    }
    Ok(order)
}
