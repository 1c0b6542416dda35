"""The same names on the command line, in the environment and in the file; and which of them counts."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esens.cli.main import parser
from esens.errors import ArgumentError, InputError
from esens.server.settings import PREFIX, Settings, named_specs, read_settings

FILE = 'max_k = 1\nqueue = 2\nlog_queries = true\nallowed_hosts = ["x"]\n[collections]\nfilms = "films.lance"\n'


def test_the_command_line_goes_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    config = tmp_path / "serve.toml"
    config.write_text(FILE)
    environment = {f"{PREFIX}MAX_K": "10", f"{PREFIX}TIMEOUT": "2.5", "OTHER": "x", f"{PREFIX}CONFIG": str(config)}
    settings = read_settings({"timeout": 9.0}, environment)
    assert (settings.max_k, settings.queue, settings.timeout) == (10, 2, 9.0)
    assert settings.log_queries is True
    assert settings.collections == {"films": "films.lance"}
    assert settings.threads == Settings().threads


def test_the_command_line_has_every_setting_and_help_for_it() -> None:
    commands: Any = next(action for action in parser()._actions if action.choices)
    serve = commands.choices["serve"]
    for setting in fields(Settings):
        if setting.name != "collections":
            option = serve._option_string_actions[f"--{setting.name.replace('_', '-')}"]
            assert option.dest == setting.name
            assert option.help


@given(st.sampled_from(fields(Settings)), st.data())
def test_the_environment_says_what_the_command_line_says(setting: Any, data: st.DataObject) -> None:
    typed: Any
    match setting.default:
        case bool():
            typed = data.draw(st.booleans())
            text = str(typed)
        case int() | float():
            typed = type(setting.default)(data.draw(st.integers(1, 1000)))
            text = str(typed)
        case tuple():
            typed = tuple(data.draw(st.lists(st.sampled_from(["a.example", "b.example"]), min_size=1)))
            text = ("\n" if setting.name == "examples" else " ").join(typed)
        case str():
            typed = text = "127.0.0.1"
        case _:
            typed, text = {"a": "a.lance"}, "a=a.lance"
    name = setting.name
    if name == "keys":
        typed = tuple(f"read:{'a' * 64}" for _ in typed)
        text = " ".join(typed)
    assert getattr(read_settings({}, {f"{PREFIX}{name.upper()}": text}), name) == typed
    assert read_settings({name: typed}, {}) == read_settings({}, {f"{PREFIX}{name.upper()}": text})


@pytest.mark.parametrize(
    ("variable", "text", "says"),
    [
        ("MAX_KK", "3", "did you mean max_k"),
        ("MAX_K", "many", "must be a number"),
        ("LOG_QUERIES", "perhaps", "true or false"),
        ("COLLECTIONS", "a=x a=y", "two indexes"),
    ],
)
def test_a_variable_that_says_nothing_is_an_error(variable: str, text: str, says: str) -> None:
    with pytest.raises(ArgumentError, match=says):
        read_settings({}, {f"{PREFIX}{variable}": text})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("max_k = ", "is no TOML"),
        ("max_kk = 3", "did you mean max_k"),
        ('max_k = "3"', "a whole number"),
        ("max_k = true", "a whole number"),
        ("log_queries = 1", "true or false"),
        ('keys = "a"', "a list of texts"),
        ('collections = "a"', "a table of specs"),
    ],
)
def test_a_file_that_says_nothing_is_an_error(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "serve.toml").write_text(text)
    with pytest.raises((ArgumentError, InputError), match=says):
        read_settings({"config": str(tmp_path / "serve.toml")}, {})


def test_a_file_that_is_not_there_is_an_error() -> None:
    with pytest.raises(InputError, match=r"absent\.toml"):
        read_settings({"config": "absent.toml"}, {})


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("my.lance", "my"),
        ("/srv/films.lance/", "films"),
        ("postgresql://me@db/shop?table=docs", "shop"),
        ("qdrant://localhost:6333/products", "products"),
        ("qdrant:folder?collection=docs", "folder"),
        ("faiss:my.faiss?documents=d.jsonl", "my"),
        ("a b.lance", "default"),
    ],
)
def test_an_index_without_a_name_gets_a_usual_one(spec: str, name: str) -> None:
    assert named_specs([spec]) == {name: spec}
    assert named_specs([f"x-1={spec}"]) == {"x-1": spec}


def test_a_collection_has_a_name_that_fits_into_an_address() -> None:
    for bad in ("", "a/b", "a b", "..", "x" * 65):
        with pytest.raises(ArgumentError, match="is no name"):
            Settings(collections={bad: "x.lance"})
