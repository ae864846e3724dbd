"""Long conversations with a model server whose context window is small. The server counts tokens by itself, and refuses
what does not fit. Each test is a function of the program's path."""
import json
import os
import subprocess
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from abuse import check, ends_well
from asks import Asker

WINDOW = 16_384
BIG = "".join("int value_%d = %d; /* the same again and again */\n" % (n, n) for n in range(300))


class Small(ThreadingHTTPServer):
    """An OpenAI-compatible server. `reply(number, body)` gives the text or the call of the nth ordinary request."""
    daemon_threads = True

    def __init__(self, reply, window=WINDOW, bytes_per_token=3):
        super().__init__(("127.0.0.1", 0), Handler)
        self.reply, self.window, self.bytes_per_token, self.listed = reply, window, bytes_per_token, None
        self.ordinary, self.plain, self.refused, self.wrong = [], [], [], []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def endpoint(self):
        return "http://127.0.0.1:%d/v1" % self.server_address[1]


def tokens_of(body, bytes_per_token):
    texts = [json.dumps(body.get("tools", []))]
    for message in body["messages"]:
        texts += [json.dumps(message.get("content") or ""), json.dumps(message.get("tool_calls") or "")]
    return sum(len(text) for text in texts) // bytes_per_token


def order_of(messages):
    """What a provider would refuse: a result without its call, a call without its result."""
    open_calls, wrong = [], []
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                wrong.append("a result without its call")
            else:
                open_calls.remove(message["tool_call_id"])
        elif open_calls:
            wrong.append("a call without its result")
        open_calls += [call["id"] for call in message.get("tool_calls") or []]
    return wrong + (["a call without its result"] if open_calls else [])


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path == "/v1/models" and self.server.listed:
            return self.answer(200, json.dumps(self.server.listed).encode())
        self.answer(404, b"{}")

    def do_POST(self):
        server = self.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        tokens = tokens_of(body, server.bytes_per_token)
        if tokens + 500 > server.window:
            server.refused.append(tokens)
            return self.answer(400, json.dumps({"error": {
                "message": "This model's maximum context length is %d tokens. Your messages resulted in %d tokens."
                           % (server.window, tokens), "code": "context_length_exceeded"}}).encode())
        server.wrong += order_of(body["messages"])
        usage = {"prompt_tokens": tokens, "completion_tokens": 20}
        if not body.get("stream"):
            server.plain.append(body)
            return self.answer(200, json.dumps({"choices": [{"index": 0, "finish_reason": "stop", "message": {
                "role": "assistant", "content": "SUMMARY %d: the secret word is walrus." % len(server.plain)}}], "usage": usage}).encode())
        server.ordinary.append(body)
        said = server.reply(len(server.ordinary), body)
        if isinstance(said, str):
            delta, end = {"content": said}, "stop"
        else:
            delta = {"tool_calls": [{"index": 0, "id": "call_%d" % len(server.ordinary), "type": "function", "function": {
                "name": said[0], "arguments": json.dumps(said[1])}}]}
            end = "tool_calls"
        chunks = [{"choices": [{"index": 0, "delta": delta}]}, {"choices": [{"index": 0, "delta": {}, "finish_reason": end}]},
                  {"choices": [], "usage": usage}]
        text = "".join("data: %s\n\n" % json.dumps(chunk) for chunk in chunks) + "data: [DONE]\n\n"
        self.answer(200, text.encode(), "text/event-stream")

    def answer(self, status, body, kind="application/json"):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def asker(program, server, **settings):
    settings = dict({"model.provider": "openai-compatible", "model.endpoint": server.endpoint, "model.name": "m",
                     "agent.profile": "tools", "agent.maxTurns": 0}, **{key.replace("_", "."): value for key, value in settings.items()})
    return Asker(program, [], settings, files={"big%d.c" % n: BIG for n in range(10)})


def asked(program, server, prompt, *places, window=0):
    """The end of an ask on the command line, where the notes are."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(3):
            with open("%s/big%d.c" % (folder, number), "w") as file:
                file.write(BIG)
        with open(folder + "/AGENTS.md", "w") as file:
            file.write("Keep to the rules of this project.\n" * 800)
        os.mkdir(folder + "/bodkin")
        with open(folder + "/bodkin/settings.json", "w") as file:
            json.dump({"bodkin.agent.contextWindow": window}, file)
        done = subprocess.run([program, "ask", "--json", "--root", folder, "--provider", "openai-compatible", "--endpoint", server.endpoint,
                               "--model", "m", prompt, *places], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                              env=dict(os.environ, XDG_CONFIG_HOME=folder), cwd=folder)
    check(done.stdout, done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def a_session_of_300_turns_stays_inside_a_window_of_16k(program):
    # Each ask reads four files of 15 kB and answers: 60 asks of 5 turns.
    def reply(number, body):
        return "Answer %d." % number if number % 5 == 0 else ("read_file", {"path": "big%d.c" % (number % 10)})
    server = Small(reply)
    editor = asker(program, server, agent_contextWindow=WINDOW)
    session = editor.ask("Question 0: remember the word walrus.")["sessionId"]
    for number in range(1, 60):
        editor.end("answer", count=number)
        editor.ask("Question %d: what next?" % number, sessionId=session)
    editor.end("answer", count=60)
    check(len(server.ordinary) == 300, "%d requests" % len(server.ordinary))
    check(not server.refused, "%d requests were too long" % len(server.refused))
    check(not server.wrong, str(server.wrong[:3]))
    check(server.plain, "nothing was summarized")
    for body in server.plain:
        check(not body.get("stream") and not body.get("tools"), "a summary is a plain request without tools")
    for number, body in enumerate(server.ordinary):
        users = [m for m in body["messages"] if m["role"] == "user"]
        check("Question %d:" % (number // 5) in json.dumps(users), "turn %d has lost its request" % (number + 1))
    summary = [m for m in server.ordinary[-1]["messages"] if m["role"] == "user"][0]
    check("walrus" in json.dumps(summary) and "Summary of the conversation" in json.dumps(summary), json.dumps(summary)[:300])
    server.shutdown()
    ends_well(editor)


def one_ask_of_many_turns_keeps_its_request_and_ends(program):
    def reply(number, body):
        return "Done." if number == 60 else ("read_file", {"path": "big%d.c" % (number % 10)})
    server = Small(reply)
    editor = asker(program, server, agent_contextWindow=WINDOW)
    editor.ask("Find the odd one among the values.")
    editor.end("answer")
    check(not server.refused and not server.wrong, "%s %s" % (server.refused[:3], server.wrong[:3]))
    for body in server.ordinary:
        check("Find the odd one among the values." in json.dumps(body["messages"]), "the request was forgotten")
    server.shutdown()
    ends_well(editor)


def a_window_that_is_not_known_is_learned_from_one_refusal(program):
    def reply(number, body):
        return "Done." if number == 8 else ("read_file", {"path": "big%d.c" % number})
    server = Small(reply)
    editor = asker(program, server)
    editor.ask("Read them all.")
    editor.end("answer")
    check(len(server.refused) >= 1, "nothing was refused")
    check(not server.wrong, str(server.wrong[:3]))
    server.shutdown()
    ends_well(editor)


def what_cannot_be_shortened_fails_once_and_names_the_window(program):
    server = Small(lambda number, body: "Never.", window=1000)
    editor = asker(program, server, agent_contextWindow=1000)
    editor.ask("Hello.")
    end = editor.end("failed")
    check("1000 tokens" in end["message"] and "context window" in end["message"], end["message"])
    check(len(server.refused) <= 2, "it was sent %d times" % len(server.refused))
    server.shutdown()
    ends_well(editor)


def the_first_request_fits_and_what_is_shown_of_files_gives_way(program):
    """A file, a selection, mentions and guidance that are each too long; in the window of the setting and of the server."""
    def serving(window):
        server = Small(lambda number, body: "Fine.", window=window)
        server.listed = {"data": [{"id": "m", "max_model_len": window}]}
        return server
    for window in (8_192, 16_384, 4_096):  # in the last, the tools are not even described
        for by_setting in (True, False):
            server = serving(window)
            if by_setting:
                server.listed = None
            end = asked(program, server, "Explain @big1.c and @big2.c, the WHOLE of it.", "big0.c:1-250", window=window if by_setting else 0)
            check(end["end"] == "answer" and not server.refused and len(server.ordinary) == 1, "%d: %s %s" % (window, server.refused, end))
            sent = json.dumps(server.ordinary[0]["messages"])
            check("the WHOLE of it" in sent and "value_1 = 1" in sent and "rules of this project" in sent, sent[:2000])
            check(bool(server.ordinary[0].get("tools")) == (window > 6_000), "tools in a window of %d" % window)
            check(any("only a part of" in each and "big0.c" in each and "%d tokens" % window in each for each in end["notes"]), str(end["notes"]))
            server.shutdown()


def what_the_user_typed_is_never_cut(program):
    server = Small(lambda number, body: "Never.", window=8_192)
    editor = asker(program, server, agent_contextWindow=8_192)
    editor.ask("Why? " + "ERROR in step 17 of the build\n" * 2_000)
    end = editor.end("failed")
    check("8192 tokens" in end["message"] and not server.refused and not server.ordinary, end["message"])
    server.shutdown()
    ends_well(editor)


def a_server_that_counts_far_less_than_it_was_sent_is_told(program):
    server = Small(lambda number, body: "Fine.", window=10**9, bytes_per_token=10)
    end = asked(program, server, "Explain @big1.c and @big2.c.", "big0.c")
    check(any("it seems to cut prompts" in each for each in end["notes"]), str(end))
    server.shutdown()


def tests():
    return [(name.replace("_", " "), test) for name, test in globals().items()
            if callable(test) and getattr(test, "__module__", "") == __name__
            and name not in ("tests", "tokens_of", "order_of", "asker", "asked", "Small", "Handler")]
