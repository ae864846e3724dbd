#include "agent/placing/shown_fences.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "edits/formats/reply_lines.h"
#include "edits/lazy/lazy.h"
#include "edits/lazy/part_of_file.h"
#include "edits/text/line_keys.h"
#include "grammars/languages.h"

namespace bodkin {

namespace {

// True if a file with this name may be created. A name without a folder may also be a module
// ("os.path"), a host or a product ("Node.js"), so a new file's language must be known, or similar
// files must exist.
bool may_be_new(const std::string& path, const std::vector<std::string>& paths) {
  if (path.find('/') != std::string::npos) return true;
  const size_t dot = path.rfind('.');
  if (dot == std::string::npos) return true;
  const std::string_view extension = std::string_view(path).substr(dot);
  if (extension == ".js" && path[0] >= 'A' && path[0] <= 'Z') return false;
  return language_of(path) != nullptr || std::ranges::any_of(paths, [&](const std::string& other) {
           return other.ends_with(extension);
         });
}

// The file that a fence below this path shows; nothing: it is a new file. `info`: the fence's info
// string.
std::optional<TargetFile> shown_file(const FileChange& change, std::string_view info,
                                     const Files& files) {
  const TargetFile none{plain_path(change.path), std::nullopt};
  if (TargetFile exact = target_file(files, change.path, false);
      exact.text || !exact.why_outside.empty())
    return exact;
  const std::vector<std::string> alike = similar_paths(files, none.path);
  for (const std::string& path : alike) {
    auto text = files.read(path);
    if (text && resembles(*text, change.contents)) return TargetFile{path, std::move(text)};
  }
  if (forbidden(none.path) || !names_file(none.path) || change.kind == FileChange::Kind::lazy)
    return none;
  // "run.py", and below it the command that runs it.
  const Language* const language = language_with_id(info.substr(0, info.find_first_of(" :{")));
  const bool is_commands = language && language == language_of("a.sh");
  if (is_commands && language_of(none.path) && language_of(none.path) != language) return none;
  if (!may_be_new(none.path, files.paths())) return none;
  // A bare name of a file in some folder is hardly a new file.
  const bool is_bare = none.path.find('/') == std::string::npos;
  return is_bare && !alike.empty() ? std::optional(none) : std::nullopt;
}

// True if people write the name of one on a fence of the other.
bool are_alike(const Language& a, const Language& b) {
  static const std::vector<std::vector<std::string_view>> families = {
      {"c", "cpp"},
      {"javascript", "typescript", "typescriptreact"},
      {"html", "xml", "php"},
      {"ocaml", "ocaml.interface"}};
  return std::ranges::any_of(families, [&](const auto& family) {
    return std::ranges::find(family, a.id) != family.end() &&
           std::ranges::find(family, b.id) != family.end();
  });
}

// Whether the fence's info string names something else than such a file. `text`: the reply.
bool is_of_another_language(const FileChange& change, std::string_view text) {
  const ReplyLines reply(text);
  if (change.source_line == 0 || change.source_line > reply.size()) return false;
  std::string info(fence_info(reply.lines[change.source_line - 1]).value_or(""));
  info.erase(std::min(info.find_first_of(" \t:{,="), info.size()));
  info = lower_case(info);
  if (info.empty()) return false;
  const Language* const of_file = language_of(change.path, Text(change.contents).line(0));
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, info) != names.end();
  };
  if (is_one_of({"console", "terminal", "output", "stdout", "shell-session", "sh-session",
                 "session", "powershell", "ps1", "pwsh", "cmd", "bat", "batch"})) {
    const size_t dot = change.path.rfind('.');
    const std::string_view ending =
        std::string_view(change.path).substr(std::min(dot, change.path.size()));
    return ending != ".ps1" && ending != ".psm1" && ending != ".bat" && ending != ".cmd";
  }
  if (is_one_of({"text", "txt", "plain", "plaintext"})) return of_file && of_file->id != "markdown";
  if (is_one_of({"diff", "patch"}))
    return !change.path.ends_with(".diff") && !change.path.ends_with(".patch");
  // The name of a language, or of a file of it ("py", "tsx"); any other word says nothing.
  const Language* of_fence = language_with_id(info);
  if (!of_fence) of_fence = language_of("a." + info);
  if (!of_fence || of_fence == of_file) return false;
  // Commands are below files of every kind; else both languages must be known, and not be a
  // dialect of one another.
  const Language* const shell = language_of("a.sh");
  const std::string name = change.path.substr(change.path.rfind('/') + 1);
  const size_t dot = name.rfind('.');  // ".env" and "Makefile" hold what looks like a shell's text
  if (of_fence == shell) return of_file || (dot != 0 && dot != name.npos);
  return of_file && !are_alike(*of_fence, *of_file);
}

// True if the fence is an edit of the file: all of it, changed, or a sketch that finds its places.
bool is_edit(const FileChange& change, const TargetFile& file, std::string_view text,
             const Syntax* syntax) {
  if (!file.text || is_of_another_language(change, text)) return false;
  if (change.contents.empty()) return change.as<FileFence>()->has_bare_path;
  if (is_quote(change.contents, *file.text)) return false;
  if (change.kind == FileChange::Kind::lazy)
    return merge_lazy(change.contents, *file.text, file.path).has_value();
  return brings_lines(*file.text, change.contents) &&
         !why_not_whole(change, file.path, *file.text, change.contents, syntax);
}

}  // namespace

// Decides: whether a fence in a reply is an edit or only shown.
std::vector<ShownFence> take_shown(EditPlan& plan, std::string_view text, const Files& files,
                                   const Syntax* syntax) {
  const ReplyLines reply(text);
  std::vector<ShownFence> shown;
  std::erase_if(plan.changes, [&](FileChange& change) {
    if (!change.is_shown()) return false;
    const auto info = fence_info(reply.lines[change.source_line - 1]);
    auto file = shown_file(change, info.value_or(""), files);
    if (!file) {
      change.kind = FileChange::Kind::create;
      return false;
    }
    if (is_edit(change, *file, text, syntax)) return false;
    shown.push_back({std::move(change), *std::move(file)});
    return true;
  });
  return shown;
}

std::vector<ShownFence> take_other_languages(EditPlan& plan, std::string_view text,
                                             const Files& files) {
  std::vector<ShownFence> shown;
  std::erase_if(plan.changes, [&](FileChange& change) {
    if (!change.is_shown()) return false;
    TargetFile target = target_file(files, change.path, false);
    if (!target.text || !is_of_another_language(change, text)) return false;
    shown.push_back({std::move(change), std::move(target)});
    return true;
  });
  return shown;
}

std::optional<Failure> doubt_of(const std::vector<ShownFence>& shown, const ApplyReport* report,
                                bool takes_whole_files) {
  for (const auto& [change, target] : shown) {
    if (!target.text && !names_file(target.path)) continue;  // "Linux/macOS:", and commands
    std::vector<Text> texts;
    if (target.text) texts.push_back(*target.text);
    if (report) {
      for (const ChangedFile& file : report->files)
        if (file.after && file.rename_to.value_or(file.path) == target.path)
          texts.push_back(*file.after);
    }
    const auto quotes = [&](const Text& text) { return is_quote(change.contents, text); };
    const auto is_like = [&](const Text& text) { return resembles(text, change.contents); };
    if (std::ranges::any_of(texts, quotes)) continue;
    // Next to edits, anything else may be another edit; alone, only if it resembles the file.
    if (!report && std::ranges::none_of(texts, is_like)) continue;
    return Failure{
        FailureKind::malformed,
        fmt::format(
            "the code block at line {} of the reply is below the path {} but does not quote that "
            "file",
            change.source_line, target.path),
        takes_whole_files
            ? "if it is an edit, write the file's own language after the opening fence"
            : "if it is an edit, send it as a SEARCH/REPLACE block"};
  }
  return std::nullopt;
}

}  // namespace bodkin
