"""What the user decides on a proposal: hunks, refinements."""
import json
import subprocess

from case import QUESTION
from cli_support import TEXT, WIDE, WIDER, check, edit, turn


def a_hunk_is_edited_before_it_is_applied(case):
    editor = case.home / "ed it"
    editor.write_text('#!/bin/sh\n[ "$(cat "$1")" = "long b;" ] && printf "short b;\\nint two;" > "$1"\n')
    editor.chmod(0o755)
    for own, edited in (("'%s'" % editor, True), ("false", False)):
        case.put("a.c", TEXT)
        screen = case.terminal(WIDER, "Wider, please.", EDITOR=own)
        screen.until(QUESTION)
        screen.type("h")
        screen.until("hunk 1 of 2? [y/n/a/d/e/q/?] ")
        screen.type("e")
        shown = screen.until("hunk 1 of 2? ")  # it is shown again
        check(("+int two;" in shown) == edited and ("has failed" in shown) != edited, shown)
        screen.type("y")
        screen.until("hunk 2 of 2? ")
        screen.type("n")
        screen.end()
        wanted = "short b;\nint two;" if edited else "long b;"
        check(screen.code == 0 and case.get() == TEXT.replace("int b;", wanted), case.get())
        done = subprocess.run([case.program, "undo"], cwd=case.root, env=case.environment, capture_output=True, text=True)
        check(done.returncode == 0 and case.get() == TEXT, str(done))


def hunks_are_chosen_one_by_one(case):
    screen = case.terminal(WIDER, "Wider, please.")
    screen.until(QUESTION)
    screen.type("\x1b[A\x1b\x1bOP")  # keys that decide nothing: Up, Escape, F1
    screen.type("h")
    shown = screen.until("Apply hunk 1 of 2? [y/n/a/d/e/q/?] ")
    check("+long b;" in shown and "+long g;" not in shown, shown)
    screen.type("?")
    screen.until("leave it out")
    screen.until("[y/n/a/d/e/q/?] ")
    screen.type("q")
    screen.until(QUESTION)
    screen.type("h")
    screen.until("hunk 1 of 2? [y/n/a/d/e/q/?] ")
    screen.type("n")
    screen.until("hunk 2 of 2? [y/n/a/d/e/q/?] ")
    screen.type("y")
    screen.end()
    check(screen.code == 0 and case.get() == TEXT.replace("int g", "long g"), case.get())
    kept = subprocess.run([case.program, "history", "--json", "list"], env=case.environment, capture_output=True)
    session = json.loads(kept.stdout)[0]["id"]
    shown = subprocess.run([case.program, "history", "--json", "show", session], env=case.environment, capture_output=True)
    file = json.loads(shown.stdout)["asks"][0]["proposals"][0]["files"][0]
    check(file["after"] == case.get(), "the history has what was not applied: " + str(file))


def half_of_a_rename_is_not_written(case):
    patch = "*** Begin Patch\n*** Update File: a.c\n*** Move to: z.c\n*** End Patch\n"
    screen = case.terminal([turn(patch)], "--profile", "blocks", "Rename it.")
    screen.until(QUESTION)
    screen.type("h")
    shown = screen.until("/q/?] ")
    screen.type("n" if "+++ b/z.c" in shown else "y")
    if "of 2?" in shown:
        shown = screen.until("/q/?] ")
        screen.type("n" if "+++ b/z.c" in shown else "y")
    screen.until(QUESTION)
    screen.type("d")
    screen.end()
    check(case.get() == TEXT, "the file is gone")


def refining_goes_on_with_the_draft(case):
    more = [turn("", [edit("int c;", "long c;")], expect=["c as well", "long b;"]), turn("And c.")]
    screen = case.terminal(WIDER + more, "Wider, please.")
    screen.until(QUESTION)
    screen.type("r")
    screen.until("What should be different? ")
    screen.type("c as well\r")
    screen.until("+long c;")
    screen.until(QUESTION)
    screen.type("a")
    screen.end()
    check(screen.code == 0 and case.get() == WIDE.replace("int c", "long c"), case.get())


def a_refinement_without_words_leaves_the_question(case):
    screen = case.terminal(WIDER, "Wider, please.")
    screen.until(QUESTION)
    for keys in ("r\r", "r\x1b"):
        screen.type(keys[0])
        screen.until("What should be different? ")
        screen.type(keys[1:])
        before = screen.until(QUESTION)
        check("\n" in before.removesuffix(QUESTION), repr(before))
    screen.type("r\r")  # the Enter comes with the key
    screen.until("What should be different? ")
    screen.type("\r")
    before = screen.until(QUESTION)
    check("\n" in before.removesuffix(QUESTION), repr(before))
    screen.type("d")
    screen.end()
    check(screen.code == 0 and case.get() == TEXT, case.get())


def a_refinement_that_takes_everything_back_forgets_the_proposal(case):
    back = [turn("", [edit("long b;", "int b;"), edit("long g;", "int g;")]), turn("I took it back.")]
    screen = case.terminal(WIDER + back, "Wider, please.")
    screen.until(QUESTION)
    screen.type("r")
    screen.until("What should be different? ")
    screen.type("take it back\r")
    text = screen.end()
    check(screen.code == 0 and "The proposal was withdrawn; nothing was changed." in text, text)
    check(case.get() == TEXT, case.get())


def a_refinement_that_changes_nothing_leaves_the_proposal(case):
    screen = case.terminal(WIDER + [turn("It is as wide as can be.")], "Wider, please.")
    screen.until(QUESTION)
    screen.type("r")
    screen.until("What should be different? ")
    screen.type("wider?\r")
    screen.until("The proposal stays as it is.")
    screen.until(QUESTION)
    screen.type("a")
    screen.end()
    check(screen.code == 0 and case.get() == WIDE, case.get())


def what_cannot_be_meant_is_named_with_what_can(case):
    for words, says in ((["--format", "foo"], "editor-whole"), (["--profile", "nosuch"], "plan"),
                        (["a.c:5-2"], "The last line is before the first: a.c:5-2")):
        done = case.run([], "Wider, please.", *words)
        check(done.returncode == 2 and says in done.err, "%s: %d %s" % (words, done.returncode, done.err))
    case.settings(**{"bodkin.workspace.trusted": ["work"], "bodkin.agent.profile": "nosuch"})
    done = subprocess.run([case.program, "check", "--provider", "replay", "--model", "none"], cwd=case.root,
                          env=case.environment, capture_output=True, timeout=60)
    out = " ".join(done.stdout.decode().split())
    check('"work" is ignored; a folder begins with / or ~/.' in out, out)
    check('there is no profile "nosuch"' in out and "is not trusted" in out, out)
    case.settings(**{"bodkin.workspace.trusted": [str(case.root)]})
    done = subprocess.run([case.program, "check", "--provider", "replay", "--model", "none"], cwd=case.root,
                          env=case.environment, capture_output=True, timeout=60)
    check("is trusted." in " ".join(done.stdout.decode().split()), done.stdout.decode())


def a_mention_of_nothing_is_told_to_the_user(case):
    done = case.run([turn("Fine.")], "What is in @nofile.py, @nosuch and @property?")
    check("@nofile.py names nothing" in done.err and "@property" not in done.err, done.err)
    check("@nosuch names nothing" in done.err, done.err)
    case.put("sub/b.c", TEXT)
    done = case.run([turn("Fine.")], "/fix @sub/")
    check("problems in sub/b.c" in done.err and "not a path" not in done.err, done.err)


def a_file_that_changed_meanwhile_is_not_overwritten(case):
    screen = case.terminal(WIDER, "Wider, please.")
    screen.until(QUESTION)
    case.put("a.c", TEXT + "int typed;\n")
    screen.type("a")
    screen.until(QUESTION)
    check(case.get() == TEXT + "int typed;\n", case.get())
    screen.type("a")
    screen.end()
    check(screen.code == 0 and case.get() == WIDE + "int typed;\n", case.get())


def a_file_that_a_patch_deletes_and_adds_again_is_written_unasked(case):
    case.settings(**{"agent.dialect": "codex"})
    patch = "*** Begin Patch\n*** Delete File: a.c\n*** Add File: a.c\n%s*** End Patch\n" % "".join("+%s\n" % line for line in WIDE.splitlines())
    call = {"name": "apply_patch", "arguments": {"input": patch}}
    done = case.run([turn("", [call]), turn("Done.")], "--yes", "Wider.")
    check(done.returncode == 0 and case.get() == WIDE, str(done))
