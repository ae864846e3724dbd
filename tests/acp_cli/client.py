"""An editor that speaks the Agent Client Protocol, with the quirks that editors have, for run.py."""
import json
import os
import pathlib
import queue
import subprocess
import threading

from cli_support import check

WAIT = 60  # seconds, for what hangs


class Editor:
    """Files: `buffers` has text that is not saved. What it answers is up to `answers`: method -> function(params)
    -> result; None: it never answers; an Exception: an error."""

    def __init__(self, command, folder, environment, **can):
        self.log = []  # all messages, in order: ("in" | "out", message)
        self.buffers, self.asked, self.answers = {}, [], {}
        self.child = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.incoming, self.next, self.held = queue.Queue(), 1, []
        self.errors = []
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=lambda: self.errors.append(self.child.stderr.read()), daemon=True).start()
        self.can = can

    def _read(self):
        for line in self.child.stdout:
            self.incoming.put(line)
        self.incoming.put(None)

    def send_bytes(self, data):
        self.child.stdin.write(data)
        self.child.stdin.flush()

    def send(self, message):
        self.log.append(("out", message))
        self.send_bytes(json.dumps(message).encode() + b"\n")

    def notify(self, method, **params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method, **params):
        """Sends it and returns its id."""
        number = self.next
        self.next += 1
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def step(self):
        """Takes one message, and answers it if it is a request."""
        try:
            line = self.incoming.get(timeout=WAIT)
        except queue.Empty:
            raise AssertionError("nothing came; the last messages: %s" % self.log[-4:]) from None
        check(line is not None, "it ended; stderr: %s" % self.errors)
        message = json.loads(line)
        check(message.get("jsonrpc") == "2.0", "not JSON-RPC: %s" % message)
        self.log.append(("in", message))
        if "method" in message and "id" in message:
            self.answer(message)
        return message

    def answer(self, message):
        method, params = message["method"], message["params"]
        self.asked.append((method, params))
        answer = self.answers.get(method) or getattr(self, method.replace("/", "_"), None)
        if answer is None:
            return self.send({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "no"}})
        try:
            result = answer(params)
        except Exception as error:  # as the test wants it
            return self.send({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32603, "message": str(error)}})
        if result is None:
            return self.held.append(message["id"])
        self.send({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def until(self, wanted):
        """Takes messages up to one for which wanted(message) holds, and returns that."""
        while True:
            message = self.step()
            if wanted(message):
                return message

    def result(self, number, error=False):
        message = self.until(lambda m: m.get("id") == number and "method" not in m)
        if error:
            check("error" in message, "no error: %s" % message)
            return message["error"]
        check("result" in message, "an error: %s" % message)
        return message["result"]

    def call(self, method, **params):
        return self.result(self.request(method, **params))

    # What it does if a test says nothing else.
    def fs_read_text_file(self, params):
        path = params["path"]
        if path in self.buffers:
            return {"content": self.buffers[path]}
        return {"content": pathlib.Path(path).read_bytes().decode().replace("\r\n", "\n")}

    def fs_write_text_file(self, params):
        self.buffers.pop(params["path"], None)
        pathlib.Path(params["path"]).write_bytes(params["content"].encode())
        return {}

    def session_request_permission(self, params):
        return {"outcome": {"outcome": "selected", "optionId": params["options"][0]["optionId"]}}

    # Whole turns.
    def start(self, name="test", **can):
        self.call("initialize", protocolVersion=1, clientCapabilities=can or self.can,
                  clientInfo={"name": name, "version": "1"})
        return self

    def new(self, cwd, **more):
        result = self.call("session/new", **{"cwd": str(cwd), "mcpServers": [], **more})
        self.session = result["sessionId"]
        return result

    def prompt(self, *blocks):
        blocks = [{"type": "text", "text": each} if isinstance(each, str) else each for each in blocks]
        return self.request("session/prompt", sessionId=self.session, prompt=blocks)

    def turn(self, *blocks):
        """The stop reason."""
        return self.result(self.prompt(*blocks))["stopReason"]

    def updates(self, kind=None):
        all_of = [m["params"]["update"] for way, m in self.log if way == "in" and m.get("method") == "session/update"]
        return [each for each in all_of if kind in (None, each["sessionUpdate"])]

    def words(self, kind="agent_message_chunk"):
        return "".join(each["content"]["text"] for each in self.updates(kind))

    def permissions(self):
        return [params for method, params in self.asked if method == "session/request_permission"]

    def end(self):
        """Closes its input; returns the exit code, which must come within a few seconds."""
        self.child.stdin.close()
        return self.child.wait(timeout=10)

    def kill(self):
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()


def environment_of(home):
    return {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
