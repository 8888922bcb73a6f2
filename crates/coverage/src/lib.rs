//! Coverage metrics: which parts of a design do its proven properties check?
//!
//! One folder and one row of [`METRICS`] each. A metric takes properties that are proved and asks about many edits of the design. [`mutation`] streams
//! a [`Finding`](propcov_ir::Finding) for each, with evidence that the independent checker has accepted; [`ctl`] has sets of states instead, because nobody
//! could list them; [`cores`] has sets of elements from which a property can be proved.

pub mod cores;
pub mod ctl;
pub mod difference;
pub mod mutation;
pub mod ranking;
pub mod refine;

/// A metric.
pub struct Metric {
    /// The name users type.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// What it changes.
    pub subject: Subject,
}

/// What a metric changes, to see who notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Definitions of a design: [`mutation`].
    Elements,
    /// The value of a signal in one place: [`ctl`].
    Labels(ctl::Place),
    /// Nothing, but it asks what the proofs of properties rest on: [`cores`].
    Cores(cores::CoreMetric),
}

/// All metrics.
pub const METRICS: &[Metric] = &[
    Metric {
        name: "mutation",
        summary: "does a property fail when an element is left open, or stuck at zero or one?",
        subject: Subject::Elements,
    },
    Metric {
        name: "state",
        summary: "does a property fail when a signal has another value in one reachable state?",
        subject: Subject::Labels(ctl::Place::State),
    },
    Metric {
        name: "transition",
        summary: "does a property fail when a signal has another value after one transition?",
        subject: Subject::Labels(ctl::Place::Transition),
    },
    Metric {
        name: "core",
        summary: "IVC-Cov: is the element in a minimal core, from which a property can be proved?",
        subject: Subject::Cores(cores::CoreMetric::Core),
    },
    Metric {
        name: "must",
        summary: "MUST-Cov: is it in every core, so that a property fails without it?",
        subject: Subject::Cores(cores::CoreMetric::Must),
    },
    Metric {
        name: "may",
        summary: "MAY-Cov: is it in some minimal core?",
        subject: Subject::Cores(cores::CoreMetric::May),
    },
    Metric {
        name: "model",
        summary: "MODEL-Cov: is it in some minimal core of some property?",
        subject: Subject::Cores(cores::CoreMetric::Model),
    },
];
