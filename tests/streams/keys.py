#!/usr/bin/env python3
"""Plants a key and looks for it in everything that bodkin writes: output, errors, messages to the editor, files.

    keys.py BODKIN

The providers here are the worst there are: they repeat the key in every place of an answer that has words. The last
line is the sum.
"""
import base64
import json
import os
import pathlib
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from server import KEY, REQUEST, TEXT, Answer, Editor, Failure, Raw, Tally, environment, head, program, reset

JSON = "application/json"
BASIC = base64.b64encode(f"user:{KEY}".encode()).decode()


def type_of(dialect):
    return "application/x-ndjson" if dialect == "ollama" else "text/event-stream"


def event(dialect, value):
    return (b"" if dialect == "ollama" else b"data: ") + json.dumps(value).encode() + b"\n\n"


# What a server answers with the key in it, by name: the bytes for a dialect.
LEAKS = {
    "error-message": lambda d: head("401 Unauthorized", JSON) + json.dumps({"error": {"message": f"bad key {KEY}"}}).encode(),
    "error-code": lambda d: head("401 Unauthorized", JSON) + json.dumps({"error": {"message": "bad", "code": KEY, "type": KEY, "status": KEY}}).encode(),
    "error-string": lambda d: head("403 Forbidden", JSON) + json.dumps({"error": KEY}).encode(),
    "error-details": lambda d: head("400 Bad", JSON) + json.dumps({"error": {"message": "x", "details": {"error_code": KEY}, "metadata": {"raw": KEY}}}).encode(),
    "validation": lambda d: head("422 Bad", JSON) + json.dumps({"detail": [{"msg": KEY}]}).encode(),
    "encoded": lambda d: head("401 Unauthorized", JSON) + json.dumps({"error": {"message": f"bad key {BASIC}, {KEY[:20]}..."}}).encode(),
    "plain-words": lambda d: head("500 Error", "text/plain", "x-should-retry: false") + KEY.encode(),
    "retried": lambda d: head("429 Slow", JSON, "retry-after-ms: 1") + json.dumps({"error": {"message": f"slow down {KEY}"}}).encode(),
    "in-the-stream": lambda d: head("200 OK", type_of(d)) + TEXT[d][0] + event(d, {"error": {"message": KEY, "type": KEY}}),
    "redirect": lambda d: head("302 Found", "text/plain", f"location: http://{KEY}.invalid/{KEY}?key={KEY}", "content-length: 0"),
    "no-http": lambda d: f"{KEY}\r\n".encode() * 30,
}


def leak(place, *texts):
    return [f"the key is in {place}: …{text[max(0, text.find(form) - 60):][:120]}…" for text in texts
            for form in (KEY, KEY[:20], BASIC) if form in text]


def answers(said):
    return lambda connection, *_: connection.sendall(said)


def one_request(bodkin, dialect, name):
    server = Raw(lambda connection, *_: connection.sendall(LEAKS[name](dialect)))
    answer = Answer(bodkin, dialect, server.endpoint, options=["--idle-limit", "5"])
    server.close()
    sent = any(KEY.encode() in request for request, _ in server.requests)
    return leak("the answer", answer.stdout) + leak("standard error", answer.stderr) + \
        ([] if sent else ["the key was not sent: this proves nothing"]) + \
        ([] if answer.error else ["there is no error: this proves nothing"])


def check_command(bodkin, name):
    """bodkin check against such a server, and what its process shows to others."""
    server = Raw(lambda connection, *_: connection.sendall(LEAKS[name]("openai-chat")))
    done = subprocess.run([bodkin, "check", "--provider", "openai-chat", "--endpoint", server.endpoint], capture_output=True,
                          text=True, env=environment(["openai-chat"]), timeout=60)
    server.close()
    return leak("the answer", done.stdout) + leak("standard error", done.stderr) + \
        ([] if "OPENAI_API_KEY" in done.stdout else ["it does not say which variable is set"])


def ask_in_editor(bodkin, serve):
    """One ask through the language server with everything traced; then all messages and all files are searched."""
    server = Raw(serve)
    with tempfile.TemporaryDirectory() as folder:
        state = os.path.join(folder, "state")
        editor = Editor(bodkin, folder, environment=dict(environment(XDG_STATE_HOME=state), OPENAI_API_KEY=KEY))
        path = pathlib.Path(folder) / "a.c"
        path.write_text("int x;\n")
        said, wrong = [], []
        try:
            editor.request("initialize", {
                "processId": None, "rootUri": pathlib.Path(folder).as_uri(), "trace": "verbose",
                "capabilities": {"window": {"workDoneProgress": True}, "experimental": {"bodkin": {"proposals": True}}},
                "initializationOptions": {"model": {"provider": "openai-chat", "name": "m", "endpoint": server.endpoint, "retrySeconds": 0},
                                          "log": {"level": "debug"}, "trace": {"server": "verbose"}}})
            editor.notify("initialized", {})
            editor.notify("textDocument/didOpen", {"textDocument": {"uri": path.as_uri(), "languageId": "c", "version": 1, "text": "int x;\n"}})
            editor.send({"jsonrpc": "2.0", "id": 99, "method": "workspace/executeCommand", "params": {
                "command": "bodkin.ask", "arguments": [{"textDocument": {"uri": path.as_uri()}, "prompt": "Say ok"}]}})
            while True:
                message = editor.next(60)
                if message is None:
                    wrong.append("the server ended")
                    break
                said.append(json.dumps(message))
                if "id" in message and "method" in message:
                    editor.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
                if message.get("method") == "bodkin/didEndAsk":
                    break
                if message.get("id") == 99 and "error" in message:
                    wrong.append(f"the ask was refused: {message}")
                    break
            said.append(json.dumps(editor.request("bodkin/status", {})))
            editor.request("shutdown", None)
            editor.notify("exit", None)
            editor.process.wait(20)
        except Failure as failure:
            wrong.append(str(failure))
            editor.process.kill()
        wrong += leak("a message to the editor", "\n".join(said)) + leak("the log", "".join(editor.errors))
        for file in pathlib.Path(folder).rglob("*"):
            if file.is_file():
                wrong += leak(f"the file {file.relative_to(folder)}", file.read_bytes().decode("utf-8", "replace"))
    server.close()
    if not any(KEY.encode() in request for request, _ in server.requests):
        wrong.append("the key was not sent: this proves nothing")
    return wrong


def other_places(bodkin, tally):
    """Keys in addresses, commands and variables."""
    ok = Raw(lambda connection, *_: connection.sendall(head("401 Unauthorized", JSON) + b'{"error":{"message":"no"}}'))
    address = ok.endpoint.replace("://", f"://user:{KEY}@") + f"/v1?key={KEY}"
    answer = Answer(bodkin, "openai-chat", address)
    tally.add("key-in-the-address", leak("the answer", answer.stdout) + leak("standard error", answer.stderr))
    broken = environment(OPENAI_API_KEY=KEY + "\nx: y")
    answer = Answer(bodkin, "openai-chat", ok.endpoint, env=broken)
    tally.add("key-with-a-line-end", leak("the answer", answer.stdout) + ([] if "line break" in answer.stdout else [answer.stdout]))
    ok.close()
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder) / "bodkin"
        config.mkdir()
        server = Raw(lambda connection, *_: connection.sendall(LEAKS["error-message"]("openai-chat")))
        for name, command in (("works", f"printf %s {KEY}"), ("fails", f"echo {KEY}; echo {KEY} >&2; exit 3"),
                              ("is-missing", "/nonexistent/x"), ("prints-nothing", "true")):
            (config / "settings.json").write_text(json.dumps({"bodkin.model.provider": "openai-chat", "bodkin.model.name": "m",
                                                              "bodkin.model.endpoint": server.endpoint, "bodkin.model.apiKeyCommand": command}))
            done = subprocess.run([bodkin, "complete"], input=json.dumps(REQUEST), capture_output=True, text=True, timeout=60,
                                  env=environment(XDG_CONFIG_HOME=folder))
            tally.add(f"command-that-{name}", leak("the answer", done.stdout) + leak("standard error", done.stderr) +
                      ([] if done.returncode == 1 else ["there is no error"]))
        tally.add("key-of-the-command-is-sent", [] if any(KEY.encode() in r for r, _ in server.requests) else ["it was not"])
        server.close()


def main():
    bodkin, tally = program(), Tally()
    good = b"".join(TEXT["openai-chat"])
    tests = {f"{dialect}/{name}": (one_request, dialect, name) for dialect in TEXT for name in LEAKS}
    tests |= {f"check/{name}": (check_command, name) for name in LEAKS}
    tests |= {f"editor/{name}": (ask_in_editor, answers(LEAKS[name]("openai-chat"))) for name in LEAKS}
    tests["editor/a-good-answer"] = (ask_in_editor, answers(head() + good))
    # In the words of the reply, its thoughts and a call, in pieces.
    for size in (3, len(KEY) + 20):
        words = f"The key is {KEY}, is it?"
        pieces = [words[at:at + size] for at in range(0, len(words), size)]
        for kind, field in (("words", "content"), ("thoughts", "reasoning_content")):
            chunks = [event("openai-chat", {"choices": [{"index": 0, "delta": {field: piece}}]}) for piece in pieces]
            chunks += [event("openai-chat", {"choices": [{"index": 0, "delta": {"content": " Yes."}, "finish_reason": "stop"}]}), b"data: [DONE]\n\n"]
            tests[f"editor/{kind}-of-a-reply-{size}"] = (ask_in_editor, answers(head() + b"".join(chunks)))
    tests["editor/a-reset"] = (ask_in_editor, lambda c, *_: (c.sendall(head() + TEXT["openai-chat"][0]), reset(c)))
    with ThreadPoolExecutor(8) as pool:  # they wait: a server is asked again, and then again
        for name, wrong in zip(tests, pool.map(lambda test: test[0](bodkin, *test[1:]), tests.values())):
            tally.add(name, wrong)
    other_places(bodkin, tally)
    tally.end()


if __name__ == "__main__":
    main()
