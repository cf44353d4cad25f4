"""Pages in a real browser: they load without complaint, show something, and move.

Only ``make test-browser`` runs these: they need Chromium and take a minute.
"""

import os

import numpy as np
import pytest

import poinsot as ps
from poinsot.library import double_pendulum, stephenson, watt
from tests.browser.chromium import PROGRAM, Page

pytestmark = pytest.mark.skipif(
    os.environ.get("POINSOT_BROWSER") != "1", reason="needs a browser: make test-browser"
)

PIXELS = """(() => {
  const canvas = poinsot.renderer.domElement, gl = canvas.getContext("webgl2");
  const pixels = new Uint8Array(4 * canvas.width * canvas.height);
  gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  const seen = new Set();
  for (let k = 0; k < pixels.length; k += 400) seen.add(pixels.slice(k, k + 3).join());
  return seen.size;
})()"""
"""How many colours a sample of the picture has; an empty one has one."""


@pytest.fixture
def page(tmp_path):
    """Return a browser."""
    assert PROGRAM, "no Chromium on the path; Debian: apt install chromium"
    with Page(tmp_path / "profile") as opened:
        yield opened


def test_a_file_plays_without_a_server(page, tmp_path):
    """Open a saved run from disk: playback moves bodies to where the run has them."""
    run = ps.simulate(double_pendulum(), [2.0, 0.5], [0, 0], 5.0)
    page.open(run.save_html(tmp_path / "run.html").as_uri())
    before = page.run("poinsot.time()")
    page.wait(f"poinsot.time() > {before} + 0.2")
    page.run("poinsot.toggle(false); poinsot.go(2.5)")
    shown = page.run("poinsot.pictures")
    page.wait(f"poinsot.pictures > {shown} + 2")
    place = page.run("poinsot.figures[0][1].position.toArray()")
    expected = run.system.pose("lower", run.at(2.5)[0])[:3, 3]
    np.testing.assert_allclose(place, expected, atol=2e-3)  # between stored pictures
    assert page.run(PIXELS) > 20
    page.run("document.getElementById('scrub').value = 1000;"
             "document.getElementById('scrub').dispatchEvent(new Event('input'))")  # fmt: skip
    assert page.run("poinsot.time()") == pytest.approx(5.0)
    assert page.errors == []


def test_a_slider_moves_a_closed_mechanism(page):
    """Move the crank of a six-bar by its slider: bodies move, loops stay closed."""
    viewer = watt().view(show=False)
    page.open(viewer.url)
    page.wait("document.body.dataset.residual !== undefined")
    before = page.run("poinsot.figures[0][0].quaternion.toArray()")
    page.run("""(() => { const joint = poinsot.data.live.joints[0];
        joint.input.value = String(poinsot.live.q()[0] + 0.5);
        joint.input.dispatchEvent(new Event("input")); })()""")
    start = page.run("poinsot.data.live.q[0]")
    page.wait(f"Math.abs(poinsot.live.q()[0] - {start} - 0.5) < 1e-9")
    assert float(page.run("document.body.dataset.residual")) < 1e-6
    shown = page.run("poinsot.pictures")
    page.wait(f"poinsot.pictures > {shown} + 2")
    assert not np.allclose(page.run("poinsot.figures[0][0].quaternion.toArray()"), before)
    page.run("document.getElementById('simulate').click()")
    page.wait("poinsot.steps > 5")
    assert float(page.run("document.body.dataset.residual")) < 1e-6
    assert page.run(PIXELS) > 20
    assert page.errors == []
    viewer.close()


def test_names_are_text_in_the_page(page, tmp_path):
    """Open a page whose bodies are called like scripts: nothing of them runs."""
    evil = '<img src=x onerror="window.hurt=1"></script><script>window.hurt=1</script>'
    rod = ps.Body(evil, joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -0.5))
    run = ps.simulate(ps.System(evil, [rod]), [0.5], [0.0], 0.5)
    page.open(run.save_html(tmp_path / "a.html").as_uri())
    assert page.run("window.hurt === undefined")
    assert page.errors == []


def test_a_report_opens(page, tmp_path):
    """Open the report of a closed mechanism and print it."""
    system = stephenson()
    q = ps.library.stephenson_configuration(1.0)
    run = ps.simulate(system, q, np.zeros(system.nv), 0.5)
    path = run.report(tmp_path / "report.html")
    page._command("Page.navigate", url=path.as_uri())
    page.wait(
        "document.querySelector('iframe') && document.querySelector('iframe').contentWindow.poinsot"
    )
    page.wait("document.querySelector('iframe').contentWindow.poinsot.pictures > 2")
    assert page.errors == []
    printed = run.report(tmp_path / "report.pdf")
    assert printed.read_bytes().startswith(b"%PDF")
