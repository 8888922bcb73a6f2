//! The search for all minimal cores, divided between several who only know a common start: what they have found together is everything, and whoever unites it need not ask anything.

use super::fail;
use super::function::{Function, Habits, Machine};
use super::statements::{Heard, check, check_exact};
use propcov_coverage::cores::{Found, Goal, Judge, Judgement, Region, Start, Task, search};
use propcov_ir::ElementSet;
use propcov_testkit::{Random, seeds};

/// A judge whose answers are kept, as a run directory keeps them.
struct Keeping<'a> {
    machine: Machine<'a>,
    evidence: &'a mut Start,
}

impl Judge for Keeping<'_> {
    fn judge(&mut self, kept: &ElementSet) -> Judgement {
        let judgement = self.machine.judge(kept);
        match &judgement {
            Judgement::Adequate(core) => self.evidence.adequate.push(core.clone()),
            Judgement::Inadequate(grown) => self.evidence.inadequate.push(grown.clone()),
            Judgement::Unknown(_) => {}
        }
        judgement
    }

    fn width(&self) -> usize {
        self.machine.width()
    }

    fn is_over(&self) -> bool {
        self.machine.is_over()
    }
}

/// Must not be asked.
struct Nobody;

impl Judge for Nobody {
    fn judge(&mut self, kept: &ElementSet) -> Judgement {
        panic!("{kept:?} was asked about")
    }
}

/// Who has which element, in a random order.
fn owners(function: &Function, shares: usize, random: &mut Random) -> Vec<(propcov_ir::ElementId, usize)> {
    let mut order: Vec<_> = function.universe().iter().collect();
    for at in (1..order.len()).rev() {
        order.swap(at, random.between(0, at));
    }
    order.into_iter().map(|element| (element, random.between(0, shares - 1))).collect()
}

fn within(function: &Function, judge: &mut dyn Judge, start: &Start) -> Result<(Found, Heard), String> {
    let mut heard = Heard::default();
    let found = search(judge, &function.universe(), Goal::All, None, start, &mut heard);
    check(function, &found, &heard)?;
    Ok((found, heard))
}

#[test]
fn what_several_find_among_their_own_sets_is_everything() {
    let (mut questions, mut alone, mut divided) = (0, 0, 0);
    for seed in seeds(3000, 930_000) {
        let mut random = Random::new(seed);
        let function = Function::random(&mut random);
        let habits = Habits::random(&mut random);
        if !function.is_adequate(function.everything()) {
            continue;
        }
        let shares = random.between(1, 5);
        let owners = owners(&function, shares, &mut random);
        // A core that all know; it need not be minimal.
        let mut core = function.shrink(function.everything(), &mut random);
        if random.percent(30) {
            core |= random.next() as u32 & function.everything();
        }
        let common = Start { adequate: vec![function.set(core)], ..Start::default() };
        let mut united = common.clone();
        let mut outcome = Ok(());
        for share in 0..shares {
            let region: Region = owners.iter().map(|(element, owner)| (*element, *owner == share)).collect();
            let start = Start { task: Task::Region(region), ..common.clone() };
            let mut judge = Keeping { machine: Machine::new(&function, habits), evidence: &mut united };
            let found = within(&function, &mut judge, &start);
            questions += judge.machine.asked.len();
            outcome = outcome.and_then(|()| match found {
                Ok((found, _)) if found.stopped => Err("a share was stopped".to_owned()),
                Ok((found, heard)) if shares == 1 => {
                    check_exact(&function, (Goal::All, None), &found, &heard)
                }
                Ok(_) => Ok(()),
                Err(problem) => Err(problem),
            });
        }
        united.task = Task::Nothing;
        let outcome = outcome
            .and_then(|()| within(&function, &mut Nobody, &united))
            .and_then(|(found, heard)| check_exact(&function, (Goal::All, None), &found, &heard));
        if let Err(problem) = outcome {
            fail(seed, &function, &format!("{shares} shares, {owners:?}, {habits:?}"), &problem);
        }
        let mut machine = Machine::new(&function, habits);
        search(&mut machine, &function.universe(), Goal::All, None, &common, &mut Heard::default());
        if shares > 1 {
            divided += 1;
        }
        alone += machine.asked.len();
    }
    // To divide costs something, but nobody does everything.
    assert!(
        divided > 100 && questions < 3 * alone,
        "{divided} divided, {questions} questions, {alone} by one"
    );
}

#[test]
fn without_a_share_nothing_is_said_that_is_not_known() {
    let mut open = 0;
    for seed in seeds(1000, 940_000) {
        let mut random = Random::new(seed);
        let function = Function::random(&mut random);
        let habits = Habits::random(&mut random);
        if !function.is_adequate(function.everything()) {
            continue;
        }
        let core = function.shrink(function.everything(), &mut random);
        let mut united = Start { adequate: vec![function.set(core)], ..Start::default() };
        let owners = owners(&function, 3, &mut random);
        let region: Region = owners.iter().map(|(element, owner)| (*element, *owner == 0)).collect();
        let start = Start { task: Task::Region(region), ..united.clone() };
        let mut judge = Keeping { machine: Machine::new(&function, habits), evidence: &mut united };
        let outcome = within(&function, &mut judge, &start);
        united.task = Task::Nothing;
        match outcome.and_then(|_| within(&function, &mut Nobody, &united)) {
            // Whether that is true has been checked.
            Ok((found, _)) => open += usize::from(!found.complete && found.stopped),
            Err(problem) => fail(seed, &function, &format!("{owners:?}, {habits:?}"), &problem),
        }
    }
    assert!(open > 50, "{open} are open: the functions say too little");
}
