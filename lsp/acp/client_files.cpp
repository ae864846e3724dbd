#include "lsp/acp/client_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <utility>

#include "agent/support/path_text.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/folder/changed_files.h"
#include "lsp/sessions/proposal_draft.h"
#include "lsp/sessions/unseen_change.h"

namespace bodkin::acp {

namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";  // a byte order mark

std::string_view without_last_newline(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

Result<std::string> text_in_client(Client& client, const std::string& session,
                                   const std::string& absolute, Client::Milliseconds deadline,
                                   const std::stop_token& stop) {
  auto answer = client.wait("fs/read_text_file", {{"sessionId", session}, {"path", absolute}},
                            deadline, stop);
  if (!answer) return std::unexpected(answer.error());
  const Json& content = member(*answer, "content");
  if (!content.is_string()) return fail(Error::Code::not_found, "The editor gave no text.");
  return content.get<std::string>();
}

// How a file is to be written.
struct WriteRoute {
  ChangedFile file;
  std::string absolute;
  std::optional<std::string> disk;  // what the disk has of it
  bool by_client = false;
  bool is_unsaved = false;  // it was placed in the editor's own text
  bool has_moved = false;   // it was placed anew
};

// The change as it is in the file's text of now. Error: stale, for the user, without its period.
Result<ChangedFile> placed_in(const ChangedFile& file, const std::string& now, const Roots& roots) {
  const auto refuse = [&] {
    return fail(Error::Code::stale, file.path + " has changed since; ask again");
  };
  if (!file.after || file.rename_to) return refuse();
  std::vector<ProposedFile> files = proposed_files(draft_files({file}), roots);
  if (files.size() != 1) return refuse();
  take_unseen_change(files[0], Text(now));
  std::vector<size_t> hunks;
  for (const ProposedHunk& hunk : files[0].hunks) {
    if (hunk.state != ProposedHunk::State::pending) return refuse();
    hunks.push_back(hunk.index);
  }
  return with_hunks(files[0], hunks);
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
                            const AttachedTexts& attached, Client& client,
                            const std::string& session, const Task& task, bool& is_silent) {
  const ConfinedFolder& folder = ask_folder.folder();
  const auto resolved = folder.resolve(file.path);
  if (!resolved) return std::unexpected(resolved.error());
  WriteRoute route{file, absolute_for_client(ask_folder, file.path), folder.read(*resolved)};
  const auto& disk = route.disk;
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
  if (!disk) return fail(Error::Code::stale, file.path + " is gone");
  const auto unsaved = is_silent ? fail(Error::Code::unavailable, Client::kSilent)
                                 : unsaved_text(client, session, route.absolute, *disk, task.stop);
  is_silent = is_silent || !unsaved;
  if (!unsaved && unsaved.error().code == Error::Code::cancelled)
    return std::unexpected(unsaved.error());
  const auto known = attached.find(file.path);
  if (!client.can.reads_files && known != attached.end() && !is_same_file(known->second, *disk))
    return fail(Error::Code::unavailable,
                file.path + " has unsaved changes in the editor; save it first");
  const bool has_unsaved = unsaved && *unsaved;
  const bool stays = file.after && !file.rename_to;
  if (has_unsaved && (!stays || !client.can.writes_files))
    return fail(Error::Code::unavailable,
                file.path + " has unsaved changes in the editor; save it first");
  const std::string& now = has_unsaved ? **unsaved : *disk;
  if (!unsaved && now != file.before->str())
    return fail(Error::Code::unavailable,
                "the editor did not return the text of " + file.path + "; save it first");
  if (now != file.before->str()) {
    auto placed = placed_in(file, now, ask_folder.roots());
    if (!placed) return std::unexpected(placed.error());
    route.file = *std::move(placed);
    route.has_moved = true;
  }
  route.is_unsaved = has_unsaved;
  route.by_client =
      has_unsaved || (unsaved && stays && client.can.reviews_writes() && !disk->starts_with(kMark));
  return route;
}

enum class LineEnds { none, lf, crlf, mixed };

LineEnds line_ends_of(std::string_view text) {
  size_t all = 0, crlf = 0;
  for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1), ++all)
    if (at > 0 && text[at - 1] == '\r') ++crlf;
  return all == 0      ? LineEnds::none
         : crlf == 0   ? LineEnds::lf
         : crlf == all ? LineEnds::crlf
                       : LineEnds::mixed;
}

const char* name_of(LineEnds ends) {
  return ends == LineEnds::lf ? "LF" : ends == LineEnds::crlf ? "CRLF" : "mixed";
}

// How the file differs from what bodkin's own writer would have left, for the user; the texts are
// the same file (is_same_file). Empty: in nothing.
std::string what_differs(const WriteRoute& route, std::string_view after, std::string_view now) {
  // The editor's own text says nothing of the line ends and the mark that it saves.
  const std::string_view like =
      route.is_unsaved && route.disk ? std::string_view(*route.disk) : after;
  std::vector<std::string> done;
  if (like.starts_with(kMark) != now.starts_with(kMark))
    done.push_back(now.starts_with(kMark) ? "added a byte order mark"
                                          : "removed the byte order mark");
  if (after.ends_with('\n') != now.ends_with('\n'))
    done.push_back(now.ends_with('\n') ? "added the last line end" : "removed the last line end");
  LineEnds was = line_ends_of(like);
  if (was == LineEnds::none) was = line_ends_of(after);
  const LineEnds is = line_ends_of(now);
  if (was != LineEnds::none && is != LineEnds::none && was != is) {
    done.push_back(fmt::format("changed the line ends from {} to {}", name_of(was), name_of(is)));
  } else if (done.empty() && !route.is_unsaved && now != after) {
    done.push_back("changed some of the line ends");
  }
  if (done.empty()) return "";
  return fmt::format("{}: the editor has {}", route.file.path, fmt::join(done, " and "));
}

// What a file has become.
struct Found {
  enum class Is { after, before, other };  // as it was to be, as it was, or neither
  Is is = Is::before;
  std::string note;  // for the user
};

// Looks on the disk, and asks the editor for so long; 0: not at all. It may be asked even though
// the turn is cancelled: what was written is to be known.
Found found_now(const WriteRoute& route, const ConfinedFolder& folder, Client& client,
                const std::string& session, Client::Milliseconds patience,
                const std::stop_token& stop) {
  using enum Found::Is;
  const std::string& path = route.file.path;
  const std::string after_text = route.file.after->str();
  const std::string before_text = route.file.before ? route.file.before->str() : "";
  const auto shown = client.can.reads_files && patience.count() > 0
                         ? text_in_client(client, session, route.absolute, patience, stop)
                         : fail(Error::Code::unavailable, "");
  const auto resolved = folder.resolve(path);
  const auto disk = resolved ? folder.read(*resolved) : std::nullopt;
  // Only the line ends were to change: that can be told from the bytes alone.
  if (route.disk && disk == route.disk && is_same_file(before_text, after_text))
    return {before, ""};
  if (disk && is_same_file(*disk, after_text))
    return {after, what_differs(route, after_text, *disk)};
  if (disk && is_same_file(without_last_newline(with_newlines(*disk)), after_text))
    return {after, "the editor has added an empty line at the end of " + path};
  if (shown && is_same_file(*shown, after_text))
    return {after, path + " is changed in the editor, not saved"};
  if (disk == route.disk && (!shown || is_same_file(*shown, before_text))) return {before, ""};
  return {other, ""};
}

// As a message: one that fills what may wait for the editor looks like an editor that does not
// read.
bool is_too_large(const std::string& content) {
  constexpr size_t kMax = size_t{32} << 20, kMaxOfByte = 6;
  return content.size() > kMax / kMaxOfByte &&
         Json(content).dump(-1, ' ', false, Json::error_handler_t::replace).size() > kMax;
}

// Writes it through the editor, and looks at what became of it, whatever the editor answers: a note
// for the user, or nothing to say. Errors, for the user: the file is as it was.
Result<std::string> write_by_client(const WriteRoute& route, const ConfinedFolder& folder,
                                    Client& client, const std::string& session, const Task& task) {
  constexpr Client::Milliseconds kAfterCancel{1'000};
  const std::string& path = route.file.path;
  const std::string after = route.file.after->str();
  // The editor's own text goes back with the line ends that it came with.
  const std::string content = route.is_unsaved ? after : with_newlines(after);
  if (is_too_large(content))
    return fail(Error::Code::unavailable,
                path + " is too large to be sent to the editor; save it, then ask again");
  const auto answer =
      client.wait("fs/write_text_file",
                  {{"sessionId", session}, {"path", route.absolute}, {"content", content}},
                  Client::kFileDeadline, task.stop);
  const bool is_cancelled = !answer && answer.error().code == Error::Code::cancelled;
  const bool is_silent = !answer && answer.error().message == Client::kSilent;
  std::string problem = answer ? "" : answer.error().message;
  while (problem.ends_with('.')) problem.pop_back();
  const Found found = found_now(route, folder, client, session,
                                is_silent      ? Client::Milliseconds(0)
                                : is_cancelled ? kAfterCancel
                                               : Client::kFileDeadline,
                                is_cancelled ? std::stop_token() : task.stop);
  if (found.is == Found::Is::before) {
    if (answer)
      return fail(Error::Code::unavailable,
                  "the editor reported writing " + path + ", but the file is unchanged");
    return fail(answer.error().code, is_silent || is_cancelled
                                         ? "the editor has not answered; it may still change " +
                                               path + ": save it first, then ask again"
                                         : "the editor refused to write " + path + ": " + problem);
  }
  const bool is_after = found.is == Found::Is::after;
  std::string note = found.note;
  if (answer && !is_after) note = "the editor also changed " + path + " (a formatter, perhaps)";
  if (!answer) {
    note = (is_cancelled ? "cancelled"
            : is_silent  ? "the editor has not answered"
                         : "the editor reported an error (" + problem + ")") +
           std::string(", but ") +
           (is_after ? path + " is written" + (note.empty() ? "" : "; " + note)
                     : path + " is neither as it was nor as it was to be; look at it");
  }
  return note;
}

}  // namespace

std::string with_newlines(std::string_view text) {
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') result += text[i];
  return result;
}

bool is_same_file(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const std::string left = with_newlines(a), right = with_newlines(b);
  return without_last_newline(left) == without_last_newline(right);
}

Result<std::optional<std::string>> unsaved_text(Client& client, const std::string& session,
                                                const std::string& absolute,
                                                const std::string& on_disk,
                                                const std::stop_token& stop) {
  if (!client.can.reads_files) return std::nullopt;
  auto text = text_in_client(client, session, absolute, Client::kFileDeadline, stop);
  if (!text) {
    const bool is_refused =
        client.can.reads_files && !stop.stop_requested() && text.error().message != Client::kSilent;
    if (is_refused) return std::nullopt;  // it has no such file open, or may not show it
    return std::unexpected(text.error());
  }
  if (text->empty() || is_same_file(*text, on_disk)) return std::nullopt;
  if (on_disk.ends_with('\n') && !text->ends_with('\n') && !client.can.reviews_writes())
    *text += '\n';
  return std::optional(*std::move(text));
}

Result<Snapshot> ClientWorkspace::read(std::string_view path, const Task& task) {
  if (const auto known = read_.find(path); known != read_.end()) return known->second;
  auto snapshot = disk_->read(path, task);
  if (!snapshot || !client_.can.reads_files || is_silent_) return snapshot;
  const auto place = disk_->roots(task).find(path);
  if (!place) return snapshot;
  auto unsaved = unsaved_text(client_, session_, join_path(folder_, place->inside),
                              snapshot->text.str(), task.stop);
  if (!unsaved && unsaved.error().code == Error::Code::cancelled)
    return std::unexpected(unsaved.error());
  if (!unsaved) {
    is_silent_ = true;
    if (task.report)
      task.report(
          {Progress::Kind::note, "The editor did not return its text; using the files on disk."});
  }
  if (unsaved && *unsaved) {
    snapshot->text = Text(**std::move(unsaved));
    unsaved_.push_back(snapshot->path);
  }
  return read_.emplace(std::string(path), *std::move(snapshot)).first->second;
}

std::string absolute_for_client(const AskFolder& folder, const std::string& path) {
  return join_path(folder.folder().given(), path);
}

Written write_changes(const std::vector<ChangedFile>& files, const AskFolder& ask_folder,
                      const AttachedTexts& attached, Client& client, const std::string& session,
                      const Task& task) {
  const ConfinedFolder& folder = ask_folder.folder();
  Written written;
  const auto stop_with = [&](std::string reason) {
    while (reason.ends_with('.')) reason.pop_back();
    written.reason = std::move(reason);
    return written;
  };
  const auto take = [&](const WriteRoute& route) {
    if (route.has_moved) written.notes.push_back(route.file.path + " changed after it was checked");
  };
  // An editor that did not answer once is not waited for with each file.
  bool is_silent = false;
  const auto find_way = [&](const ChangedFile& file) {
    return route_of(file, ask_folder, attached, client, session, task, is_silent);
  };
  // From where the edits are placed to where the files are read again, nobody else writes here. A
  // signal may end an editor that does not answer.
  const auto writing = Writing::begin(folder, "acp", task.stop);
  if (!writing) return stop_with(writing.error().message);
  (*writing)->let_signals_through();
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
  // What can be refused is looked at before anything is written.
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
    auto note = write_by_client(*route, folder, client, session, task);
    if (!note) return stop_with(note.error().message);
    written.files.push_back(route->file);
    if (!note->empty()) written.notes.push_back(*std::move(note));
  }
  const auto writes = writes_of(by_us, folder);
  if (!writes) return stop_with(writes.error().message);
  if (!writes->empty())
    if (const auto done = (*writing)->write(*writes); !done) return stop_with(done.error().message);
  for (const ChangedFile& file : by_us) {
    written.files.push_back(file);
    const std::string& path = file.rename_to ? *file.rename_to : file.path;
    const auto resolved = folder.resolve(path);
    const auto now = resolved ? folder.read(*resolved) : std::nullopt;
    if (file.after && (!now || *now != file.after->str()))
      written.notes.push_back(path + " was changed again by another program");
  }
  written.done = true;
  return written;
}

}  // namespace bodkin::acp
