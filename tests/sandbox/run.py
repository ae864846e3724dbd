#!/usr/bin/env python3
"""Edits that attack the machine when verify.command runs them, through the real server.

    python3 tests/sandbox/run.py BODKIN

Runs as whoever starts it, and, as root, a second time as an ordinary user. The attacks one by one
are in tests/agent/sandbox/linux/sandbox.cpp; here is what only the whole program shows."""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "transcripts"))
from run import Failure, Server  # noqa: E402

USER = 12321  # an ordinary one, who need not be in /etc/passwd

# What the model plants. Its last line is what the user is told of the failed check.
ATTACK = """import glob, os, socket, subprocess, sys
found = []
for place in ("~/.ssh/id_rsa", "~/.netrc", "/proc/1/environ", "/proc/%d/environ" % os.getppid(), ".env",
              "~/other/.env", "~/backup/.ssh/id", "~/notes/passwords.txt", "../../beside/.env",
              *glob.glob("/proc/*/root" + os.path.expanduser("~/.netrc"))):
    try:
        if "SECRET" in open(os.path.expanduser(place)).read(): found.append(place)
    except OSError: pass
if "SECRET" in str(os.environ): found.append("environment")
try: open(os.path.expanduser("~/.bashrc"), "a").write("evil")
except OSError: pass
for folder in ("..", "/tmp", "/var/tmp", "/dev/shm"):
    try: open(folder + "/MARK", "w").write("x")
    except OSError: pass
try: socket.create_connection(("127.0.0.1", PORT), 3); found.append("network")
except OSError: pass
subprocess.Popen(["setsid", "sleep", "SECONDS"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try: socket.socket(socket.AF_VSOCK); found.append("the machine's host")
except OSError: pass
for folder, _, files in os.walk(os.path.expanduser("~")):
    for file in files:
        try:
            if "SECRET" in open(os.path.join(folder, file), errors="replace").read(99999) and file not in ("check.py", "replay.json"): found.append(file)
        except OSError: pass
print("found:", found)
sys.exit(7)
"""


class Editor(Server):
    """A client of a user who is `prefix` (a command that becomes them)."""

    def __init__(self, program, prefix, plant, settings, uid, temporary=None):
        self.top = os.path.realpath(tempfile.mkdtemp(dir="/var/tmp"))
        self.folder = self.top + "/home/work"
        self.temporary = temporary or self.top + "/tmp"
        os.makedirs(self.folder)
        os.makedirs(self.temporary, exist_ok=True)
        self.put("home/.ssh/id_rsa", "SECRET")
        for place in (".netrc", "other/.env", "backup/.ssh/id", "notes/passwords.txt", "../beside/.env"):
            self.put("home/" + place, "SECRET")
        self.put("home/.bashrc", "mine")
        self.put("home/work/.env", "SECRET")
        self.put("home/work/check.py", "")
        edit = "check.py\n<<<<<<< SEARCH\n=======\n%s\n>>>>>>> REPLACE\n" % plant
        self.put("home/work/replay.json", json.dumps({"name": "test", "turns": [
            {"reply": {"text": edit, "stop_reason": "end_turn"}}]}))
        for path, folders, files in os.walk(self.top):
            for name in [path] + [os.path.join(path, each) for each in files]:
                os.chown(name, uid, uid)
        os.environ["GITHUB_TOKEN"], os.environ["TMPDIR"] = "SECRET", self.temporary
        try:
            words = [*prefix, "env", "HOME=" + self.top + "/home", program]
            super().__init__(words[0], self.folder, words[1:])
        finally:
            del os.environ["GITHUB_TOKEN"], os.environ["TMPDIR"]
        own = {"version": 1, "proposals": True, "permit": True}
        answer = self.request("initialize", {
            "processId": None, "rootUri": "file://" + self.folder,
            "initializationOptions": {"bodkin": dict({
                "workspaceTrusted": True, "model.provider": "replay", "model.name": "replay.json",
                "agent.profile": "blocks", "agent.maxRepairs": 0,
                "verify.showAfterMs": 600000, "verify.command": ["python3", "check.py"]}, **settings)},
            "capabilities": {"experimental": {"bodkin": own}}})
        check("result" in answer, "initialize failed: " + str(answer))
        self.notify("initialized", {})
        self.asked = []

    def put(self, path, text):
        path = os.path.join(self.top, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as out:
            out.write(text)

    def text(self, path):
        with open(os.path.join(self.top, path)) as file:
            return file.read()

    def ask(self):
        self.send({"jsonrpc": "2.0", "id": "ask", "method": "workspace/executeCommand", "params": {
            "command": "bodkin.ask", "arguments": [{"prompt": "Go on."}]}})

    def proposal(self, choice="reject"):
        """Of an ask; questions of the server are answered with `choice`."""
        self.ask()
        while True:
            message = self.next(90)
            if message is None:
                raise Failure("the server ended: " + "".join(self.errors))
            if message.get("method") == "bodkin/permit":
                self.asked.append(message["params"])
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": {"choice": choice}})
            elif message.get("method") == "bodkin/proposal":
                return message["params"]
            elif message.get("method") == "bodkin/didEndAsk":
                raise Failure("no proposal: " + str(message["params"]))
            elif "method" in message and "id" in message:
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": None})

    def close(self):
        self.kill()
        shutil.rmtree(self.top, ignore_errors=True)


def check(condition, sentence):
    if not condition:
        raise Failure(sentence)


def runs(word):
    for process in os.listdir("/proc"):
        try:
            with open("/proc/%s/cmdline" % process, errors="replace") as file:
                if word in file.read():
                    return True
        except OSError:
            pass
    return False


def gone_soon(word):
    limit = time.monotonic() + 20
    while runs(word):
        check(time.monotonic() < limit, "a program was left behind")
        time.sleep(0.01)


NUMBER = [600000 + os.getpid()]


def fresh_number():
    NUMBER[0] += 1
    return str(NUMBER[0])


def a_planted_script_finds_nothing_changes_nothing_and_leaves_nothing(program, prefix, uid):
    seconds = fresh_number()
    with socket.create_server(("127.0.0.1", 0)) as outside:
        plant = ATTACK.replace("PORT", str(outside.getsockname()[1])).replace("SECONDS", seconds)
        mark = "bodkin-mark-" + seconds
        editor = Editor(program, prefix, plant.replace("MARK", mark), {}, uid)
        try:
            notes = editor.proposal().get("notes", [])
            check(any("exit code 7, in a sandbox): found: []" in note for note in notes), str(notes))
            check(editor.text("home/.bashrc") == "mine", "it wrote at home")
            check(editor.text("home/work/check.py") == "", "the disk was changed")
            for folder in (editor.top + "/home", "/tmp", "/var/tmp", "/dev/shm"):
                check(not os.path.exists(folder + "/" + mark), "a file was left in " + folder)
            check(not os.listdir(editor.temporary), "something was left in the temporary folder")
            outside.settimeout(0)
            try:
                outside.accept()
                raise Failure("it reached the network")
            except BlockingIOError:
                pass
            gone_soon(seconds)
        finally:
            editor.close()


def what_passes_says_that_it_ran_in_a_sandbox(program, prefix, uid):
    editor = Editor(program, prefix, "print(1)", {}, uid)
    try:
        verification = editor.proposal()["verification"]
        check(verification["by"] == "python3 check.py in a sandbox", str(verification))
    finally:
        editor.close()


def a_time_out_is_told_as_one(program, prefix, uid):
    editor = Editor(program, prefix, "import time\ntime.sleep(600)", {"verify.commandTimeoutMs": 300}, uid)
    try:
        notes = editor.proposal().get("notes", [])
        check("only the syntax was checked: python3 check.py did not finish within 0.3 s" in notes, str(notes))
    finally:
        editor.close()


def a_network_that_the_person_allows_is_there(program, prefix, uid):
    with socket.create_server(("127.0.0.1", 0)) as outside:
        plant = "import socket\nsocket.create_connection(('127.0.0.1', %d), 5)" % outside.getsockname()[1]
        editor = Editor(program, prefix, plant, {"sandbox.network": "on"}, uid)
        try:
            verification = editor.proposal()["verification"]
            check(verification["state"] == "clean", str(verification))
        finally:
            editor.close()


def killed(program, prefix, uid, confined):
    seconds = fresh_number()
    plant = ("import subprocess\nsubprocess.Popen(['setsid', 'sleep', '%s'])\n"
             "subprocess.run(['sleep', '%s'])" % (seconds, seconds))
    editor = Editor(program, prefix, plant, {}, uid)
    try:
        editor.ask()
        limit = time.monotonic() + 60
        while not runs(seconds):
            if not editor.messages.empty():
                message = editor.messages.get()
                if message and message.get("method") == "bodkin/permit":
                    editor.send({"jsonrpc": "2.0", "id": message["id"], "result": {"choice": "once"}})
            check(time.monotonic() < limit, "the command was not started")
            time.sleep(0.01)
        editor.process.send_signal(signal.SIGKILL)
        gone_soon(seconds)
        if not confined:  # the copy lies in the temporary folder: the next start removes it
            Editor(program, prefix, plant, {}, uid, editor.temporary).close()
        limit = time.monotonic() + 20
        while os.listdir(editor.temporary):
            check(time.monotonic() < limit, "left behind: " + str(os.listdir(editor.temporary)))
            time.sleep(0.01)
    finally:
        editor.close()


def a_kill_in_the_middle_leaves_no_process_and_no_file(program, prefix, uid):
    killed(program, prefix, uid, True)


# Without user namespaces (and so without bwrap) and without rights there is no sandbox.
def unable(prefix):
    return [*prefix, "unshare", "--user", "--map-current-user", "--keep-caps", "sh", "-c",
            "echo 0 >/proc/sys/user/max_user_namespaces && "
            "exec setpriv --inh-caps=-all --ambient-caps=-all --bounding-set=-all \"$@\"", "sh"]


def without_a_sandbox_the_person_is_asked_and_a_no_is_kept(program, prefix, uid):
    editor = Editor(program, unable(prefix), "open('../ran', 'w')", {}, uid)
    try:
        notes = editor.proposal("reject").get("notes", [])
        check(notes == ["only the syntax was checked: no sandbox is available on this machine, and python3 check.py was not "
                        "allowed to run without one"], str(notes))
        check(len(editor.asked) == 1 and editor.asked[0]["tool"] == "run", str(editor.asked))
        check("without a sandbox" in editor.asked[0]["title"], str(editor.asked))
        check(not os.path.exists(editor.top + "/home/ran"), "it ran")
    finally:
        editor.close()


def without_a_sandbox_a_yes_runs_it_on_a_copy_and_says_so(program, prefix, uid):
    editor = Editor(program, unable(prefix), "open('new', 'w')", {}, uid)
    try:
        verification = editor.proposal("always")["verification"]
        check(verification["by"] == "python3 check.py not confined", str(verification))
        check(len(editor.asked) == 1, str(editor.asked))
        check(not os.path.exists(editor.folder + "/new"), "it wrote in the folder")
        check(not os.listdir(editor.temporary), "the copy was left")
    finally:
        editor.close()


def without_a_sandbox_what_a_kill_leaves_is_removed_at_the_next_start(program, prefix, uid):
    killed(program, unable(prefix), uid, False)


TESTS = [value for value in list(globals().values())
         if callable(value) and getattr(value, "__code__", None)
         and value.__code__.co_varnames[:3] == ("program", "prefix", "uid") and value is not killed]


def works(words):
    done = subprocess.run([*words, "true"], capture_output=True, text=True)
    return "" if done.returncode == 0 else (done.stderr.strip() or "exit code %d" % done.returncode)


def main():
    passed = failed = skipped = 0
    folder = tempfile.mkdtemp(dir="/var/tmp")  # where everybody may run it
    os.chmod(folder, 0o755)
    program = shutil.copy(os.path.realpath(sys.argv[1]), folder + "/bodkin")
    os.chmod(program, 0o755)
    people = [("", [], os.geteuid())]
    if os.geteuid() == 0:
        people.append((" (as an ordinary user)",
                       ["setpriv", "--reuid=%d" % USER, "--regid=%d" % USER, "--clear-groups"], USER))
    for who, prefix, uid in people:
        has_namespaces = works([*prefix, "unshare", "--user", "--map-current-user", "--mount", "--net"])
        for test in TESTS:
            name = test.__name__.replace("_", " ") + who
            if has_namespaces:
                print("skip: %s: namespaces are not allowed here: %s" % (name, has_namespaces))
                skipped += 1
                continue
            try:
                test(program, prefix, uid)
                passed += 1
            except Exception as error:
                failed += 1
                print("FAILED: " + name)
                print(error if isinstance(error, Failure) else traceback.format_exc())
    shutil.rmtree(folder)
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    sys.exit(1 if failed else 0)


main()
