"""What `bodkin apply` writes: files, their bytes, modes and links."""
import json
import os
import resource
import stat
import subprocess

from case import Case
from cli_support import Skip, block, check


def a_reply_with_prose_changes_several_files(case):
    case.put("src/a.py", "x = 1\ny = 2\n")
    case.put("b.py", "z = 3\n")
    done = case.applied("Sure!\n\n" + block("src/a.py", "x = 1\n", "x = 10\n") + "\nand\n\n" +
                        block("b.py", "z = 3\n", "z = 30\n") + "\nDone.\n")
    check(case.all() == {"src": "/", "src/a.py": b"x = 10\ny = 2\n", "b.py": b"z = 30\n"}, "wrong")
    check(done.out == "changed src/a.py\nchanged b.py\n", done.out)


def files_are_created_moved_and_removed(case):
    case.put("gone.txt", "bye\n")
    case.put("old/name.sh", "echo 1\n", 0o755)
    reply = ("*** Begin Patch\n*** Add File: new/deep/file.txt\n+hello\n*** Delete File: gone.txt\n"
             "*** Update File: old/name.sh\n*** Move to: bin/run.sh\n@@\n-echo 1\n+echo 2\n"
             "*** End Patch\n")
    done = case.applied(reply)
    check(case.get("new/deep/file.txt") == b"hello\n", "not created")
    check(not os.path.exists(case.path("gone.txt")), "not removed")
    check(not os.path.exists(case.path("old/name.sh")), "not moved away")
    check(case.get("bin/run.sh") == b"echo 2\n", "not moved")
    check(os.stat(case.path("bin/run.sh")).st_mode & 0o777 == 0o755, "the mode did not move along")
    check("moved old/name.sh -> bin/run.sh\n" in done.out and "created new/deep/file.txt\n" in done.out
          and "removed gone.txt\n" in done.out, done.out)


def old_text_that_is_only_part_of_lines_is_called_that(case):
    case.put("x.js", "const a = {b: 2, c: 3};\nstart();\n// Build the spheres, which are many\n")
    case.refused(block("x.js", "b: 2\n", "b: 20\n"), says="The old text is only part of line 1: quote whole lines.")
    case.refused(block("x.js", "start();\n// Build the spheres\n", "stop();\n// Build the spheres\n"),
                 says="The old text is only part of lines 2 to 3: quote whole lines.")


def every_byte_around_the_edit_is_kept(case):
    for name, text, after in [
            ("crlf", b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n"),
            ("bom", b"\xef\xbb\xbfa\nb\n", b"\xef\xbb\xbfa\nB\n"),
            ("no-final", b"a\nb", b"a\nB"),
            ("mixed", b"a\r\nb\nc\r\n\n", b"a\r\nB\nc\r\n\n"),
            ("latin-1", b"caf\xe9\nb\n\xff\xfe\x00\n", b"caf\xe9\nB\n\xff\xfe\x00\n"),
            ("form-feed", b"a\x0c\nb\n\xe2\x80\xa8\n", b"a\x0c\nB\n\xe2\x80\xa8\n")]:
        case.put(name, text)
        case.applied(block(name, "b\n", "B\n"))
        check(case.get(name) == after, "%s: %r" % (name, case.get(name)))


def mode_owner_and_links_stay(case):
    case.put("real/run.sh", "echo 1\n", 0o750)
    os.makedirs(case.path("bin"))
    os.symlink("../real/run.sh", case.path("bin/run"))
    os.symlink("real", case.path("alias"))
    if os.geteuid() == 0:
        os.chown(case.path("real/run.sh"), 1234, 4321)
    case.applied(block("bin/run", "echo 1\n", "echo 2\n"))
    case.applied(block("alias/run.sh", "echo 2\n", "echo 3\n"))
    check(os.readlink(case.path("bin/run")) == "../real/run.sh", "the link is gone")
    check(os.path.islink(case.path("alias")), "the folder's link is gone")
    status = os.stat(case.path("real/run.sh"))
    check(case.get("real/run.sh") == b"echo 3\n", "not written through the link")
    check(stat.S_IMODE(status.st_mode) == 0o750, "the mode changed")
    if os.geteuid() == 0:
        check((status.st_uid, status.st_gid) == (1234, 4321), "the owner changed")


def extended_attributes_stay(case):
    case.put("a.txt", "1\n")
    try:
        os.setxattr(case.path("a.txt"), "user.note", b"kept")
    except OSError:
        raise Skip("this file system has no extended attributes")
    case.applied(block("a.txt", "1\n", "2\n"))
    check(os.getxattr(case.path("a.txt"), "user.note") == b"kept", "the attribute is gone")


def a_full_disk_changes_nothing(case):
    case.put("a.txt", "1\n")
    case.put("b.txt", "1\n")
    big = "x" * 79 + "\n"
    reply = block("a.txt", "1\n", "2\n") + block("b.txt", "1\n", big * 3000)

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
    case.refused(reply, preexec_fn=limit, says="b.txt")
    case.applied(reply)


def a_really_full_disk_changes_nothing(case):
    if os.geteuid() != 0:
        raise Skip("mounting needs root")
    small = case.path("small")
    os.makedirs(small)
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small]
    if subprocess.run(mount, stderr=subprocess.DEVNULL).returncode != 0:
        raise Skip("nothing can be mounted here")
    try:
        case.put("small/a.txt", "1\n")
        case.put("small/b.txt", "1\n")
        inner = Case(case.program, small)
        reply = block("a.txt", "1\n", "2\n") + block("b.txt", "1\n", ("x" * 79 + "\n") * 1500)
        inner.refused(reply, says="No space left")
        inner.applied(block("a.txt", "1\n", "2\n"))
    finally:
        subprocess.run(["umount", small], check=True)


def a_read_only_folder_or_file_changes_nothing(case):
    if os.geteuid() == 0:
        # root writes everywhere: a read-only mount stops it too.
        os.makedirs(case.path("ro"))
        case.put("ro/b.txt", "1\n")
        done = subprocess.run("mount --bind {0} {0} && mount -o remount,ro,bind {0}".format(
            case.path("ro")), shell=True, stderr=subprocess.DEVNULL)
        if done.returncode != 0:
            raise Skip("root writes everywhere, and nothing can be mounted here")
        try:
            case.put("a.txt", "1\n")
            case.refused(block("a.txt", "1\n", "2\n") + block("ro/b.txt", "1\n", "2\n"),
                         says="Read-only")
        finally:
            subprocess.run(["umount", case.path("ro")], check=True)
        return
    case.put("a.txt", "1\n")
    case.put("ro/b.txt", "1\n")
    case.put("c.txt", "1\n", 0o444)
    os.chmod(case.path("ro"), 0o555)
    try:
        case.refused(block("a.txt", "1\n", "2\n") + block("ro/b.txt", "1\n", "2\n"), says="ro/b.txt")
        case.refused(block("a.txt", "1\n", "2\n") + block("c.txt", "1\n", "2\n"), says="c.txt")
    finally:
        os.chmod(case.path("ro"), 0o755)


def json_says_what_was_written_in_place(case):
    """A file that is itself a mount, as in a container: none can take its place."""
    case.put("a.txt", "1\n")
    if os.geteuid() != 0 or subprocess.run(["mount", "--bind", case.path("a.txt"), case.path("a.txt")], stderr=subprocess.DEVNULL).returncode != 0:
        raise Skip("nothing can be mounted here")
    try:
        case.put("b.txt", "1\n")
        done = json.loads(case.applied(block("a.txt", "1\n", "2\n"), "--json").out)
        check(done["notes"] == ["a.txt was written in place, because no new file can take its place"] and case.get("a.txt") == b"2\n", str(done))
        done = json.loads(case.applied(block("b.txt", "1\n", "2\n"), "--json").out)
        check("notes" not in done, str(done))
    finally:
        subprocess.run(["umount", case.path("a.txt")], check=True)
