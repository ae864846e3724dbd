"""The symbol index through the real server: what a place uses is found in the other files, and found anew
when they change on the disk. Each test is a function of the program's path."""
import os
import tempfile
import time

from run import PATIENCE, Failure, Server
from abuse import check, ends_well

MAIN = "from helper import helper\n\ndef main():\n    return helper(1)\n"


class Workspace:
    """A folder below the home folder (a home folder itself is not indexed), and a server for it."""

    def __init__(self, program, files, watches=True):
        self.home = os.path.realpath(tempfile.mkdtemp())
        self.folder = os.path.join(self.home, "work")
        for name, text in files.items():
            self.write(name, text)
        self.start(program, watches)

    def start(self, program, watches=True):
        self.server = Server(program, self.home)
        self.server.request("initialize", {
            "workspaceFolders": [{"uri": "file://" + self.folder, "name": "work"}],
            "capabilities": {"general": {"positionEncodings": ["utf-8"]},
                             "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": watches}}}})
        self.server.notify("initialized", {})

    def uri(self, name):
        return "file://%s/%s" % (self.folder, name)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)

    def open(self, name, text):
        self.server.notify("textDocument/didOpen", {"textDocument": {
            "uri": self.uri(name), "languageId": "python", "version": 1, "text": text}})

    def changed(self, name, kind):
        self.server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": self.uri(name), "type": kind}]})

    def prompt(self, name="main.py"):
        """What a model would be sent about the fourth line."""
        place = {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 0}}
        answer = self.server.request("workspace/executeCommand", {"command": "bodkin.copyPrompt", "arguments": [
            {"textDocument": {"uri": self.uri(name)}, "range": place, "prompt": "Why?"}]})
        check("result" in answer, "no prompt: " + str(answer))
        return answer["result"]["text"]

    def until(self, what, condition):
        # The index is made in the background and announces nothing: each prompt has what is known by then.
        limit = time.monotonic() + PATIENCE
        while not condition(self.prompt()):
            if time.monotonic() > limit:
                raise Failure("waited in vain for " + what)
            time.sleep(0.02)


def a_declaration_is_found_and_found_anew_when_its_file_changes(program):
    work = Workspace(program, {"main.py": MAIN, "lib/helper.py": "def helper(number):\n    return number\n"})
    message = work.server.next()
    while message.get("method") != "client/registerCapability":
        message = work.server.next()
    registration = message["params"]["registrations"][0]
    check(registration["method"] == "workspace/didChangeWatchedFiles", str(registration))
    check(any("py" in watcher["globPattern"] for watcher in registration["registerOptions"]["watchers"]),
          str(registration))
    work.server.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
    work.open("main.py", MAIN)
    work.until("the declaration", lambda prompt: "lib/helper.py, lines 1-2:\ndef helper(number):" in prompt)
    work.until("the map", lambda prompt: "lib/helper.py:\n  def helper(number)" in prompt)

    work.write("lib/helper.py", "\n\ndef helper(number, more=0):\n    return number + more\n")
    work.changed("lib/helper.py", 2)
    work.until("the change", lambda prompt: "lib/helper.py, lines 3-4:\ndef helper(number, more=0):" in prompt)

    os.rename(work.folder + "/lib/helper.py", work.folder + "/helper.py")
    work.changed("lib/helper.py", 3)
    work.changed("helper.py", 1)
    work.until("the new name", lambda prompt: "\nhelper.py, lines 3-4:\ndef helper" in prompt)
    check("lib/helper.py" not in work.prompt(), "the old name is still there")

    os.remove(work.folder + "/helper.py")
    work.changed("helper.py", 3)
    work.until("its end", lambda prompt: "helper.py, line" not in prompt)
    ends_well(work.server)


def an_open_document_counts_as_it_is_in_the_editor(program):
    work = Workspace(program, {"main.py": MAIN, "helper.py": "def helper(number):\n    return number\n"})
    work.open("main.py", MAIN)
    work.open("helper.py", "# not saved\n\ndef helper(text):\n    return text\n")
    work.until("the open text", lambda prompt: "helper.py, lines 3-4:\ndef helper(text):" in prompt)
    work.server.notify("textDocument/didClose", {"textDocument": {"uri": work.uri("helper.py")}})
    work.until("the saved text", lambda prompt: "helper.py, lines 1-2:\ndef helper(number):" in prompt)
    ends_well(work.server)


def no_declaration_of_a_private_file_is_in_a_prompt(program):
    work = Workspace(program, {"main.py": MAIN, "helper.py": "def helper(number):\n    return number\n",
                               "private/helper.py": "def helper(secret):\n    return secret\n",
                               ".bodkinignore": "private/\n"})
    work.open("main.py", MAIN)
    work.open("private/helper.py", "def helper(secret):\n    return secret\n")
    work.until("the declaration", lambda prompt: "helper.py, lines 1-2:" in prompt)
    check("secret" not in work.prompt(), "it is in the prompt")
    ends_well(work.server)


def the_next_start_takes_the_index_from_the_cache(program):
    work = Workspace(program, {"main.py": MAIN, "helper.py": "def helper(number):\n    return number\n"})
    work.open("main.py", MAIN)
    work.until("the map, which comes when all is kept", lambda prompt: "helper.py:\n  def helper" in prompt)
    ends_well(work.server)
    cache = work.home + "/.cache/bodkin/index"
    check(os.listdir(cache), "nothing was kept")
    for name in os.listdir(cache):  # what is kept and broken is no more than not kept
        with open(os.path.join(cache, name), "r+b") as file:
            file.write(b"broken")
    work.start(program)
    work.open("main.py", MAIN)
    work.until("the declaration", lambda prompt: "helper.py, lines 1-2:" in prompt)
    ends_well(work.server)


def the_lightbulb_names_the_function_around_the_place(program):
    folder = os.path.realpath(tempfile.mkdtemp())
    server = Server(program, folder)
    server.request("initialize", {"rootUri": "file://" + folder, "capabilities": {
        "experimental": {"bodkin": {"version": 1, "input": True, "diagnostics": True}}}})
    uri = "file://%s/a.go" % folder
    text = "package a\n\nfunc first() {}\n\n// Adds.\nfunc (s *Sum) Add(a int) {\n\ts.x += a\n\ts.y += b\n}\n"

    def titles(line):
        place = {"line": line, "character": 0}
        answer = server.request("textDocument/codeAction", {
            "textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}})
        return [action["title"] for action in answer["result"]]

    def until(line, wanted):
        # The outline is made in the background and announces nothing.
        limit = time.monotonic() + PATIENCE
        while titles(line) != wanted:
            if time.monotonic() > limit:
                raise Failure("%s instead of %s" % (titles(line), wanted))
            time.sleep(0.02)

    server.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "go", "version": 1, "text": text}})
    until(6, ["bodkin: Rewrite “Add”…"])
    check(titles(4) == ["bodkin: Rewrite “Add”…"], "the comment belongs to the function")
    check(titles(3) == [], "nothing is around the line between")
    problems = [{"range": {"start": {"line": line, "character": 1}, "end": {"line": line, "character": 4}},
                 "severity": 1, "message": "problem %d" % line} for line in (2, 6, 7)]
    problems.append({**problems[1], "severity": 4, "message": "a hint, which is no problem"})
    server.notify("bodkin/didChangeDiagnostics", {"uri": uri, "documentVersion": 1, "sequence": 1,
                                                  "diagnostics": problems})
    until(6, ['bodkin: Fix “problem 6”', "bodkin: Fix all 2 problems in Add", "bodkin: Explain",
              "bodkin: Rewrite “Add”…"])
    check("bodkin: Fix all 1 problems in first" not in titles(2), "one problem is not all of them")
    # Another text under the same version, opened while the first one may still be parsed.
    server.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    server.notify("textDocument/didOpen", {"textDocument": {
        "uri": uri, "languageId": "go", "version": 1, "text": "package a\n\nfunc other() {\n}\n"}})
    until(3, ["bodkin: Rewrite “other”…"])
    ends_well(server)


def tests():
    return [(test.__name__, test) for test in (
        a_declaration_is_found_and_found_anew_when_its_file_changes,
        an_open_document_counts_as_it_is_in_the_editor,
        no_declaration_of_a_private_file_is_in_a_prompt,
        the_next_start_takes_the_index_from_the_cache,
        the_lightbulb_names_the_function_around_the_place,
    )]
