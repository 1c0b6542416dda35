from concurrent.futures import ThreadPoolExecutor
from time import sleep

import pytest

from esens.storage.lru import LRUCache


def test_the_value_that_was_not_used_for_longest_is_dropped() -> None:
    cache = LRUCache[str, int](3)
    for n in range(3):
        assert cache.get(str(n), lambda n=n: n) == n  # type: ignore[misc]
    assert cache.get("0", lambda: -1) == 0
    assert cache.get("3", lambda: 3) == 3
    assert list(cache) == ["2", "0", "3"]
    assert cache.get("1", lambda: -1) == -1
    cache.clear()
    assert list(cache) == []


def test_what_cannot_be_computed_is_tried_again() -> None:
    cache = LRUCache[str, int](3)
    with pytest.raises(ZeroDivisionError):
        cache.get("a", lambda: 1 // 0)
    assert cache.get("a", lambda: 1) == 1


def test_threads_compute_a_value_once() -> None:
    cache = LRUCache[int, int](2)
    computed: list[int] = []

    def compute() -> int:
        sleep(0.01)
        computed.append(1)
        return 1

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: cache.get(0, compute), range(50))) == {1}
    assert computed == [1]


def test_what_was_put_is_found_until_others_push_it_out() -> None:
    cache = LRUCache[str, int](2)
    assert cache.find("a") is None
    for number, key in enumerate("ab"):
        cache.put(key, number)
    assert cache.find("a") == 0
    cache.put("c", 2)
    assert [cache.find(key) for key in "abc"] == [0, None, 2]


def test_values_that_weigh_are_kept_up_to_a_weight() -> None:
    cache = LRUCache[str, str](10, len)
    for key, value in (("a", "1234"), ("b", "1234"), ("a", "12"), ("c", "1234")):
        cache.put(key, value)
    assert list(cache) == ["b", "a", "c"]
    cache.put("d", "1")
    assert list(cache) == ["a", "c", "d"]
    assert cache.get("e", lambda: "too heavy to be kept") == "too heavy to be kept"
    cache.put("a", "too heavy to be kept")
    assert list(cache) == ["c", "d"]
    cache.clear()
    cache.put("f", "1234567890")
    assert cache.find("f") == "1234567890"
