"""The line of a conversation: what is typed, pasted and completed, and its terminal."""
import fcntl
import os
import signal
import struct
import subprocess
import termios

from cli_support import TEXT, WIDER, check, turn
from conversation_tests import PROMPT, begun


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
