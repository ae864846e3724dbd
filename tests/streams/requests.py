#!/usr/bin/env python3
"""What bodkin sends: against the requests that official SDKs sent for the same conversation, and against the forms that
each provider publishes (schemas.json: every body that is sent here).

    requests.py BODKIN            captured requests: $BODKIN_REQUESTS, if it is set

A captured request is FOLDER/<dialect>/<case>.json with `path`, `headers`, `body`. It is read into a conversation, sent
through `bodkin complete`, and both bodies are compared by what they mean. The last line is the sum.
"""
import base64
import json
import os
import pathlib

from schema import fits
from server import KEY, TEXT, TOOL, Answer, Raw, Tally, head, program

def blocks(content):
    return [{"type": "text", "text": content}] if isinstance(content, str) else content or []


# A body as a conversation: {"system", "messages": [(role, [block])], "tools", "max_tokens"}; echo is what must come back.
def read_anthropic(body):
    messages = []
    for message in body["messages"]:
        made = []
        for block in blocks(message["content"]):
            kind = block["type"]
            if kind == "text":
                made.append(("text", block["text"]))
            elif kind == "image":
                made.append(("image", block["source"]["media_type"], block["source"]["data"]))
            elif kind in ("thinking", "redacted_thinking"):
                made.append(("thinking", block.get("thinking", ""), block))
            elif kind == "tool_use":
                made.append(("call", block["id"], block["name"], block["input"], None))
            elif kind == "tool_result":
                text = "".join(b["text"] for b in blocks(block.get("content")))
                made.append(("result", block["tool_use_id"], "", text, bool(block.get("is_error"))))
        messages.append((message["role"], made))
    return messages, "".join(b["text"] for b in blocks(body.get("system"))), \
        [(t["name"], t.get("description", ""), t["input_schema"]) for t in body.get("tools", []) if "input_schema" in t], \
        body.get("max_tokens")


def read_chat(body):
    messages, system = [], ""
    for message in body["messages"]:
        role, made = message["role"], []
        if role in ("system", "developer"):
            system += message["content"]
            continue
        if role == "tool":
            made.append(("result", message["tool_call_id"], "", message["content"], None))
            if messages and messages[-1][0] == "user" and messages[-1][1][0][0] == "result":
                messages[-1][1].extend(made)
            else:
                messages.append(("user", made))
            continue
        echo = {k: message[k] for k in ("reasoning_content", "reasoning_details") if k in message}
        if echo:
            made.append(("thinking", echo.get("reasoning_content", ""), echo))
        for block in blocks(message.get("content")):
            if block["type"] == "text":
                made.append(("text", block["text"]))
            else:
                media, data = block["image_url"]["url"].removeprefix("data:").split(";base64,")
                made.append(("image", media, data))
        for call in message.get("tool_calls", []):
            made.append(("call", call["id"], call["function"]["name"], json.loads(call["function"]["arguments"]), None))
        messages.append((role, made))
    return messages, system, [(t["function"]["name"], t["function"].get("description", ""), t["function"]["parameters"])
                              for t in body.get("tools", [])], \
        body.get("max_completion_tokens", body.get("max_tokens"))


def read_responses(body):
    messages = []

    def add(role, block):
        if not messages or messages[-1][0] != role:
            messages.append((role, []))
        messages[-1][1].append(block)
    items = body["input"] if isinstance(body["input"], list) else [{"role": "user", "content": body["input"]}]
    for item in items:
        kind = item.get("type", "message")
        if kind == "reasoning":
            add("assistant", ("thinking", "", item))
        elif kind == "function_call":
            add("assistant", ("call", item["call_id"], item["name"], json.loads(item["arguments"]), item))
        elif kind == "function_call_output":
            add("user", ("result", item["call_id"], "", "".join(b["text"] for b in blocks(item["output"])), None))
        elif item["role"] == "assistant":
            text = "".join(b["text"] for b in blocks(item["content"]))
            add("assistant", ("text", text, item if "id" in item else None))
        else:
            for block in blocks(item["content"]):
                if block["type"] == "input_image":
                    add("user", ("image", *block["image_url"].removeprefix("data:").split(";base64,")))
                else:
                    add("user", ("text", block["text"]))
    return messages, body.get("instructions", ""), \
        [(t["name"], t.get("description", ""), t["parameters"]) for t in body.get("tools", []) if t["type"] == "function"], \
        body.get("max_output_tokens")


def read_gemini(body):
    messages = []
    for content in body["contents"]:
        made = []
        for part in content["parts"]:
            signature = part.get("thoughtSignature")
            if "text" in part:
                made.append(("text", part["text"]))
            elif "inlineData" in part:
                made.append(("image", part["inlineData"]["mimeType"], part["inlineData"]["data"]))
            elif "functionCall" in part:
                call = part["functionCall"]
                made.append(("call", call.get("id"), call["name"], call.get("args", {}),
                             {"thoughtSignature": signature} if signature else None))
            elif "functionResponse" in part:
                result = part["functionResponse"]
                made.append(("result", result.get("id"), result["name"],
                             result["response"].get("output", result["response"].get("error")), "error" in result["response"]))
        messages.append(("user" if content["role"] == "user" else "assistant", made))
    system = "".join(p["text"] for p in body.get("systemInstruction", {}).get("parts", []))
    return messages, system, \
        [(f["name"], f.get("description", ""), f.get("parametersJsonSchema", f.get("parameters")))
         for t in body.get("tools", []) for f in t.get("functionDeclarations", [])], \
        body.get("generationConfig", {}).get("maxOutputTokens")


def read_ollama(body):
    messages, system = [], ""
    for message in body["messages"]:
        role, made = message["role"], []
        if role == "system":
            system += message["content"]
            continue
        if role == "tool":
            result = ("result", message.get("tool_call_id"), message.get("tool_name", ""), message["content"], None)
            if messages and messages[-1][0] == "user" and messages[-1][1][0][0] == "result":
                messages[-1][1].append(result)
            else:
                messages.append(("user", [result]))
            continue
        if message.get("thinking"):
            made.append(("thinking", message["thinking"], None))
        if message.get("content"):
            made.append(("text", message["content"]))
        for image in message.get("images", []):
            made.append(("image", "image/png", image))
        for call in message.get("tool_calls", []):
            made.append(("call", call.get("id"), call["function"]["name"], call["function"]["arguments"], None))
        messages.append((role, made))
    return messages, system, [(t["function"]["name"], t["function"].get("description", ""), t["function"]["parameters"])
                              for t in body.get("tools", [])], body.get("options", {}).get("num_predict")


READ = {"anthropic": read_anthropic, "openai-chat": read_chat, "openai-responses": read_responses, "gemini": read_gemini,
        "ollama": read_ollama}


def ours(conversation):
    """The request of `bodkin complete` for a conversation."""
    messages, system, tools, max_tokens = conversation
    request = {"model": "test-model", "system": system, "messages": [],
               "tools": [{"name": n, "description": d, "parameters": p} for n, d, p in tools]}
    if max_tokens:
        request["max_tokens"] = max_tokens
    for role, parts in messages:
        content = []
        for part in parts:
            if part[0] == "text":
                block = {"type": "text", "text": part[1]}
                if len(part) > 2 and part[2]:
                    block["echo"] = part[2]
            elif part[0] == "image":
                block = {"type": "image", "media_type": part[1], "base64": part[2]}
            elif part[0] == "thinking":
                block = {"type": "thinking", "text": part[1]}
                if part[2]:
                    block["echo"] = part[2]
            elif part[0] == "call":
                block = {"type": "tool_call", "id": part[1], "name": part[2], "arguments": part[3]}
                if part[4]:
                    block["echo"] = part[4]
            else:
                block = {"type": "tool_result", "id": part[1], "name": part[2], "content": part[3], "is_error": bool(part[4])}
            content.append(block)
        request["messages"].append({"role": role, "content": content})
    return request


def send(bodkin, provider, dialect, request, options=()):
    """The head and the body that arrive, and what of the body no provider would take."""
    begin, end = TEXT[dialect]
    kind = "application/x-ndjson" if dialect == "ollama" else "text/event-stream"
    server = Raw(lambda connection, *_: connection.sendall(head(type_=kind) + begin + end))
    answer = Answer(bodkin, provider, server.endpoint, request, options)
    server.close()
    if not server.requests:
        raise ValueError(answer.stdout or answer.stderr)
    if len(server.requests) > 1:
        raise ValueError(f"{len(server.requests)} requests")
    (got, body), = server.requests
    return got.decode(), body, fits(provider, dialect, body)


def same(name, mine, theirs):
    return [] if mine == theirs else [f"{name}: {json.dumps(mine, ensure_ascii=False)[:300]} and not "
                                      f"{json.dumps(theirs, ensure_ascii=False)[:300]}"]


def without_flags(messages):
    """is_error is not in every provider's form."""
    return [[role, [list(p[:4]) if p[0] == "result" else list(p) for p in parts]] for role, parts in messages]


# What bodkin never asks for: forced tools, output schemas, other providers' tools, stored conversations, other requests.
NOT_OURS = ("models-list", "count-tokens", "chat-with-tools-openapi-schema", "version", "show", "structured-output", "tool-choice-forced", "custom-tool-grammar",
            "apply-patch-builtin", "followup-previous-response-id", "cached-content", "text-editor-tool", "strict-tool-eager",
            "mid-system", "org-project-headers")


def compare(bodkin, dialect, captured):
    read = READ[dialect]
    theirs = read(captured["body"])
    request = ours(theirs)
    request["model"] = captured["body"].get("model") or captured["path"].split("/models/")[1].split(":")[0]
    if not captured["body"].get("stream", "stream" in captured["path"]):
        request["stream"] = False
    options = []
    if version := captured["headers"].get("anthropic-version"):
        options = ["--api-version", version]
    got, body, unfit = send(bodkin, dialect, dialect, request, options)
    mine = read(body)
    wrong = same("messages", without_flags(mine[0]), without_flags(theirs[0])) + same("system", mine[1], theirs[1])
    wrong += same("tools", mine[2], theirs[2])
    if theirs[3]:
        wrong += same("max_tokens", mine[3], theirs[3])
    wrong += same("path", got.split(" ")[1], captured["path"])
    wrong += same("stream", bool(body.get("stream")), bool(captured["body"].get("stream")))
    wrong += same("version", [v for v in options if v != "--api-version" and v not in got], [])
    return wrong + unfit + ([] if KEY in got else ["the key was not sent"])


# Conversations of our own, so that a machine without captured requests tests the same.
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()
CALL = ("call", "call_1", "read_file", {"path": "a.cpp", "text": "é😀\n"}, None)
CONVERSATIONS = {
    "plain": ([("user", [("text", "Hé")])], "Be brief.", [], None),
    "limited": ([("user", [("text", "Hé")])], "", [], 77),
    "tools": ([("user", [("text", "x")])], "S", [(TOOL["name"], TOOL["description"], TOOL["parameters"])], None),
    "image": ([("user", [("text", "What?"), ("image", "image/png", PNG)])], "", [], None),
    "results": ([("user", [("text", "x")]), ("assistant", [("text", "I look."), CALL, ("call", "call_2", "read_file", {"path": "b"}, None)]),
                 ("user", [("result", "call_1", "read_file", "text", False), ("result", "call_2", "read_file", "no such file", True)])],
                "S", [(TOOL["name"], TOOL["description"], TOOL["parameters"])], None),
    "more-turns": ([("user", [("text", "a")]), ("assistant", [("text", "b")]), ("user", [("text", "c")])], "S", [], None),
}


def own(bodkin, dialect, name):
    conversation = CONVERSATIONS[name]
    _, body, unfit = send(bodkin, dialect, dialect, ours(conversation))
    messages, system, tools, max_tokens = READ[dialect](body)

    def plain(all_messages):  # the names of results, and whether there is an echo, differ by dialect
        return [[role, [[p[0], p[1], p[3]] if p[0] == "result" else list(p[:4])[:2 if p[0] == "text" else 4] for p in parts]]
                for role, parts in all_messages]
    wrong = same("messages", plain(messages), plain(conversation[0])) + same("system", system, conversation[1])
    wrong += same("tools", [list(t) for t in tools], [list(t) for t in conversation[2]])
    if conversation[3]:
        wrong += same("max_tokens", max_tokens, conversation[3])
    return wrong + unfit


def has(text, *parts):
    return [f"{part!r} is not in {text[:400]!r}" for part in parts if part not in text]


def particulars(bodkin, tally):
    """What single providers want."""
    tools = ours(CONVERSATIONS["results"])
    plain = ours(CONVERSATIONS["plain"])

    def body_of(provider, dialect, request, *options):
        got, body, unfit = send(bodkin, provider, dialect, request, options)
        tally.add(f"form/{provider}", unfit)
        return got, body, json.dumps(body, ensure_ascii=False)
    got, body, text = body_of("anthropic", "anthropic", tools)
    tally.add("anthropic/headers", has(got, "x-api-key: " + KEY, "anthropic-version: 2023-06-01"))
    tally.add("anthropic/no-sampling", [f for f in ("temperature", "top_p", "top_k") if f in body])
    tally.add("anthropic/cache-breakpoints", same("count", text.count("cache_control"), 2))
    tally.add("anthropic/results-in-one-message", same("roles", [m["role"] for m in body["messages"]], ["user", "assistant", "user"]))
    tally.add("anthropic/five-minutes", ["an hour, whose price is not known"] if "ttl" in text else [])
    got, body, text = body_of("anthropic", "anthropic", {**tools, "model": "claude-opus-5-5"})
    caches = [body["system"][0].get("cache_control"), body["messages"][-1]["content"][-1].get("cache_control")]
    tally.add("anthropic/an-hour", same("caches", caches, [{"type": "ephemeral", "ttl": "1h"}, {"type": "ephemeral"}]))
    got, body, text = body_of("anthropic", "anthropic", plain, "--api-version", "2026-10-21")
    tally.add("anthropic/version", has(got, "anthropic-version: 2026-10-21"))
    got, body, text = body_of("openai", "openai-responses", tools)
    tally.add("openai/stateless", same("store", body["store"], False) + has(text, "reasoning.encrypted_content"))
    tally.add("openai/cache-key", same("key", body["prompt_cache_key"].startswith("bodkin-"), True))
    again = body_of("openai", "openai-responses", {**tools, "messages": tools["messages"][:1]})[1]
    tally.add("openai/cache-key-stays", same("key", again["prompt_cache_key"], body["prompt_cache_key"]))
    items = [{"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x", "status": None, "content": None},
             {"type": "custom_tool_call", "id": "ct_1", "call_id": "c1", "name": "sql", "input": "x"},
             {"type": "apply_patch_call", "id": "ap_1", "call_id": "c2", "status": "completed",
              "operation": {"type": "delete_file", "path": "a"}},
             {"type": "message", "id": "m_1", "role": "assistant", "status": "completed", "phase": "commentary",
              "content": [{"type": "output_text", "text": "t", "annotations": [], "logprobs": []}]}]
    got, body, text = body_of("openai", "openai-responses", {**plain, "messages": [
        {"role": "user", "content": "x"}, {"role": "assistant", "content": [
            {"type": "thinking", "echo": items[0]}, {"type": "tool_call", "id": "c1", "name": "sql", "echo": items[1]},
            {"type": "tool_call", "id": "c2", "name": "apply_patch", "echo": items[2]}, {"type": "text", "text": "t", "echo": items[3]}]},
        {"role": "user", "content": [{"type": "tool_result", "id": "c1", "content": "r"}, {"type": "tool_result", "id": "c2", "content": "no", "is_error": True}]}]})
    tally.add("openai/items-come-back", same("items", body["input"][1:5], [
        {k: v for k, v in item.items() if v is not None} for item in items]) + same("failed", body["input"][-1].get("status"), "failed"))
    got, body, text = body_of("gemini", "gemini", plain, "--api-version", "v1beta")
    tally.add("gemini/v1beta", has(got, "/v1beta/models/test-model:streamGenerateContent?alt=sse", "x-goog-api-key: " + KEY))
    call = {"type": "tool_call", "name": "read_file", "arguments": {}, "id": "made-up", "echo": {"id": False, "thoughtSignature": "SIG"}}
    got, body, text = body_of("gemini", "gemini", {**plain, "messages": [
        {"role": "user", "content": "x"}, {"role": "assistant", "content": [call]},
        {"role": "user", "content": [{"type": "tool_result", "id": "made-up", "content": "r"}]}]})
    tally.add("gemini/signature-comes-back", has(text, '"thoughtSignature": "SIG"'))
    tally.add("gemini/made-up-id-stays-here", ["it was sent"] if "made-up" in text else [])
    for model, extra in (("gemini-3.8-flash", {"google": {"thought_signature": "skip_thought_signature_validator"}}), ("gemini-2.5-pro", None),
                         ("test-model", None)):
        body = send(bodkin, "openai-compatible", "openai-chat", {**tools, "model": model}, ())[1]  # the field is Google's, not OpenAI's
        calls = [call for message in body["messages"] for call in message.get("tool_calls", [])]
        tally.add(f"chat/signature-of/{model}", same("extra", [call.get("extra_content") for call in calls], [extra, None]))
    apart = {**tools, "messages": [*tools["messages"][:2], *({"role": "tool", "content": [b]} for b in tools["messages"][2]["content"])]}
    body_of("gemini", "gemini", apart)
    body_of("anthropic", "anthropic", apart)
    two = [{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}]
    got, body, text = body_of("deepseek", "openai-chat", {**plain, "messages": two})
    tally.add("deepseek/text-is-a-string", same("content", body["messages"][-1]["content"], "a\n\nb"))
    got, body, text = body_of("azure", "openai-chat", tools)
    tally.add("azure/v1-url", has(got, "POST /openai/v1/chat/completions ", "api-key: " + KEY))
    got, body, text = body_of("azure", "openai-chat", {**plain, "max_tokens": 9}, "--api-version", "2025-04-01-preview")
    tally.add("azure/deployment-url", has(got, "POST /openai/deployments/test-model/chat/completions?api-version=2025-04-01-preview ")
              + has(text, '"max_completion_tokens": 9'))
    for provider, dialect, where in (("anthropic", "anthropic", ()), ("openai-compatible", "openai-chat", ()), ("openai-responses", "openai-responses", ()),
                                     ("gemini", "gemini", ("generationConfig",)), ("ollama", "ollama", ("options",))):
        for given, wanted in ((0.25, 0.25), (None, None)):
            got, body, text = body_of(provider, dialect, {**plain, "temperature": given} if given else plain)
            for name in where:
                body = body.get(name, {})
            tally.add(dialect + "/temperature", same("temperature", body.get("temperature"), wanted))
    got, body, text = body_of("azure-responses", "openai-responses", tools)
    tally.add("azure-responses/url", has(got, "POST /openai/v1/responses ", "api-key: " + KEY))
    got, body, text = body_of("mistral", "openai-chat", tools)
    ids = [c["id"] for m in body["messages"] for c in m.get("tool_calls", [])]
    answered = [m["tool_call_id"] for m in body["messages"] if m["role"] == "tool"]
    tally.add("mistral/ids", same("answers", answered, ids) + [i for i in ids if len(i) != 9 or not i.isalnum()])
    tally.add("mistral/no-unknown-field", ["stream_options"] if "stream_options" in body else [])
    thought = {"type": "thinking", "text": "hm", "echo": {"reasoning_content": "hm"}}
    turn = [{"role": "user", "content": "x"}, {"role": "assistant", "content": [thought, {"type": "text", "text": "t"}]}, {"role": "user", "content": "y"}]
    got, body, text = body_of("deepseek", "openai-chat", {**plain, "messages": turn})
    tally.add("deepseek/no-reasoning-without-calls", ["it was sent"] if "reasoning_content" in text else [])
    turn[1]["content"].append({"type": "tool_call", "id": "c", "name": "read_file", "arguments": {}})
    turn[2] = {"role": "user", "content": [{"type": "tool_result", "id": "c", "content": "r"}]}
    got, body, text = body_of("deepseek", "openai-chat", {**plain, "messages": turn})
    tally.add("deepseek/reasoning-with-calls", has(text, '"reasoning_content": "hm"'))
    details = [{"type": "reasoning.text", "text": "hm", "signature": "S", "index": 0}]
    turn[1]["content"][0]["echo"] = {"reasoning_details": details}
    got, body, text = body_of("openrouter", "openai-chat", {**plain, "messages": turn})
    tally.add("openrouter/details-come-back", same("details", body["messages"][2].get("reasoning_details"), details))
    got, body, text = body_of("ollama", "ollama", plain)
    tally.add("ollama/num-ctx", same("num_ctx", body["options"]["num_ctx"], 32768))
    for dialect in READ:
        body = body_of(dialect, dialect, {**plain, "stream": False})[1]
        tally.add(f"{dialect}/not-streamed", same("stream", bool(body.get("stream")), False))


def foreign(bodkin, tally):
    """A conversation that began with other providers: their ids, echoes and empty texts are sent to none that refuses them."""
    long, odd = "call_" + "x" * 60, "functions.read_file:0"
    echoes = [{"reasoning_content": "hm"}, {"reasoning_details": [{"type": "reasoning.text", "text": "hm", "index": 0}]},
              {"type": "thinking", "thinking": "hm", "signature": "S"}, {"thoughtSignature": "U0lH"},
              {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"}]
    messages = [{"role": "user", "content": "x"}]
    for id_, echo in zip((odd, long, "toolu_01A", "", "c"), echoes):
        call = {"type": "tool_call", "id": id_ or "made_up", "name": "read_file", "arguments": {"path": "a"}}
        messages += [{"role": "assistant", "content": [{"type": "thinking", "text": "hm", "echo": echo}, {"type": "text", "text": "\n\n"}, call]},
                     {"role": "user", "content": [{"type": "tool_result", "id": call["id"], "name": "read_file", "content": ""},
                                                  {"type": "text", "text": "go on"}]}]
    request = {"model": "test-model", "system": "S", "tools": [TOOL], "messages": messages, "max_tokens": 5}
    for provider in ("anthropic", "openai-responses", "gemini", "ollama", "azure", "mistral", "groq", "deepseek", "openrouter"):
        dialect = provider if provider in READ else "openai-chat"
        tally.add(f"foreign/{provider}", send(bodkin, provider, dialect, request)[2])


def main():
    bodkin, tally = program(), Tally()
    for dialect in READ:
        for name in CONVERSATIONS:
            tally.add(f"own/{dialect}/{name}", own(bodkin, dialect, name))
    particulars(bodkin, tally)
    foreign(bodkin, tally)
    if folder := os.environ.get("BODKIN_REQUESTS"):
        for path in sorted(pathlib.Path(folder).glob("*/*.json")):
            dialect = path.parent.name.removesuffix("-2023-06-01")
            if path.stem not in NOT_OURS:
                tally.add(f"{path.parent.name}/{path.stem}", compare(bodkin, dialect, json.loads(path.read_text())))
    tally.end()


if __name__ == "__main__":
    main()
