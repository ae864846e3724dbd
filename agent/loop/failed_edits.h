#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "agent/placing/placing.h"

namespace bodkin {

// Failures in a row: edits that were refused and, in `shell`, replies that were not one command.
struct FailedEdits {
  static constexpr int kBeforeFallback = 2;  // then the model is shown another way
  static constexpr int kMax = 3;             // after that, then the ask ends

  int count = 0;
  int before = 0;    // then came another way, if one helps (agent/loop/fallback_advice.h)
  std::string last;  // why, for the user
  std::vector<Unplaced> unplaced;  // of the last one
  bool unreadable = false;         // the last one could not be parsed
  bool denied = false;             // the last one was not permitted
  bool any_denied = false;         // in the whole ask
  bool any_edit = false;  // since the last success: not only replies that were empty or cut
  // Counts, for the reply that is being taken, how many edits of each file failed, except denied
  // ones; and whether any succeeded.
  struct OfFile {
    size_t count = 0;
    bool is_other_kind = false;  // than a new file where there is one
  };
  std::map<std::string, OfFile> of_reply;
  bool any_taken = false;
  std::vector<std::string> in_place;  // of the same reply: files that have its edits already

  void add(std::string why, std::vector<Unplaced> what = {}, bool cannot_be_read = false,
           bool is_denied = false) {
    ++count, last = std::move(why), unplaced = std::move(what), unreadable = cannot_be_read,
             denied = is_denied, any_denied = any_denied || is_denied, any_edit = true;
  }
  // A reply without an edit.
  void add_unusable(std::string why) {
    const bool was_edit = any_edit;
    add(std::move(why));
    any_edit = was_edit;
  }
  // `path`: the file if `what` is empty; may itself be empty.
  void count_edits(const std::vector<Unplaced>& what, const std::string& path = "") {
    const auto count_one = [&](const std::string& of, bool is_other_kind) {
      OfFile& file = of_reply[of];
      ++file.count, file.is_other_kind |= is_other_kind;
    };
    for (const Unplaced& one : what) count_one(one.path, one.kind != FailureKind::exists);
    if (what.empty()) count_one(path, true);
  }
  void forget() { count = before = 0, any_edit = false, any_taken = true; }
  int total() const { return before + count; }
  // Enough failures that the model must be told before it continues.
  bool has_reached_limit() const { return count >= (before == 0 ? kBeforeFallback : kMax); }
};

}  // namespace bodkin
