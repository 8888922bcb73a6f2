"""Shapes, axes and curves as SVG, written by hand."""

import math
from xml.sax.saxutils import escape


class Drawing:
    """Shapes on a white page."""

    def __init__(self, width, height, title):
        self.width, self.height, self.title, self.shapes = width, height, title, []
        self.text(width / 2, 24, title, anchor="middle", size=16, weight="bold")

    def add(self, name, content=None, **attributes):
        attributes = {key.replace("_", "-"): f"{value:.2f}" if isinstance(value, float) else value for key, value in attributes.items()}
        words = "".join(f' {key}="{escape(str(value), {chr(34): "&quot;"})}"' for key, value in attributes.items())
        self.shapes.append(f"<{name}{words}/>" if content is None else f"<{name}{words}>{content}</{name}>")

    def line(self, x1, y1, x2, y2, stroke="#000000", **more):
        self.add("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), stroke=stroke, **more)

    def text(self, x, y, words, anchor="start", size=12, weight="normal", turn=None, fill="#000000"):
        more = {"transform": f"rotate({turn} {x:.2f} {y:.2f})"} if turn else {}
        self.add("text", escape(words), x=float(x), y=float(y), text_anchor=anchor, font_size=size, font_weight=weight, fill=fill, **more)

    def dot(self, x, y, colour, full, words):
        """Hollow if it is an estimate. Words appear under the pointer."""
        title = f"<title>{escape(words)}</title>"
        self.add("circle", title, cx=float(x), cy=float(y), r=3, fill=colour if full else "#ffffff", stroke=colour)

    def curve(self, points, stroke, **more):
        more = {"stroke_width": 1.5} | more
        self.add("polyline", points=" ".join(f"{x:.2f},{y:.2f}" for x, y in points), fill="none", stroke=stroke, **more)

    def __str__(self):
        head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
        head += f'viewBox="0 0 {self.width} {self.height}" font-family="sans-serif" role="img">'
        page = f'<title>{escape(self.title)}</title><rect width="100%" height="100%" fill="#ffffff"/>'
        return "\n".join([head, page, *self.shapes, "</svg>"]) + "\n"


class Logarithmic:
    """Numbers to places, whole powers of ten at both ends."""

    def __init__(self, values, start, end):
        values = [value for value in values if 0 < value < math.inf] or [1.0]
        self.low = math.floor(math.log10(min(values)) + 1e-9)
        self.high = max(self.low + 1, math.ceil(math.log10(max(values)) - 1e-9))
        self.start, self.end = start, end

    def place(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)

    def ticks(self):
        # Not more than there is room for.
        step = 1 + (self.high - self.low) // 7
        return [(self.place(10.0**power), f"10{superscript(power)}" if power not in (0, 1) else str(10**power)) for power in range(self.low, self.high + 1, step)]


def superscript(power):
    return str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def frame(drawing, x, y, title):
    """A box with logarithmic axes."""
    for at, words in x.ticks():
        drawing.line(at, y.start, at, y.end, stroke="#e0e0e0")
        drawing.text(at, y.start + 15, words, anchor="middle", size=11)
    for at, words in y.ticks():
        drawing.line(x.start, at, x.end, at, stroke="#e0e0e0")
        drawing.text(x.start - 5, at + 4, words, anchor="end", size=11)
    drawing.add("rect", x=float(x.start), y=float(y.end), width=float(x.end - x.start), height=float(y.start - y.end), fill="none", stroke="#000000")
    drawing.text((x.start + x.end) / 2, y.end - 7, title, anchor="middle", size=13, weight="bold")
