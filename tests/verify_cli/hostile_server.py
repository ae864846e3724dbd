"""A scripted language server: python3 hostile_server.py MODE. An honest one reports an error for each line with BAD or
garbage, a warning for one with WARN; what the others do wrong, HOW says."""
import json
import os
import sys
import threading
import time

MODE = sys.argv[1]
HOW = {
    "honest": "does everything right",
    "dies": "ends when it is started",
    "dies_later": "ends at the second change",
    "hangs": "never answers initialize",
    "mute": "never publishes",
    "floods": "logs without end, and publishes",
    "lies": "publishes an empty set at once, with the right version",
    "old_version": "publishes the right set with the version before",
    "unversioned": "publishes an empty set without a version",
    "asks": "publishes only when its configuration request was answered",
    "dialog": "publishes only when its dialog was answered",
    "late": "publishes the right set two seconds late, and an empty one of the version before at once",
    "two_phases": "publishes syntax errors at once and the others later, both with the right version",
    "views": "publishes an empty set at once, and the right one later, both with the right version",
    "garbage": "answers with what is no message",
}
texts, versions, waiting, changes = {}, {}, {}, 0
lock = threading.Lock()


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    with lock:
        os.write(1, b"Content-Length: %d\r\n\r\n" % len(body) + body)


def problems(text):
    return [{"range": {"start": {"line": i, "character": 0}, "end": {"line": i, "character": 1}},
             "severity": 2 if "WARN" in line else 1, "message": "this line is bad", "source": "scripted"}
            for i, line in enumerate(text.split("\n")) if "BAD" in line or "WARN" in line or ")]}" in line]


def publish(uri, version, found):
    params = {"uri": uri, "diagnostics": found}
    if version is not None:
        params["version"] = version
    send({"method": "textDocument/publishDiagnostics", "params": params})


def changed(uri):
    global changes
    changes += 1
    version, found = versions[uri], problems(texts[uri])
    if MODE == "dies_later" and changes >= 3:
        os._exit(3)
    if MODE == "mute":
        return
    if MODE == "floods":
        for _ in range(2000):
            send({"method": "window/logMessage", "params": {"type": 3, "message": "x" * 1000}})
    if MODE == "lies":
        return publish(uri, version, [])
    if MODE == "old_version":
        return publish(uri, version - 1, found)
    if MODE == "unversioned":
        return publish(uri, None, [])
    if MODE in ("asks", "dialog"):
        waiting[len(waiting) + 100] = (uri, version, found)
        method = "workspace/configuration" if MODE == "asks" else "window/showMessageRequest"
        params = {"items": [{"section": "x"}]} if MODE == "asks" else {"type": 1, "message": "Go on?", "actions": [{"title": "Yes"}]}
        return send({"id": len(waiting) + 99, "method": method, "params": params})
    if MODE == "late":
        publish(uri, version - 1, [])
        threading.Timer(2, publish, (uri, version, found)).start()
        return
    if MODE in ("two_phases", "views"):
        publish(uri, version, found if MODE == "two_phases" and ")]}" in texts[uri] else [])
        threading.Timer(2, publish, (uri, version, found)).start()
        return
    publish(uri, version, found)


def main():
    if MODE == "dies":
        sys.exit("it is broken")
    source = sys.stdin.buffer
    while True:
        length = 0
        while (line := source.readline().strip()):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if not length:
            return
        message = json.loads(source.read(length))
        method, params = message.get("method"), message.get("params")
        if method == "initialize":
            if MODE == "hangs":
                time.sleep(1000)
            if MODE == "garbage":
                os.write(1, b"hello\nworld\n" * 100)
                continue
            send({"id": message["id"], "result": {"capabilities": {"textDocumentSync": 1}}})
        elif method == "shutdown":
            send({"id": message["id"], "result": None})
        elif method == "exit":
            return
        elif method == "textDocument/didOpen":
            item = params["textDocument"]
            texts[item["uri"]], versions[item["uri"]] = item["text"], item["version"]
            changed(item["uri"])
        elif method == "textDocument/didChange":
            uri = params["textDocument"]["uri"]
            texts[uri], versions[uri] = params["contentChanges"][0]["text"], params["textDocument"]["version"]
            changed(uri)
        elif method is None and message.get("id") in waiting:
            publish(*waiting.pop(message["id"]))


main()
