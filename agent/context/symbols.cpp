#include "agent/context/symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "agent/support/shown_text.h"
#include "edits/text/shortened.h"
#include "grammars/symbol_index.h"

namespace bodkin {

namespace {

constexpr size_t kMaxCandidates = 60;  // files that are looked into for a name
constexpr size_t kMaxDeclaring = 3;    // places above which a name says nothing
constexpr size_t kMaxWhole = 14;       // lines of a declaration that is shown whole
constexpr size_t kMaxHead = 6;         // lines of the head of a longer one
constexpr size_t kMaxHeadBytes = 120;  // of a line in the map
constexpr size_t kMapCandidates = 400;

// "Row.resize", "Row::resize" and "Row#resize" are one name.
std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts;
  while (!name.empty()) {
    const std::string last(simple_name(name));
    parts.insert(parts.begin(), last);
    const size_t at = name.rfind(last);
    name = at == name.npos ? "" : name.substr(0, at);
    while (!name.empty() && std::string_view(":.#").find(name.back()) != std::string_view::npos) {
      name.remove_suffix(1);
    }
    if (parts.size() > 8 || last.empty()) break;
  }
  return parts;
}

bool ends_with_parts(const std::vector<std::string>& all, const std::vector<std::string>& end) {
  return end.size() <= all.size() && std::equal(end.rbegin(), end.rend(), all.rbegin());
}

// Code of one family can use the names of the others.
std::string_view family(std::string_view path) {
  const Language* language = language_of(path);
  if (!language) return "";
  if (language->id == "c") return "cpp";
  if (language->id.starts_with("typescript")) return "javascript";
  return language->id;
}

std::string_view bare_head(std::string_view line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  while (!line.empty() && std::string_view(" \t\r{").find(line.back()) != std::string_view::npos) {
    line.remove_suffix(1);
  }
  return line;
}

// The declaration's text, or its head if it is long. Empty if it is not there any more.
std::string declaration_text(const Text& text, const IndexedSymbol& symbol) {
  const std::string name(simple_name(symbol.name));
  const size_t end = std::min(symbol.lines.end, text.line_count());
  if (symbol.name_line >= end || symbol.name_line < symbol.lines.begin ||
      text.line(symbol.name_line).find(name) == std::string::npos) {
    return "";
  }
  size_t shown = end;
  if (end - symbol.lines.begin > kMaxWhole) {
    shown = std::min(end, symbol.name_line + (is_class(symbol.kind) ? kMaxWhole : kMaxHead));
    if (!is_class(symbol.kind)) {  // up to where the body begins, as far as a line can tell
      for (size_t line = symbol.name_line; line < shown; ++line) {
        const std::string code = text.line(line);
        const std::string_view last =
            std::string_view(code).substr(0, code.find_last_not_of(" \t\r") == std::string::npos
                                                 ? 0
                                                 : code.find_last_not_of(" \t\r") + 1);
        if (last.ends_with('{') || last.ends_with(':') || last.ends_with("=>")) shown = line + 1;
      }
    }
  }
  std::string result;
  for (size_t line = symbol.lines.begin; line < shown; ++line) {
    result += shortened_to(text.line(line), 200) + "\n";
  }
  if (shown < end) result += fmt::format("[{} are not shown]\n", line_words({shown, end}));
  return result;
}

void add_words(std::string_view words, std::vector<std::string>& names) {
  const auto is_part = [](unsigned char c) { return c == '_' || c >= 0x80 || std::isalnum(c); };
  for (size_t begin = 0; begin < words.size();) {
    size_t end = begin;
    while (end < words.size() && is_part(static_cast<unsigned char>(words[end]))) ++end;
    const std::string_view word = words.substr(begin, end - begin);
    // In a sentence only what looks like code is a name.
    const bool is_call = end < words.size() && words[end] == '(';
    const bool is_mixed =
        std::ranges::any_of(word.substr(std::min<size_t>(1, word.size())),
                            [](unsigned char c) { return c == '_' || std::isupper(c); });
    if (word.size() > 2 && (is_call || is_mixed)) names.emplace_back(word);
    begin = end + 1;
  }
}

}  // namespace

ParsedFile parsed(Snapshot file, const Task& task) {
  ParsedFile result{std::move(file), std::nullopt, {}};
  const Language* language = language_of(result.file.path, result.file.text.line(0));
  if (!language) return result;
  ParseLimits limits;
  limits.stop = task.stop;
  if (auto tree = SyntaxTree::parse(*language, result.file.text, limits)) {
    result.outline = outline(*tree);
    result.tree = std::move(*tree);
  }
  return result;
}

std::vector<FoundSymbol> find_symbols(Workspace& workspace, std::string_view name,
                                      std::string_view only_in, const Task& task) {
  const std::vector<std::string> wanted = parts_of(name);
  if (wanted.empty()) return {};
  std::set<std::string> paths;
  if (!only_in.empty()) {
    paths.emplace(only_in);
  } else {
    if (const auto index = workspace.symbols(task)) {
      for (const IndexedSymbol& symbol : index->find(std::vector{wanted.back()})) {
        paths.insert(symbol.path);
        if (paths.size() >= kMaxCandidates) break;
      }
    }
    // Open and drafted files may be newer than the index.
    for (const std::string& path : workspace.open_paths(task)) paths.insert(path);
  }
  std::vector<FoundSymbol> result;
  size_t looked_into = 0;
  for (const std::string& path : paths) {
    if (task.stop.stop_requested()) break;
    auto file = workspace.read(path, task);
    if (!file || file->text.str().find(wanted.back()) == std::string::npos) continue;
    if (++looked_into > 2 * kMaxCandidates) break;
    const ParsedFile one = parsed(std::move(*file), task);
    for (const Symbol& symbol : one.outline.symbols) {
      if (simple_name(symbol.name) != wanted.back()) continue;
      std::string full = path_in_outline(one.outline, symbol);
      if (wanted.size() > 1 && !ends_with_parts(parts_of(full), wanted)) continue;
      result.push_back({one.file, symbol, std::move(full)});
    }
  }
  return result;
}

std::string path_in_outline(const Outline& outline, const Symbol& symbol) {
  std::string result = symbol.name;
  auto parent = symbol.parent;
  for (int depth = 0; parent && depth < 16; ++depth) {
    result = outline.symbols[*parent].name + "::" + result;
    parent = outline.symbols[*parent].parent;
  }
  return result;
}

const FoundSymbol* only_match(const std::vector<FoundSymbol>& found) {
  if (found.size() == 1) return &found[0];
  const FoundSymbol* with_body = nullptr;
  for (const FoundSymbol& one : found) {
    if (one.symbol.body_begin >= one.symbol.end) continue;
    if (with_body) return nullptr;
    with_body = &one;
  }
  return with_body;
}

std::string line_words(LineRange lines) {
  const size_t last = std::max(lines.end, lines.begin + 1);
  return last == lines.begin + 1 ? fmt::format("line {}", last)
                                 : fmt::format("lines {}-{}", lines.begin + 1, last);
}

std::string describe(const FoundSymbol& found) {
  return fmt::format("{}, {}: {} {}", shown_name(found.file.path), line_words(found.symbol.lines),
                     name_of(found.symbol.kind), found.path_in_outline);
}

std::string outline_text(const Outline& outline, size_t limit, size_t line) {
  struct Entry {
    size_t index, depth, distance;
  };
  std::vector<Entry> entries;
  for (size_t i = 0; i < outline.symbols.size(); ++i) {
    const Symbol& symbol = outline.symbols[i];
    const size_t depth = symbol.parent ? entries[*symbol.parent].depth + 1 : 0;
    const size_t distance = line < symbol.lines.begin ? symbol.lines.begin - line
                            : line < symbol.lines.end ? 0
                                                      : line - symbol.lines.end + 1;
    entries.push_back({i, depth, distance});
  }
  const size_t left_out = entries.size() - std::min(entries.size(), limit);
  if (left_out > 0) {
    std::ranges::stable_sort(entries, [](const Entry& a, const Entry& b) {
      return a.depth != b.depth ? a.depth < b.depth : a.distance < b.distance;
    });
    entries.resize(limit);
    std::ranges::sort(entries, {}, &Entry::index);
  }
  std::string result;
  for (const Entry& entry : entries) {
    const Symbol& symbol = outline.symbols[entry.index];
    result += fmt::format("{}{} {} ({})\n", std::string(2 * std::min<size_t>(entry.depth, 8), ' '),
                          name_of(symbol.kind), symbol.name, line_words(symbol.lines));
  }
  if (left_out > 0) result += fmt::format("({} more are not listed)\n", left_out);
  return result;
}

std::string fenced(std::string_view text, std::string_view kind) {
  size_t longest = 2, run = 0;
  for (const char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`');
  const bool is_ended = text.empty() || text.ends_with('\n');
  return fmt::format("{0}{1}\n{2}{3}{0}\n", fence, kind, text, is_ended ? "" : "\n");
}

size_t line_count_of(const Text& text) {
  const size_t count = text.line_count();
  return text.line_begin(count - 1) == text.size() ? count - 1 : count;
}

std::string declarations_text(Workspace& workspace, const ParsedFile& file, LineRange lines,
                              std::string_view words, size_t budget, const Task& task) {
  const auto index = workspace.symbols(task);
  if (!index) return "";
  std::vector<std::string> names;
  add_words(words, names);
  const size_t said = names.size();
  if (file.tree) std::ranges::move(names_used(*file.tree, lines), std::back_inserter(names));
  std::unordered_map<std::string, size_t> order;  // the first use counts
  for (size_t i = 0; i < names.size(); ++i) order.try_emplace(names[i], i);

  std::set<std::string_view> own;  // what this file declares is what it means
  for (const Symbol& symbol : file.outline.symbols) own.insert(simple_name(symbol.name));
  std::map<std::string, std::vector<IndexedSymbol>> by_name;
  for (IndexedSymbol& symbol : index->find(names, 20'000)) {
    if (symbol.path == file.file.path || symbol.kind == SymbolKind::module ||
        symbol.kind == SymbolKind::section) {
      continue;
    }
    std::string name(simple_name(symbol.name));
    // The name of a variable is in every file; a local one is meant.
    const bool is_set_by_editor = order[name] < said;
    if (!is_set_by_editor && own.contains(name)) continue;
    if (symbol.kind == SymbolKind::variable && !is_set_by_editor) continue;
    if (!is_set_by_editor && family(symbol.path) != family(file.file.path)) continue;
    by_name[std::move(name)].push_back(std::move(symbol));
  }
  struct Candidate {
    size_t places, first_use;
    const std::vector<IndexedSymbol>* symbols;
  };
  std::vector<Candidate> candidates;
  for (const auto& [name, symbols] : by_name) {
    if (symbols.size() > kMaxDeclaring) continue;
    const size_t first_use = order[name];
    candidates.push_back({first_use < said ? 0 : symbols.size(), first_use, &symbols});
  }
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    return a.places != b.places ? a.places < b.places : a.first_use < b.first_use;
  });

  std::string result;
  std::set<std::pair<std::string, size_t>> shown;
  for (const Candidate& candidate : candidates) {
    for (const IndexedSymbol& symbol : *candidate.symbols) {
      if (task.stop.stop_requested()) return result;
      if (!shown.emplace(symbol.path, symbol.lines.begin).second) continue;
      const auto other = workspace.read(symbol.path, task);
      if (!other) continue;
      const std::string text = declaration_text(other->text, symbol);
      if (text.empty()) continue;
      std::string entry =
          fmt::format("{}, {}{}{}:\n", shown_name(symbol.path), line_words(symbol.lines),
                      symbol.container.empty() ? "" : ", in ", symbol.container) +
          text;
      if (result.size() + entry.size() > budget) continue;  // a shorter one may still fit
      result += entry;
    }
  }
  return result;
}

std::string repository_map(Workspace& workspace, const std::vector<std::string>& in_context,
                           size_t budget, const Task& task) {
  const auto index = workspace.symbols(task);
  if (!index || !index->is_complete()) return "";
  std::map<std::string, std::map<size_t, std::string>> heads;  // by path, by line
  std::map<std::string, std::optional<Text>> texts;
  size_t spent = 0;
  for (const IndexedSymbol& symbol : index->most_used(in_context, kMapCandidates)) {
    if (task.stop.stop_requested() || spent + 20 > budget) break;
    if (std::ranges::find(in_context, symbol.path) != in_context.end()) continue;  // shown already
    auto [text, is_new] = texts.try_emplace(symbol.path);
    if (is_new) {
      if (auto file = workspace.read(symbol.path, task)) text->second = file->text;
    }
    if (!text->second) continue;
    const std::string line = text->second->line(symbol.name_line);
    if (line.find(simple_name(symbol.name)) == std::string::npos) continue;  // it has moved
    std::string head = shortened_to(bare_head(line), kMaxHeadBytes);
    if (!symbol.container.empty()) head += "  (in " + symbol.container + ")";
    const size_t price =
        head.size() + 3 + (heads.contains(symbol.path) ? 0 : symbol.path.size() + 2);
    if (spent + price > budget) continue;
    if (heads[symbol.path].emplace(symbol.name_line, std::move(head)).second) spent += price;
  }
  std::string result;
  for (const auto& [path, lines] : heads) {
    result += shown_name(path) + ":\n";
    for (const auto& [line, head] : lines) result += "  " + head + "\n";
  }
  return result;
}

}  // namespace bodkin
