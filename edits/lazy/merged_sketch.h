// A merged sketch as its checks see it (lazy_checks.h): the lines of the file, of the sketch and of
// the result, all without the blank ones, and the edits as lines of these. An example of the edits:
//
//   file                result               the edit, by the lines of the file from 0
//   def count(self):    def count(self):
//       return 0            return self.n    takes line 1, brings one: [1, 2)
//   def log(self):      def log(self):
//                           self.flush()     takes nothing, brings one: [3, 3)
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "edits/lazy/lazy_runs.h"
#include "edits/text/mapped_text.h"

namespace bodkin {

// The lines that an edit takes, [begin, end) of `Merged::lines`, and those that it brings.
struct MergedEdit {
  size_t begin = 0, end = 0;
  std::vector<std::string_view> comes;
  bool is_less = false;  // it brings fewer lines than it takes, with blank ones
};

// The places of each line in a text, by trimmed text.
class Places {
 public:
  void add(std::string_view line, size_t at) { places_[trimmed(line)].push_back(at); }
  std::span<const size_t> of(std::string_view line) const {
    const auto found = places_.find(trimmed(line));
    return found == places_.end() ? std::span<const size_t>() : std::span(found->second);
  }

 private:
  std::unordered_map<std::string_view, std::vector<size_t>> places_;
};

// The file, the sketch and the edits, as their lines that are not blank.
struct Merged {
  const MappedText& file;
  const std::string_view path;
  const bool has_tables = path.ends_with(".toml") || path.ends_with(".ini");
  std::vector<std::string_view> lines;  // of the file
  std::vector<char> goes;
  Places places;                        // of `lines`
  std::vector<std::string_view> shown;  // of the sketch
  Places shown_at;                      // … of these
  std::vector<MergedEdit> changes;
  // The result, and by line: is it one that an edit brings and does not take?
  std::vector<std::string_view> after;
  std::vector<char> is_added;

  Merged(std::string_view sketch, const MappedText& mapped, std::string_view path,
         const std::vector<Replacement>& edits);

  // Whether the line of the result ends a block of this depth.
  bool ends_block(size_t line, size_t depth) const {
    return depth_of(after[line]) < depth || (has_tables && after[line].starts_with('['));
  }
  size_t times_shown(std::string_view line) const { return shown_at.of(line).size(); }
  // The sketch's line below such a line; empty: none.
  std::string_view shown_below(std::string_view line) const {
    const auto at = shown_at.of(line);
    return !at.empty() && at[0] + 1 < shown.size() ? shown[at[0] + 1] : std::string_view();
  }
  // The line's places in the file; empty if it has too many to mean anything.
  std::span<const size_t> places_of(std::string_view line) const {
    constexpr size_t kMaxPlaces = 64;
    const auto found = places.of(line);
    return found.size() > kMaxPlaces ? std::span<const size_t>() : found;
  }

 private:
  void begin_change(const Replacement& edit);
  void write_result();

  std::vector<std::vector<std::string>> texts;  // of the edits
};

}  // namespace bodkin
