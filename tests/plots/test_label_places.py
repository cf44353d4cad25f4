"""Names in drawings keep away from links and from each other."""

import numpy as np

from poinsot.plots.label_places import HEIGHT, LETTER, label_places


def test_names_are_beside_links_and_apart():
    """Check the boxes of names of bars that cross, a triangle and a block on a slide."""
    outlines = {
        "crank": np.array([[0.0, 0.0], [0.3, 0.3]]),
        "rod": np.array([[0.3, 0.3], [1.0, 0.2]]),
        "lever": np.array([[0.0, 0.5], [0.8, -0.4]]),
        "plate": np.array([[0.5, 0.6], [1.0, 0.6], [0.75, 1.0]]),
        "block": np.array([[1.0, 0.2]]),
    }
    places = label_places(outlines, outlines["block"], 1.0)
    assert np.allclose(places["plate"], outlines["plate"].mean(axis=0))
    boxes = {name: 0.5 * np.array([LETTER * len(name), HEIGHT]) for name in outlines}
    for name, place in places.items():
        for other, corners in outlines.items():
            shares = np.linspace(0, 1, 200)[:, None]
            line = corners[0] + shares * (corners[-1] - corners[0])
            assert np.all(np.max(np.abs(line - place) - boxes[name], axis=1) > 0.0)
            if other != name:
                apart = np.abs(places[other] - place) - boxes[name] - boxes[other]
                assert np.max(apart) > 0.0
