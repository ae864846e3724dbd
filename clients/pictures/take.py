#!/usr/bin/env python3
"""take.py PROGRAM [NVIM]: takes the pictures of the terminal and of Neovim anew, beside this file.

What they show is real, but for the model, whose replies are played: in Neovim those of clients/demo. Needs tmux, clangd
and Neovim. The picture of VS Code is one that tests/workbench takes.
"""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
DEMO = HERE.parent / "demo"
PALETTE = "#3b4252 #bf4040 #3d8b40 #a07000 #3465a4 #8a4f9e #2a8a8f #d8dee9 #777777 #d75f5f #5faf5f #c09020 #5f87d7 #af5faf #4fafb0 #ffffff".split()
CELL, LINE, SIZE = 8.4, 18, 14


def color(numbers):
    """The colour that the SGR parameters after 38 or 48 name, which are taken from the list."""
    if numbers.pop(0) == 2:
        red, green, blue, *numbers[:] = numbers
        return f"#{red:02x}{green:02x}{blue:02x}"
    index = numbers.pop(0)
    if index < 16:
        return PALETTE[index]
    if index >= 232:
        return "#" + f"{8 + 10 * (index - 232):02x}" * 3
    return "#" + "".join(f"{(0, 95, 135, 175, 215, 255)[(index - 16) // step % 6]:02x}" for step in (36, 6, 1))


def styled(style, numbers):
    """The style after one SGR sequence."""
    while numbers:
        number = numbers.pop(0)
        if number == 0:
            style = {}
        elif number in (38, 48):
            style = {**style, "fg" if number == 38 else "bg": color(numbers)}
        elif 30 <= number % 60 <= 37 and number < 100 or 40 <= number <= 47 or number >= 90:
            bright = 8 if number >= 90 else 0
            style = {**style, "bg" if number // 10 in (4, 10) else "fg": PALETTE[number % 10 + bright]}
        elif number in (39, 49):
            style = {**style, "fg" if number == 39 else "bg": None}
        elif number in (22, 23, 24, 27, 29):
            off = {22: ("bold", "dim"), 23: ("italic",), 24: ("under",), 27: ("inverse",), 29: ("struck",)}[number]
            style = {name: value for name, value in style.items() if name not in off}
        elif number in (1, 2, 3, 4, 7, 9):
            style = {**style, {1: "bold", 2: "dim", 3: "italic", 4: "under", 7: "inverse", 9: "struck"}[number]: True}
    return style


def drawing(screen, columns, rows):
    """The captured screen as SVG, its text as text."""
    rows = min(rows, re.sub(r"\x1b\[[\d;:]*m", "", screen).rstrip().count("\n") + 1)  # nothing stands below
    width, height = columns * CELL + 16, rows * LINE + 16
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" viewBox="0 0 {width:.0f} {height}" '
           f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{SIZE}">',
           '<rect width="100%" height="100%" rx="6" fill="#fafafa" stroke="#cccccc"/>']
    style = {}
    for row, line in enumerate(screen.split("\n")[:rows]):
        at, top = 0, 8 + row * LINE
        for code, text in re.findall(r"\x1b\[([\d;:]*)m|([^\x1b]+)", line):
            if not text:
                style = styled(style, [int(number or 0) for number in re.split("[;:]", code)])
                continue
            fg, bg = style.get("fg") or "#2e3440", style.get("bg")
            if style.get("inverse"):
                fg, bg = bg or "#fafafa", fg
            left, long = 8 + at * CELL, len(text) * CELL
            if bg:
                out.append(f'<rect x="{left:.1f}" y="{top}" width="{long:.1f}" height="{LINE}" fill="{bg}"/>')
            looks = "".join((' font-weight="bold"' if style.get("bold") else "", ' font-style="italic"' if style.get("italic") else "",
                             ' opacity="0.6"' if style.get("dim") else "", ' text-decoration="line-through"' if style.get("struck") else "",
                             ' text-decoration="underline"' if style.get("under") else ""))
            if text.strip():
                out.append(f'<text x="{left:.1f}" y="{top + 13}" textLength="{long:.1f}" xml:space="preserve" fill="{fg}"{looks}>'
                           f"{html.escape(text)}</text>")
            at += len(text)
    return "\n".join(out) + "\n</svg>\n"


class Terminal:
    """A real terminal of that size, in which a command runs; screens are waited for by what they say."""

    def __init__(self, folder, columns, rows, command, environment):
        self.columns, self.rows = columns, rows
        self.tmux = ["tmux", "-f", "/dev/null", "-S", str(folder / "socket")]
        subprocess.run([*self.tmux, "new-session", "-d", "-x", str(columns), "-y", str(rows), command], check=True,
                       env={**os.environ, **environment}, cwd=folder / "demo")
        subprocess.run([*self.tmux, "set", "status", "off"], check=True)

    def type(self, *keys):
        subprocess.run([*self.tmux, "send-keys", *keys], check=True)

    def screen(self, *options):
        return subprocess.run([*self.tmux, "capture-pane", "-p", *options], capture_output=True, text=True, check=True).stdout

    def wait(self, words):
        end = time.monotonic() + 60
        while words not in self.screen():
            if time.monotonic() > end:
                sys.exit(f"“{words}” does not come:\n{self.screen()}")
            time.sleep(0.1)

    def save(self, name):
        (HERE / name).write_text(drawing(self.screen("-e"), self.columns, self.rows))
        subprocess.run([*self.tmux, "kill-server"], check=True)


def ask_terminal(folder, environment):
    (folder / "demo/shapes.cpp").write_text("double area(double r) { return 3.14 * r * r; }\n")
    reply = """`std::numbers::pi` is exact; it needs its header.

shapes.cpp
<<<<<<< SEARCH
double area(double r) { return 3.14 * r * r; }
=======
#include <numbers>

double area(double r) { return std::numbers::pi * r * r; }
>>>>>>> REPLACE
"""
    (folder / "replay.json").write_text(json.dumps({"turns": [{"reply": {
        "text": reply, "stop_reason": "end_turn", "usage": {"input": 912, "output": 71}}}]}))
    (folder / ".config/bodkin").mkdir(parents=True)
    (folder / ".config/bodkin/settings.json").write_text(
        json.dumps({"model": {"provider": "replay", "name": str(folder / "replay.json")}}))
    terminal = Terminal(folder, 84, 21, "PS1='$ ' exec bash --norc --noprofile", environment)
    terminal.wait("$")
    terminal.type('bodkin ask "use the exact constant" shapes.cpp', "Enter")
    terminal.wait("efine")
    return terminal


def nvim_terminal(folder, environment, nvim):
    shutil.copy(DEMO / "receipt.cpp", folder / "demo")
    environment["DEMO_SETTINGS"] = json.dumps({"model": {"provider": "replay", "name": str(DEMO / "replay.json")}})
    terminal = Terminal(folder, 100, 36, f"'{nvim}' -i NONE --cmd 'set background=light' -u '{DEMO}/init.lua'"
                        " -c 'hi SignColumn guibg=NONE' -c 'hi DiffText gui=bold guibg=#ffd0a0' receipt.cpp", environment)
    terminal.wait("Article parse")
    terminal.type(":17,25Bodkin ask Return nothing for a malformed line instead of throwing", "Enter")
    terminal.wait("clangd: no new errors")
    return terminal


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    nvim = sys.argv[2] if len(sys.argv) > 2 else "nvim"
    for name in ("ask", "nvim"):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "demo").mkdir()
            shutil.copy(DEMO / "compile_flags.txt", folder / "demo")
            environment = {"HOME": str(folder), "PATH": f"{program.parent}:{os.environ['PATH']}", "BODKIN": str(program),
                           "COLORTERM": "truecolor"}
            terminal = ask_terminal(folder, environment) if name == "ask" else nvim_terminal(folder, environment, nvim)
            terminal.save(f"{name}.svg")


if __name__ == "__main__":
    main()
