"""What an editor on Windows says and gets: URIs with drives, as each of them writes these. Tests of run.py."""
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "transcripts"))  # before this folder, which has a run.py, too
from cli_support import block, check  # noqa: E402
from run import Server  # noqa: E402

WINE = str(HERE / "wine.py")
# VS Code, Neovim, Emacs and Sublime Text, and what no editor is known to write.
DRIVES = ["z%3A", "Z:", "z:", "Z%3A"]


class Editor:
    """A client that says the paths of Windows itself."""

    def __init__(self, folder, drive, files, opened):
        self.root = "file:///" + drive + folder
        os.makedirs(folder, exist_ok=True)
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        home = tempfile.mkdtemp(dir=os.environ["HOME"])
        self.server = Server(WINE, folder, home=home, environment=dict(os.environ, WINE_PATHS="own"))
        self.server.request("initialize", {"rootUri": self.root, "capabilities": {
            "general": {"positionEncodings": ["utf-8"]},
            "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename", "delete"]}},
            "experimental": {"bodkin": {"version": 1, "proposals": True}}}})
        self.server.notify("initialized", {})
        for name, text in opened.items():
            self.server.notify("textDocument/didOpen", {"textDocument": {
                "uri": self.root + "/" + name, "languageId": "c", "version": 1, "text": text}})

    def proposal(self, reply, **more):
        """The documentChanges, or the error's message."""
        found = []
        self.server.handle = lambda message: found.append(message) if message.get("method") == "bodkin/proposal" else None
        answer = self.server.request("workspace/executeCommand", {"command": "bodkin.applyReply", "arguments": [dict(more, text=reply)]})
        if "error" in answer:
            return answer["error"]["message"]
        return found[-1]["params"]["edit"]["documentChanges"]

    def end(self):
        self.server.request("shutdown", None)
        self.server.notify("exit", None)
        check(self.server.wait() == 0, "".join(self.server.errors))


def place_of(changes):
    check(isinstance(changes, list) and len(changes) == 1, str(changes))
    return changes[0]["textDocument"]


def an_open_file_is_named_as_its_editor_does(_, folder):
    """Whatever the model calls it."""
    for drive in DRIVES:
        root = os.path.join(folder, str(DRIVES.index(drive)))
        text = "int a;\r\nint b;\r\n"
        editor = Editor(root, drive, {"src/a.c": text}, {"src/a.c": text})
        for path in ("src/a.c", "src\\a.c", "SRC\\A.C", ".\\src\\a.c", "Z:" + root + "/src/a.c", "z:" + root.replace("/", "\\") + "\\src\\a.c"):
            changes = editor.proposal(block(path, "int b;\n", "long b;\n"))
            check(isinstance(changes, list), "%s: %s" % (path, changes))
            check(place_of(changes) == {"uri": editor.root + "/src/a.c", "version": 1}, "%s is %s" % (path, changes))
            check([each["newText"] for each in changes[0]["edits"]] == ["long b;\r\n"], str(changes))
        editor.end()
    return len(DRIVES) * 6


def a_file_that_is_not_open_is_named_below_the_folder(_, folder):
    for drive in DRIVES:
        root = os.path.join(folder, str(DRIVES.index(drive)))
        editor = Editor(root, drive, {"src/a.c": "int b;\n", "ä b/c.c": "int c;\n"}, {})
        for path, name in (("src\\a.c", "src/a.c"), ("ä b/c.c", "%C3%A4%20b/c.c")):
            old = "int b;\n" if "src" in path else "int c;\n"
            uri = place_of(editor.proposal(block(path, old, "long b;\n")))["uri"]
            check(uri.lower().replace("%3a", ":") == (editor.root + "/" + name).lower().replace("%3a", ":"), uri)
        new = editor.proposal(block("new\\x.c", "", "int x;\n"))
        check([each.get("kind") for each in new] == ["create", None] and new[0]["uri"].endswith("/new/x.c"), str(new))
        editor.end()


def what_is_no_file_of_the_folder_is_refused(_, folder):
    editor = Editor(os.path.join(folder, "p"), "z%3A", {"a.c": "int b;\n", ".git/config": "x\n"}, {"a.c": "int b;\n"})
    for path in ("NUL", "src/aux.c", "new.", "..\\out.c", "C:\\windows\\out.c", "\\\\server\\share\\out.c", "\\\\?\\C:\\out.c",
                 "C:out.c", ".git\\config", "GIT~1\\config"):
        answer = editor.proposal(block(path, "", "int x;\n"))
        check(isinstance(answer, str), "%s was proposed: %s" % (path, answer))
    editor.end()
