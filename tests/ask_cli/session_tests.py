"""Sessions and the history of `bodkin ask`."""
import json
import os
import pathlib
import select
import shutil
import sqlite3
import subprocess

from case import history
from cli_support import READ, TEXT, WIDE, WIDER, check, edit, turn


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


def what_has_become_private_is_not_sent_again(case):
    done = case.run([READ, turn("It has ints.")], "--json", "What is in it?")
    session = json.loads(done.out.split("\n")[-2])["session"]
    (case.root / ".bodkinignore").write_text("a.c\n")
    done = case.run([turn("I said so.")], "--session", session, "And b?")
    check(done.returncode != 0 and "I said so" not in done.out, done.out + done.err)
    check("a.c, which the model has read in this session, is private now" in done.err and "begin a new session" in done.err, done.err)
    done = case.run([turn("A new one.")], "And b?")
    check(done.returncode == 0 and done.out == "A new one.\n", done.out + done.err)
    (case.root / ".bodkinignore").unlink()
    done = case.run([turn("I said so.")], "--session", session, "And b?")
    check(done.returncode == 0 and done.out == "I said so.\n", done.out + done.err)


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
