#!/usr/bin/env python3
"""Runs the commands that the documents tell a person to type.

    python3 tests/document_commands.py BODKIN [PART_OF_A_COMMAND…]

Read are the fenced and indented blocks of every document, what stands in `…` and begins like a command, `:help bodkin`
with its configurations and its `:Bodkin` commands, and the examples of each `bodkin COMMAND --help`. Each is run in a
folder made for it, below a home of its own, with a played model, and exits with 0; or it is run by tests/run.sh; or it is
in CANNOT, with the reason. What is in CANNOT, AS_TYPED, EXIT or SAYS and in no document any more fails the test, too.
The last line is: N passed, N failed, N skipped.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from cli_support import Failure, check, turn
from document_tables import ROOT, read, version

HELP = "clients/nvim/doc/bodkin.txt"
COMMAND_WORDS = ("bodkin", "sh", "python3", "node", "npm", "cmake", "sudo", "code", "tar")

# What cannot run here, by its first line, and why. VERSION is that of the packages.
CANNOT = {
    "sh clients/demo.sh": "tests/demo runs it",
    "sh tests/run.sh": "it is what runs this test; tests/bare_root.sh runs both",
    "sudo cmake --install build/release": "needs root, and changes the machine; .ci/release installs what it would, and tries it",
    "sudo apt install ./bodkin_VERSION-1_amd64.deb": "needs root and the package; .ci/release installs it in a clean Debian",
    "code --install-extension bodkin-VERSION-linux-x64.vsix": "needs VS Code; tests/workbench has the extension in one",
    'tar xf bodkin-VERSION-linux-x64.tar.xz && export PATH="$PWD/bodkin-VERSION-linux-x64/bin:$PATH"':
        "needs the package; .ci/release unpacks and tries it",
    "bodkin apply ID": "needs an edit that bodkin mcp refused; tests/mcp_cli applies one",
    "sh package.sh": "makes the package; .ci/release runs it",
    "sh -c '. tests/setup.sh; setup_packages build test; setup_build release'": "tests/run.sh begins with the same",
    "cmake --build --preset release": "setup_build of tests/setup.sh does the same, before this test",
    "sh -c '. tests/setup.sh; setup_node; node clients/vscode/settings.mjs build/release/bin/bodkin'":
        "writes into the checkout; a test of clients/vscode compares what it would write",
    "python3 tests/documents.py --write": "writes into the checkout; without --write tests/run.sh runs it",
    "build/release/bin/test_edits": "tests/run.sh runs it with those of the other folders",
    "build/release/bin/bench_*": "measures, for minutes",
    "sh tests/fuzz/run.sh SECONDS [TARGET]": "needs clang 19, and as long as it is told",
    "sh tests/mutate.sh FILE": "hours; tests/run.sh --full does it for what has changed",
    "npm pack": "needs a network; the build does it",
    "npm install --package-lock-only --save-exact tree-sitter-x": "needs a network, and a grammar's name",
    ";; Emacs, eglot: one server for a buffer, so bodkin is the only one there; M-x eglot, M-x eglot-code-actions":
        "another program; tests/e2e/emacs has the same",
    ";; Emacs, lsp-mode: M-x lsp, M-x lsp-execute-code-action; with :add-on? t beside others (untried)":
        "another program; tests/e2e/emacs has the same",
    "# Helix, languages.toml": "another program, which Debian 12 has not",
    "# Kakoune with kakoune-lsp 17 or newer, kakrc (untried)": "another program",
    'provider = "bodkin", acp_providers = {bodkin = {command = "bodkin", args = {"acp"}}}': "another plugin",
    'adapters = {acp = {bodkin = function() return require("codecompanion.adapters").extend("gemini_cli", {name = "bodkin", '
    'commands = {default = {"bodkin", "acp"}}}) end}}': "another plugin",
}
REQUEST = ' "use a span here"'
ASKED = "bodkin ask --yes 'fix it' README.md 2>asked && ID=$(sed -n 's/^Undo: bodkin undo //p' asked)"
# What is typed in place of a command that is not whole, or that would need a terminal.
AS_TYPED = {
    "bodkin ask": "bodkin ask" + REQUEST,
    "bodkin ask --json": "bodkin ask --json" + REQUEST,
    "bodkin ask --record": "bodkin ask --record FILE" + REQUEST,
    "bodkin ask --record FILE": "bodkin ask --record FILE" + REQUEST,
    "bodkin ask --session ID": "bodkin ask --session ID" + REQUEST,
    "bodkin apply": "bodkin apply < reply.md",
    "bodkin verify": "bodkin verify < reply.md",
    "bodkin apply --jsonl": """bodkin apply --jsonl <<< '{"id": "1", "files": {"a.py": "x = 1\\n"}, "edit": ""}'""",
    "bodkin context --root": "bodkin context --root DIR FILE:LINE",
    "bodkin undo p1-09mkxq7t2a": 'bodkin undo "$ID"',
    "bodkin history clear": "bodkin history clear --yes",
    "source <(bodkin completion zsh)": "zsh -fc 'autoload -U compinit && compinit -u && source <(bodkin completion zsh)'",
    "bodkin completion fish | source": "fish -c 'bodkin completion fish | source'",
}
PLACEHOLDERS = {"FILE:LINE": "src/buffer.cpp:40", "FILE": "bug.json", "DIR": ".", "WORD": "model", "COMMAND": "ask", "ID": "last"}
# What has happened before a command that begins so.
BEFORE = {
    "bodkin undo": ASKED, "bodkin history": ASKED, "bodkin ask --session": ASKED + " && bodkin undo",
    "bodkin redo": ASKED + " && bodkin undo",
    "git diff": "git init -q . && git add src/a.c",
    "bodkin replay": "bodkin ask --record bug.json" + REQUEST, "bodkin verify": "cp reply_of_c.md reply.md",
}
EXIT = {"bodkin check --endpoint http://localhost:8080/v1 --model qwen3-coder": 1}  # no server is there
# What a document says that it prints.
SAYS = {
    "bodkin apply < reply.md": "changed shapes.py", "bodkin apply --diff < reply.md": "+    return math.pi * r * r", "bodkin undo": "is undone",
    "bodkin redo": "changed README.md", "bodkin verify < reply.md": "clangd", "bodkin settings --profiles": "explain",
    "bodkin replay bug.json": "It went as recorded", "bodkin check": "Playing the replies",
}
OPTIONAL = ("man", "zsh", "fish")  # programs that a machine may lack
PLAYED = {name: "#!/bin/sh\nexec cat ~/work/reply.md\n" for name in ("llm", "wl-paste", "make")}  # other programs

FIXTURE = {
    "shapes.py": "def area(r):\n    return 3.14 * r * r\n", "README.md": "Teh program.\n", "src/a.c": "int a;\n", "a.c": "int a = 1;\n",
    "src/player.c": "int frames;\n", "src/buffer.cpp": "".join("int line_%d();\n" % i for i in range(80)),
    "reply_of_c.md": "src/a.c\n<<<<<<< SEARCH\nint a;\n=======\nlong a;\n>>>>>>> REPLACE\n",
}
ANSWER = "I see.\n\nREADME.md\n<<<<<<< SEARCH\nTeh program.\n=======\nThe program.\n>>>>>>> REPLACE\n\n" + FIXTURE["reply_of_c.md"]


# What the documents say: (where, kind, text)

def markdown(path):
    text = read(path)
    for language, fenced, indented in re.findall(r"^```(\w*).*\n((?:.*\n)*?)```$|(?<=\n\n)((?: {4}.*\n|\n+(?= {4}))+)", text, re.M):
        if language == "diff":
            continue
        yield from commands_of(path, fenced or re.sub(r"^ {4}", "", indented, flags=re.M))
    yield from quoted(path, re.sub(r"^ {4}.*", "", text, flags=re.M))


def commands_of(where, text):
    text = text.rstrip("\n")
    if "<<<<<<< SEARCH" in text:
        yield where, "reply", text + "\n"
    elif "─" in text:
        return  # a diagram
    elif text.startswith(("{", '"', "// ")):
        yield where, "json", re.sub(r"^// .*\n", "", text)
    elif text.startswith(("vim.", "require(")):
        yield where, "lua", text
    elif text.startswith((";", "# ")):
        first, *more = text.split("\n\n")
        yield where, "other", first
        for part in more:
            yield from commands_of(where, part)
    else:
        for line in text.replace("\\\n", "").split("\n"):
            yield where, "shell", re.sub(r"\s\s+# .*", "", line)


def quoted(where, text):
    for span in re.findall(r"`([^`\n]+(?:\n[^`\n]+)?)`", text):
        span = re.sub(r"\s+", " ", span)
        if span.startswith(":") and "odkin" in span:
            yield where, "ex", span
        elif span.split(" ")[0] in COMMAND_WORDS and " " in span or span.startswith("build/release/bin/"):
            yield where, "shell", span
        elif "command" in span and '"bodkin"' in span:
            yield where, "json" if '"command"' in span else "other", span


def vim_help():
    text = read(HELP)
    for language, block in re.findall(r">(lua|vim)\n\n(.*?)\n<", text, re.S):
        yield HELP, language, re.sub(r"^    ", "", block, flags=re.M)
    for line in re.findall(r"^(:.*?)(?:\t|$)", text, re.M):
        yield HELP, "ex", line
    yield from quoted(HELP, text)


def examples(program):
    for name in re.findall(r"^  ([a-z]+) ", subprocess.run([program, "--help"], capture_output=True, text=True).stdout, re.M):
        said = subprocess.run([program, name, "--help"], capture_output=True, text=True).stdout
        check(said, "there is no help of " + name)
        where, _, text = "bodkin %s --help" % name, *said.partition("EXAMPLES\n")[1:]
        for block in re.findall(r"^  \S.*:\n((?:    .*\n)+)", text, re.M):
            yield where, "json", block.strip()
        for line in re.findall(r"^  (\S.*[^:\n])$", re.sub(r"\\\n\s+", "", text), re.M):
            yield where, "shell", re.sub(r"\s{2,}.*", "", line)


def all_commands(program):
    found = []
    for path in subprocess.check_output(["git", "ls-files", "*.md"], cwd=ROOT, text=True).split():
        # What the model is told is no document, and what is new in old versions may be old.
        if not path.startswith(("agent/tools/", "agent/context/", "tests/", "CHANGELOG")):
            found += markdown(path)
    return list(dict.fromkeys([*found, *vim_help(), *examples(program)]))


# Running them

class Folder:
    """A home with a folder `work` in it, the settings and the programs."""

    def __init__(self, program, reply):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="bodkin-commands-"))
        self.program, self.reply = program, reply
        self.environment = {"HOME": str(self.home), "LANG": "C.UTF-8", "TERM": "dumb", "WAYLAND_DISPLAY": "played",
                            "TOP": ROOT, "PATH": "%s/bin:%s" % (self.home, os.environ["PATH"])}

    def fresh(self, settings=None):
        shutil.rmtree(self.home)
        replay = {"name": "played", "turns": [turn(ANSWER)] * 9}
        model = {"bodkin.model.provider": "replay", "bodkin.model.name": str(self.home / "replay.json")}
        files = {"work/reply.md": self.reply, "work/answer.md": self.reply, "src/app/shapes.py": FIXTURE["shapes.py"], "src/hello/a.c": "",
                 ".config/bodkin/settings.json": json.dumps(settings or model), "replay.json": json.dumps(replay)}
        files.update({"work/" + name: text for name, text in FIXTURE.items()})
        files.update({"bin/" + name: text for name, text in PLAYED.items()})
        for name, text in files.items():
            (self.home / name).parent.mkdir(parents=True, exist_ok=True)
            (self.home / name).write_text(text)
        for name in PLAYED:
            (self.home / "bin" / name).chmod(0o755)
        (self.home / "bin/bodkin").symlink_to(self.program)
        subprocess.run(["git", "init", "-q", self.home / "work"], check=True)

    def run(self, command, code=0, stdin=""):
        done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=self.home / "work", env=self.environment,
                              input=stdin, capture_output=True, text=True, timeout=120)
        check(done.returncode == code, "exit %d\n%s%s" % (done.returncode, done.stdout[-2000:], done.stderr[-2000:]))
        return done.stdout + done.stderr


def run_shell(folder, text):
    folder.fresh()
    command = " ".join(PLACEHOLDERS.get(word, word) for word in AS_TYPED.get(text, text).split(" "))
    before = [event + " || exit 99\n" for start, event in BEFORE.items() if command.startswith(start)]
    said = folder.run("".join(before) + command, EXIT.get(text, 0))
    check(SAYS.get(text, "") in said, "it does not say %r:\n%s" % (SAYS.get(text), said))


def framed(*messages):
    bodies = [json.dumps({"jsonrpc": "2.0", **each}) for each in messages]
    return "".join("Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)


# What an editor says to a language server that it starts and ends.
LSP = framed({"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
             {"method": "initialized", "params": {}}, {"id": 2, "method": "shutdown"}, {"method": "exit"})


def run_json(folder, text):
    value = json.loads(text if text.startswith("{") else "{%s}" % text)
    if any(key.startswith("bodkin.") for key in value):
        folder.fresh(value)
        said = re.sub(r"\s+", " ", folder.run("bodkin check || true"))
        wrong = re.findall(r"settings ((?!Using).*?)(?= \w+  |$)", said)
        check("Unknown setting" not in said and "using the default" not in said, " ".join(wrong))
        return
    folder.fresh()
    started = [each for each in objects(value) if "command" in each]
    check(started, "it starts nothing")
    for each in started:
        words = each["command"] if isinstance(each["command"], list) else [each["command"], *each.get("args", [])]
        folder.run(" ".join(words), stdin=LSP if len(words) == 1 else "")


def objects(value):
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else ():
        yield from objects(each)


def in_neovim(folder, items):
    """Why each failed, or ""."""
    folder.fresh()
    shutil.copytree(os.path.join(ROOT, "clients/nvim"), folder.home / "nvim")
    replaced = {"lua": [("/path/to/bodkin/clients/nvim", str(folder.home / "nvim"))], "vim": [],
                "ex": [(r"^:\[range\]", ":%"), (r"\[(prompt|words)\]", "make it exact"), (r" \[.*\]", ""), ("…", "")]}
    for item in items:
        for pattern, value in replaced[item["kind"]]:
            item["text"] = re.sub(pattern, value, item["text"])
    (folder.home / "items").write_text(json.dumps(items))
    folder.environment.update(ITEMS=str(folder.home / "items"), RESULTS=str(folder.home / "results"))
    folder.run("timeout 300 nvim --headless -u NONE -i NONE -n --cmd 'set rtp^=~/nvim' -c 'runtime plugin/bodkin.lua' "
               "-c 'helptags ~/nvim/doc' -c 'luafile %s/tests/document_commands.lua' </dev/null" % ROOT)
    return json.loads((folder.home / "results").read_text())


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program, parts = os.path.abspath(sys.argv[1]), sys.argv[2:]
    found = all_commands(program)
    key = {each: each[2].split("\n")[0].replace(version(), "VERSION") for each in found}
    replies = [text for _, kind, text in found if kind == "reply"]
    test_run = re.sub(r"^#.*", "", read("tests/run.sh"), flags=re.M)
    folder = Folder(program, replies[0])
    chosen = [each for each in found if not parts or any(part in each[2] for part in parts)]
    items = [{"kind": kind, "text": text} for _, kind, text in chosen if kind in ("lua", "vim", "ex")]
    whys = in_neovim(folder, items) if items else []
    # An editor on a machine with other work can fail by itself: what failed is tried once more, and both are shown.
    retried = sum(map(bool, whys))
    if retried:
        print("".join("again %s\n" % why for why in whys if why))
        whys = [why and new for why, new in zip(whys, in_neovim(folder, items))]
    results = iter(whys)
    passed, failed, skipped, ran = 0, 0, 0, set()
    for each in chosen:
        where, kind, text = each
        try:
            if kind in ("lua", "vim", "ex"):
                why = next(results)
                check(not why, why)
            elif key[each] in CANNOT or kind == "reply" or text in test_run:
                pass
            elif kind == "json":
                run_json(folder, text)
            elif kind == "shell" and (text, kind) not in ran:
                missing = [name for name in OPTIONAL if re.search(r"\b%s\b" % name, AS_TYPED.get(text, text)) and not shutil.which(name)]
                if missing:
                    skipped += 1
                    print("SKIP  %s: `%s`: there is no %s here" % (where, text, missing[0]))
                    continue
                run_shell(folder, text)
                ran.add((text, kind))
            else:
                check(kind != "other", "it is neither run nor in CANNOT")
            passed += 1
        except (Failure, ValueError, subprocess.TimeoutExpired) as failure:
            failed += 1
            print("FAIL  %s: `%s`: %s" % (where, text, failure), flush=True)
    if not parts:
        for name in [*CANNOT, *AS_TYPED, *EXIT, *SAYS]:
            if name not in key.values():
                failed += 1
                print("FAIL  `%s` is in no document any more" % name)
    shutil.rmtree(folder.home)
    if retried:
        print("%d retried" % retried)
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
