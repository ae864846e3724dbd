#!/usr/bin/env python3
"""Cancelling an ask ends it, and closes its connection, within 100 ms, whatever it waits for.

    cancel.py BODKIN

Each situation is tried at most three times, for a machine may be busy; the least time counts. The last line is the sum.
"""
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
            if make is says_come_again:  # the point is reached when the person is told
                while "trying again" not in str(editor.next(20).get("params", {}).get("text")):
                    pass
            begun = time.monotonic()
            editor.send({"jsonrpc": "2.0", "id": 99, "method": "workspace/executeCommand",
                         "params": {"command": "bodkin.cancel", "arguments": [{}]}})
            while (message := editor.next(20)).get("method") != "bodkin/didEndAsk":
                pass
            ended = time.monotonic()
            if message["params"]["end"] != "cancelled":
                return str(message["params"])
            if waiting.closed:
                if not waiting.closed.wait(20):
                    return "the connection stays open"
                if make is not says_come_again:  # it may be closed, or kept, while nothing is asked
                    ended = max(ended, waiting.closed_at)
            return ended - begun
        finally:
            editor.kill()


def main():
    bodkin, tally = program(), Tally()
    os.environ[KEY_ENV["openai-chat"]] = "sk-test-key"
    for make in (Full, shakes_no_hands, answers_nothing, streams, says_come_again):
        tries = []
        while len(tries) < 3 and not any(isinstance(t, float) and t <= LIMIT for t in tries):
            tries.append(seconds_to_end(bodkin, make))
        best = min((t for t in tries if isinstance(t, float)), default=None)
        print(f"{make.__name__}: {best * 1000:.1f} ms" if best is not None else f"{make.__name__}: {tries}")
        tally.add(make.__name__, [] if best is not None and best <= LIMIT else [str(tries)])
    tally.end()


if __name__ == "__main__":
    main()
