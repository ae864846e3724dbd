#include "agent/tools/mcp_messages.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/models/image.h"
#include "agent/support/fnv1a.h"
#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "agent/support/wire_json.h"
#include "agent/tools/tool_schema.h"
#include "edits/text/line_keys.h"
#include "edits/text/shortened.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxToolName = 128;          // bytes, of the server's
constexpr size_t kMaxModelName = 64;          // what all providers accept
constexpr size_t kMaxDescription = 8'000;     // bytes
constexpr size_t kMaxImages = 4;              // of a result
constexpr size_t kMaxResultText = 4'000'000;  // bytes; more is not even cut to size

// A server may name a tool anything that can be shown in a line.
bool is_tool_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxToolName && plain_line(name) == name;
}

std::string in_brackets(std::string_view what) { return fmt::format("[{}]\n", what); }

bool is_base64(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (is_name_char(c) && c != '_' && c != '-') || c == '+' || c == '/' || c == '=';
  });
}

class ResultReader {
 public:
  explicit ResultReader(bool takes_images) : takes_images_(takes_images) {}

  McpResult read(const json& result) {
    if (!result.is_object()) return {"The server's answer is not a result.", true, {}};
    const std::string type = string_at(result, "resultType");
    if (!type.empty() && type != "complete")
      return {"The server asks for more than bodkin can give it (" + shortened_to(type, 40) + ").",
              true,
              {}};
    for (const json& content : at(result, "content")) add(content);
    const json& structured = at(result, "structuredContent");
    if (!has_text_ && !structured.is_null()) add_text(text_of_json(structured, 1));
    if (left_out_ > 0)
      add_note(fmt::format("{} more bytes, which bodkin does not keep: the limit of a result is {}",
                           left_out_, kMaxResultText));
    made_.is_error = at(result, "isError") == json(true);
    if (made_.text.empty() && made_.images.empty())
      made_.text = made_.is_error ? "The server reports an error, without a reason.\n"
                                  : "The call succeeded; it has no output.\n";
    return std::move(made_);
  }

 private:
  void add_text(std::string_view text) {
    has_text_ = true;
    const size_t room = kMaxResultText - std::min(kMaxResultText, made_.text.size());
    made_.text += text.substr(0, room);
    left_out_ += text.size() - std::min(text.size(), room);
    if (!made_.text.ends_with('\n')) made_.text += '\n';
  }
  void add_note(std::string_view what) { made_.text += in_brackets(shortened_to(what, 500)); }

  void add(const json& content) {
    const std::string type = string_at(content, "type");
    if (type == "text") return add_text(string_at(content, "text"));
    if (type == "image") return add_image(content);
    if (type == "resource_link") {
      return add_note(fmt::format("a resource: {} {} {}", string_at(content, "name"),
                                  string_at(content, "uri"), string_at(content, "mimeType")));
    }
    if (type == "resource") {
      const json& resource = at(content, "resource");
      if (const json& text = at(resource, "text"); text.is_string()) {
        add_note(string_at(resource, "uri"));
        return add_text(text.get_ref<const std::string&>());
      }
      return add_note("a binary resource: " + string_at(resource, "uri"));
    }
    add_note(type.empty() ? "content without a type" : "content that is not shown: " + type);
  }

  void add_image(const json& content) {
    ImageBlock image{string_at(content, "mimeType"), string_at(content, "data")};
    const bool has_known_type = image.media_type == "image/png" ||
                                image.media_type == "image/jpeg" ||
                                image.media_type == "image/webp";
    const bool is_fine = has_known_type && image.base64.size() <= kMaxImage / 3 * 4 &&
                         is_base64(image.base64) && made_.images.size() < kMaxImages;
    if (!takes_images_ || !is_fine)
      return add_note("an image that is not shown: " + image.media_type);
    add_note("an image, below");
    made_.images.push_back(std::move(image));
  }

  const bool takes_images_;
  bool has_text_ = false;
  size_t left_out_ = 0;  // bytes of text
  McpResult made_;
};

}  // namespace

std::string name_for_model(std::string_view server, std::string_view tool,
                           const std::function<bool(const std::string&)>& is_taken) {
  std::string name = fmt::format("{}__", server);
  for (const char c : tool) {
    const bool begins = (static_cast<unsigned char>(c) & 0xC0) != 0x80;  // a character
    if (begins) name += is_name_char(c) ? c : '_';
  }
  if (name.size() <= kMaxModelName && !is_taken(name)) return name;
  const std::string whole = fmt::format("{}/{}", server, tool);
  const std::string stem = name;
  for (uint64_t hash = fnv1a(whole);; ++hash) {
    const std::string end = fmt::format("_{:08x}", hash & 0xFFFFFFFF);
    name = stem.substr(0, kMaxModelName - end.size()) + end;
    if (!is_taken(name)) return name;
  }
}

void McpToolList::leave_out(const std::string& name, const std::string& why) {
  if (left_out.size() < kMax)
    left_out.push_back(fmt::format("{} ({})", plain_line(shortened_to(name, 60)), why));
}

// Decides: which tools of an MCP server are offered.
void McpToolList::add(std::string_view server, const json& tool) {
  std::string name = string_at(tool, "name");
  const auto leave_out = [&](const std::string& why) { this->leave_out(name, why); };
  if (!is_tool_name(name)) return leave_out("its name is not valid");
  if (std::ranges::find(tools, name, &McpTool::name) != tools.end())
    return leave_out("the name is used twice");
  ToolSchema schema = tool_schema(at(tool, "inputSchema"));
  if (!schema.reason.empty()) return leave_out(schema.reason);
  std::string description = string_at(tool, "description");
  if (description.empty()) description = string_at(tool, "title");
  description = visible(shortened_to(description, kMaxDescription));
  if (description.empty()) description = name;
  if (!schema.rule.empty())
    description += "\nThe arguments must also match this JSON Schema: " + schema.rule;
  const std::string text = description + schema.schema.dump();
  if (tools.size() == kMax || bytes + text.size() > kMaxBytes)
    return leave_out("there are too many");
  bytes += text.size();
  McpTool made;
  made.spec.name = name_for_model(server, name, [&](const std::string& taken) {
    return std::ranges::any_of(tools,
                               [&](const McpTool& other) { return other.spec.name == taken; });
  });
  made.spec.description = std::move(description);
  made.spec.parameters = std::move(schema.schema);
  made.version = fmt::format("{:016x}", fnv1a(text));
  made.name = std::move(name);
  tools.push_back(std::move(made));
}

McpResult read_mcp_result(const json& result, bool takes_images) {
  return ResultReader(takes_images).read(result);
}

}  // namespace bodkin
