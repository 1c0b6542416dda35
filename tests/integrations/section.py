"""The pages on frameworks: their code runs as it is written, and prints what stands below it."""

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from tests.docs.pages import shows

PAGES = Path(__file__).parents[2] / "docs" / "frameworks"


def run_section(heading: str, **names: Any) -> dict[str, Any]:
    """Run the code of a page, given what its text says is there already; return the names that it has then."""
    pages = (path.read_text("utf-8") for path in PAGES.glob("*.md"))
    (section,) = (page for page in pages if page.startswith(f"# {heading}\n"))
    printed = StringIO()
    with redirect_stdout(printed):
        for block in re.findall(r"```python\n(.*?)```", section, re.DOTALL):
            exec(compile(block, heading, "exec"), names)
    promised = re.findall(r"```text\n(.*?)```", section, re.DOTALL)
    assert promised, heading
    for block in promised:
        assert block.strip(), printed.getvalue()
        assert shows(printed.getvalue(), block), (block, printed.getvalue())
    return names
