"""Folders of strangers. Whatever their files, their .git and what lies beside them say: nothing of it is
run, whether the user trusts the folder or not. And what trust changes. Each test is a function of the
program's path."""
import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import tempfile

from abuse import check, ends_well
from asks import Asker, turn
from editor import REPLY, WANTED


GIT = shutil.which("git")


def git(folder, *words):
    environment = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null")
    done = subprocess.run([GIT, "-c", "user.name=n", "-c", "user.email=e", *words], cwd=folder,
                          capture_output=True, env=environment, text=True)
    check(done.returncode == 0, "git %s: %s" % (" ".join(words), done.stderr))
    return done.stdout.strip()


def write(path, text, executable=False):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as out:
        out.write(text)
    if executable:
        os.chmod(path, 0o755)


@contextlib.contextmanager
def environment(**values):
    before = dict(os.environ)
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def repository(folder):
    """A sparse index with a folder that is not checked out, whose tree is missing: to list it, git must get
    the tree from where a partial clone has it."""
    write(folder + "/t.c", "int t;\n")
    write(folder + "/src/a.c", "int a;\n")
    write(folder + "/other/b.c", "int b;\n")
    git(folder, "init", "-q", ".")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "x")
    git(folder, "sparse-checkout", "init", "--cone", "--sparse-index")
    git(folder, "sparse-checkout", "set", "src")
    tree = git(folder, "rev-parse", "HEAD:other")
    os.remove("%s/.git/objects/%s/%s" % (folder, tree[:2], tree[2:]))
    configure(folder, ("core.repositoryformatversion", "1"), ("extensions.partialClone", "origin"),
              ("remote.origin.promisor", "true"))


def configure(folder, *settings, file=".git/config"):
    for name, value in settings:
        git(folder, "config", "-f", file, name, value)


# Each makes a folder of a stranger in which something would make the file `mark`.

def ssh(folder, mark):
    repository(folder)
    configure(folder, ("remote.origin.url", "ssh://localhost/x"), ("core.sshCommand", "touch '%s'; false" % mark))


def upload_pack(folder, mark):
    repository(folder)
    configure(folder, ("remote.origin.url", "file://" + folder),
              ("remote.origin.uploadpack", "touch '%s'; false" % mark))


def external_transport(folder, mark):
    repository(folder)
    configure(folder, ("remote.origin.url", "ext::touch " + mark), ("protocol.ext.allow", "always"))


def git_proxy(folder, mark):
    repository(folder)
    write(folder + "/proxy", "#!/bin/sh\ntouch '%s'\n" % mark, True)
    configure(folder, ("remote.origin.url", "git://localhost/x"), ("core.gitProxy", folder + "/proxy"))


def credential_helper(folder, mark):
    repository(folder)
    configure(folder, ("remote.origin.url", "http://127.0.0.1:1/x"), ("credential.helper", "!touch '%s'" % mark),
              ("core.askPass", "touch '%s'" % mark))


def included_settings(folder, mark):
    ssh(folder, mark)
    os.rename(folder + "/.git/config", folder + "/.git/more")
    configure(folder, ("core.repositoryformatversion", "1"), ("extensions.partialClone", "origin"),
              ("include.path", "more"))


def settings_of_the_worktree(folder, mark):
    repository(folder)
    configure(folder, ("extensions.worktreeConfig", "true"))
    configure(folder, ("remote.origin.url", "ssh://localhost/x"), ("core.sshCommand", "touch '%s'; false" % mark),
              file=".git/config.worktree")


def git_folder_elsewhere(folder, mark):
    ssh(folder, mark)
    os.rename(folder + "/.git", folder + "/data")
    write(folder + "/.git", "gitdir: data\n")


def bare_layout_in_a_clone(folder, mark):
    """The clone is harmless; the workspace is a folder in it that looks like a repository."""
    ssh(folder, mark)
    for name in os.listdir(folder + "/.git"):
        os.rename(folder + "/.git/" + name, folder + "/" + name)
    os.rmdir(folder + "/.git")
    configure(folder, ("core.worktree", "."), ("core.bare", "false"), file="config")


def file_system_monitor(folder, mark):
    repository(folder)
    configure(folder, ("core.fsmonitor", "touch '%s'" % mark))


def hooks(folder, mark):
    repository(folder)
    for name in ("post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman"):
        write(folder + "/.git/hooks/" + name, "#!/bin/sh\ntouch '%s'\n" % mark, True)
    configure(folder, ("core.hooksPath", ".git/hooks"), ("core.untrackedCache", "true"))


def pager_and_filters(folder, mark):
    repository(folder)
    write(folder + "/.gitattributes", "* filter=x diff=x\n")
    touch = "touch '%s'" % mark
    configure(folder, ("pager.ls-files", touch), ("core.pager", touch), ("filter.x.clean", touch),
              ("filter.x.process", touch), ("diff.x.textconv", touch), ("diff.external", touch),
              ("alias.ls-files", "!" + touch))


def programs_beside_the_files(folder, mark):
    repository(folder)
    for place in ("", "bin/"):
        for name in ("git", "rg", "sh", "bodkin"):
            write(folder + "/" + place + name, "#!/bin/sh\ntouch '%s'\n" % mark, True)


def settings_of_rg(folder, mark):
    write(folder + "/t.c", "int t;\n")
    write(folder + "/pre", "#!/bin/sh\ntouch '%s'\n" % mark, True)
    for name in ("ripgreprc", ".ripgreprc"):
        write(folder + "/" + name, "--pre=%s/pre\n--search-zip\n" % folder)


KINDS = (ssh, upload_pack, external_transport, git_proxy, credential_helper, included_settings,
         settings_of_the_worktree, git_folder_elsewhere, bare_layout_in_a_clone, file_system_monitor, hooks,
         pager_and_filters, programs_beside_the_files, settings_of_rg)


def nothing_in_an_untrusted_folder_is_run(program):
    for kind in KINDS:
        for trusted in (False, True):
            for above in (False, True):
                if above and kind is programs_beside_the_files:
                    continue  # such a PATH is the user's own wish
                mark = tempfile.mkdtemp() + "/mark"

                def prepare(folder, home):
                    if above:  # the workspace is in a repository that is harmless
                        git(folder, "init", "-q", ".")
                        folder += "/inner"
                        os.mkdir(folder)
                    kind(folder, mark)
                    return folder

                path = "%s:.::bin:/inner/bin" % os.environ["PATH"]
                if kind is programs_beside_the_files:
                    path = ".::bin:" + path
                with environment(PATH=path, RIPGREP_CONFIG_PATH=".ripgreprc"):
                    editor = Asker(program, [turn(calls=[("list_dir", {}), ("grep_search", {"query": "int"})]),
                                             turn("Done.", expect=["t.c"])],
                                   {"agent.profile": "tools"}, trusted=trusted, prepare=prepare)
                    editor.ask()
                    editor.end("answer")
                    ends_well(editor)
                check(not os.path.exists(mark), "%s was run (trusted: %s, above: %s)" % (kind.__name__, trusted, above))


def what_a_folder_puts_into_path_is_not_taken_for_git_or_rg(program):
    mark = tempfile.mkdtemp() + "/mark"
    folder = os.path.realpath(tempfile.mkdtemp())
    programs_beside_the_files(folder, mark)
    write(folder + "/main.c", "int main;\n")
    for first in (folder, folder + "/bin"):
        with environment(PATH=first + ":" + os.environ["PATH"]):
            done = subprocess.run([program, "context", "--root", folder, folder + "/main.c:1"], capture_output=True)
            check(done.returncode == 0, done.stderr.decode())
    check(not os.path.exists(mark), "a program of the folder was run")


def a_folder_cannot_show_what_is_outside_of_it(program):
    """A working tree that lies elsewhere, an index with names that leave the folder."""
    def prepare(folder, home):
        write(home + "/private-name.c", "int p;\n")
        write(folder + "/t.c", "int t;\n")
        git(folder, "init", "-q", ".")
        git(folder, "add", "-A")
        blob = git(folder, "hash-object", "-w", "t.c")
        inside = "AAAAAAAAAAAAAAAA/private-name.c"
        git(folder, "update-index", "--add", "--cacheinfo", "100644,%s,%s" % (blob, inside))
        index = open(folder + "/.git/index", "rb").read().replace(inside.encode(), b"../../../../.././private-name.c")
        check(b".././private-name.c" in index, "the test is wrong")
        open(folder + "/.git/index", "wb").write(index[:-20] + hashlib.sha1(index[:-20]).digest())
        configure(folder, ("core.worktree", home))
    for trusted in (True, False):
        editor = Asker(program, [turn(calls=[("list_dir", {})]), turn("Done.", expect=["t.c"], absent=["private-name"])],
                       {"agent.profile": "tools"}, trusted=trusted, prepare=prepare)
        editor.ask()
        editor.end("answer")
        ends_well(editor)


def a_hanging_git_is_not_waited_for(program):
    def prepare(folder, home):
        write(folder + "/t.c", "int t;\n")
        git(folder, "init", "-q", ".")
        os.mkfifo(folder + "/.git/pipe")
        configure(folder, ("core.excludesFile", ".git/pipe"))
    editor = Asker(program, [turn(calls=[("list_dir", {})]), turn("Done.", expect=["t.c"])],
                   {"agent.profile": "tools"}, prepare=prepare)
    editor.ask()
    editor.end("answer")
    ends_well(editor)


def nobody_waits_for_rules_that_are_a_pipe(program):
    def prepare(folder, home):
        write(folder + "/t.c", "int t;\n")
        git(folder, "init", "-q", ".")
        os.mkfifo(folder + "/.gitignore")
    mark = tempfile.mkdtemp() + "/mark"
    programs = fake_git(tempfile.mkdtemp(), mark)
    shutil.copy(programs.split(":")[0] + "/git", programs.split(":")[0] + "/rg")
    with environment(PATH=programs):
        editor = Asker(program, [turn(calls=[("list_dir", {})]), turn("Done.", expect=["t.c"])],
                       {"agent.profile": "tools"}, prepare=prepare)
        editor.ask()
        editor.end("answer")
        ends_well(editor)
    check(not os.path.exists(mark), "git or rg was started")


def fake_git(home, mark):
    """A git that leaves a mark, in a folder for PATH."""
    write(home + "/programs/git", "#!/bin/sh\ntouch '%s'\nexit 1\n" % mark, True)
    return "%s/programs:%s" % (home, os.environ["PATH"])


def git_is_started_only_in_trusted_folders(program):
    def prepare(folder, home):
        write(folder + "/t.c", "")
        write(folder + "/o.c", "")
        write(folder + "/.gitignore", "o.c\n")
        git(folder, "init", "-q", ".")
    for trusted in (None, False, True):
        mark = tempfile.mkdtemp() + "/mark"
        with environment(PATH=fake_git(tempfile.mkdtemp(), mark)):
            editor = Asker(program, [turn(calls=[("list_dir", {})]), turn("Done.", expect=["t.c"], absent=["o.c"])],
                           {"agent.profile": "tools"}, trusted=trusted, prepare=prepare)
            editor.ask()
            editor.end("answer")
            ends_well(editor)
        check(os.path.exists(mark) == bool(trusted), "trusted: %s, started: %s" % (trusted, os.path.exists(mark)))


def the_command_line_trusts_the_root_that_it_is_given_unless_it_is_told_not_to(program):
    folder = tempfile.mkdtemp()
    write(folder + "/t.c", "int t;\n")
    git(folder, "init", "-q", ".")
    for more, started in (([], True), (["--untrusted"], False)):
        mark = tempfile.mkdtemp() + "/mark"
        with environment(PATH=fake_git(tempfile.mkdtemp(), mark)):
            done = subprocess.run([program, "context", "--root", folder, folder + "/t.c:1"] + more, capture_output=True)
        check(done.returncode == 0 and os.path.exists(mark) == started, "%s: %s" % (more, done))


VERIFIED = {"verify.command": ["sh", "-c", "grep -q long a.c"]}


def messages(editor):
    return [each["message"] for each in editor.of("window/showMessage") if "not trusted" in each["message"]]


def in_an_untrusted_folder_nothing_is_checked_or_applied_at_once(program):
    for trusted in (None, False):
        editor = Asker(program, [turn(REPLY), turn(REPLY)], dict(VERIFIED, **{"edits.review": "direct"}), trusted=trusted)
        for count in (1, 2):
            editor.ask()
            editor.end("proposal", count=count)
            proposal = editor.proposal()
            check(proposal["verification"]["state"] == "not_checked", str(proposal["verification"]))
            check(proposal["notes"] == ["only the syntax was checked: this folder is not trusted"], str(proposal))
        check(not editor.request("bodkin/status", {})["result"]["trusted"], "status says trusted")
        check(not editor.asked, "the edit was applied unasked")
        told = messages(editor)
        check(len(told) == 1, "told: " + str(told))
        check(("run bodkin trust there" in told[0]) == (trusted is None), told[0])
        # The user may still take it; its twin goes stale.
        editor.command("bodkin.apply")
        editor.state("applied", of=proposal["proposalId"])
        check(editor.buffers["a.c"] == WANTED, editor.buffers["a.c"])
        ends_well(editor)


def trust_is_mentioned_only_if_something_is_withheld(program):
    editor = Asker(program, [turn(REPLY)], trusted=None)
    editor.ask()
    editor.end("proposal")
    editor.command("bodkin.apply")
    editor.state("applied")
    check(not messages(editor), str(messages(editor)))
    ends_well(editor)


def a_command_trusts_the_folder_for_good(program):
    editor = Asker(program, [turn(REPLY)] * 2, VERIFIED, trusted=None,
                   prepare=lambda folder, home: write(home + "/.config/bodkin/settings.json", "{}"))
    for count, wanted in enumerate(("not_checked", "clean"), 1):
        editor.ask()
        editor.end("proposal", count=count)
        check(editor.proposal()["verification"]["state"] == wanted, str(editor.proposal()))
        result = editor.command("bodkin.trust")["result"]
        check(result["trusted"] and result["folders"] == [editor.folder] and result["file"].endswith("/bodkin/settings.json"), str(result))
    check(editor.request("bodkin/status", {})["result"]["trusted"], "status")
    ends_well(editor)
    # Where the editor says it, the command says so.
    editor = Asker(program, [], trusted=False)
    check("trust this one there" in editor.command("bodkin.trust")["error"]["message"], "trusted against the editor")
    check(not editor.request("bodkin/status", {})["result"]["trusted"], "status")
    ends_well(editor)


def trust_that_is_given_later_counts_from_then_on_and_can_be_taken_back(program):
    editor = Asker(program, [turn(REPLY)] * 3, VERIFIED, trusted=False)
    for count, trusted in enumerate((False, True, False), 1):
        editor.notify("bodkin/didChangeTrust", {"trusted": trusted})
        editor.notify("bodkin/didChangeTrust", {"trusted": "yes"})
        editor.notify("bodkin/didChangeTrust", None)
        check(editor.request("bodkin/status", {})["result"]["trusted"] == trusted, "status")
        editor.ask()
        editor.end("proposal", count=count)
        state = editor.proposal()["verification"]["state"]
        check(state == ("clean" if trusted else "not_checked"), "%s: %s" % (trusted, editor.proposal()))
    ends_well(editor)


def the_users_own_file_lists_trusted_folders(program):
    def with_folders(*names):
        def prepare(folder, home):
            write(home + "/.config/bodkin/settings.json", json.dumps(
                {"bodkin.workspace.trusted": [name.format(folder=folder, home=home) for name in names]}))
        return prepare
    for names, said, wanted in ((["{folder}"], None, True), (["/nowhere", "/tmp/../{folder}/"], None, True),
                                (["{home}"], None, False), (["{folder}/below"], None, False),
                                (["{folder}"], False, False), ([], True, True)):
        editor = Asker(program, [turn(REPLY)], VERIFIED, trusted=said, prepare=with_folders(*names))
        check(editor.request("bodkin/status", {})["result"]["trusted"] == wanted, "%s, said %s" % (names, said))
        ends_well(editor)


def what_comes_with_a_repository_cannot_make_it_trusted(program):
    planted = {"workspace.trusted": ["/"], "workspaceTrusted": True, "workspace": {"trusted": ["/"]}}

    def prepare(folder, home):
        for name in (".vscode/settings.json", ".bodkin/settings.json", ".config/bodkin/settings.json", "bodkin.json"):
            write(folder + "/" + name, json.dumps({"bodkin": planted, "bodkin.workspace.trusted": ["/"]}))
    editor = Asker(program, [turn(REPLY)], dict(VERIFIED, **{"workspace.trusted": ["/"]}), trusted=None,
                   prepare=prepare, workspace={"configuration": True})
    # As an editor would pass on what the folder's own settings say.
    editor.answers["workspace/configuration"] = [planted]
    for settings in ({"bodkin": planted}, planted, {"bodkin.workspace.trusted": ["/"]}):
        editor.notify("workspace/didChangeConfiguration", {"settings": settings})
        check(not editor.request("bodkin/status", {})["result"]["trusted"], "it is trusted by " + str(settings))
    ends_well(editor)


def all_of_several_folders_must_be_trusted(program):
    def prepare(folder, home):
        write(home + "/.config/bodkin/settings.json", json.dumps({"workspace": {"trusted": [folder]}}))
    editor = Asker(program, [], trusted=None, prepare=prepare)
    trusted = lambda: editor.request("bodkin/status", {})["result"]["trusted"]
    other = {"uri": "file://" + os.path.realpath(tempfile.mkdtemp()), "name": "other"}
    check(trusted(), "the folder is not trusted")
    editor.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [other], "removed": []}})
    check(not trusted(), "a stranger's folder came along and is trusted")
    editor.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [other]}})
    check(trusted(), "the folder is not trusted any more")
    ends_well(editor)


def revoked_trust_says_why_the_ask_ended(program):
    editor = Asker(program, [turn("I wait.", delay=60000)], trusted=True)
    editor.ask("Wait")
    editor.notify("bodkin/didChangeTrust", {"trusted": False})
    end = editor.end("cancelled")
    check("no longer trusted" in end["message"], "it ended with %r" % end["message"])
    ends_well(editor)


def tests():
    here = [(name.replace("_", " "), test) for name, test in globals().items()
            if callable(test) and getattr(test, "__module__", "") == __name__]
    helpers = {"git", "write", "environment", "repository", "configure", "fake git", "messages", "tests"}
    return [(name, test) for name, test in here if name not in helpers and test not in KINDS]
