use crate::{ConstraintKind, Digest, Meanings, PropertyId, PropertyKind, Site, Sort, System, shapes};

/// Two registers that feed each other under an input, an unrelated one, and a property of the first.
struct Example {
    /// In which order things are defined.
    reversed: bool,
    /// What the second register's next value is made with.
    with_or: bool,
    unrelated: Option<u64>,
    constrained: Option<&'static str>,
    renamed: bool,
}

const PLAIN: Example =
    Example { reversed: false, with_or: false, unrelated: None, constrained: None, renamed: false };

impl Example {
    fn system(&self) -> System {
        let mut system = System::new();
        let mut names = ["a", if self.renamed { "c" } else { "b" }];
        if self.reversed {
            names.reverse();
        }
        let go = system.add_input("go", Sort::BOOL);
        let states: Vec<_> = names.iter().map(|name| system.add_state(*name, Sort::BOOL)).collect();
        let (a, b) = if self.reversed { (states[1], states[0]) } else { (states[0], states[1]) };
        let [a_read, b_read, go] = [a, b, go].map(|signal| system.read(signal));
        let no = system.exprs.bool(false);
        let next_b = if self.with_or { system.exprs.or(a_read, go) } else { system.exprs.and(a_read, go) };
        system.set_init(a, no);
        system.set_next(a, b_read);
        system.set_next(b, next_b);
        if let Some(value) = self.unrelated {
            let other = system.add_state("other", Sort::BitVec(8));
            let value = system.exprs.bits(8, value);
            system.set_next(other, value);
        }
        if let Some(name) = self.constrained {
            let free = system.add_input("free", Sort::BOOL);
            let free = system.read(free);
            system.add_constraint(name, ConstraintKind::Always, free);
        }
        let good = system.exprs.not(a_read);
        system.add_property(if self.reversed { "q" } else { "p" }, PropertyKind::Invariant(good), None);
        system
    }

    fn meaning(&self) -> Digest {
        Meanings::new(&self.system()).property(PropertyId(0))
    }
}

#[test]
fn order_names_of_properties_and_what_is_outside_the_cone_do_not_matter() {
    let meaning = PLAIN.meaning();
    assert_eq!(meaning, Example { reversed: true, ..PLAIN }.meaning());
    assert_eq!(meaning, Example { unrelated: Some(3), ..PLAIN }.meaning());
    let constrained = Example { constrained: Some("x"), ..PLAIN }.meaning();
    assert_eq!(constrained, Example { constrained: Some("y"), ..PLAIN }.meaning());
}

#[test]
fn definitions_in_the_cone_their_names_and_all_constraints_do() {
    let meaning = PLAIN.meaning();
    assert_ne!(meaning, Example { with_or: true, ..PLAIN }.meaning());
    assert_ne!(meaning, Example { renamed: true, ..PLAIN }.meaning());
    // It shares no signal with the property, but might rule out its violations.
    assert_ne!(meaning, Example { constrained: Some("x"), ..PLAIN }.meaning());
}

#[test]
fn the_whole_system_is_all_of_it_and_a_site_is_its_name() {
    let whole = |example: &Example| Meanings::new(&example.system()).whole();
    let unrelated = |value: u64| Example { unrelated: Some(value), ..PLAIN };
    assert_eq!(whole(&PLAIN), whole(&Example { reversed: true, ..PLAIN }));
    assert_ne!(whole(&unrelated(3)), whole(&unrelated(4)));
    let site = |example: &Example, state: usize, site: fn(crate::SignalId) -> Site| {
        let system = example.system();
        Meanings::new(&system).site(&system, site(system.states()[state]))
    };
    assert_eq!(site(&PLAIN, 1, Site::Next), site(&Example { with_or: true, ..PLAIN }, 1, Site::Next));
    assert_ne!(site(&PLAIN, 1, Site::Next), site(&PLAIN, 1, Site::Init));
    assert_ne!(site(&PLAIN, 1, Site::Next), site(&PLAIN, 0, Site::Next));
}

#[test]
fn a_name_is_the_same_in_every_version_of_propcov() {
    // Written to files: if this has to change, so has the format of the run directory.
    assert_eq!(PLAIN.meaning().to_string(), "d3e6700c93ecb22a27e7b07803613d6a");
    let system = PLAIN.system();
    let shapes = shapes(&system, &system.exprs);
    assert_eq!(shapes.len(), system.exprs.len());
    assert_eq!(Digest::of_all("shapes", shapes).to_string(), "9851ac3cac54efe4be2cd2116f0d5619");
}

#[test]
fn cones_are_what_meanings_are_made_of() {
    let system = Example { unrelated: Some(1), constrained: Some("x"), ..PLAIN }.system();
    let cone = system.cone_of(PropertyId(0));
    let named: Vec<&str> = system
        .signals()
        .iter()
        .zip(cone)
        .filter(|(_, inside)| *inside)
        .map(|(signal, _)| &*signal.name)
        .collect();
    assert_eq!(named, ["go", "a", "b", "free"]);
}

#[test]
fn depth_is_no_limit() {
    let mut system = System::new();
    let state = system.add_state("s", Sort::BOOL);
    let read = system.read(state);
    let mut deep = read;
    for position in 0..200_000 {
        let input = if position % 1000 == 0 { system.add_wire(format!("w{position}"), deep) } else { state };
        let input = system.read(input);
        let inverted = system.exprs.not(deep);
        deep = system.exprs.or(inverted, input);
    }
    system.set_next(state, deep);
    system.add_property("p", PropertyKind::Invariant(deep), None);
    let once = Meanings::new(&system).property(PropertyId(0));
    assert_eq!(once, Meanings::new(&system).property(PropertyId(0)));
}
