#!/usr/bin/env python3
"""Agents that are not ours as hosts of `bodkin mcp`, with a played model: does an edit of theirs reach the file, and does
the model see bodkin's answer?

    python3 tests/mcp_cli/hosts.py BODKIN NAME=PROGRAM…

NAME is claude, codex or opencode. hosts.sh fetches the programs. The last line is the sum.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import played_model  # noqa: E402

LONG = 180  # seconds
ARGUMENTS = {"path": "a.txt", "old_str": "one", "new_str": "two"}


def claude(program, bodkin, home, port):
    config = home / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"bodkin": {"command": bodkin, "args": ["mcp"]}}}))
    return ([program, "-p", "Change one to two.", "--strict-mcp-config", "--mcp-config", str(config), "--allowedTools",
             "mcp__bodkin", "--model", "claude-sonnet-4-5"],
            {"ANTHROPIC_BASE_URL": "http://127.0.0.1:%d" % port, "ANTHROPIC_API_KEY": "none", "DISABLE_AUTOUPDATER": "1",
             "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "CLAUDE_CONFIG_DIR": str(home / "claude")})


def codex(program, bodkin, home, port):
    folder = home / ".codex"
    folder.mkdir()
    (folder / "config.toml").write_text("""
model = "played"
model_provider = "played"
approval_policy = "never"
sandbox_mode = "workspace-write"
[model_providers.played]
name = "played"
base_url = "http://127.0.0.1:%d/v1"
wire_api = "responses"
[mcp_servers.bodkin]
command = %s
args = ["mcp"]
default_tools_approval_mode = "approve"
""" % (port, json.dumps(bodkin)))
    return [program, "exec", "--skip-git-repo-check", "Change one to two."], {"CODEX_HOME": str(folder)}


def opencode(program, bodkin, home, port):
    folder = home / ".config/opencode"
    folder.mkdir(parents=True)
    (folder / "opencode.json").write_text(json.dumps({
        "autoupdate": False, "model": "played/played", "small_model": "played/played",
        "provider": {"played": {"npm": "@ai-sdk/openai-compatible", "options": {
            "baseURL": "http://127.0.0.1:%d/v1" % port, "apiKey": "none"}, "models": {"played": {"tool_call": True}}}},
        "mcp": {"bodkin": {"type": "local", "command": [bodkin, "mcp"], "enabled": True}}}))
    return [program, "run", "Change one to two."], {}


TOOLS = {claude: "mcp__bodkin__edit", codex: "edit", opencode: "bodkin_edit"}


def run(prepare, program, bodkin):
    """What went wrong, or an empty text."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = pathlib.Path(folder).resolve()
        root = home / "work"
        root.mkdir()
        (root / "a.txt").write_text("one\n")
        model = played_model.start(TOOLS[prepare], ARGUMENTS, is_deferred=prepare is claude)
        command, more = prepare(program, bodkin, home, model.server_address[1])
        environment = {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", **more}
        try:
            done = subprocess.run(command, cwd=root, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=LONG)
        except subprocess.TimeoutExpired as error:
            return "it took longer than %d s: %s" % (LONG, error.output)
        finally:
            model.shutdown()
        said = "exit %d; stdout: %s; stderr: %s" % (done.returncode, done.stdout[-1000:], done.stderr[-1000:])
        if not model.asked:
            return "the model was not asked; " + said
        if (root / "a.txt").read_text() != "two\n":
            offered = [each for asked in model.asked[-1:] for each in played_model.tools_in(asked)]
            return "the file is as before; tools: %s; %s" % (offered, said)
        if not any("applied 1 hunk in 1 file" in json.dumps(asked) for asked in model.asked):
            return "the model has not seen the result; " + said
        return ""


def main():
    bodkin = os.path.abspath(sys.argv[1])
    passed = failed = 0
    for each in sys.argv[2:]:
        name, program = each.split("=", 1)
        why = run(globals()[name], program, bodkin)
        passed, failed = passed + (not why), failed + bool(why)
        print("%s %s %s" % ("FAILED" if why else "ok    ", name, why), flush=True)
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
