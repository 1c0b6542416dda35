"""What metadata say, where the caller names the fields."""

from typing import Any

import pytest

from esens.evidence.excluded_thing import excluded_thing
from esens.evidence.metadata import metadata_statement


@pytest.mark.parametrize(
    ("value", "thing", "stance"),
    [
        (2020, "2020", "affirmed"),
        ("May 2020", "2020", "affirmed"),
        ("20 May 2020", "the 2020s", "affirmed"),
        ("2020-05-01", "2020", "affirmed"),
        ("FY2020", "2020", "affirmed"),
        (1994.0, "the nineties", "affirmed"),
        (2019, "2020", "denied"),
        ("2019-05-01T10:00:00Z", "2020", "denied"),
        ("2018–2021", "2020", "silent"),
        ("unknown", "2020", "silent"),
        (2019, "2019 to 2020", "affirmed"),
        ("2018", "2019 to 2020", "denied"),
        (2019, "since 2019", "affirmed"),
        (None, "2020", "silent"),
        ("Sony", "Sony", "affirmed"),
        (["Acer", "Sony"], "Sony", "affirmed"),
        ("Asus", "Sony", "silent"),
        ("leather-free", "leather", "denied"),
    ],
)
def test_a_value_affirms_denies_or_says_nothing(value: Any, thing: str, stance: str) -> None:
    said = metadata_statement({"field": value}, ["field", "other"], excluded_thing(thing))
    assert said.stance == stance
    assert said.quote == (
        "" if stance == "silent" else f"field: {value if isinstance(value, (int, float, str)) else 'Sony'}"
    )
