//! What a front end makes of files.

use crate::{Diagnostic, Frontend, aiger, btor2, lustre, verilog};
use propcov_ir::{Ctl, Lasso, PropertyId, Span, System, Trace};

/// A design as read from its files.
#[derive(Clone, Debug)]
pub struct Design {
    /// What it means. Its [files](System::files) are those that were read.
    pub system: System,
    /// The format, and what can be done with it.
    pub frontend: &'static Frontend,
    /// What was written, for those who write witnesses and certificates in the same format.
    pub(crate) source: Source,
    /// What the user should know although the design could be read.
    pub warnings: Vec<Diagnostic>,
}

/// A length that somebody wants to know: of a shortest path, or a longest one.
#[derive(Clone, Debug)]
pub struct Distance {
    /// The user's name for it.
    pub name: String,
    /// Whether it is the longest one.
    pub longest: bool,
    /// Where paths begin.
    pub from: Ctl,
    /// Where they end.
    pub to: Ctl,
    /// As it is written.
    pub text: String,
    /// Where that is.
    pub span: Span,
}

/// The model exactly as the file has it.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// An and-inverter graph.
    Aiger(Box<aiger::Model>),
    /// A list of nodes.
    Btor2(btor2::Model),
    /// An SMV file, and what it wants to have computed.
    Smv(Vec<Distance>),
    /// A Lustre file, and what it says beyond its meaning.
    Lustre(lustre::LustreFacts),
    /// A SystemVerilog design, and what it says beyond its meaning.
    Verilog(verilog::Facts),
}

impl Design {
    /// What went wrong in a run that violates a property over time, in the words of its author.
    pub fn attempt(&self, property: PropertyId, run: &Trace) -> Option<verilog::sva::ToldAttempt> {
        let Source::Verilog(facts) = &self.source else { return None };
        let watched = facts.watched.iter().find(|watched| watched.property() == property)?;
        watched.attempt(&self.system, run)
    }

    /// What goes wrong on an infinite run that violates a property over time, if the property is one.
    pub fn endless_attempt(&self, property: PropertyId, run: &Lasso) -> Option<verilog::sva::ToldAttempt> {
        let Source::Verilog(facts) = &self.source else { return None };
        let watched = facts.watched.iter().find(|watched| watched.property() == property)?;
        watched.endless_attempt(&self.system, run)
    }

    /// Assertions that could not be read: nobody knows whether they hold.
    pub fn unread(&self) -> &[verilog::Unread] {
        match &self.source {
            Source::Verilog(facts) => &facts.unread,
            _ => &[],
        }
    }

    /// What is to be computed besides verdicts: `COMPUTE` of SMV.
    pub fn distances(&self) -> &[Distance] {
        match &self.source {
            Source::Smv(distances) => distances,
            _ => &[],
        }
    }

    /// What the format is called in reports.
    pub fn format(&self) -> &'static str {
        self.frontend.name
    }
}
