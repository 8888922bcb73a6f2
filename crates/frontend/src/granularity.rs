//! How finely a design is cut into elements, and how the pieces belong together.
//!
//! Coverage of whole equations may look complete although half of an equation does not matter. In a *totally decomposed* model each operator, each
//! constant and each use of a variable is a definition of its own, so that no finer cut can show less coverage.
//!
//! What each format does:
//!
//! - AIGER and BTOR2: each node is an element already. Both granularities are the same design.
//! - Lustre: see [`lustre::read_operators`](crate::lustre::read_operators).
//! - SMV: only equations. Its expressions are rewritten on the way to a system (sets, `case`, arithmetic of ranges), so that their pieces are not the user's.
//!
//! # References
//! E. Ghassabani. *Inductive Validity Cores.* PhD thesis, University of Minnesota, 2018, section 6.3.1.

use propcov_ir::{ElementId, Span};

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What is an element.
    pub granularity: Granularity,
}

/// Which elements are the pieces of which equation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decomposition {
    /// The equations that were taken apart, in the order of their elements.
    pub equations: Vec<DecomposedEquation>,
    /// For each element, the position of its equation.
    of: Vec<Option<u32>>,
}

/// An equation that was taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecomposedEquation {
    /// The variables that it defines, with commas between them; only the first ones if there are many.
    pub name: String,
    /// The names of the wires that it defines: more than the variables, if some are records or arrays.
    pub targets: Vec<String>,
    /// Where the whole equation is written.
    pub span: Span,
    /// Its pieces, in the order of the text.
    pub elements: Vec<ElementId>,
}

impl Decomposition {
    pub(crate) fn new(equations: Vec<DecomposedEquation>) -> Decomposition {
        let mut of = Vec::new();
        for (equation, position) in equations.iter().zip(0..) {
            for element in &equation.elements {
                let index = element.0 as usize;
                of.resize(of.len().max(index + 1), None);
                of[index] = Some(position);
            }
        }
        Decomposition { equations, of }
    }

    /// The equation that an element is a piece of; nothing for an element that was left whole.
    pub fn equation_of(&self, element: ElementId) -> Option<&DecomposedEquation> {
        self.equations.get(self.index_of(element)?)
    }

    /// The position of that equation.
    pub fn index_of(&self, element: ElementId) -> Option<usize> {
        self.of.get(element.0 as usize).copied().flatten().map(|position| position as usize)
    }
}
