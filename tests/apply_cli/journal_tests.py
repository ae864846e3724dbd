"""Runs that were killed, two at once, and the log of changes."""
import json
import os
import random
import shutil
import sqlite3
import stat
import subprocess
import sys
import time

from case import MANY, interrupted
from cli_support import await_lock, block, check, lock_folder


def a_killed_run_is_undone_by_the_next(case):
    """Kills the real program at many moments; whenever, the next run finds all old or all new."""
    names = ["f%02d.txt" % i for i in range(40)]
    reply = "".join(block(n, "old\n", "new\n") for n in names)
    undone = 0
    for attempt in range(14):
        for name in names:
            case.put(name, "old\n")
        process = subprocess.Popen([case.program, "apply", "--root", case.root], stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        process.stdin.write(reply.encode())
        process.stdin.close()
        if attempt % 2 == 0:  # as soon as the journal is seen, and a little later each time
            while process.poll() is None and not case.journals():
                pass
        time.sleep(attempt * 0.0007)
        process.kill()
        process.wait()
        interrupted = bool(case.journals())
        done = case.run("nothing to do")
        check(done.returncode == 1, "an empty reply was applied")
        states = {case.get(name) for name in names}
        check(len(states) == 1, "half of the files are changed")
        check(not interrupted or states == {b"old\n"}, "an unfinished change stayed")
        undone += interrupted
        check(sorted(case.all()) == names, "something is left: %r" % sorted(case.all()))
    check(undone > 0, "no run was killed in the middle")


MOVED = ("*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+ONE\n two\n*** Update File: b.txt\n*** Move to: c.txt\n@@\n one\n-two\n"
         "+TWO\n*** Add File: d.txt\n+new\n*** End Patch\n")


def changed_with_a_move(of):
    """The files before and after, and the id."""
    shutil.rmtree(os.environ["XDG_STATE_HOME"], ignore_errors=True)
    for name in of.all():
        os.remove(of.path(name))
    for name in "ab":
        of.put(name + ".txt", "one\ntwo\n")
    before = of.all()
    undo = json.loads(of.applied(MOVED, "--json").out)["undo"].split()[2]
    return before, of.all(), undo


def log(case, *words):
    return subprocess.run([case.program, *words], cwd=case.root, capture_output=True, text=True, timeout=60)


def the_files_say_what_is_undone(case):
    """Somebody has brought the files back, or a run was killed before the history had its last word."""
    before, after, change = changed_with_a_move(case)
    for texts in (after, before):  # which somebody has brought back after the undo, or the redo
        name = "undo" if texts == after else "redo"
        check(log(case, name, change).returncode == 0, name)
        for left in case.all():
            os.remove(case.path(left))
        for left, text in texts.items():
            case.put(left, text)
        done = log(case, name, change)
        check(done.returncode == 0 and case.all() == (before if name == "undo" else after), "%s %r" % (done, case.all()))
    # A file of that name that is somebody else's is left alone, and so is a move that is not ours.
    log(case, "undo", change)
    os.rename(case.path("b.txt"), case.path("c.txt"))
    done = log(case, "undo", change)
    check(done.returncode == 1 and "is not applied" in done.stderr and case.get("c.txt") == b"one\ntwo\n", str(done))
    case.put("c.txt", "ours\n")
    done = log(case, "undo", change)
    check(done.returncode == 1 and case.get("c.txt") == b"ours\n", str(done))


def a_killed_undo_or_redo_is_found_by_the_next(case):
    for attempt in range(12):
        before, after, change = changed_with_a_move(case)
        name, back = ("undo", "redo") if attempt % 2 else ("redo", "undo")
        if name == "redo":
            log(case, "undo")
        there = os.listdir(case.root)
        process = subprocess.Popen([case.program, name], cwd=case.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and os.listdir(case.root) == there:
            pass
        time.sleep(attempt * 0.0003)
        process.kill()
        process.wait()
        once, wanted = log(case, name), after if name == "redo" else before
        check(case.all() == wanted, "%s %r" % (once, case.all()))
        again = log(case, back)
        check(case.all() == (before if name == "redo" else after), "%s %r" % (again, case.all()))


def the_log_keeps_to_the_settings(case):
    state = os.path.join(os.environ["XDG_STATE_HOME"], "bodkin", "history.db")
    config = os.path.join(os.environ["XDG_STATE_HOME"], "config")
    settings = os.path.join(config, "bodkin", "settings.json")
    os.makedirs(os.path.dirname(settings))
    old = os.environ.get("XDG_CONFIG_HOME")
    os.environ["XDG_CONFIG_HOME"] = config
    def change(i):
        case.put("a.txt", "old %d\n%s" % (i, random.Random(i).randbytes(300_000).hex()))
        return json.loads(case.applied(block("a.txt", "old %d\n" % i, "new %d\n" % i), "--json").out)
    def kept():
        return [each["id"] for each in json.loads(log(case, "history", "--json").stdout)]
    try:
        with open(settings, "w") as file:
            file.write('{"bodkin.history.maxMegabytes": 3}')
        ids = [change(i)["undo"].split()[2] for i in range(6)]
        check(kept() and kept()[0] == ids[-1] and len(kept()) < 6, str(kept()))
        check(sum(os.path.getsize(state + end) for end in ("", "-wal") if os.path.exists(state + end)) < 5_000_000, "it has grown")
        with sqlite3.connect(state) as store:
            store.execute("UPDATE proposals SET created = 1, applied = 1")
        store.close()
        last = change(7)["undo"].split()[2]
        check(kept() == [last], str(kept()))
        # Of a file that cannot be read nobody knows whether it wants no history.
        for text, why in (('{"bodkin.history.retentionDays": 0,,}', "settings.json cannot be read"), ('{"bodkin.history.retentionDays": 0}', "no history")):
            with open(settings, "w") as file:
                file.write(text)
            done = change(8)
            check("undo" not in done and why in str(done["notes"]) and kept() == [last], str(done))
    finally:
        del os.environ["XDG_CONFIG_HOME"]
        if old is not None:
            os.environ["XDG_CONFIG_HOME"] = old


def the_log_is_exact_and_shows_no_secrets(case):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    text = "a = 1\ntoken = '%s'\n" % secret
    case.put("a.txt", text)
    change = json.loads(case.applied(block("a.txt", text, "a = 2\n"), "--json").out)["undo"].split()[2]
    for words in (("show", change), ("export", change), ("show", change, "--json"), ("--json",), ()):
        done = log(case, "history", *words)
        check(done.returncode == 0 and secret not in done.stdout + done.stderr and change in done.stdout, str(done))
    check(log(case, "undo", change).returncode == 0 and case.get("a.txt") == text.encode(), str(case.get("a.txt")))


def a_long_log_costs_a_run_little(case):
    """Not the texts of every change of the folder: that is memory and seconds."""
    lines = ["line %d\n" % i for i in range(200_000)]
    case.put("a.txt", "".join(lines))
    for i in range(6):
        case.applied(block("a.txt", "line %d\n" % (100 + i), "LINE %d\n" % i))
    def peak(*words, reply=""):
        done = subprocess.run([sys.executable, "-c", "import resource, subprocess, sys\nsubprocess.run(sys.argv[1:], capture_output=True, "
                               "input=%r.encode())\nprint(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)" % reply,
                               case.program, *words], cwd=case.root, capture_output=True, text=True, timeout=60)
        return int(done.stdout) // 1024
    case.put("b.txt", "other\n")
    for words, reply in ((("apply",), block("b.txt", "nothing of it\n", "x\n")), (("apply", "p0-0000000000000000"), "")):
        used = peak(*words, reply=reply)
        check(used < 60, "%s: %d MB" % (words, used))


def an_interrupted_run_is_mentioned_by_dry_runs_and_not_touched(case):
    interrupted(case, MANY)
    case.put("a.txt", "1\n")
    before, journal = case.all(), open(case.journals()[0], "rb").read()
    done = case.run(block("a.txt", "1\n", "2\n"), "--dry-run")
    check(done.returncode == 0 and "interrupted" in done.err, done.err)
    check(case.all() == before, "a dry run changed files")
    check(open(case.journals()[0], "rb").read() == journal, "a dry run changed the journal")
    check(stat.S_IMODE(os.stat(case.journals()[0]).st_mode) == 0o600, "others can read the journal")
    case.applied(block("a.txt", "1\n", "2\n"))
    check({case.get(n) for n in MANY} == {b"old\n"}, "not changed back")


def a_journal_that_lies_in_the_root_is_ignored(case):
    """Whoever made the repository put it there: nothing is changed "back" to a text of his."""
    def digest(text):
        value = 0xcbf29ce484222325
        for byte in text:
            value = (value ^ byte) * 0x100000001b3 % 2**64
        return b"%d:%016x" % (len(text), value)

    honest, evil = b"make all\n", b"touch PWNED\n"
    fields = [b"bodkin apply 1", b"file", b"build.sh", b".bodkin-0badf00d-0.new", b".bodkin-0badf00d-0.old",
              digest(evil), digest(honest), b"end"]
    for name in ".bodkin-apply-journal", ".bodkin-apply-done":
        case.put("build.sh", honest, 0o755)
        case.put("a.txt", "1\n")
        case.put(".bodkin-0badf00d-0.old", evil, 0o755)
        case.put(name, b"\0".join(fields))
        for arguments in ["--dry-run"], []:
            done = case.run(block("a.txt", "1\n", "2\n"), *arguments)
            check(done.returncode == 0, done.err)
            check(case.get("build.sh") == honest, "the committed journal was believed")
        check(case.get("a.txt") == b"2\n", "not applied")
        check(case.get(".bodkin-0badf00d-0.old") == evil, "a file of the repository was removed")
        os.unlink(case.path(name))


def a_journal_of_another_folder_is_not_used(case):
    """What has the folder's name now is not the folder that was being changed."""
    interrupted(case, MANY)
    shutil.move(case.root, case.root + "-aside")
    os.mkdir(case.root)
    case.put("f00.txt", "new\n")
    case.put("a.txt", "1\n")
    done = case.applied(block("a.txt", "1\n", "2\n"))
    check("different folder" in done.err, done.err)
    check(case.get("f00.txt") == b"new\n" and not case.journals(), "the wrong folder was changed")


def only_a_private_state_folder_is_used(case):
    case.put("a.txt", "1\n")
    edit = block("a.txt", "1\n", "2\n")
    state = os.environ["XDG_STATE_HOME"]
    case.applied(block("a.txt", "1\n", "1\n1\n"))
    case.applied(block("a.txt", "1\n1\n", "1\n"))
    apply = os.path.join(state, "bodkin", "apply")
    check(stat.S_IMODE(os.stat(apply).st_mode) == 0o700, "others may look into the state folder")
    # As a checkout makes folders and files: a journal in them is nobody's word.
    os.chmod(apply, 0o755)
    case.refused(edit, says="XDG_STATE_HOME")
    os.chmod(apply, 0o700)
    left = os.listdir(apply)  # but for what `bodkin undo` can take back
    check(all(name.endswith(".change") for name in left), "left: %r" % left)
    name = 0xcbf29ce484222325
    for byte in case.root.encode():
        name = (name ^ byte) * 0x100000001b3 % 2**64
    with open(os.path.join(apply, "%016x.journal" % name), "w") as journal:
        journal.write("bodkin apply 2")
    os.chmod(journal.name, 0o644)
    case.refused(edit, says="is not a journal that bodkin wrote")
    os.unlink(journal.name)
    shutil.rmtree(os.path.join(state, "bodkin"))
    if os.geteuid() == 0:
        os.makedirs(apply, 0o700)
        os.chown(apply, 12345, 12345)
        case.refused(edit, says="another user")
        shutil.rmtree(os.path.join(state, "bodkin"))
    with open(os.path.join(state, "bodkin"), "w"):
        pass  # nothing can be made below a file
    case.refused(edit, says="XDG_STATE_HOME")
    nowhere = {k: v for k, v in os.environ.items() if k not in ("HOME", "XDG_STATE_HOME")}
    case.refused(edit, env=nowhere, says="set HOME or XDG_STATE_HOME")
    home = os.path.join(os.path.dirname(case.root), "home")
    os.mkdir(home)
    case.applied(edit, env=dict(nowhere, HOME=home, XDG_STATE_HOME="relative"))
    check(os.path.isdir(home + "/.local/state/bodkin/apply"), "not below HOME")


def the_state_folder_is_not_edited(case):
    folder = os.path.join(case.root, ".state")
    env = dict(os.environ, XDG_STATE_HOME=folder)
    case.put("a.txt", "1\n")
    check(case.run(block("a.txt", "1\n", "2\n"), env=env).returncode == 0, "not applied")
    case.refused("*** Begin Patch\n*** Add File: .state/bodkin/apply/x.journal\n+x\n*** End Patch\n",
                 env=env, says="belongs to bodkin itself")


def a_second_run_waits_for_the_first(case):
    case.put("a.txt", "1\n2\n")
    held = lock_folder(case.root, os.environ["XDG_STATE_HOME"])
    process = subprocess.Popen([case.program, "apply", "--root", case.root], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)
    process.stdin.write(block("a.txt", "1\n", "x\n").encode())
    process.stdin.close()
    await_lock(process)
    check(case.get("a.txt") == b"1\n2\n", "it did not wait")
    held.close()
    check(process.wait(20) == 0, "it failed")
    process.stdout.close()
    check(case.get("a.txt") == b"x\n2\n", "it was not applied")


def many_runs_at_once_lose_nothing(case):
    names = ["l%02d" % i for i in range(12)]
    case.put("a.txt", "".join(n + "\n" for n in names))
    processes = []
    for name in names:
        p = subprocess.Popen([case.program, "apply", "--root", case.root], stdin=subprocess.PIPE,
                             stdout=subprocess.DEVNULL)
        p.stdin.write(block("a.txt", name + "\n", name + " done\n").encode())
        p.stdin.close()
        processes.append(p)
    check([p.wait(60) for p in processes] == [0] * len(names), "one of them failed")
    check(case.get("a.txt").decode() == "".join(n + " done\n" for n in names), "an edit was lost")
