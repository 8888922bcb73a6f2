"""What the measurements come to, as tables in Markdown.

*Work* is the number of counters that are set up, and of decrements of counters: both are what the O(m'n + mn') of HHK95 counts. A run in which nothing is removed decrements nothing, but it has counted.
*Answers* are how often an answer to a step was looked for while simulations were mended. No counter shows that work, so it is a figure of its own. Measurements of the time before it was counted have none.
"""

import math, pathlib, statistics, sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import processes
from measuring import METHODS, words

TEXTS = ("family", "algorithm", "status", "findings", "notes")
ALGORITHMS = tuple(dict.fromkeys(algorithm for algorithm, _ in METHODS))
# Growth is looked at from this many states on: below, a run is too small for an exponent.
SETTLED = 300


def typed(rows):
    """Rows as they are in the CSV, with numbers in place of text."""
    return [{name: text if name in TEXTS or text == "" else float(text) for name, text in row.items()} for row in rows]


def work(row):
    return row["counters"] + row["updates"]


def one(row):
    """The work of one similarity run."""
    return row["simulation_counters"] + row["simulation_updates"]


def scale(row):
    """By how much the figures of a run fall short. Naive takes the labels in a random order, so what it did is a sample."""
    reachable = row["labels"] - row["unreachable"]
    return reachable / row["decided"]


def is_usable(row):
    """Whether figures of all labels are known, or can be estimated."""
    if row["status"] == "finished":
        return True
    return row["status"] == "limited" and row["algorithm"] == "naive" and bool(row["decided"])


def figures(row):
    """Work and seconds of coverage, and both over those of one similarity run; `exact` unless estimated."""
    factor = 1.0 if row["status"] == "finished" else scale(row)
    first = one(row) if row["simulation_counters"] != "" else None
    done = work(row) * factor
    seconds = row["seconds"] * factor
    return {
        "work": done,
        "seconds": seconds,
        "ratio": done / first if first else None,
        "evidence": row["evidence_pairs"] * factor,
        "answers": (row.get("answers") or 0) * factor,
        "seconds_ratio": seconds / row["simulation_seconds"] if row["simulation_seconds"] else None,
        "exact": factor == 1,
    }


def series(rows, algorithm, threads=1):
    """By family and specification: usable rows by number of states."""
    result = {}
    for row in rows:
        if row["algorithm"] == algorithm and row["threads"] == threads and is_usable(row):
            result.setdefault((row["family"], row["specified"]), []).append(row)
    return {key: sorted(found, key=lambda row: row["states"]) for key, found in result.items()}


def line_through(points):
    """Slope and intercept by least squares; None if there is nothing to fit."""
    if len({x for x, _ in points}) < 2:
        return None
    middle_x, middle_y = statistics.fmean(x for x, _ in points), statistics.fmean(y for _, y in points)
    slope = sum((x - middle_x) * (y - middle_y) for x, y in points) / sum((x - middle_x) ** 2 for x, _ in points)
    return slope, middle_y - slope * middle_x


def exponent(rows, name):
    """e of the n^e that a figure grows like."""
    points = [(math.log(row["states"]), math.log(value)) for row in rows if row["states"] >= SETTLED and (value := figures(row)[name])]
    line = line_through(points)
    return line[0] if line else None


def slope(rows):
    """How much the ratio grows when n is doubled."""
    points = [(math.log2(row["states"]), value) for row in rows if row["states"] >= SETTLED and (value := figures(row)["ratio"])]
    line = line_through(points)
    return line[0] if line else None


def number(value, digits=3):
    """So many digits, without exponents up to a million."""
    if value is None or value == "":
        return ""
    if value and abs(value) < 1e6:
        return f"{value:.{max(0, digits - 1 - math.floor(math.log10(abs(value))))}f}"
    return f"{value:.{digits - 1}e}" if value else "0"


def signed(value):
    return "" if value is None else f"{value:+.2f}"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def growth(rows):
    """A line for each family and specification: how the ratio grows."""
    lines = []
    order = list(dict.fromkeys(row["family"] for row in rows))
    every = {algorithm: series(rows, algorithm) for algorithm in ALGORITHMS}
    for key, found in sorted(every["divide"].items(), key=lambda item: (order.index(item[0][0]), item[0][1])):
        known = [row for row in found if figures(row)["ratio"]]
        if not known:
            continue
        first, last = known[0], known[-1]
        per_log = [f"{number(figures(row)['ratio'] / math.log2(row['states']))}" for row in (first, last)]
        exponents = [signed(exponent(every[algorithm].get(key, []), "ratio")) for algorithm in ALGORITHMS]
        lines.append([
            key[0], f"{last['specification_states']:.0f}", f"{first['states']:.0f} to {last['states']:.0f}", number(figures(first)["ratio"]), number(figures(last)["ratio"]), *per_log,
            signed(slope(found)), *exponents, signed(exponent(found, "seconds")), signed(exponent(found, "evidence")), signed(exponent(found, "answers")),
        ])
    head = ["family", "n'", "n", "ratio at the smallest n", "at the largest", "ratio / log2 n at the smallest", "at the largest", "ratio per doubling of n"]
    return table(head + [f"exponent of {algorithm}" for algorithm in ALGORITHMS] + ["of divide's seconds alone", "of its evidence", "of its answers"], lines)


def details(rows, family):
    """A line for each pair of graphs of a family."""
    by = {}
    for row in rows:
        if row["family"] == family:
            by.setdefault((row["specified"], row["n"]), {})[row["algorithm"], int(row["threads"])] = row
    lines = []
    for (_, _), methods in sorted(by.items(), key=lambda item: item[0]):
        # Where divide was given up, naive may still know how large the graphs are.
        row = next((row for row in methods.values() if row["states"] != ""), None)
        if row is None:
            continue
        line = [f"{row['states']:.0f}", f"{row['transitions']:.0f}", f"{row['specification_states']:.0f}", percent(row), seconds_of(row["simulation_seconds"])]
        line.append(number(one(row)) if row["simulation_counters"] != "" else "")
        for method in METHODS:
            line.append(cell(methods.get(method), "seconds"))
        for algorithm in ALGORITHMS:
            line.append(cell(methods.get((algorithm, 1)), "ratio"))
        known = row["algorithm"] == "divide" and is_usable(row) and figures(row)["ratio"]
        line.append(number(known / math.log2(row["states"])) if known else "")
        line.append(number(figures(row)["answers"] or None) if known else "")
        line += [number(row["bytes"] / 1e6), number(row["bytes"] / (row["states"] * row["specification_states"])), number(row["peak_bytes"] / 1e6)]
        lines.append(line)
    head = ["n", "m", "n'", "covered", "one run: s", "work", *(f"{words(method)}: s" for method in METHODS)]
    head += [f"{algorithm}: work / one run" for algorithm in ALGORITHMS] + ["divide: that / log2 n", "divide: answers", "MB", "bytes / (n n')", "MB of the process"]
    return table(head, lines)


def percent(row):
    decided = row["decided"]
    return f"{100 * row['covered'] / decided:.0f} %" if decided and row["status"] == "finished" else ""


def seconds_of(value):
    return "" if value in ("", None) else processes.seconds(value)


def cell(row, name):
    """A figure; `~` before an estimate, `>` before what a run that was stopped had done."""
    if row is None:
        return ""
    if not is_usable(row):
        return row["status"] if row["seconds"] == "" or name != "seconds" else f"> {seconds_of(row['seconds'])}"
    value = figures(row)
    text = seconds_of(value[name]) if name == "seconds" else number(value[name])
    return text if value["exact"] or not text else f"~{text}"


def middle(values):
    values = [value for value in values if value is not None]
    return statistics.median(values) if values else None


def pairs_of(rows):
    """Each pair of graphs once."""
    return list(dict.fromkeys((row["family"], row["specified"], row["n"]) for row in rows))


def unfinished(rows):
    """Where divide had not enough time, or was given up."""
    done = {(row["family"], row["specified"], row["n"]) for row in rows if row["algorithm"] == "divide" and row["threads"] == 1 and row["status"] == "finished"}
    missing = {}
    for family, specified, n in pairs_of(rows):
        if (family, specified, n) not in done:
            missing.setdefault((family, specified), []).append(n)
    if not missing:
        return "Divide with one thread finished on all pairs.\n"
    words = [f"{family} with n' about {specified:.0f} from n about {min(sizes):.0f} on" for (family, specified), sizes in missing.items()]
    return f"Not finished by divide with one thread: {sum(map(len, missing.values()))} pairs; {', '.join(words)}.\n"


def overview(rows):
    """A few numbers over all families. Whoever was given up has not finished."""
    lines, pairs = [], pairs_of(rows)
    for algorithm in ALGORITHMS:
        found = series(rows, algorithm)
        grown = [value for key in found if (value := exponent(found[key], "ratio")) is not None]
        run = [row for row in rows if row["algorithm"] == algorithm and row["threads"] == 1]
        finished = [row for row in run if row["status"] == "finished"]
        ratios = [value / math.log2(row["states"]) for row in finished if (value := figures(row)["ratio"])]
        largest = max((row["states"] for row in finished), default=0)
        lines.append([algorithm, f"{len(finished)} of {len(pairs)}", f"{largest:.0f}", number(middle(ratios)), number(max(ratios, default=None)), signed(middle(grown)), signed(min(grown, default=None)), signed(max(grown, default=None))])
    head = ["algorithm", "finished", "largest n", "work / one run / log2 n: median", "largest", "exponent of n in work / one run: median", "smallest", "largest"]
    return table(head, lines)


def threads(rows):
    """What a second thread gains, where there is something to gain."""
    two = {(row["family"], row["specified"], row["n"]): row for row in rows if row["algorithm"] == "divide" and row["threads"] == 2}
    gains = []
    for row in rows:
        other = two.get((row["family"], row["specified"], row["n"]))
        if row["algorithm"] == "divide" and row["threads"] == 1 and other and row["status"] == other["status"] == "finished" and row["seconds"] >= 0.1:
            gains.append(row["seconds"] / other["seconds"])
    if not gains:
        return ""
    return f"Two threads instead of one, {len(gains)} pairs on which coverage takes 0.1 s or more: {statistics.median(gains):.2f} times as fast in the median, {min(gains):.2f} to {max(gains):.2f}.\n"


def memory(rows):
    found = [row for row in rows if row["algorithm"] == "divide" and row["threads"] == 1 and row["status"] == "finished" and row["states"] >= 10_000]
    if not found:
        return ""
    each = [row["bytes"] / (row["states"] * row["specification_states"]) for row in found]
    most = max(found, key=lambda row: row["peak_bytes"])
    return (
        f"Memory of divide with one thread, {len(found)} pairs of 10^4 states or more: sets, counters and trail take {number(min(each))} to {number(max(each))} bytes for each of the n n' pairs of states, {number(statistics.median(each))} in the median. "
        f"The largest process had {number(most['peak_bytes'] / 1e6)} MB ({most['family']}, n = {most['states']:.0f}, n' = {most['specification_states']:.0f}).\n"
    )


def problems_of(rows, wrong):
    return [f"{row['family']} {row['n']:.0f} {row['specified']:.0f} {row['algorithm']}: {row['notes']}" for row in rows if row["status"] == "FAILED"] + list(wrong)


def summary(rows, run, problems):
    text = ["# Coverage by simulating specifications: growth over one similarity run", "", circumstances(run), ""]
    if problems:
        text += [f"**{len(problems)} FAILURES**", "", *(f"- {problem}" for problem in problems), ""]
    compared = {}
    for row in rows:
        if row["status"] == "finished":
            compared.setdefault((row["family"], row["specified"], row["n"]), set()).add(row["algorithm"])
    several = sum(len(found) > 1 for found in compared.values())
    text += [f"{len(pairs_of(rows))} pairs of graphs. On {several} of them two algorithms or more finished; " + ("all agree about every label." if not problems else "see above."), ""]
    text += [overview(rows), unfinished(rows), threads(rows), memory(rows), "## Growth", "", growth(rows)]
    text += ["![work over one similarity run](ratios.svg)", "", "![seconds](seconds.svg)", ""]
    for family in dict.fromkeys(row["family"] for row in rows):
        text += [f"## {family}", "", details(rows, family)]
    return "\n".join(text)


def circumstances(run):
    options = ", ".join(f"{name} {value}" for name, value in run.get("options", {}).items())
    known = {"version": "?", "date": "?", "processor": "?", "cores": "?", "load": "?", "load_after": "?"} | run
    return f"{known['version']}, {known['date']}; {known['processor']}, {known['cores']} cores, load before {known['load']}, after {known['load_after']}. Options: {options}."
