//! How Lustre is read.

use clap::Args;
use propcov::{Dialect, LustreOptions};

const LUSTRE: &str = "Lustre";

/// What the user says about a Lustre file.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct LustreArguments {
    /// Whose Lustre it is; guessed from the file by default
    #[arg(long, value_name = "DIALECT", value_parser = parse_dialect, help_heading = LUSTRE)]
    dialect: Option<Dialect>,

    /// The node to check
    #[arg(long, value_name = "NODE", help_heading = LUSTRE)]
    main: Option<String>,

    /// Replace a call of a node with a contract by the contract
    #[arg(long, help_heading = LUSTRE)]
    compositional: bool,
}

impl LustreArguments {
    pub(crate) fn options(&self) -> LustreOptions {
        LustreOptions { dialect: self.dialect, main: self.main.clone(), compositional: self.compositional }
    }
}

fn parse_dialect(text: &str) -> Result<Dialect, String> {
    Dialect::ALL.into_iter().find(|dialect| dialect.name() == text).ok_or_else(|| {
        let names: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
        format!("expected one of {}", names.join(", "))
    })
}
