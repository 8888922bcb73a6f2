//! `propcov jkind -help`, and the topic.

/// The options, in JKind's words.
pub(crate) const JKIND: &str = "\
usage: propcov jkind [options] <input>

Takes the options of JKind 4 and writes what JKind writes: for AGREE, SpeAR, FRET and scripts that call JKind. A first word -jkind is skipped, so `propcov jkind` can stand for `java -jar jkind.jar`.

 -all_ivcs             find all minimal inductive validity cores for valid properties, with the elements of every core (also: -ivc_all)
 -excel                write results to <input>.xlsx
 -help                 print this message
 -induct_cex           show why induction fails for unknown properties
 -interval             show in counterexamples which values do not matter, as intervals (JKind up to version 3)
 -ivc                  find an inductive validity core for valid properties
 -main <arg>           specify main node (overrides --%MAIN)
 -n <arg>              maximum depth (default: unbounded)
 -read_advice <arg>    read lemmas of earlier runs from a file, and write new ones to it
 -scratch              write invariants and runs to <input>.scratch
 -smooth               smooth counterexamples (minimal changes in input values)
 -timeout <arg>        maximum runtime in seconds (default: unbounded)
 -version              display version information
 -write_advice <arg>   the same file as -read_advice
 -xml                  write results to <input>.xml
 -xml_to_stdout        write results as XML to standard output

-solver, -pdr_max, -no_bmc, -no_inv_gen, -no_k_induction and -no_slicing are accepted and have no effect: propcov has solvers and engines of its own.

The exit code is 0 when the analysis ran, whatever it found, as JKind's; 1 for a command line or a model that cannot be read.

Departures: cores are about elements that --%IVC lists, and about all equations where there is no --%IVC (JKind finds none then). Invariants are in propcov's notation. Advice is propcov's own; files that JKind wrote are refused. Results are written at the end, \
not as they come. Every answer is certified, as all of propcov's are.";

/// The topic.
pub(super) fn page() -> String {
    JKIND.to_owned()
}
