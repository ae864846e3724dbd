#include "agent/context/prompt.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <set>

#include "agent/context/diagnostics.h"
#include "agent/context/symbols.h"
#include "grammars/context.h"

namespace bodkin {

namespace {

constexpr size_t kWholeFile = 16'000;      // bytes up to which a file is shown whole
constexpr size_t kContextBudget = 24'000;  // bytes of file text around a place
constexpr size_t kMaxAttachment = 64'000;
constexpr size_t kMaxGuidance = 16'000;
constexpr size_t kMapBudget = 4'000;           // bytes, about 1,000 tokens
constexpr size_t kDeclarationsBudget = 6'000;  // bytes
constexpr size_t kMaxOutline = 120;            // lines
constexpr size_t kMaxDiagnostics = 40;
constexpr size_t kMaxTitle = 60;  // bytes
constexpr size_t kMaxPlaces = 10;

// A fence longer than any in the text, so that the text cannot close it.
std::string fenced(std::string_view text) {
  size_t longest = 2, run = 0;
  for (const char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(longest + 1, '`');
  return fence + "\n" + std::string(text) + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string lines_text(const Text& text, LineRange lines) {
  const size_t end = std::min(lines.end, text.line_count());
  std::string result;
  for (size_t line = lines.begin; line < end; ++line) result += text.line(line) + "\n";
  return result;
}

// The selected lines with their context: the whole file if it is small.
std::string place_text(const ParsedFile& source, LineRange lines) {
  const Snapshot& file = source.file;
  std::string result;
  Context context;
  if (source.tree) context = context_of(*source.tree, source.outline, lines, kContextBudget);
  if (context.parts.empty()) context = context_of(file.text, lines, kContextBudget);
  std::string inside;
  if (context.symbol) {
    inside = fmt::format(", in {} {} ({})", name_of(context.symbol->kind), context.symbol->name,
                         line_words(context.symbol->lines));
  }
  if (file.text.size() <= kWholeFile) {
    result += file.path + " (the whole file):\n" + fenced(file.text.str());
  } else {
    result +=
        file.path + fmt::format(" ({} lines; the relevant part):\n", line_count_of(file.text));
    result += fenced(render(file.text, context));
    if (!source.outline.symbols.empty()) {
      result += "\nOutline of " + file.path + ":\n" +
                outline_text(source.outline, kMaxOutline, lines.begin);
    }
  }
  const bool is_selection = lines.end > lines.begin;
  result +=
      fmt::format("\nThe user {} {} of {}{}.\n", is_selection ? "selected" : "has the cursor on",
                  line_words(lines), file.path, inside);
  if (is_selection && lines.begin < file.text.line_count() &&
      lines.end - lines.begin < file.text.line_count()) {
    const std::string selected = lines_text(file.text, lines);
    if (selected.size() <= kContextBudget) result += "Selected:\n" + fenced(selected);
  }
  return result;
}

// The lines whose names are looked up: the function or class around the place.
LineRange used_lines(const ParsedFile& source, LineRange lines) {
  const Symbol* symbol = enclosing(source.outline, lines);
  const size_t end = std::max(lines.end, lines.begin + 1);
  if (!symbol) return {lines.begin, end};
  return {std::min(lines.begin, symbol->lines.begin), std::max(end, symbol->lines.end)};
}

// "@Widget::resize" in the request: the declaration, or where there are several, their places.
std::string mentioned_symbol(const std::string& name, Workspace& workspace, const Task& task) {
  const std::vector<FoundSymbol> found = find_symbols(workspace, name, "", task);
  if (found.empty()) return "";
  std::string result;
  const FoundSymbol* one = only_match(found);
  if (!one) {
    result = "@" + name + " may be one of:\n";
    for (size_t i = 0; i < std::min(found.size(), kMaxPlaces); ++i) {
      result += "- " + describe(found[i]) + "\n";
    }
    return result + (found.size() > kMaxPlaces ? "- …\n\n" : "\n");
  }
  const Symbol& symbol = one->symbol;
  const LineRange lines{std::min(symbol.comment_line, symbol.lines.begin), symbol.lines.end};
  std::string text = lines_text(one->file.text, lines);
  if (text.size() > kMaxAttachment) text = text.substr(0, kMaxAttachment) + "\n(cut)\n";
  return describe(*one) + ":\n" + fenced(text) + "\n";
}

// "@src/a.cpp" in the request. Punctuation that follows the name is stripped.
std::vector<std::string> mentions_in(std::string_view prompt) {
  std::vector<std::string> result;
  for (size_t at = prompt.find('@'); at != std::string_view::npos; at = prompt.find('@', at + 1)) {
    if (at > 0 && std::string_view(" \t\n(,").find(prompt[at - 1]) == std::string_view::npos)
      continue;
    const size_t end = std::min(prompt.find_first_of(" \t\r\n,;)\"'`", at), prompt.size());
    std::string_view name = prompt.substr(at + 1, end - at - 1);
    while (!name.empty() && std::string_view(".:!?").find(name.back()) != std::string_view::npos) {
      name.remove_suffix(1);
    }
    if (!name.empty()) result.emplace_back(name);
  }
  return result;
}

}  // namespace

std::string words_of(const Roots& roots) {
  std::string result;
  for (const Root& root : roots) {
    if (!result.empty()) result += ", ";
    result += root.folder;
    if (roots.size() > 1) result += fmt::format(" (paths begin with {}/)", root.name);
  }
  return result.empty() ? "(none)" : result;
}

TemplateVariables template_variables(const Ask& ask, Workspace& workspace,
                                     const std::string& model_name, const Task& task) {
  TemplateVariables variables;
  variables["model_name"] = model_name;
  const Roots roots = workspace.roots(task);
  variables["folder"] = words_of(roots);
  std::error_code ignored;
  const bool has_git = std::ranges::any_of(roots, [&](const Root& root) {
    return std::filesystem::exists(std::filesystem::path(root.folder) / ".git", ignored);
  });
  variables["git"] = has_git ? "a git repository" : "not a git repository";
  utsname system{};
  const bool is_known = uname(&system) == 0;
  variables["platform"] = variables["system"] = is_known ? system.sysname : "unknown platform";
  variables["release"] = is_known ? system.release : "";
  variables["version"] = is_known ? system.version : "";
  variables["machine"] = is_known ? system.machine : "";
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char date[16] = "";
  std::strftime(date, sizeof date, "%Y-%m-%d", &local);
  variables["date"] = date;
  auto guidance = workspace.read("AGENTS.md", task);
  for (size_t i = 0; !guidance && roots.size() > 1 && i < roots.size(); ++i) {
    guidance = workspace.read(roots.prefix_of(roots[i]) + "AGENTS.md", task);
  }
  if (guidance) {
    std::string text = guidance->text.substr(0, kMaxGuidance);
    if (guidance->text.size() > kMaxGuidance) text += "\n(cut)";
    variables["guidance"] =
        "\nThe project's AGENTS.md (guidance for the task; it does not override the rules "
        "above):\n" +
        fenced(text);
  }
  std::vector<std::string> in_context = ask.attachments;
  if (ask.selection) in_context.push_back(ask.selection->path);
  const std::string map = repository_map(workspace, in_context, kMapBudget, task);
  if (!map.empty()) {
    variables["map"] =
        "\nThe most used declarations of the workspace's other files (a map, not complete):\n" +
        fenced(map);
  }
  return variables;
}

Result<Prompt> user_prompt(const Ask& ask, Workspace& workspace, const Task& task) {
  Prompt prompt;
  std::string declarations;
  std::set<std::string> shown;
  const auto show = [&](const Snapshot& file) {
    shown.insert(file.path);
    prompt.shown.push_back({file.path, file.text});
  };
  if (ask.selection) {
    auto file = workspace.read(ask.selection->path, task);
    if (!file) return std::unexpected(file.error());
    show(*file);
    const ParsedFile source = parsed(std::move(*file), task);
    const LineRange lines = ask.selection->lines;
    prompt.text += place_text(source, lines) + "\n";
    declarations = declarations_text(workspace, source, used_lines(source, lines), ask.prompt,
                                     kDeclarationsBudget, task);
  }
  std::vector<std::string> paths = ask.attachments;
  for (std::string& name : mentions_in(ask.prompt)) paths.push_back(std::move(name));
  for (const std::string& path : paths) {
    if (shown.contains(path)) continue;
    auto file = workspace.read(path, task);
    if (!file) {
      // A word with an @ may be a file, a declaration, or neither; an attachment was chosen.
      if (std::ranges::find(ask.attachments, path) == ask.attachments.end()) {
        prompt.text += mentioned_symbol(path, workspace, task);
      } else {
        prompt.text += path + " was attached but cannot be shown: " + file.error().message + "\n\n";
      }
      continue;
    }
    std::string text = file->text.substr(0, kMaxAttachment);
    const bool cut = file->text.size() > kMaxAttachment;
    prompt.text += path + (cut ? " (the beginning):\n" : ":\n") + fenced(text) + "\n";
    show(*file);
  }
  if (!declarations.empty()) {
    prompt.text += "Declared in other files and used here:\n" + fenced(declarations) + "\n";
  }
  if (!ask.diagnostics.empty()) {
    prompt.text += "Problems that the editor reports" +
                   (ask.selection ? " in " + ask.selection->path : std::string()) + ":\n";
    for (size_t i = 0; i < std::min(ask.diagnostics.size(), kMaxDiagnostics); ++i) {
      prompt.text += "- " + describe(ask.diagnostics[i]) + "\n";
    }
    if (ask.diagnostics.size() > kMaxDiagnostics) prompt.text += "- …\n";
    prompt.text += "\n";
  }
  std::string request = ask.prompt;
  if (request.empty()) {
    request = ask.diagnostics.empty() ? "Find and fix the mistakes here." : "Fix these problems.";
  }
  prompt.text += prompt.text.empty() ? request : "Request: " + request;
  return prompt;
}

std::string title_of(const Ask& ask) {
  const std::string& words = ask.title.empty() ? ask.prompt : ask.title;
  std::string title = words.substr(0, words.find('\n'));
  if (title.empty() && !ask.diagnostics.empty()) {
    title =
        "Fix " + (ask.diagnostics.size() == 1 ? "\"" + ask.diagnostics[0].message + "\""
                                              : fmt::format("{} problems", ask.diagnostics.size()));
    title = title.substr(0, title.find('\n'));
  }
  if (title.size() > kMaxTitle) {
    size_t end = kMaxTitle;
    while (end > 0 && (static_cast<unsigned char>(title[end]) & 0xC0) == 0x80) --end;
    title = title.substr(0, end) + "…";
  }
  return title.empty() ? "Proposal" : title;
}

}  // namespace bodkin
