"""``python -m esens`` is ``esens``."""

import sys

from esens.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
