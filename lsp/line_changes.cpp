#include "lsp/line_changes.h"

#include <algorithm>
#include <dtl/dtl.hpp>
#include <string_view>
#include <unordered_map>

namespace bodkin::lsp {

namespace {

// Lines as numbers, the same number for the same bytes (line end included): cheap to compare.
std::vector<int> numbered_lines(const std::string& text,
                                std::unordered_map<std::string_view, int>& numbers,
                                std::vector<size_t>& begins) {
  std::vector<int> result;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    end = end == std::string::npos ? text.size() : end + 1;
    const std::string_view line(text.data() + at, end - at);
    result.push_back(numbers.try_emplace(line, static_cast<int>(numbers.size())).first->second);
    begins.push_back(at);
    at = end;
  }
  begins.push_back(text.size());
  return result;
}

}  // namespace

std::vector<Replacement> changed_lines(const Text& before, const Text& after) {
  const std::string old_text = before.str(), new_text = after.str();
  std::unordered_map<std::string_view, int> numbers;
  std::vector<size_t> old_begins, new_begins;
  const auto old_lines = numbered_lines(old_text, numbers, old_begins);
  const auto new_lines = numbered_lines(new_text, numbers, new_begins);
  size_t front = 0, back = 0;
  const size_t most = std::min(old_lines.size(), new_lines.size());
  while (front < most && old_lines[front] == new_lines[front]) ++front;
  while (back < most - front &&
         old_lines[old_lines.size() - 1 - back] == new_lines[new_lines.size() - 1 - back]) {
    ++back;
  }
  using Lines = std::vector<int>;
  const Lines old_part(old_lines.begin() + front, old_lines.end() - back);
  const Lines new_part(new_lines.begin() + front, new_lines.end() - back);
  dtl::Diff<int, Lines> diff(old_part, new_part);
  diff.onHuge();
  diff.compose();

  std::vector<Replacement> result;
  size_t old_at = front, new_at = front;
  size_t old_from = front, new_from = front;  // of the run that is being collected
  const auto end_run = [&] {
    if (old_from < old_at || new_from < new_at) {
      const size_t begin = old_begins[old_from];
      result.push_back(
          {begin, old_begins[old_at] - begin,
           new_text.substr(new_begins[new_from], new_begins[new_at] - new_begins[new_from])});
    }
  };
  for (const auto& [line, info] : diff.getSes().getSequence()) {
    if (info.type == dtl::SES_DELETE) {
      ++old_at;
    } else if (info.type == dtl::SES_ADD) {
      ++new_at;
    } else {
      end_run();
      old_from = ++old_at;
      new_from = ++new_at;
    }
  }
  end_run();
  return result;
}

}  // namespace bodkin::lsp
