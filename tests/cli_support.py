"""What the tests of the subcommands share: a check, an edit block, and the replies of a replayed model.

The suites add this folder to sys.path, since each runs as a script of its own.
"""
import fcntl
import importlib
import inspect
import multiprocessing
import os
import pathlib
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
import traceback


def chosen(names, parts):
    """The names that have one of these parts; all, if none is given; without those that are named whole after a "-". Ends the
    program if there is none: it would pass."""
    without = {part[1:] for part in parts if part.startswith("-")}
    parts = [part for part in parts if not part.startswith("-")]
    found = [name for name in names if name not in without and (not parts or any(part in name for part in parts))]
    return found or sys.exit("No test has " + " or ".join(parts) + " in its name.")


def tests_beside(script):
    """{name: function} of all tests in the files *_tests.py beside a suite's script: their only parameter is a case."""
    tests = {}
    for path in sorted(pathlib.Path(script).resolve().parent.glob("*_tests.py")):
        for name, value in vars(importlib.import_module(path.stem)).items():
            if getattr(value, "__module__", "") == path.stem and inspect.isfunction(value) and list(inspect.signature(value).parameters) == ["case"]:
                if name in tests:
                    sys.exit("Two tests are called %s." % name)
                tests[name] = value
    return tests


class Failure(AssertionError):
    pass


class Skip(Exception):
    pass


def run_all(tests, attempt, parts=(), at_once=4):
    """Calls attempt(test) for each of {name: test} whose name has one of the parts, and ends the program. What raises has
    failed, or is skipped by a Skip. A line for each, in order, and as the last one the sum.

    Several run at once, each in a process that nothing else changes meanwhile: most of the time they wait.
    """
    _running.update(tests=tests, attempt=attempt)
    counts = dict.fromkeys(("ok", "FAIL", "skip"), 0)
    with multiprocessing.get_context("fork").Pool(at_once) as pool:
        for state, line in pool.imap(_told, chosen(list(tests), parts)):
            counts[state] += 1
            print("%-5s %s" % (state, line), flush=True)
    print("%d passed, %d failed, %d skipped" % tuple(counts.values()))
    sys.exit(1 if counts["FAIL"] else 0)


_running = {}


def _told(name):
    begun = time.monotonic()
    try:
        _running["attempt"](_running["tests"][name])
        return "ok", "%s (%.1f s)" % (name, time.monotonic() - begun)
    except Skip as reason:
        return "skip", "%s: %s" % (name, reason)
    except AssertionError as failure:
        return "FAIL", "%s: %s" % (name, failure)
    except Exception as failure:  # whatever it is, the others shall run
        place = traceback.extract_tb(failure.__traceback__)[-1]
        return "FAIL", "%s: %s: %s (%s:%d)" % (name, type(failure).__name__, failure, os.path.basename(place.filename), place.lineno)


def check(condition, sentence):
    if not condition:
        raise Failure(sentence)


def lock_folder(root, state):
    """Holds a folder's lock, as another program that writes there does, until the file that it returns is closed."""
    number = 0xcbf29ce484222325
    for byte in str(root).encode():
        number = ((number ^ byte) * 0x100000001b3) & 0xffffffffffffffff
    folder = pathlib.Path(state) / "bodkin/apply"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = open(folder / ("%016x.lock" % number), "w")
    os.chmod(file.name, 0o600)
    fcntl.flock(file, fcntl.LOCK_EX)
    return file


def await_lock(process):
    """Waits until a process waits for a lock: seen in its state, not guessed from the clock."""
    end = time.monotonic() + 60
    waits = re.compile(r"-> FLOCK .* %d " % process.pid)
    while not waits.search(open("/proc/locks").read()):
        check(time.monotonic() < end and process.poll() is None, "it does not wait for the lock")
        time.sleep(0.01)


class Terminal:
    """A program in a terminal of its own."""
    patience = 30  # seconds

    def __init__(self, command, folder, environment, columns):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                os.chdir(folder)
                os.execvpe(command[0], command, environment)
            finally:
                os._exit(127)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 45, columns, 0, 0))
        self.text = ""

    def until(self, wanted):
        """Reads until the screen has had `wanted`, which is then taken away with what stood before."""
        end = time.monotonic() + self.patience
        while wanted not in self.text:
            self.read(wanted, end)
        before, self.text = self.text.split(wanted, 1)
        return before + wanted

    def read(self, wanted, end):
        """Reads some more, for a second at most; fails at the end, and after `end`."""
        check(time.monotonic() < end, "%r did not come; there is %r" % (wanted, self.text))
        if select.select([self.fd], [], [], 1)[0]:
            try:
                data = os.read(self.fd, 4096)
            except OSError:
                data = b""
            check(data, "it ended before %r; there is %r" % (wanted, self.text))
            self.text += data.decode(errors="replace")

    def type(self, keys):
        os.write(self.fd, keys.encode())

    def end(self):
        limit = time.monotonic() + self.patience
        while True:
            if not select.select([self.fd], [], [], max(0, limit - time.monotonic()))[0]:
                os.kill(self.pid, signal.SIGKILL)
                raise AssertionError("it does not end; there is %r" % self.text)
            try:
                data = os.read(self.fd, 4096)
            except OSError:
                break
            if not data:
                break
            self.text += data.decode(errors="replace")
        self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.text


def block(path, old, new):
    return "%s\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n" % (path, old, new)


# The file a.c, and an ask that widens two of its variables.
TEXT = "".join("int %s;\n" % letter for letter in "abcdefgh")
WIDE = TEXT.replace("int b", "long b").replace("int g", "long g")


def edit(old, new, path="a.c"):
    return {"name": "edit", "arguments": {"path": path, "old_str": old, "new_str": new}}


def turn(text="", calls=(), expect=(), **more):
    return dict({"expect": list(expect), "reply": {
        "text": text, "tool_calls": list(calls), "usage": {"input": 1000, "output": 10}}}, **more)


READ = turn("I look first.", [{"name": "read_file", "arguments": {"path": "a.c"}}])
WIDER = [READ, turn("", [edit("int b;", "long b;"), edit("int g;", "long g;")]), turn("b and g are wider.")]
