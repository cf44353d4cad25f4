"""Read files of cases, run each through its adapter, print a line a case."""

import json
import warnings
from collections import Counter
from fnmatch import fnmatchcase

import poinsot as ps
from tests.cases.adapters import BY_KIND, BY_PREFIX
from tests.cases.compare import compare, short
from tests.cases.contract import Unsupported

SHOWN = 3
"""How many failures a line names."""

RESULT_KEYS = ("expected", "expect", "reference")


class FileError(Exception):
    """A file is not one of cases."""


def read_cases(path):
    """Return the cases of a file."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FileError(f"{path}: {error}") from error
    cases = content.get("cases") if isinstance(content, dict) else None
    if not isinstance(cases, list):
        raise FileError(f"{path}: there is no list of cases in it")
    for case in cases:
        if not isinstance(case, dict) or "id" not in case:
            raise FileError(f"{path}: a case has no id")
    return cases


def selected(cases, globs):
    """Return the cases whose id matches one of the comma-separated globs; all without globs."""
    if globs is None:
        return cases
    patterns = [glob.strip() for glob in globs.split(",")]
    return [case for case in cases if any(fnmatchcase(case["id"], glob) for glob in patterns)]


def run(cases):
    """Print a line for each case; return how many there are of each outcome."""
    counts = Counter({"PASS": 0, "FAIL": 0, "TODO": 0})
    for case in cases:
        outcome, text = outcome_of(case)
        counts[outcome] += 1
        print(f"{outcome}  {case['id']:<27} {text}", flush=True)
    return counts


def outcome_of(case):
    """Return "PASS", "FAIL" or "TODO" and what is to be said of it."""
    try:
        adapter = adapter_of(case)
        expected = next(case[key] for key in RESULT_KEYS if key in case)
        with warnings.catch_warnings():
            # Cases hold published inertias that no body can have, and states where motion stops.
            warnings.simplefilter("ignore", ps.ModelWarning)
            found = adapter(case)
        report = compare(expected, found, case.get("tolerance", {}))
    except Unsupported as reason:
        return "TODO", str(reason)
    except StopIteration:
        return "FAIL", f"the case has none of the keys {', '.join(RESULT_KEYS)}"
    except Exception as error:  # one bad case must not hide the others
        return "FAIL", f"{type(error).__name__}: {' '.join(str(error).split())}"
    if report.failures:
        more = len(report.failures) - SHOWN
        return "FAIL", "; ".join(report.failures[:SHOWN]) + (f"; {more} more" if more > 0 else "")
    if report.missing:
        return "TODO", f"{', '.join(report.missing)}: not supported yet"
    return "PASS", f"worst {short(report.worst.error)} (tolerance {short(report.worst.limit)})"


def adapter_of(case):
    """Return the adapter of a case: by its kind, without one by the first word of its id."""
    if "kind" in case:
        kind, known = case["kind"], BY_KIND
    else:
        kind, known = case["id"].split("-")[0], BY_PREFIX
    if kind not in known:
        raise Unsupported(f"{kind}: not supported yet")
    return known[kind]
