#!/usr/bin/env python3
"""Runs bodkin.exe under Wine beside bodkin, which says what is right.

    python3 tests/windows/run.py BODKIN [PART_OF_A_NAME…]

It is build/windows/bin/bodkin.exe, or BODKIN_EXE; rg, node and pyright are those of setup_windows_tools and setup_servers
(tests/setup.sh). The last line is: N passed, N failed, N skipped.
"""
import contextlib
import email.utils
import http.server
import json
import os
import pathlib
import random
import ssl
import stat
import subprocess
import sys
import tempfile
import threading
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "edits")]
import cases  # noqa: E402
import console_tests  # noqa: E402
import editor_tests  # noqa: E402
import wine  # noqa: E402
from cli_support import TEXT, WIDE, WIDER, block, check, chosen  # noqa: E402

WINE = str(HERE / "wine.py")
KILLS = int(os.environ.get("KILLS", "100"))


def run(command, folder=None, timeout=600, **more):
    with tempfile.TemporaryFile() as errors:  # Wine's services, which the first program starts, keep what that has for it open
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=errors, timeout=timeout, **more)
        errors.seek(0)
        done.out, done.err = done.stdout.decode("utf-8", "replace"), errors.read().decode("utf-8", "replace")
    return done


@contextlib.contextmanager
def staying_wine():
    """A program runs meanwhile that waits for its input: else Wine ends with each program and begins again with the next, which
    takes 10 seconds on a busy machine."""
    with subprocess.Popen(["wine", "cmd", "/q"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          env=wine.environment()):
        yield


def apply(program, folder, reply, *arguments):
    state = os.environ["XDG_STATE_HOME"] + ("" if program == WINE else "-linux")  # Wine's folders are not private on Linux
    return run([program, "apply", "--root", folder, *arguments], input=reply.encode(), env=dict(os.environ, XDG_STATE_HOME=state))


def tree(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in pathlib.Path(folder).rglob("*") if path.is_file()}


def put(folder, files):
    for name, text in files.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def it_says_its_version(bodkin, _):
    mine, other = (run([program, "--version"]).out.split(" (")[0] for program in (bodkin, WINE))
    check(other == mine, "%r is not %r" % (other, mine))


def each_case_gives_the_bytes_that_it_gives_on_linux(bodkin, _):
    """All cases of tests/edits, with their line ends and with those of Windows, and as random line edits."""
    feeds = []
    for name, parts in cases.read_cases().items():
        feed = cases.feed_of(name, parts)
        feeds.append(feed)
        feeds.append(dict(feed, id=name + " crlf", files={path: text.replace("\r\n", "\n").replace("\n", "\r\n")
                                                          for path, text in feed["files"].items()}))
        feeds.append(dict(feed, id=name + " crlf reply", edit=feed["edit"].replace("\r\n", "\n").replace("\n", "\r\n")))
        feeds.append(dict(feed, id=name + " backslashes", edit=feed["edit"].replace("/", "\\")))
    lines = "".join(json.dumps(feed) + "\n" for feed in feeds).encode()
    results = []
    for program in (bodkin, WINE):
        done = run([program, "apply", "--jsonl"], input=lines)
        check(done.returncode == 0, "%s: %s" % (program, done.err[-500:]))
        results.append([json.loads(line) for line in done.out.splitlines()])
    check(len(results[0]) == len(results[1]) == len(feeds), "%d and %d results" % (len(results[0]), len(results[1])))
    differ = []
    for one, other in zip(*results):
        untimed = [{name: value for name, value in each.items() if not name.endswith("micros")} for each in (one, other)]
        if untimed[0] != untimed[1]:
            differ.append(one["id"])
    check(not differ, "%d of %d differ: %s" % (len(differ), len(feeds), differ[:10]))
    return len(feeds)


def a_folder_is_changed_as_on_linux(bodkin, folder):
    files = {"src/a.c": "int a;\r\nint b;\r\n", "grüße/ä b.txt": "eins\nzwei\n", "c.py": "def f():\n    return 1\n",
             "src/a": "short\n"}
    reply = (block("src/a.c", "int b;\n", "long b;\n") + block("grüße/ä b.txt", "zwei\n", "drei\n") +
             block("new/folder/x.txt", "", "made\n") + block("src/a", "short\n", "long\n") + block("src/b", "", "one letter\n"))
    trees = []
    for number, program in enumerate((bodkin, WINE)):
        root = os.path.join(folder, str(number))
        put(root, files)
        done = apply(program, root, reply)
        check(done.returncode == 0, done.out + done.err)
        trees.append(tree(root))
    check(trees[0] == trees[1], "%r is not %r" % (trees[1], trees[0]))
    check(trees[1]["src/a.c"] == b"int a;\r\nlong b;\r\n", repr(trees[1]))


# How a model may name a file, and the file that is meant; None: it is refused; "": as bodkin does on Linux, in the folder.
PATHS = [
    ("src/a.c", "src/a.c"), ("src\\a.c", "src/a.c"), (".\\src\\a.c", "src/a.c"), ("SRC/a.c", "src/a.c"),
    ("src/A.C", "src/a.c"), ("{root}/src/a.c", "src/a.c"), ("{root}\\src\\a.c", "src/a.c"),
    ("{lower}\\src\\a.c", "src/a.c"), ("NUL", None), ("nul.txt", None), ("src/COM1.c", None), ("src\\aux", None),
    ("a.c:stream", ""), ("src/a.c:stream", None), ("src/a.c::$DATA", None), ("new.", None), ("new /x.c", None),
    ("..\\out.c", None), ("src\\..\\..\\out.c", None), ("C:\\windows\\out.c", None), ("C:out.c", None),
    ("\\\\server\\share\\out.c", None), ("//server/share/out.c", ""), ("\\\\?\\C:\\out.c", None),
    ("\\out.c", None), (".git\\config", None), (".GIT\\config", None), ("git~1/config", None), ("a?.c", None),
]


def paths_of_each_kind_are_placed_or_refused(bodkin, folder):
    wrong = []
    for number, (path, file) in enumerate(PATHS):
        root = os.path.join(folder, "p%d" % number)
        put(root, {"src/a.c": "int a;\n", "other.c": "int b;\n", ".git/config": "[core]\n"})
        native = ("Z:" + root).replace("/", "\\")
        path = path.format(root=native, lower=native[0].lower() + native[1:])
        before = tree(root)
        reply = block(path, "int a;\n", "long a;\n") if file else block(path, "", "long a;\n")
        done = apply(WINE, root, reply, "--json")
        after = tree(root)
        if file == "":
            other = os.path.join(folder, "p%d-linux" % number)
            put(other, {name: text for name, text in before.items()})
            apply(bodkin, other, reply)
            if tree(other) != after:
                wrong.append("%s: %r" % (path, after))
            continue
        is_right = (done.returncode == 0 and after[file] == b"long a;\n" and set(after) == set(before)) if file else (
            done.returncode == 1 and after == before)
        if not is_right:
            wrong.append("%s: %d %s %r" % (path, done.returncode, done.err or done.out[:200], after))
    check(not wrong, "\n".join(wrong))
    check(not [name for name in os.listdir(folder) if not name.startswith("p")], "a file outside: %r" % os.listdir(folder))
    return len(PATHS)


def a_path_may_be_longer_than_260_characters(_, folder):
    name = "/".join(["a-folder-of-thirty-characters-%d" % i for i in range(12)]) + "/a.c"
    put(folder, {name: "int a;\n"})
    done = apply(WINE, folder, block(name, "int a;\n", "long a;\n"))
    check(done.returncode == 0 and tree(folder) == {name: b"long a;\n"}, done.out + done.err)


def a_read_only_file_is_refused(_, folder):
    put(folder, {"a.c": "int a;\n", "b.c": "int b;\n"})
    os.chmod(folder + "/a.c", stat.S_IREAD | stat.S_IRGRP | stat.S_IROTH)
    done = apply(WINE, folder, block("b.c", "int b;\n", "long b;\n") + block("a.c", "int a;\n", "long a;\n"))
    check(done.returncode == 1 and "a.c" in done.err + done.out, done.out + done.err)
    check(tree(folder) == {"a.c": b"int a;\n", "b.c": b"int b;\n"}, repr(tree(folder)))


def a_file_that_another_program_holds_is_named_and_nothing_is_changed(_, folder):
    """It is open there, and shared with nobody, as Office and some debuggers do: neither read nor replaced."""
    holder = os.path.join(os.environ["HOME"], "hold.exe")
    subprocess.run(["x86_64-w64-mingw32-gcc-posix", "-municode", "-o", holder, HERE / "hold.c"], check=True)
    files = {"a.c": b"int a;\n", "b.c": b"int b;\n"}
    put(folder, files)
    environment = dict(os.environ, BODKIN_EXE=holder)
    with subprocess.Popen([WINE, folder + "/a.c"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as other:
        check(other.stdout.readline().startswith(b"open"), "it is not held")
        done = apply(WINE, folder, block("b.c", "int b;\n", "long b;\n") + block("a.c", "int a;\n", "long a;\n"))
        check(done.returncode == 1 and "a.c" in done.err + done.out, done.out + done.err)
        check(tree(folder) == files, repr(tree(folder)))
        other.stdin.close()
    done = apply(WINE, folder, block("a.c", "int a;\n", "long a;\n"))
    check(done.returncode == 0 and tree(folder)["a.c"] == b"long a;\n", done.out + done.err)


def a_change_is_undone_and_redone(_, folder):
    put(folder, {"a.c": "int a;\r\n"})
    done = apply(WINE, folder, block("a.c", "int a;\n", "long a;\n"))
    check(done.returncode == 0, done.err)
    for command, text in (("undo", b"int a;\r\n"), ("redo", b"long a;\r\n")):
        done = run([WINE, command, "--root", folder])
        check(done.returncode == 0 and tree(folder) == {"a.c": text}, "%s: %s%s" % (command, done.out, done.err))


def an_ask_with_a_played_model_changes_the_folder(_, folder):
    put(folder, {"a.c": TEXT})
    put(os.environ["HOME"], {"replay.json": json.dumps({"turns": WIDER})})
    done = run([WINE, "ask", "--provider", "replay", "--model", os.environ["HOME"] + "/replay.json", "--root", folder, "--yes",
                "Widen b and g"], stdin=subprocess.DEVNULL)
    check(done.returncode == 0 and tree(folder) == {"a.c": WIDE.encode()}, done.out + done.err)
    done = run([WINE, "undo", "--root", folder])
    check(done.returncode == 0 and tree(folder) == {"a.c": TEXT.encode()}, done.out + done.err)


def a_language_server_that_npm_has_installed_checks_an_edit(_, folder):
    """npm's script ends with this line; the others are more than Wine's cmd understands. Wine says that it is Windows 7."""
    programs = os.path.join(os.environ["HOME"], "npm")
    script = ("Z:" + str(HERE.parent.parent / "build/servers/node_modules/pyright/langserver.index.js")).replace("/", "\\")
    put(programs, {"pyright-langserver.cmd": '@set NODE_SKIP_PLATFORM_CHECK=1\r\n@node "%s" %%*\r\n' % script})
    put(folder, {"a b.py": "def f(n: int) -> int:\n    return n\n", "c.py": "from d import g\n\nx: int = g()\n", "d.py": "def g() -> int:\n    return 1\n"})
    wrong = block("a b.py", "    return n\n", "    return str(n)\n")
    right = block("a b.py", "    return n\n", "    return n + 1\n")
    far = block("d.py", "def g() -> int:\n    return 1\n", "def g() -> str:\n    return '1'\n")
    put(folder, {"e.py": "import six\n\ny: int = six.f()\n", ".venv/Lib/site-packages/six.py": "def f() -> int:\n    return 1\n"})
    library = block("e.py", "y: int = six.f()\n", "y: str = six.f()\n")
    for reply, state in (wrong, "problems"), (right, "clean"), (far, "problems"), (library, "problems"):
        done = run([WINE, "verify", "--root", folder, "--json"], input=reply.encode(), env=dict(os.environ, WINEPATH=programs))
        verdict = json.loads(done.out)
        check(verdict["state"] == state, "%s: %s%s" % (reply, done.out, done.err))


class Model(http.server.BaseHTTPRequestHandler):
    """Answers a chat, after it has sent one request away until a date."""
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.server.times.append(time.time())
        busy = len(self.server.times) == 1
        body = b"{}" if busy else b'data: {"choices":[{"index":0,"delta":{"content":"Here I am."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
        self.send_response(429 if busy else 200)
        self.send_header("content-type", "application/json" if busy else "text/event-stream")
        if busy:
            self.server.until = int(time.time()) + 6
            self.send_header("retry-after", email.utils.formatdate(self.server.until, usegmt=True))
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def asked(server, host, folder, **variables):
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        return run([WINE, "ask", "--provider", "openai-compatible", "--endpoint", "%s:%d/v1" % (host, server.server_port),
                    "--model", "m", "--root", folder, "--profile", "explain", "Where are you?"], stdin=subprocess.DEVNULL,
                   env=dict(os.environ, **variables))
    finally:
        server.shutdown()


def served():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    server.times = []
    return server


def a_request_waits_until_the_date_that_its_server_names(_, folder):
    server = served()
    done = asked(server, "http://127.0.0.1", folder)
    check(done.returncode == 0 and "Here I am." in done.out, done.out + done.err)
    check(server.times[1] >= server.until - 1, "it came again too early: %r, %r" % (server.times, server.until))


def a_certificate_that_nobody_vouches_for_is_refused(_, folder):
    """And one that the user names is not. libcurl looks in such a one for a name, never for an address."""
    key, certificate = os.environ["HOME"] + "/key.pem", os.environ["HOME"] + "/own.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost", "-days", "1", "-keyout", key, "-out", certificate], check=True, stderr=subprocess.DEVNULL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    for variables in {}, {"SSL_CERT_FILE": "Z:" + certificate}:
        server = served()
        server.socket = context.wrap_socket(server.socket, server_side=True)
        server.times.append(0)  # it is not busy
        done = asked(server, "https://localhost", folder, **variables)
        if variables:
            check(done.returncode == 0 and "Here I am." in done.out, done.out + done.err)
        else:
            check(done.returncode != 0 and "TLS connection" in done.err and "certificate" in done.err, done.out + done.err)
            check(len(server.times) == 1, "it was asked")


def left_out(suite):
    """What left_out.txt gives a reason for."""
    lines = (HERE / "left_out.txt").read_text().splitlines()
    entries = [line.split(": ", 2) for line in lines if line and not line.startswith("#")]
    return [name for of, name, _ in entries if of == suite]


def unit_tests_that_are_not_built_for_windows_have_their_reason(_, __):
    tests = HERE.parent
    folders = {str(path.parent.relative_to(tests)) for kind in ("posix", "linux") for path in tests.glob("*/**/%s/*.cpp" % kind)}
    check(folders == set(left_out("unit")), "left_out.txt differs in %r" % sorted(folders ^ set(left_out("unit"))))


def passes(suite):
    """All tests of a suite of Linux but those that are left out."""
    with staying_wine():
        done = run([sys.executable, str(HERE.parent / suite / "run.py"), WINE, *("-" + name for name in left_out(suite))], timeout=7200)
    check(done.returncode == 0, "\n".join(line for line in done.out.splitlines() if not line.startswith("ok ")))
    return int(done.out.split()[-6])


def the_transcripts_are_those_of_linux(_, __):
    return passes("transcripts")


def an_agent_is_served_as_on_linux(_, __):
    return passes("mcp_cli")


def an_editor_of_agents_is_served_as_on_linux(_, __):
    return passes("acp_cli")


class Killed:
    """Runs that change many files of some KB, and are killed."""
    NAMES = ["f%03d.txt" % i for i in range(30)]
    REST = "".join("line %d of a file of some size\n" % i for i in range(120)).encode()
    OLD, NEW = b"old\n" + REST, b"new\n" + REST

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.reply = "".join(block(name, "old\n", "new\n") for name in self.NAMES).encode()
        self.journals = pathlib.Path(os.environ["XDG_STATE_HOME"], "bodkin", "apply")

    def states(self):
        """Of each file whether it is the new one; whatever the moment, it is there and whole."""
        found = [(self.folder / name).read_bytes() for name in self.NAMES]
        check(all(each in (self.OLD, self.NEW) for each in found), "a file is broken")
        return [each == self.NEW for each in found]

    def begin(self):
        for name, is_new in zip(self.NAMES, self.states() if (self.folder / self.NAMES[0]).exists() else [True] * len(self.NAMES)):
            if is_new:
                (self.folder / name).write_bytes(self.OLD)
        process = subprocess.Popen([WINE, "apply", "--root", self.folder], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        process.stdin.write(self.reply)
        process.stdin.close()
        return process

    def left(self):
        return {path.suffix for path in self.journals.iterdir()} if self.journals.is_dir() else set()

    def writes(self, process):
        """Waits until it writes: for its journal. Returns when that was."""
        while process.poll() is None and not self.left() & {".journal", ".done"}:
            time.sleep(0.0005)
        return time.monotonic()

    def renames(self, process):
        """The same, until the first file is the new one."""
        while process.poll() is None and not self.states()[0]:
            time.sleep(0.0005)
        return time.monotonic()


@staying_wine()
def a_killed_run_leaves_all_old_or_all_new(_, folder):
    killed = Killed(folder)
    whole, renaming = [], []  # seconds: from the journal on, and from the first new file on
    for _ in range(3):
        process = killed.begin()
        begun = killed.writes(process)
        first = killed.renames(process)
        while not all(killed.states()):
            check(process.poll() is None or all(killed.states()), "the change ended too early")
        renaming.append(time.monotonic() - first)
        check(process.wait() == 0 and not killed.left() & {".journal", ".done"}, "a whole run leaves %r" % killed.left())
        whole.append(time.monotonic() - begun)
    random.seed(1)
    middle = mixed = ended = 0
    for attempt in range(KILLS):
        process = killed.begin()
        if attempt % 2 == 0:
            killed.writes(process)
            time.sleep(random.uniform(0, sorted(whole)[1]))
        else:
            killed.renames(process)
            time.sleep(random.uniform(0, sorted(renaming)[1]))
        process.kill()
        process.wait()
        states, left = killed.states(), killed.left()
        is_begun = ".journal" in left
        middle += is_begun
        mixed += is_begun and len(set(states)) == 2
        ended += not is_begun
        check(is_begun or len(set(states)) == 1, "without a journal half of the files are changed")
        if attempt % 4 < 2:
            done = apply(WINE, folder, "nothing")
            check(done.returncode == 1 and ("interrupted" in done.err) == (is_begun and any(states)), "%r: %s" % (left, done.err))
            check(killed.states() == [not is_begun and states[0]] * len(states), "%r: %s" % (left, done.err))
        else:  # it also takes back a change that has ended
            done = run([WINE, "undo", "--root", folder])
            check(not any(killed.states()), "%r: %s" % (left, done.err))
            check(("interrupted" in done.err) == (is_begun and any(states)), "%r: %s" % (left, done.err))
        beside = sorted(set(tree(folder)) ^ set(killed.NAMES))
        check(not beside and not killed.left() & {".journal", ".done", ".new"},
              "attempt %d, killed with %r, leaves %r and %r: %d %s" % (attempt, left, beside, killed.left(), done.returncode, done.err))
    print("  %d killed while writing for %.2f s, %d of them between the first and the last file (%.3f s); %d before or after"
          % (middle, sorted(whole)[1], mixed, sorted(renaming)[1], ended))
    check(middle >= KILLS // 5 and mixed >= KILLS // 20, "too few were killed in the middle: %d, %d" % (middle, mixed))
    return KILLS


def main():
    bodkin = os.path.abspath(sys.argv[1])
    tests = {name: test for module in (sys.modules["__main__"], editor_tests, console_tests) for name, test in vars(module).items()
             if callable(test) and name.count("_") > 1 and getattr(test, "__module__", "") == module.__name__}
    passed = failed = 0
    for name in chosen(tests, sys.argv[2:]):
        with tempfile.TemporaryDirectory(prefix="bodkin-windows-") as home, tempfile.TemporaryDirectory() as folder:
            os.environ.update(HOME=home, XDG_STATE_HOME=home + "/state", XDG_CONFIG_HOME=home + "/config",
                              XDG_CACHE_HOME=home + "/cache")
            begun = time.monotonic()
            try:
                count = tests[name](bodkin, folder)
                passed += 1
                print("%s: %s%.1f s" % (name.replace("_", " "), "%d, " % count if count else "", time.monotonic() - begun), flush=True)
            except (AssertionError, OSError, subprocess.SubprocessError, ValueError) as error:
                failed += 1
                print("FAIL %s: %s" % (name.replace("_", " "), str(error)[:3000]), flush=True)
                if not isinstance(error, AssertionError):
                    traceback.print_exc()
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
