"""Pages in a real browser: they load without complaint, show something, and move.

Only ``make test-browser`` runs these: they need Chromium and take a minute.
"""

import os

import numpy as np
import pytest

import poinsot as ps
from poinsot import library
from poinsot.library import double_pendulum, pendulum, planar_linkage, stephenson, watt
from tests.browser.chromium import PROGRAM, Page
from tests.viewer.test_robots import MECHANISMS, ROBOTS, robot_file

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


def drawn(page):
    """Wait until two more pictures are drawn."""
    shown = page.run("poinsot.pictures")
    page.wait(f"poinsot.pictures > {shown} + 2")


def switch(page, name):
    """Switch something on, or off."""
    page.run(f"document.querySelector('#shows input[name=\"{name}\"]').click()")
    drawn(page)


def test_switches_show_what_they_are_called(page, tmp_path):
    """Switch everything on that there is: what was hidden is seen, arrows are as long as told."""
    ball = ps.Body("ball", joint=ps.Prismatic("z"), mass=2.0)
    arm = ps.Body("arm", "ball", ps.Revolute("y"), mass=1.0, com=(0.3, 0, 0))
    spring = ps.Spring(("world", (0.2, 0, 1)), ("ball", (0, 0, 0)), stiffness=4.0, length=0.5)
    floor = ps.Event("floor", "ball", direction="down", reset=lambda t, q, v: [-v[0], v[1]])
    system = ps.System("ball", [ball, arm], forces=[spring])
    run = ps.simulate(system, [0.4, 0.0], [0.0, 0.0], 1.0, events=[floor])
    page.open(run.save_html(tmp_path / "run.html").as_uri())
    page.run(f"poinsot.toggle(false); poinsot.go({run.events[0].t} + 0.01)")
    drawn(page)
    for name in ("joint axes", "frames", "mass centres", "names", "paths"):
        hidden = page.run(f"poinsot.switched['{name}'].every((item) => !item.visible)")
        switch(page, name)
        seen = page.run(f"poinsot.switched['{name}'].filter((item) => item.visible).length")
        assert hidden
        assert seen >= 1
        switch(page, name)
    visible = "poinsot.arrows().filter((arrow) => arrow.group.visible).map((a) => a.kind || 'blow')"
    assert page.run(visible) == []
    for name, kind in (("reactions", "reactions"), ("forces", "forces"), ("impulses", "blow")):
        switch(page, name)
        assert set(page.run(visible)) == {kind}
        box = f"document.querySelector('#shows input[name=\"{name}\"]')"
        told = page.run(f"{box}.parentNode.textContent")
        assert "longest" in told
        switch(page, name)
    page.run("poinsot.go(poinsot.span()[0])")
    switch(page, "impulses")
    assert page.run(visible) == []  # there is none yet
    assert page.errors == []


def test_a_slider_stops_at_the_limit_of_another_joint(page):
    """Move a crank further than its follower may go: it stays back, and the page says why."""
    limits = ps.Limits(position=(-10.0, 0.35))
    crank = ps.Body("crank", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -0.5))
    rocker = ps.Body("rocker", joint=ps.Revolute("y", limits=limits), mass=1.0, com=(0, 0, -0.5))
    gear = ps.Gear("pair", "crank", "rocker", ratio=0.5)
    viewer = ps.System("pair", [crank, rocker], constraints=[gear]).view([0.0, 0.0], show=False)
    page.open(viewer.url)
    page.wait("document.body.dataset.residual !== undefined")
    page.run("""(() => { const joint = poinsot.data.live.joints[0];
        joint.input.value = "2.0"; joint.input.dispatchEvent(new Event("input")); })()""")
    page.wait("document.getElementById('message').textContent.includes('rocker')")
    assert "limit, 0.35 rad" in page.run("document.getElementById('message').textContent")
    assert float(page.run("poinsot.data.live.joints[0].input.value")) == pytest.approx(
        0.7, abs=1e-3
    )
    assert float(page.run("document.body.dataset.residual")) < 1e-6
    assert page.errors == []
    viewer.close()


def test_the_mouse_pulls_a_body(page):
    """Press on a hanging rod while it is simulated and drag it aside: it comes."""
    viewer = double_pendulum().view([0.0, 0.0], show=False)
    page.open(viewer.url)
    page.run("document.getElementById('simulate').click()")
    page.wait("poinsot.steps > 2")
    x, y = page.run("""(() => { const point = poinsot.figures[0][1].localToWorld(
            new poinsot.THREE.Vector3(0, 0, -0.9)).project(poinsot.camera);
        const box = poinsot.renderer.domElement.getBoundingClientRect();
        return [box.left + (point.x + 1) * box.width / 2, box.top + (1 - point.y) * box.height / 2];
    })()""")
    mouse = {"button": "left", "buttons": 1, "clickCount": 1}
    page._command("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, **mouse)
    page._command("Input.dispatchMouseEvent", type="mouseMoved", x=x + 150, y=y - 60, **mouse)
    page.wait("Math.abs(poinsot.live.q()[1]) > 0.2")
    page._command("Input.dispatchMouseEvent", type="mouseReleased", x=x + 150, y=y - 60, **mouse)
    steps = page.run("poinsot.steps")
    page.wait(f"poinsot.steps > {steps} + 2")  # it swings on
    assert page.run("poinsot.controls.enabled")
    assert page.errors == []
    viewer.close()


def test_speed_and_follow(page, tmp_path):
    """Play ten times slower, and follow what moves away: the camera goes with it."""
    cart = ps.System("cart", [ps.Body("cart", joint=ps.Prismatic("x"), mass=1.0)])
    page.open(ps.simulate(cart, [0.0], [2.0], 6.0).save_html(tmp_path / "a.html").as_uri())
    page.run("""(() => { const speed = document.getElementById("speed");
        speed.value = "0.1"; speed.dispatchEvent(new Event("change")); poinsot.go(0); })()""")
    page.run("new Promise((done) => setTimeout(done, 1000))")
    assert 0.02 < page.run("poinsot.time()") < 0.4
    page.run("poinsot.toggle(false); poinsot.go(1.0)")
    drawn(page)
    switch(page, "follow")
    before = page.run("poinsot.camera.position.x")
    page.run("poinsot.go(4.0)")
    drawn(page)
    assert page.run("poinsot.camera.position.x") - before == pytest.approx(6.0, abs=1e-3)
    assert page.errors == []


def test_curves_follow_parameters(page):
    """Move the slider of a parameter of a run: curves and bodies are those of another run."""
    length = ps.symbols("length")
    bob = ps.Body("bob", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -length))
    system = ps.System("p", [bob], parameters={"length": 0.5}, free=["length"])
    run = ps.simulate(system, [0.5], [0.0], 4.0)
    viewer = run.view(["q"], show=False)
    page.open(viewer.url)
    page.run("poinsot.toggle(false); poinsot.go(1.0)")
    drawn(page)
    plot = "document.querySelector('canvas.plot').toDataURL()"
    before, value = page.run(plot), page.run("poinsot.figures[0][0].quaternion.y")
    page.run("""(() => { const [slider] = poinsot.data.served.parameters;
        slider.input.value = "1.1"; slider.input.dispatchEvent(new Event("input")); })()""")
    page.wait("poinsot.repeats === 1")
    drawn(page)
    other = ps.simulate(system, [0.5], [0.0], 4.0, parameters={"length": 1.1}).at(1.0)[0]
    assert page.run(plot) != before
    now = page.run("poinsot.figures[0][0].quaternion.y")
    assert now == pytest.approx(np.sin(other[0] / 2), abs=1e-4)
    assert abs(now - value) > 0.05
    assert page.run("document.querySelector('.slider output').textContent") == "1.100"
    assert page.errors == []
    viewer.close()


def test_a_million_rows_scrub(page):
    """Go through 1000 s at 1 kHz: bodies are where the run has them, of which little was sent."""
    run = ps.simulate(pendulum(), [1.0], [0.0], 1000.0, save=1e-3, integrator="dp5", rtol=1e-5)
    assert run.t.size > 1_000_000
    viewer = run.view(["q"], show=False)
    page.open(viewer.url)
    page.run("poinsot.toggle(false)")
    for t in (3.21, 999.5, 437.27, 20.0):
        page.run(f"""(() => {{ const scrub = document.getElementById("scrub");
            scrub.value = {t}; scrub.dispatchEvent(new Event("input")); }})()""")
        page.wait(f"poinsot.chunks.get(Math.floor({t} / poinsot.data.served.chunk))")
        drawn(page)
        y = page.run("poinsot.figures[0][0].quaternion.y")
        assert y == pytest.approx(np.sin(run.at(t)[0][0] / 2.0), abs=1e-3)
    page.run("poinsot.toggle(true)")
    page.wait("poinsot.time() > 20.3")
    assert page.run("poinsot.received") < 200_000
    assert page.errors == []
    viewer.close()


def test_talos_costs_little_per_picture(page):
    """Count what a picture takes: a draw per body, every triangle of the files, nothing at rest."""
    system = ps.load(robot_file("talos_data/robots/talos_reduced.urdf"))
    viewer = system.view(show=False)
    page.open(viewer.url)
    page.wait("document.body.dataset.residual !== undefined")
    drawn(page)
    calls, triangles = page.run(
        "[poinsot.renderer.info.render.calls, poinsot.renderer.info.render.triangles]"
    )
    bodies = sum(bool(body.shapes) for body in system.bodies)
    assert calls <= 2 * bodies + 4
    listed = page.run("""poinsot.data.bodies.flatMap((body) => body.solids)
        .filter((solid) => solid.kind === "mesh")
        .map((solid) => poinsot.data.meshes[solid.mesh].triangles.length * 3 / 4 / 12)
        .reduce((sum, count) => sum + Math.floor(count), 0)""")
    assert triangles >= listed > 100_000
    before = page.run("poinsot.drawn")
    drawn(page)
    drawn(page)
    assert page.run("poinsot.drawn") == before
    moved = page.run("""(async () => { const times = [];
        for (let k = 0; k < 10; k++) { poinsot.touch(); const n = poinsot.drawn;
          while (poinsot.drawn === n) await new Promise((done) => requestAnimationFrame(done));
          times.push(poinsot.spent); }
        return times.sort((a, b) => a - b)[5]; })()""")
    print(
        f"our own time per picture of Talos: {moved:.2f} ms, {calls} draws, {triangles} triangles"
    )
    assert page.errors == []
    viewer.close()


@pytest.mark.filterwarnings("ignore::poinsot.ModelWarning")
@pytest.mark.parametrize("name", [*ROBOTS, *MECHANISMS])
def test_robots_and_mechanisms_are_seen(page, name):
    """Open ten robots with their meshes and five closed mechanisms: none is blank or complains."""
    system = getattr(library, name)() if name in MECHANISMS else ps.load(robot_file(name))
    viewer = system.view(show=False)
    page.open(viewer.url)
    page.wait("document.body.dataset.residual !== undefined")
    drawn(page)
    assert page.run(PIXELS) > 20
    assert float(page.run("document.body.dataset.residual")) < 1e-6
    assert page.errors == []
    viewer.close()


def test_the_crank_of_a_turn_is_the_slider(page, tmp_path):
    """Open the page of a turn of a planar mechanism from disk, and turn its crank."""
    turn = planar_linkage("four-bar").turn(positions=60)
    page.open(turn.save_html(tmp_path / "turn.html").as_uri())
    page.run("document.getElementById('scrub').value = 250;"
             "document.getElementById('scrub').dispatchEvent(new Event('input'))")  # fmt: skip
    drawn(page)
    x = np.degrees(turn.x)
    assert page.run("poinsot.time()") == pytest.approx(x[0] + 0.25 * (x[-1] - x[0]))
    assert page.run("document.getElementById('time').textContent").startswith(turn.driver)
    assert page.errors == []


def test_without_webgl_the_page_says_so(page):
    """Open a live page where there is no WebGL: a line says what to do."""
    page._command(
        "Page.addScriptToEvaluateOnNewDocument",
        source="HTMLCanvasElement.prototype.getContext = () => null",
    )
    viewer = double_pendulum().view(show=False)
    page._command("Page.navigate", url=viewer.url)
    page.wait("document.getElementById('note')?.textContent.includes('no WebGL')")
    assert page.run("window.poinsot === undefined")
    viewer.close()


def test_names_are_text_in_the_page(page, tmp_path):
    """Open a page whose bodies are called like scripts: nothing of them runs."""
    evil = '<img src=x onerror="window.hurt=1"></script><script>window.hurt=1</script>'
    rod = ps.Body(evil, joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -0.5))
    run = ps.simulate(ps.System(evil, [rod]), [0.5], [0.0], 0.5)
    page.open(run.save_html(tmp_path / "a.html").as_uri())
    assert page.run("window.hurt === undefined")
    viewer = run.system.view(show=False)
    for address in (viewer.url, run.report(tmp_path / "b.html").as_uri()):
        page._command("Page.navigate", url=address)
        page.wait("document.querySelector('#simulate, h1')")
        assert page.run("window.hurt === undefined")
    cell = tmp_path / "notebook.html"
    cell.write_text(f"<!DOCTYPE html><h1></h1>{run._repr_html_()}{run.system._repr_html_()}")
    page._command("Page.navigate", url=cell.as_uri())
    page.wait("[...document.querySelectorAll('iframe')].every((f) => f.contentWindow.poinsot)")
    assert page.run("window.hurt === undefined")
    assert page.run("[...document.querySelectorAll('iframe')].every((f) => !f.contentWindow.hurt)")
    viewer.close()
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
