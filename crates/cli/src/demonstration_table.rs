//! Runs that show why a CTL property fails or holds: a table of the main run, where it loops, and smaller tables of the runs that branch off.

use crate::runs::is_one_state;
use crate::table::Palette;
use crate::trace_table;
use propcov_ir::{Ctl, Demonstration, SignalId, System, Trace};

/// The most runs that are shown of those that branch off a run.
const BRANCHES: usize = 4;
/// The longest formula that is shown, in characters.
const FORMULA: usize = 160;
/// The same for what a run that branches off shows.
const BRANCH: usize = 80;

/// The tables, each line with the given start.
pub(crate) fn render(
    system: &System,
    shown: &Demonstration,
    first: &[SignalId],
    start: &str,
    palette: Palette,
) -> String {
    let steps = shown.steps.iter().take(shown.essential).cloned().collect();
    let mut text = trace_table::render(system, &Trace { steps }, first, start, palette);
    if let Some(ending) = ending(shown).filter(|_| !is_one_state(shown)) {
        text.push_str(&format!("{start}{ending}\n"));
    }
    let inner = format!("{start}  ");
    for (step, branch) in shown.branches.iter().take(BRANCHES) {
        let claim = shortened(&system.show_ctl(&branch.claim).to_string(), BRANCH);
        let part = if branch.claim.is_existential() { "" } else { " as far as a run can" };
        text.push_str(&format!("{start}from step {step}, a run that shows {claim}{part}:\n"));
        text.push_str(&render(system, branch, first, &inner, palette));
    }
    if shown.branches.len() > BRANCHES {
        let more = shown.branches.len() - BRANCHES;
        text.push_str(&format!("{start}… and {more} more that branch off\n"));
    }
    text
}

/// How the run goes on after what is shown of it, in words.
pub(crate) fn ending(shown: &Demonstration) -> Option<String> {
    let last = shown.essential.checked_sub(1)?;
    match shown.loop_to {
        _ if shown.essential < shown.steps.len() => {
            Some(format!("after step {last} the run goes on, fairly and for ever"))
        }
        Some(to) if to == last => Some(format!("loop: step {last} again and again")),
        Some(to) => Some(format!("loop: after step {last} back to step {to}")),
        None => None,
    }
}

/// A formula in one line.
pub(crate) fn formula(system: &System, formula: &Ctl) -> String {
    cut(&system.show_ctl(formula).to_string())
}

/// The beginning of a long text.
pub(crate) fn cut(text: &str) -> String {
    shortened(text, FORMULA)
}

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use propcov_ir::{Quantifier, Sort, Step, Value};

    /// Steps of one bit that is up in the steps listed.
    fn run(claim: Ctl, steps: usize, up: &[usize]) -> Demonstration {
        let step = |step: usize| Step { states: vec![Value::bool(up.contains(&step))], ..Step::default() };
        let steps: Vec<Step> = (0..steps).map(step).collect();
        Demonstration { claim, essential: steps.len(), steps, loop_to: None, branches: Vec::new() }
    }

    fn example() -> (System, Ctl) {
        let mut system = System::new();
        let state = system.add_state("up", Sort::BOOL);
        let (no, up) = (system.exprs.bool(false), system.read(state));
        let globally = Ctl::Release(Quantifier::Exists, Box::new(Ctl::Atom(no)), Box::new(Ctl::Atom(up)));
        (system, globally)
    }

    #[test]
    fn a_loop_is_said_in_words() {
        let (system, claim) = example();
        let mut shown = run(claim, 3, &[1]);
        let table = |shown: &Demonstration| render(&system, shown, &[], "  ", Palette { coloured: false });
        assert_eq!(table(&shown), "  step  0  1  2\n  up    0  1  0\n");
        shown.loop_to = Some(1);
        assert_eq!(table(&shown), "  step  0  1  2\n  up    0  1  0\n  loop: after step 2 back to step 1\n");
        shown.loop_to = Some(2);
        assert!(table(&shown).ends_with("  loop: step 2 again and again\n"));
    }

    #[test]
    fn steps_that_only_show_that_the_run_goes_on_are_left_out() {
        let (system, claim) = example();
        let mut shown = run(claim, 5, &[1]);
        (shown.loop_to, shown.essential) = (Some(3), 2);
        let expected = "step  0  1\nup    0  1\nafter step 1 the run goes on, fairly and for ever\n";
        assert_eq!(render(&system, &shown, &[], "", Palette { coloured: false }), expected);
    }

    #[test]
    fn runs_that_branch_off_have_tables_of_their_own_and_too_many_are_counted() {
        let (system, claim) = example();
        let mut shown = run(claim.clone(), 2, &[1]);
        for at in 0..6 {
            shown.branches.push((at, run(claim.clone(), 2, &[0])));
        }
        let text = render(&system, &shown, &[], "", Palette { coloured: false });
        assert!(
            text.contains("from step 3, a run that shows EG up:\n  step  0  1\n  up    1  0\n"),
            "{text}"
        );
        assert!(text.ends_with("… and 2 more that branch off\n"), "{text}");
    }
}
