"""How the vectors of a text's tokens become one vector, in the modes that sentence-transformers has.

Plain sums and no product of BLAS, whose last bit depends on shapes: what a text's tokens add up to depends on them
alone, and not on the texts that are embedded with it. Lengths do not matter here, for every vector is brought to
unit length afterwards; so the mean is the sum, whatever the sum is divided by.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from esens.embed.base import Vectors

Mask = npt.NDArray[np.int64]
Pool = Callable[[Vectors, Mask], Vectors]


def pool_mean(hidden: Vectors, mask: Mask) -> Vectors:
    """Return the sum over the tokens, which points where their mean does."""
    return np.asarray((hidden * _weights(mask)).sum(axis=1), np.float32)


def pool_first(hidden: Vectors, mask: Mask) -> Vectors:
    """Return the vector of the first token, CLS."""
    del mask
    return hidden[:, 0]


def pool_last(hidden: Vectors, mask: Mask) -> Vectors:
    """Return the vector of the last token; what follows it is padding."""
    return np.asarray(hidden[np.arange(len(hidden)), mask.sum(axis=1) - 1])


def pool_max(hidden: Vectors, mask: Mask) -> Vectors:
    """Return the greatest number of every dimension."""
    return np.asarray(np.where(mask[:, :, None] > 0, hidden, -np.inf).max(axis=1), np.float32)


def pool_weighted_mean(hidden: Vectors, mask: Mask) -> Vectors:
    """Return the sum over the tokens, where the first counts once, the second twice, and so on."""
    return pool_mean(hidden, mask * np.arange(1, mask.shape[1] + 1))


def _weights(mask: Mask) -> Vectors:
    return mask[:, :, None].astype(np.float32)


POOLS: dict[str, Pool] = {
    "mean": pool_mean,
    "mean_sqrt_len_tokens": pool_mean,
    "cls": pool_first,
    "lasttoken": pool_last,
    "max": pool_max,
    "weightedmean": pool_weighted_mean,
}
