#!/usr/bin/env python3
"""A key belongs to its host: two servers and one key, and who gets it. And: where code goes is said before it goes, and
which models a provider's server lists.

    hosts.py BODKIN
"""
import json
import pathlib
import subprocess
import tempfile

from server import KEY, REQUEST, TEXT, Editor, Failure, Raw, Tally, environment, head, program


def answering(dialect="openai-responses"):
    return Raw(lambda c, *_: c.sendall(head() + b"".join(TEXT[dialect])))


def keys_at(server):
    return sum(KEY.encode() in request for request, _ in server.requests)


class Session:
    """An editor with these settings and variables; do() runs steps in it and collects all messages."""

    def __init__(self, bodkin, settings, **env):
        self.folder = tempfile.TemporaryDirectory()
        self.editor = Editor(bodkin, self.folder.name, environment=environment(XDG_STATE_HOME=self.folder.name, **env))
        self.editor.request("initialize", {
            "processId": None, "rootUri": pathlib.Path(self.folder.name).as_uri(),
            "capabilities": {"experimental": {"bodkin": {"proposals": True}}}, "initializationOptions": settings})
        self.editor.notify("initialized", {})
        self.messages = []

    def command(self, name, argument):
        return self.editor.request("workspace/executeCommand", {"command": name, "arguments": [argument]})

    def ask(self):
        self.editor.send({"jsonrpc": "2.0", "id": 99, "method": "workspace/executeCommand",
                          "params": {"command": "bodkin.ask", "arguments": [{"prompt": "Say ok"}]}})
        while True:
            message = self.editor.next(60)
            if message is None:
                raise Failure("the server ended")
            self.messages.append(message)
            if message.get("method") == "bodkin/didEndAsk":
                return message["params"]

    def end(self):
        self.editor.kill()
        self.folder.cleanup()


def chosen_later(bodkin):
    """An endpoint of one provider is left, and another provider is chosen."""
    first, second = answering("openai-chat"), answering()
    wrong = []
    session = Session(bodkin, {"model": {"provider": "openai-chat", "name": "m", "endpoint": first.endpoint}},
                      OPENAI_API_KEY=KEY, OPENAI_BASE_URL=second.endpoint + "/v1")
    session.command("bodkin.selectModel", {"provider": "openai", "name": "m"})
    session.ask()
    session.end()
    if first.requests:
        wrong.append("the old endpoint was asked")
    if keys_at(second) != 1:
        wrong.append("the key did not go where its own variable says")
    first.close(), second.close()
    return wrong


def by_itself(bodkin, settings, gets):
    """OpenAI's key and an endpoint that nobody said is OpenAI's."""
    server = answering("openai-chat")
    settings = {"model": {**settings, "endpoint": server.endpoint}}
    session = Session(bodkin, settings, OPENAI_API_KEY=KEY)
    session.ask()
    session.end()
    server.close()
    posts = [r for r, _ in server.requests if r.startswith(b"POST")]
    return ([] if posts else ["the server was not asked"]) + \
        ([] if bool(keys_at(server)) == gets else ["the key was sent" if keys_at(server) else "the key was not sent"])


def of_providers(bodkin):
    """model.providers: each has its own endpoint and key, also when it is chosen later."""
    first, second = answering("openai-chat"), answering()
    session = Session(bodkin, {"model": {
        "provider": "openai-chat", "name": "m", "endpoint": first.endpoint, "apiKeyEnv": "FIRST",
        "providers": {"openai": {"endpoint": second.endpoint, "apiKeyEnv": "SECOND"}}}},
        FIRST=KEY + "-1", SECOND=KEY + "-2")
    session.ask()
    session.command("bodkin.selectModel", {"provider": "openai", "name": "m"})
    session.ask()
    session.end()
    wrong = []
    for server, own, other in ((first, b"-1", b"-2"), (second, b"-2", b"-1")):
        heads = b"".join(request for request, _ in server.requests)
        wrong += [] if KEY.encode() + own in heads else [f"the key {own} did not go to its server"]
        wrong += [f"the key {other} went to the other server"] if KEY.encode() + other in heads else []
        server.close()
    return wrong


def command_of_settings(bodkin):
    """A command for a key without a provider is not run for the one that `auto` finds."""
    server = answering()
    session = Session(bodkin, {"model": {"apiKeyCommand": f"printf %s {KEY}", "name": "m"}},
                      OPENAI_API_KEY="another-key-0123", OPENAI_BASE_URL=server.endpoint + "/v1")
    session.ask()
    session.end()
    server.close()
    return (["the key went to what auto had found"] if keys_at(server) else []) + \
        ([] if server.requests else ["nobody was asked"])


def is_told(bodkin):
    """`auto` names the real host before anything is sent, in the status and by the command."""
    server = answering()
    session = Session(bodkin, {"model": {"name": "m"}}, OPENAI_API_KEY=KEY, OPENAI_BASE_URL=server.endpoint + "/v1")
    status = session.command("bodkin.status", {})["result"]
    wrong = [] if status["host"] == server.endpoint and status["model"] == "m" else [f"bodkin.status: {status}"]
    wrong += ["it asked already"] if server.requests else []
    end = session.ask()
    told = [m["params"] for m in session.messages if m.get("method") == "$/bodkin/status" and m["params"]["state"] == "thinking"]
    wrong += [] if any(server.endpoint in s["message"] for s in told) else [f"the progress does not name the host: {told} {end}"]
    wrong += [] if all(s["host"] == server.endpoint for s in told[-1:]) else [f"the status names another host: {told}"]
    session.end()
    done = subprocess.run([bodkin, "check"], capture_output=True, text=True, timeout=60,
                          env=environment(OPENAI_API_KEY=KEY, OPENAI_BASE_URL=server.endpoint + "/v1"))
    wrong += [] if f"at {server.endpoint}" in done.stdout else [f"check: {done.stdout}"]
    server.close()
    return wrong


def lists_models(bodkin, tally):
    """bodkin.listModels asks the provider's own server, with the key that belongs there, in its own words."""
    openai = {"data": [{"id": "m2"}, {"id": "m1"}, {"id": ""}, {"id": "x" * 201}, 3]}
    named = {"models": [{"name": "models/m2", "supportedGenerationMethods": ["generateContent"]},
                        {"name": "models/m1"}, {"name": "models/no", "supportedGenerationMethods": ["embedContent"]}]}
    for provider, variable, base, path, header, listed in (
            ("openai", "OPENAI", "/v1", "/v1/models", "authorization: Bearer ", openai),
            ("anthropic", "ANTHROPIC", "", "/v1/models?limit=1000", "x-api-key: ", openai),
            ("gemini", "GEMINI", "", "/v1/models?pageSize=1000", "x-goog-api-key: ", named),
            ("mistral", "MISTRAL", "/v1", "/v1/models", "authorization: Bearer ", openai)):
        server = Raw(lambda c, *_: c.sendall(head("200 OK", "application/json") + json.dumps(listed).encode()))
        session = Session(bodkin, {"model": {"provider": provider, "endpoint": server.endpoint + base}}, **{variable + "_API_KEY": KEY})
        answer = session.command("bodkin.listModels", {"provider": provider})
        session.end()
        request = server.requests[0][0].decode() if server.requests else ""
        wrong = [] if answer.get("result", {}).get("models") == ["m2", "m1"] else [str(answer)]
        asked = request.startswith(f"GET {path} ") and (header + KEY).lower() in request.lower()
        wrong += [] if asked else [request]
        tally.add(f"models-of/{provider}", wrong)
        server.close()
    other = Raw(lambda c, *_: c.sendall(head("200 OK", "application/json") + json.dumps(openai).encode()))
    session = Session(bodkin, {"model": {"provider": "openai-compatible", "endpoint": "https://models.invalid", "apiKeyEnv": "MINE"}}, MINE=KEY)
    answer = session.command("bodkin.listModels", {"provider": "openai-compatible", "endpoint": other.endpoint})
    wrong = [] if answer.get("result", {}).get("models") == ["m2", "m1"] else [str(answer)]
    wrong += ["the key of another server was sent"] if keys_at(other) else []
    tally.add("models-of/another-server", wrong)
    other.close()
    silent = Raw(lambda c, *_: c.sendall(head("401 No", "application/json") + b"{}"))
    answers = [session.command("bodkin.listModels", {"provider": "openai-compatible", "endpoint": silent.endpoint}),
               session.command("bodkin.listModels", {"provider": "anthropic"}),
               session.command("bodkin.listModels", {"provider": "editor"})]
    said = [answer.get("error", {}).get("message", "") for answer in answers]
    expected = ["wants an API key.", "ANTHROPIC_API_KEY", "no server that lists"]
    tally.add("models-of/nobody", [f"{a} is not in: {b}" for a, b in zip(expected, said) if a not in b])
    silent.close()
    session.end()


def complete(bodkin, endpoint, config=None, provider="openai", **env):
    with tempfile.TemporaryDirectory() as folder:
        settings = pathlib.Path(folder) / "bodkin" / "settings.json"
        settings.parent.mkdir()
        settings.write_text(json.dumps(config or {}))
        done = subprocess.run([bodkin, "complete", "--provider", provider, *(["--endpoint", endpoint] if endpoint else []),
                               "--idle-limit", "5"], input=json.dumps(REQUEST), capture_output=True, text=True, timeout=60,
                              env=environment(XDG_CONFIG_HOME=folder, OPENAI_API_KEY=KEY, **env))
    return json.loads(done.stdout).get("error") or {}


def addresses(bodkin, tally):
    for endpoint in ("http://models.invalid", "http://127.0.0.1.evil.invalid", "http://localhost.evil.invalid:80/v1",
                     "http://LOCALHOST.invalid/", "http://[2001:db8::1]/"):
        error = complete(bodkin, endpoint)
        tally.add(f"plain-http/{endpoint}", [] if "unencrypted" in error.get("message", "") else [str(error)])
    error = complete(bodkin, "http://models.invalid", {"bodkin.model.insecureHosts": ["models.invalid"]})
    tally.add("plain-http/allowed", [] if "unencrypted" not in error.get("message", "") else [str(error)])
    error = complete(bodkin, "models.invalid")
    tally.add("no-scheme-is-https", [] if "https://models.invalid" in error.get("message", "") else [str(error)])
    for endpoint in ("http://localhost@evil.invalid", "https://me:secret@models.invalid", "http://127.0.0.1:1@evil.invalid/"):
        error = complete(bodkin, endpoint)
        tally.add(f"login/{endpoint}", [] if error.get("class") == "no_model" or error.get("kind") == "no_model" else [str(error)])
    for form in ("http://127.0.0.1:{}", "http://localhost:{}", "127.0.0.1:{}", "localhost:{}", "http://LocalHost:{}",
                 "http://2130706433:{}", "http://0.0.0.0:{}"):
        server = answering()
        complete(bodkin, form.format(server.port))
        tally.add(f"this-machine/{form}", [] if keys_at(server) == 1 else ["it was not asked with the key"])
        server.close()


def facts_of(bodkin):
    """What a server on this machine says of the model is not asked again by the next ask."""
    listed = json.dumps({"data": [{"id": "m", "max_model_len": 32768}]}).encode()

    def serve(connection, request, _):
        models = request.startswith(b"GET /v1/models")
        connection.sendall(head() + (listed if models else b"".join(TEXT["openai-chat"])))
    server = Raw(serve)
    session = Session(bodkin, {"model": {"provider": "vllm", "name": "m", "endpoint": server.endpoint + "/v1"}})
    ends = [session.ask()["end"] for _ in range(2)]
    session.end()
    server.close()
    asked = [request.split()[1].decode() for request, _ in server.requests]
    expected = ["/v1/models", "/v1/chat/completions", "/v1/chat/completions"]
    return ([] if ends == ["answer", "answer"] else [f"ends: {ends}"]) + ([] if asked == expected else [f"asked: {asked}"])


def main():
    bodkin, tally = program(), Tally()
    for name, test in (("chosen-later", chosen_later), ("of-providers", of_providers), ("is-told", is_told),
                       ("command-without-provider", command_of_settings),
                       ("facts-of-a-model", facts_of)):
        tally.add(name, test(bodkin))
    tally.add("endpoint-alone", by_itself(bodkin, {"name": "m"}, False))
    tally.add("like-openai", by_itself(bodkin, {"name": "m", "provider": "openai-compatible"}, False))
    tally.add("named-with-its-endpoint", by_itself(bodkin, {"name": "m", "provider": "openai-chat"}, True))
    tally.add("named-variable", by_itself(bodkin, {"name": "m", "provider": "openai-compatible", "apiKeyEnv": "OPENAI_API_KEY"}, True))
    addresses(bodkin, tally)
    lists_models(bodkin, tally)
    tally.end()


if __name__ == "__main__":
    main()
