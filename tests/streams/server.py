"""What the tests of models share: bodkin as a program, model servers on loopback, a tally.

    Answer   what `bodkin complete` made of a request; ask() is an ask in the editor
    Player   plays recordings (HTTP, chunked at the recorded places)
    Raw      hands a connection to a function that may do anything with it
"""
import gzip
import json
import os
import pathlib
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "transcripts"))  # both folders have a run.py
from run import Failure, Server as Editor  # noqa: E402, F401

sys.path.pop(0)

KEY = "sk-planted-0123456789-never-shown"
KEY_ENV = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY", "openai-chat": "OPENAI_API_KEY",
           "openai-responses": "OPENAI_API_KEY", "openai-compatible": "OPENAI_API_KEY", "gemini": "GEMINI_API_KEY",
           "ollama": "OLLAMA_API_KEY", "azure": "AZURE_OPENAI_API_KEY", "azure-responses": "AZURE_OPENAI_API_KEY", "mistral": "MISTRAL_API_KEY",
           "openrouter": "OPENROUTER_API_KEY", "deepseek": "DEEPSEEK_API_KEY", "groq": "GROQ_API_KEY"}
TOOL = {"name": "read_file", "description": "Reads a file",
        "parameters": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}}
REQUEST = {"model": "test-model", "system": "Be brief.", "messages": [{"role": "user", "content": "Read a.cpp"}],
           "tools": [TOOL]}

# What a stream of each dialect begins with, and a whole reply that says "ok".
TEXT = {
    "anthropic": (b'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":3,"output_tokens":1}}}\n\n'
                  b'data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n'
                  b'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ok"}}\n\n',
                  b'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}\n\n'
                  b'data: {"type":"message_stop"}\n\n'),
    "openai-chat": (b'data: {"choices":[{"index":0,"delta":{"content":"ok"}}]}\n\n',
                    b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'),
    "openai-responses": (b'data: {"type":"response.output_text.delta","output_index":0,"delta":"ok"}\n\n',
                         b'data: {"type":"response.completed","response":{"status":"completed","output":[],"usage":{}}}\n\n'),
    "gemini": (b'data: {"candidates":[{"content":{"parts":[{"text":"ok"}]}}]}\r\n\r\n',
               b'data: {"candidates":[{"finishReason":"STOP"}]}\r\n\r\n'),
    "ollama": (b'{"message":{"role":"assistant","content":"ok"},"done":false}\n',
               b'{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}\n'),
}


def environment(keys=(), **more):
    """The caller's, without any of its keys, addresses and settings."""
    made = {k: v for k, v in os.environ.items()
            if not k.endswith(("_API_KEY", "_BASE_URL", "_HOST", "_AUTH_TOKEN")) and "proxy" not in k.lower()}
    made["XDG_CONFIG_HOME"] = made["XDG_STATE_HOME"] = made["HOME"] = "/nonexistent"
    made.update({KEY_ENV[name]: KEY for name in keys})
    made.update(more)
    return made


class Answer:
    """What `bodkin complete` made of a request."""

    def __init__(self, bodkin, provider, endpoint, request=REQUEST, options=(), env=None, timeout=60):
        arguments = [bodkin, "complete", "--provider", provider, *(["--endpoint", endpoint] if endpoint else []), *options]
        begin = time.monotonic()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=out, stderr=err,
                                       env=environment([provider]) if env is None else env)
            try:
                process.stdin.write(json.dumps(request).encode())
                process.stdin.close()
            except BrokenPipeError:
                pass
            self.peak_mb = self.wait(process, timeout)
            out.seek(0), err.seek(0)
            self.stdout, self.stderr = out.read().decode(), err.read().decode()
        self.code, self.seconds = process.returncode, time.monotonic() - begin
        self.reply = json.loads(self.stdout) if self.stdout.strip() else None
        self.error = (self.reply or {}).get("error") or {}

    @staticmethod
    def wait(process, timeout):
        """Its greatest memory in MB. After the timeout it is killed, and its return code tells."""
        peak, end = 0, time.monotonic() + timeout
        while process.poll() is None:
            peak = max(peak, peak_mb(process.pid))
            if time.monotonic() > end:
                process.kill()
            time.sleep(0.01)
        return peak


def peak_mb(pid):
    """The greatest memory of a program that runs. Not rusage: that counts what this one was before it became the other."""
    try:
        with open(f"/proc/{pid}/status") as status:
            return max((int(line.split()[1]) for line in status if line.startswith("VmHWM")), default=0) / 1024
    except OSError:
        return 0


def ask(bodkin, folder, dialect, endpoint, **request):
    """How an ask in an editor of its own ended, and the server's greatest memory in MB."""
    os.environ.update({name: KEY for name in KEY_ENV.values()})
    editor = Editor(bodkin, str(folder))
    try:
        editor.request("initialize", {"processId": None, "rootUri": pathlib.Path(folder).as_uri(),
                                      "capabilities": {"experimental": {"bodkin": {"proposals": True}}},
                                      "initializationOptions": {"model": {"provider": dialect, "name": "m", "endpoint": endpoint}}})
        editor.notify("initialized", {})
        editor.send({"jsonrpc": "2.0", "id": 99, "method": "workspace/executeCommand",
                     "params": {"command": "bodkin.ask", "arguments": [request]}})
        while (message := editor.next(60)).get("method") != "bodkin/didEndAsk":
            pass
        return message["params"], peak_mb(editor.process.pid)
    finally:
        editor.kill()


class Recorded(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.send_response(404)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        _, dialect, case = self.path.split("?")[0].split("/")[:3]
        if (dialect, case) not in self.server.cases:
            return self.do_GET()
        folder, manifest = self.server.cases[dialect, case]
        with self.server.lock:
            seen = self.server.seen.setdefault((dialect, case), [])
            seen.append({"time": time.time(), "path": self.path, "body": json.loads(body), "headers": dict(self.headers)})
            response = manifest["responses"][min(len(seen), len(manifest["responses"])) - 1]
        data = (response["body"].encode("utf-8", "surrogateescape") if "body" in response else
                (folder / dialect / response["body_file"]).read_bytes())
        data = data.replace(b"$KEY", KEY.encode())
        if response["headers"].get("content-encoding") == "gzip":
            data = gzip.compress(data)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.send_response(response["status"])
        for name, value in response["headers"].items():
            self.send_header(name, str(value))
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        splits = response.get("splits", [])
        cuts = [0, *(range(1, len(data)) if splits == "bytes" else splits), len(data)]
        try:
            for begin, end in zip(cuts, cuts[1:]):
                if end > begin:
                    self.wfile.write(b"%x\r\n%s\r\n" % (end - begin, data[begin:end]))
            if response.get("close", "normal") == "normal":
                self.wfile.write(b"0\r\n\r\n")
            elif response["close"] == "reset":
                time.sleep(0.03)
                reset(self.connection)
                self.close_connection = True
            else:
                self.connection.recv(1)
                self.close_connection = True
        except OSError:
            self.close_connection = True


class Player(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, folder=None):
        super().__init__(("127.0.0.1", 0), Recorded)
        self.lock, self.seen, self.cases = threading.Lock(), {}, {}
        if folder:
            self.load(folder)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def load(self, folder):
        self.seen = {}
        self.cases = {(p.parent.name, p.stem): (folder, json.loads(p.read_text()))
                      for p in sorted(folder.glob("*/*.json")) if not p.name.endswith(".body.json")}

    def handle_error(self, *_):  # clients that hang up are part of the play
        pass

    def endpoint(self, dialect, case):
        return f"http://127.0.0.1:{self.server_address[1]}/{dialect}/{case}"


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def read_request(connection):
    """The head and the body, as bytes and JSON."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            return data, None
        data += more
    head, body = data.split(b"\r\n\r\n", 1)
    length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n")
                   if line.lower().startswith(b"content-length:")), 0)
    while len(body) < length:
        more = connection.recv(65536)
        if not more:
            break
        body += more
    return head, json.loads(body) if body else None


def head(status="200 OK", type_="text/event-stream", *more):
    lines = [f"HTTP/1.1 {status}", f"content-type: {type_}", "connection: close", *more]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


class Raw:
    """A server whose answers are made by `serve(connection, head, body)`; `requests` has what was asked."""

    def __init__(self, serve, wrap=None, read=True, port=0):
        self.serve, self.wrap, self.read, self.requests = serve, wrap, read, []
        self.listener = socket.create_server(("127.0.0.1", port))
        self.port = self.listener.getsockname()[1]
        self.endpoint = f"http://127.0.0.1:{self.port}"
        self.closed_at = None  # when a client was seen to hang up
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.run, args=(connection,), daemon=True).start()

    def run(self, connection):
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.wrap:
                connection = self.wrap(connection)
            request, body = read_request(connection) if self.read else (b"", None)
            self.requests.append((request, body))
            self.serve(connection, request, body)
        except (OSError, ValueError):
            self.closed_at = time.monotonic()
        finally:
            try:
                connection.close()
            except OSError:
                pass

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)  # its port is free at once
        self.listener.close()


class Tally:
    """Counts, says what failed, and prints the sum as its last line."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def add(self, name, wrong):
        self.passed += not wrong
        self.failed += bool(wrong)
        for line in wrong:
            print(f"FAIL {name}: {line}", flush=True)

    def skip(self, name, why):
        self.skipped += 1
        print(f"SKIP {name}: {why}")

    def end(self):
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        sys.exit(1 if self.failed else 0)


def program():
    return str(pathlib.Path(sys.argv[1]).resolve())
