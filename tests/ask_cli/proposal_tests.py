"""A proposal while its files change, and until it is written."""
import os
import re
import subprocess

from case import QUESTION, history
from cli_support import READ, TEXT, WIDE, WIDER, check, edit, turn


def a_proposal_goes_with_its_lines_while_the_user_decides(case):
    screen = case.terminal(WIDER, "Wider, please.")
    screen.until(QUESTION)
    case.put("a.c", "// above\n" + TEXT)
    screen.type("a")
    screen.until("The files changed meanwhile; the proposal has moved with its lines.")
    screen.until("Would change a.c (+2 \u22122).")
    screen.until(QUESTION)
    screen.type("a")
    screen.end()
    check(screen.code == 0 and case.get() == "// above\n" + WIDE, case.get())

    case.put("a.c", TEXT)
    screen = case.terminal(WIDER, "Wider, please.")
    screen.until(QUESTION)
    case.put("a.c", TEXT.replace("int b;", "short b;"))
    screen.type("h")
    screen.until("what does not fit a.c any more was")
    screen.until(QUESTION)
    screen.type("a")
    screen.end()
    check(screen.code == 0 and case.get() == TEXT.replace("int b;", "short b;").replace("int g;", "long g;"), case.get())


def a_proposal_that_fits_nowhere_any_more_is_not_lost(case):
    again = [turn("", [{"name": "read_file", "arguments": {"path": "a.c"}}],
                  expect=["Nothing of your last proposal was applied", "only b"]),
             turn("", [edit("int b;", "long b;")]), turn("b is wider.")]
    screen = case.terminal(WIDER + again, "Wider, please.")
    screen.until(QUESTION)
    case.put("a.c", TEXT.replace("int b;", "short b;").replace("int g;", "short g;"))
    screen.type("a")
    screen.until("none of the proposal fits any more")
    screen.until(QUESTION)
    case.put("a.c", TEXT)  # as it was
    screen.type("h")
    screen.until("hunk 1 of 2? ")
    screen.type("q")
    screen.until(QUESTION)
    case.put("a.c", "int a, x;\nint b;\nint y;\n")
    screen.type("r")
    screen.until("What should be different? ")
    screen.type("only b\r")
    screen.until("+long b;")
    screen.until(QUESTION)
    screen.type("a")
    screen.end()
    check(screen.code == 0 and case.get() == "int a, x;\nlong b;\nint y;\n", case.get())


def a_proposal_that_cannot_be_written_can_still_be_had(case):
    screen = case.terminal(WIDER, "Wider, please.")
    screen.until(QUESTION)
    journals = case.home / ".local/state/bodkin/apply"
    journals.mkdir(parents=True, exist_ok=True)
    os.chmod(journals, 0o777)  # where no journal may be kept
    screen.type("a")
    screen.until("other users can access it")
    screen.until(QUESTION)
    os.chmod(journals, 0o700)
    screen.type("a")
    screen.end()
    check(screen.code == 0 and case.get() == WIDE, case.get())


def a_file_that_somebody_else_has_created_is_not_overwritten(case):
    screen = case.terminal([turn("*** Begin Patch\n*** Add File: n.c\n+int n;\n*** End Patch\n")], "--profile", "blocks", "New.")
    screen.until(QUESTION)
    case.put("n.c", "int mine;\n")
    screen.type("a")
    screen.until("n.c changed meanwhile, and none of the proposal fits any more")
    screen.until(QUESTION)
    screen.type("d")
    screen.end()
    check(screen.code == 0 and case.get("n.c") == "int mine;\n", case.get("n.c"))


def a_proposal_that_was_dropped_can_be_had_again(case):
    for key, code in (("d", 0), ("\x03", 130), ("\x04", 130)):
        case.put("a.c", TEXT)
        screen = case.terminal(WIDER, "Wider, please.")
        screen.until(QUESTION)
        screen.type(key)
        said = screen.end()
        check(screen.code == code and case.get() == TEXT, said)
        command = said.split("To apply it after all: ")[1].split()
        check(command[:2] == ["bodkin", "redo"], said)
        shown = history(case, "show", "last")
        check("-int b;" in shown and "+long b;" in shown and command[2] + ": discarded" in shown, shown)
        case.put("a.c", "int first;\n" + TEXT)  # elsewhere
        done = subprocess.run([case.program, "redo", command[2]], cwd=case.root, env=case.environment, capture_output=True)
        err = done.stderr.decode()
        check(done.returncode == 0 and case.get() == "int first;\n" + WIDE, err)
        check("When it was proposed: ? only the syntax was checked" in err.replace("\n  ", " "), err)
        done = subprocess.run([case.program, "undo"], cwd=case.root, env=case.environment, capture_output=True)
        check(done.returncode == 0 and case.get() == "int first;\n" + TEXT, done.stderr.decode())
    done = subprocess.run([case.program, "redo", "--root", str(case.home / ".config")], cwd=case.root, env=case.environment, capture_output=True)
    check(done.returncode == 1, "what was discarded was applied without its id")


def a_diff_is_viewed_page_by_page(case):
    (case.home / "pager").write_text("#!/bin/sh\necho PAGED; cat\n")
    os.chmod(case.home / "pager", 0o755)
    screen = case.terminal(WIDER, "Wider, please.", PAGER=str(case.home / "pager"))
    screen.until(QUESTION)
    screen.type("v")
    shown = screen.until(QUESTION)
    check("PAGED" in shown and "+long b;" in shown, shown)
    screen.type("a")
    screen.end()
    check(screen.code == 0 and case.get() == WIDE, case.get())


def answer_anyway(screen, case, key, expected):
    asked = screen.until("Apply it anyway? [y/n] ")
    check("✗ " in asked.splitlines()[-1], asked)
    check(case.get() == TEXT, "it was written before it was agreed to")
    screen.type(key)
    if key != "y":
        screen.until(QUESTION)
        screen.type("d")
    screen.end()
    check(screen.code == 0 and case.get() == expected, case.get())


def what_a_check_objects_to_is_asked_about_again(case):
    wrong = [READ, turn("", [edit("int b;", "int b")]), turn("Done."), turn("Done."), turn("Done.")]
    for key, expected in (("n", TEXT), ("\x1b", TEXT), ("q", TEXT), ("y", TEXT.replace("int b;", "int b"))):
        screen = case.terminal(wrong, "Narrower.")
        screen.until(QUESTION)
        screen.type("a")
        answer_anyway(screen, case, key, expected)


def markdown_is_coloured_in_a_terminal_and_every_sign_of_it_stays(case):
    long = "x = 1  # " + "a comment that is as long as it can be " * 3
    lines = ["# A title", "", "It **is** one, **`b`** and `__init__`, `int **p`; 2 ** 3 and x**2 stay.", "* an item",
             "#include is none", "", "```py", long, "```", "The last one *"]
    screen = case.terminal([turn("\n".join(lines))], "What is it?")
    text = screen.end()
    check("\x1b[1m# A title\x1b[22m\r\n" in text and "It \x1b[1m**is**\x1b[22m one" in text, text)
    check("\x1b[36m`__init__`\x1b[39m" in text and "`int **p`\x1b[39m; 2 ** 3 and x**2 stay." in text, text)
    check("^[" not in text, text)
    seen = re.sub(r"\x1b\[[0-9;]*[mK]", "", text).replace("\r\n", "\n")
    check(all(line in seen for line in lines if line != lines[2]), seen)  # code is not broken at the edge
    check(lines[2] in seen.replace("\n", " "), seen)
    plain = case.terminal([turn("\n".join(lines))], "What is it?", NO_COLOR="1").end()
    check("\x1b[1m" not in plain and "\x1b[36m" not in plain and "**is** one" in plain, plain)


def escape_and_q_leave_the_proposal_alone(case):
    for keys in ("\x1b", "q", "\n\x1b[A\x1b"):  # Enter and an arrow are no answer
        screen = case.terminal(WIDER, "Wider, please.")
        screen.until(QUESTION)
        screen.type(keys)
        screen.until("Discarded; nothing was changed.")
        screen.until("bodkin redo")
        screen.end()
        check(screen.code == 0 and case.get() == TEXT, case.get())


def a_word_at_the_question_is_no_choice(case):
    screen = case.terminal(WIDER, "Wider, please.")
    screen.until(QUESTION)
    screen.type("clear")  # without Enter, too
    screen.until("Unknown key.")
    screen.until(QUESTION)
    check(case.get() == TEXT, "a letter of a word was taken")
    screen.type("a")
    screen.end()
    check(screen.code == 0 and case.get() == WIDE, case.get())


def a_part_is_checked_before_it_is_written(case):
    case.settings(**{"verify.servers": {}})
    turns = [READ, turn("", [edit("int b;", "int b, extra;"), edit("int g;", "int *g = &extra;")]), turn("Done.")]
    for key, expected in (("n", TEXT), ("y", TEXT.replace("int g;", "int *g = &extra;"))):
        screen = case.terminal(turns, "Point to it.")
        screen.until(QUESTION)
        screen.type("h")
        screen.until("Apply hunk 1 of 2?")
        screen.type("n")
        screen.until("Apply hunk 2 of 2?")
        screen.type("y")
        screen.until("This part alone: ")
        screen.until("a.c, line 7: ")
        answer_anyway(screen, case, key, expected)
