#!/usr/bin/env python3
"""A whole ask in the editor, in each dialect: the model thinks and calls a tool, gets the result, and answers. Both
requests are held against what the provider publishes, and what must be echoed is looked for.

    ask.py BODKIN
"""
import json
import os
import pathlib
import subprocess
import tempfile

from schema import fits
from server import TEXT, Raw, Tally, ask, head, program


def sse(*events):
    return b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)


ARGUMENTS = json.dumps({"path": "a.c"})
REASONING = {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": "ECHO-ME"}
CALL = {"id": "fc_1", "type": "function_call", "status": "completed", "call_id": "call_1", "name": "read_file", "arguments": ARGUMENTS}
# A reply that thinks and calls read_file; what the next request must bring back, if anything.
TURN = {
    "anthropic": (sse({"type": "message_start", "message": {"usage": {"input_tokens": 3, "output_tokens": 1}}},
                      {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}},
                      {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
                      {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "ECHO-ME"}},
                      {"type": "content_block_stop", "index": 0},
                      {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "toolu_1", "name": "read_file", "input": {}}},
                      {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": ARGUMENTS}},
                      {"type": "content_block_stop", "index": 1},
                      {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}}, {"type": "message_stop"}),
                  '"signature": "ECHO-ME"'),
    "openai-chat": (sse({"choices": [{"index": 0, "delta": {"reasoning_content": "ECHO-ME"}}]},
                        {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {
                            "name": "read_file", "arguments": ARGUMENTS}}]}}]},
                        {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}), '"reasoning_content": "ECHO-ME"'),
    "openai-responses": (sse({"type": "response.output_item.done", "output_index": 0, "item": REASONING},
                             {"type": "response.output_item.done", "output_index": 1, "item": CALL},
                             {"type": "response.completed", "response": {"status": "completed", "output": [REASONING, CALL], "usage": {}}}),
                         '"encrypted_content": "ECHO-ME"'),
    "gemini": (sse({"candidates": [{"content": {"parts": [{"text": "hm", "thought": True}]}}]},
                   {"candidates": [{"content": {"parts": [{"functionCall": {"name": "read_file", "args": {"path": "a.c"}},
                                                           "thoughtSignature": "ECHO-ME"}]}, "finishReason": "STOP"}]}),
               '"thoughtSignature": "ECHO-ME"'),
    "ollama": (json.dumps({"message": {"role": "assistant", "content": "", "thinking": "hm", "tool_calls": [
        {"function": {"name": "read_file", "arguments": {"path": "a.c"}}}]}, "done": False}).encode() + b"\n" + TEXT["ollama"][1], '"thinking": "hm"'),
}


def played(dialect, answer):
    """A server, and the bodies that it is asked with. `answer(bodies)`: a whole response, or the body of a good one."""
    kind = "application/x-ndjson" if dialect == "ollama" else "text/event-stream"
    asked = []

    def serve(connection, request, body):
        if not request.startswith(b"POST") or b"/api/show" in request:
            return connection.sendall(head("404 Not Found"))
        asked.append(body)
        made = answer(asked)
        connection.sendall(made if made.startswith(b"HTTP/") else head(type_=kind) + made)
    return Raw(serve), asked


def bodies_of(bodkin, dialect):
    """The requests of an ask, and how it ended."""
    server, asked = played(dialect, lambda bodies: TURN[dialect][0] if len(bodies) == 1 else b"".join(TEXT[dialect]))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        (folder / "a.c").write_text("int x;\n")
        end, _ = ask(bodkin, folder, dialect, server.endpoint, prompt="What is x?")
    server.close()
    return asked, end


def on_the_command_line(bodkin, endpoint, **settings):
    """The end of an ask, and all that was said."""
    with tempfile.TemporaryDirectory() as name:
        os.mkdir(name + "/bodkin")
        pathlib.Path(name + "/bodkin/settings.json").write_text(json.dumps({"bodkin." + key: value for key, value in settings.items()}))
        done = subprocess.run([bodkin, "ask", "--json", "--root", name, "--provider", "openai-compatible", "--endpoint", endpoint + "/v1",
                               "--model", "test", "What is x?"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                              env=dict(os.environ, XDG_CONFIG_HOME=name))  # no settings of whoever runs this
    return json.loads(done.stdout.splitlines()[-1]), done.stdout


def overloaded(bodkin, bad, count, wanted, part, least=0, most=10**9, **settings):
    """A server that answers so `count` times: how the ask ends, with which words, after how many requests."""
    server, asked = played("openai-chat", lambda bodies: bad if len(bodies) <= count else b"".join(TEXT["openai-chat"]))
    end, told = on_the_command_line(bodkin, server.endpoint, **settings)
    server.close()
    is_fine = end["end"] == wanted and part in told and least <= len(asked) <= most
    return [] if is_fine else [f"{len(asked)} requests: {told[-1000:]}"]


def behind_v1(bodkin, has_own_api):
    """The paths that an Ollama is asked at as an OpenAI-compatible server, the body, and what the user was told."""
    paths, bodies = [], []
    known = {"/v1/models": {"data": [{"id": "test", "owned_by": "library"}]}, "/api/version": {"version": "0.1.2"}}
    if has_own_api:
        known.update({"/api/tags": {"models": [{"name": "test"}]},
                      "/api/show": {"capabilities": ["tools"], "model_info": {"a.context_length": 20000}}})

    def serve(connection, request, body):
        path = request.split(b" ")[1].decode()
        if path in known:
            return connection.sendall(head(type_="application/json") + json.dumps(known[path]).encode())
        if not request.startswith(b"POST"):
            return connection.sendall(head("404 Not Found"))
        paths.append(path)
        bodies.append(body)
        is_own = path == "/api/chat"
        connection.sendall(head(type_="application/x-ndjson" if is_own else "text/event-stream") + b"".join(TEXT["ollama" if is_own else "openai-chat"]))
    server = Raw(serve)
    end, told = on_the_command_line(bodkin, server.endpoint)
    server.close()
    wrong = [] if end["end"] == "answer" and end["answer"] == "ok" else [str(end)]
    if has_own_api and (paths != ["/api/chat"] or bodies[0]["options"]["num_ctx"] != 20000):
        wrong.append(f"asked at {paths}: {json.dumps(bodies)[-500:]}")
    if not has_own_api and (paths != ["/v1/chat/completions"] or "cuts prompts" not in str(told)):
        wrong.append(f"asked at {paths}; told {told}")
    return wrong


# What an effort is to a provider: the part of the body that says it, for this model.
EFFORTS = [
    ("anthropic", "claude-opus-5-5", "auto", {"thinking": {"type": "adaptive", "display": "summarized"}, "output_config": None}),
    ("anthropic", "claude-opus-5-5", "max", {"thinking": {"type": "adaptive", "display": "summarized"}, "output_config": {"effort": "max"}}),
    ("anthropic", "claude-opus-5-5", "none", {"thinking": {"type": "adaptive", "display": "summarized"}, "output_config": {"effort": "low"}}),
    ("anthropic", "claude-haiku-5-5", "none", {"thinking": {"type": "disabled"}}),
    ("anthropic", "claude-sonnet-5-5", "none", {"thinking": {"type": "between_tools"}}),
    ("anthropic", "claude-opus-4-8", "auto", {"thinking": None, "output_config": None}),
    ("anthropic", "claude-haiku-4-5", "auto", {"thinking": None, "output_config": None}),
    ("openai-responses", "gpt-6.2-sol", "auto", {"reasoning": {"summary": "auto"}}),
    ("openai-responses", "gpt-6.2-sol", "high", {"reasoning": {"summary": "auto", "effort": "high"}}),
    ("openai-responses", "gpt-4.1", "auto", {"reasoning": None}),
    ("openai-chat", "gpt-5", "none", {"reasoning_effort": "minimal"}),
    ("openai-chat", "some-model", "auto", {"reasoning_effort": None}),
    ("openai-chat", "some-model", "medium", {"reasoning_effort": "medium"}),
    ("gemini", "gemini-3.8-flash", "auto", {"generationConfig": {"thinkingConfig": {"includeThoughts": True}}}),
    ("gemini", "gemini-3.8-flash", "low", {"generationConfig": {"thinkingConfig": {"includeThoughts": True, "thinkingLevel": "low"}}}),
    ("gemini", "gemini-2.5-flash", "none", {"generationConfig": {"thinkingConfig": {"includeThoughts": False, "thinkingBudget": 0}}}),
    ("gemini", "gemini-2.0-flash", "auto", {"generationConfig": None}),
    ("ollama", "qwen3", "auto", {"think": None}),
    ("ollama", "qwen3", "high", {"think": True}),
    ("ollama", "gpt-oss:20b", "max", {"think": "high"}),
]


def effort(bodkin, dialect, model, value, wanted, refuses=False):
    """What is sent for it; a server that `refuses` it is asked without, and the user is told if it was chosen."""
    refusal = head("400 Bad Request", "application/json") + b'{"error":{"message":"This model has no reasoning effort."}}'
    server, asked = played(dialect, lambda bodies: refusal if refuses and any(name in bodies[-1] for name in wanted) else b"".join(TEXT[dialect]))
    with tempfile.TemporaryDirectory() as name:
        os.mkdir(name + "/bodkin")
        pathlib.Path(name + "/bodkin/settings.json").write_text(json.dumps({"bodkin.model.effort": value}))
        done = subprocess.run([bodkin, "ask", "--json", "--root", name, "--provider", dialect, "--endpoint", server.endpoint, "--model", model,
                               *([] if refuses else ["--effort", value]), "What is x?"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=60, env=dict(os.environ, XDG_CONFIG_HOME=name))
    server.close()
    told = "does not take the effort" in done.stdout
    if refuses:
        fine = len(asked) == 2 and not any(name in asked[1] for name in wanted) and told == (value != "auto")
    else:
        fine = len(asked) == 1 and all(asked[0].get(name) == part for name, part in wanted.items()) and not told
    wrong = [] if fine and json.loads(done.stdout.splitlines()[-1])["end"] == "answer" else [json.dumps(asked)[-500:] + done.stdout[-500:]]
    return wrong + [each for body in asked for each in fits(dialect, dialect, body)]


def says_of_itself(bodkin, dialect, model, listed, wanted):
    """What a server's list says of a model counts more than the table: the parts of the request that follow from it."""
    asked = []

    def serve(connection, request, body):
        if request.startswith(b"POST"):
            asked.append(body)
        connection.sendall(head() + b"".join(TEXT[dialect]) if request.startswith(b"POST") else
                           head(type_="application/json") + json.dumps(listed).encode())
    server = Raw(serve)
    with tempfile.TemporaryDirectory() as name:
        subprocess.run([bodkin, "ask", "--json", "--root", name, "--provider", dialect, "--endpoint", server.endpoint, "--model", model, "What is x?"],
                       stdin=subprocess.DEVNULL, capture_output=True, timeout=60, env=dict(os.environ, XDG_CONFIG_HOME=name))
    server.close()
    return [] if len(asked) == 1 and all(asked[0].get(key) == part for key, part in wanted.items()) else [json.dumps(asked)[:500]]


LISTS = [
    ("anthropic", "claude-opus-5-5", {"data": [{"id": "claude-opus-5-5", "max_tokens": 5000, "capabilities": {"thinking": {"supported": False}}}]},
     {"max_tokens": 5000, "thinking": None}),
    ("anthropic", "claude-opus-5-5", {"data": [{"id": "another", "max_tokens": 5000}]}, {"max_tokens": 32000}),
    ("gemini", "gemini-3.8-flash", {"models": [{"name": "models/gemini-3.8-flash", "thinking": False}]}, {"generationConfig": None}),
]


def main():
    bodkin, tally = program(), Tally()
    for dialect, model, value, wanted in EFFORTS:
        tally.add(f"effort {value} of {model}", effort(bodkin, dialect, model, value, wanted))
    for row in LISTS:
        tally.add(f"what is listed of {row[1]}: {row[3]}", says_of_itself(bodkin, *row))
    for value in ("auto", "high"):
        tally.add(f"effort {value} that is refused", effort(bodkin, "openai-responses", "o9", value, {"reasoning": None}, refuses=True))
    for has_own_api in (True, False):
        tally.add(f"ollama behind /v1, {'with' if has_own_api else 'without'} its own API", behind_v1(bodkin, has_own_api))
    def busy(status, *headers):
        return head(status, "application/json", *headers) + b'{"error":{"message":"busy"}}'
    soon, hour, never = busy("529 Busy", "retry-after-ms: 20"), busy("429 Slow", "retry-after: 3600"), busy("503 Busy", "retry-after-ms: 300")
    stream = head() + b'data: {"error":{"message":"Overloaded","code":503}}\n\n'
    tally.add("waited out", overloaded(bodkin, soon, 7, "answer", "trying again in 1 s", 8, 8))
    tally.add("waited out in a stream", overloaded(bodkin, stream, 3, "answer", "trying again in", 4, 4))
    tally.add("an hour is not waited", overloaded(bodkin, hour, 9, "failed", "It asks to wait for 3600 s", 1, 1))
    tally.add("until the setting's time", overloaded(bodkin, never, 99, "failed", "busy", 4, 6, **{"model.retrySeconds": 1.5}))
    tally.add("as the SDKs", overloaded(bodkin, soon, 99, "failed", "busy", 3, 3, **{"model.retrySeconds": 0}))
    no_tools = head("500 No", "application/json") + b'{"error":{"code":500,"message":"tools param requires --jinja flag"}}'
    tally.add("tools refused with status 500", overloaded(bodkin, no_tools, 1, "answer", "takes no tool calls", 2, 2))
    for dialect, (_, echo) in TURN.items():
        bodies, end = bodies_of(bodkin, dialect)
        wrong = [] if end["end"] == "answer" and end["message"] == "ok" and len(bodies) == 2 else [f"{len(bodies)} requests: {end}"]
        for body in bodies:
            wrong += fits(dialect, dialect, body)
            wrong += [] if len(body["tools"][0].get("functionDeclarations", body["tools"])) > 3 else ["the tools are not there"]
        last = json.dumps(bodies[-1])
        wrong += [f"{what} is not in {last[-600:]}" for what in (echo, "int x;") if what not in last]
        tally.add(f"ask/{dialect}", wrong)
    tally.end()


if __name__ == "__main__":
    main()
