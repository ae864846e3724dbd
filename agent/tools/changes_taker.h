// ChangesTaker: what a command has changed, on its way into the draft. Only for command_changes.cpp
// and kept_changes.cpp.
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/tools/command_changes.h"

namespace bodkin {

class ChangesTaker {
 public:
  ChangesTaker(ToolBench& bench, std::chrono::system_clock::time_point begun, const Task& task);
  TakenChanges run(const SandboxChanges& changes);

 private:
  using State = SandboxChange::State;
  struct Kept {
    const SandboxChange& change;
    std::string path, why;  // for the user; empty: nobody needs to know
  };
  struct Moded {
    const SandboxChange& change;
    std::string path, absolute;
  };

  TakenChanges too_many();
  TakenChanges told(const std::vector<std::string>& names) const;
  void refuse(const std::string& path, std::string_view why);
  void refuse_all();
  void note(const std::string& path, std::string_view why);
  std::string encoding_of(const SandboxChange& change) const;
  const SandboxChange& in_utf8(const SandboxChange& change);
  void add(const SandboxChange& change);
  void add_text(const Roots::Place& place, const SandboxChange& change);
  static bool is_behind_link(const Roots::Place& place);
  void keep_or_refuse(const SandboxChange& change, const std::string& path, const std::string& why);
  bool was_kept(const SandboxChange& change) const;
  bool was_written_since(const std::string& absolute) const;
  bool is_listed(const std::string& path);
  void keep_those_that_may_be_edited();
  std::string ask();

  // kept_changes.cpp
  void drop_halves();
  void drop_half_moves();
  std::string why_it_stays(const ChangedFile& removed);
  void drop_incomplete_swaps();
  void keep();
  std::vector<std::string> removed_below(const Kept& folder) const;
  void keep(const Kept& each);
  void keep_mode(const Moded& each);
  unsigned mode_once_applied(const Moded& each) const;

  ToolBench& bench_;
  const std::chrono::system_clock::time_point begun_;
  const Task& task_;
  const Roots roots_;
  std::set<std::string, std::less<>> open_;
  std::optional<std::set<std::string, std::less<>>> listed_;
  std::vector<ChangedFile> taken_;
  std::deque<SandboxChange> in_utf8_;
  std::vector<Kept> to_keep_;
  std::vector<Moded> modes_;
  std::vector<std::pair<std::string, const SandboxChange*>> added_;  // by path
  std::set<std::string> refused_paths_;
  std::vector<std::string> refused_, named_, ignored_;
  uint64_t left_out_ = 0;
  bool moves_work_ = false, has_moved_out_ = false;
};

}  // namespace bodkin
