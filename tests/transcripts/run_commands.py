"""Commands of a replayed model, from the question to the proposal: real programs in the real sandbox. Each test is
a function of the program's path."""
import hashlib
import os
import time

from abuse import check, ends_well
from asks import Asker, turn
from editor import TEXT

CHANGES = "cat a.c; sed -i 's/int b/long b/' a.c; echo 'int n;' >new.c; rm old.c; echo no >.git/config; exit 7"


def run(command, **more):
    return turn(calls=[("run_command", dict({"command": command}, **more))])


def world(program, turns, permissions=None, settings=None, files=None, links=(), **more):
    settings = dict({"agent.profile": "tools", "agent.permissions": permissions or {}}, **(settings or {}))
    editor = Asker(program, turns, settings, files=dict({"a.c": TEXT, "old.c": "int old;\n", ".git/config": "", ".env": "KEY=1\n"},
                                                   **(files or {})), own={"permit": True}, **more)
    for name, target in links:
        os.symlink(target, editor.folder + "/" + name)
    editor.before = digest(editor.folder)
    return editor


def digest(folder):
    """Of all names and bytes; the recording and what the server keeps for itself are not the person's."""
    sum_ = hashlib.sha256()
    for above, _, names in sorted(os.walk(folder)):
        if os.path.relpath(above, folder).split("/")[0] in (".cache", ".local", ".config", ".state"):
            continue
        for name in sorted(names):
            if name != "replay.json":
                with open(os.path.join(above, name), "rb") as file:
                    sum_.update(os.path.join(above, name).encode() + b"\0" + file.read() + b"\0")
    return sum_.hexdigest()


def take(editor, edit):
    """As an editor does it: a file that is deleted is gone from the disk."""
    for each in edit["documentChanges"]:
        if each.get("kind") == "delete":
            os.remove(editor.folder + "/" + editor.name(each["uri"]))
    return editor.take(edit)


def unchanged(editor):
    check(digest(editor.folder) == editor.before, "the workspace's bytes have changed")


def a_command_is_asked_for_and_what_it_changed_is_a_proposal(program):
    done = turn("Widened.", expect=["<returncode>7</returncode>\n<output>\nint a;", "a.c (edited)", "new.c (new)",
                                    "old.c (removed)", ".git (git's own files"])
    editor = world(program, [run(CHANGES), done], texts={"a.c": TEXT, "old.c": "int old;\n"})
    editor.answers["bodkin/permit"] = {"choice": "once"}
    editor.ask()
    editor.end("proposal")
    asked = editor.of("bodkin/permit")
    check(len(asked) == 1 and asked[0]["tool"] == "run" and asked[0]["detail"] == CHANGES, str(asked))
    check("waiting" in editor.states_shown(), str(editor.states_shown()))
    unchanged(editor)
    shown = str(editor.proposal())
    check(all(name in shown for name in ("a.c", "new.c", "old.c")) and ".git" not in shown, shown)
    editor.on_apply = take
    editor.command("bodkin.apply", proposalId=editor.proposal()["proposalId"])
    editor.state("applied")
    check(editor.buffers == {"a.c": TEXT.replace("int b", "long b"), "new.c": "int n;\n"}, str(editor.buffers))
    ends_well(editor)


def a_command_that_is_refused_or_denied_does_not_run(program):
    editor = world(program, [run("echo x >a.c")])
    editor.answers["bodkin/permit"] = {"choice": "reject"}
    editor.ask()
    editor.end("refused")
    unchanged(editor)
    ends_well(editor)
    # What was drafted before is still offered.
    editor = world(program, [turn(calls=[("edit", {"path": "a.c", "old_str": "int b;", "new_str": "long b;"})]), run("make test")])
    editor.answers["bodkin/permit"] = {"choice": "reject"}
    editor.ask()
    end = editor.end("refused")
    check("you denied permission" in end["message"] and end["proposalId"] == editor.proposal()["proposalId"], str(end))
    unchanged(editor)
    ends_well(editor)
    editor = world(program, [run("cat old.c && rm a.c"), run("cat old.c"), turn("I may not.", expect=["int old;"])],
                   {"run": {"cat *": "allow", "rm *": "deny"}})
    editor.ask()
    editor.end("answer")
    check(not editor.of("bodkin/permit"), "what is denied asks nobody")
    unchanged(editor)
    ends_well(editor)


def in_a_folder_that_is_not_trusted_no_command_is_offered(program):
    editor = world(program, [run("echo x >a.c"), turn("So be it.", expect=["this folder is not trusted"])], {"run": "allow"}, trusted=False)
    editor.ask()
    editor.end("answer")
    unchanged(editor)
    ends_well(editor)


def a_buffer_that_the_disk_contradicts_removes_nothing(program):
    for files, buffer in (({"d/in.txt": "precious\n"}, "d"), ({"b": "precious\n"}, "b/x.c")):
        for review in ("proposal", "direct"):
            editor = world(program, [run("ls"), turn("I looked.", absent=["The command changed"])], {"run": "allow"},
                           {"edits.review": review}, files, texts={"a.c": TEXT, buffer: "once\n"})
            editor.ask()
            editor.end("answer")
            unchanged(editor)
            ends_well(editor)


def where_a_file_and_a_folder_change_places_nothing_is_taken_by_halves(program):
    for command in ("rm -r d; echo x >d", "rm b; mkdir b; echo x >b/in.txt", "rm -r d; ln -s b d"):
        editor = world(program, [run(command + "; sed -i 's/int b/long b/' a.c"), run("ls"), turn("Replaced.")],
                       {"run": "allow"}, files={"d/in.txt": "q\n", "b": "precious\n"}, texts={"a.c": TEXT})
        editor.ask()
        editor.end("proposal")
        changed = editor.proposal()["edit"]["documentChanges"]
        check(not any(each.get("kind") == "delete" for each in changed) and "a.c" in str(changed), command + ": " + str(changed))
        unchanged(editor)
        ends_well(editor)


def a_link_that_became_a_file_changes_nothing_where_it_led(program):
    for command in ("sed -i s/x/y/ l.c", "rm l.c; echo 'int z;' >l.c", "rm lnk; mkdir lnk; echo 'int z;' >lnk/x.c"):
        editor = world(program, [run(command), run("cat src/x.c"), turn("Replaced.", expect=["int x;"])], {"run": "allow"},
                       files={"src/x.c": "int x;\n"}, links=[("l.c", "src/x.c"), ("lnk", "src")])
        editor.ask()
        end = editor.end("answer")
        check("it took the place of a link" in end["message"], str(end))
        ends_well(editor)


def what_git_ignores_is_decided_as_git_does_and_named(program):
    editor = world(program, [run("echo x >x.log; echo X >UP.LOG; echo k >keep.log; mkdir s; echo '!*.log' >s/.gitignore; "
                                 "echo s >s/s.log"), turn("Made.", expect=["later commands: x.log."])], {"run": "allow"},
                   files={".gitignore": "*.log\n!keep.log\n"})
    editor.ask()
    editor.end("proposal")
    made = str(editor.proposal()["edit"])
    check(all(name in made for name in ("UP.LOG", "keep.log", "s.log")) and "x.log" not in made, made)
    ends_well(editor)


def a_time_out_is_told_to_the_model_and_its_limit_is_the_persons(program):
    for setting, wanted, seconds in ((200, 60_000, "0.2 s"), (30_000, 200, "0.2 s")):
        editor = world(program, [run("echo x >a.c; sleep 600", timeout_ms=wanted),
                                 turn("Well.", expect=["did not finish within " + seconds, "Try a different command"])],
                       {"run": "allow"}, {"agent.commandTimeoutMs": setting})
        editor.ask()
        editor.end("answer")
        unchanged(editor)
        ends_well(editor)


def runs(mark):
    for each in os.listdir("/proc"):
        try:
            with open("/proc/%s/cmdline" % each, "rb") as file:
                if file.read().split(b"\0")[:2] == [b"sleep", mark.encode()]:
                    return True
        except OSError:
            pass
    return False


def cancelling_in_the_middle_of_a_command_ends_it_and_changes_nothing(program):
    best = None
    for attempt in range(3):
        mark = "61%d%d" % (os.getpid(), attempt)
        editor = world(program, [run("echo x >b.c"), run("rm a.c; sleep " + mark)], {"run": "allow"})
        editor.ask()
        limit = time.monotonic() + 60
        while not runs(mark):
            check(time.monotonic() < limit, "the command was not started")
            time.sleep(0.01)
        begun = time.monotonic()
        editor.command("bodkin.cancel")
        editor.end("cancelled")
        took = time.monotonic() - begun
        check(not runs(mark), "the command still runs")
        check(not editor.of("bodkin/proposal"), "a proposal of a cancelled ask")
        unchanged(editor)
        ends_well(editor)
        best = took if best is None else min(best, took)
        if best <= 0.1:
            break
    print("      cancelled in %.0f ms" % (best * 1000))
    check(best <= 0.1, "it took %.0f ms" % (best * 1000))


def tests():
    return [(name.replace("_", " "), test) for name, test in globals().items()
            if callable(test) and getattr(test, "__module__", "") == __name__
            and name not in ("run", "world", "digest", "take", "unchanged", "runs", "tests")]
