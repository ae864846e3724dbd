"""A turn: what it shows and asks, how it is cancelled, and what it may do."""
import os
import time

from cli_support import TEXT, WIDE, WIDER, edit, turn
from case import FILES, ONE
from client import check


def a_turn_with_an_answer(case):
    editor = case.editor([turn("It declares eight numbers.")])
    check(editor.turn("What is this?") == "end_turn", "it ended otherwise")
    check(editor.words() == "It declares eight numbers.", editor.words())
    chunk = editor.updates("agent_message_chunk")[0]
    check(chunk["messageId"], "no message id")
    check(not editor.permissions(), "asked for nothing")
    check(editor.end() == 0, "exit code")


def initialize_says_what_it_can(case):
    editor = case.editor([], start=False)
    for version in (1, 2, 99):
        result = editor.call("initialize", protocolVersion=version, clientCapabilities={"elicitation": {}, "x": [1]})
        check(result["protocolVersion"] == 1, "only version 1 is spoken")
    check(result["agentInfo"]["name"] == "bodkin" and result["authMethods"] == [], result)
    check(result["agentCapabilities"]["loadSession"] is True, result)


def a_proposal_is_asked_about_once_and_applied(case):
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


def a_command_shows_its_exit_code_and_its_last_lines(case):
    call = {"name": "run_command", "arguments": {"command": "seq 30; exit 3"}}
    editor = case.editor([turn("", [call]), turn("Done.")], settings={"agent.permissions": {"run": "allow"}})
    editor.turn("count")
    texts = [each["content"]["text"] for update in editor.updates("tool_call_update") for each in update.get("content", [])]
    check(texts == ["```\n… 20 lines above left out\n%s```\nexit 3" % "".join("%d\n" % n for n in range(21, 31))], texts)


def no_part_of_a_command_that_is_asked_about_is_markup(case):
    command = "make `x`\n<!--\ntouch hidden.txt\n: -->/dev/null\nmake test"
    editor = case.editor([turn("", [{"name": "run_command", "arguments": {"command": command}}]), turn("Done.")])
    editor.turn("make it")
    asked = editor.permissions()[0]["toolCall"]
    check(asked["content"][0]["content"]["text"] == "```\n%s\n```\n" % command, asked)
    check(asked["title"].startswith("Running ``make `x`") and asked["title"].rstrip().endswith("``"), asked)
    titles = {u["title"] for u in editor.updates() if "title" in u and "toolCallId" in u}
    check(all("``" in title for title in titles if "make" in title), titles)


def every_call_ends_and_the_answer_comes_last(case):
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


def discard_changes_nothing_and_says_so(case):
    editor = case.editor(ONE)
    editor.answers["session/request_permission"] = lambda p: {"outcome": {"outcome": "selected", "optionId": "discard"}}
    check(editor.turn("wider") == "end_turn", "a rejection does not cancel the turn")
    check(case.get() == TEXT, "it changed")
    check("nothing was changed" in editor.words(), editor.words())


def an_unknown_answer_is_no_permission(case):
    for answer in ({"outcome": {"outcome": "selected", "optionId": "yes"}}, {"outcome": {"outcome": "granted"}}, {},
                   {"outcome": "selected"}):
        editor = case.editor(ONE)
        editor.answers["session/request_permission"] = lambda p: answer
        check(editor.turn("wider") == "end_turn", "it ended otherwise")
        check(case.get() == TEXT, "%s was taken as a permission" % answer)


def cancel_while_a_permission_is_open(case):
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


def a_permission_that_is_cancelled_cancels_the_turn(case):
    editor = case.editor(ONE)
    editor.answers["session/request_permission"] = lambda p: {"outcome": {"outcome": "cancelled"}}
    check(editor.turn("wider") == "cancelled", "not cancelled")
    check(case.get() == TEXT, "it changed")


def cancel_request_of_the_prompt(case):
    editor = case.editor(ONE)
    editor.answers["session/request_permission"] = lambda p: None
    number = editor.prompt("wider")
    editor.until(lambda m: m.get("method") == "session/request_permission")
    editor.notify("$/cancel_request", requestId=number)
    check(editor.result(number, error=True)["code"] == -32800, "another error")
    editor.answers.clear()
    check(editor.call("session/list", cwd=str(case.root)) is not None and case.get() == TEXT, "it changed")


def the_next_prompt_cancels_the_turn(case):
    editor = case.editor(ONE + [turn("Hello.")])
    editor.answers["session/request_permission"] = lambda p: None
    first = editor.prompt("wider")
    editor.until(lambda m: m.get("method") == "session/request_permission")
    second = editor.prompt("hello")
    check(editor.result(first)["stopReason"] == "cancelled", "the first goes on")
    check(editor.result(second)["stopReason"] == "end_turn", "the second did not run")
    check(case.get() == TEXT, "it changed")


def cancel_reaches_the_prompt_that_waits(case):
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


def the_session_s_edits_can_be_allowed(case):
    editor = case.editor(ONE + [turn("", [edit("int c;", "long c;")]), turn("Done.")])
    editor.answers["session/request_permission"] = lambda p: {"outcome": {"outcome": "selected", "optionId": next(
        o["optionId"] for o in p["options"] if o["kind"] == "allow_always")}}
    editor.turn("wider")
    editor.turn("c, too")
    check(case.get() == TEXT.replace("int b", "long b").replace("int c", "long c"), case.get())
    check(len(editor.permissions()) == 1, "asked again")


def an_option_that_was_not_offered_is_no_permission(case):
    editor = case.editor(ONE, settings={"workspace.trusted": []})
    editor.answers["session/request_permission"] = lambda p: {"outcome": {"outcome": "selected", "optionId": "apply_session"}}
    editor.turn("wider")
    check(case.get() == TEXT and "Unknown answer" in editor.words(), editor.words())


def confirm_ends_what_was_allowed_for_the_session(case):
    editor = case.editor(ONE + [turn("", [edit("int c;", "long c;")]), turn("Done.")])
    editor.answers["session/request_permission"] = lambda p: {"outcome": {
        "outcome": "selected", "optionId": "discard" if len(editor.permissions()) > 1 else "apply_session"}}
    editor.turn("wider")
    editor.call("session/set_mode", sessionId=editor.session, modeId="confirm")
    editor.turn("c, too")
    check(case.get() == TEXT.replace("int b", "long b") and len(editor.permissions()) == 2, case.get())


def an_untrusted_folder_always_asks(case):
    editor = case.editor(ONE, settings={"workspace.trusted": [], "agent.mode": "auto"})
    editor.turn("wider")
    kinds = [each["kind"] for each in editor.permissions()[0]["options"]]
    check(kinds == ["allow_once", "reject_once"], kinds)


def mode_auto_applies_without_a_question(case):
    editor = case.editor(ONE)
    editor.call("session/set_mode", sessionId=editor.session, modeId="auto")
    update = editor.until(lambda m: m.get("method") == "session/update")["params"]["update"]
    check(update["configOptions"][0]["currentValue"] == "auto", update)
    editor.turn("wider")
    check(not editor.permissions() and case.get() == TEXT.replace("int b", "long b"), case.get())


def options_are_kept_in_step(case):
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


def several_files_are_one_question(case):
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


def hunks_are_chosen_where_the_editor_has_forms(case):
    editor = case.editor(WIDER, elicitation={"form": {}})
    editor.answers["elicitation/create"] = lambda p: {"action": "accept", "content": {
        "hunks": [p["requestedSchema"]["properties"]["hunks"]["default"][1]]}}
    editor.turn("wider")
    check(case.get() == TEXT.replace("int g", "long g"), case.get())
    asked = [p for m, p in editor.asked if m == "elicitation/create"]
    titles = [each["title"] for each in asked[0]["requestedSchema"]["properties"]["hunks"]["items"]["anyOf"]]
    check(titles == ["a.c:2: long b;", "a.c:7: long g;"], titles)


def an_answer_with_an_unknown_hunk_applies_nothing(case):
    for unknown in ("99", "0x", "", 1, None):
        editor = case.editor(WIDER, elicitation={"form": {}})
        editor.answers["elicitation/create"] = lambda p: {"action": "accept", "content": {
            "hunks": [p["requestedSchema"]["properties"]["hunks"]["default"][0], unknown]}}
        editor.turn("wider")
        check(case.get() == TEXT and "Unknown answer" in editor.words(), (unknown, editor.words()))


def edit_blocks_are_no_words(case):
    block = "a.c\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n"
    editor = case.editor([turn("I widen b.\n\n%s\nThat was it.\n" % block)], settings={"agent.profile": "blocks"})
    editor.turn("wider a.c")
    check(case.get() == TEXT.replace("int b", "long b"), case.get())
    check(editor.words() == "I widen b.\n\nThat was it.\n", repr(editor.words()))


def a_hunk_that_is_chosen_twice_is_one(case):
    editor = case.editor(WIDER, elicitation={"form": {}})
    editor.answers["elicitation/create"] = lambda p: {"action": "accept", "content": {
        "hunks": p["requestedSchema"]["properties"]["hunks"]["default"][:1] * 2}}
    editor.turn("wider")
    check(case.get() == TEXT.replace("int b", "long b") and "Only part" in editor.words(), editor.words())


def close_ends_a_turn(case):
    editor = case.editor(ONE)
    editor.answers["session/request_permission"] = lambda p: None
    number = editor.prompt("wider")
    editor.until(lambda m: m.get("method") == "session/request_permission")
    closing = editor.request("session/close", sessionId=editor.session)
    check(editor.result(number)["stopReason"] == "cancelled", "not cancelled")
    check(editor.result(closing) == {}, "not closed")
    editor.new(case.root)


def cancel_and_close_while_an_ask_runs(case):
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
