#include "agent/loop/now_private.h"

#include <algorithm>
#include <map>
#include <set>
#include <variant>

#include "agent/support/json.h"

namespace bodkin {

namespace {

using Paths = std::set<std::string, std::less<>>;

// Results that have names of files only; those of private ones were left out.
bool only_lists(std::string_view tool) {
  return std::ranges::any_of(std::initializer_list<std::string_view>{"list", "ls", "glob", "find"},
                             [&](std::string_view word) { return tool.starts_with(word); });
}

// "a.c:12: text" of a search.
void add_found(const std::string& content, Paths& paths) {
  for (size_t begin = 0; begin < content.size();) {
    const size_t end = std::min(content.find('\n', begin), content.size());
    const std::string_view line = std::string_view(content).substr(begin, end - begin);
    if (const size_t colon = line.find(':'); colon != line.npos && colon + 1 < line.size() &&
                                             line[colon + 1] >= '0' && line[colon + 1] <= '9' &&
                                             is_plain_path(line.substr(0, colon)))
      paths.emplace(line.substr(0, colon));
    begin = end + 1;
  }
}

// A summary forgets what was seen, so the results tell, too.
Paths paths_in(const Conversation& conversation) {
  Paths paths;
  for (const auto& [path, hash] : conversation.seen) paths.insert(path);
  std::map<std::string, std::string> named;  // by the call's id
  for (const Message& message : conversation.messages) {
    for (const Block& block : message.blocks) {
      if (const auto* call = std::get_if<ToolCall>(&block)) {
        for (const char* key : {"path", "file_path"})
          if (const auto path = call->arguments.find(key);
              path != call->arguments.end() && path->is_string() && !only_lists(call->name))
            named[call->id] = path->get<std::string>();
      } else if (const auto* result = std::get_if<ToolResult>(&block);
                 result && !result->is_error) {
        if (const auto path = named.find(result->id); path != named.end())
          paths.insert(path->second);
        if (result->name.starts_with("grep") || result->name.starts_with("search"))
          add_found(result->content, paths);
      }
    }
  }
  return paths;
}

}  // namespace

std::string now_private(const Conversation& conversation, GuardedWorkspace& guard,
                        const Task& task) {
  if (conversation.messages.empty()) return "";
  const Roots roots = guard.roots(task);
  for (const std::string& path : paths_in(conversation)) {
    const auto place = conversation.roots.find(path);
    const bool is_here = !place || conversation.roots == roots;
    const auto now = is_here ? std::nullopt : roots.find_absolute(place->absolute);
    if (is_here || now ? guard.is_private(now ? now->path : path)
                       : IgnoreLists(place->root.folder).ignores(place->inside))
      return path;
  }
  return "";
}

}  // namespace bodkin
