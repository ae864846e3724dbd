"""Says what of a request body does not fit what its provider publishes (schemas.json).

Other than in JSON Schema, an object takes only the fields that are named, unless it is `open`.
"""
import json
import pathlib
import re

FORMS = json.loads((pathlib.Path(__file__).with_name("schemas.json")).read_text())
TYPES = {"string": str, "object": dict, "array": list, "boolean": bool, "integer": int,
         "number": (int, float), "null": type(None)}


def misfits(value, form, provider, path=""):
    """One sentence for each."""
    if isinstance(form, str):
        form = FORMS[form[1:]]
    if provider in form.get("not", []):
        yield f"{path} is no field of {provider}"
    if "any" in form:
        every = [list(misfits(value, each, provider, path)) for each in form["any"]]
        yield from [] if [] in every else min(every, key=len)
        return
    if "by" in form:
        word = value.get(form["by"], "") if isinstance(value, dict) else None
        if word not in form["forms"]:
            yield f"{path}: {form['by']} {word!r} is none of {list(form['forms'])}"
        else:
            yield from misfits(value, form["forms"][word], provider, f"{path}({word})")
        return
    kind = form.get("type")
    if kind and (not isinstance(value, TYPES[kind]) or kind in ("integer", "number") and isinstance(value, bool)):
        yield f"{path} is no {kind}: {json.dumps(value)[:100]}"
        return
    if "const" in form and value != form["const"] or "enum" in form and value not in form["enum"]:
        yield f"{path} is {json.dumps(value)[:100]}"
    if "minimum" in form and value < form["minimum"]:
        yield f"{path} is {value}, less than {form['minimum']}"
    if isinstance(value, str) and not (form.get("minLength", 0) <= len(value) <= form.get("maxLength", len(value))):
        yield f"{path} has {len(value)} letters"
    if "pattern" in form and not re.search(form["pattern"], value):
        yield f"{path} is {value[:100]!r}"
    if isinstance(value, list):
        if len(value) < form.get("minItems", 0):
            yield f"{path} is empty"
        for i, item in enumerate(value if "items" in form else []):
            yield from misfits(item, form["items"], provider, f"{path}[{i}]")
    if isinstance(value, dict):
        for name in form.get("required", []):
            if name not in value:
                yield f"{path}.{name} is missing"
        for name, inner in value.items():
            if name in form.get("properties", {}):
                yield from misfits(inner, form["properties"][name], provider, f"{path}.{name}")
            elif not form.get("open"):
                yield f"{path}.{name} is no field"


def fits(provider, dialect, body):
    """What is wrong with a body, by the forms and by the rules that no form can say."""
    return list(misfits(body, FORMS[dialect], provider)) or list(RULES[dialect](body))


def anthropic_rules(body):
    if json.dumps(body).count('"cache_control"') > 4:
        yield "more than four cache breakpoints"
    roles = [m["role"] for m in body["messages"]]
    if roles[0] != "user":
        yield "the first message is not the user's"
    if any(a == b for a, b in zip(roles, roles[1:])):
        yield "two messages of one role in a row"
    for before, after in zip(body["messages"], body["messages"][1:] + [{"content": []}]):
        calls = [b["id"] for b in before["content"] if b["type"] == "tool_use"]
        kinds = [b["type"] for b in after["content"]]
        if calls != [b["tool_use_id"] for b in after["content"] if b["type"] == "tool_result"]:
            yield f"the results do not answer the calls {calls}"
        if "tool_result" in kinds[kinds.count("tool_result"):]:
            yield "a result stands after something else"
        if len(set(calls)) < len(calls):
            yield "two calls of one id"


def chat_rules(body):
    if "stream_options" in body and not body.get("stream"):
        yield "stream_options without stream"
    if "tool_choice" in body and "tools" not in body:
        yield "tool_choice without tools"
    if "max_tokens" in body and "max_completion_tokens" in body:
        yield "two limits of tokens"
    open_calls = []
    for message in body["messages"]:
        if message["role"] != "tool" and open_calls:
            yield f"calls without result: {open_calls}"
            open_calls = []
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                yield f"a result without call: {message['tool_call_id']}"
            else:
                open_calls.remove(message["tool_call_id"])
        open_calls += [c["id"] for c in message.get("tool_calls", [])]
        for call in message.get("tool_calls", []):
            if not isinstance(json.loads(call["function"]["arguments"]), dict):
                yield "arguments are no object"


def responses_rules(body):
    if "tool_choice" in body and "tools" not in body:
        yield "tool_choice without tools"
    calls = [(i["type"] + "_output", i["call_id"]) for i in body["input"] if i.get("type", "").endswith("_call")]
    results = [(i["type"], i["call_id"]) for i in body["input"] if i.get("type", "").endswith("_output")]
    if sorted(calls) != sorted(results):
        yield f"calls {calls}, results {results}"
    for item, after in zip(body["input"], body["input"][1:] + [{}]):
        if item.get("type") == "reasoning" and not after.get("type", "message").endswith(
                ("message", "_call", "reasoning")):
            yield "reasoning without the item that it led to"


def gemini_rules(body):
    if body["contents"][0]["role"] != "user":
        yield "the first content is not the user's"
    if any(a["role"] == b["role"] for a, b in zip(body["contents"], body["contents"][1:])):
        yield "two contents of one role in a row"
    for before, after in zip(body["contents"], body["contents"][1:] + [{"parts": []}]):
        calls = [p["functionCall"]["name"] for p in before["parts"] if "functionCall" in p]
        results = [p["functionResponse"]["name"] for p in after["parts"] if "functionResponse" in p]
        if calls != results:
            yield f"calls {calls}, results {results}"


def ollama_rules(body):
    for message in body["messages"]:
        if message["role"] == "tool" and not message.get("tool_name"):
            yield "a result without the tool's name"


RULES = {"anthropic": anthropic_rules, "openai-chat": chat_rules, "openai-responses": responses_rules, "gemini": gemini_rules,
         "ollama": ollama_rules}
