"""Asks of a replayed model, from the command to what the user sees. Each test is a function of the
program's path; its name is its sentence."""
import json
import os

from abuse import check, ends_well
from editor import Editor, REPLY, TEXT, WANTED

AGAIN = "a.c\n<<<<<<< SEARCH\nlong b;\n=======\nlong long b;\n>>>>>>> REPLACE\n"


def turn(text="", calls=None, expect=(), absent=(), delay=0):
    reply = {"text": text, "usage": {"input": 100, "output": 10}}
    if calls:
        reply["tool_calls"] = [{"name": name, "arguments": arguments} for name, arguments in calls]
    reply["stop_reason"] = "tool_use" if calls else "end_turn"
    return {"expect": list(expect), "absent": list(absent), "reply": reply, "delay_ms": delay}


class Asker(Editor):
    def __init__(self, program, turns, settings=None, **more):
        options = {"model.provider": "replay", "model.name": "replay.json", "agent.profile": "blocks",
                   "verify.showAfterMs": 600000}  # a test of one proposal has one, however slow the machine is
        options.update(settings or {})
        super().__init__(program, options=options, **more)
        self.turns(turns)

    def turns(self, turns):
        with open(self.folder + "/replay.json", "w") as out:
            json.dump({"name": "test", "turns": turns}, out)

    def ask(self, prompt="Wider, please.", **more):
        argument = dict({"textDocument": {"uri": self.uri("a.c")}, "prompt": prompt,
                         "range": {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}}}, **more)
        answer = self.command("bodkin.ask", **argument)
        check("result" in answer, "the ask was refused: " + str(answer))
        return answer["result"]

    def of(self, method):
        return [message["params"] for message in self.heard if message.get("method") == method]

    def end(self, *wanted, count=1):
        """Waits for the end of the ask; it must be one of `wanted`."""
        self.until("the end of the ask", lambda: len(self.of("bodkin/didEndAsk")) >= count)
        end = self.of("bodkin/didEndAsk")[count - 1]
        # A request that lacks what its turn expects fails the ask, which may still have a proposal.
        check(not end["message"].startswith("Replay "), end["message"])
        check(end["end"] in wanted, "it ended as %s: %s" % (end["end"], end["message"]))
        return end

    def proposal(self, number=-1):
        return self.of("bodkin/proposal")[number]

    def states_shown(self):
        return [each["state"] for each in self.of("$/bodkin/status")]


def an_ask_streams_shows_its_states_and_ends_in_a_proposal(program):
    editor = Asker(program, [turn("I widen it.\n" + REPLY)])
    editor.until("the first status", lambda: editor.of("$/bodkin/status"))
    check(editor.of("$/bodkin/status")[0]["state"] == "idle", "the first state is not idle")
    started = editor.ask()
    end = editor.end("proposal")
    check(end["askId"] == started["askId"] and end["message"] == "I widen it.", str(end))
    check(editor.proposal()["proposalId"] == end["proposalId"], "another proposal")
    streamed = "".join(s["text"] for s in editor.of("$/bodkin/stream") if s["kind"] == "text")
    check(streamed == "I widen it.\n", "streamed: " + repr(streamed))
    check("thinking" in editor.states_shown() and editor.states_shown()[-1] == "idle", str(editor.states_shown()))
    ends_well(editor)


def the_log_says_why_each_edit_is_where_it_is(program):
    editor = Asker(program, [turn("I widen it.\n" + REPLY)], {"log.level": "debug"})
    editor.ask()
    editor.end("proposal")
    told = editor.command("bodkin.showLog")["result"]["text"]
    check(": a.c, line 2: exact; there is no other place" in told, told)
    ends_well(editor)


def the_words_of_the_next_reply_do_not_go_on_where_those_of_the_last_have_ended(program):
    wrong = "a.c\n<<<<<<< SEARCH\nint nowhere;\n=======\nlong b;\n>>>>>>> REPLACE\n"
    editor = Asker(program, [turn(wrong + "I widen it."), turn("Once more.\n" + REPLY)])
    editor.ask()
    editor.end("proposal")
    streamed = "".join(s["text"] for s in editor.of("$/bodkin/stream") if s["kind"] == "text")
    check("I widen it.\n\nOnce more." in streamed, "streamed: " + repr(streamed))
    ends_well(editor)


def edits_are_told_as_they_become_complete_and_a_cut_reply_is_refused(program):
    more = "a.c\n<<<<<<< SEARCH\nint c;\n=======\nlong c;\n>>>>>>> REPLACE\n"
    slow = dict(turn("I widen them.\n\n" + REPLY + "\n" + more + "That is all."), chunk_bytes=7, delay_ms=1)
    editor = Asker(program, [slow], window={"workDoneProgress": True})
    editor.ask()
    bar = lambda: [p["value"].get("message") for p in editor.of("$/progress") if p["value"]["kind"] == "report"]
    editor.until("the first edit", lambda: "a.c: 1 edit" in bar())
    check(not editor.of("bodkin/proposal"), "a proposal before the reply's end")
    editor.until("the second edit", lambda: "a.c: 2 edits" in [s["message"] for s in editor.of("$/bodkin/status")])
    check("a.c: 2 edits" in bar(), str(bar()))
    check("That is all." not in "".join(s["text"] for s in editor.of("$/bodkin/stream")), "told at the end only")
    shown = [s["message"] for s in editor.of("$/bodkin/status") if s["state"] == "editing"]
    check(shown == ["a.c: 1 edit", "a.c: 2 edits"], str(shown))
    editor.end("proposal")
    ends_well(editor)
    # A cut reply: what was told of it is taken back, and asked for again.
    cut = turn(REPLY + "\na.c\n<<<<<<< SEARCH\nint c")
    cut["reply"]["stop_reason"] = "max_tokens"
    editor = Asker(program, [cut, turn("I cannot.", expect=["truncated"])])
    editor.ask()
    editor.end("failed")
    told = [s["message"] for s in editor.of("$/bodkin/status")]
    check("a.c: 1 edit" in told and any("cut off" in each for each in told[told.index("a.c: 1 edit"):]), str(told))
    check(not editor.of("bodkin/proposal"), "a proposal from a cut reply")
    ends_well(editor)


def a_session_continues_and_remembers(program):
    editor = Asker(program, [turn("Forty-two."), turn("As I said: 42.", expect=["Forty-two."])])
    session = editor.command("bodkin.newSession")["result"]["sessionId"]
    check(editor.ask("How many?", sessionId=session)["sessionId"] == session, "another session")
    editor.end("answer")
    editor.ask("Again?", sessionId=session)
    editor.end("answer", count=2)
    answer = editor.command("bodkin.ask", prompt="x", sessionId="none")
    check(answer["error"]["message"] == "No such session: none.", str(answer))
    ends_well(editor)


def the_model_is_told_what_became_of_its_edits(program):
    for command, news in (("bodkin.apply", "Your last edits were applied: a.c."),
                          ("bodkin.discard", "Your last edits were not applied: a.c."),
                          (None, "Your last edits still wait for the user: a.c.")):
        editor = Asker(program, [turn(REPLY), turn("Seen.", expect=[news])])
        session = editor.ask()["sessionId"]
        proposal = editor.end("proposal")["proposalId"]
        if command:
            check("result" in editor.command(command, proposalId=proposal), command)
            wanted = "applied" if command == "bodkin.apply" else "discarded"
            editor.until(wanted, lambda: any(s["state"] == wanted for s in editor.states))
        editor.ask("And now?", sessionId=session)
        check(editor.end("answer", count=2)["message"] == "Seen.", news)
        ends_well(editor)


def cancelling_while_a_second_model_answers_ends_the_ask(program):
    sketch = {"path": "a.c", "code_edit": "// ... existing code ...\nlong q;\n// ... existing code ...\n"}
    editor = Asker(program, [turn(calls=[("read_file", {"path": "a.c"})]), turn(calls=[("edit_file", sketch)])],
                   {"agent.profile": "draft", "model.draft": {"provider": "replay", "name": "second.json"}})
    with open(editor.folder + "/second.json", "w") as out:
        json.dump({"name": "second", "turns": [turn("Never.", delay=600_000)]}, out)
    editor.ask()
    editor.until("its request", lambda: [s for s in editor.of("$/bodkin/stream") if "to write out the edit" in s["text"]])
    editor.command("bodkin.cancel")
    editor.end("cancelled")
    check(not editor.of("bodkin/proposal"), "a proposal of a cancelled ask")
    ends_well(editor)


def a_refinement_takes_the_place_of_its_proposal(program):
    editor = Asker(program, [turn(REPLY), turn(AGAIN, expect=["long b;", "not been applied yet"])])
    editor.ask()
    first = editor.end("proposal")["proposalId"]
    editor.ask("Still wider.", proposalId=first)
    second = editor.end("proposal", count=2)["proposalId"]
    check(editor.proposal()["replaces"] == first, "nothing is replaced")
    old = [s for s in editor.states if s["proposalId"] == first][-1]
    check(old["state"] == "discarded" and "newer version" in old["message"], str(old))
    editor.states.clear()
    editor.command("bodkin.apply", proposalId=second)
    editor.state("applied")
    check(editor.buffers["a.c"] == TEXT.replace("int b", "long long b"), editor.buffers["a.c"])
    ends_well(editor)


def a_pasted_reply_is_refined_too_and_a_stale_one_is_not(program):
    editor = Asker(program, [turn(AGAIN, expect=["long b;"])])
    first = editor.propose()
    editor.ask("Wider.", proposalId=first)
    editor.end("proposal")
    second = editor.proposal()["proposalId"]
    editor.change("a.c", TEXT.replace("int b", "char b"))
    answer = editor.command("bodkin.ask", prompt="More.", proposalId=second)
    check("changed since" in answer["error"]["message"], str(answer))
    check("error" in editor.command("bodkin.ask", prompt="More.", proposalId="p99"), "p99 was refined")
    ends_well(editor)


def a_refinement_that_fails_leaves_the_proposal(program):
    editor = Asker(program, [turn(REPLY), turn("I cannot.")])
    editor.ask()
    first = editor.end("proposal")["proposalId"]
    editor.ask("Impossible.", proposalId=first)
    editor.end("proposal", "answer", count=2)
    editor.command("bodkin.apply")
    editor.state("applied")
    check(editor.buffers["a.c"] == WANTED, editor.buffers["a.c"])
    ends_well(editor)


def a_refinement_that_takes_everything_back_withdraws_the_proposal(program):
    editor = Asker(program, [turn(REPLY), turn(REPLY.replace("long b;", "@").replace("int b;", "long b;").replace("@", "int b;")),
                             turn("I took it back.")])
    editor.ask()
    first = editor.end("proposal")["proposalId"]
    editor.ask("Take it back.", proposalId=first)
    editor.end("answer", count=2)
    check([s for s in editor.states if s["proposalId"] == first][-1]["state"] == "discarded", str(editor.states))
    check("error" in editor.command("bodkin.apply", proposalId=first), "it was applied")
    check(not editor.asked and editor.buffers["a.c"] == TEXT, editor.buffers["a.c"])
    ends_well(editor)


def a_permission_is_asked_and_the_answer_kept_to(program):
    settings = {"agent.permissions": {"edit": "ask"}}
    for choice, wanted in (("once", "proposal"), ("session", "proposal"), ("always", "proposal"), ("reject", "refused"), ("?", "refused")):
        editor = Asker(program, [turn(REPLY)], settings, own={"permit": True})
        editor.answers["bodkin/permit"] = {"choice": choice}
        editor.ask()
        editor.end(wanted)
        asked = editor.of("bodkin/permit")
        check(len(asked) == 1 and asked[0]["tool"] == "edit" and "+long b;" in asked[0]["detail"], str(asked))
        check("waiting" in editor.states_shown(), str(editor.states_shown()))
        ends_well(editor)


def a_permission_is_asked_by_code_actions_where_there_is_no_plugin(program):
    """A question that pops up takes the keys that are being typed: there is a plain message, nothing more."""
    settings = {"agent.permissions": {"edit": "ask"}}
    window = {"showMessage": {"messageActionItem": {}}}
    for title, proposed in (("bodkin: Allow once: Editing a.c", True), ("bodkin: Allow for this session: Editing a.c", True),
                            ("bodkin: Deny: Editing a.c", False)):
        editor = Asker(program, [turn(REPLY)], settings, proposals=False, window=window)
        editor.ask()
        editor.until("the question", lambda: [m for m in editor.of("window/showMessage") if "Editing a.c" in m["message"]])
        # In every document, at every place, in one that the server does not know, too.
        for uri in (editor.uri("a.c"), editor.uri("other.c"), "untitled:Untitled-1"):
            actions = [a for a in editor.actions(uri) if "Editing a.c" in a["title"]]
            check([a["title"].split(":")[1].strip() for a in actions] ==
                  ["Show details", "Allow once", "Allow for this session", "Allow in this workspace", "Deny"], str(actions))
        listed = editor.request("bodkin/listProposals", {})["result"]["proposals"]
        check(not listed, "it did not wait: " + str(listed))
        shown = editor.run(actions[0])
        check(shown["result"]["state"] == "shown", str(shown))
        check(any("+long b;" in m["message"] for m in editor.of("window/showMessage")), "the edit is not shown")
        wanted = [a for a in actions if a["title"] == title + " (+1 −1)"][0]
        answer = editor.run(wanted)
        check(answer["result"]["state"] == ("allowed" if proposed else "refused"), str(answer))
        if proposed:
            editor.until("the proposal", lambda: [m for m in editor.of("window/showMessage") if "code actions on its lines" in m["message"]])
        else:
            editor.until("the end", lambda: [m for m in editor.of("window/showMessage") if "denied permission" in m["message"]])
        listed = editor.request("bodkin/listProposals", {})["result"]["proposals"]
        check(len(listed) == (1 if proposed else 0), str(listed))
        again = editor.run(wanted)
        check("no longer open" in again["error"]["message"], str(again))
        check(not editor.of("window/showMessageRequest"), "a question popped up")
        ends_well(editor)


def a_question_ends_with_its_ask(program):
    settings = {"agent.permissions": {"edit": "ask"}}
    for own in ({"permit": True}, {}):
        editor = Asker(program, [turn(REPLY)], settings, own=own)
        editor.ask()
        said = lambda: editor.of("bodkin/permit") or [m for m in editor.of("window/showMessage") if "Permission" in m["message"]]
        editor.until("the question", said)
        asked = editor.actions(editor.uri("a.c"))
        editor.command("bodkin.cancel")
        editor.end("cancelled")
        if own:
            editor.until("the end of the request", lambda: editor.of("$/cancelRequest"))
        else:
            allow = [a for a in asked if "Allow once" in a["title"]][0]
            check("error" in editor.run(allow), "a question that is over was answered")
        check(not [a for a in editor.actions(editor.uri("a.c")) if "Editing" in a["title"]], "it is still offered")
        check(not editor.of("bodkin/proposal"), "it was allowed")
        ends_well(editor)


def a_server_that_waits_for_a_permission_is_cancelled_and_ends(program):
    settings = {"agent.permissions": {"edit": "ask"}}
    editor = Asker(program, [turn(REPLY)], settings, own={"permit": True})
    editor.ask()
    editor.until("the question", lambda: editor.of("bodkin/permit"))
    editor.command("bodkin.cancel")
    editor.end("cancelled")
    ends_well(editor)
    editor = Asker(program, [turn(REPLY)], settings, own={"permit": True})
    editor.ask()
    editor.until("the question", lambda: editor.of("bodkin/permit"))
    ends_well(editor)


def invalid_rules_ask_no_model(program):
    for rules in ({"edit": "perhaps"}, {"edti": "ask"}, "allow", {"edit": {"db/": "deny"}}):
        editor = Asker(program, [turn(REPLY)], {"agent.permissions": rules})
        said = lambda: [m["message"] for m in editor.of("window/showMessage") if "bodkin.agent.permissions" in m["message"]]
        editor.until("the problem", said)
        answer = editor.command("bodkin.ask", prompt="x")
        check(answer["error"]["message"].startswith("bodkin.agent.permissions"), str(answer))
        ends_well(editor)
    # The user's own file, which no other layer can make good.
    editor = Asker(program, [turn(REPLY)], {"agent.permissions": {"edit": "allow"}},
                   files={".config/bodkin/settings.json": '{"agent": {"permissions": {"edit": "deny"}}'})
    answer = editor.command("bodkin.ask", prompt="x")
    check("settings.json is not JSON at line 1, column " in answer["error"]["message"], str(answer))
    ends_well(editor)


def rules_that_become_unreadable_while_an_ask_waits_deny(program):
    """The four before it hold all places; what it may do is decided when it starts."""
    turns = [turn("Nothing.", delay=600_000)]
    editor = Asker(program, turns, {"agent.permissions": {"edit": "allow"}})
    first = [editor.ask("Wait.")["askId"] for _ in range(4)][0]
    waiting = editor.ask("Edit.")["askId"]
    editor.until("the four to be asked", lambda: len([s for s in editor.of("$/bodkin/stream") if s["text"].startswith("Asking")]) == 4)
    with open(editor.folder + "/replay.json", "w") as out:
        json.dump({"name": "test", "turns": [turn(REPLY), turn("I may not.", expect=["is not allowed", "denied until this is corrected"])]}, out)
    editor.notify("workspace/didChangeConfiguration", {"settings": {"bodkin": {
        "model": {"provider": "replay", "name": "replay.json"}, "agent": {"profile": "blocks", "permissions": {"edit": "alow"}}}}})
    editor.command("bodkin.cancel", askId=first)
    editor.until("its end", lambda: [e for e in editor.of("bodkin/didEndAsk") if e["askId"] == waiting])
    check(not editor.of("bodkin/proposal"), "it was allowed to edit: " + str(editor.of("bodkin/proposal")))
    end = [e for e in editor.of("bodkin/didEndAsk") if e["askId"] == waiting][0]
    check(end["message"] == "I may not.", str(end))
    said = [s["text"] for s in editor.of("$/bodkin/stream") if s["askId"] == waiting]
    check([text for text in said if "is not allowed" in text], "the user is not told: " + str(said))
    ends_well(editor)


def a_command_checks_the_draft_before_it_is_shown(program):
    command = ["sh", "-c", "cat a.c; ! grep -q long a.c || grep -q 'long long' a.c"]
    editor = Asker(program, [turn(REPLY), turn(AGAIN, expect=["now fails; without them it does not", "long b;"])],
                   {"verify.command": command})
    with open(editor.folder + "/a.c", "w") as out:
        out.write("on disk\n")
    editor.ask()
    editor.end("proposal")
    verification = editor.proposal()["verification"]
    check(verification["state"] == "clean" and verification["by"].startswith("sh -c"), str(verification))
    check("verifying" in editor.states_shown(), str(editor.states_shown()))
    check(open(editor.folder + "/a.c").read() == "on disk\n", "the file was touched")
    # A verdict is of one content.
    editor.states.clear()
    editor.change("a.c", editor.buffers["a.c"] + "// typed\n")
    editor.until("the end of the verdict", lambda: editor.states)
    check(editor.states[-1]["verification"]["state"] == "not_checked", str(editor.states))
    ends_well(editor)


def what_a_command_could_not_check_is_not_called_checked(program):
    for command, state, words in ((["no-such-program-here"], "not_checked", "cannot be run"),
                                  (["false"], "not_checked", "also fails without the edit"),
                                  (["sh", "-c", "! grep -q long a.c"], "problems", "fails with this edit")):
        editor = Asker(program, [turn(REPLY)], {"verify.command": command, "agent.maxRepairs": 0})
        editor.ask()
        editor.end("proposal")
        proposal = editor.proposal()
        check(proposal["verification"]["state"] == state, str(proposal))
        check(words in proposal["notes"][0], str(proposal["notes"]))
        ends_well(editor)


def limits_end_an_ask_and_say_which_it_was(program):
    for setting, value in (("agent.maxTurns", 1), ("agent.maxTokens", 100), ("agent.maxCostUsd", 0.01)):
        editor = Asker(program, [turn(calls=[("list_dir", {})]), turn("Done.")],
                       {setting: value, "agent.profile": "tools"}, own={"permit": True})
        editor.answers["bodkin/permit"] = {"choice": "reject"}
        editor.ask()
        end = editor.end("limit")
        check("bodkin." + setting in end["message"], str(end))
        check(end.get("setting") == "bodkin." + setting, str(end))
        # What cannot be counted is no limit that is met.
        check(end.get("reason") == ("setting" if "price" in end["message"] else "limit"), str(end))
        ends_well(editor)


def an_edit_is_applied_at_once_only_if_configured_and_nothing_was_found(program):
    editor = Asker(program, [turn(REPLY)], {"edits.review": "direct"})
    editor.ask()
    editor.end("proposal")
    editor.state("applied")
    check(editor.buffers["a.c"] == WANTED, editor.buffers["a.c"])
    ends_well(editor)
    editor = Asker(program, [turn(REPLY.replace("long b;", "long b("))] * 3, {"edits.review": "direct", "agent.maxRepairs": 0})
    editor.ask()
    editor.end("proposal")
    check(editor.proposal()["notes"], "no note on the syntax error")
    editor.request("bodkin/listProposals", {})
    check(not editor.asked, "an edit with a syntax error was applied")
    ends_well(editor)


def the_proposed_text_is_a_document_of_its_own(program):
    editor = Editor(program, workspace={"textDocumentContent": {}}, window={"showDocument": {"support": True}})
    editor.answers = {"window/showDocument": {"success": True}, "workspace/textDocumentContent/refresh": None}
    proposal = editor.propose()
    content = lambda path: editor.request("workspace/textDocumentContent", {"uri": "bodkin-proposal:/" + path})
    check(content(proposal + "/a.c")["result"]["text"] == WANTED, str(content(proposal + "/a.c")))
    diff = content(proposal + ".diff")["result"]["text"]
    check(diff.endswith("-int b;\n+long b;\n int c;\n"), "no diff")
    check(diff.startswith("A proposal;") and '"bodkin: Apply"' in diff, "the diff does not say how to take it: " + diff)
    for wrong in ("p99/a.c", "p99.diff", proposal + "/b.c", proposal, "", "../a.c"):
        check("error" in content(wrong), "there is a document " + wrong)
    check("result" in editor.command("bodkin.showDiff"), "the diff cannot be shown")
    editor.until("the diff", lambda: [m for m in editor.heard if m.get("method") == "window/showDocument"])
    editor.command("bodkin.discard")
    editor.until("the refresh", lambda: any(m.get("method", "").endswith("/refresh") for m in editor.heard))
    ends_well(editor)


def every_command_that_is_announced_answers_a_missing_argument(program):
    server = Editor(program)
    answer = server.request("initialize", {"capabilities": {}})
    check("error" in answer, "initialized twice")
    commands = ["ask", "fix", "applyReply", "copyPrompt", "apply", "applyHunk", "discard", "showDiff", "undo", "cancel", "answer",
                "status", "newSession", "usage", "showLog", "selectModel", "check"]
    for name in commands:
        for params in ({"command": "bodkin." + name}, {"command": "bodkin." + name, "arguments": []},
                       {"command": "bodkin." + name, "arguments": [None]},
                       {"command": "bodkin." + name, "arguments": [{"proposalId": 7, "hunks": "x", "text": 5}]}):
            answer = server.request("workspace/executeCommand", params)
            check("result" in answer or answer["error"]["message"].endswith((".", "?", "…")), name + ": " + str(answer))
            check("error" not in answer or "Unknown command" not in answer["error"]["message"], name + " is unknown")
    check("error" in server.command("bodkin.none"), "there is a command none")
    ends_well(server)


def unknown_settings_are_reported_once(program):
    editor = Editor(program, options={"agent": {"maxTurn": 1}, "server": {"path": "x"}})
    told = lambda: [m["params"]["message"] for m in editor.heard if m.get("method") == "window/showMessage"]
    editor.until("the message", told)
    editor.notify("workspace/didChangeConfiguration", {"settings": {"bodkin": {"agent": {"maxTurn": 2}}}})
    editor.request("bodkin/listProposals", {})
    check(told() == ["bodkin: Unknown setting: bodkin.agent.maxTurn (did you mean bodkin.agent.maxTurns?)."], str(told()))
    check("maxTurn" in editor.command("bodkin.showLog")["result"]["text"], "the log does not have it")
    check(editor.command("bodkin.check")["result"]["ok"] is False, "the check is content")
    ends_well(editor)


def usage_is_added_up(program):
    editor = Asker(program, [turn("One."), turn("Two.")])
    check(editor.command("bodkin.usage")["result"]["text"].startswith("0 requests"), "used before the first ask")
    for count in (1, 2):
        editor.ask("Count.")
        editor.end("answer", count=count)
        with open(editor.folder + "/replay.json", "w") as out:
            json.dump({"name": "test", "turns": [turn("Two.")]}, out)
    usage = editor.command("bodkin.usage")["result"]
    check(usage["usage"]["input"] == 200 and usage["usage"]["output"] == 20, str(usage))
    check("costUsd" not in usage["usage"] and "price unknown" in usage["text"], "a price was made up")
    ends_well(editor)


def a_model_that_was_chosen_while_a_session_is_busy_answers_its_next_ask(program):
    editor = Asker(program, [turn("From the first.", delay=300), turn("From the first again.")])
    with open(editor.folder + "/other.json", "w") as out:
        json.dump({"name": "other", "turns": [turn("From the other.")]}, out)
    session = editor.ask("Who?")["sessionId"]
    check("result" in editor.command("bodkin.selectModel", provider="replay", name="other.json"), "it cannot be chosen")
    check(editor.end("answer")["message"] == "From the first.", "another model answered")
    editor.ask("And now?", sessionId=session)
    check(editor.end("answer", count=2)["message"] == "From the other.", "the old model answered")
    # As VS Code chooses one: by the settings.
    editor.notify("workspace/didChangeConfiguration", {"settings": {"bodkin": {"agent": {"profile": "blocks"}}}})
    with open(editor.folder + "/third.json", "w") as out:
        json.dump({"name": "third", "turns": [turn("From the third.")]}, out)
    check("result" in editor.command("bodkin.selectModel", provider="replay", name="third.json"), "it cannot be chosen")
    editor.ask("And now?", sessionId=session)
    check(editor.end("answer", count=3)["message"] == "From the third.", "the old model answered")
    check("error" in editor.command("bodkin.selectModel", provider="openai-compatable", name="x"), "there is no such provider")
    check(editor.command("bodkin.status")["result"]["model"] == "third.json", "it was chosen for all that")
    ends_well(editor)


def a_conversation_that_began_with_explaining_can_edit(program):
    editor = Asker(program, [turn("It is an int."), turn(REPLY)])
    session = editor.ask("Explain.", profile="explain")["sessionId"]
    editor.end("answer")
    editor.ask("Then widen it.", sessionId=session)
    editor.end("proposal", count=2)
    check("error" in editor.command("bodkin.ask", prompt="x", profile="explian"), "there is no such profile")
    ends_well(editor)


def a_model_that_was_chosen_answers_the_next_ask(program):
    editor = Asker(program, [turn("From the first.")])
    os.rename(editor.folder + "/replay.json", editor.folder + "/other.json")
    check("error" in editor.command("bodkin.selectModel", name="x"), "a model without a provider")
    chosen = editor.command("bodkin.selectModel", provider="replay", name="other.json")["result"]
    check(chosen["model"] == "other.json", str(chosen))
    editor.ask("Who?")
    check(editor.end("answer")["message"] == "From the first.", "another model answered")
    check(editor.command("bodkin.status")["result"]["model"] == "other.json", "the status has another model")
    ends_well(editor)


def an_ask_without_a_model_says_what_to_do(program):
    editor = Asker(program, [], {"model.provider": "editor"})
    editor.ask()
    check("model.provider" in editor.end("failed")["message"], "the message does not help")
    ends_well(editor)


def the_ask_sees_the_buffers_as_they_were_when_it_began(program):
    editor = Asker(program, [turn(calls=[("list_dir", {})], delay=300),
                             turn(calls=[("read_file", {"path": "b.c"})]),
                             turn("Seen.", expect=["int before;"], absent=["int after;"])],
                   {"agent.profile": "tools"}, texts={"a.c": TEXT, "b.c": "int before;\n"})
    editor.ask("Look at the other one.")
    editor.change("b.c", "int after;\n")
    editor.end("answer")
    ends_well(editor)


def tests():
    return [(name.replace("_", " "), test) for name, test in globals().items()
            if callable(test) and getattr(test, "__module__", "") == __name__
            and name not in ("turn", "Asker", "tests")]
