"""U = L Y: every reaction and every point arrives where it belongs."""

import numpy as np

from poinsot.formulations.composable.coupling import forward_coupling, inverse_coupling
from poinsot.model.planar.graph import graph_of

SIX_BAR = graph_of(
    range(1, 6),
    [
        *[("a", 0, 1, "R"), ("b", 1, 2, "R"), ("c", 2, 3, "R"), ("d", 0, 3, "P")],
        *[("e", 2, 4, "R"), ("f", 4, 5, "P"), ("g", 3, 5, "R")],
    ],
    ["a"],
)


def test_blocks_of_coupling():
    """Check 0 and 1 for motions, 0 and -1 for forces, and that all reactions are taken once."""
    for coupling in (forward_coupling(SIX_BAR), inverse_coupling(SIX_BAR)):
        motions_in, motions_out = (
            np.array([port.group == "k" for port in ports])
            for ports in (coupling.inputs, coupling.outputs)
        )
        kk, ff = coupling.L[motions_in][:, motions_out], coupling.L[~motions_in][:, ~motions_out]
        assert np.all(kk.sum(axis=1) == 1)
        assert set(np.unique(ff)) == {-1, 0}
        assert np.all(coupling.L[motions_in][:, ~motions_out] == 0)
        assert np.all(coupling.L[~motions_in][:, motions_out] == 0)
        reactions = [port.label[0] in "RN" for port in np.array(coupling.outputs)[~motions_out]]
        assert np.all(ff.sum(axis=0) == -np.array(reactions, int))
        assert len(kk) == sum(reactions) == 5


def test_forces_of_drivers_are_given_or_asked_for():
    """Check what is global: loads of links, and the driver on the side where it belongs."""
    forward, inverse = forward_coupling(SIX_BAR), inverse_coupling(SIX_BAR)
    loads = ["[F_r,M_r]"] + [f"[F_{i},M_{i}]" for i in (2, 3, 4, 5)]
    assert [port.label for port in forward.global_inputs] == ["[F_d,M_d]", *loads]
    assert [port.label for port in inverse.global_inputs] == loads
    assert [port.label for port in forward.global_outputs] == ["r_2c", "g_4f"]
    assert [port.label for port in inverse.global_outputs] == ["r_2c", "g_4f", "[F_d,M_d]"]


def test_coupling_is_printed():
    """Check lines, the Markdown table and the sizes of the LaTeX matrices."""
    coupling = forward_coupling(SIX_BAR)
    rows, columns = coupling.L.shape
    assert "u_k^{2,2}=g_3d = y_k^{0,2}=g_0d" in str(coupling).splitlines()
    table = coupling.markdown().splitlines()
    assert len(table) == rows + 2
    assert all(line.count("|") == columns + 2 for line in table)
    assert coupling.latex().count(r"\\") == 2 * (rows - 1) + columns - 1
    assert r"u_f^{1,1} = [F_{d},M_{d}]" in coupling.latex()


def test_pairs_keep_names_that_numbers_do_not_tell():
    """Check joints called alike but for their letters, links of several words, several drivers."""
    joints = []
    for k in (1, 2):
        joints += [(f"A{k}", 0, f"crank {k}", "R"), (f"B{k}", f"crank {k}", f"rod {k}", "R")]
    graph = graph_of(
        ["crank 1", "rod 1", "crank 2", "rod 2"], [*joints, ("C", "rod 1", "rod 2", "R")],
        ["A1", "A2"],
    )  # fmt: skip
    coupling = forward_coupling(graph)
    labels = [port.label for port in (*coupling.inputs, *coupling.outputs)]
    assert {"r_{crank 1,A1}", "r_{crank 1,B1}", "[F_{d,A1},M_{d,A1}]"} <= set(labels)
    assert r"[F_{\mathrm{crank\ 1}},M_{\mathrm{crank\ 1}}]" in coupling.latex()
