//! How many bits the monitors of a design have, from what the exporter writes to standard input: a line for each assertion, and the time that reading took.

use propcov_frontend::{Options, Sources, verilog};
use propcov_ir::{SignalKind, System};
use std::io::{Read as _, Write as _};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    let start = Instant::now();
    let read = verilog::FRONTEND.read_as(&Sources::one("design.sv", bytes), &[], &Options::default());
    let (design, _) = read.map_err(|error| error.to_string())?;
    let seconds = start.elapsed().as_secs_f64();
    let mut out = std::io::stdout().lock();
    for property in design.system.properties() {
        writeln!(out, "{} {}", property.name, bits(&design.system, &property.name))?;
    }
    writeln!(out, "seconds {seconds:.3}")?;
    Ok(())
}

/// The bits of the states that an assertion has added.
fn bits(system: &System, name: &str) -> u32 {
    let own = |signal: &&propcov_ir::Signal| {
        let rest = signal.name.strip_prefix(name).unwrap_or_default();
        matches!(signal.kind, SignalKind::State { .. }) && rest.starts_with('.')
    };
    system.signals().iter().filter(own).filter_map(|signal| signal.sort.width()).sum()
}
