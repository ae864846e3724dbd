"""What the tests of `bodkin ask` share: a folder with a played model, and a terminal."""
import json
import os
import re
import subprocess

from cli_support import TEXT, Terminal, check, turn


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
