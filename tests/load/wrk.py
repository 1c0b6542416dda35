"""wrk, which sends more requests than Python can, and says what came back."""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest

# Every query is another one. Counts are by status: wrk itself knows only "not 2xx".
_SCRIPT = """
local number, shared = 0, nil
function setup(thread) shared = thread end
function init() served, refused, other = 0, 0, 0 end
function request()
  number = number + 1
  local body = string.format('{"query": "salad %d without vinegar"}', number)
  return wrk.format("POST", "/v1/search", {["Content-Type"] = "application/json"}, body)
end
function response(status)
  if status == 200 then served = served + 1
  elseif status == 503 then refused = refused + 1
  else other = other + 1 end
end
function done(summary)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(string.format('\\n{"served": %d, "refused": %d, "other": %d, "failed": %d}\\n',
    shared:get("served"), shared:get("refused"), shared:get("other"), failed))
end
"""


class Load(NamedTuple):
    """How many requests were answered with 200, with 503, otherwise, and not at all."""

    served: int
    refused: int
    other: int
    failed: int


def load(url: str, *, connections: int, seconds: int) -> Load:
    """Send searches over so many connections, each the next when it has its answer."""
    if shutil.which("wrk") is None:
        pytest.skip("wrk is not installed: apt-get install wrk")
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "search.lua")
        script.write_text(_SCRIPT)
        typed = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "60s", "-s", str(script), url]
        done = subprocess.run(typed, capture_output=True, text=True, check=True, timeout=seconds + 120)
    return Load(**json.loads(done.stdout.splitlines()[-1]))
