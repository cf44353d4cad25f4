"""The object users hold: what it is, what it answers, and what it says when asked wrongly."""

import copy
import inspect
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import poinsot as ps
from poinsot.formulations.recursive import inverse

METHODS = {
    "inverse_dynamics": ("q v a", ("nv",)),
    "forward_dynamics": ("q v tau", ("nv",)),
    "mass_matrix": ("q", ("nv", "nv")),
    "bias": ("q v", ("nv",)),
    "gravity_force": ("q", ("nv",)),
    "position_rate": ("q v", ("nq",)),
    "kinetic_energy": ("q v", ()),
    "potential_energy": ("q", ()),
    "centre_of_mass": ("q", (3,)),
    "momentum": ("q v", (6,)),
    "pose": ("body q", (4, 4)),
    "velocity": ("body q v point", (6,)),
    "acceleration": ("body q v a point", (6,)),
    "jacobian": ("body q point", (6, "nv")),
    "jacobian_rate": ("body q v point", (6, "nv")),
}
"""Arguments and the shape of the result of one state."""

BODY = "hand"
each_method = pytest.mark.parametrize("method", METHODS)


def walker(gravity=(0.0, 0.0, -9.81)):
    """Return a system with every kind of joint, children listed before their parents."""
    solid = {"mass": 0.7, "com": (0.1, -0.05, 0.2), "inertia": (0.02, 0.03, 0.025, 0.001, 0, 0)}
    return ps.System(
        "walker",
        [
            ps.Body("hand", "arm", ps.Prismatic("x", damping=0.2), ps.Pose((0.3, 0, 0)), **solid),
            ps.Body("arm", "plate", ps.Spherical(name="shoulder"), ps.Pose((0, 0.2, 0.1)), **solid),
            ps.Body("plate", "trunk", ps.Fixed(), ps.Pose(rpy=(0.3, 0.2, 0.1)), mass=0.2),
            ps.Body("trunk", joint=ps.Free(), **solid),
            ps.Body(
                "leg",
                "trunk",
                ps.Revolute((0, 1, 1), name="hip", stiffness=3.0, rest=0.2, armature=0.1),
                ps.Pose((0, -0.2, 0)),
                **solid,
            ),
        ],
        gravity=gravity,
    )


@pytest.fixture(scope="module")
def system():
    """Return a system that keeps its machine code for all tests of this file."""
    return walker()


def arguments(system, method, *shape, seed=1):
    """Return positional arguments for states of a leading shape."""
    rng = np.random.default_rng(seed)
    n_states = int(np.prod(shape, dtype=int))
    q = np.array([system.random(rng) for _ in range(n_states)]).reshape(*shape, system.nq)
    values = {
        "body": BODY,
        "q": q,
        "v": rng.uniform(-1, 1, (*shape, system.nv)),
        "a": rng.uniform(-1, 1, (*shape, system.nv)),
        "tau": rng.uniform(-1, 1, (*shape, system.nv)),
        "point": rng.uniform(-1, 1, (*shape, 3)),
    }
    return [values[name] for name in METHODS[method][0].split()]


def result_shape(system, method):
    """Return the shape of the result of one state."""
    sizes = {"nv": system.nv, "nq": system.nq}
    return tuple(sizes.get(size, size) for size in METHODS[method][1])


def state(values, *index):
    """Return the arguments of one state of a batch."""
    return [value if isinstance(value, str) else value[index] for value in values]


# What it answers


@each_method
def test_one_state_and_many_have_their_shapes(system, method):
    """Check shapes, and that each state of a batch has the result that it has alone."""
    shape = result_shape(system, method)
    many = arguments(system, method, 2, 9)
    result = getattr(system, method)(*many)
    assert result.shape == (2, 9, *shape)
    for index in np.ndindex(2, 9):
        one = getattr(system, method)(*state(many, *index))
        assert np.shape(one) == shape
        assert_allclose(one, result[index], rtol=1e-12, atol=1e-12)
    assert getattr(system, method)(*arguments(system, method, 0)).shape == (0, *shape)


@each_method
def test_back_ends_agree(system, method):
    """Check machine code, for one state and for batches, against the interpreter."""
    many = arguments(system, method, 7, seed=2)
    expected = getattr(system, method)(*many, backend="interpreter")
    assert expected.shape == (7, *result_shape(system, method))
    for backend in ("auto", "llvm", "rolled"):
        batch = getattr(system, method)(*many, backend=backend)
        assert_allclose(batch, expected, rtol=1e-12, atol=1e-12)
        one = getattr(system, method)(*state(many, 3), backend=backend)
        assert_allclose(one, expected[3], rtol=1e-12, atol=1e-12)


@each_method
def test_leading_dimensions_broadcast(system, method):
    """Check one configuration with many velocities, and all that can be read as an array."""
    many = arguments(system, method, 3, seed=3)
    q = METHODS[method][0].split().index("q")
    mixed = [*many[:q], many[q][0], *many[q + 1 :]]
    spread = [*many[:q], np.tile(many[q][0], (3, 1)), *many[q + 1 :]]
    expected = getattr(system, method)(*spread)
    result = getattr(system, method)(*mixed)
    if len(mixed) == q + 1:  # nothing but the configuration
        expected = expected[0]
    assert_allclose(result, expected, rtol=1e-12, atol=1e-12)
    lists = [value if isinstance(value, str) else value.tolist() for value in many]
    assert_array_equal(getattr(system, method)(*lists), getattr(system, method)(*many))


@each_method
def test_out_receives_the_result(system, method):
    """Check that the array given is filled and returned."""
    many = arguments(system, method, 4, seed=4)
    out = np.full((4, *result_shape(system, method)), np.nan)
    assert getattr(system, method)(*many, out=out) is out
    assert_array_equal(out, getattr(system, method)(*many))
    with pytest.raises(ps.ShapeError, match=rf"{method}: out must have shape"):
        getattr(system, method)(*many, out=np.empty((5, 5, 5)))


def test_methods_compute_what_formulations_do(system):
    """Check one method against the function it delegates to."""
    q, v, a = arguments(system, "inverse_dynamics")
    expected = inverse.inverse_dynamics(system.mechanism, q, v, a)
    assert_allclose(system.inverse_dynamics(q, v, a), expected, rtol=1e-12)


def test_joint_forces_are_zero_by_default(system):
    """Check forward_dynamics without tau, for one state and several, again and again."""
    for shape in ((), (5,)):
        q, v, tau = arguments(system, "forward_dynamics", *shape)
        expected = system.forward_dynamics(q, v, 0.0 * tau, backend="interpreter")
        for _ in range(2):
            assert_allclose(system.forward_dynamics(q, v), expected, rtol=1e-11, atol=1e-11)
            assert_allclose(system.forward_dynamics(q, v, None), expected, rtol=1e-11, atol=1e-11)


def test_parts_of_the_potential_energy(system):
    """Check that "all" adds the springs to "gravity", before and after compilation."""
    (q,) = arguments(system, "potential_energy")
    stretch = q[system.q_slice("hip")][0] - 0.2
    for _ in range(2):
        springs = system.potential_energy(q) - system.potential_energy(q, "gravity")
        assert springs == pytest.approx(0.5 * 3.0 * stretch**2, abs=1e-12)
        assert system.potential_energy(q, parts="all") == system.potential_energy(q)


@each_method
def test_methods_keep_signature_and_docstring(system, method):
    """Check that help() shows the same before and after compilation."""
    getattr(system, method)(*arguments(system, method))
    documented = getattr(ps.System, method)
    compiled = inspect.signature(getattr(system, method))
    described = list(inspect.signature(documented).parameters)[1:]
    assert list(compiled.parameters) == described
    assert inspect.getdoc(getattr(system, method)) == inspect.getdoc(documented)


@pytest.mark.parametrize("backend", ["interpreter", "llvm", "rolled", "auto"])
@each_method
def test_system_without_joints(method, backend):
    """Check shapes where there is nothing to move."""
    still = ps.System("still", [ps.Body("hand", mass=1.0, com=(1, 2, 3))])
    for shape in ((), (3,)):
        result = getattr(still, method)(*arguments(still, method, *shape), backend=backend)
        assert np.shape(result) == (*shape, *result_shape(still, method))


def test_without_gravity_nothing_weighs():
    """Check gravity (0, 0, 0): no gravity force, no energy, and no fall."""
    space = walker(gravity=(0, 0, 0))
    q, v, _ = arguments(space, "inverse_dynamics")
    assert space.gravity == (0.0, 0.0, 0.0)
    assert_array_equal(space.gravity_force(q, backend="interpreter"), np.zeros(space.nv))
    assert space.potential_energy(q, "gravity", backend="interpreter") == 0.0
    rest = space.bias(q, 0.0 * v, backend="interpreter")
    assert np.count_nonzero(rest) == 1  # the spring of the hip


# What it is


def test_names_and_slices(system):
    """Check that coordinates are stacked as bodies are listed, and that names find them."""
    assert system.body_names == ("hand", "arm", "plate", "trunk", "leg")
    assert system.joint_names == ("hand", "shoulder", "plate", "trunk", "hip")
    assert (system.nq, system.nv) == (13, 11)
    q_slices = [(0, 1), (1, 5), (5, 5), (5, 12), (12, 13)]
    v_slices = [(0, 1), (1, 4), (4, 4), (4, 10), (10, 11)]
    for joint, q, v in zip(system.joint_names, q_slices, v_slices, strict=True):
        assert system.q_slice(joint) == slice(*q)
        assert system.v_slice(joint) == slice(*v)
    assert system.name == "walker"
    assert system.bodies == system.mechanism.bodies


def test_neutral_and_random_configurations(system):
    """Check that neutral is at the joint frames and that random quaternions are unit."""
    assert_array_equal(system.neutral(), [0.0, 1.0, 0, 0, 0, 0.0, 0.0, 0.0, 1.0, 0, 0, 0, 0.0])
    q = system.random(np.random.default_rng(5))
    assert q.shape == (system.nq,)
    for joint in ("shoulder", "trunk"):
        assert np.linalg.norm(q[system.q_slice(joint)][-4:]) == pytest.approx(1.0, abs=1e-15)
    assert_array_equal(q, system.random(np.random.default_rng(5)))


def test_is_immutable(system):
    """Check that neither fields nor methods can be set or deleted, compiled or not."""
    (q,) = arguments(system, "mass_matrix")
    system.mass_matrix(q)
    for name in ("name", "gravity", "bodies", "mass_matrix", "momentum", "anything"):
        with pytest.raises(AttributeError, match="immutable"):
            setattr(system, name, None)
        with pytest.raises(AttributeError, match="immutable"):
            delattr(system, name)


def test_equality_and_hash(system):
    """Check equality by value, whatever was computed with the system before."""
    assert system == walker()
    assert hash(system) == hash(walker())
    assert {system: 1}[walker()] == 1
    assert system != walker(gravity=(0, 0, -1.62))
    assert system != system.mechanism
    assert system != "walker"


def test_repr(system):
    """Check that the repr names the system and counts."""
    assert repr(system) == "System('walker', 5 bodies, nq=13, nv=11)"
    assert repr(ps.System("one", [ps.Body("a")])) == "System('one', 1 body, nq=0, nv=0)"


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda system: pickle.loads(pickle.dumps(system))]
)
def test_copies_and_pickles(system, copied):
    """Check that copies are equal and compute the same, even of a system with machine code."""
    (q,) = arguments(system, "mass_matrix")
    expected = system.mass_matrix(q)
    other = copied(system)
    assert other == system
    assert_allclose(other.mass_matrix(q), expected, rtol=1e-14)


# What it says when asked wrongly


@pytest.mark.parametrize("method", [name for name in METHODS if "body" in METHODS[name][0]])
def test_unknown_body_is_named(system, method):
    """Check that the message names the body asked for and one that was perhaps meant."""
    _, *rest = arguments(system, method)
    with pytest.raises(ps.ModelError, match=r"no body 'hamd'; did you mean 'hand'\?"):
        getattr(system, method)("hamd", *rest)
    with pytest.raises(ps.ModelError, match=r"no body 'hip'; it is the joint of body 'leg'"):
        getattr(system, method)("hip", *rest)


@pytest.mark.parametrize("method", ["velocity", "acceleration", "jacobian", "jacobian_rate"])
def test_unknown_axes_are_named(system, method):
    """Check that the message names the axes asked for and those there are."""
    with pytest.raises(ps.ModelError, match=rf"{method}: axes must be 'body' or 'world', got 'W'"):
        getattr(system, method)(*arguments(system, method), axes="W")


@each_method
def test_unknown_backend_is_named(system, method):
    """Check that the message names the back end asked for and those there are."""
    message = rf"{method}: unknown backend 'fortran'; choose one of 'auto', 'llvm', "
    with pytest.raises(ps.PoinsotError, match=message):
        getattr(system, method)(*arguments(system, method), backend="fortran")


@each_method
def test_wrong_arrays_are_named(system, method):
    """Check that shape and type of each array are checked, before and after compilation."""
    good = arguments(system, method)
    for k, name in enumerate(METHODS[method][0].split()):
        if name == "body":
            continue
        size = good[k].shape[-1]
        bad = [*good[:k], np.zeros(size + 1), *good[k + 1 :]]
        with pytest.raises(ps.ShapeError, match=rf"{method}: {name} must have shape \(..., {size}"):
            getattr(system, method)(*bad)
        bad[k] = 1j * good[k]
        with pytest.raises(ps.ArrayTypeError, match=rf"{method}: {name} must hold real numbers"):
            getattr(system, method)(*bad)


def test_unknown_parts_are_named(system):
    """Check that the message names the parts asked for and those there are."""
    (q,) = arguments(system, "potential_energy")
    with pytest.raises(ps.ModelError, match="parts must be 'all' or 'gravity', got 'springs'"):
        system.potential_energy(q, "springs")


def test_unknown_joint_is_named(system):
    """Check that the message says what the name belongs to."""
    with pytest.raises(ps.ModelError, match="no joint 'leg'; it is the body of joint 'hip'"):
        system.q_slice("leg")
    with pytest.raises(ps.ModelError, match="no joint 'knee'"):
        system.v_slice("knee")


def test_no_mass_no_centre():
    """Check that a system without mass says so."""
    with pytest.warns(ps.ModelWarning, match="joint 'frame' moves no mass or inertia"):
        empty = ps.System("empty", [ps.Body("frame", joint=ps.Revolute("z"))])
    with pytest.raises(ps.ModelError, match="'empty' has no mass"):
        empty.centre_of_mass([0.0])


def test_joint_that_moves_nothing_is_named():
    """Check that forward dynamics says which joint has no inertia to accelerate."""
    bodies = [
        ps.Body("rod", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -1)),
        ps.Body("tip", "rod", ps.Revolute("y", name="swivel"), ps.Pose((0, 0, -2))),
    ]
    with pytest.warns(ps.ModelWarning, match=r"'swivel' moves no mass.*body 'tip'") as caught:
        loose = ps.System("loose", bodies)
    assert caught[0].filename == __file__
    for options in ({}, {"backend": "interpreter"}, {"method": "kane"}):
        with pytest.raises(ps.ModelError, match=r"joint 'swivel' moves no mass.*armature"):
            loose.forward_dynamics([0.1, 0.2], [0.0, 0.0], **options)
    with pytest.raises(ps.ModelError, match=r"joint 'swivel' moves no mass"):
        ps.simulate(loose, [0.1, 0.2], [0.0, 0.0], 1.0)
