#!/usr/bin/env python3
"""Measures the way of a delta from a model server on loopback to the editor, through the real program. Prints figures
and decides nothing.

    delta.py BODKIN [TURNS]
"""
import json
import os
import pathlib
import socket
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "streams"))
from server import Editor, Raw, head  # noqa: E402

PIECE = b'data: {"choices":[{"index":0,"delta":{"content":"word %d "}}]}\n\n'
END = b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
DELTAS = 50


def main():
    program, turns = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20
    sent, asked_at, ended_at = [], [], []

    def serve(connection, request, _):
        if request.startswith(b"GET"):  # what it says of its models
            listed = b'{"data":[{"id":"m","max_model_len":32768}]}'
            return connection.sendall(head("404 Not Found") if b"/props" in request[:20] else head() + listed)
        asked_at.append(time.perf_counter())
        connection.sendall(head())
        for i in range(DELTAS):
            time.sleep(0.004)
            sent.append(time.perf_counter())
            connection.sendall(PIECE % i)
        ended_at.append(time.perf_counter())
        connection.sendall(END)
    model = Raw(serve)
    folder = tempfile.mkdtemp()
    editor = Editor(program, folder)
    path = pathlib.Path(folder) / "a.c"
    path.write_text("int x;\n")
    editor.request("initialize", {"processId": None, "rootUri": pathlib.Path(folder).as_uri(),
                                  "capabilities": {"experimental": {"bodkin": {"proposals": True}}},
                                  "initializationOptions": {"model": {"provider": "openai-compatible", "name": "m",
                                                                      "endpoint": model.endpoint}}})
    editor.notify("initialized", {})
    editor.notify("textDocument/didOpen", {"textDocument": {"uri": path.as_uri(), "languageId": "c", "version": 1,
                                                            "text": path.read_text()}})
    first, later, before, after = [], [], [], []
    for turn in range(turns):
        del sent[:]
        begun = time.perf_counter()
        editor.send({"jsonrpc": "2.0", "id": 1000 + turn, "method": "workspace/executeCommand", "params": {
            "command": "bodkin.ask", "arguments": [{"textDocument": {"uri": path.as_uri()}, "prompt": "Go", "profile": "explain"}]}})
        got = 0
        while True:
            message = editor.next(30)
            now = time.perf_counter()
            if message.get("method") == "$/bodkin/stream" and message["params"]["kind"] == "text":
                (later if got else first).append(now - sent[got])  # of the oldest delta that it brings
                got += message["params"]["text"].count("word ")
            if message.get("method") == "bodkin/didEndAsk":
                break
        before.append(asked_at[-1] - begun)
        after.append(now - ended_at[-1])
    editor.kill()
    bare = []  # the same request by a client that does nothing else
    body = json.dumps(model.requests[-1][1]).encode()
    for _ in range(turns):
        begun = time.perf_counter()
        with socket.create_connection(("127.0.0.1", model.port)) as connection:
            connection.sendall(b"POST / HTTP/1.1\r\ncontent-length: %d\r\n\r\n" % len(body) + body)
            while connection.recv(65536):
                pass
        bare.append(asked_at[-1] - begun)

    def show(name, values):
        values = sorted(v * 1000 for v in values)
        print(f"{name}: median {statistics.median(values):.2f} ms, worst {values[-1]:.2f} ms ({len(values)})")
    show("first delta, from its send to the editor", first)
    show("later deltas", later)
    show("from the ask to the request", before)
    show("of that, the server's own time", bare)
    show("from the last event to the end of the ask", after)
    model_time = statistics.median(bare)
    show("a whole turn besides the model", [b + a - model_time for b, a in zip(before, after)])


if __name__ == "__main__":
    main()
