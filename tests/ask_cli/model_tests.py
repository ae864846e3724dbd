"""Which model is asked, and how it is chosen."""
import http.server
import json
import os
import re
import subprocess
import threading

from case import Terminal
from cli_support import TEXT, check


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
