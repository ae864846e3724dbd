"""Paths that lead elsewhere, and names that are no ordinary files."""
import os
import shutil
import subprocess
import unicodedata

from cli_support import block, check


def nothing_outside_of_the_root_is_touched(case):
    outside = case.root + "-outside"
    os.makedirs(outside)
    try:
        with open(outside + "/secret.txt", "w") as out:
            out.write("1\n")
        os.symlink(outside, case.path("out"))
        os.symlink(outside + "/secret.txt", case.path("file"))
        case.put("in/a.txt", "1\n")
        for path in ["../%s/secret.txt" % os.path.basename(outside), "out/secret.txt", "file",
                     outside + "/secret.txt", "in/../../x", "/etc/hostname"]:
            case.refused(block(path, "1\n", "2\n"))
        for path in ["out/new.txt", "../new.txt", "/tmp/bodkin-new.txt", "in/../../new.txt"]:
            case.refused("*** Begin Patch\n*** Add File: %s\n+x\n*** End Patch\n" % path)
        case.refused("*** Begin Patch\n*** Update File: in/a.txt\n*** Move to: out/a.txt\n@@\n-1\n+2\n"
                     "*** End Patch\n")
        check(sorted(os.listdir(outside)) == ["secret.txt"], "something is outside")
        check(open(outside + "/secret.txt").read() == "1\n", "written outside")
    finally:
        shutil.rmtree(outside)


def ways_to_name(outside, name):
    """An edit of outside/src/a.py, whose text a file of the same name in the root has, too, by form and spelling."""
    whole = os.path.join(outside, name)
    slashless = whole.lstrip("/")
    yield block(whole, "one\n", "two\n")
    yield block("@" + whole, "one\n", "two\n")
    yield block("file://" + whole, "one\n", "two\n")
    yield block("~/" + name, "one\n", "two\n")
    yield block("../%s/%s" % (os.path.basename(outside), name), "one\n", "two\n")
    yield block("out/" + name, "one\n", "two\n")
    yield block("C:\\work\\" + name.replace("/", "\\"), "one\n", "two\n")
    yield block("https://example.org/" + name, "one\n", "two\n")
    yield "*** Begin Patch\n*** Update File: %s\n@@\n-one\n+two\n*** End Patch\n" % whole
    yield "*** Begin Patch\n*** Delete File: %s\n*** End Patch\n" % whole
    yield "--- %s\n+++ %s\n@@ -1 +1 @@\n-one\n+two\n" % (whole, whole)
    yield "--- a/%s\n+++ b/%s\n@@ -1 +1 @@\n-one\n+two\n" % (whole, whole)
    yield "%s\n```python\ntwo\n```\n" % whole
    # As git diff --no-index writes it.
    yield ("diff --git a/%s b/%s\nindex 5626abf..f719efd 100644\n--- a/%s\n+++ b/%s\n@@ -1 +1 @@\n-one\n+two\n"
           % ((slashless,) * 4))
    yield "diff --git a/../o/%s b/../o/%s\n--- a/../o/%s\n+++ b/../o/%s\n@@ -1 +1 @@\n-one\n+two\n" % ((name,) * 4)


def no_file_is_guessed_for_a_path_outside_of_the_root(case):
    outside = case.root + "-outside"
    os.makedirs(outside + "/src")
    try:
        with open(outside + "/src/a.py", "w") as out:
            out.write("one\n")
        os.symlink(outside, case.path("out"))
        case.put("src/a.py", "one\n")
        env = {**os.environ, "HOME": outside}
        for reply in ways_to_name(outside, "src/a.py"):
            case.refused(reply, says=" is outside the folder ", env=env)
        # Nor is it one if there is no such place.
        for reply in (block("/no/such/place/src/a.py", "one\n", "two\n"),
                      "*** Begin Patch\n*** Add File: /no/such/place/src/b.py\n+x\n*** End Patch\n",
                      "*** Begin Patch\n*** Update File: src/a.py\n*** Move to: %s/src/b.py\n@@\n-one\n+two\n*** End Patch\n" % outside):
            case.refused(reply, says=" is outside the folder ")
        case.refused("<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n", "--path", outside + "/src/a.py",
                     says=" is outside the folder ")
    finally:
        shutil.rmtree(outside)


def an_absolute_path_in_the_root_is_one_of_its_files(case):
    linked = case.root + "-link"
    os.symlink(case.root, linked)
    try:
        for folder in (case.root, linked):
            for spelled in (folder + "/src/a.py", "file://%s/src/a.py" % folder, "~/src/a.py"):
                case.put("src/a.py", "one\n")
                case.put("lib/src/a.py", "one\n")
                case.applied(block(spelled, "one\n", "two\n"), env={**os.environ, "HOME": folder})
                check((case.get("src/a.py"), case.get("lib/src/a.py")) == (b"two\n", b"one\n"), spelled)
            new = "new%d.py" % (folder == linked)
            case.applied("*** Begin Patch\n*** Add File: %s/%s\n+x\n*** End Patch\n" % (folder, new))
            check(case.get(new) == b"x\n", "not created")
        # What is relative may still have more folders above it than the root shows.
        case.put("deep/only.py", "one\n")
        case.applied(block("my-project/deep/only.py", "one\n", "two\n"))
        check(case.get("deep/only.py") == b"two\n", "not found")
    finally:
        os.unlink(linked)


def a_path_from_the_repositorys_folder_on_makes_no_file_in_a_subfolder(case):
    case.put(".git/HEAD", "ref: refs/heads/main\n")
    case.put("py/store.py", "one\n")
    case.put("py/a.py", "x\n")
    for option in (["--diff"], []):
        done = case.run("py/store.py\n```python\ntwo\n```\n", *option, root=False, cwd=case.path("py"))
        check(done.returncode == 1 and "--root says which is meant" in done.err, done.err)
    check(not os.path.exists(case.path("py/py")), "a file was made")
    done = case.run("py/new.py\n```python\ntwo\n```\n", root=False, cwd=case.path("py"))
    check(done.returncode == 1 and not os.path.exists(case.path("py/py")), done.err)
    done = case.run("py/new.py\n```python\ntwo\n```\n", "--root", "./", root=False, cwd=case.path("py"))
    check(done.returncode == 0 and case.get("py/py/new.py") == b"two\n", done.err)
    done = case.run("new/store.py\n```python\ntwo\n```\n", root=False, cwd=case.path("py"))
    check(done.returncode == 0 and case.get("py/new/store.py") == b"two\n", done.err)


def a_path_is_guessed_among_the_projects_files_only(case):
    reply = block("lib/a.js", "a = 1\n", "a = 2\n")
    case.put(".gitignore", "/made/\n")
    case.put(".git/HEAD", "")
    case.put("copy/.git", "gitdir: elsewhere\n")
    for copy in ("made", "copy", ".copy/w", "dist", "env", "x/node_modules/y"):
        case.put(copy + "/lib/a.js", "a = 1\n")
        if copy == "env":
            case.put("env/pyvenv.cfg", "")
    case.refused(reply, says="there is no file lib/a.js")
    case.put(".gitmodules", '[submodule "m"]\n\tpath = ext/m\n')
    case.put("ext/m/.git", "gitdir: elsewhere\n")
    case.put("ext/m/lib/a.js", "a = 1\n")
    case.applied(reply)
    check(case.get("ext/m/lib/a.js") == b"a = 2\n", "the submodule's file is not changed")


def what_cannot_be_read_is_not_looked_for_elsewhere(case):
    replies = {
        "blocks": block("z", "one\n", "two\n"),
        "patch": "*** Begin Patch\n*** Update File: z\n@@\n-one\n+two\n*** End Patch\n",
        "diff": "--- a/z\n+++ b/z\n@@ -1 +1 @@\n-one\n+two\n",
    }
    makes = {
        "z exists and is not a regular file": lambda path: os.mkfifo(path),
        "is a link to a file that is not there": lambda path: os.symlink("nowhere", path),
        "exists and is not a regular file": lambda path: os.mkdir(path),
    }
    case.put("sub/z", "one\n")
    for says, make in makes.items():
        make(case.path("z"))
        for kind, reply in replies.items():
            done = case.run(reply)
            check(done.returncode == 1 and says in done.err, "%s, %s: %s" % (says, kind, done.err))
            check(case.get("sub/z") == b"one\n", "%s, %s: another file was changed" % (says, kind))
        shutil.rmtree(case.path("z")) if os.path.isdir(case.path("z")) else os.remove(case.path("z"))


def output_that_cannot_be_written_is_an_error(case):
    case.put("a", "one\n")
    for arguments in (["apply", "--root", case.root, "--diff"], ["--help"], ["--version"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run([case.program, *arguments], input=block("a", "one\n", "two\n").encode(), stdout=full,
                                  stderr=subprocess.PIPE, timeout=60)
        check(done.returncode == 1 and b"No space left" in done.stderr, "%s: %d %s" %
              (arguments, done.returncode, done.stderr))


def a_name_that_differs_in_its_unicode_form_only_is_that_file(case):
    for here, meant in (("NFD", "NFC"), ("NFC", "NFD")):
        name, written = unicodedata.normalize(here, "sé/über.c"), unicodedata.normalize(meant, "sé/über.c")
        case.put(name, "int a;\n")
        case.applied(block(written, "int a;\n", "int b;\n"))
        check(case.get(name) == b"int b;\n", "not changed")
        case.refused("*** Begin Patch\n*** Add File: %s\n+int c;\n*** End Patch\n" % written, says="already exists")
        shutil.rmtree(os.path.dirname(case.path(name)))
    for form in ("NFC", "NFD"):
        case.put(unicodedata.normalize(form, "é.c"), "int a;\n")
    case.applied(block(unicodedata.normalize("NFC", "é.c"), "int a;\n", "int b;\n"))
    check(case.get(unicodedata.normalize("NFD", "é.c")) == b"int a;\n", "the other file is changed")


def git_is_not_edited(case):
    case.put(".git/config", "1\n")
    case.put("sub/.git", "1\n")
    case.put(".gitignore", "1\n")
    os.symlink(".git", case.path("g"))
    for path in [".git/config", "./.git/config", "sub/.git", "g/config"]:
        case.refused(block(path, "1\n", "2\n"))
    for path in [".GIT/hooks/pre-commit", ".git/hooks/pre-commit", ".Git/x", "g/hooks/x", ".git./x"]:
        case.refused("*** Begin Patch\n*** Add File: %s\n+x\n*** End Patch\n" % path)
    case.applied(block(".gitignore", "1\n", "2\n"))


def a_link_is_neither_removed_nor_moved(case):
    case.put("a.txt", "1\n")
    os.symlink("a.txt", case.path("l.txt"))
    case.refused("*** Begin Patch\n*** Delete File: l.txt\n*** End Patch\n", says="symbolic link")
    case.refused("*** Begin Patch\n*** Update File: l.txt\n*** Move to: m.txt\n@@\n-1\n+2\n"
                 "*** End Patch\n", says="symbolic link")


def two_names_of_one_file_are_refused(case):
    case.put("a.txt", "1\n2\n")
    os.symlink("a.txt", case.path("l.txt"))
    case.refused(block("a.txt", "1\n", "x\n") + block("l.txt", "2\n", "y\n"), says="same file")


def a_pipe_or_device_is_not_a_file(case):
    os.mkfifo(case.path("pipe"))
    done = case.run(block("pipe", "1\n", "2\n"))
    check(done.returncode == 1, "a pipe was read")


def only_regular_files_are_overwritten(case):
    os.mkfifo(case.path("pipe"))
    case.put("folder/x.txt", "1\n")
    os.symlink("folder", case.path("link"))
    new = "*** Begin Patch\n*** Add File: %s\n+x\n*** End Patch\n"
    for path, says in [("pipe", "not a regular file"), ("folder", "not a regular file"), ("link", "not a regular file"),
                       ("folder/x.txt/y", "is a file"), ("x" * 300, "too long"), ("d/" * 3000 + "x", "too long"),
                       (".bodkin-apply-journal", "belongs to bodkin itself"), ("folder/.bodkin-x", "belongs to bodkin itself")]:
        for more in ["--dry-run"], []:
            case.run(new % path, *more)
            before = sorted(os.listdir(case.root))
            done = case.run(new % path, *more)
            check(done.returncode == 1 and says in done.err, "%s: %s%s" % (path, done.out, done.err))
            check(sorted(os.listdir(case.root)) == before == ["folder", "link", "pipe"], "left: %r" % before)
    case.run("*** Begin Patch\n*** Add File: a\n+x\n*** Add File: a/b\n+x\n*** End Patch\n")
    check(not os.path.exists(case.path("a")), "a file and a folder")
    os.unlink(case.path("pipe"))
    os.unlink(case.path("link"))
    case.applied(new % "next")


def hard_links_in_one_reply_are_one_file(case):
    case.put("a.txt", "1\n2\n")
    os.link(case.path("a.txt"), case.path("b.txt"))
    case.refused(block("a.txt", "1\n", "x\n") + block("b.txt", "2\n", "y\n"), says="same file")
