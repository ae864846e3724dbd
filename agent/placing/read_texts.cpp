// What the model has read, and the edits that need it.
#include <algorithm>

#include "agent/placing/placing.h"
#include "agent/support/fnv1a.h"
#include "agent/workspace/secrets.h"

namespace bodkin {

namespace {

// A whole file that keeps half of the old one's lines or more is not written blindly.
bool keeps_half(const ChangedFile& file) {
  size_t lost = 0;
  for (const Replacement& edit : file.edits) lost += edit.length;
  return file.after && lost * 2 <= file.before->size();
}

bool is_placed_by_context(const FileChange& change) {
  return change.kind != FileChange::Kind::overwrite &&
         std::ranges::none_of(change.hunks, [](const Hunk& hunk) {
           return hunk.at_lines || std::ranges::any_of(hunk.alternatives, [](const Hunk& other) {
                    return other.at_lines.has_value();
                  });
         });
}

bool is_read(const EditContext& context, const std::string& path, const Text& text) {
  const auto seen = context.seen->find(path);
  return text.size() == 0 || (seen != context.seen->end() && seen->second == hash_of(text));
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

std::optional<BlindEdit> blind_edit_in(const EditPlan& plan, const ApplyReport& report,
                                       const EditContext& context) {
  if (!context.seen) return std::nullopt;
  size_t next = 0;
  for (const FileChange& change : plan.changes) {
    if (next >= report.hunks.size()) return std::nullopt;
    const std::string path = report.hunks[next].path;
    // As apply() counts: a whole-file change is one hunk.
    next += change.kind == FileChange::Kind::update ? change.hunks.size() : 1;
    if (is_placed_by_context(change)) continue;
    const auto file = std::ranges::find(report.files, path, &ChangedFile::path);
    if (file == report.files.end() || !file->before || is_read(context, path, *file->before))
      continue;
    const bool was_read = context.seen->contains(path);
    if (!was_read && change.kind == FileChange::Kind::overwrite && keeps_half(*file)) continue;
    return BlindEdit{
        path,
        path + (was_read ? " has changed since it was read; read it again."
                         : " has not been read, so it is changed neither as a whole nor by line "
                           "numbers; quote the lines to change.")};
  }
  return std::nullopt;
}

void remember_texts(const ApplyReport& report, const EditContext& context) {
  if (!context.seen) return;
  for (const ChangedFile& file : report.files) {
    if (!file.after) continue;
    if (!file.before || file.kind == FileChange::Kind::overwrite ||
        is_read(context, file.path, *file.before))
      (*context.seen)[file.rename_to.value_or(file.path)] = hash_of(*file.after);
  }
}

}  // namespace bodkin
