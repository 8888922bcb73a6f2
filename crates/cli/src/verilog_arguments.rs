//! How SystemVerilog is read: options that go to slang, and what propcov is told beyond them.

use crate::args::MemoryArguments;
use clap::{Args, ValueHint};
use propcov::{Settings, VerilogOptions};
use std::ffi::OsString;
use std::path::PathBuf;

/// The heading of these options.
const VERILOG: &str = "Options of SystemVerilog";

/// The options of all commands that read a design.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct VerilogArguments {
    /// The module at the top
    #[arg(long, value_name = "MODULE", help_heading = VERILOG)]
    top: Option<String>,

    /// Look for included files in DIR; may be given several times
    #[arg(long, short = 'I', value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = VERILOG)]
    include: Vec<OsString>,

    /// Define a macro; FORMAL is defined anyway
    #[arg(long, short = 'D', value_name = "NAME[=VALUE]", help_heading = VERILOG)]
    define: Vec<OsString>,

    /// Do not define a macro, such as FORMAL
    #[arg(long, short = 'U', value_name = "NAME", help_heading = VERILOG)]
    undefine: Vec<OsString>,

    /// Give a parameter of the module at the top a value
    #[arg(long, short = 'G', value_name = "NAME=VALUE", help_heading = VERILOG)]
    parameter: Vec<OsString>,

    /// Read more options and files from FILE, as simulators do
    #[arg(long, short = 'f', value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = VERILOG)]
    file_list: Vec<OsString>,

    /// Begin with this input at its active value (default 1), and keep it at the other one afterwards; may be given several times
    #[arg(long, value_name = "NAME[=0|1]", value_parser = parse_reset, help_heading = VERILOG)]
    reset: Vec<(String, bool)>,

    /// How many steps --reset takes
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=65536), requires = "reset", help_heading = VERILOG)]
    reset_cycles: u32,

    /// The clock: one step is one tick of it
    #[arg(long, value_name = "NAME", help_heading = VERILOG)]
    clock: Option<String>,

    /// Execute the Python code in a project of SymbiYosys (--pycode-begin--): only if you trust its author
    #[arg(long, help_heading = VERILOG)]
    pycode: bool,

    /// Options of slang itself
    #[arg(last = true, value_name = "SLANG OPTIONS", help_heading = VERILOG)]
    slang: Vec<OsString>,
}

/// Macros that are defined unless they are taken away, as in SymbiYosys.
const DEFINED: &str = "FORMAL";

impl VerilogArguments {
    /// Files that are read besides those of the design: lists of files, and what is said to slang.
    pub(crate) fn files(&self) -> impl Iterator<Item = PathBuf> {
        let lists = self.file_list.iter().map(PathBuf::from);
        lists.chain(self.slang.iter().map(PathBuf::from).filter(|path| path.is_file()))
    }

    /// Where included files are looked for, besides the directory of the file that includes them.
    pub(crate) fn include_directories(&self) -> impl Iterator<Item = PathBuf> {
        self.include.iter().map(PathBuf::from)
    }

    /// The options for the library, with the memory that elaboration may take.
    pub(crate) fn options_within(&self, memory: MemoryArguments) -> VerilogOptions {
        VerilogOptions { memory: memory.memory.or_else(propcov_budget::default_cap), ..self.options() }
    }

    /// The options for the library.
    pub(crate) fn options(&self) -> VerilogOptions {
        let mut arguments: Vec<OsString> = Vec::new();
        let mut add = |option: &str, values: &[OsString]| {
            for value in values {
                arguments.extend([OsString::from(option), value.clone()]);
            }
        };
        if !self.undefine.iter().any(|name| name == DEFINED) {
            add("-D", &[OsString::from(DEFINED)]);
        }
        add("-I", &self.include);
        add("-D", &self.define);
        add("-U", &self.undefine);
        add("-G", &self.parameter);
        add("-f", &self.file_list);
        add("--top", &self.top.iter().map(OsString::from).collect::<Vec<_>>());
        arguments.extend(self.slang.iter().cloned());
        let settings = Settings {
            clock: self.clock.clone(),
            resets: self.reset.clone(),
            reset_cycles: self.reset_cycles,
            ..Settings::default()
        };
        VerilogOptions { arguments, settings, pycode: self.pycode, ..VerilogOptions::default() }
    }
}

/// Reads `rst`, `rst=1` or `rst_n=0`.
fn parse_reset(text: &str) -> Result<(String, bool), String> {
    match text.split_once('=') {
        None if !text.is_empty() => Ok((text.to_owned(), true)),
        Some((name, "1")) if !name.is_empty() => Ok((name.to_owned(), true)),
        Some((name, "0")) if !name.is_empty() => Ok((name.to_owned(), false)),
        _ => Err("expected the name of an input, with =0 or =1 for its active value".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reset_is_a_name_with_its_active_value() {
        assert_eq!(parse_reset("rst"), Ok(("rst".to_owned(), true)));
        assert_eq!(parse_reset("rst_n=0"), Ok(("rst_n".to_owned(), false)));
        for wrong in ["", "=1", "rst=2", "rst="] {
            assert!(parse_reset(wrong).is_err(), "{wrong:?} was accepted");
        }
    }

    #[test]
    fn formal_is_defined_unless_it_is_taken_away() {
        let arguments = |undefine: &[&str]| {
            let undefine = undefine.iter().map(OsString::from).collect();
            VerilogArguments { undefine, ..VerilogArguments::default() }.options().arguments
        };
        assert_eq!(arguments(&[]), ["-D", "FORMAL"]);
        assert_eq!(arguments(&["FORMAL"]), ["-U", "FORMAL"]);
    }
}
