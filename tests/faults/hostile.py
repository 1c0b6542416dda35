"""Values that somebody might send who means no good, or who made a mistake. All come from one random generator."""

import decimal
import math
import random
from fractions import Fraction
from typing import Any

import numpy as np

SECRET = "hunter2-SECRET"
"""A password: wherever it is put, it must not be shown."""
SLOW_QUERIES = (
    ("tea", " NOT green", " !"),
    ("", "NOT aaaa", "!"),
    ("", "„", ""),
    ("tea", " -abc", "!"),
    ("", '"a", ', '"b" and'),
    ("", "«", ""),
    ("", "「", ""),
    ("tea ", "without aa, bb, ", ""),
    ("", "Not The ", ""),
    ("", "茶", ""),
)
"""Beginning, repeated part and end of queries that once took the rules minutes."""

_SIGNS = (
    "\x00", "\x07", "\x1b", "\x1b[2J", "\x1b]2;PWNED\x07", "\x7f", "\x9b31m", "\u202e", "\u2066", "\u200b",
    "\ufeff", "\u2028", "\r", "\n", "\t", "\f", " ", "　", "\U000e0041", "\U0010ffff",
)  # fmt: skip
_WORDS = (
    "tea", "milk", "without", "not", "NOT", "-milk", "except", "but", '"', "'", "(", ")", "ohne", "sans", "以外",
    "茶", "é", "e\u0301", "🍵", "👩\u200d🔬", "'; DROP TABLE docs; --", "%s%n", "{{7*7}}", "${jndi:x}",
    "../../etc/passwd", "<script>alert(1)</script>", "=cmd|' /C calc'!A0", "NaN", "null", "1e999", "[[[[", "{",
    "\\", "a" * 3000,
)  # fmt: skip
_NUMBERS: tuple[Any, ...] = (
    0, 1, -1, 2, 10, 3.5, -0.0, True, False, None, "5", "x", "", math.nan, math.inf, -math.inf, 1e308, -1e308,
    5e-324, 10**400, -(10**400), 10**5000, 2**63, -(2**63) - 1, 1j, np.float64("nan"), np.float32(1e38),
    np.int8(-3), np.bool_(True), np.array([1, 2]), decimal.Decimal("NaN"), decimal.Decimal("1e999"),
    Fraction(1, 3), b"5", [], {}, (), object, object(), 1e100, 1e-100,
)  # fmt: skip


class Hostile:
    """Draws hostile values."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)

    def choice(self, *values: Any) -> Any:
        return self.random.choice(values)

    def text(self) -> str:
        """Return a text: words and signs, now and then a long one."""
        if self.random.random() < 0.05:
            return str(self.choice("x", "tea ", "茶", "\n", "<", "# ", "{", '"', ",")) * self.random.choice(
                (10**3, 10**5)
            )
        if self.random.random() < 0.03:
            return f"tea {self.choice(chr(0xD800), chr(0xDFFF))}"  # half a character
        parts = self.random.choices((*_SIGNS, *_WORDS, " ", "tea "), k=self.random.randint(0, 8))
        return "".join(parts) if self.random.random() < 0.5 else " ".join(parts)

    def query(self) -> str:
        """Return a query, now and then one that is long and repeats itself."""
        if self.random.random() < 0.2:
            begin, repeated, end = self.choice(*SLOW_QUERIES)
            return str(begin + repeated * self.random.choice((10, 100, 10_000)) + end)
        words = self.random.choices((*_WORDS, *_SIGNS), k=self.random.randint(1, 6))
        return " ".join(word[:50] for word in words)

    def number(self) -> Any:
        return self.random.choice(_NUMBERS)

    def value(self, depth: int = 3) -> Any:
        """Return what may stand in metadata, in a row, or instead of any argument."""
        kind = self.random.random()
        if kind < 0.35 or not depth:
            return self.text()
        if kind < 0.65:
            return self.number()
        if kind < 0.75:
            return [self.value(depth - 1) for _ in range(self.random.randint(0, 3))]
        if kind < 0.9:
            return {self.key(): self.value(depth - 1) for _ in range(self.random.randint(0, 3))}
        return self.choice(self._nested, self._circle, set, lambda: range(3), lambda: iter(()))()

    def key(self) -> Any:
        return self.text() if self.random.random() < 0.8 else self.choice(1, None, True, ("a", 1), 1.5, math.nan)

    def field(self) -> Any:
        """Return the name of a field as rows have it."""
        names = (
            "id",
            "_id",
            "text",
            "title",
            "metadata",
            "content",
            "vector",
            "year",
            "passage_of",
            "passage",
            "passages",
        )
        return self.choice(*names) if self.random.random() < 0.8 else self.key()

    def row(self) -> Any:
        """Return a row: mostly a mapping of usual fields with unusual values."""
        if self.random.random() < 0.1:
            return self.value()
        row = {self.field(): self.value() for _ in range(self.random.randint(0, 4))}
        return {"text": self.choice("tea", "green tea", self.text()), **row} if self.random.random() < 0.8 else row

    def vectors(self, rows: int) -> Any:
        """Return what should be a matrix with so many rows."""
        if self.random.random() < 0.2:
            return self.value()
        shape = self.choice((rows, 8), (rows, 8), (rows + 1, 8), (rows, 0), (0, 8), (rows,), (rows, 8, 1))
        matrix = np.ones(shape, self.choice(np.float32, np.float64, np.float16, np.int64, np.bool_, object))
        if matrix.size and self.random.random() < 0.5:
            matrix = matrix.astype(object)
            matrix.flat[self.random.randrange(matrix.size)] = self.number()
        return matrix if self.random.random() < 0.5 else matrix.tolist()

    def content(self) -> bytes:
        """Return what may stand in a file."""
        if self.random.random() < 0.2:
            return self.random.randbytes(self.random.randint(0, 300))
        content = self.choice("", "\n").join(self.text() for _ in range(self.random.randint(0, 6)))
        encoding: str = self.choice("utf-8", "utf-8", "utf-16", "latin-1", "utf-8-sig")
        return bytes(content, encoding, "replace")

    def _nested(self) -> Any:
        value: Any = self.number()
        is_list = self.random.random() < 0.5
        for _ in range(self.choice(50, 99, 101, 2_000)):
            value = [value] if is_list else {"a": value}
        return value

    def _circle(self) -> Any:
        circle: list[Any] = [1]
        circle.append({"a": circle})
        return circle
