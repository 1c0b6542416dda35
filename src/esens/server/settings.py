"""The settings of a service: on the command line, in the environment or in one file, under the same names.

``max_k`` is ``--max-k`` on the command line, ``ESENS_SERVE_MAX_K`` in the environment and ``max_k`` in the file.
The command line goes before the environment, that before the file, and the file before the defaults.
"""

import ipaddress
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from esens.arrays.scan import cores
from esens.decompose import DEFAULT_DECOMPOSER
from esens.errors import ArgumentError, InputError
from esens.messages import quoted
from esens.server.keys import AccessKey
from esens.verify import DEFAULT_RESCORED, DEFAULT_VERIFIED, RULES

PREFIX = "ESENS_SERVE_"
LOOPBACK = "127.0.0.1"
CONFIG = "config"
"""Names the file, on the command line and in the environment."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_NAMED_SPEC = re.compile(r"([A-Za-z0-9][A-Za-z0-9_.-]{0,63})=(.+)", re.DOTALL)
_TRUE, _FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


def _option(default: Any, what: str, metavar: str = "N", least: float = 1) -> Any:
    return field(default=default, metadata={"what": what, "metavar": metavar, "least": least})


@dataclass(frozen=True)
class Settings:
    """Everything a service can be told. A setting has one name, whoever sets it."""

    collections: Mapping[str, str] = field(default_factory=dict)
    """The spec of the index behind each name; the first is the default."""
    host: str = _option(LOOPBACK, "address to listen on", "ADDRESS")
    port: int = _option(8080, "port to listen on; 0 takes a free one", least=0)
    keys: tuple[str, ...] = _option((), "who may call: SCOPES:HASH, as esens serve-key prints it", "KEY")
    allow_anyone: bool = _option(False, "listen on other addresses than loopback without any key")
    allowed_hosts: tuple[str, ...] = _option(
        (), "names by which clients may call this server, besides localhost and plain addresses", "NAME"
    )
    allowed_origins: tuple[str, ...] = _option((), "web pages that may call it from a browser (CORS)", "ORIGIN")
    embedder: str = _option("", "embedder of queries (default: the one that made each index)", "SPEC")
    decomposer: str = _option(DEFAULT_DECOMPOSER, "what splits queries", "SPEC")
    min_confidence: float = _option(0.0, "how sure it must be of an exclusion for it to count", "C", 0)
    verifier: str = _option(RULES, "what reads whether documents have the excluded", "SPEC")
    verify: int = _option(DEFAULT_VERIFIED, "how many candidates it reads")
    relevance: str = _option("", "what says how relevant candidates are, instead of the embedder", "SPEC")
    rescore: int = _option(DEFAULT_RESCORED, "how many candidates it scores")
    model_deadline: float = _option(
        5.0, "seconds for a language model or a reranking server to answer a query; then the rules do", "S", 0.001
    )
    model_requests: int = _option(32, "requests that may wait for a language model; the rules answer others")
    threads: int = _option(cores(), "searches at a time")
    queue: int = _option(64, "searches that wait for their turn; more are refused", least=0)
    max_requests: int = _option(256, "requests under way of any kind; more are refused")
    timeout: float = _option(30.0, "seconds for a request", "S", 0.001)
    stop_timeout: int = _option(30, "seconds that a stop waits for what was accepted", "S", 0)
    max_body_bytes: int = _option(4 * 2**20, "bytes of a request")
    max_documents: int = _option(1000, "documents of a request")
    max_k: int = _option(1000, "results of a search")
    max_query_chars: int = _option(4000, "characters of a query, a target or an exclusion")
    max_exclusions: int = _option(32, "exclusions of a request")
    log_queries: bool = _option(False, "write the text of queries into the log")
    examples: tuple[str, ...] = _option((), "queries that the page offers to try in the first collection", "QUERY")
    evaluation: str = _option("", "a file of esens evaluate --json whose frontier the page shows", "FILE")

    def __post_init__(self) -> None:
        for setting in fields(self):
            least = setting.metadata.get("least", 0)
            value = getattr(self, setting.name)
            if isinstance(value, (int, float)) and not isinstance(value, bool) and not least <= value < 2**53:
                raise ArgumentError(setting.name, f"must be a number of at least {least:g}, got {value}")
        for name in self.collections:
            if not _NAME.fullmatch(name):
                problem = f"{quoted(name)} is no name; use letters, digits, dots, - and _, at most 64"
                raise ArgumentError("collections", problem)
        keys = self.access_keys  # whatever is wrong with them is said now
        if not is_loopback(self.host) and not keys and not self.allow_anyone:
            raise ArgumentError(
                "host",
                f"{self.host} can be called from other machines, and there is no key; make one with esens "
                "serve-key and name it with --keys, or say --allow-anyone",
            )

    @property
    def access_keys(self) -> tuple[AccessKey, ...]:
        """The keys, read."""
        return tuple(map(AccessKey.parse, self.keys))


def is_loopback(host: str) -> bool:
    """Whether only this machine can call an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def read_settings(typed: Mapping[str, Any], environment: Mapping[str, str]) -> Settings:
    """Return the settings: what was typed, then what the environment says, then the file, then the defaults."""
    from_environment = _of_environment(environment)
    config = typed.get(CONFIG) or from_environment.pop(CONFIG, None)
    from_file = _of_file(Path(config)) if config else {}
    chosen = {name: value for name, value in typed.items() if name != CONFIG and value is not None}
    return Settings(**from_file | from_environment | chosen)


def named_specs(texts: Iterable[str]) -> dict[str, str]:
    """Return specs by their names: ``films=films.lance``, or ``films.lance`` alone, whose name is ``films``.

    >>> named_specs(["my.lance", "shop=qdrant://localhost:6333/products"])
    {'my': 'my.lance', 'shop': 'qdrant://localhost:6333/products'}
    """
    specs: dict[str, str] = {}
    for text in texts:
        match = _NAMED_SPEC.fullmatch(text)
        name, spec = (match[1], match[2]) if match else (_usual_name(text), text)
        if name in specs:
            raise ArgumentError("collections", f"{name!r} stands for two indexes; name them: NAME=INDEX")
        specs[name] = spec
    return specs


def _usual_name(spec: str) -> str:
    path = spec.partition("?")[0].rstrip("/\\")
    name = re.split(r"[/\\:]", path)[-1].rpartition(".")[0] or re.split(r"[/\\:]", path)[-1]
    return name if _NAME.fullmatch(name) else "default"


def _of_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for variable, text in environment.items():
        if variable.startswith(PREFIX):
            name = variable.removeprefix(PREFIX).lower()
            values[name] = text if name == CONFIG else _parsed(name, text, variable)
    return values


def _parsed(name: str, text: str, variable: str) -> Any:
    """Return the value that a text of the environment stands for; several are separated by blanks."""
    default = _default_of(name, variable)
    if name == "collections":
        return named_specs(text.split())
    if isinstance(default, tuple):  # queries have blanks in them
        return tuple(text.splitlines() if name == "examples" else text.split())
    if isinstance(default, bool):
        if text.lower() not in _TRUE + _FALSE:
            raise ArgumentError(variable, f"must be true or false, got {quoted(text)}")
        return text.lower() in _TRUE
    try:
        return type(default)(text)
    except ValueError:
        raise ArgumentError(variable, f"must be a number, got {quoted(text)}") from None


def _of_file(path: Path) -> dict[str, Any]:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(path, error.strerror or "cannot be read") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(path, f"is no TOML: {error}") from None
    return {name: _checked(name, value, path) for name, value in table.items()}


def _checked(name: str, value: Any, path: Path) -> Any:
    """Return a value of the file as its setting has it, or raise where it is of another type."""
    default = _default_of(name, f"{path}: {name}")
    if name == "collections":
        if isinstance(value, dict) and all(isinstance(spec, str) for spec in value.values()):
            return value
        raise InputError(path, 'collections must be a table of specs: [collections], then films = "films.lance"')
    if isinstance(default, tuple):
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        raise InputError(path, f"{name} must be a list of texts")
    kinds = (int, float) if isinstance(default, float) else type(default)
    if not isinstance(value, kinds) or isinstance(value, bool) != isinstance(default, bool):
        raise InputError(path, f"{name} must be {_TYPES[type(default)]}, got {quoted(value)}")
    return value


_TYPES = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


def _default_of(name: str, shown_as: str) -> Any:
    """Return the default of a setting; raise where nobody reads one of this name."""
    defaults = {setting.name: setting.default for setting in fields(Settings)}
    if name in defaults:
        return defaults[name]
    close = get_close_matches(name, defaults, n=1)
    hint = f"did you mean {close[0]}?" if close else f"settings are: {', '.join(defaults)}"
    raise ArgumentError(shown_as, f"no setting has this name; {hint}")
