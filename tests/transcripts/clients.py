"""Editors that misbehave when they are asked to apply an edit. Whatever they say, the server reports
what the text says, and a stale edit never leaves it. Each test is a function of the program's path."""
import json
import os
import queue
import tempfile
import time

from run import Failure, Server
from abuse import check, ends_well

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


def a_correct_editor_applies_the_edit(program):
    editor = Editor(program)
    editor.applied_with(lambda e, edit: e.take(edit), "applied")
    check(editor.buffers["a.c"] == WANTED, "the text: " + editor.buffers["a.c"])
    ends_well(editor)


def an_edit_that_is_formatted_on_saving_is_applied_and_can_be_undone(program):
    """By a change of its own or one with the edit, and once more later; the lines around it, too."""
    before = "def f(a,b):\n    return a+b\n"
    layout = lambda text: text.replace("a,b", "a, b").replace("a-b", "a - b")
    reply = REPLY.split("\n")[0] + "\n<<<<<<< SEARCH\n    return a+b\n=======\n    return a-b\n>>>>>>> REPLACE\n"
    for first in True, False:
        editor = Editor(program, texts={"a.c": before})

        def save(e, edit):
            wanted = e.edited(edit["documentChanges"][0]["edits"], "a.c")
            if first:
                e.change("a.c", wanted)
            e.change("a.c", layout(wanted))
            e.notify("textDocument/didSave", {"textDocument": {"uri": e.uri("a.c")}})
            return {"applied": True}
        end = editor.applied_with(save, "applied", reply=reply)
        check(end["message"] == "Applied, and formatted.", end["message"])
        editor.change("a.c", layout(editor.buffers["a.c"]).replace(" - ", "  -  "))
        editor.on_apply = lambda e, edit: e.take(edit)
        check("result" in editor.command("bodkin.undo"), "it cannot be undone")
        editor.until("the undoing", lambda: editor.states[-1]["state"] == "discarded")
        check(editor.buffers["a.c"] == "def f(a, b):\n    return a+b\n", editor.buffers["a.c"])
        ends_well(editor)


def applied_true_without_a_change_is_refused(program):
    editor = Editor(program)
    end = editor.applied_with(lambda e, edit: {"applied": True}, "refused")
    check("did not change" in end["message"], end["message"])
    # The proposal can still be taken.
    editor.on_apply = lambda e, edit: e.take(edit)
    editor.states.clear()
    check("result" in editor.command("bodkin.apply"), "it cannot be taken again")
    editor.state("applied")
    ends_well(editor)


def applied_false_after_it_was_applied_is_applied(program):
    editor = Editor(program)

    def lie(e, edit):
        e.take(edit)
        return {"applied": False, "failureReason": "no"}
    editor.applied_with(lie, "applied")
    ends_well(editor)


def an_edit_at_the_wrong_line_is_not_applied(program):
    editor = Editor(program)

    def wrong(e, edit):
        e.change("a.c", "int a;\nint b;\nlong b;\n")
        return {"applied": True}
    end = editor.applied_with(wrong, "stale", "refused", "partly", "unknown")
    check("Nothing was placed" not in end["message"], "claims what it cannot know: " + end["message"])
    ends_well(editor)


def an_edit_that_is_made_twice_is_noticed(program):
    """An insertion whose second copy looks as if it had been there: only the whole text tells."""
    editor = Editor(program)

    def twice(e, edit):
        e.take(edit)
        e.take(edit)
        return {"applied": True}
    reply = "a.c\n<<<<<<< SEARCH\nint b;\n=======\nint b;\nint b2;\n>>>>>>> REPLACE\n"
    end = editor.applied_with(twice, "applied", "stale", "partly", "unknown", reply=reply)
    check(editor.buffers["a.c"].count("b2") == 2, "the test is wrong")
    check(end["message"] != "Applied.", end["message"])
    ends_well(editor)


def half_an_edit_is_partly_applied(program):
    editor = Editor(program, {"a.c": "a\nb\nc\nd\ne\n"})
    reply = ("a.c\n<<<<<<< SEARCH\na\n=======\nA\n>>>>>>> REPLACE\n"
             "<<<<<<< SEARCH\ne\n=======\nE\n>>>>>>> REPLACE\n")
    end = editor.applied_with(lambda e, edit: e.take(edit, 1), "partly", reply=reply)
    check("1 of 2" in end["message"], end["message"])
    ends_well(editor)


def one_of_two_files_is_partly_applied(program):
    editor = Editor(program, {"a.c": TEXT, "b.c": TEXT})

    def one(e, edit):
        return e.take({"documentChanges": edit["documentChanges"][:1]})
    editor.applied_with(one, "partly", reply=REPLY + REPLY.replace("a.c", "b.c"))
    ends_well(editor)


def an_editor_that_never_answers_is_reported_and_gets_no_second_edit(program):
    editor = Editor(program)
    end = editor.applied_with(lambda e, edit: None, "unknown")
    check("not answered" in end["message"], end["message"])
    # Two edits on the way could both be made.
    answer = editor.command("bodkin.apply")
    check("error" in answer, "a second edit was sent: " + str(answer))
    # The user says yes at last: the text tells.
    editor.states.clear()
    editor.send({"jsonrpc": "2.0", "id": editor.unanswered, "result": editor.take(editor.asked[0])})
    editor.state("applied")
    check(len(editor.asked) == 1, "asked twice")
    ends_well(editor)


def typing_between_the_request_and_the_answer_never_mixes(program):
    editor = Editor(program)

    def typed(e, edit):
        e.change("a.c", "int a;\nint bb;\nint c;\n")
        return {"applied": True}
    editor.applied_with(typed, "stale")
    ends_well(editor)


def typing_elsewhere_between_the_request_and_the_edit_is_still_applied(program):
    editor = Editor(program)

    def typed(e, edit):
        e.change("a.c", "int a;\nint b;\nint c;\nint d;\n")
        return e.take(edit)
    editor.applied_with(typed, "applied")
    ends_well(editor)


def the_block_that_a_change_stands_in_is_part_of_it(program):
    text = "int f(int r) {\n  return 3 * r;\n}\nint g;\n"
    editor = Editor(program, texts={"a.c": text})
    reply = "a.c\n<<<<<<< SEARCH\nint f(int r) {\n  return 3 * r;\n=======\nint f(int r) {\n  return 4 * r;\n>>>>>>> REPLACE\n"
    proposal = editor.propose(reply)
    for typed in (text.replace("int f(int r) {\n", ""), text.replace("int f(int r)", "int h(int s)")):
        editor.change("a.c", typed)
        editor.states.clear()
        editor.command("bodkin.apply", proposalId=proposal)
        message = editor.state("stale")["message"]
        check("the text around line" in message, message)
        check(not editor.asked, "an edit was sent")
    editor.states.clear()
    editor.command("bodkin.apply", proposalId=proposal, hunks=[0])
    editor.state("applied")
    check(editor.buffers["a.c"] == typed.replace("3", "4"), editor.buffers["a.c"])
    second = editor.propose(reply.replace("int f(int r)", "int h(int s)").replace("4", "5").replace("3", "4"))
    editor.change("a.c", editor.buffers["a.c"].replace("int g;", "int gg;"))
    editor.states.clear()
    editor.command("bodkin.apply", proposalId=second)
    editor.state("applied", of=second)
    ends_well(editor)


def a_typed_line_above_before_a_blind_editor_applies_is_not_applied(program):
    """The editor checks no version and makes the edit at lines that have moved."""
    editor = Editor(program)

    def typed(e, edit):
        e.change("a.c", "// new\n" + TEXT)
        return e.take(edit)
    editor.applied_with(typed, "stale", "refused", "unknown")
    ends_well(editor)


def place(line, character=0):
    return {"line": line, "character": character}


def changes_that_are_not_understood_stop_every_edit_until_all_of_the_text_comes(program):
    """A change whose place is unknown moves lines that nobody knows of."""
    above = {"range": {"start": place(0), "end": place(0)}, "text": "int z;\n"}
    broken = [
        [above, {"range": {"start": place(99), "end": place(99)}, "text": "x"}],  # half of it would be made
        [{"range": {"start": place(2), "end": place(1)}, "text": "x"}],
        [{"range": {"start": place(-1), "end": place(0)}, "text": "x\n"}],
        [{"range": {"start": {"line": 1.5, "character": 0}, "end": place(2)}, "text": "x\n"}],
        [{"range": {"start": {"line": "1", "character": 0}, "end": place(2)}, "text": "x\n"}],
        [{"range": {"start": {"character": 0}, "end": place(2)}, "text": "x\n"}],
        [{"range": {"start": place(10**30), "end": place(10**30)}, "text": "x\n"}],
        [{"range": {"start": place(0)}, "text": "x\n"}],
        [{"range": "0:0", "text": "x\n"}],
        [{"range": above["range"]}], [{"text": 7}], [7], [None], 3, "all", None, {"text": "x\n"},
    ]
    for changes in broken:
        editor = Editor(program)
        proposal = editor.propose()
        editor.notify("textDocument/didChange", {"textDocument": {"uri": editor.uri("a.c"), "version": 2},
                                                 "contentChanges": changes})
        editor.command("bodkin.apply", proposalId=proposal)
        end = editor.state("stale", "refused")
        check(not editor.asked, "an edit was sent after %s: %s" % (changes, end))
        check("error" in editor.command("bodkin.applyReply", text=REPLY), "an edit was placed after %s" % changes)
        editor.change("a.c", "int y;\n" + TEXT)
        again = editor.propose()
        editor.command("bodkin.apply", proposalId=again)
        editor.state("applied", of=again)
        check(editor.buffers["a.c"] == "int y;\n" + WANTED, editor.buffers["a.c"])
        ends_well(editor)


def text_that_is_not_utf8_is_not_edited_and_its_lines_stay_known(program):
    """Neovim sends such bytes as they are; an answer of no request would be a message to the user."""
    def raw(editor, method, what, **more):
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": {"textDocument": {
            "uri": editor.uri("a.c"), "version": 2, **more}, "contentChanges": [{"text": "@"}]}})
        editor.send(body.replace("@", what).encode("latin-1"))

    for opens in (True, False):
        editor = Editor(program, texts={} if opens else None)
        text = "// \xff\\n" + TEXT.replace("\n", "\\n")
        if opens:
            raw(editor, "textDocument/didOpen", text, languageId="c", text="@")
        else:
            raw(editor, "textDocument/didChange", text)
        answer = editor.command("bodkin.applyReply", text=REPLY)
        check("error" in answer, str(answer))
        check(not [m for m in editor.heard if m.get("id", 0) is None], "an answer of no request")
        editor.change("a.c", TEXT) if not opens else editor.open("a.c", TEXT, 3)
        editor.applied_with(lambda editor, edit: editor.take(edit), "applied")
        check(editor.buffers["a.c"] == WANTED, editor.buffers["a.c"])
        ends_well(editor)


def null_versions_are_survived(program):
    editor = Editor(program)
    editor.change("a.c", "// x\n" + TEXT, version=None)
    editor.change("a.c", "// y\n" + TEXT, version=None)

    def null(e, edit):
        e.change("a.c", e.edited(edit["documentChanges"][0]["edits"], "a.c"), version=None)
        return {"applied": True}
    editor.applied_with(null, "applied")
    check(editor.buffers["a.c"] == "// y\n" + WANTED, editor.buffers["a.c"])
    ends_well(editor)


def a_document_that_is_closed_meanwhile_is_read_from_disk(program):
    editor = Editor(program)

    def close(e, edit):
        e.close("a.c")
        return {"applied": True}
    editor.applied_with(close, "unknown")
    ends_well(editor)
    editor = Editor(program)

    def save_and_close(e, edit):
        with open(e.folder + "/a.c", "w") as out:
            out.write(e.edited(edit["documentChanges"][0]["edits"], "a.c"))
        e.close("a.c")
        return {"applied": True}
    editor.applied_with(save_and_close, "applied")
    ends_well(editor)


def a_document_that_is_closed_before_is_compared_with_the_disk(program):
    editor = Editor(program)
    with open(editor.folder + "/a.c", "w") as out:
        out.write("something else\n")
    proposal = editor.propose()
    editor.close("a.c")
    check("result" in editor.command("bodkin.apply", proposalId=proposal), "apply was refused")
    editor.state("stale")
    check(not editor.asked, "a stale edit was sent")
    ends_well(editor)


def a_stale_proposal_is_never_sent(program):
    editor = Editor(program)
    proposal = editor.propose()
    for text in ("int a;\nint bb;\nint c;\n", "int a;\nint c;\n", "", "int b;\n" * 9, "int a;\nint b; \nint c;\n"):
        editor.change("a.c", text)
        editor.states.clear()
        editor.command("bodkin.apply", proposalId=proposal)
        editor.command("bodkin.applyHunk", proposalId=proposal, hunks=[0])
        editor.command("bodkin/listProposals")
        for edit in editor.asked:
            made = editor.edited(edit["documentChanges"][0]["edits"], "a.c")
            raise Failure("of %r a stale edit made %r" % (text, made))
    ends_well(editor)


def a_file_that_is_created_is_in_its_document(program):
    editor = Editor(program)
    end = editor.applied_with(lambda e, edit: e.take(edit), "applied",
                              reply="b.c\n<<<<<<< SEARCH\n=======\nint x;\n>>>>>>> REPLACE\n")
    check(editor.buffers["b.c"] == "int x;\n", repr(editor.buffers["b.c"]) + end["message"])
    ends_well(editor)


def a_file_created_meanwhile_is_not_overwritten(program):
    editor = Editor(program)
    proposal = editor.propose("b.c\n<<<<<<< SEARCH\n=======\nint x;\n>>>>>>> REPLACE\n")
    editor.open("b.c", "mine\n")
    editor.command("bodkin.apply", proposalId=proposal)
    editor.state("stale")
    check(not editor.asked, "the edit was sent")
    ends_well(editor)


def two_proposals_of_one_file_are_never_on_their_way_at_once(program):
    """A blind editor would place the second at lines that the first has moved."""
    editor = Editor(program)
    first = editor.propose()
    second = editor.propose("a.c\n<<<<<<< SEARCH\nint c;\n=======\nlong c;\n>>>>>>> REPLACE\n")
    editor.on_apply = lambda e, edit: None
    editor.command("bodkin.apply", proposalId=first)
    editor.until("the first edit", lambda: editor.asked)
    check("error" in editor.command("bodkin.apply", proposalId=second), "the second was sent, too")
    editor.send({"jsonrpc": "2.0", "id": editor.unanswered, "result": editor.take(editor.asked[0])})
    editor.state("applied", of=first)
    editor.on_apply = lambda e, edit: e.take(edit)
    check("result" in editor.command("bodkin.apply", proposalId=second), "the second cannot be applied now")
    editor.states.clear()
    editor.state("applied", of=second)
    check(editor.buffers["a.c"] == "int a;\nlong b;\nlong c;\n", editor.buffers["a.c"])
    ends_well(editor)


def a_late_confirmation_is_not_a_refusal(program):
    """Some editors ask first, and hold their changes back after that."""
    editor = Editor(program)

    def late(e, edit):
        time.sleep(5.5)
        e.held = edit
        return {"applied": True}
    editor.on_apply = late
    editor.command("bodkin.apply", proposalId=editor.propose())
    editor.until("the edit", lambda: editor.asked)
    time.sleep(0.3)
    editor.take(editor.held)
    editor.state("applied")
    ends_well(editor)


ONLY_MOVE = "*** Begin Patch\n*** Update File: a.c\n*** Move to: b.c\n*** End Patch\n"


def a_file_that_only_moves_is_renamed_and_keeps_its_mode(program):
    for is_open, mode in ((True, 0o755), (False, 0o600)):
        editor = Editor(program, files={"a.c": TEXT}, texts=None if is_open else {})
        os.chmod(editor.folder + "/a.c", mode)
        editor.applied_with(lambda e, edit: e.take(edit), "applied", reply=ONLY_MOVE)
        check([each.get("kind") for each in editor.asked[0]["documentChanges"]] == ["rename"], str(editor.asked))
        check(os.listdir(editor.folder).count("a.c") == 0, "a.c is still there")
        check(os.stat(editor.folder + "/b.c").st_mode & 0o777 == mode, "the mode is lost")
        check(editor.buffers == ({"b.c": TEXT} if is_open else {}), str(editor.buffers))
        # And back.
        editor.states.clear()
        check("result" in editor.command("bodkin.undo"), "it cannot be undone")
        editor.state("discarded")
        check(os.stat(editor.folder + "/a.c").st_mode & 0o777 == mode, "the mode is lost")
        ends_well(editor)


def half_of_a_move_never_leaves_the_text_nowhere(program):
    literals = {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
                               "resolveSupport": {"properties": ["edit"]}}}
    editor = Editor(program, files={"a.c": TEXT}, text_document=literals)
    proposal = editor.propose(ONLY_MOVE)
    answer = editor.command("bodkin.apply", proposalId=proposal, hunks=[1])
    check("would be deleted" in answer.get("error", {}).get("message", ""), str(answer))
    answer = editor.request("codeAction/resolve", {"title": "x", "data": {"proposalId": proposal, "hunks": [1]}})
    check("would be deleted" in answer.get("error", {}).get("message", ""), str(answer))
    # What is left when the new file is discarded is no move, and no removal either.
    editor.command("bodkin.discard", proposalId=proposal, hunks=[0])
    check("error" in editor.command("bodkin.apply", proposalId=proposal), "it was applied")
    check(not editor.asked and editor.buffers == {"a.c": TEXT}, str(editor.asked))
    ends_well(editor)


def a_code_action_is_given_no_edit_that_a_command_would_not_send(program):
    """The edit of an action comes when it is resolved, or with the menu."""
    for resolves in (True, False):
        literals = {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}
        if resolves:
            literals["codeAction"]["resolveSupport"] = {"properties": ["edit"]}

        def gets(editor, proposal, **hunks):
            if resolves:
                answer = editor.request("codeAction/resolve", {"title": "x", "data": dict(hunks, proposalId=proposal)})
                check("edit" in answer.get("result", {}) or "Not applied" in answer["error"]["message"], str(answer))
                return "edit" in answer.get("result", {})
            return any("edit" in each for each in editor.actions(editor.uri("a.c"), 1))
        # A file stands where one is to be.
        editor = Editor(program, files={"a.c": TEXT}, text_document=literals)
        proposal = editor.propose(MOVE)
        check(gets(editor, proposal), "no edit at first")
        with open(editor.folder + "/b.c", "w") as out:
            out.write("int mine;\n")
        check(not gets(editor, proposal), "a move onto a file")
        ends_well(editor)
        # A file that is not open has changed on the disk.
        editor = Editor(program, files={"a.c": TEXT, "b.c": TEXT}, text_document=literals)
        both = "".join("%s\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n" % name for name in ("a.c", "b.c"))
        proposal = editor.propose(both)
        check(gets(editor, proposal), "no edit at first")
        with open(editor.folder + "/b.c", "w") as out:
            out.write("int a;\nchar b;\nint c;\n")
        if resolves:
            check(not gets(editor, proposal), "a text that has changed")
        else:  # only the hunk in the text that has not
            edits = [each["edit"] for each in editor.actions(editor.uri("a.c"), 1) if "edit" in each]
            check(all("b.c" not in json.dumps(edit) for edit in edits), str(edits))
        ends_well(editor)


def what_becomes_of_a_closed_file_is_seen_by_its_proposal(program):
    both = "".join("%s\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n" % name for name in ("a.c", "b.c"))
    editor = Editor(program, files={"a.c": TEXT, "b.c": TEXT})
    proposal = editor.propose(both)
    os.rename(editor.folder + "/b.c", editor.folder + "/elsewhere.c")
    editor.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": editor.uri("b.c"), "type": 3}]})
    content = editor.request("bodkin/proposalContent", {"proposalId": proposal, "uri": editor.uri("b.c")})["result"]
    check((content["pending"], len(content["changed"])) == (1, 1), str(content))
    # It comes back, as it does with a branch.
    os.rename(editor.folder + "/elsewhere.c", editor.folder + "/b.c")
    editor.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": editor.uri("b.c"), "type": 1}]})
    content = editor.request("bodkin/proposalContent", {"proposalId": proposal, "uri": editor.uri("b.c")})["result"]
    check((content["pending"], len(content["changed"])) == (2, 0), str(content))
    os.remove(editor.folder + "/b.c")
    check("result" in editor.command("bodkin.apply", proposalId=proposal), "apply was refused at once")
    message = editor.state("stale")["message"]
    check("(b.c, which is gone). Ask again, or apply the other" in message, message)
    check("result" in editor.command("bodkin.applyHunk", proposalId=proposal, hunks=[0]), "the other change was refused")
    ends_well(editor)


MOVE = "*** Begin Patch\n*** Update File: a.c\n*** Move to: b.c\n@@\n int a;\n-int b;\n+long b;\n int c;\n*** End Patch\n"


def a_file_that_is_renamed_is_found_under_its_new_name(program):
    editor = Editor(program)
    with open(editor.folder + "/a.c", "w") as out:
        out.write(TEXT)
    editor.applied_with(lambda e, edit: e.take(edit), "applied", reply=MOVE)
    check(editor.buffers == {"b.c": WANTED}, str(editor.buffers))
    ends_well(editor)


def a_rename_without_its_edit_is_not_applied(program):
    editor = Editor(program)
    with open(editor.folder + "/a.c", "w") as out:
        out.write(TEXT)

    def only_rename(e, edit):
        return e.take({"documentChanges": [each for each in edit["documentChanges"] if "kind" in each]})
    editor.applied_with(only_rename, "partly", "stale", "refused", "unknown", reply=MOVE)
    ends_well(editor)


def a_move_onto_a_file_that_came_to_be_is_stale(program):
    for is_open in (True, False):
        editor = Editor(program)
        with open(editor.folder + "/a.c", "w") as out:
            out.write(TEXT)
        proposal = editor.propose(MOVE)
        if is_open:
            editor.open("b.c", "int mine;\n")
        else:
            with open(editor.folder + "/b.c", "w") as out:
                out.write("int mine;\n")
        editor.command("bodkin.apply", proposalId=proposal)
        end = editor.state("stale")
        check("b.c already exists" in end["message"], end["message"])
        check(not editor.asked, str(editor.asked))
        ends_well(editor)


def a_file_that_was_added_to_is_not_removed(program):
    for move in ("*** Update File: a.c\n*** Move to: b.c\n", "*** Delete File: a.c\n"):
        editor = Editor(program)
        proposal = editor.propose("*** Begin Patch\n" + move + "*** End Patch\n")
        editor.change("a.c", TEXT + "int mine;\n")
        check("error" in editor.command("bodkin.apply", proposalId=proposal), "it was applied")
        check(not editor.asked, str(editor.asked))
        ends_well(editor)


def tests():
    return [(name.replace("_", " "), test) for name, test in globals().items()
            if callable(test) and getattr(test, "__module__", "") == __name__
            and name not in ("offset_of", "place", "Editor", "tests")]
