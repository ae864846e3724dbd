#include "lsp/mcp/editors.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "lsp/handover/runtime_socket.h"

namespace bodkin::mcp {

namespace {

using handover::Answer;
using handover::OpenFile;

constexpr std::chrono::seconds kLookLimit{3};
constexpr std::chrono::seconds kHandLimit{30};  // the server gives an editor 15

bool is_unsaved(const OpenFile& file) { return file.unsaved || file.lost; }

}  // namespace

Result<Editors> Editors::query(const std::string& root, const Task& task) {
  Editors found;
  found.root_ = root;
  const auto silent = [&](const std::string& why) {
    return fail(
        Error::Code::unavailable,
        "An editor has this folder open, but its unsaved changes are unknown: " + why + ".");
  };
  for (const std::string& path : handover::sockets_of(root)) {
    const auto connection = handover::connect_to(path);
    if (!connection) return silent(connection.error().message);
    if (!*connection) continue;
    (void)handover::write_line(**connection, line_of(handover::Request{root, {}}), kLookLimit,
                               task.stop);
    const auto line = handover::read_line(**connection, kLookLimit, task.stop);
    auto seen = line ? handover::seen_of(*line) : std::nullopt;
    // A server that has just ended is not there any more.
    if (!seen && handover::connect_to(path) == std::nullopt) continue;
    if (!seen)
      return silent("its bodkin does not answer at " + path +
                    (line ? "" : " (" + line.error().message + ")"));
    found.editors_.push_back({path, *std::move(seen)});
  }
  std::map<std::string, OpenFile, std::less<>> texts;
  for (const Editor& editor : found.editors_) {
    for (const OpenFile& file : editor.seen.open) {
      if (!is_unsaved(file)) continue;
      const auto [other, is_first] = texts.emplace(file.path, file);
      if (is_first || (!file.lost && other->second.unsaved == file.unsaved)) continue;
      found.differing_.insert(file.path);
    }
  }
  for (Editor& editor : found.editors_) {
    for (OpenFile& file : editor.seen.open) {
      if (!is_unsaved(file) || !found.differing_.contains(file.path)) continue;
      file.unsaved.reset();
      file.lost = true;
    }
  }
  return found;
}

const OpenFile* Editors::unsaved(std::string_view path) const {
  for (const Editor& editor : editors_) {
    for (const OpenFile& file : editor.seen.open) {
      if (file.path == path && is_unsaved(file)) return &file;
    }
  }
  return nullptr;
}

std::string Editors::why_unknown(std::string_view path) const {
  const OpenFile* const file = unsaved(path);
  if (!file || !file->lost) return "";
  return differing_.contains(path)
             ? "it has different unsaved texts in the editor; save one of them"
             : "the editor's text of it is not known";
}

std::string Editors::shown_as(std::string_view path) const {
  if (!unsaved(path)) return "";
  const std::string why = why_unknown(path);
  return why.empty() ? "as it is in the editor, not on the disk" : "as it is on the disk: " + why;
}

std::vector<OpenFile> Editors::all_unsaved() const {
  std::vector<OpenFile> files;
  for (const Editor& editor : editors_)
    std::ranges::copy_if(editor.seen.open, std::back_inserter(files), is_unsaved);
  return files;
}

Result<std::optional<Editors::Choice>> Editors::choose(
    const std::vector<std::string>& paths) const {
  std::vector<size_t> complete, unsaved;
  for (size_t i = 0; i < editors_.size(); ++i) {
    const auto& open = editors_[i].seen.open;
    const auto is_open = [&](const std::string& path) {
      return std::ranges::find(open, path, &OpenFile::path) != open.end();
    };
    if (std::ranges::all_of(paths, is_open)) complete.push_back(i);
    if (std::ranges::any_of(open, [&](const OpenFile& file) {
          return is_unsaved(file) && std::ranges::find(paths, file.path) != paths.end();
        }))
      unsaved.push_back(i);
  }
  if (unsaved.size() > 1)
    return fail(Error::Code::ambiguous, "these files are unsaved in several editors; save them.");
  if (!unsaved.empty()) std::erase_if(complete, [&](size_t i) { return i != unsaved[0]; });
  if (complete.empty()) return std::nullopt;
  Choice choice{complete[0], "", editors_[complete[0]].seen.moves_files};
  if (editors_.size() > 1) {
    choice.why =
        fmt::format("{} editors have this folder open; it went to the {}.\n", editors_.size(),
                    complete.size() > 1 ? "newest one" : "one that has the file open");
  }
  return choice;
}

std::optional<Answer> Editors::hand(const Choice& choice, handover::Request request,
                                    const Task& task) const {
  const auto connection = handover::connect_to(editors_[choice.editor].socket);
  if (!connection) return Answer{Answer::State::refused, connection.error().message, false, false};
  if (!*connection) return std::nullopt;
  request.root = root_;
  if (!handover::write_line(**connection, line_of(request), kLookLimit, task.stop))
    return Answer{Answer::State::refused, "It does not respond.", false, false};
  const auto line = handover::read_line(**connection, kHandLimit, task.stop);
  if (auto answer = line ? handover::answer_of(*line) : std::nullopt) return answer;
  return Answer{Answer::State::unknown, line ? "It sent an invalid answer." : line.error().message,
                false, false};
}

}  // namespace bodkin::mcp
