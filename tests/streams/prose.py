#!/usr/bin/env python3
"""200 answers that only explain the markup of tool calls and thoughts: no call is made, nothing is told to be wrong, and
every word stays one.

    prose.py BODKIN

Each form stands in each frame, as people are answered who ask about parsers, chat templates and servers. The last line is
the sum.
"""
import json
import os
import pathlib
import subprocess
import tempfile

from server import Raw, Tally, head, program

ARGUMENTS = '{"path": "lamp.py"}'
FENCE = "```"
# Name of who writes so, an opening mark, and a whole example: of calls that fit a tool that is offered, and of thoughts.
FORMS = [
    ("Hermes", "<tool_call>", '<tool_call>\n{"name": "read_file", "arguments": ' + ARGUMENTS + "}\n</tool_call>"),
    ("Qwen3-Coder", "<function=read_file>", "<tool_call>\n<function=read_file>\n<parameter=path>\nlamp.py\n</parameter>\n</function>\n</tool_call>"),
    ("Mistral", "[TOOL_CALLS]", "[TOOL_CALLS]read_file[ARGS]" + ARGUMENTS),
    ("gpt-oss", "<|channel|>commentary", "<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>" + ARGUMENTS + "<|call|>"),
    ("Claude", "<invoke name=\"read_file\">",
     "<function_calls>\n<invoke name=\"read_file\">\n<parameter name=\"path\">lamp.py</parameter>\n</invoke>\n</function_calls>"),
    ("Kimi K2", "<|tool_calls_section_begin|>", "<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>"
     + ARGUMENTS + "<|tool_call_end|><|tool_calls_section_end|>"),
    ("GLM", "<arg_key>", "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>lamp.py</arg_value>\n</tool_call>"),
    ("Llama 3", "<|python_tag|>", '<|python_tag|>{"name": "read_file", "parameters": ' + ARGUMENTS + "}"),
    ("DeepSeek", "<\uff5ctool\u2581calls\u2581begin\uff5c>", "<\uff5ctool\u2581calls\u2581begin\uff5c><\uff5ctool\u2581call\u2581begin\uff5c>read_file"
     "<\uff5ctool\u2581sep\uff5c>" + ARGUMENTS + "<\uff5ctool\u2581call\u2581end\uff5c><\uff5ctool\u2581calls\u2581end\uff5c>"),
    ("MiniMax", "<minimax:tool_call>", "<minimax:tool_call>\n<invoke name=\"read_file\">\n<parameter name=\"path\">lamp.py</parameter>\n</invoke>\n</minimax:tool_call>"),
    ("Gemma", "tool_code", FENCE + "tool_code\nprint(read_file(path=\"lamp.py\"))\n" + FENCE),
    ("A model without a parser", '{"name": …}', FENCE + 'json\n{"name": "read_file", "arguments": ' + ARGUMENTS + "}\n" + FENCE),
    ("R1", "<think>", "<think>\nThe file must be read first.\n</think>"),
    ("Magistral", "[THINK]", "[THINK]The file must be read first.[/THINK]"),
    ("gpt-oss with its tokens", "<|channel|>analysis", "<|channel|>analysis<|message|>The file must be read first.<|end|>"),
    ("Seed-OSS", "<seed:think>", "<seed:think>\nThe file must be read first.\n</seed:think>"),
]
# {who}, {mark}, {form}, and {quoted}: the form in a fence of its own.
FRAMES = [
    "{who} does not use the API's field for this. It writes it into its text, and the server has to find it there:\n\n{quoted}\n\n"
    "If no parser is chosen, that is what you see.",
    "The opening mark of {who} is `{mark}`. A parser that streams has to hold back everything from there on until it knows "
    "whether the mark is complete, or half of it reaches the person.",
    "Your log shows the problem. The line\n\n> {mark}\n\nis where {who} begins, and vLLM was started without `--tool-call-parser` "
    "and `--reasoning-parser`, so both are left in `content`.",
    "There are three ways to go about it.\n\n1. Start vLLM with `--enable-auto-tool-choice` and the parser for {who}.\n"
    "2. Replace the chat template: it decides whether {mark} is written at all.\n3. Parse `{mark}` yourself, which breaks as soon "
    "as a file holds the mark.\n\nI would take the first.",
    "The markup differs between models. For example, {who} writes\n\n{form}\n\nwhere others have the field `tool_calls`.",
    "| model | begins with |\n|---|---|\n| {who} | `{mark}` |\n| others | a field of the reply |\n\nOnly the first needs a parser in SGLang.",
    "In the tests I would keep one recording for each model, and cut it at every byte:\n\n```python\nCASES = {{\n    \"{who}\": '''{form}''',\n}}\n```\n\n"
    "A reader that finds `{mark}` only when it comes in one piece fails the second half of them.",
    "What you ask about is a token of the template, not of the answer: {mark} tells the server where a part begins. "
    "SGLang removes it, llama.cpp does with `--jinja`, and Ollama does if the template names it.",
    "That is a known issue: {who} sometimes forgets to close what it has opened. A tolerant parser closes it at the end of the reply:\n\n"
    "~~~text\n{form}\n~~~\n\nIf the reply was cut by max_tokens, it must not.",
    "The syntax of {who} is:\n\n{form}\n\nHere the name is the tool's, and what follows are its arguments; thoughts have no name at all.",
    "`{mark}` is no part of the protocol. {who} learned it in training, so a server that does not know it passes it on as words.",
    "I looked at both parsers. They agree on {who}: everything before `{mark}` is content, everything from it on is not, and an unclosed "
    "one is passed on as it is.",
    "Yes. With `skip_special_tokens=True` the tokens around it disappear, and of\n\n```text\n{form}\n```\n\nonly the part between them is left. That is why "
    "it cannot be told from an answer any more.",
]
ANSWERS = [frame.format(who=who, mark=mark, form=form, quoted=(FENCE + "`text\n" + form + "\n" + FENCE + "`") if FENCE in form else
                        FENCE + "text\n" + form + "\n" + FENCE)
           for who, mark, form in FORMS for frame in FRAMES][:200]


def main():
    bodkin, tally = program(), Tally()
    answer = []

    def serve(connection, request, body):
        if not request.startswith(b"POST"):
            return connection.sendall(head("404 Not Found"))
        text = answer.pop() if answer else "It was taken for a call."
        events = [{"choices": [{"index": 0, "delta": {"content": text[i:i + 9]}}]} for i in range(0, len(text), 9)]
        events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        connection.sendall(head() + b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events) + b"data: [DONE]\n\n")
    server = Raw(serve)
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as home:
        (pathlib.Path(name) / "lamp.py").write_text("light = 1\n")
        for i, text in enumerate(ANSWERS):
            answer[:] = [text]
            done = subprocess.run([bodkin, "ask", "--json", "--root", name, "--provider", "openai-compatible", "--endpoint", server.endpoint + "/v1",
                                   "--model", "test", "How do models write that?"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  timeout=60, env={"PATH": os.environ["PATH"], "HOME": home})
            end = json.loads(done.stdout.splitlines()[-1])
            fine = end["end"] == "answer" and end["answer"].strip() == text.strip() and not end.get("notes")
            tally.add(f"answer {i}", [] if fine else [json.dumps(text)[:300] + " became " + json.dumps(end)[:600]])
    server.close()
    tally.end()


if __name__ == "__main__":
    assert len(ANSWERS) == 200
    main()
