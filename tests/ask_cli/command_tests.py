"""Commands and edits that are refused, and the trust that they need."""
import ctypes
import json
import os
import pathlib
import re
import subprocess
import time

from case import COMMAND, QUESTION, text_of
from cli_support import READ, TEXT, WIDE, WIDER, check, edit, turn


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
