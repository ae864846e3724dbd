"""A home, a folder and a replayed model for a test of `bodkin acp`."""
import json

from cli_support import READ, TEXT, edit, lock_folder, turn
from client import Editor, environment_of

ONE = [READ, turn("", [edit("int b;", "long b;")]), turn("b is wider.")]


class Case:
    def __init__(self, program, folder):
        self.program, self.home, self.root = program, folder, folder / "work"
        self.root.mkdir(parents=True)
        self.put("a.c", TEXT)
        self.editors = []
        self.transcripts = []

    def put(self, name, text):
        (self.root / name).write_bytes(text.encode())

    def get(self, name="a.c"):
        return (self.root / name).read_bytes().decode()

    def lock(self):
        """Holds the root's lock, as another program that writes does."""
        return lock_folder(self.root, self.home / ".local/state")

    def settings(self, turns, **values):
        replay = self.home / "replay.json"
        replay.write_text(json.dumps({"name": "test", "turns": turns}))
        folder = self.home / ".config/bodkin"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "settings.json").write_text(json.dumps({
            "verify.servers": {"*": {"command": []}}, "model.provider": "replay", "model.name": str(replay),
            "workspace.trusted": [str(self.root)], **values}))

    def editor(self, turns, name="test", settings={}, start=True, **can):
        self.settings(turns, **settings)
        made = Editor([self.program, "acp"], self.root, environment_of(self.home), **can)
        self.editors.append(made)
        if start:
            made.start(name, **can)
            made.new(self.root)
        return made


FILES = {"fs": {"readTextFile": True, "writeTextFile": True}}
