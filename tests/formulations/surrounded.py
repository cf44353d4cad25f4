"""Random surroundings of random trees, and what Pinocchio makes of them."""

import numpy as np

from poinsot.expr import build, fresh_symbols
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.model import Body, Environment, Free, Mechanism
from tests.oracles.pinocchio_model import PinocchioOracle, pin

RIDDEN = "the base that moves"


def still(case):
    """Return surroundings of gravity alone."""
    return Environment.of(case.mechanism)


def random_surroundings(case):
    """Return other gravity, a base that moves in every way, and wrenches on half the bodies."""
    rng, n_bodies = case.rng, case.mechanism.n_bodies
    return Environment(
        rng.uniform(-10.0, 10.0, 3),
        rng.uniform(-2.0, 2.0, 6),
        rng.uniform(-5.0, 5.0, 6),
        {i: rng.uniform(-10.0, 10.0, 6) for i in range(n_bodies) if rng.random() < 0.5},
    )


class RiddenOracle:
    """The mechanism in Pinocchio on a base that is a free body of its own, its motion given.

    Joint forces are the rows of the other joints; what drives the base is not looked at.
    """

    def __init__(self, mechanism, environment):
        carried = [
            Body(
                body.name,
                RIDDEN if body.parent == "world" else body.parent,
                body.joint,
                body.pose,
                body.mass,
                body.com,
                body.inertia,
            )
            for body in mechanism.bodies
        ]
        base = Body(RIDDEN, joint=Free())
        self.environment = environment
        self.oracle = PinocchioOracle(Mechanism("ridden", [base, *carried], environment.gravity))

    def inverse_dynamics(self, q, v, a):
        """Return the joint forces, wrenches on bodies given to Pinocchio at its joints."""
        oracle, environment = self.oracle, self.environment
        q = np.concatenate([Free().neutral(), q])
        v, a = (
            np.concatenate([environment.velocity, v]),
            np.concatenate([environment.acceleration, a]),
        )
        load_inputs = [pin.Force.Zero() for _ in range(oracle.model.njoints)]
        for i, wrench in environment.wrenches.items():
            joint, placement = oracle.places[i + 1]
            load_inputs[joint] += placement.act(pin.Force(wrench[:3], wrench[3:]))
        tau = pin.rnea(
            oracle.model, oracle.data, oracle.q(q), oracle.v(v), oracle.v(a), load_inputs
        )
        tau = oracle.back(tau) + oracle.more_armature @ a + oracle.passive_force(q, v)
        return tau[6:]


def traced(function, mechanism, environment, **inputs):
    """Return what a formulation's function gives when it is run on symbols, then interpreted.

    All numbers of the surroundings are symbols too.
    """
    load_inputs = {
        "gravity": environment.gravity,
        "velocity": environment.velocity,
        "acceleration": environment.acceleration,
        **{f"wrench {i}": wrench for i, wrench in environment.wrenches.items()},
    }
    if not needs_surroundings(function):
        load_inputs = {}
    numbers = {**inputs, **load_inputs}
    symbols = {name: fresh_symbols(name, len(value)) for name, value in numbers.items()}
    arguments = [symbols[name] for name in inputs]
    if load_inputs:
        wrenches = {i: symbols[f"wrench {i}"] for i in environment.wrenches}
        motion = (symbols["gravity"], symbols["velocity"], symbols["acceleration"])
        arguments.append(Environment(*motion, wrenches))
    result = function(mechanism, *arguments)
    kernel = InterpreterKernel(build(symbols, {"result": result}))
    (port,) = kernel.signature.outputs
    output = np.empty((1, port.size))
    kernel.run([np.asarray(value)[None] for value in numbers.values()], [output])
    return output.reshape(port.shape)


def needs_surroundings(function):
    """Return whether a function of a formulation depends on them."""
    return function.__name__ != "mass_matrix"
