"""Runs propcov on one model: the proof, our pipeline, the paper's, and every mutant by itself; and compares what they found.

Seconds are those that propcov reports: of the proof with its certification, and of coverage after the proof, with certification of every
finding. Reading the file and the sanity gate, which all have in common, count nowhere.
"""

import json, math, os, random, signal, statistics, subprocess, tempfile, time

SHARES = (50, 80, 90, 96, 99, 100)
METHODS = {"pipeline": [], "algorithm1": ["--tests", "algorithm1"]}
COLUMNS = ["model", "status", "registers", "mutants", "engine", "proof_seconds"]
for _method in METHODS:
    COLUMNS += [f"{_method}_{what}" for what in ("runs", "seconds", "decided", "covered", "by")]
    COLUMNS += [f"{_method}_at_{share}" for share in SHARES]
COLUMNS += ["naive_kind", "naive_measured", "naive_limited", "naive_seconds", "compared", "disagreements", "notes"]

# How long after its own deadline a process may still write its document.
GRACE = 60


class Run:
    """One finished propcov process."""

    def __init__(self, document, wall, note):
        self.wall, self.note = wall, note
        stats = (document or {}).get("stats", {})
        self.proof_seconds = stats.get("seconds", {}).get("proof", 0.0)
        self.seconds = stats.get("seconds", {}).get("coverage", wall)
        self.decided_at = {int(share): at for share, at in stats.get("decided_at", {}).items()}
        self.by = stats.get("decided_by", {})
        properties = (document or {}).get("properties") or []
        self.proved = bool(properties) and all(p["verdict"] == "proved" for p in properties)
        self.falsified = any(p["verdict"] == "falsified" for p in properties)
        self.engine = "+".join(sorted({p["engine"] or "" for p in properties}))
        self.names = {element["id"]: element["name"] for element in (document or {}).get("elements") or []}
        # (property, element's id, edit) -> verdict
        findings = [f for f in (document or {}).get("findings") or [] if "property" in f]
        # Whether an uncovered mutant has an effect is another question than the one that is timed here.
        same = {"no-effect": "uncovered"}
        self.findings = {(f["property"], f["subject"]["element"], f["edit"]): same.get(f["verdict"], f["verdict"]) for f in findings}

    def decided(self):
        return sum(verdict != "unknown" for verdict in self.findings.values())

    def is_whole(self):
        return bool(self.findings) and self.decided() == len(self.findings)

    def covered(self):
        return sum(verdict == "covered" for verdict in self.findings.values())


class Propcov:
    """A binary, with the options that all runs have in common."""

    def __init__(self, binary, threads, seed):
        self.command = [binary, "cover", "--metric", "mutation", "--format", "json", "--quiet", "--seed", str(seed)]
        self.command += ["--threads", str(threads)] if threads else []

    def cover(self, model, options, limit):
        """Runs `propcov cover`; after the limit in seconds it stops by itself, keeping what it has."""
        command = [*self.command, "--timeout", str(math.ceil(limit)), *options, str(model)]
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            output, errors = process.communicate(timeout=math.ceil(limit) + GRACE)
            note = errors.strip().replace("\n", " / ")
        except subprocess.TimeoutExpired:
            process.kill()
            output, note = process.communicate()[0], f"killed {GRACE} s after its deadline"
        except KeyboardInterrupt:
            # Ctrl-C reached it, too; twice makes it end at once.
            process.send_signal(signal.SIGINT)
            process.wait()
            raise
        try:
            document = json.loads(output)
        except json.JSONDecodeError:
            document, note = None, note or f"no document, exit code {process.returncode}"
        return Run(document, time.monotonic() - start, note)


def measure(model, propcov, arguments):
    """A row of the table."""
    row = dict.fromkeys(COLUMNS, "")
    row["model"] = model.stem
    with tempfile.TemporaryDirectory(prefix="propcov-bench-") as kept:
        # Proves, keeps the proof for the sample of mutants, and decides none.
        proof = propcov.cover(model, ["--out", kept, "--accuracy", "0%"], arguments.timeout)
        row.update(registers=len(proof.names), mutants=len(proof.findings), engine=proof.engine, notes=proof.note)
        if proof.falsified:
            return {**row, "status": "falsified", "disagreements": "safe according to RESULTS.csv, falsified by propcov"}
        if not proof.proved:
            return {**row, "status": "unproved", "proof_seconds": round(proof.wall, 6)}
        if not proof.findings:
            return {**row, "status": "nothing to mutate"}
        runs = {method: [] for method in METHODS}
        # What comes before coverage is not to take away from its time.
        limit = arguments.timeout + proof.wall
        naive = None
        for turn in range(arguments.repetitions):
            for method in METHODS if turn % 2 == 0 else reversed(METHODS):
                if all(run.wall < arguments.repeat_below for run in runs[method]):
                    runs[method].append(propcov.cover(model, ["--no-out", *METHODS[method]], limit))
            if naive is None:
                naive = Naive(model, propcov, arguments, proof, kept)
    proofs = [run.proof_seconds for run in [proof, *sum(runs.values(), [])] if run.proved]
    row.update(status="measured", proof_seconds=round(statistics.median(proofs), 6))
    for method in METHODS:
        row.update({f"{method}_{what}": value for what, value in medians(runs[method]).items()})
    row.update(naive.columns())
    everything = [(method, run) for method in METHODS for run in runs[method]] + [("naive", run) for run in naive.runs]
    row["compared"], conflicts = compare(everything, proof.names)
    row["disagreements"] = "; ".join(conflicts)
    row["notes"] = " / ".join(sorted({run.note for _, run in [("proof", proof), *everything] if run.note}))
    return row


def medians(runs):
    """What repetitions of the same run come to: medians of seconds, and the rest of the one that decided least."""
    least = min(runs, key=Run.decided)
    columns = {
        "runs": len(runs),
        "seconds": round(statistics.median(run.seconds for run in runs), 6),
        "decided": least.decided(),
        "covered": least.covered(),
        "by": ";".join(f"{technique}={count}" for technique, count in sorted(least.by.items())),
    }
    for share in SHARES:
        if share in least.decided_at:
            at = statistics.median(run.decided_at[share] for run in runs)
            columns[f"at_{share}"] = round(at, 6)
    return columns


class Naive:
    """Model checking every mutant by itself: a random sample of them, each within a limit; and all of them where that is short."""

    def __init__(self, model, propcov, arguments, proof, kept):
        mutants = sorted(proof.findings)
        self.total = len(mutants)
        self.whole = None
        random.Random(f"{arguments.sample_seed} {model.stem}").shuffle(mutants)
        self.runs, self.seconds, self.limited = [], [], 0
        for mutant in mutants:
            if len(self.seconds) >= arguments.sample:
                break
            _, element, edit = mutant
            # The kept proof is not made again, only checked.
            options = ["--out", kept, "--naive", "--elements", proof.names[element], "--edits", edit]
            run = propcov.cover(model, options, arguments.mutant_timeout)
            # A name may be a pattern or a list, or that of two elements.
            if set(run.findings) != {mutant}:
                continue
            self.runs.append(run)
            self.seconds.append(run.seconds)
            self.limited += not run.is_whole()
        if self.is_sample() and not self.limited and self.estimate() <= arguments.all_naive:
            whole = propcov.cover(model, ["--no-out", "--naive"], 5 * arguments.all_naive + proof.wall)
            if whole.is_whole():
                self.whole = whole
                self.runs.append(whole)

    def is_sample(self):
        return len(self.seconds) < self.total

    def estimate(self):
        return statistics.fmean(self.seconds) * self.total if self.seconds else math.inf

    def columns(self):
        if self.whole:
            kind, measured, seconds = "all", self.total, self.whole.seconds
        else:
            kind, measured = "sample" if self.is_sample() else "all", len(self.seconds)
            seconds = self.estimate()
        return {
            "naive_kind": kind if self.seconds else "none",
            "naive_measured": measured,
            "naive_limited": self.limited,
            "naive_seconds": round(seconds, 6) if self.seconds else "",
        }


def compare(runs, names):
    """How many mutants two methods or more decided, and where two runs contradict each other."""
    said, conflicts = {}, []
    for method, run in runs:
        for mutant, verdict in run.findings.items():
            if verdict != "unknown":
                said.setdefault(mutant, {}).setdefault(verdict, set()).add(method)
    compared = 0
    for (_, element, edit), verdicts in sorted(said.items()):
        compared += len(set().union(*verdicts.values())) > 1
        if len(verdicts) > 1:
            words = [f"{verdict} by {' and '.join(sorted(methods))}" for verdict, methods in sorted(verdicts.items())]
            conflicts.append(f"{names[element]} {edit}: {', '.join(words)}")
    return compared, conflicts


def circumstances(arguments, revision):
    """What the figures depend on."""
    processor = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "")
    version = subprocess.run([arguments.binary, "--version"], capture_output=True, text=True).stdout.strip()
    return {
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "processor": processor,
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2),
        "version": f"{version} ({revision})",
        "options": {
            name: getattr(arguments, name)
            for name in ("timeout", "repetitions", "repeat_below", "sample", "sample_seed", "mutant_timeout", "all_naive", "threads", "seed")
        },
    }
