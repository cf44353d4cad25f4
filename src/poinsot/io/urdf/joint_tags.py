"""The ``<joint>`` of a step: origin, axis, limits, dynamics and mimic."""

from __future__ import annotations

import math

from poinsot.io.urdf.joint_chain import ChainStep
from poinsot.io.urdf.joints import UNLIMITED
from poinsot.io.urdf.origin import origin_tags
from poinsot.io.urdf.unsupported import Lost
from poinsot.io.xml.write import Tag, number_text, numbers_text
from poinsot.model import AbstractJoint, Limits

__all__ = ["JointWriter"]


class JointWriter:
    """Writes the joints of URDF that one of ours becomes."""

    def __init__(self, joint: AbstractJoint, name: str, lost: Lost) -> None:
        """Begin, and note what no joint of URDF has.

        Args:
            joint: Our joint.
            name: What it is called.
            lost: Where to note what URDF cannot hold.
        """
        self._joint, self._name, self._lost = joint, name, lost
        if any(map(_any, joint.stiffness)):
            lost.add("stiffness", name)
        if any(map(_any, joint.armature)):
            lost.add("armature", name)

    def tag(self, step: ChainStep, name: str, parent: str, child: str) -> Tag:
        """Return the ``<joint>`` of a step between two links."""
        children = [Tag("parent", {"link": parent}), Tag("child", {"link": child})]
        children += origin_tags(step.pose)
        if step.axis is not None:
            children.append(Tag("axis", {"xyz": numbers_text(step.axis)}))
        if step.kind == "fixed":
            return Tag("joint", {"name": name, "type": "fixed"}, children)
        children += self._dynamics(step)
        if step.kind in ("planar", "floating"):
            if self._joint.limits not in (None, Limits()):
                self._lost.add("limits", self._name)
            return Tag("joint", {"name": name, "type": step.kind}, children)
        kind, limit = self._limit(step)
        mimic = self._joint.mimic
        if mimic is not None:
            numbers = {"multiplier": mimic.multiplier, "offset": mimic.offset}
            texts = {key: number_text(number) for key, number in numbers.items()}
            limit.append(Tag("mimic", {"joint": mimic.joint, **texts}))
        return Tag("joint", {"name": name, "type": kind}, children + limit)

    def _dynamics(self, step: ChainStep) -> list[Tag]:
        numbers = {}
        for key in ("damping", "friction"):
            values = getattr(self._joint, key)
            if any(isinstance(value, tuple) for value in values):
                self._lost.add(f"{key} between coordinates", self._name)
                values = tuple(row[i] for i, row in enumerate(values))
            distinct = set(values)
            if step.kind in ("turn", "slide"):
                distinct = {values[step.coordinate]}
            if len(distinct) > 1:
                self._lost.add(f"{key} that differs by direction", self._name)
            elif any(distinct):
                numbers[key] = number_text(*distinct)
        return [Tag("dynamics", numbers)] if numbers else []

    def _limit(self, step: ChainStep) -> tuple[str, list[Tag]]:
        """Return the type of a turn or slide and its ``<limit>``; slides must have one."""
        limits = self._joint.limits or Limits()
        k = step.coordinate
        lower, upper = _of(limits.lower, k, -math.inf), _of(limits.upper, k, math.inf)
        velocity, effort = _of(limits.velocity, k, math.inf), _of(limits.effort, k, math.inf)
        ranged = step.kind == "slide" or math.isfinite(lower) or math.isfinite(upper)
        numbers = {"lower": lower, "upper": upper} if ranged else {}
        numbers |= {"velocity": velocity, "effort": effort}
        kind = "prismatic" if step.kind == "slide" else "revolute" if ranged else "continuous"
        if not ranged and math.isinf(velocity) and math.isinf(effort):
            return kind, []
        texts = {key: number_text(_finite(number)) for key, number in numbers.items()}
        return kind, [Tag("limit", texts)]


def _of(values: tuple[float, ...], k: int, default: float) -> float:
    """Return the number of coordinate k: one stands for all, none for the default."""
    if not values:
        return default
    return values[0] if len(values) == 1 else values[k]


def _finite(number: float) -> float:
    return math.copysign(UNLIMITED, number) if math.isinf(number) else number


def _any(value: object) -> bool:
    return any(value) if isinstance(value, tuple) else bool(value)
