//! Processes: in each step one of them runs, which an input chooses.

use super::{lowering::Lowering, types::Scalar};

impl Lowering<'_> {
    /// Adds the input that chooses the process, where there are processes besides `main`.
    pub(super) fn add_process_selector(&mut self) {
        if self.scopes.processes.len() > 1 {
            let names = self.scopes.processes.iter().map(|name| Scalar::Symbol(name.as_str().into()));
            let processes = self.types.of(names);
            self.selector = Some(self.system.add_input("_process_selector_", processes.sort.clone()));
        }
    }
}
