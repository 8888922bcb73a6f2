//! Coverage by cones of influence: does a property depend on an element at all? It is read off the definitions, and the weakest thing that can be said:
//! what is outside of every cone is checked by nobody, what is inside may still be.

use crate::Error;
use crate::cover::Metric;
use crate::cover::run::Measure;
use crate::cover::scene::Scene;
use propcov_engine::Limits;
use propcov_ir::{ElementId, ElementSet, PropertyId, Role, Site, System};
use propcov_result::{Count, Finding, FindingVerdict, RunResult, Scope, Share, Subject, Tally, Verdict};
use propcov_verify::{Outcome, record};
use std::sync::Arc;

/// The elements in question.
pub(crate) struct Cone<'a, 's> {
    scene: &'a Scene<'a, 's>,
    metric: &'static Metric,
    elements: Vec<ElementId>,
}

/// Begins to measure.
pub(crate) fn begin<'a, 's>(
    scene: &'a Scene<'a, 's>,
    metric: &'static Metric,
) -> Result<Option<Box<dyn Measure + 'a>>, Error> {
    let elements = scene.elements()?;
    Ok(Some(Box::new(Cone { scene, metric, elements })))
}

impl Measure for Cone<'_, '_> {
    fn work(&mut self, _: &[Outcome], _: &Limits) {}

    fn finish(self: Box<Self>, result: &mut RunResult) {
        let system = self.scene.system;
        let is_proved = |name: &str| {
            result.properties.iter().any(|known| known.name == name && known.verdict == Verdict::Proved)
        };
        let proved = self.scene.properties.iter().copied();
        let proved: Vec<PropertyId> = proved.filter(|id| is_proved(&system.property(*id).name)).collect();
        let cones: Vec<ElementSet> = proved.iter().map(|property| cone(system, *property)).collect();
        let all: ElementSet = self.elements.iter().copied().collect();
        result.add_elements(record::elements(system, &all));
        if proved.is_empty() {
            return;
        }
        let (metric, edit): (Arc<str>, Arc<str>) = (self.metric.name.into(), "dropped".into());
        for element in &self.elements {
            let is_inside = cones.iter().any(|cone| cone.contains(*element));
            result.findings.push(Finding {
                metric: metric.clone(),
                subject: Subject::Element(element.0),
                edit: edit.clone(),
                property: None,
                verdict: verdict(is_inside),
                reason: None,
                bound: None,
                by: Some(metric.clone()),
                certified: true,
                evidence: None,
                witness: None,
                count: None,
                waiver: None,
            });
        }
        let is_checker = |element: ElementId| system.element(element).role == Role::Checker;
        let counted = |wants_checkers: bool, is_inside: &dyn Fn(ElementId) -> bool| {
            let mut tally = Tally::default();
            for element in self.elements.iter().filter(|element| is_checker(**element) == wants_checkers) {
                tally.add(verdict(is_inside(*element)), &Count::from(1_usize));
            }
            tally
        };
        let in_some = |element: ElementId| cones.iter().any(|cone| cone.contains(element));
        let mut add = |scope: Scope, tally: Tally| {
            result.shares.push(Share::new(self.metric.name, scope, tally, true));
        };
        add(Scope::All, counted(false, &in_some));
        for (property, cone) in proved.iter().zip(&cones) {
            let name = system.property(*property).name.clone();
            add(Scope::Property(name), counted(false, &|element| cone.contains(element)));
        }
        let checkers = counted(true, &in_some);
        if !checkers.total().is_zero() {
            add(Scope::Checker, checkers);
        }
    }
}

fn verdict(is_inside: bool) -> FindingVerdict {
    if is_inside { FindingVerdict::Covered } else { FindingVerdict::Uncovered }
}

/// The elements that a property depends on.
pub(crate) fn cone(system: &System, property: PropertyId) -> ElementSet {
    let signals = system.cone_of(property);
    let is_inside = |element: &ElementId| match system.element(*element).site {
        Site::Wire(signal) | Site::Next(signal) | Site::Init(signal) => signals[signal.0 as usize],
        Site::Constraint(_) => true,
    };
    system.element_ids().filter(is_inside).collect()
}

#[cfg(test)]
mod tests {
    use crate::{CoverOptions, ReadOptions, metric, read_bytes};
    use propcov_result::{FindingVerdict, Scope, Subject};

    #[test]
    fn what_no_property_depends_on_is_outside() {
        // `held` is behind the property, through `next`; `idle` is not.
        let text = b"1 sort bitvec 1\n2 zero 1\n3 state 1 seen\n4 init 1 3 2\n5 state 1 held\n6 init 1 5 2\n7 next 1 3 5\n\
            8 next 1 5 5\n9 state 1 idle\n10 next 1 9 9\n11 bad 3 never\n";
        let design = read_bytes("cone.btor2", &text[..], &ReadOptions::default()).expect("well-formed");
        let options =
            CoverOptions { metrics: metric("cone").into_iter().collect(), ..CoverOptions::default() };
        let result = design.cover(&options).expect("measured");
        let outside: Vec<&str> = result
            .findings
            .iter()
            .filter(|finding| finding.verdict == FindingVerdict::Uncovered)
            .filter_map(|finding| match finding.subject {
                Subject::Element(id) => result.element(id).map(|element| element.name.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(outside, ["idle"]);
        let share = result.share("cone", &Scope::All).expect("a share");
        assert_eq!(share.percent_text(), "66.67 %");
    }
}
