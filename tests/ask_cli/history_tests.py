"""The log of all changes: `bodkin history`, and what `bodkin apply` and agents have written."""
import json
import os
import shutil
import subprocess

from cli_support import TEXT, WIDE, block, check, turn
from undo_part_tests import LINES, changed_at, pasted
from undo_tests import applied, kept, undo


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
    for state in ("ready", "stale", "applied", "partly", "discarded", "undone", "undone in part", "not applied", "unknown", "changed since", "reverted since"):
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
    check("(not applied)" in kept(case).splitlines()[0], kept(case))
    case.put(names[0], TEXT.replace("int b", "long b"))
    check("(partly)" in kept(case).splitlines()[0], kept(case))
    case.put(names[0], "")
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
