// parse_edits: a model's reply -> EditPlan.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "edits/plan.h"
#include "edits/result.h"

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
  str_replace,  // decoded from JSON by the caller, never found in text
  lazy,
  whole,
  line_edits,  // decoded from JSON by the caller
};

std::optional<Format> format_named(std::string_view name);  // the names of `bodkin apply --format`
std::string_view name_of(Format format);

struct ParseOptions {
  Format format = Format::automatic;
  std::string default_path;  // for formats and replies that carry no path; empty: none
  bool truncated = false;    // the host knows that the reply was cut off
};

// The errors are those of edits.md: `invalid_input` with a sentence that begins with the kind
// ("malformed: …", "truncated: …"). Text without any edit gives a plan without changes.
Result<EditPlan> parse_edits(std::string_view reply, const ParseOptions& options);

// The reply without its edits: what the model says to the person. A run of blank lines becomes one.
std::string prose_of(std::string_view reply);

}  // namespace bodkin
