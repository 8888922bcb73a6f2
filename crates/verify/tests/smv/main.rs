//! SMV as people write it, and evidence for what is said of it in CTL.

mod labels;
mod language;

use propcov_frontend::{Design, read};
use propcov_ir::{PropertyId, System};

fn design(name: &str, text: &str) -> Design {
    read(name, text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

/// All properties of a system.
fn all(system: &System) -> Vec<PropertyId> {
    (0..system.properties().len() as u32).map(PropertyId).collect()
}
