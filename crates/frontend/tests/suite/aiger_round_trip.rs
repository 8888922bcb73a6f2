//! Parsing what was printed gives the model again.

use crate::common::{Random, benchmarks};
use propcov_frontend::aiger::{
    And, Latch, Literal, Model, Reset, Symbol, SymbolKind, parse, print_ascii, print_binary,
};

/// A random model whose variables are numbered at random, with some that nothing defines.
pub(crate) fn random_model(random: &mut Random) -> Model {
    let (inputs, latches, ands) = (random.below(4), random.below(4), random.below(8));
    let mut variables: Vec<u32> = (1..=(inputs + latches + ands + random.below(3)) as u32).collect();
    let max_variable = variables.len() as u32;
    if random.flip() {
        for k in (1..variables.len()).rev() {
            variables.swap(k, random.below(k + 1));
        }
    }
    let defined = &variables[..inputs + latches + ands];
    let literal = |random: &mut Random, among: &[u32]| {
        let k = random.below(among.len() + 1);
        let variable = if k == 0 { 0 } else { among[k - 1] };
        Literal(variable << 1 | random.below(2) as u32)
    };
    let literals = |random: &mut Random, most: usize| {
        (0..random.below(most + 1)).map(|_| literal(random, defined)).collect::<Vec<_>>()
    };
    let mut model = Model {
        max_variable,
        inputs: defined[..inputs].iter().map(|variable| Literal::positive(*variable)).collect(),
        latches: (defined[inputs..inputs + latches].iter())
            .map(|variable| Latch {
                current: Literal::positive(*variable),
                next: literal(random, defined),
                reset: [Reset::Zero, Reset::One, Reset::Open][random.below(3)],
            })
            .collect(),
        outputs: literals(random, 3),
        bads: literals(random, 2),
        constraints: literals(random, 2),
        justice: (0..random.below(3)).map(|_| literals(random, 3)).collect(),
        fairness: literals(random, 2),
        ands: (inputs + latches..defined.len())
            .map(|k| And {
                output: Literal::positive(defined[k]),
                left: literal(random, &defined[..k]),
                right: literal(random, &defined[..k]),
            })
            .collect(),
        symbols: Vec::new(),
        comment: random.flip().then(|| b"any bytes \xff\nc\n".to_vec()),
    };
    // Text files may have gates in any order.
    if random.flip() {
        model.ands.reverse();
    }
    for kind in SymbolKind::ALL {
        for position in 0..model.count(kind) as u32 {
            if random.flip() {
                let name = ["x", "a b  c", "größe", "", "c"][random.below(5)].to_owned();
                model.symbols.push(Symbol { kind, position, name });
            }
        }
    }
    model
}

#[test]
fn parsing_a_printed_random_model_gives_the_model() {
    for seed in 0..3000 {
        let model = random_model(&mut Random(seed));
        let text = print_ascii(&model);
        let parsed = parse("random.aag", &text)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", String::from_utf8_lossy(&text)));
        assert_eq!(parsed.model, model, "seed {seed}");
        let model = model.consecutive();
        assert!(model.is_consecutive(), "seed {seed}: {model:?}");
        let bytes = print_binary(&model).unwrap();
        let parsed = parse("random.aig", &bytes).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(parsed.model, model, "seed {seed}");
        assert_eq!(parse("random.aag", &print_ascii(&model)).unwrap().model, model, "seed {seed}");
    }
}

#[test]
fn a_model_that_is_not_consecutive_has_no_binary_encoding() {
    let model = parse("test.aag", b"aag 2 1 0 0 0\n4\n").unwrap().model;
    assert!(print_binary(&model).is_err());
    assert_eq!(print_binary(&model.consecutive()).unwrap(), b"aig 1 1 0 0 0\n");
}

#[test]
fn printing_a_shared_benchmark_gives_its_bytes_and_its_text_the_same_model() {
    for (name, bytes) in benchmarks("aiger", "aig").unwrap_or_default() {
        let model = parse(&name, &bytes).unwrap().model;
        assert!(print_binary(&model).unwrap() == bytes, "{name}");
        assert!(parse(&name, &print_ascii(&model)).unwrap().model == model, "{name}");
    }
}
