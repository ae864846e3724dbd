#include "lsp/workspace/editor_workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "agent/support/path_text.h"
#include "agent/support/real_path.h"
#include "agent/support/shown_text.h"
#include "agent/workspace/outside.h"
#include "grammars/symbol_index.h"
#include "lsp/workspace/disk.h"
#include "lsp/workspace/edit_place.h"

namespace bodkin::lsp {

namespace {

constexpr size_t kMaxOfListing = 100000;
constexpr std::chrono::seconds kSlowListing{
    9};  // nearly as long as a program that hangs is waited for

// False if there is no folder `below`: then nothing is listed, which would start a program. Every
// ask looks for .cursor/rules.
bool may_have_files_below(const std::string& below, const std::string& root_folder,
                          std::string_view prefix) {
  const std::string_view inside = below;
  if (!inside.starts_with(prefix)) return prefix.starts_with(below + "/");
  std::error_code ignored;
  return std::filesystem::is_directory(
      root_folder + "/" + std::string(inside.substr(prefix.size())), ignored);
}

Result<Snapshot> no_places(const std::string& path) {
  return fail(Error::Code::stale,
              lone_returns_in_words(path) + ". Remove them first; if it is open, reopen it.");
}

}  // namespace

EditorWorkspace::EditorWorkspace(const Documents& documents,
                                 std::shared_ptr<const SymbolIndex> symbols, bool trusted,
                                 std::chrono::milliseconds patience)
    : roots_(documents.roots()),
      symbols_(std::move(symbols)),
      trusted_(trusted),
      symbols_by_(std::chrono::steady_clock::now() + patience) {
  for (const auto& [key, document] : documents.all()) {
    // Other schemes (git:, fugitive:) are of no use to a model.
    const bool is_file = !document.real.empty() && documents.find(roots_.file_at(document.path)) ==
                                                       &document;  // not by a second name
    if (is_file || is_untitled(document.uri)) buffers_.emplace(document.path, document);
  }
}

std::shared_ptr<const SymbolIndex> EditorWorkspace::symbols(const Task& task) {
  const bool waits = symbols_ && !symbols_->is_complete() && !roots_.empty() &&
                     std::chrono::steady_clock::now() < symbols_by_;
  if (waits) {
    if (task.report) task.report({Progress::Kind::status, "Indexing"});
    symbols_->wait_until_complete(symbols_by_, task.stop);
  }
  return symbols_;
}

Result<Snapshot> EditorWorkspace::read(std::string_view path, const Task&) {
  if (const Document* const open = open_at(path)) {
    const Document& document = *open;
    if (document.text.has_lone_returns()) return no_places(document.path);
    if (document.lost) {
      return fail(
          Error::Code::stale,
          document.path +
              " is out of sync with the editor, after carriage returns inside its lines, or a "
              "message that was invalid or not UTF-8. Close and reopen it.");
    }
    return Snapshot{std::string(path), document.version, document.text};
  }
  const auto place = place_of(path);
  if (!place) return std::unexpected(place.error());
  auto text = read_from_disk(place->absolute, place->root.folder);
  if (!text) return std::unexpected(text.error());
  if (text->has_lone_returns()) return no_places(std::string(path));
  return Snapshot{std::string(path), std::nullopt, std::move(*text)};
}

const Document* EditorWorkspace::open_at(std::string_view path) const {
  if (const auto found = buffers_.find(path); found != buffers_.end()) return &found->second;
  const auto place = buffers_.empty() || is_untitled(path) ? std::nullopt : roots_.find(path);
  const auto real = place && place->path == path ? real_path(place->absolute) : std::nullopt;
  if (!real) return nullptr;
  for (const auto& [name, document] : buffers_)
    if (!document.real.empty() && is_same_file(document.real, *real)) return &document;
  return nullptr;
}

// A file has one path: another spelling would bypass its buffer, .bodkinignore and drafts.
Result<Roots::Place> EditorWorkspace::place_of(std::string_view path) const {
  auto place = is_untitled(path) ? std::nullopt : roots_.find(path);
  if (!place && roots_.empty())
    return fail(Error::Code::not_found, std::string(path) + " is not open, nor is a folder.");
  if (!place || place->inside.empty()) {
    const auto in = path_inside(path, roots_);
    return fail(Error::Code::invalid_input,
                in ? std::string(path) + " is not in the workspace." : in.error().message + ".");
  }
  if (place->path != path) {
    return fail(Error::Code::invalid_input,
                std::string(path) + " is called " + place->path + " in this workspace.");
  }
  return *std::move(place);
}

Result<std::vector<std::string>> EditorWorkspace::list(std::string_view folder, size_t limit,
                                                       const Task& task) {
  std::string below(folder);
  while (below.ends_with('/')) below.pop_back();
  if (below == ".") below.clear();
  std::vector<std::string> result;
  for (const Root& root : roots_) {
    if (result.size() >= limit) break;
    const std::string prefix = roots_.prefix_of(root);
    if (!below.empty() && !may_have_files_below(below, root.folder, prefix)) continue;
    const std::vector<std::string> inner = roots_.inner_of(root);
    const auto begin = std::chrono::steady_clock::now();
    const auto names = list_files(root.folder, kMaxOfListing, trusted_, task.stop);
    const auto took = std::chrono::steady_clock::now() - begin;
    if (took >= kSlowListing && task.report)
      task.report(
          {Progress::Kind::note,
           fmt::format("Listing the files of {} took {} s; a .gitignore in it, or a file that "
                       "git's configuration names, may be a pipe",
                       shown_name(root.folder),
                       std::chrono::duration_cast<std::chrono::seconds>(took).count())});
    for (const std::string& name : names) {
      std::string path = prefix + name;
      if (!below.empty() && !path.starts_with(below + "/")) continue;
      if (std::ranges::any_of(inner, [&](const auto& each) { return name.starts_with(each); }))
        continue;
      if (result.size() >= limit) break;
      result.push_back(std::move(path));
    }
  }
  if (roots_.size() > 1) std::ranges::sort(result);
  return result;
}

Result<EditTarget> EditorWorkspace::edit_target(std::string_view path, bool in_place, const Task&) {
  if (is_untitled(path) && buffers_.contains(path)) return EditTarget{std::string(path), false};
  const auto place = place_of(path);
  if (!place) return std::unexpected(place.error());
  auto target = edit_place(place->root.folder, place->inside, in_place);
  if (!target) return std::unexpected(target.error());
  // Links may lead into a folder inside this one.
  const auto behind = roots_.find_absolute(join_path(place->root.folder, target->resolved));
  return EditTarget{behind ? behind->path : std::string(path), target->executable};
}

std::vector<std::string> EditorWorkspace::open_paths(const Task&) {
  std::vector<std::string> result;
  for (const auto& [path, document] : buffers_) result.push_back(path);
  return result;
}

}  // namespace bodkin::lsp
