//! What the random cases for validity cores are like: that they are not all alike is what makes tests with them worth something.

use propcov_testkit::{Scope, ValidityCase, for_random_arith_validity, for_random_validity};
use std::cell::RefCell;

/// How often each number occurs.
#[derive(Debug, Default)]
struct Mix {
    cases: usize,
    universes: [usize; 8],
    /// By number of minimal cores.
    counts: [usize; 12],
    /// By size of a minimal core.
    sizes: [usize; 8],
    /// Cases whose must set is neither empty nor all of the may set.
    some_must: usize,
    /// Cases in which a bounded core is not adequate for ever.
    bounded_differs: usize,
    /// Cases whose cores in step 2 alone are not those up to step 2.
    alone_differs: usize,
}

impl Mix {
    fn add(&mut self, case: &ValidityCase<'_>) {
        let cores = case.truth.cores(Scope::Always);
        self.cases += 1;
        self.universes[case.universe.len()] += 1;
        self.counts[cores.len().min(11)] += 1;
        cores.iter().for_each(|core| self.sizes[core.len()] += 1);
        let (must, may) = (case.truth.must(Scope::Always), case.truth.may(Scope::Always));
        self.some_must += usize::from(!must.is_empty() && must != may);
        self.bounded_differs += usize::from(case.truth.cores(Scope::UpTo(2)) != cores);
        self.alone_differs += usize::from(case.truth.cores(Scope::UpTo(2)) != case.truth.cores(Scope::At(2)));
    }

    fn check(&self, cases: usize) {
        let several: usize = self.counts[2..].iter().sum();
        assert!(self.cases * 100 >= cases * 95, "cases are left out: {self:?}");
        assert!(several * 100 >= self.cases * 30, "few have several cores: {self:?}");
        assert!(self.sizes[1..5].iter().all(|count| *count * 50 >= self.cases), "sizes: {self:?}");
        assert!(self.sizes[0] > 0 && self.sizes[5..].iter().sum::<usize>() > 0, "sizes: {self:?}");
        assert!(self.universes[2..].iter().all(|count| *count > 0), "universes: {self:?}");
        assert!(self.some_must * 20 >= self.cases, "{self:?}");
        assert!(self.bounded_differs > 0, "{self:?}");
        assert!(self.alone_differs * 20 >= self.cases, "{self:?}");
    }
}

#[test]
fn random_finite_systems_have_cores_of_all_kinds() {
    let mix = RefCell::new(Mix::default());
    for_random_validity(200, 5_000, |case| {
        mix.borrow_mut().add(case);
        Ok(())
    });
    mix.borrow().check(200);
}

#[test]
fn random_systems_with_ints_have_cores_of_all_kinds() {
    let mix = RefCell::new(Mix::default());
    for_random_arith_validity(80, 5_000, |case| {
        mix.borrow_mut().add(case);
        Ok(())
    });
    mix.borrow().check(80);
}
