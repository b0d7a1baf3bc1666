"""Gives a Python that was built without loadable extensions of SQLite one that has them."""

import sqlite3
import sys

if not hasattr(sqlite3.Connection, "enable_load_extension"):
    try:
        import pysqlite3
    except ImportError:  # not needed by every program
        pass
    else:
        sys.modules["sqlite3"] = pysqlite3
        sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2
