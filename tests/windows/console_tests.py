"""`bodkin ask` on a console: Wine draws one on the terminal that it runs in. Tests of run.py."""
import json
import os
import pathlib
import re
import termios
import time
import tty

from cli_support import READ, TEXT, WIDE, WIDER, Terminal, check, edit, turn

WINE = str(pathlib.Path(__file__).resolve().parent / "wine.py")


# Wine's console gives an Escape that comes alone no character, and one of two.
ESCAPE = "\x1b\x1b"


class Console(Terminal):
    """What is drawn comes in pieces: only what is no blank counts. Ctrl-C is never a key on Wine's console, as it is on that
    of Windows while a request is typed."""
    patience = 120

    def __init__(self, folder, turns, *words):
        self.file = pathlib.Path(folder, "a.c")
        self.file.write_text(TEXT)
        self.replay = pathlib.Path(os.environ["HOME"], "replay.json")
        self.plays(turns)
        super().__init__([WINE, "ask", "--provider", "replay", "--model", str(self.replay), "--root", folder, *words], folder,
                         dict(os.environ, TERM="xterm"), 100)
        tty.setraw(self.fd)  # Wine does that too, but late: until then Enter would be Ctrl-J
        mode = termios.tcgetattr(self.fd)
        mode[tty.LFLAG] |= termios.ISIG  # this Wine leaves as it finds it
        termios.tcsetattr(self.fd, termios.TCSANOW, mode)

    def plays(self, turns):
        """The turns of the next ask."""
        self.replay.write_text(json.dumps({"turns": turns}))

    def seen(self, wanted):
        """Reads until the screen has had these words."""
        end = time.monotonic() + self.patience
        pattern = r"(?:\x1b[\[\]][0-9;?]*[A-Za-z]|\s)*".join(re.escape(letter) for letter in wanted if letter != " ")
        while not (found := re.search(pattern, self.text)):
            self.read(wanted, end)
        self.text = self.text[found.end():]


def a_key_applies_what_was_asked_for_on_a_console(_, folder):
    screen = Console(folder, WIDER, "Widen b and g")
    screen.seen("or [d]iscard?")
    screen.type("a")
    screen.end()
    check(screen.code == 0 and screen.file.read_text() == WIDE, screen.text)


def a_conversation_goes_on_until_it_is_left(_, folder):
    screen = Console(folder, WIDER)
    screen.seen("other commands")
    screen.seen(">")  # keys count one by one from here on
    screen.type("Widen b and gg\x7f\r")
    screen.seen("or [d]iscard?")
    screen.type("a")
    screen.seen("/undo")
    screen.seen(">")
    check(screen.file.read_text() == WIDE, screen.text)
    screen.type("/undo\r")
    screen.seen("is undone")
    screen.seen(">")
    check(screen.file.read_text() == TEXT, screen.text)
    screen.plays([READ, turn("", [edit("int c;", "long c;")]), turn("c is wider.")])  # it has changed since it was read
    screen.type("Widen c\r")
    screen.seen("or [d]iscard?")
    screen.type("d")
    screen.seen("Discarded")
    screen.seen(">")
    screen.type("\x04")
    screen.end()
    check(screen.code == 0 and screen.file.read_text() == TEXT, screen.text)


def ctrl_c_and_escape_end_an_ask_and_not_its_conversation(_, folder):
    screen = Console(folder, [dict(turn("a word " * 2000), chunk_bytes=7, delay_ms=20)])
    screen.seen("other commands")
    screen.seen(">")  # keys count one by one from here on
    for key in "\x03", ESCAPE, "\x03":
        screen.type("Explain\r")
        screen.seen("a word a word")
        screen.type(key)
        screen.seen("Cancelled")
        screen.seen(">")
    screen.plays([turn("Here I am.")])
    screen.type("Go on\r")
    screen.seen("Here I am.")
    screen.seen(">")  # what comes earlier is only put there, for another Enter
    screen.type("/quit\r")
    screen.end()
    check(screen.code == 0, screen.text)
