"""Next edits that a model predicts: a played completion server behind HTTP, the real program before it. Each test is a
function of the program's path; its name is its sentence."""
import http.server
import json
import threading

from abuse import check, ends_well
from editor import Editor

FILE = ("import os\n\ndef load(path):\n    check(path)\n    data = read(path)\n    close(path)\n    return data\n\n"
        "def save(path):\n    check(path)\n    write(path)\n")
NEW = FILE.replace("read(path)", "read(path, True)")


class Completions:
    """Answers /v1/completions with `answer(prompt)`, and keeps what was asked."""

    def __init__(self, answer):
        self.asked, self.answer, self.may_answer = [], answer, threading.Event()
        self.may_answer.set()
        self.was_asked = threading.Event()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.asked.append((self.path, body))
                outer.was_asked.set()
                outer.may_answer.wait(60)
                text = outer.answer(body)
                text, reason = text if isinstance(text, tuple) else (text, "stop")
                try:
                    self.send_response(200)
                    self.send_header("Content-Type", "text/event-stream")
                    self.end_headers()
                    for piece in (text[:5], text[5:]):
                        self.wfile.write(b"data: " + json.dumps({"choices": [{"text": piece}]}).encode() + b"\n\n")
                    self.wfile.write(b'data: {"choices":[{"text":"","finish_reason":"%s"}],'
                                     b'"usage":{"prompt_tokens":300,"completion_tokens":20}}\n\ndata: [DONE]\n\n' % reason.encode())
                except OSError:
                    pass  # cancelled

            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b'{"data":[{"id":"played"}]}')

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:%d/v1" % self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Typist(Editor):
    def __init__(self, program, model, name="sweep-next-edit", text=FILE, path="a.py", **more):
        self.on_answer = {}
        super().__init__(program, texts={path: text}, text_document={"codeAction": {"codeActionLiteralSupport": {}}}, options={
            "suggest.model": {"provider": "openai-compatible", "endpoint": model.url, "name": name}}, **more)
        self.path = path
        self.until("the host is named", lambda: name + " at " + model.url[:-3] + " predicts next edits" in json.dumps(self.heard))

    def handle(self, message):
        super().handle(message)
        self.on_answer.pop(message.get("id"), lambda: None)()

    def put(self, old, new):
        self.change(self.path, self.buffers[self.path].replace(old, new, 1))

    def change_at_once(self, name, text):
        """As a formatter does: no edit of the person's."""
        self.change(name, text + "\n")
        self.buffers[name] = text
        self.versions[name] += 1
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": self.uri(name), "version": self.versions[name]},
            "contentChanges": [{"text": text + "\n\n"}, {"text": text}]})

    def predicted(self, line=4, column=0):
        return self.answer(self.begin_prediction(line, column))["result"]

    def begin_prediction(self, line=4, column=0):
        return self.begin("bodkin/nextEdits", {"uri": self.uri(self.path), "range": at(line, column, column)})


def at(line, begin, end):
    return {"start": {"line": line, "character": begin}, "end": {"line": line, "character": end}}


def a_predicted_edit_is_placed_and_says_whether_it_was_checked(program):
    model = Completions(lambda body: NEW)
    editor = Typist(program, model)
    found = editor.predicted()
    check(found["what"] == "Next edit" and found["checked"] is False, str(found))
    check(found["edits"] == [{"range": {"start": {"line": 4, "character": 0}, "end": {"line": 5, "character": 0}},
                              "newText": "    data = read(path, True)\n"}], str(found))
    used = editor.request("bodkin/status", {})["result"]["nextEditsUsage"]
    check(used == {"input": 300, "output": 20}, str(used))
    path, body = model.asked[0]
    check(path == "/v1/completions" and body["temperature"] == 0 and "<|file_sep|>" in body["stop"], str(body))
    check(body["prompt"].endswith("<|file_sep|>updated/a.py\n"), body["prompt"])
    menu = editor.request("textDocument/codeAction", {"textDocument": {"uri": editor.uri("a.py")}, "range": at(0, 0, 0),
                                                      "context": {"diagnostics": [], "only": ["refactor"]}})["result"]
    check(any(action["title"] == "bodkin: Next edit at line 5" for action in menu), str(menu))
    ends_well(editor)


def an_editor_without_a_client_of_ours_has_it_in_its_menu(program):
    model = Completions(lambda body: NEW)
    editor = Typist(program, model, proposals=False)
    editor.put("import os", "import sys")
    check(model.was_asked.wait(60), "the model was not asked")
    titles = []
    while "bodkin: Next edit here" not in titles:
        menu = editor.request("textDocument/codeAction", {"textDocument": {"uri": editor.uri("a.py")}, "range": at(4, 0, 0),
                                                          "context": {"diagnostics": [], "only": ["refactor"]}})["result"]
        titles = [action["title"] for action in menu]
    ends_well(editor)


def what_was_typed_goes_with_the_request_and_what_it_implies_needs_none(program):
    model = Completions(lambda body: NEW)
    editor = Typist(program, model, text=FILE + "\ndef zork(a):\n    return a\n\n\nzork(1)\n")
    editor.put("zork(a)", "zork(a, b)")
    implied = [edit["range"]["start"]["line"] for edit in editor.predicted(4)["edits"]]
    check(implied == [FILE.count("\n") + 5], "not what the edit implies: %s" % implied)
    check(not model.asked, "a model was asked")
    editor.put("import os", "import sys")
    editor.predicted(0)
    check("original:\nimport os\nupdated:\nimport sys\n" in model.asked[0][1]["prompt"], model.asked[0][1]["prompt"])
    ends_well(editor)


def what_an_edit_implies_is_not_looked_for_in_code_that_takes_long(program):
    calls = "def zork(a, b):\n    return a\n\nzork(1, 2)\n"
    for more, count in (("x = 1\n" * 100, 1), ("x = [1, 2, 3]\n" * 5000, 0), ("zork(3, 4)\n" * 200, 0)):
        editor = Typist(program, Completions(lambda body: ""), text=calls + more)
        editor.put(", b", ", b, c")
        found = editor.request("bodkin/nextEdits", {"uri": editor.uri("a.py")})["result"]
        check(len(found["edits"]) == count and bool(found["what"]) == bool(count), str(found))
        ends_well(editor)


def a_name_of_a_decorated_function_is_one_of_that_function(program):
    rows = "@rows(\n    {\n        'zork': 1,\n    },\n)\ndef %s(zork):\n\n    print(zork)\n\n    one(zork)\n\n    two(zork)\n    six(zork)\n    return zork\n\n"
    editor = Typist(program, Completions(lambda body: ""), text=rows % "f" + rows % "g")
    editor.put("f(zork)", "f(blorb)")
    editor.put("print(zork)", "print(blorb)")
    editor.put("one(zork)", "one(blorb)")
    found = editor.request("bodkin/nextEdits", {"uri": editor.uri("a.py")})["result"]
    check([edit["newText"] for edit in found["edits"]] == [
        "    two(blorb)\n", "    six(blorb)\n", "    return blorb\n"], str(found))
    ends_well(editor)


def what_breaks_the_syntax_is_not_shown(program):
    editor = Typist(program, Completions(lambda body: FILE.replace("read(path)", "read(path")))
    check(editor.predicted()["edits"] == [], "shown")
    ends_well(editor)


def typing_towards_a_prediction_asks_nobody_again(program):
    model = Completions(lambda body: NEW)
    editor = Typist(program, model)
    editor.predicted()
    editor.put("read(path", "read(path, T")
    found = editor.predicted(4, 23)
    check(found["edits"][0]["newText"] == "    data = read(path, True)\n" and len(model.asked) == 1, str(found))
    editor.put("path, T", "path, Tx")
    editor.predicted(4, 24)
    check(len(model.asked) == 2, "the model was not asked again")
    ends_well(editor)


def a_prediction_does_not_take_back_what_was_typed(program):
    model = Completions(lambda body: NEW)
    editor = Typist(program, model)
    editor.put("import os", "import sys")
    found = editor.predicted(0)["edits"]
    check([edit["range"]["start"]["line"] for edit in found] == [4], str(found))
    ends_well(editor)


def what_was_predicted_is_not_shown_once_the_text_has_moved_on(program):
    model = Completions(lambda body: NEW)
    editor = Typist(program, model)
    editor.predicted()
    model.answer = lambda body: ""
    for old, new in (("read(path)", ""), ("    data = \n", "")):
        editor.put(old, new)
        check(editor.predicted(4)["edits"] == [], "shown after %r was taken away" % old)
    ends_well(editor)


def the_newest_request_ends_the_one_before(program):
    model = Completions(lambda body: NEW)
    model.may_answer.clear()
    editor = Typist(program, model)
    first = editor.begin_prediction()
    check(model.was_asked.wait(60), "the model was not asked")
    editor.put("import", "#\nimport")
    editor.on_answer[first] = model.may_answer.set  # only the newest is answered by the model
    found = editor.predicted(5)
    check(found["version"] == 2 and found["edits"][0]["range"]["start"]["line"] == 5, str(found))
    ends_well(editor)


def what_continues_at_the_cursor_is_an_inline_completion(program):
    model = Completions(lambda body: "path, True)\n    close(path)\n")
    text = FILE.replace("read(path)", "read()")
    editor = Typist(program, model, name="qwen2.5-coder:base", text=text)
    items = editor.request("textDocument/inlineCompletion", {
        "textDocument": {"uri": editor.uri("a.py")}, "position": {"line": 4, "character": 16},
        "context": {"triggerKind": 2}})["result"]["items"]
    check(items == [{"insertText": "path, True", "range": at(4, 16, 16)}], str(items))
    prompt = model.asked[0][1]["prompt"]
    check(prompt.startswith("<|fim_prefix|>import os") and "read(<|fim_suffix|>)\n    close" in prompt
          and prompt.endswith("<|fim_middle|>"), prompt)
    ends_well(editor)


def a_prediction_may_leave_a_syntax_error_that_is_there_already(program):
    model = Completions(lambda body: (FILE + "\nx = (1\n").replace("read(path)", "read(path, True)"))
    editor = Typist(program, model, text=FILE + "\nx = (1\n")
    check(len(editor.predicted()["edits"]) == 1, "not shown")
    ends_well(editor)


def the_tokens_of_predictions_are_told(program):
    editor = Typist(program, Completions(lambda body: NEW))
    editor.predicted()
    editor.until("the tokens", lambda: {"input": 300, "output": 20} in [
        message["params"].get("nextEditsUsage") for message in editor.heard if message.get("method") == "$/bodkin/status"])
    ends_well(editor)


def zeta_answers_with_the_lines_between_its_markers(program):
    model = Completions(lambda body: "<|marker_1|>" + NEW + "<|marker_2|>")
    editor = Typist(program, model, name="zeta-2.1")
    check(editor.predicted()["edits"][0]["newText"] == "    data = read(path, True)\n", "not placed")
    prompt = model.asked[0][1]["prompt"]
    check(prompt.startswith("<[fim-suffix]>\n<[fim-prefix]><filename>a.py\n<|marker_1|>import os\n"), prompt)
    check("    <|user_cursor|>data" not in prompt and "<|user_cursor|>    data = read(path)\n" in prompt, prompt)
    check(prompt.endswith("<|marker_2|>\n<[fim-middle]>"), prompt)
    ends_well(editor)


def zeta_replies_are_read_as_its_models_write_them(program):
    text = FILE + "\n" + "".join("def f%d():\n    return %d\n\n" % (k, k) for k in range(6)) + "end()\n"
    end = "<[end\u2581of\u2581sentence]>"
    new = "    data = read(path, True)\n"
    seen = []
    model = Completions(lambda body: seen.append(body["prompt"]) or "<|marker_1|><|marker_1|>" + end)
    editor = Typist(program, model, name="zeta-2.1", text=text)
    editor.predicted()
    ends_well(editor)
    shown = seen[0][seen[0].index("<|marker_1|>"):seen[0].rindex("\n<[fim-middle]>")].replace("<|user_cursor|>", "")
    first = shown[len("<|marker_1|>"):shown.index("<|marker_2|>")].replace("    data = read(path)\n", new)
    rest = shown[shown.index("<|marker_2|>") + len("<|marker_2|>"):shown.index("<|marker_3|>")]
    for reply, is_found in (
            ("<|marker_1|>%s<|marker_2|>" % first, True),
            ("<|marker_1|>%s<|marker_2|>%s<|marker_3|>%s" % (first, rest, end), True),
            ("<|marker_1|>%s%s<|marker_3|>" % (first, rest), True),  # one in the middle is left out
            ("<|marker_1|>\n%s<|marker_2|>\n" % first, True),
            ("<|marker_1|>%s<|marker_2|>" % first.replace("True", "True<|user_cursor|>"), True),
            ("<|marker_1|><|marker_1|>", False), ("<|marker_1|>" + first, False), (first, False), ("", False),
            ("<|marker_2|>%s<|marker_1|>" % first, False), ("<|marker_1|>%s<|marker_9|>" % first, False),
            ("<|marker_x|>%s<|marker_2|>" % first, False), ("<|marker_1|>%s<|file_sep|><|marker_2|>" % first, False)):
        editor = Typist(program, Completions(lambda body: reply), name="zeta-2.1", text=text)
        edits = editor.predicted()["edits"]
        check([edit["newText"] for edit in edits] == ([new] if is_found else []), "%r: %s" % (reply, edits))
        ends_well(editor)


def nothing_is_sent_of_a_secret_or_a_private_file(program):
    model = Completions(lambda body: NEW)
    editor = Typist(program, model, text=FILE + "token = 'ghp_%s'\n" % ("a1B2c3D4e5F6" * 3))
    check(editor.predicted()["edits"] == [] and not model.asked, "a secret was sent")
    ends_well(editor)
    editor = Typist(program, model, path=".env")
    check(editor.predicted()["edits"] == [] and not model.asked, "a private file was sent")
    ends_well(editor)


def no_marker_of_a_format_hides_a_secret_or_what_is_outside_of_the_workspace(program):
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    text = FILE + "token = '%s'\n" % token
    for name, reply in (("zeta-2.1", "<|marker_1|>%s<|marker_2|>" % NEW), ("qwen2.5-coder:base", "x"), ("sweep", NEW)):
        model = Completions(lambda body: reply)
        editor = Typist(program, model, name=name, text=text)
        editor.predicted(11, 13)  # in the middle of it
        editor.put("import os", "import sys")
        editor.predicted(11, 11)
        check(not model.asked, "%s was sent %s" % (name, model.asked))
        # What was typed in a file outside, or is private, or without a file.
        for uri in ("file:///elsewhere/notes.txt", "untitled:Untitled-1", editor.uri("id_rsa")):
            editor.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "", "version": 1, "text": "a\n"}})
            editor.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2},
                                                     "contentChanges": [{"range": at(0, 0, 1), "text": "diary"}]})
        editor.change("a.py", FILE)
        editor.put("import os", "import re")
        editor.predicted(0, 0)
        check(len(model.asked) == 1 and "diary" not in model.asked[0][1]["prompt"], str(model.asked))
        ends_well(editor)


def a_prediction_is_of_the_text_that_was_asked_about(program):
    model = Completions(lambda body: NEW)
    model.may_answer.clear()
    editor = Typist(program, model)
    number = editor.begin_prediction()
    check(model.was_asked.wait(60), "the model was not asked")
    editor.close("a.py")
    editor.open("a.py", "other = 1\n" * 9)  # with the same version
    editor.on_answer[editor.begin("bodkin/listProposals", {})] = model.may_answer.set  # the server has read that
    answer = editor.answer(number)
    check(answer["result"]["edits"] == [], str(answer))
    ends_well(editor)


def minified_code_is_not_sent(program):
    model = Completions(lambda body: NEW)
    editor = Typist(program, model, text="x = [" + "1, " * 5000 + "]\n" + FILE)
    editor.predicted(0, 9)
    check(not model.asked, "a line of 15,000 bytes was sent")
    ends_well(editor)


def tests():
    return [(name.replace("_", " "), test) for name, test in globals().items()
            if callable(test) and getattr(test, "__module__", "") == __name__
            and name not in ("Completions", "Typist", "at", "tests")]
