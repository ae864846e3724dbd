#!/usr/bin/env python3
"""Images, from what a user attaches in the editor, or names on the command line, to the request.

    images.py BODKIN

The request that arrives at a loopback server is compared field by field. The last line is the sum.
"""
import base64
import json
import pathlib
import subprocess
import tempfile
import zlib

from schema import fits
from server import TEXT, Answer, Raw, Tally, ask, head, program, environment


def png():
    def chunk(name, data):
        return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", b"\0\0\0\1\0\0\0\1\x08\2\0\0\0") + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0"))
            + chunk(b"IEND", b""))


FILES = {"a.png": ("image/png", png()), "b.jpg": ("image/jpeg", b"\xff\xd8\xff\xe0\0\x10JFIF\0"), "c.gif": ("image/gif", b"GIF89a\1\0\1\0"),
         "named.txt": ("image/webp", b"RIFF\x0a\0\0\0WEBPVP8 ")}


def sent(kind, data):
    """The image as each dialect has it."""
    text = base64.b64encode(data).decode()
    url = f"data:{kind};base64,{text}"
    return {"anthropic": {"type": "image", "source": {"type": "base64", "media_type": kind, "data": text}},
            "openai-chat": {"type": "image_url", "image_url": {"url": url}},
            "openai-responses": {"type": "input_image", "detail": "auto", "image_url": url},
            "gemini": {"inlineData": {"mimeType": kind, "data": text}},
            "ollama": text}


def images_in(dialect, body):
    """Of the last message, and its text."""
    if dialect == "ollama":
        return body["messages"][-1].get("images", []), body["messages"][-1]["content"]
    last = body["contents"][-1]["parts"] if dialect == "gemini" else \
        (body["input"] if dialect == "openai-responses" else body["messages"])[-1]["content"]
    if isinstance(last, str):
        return [], last
    plain = [{k: v for k, v in part.items() if k != "cache_control"} for part in last]
    return [p for p in plain if "text" not in p], "".join(p.get("text", "") for p in plain)


def server_for(dialect, capabilities=("completion", "tools", "vision")):
    begin, end = TEXT[dialect]

    def serve(connection, request, _):
        if b"/api/show" in request:
            connection.sendall(head(type_="application/json") + json.dumps({"capabilities": capabilities}).encode())
        else:
            connection.sendall(head(type_="application/x-ndjson" if dialect == "ollama" else "text/event-stream") + begin + end)
    return Raw(serve)


def asked(server):
    return [body for request, body in server.requests if b"/api/show" not in request and request.startswith(b"POST")]


def compare(dialect, body, names, text):
    images, words = images_in(dialect, body)
    wanted = [sent(*FILES[name])[dialect] for name in names]
    wrong = [] if images == wanted else [f"{json.dumps(images)[:300]} and not {json.dumps(wanted)[:300]}"]
    return wrong + ([] if text in words else [f"{text!r} is not in {words[:200]!r}"]) + fits(dialect, dialect, body)


def command_line(bodkin, folder, tally):
    request = {"model": "m", "messages": [{"role": "user", "content": "What is this?"}]}
    for dialect in TEXT:
        names = [name for name in FILES if dialect != "gemini" or name != "c.gif"]
        server = server_for(dialect)
        Answer(bodkin, dialect, server.endpoint, request, [word for name in names for word in ("--image", str(folder / name))])
        tally.add(f"complete/{dialect}", compare(dialect, asked(server)[0], names, "What is this?"))
        server.close()
    server = server_for("gemini")
    answer = Answer(bodkin, "gemini", server.endpoint, request, ["--image", str(folder / "c.gif")])
    wrong = [] if "does not accept GIF images: attach a PNG, JPEG or WebP image." in answer.error.get("message", "") else [answer.stdout]
    tally.add("complete/refused/gif-to-gemini", wrong + ["it was asked"] * bool(server.requests))
    server.close()
    for name, words in (("text.c", "is not a PNG, JPEG, GIF or WebP image."), ("large.png", "is larger than 3.75 MB"), ("none.png", "does not exist")):
        server = server_for("anthropic")
        answer = Answer(bodkin, "anthropic", server.endpoint, request, ["--image", str(folder / name)])
        wrong = [] if words in answer.error.get("message", "") else [answer.stdout]
        tally.add(f"complete/refused/{name}", wrong + ["it was asked"] * bool(server.requests))
        server.close()


def ask_in_the_terminal(bodkin, folder, tally):
    for name, words in (("a.png", ""), ("text.c", "is not a PNG, JPEG, GIF or WebP image"), ("none.png", "does not exist")):
        server = server_for("anthropic")
        with tempfile.TemporaryDirectory() as root:
            done = subprocess.run([bodkin, "ask", "--root", root, "--provider", "anthropic", "--endpoint", server.endpoint, "--model", "m",
                                   "--image", str(folder / name), "What is this?"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  timeout=60, env=environment(["anthropic"], HOME=root, XDG_CONFIG_HOME=root, XDG_STATE_HOME=root))
        if words:
            wrong = ([] if words in done.stderr else [done.stderr]) + ["it was asked"] * bool(asked(server))
        else:
            wrong = compare("anthropic", asked(server)[0], [name], "What is this?")
        tally.add(f"ask --image {name}", wrong)
        server.close()


def ask_about(bodkin, folder, dialect, server, attachments):
    return ask(bodkin, folder, dialect, server.endpoint, prompt="What is this?", profile="tools", attachments=attachments)[0]


def in_the_editor(bodkin, folder, tally):
    with tempfile.TemporaryDirectory() as elsewhere:
        outside = pathlib.Path(elsewhere) / "shot of the screen.png"
        outside.write_bytes(FILES["a.png"][1])
        for dialect in TEXT:
            server = server_for(dialect)
            end = ask_about(bodkin, folder, dialect, server, [outside.as_uri(), (folder / "named.txt").as_uri(), (folder / "text.c").as_uri()])
            wrong = [] if end["end"] == "answer" else [str(end)]
            tally.add(f"ask/{dialect}", wrong or compare(dialect, asked(server)[0], ["a.png", "named.txt"], "int x;"))
            server.close()
    for name, capabilities, attached, words in (
            ("takes-none", ["completion"], "a.png", "does not accept images: ask without a.png"),
            ("private", ["completion", "vision"], "secret/d.png", "secret/d.png is private and is never sent to a model."),
            ("too-large", ["completion", "vision"], "large.png", "is larger than 3.75 MB")):
        server = server_for("ollama", capabilities)
        end = ask_about(bodkin, folder, "ollama", server, [(folder / attached).as_uri()])
        wrong = [] if end["end"] == "failed" and words in end["message"] else [str(end)]
        tally.add(f"ask/refused/{name}", wrong + ["it was asked"] * bool(asked(server)))
        server.close()


def main():
    bodkin, tally = program(), Tally()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        for file, (_, data) in FILES.items():
            (folder / file).write_bytes(data)
        (folder / "text.c").write_text("int x;\n")
        (folder / "large.png").write_bytes(png() + bytes(3_750_000))
        (folder / "secret").mkdir()
        (folder / "secret" / "d.png").write_bytes(png())
        (folder / ".bodkinignore").write_text("secret/\n")
        command_line(bodkin, folder, tally)
        in_the_editor(bodkin, folder, tally)
        ask_in_the_terminal(bodkin, folder, tally)
    tally.end()


if __name__ == "__main__":
    main()
