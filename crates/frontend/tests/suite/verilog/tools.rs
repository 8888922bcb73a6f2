//! Programs that the tests ask: slang, which has to be there, and those that have a second opinion. `scripts/setup-tests` installs all of them; on a build server none
//! may be missing.

use propcov_frontend::{Design, InputError, Options, Sources, verilog};
use propcov_ir::System;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;

/// A property that always holds: a design without any is refused.
pub(super) const ALWAYS: &str =
    "module always_true; always_comb assert (1'b1); endmodule\nbind dut always_true u_always_true();\n";

/// Whether something is there. On a build server it has to be.
pub(super) fn is_there(what: &str, found: bool) -> bool {
    assert!(found || std::env::var_os("CI").is_none(), "{what} is missing: scripts/setup-tests installs it");
    if !found {
        eprintln!("skipped: there is no {what}; scripts/setup-tests installs it");
    }
    found
}

/// Whether a command does what it should.
fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// Python with slang.
pub(crate) fn python() -> Option<PathBuf> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let find = || {
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let cache =
            std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or(home.map(|home| home.join(".cache")));
        let own = cache.map(|cache| cache.join("propcov/python/bin/python3"));
        let chosen = std::env::var_os("PROPCOV_PYTHON").map(PathBuf::from);
        let python = chosen.or(own.filter(|own| own.exists())).unwrap_or_else(|| PathBuf::from("python3"));
        let found = succeeds(Command::new(&python).args(["-c", "import pyslang"]));
        is_there("pyslang", found).then_some(python)
    };
    FOUND.get_or_init(find).clone()
}

/// Python with Yosys.
pub(super) fn yosys() -> Option<PathBuf> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let find = || {
        let python = python()?;
        let found = succeeds(Command::new(&python).args(["-c", "from pyosys import libyosys"]));
        is_there("pyosys", found).then_some(python)
    };
    FOUND.get_or_init(find).clone()
}

/// Whether there is a simulator of this name.
pub(crate) fn has_simulator(name: &str) -> bool {
    is_there(name, succeeds(Command::new("sh").args(["-c", &format!("command -v {name}")])))
}

/// What the exporter makes of texts; `None` where there is no slang.
pub(super) fn exported(texts: &[(&str, &str)], arguments: &[&str]) -> Option<Output> {
    let directory = tempfile::tempdir().unwrap();
    let python = python()?;
    for (name, text) in texts {
        std::fs::write(directory.path().join(name), text).unwrap();
    }
    let mut command = Command::new(python);
    command.current_dir(directory.path()).args(["-c", verilog::EXPORTER]).args(arguments);
    let is_source = |name: &&str| name.ends_with(".sv");
    Some(command.args(texts.iter().map(|(name, _)| *name).filter(is_source)).output().unwrap())
}

pub(crate) fn read_texts(texts: &[(&str, &str)], arguments: &[&str]) -> Option<Result<Design, InputError>> {
    let output = exported(texts, arguments)?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let sources = Sources::one(texts[0].0, output.stdout);
    let read = verilog::FRONTEND.read_as(&sources, &[], &Options::default());
    Some(read.map(|(design, _)| design))
}

pub(crate) fn read(text: &str) -> Option<Result<Design, InputError>> {
    read_texts(&[("dut.sv", text)], &[])
}

/// The system of a design, whose texts are `dut.sv` and files that it reads.
pub(super) fn system_of(texts: &[(&str, &str)]) -> Option<Result<System, InputError>> {
    let mut texts = texts.to_vec();
    texts.push(("always.sv", ALWAYS));
    Some(read_texts(&texts, &["--top", "dut"])?.map(|design| design.system))
}

pub(super) fn system(text: &str) -> Option<System> {
    let system = system_of(&[("dut.sv", text)])?.unwrap_or_else(|error| panic!("{error}"));
    system.validate().unwrap();
    Some(system)
}
