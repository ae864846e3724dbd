#include "edits/plan/diff.h"

#include <fmt/format.h>

#include <dtl/dtl.hpp>
#include <string>
#include <unordered_map>

namespace bodkin {
namespace {

enum class Side { both, before, after };

// For each line of the diff: on which side it stands, in order. Removed before added.
std::vector<Side> diff_of(const std::vector<std::string_view>& before,
                          const std::vector<std::string_view>& after) {
  constexpr size_t kMostLines = 4000;  // dtl's time grows with the product of length and distance
  size_t head = 0;
  while (head < before.size() && head < after.size() && before[head] == after[head]) ++head;
  size_t tail = 0;
  while (tail + head < before.size() && tail + head < after.size() &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  const size_t old_count = before.size() - head - tail, new_count = after.size() - head - tail;
  std::vector<Side> out(head, Side::both);
  if (old_count == 0 || new_count == 0 || old_count + new_count > kMostLines) {
    out.insert(out.end(), old_count, Side::before);
    out.insert(out.end(), new_count, Side::after);
  } else {
    std::unordered_map<std::string_view, int> numbers;
    const auto interned = [&](const std::vector<std::string_view>& lines, size_t count) {
      std::vector<int> out_numbers;
      for (size_t i = 0; i < count; ++i)
        out_numbers.push_back(
            numbers.try_emplace(lines[head + i], static_cast<int>(numbers.size())).first->second);
      return out_numbers;
    };
    const std::vector<int> old_numbers = interned(before, old_count);
    const std::vector<int> new_numbers = interned(after, new_count);
    dtl::Diff<int> diff(old_numbers, new_numbers);
    diff.compose();
    std::vector<Side> added;  // held back until the run's removed lines are out
    for (const auto& [element, info] : diff.getSes().getSequence()) {
      if (info.type == dtl::SES_ADD) {
        added.push_back(Side::after);
      } else {
        if (info.type == dtl::SES_COMMON) {
          out.insert(out.end(), added.begin(), added.end());
          added.clear();
        }
        out.push_back(info.type == dtl::SES_COMMON ? Side::both : Side::before);
      }
    }
    out.insert(out.end(), added.begin(), added.end());
  }
  out.insert(out.end(), tail, Side::both);
  return out;
}

std::vector<std::string_view> lines_with_ends(std::string_view bytes) {
  std::vector<std::string_view> lines;
  for (size_t at = 0; at < bytes.size();) {
    const size_t end = bytes.find('\n', at);
    const size_t next = end == std::string_view::npos ? bytes.size() : end + 1;
    lines.push_back(bytes.substr(at, next - at));
    at = next;
  }
  return lines;
}

}  // namespace

std::vector<HunkLine> line_diff(const std::vector<std::string>& before,
                                const std::vector<std::string>& after) {
  const std::vector<std::string_view> old_lines(before.begin(), before.end());
  const std::vector<std::string_view> new_lines(after.begin(), after.end());
  std::vector<HunkLine> out;
  size_t i = 0, j = 0;
  for (const Side side : diff_of(old_lines, new_lines)) {
    if (side == Side::both) {
      out.push_back({HunkLine::Kind::context, before[i++]});
      ++j;
    } else if (side == Side::before) {
      out.push_back({HunkLine::Kind::removed, before[i++]});
    } else {
      out.push_back({HunkLine::Kind::added, after[j++]});
    }
  }
  return out;
}

std::vector<Replacement> changed_lines(const Text& before, const Text& after) {
  const std::string old_bytes = before.str(), new_bytes = after.str();
  const auto old_lines = lines_with_ends(old_bytes), new_lines = lines_with_ends(new_bytes);
  std::vector<Replacement> out;
  size_t i = 0, j = 0, offset = 0;
  bool open = false;
  for (const Side side : diff_of(old_lines, new_lines)) {
    if (side == Side::both) {
      offset += old_lines[i++].size();
      ++j;
      open = false;
      continue;
    }
    if (!open) out.push_back({offset, 0, ""});
    open = true;
    if (side == Side::before) {
      out.back().length += old_lines[i].size();
      offset += old_lines[i++].size();
    } else {
      out.back().text += new_lines[j++];
    }
  }
  return out;
}

std::string unified_diff(std::string_view old_path, std::string_view new_path, const Text* before,
                         const Text* after, size_t context) {
  const std::string old_bytes = before ? before->str() : "", new_bytes = after ? after->str() : "";
  if (before && after && old_bytes == new_bytes) return "";
  const auto old_lines = lines_with_ends(old_bytes), new_lines = lines_with_ends(new_bytes);
  const std::vector<Side> sides = diff_of(old_lines, new_lines);
  std::string out =
      fmt::format("--- {}\n+++ {}\n", before ? fmt::format("a/{}", old_path) : "/dev/null",
                  after ? fmt::format("b/{}", new_path) : "/dev/null");
  const auto put = [&](char mark, std::string_view line) {
    out += mark;
    out += line;
    if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
  };
  std::vector<size_t> old_at(sides.size() + 1, 0), new_at(sides.size() + 1, 0);
  for (size_t k = 0; k < sides.size(); ++k) {
    old_at[k + 1] = old_at[k] + (sides[k] != Side::after);
    new_at[k + 1] = new_at[k] + (sides[k] != Side::before);
  }
  for (size_t k = 0; k < sides.size();) {
    if (sides[k] == Side::both) {
      ++k;
      continue;
    }
    const size_t begin = k > context ? k - context : 0;
    size_t end = k, quiet = 0;  // the end of the last change of this hunk
    for (size_t m = k; m < sides.size() && quiet <= 2 * context; ++m) {
      quiet = sides[m] == Side::both ? quiet + 1 : 0;
      if (quiet == 0) end = m + 1;
    }
    const size_t last = std::min(sides.size(), end + context);
    const size_t old_count = old_at[last] - old_at[begin], new_count = new_at[last] - new_at[begin];
    out += fmt::format("@@ -{},{} +{},{} @@\n", old_at[begin] + (old_count > 0), old_count,
                       new_at[begin] + (new_count > 0), new_count);
    for (size_t m = begin; m < last; ++m) {
      if (sides[m] == Side::after) {
        put('+', new_lines[new_at[m]]);
      } else {
        put(sides[m] == Side::both ? ' ' : '-', old_lines[old_at[m]]);
      }
    }
    k = last;
  }
  return out;
}

}  // namespace bodkin
