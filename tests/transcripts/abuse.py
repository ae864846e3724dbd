"""What editors do not do, but pipes, crashes and bugs do: the server must neither fall nor hang nor
stay behind. Each test is a function of the program's path; its name is its sentence."""
import json
import os
import random
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
    check(server.wait() == 0, "the exit code is not 0")


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
        known = {b'{"jsonrpc":"2.0","id":5,"method":"\xff\xfe"}': 5}.get(body)  # so that whoever asked does not wait
        check(answer["error"]["code"] in (-32700, -32600) and answer["id"] == known, str(answer))
    check(is_alive(server), "the server is deaf")
    ends_well(server)


def a_truncated_body_ends_with_the_input(program):
    server = started(program)
    server.raw(b'Content-Length: 100\r\n\r\n{"jsonrpc":"2.0",')
    server.process.stdin.close()
    check(ends_soon(server) == 1, "the exit code is not 1")


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


class Deaf(Server):
    """An editor that never reads: the pipe is full after 64 KB."""

    def _read(self):
        pass

    def begin(self, options=None):
        self.send({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": dict(
            INITIALIZE, rootUri="file://" + self.folder, initializationOptions=options or {},
            capabilities={"experimental": {"bodkin": {"proposals": True}}})})
        self.notify("initialized", {})

    def __init__(self, program):
        self.folder = os.path.realpath(tempfile.mkdtemp())
        super().__init__(program, self.folder)

    def fill(self):
        for number in range(3000):
            self.send({"jsonrpc": "2.0", "id": number + 10, "method": "x/" + "y" * 1000})


def ends_soon(server):
    """Without load it takes half a second; a machine under load may need more, a hang is for ever."""
    begun = time.monotonic()
    code = server.wait()
    taken = time.monotonic() - begun
    check(taken < 10, "it took %.1f s to end" % taken)
    return code


def processes_with(words):
    found = []
    for pid in os.listdir("/proc"):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as command:
                if words.encode() in command.read():
                    found.append(pid)
        except OSError:
            pass
    return found


def an_editor_that_does_not_read_does_not_stop_the_server(program):
    server = Deaf(program)
    server.begin()
    server.fill()
    server.process.stdin.close()
    check(ends_soon(server) == 1, "the exit code is not 1")


def an_editor_that_does_not_read_can_still_end_the_server(program):
    server = Deaf(program)
    server.begin()
    server.fill()
    server.send({"jsonrpc": "2.0", "id": 2, "method": "shutdown"})
    server.notify("exit", None)
    check(ends_soon(server) == 0, "the exit code is not 0")


def an_editor_that_never_reads_does_not_fill_the_memory(program):
    server = Deaf(program)
    server.begin()
    try:
        for _ in range(100):
            server.send({"jsonrpc": "2.0", "id": "x" * 1000000, "method": "x/y"})
    except BrokenPipeError:
        pass
    check(server.wait(120) == 1, "the exit code is not 1")


def replay(folder, turns):
    with open(folder + "/replay.json", "w") as out:
        json.dump({"name": "test", "turns": turns}, out)
    return {"model.provider": "replay", "model.name": "replay.json", "agent.profile": "blocks"}


def an_editor_that_dies_in_the_middle_of_asks_with_a_full_pipe_takes_the_server_along(program):
    server = Deaf(program)
    long = {"reply": {"text": "word " * 200000, "stop_reason": "end_turn"}, "delay_ms": 600000}
    server.begin(replay(server.folder, [long]))
    for number in range(8):  # four run, four wait in the queue
        server.send({"jsonrpc": "2.0", "id": number + 10, "method": "workspace/executeCommand",
                     "params": {"command": "bodkin.ask", "arguments": [{"prompt": "Go on."}]}})
    server.fill()
    server.process.stdin.close()
    check(ends_soon(server) == 1, "the exit code is not 1")


def no_program_outlives_the_server(program):
    seconds = str(100000 + os.getpid())
    folder, scratch = os.path.realpath(tempfile.mkdtemp()), tempfile.mkdtemp()
    os.environ["TMPDIR"] = scratch
    server = started(program, folder=folder)
    del os.environ["TMPDIR"]
    edit = "a.c\n<<<<<<< SEARCH\n=======\nint a;\n>>>>>>> REPLACE\n"
    settings = replay(folder, [{"reply": {"text": edit, "stop_reason": "end_turn"}}])
    settings["verify.command"] = ["sleep", seconds]
    server.notify("bodkin/didChangeTrust", {"trusted": True})
    server.notify("workspace/didChangeConfiguration", {"settings": settings})
    server.request("workspace/executeCommand", {"command": "bodkin.ask", "arguments": [{"prompt": "Go on."}]})
    limit = time.monotonic() + 60
    while not processes_with("sleep\0" + seconds):
        check(time.monotonic() < limit, "the command was not started")
        time.sleep(0.01)
    server.process.stdin.close()
    check(ends_soon(server) == 1, "the exit code is not 1")
    limit = time.monotonic() + 5
    while processes_with(seconds):
        check(time.monotonic() < limit, "a program was left behind: " + str(processes_with(seconds)))
        time.sleep(0.01)
    check(not os.listdir(scratch), "its folder was left behind")


def the_server_ends_when_the_editor_dies(program):
    for _ in range(5):
        server = started(program)
        server.process.stdin.close()
        server.process.stdout.close()
        ends_soon(server)


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
             and name not in ("check", "started", "is_alive", "ends_well", "memory_kb", "tests", "Deaf",
                              "ends_soon", "processes_with", "replay")]
    return names
