// Applying a plan: every file is resolved, every hunk is placed against the one snapshot of its
// file, and only when all hunks have a place are the bytes made.
#include "edits/apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "edits/lazy.h"
#include "edits/part_of_file.h"
#include "edits/paths.h"
#include "edits/place_hunks.h"
#include "edits/write.h"

namespace bodkin {

std::string_view name_of(MatchQuality quality) {
  static constexpr std::string_view kNames[] = {
      "exact",      "substring", "trailing_space", "punctuation", "indentation", "trimmed",
      "whitespace", "cosmetic",  "elision",        "gaps",        "fuzzy"};
  return kNames[static_cast<size_t>(quality)];
}

std::string_view name_of(FailureKind kind) {
  static constexpr std::string_view kNames[] = {"ambiguous", "not_found", "conflict",  "truncated",
                                                "malformed", "exists",    "stale_path"};
  return kNames[static_cast<size_t>(kind)];
}

namespace {

using State = HunkReport::State;
using Kind = FileChange::Kind;

bool has_carriage_returns(const Hunk& hunk) {
  const auto ends_in_return = [](const HunkLine& line) { return line.text.ends_with('\r'); };
  return std::any_of(hunk.lines.begin(), hunk.lines.end(), ends_in_return) ||
         std::any_of(hunk.alternatives.begin(), hunk.alternatives.end(), has_carriage_returns);
}

Hunk without_carriage_returns(Hunk hunk) {
  for (HunkLine& line : hunk.lines)
    if (line.text.ends_with('\r')) line.text.pop_back();
  for (Hunk& reading : hunk.alternatives) reading = without_carriage_returns(std::move(reading));
  return hunk;
}

// Updates that name one file in several ways ("a.py", "./src/a.py") as one; nothing if none do.
std::optional<EditPlan> joined_by_target(const EditPlan& plan, const Files& files) {
  std::map<std::string_view, size_t> names;  // the last parts of the paths
  const auto last_part = [](std::string_view path) {
    return path.substr(path.find_last_of("/\\") + 1);
  };
  for (const FileChange& change : plan.changes) ++names[last_part(change.path)];
  const auto is_shared = [&](const FileChange& change) {
    return change.kind == Kind::update && names[last_part(change.path)] > 1;
  };
  if (std::none_of(plan.changes.begin(), plan.changes.end(), is_shared)) return std::nullopt;
  EditPlan joined = plan;
  for (FileChange& change : joined.changes)
    if (is_shared(change)) change.path = target_file(files, change.path, true).path;
  put_together(joined);
  return joined;
}

// One change of the plan after the other; each adds its hunks' reports and its file.
class PlanApplier {
 public:
  PlanApplier(const Files& files, const Syntax* syntax, const ApplyOptions& options)
      : files_(files), syntax_(syntax), options_(options) {}

  void apply(const FileChange& change) {
    change_ = &change;
    target_ = target_file(files_, change.path, change.kind != Kind::create);
    // A whole file takes the place of another one than it names only if it is that one's new text.
    if (change.kind == Kind::overwrite && target_.text && target_.path != plain_path(change.path) &&
        !resembles(*target_.text, change.contents))
      target_ = {plain_path(change.path), std::nullopt};
    file_ = {};
    file_.kind = change.kind;
    file_.path = target_.path;
    file_.before = target_.text;
    if (const auto why = forbidden(plain_path(change.path)))
      return refuse(FailureKind::stale_path, *why);
    if (!check_rename() || !check_single()) return;
    switch (change.kind) {
      case Kind::create:
        return create();
      case Kind::overwrite:
        return overwrite();
      case Kind::remove:
        return remove();
      case Kind::lazy:
        return merge();
      case Kind::update:
        return update();
    }
  }

  ApplyReport finished() {
    for (HunkReport& hunk : report_.hunks) {
      if (!hunk.failure) continue;
      hunk.state = State::failed;
      hunk.edits.clear();
      if (!report_.failure) report_.failure = hunk.failure;
    }
    report_.ok = !report_.failure;
    if (!report_.ok) report_.files.clear();
    return std::move(report_);
  }

 private:
  // A change as a whole (create, remove, …) counts as one hunk of its own.
  HunkReport& whole(State state) {
    HunkReport& hunk = report_.hunks.emplace_back();
    hunk.path = target_.path;
    hunk.hunk = report_.hunks.size() - 1;
    hunk.source_line = change_->source_line;
    hunk.state = state;
    return hunk;
  }

  void refuse(FailureKind kind, std::string message) {
    const bool by_hunk = change_->kind == Kind::update && !change_->hunks.empty();
    for (size_t i = 0; i < (by_hunk ? change_->hunks.size() : 1); ++i) {
      HunkReport& hunk = whole(State::failed);
      if (by_hunk) hunk.source_line = change_->hunks[i].source_line;
      hunk.failure = Failure{kind, message};
    }
  }

  bool check_rename() {
    if (!change_->rename_to) return true;
    std::string to = plain_path(*change_->rename_to);
    if (const auto why = forbidden(to)) {
      refuse(FailureKind::stale_path, *why);
      return false;
    }
    if (auto likewise = moved_likewise(plain_path(change_->path), target_.path, to)) {
      to = *std::move(likewise);
    } else {
      refuse(FailureKind::stale_path,
             fmt::format("{} is {} here, so where {} is meant to be is not clear; give both paths "
                         "whole",
                         change_->path, target_.path, to));
      return false;
    }
    if (to == target_.path) return true;
    if (files_.read(to) || seen_.contains(to)) {
      refuse(FailureKind::exists, fmt::format("{} exists already, nothing is moved onto it", to));
      return false;
    }
    file_.rename_to = to;
    return true;
  }

  bool check_single() {
    const bool is_new = seen_.insert(target_.path).second;
    if (is_new && file_.rename_to) seen_.insert(*file_.rename_to);
    if (is_new) return true;
    refuse(FailureKind::conflict,
           fmt::format("{} is changed twice; put all of its edits together", target_.path));
    return false;
  }

  bool is_shown() const { return change_->shown.begin < change_->shown.end; }

  void keep() {
    const bool same = file_.before && file_.after && file_.edits.empty() && !file_.rename_to;
    if (!same) report_.files.push_back(std::move(file_));
  }

  void keep_edits(std::vector<Replacement> edits) {
    file_.edits = std::move(edits);
    file_.after = with_edits(*target_.text, file_.edits);
    whole(file_.edits.empty() ? State::no_change : State::applied).edits = file_.edits;
    keep();
  }

  void create() {
    if (target_.text && target_.text->str() == change_->contents) {
      whole(State::already_applied);
      return;
    }
    if (target_.text)
      return refuse(FailureKind::exists,
                    fmt::format("{} exists already; edit it, or say that it is overwritten",
                                target_.path));
    file_.after = Text(change_->contents);
    whole(State::applied);
    keep();
  }

  void overwrite() {
    const std::string& contents = change_->contents;
    if (!target_.text)
      for (const std::string& other : paths_alike(files_, target_.path))
        if (const auto text = files_.read(other); text && resembles(*text, contents))
          return refuse(
              FailureKind::stale_path,
              fmt::format("there is no file {}, and {} is much like it; give its whole path",
                          target_.path, other));
    if (is_shown() && !target_.text && !names_file(target_.path))
      return refuse(FailureKind::malformed,
                    fmt::format("the fence at line {} of the edit stands below \"{}\", which may be no "
                                "file; if it is a new one, send it as a SEARCH/REPLACE block with "
                                "an empty SEARCH",
                                change_->source_line, target_.path));
    const auto part = is_shown() && target_.text
                          ? left_out(target_.path, *target_.text, contents, syntax_)
                          : std::nullopt;
    if (part)
      return refuse(FailureKind::malformed,
                    fmt::format("{} exists, and the fence at line {} of the edit {}; send what "
                                "changes as a SEARCH/REPLACE block, or the whole file in the format "
                                "\"whole\"",
                                target_.path, change_->source_line, *part));
    if (target_.text) return keep_edits(overwrite_edits(*target_.text, contents));
    file_.kind = Kind::create;
    file_.after = Text(change_->contents);
    whole(State::applied);
    keep();
  }

  void remove() {
    if (!target_.text)
      return refuse(FailureKind::stale_path, fmt::format("there is no file {}", target_.path));
    // What a diff removes with its file must be in it.
    std::vector<HunkReport> quoted;
    if (place(quoted).failed)
      return refuse(FailureKind::not_found,
                    fmt::format("{} is to be removed, but it does not hold the lines that the diff "
                                "takes from it; read it again",
                                target_.path));
    whole(State::applied);
    keep();
  }

  void merge() {
    if (!target_.text)
      return refuse(FailureKind::stale_path,
                    fmt::format("there is no file {}, so nothing stands for what the sketch "
                                "leaves out",
                                target_.path));
    Result<std::vector<Replacement>> merged =
        merge_lazy(change_->contents, *target_.text, target_.path, syntax_);
    if (merged) {
      file_.kind = Kind::update;
      return keep_edits(std::move(*merged));
    }
    const std::string& message = merged.error().message;
    refuse(message.starts_with("ambiguous: ") ? FailureKind::ambiguous : FailureKind::not_found,
           message.substr(message.find(": ") + 2));
  }

  void update() {
    if (!target_.text)
      return refuse(
          FailureKind::stale_path,
          fmt::format("there is no file {}, and no single file that it could mean", target_.path));
    const size_t first = report_.hunks.size();
    PlacedFile placed = place(report_.hunks);
    if (placed.failed) return;
    file_.edits = std::move(placed.edits);
    file_.after = with_edits(*target_.text, file_.edits);
    if (placed.doubtful && target_.text->size() <= kParsedAtOnce) veto_by_syntax(first);
    keep();
  }

  // The change's hunks in the file.
  PlacedFile place(std::vector<HunkReport>& reports) {
    std::optional<LineRange> selection;
    if (options_.selection_path == target_.path) selection = options_.selection;
    std::vector<Hunk> plain;
    if (std::any_of(change_->hunks.begin(), change_->hunks.end(), has_carriage_returns))
      for (const Hunk& hunk : change_->hunks) plain.push_back(without_carriage_returns(hunk));
    return place_hunks(target_.path, *target_.text, plain.empty() ? change_->hunks : plain,
                       selection, reports);
  }

  // A fuzzy place that breaks the syntax was not meant.
  void veto_by_syntax(size_t first_hunk) {
    if (!syntax_ || !syntax_->knows(target_.path)) return;
    const auto lines = syntax_->new_errors(target_.path, *target_.text, *file_.after);
    if (!lines || lines->empty()) return;
    for (size_t i = first_hunk; i < report_.hunks.size(); ++i) {
      HunkReport& hunk = report_.hunks[i];
      if (!hunk.match || hunk.match->quality != MatchQuality::fuzzy) continue;
      hunk.failure = {
          FailureKind::not_found,
          fmt::format("hunk {} (line {} of your edit): it is only like lines {} to {} of {}, and "
                      "there it would break the syntax at line {}; quote the lines exactly",
                      hunk.hunk + 1, hunk.source_line, hunk.match->lines.begin + 1,
                      hunk.match->lines.end, target_.path, lines->front() + 1)};
    }
  }

  const Files& files_;
  const Syntax* syntax_;
  const ApplyOptions& options_;
  std::set<std::string> seen_;  // the paths of the changes before
  const FileChange* change_ = nullptr;
  TargetFile target_;
  ChangedFile file_;
  ApplyReport report_;
};

}  // namespace

ApplyReport apply(const EditPlan& plan, const Files& files, const Syntax* syntax,
                  const ApplyOptions& options) {
  const std::optional<EditPlan> joined = joined_by_target(plan, files);
  PlanApplier applier(files, syntax, options);
  for (const FileChange& change : (joined ? *joined : plan).changes) applier.apply(change);
  return applier.finished();
}

}  // namespace bodkin
