"""What `bodkin mcp` has changed: its log and its undo, beside other processes."""
import os
import threading

from cli_support import check
from edit_tests import FUNCTION, id_in


def undo_works_in_another_process_and_only_once(case):
    case.put("a.py", FUNCTION)
    case.put("old.py", "x = 1\n")
    first = case.server()
    text = first.done("apply_patch", patch="*** Begin Patch\n*** Update File: a.py\n@@\n-def area(r):\n+def area(q):\n"
                      "*** Update File: old.py\n*** Move to: new.py\n@@\n-x = 1\n+x = 2\n*** End Patch\n")
    change = id_in(text, "change")
    first.close()
    other = case.server(modern=True)
    case.put("new.py", "x = 3\n")
    text = other.refused("undo", change=change)
    check("new.py has changed since" in text and "q" in case.get("a.py"), text)
    case.put("new.py", "x = 2\n")
    other.done("undo", change=change)
    check(case.get("a.py") == FUNCTION and case.get("old.py") == "x = 1\n", "not undone")
    check(not os.path.exists(case.path("new.py")), "not moved back")
    check("no such change" in other.refused("undo", change=change), "twice")
    for wrong in ("", "../../x", "0" * 16, change.upper()):
        other.refused("undo", change=wrong)
    kept = os.listdir(case.state())
    check(not kept, "left in the state folder: %r" % kept)


def undo_keeps_who_may_read_a_file(case):
    server = case.server()
    for mode in (0o600, 0o755):
        case.put("run.sh", "#!/bin/sh\n")
        os.chmod(case.path("run.sh"), mode)
        text = server.done("apply_patch", patch="*** Begin Patch\n*** Delete File: run.sh\n*** End Patch\n")
        server.done("undo", change=id_in(text, "change"))
        check(os.stat(case.path("run.sh")).st_mode & 0o777 == mode, oct(os.stat(case.path("run.sh")).st_mode))


def undo_follows_no_link_that_points_elsewhere_now(case):
    for name, text in (("one.txt", "old\n"), ("other.txt", "new\n")):
        case.put(name, text)
    os.symlink("one.txt", case.path("link.txt"))
    server = case.server()
    text = server.done("edit", path="link.txt", old_str="old", new_str="new")
    os.remove(case.path("link.txt"))
    os.symlink("other.txt", case.path("link.txt"))
    server.done("undo", change=id_in(text, "change"))
    check((case.get("one.txt"), case.get("other.txt")) == ("old\n", "new\n"), "another file was changed")


def a_change_belongs_to_its_folder_and_is_private(case):
    case.put("one/a.txt", "1\n")
    case.put("two/a.txt", "1\n")
    change = id_in(case.server("--root", case.path("one")).done("edit", path="a.txt", old_str="1", new_str="2"), "change")
    case.put("two/a.txt", "2\n")
    case.server("--root", case.path("two")).refused("undo", change=change)
    check(case.get("two/a.txt") == "2\n", "another folder was changed")
    folder = os.path.dirname(case.state())
    logs = [name for name in os.listdir(folder) if name.startswith("history.db")]
    check("history.db" in logs, str(logs))
    for name in logs:
        check(os.stat(os.path.join(folder, name)).st_mode & 0o777 == 0o600, name)


def two_processes_and_many_calls_at_once_lose_nothing(case):
    count = 12
    case.put("a.txt", "".join("line %d.\n" % i for i in range(2 * count)))
    servers = [case.server(modern=modern) for modern in (False, True)]
    results = [[], []]

    def work(index):
        server = servers[index]
        ids = [server.start_call("edit", {"path": "a.txt", "old_str": "line %d." % (2 * i + index),
                                          "new_str": "done %d." % (2 * i + index)}) for i in range(count)]
        results[index] = [server.finished(id) for id in ids]
    threads = [threading.Thread(target=work, args=(index,)) for index in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check([len(r) for r in results] == [count, count], "an answer is missing")
    check(not [r for r in results[0] + results[1] if r[1]], repr([r for r in results[0] + results[1] if r[1]])[:500])
    check(case.get("a.txt") == "".join("done %d.\n" % i for i in range(2 * count)), case.get("a.txt"))
    check(os.listdir(case.root) == ["a.txt"], repr(os.listdir(case.root)))


def undo_removes_the_folders_that_were_made(case):
    case.put("old/a.py", FUNCTION)
    server = case.server()
    change = id_in(server.done("edit", path="x/y/n.py", old_str="", new_str="n = 1\n"), "change")
    server.done("undo", change=change)
    check(not os.path.exists(case.path("x")), os.listdir(case.root))
    change = id_in(server.done("apply_patch", patch="*** Begin Patch\n*** Update File: old/a.py\n*** Move to: z/w/a.py\n@@\n"
                               "-def twice(x):\n+def two(x):\n*** Add File: x/y/n.py\n+n = 1\n*** End Patch\n"), "change")
    case.put("x/mine.txt", "mine\n")
    server.done("undo", change=change)
    check(os.listdir(case.path("x")) == ["mine.txt"] and not os.path.exists(case.path("z")), os.listdir(case.path("x")))
    check(case.get("old/a.py") == FUNCTION, "not undone")
