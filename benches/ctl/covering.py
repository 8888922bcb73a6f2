"""Runs `propcov check` and `propcov cover` on one model, and takes apart what coverage costs.

All seconds but those of whole processes come from the document that propcov writes, so that plain checking and coverage are of one process:

plain     building the model, its reachable states, and the verdicts of the properties, with a run where one shows a verdict
coverage  what there is to be covered, what is, all counts, what each property adds, and a smallest set of properties
prepaid   for the fair states, and of transition coverage for the relation as well, if the verdicts did not need them, but a look at their sanity and evidence
          did. Coverage needs these sets and finds them there: without `prepaid` it would look cheaper than it is.

Evidence, lists of holes, reading and writing count in whole processes only.
"""

import json, math, statistics

import measuring

SHARES = ("plain", "coverage", "prepaid", "holes", "evidence")
COLUMNS = ["model", "metric", "semantics", "signals", "observed", "properties", "measured", "status", "runs"]
COLUMNS += ["total", "covered", "percent", "certified", *(f"{name}_seconds" for name in SHARES), "check_plain_seconds"]
COLUMNS += ["overhead", "overhead_after_check", "overhead_over_check", "check_process_seconds", "cover_process_seconds", "process_overhead"]
COLUMNS += ["variables", "peak_nodes", "reorderings", "disagreements", "notes"]

# Mutation semantics is measured on models with at most so many states.
FEW_STATES = 20_000
NOT_ACCEPTABLE = "observability is not defined for it"


class Said:
    """What one process said."""

    def __init__(self, document, seconds, note):
        self.document, self.seconds, self.note = document, seconds, note
        stats = document.get("stats") or {}
        diagrams = stats.get("diagrams") or {}
        self.diagrams = diagrams
        # Without diagrams there was no time for them.
        self.is_whole = bool(diagrams)
        seconds = lambda phase: (stats.get("seconds") or {}).get(phase, 0)
        metric = next((row["metric"] for row in self.rows()), None)
        self.shares = {
            "plain": seconds("reachability") + seconds("verdicts"),
            "prepaid": seconds("fair") + (seconds("relation") if metric == "transition" else 0),
            **{name: seconds(name) for name in ("coverage", "holes", "evidence")},
        }
        for row in self.rows():
            if row["percent"] is None or row["percent"][0] != row["percent"][1]:
                self.is_whole, self.note = False, note or row["reason"] or "not known exactly"

    def rows(self):
        """Those of the document, each with its share."""
        shares = {json.dumps(share["scope"]): share for share in self.document.get("shares") or []}
        counts = ("total", "covered", "percent", "certified")
        rows = []
        for row in self.document.get("states") or []:
            observed = row.get("observed")
            share = shares.get(json.dumps("all" if observed is None else {"observed": observed})) or {}
            absent = {"observed": None, "reachable": None, "reason": None, "properties": []}
            rows.append({**absent, **row, **{name: share.get(name) for name in counts}, "certified": share.get("certified", False)})
        return rows

    def row(self):
        """That of the only signal, or of all together."""
        return self.rows()[-1]

    def proved(self):
        properties = self.document.get("properties") or []
        return [property["name"] for property in properties if property["kind"] == "ctl" and property["verdict"] == "proved"]

    def counts(self):
        """All that must not differ from one repetition to the next."""
        parts = lambda row: tuple((part["property"], part.get("covered"), part.get("unique")) for part in row["properties"])
        return [(row["observed"], row["reachable"], row["total"], row["covered"], parts(row)) for row in self.rows()]


class Propcov:
    def __init__(self, binary, memory):
        self.binary, self.memory = binary, memory

    def run(self, words, model, properties, limit):
        options = [word for name in properties for word in ("--property", name)]
        command = [self.binary, *words, "--format", "json", "--quiet", "--timeout", str(math.ceil(limit)), *options, str(model)]
        output, errors, code, seconds = measuring.timed(command, math.ceil(limit) + measuring.GRACE, self.memory)
        note = measuring.first_line(errors).replace(str(model), model.name)
        if code is None:
            note = f"killed {measuring.GRACE} s after its deadline"
        try:
            document = json.loads(output)
        except json.JSONDecodeError:
            document, note = {}, note or f"no document, exit code {code}"
        return Said(document, seconds, note)

    def check(self, model, properties, limit):
        return self.run(["check"], model, properties, limit)

    def cover(self, model, properties, limit, metric, observed=None, semantics="observability"):
        words = ["cover", "--no-out", "--metric", metric, "--semantics", semantics, *(["--observe", observed] if observed else [])]
        return self.run(words, model, properties, limit)


def most_mentioned(rows):
    """The signal that most properties check, the first by name of several; None if there is none."""
    mentions = {}
    for row in rows:
        if row["observed"] is not None:
            is_measurable = lambda part: part["mentions"] and not (part.get("reason") or "").startswith(NOT_ACCEPTABLE)
            mentions[row["observed"]] = sum(map(is_measurable, row["properties"]))
    best = max(mentions.values(), default=0)
    return min(name for name, count in mentions.items() if count == best) if best else None


def measure(model, recorded, propcov, arguments):
    """The rows of a model."""
    first = propcov.check(model, [], arguments.timeout)
    properties = first.proved()
    conflicts = [] if first.note else differences(len(properties), recorded)
    blank = {**dict.fromkeys(COLUMNS, ""), "model": model.stem, "properties": len(properties), "status": "unfinished"}
    if not properties:
        note = first.note or "no CTL property is proved"
        return [{**blank, "metric": "state", "disagreements": "; ".join(conflicts), "notes": note}]
    all_signals = propcov.cover(model, properties, arguments.timeout, "state")
    observed = most_mentioned(all_signals.rows())
    if observed is None:
        note = all_signals.note or "observability is defined for no property that mentions a signal"
        return [{**blank, "metric": "state", "disagreements": "; ".join(conflicts), "notes": note}]
    cover = lambda *words: lambda: propcov.cover(model, properties, arguments.timeout, *words)
    tasks = {
        "check": lambda: propcov.check(model, properties, arguments.timeout),
        ("state", "observability", 1): cover("state", observed),
        ("transition", "observability", 1): cover("transition", observed),
    }
    signals = sum(row["observed"] is not None for row in all_signals.rows())
    if signals > 1:
        tasks["state", "observability", signals] = cover("state")
        tasks["transition", "observability", signals] = cover("transition")
    reachable = all_signals.row()["reachable"]
    if reachable is not None and int(reachable) <= FEW_STATES:
        tasks["state", "mutation", 1] = cover("state", observed, "mutation")
    runs = repeated(tasks, arguments)
    checks = runs.pop("check")
    rows = []
    for (metric, semantics, count), said in runs.items():
        row = {**blank, "metric": metric, "semantics": semantics, "signals": count, "observed": observed if count == 1 else "all"}
        row.update(figures(said, checks))
        conflicts_here = differing(said) + counted(said[0], metric, recorded)
        if semantics == "observability" and count == 1 and metric == "state":
            conflicts_here += conflicts + same_signal(said[0], all_signals, observed)
        row["disagreements"] = "; ".join(dict.fromkeys(conflicts_here))
        rows.append(row)
    return rows


def repeated(tasks, arguments):
    """Each task in turn, in alternating order. What is too long, or not finished, is not repeated."""
    runs = {name: [] for name in tasks}
    for turn in range(arguments.repeat):
        for name in tasks if turn % 2 == 0 else reversed(tasks):
            done = runs[name]
            if all(said.is_whole and said.seconds < arguments.repeat_below for said in done):
                done.append(tasks[name]())
    return runs


def figures(said, checks):
    """Medians of what the repetitions took, and the coverage that they found."""
    median = lambda values: statistics.median(list(values))
    broken = [one for one in said if not one.is_whole]
    found = {"status": "unfinished" if broken else "finished", "runs": len(said), "notes": broken[0].note if broken else ""}
    some = broken[0] if broken else said[0]
    if some.rows():
        row = some.row()
        found.update(total=row["total"] or "", covered=row["covered"] or "", certified=row["certified"])
        found["measured"] = sum(part["mentions"] and part.get("covered") is not None and part.get("reason") is None for part in row["properties"])
    found["cover_process_seconds"] = round(median(one.seconds for one in said), 4)
    found["check_process_seconds"] = round(median(one.seconds for one in checks), 4)
    found.update({name: some.diagrams.get(name, "") for name in ("variables", "peak_nodes", "reorderings")})
    for name in SHARES:
        found[f"{name}_seconds"] = round(median(one.shares[name] for one in said), 6)
    plain = median(one.shares["plain"] for one in checks)
    found["check_plain_seconds"] = round(plain, 6)
    if broken:
        return found
    found["percent"] = round(said[0].row()["percent"][0], 4)
    both = lambda shares: shares["coverage"] + shares["prepaid"]
    found["overhead"] = round(median(both(one.shares) / one.shares["plain"] for one in said), 4)
    found["overhead_after_check"] = round(median(one.shares["coverage"] / one.shares["plain"] for one in said), 4)
    # Another process, whose diagrams have no variables for other values, and no propositions that are changed.
    if all(one.is_whole for one in checks):
        work = median(one.shares["plain"] + both(one.shares) for one in said)
        found["overhead_over_check"] = round(work / plain - 1, 4)
        found["process_overhead"] = round(found["cover_process_seconds"] / found["check_process_seconds"] - 1, 4)
    return found


def differences(proved, recorded):
    """Whether as many properties are true as NuSMV says."""
    expected = sum(verdicts.count("true") for verdicts in recorded.verdicts.values())
    return [] if proved == expected else [f"{proved} properties are true, recorded {expected}"]


def differing(said):
    """Whether repetitions found the same."""
    whole = [one.counts() for one in said if one.is_whole]
    return ["repetitions differ"] if any(counts != whole[0] for counts in whole) else []


def counted(said, metric, recorded):
    """Whether there are as many states as NuSMV says."""
    if metric != "state" or not said.rows():
        return []
    row, conflicts = said.row(), []
    for name, recorded_as in (("reachable", "reachable"), ("total", "fair")):
        if row[name] is not None and recorded_as in recorded.counts and measuring.printed(row[name]) != recorded.counts[recorded_as]:
            conflicts.append(f"{recorded_as} {measuring.printed(row[name])}, recorded {recorded.counts[recorded_as]}")
    return conflicts


def same_signal(alone, among_others, observed):
    """Whether a signal is covered as much alone as among others."""
    if not (alone.is_whole and among_others.is_whole):
        return []
    others = [row["covered"] for row in among_others.rows() if row["observed"] == observed]
    return [] if others == [alone.row()["covered"]] else [f"{observed} alone {alone.row()['covered']}, among others {others}"]
