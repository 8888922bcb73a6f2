//! All reachable states, layer by layer.

use crate::model::Model;
use propcov_bdd::{Bdd, Stop};

/// The reachable states.
pub(crate) struct Reached {
    /// All of them.
    pub(crate) all: Bdd,
    /// Those at each distance from the initial states.
    pub(crate) rings: Vec<Bdd>,
}

impl Reached {
    /// Breadth-first search. `listen` hears of each layer.
    pub(crate) fn new(model: &Model, listen: &mut dyn FnMut(usize)) -> Result<Reached, Stop> {
        let mut all = model.initial.clone();
        let mut rings = Vec::new();
        let mut frontier = all.clone();
        while !frontier.is_false() {
            listen(rings.len());
            // Any set between the frontier and what is reached has the right image; a small diagram is best.
            let care = frontier.or(&!&all)?;
            let seed = frontier.restrict(&care)?;
            let image = model.image(&seed)?;
            rings.push(frontier);
            frontier = image.minus(&all)?;
            all = all.or(&frontier)?;
        }
        Ok(Reached { all, rings })
    }
}
