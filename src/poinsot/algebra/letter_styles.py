"""How a name is written: as plain text, with Unicode, and in LaTeX."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_SMALL: Final = (
    "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi "
    "psi omega"
)
_CAPITAL: Final = "Gamma Delta Theta Lambda Xi Sigma Phi Psi Omega"


def _greek(name: str) -> str:
    kind = "CAPITAL" if name[0].isupper() else "SMALL"
    return unicodedata.lookup(f"GREEK {kind} LETTER {name.upper().replace('LAMBDA', 'LAMDA')}")


GREEK: Final = {name: _greek(name) for name in f"{_SMALL} {_CAPITAL}".split()}
"""Greek letters that LaTeX has a command for, by name."""

NAMES: Final = {letter: name for name, letter in GREEK.items()}
"""Their names, by letter."""
_LOWERED: Final = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SHAPE: Final = re.compile(r"([^\W\d_]+)_?(\w*)")
_SPECIAL: Final = {
    **{c: rf"\{c}" for c in "&%$#_{}"},
    **{"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': "''"},
    **{"²": r"\textsuperscript{2}", "³": r"\textsuperscript{3}", "·": r"\textperiodcentered{}"},
}


def identifier(name: str) -> str:
    """Return a name of letters, digits and _ for any text.

    >>> identifier("rod 1"), identifier("hand.z")
    ('rod_1', 'hand_z')
    """
    return re.sub(r"\W+", "_", name).strip("_") or "joint"


def lowered(digits: str) -> str:
    """Return digits as an index, below the line."""
    return digits.translate(_LOWERED)


def unicode_name(name: str) -> str:
    """Return a name with Greek letters, and digits behind a letter lowered.

    >>> unicode_name("rho_1"), unicode_name("m2"), unicode_name("m_cart")
    ('ρ₁', 'm₂', 'm_cart')
    """
    shape = _SHAPE.fullmatch(name)
    if shape is None:
        return name
    letters, rest = GREEK.get(shape[1], shape[1]), shape[2]
    if rest.isascii() and rest.isdigit():
        return letters + lowered(rest)
    return f"{letters}_{rest}" if rest else letters


def latex_name(name: str) -> str:
    r"""Return a name as mathematics in LaTeX.

    >>> print(latex_name("rho_1"), latex_name("m2"), latex_name("m_cart"), latex_name("mass"))
    \rho_{1} m_{2} m_{\mathrm{cart}} \mathrm{mass}
    """
    shape = _SHAPE.fullmatch(name)
    if shape is None:
        return subscript(name)
    letters, rest = NAMES.get(shape[1], shape[1]), shape[2]
    if letters in GREEK:
        head = f"\\{letters}"
    else:
        head = letters if len(letters) == 1 and letters.isascii() else subscript(letters)
    return f"{head}_{{{subscript(rest)}}}" if rest else head


def subscript(text: str) -> str:
    r"""Return a text inside mathematics: digits and single letters as they are, words upright.

    What only text has, a backslash for instance, makes it text.

    >>> print(subscript("12"), subscript("rod 1"))
    12 \mathrm{rod\ 1}
    """
    plain = latex_text(text)
    if plain.isalnum() and (plain.isdigit() or len(plain) == 1):
        return plain
    if r"\text" in plain:
        return r"\text{" + plain + "}"
    return r"\mathrm{" + plain.replace(" ", r"\ ") + "}"


def latex_text(text: str) -> str:
    r"""Return any text for LaTeX, in ASCII: without accents, other letters as their codes.

    >>> print(latex_text("50 % of Bézier_1"), latex_text("腕"))
    50 \% of Bezier\_1 U+8155
    """
    letters: list[str] = []
    for c in text:
        if c in _SPECIAL:
            letters.append(_SPECIAL[c])
        elif c.isascii():
            letters.append(c if c.isprintable() else " ")
        else:
            base = unicodedata.normalize("NFKD", c).encode("ascii", "ignore").decode()
            letters.append(base or NAMES.get(c) or f"U+{ord(c):04X}")
    return "".join(letters)
