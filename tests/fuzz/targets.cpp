#include "targets.h"

#include <array>
#include <vector>

#include "agent/models/http/sse.h"
#include "agent/models/wire/wire_format.h"
#include "agent/placing/edit_json.h"
#include "agent/rpc/connection.h"
#include "agent/rpc/message.h"
#include "agent/support/json.h"
#include "edits/align/rewrite.h"
#include "edits/align/weigh.h"
#include "edits/apply/apply.h"
#include "edits/apply/explain.h"
#include "edits/formats/parse.h"
#include "edits/lazy/lazy.h"
#include "edits/place/write.h"
#include "grammars/context.h"
#include "grammars/languages.h"
#include "grammars/syntax_tree.h"

namespace bodkin::fuzz {

namespace {

// Inputs of several parts have a line "%%" between them; what lacks it is the last part.
std::pair<std::string_view, std::string_view> parts_of(std::string_view bytes) {
  constexpr std::string_view kBetween = "%%\n";
  for (size_t at = bytes.find(kBetween); at != bytes.npos; at = bytes.find(kBetween, at + 1)) {
    if (at == 0 || bytes[at - 1] == '\n') {
      return {bytes.substr(0, at), bytes.substr(at + kBetween.size())};
    }
  }
  return {"", bytes};
}

void check_replacements(const std::vector<Replacement>& edits, size_t size) {
  size_t end = 0;
  for (const Replacement& edit : edits) {
    promise(edit.offset >= end, "replacements are ascending and disjoint");
    promise(edit.length <= size && edit.offset <= size - edit.length,
            "replacements lie in the text");
    end = edit.offset + edit.length;
  }
}

std::string replaced(const Text& text, const std::vector<Replacement>& edits) {
  std::string bytes = text.str();
  for (size_t i = edits.size(); i-- > 0;) {
    bytes.replace(edits[i].offset, edits[i].length, edits[i].text);
  }
  return bytes;
}

class OneFile : public Files {
 public:
  explicit OneFile(std::string_view bytes) : text_(std::string(bytes)) {}
  std::optional<Text> read(std::string_view path) const override {
    return path == "f.py" ? std::optional(text_) : std::nullopt;
  }
  std::vector<std::string> paths() const override { return {"f.py"}; }

 private:
  Text text_;
};

void check_report(const ApplyReport& report) {
  promise(report.ok || report.files.empty(), "nothing changes unless all is well");
  promise(report.ok || report.failure, "a refusal has a reason");
  for (const ChangedFile& file : report.files) {
    if (!file.before || !file.after) continue;
    check_replacements(file.edits, file.before->size());
    promise(replaced(*file.before, file.edits) == file.after->str(), "the edits give the text");
  }
  explain(report);
}

void parse_as(Format format, std::string_view bytes) {
  const auto plan = parse_reply(bytes, {format, "f.py", false});
  if (!plan) {
    const FailureKind kind = plan.error().kind;
    promise(kind == FailureKind::malformed || kind == FailureKind::truncated,
            "what cannot be parsed is malformed or cut off");
    return;
  }
  std::string file;  // one in which the edits have a place
  for (const FileChange& change : plan->changes) {
    promise(!change.path.empty(), "a change has a path");
    for (const Hunk& hunk : change.hunks) {
      promise(hunk.source_line > 0, "a hunk has a line in the edit");
      const NumberedEdit* const edit = hunk.as<NumberedEdit>();
      promise(!edit || edit->lines.begin <= edit->lines.end, "lines are in order");
      for (const std::string_view line : old_side(hunk)) file.append(line).push_back('\n');
    }
  }
  check_report(apply(*plan, OneFile(file), nullptr, {}));
  const auto cut = parse_reply(bytes, {format, "f.py", true});
  promise(!cut || cut->changes.empty(), "a reply that was cut off has no edits");
}

void run_apply(std::string_view bytes) {
  const auto [file, reply] = parts_of(bytes);
  const auto plan = parse_reply(reply, {Format::automatic, "f.py", false});
  if (plan) check_report(apply(*plan, OneFile(file), nullptr, {}));
}

// The second part is a hunk: its lines begin with ' ', '-' or '+'.
void run_locate(std::string_view bytes) {
  auto [file, text] = parts_of(bytes);
  Hunk hunk;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto kind = line.starts_with('-')   ? HunkLine::Kind::removed
                      : line.starts_with('+') ? HunkLine::Kind::added
                                              : HunkLine::Kind::context;
    hunk.lines.push_back({kind, std::string(line.substr(line.empty() ? 0 : 1))});
  }
  if (old_side(hunk).empty()) return;
  const MappedText map{Text(std::string(file))};
  const Alignments found = priced_places(map, hunk, std::nullopt);
  const size_t rows = old_side(hunk).size();
  for (const Alignment& place : found.all) {
    promise(place.price < kNever, "a place can be paid");
    promise(place.first < place.last && place.last <= map.line_count(),
            "a place's lines lie in the file");
    size_t above = 0;
    for (const size_t line : place.lines) {
      if (line == kUnpaired) continue;
      promise(line >= above && line < map.line_count(), "rows are paired in order");
      above = line + 1;
    }
    if (place.is_exact)
      promise(place.last - place.first == rows, "an exact place has all lines that were quoted");
    if (const auto written = rewritten(map, place, false)) {
      Hunk own = written->hunk ? *written->hunk : hunk;
      for (const Replacement& edit : edits_at(map, own, *written))
        promise(edit.offset + edit.length <= map.bytes().size(), "an edit lies in the file");
    }
  }
}

void run_lazy(std::string_view bytes) {
  const auto [file, sketch] = parts_of(bytes);
  const Text text{std::string(file)};
  for (const std::string_view path : {"", "f.py", "f.cpp", "f.tsx"}) {
    const auto edits = merge_lazy(sketch, text, path);
    if (edits) check_replacements(*edits, text.size());
  }
  const auto none = merge_lazy("// ... existing code ...\n", text);
  // Refused if the file has this line itself.
  promise(!none || none->empty(), "an elision alone changes nothing");
}

// Each group of 4 bytes is an edit: where, how many bytes go, how many bytes of the rest come.
void run_text(std::string_view bytes) {
  const auto [start, edits] = parts_of(bytes);
  std::string model(start);
  Text text(model);
  for (size_t at = 0; at + 4 <= edits.size(); at += 4) {
    const auto number = [&](size_t i) { return static_cast<unsigned char>(edits[at + i]); };
    const size_t offset = (number(0) * 256 + number(1)) % (model.size() + 1);
    const size_t length = std::min<size_t>(number(2), model.size() - offset);
    const std::string_view with = edits.substr(at, number(3) * 64);
    model.replace(offset, length, with);
    text = text.replace(offset, length, with);
    promise(text.size() == model.size(), "a text has the size of its bytes");
    if (model.size() > 100'000) break;
  }
  promise(text.str() == model, "a text is its bytes");
  size_t line = 0;
  for (size_t i = 0; i < model.size(); ++i) {
    promise(text.line_of(i) == line, "lines are where their ends are");
    const bool ends = model[i] == '\n' || (model[i] == '\r' && model.substr(i + 1, 1) != "\n");
    if (ends) promise(text.line_begin(++line) == i + 1, "a line begins behind the last");
  }
  promise(text.line_count() == line + 1, "one line more than line ends");
}

// The first line names the file; the first byte of the second says which line is the place.
void run_context(std::string_view bytes) {
  const auto [name, source] = parts_of(bytes);
  const Text text{std::string(source)};
  const size_t line = source.empty() ? 0 : static_cast<unsigned char>(source[0]) % 32;
  const LineRange lines{std::min(line, text.line_count() - 1),
                        std::min(line + 1, text.line_count())};
  const auto check = [&](const Context& context) {
    size_t end = 0;
    for (const ContextPart& part : context.parts) {
      promise(part.lines.begin >= end && part.lines.begin < part.lines.end &&
                  part.lines.end <= text.line_count(),
              "the parts are in order and disjoint");
      end = part.lines.end;
    }
    render(text, context);
  };
  check(context_of(text, lines, 200));
  const Language* language = language_of(name.substr(0, name.find('\n')));
  if (language == nullptr) return;
  if (const auto tree = SyntaxTree::parse(*language, text)) {
    check(context_of(*tree, outline(*tree), lines, 200));
    syntax_errors(*tree);
  }
}

// Bytes that come in any pieces mean the same.
void check_frames(std::string_view bytes, rpc::Framing framing) {
  constexpr size_t kMax = 1000;
  const auto frames = [&](size_t step) {
    rpc::FrameReader reader(framing, kMax);
    std::vector<std::string> result;
    for (size_t at = 0; at < bytes.size(); at += step) {
      reader.take(bytes.substr(at, step), [&](const rpc::Frame& frame) {
        promise(frame.problem.empty() || frame.body.empty(), "a problem has no body");
        promise(frame.body.size() <= kMax, "a body is within the cap");
        if (frame.problem.empty()) result.push_back(frame.body);
      });
    }
    return result;
  };
  const auto whole = frames(bytes.size() + 1);
  promise(frames(1) == whole && frames(7) == whole, "frames do not depend on the pieces");
}

void run_message(std::string_view bytes) {
  check_frames(bytes, rpc::Framing::content_length);
  rpc::FrameReader reader;
  reader.feed(rpc::frame(bytes) + rpc::frame("{}"));
  const auto frame = reader.next();
  promise(frame && frame->body == bytes, "what is framed is read");
  const auto after = reader.next();
  promise(after && after->body == "{}", "and nothing of what comes after");
}

void run_message_lines(std::string_view bytes) {
  check_frames(bytes, rpc::Framing::lines);
  // Whatever is a message is answered at most once, and never with a line end in it.
  size_t received = 0, sent = 0;
  rpc::FrameReader reader(rpc::Framing::lines);
  const auto send = [&](const rpc::Json& message) {
    ++sent;
    const std::string body = message.dump(-1, ' ', false, rpc::Json::error_handler_t::replace);
    promise(body.find('\n') == body.npos, "a message is a line");
  };
  rpc::Connection connection(send, rpc::kMcp);
  connection.on_request("echo",
                        [](const rpc::Json& params, rpc::Reply reply) { reply.result(params); });
  reader.take(std::string(bytes) + "\n", [&](const rpc::Frame& frame) {
    ++received;
    connection.receive(frame.body);
  });
  promise(sent <= received, "a message has at most one answer");
  std::string after;
  reader.take("{}\n", [&](const rpc::Frame& frame) { after += frame.body; });
  promise(after == "{}", "a line end ends what came before");
}

void run_sse(std::string_view bytes) {
  const auto events = [&](size_t step) {
    SseReader reader(1 << 20);
    std::string result;
    const auto sink = [&](std::string_view event, std::string_view data) {
      result.append(event).append("\1").append(data).append("\2");
    };
    for (size_t at = 0; at < bytes.size(); at += step) {
      if (!reader.take(bytes.substr(at, step), sink)) break;
    }
    reader.finish(sink);
    return result + "\3" + reader.stray();
  };
  const std::string whole = events(bytes.size() + 1);
  promise(events(1) == whole && events(5) == whole, "events do not depend on the pieces");
}

// A digit that chooses the format, and the events of a reply, one a line: it can always be sent
// back, in every format.
void run_reply(std::string_view bytes) {
  constexpr std::array kFormats = {&kAnthropic, &kOpenaiChat, &kOpenaiResponses, &kGemini,
                                   &kOllama};
  if (bytes.empty()) return;
  const WireFormat& format = *kFormats[static_cast<unsigned char>(bytes[0] - '0') % 5];
  size_t reported = 0;
  const Task task{{}, [&](const Progress& progress) { reported += progress.text.size(); }};
  ReplyBuilder reply(task);
  LineCutter lines(1 << 20);
  const auto event = [&](std::string_view line) {
    if (const auto parsed = parse_wire_json(line); parsed && !reply.error && !reply.ended)
      format.read(reply, "", *parsed);
  };
  lines.take(bytes.substr(1), event);
  lines.finish(event);
  const ModelReply made = reply.take_reply();
  ModelRequest request;
  request.messages = {{Message::Role::user, {TextBlock{"x"}}}, made.message, {}};
  for (const Block& block : made.message.blocks) {
    const auto* call = std::get_if<ToolCall>(&block);
    if (!call) continue;
    promise(call->arguments.is_object() && !call->id.empty(), "a call can be run");
    request.messages.back().blocks.push_back(ToolResult{call->id, call->name, "r"});
  }
  for (const WireFormat* other : kFormats)
    for (const bool strict : {false, true}) {
      Wire wire;
      wire.strict = wire.mistral = wire.openai = strict;
      promise(nlohmann::json::accept(text_of_json(other->body(wire, request))), "a body is JSON");
    }
}

template <Format format>
void run_parse(std::string_view bytes) {
  parse_as(format, bytes);
}

constexpr Target kTargets[] = {
    {"search_replace", run_parse<Format::search_replace>},
    {"patch", run_parse<Format::patch>},
    {"unified", run_parse<Format::unified>},
    {"whole", run_parse<Format::whole>},
    {"json", run_parse<Format::str_replace>},
    {"automatic", run_parse<Format::automatic>},
    {"lazy", run_lazy},
    {"locate", run_locate},
    {"apply", run_apply},
    {"text", run_text},
    {"context", run_context},
    {"message", run_message},
    {"message_lines", run_message_lines},
    {"sse", run_sse},
    {"reply", run_reply},
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

}  // namespace bodkin::fuzz
