"""How the command line is parsed."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]
