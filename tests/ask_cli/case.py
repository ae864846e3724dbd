"""What the tests of `bodkin ask` share: a folder with a played model, and a terminal."""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

from cli_support import TEXT, check, turn


class Case:
    def __init__(self, program, folder):
        self.program, self.home = program, folder
        self.root = folder / "work"
        (self.root / "sub").mkdir(parents=True)
        self.put("a.c", TEXT)
        subprocess.run(["git", "init", "-q", self.root], check=True)
        self.settings()
        self.environment = {"HOME": str(folder), "PATH": os.environ["PATH"], "TERM": "xterm", "LANG": "C.UTF-8"}

    def put(self, name, text):
        (self.root / name).write_text(text)

    def get(self, name="a.c"):
        return (self.root / name).read_text()

    def settings(self, **values):
        folder = self.home / ".config/bodkin"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "settings.json").write_text(json.dumps({"verify.servers": {"*": {"command": []}}, **values}))

    def command(self, turns, *words):
        (self.home / "replay.json").write_text(json.dumps({"name": "test", "turns": turns}))
        return [self.program, "ask", "--provider", "replay", "--model", str(self.home / "replay.json"), *words]

    def run(self, turns, *words, folder=None, stdin=b""):
        done = subprocess.run(self.command(turns, *words), cwd=folder or self.root, env=self.environment,
                              input=stdin, capture_output=True, timeout=60)
        done.out, done.err = done.stdout.decode(), done.stderr.decode()
        return done

    def terminal(self, turns, *words, columns=80, **environment):
        return self.start(self.command(turns, *words), columns, **environment)

    def start(self, command, columns=80, **environment):
        return Terminal(command, self.root, dict(self.environment, **environment), columns)


class Terminal:
    """A program in a terminal of its own."""

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
        end = time.monotonic() + 30
        while wanted not in self.text:
            check(time.monotonic() < end, "%r did not come; there is %r" % (wanted, self.text))
            if select.select([self.fd], [], [], 1)[0]:
                try:
                    data = os.read(self.fd, 4096)
                except OSError:
                    data = b""
                check(data, "it ended before %r; there is %r" % (wanted, self.text))
                self.text += data.decode(errors="replace")
        before, self.text = self.text.split(wanted, 1)
        return before + wanted

    def type(self, keys):
        os.write(self.fd, keys.encode())

    def end(self):
        limit = time.monotonic() + 30
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


def without_progress(text):
    """What stays on the screen."""
    return re.sub("\r\x1b\\[K(?:\x1b\\[2m[^\x1b]*\x1b\\[0m)?", "", text)


QUESTION = "[a]pply, choose [h]unks, [r]efine, [v]iew, or [d]iscard? "


COMMAND = turn("Now the tests.", [{"name": "run_command", "arguments": {"command": "make test"}}])


def text_of(file):
    try:
        return file.read_text()
    except OSError:
        return ""


def history(of, *words):
    done = subprocess.run([of.program, "history", *words], env=of.environment, capture_output=True, timeout=60)
    check(done.returncode == 0, done.stderr.decode())
    return done.stdout.decode()
