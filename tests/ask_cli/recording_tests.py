"""Recordings, and what is left after an interrupt."""
import json
import signal
import subprocess

from case import QUESTION, history
from cli_support import TEXT, WIDER, block, check, edit, turn


def a_recording_that_cannot_be_written_asks_no_model(case):
    (case.home / "link").symlink_to(case.root / "a.c")
    for place in (case.home / "link", case.home / "none" / "rec.json", case.root / "a.c"):
        done = case.run(WIDER, "--record", str(place), "--diff", "Wider, please.")
        check(done.returncode == 1 and "Cannot write the recording" in done.err and case.get() == TEXT, done.err)
        check(done.out == "", done.out)


def a_key_over_several_strings_is_not_recorded(case):
    key = ["-----BEGIN RSA PRIVATE KEY-----"] + ["MIIEpAIBAAKCAQEAx%dZk9Qb7Yw2Lr4" % n for n in range(20)]
    key += ["-----END RSA PRIVATE KEY-----"]
    calls = [{"name": "grep_search", "arguments": {"query": "x", "lines": key}}]
    recording = case.home / "bug.json"
    case.run([turn("", calls), turn("Done.")], "--record", str(recording), "What is it?")
    check("MIIEpAIB" not in recording.read_text(), "the key is in the recording")


def a_key_of_the_environment_is_not_recorded_whatever_its_form(case):
    case.put("a.c", TEXT + "// in-house-words-7\n")
    recording = case.home / "bug.json"
    case.environment["HOUSE_API_KEY"] = "in-house-words-7"
    done = case.run(WIDER, "--record", str(recording), "--diff", "Wider than in-house-words-7, please.")
    check(done.returncode == 0 and "in-house-words-7" not in recording.read_text() and "long b;" in recording.read_text(), str(done))
    again = subprocess.run([case.program, "replay", str(recording)], cwd="/", env=dict(case.environment, HOUSE_API_KEY=""),
                           capture_output=True, text=True, timeout=60)
    check(again.returncode == 0 and "It went as recorded." in again.stderr, str(again))


def a_recording_is_one_file_without_secrets_that_anybody_plays_again(case):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    case.put("a.c", TEXT + "// %s\n" % secret)
    recording = case.home / "bug.json"
    done = case.run(WIDER, "--record", str(recording), "--diff", "Wider, please; the token is %s." % secret, "a.c:2-3")
    text = recording.read_text()
    check(done.returncode == 0 and secret not in text and "long b;" in text, text)
    played = json.loads(text)
    check(played["ask"]["files"] == ["a.c:2-3"] and len(played["turns"]) == 3, text)
    before = case.get()
    for environment in (case.environment, dict(case.environment, HOME=str(case.home / "other"))):
        again = subprocess.run([case.program, "replay", str(recording)], cwd="/", env=environment, capture_output=True, timeout=60)
        check(again.returncode == 0, again.stderr.decode())
        check("+long b;" in again.stdout.decode() and "+long g;" in again.stdout.decode(), again.stdout.decode())
    check(case.get() == before, "the files were changed")
    for wrong in ("nothing", "[]", '{"turns": []}', '{"ask": {"prompt": "x"}, "files": {"../a": "x"}, "turns": []}'):
        recording.write_text(wrong)
        again = subprocess.run([case.program, "replay", str(recording)], env=case.environment, capture_output=True, timeout=60)
        check(again.returncode == 1 and again.stderr, wrong)


def an_interrupt_at_a_question_leaves_a_whole_recording_and_history(case):
    case.settings(**{"agent.permissions": {"edit": "ask"}})
    recording = case.home / "bug.json"
    screen = case.terminal(WIDER, "--record", str(recording), "Wider, please.")
    screen.until("a [r]eason ")
    screen.type("\x03")
    text = screen.end()
    check(screen.code == 130 and "Cancelled." in text, text)
    check(len(json.loads(recording.read_text())["turns"]) == 2, recording.read_text())
    shown = history(case, "show", "last")
    check("Cancelled." in shown and "still runs" not in shown and "edit a.c  +1" in shown, shown)


def the_history_says_what_came_of_an_ask_that_was_cancelled(case):
    slow = case.terminal([dict(turn("a word " * 2000), chunk_bytes=7, delay_ms=20)], "Explain.")
    slow.until("a word a word")
    slow.type("\x03")
    slow.end()
    shown, exported = history(case, "show", "last"), history(case, "export", json.loads(history(case, "--json", "list"))[0]["id"][:4])
    check("a word a word" in shown and "Cancelled." in shown, shown)
    check("*(The reply was cut off here.)*" in shown and "none of it was used" not in shown + exported, shown)  # which the model is told
    check("; continue with bodkin ask --session" in slow.text.replace("\r\n  ", " "), slow.text)
    check("(1 turn, tokens unknown, price unknown)" in shown, shown)
    check(exported.count("a word") <= shown.count("a word") and exported.count("cut off here") == 1, exported)


def an_interrupt_ends_it_with_130_and_an_orderly_terminal(case):
    screen = case.terminal(WIDER, "Wider, please.")
    screen.until(QUESTION)
    screen.type("\x03")
    text = screen.end()
    check(screen.code == 130 and case.get() == TEXT, text)
    slow = case.terminal([dict(turn("b " * 2000), chunk_bytes=2, delay_ms=20)], "Wider, please.")
    slow.until("b b b")
    slow.type("\x03")
    text = slow.end()
    check(slow.code == 130 and "Cancelled." in text, text)


def an_interrupt_shows_no_beginning_of_an_edit(case):
    reply = "I widen b.\n\n" + block("a.c", "int b;\n", "long b;\n") * 40
    for chunk in (7, 20):  # in its first line, and after it
        screen = case.terminal([dict(turn(reply), chunk_bytes=chunk, delay_ms=600)], "--profile", "blocks", "Wider, please.")
        screen.until("I widen b.")
        screen.type("\x03")
        text = screen.end()
        check(screen.code == 130 and "Cancelled." in text and "a.c" not in text and "<<<" not in text, text)
        shown = history(case, "show", "last")
        check("I widen b.\n\n*(The reply was cut off here.)*" in shown and "<<<" not in shown, shown)


def a_signal_while_it_writes_does_not_leave_half(case):
    names = ["f%02d.c" % i for i in range(20)]
    edits = [edit("int b;", "long b;", name) for name in names]
    reads = [{"name": "read_file", "arguments": {"path": name}} for name in names]
    journals = case.home / ".local/state/bodkin/apply"
    for attempt in range(4):
        for name in names:
            case.put(name, TEXT)
        process = subprocess.Popen(case.command([turn("", reads), turn("", edits), turn("Done.")], "--yes", "Wider."),
                                   cwd=case.root, env=case.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and not any(path.is_file() for path in journals.rglob("*journal*")):
            pass
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT if attempt % 2 else signal.SIGTERM)
        process.wait(60)
        check(len({case.get(name) for name in names}) == 1, "half of the files are changed")


def an_interrupted_run_is_undone_before_the_model_sees_the_files(case):
    """The journal of `bodkin apply`, killed while it writes."""
    names = ["f%02d.c" % i for i in range(20)]
    blocks = "".join("%s\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n" % name for name in names)
    for attempt in range(20):
        for name in names:
            case.put(name, TEXT)
        process = subprocess.Popen([case.program, "apply"], cwd=case.root, env=case.environment, stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        process.stdin.write(blocks.encode())
        process.stdin.close()
        while process.poll() is None and "long" not in case.get(names[0]):
            pass
        process.kill()
        process.wait()
        if len({case.get(name) for name in names}) == 2:
            break
    else:
        return  # it was always faster
    done = case.run([turn("They are ints.")], "What is b?")
    check(done.returncode == 0 and "an earlier run was interrupted" in done.err, str(done))
    check({case.get(name) for name in names} == {TEXT}, "half of the files are changed")
