// Keeps what the model has read, and finds the edits that need it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "agent/placing/placing.h"
#include "agent/support/fnv1a.h"
#include "agent/workspace/secrets.h"
#include "edits/lazy/part_of_file.h"
#include "edits/text/comments.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

// A whole file that keeps half or more of the old one's lines is not written blindly. Lines without
// a word and the comment at the file's head do not count: many files share them.
bool keeps_half(const ChangedFile& file) {
  if (!file.after) return false;
  const Text& before = *file.before;
  size_t count = 0, lost = 0;
  bool is_head = true;
  for (size_t i = 0; i < before.line_count(); ++i) {
    const std::string line = before.line(i);
    const std::string_view words = trimmed(line);
    if (std::ranges::none_of(words, [](unsigned char c) { return std::isalnum(c) || c >= 0x80; }))
      continue;
    is_head =
        is_head && (is_comment(words) || words.starts_with("#!") || words.starts_with("\"\"\""));
    if (is_head) continue;
    ++count;
    const size_t begin = before.line_begin(i), end = begin + line.size();
    lost += std::ranges::any_of(file.edits, [&](const Replacement& edit) {
      return edit.length > 0 && edit.offset < end && begin < edit.offset + edit.length;
    });
  }
  return count > 0 && lost * 2 <= count;
}

// A plan that deletes a file needs no more reading when it adds it again.
bool is_placed_by_context(const FileChange& change) {
  return (change.kind != FileChange::Kind::overwrite || change.as<Readded>()) &&
         std::ranges::none_of(change.hunks,
                              [](const Hunk& hunk) { return hunk.as<NumberedEdit>(); });
}

}  // namespace

uint64_t hash_of(const Text& raw) {
  const Text text(hide_secrets(raw.str()));
  uint64_t hash = fnv1a("");
  for (size_t offset = 0; offset < text.size();) {
    const std::string_view chunk = text.chunk_at(offset);
    hash = fnv1a(chunk, hash);
    offset += chunk.size();
  }
  return hash;
}

bool knows_text(const EditContext& context, const std::string& path, const Text& text) {
  const auto seen = context.seen->find(path);
  return text.size() == 0 || (seen != context.seen->end() && seen->second == hash_of(text));
}

std::optional<BlindEdit> blind_edit_in(const EditPlan& plan, const ApplyReport& report,
                                       const EditContext& context) {
  if (!context.seen) return std::nullopt;
  size_t next = 0;
  for (const FileChange& change : plan.changes) {
    if (next >= report.hunks.size()) return std::nullopt;
    const std::string path = report.hunks[next].path;
    // Counts like apply(): a whole-file change is one hunk.
    next += change.kind == FileChange::Kind::update ? change.hunks.size() : 1;
    if (is_placed_by_context(change)) continue;
    const auto file = std::ranges::find(report.files, path, &ChangedFile::path);
    if (file == report.files.end() || !file->before || knows_text(context, path, *file->before))
      continue;
    const bool was_read = context.seen->contains(path);
    // Text that an empty SEARCH half adds at the end shows nothing of the file.
    const EmptySearch* const empty = change.as<EmptySearch>();
    const bool is_added =
        empty && empty->text_decides && !has_most_of(Text(change.contents), file->before->str());
    if (!was_read && change.kind == FileChange::Kind::overwrite && !is_added && keeps_half(*file))
      continue;
    Error why{.code = Error::Code::stale,
              .message = path + " has changed since it was read.",
              .advice = "Read it again."};
    if (!was_read) {
      why.message =
          path + " has not been read, so it is changed neither as a whole nor by line numbers.";
      why.advice = "Quote the lines to change.";
    }
    return BlindEdit{path, std::move(why)};
  }
  return std::nullopt;
}

std::string changed_since_read(const ApplyReport& report, const Files& files,
                               const EditContext& context) {
  std::vector<std::string> changed;
  for (const HunkReport& hunk : report.hunks) {
    if (!hunk.failure || !context.seen || !context.seen->contains(hunk.path) ||
        std::ranges::find(changed, hunk.path) != changed.end())
      continue;
    const auto now = files.read(hunk.path);
    if (now && !knows_text(context, hunk.path, *now)) changed.push_back(hunk.path);
  }
  if (changed.empty()) return "";
  return fmt::format(" {} changed after the model had read {}.", fmt::join(changed, ", "),
                     changed.size() == 1 ? "it" : "them");
}

void remember_texts(const std::vector<ChangedFile>& files, const EditContext& context) {
  if (!context.seen) return;
  for (const ChangedFile& file : files) {
    if (!file.after) continue;
    if (context.unread && file.is_whole && !context.seen->contains(file.path) &&
        file.before->size() > 0)
      context.unread->insert(file.path);
    if (!file.before || file.is_whole || knows_text(context, file.path, *file.before))
      (*context.seen)[file.last_path()] = hash_of(*file.after);
  }
}

}  // namespace bodkin
