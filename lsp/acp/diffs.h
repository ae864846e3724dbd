// The diffs of a proposal that the user sees, as the protocol has them, of bounded size.
#pragma once

#include <cstddef>
#include <string>

#include "agent/rpc/connection.h"
#include "edits/plan/report.h"

namespace bodkin::acp {

// The files of one proposal, each once. Whole texts if all together are short enough; else the text
// around the changes, and for changes that are too long themselves words that say so.
class DiffItems {
 public:
  static constexpr size_t kMaxDiff = 200'000;   // bytes of a text
  static constexpr size_t kMaxAll = 1'000'000;  // bytes of all texts of a proposal

  // `bytes`: the sum of bytes_of the files.
  explicit DiffItems(size_t bytes) : shows_whole_(bytes <= kMaxAll) {}

  static size_t bytes_of(const ChangedFile& file);

  // A tool call's content: an array that is not empty.
  rpc::Json of(const ChangedFile& file, const std::string& absolute);

 private:
  const bool shows_whole_;
  size_t left_ = kMaxAll;
};

}  // namespace bodkin::acp
