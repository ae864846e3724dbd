"""An editor for the tests of `bodkin mcp`: a client of a real language server, which has the case's folder open."""
import json
import os
import re
import socket
import sys

from cli_support import check

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "transcripts"))  # its run.py, not ours
from editor import Editor  # noqa: E402


class PlayedEditor(Editor):
    """Has the case's folder open; each of `names` is an open file, as it is on the disk."""

    def __init__(self, case, *names, **more):
        # One history, as a person has; and where they meet on Windows.
        super().__init__(case.program, texts={name: case.get(name) for name in names},
                         prepare=lambda folder, home: case.root, state=os.environ["XDG_STATE_HOME"], **more)
        case.servers.append(self)  # to be ended
        self.actions("file:///none")  # what was sent before has been handled

    def take(self, edit, only=None):
        for each in edit["documentChanges"]:
            kind, uri = each.get("kind"), each.get("uri") or each.get("oldUri") or each["textDocument"]["uri"]
            name = self.name(uri)
            path = os.path.join(self.folder, name)
            if kind == "create":
                open(path, "x").close()
                self.open(name, "", 0)
            elif kind == "delete":
                if name in self.buffers:
                    self.close(name)
                os.remove(path)
            elif kind == "rename":
                super().take({"documentChanges": [each]})
            else:
                if name not in self.buffers:
                    with open(path) as file:
                        self.open(name, file.read())
                self.change(name, self.edited(each["edits"][:only], name))
        return {"applied": True}

    def until_written(self):
        """What it has kept is in the history, which reads after it has written."""
        check("result" in self.request("bodkin/listSessions", {}), "no list of sessions")

    def call(self, server, tool, **arguments):
        """(text, whether it is an error) of a call after which the editor is asked to apply an edit."""
        asked = len(self.asked)
        number = server.start_call(tool, arguments)
        self.until("an edit", lambda: len(self.asked) > asked)
        return server.finished(number)

    def done(self, server, tool, **arguments):
        text, failed = self.call(server, tool, **arguments)
        check(not failed, text)
        return text


def change_in(text):
    return re.fullmatch("change (p0-[0-9a-f]{16})", text.rstrip("\n").split("\n")[-1])[1]


def sockets(case):
    folder = os.path.join(os.environ["XDG_RUNTIME_DIR"], "bodkin")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    check(not [name for name in names if name.endswith(".new")], repr(names))
    links = [name for name in names if name.endswith(".root")]
    names = [name for name in names if name not in links]
    check([name[:-5] for name in names] == [name[:-5] for name in links], repr((names, links)))
    return [os.path.join(folder, name) for name in names]


def say(path, data):
    """What the language server answers to these bytes: an object, or None."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(60)
        connection.connect(path)
        connection.sendall(data if isinstance(data, bytes) else json.dumps(data).encode() + b"\n")
        connection.shutdown(socket.SHUT_WR)
        answer = connection.makefile("rb").read()
    return json.loads(answer) if answer else None
