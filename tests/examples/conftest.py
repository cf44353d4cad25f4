"""The example that a test file is about."""

import importlib.util
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def example(request):
    """The example as a module: the file called as the test is, in its folder."""
    name = request.path.stem.removeprefix("test_")
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / name / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
