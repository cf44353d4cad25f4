"""A strict reading of LaTeX: brackets, environments, dollars, and no command that is not known."""

import re

COMMANDS = frozenset(
    re.findall(
        r"\S+",
        r"""
    \documentclass \usepackage \allowdisplaybreaks \begin \end \section \subsection \emph \hline
    \endhead \draw \fill \node \small \ldots \left \right \bigl \bigr \frac \sqrt \mathrm \dot \ddot
    \boldsymbol
    \sin \cos \tan \arcsin \arccos \exp \ln \min \max \operatorname \text \le \cdot \quad \qquad
    \displaystyle \varphi \textasciitilde \textasciicircum \textbackslash \textless \textgreater
    \textbar \textsuperscript \textperiodcentered
    \alpha \beta \gamma \delta \epsilon \zeta \eta \theta \kappa \lambda \mu \nu \xi \pi \rho \sigma
    \tau \phi \chi \psi \omega \Gamma \Delta \Theta \Lambda \Xi \Sigma \Phi \Psi \Omega
    """,
    )
)
SIGNS = {"\\\\", "\\,", "\\ ", "\\[", "\\]", *(f"\\{c}" for c in "&%$#_{}")}
ENVIRONMENTS = {
    "document",
    "center",
    "tikzpicture",
    "longtable",
    "align*",
    "aligned",
    "cases",
    "pmatrix",
}
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}$&]|[^\\{}$&]+", re.DOTALL)


def check_document(text):
    """Check a whole document."""
    assert text.isascii()
    assert text.startswith("\\documentclass")
    assert text.count("\\begin{document}") == text.count("\\end{document}") == 1
    assert text.endswith("\\end{document}\n")
    _check(text, mathematics=False)


def check_mathematics(text):
    """Check a formula, without dollars around it."""
    assert text.isascii()
    _check(text, mathematics=True)


def _check(text, *, mathematics):
    stack, tokens = [], TOKEN.findall(text)
    assert "".join(tokens) == text
    inside = mathematics
    k = 0
    while k < len(tokens):
        token = tokens[k]
        if token in ("\\begin", "\\end"):
            assert tokens[k + 1] == "{", token
            name = tokens[k + 2]
            assert tokens[k + 3] == "}"
            assert name in ENVIRONMENTS, name
            if token == "\\begin":
                stack.append((name, inside))
                inside = inside or name == "align*"
            else:
                assert stack, name
                opened, inside = stack.pop()
                assert opened == name, (opened, name)
            k += 4
            continue
        if token == "{":
            stack.append(("{", inside))
        elif token == "}":
            assert stack, text[:80]
            opened, inside = stack.pop()
            assert opened == "{"
        elif token in ("\\left", "\\bigl"):
            stack.append((token, inside))
        elif token in ("\\right", "\\bigr"):
            assert stack.pop()[0] == {"\\right": "\\left", "\\bigr": "\\bigl"}[token]
        elif token in ("$", "\\[", "\\]"):
            inside = token == "\\[" or (token == "$" and not inside)
        elif token.startswith("\\"):
            assert token in COMMANDS or token in SIGNS, token
        elif "_" in token or "^" in token:
            assert inside, f"{token!r} outside of mathematics"
        k += 1
    assert not stack, stack
