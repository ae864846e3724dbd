"""clangd.py FILE... | compare.py PROGRAM: functions and classes by clangd's textDocument/documentSymbol."""
import json
import pathlib
import re
import subprocess
import sys

KINDS = {5: "class", 6: "method", 9: "constructor", 10: "enum", 11: "interface", 12: "function", 23: "struct"}


class Clangd:
    def __init__(self):
        self.process = subprocess.Popen(["clangd", "--log=error", "--background-index=false", "-j=2"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.id = 0
        self.request("initialize", {"processId": None, "rootUri": None, "capabilities": {
            "textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}})
        self.send("initialized", {})

    def send(self, method, params, **more):
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def request(self, method, params):
        self.id += 1
        self.send(method, params, id=self.id)
        while True:
            length = 0
            while (line := self.process.stdout.readline().strip()):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            message = json.loads(self.process.stdout.read(length))
            if message.get("id") == self.id and "method" not in message:
                return message.get("result")


HEAD = re.compile(r"(?m)(?:^[ \t]*(?:template\s*<[^;{}]*>|[A-Z_0-9]{3,}(?:\([^()\n]*\))?|__extension__|\[\[[^\]]*\]\])"
                  r"[ \t]*\n?)+[\s\w]*\Z")


def walk(symbols, lines):
    """clangd's ranges begin after `template <…>` and leading macros, and end before the semicolon of a declaration
    and the macros before it; ours, as people would, before and behind. What a macro declares, whose name is not in
    the text, has no lines."""
    for symbol in symbols or []:
        begin, end = symbol["range"]["start"], symbol["range"]["end"]
        text = "\n".join(lines[begin["line"]:end["line"] + 1])
        name = re.split(r"::|[ <]", symbol["name"].replace("operator", "operator "))[-1 if "::" in symbol["name"] else 0]
        declares_only = symbol["kind"] in (5, 10, 11, 23) and "{" not in text  # class A;
        if symbol["kind"] in KINDS and not declares_only and name in text:
            start, last = begin["line"], end["line"]
            above = "\n".join(lines[max(0, start - 40):start] + [lines[start][:begin["character"]]])
            if found := HEAD.search(above):
                start -= above[found.start():].count("\n")
            if "{" not in text:
                rest = "\n".join([lines[last][end["character"]:], *lines[last + 1:last + 4]])
                if found := re.match(r"[\s\w()\"*/,]*;", rest):
                    last += found.group().count("\n")
            yield start + 1, last + 1, symbol["kind"] in (6, 9, 12)
        yield from walk(symbol.get("children"), lines)


clangd = Clangd()
expected = {}
for name in sys.argv[1:]:
    path = pathlib.Path(name).resolve()
    text = path.read_text(errors="replace")
    language = "c" if path.suffix == ".c" else "cpp"
    clangd.send("textDocument/didOpen", {"textDocument": {
        "uri": path.as_uri(), "languageId": language, "version": 1, "text": text}})
    symbols = clangd.request("textDocument/documentSymbol", {"textDocument": {"uri": path.as_uri()}})
    clangd.send("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})
    expected[str(path)] = list(walk(symbols, text.splitlines()))
json.dump(expected, sys.stdout)
