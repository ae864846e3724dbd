// The result of applying a plan: where each hunk was placed or why not, and the resulting files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/plan/failure.h"
#include "edits/plan/plan.h"
#include "edits/text/result.h"
#include "edits/text/text.h"

namespace bodkin {

// The files that a plan may touch. `read` returns nullopt for a path that does not exist; `paths`
// lists candidates for a path that is not exact (edits/README.md, "Paths"), in any order.
class Files {
 public:
  virtual ~Files() = default;
  virtual std::optional<Text> read(std::string_view path) const = 0;
  virtual std::vector<std::string> paths() const = 0;
  // Why `read` returns nullopt for something that exists (a folder, a link to nothing, a private
  // file): the end of a sentence. Empty if nothing is there. No other file is meant then.
  virtual std::string why_unreadable(std::string_view) const { return ""; }
  // Those of `paths` whose last part has the name_key() of this one (edits/plan/paths.h).
  virtual std::vector<std::string> paths_named(std::string_view name) const;
  // A (plain) path as `read` takes it: one that is absolute, or a URI, becomes relative. Errors,
  // the end of a sentence: it is outside: invalid_input if there is a file, not_found if there is
  // none. Where no folder is known, every path stays as it is.
  virtual Result<std::string> inside(const std::string& path) const { return path; }
};

// What was forgiven to place a hunk, least first (edits/README.md, "Placing").
enum class MatchQuality {
  exact,
  substring,
  trailing_space,
  punctuation,
  indentation,
  trimmed,  // the indentation of the new lines is inferred
  whitespace,
  cosmetic,
  elision,
  gaps,
  fuzzy
};
std::string_view name_of(MatchQuality quality);

struct Match {
  size_t offset = 0, length = 0;  // bytes of the snapshot
  LineRange lines;
  MatchQuality quality = MatchQuality::exact;
  // The new text begins or ends with a line that is before or after the old one.
  bool repeats_neighbour = false;
};

struct HunkReport {
  enum class State { applied, already_applied, no_change, failed };
  State state = State::failed;
  std::string path;                // of the target file
  size_t hunk = 0;                 // its number in the plan, from 0
  size_t source_line = 0;          // in the edit text, from 1
  std::optional<Match> match;      // where it is in the old text, if it was placed
  std::vector<Replacement> edits;  // what it changes, in bytes of the old text, ascending
  std::string note;                // what the model may not have expected, without a full stop
  std::optional<Failure> failure;
  std::string bill;      // why it is where it is, for people; empty: it was not looked for
  std::string feedback;  // of a failed hunk: the differing line, the nearest lines, the candidates
};

struct ChangedFile {
  std::string path;                      // the existing path, or the new file's
  std::optional<std::string> rename_to;  // moved there
  std::optional<Text> before;            // nothing: it did not exist
  std::optional<Text> after;             // nothing: removed
  std::vector<Replacement> edits;        // before -> after: minimal, ascending, disjoint
  bool is_whole = false;                 // the new text was given as a whole, over the old one
  std::vector<std::string> bills;        // of each hunk the first line of its bill, if it has one
  MatchQuality quality = MatchQuality::exact;  // the loosest by which a hunk was placed, if known

  const std::string& last_path() const { return rename_to ? *rename_to : path; }
};

// Code of the reply that was not taken for an edit.
struct NotApplied {
  size_t source_line = 0;  // of the edit text, from 1
  size_t line_count = 0;
};

struct ApplyReport {
  bool ok = false;                 // every hunk applied, already applied or without change
  std::vector<ChangedFile> files;  // what changes; empty unless ok
  std::vector<HunkReport> hunks;   // one for every hunk of the plan, in its order
  std::vector<NotApplied> shown;   // what was not applied, if ok: the model only shows it
  std::optional<Failure> failure;  // the first reason, if not ok
};

}  // namespace bodkin
