"""A client of `bodkin mcp` for the tests: it starts the program, speaks either era, and checks the shape of every message
that comes back. MCP_SCHEMAS=FOLDER also validates results against the published schemas there (mcp-VERSION.schema.json;
needs python3-jsonschema).
"""
import fcntl
import json
import os
import queue
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from cli_support import check  # noqa: E402

MODERN, LEGACY = "2026-07-28", "2025-11-25"
KEY = "io.modelcontextprotocol/"
LONG = 60  # seconds: for what must come

# The members of a result: (name, type, whether it must be there).
RESULTS = {
    "initialize": [("protocolVersion", str, True), ("capabilities", dict, True), ("serverInfo", dict, True),
                   ("instructions", str, False)],
    "server/discover": [("supportedVersions", list, True), ("capabilities", dict, True), ("instructions", str, False),
                        ("ttlMs", int, True), ("cacheScope", str, True)],
    "tools/list": [("tools", list, True), ("ttlMs", int, False), ("cacheScope", str, False)],
    "tools/call": [("content", list, True), ("isError", bool, False)],
    "ping": [],
}
NAMES = {"initialize": "InitializeResult", "server/discover": "DiscoverResult", "tools/list": "ListToolsResult",
         "tools/call": "CallToolResult"}


def check_result(method, modern, result):
    check(isinstance(result, dict), "%s: the result is no object: %r" % (method, result))
    check(result.get("resultType") in (("complete", "input_required") if modern else (None,)),
          "%s: resultType %r" % (method, result.get("resultType")))
    if modern:
        server = result["_meta"][KEY + "serverInfo"]
        check(server["name"] == "bodkin" and server["version"], repr(server))
    asks = result.get("resultType") == "input_required"
    members = [("inputRequests", dict, True), ("requestState", str, False)] if asks else RESULTS[method]
    for name, kind, must in members:
        check(name in result or not must, "%s: there is no %s: %r" % (method, name, result))
        check(isinstance(result.get(name, kind()), kind), "%s: %s is %r" % (method, name, result.get(name)))
    known = {name for name, _, _ in members} | ({"_meta", "resultType"} if modern else set())
    check(set(result) <= known, "%s: unknown members in %r" % (method, sorted(result)))
    if method == "tools/list" and modern:
        check(result["ttlMs"] > 0 and result["cacheScope"] == "public", repr(result)[:200])
    for part in result.get("content", []):
        check(set(part) == {"type", "text"} and part["type"] == "text", repr(part))
        check(part["text"] and len(part["text"].encode()) < 8000, "%d bytes" % len(part["text"]))
    validate("InputRequiredResult" if asks else NAMES.get(method), MODERN if modern else LEGACY, result)


def validate(name, version, value):
    transcript = os.environ.get("MCP_TRANSCRIPT")  # for schema.sh
    if transcript and name:
        with open(transcript, "a", encoding="utf-8") as out:
            out.write(json.dumps({"name": name, "version": version, "value": value}) + "\n")
    folder = os.environ.get("MCP_SCHEMAS")
    if not folder or not name:
        return
    import jsonschema
    with open(os.path.join(folder, "mcp-%s.schema.json" % version), encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator({"$ref": "#/$defs/" + name, "$defs": schema["$defs"]}).validate(value)


class Server:
    """One process. Its folder is its working folder."""

    def __init__(self, program, root, *arguments, env=None, cwd=None):
        self.process = subprocess.Popen([program, "mcp", *arguments], cwd=cwd or root, env={**os.environ, **(env or {})},
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines, self.said, self.next_id = queue.Queue(), [], 0
        self.modern, self.capabilities = False, {}
        self.errors = b""
        self.threads = [threading.Thread(target=self._read, daemon=True), threading.Thread(target=self._read_errors, daemon=True)]
        for thread in self.threads:
            thread.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def _read_errors(self):
        self.errors = self.process.stderr.read()

    def raw(self, data):
        self.process.stdin.write(data if isinstance(data, bytes) else data.encode())
        self.process.stdin.flush()

    def send(self, **message):
        self.raw(json.dumps({"jsonrpc": "2.0", **message}) + "\n")

    def notify(self, method, **params):
        self.send(method=method, params=params)

    def ask(self, method, params=None, modern=None):
        """Sends a request and returns its id."""
        self.next_id += 1
        params = dict(params or {})
        if self.modern if modern is None else modern:
            params["_meta"] = {KEY + "protocolVersion": MODERN, KEY + "clientCapabilities": self.capabilities,
                               KEY + "clientInfo": {"name": "tests", "version": "1"}, **params.get("_meta", {})}
        self.send(id=self.next_id, method=method, params=params)
        return self.next_id

    def message(self):
        """The next one, whatever it is; None: the output has ended."""
        line = self.lines.get(timeout=LONG)
        if line is None:
            return None
        check(line.endswith(b"\n"), "half a line: %r" % line[-200:])
        message = json.loads(line)
        check(message.get("jsonrpc") == "2.0", repr(message))
        self.said.append(message)
        return message

    def answer(self, id):
        """The response to a request; what comes before it is kept in `said`."""
        for message in self.said:
            if message.get("id") == id and "method" not in message:
                return message
        while True:
            message = self.message()
            check(message is not None, "the server has ended: %s" % self.errors.decode()[-2000:])
            if message.get("id") == id and "method" not in message:
                return message

    def request(self, method, params=None, modern=None):
        is_modern = self.modern if modern is None else modern
        reply = self.answer(self.ask(method, params, modern))
        check("result" in reply, "%s: %r" % (method, reply))
        check_result(method, is_modern, reply["result"])
        return reply["result"]

    def error(self, method, params=None, modern=None):
        reply = self.answer(self.ask(method, params, modern))
        check(set(reply) == {"jsonrpc", "id", "error"} and reply["error"]["message"], "no error: %r" % reply)
        return reply["error"]

    def initialize(self, version=LEGACY, capabilities=None):
        result = self.request("initialize", {"protocolVersion": version, "capabilities": capabilities or {},
                                             "clientInfo": {"name": "tests", "version": "1"}}, modern=False)
        self.notify("notifications/initialized")
        return result

    def start_call(self, tool, arguments, **more):
        return self.ask("tools/call", {"name": tool, "arguments": arguments, **more})

    def finished(self, id):
        reply = self.answer(id)
        check("result" in reply, repr(reply))
        check_result("tools/call", self.modern, reply["result"])
        return reply["result"]["content"][0]["text"], reply["result"].get("isError", False)

    def call(self, tool, **arguments):
        """(text, whether it is an error)"""
        return self.finished(self.start_call(tool, arguments))

    def done(self, tool, **arguments):
        text, failed = self.call(tool, **arguments)
        check(not failed, "%s failed: %s" % (tool, text))
        return text

    def refused(self, tool, **arguments):
        text, failed = self.call(tool, **arguments)
        check(failed, "%s was not refused: %s" % (tool, text))
        return text

    def close(self):
        """Ends the input. Returns the exit code; an end that takes much longer than a second is a failure."""
        begun = time.monotonic()
        self.process.stdin.close()
        code = self.process.wait(LONG)
        took = time.monotonic() - begun
        for thread in self.threads:
            thread.join()
        self.process.stdout.close()
        self.process.stderr.close()
        check(took < 10, "the end took %.1f s" % took)  # a second, on a machine that does nothing else
        check(b"Sanitizer" not in self.errors and b"runtime error" not in self.errors, self.errors.decode()[:3000])
        return code


class Case:
    def __init__(self, program, root):
        self.program, self.root = program, root
        self.servers = []

    def path(self, name):
        return os.path.join(self.root, name)

    def put(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as out:
            out.write(text if isinstance(text, bytes) else text.encode())

    def get(self, name):
        with open(self.path(name), "rb") as file:
            return file.read().decode()

    def server(self, *arguments, modern=False, capabilities=None, **more):
        """A server that has been greeted in its era."""
        server = Server(self.program, self.root, *arguments, **more)
        self.servers.append(server)
        server.modern, server.capabilities = modern, capabilities or {}
        if not modern:
            server.initialize(capabilities=capabilities)
        return server

    def close(self):
        for server in self.servers:
            if server.process.poll() is None:
                server.process.kill()
            server.process.wait(LONG)

    def state(self):
        return os.path.join(os.environ["XDG_STATE_HOME"], "bodkin", "apply")

    def lock(self):
        """Holds the root's lock, as another process that writes does. Close the result to let it go."""
        number = 0xcbf29ce484222325
        for byte in self.root.encode():
            number = ((number ^ byte) * 0x100000001b3) & 0xffffffffffffffff
        os.makedirs(self.state(), mode=0o700, exist_ok=True)
        for folder in (os.path.dirname(self.state()), self.state()):
            os.chmod(folder, 0o700)
        file = open(os.path.join(self.state(), "%016x.lock" % number), "w")
        os.chmod(file.name, 0o600)
        fcntl.flock(file, fcntl.LOCK_EX)
        return file
