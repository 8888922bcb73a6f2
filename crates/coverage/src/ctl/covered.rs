//! Sets of covered states or transitions, and their unions.
//!
//! Where every other value of a signal has to be noticed, two properties may do together what neither does alone. So a union is one of mutants, which
//! are states together with other values, before the values are forgotten.

use propcov_bdd::{Bdd, Cube, Stop};
use propcov_ir::SignalId;

/// States or transitions that a property covers, or several do.
#[derive(Clone)]
pub struct Covered {
    pub(super) sure: Bdd,
    pub(super) possible: Bdd,
    /// The mutants behind it, of each signal of which all other values count.
    mutants: Vec<Mutants>,
}

/// Mutants of a signal with several other values.
#[derive(Clone)]
struct Mutants {
    values: Values,
    sure: Bdd,
    possible: Bdd,
}

/// The other values of an observed signal.
#[derive(Clone)]
pub(super) struct Values {
    /// The input that stands for them.
    pub(super) parameter: SignalId,
    /// Its variables.
    pub(super) variables: Cube,
    /// All of what can be covered, with each other value there, if each one counts. Otherwise any of them will do.
    pub(super) all: Option<Bdd>,
}

impl Values {
    /// What is covered if these mutants are noticed.
    fn covered(&self, mutants: &Bdd) -> Result<Bdd, Stop> {
        let some = mutants.exists(&self.variables)?;
        match &self.all {
            None => Ok(some),
            Some(all) => some.minus(&all.minus(mutants)?.exists(&self.variables)?),
        }
    }
}

impl Covered {
    /// What is covered if some mutants are noticed certainly, and others perhaps. Without values, mutants are states.
    pub(super) fn new(sure: Bdd, possible: Bdd, values: Option<&Values>) -> Result<Covered, Stop> {
        let Some(values) = values else { return Ok(Covered { sure, possible, mutants: Vec::new() }) };
        Ok(Covered {
            sure: values.covered(&sure)?,
            possible: values.covered(&possible)?,
            mutants: match values.all {
                None => Vec::new(),
                Some(_) => vec![Mutants { values: values.clone(), sure, possible }],
            },
        })
    }

    /// The states, or transitions, that are certainly covered.
    pub fn sure(&self) -> &Bdd {
        &self.sure
    }

    /// Those that are covered, or perhaps are.
    pub fn possible(&self) -> &Bdd {
        &self.possible
    }

    pub(super) fn nothing(nothing: &Bdd) -> Covered {
        Covered { sure: nothing.clone(), possible: nothing.clone(), mutants: Vec::new() }
    }

    /// What both cover together.
    pub(super) fn or(&self, other: &Covered) -> Result<Covered, Stop> {
        let mut union = Covered {
            sure: self.sure.or(&other.sure)?,
            possible: self.possible.or(&other.possible)?,
            mutants: self.mutants.clone(),
        };
        for mutants in &other.mutants {
            let same = |own: &&mut Mutants| own.values.parameter == mutants.values.parameter;
            match union.mutants.iter_mut().find(same) {
                None => union.mutants.push(mutants.clone()),
                Some(own) => {
                    own.sure = own.sure.or(&mutants.sure)?;
                    own.possible = own.possible.or(&mutants.possible)?;
                    union.sure = union.sure.or(&own.values.covered(&own.sure)?)?;
                    union.possible = union.possible.or(&own.values.covered(&own.possible)?)?;
                }
            }
        }
        Ok(union)
    }

    /// Whether all is certain.
    fn is_exact(&self) -> bool {
        self.sure == self.possible
    }

    /// Whether this one certainly adds nothing to another one.
    pub(super) fn adds_nothing_to(&self, other: &Covered) -> Result<bool, Stop> {
        let together = self.or(other)?;
        if together.is_exact() && other.is_exact() {
            return Ok(together.sure == other.sure);
        }
        match (&self.mutants[..], &other.mutants[..]) {
            ([], _) => self.possible.leq(&other.sure),
            ([own], [others]) => own.possible.leq(&others.sure),
            _ => Ok(false),
        }
    }

    /// Certainly noticed, with other values if they all count, where that matters for what is covered. Of several signals, only states.
    pub(super) fn noticed(&self, within: &Bdd) -> Result<Bdd, Stop> {
        match &self.mutants[..] {
            [mutants] => mutants.sure.and(within),
            _ => self.sure.and(within),
        }
    }
}
