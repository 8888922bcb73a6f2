//! What the user names: expressions in the language of the design, to be observed or not to be cared for.

use crate::Error;
use propcov_coverage::ctl::{Named, Observed, Refusal, Subjects, Unobservable};
use propcov_frontend::Extra;
use propcov_ir::{ExprId, PropertyId, System};

/// Expressions as they were written.
pub(super) struct Given {
    observed: Vec<Extra>,
    dont_care: Vec<Extra>,
    waived: Vec<Extra>,
}

impl Given {
    pub(super) fn new(observe: &[String], dont_care: &[String], waived: &[String]) -> Given {
        let extras = |origin: &str, texts: &[String]| {
            texts.iter().map(|text| Extra { origin: origin.to_owned(), text: text.clone() }).collect()
        };
        Given {
            observed: extras("--observe", observe),
            dont_care: extras("--dont-care", dont_care),
            waived: extras("waiver", waived),
        }
    }

    /// All of them, to be read with the design.
    pub(super) fn extras(&self) -> Vec<Extra> {
        self.observed.iter().chain(&self.dont_care).chain(&self.waived).cloned().collect()
    }

    /// What they are about, if that can be measured. Their values are those that the design was read with.
    pub(super) fn subjects(
        &self,
        system: &mut System,
        properties: &[PropertyId],
        values: &[ExprId],
    ) -> Result<Subjects, Error> {
        let (observed, conditions) = values.split_at(self.observed.len().min(values.len()));
        let (dont_care, waived) = conditions.split_at(self.dont_care.len().min(conditions.len()));
        let named = |(extra, expr): (&Extra, &ExprId)| Observed { name: extra.text.clone(), expr: *expr };
        let observed: Vec<Observed> = self.observed.iter().zip(observed).map(named).collect();
        let named = Named { observed: &observed, dont_care, waived };
        Subjects::new(system, properties, named).map_err(|refusal| self.error(refusal))
    }

    fn error(&self, refusal: Refusal) -> Error {
        let about = |extra: Option<&Extra>, why: String| match extra {
            Some(extra) => Error::from(extra.error(why)),
            None => Error::Usage(why),
        };
        match refusal {
            Refusal::Observed(at, why) => about(self.observed.get(at), why),
            Refusal::DontCare(at, why) => about(self.dont_care.get(at), why),
            Refusal::Waived(at, why) => about(self.waived.get(at), why),
            Refusal::NothingMentioned => Error::Usage(
                "the properties mention no state variable and no definition by name; say with --observe what to look at"
                    .to_owned(),
            ),
        }
    }

    /// What to say about a subject that cannot be observed for its type.
    pub(super) fn unobservable(&self, subjects: &Subjects, at: usize, why: &Unobservable) -> Error {
        let name = subjects.observed.get(at).map(|observed| observed.name.as_str());
        match self.observed.iter().find(|extra| Some(extra.text.as_str()) == name) {
            Some(extra) => extra.error(why.to_string()).into(),
            None => Error::Usage(why.to_string()),
        }
    }
}
