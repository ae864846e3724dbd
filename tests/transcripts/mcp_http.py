"""MCP servers that are reached by HTTP: what is sent to them, and what they may do. Each test is a function of the
program's path."""
import json
import os
import subprocess
import tempfile
import time

from abuse import check, ends_well
from asks import turn
from mcp import call, said, world
from mcp_http_server import KEY, Played


def ask(program, turns, servers, **more):
    os.environ["BODKIN_TEST_KEY"] = KEY
    editor = world(program, turns, servers, {"mcp": "allow"}, **more)
    editor.ask()
    return editor


def a_server_is_greeted_called_and_left_as_the_protocol_says(program):
    server = Played()
    editor = ask(program, [call("docs__echo", text="hello"), turn("Done.", expect=["hello"])],
                 {"docs": server.settings(headers={"Authorization": "Bearer ${BODKIN_TEST_KEY}", "X-Team": "blue"})})
    editor.end("answer")
    ends_well(editor)
    check(server.methods() == ["server/discover", "initialize", "notifications/initialized", "tools/list", "tools/call"], server.methods())
    for verb, headers, message in server.seen:
        check(headers["Authorization"] == "Bearer " + KEY and headers["X-Team"] == "blue", headers)
        check(headers["Accept"] == "application/json, text/event-stream", headers)
        if message.get("method") in ("tools/list", "tools/call", "notifications/initialized"):
            check(headers["Mcp-Session-Id"] == "s-1" and headers["MCP-Protocol-Version"] == "2025-06-18", headers)
    check(server.seen[-1][0] == "DELETE" and server.seen[-1][1]["Mcp-Session-Id"] == "s-1", server.seen[-1])


def a_stream_has_questions_progress_and_the_answer(program):
    server = Played("streams")
    turns = [call("docs__slow", text="slowly"), call("docs__echo", ["slowly"], text="quick"), turn("Done.", expect=["quick"])]
    editor = ask(program, turns, {"docs": server.settings(timeoutMs=2000)})
    editor.end("answer")
    answers = [message for _, _, message in server.seen if "method" not in message and message]
    check([each["id"] for each in answers] == [900, "e"], answers)
    check(answers[0]["result"]["roots"][0]["uri"] == "file://" + editor.folder and answers[1]["result"] == {"action": "decline"}, answers)
    check(any("docs: part" in json.dumps(each) for each in editor.heard), "no progress was told")
    editor.turns([turn("Done.", expect=["docs__added"])])
    editor.ask()
    editor.end("answer", count=2)
    ends_well(editor)


def a_server_of_the_newest_version_has_no_session(program):
    server = Played("modern")
    editor = ask(program, [call("docs__echo", text="hello"), turn("Done.", expect=["hello"], absent=["docs__mirrored"])], {"docs": server.settings()})
    editor.end("answer")
    ends_well(editor)
    check(server.methods() == ["server/discover", "tools/list", "tools/call"], server.methods())
    check(server.seen[-1][1]["Mcp-Name"] == "echo" and all("Mcp-Session-Id" not in headers for _, headers, _ in server.seen), server.seen[-1])


def a_session_that_the_server_has_ended_is_begun_anew_and_no_call_is_made_twice(program):
    for mode in ("good", "sdk"):
        server = Played(mode)
        turns = [call("docs__bad", text="forgets"), call("docs__echo", ["has ended the session", "not known what the call did"], text="back"),
                 turn("Done.", expect=["back"])]
        editor = ask(program, turns, {"docs": server.settings()})
        editor.end("answer")
        check(server.methods().count("initialize") == 2 and server.methods().count("tools/call") == 2, server.methods())
        ends_well(editor)


def what_is_no_answer_is_told_and_the_ask_goes_on(program):
    bad = {"dies": "ended its answer without a result", "half": "ended its answer without a result", "other id": "ended its answer without a result",
           "huge": "sent more than 16 MB at once", "flood": "did not answer tools/call within 2 s|sent more than 64 MB",
           "drips": "did not answer tools/call within 2 s", "hangs": "did not answer tools/call within 2 s", "refuses": "No such thing, says",
           "asks": "asks", "twice": "twice"}
    for how, words in bad.items():
        server = Played()
        turns = [call("docs__bad", text=how), turn("Done.", expect=[words] if "|" not in words else ["docs"], absent=[KEY, "another"])]
        begun = time.monotonic()
        editor = ask(program, turns, {"docs": server.settings(timeoutMs=2000, headers={"X-Key": "${BODKIN_TEST_KEY}"})})
        editor.end("answer")
        took = time.monotonic() - begun
        server.closing.set()
        check(took < 20, "%s took %.1f s" % (how, took))
        answers = [message for _, _, message in server.seen if "method" not in message and message]
        check(len(answers) <= 50, "%d answers" % len(answers))
        ends_well(editor)


def who_is_asked_sees_where_the_arguments_go(program):
    server = Played()
    editor = world(program, [call("docs__echo", text="hello"), turn("Done.", expect=["hello"])], {"docs": server.settings("/mcp?key=not-shown")})
    editor.answers["bodkin/permit"] = {"choice": "once"}
    editor.ask()
    editor.end("answer")
    asked = editor.of("bodkin/permit")
    check(len(asked) == 1 and asked[0]["detail"].startswith("docs/echo at http://127.0.0.1:%d\n" % server.server_address[1]), asked)
    ends_well(editor)


def no_header_comes_back_to_the_model(program):
    server = Played()
    turns = [call("docs__bad", text="repeats"), dict(turn("Done.", expect=["You sent [the value of BODKIN_TEST_KEY]"]), absent=[KEY])]
    editor = ask(program, turns, {"docs": server.settings(headers={"X-Key": "${BODKIN_TEST_KEY}"})})
    editor.end("answer")
    ends_well(editor)
    turns = [call("docs__echo", text="?k=key-in-the-query /path/0123456789abcdef/"),
             dict(turn("Done.", expect=["?k=[the value of its url] /path/[the value of its url]/"]), absent=[])]
    editor = ask(program, turns, {"docs": server.settings("/0123456789abcdef?k=key-in-the-query")})
    editor.end("answer")
    ends_well(editor)


def check_says_where_a_server_is(program):
    server, home = Played(), tempfile.mkdtemp()
    os.makedirs(home + "/.config/bodkin")
    with open(home + "/.config/bodkin/settings.json", "w") as out:
        json.dump({"agent": {"mcpServers": {"web": server.settings("/mcp?k=key-in-the-query")}}}, out)
    done = subprocess.run([program, "check"], env=dict(os.environ, HOME=home, XDG_CONFIG_HOME=home + "/.config"), capture_output=True, text=True, timeout=60)
    words = " ".join(done.stdout.split())
    check("web: 3 tools: echo, slow, bad, at http://127.0.0.1:%d." % server.server_address[1] in words, done.stdout)
    check("key-in-the-query" not in done.stdout, done.stdout)


def a_cancelled_call_ends_at_once_and_the_server_is_told(program):
    server = Played()
    editor = ask(program, [call("docs__bad", text="hangs")], {"docs": server.settings()})
    limit = time.monotonic() + 60
    while "tools/call" not in server.methods():
        check(time.monotonic() < limit, "it was not called")
        time.sleep(0.01)
    begun = time.monotonic()
    editor.command("bodkin.cancel")
    editor.end("cancelled")
    check(time.monotonic() - begun < 15, "cancelling took long")
    ends_well(editor)
    server.closing.set()
    check("notifications/cancelled" in server.methods(), server.methods())


def servers_that_cannot_be_used_are_left_out_with_a_sentence(program):
    os.environ.pop("BODKIN_TEST_UNSET", None)
    played = {mode: Played(mode) for mode in ("locked", "page", "moved", "mute", "strange", "session", "many")}
    servers = {mode: server.settings(timeoutMs=3000) for mode, server in played.items()}
    servers.update({"unset": played["many"].settings(headers={"X-Key": "${BODKIN_TEST_UNSET}"}), "nobody": {"url": "http://127.0.0.1:1/mcp"},
                    "open": {"url": "http://example.invalid/mcp", "headers": {"X-Key": "secret"}}})
    editor = ask(program, [call("many__echo", text="one"), turn("Done.", expect=["one"])], servers)
    editor.end("answer")
    for part in ('"locked" refused the request (HTTP status 401): check the "headers"', '"page" ended its answer', '"moved" cannot be used: ',
                 "redirects are not followed", '"mute" did not answer', '"strange" speaks a version', '"session" sent an invalid session id',
                 "BODKIN_TEST_UNSET, which its header X-Key needs, is not set", '"nobody" cannot be used: Cannot connect',
                 "its headers are not sent to http://example.invalid unencrypted"):
        said(editor, part)
    ends_well(editor)
    for server in played.values():
        server.closing.set()


def tests():
    return [(name.replace("_", " "), test) for name, test in globals().items()
            if callable(test) and getattr(test, "__module__", "") == __name__
            and name not in ("ask", "tests")]
