#include "edits/parse.h"

#include <algorithm>

#include "edits/parse_context.h"
#include "edits/parse_ed.h"
#include "edits/parse_normal.h"
#include "edits/parse_patch.h"
#include "edits/parse_rcs.h"
#include "edits/parse_search_replace.h"
#include "edits/parse_tags.h"
#include "edits/parse_unified.h"
#include "edits/parse_whole.h"
#include "edits/reply.h"

namespace bodkin {

namespace {

// Where a format is found by its own markers: nowhere, in edits, also in talk.
enum class Found { no, in_edits, in_talk };

// A new format: its parser's file, and one row here. `automatic` tries the rows of formats that are
// found, in this order; each sees what the ones before have not taken.
struct Row {
  Format format;
  std::string_view name;
  ParseFormat* parse;  // null: it is JSON
  Found found;
  IsLeftOver* is_left_over = nullptr;  // of this line: it belongs to an edit that was not read
};

constexpr Row kFormats[] = {
    {Format::search_replace, "search_replace", parse_search_replace, Found::in_talk,
     is_left_over_block},
    {Format::search_replace_dashes, "search_replace_dashes", parse_search_replace, Found::no,
     is_left_over_block},
    {Format::roo, "roo", parse_search_replace, Found::no, is_left_over_block},
    {Format::patch, "patch", parse_patch, Found::in_talk, is_left_over_patch},
    {Format::unified, "unified", parse_unified, Found::in_talk, is_left_over_diff},
    {Format::context_diff, "context_diff", parse_context, Found::in_edits,
     is_left_over_context_diff},
    {Format::normal_diff, "normal_diff", parse_normal, Found::in_edits, is_left_over_command},
    {Format::ed, "ed", parse_ed, Found::in_edits},
    {Format::rcs, "rcs", parse_rcs, Found::in_edits},
    {Format::str_replace, "str_replace", parse_tags, Found::in_edits},
    {Format::str_replace, "str_replace", nullptr, Found::in_edits},
    {Format::line_edits, "line_edits", nullptr, Found::no},
    {Format::lazy, "lazy", parse_lazy, Found::no},
    {Format::whole, "whole", parse_whole, Found::in_talk},
};

bool is_wanted(const Row& row, const ParseOptions& options) {
  if (options.format != Format::automatic) return options.format == row.format;
  return row.found >= (options.in_talk ? Found::in_talk : Found::in_edits);
}

// In talk, text that only looks like an edit is perhaps none: then it is a doubt.
Result<void> fail_or_doubt(Error error, const ParseOptions& options, EditPlan& plan) {
  if (!options.in_talk || !plan.changes.empty()) return std::unexpected(std::move(error));
  plan.doubt = std::move(error.message);
  return {};
}

Result<void> parse_all(Reply& reply, const ParseOptions& options, ParseFormat* parse_json,
                       EditPlan& plan) {
  for (const Row& row : kFormats) {
    ParseFormat* const parse = row.parse != nullptr ? row.parse : parse_json;
    if (!is_wanted(row, options) || parse == nullptr) continue;
    auto done = parse(reply, options, plan);
    if (!done && row.format == Format::whole) done = fail_or_doubt(done.error(), options, plan);
    if (!done) return done;
  }
  return {};
}

// Half of what was meant is never applied: what looks like a part of an edit is not prose.
Result<void> refuse_left_over(const Reply& reply, const ParseOptions& options, EditPlan& plan) {
  for (size_t i = 0; i < reply.size(); ++i) {
    if (reply.taken[i]) continue;
    for (const Row& row : kFormats) {
      if (row.is_left_over == nullptr || !is_wanted(row, options) || !row.is_left_over(reply, i))
        continue;
      return fail_or_doubt({Error::Code::invalid_input,
                            "malformed: line " + std::to_string(i + 1) +
                                " of the edit looks like a part of an edit that cannot be read; "
                                "send that edit again, complete"},
                           options, plan);
    }
  }
  return {};
}

}  // namespace

std::optional<Format> format_named(std::string_view name) {
  if (name == "auto" || name == "automatic") return Format::automatic;
  for (const Row& row : kFormats) {
    if (row.name == name) return row.format;
  }
  return std::nullopt;
}

std::string_view name_of(Format format) {
  for (const Row& row : kFormats) {
    if (row.format == format) return row.name;
  }
  return "auto";
}

Result<EditPlan> parse_edits(std::string_view text, const ParseOptions& options,
                             ParseFormat* parse_json) {
  Reply reply(text);
  EditPlan plan;
  if (auto done = parse_all(reply, options, parse_json, plan); !done) return std::unexpected(done.error());
  if (auto done = refuse_left_over(reply, options, plan); !done) return std::unexpected(done.error());
  if (options.truncated && !plan.changes.empty()) {
    return fail(Error::Code::invalid_input,
                "truncated: the reply was cut off, so none of its edits is applied; send the "
                "edits again, in smaller parts");
  }
  for (const FileChange& change : plan.changes) {
    if (!change.path.empty()) continue;
    return fail(Error::Code::invalid_input, "malformed: the edit at line " +
                                                std::to_string(change.source_line) +
                                                " names no file; give its path");
  }
  put_together(plan);
  return plan;
}

std::string prose_of(std::string_view text, const ParseOptions& options,
                     std::span<const LineRange> shown, ParseFormat* parse_json) {
  Reply reply(text);
  EditPlan plan;
  // What cannot be read to its end is left standing: the person sees what the model wrote.
  (void)parse_all(reply, options, parse_json, plan);
  for (const LineRange& lines : shown)
    std::fill(reply.taken.begin() + static_cast<long>(lines.begin),
              reply.taken.begin() + static_cast<long>(lines.end), 0);
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
