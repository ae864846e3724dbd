"""The profiles shell and plan, with a replayed model, from the question to the proposal. Each test is a function of the
program's path."""
import json
import os
import re
import stat
import subprocess
import tempfile
import time

from abuse import check, ends_well
from asks import Asker, turn
from editor import TEXT
from run_commands import digest, run, runs, take, unchanged
from trust import environment

DONE = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
NONE, SEVERAL = "a reply needs exactly one command block, and yours had 0", "yours had 2"


def says(command, thought="THOUGHT: I want to see.", shell="bash", **more):
    return turn("%s\n\n```%s\n%s\n```\n" % (thought, shell, command), **more)


def world(program, turns, settings=None, files=None, profile="shell", permissions=None, **more):
    settings = dict({"agent.profile": profile, "agent.permissions": permissions or {"run": "allow"}}, **(settings or {}))
    all_files = {"a.c": TEXT, "old.c": "int old;\n", ".git/config": "", ".gitignore": "*.o\nbuild/\n", ".env": "KEY=1\n"}
    all_files.update(files or {})
    editor = Asker(program, turns, settings, files=all_files, own={"permit": True}, **more)
    editor.before = digest(editor.folder)
    return editor


def asked(program, turns, *end, **more):
    """The editor after an ask whose replies are `turns`; the workspace is as it was."""
    editor = world(program, turns, **more)
    editor.ask()
    editor.ended = editor.end(*end)
    unchanged(editor)
    return editor


def a_task_of_several_files_goes_from_a_reproduction_to_a_proposal(program):
    editor = asked(program, [
        says("cat a.c && grep -rn old . --include=*.c", expect=["Wider, please.", "1. Analyse", "THOUGHT"]),
        says("cat > try.sh <<'EOF'\n#!/bin/sh\ngrep -q long a.c\nEOF\nsh try.sh",
             expect=["<returncode>0</returncode>\n<output>\nint a;", "old.c:1:int old;"]),
        says("sed -i 's/int b/long b/' a.c && rm old.c && mkdir -p new && echo 'int n;' >new/n.c && sh try.sh",
             shell="mswea_bash_command", expect=["<returncode>1</returncode>", "try.sh (new)"]),
        says("rm try.sh", shell="sh", expect=["<returncode>0</returncode>", "a.c (edited)", "new/n.c (new)", "old.c (removed)"]),
        says("echo not this; " + DONE + "; echo 'Widened b.'; echo 'And more.'", expect=["try.sh (removed)"])],
        "proposal", texts={"a.c": TEXT, "old.c": "int old;\n"})
    check(editor.ended["message"] == "Widened b.\nAnd more.", str(editor.ended))
    outputs = [each["step"].get("command", {}).get("output", "") for each in editor.of("$/bodkin/stream") if "step" in each]
    check(any("old.c:1:int old;" in each for each in outputs), str(outputs))
    editor.on_apply = take
    editor.command("bodkin.apply", proposalId=editor.proposal()["proposalId"])
    editor.state("applied")
    check(editor.buffers == {"a.c": TEXT.replace("int b", "long b"), "new/n.c": "int n;\n"}, str(editor.buffers))
    ends_well(editor)


def an_ask_that_changes_nothing_is_an_answer(program):
    for marker, answer in (("  FIX_CODE_AGENT_FINAL_OUTPUT  ", "All is well."),
                           ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "")):
        editor = asked(program, [says("echo '%s'%s" % (marker, answer and "; echo '%s'" % answer), thought="THOUGHT: I am done.")],
                       "answer")
        check(editor.ended["message"] == (answer or "I am done."), str(editor.ended))
        ends_well(editor)


def a_reply_without_exactly_one_command_runs_nothing_and_is_told_so(program):
    two = "```bash\necho x >a.c\n```\nand\n```bash\necho y >a.c\n```"
    cut = turn("THOUGHT: long\n\n```bash\necho x >a.c\n```")
    cut["reply"]["stop_reason"] = "max_tokens"
    editor = asked(program, [turn("I think about it."), turn(two, expect=[NONE]), turn("```python\nprint(1)\n```", expect=[SEVERAL]),
                             turn("```bash\necho no end", expect=[NONE]), says("cat a.c"), cut,
                             says(DONE, expect=["was cut off at the length limit"])], "answer")
    ends_well(editor)
    editor = asked(program, [turn("Hm %d." % i) for i in range(5)], "failed")
    check("exactly one command, 5 times in a row" in editor.ended["message"], str(editor.ended))
    ends_well(editor)
    editor = asked(program, [run("cat a.c"), says(DONE, expect=[NONE])], "answer")  # a tool that nobody has offered
    ends_well(editor)


def a_block_may_hold_lines_of_backticks(program):
    readme = "cat > README.md <<'EOF'\n# Use\n```bash\nmake\n```\nEOF"
    editor = asked(program, [says(readme), says("cat README.md", expect=["README.md (new)"]),
                             says("cat <<'EOF' > b.md\n```\nx", expect=["# Use\n```bash\nmake\n```"]),
                             says(DONE, expect=["here-document has no end"])], "proposal")
    check("b.md" not in str(editor.proposal()), str(editor.proposal()))
    ends_well(editor)


def commands_that_misbehave_end_with_a_sentence_and_a_whole_draft(program):
    for command, told in (("yes", "wrote more than 32 MB"), ("echo x >a.c; sleep 600", "did not finish within 1.5 s"),
                          ("(setsid sleep 600 &) ; (sleep 600 &); echo x", "<returncode>0</returncode>"),
                          ("for i in $(seq 200); do sleep 600 & done; wait", "terminated before it finished"),
                          ("kill -9 $PPID; kill -9 -1; kill -9 $$", ("<returncode>137</returncode>", "did not run")),
                          ("echo x >../outside; echo x >/etc/outside; echo x >~/outside", "a.c")):
        told = told if isinstance(told, tuple) else (told,)
        turns = [says("echo 'int fine;' >fine.c"), says(command, expect=["fine.c (new)"])]
        # What is told is looked for in whichever form it comes.
        editor = world(program, turns + [says("ls; " + DONE + "; ls", expect=told[:1] if len(told) == 1 else [])],
                       settings={"agent.commandTimeoutMs": 1500})
        editor.ask()
        end = editor.end("proposal")
        unchanged(editor)
        check("fine.c" in end["message"] and "a.c" in end["message"], str(end))
        check("fine.c" in str(editor.proposal()) and "a.c" not in str(editor.proposal()).replace("fine.c", ""), str(editor.proposal()))
        check(not os.path.exists(os.path.join(os.path.dirname(editor.folder), "outside")), "it wrote outside")
        ends_well(editor)


def a_command_that_deletes_the_workspace_leaves_a_draft_that_can_be_taken_back(program):
    editor = asked(program, [says('rm -rf "$PWD" ./* .g*; ls'), says("git checkout . 2>/dev/null; ls; " + DONE,
                             expect=["a.c (removed)", "old.c (removed)"])], "proposal")
    shown = str(editor.proposal())
    check("a.c" in shown and "old.c" in shown and ".git/config" not in shown and ".env" not in shown, shown)
    ends_well(editor)


def what_git_ignores_and_binaries_stay_for_later_commands_and_never_enter_the_proposal(program):
    make = ("mkdir -p build/deep empty && echo obj >x.o && echo b >build/deep/b && printf 'a\\0b' >logo.bin && "
            "printf '#!/bin/sh\\necho ran\\n' >go.sh && chmod +x go.sh && ln -s a.c link && chmod +x a.c")
    see = "cat x.o build/deep/b && ls -d empty && wc -c <logo.bin && ./go.sh && readlink link && test -x a.c && rm x.o build/deep/b link"
    gone = "ls x.o build/deep/b link; ./go.sh"
    editor = asked(program, [
        says(make), says(see, expect=["2 files that git ignores", "logo.bin (it is not UTF-8 text)", "link (a link",
                                      "go.sh (executable)", "a.c (executable)", "go.sh (new)"]),
        says(gone, expect=["<returncode>0</returncode>\n<output>\nobj\nb\nempty\n3\nran\na.c\n</output>"]),
        says(DONE, expect=["cannot access 'x.o'", "cannot access 'build/deep/b'", "cannot access 'link'"])], "proposal")
    proposal = editor.proposal()
    check("logo.bin" in str(proposal["notes"]) and "chmod +x go.sh" in str(proposal["notes"]), str(proposal["notes"]))
    changed = {(each.get("uri") or each["textDocument"]["uri"]).rsplit("/", 1)[1] for each in proposal["edit"]["documentChanges"]}
    check(changed == {"go.sh"}, str(changed))
    ends_well(editor)
    # Also for run_command in the other profiles.
    editor = asked(program, [run("echo obj >x.o"), run("cat x.o"), turn("Seen.", expect=["<output>\nobj\n</output>"])],
                   "answer", profile="tools")
    ends_well(editor)


def syntax_errors_come_back_before_the_end_is_believed(program):
    bad = "echo 'int n( {' >n.c && " + DONE
    editor = asked(program, [says(bad), says("echo 'int n;' >n.c && " + DONE + " && echo Mended.",
                                             expect=["syntax errors that were not there"])], "proposal")
    check(editor.ended["message"] == "Mended.", str(editor.ended))
    ends_well(editor)


def a_refusal_ends_the_ask_and_a_rule_is_told_to_the_model(program):
    editor = world(program, [says("echo x >a.c")], permissions={"run": "ask"})
    editor.answers["bodkin/permit"] = {"choice": "reject"}
    editor.ask()
    editor.end("refused")
    unchanged(editor)
    check(editor.of("bodkin/permit")[0]["detail"] == "echo x >a.c", str(editor.of("bodkin/permit")))
    ends_well(editor)
    editor = asked(program, [says("rm a.c"), says(DONE, expect=["is not allowed"])], "answer",
                   permissions={"run": {"rm *": "deny", "*": "allow"}})
    check(not editor.of("bodkin/permit"), "what is denied asks nobody")
    ends_well(editor)
    editor = asked(program, [], "failed", trusted=False)
    check("untrusted folder" in editor.ended["message"], str(editor.ended))
    ends_well(editor)


def what_becomes_of_the_submitting_commands_changes_is_told(program):
    change, last = "echo 'int z;' >a.c", "; " + DONE + "; echo All done."
    for command, rules, told in (("for i in $(seq 501); do echo x >f$i.c; done", None, "changed too much"),
                                 (change, {"run": "allow", "edit": "deny"}, "a.c was changed by a command and is not part of")):
        editor = asked(program, [says(command + last)], "answer", permissions=rules)
        check(editor.ended["message"].startswith("All done.") and told in editor.ended["message"], str(editor.ended))
        ends_well(editor)
    editor = asked(program, [says("echo x >.env; echo 'int n;' >n.c" + last)], "proposal")
    check(editor.proposal()["notes"] == [".env was changed by a command and is not part of the proposal: it is private."],
          str(editor.proposal()))
    ends_well(editor)
    editor = world(program, [says(change + last)], permissions={"run": "allow", "edit": "ask"})
    editor.answers["bodkin/permit"] = {"choice": "reject"}
    editor.ask()
    check("All done." not in editor.end("refused")["message"], "a refused edit is not done")
    unchanged(editor)
    ends_well(editor)


def cancelling_in_the_middle_of_a_command_ends_it(program):
    mark = "62%d" % os.getpid()
    editor = world(program, [says("echo x >b.c"), says("rm a.c; sleep " + mark)])
    editor.ask()
    limit = time.monotonic() + 60
    while not runs(mark):
        check(time.monotonic() < limit, "the command was not started")
        time.sleep(0.01)
    editor.command("bodkin.cancel")
    editor.end("cancelled")
    check(not runs(mark), "the command still runs")
    check(not editor.of("bodkin/proposal"), "a proposal of a cancelled ask")
    unchanged(editor)
    ends_well(editor)


def a_model_that_runs_in_a_circle_or_into_a_limit_ends(program):
    editor = asked(program, [says("echo same")] * 3, "failed")
    check("ran the same command 3 times" in editor.ended["message"], str(editor.ended))
    ends_well(editor)
    editor = world(program, [says("echo %d >n.c" % i) for i in range(2)] + [says(DONE, expect=["stopped by a limit after 2 requests"])],
                   settings={"agent.maxTurns": 2})
    editor.answers["bodkin/permit"] = {"choice": "reject"}
    session = editor.ask()["sessionId"]
    editor.end("limit")
    editor.ask("Go on.", sessionId=session)
    editor.end("answer", "proposal", count=2)
    unchanged(editor)
    ends_well(editor)


def a_reply_of_several_calls_is_one_format_error(program):
    editor = world(program, [turn(calls=[("read_file", {"path": "a.c"})] * 6)] * 5 + [says(DONE)])
    session = editor.ask()["sessionId"]
    message = editor.end("failed")["message"]
    check("with exactly one command, 5 times in a row" in message, message)
    editor.ask("Go on.", sessionId=session)
    editor.end("answer", count=2)
    unchanged(editor)
    ends_well(editor)


def powershell_runs_where_it_is_and_is_asked_for_as_such(program):
    script = "Get-Content 'a.c' # ä𝄞"
    both = "```bash\necho bash\n```\n```powershell\n%s\n```" % script
    with tempfile.TemporaryDirectory() as folder:
        place = folder + "/pwsh"
        with open(place, "w") as file:
            file.write('#!/bin/sh\necho "$1 $2 $3"\nprintf %s "$4" | base64 -d | iconv -f UTF-16LE -t UTF-8\n')
        os.chmod(place, os.stat(place).st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        os.chmod(folder, 0o755)
        with environment(PATH=folder + ":" + os.environ["PATH"]):
            wanted = "<returncode>0</returncode>\n<output>\n-NoProfile -NonInteractive -EncodedCommand\n" + script
            editor = world(program, [turn(both), says(DONE, expect=[wanted])], permissions={"run": {"echo *": "allow"}},
                           settings={"sandbox.readable": [folder]})
            editor.answers["bodkin/permit"] = {"choice": "once"}
            editor.ask()
            editor.end("answer")
            asked_for = editor.of("bodkin/permit")
            check(len(asked_for) == 1 and asked_for[0]["detail"] == script, str(asked_for))
            unchanged(editor)
            ends_well(editor)
    editor = asked(program, [turn(both), says(DONE, expect=["there is no PowerShell (pwsh) here"])], "answer")
    ends_well(editor)


def the_users_templates_stand_in_place_of_the_built_in_ones(program):
    own = ".config/bodkin/profiles/"
    files = {own + "shell.observation.md": "SAW {{returncode}} [{{output}}] of {{ task }} by {{model_name}} at {{n_model_calls}}/{{model_cost}}\n",
             own + "mine.json": '{"like": "shell", "sentence": "Mine."}', own + "mine.instance.md": "DO {{task}} on {{system}}\n"}
    editor = asked(program, [says("echo hi", expect=["1. Analyse"]), says(DONE, expect=["SAW 0 [hi\n] of Wider, please. by ", "at 1/"])],
                   "answer", files=files)
    ends_well(editor)
    editor = asked(program, [says("echo hi", expect=["DO ", "Wider, please.", " on Linux"], absent=["1. Analyse"]),
                             says(DONE, expect=["SAW 0"])], "answer", files=files, profile="mine")
    ends_well(editor)
    for name, text, sentence in (("mine.instance.md", "{{tusk}}", "mine.instance.md: unknown variable {{tusk}}"),
                                 ("mine.timeout.md", "{% if x %}", "mine.timeout.md: a template has {{variables}}"),
                                 ("mine.json", '{"like": "shell", "prts": []}', 'mine.json: unknown member "prts"')):
        editor = world(program, [], files=dict(files, **{own + name: text}), profile="mine")
        answer = editor.command("bodkin.ask", prompt="x")
        check(sentence in answer["error"]["message"], str(answer))
        ends_well(editor)


def the_command_line_lists_all_profiles(program):
    with tempfile.TemporaryDirectory() as home:
        os.makedirs(home + "/bodkin/profiles")
        for name, text in (("mine.json", '{"like": "shell", "sentence": "Mine."}'), ("mine.limits.md", "Over.")):
            with open(home + "/bodkin/profiles/" + name, "w") as file:
                file.write(text)
        listed = lambda *more: subprocess.run([program, "settings", "--profiles", *more], capture_output=True, text=True,
                                              env=dict(os.environ, XDG_CONFIG_HOME=home))
        rows = {row["name"]: row for row in json.loads(listed("--json").stdout)}
        check(list(rows)[-1] == "mine" and {"blocks", "shell", "tools"} < set(rows), str(rows))
        check(rows["mine"] == {"name": "mine", "sentence": "Mine.", "file": home + "/bodkin/profiles/mine.json"}, str(rows))
        well = listed()
        check(well.returncode == 0 and "mini-swe-agent" in well.stdout and "Mine." in well.stdout, well.stdout)
        with open(home + "/bodkin/profiles/mine.limits.md", "w") as file:
            file.write("{{nothing}}")
        broken = listed()
        check(broken.returncode == 1 and "unknown variable {{nothing}}" in " ".join(broken.stdout.split()), broken.stdout)


def a_plan_changes_nothing_and_is_carried_out_in_its_session(program):
    editor = world(program, [
        run("cat a.c; echo x >a.c; echo obj >x.o"),
        run("cat a.c; ls x.o", ),
        turn("1. In a.c, make b a long.", expect=["What the command changed was dropped", "int b;", "cannot access 'x.o'"]),
        turn(calls=[("edit", {"path": "a.c", "old_str": "int b", "new_str": "long b"})], expect=["Carry out the plan.", "make b a long"]),
        turn("Widened.")], profile="plan")
    session = editor.ask()["sessionId"]
    end = editor.end("answer")
    plans = [each["text"] for each in editor.of("$/bodkin/stream") if each["kind"] == "plan"]
    check(plans == ["1. In a.c, make b a long."] and end["message"] == plans[0], str(plans))
    check(end["plan"] is True and end["sessionId"] == session, str(end))
    check(not editor.of("bodkin/proposal"), "a plan has no proposal")
    unchanged(editor)
    answer = editor.command("bodkin.ask", sessionId=session, profile="tools")
    check("result" in answer, str(answer))
    check("plan" not in editor.end("proposal", count=2), "a proposal is no plan")
    unchanged(editor)
    ends_well(editor)


def a_model_that_says_nothing_has_its_changes_named(program):
    script = "sed -i 's/int b/long b/' a.c; rm old.c; echo 'int n;' >n.c; " + DONE
    edit = [("edit", {"path": "a.c", "old_str": "int b", "new_str": "long b"})]
    block = "a.c\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n"
    for profile, turns, answer in (("shell", [turn("```bash\n%s\n```\n" % script)], "Changed a.c, n.c (new), old.c (removed)."),
                                   ("tools", [turn(calls=edit), turn("")], "Changed a.c."),
                                   ("tools", [run(script), turn(" \n")], "Changed a.c, n.c (new), old.c (removed)."),
                                   ("blocks", [turn(block)], "Changed a.c.")):
        editor = asked(program, turns, "proposal", profile=profile, texts={"a.c": TEXT, "old.c": "int old;\n"})
        check(editor.ended["message"] == answer, profile + ": " + str(editor.ended))
        ends_well(editor)


def each_step_tells_its_files_lines_and_time(program):
    edit = [("edit", {"path": "a.c", "old_str": "int b;", "new_str": "long b;\nlong d;"})]
    block = "a.c\n<<<<<<< SEARCH\nint a;\n=======\nlong a;\n>>>>>>> REPLACE\n"
    for profile, turns, wanted in (
            ("tools", [turn(calls=edit), turn(calls=[("read_file", {"path": "nothing"})]), run("rm old.c"), turn(block)],
             [("edit", False, [("a.c", "edited", 2, 1)]), ("read_file", True, []), ("run_command", False, [("old.c", "removed", 0, 1)]),
              ("", False, [("a.c", "edited", 1, 1)])]),
            ("shell", [says("echo 'int n;' >n.c"), says(DONE)], [("run_command", False, [("n.c", "created", 1, 0)]), ("run_command", False, [])])):
        editor = asked(program, turns, "proposal", profile=profile, texts={"a.c": TEXT, "old.c": "int old;\n"})
        steps = [each for each in editor.of("$/bodkin/stream") if "step" in each]
        check(all(each["kind"] == "tool" and each["step"]["ms"] >= 0 for each in steps), str(steps))
        found = [(each["step"]["tool"], each["step"]["failed"],
                  [tuple(file[key] for key in ("path", "change", "added", "removed")) for file in each["step"]["files"]])
                 for each in steps]
        check(found == wanted, str(found))
        diffs = "".join(file["diff"] for each in steps for file in each["step"]["files"])
        check(("+long d;" in diffs and "-int old;" in diffs) or "+int n;" in diffs, diffs)
        check(profile == "shell" or re.fullmatch(r"a\.c \+2 −1(, \d+\.\d s)?", steps[0]["text"]), str(steps[0]))
        ends_well(editor)


def a_plan_offers_no_edits(program):
    editor = asked(program, [turn(calls=[("edit", {"path": "a.c", "old_str": "int b", "new_str": "long b"})]),
                             turn("a.c\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n", expect=["Unknown tool"])],
                   "answer", profile="plan")
    ends_well(editor)


def tests():
    return [(name.replace("_", " "), test) for name, test in globals().items()
            if callable(test) and getattr(test, "__module__", "") == __name__
            and name not in ("says", "world", "asked", "tests")]
