//! Random results: every field is sometimes there, sometimes not, with names that hurt.
//!
//! Where readers of a result look for particular words, such as the name of a metric, these occur often enough that they are found, and names are so few that what refers to something by name often
//! finds it.

use fastrand::Rng;
use propcov_result::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A result that depends on the seed alone.
pub fn random_result(seed: u64) -> RunResult {
    Maker(Rng::with_seed(seed)).result()
}

struct Maker(Rng);

/// Names that a format may have trouble with.
const NAMES: &[&str] = &[
    "x",
    "top.fifo.count[3]",
    "l27 beat",
    "a\"b",
    "back\\slash",
    "<b>&amp;",
    "tab\there",
    "line\nbreak",
    "\u{1b}[31m",
    "数据",
    "é",
    "",
    "=1+1",
    "node~0.x",
];

/// What a run may measure.
const METRICS: &[&str] = &[
    "reach",
    "mutation",
    "mutation",
    "mutation",
    "core",
    "must",
    "may",
    "model",
    "state",
    "transition",
    "simulation",
];

impl Maker {
    fn some<T>(&mut self, make: impl FnOnce(&mut Maker) -> T) -> Option<T> {
        self.0.bool().then(|| make(self))
    }

    fn many<T>(&mut self, mut make: impl FnMut(&mut Maker) -> T) -> Vec<T> {
        (0..self.0.usize(0..4)).map(|_| make(self)).collect()
    }

    /// A few, now and then many.
    fn crowd<T>(&mut self, mut make: impl FnMut(&mut Maker) -> T) -> Vec<T> {
        let most = self.pick(&[4, 4, 4, 4, 4, 4, 4, 40]);
        (0..self.0.usize(0..most)).map(|_| make(self)).collect()
    }

    fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.0.usize(0..all.len())].clone()
    }

    fn name(&mut self) -> String {
        self.pick(NAMES).to_owned()
    }

    fn shared(&mut self) -> Arc<str> {
        self.pick(NAMES).into()
    }

    /// One of these words, or any name.
    fn word(&mut self, words: &[&str]) -> String {
        if self.0.u8(0..8) == 0 { self.name() } else { self.pick(words).to_owned() }
    }

    fn metric(&mut self) -> String {
        self.word(METRICS)
    }

    fn edit(&mut self) -> String {
        self.word(&["free", "zero", "one"])
    }

    fn bool(&mut self) -> bool {
        self.0.bool()
    }

    fn number(&mut self) -> usize {
        self.0.usize(0..1000)
    }

    fn id(&mut self) -> u32 {
        self.0.u32(0..50)
    }

    fn seconds(&mut self) -> f64 {
        self.0.f64() * 1000.0
    }

    fn count(&mut self) -> Count {
        let small = Count::from(self.number());
        match self.0.u8(0..4) {
            0 => Count::ZERO,
            1 => Count::from(dashu_int::UBig::ONE << self.0.usize(60..300)),
            _ => small,
        }
    }

    fn map<T>(&mut self, mut make: impl FnMut(&mut Maker) -> T) -> BTreeMap<String, T> {
        (0..self.0.usize(0..3)).map(|_| (self.name(), make(self))).collect()
    }

    fn place(&mut self) -> Place {
        let (line, column) = (self.id() + 1, self.id() + 1);
        Place { file: self.name(), line, column, end_line: line, end_column: column + self.id() }
    }

    fn result(&mut self) -> RunResult {
        RunResult {
            run: self.run(),
            design: self.some(Maker::design),
            gate: self.some(Maker::gate),
            properties: self.crowd(Maker::property),
            distances: self.many(|maker| Distance {
                name: maker.name(),
                text: maker.name(),
                place: maker.some(Maker::place),
                length: maker.pick(&[Length::Finite, Length::Infinite, Length::Undefined, Length::Unknown]),
                steps: maker.some(|maker| maker.number() as u32),
                reason: maker.some(Maker::name),
                certified: maker.bool(),
                seconds: maker.seconds(),
            }),
            elements: self.crowd(Maker::element),
            excerpts: self.crowd(|maker| Excerpt {
                file: maker.name(),
                line: maker.id() + 1,
                text: maker.name(),
            }),
            lines: self.many(|maker| SourceLine {
                file: maker.name(),
                line: maker.id() + 1,
                elements: maker.many(Maker::id),
                counts: BTreeMap::from_iter(maker.many(|maker| (maker.name(), maker.tally()))),
            }),
            findings: self.crowd(Maker::finding),
            shares: self.crowd(Maker::share),
            waivers: self.many(Maker::waiver),
            rankings: self.many(Maker::ranking),
            cores: self.many(Maker::core_row),
            states: self.many(Maker::state_row),
            unmentioned: self.some(|maker| Unmentioned {
                silent: maker.many(Maker::name),
                indirect: maker.many(Maker::name),
            }),
            refinement: self.some(Maker::refinement),
            advice: self.some(Maker::advice),
            notes: self.many(Maker::note),
            stats: self.stats(),
            ..RunResult::new("check", 0)
        }
    }

    fn run(&mut self) -> Run {
        Run {
            command: self.word(&["check", "cover", "cores", "refine", "explain"]),
            arguments: self.many(Maker::name),
            version: self.name(),
            seed: self.0.u64(..),
            seconds: self.seconds(),
            date: self.some(Maker::name),
            metrics: self.many(Maker::metric),
            shard: self.some(|maker| Shard { index: 1, count: maker.0.u32(1..9) }),
            stop: self.some(|maker| {
                maker.pick(&[
                    Stop::Accuracy,
                    Stop::Budget,
                    Stop::Timeout,
                    Stop::Interrupted,
                    Stop::Effort,
                    Stop::Techniques,
                    Stop::Shard,
                ])
            }),
            thresholds: self.many(Maker::threshold),
            configuration: self.some(|maker| Configuration {
                path: maker.name(),
                sha256: maker.name(),
                design: maker.some(Maker::name),
                arguments: maker.many(Maker::name),
            }),
            directory: self.some(Maker::name),
            files: self.many(Maker::name),
            internal_errors: self.many(Maker::name),
        }
    }

    fn threshold(&mut self) -> Threshold {
        let verdicts = [ThresholdVerdict::Reached, ThresholdVerdict::Undecided, ThresholdVerdict::Missed];
        Threshold {
            metric: self.some(Maker::metric),
            scope: match self.0.u8(0..3) {
                0 => ThresholdScope::Metric,
                1 => ThresholdScope::File(self.name()),
                _ => ThresholdScope::Instance(self.name()),
            },
            percent: self.0.f64() * 100.0,
            verdict: self.pick(&verdicts),
            short: self.many(|maker| {
                let share = maker.share();
                Shortfall {
                    metric: share.metric,
                    scope: share.scope,
                    percent: share.percent,
                    text: maker.name(),
                    missed: maker.bool(),
                }
            }),
        }
    }

    fn waiver(&mut self) -> Waiver {
        let states = [
            WaiverState::Idle,
            WaiverState::Used,
            WaiverState::Unused,
            WaiverState::Stale,
            WaiverState::Expired,
        ];
        Waiver {
            nth: self.some(|maker| maker.number() as u32),
            elements: self.many(Maker::name),
            source: self.some(Maker::name),
            files: self.many(Maker::name),
            condition: self.some(Maker::name),
            states: self.many(Maker::name),
            propositions: self.many(Maker::name),
            metrics: self.many(Maker::metric),
            edits: self.many(Maker::edit),
            reason: self.name(),
            author: self.some(Maker::name),
            expires: self.some(Maker::name),
            place: self.some(Maker::place),
            state: self.pick(&states),
            count: self.count(),
        }
    }

    fn design(&mut self) -> Design {
        Design {
            format: self.name(),
            top: self.some(Maker::name),
            task: self.some(Maker::name),
            task_bound: self.some(|maker| maker.number() as u32),
            files: self.many(|maker| File { path: maker.name(), sha256: maker.name() }),
            inputs: self.number(),
            states: self.number(),
            elements: self.number(),
            assumptions: self.number(),
            properties: self.number(),
            covers: self.number(),
        }
    }

    fn gate(&mut self) -> Gate {
        Gate {
            assumptions: self.pick(&[
                Assumptions::Consistent,
                Assumptions::Conflicting,
                Assumptions::Unknown,
            ]),
            steps: self.id(),
            conflict: self.many(|maker| Conflicting { name: maker.name(), place: maker.some(Maker::place) }),
            reason: self.some(Maker::name),
            constant: self.many(|maker| (maker.name(), maker.bool())),
            vacuous: self.many(Maker::name),
            untested: self.many(Maker::name),
            obligations: self.number(),
            fairness: self.some(|maker| Fairness {
                start: maker.some(Maker::bool),
                deadlock: maker.some(Maker::bool),
                constrained: maker.bool(),
            }),
        }
    }

    fn verdict(&mut self) -> Verdict {
        self.pick(&[
            Verdict::Proved,
            Verdict::Falsified,
            Verdict::Reached,
            Verdict::Unreachable,
            Verdict::Bounded,
            Verdict::Unknown,
        ])
    }

    fn property(&mut self) -> Property {
        Property {
            name: self.name(),
            kind: self.word(&["invariant", "ctl", "justice", "cover"]),
            formula: self.some(Maker::name),
            place: self.some(Maker::place),
            verdict: self.verdict(),
            depth: self.some(Maker::id),
            reason: self.some(Maker::name),
            engine: self.some(Maker::name),
            certified: self.bool(),
            vacuous: self.bool(),
            recalled: self.bool(),
            helpers: self.many(Maker::name),
            seconds: self.seconds(),
            evidence: self.some(Maker::name),
            trace: self.some(|maker| maker.trace(2)),
            attempt: None,
            tested: self.some(|maker| maker.trace(0)),
            unmet: Vec::new(),
            stray: self.some(|maker| maker.trace(0)),
            inductive: self.some(|maker| maker.trace(0)),
            smooth: self.some(|maker| Smooth {
                before: maker.some(Maker::number),
                after: maker.some(Maker::number),
                fewest: maker.bool(),
                reason: maker.some(Maker::name),
            }),
            core: self.some(|maker| maker.many(Maker::id)),
            core_reason: self.some(Maker::name),
            own: self.many(Maker::id),
            reads: self.some(|maker| Reads {
                antecedent: maker.many(Maker::id),
                consequent: maker.many(Maker::id),
                changes: maker.bool(),
            }),
        }
    }

    fn trace(&mut self, depth: usize) -> Trace {
        let most = self.pick(&[5, 5, 5, 5, 5, 90]);
        let steps = self.0.usize(1..most);
        let kinds = [
            TraceSignalKind::Input,
            TraceSignalKind::State,
            TraceSignalKind::Output,
            TraceSignalKind::Wire,
            TraceSignalKind::Instance,
            TraceSignalKind::Function,
            TraceSignalKind::Free,
        ];
        let shows = if depth > 0 { self.some(|maker| Box::new(maker.shows(depth))) } else { None };
        Trace {
            steps,
            signals: self.crowd(|maker| {
                let sort = maker.word(&["bool", "bitvec 1", "bitvec 70", "int", "real"]);
                let values = (0..steps).map(|_| maker.value(&sort)).collect();
                TraceSignal {
                    name: maker.name(),
                    kind: maker.pick(&kinds),
                    sort,
                    focus: maker.bool(),
                    values,
                    ranges: if maker.bool() {
                        (0..steps).map(|_| maker.name()).collect()
                    } else {
                        Vec::new()
                    },
                }
            }),
            shows,
        }
    }

    fn value(&mut self, sort: &str) -> String {
        match sort {
            "bool" => self.pick(&["false", "true", "0", "1"]).to_owned(),
            "real" => format!("{}/{}", self.number(), self.number() + 1),
            "int" => self.number().to_string(),
            _ => match sort.strip_prefix("bitvec ").and_then(|width| width.parse().ok()) {
                Some(width) => (0..width).map(|_| self.pick(&['0', '1'])).collect(),
                None => self.name(),
            },
        }
    }

    fn shows(&mut self, depth: usize) -> Shows {
        Shows {
            claim: self.name(),
            whole: self.bool(),
            state: self.bool(),
            end: self.some(Maker::name),
            open: self.many(Maker::name),
            essential: self.number(),
            loop_to: self.some(Maker::number),
            branches: self.many(|maker| Branch { step: maker.number(), trace: maker.trace(depth - 1) }),
        }
    }

    fn element(&mut self) -> Element {
        let ladder = [
            Ladder::Unknown,
            Ladder::Dead,
            Ladder::OutsideCone,
            Ladder::NoCore,
            Ladder::Survived,
            Ladder::NoEffect,
            Ladder::May,
            Ladder::Must,
            Ladder::Killed,
            Ladder::Waived,
        ];
        Element {
            id: self.id(),
            name: self.name(),
            aliases: self.many(Maker::name),
            scope: self.name(),
            kind: self.word(&["register", "gate", "equation"]),
            role: self.pick(&[Role::Design, Role::Checker, Role::Environment]),
            places: self.many(Maker::place),
            parent: self.some(Maker::name),
            status: self.some(|maker| maker.pick(&ladder)),
            waiver: self.some(Maker::name),
            constant: self.bool(),
        }
    }

    fn finding_verdict(&mut self) -> FindingVerdict {
        self.pick(&[
            FindingVerdict::Covered,
            FindingVerdict::Uncovered,
            FindingVerdict::NoEffect,
            FindingVerdict::Dead,
            FindingVerdict::Unknown,
        ])
    }

    fn finding(&mut self) -> Finding {
        let subject = match self.0.u8(0..3) {
            0 => Subject::Element(self.id()),
            1 => Subject::Cube(Cube {
                observed: self.some(Maker::shared),
                text: self.name(),
                literals: self.many(|maker| Literal { name: maker.name(), values: maker.many(Maker::name) }),
            }),
            _ => Subject::Label(Label {
                state: self.shared(),
                proposition: self.shared(),
                labels: self.some(|maker| maker.many(Maker::shared)),
            }),
        };
        Finding {
            metric: self.metric().into(),
            subject,
            edit: self.edit().into(),
            property: self.some(Maker::shared),
            verdict: self.finding_verdict(),
            reason: self.some(Maker::shared),
            bound: self.some(Maker::id),
            by: self.some(Maker::shared),
            certified: self.bool(),
            evidence: self.some(Maker::shared),
            witness: self.some(|maker| Box::new(maker.witness())),
            count: self.some(Maker::count),
            waiver: self.some(|maker| maker.0.u32(0..3)),
        }
    }

    fn witness(&mut self) -> Witness {
        Witness {
            design: self.some(|maker| maker.trace(0)),
            mutant: self.some(|maker| maker.trace(0)),
            observation: self.some(Maker::name),
            observed: self.many(Maker::name),
            depth: self.some(Maker::number),
            shortest: self.some(Maker::bool),
            reason: self.some(Maker::name),
            file: self.some(Maker::name),
            blame: self.some(|maker| Blame {
                assumptions: maker
                    .many(|maker| Conflicting { name: maker.name(), place: maker.some(Maker::place) }),
                minimal: maker.bool(),
                reason: maker.some(Maker::name),
            }),
        }
    }

    fn share(&mut self) -> Share {
        let scope = match self.0.u8(0..10) {
            0 => Scope::All,
            1 => Scope::Property(self.name()),
            2 => Scope::Conjunction,
            3 => Scope::Edit(self.edit()),
            4 => Scope::PropertyEdit(self.name(), self.edit()),
            5 => Scope::Instance(self.name()),
            6 => Scope::File(self.name()),
            7 => Scope::Observed(self.name()),
            8 => Scope::Proposition(self.name()),
            _ => Scope::Checker,
        };
        let (tally, metric) = (self.tally(), self.metric());
        Share::new(&metric, scope, tally, self.bool())
    }

    fn tally(&mut self) -> Tally {
        Tally {
            unclassified: Count::ZERO,
            covered: self.count(),
            uncovered: self.count(),
            no_effect: self.count(),
            dead: self.count(),
            waived: self.count(),
            bounded: self.count(),
            unknown: self.count(),
        }
    }

    fn ranking(&mut self) -> Ranking {
        Ranking {
            metric: self.metric(),
            observed: self.some(Maker::name),
            properties: self.many(|maker| Contribution {
                property: maker.name(),
                covered: maker.count(),
                unique: maker.count(),
            }),
            redundant: self.many(Maker::name),
            greedy: self.many(|maker| Pick {
                property: maker.name(),
                gained: maker.count(),
                covered: maker.count(),
            }),
            smallest: self
                .some(|maker| Smallest { properties: maker.many(Maker::name), exact: maker.bool() }),
        }
    }

    fn core_row(&mut self) -> CoreRow {
        let goals = [
            CoreGoal::One,
            CoreGoal::Minimal,
            CoreGoal::Minimum,
            CoreGoal::All,
            CoreGoal::Must,
            CoreGoal::May,
        ];
        let minimal = [Minimality::Minimal, Minimality::Unchecked, Minimality::Undecided];
        CoreRow {
            property: self.some(Maker::name),
            goal: self.pick(&goals),
            algorithm: self.name(),
            depth: self.some(Maker::id),
            holds: self.bool(),
            universe: self.many(Maker::id),
            cores: self.many(|maker| CoreSet {
                elements: maker.many(Maker::id),
                minimal: maker.pick(&minimal),
                undecided: maker.many(Maker::id),
                invariants: maker.many(Maker::name),
            }),
            complete: self.bool(),
            answered: self.bool(),
            stopped: self.bool(),
            must: self.some(|maker| maker.many(Maker::id)),
            must_unknown: self.many(Maker::id),
            may: self.some(|maker| maker.many(Maker::id)),
            may_unknown: self.many(Maker::id),
            minimum: self.some(|maker| maker.many(Maker::id)),
            at_least: self.number(),
            undecided: self.map(Maker::number),
            by_depth: self.many(|maker| CoreAtDepth {
                depth: maker.id(),
                up_to: maker.many(Maker::id),
                at: maker.many(Maker::id),
            }),
            seconds: self.map(Maker::seconds),
            check_limit: self.some(Maker::seconds),
        }
    }

    fn state_row(&mut self) -> StateRow {
        StateRow {
            metric: self.metric(),
            observed: self.some(Maker::name),
            semantics: self.name(),
            flip: self.name(),
            implication: self.name(),
            reachable: self.some(Maker::count),
            excluded: self.some(Maker::count),
            unfair: self.some(Maker::count),
            reason: self.some(Maker::name),
            not_certified: self.some(Maker::name),
            properties: self.many(|maker| StatePart {
                property: maker.name(),
                verdict: maker.verdict(),
                mentions: maker.bool(),
                covered: maker.some(Maker::count),
                unique: maker.some(Maker::count),
                redundant: maker.some(Maker::bool),
                reason: maker.some(Maker::name),
            }),
            rest: self.some(Maker::count),
            not_listed: self.some(Maker::name),
            readers: self.many(Maker::name),
        }
    }

    fn model(&mut self) -> Model {
        Model {
            path: self.name(),
            sha256: self.name(),
            format: self.name(),
            states: self.some(Maker::count),
            transitions: self.some(Maker::count),
            initial: self.some(Maker::count),
        }
    }

    fn pair(&mut self) -> PairOfStates {
        PairOfStates { implementation: self.shared(), specification: self.shared() }
    }

    fn distinction(&mut self) -> Distinction {
        Distinction {
            run: self.many(|maker| TreeStep {
                state: maker.name(),
                labels: maker.many(Maker::name),
                specification: maker.many(Maker::name),
            }),
            refused: self.many(Maker::refusal),
            refutations: self.many(|maker| Refutation {
                implementation: maker.name(),
                specification: maker.name(),
                step: maker.name(),
                labels: maker.many(Maker::name),
                answers: maker.many(Maker::refusal),
            }),
        }
    }

    fn refusal(&mut self) -> Refusal {
        Refusal { state: self.name(), needs: self.many(Maker::name) }
    }

    fn criteria(&mut self) -> Criteria {
        Criteria {
            form: self.name(),
            reason: self.some(Maker::name),
            unimplemented_start_states: self.some(|maker| maker.many(Maker::name)),
            unimplemented_states: self.some(|maker| maker.many(Maker::name)),
            unimplemented_transitions: self.some(|maker| {
                maker.many(|maker| SpecificationStep {
                    from: maker.name(),
                    to: maker.name(),
                    implementation: maker.some(|maker| (maker.name(), maker.name())),
                    count: maker.some(Maker::count),
                })
            }),
            many_to_one: self.some(|maker| {
                maker.many(|maker| Merged { state: maker.name(), implementation: maker.many(Maker::shared) })
            }),
        }
    }

    fn refinement(&mut self) -> Refinement {
        Refinement {
            implementation: self.model(),
            specification: self.model(),
            propositions: self.many(Maker::name),
            extra: self.many(Maker::name),
            left_out: self.many(Maker::name),
            algorithm: self.name(),
            simulates: self.some(Maker::bool),
            certified: self.bool(),
            reason: self.some(Maker::name),
            observed: self.many(Maker::name),
            criteria: self.some(Maker::criteria),
            pairs: self.some(Maker::number),
            relation: self.many(Maker::pair),
            distinction: self.some(Maker::distinction),
            unsimulated: self
                .some(|maker| Unsimulated { state: maker.name(), trace: maker.some(|maker| maker.trace(0)) }),
            explanations: self.many(|maker| Explanation {
                state: maker.shared(),
                proposition: maker.shared(),
                flipped: maker.name(),
                verdict: maker.finding_verdict(),
                distinction: maker.some(Maker::distinction),
                partners: maker.many(Maker::name),
                run: maker.many(|maker| PassageStep {
                    implementation: maker.name(),
                    labels: maker.many(Maker::name),
                    specification: maker.name(),
                    needs: maker.many(Maker::name),
                }),
                relation: maker.many(Maker::pair),
            }),
        }
    }

    fn advice(&mut self) -> Advice {
        Advice {
            path: self.name(),
            read: self.number(),
            foreign: self.number(),
            holding: self.number(),
            dropped: self.number(),
            stored: self.number(),
        }
    }

    fn note(&mut self) -> Note {
        Note {
            kind: self.pick(&[NoteKind::Note, NoteKind::Warning, NoteKind::Error]),
            text: self.name(),
            place: self.some(Maker::place),
        }
    }

    fn stats(&mut self) -> Stats {
        Stats {
            seconds: self.map(Maker::seconds),
            solver_calls: self.map(|maker| maker.0.u64(..)),
            ticks: self.0.u64(..),
            counts: self.map(|maker| maker.0.u64(..)),
            decided_by: self.map(|maker| maker.0.u64(..)),
            decided_at: (0..self.0.usize(0..3)).map(|_| (self.number(), self.seconds())).collect(),
            reused: self.some(Maker::number),
            states: self.some(|maker| StateCounts {
                reachable: maker.count(),
                fair: maker.count(),
                diameter: maker.number(),
            }),
            diagrams: self.some(|maker| Diagrams {
                variables: maker.number(),
                nodes: maker.number(),
                peak_nodes: maker.number(),
                reorderings: maker.0.u64(..),
                parts: (maker.number(), maker.number()),
            }),
        }
    }
}
