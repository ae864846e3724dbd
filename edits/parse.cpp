#include "edits/parse.h"

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

// A new format: its parser's file, and one row here. `automatic` tries the rows with `found` set,
// in this order; each sees what the ones before have not taken.
struct Row {
  Format format;
  std::string_view name;
  ParseFormat* parse;  // null: it is JSON
  bool found;          // by its own markers
  IsLeftOver* is_left_over = nullptr;  // of this line: it belongs to an edit that was not read
};

constexpr Row kFormats[] = {
    {Format::search_replace, "search_replace", parse_search_replace, true, is_left_over_block},
    {Format::search_replace_dashes, "search_replace_dashes", parse_search_replace, false, is_left_over_block},
    {Format::roo, "roo", parse_search_replace, false, is_left_over_block},
    {Format::patch, "patch", parse_patch, true, is_left_over_patch},
    {Format::unified, "unified", parse_unified, true, is_left_over_diff},
    {Format::context_diff, "context_diff", parse_context, true, is_left_over_context_diff},
    {Format::normal_diff, "normal_diff", parse_normal, true, is_left_over_command},
    {Format::ed, "ed", parse_ed, true},
    {Format::rcs, "rcs", parse_rcs, true},
    {Format::str_replace, "str_replace", parse_tags, true},
    {Format::str_replace, "str_replace", nullptr, true},
    {Format::line_edits, "line_edits", nullptr, false},
    {Format::lazy, "lazy", parse_lazy, false},
    {Format::whole, "whole", parse_whole, true},
};

bool is_wanted(const Row& row, const ParseOptions& options) {
  return options.format == Format::automatic ? row.found : options.format == row.format;
}

Result<void> parse_all(Reply& reply, const ParseOptions& options, ParseFormat* parse_json,
                       EditPlan& plan) {
  for (const Row& row : kFormats) {
    ParseFormat* const parse = row.parse != nullptr ? row.parse : parse_json;
    if (!is_wanted(row, options) || parse == nullptr) continue;
    if (auto done = parse(reply, options, plan); !done) return done;
  }
  return {};
}

// Half of what was meant is never applied: what looks like a part of an edit is not prose.
Result<void> refuse_left_over(const Reply& reply, const ParseOptions& options) {
  for (size_t i = 0; i < reply.size(); ++i) {
    if (reply.taken[i]) continue;
    for (const Row& row : kFormats) {
      if (row.is_left_over == nullptr || !is_wanted(row, options) || !row.is_left_over(reply, i))
        continue;
      return fail(Error::Code::invalid_input,
                  "malformed: line " + std::to_string(i + 1) +
                      " of the edit looks like a part of an edit that cannot be read; send that "
                      "edit again, complete");
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
  if (auto done = refuse_left_over(reply, options); !done) return std::unexpected(done.error());
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

std::string prose_of(std::string_view text, ParseFormat* parse_json) {
  Reply reply(text);
  EditPlan plan;
  // What cannot be read to its end is left standing: the person sees what the model wrote.
  (void)parse_all(reply, {}, parse_json, plan);
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
