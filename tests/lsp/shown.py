#!/usr/bin/env python3
"""What a model, a file or its name says is never a command of the terminal or of the editor.

    shown.py BODKIN
"""
import json
import os
import pathlib
import pty
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "streams"))
from server import Editor, Raw, Tally, environment, head, program  # noqa: E402

HOSTILE = [text for text in json.loads((FOLDER.parent / "agent/support/hostile_texts.json").read_text()) if "\n" not in text and "\0" not in text]


def acts(text):
    """Controls, C1 and directions; of a terminal \\r\\n and our own colours are none."""
    return [f"U+{ord(c):04X} in {text[max(0, i - 20):i + 20]!r}" for i, c in enumerate(text)
            if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160 or c in "\u061c\u200e\u200f\u2028\u2029\u202e\u202c\u2066\u2069\ufeff"]


def at_terminal(arguments, text, folder):
    """What a terminal is sent by a program that reads `text`."""
    ours, theirs = pty.openpty()
    with tempfile.TemporaryFile() as given:  # no pipe: a program that refuses its arguments reads nothing
        given.write(text.encode("utf-8", "surrogateescape"))
        given.seek(0)
        process = subprocess.Popen(arguments, stdin=given, stdout=theirs, stderr=theirs, cwd=folder,
                                   env=environment(NO_COLOR="1", TERM="xterm"))
    os.close(theirs)
    out = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        out += piece
    process.wait(20)
    os.close(ours)
    return out.decode("utf-8", "replace").replace("\r\n", "\n")


def edit(path, old, new):
    return f"{path}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"


def terminal(bodkin, tally):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "a.txt"
        file.write_text("one\ntwo\n")
        for number, hostile in enumerate(HOSTILE):
            reply = edit("a.txt", "two", "two " + hostile + " end")
            for name, arguments, text in (("diff", ["apply", "--diff"], reply), ("json", ["apply", "--json", "--diff"], reply),
                                          ("refused", ["apply", "--dry-run"], edit("a.txt", "nowhere " + hostile, "x")),
                                          ("path", ["apply", "--dry-run"], edit("b " + hostile + ".txt", "x", "y")),
                                          ("format", ["apply", "--format", hostile], reply)):
                shown = at_terminal([bodkin, *arguments], text, folder)
                tally.add(f"terminal/{name}/{number}", acts(shown))
            if "\r" in hostile:
                continue  # a line end
            piped = subprocess.run([bodkin, "apply", "--diff"], input=reply.encode(), capture_output=True, cwd=folder, env=environment())
            # What is not for a terminal is exact: patch(1) can take it.
            wanted = ("+two " + hostile + " end\n").encode()
            tally.add(f"pipe/{number}", [] if piped.returncode or wanted in piped.stdout else [repr(piped.stdout)])
        file.write_bytes("".join(f"int x; // {h}\n" for h in HOSTILE).encode())
        tally.add("terminal/context", acts(at_terminal([bodkin, "context", "a.txt:1"], "", folder)))
        said = "".join(HOSTILE)
        chunk = b"data: " + json.dumps({"choices": [{"index": 0, "delta": {"content": said}}]}).encode() + b"\n\n"
        server = Raw(lambda c, *_: c.sendall(head() + chunk + b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'))
        shown = at_terminal([bodkin, "complete", "--provider", "openai-chat", "--endpoint", server.endpoint, "--model", "m"],
                            json.dumps({"messages": [{"role": "user", "content": "x"}]}), folder)
        tally.add("terminal/complete", acts(shown) + ([] if "plain words" in shown else [shown]))
        server.close()


def editor(bodkin, tally, plugin):
    """All that is for the user in the messages of an ask whose model is hostile."""
    said = "\n".join(HOSTILE)
    reply = said + "\n\n" + edit("a.txt", "two", "2 " + HOSTILE[0])
    chunk = b"data: " + json.dumps({"choices": [{"index": 0, "delta": {"content": reply}}]}).encode() + b"\n\n"
    server = Raw(lambda c, *_: c.sendall(head() + chunk + b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'))
    shown = []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder).resolve() / "a.txt"
        path.write_text("one\ntwo\n")
        talk = Editor(bodkin, folder)
        capabilities = {"window": {"workDoneProgress": True}, "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}}
        if plugin:
            capabilities["experimental"] = {"bodkin": {"proposals": True}}
        talk.request("initialize", {"processId": None, "rootUri": path.parent.as_uri(), "capabilities": capabilities,
                                    "initializationOptions": {"model": {"provider": "openai-chat", "name": "m\u001b[2J", "endpoint": server.endpoint},
                                                              "agent": {"profile": "blocks"}}})
        talk.notify("initialized", {})
        talk.notify("textDocument/didOpen", {"textDocument": {"uri": path.as_uri(), "languageId": "text", "version": 1, "text": path.read_text()}})
        talk.send({"jsonrpc": "2.0", "id": 99, "method": "workspace/executeCommand", "params": {"command": "bodkin.ask", "arguments": [
            {"textDocument": {"uri": path.as_uri()}, "prompt": "[x](command:y)\u001b[2J change it"}]}})
        ends = ("bodkin/didEndAsk",) if plugin else ("window/showMessage", "window/showMessageRequest", "textDocument/publishDiagnostics")
        while True:
            message = talk.next(60)
            method, params = message.get("method"), message.get("params") or {}
            if "id" in message and method:
                talk.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
            for key in ("message", "title", "text", "label"):
                if isinstance(params.get(key), str):
                    shown.append((method, params[key]))
                if isinstance(params.get("value"), dict) and isinstance(params["value"].get(key), str):
                    shown.append((method, params["value"][key]))
            for diagnostic in params.get("diagnostics") or []:
                shown.append((method, diagnostic["message"]))
            if method in ends and (plugin or params.get("diagnostics") or method != "textDocument/publishDiagnostics"):
                if plugin or any(m == "textDocument/publishDiagnostics" for m, _ in shown):
                    break
        talk.kill()
    server.close()
    wrong = [f"{method}: {one}" for method, text in shown for one in acts(text)]
    # What editors show as a message, they search for links.
    wrong += [f"{method}: a link: {text!r}" for method, text in shown
              if "](" in text and method not in ("$/bodkin/stream", "bodkin/didEndAsk", "window/logMessage")]
    tally.add(f"editor/{'with' if plugin else 'without'}-plugin", wrong + ([] if len(shown) > 2 else [f"only {shown}"]))


def main():
    bodkin, tally = program(), Tally()
    terminal(bodkin, tally)
    editor(bodkin, tally, True)
    editor(bodkin, tally, False)
    tally.end()


if __name__ == "__main__":
    main()
