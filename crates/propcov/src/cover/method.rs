//! Which algorithm decides mutants: `--tests`.

use crate::Error;
use propcov_coverage::mutation::{Method, Technique};

/// All tests of the paper.
pub const ALGORITHM_1: &str = "algorithm1";
/// All techniques of ours.
pub const PIPELINE: &str = "pipeline";

/// The algorithm with these tests. They work in their own order, whatever the order in which they are named.
pub fn method(tests: &[String]) -> Result<Method, Error> {
    let names: Vec<&str> = tests.iter().map(|name| name.trim()).collect();
    match names.as_slice() {
        [] | [PIPELINE] => return Ok(Method::default()),
        [ALGORITHM_1] => return Ok(Method::Algorithm1(Technique::ALGORITHM_1.to_vec())),
        _ => {}
    }
    let chosen = |group: &[Technique]| -> Option<Vec<Technique>> {
        let known = |name: &&str| group.iter().any(|technique| technique.name() == *name);
        let wanted = |technique: &Technique| names.contains(&technique.name());
        names.iter().all(known).then(|| group.iter().copied().filter(wanted).collect())
    };
    // What belongs to both groups is taken for ours.
    if let Some(techniques) = chosen(&Technique::PIPELINE) {
        return Ok(Method::Pipeline(techniques));
    }
    if let Some(techniques) = chosen(&Technique::ALGORITHM_1) {
        return Ok(Method::Algorithm1(techniques));
    }
    Err(Error::Usage(mixed(&names)))
}

fn mixed(names: &[&str]) -> String {
    let list = |group: &[Technique]| group.iter().map(|test| test.name()).collect::<Vec<_>>().join(", ");
    let both = || Technique::PIPELINE.into_iter().chain(Technique::ALGORITHM_1);
    let unknown = names.iter().find(|name| both().all(|test| test.name() != **name));
    let problem = match unknown {
        Some(name) if [PIPELINE, ALGORITHM_1].contains(name) => format!("`{name}` goes with no other test"),
        Some(name) => format!("there is no test `{name}`"),
        None => "tests of two algorithms cannot be mixed".to_owned(),
    };
    format!(
        "{problem}\n  choose from {PIPELINE}: {}\n  or from {ALGORITHM_1}: {}",
        list(&Technique::PIPELINE),
        list(&Technique::ALGORITHM_1)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(tests: &[&str]) -> Result<Method, String> {
        let tests: Vec<String> = tests.iter().map(|name| (*name).to_owned()).collect();
        method(&tests).map_err(|error| error.to_string())
    }

    #[test]
    fn a_list_of_tests_is_recognised_by_what_is_in_it() {
        use Technique::{Cone, Core, Ic3, Induction, Interpolation};
        assert_eq!(chosen(&[]), Ok(Method::default()));
        assert_eq!(chosen(&["core"]), Ok(Method::Pipeline(vec![Core])));
        assert_eq!(chosen(&["ic3", "cone"]), Ok(Method::Pipeline(vec![Cone, Ic3])));
        assert_eq!(
            chosen(&["interpolation", "core", "induction"]),
            Ok(Method::Algorithm1(vec![Core, Induction, Interpolation]))
        );
        let all = Method::Algorithm1(Technique::ALGORITHM_1.to_vec());
        assert_eq!(chosen(&["algorithm1"]), Ok(all));
    }

    #[test]
    fn a_mixture_is_an_error_that_lists_both_groups() {
        for tests in [["cone", "induction"], ["algorithm1", "core"], ["core", "magic"]] {
            let message = chosen(&tests).expect_err("a mixture");
            for technique in Technique::PIPELINE.into_iter().chain(Technique::ALGORITHM_1) {
                assert!(message.contains(technique.name()), "{message}");
            }
        }
        assert!(chosen(&["core", "magic"]).is_err_and(|message| message.contains("`magic`")));
    }

    #[test]
    fn every_technique_can_be_chosen_alone() {
        for technique in Technique::PIPELINE {
            assert_eq!(chosen(&[technique.name()]), Ok(Method::Pipeline(vec![technique])));
        }
        for technique in Technique::ALGORITHM_1.into_iter().filter(|test| *test != Technique::Core) {
            assert_eq!(chosen(&[technique.name()]), Ok(Method::Algorithm1(vec![technique])));
        }
    }
}
