"""Bodies of a system that are welded together: each group is one link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from poinsot.model.body import WORLD, Body
from poinsot.model.constraints.loop import Loop
from poinsot.model.joints.fixed import Fixed


class WeldedGroups:
    """Which bodies are one link, by fixed joints of the tree and fixed loops.

    A group is called like its first body with mass, or else like its last one; what is welded to
    the ground is the ground.

    Args:
        bodies: All bodies.
        loops: Joints that close loops.
    """

    def __init__(self, bodies: Sequence[Body], loops: Sequence[Loop]) -> None:
        self._bodies = bodies
        self._roots = {WORLD: WORLD} | {body.name: body.name for body in bodies}
        welds = [(body.parent, body.name) for body in bodies if isinstance(body.joint, Fixed)]
        welds += [(x.first[0], x.second[0]) for x in loops if isinstance(x.joint, Fixed)]
        for first, second in welds:
            kept, merged = self._roots[first], self._roots[second]
            if merged == WORLD:
                kept, merged = merged, kept
            self._roots = {k: kept if root == merged else root for k, root in self._roots.items()}

    @cached_property
    def members(self) -> Mapping[str, tuple[Body, ...]]:
        """The bodies of each link by its name, without the ground."""
        groups: dict[str, list[Body]] = {}
        for body in self._bodies:
            if self._roots[body.name] != WORLD:
                groups.setdefault(self._roots[body.name], []).append(body)
        named = {}
        for group in groups.values():
            chosen = next((body for body in group if float(body.mass) > 0.0), group[-1])
            named[chosen.name] = tuple(group)
        return named

    @cached_property
    def link_of(self) -> Mapping[str, str]:
        """The name of the link of each body; the world's for what is welded to it."""
        links = dict.fromkeys(self._roots, WORLD)
        for name, group in self.members.items():
            links |= {body.name: name for body in group}
        return links
