//! The executions that the thesis illustrates (§3.3.3).

use super::function::Function;
use propcov_coverage::cores::{Algorithm, Core, Goal, Judge, Judgement, Listener, Start, search};
use propcov_ir::ElementSet;

/// A judge with prescribed cores, that grows nothing.
struct Scripted<'a> {
    function: &'a Function,
    cores: &'a [(&'a str, &'a str)],
    asked: Vec<(String, bool)>,
}

/// A set as the thesis writes it: the first digit is the first element.
fn digits(function: &Function, set: &ElementSet) -> String {
    let mask = function.mask(set);
    (0..function.size).map(|bit| if mask >> bit & 1 == 1 { '1' } else { '0' }).collect()
}

fn bits(digits: &str) -> u32 {
    digits.chars().rev().fold(0, |mask, digit| 2 * mask + u32::from(digit == '1'))
}

impl Judge for Scripted<'_> {
    fn judge(&mut self, kept: &ElementSet) -> Judgement {
        let name = digits(self.function, kept);
        let adequate = self.function.is_adequate(self.function.mask(kept));
        self.asked.push((name.clone(), adequate));
        if !adequate {
            return Judgement::Inadequate(kept.clone());
        }
        let core = self.cores.iter().find(|(set, _)| *set == name).map_or(name.as_str(), |(_, core)| core);
        Judgement::Adequate(self.function.set(bits(core)))
    }
}

/// The cores in order.
#[derive(Default)]
struct InOrder(Vec<Core>);

impl Listener for InOrder {
    fn core(&mut self, core: &Core) {
        self.0.push(core.clone());
    }
}

#[test]
fn grow_shrink_executes_as_illustrated() {
    let function = Function::new(5, &["00011", "01001", "11010"].map(bits));
    let cores = [("11111", "01101"), ("10111", "00011"), ("11110", "11110")];
    let mut judge = Scripted { function: &function, cores: &cores, asked: Vec::new() };
    let mut heard = InOrder::default();
    let algorithm = Some(Algorithm::GrowShrink);
    let found = search(&mut judge, &function.universe(), Goal::All, algorithm, &Start::default(), &mut heard);
    assert!(found.complete);
    let order: Vec<String> = heard.0.iter().map(|core| digits(&function, &core.elements)).collect();
    assert_eq!(order, ["01001", "00011", "11010"]);
    let asked: Vec<(&str, bool)> = judge.asked.iter().map(|(set, adequate)| (&set[..], *adequate)).collect();
    // The first iteration: shrinking 01101, growing 00101, growing 01000.
    let first = [
        ("11111", true),
        ("00101", false),
        ("01001", true),
        ("01000", false),
        ("10111", true),
        ("10101", false),
        ("11110", true),
        ("01110", false),
    ];
    assert_eq!(asked[..first.len()], first);
    // 00011 is minimal without a check. Then 11110 is shrunk.
    assert_eq!(asked[first.len()..][..3], [("10110", false), ("11010", true), ("11000", false)]);
}

/// The altitude switch: a1_below, a2_below, a1_above, a2_above, below, above_hyst, doi_on, d1, d2.
#[test]
fn marco_explores_the_altitude_switch_in_five_iterations() {
    let function = Function::new(9, &["100010100", "010010100"].map(bits));
    let cores = [("111111111", "100010100"), ("011111111", "010010100")];
    let mut judge = Scripted { function: &function, cores: &cores, asked: Vec::new() };
    let algorithm = Some(Algorithm::Marco);
    let found = search(&mut judge, &function.universe(), Goal::All, algorithm, &Start::default(), &mut ());
    assert!(found.complete && found.cores.len() == 2);
    assert_eq!(found.must.map(|must| digits(&function, &must.sure)).as_deref(), Some("000010100"));
    assert_eq!(found.may.map(|may| digits(&function, &may.sure)).as_deref(), Some("110010100"));
    // The universe, without below, without doi_on, without a1_below, and without both of the altimeters.
    let mut asked: Vec<&str> = judge.asked.iter().map(|(set, _)| &set[..]).collect();
    assert_eq!(asked.remove(0), "111111111");
    asked.sort_unstable();
    assert_eq!(asked, ["001111111", "011111111", "111101111", "111111011"]);
}
