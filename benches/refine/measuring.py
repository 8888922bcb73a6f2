"""One process of `propcov refine` at a time: what it found, how long it took, and how much work that was.

Work is read from the document. `simulation_figures` are those of one similarity run on the implementation as it is, `coverage_figures` those of coverage, which begins where that run ended.
"""

import hashlib, json, math, multiprocessing, os, statistics, subprocess, tempfile, threading, time
from dataclasses import dataclass, field

from graphs import OBSERVED

# (algorithm, threads), in the order of the tables.
METHODS = (("divide", 1), ("divide", 2), ("figure3", 1), ("naive", 1))
# What takes longer than this is not repeated.
REPEATED_BELOW = 1
# How long after its own deadline a process may still write its document.
GRACE = 20
COLUMNS = (
    "family", "n", "specified", "algorithm", "threads", "status", "states", "transitions", "specification_states", "specification_transitions", "runs",
    "labels", "decided", "covered", "uncovered", "unreachable", "findings",
    "simulation_seconds", "simulation_updates", "simulation_counters", "seconds", "updates", "answers", "counters", "pairs", "similarity_runs", "ended_early", "decided_at_once", "evidence_pairs",
    "process_seconds", "bytes", "peak_bytes", "notes",
)


@dataclass
class Sample:
    """One run. `figures` are all numbers of the row that a run has."""

    status: str
    figures: dict = field(default_factory=dict)
    findings: str = ""
    notes: str = ""

    @property
    def answer(self):
        """What must be the same for all algorithms, if they finish."""
        return tuple(self.figures.get(name) for name in ("labels", "covered", "uncovered", "unreachable")) + (self.findings,)


def run(binary, instance, method, limit):
    """One run, started by a process of its own. The kernel counts the memory of whoever starts a process as that process's, and documents are large when they are read."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(run_here, (binary, instance, method, limit))


def run_here(binary, instance, method, limit):
    algorithm, threads = method
    command = [binary, "refine", str(instance.implementation), str(instance.specification), "--observe", OBSERVED, "--algorithm", algorithm, "--threads", str(threads)]
    command += ["--stats", "--format", "json", "--quiet", "--timeout", str(math.ceil(limit)), "--criteria", "none"]
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        start = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        killer = threading.Timer(limit + GRACE, process.kill)
        killer.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        killer.cancel()
        output.seek(0)
        errors.seek(0)
        sample = read(output.read(), errors.read().decode(errors="replace"), process.returncode)
    sample.figures.update(process_seconds=seconds, peak_bytes=usage.ru_maxrss * 1024)
    return sample


def read(output, errors, code):
    """What a document says."""
    said = errors.strip().replace("\n", " / ")
    try:
        document = json.loads(output)
        refinement, stats, shares = document["refinement"], document["stats"], document.get("shares")
        # One proposition is observed, so the share of all labels, which is the first, is the share of its labels. What is zero may be left out.
        counts = {name: int(shares[0].get(name, 0)) for name in ("covered", "uncovered", "unknown", "dead", "total")} if shares else None
    except (ValueError, KeyError, TypeError, IndexError):
        return Sample("FAILED", notes=f"exit code {code}: {said or 'no document'}")
    if said or refinement.get("simulates") is False:
        return Sample("FAILED", notes=said or "not simulated")
    if counts is None:
        return Sample("limited", notes=refinement.get("reason", ""))
    work = lambda question, name: stats["counts"].get(f"{question}: {name}", 0)
    models = refinement["implementation"], refinement["specification"]
    findings = document.get("findings", [])
    lists = [sorted(entry["subject"]["label"]["state"] for entry in findings if entry["verdict"] == verdict) for verdict in ("covered", "uncovered")]
    figures = dict(
        states=int(models[0]["states"]),
        transitions=int(models[0]["transitions"]),
        specification_states=int(models[1]["states"]),
        specification_transitions=int(models[1]["transitions"]),
        labels=counts["total"],
        decided=counts["covered"] + counts["uncovered"],
        covered=counts["covered"],
        uncovered=counts["uncovered"],
        unreachable=counts["dead"],
        simulation_seconds=stats["seconds"]["simulation"],
        simulation_updates=work("simulation", "counter updates"),
        simulation_counters=work("simulation", "counters"),
        seconds=stats["seconds"]["coverage"],
        updates=work("coverage", "counter updates"),
        answers=work("coverage", "answers looked for"),
        counters=work("coverage", "counters"),
        pairs=work("coverage", "pairs of states in question"),
        similarity_runs=work("coverage", "runs of similarity"),
        ended_early=work("coverage", "runs ended early"),
        decided_at_once=work("coverage", "labels decided without a run"),
        evidence_pairs=work("coverage", "pairs in evidence"),
        bytes=work("coverage", "bytes of memory"),
    )
    digest = hashlib.sha256(json.dumps(lists).encode()).hexdigest()[:12]
    return Sample("limited" if counts["unknown"] else "finished", figures, digest if not counts["unknown"] else "")


def is_repeated(samples):
    return not samples or (samples[-1].status == "finished" and samples[-1].figures["process_seconds"] < REPEATED_BELOW)


def row(instance, method, samples):
    """Medians of the runs of a method. Without runs, it was given up."""
    samples = samples or [Sample("given up")]
    kept = [sample for sample in samples if sample.figures.get("labels") is not None] or samples
    result = dict.fromkeys(COLUMNS, "") | {"family": instance.family, "n": instance.n, "specified": instance.specified, "algorithm": method[0], "threads": method[1]}
    worst = next((sample for state in ("FAILED", "limited") for sample in samples if sample.status == state), samples[0])
    result |= {"status": worst.status, "notes": worst.notes, "findings": kept[0].findings, "runs": sum(sample.status != "given up" for sample in samples)}
    for name in kept[0].figures:
        values = [sample.figures[name] for sample in kept if sample.figures.get(name) is not None]
        if values:
            value = statistics.median(values)
            result[name] = round(value, 6) if isinstance(value, float) and not value.is_integer() else int(value)
    return result


def disagreements(instance, samples):
    """Where two runs that finished say something different. `samples` by method."""
    finished = [(method, sample) for method, runs in samples.items() for sample in runs if sample.status == "finished"]
    if not finished:
        return []
    first_method, first = finished[0]
    name = f"{instance.family} {instance.n} {instance.specified}"
    wrong = [
        f"{name}: {words(first_method)} says {first.answer}, {words(method)} says {sample.answer}" for method, sample in finished if sample.answer != first.answer
    ]
    # The work of an algorithm is the same whatever the number of threads.
    for algorithm in {method[0] for method, _ in finished}:
        for figure, what in (("updates", "counter updates"), ("answers", "answers looked for")):
            work = {sample.figures[figure] for method, sample in finished if method[0] == algorithm}
            if len(work) > 1:
                wrong.append(f"{name}: {what} of {algorithm} differ from run to run: {sorted(work)}")
    return wrong


def words(method):
    algorithm, threads = method
    return algorithm if threads == 1 else f"{algorithm} ({threads} threads)"
