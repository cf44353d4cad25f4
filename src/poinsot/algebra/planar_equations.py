"""Equations of planar units for people: closure of each joint, what drivers give, unit by unit.

x, y and φ of a link are the place of its frame's origin and its angle.  Units follow each other in
the order of assembly, so that each has as many equations as unknowns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from poinsot.algebra.planar_loops import planar_loops
from poinsot.model.planar.clock import CLOCK
from poinsot.model.planar.curve_pair import CurvePair
from poinsot.model.planar.decomposition import Unit
from poinsot.model.planar.higher_pair import PlanarPair
from poinsot.model.planar.linkage import PlanarJoint, PlanarLinkage
from poinsot.model.planar.relation_pair import RelationPair
from poinsot.model.planar.row_pair import RowPair

DIGITS: Final = 6
"""Of numbers in equations."""
NOTHING: Final = 1e-12
"""Lengths [m] and angles [rad] below it are rounding errors of sketches."""


@dataclass(frozen=True)
class EquationStyle:
    """How symbols are written."""

    x: str
    y: str
    phi: str
    q: str
    cos: str
    sin: str
    times: str
    stroke: str
    lift: str
    gradient: str


TEXT: Final = EquationStyle(
    "x_{}", "y_{}", "φ_{}", "q_{}", "cos({})", "sin({})", " ", "s_{}", "S_{}", "· ∇"
)
LATEX: Final = EquationStyle(
    r"x_{{\mathrm{{{}}}}}", r"y_{{\mathrm{{{}}}}}", r"\varphi_{{\mathrm{{{}}}}}",
    r"q_{{\mathrm{{{}}}}}", r"\cos({})", r"\sin({})", r"\,",
    r"s_{{\mathrm{{{}}}}}", r"S_{{\mathrm{{{}}}}}",
    r"\cdot \nabla ",
)  # fmt: skip


@dataclass(frozen=True)
class PlanarEquations:
    """The position equations of all units; ``print`` shows them.

    Velocities, accelerations and forces of a unit follow from the derivatives K of its equations by
    its own unknowns, K v = -K_o v_o + S dq/dt and Kᵀ λ = M a - f [Wang2007].
    """

    linkage: PlanarLinkage

    def __str__(self) -> str:
        """Return one line for each equation, under the heading of its unit."""
        lines = []
        for number, unit in enumerate(self.linkage.units, start=1):
            lines.append(f"{number}. {_heading(unit)}")
            lines += [f"  {name}: {text}" for name, text in self.of_unit(unit, TEXT)]
        return "\n".join(lines)

    def latex(self) -> str:
        """Return them as an aligned environment of LaTeX, units with comments."""
        lines = []
        for number, unit in enumerate(self.linkage.units, start=1):
            lines.append(f"% {number}. {_heading(unit)}")
            for _, text in self.of_unit(unit, LATEX):
                lines.append(text.replace(" = ", " &= ", 1) + r" \\")
        return "\n".join([r"\begin{align}", *lines, r"\end{align}"])

    def markdown(self) -> str:
        """Return a list for each unit, equations as mathematics."""
        lines = []
        for number, unit in enumerate(self.linkage.units, start=1):
            lines += [f"**{number}. {_heading(unit)}**", ""]
            lines += [f"- {name}: ${text}$" for name, text in self.of_unit(unit, LATEX)] + [""]
        return "\n".join(lines).rstrip()

    @property
    def loops(self) -> str:
        """The closures of independent loops, by vectors from joint to joint round each of them.

        With the angles of links and the strokes of slides as the only unknowns.
        """
        lines = []
        for number, (names, sums) in enumerate(planar_loops(self.linkage), start=1):
            lines.append(f"loop {number}: {', '.join(names)}")
            lines += [f"  {_vector_sum(terms, TEXT)} = 0" for terms in sums]
        return "\n".join(lines)

    def of_unit(self, unit: Unit, style: EquationStyle = TEXT) -> list[tuple[str, str]]:
        """Return names of joints and equations of one unit, as many as it has unknowns."""
        equations = []
        for pair in (*unit.outer, *unit.inner):
            if pair.kind == "H":
                higher = self.linkage.pair_by_name[pair.name]
                equations.append((higher.name, self._pair(higher, style)))
                continue
            joint = self.linkage.by_name[pair.name]
            texts = self._pin(joint, style) if joint.kind == "R" else self._slide(joint, style)
            equations += [(joint.name, text) for text in texts[: self.linkage.rows[joint.name]]]
        for name in unit.drivers:
            joint = self.linkage.by_name[name]
            equations.append((f"driver of {name}", self._driver(joint, style)))
        return equations

    def _pin(self, joint: PlanarJoint, style: EquationStyle) -> list[str]:
        first, second = (
            self._point(joint.a, joint.pa, style), self._point(joint.b, joint.pb, style),
        )  # fmt: skip
        return [f"{left} = {right}" for left, right in zip(first, second, strict=True)]

    def _slide(self, joint: PlanarJoint, style: EquationStyle) -> list[str]:
        dx, dy = self._difference(joint, style)
        angle = self._angle(joint.a, joint.ua, style)
        cosine, sine = style.cos.format(angle), style.sin.format(angle)
        across = f"{cosine}{style.times}({dy}) - {sine}{style.times}({dx}) = 0"
        relative = f"{self._angle(joint.b, 0.0, style)} = {self._angle(joint.a, joint.beta, style)}"
        return [across, relative]

    def _driver(self, joint: PlanarJoint, style: EquationStyle) -> str:
        q = style.q.format(joint.name)
        if joint.kind == "R":
            angle_a = self._angle(joint.a, 0.0, style)
            right = q if angle_a == "0" else f"{angle_a} + {q}"
            return f"{self._angle(joint.b, 0.0, style)} = {right}"
        dx, dy = self._difference(joint, style)
        angle = self._angle(joint.a, joint.ua, style)
        cosine, sine = style.cos.format(angle), style.sin.format(angle)
        return f"{cosine}{style.times}({dx}) + {sine}{style.times}({dy}) = {q}"

    def _pair(self, pair: PlanarPair, style: EquationStyle) -> str:
        """Return y_b = f(y_a), the coordinates of joints written out where they are angles."""
        if isinstance(pair, CurvePair):
            return self._on_curve(pair, style)
        if isinstance(pair, RelationPair | RowPair):
            arguments = ", ".join("t" if x == CLOCK else x for x in pair.bodies)
            return f"{style.lift.format(pair.name)}({arguments}) = 0"
        y_a, y_b = (
            self._coordinate(joint, sign, style)
            for joint, sign in zip(pair.joints, (pair.sign_a, pair.sign_b), strict=True)
        )
        if not pair.is_linear:
            return f"{y_b} = {style.lift.format(pair.name)}({y_a})"
        factor = "" if abs(pair.ratio) == 1.0 else _number(abs(pair.ratio)) + style.times
        sign = "-" if pair.ratio < 0.0 else ""
        inner = f"({y_a})" if " " in y_a or y_a.startswith("-") else y_a
        offset = pair.offset or 0.0
        end = (
            f" {'-' if offset < 0 else '+'} {_number(abs(offset))}" if abs(offset) > NOTHING else ""
        )
        return f"{y_b} = {sign}{factor}{inner}{end}"

    def _on_curve(self, pair: CurvePair, style: EquationStyle) -> str:
        """Return S(x, y) = 0, the point of link b in the axes of the curve; e · ∇S of tangents."""
        first = self._point(pair.a, pair.origin, style)
        second = self._point(pair.b, pair.point, style)
        x, y = _minus(second, first)
        angle = self._angle(pair.a, pair.turn, style)
        if angle != "0":
            c, s, times = style.cos.format(angle), style.sin.format(angle), style.times
            x, y = (
                f"{c}{times}({x}) + {s}{times}({y})",
                f"{c}{times}({y}) - {s}{times}({x})",
            )
        if not pair.is_tangent:
            return f"{style.lift.format(pair.name)}({x}, {y}) = 0"
        turn = self._angle(pair.b, 0.0, style)
        if angle != "0":
            turn += f" - ({angle})" if " " in angle else f" - {angle}"
        along = f"({style.cos.format(turn)}, {style.sin.format(turn)})"
        curve = style.lift.format(self._curve_name(pair))
        return f"{along} {style.gradient}{curve}({x}, {y}) = 0"

    def _curve_name(self, tangent: CurvePair) -> str:
        """Return the name of the pair that has a point on the curve of a tangent."""
        same = [
            pair.name
            for pair in self.linkage.pairs
            if isinstance(pair, CurvePair) and not pair.is_tangent and pair.a == tangent.a
            and pair.b == tangent.b and pair.curve == tangent.curve
        ]  # fmt: skip
        return same[0] if same else tangent.name

    def _coordinate(self, joint: PlanarJoint, sign: float, style: EquationStyle) -> str:
        if joint.kind == "P":
            stroke = style.stroke.format(joint.name)
            return stroke if sign > 0.0 else f"-{stroke}"
        ends = (joint.b, joint.a) if sign > 0.0 else (joint.a, joint.b)
        first, second = (self._angle(link, 0.0, style) for link in ends)
        if second == "0":
            return first
        return f"-{second}" if first == "0" else f"{first} - {second}"

    def _difference(self, joint: PlanarJoint, style: EquationStyle) -> tuple[str, str]:
        first = self._point(joint.a, joint.pa, style)
        second = self._point(joint.b, joint.pb, style)
        return _minus(second, first)

    def _angle(self, link: str, offset: Any, style: EquationStyle) -> str:  # noqa: ANN401
        number = float(offset)
        if link == self.linkage.frame:
            return _number(number)
        return _sum([(1.0, style.phi.format(link)), (number, "")], style)

    def _point(self, link: str, point: Any, style: EquationStyle) -> tuple[str, str]:  # noqa: ANN401
        a, b = map(float, np.asarray(point))
        if link == self.linkage.frame:
            return _number(a), _number(b)
        phi = style.phi.format(link)
        cosine, sine = style.cos.format(phi), style.sin.format(phi)
        return (
            _sum([(1.0, style.x.format(link)), (a, cosine), (-b, sine)], style),
            _sum([(1.0, style.y.format(link)), (a, sine), (b, cosine)], style),
        )


def _minus(second: tuple[str, str], first: tuple[str, str]) -> tuple[str, str]:
    """Return second - first."""
    texts = [
        p if q == "0" else f"{p} - ({q})" if " " in q else f"{p} - {q}"
        for p, q in zip(second, first, strict=True)
    ]
    return texts[0], texts[1]


def _vector_sum(terms: Sequence[tuple[float, str, str]], style: EquationStyle) -> str:
    """Return a sum of numbers times strokes times cosines and sines."""
    texts = []
    for factor, stroke, function in terms:
        symbols = style.times.join(filter(None, (stroke, function)))
        texts.append((factor, symbols))
    return _sum(texts, style)


def _heading(unit: Unit) -> str:
    kind = f"driver unit {unit.form}" if unit.drivers else f"{unit.form} group"
    return f"{kind}: {', '.join(map(str, unit.bodies))}"


def _number(value: float) -> str:
    return f"{value:.{DIGITS}g}" if abs(value) > NOTHING else "0"


def _sum(terms: list[tuple[float, str]], style: EquationStyle) -> str:
    """Return a sum of numbers times symbols; zeros are left out."""
    text = ""
    for factor, symbol in terms:
        size = _number(abs(factor))
        if size == "0":
            continue
        is_one = size == "1" and bool(symbol)
        product = symbol if is_one else style.times.join(filter(None, (size, symbol)))
        sign = "-" if factor < 0.0 else "+"
        text += f" {sign} {product}" if text else ("-" if sign == "-" else "") + product
    return text or "0"
