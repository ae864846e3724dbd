#include "edits/lazy/lazy_region.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "edits/lazy/lazy_blocks.h"
#include "edits/text/stopping.h"

namespace bodkin {

namespace {

// "color: red", "serde = 1": the key that such a line sets, whatever its value; else empty.
std::string_view key_in(std::string_view line) {
  const std::string_view text = trimmed(line);
  const size_t sign = text.find_first_of(":=");
  if (sign == text.npos || sign == 0 || sign + 1 == text.size() || text[0] == '-') return {};
  if (std::string_view("{[(|>").find(text.back()) != std::string_view::npos) return {};
  const std::string_view name = trimmed(text.substr(0, sign));
  return name.find_first_of(" \t{}()[];,#/") == name.npos ? name : std::string_view();
}

constexpr size_t kMaxCandidates = 16;  // ends that are weighed against each other
constexpr size_t kMaxDropped = 25;     // lines that may go where nothing comes
constexpr size_t kMaxCompared = 1 << 16;
constexpr size_t kMaxCells = 1 << 22;  // of all tables of one level

std::unordered_set<std::string> word_set_of(std::string_view text) {
  std::unordered_set<std::string> out;
  std::string word;
  for (size_t i = 0; i <= text.size(); ++i) {
    const unsigned char c = i < text.size() ? static_cast<unsigned char>(text[i]) : ' ';
    const unsigned char lower = c >= 'A' && c <= 'Z' ? c | 32 : c;
    if (c == '_' || c >= 0x80 || (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'z')) {
      word += static_cast<char>(lower);
    } else if (!word.empty()) {
      out.insert(std::move(word));
      word.clear();
    }
  }
  return out;
}

// True if two lines are so similar that one may be the other, changed. Of neighbours one word is
// enough.
bool are_similar(std::string_view a, std::string_view b, bool neighbours) {
  const auto left = word_set_of(a), right = word_set_of(b);
  if (left.empty() || right.empty()) return false;
  const std::string_view key = key_in(a), other = key_in(b);
  if (!key.empty() && !other.empty() && key != other) return false;  // another entry
  size_t shared = 0;
  for (const std::string& word : left) shared += right.contains(word);
  if (neighbours) return shared > 0;
  return 2 * shared >= std::min(left.size(), right.size()) + (left.size() + right.size()) / 4;
}

// A new line next to an elision may be a changed one that the elision would keep, too.
FailureOr<void> check_ends(const std::vector<LazyItem>& sketch, const std::vector<LazyItem>& file,
                           const Run& run, const Region& region, size_t from) {
  size_t compared = 0;
  const auto compare = [&](size_t item, size_t begin, size_t end) -> FailureOr<void> {
    if (sketch[item].blank || sketch[item].block) return {};
    for (size_t i = begin; i < end && ++compared < kMaxCompared; ++i)
      if (!file[i].block &&
          are_similar(sketch[item].text, file[i].text, i == region.end || i + 1 == region.begin))
        return lazy_error(FailureKind::ambiguous, sketch[item].lines.begin,
                          "this line may be new, or it may be line " +
                              std::to_string(file[i].lines.begin + 1) + " of the file, changed",
                          "also show the line before or after it");
    return {};
  };
  if (!run.at_begin)
    for (const ItemPair& pair : region.pairs) {
      if (pair.file >= 0 || pair.sketch < 0) break;
      if (auto fine = compare(static_cast<size_t>(pair.sketch), from, region.begin); !fine)
        return fine;
    }
  if (!run.at_end)
    for (size_t i = region.pairs.size(); i-- > 0;) {
      const ItemPair& pair = region.pairs[i];
      if (pair.file >= 0 || pair.sketch < 0) break;
      if (auto fine = compare(static_cast<size_t>(pair.sketch), region.end, file.size()); !fine)
        return fine;
    }
  return {};
}

}  // namespace

void keep_nearest(std::vector<size_t>& begins, std::vector<size_t>& ends) {
  if (begins.size() <= kMaxCandidates && ends.size() <= kMaxCandidates) return;
  if (begins.size() > 1) {
    std::erase_if(begins, [&](size_t b) { return b >= ends[0]; });
    if (begins.size() > kMaxCandidates) begins.erase(begins.begin(), begins.end() - kMaxCandidates);
  } else {
    std::erase_if(ends, [&](size_t e) { return e <= begins[0]; });
    if (ends.size() > kMaxCandidates) ends.resize(kMaxCandidates);
  }
}

bool is_first_import(const std::vector<LazyItem>& file, int key) {
  for (const LazyItem& item : file)
    if (item.block) return item.block->kind == "import" && item.key == key;
  return false;
}

bool is_unchanged(const std::vector<LazyItem>& sketch, const ItemPair& pair) {
  return !sketch[static_cast<size_t>(pair.sketch)].changed;
}

FailureOr<void> check_region(const std::vector<LazyItem>& sketch, const std::vector<LazyItem>& file,
                             const Run& run, const Region& region, size_t from, bool is_closed) {
  const std::vector<ItemPair>& pairs = region.pairs;
  const auto both = [](const ItemPair& pair) { return pair.sketch >= 0 && pair.file >= 0; };
  for (size_t i = 0; i < pairs.size();) {
    if (both(pairs[i])) {
      ++i;
      continue;
    }
    size_t end = i, removed = 0, added = 0;
    const LazyItem* block = nullptr;
    size_t taken = 0;  // blocks that come
    for (; end < pairs.size() && !both(pairs[end]); ++end) {
      if (pairs[end].sketch >= 0) {
        const LazyItem& item = sketch[static_cast<size_t>(pairs[end].sketch)];
        added += item.blank ? 0 : item.lines.end - item.lines.begin;
        taken += item.block && item.block->is_declaration;
        continue;
      }
      const LazyItem& item = file[static_cast<size_t>(pairs[end].file)];
      removed += item.blank ? 0 : item.lines.end - item.lines.begin;
      if (item.block && item.block->is_declaration && item.block->kind != "import") block = &item;
    }
    const bool beside_unchanged =
        (i == 0 || is_unchanged(sketch, pairs[i - 1])) &&
        (end == pairs.size() ? is_closed : is_unchanged(sketch, pairs[end]));
    const size_t line = i > 0 ? sketch[static_cast<size_t>(pairs[i - 1].sketch)].lines.begin
                              : sketch[run.first].lines.begin;
    const bool whole = run.at_begin && run.at_end;
    if (block && !(added == 0 && beside_unchanged) && !(whole && beside_unchanged && taken > 0))
      return lazy_error(FailureKind::ambiguous, line,
                        "`" + block->block->name + "` (line " +
                            std::to_string(block->lines.begin + 1) +
                            " of the file) is here in the file",
                        "write `... existing code ...` "
                        "if it stays, or show its unchanged neighbours next to each other to "
                        "remove it");
    if (removed > kMaxDropped && added * 3 < removed && !(block && added == 0) && !whole)
      return lazy_error(FailureKind::ambiguous, line,
                        std::to_string(removed) + " lines are here in the file",
                        "write `... existing code ...` if they "
                        "stay, or remove them in smaller steps");
    i = end;
  }
  return check_ends(sketch, file, run, region, from);
}

std::optional<Region> diff_region(const std::vector<LazyItem>& sketch,
                                  const std::vector<LazyItem>& file, const Run& run, size_t begin,
                                  size_t end, size_t& cells) {
  Region region{begin, end, {}, 0, 0};
  const size_t n = run.last - run.first, m = end - begin;
  const auto same = [&](size_t r, size_t f) {
    return sketch[run.first + r].key == file[begin + f].key;
  };
  size_t head = 0, tail = 0;
  while (head < n && head < m && same(head, head)) ++head;
  while (tail < n - head && tail < m - head && same(n - 1 - tail, m - 1 - tail)) ++tail;
  const size_t rows = n - head - tail, columns = m - head - tail;
  if (rows > 0 && columns > 0 && rows > (kMaxCells - cells) / columns) return std::nullopt;
  cells += rows * columns;
  std::vector<unsigned> best((rows + 1) * (columns + 1), 0);
  const auto at = [&](size_t r, size_t c) -> unsigned& { return best[r * (columns + 1) + c]; };
  for (size_t r = rows; r-- > 0 && !is_stopped();)
    for (size_t c = columns; c-- > 0;)
      at(r, c) =
          same(head + r, head + c) ? at(r + 1, c + 1) + 1 : std::max(at(r + 1, c), at(r, c + 1));
  size_t behind = begin;
  const auto pair = [&](long r, long f) {
    region.pairs.push_back({r < 0 ? -1 : static_cast<long>(run.first) + r,
                            f < 0 ? -1 : static_cast<long>(begin) + f, behind});
    if (f >= 0) ++behind;
    region.removed += r < 0;
    region.added += f < 0;
  };
  for (size_t i = 0; i < head; ++i) pair(static_cast<long>(i), static_cast<long>(i));
  size_t r = 0, c = 0;
  while (r < rows || c < columns) {
    const long item = static_cast<long>(head + r), line = static_cast<long>(head + c);
    if (r < rows && c < columns && same(head + r, head + c)) {
      pair(item, line), ++r, ++c;
    } else if (c < columns && (r == rows || at(r, c + 1) >= at(r + 1, c))) {
      pair(-1, line), ++c;
    } else {
      pair(item, -1), ++r;
    }
  }
  for (size_t i = tail; i > 0; --i) pair(static_cast<long>(n - i), static_cast<long>(m - i));
  return region;
}

}  // namespace bodkin
