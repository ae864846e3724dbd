#!/usr/bin/env python3
"""Runs the protocol transcripts and the abuse tests against the real program.

    python3 tests/transcripts/run.py BODKIN [PART_OF_A_NAME…] [-NAME…]      of a test, or of the file that it is in

A transcript (*.txt) is a conversation with the server:

    # a comment
    --> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}     sent to the server
    <-- {"id":1,"result":{{*}}}                                        must come next
    <-- notification textDocument/publishDiagnostics {{*}}             messages may be looked for:
    ~~> garbage                                                        sent as it is (\\r\\n written out)
    file a.c                                                           makes a file of the lines below,
    | int x;                                                           in the workspace
    exit 0                                                             the program ends with this code

`{{*}}` stands for any value, an object with the member "{{*}}" for one that may have more members.
"{{ROOT}}" is the workspace's URI; proposals are "p1", "p2" …, without the part of their ids that
differs in each run. Messages that no line looked at fail the transcript, but for
those that a line `ignore METHOD` names and $/bodkin/status, which may be dropped.
"""
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import queue

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.dirname(HERE))
from cli_support import Failure, run_all  # noqa: E402, F401

PATIENCE = 60  # seconds; only a failure ever waits for it
# What is tested without language servers of ours gives the same on every machine; a test of them has its own settings.
NO_SERVERS = {"bodkin.verify.servers": {"*": {"command": []}}}
CONFIG = tempfile.TemporaryDirectory()
os.chmod(CONFIG.name, 0o755)  # for servers of another user, too
os.mkdir(CONFIG.name + "/bodkin")
with open(CONFIG.name + "/bodkin/settings.json", "w") as settings:
    json.dump(NO_SERVERS, settings)


class Server:
    """The program, with its messages in a queue."""

    def __init__(self, program, folder, arguments=(), home=None, environment=os.environ, state=None):
        home = home or folder
        own = home + "/.config"
        environment = dict(environment, HOME=home,
                           XDG_CONFIG_HOME=own if os.path.exists(own + "/bodkin") else CONFIG.name,
                           XDG_CACHE_HOME=home + "/.cache", XDG_STATE_HOME=state or home + "/.state")
        self.process = subprocess.Popen([program, *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        cwd=folder, env=environment)
        self.messages = queue.Queue()
        self.errors = []
        threading.Thread(target=self._read, daemon=True).start()
        self._drain = threading.Thread(target=self._read_errors, daemon=True)
        self._drain.start()
        self.next_id = 1
        self.texts = {}

    def _read(self):
        stream = self.process.stdout
        while True:
            length = None
            while True:
                line = stream.readline()
                if not line:
                    self.messages.put(None)
                    return
                if line == b"\r\n":
                    break
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            self.messages.put(json.loads(stream.read(length)))

    def _read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line.decode("utf-8", "replace"))

    def raw(self, data):
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def send(self, message):
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def next(self, patience=PATIENCE):
        try:
            return self.messages.get(timeout=patience)
        except queue.Empty:
            raise Failure("the server says nothing")

    def request(self, method, params):
        """Sends a request and returns its answer; what came before it goes to `handle`."""
        return self.answer(self.begin(method, params))

    def begin(self, method, params):
        """Sends a request, and returns its number."""
        number = self.next_id
        self.next_id += 1
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def answer(self, number):
        while True:
            message = self.next()
            if message is None:
                raise Failure("the server ended instead of answering request %d" % number)
            if message.get("id") == number and "method" not in message:
                return message
            self.handle(message)

    def handle(self, message):
        """For whoever looks at other messages than answers; here they are thrown away."""

    def notify(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def wait(self, patience=PATIENCE):
        try:
            code = self.process.wait(timeout=patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failure("the server does not end")
        self._drain.join(5)
        text = "".join(self.errors)
        if "Sanitizer" in text or "runtime error" in text:
            raise Failure("a sanitizer complained:\n" + text[:4000])
        return code

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


ANY = "{{*}}"


def matches(wanted, given):
    if wanted == ANY:
        return True
    if isinstance(wanted, dict):
        if not isinstance(given, dict):
            return False
        if ANY not in wanted and set(wanted) != set(given):
            return False
        return all(key in given and matches(value, given[key])
                   for key, value in wanted.items() if key != ANY)
    if isinstance(wanted, list):
        return (isinstance(given, list) and len(wanted) == len(given)
                and all(map(matches, wanted, given)))
    if isinstance(wanted, str) and isinstance(given, str) and ANY in wanted:
        pattern = ".*".join(re.escape(part) for part in wanted.split(ANY))
        return re.fullmatch(pattern, given, re.S) is not None
    return wanted == given and isinstance(wanted, bool) == isinstance(given, bool)


def parse_message(text, values):
    text = text.strip()
    for name, value in values.items():
        text = text.replace("{{" + name + "}}", value)
    # A bare {{*}} is a value or, in an object, "and more".
    text = re.sub(r'(?<!")\{\{\*\}\}(?=\s*\})(?<=[,{]\{\{\*\}\})', '"{{*}}":0', text)
    text = re.sub(r'(?<!["\w ])\{\{\*\}\}(?!")', '"{{*}}"', text)
    return json.loads(text)


def without_run(message, values):
    """Proposals without the part of their ids that the run has; it is kept for what is sent."""
    def short(match):
        values["run"] = match[2]
        return match[1]
    return json.loads(re.sub(r"\b(p\d+)-([0-9a-z]{10})\b", short, json.dumps(message)))


def with_run(message, values):
    if "run" not in values:
        return message
    return json.loads(re.sub(r'\b(p\d+)(?=["./])', r"\1-" + values["run"], json.dumps(message)))


def run_transcript(program, path):
    lines = open(path, encoding="utf-8").read().split("\n")
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        values = {"ROOT": "file://" + folder}
        ignored = {"$/bodkin/status"}
        server, file = None, None
        try:
            for number, line in enumerate(lines, 1):
                where = "%s:%d: " % (os.path.basename(path), number)
                if line.startswith("| ") or line == "|":
                    with open(file, "a", encoding="utf-8") as out:
                        out.write(line[2:] + "\n")
                    continue
                if not line.strip() or line.startswith("#"):
                    continue
                word, _, rest = line.partition(" ")
                if word == "file":
                    file = os.path.join(folder, rest)
                    os.makedirs(os.path.dirname(file), exist_ok=True)
                    open(file, "w").close()
                    continue
                if word == "ignore":
                    ignored.add(rest.strip())
                    continue
                server = server or Server(program, folder)
                try:
                    if word == "-->":
                        server.send(with_run(parse_message(rest, values), values))
                    elif word == "~~>":
                        server.raw(rest.encode().decode("unicode_escape").encode("latin-1"))
                    elif word == "end":
                        server.process.stdin.close()
                    elif word == "<--":
                        wanted = parse_message(rest, values)
                        wanted.setdefault("jsonrpc", "2.0")
                        while True:
                            got = server.next()
                            if got is None:
                                raise Failure("the server ended")
                            got = without_run(got, values)
                            if got.get("method") not in ignored or matches(wanted, got):
                                break
                        if not matches(wanted, got):
                            raise Failure("came: " + json.dumps(got, ensure_ascii=False))
                        if "id" in got and "method" in got:
                            values["ASKED"] = json.dumps(got["id"])
                    elif word == "exit":
                        code = server.wait()
                        if code != int(rest):
                            raise Failure("exit code %d" % code + "".join(server.errors))
                    else:
                        raise Failure("not a line of a transcript: " + line)
                except Failure as failure:
                    raise Failure(where + str(failure))
            if server and server.process.poll() is None:
                server.process.stdin.close()
                server.wait()
            while server and not server.messages.empty():
                left = server.messages.get()
                if left is not None and left.get("method") not in ignored:
                    raise Failure("nobody looked at: " + json.dumps(left))
        finally:
            if server:
                server.kill()


def main():
    program = os.path.abspath(sys.argv[1])
    wanted = [part.replace("_", " ") for part in sys.argv[2:] if not part.startswith("-")]
    without = {part[1:].replace("_", " ") for part in sys.argv[2:] if part.startswith("-")}
    sys.path.insert(0, HERE)
    tests = [(name, run_transcript, os.path.join(HERE, name), name)
             for name in sorted(os.listdir(HERE)) if name.endswith(".txt")]
    for file in ("abuse", "clients", "client_files", "indexing", "asks", "replies", "commands", "places", "file_encodings", "trust", "run_commands", "shell_profile",
                 "conversations", "mentions", "mcp", "mcp_http", "modes", "window", "history", "shared_history", "verdict", "predictions"):
        tests += [(name, test, None, file + ".py") for name, test in importlib.import_module(file).tests()]
    chosen = {name: (test, path) for name, test, path, file in tests if not without & {name.replace("_", " "), file.replace("_", " ")} and (not wanted
              or any(part in words.replace("_", " ") for part in wanted for words in (name, file)))}
    if not chosen:
        sys.exit("Neither a test nor a file of tests has %s in its name." % " or ".join(sys.argv[2:]))
    run_all(chosen, lambda each: each[0](program, each[1]) if each[1] else each[0](program))


if __name__ == "__main__":
    sys.modules["run"] = sys.modules["__main__"]
    main()
