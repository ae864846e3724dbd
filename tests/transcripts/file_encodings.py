"""A file that is not UTF-8, through every door: the bytes that an edit does not change stay, what it adds is in the
file's encoding, and what that lacks is refused by name. Each test is a function of the program's path."""
import json
import os
import subprocess
import tempfile

from abuse import check, ends_well
from asks import Asker, turn

# As .editorconfig names it, as Python does, what the file has, what is added, and what the encoding lacks.
TABLE = (("latin1", "latin-1", "naïve", "été", "日"), ("windows-1252", "cp1252", "“a”", "€", "日"),
         ("gbk", "gbk", "模块", "相加", "\U0001F600"), ("shift_jis", "shift_jis", "表示", "追加", "é"),
         ("koi8-r", "koi8-r", "привет", "слово", "日"), ("utf-16le", "utf-16-le", "naïve", "日", None),
         ("utf-16be", "utf-16-be", "naïve", "日", None))


def block(new, old="int a;"):
    return "x.c\n<<<<<<< SEARCH\n%s\n=======\n%s\n>>>>>>> REPLACE\n" % (old, new)


class Folder:
    """A file in an encoding that `said_by` names: .editorconfig, or the user's settings."""

    def __init__(self, program, charset, coding, old, said_by):
        self.program, self.coding = program, coding
        self.home, self.root = os.path.realpath(tempfile.mkdtemp()), os.path.realpath(tempfile.mkdtemp())
        self.before = "// %s\r\nint a;\r\nint b; // %s\r\n" % (old, old)
        rules, settings = "", {"verify.servers": {"*": {"command": []}}, "workspace.trusted": [self.root],
                               "model.provider": "replay", "model.name": self.home + "/replay.json"}
        if said_by == ".editorconfig":
            rules = "root = true\n[*.c]\ncharset = %s\n" % charset
        else:
            settings["files.encoding"] = charset
        self.put(self.root, ".editorconfig", rules.encode())
        self.put(self.root, "x.c", self.before.encode(coding))
        self.put(self.home, ".config/bodkin/settings.json", json.dumps(settings).encode())

    @staticmethod
    def put(folder, name, data):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as out:
            out.write(data)

    def bytes(self):
        with open(self.root + "/x.c", "rb") as file:
            return file.read()

    def run(self, *words, stdin=""):
        done = subprocess.run([self.program, *words], cwd=self.root, input=stdin.encode(), capture_output=True, timeout=60,
                              env={"HOME": self.home, "PATH": os.environ["PATH"], "LANG": "C.UTF-8"})
        return done.returncode == 0, done.stdout.decode() + done.stderr.decode()

    def replay(self, *turns):
        self.put(self.home, "replay.json", json.dumps({"name": "test", "turns": turns}).encode())


def by_apply(folder, new):
    return folder.run("apply", stdin=block(new))


def by_ask(folder, new):
    folder.replay(turn(block(new)), turn("I give up."))
    return folder.run("ask", "--yes", "Change it.")


def by_mcp(folder, new):
    calls = [("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
             ("tools/call", {"name": "edit", "arguments": {"path": "x.c", "old_str": "int a;", "new_str": new}})]
    lines = [{"jsonrpc": "2.0", "id": i, "method": method, "params": params} for i, (method, params) in enumerate(calls)]
    _, said = folder.run("mcp", stdin="".join(json.dumps(line) + "\n" for line in lines))
    return '"isError":true' not in said.replace(" ", ""), said


def by_acp(folder, new):
    folder.replay(turn(block(new)), turn("I give up."))
    child = subprocess.Popen([folder.program, "acp"], cwd=folder.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             env={"HOME": folder.home, "PATH": os.environ["PATH"], "LANG": "C.UTF-8"})
    said = []

    def send(**message):
        child.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        child.stdin.flush()

    def call(number, method, **params):
        send(id=number, method=method, params=params)
        for line in child.stdout:
            said.append(line.decode())
            message = json.loads(line)
            if message.get("method") == "session/request_permission":
                options = message["params"]["options"]
                send(id=message["id"], result={"outcome": {"outcome": "selected", "optionId": options[0]["optionId"]}})
            if message.get("id") == number and "method" not in message:
                return message.get("result")
    call(1, "initialize", protocolVersion=1, clientCapabilities={})
    session = call(2, "session/new", cwd=folder.root, mcpServers=[])["sessionId"]
    call(3, "session/prompt", sessionId=session, prompt=[{"type": "text", "text": "Change it."}])
    child.stdin.close()
    child.wait(60)
    return True, "".join(said).encode().decode("unicode_escape", "replace").encode("latin-1", "replace").decode("utf-8", "replace")


def every_byte_that_was_not_edited_stays_whoever_writes_the_file(program):
    for charset, coding, old, new, lacking in TABLE:
        for said_by in (".editorconfig", "settings"):
            for door in (by_apply, by_ask, by_mcp, by_acp):
                where = "%s by %s, %s: " % (charset, said_by, door.__name__)
                folder = Folder(program, charset, coding, old, said_by)
                before = folder.bytes()
                if lacking:
                    _, said = door(folder, "int a; // " + lacking)
                    check(folder.bytes() == before, where + "it was written: %r" % folder.bytes())
                    check(charset in said or lacking in said, where + "no reason: " + said)
                _, said = door(folder, "int a; // " + new)
                wanted = folder.before.replace("int a;", "int a; // " + new).encode(coding)
                check(folder.bytes() == wanted, where + "%r\n%s" % (folder.bytes(), said))
                if door in (by_apply, by_ask):
                    check(folder.run("undo")[0] and folder.bytes() == before, where + "undone: %r" % folder.bytes())
                    check(folder.run("redo")[0] and folder.bytes() == wanted, where + "redone: %r" % folder.bytes())


def a_file_of_which_nobody_says_the_encoding_keeps_its_bytes(program):
    for charset, coding, old, new, lacking in TABLE[:-2]:
        for door in (by_apply, by_ask, by_mcp, by_acp):
            folder = Folder(program, "", coding, old, "settings")
            before = folder.bytes()
            _, said = door(folder, "int a; // " + new)
            check(folder.bytes() == before and "UTF-8" in said, "%s, %s: %r\n%s" % (coding, door.__name__, folder.bytes(), said))


class EncodingEditor(Asker):
    """It loads and saves all files in one encoding, and says so."""

    def __init__(self, program, name, coding, text, is_open, says=True):
        self.coding, self.name_of_coding = coding, name if says else None
        super().__init__(program, [], texts={})
        self.write("x.c", text)
        if says:
            self.notify("bodkin/didChangeEncoding", {"encoding": name})
        if is_open:
            self.open("x.c", text)
        self.on_apply = lambda editor, edit: editor.load_and_take(edit)

    def open(self, name, text, version=1):
        super().open(name, text, version)
        if self.name_of_coding:
            self.notify("bodkin/didChangeEncoding", {"uri": self.uri(name), "encoding": self.name_of_coding})

    def write(self, name, text):
        Folder.put(self.folder, name, text.encode(self.coding))

    def bytes(self):
        with open(self.folder + "/x.c", "rb") as file:
            return file.read()

    def load_and_take(self, edit):
        if "x.c" not in self.buffers:
            self.open("x.c", self.bytes().decode(self.coding), 0)
        self.take(edit)
        self.write("x.c", self.buffers["x.c"])
        return {"applied": True}

    def edited(self, edits, name):
        """Positions count bytes of UTF-8."""
        single = lambda text: text.encode().decode("latin-1")
        text, self.buffers[name] = self.buffers[name], single(self.buffers[name])
        result = super().edited([dict(each, newText=single(each["newText"])) for each in edits], name)
        self.buffers[name] = text
        return result.encode("latin-1").decode()


def why_not_applied(editor, new):
    proposal = editor.propose(block(new))
    editor.command("bodkin.apply", proposalId=proposal)
    said = lambda: [each["message"] for each in editor.states if each["proposalId"] == proposal and each["message"]]
    editor.until("a reason", said)
    return said()[0]


def an_editor_that_says_its_encoding_has_its_files_edited(program):
    for name, (charset, coding, old, new, lacking) in zip(("iso88591", "windows1252", "gbk", "shiftjis", "koi8r"), TABLE):
        for is_open in (True, False):
            text = "// %s\nint a;\nint b; // %s\n" % (old, old)
            editor = EncodingEditor(program, name, coding, text, is_open)
            before = editor.bytes()
            editor.applied_with(editor.on_apply, "applied", reply=block("int a; // " + new))
            check(editor.bytes() == text.replace("int a;", "int a; // " + new).encode(coding), "%s: %r" % (name, editor.bytes()))
            check("result" in editor.command("bodkin.undo"), "not undone")
            editor.state("discarded")
            check(editor.bytes() == before, "%s, undone: %r" % (name, editor.bytes()))
            # Nothing is saved yet: what is on the disk does not say in which encoding it will be.
            editor.change("x.c", text + "// typed\n")
            said = why_not_applied(editor, "int a; // " + lacking)
            check('has no "%s"' % lacking in said, "%s: %s" % (name, said))
            ends_well(editor)


def what_is_ascii_can_be_saved_in_each_encoding_of_an_editor(program):
    for name, coding, new in (("utf-16", "utf-16-be", "日"), ("ucs-2", "utf-16-be", "x"), ("latin9", "iso8859-15", "€"), ("us-ascii", "ascii", "x"), ("ibm037", "cp037", "x")):
        text = "int a;\nint b;\n"
        editor = EncodingEditor(program, name, coding, text, True)
        editor.applied_with(editor.on_apply, "applied", reply=block("int a; // " + new))
        check(editor.bytes() == text.replace("int a;", "int a; // " + new).encode(coding), "%s: %r" % (name, editor.bytes()))
        ends_well(editor)


def a_closed_file_is_not_edited_by_an_editor_that_would_load_it_otherwise(program):
    editor = EncodingEditor(program, "utf8", "latin-1", "// été\nint a;\n", False)
    before = editor.bytes()
    Folder.put(editor.folder, ".editorconfig", b"[*]\ncharset = latin1\n")
    said = why_not_applied(editor, "int c;")
    check("x.c is in latin1; open it first, in that encoding" in said, said)
    # It has loaded it in spite of that, with other characters for some bytes.
    editor.open("x.c", before.decode("utf-8", "replace"))
    said = why_not_applied(editor, "int c;")
    check("open it in its encoding" in said and editor.bytes() == before, said)
    ends_well(editor)


def tests():
    return [(name.replace("_", " "), test) for name, test in globals().items()
            if getattr(test, "__code__", None) and test.__module__ == __name__ and
            test.__code__.co_varnames[:1] == ("program",) and test.__code__.co_argcount == 1]
