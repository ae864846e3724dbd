"""Golden conversations: whole asks through the real loop, as data. Each *.json in conversations/ is one:

    {"about": "a sentence",
     "settings": {"agent.dialect": "codex"},     besides those of a replay
     "files": {"a.c": text}, "open": ["a.c"],    the workspace; without: FILES, all of them open
     "ask": {"prompt": "…"},                     the arguments of bodkin.ask, without: line 2 of a.c
     "turns": [{"expect": [text], "absent": [text], "text": "…", "calls": [[tool, {argument: …}]]}],
     "permit": "reject",                         the answer to each question; without: there is none
     "servers": {"docs": "good"},                MCP servers: their modes (mcp_server.py)
     "second": [turn],                           of the model of model.draft, if it is another one
     "end": "proposal", "answer": "Done.",       and the user's message
     "streamed": "…",                            the text that the user sees come in
     "says": [text],                             in the progress messages, in this order
     "after": {"a.c": text, "old.c": null}}      the files that are changed in the end; null: removed

A text is a string, or {"lines": [line]}, each with its line end. `expect` and `absent` are of the whole request:
system, tools, messages. Before the user's consent the workspace's bytes are the same as before."""
import json
import os

from abuse import check, ends_well
from asks import Asker, turn
from editor import TEXT
from mcp import server
from run_commands import digest, take

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "conversations")
F = "int f(void) {\n  return 1;\n}\n\nint g(void) {\n  return 2;\n}\n\nint h(void) {\n  return 3;\n}\n"
FILES = {"a.c": TEXT, "b.c": "int x;\nint y;\n", "f.c": F, "old.c": "int old;\n"}


def texts(value):
    """With each {"lines": …} as the text that it is."""
    if isinstance(value, dict):
        if list(value) == ["lines"]:
            return "".join(line + "\n" for line in value["lines"])
        return {name: texts(each) for name, each in value.items()}
    return [texts(each) for each in value] if isinstance(value, list) else value


def turns_of(given):
    known = {"expect", "absent", "text", "calls", "stop"}
    turns = []
    for each in given:
        check(set(each) <= known, "a turn has " + ", ".join(set(each) - known))
        one = turn(each.get("text", ""), each.get("calls"), each.get("expect", ()), each.get("absent", ()))
        one["reply"]["stop_reason"] = each.get("stop", one["reply"]["stop_reason"])
        turns.append(one)
    return turns


def holds(program, talk):
    files = talk.get("files", FILES)
    opened = talk.get("open", [name for name in files if files[name].endswith("\n")])
    settings = dict({"agent.profile": "tools"}, **talk.get("settings", {}))
    servers = {name: server(mode) for name, mode in talk.get("servers", {}).items()}
    own = {".config/bodkin/settings.json": json.dumps({"bodkin.agent.mcpServers": servers})} if servers else {}
    editor = Asker(program, turns_of(talk["turns"]), settings, files=dict(files, **own),
                   texts={name: files[name] for name in opened}, own={"permit": talk.get("permit") is not None})
    editor.answers["bodkin/permit"] = {"choice": talk.get("permit")}
    if "second" in talk:
        with open(editor.folder + "/second.json", "w") as out:
            json.dump({"name": "second", "turns": turns_of(talk["second"])}, out)
    before = digest(editor.folder)
    editor.ask(**talk.get("ask", {}))
    end = editor.end(talk["end"])
    if "answer" in talk:
        check(end["message"] == talk["answer"], str(end))
    check(digest(editor.folder) == before, "the workspace's bytes have changed")
    stream = editor.of("$/bodkin/stream")
    shown = "".join(each["text"] for each in stream if each["kind"] == "text")
    check(talk.get("streamed", shown) == shown, "streamed: " + repr(shown))
    said = [each["text"] for each in stream if each["kind"] != "text"]
    place = 0
    for wanted in talk.get("says", []):
        rest = [i for i in range(place, len(said)) if wanted in said[i]]
        check(rest, "not said: %r of %r" % (wanted, said))
        place = rest[0]
    after = talk.get("after", {})
    if after:
        editor.on_apply = take
        editor.command("bodkin.apply", proposalId=end["proposalId"])
        editor.state("applied")
        names = set(opened) | set(after)
        have = {name: text for name, text in editor.buffers.items() if name in names}
        want = {name: text for name, text in dict(((each, files[each]) for each in opened), **after).items()
                if text is not None}
        check(have == want, "the files are " + str(have))
    else:
        check(not editor.of("bodkin/proposal"), "there is a proposal")
    ends_well(editor)
    unused = [line for line in editor.errors if "were not used" in line]
    check(not unused, str(unused))


def tests():
    def test_of(path):
        def test(program):
            with open(path) as file:
                holds(program, texts(json.load(file)))
        return test
    return [("conversation " + name[:-len(".json")], test_of(os.path.join(FOLDER, name)))
            for name in sorted(os.listdir(FOLDER)) if name.endswith(".json")]
