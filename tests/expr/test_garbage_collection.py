"""The search for cycles stops while programs are made, and goes on as it was before."""

import gc
import threading

import pytest

from poinsot.expr import garbage_collection_paused


@pytest.fixture(params=[True, False])
def enabled(request):
    """Switch the search on or off for a test, and back on."""
    (gc.enable if request.param else gc.disable)()
    yield request.param
    gc.enable()


def test_it_is_as_before_after_nested_blocks_and_errors(enabled):
    with garbage_collection_paused():
        assert not gc.isenabled()
        with pytest.raises(ValueError, match="inside"), garbage_collection_paused():
            raise ValueError("inside")
        assert not gc.isenabled()
    assert gc.isenabled() is enabled


def test_threads_wait_for_the_last(enabled):
    inside, leave = threading.Event(), threading.Event()

    @garbage_collection_paused()
    def work():
        inside.set()
        leave.wait(10)

    thread = threading.Thread(target=work)
    thread.start()
    assert inside.wait(10)
    with garbage_collection_paused():
        pass
    assert not gc.isenabled()
    leave.set()
    thread.join()
    assert gc.isenabled() is enabled
