"""The default index on disk: a folder with a table of Lance, the format of LanceDB."""

from esens.errors import MissingExtraError

try:
    import filelock as filelock
    import lance as lance
    import pyarrow as pyarrow
except ImportError:
    raise MissingExtraError("pylance", "lance") from None
