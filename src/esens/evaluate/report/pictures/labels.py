"""Where labels go so that none covers another: pure functions on numbers, in points from the lower left."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]

_DIRECTIONS = 24
_DISTANCES = (4.0, 5.5, 8.0, 12.0, 17.0, 23.0, 30.0, 38.0, 48.0, 60.0, 75.0, 95.0, 120.0)
# What a point of distance and a square point of overlap cost: to cover a label is worse than to be far, and to
# leave the frame is worse still.
_FAR, _COVERS_MARK, _COVERS_LABEL, _OUTSIDE = 1.0, 4.0, 40.0, 400.0
# What it costs when a leader runs through a label, for each of its steps that does.
_CROSSES_LABEL, _STEPS = 40.0, 12


@dataclass(frozen=True, slots=True)
class Label:
    """A text's size, and the point it belongs to."""

    x: float
    y: float
    width: float
    height: float


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places in the order of the wanted ones and as near to them as can be, but a gap apart.

    >>> spread([5.0, 5.0, 20.0], gap=4.0, low=0.0, high=30.0)
    [3.0, 7.0, 20.0]
    """
    order = np.argsort(wanted, kind="stable")
    steps = gap * np.arange(len(order))
    level = _rising(np.asarray(wanted, float)[order] - steps)
    places = np.empty(len(order))
    places[order] = np.clip(level, low, max(low, high - steps[-1])) + steps
    return [float(place) for place in places]


def placed(labels: Sequence[Label], marks: Numbers, width: float, height: float) -> list[tuple[float, float]]:
    """Return the lower left corner of each label, one after the other at the best place that is left.

    ``marks`` are boxes (left, bottom, right, top) that are better not covered, and never another label.
    """
    corners: list[tuple[float, float]] = []
    taken, leaders = np.empty((0, 4)), np.empty((0, 4))
    frame = np.array([[0.0, 0.0, width, height]])
    for label in labels:
        boxes, distances = _candidates(label)
        costs = _FAR * distances + _OUTSIDE * (label.width * label.height - _overlap(boxes, frame))
        costs += _COVERS_LABEL * (_overlap(boxes, taken) + _overlap(boxes, leaders))
        costs += _COVERS_MARK * _overlap(boxes, marks) + _CROSSES_LABEL * _crossed(label, boxes, taken)
        best = boxes[[int(np.argmin(costs))]]
        corners.append((float(best[0, 0]), float(best[0, 1])))
        taken = np.vstack([taken, best])
        way = _way(label, best)[0]
        leaders = np.vstack([leaders, np.hstack([way - 0.5, way + 0.5])])
    return corners


def near(x: float, y: float, box: Numbers) -> Numbers:
    """Return the places of boxes (a row each) that are nearest to a point."""
    return np.clip([x, y], box[:, :2], box[:, 2:])


def clusters(places: Sequence[tuple[float, float]], reach: float) -> list[list[int]]:
    """Return which places are so near to the first of a cluster that one label must do for all.

    >>> clusters([(0, 0), (9, 9), (1, 1)], reach=3)
    [[0, 2], [1]]
    """
    found: list[list[int]] = []
    for number, (x, y) in enumerate(places):
        for cluster in found:
            first = places[cluster[0]]
            if np.hypot(first[0] - x, first[1] - y) <= reach:
                cluster.append(number)
                break
        else:
            found.append([number])
    return found


def _rising(values: Numbers) -> Numbers:
    """Return the nearest sequence that never falls: neighbours in the wrong order meet at their mean."""
    pools: list[tuple[float, int]] = []
    for value in values:
        mean, count = float(value), 1
        while pools and pools[-1][0] > mean:
            other, others = pools.pop()
            mean, count = (mean * count + other * others) / (count + others), count + others
        pools.append((mean, count))
    return np.concatenate([np.full(count, mean) for mean, count in pools])


def _candidates(label: Label) -> tuple[Numbers, Numbers]:
    """Return boxes all around the point, and how far from it each is."""
    angles = np.linspace(0, 2 * np.pi, _DIRECTIONS, endpoint=False)
    across, up = np.cos(angles), np.sin(angles)
    distances = np.repeat(_DISTANCES, _DIRECTIONS)
    # In every direction the box begins where the distance ends: its centre is half its size further.
    x = (
        label.x
        + distances * np.tile(across, len(_DISTANCES))
        + np.tile(_side(across), len(_DISTANCES)) * label.width
    )
    y = label.y + distances * np.tile(up, len(_DISTANCES)) + np.tile(_side(up), len(_DISTANCES)) * label.height
    left, bottom = x - label.width / 2, y - label.height / 2
    return np.stack([left, bottom, left + label.width, bottom + label.height], axis=1), distances


def _side(direction: Numbers) -> Numbers:
    """Return how much of its size a box is shifted: half of it to a side, none straight above or below."""
    return np.asarray(np.clip(direction * 1.5, -1, 1) / 2)


def _overlap(boxes: Numbers, others: Numbers) -> Numbers:
    """Return, for each box, how much of it the others cover."""
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    return np.asarray(np.clip(high - low, 0, None).prod(axis=2).sum(axis=1))


def _way(label: Label, boxes: Numbers) -> Numbers:
    """Return the steps of the leader from the point to each box: boxes × steps × 2."""
    steps = np.linspace(0, 1, _STEPS)[None, :, None]
    point = np.array([label.x, label.y])
    return np.asarray(point + steps * (near(label.x, label.y, boxes) - point)[:, None, :])


def _crossed(label: Label, boxes: Numbers, others: Numbers) -> Numbers:
    """Return, for each box, how many steps of its leader lie in the others."""
    way = _way(label, boxes)[:, :, None, :]
    inside = (way > others[:, :2]).all(axis=3) & (way < others[:, 2:]).all(axis=3)
    return np.asarray(inside.sum(axis=(1, 2)), np.float64)
