//! `propcov help farm`.

/// What `propcov farm` does, at length.
pub(crate) const FARM: &str = "\
Measure coverage, look for cores or check properties on many machines.

A hundred thousand mutants, or six hundred assertions times four thousand registers, outgrow one machine. Teams have a scheduler: propcov uses it. `propcov farm run` takes what `propcov cover` takes, \
`propcov farm run cores` and `propcov farm run check` what these commands take, and who runs jobs: `local` (processes of this machine), `slurm` (job arrays), or `command` (a template for LSF, SGE, PBS, Kubernetes or whatever else takes a command line).

The first job proves properties and tries what is cheap on all mutants. What is left is cut into shares by content: each property and element belongs to one of N shares, on every machine alike. \
Rounds go over the shares, the largest first; in the second, each job knows the runs and lemmas that others have found in the first. The last job unites all directories and checks all evidence again. The result is in the run \
directory (--out), as if one machine had done it all: `propcov report DIR --format facts` has the same bytes as that of one run, unless one of them decided more. The farm itself is in its directory `farm`.

`check` is shared by property. So is `cores`, if there are more than 16 properties; of fewer, the search for all cores of each property is divided. CTL and liveness properties have no evidence that could be kept: the last job decides them.

Memory and time of a job follow from what the first job needed: four times its memory (at least 1 GiB), four times its time (at least an hour). That is said while it runs; --job-memory and --job-time say otherwise, also to \
`propcov farm resume`. Where limits are measured, Slurm gets the shares when the first job has ended; where both are given, it gets all stages at once, and goes on without us.

Nothing depends on a job being run once. What it finds is kept as it is found. A job that is killed, preempted or lost with its machine is submitted again; one that needs more memory than it may have is \
cut in two, as is one that was lost twice. After --tries it is given up: `propcov farm status` counts it, the result says which shares are missing, and `propcov farm resume` tries again. A disk that is full, or away for a minute or two, is waited for. Whoever looks after a farm may end: jobs go on (of Slurm, all stages; of others, those \
that are running), `propcov farm resume` goes on from there, `propcov farm status` says how far it is, `propcov farm cancel` ends all jobs.

`--submit` prints the job's name: the first number is taken (`Job <123> is submitted`, `Your job 123 (...)`), or the only word (`123.server`), or what --id says. `--poll` lists all jobs, each at the beginning of a line, or says something about `{id}`. A job is gone when an answer lacks it, or says that it is done or unknown, \
three times; suspended jobs are there, and a poll that fails without such words has said nothing. Between tries there is a pause, twice as long each time.

`propcov farm run` again, with the same options, prints the result that is there. If the design, what it includes or `propcov.toml` has changed, it begins anew, and `propcov farm status` and `resume` say so; --anew does it in any case. What is kept is used again. One process looks after a farm; another one is told who does.

All machines have to see the same files under the same names: the run directory, the design, and propcov itself.

Without a farm: `propcov cover FILE --shards N --shard I` (also `cores`, `check`) does one share, reads what others have kept with --base DIR, and keeps what it finds in a directory of its own; `propcov report DIR --merge DIR...` unites them.";

/// Examples for `propcov help farm`.
pub(crate) const FARM_EXAMPLES: &str = "\
Examples:
  propcov farm run soc.sv -m mutation --workers 8
      Eight processes of this machine.

  propcov farm run soc.sv -m mutation --scheduler slurm --shards 256 --sbatch=--partition=short --job-time 30m
      Job arrays of Slurm, each job at most half an hour.

  propcov farm run soc.sv -m mutation --scheduler command --submit 'bsub -J {name} -M {memory} -W {minutes} -o {log} {command}' \\
      --poll 'bjobs -noheader' --kill 'bkill {id}'
      LSF.

  propcov farm run soc.sv -m mutation --scheduler command --submit 'qsub -terse -b y -V -N {name} -l h_vmem={memory}M -j y -o {log} {command}' \\
      --poll 'qstat' --kill 'qdel {id}'
      SGE. PBS: --submit 'echo {command} | qsub -N {name} -l mem={memory}mb -j oe -o {log}'.

  propcov farm run soc.sv -m mutation --scheduler command --submit './pod {job} {memory} {command}' \\
      --poll 'kubectl get pods -o name --field-selector=status.phase!=Succeeded,status.phase!=Failed' --kill 'kubectl delete {id}'
      Kubernetes: ./pod is a script with `kubectl run propcov-$1-$(date +%s) --restart=Never ...`, which mounts the files.

  propcov farm run cores controller.lus --all --scheduler slurm --shards 32
      All minimal cores, the search divided into 32 parts.

  propcov farm run check soc.sv --workers 8
      Hard properties side by side.

  propcov farm resume propcov.out --job-memory 16G
      After a job that needed more memory than it was allowed.

  propcov farm status propcov.out
      How far it is.

  propcov cover soc.sv -m mutation --shards 8 --shard 3 && propcov report propcov.out --merge propcov.out/shards/*
      By hand: the third of eight shares; when all eight are there, the whole.";
