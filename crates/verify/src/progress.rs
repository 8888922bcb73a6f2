//! What is told while properties are decided, for people who wait.

/// Hears what is being done: which property, which engine, how deep.
pub trait Progress: propcov_engine::Observer + propcov_symbolic::Observer {
    /// What is being done from now on.
    fn stage(&self, what: String);

    /// Which part of it.
    fn detail(&self, what: &str);

    /// What is decided so far.
    fn so_far(&self, _so_far: &SoFar<'_>) {}

    /// Something was found that is worth a line of its own, before the end.
    fn news(&self, _line: &str) {}
}

/// What is decided so far of what there is to decide.
#[derive(Clone, Copy, Debug, Default)]
pub struct SoFar<'s> {
    /// What is counted: `properties`, `mutants`.
    pub what: &'static str,
    /// Proved, or noticed.
    pub good: usize,
    /// Certainly not.
    pub bad: usize,
    /// All of them.
    pub total: usize,
    /// The property at work.
    pub property: Option<&'s str>,
    /// The technique at work.
    pub technique: Option<&'static str>,
}

/// Nobody listens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl propcov_engine::Observer for Silent {
    fn progress(&self, _: &'static str, _: u32) {}
}

impl propcov_symbolic::Observer for Silent {
    fn layers(&self, _: usize) {}
}

impl Progress for Silent {
    fn stage(&self, _: String) {}

    fn detail(&self, _: &str) {}
}
