"""Who acts, for how long and at what price: busy sessions, modes, permissions that last, limits that are raised. Each
test is a function of the program's path."""
import json
import os

from abuse import check, ends_well
from asks import AGAIN, Asker, turn
from editor import REPLY, TEXT, WANTED
from run_commands import run, world


def a_second_ask_in_a_session_is_refused_or_waits(program):
    editor = Asker(program, [turn("First.", delay=50), turn("Second.", expect=["First."]), turn("Third.")])
    first = editor.ask("One?")
    answer = editor.command("bodkin.ask", prompt="Two?", sessionId=first["sessionId"])
    check("busy" in answer["error"]["message"], str(answer))
    answer = editor.command("bodkin.ask", prompt="Two?", sessionId=first["sessionId"], whenBusy="later")
    check('"refuse" or "queue"' in answer["error"]["message"], str(answer))
    second = editor.ask("Two?", sessionId=first["sessionId"], whenBusy="queue")
    dropped = editor.ask("Never?", sessionId=first["sessionId"], whenBusy="queue")
    third = editor.ask("Three?", sessionId=first["sessionId"], whenBusy="queue")
    check(len({each["askId"] for each in (first, second, dropped, third)}) == 4, "the ids are not distinct")
    editor.command("bodkin.cancel", askId=dropped["askId"])
    editor.until("all ends", lambda: len(editor.of("bodkin/didEndAsk")) == 4)
    ends = {each["askId"]: each for each in editor.of("bodkin/didEndAsk")}
    check(ends[dropped["askId"]]["end"] == "cancelled", str(ends))
    check([ends[each["askId"]]["message"] for each in (first, second, third)] == ["First.", "Second.", "Third."], str(ends))
    ends_well(editor)


def an_ask_that_waited_sees_what_was_changed_meanwhile(program):
    more = "a.c\n<<<<<<< SEARCH\nint typed;\n=======\nlong typed;\n>>>>>>> REPLACE\n"
    editor = Asker(program, [turn("First.", delay=300), turn(more, expect=["int typed;", "selected line 3"])])
    first = editor.ask("One?")
    editor.ask("Wider.", sessionId=first["sessionId"], whenBusy="queue")  # of line 2
    editor.change("a.c", "int typed;\n" + TEXT)
    editor.end("answer")
    editor.end("proposal", count=2)
    editor.command("bodkin.apply", proposalId=editor.proposal()["proposalId"])
    editor.state("applied")
    check(editor.buffers["a.c"] == "long typed;\n" + TEXT, editor.buffers["a.c"])
    ends_well(editor)


def one_ask_of_two_is_cancelled_and_what_it_had_said_is_kept(program):
    slow = dict(turn("I begin with the most important thing. " + "More. " * 2000), chunk_bytes=40, delay_ms=20)
    editor = Asker(program, [slow])
    started = editor.ask("Explain.")
    editor.until("its words", lambda: "important thing" in "".join(s["text"] for s in editor.of("$/bodkin/stream")))
    check("error" in editor.command("bodkin.cancel", askId="ask-99"), "another id was cancelled")
    editor.command("bodkin.cancel", askId=started["askId"])
    end = editor.end("cancelled")
    check(end["partial"].startswith("I begin with the most important thing."), str(end))
    # The conversation has it, marked; the next ask of the session knows of it. Its model goes on in the recording.
    editor.turns([slow, turn("As I began.")])
    ends_well(editor)


def a_later_ask_is_told_what_was_broken_off(program):
    slow = dict(turn("I begin here. " + "More. " * 2000), chunk_bytes=40, delay_ms=20)
    editor = Asker(program, [slow, turn("So I said.", expect=["I begin here.", "cut off here by the user"])])
    started = editor.ask("Explain.")
    editor.until("its words", lambda: "I begin here" in "".join(s["text"] for s in editor.of("$/bodkin/stream")))
    editor.command("bodkin.cancel")
    editor.end("cancelled")
    editor.ask("Go on.", sessionId=started["sessionId"])
    editor.end("answer", count=2)
    ends_well(editor)


def the_mode_is_shown_and_changed_while_an_ask_runs(program):
    editor = Asker(program, [turn(REPLY, delay=20), turn(AGAIN)])
    editor.until("the status", lambda: editor.of("$/bodkin/status"))
    check(editor.of("$/bodkin/status")[0]["mode"] == "confirm", "another mode")
    editor.ask()
    check(editor.command("bodkin.setMode", mode="auto")["result"] == {"mode": "auto"}, "not set")
    editor.end("proposal", "answer")
    editor.state("applied")
    check(editor.buffers["a.c"] == WANTED, editor.buffers["a.c"])
    editor.until("the status", lambda: editor.of("$/bodkin/status")[-1]["mode"] == "auto")
    check(editor.request("bodkin/status", {})["result"]["mode"] == "auto", "the answer has another mode")
    check("error" in editor.command("bodkin.setMode", mode="wild"), "an unknown mode was taken")
    editor.command("bodkin.setMode", mode="confirm")
    editor.states.clear()
    editor.ask("Again.")
    editor.end("proposal", count=2)
    check(not [s for s in editor.states if s["state"] == "applied"], "it was applied without being asked for")
    ends_well(editor)


def in_the_mode_auto_what_is_not_plain_code_still_waits(program):
    makefile = "Makefile\n<<<<<<< SEARCH\nall:\n=======\nall: x\n>>>>>>> REPLACE\n"
    editor = Asker(program, [turn(makefile)], {"agent.mode": "auto"}, files={"Makefile": "all:\n"})
    editor.ask()
    editor.end("proposal")
    check(any("runs commands" in note for note in editor.proposal()["notes"]), str(editor.proposal()))
    check(not editor.asked, "it was applied")
    ends_well(editor)


def in_the_mode_auto_commands_run_unless_a_rule_is_about_them(program):
    turns = [run("cat a.c"), turn("Read.", expect=["int a;"])]
    editor = world(program, turns, settings={"agent.mode": "auto"})
    editor.ask()
    editor.end("answer")
    check(not editor.of("bodkin/permit"), "it was asked for")
    ends_well(editor)
    for rules, asked in (({"run": "ask"}, 1), ({"run": {"cat *": "ask"}}, 1), ({"run": "deny"}, 0)):
        editor = world(program, [run("cat a.c"), turn("So be it.", absent=["int a;\\n"])], rules, settings={"agent.mode": "auto"})
        editor.answers["bodkin/permit"] = {"choice": "reject", "reason": "not now"}
        editor.ask("Look, please.")
        editor.end("answer")
        check(len(editor.of("bodkin/permit")) == asked, str(editor.of("bodkin/permit")))
        ends_well(editor)


def the_mode_plan_is_the_profile_plan_until_it_is_left(program):
    editor = Asker(program, [turn("First this, then that.", expect=["plan"]), turn(REPLY)], {"agent.mode": "plan"})
    started = editor.ask("Split it.")
    check(editor.end("answer")["plan"], "it is no plan")
    editor.command("bodkin.setMode", mode="confirm")
    editor.ask(sessionId=started["sessionId"])
    editor.end("proposal", count=2)
    ends_well(editor)


def in_the_mode_human_nobody_asks_a_model(program):
    words = [REPLY, "cat a.c", ""]
    editor = Asker(program, [], {"agent.mode": "human", "agent.profile": "tools", "model.name": "missing.json"},
                   own={"input": True, "permit": True})
    given = iter(words)
    editor.answers["bodkin/input"] = lambda _: {"value": next(given)}
    editor.ask("By myself.")
    editor.end("proposal")
    check(not editor.of("bodkin/permit"), "a command that the person gave was asked for")
    streamed = "".join(s["text"] for s in editor.of("$/bodkin/stream") if s["kind"] == "text")
    check("long b;" in streamed, "the command does not see the edit: " + streamed)
    editor.command("bodkin.apply")
    editor.state("applied")
    check(editor.buffers["a.c"] == WANTED, editor.buffers["a.c"])
    ends_well(editor)


def in_the_mode_human_the_user_is_told_what_is_wrong(program):
    editor = Asker(program, [], {"agent.mode": "human", "agent.profile": "tools", "model.name": "missing.json"},
                   own={"input": True, "permit": True})
    given = iter([REPLY.replace("long b;", "long b("), "", REPLY.replace("int b;", "long b(").replace("\nlong b;", "\nlong b;"), ""])
    editor.answers["bodkin/input"] = lambda _: {"value": next(given)}
    editor.ask("By myself.")
    editor.end("proposal")
    told = "".join(s["text"] for s in editor.of("$/bodkin/stream"))
    check("new syntax errors: a.c, line 3" in told and "telling the model" not in told, told)
    ends_well(editor)


def what_is_allowed_in_the_workspace_is_asked_once_for_good(program):
    turns = [run("cat a.c"), turn("Read.", expect=["int a;"])]
    editor = world(program, turns)
    editor.answers["bodkin/permit"] = {"choice": "workspace"}
    editor.ask()
    editor.end("answer")
    check(editor.of("bodkin/permit")[0]["options"] == ["once", "session", "workspace", "reject"], str(editor.of("bodkin/permit")))
    kept = json.load(open(editor.folder + "/.state/bodkin/permissions.json"))
    check(list(kept["workspaces"].values()) == [["run cat a.c"]], str(kept))
    check(os.path.realpath(list(kept["workspaces"])[0]) == os.path.realpath(editor.folder), str(kept))
    ends_well(editor)


def a_refusal_with_a_reason_is_told_to_the_model_which_goes_on(program):
    settings = {"agent.permissions": {"edit": "ask"}}
    editor = Asker(program, [turn(REPLY), turn("Then I leave it.", expect=["Reason: b must stay an int"])],
                   settings, own={"permit": True})
    editor.answers["bodkin/permit"] = {"choice": "reject", "reason": "b must stay an int"}
    editor.ask()
    editor.end("answer", "failed")
    check(not editor.of("bodkin/proposal"), "a proposal")
    ends_well(editor)
    # In an editor without our plugin, too.
    editor = Asker(program, [turn(REPLY), turn("Then I leave it.", expect=["Reason: no"])], settings)
    editor.ask()
    editor.until("the question", lambda: [a for a in editor.actions(editor.uri("a.c")) if "Deny: Editing" in a["title"]])
    refuse = [a for a in editor.actions(editor.uri("a.c")) if "Deny: Editing" in a["title"]][0]
    command = refuse["command"] if isinstance(refuse["command"], dict) else refuse
    editor.command("bodkin.answer", **dict(command["arguments"][0], reason="no"))
    editor.end("answer", "failed")
    ends_well(editor)


def many_files_of_one_edit_are_one_question_with_all_diffs(program):
    three = "".join("%s\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n" % name for name in ("a.c", "b.c", "c.c"))
    editor = Asker(program, [turn(three)], {"agent.permissions": {"edit": "ask"}}, own={"permit": True},
                   files={"b.c": TEXT, "c.c": TEXT})
    editor.answers["bodkin/permit"] = {"choice": "once"}
    editor.ask()
    editor.end("proposal")
    asked = editor.of("bodkin/permit")
    check(len(asked) == 1 and asked[0]["detail"].count("+long b;") == 3, str(asked))
    check(asked[0]["title"] == "Editing a.c (+1 −1), b.c (+1 −1) and 1 more", asked[0]["title"])
    ends_well(editor)


def a_limit_that_is_met_is_raised_or_ends_the_ask(program):
    reads = [turn(calls=[("read_file", {"path": "a.c"})]), turn(calls=[("list_dir", {})]), turn("Done.")]
    settings = {"agent.profile": "tools", "agent.maxTurns": 1}
    for choice, wanted in (("once", "answer"), ("reject", "limit")):
        editor = Asker(program, reads if choice == "once" else reads[:1], settings, own={"permit": True})
        editor.answers["bodkin/permit"] = {"choice": choice}
        editor.ask("Look around.")
        end = editor.end(wanted)
        asked = editor.of("bodkin/permit")
        check(len(asked) == (2 if choice == "once" else 1), str(asked))
        check(asked[0]["tool"] == "limit" and asked[0]["options"] == ["once", "reject"], str(asked))
        check(asked[0]["title"] == "Continue for 1 more request? (1 request to the model so far)", asked[0]["title"])
        check(wanted == "answer" or "agent.maxTurns" in end["message"], str(end))
        ends_well(editor)


def a_price_that_is_unknown_is_said(program):
    editor = Asker(program, [turn("Forty-two.")])
    editor.ask("How many?")
    editor.end("answer")
    usage = editor.command("bodkin.usage")["result"]
    check("price unknown" in usage["text"] and "costUsd" not in usage["usage"], str(usage))
    ends_well(editor)
    editor = Asker(program, [turn("Never.")], {"agent.maxCostUsdPerDay": 1})
    editor.ask("How many?")
    end = editor.end("limit")
    check("the price of" in end["message"] and "maxCostUsdPerDay" in end["message"], str(end))
    ends_well(editor)


def a_session_has_a_title_only_if_there_is_a_cheap_model(program):
    small = {"provider": "replay", "name": "small.json"}
    editor = Asker(program, [turn("Forty-two."), turn("Still.")], {"model.small": small})
    with open(editor.folder + "/small.json", "w") as out:
        json.dump({"name": "small", "turns": [turn("\"How many there are.\"", expect=["Give the user's request", "How many?"],
                                                   absent=["read_file"])]}, out)
    session = editor.ask("How many?")["sessionId"]
    editor.end("answer")
    told = lambda: [m["message"] for m in editor.of("window/logMessage") if "is about" in m["message"]]
    editor.until("the title", told)
    check(told()[0].endswith(session + " is about: How many there are"), str(told()))
    editor.ask("And now?", sessionId=session)
    editor.end("answer", count=2)
    check(len(told()) == 1, "a session has two titles")
    ends_well(editor)


def tests():
    return [(name.replace("_", " "), test) for name, test in globals().items()
            if callable(test) and getattr(test, "__module__", "") == __name__ and name != "tests"]
