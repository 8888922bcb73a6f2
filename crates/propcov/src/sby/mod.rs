//! Projects of SymbiYosys: which tasks there are, and of each the files, macros and parameters, the module at the top, the mode and the depth.
//!
//! A line may be for some tasks only: `task: line`, `~task: line`, or a block of lines that begins with `task:` and ends with `--`. What is left of a project for a task
//! is read section by section; `script` knows the commands of Yosys that matter. Solvers (`[engines]`) are not taken from the project. Python code in a
//! project is executed only where that is allowed (`pycode`).
//!
//! # References
//! SymbiYosys, *Reference for .sby file format*, <https://yosyshq.readthedocs.io/projects/sby>.

mod pycode;
mod script;

use crate::Error;
use pycode::Given;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// How far a bounded search goes if a project does not say so.
const DEPTH: u32 = 20;

/// One task of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// Its name; nothing in a project without tasks.
    pub name: Option<String>,
    /// What is asked.
    pub mode: Mode,
    /// How many steps are looked at, or in a proof, how long an induction is tried first.
    pub depth: Option<u32>,
    /// The files that the script reads, in its order.
    pub(crate) files: Vec<PathBuf>,
    /// Options for slang.
    pub(crate) arguments: Vec<OsString>,
    /// All files of the project, by the names that the script and the design have for them.
    pub(crate) listed: Vec<(String, PathBuf)>,
    /// Files that stand in the project itself.
    pub(crate) written: Vec<(String, String)>,
    /// Files whose assertions are assumed.
    pub(crate) assumed: Vec<PathBuf>,
    /// Files whose restrictions do not count.
    pub(crate) unrestricted: Vec<PathBuf>,
    /// Whether a task that asks for covers asks about assertions, too.
    pub(crate) cover_assert: bool,
    /// Signals that are free whatever drives them, by module and name.
    pub(crate) cuts: Vec<(String, String)>,
    /// The outcomes that count as good, if the project says so.
    pub expected: Vec<Outcome>,
    /// The project, and the lines in which it lists files.
    pub(crate) project: PathBuf,
    pub(crate) lines: Vec<(PathBuf, usize)>,
    /// What is not understood, with its place: the other tasks of the project can be read.
    pub(crate) wrong: Option<String>,
}

impl Task {
    /// The files that it is read from, besides the project.
    pub fn sources(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path).chain(self.listed.iter().map(|(_, path)| path.as_path()))
    }
}

/// What a task asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Do the assertions hold in so many steps?
    #[default]
    Bounded,
    /// Do the assertions hold?
    Prove,
    /// Are the covers reached?
    Cover,
    /// Does what has to happen some day happen? Assertions that finite runs violate are assumed.
    Live,
}

/// What can come of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All that was asked holds.
    Pass,
    /// Something fails.
    Fail,
    /// Something is undecided.
    Unknown,
    /// The task cannot be run.
    Error,
    /// Something is undecided because there was no more time.
    Timeout,
}

impl Outcome {
    const ALL: [Outcome; 5] =
        [Outcome::Pass, Outcome::Fail, Outcome::Unknown, Outcome::Error, Outcome::Timeout];

    /// The word for it in a project.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::Fail => "fail",
            Outcome::Unknown => "unknown",
            Outcome::Error => "error",
            Outcome::Timeout => "timeout",
        }
    }
}

impl Task {
    /// The bound of the search, if the task has one.
    pub fn bound(&self) -> Option<u32> {
        let depth = self.depth.unwrap_or(DEPTH);
        // Depths count steps there, and transitions here.
        (self.mode == Mode::Bounded).then(|| depth.saturating_sub(1))
    }
}

/// A line of a project: its number, from 1, and its text.
type Line<'t> = (usize, &'t str);

/// Reads the tasks with these names; those that the project itself would run, if none is named.
pub(crate) fn read(path: &Path, text: &str, wanted: &[String], may_run: bool) -> Result<Vec<Task>, Error> {
    let place =
        |(number, message): (usize, String)| Error::Usage(format!("{}:{number}: {message}", path.display()));
    let directory = path.parent().unwrap_or(Path::new(""));
    let given = Given { task: None, tags: &[], directory, may_run };
    let all = pycode::lines(text, given).map_err(place)?;
    let table = Table::read(&borrowed(&all)).map_err(place)?;
    let names: Vec<&str> = table.tasks.clone();
    if let Some(unknown) = wanted.iter().find(|wanted| !names.contains(&wanted.as_str())) {
        return Err(crate::read::unknown_name("task", "tasks", unknown, &names));
    }
    let chosen: Vec<Option<&str>> = match (wanted, table.defaults.as_slice()) {
        ([], []) if names.is_empty() => vec![None],
        ([], []) => names.iter().map(|name| Some(*name)).collect(),
        ([], defaults) => defaults.iter().map(|name| Some(*name)).collect(),
        (wanted, _) => wanted.iter().map(|name| Some(name.as_str())).collect(),
    };
    let task = |name: &Option<&str>| {
        let tags = table.tags_of(*name);
        let all = pycode::lines(text, Given { task: *name, tags: &tags, ..given })?;
        let own = table.lines_of(*name, &borrowed(&all))?;
        let (name, project) = (name.map(str::to_owned), path.to_owned());
        let mut task = Task { name, project, ..Task::default() };
        let read = section_by_section(&mut task, &own, directory);
        task.wrong = read.err().map(|wrong| place(wrong).to_string());
        Ok(task)
    };
    chosen.iter().map(task).collect::<Result<_, _>>().map_err(place)
}

/// Lines that somebody else keeps.
fn borrowed(lines: &[(usize, String)]) -> Vec<Line<'_>> {
    lines.iter().map(|(number, line)| (*number, line.as_str())).collect()
}

/// What is wrong, and in which line.
type Wrong = (usize, String);

/// The tasks of a project.
#[derive(Default)]
struct Table<'t> {
    tasks: Vec<&'t str>,
    /// Those that are run when none is named; all if empty.
    defaults: Vec<&'t str>,
    /// Tasks and the tags that they have; the first is the name itself.
    tags: Vec<(&'t str, &'t str)>,
}

impl<'t> Table<'t> {
    fn read(lines: &[Line<'t>]) -> Result<Table<'t>, Wrong> {
        let mut table = Table::default();
        let mut is_here = false;
        for (number, line) in lines {
            if line.starts_with('[') {
                is_here = line.trim_end() == "[tasks]";
            } else if is_here && !line.starts_with('#') {
                table.line(line).map_err(|message| (*number, message))?;
            }
        }
        Ok(table)
    }

    /// `task tag...`, or `task... : tag...`; the tag `default` chooses tasks to run.
    fn line(&mut self, line: &'t str) -> Result<(), String> {
        let words = |text: &'t str| text.split_whitespace().collect::<Vec<_>>();
        let (names, tags) = match line.split_once(':') {
            Some((names, tags)) if !tags.contains(':') => (words(names), words(tags)),
            Some(_) => return Err("expected tasks, `:` and tags".to_owned()),
            None => {
                let mut names = words(line);
                let tags = names.split_off(names.len().min(1));
                (names, tags)
            }
        };
        if let Some(pattern) =
            names.iter().chain(&tags).find(|word| word.contains(['(', '?', '*', '.', '[', ']', '|', ')']))
        {
            return Err(format!("patterns of tasks are not supported: {pattern}"));
        }
        for name in names {
            if !self.tasks.contains(&name) {
                self.tasks.push(name);
                self.tags.push((name, name));
            }
            for tag in &tags {
                if *tag == "default" {
                    self.defaults.push(name);
                } else {
                    self.tags.push((name, tag));
                }
            }
        }
        Ok(())
    }

    /// The tags of a task, its name first.
    fn tags_of(&self, task: Option<&str>) -> Vec<&'t str> {
        self.tags.iter().filter(|(name, _)| Some(*name) == task).map(|(_, tag)| *tag).collect()
    }

    /// The lines of a task, without the tags that they begin with. All lines of a project without tasks.
    fn lines_of<'l>(&self, task: Option<&str>, lines: &[Line<'l>]) -> Result<Vec<Line<'l>>, Wrong> {
        let has = |tag: &str| self.tags.iter().any(|(name, known)| Some(*name) == task && *known == tag);
        let (mut own, mut is_tasks) = (Vec::new(), false);
        // Whether a block of lines for some tasks is one of this task.
        let mut block: Option<bool> = None;
        for (number, line) in lines {
            if is_tasks && !line.starts_with('[') {
                continue;
            }
            is_tasks = line.trim_end() == "[tasks]";
            if block.is_some() && line.trim() == "--" {
                block = None;
                continue;
            }
            let (applies, rest) = match self.condition(line) {
                Some((condition, rest)) => {
                    (condition.strip_prefix('~').map_or_else(|| has(condition), |tag| !has(tag)), rest)
                }
                None => {
                    let first = line.split_whitespace().next().unwrap_or_default();
                    if first.ends_with(':') && line.starts_with(first) && !self.tags.is_empty() {
                        return Err((
                            *number,
                            format!("no task has the tag {}", first.trim_end_matches(':')),
                        ));
                    }
                    (true, *line)
                }
            };
            if rest.is_empty() && !line.is_empty() {
                block = Some(applies);
            } else if applies && block != Some(false) && !is_tasks {
                own.push((*number, rest));
            }
        }
        Ok(own)
    }

    /// The tag that a line begins with, before a colon, and what comes then.
    fn condition<'l>(&self, line: &'l str) -> Option<(&'l str, &'l str)> {
        let (before, after) = line.split_once(':')?;
        let tag = before.strip_prefix('~').unwrap_or(before);
        self.tags.iter().any(|(_, known)| *known == tag).then(|| (before, after.trim()))
    }
}

/// Reads what is left of a project for a task.
fn section_by_section(task: &mut Task, lines: &[Line<'_>], directory: &Path) -> Result<(), Wrong> {
    let (mut here, mut commands) = ("", Vec::new());
    for (number, line) in lines {
        let inner = line.strip_prefix('[').and_then(|line| line.trim_end().strip_suffix(']'));
        if let Some(section) = inner {
            here = section.trim();
            if let Some(name) = here.strip_prefix("file ") {
                task.written.push((name.trim().to_owned(), String::new()));
            }
            continue;
        }
        let plain = line.split('#').next().unwrap_or(line).trim();
        match here {
            _ if here.starts_with("file ") => {
                if let Some((_, text)) = task.written.last_mut() {
                    text.push_str(line);
                    text.push('\n');
                }
            }
            _ if plain.is_empty() => {}
            "options" => option(task, plain).map_err(|message| (*number, message))?,
            "files" => list(task, (*number, plain), directory),
            "script" => commands.push((*number, plain)),
            _ => {}
        }
    }
    // Files may be listed after the script that reads them.
    for (number, command) in commands {
        script::line(task, command, directory).map_err(|message| (number, message))?;
    }
    Ok(())
}

fn option(task: &mut Task, line: &str) -> Result<(), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        ["mode", "bmc"] => task.mode = Mode::Bounded,
        ["mode", "prove"] => task.mode = Mode::Prove,
        ["mode", "cover"] => task.mode = Mode::Cover,
        ["mode", "live"] => task.mode = Mode::Live,
        ["mode", other, ..] => return Err(format!("mode {other} is not supported")),
        ["expect", outcomes @ ..] => task.expected = expected(&outcomes.join(","))?,
        ["cover_assert", value] => task.cover_assert = *value == "on",
        // It would say that something fails which SymbiYosys does not look at.
        ["skip", steps] if *steps != "0" => {
            return Err(format!(
                "skip {steps} is not supported: assertions are checked from the first step on"
            ));
        }
        ["depth", depth] => {
            task.depth =
                Some(depth.parse().map_err(|_| format!("expected a number of steps, found {depth}"))?);
        }
        _ => {}
    }
    Ok(())
}

/// Outcomes with commas between them.
fn expected(list: &str) -> Result<Vec<Outcome>, String> {
    let words = list.split(',').filter(|word| !word.is_empty());
    let known = |word: &str| Outcome::ALL.into_iter().find(|one| one.word().eq_ignore_ascii_case(word));
    let outcome = |word: &str| {
        known(word).ok_or_else(|| format!("expected pass, fail, unknown, error or timeout, found {word}"))
    };
    let all: Vec<Outcome> = words.map(outcome).collect::<Result<_, _>>()?;
    if all.is_empty() {
        Err("expect needs an outcome: pass, fail, unknown, error or timeout".to_owned())
    } else {
        Ok(all)
    }
}

/// A line of `[files]`: a path, perhaps behind the name that the script uses.
fn list(task: &mut Task, (number, line): Line<'_>, directory: &Path) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some(source) = words.last() else { return };
    let path = directory.join(source);
    let name = match words.as_slice() {
        [name, _] => Some((*name).to_owned()),
        _ => path.file_name().map(|name| name.to_string_lossy().into_owned()),
    };
    task.lines.push((path.clone(), number));
    task.listed.extend(name.map(|name| (name, path)));
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROJECT: &str = "[tasks]\nprf\nwide prf big\n\n[options]\nmode prove\nbig: depth 7\n\n[engines]\nsmtbmc\n\n[script]\nread -formal -DONE a.v\nbig: read_verilog -sv -D TWO=2 sub.v\n~big: read -sv -Iinc b.v\nbig:\nhierarchy -top top -chparam W 8\n--\nprep -top top; opt -full # all\n\n[files]\n../rtl/a.v\nb.v\nsub.v ../rtl/other.v\n";

    fn read_tasks(text: &str, tasks: &[&str]) -> Result<Vec<Task>, String> {
        let tasks: Vec<String> = tasks.iter().map(|task| (*task).to_owned()).collect();
        read(Path::new("dir/p.sby"), text, &tasks, false).map_err(|error| error.to_string())
    }

    #[test]
    fn a_task_has_its_own_lines_and_those_of_all() {
        let all = read_tasks(PROJECT, &[]).expect("two tasks");
        let [prf, wide] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!((prf.name.as_deref(), prf.mode, prf.depth), (Some("prf"), Mode::Prove, None));
        assert_eq!(prf.files, [PathBuf::from("dir/../rtl/a.v"), PathBuf::from("dir/b.v")]);
        assert_eq!(prf.arguments, ["-D", "ONE", "-I", "dir/inc", "--top", "top"]);
        assert_eq!((wide.name.as_deref(), wide.depth), (Some("wide"), Some(7)));
        assert_eq!(wide.files, [PathBuf::from("dir/../rtl/a.v"), PathBuf::from("dir/../rtl/other.v")]);
        assert_eq!(wide.arguments, ["-D", "ONE", "-D", "TWO=2", "--top", "top", "-G", "W=8", "--top", "top"]);
        assert_eq!(read_tasks(PROJECT, &["wide"]), Ok(vec![wide.clone()]));
    }

    #[test]
    fn modes_and_depths_belong_to_tasks_and_some_tasks_are_the_default() {
        let text = "[tasks]\na b : short\nc long\nb c : default\n\n[options]\nshort:\nmode bmc\ndepth 3\n--\nlong: mode cover\n~short: depth 9\n";
        let all = read_tasks(text, &[]).expect("two tasks");
        let seen: Vec<_> = all
            .iter()
            .map(|task| (task.name.as_deref().unwrap_or(""), task.mode, task.depth, task.bound()))
            .collect();
        assert_eq!(seen, [("b", Mode::Bounded, Some(3), Some(2)), ("c", Mode::Cover, Some(9), None)]);
        let plain = read_tasks("[options]\nmode bmc\n", &[]).expect("one task");
        assert_eq!((plain.len(), plain[0].name.clone(), plain[0].bound()), (1, None, Some(19)));
    }

    #[test]
    fn a_task_that_is_not_understood_leaves_the_others() {
        let text = "[tasks]\na\nb\n[options]\na: mode prep\nb: mode prove\n";
        let all = read_tasks(text, &[]).expect("two tasks");
        assert_eq!(all[0].wrong.as_deref(), Some("dir/p.sby:5: mode prep is not supported"));
        assert_eq!((all[1].wrong.as_deref(), all[1].mode), (None, Mode::Prove));
    }

    #[test]
    fn outcomes_that_are_expected_belong_to_tasks() {
        let text = "[tasks]\na\nb\nc\n[options]\na: expect fail\nb: expect PASS,unknown, timeout\n";
        let all = read_tasks(text, &[]).expect("three tasks");
        let expected: Vec<Vec<&str>> =
            all.iter().map(|task| task.expected.iter().map(|one| one.word()).collect()).collect();
        assert_eq!(expected, [vec!["fail"], vec!["pass", "unknown", "timeout"], vec![]]);
    }

    #[test]
    fn files_may_stand_in_the_project() {
        let text =
            "[script]\nread -sv demo.v\n\n[file demo.v]\nmodule m; // #1\n  initial a[0] = 1;\nendmodule\n";
        let task = read_tasks(text, &[]).expect("one task").remove(0);
        assert_eq!(
            task.written,
            [("demo.v".to_owned(), "module m; // #1\n  initial a[0] = 1;\nendmodule\n".to_owned())]
        );
        assert_eq!(task.files, [PathBuf::from("demo.v")]);
    }

    #[test]
    fn what_is_not_understood_is_named_with_its_line() {
        let error = |text: &str| match read_tasks(text, &[]) {
            Ok(tasks) => tasks[0].wrong.clone().expect(text),
            Err(error) => error,
        };
        assert_eq!(error("[script]\nabc -g AND\n"), "dir/p.sby:2: the Yosys command abc is not supported");
        assert_eq!(error("[script]\nread -formal a.v\n"), "dir/p.sby:2: a.v is not listed in [files]");
        assert_eq!(error("[options]\nmode prep\n"), "dir/p.sby:2: mode prep is not supported");
        assert_eq!(
            error("[options]\nskip 3\n"),
            "dir/p.sby:2: skip 3 is not supported: assertions are checked from the first step on"
        );
        assert_eq!(
            error("[options]\nexpect failure\n"),
            "dir/p.sby:2: expected pass, fail, unknown, error or timeout, found failure"
        );
        assert_eq!(error("[options]\ndepth ten\n"), "dir/p.sby:2: expected a number of steps, found ten");
        assert_eq!(error("[tasks]\na\n[options]\nb: mode bmc\n"), "dir/p.sby:4: no task has the tag b");
        assert_eq!(error("[tasks]\na.* b\n"), "dir/p.sby:2: patterns of tasks are not supported: a.*");
        assert_eq!(
            error("[options]\n--pycode-begin--\nimport os\n--pycode-end--\n"),
            "dir/p.sby:2: Python code in a project is not executed (--pycode-begin--), unless --pycode allows it"
        );
        let unknown = read_tasks(PROJECT, &["wid"]).expect_err("no such task");
        assert!(unknown.contains("did you mean wide?"), "{unknown}");
    }
}
