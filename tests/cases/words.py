"""Geometry in words: directions "+z", vectors "(0,2,-1)/sqrt5", rotations "Rx(-45 deg)"."""

import re

import numpy as np

from poinsot.spatial import quaternion_to_matrix, rotation_x, rotation_y, rotation_z
from tests.cases.contract import Unsupported
from tests.cases.numbers import number

AXES = dict(zip("xyz", np.eye(3), strict=True))
TURNS = {"x": rotation_x, "y": rotation_y, "z": rotation_z}
TURN = re.compile(r"R([xyz])\(([^()]+?) *(deg|rad)?\)")
VECTOR = r"[-+]?[xyz]|\([^()]*\)(?:/ *(?:sqrt)?\(?\d+\)?)?"
"""A pattern of what ``direction`` reads."""


def direction(value):
    """Return the unit vector along "x", "-z", "(0,2,-1)/sqrt5" or three numbers.

    >>> direction("-y").tolist(), direction("(0, 3, 4)/5").tolist()
    ([-0.0, -1.0, -0.0], [0.0, 0.6, 0.8])
    """
    if not isinstance(value, str):
        vector = np.array(value, float)
    elif (letter := value.strip().lstrip("+-")) in AXES:
        vector = AXES[letter] * (-1.0 if value.strip().startswith("-") else 1.0)
    elif found := re.match(r"\(([^()]*)\)", value.strip()):
        vector = np.array([number(part) for part in found[1].split(",")])
    else:
        raise Unsupported(f"direction {value!r}: not understood")
    return vector / np.linalg.norm(vector)


def vector(text):
    """Return three numbers in parentheses.

    >>> vector("(2, 0, -.5)").tolist()
    [2.0, 0.0, -0.5]
    """
    return np.array([number(part) for part in text.strip().strip("()").split(",")])


def rotation(value):
    """Return the matrix of "identity", "Rx(-45 deg)", "R=Rz(30 deg)*Rx(0.2)", wxyz or a matrix.

    >>> rotation("R=Rz(90 deg)").round(12).tolist()[0]
    [0.0, -1.0, 0.0]
    """
    if not isinstance(value, str):
        numbers = np.array(value, float)
        return numbers if numbers.shape == (3, 3) else _unit_matrix(numbers)
    text = re.sub(r"^\s*R\s*=", "", value).strip()
    matrix = np.eye(3)
    if text == "identity":
        return matrix
    for axis, angle, unit in TURN.findall(text):
        turn = number(angle) * (np.pi / 180.0 if unit == "deg" else 1.0)
        matrix = matrix @ TURNS[axis](turn)
    if re.sub(r"[\s*]", "", TURN.sub("", text)):
        raise Unsupported(f"rotation {value!r}: not understood")
    return matrix


def turned(text, R):
    """Return a direction that may be written in the axes of a frame, "R*z", in world axes."""
    found = re.fullmatch(r"R *\*? *(.+)", text.strip()) if isinstance(text, str) else None
    return R @ direction(found[1]) if found else direction(text)


def _unit_matrix(numbers):
    return quaternion_to_matrix(numbers / np.linalg.norm(numbers))
