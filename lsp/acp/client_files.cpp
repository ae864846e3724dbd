#include "lsp/acp/client_files.h"

#include <utility>

#include "agent/support/path_text.h"

namespace bodkin::acp {

namespace {

constexpr size_t kMaxText = size_t{32} << 20;  // as of a file that is read from the disk
constexpr const char* kTooLarge = "the editor's text of it is larger than 32 MB";
constexpr const char* kGaveNothing = "the editor gives an empty text for it, but it is not empty";

}  // namespace

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
  if (!content.is_string()) return fail(Error::Code::stale, "The editor gave no text.");
  if (!content.get_ref<const std::string&>().empty()) client.gives_texts = true;
  if (content.get_ref<const std::string&>().size() > kMaxText)
    return fail(Error::Code::invalid_input, kTooLarge);
  return content.get<std::string>();
}

std::string with_newlines(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
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
  if (text && is_same_file(*text, on_disk)) return std::nullopt;
  const bool is_nothing = text ? text->empty() && !client.can.reviews_writes()
                               : text.error().code == Error::Code::stale;
  if (is_nothing) {
    // A stub that reads nothing, unless it has shown that it can.
    if (!client.gives_texts || on_disk.empty()) return std::nullopt;
    return fail(Error::Code::stale, kGaveNothing);
  }
  if (!text) {
    const bool is_refused = text.error().message != kTooLarge && client.can.reads_files &&
                            !stop.stop_requested() && text.error().message != Client::kSilent;
    if (is_refused) return std::nullopt;  // it has no such file open, or may not show it
    return std::unexpected(text.error());
  }
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
  on_disk_.insert_or_assign(std::string(path), snapshot->text.str());
  auto unsaved = unsaved_text(client_, session_, join_path(folder_, place->inside),
                              snapshot->text.str(), task.stop);
  if (!unsaved && unsaved.error().code == Error::Code::cancelled)
    return std::unexpected(unsaved.error());
  if (!unsaved && (unsaved.error().code == Error::Code::stale ||
                   unsaved.error().code == Error::Code::invalid_input))
    return fail(unsaved.error().code,
                std::string(path) + " cannot be read: " + unsaved.error().message + ".");
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

}  // namespace bodkin::acp
