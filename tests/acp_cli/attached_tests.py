"""What an editor gives with a session or a prompt: MCP servers, texts, folders, commands."""
import json
import os
import subprocess
import sys

from cli_support import TEXT, edit, turn
from case import FILES, ONE
from client import check, environment_of

SERVER = '''
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    results = {"initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                              "serverInfo": {"name": "s", "version": "1"}},
               "tools/list": {"tools": [{"name": "look", "description": sys.argv[1], "inputSchema":
                                         {"type": "object", "properties": {}}}]}}
    answer = {"jsonrpc": "2.0", "id": asked["id"]}
    if asked["method"] in results:
        answer["result"] = results[asked["method"]]
    else:
        answer["error"] = {"code": -32601, "message": "no"}
    print(json.dumps(answer), flush=True)
'''


def server_named(case, name, words="d"):
    (case.home / "server.py").write_text(SERVER)
    return {"name": name, "command": sys.executable, "args": [str(case.home / "server.py"), words],
            "env": [{"name": "LEVEL", "value": "2"}]}


def resource(uri, text):
    return {"type": "resource", "resource": {"uri": str(uri), "text": text}}


def link(uri):
    return {"type": "resource_link", "uri": str(uri), "name": "x"}


def an_editors_mcp_servers_reach_the_model(case):
    servers = [server_named(case, "My docs", "OF_FIRST"), server_named(case, "my.docs", "OF_SECOND"),
               server_named(case, "My docs", "OF_THIRD")]
    editor = case.editor([turn("Seen.", expect=["OF_FIRST", "OF_SECOND", "OF_THIRD", "My-docs__look",
                                                "my-docs__look", "My-docs-2__look"])], start=False).start()
    editor.new(case.root, mcpServers=servers)
    check(editor.turn("look") == "end_turn" and editor.words() == "Seen.", editor.words())
    session = editor.session
    for method in ("session/load", "session/resume"):
        again = case.editor([turn("Again.", expect=["OF_FIRST"])], start=False).start()
        again.call(method, sessionId=session, cwd=str(case.root), mcpServers=servers[:1])
        again.session = session
        again.turn("look")
        check("Again." in again.words(), again.words())


def an_editors_mcp_server_by_http_is_called(case):
    sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "transcripts"))
    from mcp_http_server import Played
    played = Played()
    web = {"type": "http", "name": "search", "url": played.settings()["url"], "headers": [{"name": "X-Key", "value": "${HOME}"}]}
    editor = case.editor([turn("", [{"name": "search__echo", "arguments": {"text": "hello"}}]), turn("Seen.", expect=["hello"])], start=False,
                         settings={"agent.permissions": {"mcp": "allow"}}).start()
    editor.new(case.root, mcpServers=[web])
    editor.turn("look")
    check(editor.words().endswith("Seen."), editor.words())
    kinds = [each["kind"] for each in editor.updates("tool_call")]
    check(kinds == ["other"], kinds)  # what a server's tool does is not known, whatever the server is called
    # An editor's headers are meant as they are.
    check({headers["X-Key"] for _, headers, _ in played.seen} == {"${HOME}"}, played.seen)


def an_editors_mcp_server_that_cannot_be_used_is_told(case):
    bad = [{"type": "sse", "name": "web", "url": "http://127.0.0.1:1", "headers": []},
           {"type": "http", "name": "open", "url": "http://example.invalid", "headers": [{"name": "X-Key", "value": "k"}]},
           {"type": "http", "name": "none", "url": "ftp://x", "headers": []}, {"name": "empty", "command": "", "args": []},
           {"name": "odd", "command": "x", "args": [7]}]
    editor = case.editor([turn("Fine.")], start=False).start()
    editor.new(case.root, mcpServers=bad)
    editor.turn("look")
    for name in ('"web" is not used: it is neither a program', '"open" is not used: its headers are not sent', '"none" is not used: its "url"',
                 '"empty" is not used', '"odd" is not used'):
        check(name in editor.words(), editor.words())
    untrusted = case.editor([turn("Fine.")], settings={"workspace.trusted": []}, start=False).start()
    untrusted.new(case.root, mcpServers=[server_named(case, "docs")])
    untrusted.turn("look")
    check("this folder is not trusted" in untrusted.words(), untrusted.words())


def a_text_that_came_with_a_resource_is_shown(case):
    uri = (case.root / "a.c").as_uri()
    for given, expected in (
            (resource("zed:///agent/diagnostics?include_warnings=true", "a.c:2: error: OF_ZED"), "OF_ZED"),
            (resource((case.root / "gone.c").as_uri(), "int OF_NEW;\n"), "OF_NEW"),
            (resource(uri, TEXT + "int OF_UNSAVED;\n"), "OF_UNSAVED"),
            (resource(uri + "#L1:2", "int OF_SELECTION;\n"), "OF_SELECTION"),
            (resource("zed:///agent/git-diff?base=main", "+int OF_DIFF;\n"), "OF_DIFF"),
            (resource("zed:///agent/thread/7", "````\nOF_THREAD\n````\n"), "OF_THREAD")):
        editor = case.editor([turn("Seen.", expect=[expected, "Please look"])])
        editor.turn("Please look", given)
        check(editor.words() == "Seen.", (given, editor.words()))
        fixing = case.editor([turn("Seen.", expect=[expected])])
        fixing.turn("/fix ", given)
        check(fixing.words().endswith("Seen."), (given, fixing.words()))


def a_text_that_is_on_the_disk_is_attached_once(case):
    uri = (case.root / "a.c").as_uri()
    editor = case.editor([turn("Seen.", expect=["int e;"], absent=["not saved"])])
    editor.turn("Look", resource(uri, TEXT.replace("\n", "\r\n")))
    check(editor.words() == "Seen.", editor.words())


def a_private_text_is_not_shown(case):
    case.put(".env", "A=1\n")
    editor = case.editor([turn("Seen.", absent=["OF_PRIVATE"])])
    editor.turn("Look", resource((case.root / ".env").as_uri(), "OF_PRIVATE=1\n"))
    check(editor.words().endswith("Seen."), editor.words())


def what_is_too_long_empty_or_an_image_is_not_lost(case):
    uri = (case.root / "a.c").as_uri()
    png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    for given, expected, told in (
            ({"uri": uri, "text": "int big;\n" * 33000}, ["a.c", "int e;"], "the file on the disk, which differs"),
            ({"uri": uri, "text": ""}, ["a.c", "int e;"], ""),
            ({"uri": "file:///elsewhere/x.txt", "text": "int big;\n" * 33000}, ["x.txt"], "it is too long"),
            ({"uri": "file:///elsewhere/x.bin", "blob": "AAAA"}, [], "it is not text"),
            ({"uri": "file:///elsewhere/x.png", "blob": png, "mimeType": "image/png"}, [], "")):
        editor = case.editor([turn("Seen.", expect=expected)])
        editor.turn("Explain", {"type": "resource", "resource": given})
        check(editor.words().endswith("Seen.") and told in editor.words(), (given["uri"], editor.words()))
        check(told or "left out" not in editor.words(), editor.words())


def a_symbols_name_is_decoded(case):
    editor = case.editor([turn("Seen.", expect=["`Widget::resize`", "`operator ()`"], absent=["%3A", "+()"])])
    uri = (case.root / "a.c").as_uri()
    editor.turn("Look", link(uri + "?symbol=Widget%3A%3Aresize#L1:2"), link(uri + "?symbol=operator+%28%29#L3:4"))
    check(editor.words() == "Seen.", editor.words())


def a_link_to_outside_is_said_to_be_unread(case):
    outside = case.home / "other.c"
    outside.write_text("int other;\n")
    editor = case.editor([turn("Seen.")] * 2)
    for uri in ("file://%s" % outside, str(outside), "file://%s/none.c" % case.home):
        editor.turn("Look.", link(uri))
        check(" is outside the folder, so it was not read." in editor.words(), editor.words())
    editor.turn("Look.", link("https://example.org/a"))
    check(editor.words().count("was not read") == 3, editor.words())


def a_link_below_the_end_of_a_file_selects_nothing(case):
    editor = case.editor([turn("Ok.", expect=["lines 90-95 of a.c, which has only 8 lines"])])
    editor.turn("look", {"type": "resource_link", "name": "a.c", "uri": "file://%s/a.c#L90:95" % case.root})
    check(editor.words() == "Ok.", editor.words())


def an_attachment_without_a_name_is_called_one(case):
    editor = case.editor([turn("Ok.")])
    editor.turn("look", {"type": "resource", "resource": {"uri": "", "blob": "AAAA"}})
    check("An attachment was left out: it is not text." in editor.words(), editor.words())


def a_folder_is_listed(case):
    (case.root / "two words").mkdir()
    case.put("two words/of_folder.c", "int f;\n")
    editor = case.editor([turn("Seen.", expect=["of_folder.c"], absent=["cannot be shown"])])
    editor.turn("Look at", link((case.root / "two words").as_uri()))
    check(editor.words() == "Seen.", editor.words())


def blocks_are_apart_and_commands_are_seen(case):
    uri = (case.root / "a.c").as_uri()
    editor = case.editor([turn("Seen.", expect=["Find the problems in this, and fix them: a.c (lines 1-1)"], absent=["/fix"])])
    editor.turn("/fix", link(uri + "#L1:1"))
    check(editor.words() == "the problems in a.c are not known: no language server for C is set up\n\nSeen.", editor.words())
    alone = case.editor([turn("Seen.", expect=["Find the problems here"])])
    alone.turn("/fix")
    check(alone.words() == "Seen.", alone.words())


def problems_and_changes_that_no_editor_reports_are_found(case):
    case.put("a.c", "int b = missing;\n")
    for command in (["git", "init", "-q", "."], ["git", "add", "a.c"], ["git", "-c", "user.name=a", "-c", "user.email=a@b",
                    "commit", "-qm", "one"]):
        subprocess.run(command, cwd=case.root, check=True)
    case.put("a.c", "int b = missing;\nint changed;\n")
    servers = {"verify.servers": {}}
    file = (case.root / "a.c").as_uri()
    problem = ["Problems that clangd reports in a.c:", "line 1: error: ", "missing"]
    for blocks in (["/fix", link(file)], ["Look at", link("zed:///agent/diagnostics?include_warnings=true"), link(file)]):
        editor = case.editor([turn("Seen.", expect=problem)], settings=servers)
        editor.turn(*blocks)
        check(editor.words() == "Seen.", (blocks, editor.words()))
    look = turn("", [{"name": "diagnostics", "arguments": {"path": "a.c"}}])
    asked = case.editor([look, turn("Seen.", expect=["State: fresh, by clangd.", *problem[1:]])], settings=servers)
    asked.turn("what is wrong?")
    check(asked.words().endswith("Seen."), asked.words())
    shown = case.editor([], settings=servers)
    shown.turn("/context", "/fix", link("zed:///agent/git-diff?base=main"), link(file))
    for words in (*problem, "+int changed;"):
        check(words in shown.words(), shown.words())
    unknown = case.editor([turn("Seen.", expect=["The problems in a.c are not known: "])])
    unknown.turn("/fix", link(file))
    check(unknown.words().endswith("Seen."), unknown.words())


def bad_settings_are_told_in_the_first_turn(case):
    for text, words in (("{ not json", "settings.json"), ('{"agent.moed": "auto"}', "agent.moed")):
        editor = case.editor([], start=False)
        (case.home / ".config/bodkin/settings.json").write_text(text)
        editor.kill()
        editor = type(editor)([case.program, "acp"], case.root, environment_of(case.home))
        case.editors.append(editor)
        editor.start().new(case.root)
        editor.turn("hello")
        check(words in editor.words(), editor.words())
        before = len(editor.words())
        editor.turn("hello")
        check("Settings: " not in editor.words()[before:], "told again")


def half_a_character_is_answered(case):
    editor = case.editor([turn("Still here.", expect=["hi \ufffd."])])
    head = '{"jsonrpc":"2.0","id":77,"method":"session/prompt","params":{"sessionId":"%s","prompt":[{"type":"text","text":"' % editor.session
    editor.send_bytes((head + 'hi \\ud83d."}]}}\n').encode())
    check(editor.result(77)["stopReason"] == "end_turn" and editor.words() == "Still here.", editor.words())
    # What is no JSON at all is answered under its id, if it has one.
    for body, number in ((head.encode() + b'\xff"}]}}', 77), (b'{"method":"x","params":{"id":1},"id":"s-1",}', "s-1"),
                         (b'{"id":78,"method":"x","params":[{"text":"\xc3', 78)):
        editor.send_bytes(body + b"\n")
        error = editor.until(lambda m: "error" in m and "method" not in m)
        check(error["id"] == number and error["error"]["code"] == -32700, error)


def requests_right_before_the_end_of_the_input_are_answered(case):
    case.settings(ONE)
    lines = [{"id": 1, "method": "initialize", "params": {"protocolVersion": 1}},
             {"id": 2, "method": "session/list", "params": {}},
             {"id": 3, "method": "session/new", "params": {"cwd": str(case.root), "mcpServers": []}}]
    data = "".join(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in lines)
    done = subprocess.run([case.program, "acp"], input=data.encode(), capture_output=True, timeout=30, check=True,
                          env=environment_of(case.home))
    answers = {m["id"]: m for m in map(json.loads, done.stdout.splitlines()) if "id" in m}
    check(all("result" in answers.get(number, {}) for number in (1, 2, 3)), answers)


def an_editor_that_is_silent_is_waited_for_once(case):
    names = ["f%d.c" % i for i in range(3)]
    for name in names:
        case.put(name, TEXT)
    calls = [{"name": "read_file", "arguments": {"path": name}} for name in names]
    editor = case.editor([turn("", calls), turn("", [edit("int b;", "long b;", name) for name in names]), turn("Done.")], **FILES)
    asked = []

    def fall_silent(params):
        editor.answers["fs/read_text_file"] = lambda p: asked.append(p)
        return {"outcome": {"outcome": "selected", "optionId": "apply"}}
    editor.answers["session/request_permission"] = fall_silent
    editor.turn("wider")
    check(len(asked) == 1, "%d waits" % len(asked))
