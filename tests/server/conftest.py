"""Without the extra most of what is here cannot even be imported; ``test_extra.py`` then says so."""

from importlib.util import find_spec
from pathlib import Path

from tests.server.test_extra import NEEDED

_WITHOUT = ("conftest.py", "test_extra.py", "test_settings.py")
if not all(map(find_spec, NEEDED)):
    collect_ignore = [path.name for path in Path(__file__).parent.glob("*.py") if path.name not in _WITHOUT]
elif find_spec("mcp") is None:
    collect_ignore = ["test_mcp.py"]
