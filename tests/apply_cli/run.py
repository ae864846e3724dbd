#!/usr/bin/env python3
"""Runs `bodkin apply` as a user and a program do, on real folders.

    python3 tests/apply_cli/run.py BODKIN [PART_OF_A_NAME…]

Each test is a function of a Case (a folder below which it may do anything, and the program) in a file *_tests.py.
"""
import os
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from cli_support import run_all, tests_beside  # noqa: E402
from case import Case  # noqa: E402


def main():
    program = os.path.abspath(sys.argv[1])

    def attempt(test):
        folder = os.path.realpath(tempfile.mkdtemp(prefix="bodkin-cli-"))
        try:
            root = os.path.join(folder, "root")
            os.makedirs(root)
            os.environ["XDG_STATE_HOME"] = os.path.join(folder, "state")
            test(Case(program, root))
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    run_all(tests_beside(__file__), attempt, sys.argv[2:])


if __name__ == "__main__":
    main()
