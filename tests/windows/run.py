#!/usr/bin/env python3
"""Runs bodkin.exe under Wine beside bodkin, which says what is right.

    python3 tests/windows/run.py BODKIN [PART_OF_A_NAME…]

It is build/windows/bin/bodkin.exe, or BODKIN_EXE. The last line is: N passed, N failed, N skipped.
"""
import json
import os
import pathlib
import random
import stat
import subprocess
import sys
import tempfile
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "edits")]
import cases  # noqa: E402
from cli_support import TEXT, WIDE, WIDER, Failure, block, check, chosen  # noqa: E402

WINE = str(HERE / "wine.py")
KILLS = 100


def run(command, folder=None, **more):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, **more)
    done.out, done.err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    return done


def apply(program, folder, reply, *arguments):
    state = os.environ["XDG_STATE_HOME"] + ("" if program == WINE else "-linux")  # Wine's folders are not private on Linux
    return run([program, "apply", "--root", folder, *arguments], input=reply.encode(), env=dict(os.environ, XDG_STATE_HOME=state))


def tree(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in pathlib.Path(folder).rglob("*") if path.is_file()}


def put(folder, files):
    for name, text in files.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def it_says_its_version(bodkin, _):
    mine, other = (run([program, "--version"]).out.split(" (")[0] for program in (bodkin, WINE))
    check(other == mine, "%r is not %r" % (other, mine))


def each_case_gives_the_bytes_that_it_gives_on_linux(bodkin, _):
    """All cases of tests/edits, with their line ends and with those of Windows, and as random line edits."""
    feeds = []
    for name, parts in cases.read_cases().items():
        feed = cases.feed_of(name, parts)
        feeds.append(feed)
        feeds.append(dict(feed, id=name + " crlf", files={path: text.replace("\r\n", "\n").replace("\n", "\r\n")
                                                          for path, text in feed["files"].items()}))
        feeds.append(dict(feed, id=name + " crlf reply", edit=feed["edit"].replace("\r\n", "\n").replace("\n", "\r\n")))
        feeds.append(dict(feed, id=name + " backslashes", edit=feed["edit"].replace("/", "\\")))
    lines = "".join(json.dumps(feed) + "\n" for feed in feeds).encode()
    results = []
    for program in (bodkin, WINE):
        done = run([program, "apply", "--jsonl"], input=lines)
        check(done.returncode == 0, "%s: %s" % (program, done.err[-500:]))
        results.append([json.loads(line) for line in done.out.splitlines()])
    check(len(results[0]) == len(results[1]) == len(feeds), "%d and %d results" % (len(results[0]), len(results[1])))
    differ = []
    for one, other in zip(*results):
        untimed = [{name: value for name, value in each.items() if not name.endswith("micros")} for each in (one, other)]
        if untimed[0] != untimed[1]:
            differ.append(one["id"])
    check(not differ, "%d of %d differ: %s" % (len(differ), len(feeds), differ[:10]))
    return len(feeds)


def a_folder_is_changed_as_on_linux(bodkin, folder):
    files = {"src/a.c": "int a;\r\nint b;\r\n", "grüße/ä b.txt": "eins\nzwei\n", "c.py": "def f():\n    return 1\n"}
    reply = (block("src/a.c", "int b;\n", "long b;\n") + block("grüße/ä b.txt", "zwei\n", "drei\n") +
             block("new/folder/x.txt", "", "made\n"))
    trees = []
    for number, program in enumerate((bodkin, WINE)):
        root = os.path.join(folder, str(number))
        put(root, files)
        done = apply(program, root, reply)
        check(done.returncode == 0, done.out + done.err)
        trees.append(tree(root))
    check(trees[0] == trees[1], "%r is not %r" % (trees[1], trees[0]))
    check(trees[1]["src/a.c"] == b"int a;\r\nlong b;\r\n", repr(trees[1]))


# How a model may name a file, and the file that is meant; None: it is refused; "": as bodkin does on Linux, in the folder.
PATHS = [
    ("src/a.c", "src/a.c"), ("src\\a.c", "src/a.c"), (".\\src\\a.c", "src/a.c"), ("SRC/a.c", "src/a.c"),
    ("src/A.C", "src/a.c"), ("{root}/src/a.c", "src/a.c"), ("{root}\\src\\a.c", "src/a.c"),
    ("{lower}\\src\\a.c", "src/a.c"), ("NUL", None), ("nul.txt", None), ("src/COM1.c", None), ("src\\aux", None),
    ("a.c:stream", ""), ("src/a.c:stream", None), ("src/a.c::$DATA", None), ("new.", None), ("new /x.c", None),
    ("..\\out.c", None), ("src\\..\\..\\out.c", None), ("C:\\windows\\out.c", None), ("C:out.c", None),
    ("\\\\server\\share\\out.c", None), ("//server/share/out.c", ""), ("\\\\?\\C:\\out.c", None),
    ("\\out.c", None), (".git\\config", None), (".GIT\\config", None), ("git~1/config", None), ("a?.c", None),
]


def paths_of_each_kind_are_placed_or_refused(bodkin, folder):
    wrong = []
    for number, (path, file) in enumerate(PATHS):
        root = os.path.join(folder, "p%d" % number)
        put(root, {"src/a.c": "int a;\n", "other.c": "int b;\n", ".git/config": "[core]\n"})
        native = ("Z:" + root).replace("/", "\\")
        path = path.format(root=native, lower=native[0].lower() + native[1:])
        before = tree(root)
        reply = block(path, "int a;\n", "long a;\n") if file else block(path, "", "long a;\n")
        done = apply(WINE, root, reply, "--json")
        after = tree(root)
        if file == "":
            other = os.path.join(folder, "p%d-linux" % number)
            put(other, {name: text for name, text in before.items()})
            apply(bodkin, other, reply)
            if tree(other) != after:
                wrong.append("%s: %r" % (path, after))
            continue
        is_right = (done.returncode == 0 and after[file] == b"long a;\n" and set(after) == set(before)) if file else (
            done.returncode == 1 and after == before)
        if not is_right:
            wrong.append("%s: %d %s %r" % (path, done.returncode, done.err or done.out[:200], after))
    check(not wrong, "\n".join(wrong))
    check(not [name for name in os.listdir(folder) if not name.startswith("p")], "a file outside: %r" % os.listdir(folder))
    return len(PATHS)


def a_path_may_be_longer_than_260_characters(_, folder):
    name = "/".join(["a-folder-of-thirty-characters-%d" % i for i in range(12)]) + "/a.c"
    put(folder, {name: "int a;\n"})
    done = apply(WINE, folder, block(name, "int a;\n", "long a;\n"))
    check(done.returncode == 0 and tree(folder) == {name: b"long a;\n"}, done.out + done.err)


def a_read_only_file_is_refused(_, folder):
    put(folder, {"a.c": "int a;\n", "b.c": "int b;\n"})
    os.chmod(folder + "/a.c", stat.S_IREAD | stat.S_IRGRP | stat.S_IROTH)
    done = apply(WINE, folder, block("b.c", "int b;\n", "long b;\n") + block("a.c", "int a;\n", "long a;\n"))
    check(done.returncode == 1 and "a.c" in done.err + done.out, done.out + done.err)
    check(tree(folder) == {"a.c": b"int a;\n", "b.c": b"int b;\n"}, repr(tree(folder)))


def a_change_is_undone_and_redone(_, folder):
    put(folder, {"a.c": "int a;\r\n"})
    done = apply(WINE, folder, block("a.c", "int a;\n", "long a;\n"))
    check(done.returncode == 0, done.err)
    for command, text in (("undo", b"int a;\r\n"), ("redo", b"long a;\r\n")):
        done = run([WINE, command, "--root", folder])
        check(done.returncode == 0 and tree(folder) == {"a.c": text}, "%s: %s%s" % (command, done.out, done.err))


def an_ask_with_a_played_model_changes_the_folder(_, folder):
    put(folder, {"a.c": TEXT})
    put(os.environ["HOME"], {"replay.json": json.dumps({"turns": WIDER})})
    done = run([WINE, "ask", "--provider", "replay", "--model", os.environ["HOME"] + "/replay.json", "--root", folder, "--yes",
                "Widen b and g"], stdin=subprocess.DEVNULL)
    check(done.returncode == 0 and tree(folder) == {"a.c": WIDE.encode()}, done.out + done.err)
    done = run([WINE, "undo", "--root", folder])
    check(done.returncode == 0 and tree(folder) == {"a.c": TEXT.encode()}, done.out + done.err)


def passes(script, *parts):
    done = run([sys.executable, str(HERE.parent / script), WINE, *parts])
    check(done.returncode == 0, "\n".join(line for line in done.out.splitlines() if not line.startswith("ok ")))
    return int(done.out.split()[-6])


def the_transcripts_are_those_of_linux(_, __):
    return passes("transcripts/run.py", ".txt")


def an_agent_is_served_as_on_linux(_, __):
    return passes("mcp_cli/run.py", "needs_no_greeting", "half_a_character")


def a_killed_run_leaves_all_old_or_all_new(_, folder):
    names = ["f%02d.txt" % i for i in range(30)]
    reply = "".join(block(name, "old\n", "new\n") for name in names).encode()
    random.seed(1)
    journals = pathlib.Path(os.environ["XDG_STATE_HOME"], "bodkin", "apply")
    put(folder, {name: "old\n" for name in names})
    begun = time.monotonic()
    apply(WINE, folder, reply.decode())
    usual = time.monotonic() - begun
    undone = 0
    for attempt in range(KILLS):
        put(folder, {name: "old\n" for name in names})
        process = subprocess.Popen([WINE, "apply", "--root", folder], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        process.stdin.write(reply)
        process.stdin.close()
        if attempt % 2 == 0:  # once the journal is seen
            while process.poll() is None and not list(journals.glob("*.journal")):
                time.sleep(0.0005)
            time.sleep(random.uniform(0, 0.05))
        else:
            time.sleep(usual * random.uniform(0.2, 1))
        process.kill()
        process.wait()
        done = apply(WINE, folder, "nothing")
        undone += "interrupted" in done.err
        found = tree(folder)
        check(set(found) == set(names), "something is left: %r" % sorted(set(found) ^ set(names)))
        check(len(set(found.values())) == 1, "half of the files are changed: %s" % done.err)
    check(undone > 0, "no run was killed in the middle")
    return KILLS


def main():
    bodkin = os.path.abspath(sys.argv[1])
    tests = {name: test for name, test in globals().items() if callable(test) and "_" in name and getattr(test, "__module__", "") == __name__}
    passed = failed = 0
    for name in chosen(tests, sys.argv[2:]):
        with tempfile.TemporaryDirectory(prefix="bodkin-windows-") as home, tempfile.TemporaryDirectory() as folder:
            os.environ.update(HOME=home, XDG_STATE_HOME=home + "/state", XDG_CONFIG_HOME=home + "/config",
                              XDG_CACHE_HOME=home + "/cache")
            begun = time.monotonic()
            try:
                count = tests[name](bodkin, folder)
                passed += 1
                print("%s: %s%.1f s" % (name.replace("_", " "), "%d, " % count if count else "", time.monotonic() - begun), flush=True)
            except (Failure, OSError, subprocess.SubprocessError, ValueError) as error:
                failed += 1
                print("FAIL %s: %s" % (name.replace("_", " "), str(error)[:3000]), flush=True)
                if not isinstance(error, Failure):
                    traceback.print_exc()
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
