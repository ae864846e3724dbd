#include "lsp/acp/client_write.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <vector>

#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "edits/plan/diff.h"
#include "lsp/acp/client_files.h"

namespace bodkin::acp {

namespace {

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

// The differences from what bodkin's own writer would have left, for the user; the texts are the
// same file (is_same_file). Empty if there are none.
std::string what_differs(const WriteRoute& route, std::string_view after, std::string_view now) {
  // The editor's own text does not tell the line ends and the mark that it saves.
  const std::string_view like =
      route.is_unsaved && route.disk ? std::string_view(*route.disk) : after;
  std::vector<std::string> done;
  if (like.starts_with(kByteOrderMark) != now.starts_with(kByteOrderMark))
    done.push_back(now.starts_with(kByteOrderMark) ? "added a byte order mark"
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

// The state of a file after a write.
struct Found {
  // The wanted text, perhaps with more; the old text; something else without the edit.
  enum class Is { after, before, other };
  Is is = Is::before;
  std::string note;  // for the user
};

std::string without_blanks(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') result += c;
  return result;
}

struct Count {
  size_t there = 0, all = 0;
};

// The number of changes that are in the file, each next to one of its neighbouring lines, ignoring
// blanks. A formatter may have moved the lines, or changed others.
Count edits_in(const WriteRoute& route, const std::string& now) {
  const Text before = route.file.before.value_or(Text()), after = *route.file.after;
  const size_t size = after.size();
  const std::string found = without_blanks(now);
  Count count;
  for (const LineChange& edit : line_changes(before, after)) {
    const size_t begin = edit.new_offset, end = begin + edit.text.size();
    const std::string own = without_blanks(edit.text);
    const size_t line = after.line_of(begin), next = after.line_of(end);
    const std::string above = begin > 0 ? without_blanks(after.line(line - 1)) : "";
    const std::string below = end < size ? without_blanks(after.line(next)) : "";
    const auto has = [&](const std::string& part) { return !part.empty() && found.contains(part); };
    ++count.all;
    if (own.empty() ? has(above + below) : has(above + own) || has(own + below)) ++count.there;
  }
  return count;
}

// Looks on the disk, and asks the editor for up to `patience`; 0: not at all. It may be asked even
// though the turn is cancelled, to learn what was written.
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
  // If only the line ends were to change, the bytes alone can tell.
  if (route.disk && disk == route.disk && is_same_file(before_text, after_text))
    return {before, ""};
  if (disk && is_same_file(*disk, after_text))
    return {after, what_differs(route, after_text, *disk)};
  if (disk && is_same_file(without_last_newline(with_newlines(*disk)), after_text))
    return {after, "the editor has added an empty line at the end of " + path};
  // A stub's empty text says nothing.
  const bool is_told = shown && (!shown->empty() || !disk || disk->empty());
  if (is_told && is_same_file(*shown, after_text))
    return {after, path + " is changed in the editor, not saved"};
  if (disk == route.disk && (!shown || is_same_file(*shown, before_text))) return {before, ""};
  if (shown && disk == route.disk && edits_in(route, *shown).there > 0)
    return {after, path + " is changed in the editor, not saved"};
  if (!disk) return {other, "is gone"};
  if (disk->empty()) return {other, "is empty"};
  const Count edits = edits_in(route, *disk);
  if (edits.there == 0) return {other, "has neither its old nor its new text"};
  if (edits.there < edits.all) {
    return {after, fmt::format("{} has only {} of the {} changes as they were proposed; check it",
                               path, edits.there, edits.all)};
  }
  return {after, "the editor also changed " + path + " (a formatter, perhaps)"};
}

// Counts its size as a message: one that fills the queue looks like an editor that does not read.
bool is_too_large(const std::string& content) {
  constexpr size_t kMax = size_t{32} << 20, kMaxOfByte = 6;
  return content.size() > kMax / kMaxOfByte && text_of_json(Json(content)).size() > kMax;
}

std::string reason_of(const Result<Json>& refusal) {
  return without_period(refusal.error().message);
}

// The editor's answer, as the beginning of a sentence.
std::string words_of_answer(const Result<Json>& answer, const std::string& path) {
  if (answer) return "the editor reported writing " + path;
  if (answer.error().code == Error::Code::cancelled) return "cancelled";
  if (answer.error().message == Client::kSilent) return "the editor has not answered";
  return "the editor reported an error (" + reason_of(answer) + ")";
}

}  // namespace

ClientWrite write_by_client(const WriteRoute& route, const ConfinedFolder& folder, Client& client,
                            const std::string& session, const Task& task) {
  using enum ClientWrite::State;
  constexpr Client::Milliseconds kAfterCancel{1'000};
  const std::string& path = route.file.path;
  const std::string after = route.file.after->str();
  // The editor's own text goes back with the line ends that it came with.
  const std::string content = route.is_unsaved ? after : with_newlines(after);
  if (is_too_large(content))
    return {not_sent, path + " is too large to be sent to the editor; save it, then ask again"};
  const auto answer =
      client.wait("fs/write_text_file",
                  {{"sessionId", session}, {"path", route.absolute}, {"content", content}},
                  Client::kFileDeadline, task.stop);
  const bool is_cancelled = !answer && answer.error().code == Error::Code::cancelled;
  const bool is_silent = !answer && answer.error().message == Client::kSilent;
  const Found found = found_now(route, folder, client, session,
                                is_silent      ? Client::Milliseconds(0)
                                : is_cancelled ? kAfterCancel
                                               : Client::kFileDeadline,
                                is_cancelled ? std::stop_token() : task.stop);
  const std::string said = words_of_answer(answer, path);
  switch (found.is) {
    case Found::Is::after:
      if (answer) return {written, found.note};
      return {written, said + ", but " + path + " is written" +
                           (found.note.empty() ? "" : "; " + found.note)};
    case Found::Is::other:
      return {other, said + ", but " + path + " " + found.note + "; check it"};
    case Found::Is::before:
      break;
  }
  if (is_silent || is_cancelled)
    return {unchanged, "the editor has not answered; it may still change " + path +
                           ": save it first, then ask again"};
  if (!answer) return {unchanged, "the editor refused to write " + path + ": " + reason_of(answer)};
  return {unchanged, said + ", but " + path + " had not changed by then"};
}

}  // namespace bodkin::acp
