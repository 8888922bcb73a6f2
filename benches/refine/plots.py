"""Work over one similarity run, and seconds, against the number of states: a box for each family."""

import math, statistics

import tables
from drawing import Drawing, frame
from shapes import Logarithmic
from tables import ALGORITHMS, figures

# Okabe and Ito's colours, which people who see fewer colours can tell apart.
COLOURS = {"divide": "#0072B2", "figure3": "#E69F00", "naive": "#D55E00", "one run": "#777777"}
DASHES = ("2 3", "7 4", "none")
# What c log2 n is drawn with: wide, and below the rest.
BAND = {"stroke_width": 6, "stroke_opacity": 0.2}
COLUMNS, WIDTH, HEIGHT, LEFT, TOP, GAP = 4, 230, 230, 60, 66, 62


def panels(rows, title, y_title, values, shows_logarithm):
    """`values` gives the (colour's name, specification, points) of a family; a point is (states, value, whether it is exact, words)."""
    families = list(dict.fromkeys(row["family"] for row in rows))
    lines = math.ceil((len(families) + 1) / COLUMNS)
    drawing = Drawing(LEFT + COLUMNS * (WIDTH + GAP), TOP + lines * (HEIGHT + GAP) + 6, title)
    specified = sorted({row["specified"] for row in rows})
    dashes = dict(zip(reversed(specified), reversed(DASHES)))
    curves = {family: values(family) for family in families}
    every = [point for found in curves.values() for *_, points in found for point in points]
    for index, family in enumerate(families):
        left, top = LEFT + index % COLUMNS * (WIDTH + GAP), TOP + index // COLUMNS * (HEIGHT + GAP)
        # One scale for all boxes, so that families can be compared.
        x = Logarithmic([point[0] for point in every], left, left + WIDTH)
        y = Logarithmic([point[1] for point in every], top + HEIGHT, top)
        frame(drawing, x, y, family)
        drawing.text(left + WIDTH / 2, top + HEIGHT + 31, "states of the implementation, n", anchor="middle", size=11)
        if index % COLUMNS == 0:
            drawing.text(left - 42, top + HEIGHT / 2, y_title, anchor="middle", size=11, turn=-90)
        if shows_logarithm:
            logarithm(drawing, x, y, [point for name, _, points in curves[family] if name == "divide" for point in points])
        for name, size, points in curves[family]:
            places = [(x.place(states), y.place(value)) for states, value, *_ in points]
            drawing.curve(places, COLOURS[name], stroke_dasharray=dashes.get(size, "none"))
            for place, (_, _, exact, words) in zip(places, points):
                drawing.dot(*place, COLOURS[name], exact, words)
    used = [name for name in COLOURS if any(name == found[0] for curve in curves.values() for found in curve)]
    left, top = LEFT + len(families) % COLUMNS * (WIDTH + GAP), TOP + len(families) // COLUMNS * (HEIGHT + GAP)
    legend(drawing, left, top + 10, used, {size: dashes.get(size, "none") for size in specified}, shows_logarithm)
    return str(drawing)


def logarithm(drawing, x, y, points):
    """c log2 n through the middle of the points."""
    if points:
        factor = statistics.geometric_mean(value / math.log2(states) for states, value, *_ in points)
        sizes = sorted({states for states, *_ in points})
        drawing.curve([(x.place(size), y.place(factor * math.log2(size))) for size in sizes], "#000000", **BAND)


def legend(drawing, left, top, names, dashes, shows_logarithm):
    at = top
    for name in names:
        drawing.curve([(left, at), (left + 28, at)], COLOURS[name])
        drawing.dot(left + 14, at, COLOURS[name], True, name)
        drawing.text(left + 36, at + 4, "one similarity run" if name == "one run" else name)
        at += 22
    for size, dash in dashes.items():
        drawing.curve([(left, at), (left + 28, at)], "#000000", stroke_dasharray=dash)
        drawing.text(left + 36, at + 4, f"specification of about {size:.0f} states")
        at += 22
    drawing.dot(left + 14, at, "#000000", False, "estimate")
    drawing.text(left + 36, at + 4, "estimated from a part of the labels")
    if shows_logarithm:
        drawing.curve([(left, at + 22), (left + 28, at + 22)], "#000000", **BAND)
        drawing.text(left + 36, at + 26, "c log2 n, through the middle of divide")


def points_of(rows, name):
    found = []
    for row in rows:
        value = figures(row)
        if value[name]:
            words = f"{row['family']}, {row['algorithm']}, n = {row['states']:.0f}, n' = {row['specification_states']:.0f}: {tables.number(value[name])}"
            found.append((row["states"], value[name], value["exact"], words))
    return found


def curves_of(rows, family, name):
    for algorithm in reversed(ALGORITHMS):
        for (found, size), line in tables.series(rows, algorithm).items():
            if found == family and (points := points_of(line, name)):
                yield algorithm, size, points


def ratios(rows):
    title = "Coverage over one similarity run: counters set up and decremented"
    return panels(rows, title, "work of coverage / work of one run", lambda family: list(curves_of(rows, family, "ratio")), True)


def seconds(rows):
    def values(family):
        one = []
        for (found, size), line in tables.series(rows, "divide").items():
            if found == family:
                points = [(row["states"], row["simulation_seconds"], True, f"{family}, one similarity run, n = {row['states']:.0f}: {row['simulation_seconds']} s") for row in line if row["simulation_seconds"]]
                one += [("one run", size, points)] if points else []
        return one + list(curves_of(rows, family, "seconds"))

    return panels(rows, "Seconds of coverage, one thread, evidence and its check included", "seconds", values, False)
