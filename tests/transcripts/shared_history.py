"""What several processes make of one history: servers, and `bodkin ask` and `bodkin history` next to them. Each test is a
function of the program's path; its name is its sentence."""
import json
import os
import subprocess
import time

from abuse import check, ends_well
from asks import turn
from editor import REPLY, TEXT, WANTED
from history import OnDisk, edit, history, rows

MESSAGES = "SELECT p.text FROM messages m JOIN parts p ON p.message = m.id WHERE m.replaced = 0 ORDER BY m.position, m.id"


def begin(program, editor, turns, *words):
    """`bodkin ask` in the editor's folder, with its history."""
    replay = editor.home + "/replay.json"
    with open(replay, "w") as file:
        json.dump({"name": "test", "turns": turns}, file)
    environment = dict(os.environ, HOME=editor.home, XDG_STATE_HOME=editor.home + "/.state",
                       XDG_CONFIG_HOME=editor.home + "/.config")
    return subprocess.Popen([program, "ask", "--root", editor.folder, "--profile", "blocks", "--provider", "replay",
                             "--model", replay, *words], cwd=editor.folder, env=environment, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(program, editor, turns, *words):
    process = begin(program, editor, turns, *words)
    process.out, process.err = process.communicate(timeout=60)
    return process


def slow(text):
    return dict(turn(text), chunk_bytes=12, delay_ms=8)


def until(what, condition):
    end = time.monotonic() + 30
    while not condition():
        check(time.monotonic() < end, what + " did not come")
        time.sleep(0.02)


def is_held(editor):
    """By an ask: the other lease is the workspace's."""
    folder = editor.home + "/.state/bodkin/leases"
    return os.path.isdir(folder) and os.listdir(folder) != []


def a_session_is_renamed_and_deleted_also_one_of_before(program):
    first = OnDisk(program, [turn("Yes.")])
    old = first.ask("An old one?")["sessionId"]
    first.end("answer")
    first.until_written()
    ends_well(first)
    editor = OnDisk(program, [turn("Yes."), slow("And more " * 200)], again=first.folder)
    session = editor.ask("A new one?")["sessionId"]
    editor.end("answer")
    for id, title in ((session, "A title\nof two lines"), (old, "Renamed")):
        check(editor.request("bodkin/renameSession", {"sessionId": id, "name": title}).get("result") == {}, "it was refused")
    titles = {each["id"]: each["title"] for each in editor.sessions()}
    check(titles[old] == "Renamed" and "\n" not in titles[session] and "A title" in titles[session], str(titles))
    editor.ask("More?", sessionId=session)
    refused = editor.request("bodkin/deleteSession", {"sessionId": session})
    check("is running" in refused["error"]["message"], str(refused))
    editor.command("bodkin.cancel")
    editor.end("cancelled", count=2)
    for id in (old, session):
        check(editor.request("bodkin/deleteSession", {"sessionId": id}).get("result") == {}, "it was refused")
        check("error" in editor.request("bodkin/deleteSession", {"sessionId": id}), "it was deleted twice")
    check(editor.sessions() == [], str(editor.sessions()))
    ends_well(editor)


def what_another_process_said_in_a_session_is_part_of_it(program):
    editor = OnDisk(program, [turn("First answer."), turn("Third answer.", expect=["First answer.", "By hand?", "Second answer."])])
    session = editor.ask("First?")["sessionId"]
    editor.end("answer")
    done = run(program, editor, [turn("Second answer.", expect=["First?", "First answer."])], "--session", session, "By hand?")
    check(done.returncode == 0, done.err)
    editor.ask("Third?", sessionId=session)
    editor.end("answer", count=2)
    editor.until_written()
    # The command line has another name for the folder, which the model is told.
    check([text.split("\n")[-1] for (text,) in rows(editor, MESSAGES)] ==
          ["First?", "First answer.", "By hand?", "Second answer.", "Third?", "Third answer."], str(rows(editor, MESSAGES)))
    ends_well(editor)


def a_session_in_which_a_server_works_is_not_gone_on_with(program):
    editor = OnDisk(program, [turn("One."), slow("word " * 3000), turn("Third.", absent=["By hand?"])])
    session = editor.ask("First?")["sessionId"]
    editor.end("answer")
    editor.ask("Second?", sessionId=session)
    editor.until("its words", lambda: "word word" in "".join(s["text"] for s in editor.of("$/bodkin/stream")))
    done = run(program, editor, [turn("No.")], "--session", session, "By hand?")
    check(done.returncode == 1 and "Another bodkin process is using this session" in done.err, done.out + done.err)
    editor.command("bodkin.cancel")
    editor.end("cancelled", count=2)
    editor.ask("Third?", sessionId=session)
    editor.end("answer", count=3)
    ends_well(editor)


def an_ask_waits_for_another_process_if_it_is_told_to(program):
    editor = OnDisk(program, [turn("One."), turn("Third.", expect=["By hand?", "word word", "END"])])
    session = editor.ask("First?")["sessionId"]
    editor.end("answer")
    editor.until_written()
    process = begin(program, editor, [slow("word " * 400 + "END")], "--session", session, "By hand?")
    until("the other ask", lambda: is_held(editor))
    editor.ask("Now?", sessionId=session)
    check("Another bodkin process is using this session" in editor.end("failed", count=2)["message"], str(editor.heard))
    editor.ask("Then?", sessionId=session, whenBusy="queue")
    editor.end("answer", count=3)
    check(process.wait() == 0, "the other ask failed")
    process.communicate()
    ends_well(editor)


def two_asks_on_the_command_line_make_one_dialogue(program):
    editor = OnDisk(program, [turn("One.")])
    session = editor.ask("First?")["sessionId"]
    editor.end("answer")
    ends_well(editor)
    first = begin(program, editor, [slow("ANSWER " * 200)], "--session", "last", "Second?")
    until("the first ask", lambda: is_held(editor))
    second = run(program, editor, [turn("No.")], "--session", session, "Third?")
    out, err = first.communicate(timeout=60)
    check(first.returncode == 0 and "ANSWER" in out, err)
    check(second.returncode == 1 and "Another bodkin process is using this session" in second.err, second.err)
    # The beginning of an id is enough.
    third = run(program, editor, [turn("Three.", expect=["First?", "Second?", "ANSWER"], absent=["Third?"])],
                "--session", session[:-1], "Fourth?")
    check(third.returncode == 0, third.err)


def what_is_cleared_while_it_streams_in_stays_away(program):
    """And goes to no other session, whose messages come next."""
    editor = OnDisk(program, [slow("OURS " * 3000)])
    editor.ask("Ours?")
    editor.until("its words", lambda: "OURS OURS" in "".join(s["text"] for s in editor.of("$/bodkin/stream")))
    editor.until_written()
    check(history(program, editor, "clear", "--yes").returncode == 0, "it was not cleared")

    def prepare(folder, home):
        os.makedirs(home + "/.state")
        os.symlink(editor.home + "/.state/bodkin", home + "/.state/bodkin")
        return folder
    other = OnDisk(program, [slow("theirs " * 3000)], prepare=prepare)
    other.ask("Theirs?")
    other.until("its words", lambda: "theirs theirs" in "".join(s["text"] for s in other.of("$/bodkin/stream")))
    heard = len(editor.of("$/bodkin/stream"))
    editor.until("more words", lambda: len(editor.of("$/bodkin/stream")) > heard)
    editor.command("bodkin.cancel")
    editor.end("cancelled")
    editor.until_written()
    other.until_written()
    kept = rows(editor, "SELECT m.session, p.text FROM messages m JOIN parts p ON p.message = m.id")
    check(len({session for session, _ in kept}) == 1 and "OURS" not in str(kept) and "theirs" in str(kept), str(kept)[:500])
    check(not [m for m in editor.said() + other.said() if "history" in m], str(editor.said() + other.said()))
    ends_well(other)
    ends_well(editor)


def undo_takes_what_another_process_applied_last(program):
    editor = OnDisk(program, [], files={"a.c": TEXT, "b.c": "int x;\n"})
    proposal = editor.propose(REPLY)
    editor.command("bodkin.apply", proposalId=proposal)
    editor.state("applied")
    editor.until_written()
    done = run(program, editor, [turn(edit("b.c", "int x;\n", "long x;\n"))], "--yes", "Change b", "b.c")
    check(done.returncode == 0 and editor.get("b.c") == "long x;\n", done.err)
    check("result" in editor.command("bodkin.undo"), "nothing to undo")
    editor.state("discarded")
    check((editor.get("a.c"), editor.get("b.c")) == (WANTED, "int x;\n"), editor.get("a.c") + editor.get("b.c"))
    editor.states.clear()
    check("result" in editor.command("bodkin.undo"), "nothing more to undo")
    editor.state("discarded")
    check(editor.get("a.c") == TEXT, editor.get("a.c"))
    ends_well(editor)


def what_cannot_be_undone_now_can_be_when_its_text_is_back(program):
    editor = OnDisk(program, [], files={"a.c": TEXT})
    proposal = editor.propose(REPLY)
    editor.command("bodkin.apply", proposalId=proposal)
    editor.state("applied")
    editor.dies()
    editor.put("a.c", WANTED.replace("long b", "short b"))
    other = OnDisk(program, [], again=editor.folder)
    for arguments in ({"proposalId": proposal}, {}, {}):
        answer = other.command("bodkin.undo", **arguments)
        check("has changed since" in answer["error"]["message"], str(answer))
    other.dies()
    editor.put("a.c", WANTED)
    third = OnDisk(program, [], again=editor.folder)
    check("result" in third.command("bodkin.undo"), "nothing to undo")
    third.state("discarded")
    check(third.get("a.c") == TEXT, third.get("a.c"))
    ends_well(third)


def undo_in_an_editor_never_goes_past_what_it_cannot_undo(program):
    editor = OnDisk(program, [], files={"a.c": TEXT, "b.c": "int x;\n"})
    environment = dict(os.environ, HOME=editor.home, XDG_STATE_HOME=editor.home + "/.state", XDG_CONFIG_HOME=editor.home + "/.config")
    new = "*** Begin Patch\n*** Add File: new.c\n+int n;\n*** End Patch\n"
    subprocess.run([program, "apply"], cwd=editor.folder, env=environment, input=new, text=True, check=True, capture_output=True)
    proposal = editor.propose(REPLY)
    editor.command("bodkin.apply", proposalId=proposal)
    editor.state("applied")
    editor.until_written()
    editor.put("a.c", WANTED.replace("long b", "short b"))
    for _ in range(3):
        answer = editor.command("bodkin.undo")
        words = answer.get("error", {}).get("message", "")
        check("a.c has changed since" in words and "(new.c), is undone by its id, p0-" in words, str(answer))
        check(editor.get("new.c") == "int n;\n", "new.c is gone")
    editor.put("a.c", WANTED)
    editor.states.clear()
    check("result" in editor.command("bodkin.undo"), "not undone")
    check(editor.state("discarded", of=proposal)["message"] == "Undone.", str(editor.states))
    editor.states.clear()
    check("result" in editor.command("bodkin.undo"), "not undone")
    said = editor.state("discarded")["message"]
    check(said.startswith("Undone: “") and said.endswith(" (new.c).") and editor.get("new.c") is None, said)
    editor.states.clear()
    check("result" in editor.command("bodkin.redo"), "not redone")
    said = editor.state("applied")["message"]
    check(said.startswith("Applied: “") and "(new.c)" in said and editor.get("new.c") == "int n;\n", said)
    ends_well(editor)


def what_a_terminal_applied_is_undone_once_the_editor_has_read_it(program):
    editor = OnDisk(program, [], texts={"a.c": TEXT}, files={"a.c": TEXT})
    environment = dict(os.environ, HOME=editor.home, XDG_STATE_HOME=editor.home + "/.state", XDG_CONFIG_HOME=editor.home + "/.config")
    subprocess.run([program, "apply"], cwd=editor.folder, env=environment, input=REPLY, text=True, check=True, capture_output=True)
    check("error" in editor.command("bodkin.undo"), "undone before the editor has read it")
    editor.on_apply = lambda editor, change: editor.take(change)
    editor.change("a.c", WANTED)
    check("result" in editor.command("bodkin.undo"), "not undone")
    editor.state("discarded")
    check(editor.buffers["a.c"] == TEXT, editor.buffers["a.c"])
    ends_well(editor)


def undo_leaves_files_alone_whose_folder_is_not_open(program):
    reply = edit("one/a.c", "int b;\n", "long b;\n") + edit("two/a.c", "int b;\n", "long b;\n")
    editor = OnDisk(program, [turn(reply)], folders=["one", "two"], files={"one/a.c": TEXT, "two/a.c": TEXT})
    editor.command("bodkin.ask", prompt="Both.")
    proposal = editor.end("proposal")["proposalId"]
    editor.command("bodkin.apply", proposalId=proposal)
    editor.state("applied")
    editor.dies()
    again = OnDisk(program, [], again=editor.folder, folders=["one"])
    answer = again.command("bodkin.undo", proposalId=proposal)
    check("result" in answer and "two/a.c" in str(answer["result"]["changed"]), str(answer))
    message = again.state("applied")["message"]
    check("two/a.c is in a folder that is not open" in message, message)
    check((again.get("one/a.c"), again.get("two/a.c")) == (TEXT, WANTED), again.get("two/a.c"))
    again.states.clear()  # what was undone can be done again
    check("result" in again.command("bodkin.apply", proposalId=proposal), "it was not applied again")
    again.state("applied")
    check(again.get("one/a.c") == WANTED, again.get("one/a.c"))
    ends_well(again)


def a_file_whose_name_is_a_secret_is_not_kept_and_undo_says_so(program):
    name = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5" + ".c"
    for files, reply in (({"a.c": TEXT, name: "int x;\n"}, edit(name, "int x;\n", "long x;\n")),
                         ({"a.c": TEXT}, "*** Begin Patch\n*** Add File: %s\n+long x;\n*** End Patch\n" % name)):
        editor = OnDisk(program, [turn(reply)], files=files)
        editor.ask("Change it.")
        proposal = editor.end("proposal")["proposalId"]
        editor.command("bodkin.apply", proposalId=proposal)
        editor.state("applied")
        editor.dies()
        shown = history(program, editor, "show", rows(editor, "SELECT id FROM sessions")[0][0], "--json").stdout
        kept = shown + str(rows(editor, "SELECT state FROM sessions")) + str(rows(editor, "SELECT path FROM files"))
        check(name not in kept and name[:-2] not in kept, kept)
        again = OnDisk(program, [], again=editor.folder)
        for command in ("bodkin.undo", "bodkin.apply"):
            answer = again.command(command, proposalId=proposal)
            check("secret" in answer.get("error", {}).get("message", ""), str(answer))
        check(again.get(name) == "long x;\n" and not again.asked, str(again.asked))
        ends_well(again)


def bodkin_undo_takes_back_what_an_editor_applied_and_the_editor_does_it_again(program):
    reply = edit("one/a.c", "int b;\n", "long b;\n") + edit("two/a.c", "int b;\n", "long b;\n")
    editor = OnDisk(program, [turn(reply)], folders=["one", "two"], files={"one/a.c": TEXT, "two/a.c": TEXT})
    editor.command("bodkin.ask", prompt="Both.")
    proposal = editor.end("proposal")["proposalId"]
    editor.command("bodkin.apply", proposalId=proposal)
    editor.state("applied")
    editor.until_written()
    editor.dies()
    environment = dict(os.environ, HOME=editor.home, XDG_STATE_HOME=editor.home + "/.state",
                       XDG_CONFIG_HOME=editor.home + "/.config")

    def undo(*words):
        return subprocess.run([program, "undo", *words], cwd="/", env=environment, capture_output=True, text=True, timeout=60)
    done = undo(proposal)  # of two folders, one is meant
    check(done.returncode == 2 and "--root" in done.stderr, str(done))
    done = undo(proposal, "--root", editor.folder + "/one")
    check(done.returncode == 1 and "two/a.c is in a folder" in " ".join(done.stderr.split()), str(done))
    check((editor.get("one/a.c"), editor.get("two/a.c")) == (TEXT, WANTED), editor.get("one/a.c"))
    done = undo("--root", editor.folder + "/two")
    check(done.returncode == 0 or "one/a.c" in done.stderr, str(done))
    check((editor.get("one/a.c"), editor.get("two/a.c")) == (TEXT, TEXT), editor.get("two/a.c"))
    again = OnDisk(program, [], again=editor.folder, folders=["one", "two"])
    check("result" in again.command("bodkin.apply", proposalId=proposal), "it was not applied again")
    again.state("applied")
    check((again.get("one/a.c"), again.get("two/a.c")) == (WANTED, WANTED), again.get("one/a.c"))
    ends_well(again)


def an_editor_does_again_what_was_undone_last_though_a_terminal_undid_it(program):
    for applied_by in "terminal", "editor":
        editor = OnDisk(program, [], files={"a.c": TEXT, "b.c": TEXT})
        environment = dict(os.environ, HOME=editor.home, XDG_STATE_HOME=editor.home + "/.state",
                           XDG_CONFIG_HOME=editor.home + "/.config")

        def run_in_terminal(*words, reply=""):
            done = subprocess.run([program, *words], cwd=editor.folder, env=environment, input=reply, capture_output=True,
                                  text=True, timeout=60)
            check(done.returncode == 0, str(done))

        def apply(name):
            id = editor.propose(edit(name, "int b;\n", "long b;\n"))
            editor.command("bodkin.apply", proposalId=id)
            editor.state("applied", of=id)
            editor.until_written()
            return id
        last = [apply("b.c")] if applied_by == "editor" else []
        first = apply("a.c")
        editor.command("bodkin.undo")
        editor.until("the undo", lambda: any(s["proposalId"] == first and s["state"] == "discarded" for s in editor.states))
        editor.until_written()
        if not last:
            run_in_terminal("apply", reply=edit("b.c", "int b;\n", "long b;\n"))
        run_in_terminal("undo", *last)
        check("result" in editor.command("bodkin.redo"), "nothing was done again")
        editor.until("its end", lambda: editor.get("b.c") != TEXT or editor.get("a.c") != TEXT)
        check((editor.get("a.c"), editor.get("b.c")) == (TEXT, WANTED), applied_by + ": " + editor.get("a.c"))
        ends_well(editor)


def terminal_of(program, editor):
    """Runs the program in a terminal of the editor's user, in its folder."""
    environment = dict(os.environ, HOME=editor.home, XDG_STATE_HOME=editor.home + "/.state", XDG_CONFIG_HOME=editor.home + "/.config")

    def run_in_terminal(*words):
        done = subprocess.run([program, *words], cwd=editor.folder, env=environment, input="", capture_output=True, text=True,
                              timeout=60)
        check(done.returncode == 0, str(done))
        return done.stdout
    return run_in_terminal


class Saving(OnDisk):
    """It has a.c open, and saves at once what it changes, there and in files that are not open."""

    def __init__(self, program, files):
        super().__init__(program, [], texts={"a.c": files["a.c"]}, files=files)
        self.on_apply = lambda editor, change: editor.take_and_save(change)

    def take_and_save(self, change):
        for each in change["documentChanges"]:
            name = self.name(each["textDocument"]["uri"])
            part = {"documentChanges": [each]}
            if name in self.buffers:
                self.take(part)
                self.put(name, self.buffers[name])
            else:
                self.save(part)
        return {"applied": True}

    def applied(self, reply, **more):
        id = self.propose(reply)
        check("result" in self.command("bodkin.applyHunk" if more else "bodkin.apply", proposalId=id, **more), "not applied")
        self.state("partly" if more else "applied", of=id)
        self.until_written()
        return id


def what_a_terminal_undid_on_the_disk_is_still_undone_in_the_editor_that_has_it(program):
    for does, types in ((does, types) for does in ("redo", "redo by id", "nothing") for types in (False, True)):
        editor = Saving(program, {"a.c": TEXT})
        terminal = terminal_of(program, editor)
        id = editor.applied(REPLY)
        if types:
            editor.change("a.c", "// mine\n" + WANTED)
        terminal("undo")
        check(editor.get("a.c") == TEXT, editor.get("a.c"))
        if does != "nothing":
            answer = editor.command("bodkin.redo", **({"proposalId": id} if does == "redo by id" else {}))
            check("undone on the disk" in answer.get("error", {}).get("message", ""), str(answer))
            terminal("redo", id)  # nothing of it is lost
            terminal("undo", id)
        editor.states.clear()
        check("result" in editor.command("bodkin.undo"), "not undone after " + does)
        check(editor.state("discarded", of=id)["message"] == "Undone.", str(editor.states))
        check(editor.buffers["a.c"] == ("// mine\n" if types else "") + TEXT, editor.buffers["a.c"])
        ends_well(editor)


def a_redo_brings_back_only_what_is_not_in_the_editor(program):
    editor = Saving(program, {"a.c": TEXT, "b.c": TEXT})
    terminal = terminal_of(program, editor)
    id = editor.applied(REPLY + edit("b.c", "int b;\n", "long b;\n"))
    terminal("undo")
    check((editor.get("a.c"), editor.get("b.c"), editor.buffers["a.c"]) == (TEXT, TEXT, WANTED), editor.buffers["a.c"])
    editor.states.clear()
    check("result" in editor.command("bodkin.redo"), "not redone")
    editor.until("its end", lambda: [s for s in editor.states if s["state"] == "applied" and s["message"] == "Applied."])
    check((editor.buffers["a.c"], editor.get("b.c")) == (WANTED, WANTED), editor.get("b.c"))
    editor.states.clear()
    check("result" in editor.command("bodkin.undo"), "not undone")
    check(editor.state("discarded", of=id)["message"] == "Undone.", str(editor.states))
    check((editor.buffers["a.c"], editor.get("b.c")) == (TEXT, TEXT), editor.get("b.c"))
    ends_well(editor)


def what_a_terminal_undid_is_applied_again_by_its_id(program):
    for command in "bodkin.redo", "bodkin.apply":
        editor = OnDisk(program, [], files={"a.c": TEXT})
        terminal = terminal_of(program, editor)
        id = editor.propose(REPLY)
        editor.command("bodkin.apply", proposalId=id)
        editor.state("applied", of=id)
        editor.until_written()
        terminal("undo")
        check("result" in editor.command(command, proposalId=id), command + ": not applied again")
        editor.until("the text", lambda: editor.get("a.c") == WANTED)
        ends_well(editor)


def a_terminal_undoes_and_redoes_what_an_editor_then_takes_back(program):
    editor = OnDisk(program, [], files={"a.c": TEXT})
    terminal = terminal_of(program, editor)
    id = editor.propose(REPLY)
    editor.command("bodkin.apply", proposalId=id)
    editor.state("applied", of=id)
    editor.command("bodkin.undo", proposalId=id)
    editor.state("discarded", of=id)
    editor.until_written()
    terminal("redo")
    check(editor.get("a.c") == WANTED, editor.get("a.c"))
    editor.states.clear()
    answer = editor.command("bodkin.undo", proposalId=id)
    check("result" in answer, str(answer))
    editor.state("discarded", of=id)
    check(editor.get("a.c") == TEXT, editor.get("a.c"))
    ends_well(editor)


def what_is_discarded_after_a_terminal_undid_the_rest_is_all_out_of_place(program):
    two = "".join("int %s;\n" % each for each in "abcdefghijklmn")
    editor = OnDisk(program, [], files={"a.c": two})
    terminal = terminal_of(program, editor)
    id = editor.propose(REPLY + edit("a.c", "int k;\n", "long k;\n"))
    editor.command("bodkin.applyHunk", proposalId=id, hunks=[0])
    editor.state("partly", of=id)
    editor.until_written()
    terminal("undo")
    check(editor.get("a.c") == two, editor.get("a.c"))
    editor.states.clear()
    check("result" in editor.command("bodkin.discard", proposalId=id), "not discarded")
    check(editor.states[-1]["state"] == "discarded" and editor.states[-1]["message"] == "Discarded.", str(editor.states))
    editor.until_written()
    terminal("redo")
    check(editor.get("a.c") == two.replace("int b", "long b"), editor.get("a.c"))
    ends_well(editor)


def tests():
    return [(name.replace("_", " "), test) for name, test in globals().items()
            if callable(test) and getattr(test, "__module__", "") == __name__
            and name not in ("begin", "run", "slow", "until", "is_held", "terminal_of", "Saving", "tests")]
