#include "agent/context/completion.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

#include "agent/context/own_prompts.h"
#include "agent/context/slash_commands.h"
#include "agent/support/shown_text.h"
#include "grammars/symbol_index.h"

namespace bodkin {

namespace {

using Item = Completions::Item;

constexpr size_t kMaxItems = 50;
constexpr size_t kMaxSymbols = 15;
constexpr size_t kMaxCompletedFiles = 20'000;

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

size_t find_any_case(std::string_view text, std::string_view part) {
  const auto found = std::ranges::search(text, part, same_letter);
  return found.empty() && !part.empty() ? std::string_view::npos
                                        : static_cast<size_t>(found.begin() - text.begin());
}

// How well a path fits the typed text, lower is better: 0 its name begins with it, 1 the path does,
// 2 it is in the name, 3 it is in the path, 4 it does not fit.
int misfit(std::string_view path, std::string_view typed) {
  const std::string_view name = path.substr(path.find_last_of('/', path.size() - 2) + 1);
  const size_t in_name = find_any_case(name, typed), in_path = find_any_case(path, typed);
  if (in_name == 0) return 0;
  if (in_path == 0) return 1;
  return in_name != std::string_view::npos ? 2 : in_path != std::string_view::npos ? 3 : 4;
}

// Words that mean something else after an @.
constexpr std::string_view kKeywords[] = {"diagnostics", "diff", "selection"};

std::string_view prefix_for(std::string_view prefix, std::string_view name,
                            std::string_view clear_prefix) {
  const bool is_keyword = std::ranges::find(kKeywords, name) != std::end(kKeywords);
  return prefix.empty() && is_keyword ? clear_prefix : prefix;
}

// Empty: no mention can name it, or its name could act as text of the request.
std::string mention_of_path(std::string_view prefix, const std::string& path) {
  if (path.find('"') != std::string::npos || shown_name(path) != path) return "";
  const bool needs_quotes = path.find_first_of(" \t,;)]}>'`") != std::string::npos;
  return "@" + std::string(prefix_for(prefix, path, "file:")) +
         (needs_quotes ? "\"" + path + "\"" : path);
}

void add_paths(std::string_view prefix, std::string_view typed, bool files, bool folders,
               Workspace& workspace, const Task& task, std::vector<Item>& items) {
  const auto listed = workspace.list("", kMaxCompletedFiles, task);
  if (!listed) return;
  std::set<std::string> all;
  for (const std::string& path : *listed) {
    if (files) all.insert(path);
    for (size_t slash = path.find('/'); folders && slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      all.insert(path.substr(0, slash + 1));
    }
  }
  std::vector<std::tuple<int, size_t, std::string>> ranked;
  for (const std::string& path : all) {
    if (mention_of_path(prefix, path).empty()) continue;
    if (const int rank = misfit(path, typed); rank < 4)
      ranked.emplace_back(rank, path.size(), path);
  }
  const size_t most = std::min(ranked.size(), kMaxItems);
  std::ranges::partial_sort(ranked, ranked.begin() + static_cast<std::ptrdiff_t>(most));
  for (size_t i = 0; i < most; ++i) {
    const std::string& path = std::get<2>(ranked[i]);
    items.push_back({path, mention_of_path(prefix, path), "",
                     path.ends_with('/') ? Item::Kind::folder : Item::Kind::file});
  }
}

void add_symbols(std::string_view prefix, std::string_view typed, Workspace& workspace,
                 const Task& task, std::vector<Item>& items) {
  const auto index = workspace.symbols(task);
  if (!index || typed.empty()) return;
  // Ranks by how well the name fits; a declaration and its definition are one item.
  std::map<std::tuple<int, size_t, std::string>, std::string> ranked;
  index->visit([&](std::string_view path, const FileSymbols& file) {
    for (const FileSymbols::Definition& definition : file.definitions) {
      const std::string_view full = file.name(definition);
      if (definition.kind == SymbolKind::section) continue;
      const size_t found = find_any_case(simple_name(full), typed);
      if (found == std::string_view::npos && find_any_case(full, typed) != 0) continue;
      const std::string container = file.container(definition);
      std::string label = (container.empty() ? "" : container + "::") + std::string(full);
      ranked.try_emplace({found == 0 ? 0 : 1, label.size(), std::move(label)}, path);
      if (ranked.size() > kMaxSymbols) ranked.erase(std::prev(ranked.end()));
    }
  });
  for (const auto& [rank, path] : ranked) {
    const std::string& label = std::get<2>(rank);
    items.push_back({label, "@" + std::string(prefix_for(prefix, label, "symbol:")) + label,
                     shown_name(path), Item::Kind::symbol});
  }
}

}  // namespace

std::string_view name_of(Item::Kind kind) {
  constexpr std::string_view kNames[] = {"command", "file", "folder", "symbol", "keyword"};
  return kNames[static_cast<size_t>(kind)];
}

Completions complete_request(std::string_view text, size_t cursor, const std::string& own_prompts,
                             Workspace& workspace, const Task& task) {
  text = text.substr(0, cursor);
  Completions result;
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '/' &&
      text.find_first_of(" \t\r\n", first) == std::string_view::npos) {
    result.begin = first;
    for (const SlashCommand& command : slash_commands()) {
      if (!command.name.starts_with(text.substr(first + 1))) continue;
      const std::string name = "/" + std::string(command.name);
      result.items.push_back({name, name + " ", std::string(command.summary), Item::Kind::command});
    }
    for (const OwnPrompt& own : bodkin::own_prompts(own_prompts)) {
      if (!own.name.starts_with(text.substr(first + 1))) continue;
      result.items.push_back(
          {"/" + own.name, "/" + own.name + " ", own.summary, Item::Kind::command});
    }
    return result;
  }
  const size_t at = text.rfind('@');
  result.begin = text.size();
  if (at == std::string_view::npos) return result;
  std::string_view typed = text.substr(at + 1);
  std::string_view prefix;
  for (const std::string_view each : {"file:", "folder:", "symbol:"}) {
    if (typed.starts_with(each)) prefix = each;
  }
  typed.remove_prefix(prefix.size());
  const bool is_quoted = typed.starts_with('"');
  if (is_quoted) typed.remove_prefix(1);
  if (typed.find_first_of(is_quoted ? "\"\n" : " \t\r\n,;") != std::string_view::npos)
    return result;
  result.begin = at;
  if (prefix.empty() && !is_quoted) {
    for (const auto& [word, summary] :
         {std::pair{"diagnostics", "The problems that the editor reports in the file"},
          std::pair{"diff", "What has changed since the last commit"},
          std::pair{"selection", "The selected lines"},
          std::pair{"staged", "What is staged for the next commit"}}) {
      if (!std::string_view(word).starts_with(typed)) continue;
      result.items.push_back(
          {"@" + std::string(word), "@" + std::string(word), summary, Item::Kind::keyword});
    }
  }
  const bool any = prefix.empty();
  if (any || prefix != "symbol:") {
    add_paths(prefix, typed, any || prefix == "file:", any || prefix == "folder:", workspace, task,
              result.items);
  }
  if (!is_quoted && (any || prefix == "symbol:")) {
    const size_t paths = result.items.size();
    add_symbols(prefix, typed, workspace, task, result.items);
    // Both kinds are seen.
    if (result.items.size() > kMaxItems && paths > kMaxItems - kMaxSymbols) {
      const size_t symbols = result.items.size() - paths;
      result.items.erase(result.items.begin() + static_cast<std::ptrdiff_t>(kMaxItems - symbols),
                         result.items.begin() + static_cast<std::ptrdiff_t>(paths));
    }
  }
  return result;
}

}  // namespace bodkin
