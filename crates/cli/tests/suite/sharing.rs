//! Shares of the work, and farms of processes on this machine: what is lost is done again, and the result is that of one run.

use crate::common::{Run, Workspace, findings, share};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn propcov(workspace: &Workspace, arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_propcov"));
    command.current_dir(workspace.path()).args(arguments).output().expect("propcov starts").into()
}

/// What a run found, without who found it, how, and how long it took.
fn facts(document: &Value) -> Value {
    let mut facts = document.clone();
    for field in ["run", "stats", "notes", "gate"] {
        facts[field] = Value::Null;
    }
    let list = |value: &mut Value| value.as_array_mut().map(std::mem::take).unwrap_or_default();
    let mut of = list(&mut facts["findings"]);
    for finding in &mut of {
        for field in ["by", "evidence", "witness"] {
            finding[field] = Value::Null;
        }
    }
    facts["findings"] = of.into();
    let mut of = list(&mut facts["properties"]);
    for property in &mut of {
        for field in [
            "seconds",
            "engine",
            "evidence",
            "depth",
            "size",
            "helped_by",
            "core",
            "proof",
            "recalled",
            "certify_seconds",
        ] {
            property[field] = Value::Null;
        }
    }
    facts["properties"] = of.into();
    let mut of = list(&mut facts["cores"]);
    of.iter_mut().for_each(|row| row["seconds"] = Value::Null);
    facts["cores"] = of.into();
    facts
}

/// What is true, as bytes.
fn bytes(workspace: &Workspace, directory: &str) -> String {
    let run = propcov(workspace, &["report", directory, "--format", "facts"]);
    assert!(!run.stdout.is_empty(), "{}", run.stderr);
    run.stdout
}

fn document(path: &Path) -> Value {
    let mut results: Vec<PathBuf> = std::fs::read_dir(path.join("results"))
        .expect("results")
        .map(|entry| entry.expect("readable").path())
        .collect();
    results.sort();
    let text = std::fs::read_to_string(results.last().expect("a result")).expect("readable");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn shards_and_a_merge_have_the_result_of_one_run() {
    for example in ["queue.btor2", "mutex.smv", "fifo.btor2"] {
        let workspace = Workspace::example(example);
        let single = workspace.run("cover", &["-m", "cone,core,mutation", "--out", "single"]);
        assert_eq!(single.code, 0, "{}", single.stderr);
        for index in ["3", "1", "2", "1"] {
            let run = workspace.run(
                "cover",
                &["-m", "cone,core,mutation", "--shards", "3", "--shard", index, "--format", "json"],
            );
            assert_eq!(run.code, 0, "{example} {index}: {}", run.stderr);
            let shard = run.document()["run"]["shard"].clone();
            assert_eq!(shard, json!({ "index": index.parse::<u32>().expect("a number"), "count": 3 }));
        }
        let parts = ["propcov.out/shards/2-of-3", "propcov.out/shards/3-of-3", "propcov.out/shards/1-of-3"];
        let merged =
            propcov(&workspace, &[&["report", "whole", "--format", "json", "--merge"], &parts[..]].concat());
        assert_eq!(merged.code, 0, "{}", merged.stderr);
        assert_eq!(
            facts(&merged.document()),
            facts(&document(&workspace.path().join("single"))),
            "{example}"
        );
        assert_eq!(bytes(&workspace, "whole"), bytes(&workspace, "single"), "{example}");
        let verified = workspace.verify(&["whole"]);
        assert_eq!(verified.code, 0, "{}", verified.stdout);

        let partial = propcov(&workspace, &[&["report", "partial", "--merge"], &parts[..2]].concat());
        assert!(partial.stderr.contains("shard 1 of 3 is missing"), "{}", partial.stderr);
        assert_eq!(partial.code, 4, "what is missing is unknown: {}", partial.stdout);
    }
}

#[test]
fn a_shard_reads_what_others_have_kept_and_does_not_do_it_again() {
    let workspace = Workspace::example("queue.btor2");
    let cheap = ["-m", "mutation", "--tests", "cone,core,simulation", "--out", "first"];
    assert_eq!(workspace.run("cover", &cheap).code, 4);
    let mut reused = 0;
    for index in ["1", "2"] {
        let arguments =
            ["-m", "mutation", "--shards", "2", "--shard", index, "--base", "first", "--format", "json"];
        let run = workspace.run("cover", &arguments);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let document = run.document();
        let decided = document["stats"]["decided_by"].as_object().cloned().unwrap_or_default();
        for technique in ["core", "simulation"] {
            assert!(!decided.contains_key(technique), "{technique} was done before: {decided:?}");
        }
        reused += document["stats"]["reused"].as_u64().unwrap_or_default();
    }
    // Three properties and eighteen mutants, but for three that the cheap ones do not decide.
    assert_eq!(reused, 51);
}

#[test]
fn shards_that_are_not_there_and_directories_that_say_nothing_are_refused() {
    let workspace = Workspace::example("queue.btor2");
    for (arguments, why) in [
        (&["--shards", "3", "--shard", "4"][..], "--shard is from 1 to 3, not 4"),
        (&["--shards", "3", "--shard", "0"], "--shard is from 1 to 3, not 0"),
        (&["--shards", "3"], "--shards goes with --shard"),
        (&["--shard", "1"], "--shards"),
        (&["--shards", "0", "--shard", "1"], "0 is not in 1..=65536"),
        (&["--shards", "3", "--shard", "1", "--no-out"], "cannot be used with"),
    ] {
        let run = workspace.run("cover", arguments);
        assert!(run.code == 1 && run.stderr.contains(why), "{arguments:?}: {}", run.stderr);
    }
    std::fs::create_dir(workspace.path().join("empty")).expect("made");
    let run = propcov(&workspace, &["report", "whole", "--merge", "empty"]);
    assert!(
        run.code == 1
            && run.stderr.contains("no run of `propcov cover`, `cores` or `check` has ended in empty"),
        "{}",
        run.stderr
    );
    let run = propcov(&workspace, &["report", "whole", "--merge", "nowhere"]);
    assert!(run.code == 1 && run.stderr.contains("nowhere is no directory"), "{}", run.stderr);
}

/// Runs a farm on the design of a workspace to its end.
fn farm(workspace: &Workspace, design: &str, arguments: &[&str]) -> Run {
    propcov(workspace, &[&["farm", "run", design], arguments].concat())
}

/// A program that stands for propcov in jobs.
fn script(workspace: &Workspace, text: &str) -> String {
    let program = workspace.path().join("program");
    std::fs::write(&program, text).expect("written");
    assert!(Command::new("chmod").arg("+x").arg(&program).status().expect("chmod").success());
    program.display().to_string()
}

/// Somebody who looks after a farm with two workers.
fn drive(workspace: &Workspace, shards: &str, program: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_propcov"));
    command.current_dir(workspace.path()).args(["farm", "run", "queue.btor2", "-m", "mutation"]);
    command.args(["--workers", "2", "--shards", shards, "--program", program]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("propcov starts")
}

#[test]
fn a_farm_of_processes_has_the_result_of_one_run() {
    let workspace = Workspace::example("queue.btor2");
    let single = workspace.run("cover", &["-m", "cone,core,mutation", "--out", "single", "--format", "json"]);
    let run = farm(
        &workspace,
        "queue.btor2",
        &["-m", "cone,core,mutation", "--shards", "3", "--workers", "2", "--format", "json"],
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(facts(&run.document())["shares"], facts(&single.document())["shares"]);
    assert_eq!(findings(&run.document()), findings(&single.document()));
    assert_eq!(bytes(&workspace, "propcov.out"), bytes(&workspace, "single"));
    let status = propcov(&workspace, &["farm", "status"]);
    assert_eq!((status.code, status.stdout.as_str()), (0, "done\n"));
    // It is done: to ask again does nothing.
    let again = propcov(&workspace, &["farm", "resume"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    let other = farm(&workspace, "queue.btor2", &["-m", "mutation", "--shards", "5"]);
    assert!(other.code == 1 && other.stderr.contains("another plan"), "{}", other.stderr);
}

#[test]
fn any_command_that_takes_jobs_will_do() {
    let workspace = Workspace::example("queue.btor2");
    let submit = "nohup {command} > {log} 2>&1 & echo submitted as $!";
    let arguments = [
        "-m",
        "mutation",
        "--scheduler",
        "command",
        "--submit",
        submit,
        "--poll",
        "kill -0 {id}",
        "--kill",
        "kill {id}",
    ];
    let run = farm(
        &workspace,
        "queue.btor2",
        &[&arguments[..], &["--shards", "2", "--rounds", "1", "--format", "json"]].concat(),
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    let single = workspace.run("cover", &["-m", "mutation", "--no-out", "--format", "json"]);
    let all = json!("all");
    assert_eq!(share(&run.document(), "mutation", &all), share(&single.document(), "mutation", &all));
}

#[test]
fn jobs_that_are_killed_and_a_driver_that_dies_lose_nothing() {
    let workspace = Workspace::example("queue.btor2");
    // A program that is killed the first time that a shard is run, and once more for one of them, which is then cut in two.
    let text = format!(
        "#!/bin/sh\nfor last; do :; done\ncase $last in 1.*) n=$(cat tries.$last 2>/dev/null || echo 0); echo $((n + 1)) > tries.$last\n\
         case $last in 1.2-of-3) [ $n -ge 2 ] || kill -9 $$ ;; *) [ $n -ge 1 ] || kill -9 $$ ;; esac ;; esac\nexec '{}' \"$@\"\n",
        env!("CARGO_BIN_EXE_propcov")
    );
    let program = script(&workspace, &text);
    let mut driver = drive(&workspace, "3", &program);
    let start = Instant::now();
    while !workspace.path().join("propcov.out/farm/done/0.1-of-1.json").exists() {
        assert!(start.elapsed() < Duration::from_secs(120), "the first stage does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
    driver.kill().expect("killed");
    driver.wait().expect("ended");
    let run = propcov(&workspace, &["farm", "resume"]);
    assert_eq!(run.code, 0, "{}\n{}", run.stdout, run.stderr);
    let lost = |name: &str| std::fs::read_to_string(workspace.path().join(name)).unwrap_or_default();
    assert_eq!(lost("tries.1.1-of-3").trim(), "2", "killed once, run once");
    let parts = workspace.path().join("propcov.out/farm/work/1");
    assert!(
        parts.join("2-of-6").is_dir() && parts.join("5-of-6").is_dir(),
        "what is lost twice is cut in two"
    );
    let single = workspace.run("cover", &["-m", "mutation", "--no-out", "--format", "json"]);
    assert_eq!(findings(&document(&workspace.path().join("propcov.out"))), findings(&single.document()));
}

#[test]
fn a_farm_is_cancelled_and_goes_on() {
    let workspace = Workspace::example("queue.btor2");
    // Shards that wait until they are ended, the first time.
    let text = format!(
        "#!/bin/sh\nfor last; do :; done\ncase $last in 1.*) [ -e goes-on ] || exec sleep 1000 ;; esac\nexec '{}' \"$@\"\n",
        env!("CARGO_BIN_EXE_propcov")
    );
    let program = script(&workspace, &text);
    let mut driver = drive(&workspace, "2", &program);
    let start = Instant::now();
    let is_running = || propcov(&workspace, &["farm", "status"]).stdout.contains("2 running");
    while !(workspace.path().join("propcov.out/farm/done/0.1-of-1.json").exists() && is_running()) {
        assert!(start.elapsed() < Duration::from_secs(120), "the shards do not start");
        std::thread::sleep(Duration::from_millis(50));
    }
    let cancelled = propcov(&workspace, &["farm", "cancel"]);
    assert!(cancelled.stdout.starts_with("2 jobs were ended."), "{}{}", cancelled.stdout, cancelled.stderr);
    assert_eq!(driver.wait().expect("ended").code(), Some(4));
    assert!(propcov(&workspace, &["farm", "status"]).stdout.starts_with("cancelled in: round 1 of 2"));
    std::fs::write(workspace.path().join("goes-on"), "").expect("written");
    let run = propcov(&workspace, &["farm", "resume"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn what_can_never_be_done_is_said_once() {
    let workspace = Workspace::new("broken.btor2", "1 sort bitvec\n");
    let run = farm(&workspace, "broken.btor2", &["-m", "mutation"]);
    assert!(run.code == 1 && run.stderr.contains("the first stage cannot be done"), "{}", run.stderr);
    for (arguments, why) in [
        (&["--tests", "core"][..], "chooses techniques by itself"),
        (&["--shard", "1", "--shards", "2"], "not for a farm"),
        (&["--scheduler", "slurm", "--workers", "2"], "--workers is for --scheduler local"),
        (&["--scheduler", "command"], "--submit"),
        (&["--sbatch=-pX"], "--sbatch is for --scheduler slurm"),
    ] {
        let run = farm(&workspace, "broken.btor2", arguments);
        assert!(run.code == 1 && run.stderr.contains(why), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn cores_and_checks_are_shared_out_by_hand() {
    let workspace = Workspace::example("asw_2.lus");
    assert_eq!(workspace.run("cores", &["--out", "single"]).code, 0);
    for index in ["2", "1", "3", "2"] {
        let run = workspace.run("cores", &["--shards", "3", "--shard", index, "--format", "json"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(run.document()["run"]["shard"]["count"], 3);
    }
    let parts = ["propcov.out/shards/1-of-3", "propcov.out/shards/2-of-3", "propcov.out/shards/3-of-3"];
    let merged = propcov(&workspace, &[&["report", "whole", "--merge"], &parts[..]].concat());
    assert_eq!(merged.code, 0, "{}{}", merged.stdout, merged.stderr);
    assert_eq!(bytes(&workspace, "whole"), bytes(&workspace, "single"));
    assert_eq!(workspace.verify(&["whole"]).code, 0);
    let partial = propcov(&workspace, &["report", "partial", "--merge", parts[1]]);
    assert!(partial.stderr.contains("shards 1 of 3, 3 of 3 are missing"), "{}", partial.stderr);

    let workspace = Workspace::example("queue.btor2");
    let single = workspace.run("check", &["--out", "single", "--format", "facts"]);
    for index in ["2", "1"] {
        let run = workspace.run("check", &["--shards", "2", "--shard", index, "-q"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    let parts = ["propcov.out/shards/1-of-2", "propcov.out/shards/2-of-2"];
    let merged =
        propcov(&workspace, &[&["report", "whole", "--format", "facts", "--merge"], &parts[..]].concat());
    assert_eq!((merged.code, merged.stdout), (single.code, single.stdout), "{}", merged.stderr);
    // What is kept is not looked for again.
    let again = workspace.run("check", &["--out", "single", "--format", "json"]);
    let again = again.document();
    let properties = again["properties"].as_array().expect("properties");
    assert!(properties.iter().all(|property| property["recalled"] == true), "{properties:?}");
    for (arguments, why) in [
        (&["--shards", "2", "--shard", "3"][..], "--shard is from 1 to 2, not 3"),
        (&["--shards", "2", "--shard", "1", "--bound", "3"], "--engine and --bound are not for shards"),
        (
            &["--out", "x", "--core"],
            "--core and --advice do not go with `propcov check --out`: such verdicts",
        ),
        (&["--base", "x"], "--base goes with --shard or --out"),
    ] {
        let run = workspace.run("check", arguments);
        assert!(run.code == 1 && run.stderr.contains(why), "{arguments:?}: {}", run.stderr);
    }
    let run = workspace.run("cores", &["--shards", "2", "--shard", "1", "--depth", "3"]);
    assert!(run.code == 1 && run.stderr.contains("cannot be shared out"), "{}", run.stderr);
}

#[test]
fn farms_look_for_cores_and_check_properties() {
    let workspace = Workspace::example("asw_2.lus");
    assert_eq!(workspace.run("cores", &["--out", "single"]).code, 0);
    let run = propcov(
        &workspace,
        &["farm", "run", "cores", "asw_2.lus", "--shards", "3", "--workers", "2", "--out", "many"],
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(bytes(&workspace, "many"), bytes(&workspace, "single"));
    assert!(run.stderr.contains("min for each (from the first job)"), "{}", run.stderr);

    let workspace = Workspace::example("queue.btor2");
    let single = workspace.run("check", &["--format", "facts"]);
    let run = propcov(
        &workspace,
        &["farm", "run", "check", "queue.btor2", "--shards", "2", "--workers", "2", "--format", "facts"],
    );
    assert_eq!((run.code, run.stdout), (single.code, single.stdout), "{}", run.stderr);
}

#[test]
fn a_first_job_that_needs_more_memory_says_so_and_goes_on_when_it_may_have_it() {
    let workspace = Workspace::example("queue.btor2");
    let run = farm(&workspace, "queue.btor2", &["-m", "mutation", "--job-memory", "1M", "--workers", "1"]);
    assert!(run.code == 1 && run.stderr.contains("needs more than 1 MiB"), "{}", run.stderr);
    assert!(run.stderr.contains("--job-memory SIZE"), "{}", run.stderr);
    let run = propcov(&workspace, &["farm", "resume", "--job-memory", "2G"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
}

#[test]
fn a_directory_that_is_away_for_a_while_costs_nothing() {
    let workspace = Workspace::example("queue.btor2");
    let here = |name: &str| workspace.path().join(name);
    // The first shard waits until somebody has moved the directory away.
    let text = format!(
        "#!/bin/sh\nfor last; do :; done\ncase $last in 1.1-*) touch '{}'; while [ -e propcov.out/farm/plan.json ]; do sleep 0.02; done ;; esac\nexec '{}' \"$@\"\n",
        here("waits").display(),
        env!("CARGO_BIN_EXE_propcov")
    );
    let program = script(&workspace, &text);
    let mut driver = drive(&workspace, "2", &program);
    let start = Instant::now();
    while !here("waits").exists() {
        assert!(start.elapsed() < Duration::from_secs(120), "the first shard does not start");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::fs::rename(here("propcov.out"), here("elsewhere")).expect("moved");
    std::thread::sleep(Duration::from_secs(2));
    assert!(!here("propcov.out").exists(), "something was made in its place");
    std::fs::rename(here("elsewhere"), here("propcov.out")).expect("moved back");
    assert_eq!(driver.wait().expect("ended").code(), Some(0));
    let single = workspace.run("cover", &["-m", "mutation", "--out", "single"]);
    assert_eq!(single.code, 0, "{}", single.stderr);
    assert_eq!(bytes(&workspace, "propcov.out"), bytes(&workspace, "single"));
}

/// Puts a script where the programs of a scheduler are.
fn tool(workspace: &Workspace, name: &str, text: &str) {
    let tools = workspace.path().join("tools");
    std::fs::create_dir_all(&tools).expect("made");
    let path = tools.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("written");
    assert!(Command::new("chmod").arg("+x").arg(&path).status().expect("chmod").success());
}

/// The command, with these programs in front of all others.
fn with_tools(workspace: &Workspace, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_propcov"));
    let path = std::env::var("PATH").unwrap_or_default();
    let tools = workspace.path().join("tools");
    command.current_dir(workspace.path()).args(arguments);
    command.env("PATH", format!("{}:{path}", tools.display()));
    command
}

#[test]
fn a_farm_begins_anew_when_a_file_was_changed() {
    let workspace = Workspace::example("queue.btor2");
    let arguments = ["-m", "mutation", "--shards", "2", "--workers", "2", "--format", "facts"];
    let design = |example: &str| {
        let from = crate::common::root().join("examples").join(example);
        std::fs::copy(from, workspace.path().join("d.btor2")).expect("copied");
    };
    design("queue.btor2");
    let first = farm(&workspace, "d.btor2", &arguments);
    assert_eq!(first.code, 0, "{}", first.stderr);
    design("counter.btor2");
    let status = propcov(&workspace, &["farm", "status"]);
    assert_eq!(status.stdout.lines().next(), Some("done"));
    assert!(status.stdout.contains("d.btor2 changed since this farm was planned"), "{}", status.stdout);
    let resumed = propcov(&workspace, &["farm", "resume"]);
    assert!(resumed.code == 1 && resumed.stderr.contains("begins anew"), "{}", resumed.stderr);
    let second = farm(&workspace, "d.btor2", &arguments);
    assert_eq!(second.code, 0, "{}", second.stderr);
    assert!(second.stderr.contains("begins anew: d.btor2 changed"), "{}", second.stderr);
    let single =
        propcov(&workspace, &["cover", "d.btor2", "-m", "mutation", "--no-out", "--format", "facts"]);
    assert_eq!(second.stdout, single.stdout, "{}", single.stderr);
    assert_ne!(first.stdout, second.stdout);
    // The same question again is answered by what is there, and an option that comes from a file is one.
    let again = farm(&workspace, "d.btor2", &arguments);
    assert_eq!((again.code, again.stdout), (0, second.stdout), "{}", again.stderr);
    assert!(!again.stderr.contains("anew"), "{}", again.stderr);
    std::fs::write(workspace.path().join("propcov.toml"), "[cover]\nelements = [\"credits\"]\n")
        .expect("written");
    let other = farm(&workspace, "d.btor2", &arguments);
    assert!(other.stderr.contains("begins anew: propcov.toml changed"), "{}", other.stderr);
    // Another question has to be meant.
    let other = farm(&workspace, "d.btor2", &["-m", "cone", "--workers", "2", "--anew"]);
    assert_eq!(other.code, 0, "{}", other.stderr);
    let stdin = farm(&workspace, "-", &["--out", "x"]);
    assert!(stdin.code == 1 && stdin.stderr.contains("cannot read standard input"), "{}", stdin.stderr);
}

#[test]
fn lsf_is_understood_while_it_is_down_and_jobs_are_suspended() {
    let workspace = Workspace::example("queue.btor2");
    tool(
        &workspace,
        "bsub",
        "[ \"$1 $3 $5 $7\" = '-J -M -W -o' ] || exit 2\nlog=$8; shift 8\nnohup sh -c \"$*\" >>\"$log\" 2>&1 &\n\
         echo \"Memory reservation is (MB): 1024\"\necho \"Job <$!> is submitted to default queue <normal>.\"\necho $! >>jobs",
    );
    // Down at first, now and then; all jobs are suspended as far as it says.
    tool(
        &workspace,
        "bjobs",
        "n=$(cat asked 2>/dev/null || echo 0); echo $((n + 1)) >asked\n\
         [ $((n % 3)) != 0 ] || { echo 'LSF is down. Please wait ...' >&2; exit 255; }\nany=\n\
         for job in $(cat jobs); do [ ! -e /proc/$job ] || { any=1; echo \"$job me USUSP normal login1 node7 propcov Nov 18 20:01\"; }; done\n\
         [ -n \"$any\" ] || { echo 'No unfinished job found' >&2; exit 255; }",
    );
    let submit = "bsub -J {name} -M {memory} -W {minutes} -o {log} {command}";
    let arguments =
        ["farm", "run", "queue.btor2", "-m", "mutation", "--scheduler", "command", "--submit", submit];
    let rest = ["--poll", "bjobs -noheader", "--shards", "2", "--rounds", "1", "--format", "facts"];
    let run: Run =
        with_tools(&workspace, &[&arguments[..], &rest].concat()).output().expect("started").into();
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(!run.stderr.contains("lost"), "{}", run.stderr);
    let jobs = std::fs::read_to_string(workspace.path().join("jobs")).expect("written");
    assert_eq!(jobs.lines().count(), 4, "each was submitted once: {jobs}");
    let single = workspace.run("cover", &["-m", "mutation", "--no-out", "--format", "facts"]);
    assert_eq!(run.stdout, single.stdout);
}

#[test]
fn slurm_gets_no_index_beyond_its_largest() {
    let workspace = Workspace::example("queue.btor2");
    tool(
        &workspace,
        "sbatch",
        "for word; do case $word in\n--array=*) indices=$(echo ${word#--array=} | tr , ' ') ;;\n--wrap=*) wrap=${word#--wrap=} ;;\nesac; done\n\
         for i in $indices; do [ $i -le 1000 ] || { echo 'sbatch: error: Batch job submission failed: Invalid job array specification' >&2; exit 1; }; done\n\
         n=$(($(cat count 2>/dev/null || echo 0) + 1)); echo $n >count\n\
         for i in $indices; do echo ${n}_$i >>queue; done\n\
         for i in $indices; do export SLURM_ARRAY_TASK_ID=$i; eval \"set -- ${wrap#exec }\"; for last; do case $last in *-of-*) echo $last >>names ;; esac; done; done\n\
         echo $n",
    );
    tool(&workspace, "squeue", "cat queue 2>/dev/null; true");
    tool(&workspace, "scancel", "true");
    let arguments = ["farm", "run", "queue.btor2", "-m", "cone", "--scheduler", "slurm", "--shards", "1010"];
    let limits = ["--rounds", "1", "--job-memory", "1G", "--job-time", "5m"];
    let mut command = with_tools(&workspace, &[&arguments[..], &limits].concat());
    let mut driver = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("propcov starts");
    let start = Instant::now();
    let names = || std::fs::read_to_string(workspace.path().join("names")).unwrap_or_default();
    while !names().contains("2.1-of-1") {
        assert!(start.elapsed() < Duration::from_secs(60), "the last stage is not submitted");
        assert_eq!(driver.try_wait().expect("asked"), None, "it goes on");
        std::thread::sleep(Duration::from_millis(50));
    }
    driver.kill().expect("killed");
    driver.wait().expect("ended");
    let all = names();
    let shares: std::collections::BTreeSet<&str> =
        all.lines().filter(|name| name.starts_with("1.")).collect();
    assert_eq!(shares.len(), 1010, "each share has a job");
    assert!(shares.contains("1.1-of-1010") && shares.contains("1.1010-of-1010"));
}

#[test]
fn a_program_that_cannot_be_started_is_said_at_once_and_one_beside_the_design_is_found_from_anywhere() {
    let workspace = Workspace::example("queue.btor2");
    let start = Instant::now();
    for (program, why) in [("./nowhere", "nowhere is not there"), ("no-such-program-anywhere", "cannot run")]
    {
        let run = farm(&workspace, "queue.btor2", &["--program", program, "--out", program]);
        assert!(run.code == 1 && run.stderr.contains(why), "{}", run.stderr);
    }
    assert!(start.elapsed() < Duration::from_secs(60));
    script(&workspace, &format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_propcov")));
    let arguments = ["-m", "cone", "--program", "./program", "--shards", "1", "--workers", "1"];
    assert_eq!(farm(&workspace, "queue.btor2", &arguments).code, 0);
    let out = workspace.path().join("propcov.out");
    std::fs::remove_dir_all(out.join("farm/done")).expect("there");
    let mut command = Command::new(env!("CARGO_BIN_EXE_propcov"));
    let run: Run =
        command.current_dir("/").args(["farm", "resume"]).arg(&out).output().expect("started").into();
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn one_looks_after_a_farm_and_others_are_told_so() {
    let workspace = Workspace::example("queue.btor2");
    let program = script(&workspace, "#!/bin/sh\nexec sleep 1000\n");
    let mut driver = drive(&workspace, "2", &program);
    let start = Instant::now();
    while !workspace.path().join("propcov.out/farm/driver.json").exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "it does not start");
        std::thread::sleep(Duration::from_millis(20));
    }
    let other = propcov(&workspace, &["farm", "resume"]);
    assert!(other.code == 1 && other.stderr.contains("looks after this farm"), "{}", other.stderr);
    propcov(&workspace, &["farm", "cancel"]);
    assert_eq!(driver.wait().expect("ended").code(), Some(4));
    assert!(!workspace.path().join("propcov.out/farm/driver.json").exists());
}

#[test]
fn what_is_left_for_shares_is_decided_there_as_one_run_decides_it() {
    for (example, shards) in [("fifo.btor2", "3"), ("circular_queue_full.smv", "4")] {
        let workspace = Workspace::example(example);
        let single = workspace.run("cover", &["-m", "mutation", "--out", "single", "-q"]);
        assert!(single.code == 0 || single.code == 2, "{}", single.stderr);
        let run = farm(
            &workspace,
            example,
            &["-m", "mutation", "--head-start", "0", "--rounds", "1", "--shards", shards, "--workers", "2"],
        );
        assert_eq!(run.code, single.code, "{}", run.stderr);
        assert_eq!(bytes(&workspace, "propcov.out"), bytes(&workspace, "single"), "{example}");
        // What the first job has not decided, and who has.
        let work = workspace.path().join("propcov.out/farm/work");
        let pairs = |directory: &Path| -> std::collections::BTreeSet<String> {
            let document = document(directory);
            let decided = document["findings"].as_array().into_iter().flatten();
            let decided = decided.filter(|one| one["verdict"] != "unknown" && !one["property"].is_null());
            decided.map(|one| format!("{} {} {}", one["property"], one["subject"], one["edit"])).collect()
        };
        let first = pairs(&work.join("0/1-of-1"));
        let shares = std::fs::read_dir(work.join("1")).expect("shares");
        let of_shares: Vec<usize> =
            shares.map(|share| pairs(&share.expect("readable").path()).difference(&first).count()).collect();
        let busy = of_shares.iter().filter(|count| **count > 0).count();
        assert!(busy >= 2 && of_shares.iter().sum::<usize>() >= 4, "{example}: {of_shares:?}");
    }
}

#[test]
fn what_a_merge_lacks_is_said_by_its_report_as_well() {
    let workspace = Workspace::example("queue.btor2");
    assert_eq!(workspace.run("cover", &["-m", "mutation", "--shards", "2", "--shard", "1", "-q"]).code, 0);
    let merged = propcov(&workspace, &["report", "whole", "--merge", "propcov.out/shards/1-of-2"]);
    let says = "shard 2 of 2 is missing";
    assert_eq!(merged.stderr.matches(says).count(), 1, "{}", merged.stderr);
    let later = propcov(&workspace, &["report", "whole"]);
    assert_eq!(later.stderr.matches(says).count(), 1, "{}", later.stderr);
    // A run of all of it lacks nothing.
    assert_eq!(workspace.run("cover", &["-m", "mutation", "--out", "all", "-q"]).code, 0);
    let parts = ["propcov.out/shards/1-of-2", "all"];
    let merged = propcov(&workspace, &[&["report", "more", "--merge"], &parts[..]].concat());
    assert!(merged.code == 0 && !merged.stderr.contains("missing"), "{}", merged.stderr);
    assert_eq!(bytes(&workspace, "more"), bytes(&workspace, "all"));
    // One that has tried what is cheap lacks what shares would have found.
    let cheap = ["-m", "mutation", "--tests", "cone,core", "--out", "cheap", "-q"];
    assert_eq!(workspace.run("cover", &cheap).code, 4);
    let merged = propcov(&workspace, &["report", "less", "--merge", parts[0], "cheap"]);
    assert!(merged.stderr.contains(says), "{}", merged.stderr);
}

#[test]
fn directories_of_different_designs_or_questions_are_not_united() {
    let workspace = Workspace::example("queue.btor2");
    let shard = |index: &str, metric: &str, rest: &[&str]| {
        let arguments = ["-m", metric, "--shards", "2", "--shard", index, "-q"];
        let run = workspace.run("cover", &[&arguments[..], rest].concat());
        assert!(run.code == 0 || run.code == 4, "{}", run.stderr);
    };
    let parts = ["propcov.out/shards/1-of-2", "propcov.out/shards/2-of-2"];
    let merge = || propcov(&workspace, &[&["report", "whole", "--merge"], &parts[..]].concat());
    shard("1", "mutation", &[]);
    shard("2", "must", &[]);
    let run = merge();
    assert!(run.code == 1 && run.stderr.contains("are not parts of one result: shards of"), "{}", run.stderr);
    assert!(run.stderr.contains("-m mutation") && run.stderr.contains("-m must"), "{}", run.stderr);
    assert!(!workspace.path().join("whole").exists(), "nothing is copied");
    // Options that decide what is asked count, others do not.
    shard("2", "mutation", &["--edits", "zero"]);
    let run = merge();
    assert!(run.code == 1 && run.stderr.contains("--edits zero"), "{}", run.stderr);
    shard("2", "mutation", &["--seed", "7", "--threads", "1", "--format", "json"]);
    let run = merge();
    assert!(run.code == 0, "what the directory had before is history: {}", run.stderr);
    // The design was edited between two shards.
    let design = workspace.path().join("queue.btor2");
    let text = std::fs::read_to_string(&design).expect("there");
    std::fs::write(&design, format!("{text}; a comment\n")).expect("written");
    shard("2", "mutation", &[]);
    let run = merge();
    assert!(run.code == 1 && run.stderr.contains("queue.btor2 was changed in between"), "{}", run.stderr);
    // A run of all of the work that asked something else gives what it knows, and that is said.
    std::fs::write(&design, text).expect("written");
    shard("2", "mutation", &[]);
    assert_eq!(workspace.run("cover", &["-m", "cone", "--out", "cone", "-q"]).code, 0);
    let run = propcov(&workspace, &[&["report", "whole", "--merge", "cone"], &parts[..]].concat());
    assert!(
        run.code == 0 && run.stderr.contains("cone has a run of `propcov cover -m cone`"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_run_that_reuses_everything_has_a_design_all_the_same() {
    let workspace = Workspace::example("asw_2.lus");
    for _ in 0..2 {
        let run = workspace.run("cores", &["--all", "--out", "cores", "-q"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    let document = document(&workspace.path().join("cores"));
    let element = document["elements"][0]["name"].as_str().expect("an element").to_owned();
    let run = propcov(&workspace, &["impact", "--elements", &element, "--out", "cores"]);
    assert!(run.code == 0 || run.code == 4, "{}", run.stderr);
    let merged = propcov(&workspace, &["report", "whole", "--merge", "cores"]);
    assert_eq!(merged.code, 0, "{}", merged.stderr);
}
