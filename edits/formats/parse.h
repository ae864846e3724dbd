// parse_edits: a model's reply -> EditPlan.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "edits/plan/plan.h"
#include "edits/text/result.h"

namespace bodkin {

enum class Format {
  automatic,
  search_replace,
  search_replace_dashes,
  roo,
  patch,
  unified,
  context_diff,
  normal_diff,
  ed,
  rcs,
  str_replace,
  lazy,
  whole,
  line_edits,
};

std::optional<Format> format_named(std::string_view name);  // the names of `bodkin apply --format`
std::string_view name_of(Format format);

struct ParseOptions {
  Format format = Format::automatic;
  std::string default_path;  // for formats and replies that carry no path; empty: none
  bool truncated = false;    // the host knows that the reply was cut off
  // `automatic` for a reply to a person, who is also shown code, scripts and the output of programs:
  // only SEARCH blocks, patches, unified diffs and files in fences are looked for.
  bool in_talk = false;
  // Is there such a file, by this path or the end of one? It tells names without an extension from
  // other words. May be empty: nobody knows.
  std::function<bool(std::string_view path)> is_file;
};

// A parser reads the lines that nobody has taken, takes its own and adds to the plan. It fails only
// when an edit has begun that it cannot read to its end; text without its format is no error.
struct Reply;
using ParseFormat = Result<void>(Reply&, const ParseOptions&, EditPlan&);
using IsLeftOver = bool(const Reply&, size_t line);

// No part of a reply is dropped in silence. A named format says what is read first; what is left is
// read for the formats that have markers of their own. What then looks like a part of an edit is an
// error, and a fence that is left must show lines of the files (`EditPlan::plain_fences`).
//
// Errors: `invalid_input` with a sentence that begins with the kind ("malformed: …",
// "truncated: …"; edits/README.md, "Errors"). Text without any edit gives a plan without changes; in talk also
// text that only looks like one (`doubt`).
// `parse_json` reads the edits that are written as JSON, which this folder knows nothing of.
Result<EditPlan> parse_edits(std::string_view reply, const ParseOptions& options,
                             ParseFormat* parse_json = nullptr);

// The reply without its edits: what the model says to the person. A run of blank lines becomes one.
// `shown`: lines (from 0) that look like edits and stay.
std::string prose_of(std::string_view reply, const ParseOptions& options = {},
                     std::span<const LineRange> shown = {}, ParseFormat* parse_json = nullptr);

}  // namespace bodkin
