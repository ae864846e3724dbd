#include "agent/loop/missing_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "agent/loop/ask_state.h"
#include "agent/placing/placing.h"

namespace bodkin {

namespace {

std::string edits_in_words(size_t count) {
  return count == 1 ? "1 edit" : fmt::format("{} edits", count);
}

}  // namespace

uint64_t MissingEdits::draft_hash(const std::string& path) const {
  const auto file = state_.draft.read(path, state_.task);
  return file ? hash_of(file->text) : 0;
}

size_t MissingEdits::new_files() const {
  return static_cast<size_t>(std::ranges::count_if(
      state_.draft.files(), [](const ChangedFile& file) { return !file.before; }));
}

void MissingEdits::add_unplaced() {
  FailedEdits& failed = state_.failed;
  const Roots roots = state_.draft.roots(state_.task);
  if (failed.of_reply.empty() && failed.any_taken) unplaced_.erase("");
  for (const std::string& written : std::exchange(failed.in_place, {})) {
    const auto place = roots.find(written);
    unplaced_.erase(place ? place->path : written);
  }
  for (const auto& [written, file] : std::exchange(failed.of_reply, {})) {
    const auto place = roots.find(written);
    const std::string path = place ? place->path : written;
    const uint64_t hash = path.empty() ? 0 : draft_hash(path);
    Edits& edits = unplaced_[hash == 0 ? "" : path];
    const bool is_new = edits.count == 0 || edits.hash != hash;  // not after others of it
    const bool is_of_new_file = !file.is_other_kind && (is_new || edits.new_files);
    edits = {is_new ? file.count : std::max(edits.count, file.count), hash,
             is_of_new_file ? std::optional(new_files()) : std::nullopt};
  }
}

void MissingEdits::add_lost(const Draft::Followed& file) {
  lost_[file.path] = {file.dropped.size(), draft_hash(file.path)};
}

std::vector<std::string> MissingEdits::words_of_unplaced() const {
  std::vector<std::string> words;
  for (const auto& [path, edits] : unplaced_) {
    if (!path.empty() && draft_hash(path) != edits.hash) continue;
    if (!edits.new_files || path.empty()) {
      words.push_back(fmt::format("{}{} could not be placed", edits_in_words(edits.count),
                                  path.empty() ? "" : " of " + path));
    } else if (new_files() <= *edits.new_files) {  // else the new file has another name
      words.push_back(path + " was not replaced by a new file: it already exists");
    }
  }
  return words;
}

void MissingEdits::complete(Outcome& outcome) const {
  const bool has_files = !state_.draft.files().empty();
  for (const auto& [path, edits] : lost_) {
    if (draft_hash(path) != edits.hash) continue;
    outcome.is_overtaken = true;
    const std::string words =
        fmt::format("{} of {} {} left out: you have changed the text there",
                    edits_in_words(edits.count), path, edits.count == 1 ? "was" : "were");
    if (has_files) {
      outcome.notes.push_back(words);
    } else {  // then nobody is shown the notes
      outcome.answer += (outcome.answer.empty() ? "" : "\n") + words + ".";
    }
  }
  std::vector<std::string> unplaced = words_of_unplaced();
  outcome.lacks_edits = !has_files && (state_.failed.any_denied || !unplaced.empty());
  if (has_files) std::ranges::move(unplaced, std::back_inserter(outcome.notes));
}

}  // namespace bodkin
