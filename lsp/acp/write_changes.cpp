#include "lsp/acp/write_changes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "agent/platform/files.h"
#include "agent/support/path_text.h"
#include "agent/support/shown_text.h"
#include "lsp/acp/client_write.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/sessions/changed_files.h"
#include "lsp/sessions/proposal_draft.h"
#include "lsp/sessions/unseen_change.h"

namespace bodkin::acp {

namespace {

// The change as it is in the file's text of now. Error: stale, for the user, without its period.
Result<ChangedFile> placed_in(const ChangedFile& file, const std::string& now, const Roots& roots) {
  const auto refuse = [&] {
    return fail(Error::Code::stale, file.path + " has changed since; ask again");
  };
  if (!file.after || file.rename_to) return refuse();
  std::vector<ProposedFile> files = proposed_files({file}, roots);
  if (files.size() != 1) return refuse();
  take_unseen_change(files[0], Text(now));
  std::vector<size_t> hunks;
  for (const ProposedHunk& hunk : files[0].hunks) {
    if (hunk.state != ProposedHunk::State::pending) return refuse();
    hunks.push_back(hunk.index);
  }
  return with_hunks(files[0], &hunks);
}

// Whether the editor says that it has no text of a file that the disk does not have. Errors, for
// the user, without a period: unavailable (it has), cancelled.
Result<bool> is_free_in_client(const std::string& path, const std::string& absolute, Client& client,
                               const std::string& session, const Task& task) {
  if (!client.can.reads_files) return true;
  const auto text = text_in_client(client, session, absolute, Client::kFileDeadline, task.stop);
  if (text && !text->empty()) {
    return fail(Error::Code::unavailable,
                path + " is not saved yet in the editor; save or close it first");
  }
  if (!text && text.error().code == Error::Code::cancelled) return std::unexpected(text.error());
  return text || text.error().message != Client::kSilent;
}

// Errors, for the user, without a period: stale, unavailable, invalid_input; cancelled.
// `is_silent`: the editor has not answered before.
Result<WriteRoute> route_of(const ChangedFile& file, const AskFolder& ask_folder,
                            const AttachedTexts& attached, const AttachedTexts& on_disk,
                            Client& client, const std::string& session, const Task& task,
                            bool& is_silent) {
  const ConfinedFolder& folder = ask_folder.folder();
  const auto resolved = folder.resolve(file.path);
  if (!resolved) return std::unexpected(resolved.error());
  WriteRoute route{file, absolute_for_client(ask_folder, file.path), folder.read(*resolved)};
  const int error = errno;
  auto& disk = route.disk;
  const auto text = disk ? FolderFiles(folder).read(file.path) : std::nullopt;
  const bool is_encoded = text && text->str() != *disk;
  if (is_encoded) disk = text->str();
  if (!file.before) {
    if (disk) return route;  // our own writer refuses it
    const auto is_free = is_silent
                             ? Result<bool>(false)
                             : is_free_in_client(file.path, route.absolute, client, session, task);
    is_silent = is_silent || (is_free && !*is_free);
    if (!is_free) return std::unexpected(is_free.error());
    const std::filesystem::path whole = join_path(folder.path(), *resolved);
    route.by_client = *is_free && client.can.reviews_writes() &&
                      std::filesystem::is_directory(whole.parent_path());
    return route;
  }
  if (!disk && error != ENOENT && error != ENOTDIR)
    return fail(Error::Code::unavailable, file.path + " cannot be read: " + os::strerror(error));
  if (!disk) return fail(Error::Code::stale, file.path + " is gone");
  const auto unsaved = is_silent ? fail(Error::Code::unavailable, Client::kSilent)
                                 : unsaved_text(client, session, route.absolute, *disk, task.stop);
  if (!unsaved && unsaved.error().code == Error::Code::cancelled)
    return std::unexpected(unsaved.error());
  // Its unsaved text would be lost, or overwrite the edit.
  if (!unsaved && unsaved.error().code == Error::Code::invalid_input)
    return fail(Error::Code::invalid_input, file.path + ": " + unsaved.error().message);
  is_silent = is_silent || (!unsaved && unsaved.error().code != Error::Code::stale);
  if (!unsaved)
    return fail(Error::Code::unavailable,
                "the editor did not return the text of " + file.path + "; save it first");
  const auto known = attached.find(file.path);
  if (!client.can.reads_files && known != attached.end() && !is_same_file(known->second, *disk))
    return fail(Error::Code::unavailable,
                file.path + " has unsaved changes in the editor; save it first");
  const auto read = on_disk.find(file.path);
  const bool disk_moved = read != on_disk.end() && !is_same_file(read->second, *disk);
  const bool has_not_noticed =
      disk_moved && unsaved->has_value() && is_same_file(**unsaved, read->second);
  const bool has_unsaved = unsaved->has_value() && !has_not_noticed;
  if (has_unsaved && disk_moved)
    return fail(
        Error::Code::stale,
        file.path + " has changed on the disk since, and has unsaved changes in the editor");
  const bool stays = file.after && !file.rename_to;
  if (has_unsaved && (!stays || is_encoded || !client.can.writes_files))
    return fail(Error::Code::unavailable,
                file.path + " has unsaved changes in the editor; save it first");
  const std::string& now = has_unsaved ? **unsaved : *disk;
  if (now != file.before->str()) {
    auto placed = placed_in(file, now, ask_folder.roots());
    if (!placed) return std::unexpected(placed.error());
    route.file = *std::move(placed);
    route.has_moved = true;
  }
  route.is_unsaved = has_unsaved;
  route.by_client =
      has_unsaved || (stays && !has_not_noticed && !is_encoded && client.can.reviews_writes() &&
                      !disk->starts_with(kByteOrderMark));
  return route;
}

}  // namespace

std::string absolute_for_client(const AskFolder& folder, const std::string& path) {
  return join_path(folder.folder().given(), path);
}

Written write_changes(const std::vector<ChangedFile>& files, const AskFolder& ask_folder,
                      const AttachedTexts& attached, const AttachedTexts& on_disk, Client& client,
                      const std::string& session, const Task& task) {
  const ConfinedFolder& folder = ask_folder.folder();
  Written written;
  const auto stop_with = [&](std::string_view reason) {
    written.reason = without_period(reason);
    return written;
  };
  const auto take = [&](const WriteRoute& route) {
    if (route.has_moved) written.notes.push_back(route.file.path + " changed after it was checked");
  };
  // An editor that did not answer once is not waited for with each file.
  bool is_silent = false;
  const auto find_way = [&](const ChangedFile& file) {
    return route_of(file, ask_folder, attached, on_disk, client, session, task, is_silent);
  };
  // Nobody else writes here between placing the edits and reading the files again. A signal may end
  // an editor that does not answer.
  const auto writing = Writing::begin(folder, task.stop);
  if (!writing) return stop_with(writing.error().message);
  (*writing)->let_signals_through();
  if (std::string words = recovered_words(**writing); !words.empty())
    written.notes.push_back(std::move(words));
  std::vector<ChangedFile> all, by_client, by_us;
  for (const ChangedFile& file : files) {
    auto route = find_way(file);
    if (!route) return stop_with(route.error().message);
    if (route->by_client) {
      by_client.push_back(file);
    } else {
      take(*route);
      by_us.push_back(route->file);
    }
    all.push_back(std::move(route->file));
  }
  // Everything that can be refused is checked before anything is written.
  const auto whole = writes_of(all, folder);
  if (!whole) return stop_with(whole.error().message);
  if (const auto can = check_writes(folder, *whole); !can) return stop_with(can.error().message);
  for (const ChangedFile& file : by_client) {
    // Again: while the others were written, the user may have typed, or saved.
    const auto route = find_way(file);
    if (!route) return stop_with(route.error().message);
    take(*route);
    if (!route->by_client) {
      by_us.push_back(route->file);
      continue;
    }
    ClientWrite result = write_by_client(*route, folder, client, session, task);
    if (result.state != ClientWrite::State::written) {
      written.is_changed = result.state == ClientWrite::State::other;
      if (result.state != ClientWrite::State::not_sent) written.unclear.push_back(route->file);
      return stop_with(std::move(result.words));
    }
    written.files.push_back(route->file);
    if (!result.words.empty()) written.notes.push_back(std::move(result.words));
  }
  const auto writes = writes_of(by_us, folder);
  if (!writes) return stop_with(writes.error().message);
  if (!writes->empty()) {
    if (const auto done = (*writing)->write(*writes); !done) return stop_with(done.error().message);
    if (const std::string& words = (*writing)->in_place_words(); !words.empty())
      written.notes.push_back(words);
  }
  for (const ChangedFile& file : by_us) {
    written.files.push_back(file);
    const std::string& path = file.last_path();
    const auto resolved = folder.resolve(path);
    const auto now = resolved ? folder.read(*resolved) : std::nullopt;
    const auto wrote = std::ranges::find(*writes, resolved.value_or(path), &FileWrite::path);
    if (file.after && (!now || wrote == writes->end() || now != wrote->after))
      written.notes.push_back(path + " was changed again by another program");
  }
  written.done = true;
  return written;
}

}  // namespace bodkin::acp
