"""Links with their kinds and parameters, and the builder of the rolled recursions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from poinsot.expr import RolledBuilder
from poinsot.expr.rolled import CONSTANTS, STATE
from poinsot.formulations.recursive.link_kinds import LinkKind, passive_numbers
from poinsot.formulations.recursive.links import Link, link_frame
from poinsot.formulations.rolled_closures import append_closure_wrenches
from poinsot.formulations.rolled_forces import append_joint_forces, append_wrenches
from poinsot.model import Environment, LoadInputs, Mechanism
from poinsot.model.environment import BASE, N_BASE, WRENCHES
from poinsot.spatial import Array, Transform

GRAVITY = "gravity"
"""Name of the input that holds gravity in base axes, if it is an input."""


class RolledTree:
    """Links with their kinds and parameters, and a builder for their items.

    Args:
        mechanism: The bodies.
        links: The links.
        inputs: Which of q, v, a, tau and gravity are inputs.
        output: Name and shape of the result.
        load_inputs: Which external loads are inputs; None where gravity is the only load.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        links: tuple[Link, ...],
        inputs: tuple[str, ...],
        output: tuple[str, tuple[int, ...]],
        load_inputs: LoadInputs | None = None,
    ) -> None:
        sizes = {"q": mechanism.nq, GRAVITY: 3}
        self.mechanism = mechanism
        self.nv = mechanism.nv
        self._load_inputs = load_inputs
        self.links = links
        self.kinds = [LinkKind.from_link(link) for link in links]
        more = {} if load_inputs is None else load_inputs.inputs(mechanism)
        self.builder = RolledBuilder(
            {name: sizes.get(name, mechanism.nv) for name in inputs} | more, dict([output])
        )
        if load_inputs is not None and load_inputs.base:
            self._source = (BASE, 0, N_BASE)
        elif GRAVITY in inputs:
            self._source = (GRAVITY, 0, 3)
        else:
            self._source = (CONSTANTS, self.builder.constants(mechanism.gravity), 3)
        self._numbers = [
            self.builder.constants(kind.numbers(link))
            for kind, link in zip(self.kinds, links, strict=True)
        ]
        joints = {
            v_slice.start: body.joint
            for body, v_slice in zip(mechanism.bodies, mechanism.v_slices, strict=True)
            if body.joint.nv
        }
        self._moved_by = {link.v.start: k for k, link in enumerate(links)}
        self._joint_forces: int | None = None
        self._passive = []
        for link in links:
            values = passive_numbers(joints[link.v.start])
            self._passive.append((self.builder.constants(values), len(values)))

    def world(self, trace: Callable[[Environment], Array], size: int) -> dict[int, int]:
        """Return indices by link, with the entry of the base (-1) set from the environment."""
        index = self.builder.state(size)
        self.builder.item(
            (trace.__name__, self._source[0]), partial(_world, trace), {"numbers": self._source},
            {"world": index},
        )  # fmt: skip
        return {-1: index}

    def loads(self, forces: Mapping[int, int]) -> None:
        """Subtract external wrenches and those of elements and loops from the forces of links."""
        if self._load_inputs is None:
            return
        for k, body in enumerate(self._load_inputs.wrenches):
            self.load(body, Transform.identity(), (WRENCHES, 6 * k, 6), forces)
        for body, X_BE, index in append_wrenches(self.mechanism, self.builder):
            self.load(body, X_BE, (STATE, index, 6), forces)
        for body, index in append_closure_wrenches(self.mechanism, self.builder, self._load_inputs):
            self.load(body, Transform.identity(), (STATE, index, 6), forces)

    def forces_along_joints(self) -> None:
        """Append the forces of elements along joints, for ``joint_forces_read``."""
        if self._load_inputs is not None:
            self._joint_forces = append_joint_forces(self.mechanism, self.builder)

    def joint_forces_read(self, link: Link) -> dict[str, tuple[str, int, int]]:
        """Return the read of the forces of elements along a joint, if there are any."""
        if self._joint_forces is None:
            return {}
        v_slice = link.v
        index = self._joint_forces + v_slice.start
        return {"exerted": (STATE, index, v_slice.stop - v_slice.start)}

    def load(
        self, body: int, X_BE: Transform, wrench: tuple[str, int, int], forces: Mapping[int, int]
    ) -> None:
        """Subtract a wrench on a body, given in a frame of the body, from the force of its link."""
        link, X_CB = link_frame(self.mechanism, body)
        if link < 0:
            return
        X_CE = X_CB @ X_BE
        numbers = [*X_CE.R.ravel().tolist(), *X_CE.p.tolist()]
        self.builder.item(
            ("load", wrench[0]),
            _load,
            {
                "numbers": (CONSTANTS, self.builder.constants(numbers), 12),
                "wrench": wrench,
                "force": (STATE, forces[link], 6),
            },
            {"force": forces[link]},
        )

    def link_of(self, joint: str) -> int:
        """Return the link that the joint of this name moves."""
        return self._moved_by[self.mechanism.v_slice(joint).start]

    def joint_reads(self, link: Link, *names: str) -> dict[str, tuple[str, int, int]]:
        """Return the reads of a joint's coordinates, velocities, ..."""
        return {
            name: (name, entries.start, entries.stop - entries.start)
            for name, entries in ((name, link.q if name == "q" else link.v) for name in names)
        }

    def passive_read(self, k: int) -> dict[str, tuple[str, int, int]]:
        """Return the read of a joint's passive coefficients."""
        return {"passive": (CONSTANTS, *self._passive[k])}

    def item(
        self,
        step: str,
        k: int,
        trace: Callable[..., dict[str, Array]],
        reads: dict[str, tuple[str, int, int]],
        writes: dict[str, int],
    ) -> None:
        """Append a step for link k."""
        kind = self.kinds[k]
        n_passive = reads["passive"][2] if "passive" in reads else 0
        self.builder.item(
            (step, kind, n_passive, "exerted" in reads),
            trace,
            {"numbers": (CONSTANTS, self._numbers[k], kind.n_numbers), **reads},
            writes,
        )


def _world(trace: Callable[[Environment], Array], *, numbers: Array) -> dict[str, Array]:
    environment = Environment(numbers)
    if len(numbers) == N_BASE:
        environment = Environment(numbers[:3], numbers[3:9], numbers[9:])
    return {"world": trace(environment)}


def _load(*, numbers: Array, wrench: Array, force: Array) -> dict[str, Array]:
    X_CE = Transform(numbers[:9].reshape(3, 3), numbers[9:])
    return {"force": force - X_CE.force_to_parent(wrench)}
