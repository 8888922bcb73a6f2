//! How finely a design is cut into elements. What an equation was cut into are the [parts](propcov_ir::System::parts) of a
//! [whole](propcov_ir::Whole).
//!
//! Coverage of whole equations may look complete although half of an equation does not matter. In a *totally decomposed*
//! model each operator, each constant and each use of a variable is a definition of its own, so that no finer cut can
//! show less coverage.
//!
//! What each format does:
//!
//! - AIGER and BTOR2: each node is an element already. Both granularities are the same design.
//! - Lustre: see [`lustre::parse_operators`](crate::lustre::parse_operators).
//! - SystemVerilog: registers, assignments, branches and port connections; with operators, each operator of an expression as well.
//! - SMV: only equations. Its expressions are rewritten on the way to a system (sets, `case`, arithmetic of ranges), so that
//!   their pieces are not the user's.
//!
//! To take equations apart is to read the file in another way, and no transformation of a system: spans of operators exist only in a
//! front end. Engines, cores and the certifier notice nothing.
//!
//! # References
//! E. Ghassabani. *Inductive Validity Cores.* PhD thesis, University of Minnesota, 2018, section 6.3.1.

use propcov_budget::Budget;

/// What is an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Granularity {
    /// Each definition, as a whole.
    #[default]
    Equation,
    /// Each operator, constant and use of a variable in a definition.
    Operator,
}

impl Granularity {
    /// All of them.
    pub const ALL: [Granularity; 2] = [Granularity::Equation, Granularity::Operator];

    /// The word used in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Granularity::Equation => "equation",
            Granularity::Operator => "operator",
        }
    }
}

/// How a file is read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What is an element.
    pub granularity: Granularity,
    /// How long that may take: a small file can describe a large design.
    pub budget: Budget,
}
