"""What the measurements come to, as tables in Markdown.

Nobody gains by giving up: where a method leaves a mutant undecided its speed-up counts as zero and its overhead as infinite in all
medians and shares; geometric means are over the models it finishes, and their number is given.
"""

import math, statistics

from measuring import METHODS, SHARES

TITLES = {"pipeline": "our pipeline", "algorithm1": "Algorithm 1"}
# What is left to these needs a model checker's search for each mutant, or for all that are left.
SEARCHES = {"pipeline": ("family-ic3", "ic3"), "algorithm1": ("interpolation",)}
ORDER = {
    "pipeline": ("cone", "core", "simulation", "family-induction", "family-bmc", "repair", "family-ic3", "ic3"),
    "algorithm1": ("core", "counterexample", "induction", "induction-restart", "interpolation"),
}
UNDECIDED = "undecided"
LARGE = 50
FACTORS = (1, 2, 5, 10)
# Proofs shorter than this take about as long as starting anything does.
REAL_PROOF = 0.1


def typed(rows):
    """Rows as they are in the CSV, with numbers and counts in place of text."""
    words = ("model", "status", "engine", "naive_kind", "disagreements", "notes")
    result = []
    for row in rows:
        by = {name: dict(map(count, filter(None, text.split(";")))) for name, text in row.items() if name.endswith("_by")}
        numbers = {name: text and float(text) for name, text in row.items() if name not in words and name not in by}
        result.append(row | numbers | by)
    return result


def count(text):
    technique, number = text.split("=")
    return technique, int(number)


def measured(rows):
    return [row for row in rows if row["status"] == "measured"]


def is_whole(row, method):
    return row[f"{method}_decided"] == row["mutants"]


def seconds(row, method, with_proof=True):
    return row[f"{method}_seconds"] + (row["proof_seconds"] if with_proof else 0.0)


def speedup(row, method, with_proof=True):
    """How many times as fast as naive: zero if it does not finish, a lower bound where naive's seconds are one."""
    return row["naive_seconds"] / seconds(row, method, with_proof) if is_whole(row, method) else 0.0


def overhead(row, method, share):
    """The seconds until a share is decided, in units of the proof's."""
    at = row[f"{method}_at_{share}"]
    return math.inf if at == "" else at / row["proof_seconds"]


def shares(row, method):
    """Which part of the mutants each technique decided, and which part none."""
    by = row[f"{method}_by"]
    parts = {technique: by.get(technique, 0) / row["mutants"] for technique in ORDER[method]}
    parts |= {technique: number / row["mutants"] for technique, number in by.items() if technique not in parts}
    return parts | {UNDECIDED: 1 - row[f"{method}_decided"] / row["mutants"]}


def searched(row, method):
    """Which part of the mutants is left to a model checker's search."""
    parts = shares(row, method)
    return sum(parts[technique] for technique in (*SEARCHES[method], UNDECIDED))


def quantile(values, share):
    """The least value that so large a share of the values does not exceed."""
    values = sorted(values)
    return values[max(0, math.ceil(share * len(values)) - 1)] if values else math.nan


def geometric_mean(values):
    values = [value for value in values if value > 0]
    return math.exp(statistics.fmean(map(math.log, values))) if values else math.nan


def percent(part, whole):
    return f"{100 * part / whole:.0f} %" if whole else "-"


def factor(value):
    if math.isnan(value):
        return "-"
    digits = ".2g" if value < 1 else ".1f" if value < 10 else ".0f"
    return "never" if math.isinf(value) else f"{value:{digits}}x"


def table(head, rows):
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in [head, ["---"] * len(head), *rows]]
    return "\n".join(lines) + "\n"


def line(row):
    """A row while it is measured."""
    if row["status"] != "measured":
        return f"{row['model']}: {row['status']}"
    words = [f"{row['model']}: {row['mutants']} mutants, proof {row['proof_seconds']:.3f} s"]
    words += [f"{TITLES[method]} {row[f'{method}_seconds']:.3f} s ({row[f'{method}_decided']} decided)" for method in METHODS]
    words.append(f"naive {row['naive_seconds']} s ({row['naive_kind']}, {row['naive_limited']} limited)")
    words += [text for text in (row["disagreements"], row["notes"]) if text]
    return ", ".join(words)


def summary(rows, run):
    """The text, and whether nobody contradicted anybody."""
    models = measured(rows)
    conflicts = [row for row in rows if row["disagreements"]]
    parts = ["# Mutation coverage of registers: Figures 2, 3 and 4\n", introduction(rows, models, run), agreement(models, conflicts)]
    if models:
        parts += [figure2(models), figure3(models), figure4(models)]
    notes = [f"- {row['model']}: {row['notes']}" for row in rows if row["notes"]]
    if notes:
        parts.append("## What propcov said besides\n\n" + "\n".join(notes) + "\n")
    return "\n".join(parts), not conflicts


def introduction(rows, models, run):
    text = []
    if run:
        options = ", ".join(f"{name.replace('_', '-')} {value}" for name, value in run["options"].items() if value is not None)
        text.append(
            f"{run['version']}, {run['date']}; {run['processor']}, {run['cores']} cores, load before {run['load']}, "
            f"after {run.get('load_after', 'unknown (interrupted)')}. Options: {options}.\n"
        )
    mutants = sum(row["mutants"] for row in models)
    registers = [row["registers"] for row in models]
    text.append(
        f"{len(rows)} of {run.get('models', len(rows))} models, {len(models)} measured: {mutants:.0f} mutants"
        + (f"; median {statistics.median(registers):.0f} registers, most {max(registers):.0f}.\n" if models else ".\n")
    )
    for status in sorted({row["status"] for row in rows} - {"measured"}):
        names = [row["model"] for row in rows if row["status"] == status]
        why = "skipped, as the proof itself took more than the limit" if status == "unproved" else f"not measured, {status}"
        text.append(f"{why[0].upper()}{why[1:]} ({len(names)}): {', '.join(names)}.\n")
    return "\n".join(text)


def agreement(models, conflicts):
    compared = sum(row["compared"] for row in models)
    decided = [[f"{TITLES[m]}", *everything(models, m)] for m in METHODS]
    text = table(["", "models with everything decided", "mutants decided", "not finished"], decided)
    text += f"\nMutants decided by two methods or more: {compared:.0f}. Disagreements: {len(conflicts) or 'none'}.\n"
    for row in conflicts:
        text += f"\n- **{row['model']}**: {row['disagreements']}"
    return text + ("\n" if conflicts else "")


def everything(models, method):
    whole = [row for row in models if is_whole(row, method)]
    decided, mutants = (sum(row[name] for row in models) for name in (f"{method}_decided", "mutants"))
    open_ones = [row["model"] for row in models if not is_whole(row, method)]
    names = ", ".join(open_ones[:8]) + (f" and {len(open_ones) - 8} more" if len(open_ones) > 8 else "")
    share = f"{100 * decided / mutants:.2f} %" if mutants else "-"
    return [f"{len(whole)} of {len(models)}", share, names or "-"]


def figure2(models):
    models = [row for row in models if row["naive_seconds"] != ""]
    kinds = {kind: [row for row in models if row["naive_kind"] == kind] for kind in ("all", "sample")}
    limited = [row for row in models if row["naive_limited"]]
    text = "## Figure 2: against naive\n\n"
    text += (
        f"How many times as fast as model checking each mutant by itself. Naive was measured in full on {len(kinds['all'])} models, and on "
        f"{len(kinds['sample'])} estimated from a random sample (mean times number of mutants). On {len(limited)} of them some mutants of the "
        "sample were not decided within the limit and count as the limit: these factors are lower bounds.\n\n"
    )
    head = ["", "models"]
    for method in METHODS:
        head += [f"{TITLES[method]}: median", "geometric mean (finished)", "100 times or more"]
    groups = [("all", models), (f"{LARGE} registers or more", [row for row in models if row["registers"] >= LARGE])]
    lines = []
    for with_proof, what in ((True, "proof and coverage"), (False, "coverage after the proof")):
        for name, group in groups:
            cells = [f"{what}, {name}", len(group)]
            for method in METHODS:
                factors = [speedup(row, method, with_proof) for row in group]
                finished = [value for value in factors if value > 0]
                middle = statistics.median(factors) if factors else math.nan
                cells += [factor(middle), f"{factor(geometric_mean(finished))} ({len(finished)})"]
                cells.append(percent(sum(value >= 100 for value in factors), len(factors)))
            lines.append(cells)
    text += table(head, lines)
    both = [row for row in models if all(is_whole(row, method) for method in METHODS)]
    if both:
        ratios = [seconds(row, "algorithm1", False) / seconds(row, "pipeline", False) for row in both]
        text += (
            f"\nCoverage by Algorithm 1 takes {factor(statistics.median(ratios))} the seconds of our pipeline in the median of the "
            f"{len(both)} models that both finish, {factor(geometric_mean(ratios))} in the geometric mean.\n"
        )
    return text


def figure3(models):
    text = "## Figure 3: who decides\n\n"
    for method in METHODS:
        mutants = sum(row["mutants"] for row in models)
        parts = [shares(row, method) for row in models]
        names = [*ORDER[method]] + sorted({n for part in parts for n in part} - {*ORDER[method], UNDECIDED}) + [UNDECIDED]
        lines = []
        for name in names:
            total = sum(part.get(name, 0) * row["mutants"] for part, row in zip(parts, models))
            mean = statistics.fmean(part.get(name, 0) for part in parts)
            lines.append([name, f"{total:.0f}", f"{100 * total / mutants:.2f} %", f"{100 * mean:.2f} %"])
        text += table([TITLES[method], "mutants", "of all mutants", "of a model's mutants, on average"], lines)
        few = sum(searched(row, method) <= 0.1 for row in models)
        text += f"\nAt most 10 % of the mutants are left to a search ({', '.join(SEARCHES[method])}) in {percent(few, len(models))} of the models.\n\n"
    return text


def figure4(models):
    text = "## Figure 4: overhead over the proof\n\n"
    text += "Seconds of coverage until a share of the mutants is decided, divided by the seconds of the proof.\n"
    real = [row for row in models if row["proof_seconds"] >= REAL_PROOF]
    for name, group in (("All models", models), (f"Models whose proof takes at least {REAL_PROOF} s", real)):
        if not group:
            continue
        text += f"\n{name}: {len(group)}.\n\n"
        head = ["decided", "by", "median", *(f"within {bound}x" for bound in FACTORS), "90 % of the models within"]
        lines = []
        for share in SHARES:
            for method in METHODS:
                factors = [overhead(row, method, share) for row in group]
                within = [percent(sum(value <= bound for value in factors), len(factors)) for bound in FACTORS]
                lines.append([f"{share} %", TITLES[method], factor(quantile(factors, 0.5)), *within, factor(quantile(factors, 0.9))])
        text += table(head, lines)
    return text + "\nThe paper: 90 % decided at 2x, 96 % at 5x, for 90 % of its models.\n"
