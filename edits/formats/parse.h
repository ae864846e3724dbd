// parse_edits: a model's reply -> EditPlan.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "edits/plan/failure.h"
#include "edits/plan/plan.h"

namespace bodkin {

enum class Format {
  automatic,
  search_replace,
  search_replace_dashes,
  roo,
  patch,
  unified,
  str_replace,
  lazy,
  whole,
  line_edits,
};

// The names of `bodkin apply --format`.
std::vector<std::string> format_names();
std::optional<Format> format_named(std::string_view name);

struct ParseOptions {
  Format format = Format::automatic;
  std::string default_path;  // for formats and replies that carry no path; empty: none
  bool truncated = false;    // the host knows that the reply was cut off
  // `automatic` for a reply that a user reads, which may also show code, scripts and program
  // output: only SEARCH blocks, patches, unified diffs and fenced files are detected.
  bool in_chat = false;
  // True if there is a file with this path, or whose path ends with it. Distinguishes names without
  // an extension from other words. May be empty: unknown.
  std::function<bool(std::string_view path)> is_file;
  // True if there is a file with exactly this name, including quotes and brackets around it. May be
  // empty: unknown.
  std::function<bool(std::string_view path)> is_exact_name;
  // True if `contents` is all of the file at this path, changed. May be empty: unknown.
  std::function<bool(std::string_view path, const std::string& contents)> is_whole_file;
};

// A parser reads the unclaimed lines, claims its own and adds to the plan. It fails only if an edit
// starts that it cannot parse completely; text without its format is not an error.
struct ReplyLines;
using ParseFormat = FailureOr<void>(ReplyLines&, const ParseOptions&, EditPlan&);
using IsLeftOver = bool(const ReplyLines&, size_t line);

// No part of a reply is dropped silently. A named format is parsed first; the rest is parsed for
// the formats with their own markers. Whatever then looks like part of an edit is an error, and the
// remaining fences are listed (`EditPlan::plain_fences`).
//
// Errors: `malformed` or `truncated` (edits/README.md, "Errors"). Text without any edit gives a
// plan without changes; in chat, text that merely looks like an edit sets `doubt` instead.
// `parse_json` parses edits written as JSON, which this folder does not know.
FailureOr<EditPlan> parse_edits(std::string_view reply, const ParseOptions& options,
                                ParseFormat* parse_json = nullptr);

// The reply without its edits: the model's text for the user. A run of blank lines becomes one.
// `shown`: lines (from 0) that look like edits and are kept.
std::string prose_of(std::string_view reply, const ParseOptions& options = {},
                     std::span<const LineRange> shown = {}, ParseFormat* parse_json = nullptr);

}  // namespace bodkin
