"""Valid inputs with random damage, and the search for such inputs itself."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import plain
from tests.fuzz.contract import FORMATS, check
from tests.fuzz.corpus import corpus
from tests.fuzz.mutate import mutated
from tests.random_examples import examples

ROOT = Path(__file__).resolve().parents[2]
VALID = {form: corpus(form) for form in FORMATS}
each_format = pytest.mark.parametrize("form", FORMATS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return str(tmp_path_factory.mktemp("fuzz"))


@each_format
def test_the_undamaged_are_valid(form, folder):
    """Check that the damage starts from something valid."""
    for data in VALID[form]:
        assert check(form, data, folder)


@each_format
@settings(max_examples=examples(15))
@given(source=st.randoms(use_true_random=False), data=st.data())
def test_damaged_inputs_are_read_or_refused(form, folder, source, data):
    """Check the contract on damaged inputs."""
    valid = data.draw(st.sampled_from(VALID[form]))
    check(form, mutated(valid, form, source, VALID[form]), folder)


@each_format
@settings(max_examples=examples(6))
@given(noise=st.binary(max_size=300))
def test_noise_is_read_or_refused(form, folder, noise):
    """Check the contract on noise."""
    check(form, noise, folder)


def test_the_search_reports_what_breaks_the_contract(monkeypatch, folder):
    """Plant a fault and let it be found."""

    def fragile(form, data, folder):
        assert b"nan" not in data, "planted"

    monkeypatch.setattr(plain, "check", fragile)
    tried, (data, error) = plain.search("json", 30, 0, folder)
    assert b"nan" in data
    assert "planted" in str(error)
    assert tried > 1


def test_the_search_ends_in_time():
    """Check the command, its exit code and what it prints."""
    command = [
        sys.executable,
        "-m",
        "tests.fuzz",
        "--seconds",
        "1",
        "--format",
        "formula",
        "--plain",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing found" in done.stdout
    assert int(done.stdout.split()[1]) > 10
