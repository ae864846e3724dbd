#!/usr/bin/env python3
"""Servers that do all that a server can do wrong: bodkin says a clear error, stays small, and comes to an end.

    faults.py BODKIN

Each fault is played to `bodkin complete` in each dialect, with short limits. The last line is the sum.
"""
import gzip
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from server import KEY, TEXT, Answer, Raw, Tally, ask, environment, head, program, reset

MEMORY_MB = 100
TOO_LONG = 50  # seconds: far above what any limit here allows; a hang, not a slow machine
SHORT = ["--idle-limit", "1", "--progress-limit", "2"]
FLOOD = 1 << 30
BOMB = gzip.compress(bytes(64 << 20), 1)


def type_of(dialect):
    return "application/x-ndjson" if dialect == "ollama" else "text/event-stream"


def drip(connection, data, pause=0.3):
    for i in range(len(data)):
        connection.sendall(data[i:i + 1])
        time.sleep(pause)


def flood(connection, piece, size=FLOOD):
    block = piece * max(1, 65536 // len(piece))
    sent = 0
    while sent < size:
        connection.sendall(block)
        sent += len(block)


def hold(connection):
    connection.settimeout(120)
    while connection.recv(4096):
        pass


# Each: name, the kinds of error that are right, the server's part. `begin` is the dialect's first events, `end` its last.
FAULTS = []


def fault(*kinds):
    def add(serve):
        FAULTS.append((serve.__name__.replace("_", "-"), set(kinds), serve))
        return serve
    return add


@fault("timeout")
def never_answers(connection, dialect, begin, end):
    hold(connection)


@fault("timeout")
def never_ends(connection, dialect, begin, end):
    connection.sendall(head(type_=type_of(dialect)) + begin)
    hold(connection)


@fault("timeout")
def keepalives_for_ever(connection, dialect, begin, end):
    connection.sendall(head(type_=type_of(dialect)) + begin)
    while True:
        connection.sendall(b"\n" if dialect == "ollama" else b": keep-alive\n\n")
        time.sleep(0.1)


@fault("timeout")
def byte_by_byte(connection, dialect, begin, end):
    connection.sendall(head(type_=type_of(dialect)))
    drip(connection, (begin + end).replace(b"\n", b" "))


@fault("timeout")
def head_byte_by_byte(connection, dialect, begin, end):
    drip(connection, head(type_=type_of(dialect)))


@fault("network", "truncated")
def hangs_up_at_once(connection, dialect, begin, end):
    pass


@fault("network")
def resets_at_once(connection, dialect, begin, end):
    reset(connection)


@fault("network", "truncated", "protocol")
def ends_in_the_head(connection, dialect, begin, end):
    connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-ty")


@fault("network")
def resets_in_the_stream(connection, dialect, begin, end):
    connection.sendall(head(type_=type_of(dialect)) + begin)
    time.sleep(0.05)
    reset(connection)


@fault("truncated")
def ends_in_the_stream(connection, dialect, begin, end):
    connection.sendall(head(type_=type_of(dialect)) + begin)


@fault("truncated", "network")
def half_closes(connection, dialect, begin, end):
    connection.sendall(head(type_=type_of(dialect)) + begin)
    connection.shutdown(1)
    hold(connection)


@fault("network", "truncated")
def shorter_than_said(connection, dialect, begin, end):
    connection.sendall(head("200 OK", type_of(dialect), "content-length: 100000") + begin)


@fault("network", "protocol")
def chunks_are_garbage(connection, dialect, begin, end):
    connection.sendall(head("200 OK", type_of(dialect), "transfer-encoding: chunked") + b"zz\r\n" + begin)


@fault("network", "truncated")
def ends_in_a_chunk(connection, dialect, begin, end):
    connection.sendall(head("200 OK", type_of(dialect), "transfer-encoding: chunked") + b"ffff\r\n" + begin)


@fault("protocol")
def web_page(connection, dialect, begin, end):
    connection.sendall(head("200 OK", "text/html") + b"<html>Log in to the network</html>")


@fault("protocol")
def one_header_of_a_megabyte(connection, dialect, begin, end):
    connection.sendall(head("200 OK", type_of(dialect), "x: " + "y" * (1 << 20)) + begin + end)


@fault("protocol")
def redirects(connection, dialect, begin, end):
    connection.sendall(head("302 Found", "text/html", "location: http://elsewhere.invalid/?key=secret", "content-length: 0"))


@fault("protocol")
def speaks_no_http(connection, dialect, begin, end):
    connection.sendall(b"SSH-2.0-OpenSSH_9.2p1 Debian\r\n" * 20)


@fault("protocol")
def one_line_of_a_gigabyte(connection, dialect, begin, end):
    connection.sendall(head(type_=type_of(dialect)) + begin)
    flood(connection, b"x" * 65536)


@fault("protocol")
def text_of_a_gigabyte(connection, dialect, begin, end):
    connection.sendall(head(type_=type_of(dialect)))
    flood(connection, begin.replace(b'"ok"', b'"' + b"o" * 60000 + b'"'))


@fault("protocol", "timeout")
def keepalives_of_a_gigabyte(connection, dialect, begin, end):
    connection.sendall(head(type_=type_of(dialect)))
    flood(connection, b"\n" if dialect == "ollama" else b": keep-alive\n\n")


@fault("protocol")
def error_of_a_gigabyte(connection, dialect, begin, end):
    connection.sendall(head("400 Bad Request", "application/json"))
    flood(connection, b'{"error":{"message":"no"}}')


@fault("protocol")
def head_of_a_gigabyte(connection, dialect, begin, end):
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    flood(connection, b"x-header: " + b"y" * 1000 + b"\r\n")


@fault("protocol")
def compressed_bomb(connection, dialect, begin, end):
    connection.sendall(head("200 OK", type_of(dialect), "content-encoding: gzip") + BOMB)


@fault("protocol")
def nested_too_deep(connection, dialect, begin, end):
    line = (b"" if dialect == "ollama" else b"data: ") + b"[" * 5_000_000 + b"\n\n"
    connection.sendall(head(type_=type_of(dialect)) + line + end)


@fault("protocol")
def values_without_number(connection, dialect, begin, end):
    line = (b"" if dialect == "ollama" else b"data: ") + b'{"x":[' + b"{}," * 600_000 + b"{}]}\n\n"
    connection.sendall(head(type_=type_of(dialect)) + line + end)


# What is odd and no fault: the reply is read.
GOOD = []


def good(serve):
    GOOD.append((serve.__name__.replace("_", "-"), serve))
    return serve


@good
def interim_answers_first(connection, dialect, begin, end):
    connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" + head(type_=type_of(dialect)) + begin + end)


@good
def stays_open_after_the_end(connection, dialect, begin, end):
    connection.sendall(head("200 OK", type_of(dialect)) + begin + end)
    hold(connection)


@good
def resets_after_the_end(connection, dialect, begin, end):
    connection.sendall(head("200 OK", type_of(dialect)) + begin + end)
    time.sleep(0.05)
    reset(connection)


@good
def nul_bytes_in_comments(connection, dialect, begin, end):
    connection.sendall(head(type_=type_of(dialect)) + (b"\n" if dialect == "ollama" else b": \0\0\n\n") + begin + end)


@good
def compressed_though_not_asked(connection, dialect, begin, end):
    connection.sendall(head("200 OK", type_of(dialect), "content-encoding: gzip") + gzip.compress(begin + end))


def judge(answer, kinds):
    if answer.reply is None:
        return [f"no answer, exit {answer.code}: {answer.stderr[-200:]}"]
    wrong = []
    kind = answer.error.get("class")
    if kinds and kind not in kinds:
        wrong.append(f"{kind}: {answer.error.get('message')} (expected {sorted(kinds)})")
    if not kinds and (answer.error or answer.reply["text"] != "ok"):
        wrong.append(f"it is no fault: {answer.stdout[:300]}")
    if answer.error and len(answer.error["message"]) < 15:
        wrong.append(f"not a sentence: {answer.error['message']}")
    if answer.peak_mb > MEMORY_MB:
        wrong.append(f"{answer.peak_mb:.0f} MB")
    if answer.seconds > TOO_LONG:
        wrong.append(f"{answer.seconds:.0f} s")
    if KEY in answer.stdout + answer.stderr or "key=secret" in answer.stdout + answer.stderr:
        wrong.append("a secret is shown")
    return wrong


def play(bodkin, dialect, name, kinds, serve):
    begin, end = TEXT[dialect]
    server = Raw(lambda connection, *_: serve(connection, dialect, begin, end))
    try:
        answer = Answer(bodkin, dialect, server.endpoint, options=SHORT, timeout=TOO_LONG + 10)
        return f"{dialect}/{name}", judge(answer, kinds), answer.peak_mb
    finally:
        server.close()


BUNDLES = {"debian": "/etc/ssl/certs/ca-certificates.crt", "fedora": "/etc/pki/tls/certs/ca-bundle.crt",
           "suse": "/var/lib/ca-certificates/ca-bundle.pem"}


def on_system(system, folder, certificate, bodkin):
    """A program that starts bodkin where only that system's place for certificates exists, or None."""
    place, program = BUNDLES[system], os.path.join(folder, system)
    top = "/".join(place.split("/")[:2 + place.startswith("/var")])  # /etc, /var/lib
    with open(program, "w") as script:
        script.write(f"""#!/bin/sh
exec unshare --map-root-user --mount sh -c '
  mount -t tmpfs none /etc && {{ [ {top} = /etc ] || mount -t tmpfs none {top}; }} &&
  mkdir -p {os.path.dirname(place)} && cp {certificate} {place} && exec {os.path.abspath(bodkin)} "$@"' sh "$@"
""")
    os.chmod(program, 0o755)
    tried = subprocess.run([program, "--version"], capture_output=True)
    return program if tried.returncode == 0 else None


def tunnel(connection, request, port):
    """A company's proxy: CONNECT, then bytes both ways."""
    if not request.startswith(b"CONNECT models.example:443 "):
        return
    with socket.create_connection(("127.0.0.1", port)) as onward:
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        back = threading.Thread(target=pump, args=(onward, connection))
        back.start()
        pump(connection, onward)
        back.join()


def pump(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def certificates(bodkin, tally):
    """Certificates that must be refused, one that must not, and a plain server where TLS is expected."""
    folder = tempfile.mkdtemp()
    # All but the first are trusted, so that only what they are named for is wrong with them.
    for name in ("self-signed", "another-host", "expired", "plain-server", "trusted", "trusted-in-a-folder",
                 "trusted-as-curl-does", *(f"trusted-on-{system}" for system in BUNDLES), "trusted-behind-a-proxy"):
        key, certificate = os.path.join(folder, name + ".key"), os.path.join(folder, name + ".crt")
        host = {"another-host": "DNS:elsewhere.example", "trusted-behind-a-proxy": "DNS:models.example"}.get(name, "IP:127.0.0.1")
        subprocess.run(["openssl", "req", "-new", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=test", "-addext",
                        "subjectAltName=" + host, "-keyout", key, "-out", key + ".csr"], capture_output=True, check=True)
        subprocess.run(["openssl", "x509", "-req", "-in", key + ".csr", "-signkey", key, "-copy_extensions", "copyall", "-days",
                        "-1" if name == "expired" else "1", "-out", certificate], capture_output=True, check=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        wrap = None if name == "plain-server" else lambda c: context.wrap_socket(c, server_side=True)  # noqa: B023
        server = Raw(lambda connection, *_: connection.sendall(head() + b"".join(TEXT["openai-chat"])), wrap=wrap,
                     read=name != "plain-server")
        trust = {} if name == "self-signed" else {"SSL_CERT_FILE": certificate}
        if name == "trusted-in-a-folder":  # where OpenSSL looks for it by a hash of its subject
            named = subprocess.run(["openssl", "x509", "-hash", "-noout", "-in", certificate], capture_output=True, check=True).stdout
            trust = {"SSL_CERT_FILE": "", "SSL_CERT_DIR": os.path.join(folder, "hashed")}
            os.mkdir(trust["SSL_CERT_DIR"])
            shutil.copy(certificate, os.path.join(trust["SSL_CERT_DIR"], named.decode().strip() + ".0"))
        program, endpoint, proxy = bodkin, f"https://127.0.0.1:{server.port}", None
        if name == "trusted-as-curl-does":
            trust = {"SSL_CERT_FILE": "", "SSL_CERT_DIR": "", "CURL_CA_BUNDLE": certificate}
        if name.startswith("trusted-on-"):
            trust = dict.fromkeys(("SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE"), "")
            program = on_system(name.removeprefix("trusted-on-"), folder, certificate, bodkin)
            if not program:
                tally.skip(f"tls/{name}", "namespaces cannot be created here")
                server.close()
                continue
        if name == "trusted-behind-a-proxy":
            proxy = Raw(lambda connection, request, *_: tunnel(connection, request, server.port))  # noqa: B023
            trust["HTTPS_PROXY"], endpoint = proxy.endpoint, "https://models.example"
        answer = Answer(program, "openai-chat", endpoint, options=SHORT,
                        env=environment(["openai-chat"], **trust), timeout=TOO_LONG)
        if proxy:
            proxy.close()
        tally.add(f"tls/{name}", judge(answer, set() if name.startswith("trusted") else {"network", "protocol"}))
        server.close()
    shutil.rmtree(folder)


def addresses(bodkin, tally):
    """Where no server is."""
    unused = Raw(lambda *_: None)
    unused.close()
    for name, endpoint, kinds in (("nothing-listens", unused.endpoint, {"network"}),
                                  ("no-such-host", "http://bodkin-test.invalid:1", {"network", "timeout"}),
                                  ("no-url", "ftp://127.0.0.1/", {"no_model"}),
                                  ("odd-port", "http://127.0.0.1:99999", {"no_model"})):
        tally.add(f"address/{name}", judge(Answer(bodkin, "openai-compatible", endpoint, options=SHORT, timeout=TOO_LONG), kinds))


def local_places(bodkin, tally):
    """`auto` asks the usual places of local servers side by side, for 300 ms in all, though what listens there says nothing,
    or only one speaks."""
    def silent(connection, *_):
        hold(connection)

    def ollama(connection, request, _):
        path = request.split(b" ")[1]
        bodies = {b"/api/version": b'{"version":"1"}', b"/api/tags": b'{"models":[{"name":"m"}]}'}
        if path in bodies:
            connection.sendall(head(type_="application/json") + bodies[path])
        else:
            asked.append(time.monotonic())
            connection.sendall(head(type_="application/x-ndjson") + b"".join(TEXT["ollama"]))
    for name, first in (("all-silent", silent), ("one-answers", ollama)):
        servers, asked = [], []
        try:
            for port, serve in ((11434, first), (1234, silent), (8080, silent), (8000, silent)):
                servers.append(Raw(serve, port=port))
        except OSError:
            tally.skip(f"local/{name}", "a port is taken")
        else:
            begun = time.monotonic()
            answer = Answer(bodkin, "auto", "", request={"messages": [{"role": "user", "content": "x"}]}, env=environment())
            took = (asked[0] if asked else time.monotonic()) - begun
            right = answer.reply["text"] == "ok" if asked else answer.error.get("message", "").startswith("No model: set ")
            # 0.3 s each, one after the other, would be 1.2; the program's own start is in it.
            tally.add(f"local/{name}", [] if right and took < 1.1 else [f"{took * 1000:.0f} ms: {answer.stdout}"])
        for server in servers:
            server.close()


def no_second_contact(bodkin, tally):
    """A redirect is not followed: the key goes to no other host."""
    other = Raw(lambda connection, *_: connection.sendall(head() + b"".join(TEXT["openai-chat"])))
    for status in ("301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"):
        server = Raw(lambda connection, *_: connection.sendall(  # noqa: B023
            head(status, "text/plain", f"location: {other.endpoint}/v1", "content-length: 0")))  # noqa: B023
        answer = Answer(bodkin, "openai-chat", server.endpoint, options=SHORT, timeout=TOO_LONG)
        tally.add(f"redirect/{status[:3]}", judge(answer, {"protocol"}) + (["it was followed"] if other.requests else []))
        server.close()
    other.close()


def in_the_editor(bodkin, tally):
    """The language server stays small, too, and lives on."""
    large = [(name, serve) for name, _, serve in FAULTS if "gigabyte" in name or name in (
        "compressed-bomb", "nested-too-deep", "values-without-number")]
    peaks = {}
    for dialect in TEXT:
        begin, end = TEXT[dialect]
        for name, serve in large:
            server = Raw(lambda connection, *_: serve(connection, dialect, begin, end))  # noqa: B023
            with tempfile.TemporaryDirectory() as folder:
                outcome, peaks[f"{dialect}/{name}"] = ask(bodkin, folder, dialect, server.endpoint, prompt="x", profile="explain")
            server.close()
            wrong = [] if outcome["end"] == "failed" and len(outcome["message"]) >= 15 else [str(outcome)]
            tally.add(f"editor/{dialect}/{name}", wrong + [f"{peaks[f'{dialect}/{name}']:.0f} MB"] *
                      (peaks[f"{dialect}/{name}"] > MEMORY_MB))
    print_greatest("the language server", peaks)


def print_greatest(whose, peaks):
    print(f"{whose}: at most {max(peaks.values()):.0f} MB ({max(peaks, key=peaks.get)})")


def main():
    bodkin, tally = program(), Tally()
    plays = [(bodkin, dialect, name, kinds, serve) for dialect in TEXT for name, kinds, serve in FAULTS]
    plays += [(bodkin, dialect, name, set(), serve) for dialect in TEXT for name, serve in GOOD]
    peaks = {}
    with ThreadPoolExecutor(6) as pool:
        for name, wrong, peaks[name] in pool.map(lambda p: play(*p), plays):
            tally.add(name, wrong)
    print_greatest("bodkin complete", peaks)
    certificates(bodkin, tally)
    addresses(bodkin, tally)
    local_places(bodkin, tally)
    no_second_contact(bodkin, tally)
    in_the_editor(bodkin, tally)
    tally.end()


if __name__ == "__main__":
    main()
