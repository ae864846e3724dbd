#!/usr/bin/env python3
"""Times of a warm verdict of `bodkin verify` beside those of plain clangd, for small edits of single files of a C or C++
project, one after the other. Prints figures and decides nothing.

    verdicts.py BODKIN FOLDER FILE…      the folder has a compile_commands.json, or build/ has; the files are relative
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROUNDS = 7
LINE = re.compile(r"\s+[\w.>-]+(\(.*\)| = .*);$")


class Clangd:
    """As an editor would use it: the whole text is sent, and its problems are waited for."""

    def __init__(self, root, database):
        self.process = subprocess.Popen(["clangd", "--background-index=false", "--clang-tidy=false", "--log=error",
                                         f"--compile-commands-dir={database}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.send({"id": 1, "method": "initialize", "params": {"rootUri": root.as_uri(), "capabilities": {}}})
        while self.receive().get("id") != 1:
            pass
        self.send({"method": "initialized", "params": {}})
        self.version = 0

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline().strip()):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def show(self, path, text):
        """Seconds until the problems of this text are there."""
        self.version += 1
        document = {"uri": path.as_uri(), "version": self.version}
        began = time.perf_counter()
        if self.version == 1:
            self.send({"method": "textDocument/didOpen", "params": {"textDocument": {**document, "languageId": "cpp", "text": text}}})
        else:
            self.send({"method": "textDocument/didChange", "params": {"textDocument": document, "contentChanges": [{"text": text}],
                                                                      "wantDiagnostics": True}})
        while True:
            said = self.receive().get("params") or {}
            if said.get("uri") == document["uri"] and said.get("version") == self.version:
                return time.perf_counter() - began


def edits(text):
    """The line before which a statement may be put, for each round."""
    lines = text.split("\n")
    places = [i for i in range(1, len(lines)) if LINE.fullmatch(lines[i]) and lines[i - 1].rstrip().endswith((";", "{"))]
    return [places[len(places) * (n + 1) // (ROUNDS + 1)] for n in range(ROUNDS)] if len(places) > ROUNDS else []


def main():
    program, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    database = root if (root / "compile_commands.json").exists() else root / "build"
    verifier = subprocess.Popen([program, "verify", "--jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for name in sys.argv[3:]:
        path = root / name
        text = path.read_text()
        lines = text.split("\n")
        clangd = Clangd(root, database)
        clangd.show(path, text)
        plain, verdicts, states = [], [], []
        for i in [0, *edits(text)]:  # the first is to warm up
            added = "// A remark." if i == 0 else "  (void)0;"
            plain.append(clangd.show(path, "\n".join(lines[:i] + [added, *lines[i:]])))
            patch = f"--- a/{name}\n+++ b/{name}\n@@ -{i + 1},1 +{i + 1},2 @@\n+{added}\n {lines[i]}\n"
            if i == 0:  # a remark alone is not checked by a server
                patch = patch.replace("+// A remark.", "+typedef int warm_by_hand;")
            began = time.perf_counter()
            verifier.stdin.write(json.dumps({"id": "1", "root": str(root), "reply": patch}) + "\n")
            verifier.stdin.flush()
            states.append(json.loads(verifier.stdout.readline())["state"])
            verdicts.append(time.perf_counter() - began)
        clangd.process.kill()
        if len(plain) == 1:
            print(f"{name}: too few places")
            continue
        ms = [[round(1000 * one) for one in sorted(times[1:])] for times in (plain, verdicts)]
        print(f"{name}: clangd p50 {ms[0][len(ms[0]) // 2]} max {ms[0][-1]} ms; verdict first {round(1000 * verdicts[0])}, "
              f"p50 {ms[1][len(ms[1]) // 2]} max {ms[1][-1]} ms; {', '.join(states[1:])}")
    verifier.stdin.close()


if __name__ == "__main__":
    main()
