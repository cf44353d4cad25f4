"""How large the source is: lines of code, without blank lines, comments and docstrings.

    python -m benchmarks.size [FOLDER]

Prints a row per package; imports count as code.
"""

import ast
import io
import sys
import tokenize
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src" / "poinsot"
SILENT = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENCODING, tokenize.ENDMARKER,
}  # fmt: skip


def code_lines(text: str) -> int:
    """Return the number of lines that hold code.

    >>> code_lines('x = 1  # one' + chr(10) + chr(10) + '# nothing' + chr(10) + 'y = 2')
    2
    """
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in SILENT:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - _docstring_lines(text))


def _docstring_lines(text: str) -> set[int]:
    """Return the lines of texts that stand alone: docstrings, and those below constants."""
    lines: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        text_alone = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if text_alone and isinstance(node.value.value, str):
            lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def main() -> None:
    """Print the table."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCE
    rows: dict[str, list[int]] = {}
    for path in sorted(root.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        inside = path.relative_to(root).parts
        package = inside[0] if len(inside) > 1 else "."
        row = rows.setdefault(package, [0, 0, 0, 0])
        size = text.count("\n")
        row[0] += 1
        row[1] += size
        row[2] += code_lines(text)
        row[3] = max(row[3], size)
    print(f"{'package':14} {'files':>6} {'lines':>7} {'code':>7} {'longest':>8}")
    for package, row in rows.items():
        print(f"{package:14} {row[0]:6} {row[1]:7} {row[2]:7} {row[3]:8}")
    total = [sum(column) for column in zip(*rows.values(), strict=True)]
    longest = max(row[3] for row in rows.values())
    print(f"{'all':14} {total[0]:6} {total[1]:7} {total[2]:7} {longest:8}")


if __name__ == "__main__":
    main()
