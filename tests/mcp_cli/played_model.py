"""A model's server that plays one turn: it calls the tool whose name ends with `tool`, and then says "Done.".

It speaks as Anthropic's Messages, OpenAI's Responses and Chat Completions do, as event streams.
"""
import http.server
import json
import threading


def tools_in(asked):
    """(namespace or None, name) of each tool on offer."""
    for tool in asked.get("tools", []):
        if tool.get("type") == "namespace":
            for each in tool.get("tools", []):
                yield tool["name"], each["name"]
        else:
            yield None, tool.get("name") or tool.get("function", {}).get("name", "")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, body, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_GET(self):
        self.reply(b'{"object": "list", "data": [{"id": "played", "object": "model"}]}', "application/json")

    do_HEAD = do_GET

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        if "count_tokens" in self.path:
            return self.reply(b'{"input_tokens": 10}', "application/json")
        self.server.asked.append(asked)
        offered = list(tools_in(asked))
        call = next((each for each in offered if each[1].endswith(self.server.tool)), None)
        if self.server.is_deferred and offered:  # it is called by its name, without its definition
            call = None, self.server.tool
        history = json.dumps(asked.get("messages") or asked.get("input") or [])
        if "played_call" in history:  # it has been made
            call = None
        path = self.path.split("?")[0]
        events = (messages if path.endswith("/messages") else responses if path.endswith("/responses") else chat)(
            call, self.server.arguments)
        self.reply("".join(events).encode(), "text/event-stream")


def messages(call, arguments):
    def event(kind, **more):
        return "event: %s\ndata: %s\n\n" % (kind, json.dumps({"type": kind, **more}))
    yield event("message_start", message={
        "id": "msg_1", "type": "message", "role": "assistant", "model": "played", "content": [], "stop_reason": None,
        "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}})
    if call:
        yield event("content_block_start", index=0, content_block={
            "type": "tool_use", "id": "played_call", "name": call[1], "input": {}})
        yield event("content_block_delta", index=0, delta={
            "type": "input_json_delta", "partial_json": json.dumps(arguments)})
    else:
        yield event("content_block_start", index=0, content_block={"type": "text", "text": ""})
        yield event("content_block_delta", index=0, delta={"type": "text_delta", "text": "Done."})
    yield event("content_block_stop", index=0)
    yield event("message_delta", delta={"stop_reason": "tool_use" if call else "end_turn", "stop_sequence": None},
                usage={"output_tokens": 5})
    yield event("message_stop")


def responses(call, arguments):
    def event(kind, **more):
        return "event: %s\ndata: %s\n\n" % (kind, json.dumps({"type": kind, **more}))
    item = {"type": "message", "role": "assistant", "id": "m1", "content": [{"type": "output_text", "text": "Done."}]}
    if call:
        item = {"type": "function_call", "id": "f1", "call_id": "played_call", "name": call[1],
                "arguments": json.dumps(arguments)}
        if call[0]:
            item["namespace"] = call[0]
    yield event("response.created", response={"id": "r1"})
    yield event("response.output_item.done", output_index=0, item=item)
    yield event("response.completed", response={"id": "r1", "usage": {
        "input_tokens": 1, "input_tokens_details": None, "output_tokens": 1, "output_tokens_details": None, "total_tokens": 2}})


def chat(call, arguments):
    def event(delta, finish=None):
        return "data: %s\n\n" % json.dumps({
            "id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "played",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
    if call:
        yield event({"role": "assistant", "tool_calls": [{
            "index": 0, "id": "played_call", "type": "function",
            "function": {"name": call[1], "arguments": json.dumps(arguments)}}]})
    else:
        yield event({"role": "assistant", "content": "Done."})
    yield event({}, "tool_calls" if call else "stop")
    yield "data: [DONE]\n\n"


def start(tool, arguments, is_deferred=False):
    """`tool`: the end of its name, or all of it if the host does not send the definitions of such tools at once.

    Its `asked` are the requests, `server_address[1]` is its port.
    """
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.asked, server.tool, server.arguments, server.is_deferred = [], tool, arguments, is_deferred
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
