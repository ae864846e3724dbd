"""The protocol itself: both eras, bad input, cancellation, progress, roots, the end of the input."""
import json
import os
import pty
import re
import subprocess

from cli_support import block, check
from client import KEY, MODERN, LEGACY, LONG, Server

TEXT = "def area(r):\n    return 3.14 * r * r\n"


def a_legacy_client_gets_the_version_it_asks_for(case):
    for asked, given in [("2024-11-05",) * 2, ("2025-03-26",) * 2, ("2025-06-18",) * 2, (LEGACY,) * 2,
                         ("1999-01-01", LEGACY), (MODERN, LEGACY)]:
        server = case.server(modern=True)
        server.modern = False
        result = server.initialize(asked)
        check(result["protocolVersion"] == given, "%s: %r" % (asked, result["protocolVersion"]))
        check(result["capabilities"] == {"tools": {}}, repr(result))
        check(server.request("ping") == {}, "ping")
        check(server.close() == 0, "exit code")


def half_a_character_is_answered(case):
    server = case.server()
    server.raw('{"jsonrpc":"2.0","id":"h","method":"tools/call","params":{"name":"edit","arguments":{"path":"a \\ud83d","old_str":"x","new_str":"y"}}}\n')
    check("isError" in server.answer("h")["result"], "the call is not answered")
    server.raw(b'{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"edit","arguments":{"path":"\xff"}}}\n')
    check(server.answer("b")["error"]["code"] == -32700, "bytes that are no text are not answered with the id")


def a_modern_client_needs_no_greeting(case):
    server = case.server(modern=True)
    result = server.request("server/discover")
    check(MODERN in result["supportedVersions"] and LEGACY in result["supportedVersions"], repr(result))
    check(len(result["instructions"]) <= 1500, "%d characters" % len(result["instructions"]))
    check(server.request("tools/list")["tools"], "no tools")
    check(server.error("ping")["code"] == -32601, "ping is no longer a method")


def both_eras_in_one_process(case):
    case.put("a.txt", "one\n")
    server = case.server(modern=True)
    server.request("server/discover")
    server.modern = False
    server.initialize()
    server.done("edit", path="a.txt", old_str="one", new_str="two")
    server.modern = True
    server.done("edit", path="a.txt", old_str="two", new_str="three")
    server.modern = False
    server.initialize()  # once more
    check(server.request("ping") == {} and case.get("a.txt") == "three\n", case.get("a.txt"))


def the_definitions_are_small_fixed_and_honest(case):
    server = case.server()
    tools = server.request("tools/list")["tools"]
    check([t["name"] for t in tools] == ["check_patch", "apply_patch", "edit", "undo", "read_symbol", "outline", "context",
                                         "verify"], repr([t["name"] for t in tools]))
    text = json.dumps(tools, separators=(",", ":"), ensure_ascii=False)
    # Schemas take about 3.5 bytes a token (o200k, cl100k); with 3, this is an upper limit.
    check(len(text.encode()) / 3 < 2000, "%d bytes" % len(text.encode()))
    for tool in tools:
        writes = tool["name"] in ("apply_patch", "edit", "undo")
        check(tool["annotations"] == {"readOnlyHint": not writes, "destructiveHint": writes, "idempotentHint": not writes,
                                      "openWorldHint": False}, repr(tool))
        check(re.fullmatch(r"[A-Za-z0-9_-]{1,32}", tool["name"]), tool["name"])
        schema = tool["inputSchema"]
        check(schema["type"] == "object" and schema["additionalProperties"] is False, repr(schema))
        check(not re.search(r'"(\$ref|oneOf|anyOf|format)"', json.dumps(schema)), repr(schema))
    other = case.server(modern=True)
    check(other.request("tools/list")["tools"] == tools, "another list in the other era")


def an_unknown_version_is_told_which_are_known(case):
    server = case.server(modern=True)
    error = server.error("tools/list", {"_meta": {KEY + "protocolVersion": "2031-01-01"}})
    check(error["code"] == -32022 and error["data"]["requested"] == "2031-01-01" and MODERN in error["data"]["supported"],
          repr(error))
    for meta in ({KEY + "protocolVersion": 7}, {KEY + "clientCapabilities": []}, {KEY + "clientCapabilities": None}):
        check(server.error("tools/list", {"_meta": meta})["code"] == -32602, repr(meta))
    check(server.error("tools/list", {}, modern=False)["code"] == -32602, "neither greeting nor version")
    check(server.error("tools/list", {"cursor": "2"})["code"] == -32602, "a page that was not offered")
    check(server.request("tools/list")["tools"], "it must go on")


def what_is_unknown_or_malformed_is_an_error(case):
    server = case.server()
    check(server.error("resources/list")["code"] == -32601, "an unknown method")
    check(server.error("server/discover")["code"] == -32601, "of the other era")
    for params in ({"name": "rm", "arguments": {}}, {"name": 7}, {}, {"name": "outline", "arguments": "x"},
                   {"name": "outline", "arguments": [1]}):
        check(server.error("tools/call", params)["code"] == -32602, repr(params))
    check(server.error("initialize", {"protocolVersion": 5})["code"] == -32602, "a version of a wrong type")
    for arguments in ({}, {"patch": 5}, {"patch": "x", "extra": 1}, {"patch": None}):
        server.refused("apply_patch", **arguments)
    server.notify("notifications/unknown", x=1)
    server.notify("notifications/cancelled", requestId="never")
    server.notify("notifications/cancelled")
    check(server.request("ping") == {}, "it must go on")


def lines_that_are_no_messages_are_errors_without_an_id(case):
    server = case.server()
    good = json.dumps({"jsonrpc": "2.0", "id": 99, "method": "ping"})
    for line in ["{", "null", "[]", "[%s]" % good, "7", '"x"', "\xff\xfe", "{}", '{"jsonrpc":"2.0","id":{},"method":"ping"}',
                 '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', '{"jsonrpc":"2.0","method":7}', "[" * 100000,
                 "Content-Length: 20\r", '{"id":' + "9" * 400 + "}"]:
        server.raw(line.encode("latin-1") + b"\n")
        message = server.message()
        check("id" not in message and message["error"]["code"] in (-32700, -32600), "%r: %r" % (line[:60], message))
    check(server.request("ping") == {}, "it must go on")


def a_huge_line_is_refused_or_answered(case):
    server = case.server()
    text, failed = server.call("apply_patch", patch="x" * 20_000_000)
    check(failed and "1 MB" in text, text)
    server.raw(b"x" * 5_000_000)
    server.raw(b"\n")
    check(server.message()["error"]["code"] == -32700, "an error")
    check(server.request("ping") == {}, "it must go on")


def a_cancelled_call_is_not_answered_and_changes_nothing(case):
    case.put("a.txt", "one\n")
    case.put("b.txt", "one\n")
    for modern in (False, True):
        server = case.server(modern=modern)
        held = case.lock()
        first = server.start_call("edit", {"path": "a.txt", "old_str": "one", "new_str": "two"},
                                  _meta={"progressToken": "p"})
        server.notify("notifications/cancelled", requestId=first, reason="tests")
        second = server.start_call("edit", {"path": "b.txt", "old_str": "one", "new_str": "two"})
        server.request("tools/list")  # calls that wait block nothing else; by now the cancellation has been read
        held.close()
        server.finished(second)
        check(server.close() == 0, "exit code")
        check(not [m for m in server.said if m.get("id") == first], "a cancelled call was answered")
        check(case.get("a.txt") == "one\n", "a cancelled call was carried out")
        case.put("b.txt", "one\n")


def progress_is_only_told_with_a_token_and_rises(case):
    case.put("a.py", "def f():\n    return 1\n")
    for modern in (False, True):
        server = case.server(modern=modern)
        server.finished(server.start_call("context", {"path": "a.py", "line": 1}))
        check(not [m for m in server.said if m.get("method")], "progress without a token")
        id = server.start_call("context", {"path": "a.py", "line": 1}, _meta={"progressToken": 7})
        server.finished(id)
        told = [m["params"] for m in server.said if m.get("method") == "notifications/progress"]
        check(told and {t["progressToken"] for t in told} == {7}, repr(told))
        check([t["progress"] for t in told] == sorted({t["progress"] for t in told}), "it must rise: %r" % told)
        check(server.said[-1].get("id") == id, "something came behind the answer")


def a_legacy_client_is_asked_for_its_roots_once(case):
    case.put("in/a.txt", "one\n")
    server = case.server(capabilities={"roots": {"listChanged": True}}, cwd="/")
    first = server.start_call("edit", {"path": "a.txt", "old_str": "one", "new_str": "two"})
    second = server.start_call("outline", {})
    asked = server.message()
    check(asked["method"] == "roots/list", repr(asked))
    server.send(id=asked["id"], result={"roots": [{"uri": "file://" + case.path("in"), "name": "in"}]})
    check(not server.finished(first)[1], "the edit failed")
    server.finished(second)
    server.done("edit", path="a.txt", old_str="two", new_str="three")
    check(case.get("in/a.txt") == "three\n", case.get("in/a.txt"))
    check(len([m for m in server.said if m.get("method") == "roots/list"]) == 1, "asked again")
    server.notify("notifications/roots/list_changed")
    third = server.start_call("outline", {})
    asked = server.message()
    server.send(id=asked["id"], error={"code": -32603, "message": "no"})
    check("not served" in server.finished(third)[0], "the working folder / must be refused")


def a_modern_client_is_asked_for_its_roots_with_each_call(case):
    case.put("in/a.txt", "one\n")
    server = case.server(modern=True, capabilities={"roots": {}}, cwd="/")
    call = {"name": "edit", "arguments": {"path": "a.txt", "old_str": "one", "new_str": "two"}}
    asked = server.request("tools/call", call)
    check(asked["inputRequests"] == {"roots": {"method": "roots/list"}}, repr(asked))
    check(case.get("in/a.txt") == "one\n", "changed without a root")
    roots = {"roots": {"roots": [{"uri": "file://" + case.path("in")}]}}
    result = server.request("tools/call", {**call, "inputResponses": roots})
    check(not result.get("isError") and case.get("in/a.txt") == "two\n", repr(result))
    check(server.request("tools/call", call)["resultType"] == "input_required", "the server must keep nothing")
    two = {"roots": {"roots": [{"uri": "file://" + case.path("in")}, {"uri": "file://" + case.root}]}}
    result = server.request("tools/call", {**call, "inputResponses": two})
    check(result["isError"] and "several folders" in result["content"][0]["text"], repr(result))
    for wrong in ({}, {"roots": 7}, {"roots": {"roots": [{"uri": "https://x"}, 5]}}):
        result = server.request("tools/call", {**call, "inputResponses": wrong})
        check(result["isError"], repr(result))


def the_folder_is_that_of_the_option_or_the_environment(case):
    case.put("in/a.txt", "one\n")
    edit = {"path": "a.txt", "old_str": "one", "new_str": "one more"}
    case.server("--root", case.path("in"), cwd="/", capabilities={"roots": {}}).done("edit", **edit)
    case.put("in/a.txt", "one\n")
    case.server(cwd="/", env={"CLAUDE_PROJECT_DIR": case.path("in")}).done("edit", **edit)
    case.put("in/a.txt", "one\n")
    case.server(cwd=case.path("in")).done("edit", **edit)
    check(case.get("in/a.txt") == "one more\n", case.get("in/a.txt"))
    for folder, env in (("/", {}), (case.path("in"), {"HOME": case.path("in")}), (case.root, {"HOME": case.path("in")})):
        check("not served" in case.server("--root", folder, env=env).refused("outline"), folder)


def the_home_is_not_served_whatever_the_environment_says(case):
    import pwd
    home = pwd.getpwuid(os.geteuid()).pw_dir
    for env in ({}, {"HOME": case.root}, {"HOME": ""}):
        check("not served" in case.server("--root", home, env=env).refused("outline"), env)


def a_path_is_one_of_a_file(case):
    case.put("a.txt", "one\n")
    server = case.server()
    for tool, more in (("outline", {}), ("read_symbol", {"line": 1}), ("context", {"line": 1}),
                       ("edit", {"old_str": "one", "new_str": "two"}), ("check_patch", {"patch": "x"})):
        check("zero byte" in server.refused(tool, path="a.txt\0b", **more), tool)
    check("must name a file" in server.refused("context", path="", line=1), "empty")


def what_an_interrupted_change_left_is_said_wherever_files_are_shown(case):
    names, text = ["f%d.txt" % i for i in range(12)], {tag: "".join("%s line %d\n" % (tag, n) for n in range(1500)) for tag in ("old", "new")}
    patch = "".join(block(name, text["old"], text["new"]) for name in names)
    for _ in range(50):  # until one is killed while it writes
        for name in names:
            case.put(name, text["old"])
        server = case.server()
        server.ask("tools/call", {"name": "apply_patch", "arguments": {"patch": patch}})
        before = os.stat(case.path(names[0])).st_ino
        while server.lines.empty() and os.stat(case.path(names[0])).st_ino == before:
            pass
        server.process.kill()
        server.process.wait()
        if len({case.get(name) for name in names}) > 1:
            break
    else:
        raise AssertionError("none was killed in the middle")
    words, reader = "may have left files half changed", case.server()
    show = {"context": {"path": names[0], "line": 1}, "check_patch": {"patch": block(names[-1], "old line 7\n", "x\n")}}
    for name, arguments in show.items():
        result = reader.request("tools/call", {"name": name, "arguments": arguments})
        check(words in result["content"][0]["text"].split("\n")[1], repr(result)[:500])
    done = reader.done("edit", path="more.txt", old_str="", new_str="x\n").split("\n")
    check(done[1].startswith("An earlier change was interrupted: f") and "was restored" in done[1], done)
    check({case.get(name) for name in names} == {text["old"]}, "not restored")
    check(words not in repr(reader.request("tools/call", {"name": "context", "arguments": show["context"]})), "said afterwards")


def a_folder_on_another_machine_is_not_taken_for_ours(case):
    case.put("a.txt", "one\n")
    edit = {"path": "a.txt", "old_str": "one", "new_str": "two"}
    for uri in ("https://x/y", "vscode-vfs://github/a/b", "file://elsewhere" + case.root, "file://%s%%00" % case.root):
        server = case.server(modern=True, capabilities={"roots": {}})
        roots = {"roots": {"roots": [{"uri": uri}]}}
        result = server.request("tools/call", {"name": "edit", "arguments": edit, "inputResponses": roots})
        check(result.get("isError") and "not one on this machine" in result["content"][0]["text"], repr(result))
        roots["roots"]["roots"].append({"uri": "file://" + case.root})
        result = server.request("tools/call", {"name": "edit", "arguments": edit, "inputResponses": roots})
        check(result.get("isError") and "several folders open" in result["content"][0]["text"], repr(result))
    check(case.get("a.txt") == "one\n", "changed")


def the_end_of_the_input_is_orderly_wherever_it_comes(case):
    case.put("a.txt", "one\n")
    script = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call",
         "params": {"name": "edit", "arguments": {"path": "a.txt", "old_str": "one", "new_str": "two"}}},
        {"id": 3, "method": "tools/list"}]).encode()
    for end in list(range(0, len(script), 23)) + [len(script)]:
        case.put("a.txt", "one\n")
        done = subprocess.run([case.program, "mcp"], cwd=case.root, input=script[:end], timeout=LONG,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        check(done.returncode == 0, "after %d bytes: exit %d, %s" % (end, done.returncode, done.stderr.decode()))
        check(done.stdout == b"" or done.stdout.endswith(b"\n"), "half a line after %d bytes" % end)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        check(len(answers) <= 3 and case.get("a.txt") in ("one\n", "two\n"), repr(answers))
        if end == len(script):
            check({a["id"] for a in answers} == {1, 2, 3}, "what was asked for is answered: %r" % answers)
    check(os.listdir(case.root) == ["a.txt"], "left behind: %r" % os.listdir(case.root))


def calls_that_cannot_wait_are_refused(case):
    case.put("a.txt", "one\n")
    server = case.server()
    held = case.lock()
    ids = [server.start_call("edit", {"path": "a.txt", "old_str": "no", "new_str": "two"}) for _ in range(300)]
    check(server.answer(ids[-1])["error"]["message"].startswith("Too many pending calls"), "it was taken")
    held.close()
    answers = [server.answer(id) for id in ids]
    done = len([a for a in answers if "result" in a])
    check(100 <= done < 120, "%d were carried out" % done)


def the_end_comes_also_while_a_call_waits_for_the_lock(case):
    case.put("a.txt", "one\n")
    server = case.server()
    held = case.lock()
    server.start_call("edit", {"path": "a.txt", "old_str": "one", "new_str": "two"})
    check(server.request("ping") == {}, "ping")
    check(server.close() == 0, "exit code")
    held.close()
    check(case.get("a.txt") == "one\n", "changed")


def a_signal_ends_it(case):
    server = case.server()
    server.process.terminate()
    check(server.process.wait(LONG) in (143, -15), "exit %d" % server.process.returncode)


def the_configuration_of_each_agent_can_be_read(case):
    def printed(agent, *arguments):
        done = subprocess.run([case.program, "mcp", "--print-config", agent, *arguments], cwd=case.root,
                              capture_output=True, text=True, timeout=LONG)
        check(done.returncode == 0 and done.stderr.startswith("This goes into "), done.stderr)
        return done.stdout
    for agent, way in (("claude", ("mcpServers",)), ("cline", ("mcpServers",)), ("vscode", ("servers",)), ("opencode", ("mcp",))):
        entry = json.loads(printed(agent, "--root", case.root))[way[0]]["bodkin"]
        command = entry["command"] if isinstance(entry["command"], list) else [entry["command"], *entry["args"]]
        check(os.path.basename(command[0]) == "bodkin" and command[1:] == ["mcp", "--root", case.root], repr(entry))
    check('[mcp_servers.bodkin]\ncommand = "' in printed("codex") and '\nargs = ["mcp"]\n' in printed("codex"), printed("codex"))
    check("${workspaceFolder}" in printed("vscode") and case.root in printed("cline"), "whose folder")
    for agent, arguments, alone in (("cline", (), True), ("claude", ("--root", case.root), True), ("codex", (), False), ("vscode", (), False)):
        done = subprocess.run([case.program, "mcp", "--print-config", agent, *arguments], cwd=case.root, capture_output=True, text=True, timeout=LONG)
        check(("serves %s alone" % case.root in done.stderr) == alone, done.stderr)
    check("an entry with another name for each folder" in subprocess.run(
        [case.program, "mcp", "--print-config", "cline"], cwd=case.root, capture_output=True, text=True, timeout=LONG).stderr, "Cline")
    for wrong in (["emacs"], []):
        done = subprocess.run([case.program, "mcp", "--print-config", *wrong], capture_output=True, text=True, timeout=LONG)
        check(done.returncode == 2, "exit %d" % done.returncode)
        check(done.stderr.startswith("bodkin mcp: --print-config takes claude, codex, opencode, cline or vscode;"), done.stderr)
    for everything in ("/", os.environ["HOME"]):
        done = subprocess.run([case.program, "mcp", "--print-config", "cline"], cwd=everything, capture_output=True,
                              text=True, timeout=LONG)
        check(done.returncode == 2 and not done.stdout and "all of your files" in done.stderr, repr(done))


def who_starts_it_by_hand_is_told_what_it_waits_for(case):
    def started(**streams):
        return subprocess.Popen([case.program, "mcp"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **streams)
    ours, its = pty.openpty()
    process = started(stdin=its)
    line = process.stderr.readline().decode()
    process.terminate()
    process.wait(LONG)
    os.close(ours), os.close(its)
    check("waiting for an agent" in line and "--print-config" in line and len(line) <= 80, line)
    check(started(stdin=subprocess.DEVNULL).communicate(timeout=LONG)[1] == b"", "it was said to an agent")


def a_careless_call_is_told_what_to_do_with_the_tools_that_there_are(case):
    case.put("a.py", "def area(r):\n    return 3 * r\n\n\ndef ring(r):\n    return 3 * r\n")
    case.put("b.py", "def area(r):\n    return r\n")
    server = case.server()
    names = {tool["name"] for tool in server.request("tools/list")["tools"]}
    text = server.refused("outline", path="nope.py")
    check("list_dir" not in text and "outline" in names and "outline shows the files" in text, text)
    check(server.refused("context", path="a.py", line=0) == "Lines are counted from 1.\n", "line 0")
    text = server.done("read_symbol", name="area")
    check("give path and line:\n" in text, "what was given is no better name: " + text)
    text = server.refused("edit", path="a.py", old_str="return 3 * r", new_str="return 4 * r")
    check("lines 2 and 6" in text and "set replace_all" in text, text)
    text = server.refused("edit", path="a.py", old_str="", new_str="x = 1\n")
    check("already exists" in text and "quote in old_str" in text, text)
    text = server.refused("apply_patch", patch="I would rename it.")
    check("no SEARCH/REPLACE block, no diff, no *** Begin Patch" in text and "reply" not in text, text)


def who_reads_does_not_wait_for_who_writes(case):
    case.put("a.py", TEXT)
    server = case.server()
    lock = case.lock()
    edit = dict(path="a.py", old_str="3.14", new_str="PI")
    calls = [server.start_call("edit", edit) for _ in range(20)]
    for number in calls[1:]:
        server.notify("notifications/cancelled", requestId=number)
    server.done("outline", path="a.py")
    server.done("check_patch", patch=block("a.py", "    return 3.14 * r * r\n", "    return 3 * r * r\n"))
    lock.close()
    check(server.finished(calls[0])[0].startswith("applied"), "the first is not cancelled")
    server.done("outline", path="a.py")
    check(not [m for m in server.said if m.get("id") in calls[1:]], "a cancelled call is answered")
    check(case.get("a.py") == TEXT.replace("3.14", "PI"), case.get("a.py"))


def roots_that_change_while_they_are_asked_for_are_asked_for_again(case):
    for name in ("one", "two"):
        case.put(name + "/a.py", TEXT.replace("area", name))
    server = case.server(capabilities={"roots": {"listChanged": True}})

    def roots_request():
        while True:
            message = server.message()
            if message.get("method") == "roots/list":
                return message["id"]

    def give(number, name):
        server.send(id=number, result={"roots": [{"uri": "file://" + case.path(name)}]})
    call = server.start_call("outline", {"path": "a.py"})
    first = roots_request()
    server.notify("notifications/roots/list_changed")
    give(first, "one")
    give(roots_request(), "two")
    check("two" in server.finished(call)[0], "the old folder")
    # A client that says so each time gets an answer, too.
    server.notify("notifications/roots/list_changed")
    call = server.start_call("outline", {"path": "a.py"})
    while True:
        message = server.message()
        if message.get("method") == "roots/list":
            server.notify("notifications/roots/list_changed")
            give(message["id"], "one")
        if message.get("id") == call and "method" not in message:
            break
    check("one" in message["result"]["content"][0]["text"], message)


def a_batch_is_refused(case):
    for version in ("2025-03-26", "2025-11-25"):
        server = Server(case.program, case.root)
        case.servers.append(server)
        server.initialize(version)
        server.raw(json.dumps([{"jsonrpc": "2.0", "id": "x", "method": "ping"}]) + "\n")
        check(server.message()["error"]["code"] == -32600, version)


def a_client_that_does_not_read_is_given_up(case):
    server = case.server()
    line = json.dumps({"jsonrpc": "2.0", "id": "x" * 1_000_000, "method": "no/such"}) + "\n"
    process = subprocess.Popen([case.program, "mcp"], cwd=case.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    try:
        for number in range(80):
            process.stdin.write(line.replace("xx", "%02d" % number, 1).encode())
        process.stdin.flush()
    except BrokenPipeError:
        pass  # it has ended already
    check(process.wait(LONG) == 1, process.returncode)
    check(b"the client has stopped reading; shutting down." in process.stderr.read(), "it does not say why")
    process.stdout.close()
    process.stderr.close()
    check(server.request("ping") == {}, "another one goes on")


def a_folder_whose_name_no_configuration_can_contain_is_refused(case):
    root = os.fsencode(case.root) + b"/caf\xe9"
    os.mkdir(root)
    for agent in ("claude", "codex", "opencode", "cline", "vscode"):
        done = subprocess.run([case.program, "mcp", "--print-config", agent, "--root", root], capture_output=True, check=False)
        check(done.returncode == 2 and b"is not UTF-8" in done.stderr and done.stdout == b"", done)


def an_id_that_is_in_use_is_not_answered_twice(case):
    case.put("a.py", TEXT)
    server = case.server()
    lock = case.lock()
    number = server.start_call("edit", dict(path="a.py", old_str="3.14", new_str="PI"))
    server.send(id=number, method="ping", params={})
    check("still open" in server.message()["error"]["message"], server.said[-1])
    lock.close()
    check(server.finished(number)[0].startswith("applied"), "the call is lost")
