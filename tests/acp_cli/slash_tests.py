"""Slash commands, mentions, and what a session is told."""
import base64

from cli_support import READ, TEXT, WIDE, WIDER, turn
from case import ONE
from client import check


def undo_takes_the_last_edit_back(case):
    editor = case.editor(ONE)
    editor.turn("wider")
    check(case.get() != TEXT, "not applied")
    check(editor.turn("/undo") == "end_turn" and case.get() == TEXT, case.get())
    editor.turn("/undo")
    check(case.get() == TEXT, "undone twice")


def words_after_undo_undo_nothing(case):
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


def apply_places_a_pasted_reply(case):
    editor = case.editor([])
    editor.turn("/apply a.c\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n")
    check(case.get() == TEXT.replace("int b", "long b"), editor.words())
    editor.turn("/apply nothing to see")
    check("no edits" in editor.words(), editor.words())
    for _ in range(2):
        editor.turn("/apply a.c\n<<<<<<< SEARCH\nint c;\n=======\nint c;\nlong counter;\n>>>>>>> REPLACE\n")
    check(case.get().count("counter") == 1, case.get())
    check("already in place" in editor.words(), editor.words())


def context_shows_what_would_be_sent(case):
    editor = case.editor([])
    editor.turn("/context what is a.c?", {"type": "resource_link", "uri": (case.root / "a.c").as_uri(), "name": "a.c"})
    check("int h;" in editor.words(), editor.words())


def commands_are_announced(case):
    editor = case.editor([turn("Hm.")])
    editor.turn("hm")
    names = [c["name"] for c in editor.updates("available_commands_update")[0]["availableCommands"]]
    check({"fix", "explain", "plan", "test", "apply", "undo", "context"} <= set(names), names)


def what_editors_mention_is_shown_to_the_model(case):
    case.put("b.c", "int only_in_b;\n")
    uri = (case.root / "a.c").as_uri()
    editor = case.editor([turn("Fine.", expect=["int e;", "only_in_b", "from elsewhere"])])
    words = "Sharing the following file as context: %s\nLook." % (case.root / "b.c")
    check(editor.turn(words, {"type": "resource_link", "uri": uri + "#L4:5", "name": "a.c"},
                      {"type": "resource", "resource": {"uri": "file:///elsewhere/x.txt", "text": "from elsewhere"}},
                      ) == "end_turn", "it ended otherwise")
    check(editor.words() == "Fine.", editor.words())


def an_image_that_the_model_cannot_take_is_told(case):
    png = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(40)).decode()
    editor = case.editor([turn("A dot.")])
    check(editor.turn("What is this?", {"type": "image", "data": png, "mimeType": "image/png"}) == "end_turn", "ended")
    error = editor.result(editor.prompt({"type": "image", "data": "§", "mimeType": "image/png"}), error=True)
    check(error["code"] == -32602, error)


def no_model_is_said_in_the_first_turn(case):
    editor = case.editor([], settings={"model.provider": "anthropic", "model.name": ""})
    check(editor.turn("hello") == "end_turn", "it ended otherwise")
    check("ANTHROPIC_API_KEY" in editor.words() or "model" in editor.words(), editor.words())


def a_limit_is_a_stop_reason(case):
    editor = case.editor([READ, READ, READ], settings={"agent.maxTurns": 1})
    editor.answers["session/request_permission"] = lambda p: {"outcome": {"outcome": "selected", "optionId": "reject"}}
    check(editor.turn("look") == "max_turn_requests", "another stop reason")
    check(editor.permissions()[0]["options"][0]["name"] == "Go on", editor.permissions())


def usage_is_told(case):
    editor = case.editor([turn("Hm.")], settings={"agent.contextWindow": 50000})
    editor.turn("hm")
    usage = editor.updates("usage_update")
    check(usage and usage[0]["size"] == 50000 and 0 < usage[0]["used"] < 50000, usage)


def sessions_are_listed_loaded_and_gone_on_with(case):
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
