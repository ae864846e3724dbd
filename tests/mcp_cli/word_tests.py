"""Files that run by themselves: they are kept until the user says so."""
import json
import os
import re
import shutil
import subprocess

from cli_support import block, check
from client import Case
from edit_tests import FUNCTION, id_in

# What agents, editors, git and shells run by themselves (tests/agent/ask/cautions.cpp has the whole list).
ACTING = (".claude/settings.json", ".mcp.json", ".codex/config.toml", ".gemini/settings.json", ".cursor/mcp.json", "opencode.json",
          ".vscode/tasks.json", "sub/.vscode/settings.json", ".nvim.lua", "sub/HEAD", "mise.toml", ".husky/pre-commit", ".CLAUDE/x.json")


def what_agents_run_by_themselves_is_not_written_but_kept_for_the_user(case):
    for modern in (False, True):
        server = case.server(modern=modern)
        for path in ACTING:
            text = server.refused("edit", path=path, old_str="", new_str="evil\n")
            check("only the user may change this" in text, text)
            check(not os.path.exists(case.path(path)), path + " was written")
        command = re.search(r"bodkin apply (p0-[0-9a-f]{16})$", text, re.M)
        check(command, text)
        for more, is_there in ((["--diff"], False), ([], True), ([], True)):
            done = subprocess.run([case.program, "apply", *more, command.group(1)], cwd="/", capture_output=True, text=True)
            check(os.path.exists(case.path(path)) == is_there, "%r: %r" % (more, done))
        check(done.returncode == 0 and "already in place" in done.stdout, "it was applied twice: %r" % done)
        shutil.rmtree(case.path(os.path.dirname(path)))
        text = server.refused("apply_patch", patch=block("a.py", "", "x = 1\n") + block(".mcp.json", "", "{}\n"))
        check(not os.path.exists(case.path("a.py")), text)
        case.put(".mcp.json", "{}\n")
        server.refused("apply_patch", patch="*** Begin Patch\n*** Delete File: .mcp.json\n*** End Patch\n")
        server.refused("apply_patch", patch="*** Begin Patch\n*** Update File: .mcp.json\n*** Move to: x.json\n@@\n-{}\n+[]\n"
                       "*** End Patch\n")
        check(case.get(".mcp.json") == "{}\n", "changed")
        os.remove(case.path(".mcp.json"))
        server.close()


def a_change_kept_for_the_user_is_made_of_what_they_were_asked_for_or_not_at_all(case):
    case.put(".nvim.lua", "a\n")
    server = case.server()
    text = server.refused("edit", path=".nvim.lua", old_str="a\n", new_str="b\n")
    id = re.search(r"bodkin apply (p0-[0-9a-f]{16})$", text, re.M).group(1)
    case.put(".nvim.lua", "a\nc\n")
    done = subprocess.run([case.program, "apply", id], cwd=case.root, capture_output=True, text=True)
    check(done.returncode == 1 and "changed since" in done.stderr and case.get(".nvim.lua") == "a\nc\n", repr(done))


def what_waits_for_the_user_pushes_nothing_out_of_the_log(case):
    """An agent that is refused again and again, or says the same again."""
    case.put("own.txt", "a\n")
    case.put(".nvim.lua", "a\n")
    own = subprocess.run([case.program, "apply", "--json"], cwd=case.root, input=block("own.txt", "a\n", "b\n"), capture_output=True,
                         text=True)
    own = json.loads(own.stdout)["undo"].split()[2]
    server = case.server()
    ids = set()
    for i in range(64):
        text = server.refused("edit", path=".nvim.lua", old_str="a\n", new_str="b%d\n" % i)
        same = server.refused("edit", path=".nvim.lua", old_str="a\n", new_str="b%d\n" % i)
        check(id_of_asked(text) == id_of_asked(same), same)
        ids.add(id_of_asked(text))
    check(len(ids) == 64, "%d ids" % len(ids))
    known = json.loads(subprocess.run([case.program, "history", "--json"], cwd=case.root, capture_output=True, text=True).stdout)
    check(own in [each["id"] for each in known] and 50 <= len(known) <= 61, str([each["id"] for each in known]))
    done = subprocess.run([case.program, "undo"], cwd=case.root, capture_output=True, text=True)
    check(done.returncode == 0 and case.get("own.txt") == "a\n", repr(done))
    # Applied by its id, once; then it is in place, which the same command says.
    for words in ("changed .nvim.lua", "already in place"):
        done = subprocess.run([case.program, "apply", id_of_asked(text)], cwd=case.root, capture_output=True, text=True)
        check(done.returncode == 0 and words in done.stdout and case.get(".nvim.lua") == "b63\n", repr(done))
    # As after a run that was killed between the log and the files.
    case.put(".nvim.lua", "a\n")
    done = subprocess.run([case.program, "apply", id_of_asked(text)], cwd=case.root, capture_output=True, text=True)
    check(done.returncode == 0 and case.get(".nvim.lua") == "b63\n", repr(done))


def id_of_asked(text):
    return re.search(r"bodkin apply (p0-[0-9a-f]{16})$", text, re.M).group(1)


def a_link_or_a_folder_of_an_agent_is_no_way_around_the_users_word(case):
    case.put(".claude/settings.json", "{}\n")
    case.put("bare/HEAD", "ref: refs/heads/main\n")
    case.put("bare/config", "[core]\n")
    os.symlink(".claude/settings.json", case.path("notes.txt"))
    os.symlink(".claude", case.path("docs"))
    server = case.server()
    for path in ("notes.txt", "docs/settings.json"):
        server.refused("edit", path=path, old_str="{}", new_str="[]")
    server.refused("edit", path="bare/config", old_str="[core]", new_str="[core]\nfsmonitor = evil")
    check(case.get(".claude/settings.json") == "{}\n" and case.get("bare/config") == "[core]\n", "written")
    inside = Case(case.program, case.path(".claude"))
    try:
        inside.server().refused("edit", path="settings.json", old_str="{}", new_str="[]")
        check(case.get(".claude/settings.json") == "{}\n", "written")
        # A worktree in an agent's folder is somebody's project.
        case.put(".claude/worktrees/w/.git", "gitdir: x\n")
        case.put(".claude/worktrees/w/a.py", FUNCTION)
        worktree = Case(case.program, case.path(".claude/worktrees/w"))
        worktree.server().done("edit", path="a.py", old_str="3.14", new_str="3")
        worktree.close()
    finally:
        inside.close()


def what_a_name_that_runs_leads_to_needs_the_users_word_by_its_own_name_too(case):
    for folder in ("settings", "dotfiles/nvim", ".claude", ".git", "scripts", "plain"):
        os.makedirs(case.path(folder))
    case.put("settings/agent.json", "{}\n")
    os.symlink("../settings/agent.json", case.path(".claude/settings.json"))
    os.symlink("settings/later.json", case.path("opencode.json"))
    case.put("hard.json", "{}\n")
    os.link(case.path("hard.json"), case.path(".mcp.json"))
    os.makedirs(case.path(".git/hooks"))
    os.symlink("../../scripts/before.sh", case.path(".git/hooks/pre-commit"))
    case.put(".git/config", '[core]\n\thooksPath = "my hooks"\n\tfsmonitor = scripts/watch.sh --all\n'
             "[include]\n\tpath = ../plain/git\n[filter \"x\"]\n\tclean = sh ./scripts/clean.sh %f\n")
    case.put("plain/git", "[alias]\n\tx = !scripts/alias.sh\n")
    home = os.environ["HOME"]
    os.makedirs(os.path.join(home, ".config"))
    os.symlink(case.path("dotfiles/nvim"), os.path.join(home, ".config", "nvim"))
    os.symlink(case.path("dotfiles/bashrc"), os.path.join(home, ".bashrc"))
    server = case.server()
    for path in ("settings/agent.json", "hard.json"):
        text = server.refused("edit", path=path, old_str="{}", new_str="[]")
        check("only the user may change this" in text and case.get(path) == "{}\n", text)
    for path in ("settings/later.json", "my hooks/pre-push", "scripts/watch.sh", "scripts/clean.sh", "scripts/alias.sh",
                 "scripts/before.sh", "dotfiles/nvim/lua/x.lua", "dotfiles/bashrc"):
        text = server.refused("edit", path=path, old_str="", new_str="evil\n")
        check("only the user may change this" in text and not os.path.exists(case.path(path)), path + ": " + text)
    text = server.refused("edit", path="plain/git", old_str="[alias]", new_str="[core]")
    check("git's configuration" in text, text)
    for path in ("scripts/other.sh", "plain/README.md", "settings/a.json", "dotfiles/other"):
        server.done("edit", path=path, old_str="", new_str="harmless\n")


def what_gits_configuration_names_is_read_as_git_reads_it(case):
    os.makedirs(case.path(".git"))
    settings = [
        ('[core]\n\thooksPath = "my#hooks"\n', "my#hooks/pre-commit"),
        ('[core] hooksPath = "my;hooks" ; comment\n', "my;hooks/pre-commit"),
        ("[core]\n\thooksPath = my\\\nhooks # comment\n", "myhooks/pre-commit"),
        ("[core]\n\tattributesFile = attributes\n", "attributes"),
        ("[core]\n\tpager = sh -c \\\"tools/p -x\\\"\n", "tools/p"),
        ('[core]\n\tfsmonitor = "sh watch"\n', "watch"),
        ('[core]\n\tsshCommand = "F=./q;sh ${PWD}/tools/ssh"\n', "tools/ssh"),
        ('[filter "x"]\n\tclean = \\"./tools/q\\" %f\n', "tools/q"),
        ('[filter "x"]\n\tclean = "\\"./my tools/q\\" %f"\n', "my tools/q"),
        ('[filter "x"]\n\tclean = \\"$(git rev-parse --show-toplevel)\\"/tools/cl\n', "tools/cl"),
        ('[filter "x"]\n\tclean = bash -x<tools/in\n', "tools/in"),
        ("[include]\n\tpath = ../more\n", "more"),
        ('[includeIf "onbranch:x"]\n\tpath = ../team\n', "team"),
        ("[init]\n\ttemplateDir = template\n", "template/hooks/post-checkout"),
        ('[alias]\n\tu = "!cd sub && sh run"\n', "sub/run"),
    ]
    for text, path in settings:
        case.put(".git/config", text)
        server = case.server()
        answer = server.refused("edit", path=path, old_str="", new_str="evil\n")
        check("is named in git's configuration" in answer and not os.path.exists(case.path(path)), path + ": " + answer)
    case.put(".git/config", '[user]\n\tname = Jo Main\n[alias]\n\tl = log -p\n[core]\n\tpager = less # tools/a\n\tbare = false\n')
    server = case.server()
    for path in ("Main", "log", "less", "tools/a"):
        server.done("edit", path=path, old_str="", new_str="harmless\n")


def the_user_is_asked_where_the_client_can_ask(case):
    edit = {"path": ".mcp.json", "old_str": "", "new_str": "{}\n"}
    refusals = ({"action": "decline"}, {"action": "cancel"}, {"action": "accept"}, {"action": "accept", "content": {"apply": False}},
                {"action": "accept", "content": {"apply": "true"}}, {})
    yes = {"action": "accept", "content": {"apply": True}}
    server = case.server(capabilities={"elicitation": {}})
    for said in (*refusals, yes):
        id = server.start_call("edit", edit)
        asked = server.message()
        check(asked["method"] == "elicitation/create" and ".mcp.json" in asked["params"]["message"] and
              "+{}" in asked["params"]["message"], repr(asked))
        check(not os.path.exists(case.path(".mcp.json")), "written before the answer")
        server.send(id=asked["id"], result=said)
        text, is_error = server.finished(id)
        check(os.path.exists(case.path(".mcp.json")) == (said is yes) and is_error == (said is not yes), text)
    # Taking it back removes what runs, and needs the word, too.
    id = server.start_call("undo", {"change": id_in(text, "change")})
    server.send(id=server.message()["id"], result=yes)
    text, is_error = server.finished(id)
    check(not is_error and not os.path.exists(case.path(".mcp.json")), text)
    # A client that cannot after all.
    id = server.start_call("edit", edit)
    server.send(id=server.message()["id"], error={"code": -32601, "message": "Unknown"})
    text, is_error = server.finished(id)
    check(is_error and "bodkin apply" in text and not os.path.exists(case.path(".mcp.json")), text)
    # A cancelled call takes its question back.
    id = server.start_call("edit", edit)
    asked = server.message()
    server.notify("notifications/cancelled", requestId=id)
    gone = server.message()
    check(gone["method"] == "notifications/cancelled" and gone["params"]["requestId"] == asked["id"], repr(gone))
    server.close()

    server = case.server(modern=True, capabilities={"elicitation": {"form": {}}, "roots": {}})
    roots = {"roots": {"roots": [{"uri": "file://" + case.root}]}}
    call = {"name": "edit", "arguments": edit}
    asked = server.request("tools/call", {**call, "inputResponses": roots})
    check(set(asked["inputRequests"]) == {"user", "roots"}, repr(asked))
    for said in refusals:
        server.request("tools/call", {**call, "inputResponses": {**roots, "user": said}, "requestState": asked["requestState"]})
        check(not os.path.exists(case.path(".mcp.json")), repr(said))
    # The word is for one change.
    other = {"name": "edit", "arguments": {**edit, "new_str": "[]\n"}}
    again = server.request("tools/call", {**other, "inputResponses": {**roots, "user": yes}, "requestState": asked["requestState"]})
    check(again["resultType"] == "input_required" and not os.path.exists(case.path(".mcp.json")), repr(again))
    server.request("tools/call", {**call, "inputResponses": {**roots, "user": yes}, "requestState": asked["requestState"]})
    check(case.get(".mcp.json") == "{}\n", "not written")
