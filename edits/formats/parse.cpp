#include "edits/formats/parse.h"

#include <algorithm>

#include "edits/formats/parse_find_replace.h"
#include "edits/formats/parse_patch.h"
#include "edits/formats/parse_search_replace.h"
#include "edits/formats/parse_unified.h"
#include "edits/formats/parse_whole.h"
#include "edits/formats/plain_fences.h"
#include "edits/formats/reply_lines.h"
#include "edits/plan/paths.h"

namespace bodkin {

namespace {

// Where a format is found by its own markers: nowhere, in edits, also in talk.
enum class Found { no, in_edits, in_chat };

// A new format: its parser's file, and one row here. `automatic` tries the rows of formats that are
// found, in this order; each sees what the ones before have not taken. A named format comes first,
// then those whose markers nothing else has.
struct Row {
  Format format;
  std::string_view name;
  ParseFormat* parse;  // null: it is JSON
  Found found;
  bool is_marked = false;              // found beyond doubt, also beside a named format
  IsLeftOver* is_left_over = nullptr;  // of this line: it belongs to an edit that was not read
};

// Decides: which formats a reply may have.
constexpr Row kFormats[] = {
    {Format::search_replace, "search_replace", parse_search_replace, Found::in_chat, true,
     is_left_over_block},
    {Format::search_replace_dashes, "search_replace_dashes", parse_search_replace, Found::no, false,
     is_left_over_block},
    {Format::roo, "roo", parse_search_replace, Found::no, false, is_left_over_block},
    {Format::patch, "patch", parse_patch, Found::in_chat, true, is_left_over_patch},
    {Format::unified, "unified", parse_unified, Found::in_chat, true, is_left_over_diff},
    {Format::str_replace, "str_replace", nullptr, Found::in_edits, true},
    {Format::line_edits, "line_edits", nullptr, Found::no},
    {Format::search_replace, "search_replace", parse_find_replace, Found::in_chat},
    {Format::lazy, "lazy", parse_lazy, Found::no},
    {Format::whole, "whole", parse_whole, Found::in_chat},
};

bool is_named(const ParseOptions& options) { return options.format != Format::automatic; }

bool is_detected(const Row& row, const ParseOptions& options) {
  return row.found >= (options.in_chat ? Found::in_chat : Found::in_edits);
}

// True if the row's format may occur in the reply.
bool may_occur(const Row& row, const ParseOptions& options) {
  if (!is_named(options)) return is_detected(row, options);
  return options.format == row.format || (row.is_marked && is_detected(row, options));
}

// In talk, text that only looks like an edit is perhaps none: then it is a doubt.
FailureOr<void> fail_or_doubt(Failure failure, const ParseOptions& options, EditPlan& plan) {
  if (!options.in_chat || !plan.changes.empty()) return std::unexpected(std::move(failure));
  plan.doubt = std::move(failure);
  return {};
}

FailureOr<void> parse_all(ReplyLines& reply, const ParseOptions& options, ParseFormat* parse_json,
                          EditPlan& plan) {
  ParseOptions found = options;
  found.format = Format::automatic;
  for (const bool comes_first : {true, false}) {
    for (const Row& row : kFormats) {
      const bool is_own = is_named(options) && row.format == options.format;
      ParseFormat* const parse = row.parse != nullptr ? row.parse : parse_json;
      if (is_own != comes_first || !may_occur(row, options) || parse == nullptr) continue;
      auto done = parse(reply, is_own ? options : found, plan);
      if (!done && row.format == Format::whole)
        done = fail_or_doubt(done.error(), is_own ? options : found, plan);
      if (!done) return done;
    }
  }
  return {};
}

// Next to edits: the head of a hunk ("@@", "@@ def f():"), a removed line above an added one, or
// the first line of a conflict ("<<<<<<< HEAD"). Elsewhere in a reply they may be prose.
bool is_part_of_edit(const ReplyLines& reply, size_t line) {
  const auto starts = [&](size_t i, std::string_view sign) {
    return i < reply.size() && !reply.taken[i] && reply.lines[i].starts_with(sign);
  };
  const auto is_change = [&](size_t i) {
    return (starts(i, "-") && !starts(i, "---")) || starts(i, "+");
  };
  const std::string_view s = trimmed_right(reply.lines[line]);
  if (s == "@@" || s.starts_with("@@ "))
    return is_change(line + 1) || (starts(line + 1, " ") && is_change(line + 2));
  return s.starts_with("<<<<<<< ") ||
         (starts(line, "-") && is_change(line) && starts(line + 1, "+"));
}

// Half of what was meant is never applied: what looks like a part of an edit is not prose.
FailureOr<void> refuse_left_over(const ReplyLines& reply, const ParseOptions& options,
                                 EditPlan& plan) {
  std::optional<size_t> fence;  // that is open
  for (size_t i = 0; i < reply.size(); ++i) {
    if (reply.taken[i]) {
      fence.reset();
      continue;
    }
    const bool closes = fence && closes_fence(reply.lines[*fence], reply.lines[i]);
    const auto info = fence_info(reply.lines[i]);
    if (closes)
      fence.reset();
    else if (!fence && info && !(info->empty() && i > 0 && reply.taken[i - 1]))
      fence = i;
    // In a fence of its own, a hunk without a file is a part of a diff.
    const bool is_hunk = fence && *fence + 1 == i &&
                         is_diff_language(*fence_info(reply.lines[*fence])) &&
                         reply.lines[i].starts_with("@@");
    const bool is_part =
        (is_hunk || (!fence && !plan.changes.empty())) && is_part_of_edit(reply, i);
    const auto is_left_over = [&](const Row& row) {
      return row.is_left_over && may_occur(row, options) && row.is_left_over(reply, i);
    };
    if (is_part || std::ranges::any_of(kFormats, is_left_over))
      return fail_or_doubt({FailureKind::malformed,
                            "line " + std::to_string(i + 1) +
                                " of the edit looks like part of an edit that cannot be parsed",
                            "send that edit again, complete"},
                           options, plan);
  }
  return {};
}

// A file's tag binds: edits in it change that file, or are refused; and there must be some.
FailureOr<void> bind_to_tags(const ReplyLines& reply, EditPlan& plan) {
  for (const ReplyLines::FileTag& tag : reply.tags) {
    const auto is_inside = [&](size_t at) { return at >= tag.begin && at <= tag.end; };
    bool has_edits = true;
    for (size_t i = tag.begin - 1; i < tag.end; ++i)
      has_edits = has_edits && (reply.taken[i] || is_blank(reply.lines[i]));
    for (FileChange& change : plan.changes) {
      if (!is_inside(change.source_line) &&
          std::ranges::none_of(change.hunks,
                               [&](const Hunk& hunk) { return is_inside(hunk.source_line); }))
        continue;
      has_edits = true;
      if (!may_mean(change.path, tag.path))
        return failure_at("the <file-edit>", tag.begin - 1,
                          "names " + tag.path + ", but the edit in it changes " + change.path,
                          "send it again for one file");
      change.path = tag.path;
    }
    if (!has_edits)
      return failure_at("the <file-edit>", tag.begin - 1, "holds no edit that can be read",
                        "write SEARCH/REPLACE blocks in it");
  }
  return {};
}

// Takes the fences that held nothing but edits.
void take_empty_fences(ReplyLines& reply) {
  for (size_t open = 0; open < reply.size(); ++open) {
    if (reply.taken[open] || !fence_info(reply.lines[open])) continue;
    bool held_edits = false, held_text = false;
    size_t close = open + 1;
    for (; close < reply.size() &&
           (reply.taken[close] || !closes_fence(reply.lines[open], reply.lines[close]));
         ++close)
      (reply.taken[close] ? held_edits : held_text) |=
          reply.taken[close] || !is_blank(reply.lines[close]);
    if (close < reply.size() && held_edits && !held_text)
      reply.taken[open] = reply.taken[close] = 1;
    open = close;
  }
}

}  // namespace

std::vector<std::string> format_names() {
  std::vector<std::string> names{"auto"};
  for (const Row& row : kFormats)
    if (std::ranges::find(names, row.name) == names.end()) names.emplace_back(row.name);
  return names;
}

std::optional<Format> format_named(std::string_view name) {
  if (name == "auto" || name == "automatic") return Format::automatic;
  for (const Row& row : kFormats) {
    if (row.name == name) return row.format;
  }
  return std::nullopt;
}

FailureOr<EditPlan> parse_edits(std::string_view text, const ParseOptions& options,
                                ParseFormat* parse_json) {
  ReplyLines reply(text);
  EditPlan plan;
  if (auto done = parse_all(reply, options, parse_json, plan); !done)
    return std::unexpected(done.error());
  give_back_unmarked_files(reply, options, plan);
  if (auto done = bind_to_tags(reply, plan); !done) return std::unexpected(done.error());
  if (auto done = refuse_left_over(reply, options, plan); !done)
    return std::unexpected(done.error());
  if (options.truncated && !plan.changes.empty()) {
    return failure(FailureKind::truncated,
                   "the reply was cut off, so none of its edits were applied",
                   "send the edits again, in smaller parts");
  }
  for (const FileChange& change : plan.changes) {
    if (!change.path.empty()) continue;
    return failure_at("the change", change.source_line - 1, "names no file", "give its path");
  }
  find_plain_fences(reply, options, plan);
  if (auto done = refuse_other_code(plan); !done) return std::unexpected(done.error());
  if (!is_named(options)) take_named_files(options, plan);
  merge_and_sort_changes(plan);
  return plan;
}

std::string prose_of(std::string_view text, const ParseOptions& options,
                     std::span<const LineRange> shown, ParseFormat* parse_json) {
  ReplyLines reply(text);
  EditPlan plan;
  // Text that cannot be read to its end is left: the user sees what the model wrote.
  (void)parse_all(reply, options, parse_json, plan);
  give_back_unmarked_files(reply, options, plan);
  for (const LineRange& lines : shown) reply.give_back(lines);
  take_empty_fences(reply);
  std::string prose;
  size_t blank = 0;
  for (size_t i = 0; i < reply.size(); ++i) {
    if (reply.taken[i]) continue;
    std::string_view line = reply.lines[i];
    if (trimmed(line) == "<chat>" || trimmed(line) == "</chat>") continue;
    std::string kept(line);
    for (const std::string_view tag : {"<chat>", "</chat>"}) {
      if (const size_t at = kept.find(tag); at != kept.npos) kept.erase(at, tag.size());
    }
    if (trimmed(kept).empty()) {
      ++blank;
      continue;
    }
    if (!prose.empty()) prose.append(blank > 0 ? "\n\n" : "\n");
    blank = 0;
    prose += kept;
  }
  if (!prose.empty()) prose += '\n';
  return prose;
}

}  // namespace bodkin
