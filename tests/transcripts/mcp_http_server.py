"""An MCP server by HTTP ("streamable HTTP"), for tests, in their process. The modes other than `good`, `streams` and
`modern` are of hostile or broken servers."""
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
META = "io.modelcontextprotocol/protocolVersion"
KEY = "key-of-the-person-1234"


def tool(name, description="", schema=TEXT):
    return {"name": name, "description": description, "inputSchema": schema}


class Played(ThreadingHTTPServer):
    """One server. `seen`: (verb, headers, message) of each request."""
    daemon_threads = True

    def __init__(self, mode="good"):
        super().__init__(("127.0.0.1", 0), Handler)
        self.mode, self.seen, self.sessions, self.closing = mode, [], 0, threading.Event()
        self.tools = [tool("echo", "Says it again."), tool("slow", "Takes long."), tool("bad", "Answers in a way of its own.")]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def settings(self, path="/mcp", **more):
        return dict({"url": "http://127.0.0.1:%d%s" % (self.server_address[1], path)}, **more)

    def methods(self):
        return [message.get("method", "answer") for verb, _, message in self.seen if verb == "POST"]

    def handle_error(self, *_):
        pass


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def plain(self, status, body=b"", kind="application/json", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if body:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def result(self, message, value, **headers):
        self.plain(200, json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": value}).encode(), **headers)

    def error(self, message, status, code, words, **data):
        self.plain(status, json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "error": dict({"code": code, "message": words}, **data)}).encode())

    def stream(self, *messages, end=True):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for message in messages:
            self.event(message)

    def event(self, message):
        self.wfile.write(b": a comment\nevent: message\ndata: " + json.dumps(dict({"jsonrpc": "2.0"}, **message)).encode() + b"\n\n")
        self.wfile.flush()

    def do_DELETE(self):
        self.server.seen.append(("DELETE", dict(self.headers), {}))
        self.plain(200)

    def do_POST(self):
        server = self.server
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server.seen.append(("POST", dict(self.headers), message))
        if "method" not in message or "id" not in message:
            return self.plain(202)
        method, mode = message["method"], server.mode
        if mode == "locked" and self.headers.get("Authorization") != "Bearer " + KEY:
            return self.plain(401, b"<p>Who are you?</p>", "text/html")
        if mode == "page":
            return self.plain(200, b"<!doctype html>", "text/html")
        if mode == "moved":
            return self.plain(307, Location="http://127.0.0.1:1/other")
        if mode == "mute":
            server.closing.wait(30)
            return None
        if mode == "modern" and (method == "initialize" or self.headers.get("MCP-Protocol-Version") != "2026-07-28"
                                 or self.headers.get("Mcp-Method") != method or META not in message["params"].get("_meta", {})):
            return self.error(message, 400, -32020, "Header mismatch")
        if method == "server/discover":
            if mode == "modern":
                return self.result(message, {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}},
                                             "ttlMs": 0, "cacheScope": "private"})
            return self.plain(400, b"Bad Request: no session", "text/plain")
        if method == "initialize":
            server.sessions += 1
            session = "x" * 2000 if mode == "session" else "s-%d" % server.sessions
            version = "2031-01-01" if mode == "strange" else "2025-06-18"
            return self.result(message, {"protocolVersion": version, "capabilities": {"tools": {"listChanged": True}},
                                         "serverInfo": {"name": "test", "version": "1"}}, Mcp_Session_Id=session)
        if mode != "modern" and self.headers.get("Mcp-Session-Id") != "s-%d" % server.sessions:
            return self.error(message, 400, -32000, "Bad Request: no valid session") if mode == "sdk" else self.plain(404)
        if method == "ping":
            return self.result(message, {})
        if method == "tools/list":
            tools = server.tools
            if mode == "many":
                tools = [tool("echo")] + [tool("t%d" % i, "x" * 200) for i in range(10000)]
            if mode == "modern":
                tools = tools + [tool("mirrored", "", {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}})]
            return self.result(message, {"tools": tools, "resultType": "complete"})
        if method == "tools/call":
            return self.call(message)
        return self.error(message, 200, -32601, "Method not found")

    def call(self, message):
        server = self.server
        name, arguments = message["params"]["name"], message["params"].get("arguments", {})
        answer = {"id": message["id"], "result": {"content": [{"type": "text", "text": arguments.get("text", "")}], "resultType": "complete"}}
        if name == "slow":
            self.stream({"id": 900, "method": "roots/list"}, {"id": "e", "method": "elicitation/create", "params": {"message": "Who?"}})
            token = message["params"]["_meta"]["progressToken"]
            for i in range(4):
                time.sleep(0.7)
                self.event({"method": "notifications/progress", "params": {"progressToken": token, "progress": i, "message": "part %d" % i}})
            server.tools.append(tool("added"))
            self.event({"method": "notifications/tools/list_changed"})
            return self.event(answer)
        if name == "bad":
            return self.bad(message, answer, arguments["text"])
        if server.mode == "streams":
            return self.stream(answer)
        return self.result(message, answer["result"])

    def bad(self, message, answer, how):
        server = self.server
        if how == "forgets":
            server.sessions += 1
            return self.plain(404)
        if how == "refuses":
            return self.error(message, 200, -32602, "No such thing, says " + self.headers.get("X-Key", ""))
        if how == "repeats":
            return self.result(message, {"content": [{"type": "text", "text": "You sent " + self.headers.get("X-Key", "")}]})
        if how == "dies":
            self.stream()
            self.wfile.write(b'data: {"jsonrpc":"2.0","id":%d,"resu' % message["id"])
        if how == "half":
            self.stream()
            self.wfile.write(b'data: {"jsonrpc":"2.0","id":%d,"result"}\n\n' % message["id"])
        if how == "other id":
            self.stream(dict(answer, id=message["id"] + 1), dict(answer, id=str(message["id"])), dict(answer, id=None))
        if how == "twice":
            other = dict(answer, result={"content": [{"type": "text", "text": "another"}]})
            self.stream(answer, other)
        if how == "huge":
            self.stream()
            for _ in range(20):
                self.wfile.write(b"data: " + b"x" * (1 << 20))
        if how == "flood":
            self.stream()
            data = b'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"data":"%s"}}\n\n' % (b"x" * 60000)
            while not server.closing.is_set():
                self.wfile.write(data)
        if how == "drips":
            self.stream()
            while not server.closing.is_set():
                self.wfile.write(b": still here\n\n")
                self.wfile.flush()
                server.closing.wait(0.1)
        if how == "asks":
            self.stream(*[{"id": i, "method": "roots/list"} for i in range(500)], answer)
        if how == "hangs":
            self.stream()
            server.closing.wait(30)
        return None
