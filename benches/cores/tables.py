"""From rows to Markdown."""

import collections, math, pathlib, statistics, sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from processes import quartiles, seconds

# What is asked, the thesis's algorithm for it, its mean overhead over the proof in percent (chapters 5 and 6, 660 models), our aim, and the column of published_results.csv.
ASKED = (
    ("one", "IVC_UC", 31, 10, "uc_s"),
    ("minimal", "IVC_UCBF", 2276, 200, "ucbf_s"),
    ("must", "IVC_MUST", 4183, 200, "must_s"),
    ("all", "All_IVCs", 9588, 1000, "all_s"),
)
# Ratios to a proof shorter than this are mostly about the cost of doing anything at all.
LONG_PROOF = 0.01


def number(text):
    try:
        return float(text) if any(c in text for c in ".e") else int(text)
    except ValueError:
        return text


def typed(rows, texts=("model", "mode", "status", "notes")):
    """Rows as they were before they were written."""
    return [{name: value if name in texts else number(value) for name, value in row.items()} for row in rows]


def table(head, lines):
    text = "| " + " | ".join(head) + " |\n|" + "---|" * len(head) + "\n"
    return text + "".join("| " + " | ".join(str(cell) for cell in cells) + " |\n" for cells in lines) + "\n"


def percent(value):
    return f"{100 * value:.0f} %" if abs(value) >= 0.1 else f"{100 * value:.1f} %"


def by_model(rows):
    found = collections.defaultdict(dict)
    for row in rows:
        found[row["model"]][row["mode"]] = row
    return found


def summary(rows, agreements, published, run, problems):
    models = by_model(rows)
    parts = [
        "# Validity cores: propcov next to what was published of JKind\n",
        f"{run['date']}, {run['processor']}, {run['cores']} cores, load {run['load']} before and {run.get('load_after', '?')} after. {run['version']}. "
        f"{run['timeout']:g} s for each process, at most {run['repeat']} rounds (one for what takes 2 s or more), models `{run['only']}`: {len(models)}.\n",
        alarm(problems),
        answered(models),
        agreement(agreements),
        must_agreement(agreements, rows, published),
        overhead(models, published),
        wall_clock(models, published),
        sizes(models, published),
        slowest(models, published),
        left_open(rows),
    ]
    return "\n".join(part for part in parts if part)


def alarm(problems):
    if not problems:
        return "No failures: no internal error, no crash, no refuted property, no contradiction between our own runs or with second opinions.\n"
    return f"**{len(problems)} FAILURES:**\n\n" + "".join(f"- **{problem}**\n" for problem in problems)


def answered(models):
    lines = []
    for mode in ("check", *(asked[0] for asked in ASKED)):
        runs = [modes[mode] for modes in models.values() if mode in modes]
        good = [row for row in runs if row["status"] == "answered"]
        if runs:
            lines.append([f"`cores --{mode}`" if mode != "check" else "`check`", len(good), len(runs) - len(good)] + spread(row["seconds"] for row in good))
    head = ["asked", "answered and certified", "open", "median s", "upper quartile", "largest", "total"]
    return "## Answers, and wall-clock seconds of whole processes\n\n" + table(head, lines)


def spread(values):
    values = list(values)
    if not values:
        return ["-"] * 4
    return [seconds(statistics.median(values)), seconds(quartiles(values)[2]), seconds(max(values)), seconds(sum(values))]


def agreement(rows):
    if not rows:
        return ""
    counts = collections.Counter(row["cores"] for row in rows)
    total = lambda name: sum(row[name] for row in rows)
    published = total("published")
    text = "## Minimal cores, as sets of names\n\n" + table(["per model", "models"], counts.most_common())
    text += table(
        ["per published core", "cores"],
        [
            ["all", published],
            ["in our list, certified minimal", total("equal")],
            ["not minimal: contains a smaller core that has a certified proof", total("not_minimal")],
            ["inadequate: there is a run to a violation that keeps all of its equations", total("inadequate")],
            ["open: our list is not complete, and nothing we have settles it", total("open")],
        ],
    )
    text += f"{total('more')} minimal cores of ours were not published. {sum(row['complete'] == 'yes' for row in rows)} of {len(rows)} lists are certified complete.\n"
    different = [row for row in rows if row["not_minimal"] or row["inadequate"] or row["open"] or row["more"]]
    if different:
        text += "\nDifferences, and what settles them (a proof of a smaller core, or runs):\n\n"
        head = ["model", "published", "ours", "complete", "equal", "ours only", "not minimal", "inadequate", "open", "for example"]
        columns = ["model", "published", "ours", "complete", "equal", "more", "not_minimal", "inadequate", "open", "notes"]
        text += table(head, [[row[column] for column in columns] for row in different])
    return text


def must_agreement(rows, results, published):
    if not rows:
        return ""
    counts = collections.Counter(row["must"] for row in rows)
    text = "## MUST sets, as sets of names\n\n" + table(["per model", "models"], counts.most_common())
    text += (
        "Published here is what all published cores have in common, with the property's own equation. *Too large*: we have a certified core without that element. "
        "*Too small*: without it the property fails, and the run was replayed.\n\n"
    )
    different = [row for row in rows if row["must_published_only"] or row["must_ours_only"]]
    if different:
        text += table(["model", "published only", "ours only"], [[row["model"], row["must_published_only"], row["must_ours_only"]] for row in different])
    return text + must_sizes(results, published)


def must_sizes(results, published):
    """JKind's own MUST runs are published as sizes only, sometimes without the property's own equation."""
    kinds = collections.Counter()
    for row in results:
        theirs = published.get(row["model"], {}).get("must_size")
        if row["mode"] == "must" and row["status"] == "answered" and theirs:
            difference = int(theirs) - row["must"]
            kinds["equal" if difference == 0 else "smaller by one" if difference == -1 else "smaller by more" if difference < 0 else "larger"] += 1
    if not kinds:
        return ""
    said = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
    return f"JKind's own runs of IVC_MUST, of which only sizes are published, next to our sets: {said}. Where they are smaller by one it is usually the property's own equation, which JKind does not always list.\n"


def overhead(models, published):
    head = ["asked", "models", "mean", "median", "of totals", "whole process: mean", "median", "of totals", "within one process: mean", "median", "JKind, thesis", "JKind, these models", "aim"]
    lines = []
    for group, low in (("", 0), (f", proof of {1000 * LONG_PROOF:g} ms or more", LONG_PROOF)):
        for mode, algorithm, thesis, aim, column in ASKED:
            pairs = [(m["check"], m[mode]) for m in models.values() if is_answered(m, "check") and is_answered(m, mode) and m["check"]["engine_seconds"] >= max(low, 1e-6)]
            if not pairs:
                continue
            theirs = [float(published[a["model"]][column]) / float(published[a["model"]]["proof_s"]) for a, _ in pairs if a["model"] in published]
            lines.append(
                [f"--{mode}{group}", len(pairs), *extra(pairs, "engine_seconds"), *extra(pairs, "seconds"), *inside(pairs), f"{algorithm} {thesis} %" if not low else "-",
                 percent(statistics.fmean(theirs)) if theirs else "-", f"below {aim} %" if not low else "-"]
            )
    text = "## Overhead over the proof\n\n" + table(head, lines)
    return text + (
        "The first three columns: (engine seconds of `cores --X` − engine seconds of `check`) / engine seconds of `check`, two processes of the same round, no certification in either; engine seconds of "
        "`cores` are those of its proof and of the search. *Mean* and *median* are of the models' ratios, *of totals* is the ratio of sums. *Whole process*: the same of wall-clock seconds, with start-up, reading, "
        "sanity gate and certification in both. *Within one process*: seconds of the search over seconds of the proof, both of `cores --X`; its proof may be another than that of `check`. "
        "JKind's figures are of the search over the proof; *these models* are the means of the published columns over the models of this line.\n"
    )


def is_answered(modes, mode):
    return mode in modes and modes[mode]["status"] == "answered"


def extra(pairs, name):
    ratios = [(more[name] - plain[name]) / plain[name] for plain, more in pairs if plain[name] > 0]
    total, plain = sum(more[name] for _, more in pairs), sum(plain[name] for plain, _ in pairs)
    return [percent(statistics.fmean(ratios)), percent(statistics.median(ratios)), percent((total - plain) / plain)]


def inside(pairs):
    ratios = [more["cores_seconds"] / more["proof_seconds"] for _, more in pairs if more["proof_seconds"] > 0]
    return [percent(statistics.fmean(ratios)), percent(statistics.median(ratios))] if ratios else ["-", "-"]


def wall_clock(models, published):
    head = ["asked", "models", "ours, median s", "JKind, median s", "median of ours / JKind", "largest", "geometric mean", "ten times below", "slower"]
    lines = []
    for mode, _, _, _, column in ASKED:
        pairs = []
        for name, modes in models.items():
            if is_answered(modes, mode) and name in published:
                pairs.append((modes[mode]["seconds"], float(published[name]["proof_s"]) + float(published[name][column])))
        if not pairs:
            continue
        ratios = [ours / theirs for ours, theirs in pairs]
        lines.append(
            [f"--{mode}", len(pairs), seconds(statistics.median(ours for ours, _ in pairs)), seconds(statistics.median(theirs for _, theirs in pairs)),
             f"{statistics.median(ratios):.4f}", f"{max(ratios):.2f}", f"{math.exp(statistics.fmean(map(math.log, ratios))):.4f}",
             f"{sum(ratio <= 0.1 for ratio in ratios)} of {len(ratios)}", sum(ratio >= 1 for ratio in ratios)]
        )
    return "## Wall-clock seconds next to JKind's\n\n" + table(head, lines) + (
        "Ours: the whole process, certification included. JKind's: `proof_s` and the column of the algorithm, which does not include the proof (its mean ratio to the proof is the overhead of "
        "the thesis). About a second for the start of Java is not in it. Nothing of JKind was run here, so that a ratio compares two machines as well as two tools.\n"
    )


def sizes(models, published):
    both = [(m["one"], m["minimal"]) for m in models.values() if is_answered(m, "one") and is_answered(m, "minimal") and m["minimal"]["smallest"]]
    if not both:
        return ""
    ratios = [one["smallest"] / minimal["smallest"] for one, minimal in both]
    text = f"## Sizes\n\nSize of the core of `--one` over that of `--minimal`: mean {statistics.fmean(ratios):.3f}, largest {max(ratios):.2f}, minimal already in {sum(ratio <= 1 for ratio in ratios)} of {len(ratios)} models. Thesis: 1.08. "
    theirs = [int(published[one["model"]]["uc_size"]) / int(published[one["model"]]["ucbf_size"]) for one, _ in both if one["model"] in published]
    if theirs:
        text += f"JKind on these models: {statistics.fmean(theirs):.3f}. "
    lists = [m["all"]["cores"] for m in models.values() if is_answered(m, "all")]
    if lists:
        counts = collections.Counter("1" if n == 1 else "2 to 9" if n < 10 else "10 to 99" if n < 100 else "100 or more" for n in lists)
        said = ", ".join(f"{kind}: {counts[kind]}" for kind in ("1", "2 to 9", "10 to 99", "100 or more") if counts[kind])
        text += f"Minimal cores of a model, where the list is complete: {said} models; most {max(lists)}.\n"
    return text


def slowest(models, published):
    found = [(modes["all"]["seconds"], name, modes) for name, modes in models.items() if is_answered(modes, "all") and is_answered(modes, "check")]
    lines = []
    for total, name, modes in sorted(found, key=lambda item: (-item[0], item[1]))[:10]:
        theirs = published.get(name)
        jkind = seconds(float(theirs["proof_s"]) + float(theirs["all_s"])) if theirs else "-"
        row = modes["all"]
        lines.append([name, row["cores"], seconds(total), seconds(modes["check"]["seconds"]), seconds(row["proof_seconds"]), seconds(row["cores_seconds"]), seconds(row["certify_seconds"]), jkind])
    if not lines:
        return ""
    return "## The ten slowest with all cores\n\n" + table(["model", "cores", "whole process", "`check`", "proof", "search", "certification", "JKind"], lines)


def left_open(rows):
    rest = [row for row in rows if row["status"] != "answered"]
    if not rest:
        return "## Open\n\nNothing.\n"
    lines = [[row["model"], row["mode"], row["status"], seconds(row["seconds"]), row["cores"], row["open"], row["notes"]] for row in rest]
    return f"## Open\n\n{len(rest)} of {len(rows)}:\n\n" + table(["model", "asked", "status", "seconds", "cores so far", "MUST unknown", "why"], lines)


def many_cores(rows, run):
    """Models with very many cores: how many are found in time."""
    lines = [[row["model"], row["cores"], "yes" if row["status"] == "answered" else "no", f"{row['smallest']} to {row['largest']}", row["must"], seconds(row["seconds"]), row["notes"]] for row in rows]
    done = [row for row in rows if row["status"] == "answered"]
    return (
        "# Models with many minimal cores (SEFM 2018)\n\n"
        f"{run['date']}, {run['processor']}, {run['cores']} cores, load {run['load']} before and {run.get('load_after', '?')} after. {run['version']}. {run['timeout']:g} s for each model, `cores --all`.\n\n"
        f"{len(done)} of {len(rows)} lists are complete; {sum(row['cores'] for row in rows if row['cores'] != '')} minimal cores in all. The models are of Bendík, Ghassabani, Whalen and Černá, who gave JKind 30 minutes "
        "for each; how many cores it found is shown in a figure only.\n\n"
        + table(["model", "cores", "complete", "sizes", "MUST", "seconds", "notes"], lines)
    )


def problems_of(rows, agreements, wrong):
    """Everything that must not happen, as lines."""
    found = [f"{row['model']}, {row['mode']}: {row['status']}: {row['notes']}" for row in rows if row["status"] in ("CRASHED", "REFUTED", "error")]
    found += [f"{row['model']}, {row['mode']}: repetitions differ" for row in rows if "runs differ" in row["notes"]]
    found += [f"{row['model']}: {row['failures']}" for row in agreements if row["failures"]]
    return found + list(wrong)
