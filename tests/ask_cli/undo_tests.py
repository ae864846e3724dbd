"""`bodkin undo` and `bodkin redo`, for run.py. Each process is a new one: all of it is after a restart."""
import json
import os
import sqlite3
import shutil
import subprocess

from cli_support import TEXT, WIDE, WIDER, block, check, edit, turn


def undo(of, *words, name="undo", folder=None):
    done = subprocess.run([of.program, name, *words], cwd=folder or of.root, env=of.environment, capture_output=True,
                          timeout=60)
    done.out, done.err = done.stdout.decode(), done.stderr.decode()
    return done


def applied(of, turns=WIDER, *words):
    """The id of the proposal that is applied."""
    end = json.loads(of.run(turns, "--json", "--yes", *words, "Wider, please.").out.splitlines()[-1])
    check(end["written"] and end["undo"] == "bodkin undo " + end["proposal"], str(end))
    return end["proposal"]


def an_ask_names_the_command_that_takes_it_back(case):
    done = case.run(WIDER, "--yes", "Wider, please.")
    command = done.err.split("Undo: ")[1].split()
    check(case.get() == WIDE and command[:2] == ["bodkin", "undo"], done.err)
    back = undo(case, *command[2:], folder="/")
    check(back.returncode == 0 and case.get() == TEXT and back.out == "changed %s\n" % str(case.root / "a.c")[1:], str(back))
    check("Redo: bodkin redo " + command[2] in back.err, back.err)
    shown = case.run(WIDER, "Wider, please.")
    check("Undo:" not in shown.err, shown.err)
    end = json.loads(case.run(WIDER, "--json", "Wider, please.").out.splitlines()[-1])
    check(end["proposal"].startswith("p1-") and end["undo"] is None, str(end))


def undo_and_redo_go_back_and_forth(case):
    first = applied(case)
    for _ in range(2):
        done = undo(case)
        check(done.returncode == 0 and case.get() == TEXT, str(done))
        again = undo(case, first)
        check(again.returncode == 1 and "is not applied" in again.err and case.get() == TEXT, str(again))
        check("Nothing to undo" in undo(case, "last").err, "undone twice")
        done = undo(case, name="redo")
        check(done.returncode == 0 and case.get() == WIDE, str(done))
    none = undo(case, name="redo").err
    check("Nothing was undone. What was discarded is applied by its id; see bodkin history show last." in none, none)
    shown = undo(case, "--diff")
    check(shown.returncode == 0 and "-long b;\n+int b;\n" in shown.out and case.get() == WIDE, str(shown))
    told = json.loads(undo(case, "--json").out)
    check(told["proposal"] == first and told["written"] and told["left_out"] == [], str(told))
    check([(f["path"], f["state"]) for f in told["files"]] == [("a.c", "changed")] and case.get() == TEXT, str(told))


def what_was_undone_last_is_redone_first(case):
    one = applied(case, [turn("", [{"name": "read_file", "arguments": {"path": "a.c"}}]),
                         turn("", [edit("int b;", "long b;")]), turn("Done.")])
    two = applied(case, [turn("", [{"name": "read_file", "arguments": {"path": "a.c"}}]),
                         turn("", [edit("int g;", "long g;")]), turn("Done.")])
    for wanted in (two, one):
        done = undo(case, "--json")
        check(json.loads(done.out)["proposal"] == wanted, str(done))
    for wanted in (one, two):
        done = undo(case, "--json", name="redo")
        check(json.loads(done.out)["proposal"] == wanted, str(done))
    check(case.get() == WIDE, case.get())
    # An older one on its own: the newer one stays.
    done = undo(case, one)
    check(done.returncode == 0 and case.get() == WIDE.replace("long b", "int b"), str(done))


def what_was_undone_last_in_this_folder_is_redone_whoever_made_it(case):
    folders = [case.root, case.root / "sub", case.root / "other"]
    folders[2].mkdir()
    reply = b"a.c\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n"
    for folder in folders:
        (folder / "a.c").write_text(TEXT)
        subprocess.run([case.program, "apply"], cwd=folder, env=case.environment, check=True, input=reply, capture_output=True)
    oldest = kept(case).splitlines()[-1].split()[0]
    check(undo(case, oldest).returncode == 0, "the oldest one is undone first")
    first, second = [undo(case, folder=folders[1]) for _ in range(2)]
    check(first.out == "changed %s\n" % (folders[2] / "a.c") and second.out == "changed a.c\n", first.out + second.out)
    check(undo(case, "--root", "other", name="redo").out == "changed other/a.c\n", "--root")
    check(undo(case).out == "changed other/a.c\n" and undo(case, name="redo").out == "changed other/a.c\n", "back and forth")
    done = [undo(case, name="redo", folder=folder).out for folder in (case.root, folders[1])]
    check(done == ["changed sub/a.c\n", "changed %s\n" % (case.root / "a.c")], str(done))
    check(undo(case, name="redo").returncode == 1, "none is left")
    (case.root / "sub/a.c").write_text("int mine;\n")
    said = undo(case, "--root", "sub").err
    check("Paths are relative to %s." % (case.root / "sub") in " ".join(said.split()), said)


def one_id_is_enough_for_the_history_and_the_undo(case):
    proposal = applied(case)
    session = json.loads(kept(case, "--json"))[0]["id"]
    for words in ([session], ["show", session], [proposal], ["show", proposal], ["show", session[:-1]]):
        check(proposal + ": applied" in kept(case, *words), words)
    check("(applied)" in kept(case), kept(case))
    check(undo(case, session).returncode == 0 and case.get() == TEXT, "by the session's id")
    check(proposal + ": undone" in kept(case, proposal) and "(undone)" in kept(case), kept(case, proposal))
    check(json.loads(kept(case, "--json", proposal))["asks"][0]["proposals"][0]["state"] == "undone", "in JSON")
    check("has nothing to undo" in undo(case, session).err, "twice")
    check(undo(case, session, name="redo").returncode == 0 and case.get() == WIDE, "redone by the session's id")
    for words, wanted in (("nothing",), "No such session: nothing."), (("p0-0123456789abcdef",), "No such session: p0-0123456789abcdef."):
        done = subprocess.run([case.program, "history", *words], env=case.environment, capture_output=True, text=True)
        check(done.returncode == 1 and wanted in done.stderr, str(done))


def kept(of, *words):
    return subprocess.run([of.program, "history", *words], env=of.environment, capture_output=True, check=True, text=True).stdout


def an_undo_goes_by_file_and_names_those_that_do_not_match(case):
    names = ["f%02d.c" % n for n in range(10)]
    for name in names:
        case.put(name, TEXT)
    for name in ("gone1.c", "gone2.c", "old1.c", "old2.c", "moved1.c", "moved2.c"):
        case.put(name, "int %s;\n" % name[:-2] + TEXT)
    patch = "*** Begin Patch\n"
    patch += "".join("*** Update File: %s\n@@\n-int b;\n+long b;\n" % name for name in names)
    patch += "".join("*** Delete File: %s\n" % name for name in ("gone1.c", "gone2.c"))
    patch += "".join("*** Update File: %s\n*** Move to: new/%s\n" % (name, name) for name in ("old1.c", "old2.c"))
    patch += "".join("*** Update File: %s\n*** Move to: new/%s\n@@\n-int b;\n+long b;\n" % (name, name)
                     for name in ("moved1.c", "moved2.c"))
    patch += "".join("*** Add File: added%d.c\n+int added;\n" % n for n in range(4))
    before = contents(case)
    proposal = applied(case, [turn(patch + "*** End Patch\n")], "--profile", "blocks")
    after = contents(case)
    check(len({k for k in before | after if before.get(k) != after.get(k)}) == 24, "%s" % (after.keys(),))
    case.put("f00.c", WIDE.replace("long b", "short b"))  # its line
    case.put("f01.c", "int more;\n" + after["f01.c"])  # elsewhere
    case.put("gone1.c", "int mine;\n")  # in the way
    case.put("old1.c", "int mine;\n")
    case.put("new/moved1.c", after["new/moved1.c"].replace("long b", "char b"))
    case.put("added0.c", "int added;\nint mine;\n")
    (case.root / "added1.c").unlink()
    done = undo(case, proposal)
    now = contents(case)
    check(done.returncode == 1, str(done))
    wanted = dict(before)
    wanted.update({"f00.c": WIDE.replace("long b", "short b"), "f01.c": "int more;\n" + before["f01.c"], "gone1.c": "int mine;\n",
                   "old1.c": "int mine;\n", "new/old1.c": after["new/old1.c"], "added0.c": "int added;\nint mine;\n",
                   "new/moved1.c": after["new/moved1.c"].replace("long b", "char b")})
    del wanted["moved1.c"]
    check(now == wanted, "differs in %s: %s" % ({k for k in now | wanted if now.get(k) != wanted.get(k)}, done.err))
    said = " ".join(done.err.split())
    for name in ("f00.c", "gone1.c", "old1.c", "new/moved1.c", "added0.c"):
        check(name in said.split("Left as they are")[1], said)
    check("f01.c" not in said and "have changed since" in said, said)
    done = undo(case, proposal, name="redo")
    wanted.update({name: after[name] for name in names[2:]})
    wanted.update({"f01.c": "int more;\n" + after["f01.c"], "new/old2.c": after["new/old2.c"],
                   "new/moved2.c": after["new/moved2.c"], "added1.c": "int added;\n", "added2.c": "int added;\n",
                   "added3.c": "int added;\n"})
    for name in ("gone2.c", "old2.c", "moved2.c"):
        del wanted[name]
    now = contents(case)
    check(now == wanted, "differs in %s: %s" % ({k for k in now | wanted if now.get(k) != wanted.get(k)}, done.err))


def contents(of):
    return {str(p.relative_to(of.root)): p.read_text(errors="surrogateescape") for p in of.root.rglob("*") if p.is_file() and ".git" not in p.parts}


def one_file_of_a_change_is_undone(case):
    case.put("sub/b.c", TEXT)
    case.put("c.c", TEXT)
    patch = "*** Begin Patch\n*** Update File: a.c\n@@\n-int b;\n+long b;\n*** Update File: sub/b.c\n@@\n-int b;\n+long b;\n"
    patch += "*** Update File: c.c\n*** Move to: d.c\n*** End Patch\n"
    proposal = applied(case, [turn(patch)], "--profile", "blocks")
    done = undo(case, "b.c", folder=case.root / "sub")
    check(done.returncode == 0 and case.get("sub/b.c") == TEXT and "long b" in case.get(), str(done))
    done = undo(case, proposal, "c.c")  # a rename has two halves
    check(done.returncode == 0 and case.get("c.c") == TEXT and not (case.root / "d.c").exists(), str(done))
    done = undo(case, proposal, "none.c")
    check(done.returncode == 2 and "has not changed none.c, but a.c, " in " ".join(done.err.split()), str(done))
    done = undo(case, "last", "a.c")
    check(done.returncode == 0 and case.get() == TEXT, str(done))
    done = undo(case, "sub/b.c", name="redo")
    check(done.returncode == 0 and "long b" in case.get("sub/b.c") and case.get() == TEXT, str(done))


def an_undo_says_why_it_cannot_be(case):
    done = undo(case)
    check(done.returncode == 1 and "Nothing to undo: the history is empty." in done.err, str(done))
    proposal = applied(case)
    check("No such session or change: p9-none." in undo(case, "p9-none").err, "an unknown id")
    other = case.home / "other"
    other.mkdir()
    done = undo(case, proposal, "--root", str(other))
    check(done.returncode == 2 and str(case.root) in done.err.replace("\n  ", ""), str(done))
    check("Nothing to undo." in undo(case, "--root", str(other)).err, "of another folder")
    case.put("a.c", "int other;\n")
    done = undo(case)
    check(done.returncode == 1 and "a.c has changed since" in done.err and case.get() == "int other;\n", str(done))
    # A link that leads elsewhere is not followed.
    (case.root / "a.c").unlink()
    (other / "a.c").write_text(WIDE)
    (case.root / "a.c").symlink_to(other / "a.c")
    done = undo(case, proposal)
    check(done.returncode == 1 and (other / "a.c").read_text() == WIDE, str(done))


def an_undo_of_what_cannot_be_written_changes_nothing(case):
    for name in ("b.c", "c.c"):
        case.put(name, TEXT)
    patch = "*** Begin Patch\n" + "".join("*** Update File: %s\n@@\n-int b;\n+long b;\n" % n for n in ("a.c", "b.c", "c.c"))
    proposal = applied(case, [turn(patch + "*** End Patch\n")], "--profile", "blocks")
    (case.root / "b.c").unlink()
    (case.root / "b.c").mkdir()
    done = undo(case, proposal)
    check(done.returncode == 1 and case.get() == TEXT and case.get("c.c") == TEXT, str(done))
    check("b.c has changed since" in done.err, done.err)
    os.rmdir(case.root / "b.c")


def a_redo_is_of_what_was_undone_last_though_a_part(case):
    case.put("b.c", TEXT)
    case.put("c.c", TEXT)
    older = applied(case)
    check(undo(case, older).returncode == 0 and case.get() == TEXT, "the older one is not undone")
    patch = "*** Begin Patch\n" + "".join("*** Update File: %s\n@@\n-int b;\n+long b;\n" % n for n in ("b.c", "c.c"))
    applied(case, [turn(patch + "*** End Patch\n")], "--profile", "blocks")
    done = undo(case, "b.c")
    check(done.returncode == 0 and case.get("b.c") == TEXT, "the part is not undone")
    check(" is undone in b.c." in done.err, done.err)
    check("undone in part" in kept(case), kept(case))
    done = undo(case, name="redo")
    check(done.returncode == 0 and "long b" in case.get("b.c") and case.get() == TEXT, str(done))
    # Of two undos the last one is redone, and then the one before.
    for name in ("b.c", "c.c"):
        check(undo(case, name).out == "changed %s\n" % name, name)
    for name in ("c.c", "b.c"):
        done = undo(case, name="redo")
        check(done.returncode == 0 and done.out == "changed %s\n" % name, name + str(done))
    check("long b" in case.get("b.c") and "long b" in case.get("c.c"), "both")


def the_hunks_that_still_fit_are_undone(case):
    proposal = applied(case)
    case.put("a.c", WIDE.replace("long b;", "char b;"))
    done = undo(case)
    check(done.returncode == 1 and case.get() == TEXT.replace("int b;", "char b;"), str(done))
    check("line 2 of a.c has changed since" in done.err and "editor" not in done.err, done.err)
    done = undo(case, proposal, name="redo")
    check(case.get() == WIDE.replace("long b;", "char b;"), str(done))


def an_undo_with_nothing_left_says_only_that(case):
    applied(case)
    case.put("a.c", TEXT)
    done = undo(case)
    check(done.returncode == 1 and "Nothing to undo: “" in done.err and "Going on" not in done.err, str(done))
    done = undo(case, "last", "--json")
    check(done.returncode == 1 and "Nothing to undo" in done.out, str(done))


def an_undo_goes_on_to_no_older_change_but_names_it(case):
    for name in ("b.c", "c.c"):
        case.put(name, TEXT)
    read = {"name": "read_file", "arguments": {"path": "b.c"}}
    first = applied(case, [turn("", [read]), turn("", [edit("int b;", "long b;", "b.c")]), turn("Done.")])
    for _ in range(3):
        applied(case)
        case.put("a.c", TEXT)
    for words in ([], ["--diff"], ["last"]):
        done = undo(case, *words)
        said = " ".join(done.err.split())
        check(done.returncode == 1 and "(a.c) is not in the files any more. An earlier change, “Wider, please.” (b.c): bodkin undo " + first in said and
              "long b;" in case.get("b.c") and not done.out, str(done))
    check(undo(case, first).returncode == 0 and case.get("b.c") == TEXT, "the first of them")
    applied(case, [turn("", [read]), turn("", [edit("int b;", "long b;", "b.c")]), turn("Done.")])
    last = applied(case)
    case.put("a.c", "int other;\n")
    done = undo(case)
    check(done.returncode == 1 and "An earlier change," in done.err and case.get("b.c") != TEXT, str(done))
    check(last not in done.err.split("An earlier change,")[1], done.err)


def what_apply_and_agents_have_done_is_undone(case):
    case.put("b.c", TEXT)
    older = applied(case)
    reply = ("b.c\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n"
             "new/deep/n.c\n<<<<<<< SEARCH\n=======\nint n;\n>>>>>>> REPLACE\n")
    for folder in (case.root, case.root / "sub"):  # undone from below, too
        told = json.loads(subprocess.run([case.program, "apply", "--json"], cwd=case.root, env=case.environment, check=True,
                                         input=reply.encode(), capture_output=True).stdout)
        command = told["undo"].split()
        check(command[:2] == ["bodkin", "undo"] and (case.root / "new/deep/n.c").exists(), str(told))
        shown = undo(case, "--diff", folder=case.root)
        check("-long b;\n+int b;\n" in shown.out, str(shown))
        case.put("b.c", "int first;\n" + case.get("b.c"))  # elsewhere
        done = undo(case, *command[2:], folder=folder)
        check(done.returncode == 0 and case.get("b.c") == "int first;\n" + TEXT, str(done))
        check(not (case.root / "new").exists(), "the folders that it made are left")
        again = undo(case, *command[2:])
        check(again.returncode == 1 and case.get() == WIDE, str(again))
        done = undo(case, name="redo")
        check(done.returncode == 0 and (case.root / "new/deep/n.c").exists() and "long b" in case.get("b.c"), str(done))
        done = undo(case)
        check(done.returncode == 0 and not (case.root / "new").exists(), str(done))
        case.put("b.c", TEXT)
    done = undo(case)
    check(done.returncode == 0 and case.get() == TEXT and older in done.err, str(done))


def what_apply_has_done_is_in_the_history(case):
    other = case.root / "other"
    other.mkdir()
    reply = b"a.c\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n"
    (other / "a.c").write_text(TEXT)
    applied(case)
    check(undo(case).returncode == 0, "not undone")

    def apply(folder):
        done = subprocess.run([case.program, "apply", "--json"], cwd=folder, env=case.environment, check=True, input=reply, capture_output=True)
        return json.loads(done.stdout)["undo"].split()[-1]

    def listed(folder, *words):
        done = subprocess.run([case.program, "history", *words], cwd=folder, env=case.environment, capture_output=True, text=True)
        check(done.returncode == 0, str(done))
        return done.stdout

    one = apply(case.root)
    two = apply(other)
    lines = listed(case.root).splitlines()
    check([line.split()[0] for line in lines[:2]] == [two, one] and " ask  " in lines[2] and "(undone)" in lines[2], str(lines))
    check("  apply  a.c (applied)  [" in lines[0], lines[0])
    # An ask elsewhere is younger, and comes after what is of this folder.
    (case.root / "third").mkdir()
    (case.root / "third" / ".git").mkdir()
    (case.root / "third" / "a.c").write_text(TEXT)
    three = apply(case.root / "third")
    (other / ".git").mkdir()
    lines = listed(other).splitlines()
    check([line.split()[0] for line in lines[:3]] == [two, three, one], str(lines))
    check("-int b;\n" in listed(other, two).replace("  ", ""), listed(other, two))
    entry = json.loads(listed(other, "--json"))[0]
    check((entry["id"], entry["outcome"], entry["files"], entry["title"]) == (two, "applied", ["a.c"], "bodkin apply"), str(entry))
    # What undo takes is what is listed first; then it is listed as undone.
    check(undo(case, folder=other).returncode == 0 and (other / "a.c").read_text() == TEXT, "not undone")
    check(two in listed(other).splitlines()[0] and "a.c (undone)" in listed(other).splitlines()[0], listed(other))
    done = subprocess.run([case.program, "history", "clear", "--yes"], cwd=other, env=case.environment, capture_output=True, text=True)
    check(done.returncode == 0 and listed(other) == "", str(done) + listed(other))
    check(undo(case, one).returncode == 1, "what was cleared is undone")


def the_history_is_read_by_last_and_by_the_beginning_of_an_id(case):
    reply = "a.c\n<<<<<<< SEARCH\nint %s;\n=======\nlong %s;\n>>>>>>> REPLACE\n"
    for letter in "bg":
        subprocess.run([case.program, "apply"], cwd=case.root, env=case.environment, check=True, input=(reply % (letter, letter)).encode(),
                       stdout=subprocess.DEVNULL)

    def history(*words):
        done = subprocess.run([case.program, "history", *words], cwd=case.root, env=case.environment, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    newest, older = (line.split()[0] for line in history()[1].splitlines())
    unique = newest[:next(n for n in range(4, len(newest)) if not older.startswith(newest[:n]))]
    for word in ("last", unique, newest):
        for action, wanted in (("show", "+long g;"), ("export", "```diff\n")):
            code, said = history(action, word)
            check(code == 0 and wanted in said and newest in said, (action, word, said))
    code, said = history("show", "p0-")
    check(code == 1 and "2 ids begin with p0-: %s, %s." % tuple(sorted([newest, older])) in " ".join(said.split()), said)
    code, said = history("clear", unique)
    check(code == 0 and newest + " is removed." in said and newest not in history()[1], said)
    case.run([turn("It is an int.")], "What is b?")
    check("It is an int." in history("show", "last")[1], "the newest of all is a session")


def an_undo_knows_the_beginning_of_an_id(case):
    first = applied(case)
    check(undo(case, first[:6]).returncode == 0 and case.get() == TEXT, "undo")
    check(undo(case, first[:6], name="redo").returncode == 0 and case.get() == WIDE, "redo")
    check(undo(case, first).returncode == 0, "the whole id")
    reply = case.home / "reply"
    for old, new in (("int a;", "long a;"), ("int c;", "long c;")):
        reply.write_text(block("a.c", old + "\n", new + "\n"))
        check(subprocess.run([case.program, "apply", str(reply)], cwd=case.root, env=case.environment, capture_output=True).returncode == 0, old)
    ids = [line.split()[0] for line in kept(case).splitlines() if line.startswith("p0-")]
    beginning = os.path.commonprefix(ids)
    for id, other in (ids, ids[::-1]):
        shown = undo(case, id[:len(beginning) + 1], "--diff")
        check(shown.returncode == 0 and shown.out.count("+int") == 1, str(shown))
    done = undo(case, "nosuch")
    check(done.returncode == 2 and "nosuch is neither an id nor a file of the last change: " in done.err, str(done))


def the_help_explains_the_states(case):
    told = subprocess.run([case.program, "history", "--help"], capture_output=True, text=True, timeout=60).stdout
    for state in ("ready", "stale", "applied", "partly", "discarded", "undone", "undone in part", "unknown", "changed since", "reverted since"):
        check(state in told.partition("STATES")[2].partition("EXIT STATUS")[0], state)


def what_git_took_back_is_not_applied_in_the_history_either(case):
    def outcomes():
        rows = subprocess.run([case.program, "history", "--json"], cwd=case.root, env=case.environment, check=True, capture_output=True)
        return [row["outcome"] for row in json.loads(rows.stdout)]

    proposal = applied(case)
    check(outcomes() == ["applied"], outcomes())
    case.put("a.c", TEXT)
    check("is not applied" in undo(case, proposal).err and outcomes() == ["applied, reverted since"], outcomes())
    check(proposal + ": applied, reverted since" in kept(case, proposal), kept(case, proposal))
    subprocess.run([case.program, "apply"], cwd=case.root, env=case.environment, check=True, stdout=subprocess.DEVNULL,
                   input=b"a.c\n<<<<<<< SEARCH\nint d;\n=======\nlong d;\n>>>>>>> REPLACE\n*** Begin Patch\n*** Add File: n.c\n+int n;\n*** End Patch\n")
    check(outcomes() == ["applied"] * 2, outcomes())  # the file is as bodkin left it
    case.put("a.c", case.get() + "int mine;\n")
    check(outcomes() == ["applied, changed since"] * 2, outcomes())
    case.put("a.c", TEXT)
    (case.root / "n.c").unlink(missing_ok=True)
    check("is not in the files any more" in undo(case).err and outcomes() == ["applied, reverted since"] * 2, outcomes())


def apply_says_that_what_is_not_in_the_log_cannot_be_undone(case):
    reply = block("a.c", "int b;\n", "long b;\n").encode()
    log = case.home / ".local/state/bodkin/history.db"
    log.parent.mkdir(parents=True, exist_ok=True)

    def not_kept():
        log.write_bytes(b"no database " * 1000)
        return "not a database"

    def not_wanted():
        log.unlink()
        case.settings(**{"history.retentionDays": 0})
        return "bodkin.history.retentionDays"

    for prepare in (not_kept, not_wanted):
        why = prepare()
        for words in ([], ["--json"]):
            case.put("a.c", TEXT)
            done = subprocess.run([case.program, "apply", *words], cwd=case.root, env=case.environment, input=reply, capture_output=True)
            said = (json.loads(done.stdout)["notes"][0] if words else done.stderr.decode()).replace("\n  ", " ")
            check(done.returncode == 0 and "long b" in case.get(), str(done))
            check("This change cannot be undone later: " in said and why in said and b"Undo:" not in done.stderr, str(done))
            check(not words or "undo" not in json.loads(done.stdout), str(done))
        check(undo(case).returncode == 1 and "long b" in case.get(), why)
    check(not log.exists(), "a history that is not wanted")


def an_apply_that_was_killed_midway_leaves_nothing_to_undo(case):
    names = ["f%02d.c" % i for i in range(20)]
    reply = "".join(block(name, "int b;\n", "long b;\n") for name in names).encode()
    journals = case.home / ".local/state/bodkin/apply"
    for attempt in range(100):
        shutil.rmtree(journals.parent, ignore_errors=True)  # an attempt that was faster than the kill is in the log
        for name in names:
            case.put(name, TEXT)
        process = subprocess.Popen([case.program, "apply"], cwd=case.root, env=case.environment, stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        process.stdin.write(reply)
        process.stdin.close()
        while process.poll() is None and "long" not in case.get(names[0]):
            pass
        process.kill()
        process.wait()
        if list(journals.glob("*.journal")):
            break
    check(attempt < 99, "none was killed in the middle")
    done = undo(case)  # which restores the files first
    check({case.get(name) for name in names} == {TEXT}, "half of the files are changed")
    check(done.returncode == 1 and "an earlier run was interrupted" in done.err and "Nothing to undo" in done.err, str(done))
    check("(unknown)" in kept(case).splitlines()[0], kept(case))


def what_waits_for_the_users_word_is_listed_as_that(case):
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
        "name": "edit", "arguments": {"path": ".mcp.json", "old_str": "", "new_str": "{}\n"}}}
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}
    lines = b"".join(json.dumps(each).encode() + b"\n" for each in (begin, {"jsonrpc": "2.0", "method": "notifications/initialized"}, call))
    told = subprocess.run([case.program, "mcp", "--root", str(case.root)], env=case.environment, input=lines, capture_output=True, timeout=60)
    row = kept(case).splitlines()[0]
    check(" .mcp.json (asked) " in row and row.split()[0] in told.stdout.decode(), row + str(told))
    check("Nothing to undo" in undo(case).err, "it is not applied")
    done = subprocess.run([case.program, "apply", row.split()[0]], env=case.environment, capture_output=True)
    check(done.returncode == 0 and case.get(".mcp.json") == "{}\n" and "(applied)" in kept(case), str(done) + kept(case))
    check(undo(case).returncode == 0 and not (case.root / ".mcp.json").exists(), "not undone")


def of_each_folder_the_newest_changes_of_apply_are_kept(case):
    for n in range(62):
        case.put("a.c", "int x%d;\n" % n)
        reply = block("a.c", "int x%d;\n" % n, "long x%d;\n" % n).encode()
        subprocess.run([case.program, "apply"], cwd=case.root, env=case.environment, input=reply, check=True, capture_output=True)
    shown = [line for line in kept(case).splitlines() if line.startswith("p0-")]
    check(50 <= len(shown) < 62, str(len(shown)))
    check("+long x61;" in kept(case, "last") and undo(case).returncode == 0 and case.get() == "int x61;\n", "the newest")


def what_earlier_versions_kept_beside_the_journal_is_cleared(case):
    folder = case.home / ".local/state/bodkin/apply"
    folder.mkdir(mode=0o700, parents=True)
    (folder / "0123456789abcdef-0123456789abcdef.change").write_text("{}\n")
    subprocess.run([case.program, "history", "clear", "--yes"], env=case.environment, check=True, capture_output=True)
    check(not list(folder.iterdir()), str(list(folder.iterdir())))


def an_undo_of_a_new_file_removes_the_folders_made_for_it(case):
    (case.root / "kept").mkdir()
    patch = "*** Begin Patch\n*** Add File: x/y/n.c\n+int n;\n*** Add File: kept/m.c\n+int m;\n*** End Patch\n"
    applied(case, [turn(patch)], "--profile", "blocks")
    done = undo(case)
    check(done.returncode == 0 and not (case.root / "x").exists() and (case.root / "kept").is_dir(), str(done))


def folders_that_a_redo_made_are_removed_again(case):
    patch = "*** Begin Patch\n*** Add File: x/y/n.c\n+int n;\n*** End Patch\n"
    end = json.loads(case.run([turn(patch)], "--json", "--profile", "blocks", "Add it.").out.splitlines()[-1])
    done = undo(case, end["proposal"], name="redo")  # which was discarded
    check(done.returncode == 0 and (case.root / "x/y/n.c").exists(), str(done))
    done = undo(case)
    check(done.returncode == 0 and not (case.root / "x").exists(), str(done))


def a_place_that_is_taken_is_no_changed_file(case):
    patch = "*** Begin Patch\n*** Update File: a.c\n*** Move to: new/a.c\n%s*** End Patch\n"
    for lines in ("", "@@\n-int b;\n+long b;\n"):
        case.put("a.c", TEXT)
        applied(case, [turn(patch % lines)], "--profile", "blocks")
        case.put("a.c", "int mine;\n")
        done = undo(case)
        said = "the place of a.c is taken" + (", and new/a.c stays, too" if not lines else "") + "."
        check(done.returncode == 1 and said in done.err and "changed" not in done.err, str(done))
        check(case.get() == "int mine;\n" and (case.root / "new/a.c").exists(), str(done))
        (case.root / "a.c").unlink()
        check(undo(case).returncode == 0 and case.get() == TEXT and not (case.root / "new").exists(), "not moved back")
    applied(case, [turn("*** Begin Patch\n*** Delete File: a.c\n*** End Patch\n")], "--profile", "blocks")
    case.put("a.c", "int mine;\n")
    done = undo(case)
    check("the place of a.c is taken." in done.err and case.get() == "int mine;\n", str(done))


def a_removed_file_comes_back_byte_for_byte(case):
    latin = "[*]\ncharset = latin1\n"
    for before, at_removal, at_undo in (("\ufeffint é;\n".encode("utf-16-le"), "", ""), ("int é;\n".encode(), latin, latin), ("int é;\n".encode("latin-1"), latin, "")):
        case.put(".editorconfig", at_removal)
        (case.root / "a.c").write_bytes(before)
        proposal = applied(case, [turn("*** Begin Patch\n*** Delete File: a.c\n*** End Patch\n")], "--profile", "blocks")
        for name in ("undo", "redo", "undo"):
            case.put(".editorconfig", at_undo if name == "undo" else at_removal)
            done = undo(case, proposal, name=name)
            check(done.returncode == 0, str(done))
        check((case.root / "a.c").read_bytes() == before, "%r: %r" % (before, (case.root / "a.c").read_bytes()))


def what_apply_has_done_to_a_file_with_a_secret_is_undone(case):
    secret = 'char *key = "ghp_%s";\n' % "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    case.put("a.c", secret + TEXT)
    reply = b"a.c\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n"
    subprocess.run([case.program, "apply"], cwd=case.root, env=case.environment, check=True, input=reply, capture_output=True)
    check(case.get() == secret + TEXT.replace("int b", "long b"), case.get())
    case.put("b.c", secret)
    done = undo(case)
    check(done.returncode == 0 and case.get() == secret + TEXT, str(done))
    done = undo(case, name="redo")
    check(done.returncode == 0 and case.get() == secret + TEXT.replace("int b", "long b"), str(done))


def what_the_history_cannot_keep_goes_back_and_forth_too(case):
    token = 'TOKEN = "ghp_%s"\n' % "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    latin = "// été\nint b;\n".encode("latin-1")
    reply = ("k.py\n<<<<<<< SEARCH\n=======\n%s>>>>>>> REPLACE\n" % token + "".join(
        "%s.c\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n" % name for name in ("l", "a")))
    (case.root / "l.c").write_bytes(latin)
    before = contents(case)
    done = subprocess.run([case.program, "apply", "--json"], cwd=case.root, env=case.environment, input=reply.encode(), capture_output=True)
    check(done.returncode == 0, str(done))
    after, words = contents(case), [[], [], [json.loads(done.stdout)["undo"].split()[2]]]
    check(after["k.py"] == token and before != after, str(after))
    for which in words:
        done = undo(case, *which)
        check(done.returncode == 0 and contents(case) == before and "Redo: bodkin redo p0-" in done.err, str(done))
        check(undo(case, *which).returncode == 1 and contents(case) == before, "undone twice")
        done = undo(case, *which, name="redo")
        check(done.returncode == 0 and contents(case) == after and "Undo: bodkin undo p0-" in done.err, str(done))
        check(undo(case, *which, name="redo").returncode == 1 and contents(case) == after, "redone twice")
    done = undo(case, "a.c")
    check(done.returncode == 0 and "Redo:" in done.err and case.get() == TEXT, str(done))
    check(undo(case, name="redo").returncode == 0 and contents(case) == after, "a part is redone")
    done = undo(case, "a.c")
    done = undo(case)  # the rest still can be
    check(contents(case) == before, str(done))


def what_cannot_be_undone_is_not_offered(case):
    case.put("a.c", 'char *key = "ghp_%s";\n' % "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8")
    done = case.run([turn("*** Begin Patch\n*** Delete File: a.c\n*** End Patch\n")], "--profile", "blocks", "--yes", "Remove it.")
    check(done.returncode == 0 and not (case.root / "a.c").exists(), str(done))
    check("cannot be undone later" in done.err and "Undo:" not in done.err, done.err)


def a_change_is_undone_in_a_folder_that_was_moved(case):
    proposal = applied(case)
    moved = case.home / "moved"
    case.root.rename(moved)
    done = undo(case, proposal, folder=moved)
    check(done.returncode == 2 and "no longer exists; if it was moved, name the folder with --root." in " ".join(done.err.split()), str(done))
    other = case.home / "other"
    other.mkdir()
    (other / "a.c").write_text("int other;\n")
    done = undo(case, proposal, "--root", str(other), folder=moved)
    check(done.returncode == 1 and (other / "a.c").read_text() == "int other;\n", str(done))
    done = undo(case, proposal, "--root", ".", folder=moved)
    check(done.returncode == 0 and (moved / "a.c").read_text() == TEXT, str(done))
    done = undo(case, name="redo", folder=moved)  # from now on it is known there
    check(done.returncode == 0 and (moved / "a.c").read_text() == WIDE, str(done))


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


def an_id_is_known_by_its_beginning_everywhere(case):
    case.put("a.c", LINES)
    one, two = pasted(case, *changed_at(3)), pasted(case, *changed_at(24))
    same = os.path.commonprefix([one, two])
    for words in (["undo", same], ["redo", same], ["history", "show", same], ["history", "export", same], ["apply", same]):
        done = subprocess.run([case.program, *words], cwd=case.root, env=case.environment, capture_output=True, text=True)
        said = " ".join(done.stderr.split())
        check(done.returncode == 1 and "2 ids begin with %s: " % same in said and one in said and two in said, "%s %s" % (words, done))
    unique = one[:len(same) + 1]
    for words in (["history", "show", unique], ["undo", two], ["undo", unique], ["apply", unique], ["undo", unique], ["redo", unique]):
        done = subprocess.run([case.program, *words], cwd=case.root, env=case.environment, capture_output=True, text=True)
        check(done.returncode == 0, "%s %s" % (words, done))
    check("long v03;" in case.get(), case.get())


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


def a_beginning_of_an_id_may_be_as_short_as_in_the_history(case):
    applied(case)
    session = json.loads(kept(case, "--json"))[0]["id"]
    for word in (session[:2], session[:3]):
        check(subprocess.run([case.program, "history", "show", word], env=case.environment, capture_output=True).returncode == 0, word)
        done = [undo(case, word, name=name) for name in ("undo", "redo")]
        check([each.returncode for each in done] == [0, 0] and case.get() == WIDE, str(done))


def a_history_of_long_texts_is_listed_without_them(case):
    def seconds():
        begin = os.times()
        kept(case)
        end = os.times()
        return end.children_user - begin.children_user + end.children_system - begin.children_system

    text = "".join("int v%06d;\n" % n for n in range(400_000))
    for n in range(6):
        case.put("a.c", text.replace("int v%06d;" % n, "long v%06d;" % n, 1))
        pasted(case, ("int v399999;\n", "char v%d;\n" % n))
    several = seconds()
    check(several < 1, "%.2f s of the processor for 6 changes of 5 MB" % several)
