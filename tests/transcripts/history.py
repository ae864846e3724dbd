"""What outlives the server: sessions, proposals, and what was said, also if it was killed. Each test is a function of
the program's path; its name is its sentence."""
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time

from abuse import check, ends_well
from asks import Asker, turn
from editor import REPLY, TEXT, WANTED

FILES = 20


def edit(path, old, new):
    return "%s\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n" % (path, old, new)


class OnDisk(Asker):
    """An editor that saves at once what it changes, and has no file open."""

    def __init__(self, program, turns, settings=None, **more):
        super().__init__(program, turns, settings, **dict({"texts": {}}, **more))
        self.on_apply = lambda editor, change: editor.save(change)

    def ask(self, prompt="Wider, please.", **more):
        answer = self.command("bodkin.ask", prompt=prompt, **more)
        check("result" in answer, "the ask was refused: " + str(answer))
        return answer["result"]

    def path(self, name):
        return os.path.join(self.folder, name)

    def get(self, name):
        if not os.path.exists(self.path(name)):
            return None
        with open(self.path(name)) as file:
            return file.read()

    def put(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w") as file:
            file.write(text)

    def save(self, change):
        for each in change["documentChanges"]:
            if each.get("kind") == "create":
                self.put(self.name(each["uri"]), "")
            elif each.get("kind") == "rename":
                os.makedirs(os.path.dirname(self.path(self.name(each["newUri"]))), exist_ok=True)
                os.rename(self.path(self.name(each["oldUri"])), self.path(self.name(each["newUri"])))
            elif each.get("kind") == "delete":
                os.remove(self.path(self.name(each["uri"])))
            else:
                name = self.name(each["textDocument"]["uri"])
                self.buffers[name] = self.get(name)
                self.put(name, self.edited(each["edits"], name))
                del self.buffers[name]
        return {"applied": True}

    def dies(self):
        """As of a power cut, but that what was written is there: after the second that may be missing."""
        self.until_written()
        self.process.kill()
        self.process.wait()

    def dies_with_an_edit(self, command, happens, **arguments):
        """The server is killed when it has sent the edit of a command, before it hears what came of it."""
        asked = len(self.asked)

        def dies(editor, change):
            if happens:
                happens(change)
            self.process.kill()
        self.on_apply = dies
        # The answer may come, or not.
        self.begin("workspace/executeCommand", {"command": command, "arguments": [arguments]})
        self.until("the edit", lambda: len(self.asked) > asked)
        self.process.wait()

    def until_written(self):
        # The history reads after it has written.
        check("result" in self.request("bodkin/listSessions", {}), "no list of sessions")

    def sessions(self):
        return self.request("bodkin/listSessions", {})["result"]["sessions"]

    def said(self):
        """All messages that are shown to the user."""
        return [m["params"]["message"] for m in self.heard if m.get("method") == "window/showMessage"]


def database(editor):
    return editor.home + "/.state/bodkin/history.db"


def rows(editor, sql):
    connection = sqlite3.connect(database(editor))
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def history(program, editor, *words):
    environment = dict(os.environ, HOME=editor.home, XDG_STATE_HOME=editor.home + "/.state")
    done = subprocess.run([program, "history", *words], env=environment, capture_output=True, text=True, timeout=60)
    return done


def contents(folder):
    return {name: open(os.path.join(folder, name), "rb").read() for name in sorted(os.listdir(folder))
            if os.path.isfile(os.path.join(folder, name)) and name != "replay.json"}


def a_session_goes_on_after_a_restart(program):
    editor = Asker(program, [turn("I widen it.\n" + REPLY)])
    first = editor.ask()
    editor.end("proposal")
    ends_well(editor)
    # The model sees what was said, and the file need not be read again: it has not changed.
    again = OnDisk(program, [turn("Done already.", expect=["Wider, please.", "I widen it.", "And now?"])],
                   again=editor.folder)
    listed = again.sessions()
    check([s["id"] for s in listed] == [first["sessionId"]] and listed[0]["title"] == "Wider, please.", str(listed))
    second = again.ask("And now?", sessionId=first["sessionId"])
    check(second["sessionId"] == first["sessionId"] and second["askId"] != first["askId"], str(second))
    again.end("answer")
    check(again.sessions()[0]["asks"] == 2, str(again.sessions()))
    ends_well(again)


def what_was_read_before_a_restart_may_be_edited_if_it_is_unchanged(program):
    def call(text, *calls):
        return turn(text, [(name, arguments) for name, arguments in calls])
    change = ("edit", {"path": "b.c", "old_str": "int x;", "new_str": "long x;"})
    for now, refused in (("int x;\n", False), ("int x; // mine\n", True)):
        editor = OnDisk(program, [call("", ("read_file", {"path": "b.c"})), turn("I have read it.")],
                        {"agent.profile": "tools"}, files={"a.c": TEXT, "b.c": "int x;\n"})
        session = editor.ask("Read b.c.")["sessionId"]
        editor.end("answer")
        ends_well(editor)
        editor.put("b.c", now)
        again = OnDisk(program, [call("", change), turn("That is all.", expect=["has changed since"] if refused else [])],
                       {"agent.profile": "tools"}, again=editor.folder)
        again.ask("Change it.", sessionId=session)
        again.end("failed" if refused else "proposal")
        ends_well(again)


def a_session_belongs_to_its_workspace(program):
    editor = Asker(program, [turn("Yes.")])
    session = editor.ask()["sessionId"]
    editor.end("answer")
    ends_well(editor)

    def prepare(folder, home):
        shutil.copytree(editor.home + "/.state", home + "/.state")
        return folder
    elsewhere = OnDisk(program, [turn("No.")], prepare=prepare)
    check(elsewhere.sessions() == [], "a session of another folder is listed")
    answer = elsewhere.command("bodkin.ask", prompt="Go on.", sessionId=session)
    check("belongs to another workspace" in answer.get("error", {}).get("message", ""), str(answer))
    answer = elsewhere.command("bodkin.ask", prompt="Go on.", sessionId="session-1-unknown")
    check("No such session" in answer["error"]["message"], str(answer))
    ends_well(elsewhere)


def a_killed_server_has_kept_all_but_the_last_second(program):
    words = "".join("word%d " % i for i in range(4000))
    for seconds in (1.3, 2.1, 3.4):
        slow = dict(turn(words), chunk_bytes=40, delay_ms=20)
        editor = OnDisk(program, [turn("", [("read_file", {"path": "b.c"})]), slow], {"agent.profile": "tools"},
                        files={"a.c": TEXT, "b.c": "int x;\n"})
        before = contents(editor.folder)
        asked = editor.ask("Say it all.")
        editor.until("the first words", lambda: any(s["kind"] == "text" and s["text"] for s in editor.of("$/bodkin/stream")))
        begun, heard = time.monotonic(), []
        while time.monotonic() < begun + seconds:
            editor.until("more words", lambda: len(editor.of("$/bodkin/stream")) > len(heard))
            heard = editor.of("$/bodkin/stream")
            kept = "".join(s["text"] for s in heard if s["kind"] == "text")
            heard_at = getattr(editor, "heard_at", [])
            heard_at.append((time.monotonic(), kept))
            editor.heard_at = heard_at
        editor.process.kill()
        killed = time.monotonic()
        editor.process.wait()
        check(contents(editor.folder) == before, "a file of the workspace was touched")
        earlier = [text for when, text in editor.heard_at if when < killed - 1][-1]
        text = "".join(row[0] for row in rows(editor, "SELECT text FROM parts WHERE kind = 'text' AND message = "
                                              "(SELECT max(id) FROM messages) ORDER BY number"))
        check(earlier and text.startswith(earlier), "%d bytes are kept, of %d a second before" % (len(text), len(earlier)))
        check(words.startswith(text), "what is kept was never said")
        tools = rows(editor, "SELECT tool, failed FROM calls")
        check(tools == [("read_file", 0)], str(tools))
        # The next server goes on with it; what was cut off is marked.
        again = OnDisk(program, [turn("Yes.", expect=["word7 ", "was cut off here", "int x;"])], {"agent.profile": "tools"},
                       again=editor.folder)
        again.ask("Go on.", sessionId=asked["sessionId"])
        again.end("answer")
        ends_well(again)


def many_files(program):
    """A change of many files, with new, removed and renamed ones, that has been applied."""
    files = {"f%02d.c" % i: "int first;\nint x%d;\nint last;\n" % i for i in range(FILES)}
    reply, after = "", dict(files)
    for i in range(FILES - 4):
        name = "f%02d.c" % i
        reply += edit(name, "int x%d;\n" % i, "long x%d;\n" % i)
        after[name] = files[name].replace("int x", "long x")
    patch = "*** Begin Patch\n"
    for i in (FILES - 4, FILES - 3):
        patch += "*** Delete File: f%02d.c\n" % i
        del after["f%02d.c" % i]
    i = FILES - 2
    patch += "*** Update File: f%02d.c\n*** Move to: moved.c\n@@\n int first;\n-int x%d;\n+long x%d;\n" % (i, i, i)
    after["moved.c"] = after.pop("f%02d.c" % i).replace("int x", "long x")
    patch += "*** Add File: new.c\n+int fresh;\n*** End Patch\n"
    after["new.c"] = "int fresh;\n"
    editor = OnDisk(program, [turn("I change them.\n" + reply + patch)], files=dict(files, **{"a.c": TEXT}))
    editor.ask("Change them.")
    proposal = editor.end("proposal")["proposalId"]
    check("result" in editor.command("bodkin.apply", proposalId=proposal), "it cannot be applied")
    editor.state("applied")
    now = {name: editor.get(name) for name in sorted(set(files) | set(after))}
    check({k: v for k, v in now.items() if v is not None} == after, "applied: " + str(now))
    editor.dies()
    return editor, proposal, files, after


def a_change_of_many_files_is_undone_after_a_restart_and_done_again(program):
    editor, proposal, files, after = many_files(program)
    again = OnDisk(program, [], again=editor.folder)
    answer = again.command("bodkin.undo", proposalId=proposal)
    check(answer.get("result") == {"state": "applying"}, str(answer))
    check(again.state("discarded")["message"] == "Undone.", str(again.states))
    for name in set(files) | set(after):
        check(again.get(name) == files.get(name), name + ": " + str(again.get(name)))
    again.dies()
    # And again, in yet another server.
    third = OnDisk(program, [], again=editor.folder)
    answer = third.command("bodkin.apply", proposalId=proposal)
    check("result" in answer, str(answer))
    third.state("applied")
    for name in set(files) | set(after):
        check(third.get(name) == after.get(name), name + ": " + str(third.get(name)))
    ends_well(third)


def folders_that_were_made_for_new_files_are_removed_with_them(program):
    new = "*** Begin Patch\n*** Add File: x/y/n.c\n+int n;\n*** Update File: a.c\n*** Move to: x/a.c\n*** End Patch\n"
    for restarts, is_empty in ((False, True), (True, True), (False, False)):
        editor = OnDisk(program, [], files={"a.c": TEXT})
        proposal = editor.propose(new)
        editor.command("bodkin.apply", proposalId=proposal)
        editor.state("applied")
        check(editor.get("x/y/n.c") and editor.get("x/a.c") == TEXT and editor.get("a.c") is None, "not applied")
        if not is_empty:
            editor.put("x/mine.c", "int mine;\n")
        if restarts:
            editor.dies()
            editor = OnDisk(program, [], again=editor.folder)
        editor.states.clear()
        check("result" in editor.command("bodkin.undo", proposalId=proposal), "not undone")
        editor.state("discarded")
        check(editor.get("a.c") == TEXT and not os.path.exists(editor.path("x/y")), "x/y is left")
        check(os.path.exists(editor.path("x")) == (not is_empty), "x")
        ends_well(editor)


def undo_after_a_restart_leaves_files_alone_that_have_changed_since(program):
    editor, proposal, files, after = many_files(program)
    touched = {"f00.c": "int first;\nlong x0; // mine\nint last;\n",  # the line itself
               "f01.c": "int other;\nlong x1;\nint last;\n",  # the line next to it
               "moved.c": after["moved.c"].replace("long", "short"),
               "f16.c": "int mine;\n",  # it was removed, and is there again
               "new.c": "int fresh;\nint mine;\n"}
    for name, text in touched.items():
        editor.put(name, text)
    elsewhere = "// mine\n// mine, too\n" + after["f02.c"]  # lines above: that is no other place
    editor.put("f02.c", elsewhere)
    again = OnDisk(program, [], again=editor.folder)
    answer = again.command("bodkin.undo", proposalId=proposal)
    check(sorted(answer["result"]["changed"]) == sorted(touched), str(answer))
    end = again.state("partly", "stale", "discarded", "ready")
    check(all(name in end["message"] for name in touched) and "have changed since, and the place of f16.c is taken. Undo the rest" in end["message"],
          end["message"])
    for name in set(files) | set(after):
        wanted = touched.get(name, files.get(name))
        if name == "f18.c":
            wanted = None  # it is still moved
        if name == "f02.c":
            wanted = "// mine\n// mine, too\n" + files["f02.c"]
        check(again.get(name) == wanted, name + ": " + str(again.get(name)))
    # It is done again in the same files, whether or not the others have changed once more.
    now = dict(touched, **{"f03.c": "int other;\n"})
    again.put("f03.c", now["f03.c"])
    again.states.clear()
    answer = again.command("bodkin.apply", proposalId=proposal)
    check("f03.c" in answer["result"]["changed"] and set(answer["result"]["changed"]) <= set(now), str(answer))
    end = again.state("partly", "applied")
    check("Applied, but not everywhere: " in end["message"] and "f03.c" in end["message"], end["message"])
    for name in set(files) | set(after):
        wanted = now.get(name, elsewhere if name == "f02.c" else after.get(name))
        check(again.get(name) == wanted, "again: " + name + ": " + str(again.get(name)))
    again.states.clear()
    again.command("bodkin.undo", proposalId=proposal)
    again.state("partly", "stale", "discarded", "ready")
    ends_well(again)
    # If none is left as it was, nothing is sent.
    for name in files:
        again.put(name, "int other;\n")
    third = OnDisk(program, [], again=editor.folder)
    answer = third.command("bodkin.undo", proposalId=proposal)
    check("error" in answer and not third.asked, str(answer))
    ends_well(third)


def without_a_folder_no_proposal_of_another_file_is_shown(program):
    editor = OnDisk(program, [], files={"a.c": TEXT, "b.c": TEXT}, folders=[])
    editor.open("a.c", TEXT)
    editor.propose(REPLY)
    editor.dies()
    again = OnDisk(program, [], again=editor.folder, folders=[])
    again.open("b.c", TEXT)
    again.sessions()  # read after what is restored
    check(again.request("bodkin/listProposals", {})["result"]["proposals"] == [], "one of a.c is shown")
    ends_well(again)


def an_open_proposal_waits_for_the_user_after_a_restart(program):
    editor = OnDisk(program, [], files={"a.c": TEXT, "b.c": "int x;\n"})
    first, second = editor.propose(REPLY), editor.propose(edit("b.c", "int x;\n", "long x;\n"))
    third = editor.propose(REPLY)
    editor.command("bodkin.discard", proposalId=third)
    editor.dies()
    editor.put("b.c", "short x;\n")
    again = OnDisk(program, [], again=editor.folder)
    again.until("the proposal", lambda: again.of("bodkin/proposal"))
    shown = again.of("bodkin/proposal")
    check([(p["proposalId"], p["restored"]) for p in shown] == [(first, True)], str(shown))
    check("atOnce" not in shown[0], "a client takes it for one that is applied without review")
    checked = editor.of("bodkin/proposal")[0]["verification"]["words"]
    check(shown[0]["verification"]["words"] == checked, "%s was %s" % (shown[0]["verification"]["words"], checked))
    # One that is started meanwhile has nothing to do with it.
    other = OnDisk(program, [], again=editor.folder)
    check(other.sessions() == [] and not other.of("bodkin/proposal"), str(other.heard))
    check("result" in again.command("bodkin.apply"), "it cannot be applied")
    again.state("applied")
    check(again.get("a.c") == WANTED, again.get("a.c"))
    check(other.request("bodkin/listProposals", {})["result"]["proposals"] == [], "the other has it, too")
    ends_well(other)
    ends_well(again)
    last = OnDisk(program, [], again=editor.folder)
    check(last.sessions() == [] and not last.of("bodkin/proposal"), str(last.heard))
    check(second not in str(last.heard), "one that is stale is offered")
    ends_well(last)


def undo_without_an_id_takes_what_was_applied_last_also_before_a_restart(program):
    editor = OnDisk(program, [turn(REPLY)], files={"a.c": TEXT})
    editor.ask()
    editor.command("bodkin.apply", proposalId=editor.end("proposal")["proposalId"])
    editor.state("applied")
    check(editor.get("a.c") == WANTED, editor.get("a.c"))
    editor.dies()
    again = OnDisk(program, [], again=editor.folder)
    check("result" in again.command("bodkin.undo"), "nothing to undo")
    again.state("discarded")
    check(again.get("a.c") == TEXT, again.get("a.c"))
    check("error" in again.command("bodkin.undo"), "undone twice")
    ends_well(again)


def of_an_edit_that_was_on_its_way_when_the_server_was_killed_the_files_decide(program):
    for is_written in (True, False):
        editor = OnDisk(program, [], files={"a.c": TEXT})
        proposal = editor.propose(REPLY)
        editor.dies_with_an_edit("bodkin.apply", is_written and editor.save, proposalId=proposal)
        shown = history(program, editor).stdout
        check(("(applied)" in shown) == is_written and ("(not applied)" in shown) != is_written, shown)
        again = OnDisk(program, [], again=editor.folder)
        if is_written:
            check("result" in again.command("bodkin.undo"), "nothing to undo")
            again.state("discarded")
            check(again.get("a.c") == TEXT, again.get("a.c"))
            again.states.clear()
            check("result" in again.command("bodkin.redo"), "nothing to redo")
            again.state("applied")
        else:
            check("error" in again.command("bodkin.undo") and again.get("a.c") == TEXT, "what was never there is undone")
            again.until("the proposal", lambda: again.of("bodkin/proposal"))
            check("result" in again.command("bodkin.apply", proposalId=proposal), "it is not offered again")
            again.state("applied")
        check(again.get("a.c") == WANTED, again.get("a.c"))
        again.until_written()
        check("(applied)" in history(program, again).stdout, history(program, again).stdout)
        ends_well(again)


def of_an_undo_that_was_on_its_way_when_the_server_was_killed_the_files_decide(program):
    for is_written in (True, False):
        editor = OnDisk(program, [], files={"a.c": TEXT})
        editor.command("bodkin.apply", proposalId=editor.propose(REPLY))
        editor.state("applied")
        editor.dies_with_an_edit("bodkin.undo", is_written and editor.save)
        again = OnDisk(program, [], again=editor.folder)
        for command, text in (("redo", WANTED), ("undo", TEXT)) if is_written else (("undo", TEXT), ("redo", WANTED)):
            again.states.clear()
            check("result" in again.command("bodkin." + command), "nothing to " + command)
            again.state("applied" if text == WANTED else "discarded")
            check(again.get("a.c") == text, again.get("a.c"))
        ends_well(again)


def what_was_typed_after_the_server_was_killed_is_not_taken_for_the_edit(program):
    lines = "int a;\nint b;\nint c;\nint d;\n"
    functions = "int f(void)\n{\n    return 0;\n}\n\nint g(void)\n{\n    return 0;\n}\n"
    swapped = "int g(void)\n{\n    return 1;\n}\n\nint f(void)\n{\n    return 0;\n}\n"
    for before, old, new, after in (
            (lines, "int b;\nint c;\n", "int b;\n", "int c;\nint a;\nint b;\nint d;\n"),
            (lines, "int b;\nint c;\n", "int b;\n", "int a;\nint b;\n"),
            (functions, functions[:28], functions[:28].replace("0", "1"), swapped)):
        editor = OnDisk(program, [], files={"a.c": before})
        proposal = editor.propose(edit("a.c", old, new))
        editor.dies_with_an_edit("bodkin.apply", None, proposalId=proposal)
        editor.put("a.c", after)
        again = OnDisk(program, [], again=editor.folder)
        check("error" in again.command("bodkin.undo") and again.get("a.c") == after, again.get("a.c"))
        ends_well(again)


def an_edit_that_is_in_a_buffer_when_the_server_is_killed_is_undone_there(program):
    editor = OnDisk(program, [], files={"a.c": TEXT}, texts={"a.c": TEXT})
    editor.dies_with_an_edit("bodkin.apply", editor.take, proposalId=editor.propose(REPLY))
    check(editor.get("a.c") == TEXT, "it was saved")
    again = OnDisk(program, [], again=editor.folder, texts={"a.c": "// mine\n" + WANTED})
    again.on_apply = lambda editor, change: editor.take(change)
    check("result" in again.command("bodkin.undo"), "nothing to undo")
    again.state("discarded")
    check(again.buffers["a.c"] == "// mine\n" + TEXT and again.get("a.c") == TEXT, again.buffers["a.c"])
    ends_well(again)


def lines_that_were_on_their_way_when_the_server_was_killed_are_not_offered_twice(program):
    block = "if (a) {\n  b();\n}\n\n"
    before = "void f() {\n" + 2 * block + "}\n"
    reply = edit("a.c", before, before[:-2] + block + "}\n")
    for mine in ("", "// mine\n"):
        editor = OnDisk(program, [], files={"a.c": before})
        proposal = editor.propose(reply)
        editor.dies_with_an_edit("bodkin.apply", editor.save, proposalId=proposal)
        after = editor.get("a.c")
        editor.put("a.c", mine + after)
        again = OnDisk(program, [], again=editor.folder)
        again.until_written()  # it is restored
        if "result" in again.command("bodkin.apply", proposalId=proposal):
            again.state("applied", "refused", "stale")
        check(again.get("a.c") == mine + after, "they are there twice")
        undone = "result" in again.command("bodkin.undo")
        if undone:
            again.state("discarded")
        check(undone or mine, "nothing to undo")
        check(again.get("a.c") == mine + (before if undone else after), again.get("a.c"))
        ends_well(again)


def a_terminal_undoes_an_edit_that_was_on_its_way_when_the_server_was_killed(program):
    editor = OnDisk(program, [], files={"a.c": TEXT})
    proposal = editor.propose(REPLY)
    editor.dies_with_an_edit("bodkin.apply", editor.save, proposalId=proposal)
    environment = dict(os.environ, HOME=editor.home, XDG_STATE_HOME=editor.home + "/.state")
    for command, text in (("undo", TEXT), ("redo", WANTED)):
        done = subprocess.run([program, command], cwd=editor.folder, env=environment, capture_output=True, text=True, timeout=60)
        check(done.returncode == 0 and editor.get("a.c") == text, done.stderr)


def one_change_of_an_open_text_applies_one_proposal(program):
    editor = Asker(program, [])
    first, second = editor.propose(REPLY), editor.propose(REPLY)

    def states():
        return [p["state"] for p in editor.request("bodkin/listProposals", {})["result"]["proposals"]]
    editor.command("bodkin.apply", proposalId=second)
    editor.until("the edit", lambda: states()[1] == "applied")
    check(states() == ["stale", "applied"], str(states()))
    editor.command("bodkin.undo")
    editor.until("its undo", lambda: states()[1] == "discarded")
    check(states() == ["ready", "discarded"], str(states()))
    editor.command("bodkin.apply", proposalId=first)
    editor.until("the edit", lambda: states()[0] == "applied")
    check(states() == ["applied", "discarded"], str(states()))
    ends_well(editor)


def the_history_says_how_much_of_a_proposal_is_applied_and_what_was_never_saved(program):
    text = TEXT + "int d;\nint e;\n"
    editor = Asker(program, [turn(REPLY + edit("a.c", "int e;\n", "long e;\n"))], files={"a.c": text}, texts={"a.c": text})
    editor.ask()
    proposal = editor.end("proposal")["proposalId"]
    editor.command("bodkin.applyHunk", proposalId=proposal, hunks=[0])
    editor.until("the edit", lambda: [s for s in editor.of("bodkin/didChangeProposal") if s["state"] == "partly"])
    check("result" in editor.request("bodkin/listSessions", {}), "the history reads after it has written")
    shown = history(program, editor, "list").stdout + history(program, editor, "show", "last").stdout
    check(shown.count("applied: 1 of 2 changes") == 3, shown)
    # The editor ends, and its text with it.
    editor.process.kill()
    editor.process.wait()
    again = OnDisk(program, [], again=editor.folder)
    sessions = again.request("bodkin/listSessions", {})["result"]["sessions"]
    check(sessions[0]["proposal"] == "partly, reverted since", str(sessions))
    ends_well(again)


def a_text_that_equals_a_proposals_was_not_applied_by_it(program):
    editor = OnDisk(program, [], files={"a.c": TEXT})
    first, second, third = editor.propose(REPLY), editor.propose(REPLY), editor.propose(REPLY)

    def states():
        return {p["id"]: p["state"] for p in editor.request("bodkin/listProposals", {})["result"]["proposals"]}
    editor.command("bodkin.discard", proposalId=third)
    editor.command("bodkin.apply", proposalId=second)
    editor.until("the edit", lambda: states()[second] == "applied")
    check(editor.get("a.c") == WANTED, editor.get("a.c"))
    editor.until_written()
    check(rows(editor, "SELECT count(*) FROM proposals WHERE place IS NOT NULL")[0][0] == 1, "another is applied, too")
    editor.command("bodkin.undo")
    editor.until("its undo", lambda: states()[second] == "discarded")
    check(editor.get("a.c") == TEXT and states()[first] == "ready", str(states()))
    # Typed by hand, while nobody looks.
    editor.dies()
    editor.put("a.c", WANTED)
    editor = OnDisk(program, [], again=editor.folder)
    for undo in (editor.command("bodkin.undo"), editor.command("bodkin.undo", proposalId=first),
                 editor.command("bodkin.undo", proposalId=second)):
        check("error" in undo, str(undo))
    done = history(program, editor, "list")
    check(done.returncode == 0 and "(applied" not in done.stdout, done.stdout)
    check(editor.get("a.c") == WANTED, "what nobody had applied was undone")
    ends_well(editor)


def secrets_are_not_kept_and_undo_says_so(program):
    secret = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
    text = "int b;\nchar *token = \"%s\";\nint c;\n" % secret
    remove = "*** Begin Patch\n*** Delete File: s.c\n*** End Patch\n"
    for reply, is_undone in ((edit("s.c", "int b;\n", "long b;\n"), True), (remove, False)):
        editor = OnDisk(program, [turn("The token is " + secret)], files={"a.c": TEXT, "s.c": text})
        proposal = editor.propose(reply)
        editor.ask("What about " + secret + "?")
        editor.end("answer")
        editor.command("bodkin.apply", proposalId=proposal)
        editor.state("applied", of=proposal)
        editor.dies()
        for name in os.listdir(os.path.dirname(database(editor))):
            path = os.path.dirname(database(editor)) + "/" + name
            if not os.path.isfile(path):
                continue
            with open(path, "rb") as file:
                check(secret.encode() not in file.read(), "the secret is in " + name)
        shown = history(program, editor, "export", rows(editor, "SELECT id FROM sessions")[0][0])
        check(shown.returncode == 0 and secret not in shown.stdout and "***" in shown.stdout, shown.stderr)
        again = OnDisk(program, [], again=editor.folder)
        answer = again.command("bodkin.undo", proposalId=proposal)
        if is_undone:
            check("result" in answer, str(answer))
            again.state("discarded")
            check(again.get("s.c") == text, again.get("s.c"))
        else:
            check("s.c contains a secret, which the history does not store" in answer["error"]["message"], str(answer))
            check(again.get("s.c") is None, again.get("s.c"))
        ends_well(again)


def a_database_that_cannot_be_used_never_stops_an_ask_and_is_named_once(program):
    def garbage(path):
        with open(path, "wb") as file:
            file.write(b"not a database" * 1000)

    def newer(path):
        connection = sqlite3.connect(path)
        connection.executescript("PRAGMA application_id = 0x626f646b; PRAGMA user_version = 99; CREATE TABLE t(x);")
        connection.close()

    def other(path):
        connection = sqlite3.connect(path)
        connection.executescript("CREATE TABLE t(x);")
        connection.close()

    def folder(path):
        os.mkdir(path)

    def link(path):
        os.symlink("/dev/null", path)

    for damage, why in ((garbage, "not a database"), (newer, "a newer version of bodkin"), (other, "not a bodkin history"),
                        (folder, "Is a directory"), (link, "it is a link")):
        def prepare(work, home):
            os.makedirs(home + "/.state/bodkin")
            damage(home + "/.state/bodkin/history.db")
            return work
        editor = OnDisk(program, [turn(REPLY), turn("Yes.")], prepare=prepare, texts={"a.c": TEXT})
        is_file = os.path.isfile(database(editor)) and not os.path.islink(database(editor))
        before = open(database(editor), "rb").read() if is_file else None
        asked = editor.ask()
        editor.end("proposal")
        editor.ask("More?", sessionId=asked["sessionId"])
        editor.end("answer", count=2)
        told = lambda: [m for m in editor.said() if "history" in m]
        editor.until("to be told", told)
        check(len(told()) == 1 and why in told()[0], damage.__name__ + ": " + str(told()))
        answer = editor.request("bodkin/listSessions", {})
        check(why in answer["error"]["message"], str(answer))
        ends_well(editor)
        if is_file:
            check(open(database(editor), "rb").read() == before, "it was written to")
        check(history(program, editor).returncode == 1, "it was listed")
        if damage is garbage:
            check(history(program, editor, "clear", "--yes").returncode == 0, "it was not removed")
            done = history(program, editor)
            check(done.returncode == 0 and done.stdout == "", done.stdout + done.stderr)
        elif is_file:  # what somebody else has made stays
            done = history(program, editor, "clear", "--yes")
            check(done.returncode == 1 and "remove it yourself" in done.stderr, done.stderr)
            check(open(database(editor), "rb").read() == before, "it was removed")


def a_damaged_database_can_be_cleared(program):
    editor = OnDisk(program, [turn(REPLY)], texts={"a.c": TEXT})
    editor.ask()
    editor.end("proposal")
    ends_well(editor)
    connection = sqlite3.connect(database(editor))
    connection.execute("PRAGMA journal_mode = DELETE")
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    connection.close()
    with open(database(editor), "r+b") as file:  # all but the first page, with which it opens
        length = file.seek(0, 2)
        file.seek(size)
        file.write(b"\xff" * (length - size))
    done = history(program, editor, "clear", "--yes")
    check(done.returncode == 0, done.stderr)
    done = history(program, editor)
    check(done.returncode == 0 and done.stdout == "", done.stdout + done.stderr)


def a_locked_database_is_written_when_it_is_free_again(program):
    editor = OnDisk(program, [turn("Yes."), turn("Yes.")])
    editor.ask("First.")
    editor.end("answer")
    editor.until_written()
    locking = sqlite3.connect(database(editor), isolation_level=None)
    locking.execute("BEGIN IMMEDIATE")
    editor.ask("Second.")
    editor.end("answer", count=2)
    editor.until("to be told", lambda: [m for m in editor.said() if "locked" in m])
    locking.execute("ROLLBACK")
    locking.close()
    check(len(editor.sessions()) == 2, "the second is not there")
    check(len([m for m in editor.said() if "history" in m]) == 1, str(editor.said()))
    ends_well(editor)


def a_full_disk_never_stops_an_ask(program):
    """On a small file system of its own, if one can be made."""
    place = tempfile.mkdtemp()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "none", place], capture_output=True).returncode != 0:
        return

    def prepare(work, home):
        os.makedirs(home + "/.state")
        os.symlink(place, home + "/.state/bodkin")
        return work
    try:
        # Words that do not become much smaller.
        words = lambda seed: "".join("%x " % hash((seed, i)) for i in range(4000))
        editor = OnDisk(program, [turn(words(i)) for i in range(8)], prepare=prepare)
        session = ""
        for i in range(8):
            session = editor.ask("Number %d" % i, **({"sessionId": session} if session else {}))["sessionId"]
            editor.end("answer", count=i + 1)
        told = lambda: [m for m in editor.said() if "history" in m]
        editor.until("to be told", told)
        check(len(told()) == 1 and "full" in told()[0], str(told()))
        ends_well(editor)
    finally:
        subprocess.run(["umount", "-l", place])
        os.rmdir(place)


def no_history_is_kept_if_it_is_not_wanted(program):
    editor = OnDisk(program, [turn("Yes.")], {"history.retentionDays": 0})
    editor.ask()
    editor.end("answer")
    answer = editor.request("bodkin/listSessions", {})
    check("retentionDays" in answer["error"]["message"], str(answer))
    ends_well(editor)
    check(not os.path.exists(database(editor)), "there is a database")


def a_session_shows_an_edit_once(program):
    for said in ("I widen x.\n\n", ""):
        editor = OnDisk(program, [turn(said + edit("b.c", "int x;\n", "long x;\n"))], {"agent.profile": "blocks"},
                        files={"a.c": TEXT, "b.c": "int x;\n"})
        session = editor.ask("Make x wide.")["sessionId"]
        editor.end("proposal")
        text = editor.request("bodkin/readSession", {"sessionId": session})["result"]["text"]
        check("+long x;" in text and said.strip() in text, text)
        check(text.count("long x;") == 1 and "SEARCH" not in text and "\n\n\n" not in text, text)
        ends_well(editor)


def a_session_is_read_in_the_editor(program):
    editor = OnDisk(program, [turn("I look.", [("read_file", {"path": "b.c"})]), turn("", [("edit", {
        "path": "b.c", "old_str": "int x;", "new_str": "long x;"})]), turn("It is wide.\x1b[2J")], {"agent.profile": "tools"},
        files={"a.c": TEXT, "b.c": "int x;\n"})
    session = editor.ask("Make x wide.\nReally.")["sessionId"]
    editor.end("proposal")
    read = editor.request("bodkin/readSession", {"sessionId": session})["result"]
    parts = ("# Make x wide.", "> Really.", "I look.", "- read_file", "+long x;", "It is wide.^[[2J")
    check(read["title"].startswith("Make x wide.") and all(each in read["text"] for each in parts), read["text"])
    check("- edit `b.c  +1 −1`" in read["text"] and "old_str" not in read["text"], read["text"])
    # What was sent to the model besides is no part of it, nor what its tools gave.
    check("Sent to the model" not in read["text"] and "tool_call" not in read["text"], read["text"])
    none = editor.request("bodkin/readSession", {"sessionId": "session-none"})["error"]
    check("No such session" in none["message"], str(none))
    # bodkin.ask says so, too, as data: then a client may begin another one.
    gone = editor.command("bodkin.ask", prompt="And y?", sessionId="session-none")["error"]
    check(gone.get("data") == {"reason": "no_session"}, str(gone))
    ends_well(editor)


def the_command_line_lists_shows_exports_and_clears(program):
    editor = OnDisk(program, [turn("I look.", [("read_file", {"path": "b.c"})]), turn("", [("edit", {
        "path": "b.c", "old_str": "int x;", "new_str": "long x;"})]), turn("It is wide.")], {"agent.profile": "tools"},
        files={"a.c": TEXT, "b.c": "int x;\n"})
    session = editor.ask("Make x wide.")["sessionId"]
    proposal = editor.end("proposal")["proposalId"]
    ends_well(editor)
    check(os.stat(database(editor)).st_mode & 0o777 == 0o600, "others may read it")
    listed = history(program, editor).stdout
    check(session in listed and "Make x wide." in listed and editor.folder in listed, listed)
    one = json.loads(history(program, editor, "--json").stdout)[0]
    check(one["id"] == session and one["asks"] == 1 and one["input_tokens"] == 300, str(one))
    shown = history(program, editor, "show", session).stdout
    check(all(each in shown for each in ("Make x wide.", "read_file", proposal, "+++ b/b.c", "It is wide.")), shown)
    text = history(program, editor, "export", session).stdout
    check(all(each in text for each in ("# Make x wide.", "**edit**", "+long x;", "I look.", "It is wide.")), text)
    whole = json.loads(history(program, editor, "show", session, "--json").stdout)["asks"][0]
    check([c["tool"] for c in whole["calls"]] == ["read_file", "edit"] and whole["calls"][0]["result"], str(whole["calls"]))
    check(whole["calls"][1]["parameters"]["new_str"] == "long x;", str(whole["calls"]))
    check(whole["end"] == "done" and whole["turns"] == 3, str(whole))
    check([m["finish"] for m in whole["messages"] if m["role"] == "assistant"] == ["tool_use", "tool_use", "end_turn"], str(whole))
    file = whole["proposals"][0]["files"][0]
    check((file["before"], file["after"]) == ("int x;\n", "long x;\n"), str(file))
    check(history(program, editor, "show", "none").returncode == 1, "an unknown session was shown")
    check(history(program, editor, "show").returncode == 2 and history(program, editor, "list", "x").returncode == 2, "usage")
    check(history(program, editor, "clear", "--yes").returncode == 0, "it was not cleared")
    check(history(program, editor).stdout == "" and b"wide" not in open(database(editor), "rb").read(), "it is still there")


def tests():
    return [(name.replace("_", " "), test) for name, test in globals().items()
            if callable(test) and getattr(test, "__module__", "") == __name__
            and name not in ("edit", "OnDisk", "database", "rows", "history", "contents", "many_files", "tests")]
