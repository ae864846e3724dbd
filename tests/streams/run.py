#!/usr/bin/env python3
"""Plays recorded model streams to `bodkin complete` and compares what it makes of them.

    run.py BODKIN [FOLDER...]      default: this folder, and $BODKIN_TRANSCRIPTS if it is set

A recording is FOLDER/<dialect>/<case>.json: `responses` (status, headers, body_file or body, splits, close),
and `expect` (text, thinking, tool_calls, stop_reason in the provider's words, usage, error).
`class` in an expected error is our kind of it; $KEY in a body is the key that was sent. The server is in server.py: the
real HTTP, chunked at the recorded places. The last line is the sum.
"""
import json
import os
import pathlib
import sys
from concurrent.futures import ThreadPoolExecutor

from server import KEY, REQUEST, Answer, Player, Tally, program

HERE = pathlib.Path(__file__).resolve().parent


def stop_reasons(expect):
    """Ours for the provider's word."""
    word, calls = expect["stop_reason"], expect["tool_calls"]
    if expect.get("refusal"):
        return {"refusal"}
    if word in ("STOP", "stop", "completed", "end_turn", "stop_sequence", "tool_use", "tool_calls"):
        return {"tool_use"} if calls or word in ("tool_use", "tool_calls") else {"end_turn"}
    if word in ("length", "max_tokens", "MAX_TOKENS", "incomplete:max_output_tokens", "model_context_window_exceeded"):
        return {"max_tokens"}
    if word in ("refusal", "content_filter", "SAFETY", "RECITATION", "PROHIBITED_CONTENT", "incomplete:content_filter"):
        return {"refusal"}
    return {"other"}


def differences(got, expect, seen, stderr, code):
    def check(name, mine, theirs):
        if mine != theirs:
            yield f"{name}: {str(mine)[:200]!r} and not {str(theirs)[:200]!r}"
    if expect["text"] != got["text"] and expect["error"] is None or not got["text"].startswith(expect["text"]):
        yield f"text: {got['text'][:100]!r} and not {expect['text'][:100]!r}"
    yield from check("thinking", got["thinking"], expect["thinking"])
    yield from check("calls", [(c["name"], c["arguments"]) for c in got["tool_calls"]],
                     [(c["name"], c.get("arguments", c.get("operation"))) for c in expect["tool_calls"]])
    for mine, theirs in zip(got["tool_calls"], expect["tool_calls"]):
        if theirs.get("id") and mine["id"] != theirs["id"] or not mine["id"]:
            yield f"id: {mine['id']} and not {theirs['id']}"
    error = expect["error"]
    yield from check("exit", code, 1 if error else 0)
    if error:
        yield from check("error", (got["error"] or {}).get("kind"), error["type"])
        if "class" in error:
            yield from check("class", (got["error"] or {}).get("class"), error["class"])
        yield from check("status", (got["error"] or {}).get("status"),
                         error.get("http_status", (got["error"] or {}).get("status")))
        if error.get("message", "") not in (got["error"] or {}).get("message", ""):
            yield f"message: {got['error']['message']!r} lacks {error['message']!r}"
    else:
        yield from check("error", got["error"], None)
        if expect.get("refusal"):
            yield from check("refusal", got.get("refusal"), expect["refusal"])
        if got["stop_reason"] not in stop_reasons(expect):
            yield f"stop: {got['stop_reason']} for {expect['stop_reason']}"
    if expect["usage"]:
        usage = got["usage"]
        yield from check("usage", [usage["input"], usage["cache_read"], usage["cache_write"], usage["output"],
                                   usage["reasoning"]], list(expect["usage"].values()))
    if "attempts" in expect:
        yield from check("attempts", len(seen), expect["attempts"])
    if "min_wait_ms" in expect and len(seen) > 1 and (seen[1]["time"] - seen[0]["time"]) * 1000 < expect["min_wait_ms"]:
        yield "tried again too early"
    if KEY in json.dumps(got) or KEY in stderr:
        yield "the key is shown"
    if KEY not in json.dumps(seen[0]["headers"]):
        yield "the key was not sent"


def run(bodkin, server, dialect, case):
    _, manifest = server.cases[dialect, case]
    hangs = any(r.get("close") == "hang" and manifest["expect"]["error"] for r in manifest["responses"])
    try:
        answer = Answer(bodkin, manifest.get("provider", dialect), server.endpoint(dialect, case),
                        manifest.get("request", REQUEST), ["--idle-limit", "1"] if hangs else [])
    except ValueError as failure:
        return [f"no answer: {failure!r}"]
    if answer.reply is None:
        return ["no answer"]
    return list(differences(answer.reply, manifest["expect"], server.seen[dialect, case], answer.stderr, answer.code))


def main():
    bodkin, tally, server = program(), Tally(), Player()
    folders = [pathlib.Path(p) for p in sys.argv[2:]] or [HERE]
    if not sys.argv[2:] and os.environ.get("BODKIN_TRANSCRIPTS"):
        folders.append(pathlib.Path(os.environ["BODKIN_TRANSCRIPTS"]))
    for folder in folders:
        server.load(folder)
        with ThreadPoolExecutor(4) as pool:
            for (dialect, case), wrong in pool.map(lambda c: (c, run(bodkin, server, *c)), server.cases):
                tally.add(f"{dialect}/{case}", wrong)
    tally.end()


if __name__ == "__main__":
    main()
