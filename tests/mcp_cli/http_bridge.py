#!/usr/bin/env python3
"""An HTTP front of a stdio MCP server, for clients that speak HTTP only.

    python3 tests/mcp_cli/http_bridge.py COMMAND…

Prints its port and serves /mcp until its standard input ends. What a request causes before its answer (progress) comes
with it as an event stream. Every error of the server of 2026-07-28 has the HTTP status that this version wants.
"""
import http.server
import json
import queue
import subprocess
import sys
import threading

WAIT = 30  # seconds for an answer
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
STATUS = {-32022: 400, -32021: 400, -32602: 400, -32601: 404}


class Bridge:
    def __init__(self, command):
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lock, self.count, self.waiting, self.tokens = threading.Lock(), 0, {}, {}
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.child.stdout:
            message = json.loads(line)
            if "method" in message:
                heard = self.tokens.get(message.get("params", {}).get("progressToken"))
                if heard:
                    heard.put(message)
                continue
            heard, number = self.waiting.pop(message.get("id"), (None, None))
            if heard:
                heard.put({**message, "id": number})

    def send(self, message):
        with self.lock:
            self.child.stdin.write(json.dumps(message).encode() + b"\n")
            self.child.stdin.flush()

    def ask(self, message):
        """All messages up to the answer."""
        heard = queue.Queue()
        token = message.get("params", {}).get("_meta", {}).get("progressToken")
        with self.lock:
            self.count += 1
            number = self.count
            self.waiting[number] = heard, message["id"]
            if token is not None:
                self.tokens[token] = heard
        self.send({**message, "id": number})
        told = [heard.get(timeout=WAIT)]
        while "method" in told[-1]:
            told.append(heard.get(timeout=WAIT))
        return told


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, body=b"", kind="application/json"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.reply(405)

    do_DELETE = do_GET

    def do_POST(self):
        hosts = ("localhost", "127.0.0.1")
        origin = self.headers.get("Origin", "")
        is_ours = self.headers.get("Host", "").split(":")[0] in hosts
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not is_ours or (origin and not any(host in origin for host in hosts)):
            return self.reply(403)
        message = json.loads(body)
        if "id" not in message or "method" not in message:
            self.server.bridge.send(message)
            return self.reply(202)
        told = self.server.bridge.ask(message)
        error, status = told[-1].get("error"), 200
        if error and VERSION_KEY in message.get("params", {}).get("_meta", {}):
            status = STATUS.get(error["code"], 200)
        if len(told) == 1:
            return self.reply(status, json.dumps(told[0]).encode())
        events = "".join("event: message\ndata: %s\n\n" % json.dumps(each) for each in told)
        self.reply(status, events.encode(), "text/event-stream")


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.bridge = Bridge(sys.argv[1:])
    print(server.server_address[1], flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    server.bridge.child.stdin.close()


if __name__ == "__main__":
    main()
