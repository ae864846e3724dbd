"""What editors do not do, but pipes, crashes and bugs do: the server must neither fall nor hang nor
stay behind. Each test is a function of the program's path; its name is its sentence."""
import json
import os
import random
import resource
import tempfile
import time

from run import Failure, Server

INITIALIZE = {"processId": None, "rootUri": None, "capabilities": {}}


def check(condition, sentence):
    if not condition:
        raise Failure(sentence)


def started(program, capabilities=None, folder=None, options=None):
    server = Server(program, folder or tempfile.mkdtemp())
    params = dict(INITIALIZE, capabilities=capabilities or {})
    if folder:
        params["rootUri"] = "file://" + folder
    if options:
        params["initializationOptions"] = options
    check("result" in server.request("initialize", params), "initialize failed")
    server.notify("initialized", {})
    return server


def is_alive(server):
    return server.request("bodkin/listProposals", {}).get("result") == {"proposals": []}


def ends_well(server):
    check(server.request("shutdown", None).get("result", 0) is None, "shutdown has no result")
    server.notify("exit", None)
    begun = time.monotonic()
    check(server.wait() == 0, "the exit code is not 0")
    return time.monotonic() - begun


def memory_kb(server):
    for line in open("/proc/%d/status" % server.process.pid):
        if line.startswith("VmHWM"):
            return int(line.split()[1])


def garbage_headers_are_survived(program):
    server = started(program)
    server.raw(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n\x00\x01\xff{}{}{}\r\nContent-Length: many\r\n\r\n")
    server.raw(b"Content-Length: -5\r\n\r\n" + b"x" * 100000 + b"\r\n")
    check(is_alive(server), "the server is deaf")
    ends_well(server)


def a_length_of_2_gb_is_not_allocated(program):
    server = started(program)
    before = memory_kb(server)
    server.raw(b"Content-Length: 2147483648\r\n\r\n{\"jsonrpc\"")
    server.process.stdin.close()
    check(server.wait() == 1, "end of input without shutdown is exit code 1")
    server = started(program)
    before = memory_kb(server)
    server.raw(b"Content-Length: 200000000\r\n\r\n{\"jsonrpc\"")
    time.sleep(0.2)
    grown = memory_kb(server) - before
    server.kill()
    check(grown < 20000, "grew by %d KB" % grown)


def an_oversized_message_is_skipped_and_the_next_one_heard(program):
    server = started(program)
    size = 300 << 20
    server.raw(b"Content-Length: %d\r\n\r\n" % size)
    chunk = b" " * (1 << 20)
    for _ in range(300):
        server.raw(chunk)
    check(is_alive(server), "the server is deaf")
    check(memory_kb(server) < 200000, "the message was stored: %d KB" % memory_kb(server))
    ends_well(server)


def invalid_utf8_and_broken_json_are_answered(program):
    server = started(program)
    for body in (b'{"jsonrpc":"2.0","id":5,"method":"\xff\xfe"}', b'{"jsonrpc":', b"", b"[" * 100000,
                 b'{"a":' * 50000, b"null", b"12", b'"x"', b"[]", b'{"id":{}}', b'{"id":1,"method":7}'):
        server.send(body)
        answer = server.next()
        check(answer["error"]["code"] in (-32700, -32600) and answer["id"] is None, str(answer))
    check(is_alive(server), "the server is deaf")
    ends_well(server)


def a_truncated_body_ends_with_the_input(program):
    server = started(program)
    server.raw(b'Content-Length: 100\r\n\r\n{"jsonrpc":"2.0",')
    server.process.stdin.close()
    begun = time.monotonic()
    check(server.wait() == 1, "the exit code is not 1")
    check(time.monotonic() - begun < 1, "it took more than a second to end")


def bytes_that_come_one_by_one_are_one_message(program):
    server = Server(program, tempfile.mkdtemp())
    body = json.dumps({"jsonrpc": "2.0", "id": "ä", "method": "initialize",
                       "params": INITIALIZE}).encode()
    message = b"content-type: x; charset=utf-8\r\ncONTENT-lENGTH:%d\r\n\r\n" % len(body) + body
    for i in range(len(message)):
        server.raw(message[i:i + 1])
    answer = server.next()
    check(answer["id"] == "ä" and "result" in answer, str(answer))
    ends_well(server)


def ten_thousand_cancelled_requests_are_answered_once_each(program):
    server = started(program)
    uri = "file:///tmp/bodkin-none.c"
    server.notify("textDocument/didOpen", {"textDocument": {
        "uri": uri, "languageId": "c", "version": 1, "text": "int x;\n"}})
    out = []
    place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    for number in range(1000, 11000):
        out.append({"jsonrpc": "2.0", "id": number, "method": "textDocument/codeAction",
                    "params": {"textDocument": {"uri": uri}, "range": place,
                               "context": {"diagnostics": []}}})
        out.append({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number}})
    for message in out:
        server.send(message)
    seen = set()
    while len(seen) < 10000:
        answer = server.next()
        if answer.get("id") is None or "method" in answer:
            continue
        check(answer["id"] not in seen, "answered twice")
        seen.add(answer["id"])
    check(seen == set(range(1000, 11000)), "other ids came back")
    ends_well(server)


def requests_that_wait_are_answered_when_the_server_is_cancelled(program):
    server = started(program)
    params = {"command": "bodkin.applyReply", "arguments": [{"text": "no edits " * 1000}]}
    for number in range(1000, 2000):
        server.send({"jsonrpc": "2.0", "id": number, "method": "workspace/executeCommand",
                     "params": params})
        server.send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number}})
    seen = set()
    while len(seen) < 1000:
        answer = server.next()
        if "method" not in answer:
            check(answer["id"] not in seen, "answered twice")
            seen.add(answer["id"])
    ends_well(server)


def an_editor_that_does_not_read_does_not_stop_the_server(program):
    server = started(program)
    server.process.stdout.close  # the reader thread goes on; the pipe is filled below
    for number in range(3000):
        server.send({"jsonrpc": "2.0", "id": number + 10, "method": "x/" + "y" * 1000})
    server.process.stdin.close()
    begun = time.monotonic()
    check(server.wait() == 1, "the exit code is not 1")
    check(time.monotonic() - begun < 3, "it took too long to end")


def the_server_ends_when_the_editor_dies(program):
    for _ in range(5):
        server = started(program)
        server.process.stdin.close()
        server.process.stdout.close()
        begun = time.monotonic()
        server.wait()
        check(time.monotonic() - begun < 1, "it took more than a second to end")


def random_bytes_are_survived(program):
    numbers = random.Random(7)
    server = started(program)
    for _ in range(300):
        server.raw(bytes(numbers.randrange(256) for _ in range(numbers.randrange(400))))
        server.raw(b"\r\n")
    for _ in range(300):
        body = bytes(numbers.randrange(256) for _ in range(numbers.randrange(40)))
        server.raw(b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    server.raw(b"\r\n\r\n")
    check(is_alive(server), "the server is deaf")
    ends_well(server)


def wrong_parameters_get_an_error_and_notifications_are_survived(program):
    server = started(program)
    for method in ("textDocument/codeAction", "workspace/executeCommand", "bodkin/proposalContent"):
        for params in (None, {}, [], 5, {"textDocument": 5}, {"textDocument": {"uri": 7}},
                       {"command": 5}, {"command": "bodkin.apply", "arguments": [[]]},
                       {"command": "bodkin.ask", "arguments": [{"textDocument": {"uri": "x:y"}}]}):
            answer = server.request(method, params)
            check("error" in answer or "result" in answer, str(answer))
    for method in ("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose",
                   "workspace/didChangeConfiguration", "workspace/didChangeWorkspaceFolders",
                   "bodkin/didChangeDiagnostics", "$/cancelRequest", "window/workDoneProgress/cancel"):
        for params in (None, {}, [], 5, {"textDocument": 5}, {"settings": [1]}, {"event": 7},
                       {"textDocument": {"uri": "file:///x", "version": "no"}, "contentChanges": 3}):
            server.notify(method, params)
    check(is_alive(server), "the server is deaf")
    ends_well(server)


def tests():
    names = [(name.replace("_", " "), test) for name, test in globals().items()
             if callable(test) and getattr(test, "__module__", "") == __name__
             and name not in ("check", "started", "is_alive", "ends_well", "memory_kb", "tests")]
    return names
