"""`bodkin ask --record` and `bodkin replay`, for run.py: a replay is an ask in a closed world."""
import json
import pathlib
import subprocess
import sys

from cli_support import READ, TEXT, WIDER, check, edit, turn

MCP_SERVER = str(pathlib.Path(__file__).resolve().parent.parent / "transcripts/mcp_server.py")


def replay(of, recording, *words, home=None):
    """As another user, who has settings of their own."""
    home = home or of.home / "other"
    (home / ".config/bodkin").mkdir(parents=True, exist_ok=True)
    settings = {"model.draft": {"provider": "openai-compatible", "endpoint": "http://127.0.0.1:9/v1", "name": "paid"},
                "model.provider": "openai-compatible", "model.endpoint": "http://127.0.0.1:9/v1", "agent.maxCostUsd": 0.01,
                "agent.permissions": {"edit": "deny", "run": "deny", "mcp": "deny"}, "agent.maxTurns": 1}
    (home / ".config/bodkin/settings.json").write_text(json.dumps(settings))
    done = subprocess.run([of.program, "replay", str(recording), *words], cwd="/", capture_output=True, timeout=60,
                          env=dict(of.environment, HOME=str(home)))
    done.out, done.err = done.stdout.decode(), " ".join(done.stderr.decode().split())
    check(not (home / ".local/state/bodkin/history.db").exists(), "it is in the player's history")
    return done


def went_as_recorded(done):
    check(done.returncode == 0 and "It went as recorded." in done.err and "Not as recorded" not in done.err, str(done))


def a_replay_uses_the_recorded_answers_and_nothing_of_the_player(case):
    recording = case.home / "bug.json"
    case.settings(**{"agent.permissions": {"edit": "ask"}, "agent.maxTurns": 10})
    screen = case.terminal(WIDER, "--record", str(recording), "Wider, please.")
    screen.until("a [r]eason ")
    screen.type("y")
    screen.until("a [r]eason ")
    screen.type("r")
    screen.until("Why not? ")
    screen.type("g stays\r")
    screen.until("or [d]iscard? ")
    screen.type("d")
    screen.end()
    done = replay(case, recording)
    went_as_recorded(done)
    check("+long b;" in done.out and "+long g;" not in done.out, done.out)
    events = [json.loads(line) for line in replay(case, recording, "--json").out.splitlines()]
    check(events[-1]["differences"] == [] and events[-1]["session"] is None, str(events[-1]))


def a_replay_has_what_commands_gave_and_changed(case):
    recording = case.home / "bug.json"
    case.settings(**{"agent.permissions": {"run": "allow"}, "workspace.trusted": [str(case.root)]})
    command = turn("", [{"name": "run_command", "arguments": {"command": "sed -i s/int/long/ a.c; echo changed it; exit 3"}}])
    done = case.run([command, turn("All are.", expect=["changed it", "<returncode>3"])], "--record", str(recording), "Wider.")
    check(done.returncode == 0 and "+long a;" in done.out, str(done))
    done = replay(case, recording)
    went_as_recorded(done)
    check("+long a;" in done.out, done.out)
    changed = json.loads(recording.read_text())
    changed["commands"] = []
    recording.write_text(json.dumps(changed))
    done = replay(case, recording)
    check(done.returncode == 1 and "Not as recorded: there is no result of the command “sed -i" in done.err, str(done))


def a_replay_has_what_mcp_servers_offered_and_gave(case):
    recording = case.home / "bug.json"
    case.settings(**{"agent.permissions": {"mcp": "allow"}, "workspace.trusted": [str(case.root)], "agent.mcpServers": {
        "docs": {"command": [sys.executable, MCP_SERVER, "good"], "readable": [MCP_SERVER]}}})
    turns = [turn("", [{"name": "docs__echo", "arguments": {"text": "a word of the server"}}]),
             turn("It said so.", expect=["a word of the server"])]
    done = case.run(turns, "--record", str(recording), "What does it say?")
    check(done.returncode == 0 and "It said so." in done.out, str(done))
    done = replay(case, recording)
    went_as_recorded(done)
    check(done.out == "It said so.\n", done.out)


def a_replay_has_the_second_models_answers(case):
    recording = case.home / "bug.json"
    (case.home / "draft.json").write_text(json.dumps({"name": "draft", "turns": [turn("```\n" + TEXT.replace("int b", "long b") + "```")]}))
    case.settings(**{"model.draft": {"provider": "replay", "name": str(case.home / "draft.json")}})
    sketch = {"name": "edit_file", "arguments": {"path": "a.c", "instructions": "Widen b.", "sketch": "widen b, somehow"}}
    done = case.run([READ, turn("", [sketch]), turn("Done.")], "--profile", "draft", "--record", str(recording), "Wider.")
    recorded = json.loads(recording.read_text())
    check(recorded["second"]["turns"] or "+long b;" not in done.out, str(done))
    again = replay(case, recording)
    check(again.out == done.out and "Not as recorded" not in again.err, again.err + again.out)


def a_replay_begins_with_what_was_said_before(case):
    recording = case.home / "bug.json"
    case.run([READ, turn("It is an int.")], "What is b?")
    turns = [turn("", [edit("int b;", "long b;")], expect=["It is an int."]), turn("Done.")]  # it has read a.c before
    done = case.run(turns, "--session", "last", "--record", str(recording), "Wider.")
    check(done.returncode == 0 and "+long b;" in done.out, str(done))
    done = replay(case, recording)
    went_as_recorded(done)
    check("+long b;" in done.out, done.out)


def a_replay_ends_as_the_ask_has_ended(case):
    recording = case.home / "bug.json"
    case.settings(**{"agent.maxTurns": 2})
    check(case.run(WIDER, "--record", str(recording), "Wider.").returncode == 3, "no limit")
    done = replay(case, recording)
    check(done.returncode == 3 and "+long b;" in done.out and "It went as recorded." in done.err, str(done))
    broken = [READ, dict(turn("I was about to"), error={"kind": "truncated", "message": "cut off"}), turn("", [edit("int b;", "long b;")]), turn("Done.")]
    case.settings()
    done = case.run(broken, "--record", str(recording), "Wider.")
    check(done.returncode == 0 and "+long b;" in done.out, str(done))
    went_as_recorded(replay(case, recording))


def a_replay_says_how_it_differs(case):
    recording = case.home / "bug.json"
    case.run(WIDER, "--record", str(recording), "Wider.")
    changed = json.loads(recording.read_text())
    changed["files"]["a.c"] = TEXT.replace("int h", "char h")
    recording.write_text(json.dumps(changed))
    done = replay(case, recording)
    check(done.returncode == 1 and "Not as recorded: in request 2, the model was sent something else" in done.err, done.err)
    check("char h" in done.err and "the proposed text differs" in done.err, done.err)
    changed["version"] = 99
    recording.write_text(json.dumps(changed))
    check("another version" in replay(case, recording).err, "another form was played")


def a_recording_that_is_damaged_is_refused(case):
    recording = case.home / "bug.json"
    for wrong in ('{"version": 3, "ask": {"prompt": "x"}, "turns": 7}', '{"version": 3, "ask": {"prompt": "x"}, "turns": [{"reply": 7}]}',
                  '{"version": 3, "ask": {"prompt": "x", "files": 3}, "files": [], "commands": 7, "answers": {}, "turns": [], "seen": 1}'):
        recording.write_text(wrong)
        done = replay(case, recording)
        check(done.returncode == 1 and "json.exception" not in done.err, done.err)


def a_replay_has_what_servers_reported(case):
    recording = case.home / "bug.json"
    case.settings(**{"verify.servers": {}})
    case.put("a.c", "int b = missing;\n")
    fixed = [turn("", [edit("missing", "0")], expect=["Problems that clangd reports in a.c:", "missing"]), turn("Done.")]
    done = case.run(fixed, "--record", str(recording), "/fix", "a.c")
    check(done.returncode == 0 and "1 fixed" in done.err, str(done))
    played = json.loads(recording.read_text())
    check(played["reports"][0]["by"] == "clangd" and len(played["checks"]) == 1, str(played["reports"]))
    played["turns"][0]["expect"] = ["Problems that clangd reports in a.c:", "missing"]
    recording.write_text(json.dumps(played))
    done = replay(case, recording)
    went_as_recorded(done)
    check("✓ clangd: 1 fixed" in done.err and "+int b = 0;" in done.out, str(done))
