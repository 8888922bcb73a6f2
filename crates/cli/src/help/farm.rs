//! `propcov help farm`.

/// What `propcov farm` does, at length.
pub(crate) const FARM: &str = "\
Measure coverage on many machines.

A hundred thousand mutants, or six hundred assertions times four thousand registers, outgrow one machine. Teams have a scheduler: propcov uses it. `propcov farm run` takes what `propcov cover` takes, and \
who runs jobs: `local` (processes of this machine), `slurm` (job arrays), or `command` (a template for LSF, SGE, Kubernetes, GNU parallel or whatever else takes a command line).

The first job proves properties and tries what is cheap on all mutants. What is left is cut into shares by content: each property and element belongs to one of N shares, on every machine alike. \
Rounds go over the shares; in the second, each job knows the runs and lemmas that others have found in the first. The last job unites all directories and checks all evidence again. The result is in the run \
directory (--out), as if one machine had done it all; the farm itself is in its directory `farm`.

Nothing depends on a job being run once. What it finds is kept as it is found. A job that is killed, preempted or lost with its machine is submitted again; one that needs more memory than it may have is \
cut in two, as is one that was lost twice. After --tries it is given up, and the result says which shares are missing. Whoever looks after a farm may end: jobs go on (of Slurm, all stages; of others, those \
that are running), `propcov farm resume` goes on from there, `propcov farm status` says how far it is, `propcov farm cancel` ends all jobs.

All machines have to see the same files under the same names: the run directory, the design, and propcov itself.

Without a farm: `propcov cover FILE --shards N --shard I` does one share, reads what others have kept with --base DIR, and keeps what it finds in a directory of its own; `propcov report DIR --merge DIR...` unites them.";

/// Examples for `propcov help farm`.
pub(crate) const FARM_EXAMPLES: &str = "\
Examples:
  propcov farm run soc.sv -m mutation --workers 8
      Eight processes of this machine.

  propcov farm run soc.sv -m mutation --scheduler slurm --shards 256 --sbatch=--partition=short --job-time 30m
      Job arrays of Slurm, each job at most half an hour.

  propcov farm run soc.sv -m mutation --scheduler command --submit 'bsub -J {name} -M {memory} -W {minutes} -o {log} {command}' \\
      --poll 'bjobs -noheader {id} | grep -qE \"PEND|RUN\"' --kill 'bkill {id}'
      LSF.

  propcov farm status propcov.out
      How far it is.

  propcov cover soc.sv -m mutation --shards 8 --shard 3 && propcov report propcov.out --merge propcov.out/shards/*
      By hand: the third of eight shares; when all eight are there, the whole.";
