#!/usr/bin/env python3
"""Thousands of asks and proposals in one server: its descriptors stay, its memory stays.

    soak.py BODKIN [ASKS [PROPOSALS]]      without numbers 300 and 600

Every ask is a session of its own, answered over a connection of its own that is kept open. The figures are printed;
the last line is the sum.
"""
import json
import os
import pathlib
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from server import Editor, Tally, program

EDIT = "a.c\n<<<<<<< SEARCH\nint b;\n=======\nlong b; // %d\n>>>>>>> REPLACE\n"
FULL = 500  # asks after which all that is kept is full: what grows later is a leak


class Model(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keeps the connection

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        Model.asked += 1
        events = [{"choices": [{"index": 0, "delta": {"content": EDIT % Model.asked}}]},
                  {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}]
        body = b"".join(b"data: %s\n\n" % json.dumps(each).encode() for each in events) + b"data: [DONE]\n\n"
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

    asked = 0


class Soaked(Editor):
    def __init__(self, bodkin, folder, endpoint):
        super().__init__(bodkin, folder)
        self.uri = (pathlib.Path(folder) / "a.c").as_uri()
        self.request("initialize", {
            "processId": None, "rootUri": pathlib.Path(folder).as_uri(),
            "capabilities": {"experimental": {"bodkin": {"proposals": True}}},
            "initializationOptions": {"model": {"provider": "openai-chat", "name": "m", "endpoint": endpoint},
                                      "agent": {"profile": "blocks"}}})
        self.notify("initialized", {})
        self.notify("textDocument/didOpen", {"textDocument": {"uri": self.uri, "languageId": "c", "version": 1,
                                                              "text": "int a;\nint b;\nint c;\n"}})

    def command(self, name, **argument):
        answer = self.request("workspace/executeCommand", {"command": name, "arguments": [argument]})
        if "result" not in answer:
            raise SystemExit("%s: %s" % (name, answer))
        return answer["result"]

    def ask(self):
        self.send({"jsonrpc": "2.0", "id": "ask", "method": "workspace/executeCommand", "params": {
            "command": "bodkin.ask", "arguments": [{"prompt": "Wider.", "textDocument": {"uri": self.uri}}]}})
        while (message := self.next()).get("method") != "bodkin/didEndAsk":
            if "error" in message:
                raise SystemExit("an ask was refused: %s" % message)
        return message["params"]

    def descriptors(self):
        return len(os.listdir("/proc/%d/fd" % self.process.pid))

    def megabytes(self):
        for line in open("/proc/%d/status" % self.process.pid):
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024


def soak(tally, editor, name, count, act):
    """Acts so often, and compares the end with when all was full."""
    most, full = 0, min(FULL, count // 2)
    descriptors, megabytes = 0, 0
    for number in range(1, count + 1):
        act(number)
        if number == full:
            descriptors, megabytes = editor.descriptors(), editor.megabytes()
        if number == full or number % max(1, count // 10) == 0:
            print("%6d %s: %3d descriptors, %6.1f MB" % (number, name, editor.descriptors(), editor.megabytes()),
                  flush=True)
        if number >= full:
            most = max(most, editor.descriptors())
    wrong = [] if most <= descriptors + 8 else ["%d, then %d" % (descriptors, most)]
    tally.add("%d %s need no more descriptors than %d" % (count, name, full), wrong)
    # What the allocator keeps varies; a leak is the more the longer this runs.
    now = editor.megabytes()
    wrong = [] if now <= megabytes * 1.15 + 12 else ["%.1f MB, then %.1f MB" % (megabytes, now)]
    tally.add("%d %s need no more memory than %d" % (count, name, full), wrong)


def main():
    bodkin = program()
    asks, proposals = ([int(each) for each in sys.argv[2:]] + [300, 600][len(sys.argv) - 2:])[:2]
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        editor = Soaked(bodkin, folder, "http://127.0.0.1:%d" % server.server_address[1])

        def ask(number):
            end = editor.ask()
            if end["end"] != "proposal":
                raise SystemExit("ask %d ended so: %s" % (number, end))
            if number % 2:
                editor.command("bodkin.discard", proposalId=end["proposalId"])

        def propose(number):
            made = editor.command("bodkin.applyReply", text=EDIT % number, textDocument={"uri": editor.uri})
            if number % 2:
                editor.command("bodkin.discard", proposalId=made["proposalId"])

        soak(tally, editor, "asks", asks, ask)
        soak(tally, editor, "proposals", proposals, propose)
        shown = editor.request("bodkin/listProposals", {})["result"]["proposals"]
        numbers = [int(each["id"][1:].split("-")[0]) for each in shown]
        tally.add("the newest proposals are kept, in their order",
                  [] if numbers == sorted(numbers) and numbers[-1] == asks + proposals else [str(numbers[-5:])])
        editor.kill()
    tally.end()


if __name__ == "__main__":
    main()
