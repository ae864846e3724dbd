#!/usr/bin/env python3
"""Runs `bodkin ask` with a replayed model, as a script and as a user in a terminal do, on real folders.

    python3 tests/ask_cli/run.py BODKIN [PART_OF_A_NAME…]

Each test is a function of a Case. The last line is the sum.
"""
import ctypes
import http.server
import json
import os
import pathlib
import re
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from cli_support import READ, TEXT, Terminal, WIDE, WIDER, block, check, edit, run_all, turn  # noqa: E402


class Case:
    def __init__(self, program, folder):
        self.program, self.home = program, folder
        self.root = folder / "work"
        (self.root / "sub").mkdir(parents=True)
        self.put("a.c", TEXT)
        subprocess.run(["git", "init", "-q", self.root], check=True)
        self.settings()
        self.environment = {"HOME": str(folder), "PATH": os.environ["PATH"], "TERM": "xterm", "LANG": "C.UTF-8"}

    def put(self, name, text):
        (self.root / name).write_text(text)

    def get(self, name="a.c"):
        return (self.root / name).read_text()

    def settings(self, **values):
        folder = self.home / ".config/bodkin"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "settings.json").write_text(json.dumps({"verify.servers": {"*": {"command": []}}, **values}))

    def command(self, turns, *words):
        (self.home / "replay.json").write_text(json.dumps({"name": "test", "turns": turns}))
        return [self.program, "ask", "--provider", "replay", "--model", str(self.home / "replay.json"), *words]

    def run(self, turns, *words, folder=None, stdin=b""):
        done = subprocess.run(self.command(turns, *words), cwd=folder or self.root, env=self.environment,
                              input=stdin, capture_output=True, timeout=60)
        done.out, done.err = done.stdout.decode(), done.stderr.decode()
        return done

    def terminal(self, turns, *words, columns=80, **environment):
        return self.start(self.command(turns, *words), columns, **environment)

    def start(self, command, columns=80, **environment):
        return Terminal(command, self.root, dict(self.environment, **environment), columns)


def without_progress(text):
    """What stays on the screen."""
    return re.sub("\r\x1b\\[K(?:\x1b\\[2m[^\x1b]*\x1b\\[0m)?", "", text)


QUESTION = "[a]pply, choose [h]unks, [r]efine, [v]iew, or [d]iscard? "


def skills_are_told_of_in_trusted_folders_only(case):
    (case.root / ".agents/skills/release").mkdir(parents=True)
    case.put(".agents/skills/release/SKILL.md", "---\nname: release-it\ndescription: How a release is made\n---\nTag it.\n")
    named = "release-it (.agents/skills/release/SKILL.md): How a release is made"
    done = case.run([turn("Done.", absent=["release-it"])], "Release it.")
    check(done.returncode == 0, str(done))
    case.settings(**{"workspace.trusted": [str(case.root)]})
    look = turn("", [{"name": "read_file", "arguments": {"path": ".agents/skills/release/SKILL.md"}}], expect=[named], absent=["Tag it."])
    done = case.run([look, turn("Done.", expect=["Tag it."])], "Release it.")
    check(done.returncode == 0, str(done))


def into_a_pipe_goes_the_diff_alone_and_nothing_is_written(case):
    done = case.run(WIDER, "Wider, please.", "a.c:2")
    check(done.returncode == 0 and case.get() == TEXT, done.err)
    check(done.out.startswith("--- a/a.c\n+++ b/a.c\n") and "\x1b" not in done.out + done.err, done.out)
    for wanted in ("- Reading a.c\n", "b and g are wider.", "Would change a.c (+2 \u22122). ? not checked: no language server for C is set up (only syntax). 3 turns, 3,030 tokens",
                   "bodkin ask: Nothing was written; use --yes to write it.\n"):
        check(wanted in done.err, done.err)
    check("" not in [line.strip("- ") for line in done.err.splitlines()], done.err)
    patched = subprocess.run(["git", "apply"], cwd=case.root, input=done.stdout)
    check(patched.returncode == 0 and case.get() == WIDE, "git cannot apply it")


def yes_writes_it(case):
    done = case.run(WIDER, "--yes", "Wider, please.")
    check(done.returncode == 0 and case.get() == WIDE and "changed a.c\n" in done.err, done.err)


def a_file_in_another_encoding_is_shown_and_written_in_it(case):
    for charset, coding, old, new, lacking in (
            ("latin1", "latin-1", "naïve", "été", "日"), ("shift_jis", "shift_jis", "表示", "追加", "é"),
            ("gbk", "gbk", "模块", "相加", "\U0001F600"), ("koi8-r", "koi8-r", "привет", "слово", "日")):
        case.put(".editorconfig", "root = true\n[*.c]\ncharset = %s\n" % charset)
        before = "// %s\nint b;\n" % old
        (case.root / "x.c").write_bytes(before.encode(coding))
        ask = lambda text: case.run([turn("", [edit("int b;", "int b; // " + text, "x.c")], expect=["// " + old]),
                                     turn("Done.")], "--yes", "Say it.", "x.c")
        done = ask(lacking)
        check(done.returncode == 1 and 'x.c cannot be written in its encoding: %s has no "%s"' % (charset, lacking)
              in " ".join(done.err.split()), done.err)
        check((case.root / "x.c").read_bytes() == before.encode(coding), "it was written")
        done = ask(new)
        check(done.returncode == 0, done.err)
        check((case.root / "x.c").read_bytes() == before.replace("b;", "b; // " + new).encode(coding), done.err)


def no_file_is_guessed_for_a_path_outside_of_the_folder(case):
    for path in ("/other/place/a.c", "file:///other/place/a.c", "~/place/a.c", "../place/a.c"):
        bad = turn("%s\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n" % path)
        done = case.run([bad] * 6, "--yes", "Wider.")
        check(done.returncode == 1 and case.get() == TEXT, str(done))
        check(path.removeprefix("file://") + " is outside the folder " in done.err, done.err)


def yes_does_not_write_what_a_check_objects_to(case):
    done = case.run([READ, turn("", [edit("int b;", "int b")]), turn("Done."), turn("Done."), turn("Done.")],
                    "--yes", "Narrower.")
    check(done.returncode == 1 and case.get() == TEXT, str(done))
    check("Not written: " in done.err and "syntax error" in done.err, done.err)


def a_real_server_checks_what_is_shown_and_yes_does_not_write_new_errors(case):
    case.settings(**{"verify.servers": {}})
    wrong = [READ, turn("", [edit("int b;", "int b = missing;")]), turn("Done."),
             turn("I cannot.", expect=["clangd now reports", "missing"])]
    done = case.run(wrong, "--json", "--yes", "Set it.")
    end = json.loads(done.out.splitlines()[-1])
    check(done.returncode == 1 and not end["written"] and case.get() == TEXT, str(done))
    check(end["checked"] == "✗ clangd: 1 new" and end["check"]["state"] == "problems", str(end))
    problem = end["check"]["new"][0]
    check(problem["path"] == "a.c" and problem["line"] == 2 and problem["severity"] == "error", str(problem))
    check(end["notes"][0].startswith("a.c, line 2: "), str(end["notes"]))
    done = case.run(WIDER, "--yes", "Wider, please.")
    check(done.returncode == 0 and case.get() == WIDE, str(done))
    check("Would change a.c (+2 \u22122). ✓ clangd: 0 new." in done.err, done.err)


def fix_shows_the_model_what_a_server_reports(case):
    case.settings(**{"verify.servers": {}})
    case.put("a.c", "int b = missing;\n")
    fixed = [turn("", [edit("missing", "0")], expect=["Problems that clangd reports in a.c:", "line 1: error: ", "missing"]),
             turn("Done.")]
    done = case.run(fixed, "--yes", "/fix", "a.c")
    check(done.returncode == 0 and case.get() == "int b = 0;\n", str(done))
    check("✓ clangd: 1 fixed, 0 new" in done.err, done.err)


def what_is_private_does_not_come_back_through_a_server(case):
    case.settings(**{"verify.servers": {}})
    case.put(".env", "hunter2pw\n")
    (case.home / "out.txt").write_text("hunter2pw\n")
    for path in (".env", "../out.txt", str(case.home / "out.txt")):
        unseen = {"absent": ["hunter2pw"]}
        case.put("a.c", 'int a =\n#include "%s"\n;\n' % path)
        done = case.run([turn("Nothing.", **unseen)], "/fix", "a.c")
        check(done.returncode == 0, str(done))
        case.put("a.c", TEXT)
        tells = {"name": "diagnostics", "arguments": {"path": "a.c"}}
        done = case.run([READ, turn("", [edit("int b;", 'int b =\n#include "%s"\n;' % path)], **unseen), turn("", [tells], **unseen),
                         turn("Done.", **unseen), turn("Done.", **unseen), turn("Done.", **unseen)], "Set it.")
        check("the request must not contain" not in done.err and "✓" not in done.err, str(done))


def yes_does_not_write_what_could_not_be_checked(case):
    trusted = {"workspace.trusted": [str(case.root)]}
    for settings in (dict(trusted, **{"verify.command": ["false"]}),  # it fails without the edit, too
                     dict(trusted, **{"verify.command": ["nonesuch"]}),
                     dict(trusted, **{"verify.command": ["sleep", "60"], "verify.commandTimeoutMs": 200}),
                     {"verify.command": ["true"]}):  # the folder is not trusted
        case.settings(**settings)
        done = case.run(WIDER, "--yes", "Wider, please.")
        check(done.returncode == 1 and case.get() == TEXT, "%s: %s" % (settings, done))
        check("Not written: not checked: " in done.err, done.err)


def yes_does_not_write_what_runs_commands(case):
    case.put("setup.py", TEXT)
    done = case.run([turn("", [{"name": "read_file", "arguments": {"path": "setup.py"}}]),
                     turn("", [edit("int b;", "long;", "setup.py")]), turn("Done.")], "--yes", "Wider, please.")
    check(done.returncode == 1 and case.get("setup.py") == TEXT and "Not written: " in done.err, str(done))


def json_says_why_nothing_was_written_and_how_it_can_be(case):
    for path, more, why in (("setup.py", ["--yes"], "Not written: setup.py: "), ("a.ini", ["--yes"], "Not written: a.ini: "),
                            ("b.c", [], "Nothing was written; use --yes to write it.")):
        case.put(path, TEXT)
        done = case.run([turn("", [{"name": "read_file", "arguments": {"path": path}}]),
                         turn("", [edit("int b;", "long;", path)]), turn("Done.")], "--json", *more, "Wider, please.")
        end = json.loads(done.out.splitlines()[-1])
        check(end["end"] == "proposal" and not end["written"] and case.get(path) == TEXT, str(end))
        check(end["reason"].startswith(why) and end["redo"] == "bodkin redo " + end["proposal"] and end["undo"] is None, str(end))
    end = json.loads(case.run(WIDER, "--json", "--yes", "Wider.").out.splitlines()[-1])
    check(end["written"] and end["reason"] == "" and end["redo"] is None, str(end))


def an_answer_is_printed_and_a_request_is_read_from_standard_input(case):
    done = case.run([turn("Eight.", expect=["How many ints"])], stdin=b"How many ints are there?\n")
    check(done.returncode == 0 and done.out == "Eight.\n" and case.get() == TEXT, str(done))


def an_answer_after_a_reply_that_could_not_be_used_is_an_answer(case):
    def cut(*words):
        made = turn(*words)
        made["reply"]["stop_reason"] = "max_tokens"
        return made
    for first in (turn(""), cut("There are"), cut("", [{"name": "read_file", "arguments": {"path": "a.c"}}])):
        done = case.run([first, turn("Eight.")], "How many ints are there?")
        check(done.returncode == 0 and done.out == "Eight.\n", str(done))
    done = case.run([READ, cut("", [edit("int b;", "long b;")]), turn("Wider.")], "--yes", "Wider.")
    check(done.returncode == 1 and "The model sent no edit that could be placed." in done.err, str(done))


def what_is_piped_in_beside_a_request_is_shown_with_it(case):
    key = "sk-ant-api03-" + "q7Rt2" * 18 + "-Zk9mB1AA"
    long = b"first\n" + b"".join(b"line %d\n" % n for n in range(20000)) + b"last\n"
    for stdin, wanted, absent, said in (
            (b"error: b is narrow\n", ["Why?", "Standard input:", "error: b is narrow"], [], ""),
            (b"", ["Why?"], ["Standard input"], ""),
            (b"token %s\n" % key.encode(), ["token "], [key], "1 secret in standard input is not sent"),
            (long, ["first\n", "last\n", "[…]"], ["line 10000\n"], "bytes in its middle are left out")):
        done = case.run([turn("Yes.", expect=wanted, absent=absent)], "Why?", stdin=stdin)
        check(done.returncode == 0 and said in " ".join(done.err.split()), str(done))
    # What the output names is shown: here the file, which has no function.
    done = case.run([turn("Yes.", expect=["a.c:", "int b;"])], "Why?", stdin=b"a.c:2:5: error: b is narrow\n")
    check(done.returncode == 0, str(done))
    # A pipe that nobody writes to, as a program that starts it may hold it, does not stop it.
    ours, theirs = os.pipe()
    done = subprocess.run(case.command([turn("Yes.", absent=["Standard input"])], "Why?"), cwd=case.root, env=case.environment,
                          stdin=ours, capture_output=True, timeout=60)
    os.close(theirs)
    check(done.returncode == 0, str(done))
    # The rest of a loop's input stays its own.
    (case.root / "list.txt").write_text("one\ntwo\n")
    loop = 'while read -r word; do "$@"; done < list.txt'
    done = subprocess.run(["sh", "-c", loop, "sh", *case.command([turn("Yes."), turn("No.")], "Why?")], cwd=case.root,
                          env=case.environment, capture_output=True, text=True, timeout=60)
    check(done.stdout.count("Yes.") == 2, str(done))
    for between in [], ["timeout", "60"]:
        loop = 'printf "a.c\\na.c\\na.c\\n" | while read -r word; do "$@" "$word"; done'
        words = case.command([turn("Yes.", absent=["Standard input"])], "Why?")
        done = subprocess.run(["sh", "-c", loop, "sh", *between, *words], cwd=case.root, env=case.environment,
                              capture_output=True, text=True, timeout=60)
        check(done.stdout.count("Yes.") == 3, str(done))
        words = case.command([turn("Yes.", expect=["Standard input", "b is narrow"])], "Why?")
        done = subprocess.run(["sh", "-c", 'echo "b is narrow" | "$@" a.c', "sh", *between, *words], cwd=case.root,
                              env=case.environment, capture_output=True, text=True, timeout=60)
        check(done.stdout == "Yes.\n", str(done))
    done = case.run([turn("Yes.")], "-", stdin=b"a\0b")
    check(done.returncode == 2 and "Standard input is not text." in done.err, str(done))


def after_a_request_that_is_piped_in_the_keys_come_from_the_terminal(case):
    screen = Terminal(["sh", "-c", 'echo "Wider, please." | "$@"', "sh", *case.command(WIDER)], case.root, case.environment, 80)
    screen.until(QUESTION)
    screen.type("a")
    screen.end()
    check(screen.code == 0 and case.get() == WIDE, screen.text)
    case.put("a.c", TEXT)
    screen = Terminal(["sh", "-c", 'echo "b is narrow" | "$@" "Wider, please."', "sh", *case.command(WIDER)], case.root, case.environment, 80)
    screen.until(QUESTION)
    screen.type("a")
    screen.end()
    check(screen.code == 0 and case.get() == WIDE, screen.text)


def events_come_while_the_ask_runs(case):
    waits = dict(turn("The end."), delay_ms=600000)
    process = subprocess.Popen(case.command([READ, waits], "--json", "What is b?"), cwd=case.root, env=case.environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        said = b""
        while b'"result"' not in said:
            check(select.select([process.stdout], [], [], 30)[0], "there is only %r" % said)
            more = os.read(process.stdout.fileno(), 4096)
            check(more, "it ended after %r" % said)
            said += more
        check(b"I look first." in said and process.poll() is None, said)
    finally:
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=30)[0]
    check(json.loads(rest.splitlines()[-1])["end"] == "cancelled" and process.returncode == 130, rest)


def json_is_events_one_a_line(case):
    done = case.run(WIDER, "--json", "Wider, please.")
    events = [json.loads(line) for line in done.out.splitlines()]
    end = events.pop()
    check(done.returncode == 0 and done.err == "" and case.get() == TEXT, str(done))
    check({"event": "step", "text": "Reading a.c"} in events, str(events))
    changed = [event for event in events if event["event"] == "result" and event["files"]]
    check([event["files"] for event in changed] == [[{"path": "a.c", "added": 1, "removed": 1}]] * 2, str(events))
    check("".join(e["text"] for e in events if e["event"] == "text") == "I look first.b and g are wider.", str(events))
    check(end["end"] == "proposal" and not end["written"] and end["turns"] == 3 and end["input_tokens"] == 3000, str(end))
    check(end["files"][0]["path"] == "a.c" and "+long b;" in end["files"][0]["diff"], str(end))
    end = json.loads(case.run(WIDER, "--json", "--yes", "Wider, please.").out.splitlines()[-1])
    check(end["written"] and case.get() == WIDE, str(end))


def a_session_goes_on_in_another_run(case):
    session = json.loads(case.run([turn("It is an int.")], "--json", "What is b?").out.split("\n")[-2])["session"]
    done = case.run([turn("I said so.", expect=["What is b?", "It is an int.", "Are you sure?"])],
                    "--session", session, "Are you sure?")
    check(done.returncode == 0 and done.out == "I said so.\n", done.out + done.err)
    done = case.run([turn("No.")], "--session", "session-1-none", "Are you sure?")
    check(done.returncode == 1 and "No such session: session-1-none. bodkin history lists them.\n" in done.err, done.err)
    other = case.home / "other"
    other.mkdir()
    done = case.run([turn("No.")], "--root", str(other), "--session", session, "Are you sure?")
    check(done.returncode == 1 and "another folder" in done.err, done.err)
    listed = subprocess.run([case.program, "history"], env=case.environment, capture_output=True, text=True)
    check(listed.stdout.count("\n") == 1 and "2 asks" in listed.stdout, listed.stdout + listed.stderr)


def a_session_of_a_folder_that_was_moved_goes_on_there(case):
    session = json.loads(case.run(WIDER, "--yes", "--json", "Wider, please.").out.split("\n")[-2])["session"]
    moved = case.home / "moved"
    case.root.rename(moved)
    done = case.run([turn("No.")], "--session", session, "And c?", folder=moved)
    check(done.returncode == 1 and "is not there any more; if it was moved, name the folder with --root." in done.err, done.err)
    more = [turn("", READ["reply"]["tool_calls"], expect=["Wider, please."]), turn("", [edit("int c;", "long c;")]), turn("Now c is.")]
    done = case.run(more, "--root", ".", "--yes", "--session", session, "And c?", folder=moved)
    check(done.returncode == 0 and (moved / "a.c").read_text() == WIDE.replace("int c", "long c"), done.err)
    done = case.run([turn("Both.", expect=["And c?"])], "--session", "last", "Which?", folder=moved)  # from now on it is known there
    check(done.returncode == 0 and done.out == "Both.\n", done.err)
    case.root.mkdir()
    done = case.run([turn("No.")], "--root", str(case.root), "--session", session, "And d?")
    check(done.returncode == 1 and "belongs to another folder" in done.err, done.err)


def a_shell_completes_what_only_the_program_knows(case):
    folder = case.home / ".config/bodkin/profiles"
    folder.mkdir(parents=True)
    (folder / "mine.json").write_text('{"extends": "tools"}')
    (folder / "$(touch${IFS}RUN).json").write_text('{"extends": "tools"}')  # a shell must not expand what it offers
    session = json.loads(case.run([turn("It is.")], "--json", "What is b: an int?").out.split("\n")[-2])["session"]
    environment = dict(case.environment, PATH="%s:%s" % (pathlib.Path(case.program).resolve().parent, os.environ["PATH"]))

    def completed(words):
        """By each shell that is here."""
        script = {"bash": 'source <(bodkin completion bash); COMP_WORDS=(%s ""); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _bodkin; '
                          'printf "%%s\\n" "${COMPREPLY[@]}"' % words,
                  "fish": "bodkin completion fish | source; complete -C'%s '" % words}
        for shell in [each for each in script if shutil.which(each)]:
            out = subprocess.run([shell, "-c", script[shell]], cwd=case.root, env=environment, capture_output=True, text=True).stdout
            yield [line.split("\t") for line in out.splitlines()]

    for found in completed("bodkin ask --profile"):
        names = [each[0] for each in found]
        check({"mine", "plan", "tools"} <= set(names) and not any(" " in name or "/" in name for name in names), names)
        check(not (case.root / "RUN").exists(), "a name was run")
    for words in ("bodkin ask --session", "bodkin history show"):
        for found in completed(words):
            check([each[0] for each in found] == ["last", session] and
                  "What is b: an int?" in (found[1] + ["What is b: an int?"])[1], found)


def a_change_that_the_history_cannot_keep_is_named(case):
    case.run([turn("Yes.")], "First.")
    locking = sqlite3.connect(case.home / ".local/state/bodkin/history.db", isolation_level=None)
    locking.execute("BEGIN IMMEDIATE")
    done = case.run(WIDER, "--yes", "Wider, please.")
    check(done.returncode == 0 and case.get() == WIDE, done.err)
    check("This change cannot be undone later: another program has locked the history." in done.err, done.err)
    case.put("a.c", TEXT)
    done = case.run([turn("Yes.")], "Second.")
    check(done.returncode == 0 and done.out == "Yes.\n" and "The latest activity was not saved" in done.err, done.err)
    locking.execute("ROLLBACK")
    locking.close()


def a_history_that_is_removed_meanwhile_is_begun_anew(case):
    slow = [READ, turn("", [edit("int b;", "long b;")]), dict(turn("Done."), delay_ms=2000)]
    process = subprocess.Popen(case.command(slow, "--json", "--yes", "Wider."), cwd=case.root, env=case.environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    said = b""
    while b'"long' not in said and said.count(b'"result"') < 2:
        check(select.select([process.stdout], [], [], 30)[0], "there is only %r" % said)
        said += os.read(process.stdout.fileno(), 4096)
    for file in (case.home / ".local/state/bodkin").glob("history.db*"):
        file.unlink()
    end = json.loads((said + process.communicate(timeout=30)[0]).splitlines()[-1])
    check(end["written"] and end["undo"], str(end))
    done = subprocess.run([case.program, *end["undo"].split()[1:]], cwd=case.root, env=case.environment, capture_output=True, timeout=60)
    check(done.returncode == 0 and case.get() == TEXT, str(done))


def calls_that_are_numbered_in_each_reply_keep_their_own_results(case):
    case.put("b.c", "int second;\n")
    turns = [turn("", [{"name": "read_file", "id": "call_0", "arguments": {"path": path}}]) for path in ("a.c", "b.c")]
    case.run(turns + [turn("Read.")], "--profile", "tools", "Read both.")
    row = json.loads(subprocess.run([case.program, "history", "--json"], env=case.environment, capture_output=True).stdout)[0]
    text = subprocess.run([case.program, "history", "export", row["id"]], env=case.environment, capture_output=True,
                          text=True).stdout
    check(text.count("int a;") == 1 and text.count("int second;") == 1, text)


def what_is_written_is_in_the_history_with_its_files(case):
    case.run(WIDER, "--yes", "Wider, please.")
    row = json.loads(subprocess.run([case.program, "history", "--json"], env=case.environment, capture_output=True).stdout)[0]
    whole = json.loads(subprocess.run([case.program, "history", "show", row["id"], "--json"], env=case.environment,
                                      capture_output=True).stdout)["asks"][0]
    proposal = whole["proposals"][0]
    check(proposal["state"] == "applied", str(proposal))
    check([(f["before"], f["after"]) for f in proposal["files"]] == [(TEXT, WIDE)], str(proposal))


def files_are_of_the_repository_and_relative_to_the_current_folder(case):
    case.put("sub/b.c", "int x;\nint y;\n")
    case.put("sub/zero", "a\0b\n")
    shown = turn("Fine.", expect=["sub/b.c", "int y;"])
    done = case.run([shown], "Fine?", "b.c:2", folder=case.root / "sub")
    check(done.returncode == 0 and done.out == "Fine.\n", done.err)
    for words, wanted in ((["Fine?", "b.c:3"], "The file b.c has only 2 lines.\n"), (["Fine?", "none.c"], "There is no file none.c.\n"),
                          (["Fine?", "zero"], "The file zero cannot be shown to the model: "),
                          (["Fine?", "."], "Not a file but a folder: .; name it in the request as @./.\n"),
                          (["use", "a", "span"], "There is no file a; the request must be in quotes.\n"),
                          (["Is it?", "b.c", "none.c"], "There is no file none.c.\n"), (["Why?", "b.c", "none.c"], "There is no file none.c.\n"),
                          (["b.c", "Fine?"], "b.c is a file; the request comes before the files.\n"),
                          (["b.c"], "b.c is a file; the request comes before the files.\n"),
                          (["Fine?", "/etc/passwd"], "is not in"), (["Fine?", "b.c:1", "b.c:2"], "Only one file"),
                          (["--root", "/nowhere", "Fine?"], "nowhere"), ([], "bodkin ask: The request is empty; see bodkin ask --help.\n"),
                          (["--diff", "--yes", "Fine?"], "--yes"), (["--plan", "--profile", "shell", "Fine?"], "--profile")):
        done = case.run([shown], *words, folder=case.root / "sub")
        check(done.returncode == 2 and wanted in done.err and done.out == "", str(done))


def messages_of_every_command_are_broken_between_words_on_a_terminal(case):
    here = case.root / ("folder" * 5) / "below"
    here.mkdir(parents=True)
    (here / "reply").write_text("a.txt\n<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n")
    for words in (["apply", "reply"], ["apply", "--format", "none", "reply"], ["apply", "--root", "none", "reply"], ["verify", "reply"],
                  ["apply", "--dry-run", "a-name-of-a-reply-that-nobody-has-written-down-to-this-day"], ["context", "none.c:1"],
                  ["context", "a-name-without-a-line-of-which-much-could-be-said-at-length"], ["history", "show"], ["history", "p0-1"],
                  ["undo", "p1-none"], ["redo"], ["settings", "a-word-that-none-of-the-settings-has-got-in-its-own-name"],
                  ["mcp", "--root", "a-folder-that-is-not-there-and-that-will-never-be-there"], ["manual", "nothing-of-which-there-would-be-a-page"],
                  ["trust", "none"], ["replay", "none"], ["aply", "--and-an-option-that-does-not-exist-in-this-program"]):
        said = Terminal([case.program, *words], here, case.environment, 80).end()
        said = said.replace("checking…\r\x1b[K", "").replace("\r", "").split("Send this back to the model:")[0]  # what is copied is as it is
        wide = [line for line in said.splitlines() if len(line) > 80 and " " in line.strip()]
        check(not wide, "%s: %s" % (words, wide))


def a_value_that_a_script_has_left_empty_is_no_value(case):
    for option in ("--session", "--record", "--model", "--profile", "--format", "--root"):
        done = subprocess.run([case.program, "ask", "--provider", "replay", option, "", "Fine?"], cwd=case.root, env=case.environment,
                              capture_output=True, text=True, timeout=60)
        check(done.returncode == 2 and option in done.stderr and "empty" in done.stderr, str(done))


def bad_settings_are_named_where_they_are(case):
    file = case.home / ".config/bodkin/settings.json"
    case.settings()
    file.write_text('{\n  "bodkin.agent.mode": "plan",\n  "agent.maxTurns": 3,\n}')
    done = case.run([], "Fine?")
    check(done.returncode == 1 and "settings.json is not JSON at line 4, column 1; " in done.err and "No model" not in done.err, done.err)
    file.write_text('{"bodkin.agent.mode": "confirm", "agent.profil": "tools"}')
    done = case.run([turn("Fine.")], "Fine?")
    check("Unknown setting: bodkin.agent.profil (did you mean bodkin.agent.profile?)." in done.err, done.err)
    file.write_text('{"bodkin.verify.servers": {"*": {"command": []}}, "agent.maxTurns": 1}')
    check(case.run(WIDER, "Wider, please.").returncode == 3, "a setting without the prefix was ignored")
    shown = subprocess.run([case.program, "settings", "maxTurns"], env=case.environment, capture_output=True, text=True)
    check(shown.stdout.startswith("bodkin.agent.maxTurns = 1   (default: ") and shown.stdout.count("bodkin.agent.") == 1, shown.stdout)


def the_servers_own_words_are_told_as_such(case):
    class Server(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = b'{"error": {"message": "boom"}}'
            self.send_response(400)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        host = "http://127.0.0.1:%d" % server.server_port
        words = [case.program, "ask", "--provider", "openai-compatible", "--endpoint", host + "/v1"]
        done = subprocess.run([*words, "--model", "played", "Fine?"], cwd=case.root, env=case.environment, capture_output=True, text=True)
        check(done.returncode == 1 and "played at %s answered with status 400: boom" % host in done.stderr, done.stderr)
    finally:
        server.shutdown()
        server.server_close()
    done = subprocess.run([*words, "Fine?"], cwd=case.root, env=case.environment, capture_output=True, text=True)
    check(done.returncode == 1 and "No model was found at %s. Is the server running?" % host in done.stderr, done.stderr)


def a_failed_ask_and_a_limit_have_their_codes_and_write_nothing(case):
    done = case.run([turn("", [], ), turn("", [])], "--yes", "Wider, please.")
    check(done.returncode == 1 and case.get() == TEXT, str(done))
    case.settings(**{"agent.maxTurns": 2})
    done = case.run(WIDER, "--yes", "Wider, please.")
    check(done.returncode == 3 and case.get() == TEXT and "Not written: the ask did not finish.\n" in done.err, done.err)


def an_ask_that_was_ended_early_says_how_its_session_goes_on(case):
    case.settings(**{"agent.maxTurns": 1})
    done = case.run([READ], "What is b?")
    check(done.returncode == 3 and "; continue with bodkin ask --session " in done.err, done.err)
    session = done.err.split("--session ")[1].split(")")[0]
    done = case.run([turn("An int.", expect=["What is b?", "I look first."])], "--session", session, "Go on.")
    check(done.returncode == 0 and done.out == "An int.\n", str(done))
    broken = {"expect": [], "error": {"kind": "overloaded", "message": "Busy.", "status": 503}}
    for turns, goes_on in (([READ, broken], True), ([broken], False)):
        case.settings()
        done = case.run(turns, "What is b?")
        check(done.returncode == 1 and ("continue with" in done.err) == goes_on, done.err)


def what_needs_a_permission_is_refused_without_a_terminal(case):
    case.settings(**{"agent.permissions": {"edit": "ask"}})
    done = case.run(WIDER, "--yes", "Wider, please.")
    check(done.returncode == 1 and case.get() == TEXT and done.out == "b and g are wider.\n", str(done))
    check("Nothing was written: none of the edits was placed or allowed." in done.err, done.err)
    check("Editing a.c (+1 \u22121) is not allowed: there is no terminal to ask in (bodkin.agent.permissions)" in done.err, done.err)
    check("you denied" not in done.err and "Go on without it" not in done.err, done.err)


def an_edit_that_is_in_place_after_one_that_was_refused_is_no_loss(case):
    turns = [turn(block("a.c", "int z;\n", "long z;\n")), turn(block("a.c", "int b;\n", "int b;\n"))]
    done = case.run(turns, "--profile", "blocks", "--yes", "Wider, please.", "a.c")
    check(done.returncode == 0 and "already in place; there is nothing to do." in done.out + done.err, str(done))
    check("Nothing was written" not in done.err and "could not be placed" not in done.out + done.err, str(done))


COMMAND = turn("Now the tests.", [{"name": "run_command", "arguments": {"command": "make test"}}])


def a_command_in_a_folder_that_is_not_trusted_says_why_it_cannot_run(case):
    why = "Commands cannot run here: this folder is not trusted."  # the user is told what to do, too
    said = "Commands cannot run here: this folder is not trusted; bodkin trust changes that."
    foreign = turn("", [{"name": "bash", "arguments": {"command": "make test"}}])
    done = case.run([COMMAND, foreign, turn("Not tested.", expect=[why])], "Test it.")
    check(done.err.count(said) == 1 and "Unknown tool" not in done.err, done.err)
    shell = turn("", [{"name": "shell", "arguments": {"command": ["make", "test"]}}])
    case.settings(**{"agent.dialect": "codex"})
    done = case.run([shell, turn("Not tested.", expect=[why])], "Test it.")
    check(done.err.count(said) == 1 and "not possible" not in done.err, done.err)


def uncommitted_changes_in_a_folder_that_is_not_trusted_are_said_to_be_kept_back(case):
    done = case.run([turn("I cannot see them.", expect=["The uncommitted changes are not known: this folder is not trusted"])], "Review @diff.")
    said = "the model is not shown the uncommitted changes: this folder is not trusted, so git does not run in it; bodkin trust changes that"
    check(done.returncode == 0 and done.err.count(said) == 1, done.err)


def a_command_that_leaves_git_alone_is_not_said_to_change_it(case):
    """What is hidden from it there: a configuration with a password, and the objects where a private file is tracked."""
    case.settings(**{"workspace.trusted": [str(case.root)], "agent.permissions": {"run": "allow"}})
    case.put(".env", "KEY=x\n")
    for words in (["add", "-f", "."], ["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "x"],
                  ["config", "remote.o.url", "https://user:password@example.org/x"]):
        subprocess.run(["git", *words], cwd=case.root, check=True)
    recording = case.home / "recording"
    for command, is_changed in (("true", False), ("echo x >.git/HEAD", True)):
        run = turn("", [{"name": "run_command", "arguments": {"command": command}}])
        done = case.run([run, turn("Done.", expect=["<returncode>0"])], "--record", str(recording), "Run it.")
        check(done.returncode == 0, str(done))
        check(("git's own files" in recording.read_text()) == is_changed, recording.read_text())


def what_was_drafted_before_a_refusal_is_still_offered(case):
    case.settings(**{"workspace.trusted": [str(case.root)]})
    # A script can ask nobody: the model is told so, and its edits are the diff.
    told = turn("b and g are wider, not tested.", expect=["there is no terminal to ask in", "Go on without it"])
    done = case.run([*WIDER[:2], COMMAND, told], "Wider, please.")
    check(done.returncode == 0 and "+long b;" in done.out and case.get() == TEXT, str(done))
    check("Running make test is not allowed: there is no terminal to ask in (bodkin.agent.permissions)" in done.err, done.err)
    # A person who says no ends the ask, and decides on what there is.
    screen = case.terminal([*WIDER[:2], COMMAND], "Wider, please.")
    screen.until("a [r]eason ")
    screen.type("n")
    before = screen.until(QUESTION)
    check("+long b;" in before and "you denied permission" in before, before)
    screen.type("a")
    text = screen.end()
    check(screen.code == 0 and case.get() == WIDE, text)


def a_note_begins_with_the_name_of_its_file_as_it_is(case):
    case.settings(**{"agent.permissions": {"run": "allow"}, "workspace.trusted": [str(case.root)]})
    command = "printf 'a\\0b' >bin; echo 'int n;' >n.c"
    done = case.run([turn("", [{"name": "run_command", "arguments": {"command": command}}]), turn("Done.")], "Make it.")
    check("bodkin ask: bin was changed by a command" in done.err.replace("\n", " "), str(done))


def a_killed_ask_leaves_at_most_one_process_for_init_to_wait_for(case):
    case.settings(**{"agent.permissions": {"run": "allow"}, "workspace.trusted": [str(case.root)]})
    command = "sleep 86399 & sleep 86399"
    set_subreaper = ctypes.CDLL(None).prctl
    set_subreaper(36, 1)  # PR_SET_CHILD_SUBREAPER: what init would get is ours
    try:
        call = {"name": "run_command", "arguments": {"command": command}}
        ask = subprocess.Popen(case.command([turn("", [call]), turn("Done.")], "Wait."), cwd=case.root, env=case.environment,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while not any("sleep\x0086399" in text_of(each) for each in pathlib.Path("/proc").glob("[0-9]*/cmdline")):
            check(time.monotonic() < end, "the command does not run")
            time.sleep(0.05)
        ask.kill()
        ask.wait()
        left = []
        while True:
            try:
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
            except ChildProcessError:
                break
            left.append(text_of(pathlib.Path("/proc/%d/comm" % ended.si_pid)).strip())
            os.waitpid(ended.si_pid, 0)
        check(left in ([], ["bodkin-keeper"]), str(left))
    finally:
        set_subreaper(36, 0)


def text_of(file):
    try:
        return file.read_text()
    except OSError:
        return ""


def of_a_command_the_exit_code_and_the_last_lines_are_shown(case):
    case.settings(**{"agent.permissions": {"run": "allow"}, "workspace.trusted": [str(case.root)]})
    call = {"name": "run_command", "arguments": {"command": "seq 30; exit 3"}}
    for profile, turns in (("tools", [turn("", [call]), turn("Done.")]),
                           ("shell", [turn("THOUGHT: x\n\n```bash\nseq 30; exit 3\n```"), turn("THOUGHT: x\n\n```bash\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n```")])):
        done = case.run(turns, "--profile", profile, "Count.")
        check(re.search("run_command, exit 3(, .*)?\n", done.err) and "  | 21\n" in done.err and "  | 30\n" in done.err, done.err)
        check("  | \u2026 20 lines above left out\n" in done.err and "| 20\n" not in done.err and "returncode" not in done.err, done.err)


def edits_that_were_not_placed_are_named(case):
    bad = {"name": "edit", "arguments": {"path": "b.c", "old_str": "int none;", "new_str": "x"}}
    case.put("b.c", "int b;\n")
    done = case.run([READ, turn("", [edit("int b;", "long b;"), bad, bad]), turn("Changed both.")], "Wider.")
    check("2 edits of b.c could not be placed.\n" in done.err, str(done))
    check("0.0 s" not in done.err, done.err)  # a time of nothing says nothing
    # What is not whole is not written unasked, but can be.
    done = case.run([READ, turn("", [edit("int b;", "long b;"), bad]), turn("Changed both.")], "--yes", "Wider.")
    check(done.returncode == 1 and case.get() == TEXT and "Not written: 1 edit of b.c could not be placed." in done.err, str(done))
    redo = done.err.split("To apply it after all: ")[1].split()
    done = subprocess.run([case.program, *redo[1:]], cwd=case.root, env=case.environment, capture_output=True, timeout=60)
    check(done.returncode == 0 and case.get() == TEXT.replace("int b", "long b"), str(done))


def an_edit_that_misses_nothing_holds_nothing_back(case):
    def editor(**arguments):
        return turn("", [{"name": "str_replace_editor", "arguments": arguments}])

    def new(path, text):
        return editor(command="create", path=path, file_text=text)
    good = [editor(command="view", path="a.c"), editor(command="str_replace", path="a.c", old_str="int b;", new_str="long b;")]
    case.settings(**{"agent.dialect": "openhands"})
    for more in ([new("b.c", TEXT)],  # which it is already
                 [new("b.c", "int n;\n"), new("c.c", "int n;\n")],  # under another name
                 [good[1]]):  # once more
        case.put("a.c", TEXT)
        case.put("b.c", TEXT)
        done = case.run([*good, *more, turn("Done.")], "--yes", "Wider.")
        check(done.returncode == 0 and case.get() == TEXT.replace("int b", "long b"), str(done))
    case.put("a.c", TEXT)
    done = case.run([*good, new("b.c", "int n;\n"), turn("Done.")], "--yes", "Wider.")
    said = "Not written: b.c was not replaced by a new file: it already exists."
    check(done.returncode == 1 and case.get() == TEXT and said in done.err, str(done))


def a_folder_is_trusted_by_a_command(case):
    file = case.home / ".config/bodkin/settings.json"

    def trust(*words):
        return subprocess.run([case.program, "trust", *words], cwd=case.root / "sub", env=case.environment,
                              capture_output=True, text=True, timeout=60)
    tests = [COMMAND, turn("Tested.")]
    done = case.run(tests, "Test it.")
    check("this folder is not trusted; bodkin trust changes that." in done.err, done.err)
    name = json.dumps(str(case.root))
    for before, after in ((None, '{\n  "bodkin.workspace.trusted": [%s]\n}\n' % name), ("{}", '{\n  "bodkin.workspace.trusted": [%s]\n}' % name),
                          ('// mine\n{ "agent.mode": "plan" }\n', '// mine\n{\n  "bodkin.workspace.trusted": [%s], "agent.mode": "plan" }\n' % name),
                          ('{"agent.mode": "plan"}', '{\n  "bodkin.workspace.trusted": [%s],\n  "agent.mode": "plan"}' % name),
                          ('{"workspace.trusted": []}', '{"workspace.trusted": [%s]}' % name),
                          ('{"workspace.trusted": [\n"/src" // all\n]}', '{"workspace.trusted": [%s, \n"/src" // all\n]}' % name)):
        file.unlink() if before is None else file.write_text(before)
        done = trust()
        check(done.returncode == 0 and "is now trusted" in done.stdout and file.read_text() == after, "%s %s" % (done, file.read_text()))
        done = trust(str(case.root / "sub"))
        check(done.returncode == 0 and "is already trusted" in done.stdout and file.read_text() == after, str(done))
    for before in ('{"workspace": {"trusted": ["/src"]}}', "[]", "{", '// {\n{"agent.mode": "plan"}', '{"workspace.trusted": "/src"}'):
        file.write_text(before)
        done = trust()
        check(done.returncode == 1 and "bodkin.workspace.trusted in" in done.stderr and file.read_text() == before, str(done))
    for whole in ("/", str(case.home)):
        done = trust(whole)
        check(done.returncode == 1 and "name a folder in it" in done.stderr, str(done))
    check(trust("/nowhere").returncode == 2, "a folder that is not there")
    file.write_text("{}")
    check("in %s;" % file in trust().stdout, "the file is not named")
    folders = [case.home / ("work%d" % i) for i in range(8)]  # all at once, and none is lost
    for folder in folders:
        folder.mkdir()
    started = [subprocess.Popen([case.program, "trust", str(folder)], env=case.environment, stdout=subprocess.DEVNULL) for folder in folders]
    check([each.wait(60) for each in started] == [0] * 8, "not all of them were trusted")
    listed = json.loads(file.read_text())["bodkin.workspace.trusted"]
    check(sorted(listed) == sorted(map(str, [*folders, case.root])), str(listed))
    # A file that is kept elsewhere stays a link, and its mode.
    kept = case.home / "kept.json"
    kept.write_text('{"verify.servers": {"*": {"command": []}}}')
    kept.chmod(0o640)
    file.unlink()
    file.symlink_to(kept)
    check(trust().returncode == 0 and file.is_symlink() and kept.stat().st_mode & 0o777 == 0o640, "the link")
    done = case.run(tests, "Test it.")
    check("not trusted" not in done.err, done.err)


def in_a_terminal_the_words_stream_and_a_key_applies(case):
    screen = case.terminal(WIDER, "Wider, please.")
    before = screen.until(QUESTION).replace("\r\n  ", " ")  # messages are broken between words
    for wanted in ("I look first.", "- Reading a.c", "\x1b[32m+long b;", "? not checked: no language server for C is set up (only syntax). 3 turns, 3,030 tokens"):
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


def without_a_model_a_pipe_is_told_what_to_do(case):
    for words in ([], ["--json"], ["--yes"]):
        done = subprocess.run([case.program, "ask", *words, "Wider, please."], cwd=case.root, env=case.environment,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
        check(done.returncode == 1 and done.stdout == "" and done.stderr.count("\n") == 1, str(done))
        check(done.stderr.startswith("bodkin ask: No model: set ANTHROPIC_API_KEY, "), done.stderr)
        check("terminal to choose one" in done.stderr and "bodkin apply takes the answer of any chat." in done.stderr, done.stderr)
    shown = subprocess.run([case.program, "check"], cwd=case.root, env=case.environment, capture_output=True, text=True)
    check(shown.returncode == 1 and shown.stdout.startswith("model      No model: "), shown.stdout)
    own = case.home / ".config/bodkin/settings.json"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text(json.dumps({"bodkin.suggest.model": {"provider": "auto", "name": "zeta-2.1"}}))
    predicting = subprocess.run([case.program, "check"], cwd=case.root, env=case.environment, capture_output=True, text=True).stdout
    check("next edits are not predicted: No model: " in " ".join(predicting.split()), predicting)
    check("missing    a model, " in shown.stdout and "\n           export ANTHROPIC_API_KEY=…" in shown.stdout, shown.stdout)


CHOICE = "Number (just Enter: nothing is changed): "


def first_ask(of, *words, **environment):
    return Terminal([of.program, "ask", *words, "What is b?"], of.root, dict(of.environment, **environment), 80)


def settings_of(of):
    file = of.home / ".config/bodkin/settings.json"
    return file.read_text() if file.exists() else None


def a_choice_of_a_model_that_is_given_up_writes_nothing(case):
    for keys, code, said in (("\n", 1, "No model was chosen"), ("\x04", 1, "No model was chosen"), ("\x03", 130, "Cancelled."),
                             ("2\n", 1, "    export ANTHROPIC_API_KEY=…"), ("1\n", 1, "    ollama pull qwen3-coder")):
        before = settings_of(case)
        screen = first_ask(case)
        shown = screen.until(CHOICE)
        check(max(map(len, shown.splitlines())) < 80 and "needs its key in MISTRAL_API_KEY" in shown, shown)
        screen.type(keys)
        text = screen.end()
        check(screen.code == code and said in text, "%r: %d %s" % (keys, screen.code, text))
        check(settings_of(case) == before and case.get() == TEXT, settings_of(case))
    (case.home / ".config/bodkin/settings.json").unlink()
    (case.home / ".config/bodkin").rmdir()
    screen = first_ask(case)
    screen.until(CHOICE)
    screen.type("9\n")
    screen.until("(just Enter: back): ")
    screen.type("\x03")
    screen.end()
    check(screen.code == 130 and not (case.home / ".config/bodkin").exists(), "a folder was made")


class ModelServer:
    """Lists models, and answers each request with these words; keeps the headers of what it was asked."""

    def __init__(self, words, models=("small", "large"), error=None):
        outer = self
        self.headers = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self, kind, body, status=200):
                outer.headers.append(dict(self.headers))
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.end_headers()
                self.wfile.write(body.encode())

            def do_GET(self):
                self.answer("application/json", json.dumps({"data": [{"id": name} for name in models]}))

            def do_POST(self):
                outer.request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if error:
                    return self.answer("text/plain", error, 400)
                self.answer("text/event-stream", 'data: {"choices":[{"delta":{"content":%s},"finish_reason":"stop"}]}\n\n'
                            "data: [DONE]\n\n" % json.dumps(words))

            def log_message(self, *words):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = "127.0.0.1:%d" % self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def a_server_of_the_users_own_is_chosen_and_kept(case):
    server = ModelServer("It is an int.")
    file = case.home / ".config/bodkin/settings.json"
    file.write_text('{  // mine\n  "model.provider": "auto",\n  "verify.servers": {}\n}\n')
    screen = first_ask(case, MINE="key-of-mine-123")
    rows = screen.until(CHOICE)
    screen.type("77\n")
    screen.until("Type a number from 1 to 9.")
    screen.until(CHOICE)
    own = re.search(r"(\d+)  Your own server", rows)[1]
    for typed in ("ftp://host", ""):
        screen.type(own + "\n")
        screen.until("(just Enter: back): ")
        screen.type(typed + "\n")
        answer = screen.until(CHOICE)
        check(("must be an http or https URL" in answer) == (typed != ""), answer)
    for variable, answer in (("sk-no-name", "letters, digits and _ only"), ("NOT_THERE", "There is no such variable")):
        screen.type(own + "\n")
        screen.until("(just Enter: back): ")
        screen.type(server.address + "\n")
        screen.until("it needs none): ")
        screen.type(variable + "\n")
        screen.until(answer)
        screen.until(CHOICE)
    check("mine" in settings_of(case) and server.address not in settings_of(case), settings_of(case))
    screen.type(own + "\n")
    screen.until("(just Enter: back): ")
    screen.type(server.address + "\n")
    screen.until("it needs none): ")
    screen.type("MINE\n")
    shown = screen.until("(just Enter: back): ")
    check("1  small" in shown and "2  large" in shown, shown)
    screen.type("3\n")
    screen.until("There is no number 3.")
    screen.until("(just Enter: back): ")
    screen.type("2\n")
    text = " ".join(screen.end().split())
    check(screen.code == 0 and "It is an int." in text and "openai-compatible, large is saved in " in text, text)
    check(server.request["model"] == "large" and server.headers[-1]["Authorization"] == "Bearer key-of-mine-123", str(server.headers))
    kept = settings_of(case)
    for line in ('{', '// mine', '"model.provider": "openai-compatible"', '"bodkin.model.endpoint": "http://%s/v1"' % server.address,
                 '"bodkin.model.name": "large"', '"bodkin.model.apiKeyEnv": "MINE"', '"verify.servers": {}'):
        check(line in kept, kept)
    check("key-of-mine" not in kept and "key-of-mine" not in text, kept)
    screen = first_ask(case, MINE="key-of-mine-123")  # it is not asked again
    text = screen.end()
    check(screen.code == 0 and "It is an int." in text, text)
    file.write_text('{"model.provider": null}')  # where only a person can write it
    screen = first_ask(case)
    screen.until(CHOICE)
    screen.type(own + "\n")
    screen.until("(just Enter: back): ")
    screen.type(server.address + "\n")
    screen.until("it needs none): ")
    screen.type("\n")
    screen.until("(just Enter: back): ")
    screen.type("tiny\n")
    screen.until("The server does not list tiny.")
    screen.until("(y; just Enter: no) ")
    screen.type("\n")
    screen.until("(just Enter: back): ")
    screen.type("tiny\n")
    screen.until("(y; just Enter: no) ")
    screen.type("y\n")
    text = " ".join(screen.end().split())
    check(screen.code == 1 and 'bodkin.model.name to "tiny" in ' in text and "yourself" in text, text)
    check(settings_of(case) == '{"model.provider": null}', settings_of(case))


def choose_own_server(screen, address):
    screen.type(re.search(r"(\d+)  Your own server", screen.until(CHOICE))[1] + "\n")
    screen.until("(just Enter: back): ")
    screen.type(address + "\n")
    screen.until("it needs none): ")
    screen.type("\n")
    screen.until("(just Enter: back): ")


def a_choice_replaces_all_that_the_settings_say_of_the_model(case):
    server = ModelServer("It is an int.")
    file = case.home / ".config/bodkin/settings.json"
    file.write_text('{"bodkin": {"model": {"provider": "anthropic", "endpoint": "http://old.invalid", "apiKeyEnv": "OLD"}},\n'
                    ' "model.apiKeyCommand": "cat key", "verify.servers": {}}')
    screen = first_ask(case, "--choose", OLD="old-key-123")
    choose_own_server(screen, server.address)
    screen.type("1\n")
    text = " ".join(screen.end().split())
    check(screen.code == 0 and "It is an int." in text and "bodkin ask --choose chooses again." in text, text)
    check(all("Authorization" not in headers for headers in server.headers), str(server.headers))
    kept = json.loads(settings_of(case))
    check(kept["bodkin"]["model"] == {"provider": "openai-compatible", "endpoint": "http://%s/v1" % server.address, "apiKeyEnv": ""}
          and kept["model.apiKeyCommand"] == "" and kept["bodkin.model.name"] == "small", str(kept))


def the_model_in_use_is_shown_and_kept_and_another_of_its_server_chosen(case):
    for provider in ("openai-compatible", "auto"):
        choose_beside_the_model_in_use(case, provider)


def choose_beside_the_model_in_use(of, provider):
    server = ModelServer("It is an int.")
    of.settings(**{"model.provider": provider, "model.endpoint": "http://%s/v1" % server.address,
                     "model.name": "small", "model.apiKeyCommand": "echo key-of-mine-123"})
    before = settings_of(of)
    prompt = "\x1b[?2004h> "
    screen = of.start([of.program])
    screen.until(prompt)
    screen.type("/model\n")
    shown = screen.until(CHOICE)
    check("In use: small (openai-compatible)" in shown and "1  The server in use" in shown, shown)
    screen.type("\n")
    said = screen.until(prompt)
    check("small (openai-compatible) stays in use." in said and "No model" not in said and settings_of(of) == before, said)
    screen.type("/model other\n")
    screen.until(prompt)
    screen.type("/model\n")
    check("In use: other (openai-compatible)" in screen.until(CHOICE), screen.text)
    screen.type("\n")
    check("other (openai-compatible) stays in use." in screen.until(prompt), screen.text)
    screen.type("What is b?\n")
    screen.until("It is an int.")
    screen.until(prompt)
    check(server.request["model"] == "other", server.request["model"])
    screen.type("/model\n")
    screen.until(CHOICE)
    screen.type("1\n")
    check("2  large" in screen.until("(just Enter: back): "), screen.text)
    screen.type("2\n")
    check("openai-compatible, large is saved in" in " ".join(screen.until(prompt).split()), screen.text)
    check(json.loads(settings_of(of)) == dict(json.loads(before), **{"model.name": "large"}), settings_of(of))
    screen.type("What is c?\n")
    screen.until("It is an int.")
    screen.until(prompt)
    check(server.request["model"] == "large" and server.headers[-1]["Authorization"] == "Bearer key-of-mine-123", str(server.headers[-1]))
    screen.type("\x04")
    screen.end()
    screen = first_ask(of, "--choose")
    screen.until(CHOICE)
    screen.type("\n")
    check("stays in use" in screen.until("It is an int."), screen.text)
    screen.end()
    check(screen.code == 0, screen.text)


def a_choice_is_not_written_into_settings_that_changed_meanwhile(case):
    server = ModelServer("It is an int.")
    file = case.home / ".config/bodkin/settings.json"
    for more, is_kept in ({"bodkin": {"model": {"endpoint": "http://other.invalid"}}}, False), ({"agent.mode": "confirm"}, True):
        case.settings()
        screen = first_ask(case)
        choose_own_server(screen, server.address)
        case.settings(**more)
        before = settings_of(case)
        screen.type("1\n")
        text = " ".join(screen.end().split())
        check((screen.code == 0) == is_kept and ("were changed while you chose" in text) != is_kept, text)
        check((settings_of(case) == before) != is_kept and ("agent.mode" in before) == is_kept, settings_of(case))
    check("http://%s/v1" % server.address in file.read_text() and "agent.mode" in file.read_text(), file.read_text())


def a_choice_takes_only_what_was_meant_as_an_answer(case):
    before = settings_of(case)
    screen = first_ask(case)
    screen.type("2\n")  # before there was a question
    own = re.search(r"(\d+)  Your own server", screen.until(CHOICE))[1]
    for keys in ("a\x1b[A", "\x1bOP"):  # an arrow and F1 only begin the line again
        screen.type(keys)
        screen.until(CHOICE)
    screen.type(own + "\n")
    screen.until("(just Enter: back): ")
    os.write(screen.fd, b"local\xffhost\n")
    screen.until("cannot be shown; type it again.")
    screen.until("(just Enter: back): ")
    screen.type("localhost:1\x1b")  # Escape: back
    screen.until(CHOICE)
    screen.type("2\x04\x04")  # the end in the middle of a line
    text = screen.end()
    check(screen.code == 1 and "No model was chosen" in text and "export" not in text and settings_of(case) == before, text)


def a_choice_that_could_not_be_kept_is_not_offered(case):
    for environment, why in (({"HOME": "relative"}, "set HOME"), ({"XDG_CONFIG_HOME": str(case.root / "a.c")}, "Cannot write ")):
        screen = first_ask(case, **environment)
        text = " ".join(screen.end().split())
        check(screen.code == 1 and "No model can be chosen here." in text and why in text and "Number" not in text, text)


def a_model_that_does_not_answer_names_the_way_to_another(case):
    file = case.home / ".config/bodkin/settings.json"
    own = {"bodkin.model.provider": "openai-compatible", "bodkin.model.endpoint": "http://127.0.0.1:9/v1", "bodkin.model.name": "x"}
    file.write_text(json.dumps(own))
    done = subprocess.run([case.program, "ask", "Why?"], cwd=case.root, env=case.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    check(done.returncode == 1 and "is set in %s; bodkin ask --choose chooses another" % file in done.stderr, done.stderr)
    done = subprocess.run([case.program, "check"], cwd=case.root, env=case.environment, capture_output=True, text=True)
    check(done.returncode == 1 and " ".join(done.stdout.split()).count("Cannot connect to http://127.0.0.1:9") == 1, done.stdout)


def a_provider_whose_key_is_set_is_offered_first(case):
    screen = first_ask(case, DEEPSEEK_API_KEY="none-of-theirs", HTTPS_PROXY="http://127.0.0.1:9")
    shown = screen.until(CHOICE)
    check(re.search(r" 1  DeepSeek +DEEPSEEK_API_KEY is set", shown) and "none-of-theirs" not in shown, shown)
    screen.type("1\n")
    screen.until("Name of the model (just Enter: back): ")  # it listed none
    screen.type("\n")
    screen.until(CHOICE)
    screen.type("\n")
    screen.end()
    check(screen.code == 1 and "deepseek" not in settings_of(case), settings_of(case))


def a_provider_of_the_settings_is_chosen_with_its_own_server_and_key(case):
    server = ModelServer("It is an int.")
    case.settings(**{"model.providers": {"deepseek": {"endpoint": "http://%s/v1" % server.address, "apiKeyCommand": "echo key-of-mine-123"}}})
    screen = first_ask(case, DEEPSEEK_API_KEY="none-of-theirs")
    screen.until(CHOICE)
    screen.type("1\n")
    screen.until("(just Enter: back): ")
    screen.type("1\n")
    text = " ".join(screen.end().split())
    check(screen.code == 0 and "It is an int." in text, text)
    check(server.headers[-1]["Authorization"] == "Bearer key-of-mine-123", str(server.headers))
    kept = json.loads(settings_of(case))
    check(kept["bodkin.model.provider"] == "deepseek" and "bodkin.model.endpoint" not in kept, str(kept))


def bodkin_alone_says_what_to_do_where_nobody_can_talk(case):
    screen = Terminal(["sh", "-c", '"$0" | cat', case.program], case.root, case.environment, 80)
    text = screen.end()
    check(len(text.splitlines()) == 5 and max(map(len, text.splitlines())) < 80, text)
    check(all("bodkin " + command in text for command in ("check", "ask ", "apply ", "--help")), text)
    done = subprocess.run([case.program], env=case.environment, input=b"", capture_output=True, timeout=60)
    check(done.stdout == done.stderr == b"", str(done))


def what_is_missing_is_named_with_the_command_that_installs_it(case):
    tools = case.home / "tools"
    tools.mkdir()
    (tools / "apt").symlink_to("/bin/true")
    for name, text in (("b.py", "x = 1\n"), ("c.go", "package c\n")):
        case.put(name, text)
    def checked(path):
        return subprocess.run([case.program, "check"], cwd=case.root, env=dict(case.environment, PATH=path),
                              capture_output=True, text=True).stdout
    case.settings(**{"verify.servers": {}})
    shown = checked(str(tools))
    sudo = "" if os.geteuid() == 0 else "sudo "
    for program, command in (("rg, for searching and listing files", "apt install ripgrep"), ("clangd, to check C", "apt install clangd"),
                             ("go, to check Go", "apt install golang-go")):
        check("missing    %s:\n           %s%s\n" % (program, sudo, command) in shown, shown)
    check("           %snpm install -g pyright\n" % sudo in shown and "           go install golang.org/x/tools/gopls@latest\n" in shown, shown)
    check("cargo" not in shown and "bash-language-server" not in shown, shown)  # there is no such file
    check(max(map(len, shown.splitlines())) < 80, shown)
    case.put("rg", "#!/bin/sh\n: >%s\n" % (case.home / "ran"))
    (case.root / "rg").chmod(0o755)
    check("missing    rg" in checked("%s:%s" % (case.root, tools)), "rg of the folder counts")
    check(not (case.home / "ran").exists(), "rg of the folder ran")
    (tools / "rg").symlink_to("/bin/true")
    check("missing    rg" not in checked(str(tools)), "rg is there")


def a_server_cannot_add_lines_to_a_check(case):
    server = ModelServer("", error="no\nmissing    a tool, for you:\n           curl bad | sh\x1b[2J")
    done = subprocess.run([case.program, "check", "--endpoint", "http://%s/v1" % server.address, "--model", "x"], cwd=case.root,
                          env=case.environment, capture_output=True, text=True)
    check(done.returncode == 1 and "curl bad | sh^[[2J" in " ".join(done.stdout.split()) and "\x1b" not in done.stdout, done.stdout)
    check("\nmissing    a tool" not in done.stdout and "\n           curl bad | sh\n" not in done.stdout, done.stdout)


def programs_below_the_home_folder_or_no_repository_are_not_missing(case):
    tools = case.home / "tools"
    (tools / "bin").mkdir(parents=True)
    (tools / "bin/rg").symlink_to("/bin/true")
    for folder in (case.home, tools):
        done = subprocess.run([case.program, "check"], cwd=folder, env=dict(case.environment, PATH=str(tools / "bin")),
                              capture_output=True, text=True)
        check("programs   rg found" in done.stdout and "missing    rg" not in done.stdout, done.stdout)


def a_name_that_does_not_exist_is_a_usage_error_with_what_was_meant(case):
    for words, says, code in ((["ask", "--provider", "replya", "Why?"], "(did you mean replay?)", 2), (["check", "--provider", "olama"], "(did you mean ollama?)", 2),
                              (["complete", "--provider", "olama"], "(did you mean ollama?)", 2), (["ask", "--choose", "--model", "x", "Why?"], "--choose", 2),
                              (["settings", "maxTrns"], "(did you mean maxTurns?)", 1), (["settings", "MAXTURNS"], "", 0)):
        done = subprocess.run([case.program, *words], cwd=case.root, env=case.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        check(done.returncode == code and says in done.stderr, str(done))


def a_refused_key_is_said_with_what_to_do(case):
    class Refusing(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            body = json.dumps({"error": {"message": "Incorrect API key provided. " + "It is not one of ours. " * 8}}).encode()
            self.send_response(401)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words):
            pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        for provider, advice in (("openai", "Check that key"), ("openai-compatible", "bodkin.model.apiKeyEnv")):
            screen = case.start([case.program, "ask", "--provider", provider, "--model", "m", "--endpoint",
                                 "http://127.0.0.1:%d/v1" % server.server_port, "Why?"], OPENAI_API_KEY="sk-wrong")
            said = " ".join(screen.end().split())
            check("answered with status 401" in said and advice in said and screen.code == 1, said)
    finally:
        server.shutdown()


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


def a_permission_is_asked_for_on_the_terminal(case):
    case.settings(**{"agent.permissions": {"edit": "ask"}})
    screen = case.terminal(WIDER, "Wider, please.")
    before = screen.until("Allow it? [y]es, for this [s]ession or [w]orkspace, [n]o, no, with a [r]eason ")
    check("not trusted" not in before, before)  # no command was wanted
    screen.type("?")
    explained = screen.until(" [r]eason ")
    check(all("\n%s  " % key in explained for key in "yswnr") and "permissions.json" in explained, explained)
    screen.type("why is that?\r")  # w is a key, but a word is no choice
    screen.until("Unknown key")
    screen.until(" [r]eason ")
    screen.type("w")
    screen.until("w: press Enter if you mean it. ")
    screen.type("no")
    screen.until("Unknown key")
    screen.until(" [r]eason ")
    check(not (case.home / ".local/state/bodkin/permissions.json").exists(), "it was stored")
    screen.type("w\r")
    said = screen.until(QUESTION).replace("\r\n  ", " ")
    check("to revoke it, remove it from" in said and "permissions.json" in said, said)
    screen.type("a")
    screen.end()
    check(screen.code == 0 and case.get() == WIDE, case.get())


def what_was_allowed_in_the_workspace_is_not_asked_again(case):
    a_permission_is_asked_for_on_the_terminal(case)
    case.put("a.c", TEXT)
    done = case.run(WIDER, "--yes", "Wider, please.")
    check(done.returncode == 0 and case.get() == WIDE, done.err)


def a_refusal_with_a_reason_is_told_to_the_model(case):
    case.settings(**{"agent.permissions": {"edit": "ask"}})
    told = turn("Then I leave them.", expect=["Reason: ints are fine"])
    screen = case.terminal([READ, turn("", [edit("int b;", "long b;")]), told], "Wider, please.")
    screen.until(" [r]eason ")
    screen.type("r")
    screen.until("Why not? ")
    screen.type("ints are fine\r")
    text = screen.end()
    check("Then I leave them." in text and case.get() == TEXT, text)


def a_question_about_a_command_comes_before_it_and_says_it_once(case):
    case.settings(**{"workspace.trusted": [str(case.root)]})
    command = "echo " + "word " * 30 + "; ls last"
    screen = case.terminal([turn("", [{"name": "run_command", "arguments": {"command": command}}])], "List.")
    asked = without_progress(screen.until(" [r]eason "))
    check("- Running" not in asked and asked.count("; ls last") == 1, asked)
    check(re.search(r"The model wants to run( \(sandbox, no network\))?: ", asked), asked)
    check(max(map(len, asked.splitlines()[:-1])) < 80, asked)
    screen.type("n")
    said = without_progress(screen.end()).replace("\r\n  ", " ")
    check("Permission denied: Running echo word" in said and "ls last" in said and "The user" not in said, said)


def a_plan_says_how_it_is_carried_out(case):
    done = case.run([turn("1. Widen b.")], "--plan", "Wider, please.")
    check("To carry the plan out: bodkin ask --session " in done.err, done.err)


def the_home_folder_is_not_searched(case):
    done = case.run([turn("Fine.")], "--root", str(case.home), "Hello.")
    check(done.returncode == 0 and "This is your home folder, which is not searched" in done.err, done.err)


def a_history_is_not_cleared_without_being_asked(case):
    case.run([turn("Fine.")], "Hello.")
    done = subprocess.run([case.program, "history", "clear"], env=case.environment, capture_output=True, stdin=subprocess.DEVNULL)
    check(done.returncode == 1 and b"--yes removes 1 session" in done.stderr, str(done))
    check(len(json.loads(history(case, "--json", "list"))) == 1, "it was removed")
    done = subprocess.run([case.program, "history", "clear", "--yes"], env=case.environment, capture_output=True, stdin=subprocess.DEVNULL)
    check(done.returncode == 0 and json.loads(history(case, "--json", "list")) == [], str(done))


def calls_are_told_in_words(case):
    case.run(WIDER, "Wider, please.")
    shown = history(case, "show", "last")
    check("  edit a.c  +1 \u22121\n" in shown and "  read_file a.c\n" in shown and "{" not in shown, shown)
    screen = Terminal([case.program, "history"], case.root, case.environment, 60)
    check(max(map(len, screen.end().splitlines())) < 60 or str(case.root) in screen.text, screen.text)


def broken_settings_are_the_only_news_of_a_check(case):
    (case.home / ".config/bodkin/settings.json").write_text('{"bodkin.agent.mode": }')
    done = subprocess.run([case.program, "check"], cwd=case.root, env=case.environment, capture_output=True, text=True)
    check(done.returncode == 1 and done.stdout.count("settings   ") == 1 and "No model" not in done.stdout, done.stdout)


def a_program_that_reads_standard_input_says_so_in_a_terminal(case):
    screen = Terminal([case.program, "complete"], case.root, case.environment, 80)
    screen.until('{"messages": [{"role": "user", "content": "hi"}]}')
    screen.type("\x04")
    screen.end()
    check(screen.code == 1, screen.text)


def a_limit_is_raised_by_a_key(case):
    case.settings(**{"agent.maxTurns": 2})
    screen = case.terminal(WIDER, "Wider, please.")
    before = without_progress(screen.until("Continue for 2 more requests? (2 requests to the model so far) [y]es, [n]o "))
    check(before.count("Stopped after 2 requests") == 1 and before.count("so far") == 1, before)
    screen.type("y")
    screen.until(QUESTION)
    screen.type("a")
    screen.end()
    check(screen.code == 0 and case.get() == WIDE, case.get())
    case.put("a.c", TEXT)
    screen = case.terminal(WIDER, "Wider, please.")
    screen.until("so far) [y]es, [n]o ")
    screen.type("n")
    screen.until(QUESTION)
    screen.type("d")
    screen.end()
    check(case.get() == TEXT, case.get())


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
        check("When it was proposed: ? not checked" in err.replace("\n  ", " "), err)
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


def the_mode_auto_writes_what_no_check_objects_to_and_human_asks_no_model(case):
    done = case.run(WIDER, "--mode", "auto", "Wider, please.")
    check(done.returncode == 0 and case.get() == WIDE, done.err)
    check(case.run(WIDER, "--mode", "wild", "Wider.").returncode == 2, "an unknown mode was taken")
    case.put("a.c", TEXT)
    screen = Terminal([case.program, "ask", "--provider", "openai", "--mode", "human", "By myself."], case.root,
                      case.environment, 80)  # without a key
    screen.until("> ")
    screen.type("\r")
    screen.end()
    check(screen.code == 0 and case.get() == TEXT, screen.text)


def in_the_mode_human_an_edit_has_several_lines_and_a_command_a_mark(case):
    case.settings(**{"workspace.trusted": [str(case.root)]})
    screen = case.terminal([], "--mode", "human", "By myself.")
    screen.until("> ")
    screen.type("touch pasted1\rtouch pasted2\r.\r")  # what was pasted is not run
    screen.until("No edit was found in it.")
    screen.until("> ")
    screen.type("a.c\r<<<<<<< SEARCH\rint b;\r=======\rlong b;\r>>>>>>> REPLACE\r.\r")
    screen.until("+1")
    screen.until("> ")
    screen.type("!grep -c long a.c; echo 'int n;' >n.c\r")
    screen.until("1\r\n")
    screen.until("> ")
    screen.type("\r")
    before = screen.until(QUESTION)
    check("+long b;" in before and "+int n;" in before and "pasted" not in before, before)
    screen.type("a")
    screen.end()
    check(screen.code == 0 and case.get("n.c") == "int n;\n" and not (case.root / "pasted1").exists(), screen.text)


def a_session_is_not_resumed_nor_promised_without_a_history(case):
    folder = case.home / ".local/state/bodkin"
    case.run([turn("It is an int.")], "What is b?")
    database = folder / "history.db"
    for state, why in (("garbage", "file is not a database"), ("newer", "newer version"), ("folder", "")):
        for each in folder.glob("history.db*"):
            each.unlink()
        if state == "garbage":
            database.write_bytes(b"no database " * 1000)
        elif state == "newer":
            with sqlite3.connect(database) as made:
                made.execute("PRAGMA application_id = %d" % 0x626f646b)
                made.execute("PRAGMA user_version = 99")
        else:
            database.mkdir()
        done = case.run([turn("Yes.")], "Are you sure?")
        check(done.returncode == 0 and done.out == "Yes.\n" and done.err.count("History is off") == 1, str(done))
        check(why in done.err and "--session" not in done.err and "Asks still work" in done.err, done.err)
        listed = subprocess.run([case.program, "history"], env=case.environment, capture_output=True, text=True)
        for said in (done.err, listed.stderr):  # what helps against a damaged one, and only that
            check(("; bodkin history clear starts a new one." in said) == (state == "garbage"), said)
        done = case.run(WIDER, "--json", "--yes", "Wider, please.")
        end = json.loads(done.out.splitlines()[-1])
        check(end["session"] is None and end["proposal"] is None and end["undo"] is None and end["written"], str(end))
        case.put("a.c", TEXT)
        done = case.run([turn("Yes.")], "--session", "last", "Are you sure?")
        check(done.returncode == 1 and done.err.count("\n") == 1 and done.err.count("istory is off") == 1, str(done))
        check("No session can be resumed." in done.err and "Asks still work" not in done.err and done.out == "", str(done))
    database.rmdir()
    case.settings(**{"history.retentionDays": 0})
    done = case.run([turn("Yes.")], "Are you sure?")
    check(done.returncode == 0 and "--session" not in done.err and "istory" not in done.err, done.err)


def a_history_on_a_read_only_disk_can_be_listed(case):
    case.run([turn("It is an int.")], "What is b?")
    folder = case.home / ".local/state/bodkin"
    mounted = ["unshare", "-rm", "sh", "-c", 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && shift 0 && exec "$@"', str(folder)]
    if subprocess.run([*mounted, "true"], capture_output=True).returncode:
        return  # this machine has no such mounts
    for words, wanted in ((["history"], "What is b?"), (["history", "show", "last"], "It is an int.")):
        done = subprocess.run([*mounted, case.program, *words], env=case.environment, capture_output=True, text=True, timeout=60)
        check(done.returncode == 0 and wanted in done.stdout, str(done))
    done = subprocess.run([*mounted, *case.command([turn("Yes.")], "Are you sure?")], cwd=case.root, env=case.environment,
                          capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    check(done.returncode == 0 and done.stdout == "Yes.\n" and done.stderr.count("istory is off") == 1, str(done))
    check("--session" not in done.stderr, done.stderr)


def a_session_has_a_title_of_the_small_model(case):
    (case.home / "small.json").write_text(json.dumps({"name": "small", "turns": [turn("“b” and its type", expect=["What is b?"])]}))
    case.settings(**{"model.small": {"provider": "replay", "name": str(case.home / "small.json")}})
    case.run([turn("It is an int.")], "What is b?")
    check("“b” and its type" in history(case), history(case))


def the_diff_of_a_permission_has_colours(case):
    case.settings(**{"agent.permissions": {"edit": "ask"}})
    screen = case.terminal(WIDER, "Wider, please.")
    before = screen.until("a [r]eason ")
    check("\x1b[32m+long b;" in before and without_progress(before).count("Editing a.c") == 1, before)
    screen.type("n")
    screen.end()
    plain = case.terminal(WIDER, "Wider, please.", NO_COLOR="1")
    before = plain.until("a [r]eason ")
    check("+long b;" in before and "\x1b[32m" not in before, before)
    plain.type("n")
    plain.end()


def a_command_is_named_once_before_it_is_allowed(case):
    case.settings(**{"workspace.trusted": [str(case.root)]})
    for terminal in ("xterm", "dumb"):
        screen = case.terminal([turn("", [{"name": "run_command", "arguments": {"command": "ls"}}]), turn("Done.")], "List.", TERM=terminal)
        before = without_progress(screen.until("a [r]eason "))
        named = "- Running ls" if terminal == "dumb" else "The model wants to run (sandbox, no network): ls"
        check(before.count("ls\r\n") == 1 and named in before and "The model wants to run" in before, before)
        screen.type("y")
        text = without_progress(screen.end())
        check("Running ls" not in text, text)


def words_are_not_broken_in_their_middle(case):
    words = "It is a variable with external linkage, declared at file scope, and thereby initialized with zero. " * 3
    screen = case.terminal([turn(words + "\nEnd.")], "What is b?", columns=60)
    text = without_progress(screen.end())
    check(all(len(line.rstrip("\r")) <= 60 for line in text.split("\n")), text)
    check(words.split() == text[text.index("It is"):text.index("End.")].split(), text)


def a_folder_that_is_not_trusted_is_explained_once(case):
    case.settings(**{"verify.command": ["true"]})
    done = case.run(WIDER, "--diff", "Wider, please.")
    said = " ".join(done.err.split())
    check("Commands are off" not in said, done.err)  # nobody could allow one
    check("? not checked: this folder is not trusted" in said and said.count("this folder is not trusted") == 2, done.err)
    case.settings(**{"agent.maxTurns": 2})
    done = case.run(WIDER, "Wider, please.")
    check("Nothing was written, nor would --yes write it: the ask did not finish.\n" in done.err, done.err)
    check("not trusted" not in done.err and done.err.count("Stopped after 2 requests") == 1, done.err)


def a_price_that_is_not_known_is_said(case):
    done = case.run(WIDER, "Wider, please.")
    check("3,030 tokens, price unknown, " in done.err, done.err)


def a_recording_that_cannot_be_written_asks_no_model(case):
    (case.home / "link").symlink_to(case.root / "a.c")
    for place in (case.home / "link", case.home / "none" / "rec.json", case.root / "a.c"):
        done = case.run(WIDER, "--record", str(place), "--diff", "Wider, please.")
        check(done.returncode == 1 and "Cannot write the recording" in done.err and case.get() == TEXT, done.err)
        check(done.out == "", done.out)


def a_key_over_several_strings_is_not_recorded(case):
    key = ["-----BEGIN RSA PRIVATE KEY-----"] + ["MIIEpAIBAAKCAQEAx%dZk9Qb7Yw2Lr4" % n for n in range(20)]
    key += ["-----END RSA PRIVATE KEY-----"]
    calls = [{"name": "grep_search", "arguments": {"query": "x", "lines": key}}]
    recording = case.home / "bug.json"
    case.run([turn("", calls), turn("Done.")], "--record", str(recording), "What is it?")
    check("MIIEpAIB" not in recording.read_text(), "the key is in the recording")


def a_key_of_the_environment_is_not_recorded_whatever_its_form(case):
    case.put("a.c", TEXT + "// in-house-words-7\n")
    recording = case.home / "bug.json"
    case.environment["HOUSE_API_KEY"] = "in-house-words-7"
    done = case.run(WIDER, "--record", str(recording), "--diff", "Wider than in-house-words-7, please.")
    check(done.returncode == 0 and "in-house-words-7" not in recording.read_text() and "long b;" in recording.read_text(), str(done))
    again = subprocess.run([case.program, "replay", str(recording)], cwd="/", env=dict(case.environment, HOUSE_API_KEY=""),
                           capture_output=True, text=True, timeout=60)
    check(again.returncode == 0 and "It went as recorded." in again.stderr, str(again))


def a_recording_is_one_file_without_secrets_that_anybody_plays_again(case):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    case.put("a.c", TEXT + "// %s\n" % secret)
    recording = case.home / "bug.json"
    done = case.run(WIDER, "--record", str(recording), "--diff", "Wider, please; the token is %s." % secret, "a.c:2-3")
    text = recording.read_text()
    check(done.returncode == 0 and secret not in text and "long b;" in text, text)
    played = json.loads(text)
    check(played["ask"]["files"] == ["a.c:2-3"] and len(played["turns"]) == 3, text)
    before = case.get()
    for environment in (case.environment, dict(case.environment, HOME=str(case.home / "other"))):
        again = subprocess.run([case.program, "replay", str(recording)], cwd="/", env=environment, capture_output=True, timeout=60)
        check(again.returncode == 0, again.stderr.decode())
        check("+long b;" in again.stdout.decode() and "+long g;" in again.stdout.decode(), again.stdout.decode())
    check(case.get() == before, "the files were changed")
    for wrong in ("nothing", "[]", '{"turns": []}', '{"ask": {"prompt": "x"}, "files": {"../a": "x"}, "turns": []}'):
        recording.write_text(wrong)
        again = subprocess.run([case.program, "replay", str(recording)], env=case.environment, capture_output=True, timeout=60)
        check(again.returncode == 1 and again.stderr, wrong)


def an_interrupt_at_a_question_leaves_a_whole_recording_and_history(case):
    case.settings(**{"agent.permissions": {"edit": "ask"}})
    recording = case.home / "bug.json"
    screen = case.terminal(WIDER, "--record", str(recording), "Wider, please.")
    screen.until("a [r]eason ")
    screen.type("\x03")
    text = screen.end()
    check(screen.code == 130 and "Cancelled." in text, text)
    check(len(json.loads(recording.read_text())["turns"]) == 2, recording.read_text())
    shown = history(case, "show", "last")
    check("Cancelled." in shown and "still runs" not in shown and "edit a.c  +1" in shown, shown)


def history(of, *words):
    done = subprocess.run([of.program, "history", *words], env=of.environment, capture_output=True, timeout=60)
    check(done.returncode == 0, done.stderr.decode())
    return done.stdout.decode()


def the_history_says_what_came_of_an_ask_that_was_cancelled(case):
    slow = case.terminal([dict(turn("a word " * 2000), chunk_bytes=7, delay_ms=20)], "Explain.")
    slow.until("a word a word")
    slow.type("\x03")
    slow.end()
    shown, exported = history(case, "show", "last"), history(case, "export", json.loads(history(case, "--json", "list"))[0]["id"][:4])
    check("a word a word" in shown and "Cancelled." in shown, shown)
    check("*(The reply was cut off here.)*" in shown and "none of it was used" not in shown + exported, shown)  # which the model is told
    check("; continue with bodkin ask --session" in slow.text.replace("\r\n  ", " "), slow.text)
    check("(1 turn, tokens unknown, price unknown)" in shown, shown)
    check(exported.count("a word") <= shown.count("a word") and exported.count("cut off here") == 1, exported)


def an_interrupt_ends_it_with_130_and_an_orderly_terminal(case):
    screen = case.terminal(WIDER, "Wider, please.")
    screen.until(QUESTION)
    screen.type("\x03")
    text = screen.end()
    check(screen.code == 130 and case.get() == TEXT, text)
    slow = case.terminal([dict(turn("b " * 2000), chunk_bytes=2, delay_ms=20)], "Wider, please.")
    slow.until("b b b")
    slow.type("\x03")
    text = slow.end()
    check(slow.code == 130 and "Cancelled." in text, text)


def an_interrupt_shows_no_beginning_of_an_edit(case):
    reply = "I widen b.\n\n" + block("a.c", "int b;\n", "long b;\n") * 40
    for chunk in (7, 20):  # in its first line, and after it
        screen = case.terminal([dict(turn(reply), chunk_bytes=chunk, delay_ms=600)], "--profile", "blocks", "Wider, please.")
        screen.until("I widen b.")
        screen.type("\x03")
        text = screen.end()
        check(screen.code == 130 and "Cancelled." in text and "a.c" not in text and "<<<" not in text, text)
        shown = history(case, "show", "last")
        check("I widen b.\n\n*(The reply was cut off here.)*" in shown and "<<<" not in shown, shown)


def a_signal_while_it_writes_does_not_leave_half(case):
    names = ["f%02d.c" % i for i in range(20)]
    edits = [edit("int b;", "long b;", name) for name in names]
    reads = [{"name": "read_file", "arguments": {"path": name}} for name in names]
    journals = case.home / ".local/state/bodkin/apply"
    for attempt in range(4):
        for name in names:
            case.put(name, TEXT)
        process = subprocess.Popen(case.command([turn("", reads), turn("", edits), turn("Done.")], "--yes", "Wider."),
                                   cwd=case.root, env=case.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and not any(path.is_file() for path in journals.rglob("*journal*")):
            pass
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT if attempt % 2 else signal.SIGTERM)
        process.wait(60)
        check(len({case.get(name) for name in names}) == 1, "half of the files are changed")


def an_interrupted_run_is_undone_before_the_model_sees_the_files(case):
    """The journal of `bodkin apply`, killed while it writes."""
    names = ["f%02d.c" % i for i in range(20)]
    blocks = "".join("%s\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n" % name for name in names)
    for attempt in range(20):
        for name in names:
            case.put(name, TEXT)
        process = subprocess.Popen([case.program, "apply"], cwd=case.root, env=case.environment, stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        process.stdin.write(blocks.encode())
        process.stdin.close()
        while process.poll() is None and "long" not in case.get(names[0]):
            pass
        process.kill()
        process.wait()
        if len({case.get(name) for name in names}) == 2:
            break
    else:
        return  # it was always faster
    done = case.run([turn("They are ints.")], "What is b?")
    check(done.returncode == 0 and "an earlier run was interrupted" in done.err, str(done))
    check({case.get(name) for name in names} == {TEXT}, "half of the files are changed")


from conversation_tests import *  # noqa: E402,F401,F403
from replay_tests import *  # noqa: E402,F401,F403
from undo_tests import *  # noqa: E402,F401,F403


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    tests = {name: test for name, test in globals().items()
             if callable(test) and getattr(test, "__code__", None) and test.__code__.co_varnames[:1] == ("case",)}

    def attempt(test):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            test(Case(program, pathlib.Path(folder).resolve()))

    run_all(tests, attempt, sys.argv[2:])


if __name__ == "__main__":
    main()
