"""Dots, and boxes with logarithmic axes."""

import pathlib, sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import shapes


class Drawing(shapes.Drawing):
    def dot(self, x, y, colour, full, words):
        """Hollow if it is an estimate. Words appear under the pointer."""
        self.add("circle", shapes.hint(words), cx=float(x), cy=float(y), r=3, fill=colour if full else "#ffffff", stroke=colour)


def superscript(power):
    return str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def shown(power):
    return f"10{superscript(power)}" if power not in (0, 1) else str(10**power)


def frame(drawing, x, y, title):
    """A box with logarithmic axes."""
    for at, power in x.ticks():
        drawing.line(at, y.start, at, y.end, stroke="#e0e0e0")
        drawing.text(at, y.start + 15, shown(power), anchor="middle", size=11)
    for at, power in y.ticks():
        drawing.line(x.start, at, x.end, at, stroke="#e0e0e0")
        drawing.text(x.start - 5, at + 4, shown(power), anchor="end", size=11)
    drawing.rectangle(x.start, y.end, x.end - x.start, y.start - y.end, "none", stroke="#000000")
    drawing.text((x.start + x.end) / 2, y.end - 7, title, anchor="middle", size=13, weight="bold")
