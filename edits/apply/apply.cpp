// Applying a plan: every file is resolved, every hunk is placed against the one snapshot of its
// file, and only when all hunks have a place are the bytes made. It is one class of more than 350
// lines because every kind of change shares the target, the report and the refusals.
#include "edits/apply/apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "edits/align/weigh.h"
#include "edits/apply/place_hunks.h"
#include "edits/apply/result_bill.h"
#include "edits/apply/syntax_veto.h"
#include "edits/lazy/lazy.h"
#include "edits/lazy/part_of_file.h"
#include "edits/place/dressed.h"
#include "edits/place/leaves_out.h"
#include "edits/place/match.h"
#include "edits/place/write.h"
#include "edits/plan/diff.h"
#include "edits/plan/paths.h"
#include "edits/text/stopping.h"

namespace bodkin {

namespace {

using State = HunkReport::State;
using ChangeKind = FileChange::Kind;

template <class Plan, class Do>
void for_each_path(Plan& plan, const Do& each) {
  for (auto& change : plan.changes) {
    each(change.path);
    if (change.rename_to) each(*change.rename_to);
  }
}

// With every path that is absolute, or a URI, as the files are called; nothing if none is. What is
// outside stays as it is written, and is refused.
std::optional<EditPlan> with_paths_inside(const EditPlan& plan, const Files& files) {
  // A relative path is called as it is written: no need to look at the disk.
  const auto is_absolute = [](std::string_view path) {
    return path.starts_with('/') || path.starts_with('~') || path.find(':') != path.npos;
  };
  bool any = false;
  for_each_path(plan, [&](const std::string& path) { any |= is_absolute(plain_path(path)); });
  if (!any) return std::nullopt;
  EditPlan own = plan;
  for_each_path(own, [&](std::string& path) {
    const std::string plain = plain_path(path);
    if (!is_absolute(plain)) return;
    if (auto in = files.inside(plain)) path = *std::move(in);
  });
  return own;
}

// Updates that name one file in several ways ("a.py", "./src/a.py") as one; nothing if none do.
std::optional<EditPlan> with_merged_updates(const EditPlan& plan, const Files& files) {
  if (plan.changes.size() < 2) return std::nullopt;
  std::map<std::string_view, size_t> names;  // the last parts of the paths
  const auto last_part = [](std::string_view path) {
    return path.substr(path.find_last_of("/\\") + 1);
  };
  for (const FileChange& change : plan.changes) ++names[last_part(change.path)];
  const auto is_shared = [&](const FileChange& change) {
    return change.kind == ChangeKind::update && names[last_part(change.path)] > 1;
  };
  if (std::none_of(plan.changes.begin(), plan.changes.end(), is_shared)) return std::nullopt;
  EditPlan joined = plan;
  for (FileChange& change : joined.changes) {
    if (!is_shared(change)) continue;
    TargetFile target = target_file(files, change.path, true);
    if (target.why_outside.empty()) change.path = std::move(target.path);
  }
  merge_and_sort_changes(joined);
  return joined;
}

// A change that shows nothing of its file, so that nothing could confirm a guessed path.
bool needs_exact_path(const FileChange& change) {
  return change.kind == ChangeKind::create ||
         (change.kind == ChangeKind::remove && !change.is_quoted) || change.is_removed_first;
}

// One change of the plan after the other; each adds its hunks' reports and its file.
class PlanApplier {
 public:
  // `changes`: of the whole plan.
  PlanApplier(const std::vector<FileChange>& changes, const Files& files, const Syntax* syntax,
              const ApplyOptions& options)
      : files_(files), syntax_(syntax), options_(options), first_(changes.data()) {}

  void apply(const FileChange& change) {
    change_ = &change;
    target_ = target_file(files_, change.path, !needs_exact_path(change));
    if (!target_.why_outside.empty()) return refuse(FailureKind::stale_path, target_.why_outside);
    // A whole file takes the place of another one than it names only if it is that one's new text.
    if (change.kind == ChangeKind::overwrite && target_.text && target_.is_guess &&
        !is_new_text_of(target_.path, *target_.text))
      target_ = {plain_path(change.path), std::nullopt};
    contents_ = change.contents;
    if (const size_t end = contents_.find('\n'); change.begins_with_path && target_.text &&
                                                 target_.text->line(0) != contents_.substr(0, end))
      contents_.erase(0, end == std::string::npos ? end : end + 1);
    file_ = {};
    // What replaces a file by its own deletion is meant to, as a fence below a path may not be.
    file_.kind = change.is_removed_first ? ChangeKind::update : change.kind;
    file_.path = target_.path;
    file_.before = target_.text;
    const std::string written = plain_path(change.path);
    const bool is_inside = target_.text && points_into_workspace(written, target_.path);
    for (const std::string& path : {is_inside ? target_.path : written, target_.path})
      if (const auto why = forbidden(path)) return refuse(FailureKind::stale_path, *why);
    if (const auto twin =
            target_.text ? std::nullopt : path_differing_in_case(files_, target_.path);
        twin && (change.kind == ChangeKind::create || change.kind == ChangeKind::overwrite))
      return refuse(
          FailureKind::exists,
          fmt::format("there is no file {}, only {}, which many file systems treat as the same",
                      target_.path, *twin),
          "use that exact spelling");
    if (!check_rename() || !check_single()) return;
    const bool keeps_text = change.kind == ChangeKind::remove ||
                            (change.kind == ChangeKind::update && change.hunks.empty());
    if (target_.text && !keeps_text && is_utf16(*target_.text))
      return refuse(FailureKind::malformed,
                    fmt::format("{} is UTF-16 text, which bodkin does not edit", target_.path),
                    "leave this file out");
    switch (change.kind) {
      case ChangeKind::create:
        return create();
      case ChangeKind::overwrite:
        return overwrite();
      case ChangeKind::remove:
        return remove();
      case ChangeKind::lazy:
        return merge();
      case ChangeKind::update:
        return update();
    }
  }

  ApplyReport finished(const std::vector<PlainFence>& fences) {
    for (HunkReport& hunk : report_.hunks) {
      if (!hunk.failure) continue;
      hunk.state = State::failed;
      hunk.edits.clear();
      if (!report_.failure) report_.failure = hunk.failure;
    }
    if (options_.stop.stop_requested() && !report_.failure)
      report_.failure = Failure{FailureKind::truncated, "placing the edits was cancelled"};
    if (!report_.failure) list_plain_fences(fences);
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

  void refuse(FailureKind kind, const std::string& message, const std::string& advice = {}) {
    return refuse({kind, message, advice});
  }

  void refuse(const Failure& failure) {
    const bool by_hunk = change_->kind == ChangeKind::update && !change_->hunks.empty();
    for (size_t i = 0; i < (by_hunk ? change_->hunks.size() : 1); ++i) {
      HunkReport& hunk = whole(State::failed);
      if (by_hunk) hunk.source_line = change_->hunks[i].source_line;
      hunk.failure = failure;
    }
  }

  // Whether a whole text means this file, which has another path than it names. One in further
  // folders is another file: "lib/keys.py" is not "keys.py".
  bool is_new_text_of(std::string_view other, const Text& text) const {
    const std::string written = plain_path(change_->path);
    const bool is_side = written.starts_with("a/") || written.starts_with("b/");  // of a diff
    if (other.size() + (is_side ? 2 : 0) < written.size()) return false;
    return change_->has_empty_search ? has_most_of(Text(change_->contents), text.str())
                                     : resembles(text, change_->contents);
  }

  bool check_rename() {
    if (!change_->rename_to) return true;
    std::string to = plain_path(*change_->rename_to);
    const auto in = files_.inside(to);
    if (const auto why = in ? forbidden(to) : in.error().message) {
      refuse(FailureKind::stale_path, *why);
      return false;
    }
    if (plain_path(change_->path) != target_.path) {
      refuse(FailureKind::stale_path,
             fmt::format("{} is {} here, so it is not clear where {} should be", change_->path,
                         target_.path, to),
             "give both paths whole");
      return false;
    }
    if (to == target_.path) return true;
    if (files_.read(to) || seen_.contains(to)) {
      refuse(FailureKind::exists,
             fmt::format("{} already exists, and a file is never moved over another one", to));
      return false;
    }
    file_.rename_to = to;
    return true;
  }

  bool check_single() {
    const bool is_new = seen_.insert(target_.path).second;
    if (!is_new && is_duplicate()) {
      whole(State::no_change);
      return false;
    }
    if (is_new && file_.rename_to) seen_.insert(*file_.rename_to);
    if (is_new) return true;
    refuse(FailureKind::conflict, fmt::format("{} is changed twice", target_.path),
           "combine all of its edits");
    return false;
  }

  // By its byte order mark. An edit in UTF-8 would leave a mixture of both.
  static bool is_utf16(const Text& text) {
    return text.str().starts_with("\xff\xfe") || text.str().starts_with("\xfe\xff");
  }

  // The same file twice in one reply is one change.
  bool is_duplicate() const {
    return std::any_of(first_, change_, [&](const FileChange& other) {
      return other.kind == change_->kind && other.kind != ChangeKind::update &&
             other.path == change_->path && other.contents == change_->contents &&
             other.rename_to == change_->rename_to && other.hunks.empty() && change_->hunks.empty();
    });
  }

  // Lists what the reply only shows. What it says is a file must be one that an edit changes, or be
  // quoted: else it may be an edit that would get lost.
  void list_plain_fences(const std::vector<PlainFence>& fences) {
    for (const PlainFence& fence : fences) {
      if (fence.path.empty() || !may_be_lost(fence)) {
        report_.shown.push_back({fence.source_line, fence.line_count});
        continue;
      }
      report_.shown.clear();
      report_.failure = {
          FailureKind::malformed,
          fmt::format("the fence at line {} of the edit names {}, which no edit changes",
                      fence.source_line, fence.path),
          "send what it changes in the format of the other edits, or leave it out"};
      return;
    }
  }

  bool may_be_lost(const PlainFence& fence) const {
    const TargetFile target = target_file(files_, fence.path, true);
    if (seen_.contains(target.path)) return false;
    if (!target.text) return true;
    return fence.is_for_reader ? resembles(*target.text, fence.contents)
                               : !is_quote(fence.contents, *target.text);
  }

  bool is_shown() const { return change_->shown.begin < change_->shown.end; }

  void keep() {
    const bool same = file_.before && file_.after && file_.edits.empty() && !file_.rename_to;
    if (!same) report_.files.push_back(std::move(file_));
  }

  void keep_edits(std::vector<Replacement> edits, bool is_sketch = false) {
    file_.edits = std::move(edits);
    file_.after = with_edits(*target_.text, file_.edits);
    HunkReport& report = whole(file_.edits.empty() ? State::no_change : State::applied);
    report.edits = file_.edits;
    if (options_.with_bills)
      report.bill = bill_of_result(*target_.text, *file_.after, contents_, is_sketch);
    keep();
  }

  void create() {
    if (target_.text && lines_of(target_.text->str()) == lines_of(contents_)) {
      whole(State::already_applied);
      return;
    }
    if (target_.text)
      return refuse(FailureKind::exists, fmt::format("{} already exists", target_.path),
                    "edit what is there");
    if (refuse_elision()) return;
    file_.after = Text(contents_);
    HunkReport& report = whole(State::applied);
    if (options_.with_bills) report.bill = "a new file: there is none of this name\n";
    keep();
  }

  // A whole text that says "rest unchanged" is not whole.
  bool refuse_elision() {
    Hunk hunk;
    std::optional<MappedText> file;
    if (target_.text) {
      file.emplace(*target_.text);
      hunk.lines = line_diff(lines_of(target_.text->str()), lines_of(contents_));
    } else {
      for (std::string& line : lines_of(contents_))
        hunk.lines.push_back({HunkLine::Kind::added, std::move(line)});
    }
    if (!leaves_out(hunk, "", kind_of(target_.path), file ? &*file : nullptr) &&
        !(file && remark_replaces_edge(hunk.lines)))
      return false;
    refuse(FailureKind::malformed,
           fmt::format("the new text of {} omits lines (\"... existing code ...\" or similar)",
                       target_.path),
           "write all of it, or send what changes as SEARCH/REPLACE blocks");
    return true;
  }

  // A text or a sketch in the columns of a diff is not the file's.
  bool refuse_dress(bool is_whole) {
    if (!target_.text) return false;
    const PlaceDoubt doubt =
        doubt_of_dress(MappedText(*target_.text), kind_of(target_.path), contents_, is_whole);
    if (doubt.empty()) return false;
    refuse(FailureKind::malformed,
           fmt::format("{} cannot be written as sent: {}", target_.path, doubt.message),
           std::string(doubt.advice));
    return true;
  }

  void overwrite() {
    const std::string& contents = contents_;
    if (change_->is_removed_first && !target_.text)
      return refuse(FailureKind::stale_path, fmt::format("there is no file {}", target_.path));
    if (!target_.text)
      for (const std::string& other : similar_paths(files_, target_.path))
        if (const auto text = files_.read(other);
            text && (change_->has_empty_search ? is_new_text_of(other, *text)
                                               : resembles(*text, change_->contents)))
          return refuse(FailureKind::stale_path,
                        fmt::format("there is no file {}, but {} is similar", target_.path, other),
                        "give the full path");
    if (is_shown() && !target_.text && !names_file(target_.path))
      return refuse(
          FailureKind::malformed,
          fmt::format("the fence at line {} of the edit is below \"{}\", which may not be a "
                      "file",
                      change_->source_line, target_.path),
          "if it is a new one, send it as a SEARCH/REPLACE block with an empty SEARCH");
    if (change_->text_decides && target_.text &&
        target_.text->str().find_first_not_of(" \t\r\n") != std::string::npos &&
        !has_most_of(Text(contents), target_.text->str()))
      return add_at_end();
    const auto part = is_shown() && target_.text
                          ? why_not_whole(*change_, target_.path, *target_.text, contents_, syntax_)
                          : std::nullopt;
    if (part && options_.takes_parts && merge_part(1)) return;
    if (part)
      return refuse(
          FailureKind::malformed,
          fmt::format("{} exists, and the fence at line {} of the edit {}", target_.path,
                      change_->source_line, *part),
          "send what changes as a SEARCH/REPLACE block, or the whole file in the format \"whole\"");
    if (target_.text && !is_shown() && !change_->is_removed_first &&
        is_partial_quote(contents, *target_.text))
      return refuse(
          FailureKind::malformed,
          fmt::format("the text for {} at line {} of the edit only quotes lines of it, and "
                      "all other lines would be lost",
                      target_.path, change_->source_line),
          "send the whole file, or SEARCH/REPLACE blocks");
    if (refuse_elision() || refuse_dress(true)) return;
    const auto stop = target_.text ? where_it_stops(target_.path, *target_.text, contents, syntax_)
                                   : std::nullopt;
    if (stop)
      return refuse(
          FailureKind::truncated,
          fmt::format("the new text of {} stops at line {} of it, and the rest would be lost",
                      target_.path, *stop + 1),
          "send the file to its end; to remove its end, send a SEARCH/REPLACE block or a diff");
    const auto start = target_.text
                           ? where_it_begins(target_.path, *target_.text, contents, syntax_)
                           : std::nullopt;
    if (start)
      return refuse(
          FailureKind::malformed,
          fmt::format("the new text of {} begins at line {} of it, and what is above would be lost",
                      target_.path, *start + 1),
          "send the file from its beginning; to remove that, send a SEARCH/REPLACE block or a "
          "diff");
    if (target_.text) {
      keep_edits(overwrite_edits(*target_.text, contents));
      if (change_->has_empty_search && report_.hunks.back().state == State::applied)
        report_.hunks.back().note =
            fmt::format("its empty SEARCH half replaces all {} lines of {}",
                        MappedText(*target_.text).line_count(), target_.path);
      return;
    }
    file_.kind = ChangeKind::create;
    file_.after = Text(contents_);
    HunkReport& report = whole(State::applied);
    if (options_.with_bills) report.bill = "a new file: there is none of this name\n";
    keep();
  }

  // An empty SEARCH half of a file that exists, whose new text is not that file.
  void add_at_end() {
    std::string before = target_.text->str();
    if (contents_.empty() || shares_outer_line(*target_.text, contents_))
      return refuse(
          FailureKind::exists,
          fmt::format("{} already exists, and the block quotes none of its lines", target_.path),
          "quote the lines that it replaces, or one to add lines to");
    Hunk hunk;
    for (std::string& line : lines_of(contents_))
      hunk.lines.push_back({HunkLine::Kind::added, std::move(line)});
    const MappedText file(*target_.text);
    if (leaves_out(hunk, "", kind_of(target_.path), &file))
      return refuse(FailureKind::malformed,
                    fmt::format("the new text of {} omits lines (\"...\")", target_.path),
                    "write them");
    if (before.ends_with(contents_)) {
      whole(State::already_applied);
      return;
    }
    if (!before.ends_with('\n')) before += '\n';
    keep_edits(overwrite_edits(*target_.text, before + contents_));
    report_.hunks.back().note =
        fmt::format("its empty SEARCH half adds its lines at the end of {}", target_.path);
  }

  void remove() {
    if (!target_.text)
      return refuse(FailureKind::stale_path, fmt::format("there is no file {}", target_.path));
    if (change_->is_quoted && !removes_whole_file(change_->hunks, *target_.text))
      return refuse(FailureKind::not_found,
                    fmt::format("{} would be deleted, but the lines that the diff removes are not "
                                "all of its lines",
                                target_.path),
                    "read it again");
    whole(State::applied);
    keep();
  }

  void merge() {
    if (!target_.text)
      return refuse(FailureKind::stale_path,
                    fmt::format("there is no file {}, so there is nothing that the sketch "
                                "leaves out",
                                target_.path));
    if (refuse_dress(false)) return;
    FailureOr<std::vector<Replacement>> merged = merge_lazy(contents_, *target_.text, target_.path);
    if (merged) {
      file_.kind = ChangeKind::update;
      return keep_edits(std::move(*merged), true);
    }
    constexpr size_t kMany = 10;  // few may be meant to go
    if (!merge_part(kMany)) refuse(merged.error());
  }

  // A part of the file, shown without elisions at its ends, as chats do: the rest stays, if that
  // are so many lines. False if it may be meant otherwise, or breaks the syntax.
  bool merge_part(size_t least_beyond) {
    const auto part = as_part(contents_, *target_.text, least_beyond, target_.path, syntax_);
    if (!part) return false;
    auto merged = merge_lazy(*part, *target_.text, target_.path);
    if (!merged) return false;
    // Who only leaves lines out of what is shown rather quotes than removes; who leaves out many
    // has forgotten an elision.
    constexpr long kFew = 2;
    bool adds = false;
    long gone = 0;  // with nothing in their place, or most for which fewer come
    for (const Replacement& edit : *merged) {
      const std::string removed = target_.text->substr(edit.offset, edit.length);
      const long lost = std::ranges::count_if(lines_of(removed), has_word) -
                        std::ranges::count_if(lines_of(edit.text), has_word);
      const bool brings = edit.text.find_first_not_of(" \t\r\n") != edit.text.npos;
      adds |= brings;
      gone = brings ? std::max(gone, lost) : gone + lost;
    }
    if (!adds || gone > kFew) return false;
    const auto broken = syntax_ ? syntax_->new_errors(target_.path, *target_.text,
                                                      with_edits(*target_.text, *merged))
                                : std::nullopt;
    if (broken && !broken->empty()) return false;
    file_.kind = ChangeKind::update;
    keep_edits(std::move(*merged), true);
    report_.hunks.back().note =
        fmt::format("shows only a part of {}; the rest stays as it is", target_.path);
    return true;
  }

  void update() {
    if (!target_.text)
      return refuse(
          FailureKind::stale_path,
          fmt::format("there is no file {}, and no single existing file it could refer to",
                      target_.path));
    const size_t first = report_.hunks.size();
    PlacedFile placed = place(report_.hunks);
    if (placed.failed) return;
    file_.edits = std::move(placed.edits);
    file_.after = with_edits(*target_.text, file_.edits);
    if (syntax_ && target_.text->size() <= kParsedAtOnce)
      veto_by_syntax(*syntax_, target_.path, *target_.text, *file_.after,
                     std::span(report_.hunks).subspan(first));
    keep();
  }

  // The change's hunks in the file.
  PlacedFile place(std::vector<HunkReport>& reports) {
    std::optional<LineRange> selection;
    if (options_.selection_path == target_.path) selection = options_.selection;
    return place_hunks(target_.path, *target_.text, change_->hunks, selection, options_.with_bills,
                       options_.stop, reports);
  }

  const Files& files_;
  const Syntax* syntax_;
  const ApplyOptions& options_;
  std::set<std::string> seen_;  // the paths of the changes before
  const FileChange* const first_;
  const FileChange* change_ = nullptr;
  TargetFile target_;
  std::string contents_;  // the change's, without a first line that only names the file
  ChangedFile file_;
  ApplyReport report_;
};

}  // namespace

ApplyReport apply(const EditPlan& plan, const Files& files, const Syntax* syntax,
                  const ApplyOptions& options) {
  const Stopping stopping(options.stop);
  const std::optional<EditPlan> inside = with_paths_inside(plan, files);
  const EditPlan& whole = inside ? *inside : plan;
  const std::optional<EditPlan> joined = with_merged_updates(whole, files);
  const std::vector<FileChange>& changes = (joined ? *joined : whole).changes;
  PlanApplier applier(changes, files, syntax, options);
  for (const FileChange& change : changes) {
    if (options.stop.stop_requested()) break;
    applier.apply(change);
  }
  return applier.finished(plan.plain_fences);
}

}  // namespace bodkin
