"""The quantities: one entry each, and nothing about them anywhere else.

Functions are named by module and imported when they are first run: what lies in the disk cache as
machine code never needs them.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from poinsot.errors import PoinsotError
from poinsot.evaluate.quantity import Algorithm, Cost, Export, Function, Quantity
from poinsot.lazy import when_called


def _in(home: str) -> Function:
    """Return a function of the formulations, ``"energy:momentum"``, imported when it is called."""
    return when_called(f"poinsot.formulations.{home}")


def _law(name: str) -> Function:
    """Return a function of further states."""
    return when_called(f"poinsot.evaluate.state_rates:{name}")


def _entry(
    name: str,
    inputs: str,
    compute: Function | str | None = None,
    **fields: Any,  # noqa: ANN401
) -> Quantity:
    """Return a quantity; the rolled form for trees serves closed systems too by default.

    Args:
        name: Its name.
        inputs: Names of its inputs, separated by blanks.
        compute: Its function, where it has one algorithm.
        fields: Other fields of ``Quantity``; functions by home.  ``sweep`` is a function of
            bodies, on values or rolled, that becomes its rolled form.
    """
    given: dict[str, Any] = {key: _in(x) if isinstance(x, str) else x for key, x in fields.items()}
    if "sweep" in given:
        program = _in("rolled_bodies:rolled_quantity")
        given["rolled"] = partial(program, given.pop("sweep"), name, inputs)
    if compute is not None:
        given["algorithms"] = (Algorithm(_in(compute) if isinstance(compute, str) else compute),)
    if "rolled" in given:
        given.setdefault("rolled_closed", given["rolled"])
    return Quantity(name, tuple(inputs.split()), **given)


def _body(name: str, inputs: str, compute: str, **fields: Any) -> Quantity:  # noqa: ANN401
    """Return a quantity of one body."""
    sweep = f"{compute}_of"
    return _entry(name, inputs, compute, sweep=sweep, **{"options": ("body", "axes"), **fields})


def _row(name: str, inputs: str, **fields: Any) -> Quantity:  # noqa: ANN401
    """Return a quantity of the rows of loops and constraints."""
    return _entry(name, inputs, f"constrained.constraint_rows:{name}", loaded=True, **fields)


def _loop(name: str, inputs: str) -> Quantity:
    """Return a quantity of the joint of one loop."""
    home = f"constrained.loop_coordinates:{name}"
    return _entry(name, inputs, home, options=("loop",), loaded=True, is_method=False)


_PATHS: Final = (
    _in("recursive.composite:mass_matrix_along_paths"), _in("recursive.operation_cost:paths_cost")
)  # fmt: skip
_BASE: Final = (
    _in("recursive.composite:mass_matrix_in_base"),
    _in("recursive.operation_cost:base_cost"),
)


def _factored(mass_matrix: Function, matrix_cost: Cost) -> Algorithm:
    return Algorithm(
        partial(_in("recursive.factored:factored_forward_dynamics"), mass_matrix=mass_matrix),
        lambda m: matrix_cost(m) + _in("recursive.operation_cost:solve_cost")(m),
    )


_SWEPT: Final = (
    _in("dynamics_derivatives:inverse_dynamics_derivatives"),
    _in("dynamics_derivatives:sweep_cost"),
)
_DIFFERENTIATED: Final = (
    _in("dynamics_derivatives:differentiated_inverse_dynamics"),
    _in("dynamics_derivatives:graph_cost"),
)


def _through_inverse(inverse: Function, cost: Cost) -> Algorithm:
    derivatives = _in("dynamics_derivatives:forward_dynamics_derivatives")
    return Algorithm(partial(derivatives, inverse=inverse), cost)


_LISTED: Final = (
    # Dynamics
    _entry(
        "state_rates", "q v tau", _law("state_rates"), rolled=_law("rolled_state_rates"),
        length=_law("length"), loaded=True, is_method=False,
        export=Export("rates", "rates of the further states", "state"),
    ),
    _entry(
        "state_updates", "q v tau", _law("state_updates"), rolled=_law("rolled_state_updates"),
        length=_law("length"), loaded=True, is_method=False,
        export=Export("updates", "values of the sampled states from sampling on", "sampled state"),
    ),
    _entry(
        "inverse_dynamics", "q v a", "recursive.inverse:inverse_dynamics",
        rolled="recursive.rolled_dynamics:rolled_inverse_dynamics", rolled_closed=None,
        loaded=True,
        export=Export(
            "tau", "joint forces that produce the acceleration a, tau = M(q) a + bias(q, v)",
            "force",
        ),
    ),
    _entry(
        "driven_dynamics", "q v a", closed="constrained.closed_quantities:inverse_dynamics",
        rolled_closed="constrained.rolled_least_norm:rolled_driven_dynamics",
        options=("joints",), loaded=True, is_method=False,
    ),
    _entry(
        "actuator_forces", "q v a", closed="constrained.closed_quantities:actuator_forces",
        options=("joints",), loaded=True, is_method=False,
    ),
    _entry(
        "forward_dynamics", "q v tau",
        algorithms=(
            _factored(*_PATHS),
            _factored(*_BASE),
            Algorithm(
                _in("recursive.articulated:articulated_forward_dynamics"),
                _in("recursive.operation_cost:articulated_cost"),
            ),
        ),
        closed="constrained.closed_quantities:forward_dynamics",
        rolled="recursive.rolled_dynamics:rolled_forward_dynamics",
        rolled_closed="constrained.rolled_quantities:rolled_forward_dynamics", loaded=True,
        solves=True, longest=18_000,
        export=Export(
            "a", "acceleration under the joint forces tau, a = M(q)^-1 (tau - bias(q, v))", "rate"
        ),
    ),
    _entry(
        "mixed_dynamics", "q v a tau", closed="constrained.closed_quantities:mixed_dynamics",
        rolled="constrained.rolled_mixed_dynamics:rolled_mixed_dynamics", options=("joints",),
        loaded=True, solves=True, longest=18_000, is_method=False,
    ),
    _entry(
        "mass_matrix", "q", algorithms=(Algorithm(*_PATHS), Algorithm(*_BASE)),
        rolled="recursive.rolled_dynamics:rolled_mass_matrix",
        export=Export("M", "mass matrix M(q), armature included"),
    ),
    _entry(
        "bias", "q v", "recursive.inverse:bias", rolled="recursive.rolled_dynamics:rolled_bias",
        loaded=True,
        export=Export(
            "bias", "Coriolis, centrifugal, gravity and passive forces, M a + bias = tau", "force"
        ),
    ),
    _entry(
        "inverse_dynamics_derivatives", "q v a",
        algorithms=(Algorithm(*_DIFFERENTIATED), Algorithm(*_SWEPT)),
        rolled="recursive.rolled_derivatives:rolled_inverse_dynamics_derivatives",
        columns="recursive.column_derivatives:column_inverse_dynamics_derivatives",
        rolled_closed=None, loaded=True, length="dynamics_derivatives:sweep_cost",
        export=Export("D", "derivatives of the joint forces by q (along integrate), v and a"),
    ),
    _entry(
        "forward_dynamics_derivatives", "q v tau",
        algorithms=(_through_inverse(*_DIFFERENTIATED), _through_inverse(*_SWEPT)),
        rolled="recursive.rolled_derivatives:rolled_forward_dynamics_derivatives",
        columns="recursive.column_derivatives:column_forward_dynamics_derivatives",
        closed="dynamics_derivatives:closed_forward_dynamics_derivatives", rolled_closed=None,
        loaded=True, solves=True, length="dynamics_derivatives:sweep_cost",
        export=Export("D", "derivatives of the acceleration by q (along integrate), v and tau"),
    ),
    _entry(
        "inverse_dynamics_second_derivatives", "q v a",
        columns="recursive.column_second_derivatives:column_second_derivatives",
        algorithms=(
            Algorithm(
                _in("dynamics_derivatives:inverse_dynamics_second_derivatives"),
                _in("dynamics_derivatives:second_sweep_cost"),
            ),
            Algorithm(
                _in("dynamics_derivatives:twice_differentiated_inverse_dynamics"),
                _in("dynamics_derivatives:second_graph_cost"),
            ),
        ),
        loaded=True,
        export=Export("D", "second derivatives of the joint forces by q q, v v, q v and a q"),
    ),
    _entry(
        "coriolis_matrix", "q v", "coriolis:coriolis_matrix", length="coriolis:length",
        rolled="coriolis:rolled_coriolis_matrix",
        export=Export("C", "C(q, v) with dM/dt - 2 C skew; C v are the Coriolis forces"),
    ),
    _entry(
        "gravity_force", "q", "recursive.inverse:gravity_force",
        rolled="recursive.rolled_dynamics:rolled_gravity_force",
        export=Export("gravity_force", "the gravity part of the bias", "force"),
    ),
    _entry(
        "tilted_gravity_force", "q gravity", "recursive.inverse:gravity_force",
        rolled="recursive.rolled_dynamics:rolled_tilted_gravity_force", is_method=False,
    ),
    _entry(
        "position_rate", "q v", "position_rate:position_rate",
        sweep="position_rate:position_rates",
        export=Export("qdot", "rate of the coordinates, qdot = N(q) v", "position rate"),
    ),
    # Energies and momentum
    _entry(
        "kinetic_energy", "q v", "energy:kinetic_energy",
        sweep="energy:kinetic_energy_of",
        export=Export("kinetic_energy", "kinetic energy [J]"),
    ),
    _entry(
        "potential_energy", "q", "energy:potential_energy",
        sweep=partial(
            _in("energy:potential_energy_of"),
            closures=_in("rolled_closures:append_closure_energies"),
        ),
        export=Export("potential_energy", "energy of gravity and springs [J]"),
    ),
    _entry(
        "gravity_energy", "q", "energy:gravity_energy",
        sweep="energy:gravity_energy_of", is_method=False,
    ),
    _entry(
        "centre_of_mass", "q", "energy:centre_of_mass",
        sweep="energy:centre_of_mass_of",
        export=Export("centre", "mass centre of all bodies in the world [m]"),
    ),
    _entry(
        "momentum", "q v", "energy:momentum", sweep="energy:momentum_of",
        export=Export(
            "momentum", "linear [N s] and angular momentum [N m s] about the world's origin"
        ),
    ),
    # Inertial parameters
    _entry(
        "regressor", "q v a",
        algorithms=(
            Algorithm(_in("regressor:regressor"), _in("regressor:carried_cost")),
            Algorithm(_in("regressor:regressor_in_one_frame"), _in("regressor:one_frame_cost")),
            Algorithm(_in("regressor:regressor_in_world_axes"), _in("regressor:world_axes_cost")),
        ),
        rolled="rolled_regressor:rolled_regressor",
        export=Export(
            "Y",
            "Y with Y pi = M a + Coriolis, centrifugal and gravity forces, "
            "pi the inertial parameters",
        ),
    ),
    _entry(
        "energy_regressor", "q v", "regressor:energy_regressor",
        sweep="regressor:energy_regressor_of",
        export=Export("y", "y with y pi = kinetic energy and that of gravity [J]"),
    ),
    # Motion of one body
    _body(
        "pose", "q", "kinematics:pose", options=("body",),
        export=Export("X", "pose of the body in the world, a homogeneous matrix"),
    ),
    _body(
        "velocity", "q v point", "kinematics:velocity",
        export=Export("V", "velocity [v; w] [m/s, rad/s] of the body at a point of it"),
    ),
    _body(
        "acceleration", "q v a point", "kinematics:acceleration",
        export=Export("A", "rate of the components of the body's velocity at a point of it"),
    ),
    _body(
        "jacobian", "q point", "jacobians:jacobian",
        export=Export("J", "J with velocity = J v of the body at a point of it"),
    ),
    _body(
        "jacobian_rate", "q v point", "jacobians:jacobian_rate",
        export=Export("Jdot", "rate of the body's Jacobian"),
    ),
    # Loops and constraints
    _row(
        "constraint_residual", "q", rolled_closed="constrained.rolled_quantities:rolled_residual",
        export=Export("phi", "how far q is from the constraints, phi(q)", "row"),
    ),
    _row(
        "constraint_rate", "q v", rolled_closed="constrained.rolled_quantities:rolled_rate",
        export=Export("rate", "rate of the constraints, J v + dphi/dt", "row"),
    ),
    _row(
        "constraint_bias", "q v", rolled_closed="constrained.rolled_quantities:rolled_bias",
        export=Export("gamma", "gamma of J a + gamma = 0", "row"),
    ),
    _row(
        "constraint_jacobian", "q",
        rolled_closed="constrained.rolled_least_norm:rolled_constraint_jacobian",
        export=Export("J", "J of M a + bias = tau + J^T lam")
    ),
    _entry(
        "constraint_margin", "q", "constrained.rank_margin:constraint_margin", loaded=True,
        is_method=False,
        export=Export(
            "R",
            "1 next to or at a change of rank, else 0; distance of the nearest independent row "
            "from the others, relative to the longest; number of independent rows; rate at which "
            "others become independent",
        ),
    ),
    _entry(
        "projected_state", "q v", closed="constrained.closed_quantities:projected_state",
        rolled_closed="constrained.rolled_projection:rolled_projected_state", loaded=True,
        solves=True, longest=7_000, is_method=False,
    ),
    _entry(
        "driven_state", "q", closed="constrained.driven_state:driven_state",
        length="constrained.constraint_rows:least_norm_cost", loaded=True, is_method=False,
    ),
    _entry(
        "multipliers", "q v tau", closed="constrained.closed_quantities:multipliers",
        rolled_closed="constrained.rolled_least_norm:rolled_multipliers",
        length="constrained.constraint_rows:least_norm_cost", loaded=True,
        solves=True, is_method=False,
        export=Export(
            "lam", "lam of M a + bias = tau + J^T lam; then 1 for each that is determined, else 0"
        ),
    ),
    _entry(
        "motion_multipliers", "q v a tau",
        closed="constrained.closed_quantities:motion_multipliers",
        rolled_closed="constrained.rolled_least_norm:rolled_motion_multipliers", loaded=True,
        is_method=False,
    ),
    _entry(
        "reactions", "q v a lam",
        partial(_in("constrained.reactions:reactions"), tree=_in("newton_euler:reactions")),
        rolled="constrained.rolled_reactions:rolled_reactions", options=("axes",), loaded=True,
        is_method=False,
        export=Export(
            "R", "wrenches [f; n] [N, N m] of all joints, then of all loops and constraints, on "
            "their bodies at the origins"
        ),
    ),
    _entry(
        "multiplier_reactions", "q lam", "constrained.reactions:multiplier_reactions",
        rolled="constrained.rolled_reactions:rolled_multiplier_reactions", options=("axes",),
        loaded=True, is_method=False,
    ),
    _entry(
        "section_load", "q v a lam section", "section_load:section_load",
        options=("body", "sides"), loaded=True, is_method=False, length="section_load:length",
        export=Export("S", "wrench [f; n] [N, N m] on the part of a body beyond a section"),
    ),
    _loop("closure_position", "q"),
    _loop("closure_velocity", "q v"),
    _loop("closure_acceleration", "q v a"),
)  # fmt: skip

QUANTITIES: Final = {quantity.name: quantity for quantity in _LISTED}
"""Every quantity by name."""


def quantity_of(name: str) -> Quantity:
    """Return the quantity of a name.

    Raises:
        PoinsotError: If there is none.
    """
    if not isinstance(name, str):
        raise PoinsotError(f"quantity must be a name, got {type(name).__name__} {name!r:.80}")
    if name not in QUANTITIES:
        from poinsot.model import suggestion

        raise PoinsotError(f"there is no quantity {name!r}; {suggestion(name, QUANTITIES)}")
    return QUANTITIES[name]
