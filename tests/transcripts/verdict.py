"""Edits are checked by language servers of our own, here a real clangd, before they are shown, and the verdict says
what is known, of which text. Each test is a function of the program's path."""
import json
import os
import shutil
import stat
import tempfile

from abuse import check, ends_well
from asks import Asker, turn
from run_commands import digest, take

MAIN = "struct Name { const char* text; bool empty() const { return !text; } };\n\nName name() {\n  return {\"a\"};\n}\n\nint main() {\n  return 0;\n}\n"
OWN = ".config/bodkin/settings.json"


def edit(old, new, path="main.cpp"):
    return "%s\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n" % (path, old, new)


WRONG = edit('  return {"a"};\n', "  return 42;\n")
RIGHT = edit('  return {"a"};\n', '  return {"b"};\n')


def asker(program, turns, settings=None, files=None, servers=None, texts=None, **more):
    """All that is open is on the disk, too, unless `texts` says otherwise."""
    files = dict({"main.cpp": MAIN}, **(files or {}))
    own = {} if servers is None else {"bodkin.verify.servers": servers}
    return Asker(program, turns, settings, files={**files, OWN: json.dumps(own)}, texts=texts or files, **more)


def write(path, text):
    with open(path, "w") as out:
        out.write(text)


def ask(editor, **more):
    return editor.ask("Return something else.", textDocument={"uri": editor.uri("main.cpp")}, range={
        "start": {"line": 2, "character": 0}, "end": {"line": 5, "character": 0}}, **more)


def words(editor):
    """The last word about the last proposal."""
    last = editor.proposal()
    said = [s["verification"] for s in editor.states if s["proposalId"] == last["proposalId"]]
    return (said or [last["verification"]])[-1]["words"]


def a_type_error_is_repaired_before_anyone_sees_it(program):
    mended = edit("  return 42;\n", '  return {"42"};\n')
    editor = asker(program, [turn(WRONG), turn(mended, expect=["viable conversion", "main.cpp, line 4: error", "Name name() {"])])
    before = digest(editor.folder)
    ask(editor)
    end = editor.end("proposal")
    check(len(editor.of("bodkin/proposal")) == 1, "more than one proposal")
    verification = editor.proposal()["verification"]
    check(verification["words"] == "✓ clangd: no new errors", str(verification))
    check(verification["state"] == "clean" and verification["by"] == "clangd", str(verification))
    check("verifying" in editor.states_shown(), str(editor.states_shown()))
    check(digest(editor.folder) == before, "the folder has changed")
    editor.on_apply = take
    editor.command("bodkin.apply", proposalId=end["proposalId"])
    editor.until("our own verdict", lambda: [s for s in editor.states if s["message"] == "Applied. ✓ clangd: no new errors."])
    check(editor.buffers["main.cpp"] == MAIN.replace('"a"', '"42"'), editor.buffers["main.cpp"])
    ends_well(editor)


def what_a_repair_does_not_improve_is_shown_where_it_is(program):
    still = edit("  return 42;\n", "  return 43;\n")
    editor = asker(program, [turn(WRONG), turn(still, expect=["viable conversion"])], {"agent.maxRepairs": 5})
    ask(editor)
    editor.end("proposal")
    proposal = editor.proposal()
    check(proposal["verification"]["words"] == "✗ clangd: 1 new error", str(proposal["verification"]))
    check(proposal["verification"]["state"] == "problems", str(proposal["verification"]))
    check(proposal["notes"][0].startswith("main.cpp, line 4: No viable conversion"), str(proposal["notes"]))
    problem = proposal["verification"]["problems"][0]
    check(problem["hunk"] == 0 and problem["line"] == 4 and problem["uri"] == editor.uri("main.cpp"), str(problem))
    listed = editor.request("bodkin/listProposals", {})["result"]["proposals"][-1]
    check(listed["verification"]["words"] == "✗ clangd: 1 new error", str(listed))
    # A person who takes it all the same has seen it: nothing is offered.
    editor.command("bodkin.apply")
    editor.until("the verdict", lambda: [s for s in editor.states if s["message"] == "Applied. ✗ clangd: 1 new error."])
    check(not [a for a in editor.actions(editor.uri("main.cpp"), 3) if "Repair" in a["title"]], "a repair is offered")
    ends_well(editor)


def an_edit_in_which_an_error_was_found_is_not_applied_by_itself(program):
    editor = asker(program, [turn(WRONG), turn("I cannot.")], {"edits.review": "direct"})
    ask(editor)
    editor.end("proposal")
    check(not editor.asked, "it was applied")
    ends_well(editor)


def buffers_that_are_not_saved_count(program):
    header = "#pragma once\ninline int two() { return 2; }\n"
    unit = "#include \"two.h\"\nint main() { return two(); }\n"
    call = edit("int main() { return two(); }\n", "int main() { return three(); }\n")
    editor = asker(program, [turn(call)], files={"main.cpp": unit, "two.h": header},
                   texts={"main.cpp": unit, "two.h": header + "inline int three() { return 3; }\n"})
    ask(editor)
    editor.end("proposal")
    check(words(editor) == "✓ clangd: no new errors", words(editor))
    ends_well(editor)


def a_header_is_judged_by_the_files_that_include_it(program):
    header = "#pragma once\nint two();\n"
    unit = "#include \"two.h\"\nint main() { return two(); }\n"
    editor = asker(program, [turn(edit("int two();\n", "int two(int of);\n", "two.h")), turn("I cannot.", expect=["main.cpp, line 2"])],
                   files={"main.cpp": unit, "two.h": header})
    ask(editor)
    editor.end("proposal")
    check(words(editor) == "✗ clangd: 1 new error", words(editor))
    problem = editor.proposal()["verification"]["problems"][0]
    check(problem["path"] == "main.cpp" and "hunk" not in problem, str(problem))
    ends_well(editor)


def a_verdict_is_of_one_text_and_is_found_again(program):
    editor = asker(program, [turn(RIGHT + edit("  return 0;\n", "  return 1;\n"))])
    ask(editor)
    editor.end("proposal")
    check(words(editor) == "✓ clangd: no new errors", words(editor))
    editor.change("main.cpp", "// typed\n" + editor.buffers["main.cpp"])
    editor.until("the end of the verdict", lambda: words(editor) == "? checked before the text changed (clangd: no new errors)")
    editor.until("the new verdict", lambda: words(editor) == "✓ clangd: no new errors")
    editor.command("bodkin.discard", hunks=[1])
    editor.until("the end of the verdict", lambda: "checked before a part of it was discarded" in words(editor))
    editor.until("the new verdict", lambda: words(editor) == "✓ clangd: no new errors")
    editor.change("main.cpp", editor.buffers["main.cpp"].replace("int main", "int broken = name();\nint main"))
    editor.until("the end of the verdict", lambda: "checked before" in words(editor))
    ends_well(editor)


def a_change_of_another_file_ends_a_verdict_too(program):
    unit = "#include \"two.h\"\nint main() { return two(); }\n"
    editor = asker(program, [turn(edit("int main() { return two(); }\n", "int main() { return 2 * two(); }\n"))],
                   files={"main.cpp": unit, "two.h": "int two();\n"})
    ask(editor)
    editor.end("proposal")
    check(words(editor) == "✓ clangd: no new errors", words(editor))
    editor.change("two.h", "int three();\n")
    editor.until("the end of the verdict", lambda: words(editor) == "? checked before another file changed (clangd: no new errors)")
    ends_well(editor)


def a_pasted_reply_is_checked_after_it_is_shown(program):
    editor = asker(program, [])
    editor.propose(WRONG)
    editor.until("the verdict", lambda: words(editor) == "✗ clangd: 1 new error")
    ends_well(editor)


def a_pasted_reply_that_nobody_can_check_says_why(program):
    editor = asker(program, [], servers={"*": {"command": []}})
    editor.propose(RIGHT)
    editor.until("the reason", lambda: words(editor) == "? only the syntax was checked: no language server for C++ is set up")
    ends_well(editor)


def a_part_that_is_taken_is_checked_alone(program):
    both = edit("Name name() {\n", "Name name(int of) {\n  (void)of;\n") + edit("  return 0;\n", "  return name(1).empty();\n")
    editor = asker(program, [turn(both)])
    ask(editor)
    editor.end("proposal")
    check(words(editor) == "✓ clangd: no new errors", words(editor))
    editor.on_apply = take
    editor.command("bodkin.apply", hunks=[1])
    editor.until("its verdict", lambda: [s for s in editor.states if s["message"] == "Applied in part. This part alone: ✗ clangd: 1 new error."])
    check(words(editor) == "✓ clangd: no new errors", "of all of it: " + words(editor))
    check(not [a for a in editor.actions(editor.uri("main.cpp"), 3) if "Repair" in a["title"]], "a repair is offered")
    editor.command("bodkin.apply")
    editor.until("the verdict", lambda: [s for s in editor.states if s["message"] == "Applied. ✓ clangd: no new errors."])
    ends_well(editor)


THREE = "int one();\n\nint two() {\n  return 2;\n}\n\nint three() {\n  return 3;\n}\n"


def three_parts(program, **more):
    """The first makes what the other two use."""
    edits = (edit("int one();\n", "int one();\nint few() { return 1; }\n") + edit("  return 2;\n", "  return few();\n") +
             edit("  return 3;\n", "  return few() + 1;\n"))
    editor = asker(program, [turn(edits)], files={"main.cpp": THREE}, **more)
    editor.ask("Few.", textDocument={"uri": editor.uri("main.cpp")})
    editor.end("proposal")
    check(words(editor) == "✓ clangd: no new errors", words(editor))
    editor.on_apply = take
    return editor


def said(editor, message):
    return [s for s in editor.states if s["message"] == message]


def take_parts(editor, *hunks):
    editor.states.clear()
    editor.command("bodkin.apply", proposalId=editor.proposal()["proposalId"], hunks=list(hunks))
    editor.until("the part", lambda: [s for s in editor.states if s["message"].startswith("Applied in part. This part")])


def what_is_left_after_a_part_was_undone_is_checked_again(program):
    editor = three_parts(program)
    take_parts(editor, 0)
    editor.states.clear()
    editor.command("bodkin.undo")
    editor.until("the undo", lambda: said(editor, "Undone."))
    check(editor.buffers["main.cpp"] == THREE, editor.buffers["main.cpp"])
    check(words(editor) == "? checked before a part of it was undone (clangd: no new errors)", words(editor))
    editor.until("the new verdict", lambda: words(editor) == "✗ clangd: 2 new errors")
    editor.command("bodkin.apply", hunks=[1, 2])
    editor.until("the verdict", lambda: said(editor, "Applied 2 of 3 changes (1 was undone earlier). ✗ clangd: 2 new errors."))
    # All of it is again what was proposed: the verdict of the two does not say so.
    editor.states.clear()
    editor.command("bodkin.redo")
    editor.until("the end", lambda: [s for s in editor.states if s["state"] == "applied"])
    check("✗" not in words(editor) and "✓" not in words(editor), words(editor))
    ends_well(editor)


def what_is_taken_at_once_after_a_part_was_undone_is_not_called_checked(program):
    editor = three_parts(program, diagnostics=False)
    take_parts(editor, 0)
    editor.states.clear()
    editor.command("bodkin.undo")
    editor.until("the undo", lambda: said(editor, "Undone."))
    editor.states.clear()
    editor.command("bodkin.apply", hunks=[1, 2])
    editor.until("the verdict", lambda: said(editor, (
        "Applied 2 of 3 changes (1 was undone earlier). Checked only before a part of it was undone: clangd: no new errors.")))
    check(not any("✓" in s["message"] or "✓" in s["verification"]["words"] for s in editor.states), str(editor.states))
    ends_well(editor)


def a_part_that_is_proposed_again_is_checked_with_the_rest(program):
    editor = three_parts(program)
    editor.command("bodkin.discard", hunks=[0])
    editor.until("the new verdict", lambda: words(editor) == "✗ clangd: 2 new errors")
    editor.states.clear()
    editor.command("bodkin.redo")
    editor.until("the first word", lambda: editor.states)
    first = editor.states[0]["verification"]["words"]
    check(first == "? checked before a part of it was proposed again (clangd: 2 new errors)", first)
    editor.until("the new verdict", lambda: words(editor) == "✓ clangd: no new errors")
    ends_well(editor)


def a_verdict_counts_what_the_part_that_was_taken_before_has_broken(program):
    editor = three_parts(program)
    take_parts(editor, 1)
    editor.command("bodkin.discard", hunks=[0])
    editor.until("the new verdict", lambda: words(editor) == "✗ clangd: 2 new errors")
    editor.command("bodkin.apply", hunks=[2])
    editor.until("the verdict", lambda: said(editor, "Applied 2 of 3 changes (1 was discarded). ✗ clangd: 2 new errors."))
    check(words(editor) == "✗ clangd: 2 new errors", words(editor))
    ends_well(editor)


def the_model_sees_at_once_what_its_edit_did(program):
    call = ("edit", {"path": "main.cpp", "old_str": '  return {"a"};', "new_str": "  return 42;"})
    mend = ("edit", {"path": "main.cpp", "old_str": "  return 42;", "new_str": '  return {"b"};'})
    turns = [turn(calls=[("read_file", {"path": "main.cpp"})]), turn(calls=[call]),
             turn(calls=[mend], expect=["clangd reports new problems", "main.cpp, line 4: error"]),
             turn("Done.", expect=["clangd: no new errors."])]
    editor = asker(program, [turn(RIGHT)], {"agent.profile": "tools"})
    editor.ask("Edit it.", profile="blocks", textDocument={"uri": editor.uri("main.cpp")})
    editor.end("proposal")  # from now on the server is warm
    for attempt in range(2, 12):  # a busy machine may need more than the two seconds that a call waits
        editor.turns(turns)
        editor.command("bodkin.ask", prompt="Edit it.")
        editor.until("the end of the ask", lambda: len(editor.of("bodkin/didEndAsk")) >= attempt)
        if editor.of("bodkin/didEndAsk")[attempt - 1]["message"] == "Done.":
            break
    check(editor.of("bodkin/didEndAsk")[-1]["message"] == "Done.", str(editor.of("bodkin/didEndAsk")[-1]))
    ends_well(editor)


def without_a_server_it_says_so(program):
    editor = asker(program, [turn(RIGHT)], servers={"*": {"command": []}})
    ask(editor)
    editor.end("proposal")
    check(words(editor) == "? only the syntax was checked: no language server for C++ is set up", words(editor))
    ends_well(editor)


def with_program(folder, name, text, make):
    """What `make` returns, with a program of this name first on PATH."""
    write(folder + "/" + name, text)
    os.chmod(folder + "/" + name, stat.S_IRWXU)
    path = os.environ["PATH"]
    os.environ["PATH"] = folder + ":" + path
    try:
        return make()
    finally:
        os.environ["PATH"] = path


def no_server_runs_the_code_of_an_untrusted_folder(program):
    # One that is not known may do anything with it.
    editor = with_program(tempfile.mkdtemp(), "some-server", "#!/bin/sh\ntouch ran\nexec sleep 600\n", lambda: asker(
        program, [turn(RIGHT)], servers={"cpp": {"command": ["some-server"]}}, trusted=False))
    ask(editor)
    editor.end("proposal")
    check(words(editor) == "? only the syntax was checked: some-server runs only in a trusted folder", words(editor))
    ends_well(editor)
    # None comes out of the folder, even if that is on PATH.
    def prepare(folder, home):
        os.makedirs(home + "/.config/bodkin")
        write(home + "/" + OWN, "{}")
        write(folder + "/main.cpp", MAIN)
        write(folder + "/clangd", "#!/bin/sh\ntouch %s/ran\nexec sleep 600\n" % home)
        os.chmod(folder + "/clangd", stat.S_IRWXU)
        os.environ["PATH"] = folder + ":" + os.environ["PATH"]
    path = os.environ["PATH"]
    try:
        editor = Asker(program, [turn(RIGHT)], texts={"main.cpp": MAIN}, prepare=prepare, trusted=False)
    finally:
        os.environ["PATH"] = path
    ask(editor)
    editor.end("proposal")
    check(words(editor) == "✓ clangd: no new errors", words(editor))
    check(not os.path.exists(editor.home + "/ran"), "the folder's clangd was run")
    ends_well(editor)


def a_server_that_never_answers_can_be_cancelled(program):
    editor = with_program(tempfile.mkdtemp(), "deaf-server", "#!/bin/sh\nexec sleep 600\n", lambda: asker(
        program, [turn(RIGHT)], servers={"cpp": {"command": ["deaf-server"]}}))
    ask(editor)
    editor.until("the check", lambda: "verifying" in editor.states_shown())
    editor.command("bodkin.cancel")
    editor.end("cancelled")
    check(not editor.of("bodkin/proposal"), "a proposal of a cancelled ask")
    ends_well(editor)


def waiting(program, turns, show_after):
    """An ask whose clangd waits for release(), and whose draft is shown after so many milliseconds."""
    folder = tempfile.mkdtemp()
    script = "#!/bin/sh\nwhile [ ! -e %s/go ]; do sleep 0.1; done\nexec %s \"$@\"\n" % (folder, shutil.which("clangd"))
    editor = with_program(folder, "clangd", script, lambda: asker(program, turns, {"verify.showAfterMs": show_after}))
    ask(editor)
    return editor, lambda: write(folder + "/go", "")


def held(program, turns):
    editor, release = waiting(program, turns, 1)
    editor.until("the draft", lambda: editor.of("bodkin/proposal"))
    check(words(editor) == "? checking…", words(editor))
    check(not editor.of("bodkin/didEndAsk"), "the ask has ended")
    return editor, release


def what_is_typed_over_while_it_is_checked_is_not_proposed(program):
    editor, release = waiting(program, [turn(RIGHT)], 600_000)
    editor.until("the check", lambda: "verifying" in editor.states_shown())
    editor.change("main.cpp", MAIN.replace('{"a"}', '{"typed"}'))
    release()
    end = editor.end("answer")
    check(end["message"] == "1 change was left out: you have changed the text there.", str(end))
    check(end["overtaken"] and not editor.of("bodkin/proposal"), str(end))
    ends_well(editor)


def a_check_that_takes_long_withholds_nothing(program):
    editor, release = held(program, [turn(RIGHT)])
    release()
    end = editor.end("proposal")
    check(len(editor.of("bodkin/proposal")) == 1, "more than one proposal")
    check(end["proposalId"] == editor.proposal()["proposalId"], str(end))
    check(words(editor) == "✓ clangd: no new errors", words(editor))
    ends_well(editor)


def what_is_shown_early_is_replaced_by_what_was_repaired(program):
    editor, release = held(program, [turn(WRONG), turn(edit("  return 42;\n", '  return {"42"};\n'), expect=["viable conversion"])])
    release()
    end = editor.end("proposal")
    first, last = editor.proposal(0), editor.proposal(-1)
    check(end["proposalId"] == last["proposalId"] and last["replaces"] == first["proposalId"], str((end, last)))
    found = [s["verification"]["words"] for s in editor.states if s["proposalId"] == first["proposalId"]]
    check("✗ clangd: 1 new error" in found, str(found))
    editor.until("the end of the first", lambda: any(
        s["state"] == "discarded" for s in editor.states if s["proposalId"] == first["proposalId"]))
    editor.until("the verdict", lambda: words(editor) == "✓ clangd: no new errors")
    ends_well(editor)


def what_is_applied_while_it_is_checked_is_not_called_checked_and_has_its_verdict_later(program):
    editor, release = held(program, [turn(WRONG)])
    editor.on_apply = take
    editor.command("bodkin.apply", proposalId=editor.proposal()["proposalId"])
    editor.state("applied")
    check(not any("✓" in s["message"] for s in editor.states), str(editor.states))
    release()
    editor.end("proposal")
    editor.until("the verdict", lambda: [s for s in editor.states if s["message"] == "Applied. ✗ clangd: 1 new error."])
    ends_well(editor)


def what_is_discarded_while_it_is_checked_ends_the_ask(program):
    editor, _ = held(program, [turn(RIGHT)])
    editor.command("bodkin.discard", proposalId=editor.proposal()["proposalId"])
    editor.end("cancelled")
    ends_well(editor)


def tests():
    return [(name.replace("_", " "), test) for name, test in globals().items()
            if callable(test) and getattr(test, "__module__", "") == __name__ and name not in ("edit", "asker", "write", "ask", "words", "with_program", "waiting", "held", "three_parts", "said", "take_parts", "tests")]
