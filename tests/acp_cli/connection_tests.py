"""Bad requests, bad bytes, and the end of the input."""
import json
import os
import pty
import signal
import subprocess
import time

from cli_support import TEXT, turn
from case import FILES, ONE
from client import check, environment_of


def another_program_s_lock_holds_no_cancelled_turn(case):
    for end in ("session/cancel", "session/close", None):
        editor = case.editor(ONE)
        held = case.lock()
        number = editor.prompt("wider")
        editor.until(lambda m: m.get("method") == "session/request_permission")
        editor.call("session/list")  # by now the answer has been read
        if end == "session/cancel":
            editor.notify(end, sessionId=editor.session)
        elif end:
            editor.request(end, sessionId=editor.session)
        if end:
            check(editor.result(number)["stopReason"] == "cancelled", "not cancelled")
        check(editor.end() == 0 and os.path.exists(held.name), "the other program's lock is gone")
        held.close()
        check(case.get() == TEXT, "it was written")


def bad_requests_are_errors(case):
    editor = case.editor([turn("Still here.")], start=False)
    check(editor.result(editor.request("session/new", cwd="/", mcpServers=[]), error=True)["code"] == -32600, "too early")
    editor.start()
    for method, params, code in (
            ("initialize", {"protocolVersion": "1"}, -32602), ("session/new", {"cwd": "work"}, -32602),
            ("session/new", {"cwd": "/no/such/folder"}, -32602), ("session/new", {"cwd": 7}, -32602),
            ("session/load", {"sessionId": "x", "cwd": str(case.root)}, -32002), ("session/load", {}, -32002),
            ("session/prompt", {}, -32002), ("session/list", {"cursor": "x"}, -32602), ("no/such", {}, -32601),
            ("session/set_mode", {"sessionId": 1}, -32002), ("authenticate", {"methodId": "x"}, -32601)):
        error = editor.result(editor.request(method, **params), error=True)
        check(error["code"] == code, (method, params, error))
    editor.new(case.root, unknown={"x": [None]})
    for blocks in (None, {}, [7], [{"type": "text"}], [{}], [{"type": "resource", "resource": 3}]):
        error = editor.result(editor.request("session/prompt", sessionId=editor.session, prompt=blocks), error=True)
        check(error["code"] == -32602, (blocks, error))
    check(editor.turn("hello") == "end_turn" and editor.words() == "Still here.", editor.words())


def bad_bytes_are_errors_and_nothing_ends(case):
    editor = case.editor([turn("Still here.")])
    for line in (b"{", b"[]", b"null", b'{"id": 1}', b"\xff\xfe", b'{"jsonrpc":"2.0","id":{},"method":"x"}', b"[" * 5000,
                 b"x" * 1_000_000, b'{"jsonrpc":"2.0","id":77,"result":{}}'):
        editor.send_bytes(line + b"\n")
    editor.send_bytes(b"\n\r\n  \n")
    check(editor.turn("hello") == "end_turn" and editor.words() == "Still here.", editor.words())


def the_end_of_the_input_anywhere(case):
    initialize = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1}})
    new = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "session/new", "params": {"cwd": str(case.root), "mcpServers": []}})
    case.settings(ONE)
    for data in ("", "\n", "{", initialize[:30], initialize, initialize + "\n", initialize + "\n" + new[:-9],
                 initialize + "\n" + new + "\n"):
        begun = time.monotonic()
        done = subprocess.run([case.program, "acp"], input=data.encode(), capture_output=True, timeout=30,
                              env=environment_of(case.home))
        check(done.returncode == 0, (data, done))
        check(time.monotonic() - begun < 10, "it took %.1f s" % (time.monotonic() - begun))
        for line in done.stdout.splitlines():
            json.loads(line)
    editor = case.editor(ONE)
    editor.answers["session/request_permission"] = lambda p: None
    editor.prompt("wider")
    editor.until(lambda m: m.get("method") == "session/request_permission")
    check(editor.end() == 0 and case.get() == TEXT, "it changed")


def who_starts_it_by_hand_is_told_what_it_waits_for(case):
    ours, its = pty.openpty()
    child = subprocess.Popen([case.program, "acp"], stdin=its, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    line = child.stderr.readline().decode()
    child.terminate()
    child.wait(timeout=10)
    os.close(ours), os.close(its)
    check("waiting for an editor" in line and len(line) <= 80, line)
    done = subprocess.run([case.program, "acp"], stdin=subprocess.DEVNULL, capture_output=True, timeout=10)
    check(done.stderr == b"", done.stderr)


def what_is_written_at_the_end_of_the_input_can_be_undone(case):
    case.put("a.c", TEXT + "// so long that a look at it takes a while\n" * 100_000)
    before = case.get()
    editor = case.editor(ONE, name="zed", **FILES)
    editor.prompt("wider")
    asked = {"method": ""}
    while asked["method"] != "fs/write_text_file":
        asked = json.loads(editor.incoming.get(timeout=60))
        asked.setdefault("method", "")
        if "id" in asked and asked["method"] not in ("", "fs/write_text_file"):
            editor.answer(asked)
    editor.answer(asked)
    check(editor.end() == 0 and case.get() != before, "not written")
    editor = case.editor([])
    editor.turn("/undo")
    check(case.get() == before, editor.words())


def a_signal_ends_it(case):
    editor = case.editor(ONE)
    editor.child.send_signal(signal.SIGTERM)
    check(editor.child.wait(timeout=10) == 128 + signal.SIGTERM, editor.child.returncode)
