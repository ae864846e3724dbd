"""bodkin verify --staged and --worktree: as a hook, as CI and as a person asks for it."""
import os
import subprocess
import tempfile
from pathlib import Path


def run(program, counts, write):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve() / "work"
        folder.mkdir()
        environment = {**os.environ, "HOME": name, "XDG_CONFIG_HOME": name + "/none", "GIT_CONFIG_GLOBAL": "/dev/null"}
        evil = folder.parent / "evil"

        def git(*words):
            return subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=n@example.com", *words], cwd=folder,
                                  env=environment, capture_output=True, text=True)

        def verify(*options, stdin=subprocess.DEVNULL, cwd=folder, **more):
            words = {"input": more["input"]} if more else {"stdin": stdin}
            return subprocess.run([program, "verify", *options], cwd=cwd, env=environment, capture_output=True, text=True, **words)

        def expect(title, done, code, *wanted):
            right = done.returncode == code and all(each in done.stdout + done.stderr for each in wanted)
            counts.add(right)
            if not right:
                print(f"staged, {title}: exit {done.returncode}: {done.stdout}{done.stderr}")
        expect("no repository", verify("--staged"), 2, "is not the top of a git repository")
        git("init", "-q")
        expect("nothing at all", verify("--staged"), 0, "nothing is staged")
        write(folder, {"sub/a.json": '{"a": 1\n'})
        git("add", ".")
        expect("before the first commit", verify("--staged"), 1, "sub/a.json:", "1 new error")
        write(folder, {"sub/a.json": '{"a": 1}\n'})
        expect("the index, not the work tree", verify("--staged"), 1, "sub/a.json:")
        expect("the work tree, not the index", verify("--worktree"), 0, "no new errors")
        git("add", ".")
        expect("from a folder below", verify("--staged", cwd=folder / "sub"), 0, "no new errors")
        git("commit", "-qm", "one")
        expect("nothing is staged", verify("--staged"), 0, "nothing is staged")
        expect("nothing is changed", verify("--worktree", "--json"), 0, '"state":"clean"', "nothing is changed")
        (folder / "x.bin").write_bytes(b"\0\1\2" * 100)
        (folder / "l.json").symlink_to("sub/a.json")
        write(folder, {"b.json": "[1]\n"})
        expect("what is untracked", verify("--worktree"), 0, "passed over: x.bin", "passed over: l.json", "no new errors")
        git("add", ".")
        expect("what is binary", verify("--staged"), 0, "passed over: x.bin", "passed over: l.json", "no new errors")
        for more in ([], ["--binary"]):
            diff = git("diff", "--staged", *more).stdout
            expect("what is binary in a diff", verify(input=diff), 0, "passed over: x.bin", "passed over: l.json", "no new errors")
        git("rm", "-q", "--cached", "b.json", "l.json")
        expect("nothing but binary files", verify("--staged"), 0, "passed over: x.bin", "nothing to check")
        expect("a reply beside it", verify("--staged", "r.md"), 2)
        git("reset", "-q", "--hard")
        # A hook: "git commit -a" has an index of its own.
        (folder / ".git/hooks/pre-commit").write_text(f"#!/bin/sh\n'{program}' verify --staged\n[ $? -ne 1 ]\n")
        (folder / ".git/hooks/pre-commit").chmod(0o755)
        write(folder, {"sub/a.json": '{"a": 2\n'})
        expect("a hook", git("commit", "-qam", "two"), 1, "sub/a.json:", "1 new error")
        write(folder, {"sub/a.json": '{"a": 2}\n'})
        expect("a hook that lets it pass", git("commit", "-qam", "two"), 0, "no new errors")
        # Nothing runs that the repository names.
        git("config", "filter.one.clean", f"touch '{evil}'; cat")
        git("config", "diff.external", f"touch '{evil}'")
        git("config", "core.fsmonitor", f"touch '{evil}'")
        write(folder, {".gitattributes": "*.json filter=one diff=one\n", "sub/a.json": '{"a": 3}\n'})
        expect("a filter", verify("--worktree"), 0, "no new errors")
        expect("a filter and the index", verify("--staged"), 0, "nothing is staged")
        counts.add(not evil.exists())
        if evil.exists():
            print("staged: a program of the repository ran")
        for key in ("filter.one.clean", "diff.external", "core.fsmonitor"):  # git itself would run them below
            git("config", "--unset", key)
        git("reset", "-q", "--hard")
        git("clean", "-qfd")
        touch = f"touch '{evil}'; cat"

        def compares(title, code, *wanted):
            """Git compares contents where a file is as new as the index."""
            os.utime(folder / ".git/index", (0, 0))
            for side in ("--worktree", "--staged"):
                expect(f"{title} {side}", verify(side), code, *wanted)
        git("config", "--file", ".git/config", "filter..clean", touch)
        (folder / ".git/info/attributes").write_text("* filter=\n")
        compares("a filter without a name", 0)
        with open(folder / ".git/config", "a") as config:
            config.write(f'[filter "a=b"]\n\tclean = "{touch}"\n')
        (folder / ".git/info/attributes").write_text("* filter=a=b\n")
        compares("a filter that cannot be named", 2, 'has a "="')
        git("config", "--file", ".git/config", "--remove-section", "filter.a=b")
        (folder / ".git/info/attributes").unlink()
        # A repository in this one has filters of its own.
        inner = folder / "inner"
        inner.mkdir()
        write(inner, {"c.json": "[]\n"})
        for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "inner"], ["config", "filter.q.clean", touch]):
            git("-C", "inner", *words)
        git("add", "inner")
        (inner / ".git/info/attributes").write_text("* filter=q\n")
        os.utime(inner / ".git/index", (0, 0))
        compares("a filter of a submodule", 0)
        counts.add(not evil.exists())
        if evil.exists():
            print("staged: a program of the repository ran")
        git("reset", "-q", "--hard")
        (folder / ".git/hooks/pre-commit").unlink()
        for branch, text in (("one", '{"a": 4}\n'), ("other", '{"a": 5}\n')):
            git("checkout", "-q", "--detach", "HEAD@{0}" if branch == "one" else "HEAD~1")
            git("checkout", "-qb", branch)
            write(folder, {"sub/a.json": text})
            git("commit", "-qam", text)
        git("merge", "-q", "one")
        expect("a conflict", verify("--staged"), 2, "sub/a.json has conflicts that are not resolved")
