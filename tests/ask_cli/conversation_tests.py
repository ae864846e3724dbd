"""A conversation in a terminal: `bodkin ask` without a request."""
import json
import os
import pathlib
import select
import signal
import subprocess
import time

from cli_support import TEXT, WIDE, WIDER, check, edit, turn

PROMPT = "\x1b[?2004h> "


def begun(of, turns, **options):
    screen = of.terminal(turns, **options)
    screen.until(PROMPT)
    return screen


def a_conversation_goes_on_in_one_session(case):
    screen = begun(case, [turn("It is an int.")])
    screen.type("What is b?\n")
    check("--session" not in screen.until(PROMPT), screen.text)
    case.command(WIDER)
    screen.type("Wider, please.\n")
    screen.until("or [d]iscard? ")
    screen.type("a")
    check("Undo: /undo" in screen.until(PROMPT) and case.get() == WIDE, case.get())
    case.command([turn("I said so.", expect=["What is b?", "It is an int.", "Are you sure?"])])
    screen.type("Are you sure?\n")
    screen.until("I said so.")
    screen.until(PROMPT)
    screen.type("/undo\n")
    check("Redo: /redo" in screen.until(PROMPT) and case.get() == TEXT, case.get())
    case.command([turn("Nothing yet.", absent=["What is b?"])])
    screen.type("/new\n")
    screen.until(PROMPT)
    screen.type("What did I ask?\n")
    screen.until("Nothing yet.")
    screen.until(PROMPT)
    screen.type("\x04")
    screen.end()
    check(screen.code == 0, screen.text)


def what_is_discarded_in_a_conversation_comes_back_with_redo(case):
    screen = begun(case, WIDER)
    screen.type("Wider, please.\n")
    screen.until("or [d]iscard? ")
    screen.type("d")
    check("/redo" in screen.until(PROMPT) and case.get() == TEXT, case.get())
    screen.type("/redo\n")
    said = screen.until(PROMPT)
    check(case.get() == WIDE, said)
    screen.type("/quit\n")
    screen.end()
    check(screen.code == 0, screen.text)


def an_interrupt_ends_the_ask_and_not_the_conversation(case):
    screen = begun(case, [dict(turn("a word " * 2000), chunk_bytes=7, delay_ms=20)])
    screen.type("Explain.\n")
    screen.until("a word a word")
    screen.type("\x03")
    screen.until("Cancelled.")
    screen.until(PROMPT)
    screen.type("half a requ\x03")
    screen.until("^C")
    screen.until(PROMPT)
    case.command([turn("Go on.", expect=["Explain."], absent=["half a requ"])])
    screen.type("And now?\n")
    screen.until("Go on.")
    screen.until(PROMPT)
    screen.type("\x04")
    screen.end()
    check(screen.code == 0, screen.text)


def a_command_of_the_user_is_shown_with_the_next_request_unless_it_is_dropped(case):
    key = "sk-ant-api03-" + "q7Rt2" * 18 + "-Zk9mB1AA"
    case.put("key.txt", key + "\n")
    screen = begun(case, [turn("Seen.", absent=[key],
                               expect=["Output of `cat key.txt`:", "Output of `echo first; exit 3` (It ended with 3):", "first"])])
    screen.type("!cat key.txt\n")
    check("1 secret in output of" in " ".join(screen.until("goes with your next request").split()), screen.text)
    screen.until(PROMPT)
    screen.type("!echo first; exit 3\n")
    screen.until("first\r\n")
    screen.until("It ended with 3.")
    screen.until("goes with your next request; /drop leaves it out.")
    screen.until(PROMPT)
    screen.type("Why?\n")  # no key of it is an answer
    screen.until("Seen.")
    screen.until(PROMPT)
    case.command([turn("No more.", absent=["Output of `", "second"])])
    for command in ("/drop", "/new"):
        screen.type("!echo second\n")
        screen.until("goes with your next request")
        screen.until(PROMPT)
        screen.type(command + "\n")
        check("without the output of your commands" in " ".join(screen.until(PROMPT).split()), screen.text)
    screen.type("!echo third; exec sleep 600\n")
    screen.until("third\r\n")
    screen.type("\x03")
    screen.until("It ended: Interrupt.")
    screen.until(PROMPT)
    screen.type("/drop\n")
    screen.until(PROMPT)
    screen.type("And now?\n")
    screen.until("No more.")
    screen.until(PROMPT)
    screen.type("\x04")
    screen.end()
    check(screen.code == 0, screen.text)


def diff_shows_what_the_conversation_has_changed(case):
    screen = begun(case, WIDER)
    screen.type("/diff\n")
    check("has applied no changes" in screen.until(PROMPT), screen.text)
    screen.type("Wider, please.\n")
    screen.until("or [d]iscard? ")
    screen.type("a")
    screen.until(PROMPT)
    case.put("a.c", WIDE.replace("int d", "char d"))  # by the user
    screen.type("/diff\n")
    said = screen.until(PROMPT)
    check("+long b" in said and "-int g" in said and "-int d" not in said, said)
    screen.type("/undo\n")
    screen.until(PROMPT)
    screen.type("/diff\n")
    check("+long" not in screen.until(PROMPT), screen.text)
    screen.type("\x04")
    screen.end()
    screen = begun(case, [])  # what another conversation has undone
    screen.type("/redo\n")
    screen.until(PROMPT)
    screen.type("/diff\n")
    said = screen.until(PROMPT)
    check("+long b" in said and "-int d" not in said and "Left out" not in said, said)
    screen.type("/undo\n")
    screen.until(PROMPT)
    screen.type("/redo\n")
    screen.until(PROMPT)
    screen.type("/diff\n")
    said = screen.until(PROMPT)
    check("+long b" in said and "Left out" not in said, said)
    screen.type("\x04")
    screen.end()


def the_model_is_named_and_chosen_and_the_folder_trusted(case):
    screen = case.terminal([turn("One.", absent=["/trust"])])
    check("Model: replay.json (replay)\r\n" in screen.until(PROMPT), screen.text)
    screen.type("What is b in @diff?\n")
    said = " ".join(screen.until(PROMPT).split())
    check("price unknown" in said and "this folder is not trusted, so git does not run in it; /trust changes that" in said, said)
    (case.home / "other.json").write_text(json.dumps({"name": "other", "turns": [turn("Another.")]}))
    screen.type("/model %s\n" % (case.home / "other.json"))
    check("goes to other.json (replay)" in " ".join(screen.until(PROMPT).split()), screen.text)
    screen.type("/trust\n")
    check("is now trusted" in screen.until(PROMPT), screen.text)
    check("workspace.trusted" in (case.home / ".config/bodkin/settings.json").read_text(), "it is not trusted")
    screen.type("What is c?\n")
    screen.until("Another.")
    screen.until(PROMPT)
    (case.home / "other.json").write_text(json.dumps({"name": "other", "turns": [turn("Third.")]}))
    screen.type("What is d?\n")
    check("price unknown" not in screen.until(PROMPT), screen.text)
    screen.type("/session\n")
    said = screen.until(PROMPT)
    check("What is b in @diff?" in said and "/session ID continues one" in said, said)
    screen.type("\x04")
    screen.end()


def without_a_history_it_says_that_nothing_goes_on(case):
    case.settings(**{"history.retentionDays": 0})
    screen = begun(case, [turn("It is an int.")])
    screen.type("What is b?\n")
    check("begins another session" in " ".join(screen.until(PROMPT).split()), screen.text)
    screen.type("\x04")
    screen.end()


def bodkin_alone_is_a_conversation_for_a_person(case):
    settings = {"model.provider": "replay", "model.name": str(case.home / "replay.json")}
    case.command([turn("It is an int.")])
    case.settings(**settings)
    screen = case.start([case.program], columns=40)
    said = screen.until(PROMPT)
    check(all(word in said for word in ("/help", "Ctrl-D", "bodkin")), said)
    check(max(map(len, said.splitlines())) <= 40, said)
    screen.type("What is b?\n")
    screen.until("It is an int.")
    screen.until(PROMPT)
    screen.type("\x04")
    screen.end()
    check(screen.code == 0, screen.text)


def without_a_model_it_can_be_chosen_with_the_next_request(case):
    screen = case.start([case.program])
    screen.until(PROMPT)
    for _ in range(2):
        screen.type("What is b?\n")
        screen.until("nothing is changed): ")
        screen.type("\n")
        check("No such session" not in screen.until(PROMPT), screen.text)
    screen.type("\x04")
    screen.end()


def a_session_is_looked_up_when_it_is_named(case):
    screen = begun(case, [turn("It is an int.")])
    screen.type("/session zzzz\n")
    check("continues" not in screen.until(PROMPT), screen.text)
    screen.type("What is b?\n")
    screen.until("It is an int.")
    screen.until(PROMPT)
    screen.type("/new\n")
    screen.until(PROMPT)
    screen.type("/session last\n")
    check("continues the session" in screen.until(PROMPT), screen.text)
    case.command([turn("I said so.", expect=["It is an int."])])
    screen.type("Sure?\n")
    screen.until("I said so.")
    screen.until(PROMPT)
    screen.type("/explain\n")
    check("Say which code" in screen.until("Say which code"), screen.text)
    screen.until(PROMPT)
    screen.type("\x04")
    screen.end()


def the_history_says_that_an_earlier_change_of_a_session_is_applied(case):
    def listed():
        done = subprocess.run([case.program, "history"], cwd=case.root, env=case.environment, capture_output=True, text=True)
        return done.stdout.strip()
    screen = begun(case, WIDER)
    screen.type("Wider, please.\n")
    screen.until("or [d]iscard? ")
    screen.type("a")
    screen.until(PROMPT)
    check("(applied)" in listed(), listed())
    case.command([turn("", [edit("long b;", "char b;")]), turn("Done.")])
    screen.type("Narrower.\n")
    screen.until("or [d]iscard? ")
    screen.type("d")
    screen.until(PROMPT)
    check("(applied; the last change discarded)" in listed(), listed())
    case.put("a.c", TEXT)  # by the user
    check("(applied, reverted since; the last change discarded)" in listed(), listed())
    screen.type("\x04")
    screen.end()


def the_model_is_told_what_became_of_its_edits(case):
    screen = begun(case, WIDER)
    screen.type("Wider, please.\n")
    screen.until("or [d]iscard? ")
    screen.type("d")
    screen.until(PROMPT)
    case.command([turn("I see.", expect=["Your last edits were not applied: a.c."])])
    screen.type("Why?\n")
    screen.until("I see.")
    screen.until(PROMPT)
    screen.type("\x04")
    screen.end()


def an_ask_ends_with_its_conversation(case):
    slow = [dict(turn("a word " * 2000), chunk_bytes=7, delay_ms=20)]
    screen = case.start(["sh", "-c", '"$@"; read line', "sh", *case.command(slow)])
    screen.until(PROMPT)
    screen.type("Explain.\n")
    screen.until("a word a word")
    talk = children_of(screen.pid)[0]
    ask = children_of(talk)[0]
    os.kill(talk, signal.SIGKILL)
    end = time.monotonic() + 30
    while os.path.exists("/proc/%d" % ask):
        check(time.monotonic() < end, "the ask goes on")
        if select.select([screen.fd], [], [], 0.1)[0]:
            os.read(screen.fd, 4096)
    screen.type("\n")
    screen.end()


def children_of(pid):
    return [int(child) for child in pathlib.Path("/proc/%d/task/%d/children" % (pid, pid)).read_text().split()]
