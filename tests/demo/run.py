#!/usr/bin/env python3
"""The README's first command, clients/demo.sh: that it shows what it promises, and that nothing makes it hang.

    python3 tests/demo/run.py BODKIN [NVIM…]     nvim on PATH, and those that are named

The demo runs in each Neovim as a person would run it. Then things are broken, one at a time: each must end the demo
with a message and a code other than 0, and leave no process behind. The last line is: N passed, N failed, N skipped.
"""
import fcntl
import json
import os
import pathlib
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from concurrent.futures import ThreadPoolExecutor

TOP = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 120  # seconds after which the demo hangs


class Failure(AssertionError):
    pass


def check(condition, sentence):
    if not condition:
        raise Failure(sentence)


class Demo:
    """A copy of what the demo consists of, which a test may break."""

    def __init__(self, program, nvim="nvim"):
        self.folder = tempfile.TemporaryDirectory(prefix="bodkin-demo-")
        self.top = pathlib.Path(self.folder.name, "o'brien's \"ä\" copy")
        self.top.mkdir()
        shutil.copytree(TOP / "clients" / "demo", self.top / "clients" / "demo")
        shutil.copy(TOP / "clients" / "demo.sh", self.top / "clients")
        os.symlink(TOP / "clients" / "nvim", self.top / "clients" / "nvim")
        (self.top / "tests").mkdir()
        shutil.copy(TOP / "tests" / "setup.sh", self.top / "tests")
        (pathlib.Path(self.folder.name, "tmp")).mkdir()
        self.within = []  # a command that runs it
        self.env = dict(os.environ, BODKIN=program, DEMO_NVIM=nvim, TMPDIR=str(pathlib.Path(self.folder.name, "tmp")), NVIM="/nowhere/socket", VIMRUNTIME="/nowhere")

    def break_line(self, name, old, new):
        path = self.top / "clients" / "demo" / name
        text = path.read_text()
        check(text.count(old) == 1, "%s has not one line that begins with %r" % (name, old))
        path.write_text(text.replace(old, new))

    def program(self, name, script):
        """A program of this name that is found before any other."""
        folder = self.top / "bin"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text("#!/bin/sh\n" + script)
        (folder / name).chmod(0o755)
        self.env["PATH"] = "%s:%s" % (folder, os.environ["PATH"])
        return str(folder / name)

    def start(self, *words):
        # What the shell starts in the background would ignore an interrupt.
        return subprocess.Popen([*self.within, "sh", str(self.top / "clients" / "demo.sh"), *words], env=self.env,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                start_new_session=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))

    def run(self, *words):
        process = self.start(*words)
        try:
            return self.ended(process, process.communicate(timeout=LIMIT)[0])
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise Failure("it hangs; so far it said:\n" + process.communicate()[0])

    def ended(self, process, output):
        # The servers end by themselves when their input has ended; there is no event of that to wait for.
        until = time.monotonic() + 20
        while left := [pid for pid in os.listdir("/proc") if pid.isdigit() and self.is_ours(pid)]:
            check(time.monotonic() < until, "these processes are left: %s\n%s" % (" ".join(left), output))
            time.sleep(0.05)
        left = os.listdir(self.env["TMPDIR"])
        check(not left, "these files are left: %s\n%s" % (left, output))
        return process.returncode, output

    def is_ours(self, pid):
        try:
            return (self.folder.name.encode() in pathlib.Path("/proc", pid, "environ").read_bytes()
                    or os.readlink("/proc/%s/cwd" % pid).startswith(self.folder.name))
        except OSError:
            return False  # it has ended meanwhile

    def fails(self, *words, options=()):
        code, output = self.run(*options)
        check(code != 0, "the code is 0:\n" + output)
        for word in words:
            check(word in output, "it does not say %r:\n%s" % (word, output))
        check("Done." not in output, "it says that it is done:\n" + output)


def shows_the_whole_way(program, nvim):
    code, output = Demo(program, nvim).run()
    check(code == 0, "the code is %d:\n%s" % (code, output))
    at = 0
    for words in ("what():  stoi", "1. The file is open", "2. An instruction", "Bodkin ask Return nothing",
                  "the proposal, checked, ", "s after the instruction", "3. What bodkin's own clangd found went back", "✗ clangd found 1 new error",
                  "viable conversion", "| The return type was still", "+      return std::nullopt;",
                  "the buffer itself still has 42 lines, unchanged", "the proposal says: ✓ clangd: no new errors", "4. The proposal is applied",
                  "the editor's text is now the proposed one", "5. What the editor's clangd says", "6. The file, as saved",
                  "is the proposal, byte for byte",
                  "After: the same input", "540 cents", "Done."):
        found = output.find(words, at)
        check(found >= 0, "%r does not come, or not in its place:\n%s" % (words, output))
        at = found
    check("Replaced" not in output, "it tells of a proposal that another one has replaced:\n" + output)
    help_text = Demo(program, nvim).run("--help")[1]
    wide = [line for line in (output + help_text).splitlines() if len(line) > 80 and not line.lstrip().startswith(("+", "-"))]
    check(not wide, "wider than 80 columns: %s" % wide)


def an_error_in_a_step_ends_it(program, nvim):
    demo = Demo(program, nvim)
    demo.break_line("steps.lua", '  step("The proposal is', '  error("planted")\n  step("The proposal is')
    demo.fails("planted", "The demo stops here")


def an_error_in_a_callback_ends_it(program, nvim):
    demo = Demo(program, nvim)
    demo.break_line("steps.lua", "local announced, ended = {}, {}",
                    'vim.schedule(function() error("planted") end)\nlocal announced, ended = {}, {}')
    demo.fails("planted", "The demo stops here")


def an_error_in_the_configuration_ends_it(program, nvim):
    demo = Demo(program, nvim)
    demo.break_line("init.lua", "vim.opt.swapfile = false", 'error("planted")')
    demo.fails("planted", "The demo stops here")


def a_syntax_error_ends_it(program, nvim):
    demo = Demo(program, nvim)
    demo.break_line("steps.lua", "local number = 0", "local number = = 0")
    demo.fails("steps.lua")


def a_clangd_that_dies_ends_it(program, nvim):
    demo = Demo(program, nvim)
    demo.program("clangd", "exit 1\n")
    demo.fails("The demo stops here", "clangd")


def a_clangd_that_is_missing_is_named(program, nvim):
    demo = Demo(program, nvim)
    folder = demo.top / "only"
    folder.mkdir()
    for each in os.environ["PATH"].split(":"):
        for name in os.listdir(each) if os.path.isdir(each) else ():
            if name not in ("clangd", "apt-get") and not (folder / name).exists():
                (folder / name).symlink_to(os.path.join(each, name))
    demo.env["PATH"] = str(folder)
    demo.fails("Please install these first", "clangd")


def a_program_that_does_not_start_ends_it(program, nvim):
    demo = Demo(program, nvim)
    demo.env["BODKIN"] = demo.program("bodkin", "exit 3\n")
    demo.fails("The demo stops here", "bodkin")


def a_program_that_dies_in_the_middle_ends_it(program, nvim):
    demo = Demo(program, nvim)
    # It reads what Neovim sends when it attaches, and a little more: the end of its input ends it.
    demo.env["BODKIN"] = demo.program("bodkin", "head -c 16000 | '%s' \"$@\"\n" % program)
    demo.fails("The demo stops here", "bodkin")


def an_unusable_model_ends_it(program, nvim):
    demo = Demo(program, nvim)
    (demo.top / "clients" / "demo" / "replay.json").write_text("{}")
    demo.fails("The demo stops here")


def an_interrupt_ends_it_with_all_that_it_started(program, nvim):
    demo = Demo(program, nvim)
    process = demo.start()
    said = ""
    while "1. The file is open" not in said:
        line = process.stdout.readline()
        check(line, "it ended too early:\n" + said)
        said += line
    os.kill(process.pid, signal.SIGINT)
    try:
        code, output = demo.ended(process, process.communicate(timeout=20)[0])
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise Failure("an interrupt does not end it")
    check(code == 130, "the code is %d:\n%s" % (code, said + output))


def a_reader_that_ends_ends_it(program, nvim):
    demo = Demo(program, nvim)
    process = demo.start()
    first = process.stdout.readline()
    process.stdout.close()
    try:
        process.wait(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise Failure("a closed pipe does not end it")
    code, _ = demo.ended(process, first)
    check(code == 141, "the code is %d" % code)


def the_interactive_part_asks_for_no_enter(program, _):
    demo = Demo(program)  # a newer one from tests/get-nvim.sh has no terminal
    parent, child = pty.openpty()
    fcntl.ioctl(parent, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(["sh", str(demo.top / "clients" / "demo.sh")], env=dict(demo.env, TERM="xterm"), stdin=child, stdout=child,
                               stderr=child, start_new_session=True)
    os.close(child)
    said, seen, answers = "", 0, [("[y/N]", "y\n"), ("<Up>", ":\x1b[A"), ("Bodkin ask Return", "\x15qall!\n")]
    try:
        while select.select([parent], [], [], LIMIT)[0]:
            said += os.read(parent, 65536).decode(errors="replace")
            if answers and answers[0][0] in said[seen:]:
                seen = len(said)
                os.write(parent, answers.pop(0)[1].encode())
    except OSError:
        pass  # it has ended
    os.close(parent)
    process.wait(timeout=LIMIT)
    demo.ended(process, said)
    check(not answers and "Press ENTER" not in said, said)


def a_clangd_that_hangs_is_ended(program, nvim):
    demo = Demo(program, nvim)
    demo.program("clangd", "trap '' TERM INT HUP\nexec sleep 600\n")
    demo.break_line("steps.lua", "300000 or 30000", "300000 or 3000")
    demo.fails("The demo stops here", "clangd")


def a_folder_where_no_program_runs_is_named(program, nvim):
    demo = Demo(program, nvim)
    demo.within = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o noexec tmpfs "$TMPDIR" && exec "$@"', "sh"]
    demo.fails("cannot be run; set TMPDIR")


def what_a_model_writes_does_not_reach_the_terminal(program, nvim):
    demo = Demo(program, nvim)
    replay = demo.top / "clients" / "demo" / "replay.json"
    text = replay.read_text()
    check(text.count("A line without") == 1 and text.count("; nothing if") == 1, "the recording is another one")
    replay.write_text(text.replace("A line without", "A\\u001b]0;x\\u0007 line without").replace("; nothing if", ";\\u001b[2J nothing if"))
    code, output = demo.run()
    check(code == 0 and "^[]0;x^G" in output and "^[[2J" in output and not set("\x1b\x07") & set(output), repr(output))


def a_live_model_is_the_one_of_the_settings(program, nvim):
    demo = Demo(program, nvim)
    for name in [name for name in demo.env if name.endswith("_API_KEY") or name == "XDG_CONFIG_HOME"]:
        del demo.env[name]
    demo.env["HOME"] = demo.folder.name
    demo.fails("No real model can be asked", "No model", options=["--live"])
    folder = pathlib.Path(demo.folder.name, ".config", "bodkin")
    folder.mkdir(parents=True)
    recording = str(demo.top / "clients" / "demo" / "replay.json")
    (folder / "settings.json").write_text(json.dumps({"bodkin.model.provider": "replay", "bodkin.model.name": recording}))
    code, output = demo.run("--live")
    check(code == 0 and "A real model answers" in output and "540 cents" in output, output)


def a_build_says_that_it_builds(program, nvim):
    demo = Demo(program, nvim)
    demo.program("cmake", "exit 0\n")
    said = subprocess.run(["sh", "-c", ". tests/setup.sh; setup_build release bodkin; setup_build release"], cwd=demo.top, env=demo.env,
                          capture_output=True, text=True).stderr
    check(said.count("Building build/release (") == 2 and "compiles the grammars" in said, said)
    # On a terminal it says how far it is: the compiler goes on once that was seen.
    demo.program("cmake", "echo '[3/9] Building CXX object a.o'; while [ ! -e seen ]; do sleep 0.1; done\n")
    ours, theirs = pty.openpty()
    build = subprocess.Popen(["sh", "-c", ". tests/setup.sh; setup_build release bodkin"], cwd=demo.top, env=demo.env,
                             stderr=theirs, stdout=subprocess.DEVNULL)
    os.close(theirs)
    said = b""
    while b"[3/9] Building CXX object a.o  " not in said and select.select([ours], [], [], 30)[0]:
        said += os.read(ours, 4096)
    (demo.top / "seen").touch()
    check(b"[3/9] Building CXX object a.o  " in said, repr(said))
    check(build.wait(30) == 0, "the build failed")
    os.close(ours)


TESTS = [a_reader_that_ends_ends_it, the_interactive_part_asks_for_no_enter, a_clangd_that_hangs_is_ended, a_folder_where_no_program_runs_is_named,
         what_a_model_writes_does_not_reach_the_terminal, a_live_model_is_the_one_of_the_settings, a_build_says_that_it_builds,
         an_error_in_a_step_ends_it, an_error_in_a_callback_ends_it, an_error_in_the_configuration_ends_it,
         a_syntax_error_ends_it, a_clangd_that_dies_ends_it, a_clangd_that_is_missing_is_named,
         a_program_that_does_not_start_ends_it, a_program_that_dies_in_the_middle_ends_it, an_unusable_model_ends_it,
         an_interrupt_ends_it_with_all_that_it_started]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program, editors = os.path.abspath(sys.argv[1]), ["nvim"] + [os.path.abspath(each) for each in sys.argv[2:]]
    tests = [(shows_the_whole_way, each) for each in editors] + [(test, editors[-1]) for test in TESTS]
    failed = 0

    def attempt(pair):
        test, nvim = pair
        name = "%s (%s)" % (test.__name__.replace("_", " "), os.path.relpath(nvim, TOP) if "/" in nvim else nvim)
        try:
            test(program, nvim)
            return True, "ok    " + name
        except Failure as failure:
            return False, "FAIL  %s: %s" % (name, failure)

    with ThreadPoolExecutor(4) as pool:  # the demo mostly waits, so that a person can read along
        for passed, line in pool.map(attempt, tests):
            failed += not passed
            print(line, flush=True)
    print("%d passed, %d failed, 0 skipped" % (len(tests) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
