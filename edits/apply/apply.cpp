// Applying a plan: every file is resolved, every hunk is placed against the one snapshot of its
// file, and only when all hunks have a place are the bytes made.
#include "edits/apply/apply.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "edits/align/bill.h"
#include "edits/apply/doubtful_syntax.h"
#include "edits/apply/named_files.h"
#include "edits/apply/place_hunks.h"
#include "edits/apply/whole_file.h"
#include "edits/lazy/part_of_file.h"
#include "edits/place/write.h"
#include "edits/plan/paths.h"
#include "edits/text/stopping.h"

namespace bodkin {

namespace {

using State = HunkReport::State;
using ChangeKind = FileChange::Kind;

// A change that shows nothing of its file, so that nothing could confirm a guessed path.
bool needs_exact_path(const FileChange& change) {
  return change.kind == ChangeKind::create ||
         (change.kind == ChangeKind::remove && change.hunks.empty()) || change.as<Readded>();
}

// One change of the plan after the other; each adds its hunks' reports and its file.
class PlanApplier {
 public:
  // `changes`: of the whole plan.
  PlanApplier(const std::vector<FileChange>& changes, const Files& files, const Syntax* syntax,
              const ApplyOptions& options)
      : files_(files), syntax_(syntax), options_(options), first_(changes.data()) {}

  // First which file is meant, then whether it may be changed at all, then what becomes of it. A
  // question that is not answered refuses the change; the next changes are looked at all the same,
  // so that the model hears of everything at once.
  void apply(const FileChange& change) {
    change_ = &change;
    target_ = target_file(files_, change.path, !needs_exact_path(change));
    if (!target_.why_outside.empty()) return refuse(FailureKind::stale_path, target_.why_outside);
    // A whole file takes the place of another one than it names only if it is that one's new text.
    if (change.kind == ChangeKind::overwrite && target_.text && target_.is_guess &&
        !is_new_text_of(change, target_.path, *target_.text))
      target_ = {plain_path(change.path), std::nullopt};
    contents_ = change.contents;
    const FileFence* const fence = change.as<FileFence>();
    if (const size_t end = contents_.find('\n'); fence && fence->begins_with_path && target_.text &&
                                                 target_.text->line(0) != contents_.substr(0, end))
      contents_.erase(0, end == std::string::npos ? end : end + 1);
    file_ = {};
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
    if (auto why = why_only_shown()) {
      if (!why_shown_) why_shown_ = std::move(why);
      report_.shown.push_back({change.source_line, change.shown().end - change.source_line - 1});
      return;
    }
    if (!check_rename() || !check_single()) return;
    const bool keeps_text = change.kind == ChangeKind::remove ||
                            (change.kind == ChangeKind::update && change.hunks.empty());
    if (target_.text && !keeps_text && is_utf16(*target_.text))
      return refuse(FailureKind::malformed,
                    fmt::format("{} is UTF-16 text, which bodkin does not edit", target_.path),
                    "leave this file out");
    if (change.kind == ChangeKind::remove) return remove();
    if (change.kind == ChangeKind::update) return update();
    show();
  }

  // All files or none: a single failure takes the files out of the report, and the hunks that could
  // be placed stay in it, so that they need not be sent again.
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
    if (!report_.failure && report_.hunks.empty() && !report_.shown.empty())
      report_.failure = why_shown_;
    for (ChangedFile& file : report_.files)
      for (const HunkReport& hunk : report_.hunks) {
        if (hunk.path != file.path) continue;
        if (hunk.match) file.quality = std::max(file.quality, hunk.match->quality);
        if (!hunk.bill.empty()) file.bills.push_back(hunk.bill.substr(0, hunk.bill.find('\n')));
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

  void refuse(FailureKind kind, const std::string& message, const std::string& advice = {}) {
    return refuse({kind, message, advice});
  }

  // Each hunk of the change says why, since none of them is fine.
  void refuse(const Failure& failure) {
    const bool by_hunk = change_->kind == ChangeKind::update && !change_->hunks.empty();
    for (size_t i = 0; i < (by_hunk ? change_->hunks.size() : 1); ++i) {
      HunkReport& hunk = whole(State::failed);
      if (by_hunk) hunk.source_line = change_->hunks[i].source_line;
      hunk.failure = failure;
    }
  }

  // Decides: whether a fence in a reply is an edit or only shown.
  // Returns why a fence below a path, which quotes the file as it is or as it was just made, is not
  // an edit; nullopt if it is one. A quote of less than half of the file cannot be all of it, so
  // the two need not be compared.
  std::optional<Failure> why_only_shown() const {
    if (!change_->is_shown() || !target_.text) return std::nullopt;
    const Failure quotes{FailureKind::malformed,
                         fmt::format("the fence at line {} of the edit only quotes {}",
                                     change_->source_line, target_.path),
                         "send what changes as a SEARCH/REPLACE block"};
    for (const ChangedFile& file : report_.files)
      if (file.path == target_.path && file.after && is_quote(contents_, *file.after))
        return quotes;
    if (!is_quote(contents_, *target_.text)) return std::nullopt;
    const bool is_sketch = change_->kind == ChangeKind::lazy;
    const Text shown(contents_);
    if (!is_sketch && !contents_.empty() && 2 * shown.line_count() < target_.text->line_count())
      return quotes;
    const FailureOr<NewText> now = new_text();
    // A text that begins like the file is meant as all of it, without lines that it must not lose.
    if (!now && !is_sketch && first_line(shown) == first_line(*target_.text)) return std::nullopt;
    if (!now) return now.error();
    return is_sketch && now->edits.empty() ? std::optional(quotes) : std::nullopt;
  }

  FailureOr<NewText> new_text() const {
    return new_text_of({*change_, target_, contents_, files_, syntax_, options_.takes_parts});
  }

  // False: refused. A file is moved to a path of the workspace where nothing is, and only if its
  // own path was given whole, as the new one is relative to the same folder.
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

  // False: an earlier change has this file. If it is the same change, nothing more is to be done.
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
    const std::string begin = text.substr(0, 2);
    return begin == "\xff\xfe" || begin == "\xfe\xff";
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
    std::ranges::sort(report_.shown, {}, &NotApplied::source_line);
  }

  bool may_be_lost(const PlainFence& fence) const {
    const TargetFile target = target_file(files_, fence.path, true);
    const auto is_removed = [&](const ChangedFile& file) {
      return file.path == target.path && !file.after;
    };
    if (seen_.contains(target.path))  // one of its name elsewhere may be what takes its place
      return target.is_guess && std::ranges::any_of(report_.files, is_removed);
    if (fence.is_for_reader) return target.text && resembles(*target.text, fence.contents);
    return !target.text || !is_quote(fence.contents, *target.text);
  }

  // Keeps nothing if the file stays as it is.
  void keep() {
    const bool same = file_.before && file_.after && file_.edits.empty() && !file_.rename_to;
    if (!same) report_.files.push_back(std::move(file_));
  }

  // A file that the reply shows as a whole or as a sketch.
  void show() {
    FailureOr<NewText> now = new_text();
    if (!now) return refuse(now.error());
    if (now->state == State::already_applied) {
      whole(State::already_applied);
      return;
    }
    const bool is_new = !target_.text;
    file_.after = is_new ? Text(contents_) : with_edits(*target_.text, now->edits);
    file_.is_whole = !is_new && !now->is_sketch && change_->kind == ChangeKind::overwrite &&
                     !change_->as<Readded>();
    HunkReport& report = whole(is_new || !now->edits.empty() ? State::applied : State::no_change);
    report.note = std::move(now->note);
    report.edits = now->edits;
    if (options_.with_bills)
      report.bill = is_new ? "a new file: there is none of this name\n"
                           : bill_of_result(*target_.text, *file_.after, contents_, now->is_sketch);
    file_.edits = std::move(now->edits);
    keep();
  }

  // A diff that removes a file must show all of it; a command need not.
  void remove() {
    if (!target_.text)
      return refuse(FailureKind::stale_path, fmt::format("there is no file {}", target_.path));
    if (!change_->hunks.empty() && !removes_whole_file(change_->hunks, *target_.text))
      return refuse(FailureKind::not_found,
                    fmt::format("{} would be deleted, but the lines that the diff removes are not "
                                "all of its lines",
                                target_.path),
                    "read it again");
    whole(State::applied);
    keep();
  }

  // If the file is too large to parse while a person waits, the grammar is not asked.
  void update() {
    if (!target_.text) return refuse(FailureKind::stale_path, no_such_file(files_, target_.path));
    const size_t first = report_.hunks.size();
    PlacedEdits placed = place(report_.hunks);
    if (placed.failed) return;
    file_.edits = std::move(placed.edits);
    file_.after = with_edits(*target_.text, file_.edits);
    if (syntax_ && target_.text->size() <= kParsedAtOnce)
      refuse_broken_syntax(*syntax_, target_.path, *target_.text, *file_.after,
                           std::span(report_.hunks).subspan(first));
    keep();
  }

  // The change's hunks in the file.
  PlacedEdits place(std::vector<HunkReport>& reports) {
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
  std::optional<Failure> why_shown_;  // of the first fence that is no edit
  ApplyReport report_;
};

}  // namespace

ApplyReport apply(const EditPlan& plan, const Files& files, const Syntax* syntax,
                  const ApplyOptions& options) {
  const Stopping stopping(options.stop);
  const std::optional<EditPlan> named = with_paths_of_files(plan, files);
  const std::vector<FileChange>& changes = (named ? *named : plan).changes;
  PlanApplier applier(changes, files, syntax, options);
  for (const FileChange& change : changes) {
    if (options.stop.stop_requested()) break;
    applier.apply(change);
  }
  return applier.finished(plan.plain_fences);
}

}  // namespace bodkin
