"""Where `bodkin ask` gets its request from, and the events that it prints."""
import json
import os
import select
import signal
import subprocess

from case import QUESTION, Terminal
from cli_support import READ, TEXT, WIDE, WIDER, check, edit, turn


def an_answer_is_printed_and_a_request_is_read_from_standard_input(case):
    done = case.run([turn("Eight.", expect=["How many ints"])], stdin=b"How many ints are there?\n")
    check(done.returncode == 0 and done.out == "Eight.\n" and case.get() == TEXT, str(done))


def an_answer_after_a_reply_that_could_not_be_used_is_an_answer(case):
    def cut(*words):
        made = turn(*words)
        made["reply"]["stop_reason"] = "max_tokens"
        return made
    for first in (turn(""), cut("There are"), cut("", [{"name": "read_file", "arguments": {"path": "a.c"}}])):
        done = case.run([first, turn("Eight.")], "How many ints are there?")
        check(done.returncode == 0 and done.out == "Eight.\n", str(done))
    done = case.run([READ, cut("", [edit("int b;", "long b;")]), turn("Wider.")], "--yes", "Wider.")
    check(done.returncode == 1 and "The model sent no edit that could be placed." in done.err, str(done))


def what_is_piped_in_beside_a_request_is_shown_with_it(case):
    key = "sk-ant-api03-" + "q7Rt2" * 18 + "-Zk9mB1AA"
    long = b"first\n" + b"".join(b"line %d\n" % n for n in range(20000)) + b"last\n"
    for stdin, wanted, absent, said in (
            (b"error: b is narrow\n", ["Why?", "Standard input:", "error: b is narrow"], [], ""),
            (b"", ["Why?"], ["Standard input"], ""),
            (b"token %s\n" % key.encode(), ["token "], [key], "1 secret in standard input is not sent"),
            (long, ["first\n", "last\n", "[…]"], ["line 10000\n"], "bytes in its middle are left out")):
        done = case.run([turn("Yes.", expect=wanted, absent=absent)], "Why?", stdin=stdin)
        check(done.returncode == 0 and said in " ".join(done.err.split()), str(done))
    # What the output names is shown: here the file, which has no function.
    done = case.run([turn("Yes.", expect=["a.c:", "int b;"])], "Why?", stdin=b"a.c:2:5: error: b is narrow\n")
    check(done.returncode == 0, str(done))
    # A pipe that nobody writes to, as a program that starts it may hold it, does not stop it.
    ours, theirs = os.pipe()
    done = subprocess.run(case.command([turn("Yes.", absent=["Standard input"])], "Why?"), cwd=case.root, env=case.environment,
                          stdin=ours, capture_output=True, timeout=60)
    os.close(theirs)
    check(done.returncode == 0, str(done))
    # The rest of a loop's input stays its own.
    (case.root / "list.txt").write_text("one\ntwo\n")
    loop = 'while read -r word; do "$@"; done < list.txt'
    done = subprocess.run(["sh", "-c", loop, "sh", *case.command([turn("Yes."), turn("No.")], "Why?")], cwd=case.root,
                          env=case.environment, capture_output=True, text=True, timeout=60)
    check(done.stdout.count("Yes.") == 2, str(done))
    for between in [], ["timeout", "60"]:
        loop = 'printf "a.c\\na.c\\na.c\\n" | while read -r word; do "$@" "$word"; done'
        words = case.command([turn("Yes.", absent=["Standard input"])], "Why?")
        done = subprocess.run(["sh", "-c", loop, "sh", *between, *words], cwd=case.root, env=case.environment,
                              capture_output=True, text=True, timeout=60)
        check(done.stdout.count("Yes.") == 3, str(done))
        words = case.command([turn("Yes.", expect=["Standard input", "b is narrow"])], "Why?")
        done = subprocess.run(["sh", "-c", 'echo "b is narrow" | "$@" a.c', "sh", *between, *words], cwd=case.root,
                              env=case.environment, capture_output=True, text=True, timeout=60)
        check(done.stdout == "Yes.\n", str(done))
    done = case.run([turn("Yes.")], "-", stdin=b"a\0b")
    check(done.returncode == 2 and "Standard input is not text." in done.err, str(done))


def after_a_request_that_is_piped_in_the_keys_come_from_the_terminal(case):
    screen = Terminal(["sh", "-c", 'echo "Wider, please." | "$@"', "sh", *case.command(WIDER)], case.root, case.environment, 80)
    screen.until(QUESTION)
    screen.type("a")
    screen.end()
    check(screen.code == 0 and case.get() == WIDE, screen.text)
    case.put("a.c", TEXT)
    screen = Terminal(["sh", "-c", 'echo "b is narrow" | "$@" "Wider, please."', "sh", *case.command(WIDER)], case.root, case.environment, 80)
    screen.until(QUESTION)
    screen.type("a")
    screen.end()
    check(screen.code == 0 and case.get() == WIDE, screen.text)


def events_come_while_the_ask_runs(case):
    waits = dict(turn("The end."), delay_ms=600000)
    process = subprocess.Popen(case.command([READ, waits], "--json", "What is b?"), cwd=case.root, env=case.environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        said = b""
        while b'"result"' not in said:
            check(select.select([process.stdout], [], [], 30)[0], "there is only %r" % said)
            more = os.read(process.stdout.fileno(), 4096)
            check(more, "it ended after %r" % said)
            said += more
        check(b"I look first." in said and process.poll() is None, said)
    finally:
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=30)[0]
    check(json.loads(rest.splitlines()[-1])["end"] == "cancelled" and process.returncode == 130, rest)


def json_is_events_one_a_line(case):
    done = case.run(WIDER, "--json", "Wider, please.")
    events = [json.loads(line) for line in done.out.splitlines()]
    end = events.pop()
    check(done.returncode == 0 and done.err == "" and case.get() == TEXT, str(done))
    check({"event": "step", "text": "Reading a.c"} in events, str(events))
    changed = [event for event in events if event["event"] == "result" and event["files"]]
    check([event["files"] for event in changed] == [[{"path": "a.c", "added": 1, "removed": 1}]] * 2, str(events))
    check("".join(e["text"] for e in events if e["event"] == "text") == "I look first.b and g are wider.", str(events))
    check(end["end"] == "proposal" and not end["written"] and end["turns"] == 3 and end["input_tokens"] == 3000, str(end))
    check(end["files"][0]["path"] == "a.c" and "+long b;" in end["files"][0]["diff"], str(end))
    end = json.loads(case.run(WIDER, "--json", "--yes", "Wider, please.").out.splitlines()[-1])
    check(end["written"] and case.get() == WIDE, str(end))
