"""What is missing or wrong, as `bodkin check` and the first ask say it."""
import http.server
import json
import os
import subprocess
import threading

from case import Terminal
from cli_support import block, check, turn
from model_tests import ModelServer


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


def what_may_be_newer_syntax_is_said_with_its_line(case):
    tools = case.home / "tools"
    tools.mkdir()
    (tools / "python3").write_text("#!/bin/sh\ngrep -q = && exit\necho 'text:2: invalid syntax, or newer than Python 3.11' >&2\nexit 1\n")
    (tools / "python3").chmod(0o755)
    case.put("b.py", "x = 1\ny = 2\n")
    case.settings(**{"verify.servers": {}})
    case.environment["PATH"] = "%s:/usr/bin:/bin" % tools
    reply = block("b.py", "x = 1\ny = 2\n", "x 1\n2 y\n")
    done = case.run([turn(reply)], "--yes", "Change it.", "b.py")
    said = "? not checked: python3 does not accept line 2 of b.py: invalid syntax, or newer than Python 3.11; Python is checked by pyright, which is not installed"
    check(said in " ".join(done.err.split()), done.err)
    case.put("b.py", "x = 1\ny = 2\n")
    done = subprocess.run([case.program, "verify", "--root", case.root], input=reply.encode(), env=case.environment, capture_output=True, timeout=60)
    check(done.returncode == 2 and said in done.stdout.decode() and "b.py:2: warning: invalid syntax" in done.stdout.decode(), str(done))


def a_check_fits_on_a_screen(case):
    case.put("b.py", "x = 1\n")
    screen = Terminal([case.program, "check"], case.root, case.environment, 80)
    lines = screen.end().splitlines()
    check(len(lines) < 24 and max(map(len, lines)) < 80, "\n".join(lines))
    check(sum("npm install" in line for line in lines) <= 1, "\n".join(lines))


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
        check("programs   Found: rg" in done.stdout and "missing    rg" not in done.stdout, done.stdout)


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
