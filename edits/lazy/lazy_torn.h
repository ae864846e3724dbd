// Detects a region that tears apart an entry of the file that an elision could have kept.
//
// A run of a sketch ends where an elision begins, and nothing but the lines themselves says which
// lines of the file it takes the place of. Entries that are alike, functions, sections, tables,
// have alike lines: a new function whose last lines are its neighbour's, or one that is changed to
// what its neighbour says, seems to reach into the neighbour, which would then be gone. So:
//
//   A line that names an entry goes only if the sketch shows what comes in its place: a line with
//   the same name, or the lines on both sides of the entry.
//
// The entry could have been kept if an elision follows before the sketch shows another entry, or a
// line further out, on that side; not by an elision that is within brackets of the entry. The
// name of an entry is the line that its deeper lines follow, or the first of a paragraph, if that
// is more than a word; where several have the same ("{", "<item>"), the first line in it that the
// file has once. Statements such as "if" and "for" name nothing. Whole entries between two lines
// that are shown may go.
#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include "edits/lazy/lazy_region.h"
#include "edits/lazy/lazy_runs.h"

namespace bodkin {

// The entries of a level of the file.
class LazyEntries {
 public:
  explicit LazyEntries(const std::vector<LazyItem>& file);

  // The item of the file that names an entry which the region would tear apart.
  std::optional<size_t> torn_by(const Region& region, const Run& run,
                                const std::vector<LazyItem>& sketch) const;

  // True if the run, which would tear apart the entry that this item names, may rather be this
  // region, whose begin or end has fewer of the run's lines. Then it stays clear of entries.
  bool may_end_before(const Region& region, size_t item, bool other_begin, bool other_end,
                      const std::vector<LazyItem>& sketch) const;

 private:
  // True if the region adds a line that names an entry, and stays clear of that entry.
  bool is_repeated_by(const Region& region, const std::vector<LazyItem>& sketch) const;
  // True if it is not inside an entry on the level of the one that this item names.
  bool is_between(size_t at, size_t item) const;

  struct Name {
    size_t level = 0;  // the indentation of the entry
    size_t head = 0;   // the item that begins it
    size_t end = 0;    // after its last
    bool has_body = false;
  };
  bool is_bordered(const Name& name, const Region& region, const Run& run, size_t begin, size_t end,
                   const std::vector<LazyItem>& sketch) const;
  // True if these pairs, from the first to before the last, remove whole entries.
  bool are_whole(const Region& region, size_t first, size_t last) const;
  bool shows_level(const ItemPair& pair, const Name& name) const;

  const std::vector<LazyItem>& file_;
  std::vector<char> heads_;                 // by item: does it begin an entry?
  std::vector<char> unique_;                // by item: has the file it once?
  std::vector<std::optional<Name>> names_;  // by item: what it names
  std::unordered_map<int, size_t> named_;   // the items that name an entry, by key
};

}  // namespace bodkin
