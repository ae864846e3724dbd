"""A client with buffers, played, for the tests of this folder."""
import json
import os
import queue
import tempfile
import time

from run import Failure, Server
from abuse import check

TEXT = "int a;\nint b;\nint c;\n"
REPLY = "a.c\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n"
WANTED = "int a;\nlong b;\nint c;\n"


def offset_of(text, position):
    lines = text.split("\n")
    line = min(position["line"], len(lines) - 1)
    return sum(len(each) + 1 for each in lines[:line]) + min(position["character"], len(lines[line]))


class Editor(Server):
    """A client with buffers; ASCII texts only. `on_apply(editor, edit)` answers workspace/applyEdit;
    None leaves it unanswered. `trusted`: what it says of the folder; None: nothing. `prepare(folder, home)`
    fills the folder, which is then not the home folder, before the server starts; it may return another."""

    def __init__(self, program, texts=None, diagnostics=True, proposals=True, options=None, own=None, window=None,
                 workspace=None, files=None, trusted=True, prepare=None, folders=None, text_document=None,
                 again=None, state=None):
        """`again`: the folder of an earlier editor, whose texts are on the disk and not open. `folders`: of the workspace, below self.folder; None: that alone."""
        self.folder = again or os.path.realpath(tempfile.mkdtemp())
        self.home = os.path.realpath(tempfile.mkdtemp()) if prepare else self.folder
        if prepare:
            self.folder = prepare(self.folder, self.home) or self.folder
        for name, text in (files or {}).items():
            os.makedirs(os.path.dirname(self.folder + "/" + name), exist_ok=True)
            with open(self.folder + "/" + name, "w") as out:
                out.write(text)
        self.buffers, self.versions, self.states, self.asked = {}, {}, [], []
        self.heard = []  # every message, in order
        self.answers = {}  # method -> what a request of the server gets: a result, or a function of its params
        self.on_apply = lambda editor, edit: editor.take(edit)
        super().__init__(program, self.folder, home=self.home, state=state)
        options = dict(options or {}, **({} if trusted is None else {"workspaceTrusted": trusted}))
        own = dict({"version": 1, "proposals": proposals, "diagnostics": diagnostics}, **(own or {}))
        roots = {"rootUri": "file://" + self.folder} if folders is None else {"workspaceFolders": [
            {"uri": self.uri(each), "name": os.path.basename(each)} for each in folders]}
        for each in folders or []:
            os.makedirs(os.path.join(self.folder, each), exist_ok=True)
        result = self.request("initialize", {
            **roots, "initializationOptions": {"bodkin": options},
            "capabilities": {"general": {"positionEncodings": ["utf-8"]}, "window": window or {},
                             "workspace": dict({"applyEdit": True, "workspaceEdit": {
                                 "documentChanges": True, "resourceOperations": ["create", "rename", "delete"]}},
                                 **(workspace or {})),
                             "textDocument": text_document or {}, "experimental": {"bodkin": own}}})
        check("result" in result, "initialize failed")
        self.initialized = result["result"]
        self.notify("initialized", {})
        for name, text in ({"a.c": TEXT} if texts is None else texts).items():
            self.open(name, text)

    def uri(self, name):
        return "file://%s/%s" % (self.folder, name)

    def name(self, uri):
        return uri[len("file://") + len(self.folder) + 1:]

    def open(self, name, text, version=1):
        self.buffers[name], self.versions[name] = text, version
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": self.uri(name), "languageId": "c", "version": version, "text": text}})

    def close(self, name):
        del self.buffers[name], self.versions[name]
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(name)}})

    def change(self, name, text, version=True):
        """The buffer holds `text` now; `version`: True for the next, or what to send."""
        self.buffers[name] = text
        self.versions[name] += 1
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": self.uri(name), "version": self.versions[name] if version is True else version},
            "contentChanges": [{"text": text}]})

    def edited(self, edits, name):
        text = self.buffers[name]
        for edit in sorted(edits, key=lambda e: offset_of(text, e["range"]["start"]), reverse=True):
            begin, end = (offset_of(text, edit["range"][side]) for side in ("start", "end"))
            text = text[:begin] + edit["newText"] + text[end:]
        return text

    def take(self, edit, only=None):
        """Applies an edit as it should be done; `only`: that many of each file's text edits."""
        for each in edit["documentChanges"]:
            if each.get("kind") == "create":
                self.open(self.name(each["uri"]), "", 0)
            elif each.get("kind") == "rename":
                old, new = self.name(each["oldUri"]), self.name(each["newUri"])
                if os.path.exists(self.folder + "/" + old):
                    os.rename(self.folder + "/" + old, self.folder + "/" + new)
                if old in self.buffers:
                    text = self.buffers[old]
                    self.close(old)
                    self.open(new, text, 0)
            elif each.get("kind") == "delete":
                self.close(self.name(each["uri"]))
            else:
                name = self.name(each["textDocument"]["uri"])
                self.change(name, self.edited(each["edits"][:only], name))
        return {"applied": True}

    def handle(self, message):
        self.heard.append(message)
        if "id" in message and message.get("method") in self.answers:
            answer = self.answers[message["method"]]
            result = answer(message["params"]) if callable(answer) else answer
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": result})
        elif message.get("method") == "workspace/applyEdit":
            self.asked.append(message["params"]["edit"])
            answer = self.on_apply(self, message["params"]["edit"])
            if answer is not None:
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": answer})
            self.unanswered = message["id"] if answer is None else None
        elif message.get("method") == "bodkin/didChangeProposal":
            self.states.append(message["params"])

    def command(self, command, **argument):
        return self.request("workspace/executeCommand", {"command": command, "arguments": [argument]})

    def actions(self, uri, line=0):
        place = {"line": line, "character": 0}
        answer = self.request("textDocument/codeAction", {
            "textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}})
        return answer["result"]

    def run(self, action):
        """Runs the command of a code action, in either form."""
        command = action["command"] if isinstance(action["command"], dict) else action
        return self.request("workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]})

    def propose(self, reply=REPLY):
        answer = self.command("bodkin.applyReply", text=reply)
        check("result" in answer, "no proposal: " + str(answer))
        return answer["result"]["proposalId"]

    def until(self, what, condition):
        limit = time.monotonic() + 60
        while not condition():
            try:
                message = self.messages.get(timeout=max(0.01, limit - time.monotonic()))
            except queue.Empty:
                raise Failure("waited in vain for %s; the states were %s" % (what, json.dumps(self.states)))
            check(message is not None, "the server ended before " + what)
            self.handle(message)

    def state(self, *wanted, of=None):
        """Waits for the first state (of one proposal) after `applying`; it must be one of `wanted`."""
        begun = len(self.states)
        while begun > 0 and self.states[begun - 1]["state"] not in ("applying", "ready"):
            begun -= 1
        over = lambda: [s for s in self.states[begun:] if s["state"] != "applying" and of in (None, s["proposalId"])]
        self.until("an end of the apply", lambda: over())
        end = over()[0]
        check(end["state"] in wanted, "the state is %s, not %s: %s" % (end["state"], wanted, end["message"]))
        return end

    def applied_with(self, on_apply, *wanted, reply=REPLY):
        self.on_apply = on_apply
        check("result" in self.command("bodkin.apply", proposalId=self.propose(reply)), "apply was refused")
        return self.state(*wanted)
