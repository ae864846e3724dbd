#include <fmt/format.h>

#include <algorithm>

#include "agent/context/symbols.h"
#include "agent/tools/tool_functions.h"
#include "grammars/symbol_index.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxOutlined = 400;  // symbols of a file
constexpr size_t kMaxFiles = 60;      // of a folder
constexpr size_t kMaxOfFolder = 300;  // symbols of all of them
constexpr size_t kMaxPlaces = 20;
constexpr size_t kMaxNamedFiles = 20;  // files that are none of source
constexpr size_t kMaxSimilar = 3;

ToolOutcome not_found(ToolBench& bench, const std::string& name, const Task& task) {
  constexpr char kAdvice[] = "Search for the name.";
  const std::string text = "No declaration named " + name;
  const auto index = bench.draft.symbols(task);
  if (!index) return failed(text + " in the open files.", kAdvice);
  if (!index->is_complete())
    return failed(text + " in the workspace (indexing is not finished).", kAdvice);
  std::string similar;
  size_t count = 0;
  for (const std::string& other : index->similar_names(std::string(simple_name(name)), 10)) {
    for (const FoundSymbol& found : find_symbols(bench.shown, other, "", task)) {
      if (++count <= kMaxSimilar) similar += "\nSimilar: " + describe(found);
      break;
    }
    if (count >= kMaxSimilar) break;
  }
  return failed(text + " in the workspace." + similar, count > 0 ? "" : kAdvice);
}

ToolOutcome shown(ToolBench& bench, const FoundSymbol& found) {
  const Text& text = found.file.text;
  const size_t begin = std::min(found.symbol.comment_line, found.symbol.lines.begin);
  const NumberedLines lines = numbered(text, begin, found.symbol.lines.end);
  note_read(bench, found.file.path, text, {begin, lines.shown}, line_count_of(text));
  std::string result = describe(found) + "\n" + lines.text;
  if (lines.shown < found.symbol.lines.end) {
    result += fmt::format("(truncated; read the file from line {} on)\n", lines.shown + 1);
  }
  return {std::move(result)};
}

ToolOutcome outline_of_folder(ToolBench& bench, const std::string& path, const Task& task) {
  auto paths = bench.draft.list(path, 10'000, task);
  if (!paths) return failed(paths.error());
  std::string result;
  size_t files = 0, symbols = 0, left_out = 0;
  for (const std::string& one : *paths) {
    if (task.stop.stop_requested()) return failed("Cancelled.");
    if (!language_of(one)) continue;
    if (files >= kMaxFiles || symbols >= kMaxOfFolder) {
      ++left_out;
      continue;
    }
    auto file = bench.shown.read(one, task);
    if (!file) continue;
    const ParsedFile source = parsed(std::move(*file), task);
    result += one + "\n";
    ++files;
    for (const Symbol& symbol : source.outline.symbols) {
      if (symbol.parent && source.outline.symbols[*symbol.parent].kind != SymbolKind::module) {
        continue;
      }
      if (++symbols > kMaxOfFolder) break;
      result += fmt::format("  {} {} ({})\n", name_of(symbol.kind), symbol.name,
                            line_words(symbol.lines));
    }
  }
  if (files == 0) {
    std::string words = "No source files below " + (path.empty() ? "the folder" : path);
    const size_t named = std::min(paths->size(), kMaxNamedFiles);
    for (size_t i = 0; i < named; ++i) words += (i == 0 ? "; there are " : ", ") + (*paths)[i];
    if (named < paths->size()) words += fmt::format(" and {} more files", paths->size() - named);
    return failed(words + ".");
  }
  if (left_out > 0 || symbols > kMaxOfFolder) {
    result +=
        fmt::format("(truncated; {} more files; ask for a subfolder or one file)\n", left_out);
  }
  return {std::move(result)};
}

}  // namespace

ToolOutcome outline_of(ToolBench& bench, const json& arguments, const Task& task) {
  auto path = path_in_workspace(string_of(arguments, "path"), bench.draft.roots(task));
  if (!path) return failed(path.error());
  if (path->empty()) return outline_of_folder(bench, "", task);
  auto file = bench.shown.read(*path, task);
  if (!file) {
    const auto below = bench.draft.list(*path, 1, task);
    if (below && !below->empty()) return outline_of_folder(bench, *path, task);
    return failed(missing(*path, file.error(), bench.draft, task));
  }
  const ParsedFile source = parsed(std::move(*file), task);
  if (!source.tree) {
    return failed(*path + " is in an unsupported language or cannot be parsed.", "Read the file.");
  }
  if (source.outline.symbols.empty()) return {*path + " has no declarations."};
  return {fmt::format("{} ({} lines)\n", *path, line_count_of(source.file.text)) +
          outline_text(source.outline, kMaxOutlined)};
}

ToolOutcome read_symbol(ToolBench& bench, const json& arguments, const Task& task) {
  const std::string name = string_of(arguments, "name");
  auto path = path_in_workspace(string_of(arguments, "path"), bench.draft.roots(task));
  if (!path) return failed(path.error());
  const int64_t line = arguments.value("line", int64_t{0});
  if (name.empty() && (path->empty() || line < 1)) {
    return failed("Give a name, or a path and a line.");
  }
  if (!path->empty()) {
    auto file = bench.shown.read(*path, task);
    if (!file) return failed(missing(*path, file.error(), bench.draft, task));
    if (line > 0) {
      const auto at = static_cast<size_t>(line - 1);
      if (at >= file->text.line_count()) {
        return failed(fmt::format("{} has only {} lines.", *path, line_count_of(file->text)));
      }
      const ParsedFile source = parsed(std::move(*file), task);
      for (const FoundSymbol& found : name.empty() ? std::vector<FoundSymbol>()
                                                   : find_symbols(bench.shown, name, *path, task)) {
        if (found.symbol.comment_line <= at && at < found.symbol.lines.end)
          return shown(bench, found);
      }
      const Symbol* symbol = enclosing(source.outline, {at, at + 1});
      if (!symbol) {
        return failed(fmt::format("Line {} of {} is not in a function or class.", line, *path),
                      "Read the file.");
      }
      return shown(bench, {source.file, *symbol, path_in_outline(source.outline, *symbol)});
    }
  }
  const std::vector<FoundSymbol> found = find_symbols(bench.shown, name, *path, task);
  if (found.empty()) {
    return path->empty() ? not_found(bench, name, task)
                         : failed(*path + " does not declare " + name + ".",
                                  "Look at the declarations of its file.");
  }
  const FoundSymbol* one = only_match(found);
  std::string others;
  size_t count = 0;
  for (const FoundSymbol& each : found) {
    if (&each != one && ++count <= kMaxPlaces) others += describe(each) + "\n";
  }
  if (count > kMaxPlaces) others += fmt::format("… and {} more\n", count - kMaxPlaces);
  if (!one) {
    const std::string& qualified = found[0].path_in_outline;
    return {
        fmt::format("{} is declared in {} places; give path and line{}:\n{}", name, found.size(),
                    qualified == name ? "" : ", or a qualified name such as " + qualified, others)};
  }
  ToolOutcome outcome = shown(bench, *one);
  if (!others.empty()) outcome.content += "Also declared at:\n" + others;
  return outcome;
}

}  // namespace bodkin
