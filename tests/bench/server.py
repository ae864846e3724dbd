#!/usr/bin/env python3
"""Measures the real program over its pipe and prints figures; it decides nothing.

    python3 tests/bench/server.py BODKIN
"""
import json
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "transcripts"))
from run import Server  # noqa: E402


def initialize(server):
    return server.request("initialize", {"processId": None, "capabilities": {}})


def start(program):
    times, sizes = [], []
    for _ in range(20):
        begun = time.perf_counter()
        server = Server(program, tempfile.mkdtemp())
        initialize(server)
        times.append(time.perf_counter() - begun)
        for line in open("/proc/%d/status" % server.process.pid):
            if line.startswith("VmHWM"):
                sizes.append(int(line.split()[1]))
        server.kill()
    times.sort()
    print("start to initialize: median %.1f ms, worst %.1f ms; resident %.1f MB"
          % (times[10] * 1000, times[-1] * 1000, max(sizes) / 1024))


def code_action(program):
    server = Server(program, tempfile.mkdtemp())
    initialize(server)
    text = "".join("int f%d(int x) {\n  return x + %d;\n}\n\n\n" % (i, i) for i in range(1000))
    uri = "file:///bench/a.c"
    server.notify("textDocument/didOpen", {"textDocument": {
        "uri": uri, "languageId": "c", "version": 1, "text": text}})
    time.sleep(1)  # the outline is made in the background
    problems = [{"range": {"start": {"line": i, "character": 0}, "end": {"line": i, "character": 3}},
                 "severity": 1, "message": "problem %d" % i} for i in range(0, 5000, 50)]
    server.notify("bodkin/didChangeDiagnostics", {"uri": uri, "documentVersion": 1, "sequence": 1,
                                                  "diagnostics": problems})
    times = []
    for line in range(0, 5000, 10):
        place = {"line": line, "character": 0}
        begun = time.perf_counter()
        server.request("textDocument/codeAction", {
            "textDocument": {"uri": uri}, "range": {"start": place, "end": place},
            "context": {"diagnostics": []}})
        times.append(time.perf_counter() - begun)
    times.sort()
    print("code action in a 5,000-line file: median %.2f ms, worst %.2f ms"
          % (times[len(times) // 2] * 1000, times[-1] * 1000))
    server.kill()


def did_change(program):
    server = Server(program, tempfile.mkdtemp())
    initialize(server)
    uri = "file:///bench/b.c"
    server.notify("textDocument/didOpen", {"textDocument": {
        "uri": uri, "languageId": "c", "version": 1, "text": "int value = 1;\n" * 100000}})
    server.request("bodkin/listProposals", {})
    begun = time.perf_counter()
    for i in range(10000):
        place = {"line": (i * 7919) % 100000, "character": 4}
        server.notify("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": i + 2},
            "contentChanges": [{"range": {"start": place, "end": place}, "text": "x"}]})
    server.request("bodkin/listProposals", {})
    taken = time.perf_counter() - begun
    print("10,000 didChange in a 100,000-line file: %.3f ms each (with this program's own time)"
          % (taken * 1000 / 10000))
    server.kill()


def answer_while_parsing(program):
    server = Server(program, tempfile.mkdtemp())
    initialize(server)
    text = "".join("struct C%d {\n  int add(int a, int b) {\n    return a + b * %d;\n  }\n};\n" % (i, i)
                   for i in range(20000))
    uri = "file:///bench/c.cpp"
    server.notify("textDocument/didOpen", {"textDocument": {
        "uri": uri, "languageId": "cpp", "version": 1, "text": text}})
    times = []
    for i in range(1000):  # a brace typed and taken back: a syntax error for the rest of the file
        place = {"line": 50000, "character": 0}
        behind = {"line": 50000, "character": i % 2}
        begun = time.perf_counter()
        server.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": i + 2}, "contentChanges": [
            {"range": {"start": place, "end": behind}, "text": "" if i % 2 else "{"}]})
        server.request("textDocument/codeAction", {
            "textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}})
        times.append(time.perf_counter() - begun)
        time.sleep(0.01)
    times.sort()
    print("didChange to the answer of a code action in 100,000 lines of C++ that are parsed meanwhile: "
          "median %.2f ms, p99 %.2f ms, worst %.2f ms" % (times[500] * 1000, times[990] * 1000, times[-1] * 1000))
    server.kill()


def hunks_one_by_one(program, count, with_client, applied):
    """A proposal of many hunks that an editor reports one by one, the last one first, as editors apply them."""
    folder = os.path.realpath(tempfile.mkdtemp())
    server = Server(program, folder)
    server.request("initialize", {"processId": None, "rootUri": "file://" + folder, "capabilities": {
        "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}},
        "experimental": {"bodkin": {"proposals": with_client}}}})
    uri = "file://" + folder + "/h.c"
    lines = ["int v%d = %d;" % (i, i) for i in range(3 * count)]
    server.notify("textDocument/didOpen", {"textDocument": {
        "uri": uri, "languageId": "c", "version": 1, "text": "\n".join(lines) + "\n"}})
    edits = "".join("h.c\n<<<<<<< SEARCH\n%s\n=======\nlong %s\n>>>>>>> REPLACE\n\n" % (lines[i], lines[i][4:])
                    for i in range(0, 3 * count, 3))
    made = server.request("workspace/executeCommand", {"command": "bodkin.applyReply", "arguments": [
        {"text": edits, "textDocument": {"uri": uri}}]})
    proposal = made["result"]["proposalId"]
    if applied:
        server.request("workspace/executeCommand", {"command": "bodkin.apply", "arguments": [{"proposalId": proposal}]})
    begun = time.perf_counter()
    for i in reversed(range(count)):
        server.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": count - i + 1}, "contentChanges": [
            {"range": {"start": {"line": 3 * i, "character": 0}, "end": {"line": 3 * i, "character": 3}},
             "text": "long"}]})
    state = server.request("bodkin/listProposals", {})["result"]["proposals"][0]["state"]
    print("%d hunks reported one by one (%s, %s): %.3f s, %s"
          % (count, "our client" if with_client else "any editor", "applied" if applied else "typed",
             time.perf_counter() - begun, state))
    server.kill()


def cpu_seconds(pid):
    """Of all threads of the process; Linux counts them in nanoseconds there."""
    total = 0
    for task in os.listdir("/proc/%d/task" % pid):
        try:
            with open("/proc/%d/task/%s/schedstat" % (pid, task), encoding="ascii") as file:
                total += int(file.read().split()[0])
        except FileNotFoundError:
            pass  # this thread has just ended
    return total / 1e9


def turns(program, count=20):
    """An ask of a recorded model that reads a file again and again: what a turn costs besides the model.

    Aim: at most 2 ms. The processor's time tells apart what the program does from what other programs take."""
    times, busy = [], []
    for _ in range(5):
        folder = os.path.realpath(tempfile.mkdtemp())
        with open(folder + "/a.c", "w") as out:
            out.write("".join("int f%d(int x) {\n  return x + %d;\n}\n\n" % (i, i) for i in range(200)))
        read = lambda i: {"id": "c%d" % i, "name": "read_file", "arguments": {
            "path": "a.c", "start_line": 4 * i + 1, "end_line": 4 * i + 4}}
        replies = [{"text": "", "tool_calls": [read(i)], "stop_reason": "tool_use"} for i in range(count - 1)]
        with open(folder + "/recording.json", "w") as out:
            json.dump({"name": "bench", "turns": [{"reply": each} for each in replies] +
                       [{"reply": {"text": "Done.", "stop_reason": "end_turn"}}]}, out)
        server = Server(program, folder)
        server.request("initialize", {
            "processId": None, "rootUri": "file://" + folder, "capabilities": {"experimental": {"bodkin": {"proposals": True}}},
            "initializationOptions": {"bodkin": {"workspaceTrusted": True, "model.provider": "replay",
                                                 "model.name": folder + "/recording.json", "agent.profile": "tools"}}})
        server.notify("initialized", {})
        begun, begun_busy = time.perf_counter(), cpu_seconds(server.process.pid)
        server.request("workspace/executeCommand", {"command": "bodkin.ask", "arguments": [{"prompt": "Read it."}]})
        message = server.next()
        while message.get("method") != "bodkin/didEndAsk":
            message = server.next()
        times.append((time.perf_counter() - begun) / count)
        busy.append((cpu_seconds(server.process.pid) - begun_busy) / count)
        if message["params"]["end"] != "answer":
            raise SystemExit("the ask ended otherwise: %s" % message["params"])
        server.kill()
    print("a turn of an ask, besides the model: best of 5 %.2f ms, worst %.2f ms, at least %.2f ms of the processor"
          % (min(times) * 1000, max(times) * 1000, min(busy) * 1000))


def end(program):
    times = []
    for _ in range(10):
        server = Server(program, tempfile.mkdtemp())
        initialize(server)
        begun = time.perf_counter()
        server.process.stdin.close()
        server.wait()
        times.append(time.perf_counter() - begun)
    print("end of input to end of program: worst of 10 %.1f ms" % (max(times) * 1000))


if __name__ == "__main__":
    program = os.path.abspath(sys.argv[1])
    start(program)
    code_action(program)
    did_change(program)
    answer_while_parsing(program)
    end(program)
    turns(program)
    for count in (1000, 4000):
        for with_client in (True, False):
            for applied in (True, False):
                hunks_one_by_one(program, count, with_client, applied)
