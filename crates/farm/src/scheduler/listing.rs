//! What schedulers print when they take a job, and when they are asked about jobs: LSF, SGE, PBS, Kubernetes, and the shell.
//!
//! That a job is gone is an answer: a list that does not have it, or words that say so. Where there is no answer (the daemon is restarted, the network is down, the program is not there), nothing is concluded.

/// What the scheduler calls a job, from what it printed when it took it; `None` if there is no name in it. `pattern` is a text with `{id}` where the name is.
pub(super) fn name(said: &str, pattern: Option<&str>) -> Option<String> {
    if let Some((before, after)) = pattern.and_then(|pattern| pattern.split_once("{id}")) {
        let rest = &said[said.find(before)? + before.len()..];
        let end = match after {
            "" => rest.find(char::is_whitespace).unwrap_or(rest.len()),
            after => rest.find(after)?,
        };
        return Some(rest[..end].trim().to_owned()).filter(|name| !name.is_empty());
    }
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // LSF: Job <123> is submitted to default queue <normal>.
    let in_brackets = said.split('<').skip(1).filter_map(|rest| rest.split('>').next());
    if let Some(number) = in_brackets.into_iter().find(|text| is_number(text)) {
        return Some(number.to_owned());
    }
    // PBS: 123.server; SGE with -terse: 123; kubectl -o name: pod/NAME. Something may stand above it.
    let last = said.lines().map(str::trim).rfind(|line| !line.is_empty())?;
    if !last.contains(char::is_whitespace) {
        return Some(bare(last).to_owned());
    }
    // SGE: Your job 123 ("name") has been submitted; kubectl: pod/NAME created.
    let words = || said.split_whitespace().map(bare);
    let number = words().find(|word| is_number(word));
    number.or_else(|| last.split_whitespace().map(bare).find(|word| word.contains('/'))).map(str::to_owned)
}

/// What somebody who was asked about jobs has said.
pub(super) struct Said {
    /// The exit code, if there is one.
    pub(super) code: Option<i32>,
    pub(super) output: String,
    pub(super) errors: String,
}

/// What is known of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It waits, runs, or is suspended.
    Alive,
    Gone,
    /// There was no answer.
    Unknown,
}

/// How schedulers say that there is no such job. What is too general counts only beside the job's name.
const GONE: &[&str] = &[
    "do not exist",
    "does not exist",
    "unknown job",
    "job has finished",
    "no such process",
    "no unfinished job found",
    "no resources found",
    "invalid job id specified",
];
const NOT_FOUND: &str = "not found";

/// States in which a job is over. That it is suspended, held, or on a machine that does not answer, is none of them.
const OVER: &[&str] = &[
    "DONE",
    "EXIT",
    "ZOMBI",
    "COMPLETED",
    "CANCELLED",
    "FAILED",
    "TIMEOUT",
    "NODE_FAIL",
    "PREEMPTED",
    "OUT_OF_MEMORY",
    "Eqw",
    "Completed",
    "Complete",
    "Succeeded",
    "Failed",
    "Error",
    "OOMKilled",
    "Evicted",
    "Terminating",
];
/// In PBS, where names of jobs are 123.server: completed, finished.
const OVER_BY_LETTER: &[&str] = &["C", "F"];

/// What is known of a job from a list of all jobs: each stands at the beginning of a line.
pub(super) fn in_list(id: &str, said: &Said) -> Standing {
    let line = said.output.lines().find(|line| is_about(line, id));
    match line {
        Some(line) if is_over(line) => Standing::Gone,
        Some(_) => Standing::Alive,
        None => absence(id, said),
    }
}

/// What is known of a job from an answer about it alone. To succeed and say nothing is to say yes, to fail and say nothing is to say no.
pub(super) fn alone(id: &str, said: &Said) -> Standing {
    match said.code {
        Some(0) if said.output.lines().any(is_over) => Standing::Gone,
        Some(0) if said.output.trim().is_empty() && says_gone(id, &said.errors) => Standing::Gone,
        Some(0) => Standing::Alive,
        _ => absence(id, said),
    }
}

/// What it means that a job is not mentioned as one that is there.
fn absence(id: &str, said: &Said) -> Standing {
    let is_silent = said.errors.trim().is_empty();
    let is_answer = match said.code {
        Some(0) => is_silent || !said.output.trim().is_empty() || says_gone(id, &said.errors),
        // The shell has not found the program, or could not run it.
        Some(126 | 127) | None => false,
        Some(_) if says_gone(id, &said.errors) || says_gone(id, &said.output) => true,
        // `grep` has found nothing, or `test` has said no.
        Some(code) => code == 1 && is_silent && said.output.trim().is_empty(),
    };
    if is_answer { Standing::Gone } else { Standing::Unknown }
}

fn says_gone(id: &str, text: &str) -> bool {
    let (text, id) = (text.to_lowercase(), number(id).to_lowercase());
    GONE.iter().any(|words| text.contains(words))
        || text.lines().any(|line| line.contains(NOT_FOUND) && line.contains(&id))
}

/// Whether a line of a list is about a job.
fn is_about(line: &str, id: &str) -> bool {
    line.split_whitespace().next().is_some_and(|word| number(bare(word)) == number(id))
}

/// What is the same in all forms of a name: PBS calls one job 123.server.domain and 123.server, Kubernetes pod/NAME and NAME.
fn number(id: &str) -> &str {
    let id = id.rsplit('/').next().unwrap_or(id);
    let digits = id.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && id[digits..].starts_with('.') { &id[..digits] } else { id }
}

fn is_over(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_of_pbs = words
        .first()
        .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.'));
    // The state is none of the first words: there are the name and the owner.
    let is_letter = |word: &&str| is_of_pbs && OVER_BY_LETTER.contains(word);
    words.iter().any(|word| OVER.contains(word)) || words.iter().skip(3).any(is_letter)
}

/// A word without what stands around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| "<>.,;:\"'()".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(code: i32, output: &str, errors: &str) -> Said {
        Said { code: Some(code), output: output.to_owned(), errors: errors.to_owned() }
    }

    #[test]
    fn the_name_of_a_job_is_read_from_what_schedulers_print() {
        let of = |text: &str| name(text, None);
        for (text, expected) in [
            ("Job <123> is submitted to default queue <normal>.\n", "123"),
            ("Job <4711> is submitted to queue <short>.\n", "4711"),
            (
                "Memory reservation is (MB): 4096\nMemory Limit is (MB): 4096\nJob <88> is submitted to queue <long>.\n",
                "88",
            ),
            ("Your job 3012 (\"propcov-1\") has been submitted\n", "3012"),
            ("3012\n", "3012"),
            ("123.pbs01.example.org\n", "123.pbs01.example.org"),
            ("qsub: waiting for the server\n123.pbs01\n", "123.pbs01"),
            ("Submitted batch job 77\n", "77"),
            ("pod/propcov-1.3-of-8-1700000000 created\n", "pod/propcov-1.3-of-8-1700000000"),
            ("job.batch/propcov-1.3-of-8\n", "job.batch/propcov-1.3-of-8"),
            ("submitted as 991\n", "991"),
        ] {
            assert_eq!(of(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(of(""), None);
        assert_eq!(of("cannot contact the license server\n"), None);
        let of = |text: &str, pattern: &str| name(text, Some(pattern));
        assert_eq!(of("queue 7, job=a12; node 3", "job={id};").as_deref(), Some("a12"));
        assert_eq!(of("queue 7, job a12 done", "job {id}").as_deref(), Some("a12"));
        assert_eq!(of("nothing of the kind", "job {id}"), None);
    }

    #[test]
    fn a_job_is_gone_when_an_answer_says_so_and_not_when_there_is_none() {
        use Standing::{Alive, Gone, Unknown};
        // bjobs of one job.
        let state = |state: &str| {
            format!("123     me      {state}  normal     login1      node7       propcov-1  Nov 18 20:01\n")
        };
        for alive in ["PEND", "RUN", "PSUSP", "USUSP", "SSUSP", "WAIT", "UNKWN"] {
            assert_eq!(alone("123", &said(0, &state(alive), "")), Alive, "{alive}");
            assert_eq!(in_list("123", &said(0, &state(alive), "")), Alive, "{alive}");
        }
        for over in ["DONE", "EXIT", "ZOMBI"] {
            assert_eq!(alone("123", &said(0, &state(over), "")), Gone, "{over}");
            assert_eq!(in_list("123", &said(0, &state(over), "")), Gone, "{over}");
        }
        assert_eq!(alone("123", &said(255, "", "Job <123> is not found\n")), Gone);
        assert_eq!(
            alone("123", &said(255, "", "Failed in LSF library call: LIM is down; try later\n")),
            Unknown
        );
        assert_eq!(alone("123", &said(255, "", "batch system concerning 7: not found\n")), Unknown);
        assert_eq!(alone("123", &said(127, "", "sh: 1: bjobs: not found\n")), Unknown);
        assert_eq!(in_list("123", &said(255, "", "No unfinished job found\n")), Gone);
        assert_eq!(in_list("123", &said(0, "", "")), Gone);
        assert_eq!(in_list("123", &said(0, "", "LSF is down. Please wait ...\n")), Unknown);
        assert_eq!(in_list("12", &said(0, &state("RUN"), "")), Gone, "12 is not 123");
        // qstat of SGE.
        let list = "job-ID  prior   name       user         state submit/start at     queue       slots\n\
                    ---------------------------------------------------------------------------------\n   \
                    3012 0.55500 propcov-1  me           Rr    11/18/2026 20:01:02 all.q@node7     1\n   \
                    3013 0.00000 propcov-1  me           hqw   11/18/2026 20:01:02                 1\n   \
                    3014 0.00000 propcov-1  me           Eqw   11/18/2026 20:01:02                 1\n";
        assert_eq!(in_list("3012", &said(0, list, "")), Alive);
        assert_eq!(in_list("3013", &said(0, list, "")), Alive);
        assert_eq!(in_list("3014", &said(0, list, "")), Gone, "it will never run");
        assert_eq!(in_list("2026", &said(0, list, "")), Gone, "a year is no job");
        assert_eq!(alone("3012", &said(1, "", "Following jobs do not exist: \n3012\n")), Gone);
        assert_eq!(
            in_list("3012", &said(1, "", "error: commlib error: got select error (Connection refused)\n")),
            Unknown
        );
        // qstat of PBS.
        let list = "Job id            Name             User              Time Use S Queue\n\
                    ----------------  ---------------- ----------------  -------- - -----\n\
                    123.pbs01         propcov-1        me                00:00:10 S workq\n\
                    124.pbs01         propcov-1        me                00:00:10 F workq\n";
        assert_eq!(in_list("123.pbs01.example.org", &said(0, list, "")), Alive, "suspended");
        assert_eq!(in_list("124.pbs01.example.org", &said(0, list, "")), Gone);
        assert_eq!(alone("125.pbs01", &said(153, "", "qstat: Unknown Job Id 125.pbs01\n")), Gone);
        assert_eq!(
            alone("125.pbs01", &said(35, "", "qstat: 125.pbs01 Job has finished, use -x or -H\n")),
            Gone
        );
        assert_eq!(
            in_list("123.pbs01", &said(1, "", "qstat: cannot connect to server pbs01 (errno=111)\n")),
            Unknown
        );
        // kubectl.
        let id = "pod/propcov-1.3-of-8-17";
        assert_eq!(in_list(id, &said(0, "pod/propcov-1.3-of-8-17\n", "")), Alive);
        assert_eq!(in_list(id, &said(0, "propcov-1.3-of-8-17   1/1   Running   0   5s\n", "")), Alive);
        assert_eq!(in_list(id, &said(0, "propcov-1.3-of-8-17   0/1   OOMKilled   0   5s\n", "")), Gone);
        assert_eq!(in_list(id, &said(0, "", "No resources found in default namespace.\n")), Gone);
        assert_eq!(
            in_list(id, &said(1, "", "The connection to the server 10.0.0.1:6443 was refused\n")),
            Unknown
        );
        assert_eq!(
            alone(id, &said(1, "", "Error from server (NotFound): pods \"propcov-1.3-of-8-17\" not found\n")),
            Gone
        );
        assert_eq!(
            alone(id, &said(1, "", "error: the server doesn't have a resource type \"pods\"\n")),
            Unknown
        );
        // The shell.
        assert_eq!(alone("991", &said(0, "", "")), Alive);
        assert_eq!(alone("991", &said(1, "", "")), Gone);
        assert_eq!(alone("991", &said(1, "", "sh: 1: kill: No such process\n")), Gone);
        assert_eq!(alone("991", &said(2, "", "")), Unknown);
        assert_eq!(alone("991", &Said { code: None, output: String::new(), errors: String::new() }), Unknown);
    }
}
