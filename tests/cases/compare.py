"""What it means that found values agree with expected ones.

An entry passes if max|x - y| <= atol + rtol max|y|; the case's ``tolerance`` says otherwise by the
names in it:

- ``rtol``, ``atol`` (1e-9, 1e-11 without them); ``rel``, ``abs`` in their place;
- ``exact``: no difference at all; ``digits``: half a unit of this digit of each number by itself;
- ``<entry>_rtol``, ``<entry>_abs``, ...: the same for entries whose name is or begins so;
  ``<entry>`` alone: both at once, or a dictionary like the whole;
- ``abs_vs_published`` for entries called ``published_*``, ``abs_vs_refined`` for the others.

Entries called ``trap_*`` must not match.  History is not compared unless the tolerance names it.
"""

from dataclasses import dataclass, field

import numpy as np

from tests.cases.contract import Missing, Within

RTOL, ATOL = 1e-9, 1e-11
HISTORY = ("published", "adams", "exudyn", "sympy_times")
WORDS = {"rtol": "rtol", "rel": "rtol", "atol": "atol", "abs": "atol"}
REMARKS = ("note", "notes", "columns", "convention", "source", "formula")


@dataclass(frozen=True)
class Tolerance:
    """How much an entry may differ; ``digits`` is for each number by itself."""

    rtol: float = RTOL
    atol: float = ATOL
    digits: int | None = None

    def limits(self, y):
        """Return the largest differences allowed, of the shape of y or one number."""
        if self.digits is None:
            return self.atol + self.rtol * np.max(np.abs(y), initial=0.0)
        size = np.abs(np.where(y == 0.0, 1.0, y))
        half_unit = 0.5 * 10.0 ** (np.floor(np.log10(size)) - self.digits + 1)
        return half_unit * (1.0 + RTOL)  # a number half-way between two is rounded either way


@dataclass(frozen=True)
class Difference:
    """The number that is worst compared with what is allowed."""

    error: float = 0.0
    limit: float = 0.0

    @property
    def ok(self):
        """Whether it is allowed; NaN is not."""
        return self.error <= self.limit

    @property
    def badness(self):
        """Error in units of the limit; infinite for NaN."""
        if np.isnan(self.error):
            return np.inf
        if self.error == 0.0:
            return 0.0
        return self.error / self.limit if self.limit > 0 else np.inf


@dataclass
class Report:
    """What came out of a comparison."""

    worst: Difference = field(default_factory=Difference)
    failures: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def compare(expected, found, tolerance):
    """Return the report on all expected entries.

    Args:
        expected: What the case expects: entries by name, or a list of such.
        found: What the adapter found, of the same form; ``Missing`` where it could not, ``Within``
            where it knows the tolerance of an entry.
        tolerance: The case's dictionary.
    """
    report = Report()
    _compare(expected, found, tolerance, (), report)
    return report


def tolerance_of(path, tolerance):
    """Return the tolerance of the entry with this path of names."""
    found = _common(tolerance)
    published = any(name.startswith("published_") for name in path)
    key = "abs_vs_published" if published else "abs_vs_refined"
    if key in tolerance:
        found = Tolerance(0.0, tolerance[key])
    for entry in path:
        own = {}
        for name, value in tolerance.items():
            stem, _, word = name.rpartition("_")
            if word in WORDS and _begins(entry, stem):
                own[WORDS[word]] = value
            elif name == entry:
                own |= value if isinstance(value, dict) else {"rtol": value, "atol": value}
        if own.keys() == {"atol"}:
            own["rtol"] = 0.0
        found = _common(own) if own else found
    return found


def short(number):
    """Return a number with two digits, without zeros that say nothing.

    >>> short(3.14e-14), short(1e-11), short(0.0), short(float("inf"))
    ('3.1e-14', '1e-11', '0', 'inf')
    """
    if number == 0.0 or not np.isfinite(number):
        return f"{number:g}"
    mantissa, exponent = f"{number:.1e}".split("e")
    return f"{mantissa.removesuffix('.0')}e{int(exponent)}"


def _common(tolerance):
    if tolerance.get("exact"):
        return Tolerance(0.0, 0.0)
    if "digits" in tolerance:
        return Tolerance(digits=tolerance["digits"])
    if "abs" in tolerance:
        return Tolerance(tolerance.get("rel", 0.0), tolerance["abs"])
    rtol = tolerance.get("rtol", tolerance.get("rel", RTOL))
    return Tolerance(rtol, tolerance.get("atol", ATOL))


def _compare(expected, found, tolerance, path, report):
    where = ".".join(map(str, path))
    if isinstance(found, Missing):
        report.missing.append(f"{where} ({found.reason})" if found.reason else where)
    elif isinstance(expected, dict):
        if not isinstance(found, dict):
            report.failures.append(f"{where}: a dictionary is expected")
            return
        for name, value in expected.items():
            _compare_entry(name, value, found, tolerance, path, report)
    elif isinstance(expected, bool | None) or _is_text(expected):
        if not _same(expected, found):
            report.failures.append(f"{where}: {found!r} is not {expected!r}")
    elif (y := _numbers(expected)) is None:
        if len(expected) != len(found):
            report.failures.append(f"{where}: {len(found)} entries, not {len(expected)}")
            return
        for i, (one, other) in enumerate(zip(expected, found, strict=True)):
            _compare(one, other, tolerance, (*path, str(i)), report)
    elif isinstance(found, Within):
        _compare_numbers(y, found.value, Tolerance(found.rtol, found.atol), where, report)
    else:
        _compare_numbers(y, found, tolerance_of(path, tolerance), where, report)


def _compare_entry(name, value, found, tolerance, path, report):
    if name.startswith("trap_"):
        _spring_trap(name, value, found, tolerance, path, report)
    elif name in found:
        if not _is_history(name, tolerance):
            _compare(value, found[name], tolerance, (*path, name), report)
    elif not (_is_history(name, tolerance) or name in REMARKS):
        report.missing.append(".".join((*path, name)))


def _compare_numbers(y, found, tolerance, where, report):
    x = np.asarray(found, np.float64)
    if x.shape != y.shape and x.size + y.size > 0:
        report.failures.append(f"{where}: shape {x.shape}, not {y.shape}")
        return
    difference = _difference(x, y, tolerance)
    if not difference.ok:
        report.failures.append(f"{where}: {_printed(difference.error)} > {short(difference.limit)}")
    elif difference.badness >= report.worst.badness:
        report.worst = difference


def _difference(x, y, tolerance):
    """Return the difference that is worst compared with its limit."""
    if y.size == 0:
        return Difference()
    errors = np.abs(x - y)
    limits = np.broadcast_to(tolerance.limits(y), y.shape)
    pairs = zip(errors.ravel().tolist(), limits.ravel().tolist(), strict=True)
    return max((Difference(*pair) for pair in pairs), key=lambda one: one.badness)


def _spring_trap(name, value, found, tolerance, path, report):
    """Fail if what a known mistake gives is what was found.

    The trap belongs to the entry with whose name its own begins; without one, to all.
    """
    named = [key for key in found if _begins(name.removeprefix("trap_"), key)]
    for key in named or found:
        match = Report()
        _compare(value, found[key], tolerance, (*path, key), match)
        if not match.failures and not match.missing:
            report.failures.append(f"{'.'.join((*path, key))}: matches {name}")


def _begins(name, start):
    """Return whether a name is ``start`` or begins with it and an underscore."""
    return name == start or name.startswith(f"{start}_")


def _is_history(name, tolerance):
    """Return whether an entry is for information only."""
    words = [word for word in HISTORY if _begins(name, word)]
    return bool(words) and not any(word in key for word in words for key in tolerance)


def _is_text(value):
    """Return whether a value is a text that is not a number with many digits."""
    return isinstance(value, str) and _numbers(value) is None


def _numbers(value):
    """Return a number or a regular list of numbers as an array, anything else as None.

    A number may be written as a text, to keep all its digits.
    """
    try:
        array = np.asarray(value)
        if array.dtype.kind == "U":
            array = array.astype(np.float64)
    except ValueError:
        return None
    return array.astype(np.float64) if array.dtype.kind in "iuf" or array.size == 0 else None


def _same(expected, found):
    if isinstance(expected, bool):
        return isinstance(found, bool | np.bool_) and expected == bool(found)
    return expected == found


def _printed(number):
    """Return a number as the line of a failure shows it, e.g. 2.0e-3."""
    if not np.isfinite(number):
        return f"{number:g}"
    mantissa, exponent = f"{number:.1e}".split("e")
    return f"{mantissa}e{int(exponent)}"
