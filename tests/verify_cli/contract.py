"""What bodkin verify says and how it ends, for tests/verify_cli/run.py."""
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path


from support import write

def run_contract(program, counts):
    """Exit codes, the forms of the output, and what needs no server."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, {"a.md": "one\n", "a.json": '{"a": 1}\n', "b.json": '{"b": 1\n', "a.zig": "const a = 1;\n", "a.py": "x = 1\n", "Makefile": "all:\n",
                       "b.md": "# A title\n\nSome words of it.\nAnd more words here.\n"})

        def verify(reply, *options):
            return subprocess.run([program, "verify", "--root", name, *options], input=reply, capture_output=True, text=True,
                                  env={**os.environ, "XDG_CONFIG_HOME": name + "/none"})

        def edit(path, old, new):
            return f"{path}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"
        cases = [
            ("prose", edit("a.md", "one", "two"), 0, "clean", ["the syntax"]),
            ("data", edit("a.json", '{"a": 1}', '{"a": 2}'), 0, "clean", ["the syntax"]),
            ("mended data", edit("b.json", '{"b": 1', '{"b": 1}'), 0, "clean", ["the syntax"]),
            ("broken data", edit("a.json", '{"a": 1}', '{"a": 2'), 1, "problems", ["the syntax"]),
            ("no server", edit("a.zig", "const a = 1;", "const a = 2;"), 2, "not_checked", []),
            ("no server, but not the language", edit("a.zig", "const a = 1;", "const a = (1;"), 1, "problems", ["the syntax"]),
            ("problems before not checked", edit("a.zig", "const a = 1;", "const a = 2;") +
             edit("a.json", '{"a": 1}', '{"a": 2'), 1, "problems", ["the syntax"]),
            ("what configures the build", edit("Makefile", "all:", "none:"), 2, "not_checked", []),
            ("not placed", edit("a.md", "nowhere", "two"), 3, "not_checked", []),
            ("no edit", "Hello", 3, "not_checked", []),
        ]
        for title, reply, code, state, by in cases:
            done = verify(reply, "--json")
            got = json.loads(done.stdout or "{}")
            right = (done.returncode, got.get("state"), got.get("by")) == (code, state, by) and set(got) == {
                "state", "by", "reason", "doubt", "new", "fixed", "remaining", "ms"}
            counts.add(right)
            if title == "mended data":
                counts.add(got.get("fixed", [{}])[0].get("message") == "syntax error" and got.get("new") == [])
            if not right:
                print(f"contract, {title}: exit {done.returncode}, {done.stdout}{done.stderr}")
        for reply, advice in ((edit("a.md", "nowhere", "two"), "copied exactly"), (edit("a.md", "one", "two")[:-17], "again")):
            person, heading, model = verify(reply).stderr.partition("\nSend this back to the model:\n")
            right = person.startswith("bodkin verify: ") and heading and advice not in person and advice in model
            counts.add(right)
            if not right:
                print("contract, what to send to the model:", person, model)
        for option in (["--unknown"], ["--server", "nosuch"]):
            done = verify("", *option)
            counts.add(done.returncode == 2)
        write(folder, {"reply.md": edit("a.md", "one", "two")})
        # A repeatable option takes one value: the reply behind it is not another.
        for options, said in ((["--server", "nosuch"], (2, "bodkin verify: no language server is called nosuch.\n")),
                              (["--open", name + "/a.md"], (verify(edit("a.md", "one", "two")).returncode, ""))):
            done = verify("", *options, name + "/reply.md")
            counts.add((done.returncode, done.stderr) == said)
            if (done.returncode, done.stderr) != said:
                print("contract, the reply behind an option:", done)
        refused = subprocess.run([program, "verify", "--jsonl"], input="no JSON\n", capture_output=True, text=True,
                                 env={**os.environ, "XDG_CONFIG_HOME": name + "/none"})
        counts.add("ms" in json.loads(refused.stdout))
        there = verify("--- a/b.md\n+++ b/b.md\n@@ -1,3 +1,4 @@\n # A title\n \n-Few words.\n+Some words of it.\n+And more words here.\n")
        again = verify(edit("b.md", "Some words of it.", "Some words of it."))
        # What git says that there is, is checked as if it were to come; what a model repeats is not.
        (folder / "c.json").write_text('{"a": 2\n')
        (folder / "d.json").write_text('{"d": 1\n')
        broken = verify('diff --git a/c.json b/c.json\nindex 1..2 100644\n--- a/c.json\n+++ b/c.json\n@@ -1 +1 @@\n-{"a": 2}\n+{"a": 2\n'
                        'diff --git a/d.json b/d.json\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/d.json\n@@ -0,0 +1 @@\n+{"d": 1\n')
        right = (there.returncode, there.stdout) == (0, "✓ the syntax: no new errors (the changes are already in place)\n") and \
            (again.returncode, again.stdout) == (0, "✓ nothing to check: the changes are already in place\n") and \
            broken.returncode == 1 and "c.json:" in broken.stdout and "d.json:" in broken.stdout
        counts.add(right)
        if not right:
            print("contract, in place:", there, again, broken)
        empty, nothing = verify("\n"), verify("")
        counts.add((empty.returncode, empty.stderr) == (3, "bodkin verify: the reply is empty.\n"))
        counts.add(nothing.returncode == 3 and "bodkin verify --staged" in nothing.stderr)
        words = verify(edit("a.zig", "const a = 1;", "const a = 2;"))
        right = words.stdout == "? only the syntax was checked: no checker is known for Zig; bodkin.verify.servers can name one\n"
        counts.add(right)
        if not right:
            print("contract, words:", words.stdout, words.stderr)
        # A diff whose changes are in the files, as git prints it: they are checked, exactly.
        def changed(old, new, path):
            return f"--- {old}\n+++ {new}\n@@ -1 +1 @@\n-{{\"a\": 1}}\n+{{\"a\": 2\n", {path: '{"a": 2\n'}
        new_file = 'diff --git a/n.json b/n.json\nnew file mode 100644\n--- /dev/null\n+++ b/n.json\n@@ -0,0 +1 @@\n+{"x": 7}\n'
        for title, (diff, files), code in (
                ("a diff in place", changed("a/a.json", "b/a.json", "a.json"), 1),
                ("without prefixes", changed("a.json", "a.json", "a.json"), 1),
                ("with mnemonic prefixes", changed("i/a.json", "w/a.json", "a.json"), 1),
                ("with a quoted name", changed('"a/\\303\\251.json"', '"b/\\303\\251.json"', "\u00e9.json"), 1),
                ("below words", ("commit 1\n\n    Words\n\n" + changed("a/a.json", "b/a.json", "a.json")[0], {"a.json": '{"a": 2\n'}), 1),
                ("a new file", (new_file, {"n.json": '{"x": 7}\n'}), 0),
                ("a new file with other blanks", (new_file, {"n.json": '  {"x":   7}\n'}), 3)):
            write(folder, files)
            done = verify(diff)
            counts.add(done.returncode == code)
            if done.returncode != code:
                print(f"contract, {title}: got {done.returncode}: {done.stdout}{done.stderr}")
        # A reply that bodkin apply has applied: one that it knows again by its lines, and one whose lines prove nothing.
        for before, after, code in (('{"a": 1}', '{"a": 2', 1), ('{"a": 2', '{"a": 3}', 0), ("[1]", "[1, 1]", 0)):
            write(folder, {"r.json": before + "\n"})
            reply = edit("r.json", before, after)
            subprocess.run([program, "apply", "--root", name], input=reply, check=True, capture_output=True, text=True)
            done, told = verify(reply), json.loads(verify(reply, "--json").stdout)
            right = done.returncode == code and "(the changes are already in place)" in done.stdout and \
                ("r.json:" in done.stdout) == bool(code) and told["reason"] == "the changes are already in place"
            counts.add(right)
            if not right:
                print("contract, an applied reply:", done, told)
        if shutil.which("clangd"):  # a new file that is there already: its errors are not older ones
            write(folder, {"n.c": "int f(void) { return zz; }\n"})
            there = verify("diff --git a/n.c b/n.c\nnew file mode 100644\n--- /dev/null\n+++ b/n.c\n@@ -0,0 +1 @@\n"
                           "+int f(void) { return zz; }\n")
            counts.add(there.returncode in (1, 2))
            if there.returncode not in (1, 2):
                print("contract, a new file that is there:", there.stdout, there.stderr)
        else:
            counts.skip()
        bare = subprocess.run([program, "verify", "--root", name], input=edit("a.py", "x = 1", "x = 2"), capture_output=True,
                              text=True, env={**os.environ, "PATH": name + "/none", "XDG_CONFIG_HOME": name + "/none"})
        right = bare.returncode == 2 and bare.stdout.count("\n") == 1 and bare.stdout.startswith("? only the syntax was checked: ") \
            and " install " in bare.stdout
        counts.add(right)
        if not right:
            print("contract, what to install:", bare.stdout, bare.stderr)
        # A server inside the folder runs only if the settings trust that.
        write(folder, {".venv/bin/pyright-langserver": "#!/bin/sh\nexit 7\n",
                       "trusting/bodkin/settings.json": json.dumps({"bodkin.workspace.trusted": [name]})})
        (folder / ".venv/bin/pyright-langserver").chmod(0o755)
        for config, runs in (("none", False), ("trusting", True)):
            done = subprocess.run([program, "verify", "--root", name], input=edit("a.py", "x = 1", "x = 2"), capture_output=True,
                                  text=True, env={**os.environ, "PATH": "/usr/bin:/bin", "XDG_CONFIG_HOME": f"{name}/{config}"})
            right = ("exit code 7" in done.stdout) == runs
            counts.add(right)
            if not right:
                print("contract, a server of the folder:", config, done.stdout, done.stderr)
