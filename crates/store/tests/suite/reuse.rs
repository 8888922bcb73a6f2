//! The whole way, on random systems: measure, keep, edit the design, recall, check, go on. Results are those of a run that starts from nothing, and of the definition.

use crate::common::{files, journal, properties, recall, scratch};
use propcov_budget::Budget;
use propcov_coverage::mutation::{
    Advice, Ground, Listener, Options, Recheck, Silent, Standing, Target, recheck_proof, renew, run,
};
use propcov_engine::{Config, Limits, Stats, portfolio};
use propcov_ir::{Edits, Finding, Mutant, PropertyId, Status, System, Verdict};
use propcov_store::{Journal, Recalled};
use propcov_testkit::{
    DesignEdit, Random, all_mutants, coverage_by_property, edit_design, for_random_systems,
    holding_properties, means_the_same, random_system,
};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

/// A design, the properties that hold, and which mutants each of them notices.
struct Case<'s> {
    system: &'s System,
    holding: Vec<PropertyId>,
    targets: Vec<Target>,
    mutants: Vec<Mutant>,
    /// By definition.
    covered: BTreeMap<(PropertyId, Mutant), bool>,
}

impl<'s> Case<'s> {
    fn new(system: &'s System) -> Option<Case<'s>> {
        let holding = holding_properties(system).ok()?;
        let mutants = all_mutants(system);
        let rows = coverage_by_property(system, &holding, &mutants).ok()?;
        let mut covered = BTreeMap::new();
        for (property, row) in holding.iter().zip(&rows) {
            covered.extend(mutants.iter().zip(row).map(|(mutant, covered)| ((*property, *mutant), *covered)));
        }
        let target = |property: &PropertyId| {
            let (config, limits) = (Config::default(), Limits::default());
            let silent = &propcov_engine::Silent;
            let report = portfolio::check(system, &Edits::none(), *property, &config, &limits, silent);
            let Verdict::Proved(proof) = report.verdict else { return None };
            Some(Target { property: *property, ground: Ground::Proved(Arc::new(proof)), depth: 1, ticks: 0 })
        };
        let targets = holding.iter().filter_map(target).collect();
        Some(Case { system, holding, targets, mutants, covered })
    }

    /// Whether findings say what is true; how many of them are decided.
    fn agrees(&self, findings: &[Finding]) -> Result<usize, String> {
        let mut decided = 0;
        for finding in findings {
            let truth = self.covered.get(&(finding.property, finding.mutant));
            let said = match &finding.status {
                Status::Unknown(_) | Status::Bounded(_) => continue,
                Status::Covered(_) => true,
                Status::Uncovered(_) | Status::NoEffect(_) => false,
            };
            if truth != Some(&said) {
                return Err(format!("{finding:?} is not true"));
            }
            decided += 1;
        }
        Ok(decided)
    }

    /// Measures, and keeps what is found.
    fn measure(&self, journal: Journal<'_>, known: &[Finding], advice: Advice) -> Result<(), String> {
        let keeping = Keeping(Mutex::new(journal));
        for target in &self.targets {
            let mut journal = keeping.0.lock().map_err(|error| error.to_string())?;
            journal.add_proved(target.property, target.ground.proof().expect("proved"), "", 0.0);
        }
        let options = Options { advice, ..Options::default() };
        let outcome = run(self.system, &self.targets, &self.mutants, known, &options, &keeping);
        let fresh = run(self.system, &self.targets, &self.mutants, &[], &Options::default(), &Silent);
        let verdicts = |findings: &[Finding]| -> Vec<(PropertyId, Mutant, &'static str)> {
            findings.iter().map(|found| (found.property, found.mutant, found.status.name())).collect()
        };
        self.agrees(&outcome.findings)?;
        if !outcome.internal_errors.is_empty() {
            return Err(outcome.internal_errors.join("; "));
        }
        // Some mutants are beyond every engine; what has advice may decide more.
        let open = |findings: &[Finding]| -> BTreeSet<(PropertyId, Mutant)> {
            let open = findings.iter().filter(|finding| matches!(finding.status, Status::Unknown(_)));
            open.map(|finding| (finding.property, finding.mutant)).collect()
        };
        if !open(&outcome.findings).is_subset(&open(&fresh.findings)) {
            return Err("less is decided than by a run that starts from nothing".to_owned());
        }
        if open(&fresh.findings).is_empty() && verdicts(&outcome.findings) != verdicts(&fresh.findings) {
            return Err("a run that starts from nothing says something else".to_owned());
        }
        Ok(())
    }

    /// What of a directory is accepted: findings, and exact claims that are not.
    fn accepted(&self, recalled: &Recalled) -> (Vec<Finding>, Vec<Finding>) {
        let (mut accepted, mut refused) = (Vec::new(), Vec::new());
        let budget = Budget::default();
        for target in &self.targets {
            let claims =
                recalled.findings.iter().filter(|claimed| claimed.finding.property == target.property);
            let claims: Vec<_> = claims.collect();
            let findings: Vec<&Finding> = claims.iter().map(|claimed| &claimed.finding).collect();
            let recheck = Recheck {
                system: self.system,
                property: target.property,
                limits: &budget,
                allowance: PATIENCE,
            };
            for (claimed, standing) in claims.iter().zip(recheck.first(&findings)) {
                match standing {
                    Some(Standing::Accepted) => accepted.push(claimed.finding.clone()),
                    Some(_) if claimed.is_exact => refused.push(claimed.finding.clone()),
                    _ => {}
                }
            }
        }
        (accepted, refused)
    }
}

/// Keeps every finding.
struct Keeping<'s>(Mutex<Journal<'s>>);

impl Listener for Keeping<'_> {
    fn found(&self, findings: &[Finding]) {
        self.0.lock().expect("nobody panicked").add_findings(findings);
    }

    fn progress(&self, _: PropertyId, _: &'static str, _: usize, _: usize) {}
}

#[test]
fn after_an_edit_what_means_the_same_is_accepted_and_results_are_those_of_a_fresh_run() {
    let (exact, tried) = (Cell::new(0), Cell::new(0));
    for_random_systems(120, 51_000, |seed, system| {
        let random = &mut Random::new(seed);
        let directory = scratch();
        let Some(case) = Case::new(system) else { return Ok(()) };
        case.measure(journal(directory.path(), system), &[], Advice::default())?;
        let Some((edited, edit)) = edit_design(random, system) else { return Ok(()) };
        let Some(after) = Case::new(&edited) else { return Ok(()) };
        let recalled = recall(directory.path(), &edited, true);
        let (accepted, refused) = after.accepted(&recalled);
        if let Some(finding) = refused.first() {
            return Err(format!("{edit:?}: {finding:?} means the same, and is refused"));
        }
        after.agrees(&accepted).map_err(|problem| format!("{edit:?}: {problem}"))?;
        let is_exact = |claimed: &&propcov_store::Claimed| claimed.is_exact;
        exact.set(exact.get() + recalled.findings.iter().filter(is_exact).count());
        tried.set(tried.get() + accepted.len());
        // What a reader calls the same is there, to the last finding.
        for target in &after.targets {
            for before in properties(system) {
                let is_target = case.targets.iter().any(|target| target.property == before);
                if is_target && means_the_same(system, before, &edited, target.property) {
                    let found = accepted.iter().filter(|finding| finding.property == target.property).count();
                    let decided = decided(&case, before, &edited);
                    if found < decided {
                        return Err(format!("{edit:?}: {found} instead of {decided} findings"));
                    }
                }
            }
        }
        let advice = Advice { stimuli: recalled.runs.clone(), proofs: recalled.proofs.clone() };
        let mut journal = journal(directory.path(), &edited);
        journal.know(&recalled);
        after.measure(journal, &accepted, advice).map_err(|problem| format!("{edit:?}: {problem}"))
    });
    assert!(
        exact.get() > 300 && tried.get() > exact.get(),
        "{} exact, {} accepted",
        exact.get(),
        tried.get()
    );
}

/// How many findings of a property a run of the design before can have kept that mean something after the edit: all it decides, which is all for most systems.
fn decided(case: &Case<'_>, property: PropertyId, edited: &System) -> usize {
    let outcome = run(case.system, &case.targets, &case.mutants, &[], &Options::default(), &Silent);
    let name = |finding: &Finding| case.system.element(finding.mutant.element).name.clone();
    let is_there = |finding: &Finding| {
        let name = name(finding);
        let element = edited.element_ids().find(|id| edited.element(*id).name == name);
        element
            .is_some_and(|element| edited.mutants_of(element).contains(&Mutant { element, ..finding.mutant }))
    };
    let findings = outcome.findings.iter().filter(|finding| finding.property == property);
    findings.filter(|finding| !matches!(finding.status, Status::Unknown(_)) && is_there(finding)).count()
}

#[test]
fn old_invariants_become_new_ones() {
    let renewed = Cell::new(0);
    for_random_systems(150, 52_000, |seed, system| {
        let random = &mut Random::new(seed);
        let Some(case) = Case::new(system) else { return Ok(()) };
        let Some((edited, DesignEdit::Definition(_) | DesignEdit::Constraint)) = edit_design(random, system)
        else {
            return Ok(());
        };
        let directory = scratch();
        let mut journal = journal(directory.path(), system);
        for target in &case.targets {
            journal.add_proved(target.property, target.ground.proof().expect("proved"), "", 0.0);
        }
        drop(journal);
        let recalled = recall(directory.path(), &edited, true);
        let holding = holding_properties(&edited).map_err(|error| error.to_string())?;
        for proved in recalled.proved.iter().filter(|proved| !proved.is_exact) {
            let holds = holding.contains(&proved.property);
            let budget = Budget::default();
            let standing = recheck_proof(&edited, proved.property, &proved.proof, &budget, PATIENCE);
            if standing == Standing::Accepted && !holds {
                return Err(format!("{:?} does not hold", proved.property));
            }
            let advice = Advice { proofs: recalled.proofs.clone(), ..Advice::default() };
            let mut stats = Stats::default();
            let proof = renew(&edited, proved.property, &advice, &Limits::default(), seed, &mut stats);
            if proof.is_some() && !holds {
                return Err(format!("{:?} does not hold, and was proved", proved.property));
            }
            renewed.set(renewed.get() + usize::from(proof.is_some()));
        }
        Ok(())
    });
    assert!(renewed.get() > 5, "{}", renewed.get());
}

#[test]
fn what_there_is_no_time_for_is_postponed_and_never_refused() {
    for seed in 0..30 {
        let system = random_system(54_000 + seed);
        let Some(case) = Case::new(&system) else { continue };
        let directory = scratch();
        assert_eq!(case.measure(journal(directory.path(), &system), &[], Advice::default()), Ok(()));
        let recalled = recall(directory.path(), &system, false);
        let over = Budget { deadline: Some(std::time::Instant::now()), ..Budget::default() };
        for target in &case.targets {
            let claims =
                recalled.findings.iter().filter(|claimed| claimed.finding.property == target.property);
            let claims: Vec<&Finding> = claims.map(|claimed| &claimed.finding).collect();
            let (system, property) = (case.system, target.property);
            let standings = |limits: &Budget, allowance: Duration| {
                Recheck { system, property, limits, allowance }.each(&claims)
            };
            assert!(standings(&over, PATIENCE).iter().all(|standing| *standing == Standing::Postponed));
            // Without patience for proofs, runs are replayed all the same.
            for (claim, standing) in claims.iter().zip(standings(&Budget::default(), Duration::ZERO)) {
                let is_kill = matches!(claim.status, Status::Covered(_));
                assert_eq!(standing, if is_kill { Standing::Accepted } else { Standing::Postponed });
            }
            let standing =
                recheck_proof(system, property, target.ground.proof().expect("proved"), &over, PATIENCE);
            assert_eq!(standing, Standing::Postponed);
        }
    }
}

/// A number somewhere in a record.
fn numbers(json: &mut serde_json::Value) -> Vec<&mut serde_json::Value> {
    match json {
        serde_json::Value::Number(_) => vec![json],
        serde_json::Value::Array(items) => items.iter_mut().flat_map(numbers).collect(),
        serde_json::Value::Object(fields) => fields.values_mut().flat_map(numbers).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn whatever_a_file_says_only_what_is_true_is_accepted() {
    let mut refused = 0;
    for seed in 0..40 {
        let system = random_system(53_000 + seed);
        let Some(case) = Case::new(&system) else { continue };
        let directory = scratch();
        let random = &mut Random::new(seed);
        assert_eq!(case.measure(journal(directory.path(), &system), &[], Advice::default()), Ok(()));
        for file in files(directory.path()) {
            if file.extension().is_none_or(|ending| ending != "jsonl") {
                continue;
            }
            let text = std::fs::read_to_string(&file).expect("text");
            let forged: String = text.lines().map(|line| forged(random, line)).collect();
            std::fs::write(&file, forged).expect("written");
        }
        let recalled = recall(directory.path(), &system, true);
        let (accepted, rejected) = case.accepted(&recalled);
        refused += rejected.len();
        if let Err(problem) = case.agrees(&accepted) {
            panic!("seed {seed}: {problem}");
        }
        for proved in &recalled.proved {
            let standing =
                recheck_proof(&system, proved.property, &proved.proof, &Budget::default(), PATIENCE);
            let holds = case.holding.contains(&proved.property);
            assert!(standing != Standing::Accepted || holds, "seed {seed}");
        }
    }
    assert!(refused > 20, "only {refused} claims were forged well enough to be looked at");
}

/// The line with a few numbers changed and names exchanged, and a check that fits.
fn forged(random: &mut Random, line: &str) -> String {
    let json: serde_json::Value = serde_json::from_str(line).expect("JSON");
    let object = json.as_object().expect("an object");
    let (kind, record) = object.iter().find(|(key, _)| *key != "check").expect("a kind");
    if kind == "segment" || random.percent(40) {
        return format!("{line}\n");
    }
    let mut record = record.clone();
    for number in numbers(&mut record) {
        if random.percent(10) {
            let value = number.as_i64().unwrap_or_default();
            *number = (value + random.below(4) as i64 - 1).into();
        }
    }
    // Zero becomes one, and so on: the evidence is that of another mutant.
    let mut text = record.to_string();
    if random.percent(50) {
        text = text.replace("\"zero ", "\"ONE ").replace("\"one ", "\"zero ").replace("\"ONE ", "\"one ");
    }
    let record: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mut record = record.as_object().expect("an object").clone();
    let first = if record.contains_key("id") { "id" } else { "meaning" };
    let name = record.remove(first).expect("a name");
    let rest = serde_json::Value::Object(record).to_string();
    let content = format!("\"{kind}\":{{\"{first}\":{name},{}}}", &rest[1..]);
    let mut digester = propcov_ir::Digester::new("propcov-run/1");
    digester.bytes(content.as_bytes());
    format!("{{\"check\":\"{}\",{content}\n", &digester.finish().to_string()[..16])
}
