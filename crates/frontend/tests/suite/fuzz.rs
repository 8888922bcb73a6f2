//! No bytes make a parser panic, run long or take memory that the bytes do not justify.

use crate::{
    aiger_round_trip::random_model,
    common::{Random, benchmarks},
};
use propcov_frontend::{FRONTENDS, aiger, btor2, read};
use std::time::{Duration, Instant};

/// Far more than any input here needs, even on a loaded machine.
const LIMIT: Duration = Duration::from_secs(5);

fn digest(bytes: &[u8], context: &str) -> bool {
    let start = Instant::now();
    let mut accepted = false;
    for frontend in FRONTENDS {
        match frontend.read("fuzz", bytes) {
            Ok(design) => {
                accepted = true;
                design.system.validate().unwrap_or_else(|error| panic!("{context}: {error}"));
            }
            Err(error) => assert!(error.to_string().len() < 2000, "{context}: {error}"),
        }
    }
    _ = read("fuzz", bytes);
    assert!(start.elapsed() < LIMIT, "{context}: {:?}", start.elapsed());
    accepted
}

/// Changes a few bytes, numbers or lines.
fn mutate(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        match random.below(8) {
            0 if at < bytes.len() => bytes[at] = random.next() as u8,
            1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            2 => bytes.truncate(at),
            3 if at < bytes.len() => _ = bytes.remove(at),
            4 => bytes.insert(at, b" \n0123456789-;c"[random.below(15)]),
            5 => {
                let numbers =
                    ["0", "1", "4294967295", "2147483647", "4294967296", "18446744073709551616", "-1"];
                let number = numbers[random.below(numbers.len())];
                bytes.splice(at..at, number.bytes());
            }
            6 => {
                // Repeat a piece elsewhere.
                let end = (at + random.below(40)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            _ => {
                let end = (at + random.below(20)).min(bytes.len());
                bytes.drain(at..end);
            }
        }
    }
    bytes
}

const BTOR2: &[u8] = b"1 sort bitvec 1\n2 sort bitvec 8\n3 sort array 1 2\n4 input 1 go\n5 input 2\n6 zero 2\n7 const 2 00001111\n\
    8 constd 2 -7\n9 consth 2 ab\n10 state 2 s\n11 init 2 10 6\n12 state 3 mem\n13 init 3 12 6\n14 add 2 10 -5 sum ; note\n\
    15 ite 2 4 14 10\n16 next 2 10 15\n17 write 3 12 4 15\n18 next 3 12 17\n19 read 2 12 -4\n20 smulo 1 19 5\n21 slice 1 5 3 3\n\
    22 sext 2 21 7\n23 concat 2 21 22\n";

#[test]
fn mutated_small_files_are_read_or_refused() {
    let mut accepted = 0;
    for seed in 0..12_000 {
        let mut random = Random(seed);
        let original = match seed % 3 {
            0 => aiger::print_ascii(&random_model(&mut random)),
            1 => aiger::print_binary(&random_model(&mut random).consecutive()).unwrap(),
            // The last line is wrong (its width is 9), so that parsing gets to an error late.
            _ if random.flip() => BTOR2.to_vec(),
            _ => BTOR2.split_last_chunk::<21>().unwrap().0.to_vec(),
        };
        accepted += usize::from(digest(&mutate(&mut random, &original), &format!("seed {seed}")));
    }
    // Otherwise the mutations would only exercise the first lines of the parsers.
    assert!(accepted > 500, "only {accepted} mutants were accepted");
}

#[test]
fn arbitrary_bytes_are_refused() {
    for seed in 0..6000 {
        let mut random = Random(seed);
        let starts: [&[u8]; 6] =
            [b"", b"aag ", b"aig ", b"aig 9 2 2 2 5 ", b"1 sort bitvec ", b"1 sort bitvec 8\n2 "];
        let mut bytes = starts[random.below(6)].to_vec();
        let alphabet: &[u8] = if random.flip() { b"0123456789 \n-" } else { b"" };
        for _ in 0..random.below(300) {
            let byte = if alphabet.is_empty() {
                random.next() as u8
            } else {
                alphabet[random.below(alphabet.len())]
            };
            bytes.push(byte);
        }
        digest(&bytes, &format!("seed {seed}"));
    }
}

#[test]
fn mutated_benchmarks_are_read_or_refused() {
    let files: Vec<(String, Vec<u8>)> = [("aiger", "aig"), ("btor2", "btor2")]
        .into_iter()
        .flat_map(|(kind, extension)| benchmarks(kind, extension).unwrap_or_default())
        .filter(|(_, bytes)| bytes.len() < 20_000)
        .collect();
    for (number, (name, bytes)) in files.iter().enumerate() {
        for round in 0..5 {
            let seed = number as u64 * 100 + round;
            digest(&mutate(&mut Random(seed), bytes), &format!("{name}, seed {seed}"));
        }
    }
}

#[test]
fn headers_that_lie_cost_nothing() {
    let start = Instant::now();
    for text in [
        "aag 2147483647 2147483647 0 0 0\n",
        "aag 2147483647 0 2147483647 0 0\n",
        "aag 2147483647 0 0 4294967295 0\n2\n",
        "aag 2147483647 0 0 0 2147483647\n",
        "aag 2147483647 0 0 0 0 4294967295 4294967295 4294967295 4294967295\n",
        "aag 2147483647 1 0 0 0 0 0 1 0\n4294967294\n4294967295\n",
        "aig 2147483647 2147483647 0 0 0\n",
        "aig 2147483647 0 0 0 2147483647\n",
    ] {
        digest(text.as_bytes(), text);
    }
    // A text file may name any variable; the table of variables is no array.
    assert!(digest(b"aag 2147483647 1 0 1 0\n4294967294\n4294967295\n", "a high variable"));
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
}

#[test]
fn names_that_all_clash_do_not_take_quadratic_time() {
    let start = Instant::now();
    let count = 20_000;
    let mut text = format!("aag {count} {count} 0 0 0\n");
    text.extend((1..=count).map(|k| format!("{}\n", 2 * k)));
    text.extend((0..count).map(|k| format!("i{k} x\n")));
    let design = aiger::FRONTEND.read("clash.aag", text.as_bytes()).unwrap();
    assert_eq!(design.system.inputs().len(), count);
    let mut text = "1 sort bitvec 1\n2 input 1\n".to_owned();
    text.extend((3..count).map(|id| format!("{id} not 1 {} x\n", id - 1)));
    assert_eq!(btor2::FRONTEND.read("clash.btor2", text.as_bytes()).unwrap().system.wires().len(), count - 3);
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
}

#[test]
fn long_chains_of_gates_are_no_deep_recursion() {
    let count = 300_000;
    let mut text = format!("aag {} 1 0 1 {count}\n2\n4\n", count + 1);
    // Each gate reads the one that follows it in the file.
    text.extend((2..=count + 1).map(|v| format!("{} {} 2\n", 2 * v, if v > count { 2 } else { 2 * v + 2 })));
    let design = aiger::FRONTEND.read("deep.aag", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    design.system.validate().unwrap();
    let text = text.replace(&format!("{} 2 2\n", 2 * count + 2), &format!("{} 4 2\n", 2 * count + 2));
    let error = aiger::FRONTEND.read("loop.aag", text.as_bytes()).unwrap_err();
    assert!(error.message.contains(&format!("{} more", count - 8)), "{error}");
}
