#!/usr/bin/env python3
"""Cancelling an ask ends it, and closes its connection, within 100 ms, whatever it waits for.

    cancel.py BODKIN

Each situation is tried at most three times, for a machine may be busy; the least time counts. The last line is the sum.
"""
import json
import os
import pathlib
import socket
import tempfile
import threading
import time

from server import KEY_ENV, TEXT, Editor, Raw, Tally, head, program, read_request

LIMIT = 0.1  # seconds


class Waiting:
    """A server that brings an ask to a point and then sees when its connection is closed."""

    def __init__(self, talk):
        self.reached, self.closed = threading.Event(), threading.Event()

        def serve(connection, *_):
            talk(connection)
            self.reached.set()
            try:
                while connection.recv(4096):
                    pass
            except OSError:
                pass
            self.closed_at = time.monotonic()
            self.closed.set()
        self.server = Raw(serve, read=False)
        self.endpoint = self.server.endpoint


def answers_nothing():
    return Waiting(read_request)


def streams():
    def talk(connection):
        read_request(connection)
        connection.sendall(head() + TEXT["openai-chat"][0])
    return Waiting(talk)


def shakes_no_hands():
    waiting = Waiting(lambda connection: connection.recv(1))  # of the client's hello
    waiting.endpoint = waiting.endpoint.replace("http:", "https:")
    return waiting


def says_come_again():
    def talk(connection):
        read_request(connection)
        connection.sendall(head("503 Busy", "application/json", "retry-after: 50", "content-length: 2") + b"{}")
    return Waiting(talk)


def stream_says_come_again():
    def talk(connection):
        read_request(connection)
        connection.sendall(head() + b'data: {"error":{"message":"Overloaded","code":503}}\n\n')
    return Waiting(talk)


def floods(*events):
    """The point is reached while these events come, again and again."""
    def floods_with():
        waiting = Waiting(None)
        waiting.server.close()
        waiting.reached, waiting.closed = threading.Event(), threading.Event()

        def serve(connection, *_):
            read_request(connection)
            try:
                connection.sendall(head() + TEXT["openai-chat"][0])
                for i in range(10**9):
                    connection.sendall(events[i % len(events)])
                    waiting.reached.set()
            except OSError:
                pass
            waiting.closed_at = time.monotonic()
            waiting.closed.set()
        waiting.server = Raw(serve, read=False)
        waiting.endpoint = waiting.server.endpoint
        return waiting
    return floods_with


def event(**delta):
    return b"data: " + json.dumps({"choices": [{"index": 0, "delta": delta}]}).encode() + b"\n\n"


def calls(count, size=1):
    return event(tool_calls=[{"index": i, "id": f"c{i}", "function": {"name": "read_file", "arguments": "1" * size}} for i in range(count)])


# Of a server that wants nothing good: as much in one event, or as many, as it is read.
HOSTILE = {
    "many_events": [event(content="x") * 1000],
    "heartbeats": [b": ping\n\n" * 10000],
    "fields": [b"event: x\nfoo: bar\n" * 10000],
    "many_calls": [calls(16_000)],
    "few_large_calls": [calls(900, 8000)],
    "without_index": [event(tool_calls=[{"id": f"c{i}", "function": {"name": "n", "arguments": ""}} for i in range(16_000)])],
    "pieces_of_one_call": [event(tool_calls=[{"function": {"arguments": "1"}} for _ in range(30_000)])],
    "many_names": [event(tool_calls=[{"function": {"name": f"n{i}", "arguments": "{}"}} for i in range(20_000)])],
    "details": [event(reasoning_details=[{"type": "reasoning.text", "index": i, "text": "x"} for i in range(24_000)])],
    "pieces_of_content": [event(content=[{"type": "text", "text": "x"} for _ in range(30_000)])],
    "choices": [b"data: " + json.dumps({"choices": [{"index": 0, "delta": {"content": "x"}}] * 24_000}).encode() + b"\n\n"],
    "deep_or_empty": [b"data: " + b"[" * 2_000_000 + b"]" * 1_900_000 + b"\n\n", b"data: {}\n\n" * 1000],
    "a_call_as_text": [event(content="<tool_call>\n<function=write_file>\n<parameter=content>\n"), event(content="x <\n" * 15_000)],
    "many_openers": [event(content="[TOOL_CALLS]<tool_call>{" * 3000)],
    "parameters": [event(content="<function=write_file>\n"), event(content="".join(f"<parameter=p{i}>\nx\n" for i in range(5000)))],
    "a_thought": [event(content="<think>\n"), event(content="x </th < [\n" * 9000)],
    "one_text": [event(content="x" * 4_000_000)],
    "one_line": [b"data: " + b"x" * 65536, *[b"x" * 65536] * 10**4],
}


class Full:
    """A listener whose queue is full: who connects waits."""

    def __init__(self):
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(0)
        port = self.listener.getsockname()[1]
        self.others = []
        for _ in range(4):
            other = socket.socket()
            other.setblocking(False)
            other.connect_ex(("127.0.0.1", port))
            self.others.append(other)
        self.endpoint, self.port = f"http://127.0.0.1:{port}", port
        self.before = self.connecting()
        self.reached, self.closed = self, None

    def connecting(self):
        lines = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
        return sum(line.split()[2].endswith(f":{self.port:04X}") and line.split()[3] == "02" for line in lines)

    def wait(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.connecting() > self.before:
                return True
            time.sleep(0.01)
        return False


def seconds_to_end(bodkin, make):
    """From the command to the end of the ask and of its connection; a text: what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        waiting = make()
        editor = Editor(bodkin, folder)
        try:
            editor.request("initialize", {"processId": None, "rootUri": pathlib.Path(folder).as_uri(),
                                          "capabilities": {"experimental": {"bodkin": {"proposals": True}}},
                                          "initializationOptions": {"model": {"provider": "openai-chat", "name": "m",
                                                                              "endpoint": waiting.endpoint}}})
            editor.notify("initialized", {})
            editor.send({"jsonrpc": "2.0", "id": 98, "method": "workspace/executeCommand", "params": {
                "command": "bodkin.ask", "arguments": [{"prompt": "x", "profile": "explain"}]}})
            if not waiting.reached.wait(20):
                return "the point was not reached"
            if make in (says_come_again, stream_says_come_again):  # the point is reached when the user is told
                while "trying again" not in str(editor.next(20).get("params", {}).get("text")):
                    pass
            if make.__name__ == "floods_with":
                time.sleep(0.15)  # into the middle of what takes long
            begun = time.monotonic()
            editor.send({"jsonrpc": "2.0", "id": 99, "method": "workspace/executeCommand",
                         "params": {"command": "bodkin.cancel", "arguments": [{}]}})
            while (message := editor.next(20)).get("method") != "bodkin/didEndAsk":
                pass
            ended = time.monotonic()
            if message["params"]["end"] != "cancelled":
                # What no server may send ends an ask before.
                refused = make.__name__ == "floods_with" and message["params"]["end"] == "failed"
                return ended - begun if refused else str(message["params"])
            if waiting.closed:
                if not waiting.closed.wait(20):
                    return "the connection stays open"
                if make not in (says_come_again, stream_says_come_again):  # it may be closed, or kept, while nothing is asked
                    ended = max(ended, waiting.closed_at)
            return ended - begun
        finally:
            editor.kill()


def main():
    bodkin, tally = program(), Tally()
    os.environ[KEY_ENV["openai-chat"]] = "sk-test-key"
    situations = {make.__name__: make for make in (Full, shakes_no_hands, answers_nothing, streams, says_come_again, stream_says_come_again)}
    situations.update({"floods_with_" + name: floods(*events) for name, events in HOSTILE.items()})
    for name, make in situations.items():
        tries = []
        while len(tries) < 3 and not any(isinstance(t, float) and t <= LIMIT for t in tries):
            tries.append(seconds_to_end(bodkin, make))
        best = min((t for t in tries if isinstance(t, float)), default=None)
        print(f"{name}: {best * 1000:.1f} ms" if best is not None else f"{name}: {tries}", flush=True)
        tally.add(name, [] if best is not None and best <= LIMIT else [str(tries)])
    tally.end()


if __name__ == "__main__":
    main()
