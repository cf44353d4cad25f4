"""The viewer's server: closed loops, steps of simulation, and nobody without the token."""

import json
import re
import socket
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import numpy as np
import pytest

import poinsot as ps
from poinsot.errors import PoinsotError
from poinsot.library import double_pendulum, watt


def asked(url, name, **given):
    """Return the answer to a request of the page."""
    request = Request(url + name, data=json.dumps(given).encode(), method="POST")
    with urlopen(request, timeout=30) as answer:
        return json.loads(answer.read())


@pytest.fixture(scope="module")
def served():
    """Return a six-bar and the address of its page."""
    system = watt()
    viewer = system.view(show=False)
    yield system, viewer.url
    viewer.close()


def live(url):
    """Return what the page knows of sliders."""
    with urlopen(url, timeout=30) as answer:
        text = answer.read().decode("utf-8")
    (data,) = re.findall(r'id="scene">(.*?)</script>', text, re.S)
    return json.loads(data)["live"]


def test_sliders_keep_loops_closed(served):
    """Move the crank step by step: it is where the slider is, and the loops are closed."""
    system, url = served
    told = live(url)
    assert [joint["name"] for joint in told["joints"]] == list(system.joint_names)
    q = told["q"]
    for value in np.linspace(q[0], q[0] + 1.0, 5):
        answer = asked(
            url, "configuration", q=q, joint="crank", index=0, value=value, parameters={}
        )
        q = answer["q"]
        assert q[0] == pytest.approx(value)
        assert answer["residual"] < 1e-10
        np.testing.assert_allclose(system.constraint_residual(q), 0.0, atol=1e-10)
    pose = system.pose("output", q)
    np.testing.assert_allclose(answer["poses"][7 * 4 : 7 * 4 + 3], pose[:3, 3], atol=1e-12)


def test_steps_are_those_of_simulate(served):
    """Let it go for a step: the state is that of a simulation."""
    system, url = served
    q, v = live(url)["q"], [0.0] * system.nv
    answer = asked(url, "step", q=q, v=v, t=0.0, length=0.02, pull=None, parameters={})
    run = ps.simulate(system, q, v, 0.02)
    np.testing.assert_allclose(answer["q"], run.q[-1], atol=1e-6)
    np.testing.assert_allclose(answer["v"], run.v[-1], atol=1e-4)


def test_a_pulled_body_comes(served):
    """Pull a hanging rod aside: the point gets nearer to the target than it was."""
    system = double_pendulum()
    viewer = system.view([0.0, 0.0], show=False)
    q, v, t = [0.0, 0.0], [0.0, 0.0], 0.0
    target = np.array([0.8, 0.0, -1.8])
    for _ in range(30):
        pull = {"body": 1, "point": [0.0, 0.0, -1.0], "target": target.tolist()}
        answer = asked(viewer.url, "step", q=q, v=v, t=t, length=0.03, pull=pull, parameters={})
        q, v, t = answer["q"], answer["v"], answer["t"]
    viewer.close()
    tip = system.pose("lower", q) @ [0.0, 0.0, -1.0, 1.0]
    assert np.linalg.norm(tip[:3] - target) < 0.75 * np.linalg.norm([0, 0, -2.0] - target)


def test_only_who_knows_the_address_is_answered(served):
    """Ask with another token, for another thing, and with nonsense."""
    _, url = served
    for address in (url.rsplit("/", 2)[0] + "/guess/", url.rsplit("/", 2)[0] + "/"):
        with pytest.raises(HTTPError, match="404"):
            urlopen(address, timeout=30)
    with pytest.raises(HTTPError, match="404"):
        asked(url, "delete")
    assert "finite numbers" in asked(url, "configuration", q=[1.0], parameters={})["error"]
    assert "error" in asked(url, "step", q=[1.0])


def test_free_parameters_have_sliders():
    """Change the length of a pendulum: poses follow."""
    length = ps.symbols("length")
    bob = ps.Body("bob", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -length))
    tip = ps.Body("tip", "bob", ps.Fixed(), ps.Pose((0, 0, -length)), mass=0.1)
    system = ps.System("p", [bob, tip], parameters={"length": 0.5}, free=["length"])
    viewer = system.view([0.0], show=False)
    (slider,) = live(viewer.url)["parameters"]
    assert (slider["name"], slider["value"]) == ("length", 0.5)
    answer = asked(viewer.url, "configuration", q=[0.0], parameters={"length": 0.8})
    viewer.close()
    assert answer["poses"][7 + 2] == pytest.approx(-0.8)


def test_other_addresses_are_warned_of_and_ports_in_use_refused(served):
    """Listen for everybody, and where somebody listens already."""
    system, url = served
    with pytest.warns(ps.ModelWarning, match="whoever reaches this machine"):
        system.view(host="0.0.0.0", show=False).close()
    port = int(url.split(":")[2].split("/")[0])
    with pytest.raises(PoinsotError, match="choose another port"):
        system.view(port=port, show=False)


def raw(url, head, body=b""):
    """Return what the server says to a request as it stands, until it closes."""
    host, port = url.split("/")[2].split(":")
    with socket.create_connection((host, int(port)), timeout=10) as line:
        path = "/" + url.split("/", 3)[3]
        named = head if "Host:" in head else f"Host: {host}:{port}\r\n{head}"
        line.sendall(f"POST {path}step HTTP/1.1\r\n{named}\r\n\r\n".encode() + body)
        return b"".join(iter(lambda: line.recv(4096), b""))


@pytest.mark.parametrize("length", ["-5", "abc", "99999999999999999999", "2000000", "²"])
def test_lengths_that_make_no_sense_close_the_connection(served, length):
    """Send wrong lengths with another request as body: it is refused, and not read as a request."""
    _, url = served
    answer = raw(url, f"Content-Length: {length}", b"GET / HTTP/1.1\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 404")
    assert answer.count(b"HTTP/1.1") == 1


def test_nonsense_is_answered(served):
    """Send a list, endless brackets, and numbers too large: an error is told each time."""
    _, url = served
    for body in (b"[1]", b"[" * 100_000, b'{"q": 1e999}', b'"x"', b'{"q": null}'):
        with urlopen(Request(url + "configuration", data=body), timeout=30) as answer:
            assert json.loads(answer.read())["error"]


def test_wrong_configurations_and_ports_are_named(served):
    """Ask for a view at words, at no number, and at a port that there is not."""
    system, _ = served
    for q in ("abc", [float("nan")] * system.nq, [1.0]):
        with pytest.raises(PoinsotError, match="finite numbers, got"):
            system.view(q, show=False)
    with pytest.raises(PoinsotError, match="choose another port"):
        system.view(port=99999, show=False)


def test_loopback_of_ipv6():
    """Listen at ::1 where there is one, and find the page there."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    viewer = double_pendulum().view(host="::1", show=False)
    assert live(viewer.url)["nv"] == 2
    viewer.close()


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("Host: 127.0.0.1:{port}", 200),
        ("Host: localhost:{port}", 200),
        ("Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}", 200),
        ("Host: rebound.example:{port}", 404),
        ("Host: rebound.example", 404),
        ("Host: 127.0.0.1:{port}\r\nOrigin: http://elsewhere.example", 404),
        ("Host: ", 404),
    ],
)
def test_other_names_and_pages_are_refused(served, head, status):
    """Ask with the token under a name that was led here (DNS rebinding), or from another page."""
    _, url = served
    told = head.format(port=url.split(":")[2].split("/")[0])
    answer = raw(url, f"{told}\r\nConnection: close\r\nContent-Length: 2", b"{}")
    assert answer.startswith(f"HTTP/1.1 {status}".encode())


def test_joints_that_follow_keep_their_limits():
    """Turn a crank beyond where the rocker may go: it stops there, and the joint is named."""
    limits = ps.Limits(position=(-10.0, 0.35))
    crank = ps.Body("crank", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -0.5))
    rocker = ps.Body("rocker", joint=ps.Revolute("y", limits=limits), mass=1.0, com=(0, 0, -0.5))
    gear = ps.Gear("pair", "crank", "rocker", ratio=0.5)
    viewer = ps.System("pair", [crank, rocker], constraints=[gear]).view([0.0, 0.0], show=False)
    ask = {"q": [0.0, 0.0], "joint": "crank", "index": 0, "parameters": {}}
    inside = asked(viewer.url, "configuration", value=0.6, **ask)
    beyond = asked(viewer.url, "configuration", value=1.6, **ask)
    back = asked(viewer.url, "configuration", value=0.1, **(ask | {"q": beyond["q"]}))
    viewer.close()
    assert "limit" not in inside
    np.testing.assert_allclose(inside["q"], [0.6, 0.3], atol=1e-9)
    assert beyond["limit"] == "'rocker' has reached its limit, 0.35 rad"
    np.testing.assert_allclose(beyond["q"], [0.7, 0.35], atol=2e-4)
    assert beyond["q"][1] <= 0.35 + 1e-9
    assert beyond["residual"] < 1e-9
    np.testing.assert_allclose(back["q"], [0.1, 0.05], atol=1e-9)


def test_names_stay_text_in_the_live_page():
    """Call body, system and parameter like scripts: the page and its answers hold no element."""
    evil = "<script>alert(1)</script>"
    rod = ps.Body(evil, joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -0.5))
    viewer = ps.System(evil, [rod]).view(show=False)
    with urlopen(viewer.url, timeout=30) as answer:
        page = answer.read().decode("utf-8")
        kind = answer.headers["Content-Type"], answer.headers["X-Content-Type-Options"]
    asked(viewer.url, "configuration", q=[0.0], parameters={})
    viewer.close()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert kind == ("text/html; charset=utf-8", "nosniff")
