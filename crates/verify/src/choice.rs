//! Who is asked: one engine, or all that can help.

use propcov_engine::{ENGINES, Engine};

/// The engine that is asked.
#[derive(Clone, Copy, Default)]
pub enum EngineChoice {
    /// Decision diagrams for CTL; for invariants all engines that can prove, side by side; for liveness both in turn.
    #[default]
    Portfolio,
    /// Decision diagrams.
    Bdd,
    /// One row of the table.
    One(&'static Engine),
}

impl EngineChoice {
    /// What users call the portfolio.
    pub const PORTFOLIO: &str = "portfolio";
    /// What it is, in a line; the other engines say so themselves.
    pub const PORTFOLIO_SUMMARY: &str = "all engines that can prove, side by side, the first answer counts; for CTL properties bdd comes first, for LTL it takes turns";
    /// What users call decision diagrams.
    pub const BDD: &str = "bdd";
    /// What they are for, in a line.
    pub const BDD_SUMMARY: &str =
        "binary decision diagrams of state sets: decides CTL, LTL and justice under fairness, and only these";

    /// The choice of a name.
    pub fn named(name: &str) -> Option<EngineChoice> {
        match name {
            EngineChoice::PORTFOLIO => Some(EngineChoice::Portfolio),
            EngineChoice::BDD => Some(EngineChoice::Bdd),
            name => ENGINES.iter().find(|engine| engine.name == name).map(EngineChoice::One),
        }
    }

    /// Whether an engine for invariants is among those that are asked.
    pub fn asks(self, engine: &str) -> bool {
        match self {
            EngineChoice::Portfolio => true,
            EngineChoice::Bdd => false,
            EngineChoice::One(one) => one.name == engine,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            EngineChoice::Portfolio => EngineChoice::PORTFOLIO,
            EngineChoice::Bdd => EngineChoice::BDD,
            EngineChoice::One(engine) => engine.name,
        }
    }
}

impl std::fmt::Debug for EngineChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
