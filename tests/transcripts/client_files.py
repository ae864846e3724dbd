"""Files that are closed, made, moved or removed while an edit is on its way. Each test is a function of the
program's path."""
import json
import os
import time

from run import Failure
from abuse import check, ends_well
from editor import Editor, TEXT, WANTED


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
            if callable(test) and getattr(test, "__module__", "") == __name__ and name not in ("place", "tests")]
