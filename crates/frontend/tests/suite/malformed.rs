//! What users are told about files that are not right. The snapshots are the messages as a terminal would show them.

use propcov_frontend::{InputError, read};
use propcov_ir::Region;

/// The message, the line and a mark below it.
pub(crate) fn show(error: &InputError) -> String {
    let mut text = format!("{error}\n");
    if let (Some(line), Region::Text { column, end_column, .. }) = (&error.source_line, error.region) {
        let marks = "^".repeat((end_column.max(column) - column + 1) as usize);
        text += &format!("  | {line}\n  | {}{marks}\n", " ".repeat(column as usize - 1));
    }
    text
}

fn report(path: &str, cases: &[(&str, &[u8])]) -> String {
    let mut report = String::new();
    for (title, bytes) in cases {
        let error = match read(path, bytes) {
            Err(error) => error,
            Ok(_) => panic!("{title}: no error"),
        };
        report += &format!("{title}\n{}\n", show(&error));
    }
    report
}

#[test]
fn malformed_text_aiger_is_explained() {
    let cases: &[(&str, &[u8])] = &[
        ("an empty file", b""),
        ("another format", b"module top;\n"),
        ("a header cut short", b"aag 3 1 0\n"),
        ("a word in the header", b"aag 3 one 0 1 1\n"),
        ("a number that does not fit", b"aag 99999999999999999999 0 0 0 0\n"),
        ("a maximum variable whose literals do not fit", b"aag 2147483648 0 0 0 0\n"),
        ("more definitions than variables", b"aag 2 2 1 0 0\n2\n4\n6 2\n"),
        ("a header that promises too much", b"aag 4000000 4000000 0 0 0\n2\n"),
        ("too many header fields", b"aag 1 1 0 0 0 0 0 0 0 0\n2\n"),
        ("a carriage return", b"aag 1 1 0 0 0\r\n2\n"),
        ("two spaces", b"aag 1 1 0  0 0\n2\n"),
        ("an input that is odd", b"aag 1 1 0 1 0\n3\n2\n"),
        ("an input that is the constant", b"aag 1 1 0 1 0\n0\n2\n"),
        ("an input out of range", b"aag 1 1 0 1 0\n4\n2\n"),
        ("an input defined twice", b"aag 2 2 0 1 0\n2\n2\n2\n"),
        ("a latch that is an input", b"aag 2 1 1 0 0\n2\n2 2\n"),
        ("a latch without next", b"aag 2 1 1 0 0\n2\n4\n"),
        ("a reset that is another literal", b"aag 2 1 1 0 0\n2\n4 2 2\n"),
        ("an output out of range", b"aag 1 1 0 1 0\n2\n40\n"),
        ("an output that nothing defines", b"aag 3 1 0 1 0\n2\n6\n"),
        ("a gate operand that nothing defines", b"aag 3 1 0 1 1\n2\n6\n6 2 4\n"),
        ("a latch fed by what nothing defines", b"aag 3 1 1 0 0\n2\n4 7\n"),
        ("a gate without second operand", b"aag 2 1 0 1 1\n2\n4\n4 2\n"),
        ("a gate that reads itself", b"aag 2 1 0 1 1\n2\n4\n4 5 2\n"),
        ("gates in a loop", b"aag 4 1 0 1 3\n2\n4\n4 2 6\n6 8 2\n8 2 5\n"),
        ("justice sizes that promise too much", b"aag 1 1 0 0 0 0 0 1\n2\n900\n2\n"),
        ("justice literals that are missing", b"aag 1 1 0 0 0 0 0 2\n2\n1\n2\n2\n2\n"),
        ("a last line without newline", b"aag 1 1 0 1 0\n2\n2"),
        ("text after the gates", b"aag 1 1 0 1 0\n2\n2\nhello world\n"),
        ("a symbol for what is not there", b"aag 1 1 0 1 0\n2\n2\ni1 x\n"),
        ("two symbols for one input", b"aag 1 1 0 1 0\n2\n2\ni0 x\ni0 y\n"),
        ("a symbol without name", b"aag 1 1 0 1 0\n2\n2\ni0\n"),
        ("a symbol without position", b"aag 1 1 0 1 0\n2\n2\nix x\n"),
        ("a comment that begins on the line of its c", b"aag 1 1 0 1 0\n2\n2\nc comment\n"),
    ];
    insta::assert_snapshot!(report("test.aag", cases));
}

#[test]
fn malformed_binary_aiger_is_explained() {
    let cases: &[(&str, &[u8])] = &[
        ("a maximum variable that is no sum", b"aig 5 1 1 0 1\n4\n\x02\x02"),
        ("inputs that nothing could refer to", b"aig 2000000000 2000000000 0 0 0\n"),
        ("more gates than bytes", b"aig 300000 1 0 0 299999\n\x02\x02"),
        ("a latch's next that is missing", b"aig 2 1 1 0 0\n\n2\n"),
        ("a reset that is another literal", b"aig 2 1 1 0 0\n2 2\n"),
        ("gates cut short", b"aig 3 1 0 1 2\n4\n\x02\x02\x02"),
        ("a gate cut within a number", b"aig 2 1 0 1 1\n4\n\x82\x82"),
        ("a difference of zero", b"aig 2 1 0 1 1\n4\n\x00\x02"),
        ("a first operand below zero", b"aig 2 1 0 1 1\n4\n\x05\x00"),
        ("a second operand below zero", b"aig 2 1 0 1 1\n4\n\x02\x03"),
        ("a difference that does not end", b"aig 2 1 0 1 1\n4\n\xff\xff\xff\xff\xff\x01\x00"),
        ("bytes after the gates", b"aig 2 1 0 1 1\n4\n\x02\x02\x07\x08\n"),
        ("text instead of binary", b"aig 2 1 0 1 1\n4\n4 2 2\n"),
    ];
    insta::assert_snapshot!(report("test.aig", cases));
}

#[test]
fn malformed_btor2_is_explained() {
    let cases: &[(&str, &[u8])] = &[
        ("an id that is no number", b"1 sort bitvec 8\nx input 1\n"),
        ("an id of zero", b"0 sort bitvec 8\n"),
        ("an id too large", b"99999999999999999999 sort bitvec 8\n"),
        ("an id used twice", b"1 sort bitvec 8\n2 input 1\n2 input 1\n"),
        ("ids that decrease", b"5 sort bitvec 8\n3 input 5\n"),
        ("nothing after the id", b"1 sort bitvec 8\n2\n"),
        ("an unknown keyword", b"1 sort bitvec 8\n2 inputs 1\n"),
        ("an unknown sort", b"1 sort bool\n"),
        ("a width of zero", b"1 sort bitvec 0\n"),
        ("a width too large", b"1 sort bitvec 70000\n"),
        ("a width that is missing", b"1 sort bitvec ; eight\n"),
        ("an array by an array", b"1 sort bitvec 8\n2 sort array 1 1\n3 sort array 2 1\n"),
        ("an array of what is no sort", b"1 sort bitvec 8\n2 input 1\n3 sort array 1 2\n"),
        ("a sort that is not defined", b"1 sort bitvec 8\n2 input 7\n"),
        ("an input where a sort should be", b"1 sort bitvec 8\n2 input 1\n3 state 2\n"),
        ("a constant of the wrong length", b"1 sort bitvec 8\n2 const 1 0101\n"),
        ("a constant with a wrong digit", b"1 sort bitvec 4\n2 const 1 0121\n"),
        ("a decimal constant too large", b"1 sort bitvec 8\n2 constd 1 256\n"),
        ("a decimal constant too small", b"1 sort bitvec 8\n2 constd 1 -129\n"),
        ("a hexadecimal constant too large", b"1 sort bitvec 8\n2 consth 1 1ff\n"),
        ("a constant of an array sort", b"1 sort bitvec 8\n2 sort array 1 1\n3 zero 2\n"),
        ("an operand that is missing", b"1 sort bitvec 8\n2 input 1\n3 add 1 2\n"),
        ("an operand that is not defined", b"1 sort bitvec 8\n2 input 1\n3 add 1 2 9\n"),
        ("an operand that is defined below", b"1 sort bitvec 8\n2 input 1\n3 add 1 2 4\n4 input 1\n"),
        ("an operand that is a sort", b"1 sort bitvec 8\n2 input 1\n3 add 1 2 1\n"),
        ("an operand that is a statement", b"1 sort bitvec 1\n2 input 1\n3 bad 2\n4 and 1 2 3\n"),
        ("an operand that is a word", b"1 sort bitvec 8\n2 input 1\n3 add 1 2 b\n"),
        ("operands of two widths", b"1 sort bitvec 8\n2 sort bitvec 4\n3 input 1\n4 input 2\n5 add 1 3 4\n"),
        ("a result of the wrong sort", b"1 sort bitvec 8\n2 input 1\n3 eq 1 2 2\n"),
        ("a condition of width 8", b"1 sort bitvec 8\n2 input 1\n3 ite 1 2 2 2\n"),
        ("a connective of width 8", b"1 sort bitvec 8\n2 sort bitvec 1\n3 input 1\n4 implies 2 3 3\n"),
        ("a concatenation of the wrong width", b"1 sort bitvec 8\n2 input 1\n3 concat 1 2 2\n"),
        ("a slice beyond the width", b"1 sort bitvec 8\n2 sort bitvec 2\n3 input 1\n4 slice 2 3 8 7\n"),
        ("a slice upside down", b"1 sort bitvec 8\n2 sort bitvec 2\n3 input 1\n4 slice 2 3 2 3\n"),
        ("a slice without lower index", b"1 sort bitvec 8\n2 sort bitvec 2\n3 input 1\n4 slice 2 3 3\n"),
        ("an extension of the wrong width", b"1 sort bitvec 8\n2 input 1\n3 uext 1 2 1\n"),
        ("a read from a bit-vector", b"1 sort bitvec 8\n2 input 1\n3 read 1 2 2\n"),
        (
            "a write of the wrong element",
            b"1 sort bitvec 8\n2 sort bitvec 4\n3 sort array 2 1\n4 input 3\n5 input 2\n6 write 3 4 5 5\n",
        ),
        ("an array negated", b"1 sort bitvec 8\n2 sort array 1 1\n3 input 2\n4 input 1\n5 read 1 -3 4\n"),
        ("arrays of two sorts compared", b"1 sort bitvec 1\n2 sort bitvec 2\n3 sort array 2 1\n4 sort array 1 1\n5 input 3\n6 input 4\n7 eq 1 5 6\n"),
        ("next of an input", b"1 sort bitvec 8\n2 input 1\n3 next 1 2 2\n"),
        ("next of a negated state", b"1 sort bitvec 8\n2 state 1\n3 next 1 -2 2\n"),
        ("two nexts", b"1 sort bitvec 8\n2 state 1\n3 next 1 2 2\n4 next 1 2 2\n"),
        ("next of the wrong sort", b"1 sort bitvec 8\n2 sort bitvec 4\n3 state 1\n4 state 2\n5 next 1 3 4\n"),
        ("next that declares another sort", b"1 sort bitvec 8\n2 sort bitvec 4\n3 state 1\n4 next 2 3 3\n"),
        ("two inits", b"1 sort bitvec 8\n2 zero 1\n3 state 1\n4 init 1 3 2\n5 init 1 3 2\n"),
        ("init by what comes later", b"1 sort bitvec 8\n2 state 1\n3 zero 1\n4 init 1 2 3\n"),
        ("init by the state itself", b"1 sort bitvec 8\n2 state 1\n3 init 1 2 2\n"),
        ("init by an input", b"1 sort bitvec 8\n2 input 1\n3 not 1 2\n4 state 1\n5 init 1 4 3\n"),
        ("next of an array by an element", b"1 sort bitvec 8\n2 sort array 1 1\n3 zero 1\n4 state 2\n5 next 2 4 3\n"),
        ("a bad state of width 8", b"1 sort bitvec 8\n2 input 1\n3 bad 2\n"),
        ("a constraint of nothing", b"1 sort bitvec 8\n2 constraint\n"),
        ("justice with too few conditions", b"1 sort bitvec 1\n2 input 1\n3 justice 4000000000 2 2\n"),
        ("justice without conditions", b"1 sort bitvec 1\n2 input 1\n3 justice 0\n"),
        ("words after the symbol", "1 sort bitvec 8\n2 input 1 größe extra ; note\n".as_bytes()),
        ("bytes that are no text", b"1 sort bitvec 8\n2 \xff\xfe 1\n"),
    ];
    insta::assert_snapshot!(report("test.btor2", cases));
}

#[test]
fn a_file_of_no_known_format_gets_the_list_of_formats() {
    let error = read("design.txt", b"hello\n").unwrap_err();
    insta::assert_snapshot!(show(&error), @r"
    design.txt:1:1: expected aiger (.aag, .aig) or btor2 (.btor2, .btor) or smv (.smv) or lustre (.lus, .lustre) or verilog (.sv, .v, .svh, .vh), found neither a known extension nor known content
      | hello
      | ^
    ");
}

#[test]
fn content_counts_more_than_the_extension() {
    assert_eq!(read("design.btor2", b"aag 0 0 0 0 0\n").unwrap().format(), "aiger");
    assert_eq!(read("design.aig", b"; a comment\n1 sort bitvec 8\n").unwrap().format(), "btor2");
}
