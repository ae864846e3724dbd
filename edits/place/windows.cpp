#include "edits/place/windows.h"

#include <algorithm>
#include <bitset>
#include <unordered_map>

namespace bodkin {

std::vector<VotedPlace> likely_windows(const Search& search) {
  constexpr size_t kMaxHits = 64, kMaxWindows = 256, kFilter = 1 << 16;
  std::vector<VotedPlace> windows;
  const bool indexed = search.file.is_indexed(whitespace_key);
  if (!search.file.spend((indexed ? 0 : search.file.line_count()) + search.old.size() * kMaxHits))
    return windows;
  std::vector<uint32_t> wanted;
  std::unordered_map<uint32_t, std::vector<size_t>> lines;  // of the file, by hash
  std::string buffer;
  for (const std::string_view line : search.old) {
    wanted.push_back(MappedText::hash(whitespace_key(line, buffer)));
    if (!is_blank(line)) lines[wanted.back()];
  }
  if (indexed) {
    for (auto& [hash, found] : lines)
      found =
          search.file.lines_hashed(whitespace_key, hash, kMaxHits).value_or(std::vector<size_t>());
  } else {
    const std::vector<uint32_t>& hashes = search.file.hashes(whitespace_key);
    auto filter = std::make_unique<std::bitset<kFilter>>();  // most lines of a file are not wanted
    for (const auto& [hash, none] : lines) filter->set(hash % kFilter);
    for (size_t i = 0; i < hashes.size(); ++i) {
      if (!filter->test(hashes[i] % kFilter)) continue;
      if (const auto it = lines.find(hashes[i]); it != lines.end() && it->second.size() <= kMaxHits)
        it->second.push_back(i);
    }
  }
  std::unordered_map<long, size_t> votes;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const auto it = lines.find(wanted[i]);
    if (is_blank(search.old[i]) || it == lines.end() || it->second.size() > kMaxHits) continue;
    for (const size_t line : it->second) ++votes[static_cast<long>(line) - static_cast<long>(i)];
  }
  for (const auto& [first, equal] : votes) windows.push_back({first, equal});
  const size_t kept = std::min(windows.size(), kMaxWindows);
  std::partial_sort(windows.begin(), windows.begin() + static_cast<long>(kept), windows.end(),
                    [](const VotedPlace& a, const VotedPlace& b) {
                      return a.equal != b.equal ? a.equal > b.equal : a.first < b.first;
                    });
  windows.resize(kept);
  return windows;
}

}  // namespace bodkin
