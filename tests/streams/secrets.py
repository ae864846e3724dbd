#!/usr/bin/env python3
"""Plants secrets in a folder and looks for them in all that is sent to a model: files with such names, and tokens and
keys in files with innocent names, by every way in which a text is shown.

    secrets.py BODKIN
"""
import json
import pathlib
import random
import shutil
import string
import subprocess
import tempfile

from server import TEXT, Editor, Failure, Raw, Tally, environment, head, program

WORD = string.ascii_letters + string.digits
DICE = random.Random(7)


def word(size, letters=WORD):
    return "".join(DICE.choice(letters) for _ in range(size))


# Of these the names say it; what is in them looks like nothing.
NAMES = (
    ".env", ".env~", ".env.bak", ".ENV.local", "env.production", "prod.env", ".git/config", ".git/HEAD", "sub/.git", "lib.git/config",
    "AuthKey.p8", "store.pkcs12", "server.key", "server.key.bak", "#server.key#", "id_ed25519", "id_rsa.old", "prod.tfvars",
    "prod.auto.tfvars.json", "x.tfstate", ".npmrc", ".yarnrc.yml", "pip.conf", ".pypirc", ".vault-token", ".bash_history",
    ".zsh_history", ".python_history", ".psql_history", "auth.json", "gh/hosts.yml", ".kube/config", ".docker/config.json",
    ".aws/credentials", ".config/gcloud/adc.json", "credentials.tfrc.json", ".s3cfg", "rclone.conf", ".my.cnf", ".pgpass",
    ".netrc", ".git-credentials", "wg0.conf", "client.ovpn", "secrets.yaml", "my-service-account.json", ".htpasswd", "wp-config.php")


def forms():
    """Innocent files with something in them that is to be recognised: name -> (text, what must not leave)."""
    body = [word(64, WORD + "+/") for _ in range(6)]
    token, gitlab, aws = "gh" + "p_" + word(36), "gl" + "pat-" + word(20), word(40)
    stripe, password, jwt = "sk" + "_live_" + word(24), word(14), ".".join(("ey" + "J" + word(20), "ey" + "J" + word(40), word(43)))
    hook, bot, plain = word(40), "1234567890:A" + word(34), "hunter" + word(3)
    signature = word(20) + "4a" + word(21) + "%3D"
    return {
        "config.py": (f"# TODO the token\nTOKEN = '{token}'\nPORT = 1\n", [token]),
        "deploy.txt": ("-----BEGIN OPENSSH PRIVATE KEY-----\n" + "\n".join(body) + "\n-----END OPENSSH PRIVATE KEY-----\n", body),
        "ci.yml": (f"variables:\n  T: {gitlab}\n", [gitlab]),
        "settings.ini": (f"aws_secret_access_key = {aws}\nkey = {stripe}\n", [aws, stripe]),
        "db.py": (f"URL = 'postgres://app:{password}@db/x'\n", [password]),
        "http.txt": (f"Authorization: Bearer {jwt}\n", [jwt]),
        "hook.sh": (f"curl https://hooks.slack.com/services/T{hook[:8]}/B{hook[8:16]}/{hook[16:]}\n", [hook[16:]]),
        "bot.rb": (f"BOT = '{bot}'\n", [bot]),
        "app.config": (f'<add connectionString="Server=db;User Id=app;Password={plain};" />\n', [plain]),
        "login.txt": (f"machine example.com login me password {plain}\n", [plain]),
        "blob.txt": (f"https://x.blob.core.windows.net/c?sv=2022-11-02&sp=r&sig={signature}\n", [signature]),
        "split.py": (f"TOKEN = ('{token[:20]}'\n         '{token[20:]}')\n", [token[:20], token[20:]]),
        "AGENTS.md": (f"Use the token {token}.\n", [token]),
    }


class Model:
    """A server that reads one file after the other, searches and lists, and then answers."""

    def __init__(self, calls):
        self.calls, self.bodies = calls, []
        self.server = Raw(self.serve)

    def serve(self, connection, request, body):
        if not request.startswith(b"POST"):
            return connection.sendall(head("404 Not Found"))
        self.bodies.append(body)
        if len(self.bodies) > 1:
            return connection.sendall(head() + b"".join(TEXT["openai-chat"]))
        calls = [{"index": i, "id": f"call_{i}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
                 for i, (name, arguments) in enumerate(self.calls)]
        events = ({"choices": [{"index": 0, "delta": {"tool_calls": calls}}]}, {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
        connection.sendall(head() + b"".join(b"data: " + json.dumps(e).encode() + b"\n\n" for e in events))


def session(bodkin, folder, model, request):
    editor = Editor(bodkin, str(folder), environment=environment(XDG_STATE_HOME=str(folder / "state")))
    said = []
    try:
        editor.request("initialize", {
            "processId": None, "rootUri": folder.as_uri(), "capabilities": {"experimental": {"bodkin": {"proposals": True}}},
            "initializationOptions": {"model": {"provider": "openai-chat", "name": "m", "endpoint": model.server.endpoint}}})
        editor.notify("initialized", {})
        path = folder / "config.py"
        editor.notify("textDocument/didOpen", {"textDocument": {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": path.read_text()}})
        if request is None:
            answer = editor.request("workspace/executeCommand", {"command": "bodkin.copyPrompt", "arguments": [
                {"textDocument": {"uri": path.as_uri()}, "prompt": "Look"}]})
            return json.dumps(answer), said
        editor.send({"jsonrpc": "2.0", "id": 99, "method": "workspace/executeCommand", "params": {"command": "bodkin.ask", "arguments": [request]}})
        while True:
            message = editor.next(60)
            if message is None:
                raise Failure("the server ended")
            said.append(message)
            if message.get("method") == "bodkin/didEndAsk":
                return json.dumps(model.bodies), said
    finally:
        editor.kill()
        model.server.close()


def found(text, secrets):
    return [f"it was sent: {secret[:12]}…" for secret in secrets if secret in text]


def main():
    bodkin, tally = program(), Tally()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve() / "work"
        planted = {}
        for path in NAMES:
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            planted[path] = "planted-" + word(12)
            file.write_text(f"x = {planted[path]}\n")
        innocent = forms()
        for path, (text, _) in innocent.items():
            (folder / path).write_text(text)
        contents = [secret for _, secrets in innocent.values() for secret in secrets]
        everything = list(planted.values()) + contents
        uri = (folder / "config.py").as_uri()
        where = {"textDocument": {"uri": uri}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 3, "character": 0}}, "profile": "tools"}

        reads = [("read_file", {"path": path}) for path in (*NAMES, *innocent)]
        reads += [("read_file", {"path": "deploy.txt", "start_line": 3}), ("list_dir", {"path": ""}), ("outline", {"path": ""})]
        if shutil.which("rg"):
            reads += [("grep_search", {"query": "planted"}), ("grep_search", {"query": "[A-Za-z0-9+/]{20}"}), ("grep_search", {"query": "."})]
        else:
            tally.skip("grep", "rg is not there")
        model = Model(reads)
        sent, said = session(bodkin, folder, model, {**where, "prompt": "Look at " + " ".join("@" + path for path in (*NAMES, *innocent))})
        tally.add("all-ways", found(sent, everything) + ([] if "PORT = 1" in sent and "removed by bodkin" in sent else ["nothing was shown"]) +
                  ([] if len(model.bodies) == 2 else [f"{len(model.bodies)} requests: {said[-1]}"]))
        told = [m["params"]["message"] for m in said if m.get("method") == "window/showMessage"]
        tally.add("the-user-is-told", [] if any("in AGENTS.md" in t and "not sent" in t for t in told) else [f"{told}"])

        model = Model([])
        sent, said = session(bodkin, folder, model, {**where, "prompt": "Use " + contents[0]})
        tally.add("what-was-typed", found(sent, everything) + ([] if "removed by bodkin" in sent else [f"{said[-1]}"]))
        model = Model([])
        attached = [(folder / path).as_uri() for path in (*NAMES, *innocent)]
        sent, said = session(bodkin, folder, model, {**where, "prompt": "Look", "attachments": attached})
        tally.add("attachments", found(sent, everything) + ([] if "removed by bodkin" in sent else [f"{said[-1]}"]))
        sent, _ = session(bodkin, folder, Model([]), None)
        tally.add("copied-prompt", found(sent, everything) + ([] if "removed by bodkin" in sent else [sent[:300]]))

        done = subprocess.run([bodkin, "context", "--root", str(folder), str(folder / "config.py") + ":1"], capture_output=True, text=True,
                              env=environment(XDG_CACHE_HOME=name), timeout=60)
        tally.add("context", found(done.stdout, everything) + ([] if "PORT" in done.stdout else [done.stderr]))

        server = Raw(lambda c, *_: c.sendall(head() + b"".join(TEXT["openai-chat"])))
        request = {"messages": [{"role": "user", "content": contents[0] + "\n" + innocent["deploy.txt"][0]}]}
        done = subprocess.run([bodkin, "complete", "--provider", "openai-chat", "--endpoint", server.endpoint, "--model", "m"],
                              input=json.dumps(request), capture_output=True, text=True, env=environment(), timeout=60)
        tally.add("complete", found(json.dumps([b for _, b in server.requests]), everything) +
                  ([] if "not sent" in done.stderr else [f"nobody is told: {done.stderr}"]))
        server.close()
    tally.end()


if __name__ == "__main__":
    main()
