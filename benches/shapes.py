"""What the plots of several benchmarks need: shapes and logarithmic axes as SVG, written by hand."""

import math
from xml.sax.saxutils import escape


class Drawing:
    """Shapes on a white page, with a title."""

    TITLE_HEIGHT, TITLE_SIZE, CURVE_WIDTH = 24, 16, 1.5

    def __init__(self, width, height, title):
        self.width, self.height, self.title, self.shapes = width, height, title, []
        self.text(width / 2, self.TITLE_HEIGHT, title, anchor="middle", size=self.TITLE_SIZE, weight="bold")

    def add(self, name, content=None, **attributes):
        attributes = {key.replace("_", "-"): f"{value:.2f}" if isinstance(value, float) else value for key, value in attributes.items()}
        words = "".join(f' {key}="{escape(str(value), {chr(34): "&quot;"})}"' for key, value in attributes.items())
        self.shapes.append(f"<{name}{words}/>" if content is None else f"<{name}{words}>{content}</{name}>")

    def line(self, x1, y1, x2, y2, stroke="#000000", **more):
        self.add("line", x1=float(x1), y1=float(y1), x2=float(x2), y2=float(y2), stroke=stroke, **more)

    def text(self, x, y, words, anchor="start", size=12, weight="normal", turn=None, fill="#000000"):
        more = {"transform": f"rotate({turn} {x:.2f} {y:.2f})"} if turn else {}
        self.add("text", escape(words), x=float(x), y=float(y), text_anchor=anchor, font_size=size, font_weight=weight, fill=fill, **more)

    def rectangle(self, x, y, width, height, fill, words=None, **more):
        """Words appear under the pointer."""
        self.add("rect", hint(words) if words else None, x=float(x), y=float(y), width=float(width), height=float(height), fill=fill, **more)

    def curve(self, points, stroke, **more):
        more = {"stroke_width": self.CURVE_WIDTH} | more
        self.add("polyline", points=" ".join(f"{x:.2f},{y:.2f}" for x, y in points), fill="none", stroke=stroke, **more)

    def __str__(self):
        head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
        head += f'viewBox="0 0 {self.width} {self.height}" font-family="sans-serif" role="img">'
        page = f'<title>{escape(self.title)}</title><rect width="100%" height="100%" fill="#ffffff"/>'
        return "\n".join([head, page, *self.shapes, "</svg>"]) + "\n"


def hint(words):
    """The content of a shape for which words appear under the pointer."""
    return f"<title>{escape(words)}</title>"


class Logarithmic:
    """Numbers to places, whole powers of ten at both ends."""

    def __init__(self, values, start, end):
        values = [value for value in values if 0 < value < math.inf] or [1.0]
        self.low = math.floor(math.log10(min(values)) + 1e-9)
        self.high = max(self.low + 1, math.ceil(math.log10(max(values)) - 1e-9))
        self.start, self.end = start, end

    def place(self, value):
        share = (math.log10(max(value, 10.0**self.low)) - self.low) / (self.high - self.low)
        return self.start + min(share, 1.0) * (self.end - self.start)

    def ticks(self, room=7):
        """Places and their powers, not more than there is room for."""
        step = 1 + (self.high - self.low) // room
        return [(self.place(10.0**power), power) for power in range(self.low, self.high + 1, step)]
