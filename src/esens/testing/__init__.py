"""What those test with who write an adapter of an engine, or a program around esens.

:class:`EngineDouble` is an index like those of servers, served from memory. :class:`IndexConformance` is the suite
that every index passes; it needs the extra ``testing``.
"""

from typing import TYPE_CHECKING

from esens.testing.engine_double import EngineDouble

if TYPE_CHECKING:
    from esens.testing.conformance import IndexConformance
else:

    def __getattr__(name: str) -> object:
        if name != "IndexConformance":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from esens.errors import MissingExtraError

        try:
            import pytest

            pytest.register_assert_rewrite("esens.testing.conformance")
            from esens.testing.conformance import IndexConformance
        except ImportError as error:
            raise MissingExtraError(error.name or "pytest", "testing") from None
        return IndexConformance


__all__ = ["EngineDouble", "IndexConformance"]
