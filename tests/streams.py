"""What a test finds on the process's own streams, less what is not its own."""

import pytest


def printed(capfd: pytest.CaptureFixture[str]) -> str:
    """Return what was printed, without the log of gRPC: threads of earlier tests may still write it."""
    lines = [line for stream in capfd.readouterr() for line in stream.splitlines()]
    return "\n".join(line for line in lines if ".cc:" not in line)
