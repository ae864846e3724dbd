"""The commands: what they are given, which proposal they mean, what they answer, and undo. Each test is a
function of the program's path; its name is its sentence."""
import glob
import os
import re

from abuse import check, ends_well
from asks import Asker, turn
from editor import Editor, REPLY, TEXT, WANTED

TWO = ("a.c\n<<<<<<< SEARCH\nint a;\n=======\nlong a;\n>>>>>>> REPLACE\n"
       "<<<<<<< SEARCH\nint c;\n=======\nlong c;\n>>>>>>> REPLACE\n")
BOTH = "long a;\nint b;\nlong c;\n"
LATER = "a.c\n<<<<<<< SEARCH\nint c;\n=======\nlong c;\n>>>>>>> REPLACE\n"
NEW = "b.c\n<<<<<<< SEARCH\n=======\nint x;\n>>>>>>> REPLACE\n"
REMOVE = "*** Begin Patch\n*** Delete File: a.c\n*** End Patch\n"
MOVE = "*** Begin Patch\n*** Update File: a.c\n*** Move to: b.c\n@@\n int a;\n-int b;\n+long b;\n int c;\n*** End Patch\n"
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MALFORMED = [
    {"hunks": []}, {"hunks": ["1"]}, {"hunk": "1"}, {"hunks": "0"}, {"hunks": 0}, {"hunks": [-1]}, {"hunks": [0.5]},
    {"hunks": [0, 0]}, {"hunks": [7]}, {"hunks": [18446744073709551616]}, {"hunks": [4294967296]}, {"hunks": None},
    {"hunks": [None]}, {"hunks": {}}, {"hunks": [[0]]}, {"hunk": 7}, {"hunk": -1}, {"hunk": None}, {"hunk": 0, "hunks": [1]},
    {"Hunks": [0]}, {"hunk_index": 0}, {"id": "p1"}, {"proposalId": ""}, {"proposalId": "p99"}, {"proposalId": 1},
    {"proposalId": None}, {"proposalId": ["p1"]}, [], "p1", 7, True, [{}]]


def execute(editor, command, *arguments):
    return editor.request("workspace/executeCommand", {"command": command, "arguments": list(arguments)})


def the_clients_use_only_commands_and_methods_that_the_server_has(program):
    editor = Editor(program)
    served = editor.initialized["capabilities"]["executeCommandProvider"]["commands"]
    ends_well(editor)
    read = lambda *paths: "".join(open(path).read() for path in paths)
    declared = read(ROOT + "/lsp/protocol/extensions.h", ROOT + "/agent/models/providers/editor_model.h")
    vscode, nvim = ROOT + "/clients/vscode/src/", ROOT + "/clients/nvim/lua/bodkin/"
    sent = (set(re.findall(r'^  \w+: "(bodkin\.\w+)"', read(vscode + "extensions.ts"), re.M)) |
            set(re.findall(r'(?:execute\(client, |command\(proposal, |show\()"(bodkin\.\w+)"', read(*glob.glob(nvim + "*.lua")))))
    check(len(sent) > 10, "the clients' commands are not found: %s" % sent)
    check(not sent - set(served), "the server does not have %s" % (sent - set(served)))
    methods = set(re.findall(r'"((?:\$/)?bodkin/[\w/]+)"', read(vscode + "extensions.ts", *glob.glob(nvim + "*.lua"))))
    unknown = [method for method in methods if '"%s"' % method not in declared]
    check(len(methods) > 10 and not unknown, "neither lsp/protocol/extensions.h nor the editor's model has %s" % unknown)


def malformed_arguments_apply_and_discard_nothing(program):
    editor = Editor(program)
    proposal = editor.propose(TWO)
    for command in ("bodkin.apply", "bodkin.applyHunk", "bodkin.discard"):
        for argument in MALFORMED:
            if isinstance(argument, dict) and "proposalId" not in argument:
                argument = dict(argument, proposalId=proposal)
            answer = execute(editor, command, argument)
            check("error" in answer and answer["error"]["message"].endswith("."), "%s %s: %s" % (command, argument, answer))
        for arguments in ([{"proposalId": proposal}, {}], [{}, {}]):
            check("error" in execute(editor, command, *arguments), "%s took %s" % (command, arguments))
        for arguments in ({"proposalId": proposal}, proposal, 7):
            answer = editor.request("workspace/executeCommand", {"command": command, "arguments": arguments})
            check("error" in answer, "%s took %s" % (command, arguments))
    listed = editor.request("bodkin/listProposals", {})["result"]["proposals"]
    check(listed[0]["state"] == "ready" and not editor.asked and not editor.states, str(listed) + str(editor.states))
    check("result" in editor.command("bodkin.applyHunk", proposalId=proposal, hunk=1), "one hunk is not taken")
    editor.state("partly")
    check(editor.buffers["a.c"] == "int a;\nint b;\nlong c;\n", editor.buffers["a.c"])
    ends_well(editor)


def malformed_arguments_of_every_other_command_and_request_do_nothing(program):
    editor = Asker(program, [turn("Never.")])
    uri = {"uri": editor.uri("a.c")}
    place = lambda a, b, c, d: {"start": {"line": a, "character": b}, "end": {"line": c, "character": d}}
    asked = {"textDocument": uri, "prompt": "x"}
    cases = [
        ("bodkin.ask", dict(asked, range=place(2, 0, 1, 0))), ("bodkin.ask", dict(asked, range=place(1, 5, 1, 4))),
        ("bodkin.ask", dict(asked, range=place(-1, 0, 1, 0))), ("bodkin.ask", dict(asked, range=place(0, "0", 1, 0))),
        ("bodkin.ask", dict(asked, range=place(900, 0, 901, 0))), ("bodkin.ask", dict(asked, range={})),
        ("bodkin.ask", dict(asked, range=None)), ("bodkin.ask", {"prompt": "x", "range": place(0, 0, 1, 0)}),
        ("bodkin.ask", dict(asked, textDocument=uri["uri"])), ("bodkin.ask", dict(asked, textDocument={})),
        ("bodkin.ask", dict(asked, textDocument={"uri": editor.uri("closed.c")})),
        ("bodkin.ask", dict(asked, prompt=["x"])), ("bodkin.ask", dict(asked, profile="shout")),
        ("bodkin.ask", dict(asked, profile="")), ("bodkin.ask", dict(asked, sessionId="")),
        ("bodkin.ask", dict(asked, sessionId="session-99")), ("bodkin.ask", dict(asked, attachments="file:///a")),
        ("bodkin.ask", dict(asked, attachments=[5])), ("bodkin.ask", dict(asked, proposalId="")),
        ("bodkin.ask", dict(asked, proposalId="p1")), ("bodkin.ask", {"prompt": "x", "proposalId": "p99"}),
        ("bodkin.ask", dict(asked, prompts="x")), ("bodkin.ask", dict(asked, diagnostics=[])),
        ("bodkin.fix", {}), ("bodkin.fix", {"textDocument": uri}), ("bodkin.fix", {"textDocument": uri, "diagnostics": []}),
        ("bodkin.fix", {"textDocument": uri, "diagnostics": ["x"]}), ("bodkin.fix", {"textDocument": uri, "diagnostics": [{}]}),
        ("bodkin.copyPrompt", {"textDocument": uri, "range": place(3, 0, 2, 0)}), ("bodkin.copyPrompt", {"prompt": 5}),
        ("bodkin.applyReply", {}), ("bodkin.applyReply", {"text": ""}), ("bodkin.applyReply", {"text": [REPLY]}),
        ("bodkin.applyReply", {"text": REPLY, "path": "a.c"}), ("bodkin.showDiff", {}), ("bodkin.showDiff", {"proposalId": "p1"}),
        ("bodkin.undo", {}), ("bodkin.undo", {"proposalId": "p1"}), ("bodkin.undo", {"proposalId": 1}),
        ("bodkin.cancel", {}), ("bodkin.cancel", {"askId": "ask-99"}), ("bodkin.cancel", {"askId": ""}), ("bodkin.cancel", {"ask": "ask-1"}),
        ("bodkin.answer", {}), ("bodkin.answer", {"questionId": "q1"}), ("bodkin.answer", {"questionId": "q1", "choice": "yes"}),
        ("bodkin.answer", {"questionId": "q1", "choice": "always"}), ("bodkin.status", {"x": 1}), ("bodkin.newSession", {"name": "x"}),
        ("bodkin.usage", [1]), ("bodkin.showLog", {"lines": 5}), ("bodkin.selectModel", {"name": "x"}),
        ("bodkin.selectModel", {"provider": ""}), ("bodkin.selectModel", {"provider": "nobody"}), ("bodkin.selectModel", {"endpoint": "http://x"}),
        ("bodkin.check", {"deep": True})]
    for command, argument in cases:
        answer = execute(editor, command, argument)
        check("error" in answer and answer["error"]["message"].endswith((".", "?", "}.")), "%s %s: %s" % (command, argument, answer))
    for method, params in (("bodkin/status", {"x": 1}), ("bodkin/listProposals", {"all": True}), ("bodkin/proposalContent", {}),
                           ("bodkin/proposalContent", {"proposalId": "p1"}), ("bodkin/proposalContent", {"proposalId": "", "uri": uri["uri"]})):
        check("error" in editor.request(method, params), "%s took %s" % (method, params))
    # A token that is almost ours cancels nothing.
    editor.notify("window/workDoneProgress/cancel", {"token": "bodkin/"})
    check(not editor.of("bodkin/didEndAsk") and not editor.of("bodkin/proposal"), "something happened")
    check(editor.command("bodkin.status")["result"]["asks"] == [], "something runs")
    ends_well(editor)


def a_malformed_code_action_gets_no_edit(program):
    editor = Editor(program)
    proposal = editor.propose(TWO)
    for data in ({"proposalId": proposal, "hunks": []}, {"proposalId": proposal, "hunks": ["0"]}, {"proposalId": proposal, "hunk": "0"}, [], 5):
        answer = editor.request("codeAction/resolve", {"title": "x", "data": data})
        check("edit" not in answer.get("result", {}), "%s: %s" % (data, answer))
    answer = editor.request("codeAction/resolve", {"title": "x", "data": {"proposalId": proposal, "hunks": [1]}})
    check(len(answer["result"]["edit"]["documentChanges"][0]["edits"]) == 1, str(answer))
    ends_well(editor)


def what_was_undone_or_discarded_comes_back(program):
    editor = Editor(program)
    check("Nothing to redo" in editor.command("bodkin.redo")["error"]["message"], "something was redone")
    first, second = editor.propose(), editor.propose(LATER)
    editor.command("bodkin.discard", proposalId=first)
    editor.command("bodkin.discard", proposalId=second)
    # The last one first, then the one before.
    for proposal in (second, first):
        editor.states.clear()
        check(editor.command("bodkin.redo")["result"] == {"state": "ready", "proposalId": proposal}, proposal)
        editor.until("the proposal", lambda: any(
            (s["proposalId"], s["state"]) == (proposal, "ready") for s in editor.states))
    check("Nothing to redo" in editor.command("bodkin.redo")["error"]["message"], "something was redone")
    check("neither undone nor discarded" in editor.command("bodkin.redo", proposalId=first)["error"]["message"], first)
    editor.command("bodkin.apply", proposalId=first)
    editor.state("applied", of=first)
    applied = editor.buffers["a.c"]
    editor.command("bodkin.undo", proposalId=first)
    editor.state("discarded", of=first)
    editor.states.clear()
    check(editor.command("bodkin.redo")["result"]["state"] == "applying", "what was undone is not applied again")
    editor.state("applied", of=first)
    check(editor.buffers["a.c"] == applied, editor.buffers["a.c"])
    # One whose text has changed since says so, and takes no other text for it.
    editor.command("bodkin.discard", proposalId=second)
    editor.change("a.c", "int z;\n" + editor.buffers["a.c"].replace("int c", "char c"))
    answer = editor.command("bodkin.redo", proposalId=second)
    check("changed" in answer.get("error", {}).get("message", ""), str((answer, editor.buffers, editor.states[-2:])))
    check("char c" in editor.buffers["a.c"], editor.buffers["a.c"])
    ends_well(editor)


def no_older_proposal_is_taken_for_the_newest(program):
    editor = Editor(program)
    first, second = editor.propose(), editor.propose(LATER)
    # Stale.
    editor.change("a.c", TEXT.replace("int c", "char c"))
    for command in ("bodkin.apply",):
        answer = editor.command(command)
        check("a.c" in answer["error"]["message"] and "“" in answer["error"]["message"] and "changed" in answer["error"]["message"], str(answer))
    check(not editor.asked, "an edit was sent")
    editor.command("bodkin.discard")
    check("discarded" in editor.command("bodkin.apply")["error"]["message"], "an older one was taken")
    check("discarded" in editor.command("bodkin.discard")["error"]["message"], "an older one was thrown away")
    states = {p["id"]: p["state"] for p in editor.request("bodkin/listProposals", {})["result"]["proposals"]}
    check(states == {first: "ready", second: "discarded"}, str(states))
    # The one that is shown is meant.
    check("result" in editor.command("bodkin.showDiff"), "the older one is not shown")
    editor.states.clear()
    check("result" in editor.command("bodkin.apply"), "what is shown is not meant")
    editor.state("applied", of=first)
    check(editor.buffers["a.c"] == "int a;\nlong b;\nchar c;\n", editor.buffers["a.c"])
    # Twice is not once more.
    check("already applied" in editor.command("bodkin.apply")["error"]["message"], "applied twice")
    check("already applied" in editor.command("bodkin.apply", proposalId=first)["error"]["message"], "applied twice")
    check("already applied" in editor.command("bodkin.discard", proposalId=first)["error"]["message"], "what is applied was discarded")
    check("nothing left to show" in editor.command("bodkin.showDiff", proposalId=first)["error"]["message"], "an empty diff")
    check("left to refine" in editor.command("bodkin.ask", prompt="x", proposalId=second)["error"]["message"], "refined")
    ends_well(editor)


def an_apply_that_meets_another_edit_on_its_way_says_so(program):
    """Both commands are answered before either edit leaves."""
    editor = Editor(program)
    first, second = editor.propose(), editor.propose(LATER)
    for number, proposal in ((5001, first), (5002, second)):
        editor.send({"jsonrpc": "2.0", "id": number, "method": "workspace/executeCommand",
                     "params": {"command": "bodkin.apply", "arguments": [{"proposalId": proposal}]}})
    answers = lambda: {m["id"]: m for m in editor.heard if m.get("id") in (5001, 5002)}
    editor.until("both answers", lambda: len(answers()) == 2)
    editor.state("applied", of=first)
    told = [s["message"] for s in editor.states if s["proposalId"] == second]
    refused = answers()[5002].get("error", {}).get("message", "")
    applied = [s for s in editor.states if s["proposalId"] == second and s["state"] == "applied"]
    check(applied or "has not yet finished" in refused or any("has not yet finished" in t for t in told), "silence: %s %s" % (told, answers()))
    ends_well(editor)


def cancel_says_what_it_did(program):
    editor = Asker(program, [turn("Later.", delay=600_000)])
    ask = editor.ask("Wait.")["askId"]
    check("error" in editor.command("bodkin.cancel", askId="ask-99"), "an unknown ask was cancelled")
    check(editor.command("bodkin.cancel", askId=ask)["result"]["state"] == "cancelled", "not cancelled")
    editor.end("cancelled")
    check(ask in editor.command("bodkin.cancel", askId=ask)["error"]["message"], "it was cancelled again")
    check("Nothing to cancel" in editor.command("bodkin.cancel")["error"]["message"], "nothing was cancelled")
    ends_well(editor)


def undo_takes_back_what_was_applied_last_and_it_is_rejected(program):
    editor = Editor(program)
    check("Nothing to undo" in editor.command("bodkin.undo")["error"]["message"], "nothing was undone")
    older, last = editor.propose(), editor.propose(LATER)
    for proposal in (last, older):
        editor.states.clear()
        editor.command("bodkin.apply", proposalId=proposal)
        editor.state("applied", of=proposal)
    editor.states.clear()
    check("result" in editor.command("bodkin.undo"), "undo was refused")
    check(editor.state("discarded", of=older)["message"] == "Undone.", str(editor.states))
    check(editor.buffers["a.c"] == "int a;\nint b;\nlong c;\n", editor.buffers["a.c"])
    for command in ("apply", "undo"):
        answer = editor.command("bodkin." + command, **({"proposalId": older} if command == "undo" else {}))
        check("error" in answer, "%s after undo: %s" % (command, answer))
    # By its id it is done again.
    editor.states.clear()
    check("result" in editor.command("bodkin.apply", proposalId=older), "it cannot be applied again")
    editor.state("applied", of=older)
    check(editor.buffers["a.c"] == "int a;\nlong b;\nlong c;\n", editor.buffers["a.c"])
    for proposal in (older, last):
        editor.states.clear()
        check("result" in editor.command("bodkin.undo"), "undo was refused")
        editor.state("discarded", of=proposal)
    check(editor.buffers["a.c"] == TEXT, editor.buffers["a.c"])
    check(not [a for a in editor.actions(editor.uri("a.c"), 1) if "Apply" in a["title"]], "it is offered again")
    ends_well(editor)


def changes_of_the_same_lines_are_undone_one_after_the_other(program):
    editor = Editor(program)
    made = []
    for old, now in (("int b;", "long b;"), ("long b;", "short b;")):
        made.append(editor.propose("a.c\n<<<<<<< SEARCH\n%s\n=======\n%s\n>>>>>>> REPLACE\n" % (old, now)))
        editor.states.clear()
        editor.command("bodkin.apply", proposalId=made[-1])
        editor.state("applied", of=made[-1])
    for proposal, left in ((made[1], TEXT.replace("int b", "long b")), (made[0], TEXT)):
        editor.states.clear()
        check("result" in editor.command("bodkin.undo", proposalId=proposal), "undo of %s was refused" % proposal)
        editor.state("discarded", of=proposal)
        check(editor.buffers["a.c"] == left, editor.buffers["a.c"])
    ends_well(editor)


def an_undo_that_comes_as_one_change_is_seen(program):
    """`change` sends the whole text, as some editors do; what differs lies in both hunks."""
    editor = Editor(program)
    proposal = editor.propose(TWO)
    editor.command("bodkin.apply", proposalId=proposal)
    editor.state("applied")
    editor.states.clear()
    check("result" in editor.command("bodkin.undo"), "undo was refused")
    check(editor.state("discarded")["message"] == "Undone.", str(editor.states))
    check(editor.buffers["a.c"] == TEXT, editor.buffers["a.c"])
    # The editor's own redo and undo, with something typed above meanwhile.
    editor.states.clear()
    editor.change("a.c", "// x\n" + TEXT)
    editor.change("a.c", "// x\n" + BOTH)
    editor.until("the redo", lambda: [s for s in editor.states if s["state"] == "applied"])
    editor.states.clear()
    editor.change("a.c", "// x\n" + TEXT)
    editor.until("the undo", lambda: [s for s in editor.states if s["state"] == "discarded"])
    ends_well(editor)


def undo_brings_back_files_that_were_created_deleted_or_renamed(program):
    for reply, after, before in ((NEW, {"a.c": TEXT, "b.c": "int x;\n"}, {"a.c": TEXT}), (REMOVE, {}, {"a.c": TEXT}),
                                 (MOVE, {"b.c": WANTED}, {"a.c": TEXT})):
        editor = Editor(program, files={"a.c": TEXT})

        def take(e, edit):
            done = e.take(edit)
            for name in ("a.c", "b.c"):  # as an editor that writes what it did
                if name in e.buffers:
                    with open(e.folder + "/" + name, "w") as out:
                        out.write(e.buffers[name])
                elif os.path.exists(e.folder + "/" + name):
                    os.remove(e.folder + "/" + name)
            return done
        editor.applied_with(take, "applied", reply=reply)
        check(editor.buffers == after, "applied: " + str(editor.buffers))
        editor.states.clear()
        answer = editor.command("bodkin.undo")
        check("result" in answer, str(answer))
        check(editor.state("discarded")["message"] == "Undone.", str(editor.states))
        check(editor.buffers == before, "undone: " + str(editor.buffers))
        # And again.
        undone = editor.states[-1]["proposalId"]
        editor.states.clear()
        check("result" in editor.command("bodkin.apply", proposalId=undone), "it cannot be applied again")
        editor.state("applied")
        check(editor.buffers == after, "applied again: " + str(editor.buffers))
        ends_well(editor)


def a_deleted_file_may_stay_open_for_a_while(program):
    editor = Editor(program, files={"a.c": TEXT})

    def remove(e, _):
        os.remove(e.folder + "/a.c")
        return {"applied": True}  # its buffer is closed later
    editor.applied_with(remove, "applied", reply=REMOVE)
    check("other changes" not in editor.states[-1]["message"], str(editor.states))
    editor.close("a.c")
    ends_well(editor)


def undo_never_takes_away_what_was_written_since(program):
    editor = Editor(program)
    editor.applied_with(lambda e, edit: e.take(edit), "applied", reply=NEW)
    editor.change("b.c", "int x;\nint mine;\n")
    count = len(editor.asked)
    answer = editor.command("bodkin.undo", proposalId=editor.states[-1]["proposalId"])
    check("b.c" in answer["error"]["message"] and "since" in answer["error"]["message"], str(answer))
    check(len(editor.asked) == count, "an edit was sent")
    ends_well(editor)
    editor = Editor(program, files={"a.c": TEXT})

    def remove(e, edit):
        os.remove(e.folder + "/a.c")
        return e.take(edit)
    editor.applied_with(remove, "applied", reply=REMOVE)
    with open(editor.folder + "/a.c", "w") as out:
        out.write("int another;\n")
    count = len(editor.asked)
    answer = editor.command("bodkin.undo", proposalId=editor.states[-1]["proposalId"])
    check("error" in answer and "a.c" in answer["error"]["message"], str(answer))
    check(len(editor.asked) == count, "an edit was sent")
    ends_well(editor)


def undo_says_what_the_editor_cannot_do(program):
    editor = Editor(program, workspace={"workspaceEdit": {"documentChanges": True}})
    editor.applied_with(lambda e, edit: e.open("b.c", "int x;\n") or {"applied": True}, "applied", reply=NEW)
    answer = editor.command("bodkin.undo")
    check("resourceOperations" in answer["error"]["message"] and "b.c" in answer["error"]["message"], str(answer))
    ends_well(editor)


def what_was_undone_meanwhile_gets_no_verdict(program):
    """The diagnostics of an applied edit are waited for; undone before they came, there is nothing to say."""
    editor = Editor(program, options={"verify.timeoutMs": 300})
    proposal = editor.propose()
    editor.notify("bodkin/didChangeDiagnostics", {"uri": editor.uri("a.c"), "documentVersion": 1, "sequence": 1, "diagnostics": []})
    editor.command("bodkin.apply", proposalId=proposal)
    editor.state("applied")
    editor.states.clear()
    editor.command("bodkin.undo")
    editor.until("the undo", lambda: [s for s in editor.states if s["message"] == "Undone."])
    # A second proposal gets its verdict after the first would have.
    second = editor.propose(LATER)
    editor.command("bodkin.apply", proposalId=second)
    editor.until("its verdict", lambda: [s for s in editor.states if s["proposalId"] == second and "checked" in s["message"]])
    last = [s for s in editor.states if s["proposalId"] == proposal][-1]
    check(last["message"] == "Undone." and last["state"] == "discarded", str(last))
    ends_well(editor)


def no_question_holds_an_action_that_changes_files(program):
    editor = Editor(program, proposals=False, window={"showMessage": {"messageActionItem": {}}})
    editor.propose()
    check(not [m for m in editor.heard if m.get("method") == "window/showMessageRequest"], "a question popped up")
    told = [m["params"]["message"] for m in editor.heard if m.get("method") == "window/showMessage"]
    check(len(told) == 1 and "code actions" in told[0], str(told))
    ends_well(editor)


def an_offer_to_repair_does_not_pop_up(program):
    problem = {"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 4}}, "severity": 1, "source": "x", "message": "broken"}
    editor = Asker(program, [turn(REPLY), turn("Mended.")], {"verify.timeoutMs": 5000},
                   window={"showMessage": {"messageActionItem": {}}})
    report = lambda sequence, version, *found: editor.notify("bodkin/didChangeDiagnostics", {
        "uri": editor.uri("a.c"), "documentVersion": version, "sequence": sequence, "diagnostics": list(found)})
    report(1, 1)
    editor.ask()
    editor.end("proposal")
    editor.command("bodkin.apply")
    editor.state("applied")
    report(2, editor.versions["a.c"], problem)
    mend = lambda: [a for a in editor.actions(editor.uri("a.c")) if "Allow once: Repair" in a["title"]]
    editor.until("the offer", lambda: [m for m in editor.of("window/showMessage") if "Repair" in m["message"]])
    check(not editor.of("window/showMessageRequest"), "a question popped up")
    check(not [a for a in editor.actions(editor.uri("a.c")) if "for this session: Repair" in a["title"]], "for the session")
    check(editor.run(mend()[0])["result"]["state"] == "allowed", "it is not repaired")
    editor.end("answer", "proposal", count=2)
    ends_well(editor)


def a_repair_says_nothing_of_a_private_file(program):
    at = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 4}}
    problem = lambda message: {"range": at, "severity": 1, "source": "x", "message": message}
    editor = Asker(program, [turn(REPLY), turn("Mended.", expect=["broken here"], absent=["secret_key", "keys.c"])],
                   {"verify.timeoutMs": 5000}, files={"a.c": TEXT, "keys.c": "int secret_key;\n", ".bodkinignore": "keys.c\n"},
                   window={"showMessage": {"messageActionItem": {}}})
    report = lambda sequence, path, version, *found: editor.notify("bodkin/didChangeDiagnostics", {
        "uri": editor.uri(path), "documentVersion": version, "sequence": sequence, "diagnostics": list(found)})
    report(1, "a.c", 1)
    editor.ask()
    editor.end("proposal")
    editor.command("bodkin.apply")
    editor.state("applied")
    report(2, "keys.c", None, problem("secret_key has another type"))
    report(3, "a.c", editor.versions["a.c"], problem("broken here"))
    editor.until("the offer", lambda: [m for m in editor.of("window/showMessage") if "Repair" in m["message"]])
    offers = [a for a in editor.actions(editor.uri("a.c")) if "Allow once: Repair" in a["title"]]
    check(editor.run(offers[0])["result"]["state"] == "allowed", "it is not repaired")
    editor.end("answer", "proposal", count=2)
    ends_well(editor)


def tests():
    return [(name.replace("_", " "), test) for name, test in globals().items()
            if callable(test) and getattr(test, "__module__", "") == __name__ and name not in ("execute", "tests")]
