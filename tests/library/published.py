"""Published values of mechanisms."""

import json
from pathlib import Path

FILE = Path(__file__).parents[1] / "data" / "benchmarks.json"


def case(id):
    """Return a case of the benchmarks."""
    cases = json.loads(FILE.read_text(encoding="utf-8"))["cases"]
    return next(one for one in cases if one["id"] == id)
