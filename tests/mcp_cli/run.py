#!/usr/bin/env python3
"""Runs `bodkin mcp` as agents do, in both eras of the protocol.

    python3 tests/mcp_cli/run.py BODKIN [PART_OF_A_NAME…]

Each test is a function of a Case (a folder below which it may do anything, and the program) in a file *_tests.py. Ends with
"N passed, N failed, N skipped".
"""
import os
import shutil
import sys
import tempfile

from client import Case
from cli_support import run_all, tests_beside


def main():
    program = os.path.abspath(sys.argv[1])
    os.environ.pop("CLAUDE_PROJECT_DIR", None)

    def attempt(test):
        folder = os.path.realpath(tempfile.mkdtemp(prefix="bodkin-mcp-"))
        for name in ("home", "root", "runtime"):
            os.makedirs(os.path.join(folder, name), mode=0o700)
        os.environ["HOME"] = os.path.join(folder, "home")
        os.environ["XDG_RUNTIME_DIR"] = os.path.join(folder, "runtime")
        for kind in ("STATE", "CONFIG", "CACHE"):
            os.environ["XDG_%s_HOME" % kind] = os.path.join(folder, kind.lower())
        case = Case(program, os.path.join(folder, "root"))
        try:
            test(case)
        finally:
            case.close()
            shutil.rmtree(folder, ignore_errors=True)

    run_all(tests_beside(__file__), attempt, sys.argv[2:])


if __name__ == "__main__":
    main()
