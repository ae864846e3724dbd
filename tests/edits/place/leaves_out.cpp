#include "edits/place/leaves_out.h"

#include <doctest/doctest.h>

#include <string>

using namespace bodkin;

TEST_CASE("Whether lines are left out is asked of a run of changes, not of each line anew") {
  // Every line may be an elision by its words ("lines 12 in the file"): for each, those that go and
  // come were counted again, which took minutes for such a run.
  Hunk hunk;
  for (int i = 0; i < 20'000; ++i)
    hunk.lines.push_back({HunkLine::Kind::removed, "line " + std::to_string(i) + " of the file"});
  for (int i = 0; i < 20'000; ++i)
    hunk.lines.push_back({HunkLine::Kind::added, "line " + std::to_string(i) + " in the file"});
  CHECK_FALSE(leaves_out(hunk, "", kind_of("f.py"), nullptr));
  hunk.lines.back().text = "# rest of the file unchanged";
  CHECK(leaves_out(hunk, "", kind_of("f.py"), nullptr));
}
