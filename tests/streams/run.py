#!/usr/bin/env python3
"""Plays recorded model streams to `bodkin complete` and compares what it makes of them.

    run.py BODKIN [FOLDER...]      default: this folder, and $BODKIN_TRANSCRIPTS if it is set

A recording is FOLDER/<dialect>/<case>.json: `responses` (status, headers, body_file or body, splits, close),
and `expect` (text, thinking, tool_calls, stop_reason in the provider's words, usage, error).
The server is in this file: the real HTTP, chunked at the recorded places. The last line is the sum.
"""
import json
import os
import pathlib
import socket
import struct
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HERE = pathlib.Path(__file__).resolve().parent
KEY = "sk-planted-0123456789-never-shown"
KEY_ENV = {"anthropic": "ANTHROPIC_API_KEY", "openai-chat": "OPENAI_API_KEY", "openai-responses": "OPENAI_API_KEY",
           "gemini": "GEMINI_API_KEY", "ollama": "OLLAMA_API_KEY"}
REQUEST = {"model": "test-model", "system": "Be brief.", "messages": [{"role": "user", "content": "Read a.cpp"}],
           "tools": [{"name": "read_file", "description": "Reads a file",
                      "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}}]}


class Player(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        _, dialect, case = self.path.split("?")[0].split("/")[:3]
        folder, manifest = self.server.cases[dialect, case]
        with self.server.lock:
            seen = self.server.seen.setdefault((dialect, case), [])
            seen.append({"time": time.time(), "path": self.path, "body": json.loads(body), "headers": dict(self.headers)})
            response = manifest["responses"][min(len(seen), len(manifest["responses"])) - 1]
        data = (response["body"].encode() if "body" in response else
                (folder / dialect / response["body_file"]).read_bytes())
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
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()
                self.close_connection = True
            else:
                self.connection.recv(1)
                self.close_connection = True
        except OSError:
            self.close_connection = True


def stop_reasons(expect):
    """Ours for the provider's word."""
    word, calls = expect["stop_reason"], expect["tool_calls"]
    if expect.get("refusal"):
        return {"refusal"}
    if word in ("STOP", "stop", "completed", "end_turn", "stop_sequence", "tool_use", "tool_calls"):
        return {"tool_use"} if calls or word in ("tool_use", "tool_calls") else {"end_turn"}
    if word in ("length", "max_tokens", "MAX_TOKENS", "incomplete:max_output_tokens", "model_context_window_exceeded"):
        return {"max_tokens"}
    if word in ("refusal", "content_filter", "SAFETY", "RECITATION", "PROHIBITED_CONTENT", "incomplete:content_filter"):
        return {"refusal"}
    return {"other"}


def differences(got, expect, seen, stderr, code):
    def check(name, mine, theirs):
        if mine != theirs:
            yield f"{name}: {str(mine)[:200]!r} and not {str(theirs)[:200]!r}"
    if expect["text"] != got["text"] and expect["error"] is None or not got["text"].startswith(expect["text"]):
        yield f"text: {got['text'][:100]!r} and not {expect['text'][:100]!r}"
    yield from check("thinking", got["thinking"], expect["thinking"])
    yield from check("calls", [(c["name"], c["arguments"]) for c in got["tool_calls"]],
                     [(c["name"], c.get("arguments", c.get("operation"))) for c in expect["tool_calls"]])
    for mine, theirs in zip(got["tool_calls"], expect["tool_calls"]):
        if theirs.get("id") and mine["id"] != theirs["id"] or not mine["id"]:
            yield f"id: {mine['id']} and not {theirs['id']}"
    error = expect["error"]
    yield from check("exit", code, 1 if error else 0)
    if error:
        yield from check("error", (got["error"] or {}).get("kind"), error["type"])
        yield from check("status", (got["error"] or {}).get("status"),
                         error.get("http_status", (got["error"] or {}).get("status")))
        if error.get("message", "") not in (got["error"] or {}).get("message", ""):
            yield f"message: {got['error']['message']!r} lacks {error['message']!r}"
    else:
        yield from check("error", got["error"], None)
        if got["stop_reason"] not in stop_reasons(expect):
            yield f"stop: {got['stop_reason']} for {expect['stop_reason']}"
    if expect["usage"]:
        usage = got["usage"]
        yield from check("usage", [usage["input"], usage["cache_read"], usage["cache_write"], usage["output"],
                                   usage["reasoning"]], list(expect["usage"].values()))
    if "attempts" in expect:
        yield from check("attempts", len(seen), expect["attempts"])
    if "min_wait_ms" in expect and len(seen) > 1 and (seen[1]["time"] - seen[0]["time"]) * 1000 < expect["min_wait_ms"]:
        yield "tried again too early"
    if KEY in json.dumps(got) or KEY in stderr:
        yield "the key is shown"
    if KEY not in json.dumps(seen[0]["headers"]):
        yield "the key was not sent"


def run(bodkin, server, dialect, case):
    _, manifest = server.cases[dialect, case]
    if any(r.get("close") == "hang" and manifest["expect"]["error"] for r in manifest["responses"]):
        limits = ["--idle-limit", "1"]
    else:
        limits = []
    environment = {k: v for k, v in os.environ.items() if not k.endswith(("_API_KEY", "_BASE_URL", "_proxy"))}
    environment[KEY_ENV[dialect]] = KEY
    base = f"http://127.0.0.1:{server.server_address[1]}/{dialect}/{case}"
    try:
        done = subprocess.run([bodkin, "complete", "--provider", dialect, "--endpoint", base, *limits],
                              input=json.dumps(manifest.get("request", REQUEST)), capture_output=True, text=True,
                              env=environment, timeout=60)
        got = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError) as failure:
        return [f"no answer: {failure!r}"]
    return list(differences(got, manifest["expect"], server.seen[dialect, case], done.stderr, done.returncode))


def main():
    bodkin = str(pathlib.Path(sys.argv[1]).resolve())
    folders = [pathlib.Path(p) for p in sys.argv[2:]] or [HERE]
    if not sys.argv[2:] and os.environ.get("BODKIN_TRANSCRIPTS"):
        folders.append(pathlib.Path(os.environ["BODKIN_TRANSCRIPTS"]))
    server = ThreadingHTTPServer(("127.0.0.1", 0), Player)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # clients that hang up are part of the play
    server.lock, server.seen, passed, failed = threading.Lock(), {}, 0, 0
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for folder in folders:
        server.seen = {}
        server.cases = {(p.parent.name, p.stem): (folder, json.loads(p.read_text()))
                        for p in sorted(folder.glob("*/*.json")) if not p.name.endswith(".body.json")}
        with ThreadPoolExecutor(4) as pool:
            results = list(pool.map(lambda c: (c, run(bodkin, server, *c)), server.cases))
        for (dialect, case), wrong in results:
            passed, failed = passed + (not wrong), failed + bool(wrong)
            for line in wrong:
                print(f"FAIL {dialect}/{case}: {line}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
