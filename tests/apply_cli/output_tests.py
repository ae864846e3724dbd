"""Output, options and help."""
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import tempfile

from case import begun
from cli_support import block, check


def why_a_hunk_is_where_it_is_is_said_when_asked(case):
    case.put("a.txt", "one\ntwo\nthree\nend\n\none\ntwo\nthree\n")
    reply = block("a.txt", "two\nthree\nend\n", "two\n3\nend\n")
    done = case.run(reply, "--dry-run")
    check("line 2" not in done.err, done.err)
    done = case.run(reply, "--dry-run", "--why")
    check(done.returncode == 0 and "Hunk 1 of a.txt, line 2: exact" in done.err, done.err)
    # The price of each line, and what rules the other place out.
    case.put("a.py", "def load(path):\n    log(path)\n\n    return 1\n\n\ndef save(path):\n    log(path)\n    return 1\n")
    told = case.run(block("a.py", "def load(path):\n    log(paths)\n    return 1\n", "def load(path):\n    log(paths)\n    return 2\n"), "--dry-run", "--why").err
    check("line 1: price 4.5 = lines that differ 4.5; there is no other place\n    1   def load(path):\n"
          "    2       log(path)   (4.0, quoted as: log(paths))\n      \u2026 a line here that the quote leaves out\n    4 -     return 1\n"
          "      +     return 2\n" in told, told)
    told = case.run("*** Begin Patch\n*** Update File: a.py\n@@ def save(path):\n     log(path)\n+    check(path)\n*** End Patch\n", "--dry-run", "--why").err
    check("line 8: exact; line 2, where it reads so, too, is not meant: its @@ line names another place" in told, told)
    # Which line of a sketch is which of the file, and what it does not show.
    told = case.run("a.py\n```python\n# ... existing code ...\ndef save(path):\n    log(path)\n    check(path)\n    return 2\n```\n", "--dry-run", "--why").err
    check("Hunk 1 of a.py, sent in part: 8 lines stay, 1 goes, 2 are new\n file   sent\n    1\u20136 stay\n    7 = 2    def save(path):\n"
          "    8 = 3        log(path)\n    9 -          return 1\n      + 4        check(path)\n      + 5        return 2\n" in told, told)
    told = case.run("a.py\n```python\n%s```\n" % case.get("a.py").decode().replace("return 1", "return 3"), "--dry-run", "--why").err
    check("sent as a whole: 7 lines stay, 2 go, 2 are new\n    1\u20133 stay\n    4 -          return 1\n      +          return 3\n" in told, told)
    told = case.run("Create `b.py`:\n\n```\nx = 1\n```\n", "--dry-run", "--why").err
    check("Hunk 1 of b.py, a new file: there is none of this name" in told, told)


def diff_and_dry_run_touch_nothing(case):
    case.put("a.txt", "1\n2\n3\n")
    case.put("b.txt", "1")
    case.put("e.txt", "")
    reply = block("a.txt", "2\n", "two\n") + "*** Begin Patch\n*** Add File: n.txt\n+x\n" \
        "*** Add File: empty.txt\n*** Delete File: e.txt\n" \
        "*** Update File: b.txt\n*** Move to: c.txt\n@@\n-1\n+2\n*** End Patch\n"
    before = case.all()
    done = case.run(reply, "--dry-run")
    check(done.returncode == 0 and done.out == "would change a.txt\nwould create n.txt\n"
          "would create empty.txt\nwould remove e.txt\nwould move b.txt -> c.txt\n", done.out)
    diff = case.run(reply, "--diff")
    check(diff.returncode == 0 and "\x1b" not in diff.out, diff.out)
    check("-2\n+two\n" in diff.out and "--- /dev/null\n+++ b/n.txt\n" in diff.out and
          "rename from b.txt\nrename to c.txt\n" in diff.out, diff.out)
    check(case.all() == before, "files were touched")
    # What is not taken for an edit is said before anything is applied.
    for option in ("--dry-run", "--diff"):
        done = case.run(block("a.txt", "2\n", "two\n") + "\nRun it:\n\n```sh\nsh a.txt\n```\n", option)
        check(done.returncode == 0 and "Shown, not applied: line 10, 1 line." in done.err, done.err)
    # The diff is one that others can apply.
    if shutil.which("git"):
        done = subprocess.run(["git", "apply", "-"], input=diff.stdout, cwd=case.root,
                              stderr=subprocess.PIPE,
                              env=dict(os.environ, GIT_CEILING_DIRECTORIES="/"))
        check(done.returncode == 0, done.stderr.decode())
        by_git = case.all()
        shutil.rmtree(case.root)
        for name, text in before.items():
            case.put(name, text)
        case.applied(reply)
        check(case.all() == by_git, "git apply makes something else of the diff")


def colours_come_on_a_terminal_only(case):
    case.put("a.txt", "1\n")
    reply = case.path("reply")
    with open(reply, "w") as out:
        out.write(block("a.txt", "1\n", "2\n"))

    def on_terminal(**environment):
        parent, child = pty.openpty()
        env = dict(os.environ, TERM="xterm")
        env.pop("NO_COLOR", None)
        env.update(environment)
        subprocess.run([case.program, "apply", "--root", case.root, "--diff", reply], stdout=child,
                       env=env, check=True)
        os.close(child)
        out = b""
        try:
            while chunk := os.read(parent, 65536):
                out += chunk
        except OSError:
            pass
        os.close(parent)
        return out
    check(b"\x1b[32m+2\x1b[0m" in on_terminal(), "no colour on a terminal")
    check(b"\x1b" not in on_terminal(NO_COLOR="1"), "NO_COLOR is not respected")
    check(b"\x1b[32m" in on_terminal(NO_COLOR=""), "an empty NO_COLOR counts as set")
    check(b"\x1b" not in on_terminal(TERM="dumb"), "a dumb terminal got colours")


def an_exact_edit_that_breaks_the_syntax_says_so_on_a_terminal(case):
    case.put("a.py", "x = 1\n")
    case.put("b.py", "y = 1\n")
    reply = case.path("reply")
    with open(reply, "w") as out:
        out.write(block("a.py", "x = 1\n", "x = (1\n") + block("b.py", "y = 1\n", "y = 2\n"))
    for option in ("--dry-run", "--diff", None):
        parent, child = pty.openpty()
        done = subprocess.run([case.program, "apply", "--root", case.root, *filter(None, [option]), reply],
                              stdout=subprocess.PIPE, stderr=child, check=True)
        os.close(child)
        said = b""
        try:
            while chunk := os.read(parent, 65536):
                said += chunk
        except OSError:
            pass
        os.close(parent)
        check(b"caution: a.py has a new syntax error at line 1.\r\n" in said and b"b.py" not in said, str((done, said)))


def what_makes_a_file_binary_is_refused_and_what_lost_a_character_is_told(case):
    case.put("a.txt", "1\n2\n")
    case.refused(block("a.txt", "2\n", "t\0wo\n"), says="its new text has a NUL byte, which would make a.txt a binary file")
    done = case.run(block("a.txt", "2\n", "t\ufffdwo\n"))
    check(done.returncode == 0 and "caution: a.txt has 1 new U+FFFD" in " ".join(done.err.split()), done.err)
    done = case.run(block("a.txt", "1\n", "\ufffdone\n"), "--json", "--dry-run")
    check("1 new U+FFFD" in json.loads(done.out)["files"][0]["caution"], done.out)


def json_says_everything(case):
    case.put("a.txt", "1\n2\n")
    done = case.run(block("a.txt", "2\n", "two\n"), "--json", "--diff")
    result = json.loads(done.out)
    check(result["ok"] and not result["written"] and result["error"] is None, done.out)
    check(result["files"] == [{"path": "a.txt", "state": "changed",
                               "diff": "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n 1\n-2\n+two\n"}],
          done.out)
    check(result["hunks"] == [{"path": "a.txt", "state": "applied", "line": 2, "quality": "exact"}],
          done.out)
    result = json.loads(case.run(block("a.txt", "2\n", "two\n"), "--json").out)
    check(result["written"], "not written")
    done = case.run(block("a.txt", "nowhere\n", "x\n"), "--json")
    result = json.loads(done.out)
    check(done.returncode == 1 and not result["ok"] and result["error"]["kind"] == "not_found"
          and not result["written"], done.out)


def jsonl_answers_every_line(case):
    good = {"id": 1, "format": "auto", "files": {"a": "1\n"}, "edit": block("a", "1\n", "2\n")}
    lines = [json.dumps(good), "", "{", json.dumps({"id": "x"}), json.dumps({"id": [2], "format": "no",
             "files": {}, "edit": ""}), "[]", "17",
             json.dumps({"id": 3, "files": {"a": 5}, "edit": "x"}),
             json.dumps(dict(good, id=4, files={"a": "1\n", "b": None}))]
    done = case.run("\n".join(lines) + "\n", "--jsonl")
    results = [json.loads(line) for line in done.out.splitlines()]
    check(done.returncode == 0, "exit %d" % done.returncode)
    check([r["id"] for r in results] == [1, None, "x", [2], None, None, 3, 4], done.out)
    check([r["ok"] for r in results] == [True] + [False] * 6 + [True], done.out)
    check(results[0]["files"] == {"a": "2\n"}, done.out)
    check(all(r["error"]["kind"] == "malformed" for r in results[1:7]), done.out)


def jsonl_results_come_as_soon_as_they_are_ready(case):
    process = subprocess.Popen([case.program, "apply", "--jsonl"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)
    for number in range(3):
        line = json.dumps({"id": number, "files": {"a": "1\n"}, "edit": block("a", "1\n", "2\n")})
        process.stdin.write(line.encode() + b"\n")
        process.stdin.flush()
        check(json.loads(process.stdout.readline())["id"] == number, "out of order")
    process.stdin.close()
    check(process.wait(20) == 0, "exit")
    process.stdout.close()


def a_reply_comes_from_a_file_or_the_clipboard(case):
    case.put("a.txt", "1\n2\n")
    case.put("reply.md", block("a.txt", "1\n", "one\n"))
    check(case.run("", case.path("reply.md")).returncode == 0, "the file was not read")
    check(case.get("a.txt") == b"one\n2\n", "not applied")
    programs = tempfile.mkdtemp()  # in the folder itself it would be a stranger's program
    with open(os.path.join(programs, "wl-paste"), "w") as out:
        out.write("#!/bin/sh\ncat '%s'\n" % case.path("copied"))
    os.chmod(out.name, 0o755)
    case.put("copied", block("a.txt", "2\n", "two\n"))
    env = dict(os.environ, WAYLAND_DISPLAY="w",
               PATH=programs + ":" + os.environ["PATH"])
    env.pop("DISPLAY", None)
    check(case.run("", "--clipboard", env=env).returncode == 0, "the clipboard was not read")
    check(case.get("a.txt") == b"one\ntwo\n", "not applied")
    shutil.rmtree(programs)
    case.put("programs/wl-paste", "#!/bin/sh\ncat '%s'\n" % case.path("copied"), 0o755)
    case.refused("", "--clipboard", env=dict(env, PATH=case.path("programs") + ":/bin"), code=2,
                 says="clipboard cannot be read")
    case.refused("", case.path("missing"), code=2, says="cannot be read")


def a_slip_of_the_fingers_is_named_with_what_was_meant(case):
    for words, says in (("aply", '"aply" (did you mean apply?); '), ("verfiy", "(did you mean verify?)"),
                        ("apply --jsn", "(did you mean --json?)"), ("apply --dryrun=1", "(did you mean --dry-run?)"),
                        ("do", '"do"; '), ("help aply", "(did you mean apply?)"), ("something", '"something"; '), ("apply --nonsense", "--nonsense; ")):
        done = subprocess.run([case.program, *words.split()], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        check(done.returncode == 2 and says in done.stderr, str(done))


def help_and_version_are_commands_too(case):
    for words, option in (("help", "--help"), ("version", "--version"), ("help apply", "apply --help")):
        done, as_option = (subprocess.run([case.program, *each.split()], capture_output=True, text=True) for each in (words, option))
        check(done.returncode == 0 and done.stdout == as_option.stdout and not done.stderr, str(done))


def what_is_wrong_with_the_command_line_is_2(case):
    for arguments in [["--format", "nonsense"], ["--nonsense"], ["--root"]]:
        done = case.run("", *arguments)
        check(done.returncode == 2, "%r: exit %d" % (arguments, done.returncode))
    done = case.run("", "--root", case.path("missing"), root=False)
    check(done.returncode == 2 and "not a folder" in done.err, done.err)


def help_has_examples_and_exit_codes(case):
    done = case.run("", "--help")
    check(done.returncode == 0 and "EXIT STATUS" in done.out and "EXAMPLES" in done.out, done.out)
    check(done.out.startswith("Apply a model's reply to files\n"), done.out)
    for command in ("acp", "apply", "ask", "check", "complete", "completion", "context", "history", "manual", "mcp",
                    "replay", "settings", "verify"):
        shown = subprocess.run([case.program, command, "--help"], capture_output=True, text=True).stdout
        heading, rest = shown.split("\n", 1)
        check(rest.startswith("Usage: "), "the heading is folded: " + shown[:200])
        page = subprocess.run([case.program, "manual", command], capture_output=True, text=True).stdout
        for text in (shown, page):
            check("EXAMPLES\n" in text and not re.search(r"\b(fI)?(TEXT|INT)\b|:{", text), text)
        check(max(map(len, (heading + rest.split("\n", 1)[1]).splitlines())) <= 80, "a line is too long: " + shown)
        for lines in re.findall(r"^\.nf\n(.*?)^\.fi$", page, re.M | re.S):  # man shows these as they are, 7 columns to the right
            widest = max(re.sub(r"\\&", "", re.sub(r"\\(\(..|[e-])", "-", lines)).splitlines(), key=len)
            check(len(widest) <= 73, "a line of the manual is too long: " + widest)


def the_readmes_first_example_works(case):
    readme = (pathlib.Path(__file__).parents[2] / "README.md").read_text()
    reply = readme.split("`reply.md`:\n\n")[1].split("\n`bodkin apply --diff")[0]
    reply = "".join(line[4:] if line.strip() else line for line in reply.splitlines(keepends=True))
    case.put("shapes.py", "def area(r):\n    return 3.14 * r * r\n")
    done = case.run(reply)
    check(done.returncode == 0 and "changed shapes.py" in done.out, str(done))
    check(case.get("shapes.py") == b"import math\n\n\ndef area(r):\n    return math.pi * r * r\n", case.get("shapes.py"))
    again = case.run(reply)
    check(again.returncode == 0 and "already in place" in again.out, str(again))


def a_signal_does_not_leave_half(case):
    """Ctrl-C during the change: the change is finished first, or has not begun."""
    names = ["f%02d.txt" % i for i in range(60)]
    came_in_between = 0
    for attempt in range(6):
        process = begun(case, names)
        while process.poll() is None and not case.journals():
            pass
        wanted = signal.SIGINT if attempt % 2 else signal.SIGTERM
        process.send_signal(wanted)
        is_between = bool(case.journals())
        process.wait(60)
        came_in_between += is_between
        check(process.returncode == -wanted or not is_between, "the signal is lost: exit %d" % process.returncode)
        check(len({case.get(n) for n in names}) == 1, "half of the files are changed")
        check(sorted(case.all()) == names, "something is left: %r" % sorted(case.all()))
    check(came_in_between, "no signal came during the change")


def what_a_person_reads_of_a_refusal_does_not_speak_of_their_edit(case):
    case.put("a.txt", "1\n2\n1\n")
    for reply in (block("a.txt", "7\n", "8\n"), block("a.txt", "1\n", "8\n"),
                  block("a.txt", "1\n2\n", "8\n") + block("a.txt", "2\n", "9\n"), block("a.txt", "2\n", "x\n") + block("a.txt", "7\n", "y\n")):
        said = case.refused(reply).err.split("Send this back to the model")[0]
        check(said.startswith("bodkin apply: ") and "your edit" not in said and "hunk" not in said, said)
