// The aligner finds where the old side of a hunk is in a file, and at what price. One idea replaces
// a ladder of ever looser comparisons:
//
//   A line that is REMOVED must be equal under a key (`loose_key`). A line that is KEPT may also
//   differ, at a price. So may the lines that only one side has: blank lines cost little, comments
//   that the quote left out a bit more, and what an elision stands for costs nothing.
//
// A worked example. The hunk, and the file from line 41 on, which was edited since:
//
//   0    def load(p):        41  def load(p):         equal                         0
//   1        log(p)          42      log(path)        kept, another word           4.0
//                            43                       a blank line, not quoted     0.5
//   2        ...             44  (… to 57)            an elision: a free gap         0
//   3  -     return x        58      return x         removed: equal               0
//   4  +     return x + 1                             takes the place of line 58
//
// The alignment costs 4.5. Rows 0 and 3 are equal and occur once in the file; each pays for 2.0 of
// the differences (`kAgrees`), so that the place is believed at all. Another `def load(p):` with a
// `return x` below it would be another alignment with its own price; the cheapest wins only if
// every other one costs at least `kMargin` more, else the hunk is ambiguous. What else is known
// about the place (a line number, the anchor of a patch, the selection) is one more line of the
// same bill (weigh.h), so `bodkin apply --why` can print why a hunk went where it went:
//
//   line 41: 4.5 = differing lines 4.0 + blank lines 0.5; the next place costs 11.5
//
// How the places are found. An alignment begins and ends with lines that are equal: its first and
// last solid rows count as removed. So each row that must be equal gives a complete set of
// candidates, and the one whose key is rarest in the file is looked up in an index of the file's
// keys. From each of its lines the alignment grows to the end of the quote in both directions: the
// cheapest path over pairs (row, line), which dies within a few steps where nothing fits. If the
// rarest row occurs too often, or a path takes too many steps, nothing is placed: a subset of the
// candidates is never searched alone, since the rival might be among the others. The work is
// bounded by the size of the file and of the hunk, whatever they contain.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "edits/align/prices.h"
#include "edits/align/readings.h"
#include "edits/text/mapped_text.h"

namespace bodkin {

inline constexpr size_t kMostCandidates = 400;  // more places than this are not looked at
inline constexpr size_t kUnpaired = static_cast<size_t>(-1);

struct Charge {           // a line of the bill
  std::string_view what;  // static storage
  Price price = 0;
};

struct Alignment {
  std::shared_ptr<const Reading> reading;
  std::vector<size_t> lines;    // of each row: the file's line, or kUnpaired, as of an added one
  size_t first = 0, last = 0;   // the lines that it spans, half open
  Price price = 0, quoted = 0;  // in all; without evidence
  Price differs = 0;            // what differs in kept lines
  std::vector<Charge> bill;
  bool is_exact = false;  // byte for byte, line for line

  void charge(std::string_view what, Price more) {
    if (more == 0) return;
    price = price + more < kNever ? price + more : kNever;
    bill.push_back({what, more});
  }
  bool overlaps(const Alignment& other) const { return first < other.last && other.first < last; }
};

// The result: all alignments that some price can pay, or none because there would be too many to
// look at.
struct Alignments {
  std::vector<Alignment> all;
  // The cheapest place that evidence contradicts, if there is no other.
  std::optional<Alignment> contradicted;
  bool gave_up = false;
};

Alignments exact_alignments(const MappedText& file, const std::shared_ptr<const Reading>& reading);
Alignments alignments_of(const MappedText& file, const std::shared_ptr<const Reading>& reading);

// The lines of the file that are equal to `line` under `loose_key`, ascending; nullopt if there are
// more than `most`.
std::optional<std::vector<size_t>> lines_like(const MappedText& file, std::string_view line,
                                              size_t most);

}  // namespace bodkin
