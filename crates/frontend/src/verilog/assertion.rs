//! Assertions, assumptions and covers.

use super::clock::ClockId;
use super::machine::{Context, Machine};
use super::record::{At, EventKind, ExprRef, Properties, Property, PropertyRef, ScopeRef, Setting};
use crate::InputError;
use propcov_ir::ExprId;

/// What is asserted, assumed or to be reached.
#[derive(Clone, Debug)]
pub(super) struct Assertion {
    pub(super) kind: AssertionKind,
    pub(super) name: String,
    pub(super) at: At,
    /// Where the condition is written.
    pub(super) condition_at: At,
    pub(super) scope: ScopeRef,
    /// What has to hold, or may happen, in each step; at an edge, what was sampled before it.
    pub(super) condition: ExprId,
    pub(super) clock: Option<ClockId>,
}

/// What is wanted of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AssertionKind {
    Assert,
    Assume,
    Cover,
}

impl AssertionKind {
    fn named(name: &str) -> Option<AssertionKind> {
        match name {
            "Assert" => Some(AssertionKind::Assert),
            "Assume" | "Restrict" => Some(AssertionKind::Assume),
            "CoverProperty" => Some(AssertionKind::Cover),
            _ => None,
        }
    }
}

impl Machine<'_> {
    /// An immediate assertion, under the condition that its statement is executed.
    pub(super) fn immediate(
        &mut self,
        kind: &str,
        condition: ExprRef,
        label: Option<&str>,
        at: At,
    ) -> Result<(), InputError> {
        let holds = self.condition(condition)?;
        let clock = match self.context {
            Context::Edge(clock) => Some(clock),
            Context::Start | Context::Each => None,
        };
        self.add_assertion(kind, holds, clock, label, [at, self.export.expr(condition).at])
    }

    /// A concurrent assertion that is a Boolean at each edge.
    pub(super) fn concurrent(
        &mut self,
        kind: &str,
        property: PropertyRef,
        label: Option<&str>,
        at: At,
    ) -> Result<(), InputError> {
        let mut clock = match self.context {
            Context::Edge(clock) => Some(clock),
            Context::Start | Context::Each => None,
        };
        let (context, mut inner) = (self.context, property);
        let mut disabled = self.bool(false);
        let condition = loop {
            match self.export.property(inner).clone() {
                Property::Clocked(event, property) => {
                    clock = Some(self.property_clock(event)?);
                    inner = property;
                }
                Property::DisableIff(condition, property) => {
                    let here = self.condition(condition)?;
                    disabled = self.or(disabled, here);
                    inner = property;
                }
                Property::Simple(expr) => match &self.export.expr(expr).what {
                    super::record::ExprKind::Property(property) => inner = *property,
                    _ => break expr,
                },
                Property::Other(what) => {
                    return self.error(at, format!("{what} in a property is not supported yet"));
                }
            }
        };
        // Without a clock it is about each step, as Yosys has it.
        self.context = clock.map_or(Context::Each, Context::Edge);
        let holds = self.condition(condition);
        self.context = context;
        let holds = holds?;
        let is_cover = AssertionKind::named(kind) == Some(AssertionKind::Cover);
        let holds = if is_cover {
            let enabled = self.not(disabled);
            self.and(holds, enabled)
        } else {
            self.or(holds, disabled)
        };
        self.add_assertion(kind, holds, clock, label, [at, self.export.expr(condition).at])
    }

    fn property_clock(&mut self, event: super::record::EventRef) -> Result<ClockId, InputError> {
        match self.export.event(event).what {
            EventKind::Signal(edge, signal, None) => self.clock(edge, signal),
            _ => self.error(self.export.event(event).at, "expected one edge of one signal"),
        }
    }

    fn add_assertion(
        &mut self,
        kind: &str,
        holds: ExprId,
        clock: Option<ClockId>,
        label: Option<&str>,
        [at, condition_at]: [At; 2],
    ) -> Result<(), InputError> {
        let settings = &self.export.settings;
        let path = self.places.path(at);
        let is_set = |wanted: &dyn Fn(&Setting) -> bool| settings.iter().any(wanted);
        let kind = match AssertionKind::named(kind) {
            Some(_)
                if kind == "Restrict"
                    && is_set(&|one| matches!(one, Setting::Unrestricted(file) if file == path)) =>
            {
                self.executed.insert(at);
                return Ok(());
            }
            Some(AssertionKind::Assert)
                if is_set(&|one| matches!(one, Setting::Assumed(file) if file == path)) =>
            {
                AssertionKind::Assume
            }
            Some(AssertionKind::Assert)
                if is_set(&|one| matches!(one, Setting::Without(Properties::Assertions))) =>
            {
                self.executed.insert(at);
                return Ok(());
            }
            Some(AssertionKind::Cover)
                if is_set(&|one| matches!(one, Setting::Without(Properties::Covers))) =>
            {
                self.executed.insert(at);
                return Ok(());
            }
            Some(kind) => kind,
            None => return self.error(at, format!("{kind} is not supported")),
        };
        self.executed.insert(at);
        let mut reached = self.path;
        if self.context == Context::Start {
            let first = self.first_step();
            reached = self.and(reached, first);
        }
        let condition = if kind == AssertionKind::Cover {
            self.and(reached, holds)
        } else {
            let not_reached = self.not(reached);
            self.or(not_reached, holds)
        };
        let name = match label.filter(|label| !label.is_empty()) {
            Some(label) => self.local_name(label),
            None => {
                let path = self.places.path(at);
                let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
                self.local_name(&format!("{file}:{}", self.places.start(at).0))
            }
        };
        let scope = self.scope;
        self.assertions.push(Assertion { kind, name, at, condition_at, scope, condition, clock });
        Ok(())
    }
}
