"""`bodkin undo` and `bodkin redo`. Each process is a new one: all of it is after a restart."""
import json
import os
import subprocess

from cli_support import TEXT, WIDE, WIDER, await_lock, block, check, edit, lock_folder, turn


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


def each_of_two_undos_at_once_takes_the_change_that_is_newest_by_then(case):
    """The second one chose its change before the first had undone it."""
    for folder in (case.root, case.root / "sub"):  # the changes, whose undo is asked for above
        (folder / "a.c").write_text(TEXT)
        for name in "bg":
            subprocess.run([case.program, "apply"], cwd=folder, env=case.environment, check=True, capture_output=True,
                           input=block("a.c", "int %s;\n" % name, "long %s;\n" % name).encode())
        held = lock_folder(folder, case.home / ".local/state")
        runs = [subprocess.Popen([case.program, "undo", "--json"], cwd=case.root, env=case.environment, stdout=subprocess.PIPE)
                for _ in range(2)]
        for run in runs:
            await_lock(run)
        held.close()
        told = [json.loads(run.communicate(timeout=60)[0]) for run in runs]
        check(case.get(folder / "a.c") == TEXT and len({one["proposal"] for one in told}) == 2, str(told))


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


