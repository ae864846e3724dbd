"""An ask in a terminal: what it prints, and its keys."""
import re
import subprocess

from case import QUESTION, Terminal
from cli_support import READ, TEXT, WIDE, WIDER, block, check, edit, turn


def in_a_terminal_the_words_stream_and_a_key_applies(case):
    screen = case.terminal(WIDER, "Wider, please.")
    before = screen.until(QUESTION).replace("\r\n  ", " ")  # messages are broken between words
    for wanted in ("I look first.", "- Reading a.c", "\x1b[32m+long b;", "? only the syntax was checked: no language server for C is set up. 3 turns, 3,030 tokens"):
        check(wanted in before, before)
    check(case.get() == TEXT, "it was written before the key")
    screen.type("x\r")  # none of the keys
    screen.until(QUESTION)
    screen.type("a")
    text = screen.end()
    check(screen.code == 0 and case.get() == WIDE and "changed a.c" in text, text)


def words_beside_edit_blocks_are_printed_once(case):
    reply = "I widen b.\n\na.c\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n\nThat was it.\n"
    screen = case.terminal([turn(reply)], "--profile", "blocks", "Wider, please.", "a.c")
    before = screen.until(QUESTION)
    check(before.count("I widen b.") == 1 and before.count("That was it.") == 1, before)
    check("SEARCH" not in before and "int b;\r\n=======" not in before, before)
    screen.type("d")
    screen.end()


def at_40_columns_nothing_breaks_within_a_word(case):
    def broken(text, allowed=()):
        lines = re.sub("[^\n]*\r\x1b\\[K|\x1b\\[[0-9;?]*[mhl]", "", text).replace("\r", "").split("\n")
        return [line for line in lines if len(line) > 40 and not any(part in line for part in allowed)]

    slow = {**WIDER[-1], "delay_ms": 1500}
    screen = case.terminal([*WIDER[:-1], slow], "Wider, please.", columns=40)
    asked = screen.until("[d]iscard? ")
    check("0 s: Indexing" in asked and "\x1b[2m  Asking replay of test (turn 3), " in asked, asked)
    screen.type("d")
    check(not broken(asked + screen.end()), broken(asked + screen.text))
    for words in (["check"], ["settings", "verify"], ["verify", str(case.home / "reply.md")]):
        (case.home / "reply.md").write_text(block("a.c", "int b;\n", "long b;\n"))
        screen = Terminal([case.program, *words], case.root, case.environment, 40)
        said = screen.end()
        # What is copied from there stays in one line, and a path has no blank to break at.
        check(not broken(said, ("export ", "curl ", "settings.json")), (words, broken(said, ("export ", "curl ", "settings.json"))))


def words_of_the_model_cannot_control_a_terminal_behind_a_pipe(case):
    done = case.run([turn("It is\x1b]0;title\x07 b\u202e.\x9b2J")], "What is it?")
    check("It is^[]0;title^G b<U+202E>." in done.out and "\x1b" not in done.out and "\x9b" not in done.out, repr(done.out))
    for words in (["history", "show", "last"], ["history", "export", "last"]):
        said = subprocess.run([case.program, *words], env=case.environment, capture_output=True, timeout=60).stdout.decode()
        check("It is^[]0;title" in said and "\x1b" not in said and "\x9b" not in said, repr(said))
    done = case.run([READ, turn("", [edit("int b;", "long b;\x1b[2J")]), turn("So.")], "Wider, please.")
    check("+long b;^[[2J" in done.out and "\x1b" not in done.out, repr(done.out))
    done = case.run([READ, turn("", [edit("int b;", "long b;\x1b[2J")]), turn("So.")], "--diff", "Wider, please.")
    check("+long b;\x1b[2J" in done.out, repr(done.out))  # a patch is exact


def words_of_the_model_beside_a_diff_cannot_control_a_terminal(case):
    done = case.run([READ, turn("", [edit("int b;", "long b;")]), turn("Wider.\x1b]0;title\x07\u202e")], "Wider, please.")
    check("Wider.^[]0;title^G<U+202E>" in done.err and "\x1b" not in done.err, repr(done.err))


def in_a_terminal_a_failed_edit_has_its_reason(case):
    screen = case.terminal([READ, turn("", [edit("int nowhere;", "long b;")]), *WIDER[1:]], "Wider, please.")
    before = screen.until(QUESTION)
    check(re.search(r"edit failed(, [0-9.]+ s)?: \S", before), before)
    screen.type("d")
    screen.end()


def a_dumb_terminal_has_neither_colours_nor_a_line_that_moves(case):
    for environment in ({"TERM": "dumb"}, {"NO_COLOR": "1"}):
        screen = case.terminal(WIDER, "Wider, please.", **environment)
        before = screen.until(QUESTION)
        check(not re.search("\x1b\\[[0-9;]*m", before), before)
        check("TERM" not in environment or "\x1b" not in before, before)
        screen.type("d")
        text = screen.end()
        check(screen.code == 0 and "Discarded; nothing was changed." in text and case.get() == TEXT, text)


def a_question_mark_says_what_the_keys_do(case):
    screen = case.terminal(WIDER, "Wider, please.")
    screen.until(QUESTION)
    screen.type("?")
    keys = screen.until(QUESTION)
    check(all("\n%s  " % key in keys for key in "ahrd"), keys)
    screen.type("d")
    screen.end()
    check(screen.code == 0 and case.get() == TEXT, case.get())
