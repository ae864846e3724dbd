"""An undo and a redo of parts, after other changes."""
import json
import sqlite3
import subprocess

from cli_support import block, check, turn
from undo_tests import kept, undo


def pasted(of, *pairs, folder=None):
    """The id of a change of bodkin apply."""
    reply = "".join(block("a.c", old, new) for old, new in pairs)
    done = subprocess.run([of.program, "apply", "--json"], cwd=folder or of.root, env=of.environment, check=True, input=reply.encode(),
                          capture_output=True)
    return json.loads(done.stdout)["undo"].split()[2]


LINES = "".join("int v%02d;\n" % n for n in range(30))


def changed_at(*lines):
    return [("int v%02d;\n" % n, "long v%02d;\n" % n) for n in lines]


def a_line_that_changed_after_an_undo_leaves_the_redo_of_the_others_alone(case):
    case.put("a.c", LINES)
    pasted(case, *changed_at(3, 12, 24))
    after = case.get()
    check(undo(case).returncode == 0, "undo")
    case.put("a.c", LINES.replace("int v12;", "char mine;"))
    done = undo(case, name="redo")
    check(done.returncode == 1 and case.get() == after.replace("long v12;", "char mine;"), str(done) + case.get())
    check("line 13 of a.c has changed since" in done.err and "line 4 " not in done.err, done.err)


def a_part_that_was_left_is_no_part_of_the_redo(case):
    case.put("a.c", LINES)
    pasted(case, *changed_at(3, 24))
    mine = case.get().replace("long v03;", "char mine;")
    case.put("a.c", mine)
    check(undo(case).returncode == 1, "in part")
    check(undo(case).returncode == 1, "the rest has changed")
    done = undo(case, name="redo")
    check(done.returncode == 0 and case.get() == mine and "changed since" not in done.err, str(done))


def a_redo_brings_back_no_line_that_the_user_removed(case):
    case.put("a.c", LINES)
    (case.root / "b.c").write_text(LINES)
    reply = block("a.c", "int v03;\n", "long v03;\n") + block("b.c", "int v03;\n", "int v03;\nint added;\n") + block("b.c", "int v20;\n", "long v20;\n")
    subprocess.run([case.program, "apply"], cwd=case.root, env=case.environment, check=True, input=reply.encode(), capture_output=True)
    case.put("b.c", case.get("b.c").replace("int added;\n", ""))
    texts = case.get(), case.get("b.c")
    check(undo(case).returncode == 0 and case.get() == LINES == case.get("b.c"), "undo")
    for code in (0, 1, 1):
        check(undo(case, name="redo").returncode == code and (case.get(), case.get("b.c")) == texts, "%d: %s" % (code, case.get("b.c")))


def a_redo_takes_nothing_once_there_is_a_new_change(case):
    case.put("a.c", LINES)
    first = pasted(case, *changed_at(3))
    check(undo(case).returncode == 0, "undo")
    pasted(case, *changed_at(24))
    now = case.get()
    done = undo(case, name="redo")
    check(done.returncode == 1 and "was applied after the last undo" in done.err and first in done.err and case.get() == now, str(done))
    check(undo(case).returncode == 0 and undo(case, name="redo").returncode == 0 and case.get() == now, "the new one")
    check(undo(case, first, name="redo").returncode == 0 and "long v03;" in case.get(), "by its id")
    check(undo(case).returncode == 0 and case.get() == now, "what was redone comes first")


def an_old_change_is_named_as_old(case):
    case.put("a.c", LINES)
    pasted(case, *changed_at(3))
    database = case.home / ".local/state/bodkin/history.db"
    with sqlite3.connect(database) as store:
        store.execute("UPDATE proposals SET applied = applied - 3 * 86400000")
    store.close()
    done = undo(case)
    check(done.returncode == 0 and "It was applied 3 days ago." in done.err and case.get() == LINES, str(done))
    check(undo(case, name="redo").returncode == 0, "redo")
    with sqlite3.connect(database) as store:
        store.execute("UPDATE proposals SET applied = applied - 3 * 86400000")
    store.close()
    for key, text in (("n", case.get()), ("y", LINES)):
        screen = case.start([case.program, "undo"], columns=200)
        screen.until("(a.c) was applied 3 days ago. Undo it? [y]es, [n]o ")
        screen.type(key)
        screen.end()
        check(case.get() == text, key + case.get())


def the_history_knows_what_was_undone_in_part(case):
    case.put("a.c", LINES)
    case.put("b.c", LINES)
    reply = block("a.c", "int v03;\n", "long v03;\n") + block("b.c", "int v03;\n", "long v03;\n")
    subprocess.run([case.program, "apply"], cwd=case.root, env=case.environment, check=True, input=reply.encode(), capture_output=True)
    check("(applied)" in kept(case), kept(case))
    check(undo(case, "b.c").returncode == 0 and "(undone in part)" in kept(case), kept(case))
    case.put("a.c", LINES.replace("int v03;", "char mine;"))
    check("(undone in part, changed since)" in kept(case), kept(case))
    check(undo(case).returncode == 1 and "(undone in part, changed since)" in kept(case), "refused: " + kept(case))
    check(undo(case, name="redo").returncode == 0 and "(applied, changed since)" in kept(case), kept(case))
    case.put("a.c", LINES)
    case.put("b.c", LINES)
    check("(applied, reverted since)" in kept(case), kept(case))
    # A later change by bodkin is none by somebody else.
    pasted(case, *changed_at(24))
    check([line.split("(")[1].split(")")[0] for line in kept(case).splitlines()] == ["applied", "applied, reverted since"], kept(case))


def a_change_is_reverted_only_if_nothing_of_it_is_left(case):
    case.put("a.c", LINES)
    reply = "*** Begin Patch\n*** Update File: a.c\n@@\n-int v04;\n+long v04;\n*** Add File: new.c\n+int n;\n*** End Patch\n"
    subprocess.run([case.program, "apply"], cwd=case.root, env=case.environment, check=True, input=reply.encode(), capture_output=True)
    case.put("a.c", LINES)
    check("(applied, changed since)" in kept(case).splitlines()[0], kept(case))
    (case.root / "new.c").unlink()
    check("(applied, reverted since)" in kept(case).splitlines()[0], kept(case))


def a_session_is_redone_after_a_part_of_it_was(case):
    """Of what was undone, and of what was only shown."""
    case.put("a.c", LINES)
    case.put("b.c", LINES)
    reply = block("a.c", "int v03;\n", "long v03;\n") + block("b.c", "int v03;\n", "long v03;\n")
    for written in (True, False):
        case.run([turn(reply)], *(["--yes"] if written else []), "Longer, please.")
        session = json.loads(kept(case, "--json"))[0]["id"]
        if written:
            check(undo(case, session).returncode == 0, "undo")
        for words, texts in (([session, "a.c"], (1, 0)), ([session], (1, 1))):
            done = undo(case, *words, name="redo")
            check(done.returncode == 0, str(done))
            check((case.get().count("long"), case.get("b.c").count("long")) == texts, case.get() + case.get("b.c"))
        check("has nothing to redo" in undo(case, session, name="redo").err, "a third time")
        check(undo(case, session).returncode == 0 and case.get() == LINES == case.get("b.c"), "all of it is undone")


def a_part_is_named_by_its_files(case):
    case.put("a.c", LINES)
    case.put("b.c", LINES)
    reply = block("a.c", "int v03;\n", "long v03;\n") + block("b.c", "int v03;\n", "long v03;\n")
    subprocess.run([case.program, "apply"], cwd=case.root, env=case.environment, check=True, input=reply.encode(), capture_output=True)
    id = kept(case).split()[0]
    check("is undone in b.c." in undo(case, "b.c").err and "(undone in part: b.c)" in kept(case, "show", id), kept(case, "show", id))
    done = undo(case, "b.c")
    check(done.returncode == 1 and "is not in b.c any more." in " ".join(done.err.split()), done.err)
    done = undo(case, name="redo")
    check("is applied again in b.c." in done.err and "(applied)" in kept(case, "show", id), done.err)
    check("” is undone." in undo(case).err and "” is applied again." in undo(case, name="redo").err, "all of it")


def a_line_that_an_undo_left_as_changed_stays_so_whatever_else_changes(case):
    case.put("a.txt", "".join(c + "\n" for c in "a1234cde56"))
    patch = b"--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-a\n+A\n 1\n@@ -6,3 +6,2 @@\n c\n-d\n e\n"
    subprocess.run([case.program, "apply"], cwd=case.root, env=case.environment, check=True, input=patch, capture_output=True)
    case.put("a.txt", "".join(c + "\n" for c in "A1234cXe56"))
    done = undo(case)
    left = "".join(c + "\n" for c in "a1234cXe56")
    check(done.returncode == 1 and case.get("a.txt") == left and "line 7 of a.txt has changed since" in " ".join(done.err.split()), str(done))
    for text in (left, "top\n" + left, "top\n" + left + "end\n"):
        case.put("a.txt", text)
        done = undo(case)
        check(done.returncode == 1 and case.get("a.txt") == text, str(done) + case.get("a.txt"))


def an_undo_writes_the_line_ends_that_the_file_has_by_then(case):
    for before, after in ((b"\r\n", b"\n"), (b"\n", b"\r\n")):
        lines = LINES.encode().replace(b"\n", before)
        (case.root / "a.c").write_bytes(lines)
        pasted(case, *changed_at(3, 12))
        changed = (case.root / "a.c").read_bytes()
        check(changed == lines.replace(b"int v03", b"long v03").replace(b"int v12", b"long v12"), str(changed))
        for name, wanted in (("undo", lines), ("redo", changed), ("undo", lines)):
            (case.root / "a.c").write_bytes((case.root / "a.c").read_bytes().replace(before, after))
            done = undo(case, name=name)
            now = (case.root / "a.c").read_bytes()
            check(done.returncode == 0 and now == wanted.replace(before, after), "%s: %s %r" % (name, done, now))
            (case.root / "a.c").write_bytes(now.replace(after, before))
