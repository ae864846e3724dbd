"""What the tests of `bodkin apply` share: a folder, and runs that are killed midway."""
import os
import subprocess

from cli_support import Failure, block, check


class Case:
    def __init__(self, program, folder):
        self.program, self.root = program, folder

    def path(self, name):
        return os.path.join(self.root, name)

    def journals(self):
        """The journals in the user's state folder: of changes that are not finished."""
        folder = os.path.join(os.environ["XDG_STATE_HOME"], "bodkin", "apply")
        names = os.listdir(folder) if os.path.isdir(folder) else []
        return [os.path.join(folder, n) for n in names if n.endswith(".journal")]

    def put(self, name, text, mode=None):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as out:
            out.write(text if isinstance(text, bytes) else text.encode())
        if mode is not None:
            os.chmod(self.path(name), mode)

    def get(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def all(self):
        """Every file below the folder, so that a leftover is seen."""
        found = {}
        for folder, folders, names in os.walk(self.root):
            for name in names + folders:
                whole = os.path.join(folder, name)
                key = os.path.relpath(whole, self.root)
                found[key] = ("-> " + os.readlink(whole) if os.path.islink(whole) else
                              "/" if os.path.isdir(whole) else open(whole, "rb").read())
        return found

    def run(self, reply, *arguments, root=True, **more):
        command = [self.program, "apply", *(["--root", self.root] if root else []), *arguments]
        done = subprocess.run(command, input=reply.encode() if isinstance(reply, str) else reply,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, **more)
        done.out, done.err = done.stdout.decode(), done.stderr.decode()
        check("Sanitizer" not in done.err and "runtime error" not in done.err, done.err[:3000])
        return done

    def refused(self, reply, *arguments, code=1, says="", **more):
        before = self.all()
        done = self.run(reply, *arguments, **more)
        check(done.returncode == code, "exit %d: %s%s" % (done.returncode, done.out, done.err))
        check(says in done.err + done.out, "%r is not in: %s" % (says, done.err + done.out))
        check(self.all() == before, "files were changed: %r" % self.all())
        return done

    def applied(self, reply, *arguments, **more):
        done = self.run(reply, *arguments, **more)
        check(done.returncode == 0, "exit %d: %s" % (done.returncode, done.err))
        check(not [n for n in self.all() if os.path.basename(n).startswith(".bodkin")],
              "something is left behind: %r" % sorted(self.all()))
        return done


def begun(case, names):
    """A run that changes these files from "old" to "new"."""
    for name in names:
        case.put(name, "old\n")
    process = subprocess.Popen([case.program, "apply", "--root", case.root], stdin=subprocess.PIPE,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    process.stdin.write("".join(block(n, "old\n", "new\n") for n in names).encode())
    process.stdin.close()
    return process


def interrupted(case, names):
    """Kills a run that changes these files from "old" to "new" in the middle."""
    for attempt in range(200):
        process = begun(case, names)
        while process.poll() is None and not {case.get(n) for n in names} & {b"new\n"}:
            pass
        process.kill()
        process.wait()
        if case.journals() and len({case.get(n) for n in names}) == 2:
            return
        case.run("nothing to do")
    raise Failure("no run was killed in the middle")


MANY = ["f%02d.txt" % i for i in range(40)]
