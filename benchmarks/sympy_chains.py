"""Chains in SymPy's mechanics: Kane's and Lagrange's equations as functions of numbers."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import sympy as sp
from sympy.physics import mechanics as me

TIME = me.dynamicsymbols("x").args[0]


@dataclass(frozen=True)
class Chain:
    """A chain as SymPy describes it.

    Attributes:
        frame: The inertial frame.
        q: Coordinates.
        u: Speeds, for Kane.
        bodies: Particles or rigid bodies.
        loads: Forces on points.
        potential: Potential energy.
        parameters: Symbols, in the order of the numbers.
    """

    frame: me.ReferenceFrame
    q: list[sp.Expr]
    u: list[sp.Expr]
    bodies: list
    loads: list
    potential: sp.Expr
    parameters: list[sp.Symbol]


def cart(n: int, *, with_speeds: bool) -> Chain:
    """Return n point masses on a cart along x, angles from +x; rates are u, or dq/dt."""
    N, O = me.ReferenceFrame("N"), me.Point("O")
    q, u = list(me.dynamicsymbols(f"q:{n + 1}")), list(me.dynamicsymbols(f"u:{n + 1}"))
    m, l, (g, F) = sp.symbols(f"m:{n + 1}"), sp.symbols(f"l:{n}"), sp.symbols("g F")
    rates = u if with_speeds else [x.diff(TIME) for x in q]
    O.set_vel(N, 0)
    point = O.locatenew("P0", q[0] * N.x)
    point.set_vel(N, rates[0] * N.x)
    particles, loads = [me.Particle("p0", point, m[0])], [(point, F * N.x - m[0] * g * N.y)]
    potential = sp.S.Zero
    height = sp.S.Zero
    for k in range(n):
        A = N.orientnew(f"A{k}", "Axis", [q[k + 1], N.z])
        A.set_ang_vel(N, rates[k + 1] * N.z)
        after = point.locatenew(f"P{k + 1}", l[k] * A.x)
        after.v2pt_theory(point, N, A)
        point = after
        particles.append(me.Particle(f"p{k + 1}", point, m[k + 1]))
        loads.append((point, -m[k + 1] * g * N.y))
        height += l[k] * sp.sin(q[k + 1])
        potential += m[k + 1] * g * height
    return Chain(N, q, u, particles, loads, potential, [*m, *l, g, F])


def rods(n: int, *, with_speeds: bool) -> Chain:
    """Return n rods that turn about z and y in turn, each angle relative to the rod before."""
    N, O = me.ReferenceFrame("N"), me.Point("O")
    q, u = list(me.dynamicsymbols(f"q:{n}")), list(me.dynamicsymbols(f"u:{n}"))
    m, l, (Ia, It, g) = sp.symbols(f"m:{n}"), sp.symbols(f"l:{n}"), sp.symbols("Ia It g")
    rates = u if with_speeds else [x.diff(TIME) for x in q]
    O.set_vel(N, 0)
    point, frame = O, N
    bodies, loads, potential = [], [], sp.S.Zero
    for k in range(n):
        axis = frame.y if k % 2 else frame.z
        A = frame.orientnew(f"A{k}", "Axis", [q[k], axis])
        A.set_ang_vel(frame, rates[k] * axis)
        centre = point.locatenew(f"C{k}", l[k] / 2 * A.x)
        centre.v2pt_theory(point, N, A)
        after = point.locatenew(f"P{k}", l[k] * A.x)
        after.v2pt_theory(point, N, A)
        moments = me.inertia(A, Ia, It, It)
        bodies.append(me.RigidBody(f"b{k}", centre, A, m[k], (moments, centre)))
        loads.append((centre, -m[k] * g * N.y))
        potential += m[k] * g * centre.pos_from(O).dot(N.y)
        point, frame = after, A
    return Chain(N, q, u, bodies, loads, potential, [*m, *l, Ia, It, g])


def kane(make: Callable[..., Chain], n: int) -> tuple[list, sp.Matrix, sp.Matrix]:
    """Return arguments, mass matrix and forcing by Kane's method."""
    chain = make(n, with_speeds=True)
    kinematic = [x.diff(TIME) - y for x, y in zip(chain.q, chain.u, strict=True)]
    method = me.KanesMethod(chain.frame, q_ind=chain.q, u_ind=chain.u, kd_eqs=kinematic)
    method.kanes_equations(chain.bodies, chain.loads)
    return [chain.q, chain.u, chain.parameters], method.mass_matrix, method.forcing


def lagrange(make: Callable[..., Chain], n: int) -> tuple[list, sp.Matrix, sp.Matrix]:
    """Return arguments, mass matrix and forcing by Lagrange's method."""
    chain = make(n, with_speeds=False)
    energy = sum(body.kinetic_energy(chain.frame) for body in chain.bodies)
    drives = []
    if make is cart:
        F = chain.parameters[-1]
        drives = [(chain.bodies[0].point, F * chain.frame.x)]
    method = me.LagrangesMethod(
        energy - chain.potential, chain.q, forcelist=drives, frame=chain.frame
    )
    method.form_lagranges_equations()
    rates = [x.diff(TIME) for x in chain.q]
    return [chain.q, rates, chain.parameters], method.mass_matrix, method.forcing


def callable_of(
    arguments: list, M: sp.Matrix, f: sp.Matrix
) -> Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]:
    """Return the accelerations as a function of q, u and the parameters."""
    flat = sp.lambdify(arguments, [M, f], modules="numpy", cse=True)

    def accelerations(q: np.ndarray, u: np.ndarray, p: np.ndarray) -> np.ndarray:
        mass, force = flat(q, u, p)
        return np.linalg.solve(mass, force[:, 0])

    return accelerations
