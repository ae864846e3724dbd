"""Where edits land: folders of one name, links that lead away, files that run or configure, names that hide
what they are. Each test is a function of the program's path; its name is its sentence."""
import os
import shutil
import tempfile

from abuse import check, ends_well
from asks import Asker, turn
from editor import Editor, TEXT, WANTED

ADD = "*** Begin Patch\n*** Add File: %s\n+x\n*** End Patch\n"
DIRECT = {"edits.review": "direct"}


def block(path, old="int b;", new="long b;"):
    return "%s\n<<<<<<< SEARCH\n%s\n=======\n%s\n>>>>>>> REPLACE\n" % (path, old, new)


def put(editor, name, text="x\n"):
    path = os.path.join(editor.folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as out:
        out.write(text)
    return path


def folder(editor, name, called=None):
    return {"uri": editor.uri(name), "name": called or os.path.basename(name)}


def change_folders(editor, removed=(), added=()):
    editor.notify("workspace/didChangeWorkspaceFolders", {"event": {"removed": list(removed), "added": list(added)}})


def refused(editor, reply, says=""):
    answer = editor.command("bodkin.applyReply", text=reply)
    check("error" in answer, "it was proposed: %s\n%s" % (answer, reply))
    check(says in answer["error"]["message"], answer["error"]["message"])


def propose(editor, reply):
    editor.propose(reply)
    return [m["params"] for m in editor.heard if m.get("method") == "bodkin/proposal"][-1]


def ask_about(editor, name, **more):
    return editor.ask(textDocument={"uri": editor.uri(name)}, **more)


def an_edit_of_one_of_two_folders_of_one_name_lands_in_that_one(program):
    for order in ["one/src", "two/src"], ["two/src", "one/src"]:
        editor = Asker(program, [turn(block("two-src/a.c"), expect=["two-src/a.c"])], DIRECT, folders=order,
                       texts={"one/src/a.c": TEXT, "two/src/a.c": TEXT})
        ask_about(editor, "two/src/a.c")
        editor.end("proposal")
        editor.state("applied")
        check(editor.buffers == {"one/src/a.c": TEXT, "two/src/a.c": WANTED}, str(editor.buffers))
        ends_well(editor)


def what_is_read_searched_and_hidden_is_of_the_folder_that_is_named(program):
    calls = [("read_file", {"path": "two-src/b.c"}), ("grep_search", {"query": "needle"}),
             ("read_file", {"path": "two-src/hidden.c"}), ("read_file", {"path": "one-src/hidden.c"}),
             ("read_file", {"path": "{folder}/two/src/b.c"}), ("read_file", {"path": "src/b.c"})]
    editor = Asker(program, [], {"agent.profile": "tools"}, folders=["one/src", "two/src"],
                   texts={"one/src/a.c": TEXT, "two/src/a.c": TEXT})
    calls = [(name, {k: v.replace("{folder}", editor.folder) for k, v in given.items()}) for name, given in calls]
    editor.turns([turn(calls=calls), turn("Done.", expect=[
        "needle two", "one-src/b.c:1: needle one", "two-src/b.c:1: needle two", "two-src/hidden.c is private",
        "needle shown", "src/b.c is not in the workspace"])])
    put(editor, "one/src/b.c", "needle one\n")
    put(editor, "two/src/b.c", "needle two\n")
    put(editor, "one/src/hidden.c", "needle shown\n")
    put(editor, "two/src/hidden.c", "needle secret\n")
    put(editor, "two/src/.bodkinignore", "hidden.c\n")
    ask_about(editor, "one/src/a.c")
    editor.end("answer")
    ends_well(editor)


def the_document_that_is_open_is_edited_whatever_its_name(program):
    """The folder was opened by a link, or the file; its text is not saved, and its URI is the editor's."""
    for root, name in ("link", "real/a.c"), ("real", "link/a.c"), ("real", "real/by_link.c"):
        editor = Asker(program, [turn(block("a.c", "int new;", "long new;"), expect=["int new;"])], DIRECT,
                       folders=[root], texts={})
        put(editor, "real/a.c", "int old;\n")
        if root == "link":  # which the editor has made a folder
            os.rmdir(os.path.join(editor.folder, "link"))
        os.symlink("real", os.path.join(editor.folder, "link"))
        os.symlink("a.c", os.path.join(editor.folder, "real/by_link.c"))
        editor.open(name, "int old;\nint new;\n")
        ask_about(editor, name)
        editor.end("proposal")
        editor.state("applied")
        check(editor.buffers == {name: "int old;\nlong new;\n"}, str(editor.buffers))
        ends_well(editor)


def without_a_folder_what_is_open_is_edited_and_nothing_else_is_read(program):
    """Two files of one name and a buffer without a file. A model finds no file around them."""
    editor = Asker(program, [], {"agent.profile": "tools"}, folders=[], texts={})
    put(editor, "one/beside.c", "int needle;\n")
    put(editor, "one/a.c", "int old;\n")
    put(editor, "two/a.c", "int other;\n")
    editor.open("one/a.c", TEXT)
    editor.open("two/a.c", "int other;\n")
    editor.turns([turn(calls=[("grep_search", {"query": "needle"}), ("read_file", {"path": "beside.c"}),
                              ("list_dir", {"path": "."}), ("read_file", {"path": "two/a.c"}),
                              ("edit", {"path": "a.c", "old_str": "int b;", "new_str": "long b;"})],
                       absent=["needle", "beside"]),
                  turn("Done.", expect=["int other;"], absent=["int needle"])])
    ask_about(editor, "one/a.c")
    editor.end("proposal")
    editor.command("bodkin.apply")
    editor.state("applied")
    check(editor.buffers == {"one/a.c": WANTED, "two/a.c": "int other;\n"}, str(editor.buffers))
    propose(editor, block("two/a.c", "int other;", "long other;"))
    editor.notify("textDocument/didOpen", {"textDocument": {
        "uri": "untitled:Untitled-1", "languageId": "c", "version": 1, "text": TEXT}})
    check(propose(editor, block("untitled:Untitled-1"))["hunks"][0]["uri"] == "untitled:Untitled-1", "another buffer")
    refused(editor, block("beside.c", "int needle;", "long needle;"), "beside.c")
    check(not os.path.exists(os.path.join(editor.folder, "one/.bodkin")), "something was written there")
    ends_well(editor)


def what_an_editor_would_lose_by_saving_is_refused(program):
    """The file is open in an encoding that bodkin is not told; one that is not open may be loaded in another."""
    for coding, old, new, lacking in ("shift_jis", "表示", "追加", "é"), ("koi8-r", "привет", "слово", "日"):
        text = "// %s\nint b;\n" % old
        editor = Editor(program, texts={})
        path = put(editor, "a.c", "")
        put(editor, ".editorconfig", "root = true\n[*.c]\ncharset = %s\n" % coding)
        with open(path, "wb") as out:
            out.write(text.encode(coding))
        end = editor.applied_with(lambda e, edit: e.take(edit), "ready", reply=block("a.c", "int b;", "long b;"))
        check("a.c is in %s; open it first, in that encoding" % coding in end["message"], end["message"])
        editor.open("a.c", text)
        end = editor.applied_with(lambda e, edit: e.take(edit), "ready", reply=block("a.c", "int b;", "int b; // " + lacking))
        check('a.c cannot be saved in its encoding: %s has no "%s"' % (coding, lacking) in end["message"], end["message"])
        wanted = editor.propose(block("a.c", "int b;", "int b; // " + new))
        editor.command("bodkin.apply", proposalId=wanted)
        editor.state("applied", of=wanted)
        check(editor.buffers["a.c"] == "// %s\nint b; // %s\n" % (old, new), str(editor.buffers))
        ends_well(editor)


def folders_that_change_while_an_ask_runs_do_not_move_its_edit(program):
    """The path a.c is one file's when the ask begins, and another one's when it ends."""
    editor = Asker(program, [turn(block("a.c"), delay=700)], DIRECT, folders=["one/src"],
                   texts={"one/src/a.c": TEXT, "two/src/a.c": TEXT})
    ask_about(editor, "one/src/a.c")
    change_folders(editor, [folder(editor, "one/src")], [folder(editor, "two/src")])
    editor.end("proposal")
    editor.state("applied")
    check(editor.buffers == {"one/src/a.c": WANTED, "two/src/a.c": TEXT}, str(editor.buffers))
    ends_well(editor)


def a_proposal_stays_with_its_files_when_folders_change(program):
    editor = Editor(program, folders=["one/src"], texts={"one/src/a.c": TEXT, "two/src/a.c": TEXT})
    proposal = propose(editor, block("a.c"))
    change_folders(editor, [], [folder(editor, "two/src")])
    editor.change("one/src/a.c", "// above\n" + TEXT)
    editor.change("two/src/a.c", "int other;\n" + TEXT)
    change_folders(editor, [folder(editor, "one/src")])
    check("result" in editor.command("bodkin.apply", proposalId=proposal["proposalId"]), "apply was refused")
    editor.state("applied")
    check(editor.buffers == {"one/src/a.c": "// above\n" + WANTED, "two/src/a.c": "int other;\n" + TEXT},
          str(editor.buffers))
    ends_well(editor)


def a_file_in_a_folder_inside_another_has_one_path(program):
    editor = Editor(program, folders=["w", "w/sub"], texts={"w/sub/a.c": TEXT})
    put(editor, "w/sub/a.c", "on disk\n")
    refused(editor, ADD % "w/sub/new.c", "sub/new.c")
    for path in "sub/a.c", "w/sub/a.c":
        found = propose(editor, block(path))
        check(found["hunks"][0]["uri"] == editor.uri("w/sub/a.c"), str(found))
    ends_well(editor)


def a_buffer_without_a_file_is_not_a_file_of_its_name(program):
    editor = Editor(program, texts={"a.c": TEXT})
    editor.notify("textDocument/didOpen", {"textDocument": {
        "uri": "untitled:a.c", "languageId": "c", "version": 1, "text": TEXT}})
    editor.notify("textDocument/didOpen", {"textDocument": {
        "uri": "git:/%s/a.c?HEAD" % editor.folder, "languageId": "c", "version": 1, "text": TEXT}})
    check(propose(editor, block("a.c"))["hunks"][0]["uri"] == editor.uri("a.c"), "another a.c")
    check(propose(editor, block("untitled:a.c"))["hunks"][0]["uri"] == "untitled:a.c", "another a.c")
    ends_well(editor)


class Linked(Editor):
    """A workspace with links in all directions, and a folder beside it."""

    def __init__(self, program, **more):
        super().__init__(program, **more)
        self.outside = os.path.realpath(tempfile.mkdtemp())
        with open(self.outside + "/out.c", "w") as out:
            out.write(TEXT)
        put(self, ".git/config", TEXT)
        put(self, "real/in.c", TEXT)
        put(self, "file", TEXT)
        put(self, "store/HEAD", "ref: x\n")
        put(self, "store/objects/x")
        put(self, "store/refs/x")
        for link, to in {"docs": self.outside, "meta": ".git", "loop": "loop", "inner": "real", "gone": "nowhere/x",
                         "gone-out": self.outside + "/nowhere", "out.c": self.outside + "/out.c", "in.c": "real/in.c",
                         "up": "..", "gitfile": ".git/config"}.items():
            os.symlink(to, os.path.join(self.folder, link))

    def ends_well(self):
        check(sorted(os.listdir(self.outside)) == ["out.c"], "something is outside")
        shutil.rmtree(self.outside)
        ends_well(self)


def a_new_file_never_leaves_the_workspace_or_enters_git(program):
    editor = Linked(program)
    for path in ["docs/new.txt", "meta/hooks/pre-commit", ".git/hooks/pre-commit", ".GIT/x", "git~1/x", ".git./x",
                 "sub/.git", "sub/.Git/config", ".git::$INDEX_ALLOCATION/x", "loop/x", "loop", "gone-out", "up/x",
                 "file/x", "store/hooks/x", "in.c/x", "inner/../docs/x", "../x", "docs/../x"]:
        refused(editor, ADD % path)
    for path in ["real/new.txt", "inner/new.txt", "new/folder/x"]:
        propose(editor, ADD % path)
    for path in ["docs/new.txt", "meta/hooks/x", "up/x", ".GIT/x"]:
        refused(editor, "*** Begin Patch\n*** Update File: real/in.c\n*** Move to: %s\n@@\n-int b;\n+long b;\n"
                "*** End Patch\n" % path)
    editor.ends_well()


def an_existing_file_is_edited_only_where_it_leads_inside(program):
    editor = Linked(program)
    for name in "out.c", "docs/out.c", "gitfile", ".git/config", "meta/config":
        refused(editor, block(name))
        editor.open(name, TEXT)  # also if the user has it open
        refused(editor, block(name))
    for name in "in.c", "inner/in.c", "real/in.c":
        propose(editor, block(name))
    refused(editor, "*** Begin Patch\n*** Delete File: in.c\n*** End Patch\n", "symbolic link")
    refused(editor, "*** Begin Patch\n*** Update File: in.c\n*** Move to: new.c\n@@\n-int b;\n+long b;\n"
            "*** End Patch\n", "symbolic link")
    editor.ends_well()


def no_file_is_guessed_for_a_path_outside_of_the_workspace(program):
    editor = Linked(program)
    put(editor, "deep/only.c", TEXT)
    os.makedirs(editor.outside + "/deep")
    for name in ("/no/such/place/deep/only.c", editor.outside + "/deep/only.c", "file://%s/deep/only.c" % editor.outside,
                 "docs/deep/only.c", "../place/deep/only.c", "https://example.org/deep/only.c"):
        refused(editor, block(name), "outside the folder")
    os.rmdir(editor.outside + "/deep")
    for name in ("more/deep/only.c", editor.folder + "/deep/only.c", "file://%s/deep/only.c" % editor.folder):
        propose(editor, block(name))
    editor.ends_well()


def a_link_that_comes_between_the_proposal_and_the_apply_stops_it(program):
    for reply, touched in (ADD % "real/new.txt", "real"), (block("real/in.c"), "real"), \
            (ADD % "new.txt", "new.txt"), (ADD % "fresh/new.txt", "fresh"):
        for to in "{outside}", ".git", "other":
            editor = Linked(program)
            put(editor, "other/in.c", TEXT)
            proposal = propose(editor, reply)
            place = os.path.join(editor.folder, touched)
            if os.path.lexists(place):
                shutil.move(place, place + "-aside")
            os.symlink(to.replace("{outside}", editor.outside), place)
            editor.on_apply = lambda e, edit: check(False, "the edit left: %s" % edit)
            editor.command("bodkin.apply", proposalId=proposal["proposalId"])
            editor.state("refused", "stale")
            editor.ends_well()


def an_editor_without_our_plugin_is_not_given_such_an_edit_either(program):
    literals = {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}}
    editor = Linked(program, proposals=False, texts={"real/in.c": TEXT}, text_document=literals)
    editor.propose(block("real/in.c"))
    where = {"textDocument": {"uri": editor.uri("real/in.c")}, "context": {"diagnostics": []},
             "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}}}
    edits = lambda: [a for a in editor.request("textDocument/codeAction", where)["result"] if "edit" in a]
    check(edits(), "there is no action to take it")
    os.rename(editor.folder + "/real", editor.folder + "/aside")
    os.symlink(editor.outside, editor.folder + "/real")
    check(not edits(), "the edit left")
    os.unlink(editor.folder + "/real")
    os.rename(editor.folder + "/aside", editor.folder + "/real")
    editor.ends_well()


CAREFUL = {
    "Makefile": "when you build", "sub/GNUMAKEFILE": "when you build", "a.mk": "when you build",
    ".vscode/x.txt": "VS Code", ".VSCode/x": "VS Code", "x.code-workspace": "VS Code", ".idea/x.xml": "JetBrains",
    ".github/workflows/ci.yml": "GitHub", ".gitlab-ci.yml": "GitLab", ".circleci/config.yml": "integration",
    "Jenkinsfile": "integration", "azure-pipelines.yml": "integration", ".exrc": "Vim", ".nvim.lua": "Vim",
    ".lvimrc": "Vim", ".dir-locals.el": "Emacs", "justfile": "build", "Rakefile": "build", "Taskfile.yml": "build",
    "package.json": "scripts", "package-lock.json": "packages", ".husky/pre-commit": "commit",
    ".githooks/x": "commit", ".pre-commit-config.yaml": "commit", ".bashrc": "shell", "CMakeLists.txt": "CMake",
    "cmake/x.cmake": "CMake", "build.rs": "Cargo", "conftest.py": "Python", "tests/conftest.py": "Python",
    "setup.py": "Python", "setup.cfg": "Python", "pyproject.toml": "Python", "tox.ini": "Python",
    "noxfile.py": "Python", "sitecustomize.py": "Python", "x.pth": "Python", "build.gradle": "Gradle",
    "build.gradle.kts": "Gradle", "gradle/wrapper/gradle-wrapper.properties": "Gradle", "pom.xml": "Maven",
    ".pnpmfile.cjs": "package manager", ".cargo/config.toml": "Cargo",
    ".cargo/config": "Cargo", ".devcontainer/devcontainer.json": "container", "Dockerfile": "containers",
    "compose.yaml": "containers", "compose.yml": "containers", "docker-compose.yml": "containers",
    "AGENTS.md": "agents", "docs/claude.md": "agents", ".cursorrules": "agents", ".cursor/rules/x.mdc": "agents",
    ".github/copilot-instructions.md": "agents", ".mcp.json": "agents", ".bodkinignore": "models",
    ".gitattributes": "git", ".gitmodules": "git", "BUILD.bazel": "Bazel", ".bazelrc": "Bazel",
    "meson.build": "Meson", "configure": "build", "x.vcxproj": "MSBuild", "Directory.Build.props": "MSBuild",
    "eslint.config.js": "tools", "webpack.config.js": "tools", "vite.config.ts": "tools", ".clangd": "clangd",
    "compile_flags.txt": "compiler",
}


def a_file_that_runs_or_configures_says_so_in_every_proposal(program):
    def cautions(path):
        return [note for note in propose(editor, ADD % path).get("notes", []) if "syntax error" not in note]

    editor = Editor(program)
    for path, why in CAREFUL.items():
        notes = cautions(path)
        check(len(notes) == 1 and notes[0].startswith(path + ": ") and why in notes[0], "%s: %s" % (path, notes))
    for path in "a.txt", "src/main.c", "my-makefile.txt", "docs/vscode.md", "build/x.c", "profile.c", "head.h":
        check(not cautions(path), "a caution for " + path)
    ends_well(editor)


def a_file_that_runs_or_configures_is_never_changed_directly(program):
    move = "*** Begin Patch\n*** Update File: a.c\n*** Move to: %s\n@@\n-int b;\n+long b;\n*** End Patch\n"
    for reply, why in [(block("Makefile", "all:", "all: x"), "Makefile: "),
                       (block("a.c") + block("Makefile", "all:", "all: x"), "Makefile: "),
                       (move % "Makefile.in", "Makefile.in: "), (move % ".vscode/tasks.json", ".vscode"),
                       (block("innocent.txt", "all:", "all: x"), "innocent.txt, a link to Makefile"),
                       ((ADD % "settings/tasks.json").replace("+x", "+{}"), "settings/tasks.json, a link to .vscode/tasks.json"),
                       ("*** Begin Patch\n*** Add File: run\n+#!/bin/sh\n+x\n*** End Patch\n", "run: is a script, which can be run"),
                       (block("tool", "one", "two"), "tool: is executable"),
                       (block("made.c", "int b;", "long b;"), "made.c: is generated"),
                       (block("gen/x.c", "int b;", "long b;"), "gen/x.c: is generated"),
                       # What no list of names knows.
                       (ADD % "conf/app.yaml", "conf/app.yaml: may configure or run something"),
                       (block("a.c") + ADD % "data.yml", "data.yml: may configure or run something"),
                       (ADD % "src/.hidden/a.md", "src/.hidden/a.md: is hidden"),
                       (ADD % "tool.unheard-of", "tool.unheard-of: is not known to be source code"),
                       (ADD % "starter", "starter: is not known to be source code"),
                       (move % "lib.sh", "lib.sh: may configure or run something"),
                       (block("alias.c", "x: 1", "x: 2"), "conf.yaml: may configure or run something")]:
        editor = Asker(program, [turn(reply)], DIRECT)
        put(editor, "a.c", TEXT)
        put(editor, "Makefile", "all:\n")
        put(editor, ".vscode/x", "")
        os.chmod(put(editor, "tool", "one\n"), 0o755)
        put(editor, "made.c", "// Code generated by x. DO NOT EDIT.\nint b;\n")
        put(editor, "gen/x.c", "int b;\n")
        put(editor, ".gitattributes", "* text\ngen/*.c linguist-generated=true\n")
        os.symlink("Makefile", editor.folder + "/innocent.txt")
        put(editor, "conf.yaml", "x: 1\n")
        os.symlink("conf.yaml", editor.folder + "/alias.c")
        os.symlink(".vscode", editor.folder + "/settings")
        editor.on_apply = lambda e, edit: check(False, "applied unreviewed: %s" % edit)
        editor.ask()
        editor.end("proposal")
        editor.command("bodkin.status")
        notes = editor.proposal().get("notes", [])
        check(any(note.startswith(why) for note in notes), "%s is not in %s" % (why, notes))
        check(not editor.asked, "it was applied")
        ends_well(editor)


def a_deceptive_name_is_refused(program):
    for name in "a\u202ecod.c", "a\u2066b.c", "a\u200bb.c", "a\u200d.c", "a\ufeffb.c", "a\u0085b.c", "a\u001b[31m.c", \
            "a\tb.c", "a\u2028b.c", "a\u00adb.c", "a\U000e0041.c":
        editor = Editor(program)
        put(editor, name, TEXT)
        for reply in ADD % name, block(name):
            answer = editor.command("bodkin.applyReply", text=reply)
            check("error" in answer, "%r was proposed: %s" % (name, answer))
            check(not set(answer["error"]["message"]) & set("\u202e\u2066\u200b\u200d\ufeff\u0085\u001b\u2028\u00ad"),
                  repr(answer["error"]["message"]))
        ends_well(editor)
    editor = Editor(program)
    for name in "größe.c", "名前.c", "имя.c", "שם.c", "with blank.c", "e\u0301.c":
        propose(editor, ADD % name)
    ends_well(editor)


def a_rule_about_a_folder_holds_behind_a_link_to_it(program):
    def prepare(folder, home):
        os.makedirs(folder + "/db")
        with open(folder + "/db/x.c", "w") as out:
            out.write("int x;\n")
        os.symlink("db", folder + "/alias")
    for name in ("alias/x.c", "alias/new.c"):
        old = "int x;\n" if name == "alias/x.c" else ""
        reply = "%s\n<<<<<<< SEARCH\n%s=======\nlong x;\n>>>>>>> REPLACE\n" % (name, old)
        for settings in ({}, {"edits.review": "direct"}):
            editor = Asker(program, [turn(reply), turn("I may not.")], prepare=prepare, settings=dict(settings, **{
                "agent.permissions": {"edit": {"*": "allow", "db/**": "deny"}}}))
            editor.ask()
            editor.end("failed", "answer")
            check(not editor.of("bodkin/proposal"), "%s: a proposal in spite of the rule" % name)
            ends_well(editor)


def two_names_of_one_file_are_refused(program):
    def prepare(folder, home):
        with open(folder + "/impl.c", "w") as out:
            out.write("int x;\nint y;\n")
        os.symlink("impl.c", folder + "/old.c")
    blocks = ["%s\n<<<<<<< SEARCH\nint %s;\n=======\nlong %s;\n>>>>>>> REPLACE\n" % each
              for each in (("old.c", "x", "x"), ("impl.c", "y", "y"))]
    editor = Asker(program, [turn("\n".join(blocks)), turn("No.", expect=["are the same file"])], prepare=prepare)
    editor.ask()
    editor.end("failed", "answer")
    check(not editor.of("bodkin/proposal"), "half of an edit is proposed")
    ends_well(editor)


def a_carriage_return_inside_a_line_which_editors_count_differently_moves_no_edit(program):
    odd = "char *s = \"a\rb\";\n" + TEXT
    editor = Editor(program, {"a.c": odd, "c.c": TEXT}, files={"closed.c": odd})
    for path in "a.c", "closed.c":
        refused(editor, block(path), "carriage returns")
    proposal = propose(editor, block("c.c"))["proposalId"]
    crlf = TEXT.replace("\n", "\r\n")
    editor.change("c.c", odd)  # ^M is typed
    editor.command("bodkin.apply", proposalId=proposal)
    editor.until("its state", lambda: editor.states and editor.states[-1]["state"] != "ready")
    check(editor.buffers["c.c"] == odd, "it was applied: " + editor.buffers["c.c"])
    editor.change("c.c", crlf)
    proposal = propose(editor, block("c.c"))["proposalId"]
    editor.command("bodkin.apply", proposalId=proposal)
    editor.state("applied", of=proposal)
    now = "\r" + editor.buffers["c.c"]
    editor.change("c.c", now)
    answer = editor.command("bodkin.undo", proposalId=proposal)
    check("carriage returns" in answer.get("error", {}).get("message", ""), str(answer))
    check(editor.buffers["c.c"] == now, "it was undone: " + editor.buffers["c.c"])
    ends_well(editor)


def tests():
    return [(name.replace("_", " "), test) for name, test in globals().items()
            if getattr(test, "__code__", None) and test.__module__ == __name__ and
            test.__code__.co_varnames[:1] == ("program",) and test.__code__.co_argcount == 1]
