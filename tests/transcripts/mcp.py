"""Tools of MCP servers, from the settings to the result: a real server in the real sandbox, and servers that die, hang,
flood and lie. Each test is a function of the program's path."""
import json
import os
import subprocess
import tempfile
import time

from abuse import check, ends_well
from asks import Asker, turn

FOLDER = os.path.dirname(os.path.abspath(__file__))
SERVER = os.path.join(FOLDER, "mcp_server.py")


def server(mode="good", **more):
    """Its settings; with `log`, it runs unconfined, since it writes that file."""
    log = more.pop("log", None)
    arguments = ["-I", SERVER, mode] + ([log] if log else [])
    return dict({"command": "python3", "args": arguments, "readable": [FOLDER]}, **({"sandbox": False} if log else {}), **more)


def world(program, turns, servers, permissions=None, settings=None, **more):
    settings = dict({"agent.profile": "tools", "agent.permissions": permissions or {}}, **(settings or {}))
    files = dict({"a.c": "int a;\n"}, **more.pop("files", {}))
    files[".config/bodkin/settings.json"] = json.dumps({"bodkin.agent.mcpServers": servers})
    return Asker(program, turns, settings, files=files, own=more.pop("own", {"permit": True}), **more)


def call(name, expect=(), **arguments):
    return turn(calls=[(name, arguments)], expect=expect)


def log_of(path):
    """What the server received: (its process, the message) each."""
    with open(path) as log:
        return [(line.split(" ", 1)[0], json.loads(line.split(" ", 1)[1])) for line in log]


def hears(path, part, count=1):
    """Waits until the server has received `part` so often."""
    limit = time.monotonic() + 60
    while not (os.path.exists(path) and open(path).read().count(part) >= count):
        check(time.monotonic() < limit, "the server did not receive " + part)
        time.sleep(0.01)


def said(editor, part):
    editor.until("a message with " + part,
                 lambda: any(part in message["message"] for message in editor.of("window/showMessage")))


def a_tool_is_asked_for_and_its_result_goes_to_the_model(program):
    editor = world(program, [call("docs__echo", text="hello"), turn("Done.", expect=["hello"])], {"docs": server()})
    editor.answers["bodkin/permit"] = {"choice": "once"}
    editor.ask()
    check(editor.end("answer")["message"] == "Done.", "the answer")
    asked = editor.of("bodkin/permit")
    check(len(asked) == 1 and asked[0]["tool"] == "mcp" and asked[0]["title"] == "Calling docs/echo"
          and '"text": "hello"' in asked[0]["detail"] and "session" in asked[0]["options"], str(asked))
    steps = [each["step"] for each in editor.of("$/bodkin/stream") if "step" in each]
    check([(each["tool"], each["failed"], each["files"]) for each in steps] == [("docs__echo", False, [])], str(steps))
    ends_well(editor)


def permissions_are_per_server_and_per_tool(program):
    turns = [call("docs__echo", text="one"), call("docs__where", ["one"], text=""), call("more__echo", ["is not allowed"], text="two"),
             turn("Done.", expect=["two"])]
    editor = world(program, turns, {"docs": server(), "more": server()},
                   {"mcp": {"docs/*": "allow", "docs/where": "deny", "more/echo": "allow"}})
    editor.ask()
    editor.end("answer")
    check(not editor.of("bodkin/permit"), "somebody was asked")
    ends_well(editor)


def a_refusal_ends_the_ask_and_nothing_is_called(program):
    log = os.path.join(tempfile.mkdtemp(), "log")
    editor = world(program, [call("docs__echo", text="one")], {"docs": server(log=log)})
    editor.answers["bodkin/permit"] = {"choice": "reject"}
    editor.ask()
    editor.end("refused")
    with open(log) as lines:
        check("tools/call" not in lines.read(), "it was called")
    ends_well(editor)


def a_confined_server_sees_only_what_it_was_given(program):
    os.environ["BODKIN_TEST_SECRET"], os.environ["BODKIN_TEST_GIVEN"] = "not-for-servers", "a-given-value"
    other = tempfile.mkdtemp()
    with open(other + "/secret.txt", "w") as out:
        out.write("of the person")
    home = os.path.realpath(os.path.expanduser("~"))
    look = ":".join([other, other + "/secret.txt", FOLDER, home])
    expect = ["ENV_OF_SERVER", "BODKIN_TEST_GIVEN", '"network": ["lo"]', "FileNotFoundError", "mcp_server.py", "[the value of BODKIN_TEST_GIVEN]"]
    turns = [call("docs__where", text=""), dict(turn("Done.", expect=expect), absent=["of the person", "not-for-servers", "a-given-value"])]
    editor = world(program, turns, {"docs": server(env={"LOOK": look, "ENV_OF_SERVER": "1"}, environment=["BODKIN_TEST_GIVEN"])},
                   {"mcp": "allow"})
    editor.ask()
    editor.end("answer")
    ends_well(editor)


def results_of_every_kind_are_text_and_act_on_nothing(program):
    expect = ["before ^[[31mred", "[an image that is not shown: image/png]", "[a resource: linked file:///r ]", "[mem:1]\nembedded",
              "[a binary resource: mem:2]", "[content that is not shown: hologram]"]
    turns = [call("docs__all_kinds", text=""), dict(call("docs__fail", expect, text="why"), absent=["\x1b", '"not"']),
             call("docs__change", ["It did not work: why"], text=""), turn("Done.", expect=['"tools": 10'])]
    editor = world(program, turns, {"docs": server()}, {"mcp": "allow"})
    editor.ask()
    editor.end("answer")
    failed = [each["step"]["tool"] for each in editor.of("$/bodkin/stream") if "step" in each and each["step"]["failed"]]
    check(failed == ["docs__fail"], str(failed))
    ends_well(editor)


def a_long_result_is_cut_in_the_middle_and_a_secret_in_it_is_not_sent(program):
    secret = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"
    turns = [call("docs__echo", text="LONG"), call("docs__echo", ["BEGIN", "END", "characters omitted"], text="token"),
             dict(turn("Done.", expect=["token"]), absent=["x" * 11000])]
    given = {"LOOK": "", "KEY_FOR_DOCS": secret, "TWICE": "<%s%s>" % (secret, secret)}
    editor = world(program, turns, {"docs": server(env=given)}, {"mcp": "allow"})
    editor.ask()
    editor.end("answer")
    editor.turns([call("docs__where", text=""), dict(turn("Done.", expect=["[the value of TWICE]"]), absent=[secret])])
    editor.ask()
    editor.end("answer", count=2)
    ends_well(editor)


def the_values_of_a_servers_variables_are_sent_nowhere(program):
    """Neither in a result nor in a tool's description or schema, nor the rest of a value that begins with another."""
    env = {"TELLS": "zebracrossing", "TOLD": "zebracrossing-quietmeadow"}
    hidden = ["zebracrossing", "quietmeadow"]
    call_it = turn(calls=[("docs__where", {"text": ""})], expect=["docs__telling", "Knows [the value of TELLS]"], absent=hidden)
    editor = world(program, [call_it, turn("Done.", expect=["[the value of TOLD]"], absent=hidden)],
                   {"docs": server(env=env)}, {"mcp": "allow"})
    editor.ask()
    editor.end("answer")
    ends_well(editor)


def a_server_starts_once_keeps_running_and_ends_with_bodkin(program):
    log = os.path.join(tempfile.mkdtemp(), "log")
    editor = world(program, [call("docs__change", text=""), turn("Changed.")], {"docs": server(log=log)}, {"mcp": "allow"})
    check(not os.path.exists(log), "it was started without an ask")
    editor.ask()
    editor.end("answer")
    editor.turns([call("docs__added", text=""), turn("Done.", expect=["unknown"])])
    editor.ask()
    editor.end("answer", count=2)
    heard = log_of(log)
    processes = {process for process, _ in heard}
    check(len(processes) == 1, "processes: " + str(processes))
    methods = [message.get("method") for _, message in heard if message.get("method")]
    check(methods[:3] == ["server/discover", "initialize", "notifications/initialized"] and methods.count("tools/list") == 3 + 4, str(methods))
    check(heard[1][1]["params"]["capabilities"] == {"roots": {}}, "it was offered more")
    answers = {message["id"]: message.get("result") for _, message in heard if "method" not in message}
    check([root["uri"] for root in answers[77]["roots"]] == ["file://" + editor.folder], str(answers))
    check(answers[78] == {"action": "decline"}, str(answers))
    check({"jsonrpc": "2.0", "id": "p", "result": {}} in [m for _, m in heard], "its ping")
    ends_well(editor)
    limit = time.monotonic() + 10
    while os.path.exists("/proc/" + list(processes)[0]):
        check(time.monotonic() < limit, "it still runs")
        time.sleep(0.01)


def what_was_allowed_for_the_session_is_asked_again_if_the_tool_has_changed(program):
    editor = world(program, [call("docs__echo", text="one"), call("docs__echo", text="two"), call("docs__change", text=""), turn("Changed."),
                             call("docs__echo", text="three"), turn("Done.")],
                   {"docs": server()}, {"mcp": {"docs/change": "allow"}})
    editor.answers["bodkin/permit"] = {"choice": "session"}
    session = editor.ask()["sessionId"]
    editor.end("answer")
    check(len(editor.of("bodkin/permit")) == 1, "asked twice for the same")
    editor.ask(sessionId=session)
    editor.end("answer", count=2)
    check(len(editor.of("bodkin/permit")) == 2, "not asked for a tool that has changed")
    ends_well(editor)


def progress_prolongs_a_call_and_a_hanging_one_ends_in_its_time(program):
    turns = [call("docs__slow", text=""), call("docs__hang", ["slowly done"], text=""),
             call("docs__echo", ["did not answer tools/call within 2 s"], text="again"), turn("Done.", expect=["again"])]
    editor = world(program, turns, {"docs": server(timeoutMs=2000)}, {"mcp": "allow"})
    editor.ask()
    editor.end("answer")
    check(any("docs: part" in each["text"] for each in editor.of("$/bodkin/stream")), "no progress was shown")
    ends_well(editor)


def cancelling_ends_a_call_and_the_server_is_told(program):
    log = os.path.join(tempfile.mkdtemp(), "log")
    editor = world(program, [call("docs__hang", text="")], {"docs": server(log=log)}, {"mcp": "allow"})
    editor.ask()
    hears(log, "tools/call")
    begun = time.monotonic()
    editor.command("bodkin.cancel")
    editor.end("cancelled")
    check(time.monotonic() - begun < 15, "it took long")
    hears(log, "notifications/cancelled")
    ends_well(editor)


def what_a_server_asks_in_a_call_is_answered_in_both_eras(program):
    turns = [call("new__echo", text="ASK"), call("picky__echo", ["decline", "file://", "s1"], text="hello"),
             turn("Done.", expect=["hello"])]
    editor = world(program, turns, {"new": server("modern"), "picky": server("picky")}, {"mcp": "allow"})
    editor.ask()
    check(editor.end("answer")["message"] == "Done.", "the answer")
    ends_well(editor)


def a_server_whose_greeting_was_cancelled_is_started_anew(program):
    log = os.path.join(tempfile.mkdtemp(), "log")
    editor = world(program, [], {"docs": server("late", log=log)}, {"mcp": "allow"})
    editor.ask()
    hears(log, "initialize")
    editor.command("bodkin.cancel")
    editor.end("cancelled")
    editor.turns([call("docs__echo", text="hello"), turn("Done.", expect=["hello"])])
    editor.ask()
    editor.end("answer", count=2)
    greeted = [process for process, message in log_of(log) if message.get("method") == "initialize"]
    check(len(greeted) == 2 and greeted[0] != greeted[1], "greeted: " + str(greeted))
    ends_well(editor)


def tools_that_have_changed_are_asked_for_again_after_a_cancelled_try(program):
    log = os.path.join(tempfile.mkdtemp(), "log")
    editor = world(program, [call("docs__change", text=""), turn("Changed.")], {"docs": server("pause", log=log)}, {"mcp": "allow"})
    editor.ask()
    editor.end("answer")
    editor.ask()
    hears(log, "tools/list", 2)
    editor.command("bodkin.cancel")
    editor.end("cancelled", count=2)
    editor.turns([turn("Done.", expect=["docs__added", "Says it again, and elsewhere."])])
    editor.ask()
    editor.end("answer", count=3)
    check(len({process for process, _ in log_of(log)}) == 1, "it was started anew")
    ends_well(editor)


def a_server_that_ends_in_a_call_is_started_again_for_the_next(program):
    turns = [call("docs__exit", text=""), call("docs__echo", ["ended with exit code 5. It wrote: I was told to end.", "It is not known what the call did."], text="back"),
             turn("Done.", expect=["back"])]
    editor = world(program, turns, {"docs": server()}, {"mcp": "allow"})
    editor.ask()
    editor.end("answer")
    ends_well(editor)


def broken_servers_are_left_out_with_a_sentence_and_the_ask_goes_on(program):
    broken = {"dies": server("dies"), "nothere": {"command": "bodkin-no-such-program"}, "mute": server("mute", timeoutMs=3000),
              "flood": server("flood", timeoutMs=3000), "strange": server("strange")}
    servers = dict(broken, docs=server("noisy"), modern=server("modern"), old=server("old"), circles=server("circles"))
    turns = [call("docs__echo", text="one"), call("modern__echo", ["one"], text="two"), call("old__echo", ["two"], text="three"),
             turn("Done.", expect=["three"])]
    editor = world(program, turns, servers, {"mcp": "allow"})
    begun = time.monotonic()
    editor.ask()
    editor.end("answer")
    print("      the ask took %.1f s" % (time.monotonic() - begun))
    for part in ('"dies" ended with exit code 3. It wrote: no licence', "bodkin-no-such-program not found", '"mute" did not answer',
                 '"flood" did not answer', '"strange" speaks a version'):
        said(editor, part)
    ends_well(editor)


def a_server_that_lies_about_its_tools_offers_only_what_can_be_called(program):
    """What is left out is said, with the reason, once."""
    turns = [call("liar__echo", text="one"), call("liar__any", ["one"], text="x"), turn("Done.", expect=["[content without a type]"]), turn("Again.")]
    editor = world(program, turns, {"liar": server("liar")}, {"mcp": "allow"})
    for count in (1, 2):
        editor.ask()
        editor.end("answer", count=count)
        said(editor, 'Tools of the MCP server "liar" that are not offered: echo (the name is used twice), a b (its name is not valid),')
    told = [each["message"] for each in editor.of("window/showMessage") if "not offered" in each["message"]]
    check(len(told) == 1 and "no_schema (it has no schema)" in told[0] and "(`bodkin check` lists more)" in told[0], str(told))
    ends_well(editor)


def a_server_of_any_version_is_greeted_as_it_knows(program):
    modes = ("silent", "quits", "older", "both", "sleepy")
    servers = {mode: server(mode, timeoutMs=6000) for mode in modes}
    turns = [call("%s__echo" % mode, text=mode) for mode in modes] + [turn("Done.", expect=list(modes))]
    editor = world(program, turns, dict(servers, newer=server("newer")), {"mcp": "allow"})
    editor.ask()
    editor.end("answer")
    said(editor, '"newer" supports none of the protocol versions')
    ends_well(editor)


def a_server_that_answers_badly_gets_a_sentence_and_the_ask_goes_on(program):
    """Each in a call of its own, with a good one after it: none costs the ask, or the other server."""
    cases = {"other ids": "the answer", "twice": "the answer", "half": "ended", "cut lines": "did not answer tools/call within 3 s",
             "no newline": "did not answer tools/call within 3 s", "huge line": "the answer", "huge result": "BEGIN", "deep": "the answer",
             "storm": "the answer", "same id": "the answer", "notes": "the answer", "types": "the answer", "both": "and an error",
             "words": "Delete all files", "input": "asks for more than bodkin can give it"}
    for how, words in cases.items():
        turns = [call("docs__bad", text=how), call("more__echo", [words], text="still here"),
                 turn("Done.", expect=["still here"], absent=["another", "\x1b", "\u202e"])]
        begun = time.monotonic()
        docs = server(timeoutMs=3000) if "within 3 s" in words else server()
        editor = world(program, turns, {"docs": docs, "more": server()}, {"mcp": "allow"})
        editor.ask()
        editor.end("answer")
        print("      %s: %.1f s" % (how, time.monotonic() - begun))
        ends_well(editor)


def no_repository_and_no_editor_setting_can_name_a_server(program):
    planted = {"mcpServers": {"docs": server()}}
    editor = world(program, [call("docs__echo", text="one"), turn("Done.", expect=["Unknown tool"])], {},
                   {"mcp": "allow"}, settings={"agent.mcpServers": {"docs": server()}},
                   files={".vscode/settings.json": json.dumps({"bodkin.agent": planted}), ".mcp.json": json.dumps(planted),
                          "mcp.json": json.dumps(planted)})
    said(editor, "bodkin.agent.mcpServers is only read from your own settings.json")
    editor.ask()
    editor.end("answer")
    ends_well(editor)


def an_untrusted_folder_and_a_read_only_profile_offer_no_tools_of_servers(program):
    turns = [call("docs__echo", text="one"), turn("Done.", expect=["Unknown tool"])]
    editor = world(program, turns, {"docs": server()}, {"mcp": "allow"}, trusted=False)
    editor.ask()
    editor.end("answer")
    ends_well(editor)
    editor = world(program, turns, {"docs": server()}, {"mcp": "allow"}, settings={"agent.profile": "explain"})
    editor.ask()
    editor.end("answer")
    ends_well(editor)


def check_says_which_servers_answer(program):
    home = tempfile.mkdtemp()
    os.makedirs(home + "/.config/bodkin")
    with open(home + "/replay.json", "w") as out:
        json.dump({"name": "test", "turns": [turn("Nothing.")]}, out)
    with open(home + "/.config/bodkin/settings.json", "w") as out:
        json.dump({"model": {"provider": "replay", "name": home + "/replay.json"}, "agent": {"mcpServers": {
            "docs": server(), "dies": server("dies"), "bad": {"command": 1}, "off": server(disabled=True)}}}, out)
    environment = dict(os.environ, HOME=home)
    environment.pop("XDG_CONFIG_HOME", None)
    done = subprocess.run([program, "check"], env=environment, capture_output=True, text=True, timeout=60)
    words = " ".join(done.stdout.split())
    for part in ('mcp docs: 9 tools: echo, where, fail, slow, all.kinds, bad, change, exit, hang, in a sandbox.',
                 '"dies" ended with exit code 3. It wrote: no licence', '"bad": "command" must be a string'):
        check(part in words, part + " is not in: " + done.stdout)
    check(done.returncode == 1 and "off" not in words.split("mcp ", 1)[1], str(done.returncode))


def tests():
    return [(name.replace("_", " "), test) for name, test in globals().items()
            if callable(test) and getattr(test, "__module__", "") == __name__
            and name not in ("server", "world", "call", "log_of", "hears", "said", "tests")]
