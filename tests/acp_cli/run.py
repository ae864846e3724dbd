#!/usr/bin/env python3
"""Runs `bodkin acp` with a replayed model, on real folders, as editors do that have the Agent Client Protocol.

    python3 tests/acp_cli/run.py BODKIN [PART_OF_A_NAME…]

Each test is a function of a Case (case.py), here or in a module beside this one; what an editor does is in
client.py. The last line is the sum. nightly.sh validates the messages by the protocol's schema.
"""
import base64
import json
import os
import pathlib
import pty
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import attached_tests  # noqa: E402
import session_tests  # noqa: E402
import told_tests  # noqa: E402
import written_tests  # noqa: E402
from case import FILES, ONE, READ, TEXT, WIDE, WIDER, Case, edit, turn  # noqa: E402
from cli_support import run_all  # noqa: E402
from client import check, environment_of  # noqa: E402


def test_a_turn_with_an_answer(case):
    editor = case.editor([turn("It declares eight numbers.")])
    check(editor.turn("What is this?") == "end_turn", "it ended otherwise")
    check(editor.words() == "It declares eight numbers.", editor.words())
    chunk = editor.updates("agent_message_chunk")[0]
    check(chunk["messageId"], "no message id")
    check(not editor.permissions(), "asked for nothing")
    check(editor.end() == 0, "exit code")


def test_initialize_says_what_it_can(case):
    editor = case.editor([], start=False)
    for version in (1, 2, 99):
        result = editor.call("initialize", protocolVersion=version, clientCapabilities={"elicitation": {}, "x": [1]})
        check(result["protocolVersion"] == 1, "only version 1 is spoken")
    check(result["agentInfo"]["name"] == "bodkin" and result["authMethods"] == [], result)
    check(result["agentCapabilities"]["loadSession"] is True, result)


def test_a_proposal_is_asked_about_once_and_applied(case):
    editor = case.editor(WIDER)
    check(editor.turn("wider") == "end_turn", "it ended otherwise")
    check(case.get() == WIDE, case.get())
    asked = editor.permissions()
    check(len(asked) == 1, "%d questions" % len(asked))
    call = asked[0]["toolCall"]
    diffs = [each for each in call["content"] if each["type"] == "diff"]
    check([(d["oldText"], d["newText"]) for d in diffs] == [(TEXT, WIDE)], diffs)
    check(diffs[0]["path"] == str(case.root / "a.c"), diffs[0]["path"])
    check([each["line"] for each in call["locations"]] == [2, 7], call["locations"])
    check(call["kind"] == "edit" and call["title"] == "Edit a.c", call)
    check("bodkin/verification" in call["_meta"], call)
    kinds = [each["kind"] for each in asked[0]["options"]]
    check(kinds == ["allow_once", "allow_always", "reject_once"], kinds)
    last = [u for u in editor.updates("tool_call_update") if u["toolCallId"] == call["toolCallId"]][-1]
    check(last["status"] == "completed" and last["kind"] == "edit" and last["locations"], last)


def test_a_command_shows_its_exit_code_and_its_last_lines(case):
    call = {"name": "run_command", "arguments": {"command": "seq 30; exit 3"}}
    editor = case.editor([turn("", [call]), turn("Done.")], settings={"agent.permissions": {"run": "allow"}})
    editor.turn("count")
    texts = [each["content"]["text"] for update in editor.updates("tool_call_update") for each in update.get("content", [])]
    check(texts == ["```\n… 20 lines above left out\n%s```\nexit 3" % "".join("%d\n" % n for n in range(21, 31))], texts)


def test_every_call_ends_and_the_answer_comes_last(case):
    editor = case.editor(WIDER)
    number = editor.prompt("wider")
    editor.result(number)
    check("id" in editor.log[-1][1] and "method" not in editor.log[-1][1], "the answer is not the last message")
    state = {}
    for update in editor.updates():
        if "toolCallId" in update:
            check(update["sessionUpdate"] == "tool_call" or update["toolCallId"] in state, "an unknown call")
            state[update["toolCallId"]] = update.get("status", state.get(update["toolCallId"]))
    check(set(state.values()) <= {"completed", "failed"}, state)
    order = [m.get("method") or m.get("id") for way, m in editor.log if way == "in"]
    check(order.index(2) < order.index("session/update"), "an update came before the session's id")


def test_discard_changes_nothing_and_says_so(case):
    editor = case.editor(ONE)
    editor.answers["session/request_permission"] = lambda p: {"outcome": {"outcome": "selected", "optionId": "discard"}}
    check(editor.turn("wider") == "end_turn", "a rejection does not cancel the turn")
    check(case.get() == TEXT, "it changed")
    check("nothing was changed" in editor.words(), editor.words())


def test_an_unknown_answer_is_no_permission(case):
    for answer in ({"outcome": {"outcome": "selected", "optionId": "yes"}}, {"outcome": {"outcome": "granted"}}, {},
                   {"outcome": "selected"}):
        editor = case.editor(ONE)
        editor.answers["session/request_permission"] = lambda p: answer
        check(editor.turn("wider") == "end_turn", "it ended otherwise")
        check(case.get() == TEXT, "%s was taken as a permission" % answer)


def test_cancel_while_a_permission_is_open(case):
    editor = case.editor(ONE)
    editor.answers["session/request_permission"] = lambda p: None
    number = editor.prompt("wider")
    asked = editor.until(lambda m: m.get("method") == "session/request_permission")
    editor.notify("session/cancel", sessionId=editor.session)
    check(editor.result(number)["stopReason"] == "cancelled", "not cancelled")
    told = [m["params"] for way, m in editor.log if m.get("method") == "$/cancel_request" and way == "in"]
    check(told == [{"requestId": asked["id"]}], told)
    # An answer that comes too late changes nothing.
    editor.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"outcome": {"outcome": "selected", "optionId": "apply"}}})
    check(editor.end() == 0 and case.get() == TEXT, "it changed")


def test_a_permission_that_is_cancelled_cancels_the_turn(case):
    editor = case.editor(ONE)
    editor.answers["session/request_permission"] = lambda p: {"outcome": {"outcome": "cancelled"}}
    check(editor.turn("wider") == "cancelled", "not cancelled")
    check(case.get() == TEXT, "it changed")


def test_cancel_request_of_the_prompt(case):
    editor = case.editor(ONE)
    editor.answers["session/request_permission"] = lambda p: None
    number = editor.prompt("wider")
    editor.until(lambda m: m.get("method") == "session/request_permission")
    editor.notify("$/cancel_request", requestId=number)
    check(editor.result(number, error=True)["code"] == -32800, "another error")
    editor.answers.clear()
    check(editor.call("session/list", cwd=str(case.root)) is not None and case.get() == TEXT, "it changed")


def test_the_next_prompt_cancels_the_turn(case):
    editor = case.editor(ONE + [turn("Hello.")])
    editor.answers["session/request_permission"] = lambda p: None
    first = editor.prompt("wider")
    editor.until(lambda m: m.get("method") == "session/request_permission")
    second = editor.prompt("hello")
    check(editor.result(first)["stopReason"] == "cancelled", "the first goes on")
    check(editor.result(second)["stopReason"] == "end_turn", "the second did not run")
    check(case.get() == TEXT, "it changed")


def test_cancel_reaches_the_prompt_that_waits(case):
    editor = case.editor(ONE + ONE, **FILES)
    editor.answers["fs/read_text_file"] = lambda p: None
    first = editor.prompt("wider")
    editor.until(lambda m: m.get("method") == "fs/read_text_file")
    editor.answers.clear()
    second = editor.prompt("wider")
    editor.notify("session/cancel", sessionId=editor.session)
    reasons = {}
    while len(reasons) < 2:
        message = editor.until(lambda m: m.get("id") in (first, second) and "method" not in m)
        reasons[message["id"]] = message["result"]["stopReason"]
    check(reasons == {first: "cancelled", second: "cancelled"}, reasons)
    check(case.get() == TEXT and not editor.permissions(), "it went on")


def test_the_session_s_edits_can_be_allowed(case):
    editor = case.editor(ONE + [turn("", [edit("int c;", "long c;")]), turn("Done.")])
    editor.answers["session/request_permission"] = lambda p: {"outcome": {"outcome": "selected", "optionId": next(
        o["optionId"] for o in p["options"] if o["kind"] == "allow_always")}}
    editor.turn("wider")
    editor.turn("c, too")
    check(case.get() == TEXT.replace("int b", "long b").replace("int c", "long c"), case.get())
    check(len(editor.permissions()) == 1, "asked again")


def test_an_option_that_was_not_offered_is_no_permission(case):
    editor = case.editor(ONE, settings={"workspace.trusted": []})
    editor.answers["session/request_permission"] = lambda p: {"outcome": {"outcome": "selected", "optionId": "apply_session"}}
    editor.turn("wider")
    check(case.get() == TEXT and "Unknown answer" in editor.words(), editor.words())


def test_confirm_ends_what_was_allowed_for_the_session(case):
    editor = case.editor(ONE + [turn("", [edit("int c;", "long c;")]), turn("Done.")])
    editor.answers["session/request_permission"] = lambda p: {"outcome": {
        "outcome": "selected", "optionId": "discard" if len(editor.permissions()) > 1 else "apply_session"}}
    editor.turn("wider")
    editor.call("session/set_mode", sessionId=editor.session, modeId="confirm")
    editor.turn("c, too")
    check(case.get() == TEXT.replace("int b", "long b") and len(editor.permissions()) == 2, case.get())


def test_an_untrusted_folder_always_asks(case):
    editor = case.editor(ONE, settings={"workspace.trusted": [], "agent.mode": "auto"})
    editor.turn("wider")
    kinds = [each["kind"] for each in editor.permissions()[0]["options"]]
    check(kinds == ["allow_once", "reject_once"], kinds)


def test_mode_auto_applies_without_a_question(case):
    editor = case.editor(ONE)
    editor.call("session/set_mode", sessionId=editor.session, modeId="auto")
    update = editor.until(lambda m: m.get("method") == "session/update")["params"]["update"]
    check(update["configOptions"][0]["currentValue"] == "auto", update)
    editor.turn("wider")
    check(not editor.permissions() and case.get() == TEXT.replace("int b", "long b"), case.get())


def test_options_are_kept_in_step(case):
    editor = case.editor([turn("Hm.")])
    result = editor.call("session/set_config_option", sessionId=editor.session, configId="mode", value="plan")
    check(result["configOptions"][0]["currentValue"] == "plan", result)
    update = editor.until(lambda m: m.get("method") == "session/update")["params"]["update"]
    check(update == {"sessionUpdate": "current_mode_update", "currentModeId": "plan"}, update)
    for method, params in (("session/set_mode", {"modeId": "human"}),
                           ("session/set_config_option", {"configId": "mode", "value": True}),
                           ("session/set_config_option", {"configId": "model", "value": "no/such"})):
        error = editor.result(editor.request(method, sessionId=editor.session, **params), error=True)
        check(error["code"] == -32602, error)
        check(method != "session/set_mode" or "Unknown mode human; choose one of availableModes" in error["message"], error)


def test_unsaved_text_is_seen_and_kept(case):
    editor = case.editor([READ, turn("", [edit("int x;", "long x;")]), turn("x is wider.")], **FILES)
    path = str(case.root / "a.c")
    editor.buffers[path] = TEXT + "int x;\n"
    check(editor.turn("wider") == "end_turn", "it ended otherwise")
    check(case.get() == TEXT + "long x;\n", case.get())
    writes = [p for m, p in editor.asked if m == "fs/write_text_file"]
    check([w["content"] for w in writes] == [TEXT + "long x;\n"], writes)


def test_without_unsaved_text_we_write_and_line_ends_stay(case):
    crlf = TEXT.replace("\n", "\r\n")[:-2]  # without the last line end
    case.put("a.c", crlf)
    editor = case.editor(ONE, **FILES)
    editor.turn("wider")
    check(case.get() == crlf.replace("int b", "long b"), repr(case.get()))
    check(not [m for m, _ in editor.asked if m == "fs/write_text_file"], "written through the editor")


def test_zed_writes_everything_and_is_read_again(case):
    editor = case.editor(ONE, name="Zed", **FILES)

    def write(params):  # formats on save
        pathlib.Path(params["path"]).write_text(params["content"] + "// formatted\n")
        return {}
    editor.answers["fs/write_text_file"] = write
    check(editor.turn("wider") == "end_turn", "it ended otherwise")
    check("a formatter, perhaps" in editor.words() and case.get().endswith("// formatted\n"), editor.words())


def test_an_added_empty_line_is_told(case):  # codecompanion
    editor = case.editor([READ, turn("", [edit("int x;", "long x;")]), turn("x is wider.")], **FILES)
    editor.buffers[str(case.root / "a.c")] = TEXT + "int x;\n"

    def write(params):
        pathlib.Path(params["path"]).write_text(params["content"] + "\n")
        editor.buffers.clear()
        return None or {}
    editor.answers["fs/write_text_file"] = write
    editor.turn("wider")
    check("empty line" in editor.words(), editor.words())


def test_a_stub_that_reads_nothing_is_not_believed(case):
    editor = case.editor(ONE, **FILES)
    editor.answers["fs/read_text_file"] = lambda p: {"content": ""}
    editor.turn("wider")
    check(case.get() == TEXT.replace("int b", "long b"), case.get())


def test_an_empty_text_of_an_editor_that_reads_is_refused(case):
    case.put("b.c", TEXT)
    editor = case.editor([turn("", [{"name": "read_file", "arguments": {"path": "b.c"}}]), *ONE], **FILES)
    reads = editor.fs_read_text_file
    editor.answers["fs/read_text_file"] = lambda p: {"content": ""} if p["path"].endswith("a.c") else reads(p)
    editor.turn("wider")
    check(case.get() == TEXT and not editor.permissions(), case.get())
    told = [u for u in editor.updates("tool_call_update") if "empty text" in json.dumps(u)]
    check(told, editor.updates())
    for nothing in ({"content": ""}, {"content": None}, {"text": TEXT}):
        def empty(params):
            editor.answers["fs/read_text_file"] = lambda p: nothing
            return {"outcome": {"outcome": "selected", "optionId": "apply"}}
        editor = case.editor(ONE, **FILES)  # only at the end
        editor.answers["session/request_permission"] = empty
        editor.turn("wider")
        check(case.get() == TEXT and "save it first" in editor.words(), case.get() + editor.words())


def test_an_editor_that_falls_silent_has_its_file_left_alone(case):
    editor = case.editor(ONE, **FILES)

    def fall_silent(params):
        editor.answers["fs/read_text_file"] = lambda p: None
        return {"outcome": {"outcome": "selected", "optionId": "apply"}}
    editor.answers["session/request_permission"] = fall_silent
    editor.turn("wider")
    check(case.get() == TEXT and "save it first" in editor.words(), case.get() + editor.words())


def test_a_path_outside_of_the_folder_is_not_guessed(case):
    for path in ("/other/place/a.c", "file:///other/place/a.c", "~/place/a.c", "../place/a.c"):
        bad = turn("%s\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n" % path)
        editor = case.editor([bad] * 6)
        editor.turn("wider")
        check(case.get() == TEXT and not editor.permissions(), case.get())
        check("is outside the folder" in json.dumps(editor.updates()), editor.updates())


def test_a_folder_that_was_replaced_is_not_written(case):
    editor = case.editor(ONE)

    def replace(params):
        case.root.rename(case.root.parent / "moved")
        case.root.mkdir()
        case.put("a.c", TEXT)
        return {"outcome": {"outcome": "selected", "optionId": "apply"}}
    editor.answers["session/request_permission"] = replace
    editor.turn("wider")
    check(case.get() == TEXT and (case.root.parent / "moved/a.c").read_text() == TEXT, case.get())
    check("moved or replaced" in editor.words(), editor.words())


def test_a_refused_read_means_the_disk(case):
    def refuse(params):
        raise ValueError("not found")
    editor = case.editor(ONE, **FILES)
    editor.answers["fs/read_text_file"] = refuse
    editor.turn("wider")
    check(case.get() == TEXT.replace("int b", "long b"), case.get())


def test_a_new_file_does_not_replace_one_that_is_not_saved(case):
    for name in ("test", "zed"):
        editor = case.editor([turn("", [{"name": "write_file", "arguments": {"path": "n.c", "content": "int n;\n"}}]),
                              turn("Done.")], name=name, **FILES)
        editor.buffers[str(case.root / "n.c")] = "typed\n"
        editor.turn("make n.c")
        check(list(editor.buffers.values()) == ["typed\n"] and not (case.root / "n.c").exists(), editor.buffers)
        check("not saved yet" in editor.words(), editor.words())


def test_unsaved_text_keeps_its_line_ends(case):
    crlf = TEXT.replace("\n", "\r\n")
    case.put("a.c", crlf)
    editor = case.editor(ONE, **FILES)
    editor.buffers[str(case.root / "a.c")] = crlf + "int x;\r\n"
    editor.turn("wider")
    check(case.get() == crlf.replace("int b", "long b") + "int x;\r\n", repr(case.get()))


def test_line_ends_and_a_mark_that_the_editor_drops_are_told(case):
    for text, unsaved, words in ((TEXT.replace("\n", "\r\n"), TEXT + "int x;\n", "line ends"),
                                 ("\ufeff" + TEXT, TEXT + "int x;\n", "byte order mark")):
        case.put("a.c", text)
        editor = case.editor(ONE, **FILES)
        editor.buffers[str(case.root / "a.c")] = unsaved
        editor.turn("wider")
        check(words in editor.words(), editor.words())


def test_silence_on_a_modified_buffer(case):  # avante: E37
    editor = case.editor([READ, turn("", [edit("int x;", "long x;")]), turn("x is wider.")], **FILES)
    editor.buffers[str(case.root / "a.c")] = TEXT + "int x;\n"
    editor.answers["fs/write_text_file"] = lambda p: None
    check(editor.turn("wider") == "end_turn", "it ended otherwise")
    check("save it first" in editor.words() and case.get() == TEXT, editor.words())


def test_a_write_that_did_not_happen_is_not_called_one(case):
    for name, unsaved in (("zed", None), ("test", TEXT + "int x;\n")):
        case.put("a.c", TEXT)
        editor = case.editor(ONE, name=name, **FILES)
        if unsaved:
            editor.buffers[str(case.root / "a.c")] = unsaved
        editor.answers["fs/write_text_file"] = lambda p: {}
        check(editor.turn("wider") == "end_turn", "it ended otherwise")
        check("had not changed by then" in editor.words() and "formatter" not in editor.words(), editor.words())
        check(editor.updates("tool_call_update")[-1]["status"] == "failed", editor.updates("tool_call_update")[-1])


def test_a_write_that_was_cancelled_may_still_happen(case):
    editor = case.editor(ONE + [READ, turn("", [edit("int c;", "long c;")]), turn("c is wider.")], **FILES)
    editor.buffers[str(case.root / "a.c")] = TEXT + "int x;\n"

    def write(params):
        editor.notify("session/cancel", sessionId=editor.session)
        editor.until(lambda m: m.get("method") == "$/cancel_request")
        return editor.fs_write_text_file(params)
    for how, words in ((write, "cancelled, but a.c is written"), (lambda p: editor.notify(
            "session/cancel", sessionId=editor.session), "may still change")):
        editor.answers["fs/write_text_file"] = how
        check(editor.turn("wider") == "cancelled", "not cancelled")
        last = json.dumps(editor.updates("tool_call_update")[-1])
        check(words in last and "Nothing was changed" not in last, last)
        editor.buffers[str(case.root / "a.c")] = case.get() + "int y;\n"


def test_what_is_typed_while_another_file_is_written_stays(case):
    case.put("b.c", "int q;\nint r;\n")
    editor = case.editor([
        turn("", [{"name": "read_file", "arguments": {"path": "a.c"}}, {"name": "read_file", "arguments": {"path": "b.c"}}]),
        turn("", [edit("int b;", "long b;"), edit("int q;", "long q;", "b.c")]), turn("Both.")], **FILES)
    for name in ("a.c", "b.c"):
        editor.buffers[str(case.root / name)] = case.get(name) + "int x;\n"
    written = []

    def write(params):
        written.append(params["path"])
        for path in editor.buffers:
            if len(written) == 1 and path != params["path"]:
                editor.buffers[path] += "// typed\n"
        return editor.fs_write_text_file(params)
    editor.answers["fs/write_text_file"] = write
    editor.turn("wider")
    both = case.get() + case.get("b.c")
    check("int x;\n// typed\n" in both and "long b" in both and "long q" in both, both)


def test_two_names_of_one_file_are_not_written(case):
    os.link(case.root / "a.c", case.root / "l.c")
    editor = case.editor([
        turn("", [{"name": "read_file", "arguments": {"path": "a.c"}}, {"name": "read_file", "arguments": {"path": "l.c"}}]),
        turn("", [edit("int b;", "long b;"), edit("int g;", "long g;", "l.c")]), turn("Both.")], name="zed", **FILES)
    editor.turn("wider")
    check(case.get() == TEXT and "same file" in editor.words(), case.get() + editor.words())


def test_unsaved_text_that_is_no_longer_told_stops_a_write(case):
    editor = case.editor(ONE, **FILES)
    editor.buffers[str(case.root / "a.c")] = TEXT + "int x;\n"

    def fall_silent(params):
        editor.answers["fs/read_text_file"] = lambda p: None
        return {"outcome": {"outcome": "selected", "optionId": "apply"}}
    editor.answers["session/request_permission"] = fall_silent
    editor.turn("wider")
    check(case.get() == TEXT and "save it first" in editor.words(), case.get() + editor.words())


def test_silent_zed_is_given_no_text_to_replace_its_own(case):
    editor = case.editor(ONE, name="zed", **FILES)

    def fall_silent(params):
        editor.buffers[str(case.root / "a.c")] = "typed\n"
        editor.answers["fs/read_text_file"] = lambda p: None
        return {"outcome": {"outcome": "selected", "optionId": "apply"}}
    editor.answers["session/request_permission"] = fall_silent
    editor.turn("wider")
    check(list(editor.buffers.values()) == ["typed\n"], "what was typed is gone")


def test_a_file_that_changed_meanwhile_is_left_alone(case):
    editor = case.editor(ONE)

    def change(params):
        case.put("a.c", "int z;\n")
        return {"outcome": {"outcome": "selected", "optionId": "apply"}}
    editor.answers["session/request_permission"] = change
    editor.turn("wider")
    check(case.get() == "int z;\n" and "has changed since" in editor.words(), editor.words())


def test_an_edit_goes_with_its_lines_if_the_user_types_meanwhile(case):
    for name, buffered in (("test", False), ("zed", True)):
        case.put("a.c", TEXT)
        editor = case.editor(ONE, name=name, **FILES)

        def type_above(params):
            if buffered:
                editor.buffers[str(case.root / "a.c")] = "// typed\n" + TEXT
            else:
                case.put("a.c", "// typed\n" + TEXT)
            return {"outcome": {"outcome": "selected", "optionId": "apply"}}
        editor.answers["session/request_permission"] = type_above
        editor.turn("wider")
        check(case.get() == "// typed\n" + TEXT.replace("int b", "long b"), case.get())
        check("changed after it was checked" in editor.words(), editor.words())


def test_what_the_disk_has_since_is_not_overwritten_by_what_the_editor_still_has(case):
    for name in ("test", "zed"):
        for unsaved, other, whole in (("", "int z;\n", True), ("", None, False), ("int x;\n", "int z;\n", False)):
            case.put("a.c", TEXT)
            path = str(case.root / "a.c")
            editor = case.editor(ONE, name=name, **FILES)
            editor.buffers[path] = TEXT + unsaved  # it does not look at the disk again

            def change_the_disk(params):
                case.put("a.c", TEXT + other if other else TEXT.replace("int b;", "char b;"))
                return {"outcome": {"outcome": "selected", "optionId": params["options"][0]["optionId"]}}

            editor.answers["session/request_permission"] = change_the_disk
            editor.turn("wider")
            wanted = TEXT + other if other else TEXT.replace("int b;", "char b;")
            wanted = wanted.replace("int b;", "long b;") if whole else wanted
            check(case.get("a.c") == wanted, "%s: %r: %s" % (name, case.get("a.c"), editor.words()))
            check(whole or "has changed" in editor.words(), editor.words())
            editor.kill()


def test_a_file_is_created_moved_and_deleted(case):
    case.put("old.c", "int o;\n")
    editor = case.editor([
        turn("", [{"name": "read_file", "arguments": {"path": "old.c"}}]),
        turn("", [{"name": "write_file", "arguments": {"path": "sub/new.c", "content": "int n;\n"}},
                  {"name": "delete_file", "arguments": {"path": "old.c"}}]), turn("Done.")], **FILES)
    editor.turn("replace it")
    check(not (case.root / "old.c").exists() and case.get("sub/new.c") == "int n;\n", "not both")
    titles = {u["title"]: u["kind"] for u in editor.updates("tool_call") if u["title"].startswith(("Create", "Delete"))}
    check(titles == {"Create sub/new.c": "edit", "Delete old.c": "delete"}, titles)
    check(editor.turn("/undo") == "end_turn", "not undone")
    check(case.get("old.c") == "int o;\n" and not (case.root / "sub/new.c").exists(), "not undone")


def test_locations_name_files_that_exist(case):
    editor = case.editor(WIDER)
    editor.turn("wider")
    paths = {place["path"] for update in editor.updates() for place in update.get("locations", [])}
    check(paths == {str(case.root / "a.c")}, paths)


def test_several_files_are_one_question(case):
    case.put("b.c", "int q;\n")
    editor = case.editor([
        turn("", [{"name": "read_file", "arguments": {"path": "a.c"}}, {"name": "read_file", "arguments": {"path": "b.c"}}]),
        turn("", [edit("int q;", "long q;", "b.c"), edit("int b;", "long b;"), edit("int g;", "long g;")]), turn("Done.")])
    editor.turn("wider")
    asked = editor.permissions()
    check(len(asked) == 1, "%d questions" % len(asked))
    diffs = [c["path"] for c in asked[0]["toolCall"]["content"] if c["type"] == "diff"]
    check([os.path.basename(d) for d in diffs] == ["a.c", "b.c"], diffs)
    check(case.get("b.c") == "long q;\n" and case.get() == WIDE, "not both were written")


def test_hunks_are_chosen_where_the_editor_has_forms(case):
    editor = case.editor(WIDER, elicitation={"form": {}})
    editor.answers["elicitation/create"] = lambda p: {"action": "accept", "content": {
        "hunks": [p["requestedSchema"]["properties"]["hunks"]["default"][1]]}}
    editor.turn("wider")
    check(case.get() == TEXT.replace("int g", "long g"), case.get())
    asked = [p for m, p in editor.asked if m == "elicitation/create"]
    titles = [each["title"] for each in asked[0]["requestedSchema"]["properties"]["hunks"]["items"]["anyOf"]]
    check(titles == ["a.c:2: long b;", "a.c:7: long g;"], titles)


def test_an_answer_with_an_unknown_hunk_applies_nothing(case):
    for unknown in ("99", "0x", "", 1, None):
        editor = case.editor(WIDER, elicitation={"form": {}})
        editor.answers["elicitation/create"] = lambda p: {"action": "accept", "content": {
            "hunks": [p["requestedSchema"]["properties"]["hunks"]["default"][0], unknown]}}
        editor.turn("wider")
        check(case.get() == TEXT and "Unknown answer" in editor.words(), (unknown, editor.words()))


def test_edit_blocks_are_no_words(case):
    block = "a.c\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n"
    editor = case.editor([turn("I widen b.\n\n%s\nThat was it.\n" % block)], settings={"agent.profile": "blocks"})
    editor.turn("wider a.c")
    check(case.get() == TEXT.replace("int b", "long b"), case.get())
    check(editor.words() == "I widen b.\n\nThat was it.\n", repr(editor.words()))


def test_a_hunk_that_is_chosen_twice_is_one(case):
    editor = case.editor(WIDER, elicitation={"form": {}})
    editor.answers["elicitation/create"] = lambda p: {"action": "accept", "content": {
        "hunks": p["requestedSchema"]["properties"]["hunks"]["default"][:1] * 2}}
    editor.turn("wider")
    check(case.get() == TEXT.replace("int b", "long b") and "Only part" in editor.words(), editor.words())


def test_undo_takes_the_last_edit_back(case):
    editor = case.editor(ONE)
    editor.turn("wider")
    check(case.get() != TEXT, "not applied")
    check(editor.turn("/undo") == "end_turn" and case.get() == TEXT, case.get())
    editor.turn("/undo")
    check(case.get() == TEXT, "undone twice")


def test_words_after_undo_undo_nothing(case):
    editor = case.editor(WIDER)
    editor.turn("wider")
    editor.turn("/undo only the second change")
    check("Nothing was undone" in editor.words() and case.get() == WIDE, editor.words())
    sharing = "Sharing the following file as context: %s" % (case.root / "a.c")
    for blocks in (("/undo", sharing), ("/undo\n\n" + sharing,)):  # what an editor adds is not the user's
        case.put("a.c", TEXT)
        editor = case.editor(WIDER)
        editor.turn("wider")
        check(case.get() == WIDE, editor.words())
        editor.turn(*blocks)
        check(case.get() == TEXT, editor.words())


def test_apply_places_a_pasted_reply(case):
    editor = case.editor([])
    editor.turn("/apply a.c\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n")
    check(case.get() == TEXT.replace("int b", "long b"), editor.words())
    editor.turn("/apply nothing to see")
    check("no edits" in editor.words(), editor.words())
    for _ in range(2):
        editor.turn("/apply a.c\n<<<<<<< SEARCH\nint c;\n=======\nint c;\nlong counter;\n>>>>>>> REPLACE\n")
    check(case.get().count("counter") == 1, case.get())
    check("already in place" in editor.words(), editor.words())


def test_context_shows_what_would_be_sent(case):
    editor = case.editor([])
    editor.turn("/context what is a.c?", {"type": "resource_link", "uri": (case.root / "a.c").as_uri(), "name": "a.c"})
    check("int h;" in editor.words(), editor.words())


def test_commands_are_announced(case):
    editor = case.editor([turn("Hm.")])
    editor.turn("hm")
    names = [c["name"] for c in editor.updates("available_commands_update")[0]["availableCommands"]]
    check({"fix", "explain", "plan", "test", "apply", "undo", "context"} <= set(names), names)


def test_what_editors_mention_is_shown_to_the_model(case):
    case.put("b.c", "int only_in_b;\n")
    uri = (case.root / "a.c").as_uri()
    editor = case.editor([turn("Fine.", expect=["int e;", "only_in_b", "from elsewhere"])])
    words = "Sharing the following file as context: %s\nLook." % (case.root / "b.c")
    check(editor.turn(words, {"type": "resource_link", "uri": uri + "#L4:5", "name": "a.c"},
                      {"type": "resource", "resource": {"uri": "file:///elsewhere/x.txt", "text": "from elsewhere"}},
                      ) == "end_turn", "it ended otherwise")
    check(editor.words() == "Fine.", editor.words())


def test_an_image_that_the_model_cannot_take_is_told(case):
    png = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(40)).decode()
    editor = case.editor([turn("A dot.")])
    check(editor.turn("What is this?", {"type": "image", "data": png, "mimeType": "image/png"}) == "end_turn", "ended")
    error = editor.result(editor.prompt({"type": "image", "data": "§", "mimeType": "image/png"}), error=True)
    check(error["code"] == -32602, error)


def test_no_model_is_said_in_the_first_turn(case):
    editor = case.editor([], settings={"model.provider": "anthropic", "model.name": ""})
    check(editor.turn("hello") == "end_turn", "it ended otherwise")
    check("ANTHROPIC_API_KEY" in editor.words() or "model" in editor.words(), editor.words())


def test_a_limit_is_a_stop_reason(case):
    editor = case.editor([READ, READ, READ], settings={"agent.maxTurns": 1})
    editor.answers["session/request_permission"] = lambda p: {"outcome": {"outcome": "selected", "optionId": "reject"}}
    check(editor.turn("look") == "max_turn_requests", "another stop reason")
    check(editor.permissions()[0]["options"][0]["name"] == "Go on", editor.permissions())


def test_usage_is_told(case):
    editor = case.editor([turn("Hm.")], settings={"agent.contextWindow": 50000})
    editor.turn("hm")
    usage = editor.updates("usage_update")
    check(usage and usage[0]["size"] == 50000 and 0 < usage[0]["used"] < 50000, usage)


def test_sessions_are_listed_loaded_and_gone_on_with(case):
    editor = case.editor(ONE)
    editor.turn("make b wider")
    session = editor.session
    check(editor.end() == 0, "exit code")
    again = case.editor([turn("I remember.", expect=["make b wider"])], start=False).start()
    listed = again.call("session/list", cwd=str(case.root))["sessions"]
    check([each["sessionId"] for each in listed] == [session], listed)
    check(listed[0]["title"] and listed[0]["updatedAt"].endswith("Z"), listed)
    result = again.call("session/load", sessionId=session, cwd=str(case.root), mcpServers=[])
    check(result["modes"]["currentModeId"] == "confirm", result)
    check(again.words("user_message_chunk") == "make b wider", again.words("user_message_chunk"))
    check("b is wider." in again.words(), again.words())
    diffs = [c for u in again.updates("tool_call") for c in u.get("content", []) if c["type"] == "diff"]
    check(len(diffs) == 1 and "long b;" in diffs[0]["newText"], diffs)
    again.session = session
    check(again.turn("and now?") == "end_turn" and "I remember." in again.words(), again.words())
    check(again.call("session/close", sessionId=session) == {}, "not closed")
    error = again.result(again.prompt("hello?"), error=True)
    check(error["code"] == -32002, error)
    again.call("session/resume", sessionId=session, cwd=str(case.root), mcpServers=[])


def test_close_ends_a_turn(case):
    editor = case.editor(ONE)
    editor.answers["session/request_permission"] = lambda p: None
    number = editor.prompt("wider")
    editor.until(lambda m: m.get("method") == "session/request_permission")
    closing = editor.request("session/close", sessionId=editor.session)
    check(editor.result(number)["stopReason"] == "cancelled", "not cancelled")
    check(editor.result(closing) == {}, "not closed")
    editor.new(case.root)


def test_cancel_and_close_while_an_ask_runs(case):
    editor = case.editor(ONE + ONE, **FILES)
    editor.answers["fs/read_text_file"] = lambda p: None
    for end in ("session/cancel", "session/close"):
        number = editor.prompt("wider")
        editor.until(lambda m: m.get("method") == "fs/read_text_file")
        begun = time.monotonic()
        if end == "session/cancel":
            editor.notify(end, sessionId=editor.session)
        else:
            closing = editor.request(end, sessionId=editor.session)
        check(editor.result(number)["stopReason"] == "cancelled", "not cancelled")
        check(time.monotonic() - begun < 8, "it waited for the editor")
    check(editor.result(closing) == {} and case.get() == TEXT, "not closed")


def test_another_program_s_lock_holds_no_cancelled_turn(case):
    for end in ("session/cancel", "session/close", None):
        editor = case.editor(ONE)
        held = case.lock()
        number = editor.prompt("wider")
        editor.until(lambda m: m.get("method") == "session/request_permission")
        editor.call("session/list")  # by now the answer has been read
        if end == "session/cancel":
            editor.notify(end, sessionId=editor.session)
        elif end:
            editor.request(end, sessionId=editor.session)
        if end:
            check(editor.result(number)["stopReason"] == "cancelled", "not cancelled")
        check(editor.end() == 0 and os.path.exists(held.name), "the other program's lock is gone")
        held.close()
        check(case.get() == TEXT, "it was written")


def test_bad_requests_are_errors(case):
    editor = case.editor([turn("Still here.")], start=False)
    check(editor.result(editor.request("session/new", cwd="/", mcpServers=[]), error=True)["code"] == -32600, "too early")
    editor.start()
    for method, params, code in (
            ("initialize", {"protocolVersion": "1"}, -32602), ("session/new", {"cwd": "work"}, -32602),
            ("session/new", {"cwd": "/no/such/folder"}, -32602), ("session/new", {"cwd": 7}, -32602),
            ("session/load", {"sessionId": "x", "cwd": str(case.root)}, -32002), ("session/load", {}, -32002),
            ("session/prompt", {}, -32002), ("session/list", {"cursor": "x"}, -32602), ("no/such", {}, -32601),
            ("session/set_mode", {"sessionId": 1}, -32002), ("authenticate", {"methodId": "x"}, -32601)):
        error = editor.result(editor.request(method, **params), error=True)
        check(error["code"] == code, (method, params, error))
    editor.new(case.root, unknown={"x": [None]})
    for blocks in (None, {}, [7], [{"type": "text"}], [{}], [{"type": "resource", "resource": 3}]):
        error = editor.result(editor.request("session/prompt", sessionId=editor.session, prompt=blocks), error=True)
        check(error["code"] == -32602, (blocks, error))
    check(editor.turn("hello") == "end_turn" and editor.words() == "Still here.", editor.words())


def test_bad_bytes_are_errors_and_nothing_ends(case):
    editor = case.editor([turn("Still here.")])
    for line in (b"{", b"[]", b"null", b'{"id": 1}', b"\xff\xfe", b'{"jsonrpc":"2.0","id":{},"method":"x"}', b"[" * 5000,
                 b"x" * 1_000_000, b'{"jsonrpc":"2.0","id":77,"result":{}}'):
        editor.send_bytes(line + b"\n")
    editor.send_bytes(b"\n\r\n  \n")
    check(editor.turn("hello") == "end_turn" and editor.words() == "Still here.", editor.words())


def test_the_end_of_the_input_anywhere(case):
    initialize = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1}})
    new = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "session/new", "params": {"cwd": str(case.root), "mcpServers": []}})
    case.settings(ONE)
    for data in ("", "\n", "{", initialize[:30], initialize, initialize + "\n", initialize + "\n" + new[:-9],
                 initialize + "\n" + new + "\n"):
        begun = time.monotonic()
        done = subprocess.run([case.program, "acp"], input=data.encode(), capture_output=True, timeout=30,
                              env=environment_of(case.home))
        check(done.returncode == 0, (data, done))
        check(time.monotonic() - begun < 10, "it took %.1f s" % (time.monotonic() - begun))
        for line in done.stdout.splitlines():
            json.loads(line)
    editor = case.editor(ONE)
    editor.answers["session/request_permission"] = lambda p: None
    editor.prompt("wider")
    editor.until(lambda m: m.get("method") == "session/request_permission")
    check(editor.end() == 0 and case.get() == TEXT, "it changed")


def test_who_starts_it_by_hand_is_told_what_it_waits_for(case):
    ours, its = pty.openpty()
    child = subprocess.Popen([case.program, "acp"], stdin=its, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    line = child.stderr.readline().decode()
    child.terminate()
    child.wait(timeout=10)
    os.close(ours), os.close(its)
    check("waiting for an editor" in line and len(line) <= 80, line)
    done = subprocess.run([case.program, "acp"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10)
    check(done.stderr == b"", done.stderr)


def test_what_is_written_at_the_end_of_the_input_can_be_undone(case):
    case.put("a.c", TEXT + "// so long that a look at it takes a while\n" * 100_000)
    before = case.get()
    editor = case.editor(ONE, name="zed", **FILES)
    number = editor.prompt("wider")
    asked = {"method": ""}
    while asked["method"] != "fs/write_text_file":
        asked = json.loads(editor.incoming.get(timeout=60))
        asked.setdefault("method", "")
        if "id" in asked and asked["method"] not in ("", "fs/write_text_file"):
            editor.answer(asked)
    editor.answer(asked)
    check(editor.end() == 0 and case.get() != before, "not written")
    editor = case.editor([])
    editor.turn("/undo")
    check(case.get() == before, editor.words())


def test_a_signal_ends_it(case):
    editor = case.editor(ONE)
    editor.child.send_signal(signal.SIGTERM)
    check(editor.child.wait(timeout=10) == 128 + signal.SIGTERM, editor.child.returncode)


def main():
    program = os.path.abspath(sys.argv[1])
    tests = {name[5:]: run for of in (globals(), *map(vars, (attached_tests, session_tests, told_tests, written_tests)))
             for name, run in of.items() if name.startswith("test_")}
    transcript = os.environ.get("ACP_TRANSCRIPT")

    def attempt(run):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            case = Case(program, pathlib.Path(folder).resolve())
            try:
                run(case)
            finally:
                for editor in case.editors:
                    editor.kill()
                    if transcript:
                        with open(transcript, "a") as out:
                            out.writelines(json.dumps({"way": way, "message": message}) + "\n" for way, message in editor.log)

    run_all(tests, attempt, sys.argv[2:])


if __name__ == "__main__":
    main()
