#!/usr/bin/env python3
"""Runs `bodkin ask` with a replayed model, as a script and as a user in a terminal do, on real folders.

    python3 tests/ask_cli/run.py BODKIN [PART_OF_A_NAME…]

Each test is a function of a Case (case.py) in a file *_tests.py. The last line is the sum.
"""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from cli_support import run_all, tests_beside  # noqa: E402
from case import Case  # noqa: E402


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())

    def attempt(test):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            test(Case(program, pathlib.Path(folder).resolve()))

    run_all(tests_beside(__file__), attempt, sys.argv[2:])


if __name__ == "__main__":
    main()
