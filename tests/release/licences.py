"""The licences of all that an extra of esens brings, as the packages themselves state them.

``python licences.py`` prints them as JSON, of the environment that it runs in; it needs nothing but the standard
library, so that it runs where only esens was installed. What is allowed and what the page looks like is here, too.
"""

import json
import platform
import re
import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution

# Permissive licences; and, as libraries that are imported as they are and not copied, MPL and LGPL (psycopg).
ALLOWED = frozenset(
    (
        "0BSD",
        "AFL-2.1",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "BSL-1.0",
        "CC0-1.0",
        "CNRI-Python",
        "HPND",
        "ISC",
        "LGPL-3.0-only",
        "LLVM-exception",
        "MIT",
        "MIT-0",
        "MIT-CMU",
        "MPL-2.0",
        "PSF-2.0",
        "Unlicense",
        "Zlib",
    )
)
# What packages call them that do not use the names of SPDX.
_NAMES = {
    "3-clause bsd license": "BSD-3-Clause",
    "academic free license (afl)": "AFL-2.1",
    "apache": "Apache-2.0",
    "apache 2": "Apache-2.0",
    "apache 2.0": "Apache-2.0",
    "apache 2.0 license": "Apache-2.0",
    "apache license": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "apache software license 2.0": "Apache-2.0",
    "apache-2": "Apache-2.0",
    "bsd": "BSD-3-Clause",
    "bsd license": "BSD-3-Clause",
    "bsd-3-clause license": "BSD-3-Clause",
    "gnu lesser general public license v3 (lgplv3)": "LGPL-3.0-only",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "python software foundation license": "PSF-2.0",
    "the unlicense (unlicense)": "Unlicense",
    "zlib/libpng license": "Zlib",
}
_LONGEST = 60
UNKNOWN = "unknown"


def closure(root: str = "esens") -> dict[str, Distribution]:
    """Return every installed package that a package needs, or that one of its extras brings, by its name.

    What is not installed here is left out, and what those bring who work on it; what an extra of a package further
    down brings is counted where it is installed, because in an environment of nothing else somebody needs it.
    """
    found: dict[str, Distribution] = {}
    waiting = [root]
    while waiting:
        name = waiting.pop()
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue
        if plain_name(name) not in found:
            found[plain_name(name)] = package
            lines = package.requires or []
            waiting += [needed(line) for line in lines if name != root or not is_for_developers(extra_of(line))]
    found.pop(root)
    return dict(sorted(found.items()))


def needed(requirement: str) -> str:
    """Return the name of the package that a line requires."""
    return re.split(r"[\s\[<>=!;~(]", requirement, maxsplit=1)[0]


def extra_of(requirement: str) -> str:
    """Return the extra that brings what a line requires; nothing, if none does.

    >>> extra_of("ruff==0.17.4; extra == 'dev'"), extra_of("numpy>=2.0")
    ('dev', '')
    """
    return "".join(re.findall(r"""\bextra\s*==\s*['"]([^'"]+)""", requirement)[:1])


def is_for_developers(extra: str) -> bool:
    """Whether an extra of esens is for those who work on it: make setup and its like install it."""
    return extra in ("dev", "docs") or extra.endswith("-test")


def plain_name(name: str) -> str:
    """Return a name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def licence_of(package: Distribution) -> str:
    """Return what a package says of its licence, in the names of SPDX where it can be told."""
    metadata = package.metadata
    expressions = metadata.get_all("License-Expression")
    if expressions:
        return str(expressions[0])
    classifiers = metadata.get_all("Classifier") or []
    named = [line.rpartition(" :: ")[2] for line in classifiers if line.startswith("License :: OSI Approved :: ")]
    # Some have the whole text there.
    said = str(*(metadata.get_all("License") or [""])[:1]).strip().partition("\n")[0]
    spdx = {_NAMES.get(name.lower(), name) for name in (named or [said]) if name and len(name) <= _LONGEST}
    return " AND ".join(sorted(spdx)) or UNKNOWN


def is_allowed(licence: str) -> bool:
    """Whether every part of an expression is allowed; of alternatives one is enough.

    >>> is_allowed("MIT OR GPL-3.0-only"), is_allowed("MIT AND (GPL-3.0-only OR BSD-3-Clause)")
    (True, True)
    >>> is_allowed("GPL-3.0-only"), is_allowed("MIT AND GPL-3.0-only"), is_allowed("unknown")
    (False, False, False)
    """
    parts = re.split(r"\s+(?:AND|WITH)\s+", licence.replace("(", "").replace(")", ""))
    return all(any(one in ALLOWED for one in re.split(r"\s+OR\s+", part)) for part in parts)


def refused(licences: Mapping[str, str]) -> list[str]:
    """Return the packages whose licence is not on the list, each with it."""
    return [f"{name}: {licence}" for name, licence in licences.items() if not is_allowed(licence)]


def page(licences: Mapping[str, str], left_out: Iterable[str]) -> str:
    """Return the page of all licences, as they were seen here without some extras."""
    without = " and ".join(f"`{extra}`" for extra in left_out) or "none"
    here = f"{platform.system()} with Python {sys.version_info.major}.{sys.version_info.minor}"
    rows = "\n".join(f"| {name} | {licence} |" for name, licence in sorted(licences.items()))
    return f"""# Licences of what esens brings

esens is under the Apache License 2.0; whose data it carries is said in the NOTICE files beside them. It needs few
packages, and each extra brings some more. These are all that an environment with every extra had, as the packages
state their licences themselves. Left out: {without}. Seen on {here}; another system or version may
bring others, and who installs fewer extras has fewer of them.

    make release-check RELEASE="--write-licences"

writes this page. `make release-check` and a test fail where a package has a licence that is not on the list in
`tests/release/licences.py`, and the former also where the page lacks a package.

| package | licence |
| --- | --- |
{rows}
"""


if __name__ == "__main__":
    json.dump({name: licence_of(package) for name, package in closure().items()}, sys.stdout)
