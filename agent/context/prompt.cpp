// More than 350 lines: each part of a prompt, in the order in which the model reads it.
#include "agent/context/prompt.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "agent/context/diagnostics.h"
#include "agent/context/mentions.h"
#include "agent/context/named.h"
#include "agent/context/symbols.h"
#include "agent/support/shown_text.h"
#include "agent/workspace/privacy.h"
#include "agent/workspace/secrets.h"
#include "edits/text/shortened.h"
#include "grammars/context.h"

namespace bodkin {

namespace {

constexpr size_t kWholeFile = 16'000;      // bytes up to which a file is shown whole
constexpr size_t kContextBudget = 24'000;  // bytes of file text around a place
constexpr size_t kMaxAttachment = 64'000;
constexpr size_t kDeclarationsBudget = 6'000;  // bytes
constexpr size_t kMaxOutline = 120;            // lines
constexpr size_t kMaxDiagnostics = 40;
constexpr size_t kMaxPlaces = 10;
constexpr size_t kMaxFolderFiles = 200;   // files of a folder that is mentioned
constexpr size_t kFolderBudget = 8'000;   // bytes, with their outlines
constexpr size_t kMaxFolderOutline = 30;  // lines for each
constexpr size_t kNamedBudget = 24'000;   // bytes of what the request names in its own words
constexpr size_t kMaxNamedOutline = 60;   // lines for a file that is too large for it
constexpr size_t kBytesOfOutlineLine = 40;
constexpr size_t kLeastShown = 200;  // bytes of a file; less says nothing

// How much of a place is shown, in bytes of its file except for the outline.
struct PlaceBudget {
  explicit PlaceBudget(size_t room)
      : whole(std::min(kWholeFile, room / 2)),
        around(std::min(kContextBudget, room / 2)),
        selected(std::min(kContextBudget, room / 4)),
        outline(std::min(kMaxOutline, room / 8 / kBytesOfOutlineLine)) {}
  size_t whole, around, selected, outline;
};

std::string lines_text(const Text& text, LineRange lines) {
  const size_t end = std::min(lines.end, text.line_count());
  std::string result;
  for (size_t line = lines.begin; line < end; ++line) result += text.line(line) + "\n";
  return result;
}

// Says which characters of the lines are selected, if not all; the lines may be redacted, or others
// by now.
std::string characters_text(const Selection& selection, const std::string& lines) {
  const std::string& selected = selection.characters;
  if (selected.empty() || selection.from >= lines.size() ||
      lines.compare(selection.from, selected.size(), selected) != 0) {
    return "";
  }
  const size_t column =
      static_cast<size_t>(std::ranges::count_if(lines.substr(0, selection.from), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
      }));
  return fmt::format("Of {} only this is selected, from character {} of line {} on:\n",
                     selection.lines.end - selection.lines.begin == 1 ? "it" : "them", column + 1,
                     selection.lines.begin + 1) +
         fenced(selected);
}

// The selected lines with their context: the whole file if it is small.
std::string place_text(const ParsedFile& source, const Selection& selection,
                       const PlaceBudget& budget) {
  const Snapshot& file = source.file;
  const LineRange lines = selection.lines;
  std::string result;
  Context context;
  if (source.tree) context = context_of(*source.tree, source.outline, lines, budget.around);
  if (context.parts.empty()) context = context_of(file.text, lines, budget.around);
  std::string inside;
  if (context.symbol) {
    inside = fmt::format(", in {} {} ({})", name_of(context.symbol->kind), context.symbol->name,
                         line_words(context.symbol->lines));
  }
  if (file.text.size() <= budget.whole) {
    result += shown_name(file.path) + " (the whole file):\n" + fenced(file.text.str());
  } else {
    result += shown_name(file.path) +
              fmt::format(" ({} lines; the relevant part):\n", line_count_of(file.text));
    result += fenced(render(file.text, context));
    if (!source.outline.symbols.empty() && budget.outline > 0) {
      result += "\nOutline of " + shown_name(file.path) + ":\n" +
                outline_text(source.outline, budget.outline, lines.begin);
    }
  }
  const bool is_selection = lines.end > lines.begin;
  if (lines.begin >= file.text.line_count())  // a link to what was there once
    inside = fmt::format(", which has only {} lines", line_count_of(file.text));
  result +=
      fmt::format("\nThe user {} {} of {}{}.\n", is_selection ? "selected" : "has the cursor on",
                  line_words(lines), shown_name(file.path), inside);
  if (is_selection && lines.begin < file.text.line_count() &&
      lines.end - lines.begin < file.text.line_count()) {
    const std::string selected = lines_text(file.text, lines);
    if (selected.size() <= budget.selected) result += "Selected:\n" + fenced(selected);
  }
  if (is_selection) result += characters_text(selection, lines_text(file.text, lines));
  return result;
}

// The lines whose names are looked up: the function or class around the place.
LineRange used_lines(const ParsedFile& source, LineRange lines) {
  const Symbol* symbol = enclosing(source.outline, lines);
  const size_t end = std::max(lines.end, lines.begin + 1);
  if (!symbol) return {lines.begin, end};
  return {std::min(lines.begin, symbol->lines.begin), std::max(end, symbol->lines.end)};
}

// Its first lines, at most `most` bytes in total; a longer line is cut.
std::string whole_lines(std::string_view text, size_t most) {
  if (text.size() <= most) return std::string(text);
  const size_t end = text.substr(0, most).rfind('\n');
  return end == text.npos ? shortened_to(std::string(text), most) + "\n"
                          : std::string(text.substr(0, end + 1));
}

// The declaration with the comment above it.
std::string symbol_text(const FoundSymbol& found, size_t most) {
  const Symbol& symbol = found.symbol;
  const LineRange lines{std::min(symbol.comment_line, symbol.lines.begin), symbol.lines.end};
  std::string text = lines_text(found.file.text, lines);
  if (text.size() > most) text = whole_lines(text, most) + "(cut)\n";
  return describe(found) + ":\n" + fenced(text) + "\n";
}

// The places of several declarations.
std::string places_text(const std::string& name, const std::vector<FoundSymbol>& found) {
  std::string result = "@" + name + " may be one of:\n";
  for (size_t i = 0; i < std::min(found.size(), kMaxPlaces); ++i) {
    result += "- " + describe(found[i]) + "\n";
  }
  return result + (found.size() > kMaxPlaces ? "- …\n\n" : "\n");
}

std::string mentioned_name(std::string folder) {
  while (folder.ends_with('/')) folder.pop_back();
  return folder;
}

// "@src/" in the request: its files, and what the first of them declare.
std::string mentioned_folder(const std::string& mention, Workspace& workspace, size_t room,
                             const Task& task) {
  const std::string folder = mentioned_name(mention);
  const auto listed = workspace.list(folder, kMaxFolderFiles + 1, task);
  if (!listed || listed->empty()) return "";
  std::string result = shown_name(folder) + "/:\n";
  for (size_t i = 0; i < std::min(listed->size(), kMaxFolderFiles); ++i) {
    const std::string& path = (*listed)[i];
    if (result.size() > room) return result + "…\n\n";
    result += shown_name(path) + "\n";
    if (result.size() > std::min(kFolderBudget, room / 2) || task.stop.stop_requested()) continue;
    if (auto file = workspace.read(path, task)) {
      result += outline_text(parsed(std::move(*file), task).outline, kMaxFolderOutline);
    }
  }
  return result + (listed->size() > kMaxFolderFiles ? "…\n\n" : "\n");
}

// "@property", "@param": a word of a language, which names nothing and need not be explained.
bool is_annotation(std::string_view word) {
  static constexpr std::string_view kWords[] = {
      "abstractmethod", "author",       "brief",      "cached_property",
      "charset",        "classmethod",  "component",  "container",
      "contextmanager", "dataclass",    "deprecated", "doc",
      "example",        "fixture",      "font-face",  "implementation",
      "import",         "inheritdoc",   "injectable", "input",
      "interface",      "internal",     "keyframes",  "layer",
      "link",           "lru_cache",    "main",       "media",
      "objc",           "output",       "override",   "param",
      "private",        "property",     "protocol",   "pytest",
      "return",         "returns",      "see",        "selector",
      "since",          "staticmethod", "supports",   "template",
      "test",           "throws",       "todo",       "ts-ignore",
      "type",           "typedef",      "version",    "wraps"};
  // The way Java, Swift and Python write them: @Override, @app.route.
  const bool is_type = !word.empty() && word[0] >= 'A' && word[0] <= 'Z';
  return is_type || std::ranges::find(kWords, word) != std::end(kWords);
}

}  // namespace

std::vector<std::string> paths_of(const Ask& ask) {
  std::vector<std::string> paths = ask.attachments;
  if (ask.selection) paths.push_back(ask.selection->path);
  return paths;
}

std::vector<std::string> paths_of(const Ask& ask, const Prompt& prompt) {
  std::vector<std::string> paths = paths_of(ask);
  for (const ShownFile& file : prompt.shown) paths.push_back(file.path);
  for (const std::string& folder : prompt.folders) paths.push_back(folder + "/");
  return paths;
}

namespace {

// Puts a prompt together, part by part, within `room` bytes.
class PromptParts {
 public:
  PromptParts(const Ask& ask, Workspace& workspace, size_t room, const Task& task)
      : ask_(ask), workspace_(workspace), room_(room), task_(task) {}

  Result<void> add_selection(bool with_related, bool whole_file) {
    auto file = workspace_.read(ask_.selection->path, task_);
    if (!file) return std::unexpected(file.error());
    show(*file);
    const bool has_others = !ask_.attachments.empty();
    const PlaceBudget budget(has_others ? room_ / 2 : room_);
    if (whole_file && file->text.size() > budget.whole) show_whole(*file, room_ / 2);
    const ParsedFile source = parsed(std::move(*file), task_);
    const LineRange lines = ask_.selection->lines;
    note_size(source.file.path, source.file.text.size(), kWholeFile, budget.whole);
    prompt.text += place_text(source, *ask_.selection, budget) + "\n";
    if (with_related) {
      declarations_ = declarations_text(workspace_, source, used_lines(source, lines), ask_.prompt,
                                        std::min(kDeclarationsBudget, room_ / 8), task_);
    }
    return {};
  }

  void add_attachments() {
    for (size_t i = 0; i < ask_.attachments.size(); ++i) {
      const std::string& path = ask_.attachments[i];
      if (shown_.contains(path)) continue;
      if (auto file = workspace_.read(path, task_)) {
        show_whole(*file, left() / (ask_.attachments.size() - i));
      } else {
        prompt.text += shown_name(path) +
                       " was attached but cannot be shown: " + file.error().message + "\n\n";
      }
    }
  }

  void add_mention(const Mention& mention) {
    using Kind = Mention::Kind;
    if (mention.name.empty() || shown_.contains(mention.name)) return;
    const bool any = mention.kind == Kind::any;
    if (any || mention.kind == Kind::file) {
      if (const auto file = workspace_.read(mention.name, task_)) return show_whole(*file, left());
    }
    if (any || mention.kind == Kind::symbol) {
      const auto found = find_symbols(workspace_, mention.name, "", task_);
      if (const FoundSymbol* one = only_match(found)) return show_symbol(*one);
      if (!found.empty()) {
        prompt.text += places_text(mention.name, found);
        return;
      }
    }
    // A word with an @ may also be none of them.
    std::string folder;
    if (any || mention.kind == Kind::folder)
      folder = mentioned_folder(mention.name, workspace_, left(), task_);
    if (const std::string name = mentioned_name(mention.name);
        !folder.empty() && is_plain_path(name))
      prompt.folders.push_back(name);
    if (folder.empty() && !is_annotation(mention.name)) {
      if (!any || looks_like_path(mention.name))
        folder = "@" + mention.name + " is not in the workspace.\n\n";
      if (task_.report) {
        task_.report({Progress::Kind::note,
                      "@" + mention.name + " names nothing in the workspace that can be shown"});
      }
    }
    prompt.text += folder;
  }

  // Adds what the request names in its own words, without an @.
  void add_named() {
    const size_t end = prompt.text.size() + std::min(kNamedBudget, left());
    const Named named = named_in(ask_.prompt, workspace_, task_);
    for (const FoundSymbol& symbol : named.symbols) {
      if (!shown_.contains(symbol.file.path) && prompt.text.size() < end) show_symbol(symbol);
    }
    for (const std::string& path : named.files) {
      if (shown_.contains(path) || prompt.text.size() >= end) continue;
      auto file = workspace_.read(path, task_);
      if (!file) continue;
      if (file->text.size() <= std::min(kWholeFile, end - prompt.text.size())) {
        show_whole(*file, end - prompt.text.size());
      } else {
        const size_t lines = line_count_of(file->text);
        const std::string outline =
            outline_text(parsed(std::move(*file), task_).outline, kMaxNamedOutline);
        prompt.text +=
            fmt::format("{} ({} lines; its outline):\n{}\n", shown_name(path), lines, outline);
      }
    }
  }

  void add_problems() {
    prompt.text += "Problems that the editor reports" +
                   (ask_.selection ? " in " + shown_name(ask_.selection->path) : std::string()) +
                   ":\n";
    const size_t end = prompt.text.size() + std::max(left(), room_ / 8);
    size_t told = 0;
    for (; told < std::min(ask_.diagnostics.size(), kMaxDiagnostics); ++told) {
      if (told > 0 && prompt.text.size() > end) break;
      prompt.text += "- " + describe(ask_.diagnostics[told]) + "\n";
    }
    if (told < ask_.diagnostics.size()) prompt.text += "- …\n";
    prompt.text += "\n";
  }

  // Adds those that the selection uses.
  void add_declarations() {
    if (!declarations_.empty())
      prompt.text += "Declared in other files and used here:\n" + fenced(declarations_) + "\n";
  }

  Prompt prompt;

 private:
  size_t left() const { return room_ - std::min(room_, prompt.text.size()); }

  void show(const Snapshot& file) {
    shown_.insert(file.path);
    prompt.shown.push_back({file.path, file.text});
  }

  void note_size(const std::string& path, size_t size, size_t usual, size_t most) {
    if (std::min(size, usual) > most) prompt.shortened.insert(path);
  }

  void show_whole(const Snapshot& file, size_t most) {
    const size_t size = file.text.size();
    most = std::min(most, kMaxAttachment);
    note_size(file.path, size, kMaxAttachment, most);
    if (size > most && most < kLeastShown) {
      prompt.text += shown_name(file.path) + " is too long to be shown here.\n\n";
      return;
    }
    prompt.text += shown_name(file.path) + (size > most ? " (the beginning):\n" : ":\n") +
                   fenced(whole_lines(file.text.str(), most)) + "\n";
    show(file);
  }

  void show_symbol(const FoundSymbol& found) {
    const size_t most = std::max(std::min(left(), kMaxAttachment), kLeastShown);
    prompt.text += symbol_text(found, most);
    prompt.shown.push_back({found.file.path, found.file.text});
  }

  const Ask& ask_;
  Workspace& workspace_;
  const size_t room_;
  const Task& task_;
  std::string declarations_;
  std::set<std::string> shown_;
};

}  // namespace

// Decides: what the model is shown with a request.
Result<Prompt> user_prompt(const Ask& ask, Workspace& workspace, Shown what, bool whole_file,
                           size_t room, const Task& task) {
  const bool with_related = what == Shown::related;
  PromptParts parts(ask, workspace, room, task);
  if (ask.selection) {
    if (const auto added = parts.add_selection(with_related, whole_file); !added)
      return std::unexpected(added.error());
  }
  parts.add_attachments();
  for (const Mention& mention : mentions_in(ask.prompt)) parts.add_mention(mention);
  if (ask.resolves_names && with_related) parts.add_named();
  parts.add_declarations();
  if (!ask.diagnostics.empty()) parts.add_problems();
  std::string request = ask.prompt;
  if (request.empty()) {
    request = ask.diagnostics.empty() ? "Find and fix the mistakes here." : "Fix these problems.";
  }
  Prompt& prompt = parts.prompt;
  prompt.text += prompt.text.empty() ? request : "Request: " + request;
  return std::move(prompt);
}

}  // namespace bodkin
