#include "agent/loop/window.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "agent/loop/conversation_messages.h"
#include "agent/support/embedded.h"
#include "agent/support/json.h"
#include "agent/workspace/secrets.h"
#include "edits/text/line_keys.h"
#include "edits/text/shortened.h"

namespace bodkin {

namespace {

constexpr double kTokensPerByte = 0.3;  // before the provider has counted; more than of most text
constexpr double kLeastTokensPerByte = 0.12;  // less of a text than any tokenizer makes
constexpr int64_t kLeastCut = 2'000;          // tokens; a server that counts fewer does not count
constexpr int64_t kMaxForReply = 16'000;  // tokens that are left for it where its size is unknown
constexpr size_t kBytesOfImage = 6'000;   // that count like an image
constexpr size_t kBytesOfBlock = 20;      // around each block and message
constexpr size_t kLeftOfResult = 200;     // bytes of a result that was shortened
constexpr size_t kShownOfBlock = 4'000;   // bytes that the summary is made from
constexpr double kRoom = 0.6;             // of the window is used when it was shortened
constexpr double kKept = 0.4;             // of that is for the messages that stay as they are
constexpr char kShortened[] =
    "\n(shortened to save room; make the call again if you need the rest)";
constexpr char kNoSummary[] = "They could not be summarized. The user's requests in them were:\n";

size_t bytes_of_json(const nlohmann::json& value) {
  return value.is_null() ? 0 : text_of_json(value).size();
}

size_t bytes_of_block(const Block& block) {
  size_t bytes = kBytesOfBlock;
  if (const auto* text = std::get_if<TextBlock>(&block)) {
    bytes += text->text.size() + bytes_of_json(text->provider_state);
  } else if (const auto* thought = std::get_if<ThinkingBlock>(&block)) {
    bytes += std::max(thought->text.size(), bytes_of_json(thought->provider_state));
  } else if (const auto* call = std::get_if<ToolCall>(&block)) {
    bytes += call->name.size() + bytes_of_json(call->arguments);
  } else if (const auto* result = std::get_if<ToolResult>(&block)) {
    bytes += result->content.size();
  } else {
    bytes += kBytesOfImage;
  }
  return bytes;
}

size_t bytes_of_message(const Message& message) {
  size_t bytes = kBytesOfBlock;
  for (const Block& block : message.blocks) bytes += bytes_of_block(block);
  return bytes;
}

bool has_results(const Message& message) {
  return std::ranges::any_of(
      message.blocks, [](const Block& block) { return std::holds_alternative<ToolResult>(block); });
}

// Whether the conversation can begin here: what is before it can be left out.
bool can_begin(const Message& message) {
  return message.role == Message::Role::assistant || !has_results(message);
}

// A secret that was cut is not known as one any more.
std::string shortened(const std::string& text, size_t most) {
  return text.size() <= most ? text : shortened_to(hide_secrets(text), most);
}

// The messages as one text without secrets, for the summary.
std::string transcript_of(std::span<const Message> messages) {
  std::string text;
  for (const Message& message : messages) {
    const bool is_user = message.role == Message::Role::user;
    for (const Block& block : message.blocks) {
      if (const auto* words = std::get_if<TextBlock>(&block)) {
        text += (is_user ? "# User\n" : "# Assistant\n") + shortened(words->text, kShownOfBlock) +
                "\n\n";
      } else if (const auto* call = std::get_if<ToolCall>(&block)) {
        text += "# Call of " + call->name + "\n" +
                shortened(text_of_json(call->arguments), kShownOfBlock) + "\n\n";
      } else if (const auto* result = std::get_if<ToolResult>(&block)) {
        text += "# Its result\n" + shortened(result->content, kShownOfBlock / 4) + "\n\n";
      }
    }
  }
  return hide_secrets(text);
}

// All that the users said in them: what is left of a conversation that cannot be summarized.
std::string requests_in(std::span<const Message> messages) {
  std::string text;
  for (const Message& message : messages) {
    if (message.role != Message::Role::user) continue;
    for (const Block& block : message.blocks)
      if (const auto* words = std::get_if<TextBlock>(&block)) text += words->text + "\n\n";
  }
  return hide_secrets(text);
}

// At most `most` bytes of it: its beginning, where an earlier summary is, and its end.
std::string both_ends(const std::string& text, size_t most) {
  if (text.size() <= most) return text;
  size_t at = text.size() - most * 2 / 3;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  return shortened_to(text, most / 3) + "\n…\n" + text.substr(at);
}

}  // namespace

size_t bytes_of(const ModelRequest& request) {
  size_t bytes = request.system.size();
  for (const ToolSpec& tool : request.tools) {
    bytes += kBytesOfBlock + tool.name.size() + tool.description.size() +
             bytes_of_json(tool.parameters) + tool.grammar.size();
  }
  for (const Message& message : request.messages) bytes += bytes_of_message(message);
  return bytes;
}

std::optional<int64_t> window_of(const Model& model, const Limits& limits) {
  return limits.window > 0 ? limits.window : model.facts().window;
}

size_t Window::room_beside(const std::vector<ToolSpec>& tools) const {
  ModelRequest request;
  request.tools = tools;
  const size_t limit = most().value_or(SIZE_MAX / 2);
  return limit - std::min(limit, bytes_of(request));
}

bool Window::is_too_long(const ModelRequest& request) const {
  const auto window = tokens();
  return window && estimated_tokens(request) > *window;
}

double Window::tokens_per_byte() const {
  return conversation_.tokens_per_byte > 0 ? conversation_.tokens_per_byte : kTokensPerByte;
}

int64_t Window::estimated_tokens(const ModelRequest& request) const {
  return static_cast<int64_t>(static_cast<double>(bytes_of(request)) * tokens_per_byte());
}

std::optional<size_t> Window::most() const {
  std::optional<size_t> bytes;
  if (const auto window = tokens()) {
    const int64_t reply = std::min(*window / 4, model_.facts().max_output.value_or(kMaxForReply));
    bytes = static_cast<size_t>(static_cast<double>(*window - reply) / tokens_per_byte());
  }
  if (refused_) bytes = std::min(bytes.value_or(*refused_), *refused_ / 2);
  return bytes;
}

// Decides: what is left out of a conversation that is too long.
size_t Window::fill(ModelRequest& request, const Side& side, const Task& task) {
  const auto take = [&] {
    request.system = conversation_.system;
    request.messages = conversation_.messages;
    return redact(request);
  };
  size_t withheld = take();
  const auto limit = most();
  if (!limit || bytes_of(request) <= *limit) return withheld;
  const auto wanted = static_cast<size_t>(static_cast<double>(*limit) * kRoom);
  const size_t last = conversation_.messages.empty() ? 0 : conversation_.messages.size() - 1;
  const auto sum = [](const std::vector<Message>& messages) {
    size_t total = 0;
    for (const Message& message : messages) total += bytes_of_message(message);
    return total;
  };
  size_t bytes = bytes_of(request);
  const size_t fixed = bytes - sum(request.messages);  // the system prompt and the tools
  shorten_results(0, last, kLeftOfResult, bytes, wanted);
  const auto shorten_newest = [&] {
    const size_t count = conversation_.messages.size();
    size_t results = 0;
    for (const Block& block : conversation_.messages.back().blocks)
      results += std::holds_alternative<ToolResult>(block) ? 1 : 0;
    const size_t left = *limit / 3 / std::max<size_t>(results, 1);
    shorten_results(0, count, std::max(left, kLeftOfResult), bytes, *limit);
  };
  // The newest message is too large by itself: no summary of the rest would make room for it.
  if (!conversation_.messages.empty() &&
      fixed + bytes_of_message(conversation_.messages.back()) > *limit)
    shorten_newest();
  if (bytes > *limit) {
    summarize(fixed, wanted, side, task);
    bytes = fixed + sum(conversation_.messages);
  }
  if (bytes > *limit) shorten_newest();
  return std::max(withheld, take());
}

// Shortens the results in the messages from..to, the first ones first, until the request has the
// wanted size.
void Window::shorten_results(size_t from, size_t to, size_t left, size_t& bytes, size_t wanted) {
  for (size_t i = from; i < to && bytes > wanted; ++i) {
    for (Block& block : conversation_.messages[i].blocks) {
      auto* result = std::get_if<ToolResult>(&block);
      const size_t most = left + sizeof kShortened;
      if (!result || result->content.size() <= most || bytes <= wanted) continue;
      bytes -= result->content.size();
      result->content = shortened(result->content, left) + kShortened;
      bytes += result->content.size();
    }
  }
}

// The model reads the messages that it is about to forget once more; the rest stays as it is. Files
// that it had read there no longer count as read.
void Window::summarize(size_t fixed, size_t wanted, const Side& side, const Task& task) {
  std::vector<Message>& messages = conversation_.messages;
  const size_t room = wanted > fixed ? wanted - fixed : 0;
  size_t begin = 0;  // of what stays
  size_t bytes = 0;
  for (size_t i = messages.size(); i-- > 1;) {
    bytes += bytes_of_message(messages[i]);
    const bool fits = static_cast<double>(bytes) <= static_cast<double>(room) * kKept;
    if (begin > 0 && !fits) break;
    if (can_begin(messages[i])) begin = i;
  }
  if (begin == 0) return;
  if (task.report)
    task.report({Progress::Kind::status, "Summarizing the earlier conversation to save room"});
  const auto removed = std::span(messages).first(begin);
  const std::string text = transcript_of(removed);
  const size_t most = std::max<size_t>(room / 4, 200);
  std::string words;
  for (size_t told = std::max<size_t>(wanted / 2, 1'000), tries = 2; words.empty() && tries > 0;
       told /= 2, --tries) {
    ModelRequest request;
    request.system = std::string(embedded_text("context/profiles/summary.md").value_or(""));
    request.messages.push_back({Message::Role::user, {TextBlock{both_ends(text, told)}}});
    const auto answer = side(request);
    if (task.stop.stop_requested()) return;  // nothing is lost
    if (answer && !is_blank_text(*answer)) words = shortened(*answer, most);
  }
  if (words.empty()) {
    words = kNoSummary + both_ends(requests_in(removed), most);
    if (task.report)
      task.report({Progress::Kind::note,
                   "The earlier conversation could not be summarized; the model continues with "
                   "your requests only"});
  }
  std::string summary =
      "Summary of the conversation so far; its messages were removed to save room:\n" + words +
      "\nRead a file again before you edit it.";
  messages.erase(messages.begin(), messages.begin() + static_cast<std::ptrdiff_t>(begin));
  if (messages.front().role == Message::Role::assistant)
    messages.insert(messages.begin(), Message{Message::Role::user, {}});
  const bool has_request = std::ranges::any_of(messages, [this](const Message& message) {
    return message.role == Message::Role::user &&
           text_of(message).find(ask_.prompt) != std::string::npos;
  });
  if (!has_request)
    summary += "\n\nThe request that you are working on:\n" + shortened(ask_.prompt, most);
  auto& blocks = messages.front().blocks;
  blocks.insert(blocks.begin(), TextBlock{std::move(summary)});
  conversation_.seen.clear();
  has_summarized_ = true;
}

bool Window::count(const ModelRequest& request, const Usage& usage) {
  if (usage.input <= 0) return true;
  const double each = static_cast<double>(usage.input) / static_cast<double>(bytes_of(request));
  if (each < kLeastTokensPerByte && usage.input >= kLeastCut) return false;
  conversation_.tokens_per_byte = std::clamp(each, 0.1, 1.0);  // nonsense is not believed
  return true;
}

std::string Window::too_small(const std::string& words) const {
  const auto window = tokens();
  return fmt::format("The conversation does not fit into the context window of {} ({}): {}",
                     model_.description(),
                     window ? fmt::format("{} tokens", *window)
                            : "of unknown size; bodkin.agent.contextWindow sets it",
                     words);
}

}  // namespace bodkin
