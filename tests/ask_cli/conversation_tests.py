"""bodkin ask without a request: a conversation in the terminal."""
import fcntl
import json
import os
import pathlib
import select
import signal
import struct
import subprocess
import sys
import termios
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from cli_support import TEXT, WIDE, WIDER, check, edit, turn  # noqa: E402

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


def escape_ends_the_ask_and_what_is_typed_ahead_waits_for_the_prompt(case):
    screen = begun(case, [dict(turn("a word " * 2000), chunk_bytes=7, delay_ms=20)])
    screen.type("Explain.\n")
    screen.until("a word a word")
    screen.type("größer\x7f\x7f\x1b[D ok")  # a key that moves interrupts nothing, and nothing is echoed
    check("gr" not in screen.until("a word a word a word a word"), screen.text)
    screen.type("\x1b[200~two\rlines\x1b[201~\n\x1b")
    check("gr" not in screen.until("Cancelled."), screen.text)
    screen.until(PROMPT)
    screen.until("größ oktwo")
    case.command([turn("Seen.", expect=["größ oktwo\nlines and more"])])
    screen.type(" and more\n")
    screen.until("Seen.")
    screen.until(PROMPT)
    check(termios.tcgetattr(screen.fd)[3] & termios.ISIG, "no signals")
    screen.type("\x04")
    screen.end()
    check(screen.code == 0, screen.text)


def what_is_typed_ahead_answers_no_question(case):
    slow = [dict(turn("a word " * 30), chunk_bytes=7, delay_ms=20)] + WIDER[1:]
    slow[0]["reply"]["tool_calls"] = WIDER[0]["reply"]["tool_calls"]
    screen = begun(case, slow)
    screen.type("Wider, please.\n")
    screen.until("a word a word")
    screen.type("a\n")
    screen.until("or [d]iscard? ")
    check(case.get() == TEXT, case.get())
    screen.type("r")
    screen.until("What should be different? ")
    case.command([turn("No.", expect=["nothing at all"])])
    screen.type("nothing at all\n")  # it is seen while it is typed
    screen.until("nothing at all")
    screen.until("or [d]iscard? ")
    screen.type("d")
    screen.until("/redo")
    check("\n" not in screen.until(PROMPT + "\r> a").split(PROMPT)[1], "it was sent")
    check(case.get() == TEXT, case.get())
    screen.type("\x03")
    screen.until(PROMPT)
    screen.type("\x04")
    screen.end()


def up_reaches_requests_of_earlier_runs_in_this_folder(case):
    kept = case.home / ".local/state/bodkin/requests"

    def run(request, keys=""):
        screen = begun(case, [turn("Seen.", expect=[request])])
        screen.type((keys or request) + "\n")
        screen.until("Seen.")
        screen.until(PROMPT)
        screen.type("\x04")
        screen.end()
    key = "sk-ant-api03-" + "q7Rt2" * 18 + "-Zk9mB1AA"
    screen = begun(case, [turn("Seen.")])
    screen.type("The key is %s\n" % key)
    screen.until("Seen.")
    screen.until(PROMPT)
    screen.type("\x04")
    screen.end()
    check(kept.stat().st_mode & 0o777 == 0o600 and key not in kept.read_text(), kept.read_text())
    run("What is\nb?", "What is\\\nb?")
    run("What is\nb?", "\x1b[A")
    subprocess.run([case.program, "history", "clear", "--yes"], env=case.environment, check=True, capture_output=True)
    check(not kept.exists(), "it is still there")
    case.settings(**{"history.retentionDays": 0})
    run("What is c?")
    check(not kept.exists(), "it is kept without a history")


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


def what_is_typed_while_a_command_runs_waits_for_the_prompt(case):
    screen = begun(case, [turn("Seen.", expect=["Output of `echo begins;", "Why not? Say."])])
    screen.type("!echo begins; until [ -e go ]; do sleep 0.1; done\n")
    screen.until("begins\r\n")
    screen.type("Why not?\n")
    case.put("go", "")
    screen.until("goes with your next request")
    check("\n" not in screen.until(PROMPT + "\r> Why not?").split(PROMPT)[1], "it was sent")
    screen.type(" Say.\n")
    screen.until("Seen.")
    screen.until(PROMPT)
    screen.type("\x04")
    screen.end()


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


def tab_offers_no_file_that_git_ignores(case):
    for path in ("build/x.c", "sub/deep.o", "sub/deep.c", "node_modules/y.js"):
        (case.root / path).parent.mkdir(exist_ok=True)
        case.put(path, "")
    case.put(".gitignore", "/build/*\n")
    case.put("sub/.gitignore", "*.o\n")
    screen = begun(case, [])
    screen.type("@\t")
    offered = screen.until("> @").split()
    check("@a.c" in offered and "@sub/" in offered and not {"@build/", "@node_modules/"} & set(offered), offered)
    screen.type("sub/\t")
    screen.until("deep.c ")
    screen.type("\x03")
    screen.until(PROMPT)
    screen.type("\x04")
    screen.end()


def a_request_of_several_lines_is_sent_by_enter_alone(case):
    screen = begun(case, [turn("One.", expect=["first\nsecond"])])
    screen.type("\x1b[200~first\rsecond\x1b[201~")
    screen.until("second")
    screen.type("\n")
    screen.until("One.")
    screen.until(PROMPT)
    case.command([turn("Two.", expect=["größer\nzweite\ndritte"])])
    screen.type("größer\x1b\nzweite\\\n")
    screen.until(". ")
    screen.type("dritte\n")
    screen.until("Two.")
    screen.until(PROMPT)
    screen.type("\x04")
    screen.end()


def tab_completes_commands_and_names(case):
    case.put("sub/deep.c", "int x;\n")
    screen = begun(case, [turn("Seen.", expect=["int x;"])])
    screen.type("@su\t")
    screen.until("b/")  # only what is new is drawn
    screen.type("d\t")
    screen.until("eep.c ")
    screen.type("What is it?\n")
    screen.until("Seen.")
    screen.until(PROMPT)
    screen.type("/un\t")
    screen.until("do ")
    screen.type("\x03")
    screen.until(PROMPT)
    screen.type("/udno\n")
    check("There is no command /udno" in screen.until(PROMPT), screen.text)
    screen.type("/help\n")
    said = screen.until(PROMPT)
    check(all(word in said for word in ("/explain", "/undo", "/model", "Ctrl-C")), said)
    check(max(map(len, said.splitlines())) < 80, said)
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


def what_is_pasted_answers_no_question(case):
    screen = begun(case, WIDER)
    screen.type("Wider, please.\n")
    screen.until("or [d]iscard? ")
    screen.type("\x1b[200~add a line\rand apply it\r\x1b[201~")
    screen.until("A paste is not an answer.")
    screen.until("or [d]iscard? ")
    screen.type("apply\nall\n")  # of a terminal that marks no paste
    screen.until("Unknown key.")
    screen.until("or [d]iscard? ")
    check(case.get() == TEXT, case.get())
    screen.type("r")
    screen.until("What should be different? ")
    case.command([turn("No.", expect=["first\nsecond line"])])
    screen.type("\x1b[200~first\rsecond\x1b[201~")
    screen.until("second")
    screen.type(" line\n")
    screen.until("or [d]iscard? ")
    screen.type("d")
    screen.until(PROMPT)
    screen.type("\x04")
    screen.end()


def a_line_that_the_terminal_has_cut_is_not_applied(case):
    line = "long b" + "b" * 5000 + ";"
    for command in ("apply", "verify"):
        screen = case.start([case.program, command])
        screen.until("Ctrl-D")
        screen.type("a.c\n<<<<<<< SEARCH\nint b;\n=======\n%s\n>>>>>>> REPLACE\n\x04" % line)
        check("cut a long line" in " ".join(screen.end().split()), screen.text[-300:])
        check(screen.code != 0 and case.get() == TEXT, case.get()[:100])


def a_smaller_terminal_keeps_what_is_typed(case):
    screen = begun(case, [turn("Seen.", expect=["w " * 25 + "more"])])
    screen.type("w " * 25)
    screen.until("w " * 24)
    for columns in (60, 10):
        fcntl.ioctl(screen.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 45, columns, 0, 0))
        screen.until("> w w w")  # it is drawn anew
    screen.type("more\n")
    screen.until("Seen.")
    screen.until(PROMPT)
    screen.type("\x04")
    screen.end()
    check(screen.code == 0, screen.text)


def a_signal_that_ends_it_leaves_the_terminal_as_it_was(case):
    screen = begun(case, [])
    screen.type("half")
    screen.until("half")
    os.kill(screen.pid, signal.SIGTERM)
    said = screen.end()
    check(said.endswith("\x1b[?2004l") and screen.code == -signal.SIGTERM, said)


def a_conversation_is_stopped_as_often_as_one_likes(case):
    command = case.command([turn("Seen.", expect=["half a request"])])
    screen = case.start(["bash", "--norc", "-ic", '"$@"; fg; fg; echo ended', "bash", *command])
    screen.until(PROMPT)
    screen.type("half")
    for _ in range(2):
        screen.until("half")
        screen.type("\x1a")
    screen.until("half")
    screen.type(" a request\n")
    screen.until("Seen.")
    screen.until(PROMPT)
    screen.type("\x04")
    screen.until("ended")
    screen.end()


def bytes_that_are_no_characters_end_nothing(case):
    screen = begun(case, [turn("Seen.", expect=["ab(c"])])
    os.write(screen.fd, b"\x1b[200~a\xffb\xc3(c\xe2\x82\x1b[201~\xe2\x82\n")
    screen.until("Seen.")
    screen.until(PROMPT)
    os.write(screen.fd, b"\x1b[200~a paste without its end")
    screen.type("\x03")
    screen.until("^C")
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
