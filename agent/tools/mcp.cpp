#include "agent/tools/mcp.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "agent/ask/gate.h"
#include "agent/platform/paths.h"
#include "agent/support/held_secrets.h"
#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "agent/support/url.h"
#include "agent/tools/command_run.h"
#include "agent/tools/tool_functions.h"
#include "edits/text/shortened.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr std::chrono::seconds kPauseAfterFailure{60};
constexpr size_t kMaxOffered = 80;        // tools of all servers in one ask
constexpr size_t kMaxTold = 10;           // tools of a server that are not offered, by name
constexpr size_t kMaxMcpDetail = 20'000;  // bytes
constexpr size_t kShortestSecret = 8;     // bytes of a value; a shorter one is in many words

// Values that are not shown, the longest first, and the names of the variables that have them.
using Hidden = std::vector<std::pair<std::string, std::string>>;

// A URL may hold a token, too: as a value of its query, or as a long part of its path.
std::vector<std::string> secrets_in_url(std::string_view url) {
  constexpr size_t kLongPart = 16;
  std::vector<std::string> found;
  const size_t scheme = url.find("://"), query = std::min(url.find('?'), url.size());
  if (scheme == url.npos) return found;
  size_t begin = std::min(url.find_first_of("/?", scheme + 3), url.size());
  while (begin < url.size()) {
    const char before = url[begin++];
    const bool is_path = begin <= query;
    const size_t end = std::min(url.find_first_of(is_path ? "/?" : "&=", begin), url.size());
    const std::string_view part = url.substr(begin, end - begin);
    if (before == '=' || (is_path && part.size() >= kLongPart)) found.emplace_back(part);
    begin = end;
  }
  return found;
}

// Its own variables may hold tokens, which it has no reason to repeat.
Hidden hidden_of(const McpServer& server) {
  Hidden values;
  const auto add = [&](std::string name, std::string value) {
    if (may_hold_secret(name)) hold_header(value);
    if (value.size() >= kShortestSecret) values.emplace_back(std::move(value), std::move(name));
  };
  for (const std::string& variable : server.set_variables) {
    const size_t end = std::min(variable.find('='), variable.size());
    add(variable.substr(0, end), variable.substr(std::min(end + 1, variable.size())));
  }
  std::vector<std::string> names = variables_of_headers(server);
  names.insert(names.end(), server.also_variables.begin(), server.also_variables.end());
  for (const std::string& name : names)
    if (const char* value = os::getenv(name.c_str())) add(name, value);
  for (const std::string& secret : secrets_in_url(server.url)) add("its url", secret);
  for (const auto& [name, value] : server.headers) {
    add(name, value);
    add(name, value.substr(value.find(' ') + 1));  // of "Bearer TOKEN"
  }
  std::ranges::stable_sort(values, std::greater(),
                           [](const auto& each) { return each.first.size(); });
  return values;
}

// In one pass: a value may hold another, or be a variable's name.
void hide(const Hidden& values, std::string& text) {
  if (values.empty()) return;
  std::string hidden;
  for (size_t at = 0; at < text.size();) {
    const auto found = std::ranges::find_if(values, [&](const auto& each) {
      return text.compare(at, each.first.size(), each.first) == 0;
    });
    const bool is_none = found == values.end();
    hidden += is_none ? text.substr(at, 1) : "[the value of " + found->second + "]";
    at += is_none ? 1 : found->first.size();
  }
  text = std::move(hidden);
}

void hide(const Hidden& values, json& value) {
  if (auto* const text = value.get_ptr<json::string_t*>()) return hide(values, *text);
  if (values.empty() || !value.is_structured()) return;
  for (json& each : value) hide(values, each);
}

// After a call of a server that may write files: which of those that the model has read or edited
// are others now.
std::string changed_by_server(ToolBench& bench, const Task& task) {
  std::string told;
  for (const Draft::Followed& file : bench.draft.follow(task)) {
    told += fmt::format("{} has changed on disk; {}.\n", file.path, words_of(file));
    if (!file.dropped.empty() && task.report)
      task.report(
          {Progress::Kind::note,
           file.path + " has changed on disk where it was edited; those edits are dropped"});
  }
  std::vector<std::string> changed;
  for (const auto& [path, hash] : bench.conversation.seen) {
    const auto now = bench.shown.read(path, task);
    if (!now || hash_of(now->text) != hash) changed.push_back(path);
  }
  for (const std::string& path : changed) bench.conversation.seen.erase(path);
  if (!changed.empty())
    told += fmt::format("Changed since you read it: {}. Read it again before you edit it.\n",
                        fmt::join(changed, ", "));
  return told;
}

}  // namespace

// A server that is ours alone for a while. Not held: the wait was stopped.
class Mcp::Held {
 public:
  Held(Mcp& mcp, std::shared_ptr<Entry> entry, const std::stop_token& stop)
      : mcp_(mcp), entry_(std::move(entry)) {
    std::unique_lock lock(mcp_.mutex_);
    is_held_ = mcp_.freed_.wait(lock, stop, [&] { return !entry_->is_busy; });
    if (is_held_) entry_->is_busy = true;
  }
  ~Held() {
    if (!is_held_) return;
    {
      const std::lock_guard lock(mcp_.mutex_);
      entry_->is_busy = false;
    }
    mcp_.freed_.notify_all();
  }
  Held(const Held&) = delete;

  explicit operator bool() const { return is_held_; }
  McpClient* operator->() { return &entry_->client; }

 private:
  Mcp& mcp_;
  const std::shared_ptr<Entry> entry_;
  bool is_held_ = false;
};

void Mcp::configure(const std::vector<McpServer>& servers) {
  std::map<std::string, std::shared_ptr<Entry>> now;
  {
    const std::lock_guard lock(mutex_);
    for (const McpServer& server : servers) {
      const auto known = entries_.find(server.name);
      const bool is_same = known != entries_.end() && known->second->client.server() == server;
      now[server.name] = is_same ? known->second : std::make_shared<Entry>(server);
    }
    now.swap(entries_);
  }
  // The servers left in `now` end here, or with the call that they are busy with.
}

bool Mcp::is_empty() const {
  const std::lock_guard lock(mutex_);
  return entries_.empty();
}

std::vector<std::shared_ptr<Mcp::Entry>> Mcp::entries() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Entry>> result;
  for (const auto& [name, entry] : entries_) result.push_back(entry);
  return result;
}

void Mcp::tell(const std::string& sentence) {
  if (tell_) tell_(sentence);
}

void Mcp::tell_left_out(const std::shared_ptr<Entry>& entry,
                        const std::vector<std::string>& tools) {
  std::string sentence;
  if (const size_t count = std::min(tools.size(), kMaxTold); count > 0)
    sentence = fmt::format("Tools of the MCP server \"{}\" that are not offered: {}{}.",
                           entry->client.server().name,
                           fmt::join(tools.begin(), tools.begin() + count, ", "),
                           tools.size() > count ? ", … (`bodkin check` lists more)" : "");
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(entry->told, sentence) == sentence) return;
  }
  if (!sentence.empty()) tell(sentence);
}

Result<std::shared_ptr<const McpToolList>> Mcp::tools_of(const std::shared_ptr<Entry>& entry,
                                                         const Task& task) {
  {
    // Does not wait for a server that is busy with a call.
    const std::lock_guard lock(mutex_);
    if (entry->is_busy && entry->known) return entry->known;
  }
  Held client(*this, entry, task.stop);
  if (!client) return fail(Error::Code::cancelled, "Cancelled.");
  auto found = client->tools(task);
  const std::lock_guard lock(mutex_);
  if (!found) {
    if (found.error().code != Error::Code::cancelled) entry->failed = Clock::now();
    entry->known.reset();
    return std::unexpected(found.error());
  }
  entry->failed = {};
  entry->known = std::make_shared<const McpToolList>(std::move(*found));
  return entry->known;
}

std::vector<Tool> Mcp::tools(ToolBench& bench, bool takes_images, const Task& task) {
  std::vector<std::shared_ptr<Entry>> usable;
  bool starts = false;
  for (const auto& entry : entries()) {
    const std::lock_guard lock(mutex_);
    const bool has_failed =
        entry->failed != Clock::time_point() && Clock::now() < entry->failed + kPauseAfterFailure;
    if (has_failed) continue;
    usable.push_back(entry);
    starts = starts || !entry->known;
  }
  if (starts && task.report) task.report({Progress::Kind::status, "Starting the MCP servers"});
  // All start before the first is waited for; what goes wrong is told below.
  for (const auto& entry : usable) {
    {
      const std::lock_guard lock(mutex_);
      if (entry->is_busy) continue;
    }
    if (Held client(*this, entry, task.stop); client) {
      client->set_roots(bench.draft.roots(task));
      (void)client->start(task.stop);
    }
  }
  std::vector<Tool> result;
  for (const auto& entry : usable) {
    if (task.stop.stop_requested()) break;
    const auto known = tools_of(entry, task);
    const std::string& name = entry->client.server().name;
    const Hidden hidden = hidden_of(entry->client.server());
    if (!known) {
      if (known.error().code == Error::Code::cancelled) break;
      tell("The tools of the MCP server \"" + name + "\" are not offered. " +
           known.error().message);
      continue;
    }
    std::vector<std::string> left_out = (*known)->left_out;
    for (const McpTool& tool : (*known)->tools) {
      if (result.size() == kMaxOffered) {
        left_out.push_back(tool.name + " (there are too many)");
        continue;
      }
      Tool made;
      made.spec = tool.spec;
      const auto is_taken = [&](const std::string& taken) {
        return std::ranges::any_of(result,
                                   [&](const Tool& other) { return other.spec.name == taken; });
      };
      // "a_" and "b", or "a" and "_b".
      if (is_taken(made.spec.name)) made.spec.name = name_for_model(name, tool.name, is_taken);
      hide(hidden, made.spec.description);
      hide(hidden, made.spec.parameters);
      made.asks_itself = made.checks_arguments = true;
      made.title = [title = "Calling " + name + "/" + tool.name](const json&) { return title; };
      made.run = [self = shared_from_this(), entry, tool, takes_images, &bench](
                     const json& arguments, const Task& of_call) {
        return self->call(entry, tool, arguments, takes_images, bench, of_call);
      };
      result.push_back(std::move(made));
    }
    tell_left_out(entry, left_out);
  }
  return result;
}

ToolOutcome Mcp::call(const std::shared_ptr<Entry>& entry, const McpTool& tool,
                      const json& arguments, bool takes_images, ToolBench& bench,
                      const Task& task) {
  if (!arguments.is_object()) return failed(tool.spec.name + ": the arguments must be an object.");
  const McpServer& server = entry->client.server();
  const std::string subject = server.name + "/" + tool.name;
  const std::string where = server.url.empty() ? "" : " at " + origin_of(server.url);
  std::string detail = shortened_to(
      fmt::format("{}{}\n{}", subject, where, text_of_json(arguments, 2)), kMaxMcpDetail);
  const auto allowed = bench.gate->admit(
      {"mcp", subject, "Calling " + subject, std::move(detail), tool.version}, task);
  if (!allowed) return failed(allowed.error());
  Held client(*this, entry, task.stop);
  if (!client) return failed("Not called: the user cancelled.");
  client->set_roots(bench.draft.roots(task));
  auto result = client->call(tool.name, arguments, takes_images, task);
  if (!result) {
    if (result.error().code == Error::Code::cancelled)
      return failed("The call was ended: the user cancelled.");
    std::string words = result.error().message + "\nIt is not known what the call did.";
    hide(hidden_of(server), words);
    return failed(words);
  }
  hide(hidden_of(server), result->text);
  ToolOutcome outcome;
  outcome.content = shown_output(result->text, "ask for less of it");
  if (!server.is_confined) outcome.content += changed_by_server(bench, task);
  outcome.is_error = result->is_error;
  outcome.images = std::move(result->images);
  return outcome;
}

std::vector<Mcp::Finding> Mcp::check(const Task& task) {
  std::vector<Finding> findings;
  const auto all = entries();
  for (const auto& entry : all) {
    if (Held client(*this, entry, task.stop); client) (void)client->start(task.stop);
  }
  for (const auto& entry : all) {
    const McpServer& server = entry->client.server();
    Finding& finding = findings.emplace_back();
    finding.server = server.name;
    const auto known = tools_of(entry, task);
    finding.answers = known.has_value();
    if (!known) {
      finding.words = known.error().message;
      continue;
    }
    const McpToolList& list = **known;
    std::string names;
    for (const McpTool& tool : list.tools) names += (names.empty() ? "" : ", ") + tool.name;
    finding.words = fmt::format("{}: {}{}{}, {}.", server.name, counted(list.tools.size(), "tool"),
                                names.empty() ? "" : ": ", names,
                                !server.url.empty()   ? "at " + origin_of(server.url)
                                : !server.is_confined ? "not in a sandbox"
                                : server.network      ? "in a sandbox with the network"
                                                      : "in a sandbox");
    if (!list.left_out.empty())
      finding.words += fmt::format(" Left out: {}.", fmt::join(list.left_out, ", "));
  }
  return findings;
}

}  // namespace bodkin
