#!/usr/bin/env python3
"""Runs `bodkin acp` with a replayed model, on real folders, as editors do that have the Agent Client Protocol.

    python3 tests/acp_cli/run.py BODKIN [PART_OF_A_NAME…]

Each test is a function of a Case (case.py) in a file *_tests.py; what an editor does is in client.py. The last line is
the sum. nightly.sh validates the messages by the protocol's schema.
"""
import json
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from case import Case  # noqa: E402
from cli_support import run_all, tests_beside  # noqa: E402


def main():
    program = os.path.abspath(sys.argv[1])
    transcript = os.environ.get("ACP_TRANSCRIPT")

    def attempt(run):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            case = Case(program, pathlib.Path(folder).resolve())
            try:
                run(case)
            finally:
                for editor in case.editors:
                    editor.kill()
                    if transcript:
                        with open(transcript, "a") as out:
                            out.writelines(json.dumps({"way": way, "message": message}) + "\n" for way, message in editor.log)

    run_all(tests_beside(__file__), attempt, sys.argv[2:])


if __name__ == "__main__":
    main()
