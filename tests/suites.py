#!/usr/bin/env python3
"""Holds tests/suites.sh to what it says: its sums, and that an interrupt leaves no process behind.

    python3 tests/suites.py
"""
import os
import signal
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def script(folder, text):
    return subprocess.Popen(["sh", "-euc", "nightly= logs=%s; . tests/suites.sh; %s; finish" % (folder, text)],
                            cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True)


def sums_are_those_of_the_suites(folder):
    run = script(folder, "suite one echo '2 passed, 1 failed, 0 skipped'; suite two echo nothing; suite three sh -c 'echo 1 passed, 0 failed, 0 skipped; exit 3'")
    said = run.communicate(timeout=60)[0]
    return run.returncode == 1 and said.endswith("3 passed, 3 failed, 0 skipped\n") or said


def a_terminal_is_told_what_runs_and_a_log_is_not(folder):
    gate = os.path.join(folder, "gate")
    os.mkfifo(gate)
    why = "word " * 40
    text = "suite one sh -c 'read -r _ <%s; echo SKIP %s; echo 1 passed, 0 failed, 1 skipped'; skip two \"%s\"" % (gate, why, why)
    ours, theirs = os.openpty()
    run = subprocess.Popen(["sh", "-euc", "nightly= logs=%s; . tests/suites.sh; %s; finish" % (folder, text)], cwd=ROOT,
                           stdout=subprocess.PIPE, stderr=theirs, text=True, start_new_session=True)
    os.close(theirs)
    shown = ""
    while "running: one" not in shown:
        shown += os.read(ours, 1000).decode()
    with open(gate, "w") as opened:
        opened.write("go on\n")
    said = run.communicate(timeout=60)[0]
    os.close(ours)
    wide = [line for line in said.splitlines() if len(line) > 80]
    return (run.returncode, wide, "running" in said, said.count("word")) == (0, [], False, 80) or (run.returncode, said)


def an_interrupt_ends_all_that_runs(folder):
    # Each holds the pipe open; its end is that all of them have ended.
    held, end = os.pipe()
    os.set_inheritable(end, True)
    suite = "sh -c 'echo up >&%d; trap \"\" INT; sleep 600 & wait'" % end
    text = "suite one %s; suite two %s; await_suites; echo not interrupted" % (suite, suite)
    run = subprocess.Popen(["sh", "-euc", "nightly= logs=%s; . tests/suites.sh; %s" % (folder, text)], cwd=ROOT,
                           stdout=subprocess.PIPE, text=True, start_new_session=True, pass_fds=[end])
    os.close(end)
    with os.fdopen(held) as both:
        up = both.readline() + both.readline()
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does
        said = run.communicate(timeout=60)[0]
        rest = both.read()
    return (run.returncode, said, up, rest) == (130, "", "up\nup\n", "") or (run.returncode, said, up, rest)


def an_interrupted_build_says_that_the_next_one_goes_on(folder):
    # Alone, and where suites run at other times.
    first = interrupted_build(folder, "trap stopped INT")
    return first is not True and first or interrupted_build(folder, "nightly= logs=%s; . tests/suites.sh" % folder)


def interrupted_build(folder, trap):
    text = ". tests/setup.sh; %s; logged %s/log sh -c 'echo up >&3; exec sleep 600' 3>&1; echo not stopped" % (trap, folder)
    run = subprocess.Popen(["sh", "-euc", text], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    up = run.stdout.readline()
    os.killpg(run.pid, signal.SIGINT)
    run.wait(60)  # what shows how far it is looks for the script, and holds the pipes until it is gone
    said = run.communicate(timeout=60)
    return (run.returncode, up, said) == (130, "up\n", ("", "Stopped; the next run goes on from here.\n")) or (run.returncode, up, said)


def the_help_says_what_each_word_runs(_):
    run = subprocess.run(["sh", "tests/run.sh", "--help"], cwd=ROOT, capture_output=True, text=True, timeout=60)
    words = [line.split()[0] for line in run.stdout.splitlines()[1:] if line.startswith("  --")]
    return (run.returncode, words, run.stderr) == (0, ["--quick", "--full", "--nightly"], "") or str(run)


def main():
    tests = (sums_are_those_of_the_suites, a_terminal_is_told_what_runs_and_a_log_is_not, an_interrupt_ends_all_that_runs, an_interrupted_build_says_that_the_next_one_goes_on,
             the_help_says_what_each_word_runs)
    failed = 0
    for test in tests:
        with tempfile.TemporaryDirectory() as folder:
            said = test(folder)
        if said is not True:
            failed += 1
            print("FAIL %s: %s" % (test.__name__.replace("_", " "), said))
    print("%d passed, %d failed, 0 skipped" % (len(tests) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
