// A second model finishes a sketch that could not be merged by syntax: its answer is read, and
// checked before anything of it is used.
//
//   answer := one fenced block with the finished region; prose may be around it
//           | [{"start_line", "end_line", "replacement"}, …], also in a fence: lines of the whole
//             file, from 1, inclusive; applied at once, overlaps are refused
#pragma once

#include <string>
#include <string_view>

#include "edits/plan/plan.h"
#include "edits/plan/syntax.h"
#include "edits/text/result.h"
#include "edits/text/text.h"

namespace bodkin {

struct SketchedRegion {
  std::string path;
  Text file;           // as the model sees it
  LineRange lines;     // of the file: the region
  std::string sketch;  // of the region
};

// The region's lines, each with its line end.
std::string text_of(const SketchedRegion& region);

// The edit that the answer means. `syntax` may be null. Error, for the second model: invalid_input;
// the answer cannot be read, changes lines outside of the region, still has placeholders, drops
// lines that they stand for, has lines that neither the file nor the sketch has, or makes new
// syntax errors.
Result<EditPlan> plan_of_answer(const SketchedRegion& region, std::string_view answer,
                                const Syntax* syntax);

// True if the text certainly has lines that stand for others.
bool has_placeholder(std::string_view text);

}  // namespace bodkin
