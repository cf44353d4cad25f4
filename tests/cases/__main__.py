"""The command line: ``python -m tests.cases FILE [FILE ...] [--only ID]``."""

import argparse
import sys
from pathlib import Path

from tests.cases.runner import FileError, read_cases, run, selected


def main(arguments=None) -> int:
    """Run the cases, print a line for each and the counts; return the exit code.

    0: all passed; 1: some failed or were skipped; 2: there was nothing to run.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.cases", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="file of cases")
    parser.add_argument("--only", metavar="ID", help="comma-separated globs of case ids")
    options = parser.parse_args(arguments)
    try:
        cases = [case for path in options.files for case in read_cases(path)]
    except FileError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    chosen = selected(cases, options.only)
    if not chosen:
        print(f"error: no case matches {options.only!r}", file=sys.stderr)
        return 2
    counts = run(chosen)
    print(f"{counts['PASS']} passed, {counts['FAIL']} failed, {counts['TODO']} skipped")
    return 0 if counts["PASS"] == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
