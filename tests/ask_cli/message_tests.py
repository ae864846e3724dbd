"""What `bodkin ask` says, to a script and in a terminal."""
import http.server
import subprocess
import threading

from case import Terminal, without_progress
from cli_support import READ, TEXT, WIDER, block, check, turn


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
        said = said.replace("checking…\r\x1b[K", "").replace("\r", "")
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
    check("? only the syntax was checked: this folder is not trusted" in said and said.count("this folder is not trusted") == 2, done.err)
    case.settings(**{"agent.maxTurns": 2})
    done = case.run(WIDER, "Wider, please.")
    check("Nothing was written, nor would --yes write it: the ask did not finish.\n" in done.err, done.err)
    check("not trusted" not in done.err and done.err.count("Stopped after 2 requests") == 1, done.err)


def a_price_that_is_not_known_is_said(case):
    done = case.run(WIDER, "Wider, please.")
    check("3,030 tokens, price unknown, " in done.err, done.err)
