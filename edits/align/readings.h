// Readings: the ways to understand a hunk. As it is written; and, at a price, without what a model
// put around or into its lines: line numbers before them, entities, escapes; or with halves at
// different depths.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "edits/align/prices.h"
#include "edits/plan/plan.h"

namespace bodkin {

// A row of a hunk. A kept row of SEARCH/REPLACE has a text in each half, which may be indented
// differently; else both are one.
struct Row {
  HunkLine::Kind kind = HunkLine::Kind::context;
  std::string_view old_text, new_text;
  bool is_old() const { return kind != HunkLine::Kind::added; }
  bool is_kept() const { return kind == HunkLine::Kind::context; }
  // The text whose depth new lines follow.
  std::string_view shown() const { return kind == HunkLine::Kind::removed ? old_text : new_text; }
};

struct Reading {
  const Hunk* hunk = nullptr;  // as it was written
  std::vector<Row> rows;       // views into `hunk` or `storage`
  std::vector<std::string> storage;
  Price price = 0;
  bool halves = false;  // the halves stand at different depths: only kept rows know the new half's
  bool deeper = false;  // … none of them less deep in the new one

  std::vector<std::string_view> old_side() const;
  std::vector<std::string_view> new_side() const;
};

std::shared_ptr<const Reading> as_written(const Hunk& hunk);

// All other readings that the text allows.
std::vector<std::shared_ptr<const Reading>> other_readings(const Hunk& hunk);

}  // namespace bodkin
