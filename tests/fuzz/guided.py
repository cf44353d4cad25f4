"""The search guided by coverage, with atheris: a process of its own, which libFuzzer ends.

``python -m tests.fuzz.guided FORMAT SECONDS SEED FOLDER``
"""

import os
import random
import sys
import tempfile

LARGEST = 1 << 16


def main():
    """Set libFuzzer going on the files in FOLDER/corpus; what it finds is left in FOLDER."""
    import atheris  # not everybody has it

    with atheris.instrument_imports(include=["poinsot"]):
        from tests.fuzz.contract import check
    from tests.fuzz.corpus import corpus
    from tests.fuzz.mutate import mutated

    form, seconds, seed, folder = sys.argv[1:]
    valid = corpus(form)
    seeds = os.path.join(folder, "corpus")
    os.makedirs(seeds, exist_ok=True)
    for k, data in enumerate(valid):
        with open(os.path.join(seeds, f"valid {k}"), "wb") as stream:
            stream.write(data)
    work = tempfile.mkdtemp(dir=folder)

    def mutate(data, size, seed):
        source = random.Random(seed)
        if source.random() < 0.3:
            return atheris.Mutate(data, size)
        return mutated(data, form, source, valid)[:size]

    limits = [f"-max_total_time={seconds}", f"-seed={seed}", f"-max_len={LARGEST}", "-timeout=20"]
    quiet = ["-verbosity=0", "-print_final_stats=1", "-rss_limit_mb=3000"]
    command = [sys.argv[0], *limits, *quiet, f"-artifact_prefix={folder}{os.sep}", seeds]
    atheris.Setup(command, lambda data: check(form, data, work) and None, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
