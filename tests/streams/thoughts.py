#!/usr/bin/env python3
"""Signed thoughts in conversations that go on otherwise than they began: other profile, mode, trust, tools, window or model.

    thoughts.py BODKIN

The servers sign each thought for what stood before it, as Anthropic does ("preserved thinking"), or for their model, as
Gemini does, and refuse a request that has a thought elsewhere. No ask may end in that, and thoughts go back where they
may. The last line is the sum.
"""
import hashlib
import json
import os
import pathlib
import subprocess
import tempfile

from server import KEY, Raw, Tally, head, program

BOUND = ("messages.%d.content.%d: Invalid `signature` in `thinking` block. The block is bound to a different conversation. "
         "Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\".")
READ = {"path": "a.c"}


def sse(*events):
    return head() + b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)


def bad(message):
    return head("400 Bad Request", "application/json") + json.dumps({"type": "error", "error": {
        "type": "invalid_request_error", "message": message}}).encode()


def without_cache(value):
    if isinstance(value, dict):
        return {key: without_cache(part) for key, part in value.items() if key != "cache_control"}
    return [without_cache(part) for part in value] if isinstance(value, list) else value


class Anthropic:
    """Each reply thinks; the first one of an ask calls read_file. `forgets`: it knows no signature of another run."""

    def __init__(self):
        self.refused, self.thoughts, self.forgets = 0, [], 0
        self.server = Raw(self.serve)

    def signature(self, body, messages):
        prefix = without_cache([body["model"], body.get("system"), body.get("tools"), messages, self.forgets])
        return hashlib.sha256(json.dumps(prefix, sort_keys=True).encode()).hexdigest()

    def serve(self, connection, request, body):
        if not request.startswith(b"POST"):
            return connection.sendall(head("404 Not Found"))
        messages, count = body["messages"], 0
        for at, message in enumerate(messages):
            for i, block in enumerate(message["content"]):
                if block["type"] != "thinking":
                    continue
                count += 1
                if set(block) != {"type", "thinking", "signature"} or block["signature"] != self.signature(body, messages[:at]):
                    self.refused += 1
                    return connection.sendall(bad(BOUND % (at, i)))
        self.thoughts.append(count)
        last = messages[-1]["content"]
        calls = not any(block["type"] == "tool_result" for block in last) and body.get("tools")
        events = [{"type": "message_start", "message": {"usage": {"input_tokens": 3, "output_tokens": 1}}},
                  {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}},
                  {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
                  {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": self.signature(body, messages)}},
                  {"type": "content_block_stop", "index": 0}]
        if calls:
            events += [{"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "toolu_%d" % len(messages), "name": "read_file", "input": READ}}]
        else:
            events += [{"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": "ok"}}]
        events += [{"type": "content_block_stop", "index": 1},
                   {"type": "message_delta", "delta": {"stop_reason": "tool_use" if calls else "end_turn"}, "usage": {"output_tokens": 9}},
                   {"type": "message_stop"}]
        connection.sendall(sse(*events))


class Gemini:
    """From 3 on: a call has the signature of its model, or the documented word for none."""

    def __init__(self):
        self.refused, self.signatures = 0, []
        self.server = Raw(self.serve)

    def serve(self, connection, request, body):
        if not request.startswith(b"POST"):
            return connection.sendall(head("404 Not Found"))
        model = request.split(b"models/")[1].split(b":")[0].decode()
        parts = [part for content in body["contents"] for part in content["parts"]]
        self.signatures.append([part.get("thoughtSignature") for part in parts if "functionCall" in part])
        if any(signature not in (model, "skip_thought_signature_validator") for signature in self.signatures[-1]):
            self.refused += 1
            return connection.sendall(bad("Thought signature is not valid."))
        calls = "functionResponse" not in parts[-1]
        part = {"functionCall": {"name": "read_file", "args": READ}, "thoughtSignature": model} if calls else {"text": "ok"}
        connection.sendall(sse({"candidates": [{"content": {"parts": [part]}, "finishReason": "STOP"}]}))


class Person:
    def __init__(self, bodkin, home, provider, endpoint):
        self.bodkin, self.home, self.provider, self.endpoint = bodkin, home, provider, endpoint
        (home / "work").mkdir()
        (home / "work/a.c").write_text("int x;\n" * 2000)
        self.settings()

    def settings(self, **values):
        (self.home / ".config/bodkin").mkdir(parents=True, exist_ok=True)
        (self.home / ".config/bodkin/settings.json").write_text(json.dumps({"verify.servers": {"*": {"command": []}}, **values}))

    def ask(self, *words, model="claude-opus-5-5"):
        environment = {"HOME": str(self.home), "PATH": os.environ["PATH"], "ANTHROPIC_API_KEY": KEY, "GEMINI_API_KEY": KEY}
        done = subprocess.run([self.bodkin, "ask", "--json", "--provider", self.provider, "--endpoint", self.endpoint, "--model", model,
                               *words, "What is x?"], cwd=self.home / "work", env=environment, capture_output=True, text=True, timeout=60)
        end = json.loads(done.stdout.splitlines()[-1])
        return [] if end.get("end") in ("answer", "plan") else [f"{words} ended with {end}"]


AGAIN = ("--session", "last")


def goes_on(server, ask, _):
    """The same conversation keeps its thoughts."""
    return ask() + ask(*AGAIN) + ([] if server.thoughts == [0, 1, 2, 3] else [f"thoughts that went back: {server.thoughts}"])


def plan_then_edit(server, ask, _):
    wrong = ask("--plan") + ask(*AGAIN) + ask(*AGAIN)
    # Of the plan none goes back, of the edits all.
    return wrong + ([] if server.thoughts == [0, 1, 0, 1, 2, 3] else [f"thoughts that went back: {server.thoughts}"])


def profiles(server, ask, _):
    return ask() + ask(*AGAIN, "--profile", "explain") + ask(*AGAIN, "--profile", "blocks") + ask(*AGAIN, "--profile", "tools")


def modes(server, ask, _):
    return sum((ask(*AGAIN, "--mode", mode) for mode in ("auto", "confirm", "plan", "auto")), ask())


def trust(server, ask, person):
    wrong = ask()
    person.settings(**{"workspace.trusted": [str(person.home / "work")], "agent.permissions": {"run": "allow"}})
    return wrong + ask(*AGAIN) + ask(*AGAIN)


def window(server, ask, person):
    wrong = ask() + ask(*AGAIN)
    person.settings(**{"agent.contextWindow": 9000})
    for _ in range(4):
        wrong += ask(*AGAIN)
    return wrong


def model(server, ask, _):
    return ask() + ask(*AGAIN, model="claude-sonnet-5-5") + ask(*AGAIN)


def a_server_that_forgets(server, ask, _):
    """An account or a version of the server that knows no earlier signature: once it refuses, then it goes on."""
    wrong = ask()
    server.forgets += 1
    wrong += ask(*AGAIN)
    return wrong + ([] if server.refused == 1 and server.thoughts == [0, 1, 0, 1] else [f"refused {server.refused}, then {server.thoughts}"])


def gemini(server, ask, _):
    wrong = ask(model="gemini-3.8-flash") + ask(*AGAIN, model="gemini-4-argon")
    skip = "skip_thought_signature_validator"
    wanted = [[], ["gemini-3.8-flash"], [skip], [skip, "gemini-4-argon"]]
    return wrong + ([] if server.signatures == wanted else [f"signatures: {server.signatures}"])


def main():
    bodkin, tally = program(), Tally()
    for test in (goes_on, plan_then_edit, profiles, modes, trust, window, model, a_server_that_forgets, gemini):
        server = Gemini() if test is gemini else Anthropic()
        with tempfile.TemporaryDirectory() as name:
            person = Person(bodkin, pathlib.Path(name).resolve(), "gemini" if test is gemini else "anthropic", server.server.endpoint)
            wrong = test(server, person.ask, person)
        if server.refused and test is not a_server_that_forgets:
            wrong.append(f"refused {server.refused} times")
        tally.add(test.__name__, wrong)
        server.server.close()
    tally.end()


if __name__ == "__main__":
    main()
