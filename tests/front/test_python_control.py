"""Linear models in python-control, against the motions and responses that they describe."""

import control
import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.front.python_control import signal_names


def crane():
    """Return the linear model of a load on a cart, by the force on it."""
    cart = ps.Body("cart", joint=ps.Prismatic("x", damping=0.5), mass=2.0)
    load = ps.Body("load", "cart", ps.Revolute("y", damping=0.02), mass=0.5, com=(0, 0, -0.7))
    system = ps.System("crane no. 1.5", [cart, load])
    outputs = ["cart - 0.7*sin(load)", "v.cart"]
    return ps.linearize(system, [0, 0], inputs=["cart"], outputs=outputs)


def test_names_and_poles():
    """Check names, of which python-control takes none with a dot, and the poles."""
    model = crane()
    system = model.to_control()
    assert system.name == "crane no_ 1_5"
    assert system.state_labels == ["cart", "load", "v.cart", "v.load"]
    assert system.input_labels == ["cart"]
    assert system.output_labels == ["cart - 0_7*sin(load)", "v_cart"]
    assert_allclose(np.sort_complex(system.poles()), np.sort_complex(model.poles), atol=1e-12)
    free = ps.System("free", [ps.Body("b", joint=ps.Free(), mass=1.0, inertia=(1, 2, 2.5))])
    weightless = ps.System("free", free.bodies, gravity=(0, 0, 0))
    system = ps.linearize(weightless, weightless.neutral()).to_control()
    assert system.input_labels == ["b_x", "b_y", "b_z", "b_wx", "b_wy", "b_wz"]
    assert signal_names(["a.x", "a_x", "a.x_"]) == ["a_x", "a_x_", "a_x__"]


def test_loops_and_models_without_inputs():
    """Carry over a linkage, and models without inputs or outputs."""
    linkage = ps.library.four_bar()
    model = ps.linearize(ps.equilibrium(linkage, ps.library.four_bar_configuration(-1.2)))
    system = model.to_control()
    assert system.state_labels == ["y1", "v.y1"]
    assert system.output_labels == ["crank", "coupler", "rocker"]
    assert_allclose(system(1.5j), model.response(1.5)[0])
    elbow, swing = ps.library.double_pendulum(), ps.library.pendulum()
    assert ps.linearize(elbow, [0.0, 0.0], inputs=[]).to_control().ninputs == 0
    with pytest.raises(ps.ModelError, match="no model without inputs that has one output"):
        ps.linearize(swing, [0.0], inputs=[]).to_control()
    assert ps.linearize(swing, [0.0], outputs=[]).to_control().noutputs == 0


def test_step_response_is_a_small_motion():
    """Compare the response to a small force, held from the start, with a run of the system."""
    model, force, t = crane(), 1e-4, np.linspace(0.0, 3.0, 16)
    response = control.step_response(model.to_control(), T=t)
    push = ps.simulate(model.system, [0, 0], [0, 0], 3.0, tau=lambda t, q, v: [force, 0.0])
    place = push.evaluate("cart - 0.7*sin(load)", t) / force
    assert_allclose(response.outputs[0, 0], place, atol=1e-5)
    assert_allclose(response.outputs[1, 0], push.evaluate("v.cart", t) / force, atol=1e-5)


def test_frequency_response():
    """Compare what its Bode plots draw with our frequency response."""
    model, omega = crane(), np.geomspace(0.1, 30.0, 12)
    found = control.frequency_response(model.to_control(), omega)
    values = found.magnitude * np.exp(1j * found.phase)
    assert_allclose(np.moveaxis(values, -1, 0), model.response(omega), rtol=1e-9)


def test_feedback():
    """Close a loop in two ways, and compare poles with those of A - B K C and of ``ps.lqr``."""
    model, K = crane(), np.array([[3.0, 1.0]])
    plant = model.to_control()
    wanted = np.sort_complex(np.linalg.eigvals(model.A - model.B @ K @ model.Cy))
    static = control.ss([], [], [], K)
    assert_allclose(np.sort_complex(control.feedback(plant, static).poles()), wanted)
    law = control.ss([], [], [], -K, inputs=plant.output_labels, outputs=["cart"], name="law")
    loop = control.interconnect([plant, law], inplist=[], outlist=plant.output_labels)
    assert_allclose(np.sort_complex(loop.poles()), wanted)
    swing = ps.library.cart_pole()
    about = [0.0, np.pi]
    ours = ps.lqr(swing, about, joints=swing.joint_names[:1])
    upright = ps.linearize(swing, about, inputs=swing.joint_names[:1]).to_control()
    gain, _, poles = control.lqr(upright, np.eye(4), np.eye(1))
    assert_allclose(np.sort_complex(poles), np.sort_complex(ours.poles), rtol=1e-6)
    assert_allclose(gain, ours.gain[:1], rtol=1e-6)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_bode_plot():
    """Draw all curves of a model, with its names."""
    import matplotlib.pyplot as plt

    axes = control.bode_plot(crane().to_control()).axes
    assert axes.shape == (4, 1)  # magnitude and phase of each output
    texts = " ".join(text.get_text() for text in axes[0, 0].figure.findobj(plt.Text))
    assert "v_cart" in texts
    plt.close("all")
