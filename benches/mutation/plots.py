"""The paper's figures as SVG, written by hand: axes, ticks, a legend and a title each."""

import math, pathlib, sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import shapes
import tables
from measuring import METHODS, SHARES
from shapes import Logarithmic
from tables import LARGE, ORDER, TITLES, UNDECIDED

# Okabe and Ito's colours, which people who see fewer colours can tell apart.
COLOURS = {"pipeline": "#0072B2", "algorithm1": "#D55E00"}
TECHNIQUES = {
    "cone": "#999999",
    "core": "#56B4E9",
    "simulation": "#009E73",
    "family-induction": "#0072B2",
    "family-bmc": "#F0E442",
    "repair": "#CC79A7",
    "family-ic3": "#E69F00",
    "ic3": "#D55E00",
    "counterexample": "#009E73",
    "induction": "#0072B2",
    "induction-restart": "#CC79A7",
    "interpolation": "#D55E00",
    UNDECIDED: "#000000",
}


class Drawing(shapes.Drawing):
    TITLE_HEIGHT, TITLE_SIZE, CURVE_WIDTH = 22, 15, 2

    def mark(self, x, y, method, colour, full, words):
        """A disc for ours, a diamond for the paper's; hollow if something is undecided. Words appear under the pointer."""
        style = {"fill": colour if full else "none", "stroke": colour, "fill_opacity": 0.55, "stroke_width": 1.2}
        title = shapes.hint(words)
        if method == "pipeline":
            self.add("circle", title, cx=float(x), cy=float(y), r=4, **style)
        else:
            points = [(x, y - 5), (x + 5, y), (x, y + 5), (x - 5, y)]
            self.add("polygon", title, points=" ".join(f"{a:.2f},{b:.2f}" for a, b in points), **style)


def frame(drawing, x, y, x_title, y_title):
    """A box with a logarithmic axis upwards, and across unless ticks come from elsewhere."""
    drawing.rectangle(x.start, y.end, x.end - x.start, y.start - y.end, "none", stroke="#000000")
    if isinstance(x, Logarithmic):
        for at, power in x.ticks(room=15):
            drawing.line(at, y.start, at, y.end, stroke="#e0e0e0")
            drawing.text(at, y.start + 16, f"{10.0**power:g}", anchor="middle")
    for at, power in y.ticks(room=15):
        drawing.line(x.start, at, x.end, at, stroke="#e0e0e0")
        drawing.text(x.start - 6, at + 4, f"{10.0**power:g}", anchor="end")
    drawing.text((x.start + x.end) / 2, y.start + 36, x_title, anchor="middle")
    drawing.text(x.start - 52, (y.start + y.end) / 2, y_title, anchor="middle", turn=-90)


def figure2(rows):
    """Naive to the right, ours and the paper's upwards: below the diagonal is faster than naive."""
    rows = [row for row in tables.measured(rows) if row["naive_seconds"] != ""]
    drawing = Drawing(760, 600, "Figure 2: mutation coverage of registers, against naive")
    every = [row["naive_seconds"] for row in rows] + [tables.seconds(row, method) for row in rows for method in METHODS]
    x, y = Logarithmic(every, 80, 560), Logarithmic(every[len(rows) :], 530, 50)
    frame(drawing, x, y, "naive: seconds to model check every mutant by itself", "seconds of proof and coverage")
    for power in range(0, 5):
        # y = x / 10^power, as far as it is inside the box.
        left = max(x.low, y.low + power)
        right = min(x.high, y.high + power)
        if left < right:
            ends = [(x.place(10.0**at), y.place(10.0 ** (at - power))) for at in (left, right)]
            drawing.line(*ends[0], *ends[1], stroke="#888888", stroke_dasharray="4 4" if power else "none")
            beside = (4, 4) if ends[1][0] >= x.end else (-4, -4)
            drawing.text(ends[1][0] + beside[0], ends[1][1] + beside[1], f"{10**power}x", size=10, fill="#666666")
    for row in rows:
        for method in METHODS:
            at = x.place(row["naive_seconds"]), y.place(tables.seconds(row, method))
            full = tables.is_whole(row, method)
            words = f"{row['model']}, {TITLES[method]}: {tables.seconds(row, method):.3f} s, naive {row['naive_seconds']:.3f} s"
            drawing.mark(*at, method, COLOURS[method], full, words)
            if row["naive_limited"]:
                drawing.line(at[0] + 5, at[1], at[0] + 11, at[1], stroke=COLOURS[method])
            if row["registers"] >= LARGE:
                drawing.add("circle", cx=at[0], cy=at[1], r=1.2, fill="#000000")
    for at, method in enumerate(METHODS):
        drawing.mark(602, 70 + 22 * at, method, COLOURS[method], True, TITLES[method])
        drawing.text(614, 74 + 22 * at, TITLES[method])
    drawing.mark(602, 114, "pipeline", "#444444", False, "undecided")
    drawing.text(614, 118, "not all decided")
    drawing.line(597, 136, 607, 136, stroke="#444444")
    drawing.text(614, 140, "naive is a lower bound")
    drawing.add("circle", cx=602, cy=158, r=1.8, fill="#000000")
    drawing.text(614, 162, f"{LARGE} registers or more")
    return str(drawing)


def figure3(rows):
    """A column for each model, from those where a search is needed least to those where it is needed most."""
    rows = tables.measured(rows)
    drawing = Drawing(960, 680, "Figure 3: share of the mutants decided by each technique")
    left, right = 70, 780
    for panel, method in enumerate(METHODS):
        top = 60 + panel * 310
        bottom = top + 240
        drawing.text(left, top - 10, TITLES[method], weight="bold")
        names = [*ORDER[method], UNDECIDED]

        def order(row):
            parts = tables.shares(row, method)
            return (round(tables.searched(row, method), 9), *(-parts[name] for name in names))

        width = (right - left) / max(1, len(rows))
        for column, row in enumerate(sorted(rows, key=order)):
            base = float(bottom)
            for name, share in tables.shares(row, method).items():
                height = share * (bottom - top)
                if height > 0:
                    words = f"{row['model']}: {name} {100 * share:.1f} %"
                    drawing.rectangle(left + column * width, base - height, width + 0.1, height, TECHNIQUES.get(name, "#bbbbbb"), words)
                base -= height
        for tick in (0, 25, 50, 75, 100):
            at = bottom - tick / 100 * (bottom - top)
            drawing.line(left - 4, at, left, at)
            drawing.text(left - 8, at + 4, f"{tick} %", anchor="end")
            across = left + tick / 100 * (right - left)
            drawing.line(across, bottom, across, bottom + 4)
            drawing.text(across, bottom + 16, f"{tick} %", anchor="middle")
        drawing.rectangle(left, top, right - left, bottom - top, "none", stroke="#000000")
        searches = " and ".join(tables.SEARCHES[method])
        drawing.text((left + right) / 2, bottom + 32, f"{len(rows)} models, by the share left to {searches}", anchor="middle")
        for at, name in enumerate(names):
            drawing.rectangle(right + 16, top + 20 * at, 12, 12, TECHNIQUES[name])
            drawing.text(right + 34, top + 20 * at + 10, name)
    return str(drawing)


def figure4(rows):
    """What an accuracy costs: in the median of the models, and for nine in ten of them."""
    rows = tables.measured(rows)
    drawing = Drawing(800, 520, "Figure 4: overhead over the proof for a given accuracy")
    curves = []
    for method in METHODS:
        for share, dash, words in ((0.5, "none", "median"), (0.9, "6 4", "90 % of the models")):
            values = [tables.quantile([tables.overhead(row, method, accuracy) for row in rows], share) for accuracy in SHARES]
            curves.append((method, dash, f"{TITLES[method]}, {words}", values))
    y = Logarithmic([value for *_, values in curves for value in values] + [1.0, 10.0], 460, 50)
    places = {share: 80 + (index + 0.5) * 470 / len(SHARES) for index, share in enumerate(SHARES)}

    class Across:
        start, end = 80, 550

    frame(drawing, Across, y, "mutants decided", "seconds of coverage / seconds of proof")
    for share, at in places.items():
        drawing.text(at, 476, f"{share} %", anchor="middle")
    # What the paper reports for 90 % of its models.
    for share, factor in ((90, 2), (96, 5)):
        drawing.add("path", d=f"M{places[share] - 5:.2f} {y.place(factor) - 5:.2f} l10 10 m0 -10 l-10 10", stroke="#000000", stroke_width=2)
    for at, (method, dash, words, values) in enumerate(curves):
        points = [(places[share], y.place(value)) for share, value in zip(SHARES, values) if value < math.inf]
        for x, height in points:
            drawing.add("circle", cx=x, cy=height, r=3, fill=COLOURS[method])
        # Whoever gives up leaves the box at its top.
        for share in [share for share, value in zip(SHARES, values) if math.isinf(value)][:1]:
            points.append((places[share], y.end))
            drawing.text(places[share], y.end - 4, "never", anchor="middle", size=10, fill=COLOURS[method])
        drawing.curve(points, COLOURS[method], stroke_dasharray=dash)
        drawing.curve([(562, 66 + 22 * at), (590, 66 + 22 * at)], COLOURS[method], stroke_dasharray=dash)
        drawing.text(596, 70 + 22 * at, words, size=11)
    drawing.add("path", d="M571 149 l10 10 m0 -10 l-10 10", stroke="#000000", stroke_width=2)
    drawing.text(596, 158, "the paper, 90 % of its models", size=11)
    return str(drawing)
