#!/usr/bin/env python3
"""What a model, a repository, the machine or a signal does to the server, it survives, or it ends in order.

    survival.py BODKIN

The last line is the sum.
"""
import array
import fcntl
import json
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import termios
import time

from server import Editor, Failure, Raw, Tally, head, program, read_request

DEEP = b"[" * 100_000 + b"]" * 100_000
STREAM = b'data: {"choices":[{"index":0,"delta":%s}]}\n\n'
STOP = b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"%s"}]}\n\ndata: [DONE]\n\n'
TEXT = STREAM % b'{"content":"That is all."}' + STOP % b"stop"


class World:
    """A server with one folder, and a model that answers with `answers`, one after the other, the last one for ever."""

    def __init__(self, bodkin, *answers, settings=None, prepare=None):
        self.temporary = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.folder = pathlib.Path(self.temporary.name)
        (self.folder / "a.c").write_text("int a;\nint b;\nint c;\n")
        if prepare:
            prepare(self.folder)
        self.answers = list(answers) or [(head("200 OK", "text/event-stream"), TEXT)]
        self.asked = 0
        self.model = Raw(self.answer, read=False)
        self.editor = Editor(bodkin, str(self.folder))
        self.uri = (self.folder / "a.c").as_uri()
        options = {"model": {"provider": "openai-chat", "name": "m", "endpoint": self.model.endpoint}}
        options.update(settings or {})
        self.editor.request("initialize", {
            "processId": None, "rootUri": self.folder.as_uri(), "initializationOptions": options,
            "capabilities": {"experimental": {"bodkin": {"proposals": True}}}})
        self.editor.notify("initialized", {})
        self.editor.notify("textDocument/didOpen", {"textDocument": {
            "uri": self.uri, "languageId": "c", "version": 1, "text": "int a;\nint b;\nint c;\n"}})
        self.pid = self.editor.process.pid

    def answer(self, connection, *_):
        read_request(connection)
        answer = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        for piece in answer or ():
            connection.sendall(piece)
        if answer is None:
            connection.recv(1)  # keeps it waiting

    def start(self, **more):
        argument = dict({"prompt": "Wider.", "textDocument": {"uri": self.uri}}, **more)
        self.editor.send({"jsonrpc": "2.0", "id": "ask", "method": "workspace/executeCommand",
                          "params": {"command": "bodkin.ask", "arguments": [argument]}})

    def ask(self, **more):
        """How the ask ended: the parameters of didEndAsk, or the error with which it was refused."""
        self.start(**more)
        while True:
            try:
                message = self.editor.next(25)
            except Failure:
                return {"end": "nothing", "message": "it says nothing for 25 seconds"}
            if message is None:
                return {"end": "died", "message": "".join(self.editor.errors)[-500:]}
            if message.get("method") == "bodkin/didEndAsk":
                return message["params"]
            if "error" in message:
                return {"end": "refused", "message": message["error"]["message"]}

    def lives(self):
        try:
            return "result" in self.editor.request("bodkin/listProposals", {})
        except Failure:
            return False

    def close(self):
        self.editor.kill()
        self.temporary.cleanup()


def deep_json(bodkin, tally):
    call = (b'{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"read_file","arguments":%s}}]}')
    escaped = json.dumps(('{"path": %s}' % DEEP.decode())).encode()
    streamed = head("200 OK", "text/event-stream")
    for name, answer, wanted in [
            ("a JSON reply", (head("200 OK", "application/json"), b'{"choices":' + DEEP + b"}"), "failed"),
            ("a reply of brackets alone", (head("200 OK", "application/json"), b"[" * 200_000), "failed"),
            ("an error body", (head("400 Bad", "application/json"), b'{"error":{"message":' + DEEP + b"}}"), "failed"),
            ("an event", (streamed, STREAM % (b'{"content":' + DEEP + b"}")), "failed"),
            ("tool arguments", (streamed, STREAM % (call % escaped) + STOP % b"tool_calls"), "answer"),
            ("an edit in JSON", (streamed, STREAM % b'{"content":%s}' % json.dumps(
                '{"path": "a.c", "old_str": %s, "new_str": "x"}' % DEEP.decode()).encode() + STOP % b"stop"), None)]:
        world = World(bodkin, answer, (streamed, TEXT))
        end = world.ask(profile="blocks" if wanted is None else "tools")
        wrong = [] if wanted in (None, end["end"]) else [str(end)[:500]]
        tally.add(name + " nested 100,000 deep ends the ask at most", wrong + ([] if world.lives() else ["it is dead"]))
        world.close()


def pipes(bodkin, tally):
    def in_the_folder(*names):
        def prepare(folder):
            for name in names:
                (folder / name).parent.mkdir(exist_ok=True)
                os.mkfifo(folder / name)
        return prepare

    # What such a list names nobody knows: nothing is shown to the model.
    world = World(bodkin, prepare=in_the_folder(".bodkinignore"))
    end = world.ask()
    tally.add("a pipe as .bodkinignore is not waited for, and keeps everything private",
              [] if end["end"] == "failed" and "cannot be read" in end["message"] else [str(end)])
    world.close()
    world = World(bodkin, prepare=in_the_folder("AGENTS.md", "picture.png"))
    end = world.ask()
    tally.add("a pipe as AGENTS.md is not waited for", [] if end["end"] == "answer" else [str(end)])
    for name in ("AGENTS.md", "picture.png"):
        end = world.ask(attachments=[(world.folder / name).as_uri()])
        tally.add("a pipe as the attachment %s is not waited for" % name,
                  [] if end["end"] in ("answer", "failed", "refused") else [str(end)])
    tally.add("the server lives after pipes", [] if world.lives() else ["it is dead"])
    world.close()
    world = World(bodkin, prepare=in_the_folder(".gitignore", "deep/.gitignore"))
    end = world.ask()
    tally.add("a pipe as .gitignore does not keep an ask", [] if end["end"] == "answer" else [str(end)])
    world.close()
    # Settings that are there and cannot be read may hold rules: until they can, the model may do nothing.
    for name, wanted in ("settings.json", "refused"), ("models.json", "answer"):
        def configured(folder):
            (folder / ".config/bodkin").mkdir(parents=True)
            os.mkfifo(folder / ".config/bodkin" / name)
        world = World(bodkin, prepare=configured)
        end = world.ask()
        tally.add("a pipe as the user's %s is not waited for" % name, [] if end["end"] == wanted else [str(end)])
        world.close()


def memory_of(pid, field):
    for line in open("/proc/%d/status" % pid):
        if line.startswith(field):
            return int(line.split()[1]) << 10


def memory(bodkin, tally):
    world = World(bodkin, (head("200 OK", "text/event-stream"), TEXT))
    now = memory_of(world.pid, "VmSize")
    if now > 1 << 40:
        tally.skip("without memory", "a sanitizer's program has no limit of its address space")
        return world.close()
    infinite = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    for more in (1 << 20, 3 << 20, 9 << 19, 11 << 19, 6 << 20, 9 << 20, 24 << 20, 60 << 20):
        if not world.lives():
            break
        resource.prlimit(world.pid, resource.RLIMIT_AS, (memory_of(world.pid, "VmSize") + more, resource.RLIM_INFINITY))
        for size in (3 << 20, 30 << 20, 90 << 20):
            world.editor.notify("textDocument/didOpen", {"textDocument": {
                "uri": (world.folder / "large.c").as_uri(), "languageId": "c", "version": 1,
                "text": "int large(int one) { return one; }\n" * (size // 35)}})
            answer = world.lives()
        end = world.ask()
        world.editor.notify("textDocument/didClose", {"textDocument": {"uri": (world.folder / "large.c").as_uri()}})
        resource.prlimit(world.pid, resource.RLIMIT_AS, infinite)
        print("%.1f MB more: %s" % (more / (1 << 20), (end["end"] + ": " + end["message"])[:150]))
        wrong = [] if end["end"] in ("answer", "failed", "refused") and answer else [str(end)]
        tally.add("with %.1f MB more it lives" % (more / (1 << 20)), wrong + ([] if world.lives() else ["it is dead"]))
    end = world.ask()
    tally.add("when there is memory again an ask is answered", [] if end["end"] == "answer" else [str(end)])
    world.close()
    enough = now + (32 << 20)  # to start
    for arguments in (["apply", "--dry-run"], ["lsp"], ["complete"]):
        def limited():
            resource.setrlimit(resource.RLIMIT_AS, (enough, enough))
        done = subprocess.run([bodkin, *arguments], input=b"x" * (200 << 20), capture_output=True, preexec_fn=limited)
        wrong = [] if 0 <= done.returncode <= 2 and b"terminate" not in done.stderr else [str(done)[:300]]
        tally.add("bodkin %s of 200 MB in little memory ends with a code" % arguments[0], wrong)


def not_read(bodkin, folder):
    """A server whose answers nobody reads: its pipe is full."""
    process = subprocess.Popen([bodkin], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               cwd=folder, env=dict(os.environ, HOME=str(folder)))
    initialize = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}})
    body = b'{"jsonrpc":"2.0","id":"%s","method":"x"}' % (b"x" * 100_000)  # is answered with its id
    for each in [initialize.encode()] + [body] * 8:
        process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(each) + each)
    process.stdin.flush()
    full = 60_000
    while fcntl.ioctl(process.stdout, termios.FIONREAD, waiting := array.array("i", [0])) or waiting[0] < full:
        time.sleep(0.01)
    return process


def signals(bodkin, tally):
    def seconds_to_end(number, state):
        waits = [None] if state == "asking" else []
        world = World(bodkin, *waits)
        process = world.editor.process
        try:
            if state == "asking":
                world.start()
                while world.asked == 0:
                    time.sleep(0.01)
            if state == "not read":
                process = not_read(bodkin, world.folder)
            begun = time.monotonic()
            os.kill(process.pid, number)
            if state == "twice":
                os.kill(process.pid, number)
            code = process.wait(20)
            return time.monotonic() - begun, code
        finally:
            process.kill()
            world.close()

    for state in ("idle", "asking", "not read", "twice"):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            tries = [seconds_to_end(number, state)]
            while len(tries) < 3 and tries[-1][0] > 1:
                tries.append(seconds_to_end(number, state))
            best = min(tries)
            print("%s, %s: %.0f ms, code %d" % (number.name, state, best[0] * 1000, best[1]))
            # A code, not a signal: it ended by itself.
            tally.add("%s, %s: an orderly end in a second" % (number.name, state),
                      [] if best[0] <= 1 and best[1] == 128 + number else [str(tries)])


def main():
    bodkin, tally = program(), Tally()
    os.environ["OPENAI_API_KEY"] = "sk-test-key"
    for part in (deep_json, pipes, memory, signals):
        try:
            part(bodkin, tally)
        except Failure as failure:
            tally.add(part.__name__, [str(failure)])
    tally.end()


if __name__ == "__main__":
    main()
